/* gen_lead.c - pending acts are resolved: one group of them after the other is led through its stages. */
#include "lang/gen/gen.h"

void gen_ended(struct gen *g, int window)
{
	struct model *m = g->m;
	int won = g->observed ? model_question_of(m, KIND_SIDE, m->w.victorious, true) : -1;
	gen_call(g, over_fn(g), window);
	if (won < 0) {
		emit(g, OP_OVER, window, window, 0);
		return;
	}
	int mark = g->top, winner = regs(g, 1), ask = regs(g, 3);
	int no = emit_jump(g, OP_JZ, window);
	emit_const(g, winner, NONE);
	for (int i = 0; i < m->side.n; i++) {
		emit_const(g, ask + 2, i);
		gen_question(g, won, ask);
		int lost = emit_jump(g, OP_JZ, ask);
		emit_const(g, winner, i);
		jump_here(g, lost);
	}
	gen_lines_end(g, LEFT_FIGHT);
	emit(g, OP_OVER, window, winner, 0);
	jump_here(g, no);
	g->top = mark;
}

/* The group that was chosen, of so many, goes through its stages. Where nobody looks on, most are of one act. */
static void gen_lead_group(struct gen *g, int size, int window)
{
	if (g->observed) {
		gen_call(g, group_fn(g), window);
		return;
	}
	group_fn(g);
	if (g->fn_one < 0)
		g->fn_one = fn_new(g, "an act by itself", (struct span){0});
	emit_const(g, window, 1);
	emit(g, OP_SAME, window, size, window);
	int several = emit_jump(g, OP_JZ, window);
	gen_call(g, g->fn_one, window);
	int led = emit_jump(g, OP_JMP, 0);
	jump_here(g, several);
	gen_call(g, group_fn(g), window);
	jump_here(g, led);
}

void gen_resolve(struct gen *g, enum op_resolve how, struct node *until)
{
	int mark = g->top;
	int r = regs(g, 5); /* two, and room for a call */
	int limit = r + 1;
	struct jumps end = {{0}, 0};
	int again = here(g);
	if (g->p->at.beat >= 0)
		emit(g, OP_BEAT, 0, 0, 0);
	if (g->p->at.beat >= 0 && moment_fn(g) >= 0)
		gen_call(g, moment_fn(g), r + 2);
	emit_wide(g, OP_PAUSE, 0, g->observed ? mark + 1 : 0);
	if (until)
		gen_expr(g, until, limit);
	else
		emit_const(g, limit, NONE);
	emit(g, OP_GROUP, r, limit, until != NULL);
	jumps_add(g, &end, emit_jump(g, OP_JZ, r));
	int window = regs(g, 3);
	gen_lead_group(g, r, window);
	if (over_fn(g) >= 0)
		gen_ended(g, window);
	if (how != RESOLVE_NEXT)
		jump_back(g, again);
	jumps_here(g, &end);
	g->top = mark;
}

int group_fn(struct gen *g)
{
	if (g->fn_group < 0)
		g->fn_group = fn_new(g, "a group of acts", (struct span){0});
	return g->fn_group;
}

/* What leading a group needs, in registers. */
struct leading {
	int i, act;       /* the member at hand */
	int copies, size, one, zero, event, test, clause, window;
	int void_question;
	bool only;        /* there are no others */
};

/* Void when nobody is able to do it any more; goes on with the next then. */
static void gen_ask_void(struct gen *g, const struct leading *x, struct jumps *next)
{
	if (x->void_question < 0)
		return;
	emit(g, OP_MOVE, x->window + 2, x->act, 0);
	gen_question(g, x->void_question, x->window);
	int able = emit_jump(g, OP_JZ, x->window);
	emit_const(g, x->clause, NONE);
	emit(g, OP_VOID, x->act, x->clause, VOID_UNABLE);
	jumps_add(g, next, emit_jump(g, OP_JMP, 0));
	jump_here(g, able);
}

