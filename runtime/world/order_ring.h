/* order_ring.h - answers about the order of acts that contradict each other (order.h, 2).
 *
 * Only for order.c: which rings there are, as numbers of answers in o->ring_answer. A ring is
 * a way from an act along answers back to itself, ties leading both ways. */
#ifndef FRAY_WORLD_ORDER_RING_H
#define FRAY_WORLD_ORDER_RING_H

#include "runtime/world/order.h"

/* Answers that make a bundle. */
static inline bool answer_ties(const struct order_answer *a)
{
	return a->verb == ORDER_TOGETHER || a->verb == ORDER_MEETS;
}

/* Of an answer that puts one act before another: which comes first, which later. */
static inline bool answer_orders(const struct order_answer *a, int32_t *first, int32_t *later)
{
	*first = a->verb == ORDER_PRECEDES ? a->one : a->other;
	*later = a->verb == ORDER_PRECEDES ? a->other : a->one;
	return a->verb == ORDER_PRECEDES || a->verb == ORDER_YIELDS;
}

/* An answer that parts members of a bundle, and the ties between them. False if there is none. */
bool ring_in_bundle(const struct order_input *in, const int32_t *bundle, struct order *o);

/* A ring among the bundles that have not risen; each of them has another one before it. */
void ring_among(const struct order_input *in, const int32_t *bundle, const bool *risen, struct order *o);

#endif
