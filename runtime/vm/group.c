/* group.c - choosing the next group of acts, and leading its members through their stages;
 * events in progress; sealed branches. */
#include <string.h>

#include "runtime/code/show.h"
#include "runtime/vm/machine.h"
#include "runtime/vm/ring.h"
#include "runtime/world/order.h"

/* ---- events in progress ---- */

/* Said of the rule whose body performs the event once more. */
__attribute__((noinline)) static bool too_deep(struct vm *m, const char *event)
{
	struct span at = m->clause >= 0 && m->clause < m->p->clauses ? m->p->clause[m->clause].span : vm_where(m);
	return vm_fail_at(m, VM_LIMIT, M_EVENTS_DEEP, at, 1, event);
}

/* What the event keeps, as it begins and as it was handed. */
static void fill_slots(const struct vm *m, const struct event_info *e, word *slot)
{
	const int n = m->p->set_words;
	for (int i = 0; i < e->slots; i++, slot += n) {
		const bool set = e->slot_type[i].base == VT_SET;
		slot[0] = m->handed_mask >> i & 1 ? m->handed[i] : set ? 0 : e->slot_initial[i];
		for (int k = 1; k < n; k++)
			slot[k] = set ? 0 : NONE;
	}
}

static inline uint32_t push(struct vm *m, int32_t event, int32_t record)
{
	const struct layout *l = &m->p->layout;
	const struct event_info *e = &m->p->event[event];
	uint32_t size = HAP_SLOTS + (uint32_t)e->slots * (uint32_t)m->p->set_words;
	uint32_t used = (uint32_t)m->w[H_HAPPENINGS];
	must(!m->unwritten); /* who writes it down says so first */
	if (used + size > l->happening_words) {
		too_deep(m, e->name);
		return 0;
	}
	uint32_t at = l->happenings + used;
	m->w[at + HAP_PARENT] = m->w[H_HAPPENING];
	m->w[at + HAP_EVENT] = event;
	m->w[at + HAP_RECORD] = record;
	m->w[at + HAP_STAGE] = 0;
	if (e->slots)
		fill_slots(m, e, m->w + at + HAP_SLOTS);
	m->handed_mask = 0;
	m->w[H_HAPPENINGS] = used + size;
	return at;
}

__attribute__((noinline)) static int32_t record_entered(struct vm *m, int32_t event, const word *arguments)
{
	int32_t record = record_new(m, REC_EVENT);
	if (record >= 0) {
		record_event(m, record, event, arguments);
		act_told(m, record, m->w[H_ACT]);
	}
	return record;
}

/* What the event was handed and does not have as a rule. */
__attribute__((noinline)) static bool record_handed(struct vm *m, int32_t event, uint32_t handed)
{
	const struct event_info *e = &m->p->event[event];
	word *slot = m->w + m->w[H_HAPPENING] + HAP_SLOTS;
	for (int i = 0; i < e->slots; i++, slot += m->p->set_words) {
		const word value = *slot;
		if (!(handed >> i & 1) || e->slot_type[i].base == VT_SET || value == e->slot_initial[i])
			continue;
		*slot = e->slot_initial[i];
		const bool ok = record_mark(m, slot, value);
		*slot = value;
		if (!ok)
			return false;
	}
	return true;
}

bool event_enter(struct vm *m, int32_t event, const word *arguments)
{
	if (++m->w[H_DEPTH] > EVENTS_DEEP)
		return too_deep(m, m->p->event[event].name);
	const uint32_t handed = m->handed_mask;
	uint32_t at = push(m, event, m->p->observed ? record_entered(m, event, arguments) : -1);
	if (!at)
		return false;
	m->w[H_HAPPENING] = at;
	return !(handed && m->p->observed && !m->quiet) || record_handed(m, event, handed);
}

void event_leave(struct vm *m, bool stopped)
{
	uint32_t at = (uint32_t)m->w[H_HAPPENING];
	if (m->p->observed && m->w[at + HAP_RECORD] >= 0) {
		struct record *r = trace_at(&m->trace, (int32_t)m->w[at + HAP_RECORD]);
		r->closed = true;
		if (stopped)
			r->flag = m->w[at + HAP_STAGE] == AT_BEFORE ? EVENT_STOPPED : EVENT_REPLACED;
	}
	m->w[H_HAPPENING] = m->w[at + HAP_PARENT];
	m->w[H_HAPPENINGS] = at - m->p->layout.happenings;
	m->w[H_DEPTH]--;
}

