/* declare.c - from trees to entities: kinds, fields, things, events, rules and clauses.
 *
 * Two passes over all modules: the first names what can be named, the second files every
 * clause under the question or event it answers, so that order within files never matters. */
#include <string.h>

#include "lang/check/model.h"
#include "runtime/base/num.h"

struct place {
	int module, rule, thing, encounter;
	struct node *moment;
};

static void index_symbols(struct model *m)
{
	m->symbols = intern_count(m->front->names);
	m->by_thing = malloc(m->symbols * sizeof *m->by_thing);
	if (!m->by_thing)
		abort();
	for (uint32_t i = 0; i < m->symbols; i++)
		m->by_thing[i] = -1;
}

/* ---- kinds and fields ---- */

static void declare_kind(struct model *m, struct node *n)
{
	struct mkind k = {0};
	int old = model_kind(m, n->name);
	if (old >= 0) {
		bool brought_to_life = n->num == 1 && !n->a && m->kind.v[old].isa < 0;
		if (brought_to_life)
			m->kind.v[old].live = true;
		else if (!m->kind.v[old].machine && m->kind.v[old].node != n)
			model_report(m, M_TWICE, n->at, 2, "kind", model_text(m, n->name));
		return;
	}
	k.name = n->name;
	struct buf plural = {0};
	const char *name = model_text(m, n->name);
	size_t length = strlen(name);
	buf_puts(&plural, name);
	buf_puts(&plural, length && (name[length - 1] == 's' || name[length - 1] == 'x') ? "es" : "s");
	k.plural = intern_put(m->front->names, plural.data, plural.length);
	buf_free(&plural);
	k.isa = n->name2 ? model_kind(m, n->name2) : -1;
	if (n->name2 && k.isa < 0)
		model_report(m, M_NO_KIND, n->at, 1, model_text(m, n->name2));
	k.live = n->num == 1;
	k.node = n;
	VEC_PUSH(m->kind, k);
}

/* The type a default shows, and whether it is a fraction. NULL: a word. */
static struct type *type_of_default(struct model *m, struct node *values, bool *frac, bool *is_type)
{
	struct node *v = values;
	*frac = *is_type = false;
	if (!v)
		return NULL;
	if (v->kind == N_KIND_V_COUNT)
		return type_list(m, type_new(m, VT_THING, -1));
	if (v->kind == N_KIND_V_NAMED)
		return v->a && v->a->kind == N_KIND_E_DICE ? type_new(m, VT_DICE, -1) : type_new(m, VT_CHANCE, -1);
	struct node *e = v->a;
	if (e->kind == N_KIND_E_NEG)
		e = e->a;
	switch (e->kind) {
	case N_KIND_E_NUM:
		*frac = e->den != 1;
		return type_new(m, VT_NUMBER, -1);
	case N_KIND_E_BINARY:
		if (e->op > BIN_DIV)
			return NULL;
		*frac = true;
		return type_new(m, VT_NUMBER, -1);
	case N_KIND_E_QTY: {
		int u = model_unit(m, e->name);
		if (u < 0)
			return NULL;
		return type_new(m, m->unit.v[u].base, m->unit.v[u].base == VT_COUNT ? u : -1);
	}
	case N_KIND_E_DICE:
		return type_new(m, VT_DICE, -1);
	case N_KIND_E_PERCENT:
	case N_KIND_E_CHANCE:
		*frac = true;
		return type_new(m, VT_CHANCE, -1);
	case N_KIND_E_TEXT:
		return type_new(m, VT_TEXT, -1);
	case N_KIND_E_YES:
	case N_KIND_E_NO:
		return type_new(m, VT_BOOL, -1);
	case N_KIND_E_NAME: {
		struct type *t = type_named(m, e->name);
		if (t) {
			*is_type = true;
			*frac = t->base == VT_CHANCE;
			return t;
		}
		return NULL;
	}
	default:
		return NULL;
	}
}

