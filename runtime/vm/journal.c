/* journal.c - every change of the world, and how changes made on copies are taken back.
 *
 * A copy is not made: a member of a group works on the world itself while the old words are
 * noted (EF_OLD), together with what each change meant. At the end of the member's stage the
 * old words are put back and the meanings kept; the merge (merge.c) then replays the meanings
 * of all members onto the world. What is `shared` is not put back, so a budget is spent once. */
#include <string.h>

#include "runtime/base/must.h"
#include "runtime/code/show.h"
#include "runtime/vm/machine.h"

static void note_old(struct vm *m, uint32_t at, bool shared)
{
	struct effect e = {0};
	e.op = EF_OLD;
	e.shared = shared;
	e.at = at;
	e.value = m->w[at];
	VEC_PUSH(m->journal, e);
}

static void note_effect(struct vm *m, struct effect e)
{
	e.clause = m->clause;
	VEC_PUSH(m->journal, e);
}

/* A shared word stays written when a copy ends: so does what asks for its conditions. Any other word is written once more by the
 * merge, and nobody asks before that. */
static void touch(struct vm *m, int32_t what, bool shared)
{
	if (what < 0 || (m->journaling && !shared && !m->tries && vm_remembers(m)))
		return;
	uint64_t bits = what >= 1000000 ? m->p->pair[what - 1000000].touches : m->p->field[what].touches;
	if (bits & ~(uint64_t)m->w[H_DIRTY]) {
		if (m->journaling)
			note_old(m, H_DIRTY, shared);
		m->w[H_DIRTY] |= (word)bits;
	}
}

/* A word of an act's row was written: a pending act's place may be another, a declared one another's. */
static void row_written(struct vm *m, uint32_t at)
{
	const struct layout *l = &m->p->layout;
	if (at - l->acts >= l->act_count * l->act_stride)
		return;
	word act = (at - l->acts) / l->act_stride;
	if (m->w[act_at(m, act) + ACT_STATE] == ACT_PENDING)
		pending_touch(m, (int32_t)act);
	else
		act_fresh(m, act);
}

/* Was this act made on the copy at hand? Its row is wiped when that ends. */
static bool is_made_here(const struct vm *m, word act)
{
	const int32_t row = m->acts.made[act];
	return row >= m->since && row < m->journal.n && m->journal.v[row].op == EF_ROW && m->journal.v[row].value == act;
}

static bool in_row_made_here(const struct vm *m, uint32_t at)
{
	const struct layout *l = &m->p->layout;
	return m->since != NO_COPY && at - l->acts < l->act_count * l->act_stride && is_made_here(m, (at - l->acts) / l->act_stride);
}

/* One word, with its old value noted when it may have to come back. */
static void put(struct vm *m, uint32_t at, word value, bool shared)
{
	if (m->journaling && !in_row_made_here(m, at))
		note_old(m, at, shared);
	if (m->w[at] != value) {
		m->w[at] = value;
		memo_wrote(&m->memo, at);
		row_written(m, at);
	}
}

void world_raw(struct vm *m, uint32_t at, word value)
{
	if (m->tries)
		note_old(m, at, true);
	m->w[at] = value;
	memo_wrote(&m->memo, at);
}

void world_set(struct vm *m, uint32_t at, word value, bool shared, int32_t what, bool is_act)
{
	int32_t record = -1;
	if (m->p->observed && !m->quiet && what >= 0 && m->w[at] != value)
		record = record_change(m, what, at, m->w[at], value);
	put(m, at, value, shared);
	touch(m, what, shared);
	if (m->journaling && !shared) {
		struct effect e = {0};
		e.op = EF_SET;
		e.record = record;
		e.at = at;
		e.value = value;
		e.what = what;
		e.is_act = is_act;
		note_effect(m, e);
	}
}

word world_clamp(struct vm *m, word v, word least, word most, bool frac)
{
	bool bad = false;
	if (m->lift) {
		v = least == NONE ? v : lift_calc(m, frac ? OP_FMAX : OP_MAX, v, least, &bad);
		return most == NONE ? v : lift_calc(m, frac ? OP_FMIN : OP_MIN, v, most, &bad);
	}
	if (least != NONE && (frac ? frac_compare(v, least) < 0 : v < least))
		v = least;
	if (most != NONE && (frac ? frac_compare(v, most) > 0 : v > most))
		v = most;
	return v;
}

word world_sum(struct vm *m, bool frac, word a, word b, bool *bad)
{
	if (m->lift)
		return lift_calc(m, frac ? OP_FADD : OP_ADD, a, b, bad);
	return frac ? frac_add(a, b, bad) : num_add(a, b, bad);
}

