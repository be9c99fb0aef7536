/* row_keys.c - which columns make the key of a row at a place, and where each comes from on each
 * transition. */
#include "runtime/sim/descent.h"

#include <stdlib.h>
#include <string.h>

/* ---- places ---- */

void descent_places(struct descent *d)
{
	while (d->chain.table.n < d->g->place.n)
		VEC_PUSH(d->chain.table, (struct table){.made = false});
	while (d->first_at.n < d->g->place.n)
		VEC_PUSH(d->first_at, -1);
}

static struct form form_copy(const struct term *t, int n)
{
	struct form f = {malloc(((size_t)n + 1) * sizeof *t), n};
	if (!f.term)
		abort();
	if (n)
		memcpy(f.term, t, (size_t)n * sizeof *t);
	return f;
}

static void part_add(struct table *t, const struct term *term, int n)
{
	struct form f = form_copy(term, n);
	VEC_PUSH(t->part, f);
	t->width++;
	for (int i = 0; i < n && n > 1; i++) {
		bool there = false;
		for (int k = 0; k < t->column.n; k++)
			there |= t->column.v[k] == term[i].column;
		if (!there) {
			VEC_PUSH(t->column, term[i].column);
			t->kept++;
		}
	}
}

struct table *descent_table(struct descent *d, int32_t place)
{
	descent_places(d);
	struct table *t = &d->chain.table.v[place];
	if (t->made)
		return t;
	int columns = d->g->place.v[place].columns;
	bool known = place < needs_places(d->needs);
	t->made = true;
	t->checked = known ? needs_turn(d->needs) : 0;
	basis_begin(&t->basis, columns);
	t->fate = calloc((size_t)d->g->p->measures + 1, sizeof *t->fate);
	if (!t->fate)
		abort();
	for (int k = 0; k < columns; k++) {
		struct term one = {k, 1};
		if (known && !basis_alone(needs_basis(d->needs, place), k))
			continue;
		basis_add(&t->basis, &one, 1);
		part_add(t, &one, 1);
	}
	for (int i = 0; known && i < needs_basis(d->needs, place)->form.n; i++) {
		const struct form *f = &needs_basis(d->needs, place)->form.v[i];
		basis_add(&t->basis, f->term, f->n);
		part_add(t, f->term, f->n);
	}
	for (int i = 0; i < descent_measures(d); i++) {
		if (!known) {
			t->fate[i].verdict = VERDICT_OPEN;
			continue;
		}
		t->fate[i] = *needs_fate(d->needs, place, i);
		t->fate[i].term = form_copy(t->fate[i].term, t->fate[i].n).term;
	}
	return t;
}

static bool outdated(struct descent *d, int32_t place)
{
	struct table *t = &d->chain.table.v[place];
	if (needs_changed(d->needs, place) <= t->checked)
		return false;
	if (!basis_within(needs_basis(d->needs, place), &t->basis))
		return true;
	for (int k = 0; k < descent_measures(d); k++)
		if (!fate_same(needs_fate(d->needs, place, k), &t->fate[k]))
			return true;
	t->checked = needs_turn(d->needs);
	return false;
}

static void ways_forget(struct descent *d)
{
	d->way.n = d->way_of.n = d->from.n = d->news.n = d->ready.n = 0;
}

bool descent_outdated(struct descent *d)
{
	for (int i = 0; i < d->chain.table.n; i++) {
		if (!d->chain.table.v[i].made || !outdated(d, i))
			continue;
		if (d->chain.table.v[i].n > 0)
			return true;
		chain_drop(&d->chain, i, d->g->p->measures); /* nobody has come there yet */
		ways_forget(d);
	}
	return false;
}

void descent_renew(struct descent *d)
{
	for (int i = 0; i < d->chain.table.n; i++)
		if (d->chain.table.v[i].made && outdated(d, i))
			chain_drop(&d->chain, i, d->g->p->measures);
	chain_rewind(&d->chain);
	ways_forget(d);
	d->round = 0;
}