static void declare_field(struct model *m, int module, int kind, struct node *n)
{
	bool frac, is_type;
	struct type *type = type_of_default(m, n->a, &frac, &is_type);
	if (!type) {
		struct node *e = n->a ? n->a->a : NULL;
		if (e && e->kind == N_KIND_E_NAME) {
			int t = model_thing(m, e->name, -1);
			if (t >= 0 && !kind_is(m, m->thing.v[t].kind, KIND_COMBATANT))
				type = type_new(m, VT_THING, m->thing.v[t].kind);
			else
				type = type_new(m, VT_WORD, -1);
		} else {
			if (e && e->kind == N_KIND_E_QTY)
				report_no_unit(m, e->at, e->name);
			else
				model_report(m, M_NO_DEFAULT, n->at, 1, model_text(m, n->name));
			return;
		}
	}
	int old = model_field(m, kind, n->name);
	struct mfield *f;
	if (old >= 0) {
		f = &m->field.v[old];
		if (!type_unify(m, f->type, type)) {
			struct buf a = {0};
			type_print(m, f->type, &a);
			model_report(m, M_FIELD_TYPE_AGAIN, n->at, 2, model_text(m, n->name), buf_text(&a));
			buf_free(&a);
			return;
		}
		if (!is_type)
			f->initial = n->a;
		f->shared |= n->num == 1;
		return;
	}
	struct mfield x = {0};
	x.name = n->name;
	x.kind = kind_root(m, kind);
	x.type = type;
	x.frac = frac;
	x.shared = n->num == 1;
	x.initial = is_type ? NULL : n->a;
	x.of_library = m->module.v[module].layer == LAYER_THING;
	x.at = n->at;
	x.question = x.program = -1;
	if (type->base == VT_WORD && !is_type && n->a->next) {
		x.closed = true;
		for (struct node *v = n->a; v; v = v->next)
			if (v->a && v->a->kind == N_KIND_E_NAME)
				VEC_PUSH(x.words, v->a->name);
	}
	model_put_field(m, x);
}

/* Whoever has it: every thing in play says so of itself. */
static void declare_bearers(struct model *m)
{
	for (int k = KIND_FIRST_DECLARED; k < m->kind.n; k++) {
		struct mfield f = {0};
		if (!kind_borne(m, k) || m->kind.v[k].isa >= 0)
			continue;
		f.name = m->w.bearer;
		f.kind = k;
		f.type = type_new(m, VT_LIVE, KIND_COMBATANT);
		f.question = f.program = -1;
		model_put_field(m, f);
	}
}

static void declare_every(struct model *m, int module, struct node *n)
{
	int kind = model_kind(m, n->name);
	if (kind < 0) {
		int event = model_event(m, n->name);
		if (event >= 0 && n->op == EVERY_KIND) {
			for (struct node *f = n->a; f; f = f->next) {
				bool frac, is_type;
				struct type *type = type_of_default(m, f->a, &frac, &is_type);
				struct mslot slot = {f->name, type ? type : type_var(m), frac, is_type ? NULL : f->a};
				VEC_PUSH(m->event.v[event].slot, slot);
			}
			return;
		}
		model_report(m, M_NO_KIND, n->at, 1, model_text(m, n->name));
		return;
	}
	if (n->op == EVERY_KIND) {
		for (struct node *f = n->a; f; f = f->next)
			if (f->kind == N_KIND_D_FIELD)
				declare_field(m, module, kind, f);
		return;
	}
	for (struct node *f = n->a; f; f = f->next) {
		bool is_type;
		struct mpair p = {0};
		p.name = f->name;
		p.kind = kind_root(m, kind);
		p.directed = n->op == EVERY_DIRECTED;
		p.shared = f->num == 1;
		p.type = type_of_default(m, f->a, &p.frac, &is_type);
		if (!p.type)
			p.type = type_new(m, VT_WORD, -1);
		p.initial = is_type ? NULL : f->a;
		p.at = f->at;
		p.question = p.program = -1;
		int old = model_pair(m, f->name);
		if (old >= 0) {
			if (p.initial)
				m->pair.v[old].initial = p.initial;
			continue;
		}
		VEC_PUSH(m->pair, p);
	}
}

