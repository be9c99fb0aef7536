/* gen_whenever.c - conditions that become true. */
#include <string.h>

#include "lang/gen/gen.h"

static int whenever_in_force(struct gen *g)
{
	int n = 0;
	for (int i = 0; i < g->m->whenever.n; i++)
		n += g->m->clause.v[g->m->whenever.v[i]].in_force;
	return n;
}

int whenever_fn(struct gen *g)
{
	if (whenever_in_force(g) == 0)
		return -1;
	if (g->fn_whenever < 0)
		g->fn_whenever = fn_new(g, "conditions", (struct span){0});
	return g->fn_whenever;
}

bool whenever_by_rounds(struct gen *g)
{
	struct model *m = g->m;
	struct reader x = {.seen = calloc((size_t)m->question.n + 1, 1)};
	if (!x.seen)
		abort();
	for (int w = 0; w < m->whenever.n; w++) {
		const struct mclause *c = &m->clause.v[m->whenever.v[w]];
		if (c->in_force)
			gen_reads_one(g, c->node->a, &x);
	}
	free(x.seen);
	return x.rounds;
}

void gen_settle(struct gen *g, int window)
{
	if (whenever_fn(g) >= 0)
		emit_wide(g, OP_SETTLE, window, whenever_fn(g));
}

static int kind_count(struct gen *g, int kind)
{
	return kind == KIND_SIDE ? g->m->side.n : kind == KIND_COMBATANT ? g->m->live.n : kind_borne(g->m, kind) ? item_count(g->m, kind) : 1;
}

/* The condition of a clause as a function of its parameters. */
static int condition_fn(struct gen *g, int c)
{
	struct mclause *x = &g->m->clause.v[c];
	int fn = fn_new(g, gen_excerpt(g, x->node->a->span), x->node->a->span);
	fn_begin(g, fn, x->params);
	for (int i = 0; i < x->params; i++)
		gen_bind(g, x->param_name[i], x->param_type[i], false, i);
	int now = regs(g, 1);
	struct jumps no = {{0}, 0};
	emit_const(g, now, 0);
	gen_guard(g, c, &no);
	gen_unless(g, x->node->a, &no);
	emit_const(g, now, 1);
	jumps_here(g, &no);
	emit(g, OP_RET, now, 1, 0);
	fn_end(g, 1);
	g->vars = 0;
	return fn;
}

/* The row of each condition, with its places and the fields that wake it. */
static void gen_conditions(struct gen *g)
{
	struct model *m = g->m;
	unsigned char *seen = malloc((size_t)m->question.n + 1);
	if (!seen)
		abort();
	for (int w = 0; w < m->whenever.n; w++) {
		int c = m->whenever.v[w];
		struct mclause *x = &m->clause.v[c];
		if (!x->in_force)
			continue;
		int bit = g->whenever.n < 63 ? g->whenever.n : 63;
		memset(seen, 0, (size_t)m->question.n + 1);
		gen_reads_one(g, x->node->a, &(struct reader){.bit = 1ull << bit, .seen = seen});
		struct whenever_info info = {gen_excerpt(g, x->node->a->span), clause_index(g, c), condition_fn(g, c), (uint8_t)x->params, g->whenever_total, {1, 1}, {0, 0}};
		for (int i = 0; i < x->params; i++)
			info.count[i] = kind_count(g, type_find(x->param_type[i])->kind);
		for (int i = 0; i < x->params; i++)
			info.kind[i] = (uint16_t)type_find(x->param_type[i])->kind;
		g->whenever_total += info.count[0] * info.count[1];
		VEC_PUSH(g->whenever, info);
	}
	free(seen);
}

/* What clause c does for the arguments at register `at`. */
static void gen_fired(struct gen *g, int c, int at, int none)
{
	const struct mclause *x = &g->m->clause.v[c];
	struct jumps stops = {{0}, 0};
	g->stops = &stops;
	g->body = BODY_AFTER;
	g->in_clause = clause_index(g, c);
	g->in_thing = x->thing;
	if (x->params > 0) {
		int kind = type_find(x->param_type[0])->kind;
		if (kind == KIND_COMBATANT || kind == KIND_SIDE) {
			g->owner_reg = at;
			g->owner_kind = kind;
		}
	}
	if (g->tells_clauses)
		emit_wide(g, OP_WHY, 3, g->in_clause);
	gen_block(g, x->node->b->a);
	jumps_here(g, &stops);
	if (g->observed)
		emit(g, OP_KEYED, none, none, FIRED);
	g->stops = NULL;
	g->owner_reg = g->owner_kind = -1;
}

void gen_whenever_fn(struct gen *g)
{
	struct model *m = g->m;
	gen_conditions(g);
	fn_begin(g, g->fn_whenever, 0);
	int first_of_all = here(g);
	int k = 0;
	int any = regs(g, 1);
	emit_const(g, any, 0);
	for (int w = 0; w < m->whenever.n; w++) {
		int c = m->whenever.v[w];
		struct mclause *x = &m->clause.v[c];
		if (!x->in_force)
			continue;
		int bit = k < 63 ? k : 63;
		int mark = g->top;
		int dirty = regs(g, 1);
		emit_wide(g, OP_DIRTY, dirty, bit);
		int clean = emit_jump(g, OP_JZ, dirty);
		emit_const(g, any, 1);
		/* for all for whom it may have changed */
		int at = regs(g, 3), place = at + x->params;
		if (x->params == 0)
			place = at;
		emit_const(g, at, -1);
		if (x->params > 1)
			emit_const(g, at + 1, -1);
		int again = here(g);
		emit_wide(g, OP_WOKE, at, k);
		int end = emit_jump(g, OP_JNONE, at);
		for (int p = 0; p < x->params; p++)
			gen_bind(g, x->param_name[p], x->param_type[p], false, at + p);
		int window = regs(g, 2 + x->params);
		for (int p = 0; p < x->params; p++)
			emit(g, OP_MOVE, window + 2 + p, at + p, 0);
		gen_call(g, g->whenever.v[k].fn, window);
		emit(g, OP_TURNED, window + 1, place, window);
		emit_wide(g, OP_EXT, 0, k);
		int not = emit_jump(g, OP_JZ, window + 1);
		int none = regs(g, 1);
		emit_const(g, none, NONE);
		if (g->observed)
			emit(g, OP_KEYED, x->params > 0 ? at : none, x->params > 1 ? at + 1 : none, k);
		gen_fired(g, c, at, none);
		jump_here(g, not);
		jump_back(g, again);
		jump_here(g, end);
		jump_here(g, clean);
		g->vars = 0;
		g->top = mark;
		k++;
	}
	/* a firing may have made others true */
	int still = emit_jump(g, OP_JZ, any), none = -1;
	if (!g->observed) { /* mostly it has not, and they need not be asked one by one */
		emit(g, OP_NEEDS, any, 0, 1);
		none = emit_jump(g, OP_JZ, any);
	}
	jump_back(g, first_of_all);
	jump_here(g, still);
	if (none >= 0)
		jump_here(g, none);
	emit(g, OP_RET, any, 1, 0);
	fn_end(g, 1);
}