/* ---- choosing ---- */

enum { PAIRS_TOLD = 8 /* of a group of acts */, JUDGED = 8 /* every such group is found a second time, where there are assertions */ };

struct waiting { word act; word serial; word key[ORDER_KEYS]; };

static bool ahead(struct vm *m, const struct order_info *o, const struct waiting *a, const struct waiting *b, int *same)
{
	if (!m->lift) {
		int c = order_compare(o, a->key, b->key);
		*same = c == 0;
		return c < 0;
	}
	*same = 0;
	for (int k = 0; k < o->keys; k++) {
		word x = a->key[k], y = b->key[k];
		/* unset keys come last */
		if (x == NONE || y == NONE) {
			if (x != y)
				return y == NONE;
			continue;
		}
		if (!lift_test(m, OP_EQ, x, y))
			return lift_test(m, o->frac[k] ? OP_FLT : OP_LT, x, y);
	}
	*same = 1;
	return false;
}

static int collect(struct vm *m, word until, bool timed, const struct order_info *o, struct waiting *out, int most)
{
	const struct layout *l = &m->p->layout;
	int n = 0;
	(void)l;
	for (uint32_t i = 0; i < (uint32_t)m->w[H_ACTS] && n < most; i++) {
		uint32_t at = act_at(m, i);
		if (m->w[at + ACT_STATE] != ACT_PENDING || m->w[at + ACT_LIST] != m->w[H_LIST])
			continue;
		word act = i;
		if (timed && m->p->at.act_time_question >= 0) {
			word time = NONE;
			const struct question_info *q = &m->p->question[m->p->at.act_time_question];
			if (!vm_pure(m, q->fn, &act, 1, &time, 1))
				return -1;
			if (time != NONE && until != NONE && lift_test(m, q->type.frac ? OP_FLT : OP_LT, until, time))
				continue;
		}
		struct waiting w;
		memset(&w, 0, sizeof w);
		w.act = act;
		w.serial = m->w[at + ACT_SERIAL];
		if (o->key_fn >= 0 && !vm_pure(m, o->key_fn, &act, 1, w.key, ORDER_KEYS))
			return -1;
		/* by serial: the order in which they were declared */
		int k = n++;
		while (k > 0 && out[k - 1].serial > w.serial) {
			out[k] = out[k - 1];
			k--;
		}
		out[k] = w;
	}
	return n;
}

static void record_keys(struct vm *m, const struct order_info *o, const struct waiting *w)
{
	if (!m->p->observed)
		return;
	int r = record_new(m, REC_KEY);
	if (r < 0)
		return;
	int values = trace_values(&m->trace, w->key, ORDER_KEYS);
	struct record *x = trace_at(&m->trace, r);
	x->act = (int32_t)w->act;
	x->value = w->key[0];
	x->values = values;
	x->value_count = ORDER_KEYS;
	x->owner = m->w[m->p->field[m->p->at.act_actor].base + (uint32_t)w->act * m->p->layout.act_stride];
	x->what = (int32_t)m->w[act_at(m, w->act) + ACT_EVENT];
	x->clause = m->order_clause;
	if (o->key_fn < 0)
		return;
	/* once more, with every question on the way in the log */
	bool quiet = m->quiet;
	int question = m->question;
	word keys[ORDER_KEYS];
	m->quiet = false;
	m->question = r;
	m->question_kept = 1;
	m->order_clause = -1; /* the keys of `resolve by` are no order of the rules */
	vm_pure(m, o->key_fn, &w->act, 1, keys, ORDER_KEYS);
	m->question = question;
	m->quiet = quiet;
	m->question_kept = 0;
	trace_at(&m->trace, r)->clause = m->order_clause;
}

/* What the condition of the clause that moved an act rests on, below the record of the move. */
static void record_condition(struct vm *m, const struct order_info *o, int record, const word *pair)
{
	word answer[2];
	bool quiet = m->quiet;
	int question = m->question;
	m->quiet = false;
	m->question = record;
	m->question_kept = 1;
	vm_pure(m, o->pair_fn, pair, 3, answer, 2);
	m->question = question;
	m->quiet = quiet;
	m->question_kept = 0;
}

