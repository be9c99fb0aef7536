/* pending.c - see pending.h. */
#include "runtime/vm/pending.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/vm/machine.h"

/* unset keys come last */
static inline bool sooner(word a, word b)
{
	return (uint64_t)a + INT64_MAX < (uint64_t)b + INT64_MAX;
}

static inline int compare(const struct order_info *o, const word *a, const word *b)
{
	for (int k = 0; k < o->keys; k++) {
		word x = a[k], y = b[k];
		if (x == y)
			continue;
		if (!o->frac[k] || x == NONE || y == NONE)
			return sooner(x, y) ? -1 : 1;
		int c = frac_compare(x, y);
		if (c)
			return c;
	}
	return 0;
}

int order_compare(const struct order_info *o, const word *a, const word *b)
{
	return compare(o, a, b);
}

void pending_close(struct pending *q)
{
	free(q->place);
	free(q->order);
	free(q->aside);
	free(q->unsteady);
	free(q->counted);
	memset(q, 0, sizeof *q);
	q->list = q->once.fn = -1;
	q->main = false;
}

void pending_clear(struct pending *q)
{
	q->list = -1;
	q->main = false;
}

int32_t pending_width(const struct program *p)
{
	int keys = 0;
	for (int i = 0; i < p->orders; i++)
		keys = p->order[i].keys > keys ? p->order[i].keys : keys;
	return PLACE_KEYS + keys;
}

static inline void not_listed(struct pending *q, int32_t act)
{
	pending_place(q, act)[PLACE_SERIAL] = -1;
}

/* Of two that are level, the one pended first. */
static inline bool before(const struct pending *q, const struct order_info *o, int32_t one, int32_t other)
{
	const word *a = pending_place(q, one), *b = pending_place(q, other);
	const int c = compare(o, a + PLACE_KEYS, b + PLACE_KEYS);
	return c ? c < 0 : a[PLACE_SERIAL] < b[PLACE_SERIAL];
}

bool pending_before(const struct pending *q, const struct order_info *o, int32_t one, int32_t other)
{
	return before(q, o, one, other);
}

/* Mostly it is the first. */
void pending_take_out(struct pending *q, int32_t act)
{
	if (!pending_is_listed(q, act))
		return;
	not_listed(q, act);
	int32_t at = q->from;
	if (q->order[at] == act) {
		q->from++;
		return;
	}
	while (q->order[at] != act)
		at++;
	memmove(q->order + at, q->order + at + 1, (size_t)(--q->n - at) * sizeof *q->order);
}

