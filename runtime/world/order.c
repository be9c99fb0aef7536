/* order.c - the walk of the base order described in order.h.
 *
 * Everything a bundle needs to know is worked out once, in an order in which whatever must
 * come before a bundle is done before it (such an order exists unless there is a ring):
 *
 *   train[b]     bits of all bundles that precede b, through others too
 *   awaited[b]   bits of what b or its train waits for, outside the train
 *   blocked[b]   how many of awaited[b] are still to come; 0: free
 *
 * Taking a bundle counts down; the walk itself only looks at counts. */
#include "runtime/world/order.h"

#include <string.h>

#include "runtime/base/must.h"
#include "runtime/world/order_ring.h"

struct walk {
	const struct order_input *in;
	struct order *o;
	struct arena *arena;
	int32_t *bundle;       /* of each act: the earliest declared member stands for all */
	int32_t *rank;         /* of each bundle */
	int32_t *sorted;       /* bundles by rank, then declaration */
	int32_t *rise;         /* bundles so that what must be before is before */
	int32_t *blocked;
	int32_t n;             /* bundles */
	bool *taken, *passed;  /* passed over: the walk went on to later ones, or fellows */
	struct order_move *move;
	int32_t *team;         /* the bundles being taken */
	int32_t acts;          /* taken so far */
	int words;             /* of a bit set over acts */
	uint64_t *train, *awaited, *apart; /* one set a bundle */
	uint64_t *to_come, *sight, *trains;
};

/* ---- bit sets over acts; only the bits of bundles are used ---- */

static uint64_t *bits_new(struct walk *w, int32_t rows)
{
	return arena_array(w->arena, uint64_t, (size_t)rows * (size_t)w->words);
}

static uint64_t *row(const struct walk *w, uint64_t *sets, int32_t b)
{
	return sets + (size_t)b * (size_t)w->words;
}

static void bit_set(uint64_t *set, int32_t b)
{
	set[b / 64] |= (uint64_t)1 << b % 64;
}

static bool bit_has(const uint64_t *set, int32_t b)
{
	return set[b / 64] >> b % 64 & 1;
}

static void bits_join(const struct walk *w, uint64_t *set, const uint64_t *more)
{
	for (int i = 0; i < w->words; i++)
		set[i] |= more[i];
}

/* ---- bundles ---- */

static int32_t bundle_of(struct walk *w, int32_t act)
{
	while (w->bundle[act] != act)
		act = w->bundle[act] = w->bundle[w->bundle[act]];
	return act;
}

static void bundles_make(struct walk *w)
{
	const struct order_input *in = w->in;
	bool *joins = arena_array(w->arena, bool, in->n);
	bool *has_place = arena_array(w->arena, bool, in->n); /* of bundles: a member that joins nobody */
	bool *seen = arena_array(w->arena, bool, in->n);
	for (int32_t i = 0; i < in->n; i++)
		w->bundle[i] = i;
	for (int32_t i = 0; i < in->answers; i++) {
		const struct order_answer *a = &in->answer[i];
		must(a->one >= 0 && a->one < in->n && a->other >= 0 && a->other < in->n && a->one != a->other);
		if (!answer_ties(a))
			continue;
		joins[a->one] |= a->verb == ORDER_TOGETHER;
		int32_t x = bundle_of(w, a->one), y = bundle_of(w, a->other);
		if (x < y)
			w->bundle[y] = x;
		else
			w->bundle[x] = y;
	}
	for (int32_t i = 0; i < in->n; i++) {
		w->bundle[i] = bundle_of(w, i);
		has_place[w->bundle[i]] |= !joins[i];
	}
	for (int32_t i = 0; i < in->n; i++) {
		int32_t b = w->bundle[i];
		if (has_place[b] && joins[i])
			continue;
		if (!seen[b] || in->rank[i] > w->rank[b])
			w->rank[b] = in->rank[i];
		seen[b] = true;
	}
}

/* Sorts the bundles by rank, those of one rank as declared (merge sort keeps them so). */
static void bundles_sort(struct walk *w)
{
	int32_t *from = arena_array(w->arena, int32_t, w->in->n), *to = w->sorted;
	for (int32_t i = 0; i < w->in->n; i++)
		if (w->bundle[i] == i)
			from[w->n++] = i;
	memcpy(to, from, (size_t)w->n * sizeof *to);
	for (int32_t run = 1; run < w->n; run *= 2) {
		for (int32_t low = 0; low < w->n; low += 2 * run) {
			int32_t mid = low + run < w->n ? low + run : w->n, high = mid + run < w->n ? mid + run : w->n;
			int32_t a = low, b = mid, k = low;
			while (a < mid || b < high)
				to[k++] = a < mid && (b >= high || w->rank[from[a]] <= w->rank[from[b]]) ? from[a++] : from[b++];
		}
		memcpy(from, to, (size_t)w->n * sizeof *to);
	}
}