/* Is it allowed still? */
static void gen_ask_allowed(struct gen *g, const struct leading *x, struct jumps *next)
{
	emit(g, OP_MOVE, x->window + 2, x->act, 0);
	emit(g, OP_CALLACT, x->window, x->event, AT_STAGES);
	int allowed = emit_jump(g, OP_JNONE, x->window);
	emit(g, OP_MOVE, x->clause, x->window, 0);
	emit(g, OP_VOID, x->act, x->clause, VOID_REFUSED);
	jumps_add(g, next, emit_jump(g, OP_JMP, 0));
	jump_here(g, allowed);
}

static void gen_begin(struct gen *g, const struct leading *x, int stage)
{
	if (x->only)
		emit(g, OP_BEGINS, 0, 0, stage);
	else
		emit(g, OP_BEGIN, x->i, x->copies, stage);
}

enum { DIRECT_MOST = 4 }; /* events whose stage is called without looking it up */

/* The stage of the events there are acts of is called directly; of others it is looked up. `begun`: the act is on its way. */
static void gen_call_stage(struct gen *g, const struct leading *x, int stage, bool begun, struct jumps *next)
{
	struct jumps done = {{0}, 0};
	int direct = 0;
	for (int e = 0; e < g->event.n && direct < DIRECT_MOST && !g->observed; e++) {
		const int fn = g->event.v[e].stage_fn[stage];
		if (!g->pended[e] || fn < 0)
			continue;
		direct++;
		emit_const(g, x->test, e);
		emit(g, OP_SAME, x->test, x->event, x->test);
		int other = emit_jump(g, OP_JZ, x->test);
		if (!begun)
			gen_begin(g, x, stage);
		gen_act_arguments(g, x->act, e, x->window + 2);
		gen_call(g, fn, x->window);
		jumps_add(g, &done, emit_jump(g, OP_JMP, 0));
		jump_here(g, other);
	}
	if (stage == AT_ON && !begun) { /* STEP does not know it of this */
		emit(g, OP_IDLE, x->test, x->act, stage);
		jumps_add(g, next, emit_jump(g, OP_JNZ, x->test));
	}
	if (!begun)
		gen_begin(g, x, stage);
	emit(g, OP_MOVE, x->window + 2, x->act, 0);
	emit(g, OP_CALLACT, x->window, x->event, stage);
	jumps_here(g, &done);
}

/* The moment is over, unless the group is a step of another: the conditions are looked at. */
static void gen_rest(struct gen *g, const struct leading *x)
{
	if (whenever_fn(g) < 0)
		return;
	emit(g, OP_NEEDS, x->window, 0, 1);
	int rests = emit_jump(g, OP_JZ, x->window);
	gen_call(g, whenever_fn(g), x->window);
	jump_here(g, rests);
}

/* What the member has done is over. An act alone has not worked on a copy: its conditions are looked at now, and told as its own. */
static void gen_end(struct gen *g, const struct leading *x, int stage)
{
	if (whenever_fn(g) >= 0) {
		int several = emit_jump(g, OP_JNZ, x->copies);
		emit(g, OP_MOVE, x->test, x->window, 0);
		gen_rest(g, x);
		emit(g, OP_MOVE, x->window, x->test, 0);
		jump_here(g, several);
	}
	emit(g, OP_END, x->i, x->window, stage);
}

/* All have gone through their copies, which are put together. */
static void gen_merge(struct gen *g, const struct leading *x)
{
	int alone = emit_jump(g, OP_JZ, x->copies);
	emit(g, OP_MERGE, x->zero, 0, 0);
	gen_rest(g, x);
	jump_here(g, alone);
}