static void declare_unit(struct model *m, int module, struct node *n)
{
	struct munit u = {n->name, VT_COUNT, 1, 1, module, n};
	if (n->a) {
		struct node *e = n->a;
		int base = e->kind == N_KIND_E_QTY ? model_unit(m, e->name) : -1;
		if (base < 0) {
			model_report(m, M_UNIT_LENGTH, e->span, 1, model_text(m, n->name));
			return;
		}
		const struct munit *b = &m->unit.v[base];
		u.base = b->base;
		bool bad = false;
		u.num = num_mul(b->num, e->num, &bad);
		u.den = num_mul(b->den, e->den, &bad);
		/* lengths are multiplied with each other: a quarter of a word is left for one */
		if (bad || u.num > INT32_MAX * INT64_C(1000) || u.den > INT32_MAX || u.num <= 0) {
			model_report(m, u.num <= 0 && !bad ? M_UNIT_LENGTH : M_NUMBER_TOO_BIG, e->span, 1, model_text(m, n->name));
			return;
		}
	}
	VEC_PUSH(m->unit, u);
	if (u.base == VT_COUNT)
		m->unit.v[m->unit.n - 1].num = 1;
}

/* ---- events ---- */

static int event_add(struct model *m, struct node *n, sym name, bool action)
{
	struct mevent e = {0};
	e.name = name;
	e.action = action;
	e.node = n;
	e.does = e.costs = -1;
	e.at = n ? n->at : (struct span){0};
	VEC_PUSH(m->event, e);
	return m->event.n - 1;
}

static bool role_add(struct model *m, int event, sym name, sym preposition, struct span at)
{
	struct mevent *e = &m->event.v[event];
	if (e->roles == EVENT_ROLES) {
		model_report(m, M_MANY_ROLES, at, 1, model_text(m, e->name));
		return false;
	}
	struct mrole *r = &e->role[e->roles++];
	r->name = name;
	r->preposition = preposition;
	r->field = -1;
	r->type = type_var(m);
	return true;
}

static void declare_event(struct model *m, struct node *n)
{
	int old = model_event(m, n->name);
	bool action = n->kind == N_KIND_ACTION;
	if (old >= 0) {
		/* a nearer layer may give an action a new body; roles stay as they were */
		if (m->event.v[old].node != n && m->event.v[old].action == action && !m->event.v[old].node->b && action && n->b) {
			m->event.v[old].node = n;
			return;
		}
		model_report(m, M_TWICE, n->at, 2, action ? "action" : "event", model_text(m, n->name));
		return;
	}
	int e = event_add(m, n, n->name, action);
	if (action) {
		role_add(m, e, m->w.actor, 0, n->at);
		m->event.v[e].role[0].type = type_new(m, VT_LIVE, KIND_COMBATANT);
	}
	for (struct node *r = n->a; r; r = r->next) {
		sym name = r->name;
		role_add(m, e, name, action ? r->name2 : 0, r->at);
	}
}

/* Roles named after a kind or a dimension have that type; an action's roles that act has a
 * field for are carried by it. */
static void settle_roles(struct model *m)
{
	for (int i = 0; i < m->event.n; i++) {
		struct mevent *e = &m->event.v[i];
		for (int k = 0; k < e->roles; k++) {
			struct mrole *r = &e->role[k];
			struct type *t = type_named(m, r->name);
			if (t && r->name != m->w.count)
				type_unify(m, r->type, t);
		}
	}
}

/* ---- things ---- */

static void declare_thing(struct model *m, int module, struct node *n)
{
	int kind = model_kind(m, n->name2);
	if (kind < 0) {
		model_report(m, M_NO_KIND, n->at, 1, model_text(m, n->name2));
		return;
	}
	int old = model_thing(m, n->name, kind);
	if (old >= 0 && m->thing.v[old].node != n) {
		if (m->thing.v[old].module == module) {
			struct diag d = diag_make(M_TWICE, n->at);
			diag_arg(&d, model_text(m, n->name2));
			diag_arg(&d, model_text(m, n->name));
			diag_relate(&d, m->thing.v[old].node->at, "first here");
			model_send(m, &d);
			return;
		}
	}
	struct mthing t = {0};
	t.name = n->name;
	t.kind = kind;
	t.parent = -1;
	t.node = n;
	t.module = module;
	t.program = -1;
	t.same = m->by_thing[n->name];
	m->by_thing[n->name] = m->thing.n;
	n->ref = m->thing.n;
	VEC_PUSH(m->thing, t);
}

/* The field of a kind that says which of its tables of a name a thing has. No script can
 * write its name. */
