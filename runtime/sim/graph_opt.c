/* graph_opt.c - trees copied without their dead wood.
 *
 * A tree is gone down once to mark what is asked for: from each test, fix, measure and
 * column that matters, back to what made it. What is not marked is left out. A number that
 * stands at a word of the world has one slot at all places, so that it need not be moved
 * from one to the next. */
#include "runtime/sim/graph_opt.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/dice/draw.h"
#include "runtime/sim/live_columns.h"

enum step_kind_brisk {
	NOWHERE, /* not known: index 0 */
	ADD, SUB, TIMES, CALC, SURE, MOVE, WITHIN, FALL, ROLL, CAST, /* CAST: falls and is rolled */
	LESS, AT_MOST, SAME, TEST, FIX, GO, OVER
};

struct brisk_die { uint64_t label; uint32_t counter, first; int32_t number; int sides, count, add; bool plain, lone; };

struct brisk {
	VEC(struct code) code;
	VEC(struct choice) choice;
	VEC(struct brisk_die) die;
	VEC(uint16_t) slots;     /* of measures */
	int32_t *entry;          /* by place */
	uint16_t *column;        /* by place and column: its slot */
	int temps;               /* first slot behind the columns, after some to put things aside */
	bool too_big;
	uint8_t *wanted;         /* by code of the graph */
	int32_t *made;           /* by slot: the code that made it, on the way being gone down */
	int constants;
};

/* ---- marking ---- */

struct marking { struct brisk *b; const struct graph *g; const struct wants *wants; VEC(int32_t) todo; };

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
			if (wants_column(x->wants, g->code.v[end].yes, c->to)) {
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
				if (!moved && wants_column(x->wants, c->yes, k))
					want(x, (uint16_t)k, columns);
			}
			return;
		case CODE_DEAD:
			return;
		}
	}
}

