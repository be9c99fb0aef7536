/* why.h - what the files of `why` share: lines of two columns, what happened and by which rule. */
#ifndef FRAY_EXPLAIN_WHY_H
#define FRAY_EXPLAIN_WHY_H

#include "runtime/explain/ink.h"
#include "runtime/explain/log.h"
#include "runtime/explain/story.h"

enum { DEPTH_MOST = 12, CITE_COLUMN = 44 };

struct why {
	struct log log;
	struct ink ink;
	uint64_t told;  /* options named already */
	VEC(int32_t) cited; /* a clause of each rule that was named, in this order */
	void (*derived)(void *context, int depth, const char *text, int32_t clause); /* or NULL; see story.h */
};

void why_open(struct why *w, const struct program *p, const struct trace *t, const struct story_options *o);
/* Tells what the rules that were named say, in their own words. */
void why_close(struct why *w);
/* One line: a statement, indented, and the rule it rests on (-1: none). */
void why_statement(struct why *w, int depth, enum ink_style style, const char *text, int32_t clause);
/* "round 1, segment 5" */
void why_place(struct why *w, int32_t number);
/* A QUESTION record with all it was made of; one of its parts. */
void why_value_tree(struct why *w, int32_t number, int depth);
/* The dice behind the stored values that a base rests on: BASE record `base` of `question`. */
void why_fields(struct why *w, int32_t base, int32_t question, int depth);
void why_part_line(struct why *w, int32_t number, int32_t question, int depth);

#endif
