/* foreseen_aim.c - lines that name nobody although somebody has to be named: for what has rules of
 * its own that work on whoever is named (aimed.c), or because a rule refuses the act without. */
#include "lang/check/foreseen.h"

static bool takes_somebody(const struct mrole *role)
{
	const struct type *t = type_find(role->type);
	t = t->base == VT_SET ? type_find(t->elem) : t;
	return t->base == VT_LIVE && t->kind == KIND_COMBATANT;
}

/* Somebody of another side than the actor, to be named in the line that is proposed; -1: a policy,
 * for whoever follows it. */
static const char *somebody_else(const struct model *m, int who)
{
	if (who < 0)
		return "my nearest enemy";
	for (int i = 0; i < m->live.n; i++)
		if (m->live.v[i].side >= 0 && m->live.v[i].side != m->live.v[who].side)
			return model_text(m, m->live.v[i].name);
	return "..";
}

/* How much of a line's text stands before its `when`, or is all of it. */
static size_t said_first(const struct node *n, const char *text, size_t length)
{
	size_t end = n->c ? (size_t)(n->c->span.start - n->span.start) : length;
	end = end < length ? end : length;
	for (int before = n->c != NULL; before >= 0; before--) {
		while (end > 0 && text[end - 1] == ' ')
			end--;
		while (before && end > 0 && text[end - 1] != ' ')
			end--;
	}
	return end;
}

/* The line with somebody in that role. */
static void aimed_line(const struct model *m, const struct node *n, const struct mrole *role,
	int who, struct buf *out)
{
	size_t length;
	const char *text = sources_text(m->front->sources, n->span, &length);
	const size_t first = said_first(n, text, length);
	buf_printf(out, "%.*s ", (int)first, text);
	if (role->preposition)
		buf_printf(out, "%s ", model_text(m, role->preposition));
	buf_printf(out, "%s%.*s", somebody_else(m, who), (int)(length - first), text + first);
}

/* Whether the script chooses somebody for the role when it comes to that. */
static bool chooses(const struct node *n, sym role)
{
	for (; n; n = n->next) {
		if (n->kind == N_KIND_MOMENT && chooses(n->a, role))
			return true;
		for (const struct node *x = n->kind == N_KIND_N_CHOICES ? n->a : NULL; x;
			x = x->next)
			if (x->a->name == role)
				return true;
	}
	return false;
}

bool foresee_aim(
	const struct foresight *f, const struct node *n, const struct fact *roles, unsigned named)
{
	struct model *m = f->m;
	const struct mevent *e = &m->event.v[n->ref];
	for (int r = 1; r < e->roles; r++) {
		for (int i = 1; i < e->roles && !(named >> r & 1) && takes_somebody(&e->role[r]) &&
			!chooses(f->items, e->role[r].name);
			i++) {
			if (roles[i].sort != THING ||
				!thing_works_on(m, roles[i].ref, e->role[r].name))
				continue;
			struct buf line = {0};
			aimed_line(m, n, &e->role[r], roles[0].sort == LIVE ? roles[0].ref : -1,
				&line);
			model_report(m, M_NOBODY_AIMED, n->span, 3,
				model_text(m, m->thing.v[roles[i].ref].name),
				model_text(m, e->role[r].name), buf_text(&line));
			buf_free(&line);
			return true;
		}
	}
	return false;
}

/* The first role that the line does not name and no rule fills, with what that comes to; 0:
 * none. */
static int unset_roles(
	const struct foresight *f, const struct mevent *e, struct fact *roles, unsigned named)
{
	int first = 0;
	for (int r = 1; r < e->roles; r++) {
		const sym name = e->role[r].name;
		if (named >> r & 1 || roles[r].sort != UNKNOWN || !takes_somebody(&e->role[r]) ||
			model_field(f->m, KIND_COMBATANT, name) >= 0 ||
			(name < f->symbols && f->written[name]))
			continue;
		roles[r] = fact_make(UNSET, 0, 0);
		first = first ? first : r;
	}
	return first;
}

