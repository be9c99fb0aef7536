/* timeline.h - each round as a picture: a column a moment of the clock the rules count in
 * (or a group of acts, where there is none), a row a combatant.
 *
 *   round 1            1  2  3  4  5  6  7  8  9 10
 *   Halvaine                    [web> *
 *   orc #1 .. #4                   x
 */
#ifndef FRAY_EXPLAIN_TIMELINE_H
#define FRAY_EXPLAIN_TIMELINE_H

#include "runtime/code/program.h"
#include "runtime/explain/story.h"
#include "runtime/trace/trace.h"

/* Draws the rounds that have a record from number `from` on; `why` is not looked at. */
void timeline_draw(const struct program *p, const struct trace *t, int32_t from, const struct story_options *o);

#endif
