/* gen_scene.c - the script becomes functions and tables: what somebody declares when asked,
 * policies, forced dice and choices, edits of a block, expectations, the end of the fight. */
#include <limits.h>
#include <string.h>

#include "lang/gen/gen.h"

static int ensure_var_owner(struct gen *g, int who)
{
	g->owner_reg = who;
	g->owner_kind = KIND_COMBATANT;
	return who;
}

/* ---- blocks ---- */

/* The block number of a MOMENT node; 0 is the encounter itself. */
static int block_of(const struct node *moment)
{
	return moment ? moment->ref : 0;
}

static int block_field(struct gen *g, struct node *moment)
{
	struct model *m = g->m;
	if (moment->name == m->w.beat) {
		struct vtype count = {VT_NUMBER, false, 0};
		if (g->p->at.beat < 0)
			g->p->at.beat = hidden_field(g, "beat", KIND_ENCOUNTER, count, 1);
		return g->p->at.beat;
	}
	if (moment->name == m->w.round)
		return link_field(g, model_field(m, KIND_ROUND, m->w.number));
	int f = model_field(m, KIND_ENCOUNTER, moment->name);
	return f < 0 ? -1 : link_field(g, f);
}

static bool is_expect(const struct node *n)
{
	return (n->kind == N_KIND_N_EXPECT || n->kind == N_KIND_N_EXPECT_SAY) && !n->damaged;
}

/* A block that lasts is several in a row: what is expected behind an edit is looked at behind it. */
static int parts_of(struct gen *g, const struct node *moment)
{
	int parts = 1;
	bool edited = false;
	for (const struct node *n = moment->name == g->m->w.beat ? moment->a : NULL; n; n = n->next) {
		parts += edited && is_expect(n);
		edited = !is_expect(n);
	}
	return parts;
}

static void gen_blocks(struct gen *g, struct node *items)
{
	if (gen_some_late(g, KIND_SIDE))
		awaited_field(g);
	struct block_info all = {"", -1, 0, 0, 0, g->m->encounter.v[g->encounter].node->at, false, false};
	g->p->at.beat = -1;
	VEC_PUSH(g->block, all);
	for (struct node *n = items; n; n = n->next) {
		if (n->kind != N_KIND_MOMENT || n->damaged)
			continue;
		struct block_info b = {gen_text(g, n->name), block_field(g, n), n->num, 0, 0, n->at, n->name == g->m->w.beat, false};
		n->ref = g->block.n;
		n->role = parts_of(g, n);
		for (int k = 0; k < n->role; k++)
			VEC_PUSH(g->block, b);
	}
}

void gen_in_block(struct gen *g, struct node *moment, struct jumps *out)
{
	if (!moment)
		return;
	int mark = g->top;
	int r = regs(g, 3);
	emit_const(g, r, 0);
	emit(g, OP_LDF, r, r, g->block.v[moment->ref].field);
	emit_const(g, r + 1, moment->num);
	if (g->block.v[moment->ref].lasting)
		emit(g, OP_LE, r + 2, r + 1, r);
	else
		emit(g, OP_EQ, r + 2, r, r + 1);
	jumps_add(g, out, emit_jump(g, OP_JZ, r + 2));
	g->top = mark;
}

/* ---- lines ---- */

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

static int member_set(struct gen *g, struct node *side, int dst)
{
	int q = model_question_of(g->m, KIND_SIDE, g->m->w.members, false);
	int window = regs(g, 3 + g->p->set_words);
	gen_expr(g, side, window + 2);
	if (q >= 0)
		gen_question(g, q, window);
	else
		emit(g, OP_SNONE, window, 0, 0);
	emit(g, OP_SMOVE, dst, window, 0);
	return dst;
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
				member_set(g, t, part);
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
	if (target->kind == N_KIND_SOMEONE) {
		emit_const(g, dst, NONE);
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

static bool line_asked_for(const struct gen *g, const struct node *say)
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
	bool worked_out = target->kind == N_KIND_E_RANDOM || target->kind == N_KIND_E_FIELD || target->kind == N_KIND_E_PICK;
	if (!worked_out || t->base == VT_SET || (target->kind != N_KIND_E_RANDOM && (t->base != VT_LIVE || t->kind != KIND_COMBATANT)))
		return;
	int nobody = emit_jump(g, OP_JNONE, value), some = emit_jump(g, OP_JMP, 0);
	jump_here(g, nobody);
	emit(g, OP_FREE, act, 0, 0);
	jumps_add(g, undrawn, emit_jump(g, OP_JMP, 0));
	jump_here(g, some);
}

/* gen_line; jumps to `undrawn` when it aims at one of nobody. Without `refused` it is not judged. */
static int gen_sentence(struct gen *g, struct node *n, int who, int decided, struct jumps *refused, struct jumps *undrawn)
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
		gen_act_arg(g, act, event, p->ref, value);
		filled |= 1u << p->ref;
	}
	/* what is not said is what the actor has under that name: his weapon */
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
	g->owner_reg = owner;
	g->owner_kind = owner_kind;
	g->bearer_reg = bearer;
	struct jumps *unfit = g->unfit;
	g->unfit = NULL;
	if (unfit)
		gen_unfit(g, act, unfit);
	/* allowed? */
	if (refused && legal_fn(g, event) >= 0) {
		int ev = regs(g, 1);
		emit_const(g, ev, event_index(g, event));
		int call = stage_window(g);
		emit(g, OP_MOVE, call + 2, act, 0);
		emit(g, OP_CALLACT, call, ev, AT_STAGES);
		int fine = emit_jump(g, OP_JNONE, call);
		emit(g, OP_REFUSED, act, call, decided);
		emit(g, OP_FREE, act, 0, 0);
		jumps_add(g, refused, emit_jump(g, OP_JMP, 0));
		jump_here(g, fine);
	}
	emit(g, OP_DECLARE, who, act, decided);
	/* `then ..`: the rest of a turn hangs on the act, but for what aims at one of nobody */
	int then = model_field(m, KIND_ACT, model_sym(m, "next act"));
	if (n->f && then >= 0) {
		struct jumps nobody = {{0}, 0};
		int next = gen_sentence(g, n->f, who, decided, NULL, &nobody);
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
	return gen_sentence(g, n, who, decided, refused, refused);
}

