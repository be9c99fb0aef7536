/* declare_thing.c - stat blocks, tables, options and rules. */
#include <string.h>

#include "lang/check/declare.h"

void declare_thing(struct model *m, int module, struct node *n)
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

void declare_table(struct model *m, int module, struct node *n, int thing)
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

/* `combatant Ann is thief`: a thing of another kind, which a field of hers may hold. */
static bool of_other_kind(struct model *m, const struct mthing *t, sym name)
{
	const int root = kind_root(m, t->kind);
	for (int k = model_things_named(m, name); k >= 0; k = m->thing.v[k].same) {
		const int kind = m->thing.v[k].kind;
		for (int f = 0; f < m->field.n; f++) {
			const struct mfield *x = &m->field.v[f];
			if (x->kind != root || x->type->base != VT_THING || x->type->kind < 0 ||
				!kind_is(m, kind, x->type->kind))
				continue;
			model_report(m, M_NOT_OF_KIND, t->node->a->span, 5,
				model_text(m, m->kind.v[t->kind].name), model_text(m, name),
				model_text(m, m->kind.v[kind].name), model_text(m, t->name),
				model_text(m, x->name));
			return true;
		}
	}
	return false;
}

void settle_parents(struct model *m)
{
	for (int i = 0; i < m->thing.n; i++) {
		struct mthing *t = &m->thing.v[i];
		if (!t->node->a)
			continue;
		int parent = model_thing_at(m, t->node->a->span, t->node->a->name, kind_root(m, t->kind));
		if (parent == i) { /* a house's "orc is an orc with": the next one out */
			parent = -1;
			for (int k = t->same; k >= 0 && parent < 0; k = m->thing.v[k].same)
				if (kind_root(m, m->thing.v[k].kind) == kind_root(m, t->kind))
					parent = k;
		}
		if (parent < 0) {
			const char *name = model_text(m, t->node->a->name);
			bool other = of_other_kind(m, t, t->node->a->name);
			while (!other && (name = strchr(name, ' ')) != NULL) /* "3rd level thief" */
				other = of_other_kind(m, t, model_sym(m, ++name));
			if (other)
				continue;
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
void declare_option_field(struct model *m, struct moption *o)
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

void declare_option(struct model *m, int module, struct node *n)
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

int declare_new_rule(struct model *m, struct node *n, const struct place *at)
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
	return model_put_rule(m, r);
}
