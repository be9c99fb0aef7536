/* check.c - the whole check of a model: inference to rest, then everything that is wrong. */
#include <string.h>

#include "lang/check/scene.h"
#include "runtime/dice/formula.h"

enum { PASSES_MAX = 24 };

/* ---- stat blocks ---- */

static void check_dice(struct model *m, struct node *n)
{
	struct dice dice;
	enum dice_error e = dice_parse(n->text, strlen(n->text), &dice);
	if (e != DICE_OK)
		model_report(m, dice_message(e), n->span, 1, n->text);
}

/* Every die formula anywhere is one that can be rolled, and what is written anywhere is noted; of what is damaged it
 * was said. */
static void check_trees(struct model *m, struct node *n)
{
	for (; n; n = n->next) {
		if (n->damaged)
			continue;
		if (n->kind == N_KIND_E_DICE)
			check_dice(m, n);
		foresee_written(m, n);
		struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		for (int i = 0; i < 6; i++)
			if (kids[i])
				check_trees(m, kids[i]);
	}
}

/* Whether a field of this type takes things of a kind; a list of things of all sorts takes all but somebody. */
static bool takes(const struct model *m, const struct type *type, int kind)
{
	const struct type *of = type->base == VT_LIST ? type_find(type->elem) : type;
	return of->base == VT_THING && (of->kind >= 0 ? kind_is(m, kind, of->kind) : kind_root(m, kind) != KIND_COMBATANT);
}

static bool takes_all(const struct model *m, const struct type *type, const struct node *values)
{
	for (const struct node *v = values; v; v = v->next) {
		sym name = v->kind == N_KIND_V_COUNT                           ? v->name
			: v->kind == N_KIND_V_PLAIN && v->a->kind == N_KIND_E_NAME ? v->a->name
																	   : 0;
		const int thing = name ? model_thing(m, model_alias(m, name), -1) : -1;
		if (thing >= 0 && !takes(m, type, m->thing.v[thing].kind))
			return false;
	}
	return true;
}

/* The field of a kind that takes a thing like what was written: of several the one that takes the fewest sorts. -1: none. */
static int field_for(const struct model *m, int kind, const struct node *value)
{
	const struct node *name = value ? value->a : NULL;
	int thing = name && name->kind == N_KIND_E_NAME ? model_thing(m, model_alias(m, name->name), -1)
													: -1,
		best = -1, best_of = -1;
	for (int i = 0; i < m->field.n && thing >= 0; i++) {
		const struct mfield *f = &m->field.v[i];
		const struct type *type = type_find(f->type);
		const bool one = type->base != VT_LIST && value->next;
		if (f->kind != kind_root(m, kind) || f->hidden || f->kept || one ||
			!takes_all(m, type, value))
			continue;
		int of = type->base == VT_LIST ? type_find(type->elem)->kind : type->kind;
		if (best < 0 || (of >= 0 && of != best_of && (best_of < 0 || kind_is(m, of, best_of)))) {
			best = i;
			best_of = of;
		}
	}
	return best;
}

static void report_thing_field(struct model *m, struct node *f, int kind)
{
	VEC(const char *) names = {0};
	for (int i = 0; i < m->field.n; i++)
		if (m->field.v[i].kind == kind_root(m, kind) && !m->field.v[i].hidden && !m->field.v[i].kept)
			VEC_PUSH(names, model_text(m, m->field.v[i].name));
	const char *best = diag_nearest(model_text(m, f->name), names.v, names.n);
	if (!best)
		best = diag_short_for(intern_folded(m->front->names, f->name), names.v, names.n);
	if (!best)
		best = field_meant(m, model_text(m, f->name), names.v, names.n);
	int holds = best ? -1 : field_for(m, kind, f->a);
	if (holds >= 0) {
		const struct node *last = f->a;
		while (last->next)
			last = last->next;
		size_t length;
		const char *said = sources_text(m->front->sources, span_join(f->a->span, last->span), &length);
		model_report(m, M_NO_FIELD_HOLDS, f->at, 3, model_text(m, f->name), model_text(m, m->field.v[holds].name), arena_text(m->arena, said, length));
	} else {
		report_no_field(m, f->at, f->name, kind, best);
	}
	VEC_FREE(names);
}

static void infer_stat(struct scope *s, struct node *f, int kind)
{
	struct model *m = s->m;
	int field = model_field(m, kind, f->name);
	if (field < 0) {
		if (!report_option_of_all(m, f))
			report_thing_field(m, f, kind);
		return;
	}
	f->ref = field;
	infer_values(s, field, f->at, DOOR_LINE, f->a);
}

