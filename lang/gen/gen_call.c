/* gen_call.c - questions, events and tables called: their arguments, and where the value is left. */

#include "lang/gen/gen.h"
#include "runtime/base/plane.h"

static int gen_arg(struct gen *g, struct node *a, struct type *want, bool frac, int dst)
{
	struct type *given = type_find(a->type);
	if (type_is(want, VT_SET) && given->base == VT_LIVE) {
		/* one, or a side's members, where a list is wanted */
		int mark = g->top;
		if (given->kind == KIND_SIDE) {
			int q = model_question_of(g->m, KIND_SIDE, g->m->w.members, false);
			int window = regs(g, 3 + g->p->set_words);
			gen_expr(g, a, window + 2);
			if (q >= 0)
				gen_question(g, q, window);
			emit(g, OP_SMOVE, dst, window, 0);
		} else {
			int one = gen_expr(g, a, -1);
			emit(g, OP_SNONE, dst, 0, 0);
			emit(g, OP_SADD, dst, one, 0);
		}
		g->top = mark;
		return g->p->set_words;
	}
	if (a->kind == N_KIND_E_NONE && type_is(want, VT_SET)) {
		emit(g, OP_SNONE, dst, 0, 0);
		return g->p->set_words;
	}
	gen_number(g, a, dst, frac && type_number(want));
	return width_of(g, want);
}

int gen_event_args(struct gen *g, int event, struct node *args, int window)
{
	const struct mevent *e = &g->m->event.v[event];
	int at = window + 2;
	int i = 0;
	for (struct node *a = args; a && i < e->roles; a = a->next, i++) {
		const struct mrole *r = &e->role[i];
		int top = g->top, summed = g->summed.n;
		gen_sum(g, a, model_text(g->m, r->name));
		at += gen_arg(g, a, r->type, r->frac, at);
		g->summed.n = summed;
		g->top = top;
	}
	return at - window - 2;
}

static int args_width(struct gen *g, const struct mquestion *q)
{
	int n = 0;
	for (int i = 0; i < q->params; i++)
		n += width_of(g, q->param[i]);
	return n;
}

/* A key or a column of a table; an act stands for what it does. */
static void gen_cell(struct gen *g, struct node *n, struct type *type, bool frac, int dst)
{
	if (type_is(type, VT_LIVE) && type_find(type)->kind == KIND_ACT) {
		int act = gen_expr(g, n, -1);
		emit(g, OP_EVENTOF, dst, act, 0);
	} else {
		gen_number(g, n, dst, frac);
	}
}

int gen_call_expr(struct gen *g, struct node *n, int dst)
{
	struct model *m = g->m;
	int width = width_of(g, n->type);
	int r = gen_into(g, dst, width);
	int mark = g->top;
	switch (n->ref_kind) {
	case REF_QUESTION: {
		const struct mquestion *q = &m->question.v[n->ref];
		if (q->pair >= 0 && question_bare(g, n->ref)) {
			int w = regs(g, 2);
			gen_expr(g, n->b, w);
			gen_expr(g, n->b->next, w + 1);
			emit(g, OP_LDP, r, w, link_pair(g, q->pair));
			break;
		}
		int words = args_width(g, q);
		int window = regs(g, 2 + (words > width ? words : width));
		int at = window + 2, i = 0;
		if (n->a->kind == N_KIND_E_FIELD) {
			gen_expr(g, n->a->a, at);
			at++;
			i = 1;
		}
		for (struct node *a = n->b; a; a = a->next, i++)
			at += gen_arg(g, a, q->param[i], q->param_frac[i], at);
		gen_question(g, n->ref, window);
		gen_move(g, n->type, r, window);
		break;
	}
	case REF_PAIR: {
		int w = regs(g, 2);
		gen_expr(g, n->b, w);
		gen_expr(g, n->b->next, w + 1);
		emit(g, OP_LDP, r, w, link_pair(g, n->ref));
		break;
	}
	case REF_TABLE: {
		const struct mtable *t = &m->table.v[n->ref];
		int w = regs(g, 3);
		gen_cell(g, n->b, t->param[0], t->key_frac, w);
		if (n->b->next)
			gen_cell(g, n->b->next, t->param[1], false, w + 1);
		else
			emit_const(g, w + 1, NONE);
		if (n->a->kind == N_KIND_E_FIELD) {
			gen_expr(g, n->a, w + 2);
			emit(g, OP_TABLEOF, r, w, 0);
		} else {
			emit(g, OP_TABLE, r, w, n->ref);
		}
		break;
	}
	case REF_REMAINDER: {
		int a = gen_expr(g, n->b, -1), b = gen_expr(g, n->b->next, -1);
		emit(g, OP_REM, r, a, b);
		break;
	}
	case REF_MEASURE: {
		int count = plane_arguments((enum measure)n->ref), w = regs(g, count), at = w;
		for (struct node *a = n->b; a; a = a->next)
			gen_number(g, a, at++, true);
		emit(g, OP_MEASURE, r, w, n->ref);
		break;
	}
	case REF_MOST:
	case REF_LEAST: {
		int d = gen_expr(g, n->b, -1);
		emit(g, OP_DICEMOST, r, d, n->ref_kind == REF_MOST);
		break;
	}
	default:
		emit_const(g, r, NONE);
		break;
	}
	g->top = mark;
	return r;
}
