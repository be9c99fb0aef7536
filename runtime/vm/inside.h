/* inside.h - looking into the world: what instructions read, shared by the loop (run.c) and what
 * processor code calls (apart.c). */
#ifndef FRAY_VM_INSIDE_H
#define FRAY_VM_INSIDE_H

#include "runtime/vm/machine.h"

/* The word of a live thing's field; NULL when the thing does not exist. */
static inline word *field(struct vm *m, const struct field_info *f, word thing)
{
	if (thing < 0)
		return NULL;
	uint32_t count = m->p->layout.kind[f->kind].count;
	if ((uint64_t)thing >= count + (f->kind == KIND_ACT))
		return NULL;
	return m->w + f->base + (uint64_t)thing * f->stride;
}

/* A field is written where nothing can be taken back and nothing told, as journal.c would write it. */
static inline void write_field(struct vm *m, const struct reach *f, word thing, word value)
{
	const uint32_t at = f->base + (uint32_t)thing * f->stride;
	if (m->w[at] != value) {
		m->w[at] = value;
		memo_wrote(&m->memo, at);
		if (f->act && m->w[act_at(m, thing) + ACT_STATE] == ACT_PENDING)
			pending_touch(m, (int32_t)thing);
		else if (f->actor)
			act_fresh(m, thing);
	}
	m->w[H_DIRTY] |= f->touches;
}

/* A set or list is read: its words lead to the answer being worked out. */
static inline void read_words(struct vm *m, int field_, const word *at, word n)
{
	if (!m->reach[field_].fixed)
		for (word k = 0; k < n && m->memo.depth; k++)
			memo_read(&m->memo, (uint32_t)(at + k - m->w));
}

static inline word *cell(struct vm *m, const struct pair_info *f, word a, word b)
{
	if (a < 0 || b < 0 || (uint64_t)a >= f->side || (uint64_t)b >= f->side)
		return NULL;
	/* a symmetric pair has one cell, the lesser index first */
	if (!f->directed && a > b) {
		word t = a;
		a = b;
		b = t;
	}
	return m->w + f->base + (uint64_t)a * f->side + (uint64_t)b;
}

static inline word set_next(const word *set, int words, word after)
{
	const uint64_t i = (uint64_t)after + 1;
	if (i >= (uint64_t)words * 64)
		return NONE;
	int w = (int)(i / 64);
	uint64_t bits = (uint64_t)set[w] & ~0ull << i % 64;
	while (!bits) {
		if (++w >= words)
			return NONE;
		bits = (uint64_t)set[w];
	}
	return w * 64 + __builtin_ctzll(bits);
}

/* Its member number n, from 1. */
static inline word set_nth(const word *set, int words, word n)
{
	for (int w = 0; n > 0 && w < words; w++) {
		uint64_t bits = (uint64_t)set[w];
		const word here = __builtin_popcountll(bits);
		if (n > here) {
			n -= here;
			continue;
		}
		while (--n > 0)
			bits &= bits - 1;
		return w * 64 + __builtin_ctzll(bits);
	}
	return NONE;
}

static inline bool is_a(const struct program *p, word thing, word ancestor)
{
	if (ancestor < 0)
		return thing == ancestor;
	for (; thing >= 0 && thing < p->things; thing = p->thing[thing].parent)
		if (thing == ancestor)
			return true;
	return false;
}

/* Of things the heirs count too; words have none. */
static inline word list_has(const struct program *p, struct vtype type, const word *list, word n, word thing)
{
	for (word i = 0; i < n; i++)
		if (list[i] == thing || (type.kind != OF_WORDS && is_a(p, list[i], thing)))
			return 1;
	return 0;
}

static inline bool in_row(const struct table_row *r, word key, bool frac)
{
	int from = r->from == NONE ? 1
		: frac             ? frac_compare(key, r->from)
				   : (key > r->from) - (key < r->from);
	int to = r->to == NONE ? -1
		: frac         ? frac_compare(key, r->to)
			       : (key > r->to) - (key < r->to);
	return (r->over ? from > 0 : from >= 0) && to <= 0;
}

/* A cell of a table. */
static inline word table_value(const struct program *p, word table, word key, word column)
{
	if (table < 0 || table >= p->tables || key == NONE)
		return NONE;
	const struct table_info *t = &p->table[table];
	int at = 0;
	while (at < t->columns && p->table_words[t->column + at] != column)
		at++;
	if (t->columns && at == t->columns)
		return NONE;
	if (t->row_of && (uint64_t)(key - t->low) < t->keys) {
		const int row = t->row_of[key - t->low];
		must(row < 0 || in_row(&p->table_row[t->first + row], key, false));
		return row < 0 ? NONE : p->table_words[p->table_row[t->first + row].values + at];
	}
	for (int i = 0; i < t->rows; i++)
		if (in_row(&p->table_row[t->first + i], key, t->key.frac))
			return p->table_words[p->table_row[t->first + i].values + at];
	return NONE;
}