static int table_field(struct model *m, int kind, sym table)
{
	struct buf b = {0};
	buf_printf(&b, "%s (..)", model_text(m, table));
	sym name = intern_put(m->front->names, b.data, b.length);
	buf_free(&b);
	int old = model_field(m, kind, name);
	if (old >= 0)
		return old;
	struct mfield x = {0};
	x.name = name;
	x.kind = kind;
	x.type = type_new(m, VT_NUMBER, -1);
	x.hidden = true;
	x.question = x.program = -1;
	model_put_field(m, x);
	return m->field.n - 1;
}

static void declare_table(struct model *m, int module, struct node *n, int thing)
{
	struct mtable t = {0};
	t.name = n->name;
	t.node = n;
	t.module = module;
	t.thing = thing;
	t.kind = thing < 0 ? -1 : kind_root(m, m->thing.v[thing].kind);
	t.params = node_count(n->a);
	t.like = m->table.n;
	t.field = -1;
	if (thing >= 0) {
		t.field = table_field(m, t.kind, n->name);
		t.like = model_table(m, n->name, t.kind);
		if (t.like < 0)
			t.like = m->table.n;
		else if (m->table.v[t.like].params != t.params)
			model_report(m, M_TABLE_ALIKE, n->at, 1, model_text(m, n->name));
		n->ref = t.field;
		n->d = node_new(m->arena, N_KIND_V_PLAIN, n->at);
		n->d->a = node_new(m->arena, N_KIND_E_NUM, n->at);
		n->d->a->num = m->table.n;
	} else if (model_table(m, n->name, -1) >= 0 && m->table.v[model_table(m, n->name, -1)].module == module) {
		model_report(m, M_TWICE, n->at, 2, "table", model_text(m, n->name));
	}
	if (t.like == m->table.n) {
		t.param[0] = type_var(m);
		t.param[1] = type_var(m);
		t.type = type_var(m);
	}
	VEC_PUSH(m->table, t);
}

static void settle_parents(struct model *m)
{
	for (int i = 0; i < m->thing.n; i++) {
		struct mthing *t = &m->thing.v[i];
		if (!t->node->a)
			continue;
		int parent = model_thing(m, t->node->a->name, kind_root(m, t->kind));
		if (parent == i) { /* a house's "orc is an orc with": the next one out */
			parent = -1;
			for (int k = t->same; k >= 0 && parent < 0; k = m->thing.v[k].same)
				if (kind_root(m, m->thing.v[k].kind) == kind_root(m, t->kind))
					parent = k;
		}
		if (parent < 0) {
			const char *best = NULL;
			struct name_list names = {0};
			for (int k = 0; k < m->thing.n; k++)
				if (k != i && kind_root(m, m->thing.v[k].kind) == kind_root(m, t->kind))
					VEC_PUSH(names.at, model_text(m, m->thing.v[k].name));
			model_unread(m, kind_root(m, t->kind), &names);
			best = diag_nearest(model_text(m, t->node->a->name), names.at.v, names.at.n);
			model_report(m, best ? M_NO_THING_NEAR : M_NO_THING, t->node->a->span, 3, model_text(m, m->kind.v[t->kind].name),
			             model_text(m, t->node->a->name), best ? best : "");
			VEC_FREE(names.at);
			continue;
		}
		t->parent = parent;
	}
	for (int i = 0; i < m->thing.n; i++) {
		int steps = 0;
		for (int p = m->thing.v[i].parent; p >= 0; p = m->thing.v[p].parent)
			if (++steps > m->thing.n) {
				model_report(m, M_PARENT_CYCLE, m->thing.v[i].node->at, 1, model_text(m, m->thing.v[i].name));
				m->thing.v[i].parent = -1;
				break;
			}
	}
}

/* `option X of KIND` is a field of each of them; what it may hold options.c looks after. */
static void declare_option_field(struct model *m, struct moption *o)
{
	const struct node *n = o->node;
	struct mfield f = {0};
	bool numbers = true, answers = true;
	for (const struct node *v = n->a; v; v = v->next) {
		numbers &= v->kind == N_KIND_E_NUM || v->kind == N_KIND_E_NEG;
		answers &= v->kind == N_KIND_E_YES || v->kind == N_KIND_E_NO;
		f.frac |= v->kind == N_KIND_E_NUM && v->den != 1;
	}
	f.name = n->name;
	f.kind = o->kind < 0 ? -1 : kind_root(m, o->kind);
	f.type = type_new(m, numbers ? VT_NUMBER : answers ? VT_BOOL : VT_WORD, -1);
	f.at = n->at;
	f.question = f.program = -1;
	if (o->kind >= 0 && model_field(m, o->kind, n->name) >= 0) {
		model_report(m, M_TWICE, n->at, 2, "field", model_text(m, n->name));
		o->kind = -1;
	}
	if (o->kind < 0)
		return;
	model_put_field(m, f);
	o->field = m->field.n - 1;
}

