/* never.c - conditions that cannot hold, as far as their words show: parts joined by `and` that exclude
 * each other, and comparisons of plain numbers. Only what the table wrote is looked at. */
#include <string.h>

#include "lang/check/model.h"
#include "runtime/base/num.h"

/* A clause's condition, and the two parts (or the one) because of which it never holds. */
struct never { struct model *m; const struct mclause *x; const struct node *one, *other; };

static bool alike(const struct never *w, const struct node *a, const struct node *b)
{
	return written_alike(w->m, w->x, a, b);
}

static bool is_compare(const struct node *n)
{
	return n->kind == N_KIND_E_BINARY && n->op >= BIN_EQ;
}

/* A number, or so many of a unit, written out: over the common measure of its unit. */
static bool plain_number(const struct model *m, const struct node *n, int64_t *num, int64_t *den)
{
	bool bad = false, minus = n->kind == N_KIND_E_NEG;
	const struct node *e = minus ? n->a : n;
	int unit = e->kind == N_KIND_E_QTY ? model_unit(m, e->name) : -1;
	if (e->kind != N_KIND_E_NUM && e->kind != N_KIND_E_PERCENT && unit < 0)
		return false;
	*num = unit < 0 ? e->num : num_mul(e->num, m->unit.v[unit].num, &bad);
	*den = unit < 0 ? e->den : num_mul(e->den, m->unit.v[unit].den, &bad);
	*num = minus ? -*num : *num;
	return !bad;
}

/* -1, 0, 1: less, the same, more; 2: not known */
static int order_of(const struct model *m, const struct node *a, const struct node *b)
{
	int64_t an, ad, bn, bd;
	bool bad = false;
	if (!plain_number(m, a, &an, &ad) || !plain_number(m, b, &bn, &bd))
		return 2;
	int64_t x = num_mul(an, bd, &bad), y = num_mul(bn, ad, &bad);
	return bad ? 2 : x < y ? -1 : x > y;
}

/* "level >= 5" and "level < 3": of one thing, with no number between. */
static bool bounds_exclude(const struct never *w, const struct node *a, const struct node *b)
{
	if (!alike(w, a->a, b->a))
		return false;
	int order = order_of(w->m, a->b, b->b); /* of a's bound to b's */
	if (order == 2)
		return false;
	bool a_up = a->op == BIN_GT || a->op == BIN_GE, b_up = b->op == BIN_GT || b->op == BIN_GE;
	bool a_down = a->op == BIN_LT || a->op == BIN_LE, b_down = b->op == BIN_LT || b->op == BIN_LE;
	if (a->op == BIN_EQ)
		return !relation_holds(b->op, order);
	if (b->op == BIN_EQ)
		return !relation_holds(a->op, -order);
	bool strict = a->op == BIN_GT || a->op == BIN_LT || b->op == BIN_GT || b->op == BIN_LT;
	return (a_up && b_down && (order > 0 || (order == 0 && strict))) || (a_down && b_up && (order < 0 || (order == 0 && strict)));
}

static bool exclude(const struct never *w, const struct node *a, const struct node *b)
{
	if (a->kind == N_KIND_E_NOT || b->kind == N_KIND_E_NOT)
		return (a->kind == N_KIND_E_NOT && alike(w, a->a, b)) || (b->kind == N_KIND_E_NOT && alike(w, b->a, a));
	if (is_compare(a) && is_compare(b))
		return bounds_exclude(w, a, b);
	if (a->kind != N_KIND_E_IS || b->kind != N_KIND_E_IS || a->ref_kind != b->ref_kind || !alike(w, a->a, b->a))
		return false;
	if (a->num != b->num)
		return alike(w, a->b, b->b);
	/* an act is of one action, and a field holds one word */
	bool one_of = a->ref_kind == REF_EVENT ? a->ref != b->ref : a->ref_kind == REF_WORD && !alike(w, a->b, b->b);
	return a->num != 1 && one_of;
}

static bool never(struct never *w, const struct node *n)
{
	switch (n->kind) {
	case N_KIND_E_NO:
		w->one = n;
		return true;
	case N_KIND_E_AND:
		for (const struct node *x = n->a; x; x = x->next) {
			if (never(w, x))
				return true;
			for (const struct node *y = n->a; y != x; y = y->next)
				if (exclude(w, y, x)) {
					w->one = y;
					w->other = x;
					return true;
				}
		}
		return false;
	case N_KIND_E_OR:
		for (const struct node *x = n->a; x; x = x->next)
			if (!never(w, x))
				return false;
		return true;
	case N_KIND_E_BINARY: {
		int order = is_compare(n) ? order_of(w->m, n->a, n->b) : 2;
		w->one = n;
		return order != 2 && !relation_holds(n->op, order);
	}
	default:
		return false;
	}
}

static void put_words(const struct model *m, const struct node *n, struct buf *out)
{
	size_t length;
	const char *text = sources_text(m->front->sources, n->span, &length);
	buf_printf(out, "\"%.*s\"", (int)length, text);
}

static void report(struct never *w, const struct node *condition)
{
	struct buf why = {0};
	put_words(w->m, w->one, &why);
	if (w->other) {
		buf_puts(&why, " and ");
		put_words(w->m, w->other, &why);
	}
	buf_puts(&why, w->other ? " exclude each other" : " is not so");
	model_report(w->m, M_NEVER_HOLDS, condition->span, 1, buf_text(&why));
	buf_free(&why);
}

void check_conditions(struct model *m)
{
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		struct never w = {.m = m, .x = x};
		if (x->when && !x->unless && m->module.v[x->module].own && never(&w, x->when))
			report(&w, x->when);
	}
}
