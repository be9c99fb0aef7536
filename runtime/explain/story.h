/* story.h - a run told: one line an event, by round and by the time the rules count in.
 *
 *   round 1
 *     dice       party's initiative 5, orcs' initiative 4 [forced]
 *     segment 4  Halvaine begins web
 *                Bruna attacks orc #1: attack roll 17 (needs 12): hit, 5 damage [d8: 5]
 *
 * An event with a telling that is not part of another told event begins a line; what was told
 * below it, the dice it rolled and what rules noted follow on the same line. */
#ifndef FRAY_EXPLAIN_STORY_H
#define FRAY_EXPLAIN_STORY_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/code/program.h"
#include "runtime/trace/trace.h"

struct story_options {
	bool why;   /* below each line: the figures that decided it */
	bool full;  /* with why: all rules that had a part in it, and what changed */
	int width;  /* columns; 0: 80 */
	/* style: as enum fray_style */
	void (*write)(void *context, int style, const char *text, size_t length);
	void *context;
	/* `why` in full is handed over statement by statement instead of being written: how far it is
	 * indented, and the clause it rests on (-1: none). May be NULL. */
	void (*derived)(void *context, int depth, const char *text, int32_t clause);
};

/* Tells the records from number `from` on (0: the whole run). */
void story_tell(const struct program *p, const struct trace *t, int32_t from, const struct story_options *o);

#endif