/* Notes for `why` that a pair clause moved the act number i of the list. */
/* The same, with `agrees`, of a clause that has the act where its keys have it, too. */
static void record_moved(struct vm *m, const struct order_info *o, const struct waiting *w, int i, const struct order_answer *a, bool agrees)
{
	int rec = m->p->observed ? record_new(m, REC_MOVED) : -1;
	if (rec < 0)
		return;
	struct record *x = trace_at(&m->trace, rec);
	x->act = (int32_t)w[i].act;
	x->what = (int32_t)w[a->one == i ? a->other : a->one].act;
	x->clause = a->clause;
	x->flag = (uint8_t)a->verb;
	x->value = agrees;
	if (!m->curt)
		record_condition(m, o, rec, (word[]){w[a->one].act, w[a->other].act, a->clause});
}

/* How many distinct keys stand before each act's. */
static void rank_keys(const struct order_info *o, const struct waiting *w, int n, int *rank)
{
	int *sorted = malloc(sizeof *sorted * ((size_t)n + 1));
	if (!sorted)
		abort();
	for (int i = 0; i < n; i++) {
		int at = i;
		for (; at > 0 && order_compare(o, w[sorted[at - 1]].key, w[i].key) > 0; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = i;
	}
	for (int k = 1; k < n; k++)
		rank[sorted[k]] = rank[sorted[k - 1]] + (order_compare(o, w[sorted[k - 1]].key, w[sorted[k]].key) != 0);
	free(sorted);
}

/* The same of keys that are not known yet: which questions are asked of them, and in which order, makes the ways apart. */
static void rank_unknown(struct vm *m, const struct order_info *o, const struct waiting *w, int n, int *rank)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++) {
			int same;
			bool before = ahead(m, o, &w[k], &w[i], &same), counted = false;
			for (int j = 0; j < k && before; j++) {
				int twin;
				ahead(m, o, &w[j], &w[k], &twin);
				counted |= twin;
			}
			rank[i] += before && !counted;
		}
}

/* Is an act aimed at that combatant? */
static bool aims_at(const struct vm *m, word act, word who)
{
	const struct event_info *e = &m->p->event[m->w[act_at(m, act) + ACT_EVENT]];
	const uint32_t stride = m->p->layout.act_stride;
	for (int k = 0; k < e->roles; k++) {
		const struct role_info *role = &e->role[k];
		if (role->field >= 0 && role->field != m->p->at.act_actor && role->type.base == VT_LIVE && role->type.kind == KIND_COMBATANT &&
		    m->w[m->p->field[role->field].base + (uint32_t)act * stride] == who)
			return true;
	}
	return false;
}

/* What the pair clauses ask about two acts that stay together, one of which is aimed at the actor of the other. */
static bool record_compared(struct vm *m, const struct order_info *o, word one, word other)
{
	const uint32_t actor = m->p->field[m->p->at.act_actor].base, stride = m->p->layout.act_stride;
	const word a = m->w[actor + (uint32_t)one * stride], b = m->w[actor + (uint32_t)other * stride];
	if (a == b || a == NONE || b == NONE || !(aims_at(m, one, b) || aims_at(m, other, a)))
		return false;
	for (int i = 0; i < 2; i++) {
		const int rec = record_new(m, REC_COMPARED);
		if (rec < 0)
			return true;
		struct record *x = trace_at(&m->trace, rec);
		x->act = (int32_t)(i ? other : one);
		x->what = (int32_t)(i ? one : other);
		record_condition(m, o, rec, (word[]){i ? other : one, i ? one : other, NONE});
	}
	return true;
}

#ifndef NDEBUG
/* Do the pair clauses say nothing of these two, as their partner function has it? */
static bool is_silent(struct vm *m, const struct order_info *o, word one, word other)
{
	const word pair[3] = {one, other, NONE};
	const uint64_t fuel = m->fuel;
	word answer[2] = {0, NONE};
	m->fuel = (uint64_t)1 << 40;
	const bool ok = vm_pure(m, o->pair_fn, pair, 3, answer, 2);
	m->fuel = fuel;
	return !ok || answer[0] <= 0;
}
#endif

