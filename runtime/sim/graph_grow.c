/* graph_grow.c - the tree of a place grows: a world is played on with symbols, and the path it took
 * is added. See graph.h. */
#include <stdlib.h>

#include "runtime/sim/graph.h"
#include "runtime/sim/exact.h"
#include "runtime/vm/machine.h"

static struct code code_of(const struct step *s)
{
	struct code c = {.op = s->op, .to = s->to, .a = s->a, .b = s->b};
	switch ((enum step_kind)s->kind) {
	case STEP_CALC: c.kind = s->checked ? CODE_CALC : CODE_SURE; break;
	case STEP_MOVE: c.kind = s->checked ? CODE_WITHIN : CODE_MOVE; break;
	case STEP_ASIDE: c.kind = CODE_ASIDE; break;
	case STEP_FALL: c.kind = CODE_FALL; c.yes = s->at; break;
	case STEP_ROLL: c.kind = CODE_ROLL; c.yes = s->at; break;
	case STEP_TEST: c.kind = CODE_TEST; break;
	case STEP_FIX: c.kind = CODE_FIX; break;
	}
	return c;
}

/* The way on from a fix for this value: where its number stands; made when there is none. */
static int32_t *way_on(struct graph *g, int32_t at, word value)
{
	int32_t k = g->code.v[at].yes;
	while (k && g->choice.v[k].value != value)
		k = g->choice.v[k].next;
	if (!k) {
		struct choice c = {value, g->code.v[at].yes, 0};
		k = g->choice.n;
		VEC_PUSH(g->choice, c);
		g->code.v[at].yes = k;
	}
	return &g->choice.v[k].code;
}

/* Puts the notes of a run into the tree of the place it came from. */
static void grow(struct graph *g, int32_t place, struct code leaf)
{
	const struct lift *l = g->lift;
	int32_t at = g->place.v[place].code;
	bool known = at != 0;
	if (!known)
		g->place.v[place].code = g->code.n;
	for (int i = 0; i < l->step.n; i++) {
		const struct step *s = &l->step.v[i];
		struct code c = code_of(s);
		if (!known) {
			at = g->code.n;
			VEC_PUSH(g->code, c);
		}
		const struct code *there = &g->code.v[at];
		if (there->kind != c.kind || there->op != c.op || there->to != c.to || there->a != c.a ||
			there->b != c.b) {
			g->broken = true; /* the same way must give the same notes */
			return;
		}
		if (c.kind != CODE_TEST && c.kind != CODE_FIX) {
			at++;
			continue;
		}
		int32_t *on = c.kind == CODE_FIX ? way_on(g, at, s->value)
			: s->value                   ? &g->code.v[at].yes
										 : &g->code.v[at].no;
		known = *on != 0;
		if (!known)
			*on = g->code.n;
		at = *on;
	}
	if (!known)
		VEC_PUSH(g->code, leaf);
}

static struct code end_of(struct graph *g, enum vm_status s)
{
	struct vm *m = g->m;
	const struct program *p = g->p;
	struct ending e = {.slot = g->slots.n, .status = s};
	word values[MEASURES_MAX + 1];
	e.referred = m->w[H_REFERRALS] > 0;
	e.good = s == VM_OVER &&
		(p->measure_fn < 0 || vm_call(m, p->measure_fn, NULL, 0, values, p->measures, false));
	e.unsettled = m->w[H_OUTCOME] == OUTCOME_ROUNDS;
	e.ruling = s == VM_RULING;
	for (int i = 0; i < p->measures && e.good && p->measure_fn >= 0; i++)
		VEC_PUSH(g->slots, lift_slot(m, values[i]));
	e.fuel = g->fuel - m->fuel;
	VEC_PUSH(g->ending, e);
	return (struct code){.kind = CODE_END, .yes = g->ending.n - 1};
}

static void fell_to_world(struct graph *g, const uint32_t *fell)
{
	const struct layout *l = &g->p->layout;
	uint32_t n = (uint32_t)g->p->labels * l->label_owners;
	for (uint32_t i = 0; i < n; i += 2)
		g->m->w[l->labels + i / 2] =
			(word)((uint64_t)fell[i] | (uint64_t)(i + 1 < n ? fell[i + 1] : 0) << 32);
}

