/* otherwise.h - the smallest change of one die that would have made it otherwise. */
#ifndef FRAY_API_OTHERWISE_H
#define FRAY_API_OTHERWISE_H

#include "lang/api/lines.h"
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

/* What was found. */
struct altered {
	bool found;
	bool gave_up;             /* nothing was found before the search was given up */
	struct buf die;           /* "Bruna's damage" */
	bool of_side;             /* a side's: "the orcs' initiative" */
	bool chance;              /* it shows yes or no */
	int order;                /* of an order: below 0, the one would have come first; above, the other */
	bool all;                 /* what lies beyond would do as well */
	int64_t value, was;
	struct buf is;            /* of a value: what it would be */
	struct told_lines now, then; /* the story from the die on: as it would be, and as it is */
};

/* Looks for the smallest change of one die that turns it round. Nothing is found when no die among those that
 * may have had a hand in it would have changed it. */
void otherwise_find(struct fray *f, const struct otherwise *q, struct altered *out);
void altered_free(struct altered *a);
/* Tells the altered story, or that the search was given up; nothing when nothing was found. */
void otherwise_tell(struct fray *f, const struct otherwise *q);
/* "4 or less on Bruna's damage": the change in words. */
void altered_die(struct altered *a, struct buf *out);
/* The last sentence of a short answer; nothing is added when nothing was found. */
void otherwise_sentence(struct fray *f, const struct otherwise *q, struct altered *a, struct buf *out);

#endif
