/* foreseen_policy.c - things that the lines of a policy use: told when nobody who follows it in
 * any encounter has
 * them. A line that some of its followers can use is no mistake: the others go on to the next. */
#include "lang/check/foreseen.h"

/* Is somebody among the subjects of a line? */
static bool is_among(const struct model *m, const struct node *subjects, int live)
{
	for (const struct node *s = subjects; s; s = s->next)
		if (s->ref_kind == REF_LIVE      ? s->ref == live
			: s->ref_kind == REF_SIDE ? m->live.v[live].side == s->ref
			: s->ref_kind == REF_ISA  ? thing_is_a(m, m->live.v[live].thing, s->ref)
						  : true)
			return true;
	return false;
}

static struct policy_use *use_of(struct policy_uses *u, const struct node *line, int role)
{
	for (int i = 0; i < u->use.n; i++)
		if (u->use.v[i].line == line && u->use.v[i].role == role)
			return &u->use.v[i];
	const struct policy_use one = {line, role, 0, -1, false};
	VEC_PUSH(u->use, one);
	return &u->use.v[u->use.n - 1];
}

static void followed(struct foresight *f, const struct node *follows, const struct node *lines,
	struct policy_uses *u)
{
	for (const struct node *n = lines; n; n = n->next) {
		struct fact roles[EVENT_ROLES];
		unsigned named;
		if (n->kind == N_KIND_P_IF)
			followed(f, follows, n->b, u);
		if (n->kind != N_KIND_N_SAY || n->damaged || n->ref_kind != REF_EVENT || n->ref < 0)
			continue;
		foresee_roles(f, n, roles, &named);
		for (int r = 1; r < f->m->event.v[n->ref].roles; r++) {
			if (roles[r].sort != THING)
				continue;
			struct policy_use *x = use_of(u, n, r);
			x->thing = f->m->thing.v[roles[r].ref].name;
			for (int i = 0; i < f->m->live.n && !x->had; i++) {
				if (!is_among(f->m, follows->a, i))
					continue;
				x->list = foresee_lacks(f, i, roles[r].ref);
				x->had = x->list < 0;
			}
		}
	}
}

void foresee_followed(struct foresight *f, struct policy_uses *u)
{
	const struct model *m = f->m;
	for (const struct node *n = f->items; n; n = n->next)
		if (n->kind == N_KIND_N_FOLLOWS && !n->damaged && n->ref >= 0 &&
			m->module.v[m->policy.v[n->ref].module].own)
			followed(f, n, m->policy.v[n->ref].node->a, u);
}

void foresee_nobody_has(struct foresight *f, const struct policy_uses *u)
{
	struct model *m = f->m;
	for (int i = 0; i < u->use.n; i++) {
		const struct policy_use *x = &u->use.v[i];
		if (x->list >= 0)
			model_report(m, M_NOBODY_HAS, x->line->span, 2,
				model_text(m, x->thing), model_text(m, m->field.v[x->list].name));
	}
}
