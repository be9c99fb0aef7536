/* aimed.c - things whose own rules work on whoever is named: a spell with
 * `on effect { damage (target, 3, none) }` in its stat block does nothing when it is cast at
 * nobody. A rule that asks whether anybody is named knows what to do when nobody is.
 *
 * Rules read this in a yes/no field of things called "works on ROLE", unless it is stated. */
#include <stdlib.h>
#include <string.h>

#include "lang/check/model.h"

enum { READ = 1, ASKED = 2 };

/* What a body does with one of its roles. */
static unsigned does_with(const struct node *n, sym role)
{
	unsigned done = 0;
	for (; n; n = n->next) {
		if (n->kind == N_KIND_E_IS && n->ref_kind == REF_NONE &&
			n->a->kind == N_KIND_E_NAME && n->a->name == role)
			done |= ASKED;
		if (n->kind == N_KIND_E_NAME && n->ref_kind == REF_LOCAL && n->name == role)
			done |= READ;
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		for (size_t i = 0; i < FRAY_COUNT(kids); i++)
			done |= does_with(kids[i], role);
	}
	return done;
}

/* What one clause of a stat block does with the role of its event. */
static unsigned clause_does(const struct model *m, const struct mclause *x, sym role)
{
	const struct mevent *e = &m->event.v[x->event];
	unsigned done = 0;
	for (int i = 0; i < e->roles && i < x->params; i++)
		if (e->role[i].name == role)
			done |= does_with(x->node->b, x->param_name[i]) |
				(x->when ? does_with(x->when, x->param_name[i]) : 0);
	return done;
}

sym field_works_on(const struct model *m, int field)
{
	static const char before[] = "works on ";
	const struct mfield *x = &m->field.v[field];
	const char *name = intern_folded(m->front->names, x->name);
	if (m->kind.v[x->kind].live || !type_is(x->type, VT_BOOL) ||
		strncmp(name, before, sizeof before - 1))
		return 0;
	name += sizeof before - 1;
	return intern_find(m->front->names, name, strlen(name));
}

bool things_work_on(const struct model *m, sym role, uint8_t *things)
{
	bool any = false;
	memset(things, 0, (size_t)m->thing.n);
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		if (x->thing >= 0 && x->event >= 0 && x->in_force && x->node->b)
			things[x->thing] |= (uint8_t)clause_does(m, x, role);
		any |= x->thing >= 0 && things[x->thing];
	}
	for (int i = m->thing.n; any && i-- > 0;)
		for (int t = m->thing.v[i].parent; t >= 0; t = m->thing.v[t].parent)
			things[i] |= things[t] & (READ | ASKED);
	for (int i = 0; any && i < m->thing.n; i++)
		things[i] = things[i] == READ;
	return any;
}

/* What a stat block says of the field itself, or one that it is made from: yes, no, or nothing. */
static int stated(const struct model *m, int thing, int field)
{
	for (int t = thing; t >= 0; t = m->thing.v[t].parent)
		for (const struct node *d = m->thing.v[t].node->b; d; d = d->next)
			if (d->kind == N_KIND_D_FIELD && d->ref == field && !d->damaged && d->a &&
				d->a->kind == N_KIND_V_PLAIN)
				return d->a->a->kind == N_KIND_E_YES ? 1 : 0;
	return -1;
}

bool thing_works_on(const struct model *m, int thing, sym role)
{
	for (int f = 0; f < m->field.n; f++)
		if (m->field.v[f].kind == kind_root(m, m->thing.v[thing].kind) &&
			field_works_on(m, f) == role && stated(m, thing, f) >= 0)
			return stated(m, thing, f);
	uint8_t *things = calloc((size_t)m->thing.n + 1, 1);
	if (!things)
		abort();
	things_work_on(m, role, things);
	const bool works = things[thing];
	free(things);
	return works;
}