static bool by_pairs(struct vm *m, const struct order_info *o, struct waiting *w, int n, int *chosen, int *count)
{
	bool ok = true;
	struct order o2;
	struct order_input in = {0};
	int *rank = calloc((size_t)n, sizeof *rank);
	VEC(struct order_answer) answers = {0};
	if (!rank)
		abort();
	if (m->lift)
		rank_unknown(m, o, w, n, rank);
	else
		rank_keys(o, w, n, rank);
	struct partner *partner = o->partner_fn >= 0 && vm_remembers(m) ? calloc((size_t)n, sizeof *partner) : NULL;
	for (int i = 0; i < n && ok && partner; i++)
		ok = partner_find(m, o, (int32_t)w[i].act, &partner[i]);
	for (int i = 0; i < n && ok; i++)
		for (int k = 0; k < n && ok; k++) {
			if (i == k)
				continue;
			if (partner && !partner_may_be(&partner[i], &partner[k])) {
				must(m->w[H_GROUP] % JUDGED != 0 || is_silent(m, o, w[i].act, w[k].act));
				continue;
			}
			m->pairs++;
			word pair[3] = {w[i].act, w[k].act, NONE}, answer[2] = {0, NONE};
			ok = vm_pure(m, o->pair_fn, pair, 3, answer, 2);
			if (ok && m->lift)
				for (int j = 0; j < 2; j++)
					answer[j] = lift_fix(m, answer[j]);
			struct order_answer a = {i, k, (enum order_verb)(answer[0] - 1), (int32_t)answer[1]};
			if (ok && answer[0] > 0)
				VEC_PUSH(answers, a);
		}
	free(partner);
	*count = 0;
	if (!ok || answers.n == 0) {
		*count = ok ? order_lowest(rank, n, chosen) : 0;
		VEC_FREE(answers);
		free(rank);
		return ok;
	}
	in.n = n;
	in.rank = rank;
	in.answer = answers.v;
	in.answers = answers.n;
	order_init(&o2);
	word *acts = malloc(sizeof *acts * (size_t)n);
	if (!acts)
		abort();
	for (int i = 0; i < n; i++)
		acts[i] = w[i].act;
	ok = ok && ring_next(m, &in, answers.v, acts, &o2);
	answers.n = in.answers;
	free(acts);
	for (int g = 0; ok && g < o2.start[1]; g++) {
		int i = o2.act[g];
		chosen[(*count)++] = i;
		if (o2.move[i].answer >= 0)
			record_moved(m, o, w, i, &answers.v[o2.move[i].answer], false);
	}
	/* who stood aside for one of these, and is free now; or would have, had the keys not had it so already */
	for (int k = 0; ok && k < answers.n; k++) {
		const struct order_answer *a = &answers.v[k];
		const bool yields = a->verb == ORDER_YIELDS;
		const int first = yields ? a->other : a->one, later = yields ? a->one : a->other;
		const bool agrees = rank[first] < rank[later];
		if ((yields || a->verb == ORDER_PRECEDES) && o2.group[first] == 0 && o2.group[later] != 0 &&
			(agrees || (yields && rank[later] < rank[first])))
			record_moved(m, o, w, a->one, a, agrees);
	}
	order_free(&o2);
	VEC_FREE(answers);
	free(rank);
	return ok;
}

static void make_room(struct group *g, int n)
{
	if (n < g->room)
		return;
	g->room = 2 * n + 4;
	g->member = realloc(g->member, sizeof *g->member * (size_t)g->room);
	if (!g->member)
		abort();
}

void group_ready(struct vm *m)
{
	struct group *g = &m->group[0];
	make_room(g, 1);
	if (m->groups == 0)
		g->member[0] = (struct member){.record = -1};
}

static struct group *group_push(struct vm *m, int n)
{
	must(!m->unwritten);
	if (m->groups == GROUPS_MAX) {
		vm_fail(m, VM_LIMIT, M_EVENTS_DEEP, 1, "a group of acts");
		return NULL;
	}
	groups_are(m, m->groups + 1);
	struct group *g = m->last;
	make_room(g, n);
	g->n = n;
	g->copies = g->solo = g->branches = g->apart = false;
	g->judged = 0;
	g->stages = 0;
	g->mark = 0;
	g->record = m->trace.n;
	g->happening = (uint32_t)m->w[H_HAPPENING];
	g->happenings = (uint32_t)m->w[H_HAPPENINGS];
	g->act = m->w[H_ACT];
	g->now = m->w[H_NOW];
	g->effects.n = 0;
	return g;
}

