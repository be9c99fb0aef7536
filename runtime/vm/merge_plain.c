/* merge_plain.c - merges with nothing to judge: sums, sets that agree, and acts that members made, which are nobody else's.
 * All effects go into one table by word; where one of them wants more, nothing was done yet and merge.c does it all. */
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/machine.h"

enum { EFFECTS_MOST = 8192, SLOTS_LEAST = 16 };

void merging_close(struct merging *x)
{
	free(x->slot);
	VEC_FREE(x->cell);
	VEC_FREE(x->map);
	*x = (struct merging){0};
}

/* An empty table, at most half of which will be filled. */
static void clear(struct merging *x, int effects)
{
	uint32_t slots = SLOTS_LEAST;
	while (slots < 2 * (uint32_t)effects)
		slots *= 2;
	if (slots > x->room) {
		free(x->slot);
		x->slot = malloc(slots * sizeof *x->slot);
		if (!x->slot)
			abort();
		x->room = slots;
	}
	memset(x->slot, 0, slots * sizeof *x->slot);
	x->mask = slots - 1;
	x->cell.n = 0;
}

static struct merged *cell_of(struct merging *x, const struct effect *e, int member)
{
	uint32_t s = e->at * 2654435761u >> 8 & x->mask;
	for (; x->slot[s]; s = (s + 1) & x->mask)
		if (x->cell.v[x->slot[s] - 1].at == e->at)
			return &x->cell.v[x->slot[s] - 1];
	const struct merged c = {.at = e->at, .member = member, .what = e->what, .is_act = e->is_act,
		.least = NONE, .most = NONE, .bare_low = NONE, .bare_high = NONE};
	VEC_PUSH(x->cell, c);
	x->slot[s] = (uint16_t)x->cell.n;
	return &x->cell.v[x->cell.n - 1];
}

static word less(word a, word b)
{
	return a == NONE || (b != NONE && b < a) ? b : a;
}

static word more(word a, word b)
{
	return a == NONE || (b != NONE && b > a) ? b : a;
}

/* As merge_member and bound (merge.c) have it. */
static bool take_sum(struct merged *c, const struct effect *e)
{
	if (e->frac || c->set || __builtin_add_overflow(c->sum, e->value, &c->sum) || c->sum == NONE)
		return false;
	c->added = true;
	c->least = less(c->least, e->least);
	c->most = more(c->most, e->most);
	c->bare_low = less(c->bare_low, e->least == NONE ? e->value : NONE);
	c->bare_high = more(c->bare_high, e->most == NONE ? e->value : NONE);
	return true;
}

/* The last set of a member counts, unless another member set it before. */
static bool take_set(const struct vm *m, struct merged *c, const struct effect *e, int member)
{
	const bool field = e->what >= 0 && e->what < m->p->fields;
	if (c->added || (field && m->p->field[e->what].settled))
		return false;
	if (c->set && (c->value != e->value || e->is_act) && (c->shared || c->member != member))
		return false;
	c->shared |= c->set && c->member != member;
	c->set = true;
	c->member = member;
	c->value = e->value;
	return true;
}

/* ---- acts that the member at hand made: from its copy's place to the one it has now ---- */

static bool made(const struct vm *m, word act)
{
	for (int i = m->merging.map.n; i-- > 0;)
		if (m->merging.map.v[i].from == act)
			return true;
	return false;
}

static word mapped(const struct vm *m, word act)
{
	for (int i = m->merging.map.n; i-- > 0;) /* the last counts: its place may have been used before */
		if (m->merging.map.v[i].from == act)
			return m->merging.map.v[i].to;
	return act;
}

/* Is it a word of such an act? */
static bool of_own_act(const struct vm *m, uint32_t at)
{
	const struct layout *l = &m->p->layout;
	return m->merging.map.n && at - l->acts < l->act_count * l->act_stride && made(m, (at - l->acts) / l->act_stride);
}

