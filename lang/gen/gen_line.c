/* gen_line.c - a sentence of the script becomes an act: who is meant, at whom, with what; and the lines that wait for a cue. */

#include "lang/gen/gen.h"

int ensure_var_owner(struct gen *g, int who)
{
	g->owner_reg = who;
	g->owner_kind = KIND_COMBATANT;
	return who;
}

/* Jumps to `out` unless `who` is among the subjects. */
void gen_is_subject(struct gen *g, struct node *subjects, int who, struct jumps *out)
{
	int mark = g->top;
	struct jumps yes = {{0}, 0};
	for (struct node *s = subjects; s; s = s->next) {
		struct type *t = type_find(s->type);
		int r = regs(g, 2);
		if (t->base == VT_SET) {
			int set = gen_expr(g, s, -1);
			emit(g, OP_SHAS, r, set, who);
		} else if (t->base == VT_LIVE && t->kind == KIND_SIDE) {
			int side = gen_expr(g, s, -1);
			emit(g, OP_LDF, r + 1, who, g->p->at.combatant_side);
			emit(g, OP_EQ, r, r + 1, side);
		} else {
			int one = gen_expr(g, s, -1);
			emit(g, OP_EQ, r, one, who);
		}
		jumps_add(g, &yes, emit_jump(g, OP_JNZ, r));
		g->top = mark;
	}
	jumps_add(g, out, emit_jump(g, OP_JMP, 0));
	jumps_here(g, &yes);
}

/* The value of a sentence's target for a role, into `dst`. Several targets make a set. */
void gen_target(struct gen *g, struct node *target, struct type *want, bool frac, int dst)
{
	int mark = g->top;
	if (type_is(want, VT_SET)) {
		emit(g, OP_SNONE, dst, 0, 0);
		for (struct node *t = target; t; t = t->next) {
			if (t->kind == N_KIND_SOMEONE)
				continue;
			struct type *given = type_find(t->type);
			int part = regs(g, g->p->set_words);
			if (given->base == VT_LIVE && given->kind == KIND_SIDE) {
				emit(g, OP_SMOVE, part, gen_side(g, t), 0);
				emit(g, OP_SOR, dst, dst, part);
			} else if (given->base == VT_SET) {
				gen_expr(g, t, part);
				emit(g, OP_SOR, dst, dst, part);
			} else {
				gen_expr(g, t, part);
				emit(g, OP_SADD, dst, part, 0);
			}
			g->top = mark;
		}
		return;
	}
	if (target->kind == N_KIND_SOMEONE || (g->only_told && target->kind == N_KIND_E_RANDOM)) {
		emit_const(g, dst, NONE); /* no die falls for what is only told */
	} else if (target->kind == N_KIND_COUNTED && type_is(want, VT_LIVE)) {
		gen_item_counted(g, target->ref, dst);
	} else if (target->kind == N_KIND_COUNTED) {
		emit_const(g, dst, thing_index(g, target->ref));
	} else {
		gen_number(g, target, dst, frac && type_number(want));
	}
	g->top = mark;
}

/* Is an action among those asked for? */
static bool asked_for(const struct gen *g, const struct node *say)
{
	const struct node *stmt = g->ask.v[g->asking].stmt;
	const struct node *a = stmt ? stmt->b : NULL;
	if (say->ref_kind != REF_EVENT || say->ref < 0)
		return false;
	while (a && model_event(g->m, a->name) != say->ref)
		a = a->next;
	return a || !stmt || !stmt->b;
}

bool line_asked_for(const struct gen *g, const struct node *say)
{
	for (; say; say = say->e)
		if (asked_for(g, say))
			return true;
	return false;
}

/* `ask X for .. where c`: jumps away when the act in hand is none of those. */
static void gen_unfit(struct gen *g, int act, struct jumps *unfit)
{
	struct node *stmt = g->ask.v[g->asking].stmt;
	if (!stmt || !stmt->c)
		return;
	int vars = g->vars;
	gen_bind(g, g->m->w.it, type_new(g->m, VT_LIVE, KIND_ACT), false, act);
	gen_unless(g, stmt->c, unfit);
	g->vars = vars;
}

/* A line that aims at one of nobody, or at "my nearest enemy" where there is none, is not taken. */
static void unless_drawn(struct gen *g, const struct node *target, struct type *role, int value, int act, struct jumps *undrawn)
{
	const struct type *t = type_find(role);
	if (g->only_told) /* aimed at nobody, it is told without a target */
		return;
	bool worked_out = target->kind == N_KIND_E_RANDOM || target->kind == N_KIND_E_FIELD || target->kind == N_KIND_E_PICK;
	if (!worked_out || t->base == VT_SET || (target->kind != N_KIND_E_RANDOM && (t->base != VT_LIVE || t->kind != KIND_COMBATANT)))
		return;
	int nobody = emit_jump(g, OP_JNONE, value), some = emit_jump(g, OP_JMP, 0);
	jump_here(g, nobody);
	emit(g, OP_FREE, act, 0, 0);
	jumps_add(g, undrawn, emit_jump(g, OP_JMP, 0));
	jump_here(g, some);
}