/* All members go through one stage, and their copies are merged. */
static void gen_all_at(struct gen *g, const struct leading *x, int stage)
{
	struct jumps next = {{0}, 0}, end = {{0}, 0};
	emit_const(g, x->i, -1);
	int again = here(g);
	emit(g, OP_STEP, x->i, x->copies, stage);
	jumps_add(g, &end, emit_jump(g, OP_JNONE, x->i));
	emit(g, OP_EVENTOF, x->event, x->act, 0);
	if (stage == AT_ON)
		gen_ask_void(g, x, &next);
	gen_call_stage(g, x, stage, false, &next);
	gen_end(g, x, stage);
	jumps_here(g, &next);
	int alone = emit_jump(g, OP_JZ, x->copies);
	jump_back(g, again);
	jumps_here(g, &end);
	gen_merge(g, x);
	jump_here(g, alone);
}

/* Who is still able and allowed to do it is asked of all before anybody does anything. */
static void gen_ask_all(struct gen *g, const struct leading *x)
{
	struct jumps next = {{0}, 0}, end = {{0}, 0};
	emit_const(g, x->i, -1);
	int again = here(g);
	emit(g, OP_STEP, x->i, x->copies, AT_COSTS);
	jumps_add(g, &end, emit_jump(g, OP_JNONE, x->i));
	emit(g, OP_EVENTOF, x->event, x->act, 0);
	gen_ask_void(g, x, &next);
	gen_ask_allowed(g, x, &next);
	jumps_here(g, &next);
	jump_back(g, again);
	jumps_here(g, &end);
}

/* Its costs, what comes before it and itself, one after the other on one copy. It is void once somebody struck it down before
 * it could begin, or what is shared was spent meanwhile: it sees of others nothing else. */
static void gen_whole(struct gen *g, const struct leading *x)
{
	struct jumps next = {{0}, 0}, end = {{0}, 0}, over = {{0}, 0}, is_void = {{0}, 0};
	emit_const(g, x->i, -1);
	int again = here(g);
	emit(g, OP_STEP, x->i, x->copies, AT_COSTS);
	jumps_add(g, &end, emit_jump(g, OP_JNONE, x->i));
	emit(g, OP_EVENTOF, x->event, x->act, 0);
	emit(g, OP_IDLE, x->test, x->act, AT_COSTS);
	int free = emit_jump(g, OP_JNZ, x->test);
	int alone = emit_jump(g, OP_JZ, x->copies);
	gen_ask_allowed(g, x, &next); /* a shared purse may be empty by now */
	jump_here(g, free);
	jump_here(g, alone);
	gen_begin(g, x, AT_COSTS);
	gen_call_stage(g, x, AT_COSTS, true, NULL);
	jumps_add(g, &over, emit_jump(g, OP_JNZ, x->window));
	emit_wide(g, OP_STAGE, 0, AT_BEFORE);
	gen_call_stage(g, x, AT_BEFORE, true, NULL);
	jumps_add(g, &over, emit_jump(g, OP_JNZ, x->window));
	gen_ask_void(g, x, &is_void);
	emit_wide(g, OP_STAGE, 0, AT_ON);
	gen_call_stage(g, x, AT_ON, true, NULL);
	jumps_add(g, &over, emit_jump(g, OP_JMP, 0));
	jumps_here(g, &is_void);
	emit_const(g, x->window, 0); /* nobody stopped it */
	jumps_here(g, &over);
	gen_end(g, x, AT_ON);
	jumps_here(g, &next);
	jump_back(g, again);
	jumps_here(g, &end);
	gen_merge(g, x);
}

/* A moment (docs/decisions/0073): each member does all that it does on a copy, the copies are merged, the conditions are looked
 * at; then what comes after each of them, merge, conditions. A group of one takes the same way without copies. Mostly nobody has
 * anything to do but at stage on, which is known at once; whether acts are void is asked there, then. */
