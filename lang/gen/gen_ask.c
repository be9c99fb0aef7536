/* gen_ask.c - what somebody declares when asked: his lines of the script, the policy he follows, what he answers. */

#include "lang/gen/gen.h"

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

bool gen_is_typed(const struct gen *g, const struct node *n)
{
	return n->kind == N_KIND_MOMENT && !n->damaged && n->name == g->m->w.beat;
}

/* Sets `told` when he is told anything in the whole encounter; what is said in mid-fight counts from then on,
 * or it would change what has happened. */
void gen_is_told(struct gen *g, struct node *list, int who, int told)
{
	for (struct node *n = list; n; n = n->next) {
		if (g->apart && gen_is_typed(g, n))
			continue; /* gen_typed.c */
		if (n->kind == N_KIND_MOMENT && !n->damaged) {
			struct jumps later = {{0}, 0};
			if (g->block.v[n->ref].lasting)
				gen_in_block(g, n, &later);
			gen_is_told(g, n->a, who, told);
			jumps_here(g, &later);
		}
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
	if (g->apart)
		gen_told_typed(g, who, &follows);
	emit_const(g, p, own);
	jumps_here(g, &follows);
	return p;
}

/* ---- ask ---- */

/* Who has had a line already: one set a line, whatever question it answers. */
int line_used(struct gen *g, const struct node *line)
{
	struct vtype t = {VT_SET, false, KIND_COMBATANT};
	for (int i = 0; i < g->used.n; i++)
		if (g->used.v[i].node == line)
			return g->used.v[i].field;
	struct line_field x = {line, gen_own_field(g, line, "line used", t, (int)g->p->set_words)};
	VEC_PUSH(g->used, x);
	return x.field;
}

struct node *cue_of(const struct node *say)
{
	for (struct node *p = say->d; p; p = p->next)
		if (p->kind == N_KIND_CUE && p->a && p->a->kind == N_KIND_N_SAY)
			return p->a;
	return NULL;
}

/* What was typed later replaces what was typed before: whoever takes line `n`, of block `moment`, does not take the lines of
 * earlier such blocks any more. Not where only some acts are asked for: another line may be the one that fits. */
static void gen_replaces(struct gen *g, const struct node *n, const struct node *moment, int who, int zero)
{
	const struct node *stmt = g->ask.v[g->asking].stmt;
	if (!moment || moment->name != g->m->w.beat || (stmt && stmt->c))
		return;
	for (struct node *b = g->m->encounter.v[g->encounter].node->a; b && b != moment; b = b->next)
		for (struct node *x = gen_is_typed(g, b) ? b->a : NULL; x; x = x->next)
			if (x != n && x->kind == N_KIND_N_SAY && !x->damaged && !cue_of(x) && line_asked_for(g, x))
				emit(g, OP_ADDS, zero, who, line_used(g, x));
}

void gen_unless_used(struct gen *g, int set, int who, int used, struct jumps *skip)
{
	const int zero = set + g->p->set_words, has = zero + 1;
	emit_const(g, zero, 0);
	emit(g, OP_LDSF, set, zero, used);
	emit(g, OP_SHAS, has, set, who);
	jumps_add(g, skip, emit_jump(g, OP_JNZ, has));
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
	int zero = set + g->p->set_words;
	gen_unless_used(g, set, who, used, &skip);
	gen_when(g, n->c, n->num == 1, &skip);
	struct jumps unfit = {{0}, 0};
	emit(g, OP_ADDS, zero, who, used);
	gen_replaces(g, n, moment, who, zero);
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

/* Lines with a cue come after all others: whoever has another line does that. */
static void gen_cued_plans(struct gen *g, struct node *list, struct node *moment)
{
	for (struct node *n = list; n; n = n->next) {
		if (n->kind == N_KIND_MOMENT && !n->damaged)
			gen_cued_plans(g, n->a, n);
		if (n->kind == N_KIND_N_SAY && !n->damaged && n->ref_kind == REF_EVENT && n->ref >= 0 && cue_of(n))
			gen_stand_ready(g, n, moment, 0);
	}
}

/* Is anything asked for, or else standing by? */
static bool stands_by(const struct gen *g)
{
	const struct node *stmt = g->ask.v[g->asking].stmt;
	const int event = stand_ready_event(g->m);
	const struct node *a = stmt ? stmt->b : NULL;
	while (a && model_event(g->m, a->name) != event)
		a = a->next;
	return event >= 0 && (a || !stmt || !stmt->b);
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

void gen_typed_lines(struct gen *g, struct node *items)
{
	struct node *before = NULL, *last;
	do {
		last = NULL;
		for (struct node *n = items; n != before; n = n->next)
			if (gen_is_typed(g, n))
				last = n;
		if (last)
			gen_script_lines(g, last);
		before = last;
	} while (last);
}

/* The lines that somebody should take, for when nobody does; and those that were typed in the middle of the fight. */
void list_lines(struct gen *g, struct node *items, struct node *moment)
{
	for (struct node *n = items; n; n = n->next) {
		bool outdone = false; /* by what was said later of the same round */
		for (struct node *x = n->next; x && n->kind == N_KIND_MOMENT; x = x->next)
			outdone |= same_moment(x, n) && !gen_is_typed(g, n);
		if (n->kind == N_KIND_MOMENT && !n->damaged && !outdone)
			list_lines(g, n->a, n);
		if (n->kind != N_KIND_N_SAY || n->damaged || (n->c && !(moment && gen_is_typed(g, moment))) || cue_of(n))
			continue;
		bool one = n->a && !n->a->next && n->a->ref_kind == REF_LIVE;
		bool asked = false; /* whatever asks for it has been made by now */
		for (int i = 0; i < g->used.n; i++)
			asked |= g->used.v[i].node == n;
		const enum ref group = n->a && !n->a->next ? (enum ref)n->a->ref_kind : REF_UNKNOWN;
		struct line_info line = {line_used(g, n), block_of(moment), one ? n->a->ref : -1,
			group == REF_SIDE ? model_side(g->m, model_alias(g->m, n->a->name)) : -1,
			group == REF_ISA ? thing_index(g, n->a->ref) : -1, asked,
			moment && gen_is_typed(g, moment), n->span,
			n->ref >= 0 ? event_index(g, n->ref) : -1,
			moment && line_spare(g->m, items, n)};
		VEC_PUSH(g->line, line);
	}
}

void gen_ask_fn(struct gen *g, int ask)
{
	struct model *m = g->m;
	struct node *items = m->encounter.v[g->encounter].node->a;
	fn_begin(g, g->ask.v[ask].fn, 1);
	g->asking = ask;
	const struct node *stmt = g->ask.v[ask].stmt;
	for (const struct node *a = stmt ? stmt->b : NULL; a; a = a->next)
		if (model_event(m, a->name) >= 0)
			g->event.v[model_event(m, a->name)].asked = true;
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
	/* what was said in the middle of the fight goes before what was written down for it, and what was said last first */
	if (g->apart)
		gen_call_typed(g, g->ask.v[ask].typed, 0);
	else
		gen_typed_lines(g, items);
	struct node *own = items;
	for (k = 0; own && k < branch; k++)
		own = own->next;
	for (struct node *n = own; n; n = n->next)
		if (!(n->kind == N_KIND_MOMENT && n->name == m->w.beat))
			gen_last_said(g, own, n);
	if (stands_by(g))
		gen_cued_plans(g, items, NULL);
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
	struct span at = g->m->encounter.v[g->encounter].node->at;
	struct ask a = {stmt, fn_new(g, "what is declared", at), -1, NULL};
	if (g->apart)
		a.typed = fn_new(g, "lines typed in mid-fight", at);
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

bool has_answers(struct node *list)
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
