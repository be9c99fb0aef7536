/* merge_plain.c - merges with nothing to judge: sums, and sets that agree. All effects go into one table by word;
 * where one of them wants more, nothing was done yet and merge.c does it all. */
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/machine.h"

enum { EFFECTS_MOST = 8192, SLOTS_LEAST = 16 };

void merging_close(struct merging *x)
{
	free(x->slot);
	VEC_FREE(x->cell);
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
	if (c->set && c->value != e->value && (c->shared || c->member != member))
		return false;
	c->shared |= c->set && c->member != member;
	c->set = true;
	c->member = member;
	c->value = e->value;
	return true;
}

static bool take(struct vm *m, const struct effect *e, int member)
{
	struct merged *c;
	switch (e->op) {
	case EF_PEND: case EF_CANCEL: case EF_FREE: case EF_SET_ADD: case EF_SET_REMOVE:
		return true;
	case EF_SET:
		c = cell_of(&m->merging, e, member);
		if (!take_set(m, c, e, member))
			return false;
		break;
	case EF_ADD:
		c = cell_of(&m->merging, e, member);
		if (!take_sum(c, e))
			return false;
		break;
	default:
		return false;
	}
	c->what = e->what;
	c->is_act = e->is_act;
	return true;
}

/* What is no word's value happens in the order of the members. */
static void happen(struct vm *m, const struct effect *e)
{
	switch (e->op) {
	case EF_PEND: world_pend(m, e->value); break;
	case EF_CANCEL: world_cancel(m, e->value); break;
	case EF_FREE: world_free(m, e->value); break;
	case EF_SET_ADD: world_set_add(m, e->at, e->value, e->what); break;
	case EF_SET_REMOVE: world_set_remove(m, e->at, e->value, e->what); break;
	default: break;
	}
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
	for (int i = 0; i < g->n; i++)
		for (int k = g->member[i].effects; k < g->member[i].effects_end; k++)
			if (!take(m, &g->effects.v[k], i))
				return false;
	for (int k = 0; k < g->effects.n; k++)
		happen(m, &g->effects.v[k]);
	*ok = true;
	for (int i = 0; i < x->cell.n && *ok; i++) {
		const struct merged *c = &x->cell.v[i];
		if (c->set)
			world_set(m, c->at, c->value, false, c->what, c->is_act);
		else
			*ok = add(m, c);
	}
	return true;
}
