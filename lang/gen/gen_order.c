/* gen_order.c - orders of acts: their keys, and clauses that compare two. */
#include <string.h>

#include "lang/gen/gen.h"

static void keys_into(struct gen *g, struct node *keys, int first, const bool *frac)
{
	int i = 0;
	for (struct node *k = keys; k && i < ORDER_KEYS; k = k->next, i++) {
		int mark = g->top;
		int v = gen_number(g, k->a, -1, frac[i] && type_number(k->a->type));
		if (type_is(k->a->type, VT_TEXT)) {
			int r = regs(g, 1);
			emit(g, OP_RANK, r, v, 0);
			v = r;
		}
		if (k->op == KEY_HIGHEST) {
			if (frac[i]) {
				bool bad = false;
				int zero = regs(g, 1);
				emit_const(g, zero, frac_of(0, &bad));
				emit(g, OP_FSUB, first + i, zero, v);
			} else {
				emit(g, OP_NEG, first + i, v, 0);
			}
		} else {
			emit(g, OP_MOVE, first + i, v, 0);
		}
		g->top = mark;
	}
}

static int keys_of(struct node *keys, bool *frac)
{
	int n = 0;
	for (struct node *k = keys; k && n < ORDER_KEYS; k = k->next, n++)
		frac[n] |= k->a->frac;
	return n;
}

int order_new(struct gen *g, const char *name)
{
	struct order_info o = {0};
	o.name = name;
	o.key_fn = o.pair_fn = o.partner_fn = -1;
	VEC_PUSH(g->order, o);
	return g->order.n - 1;
}

int order_index(struct gen *g, struct node *keys)
{
	int order = order_new(g, "");
	struct order_info *o = &g->order.v[order];
	o->keys = (uint8_t)keys_of(keys, o->frac);
	o->key_fn = fn_new(g, "order of a list", keys->span);
	/* made when all else is: the keys may use no local names */
	VEC_PUSH(g->nested, (struct nested_order){keys, order});
	g->fn.v[o->key_fn].results = o->keys;
	g->fn.v[o->key_fn].span = keys->span;
	return order;
}

static int standing(struct gen *g, int c)
{
	const struct mclause *x = &g->m->clause.v[c];
	return (x->when ? 100 : 0) + layer_of(g, c);
}

/* Clauses on the main order, best standing first. */
static int sorted_clauses(struct gen *g, const int *list, int n, int *out, int most)
{
	int k = 0;
	for (int i = 0; i < n && k < most; i++) {
		int c = list[i];
		if (!g->m->clause.v[c].in_force)
			continue;
		bool removed = false;
		for (int j = 0; j < n; j++)
			removed |= j != i && g->m->clause.v[list[j]].in_force && !g->m->clause.v[list[j]].when && !clause_guarded(g->m, list[j]) && clause_excepts(g->m, list[j], c);
		if (removed && g->m->clause.v[c].sort == CLAUSE_ORDER)
			continue;
		int at = k++;
		while (at > 0 && (standing(g, c) > standing(g, out[at - 1]) || clause_excepts(g->m, c, out[at - 1]))) {
			out[at] = out[at - 1];
			at--;
		}
		out[at] = c;
	}
	return k;
}

/* Jumps out when a ruling of a block lets another clause that applies come before this one. */
static void gen_excepted(struct gen *g, int other, int clause, struct jumps *out)
{
	const struct mclause *x = &g->m->clause.v[other];
	struct jumps no = {{0}, 0};
	gen_excepts(g, other, clause, &no);
	gen_guard(g, other, &no);
	bind_params(g, other, 0);
	gen_when(g, x->when, x->unless, &no);
	jumps_add(g, out, emit_jump(g, OP_JMP, 0));
	jumps_here(g, &no);
	g->vars = 0;
}

void gen_main_keys(struct gen *g, int order)
{
	struct model *m = g->m;
	int list[64];
	int n = sorted_clauses(g, m->orders.v, m->orders.n, list, 64);
	struct order_info *o = &g->order.v[order];
	for (int i = 0; i < n; i++) {
		const struct node *node = m->clause.v[list[i]].node;
		int k = keys_of(node->a, o->frac);
		if (k > o->keys)
			o->keys = (uint8_t)k;
	}
	if (n == 0)
		return;
	o->key_fn = fn_new(g, "order of acts", m->clause.v[list[0]].node->span);
	fn_begin(g, o->key_fn, 1);
	int first = regs(g, ORDER_KEYS);
	struct jumps done = {{0}, 0};
	for (int i = 0; i < n; i++) {
		struct mclause *x = &m->clause.v[list[i]];
		struct jumps no = {{0}, 0};
		gen_guard(g, list[i], &no);
		for (int j = 0; j < n; j++)
			if (j != i && clause_ruled(m, list[j], list[i]))
				gen_excepted(g, list[j], list[i], &no);
		bind_params(g, list[i], 0);
		gen_when(g, x->when, x->unless, &no);
		for (int k = 0; k < ORDER_KEYS; k++) {
			bool bad = false;
			emit_const(g, first + k, g->order.v[order].frac[k] ? frac_of(0, &bad) : 0);
		}
		keys_into(g, x->node->a, first, g->order.v[order].frac);
		if (g->observed)
			emit_wide(g, OP_WHY, 2, clause_index(g, list[i]));
		jumps_add(g, &done, emit_jump(g, OP_JMP, 0));
		jumps_here(g, &no);
		g->vars = 0;
	}
	for (int k = 0; k < ORDER_KEYS; k++)
		emit_const(g, first + k, NONE);
	jumps_here(g, &done);
	emit(g, OP_RET, first, ORDER_KEYS, 0);
	fn_end(g, ORDER_KEYS);
}

