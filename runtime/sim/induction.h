/* induction.h - columns that are linear in the number of rounds.
 *
 * All fights advance round by round together, so a column that is the same in all of them and
 * grows by the same amount each round keeps no rows apart: it is computed from the number of
 * rounds begun. Found by a forward analysis of the graph. */
#ifndef FRAY_SIM_INDUCTION_H
#define FRAY_SIM_INDUCTION_H

#include "runtime/sim/graph.h"

/* ONCE: known in the one round `by`; EVER: value + by * rounds; FREE: it may be anything. */
enum clock_kind { CLOCK_NOTHING, CLOCK_ONCE, CLOCK_EVER, CLOCK_FREE };
struct clock_value { enum clock_kind kind; word value; int64_t by; };

struct clock;
struct clock *clock_new(struct graph *g);
void clock_free(struct clock *c);
/* Works it out for the graph as it is now, beginning with what was known. True: of places known before
 * numbers are no longer what they were taken for. */
bool clock_find(struct clock *c);
/* Of places found since: FREE. */
struct clock_value clock_at(const struct clock *c, int32_t place, int column);
/* Its number in that round; not of what is FREE. */
static inline word clock_now(struct clock_value v, int64_t round)
{
	return v.kind == CLOCK_EVER ? v.value + v.by * round : v.value;
}

#endif
