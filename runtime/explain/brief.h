/* brief.h - a run told in a line a round.
 *
 *   round 1   orc #1 falls; orc #1 dies; hit points: orc #1 5 to 0, Bruna 29 to 23
 */
#ifndef FRAY_EXPLAIN_BRIEF_H
#define FRAY_EXPLAIN_BRIEF_H

#include "runtime/code/program.h"
#include "runtime/explain/story.h"
#include "runtime/trace/trace.h"

/* Tells the records from number `from` on; `why` is not looked at. */
void brief_tell(const struct program *p, const struct trace *t, int32_t from, const struct story_options *o);

#endif
