/* overlap.c - definitions that can be seen to collide: of one standing, whose conditions are
 * the same, or one of which holds whenever the other does, and that answer differently.
 *
 * Only what can be read off the conditions is reported. Whatever might set the matter right
 * (an exception to either, a nearer conditional clause) keeps the checker silent; what is left
 * is found when the fight is played, as a ruling. */
#include <string.h>

#include "lang/check/alike.h"

/* Two clauses that name the parameters of one question, each in its own words. */
struct pair_of { const struct model *m; const struct mclause *a, *b; };

/* Written alike, but for the names of the parameters. */
static bool same(const struct pair_of *p, const struct node *x, const struct node *y)
{
	const struct part a = {.clause = p->a}, b = {.clause = p->b};
	return parts_alike_in(p->m, a, x, b, y);
}

/* "level >= 5" where "level >= 3" is asked: bounds of one thing. */
static bool bound_implies(const struct pair_of *p, const struct node *x, const struct node *y)
{
	if (x->kind != N_KIND_E_BINARY || y->kind != N_KIND_E_BINARY || !x->b || !y->b || x->b->kind != N_KIND_E_NUM || y->b->kind != N_KIND_E_NUM)
		return false;
	if (x->b->den != 1 || y->b->den != 1 || !same(p, x->a, y->a))
		return false;
	int64_t m = x->b->num, n = y->b->num;
	switch (y->op) {
	case BIN_GE: return (x->op == BIN_GE || x->op == BIN_EQ) ? m >= n : x->op == BIN_GT && m >= n;
	case BIN_GT: return x->op == BIN_GT ? m >= n : (x->op == BIN_GE || x->op == BIN_EQ) && m > n;
	case BIN_LE: return (x->op == BIN_LE || x->op == BIN_EQ) ? m <= n : x->op == BIN_LT && m <= n;
	case BIN_LT: return x->op == BIN_LT ? m <= n : (x->op == BIN_LE || x->op == BIN_EQ) && m < n;
	default: return false;
	}
}

static const struct node *parts(const struct node *n, enum node_kind kind)
{
	return n->kind == kind ? n->a : NULL;
}

/* Whether x cannot hold without y, as far as their words show. `x` is clause a's. */
static bool implies(const struct pair_of *p, const struct node *x, const struct node *y)
{
	if (same(p, x, y) || bound_implies(p, x, y))
		return true;
	if (parts(y, N_KIND_E_AND)) {
		for (const struct node *k = y->a; k; k = k->next)
			if (!implies(p, x, k))
				return false;
		return true;
	}
	if (parts(x, N_KIND_E_OR)) {
		for (const struct node *k = x->a; k; k = k->next)
			if (!implies(p, k, y))
				return false;
		return true;
	}
	for (const struct node *k = parts(x, N_KIND_E_AND); k; k = k->next)
		if (implies(p, k, y))
			return true;
	for (const struct node *k = parts(y, N_KIND_E_OR); k; k = k->next)
		if (implies(p, x, k))
			return true;
	return false;
}

/* One holds whenever the other does. */
static bool conditions_meet(const struct model *m, const struct mclause *a, const struct mclause *b)
{
	struct pair_of ab = {m, a, b}, ba = {m, b, a};
	if (!a->when || !b->when)
		return !a->when && !b->when;
	if (a->unless || b->unless)
		return a->unless && b->unless && same(&ab, a->when, b->when);
	return implies(&ab, a->when, b->when) || implies(&ba, b->when, a->when);
}

static bool same_answer(const struct model *m, const struct mclause *a, const struct mclause *b)
{
	struct pair_of p = {m, a, b};
	const struct node *x = a->node->kind == N_KIND_C_BE ? NULL : a->node->b, *y = b->node->kind == N_KIND_C_BE ? NULL : b->node->b;
	if (!x && !y)
		return true;
	if (!x || !y)
		return (x ? x : y)->kind == N_KIND_E_YES;
	return same(&p, x, y);
}

