/* declare_clause.c - every clause is filed under the question or event it answers. */
#include <string.h>

#include "lang/check/declare.h"

static int clause_add(struct model *m, struct node *n, const struct place *at, enum clause_sort sort)
{
	struct mclause c = {0};
	c.node = n;
	c.rule = at->rule;
	c.module = at->module;
	c.thing = at->thing;
	c.encounter = at->encounter;
	c.moment = at->moment;
	c.sort = sort;
	c.question = c.event = c.program = -1;
	VEC_PUSH(m->clause, c);
	return m->clause.n - 1;
}

/* `define combatant is odd` below `define combatant's odd = no`: what has no field and no type yet
 * is this yes/no question, in whatever order the two are written. */
static int question_as_adjective(struct model *m, int root, sym name)
{
	int q = model_question_of(m, root, name, true);
	if (q >= 0)
		return q;
	q = model_question_of(m, root, name, false);
	if (q < 0 || m->question.v[q].field >= 0 || !type_is(m->question.v[q].type, VT_UNKNOWN))
		return -1;
	type_unify(m, m->question.v[q].type, type_new(m, VT_BOOL, -1));
	return q;
}

/* Where "combatant" stands in `define combatant is able when ..`. */
static struct span subject_span(const struct model *m, const struct node *n)
{
	size_t length;
	const char *text = sources_text(m->front->sources, n->span, &length);
	const char *name = model_text(m, n->name2), *at = text ? strstr(text, name) : NULL;
	if (!at || (size_t)(at - text) + strlen(name) > length)
		return n->at;
	const uint32_t start = n->span.start + (uint32_t)(at - text);
	return (struct span){n->span.file, start, start + (uint32_t)strlen(name)};
}

/* A text with another name for each "orc" and "orc's" in it. */
static void renamed(const char *text, const char *from, const char *to, struct buf *out)
{
	const size_t n = strlen(from);
	for (const char *at = text; *at;) {
		const bool begins = at == text || strchr(" (,", at[-1]);
		const bool same = begins && !strncmp(at, from, n) && strchr("' ),", at[n]);
		if (same)
			buf_puts(out, to);
		else
			buf_putc(out, *at);
		at += same ? n : 1;
	}
}

/* "adjust Ann's armour class by 1": rules are about kinds; one of them is meant by a condition. */
static void report_not_kind(struct model *m, const struct node *callee)
{
	const char *said = model_text(m, callee->a->name);
	const int thing = model_thing(m, callee->a->name, -1);
	struct buf hint = {0}, line = {0};
	if (thing >= 0) {
		const char *kind =
			model_text(m, m->kind.v[kind_root(m, m->thing.v[thing].kind)].name);
		if (statement_with(m, callee->a->span, kind, &line)) {
			struct buf all = {0};
			renamed(buf_text(&line), said, kind, &all);
			buf_printf(&hint, "Write: %s %s %s is %s", buf_text(&all),
				strstr(buf_text(&all), " when ") ? "and" : "when", kind, said);
			buf_free(&all);
		}
	}
	model_report(m, M_DEFINE_KIND, callee->a->span, 2, said,
		hint.length ? buf_text(&hint)
			    : "Write a kind, such as: combatant's, act's, side's");
	buf_free(&hint);
	buf_free(&line);
}