/* Its record, or -1. Apart from what silent programs do: it has much to set up. */
__attribute__((noinline)) static int32_t record_member(struct vm *m, word act, int32_t event)
{
	const struct event_info *e = &m->p->event[event];
	uint32_t at = act_at(m, act), stride = m->p->layout.act_stride;
	word arguments[ACT_WORDS * 4];
	for (int k = 0; k < e->roles; k++) {
		int width = e->role[k].type.base == VT_SET ? m->p->set_words : 1;
		for (int j = 0; j < width && e->role[k].word + j < (int)FRAY_COUNT(arguments); j++)
			arguments[e->role[k].word + j] = e->role[k].field >= 0 ? m->w[m->p->field[e->role[k].field].base + (uint32_t)act * stride]
			                                                       : m->w[at + ACT_ARGS + e->role[k].word + (uint32_t)j];
	}
	word before = m->w[H_ACT];
	header_set(m, H_ACT, act);
	int32_t record = record_new(m, REC_EVENT);
	header_set(m, H_ACT, before);
	if (record >= 0)
		record_event(m, record, event, arguments);
	return record;
}

__attribute__((always_inline)) static inline bool member_enter(struct vm *m, struct group *g, int i, word act)
{
	struct member *mb = &g->member[i];
	uint32_t at = act_at(m, act);
	int32_t event = (int32_t)m->w[at + ACT_EVENT];
	*mb = (struct member){.act = (int32_t)act, .record = -1, .stages = m->stages[event]};
	g->stages |= mb->stages;
	m->w[at + ACT_STATE] = ACT_PERFORMING;
	pending_gone(m, (int32_t)act);
	memo_wrote(&m->memo, at + ACT_STATE);
	if (m->p->observed) {
		mb->record = record_member(m, act, event);
		ends_with(m, mb->record, act);
	}
	return (mb->happening = push(m, event, mb->record)) != 0;
}

/* The next group of the current list, worked out from the beginning: chosen[] among w[]. */
static bool choose(struct vm *m, const struct order_info *o, word until, bool timed, struct waiting *w, int *chosen, int *count)
{
	int n = collect(m, until, timed, o, w, (int)m->p->layout.act_count);
	if (n < 0)
		return false;
	if (n > 0 && o->pair_fn >= 0)
		return by_pairs(m, o, w, n, chosen, count);
	int best = 0, same;
	for (int i = 1; i < n; i++)
		if (ahead(m, o, &w[i], &w[best], &same))
			best = i;
	for (int i = 0; i < n; i++) {
		bool before = ahead(m, o, &w[best], &w[i], &same);
		if (!before && (i == best || same || o->keys == 0))
			chosen[(*count)++] = i;
	}
	return true;
}

__attribute__((noinline)) static void record_group(struct vm *m, const struct order_info *o, const struct waiting *w, const int *chosen, int count)
{
	int r = record_new(m, REC_GROUP);
	if (r >= 0)
		trace_at(&m->trace, r)->value = count;
	for (int i = 0; i < count && !m->curt; i++) /* by what they were placed: only questions are told of that */
		record_keys(m, o, &w[chosen[i]]);
	int pairs = 0;
	for (int i = 0; i < count && !m->curt && o->pair_fn >= 0; i++)
		for (int k = i + 1; k < count && pairs < PAIRS_TOLD; k++)
			pairs += record_compared(m, o, w[chosen[i]].act, w[chosen[k]].act);
}

/* The clock of a group is that of its first member who has one; NONE. */
__attribute__((noinline)) static bool time_of(struct vm *m, const struct order_info *o, const int32_t *acts, int count, word *time)
{
	bool ok = true, quiet = m->quiet;
	m->quiet = true;
	for (int i = 0; i < count && ok && *time == NONE && m->p->at.act_time_question >= 0; i++)
		ok = act_time(m, o, acts[i], time);
	m->quiet = quiet;
	return ok;
}

