/* basis.h - which sums of columns matter at a place.
 *
 * A number of a place may matter by itself, or only in sums with others: of what three blows
 * take from one man nobody asks but all of it. So what matters is a set of sums
 * `by * column + ..`, closed under adding: it is kept as the columns it holds by themselves
 * and a few sums of the others, none of which can be made of the rest. */
#ifndef FRAY_SIM_BASIS_H
#define FRAY_SIM_BASIS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/buf.h"

enum { TERMS_MOST = 48 };

struct term { int32_t column, by; }; /* by: never 0 */
/* A sum, its columns ascending. */
struct form { struct term *term; int n; };

struct basis {
	uint64_t *alone;        /* bits: columns that matter by themselves */
	int words;
	VEC(struct form) form;  /* sums of others; each has a first column that stands in no other */
};

void basis_begin(struct basis *s, int columns);
void basis_free(struct basis *s);
static inline bool basis_alone(const struct basis *s, int column)
{
	return s->alone[column / 64] >> (column % 64) & 1;
}
/* Adds a sum of n terms, in ascending order; true when more matters than before. */
bool basis_add(struct basis *s, const struct term *term, int n);
/* Does all that matters in `less` matter in `more`, too? Both of the same columns. */
bool basis_within(const struct basis *less, const struct basis *more);

/* to = x * a + y * b, at most TERMS_MOST terms; their number, -1 when it is too much. */
int terms_combine(struct term *to, const struct term *a, int an, int64_t x, const struct term *b, int bn, int64_t y);

#endif