/* The question a path such as `act's time`, `f (a, b)` or `X's f (a)` names, made when new. */
static int question_for(struct model *m, struct node *path, struct mclause *c, bool adjective)
{
	struct node *callee = path;
	struct node *args = NULL;
	if (path->kind == N_KIND_E_CALL) {
		callee = path->a;
		args = path->b;
	}
	int subject = -1;
	sym name;
	int n = 0;
	sym params[EVENT_ROLES];
	if (callee->kind == N_KIND_E_FIELD) {
		if (callee->a->kind != N_KIND_E_NAME) {
			model_report(m, M_DEFINE_SUBJECT, callee->span, 1,
				"define combatant's field = .., or: define name (one, other) = ..");
			return -1;
		}
		subject = model_kind(m, callee->a->name);
		if (subject < 0) {
			if (!report_value_meant(m, callee->span, callee->name, callee->a->name, c))
				report_not_kind(m, callee);
			return -1;
		}
		params[n++] = callee->a->name;
		name = callee->name;
		const int f = c->sort == CLAUSE_DEFINE ? -1 : model_field(m, kind_root(m, subject), name);
		if (f >= 0 && type_is(m->field.v[f].type, VT_DICE) &&
			report_value_meant(m, callee->span, name, callee->a->name, c))
			return -1;
	} else if (callee->kind == N_KIND_E_NAME) {
		name = callee->name;
		if (!args && path->kind != N_KIND_E_CALL) {
			if (!report_value_meant(m, callee->span, model_alias(m, name), 0, c))
				report_bare(m, callee->span, model_alias(m, name), c);
			return -1;
		}
	} else {
		model_report(m, M_DEFINE_SUBJECT, callee->span, 1,
				"define combatant's field = .., or: define name (one, other) = ..");
		return -1;
	}
	for (struct node *a = args; a; a = a->next) {
		if (a->kind != N_KIND_E_NAME) {
			model_report(m, M_PARAMETER, a->span, 0);
			return -1;
		}
		if (n == EVENT_ROLES) {
			model_report(m, M_MANY_ROLES, a->span, 1, model_text(m, name));
			return -1;
		}
		params[n++] = a->name;
	}
	name = model_alias(m, name);
	c->params = n;
	memcpy(c->param_name, params, sizeof params);
	int root = kind_root(m, subject);
	int q = subject < 0 ? model_function(m, name, n)
		: adjective     ? question_as_adjective(m, root, name)
						: model_question_of(m, root, name, false);
	if (q >= 0) {
		if (m->question.v[q].params != n) {
			report_count(m, M_ARGUMENT_COUNT, path->span, name, m->question.v[q].param_name, m->question.v[q].params, n);
			return -1;
		}
		return q;
	}
	struct mquestion x = {0};
	x.name = name;
	x.subject = root;
	x.adjective = adjective;
	x.params = n;
	x.field = x.pair = x.program = -1;
	x.at = callee->at;
	for (int i = 0; i < n; i++) {
		x.param_name[i] = params[i];
		x.param[i] = i == 0 && subject >= 0 ? (m->kind.v[root].live ? type_new(m, VT_LIVE, root) : type_new(m, VT_THING, root)) : type_var(m);
		struct type *t = i == 0 && subject >= 0 ? NULL : type_named(m, params[i]);
		if (t)
			type_unify(m, x.param[i], t);
	}
	x.type = adjective ? type_new(m, VT_BOOL, -1) : type_var(m);
	if (subject >= 0 && n == 1) {
		int f = model_field(m, root, name);
		if (f >= 0 && (!adjective || type_is(m->field.v[f].type, VT_BOOL))) {
			x.field = f;
			x.type = m->field.v[f].type;
			x.frac = m->field.v[f].frac;
			m->field.v[f].question = m->question.n;
		}
	} else if (subject < 0 && n == 2) {
		int p = model_pair(m, name);
		if (p >= 0) {
			x.pair = p;
			x.type = m->pair.v[p].type;
			x.frac = m->pair.v[p].frac;
			x.param[0] = type_new(m, VT_LIVE, m->pair.v[p].kind);
			x.param[1] = x.param[0];
			m->pair.v[p].question = m->question.n;
		}
	}
	return model_put_question(m, x);
}

static void clause_of_question(struct model *m, struct node *n, const struct place *at, enum clause_sort sort)
{
	int c = clause_add(m, n, at, sort);
	int q = question_for(m, n->a, &m->clause.v[c], false);
	m->clause.v[c].when = n->c;
	m->clause.v[c].unless = n->num == 1;
	m->clause.v[c].question = q;
	if (q >= 0)
		VEC_PUSH(m->question.v[q].clause, c);
}

void report_no_event(struct model *m, const struct node *n, sym name, bool phases)
{
	if (!m->reporting)
		return;
	VEC(const char *) names = {0};
	for (int i = 0; i < m->event.n; i++)
		if (m->event.v[i].node)
			VEC_PUSH(names, model_text(m, m->event.v[i].name));
	for (int i = 0; phases && i < m->phase.n; i++)
		VEC_PUSH(names, model_text(m, m->phase.v[i].name));
	const char *best = diag_nearest(model_text(m, name), names.v, names.n);
	const char *where = best ? NULL : action_elsewhere(m, name);
	struct buf hint = {0};
	buf_printf(&hint, "Declare it, and let a rule make it happen: event %s", model_text(m, name));
	if (report_event_meant(m, n)) { /* so it is said */
	} else if (where)
		model_report(m, M_VERB_ELSEWHERE, n->at, 2, model_text(m, name), where);
	else
		model_report(m, best ? M_NO_EVENT_NEAR : M_NO_EVENT, n->at, 2, model_text(m, name),
			best ? best : buf_text(&hint));
	buf_free(&hint);
	VEC_FREE(names);
}

