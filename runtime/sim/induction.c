/* induction.c - forward over the graph, until nothing changes: each column is unknown, then
 * known in one round, then a line over the rounds, then free. */
#include "runtime/sim/induction.h"

#include <stdlib.h>
#include <string.h>

enum { NEVER = -1, OFTEN = -2 };

struct clock {
	struct graph *g;
	VEC(int32_t) first;            /* by place: where its columns stand */
	VEC(struct clock_value) value;
	VEC(int64_t) when;             /* by place: the round it is come to in; NEVER, OFTEN */
	VEC(int32_t) todo;             /* places whose columns changed */
	VEC(bool) due;
	VEC(int32_t) way;              /* steps yet to look at */
	struct clock_value *slot;
	int32_t here;
	int32_t known;                 /* places, and the graph's counts, when it was last found */
	uint64_t explored, lessons;
	bool moved;                    /* a number of one of those is no longer what it was */
};

struct clock *clock_new(struct graph *g)
{
	struct clock *c = calloc(1, sizeof *c);
	if (!c)
		abort();
	c->g = g;
	c->slot = calloc(SLOTS, sizeof *c->slot);
	if (!c->slot)
		abort();
	return c;
}

void clock_free(struct clock *c)
{
	if (!c)
		return;
	VEC_FREE(c->first);
	VEC_FREE(c->value);
	VEC_FREE(c->when);
	VEC_FREE(c->todo);
	VEC_FREE(c->due);
	VEC_FREE(c->way);
	free(c->slot);
	free(c);
}

struct clock_value clock_at(const struct clock *c, int32_t place, int column)
{
	if (place >= c->first.n)
		return (struct clock_value){CLOCK_FREE, 0, 0};
	return c->value.v[c->first.v[place] + column];
}

static const struct clock_value FREE = {CLOCK_FREE, 0, 0};

static struct clock_value both(struct clock_value a, struct clock_value b)
{
	if (a.kind == CLOCK_NOTHING)
		return b;
	if (b.kind == CLOCK_NOTHING || a.kind == CLOCK_FREE)
		return a;
	if (b.kind == CLOCK_FREE)
		return b;
	if (a.kind == CLOCK_ONCE && b.kind == CLOCK_ONCE) {
		if (a.by == b.by)
			return a.value == b.value ? a : FREE;
		int64_t rounds = b.by - a.by, grown;
		if (__builtin_sub_overflow(b.value, a.value, &grown) || grown % rounds)
			return FREE;
		struct clock_value line = {CLOCK_EVER, 0, grown / rounds}; /* through both */
		line.value = a.value - line.by * a.by;
		return line;
	}
	if (a.kind == CLOCK_EVER && b.kind == CLOCK_EVER)
		return a.value == b.value && a.by == b.by ? a : FREE;
	struct clock_value line = a.kind == CLOCK_EVER ? a : b, once = a.kind == CLOCK_EVER ? b : a;
	return clock_now(line, once.by) == once.value ? line : FREE;
}

static struct clock_value of_slot(const struct clock *c, uint16_t slot)
{
	const struct lift *l = c->g->lift;
	if (slot >= SLOTS - l->constants)
		return (struct clock_value){CLOCK_EVER, l->constant[SLOTS - 1 - slot], 0};
	return c->slot[slot];
}

static struct clock_value made(enum op op, struct clock_value a, struct clock_value b)
{
	bool bad = false;
	if (a.kind == CLOCK_FREE || b.kind == CLOCK_FREE || a.kind == CLOCK_NOTHING || b.kind == CLOCK_NOTHING)
		return FREE;
	if (a.kind == CLOCK_ONCE || b.kind == CLOCK_ONCE) {
		int64_t round = a.kind == CLOCK_ONCE ? a.by : b.by;
		if (a.kind == b.kind && a.by != b.by)
			return FREE;
		word v = lift_concrete(op, clock_now(a, round), clock_now(b, round), &bad);
		return bad ? FREE : (struct clock_value){CLOCK_ONCE, v, round};
	}
	if (op == OP_ADD)
		return (struct clock_value){CLOCK_EVER, a.value + b.value, a.by + b.by};
	if (op == OP_SUB)
		return (struct clock_value){CLOCK_EVER, a.value - b.value, a.by - b.by};
	if (a.by != 0 || b.by != 0)
		return FREE;
	word v = lift_concrete(op, a.value, b.value, &bad);
	return bad ? FREE : (struct clock_value){CLOCK_EVER, v, 0};
}

static void look_again(struct clock *c, int32_t place)
{
	if (c->due.v[place])
		return;
	c->due.v[place] = true;
	VEC_PUSH(c->todo, place);
}

