/* foreseen_lines.c - the lines of encounters and policies that the rules are sure to refuse, with
 * the warnings about them. See foreseen.h. */
#include <string.h>

#include "lang/check/foreseen.h"
#include "lang/check/lost.h"
#include "lang/front/lexicon.h"

/* Of what a clause says its roles by its own names are bound to. */
static void bind_roles(
	struct foresight *f, const struct mclause *x, const struct fact *roles, int n)
{
	f->n = 0;
	for (int i = 0; i < n; i++)
		fact_bind(f, x->param_name[i], roles[i]);
}

static bool permitted(
	struct foresight *f, const struct mevent *e, int clause, const struct fact *roles)
{
	for (int i = 0; i < e->permit.n; i++) {
		const struct mclause *x = &f->m->clause.v[e->permit.v[i]];
		if (!x->in_force ||
			!(clause_excepts(f->m, e->permit.v[i], clause) ||
				clause_ruled(f->m, e->permit.v[i], clause)))
			continue;
		bind_roles(f, x, roles, e->roles);
		if (fact_applies(f, x) != 0)
			return true; /* or it may be */
	}
	return false;
}

int foresee_refusal(struct foresight *f, const struct mevent *e, const struct fact *roles)
{
	for (int i = 0; i < e->needs_count; i++) {
		bind_roles(f, &f->m->clause.v[e->needs_first + i], roles, e->roles);
		if (fact_holds(f, f->m->clause.v[e->needs_first + i].node->a) == 0)
			return e->needs_first + i;
	}
	for (int i = 0; i < e->forbid.n; i++) {
		const struct mclause *x = &f->m->clause.v[e->forbid.v[i]];
		bind_roles(f, x, roles, e->roles);
		if (x->in_force && fact_applies(f, x) == 1 && !permitted(f, e, e->forbid.v[i], roles))
			return e->forbid.v[i];
	}
	return -1;
}

void foresee_cite(
	const struct model *m, const struct node *line, const struct mclause *x, struct buf *out)
{
	const struct mrule *r = x->rule >= 0 ? &m->rule.v[x->rule] : NULL;
	const char *shown = m->module.v[x->module].shown;
	buf_printf(out, "%s%s%s", shown, *shown ? ": " : "",
		r ? model_text(m, r->name) : model_text(m, line->name));
}

/* The thing that a value of a stat block names; -1: none. */
static int value_thing(const struct model *m, const struct node *v)
{
	return v->kind == N_KIND_V_COUNT ? v->ref
		: v->kind == N_KIND_V_PLAIN && v->a->kind == N_KIND_E_NAME
		? model_thing(m, v->a->name, -1)
		: -1;
}

/* A thing of this combatant's stat block whose name is that of the thing named in the line and
 * more: "hold person (cleric)" for "hold person"; NULL: none. */
static const char *longer_name(const struct model *m, int who, const struct fact *roles)
{
	for (int r = 1; r < EVENT_ROLES; r++) {
		if (roles[r].sort != THING || m->live.v[who].thing < 0)
			continue;
		const char *said = model_text(m, m->thing.v[roles[r].ref].name);
		const size_t length = strlen(said);
		const int kind = kind_root(m, m->thing.v[roles[r].ref].kind);
		for (int i = 0; i < m->field.n; i++) {
			const struct mfield *x = &m->field.v[i];
			if (x->kind != KIND_COMBATANT || !type_is(x->type, VT_LIST))
				continue;
			const struct node *v = thing_states(m, m->live.v[who].thing, i);
			for (; v; v = v->next) {
				const int t = value_thing(m, v);
				const char *its = t < 0 ? "" : model_text(m, m->thing.v[t].name);
				if (t >= 0 && kind_root(m, m->thing.v[t].kind) == kind &&
					!strncmp(its, said, length) && its[length] == ' ')
					return its;
			}
		}
	}
	return NULL;
}