/* Jumps to `refused` when the rules do not allow `act`, of this event; `told` is the act that is told as refused, and both are forgotten. */
static void gen_judged(struct gen *g, int event, int act, int told, int decided, struct jumps *refused)
{
	if (legal_fn(g, event) < 0)
		return;
	int ev = regs(g, 1);
	emit_const(g, ev, event_index(g, event));
	int call = stage_window(g);
	emit(g, OP_MOVE, call + 2, act, 0);
	emit(g, OP_CALLACT, call, ev, AT_STAGES);
	int fine = emit_jump(g, OP_JNONE, call);
	emit(g, OP_REFUSED, told, call, decided);
	emit(g, OP_FREE, act, 0, 0);
	if (told != act)
		emit(g, OP_FREE, told, 0, 0);
	jumps_add(g, refused, emit_jump(g, OP_JMP, 0));
	jump_here(g, fine);
}

/* What a line says behind its verb: with a weapon, at a place, until a moment. The roles filled, a
 * bit each. */
static unsigned gen_parts(struct gen *g, struct node *n, int act, int value, struct jumps *undrawn)
{
	struct model *m = g->m;
	const struct mevent *e = &m->event.v[n->ref];
	unsigned filled = 0;
	for (struct node *p = n->d; p; p = p->next) {
		if (p->kind == N_KIND_CUE)
			continue;
		if (p->ref == SAID_BEHIND) {
			int behind = model_field(m, KIND_ACT, model_sym(m, "held behind"));
			gen_target(g, p->a, m->field.v[behind].type, false, value);
			emit(g, OP_STSF, act, value, link_field(g, behind));
			continue;
		}
		if (p->ref == SAID_HELD) {
			int held = model_field(m, KIND_ACT, model_sym(m, "held until"));
			gen_number(g, p->a, value, m->field.v[held].frac);
			emit(g, OP_STF, act, value, link_field(g, held));
			continue;
		}
		if (p->ref < 0)
			continue;
		gen_target(g, p->a, e->role[p->ref].type, e->role[p->ref].frac, value);
		unless_drawn(g, p->a, e->role[p->ref].type, value, act, undrawn);
		gen_act_arg(g, act, n->ref, p->ref, value);
		filled |= 1u << p->ref;
	}
	return filled;
}

/* A role that the line does not fill is what the actor has under that name: the weapon. */
static void gen_unsaid(struct gen *g, int event, int act, int who, int value, unsigned filled)
{
	struct model *m = g->m;
	const struct mevent *e = &m->event.v[event];
	for (int i = 1; i < e->roles; i++) {
		if (filled >> i & 1)
			continue;
		if (type_is(e->role[i].type, VT_SET)) { /* no target is an empty list */
			emit(g, OP_SNONE, value, 0, 0);
			gen_act_arg(g, act, event, i, value);
			continue;
		}
		int f = model_field(m, KIND_COMBATANT, e->role[i].name);
		if (f >= 0 && type_is(m->field.v[f].type, type_find(e->role[i].type)->base)) {
			gen_field(g, f, who, value);
			gen_act_arg(g, act, event, i, value);
		}
	}
}

/* gen_line; jumps to `undrawn` when it aims at one of nobody. Without `refused` it is not judged,
 * when `planned` it is not declared. */
