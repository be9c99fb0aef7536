/* explain.h - `why`: what caused an event, what a value is made of, why one act came before
 * another. All of it is read from the log; nothing is worked out anew.
 *
 * To explain a value, ask for it once more with recording on (vm_call) and explain the
 * QUESTION record this leaves. */
#ifndef FRAY_EXPLAIN_EXPLAIN_H
#define FRAY_EXPLAIN_EXPLAIN_H

#include "runtime/code/program.h"
#include "runtime/explain/story.h"
#include "runtime/trace/trace.h"

/* The last event that was told, else the last event; -1. */
int32_t explain_last(const struct program *p, const struct trace *t);
/* Whether record `number` is an event of a name between these, as explain_find takes them. */
bool explain_is(const struct program *p, const struct trace *t, int32_t number, int32_t event, word who, word whom);
/* The last event of a name (index into program->event; -1: any act) whose actor is `who` and
 * whose target is, or has in it, `whom` (NONE: anybody). -1 when there is none. */
int32_t explain_find(const struct program *p, const struct trace *t, int32_t event, word who, word whom);

/* What led to record `number`, and what decided it. */
void explain_event(const struct program *p, const struct trace *t, int32_t number, const struct story_options *o);
/* What the answer of QUESTION record `number` is made of, and which rules lost and why. */
void explain_value(const struct program *p, const struct trace *t, int32_t number, const struct story_options *o);
/* A stored value as `text`, with the rule that last wrote it; false: none did. */
bool explain_stored(const struct program *p, const struct trace *t, int32_t field, word owner, const char *text, const struct story_options *o);
/* Why the act of EVENT (or KEY) record `one` came before, after or with that of `other`. */
void explain_order(const struct program *p, const struct trace *t, int32_t one, int32_t other, const struct story_options *o);
/* Why an act that was to happen did not: its VOID, CANCEL or REFUSED record `number`. */
void explain_not(const struct program *p, const struct trace *t, int32_t number, const struct story_options *o);
/* The record of what was last told to have come over somebody: that he fell, died, fled; -1. */
int32_t explain_came_over(const struct program *p, const struct trace *t, word who);
/* The same in words: "orc #1 fled in segment 2 of round 1". False: nothing is known. */
bool explain_came_over_told(const struct program *p, const struct trace *t, const word *world,
	word who, struct buf *out);
/* Why somebody who can act no longer does nothing: what came over him. */
void explain_unable(const struct program *p, const struct trace *t, word who, const struct story_options *o);
/* The DECLARE or PEND record of the last such act, if it has no end yet; -1. */
int32_t explain_find_open(const struct program *p, const struct trace *t, int32_t event, word who, word whom);
/* The last VOID, CANCEL or REFUSED record of that event, actor and target; -1. */
int32_t explain_find_not(const struct program *p, const struct trace *t, int32_t event, word who, word whom);

#endif
