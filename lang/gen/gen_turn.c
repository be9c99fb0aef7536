/* gen_turn.c - acts that happen at once and cannot interfere, done in turn.
 *
 *   resolve by 0 { each combatant where combatant is able { pend declare (combatant) at round's start } }
 *
 * Where nobody looks on, such a list is gone through without an act for everybody: one is declared, pended and chosen
 * as ever, and then it is everybody's in turn. Whether that comes to the same is found in the code once it is
 * complete (runtime/code/commute.h): TURNS says so, and else the list is resolved as any other. */
#include "lang/gen/gen.h"

/* The only thing such a list does, if it pends one event for each of some, who acts in it; or NULL. */
static const struct node *pends_in_turn(const struct gen *g, const struct node *n)
{
	const struct node *each = n->b->a;
	if (g->observed || g->watch.n > 0 || g->p->at.beat >= 0 || n->a->next || n->a->a->kind != N_KIND_E_NUM)
		return NULL;
	if (!each || each->next || each->kind != N_KIND_S_EACH || !each->b->a || each->b->a->next)
		return NULL;
	const struct node *pend = each->b->a;
	if (pend->kind != N_KIND_S_PEND || pend->b || pend->a->ref_kind != REF_EVENT || pend->a->kind != N_KIND_E_CALL)
		return NULL;
	const struct mevent *e = &g->m->event.v[pend->a->ref];
	const struct node *who = pend->a->b;
	if (e->roles != 1 || e->role[0].field < 0 || !who || who->next || who->kind != N_KIND_E_NAME || who->name != each->name)
		return NULL;
	return pend;
}

/* The act is this one's, at his time. */
static void gen_turn_of(struct gen *g, int act, int who, struct node *time)
{
	emit(g, OP_STF, act, who, g->p->at.act_actor);
	emit(g, OP_STF, act, gen_expr(g, time, -1), link_field(g, model_field(g->m, KIND_ACT, model_sym(g->m, "due"))));
}

/* It begins as any act would; jumps out, with nothing done, if it has no time: the group's would be that of another. */
static void gen_first(struct gen *g, int act, int event, int who, struct node *time, int size, int window, struct jumps *whole)
{
	emit_wide(g, OP_ACT, act, event_index(g, event));
	gen_turn_of(g, act, who, time);
	emit(g, OP_MOVE, window + 2, act, 0);
	gen_question(g, g->p->at.act_time_question, window);
	const int timed = emit_jump(g, OP_JSOME, window);
	emit(g, OP_FREE, act, 0, 0);
	jumps_add(g, whole, emit_jump(g, OP_JMP, 0));
	jump_here(g, timed);
	emit(g, OP_PEND, act, 0, 0);
	emit_const(g, window, NONE);
	emit(g, OP_GROUP, size, window, 0);
	emit(g, OP_ONLY, act, 0,
		0); /* that same one, of which dead_stores.c can tell now that it is being performed */
}

bool gen_in_turn(struct gen *g, struct node *n, struct jumps *whole)
{
	const struct node *pend = pends_in_turn(g, n);
	const int void_question = model_question_of(g->m, KIND_ACT, g->m->w.void_, true);
	if (!pend || !pend->c || void_question < 0 || g->p->at.act_time_question < 0 || g->m->field.v[model_field(g->m, KIND_ACT, model_sym(g->m, "due"))].frac)
		return false;
	const int event = pend->a->ref, on = stage_fn(g, event, AT_ON);
	if (on < 0 || stage_fn(g, event, AT_COSTS) >= 0 || stage_fn(g, event, AT_BEFORE) >= 0 || stage_fn(g, event, AT_AFTER) >= 0 || legal_fn(g, event) >= 0)
		return false;
	struct node *each = n->b->a;
	struct walking w;
	struct jumps next = {{0}, 0};
	const int mark = g->top, act = regs(g, 1), size = regs(g, 1);
	event_pended(g, event);
	emit_wide(g, OP_TURNS, act, event_index(g, event)); /* commute.c knows then */
	jumps_add(g, whole, emit_jump(g, OP_JZ, act));
	emit_const(g, act, NONE);
	walk_open(g, &w, each, each->a, each->name, each->c);
	const int window = stage_window(g);
	const int begun = emit_jump(g, OP_JSOME, act);
	gen_first(g, act, event, w.cursor, pend->c, size, window, whole);
	jump_here(g, begun);
	gen_turn_of(g, act, w.cursor, pend->c);
	emit(g, OP_MOVE, window + 2, act, 0);
	gen_question(g, void_question, window);
	jumps_add(g, &next, emit_jump(g, OP_JNZ, window));
	emit(g, OP_BEGINS, 0, 0, AT_ON);
	emit(g, OP_MOVE, window + 2, w.cursor, 0);
	gen_call(g, on, window);
	jumps_here(g, &next);
	walk_close(g, &w);
	const int nobody = emit_jump(g, OP_JNONE, act);
	emit(g, OP_DONE, 0, 0, 0);
	if (over_fn(g) >= 0)
		gen_ended(g, regs(g, 3));
	jump_here(g, nobody);
	g->top = mark;
	return true;
}
