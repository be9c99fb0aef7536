/* shorten.h - fewer instructions for the same run, for programs that nobody observes. */
#ifndef FRAY_GEN_SHORTEN_H
#define FRAY_GEN_SHORTEN_H

#include "runtime/code/program.h"

/* Each function by itself: what only speaks to a log goes; constants and copies are followed;
 * jumps lead where they end up; what nobody reads is not worked out. Dice, choices, writes and
 * errors stay as they were, in their order. */
/* Where the world is sure to begin as p->start says (p->from_start) what no instruction writes is known.
 * Only functions with a mark in `which`, one a function; all when that is NULL. Wants program_effects before it. */
void program_shorten(struct program *p, const bool *which);

#endif