/* ---- what stands before what ---- */

/* Fills rise[]; false, with the ring, if there is one. */
static bool rise(struct walk *w)
{
	const struct order_input *in = w->in;
	int32_t *below = arena_array(w->arena, int32_t, in->n); /* answers that hold a bundle down */
	int32_t *next = arena_array(w->arena, int32_t, in->answers), *head = arena_array(w->arena, int32_t, in->n);
	bool *risen = arena_array(w->arena, bool, in->n);
	int32_t done = 0, first, later;
	for (int32_t i = 0; i < in->n; i++)
		head[i] = -1;
	for (int32_t i = 0; i < in->answers; i++) /* lists of the answers by the bundle they put first */
		if (answer_orders(&in->answer[i], &first, &later)) {
			below[w->bundle[later]]++;
			next[i] = head[w->bundle[first]];
			head[w->bundle[first]] = i;
		}
	int32_t up = 0;
	for (int32_t i = 0; i < w->n; i++)
		if (below[w->sorted[i]] == 0)
			w->rise[up++] = w->sorted[i];
	while (done < up) {
		int32_t b = w->rise[done++];
		risen[b] = true;
		for (int32_t i = head[b]; i >= 0; i = next[i]) {
			answer_orders(&in->answer[i], &first, &later);
			if (--below[w->bundle[later]] == 0)
				w->rise[up++] = w->bundle[later];
		}
	}
	if (up < w->n)
		ring_among(in, w->bundle, risen, w->o);
	return up == w->n;
}

static void trains_make(struct walk *w)
{
	const struct order_input *in = w->in;
	uint64_t *precede = bits_new(w, in->n);
	int32_t first, later;
	for (int32_t i = 0; i < in->answers; i++) {
		const struct order_answer *a = &in->answer[i];
		int32_t one = w->bundle[a->one], other = w->bundle[a->other];
		if (a->verb == ORDER_APART) {
			bit_set(row(w, w->apart, one), other);
			bit_set(row(w, w->apart, other), one);
		} else if (answer_orders(a, &first, &later)) {
			uint64_t *sets = a->verb == ORDER_PRECEDES ? precede : w->awaited;
			bit_set(row(w, sets, w->bundle[later]), w->bundle[first]);
		}
	}
	for (int32_t k = 0; k < w->n; k++) {
		int32_t b = w->rise[k];
		uint64_t *train = row(w, w->train, b), *awaited = row(w, w->awaited, b);
		/* what precedes b has risen already: its own train and waits are complete */
		for (int32_t j = 0; j < k; j++) {
			int32_t p = w->rise[j];
			if (!bit_has(row(w, precede, b), p))
				continue;
			bit_set(train, p);
			bits_join(w, train, row(w, w->train, p));
			bits_join(w, awaited, row(w, w->awaited, p));
		}
		for (int i = 0; i < w->words; i++)
			awaited[i] &= ~train[i];
		for (int32_t j = 0; j < w->n; j++)
			w->blocked[b] += bit_has(awaited, w->sorted[j]);
	}
}

/* ---- why ---- */

static bool before_in_base(const struct walk *w, int32_t a, int32_t b)
{
	return w->rank[a] < w->rank[b];
}

/* The answer that held a bundle back longest, now that it is taken up; -1 if none did. */
static int32_t held_by(const struct walk *w, int32_t b)
{
	int32_t best = -1, latest = -1;
	for (int32_t i = 0; i < w->in->answers; i++) {
		const struct order_answer *a = &w->in->answer[i];
		int32_t first, later;
		if (!answer_orders(a, &first, &later)) {
			bool one = w->bundle[a->one] == b;
			if (a->verb != ORDER_APART || (!one && w->bundle[a->other] != b))
				continue;
			first = one ? a->other : a->one;
			if (w->rank[w->bundle[first]] != w->rank[b])
				continue;
		} else if (w->bundle[later] != b) {
			continue;
		}
		if (w->o->group[first] > latest) {
			latest = w->o->group[first];
			best = i;
		}
	}
	return best;
}

