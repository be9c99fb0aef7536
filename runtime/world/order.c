/* order.c - the walk of the base order (order.h). */
#include "runtime/world/order.h"

#include <stdlib.h>
#include <string.h>

struct walk {
	struct order_act *act;
	const struct order_answer *answer;
	int n;
	int *base;      /* acts by rank, then declaration */
	int *at;        /* position of each act in base */
	bool *taken, *taking;
	int *joins;     /* the act whose place it joins, or -1 */
	int places;
	int last_rank;  /* rank of the place taken last in the plain flow, or -1 */
};

static enum order_verb verb(const struct walk *w, int i, int k)
{
	return (enum order_verb)w->answer[i * w->n + k].verb;
}

/* i must wait for k: it yields to k, or k precedes it, and the base order says otherwise or
 * says nothing. */
static bool waits(const struct walk *w, int i, int k)
{
	return i != k && verb(w, i, k) == ORDER_YIELDS;
}

static bool pulled(const struct walk *w, int one, int other)
{
	return one != other && verb(w, one, other) == ORDER_PRECEDES;
}

static int root(const struct walk *w, int i)
{
	int steps = 0;
	while (w->joins[i] >= 0 && steps++ < w->n)
		i = w->joins[i];
	return i;
}

static bool ready(const struct walk *w, int i)
{
	for (int m = 0; m < w->n; m++) {
		if (root(w, m) != root(w, i))
			continue;
		for (int k = 0; k < w->n; k++)
			if (waits(w, m, k) && !w->taken[k] && root(w, k) != root(w, m))
				return false;
	}
	return true;
}

static bool apart(const struct walk *w, int i, int place)
{
	for (int k = 0; k < w->n; k++)
		if (w->taken[k] && w->act[k].place == place && k != i && (verb(w, i, k) == ORDER_APART || verb(w, k, i) == ORDER_APART))
			return true;
	return false;
}

static void settle(struct walk *w, int i, bool same_place, int by, enum order_verb how, int32_t clause)
{
	struct order_act *a = &w->act[i];
	if (!same_place || w->places == 0 || apart(w, i, w->places - 1))
		w->places++;
	a->place = w->places - 1;
	a->moved_by = by;
	a->verb = how;
	a->clause = clause;
	w->taken[i] = true;
	/* those who join it */
	for (int b = 0; b < w->n; b++) {
		int k = w->base[b];
		if (w->taken[k] || w->joins[k] < 0 || root(w, k) != root(w, i))
			continue;
		w->act[k].place = a->place;
		w->act[k].moved_by = w->joins[k];
		w->act[k].verb = verb(w, k, w->joins[k]) != ORDER_NONE ? (int)verb(w, k, w->joins[k]) : (int)verb(w, w->joins[k], k);
		w->act[k].clause = w->answer[k * w->n + w->joins[k]].verb ? w->answer[k * w->n + w->joins[k]].clause : w->answer[w->joins[k] * w->n + k].clause;
		w->taken[k] = true;
	}
}

static void release(struct walk *w);

/* Takes act i up: first what precedes it, then i, then whoever waited only for it. */
static bool take(struct walk *w, int i, bool flow, int by, enum order_verb how, int32_t clause)
{
	if (w->taken[i] || w->taking[i] || w->joins[i] >= 0)
		return false;
	if (!ready(w, i))
		return false;
	w->taking[i] = true;
	bool fresh = true; /* the next pulled-up act opens a place */
	int rank = -1;
	for (int b = 0; b < w->n; b++) {
		int p = w->base[b];
		bool wants = false;
		int whom = i;
		for (int m = 0; m < w->n && !wants; m++)
			if (root(w, m) == i && pulled(w, p, m)) {
				wants = true;
				whom = m;
			}
		if (!wants || w->taken[p] || w->taking[p] || w->joins[p] >= 0 || w->at[p] < w->at[i] || !ready(w, p))
			continue;
		if (w->act[p].rank == w->act[i].rank && w->act[p].rank == w->last_rank)
			continue; /* its place is open already: it goes in with the others below */
		bool same = !fresh && w->act[p].rank == rank;
		int before = w->places;
		w->last_rank = -1;
		w->taking[p] = true;
		(void)before;
		/* what precedes the one pulled up comes before it in turn */
		for (int c = 0; c < w->n; c++) {
			int q = w->base[c];
			if (pulled(w, q, p) && !w->taken[q] && !w->taking[q] && w->joins[q] < 0 && ready(w, q)) {
				take(w, q, false, p, ORDER_PRECEDES, w->answer[q * w->n + p].clause);
				same = false;
			}
		}
		settle(w, p, same, whom, ORDER_PRECEDES, w->answer[p * w->n + whom].clause);
		rank = w->act[p].rank;
		fresh = false;
	}
	bool same = flow && fresh && w->last_rank == w->act[i].rank;
	/* equal rank, but ordered by an answer: a place of its own */
	for (int k = 0; k < w->n && same; k++)
		if (w->taken[k] && w->act[k].place == w->places - 1 && (pulled(w, k, i) || waits(w, i, k)))
			same = false;
	settle(w, i, same, by, how, clause);
	w->last_rank = flow ? w->act[i].rank : -1;
	return true;
}

