/* spent.h - declared acts that are pended themselves, where a copy was to be. */
#ifndef FRAY_GEN_SPENT_H
#define FRAY_GEN_SPENT_H

#include "runtime/code/program.h"

/* `each combatant .. { pend combatant's action }` pends a copy, since what somebody has declared may be looked at until he
 * declares anew. Where nobody can look before that (program_prune before it), the declared act itself is pended, and its actor has declared
 * nothing. Marks in `which`, one a function, whose code changed; true if any. */
bool program_spend_declared(struct program *p, bool *which);

#endif
