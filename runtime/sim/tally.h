/* tally.h - how often each value came up. Counts are whole numbers, so it does not matter in
 * which order, or by how many threads, they are added. */
#ifndef FRAY_SIM_TALLY_H
#define FRAY_SIM_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/num.h"

struct tally {
	word *value;
	uint64_t *count;      /* 0: a free place */
	uint32_t room, n;     /* places, a power of two; those taken */
	uint64_t total;
	bool sorted;
};

void tally_free(struct tally *t);
void tally_add(struct tally *t, word value, uint64_t count);
/* Adds all of `from`. */
void tally_merge(struct tally *t, const struct tally *from);
/* Puts the values into ascending order at places 0 .. n - 1; nothing may be added after that.
 * With `frac` values are fractions. NONE comes first. */
void tally_sort(struct tally *t, bool frac);
uint64_t tally_of(const struct tally *t, word value);

#endif
