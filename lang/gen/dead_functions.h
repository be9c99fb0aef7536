/* dead_functions.h - functions that nothing calls are left out. */
#ifndef FRAY_GEN_DEAD_FUNCTIONS_H
#define FRAY_GEN_DEAD_FUNCTIONS_H

#include "runtime/code/program.h"

/* Drops the functions of a silent program that cannot be reached from its start, from the machine
 * or from the host (order and time of acts, conditions, measures, expectations), and renumbers the
 * rest. Stages of an event are reachable if the program makes acts of it; of every event if the run
 * goes on from a moment of another program (not p->from_start). `which`, a mark a function or NULL,
 * is moved along. True if any function was dropped. */
bool program_prune(struct program *p, bool *which);

#endif