/* Tries a line and what stands after its `else`; returns the act from the function when one
 * is allowed, falls through otherwise. What was not asked for jumps to `unfit`. */
static void gen_try_line(struct gen *g, struct node *n, int who, int decided, struct jumps *unfit)
{
	int mark = g->top;
	for (struct node *x = n; x; x = x->e) {
		struct jumps refused = {{0}, 0}, wrong = {{0}, 0};
		if (!asked_for(g, x))
			continue;
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
		jumps_here(g, &refused);
		g->top = mark;
	}
}

/* ---- the policy somebody follows ---- */

static bool is_order(const struct node *n)
{
	return !n->damaged && (n->kind == N_KIND_N_SAY || (n->kind == N_KIND_N_FOLLOWS && n->ref >= 0));
}

static bool any_follows(const struct node *list)
{
	for (const struct node *n = list; n; n = n->next)
		if ((n->kind == N_KIND_N_FOLLOWS && n->ref >= 0) || (n->kind == N_KIND_MOMENT && any_follows(n->a)))
			return true;
	return false;
}

/* The policy of whoever has neither a line nor a policy of his own, -1: there is none. */
static int default_policy(const struct gen *g)
{
	const struct model *m = g->m;
	int policy = -1;
	for (int i = 0; i < m->default_policies.n; i++)
		if (m->clause.v[m->default_policies.v[i]].in_force)
			policy = m->clause.v[m->default_policies.v[i]].node->ref;
	return policy;
}

/* Sets `told` when he is told anything in the whole encounter. */
static void gen_is_told(struct gen *g, struct node *list, int who, int told)
{
	for (struct node *n = list; n; n = n->next) {
		if (n->kind == N_KIND_MOMENT && !n->damaged)
			gen_is_told(g, n->a, who, told);
		if (!is_order(n) || !n->a)
			continue;
		struct jumps another = {{0}, 0};
		struct span span = g->span;
		g->span = n->span;
		gen_is_subject(g, n->a, who, &another);
		emit_const(g, told, 1);
		jumps_here(g, &another);
		g->span = span;
	}
}

/* Which policy `who` follows now, into a register; its index, or unset. */
static int gen_policy_of(struct gen *g, int who)
{
	struct node *items = g->m->encounter.v[g->encounter].node->a;
	struct vtype t = {VT_NUMBER, false, 0};
	int own = default_policy(g), p = regs(g, 2), told = p + 1;
	emit(g, OP_LDF, p, who, hidden_field(g, "policy", KIND_COMBATANT, t, 1));
	if (own < 0)
		return p;
	struct jumps follows = {{0}, 0};
	int none = emit_jump(g, OP_JNONE, p);
	jumps_add(g, &follows, emit_jump(g, OP_JMP, 0));
	jump_here(g, none);
	emit_const(g, told, 0);
	gen_is_told(g, items, who, told);
	jumps_add(g, &follows, emit_jump(g, OP_JNZ, told));
	emit_const(g, p, own);
	jumps_here(g, &follows);
	return p;
}

/* ---- ask ---- */

/* Who has had a line already: one set a line, whatever question it answers. */
static int line_used(struct gen *g, const struct node *line)
{
	struct vtype t = {VT_SET, false, KIND_COMBATANT};
	for (int i = 0; i < g->used.n; i++)
		if (g->used.v[i].node == line)
			return g->used.v[i].field;
	struct line_field x = {line, hidden_field(g, "line used", KIND_ENCOUNTER, t, g->p->set_words)};
	VEC_PUSH(g->used, x);
	return x.field;
}

static struct node *cue_of(const struct node *say)
{
	for (struct node *p = say->d; p; p = p->next)
		if (p->kind == N_KIND_CUE && p->a && p->a->kind == N_KIND_N_SAY)
			return p->a;
	return NULL;
}

