/* dist.h - the exact distribution of a die formula, by counting and not by listing.
 *
 * Sums are convolutions. Kept dice are counted face by face from the top: it only matters how
 * many dice lie above a face and what those kept of them add up to. Exploding pools are summed
 * over the number of highest faces. Nothing is cut off: that extra dice run out is part of
 * the formula's meaning, and `spent` says how likely it is. */
#ifndef FRAY_DICE_DIST_H
#define FRAY_DICE_DIST_H

#include "runtime/dice/formula.h"

struct dist {
	int least, most;
	double *p;      /* p[i]: probability of the total least + i; what is below 1e-300 may be 0 */
	/* When `of` is not 0, probabilities are exact: p[i] * of is the whole number of ways, in a
	 * count small enough for a double (2^53). */
	double of;
	double spent;   /* probability that the extra dice of an exploding pool run out */
};

/* The work a distribution may take, in multiplications: about a second. */
enum { DIST_WORK = 1000000000 };

/* False if it is too wide to work out (M_DICE_SPREAD); *out is then empty. */
bool dist_make(const struct dice *d, struct dist *out);
void dist_free(struct dist *d);
double dist_at(const struct dist *d, int64_t total); /* 0 outside the range */
double dist_mean(const struct dist *d);

/* The average total, without the distribution: always quick. */
double dice_mean(const struct dice *d);

#endif