/* The notes' moves, done: here[] becomes what the columns of the next place are. */
static void columns_follow(struct graph *g)
{
	const struct lift *l = g->lift;
	for (int i = 0; i < l->constants; i++)
		g->here[SLOTS - 1 - i] = l->constant[i];
	for (int i = 0; i < l->step.n; i++) {
		const struct step *s = &l->step.v[i];
		bool bad = false;
		if (s->kind == STEP_CALC)
			g->here[s->to] = lift_concrete(s->op, g->here[s->a], g->here[s->b], &bad);
		else if (s->kind == STEP_MOVE || s->kind == STEP_ASIDE)
			g->here[s->to] = g->here[s->a];
		else if (s->kind == STEP_ROLL)
			g->here[s->to] = s->value;
	}
}

/* One machine's run from a place to the next. */
static bool explore_one(struct graph *g, int32_t *place)
{
	struct vm *m = g->m;
	struct lift *l = g->lift;
	enum vm_status s;
	struct code leaf;
	bool round = false;
	const uint32_t number = g->p->field[g->p->at.round_number].base;
	for (;;) {
		word before = m->w[number];
		s = lift_go(m);
		if (s != VM_PAUSED && s != VM_SYNC)
			break;
		if (g->settles && vm_settled(m)) {
			s = VM_OVER;
			break;
		}
		round = m->w[number] != before;
		if (l->decisions || round)
			break;
	}
	if (vm_needed(m)) {
		g->lessons++;
		graph_clear(g);
		graph_first_place(g);
		return false;
	}
	g->explored++;
	g->effort += EFFORT_EXPLORE + (g->fuel - m->fuel) * EFFORT_INSTRUCTION;
	if (s == VM_PAUSED || s == VM_SYNC) {
		struct saved now = {0};
		int columns;
		uint64_t fuel = g->fuel - m->fuel;
		if (round)
			vm_forget(m);
		lift_close(m, round, &now, &columns);
		g->effort += (uint64_t)now.n * EFFORT_WORD;
		leaf = (struct code){.kind = CODE_GO, .no = g->fuel_of.n};
		if (!l->failed)
			leaf.yes = graph_place_of(g, &now, columns, round);
		VEC_PUSH(g->fuel_of, fuel);
		free(now.v);
	} else {
		leaf = end_of(g, s);
		if (vm_needed(m)) {
			g->lessons++;
			graph_clear(g);
			graph_first_place(g);
			return false;
		}
	}
	if (l->failed) {
		g->broken = true;
		return false;
	}
	grow(g, *place, leaf);
	g->place.v[*place].grown = g->explored;
	columns_follow(g);
	*place = leaf.kind == CODE_GO ? leaf.yes : -1;
	return !g->broken;
}

bool graph_is_dear(const struct graph *g)
{
	return g->dear && (g->explored - g->lately.explored) * g->p->layout.words >= g->dear;
}

bool graph_meet_seldom(const struct graph *g)
{
	return g->lately.known * 20 < g->lately.trials &&
		(g->explored - g->lately.explored) * 3 > g->lately.passed;
}

bool graph_explore(struct graph *g, int32_t place, uint64_t seed, uint64_t trial)
{
	fell_to_world(g, g->fell_here);
	while (place >= 0 && !g->full && !g->broken) {
		const struct place *x = &g->place.v[place];
		/* the pool may move while the machine is read, and only then */
		struct saved s = {g->pool + x->at, x->n, x->n};
		lift_open(g->m, g->lift, &s, x->columns, g->here);
		g->m->w[H_SEED] = (word)seed;
		g->m->w[H_TRIAL] = (word)trial;
		g->m->fuel = g->fuel;
		bool found = explore_one(g, &place);
		lift_stop(g->m);
		if (!found)
			return false;
		if (graph_size(g) > g->most)
			g->full = true;
		if ((graph_is_dear(g) && graph_meet_seldom(g)) ||
			(g->effort_most &&
				g->effort >
					g->effort_most)) /* of a large fight one trial is too much */
			g->idle = true;
		if (g->idle || (place >= 0 && g->place.v[place].code))
			break;
	}
	return !g->broken;
}