static uint32_t mapped_word(const struct vm *m, uint32_t at)
{
	const struct layout *l = &m->p->layout;
	return act_at(m, mapped(m, (at - l->acts) / l->act_stride)) + (at - l->acts) % l->act_stride;
}

static void note_made(struct vm *m, word from, word to)
{
	const struct renamed r = {from, to};
	VEC_PUSH(m->merging.map, r);
}

/* ---- looking, and doing ---- */

/* Nothing is written yet. */
static bool take(struct vm *m, const struct effect *e, int member)
{
	struct merged *c;
	switch (e->op) {
	case EF_ACT:
		note_made(m, e->value, e->value);
		return true;
	case EF_PEND: case EF_CANCEL: case EF_FREE: case EF_SET_ADD: case EF_SET_REMOVE:
		return true;
	case EF_SET: case EF_ADD:
		if (of_own_act(m, e->at))
			return true;
		c = cell_of(&m->merging, e, member);
		if (!(e->op == EF_SET ? take_set(m, c, e, member) : take_sum(c, e)))
			return false;
		c->what = e->what;
		c->is_act = e->is_act;
		return true;
	default:
		return false;
	}
}

/* What is no word's value happens in the order of the members; words of their own acts are written. */
static bool happen(struct vm *m, const struct effect *e, int member)
{
	switch (e->op) {
	case EF_ACT: {
		const word act = world_act(m, (int32_t)e->least, e->most == NONE ? NONE : mapped(m, e->most));
		note_made(m, e->value, act);
		return act != NONE;
	}
	case EF_PEND: world_pend(m, mapped(m, e->value)); break;
	case EF_CANCEL: world_cancel(m, mapped(m, e->value)); break;
	case EF_FREE: world_free(m, mapped(m, e->value)); break;
	case EF_SET_ADD: world_set_add(m, e->at, e->value, e->what); break;
	case EF_SET_REMOVE: world_set_remove(m, e->at, e->value, e->what); break;
	case EF_ADD:
		return !of_own_act(m, e->at) || world_add(m, mapped_word(m, e->at), e->value, e->least, e->most, e->frac, false, e->what);
	default:
		if (of_own_act(m, e->at))
			world_set(m, mapped_word(m, e->at), e->is_act ? mapped(m, e->value) : e->value, false, e->what, e->is_act);
		else if (e->is_act)
			cell_of(&m->merging, e, member)->value = mapped(m, e->value);
		break;
	}
	return true;
}

/* As add_all (merge.c) has it. */
static bool add(struct vm *m, const struct merged *c)
{
	const bool lower = c->least != NONE && c->bare_low != NONE && c->bare_low < 0;
	const bool higher = c->most != NONE && c->bare_high != NONE && c->bare_high > 0;
	return world_add(m, c->at, c->sum, lower ? NONE : c->least, higher ? NONE : c->most, false, false, c->what);
}

bool merge_plain(struct vm *m, const struct group *g, bool *ok)
{
	struct merging *x = &m->merging;
	if (m->p->observed || !vm_remembers(m) || m->journaling || g->effects.n > EFFECTS_MOST)
		return false;
	clear(x, g->effects.n);
	for (int i = 0; i < g->n; i++) {
		x->map.n = 0;
		for (int k = g->member[i].effects; k < g->member[i].effects_end; k++)
			if (!take(m, &g->effects.v[k], i))
				return false;
	}
	*ok = true;
	for (int i = 0; i < g->n; i++) {
		x->map.n = 0;
		for (int k = g->member[i].effects; k < g->member[i].effects_end && *ok; k++)
			*ok = happen(m, &g->effects.v[k], i);
	}
	for (int i = 0; i < x->cell.n && *ok; i++) {
		const struct merged *c = &x->cell.v[i];
		if (c->set)
			world_set(m, c->at, c->value, false, c->what, c->is_act);
		else
			*ok = add(m, c);
	}
	return true;
}
