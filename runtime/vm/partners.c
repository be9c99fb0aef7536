/* partners.c - see partners.h. */
#include "runtime/vm/partners.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/vm/machine.h"
#include "runtime/vm/ring.h"

enum { ONE, OTHER };

void partners_close(struct partners *x)
{
	free(x->act);
	free(x->head);
	free(x->answer);
	free(x->among);
	free(x->aside);
	free(x->rank);
	free(x->names);
	free(x->given);
	order_free(&x->order);
	memset(x, 0, sizeof *x);
}

static void *room_for(size_t n, size_t size)
{
	void *to = calloc(n + 1, size);
	if (!to)
		abort();
	return to;
}

static void open(struct vm *m)
{
	struct partners *x = &m->partners;
	const size_t acts = m->p->layout.act_count;
	x->acts = (int32_t)acts;
	x->actors = m->p->lives[KIND_COMBATANT];
	x->act = room_for(acts, sizeof *x->act);
	x->head = room_for((size_t)PARTNER_LISTS * ((size_t)x->actors + 1), sizeof *x->head);
	x->among = room_for(acts, sizeof *x->among);
	x->aside = room_for(acts, sizeof *x->aside);
	x->rank = room_for(acts, sizeof *x->rank);
	x->names = room_for(acts, sizeof *x->names);
	order_init(&x->order);
	x->used = x->acts;
}

void partners_clear(struct vm *m)
{
	struct partners *x = &m->partners;
	struct memo *memo = &m->memo;
	if (x->acts < (int32_t)m->p->layout.act_count || x->actors != m->p->lives[KIND_COMBATANT]) {
		partners_close(x);
		open(m);
	}
	for (int32_t i = 0; i < x->used; i++) {
		struct partner *p = &x->act[i];
		memset(p->list, 0xff, sizeof p->list);
		p->answers[ONE] = p->answers[OTHER] = -1;
	}
	memset(x->head, 0xff, (size_t)PARTNER_LISTS * ((size_t)x->actors + 1) * sizeof *x->head);
	x->answers = x->used = 0;
	x->any[ONE] = x->any[OTHER] = 0;
	while (memo->unpaired > 0)
		memo->unpairing[memo->unpairs[--memo->unpaired]] = 0;
}

/* ---- lists ---- */

static inline int32_t list_of(const struct partners *x, int which, int32_t bucket)
{
	return which * (x->actors + 1) + bucket;
}

static inline int32_t bucket_of(int32_t actors, word actor)
{
	return (uint64_t)actor < (uint64_t)actors ? (int32_t)actor : actors;
}

static void put(struct partners *x, int32_t act, int which, int32_t bucket)
{
	struct partner *p = &x->act[act];
	const int32_t list = list_of(x, which, bucket), next = x->head[list];
	p->list[which] = list;
	p->prev[which] = -1;
	p->next[which] = next;
	if (next >= 0)
		x->act[next].prev[which] = act;
	x->head[list] = act;
}

static void take(struct partners *x, int32_t act, int which)
{
	struct partner *p = &x->act[act];
	if (p->list[which] < 0)
		return;
	if (p->prev[which] >= 0)
		x->act[p->prev[which]].next[which] = p->next[which];
	else
		x->head[p->list[which]] = p->next[which];
	if (p->next[which] >= 0)
		x->act[p->next[which]].prev[which] = p->prev[which];
	p->list[which] = -1;
}

/* ---- answers ---- */

static inline int32_t *link_to(struct partners *x, int32_t answer, int place)
{
	struct partner_answer *a = &x->answer[answer];
	return a->prev[place] >= 0 ? &x->answer[a->prev[place]].next[place] : &x->act[place == ONE ? a->of.one : a->of.other].answers[place];
}

static void answer_put(struct partners *x, struct order_answer of)
{
	if (x->answers == x->room) {
		x->room = 2 * x->room + 64;
		x->answer = realloc(x->answer, (size_t)x->room * sizeof *x->answer);
		if (!x->answer)
			abort();
	}
	const int32_t i = x->answers++;
	struct partner_answer *a = &x->answer[i];
	a->of = of;
	for (int place = ONE; place <= OTHER; place++) {
		int32_t *first = &x->act[place == ONE ? of.one : of.other].answers[place];
		a->prev[place] = -1;
		a->next[place] = *first;
		if (*first >= 0)
			x->answer[*first].prev[place] = i;
		*first = i;
	}
}

