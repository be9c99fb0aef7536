/* show.h - the world as text, the same for equal worlds: who is there, what has changed. */
#ifndef FRAY_WORLD_SHOW_H
#define FRAY_WORLD_SHOW_H

#include "runtime/base/buf.h"
#include "runtime/world/block.h"

/* The encounter, its sides, its combatants and the acts declared or pending; `full`: with what rules keep. */
void world_show(const struct program *p, const word *block, bool full, struct buf *out);
/* One live thing: its fields that are set, one a line. */
void world_show_thing(const struct program *p, const word *block, int kind, word thing, bool full, struct buf *out);

/* "until the end of round 2": how long a condition lasts whose field says `left` rounds, in that
 * round. */
void world_state_left(word left, word round, struct buf *out);

#endif