static void mark(struct brisk *b, const struct graph *g, const struct wants *wants)
{
	struct marking x = {.b = b, .g = g, .wants = wants};
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
			x.plain = dice_plain(f) && f->count <= SUM_MOST;
			x.lone = dice_plain(f) && f->count == 1;
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
	case CODE_SURE: return c->op == OP_ADD ? ADD : c->op == OP_SUB ? SUB : c->op == OP_MUL ? TIMES : SURE;
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

enum { ASIDES = 8 };

/* Slots for columns: one a word of the world, some for what stands elsewhere. */
static void slots_of(struct brisk *b, const struct graph *g)
{
	int32_t *home = calloc(g->p->layout.acts + 1, sizeof *home);
	int homes = 0, others = 0, most = 0;
	if (!home)
		abort();
	for (int i = 0; i < g->at.n; i++)
		if (g->at.v[i] && !home[g->at.v[i]])
			home[g->at.v[i]] = ++homes;
	for (int i = 0; i < g->place.n; i++) {
		const struct place *x = &g->place.v[i];
		int other = 0;
		for (int k = x->where; k < x->where + x->columns; k++)
			b->column[k] = (uint16_t)(g->at.v[k] ? home[g->at.v[k]] - 1 : homes + other++);
		others = other > others ? other : others;
		most = x->columns > most ? x->columns : most;
	}
	b->temps = homes + others + ASIDES;
	b->too_big = b->temps + g->lift->most + g->lift->constants >= SLOTS - 1;
	free(home);
}

static uint16_t slot_at(const struct brisk *b, const struct graph *g, int32_t place, uint16_t slot)
{
	int columns = place < 0 ? 0 : g->place.v[place].columns;
	if (slot >= SLOTS - g->lift->constants)
		return slot;
	return slot < columns ? b->column[g->place.v[place].where + slot] : (uint16_t)(b->temps + slot - columns);
}

struct move { uint16_t to, from; bool within; };

static void put_move(struct brisk *b, uint16_t to, uint16_t from, bool within)
{
	VEC_PUSH(b->code, (struct code){.kind = within ? WITHIN : MOVE, .to = to, .a = from});
}

/* All moves at once, one after another. */
static void put_moves(struct brisk *b, struct move *v, int n)
{
	int asides = 0;
	while (n > 0) {
		int free = -1;
		for (int i = 0; i < n && free < 0; i++) {
			bool read = false;
			for (int k = 0; k < n; k++)
				read |= k != i && v[k].from == v[i].to;
			if (!read)
				free = i;
		}
		if (free < 0) { /* a ring */
			if (asides == ASIDES) {
				b->too_big = true;
				return;
			}
			uint16_t put = (uint16_t)(b->temps - 1 - asides++), from = v[0].to;
			put_move(b, put, from, false);
			for (int k = 0; k < n; k++)
				if (v[k].from == from)
					v[k].from = put;
			continue;
		}
		put_move(b, v[free].to, v[free].from, v[free].within);
		v[free] = v[--n];
	}
}

/* From the first of the moves before a GO: those that matter there. */
static void put_go(struct brisk *b, const struct graph *g, const struct wants *wants, int32_t place, int32_t pc)
{
	int32_t end = pc;
	while (g->code.v[end].kind != CODE_GO)
		end++;
	const struct place *x = &g->place.v[g->code.v[end].yes];
	struct move *move = malloc(((size_t)x->columns + 1) * sizeof *move);
	int n = 0;
	if (!move)
		abort();
	for (int k = 0; k < x->columns; k++) {
		uint16_t from = (uint16_t)k;
		bool within = false;
		if (!wants_column(wants, g->code.v[end].yes, k))
			continue;
		for (int32_t i = pc; i < end; i++)
			if (g->code.v[i].to == k) {
				from = g->code.v[i].a;
				within = g->code.v[i].kind == CODE_WITHIN;
			}
		for (int32_t i = pc - 1; g->code.v[i].kind == CODE_ASIDE; i--)
			if (g->code.v[i].to == from) {
				from = g->code.v[i].a;
				break;
			}
		struct move m = {b->column[x->where + k], slot_at(b, g, place, from), within};
		if (m.to != m.from || within)
			move[n++] = m;
	}
	put_moves(b, move, n);
	free(move);
	VEC_PUSH(b->code, (struct code){.kind = GO, .yes = g->code.v[end].yes, .no = (int32_t)g->fuel_of.v[g->code.v[end].no]});
}

struct copying { struct brisk *b; const struct graph *g; const struct wants *wants; int32_t place; };

/* Copies a way down to its end or its first parting; where it begins. */
static int32_t copy(const struct copying *x, int32_t pc)
{
	struct brisk *b = x->b;
	const struct graph *g = x->g;
	int32_t begin = b->code.n;
	for (; pc; pc++) {
		struct code c = g->code.v[pc];
		bool always = c.kind == CODE_FALL || c.kind >= CODE_TEST;
		if (c.kind == CODE_MOVE || c.kind == CODE_WITHIN || c.kind == CODE_GO) {
			put_go(b, g, x->wants, x->place, pc);
			return begin;
		}
		if (c.kind == CODE_ASIDE || (!always && !b->wanted[pc]))
			continue;
		if (c.kind < CODE_TEST)
			c.to = slot_at(b, g, x->place, c.to);
		if (c.kind != CODE_FALL && c.kind < CODE_GO) {
			c.a = slot_at(b, g, x->place, c.a);
			if (c.kind != CODE_ROLL && c.kind != CODE_FIX)
				c.b = slot_at(b, g, x->place, c.b);
		}
		uint8_t kind = kind_of(&c);
		struct code *last = b->code.n > begin ? &b->code.v[b->code.n - 1] : NULL;
		if (kind == ROLL && last && last->kind == FALL && last->to == c.a) {
			last->kind = CAST;
			last->to = c.to;
			continue;
		}
		c.kind = kind;
		int32_t at = b->code.n;
		if (kind == OVER) {
			const struct ending *e = &g->ending.v[c.yes];
			c.no = b->slots.n;
			for (int i = 0; e->good && g->p->measure_fn >= 0 && i < g->p->measures; i++)
				VEC_PUSH(b->slots, slot_at(b, g, x->place, g->slots.v[e->slot + i]));
		}
		VEC_PUSH(b->code, c);
		if (kind == OVER || kind == NOWHERE)
			return begin;
		if (kind == FIX) {
			int32_t first = 0;
			for (int32_t k = c.yes; k; k = g->choice.v[k].next) {
				struct choice way = {g->choice.v[k].value, first, g->choice.v[k].code ? copy(x, g->choice.v[k].code) : 0};
				first = b->choice.n;
				VEC_PUSH(b->choice, way);
			}
			b->code.v[at].yes = first;
			return begin;
		}
		if (kind == LESS || kind == AT_MOST || kind == SAME || kind == TEST) {
			int32_t yes = c.yes ? copy(x, c.yes) : 0, no = c.no ? copy(x, c.no) : 0;
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
	struct wants *wants = wants_new(g);
	if (!b)
		abort();
	wants_find(wants);
	b->wanted = calloc((size_t)g->code.n + 1, 1);
	b->made = calloc(SLOTS, sizeof *b->made);
	b->entry = calloc((size_t)g->place.n + 1, sizeof *b->entry);
	b->column = calloc((size_t)g->at.n + 1, sizeof *b->column);
	if (!b->wanted || !b->made || !b->entry || !b->column)
		abort();
	mark(b, g, wants);
	slots_of(b, g);
	VEC_PUSH(b->code, (struct code){.kind = NOWHERE});
	VEC_PUSH(b->choice, (struct choice){0});
	put_go(b, g, wants, -1, 1);
	for (int32_t i = 0; i < g->place.n && !b->too_big; i++) {
		struct copying x = {b, g, wants, i};
		b->entry[i] = g->place.v[i].code ? copy(&x, g->place.v[i].code) : 0;
	}
	for (int32_t i = 0; i < b->code.n; i++)
		if (b->code.v[i].kind == GO)
			b->code.v[i].yes = b->entry[b->code.v[i].yes];
	dice_of(b, g);
	free(b->wanted);
	free(b->made);
	free(b->entry);
	free(b->column);
	b->wanted = NULL;
	b->made = b->entry = NULL;
	b->column = NULL;
	wants_free(wants);
	if (b->too_big) {
		brisk_free(b);
		return NULL;
	}
	return b;
}

void brisk_free(struct brisk *b)
{
	if (!b)
		return;
	VEC_FREE(b->code);
	VEC_FREE(b->choice);
	VEC_FREE(b->die);
	VEC_FREE(b->slots);
	free(b);
}

/* ---- walking ---- */

static inline word cast(struct graph *g, const struct brisk_die *d, uint64_t seed, uint64_t trial, uint32_t occurrence)
{
	if (d->lone) {
		struct draw_block *drawn = &g->drawn[d->counter];
		if (!draw_has(drawn, trial, occurrence))
			draw_fill(drawn, seed, d->label, trial, occurrence);
		int64_t face = draw_face(drawn, occurrence, (uint32_t)d->sides);
		if (face >= 0)
			return face + 1 + d->add;
	}
	if (d->plain)
		return seeded_sum(seed, trial, d->label, occurrence, d->count, d->sides, d->add);
	return graph_roll(g, d->number, seed, trial, occurrence);
}

int32_t brisk_walk(const struct brisk *b, struct graph *g, uint64_t seed, uint64_t trial, word *values)
{
	word *const v = g->value;
	uint32_t *const fell = g->fell;
	const struct code *const base = b->code.v, *c = base + 1;
	const struct brisk_die *const die = b->die.v;
	uint64_t fuel = 0;
	if (g->drawn_seed != seed) {
		draw_none(g->drawn, g->falls);
		g->drawn_seed = seed;
	}
	for (int i = 0; i < b->die.n; i++)
		fell[die[i].counter] = die[i].first;
	for (;;) {
		switch ((enum step_kind_brisk)c->kind) {
		case ADD: v[c->to] = v[c->a] + v[c->b]; c++; break;
		case SUB: v[c->to] = v[c->a] - v[c->b]; c++; break;
		case TIMES: v[c->to] = v[c->a] * v[c->b]; c++; break;
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
			if (fuel + g->ending.v[c->yes].fuel > g->fuel)
				return -1;
			if (g->ending.v[c->yes].good)
				for (int i = 0; i < g->p->measures; i++)
					values[i] = v[b->slots.v[c->no + i]];
			return c->yes;
		case NOWHERE:
			return -1;
		default:
			__builtin_unreachable(); /* made above, each kind by name */
		}
	}
}