/* The last takes its place. */
static void answer_drop(struct partners *x, int32_t i)
{
	const int32_t last = --x->answers;
	for (int place = ONE; place <= OTHER; place++) {
		const int32_t next = x->answer[i].next[place];
		*link_to(x, i, place) = next;
		if (next >= 0)
			x->answer[next].prev[place] = x->answer[i].prev[place];
	}
	if (i == last)
		return;
	for (int place = ONE; place <= OTHER; place++) {
		const int32_t next = x->answer[last].next[place];
		*link_to(x, last, place) = i;
		if (next >= 0)
			x->answer[next].prev[place] = i;
	}
	x->answer[i] = x->answer[last];
}

static void forget(struct partners *x, int32_t act)
{
	struct partner *p = &x->act[act];
	for (int which = 0; which < PARTNER_LISTS; which++)
		take(x, act, which);
	for (int place = ONE; place <= OTHER; place++)
		while (p->answers[place] >= 0)
			answer_drop(x, p->answers[place]);
}

void partners_gone(struct vm *m, int32_t act)
{
	if (m->pending.list >= 0 && m->partners.acts > 0)
		forget(&m->partners, act);
}

/* ---- comparing ---- */

static bool ask(struct vm *m, const struct order_info *o, int32_t one, int32_t other)
{
	const word pair[3] = {one, other, NONE};
	word answer[2] = {0, NONE};
	m->pairs++;
	m->memo.pair[ONE] = act_at(m, one);
	m->memo.pair[OTHER] = act_at(m, other);
	if (!vm_pure(m, o->pair_fn, pair, 3, answer, 2))
		return false;
	if (answer[0] > 0)
		answer_put(&m->partners, (struct order_answer){one, other, (enum order_verb)(answer[0] - 1), (int32_t)answer[1]});
	return true;
}

/* The act, in that place, with those of a list. */
static bool ask_list(struct vm *m, const struct order_info *o, int32_t act, int place, int32_t list, int which)
{
	struct partners *x = &m->partners;
	const struct partner *p = &x->act[act];
	for (int32_t with = x->head[list]; with >= 0; with = x->act[with].next[which]) {
		struct partner *q = &x->act[with];
		if (q->asked == x->asked || !(place == ONE ? partner_may_be(p, q) : partner_may_be(q, p)))
			continue;
		q->asked = x->asked;
		if (!ask(m, o, place == ONE ? act : with, place == ONE ? with : act))
			return false;
	}
	return true;
}

static bool ask_all(struct vm *m, const struct order_info *o, int32_t act)
{
	struct partners *x = &m->partners;
	const struct partner *p = &x->act[act];
	for (int place = ONE; place <= OTHER; place++) {
		x->asked++;
		if (p->tied[place] && !ask_list(m, o, act, place, list_of(x, LIST_ACTOR, p->whose[place]), LIST_ACTOR))
			return false;
		if (p->any[place] & x->any[!place] && !ask_list(m, o, act, place, list_of(x, LIST_ANY + !place, 0), LIST_ANY + !place))
			return false;
		if (p->any[place] && !ask_list(m, o, act, place, list_of(x, LIST_TIED + !place, p->actor), LIST_TIED + !place))
			return false;
	}
	return true;
}

/* A part of a condition may be asked here that the clause would not have come to. If it fails, that says nothing: the act is
 * compared with everybody. */
static bool ways_of(struct vm *m, const struct order_info *o, int32_t act, word *ways)
{
	struct memo *memo = &m->memo;
	struct diag_sink *sink = m->host.sink;
	const enum vm_status before = m->status;
	const int depth = memo->depth, placing = memo->placing;
	const word argument = act;
	m->host.sink = NULL;
	const bool ok = vm_pure(m, o->partner_fn, &argument, 1, ways, 2 * PARTNER_WORDS);
	m->host.sink = sink;
	if (ok)
		return true;
	if (m->status == VM_INTERRUPTED || m->status == VM_LIMIT)
		return false;
	m->status = before;
	memo->depth = depth;
	memo->placing = placing;
	for (int i = 0; i < 2 * PARTNER_WORDS; i++)
		ways[i] = i % PARTNER_WORDS == PARTNER_ANY ? INT64_MAX : 0;
	return true;
}

