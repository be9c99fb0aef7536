/* explore.c - explores the graph path by path, before probability flows.
 *
 * At a die the answer is taken that leads to an unknown place, or else the one that was taken
 * least, so rare answers are found as early as likely ones. */
#include "runtime/sim/descent.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES_MOST = 5000, PLACES_ON = 64 };

static uint64_t next_number(struct scout *s)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return s->random >> 11;
}

static uint32_t *taken_at(struct scout *s, int32_t pc, bool so)
{
	while (s->taken.n <= 2 * pc + 1)
		VEC_PUSH(s->taken, 0);
	return &s->taken.v[2 * pc + so];
}

/* The die shows one of the faces it may yet show. */
static void settle(struct descent *d, struct scout *s, uint16_t slot)
{
	const struct open *o = &d->open[d->open_of[slot] - 1];
	d->value[slot] = o->v[next_number(s) % (uint64_t)o->n].value;
	d->open_of[slot] = 0;
}

/* A test of an open die: the faces for one of its answers are left. */
static bool choose(struct descent *d, struct scout *s, int32_t pc)
{
	const struct code c = d->g->code.v[pc];
	bool left = d->open_of[c.a] != 0;
	word other = d->value[left ? c.b : c.a];
	struct open *o = &d->open[d->open_of[left ? c.a : c.b] - 1];
	int n[2] = {0, 0};
	for (int i = 0; i < o->n; i++)
		n[left ? lift_so(c.op, o->v[i].value, other) : lift_so(c.op, other, o->v[i].value)]++;
	bool so = n[0] == 0;
	if (n[0] && n[1]) {
		uint32_t no = c.no ? *taken_at(s, pc, false) + 1 : 0, yes = c.yes ? *taken_at(s, pc, true) + 1 : 0;
		so = yes < no || (yes == no && next_number(s) % 2);
	}
	++*taken_at(s, pc, so);
	struct face *to = d->scratch + d->scratch_used;
	if (d->scratch_used + (size_t)o->n > d->scratch_size)
		return so;
	int k = 0;
	for (int i = 0; i < o->n; i++)
		if ((left ? lift_so(c.op, o->v[i].value, other) : lift_so(c.op, other, o->v[i].value)) == so)
			to[k++] = o->v[i];
	d->scratch_used += (size_t)k;
	o->v = to;
	o->n = k;
	return so;
}

/* The moves up to a GO, and on to the place beyond. */
static void move_on(struct descent *d, struct scout *s, int32_t pc)
{
	const struct graph *g = d->g;
	for (; g->code.v[pc].kind != CODE_GO; pc++) {
		const struct code *c = &g->code.v[pc];
		if (d->open_of[c->a])
			settle(d, s, c->a);
		d->value[c->to] = d->value[c->a];
		d->open_of[c->to] = 0;
	}
	d->place = g->code.v[pc].yes;
	for (int k = 0; k < g->place.v[d->place].columns; k++)
		if (d->open_of[k])
			settle(d, s, (uint16_t)k); /* it fell where its column is */
}

/* One place; false when the fight is over, or cannot go on. */
static bool pass(struct descent *d, struct scout *s)
{
	int32_t pc = descent_follow(d, -1, 0);
	while (pc && !d->stop && !d->again) {
		const struct code c = d->g->code.v[pc];
		bool bad = false;
		switch ((enum code_kind)c.kind) {
		case CODE_CALC:
		case CODE_SURE:
		case CODE_ASIDE:
			if (d->open_of[c.a])
				settle(d, s, c.a);
			if (c.kind != CODE_ASIDE && d->open_of[c.b])
				settle(d, s, c.b);
			d->open_of[c.to] = 0;
			d->value[c.to] = c.kind == CODE_ASIDE ? d->value[c.a] : lift_concrete(c.op, d->value[c.a], d->value[c.b], &bad);
			if (bad)
				return false;
			pc++;
			break;
		case CODE_FALL:
			if (d->falls == FALLS_MOST)
				return false;
			d->fallen[d->falls++] = (struct fallen){c.to, -1};
			pc++;
			break;
		case CODE_ROLL:
			if (!descent_open(d, &c))
				return false;
			pc++;
			break;
		case CODE_TEST:
			if (d->open_of[c.a] && d->open_of[c.b])
				settle(d, s, c.a);
			if (d->open_of[c.a] || d->open_of[c.b])
				pc = descent_follow(d, pc, choose(d, s, pc));
			else
				pc = descent_follow(d, pc, lift_so(c.op, d->value[c.a], d->value[c.b]));
			break;
		case CODE_FIX:
			if (d->open_of[c.a])
				settle(d, s, c.a);
			pc = descent_follow(d, pc, d->value[c.a]);
			break;
		case CODE_MOVE:
		case CODE_WITHIN:
		case CODE_GO:
			move_on(d, s, pc);
			return true;
		case CODE_END:
		case CODE_DEAD:
			return false;
		}
	}
	return false;
}

static void go_on(struct descent *d, struct scout *s, int most)
{
	if (!s->random)
		s->random = 0x9e3779b97f4a7c15u;
	bool more = true;
	for (int i = 0; i < most && more; i++) {
		d->columns = d->g->place.v[d->place].columns;
		d->falls = d->opens = 0;
		d->scratch_used = 0;
		more = pass(d, s);
		for (int k = 0; k < d->opens; k++)
			d->open_of[d->open[k].slot] = 0;
	}
	d->falls = d->opens = 0;
	d->scratch_used = 0;
}

void descent_scout(struct descent *d, struct scout *s)
{
	d->place = 0;
	graph_first(d->g, d->value);
	go_on(d, s, PLACES_MOST);
	d->again = false; /* nothing was found out that could be wrong */
}

void descent_scout_on(struct descent *d, struct scout *s, uint32_t row)
{
	descent_numbers(d, row);
	go_on(d, s, PLACES_ON);
}
