/* stats.h - what a sample says about the truth: intervals that hold it 95 times in 100. */
#ifndef FRAY_SIM_STATS_H
#define FRAY_SIM_STATS_H

#include "runtime/code/value.h"
#include "runtime/sim/tally.h"

/* Wilson's interval for `yes` of `n`. */
void stats_wilson(uint64_t yes, uint64_t n, double *low, double *high);
/* How large a sample in which `yes` of `n` are so would have to be for that interval to reach
 * no further than `half` to either side. */
double stats_needed(uint64_t yes, uint64_t n, double half);

struct moments { double mean, deviation, low, high; uint64_t n, unset; };
/* Mean, standard deviation and the interval of the mean; unset values are counted apart. */
struct moments stats_moments(const struct tally *t, bool frac);
/* A word as a number: fractions divided out. */
double stats_number(word value, bool frac);

#endif