static void gen_script_line(struct gen *g, struct node *n, struct node *moment, int who)
{
	int mark = g->top;
	struct jumps skip = {{0}, 0};
	struct span span = g->span;
	if (cue_of(n) || !line_asked_for(g, n))
		return; /* with a cue it goes off when that comes; nothing is declared until then */
	g->span = n->span;
	gen_in_block(g, moment, &skip);
	gen_is_subject(g, n->a, who, &skip);
	/* each line is one act of each of its subjects */
	int used = line_used(g, n);
	int set = regs(g, g->p->set_words + 2);
	int zero = set + g->p->set_words, has = zero + 1;
	emit_const(g, zero, 0);
	emit(g, OP_LDSF, set, zero, used);
	emit(g, OP_SHAS, has, set, who);
	jumps_add(g, &skip, emit_jump(g, OP_JNZ, has));
	gen_when(g, n->c, n->num == 1, &skip);
	struct jumps unfit = {{0}, 0};
	emit(g, OP_ADDS, zero, who, used);
	gen_try_line(g, n, who, BY_SCRIPT, &unfit);
	if (unfit.n) { /* kept for when it is asked for */
		jumps_add(g, &skip, emit_jump(g, OP_JMP, 0));
		jumps_here(g, &unfit);
		emit_const(g, zero, 0);
		emit(g, OP_REMS, zero, who, used);
	}
	jumps_here(g, &skip);
	g->top = mark;
	g->span = span;
}

static void gen_script_lines(struct gen *g, struct node *moment)
{
	for (struct node *x = moment->a; x; x = x->next)
		if (x->kind == N_KIND_N_SAY && !x->damaged)
			gen_script_line(g, x, moment, 0);
}

static void gen_scene_item(struct gen *g, struct node *n)
{
	if (n->damaged)
		return;
	if (n->kind == N_KIND_N_SAY)
		gen_script_line(g, n, NULL, 0);
	if (n->kind == N_KIND_MOMENT)
		gen_script_lines(g, n);
}

static bool same_moment(const struct node *a, const struct node *b)
{
	return a->kind == N_KIND_MOMENT && b->kind == N_KIND_MOMENT && !a->damaged && !b->damaged && a->name == b->name && a->num == b->num;
}

/* An item; of several blocks of one round the last one goes first: it was said last. */
static void gen_last_said(struct gen *g, struct node *items, struct node *n)
{
	for (struct node *x = items; x != n; x = x->next)
		if (same_moment(x, n))
			return; /* went with that one */
	struct node *later = NULL, *before = NULL;
	do {
		later = NULL;
		for (struct node *x = n->next; x != before; x = x->next)
			if (same_moment(x, n))
				later = x;
		if (later)
			gen_scene_item(g, later);
		before = later;
	} while (later);
	gen_scene_item(g, n);
}

/* The lines that somebody should take, for when nobody does. */
static void list_lines(struct gen *g, struct node *items, struct node *moment)
{
	for (struct node *n = items; n; n = n->next) {
		bool outdone = false; /* by what was said later of the same round */
		for (struct node *x = n->next; x && n->kind == N_KIND_MOMENT; x = x->next)
			outdone |= same_moment(x, n);
		if (n->kind == N_KIND_MOMENT && !n->damaged && !outdone && n->name != g->m->w.beat)
			list_lines(g, n->a, n);
		if (n->kind != N_KIND_N_SAY || n->damaged || n->c || cue_of(n))
			continue;
		bool one = n->a && !n->a->next && n->a->ref_kind == REF_LIVE;
		bool asked = false; /* whatever asks for it has been made by now */
		for (int i = 0; i < g->used.n; i++)
			asked |= g->used.v[i].node == n;
		struct line_info line = {line_used(g, n), block_of(moment), one ? n->a->ref : -1, asked, n->span};
		VEC_PUSH(g->line, line);
	}
}

void gen_ask_fn(struct gen *g, int ask)
{
	struct model *m = g->m;
	struct node *items = m->encounter.v[g->encounter].node->a;
	fn_begin(g, g->ask.v[ask].fn, 1);
	g->asking = ask;
	int act = regs(g, 1);
	ensure_var_owner(g, 0);
	/* what was declared before is forgotten */
	emit(g, OP_FREE, 0, 1, 0);
	emit_const(g, act, NONE);
	emit(g, OP_STF, 0, act, g->p->at.combatant_action);
	/* a branch of odds goes before all, once it is open */
	int branch = m->for_odds ? m->branch_items : 0, k = 0;
	struct jumps shut = {{0}, 0};
	if (branch && m->branch_waits) {
		struct vtype flag = {VT_BOOL, false, 0};
		if (g->p->at.branch_open < 0)
			g->p->at.branch_open = hidden_field(g, "branch open", KIND_ENCOUNTER, flag, 1);
		int open = regs(g, 1);
		emit_const(g, open, 0);
		emit(g, OP_LDF, open, open, g->p->at.branch_open);
		jumps_add(g, &shut, emit_jump(g, OP_JZ, open));
	}
	for (struct node *n = items; n && k < branch; n = n->next, k++)
		gen_scene_item(g, n);
	jumps_here(g, &shut);
	/* what was said in the middle of the fight goes before what was written down for it */
	for (struct node *n = items; n; n = n->next)
		if (n->kind == N_KIND_MOMENT && !n->damaged && n->name == m->w.beat)
			gen_script_lines(g, n);
	struct node *own = items;
	for (k = 0; own && k < branch; k++)
		own = own->next;
	for (struct node *n = own; n; n = n->next)
		if (!(n->kind == N_KIND_MOMENT && n->name == m->w.beat))
			gen_last_said(g, own, n);
	if (any_follows(items) || default_policy(g) >= 0) {
		int p = gen_policy_of(g, 0);
		regs(g, 2);
		for (int i = 0; i < m->policy.n; i++) {
			int mark = g->top;
			emit_const(g, p + 1, i);
			emit(g, OP_EQ, p + 2, p, p + 1);
			int other = emit_jump(g, OP_JZ, p + 2);
			int window = regs(g, 3);
			emit(g, OP_MOVE, window + 2, 0, 0);
			gen_call(g, policy_fn(g, i), window);
			int none = emit_jump(g, OP_JNONE, window);
			emit(g, OP_RET, window, 1, 0);
			jump_here(g, none);
			jump_here(g, other);
			g->top = mark;
		}
	}
	/* the prompt may answer; then the default */
	int who = regs(g, 2);
	emit(g, OP_MOVE, who, 0, 0);
	sym name = m->default_action ? m->default_action : m->w.wait;
	int event = model_event(m, name);
	if (event >= 0) {
		struct node *say = node_new(m->arena, N_KIND_N_SAY, m->encounter.v[g->encounter].node->at);
		say->name = name;
		say->ref_kind = REF_EVENT;
		say->ref = event;
		gen_try_line(g, say, 0, BY_DEFAULT, NULL);
	}
	emit_const(g, act, NONE);
	emit(g, OP_RET, act, 1, 0);
	fn_end(g, 1);
}

