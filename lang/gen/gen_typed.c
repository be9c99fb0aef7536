/* gen_typed.c - what was typed in mid-fight stands in functions of its own, made when all others
 * are.
 *
 * A program whose last line is not there yet is therefore the beginning of the one that has it:
 * code, tables and words of the world keep their numbers, and the prompt lets a fight go on
 * under the longer program (world/extends.h). What has to ask for lines that may still come
 * calls one of these functions from the start; so does a program that nobody observes, into
 * which nobody types, if it has such lines. */
#include "lang/gen/gen.h"

struct node *gen_first_typed(const struct gen *g, struct node *items)
{
	struct node *n = items;
	while (n && !gen_is_typed(g, n))
		n = n->next;
	return n;
}

int gen_own_field(
    struct gen *g, const struct node *node, const char *name, struct vtype type, int words)
{
	for (int i = 0; i < g->reserved.n; i++)
		if (g->reserved.v[i].node == node)
			return g->reserved.v[i].field;
	return hidden_field(g, name, KIND_ENCOUNTER, type, words);
}

/* The fields of each line, in the order in which they were typed. */
static void reserve(struct gen *g, struct node *items)
{
	const struct vtype flag = {VT_BOOL, false, 0}, who = {VT_SET, false, KIND_COMBATANT};
	for (struct node *n = gen_first_typed(g, items); n; n = n->next)
		for (struct node *x = n->kind == N_KIND_MOMENT ? n->a : NULL; x; x = x->next) {
			struct line_field own = {x, -1};
			g->span = x->span;
			if (gen_is_edit(x) || gen_is_coming(x, n))
				own.field = hidden_field(g, "edit made", KIND_ENCOUNTER, flag, 1);
			else if (gen_is_typed(g, n) && x->kind == N_KIND_N_SAY && !x->damaged && !cue_of(x))
				own.field = hidden_field(g, "line used", KIND_ENCOUNTER, who, g->p->set_words);
			if (own.field >= 0)
				VEC_PUSH(g->reserved, own);
		}
}

void gen_call_typed(struct gen *g, int fn, int who)
{
	const int mark = g->top, window = regs(g, 3);
	emit(g, OP_MOVE, window + 2, who, 0);
	gen_call(g, fn, window);
	const int none = emit_jump(g, OP_JNONE, window);
	emit(g, OP_RET, window, 1, 0);
	jump_here(g, none);
	g->top = mark;
}

void gen_told_typed(struct gen *g, int who, struct jumps *told)
{
	const int mark = g->top, window = regs(g, 3);
	if (g->fn_told < 0)
		g->fn_told = fn_new(g, "is told in mid-fight", g->span);
	emit(g, OP_MOVE, window + 2, who, 0);
	gen_call(g, g->fn_told, window);
	jumps_add(g, told, emit_jump(g, OP_JNZ, window));
	g->top = mark;
}

static void gen_edits_fn(struct gen *g, struct node *items)
{
	const int moment = g->fn_moment;
	g->fn_moment = -1; /* an edit is no moment in which others are made */
	fn_begin(g, g->fn_typed, 0);
	g->outside = true;
	for (struct node *n = gen_first_typed(g, items); n; n = n->next)
		if (n->kind == N_KIND_MOMENT)
			gen_edits(g, n->a, n);
	g->outside = false;
	const int r = regs(g, 1);
	emit_const(g, r, 0);
	emit(g, OP_RET, r, 1, 0);
	fn_end(g, 1);
	g->fn_moment = moment;
}

static void gen_told_fn(struct gen *g, struct node *items)
{
	fn_begin(g, g->fn_told, 1);
	const int told = regs(g, 1);
	emit_const(g, told, 0);
	for (struct node *n = items; n; n = n->next) {
		struct jumps later = {{0}, 0};
		if (!gen_is_typed(g, n))
			continue;
		gen_in_block(g, n, &later);
		gen_is_told(g, n->a, 0, told);
		jumps_here(g, &later);
	}
	emit(g, OP_RET, told, 1, 0);
	fn_end(g, 1);
}

static void gen_lines_fn(struct gen *g, struct node *items, int ask)
{
	fn_begin(g, g->ask.v[ask].typed, 1);
	g->asking = ask;
	const int act = regs(g, 1);
	ensure_var_owner(g, 0);
	gen_typed_lines(g, items);
	emit_const(g, act, NONE);
	emit(g, OP_RET, act, 1, 0);
	fn_end(g, 1);
}

/* Functions that something typed was the first to call. */
static void gen_rest(struct gen *g)
{
	gen_pending(g);
	if (g->fn_group >= 0 && g->fn.v[g->fn_group].entry < 0)
		gen_group_fn(g);
	if (g->fn_one >= 0 && g->fn.v[g->fn_one].entry < 0)
		gen_one_fn(g);
	gen_pending(g);
}

void gen_all_typed(struct gen *g, struct node *items)
{
	g->p->before_typed = g->code.n;
	g->p->fns_before_typed = g->fn.n;
	reserve(g, items);
	gen_edits_fn(g, items);
	gen_rest(g);
	if (g->fn_told >= 0)
		gen_told_fn(g, items);
	for (int i = 0; i < g->ask.n; i++) {
		gen_lines_fn(g, items, i);
		gen_rest(g);
	}
	if (g->fn_untaken >= 0)
		gen_untaken_fn(g);
	gen_rest(g);
}