/* Waiters that nothing holds any longer, in base order, straight after what released them. */
static void release(struct walk *w)
{
	for (bool again = true; again;) {
		again = false;
		int batch_rank = -1;
		for (int b = 0; b < w->n; b++) {
			int i = w->base[b];
			int whom = -1;
			if (w->taken[i] || w->joins[i] >= 0 || !ready(w, i))
				continue;
			for (int m = 0; m < w->n; m++)
				for (int k = 0; k < w->n && root(w, m) == i; k++)
					if (waits(w, m, k) && w->taken[k] && root(w, k) != i)
						whom = whom < 0 || w->act[k].place >= w->act[whom].place ? k : whom;
			/* only those the walk has already passed over */
			if (whom < 0 || w->at[i] > w->at[whom])
				continue;
			bool same = batch_rank == w->act[i].rank;
			w->taking[i] = true;
			settle(w, i, same, whom, ORDER_YIELDS, w->answer[i * w->n + whom].clause);
			w->last_rank = -1;
			batch_rank = w->act[i].rank;
			again = true;
		}
	}
}

void order_walk(struct order_act *acts, int n, const struct order_answer *answers, struct order_result *out)
{
	struct walk w = {acts, answers, n, NULL, NULL, NULL, NULL, NULL, 0, -1};
	w.base = malloc(sizeof(int) * (size_t)(n + 1));
	w.at = malloc(sizeof(int) * (size_t)(n + 1));
	w.joins = malloc(sizeof(int) * (size_t)(n + 1));
	w.taken = calloc((size_t)n + 1, sizeof(bool));
	w.taking = calloc((size_t)n + 1, sizeof(bool));
	if (!w.base || !w.at || !w.joins || !w.taken || !w.taking)
		abort();
	for (int i = 0; i < n; i++) {
		int k = i;
		while (k > 0 && acts[w.base[k - 1]].rank > acts[i].rank) {
			w.base[k] = w.base[k - 1];
			k--;
		}
		w.base[k] = i;
		acts[i].place = acts[i].moved_by = acts[i].clause = -1;
		acts[i].verb = ORDER_NONE;
		acts[i].in_cycle = false;
		w.joins[i] = -1;
	}
	for (int b = 0; b < n; b++)
		w.at[w.base[b]] = b;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++) {
			if (i == k)
				continue;
			int one = -1, other = -1;
			if (verb(&w, i, k) == ORDER_TOGETHER) {
				one = i;
				other = k;
			} else if (verb(&w, i, k) == ORDER_MEETS) {
				/* the earlier goes to the later */
				one = w.at[i] < w.at[k] ? i : k;
				other = one == i ? k : i;
			}
			if (one >= 0 && w.joins[one] < 0 && root(&w, other) != one)
				w.joins[one] = other;
		}
	for (int b = 0; b < n; b++) {
		take(&w, w.base[b], true, -1, ORDER_NONE, -1);
		release(&w);
	}
	/* acts passed over whose wait ended only now */
	for (bool again = true; again;) {
		again = false;
		for (int b = 0; b < n; b++)
			if (!w.taken[w.base[b]] && take(&w, w.base[b], false, -1, ORDER_NONE, -1)) {
				release(&w);
				again = true;
			}
	}
	out->places = w.places;
	out->cycle = false;
	for (int i = 0; i < n; i++)
		if (!w.taken[i]) {
			acts[i].in_cycle = true;
			acts[i].place = -1;
			out->cycle = true;
		}
	free(w.base);
	free(w.at);
	free(w.joins);
	free(w.taken);
	free(w.taking);
}
