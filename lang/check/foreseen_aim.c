/* foreseen_aim.c - lines that name nobody for what is used, though its own rules work on whoever is
 * named: a spell with `on effect { damage (target, 3, none) }` in its stat block, cast at nobody,
 * would do nothing.
 *
 * A rule that asks whether anybody is named knows what to do when nobody is. */
#include "lang/check/foreseen.h"

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

/* Whether a rule in the thing's stat block, or in one that it is made from, reads this role. */
static bool works_on(const struct model *m, int thing, sym role)
{
	unsigned done = 0;
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		if (x->thing < 0 || x->event < 0 || !x->in_force || !x->node->b ||
			!thing_is_a(m, thing, x->thing))
			continue;
		const struct mevent *e = &m->event.v[x->event];
		for (int i = 0; i < e->roles && i < x->params; i++)
			if (e->role[i].name == role)
				done |= does_with(x->node->b, x->param_name[i]) |
					(x->when ? does_with(x->when, x->param_name[i]) : 0);
	}
	return done == READ;
}

static bool takes_somebody(const struct mrole *role)
{
	const struct type *t = type_find(role->type);
	t = t->base == VT_SET ? type_find(t->elem) : t;
	return t->base == VT_LIVE && t->kind == KIND_COMBATANT;
}

/* Somebody of another side than the actor, to be named in the line that is proposed; else "..". */
static const char *somebody_else(const struct model *m, int who)
{
	for (int i = 0; i < m->live.n; i++)
		if (m->live.v[i].side >= 0 && m->live.v[i].side != m->live.v[who].side)
			return model_text(m, m->live.v[i].name);
	return "..";
}

bool foresee_aim(
	const struct foresight *f, const struct node *n, const struct fact *roles, unsigned named)
{
	struct model *m = f->m;
	const struct mevent *e = &m->event.v[n->ref];
	for (int r = 1; r < e->roles; r++) {
		for (int i = 1; i < e->roles && !(named >> r & 1) && takes_somebody(&e->role[r]);
			i++) {
			if (roles[i].sort != THING || !works_on(m, roles[i].ref, e->role[r].name))
				continue;
			size_t length;
			const char *text = sources_text(m->front->sources, n->span, &length);
			struct buf line = {0};
			buf_printf(&line, "%.*s ", (int)length, text);
			if (e->role[r].preposition)
				buf_printf(&line, "%s ", model_text(m, e->role[r].preposition));
			buf_puts(&line, somebody_else(m, roles[0].ref));
			model_report(m, M_NOBODY_AIMED, n->span, 3,
				model_text(m, m->thing.v[roles[i].ref].name),
				model_text(m, e->role[r].name), buf_text(&line));
			buf_free(&line);
			return true;
		}
	}
	return false;
}
