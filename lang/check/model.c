/* model.c - making, freeing and looking things up in a model. */
#include "lang/check/model.h"

#include <string.h>

/* ---- chains of what has one name ---- */

static void chain_add(struct chain *c, sym name, int index)
{
	while (c->first.n <= (int)name) {
		VEC_PUSH(c->first, -1);
		VEC_PUSH(c->last, -1);
	}
	VEC_PUSH(c->next, -1);
	must(c->next.n == index + 1);
	if (c->first.v[name] < 0)
		c->first.v[name] = index;
	else
		c->next.v[c->last.v[name]] = index;
	c->last.v[name] = index;
}

static int chain_first(const struct chain *c, sym name)
{
	return (int)name < c->first.n ? c->first.v[name] : -1;
}

static void chain_free(struct chain *c)
{
	VEC_FREE(c->first);
	VEC_FREE(c->last);
	VEC_FREE(c->next);
}

int model_put_field(struct model *m, struct mfield f)
{
	VEC_PUSH(m->field, f);
	chain_add(&m->fields_named, f.name, m->field.n - 1);
	return m->field.n - 1;
}

int model_put_question(struct model *m, struct mquestion q)
{
	VEC_PUSH(m->question, q);
	chain_add(&m->questions_named, q.name, m->question.n - 1);
	return m->question.n - 1;
}

int model_put_event(struct model *m, struct mevent e)
{
	VEC_PUSH(m->event, e);
	chain_add(&m->events_named, e.name, m->event.n - 1);
	return m->event.n - 1;
}

int model_put_rule(struct model *m, struct mrule r)
{
	VEC_PUSH(m->rule, r);
	chain_add(&m->rules_named, r.name, m->rule.n - 1);
	return m->rule.n - 1;
}

int model_put_encounter(struct model *m, struct mencounter e)
{
	VEC_PUSH(m->encounter, e);
	chain_add(&m->encounters_named, e.name, m->encounter.n - 1);
	return m->encounter.n - 1;
}

bool model_encounter_named(const struct model *m, sym name)
{
	return chain_first(&m->encounters_named, name) >= 0;
}

void model_put_alias(struct model *m, sym from, sym to)
{
	struct malias a = {from, to};
	VEC_PUSH(m->alias, a);
	if (!m->by_alias[from]) /* the first counts */
		m->by_alias[from] = to;
}

static int kind_add(struct model *m, const char *name, const char *plural)
{
	struct mkind k = {0};
	k.name = intern_word(m->front->names, name);
	k.plural = intern_word(m->front->names, plural);
	k.isa = -1;
	k.live = k.machine = true;
	VEC_PUSH(m->kind, k);
	return m->kind.n - 1;
}

static void field_add(struct model *m, int kind, sym name, struct type *type, bool hidden)
{
	struct mfield f = {0};
	f.name = name;
	f.kind = kind;
	f.type = type;
	f.hidden = hidden;
	f.question = -1;
	f.program = -1;
	model_put_field(m, f);
}

void model_init(struct model *m, struct front *f)
{
	memset(m, 0, sizeof *m);
	m->front = f;
	m->arena = f->arena;
	m->sink = f->sink;
	m->in_encounter = -1;
#define WORD(member, text) m->w.member = intern_word(f->names, text);
#include "lang/check/words.def"
#undef WORD
	kind_add(m, "encounter", "encounters");
	kind_add(m, "round", "every round");
	kind_add(m, "side", "sides");
	kind_add(m, "combatant", "combatants");
	kind_add(m, "act", "acts");
	must(m->kind.n == KIND_FIRST_DECLARED);
	field_add(m, KIND_ROUND, m->w.number, type_new(m, VT_NUMBER, 0), false);
	field_add(m, KIND_ROUND, m->w.start, type_new(m, VT_TIME, 0), false);
	m->field.v[m->field.n - 1].kept = true;
	field_add(m, KIND_COMBATANT, m->w.side, type_new(m, VT_LIVE, KIND_SIDE), false);
	field_add(m, KIND_COMBATANT, m->w.action, type_new(m, VT_LIVE, KIND_ACT), false);
	field_add(m, KIND_ACT, m->w.actor, type_new(m, VT_LIVE, KIND_COMBATANT), false);
	static const struct { const char *name; enum vbase base; int num, den; } units[] = {
		{"second", VT_TIME, SECOND, 1}, {"minute", VT_TIME, 60 * SECOND, 1}, {"hour", VT_TIME, 3600 * SECOND, 1},
		{"ft", VT_DISTANCE, FOOT, 1}, {"foot", VT_DISTANCE, FOOT, 1}, {"feet", VT_DISTANCE, FOOT, 1},
		{"yard", VT_DISTANCE, 3 * FOOT, 1}, {"yd", VT_DISTANCE, 3 * FOOT, 1}, {"mile", VT_DISTANCE, 5280 * FOOT, 1},
		{"\"", VT_SCALE, FOOT, 1}, {"inch", VT_SCALE, FOOT, 1},
		{"lb", VT_WEIGHT, POUND, 1}, {"pound", VT_WEIGHT, POUND, 1},
		{"cp", VT_MONEY, 1, 1}, {"sp", VT_MONEY, 10, 1}, {"gp", VT_MONEY, 200, 1},
	};
	for (size_t i = 0; i < FRAY_COUNT(units); i++) {
		struct munit u = {intern_word(f->names, units[i].name), (uint8_t)units[i].base, units[i].num, units[i].den, -1, NULL};
		VEC_PUSH(m->unit, u);
	}
	m->reporting = true;
}

