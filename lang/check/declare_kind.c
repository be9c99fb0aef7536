/* declare_kind.c - kinds, their fields, units, and events with their roles. */
#include <string.h>

#include "lang/check/declare.h"
#include "lang/check/infer.h"
#include "runtime/base/num.h"

void declare_kind(struct model *m, struct node *n)
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

/* Adds the words that a declaration lists; house rules add to those of a ruleset. */
static void add_words(struct model *m, struct mfield *f, const struct node *values)
{
	for (const struct node *v = values; v; v = v->next) {
		const struct node *e = v->a;
		sym said = !e ? 0 : e->kind == N_KIND_E_NAME ? e->name : e->kind == N_KIND_E_TEXT ? intern_word(m->front->names, e->text) : 0;
		bool known = !said;
		for (int i = 0; i < f->words.n; i++)
			known |= f->words.v[i] == said;
		if (!known)
			VEC_PUSH(f->words, said);
	}
}

/* Which counts of several set in one moment. */
static void settle(struct mfield *f, const struct node *n)
{
	f->settled = n->num == 2 ? 1 : n->num == 3 ? -1 : 0;
	f->by = f->settled ? n->name2 : 0;
}

static bool is_many(struct type *type)
{
	const struct type *t = type_find(type);
	return t->base == VT_LIST || t->base == VT_SET;
}

/* Says so where nothing could come of it. */
static bool settles(struct model *m, const struct node *n, struct type *type, int kind)
{
	const bool many = is_many(type);
	if (n->num < 2 || (m->kind.v[kind_root(m, kind)].live && !many))
		return true;
	model_report(m, M_SETTLED_NOTHING, n->at, 2, model_text(m, n->name),
		many ? "a list: what acts add and take away is all done"
			 : "never set in a fight");
	return false;
}

static void settles_not(struct model *m, const struct node *n, const char *why)
{
	if (n->num > 1)
		model_report(m, M_SETTLED_NOTHING, n->at, 2, model_text(m, n->name), why);
}

/* When all fields are known: by which field it goes. */
void settle_fields(struct model *m)
{
	for (int i = 0; i < m->field.n; i++) {
		struct mfield *f = &m->field.v[i];
		f->lead = f->settled && f->by ? model_field(m, f->kind, f->by) : i;
		const struct mfield *lead = f->lead < 0 ? NULL : &m->field.v[f->lead];
		if (!f->settled || (lead && !is_many(lead->type)))
			continue;
		model_report(m, lead ? M_SETTLED_LIST : M_SETTLED_BY, f->at, 3, model_text(m, f->name),
			model_text(m, f->by), model_text(m, m->kind.v[f->kind].name));
		f->lead = i;
	}
}

/* A field is declared again: its default changes, and a field with values gets those that are new. */
static void declare_again(struct model *m, struct mfield *f, const struct node *n, bool is_type)
{
	struct node *first = n->a->a;
	if (f->closed && n->a->next)
		add_words(m, f, is_type ? n->a->next : n->a);
	else if (f->closed && !is_type && first && (first->kind == N_KIND_E_NAME || first->kind == N_KIND_E_TEXT))
		report_word(m, model_field(m, f->kind, f->name), first->kind == N_KIND_E_NAME ? first->name : intern_word(m->front->names, first->text), first->span, NULL);
	if (!is_type)
		f->initial = n->a;
	f->shared |= n->num == 1;
	if (n->num > 1)
		settle(f, n);
	f->meaning = n->text ? n->text : f->meaning;
}

/* A field is stated or kept, whoever declares it: else a stat block that was right would be wrong of a sudden. */
static bool declared_otherwise(struct model *m, const struct node *n, bool was, enum declared how)
{
	if (was != (how == DECLARED_KEPT))
		model_report(m, M_FIELD_KEPT_AGAIN, n->at, 2, model_text(m, n->name), was ? "keeps" : "has");
	return was != (how == DECLARED_KEPT);
}