/* What somebody does who does nothing, under these rules: "waits". */
static const char *does_nothing(const struct model *m)
{
	const sym verb = m->default_action ? m->default_action : m->w.wait;
	return lexicon_does(m->front->lexicon, m->front->names, verb);
}

static void report_refused(struct model *m, const struct node *line, const struct mclause *x,
	int who, const struct fact *roles)
{
	const char *why = x->node->text ? x->node->text : "";
	const char *longer = x->sort == CLAUSE_NEEDS ? longer_name(m, who, roles) : NULL;
	struct buf rule = {0}, own = {0}, instead = {0};
	foresee_cite(m, line, x, &rule);
	struct diag d = diag_make(*why ? M_SURELY_REFUSED_WHY : M_SURELY_REFUSED, line->span);
	diag_arg(&d, model_text(m, m->live.v[who].name));
	diag_arg(&d, model_text(m, line->name));
	diag_arg(&d, buf_text(&rule));
	diag_arg(&d, why);
	buf_printf(&instead, "%s %s", model_text(m, m->live.v[who].name), does_nothing(m));
	diag_arg(&d, buf_text(&instead));
	if (longer) {
		buf_printf(&own, "%s has: %s", model_text(m, m->live.v[who].name), longer);
		diag_line(&d, buf_text(&own));
	}
	model_send(m, &d);
	buf_free(&rule);
	buf_free(&own);
	buf_free(&instead);
}

/* Does a stat block's list or field name the thing, or one made from it? */
static bool names_thing(const struct model *m, const struct node *v, int thing)
{
	for (; v; v = v->next) {
		int one = value_thing(m, v);
		if (v->kind == N_KIND_V_NAMED
				? v->name == m->thing.v[thing].name
				: one < 0 || thing_is_a(m, one, thing) || thing_is_a(m, thing, one))
			return true; /* what is not understood may be it */
	}
	return false;
}

/* Whether somebody's stat block has such a thing in the list. */
static bool is_kept_in(const struct model *m, int list, int kind)
{
	for (int live = 0; list >= 0 && live < m->live.n; live++)
		for (const struct node *v = thing_states(m, m->live.v[live].thing, list); v;
			v = v->next) {
			const int one = value_thing(m, v);
			if (one >= 0 && kind_root(m, m->thing.v[one].kind) == kind)
				return true;
		}
	return false;
}

int foresee_lacks(struct foresight *f, int live, int thing)
{
	const struct model *m = f->m;
	const int kind = kind_root(m, m->thing.v[thing].kind);
	bool own = false,
	     held = false;           /* one such thing may be in hand: what is in hand is carried */
	int list = -1, of_kind = -1; /* of all sorts of things, and of this sort */
	if (m->kind.v[kind].live)
		return -1;
	for (int i = 0; i < m->field.n; i++) {
		const struct mfield *x = &m->field.v[i];
		const struct type *t = type_find(x->type),
						  *elem = t->base == VT_LIST ? type_find(t->elem) : t;
		if (x->kind != KIND_COMBATANT || elem->base != VT_THING ||
			(elem->kind >= 0 && kind_root(m, elem->kind) != kind))
			continue;
		own |= elem->kind >= 0;
		held |= elem->kind >= 0 && t->base != VT_LIST;
		list = t->base == VT_LIST && elem->kind < 0 ? i : list;
		of_kind = t->base == VT_LIST && elem->kind >= 0 ? i : of_kind;
		const struct node *v = thing_states(m, m->live.v[live].thing, i);
		if ((t->base == VT_LIST && x->name < f->symbols && (f->written[x->name] & SET_OR_ADDED)) ||
			!fact_overridden(f, live, i, &v) || (v != x->initial && names_thing(m, v, thing)))
			return -1;
	}
	if (!own || list < 0)
		return -1;
	const bool carried = is_kept_in(m, list, kind);
	return of_kind >= 0 && !carried && (!held || is_kept_in(m, of_kind, kind)) ? of_kind : list;
}