static int gen_sentence(struct gen *g, struct node *n, int who, int decided, struct jumps *refused,
	struct jumps *undrawn, bool planned)
{
	struct model *m = g->m;
	int event = n->ref;
	struct mevent *e = &m->event.v[event];
	struct span span = g->span;
	g->span = n->span;
	int act = regs(g, 1);
	int mark = g->top, bearer = g->bearer_reg;
	int owner = g->owner_reg, owner_kind = g->owner_kind;
	g->bearer_reg = who; /* "with sword": his own */
	ensure_var_owner(g, who); /* and his die, when one of several is drawn */
	event_pended(g, event);
	emit_wide(g, OP_ACT, act, event_index(g, event));
	unsigned filled = 1;
	int value = regs(g, g->p->set_words > 1 ? g->p->set_words : 1);
	emit(g, OP_STF, act, who, g->p->at.act_actor);
	if (n->b) {
		int role = n->role;
		if (role > 0) {
			gen_target(g, n->b, e->role[role].type, e->role[role].frac, value);
			unless_drawn(g, n->b, e->role[role].type, value, act, undrawn);
			gen_act_arg(g, act, event, role, value);
			filled |= 1u << role;
			int count = model_field(m, KIND_ACT, m->w.count);
			if (n->b->kind == N_KIND_COUNTED && count >= 0) {
				emit_const(g, value, n->b->num);
				emit(g, OP_STF, act, value, link_field(g, count));
			}
		}
	}
	filled |= gen_parts(g, n, act, value, undrawn);
	gen_unsaid(g, event, act, who, value, filled);
	g->owner_reg = owner;
	g->owner_kind = owner_kind;
	g->bearer_reg = bearer;
	struct jumps *unfit = g->unfit;
	g->unfit = NULL;
	if (unfit)
		gen_unfit(g, act, unfit);
	/* allowed? */
	int cued = cue_of(n) ? model_field(m, KIND_ACT, m->w.cued) : -1;
	if (cued >= 0) {
		emit_const(g, value, 1);
		emit(g, OP_STF, act, value, link_field(g, cued));
	}
	if (refused)
		gen_judged(g, event, act, act, decided, refused);
	if (!planned)
		emit(g, OP_DECLARE, who, act, decided);
	/* `then ..`: the rest of a turn hangs on the act, but for what aims at one of nobody */
	int then = model_field(m, KIND_ACT, model_sym(m, "next act"));
	if (n->f && then >= 0 && !g->only_told) {
		struct jumps nobody = {{0}, 0};
		int next = gen_sentence(g, n->f, who, decided, NULL, &nobody, planned);
		emit(g, OP_STF, act, next, link_field(g, then));
		jumps_here(g, &nobody);
	}
	g->top = mark;
	g->span = span;
	return act;
}

/* One sentence as a declared act of `who`: the act's register. Jumps to `refused` when it
 * is not allowed (the refusal is recorded and the act forgotten). What follows a `then` is not
 * judged here: what comes before it may make it possible, so it is when its time comes. */
int gen_line(struct gen *g, struct node *n, int who, int decided, struct jumps *refused)
{
	return gen_sentence(g, n, who, decided, refused, refused, false);
}

int gen_told_line(struct gen *g, struct node *n, int who)
{
	struct jumps none = {{0}, 0};
	g->only_told = true;
	const int act = gen_sentence(g, n, who, BY_SCRIPT, NULL, &none, true);
	g->only_told = false;
	return act;
}

/* What comes after a `then` of a line that was refused is told as well. */
static void gen_rest_told(struct gen *g, struct node *n, int who)
{
	const int mark = g->top, told = regs(g, 1), line = regs(g, 1);
	for (struct node *x = n->f; x && g->observed; x = x->f) {
		const int top = g->top, act = gen_told_line(g, x, who);
		emit_const(g, told, LEFT_FIRST);
		emit_const(g, line, UNTAKEN_NAMED);
		emit(g, OP_UNTAKEN, act, told, line);
		emit(g, OP_FREE, act, 0, 0);
		g->top = top;
	}
	g->top = mark;
}

/* Tries a line and what stands after its `else`; returns the act from the function when one
 * is allowed, falls through otherwise. What was not asked for jumps to `unfit`. */
void gen_try_line(struct gen *g, struct node *n, int who, int decided, struct jumps *unfit)
{
	int mark = g->top;
	for (struct node *x = n; x; x = x->e) {
		struct jumps refused = {{0}, 0}, wrong = {{0}, 0};
		if (!asked_for(g, x))
			continue;
		if (x != n) /* the line's own condition was met, or nobody would be here */
			gen_when(g, x->c, x->num == 1, &refused);
		g->unfit = &wrong;
		int act = gen_line(g, x, who, decided, &refused);
		g->unfit = NULL;
		emit(g, OP_RET, act, 1, 0);
		if (wrong.n) {
			jumps_here(g, &wrong);
			emit(g, OP_FREE, act, 0, 0);
			if (unfit)
				jumps_add(g, unfit, emit_jump(g, OP_JMP, 0));
		}
		const bool judged = refused.n > 0;
		jumps_here(g, &refused);
		g->top = mark;
		if (judged && decided != BY_POLICY)
			gen_rest_told(g, x, who);
	}
}

/* ---- cues: "Mira shoots Grak as soon as Grak moves" ---- */

