/* gen_scene.c - the script becomes functions and tables: its blocks, what they change, and the end of the fight. */
#include <limits.h>

#include "lang/gen/gen.h"

/* ---- blocks ---- */

/* The block number of a MOMENT node; 0 is the encounter itself. */
int block_of(const struct node *moment)
{
	return moment ? moment->ref : 0;
}

static int beat_field(struct gen *g)
{
	const struct vtype count = {VT_NUMBER, false, 0};
	if (g->beat < 0)
		g->beat = hidden_field(g, "beat", KIND_ENCOUNTER, count, 1);
	g->p->at.beat = g->beat;
	return g->beat;
}

static int block_field(struct gen *g, struct node *moment)
{
	struct model *m = g->m;
	if (moment->name == m->w.beat)
		return beat_field(g);
	if (moment->name == m->w.round)
		return link_field(g, model_field(m, KIND_ROUND, m->w.number));
	int f = model_field(m, KIND_ENCOUNTER, moment->name);
	return f < 0 ? -1 : link_field(g, f);
}

bool is_expect(const struct node *n)
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
	g->beat = g->p->at.beat = -1;
	if (g->observed) /* the first line typed in mid-fight finds it */
		beat_field(g);
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

bool gen_is_edit(const struct node *n)
{
	return (n->kind == N_KIND_N_EDIT || n->kind == N_KIND_N_REFEREE || (n->kind == N_KIND_N_FOLLOWS && n->ref >= 0) || n->kind == N_KIND_N_LEAVE) && !n->damaged;
}

bool gen_is_coming(const struct node *n, const struct node *moment)
{
	return moment && (n->kind == N_KIND_N_JOIN || n->kind == N_KIND_SIDE) && !n->damaged;
}

/* They stand in force when their block begins. */
void gen_edits(struct gen *g, struct node *list, struct node *moment)
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
		if (!gen_is_edit(n) && !gen_is_coming(n, moment))
			continue;
		int mark = g->top;
		struct jumps skip = {{0}, 0};
		g->span = n->span;
		gen_in_block(g, moment, &skip);
		int done = gen_own_field(g, n, "edit made", flag, 1);
		int zero = regs(g, 2);
		emit_const(g, zero, 0);
		emit(g, OP_LDF, zero + 1, zero, done);
		jumps_add(g, &skip, emit_jump(g, OP_JNZ, zero + 1));
		emit_const(g, zero + 1, 1);
		emit(g, OP_STF, zero, zero + 1, done);
		if (g->observed) /* no rule does it, not even that of the edit before */
			emit_wide(g, OP_WHY, 0, -1);
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
		any |= gen_is_edit(n);
		if (n->kind == N_KIND_MOMENT)
			for (struct node *x = n->a; x; x = x->next)
				any |= gen_is_edit(x) || gen_is_coming(x, n);
	}
	if (!any && !g->apart)
		return;
	struct node *typed = g->apart ? gen_first_typed(g, items) : NULL;
	int fn = fn_new(g, "edits of the script", g->m->encounter.v[g->encounter].node->at);
	fn_begin(g, fn, 0);
	g->outside = true;
	gen_edits(g, items, NULL);
	for (struct node *n = items; n != typed; n = n->next)
		if (n->kind == N_KIND_MOMENT)
			gen_edits(g, n->a, n);
	g->outside = false;
	int r = regs(g, 3);
	if (g->apart) {
		g->fn_typed = fn_new(g, "edits typed in mid-fight", g->fn.v[fn].span);
		gen_call(g, g->fn_typed, r);
	}
	emit_const(g, r, 0);
	emit(g, OP_RET, r, 1, 0);
	fn_end(g, 1);
	g->fn_moment = fn;
}

/* ---- all of it ---- */

void gen_script(struct gen *g)
{
	struct model *m = g->m;
	struct node *items = m->encounter.v[g->encounter].node->a;
	g->apart = g->observed || gen_first_typed(g, items);
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
	if (g->apart)
		gen_all_typed(g, items);
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
		g->p->probe_words = type_is(m->probe->type, VT_LIST) ? list_width(g, m->probe) : width_of(g, m->probe->type);
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
