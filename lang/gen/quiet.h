/* quiet.h - loops of which turns may be left out. */
#ifndef FRAY_GEN_QUIET_H
#define FRAY_GEN_QUIET_H

#include "runtime/code/program.h"

/* `each combatant where he holds the initiative { .. }` asks everybody, though most turns do
 * nothing. A turn that did nothing, and rested on nothing but words of its own combatant, does
 * nothing again as long as none of them is written: such a loop becomes one that goes on to those
 * for whom it may do something (QNEXT, runtime/vm/quiet.h). For programs that nobody observes,
 * after all that makes them shorter. Wants program_effects before it. */
void program_quieten(struct program *p);

#endif