int ask_fn(struct gen *g, struct node *stmt)
{
	for (int i = 0; i < g->ask.n; i++)
		if (g->ask.v[i].stmt == stmt)
			return g->ask.v[i].fn;
	struct ask a = {stmt, fn_new(g, "what is declared", g->m->encounter.v[g->encounter].node->at), NULL};
	a.policy = arena_array(g->arena, int, g->m->policy.n + 1);
	for (int i = 0; i < g->m->policy.n; i++)
		a.policy[i] = -1;
	VEC_PUSH(g->ask, a);
	struct pending_fn t;
	t.fn = a.fn;
	t.sort = FN_ASK;
	t.what = g->ask.n - 1;
	t.stage = 0;
	VEC_PUSH(g->todo, t);
	return a.fn;
}

/* ---- cues: "Mira shoots Grak as soon as Grak moves" ---- */

static void gen_cued_line(struct gen *g, struct node *n, struct node *moment, int event)
{
	struct model *m = g->m;
	struct node *cue = cue_of(n);
	const struct mevent *e = &m->event.v[event];
	int mark = g->top;
	struct jumps skip = {{0}, 0};
	struct vtype t = {VT_SET, false, KIND_COMBATANT};
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
	int used = hidden_field(g, "line used", KIND_ENCOUNTER, t, g->p->set_words);
	int who = regs(g, 1), set = regs(g, g->p->set_words + 2);
	int zero = set + g->p->set_words, has = zero + 1;
	emit_const(g, who, -1);
	int again = here(g);
	struct jumps end = {{0}, 0}, next = {{0}, 0};
	emit_wide(g, OP_KNEXT, who, KIND_COMBATANT);
	jumps_add(g, &end, emit_jump(g, OP_JNONE, who));
	gen_is_subject(g, n->a, who, &next);
	emit_const(g, zero, 0);
	emit(g, OP_LDSF, set, zero, used);
	emit(g, OP_SHAS, has, set, who);
	jumps_add(g, &next, emit_jump(g, OP_JNZ, has));
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

/* ---- policies ---- */

static void gen_policy_lines(struct gen *g, struct node *list, int me)
{
	struct model *m = g->m;
	for (struct node *n = list; n; n = n->next) {
		int mark = g->top, vars = g->vars;
		struct jumps skip = {{0}, 0};
		if (n->damaged)
			continue;
		g->span = n->span;
		switch (n->kind) {
		case N_KIND_N_SAY:
			gen_when(g, n->c, n->num == 1, &skip);
			gen_try_line(g, n, me, BY_POLICY, NULL);
			break;
		case N_KIND_P_IF:
			gen_unless(g, n->a, &skip);
			gen_policy_lines(g, n->b, me);
			break;
		case N_KIND_N_FOLLOWS:
			if (n->ref < 0)
				break;
			gen_when(g, n->c, n->num == 1, &skip);
			{
				int window = regs(g, 3);
				emit(g, OP_MOVE, window + 2, me, 0);
				gen_call(g, policy_fn(g, n->ref), window);
				int none = emit_jump(g, OP_JNONE, window);
				emit(g, OP_RET, window, 1, 0);
				jump_here(g, none);
			}
			break;
		default:
			break;
		}
		jumps_here(g, &skip);
		g->top = mark;
		g->vars = vars;
	}
	(void)m;
}

int policy_fn(struct gen *g, int policy)
{
	int *fn = &g->ask.v[g->asking].policy[policy];
	if (*fn < 0) {
		struct mpolicy *p = &g->m->policy.v[policy];
		struct buf b = {0};
		buf_printf(&b, "policy %s", model_text(g->m, p->name));
		*fn = fn_new(g, buf_text(&b), p->node->at);
		buf_free(&b);
		struct pending_fn t;
		t.fn = *fn;
		t.sort = FN_POLICY;
		t.what = policy;
		t.stage = g->asking;
		VEC_PUSH(g->todo, t);
	}
	return *fn;
}

void gen_policy_fn(struct gen *g, int policy, int ask)
{
	fn_begin(g, g->ask.v[ask].policy[policy], 1);
	g->asking = ask;
	gen_bind(g, g->m->w.me, type_new(g->m, VT_LIVE, KIND_COMBATANT), false, 0);
	ensure_var_owner(g, 0);
	g->bearer_reg = 0;
	gen_policy_lines(g, g->m->policy.v[policy].node->a, 0);
	g->bearer_reg = -1;
	int r = regs(g, 1);
	emit_const(g, r, NONE);
	emit(g, OP_RET, r, 1, 0);
	fn_end(g, 1);
}

static bool has_answers(struct node *list)
{
	for (struct node *n = list; n; n = n->next)
		if (n->kind == N_KIND_P_ANSWER || (n->kind == N_KIND_P_IF && has_answers(n->b)))
			return true;
	return false;
}

/* (who, choice, are there candidates, the candidates) -> what his policy answers, unset when
 * it does not. Of several answers the first is given that is a candidate. */
int answer_fn(struct gen *g)
{
	return g->fn_answer; /* made by gen_script before anything else; -1 without answers */
}

static void gen_answers(struct gen *g, struct node *list)
{
	for (struct node *n = list; n; n = n->next) {
		int mark = g->top;
		struct jumps skip = {{0}, 0};
		if (n->kind == N_KIND_P_IF) {
			gen_unless(g, n->a, &skip);
			gen_answers(g, n->b);
		} else if (n->kind == N_KIND_P_ANSWER && n->ref >= 0) {
			int r = regs(g, 2);
			emit_const(g, r, n->ref);
			emit(g, OP_SAME, r + 1, 1, r);
			jumps_add(g, &skip, emit_jump(g, OP_JZ, r + 1));
			gen_when(g, n->c, false, &skip);
			for (struct node *a = n->a; a; a = a->next) {
				int v = gen_expr(g, a, -1), in = regs(g, 1);
				struct jumps no = {{0}, 0};
				int free = emit_jump(g, OP_JZ, 2);
				emit(g, OP_SHAS, in, 3, v);
				jumps_add(g, &no, emit_jump(g, OP_JZ, in));
				jump_here(g, free);
				emit(g, OP_RET, v, 1, 0);
				jumps_here(g, &no);
			}
		}
		jumps_here(g, &skip);
		g->top = mark;
	}
}

void gen_answer_fn(struct gen *g)
{
	struct model *m = g->m;
	fn_begin(g, g->fn_answer, 3 + g->p->set_words);
	g->bearer_reg = 0;
	gen_bind(g, m->w.me, type_new(m, VT_LIVE, KIND_COMBATANT), false, 0);
	int p = gen_policy_of(g, 0);
	regs(g, 2);
	for (int i = 0; i < m->policy.n; i++) {
		if (!has_answers(m->policy.v[i].node->a))
			continue;
		emit_const(g, p + 1, i);
		emit(g, OP_EQ, p + 2, p, p + 1);
		int other = emit_jump(g, OP_JZ, p + 2);
		gen_answers(g, m->policy.v[i].node->a);
		jump_here(g, other);
	}
	g->bearer_reg = -1;
	emit_const(g, p, NONE);
	emit(g, OP_RET, p, 1, 0);
	fn_end(g, 1);
}

/* ---- the end of the fight, and a block's edits ---- */

int over_fn(struct gen *g)
{
	return g->fn_over;
}

int moment_fn(struct gen *g)
{
	return g->fn_moment;
}

static struct node *find_until(struct node *items)
{
	struct node *until = NULL;
	for (struct node *n = items; n; n = n->next)
		if (n->kind == N_KIND_N_UNTIL && !n->damaged)
			until = n;
	return until;
}

static bool has_rounds(struct gen *g, struct node *items)
{
	for (struct node *n = items; n; n = n->next)
		if (n->kind == N_KIND_MOMENT && n->name != g->m->w.beat)
			return true;
	return false;
}

/* Whether some block says when the fight ends, or else the last line of the encounter itself. */
static bool ends_in_block(struct node *items)
{
	for (struct node *n = items; n; n = n->next)
		if (n->kind == N_KIND_MOMENT && !n->damaged && find_until(n->a))
			return true;
	return false;
}

/* What a block says of the end goes before what stood before it; of several the last one written. */
static void gen_ends_of_blocks(struct gen *g, struct node *n)
{
	if (!n)
		return;
	gen_ends_of_blocks(g, n->next);
	struct node *until = n->kind == N_KIND_MOMENT && !n->damaged ? find_until(n->a) : NULL;
	if (!until)
		return;
	struct jumps shut = {{0}, 0};
	int mark = g->top;
	gen_in_block(g, n, &shut);
	int r = gen_expr(g, until->a, -1);
	emit(g, OP_RET, r, 1, 0);
	jumps_here(g, &shut);
	g->top = mark;
}

static void gen_over_fn(struct gen *g, struct node *items)
{
	struct model *m = g->m;
	struct node *until = find_until(items);
	int settled = model_question_of(m, KIND_ENCOUNTER, m->w.settled, true);
	bool in_block = ends_in_block(items);
	if (!until && !in_block && (settled < 0 || has_rounds(g, items)))
		return;
	g->fn_over = fn_new(g, "is it over", until ? until->span : m->encounter.v[g->encounter].node->at);
	fn_begin(g, g->fn_over, 0);
	gen_ends_of_blocks(g, items);
	if (until) {
		int r = gen_expr(g, until->a, -1);
		emit(g, OP_RET, r, 1, 0);
	} else if (settled >= 0 && !has_rounds(g, items)) {
		int window = regs(g, 3);
		emit_const(g, window + 2, 0);
		gen_question(g, settled, window);
		emit(g, OP_RET, window, 1, 0);
	} else {
		int r = regs(g, 1);
		emit_const(g, r, 0);
		emit(g, OP_RET, r, 1, 0);
	}
	fn_end(g, 1);
}

static bool is_edit(const struct node *n)
{
	return (n->kind == N_KIND_N_EDIT || n->kind == N_KIND_N_REFEREE || (n->kind == N_KIND_N_FOLLOWS && n->ref >= 0) || n->kind == N_KIND_N_LEAVE) && !n->damaged;
}

/* In a block: who comes then. Of the encounter itself it is how the fight begins. */
static bool is_coming(const struct node *n, const struct node *moment)
{
	return moment && (n->kind == N_KIND_N_JOIN || n->kind == N_KIND_SIDE) && !n->damaged;
}

/* Edits stand in force when their block begins: run once each. */
static void gen_edits(struct gen *g, struct node *list, struct node *moment)
{
	struct vtype flag = {VT_BOOL, false, 0};
	bool lasts = moment && moment->name == g->m->w.beat, edited = false;
	int part = lasts ? moment->ref : -1;
	for (struct node *n = list; n; n = n->next) {
		part += lasts && edited && is_expect(n);
		edited = !is_expect(n);
		if (lasts && edited)
			emit_wide(g, OP_MOMENT, 0, part);
		if (lasts && !n->damaged)
			gen_options_of(g, n, moment);
		if (!is_edit(n) && !is_coming(n, moment))
			continue;
		int mark = g->top;
		struct jumps skip = {{0}, 0};
		g->span = n->span;
		gen_in_block(g, moment, &skip);
		int done = hidden_field(g, "edit made", KIND_ENCOUNTER, flag, 1);
		int zero = regs(g, 2);
		emit_const(g, zero, 0);
		emit(g, OP_LDF, zero + 1, zero, done);
		jumps_add(g, &skip, emit_jump(g, OP_JNZ, zero + 1));
		emit_const(g, zero + 1, 1);
		emit(g, OP_STF, zero, zero + 1, done);
		if (n->kind == N_KIND_N_FOLLOWS) {
			struct vtype t = {VT_NUMBER, false, 0};
			int policy = hidden_field(g, "policy", KIND_COMBATANT, t, 1);
			gen_followed(g, n, done);
			gen_when(g, n->c, n->num == 1, &skip);
			for (int i = 0; i < g->m->live.n; i++) {
				struct jumps no = {{0}, 0};
				int who = regs(g, 2);
				emit_const(g, who, i);
				gen_is_subject(g, n->a, who, &no);
				emit_const(g, who + 1, n->ref);
				emit(g, OP_STF, who, who + 1, policy);
				jumps_here(g, &no);
				g->top = who;
			}
		} else if (n->kind == N_KIND_N_JOIN || n->kind == N_KIND_SIDE) {
			gen_joins(g, n);
		} else if (n->kind == N_KIND_N_LEAVE) {
			gen_leaves(g, n);
		} else {
			gen_block(g, n->a);
		}
		jumps_here(g, &skip);
		g->top = mark;
	}
	if (lasts)
		emit_wide(g, OP_MOMENT, 0, part);
}

static void gen_moment_fn(struct gen *g, struct node *items)
{
	bool any = gen_options_change(g);
	for (struct node *n = items; n; n = n->next) {
		any |= is_edit(n);
		if (n->kind == N_KIND_MOMENT)
			for (struct node *x = n->a; x; x = x->next)
				any |= is_edit(x) || is_coming(x, n);
	}
	if (!any)
		return;
	int fn = fn_new(g, "edits of the script", g->m->encounter.v[g->encounter].node->at);
	fn_begin(g, fn, 0);
	gen_edits(g, items, NULL);
	for (struct node *n = items; n; n = n->next)
		if (n->kind == N_KIND_MOMENT)
			gen_edits(g, n->a, n);
	int r = regs(g, 1);
	emit_const(g, r, 0);
	emit(g, OP_RET, r, 1, 0);
	fn_end(g, 1);
	g->fn_moment = fn;
}

/* ---- dice and choices told beforehand ---- */

/* Everybody an owner's name stands for: one, a side (itself when `side` dice), or several. */
static int owners(struct gen *g, struct node *path, int *out, int most, int *kind)
{
	struct model *m = g->m;
	int n = 0;
	*kind = KIND_COMBATANT;
	if (path->kind != N_KIND_E_FIELD) {
		out[n++] = -1;
		return n;
	}
	struct type *t = type_find(path->a->type);
	if (t->base == VT_LIVE && t->kind == KIND_SIDE) {
		*kind = KIND_SIDE;
		out[n++] = model_side(m, path->a->name);
	} else if (t->base == VT_LIVE && path->a->kind == N_KIND_E_NAME) {
		int live = live_named(g, path->a->name);
		if (live >= 0)
			out[n++] = live;
	} else if (t->base == VT_SET && path->a->ref_kind == REF_ISA) {
		for (int i = 0; i < m->live.n && n < most; i++) {
			int thing = m->live.v[i].thing;
			while (thing >= 0 && thing != path->a->ref)
				thing = m->thing.v[thing].parent;
			if (thing >= 0)
				out[n++] = i;
		}
	}
	return n;
}

static int gen_pips(struct gen *g, const struct node *p)
{
	struct pips x = {g->pip_face.n, 0, p->span};
	int faces = node_count(p->a);
	for (struct node *v = p->a; v; v = v->next)
		VEC_PUSH(g->pip_face, (int32_t)v->num);
	x.faces = faces > 1 ? faces : 0;
	VEC_PUSH(g->pips, x);
	return g->pips.n - 1;
}

/* "attack roll #3 17 then 4": the third, and the one after it. */
static void gen_numbered(struct gen *g, const struct node *f, int label, int owner, int block)
{
	struct numbered_die d = {label, owner, (uint32_t)(f->num - 1), block, 0, f->span};
	for (const struct node *p = f->b; p; p = p->next, d.occurrence++) {
		d.pips = gen_pips(g, p);
		VEC_PUSH(g->numbered, d);
	}
}

static void gen_forced(struct gen *g, struct node *n, int block)
{
	struct model *m = g->m;
	if (n->num)
		g->block.v[block].only = true;
	for (struct node *f = n->a; f; f = f->next) {
		int who[FRAY_COMBATANTS_MAX];
		int kind;
		int count = owners(g, f->a, who, FRAY_COMBATANTS_MAX, &kind);
		/* "orcs' attack roll" when the label is not a side's own: each of its members */
		bool side_label = false;
		for (int i = 0; i < g->label.n; i++)
			side_label |= !strcmp(g->label.v[i].name, model_text(m, f->a->name)) && g->label.v[i].owner.base == VT_LIVE && g->label.v[i].owner.kind == KIND_SIDE;
		if (kind == KIND_SIDE && !side_label) {
			int side = who[0];
			count = 0;
			kind = KIND_COMBATANT;
			for (int i = 0; i < m->live.n; i++)
				if (m->live.v[i].side == side)
					who[count++] = i;
		}
		for (int i = 0; i < count; i++) {
			struct forced_die d = {label_index(g, f->a->name, who[i] < 0 ? -1 : kind), who[i], block, g->pips.n, 0, f->span};
			if (f->num) {
				if (!m->for_odds) /* which know no luck but that to come */
					gen_numbered(g, f, d.label, d.owner, block);
				continue;
			}
			for (struct node *p = f->b; p; p = p->next, d.count++)
				gen_pips(g, p);
			VEC_PUSH(g->forced, d);
		}
	}
}

static void gen_choices(struct gen *g, struct node *n, int block)
{
	for (struct node *f = n->a; f; f = f->next) {
		int who[FRAY_COMBATANTS_MAX];
		int kind;
		int count = owners(g, f->a, who, FRAY_COMBATANTS_MAX, &kind);
		if (kind == KIND_SIDE) {
			int side = who[0];
			count = 0;
			for (int i = 0; i < g->m->live.n; i++)
				if (g->m->live.v[i].side == side)
					who[count++] = i;
		}
		if (f->ref < 0)
			continue;
		for (int i = 0; i < count; i++) {
			struct forced_choice c = {f->ref, who[i], block, g->answer.n, 0, f->span};
			g->bearer_live = who[i];
			for (struct node *a = f->b; a; a = a->next) {
				VEC_PUSH(g->answer, const_value(g, a, g->m->choice.v[f->ref].type, false));
				c.count++;
			}
			g->bearer_live = -1;
			VEC_PUSH(g->forced_choice, c);
		}
	}
}

/* ---- expectations ---- */

int gen_expr_fn(struct gen *g, struct node *n, const char *name)
{
	int fn = fn_new(g, name, n->span);
	fn_begin(g, fn, 0);
	int width = width_of(g, n->type);
	int r = regs(g, width);
	gen_number(g, n, r, n->frac);
	emit(g, OP_RET, r, width, 0);
	fn_end(g, width);
	return fn;
}

/* A set of combatants named by subjects or by a `before whom`. */
static int who_fn(struct gen *g, struct node *n)
{
	int fn = fn_new(g, "who is meant", n->span);
	fn_begin(g, fn, 0);
	int r = regs(g, g->p->set_words);
	gen_target(g, n, type_set(g->m, type_new(g->m, VT_LIVE, KIND_COMBATANT)), false, r);
	emit(g, OP_RET, r, g->p->set_words, 0);
	fn_end(g, g->p->set_words);
	return fn;
}

static void gen_expect(struct gen *g, struct node *n, int block)
{
	struct model *m = g->m;
	struct expect_info e;
	memset(&e, 0, sizeof e);
	e.block = block;
	e.fn = e.left_fn = e.subject_fn = e.event = e.time_fn = e.other_fn = -1;
	e.span = n->span;
	e.text = gen_excerpt(g, n->span);
	if (n->kind == N_KIND_N_EXPECT) {
		e.fn = gen_expr_fn(g, n->a, "an expectation");
		if (n->a->kind == N_KIND_E_BINARY && n->a->op >= BIN_EQ && n->a->a->kind == N_KIND_E_FIELD) {
			e.left_fn = gen_expr_fn(g, n->a->a, "what is compared");
			e.left_type = vtype_of(g, n->a->a->type, n->a->a->frac);
			e.left_text = gen_excerpt(g, n->a->a->span);
		}
		VEC_PUSH(g->expect, e);
		return;
	}
	e.negated = n->num & 1;
	e.event = n->ref;
	e.refused = n->op == SAID_REFUSED;
	e.why = n->text ? gen_copy(g, n->text, strlen(n->text)) : NULL;
	struct node *subject = n->a;
	if (subject && subject->kind == N_KIND_E_FIELD)
		subject = subject->a;
	if (subject && subject->ref_kind == REF_LIVE)
		g->bearer_live = live_named(g, subject->name);
	if (subject) {
		struct node *next = subject->next;
		subject->next = n->a->kind == N_KIND_E_FIELD ? NULL : next;
		e.subject_fn = who_fn(g, subject);
		subject->next = next;
	}
	int object_role = (int)(n->num >> 8) - 1;
	if (n->b && object_role >= 0 && e.roles < EVENT_ROLES) {
		bool set = type_is(m->event.v[n->ref].role[object_role].type, VT_SET);
		e.match[e.roles].role = (uint8_t)object_role;
		e.match[e.roles].set = set;
		e.match[e.roles++].fn = set ? who_fn(g, n->b) : gen_expr_fn(g, n->b, "what is meant");
	}
	for (struct node *p = n->d; p; p = p->next) {
		if (p->ref == -3) {
			const char *prep = model_text(m, p->name);
			struct type *t = type_find(p->a->type);
			e.when = !strcmp(prep, "in") ? WHEN_IN : !strcmp(prep, "before") ? WHEN_BEFORE : WHEN_AFTER;
			if (t->base == VT_TIME || t->base == VT_COUNT)
				e.time_fn = gen_expr_fn(g, p->a, "when it is meant");
			else
				e.other_fn = who_fn(g, p->a);
		} else if (p->ref >= 0 && e.roles < EVENT_ROLES) {
			bool set = type_is(m->event.v[n->ref].role[p->ref].type, VT_SET);
			e.match[e.roles].role = (uint8_t)p->ref;
			e.match[e.roles].set = set;
			e.match[e.roles++].fn = set ? who_fn(g, p->a) : gen_expr_fn(g, p->a, "what is meant");
		}
	}
	g->bearer_live = -1;
	VEC_PUSH(g->expect, e);
}

static void gen_expects(struct gen *g, struct node *list, int block, bool lasts)
{
	bool edited = false;
	g->block.v[block].expect_first = g->expect.n;
	for (struct node *n = list; n; n = n->next) {
		if (lasts && edited && is_expect(n)) {
			g->block.v[block].expect_count = g->expect.n - g->block.v[block].expect_first;
			g->block.v[++block].expect_first = g->expect.n;
		}
		edited = !is_expect(n);
		if (is_expect(n))
			gen_expect(g, n, block);
	}
	g->block.v[block].expect_count = g->expect.n - g->block.v[block].expect_first;
}

/* ---- all of it ---- */

void gen_script(struct gen *g)
{
	struct model *m = g->m;
	struct node *items = m->encounter.v[g->encounter].node->a;
	gen_blocks(g, items);
	bool answers = false;
	for (int i = 0; i < m->policy.n; i++)
		answers |= has_answers(m->policy.v[i].node->a);
	g->fn_answer = -1;
	if (answers) {
		g->fn_answer = fn_new(g, "what a policy answers", m->encounter.v[g->encounter].node->at);
		struct pending_fn t;
		t.fn = g->fn_answer;
		t.sort = FN_ANSWER;
		t.what = t.stage = 0;
		VEC_PUSH(g->todo, t);
	}
	gen_watches(g);
	gen_over_fn(g, items);
	gen_moment_fn(g, items);
	gen_main(g);
	gen_pending(g);
	list_lines(g, items, NULL);
	gen_expects(g, items, 0, false);
	for (struct node *n = items; n; n = n->next)
		if (n->kind == N_KIND_MOMENT && !n->damaged)
			gen_expects(g, n->a, block_of(n), n->name == m->w.beat);
	gen_pending(g);
	g->p->probe_fn = -1;
	if (m->probe) {
		g->p->probe_fn = gen_expr_fn(g, m->probe, "asked at the prompt");
		g->p->probe_type = vtype_of(g, m->probe->type, m->probe->frac);
		gen_pending(g);
	}
	gen_measures(g);
	/* odds know no luck but that of their own branch */
	int counting = m->for_odds && !m->branch_waits ? m->branch_items : INT_MAX, item = 0;
	for (struct node *n = items; n && item < counting; n = n->next, item++) {
		if (m->for_odds && item == m->branch_items) {
			g->p->branch_forceds = g->forced.n;
			g->p->branch_choices = g->forced_choice.n;
		}
		if (n->damaged)
			continue;
		if (n->kind == N_KIND_N_DICE)
			gen_forced(g, n, 0);
		if (n->kind == N_KIND_N_CHOICES)
			gen_choices(g, n, 0);
		if (n->kind == N_KIND_MOMENT)
			for (struct node *x = n->a; x; x = x->next) {
				if (x->kind == N_KIND_N_DICE)
					gen_forced(g, x, n->ref);
				if (x->kind == N_KIND_N_CHOICES)
					gen_choices(g, x, n->ref);
			}
	}
}
