/* shares.h - what an enumeration adds up: the faces of a die with their probabilities, and how
 * likely each value of a measure is. */
#ifndef FRAY_SIM_SHARES_H
#define FRAY_SIM_SHARES_H

#include "runtime/sim/exact.h"
#include "runtime/sim/frontier.h"

struct face { word value; double p; uint64_t residue; };
struct faces { struct face *v; int n; };

/* All totals the formula can come to; none when it is too wide to list. *proven is cleared
 * when the residues do not hold. The caller frees v. */
struct faces faces_of_dice(const struct program *p, int32_t dice, bool *proven);
/* A chance: two ways; one when it is certain or hopeless. */
struct faces faces_of_chance(word chance);

/* Adds to a value of a measure. */
void shares_value(struct exact *e, const struct program *p, int measure, word value, struct mass mass);
/* How a fight ended, and what its measures came to; `values` is not read unless `good`. */
struct fight_end { bool good, unsettled, referred; };
struct open_sums { struct sum unexplored, unsettled, stopped, referrals; };
void shares_note(struct exact *e, const struct program *p, struct open_sums *sums, struct mass mass, struct fight_end end, const word *values);

#endif