void model_free(struct model *m)
{
	for (int i = 0; i < m->module.n; i++) {
		VEC_FREE(m->module.v[i].tree);
		VEC_FREE(m->module.v[i].settling);
	}
	for (int i = 0; i < m->field.n; i++)
		VEC_FREE(m->field.v[i].words);
	for (int i = 0; i < m->question.n; i++)
		VEC_FREE(m->question.v[i].clause);
	for (int i = 0; i < m->event.n; i++) {
		struct mevent *e = &m->event.v[i];
		for (int k = 0; k < 4; k++)
			VEC_FREE(e->clause[k]);
		VEC_FREE(e->forbid);
		VEC_FREE(e->permit);
		VEC_FREE(e->slot);
	}
	for (int i = 0; i < m->rule.n; i++)
		VEC_FREE(m->rule.v[i].excepts);
	for (int i = 0; i < m->rule.n; i++)
		VEC_FREE(m->rule.v[i].ruled);
	for (int i = 0; i < m->rule.n; i++)
		VEC_FREE(m->rule.v[i].yields);
	for (int i = 0; i < m->clause.n; i++)
		VEC_FREE(m->clause.v[i].gone);
	for (int i = 0; i < m->clause.n; i++)
		VEC_FREE(m->clause.v[i].aside);
	VEC_FREE(m->module);
	VEC_FREE(m->kind);
	VEC_FREE(m->field);
	VEC_FREE(m->pair);
	VEC_FREE(m->question);
	VEC_FREE(m->event);
	VEC_FREE(m->clause);
	VEC_FREE(m->rule);
	VEC_FREE(m->thing);
	VEC_FREE(m->table);
	VEC_FREE(m->policy);
	VEC_FREE(m->encounter);
	VEC_FREE(m->option);
	VEC_FREE(m->unit);
	VEC_FREE(m->alias);
	VEC_FREE(m->stretch);
	VEC_FREE(m->phase);
	VEC_FREE(m->orders);
	VEC_FREE(m->pairs_clauses);
	VEC_FREE(m->whenever);
	VEC_FREE(m->default_policies);
	VEC_FREE(m->kept);
	VEC_FREE(m->choice);
	VEC_FREE(m->label);
	VEC_FREE(m->drawn);
	VEC_FREE(m->side);
	VEC_FREE(m->live);
	VEC_FREE(m->item);
	VEC_FREE(m->said);
	VEC_FREE(m->unknown);
	chain_free(&m->fields_named);
	chain_free(&m->questions_named);
	chain_free(&m->events_named);
	chain_free(&m->rules_named);
	chain_free(&m->encounters_named);
	free(m->by_thing);
	free(m->by_alias);
}

int model_add_module(struct model *m, sym name, enum layer layer)
{
	struct module x = {0};
	x.name = name;
	x.shown = intern_text(m->front->names, name);
	x.layer = layer;
	VEC_PUSH(m->module, x);
	return m->module.n - 1;
}

void model_add_tree(struct model *m, int module, struct node *tree)
{
	VEC_PUSH(m->module.v[module].tree, tree);
}

const char *model_text(const struct model *m, sym name)
{
	return intern_text(m->front->names, name);
}