/* A line that uses what its actor does not have. */
static bool foresee_use(
	struct foresight *f, const struct node *n, const struct fact *roles, int who)
{
	struct model *m = f->m;
	for (int i = 1; i < m->event.v[n->ref].roles; i++) {
		int list = roles[i].sort == THING ? foresee_lacks(f, who, roles[i].ref) : -1;
		if (list < 0)
			continue;
		model_report(m, M_NOT_AT_HAND, n->span, 3, model_text(m, m->live.v[who].name),
			model_text(m, m->thing.v[roles[i].ref].name), model_text(m, m->field.v[list].name));
		return true;
	}
	return false;
}

static void foresee_line(struct foresight *f, struct node *n)
{
	struct model *m = f->m;
	struct fact roles[EVENT_ROLES];
	unsigned named;
	n->refused = false;
	if (n->kind != N_KIND_N_SAY || n->damaged || n->ref_kind != REF_EVENT || n->ref < 0 || n->e)
		return; /* who says what else to do knows that it may be refused */
	const struct mevent *e = &m->event.v[n->ref];
	foresee_roles(f, n, roles, &named);
	for (const struct node *who = n->a; who; who = who->next) {
		if (who->ref_kind != REF_LIVE)
			continue;
		roles[0] = fact_make(LIVE, 0, who->ref);
		const int clause = foresee_refusal(f, e, roles);
		n->refused = clause >= 0;
		if (clause >= 0)
			report_refused(m, n, &m->clause.v[clause], who->ref, roles);
		if (clause >= 0 || foresee_use(f, n, roles, who->ref) ||
			foresee_aim(f, n, roles, named) ||
			foresee_unnamed(f, n, roles, named, who->ref) || warn_until_when(m, n) ||
			foresee_friend(f, n, roles))
			return;
	}
}

/* A script that expects a refusal needs no telling. */
static bool expects_refusal(const struct node *list)
{
	for (const struct node *n = list; n; n = n->next)
		if (((n->kind == N_KIND_N_EXPECT_SAY || n->kind == N_KIND_N_EXPECT) &&
				(n->op == SAID_REFUSED || n->text)) ||
			(n->kind == N_KIND_MOMENT && expects_refusal(n->a)))
			return true;
	return false;
}

static void foresee_lines(struct foresight *f, struct node *list)
{
	warn_follows(f->m, list);
	for (struct node *n = list; n; n = n->next) {
		if (n->kind == N_KIND_MOMENT) {
			foresee_lines(f, n->a);
			warn_spare(f->m, list, n);
		} else {
			foresee_line(f, n);
		}
	}
}

void foresee(struct model *m)
{
	struct foresight f = {.m = m, .written = m->written, .symbols = m->symbols};
	for (int i = 0; i < m->thing.n; i++)
		m->thing.v[i].found_wrong = false;
	for (int k = 0; k < m->module.n; k++)
		if (m->module.v[k].layer == LAYER_PROMPT)
			return; /* said when the script was read */
	for (int i = 0; i < m->policy.n; i++)
		if (m->module.v[m->policy.v[i].module].own)
			foresee_aims(&f, m->policy.v[i].node->a);
	struct policy_uses uses = {0};
	bool outside =
		true; /* the layers are resolved as they are where an encounter says nothing of them */
	for (int e = 0; e < m->encounter.n; e++) {
		bool differ = layers_differ(m, e);
		f.items = m->encounter.v[e].node->a;
		if (expects_refusal(f.items))
			continue;
		m->reporting = false;
		scene_enter(m, e);
		if (differ || !outside)
			layers_resolve(m);
		outside = !differ;
		m->reporting = true;
		if (m->side.n == 1)
			model_report(m, M_SIDE_ALONE, m->side.v[0].node->span, 1,
				model_text(m, m->encounter.v[e].name));
		foresee_lines(&f, f.items);
		foresee_followed(&f, &uses);
		foresee_wrong(&f);
		scene_leave(m);
	}
	foresee_nobody_has(&f, &uses);
	VEC_FREE(uses.use);
	m->reporting = false;
	if (!outside)
		layers_resolve(m);
	m->reporting = true;
}
