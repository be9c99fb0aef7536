/* pipeline.h - the optimiser: passes over each function of a silent program, and their order. */
#ifndef FRAY_GEN_PIPELINE_H
#define FRAY_GEN_PIPELINE_H

#include "runtime/code/program.h"

/* Optimises each function: drops what only writes the log, propagates constants and copies, threads
 * jumps, drops dead code. Dice, choices, writes and errors stay, in their order. */
/* Where the world is sure to begin as p->start says (p->from_start) what no instruction writes is
 * known. Only functions with a mark in `which`, one a function; all when that is NULL. Wants
 * program_effects before it. */
void program_shorten(struct program *p, const bool *which);

#endif
