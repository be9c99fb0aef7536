/* graph.c - places found, trees of steps grown, trials walked. */
#include "runtime/sim/graph.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/sim/graph_opt.h"
#include "runtime/sim/exact.h"
#include "runtime/vm/machine.h"

enum {
	LEARNT = 16,
	LEARNT_MOST = 600000 /* instructions, about */,
	LEARNT_FIGHT = 4000000,
	JUDGED_FIRST = 64,
	BRISK_FIRST = 256,
	LARGE = 50000 /* instructions a round */
};

/* ---- made and taken apart ---- */

/* What a round reads of the one before it, found in some fights of a sample. */
static void learn(struct graph *g)
{
	vm_forget_open(g->m);
	vm_forget_mode(g->m, FORGET_LEARN);
	uint64_t spent = 0;
	for (uint64_t t = 0; t < LEARNT && spent < LEARNT_MOST; t++) {
		uint64_t most = LEARNT_FIGHT < g->fuel ? LEARNT_FIGHT : g->fuel;
		if (g->start)
			vm_begin_at(g->m, g->start, 1, t);
		else
			vm_begin(g->m, 1, t, g->max_rounds);
		g->m->fuel = most;
		if (vm_run(g->m) == VM_OVER && g->p->measure_fn >= 0) {
			word values[MEASURES_MAX + 1];
			vm_call(g->m, g->p->measure_fn, NULL, 0, values, g->p->measures, false);
		}
		spent += most - g->m->fuel;
		word rounds = vm_block(g->m)[g->p->field[g->p->at.round_number].base];
		g->large |= t == 0 &&
			(most - g->m->fuel) / (uint64_t)(rounds < 1 ? 1 : rounds) > LARGE;
	}
}

static void counters(struct graph *g)
{
	const struct layout *l = &g->p->layout;
	g->falls = ((uint32_t)g->p->labels + 1) * l->label_owners + 2;
	g->fell = calloc(g->falls, sizeof *g->fell);
	g->fell_first = calloc(g->falls, sizeof *g->fell_first);
	g->fell_here = calloc(g->falls, sizeof *g->fell_here);
	g->drawn = malloc(g->falls * sizeof *g->drawn);
	if (!g->fell || !g->fell_first || !g->fell_here || !g->drawn)
		abort();
	draw_none(g->drawn, g->falls);
	const word *from = g->start ? g->start : g->p->start;
	for (uint32_t i = 0; i < (uint32_t)g->p->labels * l->label_owners; i++)
		g->fell_first[i] = (uint32_t)((uint64_t)from[l->labels + i / 2] >> (i % 2 * 32));
}

struct graph *graph_new(const struct program *p, const word *start, int64_t max_rounds, uint64_t fuel, size_t most)
{
	struct vm_host host = {0};
	if (!lift_can(p))
		return NULL;
	struct graph *g = calloc(1, sizeof *g);
	if (!g)
		abort();
	host.fuel = fuel;
	g->p = p;
	g->start = start;
	g->max_rounds = max_rounds;
	g->m = vm_new(p, &host);
	g->live = live_new(p);
	g->lift = lift_new(p);
	g->value = calloc(SLOTS, sizeof *g->value);
	g->here = calloc(SLOTS, sizeof *g->here);
	g->dice = calloc((size_t)p->dices + 1, sizeof *g->dice);
	if (!g->value || !g->here || !g->dice)
		abort();
	memcpy(g->dice, g->m->dice, (size_t)p->dices * sizeof *g->dice);
	g->most = most;
	g->judged = JUDGED_FIRST;
	g->brisk_next = BRISK_FIRST;
	g->fuel = fuel ? fuel : 400000000;
	counters(g);
	learn(g);
	graph_clear(g);
	return g;
}