/* The answer by which a bundle was pulled: to the earliest in base order still to come. */
static int32_t pulled_by(const struct walk *w, int32_t b)
{
	int32_t best = -1, target = -1;
	for (int32_t i = 0; i < w->in->answers; i++) {
		const struct order_answer *a = &w->in->answer[i];
		int32_t to = w->bundle[a->other];
		if (a->verb != ORDER_PRECEDES || w->bundle[a->one] != b || w->taken[to])
			continue;
		if (target < 0 || before_in_base(w, to, target)) {
			target = to;
			best = i;
		}
	}
	return best;
}

/* The first bundle still to come, by base order, that pulls b. */
static int32_t puller_of(struct walk *w, int32_t b)
{
	for (int32_t k = 0; k < w->n; k++)
		if (!w->taken[w->sorted[k]] && bit_has(row(w, w->train, w->sorted[k]), b))
			return w->sorted[k];
	unreachable();
}

/* An act taken already although base order does not have it before b, the last such. */
static int32_t overtaker_of(const struct walk *w, int32_t b)
{
	for (int32_t i = w->acts - 1; i >= 0; i--)
		if (!before_in_base(w, w->bundle[w->o->act[i]], b))
			return w->o->act[i];
	unreachable();
}

/* Why b, about to be taken, does not stand where its rank puts it, if so. */
static struct order_move move_of(struct walk *w, int32_t b, bool pulled)
{
	struct order_move m = {-1, -1};
	if (!w->passed[b] && !pulled)
		return m;
	/* one that stood aside for another may yet be pulled before it: then nothing held it */
	int32_t held = w->passed[b] ? held_by(w, b) : -1;
	m.answer = held >= 0 ? held : pulled_by(w, b);
	must(m.answer >= 0);
	const struct order_answer *a = &w->in->answer[m.answer];
	m.gave_up = w->bundle[a->one] == b ? a->other : a->one;
	/* the answer may agree with base order, and only hand on what moved the other act */
	int32_t other = w->bundle[m.gave_up];
	if (held >= 0 && before_in_base(w, other, b))
		m.gave_up = overtaker_of(w, b);
	else if (held < 0 && before_in_base(w, b, other))
		m.gave_up = puller_of(w, b);
	return m;
}

/* Why an act left its own place for its bundle's. */
static struct order_move tie_of(const struct walk *w, int32_t act)
{
	for (int32_t i = 0; i < w->in->answers; i++) {
		const struct order_answer *a = &w->in->answer[i];
		if (answer_ties(a) && (a->one == act || a->other == act))
			return (struct order_move){i, a->one == act ? a->other : a->one};
	}
	unreachable();
}

/* ---- the walk ---- */

/* Puts the bundles to be taken together, of the first class in sight with a free one, into
 * team[]. Returns how many; there is always one. */
static int32_t team_find(struct walk *w)
{
	int32_t n = 0;
	for (int32_t k = 0; k < w->n; k++) {
		int32_t b = w->sorted[k];
		if (n > 0 && w->rank[b] != w->rank[w->team[0]])
			break;
		if (!w->taken[b] && !w->blocked[b] && bit_has(w->sight, b))
			w->team[n++] = b;
	}
	must(n > 0);
	/* from the back, so that one that stands aside has been in the way of those after it */
	for (int32_t k = n - 1; k > 0; k--)
		for (int32_t j = 0; j < k; j++)
			if (bit_has(row(w, w->apart, w->team[k]), w->team[j])) {
				memmove(w->team + k, w->team + k + 1, (size_t)(n - k - 1) * sizeof *w->team);
				n--;
				break;
			}
	return n;
}

/* Bundles in sight up to this rank that are still to come have been passed over. */
static void pass_over(struct walk *w, int64_t rank)
{
	for (int32_t k = 0; k < w->n && w->rank[w->sorted[k]] <= rank; k++)
		if (!w->taken[w->sorted[k]] && bit_has(w->sight, w->sorted[k]))
			w->passed[w->sorted[k]] = true;
}

/* Narrows the sight to the trains of the team; false, leaving it, when they have none. */
static bool look_at_trains(struct walk *w, int32_t n)
{
	bool any = false;
	memset(w->trains, 0, (size_t)w->words * sizeof *w->trains);
	for (int32_t k = 0; k < n; k++)
		bits_join(w, w->trains, row(w, w->train, w->team[k]));
	for (int i = 0; i < w->words; i++) {
		w->trains[i] &= w->to_come[i];
		any |= w->trains[i] != 0;
	}
	if (any)
		memcpy(w->sight, w->trains, (size_t)w->words * sizeof *w->sight);
	return any;
}