static void declare_option(struct model *m, int module, struct node *n)
{
	struct moption o = {0};
	if (model_option(m, n->name) >= 0) {
		model_report(m, M_TWICE, n->at, 2, "option", model_text(m, n->name));
		return;
	}
	o.name = n->name;
	o.node = n;
	o.module = module;
	o.kind = n->name2 ? model_kind(m, n->name2) : -1;
	o.field = -1;
	if (n->name2 && o.kind < 0)
		model_report(m, M_NO_KIND, n->at, 1, model_text(m, n->name2));
	VEC_PUSH(m->option, o);
}

static int rule_add(struct model *m, struct node *n, const struct place *at)
{
	struct mrule r = {0};
	r.name = n->name;
	r.module = at->module;
	r.node = n;
	r.cite = n->text ? n->text : "";
	r.ruling = ""; /* layers.c: a line of the script may say more */
	r.replaced_by = -1;
	r.encounter = at->encounter;
	r.moment = at->moment;
	r.program = -1;
	int old = model_rule(m, n->name, m->module.v[at->module].name);
	if (old >= 0 && m->rule.v[old].encounter == at->encounter && m->rule.v[old].module == at->module)
		model_report(m, M_TWICE, n->at, 2, "rule", model_text(m, n->name));
	VEC_PUSH(m->rule, r);
	return m->rule.n - 1;
}