void graph_clear(struct graph *g)
{
	g->place.n = g->at.n = g->choice.n = g->ending.n = g->slots.n = g->fuel_of.n = 0;
	g->code.n = 0;
	VEC_PUSH(g->code, (struct code){.kind = CODE_DEAD});
	VEC_PUSH(g->choice, (struct choice){0});
	g->used = 0;
	brisk_free(g->brisk);
	g->brisk = NULL;
	if (g->find)
		memset(g->find, 0, g->room * sizeof *g->find);
}

void graph_free(struct graph *g)
{
	if (!g)
		return;
	VEC_FREE(g->place);
	VEC_FREE(g->at);
	VEC_FREE(g->code);
	VEC_FREE(g->fuel_of);
	VEC_FREE(g->choice);
	VEC_FREE(g->ending);
	VEC_FREE(g->slots);
	free(g->find);
	free(g->pool);
	free(g->value);
	free(g->here);
	free(g->dice);
	free(g->fell);
	free(g->fell_first);
	free(g->fell_here);
	free(g->drawn);
	brisk_free(g->brisk);
	lift_free(g->lift);
	live_free(g->live);
	vm_free(g->m);
	free(g);
}

size_t graph_size(const struct graph *g)
{
	return g->size * sizeof *g->pool + (size_t)g->code.cap * sizeof *g->code.v + (size_t)g->place.cap * sizeof *g->place.v +
	       (size_t)g->choice.cap * sizeof *g->choice.v + g->room * sizeof *g->find;
}

/* ---- places ---- */

static void rehash(struct graph *g)
{
	g->room = g->room ? 2 * g->room : 256;
	free(g->find);
	g->find = calloc(g->room, sizeof *g->find);
	if (!g->find)
		abort();
	for (int i = 0; i < g->place.n; i++) {
		uint32_t k = (uint32_t)g->place.v[i].hash & (g->room - 1);
		while (g->find[k])
			k = (k + 1) & (g->room - 1);
		g->find[k] = i + 1;
	}
}

int32_t graph_place_of(struct graph *g, const struct saved *s, int columns, bool round)
{
	uint64_t hash = hash_bytes(s->v, (size_t)s->n * sizeof *s->v, 0);
	if (2 * ((uint32_t)g->place.n + 1) > g->room)
		rehash(g);
	uint32_t k = (uint32_t)hash & (g->room - 1);
	for (; g->find[k]; k = (k + 1) & (g->room - 1)) {
		const struct place *x = &g->place.v[g->find[k] - 1];
		if (x->hash == hash && x->n == s->n && !memcmp(g->pool + x->at, s->v, (size_t)s->n * sizeof *s->v))
			return g->find[k] - 1;
	}
	if (g->used + (size_t)s->n > g->size) {
		g->size = 2 * g->size + (size_t)s->n + 4096;
		g->pool = realloc(g->pool, g->size * sizeof *g->pool);
		if (!g->pool)
			abort();
	}
	struct place x = {.hash = hash, .at = g->used, .n = s->n, .columns = columns, .where = g->at.n, .grown = g->explored, .round = round};
	for (int i = 0; i < columns; i++)
		VEC_PUSH(g->at, g->lift->at.v[i]);
	memcpy(g->pool + g->used, s->v, (size_t)s->n * sizeof *s->v);
	g->used += (size_t)s->n;
	VEC_PUSH(g->place, x);
	g->find[k] = g->place.n;
	return g->place.n - 1;
}

void graph_first_place(struct graph *g)
{
	struct saved s = {0};
	int columns;
	if (g->start)
		vm_begin_at(g->m, g->start, 0, 0);
	else
		vm_begin(g->m, 0, 0, g->max_rounds);
	g->m->live = g->live;
	g->m->resolved = false;
	vm_forget_mode(g->m, FORGET_MARK);
	lift_begin(g->m, g->lift);
	/* its columns are numbers known beforehand: they stand in value[] when a walk begins */
	lift_close(g->m, false, &s, &columns);
	graph_place_of(g, &s, columns, false);
	for (int i = 0; i < g->lift->step.n; i++) {
		const struct step *x = &g->lift->step.v[i];
		VEC_PUSH(g->code, (struct code){.kind = CODE_MOVE, .to = x->to, .a = x->a});
	}
	VEC_PUSH(g->code, (struct code){.kind = CODE_GO, .yes = 0, .no = 0});
	VEC_PUSH(g->fuel_of, 0);
	lift_stop(g->m);
	free(s.v);
	g->broken |= g->lift->failed;
}