/* What the nearest event in progress keeps under a name; NULL if none does. */
static inline word *kept(struct vm *m, int name)
{
	for (uint32_t at = (uint32_t)m->w[H_HAPPENING]; at; at = (uint32_t)m->w[at + HAP_PARENT]) {
		const struct event_info *e = &m->p->event[m->w[at + HAP_EVENT]];
		for (int i = 0; i < e->slots; i++)
			if (e->slot_name[i] == name)
				return m->w + at + HAP_SLOTS + (uint32_t)(i * m->p->set_words);
	}
	return NULL;
}

/* What an act says, as its event's arguments. */
static inline void act_arguments(struct vm *m, const struct event_info *e, word act, word *to)
{
	uint32_t args = act_at(m, act) + ACT_ARGS;
	for (int i = 0; i < e->roles; i++) {
		const struct role_info *role = &e->role[i];
		int width = role->type.base == VT_SET ? m->p->set_words : 1;
		if (role->field >= 0)
			to[role->word] = m->w[m->reach[role->field].base + (uint64_t)act * m->reach[role->field].stride];
		else
			for (int k = 0; k < width; k++)
				to[role->word + k] = m->w[args + role->word + (uint32_t)k];
	}
}

/* Is a condition to be asked again? */
static inline bool waits(const struct vm *m)
{
	return m->w[H_DIRTY] & m->conditions;
}

/* The same, outside every act: conditions are never looked at in the middle of a moment (docs/decisions/0073). */
static inline bool waits_outside(const struct vm *m)
{
	return waits(m) && m->groups == 0 && !m->unwritten && !m->journaling;
}

/* Nothing is done at a stage the event has not got. */
static inline bool idle(const struct vm *m, word act, int stage)
{
	return !(m->stages[m->w[act_at(m, act) + ACT_EVENT]] >> stage & 1);
}

/* Has a member of the group at hand something to do at one of these stages, a bit each; or is the moment over, and a condition
 * to be asked? It is not over when the group is a step of another. */
static inline bool needs(const struct vm *m, unsigned stages, bool or_waits)
{
	return m->last->stages & stages || (or_waits && waits(m) && m->groups <= 1 && !m->journaling);
}

/* The first member behind i who has something to do; or how many there are. */
static inline word next_at(const struct group *g, word i, int stage)
{
	/* whether he may act at all is asked at these */
	const bool all = stage == AT_COSTS || stage == AT_ON;
	if (!all && !(g->stages >> stage & 1))
		return g->n;
	while (++i < g->n) {
		const struct member *mb = &g->member[i];
		if (!mb->is_void && !mb->stopped && (all || mb->stages >> stage & 1))
			break;
	}
	return i;
}

/* Has somebody acted, even if something else came of it? */
static inline bool member_acted(const struct vm *m, const struct member *mb)
{
	if (mb->is_void || (mb->stopped && !mb->replaced))
		return false;
	return m->p->event[m->w[act_at(m, mb->act) + ACT_EVENT]].action;
}

/* What MEMBER asks about number i of the group. */
static inline word member_word(const struct vm *m, word i, int what)
{
	const struct group *g = m->last;
	if (what == MEMBER_COUNT)
		return g->n;
	const struct member *mb = &g->member[i];
	if (what == MEMBER_ACTED)
		return member_acted(m, mb) ? mb->act : NONE;
	return mb->is_void || mb->stopped ? NONE : mb->act;
}

/* The next for whom condition k may answer otherwise than it did, behind those in r[0]..; its place behind them. */
static inline void woke(struct vm *m, int k, bool remembers, word *r)
{
	const struct whenever_info *x = &m->p->whenever[k];
	int64_t end = x->first + (int64_t)x->count[0] * x->count[1], at = x->first;
	if (r[0] != -1)
		at += 1 + (x->params ? r[0] * x->count[1] : 0) + (x->params > 1 ? r[1] : 0);
	if (remembers)
		at = memo_next_stale(&m->memo, at, end);
	if (at < 0 || at >= end) {
		r[0] = NONE;
		return;
	}
	if (x->params > 0)
		r[0] = (at - x->first) / x->count[1];
	if (x->params > 1)
		r[1] = (at - x->first) % x->count[1];
	r[x->params] = at;
}

/* The condition at a place is so, or not; did it become so? */
static inline bool turned(struct vm *m, word place, bool is, bool remembers)
{
	const bool was = (uint64_t)m->w[m->p->layout.conditions + place / 64] >> (place % 64) & 1;
	if (was != is)
		world_condition(m, place, is);
	if (remembers)
		memo_settled(&m->memo, (uint32_t)place);
	return is && !was;
}

#endif
