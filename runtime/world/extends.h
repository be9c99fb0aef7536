/* extends.h - whether a program is another one and what a line typed in mid-fight brought along. */
#ifndef FRAY_WORLD_EXTENDS_H
#define FRAY_WORLD_EXTENDS_H

#include "runtime/code/program.h"

/* A fight that stands where `p` may pause can go on under `more`, with its world and its log as
 * they are: all that a world or a record of p can speak of has its number and its meaning in
 * `more` as well, code that was played is the same, and what is new waits for a block of the
 * script that p does not have. False: not known. */
bool program_extends(const struct program *p, const struct program *more);
/* The words of fields that only `more` has, as a fight begins with them. */
void program_extend_world(const struct program *p, const struct program *more, word *world);

#endif
