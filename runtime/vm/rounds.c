/* rounds.c - rounds begin; lists of acts are opened, gone through and closed. */
#include "runtime/vm/machine.h"

/* Numbers that may be symbols: lift.h. */
static bool is_so(struct vm *m, int op, word a, word b)
{
	return m->lift ? lift_test(m, op, a, b) : lift_so(op, a, b);
}

static word sum(struct vm *m, word a, word b)
{
	bool wide = false;
	return m->lift ? lift_calc(m, OP_ADD, a, b, &wide) : num_add(a, b, &wide);
}

bool round_begins(struct vm *m)
{
	const uint32_t number = m->p->field[m->p->at.round_number].base, start = m->p->field[m->p->at.round_start].base;
	if (is_so(m, OP_LE, m->w[H_ROUNDS_LEFT], 0)) {
		m->w[H_OUTCOME] = OUTCOME_ROUNDS;
		return false;
	}
	/* without an `until`, the script's own rounds are played and no more */
	if (m->w[H_STAGE] == WORLD_PLAYING && is_so(m, OP_LT, 0, m->w[number]))
		header_set(m, start, sum(m, m->w[start], m->round_length));
	m->w[H_ROUNDS_LEFT] = sum(m, m->w[H_ROUNDS_LEFT], -1);
	header_set(m, number, sum(m, m->w[number], 1));
	header_set(m, H_NOW, NONE); /* the last moment of the round before is none of this one's */
	blocks_look(m, false, false);
	return true;
}

static bool is_listed(const struct vm *m, int32_t act)
{
	const word *row = m->w + act_at(m, act);
	return row[ACT_STATE] == ACT_PENDING && row[ACT_LIST] == m->w[H_LIST];
}

bool list_seen(struct vm *m, int32_t *act)
{
	struct acts *a = &m->acts;
	const struct memo *x = &m->memo;
	if (!a->known || a->seen.list != m->w[H_LIST])
		return false;
	if (a->seen.act >= 0 && !is_listed(m, a->seen.act))
		a->seen.act = -1;
	if (a->seen.serial != m->w[H_SERIAL]) {
		/* one was pended since, who moved last if anybody notes that */
		if (a->seen.serial + 1 != m->w[H_SERIAL] || a->seen.act >= 0 || m->pending.list < 0 || x->moves == 0)
			return false;
		const int32_t last = x->moved[x->moves - 1];
		if (m->w[act_at(m, last) + ACT_SERIAL] != a->seen.serial || !is_listed(m, last))
			return false;
		list_see(m, last);
	}
	*act = a->seen.act;
	return true;
}

/* Of those pended after one serial number, before another, the first so far: it is the limit for others. */
struct listed { word act, serial, limit; };

static inline void look_at(const struct vm *m, word act, struct listed *of)
{
	const word s = m->w[act_at(m, act) + ACT_SERIAL];
	if (s > of->serial && s < of->limit && is_listed(m, (int32_t)act)) {
		of->act = act;
		of->limit = s;
	}
}

word act_listed(struct vm *m, word after, word limit)
{
	/* an act that was taken off meanwhile: go on behind where it stood */
	struct listed of = {NONE, after == NONE ? -1 : m->w[act_at(m, after) + ACT_SERIAL], limit == NONE ? INT64_MAX : limit};
	const struct pending *q = &m->pending;
	int32_t only;
	if (list_seen(m, &only)) {
		if (only >= 0)
			look_at(m, only, &of);
	} else if (q->list != m->w[H_LIST] || q->cleared != m->memo.cleared) {
		for (word i = 0; i < m->w[H_ACTS]; i++)
			look_at(m, i, &of);
	} else {
		/* those in order, and those that moved, among whom all others are */
		for (int32_t i = q->from; i < q->n; i++)
			look_at(m, q->order[i], &of);
		for (int32_t i = 0; i < m->memo.moves; i++)
			look_at(m, m->memo.moved[i], &of);
	}
	return of.act;
}

bool list_open(struct vm *m, int order)
{
	if (m->w[H_LIST] + 1 >= (word)m->p->layout.list_depth)
		return vm_fail(m, VM_LIMIT, M_EVENTS_DEEP, 1, "a list of acts");
	m->w[H_LIST]++;
	m->w[m->p->layout.lists + m->w[H_LIST]] = order;
	pending_here(&m->pending, m->w[H_LIST]);
	if (m->acts.known)
		list_see(m, -1);
	return true;
}

static void drop(struct vm *m, int32_t act)
{
	if (m->p->observed && !m->quiet)
		ends_pended(m, act, LEFT_LIST);
	world_cancel(m, act);
}

void list_close(struct vm *m)
{
	int32_t only, acts = (int32_t)m->w[H_ACTS];
	if (list_seen(m, &only)) {
		if (only >= 0)
			drop(m, only);
	} else {
		for (int32_t i = 0; i < acts; i++)
			if (is_listed(m, i))
				drop(m, i);
	}
	m->w[H_LIST]--;
	pending_here(&m->pending, m->w[H_LIST]);
}