/* The group begins: its members, acts, are performed from now on. */
__attribute__((always_inline)) static inline bool begin(struct vm *m, const struct order_info *o, const struct waiting *w, const int *chosen, const int32_t *acts, int count, word time)
{
	struct group *g = group_push(m, count);
	bool ok = true;
	if (!g)
		return false;
	m->lone_group = count == 1 && m->groups == 1;
	world_raw(m, H_GROUP, m->w[H_GROUP] + 1);
	/* a step of what is being done already happens when that does */
	if (time != NONE || (m->groups == 1 && m->w[H_LIST] == 0))
		header_set(m, H_NOW, time);
	if (m->p->observed)
		record_group(m, o, w, chosen, count);
	for (int i = 0; i < count && ok; i++) {
		ok = member_enter(m, g, i, acts[i]);
		if (o->partner_fn >= 0)
			partners_gone(m, acts[i]);
	}
	return ok;
}

#ifndef NDEBUG
/* Is this the group that comes to be when all acts are looked at, and all pairs of them asked? */
static bool as_anew(struct vm *m, const struct order_info *o, word until, bool timed, const int32_t *chosen, int32_t n)
{
	struct waiting *w = malloc(sizeof *w * ((size_t)m->w[H_ACTS] + 1));
	int *anew = malloc(sizeof *anew * ((size_t)m->w[H_ACTS] + 1)), count = 0;
	const uint64_t fuel = m->fuel, pairs = m->pairs;
	if (!w || !anew)
		abort();
	m->fuel = (uint64_t)1 << 40;
	bool same = choose(m, o, until, timed, w, anew, &count) && count == n;
	for (int i = 0; i < n && same; i++)
		same = w[anew[i]].act == chosen[i];
	m->fuel = fuel;
	m->pairs = pairs;
	free(w);
	free(anew);
	return same;
}
#endif

/* As it is where answers are kept. */
static bool choose_kept(struct vm *m, const struct order_info *o, word until, bool timed, word *size)
{
	bool quiet = m->quiet;
	m->quiet = true;
	const int32_t n = pending_first(m, o, until, timed, m->chosen);
	must(n < 0 || o->pair_fn < 0 || m->w[H_GROUP] % JUDGED != 0 || as_anew(m, o, until, timed, m->chosen, n));
	m->quiet = quiet;
	*size = n < 0 ? 0 : n;
	if (n <= 0)
		return n == 0;
	word time = timed ? m->pending.time : NONE;
	if (!(timed && m->pending.timed) && !time_of(m, o, m->chosen, n, &time))
		return false;
	return begin(m, o, NULL, NULL, m->chosen, n, time);
}

__attribute__((noinline)) static bool choose_anew(struct vm *m, const struct order_info *o, word until, bool timed, word *size)
{
	struct waiting *w = malloc(sizeof *w * ((size_t)m->w[H_ACTS] + 1));
	int *chosen = malloc(sizeof *chosen * ((size_t)m->w[H_ACTS] + 1)), count = 0;
	bool quiet = m->quiet, ok;
	word time = NONE;
	if (!w || !chosen)
		abort();
	m->quiet = true;
	ok = choose(m, o, until, timed, w, chosen, &count);
	m->quiet = quiet;
	*size = count;
	for (int i = 0; i < count; i++)
		m->chosen[i] = (int32_t)w[chosen[i]].act;
	if (ok && count > 0)
		ok = time_of(m, o, m->chosen, count, &time) && begin(m, o, w, chosen, m->chosen, count, time);
	free(w);
	free(chosen);
	return ok;
}

/* That its act is performed was said when it was chosen, and is not said once more: whoever asked since rests on it. */
void group_written(struct vm *m)
{
	const bool is_void = m->unwritten & UNWRITTEN_VOID;
	const int stage = (m->unwritten & ~UNWRITTEN_VOID) - UNWRITTEN_AT;
	const int32_t act = m->unwritten_act, event = (int32_t)m->w[act_at(m, act) + ACT_EVENT];
	m->unwritten = 0;
	struct group *g = group_push(m, 1);
	must(g);
	g->stages = m->stages[event];
	g->member[0] = (struct member){.act = act, .record = -1, .stages = g->stages, .happening = push(m, event, -1), .is_void = is_void};
	must(g->member[0].happening); /* there is room: it was looked for when the act was chosen */
	m->lone_group = true;
	if (stage >= 0)
		group_begin(m, 0, false, stage);
}

