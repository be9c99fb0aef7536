/* infer_call.c - types of `X's f`, of questions and tables asked, of what an event keeps. */
#include <string.h>

#include "lang/check/infer.h"
#include "runtime/base/plane.h"
#include "runtime/dice/formula.h"

/* attacks orc #1 (15): what the dice showed is a line of its own. */
static bool report_figure_behind(struct model *m, const struct node *n)
{
	const struct node *who = n->a, *figure = n->b;
	if (m->in_encounter < 0 || !figure || figure->next || figure->kind != N_KIND_E_NUM ||
		model_live(m, model_alias(m, who->name)) < 0)
		return false;
	struct buf line = {0}, number = {0};
	size_t length;
	const char *text = sources_text(m->front->sources, n->span, &length);
	buf_printf(&number, "%lld", (long long)figure->num);
	put_die_above(model_text(m, who->name), first_of_line(m, n->span), buf_text(&number),
		number.length, &line);
	buf_free(&number);
	model_report(
		m, M_SAID_OTHERWISE, n->span, 2, arena_text(m->arena, text, length), buf_text(&line));
	buf_free(&line);
	return true;
}

const char *field_meant(const struct model *m, const char *text, const char *const *names, int n)
{
	const char *cut = strstr(text, " if ");
	if (cut) { /* in a policy the condition comes after "when" */
		struct buf b = {0};
		buf_printf(&b, "%.*s when %s", (int)(cut - text), text, cut + 4);
		const char *said = arena_text(m->arena, b.data, b.length);
		buf_free(&b);
		return said;
	}
	for (int i = 0; i < n; i++) { /* hp: hit points */
		const char *name = names[i], *t = text;
		for (bool begins = true; *name; begins = *name++ == ' ')
			if (begins && *t && (*t | 32) == (*name | 32))
				t++;
			else if (begins)
				break;
		if (!*name && !*t && strlen(text) > 1 && strchr(names[i], ' '))
			return names[i];
	}
	return NULL;
}

static void report_field(struct scope *s, struct node *n, int kind)
{
	struct model *m = s->m;
	if (!m->reporting || report_field_of_each(m, n, kind) || report_option_of_all(m, n) ||
		report_kind_of(m, n, kind))
		return;
	VEC(const char *) names = {0};
	for (int i = 0; i < m->field.n; i++)
		if (m->field.v[i].kind == kind_root(m, kind) && !m->field.v[i].hidden)
			VEC_PUSH(names, model_text(m, m->field.v[i].name));
	for (int i = 0; i < m->question.n; i++)
		if (m->question.v[i].subject == kind_root(m, kind))
			VEC_PUSH(names, model_text(m, m->question.v[i].name));
	const char *best = diag_nearest(model_text(m, n->name), names.v, names.n);
	if (!best)
		best = field_meant(m, model_text(m, n->name), names.v, names.n);
	report_no_field(m, n->at, n->name, kind, best);
	VEC_FREE(names);
}

/* The one root kind that has a field or question of this name; -1 if none or several. */
static int kind_with(const struct model *m, sym name)
{
	int found = -1;
	name = model_alias(m, name);
	for (int i = 0; i < m->field.n; i++)
		if (m->field.v[i].name == name) {
			if (found >= 0 && found != m->field.v[i].kind)
				return -1;
			found = m->field.v[i].kind;
		}
	for (int i = 0; i < m->question.n; i++)
		if (m->question.v[i].name == name && m->question.v[i].subject >= 0 && !m->question.v[i].adjective) {
			if (found >= 0 && found != m->question.v[i].subject)
				return -1;
			found = m->question.v[i].subject;
		}
	return found;
}

int mixed_kinds(const struct model *m, sym name, int *kind)
{
	int n = 0;
	name = model_alias(m, name);
	for (int k = 0; k < m->kind.n && n < KINDS_MIXED; k++) {
		if (kind_root(m, k) != k || (m->kind.v[k].live && !kind_borne(m, k)))
			continue;
		if (model_field(m, k, name) >= 0 || (!m->kind.v[k].live && model_question_of(m, k, name, false) >= 0))
			kind[n++] = k;
	}
	return n;
}

