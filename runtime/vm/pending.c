/* pending.c - see pending.h. */
#include "runtime/vm/pending.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/vm/machine.h"

static inline int compare(const struct order_info *o, const word *a, const word *b)
{
	for (int k = 0; k < o->keys; k++) {
		word x = a[k], y = b[k];
		if (x == y)
			continue;
		/* unset keys come last */
		if (!o->frac[k] || x == NONE || y == NONE)
			return (uint64_t)x + INT64_MAX < (uint64_t)y + INT64_MAX ? -1 : 1;
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
	free(q->act);
	free(q->order);
	memset(q, 0, sizeof *q);
	q->list = q->once.fn = -1;
	q->main = false;
}

void pending_clear(struct pending *q)
{
	q->list = -1;
	q->main = false;
}

/* Of two that are level, the one pended first. */
static inline bool before(const struct order_info *o, const struct pending_act *a, const struct pending_act *b)
{
	int c = compare(o, a->came + 1, b->came + 1);
	return c ? c < 0 : a->serial < b->serial;
}

/* Mostly it is the first. */
void pending_take_out(struct pending *q, int32_t act)
{
	if (!q->act[act].listed)
		return;
	q->act[act].listed = false;
	int32_t at = q->from;
	if (q->order[at] == act) {
		q->from++;
		return;
	}
	while (q->order[at] != act)
		at++;
	memmove(q->order + at, q->order + at + 1, (size_t)(--q->n - at) * sizeof *q->order);
}

static void put_in(struct pending *q, const struct order_info *o, int32_t act)
{
	if (q->n == q->cap) { /* there is room before the first */
		memmove(q->order, q->order + q->from, (size_t)(q->n - q->from) * sizeof *q->order);
		q->n -= q->from;
		q->from = 0;
	}
	int32_t low = q->from, high = q->n;
	/* behind the last, or behind the one before it, as those are who are asked in turn */
	if (high > low && before(o, &q->act[q->order[high - 1]], &q->act[act])) {
		low = high;
	} else if (q->last > low && q->last < high && before(o, &q->act[q->order[q->last - 1]], &q->act[act])) {
		low = q->last;
		if (!before(o, &q->act[q->order[low]], &q->act[act]))
			high = low;
	}
	while (low < high) {
		int32_t middle = (low + high) / 2;
		if (before(o, &q->act[q->order[middle]], &q->act[act]))
			low = middle + 1;
		else
			high = middle;
	}
	if (low < q->n)
		memmove(q->order + low + 1, q->order + low, (size_t)(q->n - low) * sizeof *q->order);
	q->n++;
	q->order[low] = act;
	q->last = low + 1;
	q->act[act].listed = true;
}

/* Its time and keys, where no tree has them. */
__attribute__((noinline)) static bool work_out(struct vm *m, const struct order_info *o, int32_t act)
{
	struct pending *q = &m->pending;
	struct pending_act *a = &q->act[act];
	const int32_t time_fn = q->question.fn[0];
	bool ok = true;
	if (q->timed) {
		ok = vm_pure_one(m, time_fn, act, &a->came[0]);
		q->once.fn = time_fn;
		q->once.act = act;
		q->once.time = a->came[0];
	}
	if (ok && q->question.words[1]) {
		const word argument = act;
		ok = vm_pure(m, o->key_fn, &argument, 1, a->came + 1, o->keys);
	}
	q->once.fn = -1;
	return ok;
}

/* Mostly those of acts that are like it. */
static inline bool ask(struct vm *m, const struct order_info *o, int32_t act)
{
	struct pending *q = &m->pending;
	struct pending_act *a = &q->act[act];
	word *out = q->timed ? a->came : a->came + 1;
	a->came[0] = NONE;
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
static inline bool place(struct vm *m, const struct order_info *o, int32_t act)
{
	struct pending *q = &m->pending;
	const word *row = m->w + act_at(m, act);
	word argument = act, done = 1;
	const bool fine = m->memo.order_fine;
	if (q->act[act].listed)
		pending_take_out(q, act);
	if (row[ACT_STATE] != ACT_PENDING || row[ACT_LIST] != q->list)
		return true;
	if (fine) {
		memo_begin(&m->memo, m->memo.of_order, &argument, 0);
		memo_own(&m->memo, act_at(m, act), m->p->layout.act_stride);
	} else {
		memo_place_begin(&m->memo, act, act_at(m, act), m->p->layout.act_stride);
	}
	q->act[act].serial = row[ACT_SERIAL];
	if (!ask(m, o, act))
		return false;
	if (fine)
		memo_end(&m->memo, &done);
	else
		memo_place_end(&m->memo);
	put_in(q, o, act);
	return true;
}

/* Everything is looked at anew. */
static void begin_again(struct vm *m, const struct order_info *o, word by, bool timed)
{
	struct pending *q = &m->pending;
	if (q->cap < (int32_t)m->p->layout.act_count) {
		q->cap = (int32_t)m->p->layout.act_count;
		q->act = calloc((size_t)q->cap, sizeof *q->act);
		q->order = calloc((size_t)q->cap, sizeof *q->order);
		if (!q->act || !q->order)
			abort();
	}
	for (int32_t i = q->from; i < q->n; i++)
		q->act[q->order[i]].listed = false;
	q->from = q->n = q->last = 0;
	q->list = m->w[H_LIST];
	q->by = by;
	q->timed = timed;
	q->main = q->list == 0 && by == 0 && timed;
	q->cleared = m->memo.cleared;
	q->question = (struct shape_question){2 * (int32_t)by + timed, {timed ? m->p->question[m->p->at.act_time_question].fn : -1, o->key_fn}, {timed, o->key_fn >= 0 ? o->keys : 0}};
	m->memo.order_stale = false;
	while (m->memo.moves > 0)
		m->memo.moving[m->memo.moved[--m->memo.moves]] = 0;
	const int32_t acts = (int32_t)m->w[H_ACTS];
	const word list = q->list, *row = m->w + act_at(m, 0);
	const uint32_t stride = m->p->layout.act_stride;
	for (int32_t i = 0; i < acts; i++, row += stride)
		if (row[ACT_STATE] == ACT_PENDING && row[ACT_LIST] == list)
			memo_moved(&m->memo, i);
}

static bool refresh(struct vm *m, const struct order_info *o, bool timed)
{
	struct pending *q = &m->pending;
	struct memo *x = &m->memo;
	word by = o - m->p->order;
	bool other = q->list != m->w[H_LIST] || q->by != by || q->timed != timed || q->cleared != x->cleared;
	if (!other && x->order_stale && q->n > q->from)
		q->again++;
	if (other || x->order_stale)
		begin_again(m, o, by, timed);
	/* placing all of them again and again takes more than noting what each rests on */
	if (++q->asked == PENDING_LOOKED_AT) {
		x->order_fine |= q->again * 4 > q->asked;
		q->asked = q->again = 0;
	}
	for (int32_t i = 0; i < x->moves; i++) {
		int32_t act = x->moved[i];
		x->moving[act] = 0;
		if (!place(m, o, act)) {
			pending_clear(q);
			return false;
		}
	}
	x->moves = 0;
	return true;
}

static inline bool due(const struct vm *m, const struct pending_act *a, word until)
{
	const struct question_info *q = &m->p->question[m->p->at.act_time_question];
	return a->came[0] == NONE || until == NONE || (q->type.frac ? frac_compare(a->came[0], until) <= 0 : a->came[0] <= until);
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
static int32_t pended(const struct vm *m, int32_t *chosen)
{
	const int32_t acts = (int32_t)m->w[H_ACTS];
	const word list = m->w[H_LIST], *row = m->w + act_at(m, 0);
	const uint32_t stride = m->p->layout.act_stride;
	word last = -1; /* serial of the last of them */
	int32_t n = 0;
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
	return n;
}

int32_t pending_first(struct vm *m, const struct order_info *o, word until, bool timed, int32_t *chosen)
{
	struct pending *q = &m->pending;
	const struct pending_act *best = NULL;
	int32_t n = 0;
	timed = timed && m->p->at.act_time_question >= 0;
	q->time = NONE;
	if (!timed && o->keys == 0)
		return pended(m, chosen);
	if (!refresh(m, o, timed))
		return -1;
	for (int32_t i = q->from; i < q->n; i++) {
		const struct pending_act *a = &q->act[q->order[i]];
		if (best && compare(o, best->came + 1, a->came + 1) != 0)
			break;
		if (timed && !due(m, a, until))
			continue;
		if (!best)
			best = a;
		chosen[n++] = q->order[i];
		if (q->time == NONE)
			q->time = a->came[0];
	}
	return n;
}
