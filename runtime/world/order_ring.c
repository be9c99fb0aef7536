/* order_ring.c - a short proof that answers contradict each other, for the ruling: a ring through
 * one of them, and none through that one is shorter. */
#include "runtime/world/order_ring.h"

#include "runtime/base/must.h"

/* The shortest way from act `from` to act `to` along answers (ties alone, if so said), as
 * answer numbers in o->ring_answer after those already there. True if there is one. */
static bool ring_close(const struct order_input *in, int32_t from, int32_t to, bool ties_only, struct order *o)
{
	int32_t *by = arena_array(&o->arena, int32_t, in->n), *came = arena_array(&o->arena, int32_t, in->n);
	int32_t *queue = arena_array(&o->arena, int32_t, in->n), head = 0, tail = 0;
	for (int32_t i = 0; i < in->n; i++)
		by[i] = -1;
	/* backwards from the end, so that the way can be read off forwards */
	queue[tail++] = to;
	came[to] = to;
	by[to] = in->answers;
	while (head < tail && by[from] < 0) {
		int32_t at = queue[head++];
		for (int32_t i = 0; i < in->answers; i++) {
			const struct order_answer *a = &in->answer[i];
			int32_t first, later, step = -1;
			if (answer_orders(a, &first, &later)) {
				if (!ties_only && later == at)
					step = first;
			} else if (answer_ties(a) && (a->one == at || a->other == at)) {
				step = a->one == at ? a->other : a->one;
			}
			if (step >= 0 && by[step] < 0) {
				by[step] = i;
				came[step] = at;
				queue[tail++] = step;
			}
		}
	}
	if (by[from] < 0)
		return false;
	for (int32_t at = from; at != to; at = came[at])
		o->ring_answer[o->ring++] = by[at];
	return true;
}

static void ring_begin(const struct order_input *in, int32_t answer, struct order *o)
{
	o->ring_answer = arena_array(&o->arena, int32_t, in->n + 1);
	o->ring_answer[0] = answer;
	o->ring = 1;
}

/* An answer that parts the members of a bundle. */
bool ring_in_bundle(const struct order_input *in, const int32_t *bundle, struct order *o)
{
	for (int32_t i = 0; i < in->answers; i++) {
		const struct order_answer *a = &in->answer[i];
		if (answer_ties(a) || bundle[a->one] != bundle[a->other])
			continue;
		int32_t first, later;
		answer_orders(a, &first, &later);
		ring_begin(in, i, o);
		if (!ring_close(in, later, first, true, o))
			unreachable();
		return true;
	}
	return false;
}

/* The first answer that puts a bundle not yet risen before this one. */
static int32_t answer_below(const struct order_input *in, const int32_t *bundle, int32_t b, const bool *risen)
{
	for (int32_t i = 0; i < in->answers; i++) {
		int32_t first, later;
		if (answer_orders(&in->answer[i], &first, &later) && bundle[later] == b && !risen[bundle[first]])
			return i;
	}
	unreachable();
}

/* Going back from a bundle that has not risen to one before it, and on, comes round. */
void ring_among(const struct order_input *in, const int32_t *bundle, const bool *risen, struct order *o)
{
	bool *seen = arena_array(&o->arena, bool, in->n);
	int32_t b = 0, first = 0, later = 0, answer;
	while (bundle[b] != b || risen[b])
		b++;
	while (!seen[b]) {
		seen[b] = true;
		answer_orders(&in->answer[answer_below(in, bundle, b, risen)], &first, &later);
		b = bundle[first];
	}
	answer = answer_below(in, bundle, b, risen);
	answer_orders(&in->answer[answer], &first, &later);
	ring_begin(in, answer, o);
	if (!ring_close(in, later, first, false, o))
		unreachable();
}
