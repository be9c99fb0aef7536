/* gen_is.c - `X is Y`, `X has Y` and `X in Y` to instructions. */

#include "lang/gen/gen.h"

/* Is it of that kind? Sorts of a kind are told by the stat blocks something is made from. */
static void gen_is_kind(struct gen *g, struct node *n, int r)
{
	struct model *m = g->m;
	int root = kind_root(m, n->ref), a = gen_expr(g, n->a, -1), b = regs(g, 3);
	if (type_is(n->a->type, VT_LIVE))
		emit(g, OP_LDF, b, a, template_field(g, root));
	else
		emit(g, OP_MOVE, b, a, 0);
	if (n->ref == root) {
		if (type_is(n->a->type, VT_LIVE)) {
			emit_const(g, r, 1); /* its type says so */
			return;
		}
		emit(g, OP_KINDOF, b + 1, b, 0);
		emit_const(g, b + 2, root);
		emit(g, OP_SAME, r, b + 1, b + 2);
		return;
	}
	struct jumps is = {{0}, 0};
	emit_const(g, r, 0);
	for (int i = 0; i < m->thing.n; i++) {
		int parent = m->thing.v[i].parent;
		if (!kind_is(m, m->thing.v[i].kind, n->ref) || (parent >= 0 && kind_is(m, m->thing.v[parent].kind, n->ref)))
			continue; /* what inherits is found by what it inherits from */
		emit_const(g, b + 1, thing_index(g, i));
		emit(g, OP_ISA, r, b, b + 1);
		jumps_add(g, &is, emit_jump(g, OP_JNZ, r));
	}
	jumps_here(g, &is);
}

/* Is it this thing, or made after it? */
static void gen_is_thing(struct gen *g, struct node *n, int r)
{
	int a = gen_expr(g, n->a, -1);
	int b = regs(g, 2);
	if (type_is(n->a->type, VT_LIVE))
		emit(g, OP_LDF, b, a, template_field(g, kind_root(g->m, type_find(n->a->type)->kind)));
	else
		emit(g, OP_MOVE, b, a, 0);
	emit_const(g, b + 1, thing_index(g, n->ref));
	emit(g, OP_ISA, r, b, b + 1);
}

int gen_is(struct gen *g, struct node *n, int dst)
{
	struct model *m = g->m;
	int r = gen_into(g, dst, 1);
	int mark = g->top;
	int a, b;
	switch (n->ref_kind) {
	case REF_NONE:
		if (type_is(n->a->type, VT_SET)) {
			a = gen_expr(g, n->a, -1);
			emit(g, OP_SCOUNT, r, a, 0);
			emit(g, OP_NOT, r, r, 0);
			break;
		}
		a = gen_expr(g, n->a, -1);
		b = gen_put(g, -1, NONE);
		emit(g, OP_SAME, r, a, b);
		break;
	case REF_ADJECTIVE: {
		const struct mquestion *q = &m->question.v[n->ref];
		if (q->field >= 0 && question_bare(g, n->ref)) {
			a = gen_expr(g, n->a, -1);
			load_field(g, q->field, a, r);
			break;
		}
		int window = regs(g, 3);
		gen_expr(g, n->a, window + 2);
		gen_question(g, n->ref, window);
		emit(g, OP_MOVE, r, window, 0);
		break;
	}
	case REF_FLAG:
		a = gen_expr(g, n->a, -1);
		gen_field(g, n->ref, a, r);
		break;
	case REF_EVENT:
		a = gen_expr(g, n->a, -1);
		b = regs(g, 2);
		emit(g, OP_EVENTOF, b, a, 0);
		emit_const(g, b + 1, event_index(g, n->ref));
		emit(g, OP_SAME, r, b, b + 1);
		break;
	case REF_ISA:
		gen_is_thing(g, n, r);
		break;
	case REF_IS_KIND:
		gen_is_kind(g, n, r);
		break;
	case REF_VIA: {
		a = gen_expr(g, n->a, -1);
		int via = gen_field(g, n->ref, a, -1);
		b = n->b->ref_kind == REF_THING && n->b->kind == N_KIND_E_NAME ? gen_put(g, -1, thing_index(g, n->b->ref)) : gen_expr(g, n->b, -1);
		emit(g, OP_ISA, r, via, b);
		break;
	}
	case REF_WORD:
		a = gen_expr(g, n->a, -1);
		b = gen_put(g, -1, text_index(g, intern_folded(m->front->names, n->b->name)));
		emit(g, OP_SAME, r, a, b);
		break;
	case REF_LOCAL:
		a = gen_expr(g, n->a, -1);
		b = gen_number(g, n->b, -1, n->a->frac && type_number(n->b->type));
		if (type_is(n->a->type, VT_SET))
			emit(g, OP_SAMES, r, a, b);
		else if (type_is(n->a->type, VT_THING))
			emit(g, OP_ISA, r, a, b);
		else
			emit(g, OP_SAME, r, a, b);
		break;
	default:
		emit_const(g, r, 0);
		break;
	}
	if (n->num == 1)
		emit(g, OP_NOT, r, r, 0);
	g->top = mark;
	return r;
}