bool partner_find(struct vm *m, const struct order_info *o, int32_t act, struct partner *p)
{
	const struct reach *actor = &m->reach[m->p->at.act_actor];
	const int32_t actors = m->p->lives[KIND_COMBATANT];
	const uint32_t at = actor->base + (uint32_t)act * actor->stride;
	word ways[2 * PARTNER_WORDS];
	memo_read(&m->memo, at);
	p->actor = bucket_of(actors, m->w[at]);
	if (!ways_of(m, o, act, ways))
		return false;
	for (int place = ONE; place <= OTHER; place++) {
		const word *way = ways + place * PARTNER_WORDS;
		p->any[place] = (uint64_t)way[PARTNER_ANY];
		p->tied[place] = (uint64_t)way[PARTNER_TIED];
		p->whose[place] = bucket_of(actors, way[PARTNER_WHOSE]);
	}
	return true;
}

static bool compare_anew(struct vm *m, const struct order_info *o, int32_t act)
{
	struct partners *x = &m->partners;
	struct partner *p = &x->act[act];
	const word argument = act, done = 1;
	if (act >= x->used)
		x->used = act + 1;
	m->pending.stepped = false;
	memo_begin(&m->memo, m->memo.of_pairs, &argument, 0);
	m->memo.pairing = m->memo.depth;
	m->memo.pair[ONE] = m->memo.pair[OTHER] = act_at(m, act);
	const bool ok = partner_find(m, o, act, p) && ask_all(m, o, act);
	m->memo.pairing = -1;
	if (!ok)
		return false;
	memo_end(&m->memo, &done);
	pending_looked(&m->pending, act);
	put(x, act, LIST_ACTOR, p->actor);
	for (int place = ONE; place <= OTHER; place++) {
		if (p->any[place])
			put(x, act, LIST_ANY + place, 0);
		if (p->tied[place])
			put(x, act, LIST_TIED + place, p->whose[place]);
		x->any[place] |= p->any[place];
	}
	return true;
}

bool partners_refresh(struct vm *m, const struct order_info *o)
{
	struct partners *x = &m->partners;
	struct memo *memo = &m->memo;
	const int32_t n = memo->unpaired;
	/* nothing is written meanwhile: whoever is to be compared anew because an answer was pushed out of the memo is so the next time */
	for (int32_t i = 0; i < n; i++) {
		x->among[i] = memo->unpairs[i];
		memo->unpairing[x->among[i]] = 0;
		forget(x, x->among[i]);
	}
	memo->unpaired = 0;
	for (int32_t i = 0; i < n; i++)
		if (pending_is_listed(&m->pending, x->among[i]) && !compare_anew(m, o, x->among[i]))
			return false;
	return true;
}

/* ---- the next group ---- */

/* Sorts acts as `before` says, those that stand behind each other already without moving them. */
static void sort(const struct vm *m, const struct order_info *o, int32_t n, bool by_serial)
{
	const struct pending *q = &m->pending;
	const struct partners *x = &m->partners;
	int32_t *from = x->among, *to = x->aside;
	for (int32_t run = 1; run < n; run *= 2) {
		for (int32_t low = 0; low < n; low += 2 * run) {
			const int32_t mid = low + run < n ? low + run : n, high = mid + run < n ? mid + run : n;
			int32_t a = low, b = mid;
			for (int32_t k = low; k < high; k++) {
				bool first = a < mid;
				if (first && b < high)
					first = by_serial ? pending_place(q, from[a])[PLACE_SERIAL] < pending_place(q, from[b])[PLACE_SERIAL] : pending_before(q, o, from[a], from[b]);
				to[k] = first ? from[a++] : from[b++];
			}
		}
		int32_t *done = to;
		to = from;
		from = done;
	}
	if (from != x->among)
		memcpy(x->among, from, (size_t)n * sizeof *from);
}