/* "long sword with { number: 16 }": what this one has in place of what its pattern says. */
void infer_own_fields(struct scope *s, struct node *v, struct type *of)
{
	struct model *m = s->m;
	of = type_find(of);
	/* a weapon made on the spot: "sting 2d8 with { venomous: yes }" */
	bool spot = v->kind == N_KIND_V_NAMED && of->kind >= 0 && (of->base == VT_THING || of->base == VT_LIVE);
	for (struct node *f = spot ? v->b : NULL; f; f = f->next)
		if (!f->damaged)
			infer_stat(s, f, of->kind);
	if ((v->kind != N_KIND_V_PLAIN && v->kind != N_KIND_V_COUNT) || !v->b)
		return;
	int thing = item_thing(m, v);
	if (thing < 0 || !kind_borne(m, m->thing.v[thing].kind)) {
		model_report(m, M_NO_OWN_FIELDS, v->span, 1, thing < 0 ? "value" : model_text(m, m->thing.v[thing].name));
		return;
	}
	for (struct node *f = v->b; f; f = f->next)
		if (!f->damaged)
			infer_stat(s, f, m->thing.v[thing].kind);
}

/* "initiative: 4" in the stat block of somebody; of a sort of them it is told of the first. */
static void rolled_stat(
	struct model *m, const struct mthing *t, int field, const struct node *line)
{
	struct buf owner = {0};
	if (never_rolled(m, field))
		return;
	buf_printf(&owner, "%s%s", model_text(m, t->name), t->kind == KIND_COMBATANT ? "" : " #1");
	const char *text = arena_text(m->arena, owner.data, owner.length);
	const bool plain = line->a && line->a->kind == N_KIND_V_PLAIN;
	check_rolled(m, field, line->span, text, plain ? line->a->a : NULL, NULL);
	buf_free(&owner);
}

/* Whether a line's values are names, numbers and the like, whose types rest on no other types. */
static bool is_literal(const struct node *values)
{
	for (const struct node *v = values; v; v = v->next) {
		const struct node *e = v->kind == N_KIND_V_PLAIN || v->kind == N_KIND_V_NAMED ? v->a : NULL;
		if (v->b || (!e && v->kind != N_KIND_V_COUNT))
			return false;
		switch (e ? e->kind : N_KIND_E_NUM) {
		case N_KIND_E_NUM: case N_KIND_E_QTY: case N_KIND_E_DICE: case N_KIND_E_PERCENT:
		case N_KIND_E_TEXT: case N_KIND_E_YES: case N_KIND_E_NO: case N_KIND_E_NONE: case N_KIND_E_NAME:
			break;
		default:
			return false;
		}
	}
	return true;
}

static void infer_thing(struct model *m, int thing)
{
	struct mthing *t = &m->thing.v[thing];
	const bool changed = m->changed;
	struct scope s;
	if (t->at_rest && !m->reporting)
		return;
	m->changed = false;
	t->at_rest = true;
	scope_init(&s, m);
	s.pure = true;
	for (struct node *f = t->node->b; f; f = f->next) {
		if (f->kind != N_KIND_D_FIELD || f->damaged)
			continue;
		const int errors = m->sink->errors;
		t->at_rest &= is_literal(f->a);
		infer_stat(&s, f, t->kind);
		int field = m->reporting && m->sink->errors == errors ? model_field(m, t->kind, f->name) : -1;
		const bool own = field >= 0 && m->module.v[t->module].layer == LAYER_SCRIPT;
		if (own && kind_is(m, t->kind, KIND_COMBATANT))
			rolled_stat(m, t, field, f);
		for (struct node *other = t->node->b; other != f && field >= 0; other = other->next)
			if (other->kind == N_KIND_D_FIELD && !other->damaged && model_field(m, t->kind, other->name) == field) {
				model_report(m, M_FIELD_TWICE, f->at, 2, model_text(m, m->field.v[field].name), model_text(m, t->name));
				break;
			}
	}
	t->at_rest &= !m->changed;
	m->changed |= changed;
}

static void infer_defaults(struct model *m)
{
	struct scope s;
	scope_init(&s, m);
	s.pure = true;
	for (int i = 0; i < m->field.n; i++)
		for (struct node *v = m->field.v[i].initial; v; v = v->next)
			if (v->kind == N_KIND_V_PLAIN) {
				struct type *t = type_find(m->field.v[i].type);
				infer(&s, v->a, t->base == VT_LIST || t->base == VT_SET ? t->elem : t);
			}
	for (int i = 0; i < m->pair.n; i++)
		if (m->pair.v[i].initial && m->pair.v[i].initial->kind == N_KIND_V_PLAIN)
			infer(&s, m->pair.v[i].initial->a, m->pair.v[i].type);
	for (int i = 0; i < m->event.n; i++)
		for (int k = 0; k < m->event.v[i].slot.n; k++) {
			struct node *v = m->event.v[i].slot.v[k].initial;
			if (v && v->kind == N_KIND_V_PLAIN)
				infer(&s, v->a, m->event.v[i].slot.v[k].type);
		}
}

