/* copy_elision.h - declared acts are pended themselves where the program would copy them. */
#ifndef FRAY_GEN_COPY_ELISION_H
#define FRAY_GEN_COPY_ELISION_H

#include "runtime/code/program.h"

/* `each combatant .. { pend combatant's action }` pends a copy, since a declared act can be read
 * until its actor declares another. Where nothing reads it before that, the declared act itself is
 * pended. To be run after program_prune. Marks in `which`, one a function, whose code changed; true
 * if any. */
bool program_spend_declared(struct program *p, bool *which);

#endif
