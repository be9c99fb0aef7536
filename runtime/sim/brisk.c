/* brisk.c - trees copied without their dead wood.
 *
 * A tree is gone down once to mark what is asked for: from each test, fix, measure and
 * column that matters, back to what made it. What is not marked is left out. */
#include "runtime/sim/brisk.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/sim/needs.h"

enum step_kind_brisk {
	NOWHERE, /* not known: index 0 */
	ADD, SUB, CALC, SURE, MOVE, WITHIN, FALL, ROLL, CAST, /* CAST: falls and is rolled */
	LESS, AT_MOST, SAME, TEST, FIX, GO, OVER
};

struct brisk_die { uint64_t label; uint32_t counter, first; int32_t number; int sides, count, add; bool plain; };

struct brisk {
	VEC(struct code) code;
	VEC(struct choice) choice;
	VEC(struct brisk_die) die;
	int32_t *entry;          /* by place */
	uint8_t *wanted;         /* by code of the graph */
	int32_t *made;           /* by slot: the code that made it, on the way being gone down */
	int constants;
};

/* ---- marking ---- */

struct marking { struct brisk *b; const struct graph *g; const struct needs *needs; VEC(int32_t) todo; };

static void want(struct marking *x, uint16_t slot, int columns)
{
	if (slot < columns || slot >= SLOTS - x->g->lift->constants)
		return;
	int32_t at = x->b->made[slot];
	if (x->b->wanted[at])
		return;
	x->b->wanted[at] = 1;
	const struct code *c = &x->g->code.v[at];
	if (c->kind == CODE_CALC || c->kind == CODE_SURE) {
		want(x, c->a, columns);
		want(x, c->b, columns);
	} else if (c->kind == CODE_ASIDE || c->kind == CODE_ROLL) {
		want(x, c->a, columns);
	}
}

static void mark_path(struct marking *x, int32_t place, int32_t pc)
{
	const struct graph *g = x->g;
	int columns = g->place.v[place].columns;
	for (;; pc++) {
		const struct code *c = &g->code.v[pc];
		switch ((enum code_kind)c->kind) {
		case CODE_CALC:
			x->b->made[c->to] = pc;
			want(x, c->to, columns); /* it may go wrong */
			break;
		case CODE_SURE: case CODE_ASIDE: case CODE_FALL: case CODE_ROLL:
			x->b->made[c->to] = pc;
			break;
		case CODE_MOVE:
		case CODE_WITHIN: {
			int32_t end = pc;
			while (g->code.v[end].kind != CODE_GO)
				end++;
			if (needs_column(x->needs, g->code.v[end].yes, c->to)) {
				x->b->wanted[pc] = 1;
				want(x, c->a, columns);
			}
			break;
		}
		case CODE_TEST:
			want(x, c->a, columns);
			want(x, c->b, columns);
			if (c->no)
				VEC_PUSH(x->todo, c->no);
			if (c->yes)
				VEC_PUSH(x->todo, c->yes);
			return;
		case CODE_FIX:
			want(x, c->a, columns);
			for (int32_t k = c->yes; k; k = g->choice.v[k].next)
				if (g->choice.v[k].code)
					VEC_PUSH(x->todo, g->choice.v[k].code);
			return;
		case CODE_END: {
			const struct ending *e = &g->ending.v[c->yes];
			for (int i = 0; e->good && g->p->measure_fn >= 0 && i < g->p->measures; i++)
				want(x, g->slots.v[e->slot + i], columns);
			return;
		}
		case CODE_GO:
			/* what was worked out where the next place has a column needed no move */
			for (int k = columns; k < g->place.v[c->yes].columns; k++) {
				bool moved = false;
				for (int32_t i = pc - 1; g->code.v[i].kind == CODE_MOVE || g->code.v[i].kind == CODE_WITHIN; i--)
					moved |= g->code.v[i].to == k;
				if (!moved && needs_column(x->needs, c->yes, k))
					want(x, (uint16_t)k, columns);
			}
			return;
		case CODE_DEAD:
			return;
		}
	}
}