bool world_add(struct vm *m, uint32_t at, word by, word least, word most, bool frac, bool shared, int32_t what)
{
	bool bad = false;
	word old = m->w[at] == FORGOTTEN ? forget_read(m, at) : m->w[at];
	if (by == NONE || old == NONE)
		return true;
	word now = world_sum(m, frac, old, by, &bad);
	if (bad)
		return vm_fail(m, VM_FAILED, M_OVERFLOW, 0);
	now = world_clamp(m, now, least, most, frac);
	int32_t record = m->p->observed && !m->quiet && what >= 0 && now != old ? record_change(m, what, at, old, now) : -1;
	put(m, at, now, shared);
	touch(m, what, shared);
	if (m->journaling && !shared) {
		struct effect e = {0};
		e.op = EF_ADD;
		e.record = record;
		e.at = at;
		e.value = by;
		e.least = least;
		e.most = most;
		e.frac = frac;
		e.what = what;
		note_effect(m, e);
	}
	return true;
}

static void note_bit(struct vm *m, enum effect_op op, uint32_t at, word thing, int32_t what)
{
	if (!m->journaling)
		return;
	struct effect e = {0};
	e.op = (uint8_t)op;
	e.at = at;
	e.value = thing;
	e.what = what;
	note_effect(m, e);
}

void world_set_add(struct vm *m, uint32_t at, word thing, int32_t what)
{
	uint32_t where = at + (uint32_t)(thing / 64);
	put(m, where, (word)((uint64_t)m->w[where] | 1ull << (thing % 64)), false);
	touch(m, what, false);
	note_bit(m, EF_SET_ADD, at, thing, what);
}

void world_set_remove(struct vm *m, uint32_t at, word thing, int32_t what)
{
	uint32_t where = at + (uint32_t)(thing / 64);
	put(m, where, (word)((uint64_t)m->w[where] & ~(1ull << (thing % 64))), false);
	touch(m, what, false);
	note_bit(m, EF_SET_REMOVE, at, thing, what);
}

bool world_list_add(struct vm *m, uint32_t at, uint32_t words, word thing, int32_t what)
{
	word n = m->w[at];
	if ((uint32_t)n + 1 >= words)
		return vm_fail(m, VM_LIMIT, M_LIST_FULL, 1, m->p->field[what].name);
	put(m, at + 1 + (uint32_t)n, thing, false);
	put(m, at, n + 1, false);
	touch(m, what, false);
	if (m->journaling) {
		struct effect e = {0};
		e.op = EF_LIST_ADD;
		e.at = at;
		e.value = thing;
		e.most = words;
		e.what = what;
		note_effect(m, e);
	}
	return true;
}

void world_list_remove(struct vm *m, uint32_t at, uint32_t words, word thing, int32_t what)
{
	word n = m->w[at];
	for (word i = 0; i < n; i++) {
		if (m->w[at + 1 + (uint32_t)i] != thing)
			continue;
		for (word k = i; k + 1 < n; k++)
			put(m, at + 1 + (uint32_t)k, m->w[at + 2 + (uint32_t)k], false);
		put(m, at + (uint32_t)n, 0, false);
		put(m, at, n - 1, false);
		break;
	}
	touch(m, what, false);
	if (m->journaling) {
		struct effect e = {0};
		e.op = EF_LIST_REMOVE;
		e.at = at;
		e.value = thing;
		e.most = words;
		e.what = what;
		note_effect(m, e);
	}
}

void world_condition(struct vm *m, word bit, bool value)
{
	uint32_t at = m->p->layout.conditions + (uint32_t)(bit / 64);
	uint64_t mask = 1ull << (bit % 64);
	memo_stale(&m->memo, (uint32_t)(bit / 64), mask);
	put(m, at, (word)(value ? (uint64_t)m->w[at] | mask : (uint64_t)m->w[at] & ~mask), false);
}

/* ---- acts ---- */

static void note_made(struct vm *m, word act, int32_t event, word copy_of)
{
	struct effect row = {0}, e = {0};
	row.op = EF_ROW;
	row.value = act;
	m->acts.made[act] = m->journal.n;
	VEC_PUSH(m->journal, row);
	e.op = EF_ACT;
	e.value = act;
	e.least = event;
	e.most = copy_of;
	note_effect(m, e);
}

word world_act(struct vm *m, int32_t event, word copy_of)
{
	const struct layout *l = &m->p->layout;
	const word i = act_take(m);
	if (i == l->act_count) {
		vm_fail(m, VM_LIMIT, M_MANY_ACTS, 0);
		return NONE;
	}
	if (i >= m->w[H_ACTS])
		world_raw(m, H_ACTS, i + 1);
	if (m->journaling)
		note_made(m, i, event, copy_of);
	word *row = m->w + act_at(m, i);
	const word *from = copy_of != NONE ? m->w + act_at(m, copy_of) : m->act_blank;
	row[ACT_STATE] = ACT_DECLARED;
	row[ACT_SERIAL] = row[ACT_LIST] = 0;
	row[ACT_EVENT] = copy_of != NONE ? from[ACT_EVENT] : event;
	/* a free row holds what acts begin with, but where words are forgotten */
	if (copy_of != NONE || !vm_remembers(m))
		memcpy(row + ACT_ARGS, from + ACT_ARGS, (l->act_stride - ACT_ARGS) * sizeof *row);
	must(!memcmp(row + ACT_ARGS, from + ACT_ARGS, (l->act_stride - ACT_ARGS) * sizeof *row));
	if (m->memo.row_noted[i])
		act_noted(m, i);
	return i;
}