/* owner and the thing looked for, in two registers side by side */
static int list_window(struct gen *g, struct node *owner, struct node *what)
{
	int w = regs(g, 2);
	gen_expr(g, owner, w);
	if (what)
		gen_expr(g, what, w + 1);
	return w;
}

int gen_has(struct gen *g, struct node *n, int dst)
{
	struct model *m = g->m;
	int r = gen_into(g, dst, 1);
	int mark = g->top;
	if (type_is(n->a->type, VT_SET)) {
		int set = gen_expr(g, n->a, -1);
		int one = gen_expr(g, n->b, -1);
		emit(g, OP_SHAS, r, set, one);
	} else if (n->ref_kind == REF_BORNE) {
		gen_borne(g, n, r);
	} else if (n->ref_kind == REF_LIST_FIELD && n->ref >= 0) {
		int w = list_window(g, n->a, n->b);
		emit(g, OP_HASL, r, w, link_field(g, n->ref));
	} else if (n->a->kind == N_KIND_E_FIELD || n->a->ref_kind == REF_FIELD_OF_ENCOUNTER) {
		int f = n->a->ref;
		int w = regs(g, 2);
		if (n->a->kind == N_KIND_E_FIELD)
			gen_expr(g, n->a->a, w);
		else
			emit_const(g, w, 0);
		gen_expr(g, n->b, w + 1);
		if (n->a->ref_kind == REF_QUESTION)
			f = m->question.v[n->a->ref].field;
		if (f < 0)
			emit_const(g, r, 0);
		else if (m->kind.v[m->field.v[f].kind].live)
			emit(g, OP_HASL, r, w, link_field(g, f));
		else
			emit(g, OP_HAST, r, w, link_thing_field(g, f));
	} else {
		emit_const(g, r, 0);
	}
	g->top = mark;
	return r;
}

int gen_in(struct gen *g, struct node *n, int dst)
{
	int r = gen_into(g, dst, 1);
	int mark = g->top;
	if (n->c) {
		bool frac = n->a->frac || n->b->frac || n->c->frac;
		int v = gen_number(g, n->a, -1, frac), from = gen_number(g, n->b, -1, frac), to = gen_number(g, n->c, -1, frac);
		int t = regs(g, 1);
		emit(g, frac ? OP_FLE : OP_LE, t, from, v);
		emit(g, frac ? OP_FLE : OP_LE, r, v, to);
		emit(g, OP_MIN, r, r, t);
	} else if (type_is(n->b->type, VT_LIVE)) {
		int who = gen_expr(g, n->a, -1), side = gen_expr(g, n->b, -1), of = regs(g, 1);
		emit(g, OP_LDF, of, who, g->p->at.combatant_side);
		emit(g, OP_EQ, r, of, side);
	} else if (type_is(n->b->type, VT_SET)) {
		int who = gen_expr(g, n->a, -1), set = gen_expr(g, n->b, -1);
		emit(g, OP_SHAS, r, set, who);
	} else {
		struct node has = *n;
		has.kind = N_KIND_E_HAS;
		has.a = n->b;
		has.b = n->a;
		has.ref_kind = REF_LIST_FIELD;
		has.ref = -1;
		gen_has(g, &has, r);
	}
	g->top = mark;
	return r;
}