/* Its place among those before `end`. */
static int32_t place_of(const struct pending *q, const struct order_info *o, int32_t act, int32_t end)
{
	int32_t low = q->from, high = end;
	while (low < high) {
		const int32_t middle = (low + high) / 2;
		if (before(q, o, q->order[middle], act))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Those behind `run` are in order by themselves, as those mostly are who were asked in turn. They go to their
 * places among the others, and mostly all to one. */
static void put_in(struct pending *q, const struct order_info *o)
{
	const int32_t run = q->run, n = q->n - run;
	q->run = q->n;
	if (n == 0 || run == q->from || before(q, o, q->order[run - 1], q->order[run]))
		return;
	memcpy(q->aside, q->order + run, (size_t)n * sizeof *q->aside);
	for (int32_t i = 0, end = run; i < n;) {
		const int32_t at = place_of(q, o, q->aside[i], end);
		const int32_t some = at == end || before(q, o, q->aside[n - 1], q->order[at]) ? n - i : 1;
		memmove(q->order + at + some, q->order + at, (size_t)(end - at) * sizeof *q->order);
		memcpy(q->order + at, q->aside + i, (size_t)some * sizeof *q->order);
		end += some;
		i += some;
	}
}

void pending_run(struct vm *m, const int32_t *end)
{
	struct pending *q = &m->pending;
	q->n = (int32_t)(end - q->order);
	put_in(q, &m->p->order[q->by]);
}

/* There is room for so many more. */
static inline void make_room(struct pending *q, int32_t more)
{
	if (q->cap - q->n >= more)
		return;
	/* before the first */
	memmove(q->order, q->order + q->from, (size_t)(q->n - q->from) * sizeof *q->order);
	q->n -= q->from;
	q->run -= q->from;
	q->from = 0;
}

/* It is listed: the last of the run, or the first of another. */
static void put_last(struct pending *q, const struct order_info *o, int32_t act, word serial)
{
	make_room(q, 1);
	pending_place(q, act)[PLACE_SERIAL] = serial;
	if (q->n > q->from && !before(q, o, q->order[q->n - 1], act))
		put_in(q, o);
	q->order[q->n++] = act;
}

/* Its time and keys, where no tree has them. */
__attribute__((noinline)) static bool work_out(struct vm *m, const struct order_info *o, int32_t act)
{
	struct pending *q = &m->pending;
	word *to = pending_place(q, act);
	const int32_t time_fn = q->question.fn[0];
	bool ok = true;
	if (q->timed) {
		ok = vm_pure_one(m, time_fn, act, &to[PLACE_TIME]);
		q->once.fn = time_fn;
		q->once.act = act;
		q->once.time = to[PLACE_TIME];
	}
	if (ok && q->question.words[1]) {
		const word argument = act;
		ok = vm_pure(m, o->key_fn, &argument, 1, to + PLACE_KEYS, o->keys);
	}
	q->once.fn = -1;
	return ok;
}

/* Where those go. */
static inline word *answers_of(const struct pending *q, int32_t act)
{
	return pending_place(q, act) + (q->timed ? PLACE_TIME : PLACE_KEYS);
}

/* Mostly those of acts that are like it. */
static bool ask(struct vm *m, const struct order_info *o, int32_t act)
{
	struct pending *q = &m->pending;
	word *out = answers_of(q, act);
	if (shape_coded(&m->shape, m, &q->question, act, out, m->w, m->memo.head))
		return true;
	switch (shape_ask(m, &q->question, act, out)) {
	case SHAPE_FAILED: return false;
	case SHAPE_KNOWN: return true;
	case SHAPE_UNKNOWN: break;
	}
	return work_out(m, o, act);
}

/* An act's place; what its time and keys rest on leads to an entry of the memo, which says when it goes. */
static bool place_finely(struct vm *m, const struct order_info *o, int32_t act)
{
	const word argument = act, done = 1;
	memo_begin(&m->memo, m->memo.of_order, &argument, 0);
	memo_own(&m->memo, act_at(m, act), m->p->layout.act_stride);
	if (!ask(m, o, act))
		return false;
	memo_end(&m->memo, &done);
	return true;
}

#ifndef NDEBUG
static bool as_ever(struct vm *m, const int32_t *from, const int32_t *end)
{
	const struct pending *q = &m->pending;
	for (; from < end; from++)
		if (pending_is_listed(q, *from) && !shape_as_ever(m, &q->question, *from, answers_of(q, *from)))
			return false;
	return true;
}
#endif

/* The same of all from number i of those that moved on, while the code of their tree knows: mostly all of them. Returns where it stops. */
static int32_t place_coded(struct vm *m, int32_t i)
{
	struct pending *q = &m->pending;
	struct memo *x = &m->memo;
	struct shape_tree *t = shape_tree_coded(&m->shape, &q->question);
	int32_t end = q->n > q->from ? i : x->moves;
	if (!t || !t->batch)
		return i;
	/* those who are listed still have another place there */
	while (end < x->moves && !pending_is_listed(q, x->moved[end]))
		end++;
	if (end == i)
		return i;
	make_room(q, end - i);
	x->own_words = m->p->layout.act_stride;
	struct shape_batch b = {x->moved + i, x->moved + end, q->order + q->n, q->place, pending_place(q, q->n > q->from ? q->order[q->n - 1] : q->cap), q->list};
	t->batch(m, &b, m->w, x->head);
	end = (int32_t)(b.at - x->moved);
	q->n = (int32_t)(b.order - q->order);
	t->asked += (uint32_t)(end - i);
	must(as_ever(m, x->moved + i, b.at));
	if (i == 0 && end == x->moves) /* mostly */
		memset(x->moving, 0, acts_ever(m));
	else
		for (; i < end; i++)
			x->moving[x->moved[i]] = 0;
	return end;
}

/* Those that moved from number i on are compared anew: words of their rows may have been written. */
static void unpair(struct memo *x, int32_t i)
{
	for (; i < x->moves; i++)
		memo_unpair(x, x->moved[i]);
}

/* Those that moved find their places. */
static bool place(struct vm *m, const struct order_info *o)
{
	struct pending *q = &m->pending;
	struct memo *x = &m->memo;
	const bool fine = x->order_fine;
	bool ok = true;
	const int32_t moves = x->moves;
	q->run = q->n;
	if (!fine)
		memo_place_begin(x);
	for (int32_t i = 0; ok; i++) { /* they may become more */
		if (!fine)
			i = place_coded(m, i);
		if (i >= x->moves)
			break;
		const int32_t act = x->moved[i];
		const word *row = m->w + act_at(m, act);
		x->moving[act] = 0;
		if (pending_is_listed(q, act)) {
			put_in(q, o);
			pending_take_out(q, act);
			q->run = q->n;
		}
		if (row[ACT_STATE] != ACT_PENDING || row[ACT_LIST] != q->list)
			continue;
		q->stepped = false;
		if (fine) {
			ok = place_finely(m, o, act);
		} else {
			memo_place(x, act, act_at(m, act), m->p->layout.act_stride);
			ok = ask(m, o, act);
		}
		pending_looked(q, act);
		if (ok)
			put_last(q, o, act, row[ACT_SERIAL]);
	}
	if (!ok) {
		pending_clear(q);
		return false;
	}
	if (!fine)
		memo_place_end(x);
	if (o->partner_fn >= 0)
		unpair(x, moves);
	x->moves = 0;
	put_in(q, o);
	return true;
}

/* ---- steps that look for events ---- */

void pending_counts(struct vm *m, const struct act_filter *f, word act)
{
	struct pending *q = &m->pending;
	for (int k = 0; k < f->count; k++) {
		const word event = m->p->act_test[f->first + k].number;
		if (event >= 0 && event < m->p->events)
			q->counted[event] = 1;
	}
	q->counts = true;
	if (act == NONE)
		return;
	for (int32_t i = 0; i < q->meets; i++)
		if (q->met[i].act == act)
			return;
	if (q->meets == PENDING_MET) {
		q->stepped = true;
		return;
	}
	q->met[q->meets].act = (int32_t)act;
	q->met[q->meets++].serial = m->w[act_at(m, act) + ACT_SERIAL];
}

static void counts_forget(const struct vm *m, struct pending *q)
{
	memset(q->counted, 0, (size_t)m->p->events);
	q->counts = false;
	q->meets = 0;
}

static inline bool is_on_list(const struct vm *m, int32_t act, word serial)
{
	const word *row = m->w + act_at(m, act);
	return row[ACT_STATE] == ACT_PENDING && row[ACT_LIST] == m->pending.list &&
		row[ACT_SERIAL] == serial;
}

/* Did an act of an event that places rest on join the list, or leave it? */
static bool joined_or_left(const struct vm *m)
{
	const struct pending *q = &m->pending;
	const struct memo *x = &m->memo;
	if (!q->counts)
		return false;
	for (int32_t i = 0; i < q->meets; i++)
		if (!is_on_list(m, q->met[i].act, q->met[i].serial))
			return true;
	for (int32_t i = 0; i < x->moves; i++) {
		const int32_t act = x->moved[i];
		const word *row = m->w + act_at(m, act), serial = row[ACT_SERIAL];
		if (is_on_list(m, act, serial) && q->counted[row[ACT_EVENT]] &&
			pending_place(q, act)[PLACE_SERIAL] != serial)
			return true;
	}
	return false;
}

/* Another order: what is on the list is looked at anew. */
static void begin_again(struct vm *m, const struct order_info *o, bool timed)
{
	struct pending *q = &m->pending;
	struct memo *x = &m->memo;
	if (q->cap < (int32_t)m->p->layout.act_count) {
		q->cap = (int32_t)m->p->layout.act_count;
		q->width = pending_width(m->p);
		q->place = malloc(((size_t)q->cap + 1) * (size_t)q->width * sizeof *q->place);
		q->order = calloc((size_t)q->cap, sizeof *q->order);
		q->aside = calloc((size_t)q->cap, sizeof *q->aside);
		q->unsteady = calloc(
			2 * (size_t)q->cap, sizeof *q->unsteady); /* placed once, compared once */
		if (!q->place || !q->order || !q->aside || !q->unsteady)
			abort();
		for (int32_t i = 0; i <= q->cap; i++)
			not_listed(q, i);
		for (int k = PLACE_TIME; k < q->width; k++)
			pending_place(q, q->cap)[k] = NONE + 1; /* the least there is */
	}
	if (!q->counted) {
		q->counted = calloc((size_t)m->p->events + 1, 1);
		if (!q->counted)
			abort();
	}
	counts_forget(m, q);
	for (int32_t i = q->from; i < q->n; i++)
		not_listed(q, q->order[i]);
	q->from = q->n = q->unsteadies = 0;
	q->list = m->w[H_LIST];
	q->by = o - m->p->order;
	q->timed = timed;
	pending_here(q, q->list);
	q->cleared = x->cleared;
	q->question = (struct shape_question){2 * (int32_t)q->by + timed, {timed ? m->p->question[m->p->at.act_time_question].fn : -1, o->key_fn}, {timed, o->key_fn >= 0 ? o->keys : 0}};
	x->order_stale = false;
	while (x->moves > 0)
		x->moving[x->moved[--x->moves]] = 0;
	const int32_t acts = (int32_t)m->w[H_ACTS];
	const word list = q->list, *row = m->w + act_at(m, 0);
	const uint32_t stride = m->p->layout.act_stride;
	for (int32_t i = 0; i < acts; i++, row += stride)
		if (row[ACT_STATE] == ACT_PENDING && row[ACT_LIST] == list)
			memo_moved(x, i);
}

/* What the places of all of them may rest on is another: those that are listed move, as others may have. */
static void all_move(struct vm *m)
{
	struct pending *q = &m->pending;
	for (int32_t i = q->from; i < q->n; i++) {
		not_listed(q, q->order[i]);
		memo_moved(&m->memo, q->order[i]);
	}
	q->from = q->n = 0;
	m->memo.order_stale = false;
}

#ifndef NDEBUG
static bool in_order(const struct pending *q, const struct order_info *o)
{
	for (int32_t i = q->from + 1; i < q->n; i++)
		if (!before(q, o, q->order[i - 1], q->order[i]))
			return false;
	return true;
}
#endif

static bool refresh(struct vm *m, const struct order_info *o, bool timed)
{
	struct pending *q = &m->pending;
	struct memo *x = &m->memo;
	do {
		const bool again = q->list != m->w[H_LIST] || q->by != o - m->p->order ||
			q->timed != timed || q->cleared != x->cleared;
		if (again) {
			begin_again(m, o, timed);
		} else if (joined_or_left(m)) {
			all_move(m);
			counts_forget(m, q);
		}
		if (o->partner_fn >= 0) {
			if (again)
				partners_clear(m);
			unpair(x, 0);
		}
		if (!again && x->order_stale) {
			q->again += q->n > q->from;
			all_move(m);
		}
		if ((x->moves > 0 && !place(m, o)) ||
			(o->partner_fn >= 0 && !partners_refresh(m, o)))
			return false;
	} while (q->cleared != x->cleared); /* while they were placed */
	return true;
}

bool pending_refresh(struct vm *m, const struct order_info *o, bool timed)
{
	struct pending *q = &m->pending;
	struct memo *x = &m->memo;
	q->looking = true;
	const bool ok = refresh(m, o, timed);
	q->looking = false;
	if (!ok)
		return false;
	pending_here(q, m->w[H_LIST]);
	must(in_order(q, o));
	q->seen += (uint32_t)(q->n - q->from);
	q->shaken += (uint32_t)q->unsteadies;
	while (q->unsteadies > 0) /* they are looked at anew for each group */
		memo_moved(x, q->unsteady[--q->unsteadies]);
	/* placing all of them again and again takes more than noting what each rests on */
	if (++q->asked >= PENDING_LOOKED_AT) { /* code of the processor counts those it chose, too, and judges nothing */
		x->order_fine |= q->again * 4 > q->asked;
		if (q->shaken > q->seen / 2 && q->by < 64)
			q->anew |= 1ull << q->by;
		pending_here(q, m->w[H_LIST]);
		q->asked = q->again = q->shaken = q->seen = 0;
	}
	return true;
}

bool pending_place_moved(struct vm *m)
{
	struct pending *q = &m->pending;
	const bool quiet = m->quiet;
	m->quiet = true;
	const bool ok = pending_refresh(m, m->p->order, true);
	m->quiet = quiet;
	q->asked -= q->asked > 0; /* who is chosen next counts that */
	return ok;
}

static inline bool due(const struct vm *m, word time, word until)
{
	const struct question_info *q = &m->p->question[m->p->at.act_time_question];
	return time == NONE || until == NONE || (q->type.frac ? frac_compare(time, until) <= 0 : time <= until);
}

bool pending_due(const struct vm *m, int32_t act, word until)
{
	return due(m, pending_place(&m->pending, act)[PLACE_TIME], until);
}

bool act_time(struct vm *m, const struct order_info *o, int32_t act, word *time)
{
	const int32_t fn = m->p->question[m->p->at.act_time_question].fn;
	/* a tree of times alone: another order's trees hold keys as well */
	const struct shape_question q = {2 * (int32_t)(o - m->p->order) + 1, {fn, -1}, {1, 0}};
	if (o->keys == 0 && m->memo.on && vm_remembers(m)) {
		if (shape_coded(&m->shape, m, &q, act, time, m->w, m->memo.head))
			return true;
		switch (shape_ask(m, &q, act, time)) {
		case SHAPE_FAILED: return false;
		case SHAPE_KNOWN: return true;
		case SHAPE_UNKNOWN: break;
		}
	}
	return vm_pure_one(m, fn, act, time);
}

/* All of the list, where the order asks nothing of them. What is kept of another list's order stays. */
static int32_t pended(struct vm *m, int32_t *chosen)
{
	const int32_t acts = (int32_t)m->w[H_ACTS];
	const word list = m->w[H_LIST], *row = m->w + act_at(m, 0);
	const uint32_t stride = m->p->layout.act_stride;
	word last = -1; /* serial of the last of them */
	int32_t n = 0;
	if (list_seen(m, chosen))
		return chosen[0] >= 0;
	for (int32_t i = 0; i < acts; i++, row += stride) {
		if (row[ACT_STATE] != ACT_PENDING || row[ACT_LIST] != list)
			continue;
		int32_t k = n++;
		if (row[ACT_SERIAL] > last)
			last = row[ACT_SERIAL];
		else
			for (; k > 0 && m->w[act_at(m, chosen[k - 1]) + ACT_SERIAL] > row[ACT_SERIAL]; k--)
				chosen[k] = chosen[k - 1];
		chosen[k] = i;
	}
	if (n <= 1)
		list_see(m, n ? chosen[0] : -1);
	return n;
}

int32_t pending_first(struct vm *m, const struct order_info *o, word until, bool timed, int32_t *chosen)
{
	struct pending *q = &m->pending;
	const word *best = NULL;
	int32_t n = 0;
	timed = timed && m->p->at.act_time_question >= 0;
	q->time = NONE;
	if (!timed && o->keys == 0 && o->pair_fn < 0)
		return pended(m, chosen);
	if (!pending_refresh(m, o, timed))
		return -1;
	if (o->pair_fn >= 0 && (n = partners_first(m, o, until, timed, chosen)) != 0)
		return n;
	for (int32_t i = q->from; i < q->n; i++) {
		const word *a = pending_place(q, q->order[i]);
		if (best && compare(o, best + PLACE_KEYS, a + PLACE_KEYS) != 0)
			break;
		if (timed && !due(m, a[PLACE_TIME], until))
			continue;
		if (!best)
			best = a;
		chosen[n++] = q->order[i];
		if (timed && q->time == NONE)
			q->time = a[PLACE_TIME];
	}
	return n;
}