/* ---- walking ---- */

int64_t graph_roll(const struct graph *g, int32_t die, uint64_t seed, uint64_t trial, uint32_t occurrence)
{
	const struct lift_die *d = &g->lift->die.v[die];
	struct dice_ask ask = {.seed = seed, .trial = trial, .label = d->label, .occurrence = occurrence};
	if (d->dice >= 0) {
		ask.dice = &g->dice[d->dice];
	} else {
		ask.num = frac_top(d->chance);
		ask.den = frac_bottom(d->chance);
	}
	return seeded_total(&ask);
}

enum { LOST = -1, UNKNOWN = -2 };

static inline bool test(enum op op, word a, word b)
{
	switch (op) {
	case OP_LT: return a < b;
	case OP_LE: return a <= b;
	case OP_EQ: return a == b;
	default: return lift_so(op, a, b);
	}
}

static inline word sure(enum op op, word a, word b)
{
	bool bad = false;
	switch (op) {
	case OP_ADD: return a + b;
	case OP_SUB: return a - b;
	case OP_MUL: return a * b;
	case OP_MAX: return a > b ? a : b;
	case OP_MIN: return a < b ? a : b;
	default: return lift_concrete(op, a, b, &bad);
	}
}

/* Through what is known: the ending's number, LOST where a machine must play, UNKNOWN with
 * *at the place whose tree is not whole. With `careful` here[] says how it was come to. */
static inline int32_t walk(struct graph *g, uint64_t seed, uint64_t trial, bool careful, int32_t *at)
{
	word *v = g->value;
	const struct code *base = g->code.v;
	int32_t pc = 1;
	uint64_t fuel = 0;
	for (;;) {
		const struct code *c = &base[pc];
		switch ((enum code_kind)c->kind) {
		case CODE_SURE:
			v[c->to] = sure((enum op)c->op, v[c->a], v[c->b]);
			pc++;
			break;
		case CODE_CALC: {
			bool bad = false;
			v[c->to] = lift_concrete(c->op, v[c->a], v[c->b], &bad);
			if (bad)
				return LOST;
			pc++;
			break;
		}
		case CODE_ASIDE:
		case CODE_MOVE:
			v[c->to] = v[c->a];
			pc++;
			break;
		case CODE_WITHIN:
			v[c->to] = v[c->a];
			if ((uint64_t)(v[c->a] + LIFT_FAR) > 2 * (uint64_t)LIFT_FAR)
				return LOST;
			pc++;
			break;
		case CODE_FALL:
			v[c->to] = g->fell[g->lift->die.v[c->yes].counter]++;
			pc++;
			break;
		case CODE_ROLL:
			v[c->to] = graph_roll(g, c->yes, seed, trial, (uint32_t)v[c->a]);
			pc++;
			break;
		case CODE_TEST:
			pc = test((enum op)c->op, v[c->a], v[c->b]) ? c->yes : c->no;
			break;
		case CODE_FIX: {
			int32_t k = c->yes;
			while (k && g->choice.v[k].value != v[c->a])
				k = g->choice.v[k].next;
			pc = k ? g->choice.v[k].code : 0;
			break;
		}
		case CODE_GO: {
			const struct place *x = &g->place.v[c->yes];
			fuel += g->fuel_of.v[c->no];
			if (fuel > g->fuel)
				return LOST;
			*at = c->yes;
			g->lately.passed++;
			pc = x->code;
			if (careful) {
				memcpy(g->here, v, (size_t)x->columns * sizeof *v);
				memcpy(g->fell_here, g->fell, g->falls * sizeof *g->fell);
			}
			break;
		}
		case CODE_END:
			return fuel + g->ending.v[c->yes].fuel > g->fuel ? LOST : c->yes;
		case CODE_DEAD:
			return UNKNOWN;
		}
	}
}