bool foresee_unnamed(
	struct foresight *f, const struct node *n, struct fact *roles, unsigned named, int who)
{
	struct model *m = f->m;
	const struct mevent *e = &m->event.v[n->ref];
	const int role = unset_roles(f, e, roles, named);
	const int clause = role ? foresee_refusal(f, e, roles) : -1;
	struct buf rule = {0}, line = {0};
	if (clause < 0)
		return false;
	foresee_cite(m, n, &m->clause.v[clause], &rule);
	aimed_line(m, n, &e->role[role], who, &line);
	model_report(m, M_NOBODY_NAMED, n->span, 2, buf_text(&rule), buf_text(&line));
	buf_free(&rule);
	buf_free(&line);
	return true;
}

/* ---- one's own side ---- */

bool foresee_friend(const struct foresight *f, const struct node *n, const struct fact *roles)
{
	struct model *m = f->m;
	const struct mevent *e = &m->event.v[n->ref];
	const int side = roles[0].sort == LIVE ? m->live.v[roles[0].ref].side : -1;
	if (side < 0 || !m->hostile || !m->hostile(model_text(m, e->name)))
		return false;
	for (int r = 1; r < e->roles; r++) {
		if (roles[r].sort != LIVE || roles[r].ref == roles[0].ref ||
			m->live.v[roles[r].ref].side != side)
			continue;
		model_report(m, M_OWN_SIDE, n->span, 3, model_text(m, m->live.v[roles[0].ref].name),
			model_text(m, m->live.v[roles[r].ref].name),
			model_text(m, m->side.v[side].name));
		return true;
	}
	return false;
}

/* ---- policies, and what is typed ---- */

void foresee_roles(struct foresight *f, const struct node *n, struct fact *roles, unsigned *named)
{
	*named = 0;
	for (int i = 0; i < EVENT_ROLES; i++)
		roles[i] = fact_make(UNKNOWN, 0, 0);
	if (n->b && n->role > 0)
		*named |= 1u << n->role;
	if (n->b && n->role > 0 && !n->b->next)
		roles[n->role] = fact_of(f, n->b);
	for (const struct node *p = n->d; p; p = p->next) {
		if (p->kind == N_KIND_PREP && p->ref > 0)
			*named |= 1u << p->ref;
		if (p->kind == N_KIND_PREP && p->ref > 0 && p->a && !p->a->next)
			roles[p->ref] = fact_of(f, p->a);
	}
}

static void foresee_aim_of(struct foresight *f, const struct node *n)
{
	struct fact roles[EVENT_ROLES];
	unsigned named;
	if (n->kind != N_KIND_N_SAY || n->damaged || n->ref_kind != REF_EVENT || n->ref < 0)
		return;
	foresee_roles(f, n, roles, &named);
	for (int i = 0; i < EVENT_ROLES; i++)
		if (roles[i].sort == LIVE) /* whatever has become of them */
			roles[i] = fact_make(UNKNOWN, 0, 0);
	const int who = n->a && n->a->ref_kind == REF_LIVE ? n->a->ref : -1;
	if (who >= 0)
		roles[0] = fact_make(LIVE, 0, who);
	if (foresee_aim(f, n, roles, named))
		return;
	roles[0] = fact_make(UNKNOWN, 0, 0);
	if (foresee_refusal(f, &f->m->event.v[n->ref], roles) < 0)
		foresee_unnamed(f, n, roles, named, who);
}

void foresee_aims(struct foresight *f, const struct node *list)
{
	for (const struct node *n = list; n; n = n->next) {
		foresee_aim_of(f, n);
		if (n->kind == N_KIND_P_IF)
			foresee_aims(f, n->b);
	}
}

void foresee_said(struct model *m, int encounter, const struct node *line)
{
	struct foresight f = {.m = m, .written = m->written, .symbols = m->symbols};
	m->reporting = false;
	scene_enter(m, encounter);
	m->reporting = true;
	if (line->kind == N_KIND_POLICY)
		foresee_aims(&f, line->a);
	else
		foresee_aim_of(&f, line);
	scene_leave(m);
}
