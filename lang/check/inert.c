/* inert.c - things that are used in an encounter and do nothing: a spell of the script's own that
 * has no clause of its own, and of which no rule speaks.
 *
 * An encounter with expectations is a test: what it leaves out it leaves out on purpose. */
#include <string.h>

#include "lang/check/lost.h"

/* What is known of each thing of the model. */
enum { DOES = 1, TOLD = 2 };
struct inert { struct model *m; uint8_t *thing; };

/* Whether the event is performed here, or pended. */
static bool performs(const struct node *n, const void *event)
{
	const bool calls = n->kind == N_KIND_S_CALL || n->kind == N_KIND_S_PEND;
	return calls && n->a && n->a->ref_kind == REF_EVENT && n->a->ref == *(const int *)event;
}

static bool is_performed(const struct model *m, int event)
{
	for (int c = 0; c < m->clause.n && event >= 0; c++)
		if (m->clause.v[c].in_force && node_any(m->clause.v[c].node->b, performs, &event))
			return true;
	return false;
}

static const char *where_it_works(const struct model *m, int kind)
{
	static const struct { const char *kind, *event; } rows[] = {
#define WORKS(kind, event) {kind, event},
#include "stdlib/works.def"
	};
	const char *name = model_text(m, m->kind.v[kind].name);
	for (size_t i = 0; i < FRAY_COUNT(rows); i++) {
		const sym event = intern_find(m->front->names, rows[i].event, strlen(rows[i].event));
		if (!strcmp(rows[i].kind, name) && event &&
			is_performed(m, model_event(m, event)))
			return rows[i].event;
	}
	return NULL;
}

/* Notes each thing that a rule names. */
static void look_named(struct inert *x, const struct node *n)
{
	for (; n; n = n->next) {
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		const bool thing = n->ref_kind == REF_THING || n->ref_kind == REF_ISA;
		if (thing && n->ref >= 0 && n->ref < x->m->thing.n)
			x->thing[n->ref] |= DOES;
		for (size_t i = 0; i < FRAY_COUNT(kids); i++)
			if (kids[i])
				look_named(x, kids[i]);
	}
}

static bool expects(const struct node *n)
{
	for (; n; n = n->next)
		if (n->kind == N_KIND_N_EXPECT || n->kind == N_KIND_N_EXPECT_SAY ||
			n->kind == N_KIND_Q_EXPECT || (n->kind == N_KIND_MOMENT && expects(n->a)))
			return true;
	return false;
}

static void look_used(struct inert *x, const struct node *n)
{
	struct model *m = x->m;
	for (; n; n = n->next) {
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		const bool known = n->ref_kind == REF_THING && n->ref >= 0 && n->ref < m->thing.n;
		const int thing = known ? n->ref : -1;
		const bool own = thing >= 0 && m->module.v[m->thing.v[thing].module].own;
		const char *event =
			own && !x->thing[thing] ? where_it_works(m, m->thing.v[thing].kind) : NULL;
		if (event) {
			model_report(
				m, M_THING_INERT, n->span, 2, model_text(m, m->thing.v[thing].name), event);
			x->thing[thing] |= TOLD;
		}
		for (size_t i = 0; i < FRAY_COUNT(kids); i++)
			if (kids[i])
				look_used(x, kids[i]);
	}
}

static void look_lines(struct inert *x, const struct node *n)
{
	for (; n; n = n->next)
		if (n->kind == N_KIND_N_SAY)
			for (const struct node *say = n; say; say = say->e) {
				look_used(x, say->b);
				look_used(x, say->d);
			}
		else if (n->kind == N_KIND_MOMENT)
			look_lines(x, n->a);
}

void check_inert(struct model *m)
{
	struct inert x = {m, arena_array(m->arena, uint8_t, m->thing.n + 1)};
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *clause = &m->clause.v[c];
		if (clause->thing >= 0)
			x.thing[clause->thing] |= DOES;
		look_named(&x, clause->when);
		look_named(&x, clause->node->a);
		look_named(&x, clause->node->b);
	}
	for (int i = m->thing.n; i-- > 0;)
		for (int t = m->thing.v[i].parent; t >= 0; t = m->thing.v[t].parent)
			x.thing[i] |= x.thing[t] & DOES;
	for (int i = 0; i < m->encounter.n; i++) {
		const struct mencounter *e = &m->encounter.v[i];
		if (m->module.v[e->module].own && !expects(e->node->a))
			look_lines(&x, e->node->a);
	}
}