void graph_first(struct graph *g, word *value)
{
	if (g->place.n == 0)
		graph_first_place(g);
	for (; g->constants < g->lift->constants; g->constants++)
		g->value[SLOTS - 1 - g->constants] = g->lift->constant[g->constants];
	for (int32_t pc = 1; g->code.v[pc].kind != CODE_GO; pc++)
		value[g->code.v[pc].to] = g->value[g->code.v[pc].a];
}

static void set_out(struct graph *g)
{
	memcpy(g->fell, g->fell_first, g->falls * sizeof *g->fell);
	for (; g->constants < g->lift->constants; g->constants++)
		g->value[SLOTS - 1 - g->constants] = g->lift->constant[g->constants];
}

/* Do fights come to places that are known? If not, they are better played by a machine. */
static void judge(struct graph *g, bool known)
{
	g->lately.known += known;
	uint64_t n = ++g->lately.trials;
	if (n < g->judged && !g->full && !graph_is_dear(g))
		return;
	if (graph_meet_seldom(g) || (g->judged > 1000 && g->lately.known * 4 < n) ||
		(g->full && n >= JUDGED_FIRST && g->lately.known * 2 < n))
		g->idle = true;
	if (n < g->judged)
		return;
	memset(&g->lately, 0, sizeof g->lately);
	g->lately.explored = g->explored;
	g->judged *= 2;
}

static const struct ending *ended(struct graph *g, int32_t end, word *values)
{
	const struct ending *e = &g->ending.v[end];
	for (int i = 0; e->good && i < g->p->measures; i++)
		values[i] = g->value[g->slots.v[e->slot + i]];
	return e;
}

/* Walks what is known, the short way; made again when there is more to know. */
static int32_t walk_briskly(struct graph *g, uint64_t seed, uint64_t trial, word *values)
{
	if (++g->trials == g->brisk_next) {
		g->brisk_next *= 4;
		if (g->explored != g->brisk_explored) {
			brisk_free(g->brisk);
			g->brisk = brisk_new(g);
			g->brisk_explored = g->explored;
			for (; g->constants < g->lift->constants; g->constants++)
				g->value[SLOTS - 1 - g->constants] = g->lift->constant[g->constants];
		}
	}
	return g->brisk ? brisk_walk(g->brisk, g, seed, trial, values) : -1;
}

const struct ending *graph_trial(struct graph *g, uint64_t seed, uint64_t trial, word *values)
{
	int32_t at = 0, end;
	if (g->broken || g->idle)
		return NULL;
	if (g->place.n == 0)
		graph_first_place(g);
	if ((end = walk_briskly(g, seed, trial, values)) >= 0) {
		g->lately.trials++;
		g->lately.known++;
		return &g->ending.v[end];
	}
	bool first_try = true;
	for (int tries = 0;; tries++) {
		set_out(g);
		end = walk(g, seed, trial, false, &at);
		if (end != UNKNOWN)
			break;
		if (first_try)
			judge(g, false);
		first_try = false;
		if (g->full || g->idle || tries > 2000)
			return NULL;
		set_out(g);
		uint64_t passed = g->lately.passed;
		walk(g, seed, trial, true, &at);
		g->lately.passed = passed;
		if (!graph_explore(g, at, seed, trial) && (g->broken || g->full))
			return NULL;
	}
	if (end == LOST)
		return NULL;
	if (first_try)
		judge(g, true);
	return ended(g, end, values);
}
