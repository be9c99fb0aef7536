/* prune.h - functions nobody comes to are left out. */
#ifndef FRAY_GEN_PRUNE_H
#define FRAY_GEN_PRUNE_H

#include "runtime/code/program.h"

/* Leaves out of a silent program what can be come to neither from where it begins nor by the machine or who runs it - the
 * order and time of acts, conditions, measures, expectations - and gives the other functions new numbers. Stages of events
 * count as come to where acts of the event are made; where the run goes on from a moment of another program (not
 * p->from_start) of every event. `which`, a mark a function, moves along with them, unless it is NULL. Returns whether
 * anything went. */
bool program_prune(struct program *p, bool *which);

#endif