static inline void involve(struct partners *x, int32_t act, int32_t *n)
{
	if (x->act[act].involved)
		return;
	x->act[act].involved = true;
	x->among[(*n)++] = act;
}

/* Acts that answers are about, and the first of all others in order, with those level with it: so long as one of these
 * is to come none of those behind them does. Returns how many. */
static int32_t gather(struct vm *m, const struct order_info *o, word until, bool timed)
{
	struct partners *x = &m->partners;
	const struct pending *q = &m->pending;
	const word *level = NULL;
	int32_t n = 0;
	for (int32_t i = 0; i < x->answers; i++) {
		const struct order_answer *a = &x->answer[i].of;
		if (timed && !(pending_due(m, a->one, until) && pending_due(m, a->other, until)))
			continue;
		involve(x, a->one, &n);
		involve(x, a->other, &n);
	}
	for (int32_t i = n > 0 ? q->from : q->n; i < q->n; i++) {
		const int32_t act = q->order[i];
		if (level && order_compare(o, level, pending_place(q, act) + PLACE_KEYS) != 0)
			break;
		if (x->act[act].involved || (timed && !pending_due(m, act, until)))
			continue;
		level = pending_place(q, act) + PLACE_KEYS;
		x->among[n++] = act;
	}
	return n;
}

/* Their answers, in the order in which the acts were declared that they are about. */
static int32_t give(struct partners *x, int32_t n)
{
	int32_t given = 0;
	if (x->given_room < x->answers) {
		x->given_room = x->room;
		free(x->given);
		x->given = room_for((size_t)x->room, sizeof *x->given);
	}
	for (int32_t i = 0; i < n; i++)
		x->act[x->among[i]].number = i;
	for (int32_t i = 0; i < n; i++) {
		const int32_t first = given;
		for (int32_t k = x->act[x->among[i]].answers[ONE]; k >= 0; k = x->answer[k].next[ONE]) {
			const struct order_answer *a = &x->answer[k].of;
			if (!x->act[a->other].involved || !x->act[a->one].involved)
				continue;
			const int32_t other = x->act[a->other].number;
			int32_t at = given++;
			for (; at > first && x->given[at - 1].other > other; at--)
				x->given[at] = x->given[at - 1];
			x->given[at] = (struct order_answer){i, other, a->verb, a->clause};
		}
	}
	return given;
}

/* In order of declaration, with how many distinct keys stand before each of them. */
static void rank(struct vm *m, const struct order_info *o, int32_t n)
{
	struct partners *x = &m->partners;
	const struct pending *q = &m->pending;
	int32_t level = 0;
	sort(m, o, n, false);
	for (int32_t i = 0; i < n; i++) {
		level += i > 0 && order_compare(o, pending_place(q, x->among[i - 1]) + PLACE_KEYS, pending_place(q, x->among[i]) + PLACE_KEYS) != 0;
		x->act[x->among[i]].number = level;
	}
	sort(m, o, n, true);
	for (int32_t i = 0; i < n; i++) {
		x->rank[i] = x->act[x->among[i]].number;
		x->names[i] = x->among[i];
	}
}

int32_t partners_first(struct vm *m, const struct order_info *o, word until, bool timed, int32_t *chosen)
{
	struct partners *x = &m->partners;
	const int32_t n = x->answers > 0 ? gather(m, o, until, timed) : 0;
	if (n == 0)
		return 0;
	rank(m, o, n);
	struct order_input in = {.n = n, .rank = x->rank, .answers = give(x, n)};
	in.answer = x->given;
	for (int32_t i = 0; i < n; i++)
		x->act[x->among[i]].involved = false;
	if (!ring_next(m, &in, x->given, x->names, &x->order))
		return -1;
	const int32_t count = x->order.start[1];
	m->pending.time = NONE;
	for (int32_t i = 0; i < count; i++) {
		chosen[i] = x->among[x->order.act[i]];
		if (timed && m->pending.time == NONE)
			m->pending.time = pending_place(&m->pending, chosen[i])[PLACE_TIME];
	}
	return count;
}
