/* partners.h - what the pair clauses of an order answer about pending acts, kept from group to group.
 *
 * An order's partner function says of each act by itself in which ways a pair clause may apply to it (program.h). Acts are
 * indexed by that and by their actors, so an act that comes to the list is compared only with those that may answer
 * anything. All that was read on the way leads to the act (memo.h): when it is written, the act alone is compared anew.
 * Between two groups nothing is looked at but what was written. */
#ifndef FRAY_VM_PARTNERS_H
#define FRAY_VM_PARTNERS_H

#include "runtime/code/program.h"
#include "runtime/world/order.h"

struct vm;

/* By whose act it is; in either place of a clause: acts tied to one actor, by that actor; acts compared with anybody. */
enum partner_list { LIST_ACTOR, LIST_TIED, LIST_ANY = LIST_TIED + 2, PARTNER_LISTS = LIST_ANY + 2 };

struct partner {
	uint64_t any[2], tied[2];      /* ways, as `one` and as `other` */
	int32_t actor, whose[2];       /* buckets of actors */
	int32_t list[PARTNER_LISTS];   /* in which it is, -1: in none .. */
	int32_t next[PARTNER_LISTS], prev[PARTNER_LISTS]; /* .. between which acts; -1: at its end */
	int32_t answers[2];            /* those about it as `one` and as `other`: the first; -1 */
	uint32_t asked;
	int32_t number;                /* while a group is found: its level, then which of `among` it is */
	bool involved;
};

struct partner_answer { struct order_answer of; int32_t next[2], prev[2]; };

struct partners {
	struct partner *act;
	int32_t acts, used, actors;    /* room; how many of them were compared at most; the bucket behind the last actor is that of nobody */
	int32_t *head;                 /* of all lists */
	struct partner_answer *answer; /* without gaps */
	int32_t answers, room;
	uint64_t any[2];               /* ways of all in the lists of those compared with anybody, and perhaps of some who are gone */
	uint32_t asked;
	/* the next group is found among these acts, by declaration, of which all answers are about their numbers here */
	int32_t *among, *aside, *rank;
	word *names;
	struct order_answer *given;
	int32_t given_room;
	struct order order;
};

/* In which ways an act may be compared; false: the run failed. */
bool partner_find(struct vm *m, const struct order_info *o, int32_t act, struct partner *p);
/* May a clause answer anything of these two? */
static inline bool partner_may_be(const struct partner *one, const struct partner *other)
{
	const uint64_t as_one = one->any[0] | (one->whose[0] == other->actor ? one->tied[0] : 0);
	const uint64_t as_other = other->any[1] | (other->whose[1] == one->actor ? other->tied[1] : 0);
	return as_one & as_other;
}

void partners_close(struct partners *x);
/* Nothing is known any more. */
void partners_clear(struct vm *m);
/* Those whose comparison is out of date are compared anew. False: the run failed. */
bool partners_refresh(struct vm *m, const struct order_info *o);
/* The next group to chosen[], as pending_first does it where clauses compare acts; -1 when the run failed. */
int32_t partners_first(struct vm *m, const struct order_info *o, word until, bool timed, int32_t *chosen);
/* The act is no longer pending. */
void partners_gone(struct vm *m, int32_t act);

#endif