/* ---- clauses ---- */

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
			model_report(m, M_DEFINE_SUBJECT, callee->span, 0);
			return -1;
		}
		subject = model_kind(m, callee->a->name);
		if (subject < 0) {
			model_report(m, M_DEFINE_KIND, callee->a->span, 1, model_text(m, callee->a->name));
			return -1;
		}
		params[n++] = callee->a->name;
		name = callee->name;
	} else if (callee->kind == N_KIND_E_NAME) {
		name = callee->name;
		if (!args && path->kind != N_KIND_E_CALL) {
			model_report(m, M_DEFINE_SUBJECT, callee->span, 0);
			return -1;
		}
	} else {
		model_report(m, M_DEFINE_SUBJECT, callee->span, 0);
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
	int q = subject >= 0 ? model_question_of(m, root, name, adjective) : model_function(m, name, n);
	if (q >= 0) {
		if (m->question.v[q].params != n) {
			model_report(m, M_ARGUMENT_COUNT, path->span, 1, model_text(m, name));
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

static void report_unknown_event(struct model *m, struct node *n, sym name)
{
	VEC(const char *) names = {0};
	for (int i = 0; i < m->event.n; i++)
		if (m->event.v[i].node)
			VEC_PUSH(names, model_text(m, m->event.v[i].name));
	for (int i = 0; i < m->phase.n; i++)
		VEC_PUSH(names, model_text(m, m->phase.v[i].name));
	const char *best = diag_nearest(model_text(m, name), names.v, names.n);
	model_report(m, best ? M_NO_EVENT_NEAR : M_NO_EVENT, n->at, 2, model_text(m, name), best ? best : "");
	VEC_FREE(names);
}

static int phase_event(const struct model *m, sym name)
{
	for (int i = 0; i < m->phase.n; i++)
		if (m->phase.v[i].name == name)
			return m->phase.v[i].event;
	return -1;
}

static void declare_hook(struct model *m, struct node *n, const struct place *at)
{
	static const enum clause_sort sorts[] = {CLAUSE_INSTEAD, CLAUSE_BEFORE, CLAUSE_ON, CLAUSE_AFTER};
	int event = n->d ? phase_event(m, n->name) : model_event(m, n->name);
	if (event < 0) {
		if (!n->d && phase_event(m, n->name) >= 0)
			model_report(m, M_SAY_PHASE, n->at, 1, model_text(m, n->name));
		else if (n->d)
			model_report(m, M_NO_PHASE, n->at, 1, model_text(m, n->name));
		else
			report_unknown_event(m, n, n->name);
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
		model_report(m, M_ROLE_COUNT, n->at, 1, model_text(m, n->name));
	VEC_PUSH(e->clause[n->op], c);
}

static void declare_forbid(struct model *m, struct node *n, const struct place *at, bool permit)
{
	for (struct node *a = n->a; a; a = a->next) {
		int event = model_event(m, a->name);
		if (event < 0 || !m->event.v[event].action) {
			report_unknown_event(m, a, a->name);
			continue;
		}
		int c = clause_add(m, n, at, permit ? CLAUSE_PERMIT : CLAUSE_FORBID);
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
		struct node *owner = node_new(m->arena, N_KIND_E_NAME, n->at);
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
			report_unknown_event(m, n, n->name);
		else if (m->module.v[at->module].late || (at->moment && at->moment->name == m->w.beat))
			model_report(m, M_LATE_FRAME, n->span, 0);
		else
			m->default_action = n->name;
		break;
	default:
		break;
	}
}

static bool is_clause(const struct node *n)
{
	return n->kind >= N_KIND_C_DEFINE && n->kind <= N_KIND_C_DEFAULT;
}

static void declare_clauses_of(struct model *m, struct node *list, struct place at)
{
	for (struct node *n = list; n; n = n->next) {
		if (is_clause(n)) {
			declare_clause(m, n, &at);
		} else if (n->kind == N_KIND_RULE) {
			struct place in = at;
			in.rule = rule_add(m, n, &at);
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

static void declare_action_parts(struct model *m)
{
	for (int i = 0; i < m->event.n; i++) {
		struct node *n = m->event.v[i].node;
		if (!n || n->kind != N_KIND_ACTION)
			continue;
		struct place at = {0, -1, -1, -1, NULL};
		for (int k = 0; k < m->module.n; k++)
			for (int t = 0; t < m->module.v[k].tree.n; t++)
				for (struct node *x = m->module.v[k].tree.v[t]; x; x = x->next)
					if (x == n)
						at.module = k;
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

/* ---- the two passes ---- */

#define EACH_TREE(m, at, item)                                      \
	for (int at = 0; at < (m)->module.n; at++)                      \
		for (int t_ = 0; t_ < (m)->module.v[at].tree.n; t_++)       \
			for (struct node *item = (m)->module.v[at].tree.v[t_]; item; item = item->next)

/* A file may hold what the prompt takes, as far as the grammar goes; but nobody would play it. */
static void report_stray(struct model *m, const struct node *n)
{
	if (n->kind == N_KIND_D_FIELD && !strncmp(model_text(m, n->name), "use ", 4))
		model_report(m, M_USE_BRACES, n->span, 0);
	else if ((n->kind >= N_KIND_SIDE && n->kind <= N_KIND_N_JOIN && n->kind != N_KIND_N_OPTION) || n->kind == N_KIND_D_FIELD)
		model_report(m, M_OUTSIDE, n->span, 0);
	else if (n->kind >= N_KIND_X_BEGIN && n->kind <= N_KIND_X_EVAL)
		model_report(m, M_PROMPT_ONLY, n->span, 0);
}

/* Another name for something gives way to a field that has it - AC, where a system keeps one of its
 * own - and to somebody called so. */
static bool is_declared(struct model *m, sym name)
{
	EACH_TREE(m, i, n) {
		if (n->kind == N_KIND_THING && n->name == name)
			return true;
		for (const struct node *f = n->kind == N_KIND_EVERY || n->kind == N_KIND_KIND ? n->a : NULL; f; f = f->next)
			if (f->kind == N_KIND_D_FIELD && f->name == name)
				return true;
	}
	return false;
}

void model_declare(struct model *m)
{
	index_symbols(m);
	EACH_TREE(m, i, n)
		if (n->kind == N_KIND_KIND)
			declare_kind(m, n);
	EACH_TREE(m, i, n) {
		if (n->kind == N_KIND_UNIT)
			declare_unit(m, i, n);
		else if (n->kind == N_KIND_ALIAS) {
			struct malias a = {n->name, n->name2};
			if (n->name != n->name2 && !is_declared(m, n->name))
				VEC_PUSH(m->alias, a);
		}
	}
	EACH_TREE(m, i, n) {
		switch (n->kind) {
		case N_KIND_EVENT:
		case N_KIND_ACTION:
			declare_event(m, n);
			break;
		case N_KIND_THING:
			declare_thing(m, i, n);
			break;
		case N_KIND_OPTION:
			declare_option(m, i, n);
			break;
		case N_KIND_SEQUENCE:
			if (m->module.v[i].late)
				model_report(m, M_LATE_FRAME, n->span, 0);
			else if (n->name == m->w.encounter)
				m->sequence_encounter = n;
			else if (n->name == m->w.round)
				m->sequence_round = n;
			else
				model_report(m, M_SEQUENCE, n->at, 1, model_text(m, n->name));
			break;
		case N_KIND_RULESET:
			m->module.v[i].title = n->text;
			m->module.v[i].extends = n->name2;
			break;
		case N_KIND_HOUSE:
			m->module.v[i].title = n->text;
			break;
		case N_KIND_LIBRARY:
			m->module.v[i].title = n->text;
			m->module.v[i].library = true;
			break;
		case N_KIND_TABLE:
			declare_table(m, i, n, -1);
			break;
		case N_KIND_POLICY: {
			struct mpolicy p = {n->name, n, i, -1};
			int old = 0;
			while (old < m->policy.n && m->policy.v[old].name != n->name)
				old++;
			if (old < m->policy.n && m->policy.v[old].module == i)
				model_report(m, M_TWICE, n->at, 2, "policy", model_text(m, n->name));
			if (old < m->policy.n) /* the nearer one */
				m->policy.v[old] = p;
			else
				VEC_PUSH(m->policy, p);
			break;
		}
		case N_KIND_ENCOUNTER: {
			struct mencounter e = {n->name, n, i};
			for (int k = 0; k < m->encounter.n; k++)
				if (m->encounter.v[k].name == n->name)
					model_report(m, M_TWICE, n->at, 2, "encounter", model_text(m, n->name));
			n->ref = m->encounter.n;
			VEC_PUSH(m->encounter, e);
			break;
		}
		default:
			break;
		}
	}
	declare_bearers(m);
	EACH_TREE(m, i, n)
		if (n->kind == N_KIND_EVERY)
			declare_every(m, i, n);
	EACH_TREE(m, i, n)
		if (n->kind == N_KIND_KIND)
			for (struct node *f = n->a; f; f = f->next)
				if (f->kind == N_KIND_D_FIELD && model_kind(m, n->name) >= 0)
					declare_field(m, i, model_kind(m, n->name), f);
	for (int i = 0; i < m->option.n; i++) /* when all other fields are known */
		declare_option_field(m, &m->option.v[i]);
	/* phases of a sequence that a nearer layer replaces are still phases: they never begin */
	EACH_TREE(m, i, n)
		for (struct node *p = n->kind == N_KIND_SEQUENCE ? n->a : NULL; p; p = p->next) {
			if (p->name == m->w.rounds || phase_event(m, p->name) >= 0)
				continue;
			struct mphase phase = {p->name, event_add(m, NULL, p->name, false)};
			VEC_PUSH(m->phase, phase);
		}
	settle_parents(m);
	settle_roles(m);
	EACH_TREE(m, i, n) {
		struct place at = {i, -1, -1, -1, NULL};
		if (n->kind == N_KIND_THING) {
			at.thing = n->ref;
			for (struct node *d = n->b; d && m->thing.v[n->ref].node == n; d = d->next)
				if (d->kind == N_KIND_TABLE && !d->damaged)
					declare_table(m, i, d, n->ref);
			declare_clauses_of(m, n->b, at);
		} else if (n->kind == N_KIND_ENCOUNTER) {
			at.encounter = n->ref;
			declare_clauses_of(m, n->a, at);
		} else if (is_clause(n) || n->kind == N_KIND_RULE || n->kind == N_KIND_KIND) {
			struct node *next = n->next;
			n->next = NULL;
			declare_clauses_of(m, n, at);
			n->next = next;
		} else {
			report_stray(m, n);
		}
	}
	declare_action_parts(m);
	if (m->hidden > m->missing)
		m->missing = m->hidden;
}