/* A field of something in a list of all sorts of things: each has its own, or none. */
static struct type *infer_mixed(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	int kind[KINDS_MIXED], kinds = mixed_kinds(m, n->name, kind);
	struct type *first = NULL;
	if (kinds == 0 && m->reporting)
		model_report(m, M_NO_FIELD_OF_THINGS, n->at, 1, model_text(m, n->name));
	n->ref_kind = kinds ? REF_MIXED_FIELD : REF_UNKNOWN;
	n->frac = false;
	for (int i = 0; i < kinds; i++) {
		int q = m->kind.v[kind[i]].live ? -1 : model_question_of(m, kind[i], n->name, false);
		int f = q < 0 ? model_field(m, kind[i], n->name) : -1;
		struct type *t = type_find(q >= 0 ? m->question.v[q].type : m->field.v[f].type);
		n->frac |= q >= 0 ? m->question.v[q].frac : m->field.v[f].frac;
		if (!first)
			first = t;
		bool same = t->base == first->base && t->base != VT_LIST && t->base != VT_SET && (t->base != VT_THING || t->kind == first->kind);
		if (same || t->base == VT_UNKNOWN || first->base == VT_UNKNOWN || !m->reporting)
			continue;
		struct buf a = {0}, b = {0};
		type_print(m, first, &a);
		type_print(m, t, &b);
		model_report(m, M_MIXED_FIELD, n->at, 5, model_text(m, n->name), buf_text(&a), model_text(m, m->kind.v[kind[0]].name), buf_text(&b), model_text(m, m->kind.v[kind[i]].name));
		buf_free(&a);
		buf_free(&b);
		break;
	}
	return first ? first : node_type(s, n);
}

/* `strike's parry`: a value the event in progress keeps. */
static int kept_of_event(struct scope *s, struct node *owner, sym field)
{
	struct model *m = s->m;
	if (owner->kind != N_KIND_E_NAME || scope_find(s, owner->name))
		return -1;
	int event = model_event(m, owner->name);
	if (event < 0)
		return -1;
	for (int i = 0; i < m->event.v[event].slot.n; i++) {
		struct mslot *slot = &m->event.v[event].slot.v[i];
		if (slot->name != field)
			continue;
		for (int k = 0; k < m->kept.n; k++)
			if (m->kept.v[k].name == field)
				return k;
		struct mkept kept = {field, slot->type, slot->frac};
		VEC_PUSH(m->kept, kept);
		return m->kept.n - 1;
	}
	return -1;
}

struct type *infer_field(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	int kept = kept_of_event(s, n->a, n->name);
	if (kept >= 0) {
		n->ref_kind = REF_KEPT;
		n->ref = kept;
		n->frac = m->kept.v[kept].frac;
		return m->kept.v[kept].type;
	}
	struct type *owner = type_find(infer(s, n->a, NULL));
	if (owner->base == VT_UNKNOWN) {
		int kind = m->pass > 0 ? kind_with(m, n->name) : -1;
		if (kind < 0)
			return node_type(s, n);
		type_unify(m, owner, m->kind.v[kind].live ? live_type(s, kind) : type_new(m, VT_THING, kind));
		owner = type_find(owner);
	}
	if (owner->base != VT_LIVE && owner->base != VT_THING) {
		if (m->reporting) {
			struct buf b = {0};
			type_print(m, owner, &b);
			model_report(m, M_FIELD_OF_WHAT, n->at, 2, model_text(m, n->name), buf_text(&b));
			buf_free(&b);
		}
		return node_type(s, n);
	}
	if (owner->kind < 0)
		return infer_mixed(s, n);
	int q = model_question_of(m, owner->kind, n->name, false);
	if (q >= 0) {
		n->ref_kind = REF_QUESTION;
		n->ref = q;
		n->frac = m->question.v[q].frac;
		if (m->question.v[q].params != 1)
			report_count(m, M_ARGUMENT_COUNT, n->at, n->name, m->question.v[q].param_name + 1, m->question.v[q].params - 1, 0);
		return m->question.v[q].type;
	}
	int f = model_field(m, owner->kind, n->name);
	if (f >= 0) {
		n->ref_kind = owner->base == VT_LIVE ? REF_FIELD : REF_THING_FIELD;
		n->ref = f;
		n->frac = m->field.v[f].frac;
		return m->field.v[f].type;
	}
	if (owner->base == VT_LIVE && owner->kind == KIND_COMBATANT) {
		int item = s->scene && n->a->ref_kind == REF_LIVE && n->a->ref >= 0 ? item_named(m, n->a->ref, n->name) : -1;
		int thing = model_thing_at(m, n->span, n->name, -1);
		if (item >= 0) {
			n->ref_kind = REF_ITEM_NAMED;
			n->ref = item;
			return live_type(s, m->item.v[item].kind);
		}
		if (thing >= 0 && kind_borne(m, m->thing.v[thing].kind)) {
			n->ref_kind = REF_ITEM;
			n->ref = thing;
			return live_type(s, kind_root(m, m->thing.v[thing].kind));
		}
	}
	report_field(s, n, owner->kind);
	return node_type(s, n);
}