static void group_take(struct walk *w)
{
	struct order *o = w->o;
	const struct order_input *in = w->in;
	bool pulled = false;
	int32_t n;
	memcpy(w->sight, w->to_come, (size_t)w->words * sizeof *w->sight);
	while (n = team_find(w), pass_over(w, (int64_t)w->rank[w->team[0]] - 1), look_at_trains(w, n))
		pulled = true;
	for (int32_t k = 0; k < n; k++)
		w->move[w->team[k]] = move_of(w, w->team[k], pulled);
	for (int32_t k = 0; k < n; k++) {
		int32_t b = w->team[k];
		w->taken[b] = true;
		w->to_come[b / 64] &= ~((uint64_t)1 << b % 64);
		for (int32_t i = 0; i < w->n; i++)
			w->blocked[w->sorted[i]] -= bit_has(row(w, w->awaited, w->sorted[i]), b);
	}
	pass_over(w, w->rank[w->team[0]]);
	o->start[o->groups] = w->acts;
	for (int32_t i = 0; i < in->n; i++) {
		int32_t b = w->bundle[i];
		if (o->group[i] >= 0 || !w->taken[b])
			continue;
		o->group[i] = o->groups;
		o->act[w->acts++] = i;
		o->move[i] = in->rank[i] == w->rank[b] ? w->move[b] : tie_of(w, i);
	}
	o->start[++o->groups] = w->acts;
}

static bool order_make(const struct order_input *in, struct order *o, int32_t groups)
{
	struct walk w = {.in = in, .o = o, .arena = &o->arena, .words = in->n / 64 + 1};
	int32_t n = in->n;
	order_free(o);
	o->act = arena_array(w.arena, int32_t, n + 1);
	o->start = arena_array(w.arena, int32_t, n + 1);
	o->group = arena_array(w.arena, int32_t, n + 1);
	o->move = arena_array(w.arena, struct order_move, n + 1);
	w.bundle = arena_array(w.arena, int32_t, n + 1);
	w.rank = arena_array(w.arena, int32_t, n + 1);
	w.sorted = arena_array(w.arena, int32_t, n + 1);
	w.rise = arena_array(w.arena, int32_t, n + 1);
	for (int32_t i = 0; i < n; i++) {
		o->group[i] = -1;
		o->move[i] = (struct order_move){-1, -1};
	}
	bundles_make(&w);
	bundles_sort(&w);
	if (ring_in_bundle(in, w.bundle, o) || !rise(&w))
		return false;
	w.blocked = arena_array(w.arena, int32_t, n + 1);
	w.team = arena_array(w.arena, int32_t, n + 1);
	w.move = arena_array(w.arena, struct order_move, n + 1);
	w.taken = arena_array(w.arena, bool, n + 1);
	w.passed = arena_array(w.arena, bool, n + 1);
	w.train = bits_new(&w, n);
	w.awaited = bits_new(&w, n);
	w.apart = bits_new(&w, n);
	w.sight = bits_new(&w, 1);
	w.trains = bits_new(&w, 1);
	w.to_come = bits_new(&w, 1);
	trains_make(&w);
	for (int32_t k = 0; k < w.n; k++)
		bit_set(w.to_come, w.sorted[k]);
	while (w.acts < n && o->groups < groups)
		group_take(&w);
	return true;
}

/* ---- the door ---- */

void order_init(struct order *o)
{
	memset(o, 0, sizeof *o);
	arena_init(&o->arena);
}

void order_free(struct order *o)
{
	arena_free(&o->arena);
	order_init(o);
}

bool order_all(const struct order_input *in, struct order *o)
{
	return order_make(in, o, INT32_MAX);
}

bool order_next(const struct order_input *in, struct order *o)
{
	return order_make(in, o, 1);
}

int32_t order_lowest(const int32_t *rank, int32_t n, int32_t *act)
{
	int32_t found = 0;
	for (int32_t i = 0; i < n; i++) {
		if (found > 0 && rank[i] < rank[act[0]])
			found = 0;
		if (found == 0 || rank[i] == rank[act[0]])
			act[found++] = i;
	}
	return found;
}

bool order_gave_up(const struct order_input *in, const struct order *o, int32_t a, int32_t b)
{
	return in->rank[a] < in->rank[b] && o->group[a] >= o->group[b];
}