sym model_sym(const struct model *m, const char *text)
{
	return intern_word(m->front->names, text);
}

sym model_alias(const struct model *m, sym name)
{
	for (int turns = 0; turns < 8 && m->by_alias && name < m->symbols && m->by_alias[name]; turns++)
		name = m->by_alias[name];
	return name;
}

int model_kind(const struct model *m, sym name)
{
	name = model_alias(m, name);
	for (int i = 0; i < m->kind.n; i++)
		if (m->kind.v[i].name == name || m->kind.v[i].plural == name)
			return i;
	return -1;
}

int kind_root(const struct model *m, int kind)
{
	while (kind >= 0 && m->kind.v[kind].isa >= 0)
		kind = m->kind.v[kind].isa;
	return kind;
}

bool kind_is(const struct model *m, int kind, int ancestor)
{
	for (; kind >= 0; kind = m->kind.v[kind].isa)
		if (kind == ancestor)
			return true;
	return false;
}

int model_field(const struct model *m, int kind, sym name)
{
	name = model_alias(m, name);
	kind = kind_root(m, kind);
	for (int i = chain_first(&m->fields_named, name); i >= 0; i = m->fields_named.next.v[i])
		if (m->field.v[i].kind == kind)
			return i;
	return -1;
}

int field_stated(const struct model *m, const struct node *path)
{
	int f = path->kind != N_KIND_E_FIELD ? -1 : path->ref_kind == REF_FIELD ? path->ref : path->ref_kind == REF_QUESTION ? m->question.v[path->ref].field : -1;
	int kind = f >= 0 ? m->field.v[f].kind : -1;
	return kind == KIND_COMBATANT || kind == KIND_SIDE || kind == KIND_ENCOUNTER ? f : -1;
}

int model_question_of(const struct model *m, int kind, sym name, bool adjective)
{
	name = model_alias(m, name);
	kind = kind_root(m, kind);
	for (int i = chain_first(&m->questions_named, name); i >= 0; i = m->questions_named.next.v[i]) {
		const struct mquestion *q = &m->question.v[i];
		if (q->subject != kind)
			continue;
		/* "is casting" and "X's casting" may be two things: an adjective beside a field */
		bool own_field = q->adjective && model_field(m, kind, name) >= 0 && q->field < 0;
		if (q->adjective == adjective || (!own_field && (!adjective || type_is(q->type, VT_BOOL))))
			return i;
	}
	return -1;
}

int model_function(const struct model *m, sym name, int params)
{
	name = model_alias(m, name);
	for (int i = chain_first(&m->questions_named, name); i >= 0; i = m->questions_named.next.v[i]) {
		const struct mquestion *q = &m->question.v[i];
		if (q->subject < 0 && (params < 0 || q->params == params))
			return i;
	}
	return -1;
}

int model_pair(const struct model *m, sym name)
{
	name = model_alias(m, name);
	for (int i = 0; i < m->pair.n; i++)
		if (m->pair.v[i].name == name)
			return i;
	return -1;
}

int model_event(const struct model *m, sym name)
{
	name = model_alias(m, name);
	for (int i = chain_first(&m->events_named, name); i >= 0; i = m->events_named.next.v[i])
		if (m->event.v[i].node)
			return i;
	return -1;
}

int model_things_named(const struct model *m, sym name)
{
	return m->by_thing && name < m->symbols ? m->by_thing[name] : -1;
}

int model_thing(const struct model *m, sym name, int kind)
{
	name = model_alias(m, name);
	for (int i = model_things_named(m, name); i >= 0; i = m->thing.v[i].same)
		if (kind < 0 || kind_is(m, m->thing.v[i].kind, kind))
			return i;
	return -1;
}

static bool of_library(const struct model *m, struct span where)
{
	return m->front->sources->file.v[where.file].library;
}

/* Whether the library declares a thing of this name and sort. */
static bool library_has(const struct model *m, const struct mthing *t)
{
	for (int i = model_things_named(m, t->name); i >= 0; i = m->thing.v[i].same)
		if (of_library(m, m->thing.v[i].node->at) && kind_root(m, m->thing.v[i].kind) == kind_root(m, t->kind))
			return true;
	return false;
}

int model_thing_at(const struct model *m, struct span where, sym name, int kind)
{
	int i = model_thing(m, name, kind);
	if (!of_library(m, where))
		return i;
	for (; i >= 0; i = m->thing.v[i].same)
		if ((kind < 0 || kind_is(m, m->thing.v[i].kind, kind)) && library_has(m, &m->thing.v[i]))
			return i;
	return -1;
}