void declare_field(struct model *m, int module, int kind, enum declared how, struct node *n)
{
	bool frac, is_type;
	struct type *type = type_of_default(m, n->a, &frac, &is_type);
	if (!type) {
		struct node *e = n->a ? n->a->a : NULL;
		if (e && e->kind == N_KIND_E_NAME) {
			int t = model_thing_at(m, e->span, e->name, -1);
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
		if (declared_otherwise(m, n, f->kept, how) || !settles(m, n, type, kind))
			return;
		f->noted = how == DECLARED_NOTED;
		declare_again(m, f, n, is_type);
		return;
	}
	if (!settles(m, n, type, kind))
		return;
	struct mfield x = {0};
	x.name = n->name;
	x.kind = kind_root(m, kind);
	x.type = type;
	x.frac = frac;
	x.shared = n->num == 1;
	settle(&x, n);
	x.kept = how == DECLARED_KEPT;
	x.noted = how == DECLARED_NOTED;
	x.own = m->module.v[module].own;
	x.meaning = n->text;
	x.initial = is_type ? NULL : n->a;
	x.of_library = m->module.v[module].layer == LAYER_THING;
	x.at = n->at;
	x.question = x.program = -1;
	bool words = type->base == VT_WORD || (type->base == VT_LIST && type_is(type->elem, VT_WORD));
	if (words && n->a->next) {
		x.closed = true;
		add_words(m, &x, is_type ? n->a->next : n->a);
	}
	model_put_field(m, x);
}

/* Whoever has it: every thing in play says so of itself. */
void declare_bearers(struct model *m)
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

/* Only fields stand in the braces of `every`: a clause there would never be heard of again. */
static bool is_field(struct model *m, const struct node *n)
{
	if (n->kind != N_KIND_D_FIELD && !n->damaged)
		model_report(m, M_EVERY_FIELDS, n->span, 0);
	return n->kind == N_KIND_D_FIELD;
}

/* `every fighter has { .. }`: one thing is not a kind. Every combatant gets the field then. */
static void report_no_kind(struct model *m, const struct node *n)
{
	const char *combatant = model_text(m, m->kind.v[KIND_COMBATANT].name);
	struct buf said = {0}, line = {0};
	size_t length;
	const char *text = sources_text(m->front->sources, n->span, &length);
	const char *braces = memchr(text, '{', length), *end = text + length;
	if (model_thing(m, n->name, -1) < 0 || !braces || memchr(text, '\n', length)) {
		model_report(m, M_NO_KIND, n->at, 1, model_text(m, n->name));
		return;
	}
	static const char *const words[] = {"has", "keeps", "notes"};
	buf_printf(&said, "every %s", model_text(m, n->name));
	buf_printf(&line, "every %s %s %.*s", combatant, words[n->num], (int)(end - braces), braces);
	model_report(m, M_SAID_OTHERWISE, n->at, 2, buf_text(&said), buf_text(&line));
	buf_free(&said);
	buf_free(&line);
}

void declare_every(struct model *m, int module, struct node *n)
{
	int kind = model_kind(m, n->name);
	if (kind < 0) {
		int event = model_event(m, n->name);
		if (event >= 0 && n->num)
			model_report(m, M_KEEPS_NOTHING, n->at, 2, model_text(m, n->name), "an event, which carries marks");
		if (event >= 0 && n->op == EVERY_KIND) {
			for (struct node *f = n->a; f; f = f->next) {
				bool frac, is_type;
				if (!is_field(m, f))
					continue;
				struct type *type = type_of_default(m, f->a, &frac, &is_type);
				settles_not(m, f, "a mark of an event, which no other act sees");
				struct mslot slot = {f->name, type ? type : type_var(m), frac, is_type ? NULL : f->a};
				VEC_PUSH(m->event.v[event].slot, slot);
			}
			return;
		}
		report_no_kind(m, n);
		return;
	}
	if (n->num == DECLARED_KEPT && !m->kind.v[kind_root(m, kind)].live) {
		model_report(m, M_KEEPS_NOTHING, n->at, 2, model_text(m, n->name), "not in play, only described");
		return;
	}
	if (n->op == EVERY_KIND) {
		for (struct node *f = n->a; f; f = f->next)
			if (is_field(m, f))
				declare_field(m, module, kind, (enum declared)n->num, f);
		return;
	}
	for (struct node *f = n->a; f; f = f->next) {
		bool is_type;
		struct mpair p = {0};
		if (!is_field(m, f))
			continue;
		settles_not(m, f, "a field of a pair");
		p.name = f->name;
		p.kind = kind_root(m, kind);
		p.directed = n->op == EVERY_DIRECTED;
		p.shared = f->num == 1;
		p.kept = n->num == DECLARED_KEPT;
		p.noted = n->num == DECLARED_NOTED;
		p.own = m->module.v[module].own;
		p.meaning = f->text;
		p.type = type_of_default(m, f->a, &p.frac, &is_type);
		if (!p.type)
			p.type = type_new(m, VT_WORD, -1);
		p.initial = is_type ? NULL : f->a;
		p.at = f->at;
		p.question = p.program = -1;
		int old = model_pair(m, f->name);
		if (old >= 0) {
			struct mpair *q = &m->pair.v[old];
			declared_otherwise(m, f, q->kept, (enum declared)n->num);
			q->noted = p.noted;
			q->initial = p.initial ? p.initial : q->initial;
			q->meaning = p.meaning ? p.meaning : q->meaning;
			continue;
		}
		VEC_PUSH(m->pair, p);
	}
}

void declare_unit(struct model *m, int module, struct node *n)
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

int declare_new_event(struct model *m, struct node *n, sym name, bool action)
{
	struct mevent e = {0};
	e.name = name;
	e.action = action;
	e.node = n;
	e.does = e.costs = -1;
	e.at = n ? n->at : (struct span){0};
	return model_put_event(m, e);
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

void declare_event(struct model *m, int module, struct node *n)
{
	int old = model_event(m, n->name);
	bool action = n->kind == N_KIND_ACTION;
	if (old >= 0) {
		/* a nearer layer may give an action a new body; roles stay as they were */
		if (m->event.v[old].node != n && m->event.v[old].action == action && !m->event.v[old].node->b && action && n->b) {
			m->event.v[old].node = n;
			m->event.v[old].module = module;
			return;
		}
		model_report(m, M_TWICE, n->at, 2, action ? "action" : "event", model_text(m, n->name));
		return;
	}
	int e = declare_new_event(m, n, n->name, action);
	m->event.v[e].module = module;
	if (action) {
		role_add(m, e, m->w.actor, 0, n->at);
		m->event.v[e].role[0].type = type_new(m, VT_LIVE, KIND_COMBATANT);
	}
	for (struct node *r = n->a; r; r = r->next) {
		sym name = r->name;
		role_add(m, e, name, action ? r->name2 : 0, r->at);
	}
}

/* Roles named after a kind or a dimension have that type, and what whoever stands ready plans is an act; an action's
 * roles that act has a field for are carried by it. */
void settle_roles(struct model *m)
{
	for (int i = 0; i < m->event.n; i++) {
		struct mevent *e = &m->event.v[i];
		for (int k = 0; k < e->roles; k++) {
			struct mrole *r = &e->role[k];
			bool plan = e->action && k == 1 && e->name == m->w.stand_ready;
			struct type *t = plan ? type_new(m, VT_LIVE, KIND_ACT) : type_named(m, r->name);
			if (t && r->name != m->w.count)
				type_unify(m, r->type, t);
		}
	}
}
