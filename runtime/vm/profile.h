/* profile.h - how often each instruction runs, for `make profile`; nothing in other builds.
 *
 * Counts belong to the process: one program, one thread. They are printed to stderr at exit. */
#ifndef FRAY_VM_PROFILE_H
#define FRAY_VM_PROFILE_H

#include "runtime/code/program.h"

#ifdef FRAY_PROFILE
void profile_step(const struct program *p, word pc);
#define PROFILE(p, pc) profile_step(p, pc)
#else
#define PROFILE(p, pc) ((void)0)
#endif

#endif