/* What stands over a column, or before a row: a value of that parameter. */
static void infer_cell(struct scope *s, struct mtable *t, int param, struct node *n)
{
	struct model *m = s->m;
	struct type *want = type_find(t->param[param]);
	if (n->kind == N_KIND_E_NAME && want->base == VT_LIVE && want->kind == KIND_ACT) {
		n->ref_kind = REF_EVENT;
		n->ref = model_event(m, n->name);
		if (n->ref < 0)
			report_no_event(m, n, n->name, false);
		return;
	}
	/* nobody asks with anything better: a word */
	if (n->kind == N_KIND_E_NAME && want->base == VT_UNKNOWN && model_thing_at(m, n->span, n->name, -1) < 0) {
		if (m->pass < 3)
			return;
		type_unify(m, want, type_new(m, VT_WORD, -1));
	}
	struct type *given = infer(s, n, want);
	if (!type_unify(m, want, given))
		report_types(m, M_ARGUMENT_TYPE, n->span, want, given);
	if (param == 0 && (n->frac || type_is(given, VT_CHANCE)) && !t->key_frac)
		t->key_frac = m->changed = true;
}

static struct node *quantity_key(struct node *table)
{
	struct node *key = table->b ? table->b->a : NULL;
	if (key && key->kind == N_KIND_E_SPAN)
		key = key->a ? key->a : key->b;
	return key && key->kind == N_KIND_E_QTY ? key : NULL;
}

/* A row's key is a plain number. */
static bool number_key(struct node *table)
{
	struct node *key = table->b ? table->b->a : NULL;
	if (key && key->kind == N_KIND_E_SPAN)
		key = key->a ? key->a : key->b;
	return key && key->kind == N_KIND_E_NUM;
}

static void infer_table(struct model *m, int table)
{
	struct node *node = m->table.v[table].node;
	struct mtable *t = &m->table.v[m->table.v[table].like];
	struct scope s;
	scope_init(&s, m);
	s.pure = true;
	for (struct node *p = node->a; p; p = p->next) {
		struct type *named = type_named(m, p->name);
		int k = p == node->a ? 0 : 1;
		/* a quantity says more than a name: "distance" may be in feet or in inches of scale */
		if (named && k == 0 && quantity_key(node))
			infer_cell(&s, t, 0, quantity_key(node));
		else if (named && k == 0 && number_key(node) && !type_is(named, VT_NUMBER))
			model_report(m, M_PARAMETER_SORT, p->span, 1, model_text(m, p->name));
		else if (named)
			type_unify(m, t->param[k], p->name == m->w.action ? type_new(m, VT_LIVE, KIND_ACT) : named);
	}
	int columns = node_count(node->c);
	for (struct node *c = node->c; c && t->params == 2; c = c->next)
		infer_cell(&s, t, 1, c);
	for (struct node *r = node->b; r; r = r->next) {
		int values = 0;
		for (struct node *v = r->b; v; v = v->next, values++) {
			struct type *type = infer(&s, v, t->type);
			if (!type_unify(m, t->type, type))
				model_report(m, M_TABLE_VALUES, v->span, 1, model_text(m, t->name));
			if (v->frac && !t->frac) {
				t->frac = true;
				m->changed = true;
			}
		}
		if (columns && values != columns)
			model_report(m, M_TABLE_COLUMNS, r->span, 1, model_text(m, t->name));
		struct node *key = r->a;
		if (!key)
			continue;
		if (key->kind != N_KIND_E_SPAN) {
			infer_cell(&s, t, 0, key);
			continue;
		}
		if (key->a)
			infer_cell(&s, t, 0, key->a);
		if (key->b)
			infer_cell(&s, t, 0, key->b);
	}
	if (t->params > 2 || (t->params == 2 && !columns) || (t->params == 1 && columns))
		model_report(m, M_TABLE_SHAPE, node->at, 1, model_text(m, t->name));
}

/* ---- the passes ---- */

/* Before anything else, what the library's own rules and policies teach: where a script takes a
 * role for something else, the script is wrong, and is told so at its own line. */