/* Skips a condition when another clause than this is asked about alone. */
static void gen_unless_only(struct gen *g, int clause, int only, struct jumps *skip)
{
	int mark = g->top, r = regs(g, 2);
	int all = emit_jump(g, OP_JNONE, only);
	emit_const(g, r, clause_index(g, clause));
	emit(g, OP_SAME, r + 1, only, r);
	jumps_add(g, skip, emit_jump(g, OP_JZ, r + 1));
	jump_here(g, all);
	g->top = mark;
}

/* (one, other, only) -> verb + 1 and clause of the winning pair clause, or 0. With `only`, that
 * clause alone is looked at: so what its condition rests on gets into the log. */
void gen_pairs(struct gen *g, int order)
{
	struct model *m = g->m;
	int list[96];
	int n = sorted_clauses(g, m->pairs_clauses.v, m->pairs_clauses.n, list, 96);
	if (n == 0)
		return;
	int fn = fn_new(g, "how two acts stand", m->clause.v[list[0]].node->span);
	g->order.v[order].pair_fn = fn;
	fn_begin(g, fn, 3);
	int r = regs(g, 2);
	int flags = regs(g, n);
	/* all conditions, then the first that nothing applicable excepts */
	for (int i = 0; i < n; i++) {
		struct mclause *x = &m->clause.v[list[i]];
		struct jumps no = {{0}, 0};
		emit_const(g, flags + i, 0);
		if (g->observed)
			gen_unless_only(g, list[i], 2, &no);
		gen_guard(g, list[i], &no);
		bind_params(g, list[i], 0);
		g->in_thing = x->thing;
		gen_when(g, x->when, x->unless, &no);
		emit_const(g, flags + i, 1);
		jumps_here(g, &no);
		g->vars = 0;
	}
	for (int i = 0; i < n; i++) {
		struct jumps dead = {{0}, 0};
		jumps_add(g, &dead, emit_jump(g, OP_JZ, flags + i));
		for (int j = 0; j < n; j++)
			if (j != i && may_except(g, list[j], list[i])) {
				struct jumps no = {{0}, 0};
				gen_excepts(g, list[j], list[i], &no);
				jumps_add(g, &dead, emit_jump(g, OP_JNZ, flags + j));
				jumps_here(g, &no);
			}
		/* another of the same standing that answers otherwise: ruling needed */
		for (int j = i + 1; j < n; j++) {
			if (standing(g, list[j]) != standing(g, list[i]) || clause_excepts(m, list[i], list[j]))
				continue;
			if (m->clause.v[list[j]].node->op == m->clause.v[list[i]].node->op)
				continue;
			int fine = emit_jump(g, OP_JZ, flags + j), settled = -1;
			if (clause_ruled(m, list[i], list[j])) {
				struct jumps open = {{0}, 0};
				gen_excepts(g, list[i], list[j], &open);
				settled = emit_jump(g, OP_JMP, 0);
				jumps_here(g, &open);
			}
			emit_const(g, r, clause_index(g, list[i]));
			emit_const(g, r + 1, clause_index(g, list[j]));
			emit_wide(g, OP_RULING, r, -2);
			jump_here(g, fine);
			if (settled >= 0)
				jump_here(g, settled);
		}
		emit_const(g, r, m->clause.v[list[i]].node->op + 1);
		emit_const(g, r + 1, clause_index(g, list[i]));
		emit(g, OP_RET, r, 2, 0);
		jumps_here(g, &dead);
	}
	emit_const(g, r, 0);
	emit_const(g, r + 1, NONE);
	emit(g, OP_RET, r, 2, 0);
	fn_end(g, 2);
	if (!g->observed)
		g->order.v[order].partner_fn = gen_partners(g, list, n);
}

/* Those made meanwhile as well: keys may ask what resolves a list of its own. */
void gen_nested_orders(struct gen *g)
{
	for (int i = 0; i < g->nested.n; i++) {
		const struct nested_order of = g->nested.v[i];
		const struct order_info *o = &g->order.v[of.order];
		bool frac[ORDER_KEYS];
		if (g->fn.v[o->key_fn].entry >= 0)
			continue;
		memcpy(frac, o->frac, sizeof frac);
		fn_begin(g, o->key_fn, 1);
		int first = regs(g, ORDER_KEYS);
		gen_bind(g, g->m->w.act, type_new(g->m, VT_LIVE, KIND_ACT), false, 0);
		for (int k = 0; k < ORDER_KEYS; k++)
			emit_const(g, first + k, 0);
		/* "by highest X": the key's own verb */
		keys_into(g, of.keys, first, frac);
		emit(g, OP_RET, first, ORDER_KEYS, 0);
		fn_end(g, ORDER_KEYS);
	}
}
