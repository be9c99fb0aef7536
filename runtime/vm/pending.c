/* pending.c - see pending.h. */
#include "runtime/vm/pending.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/vm/machine.h"

enum { LOOKED_AT = 64 }; /* groups chosen, after which it is judged how places are kept */

static inline int compare(const struct order_info *o, const word *a, const word *b)
{
	for (int k = 0; k < o->keys; k++) {
		word x = a[k], y = b[k];
		if (x == y)
			continue;
		/* unset keys come last */
		if (x == NONE || y == NONE)
			return y == NONE ? -1 : 1;
		int c = o->frac[k] ? frac_compare(x, y) : x < y ? -1 : 1;
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
}

void pending_clear(struct pending *q)
{
	q->list = -1;
}

/* Of two that are level, the one pended first. */
static inline bool before(const struct order_info *o, const struct pending_act *a, const struct pending_act *b)
{
	int c = compare(o, a->key, b->key);
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
	if (high > low && before(o, &q->act[q->order[high - 1]], &q->act[act]))
		low = high; /* behind the last, as those who are asked in turn are */
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
	q->act[act].listed = true;
}

/* An act's place; what its time and keys rest on leads to an entry of the memo, which says when it goes. */
static bool place(struct vm *m, const struct order_info *o, int32_t act)
{
	struct pending *q = &m->pending;
	struct pending_act *a = &q->act[act];
	const word *row = m->w + act_at(m, act);
	word argument = act, done = 1;
	bool ok = true, fine = m->memo.order_fine;
	pending_take_out(q, act);
	if (row[ACT_STATE] != ACT_PENDING || row[ACT_LIST] != q->list)
		return true;
	if (fine) {
		memo_begin(&m->memo, m->memo.of_order, &argument, 0);
		memo_own(&m->memo, act_at(m, act), m->p->layout.act_stride);
	} else {
		memo_place_begin(&m->memo, act, act_at(m, act), m->p->layout.act_stride);
	}
	a->serial = row[ACT_SERIAL];
	a->time = NONE;
	if (q->timed) {
		int32_t fn = m->p->question[m->p->at.act_time_question].fn;
		ok = vm_pure_one(m, fn, argument, &a->time);
		q->once.fn = fn;
		q->once.act = act;
		q->once.time = a->time;
	}
	if (ok && o->key_fn >= 0)
		ok = vm_pure(m, o->key_fn, &argument, 1, a->key, o->keys);
	q->once.fn = -1;
	if (!ok)
		return false;
	if (fine)
		memo_end(&m->memo, &done);
	else
		memo_place_end(&m->memo);
	put_in(q, o, act);
	return true;
}

/* Everything is looked at anew. */
static void begin_again(struct vm *m, word by, bool timed)
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
	q->from = q->n = 0;
	q->list = m->w[H_LIST];
	q->by = by;
	q->timed = timed;
	q->cleared = m->memo.cleared;
	m->memo.order_stale = false;
	while (m->memo.moved.n > 0)
		m->memo.moving[m->memo.moved.v[--m->memo.moved.n]] = 0;
	for (int32_t i = 0; i < (int32_t)m->w[H_ACTS]; i++) {
		const word *row = m->w + act_at(m, i);
		if (row[ACT_STATE] == ACT_PENDING && row[ACT_LIST] == q->list)
			memo_moved(&m->memo, (int32_t)i);
	}
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
		begin_again(m, by, timed);
	/* placing all of them again and again takes more than noting what each rests on */
	if (++q->asked == LOOKED_AT) {
		x->order_fine |= q->again * 4 > q->asked;
		q->asked = q->again = 0;
	}
	for (int32_t i = 0; i < x->moved.n; i++) {
		int32_t act = x->moved.v[i];
		x->moving[act] = 0;
		if (!place(m, o, act)) {
			pending_clear(q);
			return false;
		}
	}
	x->moved.n = 0;
	return true;
}

static inline bool due(const struct vm *m, const struct pending_act *a, word until)
{
	const struct question_info *q = &m->p->question[m->p->at.act_time_question];
	return a->time == NONE || until == NONE || (q->type.frac ? frac_compare(a->time, until) <= 0 : a->time <= until);
}

int32_t pending_first(struct vm *m, const struct order_info *o, word until, bool timed, int32_t *chosen)
{
	struct pending *q = &m->pending;
	const struct pending_act *best = NULL;
	int32_t n = 0;
	timed = timed && m->p->at.act_time_question >= 0;
	q->time = NONE;
	if (!refresh(m, o, timed))
		return -1;
	for (int32_t i = q->from; i < q->n; i++) {
		const struct pending_act *a = &q->act[q->order[i]];
		if (best && compare(o, best->key, a->key) != 0)
			break;
		if (timed && !due(m, a, until))
			continue;
		if (!best)
			best = a;
		chosen[n++] = q->order[i];
		if (q->time == NONE)
			q->time = a->time;
	}
	return n;
}