void world_pend(struct vm *m, word act)
{
	uint32_t at = act_at(m, act);
	if (m->journaling) {
		struct effect e = {0};
		put(m, at + ACT_STATE, ACT_PENDING, false);
		put(m, at + ACT_LIST, m->w[H_LIST], false);
		put(m, at + ACT_SERIAL, m->w[H_SERIAL], false);
		world_raw(m, H_SERIAL, m->w[H_SERIAL] + 1);
		pending_touch(m, (int32_t)act);
		e.op = EF_PEND;
		e.value = act;
		note_effect(m, e);
		return;
	}
	m->w[at + ACT_STATE] = ACT_PENDING;
	m->w[at + ACT_LIST] = m->w[H_LIST];
	m->w[at + ACT_SERIAL] = m->w[H_SERIAL]++;
	if (m->memo.row_noted[act]) {
		memo_wrote(&m->memo, at + ACT_STATE);
		memo_wrote(&m->memo, at + ACT_LIST);
		memo_wrote(&m->memo, at + ACT_SERIAL);
	}
	memo_wrote(&m->memo, H_SERIAL);
	pending_touch(m, (int32_t)act);
}

static void clear_act(struct vm *m, word act)
{
	uint32_t at = act_at(m, act);
	if (!m->journaling) {
		act_wipe(m, act);
		return;
	}
	for (uint32_t k = 0; k < m->p->layout.act_stride; k++)
		if (m->w[at + k] != m->p->start[at + k])
			put(m, at + k, m->p->start[at + k], false);
	act_turned(m, act);
}

void world_cancel(struct vm *m, word act)
{
	uint32_t at = act_at(m, act);
	if (m->w[at + ACT_STATE] != ACT_PENDING)
		return; /* a member of the group in progress is not un-performed */
	clear_act(m, act);
	pending_gone(m, (int32_t)act);
	note_bit(m, EF_CANCEL, at, act, -1);
}

/* An act is given up on the copy on which it was made, and since then nothing else was written there: neither has happened. */
static bool unmade(struct vm *m, word act)
{
	if (m->since == NO_COPY || !is_made_here(m, act))
		return false;
	const uint32_t from = act_at(m, act);
	const int32_t row = m->acts.made[act];
	for (int32_t i = row + 1; i < m->journal.n; i++) {
		const struct effect *e = &m->journal.v[i];
		if (e->op == EF_SET ? e->at - from >= m->p->layout.act_stride : e->op != EF_ACT || e->value != act)
			return false;
	}
	m->journal.n = row;
	act_wipe(m, act);
	pending_touch(m, (int32_t)act);
	return true;
}

void world_free(struct vm *m, word act)
{
	uint32_t at = act_at(m, act);
	if (m->w[at + ACT_STATE] != ACT_DECLARED)
		return;
	if (!m->journaling) {
		act_wipe(m, act);
		return;
	}
	if (unmade(m, act))
		return;
	clear_act(m, act);
	note_bit(m, EF_FREE, at, act, -1);
}

void act_told(struct vm *m, int32_t record, word act)
{
	if (!m->journaling || record < 0 || act == NONE)
		return;
	struct effect e = {0};
	e.op = EF_TOLD;
	e.record = record;
	e.value = act;
	note_effect(m, e);
}

/* ---- rolling back ---- */

static void put_back(struct vm *m, uint32_t at, word value)
{
	const struct layout *l = &m->p->layout;
	uint32_t condition = at - l->conditions;
	if (at == H_ACTS && m->w[at] > (word)m->acts.most)
		m->acts.most = (uint32_t)m->w[at];
	if (condition < l->condition_words)
		memo_stale(&m->memo, condition, (uint64_t)m->w[at] ^ (uint64_t)value);
	m->w[at] = value;
	memo_wrote(&m->memo, at);
	uint32_t act = at - l->acts;
	if (act < l->act_count * l->act_stride && act % l->act_stride < ACT_ARGS) {
		pending_touch(m, (int32_t)(act / l->act_stride));
		act_turned(m, act / l->act_stride);
		lists_forget(m);
	} else {
		row_written(m, at);
	}
}

void journal_back(struct vm *m, int mark, bool shared_too)
{
	int kept = mark;
	for (int i = m->journal.n; i-- > mark;)
		if (m->journal.v[i].op == EF_ROW) {
			act_wipe(m, m->journal.v[i].value);
			pending_touch(m, (int32_t)m->journal.v[i].value);
		} else if (m->journal.v[i].op == EF_OLD && (shared_too || !m->journal.v[i].shared) && m->w[m->journal.v[i].at] != m->journal.v[i].value) {
			put_back(m, m->journal.v[i].at, m->journal.v[i].value);
		}
	/* what stays written must still be undone by a try around it */
	if (!shared_too && m->tries)
		for (int i = mark; i < m->journal.n; i++)
			if (m->journal.v[i].op == EF_OLD && m->journal.v[i].shared)
				m->journal.v[kept++] = m->journal.v[i];
	m->journal.n = kept;
}
