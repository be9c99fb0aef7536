/* otherwise.h - the smallest change of one die that would have made it otherwise. */
#ifndef FRAY_API_OTHERWISE_H
#define FRAY_API_OTHERWISE_H

#include "lang/api/lines.h"
#include "lang/api/probe.h"
#include "runtime/explain/answer.h"
#include "runtime/explain/log.h"

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
	const struct question *asked; /* of a denial: its things and its round count, too; NULL */
};

/* Something that would have been told then and was not: of whom it is asked, or in the place of what is asked about. */
struct told_deed {
	struct buf text, would;   /* as it is told; "orc #1 would have attacked Bruna in segment 5" */
	int32_t round;
	word time;
	bool place;               /* it came in its place: a miss */
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
	bool unsaid;              /* how it fell is not said in the answer */
	int64_t value, was;
	struct buf when;          /* " in segment 3", when the die did not fall in the moment that is asked about */
	int nth, of;              /* which of the dice of this name that fell in one moment */
	int event, field;         /* of an event: which, and the number that its condition read; -1 */
	int32_t round;            /* when it happened */
	word time;
	struct buf left;          /* "orc #1 would have had 1 hit point left" */
	VEC(struct told_deed) deed;
	struct buf is;            /* of a value: what it would be */
	struct told_lines now, then; /* the story from the die on: as it would be, and as it is */
};

/* Looks for the smallest change of one die that turns it round. Nothing is found when no die among those that
 * may have had a hand in it would have changed it. */
void otherwise_find(struct fray *f, const struct otherwise *q, struct altered *out);
void altered_free(struct altered *a);
/* ---- what would have happened instead (altered.c), step by step ---- */

/* What is to be looked for, from the fight's own log. */
void altered_asked(const struct log *l, const struct otherwise *q, struct altered *a);
/* Does a record answer a denial: the event, of the things and in the round that are asked about? */
bool altered_answers(const struct log *l, const struct otherwise *q, int32_t number);
/* What came of it, from the log of the try that began at `start`, up to record `end`. The first
 * `past` answers to a denial are those of the fight itself. */
void altered_gather(const struct log *l, const struct otherwise *q, const word *start, int32_t end,
	int past, struct altered *a);
/* Drops what happened in the fight itself, too: its log again, from record `from` on. */
void altered_sift(const struct log *l, const struct otherwise *q, int32_t from, struct altered *a);
/* When a die fell, and which of several, next to record `about` (-1: the present). */
void altered_moment(const struct log *l, int32_t roll, int32_t about, struct altered *a);

/* Tells the altered story, or that the search was given up; nothing when nothing was found. */
void otherwise_tell(struct fray *f, const struct otherwise *q);
/* "4 or less on Bruna's damage": the change in words. */
void altered_die(struct altered *a, struct buf *out);
/* The last sentence of a short answer: how the die fell is said if the answer has not named it;
 * nothing is added when nothing was found. */
void otherwise_sentence(struct fray *f, const struct otherwise *q, struct answer *said,
	struct altered *a, struct buf *out);

#endif