/* ---- calls ---- */

static void infer_arguments(struct scope *s, struct node *call, struct mquestion *q, int first)
{
	struct model *m = s->m;
	int question = (int)(q - m->question.v);
	int i = first;
	for (struct node *a = call->b; a; a = a->next, i++) {
		if (i >= m->question.v[question].params) {
			infer(s, a, NULL);
			continue;
		}
		struct type *want = m->question.v[question].param[i];
		/* what a parameter is, its own rules say first */
		if (m->pass == 0 && type_is(want, VT_UNKNOWN)) {
			infer(s, a, NULL);
			m->changed = true;
			continue;
		}
		want_type(s, a, want, M_ARGUMENT_TYPE);
		report_list_whole(s, a);
		q = &m->question.v[question];
		if (a->frac && !q->param_frac[i] && type_number(a->type)) {
			q->param_frac[i] = true;
			m->changed = true;
		}
	}
	q = &m->question.v[question];
	if (i != q->params)
		report_count(m, M_ARGUMENT_COUNT, call->span, q->name, q->param_name + first, q->params - first, i - first);
}

/* A table asked for its value; its types are those of the first table like it. */
static struct type *infer_lookup(struct scope *s, struct node *n, int table)
{
	struct model *m = s->m;
	struct mtable *t = &m->table.v[table];
	int k = 0;
	n->ref_kind = REF_TABLE;
	n->ref = table;
	for (struct node *a = n->b; a; a = a->next, k++)
		if (k < 2)
			want_type(s, a, t->param[k], M_ARGUMENT_TYPE);
	if (k != t->params)
		report_keys(m, n->span, table, k);
	if (n->b && n->b->frac && !t->key_frac)
		t->key_frac = m->changed = true;
	n->frac = t->frac;
	return t->type;
}

/* Which measure of the plane is this, with so many arguments? MEASURES: none. */
static int measure_named(const struct model *m, sym name, int count)
{
	int what = name == m->w.straight ? MEASURE_STRAIGHT : name == m->w.along ? MEASURE_ALONG : name == m->w.meeting ? MEASURE_MEETING : MEASURES;
	return what < MEASURES && plane_arguments((enum measure)what) == count ? what : MEASURES;
}

/* The thing that is called as this is written, brackets and all; NULL: there is none. */
static const char *quoted_thing(struct model *m, const struct node *n)
{
	size_t length;
	const char *text = sources_text(m->front->sources, n->span, &length);
	sym name = length <= FRAY_NAME_MAX ? intern_find(m->front->names, text, length) : 0;
	return name && model_thing(m, name, -1) >= 0 ? model_text(m, name) : NULL;
}