static void joins(struct clock *c, int32_t place, int column, struct clock_value v)
{
	struct clock_value *there = &c->value.v[c->first.v[place] + column];
	struct clock_value now = both(*there, v);
	if (now.kind == there->kind && now.value == there->value && now.by == there->by)
		return;
	bool same = now.kind != CLOCK_FREE && (there->kind != CLOCK_EVER || there->by) && (now.kind != CLOCK_EVER || now.by);
	c->moved |= place < c->known && !same;
	*there = now;
	look_again(c, place);
}

static void comes(struct clock *c, int32_t place, int64_t round)
{
	int64_t *when = &c->when.v[place], now = *when == NEVER || *when == round ? round : OFTEN;
	if (now != *when) {
		*when = now;
		look_again(c, place);
	}
}

/* The moves from pc on, to the place beyond. */
static void into(struct clock *c, int32_t pc)
{
	const struct graph *g = c->g;
	int32_t end = pc;
	while (g->code.v[end].kind != CODE_GO)
		end++;
	int32_t to = g->code.v[end].yes;
	int64_t later = g->place.v[to].round, when = c->when.v[c->here];
	comes(c, to, when < 0 ? when : when + later);
	for (int k = 0; k < g->place.v[to].columns; k++) {
		uint16_t from = (uint16_t)k;
		for (int32_t i = pc; i < end; i++)
			if (g->code.v[i].to == k)
				from = g->code.v[i].a;
		struct clock_value v = of_slot(c, from);
		if (v.kind == CLOCK_ONCE)
			v.by += later;
		else if (v.kind == CLOCK_EVER && when >= 0)
			v = (struct clock_value){CLOCK_ONCE, clock_now(v, when), when + later};
		else if (v.kind == CLOCK_EVER)
			v.value -= v.by * later;
		joins(c, to, k, v);
	}
}

static void follow(struct clock *c, int32_t pc)
{
	const struct graph *g = c->g;
	for (;; pc++) {
		const struct code *x = &g->code.v[pc];
		switch ((enum code_kind)x->kind) {
		case CODE_CALC:
		case CODE_SURE:
			c->slot[x->to] = made((enum op)x->op, of_slot(c, x->a), of_slot(c, x->b));
			break;
		case CODE_ASIDE:
			c->slot[x->to] = of_slot(c, x->a);
			break;
		case CODE_FALL:
		case CODE_ROLL:
			c->slot[x->to] = FREE;
			break;
		case CODE_TEST:
			if (x->no)
				VEC_PUSH(c->way, x->no);
			if (x->yes)
				VEC_PUSH(c->way, x->yes);
			return;
		case CODE_FIX:
			for (int32_t k = x->yes; k; k = g->choice.v[k].next)
				if (g->choice.v[k].code)
					VEC_PUSH(c->way, g->choice.v[k].code);
			return;
		case CODE_MOVE:
		case CODE_WITHIN:
		case CODE_GO:
			into(c, pc);
			return;
		case CODE_END:
		case CODE_DEAD:
			return;
		}
	}
}

static void begin(struct clock *c)
{
	word *first = calloc(SLOTS, sizeof *first);
	if (!first)
		abort();
	graph_first(c->g, first);
	for (int k = 0; k < c->g->place.v[0].columns; k++)
		joins(c, 0, k, (struct clock_value){CLOCK_ONCE, first[k], 0});
	free(first);
	comes(c, 0, 0);
}

bool clock_find(struct clock *c)
{
	struct graph *g = c->g;
	if (c->lessons != g->lessons) /* the graph began again */
		c->first.n = c->value.n = c->when.n = c->todo.n = c->due.n = 0;
	c->known = c->first.n;
	c->moved = false;
	for (int32_t i = 0; i < c->known; i++)
		if (g->place.v[i].grown > c->explored)
			look_again(c, i);
	c->explored = g->explored;
	c->lessons = g->lessons;
	for (int32_t i = c->known; i < g->place.n; i++) {
		VEC_PUSH(c->first, c->value.n);
		VEC_PUSH(c->due, false);
		VEC_PUSH(c->when, NEVER);
		for (int k = 0; k < g->place.v[i].columns; k++)
			VEC_PUSH(c->value, (struct clock_value){CLOCK_NOTHING, 0, 0});
	}
	if (!c->known)
		begin(c);
	while (c->todo.n) {
		int32_t place = c->todo.v[--c->todo.n];
		c->due.v[place] = false;
		c->here = place;
		for (int k = 0; k < g->place.v[place].columns; k++)
			c->slot[k] = c->value.v[c->first.v[place] + k];
		c->way.n = 0;
		if (g->place.v[place].code)
			VEC_PUSH(c->way, g->place.v[place].code);
		while (c->way.n)
			follow(c, c->way.v[--c->way.n]);
	}
	return c->moved;
}
