/* pending.h - the pending acts of the current list in the order in which they come, kept from
 * group to group: an act is placed anew when something its place rests on was written (memo.h).
 * A step through the pending acts that looks for events alone (`any act that is work`) rests on
 * which acts of these events are pending: all acts are placed anew when one of them joins or
 * leaves the list. Of other steps nobody notes who was found, or not, so acts whose places took
 * such a step are placed anew for each group; the rules may have such steps for a few kinds of
 * act, and the others stay. */
#ifndef FRAY_VM_PENDING_H
#define FRAY_VM_PENDING_H

#include "runtime/code/program.h"
#include "runtime/vm/shape.h"

struct vm;

enum { PENDING_MET = 8 };
enum { PENDING_LOOKED_AT = 64 }; /* so many groups chosen, or more, and it is judged how places are kept */

/* The words of an act's place: its serial number, -1 if it is not listed; its time; its keys, as many as an order of the program has at most. */
enum { PLACE_SERIAL, PLACE_TIME, PLACE_KEYS };

struct pending {
	word *place;             /* by act; behind the last one that comes before all */
	int32_t width;           /* words of a place */
	int32_t *order;          /* those listed, the first to come first: from `from` on, before n */
	int32_t from, n, cap;
	int32_t run, *aside;     /* while acts are placed: those behind it are in order by themselves; room to put them aside */
	word list, by;           /* whose order it is: the list's depth, its order; list -1: nobody's */
	bool timed;              /* acts are timed */
	bool main;               /* it is that of the main list, where acts are timed, and that is the current one */
	struct shape_question question; /* an act's time, if timed, and its keys */
	uint32_t cleared;        /* memo.cleared when it was made */
	bool stepped; /* a step through the pending acts was made since it was looked at */
	int32_t *unsteady, unsteadies; /* acts whose place or comparison took such steps: nobody
					  sees when that is another */
	uint32_t shaken, seen;   /* lately: how many those were, of how many listed */
	uint64_t anew; /* orders, a bit each, where most are: keeping the places of the others is no
			  gain */
	bool looking;            /* acts are being placed or compared */
	uint8_t *counted; /* by event: places rest on which acts of it are pending */
	bool counts;      /* .. of any event */
	struct { word serial; int32_t act; } met[PENDING_MET]; /* those of them that were found */
	int32_t meets;
	word time;               /* of the group chosen last, if timed: what its first act that has one has */
	struct { int32_t fn; word act, time; } once; /* while an act is placed: its time, asked again by its keys; fn -1 */
	uint32_t asked, again;   /* lately: groups chosen, and how often all were placed anew */
};

void pending_close(struct pending *q);
/* Nothing is known any more. */
void pending_clear(struct pending *q);

/* The next group, when no clause of the order compares two acts: the first of those due by `until`
 * (all, unless `timed`) and those that are level with it, to chosen[] in the order in which
 * they were pended. Returns how many; -1 when the run failed. */
int32_t pending_first(struct vm *m, const struct order_info *o, word until, bool timed, int32_t *chosen);

/* A step that looks for acts of these events alone came to `act`, or found none (NONE). */
void pending_counts(struct vm *m, const struct act_filter *f, word act);

/* An act was placed or compared, after pending.stepped was cleared. */
static inline void pending_looked(struct pending *q, int32_t act)
{
	if (q->stepped)
		q->unsteady[q->unsteadies++] = act;
}

/* Every act of the current list is in its place of this order, and (partners.h) compared. False: the run failed. */
bool pending_refresh(struct vm *m, const struct order_info *o, bool timed);
/* Is the act due by then, as its place says? */
bool pending_due(const struct vm *m, int32_t act, word until);
/* Does one come before the other; of two that are level, the one pended first. */
bool pending_before(const struct pending *q, const struct order_info *o, int32_t one, int32_t other);
/* Acts of the main list that moved, where acts are timed, find their places. False: the run failed. */
bool pending_place_moved(struct vm *m);

/* The current list is the one at this depth. */
static inline void pending_here(struct pending *q, word list)
{
	q->main = list == 0 && q->list == 0 && q->by == 0 && q->timed && !(q->anew & 1) &&
		q->meets == 0; /* code of the processor does not look who left */
}

/* An act's time, by the question that is asked of it; an order's acts are alike, so `o` says whose list it is on. False: the run failed. */
bool act_time(struct vm *m, const struct order_info *o, int32_t act, word *time);

static inline word *pending_place(const struct pending *q, int32_t act)
{
	return q->place + (size_t)act * (size_t)q->width;
}
static inline bool pending_is_listed(const struct pending *q, int32_t act)
{
	return pending_place(q, act)[PLACE_SERIAL] >= 0;
}
/* How many words a place has. */
int32_t pending_width(const struct program *p);

/* Those put in order from the last run on, before `end`, are a run of their own (shape.h: shape_batch). */
void pending_run(struct vm *m, const int32_t *end);

/* It is listed no longer. */
void pending_take_out(struct pending *q, int32_t act);

/* Does key a come before key b; 0: they are level. */
int order_compare(const struct order_info *o, const word *a, const word *b);

#endif