static void gen_cued_line(struct gen *g, struct node *n, struct node *moment, int event)
{
	struct model *m = g->m;
	struct node *cue = cue_of(n);
	const struct mevent *e = &m->event.v[event];
	int mark = g->top;
	struct jumps skip = {{0}, 0};
	if (!cue || cue->ref_kind != REF_EVENT || cue->ref != event || n->ref_kind != REF_EVENT || n->ref < 0)
		return;
	struct span span = g->span;
	g->span = n->span;
	gen_in_block(g, moment, &skip);
	if (cue->a)
		gen_is_subject(g, cue->a, 0, &skip);
	if (cue->b) {
		int role = sentence_role(m, event, 0, NULL, 1), at = 0;
		for (int i = 0; i < role; i++)
			at += width_of(g, e->role[i].type);
		if (role > 0 && !type_is(e->role[role].type, VT_SET)) {
			int r = regs(g, 2);
			gen_target(g, cue->b, e->role[role].type, e->role[role].frac, r);
			emit(g, OP_SAME, r + 1, r, at);
			jumps_add(g, &skip, emit_jump(g, OP_JZ, r + 1));
		}
	}
	gen_when(g, cue->c, cue->num == 1, &skip);
	int used = line_used(g, n);
	int who = regs(g, 1), set = regs(g, g->p->set_words + 2);
	int zero = set + g->p->set_words;
	emit_const(g, who, -1);
	int again = here(g);
	struct jumps end = {{0}, 0}, next = {{0}, 0};
	emit_wide(g, OP_KNEXT, who, KIND_COMBATANT);
	jumps_add(g, &end, emit_jump(g, OP_JNONE, who));
	gen_is_subject(g, n->a, who, &next);
	gen_unless_used(g, set, who, used, &next);
	gen_when(g, n->c, n->num == 1, &next);
	/* what is not allowed when its moment comes waits for the next such moment */
	int act = gen_line(g, n, who, BY_SCRIPT, &next);
	emit_const(g, zero, 0);
	emit(g, OP_ADDS, zero, who, used);
	emit(g, OP_SOLO, act, 0, 0);
	int window = regs(g, 3);
	gen_call(g, group_fn(g), window);
	jumps_here(g, &next);
	jump_back(g, again);
	jumps_here(g, &end);
	jumps_here(g, &skip);
	g->top = mark;
	g->span = span;
}

int stand_ready_event(const struct model *m)
{
	const int event = model_event(m, m->w.stand_ready);
	const struct mevent *e = event >= 0 ? &m->event.v[event] : NULL;
	return e && e->action && e->roles == 2 && type_is(e->role[1].type, VT_LIVE) && type_find(e->role[1].type)->kind == KIND_ACT ? event : -1;
}

/* Where the rules have an action `stand ready (plan)`, whoever has a line with a cue and no other declares that he stands ready,
 * and the plan is the line's act. So a line that the rules never allow is refused when it is declared, and once. */
void gen_stand_ready(struct gen *g, struct node *n, struct node *moment, int who)
{
	struct model *m = g->m;
	int event = stand_ready_event(m), mark = g->top, used = line_used(g, n);
	struct jumps skip = {{0}, 0}, refused = {{0}, 0};
	struct span span = g->span;
	g->span = n->span;
	gen_in_block(g, moment, &skip);
	gen_is_subject(g, n->a, who, &skip);
	int set = regs(g, g->p->set_words + 2);
	int zero = set + g->p->set_words;
	gen_unless_used(g, set, who, used, &skip);
	int plan = gen_sentence(g, n, who, BY_SCRIPT, NULL, &skip, true);
	int act = regs(g, 1);
	event_pended(g, event);
	emit_wide(g, OP_ACT, act, event_index(g, event));
	emit(g, OP_STF, act, who, g->p->at.act_actor);
	gen_act_arg(g, act, event, 1, plan);
	gen_judged(g, event, act, plan, BY_SCRIPT, &refused);
	emit(g, OP_DECLARE, who, act, BY_SCRIPT);
	emit(g, OP_RET, act, 1, 0);
	jumps_here(g, &refused);
	emit_const(g, zero, 0);
	emit(g, OP_ADDS, zero, who, used);
	jumps_here(g, &skip);
	g->top = mark;
	g->span = span;
}

static bool cued(const struct node *list, int event)
{
	for (const struct node *n = list; n; n = n->next) {
		if (n->kind == N_KIND_N_SAY && !n->damaged && cue_of(n) && cue_of(n)->ref_kind == REF_EVENT && cue_of(n)->ref == event)
			return true;
		if (n->kind == N_KIND_MOMENT && cued(n->a, event))
			return true;
	}
	return false;
}

bool cues_on(struct gen *g, int event)
{
	return cued(g->m->encounter.v[g->encounter].node->a, event);
}

void gen_cues(struct gen *g, int event)
{
	if (!cues_on(g, event))
		return;
	for (struct node *n = g->m->encounter.v[g->encounter].node->a; n; n = n->next) {
		if (n->kind == N_KIND_N_SAY && !n->damaged)
			gen_cued_line(g, n, NULL, event);
		if (n->kind == N_KIND_MOMENT)
			for (struct node *x = n->a; x; x = x->next)
				if (x->kind == N_KIND_N_SAY && !x->damaged)
					gen_cued_line(g, x, n, event);
	}
}