struct type *infer_call(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	struct node *callee = n->a;
	int count = node_count(n->b);
	if (callee->kind == N_KIND_E_FIELD) {
		struct type *owner = type_find(infer(s, callee->a, NULL));
		if (owner->base != VT_LIVE && owner->base != VT_THING)
			return node_type(s, n);
		int q = model_question_of(m, owner->kind, callee->name, false);
		int table = q < 0 && owner->kind >= 0 ? model_table(m, callee->name, kind_root(m, owner->kind)) : -1;
		if (table >= 0) {
			callee->ref_kind = owner->base == VT_LIVE ? REF_FIELD : REF_THING_FIELD;
			callee->ref = m->table.v[table].field;
			callee->type = m->field.v[callee->ref].type;
			return infer_lookup(s, n, table);
		}
		if (q < 0) {
			if (model_field(m, owner->kind, callee->name) >= 0)
				model_report(m, M_NOT_CALLED, n->span, 0);
			else
				report_field(s, callee, owner->kind);
			return node_type(s, n);
		}
		n->ref_kind = REF_QUESTION;
		n->ref = q;
		infer_arguments(s, n, &m->question.v[q], 1);
		n->frac = m->question.v[q].frac;
		return m->question.v[q].type;
	}
	if (callee->kind != N_KIND_E_NAME) {
		model_report(m, M_NOT_CALLED, n->span, 0);
		return node_type(s, n);
	}
	sym name = model_alias(m, callee->name);
	if (name == m->w.remainder && count == 2) {
		n->ref_kind = REF_REMAINDER;
		want_type(s, n->b, number_type(s), M_ARGUMENT_TYPE);
		want_type(s, n->b->next, number_type(s), M_ARGUMENT_TYPE);
		return number_type(s);
	}
	if ((name == m->w.most || name == m->w.least) && count == 1) {
		n->ref_kind = name == m->w.most ? REF_MOST : REF_LEAST;
		want_type(s, n->b, type_new(m, VT_DICE, -1), M_ARGUMENT_TYPE);
		return number_type(s);
	}
	int measure = measure_named(m, name, count);
	if (measure < MEASURES) {
		n->ref_kind = REF_MEASURE;
		n->ref = measure;
		for (struct node *a = n->b; a; a = a->next)
			want_type(s, a, number_type(s), M_ARGUMENT_TYPE);
		n->frac = true;
		return number_type(s);
	}
	int q = model_function(m, name, count);
	if (q >= 0) {
		n->ref_kind = REF_QUESTION;
		n->ref = q;
		infer_arguments(s, n, &m->question.v[q], 0);
		n->frac = m->question.v[q].frac;
		return m->question.v[q].type;
	}
	int p = model_pair(m, name);
	if (p >= 0 && count == 2) {
		n->ref_kind = REF_PAIR;
		n->ref = p;
		struct type *of = live_type(s, m->pair.v[p].kind);
		want_type(s, n->b, of, M_ARGUMENT_TYPE);
		want_type(s, n->b->next, of, M_ARGUMENT_TYPE);
		n->frac = m->pair.v[p].frac;
		return m->pair.v[p].type;
	}
	int table = model_table(m, name, -1);
	if (table >= 0)
		return infer_lookup(s, n, table);
	int given = 0;
	const bool reporting = m->reporting;
	m->reporting = false; /* what it is asked of follows */
	for (struct node *a = n->b; a; a = a->next, given++)
		infer(s, a, NULL);
	m->reporting = reporting;
	if (m->reporting && report_figure_behind(m, n)) {
	} else if (m->reporting) {
		VEC(const char *) names = {0};
		for (int i = 0; i < m->question.n; i++)
			if (m->question.v[i].subject < 0)
				VEC_PUSH(names, model_text(m, m->question.v[i].name));
		for (int i = 0; i < m->pair.n; i++)
			VEC_PUSH(names, model_text(m, m->pair.v[i].name));
		for (int i = 0; i < m->table.n; i++)
			VEC_PUSH(names, model_text(m, m->table.v[i].name));
		const char *best = diag_nearest(model_text(m, name), names.v, names.n);
		const int other = model_function(m, name, -1);
		if (quoted_thing(m, n))
			model_report(m, M_NAME_UNQUOTED, n->span, 1, quoted_thing(m, n));
		else if (other >= 0)
			report_count(m, M_ARGUMENT_COUNT, n->span, name, m->question.v[other].param_name, m->question.v[other].params, given);
		else if (p >= 0)
			report_count(m, M_ARGUMENT_COUNT, n->span, name, (const sym[]){m->w.one, m->w.other}, 2, given);
		else if (model_event(m, name) >= 0)
			model_report(m, M_EVENT_IS_NO_VALUE, n->span, 1, model_text(m, name));
		else
			model_report(m, best ? M_NO_FUNCTION_NEAR : M_NO_FUNCTION, callee->span, 2, model_text(m, name), best ? best : "");
		VEC_FREE(names);
	}
	return node_type(s, n);
}