void gen_group_fn(struct gen *g)
{
	fn_begin(g, g->fn_group, 0);
	struct leading x = {.only = false};
	x.i = regs(g, 2);
	x.act = x.i + 1;
	x.copies = regs(g, 1);
	x.size = regs(g, 1);
	x.one = regs(g, 1);
	x.zero = regs(g, 1);
	x.event = regs(g, 1);
	x.test = regs(g, 1);
	x.clause = regs(g, 1);
	x.window = stage_window(g);
	x.void_question = model_question_of(g->m, KIND_ACT, g->m->w.void_, true);
	struct jumps plain = {{0}, 0}, whole = {{0}, 0};
	emit_const(g, x.one, 1);
	emit_const(g, x.zero, 0);
	emit(g, OP_MEMBER, x.size, x.zero, MEMBER_COUNT);
	emit(g, OP_LT, x.copies, x.one, x.size);
	/* what is shared is written while the others wait for their turn */
	if (void_shares(g, x.void_question))
		jumps_add(g, &whole, emit_jump(g, OP_JNZ, x.copies));
	emit(g, OP_NEEDS, x.test, 1 << AT_COSTS | 1 << AT_BEFORE | 1 << AT_STAGES, 0);
	jumps_add(g, &plain, emit_jump(g, OP_JZ, x.test));
	jumps_here(g, &whole);
	gen_ask_all(g, &x);
	gen_whole(g, &x);
	int done = emit_jump(g, OP_JMP, 0);
	jumps_here(g, &plain);
	gen_all_at(g, &x, AT_ON);
	jump_here(g, done);
	emit(g, OP_NEEDS, x.test, 1 << AT_AFTER, 0);
	int over = emit_jump(g, OP_JZ, x.test);
	gen_all_at(g, &x, AT_AFTER);
	jump_here(g, over);
	gen_watch_group(g, x.i, x.size, x.act, x.event);
	emit(g, OP_DONE, 0, 0, 0);
	emit(g, OP_RET, x.zero, 1, 0);
	fn_end(g, 1);
}

/* The same of a group of one act that has something to do at stage on alone, as most are: nobody works on
 * copies, and he is asked whether he still can just once. */
void gen_one_fn(struct gen *g)
{
	fn_begin(g, g->fn_one, 0);
	struct leading x = {.only = true};
	struct jumps done = {{0}, 0};
	const int answer = regs(g, 1);
	x.act = regs(g, 1);
	x.event = regs(g, 1);
	x.test = regs(g, 1);
	x.clause = regs(g, 1);
	x.window = stage_window(g);
	x.void_question = model_question_of(g->m, KIND_ACT, g->m->w.void_, true);
	emit(g, OP_NEEDS, x.test, 1 << AT_COSTS | 1 << AT_BEFORE | 1 << AT_AFTER | 1 << AT_STAGES, 0);
	int whole = emit_jump(g, OP_JNZ, x.test);
	emit(g, OP_ONLY, x.act, 0, 0);
	emit(g, OP_EVENTOF, x.event, x.act, 0);
	gen_ask_void(g, &x, &done);
	gen_call_stage(g, &x, AT_ON, false, &done);
	emit(g, OP_MOVE, x.test, x.window, 0);
	gen_rest(g, &x);
	if (g->watch.n > 0) { /* else nobody asks whether it was stopped, and DONE does the rest */
		emit_const(g, answer, 0);
		emit(g, OP_END, answer, x.test, AT_ON);
	}
	jumps_here(g, &done);
	if (g->watch.n > 0) {
		const int size = regs(g, 1), i = regs(g, 1);
		emit_const(g, size, 1);
		gen_watch_group(g, i, size, x.act, x.event);
	}
	emit(g, OP_DONE, 0, 0, 0);
	emit_const(g, answer, 0);
	emit(g, OP_RET, answer, 1, 0);
	jump_here(g, whole);
	gen_call(g, g->fn_group, x.window);
	emit_const(g, answer, 0);
	emit(g, OP_RET, answer, 1, 0);
	fn_end(g, 1);
}
