/* gen_time.c - the whole encounter: its phases, its rounds, and the functions they ask for. */

#include "lang/gen/gen.h"

static bool event_idle(struct gen *g, int event)
{
	const struct mevent *e = &g->m->event.v[event];
	for (int s = 0; s < 4; s++)
		for (int i = 0; i < e->clause[s].n; i++)
			if (g->m->clause.v[e->clause[s].v[i]].in_force)
				return false;
	return true;
}

static void gen_over(struct gen *g)
{
	if (over_fn(g) < 0)
		return;
	int mark = g->top;
	int window = regs(g, 3);
	gen_ended(g, window);
	g->top = mark;
}

static void gen_phase(struct gen *g, sym name)
{
	int event = model_phase(g->m, name);
	if (event < 0 || event_idle(g, event))
		return;
	struct phase_info p = {gen_text(g, name), perform_fn(g, event)};
	VEC_PUSH(g->phase, p);
	emit_wide(g, OP_PHASE, 0, g->phase.n - 1);
	int window = regs(g, 3);
	gen_call(g, p.fn, window);
	gen_over(g);
	g->top = window;
}

/* The round is over: what still is pending, and by the rules belongs to this round alone, is left over. */
static void gen_left_over(struct gen *g)
{
	const int left = model_question_of(g->m, KIND_ACT, model_sym(g->m, "left over"), true);
	struct jumps next = {{0}, 0};
	if (left < 0)
		return;
	const int mark = g->top, act = regs(g, 1), limit = regs(g, 1), window = regs(g, 3);
	emit(g, OP_SERIAL, limit, 0, 0);
	emit_const(g, act, NONE);
	const int again = here(g);
	emit(g, OP_LISTED, act, act, limit);
	const int end = emit_jump(g, OP_JNONE, act);
	emit(g, OP_MOVE, window + 2, act, 0);
	gen_question(g, left, window);
	jumps_add(g, &next, emit_jump(g, OP_JZ, window));
	emit(g, OP_CANCEL, act, 1, 0);
	jumps_here(g, &next);
	jump_back(g, again);
	jump_here(g, end);
	g->top = mark;
}

/* What is done before anything else of a round, its block's edits included. */
static void gen_new_round(struct gen *g)
{
	const int event = model_event(g->m, g->m->w.new_round);
	if (event < 0 || event_idle(g, event))
		return;
	const int window = regs(g, 3);
	gen_call(g, perform_fn(g, event), window);
	gen_settle(g, window);
	g->top = window;
}

/* A new round may make a condition true by itself: `whenever round's number = 3`. */
static void gen_round_conditions(struct gen *g)
{
	const int mark = g->top;
	if (whenever_by_rounds(g))
		gen_settle(g, regs(g, 3));
	g->top = mark;
}

static void gen_rounds(struct gen *g)
{
	struct jumps end = {{0}, 0};
	int r = regs(g, 1);
	int again = here(g);
	emit(g, OP_ROUNDS, r, 0, 0);
	jumps_add(g, &end, emit_jump(g, OP_JZ, r));
	gen_round_conditions(g);
	gen_new_round(g);
	if (moment_fn(g) >= 0) {
		int window = regs(g, 3);
		gen_call(g, moment_fn(g), window);
		g->top = window;
	}
	gen_lines_begin(g);
	for (struct node *p = g->m->sequence_round ? g->m->sequence_round->a : NULL; p; p = p->next)
		gen_phase(g, p->name);
	gen_lines_end(g, LEFT_ROUND);
	gen_left_over(g);
	emit(g, OP_ENDROUND, 0, 0, 0);
	gen_over(g);
	jump_back(g, again);
	jumps_here(g, &end);
	g->top = r;
}

void gen_main(struct gen *g)
{
	struct model *m = g->m;
	g->order_main = order_new(g, "acts");
	gen_main_keys(g, g->order_main);
	gen_pairs(g, g->order_main);
	g->p->main_fn = fn_new(g, "the encounter", m->encounter.v[g->encounter].node->at);
	fn_begin(g, g->p->main_fn, 0);
	int window = regs(g, 3);
	int set_up = model_event(m, model_sym(m, "set up"));
	if (set_up >= 0)
		gen_call(g, perform_fn(g, set_up), window);
	gen_settle(g, window);
	if (g->observed) /* edits are no rule's */
		emit_wide(g, OP_WHY, 0, -1);
	if (moment_fn(g) >= 0)
		gen_call(g, moment_fn(g), window);
	emit_wide(g, OP_PAUSE, 0, g->observed ? 1 : 0);
	gen_lines_begin(g);
	for (struct node *p = m->sequence_encounter ? m->sequence_encounter->a : NULL; p; p = p->next) {
		if (p->name == m->w.rounds) {
			gen_rounds(g);
			continue;
		}
		gen_phase(g, p->name);
		gen_lines_end(g, LEFT_ROUND);
	}
	if (!m->sequence_encounter)
		gen_rounds(g);
	gen_lines_end(g, LEFT_SCRIPT);
	emit(g, OP_HALT, 0, 0, 0);
	fn_end(g, 0);
	gen_pending(g);
	if (g->fn_whenever >= 0)
		gen_whenever_fn(g);
	gen_pending(g);
	gen_nested_orders(g);
	gen_pending(g);
	if (g->fn_group >= 0) /* by now it is known of which events there are acts */
		gen_group_fn(g);
	if (g->fn_untaken >= 0 && !g->apart)
		gen_untaken_fn(g);
	if (g->fn_one >= 0)
		gen_one_fn(g);
	gen_pending(g);
}
