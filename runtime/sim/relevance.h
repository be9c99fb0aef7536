/* relevance.h - backward analysis of the graph: which columns matter at a place, and which
 * measures are decided there. */
#ifndef FRAY_SIM_RELEVANCE_H
#define FRAY_SIM_RELEVANCE_H

#include "runtime/sim/induction.h"
#include "runtime/sim/basis.h"

/* What a measure comes to: whatever falls from here on, it is this sum of columns and `plus`;
 * with `as_is` the column's word is taken, which may be no whole number. */
enum verdict { VERDICT_NOTHING, VERDICT_DECIDED, VERDICT_OPEN };
struct fate { enum verdict verdict; struct term *term; int n; word plus; bool as_is; };

struct needs;
struct needs *needs_new(const struct graph *g, const struct clock *clock);
void needs_free(struct needs *n);
/* Works it out for the graph as it is now, and the clock; `anew`, or beginning with what was known. */
void needs_find(struct needs *n, bool anew);
/* How many places that is. */
int32_t needs_places(const struct needs *n);
/* The sums a test, a fix or a measure may yet depend on. */
const struct basis *needs_basis(const struct needs *n, int32_t place);
const struct fate *needs_fate(const struct needs *n, int32_t place, int measure);
/* How often it was found; and when what is told of a place last changed. */
uint64_t needs_turn(const struct needs *n);
/* Steps taken so far to find it out. */
uint64_t needs_steps(const struct needs *n);
uint64_t needs_changed(const struct needs *n, int32_t place);
/* The places one can go to from this one, i from 0; -1 behind the last. */
int32_t needs_next(const struct needs *n, int32_t place, int i);

bool fate_same(const struct fate *a, const struct fate *b);

#endif
