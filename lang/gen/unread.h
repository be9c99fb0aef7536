/* unread.h - pair fields nobody reads, left out of programs that nobody observes. */
#ifndef FRAY_GEN_UNREAD_H
#define FRAY_GEN_UNREAD_H

#include "runtime/code/program.h"

/* Pair fields that are read only to see whether they are unset and must be filled are not written, nor asked for that: the
 * distances of a fight without a rule that goes by them. Marks in `which`, one a function, whose code changed; true
 * when any did. Wants short functions, none put in where it is called. */
bool program_drop_unread(struct program *p, bool *which);

#endif
