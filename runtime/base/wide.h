/* wide.h - whole numbers of some two thousand bits, for sums whose parts are exact fractions and
 * whose whole no longer fits two halves of a word. No memory is taken: a wide stands where it is
 * declared. What would not fit is a fault of the caller, who knows how large his numbers grow. */
#ifndef FRAY_BASE_WIDE_H
#define FRAY_BASE_WIDE_H

#include <stdint.h>

enum { WIDE_LIMBS = 80 };

struct wide {
	int sign; /* -1, 0, 1; 0 has no limbs */
	int n;
	uint32_t limb[WIDE_LIMBS]; /* the least first */
};

struct wide wide_of(int64_t value);
struct wide wide_add(const struct wide *a, const struct wide *b);
struct wide wide_sub(const struct wide *a, const struct wide *b);
struct wide wide_mul(const struct wide *a, const struct wide *b);
struct wide wide_times(const struct wide *a, int64_t b);
/* What is left of |a| behind the division by d > 0; and a / d, cut off. */
uint32_t wide_rest(const struct wide *a, uint32_t d);
struct wide wide_part(const struct wide *a, uint32_t d);
/* <0, 0, >0 */
int wide_compare(const struct wide *a, const struct wide *b);

#endif