int model_phase(const struct model *m, sym name)
{
	for (int i = 0; i < m->phase.n; i++)
		if (m->phase.v[i].name == name)
			return m->phase.v[i].event;
	return -1;
}

static void declare_hook(struct model *m, struct node *n, const struct place *at)
{
	static const enum clause_sort sorts[] = {CLAUSE_INSTEAD, CLAUSE_BEFORE, CLAUSE_ON, CLAUSE_AFTER};
	int event = n->d ? model_phase(m, n->name) : model_event(m, n->name);
	if (event < 0) {
		if (!n->d && model_phase(m, n->name) >= 0)
			model_report(m, M_SAY_PHASE, n->at, 1, model_text(m, n->name));
		else if (n->d)
			report_no_phase(m, n->at, n->name);
		else
			report_no_event(m, n, n->name, true);
		return;
	}
	int c = clause_add(m, n, at, sorts[n->op]);
	struct mclause *x = &m->clause.v[c];
	struct mevent *e = &m->event.v[event];
	x->event = event;
	x->phase = n->d != NULL;
	x->when = n->c;
	x->unless = n->num == 1;
	x->params = e->roles;
	for (int i = 0; i < e->roles; i++)
		x->param_name[i] = e->role[i].name;
	int i = 0;
	for (struct node *r = n->a; r; r = r->next, i++)
		if (i < e->roles)
			x->param_name[i] = r->name;
	if (n->a && i != e->roles)
		report_roles(m, n->at, event, i);
	VEC_PUSH(e->clause[n->op], c);
}

static void bar(struct model *m, struct node *n, const struct place *at, int event, bool permit)
{
	const int c = clause_add(m, n, at, permit ? CLAUSE_PERMIT : CLAUSE_FORBID);
	struct mclause *x = &m->clause.v[c];
	struct mevent *e = &m->event.v[event];
	x->event = event;
	x->when = n->c;
	x->unless = n->num == 1;
	x->params = e->roles;
	for (int i = 0; i < e->roles; i++)
		x->param_name[i] = e->role[i].name;
	if (permit)
		VEC_PUSH(e->permit, c);
	else
		VEC_PUSH(e->forbid, c);
}

/* The action of that name, or -1, and that is reported. */
static int action_named(struct model *m, struct node *a)
{
	const int event = model_event(m, a->name);
	if (event >= 0 && m->event.v[event].action)
		return event;
	if (event >= 0)
		model_report(m, M_NOT_ACTION, a->at, 1, model_text(m, a->name));
	else
		report_no_event(m, a, a->name, true);
	return -1;
}

/* What `everything` means: whatever somebody may do but `except`, and but to wait or, what comes to
 * the same, the system's default action: nobody is kept from doing nothing. */
static void bar_everything(struct model *m, struct node *n, const struct place *at, bool permit)
{
	for (struct node *a = n->b; a; a = a->next)
		action_named(m, a);
	for (int i = 0; i < m->event.n; i++) {
		const struct mevent *e = &m->event.v[i];
		bool spared = !e->action || e->name == m->w.wait || e->name == m->default_action;
		for (const struct node *a = n->b; a && !spared; a = a->next)
			spared = model_event(m, a->name) == i;
		if (!spared)
			bar(m, n, at, i, permit);
	}
}

static void declare_forbid(struct model *m, struct node *n, const struct place *at, bool permit)
{
	report_braces(m, n->span, n->text);
	if (!n->a)
		bar_everything(m, n, at, permit);
	for (struct node *a = n->a; a; a = a->next) {
		const int event = action_named(m, a);
		if (event >= 0)
			bar(m, n, at, event, permit);
	}
}