static void mark(struct brisk *b, const struct graph *g, const struct needs *needs)
{
	struct marking x = {.b = b, .g = g, .needs = needs};
	for (int32_t i = 0; i < g->place.n; i++) {
		if (g->place.v[i].code)
			VEC_PUSH(x.todo, g->place.v[i].code);
		while (x.todo.n)
			mark_path(&x, i, x.todo.v[--x.todo.n]);
	}
	VEC_FREE(x.todo);
}

/* ---- copying ---- */

static void dice_of(struct brisk *b, const struct graph *g)
{
	for (int i = 0; i < g->lift->die.n; i++) {
		const struct lift_die *d = &g->lift->die.v[i];
		struct brisk_die x = {.label = d->label, .counter = d->counter, .first = g->fell_first[d->counter], .number = i};
		if (d->dice >= 0) {
			const struct dice *f = &g->dice[d->dice];
			x.plain = f->how == KEEP_ALL && !f->explode && f->reroll <= 0 && f->count <= 4;
			x.sides = f->sides;
			x.count = f->count;
			x.add = f->add;
		}
		VEC_PUSH(b->die, x);
	}
}

static uint8_t kind_of(const struct code *c)
{
	switch ((enum code_kind)c->kind) {
	case CODE_CALC: return CALC;
	case CODE_SURE: return c->op == OP_ADD ? ADD : c->op == OP_SUB ? SUB : SURE;
	case CODE_ASIDE: case CODE_MOVE: return MOVE;
	case CODE_WITHIN: return WITHIN;
	case CODE_FALL: return FALL;
	case CODE_ROLL: return ROLL;
	case CODE_TEST: return c->op == OP_LT ? LESS : c->op == OP_LE ? AT_MOST : c->op == OP_EQ ? SAME : TEST;
	case CODE_FIX: return FIX;
	case CODE_GO: return GO;
	case CODE_END: return OVER;
	case CODE_DEAD: break;
	}
	return NOWHERE;
}

/* Copies a way down to its end or its first parting; where it begins. */
static int32_t copy(struct brisk *b, const struct graph *g, int32_t pc)
{
	int32_t begin = b->code.n;
	for (; pc; pc++) {
		struct code c = g->code.v[pc];
		bool always = c.kind == CODE_FALL || c.kind >= CODE_TEST;
		if (!always && !b->wanted[pc])
			continue;
		uint8_t kind = kind_of(&c);
		struct code *last = b->code.n > begin ? &b->code.v[b->code.n - 1] : NULL;
		if (kind == ROLL && last && last->kind == FALL && last->to == c.a) {
			last->kind = CAST;
			last->to = c.to;
			continue;
		}
		c.kind = kind;
		if (kind == GO)
			c.no = (int32_t)g->fuel_of.v[c.no];
		int32_t at = b->code.n;
		VEC_PUSH(b->code, c);
		if (kind == GO || kind == OVER || kind == NOWHERE)
			return begin;
		if (kind == FIX) {
			int32_t first = 0;
			for (int32_t k = c.yes; k; k = g->choice.v[k].next) {
				struct choice x = {g->choice.v[k].value, first, g->choice.v[k].code ? copy(b, g, g->choice.v[k].code) : 0};
				first = b->choice.n;
				VEC_PUSH(b->choice, x);
			}
			b->code.v[at].yes = first;
			return begin;
		}
		if (c.kind == LESS || c.kind == AT_MOST || c.kind == SAME || c.kind == TEST) {
			int32_t yes = c.yes ? copy(b, g, c.yes) : 0, no = c.no ? copy(b, g, c.no) : 0;
			b->code.v[at].yes = yes;
			b->code.v[at].no = no;
			return begin;
		}
	}
	return 0;
}