int model_thing_plural(const struct model *m, sym name, int kind)
{
	static const struct { const char *ending, *instead; } endings[] = {{"s", ""}, {"es", ""}, {"ies", "y"}, {"ves", "f"}, {"men", "man"}};
	const char *text = intern_folded(m->front->names, name);
	size_t n = strlen(text);
	for (size_t i = 0; i < FRAY_COUNT(endings); i++) {
		size_t cut = strlen(endings[i].ending);
		if (n <= cut || strcmp(text + n - cut, endings[i].ending))
			continue;
		struct buf b = {0};
		buf_add(&b, text, n - cut);
		buf_puts(&b, endings[i].instead);
		sym single = intern_find(m->front->names, buf_text(&b), b.length);
		buf_free(&b);
		int thing = single ? model_thing(m, single, kind) : -1;
		if (thing >= 0)
			return thing;
	}
	return -1;
}

int model_unit(const struct model *m, sym name)
{
	name = model_alias(m, name);
	for (int i = m->unit.n - 1; i >= 0; i--)
		if (m->unit.v[i].name == name)
			return i;
	/* "segments", "inches" */
	const char *t = intern_folded(m->front->names, name);
	size_t n = strlen(t);
	for (size_t cut = 1; cut <= 2 && n > cut + 1; cut++) {
		if (t[n - 1] != 's' || (cut == 2 && t[n - 2] != 'e'))
			break;
		sym s = intern_find(m->front->names, t, n - cut);
		for (int i = m->unit.n - 1; s && i >= 0; i--)
			if (m->unit.v[i].name == s)
				return i;
	}
	return -1;
}

int model_table(const struct model *m, sym name, int kind)
{
	int found = -1;
	for (int i = 0; i < m->table.n && (found < 0 || kind < 0); i++)
		if (m->table.v[i].name == name && m->table.v[i].kind == kind)
			found = i;
	return found;
}

int model_option(const struct model *m, sym name)
{
	for (int i = m->option.n - 1; i >= 0; i--)
		if (m->option.v[i].name == name)
			return i;
	return -1;
}

int model_rule(const struct model *m, sym name, sym module)
{
	int found = -1;
	for (int i = chain_first(&m->rules_named, name); i >= 0; i = m->rules_named.next.v[i])
		if (!module || m->module.v[m->rule.v[i].module].name == module)
			found = i; /* the last */
	return found;
}

int model_live(const struct model *m, sym name)
{
	name = model_alias(m, name);
	for (int i = 0; i < m->live.n; i++)
		if (m->live.v[i].name == name)
			return i;
	return -1;
}

int model_side(const struct model *m, sym name)
{
	for (int i = 0; i < m->side.n; i++)
		if (m->side.v[i].name == name)
			return i;
	return -1;
}

void model_draws(struct model *m, sym name, int clause, bool choice)
{
	struct mdrawn d = {name, clause, choice};
	if (clause >= 0 && !m->reporting)
		return;
	/* lines of a scene may roll what an earlier line forces: they are noted in every pass */
	for (int i = 0; clause < 0 && i < m->drawn.n; i++)
		if (m->drawn.v[i].name == name && m->drawn.v[i].choice == choice && m->drawn.v[i].clause < 0)
			return;
	VEC_PUSH(m->drawn, d);
}

bool model_drawn(const struct model *m, sym name, bool choice)
{
	for (int i = 0; i < m->drawn.n; i++) {
		const struct mdrawn *d = &m->drawn.v[i];
		if (d->name != name || d->choice != choice)
			continue;
		if (d->clause < 0 || m->clause.v[d->clause].in_force)
			return true;
		/* what stands in an encounter is in force there */
		const struct mclause *c = &m->clause.v[d->clause];
		if (c->encounter >= 0 && c->encounter == m->in_encounter && (c->rule < 0 || rule_in_force(m, c->rule)))
			return true;
	}
	return false;
}

int model_label(struct model *m, sym name)
{
	for (int i = 0; i < m->label.n; i++)
		if (m->label.v[i].name == name)
			return i;
	struct mlabel l = {name, 0, 0, false, false, false, NULL};
	VEC_PUSH(m->label, l);
	return m->label.n - 1;
}