static void declare_clause(struct model *m, struct node *n, const struct place *at)
{
	int c;
	switch (n->kind) {
	case N_KIND_C_DEFINE:
		clause_of_question(m, n, at, CLAUSE_DEFINE);
		break;
	case N_KIND_C_ADJUST:
		clause_of_question(m, n, at, CLAUSE_ADJUST);
		break;
	case N_KIND_C_LIMIT:
		clause_of_question(m, n, at, CLAUSE_LIMIT);
		break;
	case N_KIND_C_BE: {
		/* as `define subject's adjective = yes when ..`, a yes/no question of its own */
		c = clause_add(m, n, at, CLAUSE_DEFINE);
		struct node *owner = node_new(m->arena, N_KIND_E_NAME, subject_span(m, n));
		owner->name = n->name2;
		struct node *path = node_new(m->arena, N_KIND_E_FIELD, n->at);
		path->a = owner;
		path->name = n->name;
		int kind = model_kind(m, n->name2);
		bool flag = false;
		if (kind >= 0) {
			int f = model_field(m, kind, n->name);
			flag = f >= 0 && type_is(m->field.v[f].type, VT_BOOL);
		}
		struct mclause x = m->clause.v[c];
		int q = question_for(m, path, &x, !flag);
		m->clause.v[c] = x;
		m->clause.v[c].question = q;
		m->clause.v[c].when = n->c;
		m->clause.v[c].unless = n->num == 1;
		if (q >= 0)
			VEC_PUSH(m->question.v[q].clause, c);
		break;
	}
	case N_KIND_C_ORDER:
		c = clause_add(m, n, at, CLAUSE_ORDER);
		m->clause.v[c].when = n->c;
		m->clause.v[c].unless = n->num == 1;
		m->clause.v[c].params = 1;
		m->clause.v[c].param_name[0] = m->w.act;
		VEC_PUSH(m->orders, c);
		break;
	case N_KIND_C_PAIR:
		c = clause_add(m, n, at, CLAUSE_PAIR);
		m->clause.v[c].when = n->c;
		m->clause.v[c].unless = n->num == 1;
		m->clause.v[c].params = 2;
		m->clause.v[c].param_name[0] = n->name;
		m->clause.v[c].param_name[1] = n->name2;
		VEC_PUSH(m->pairs_clauses, c);
		break;
	case N_KIND_C_HOOK:
		declare_hook(m, n, at);
		break;
	case N_KIND_C_WHENEVER:
		c = clause_add(m, n, at, CLAUSE_WHENEVER);
		m->clause.v[c].when = n->a;
		VEC_PUSH(m->whenever, c);
		break;
	case N_KIND_C_FORBID:
		declare_forbid(m, n, at, false);
		break;
	case N_KIND_C_PERMIT:
		declare_forbid(m, n, at, true);
		break;
	case N_KIND_C_DEFAULT:
		if (n->op == 1) {
			c = clause_add(m, n, at, CLAUSE_OTHER);
			VEC_PUSH(m->default_policies, c);
		} else if (model_event(m, n->name) < 0 || !m->event.v[model_event(m, n->name)].action)
			report_no_event(m, n, n->name, true);
		else if (m->module.v[at->module].late || (at->moment && at->moment->name == m->w.beat))
			model_report(m, M_LATE_FRAME, n->span, 0);
		else
			m->default_action = n->name;
		break;
	default:
		break;
	}
}

bool is_clause(const struct node *n)
{
	return n->kind >= N_KIND_C_DEFINE && n->kind <= N_KIND_C_DEFAULT;
}

void declare_clauses_of(struct model *m, struct node *list, struct place at)
{
	for (struct node *n = list; n; n = n->next) {
		if (is_clause(n)) {
			declare_clause(m, n, &at);
		} else if (n->kind == N_KIND_RULE) {
			struct place in = at;
			in.rule = declare_new_rule(m, n, &at);
			for (struct node *c = n->b; c; c = c->next)
				declare_clause(m, c, &in);
		} else if (n->kind == N_KIND_KIND) {
			declare_clauses_of(m, n->a, at);
		} else if (n->kind == N_KIND_MOMENT) {
			struct place in = at;
			in.moment = n;
			declare_clauses_of(m, n->a, in);
		}
	}
}

void declare_action_parts(struct model *m)
{
	for (int i = 0; i < m->event.n; i++) {
		struct node *n = m->event.v[i].node;
		if (!n || n->kind != N_KIND_ACTION)
			continue;
		struct place at = {m->event.v[i].module, -1, -1, -1, NULL};
		m->event.v[i].needs_first = m->clause.n;
		for (int pass = 0; pass < 2; pass++)
			for (struct node *a = n->b; a; a = a->next) {
				bool needs = a->kind == N_KIND_NEEDS;
				if ((pass == 0) != needs || a->kind == N_KIND_D_FIELD)
					continue;
				int c = clause_add(m, a, &at, needs ? CLAUSE_NEEDS : a->kind == N_KIND_COSTS ? CLAUSE_COSTS : CLAUSE_ON);
				struct mevent *e = &m->event.v[i];
				struct mclause *x = &m->clause.v[c];
				x->event = i;
				x->params = e->roles;
				for (int k = 0; k < e->roles; k++)
					x->param_name[k] = e->role[k].name;
				if (needs)
					e->needs_count++;
				else if (a->kind == N_KIND_COSTS)
					e->costs = c;
				else
					e->does = c;
			}
	}
}
