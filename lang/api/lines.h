/* lines.h - a story as lines that can be compared: when, and what. */
#ifndef FRAY_API_LINES_H
#define FRAY_API_LINES_H

#include "runtime/base/buf.h"
#include "runtime/explain/story.h"

struct told_line { struct buf moment, text; }; /* "round 1, segment 4" */
struct told_lines {
	VEC(struct told_line) line;
	struct buf round;
	bool fresh, heading;
};

/* The story from record `from` on. */
void lines_take(struct told_lines *l, const struct program *p, const struct trace *t, int32_t from);
void lines_free(struct told_lines *l);
bool lines_same(struct told_line *a, struct told_line *b);

#endif