/* ---- ways ---- */

void descent_first_there(struct descent *d, int32_t place, const word *numbers)
{
	d->first_at.v[place] = d->first.n;
	for (int k = 0; k < d->g->place.v[place].columns; k++)
		VEC_PUSH(d->first, numbers[k]);
}

static uint16_t moved_from(const struct graph *g, int32_t pc, int32_t end, int32_t column, bool *within)
{
	uint16_t from = (uint16_t)column;
	for (int32_t i = pc; i < end; i++)
		if (g->code.v[i].to == column) {
			from = g->code.v[i].a;
			*within |= g->code.v[i].kind == CODE_WITHIN;
		}
	return from;
}

const struct way *descent_way(struct descent *d, int32_t pc)
{
	const struct graph *g = d->g;
	if (d->log && (pc >= d->way_of.n || !d->way_of.v[pc]))
		return NULL;
	while (d->way_of.n <= pc)
		VEC_PUSH(d->way_of, 0);
	if (d->way_of.v[pc])
		return &d->way.v[d->way_of.v[pc] - 1];
	struct way w = {.end = pc, .from = d->from.n, .news = d->news.n};
	while (g->code.v[w.end].kind != CODE_GO)
		w.end++;
	w.place = g->code.v[w.end].yes;
	if (w.place >= needs_places(d->needs))
		return NULL;
	const struct table *t = descent_table(d, w.place), *here = &d->chain.table.v[d->place];
	for (int i = 0; i < t->part.n; i++)
		for (int k = 0; k < t->part.v[i].n; k++)
			VEC_PUSH(d->from, moved_from(g, pc, w.end, t->part.v[i].term[k].column, &w.within));
	for (int i = 0; i < t->column.n; i++)
		VEC_PUSH(d->from, moved_from(g, pc, w.end, t->column.v[i], &w.within));
	for (int i = 0; i < descent_measures(d); i++)
		if (t->fate[i].verdict == VERDICT_DECIDED && here->fate[i].verdict == VERDICT_OPEN) {
			VEC_PUSH(d->news, i);
			w.new_ones++;
			for (int k = 0; k < t->fate[i].n; k++)
				VEC_PUSH(d->from, moved_from(g, pc, w.end, t->fate[i].term[k].column, &w.within));
		}
	VEC_PUSH(d->way, w);
	d->way_of.v[pc] = d->way.n;
	return &d->way.v[d->way.n - 1];
}

void descent_ready(struct descent *d, uint32_t row)
{
	const struct graph *g = d->g;
	VEC(int32_t) todo = {0};
	int32_t place = d->chain.row.v[row].place;
	while (d->ready.n < g->place.n)
		VEC_PUSH(d->ready, 0);
	if (d->ready.v[place] > g->place.v[place].grown)
		return;
	bool all = true;
	d->place = place;
	VEC_PUSH(todo, g->place.v[place].code);
	while (todo.n) {
		int32_t pc = todo.v[--todo.n];
		enum code_kind kind = CODE_DEAD;
		for (; pc; pc++) {
			kind = (enum code_kind)g->code.v[pc].kind;
			if (kind == CODE_MOVE || kind == CODE_WITHIN || kind >= CODE_TEST)
				break;
		}
		const struct code *c = &g->code.v[pc];
		if (kind == CODE_TEST) {
			VEC_PUSH(todo, c->no);
			VEC_PUSH(todo, c->yes);
		} else if (kind == CODE_FIX) {
			for (int32_t k = c->yes; k; k = g->choice.v[k].next)
				VEC_PUSH(todo, g->choice.v[k].code);
		} else if (kind == CODE_MOVE || kind == CODE_WITHIN || kind == CODE_GO) {
			all &= descent_way(d, pc) != NULL;
		}
	}
	d->ready.v[place] = all ? g->explored + 1 : 0;
	VEC_FREE(todo);
}
