/* order.h - which pending acts come next.
 *
 * Acts have a rank from the keys of `order acts by`: the base order. Equal ranks are one
 * class and happen together. Answers of pairwise clauses move acts away from it:
 *
 *   one yields to other       one waits for other: taken up straight after it
 *   one precedes other        one is pulled up: taken straight before other
 *   one together with other   one goes where other goes
 *   one meets other           both go to the later of their two places
 *   one apart from other      never in one group; of two in one place the earlier declared
 *                             goes first
 *
 * When several of them meet, this is what they mean:
 *
 * 1. Acts joined by `together with` or `meets`, through others too, are one bundle. Its rank
 *    is the latest rank among its members that are not themselves together with somebody
 *    (among all of them, if everybody is). Whatever holds for a member holds for the bundle.
 *    From here on an act alone is a bundle of one.
 * 2. "a precedes b" and "b yields to a" both put a before b, always; they differ in who
 *    moves. Answers that go round in a ring, or put the members of one bundle before or apart
 *    from each other, need a ruling: nothing is ordered, and the ring is shown.
 * 3. A bundle's train is all that precedes it, and all that precedes those, as far as still
 *    to come. A bundle is free when it and its train wait for nothing that is still to come,
 *    but each other.
 * 4. The next group: go through the classes in base order to the first with a free bundle,
 *    passing over those that wait. Take its free bundles, without those apart from an earlier
 *    declared one of them. If none of these has a train they are the group. Otherwise the
 *    group is the next among their trains, found in the same way with nothing else in sight.
 *
 * So a bundle passed over is taken up as soon as it is free, before the walk goes on; what is
 * pulled goes straight before the bundle that pulls it, and so do those it pulls itself; and
 * a member of a class moves alone while its fellows stay together. Declaration order decides
 * nothing but `apart from`. With `precedes` alone the order is the mirror image of the one
 * with `yields to` alone. Taking the next group away and asking again goes on with the same
 * sequence, so it does not matter whether the order is made once or for each group. */
#ifndef FRAY_WORLD_ORDER_H
#define FRAY_WORLD_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/arena.h"

enum order_verb { ORDER_PRECEDES, ORDER_YIELDS, ORDER_TOGETHER, ORDER_MEETS, ORDER_APART };

/* The winning answer for a pair; pairs without one are not listed. */
struct order_answer {
	int32_t one, other;    /* numbers of acts, not the same */
	enum order_verb verb;
	int32_t clause;        /* the caller's: who said so */
};

struct order_input {       /* all borrowed */
	int32_t n;             /* acts, in the order they were declared */
	const int32_t *rank;   /* one an act; equal keys, equal ranks */
	const struct order_answer *answer;
	int32_t answers;
};

/* Why an act does not stand where its rank puts it; -1 and -1 when it does. */
struct order_move {
	int32_t answer;        /* the answer that moved it: its own, or its bundle's */
	int32_t gave_up;       /* an act whose place in base order relative to it was given up for that */
};

/* An order, and the memory it lies in. Results last until the next call or order_free. */
struct order {
	int32_t groups;
	int32_t *act;          /* acts group by group, in declaration order within one */
	int32_t *start;        /* group g is act[start[g]] .. act[start[g + 1] - 1] */
	int32_t *group;        /* the group of each act; -1: not asked for */
	struct order_move *move; /* one an act */
	int32_t ring;          /* answers that contradict each other; 0: none */
	int32_t *ring_answer;  /* their numbers, each leading on to the next */
	struct arena arena;
};

void order_init(struct order *o);
void order_free(struct order *o);

/* The whole sequence, or its first group alone. False when a ruling is needed (o->ring). */
bool order_all(const struct order_input *in, struct order *o);
bool order_next(const struct order_input *in, struct order *o);

/* The first group when there are no answers: the acts of lowest rank, in declaration order,
 * written to `act` (room for n). Returns how many. */
int32_t order_lowest(const int32_t *rank, int32_t n, int32_t *act);

/* Did base order put a before b, and does this order not? Both must be in a group. */
bool order_gave_up(const struct order_input *in, const struct order *o, int32_t a, int32_t b);

#endif