/* Is all that the function reads seen to be read, or else known to be a step through the pending
 * acts (pending.h)? */
static bool is_watched(const struct program *p, int32_t fn)
{
	return fn < 0 || p->fn[fn].pure || p->fn[fn].steps;
}

/* Does an act move when something that places it is written? */
static bool is_kept(const struct vm *m, const struct order_info *o)
{
	const struct program *p = m->p;
	const int32_t time = p->at.act_time_question >= 0 ? p->question[p->at.act_time_question].fn : -1;
	const ptrdiff_t order = o - p->order;
	if (order < 64 && m->pending.anew >> order & 1)
		return false;
	return is_watched(p, o->key_fn) && is_watched(p, time) &&
		(o->pair_fn < 0 ||
			(o->partner_fn >= 0 && is_watched(p, o->pair_fn) &&
				is_watched(p, o->partner_fn)));
}

bool group_choose(struct vm *m, word until, bool timed, word *size)
{
	const struct layout *l = &m->p->layout;
	const struct order_info *o = &m->p->order[m->w[H_LIST] ? m->w[l->lists + (uint32_t)m->w[H_LIST]] : 0];
	if (m->chosen_room <= l->act_count) {
		m->chosen_room = (size_t)l->act_count + 1;
		free(m->chosen);
		m->chosen = malloc(m->chosen_room * sizeof *m->chosen);
		if (!m->chosen)
			abort();
	}
	return m->memo.on && vm_remembers(m) && is_kept(m, o) ? choose_kept(m, o, until, timed, size) : choose_anew(m, o, until, timed, size);
}

bool group_solo(struct vm *m, word act)
{
	struct group *g = group_push(m, 1);
	if (!g)
		return false;
	g->solo = true;
	if (++m->w[H_DEPTH] > EVENTS_DEEP)
		return vm_fail(m, VM_LIMIT, M_EVENTS_DEEP, 1, m->p->event[m->w[act_at(m, act) + ACT_EVENT]].name);
	return member_enter(m, g, 0, act);
}

/* ---- stages ---- */

enum { ALONE_WORDS = 16 };

static void copy_open(struct vm *m, struct group *g)
{
	m->journaling++;
	g->mark = m->journal.n;
	m->since = vm_remembers(m) ? g->mark : NO_COPY;
}

/* Puts the world back and keeps what the member's changes meant. */
__attribute__((noinline)) static void copy_close(struct vm *m, struct group *g, struct member *mb)
{
	mb->effects = g->effects.n;
	for (int i = g->mark; i < m->journal.n; i++)
		if (m->journal.v[i].op > EF_ROW)
			VEC_PUSH(g->effects, m->journal.v[i]);
	mb->effects_end = g->effects.n;
	journal_back(m, g->mark, false);
	m->journaling--;
	m->since = NO_COPY; /* where the one around it began is not known */
}

/* Who the act is of: its actor, or the first whom the event is about. */
static word whose(const struct vm *m, const struct event_info *e, word act)
{
	const struct field_info *f = e->role[0].field >= 0 ? &m->p->field[e->role[0].field] : NULL;
	return m->w[f ? f->base + (uint64_t)act * f->stride
		      : act_at(m, act) + ACT_ARGS + e->role[0].word];
}

/* Can the members interfere with each other at this stage? Each is of somebody else, all of one
 * event that touches nobody else's (runtime/code/commute.h). */
__attribute__((noinline)) static bool interferes(struct vm *m, const struct group *g, int stage)
{
	const struct program *p = m->p;
	uint64_t seen[ALONE_WORDS] = {0};
	word event = m->w[act_at(m, g->member[0].act) + ACT_EVENT];
	if (stage < AT_ON &&
		m->stages[event] &
			(1 << AT_COSTS | 1 << AT_BEFORE |
				1 << AT_STAGES)) /* it is done on one copy with the act */
		return true;
	if (stage < AT_ON)
		stage = AT_ON;
	if (!(p->event[event].alone >> stage & 1) || p->observed || !vm_remembers(m) || m->tries)
		return true;
	for (int i = 0; i < g->n; i++) {
		word act = g->member[i].act, actor = whose(m, &p->event[event], act);
		if (m->w[act_at(m, act) + ACT_EVENT] != event || actor < 0 || actor >= ALONE_WORDS * 64 || seen[actor / 64] >> actor % 64 & 1)
			return true;
		seen[actor / 64] |= 1ull << actor % 64;
	}
	return false;
}

