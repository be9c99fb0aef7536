/* exclude.c - parts of conditions that cannot be at once: the same and not the same, bounds
 * with no number between, two words of a field, two sorts of one thing, and adjectives whose
 * definitions exclude each other. */
#include <string.h>

#include "lang/check/never.h"
#include "runtime/base/num.h"

/* ---- bounds ---- */

/* Whether a part bounds something by a number: what, and between which. */
static bool bounds(struct reckoning *r, struct part p, const struct node **what, struct limits *out)
{
	const struct node *n = p.n;
	if (n->kind == N_KIND_E_IN && n->c && !p.denied) {
		const struct limits from = limits_of(r, n->b), to = limits_of(r, n->c);
		*what = n->a;
		*out = (struct limits){
			.low = true, .high = true, .least = from.least, .most = to.most};
		return limits_just(from) && limits_just(to);
	}
	if (!is_compare(n) || is_literal(n->a) == is_literal(n->b))
		return false;
	const bool turned = is_literal(n->a);
	const struct limits number = limits_of(r, turned ? n->a : n->b);
	int op = p.denied ? relation_denied(n->op) : n->op;
	if (turned)
		op = op == BIN_LT ? BIN_GT : op == BIN_GT ? BIN_LT
			: op == BIN_LE ? BIN_GE
			: op == BIN_GE ? BIN_LE
				       : op;
	*what = turned ? n->b : n->a;
	*out = (struct limits){.low = op == BIN_GT || op == BIN_GE || op == BIN_EQ,
		.high = op == BIN_LT || op == BIN_LE || op == BIN_EQ,
		.low_open = op == BIN_GT,
		.high_open = op == BIN_LT,
		.least = number.least,
		.most = number.most};
	return limits_just(number);
}

/* "level >= 5" and "level < 3": of one thing, with no number between. */
static bool bounds_exclude(struct reckoning *r, struct part a, struct part b)
{
	const struct node *x, *y;
	struct limits p, q;
	if (!bounds(r, a, &x, &p) || !bounds(r, b, &y, &q) || !parts_alike_in(r->m, a, x, b, y))
		return false;
	const bool other = !p.low && !p.high, another = !q.low && !q.high; /* any but that number */
	if (other || another)
		return other != another && limits_just(other ? q : p) && p.least == q.least;
	return limits_disjoint(p, q);
}

/* ---- parts that exclude each other ---- */

static bool sorts_exclude(const struct model *m, const struct node *a, const struct node *b)
{
	if (m->thing.v[a->ref].same >= 0 || m->thing.v[b->ref].same >= 0)
		return false;
	for (int t = a->ref; t >= 0; t = m->thing.v[t].parent)
		if (t == b->ref)
			return false;
	for (int t = b->ref; t >= 0; t = m->thing.v[t].parent)
		if (t == a->ref)
			return false;
	return true;
}

/* Without `not`, `is not` and `no ..`, which deny what is left. */
static struct part plain(struct part p)
{
	while (p.n->kind == N_KIND_E_NOT) {
		p.n = p.n->a;
		p.denied = !p.denied;
	}
	const bool not = (p.n->kind == N_KIND_E_IS && p.n->num == 1) ||
		(p.n->kind == N_KIND_E_AGG && p.n->op == AGG_NO);
	p.denied ^= not;
	return p;
}

/* The same question, whether it is denied or not. */
static bool same_asked(const struct model *m, struct part a, struct part b)
{
	const struct node *x = a.n, *y = b.n;
	if (x->kind != y->kind)
		return false;
	if (x->kind == N_KIND_E_IS)
		return x->ref_kind == y->ref_kind && parts_alike_in(m, a, x->a, b, y->a) &&
			parts_alike_in(m, a, x->b, b, y->b);
	if (x->kind == N_KIND_E_AGG)
		return x->op != AGG_COUNT && y->op != AGG_COUNT &&
			parts_alike_in(m, a, x->a, b, y->a);
	return parts_alike(m, a, b);
}

/* "level is none" and "level > 3" */
static bool unset_and_more(struct reckoning *r, struct part a, struct part b)
{
	const struct node *what;
	struct limits l;
	return a.n->kind == N_KIND_E_IS && a.n->ref_kind == REF_NONE && !a.denied && !b.denied &&
		bounds(r, b, &what, &l) && (l.low || l.high) &&
		parts_alike_in(r->m, a, a.n->a, b, what);
}

static bool exclude(struct reckoning *r, struct part a, struct part b)
{
	a = plain(a);
	b = plain(b);
	const struct node *x = a.n, *y = b.n;
	if (bounds_exclude(r, a, b) || unset_and_more(r, a, b) || unset_and_more(r, b, a))
		return true;
	if (a.denied != b.denied)
		return same_asked(r->m, a, b);
	if (a.denied || x->kind != N_KIND_E_IS || y->kind != N_KIND_E_IS ||
		x->ref_kind != y->ref_kind || !parts_alike_in(r->m, a, x->a, b, y->a))
		return false;
	switch (x->ref_kind) {
	case REF_EVENT: /* an act is of one action */ return x->ref != y->ref;
	case REF_WORD: /* a field holds one word */ return !parts_alike_in(r->m, a, x->b, b, y->b);
	case REF_ISA: /* and somebody has one stat block, a field one thing */
		return (type_is(x->a->type, VT_LIVE) || type_is(x->a->type, VT_THING)) &&
			sorts_exclude(r->m, x, y);
	case REF_VIA: /* of one class */
		return x->ref == y->ref && x->b->ref_kind == REF_THING &&
			y->b->ref_kind == REF_THING && sorts_exclude(r->m, x->b, y->b);
	default: return false;
	}
}

/* The definition of an adjective, where it has one alone. */
static const struct mclause *definition(const struct model *m, struct part p)
{
	const struct node *n = p.n;
	if (n->kind != N_KIND_E_IS || n->ref_kind != REF_ADJECTIVE || n->num == 1 || n->ref < 0 ||
		p.denied)
		return NULL;
	const struct mclause *only = NULL;
	for (int i = 0; i < m->question.v[n->ref].clause.n; i++) {
		const struct mclause *x = &m->clause.v[m->question.v[n->ref].clause.v[i]];
		if (only || x->node->kind != N_KIND_C_BE || x->unless || !x->when)
			return NULL;
		only = x;
	}
	return only;
}

/* Whether one of what the definition of a demands, or a itself, excludes b. */
static bool excluded_by(struct reckoning *r, struct part a, struct part b, int deep)
{
	if (exclude(r, a, b))
		return true;
	const struct mclause *x = deep ? definition(r->m, a) : NULL;
	if (!x || a.whom) /* names of one definition mean nothing in another */
		return false;
	const struct node *parts = x->when->kind == N_KIND_E_AND ? x->when->a : x->when;
	for (const struct node *k = parts; k; k = k == x->when ? NULL : k->next) {
		const struct part demanded = {.n = k, .for_name = x->node->name2, .whom = a.n->a};
		if (excluded_by(r, b, demanded, 0) || (deep > 1 && excluded_by(r, b, demanded, 1)))
			return true;
	}
	return false;
}

bool parts_exclude(struct reckoning *r, struct part a, struct part b)
{
	return excluded_by(r, a, b, 2) || excluded_by(r, b, a, 2);
}
