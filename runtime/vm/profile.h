/* profile.h - how often each instruction runs, for `make profile`; nothing in other builds.
 *
 * Counts belong to the process and are kept by function from one program to the next; one
 * thread. They are printed to stderr at exit. */
#ifndef FRAY_VM_PROFILE_H
#define FRAY_VM_PROFILE_H

#include "runtime/code/program.h"

#ifdef FRAY_PROFILE
void profile_step(const struct program *p, word pc);
/* A machine of the program is freed, and the program may be next: its counts are put down. */
void profile_over(const struct program *p);
#define PROFILE_OVER(p) profile_over(p)
#define PROFILE(p, pc) profile_step(p, pc)
#else
#define PROFILE(p, pc) ((void)0)
#define PROFILE_OVER(p) ((void)0)
#endif

#endif
