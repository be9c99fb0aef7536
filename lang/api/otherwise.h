/* otherwise.h - the smallest change of one die that would have made it otherwise. */
#ifndef FRAY_API_OTHERWISE_H
#define FRAY_API_OTHERWISE_H

#include "lang/api/probe.h"

enum otherwise_sort { OTHERWISE_EVENT, OTHERWISE_NOT, OTHERWISE_ORDER, OTHERWISE_VALUE };

/* What is to change: that an event happened, that one did not, which of two came first, or
 * what an expression is. Events are those of explain_find. */
struct otherwise {
	enum otherwise_sort sort;
	int32_t record;           /* that was explained; of an order the later one; -1 for a value */
	int event;
	word who, whom;
	int other_event;          /* of an order */
	word other;
	struct probe *value;      /* of a value: open */
};

/* Tells it, or that none was found before the search was given up; nothing when no die among
 * those that may have had a hand in it would have changed it. */
void otherwise_tell(struct fray *f, const struct otherwise *q);

#endif