bool group_begin(struct vm *m, word member, bool copies, int stage)
{
	struct group *g = m->last;
	struct member *mb = &g->member[member];
	must(!m->unwritten);
	if (copies && g->judged != stage + 1) {
		g->judged = stage + 1;
		g->apart = !interferes(m, g, stage);
	}
	copies = copies && !g->apart;
	g->copies = copies;
	m->w[H_HAPPENING] = mb->happening;
	header_set(m, H_ACT, mb->act);
	m->w[mb->happening + HAP_STAGE] = stage;
	if (copies)
		copy_open(m, g);
	return true;
}

void group_end(struct vm *m, word member, bool stopped)
{
	struct group *g = m->last;
	struct member *mb = &g->member[member];
	if (g->copies)
		copy_close(m, g, mb);
	if (stopped) {
		mb->stopped = true;
		word at = m->w[mb->happening + HAP_STAGE];
		mb->replaced = at == AT_BEFORE || at == AT_INSTEAD;
		if (mb->record >= 0)
			trace_at(&m->trace, mb->record)->flag = at == AT_BEFORE ? EVENT_STOPPED : at == AT_INSTEAD ? EVENT_REPLACED : EVENT_VOIDED;
	}
	m->w[H_HAPPENING] = g->happening;
	header_set(m, H_ACT, g->act);
}

void group_void(struct vm *m, word act, int why, word clause)
{
	struct group *g = m->last;
	for (int i = 0; i < g->n; i++) {
		struct member *mb = &g->member[i];
		if (mb->act != act)
			continue;
		mb->is_void = true;
		if (!m->p->observed || mb->record < 0)
			continue;
		struct record *e = trace_at(&m->trace, mb->record);
		e->flag = EVENT_VOIDED;
		int values = e->values;
		uint16_t count = e->value_count;
		word owner = e->owner;
		int32_t event = e->what;
		int r = record_new(m, REC_VOID);
		if (r < 0)
			return;
		struct record *x = trace_at(&m->trace, r);
		x->parent = mb->record;
		x->act = (int32_t)act;
		x->what = event;
		x->values = values;
		x->value_count = count;
		x->owner = owner;
		x->flag = (uint8_t)why;
		x->clause = clause == NONE ? -1 : (int32_t)clause;
	}
}

void group_done(struct vm *m)
{
	struct group *g = m->last;
	must(!m->unwritten);
	groups_are(m, m->groups - 1);
	for (int i = 0; i < g->n && !g->branches; i++) {
		uint32_t at = act_at(m, g->member[i].act);
		if (g->member[i].record >= 0)
			trace_at(&m->trace, g->member[i].record)->closed = true;
		if (m->w[at + ACT_STATE] != ACT_PERFORMING)
			continue;
		if (g->solo) {
			header_set(m, at + ACT_STATE, ACT_DECLARED);
			act_turned(m, g->member[i].act);
		} else {
			act_wipe(m, g->member[i].act);
		}
	}
	if (g->solo)
		m->w[H_DEPTH]--;
	m->w[H_HAPPENING] = g->happening;
	m->w[H_HAPPENINGS] = g->happenings;
	header_set(m, H_ACT, g->act);
	if (g->solo || m->groups > 0)
		header_set(m, H_NOW, g->now);
	/* groups of a nested list are steps of whatever opened it */
	if (m->groups == 0 && m->w[H_LIST] == 0)
		m->resolved = true;
}

/* ---- branches: together { } and { } ---- */

bool branch_begin(struct vm *m, int branch, int of)
{
	struct group *g;
	if (branch == 0) {
		g = group_push(m, of);
		if (!g)
			return false;
		memset(g->member, 0, sizeof *g->member * (size_t)of);
		g->branches = g->copies = true;
	} else {
		g = m->last;
		copy_close(m, g, &g->member[branch - 1]);
	}
	copy_open(m, g);
	return true;
}

bool branch_join(struct vm *m)
{
	struct group *g = m->last;
	copy_close(m, g, &g->member[g->n - 1]);
	bool ok = group_merge(m, g);
	groups_are(m, m->groups - 1);
	return ok;
}