struct brisk *brisk_new(const struct graph *g)
{
	struct brisk *b = calloc(1, sizeof *b);
	struct needs *needs = needs_new(g);
	if (!b)
		abort();
	needs_find(needs);
	b->wanted = calloc((size_t)g->code.n + 1, 1);
	b->made = calloc(SLOTS, sizeof *b->made);
	b->entry = calloc((size_t)g->place.n + 1, sizeof *b->entry);
	if (!b->wanted || !b->made || !b->entry)
		abort();
	mark(b, g, needs);
	/* the numbers of place 0 */
	for (int32_t pc = 1; g->code.v[pc].kind != CODE_GO; pc++)
		b->wanted[pc] = 1;
	VEC_PUSH(b->code, (struct code){.kind = NOWHERE});
	VEC_PUSH(b->choice, (struct choice){0});
	copy(b, g, 1);
	for (int32_t i = 0; i < g->place.n; i++)
		b->entry[i] = g->place.v[i].code ? copy(b, g, g->place.v[i].code) : 0;
	for (int32_t i = 0; i < b->code.n; i++)
		if (b->code.v[i].kind == GO)
			b->code.v[i].yes = b->entry[b->code.v[i].yes];
	dice_of(b, g);
	free(b->wanted);
	free(b->made);
	free(b->entry);
	b->wanted = NULL;
	b->made = b->entry = NULL;
	needs_free(needs);
	return b;
}

void brisk_free(struct brisk *b)
{
	if (!b)
		return;
	VEC_FREE(b->code);
	VEC_FREE(b->choice);
	VEC_FREE(b->die);
	free(b);
}

/* ---- walking ---- */

static inline word cast(const struct graph *g, const struct brisk_die *d, uint64_t seed, uint64_t trial, uint32_t occurrence)
{
	if (d->plain)
		return seeded_sum(seed, trial, d->label, occurrence, d->count, d->sides, d->add);
	return graph_roll(g, d->number, seed, trial, occurrence);
}

int32_t brisk_walk(const struct brisk *b, struct graph *g, uint64_t seed, uint64_t trial)
{
	word *const v = g->value;
	uint32_t *const fell = g->fell;
	const struct code *const base = b->code.v, *c = base + 1;
	const struct brisk_die *const die = b->die.v;
	uint64_t fuel = 0;
	for (int i = 0; i < b->die.n; i++)
		fell[die[i].counter] = die[i].first;
	for (;;) {
		switch ((enum step_kind_brisk)c->kind) {
		case ADD: v[c->to] = v[c->a] + v[c->b]; c++; break;
		case SUB: v[c->to] = v[c->a] - v[c->b]; c++; break;
		case SURE:
		case CALC: {
			bool bad = false;
			v[c->to] = lift_concrete(c->op, v[c->a], v[c->b], &bad);
			if (bad)
				return -1;
			c++;
			break;
		}
		case MOVE: v[c->to] = v[c->a]; c++; break;
		case WITHIN:
			v[c->to] = v[c->a];
			if ((uint64_t)(v[c->a] + LIFT_FAR) > 2 * (uint64_t)LIFT_FAR)
				return -1;
			c++;
			break;
		case FALL: v[c->to] = fell[die[c->yes].counter]++; c++; break;
		case ROLL: v[c->to] = cast(g, &die[c->yes], seed, trial, (uint32_t)v[c->a]); c++; break;
		case CAST: v[c->to] = cast(g, &die[c->yes], seed, trial, fell[die[c->yes].counter]++); c++; break;
		case LESS: c = base + (v[c->a] < v[c->b] ? c->yes : c->no); break;
		case AT_MOST: c = base + (v[c->a] <= v[c->b] ? c->yes : c->no); break;
		case SAME: c = base + (v[c->a] == v[c->b] ? c->yes : c->no); break;
		case TEST: c = base + (lift_so(c->op, v[c->a], v[c->b]) ? c->yes : c->no); break;
		case FIX: {
			int32_t k = c->yes;
			while (k && b->choice.v[k].value != v[c->a])
				k = b->choice.v[k].next;
			c = base + (k ? b->choice.v[k].code : 0);
			break;
		}
		case GO:
			fuel += (uint32_t)c->no;
			if (fuel > g->fuel)
				return -1;
			c = base + c->yes;
			break;
		case OVER:
			return fuel + g->ending.v[c->yes].fuel > g->fuel ? -1 : c->yes;
		case NOWHERE:
			return -1;
		}
	}
}