static void pass_library(struct model *m)
{
	for (int i = 0; i < m->clause.n; i++)
		if (m->clause.v[i].encounter < 0 && !m->module.v[m->clause.v[i].module].own)
			infer_clause(m, i);
	for (int i = 0; i < m->policy.n; i++)
		if (!m->module.v[m->policy.v[i].module].own)
			infer_policy(m, i);
}

static bool has_own_clause(const struct model *m)
{
	for (int i = 0; i < m->clause.n; i++)
		if (m->clause.v[i].encounter < 0 && m->module.v[m->clause.v[i].module].own)
			return true;
	return false;
}

static void pass(struct model *m)
{
	infer_defaults(m);
	for (int i = 0; i < m->table.n; i++)
		infer_table(m, i);
	for (int i = 0; i < m->clause.n; i++)
		if (m->clause.v[i].encounter < 0)
			infer_clause(m, i);
	for (int i = 0; i < m->thing.n; i++)
		infer_thing(m, i);
	for (int i = 0; i < m->policy.n; i++)
		infer_policy(m, i);
	for (int i = 0; i < m->encounter.n; i++)
		infer_scene(m, i);
}

/* Roles still unknown when all else is at rest are combatants. */
static void default_roles(struct model *m)
{
	for (int i = 0; i < m->event.n; i++)
		for (int k = 0; k < m->event.v[i].roles; k++) {
			struct mrole *r = &m->event.v[i].role[k];
			if (type_is(r->type, VT_UNKNOWN))
				type_unify(m, r->type, type_new(m, VT_LIVE, KIND_COMBATANT));
		}
}

/* Roles that acts have a field for are carried by it. */
static void carry_roles(struct model *m)
{
	for (int i = 0; i < m->event.n; i++) {
		struct mevent *e = &m->event.v[i];
		for (int k = 0; k < e->roles; k++) {
			struct mrole *r = &e->role[k];
			int f = model_field(m, KIND_ACT, r->name);
			struct type *t = type_find(r->type);
			if (k == 0 && t->base == VT_LIVE && t->kind == KIND_COMBATANT)
				f = model_field(m, KIND_ACT, m->w.actor);
			if (f < 0)
				continue;
			struct type *ft = type_find(m->field.v[f].type);
			if (ft->base == t->base && (ft->base != VT_LIVE || ft->kind == t->kind) && m->field.v[f].frac == r->frac)
				r->field = f;
		}
	}
}

/* Which policy is meant by `default policy`; none: nobody's, unless one is called so. */
static void name_default_policies(struct model *m)
{
	for (int i = 0; i < m->default_policies.n; i++) {
		struct node *n = m->clause.v[m->default_policies.v[i]].node;
		bool nobody = !strcmp(model_text(m, n->name), "none");
		for (int k = 0; k < m->policy.n && nobody; k++)
			nobody = m->policy.v[k].name != n->name;
		n->ref = nobody ? -1 : policy_named(m, n);
	}
}

/* Events that happen once are told apart by two words. */
static void check_once(struct model *m)
{
	for (int i = 0; i < m->event.n; i++) {
		const struct mevent *e = &m->event.v[i];
		bool wide = e->roles > 2;
		if (!e->node || e->node->kind != N_KIND_EVENT || e->node->num != 1)
			continue;
		for (int k = 0; k < e->roles; k++)
			wide |= type_is(e->role[k].type, VT_SET);
		if (wide)
			model_report(m, M_ONCE_ROLES, e->at, 0);
	}
}

bool model_check(struct model *m)
{
	int before = m->sink->errors;
	m->reporting = true;
	m->written = arena_array(m->arena, uint8_t, m->symbols + 1);
	for (int k = 0; k < m->module.n; k++)
		for (int t = 0; t < m->module.v[k].tree.n; t++)
			check_trees(m, m->module.v[k].tree.v[t]);
	report_parent_words(m);
	layers_resolve(m);
	check_undefined(m);
	m->reporting = false;
	m->pass = 0;
	if (has_own_clause(m))
		pass_library(m);
	for (; m->pass < PASSES_MAX; m->pass++) {
		m->changed = false;
		if (m->pass == 6)
			default_roles(m);
		pass(m);
		if (!m->changed && m->pass >= 6)
			break;
		if (!m->changed && m->pass < 5)
			m->pass = 5;
	}
	m->reporting = true;
	m->changed = false;
	pass(m);
	carry_roles(m);
	name_default_policies(m);
	check_overlaps(m);
	check_circles(m);
	check_once(m);
	options_of_rules(m);
	return m->sink->errors == before;
}
