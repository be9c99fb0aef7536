/* alike.c - whether two parts of clauses, conditions or lines are written with the same words.
 *
 * A name may mean something else in either: a parameter is the same whatever its clause calls it,
 * and the definition of an adjective speaks of whoever the adjective is said of. */
#include <string.h>

#include "lang/check/alike.h"

static int parameter(const struct mclause *c, sym name)
{
	for (int i = 0; c && i < c->params; i++)
		if (c->param_name[i] == name)
			return i;
	return -1;
}

static struct part resolved(struct part p)
{
	const bool whom = p.n->kind == N_KIND_E_NAME && p.whom && p.n->name == p.for_name;
	return whom ? (struct part){.n = p.whom, .clause = p.clause} : p;
}

/* What comes out differently each time it is asked. */
static bool is_chance(const struct node *n)
{
	return n->kind == N_KIND_E_ROLL || n->kind == N_KIND_E_RANDOM || n->kind == N_KIND_E_CHOOSE;
}

static bool same_name(const struct model *m, struct part a, struct part b)
{
	const bool names = a.n->kind == N_KIND_E_NAME;
	const int pa = names ? parameter(a.clause, a.n->name) : -1;
	const int pb = names ? parameter(b.clause, b.n->name) : -1;
	return pa == pb && (pa >= 0 || model_alias(m, a.n->name) == model_alias(m, b.n->name));
}

static bool lists_alike(const struct model *m, struct part a, struct part b)
{
	while (a.n && b.n) {
		const struct node *x = a.n->next, *y = b.n->next;
		if (!parts_alike(m, a, b))
			return false;
		a.n = x;
		b.n = y;
	}
	return a.n == b.n;
}

bool parts_alike(const struct model *m, struct part a, struct part b)
{
	a = resolved(a);
	b = resolved(b);
	const struct node *x = a.n, *y = b.n;
	if (x->kind != y->kind || x->op != y->op || x->num != y->num || x->den != y->den ||
		x->name2 != y->name2 || is_chance(x) || !same_name(m, a, b))
		return false;
	if ((x->text != NULL) != (y->text != NULL) || (x->text && strcmp(x->text, y->text) != 0))
		return false;
	const struct node *kids[][2] = {
		{x->a, y->a}, {x->b, y->b}, {x->c, y->c}, {x->d, y->d}, {x->e, y->e}, {x->f, y->f}};
	for (size_t i = 0; i < FRAY_COUNT(kids); i++) {
		a.n = kids[i][0];
		b.n = kids[i][1];
		if (!lists_alike(m, a, b))
			return false;
	}
	return true;
}

bool parts_alike_in(const struct model *m, struct part a, const struct node *x, struct part b,
	const struct node *y)
{
	a.n = x;
	b.n = y;
	return x && y ? parts_alike(m, a, b) : x == y;
}