/* Something that may decide between them, or against both, before they collide. */
static bool may_be_settled(const struct model *m, const struct mquestion *q, int a, int b)
{
	for (int i = 0; i < q->clause.n; i++) {
		int c = q->clause.v[i];
		const struct mclause *x = &m->clause.v[c];
		if (c == a || c == b || !x->in_force || x->sort != CLAUSE_DEFINE)
			continue;
		if (clause_excepts(m, c, a) || clause_excepts(m, c, b) || clause_ruled(m, c, a) || clause_ruled(m, c, b))
			return true;
		if (m->clause.v[a].when && x->when && m->module.v[x->module].layer > m->module.v[m->clause.v[a].module].layer)
			return true;
	}
	return false;
}

static bool collide(const struct model *m, const struct mquestion *q, int a, int b)
{
	const struct mclause *x = &m->clause.v[a], *y = &m->clause.v[b];
	if (m->module.v[x->module].layer != m->module.v[y->module].layer || x->thing != y->thing || x->encounter != y->encounter)
		return false;
	if (clause_guarded(m, a) || clause_guarded(m, b))
		return false;
	if (clause_excepts(m, a, b) || clause_excepts(m, b, a) || clause_ruled(m, a, b) || clause_ruled(m, b, a) || same_answer(m, x, y))
		return false;
	return conditions_meet(m, x, y) && !may_be_settled(m, q, a, b);
}

static const char *rule_name(const struct model *m, const struct mclause *c)
{
	return c->rule >= 0 ? model_text(m, m->rule.v[c->rule].name) : NULL;
}

static void report_collision(struct model *m, const struct mquestion *q, const struct mclause *a, const struct mclause *b)
{
	const char *ra = rule_name(m, a), *rb = rule_name(m, b);
	struct diag d = diag_make(M_RULING_DEFINE, b->node->span);
	struct buf line = {0}, drop = {0};
	diag_arg(&d, model_text(m, q->name));
	diag_arg(&d, ra ? ra : "a clause outside rules");
	diag_arg(&d, rb ? rb : "a clause outside rules");
	diag_relate(&d, a->node->span, "the other definition");
	if (a->when)
		diag_line(&d, "Whenever the one condition holds, so does the other.");
	if (ra && rb && strcmp(ra, rb)) {
		buf_printf(&line, "To let one decide:   ruling %s over %s", rb, ra);
		buf_printf(&drop, "To leave one out:    drop rule %s", ra);
		diag_line(&d, buf_text(&line));
		diag_line(&d, buf_text(&drop));
	}
	model_send(m, &d);
	buf_free(&line);
	buf_free(&drop);
}

/* Whether any two collide as the layers are resolved now; with `report`, each is said. */
static bool look_for_collisions(struct model *m, bool report)
{
	bool any = false;
	VEC(int) define = {0};
	for (int q = 0; q < m->question.n; q++) {
		const struct mquestion *x = &m->question.v[q];
		define.n = 0;
		for (int i = 0; i < x->clause.n; i++) {
			const struct mclause *c = &m->clause.v[x->clause.v[i]];
			if (c->sort != CLAUSE_DEFINE || !c->in_force)
				continue;
			for (int k = 0; k < define.n; k++) {
				if (!collide(m, x, define.v[k], x->clause.v[i]))
					continue;
				any = true;
				if (report)
					report_collision(m, x, &m->clause.v[define.v[k]], c);
			}
			VEC_PUSH(define, x->clause.v[i]);
		}
	}
	VEC_FREE(define);
	return any;
}

void check_overlaps(struct model *m)
{
	if (!look_for_collisions(m, m->encounter.n == 0) || m->encounter.n == 0)
		return;
	/* an encounter's own rulings and dropped rules may settle it there */
	bool reporting = m->reporting;
	for (int e = 0; e < m->encounter.n; e++) {
		m->in_encounter = e;
		m->reporting = false;
		layers_resolve(m);
		m->reporting = reporting;
		look_for_collisions(m, true);
	}
	m->in_encounter = -1;
	m->reporting = false;
	layers_resolve(m);
	m->reporting = reporting;
}
