/* facts.c - what a script states, in a stat block or a line of an encounter, and no rule ever
 * reads.
 *
 * A fact of the library's that another of its systems reads is never told: a stat block may well be
 * played by that one next week (stdlib/unread.def has the others). What is declared with `notes` is
 * for people; what brings somebody his things is found again in what he carries, and needs no name.
 */
#include <string.h>

#include "lang/check/effect.h"
#include "lang/check/infer.h"

static bool brings_things(const struct model *m, const struct mfield *f)
{
	const struct type *t = type_find(f->type);
	bool any = false;
	if (t->base == VT_LIST || t->base == VT_SET)
		t = type_find(t->elem);
	for (int k = KIND_FIRST_DECLARED; k < m->kind.n && t->kind < 0; k++)
		any |= kind_borne(m, k);
	return f->kind == KIND_COMBATANT && t->base == VT_THING &&
		(any || (t->kind >= 0 && kind_borne(m, t->kind)));
}

bool field_is_option(const struct model *m, int field)
{
	for (int i = 0; i < m->option.n; i++)
		if (m->option.v[i].kind >= 0 && m->option.v[i].field == field)
			return true;
	return false;
}

static bool is_used(const struct model *m, const char *module)
{
	sym name = intern_find(m->front->names, module, strlen(module));
	for (int i = 0; i < m->module.n && name; i++)
		if (m->module.v[i].name == name)
			return true;
	return false;
}

/* The library that is not in use and whose rules read the field; "": nobody's do; NULL: those in
 * use, or of another system. */
static const char *read_elsewhere(const struct model *m, int field)
{
	const struct mfield *f = &m->field.v[field];
	const char *by = f->own ? ""
		: m->read_by ? m->read_by(model_text(m, m->kind.v[f->kind].name), model_text(m, f->name))
					 : NULL;
	return by && *by && is_used(m, by) ? NULL : by;
}

/* Of a question that refines it (the rule is told of then), of an option, and so on, nothing is
 * said. */
static bool may_be_idle(const struct model *m, int field)
{
	const struct mfield *f = &m->field.v[field];
	return read_elsewhere(m, field) && !f->noted && !f->kept && !f->hidden && f->question < 0 &&
		f->kind != KIND_ACT && !field_is_option(m, field) && !brings_things(m, f);
}

static void note(struct facts *x, int field, const struct node *at)
{
	x->field[field] = x->field[field] ? x->field[field] : at;
	x->times[field]++;
}

/* A line `field: value`; of several values the others fill further fields: `range: 15 ft, 30 ft`.
 */
static void of_values(
	struct facts *x, int field, const struct node *line, const struct node *values)
{
	const struct type *t = type_find(x->m->field.v[field].type);
	int nth = 0;
	note(x, field, line);
	for (const struct node *v = t->base == VT_LIST || t->base == VT_SET ? NULL : values; v;
		 v = v->next) {
		int to = v->kind == N_KIND_V_PLAIN || v->kind == N_KIND_V_VERSUS
			? field_of_value(x->m, field, nth, v)
			: -1;
		if (to >= 0 && to != field)
			note(x, to, v);
		nth += v->kind == N_KIND_V_PLAIN;
	}
}

/* The fields of a stat block, or of `long sword with { .. }`. */
static void of_block(struct facts *x, const struct node *n)
{
	for (; n; n = n->next) {
		if (n->kind != N_KIND_D_FIELD || n->damaged)
			continue;
		of_values(x, n->ref, n, n->a);
		for (const struct node *v = n->a; v; v = v->next)
			if (v->kind == N_KIND_V_PLAIN || v->kind == N_KIND_V_COUNT || v->kind == N_KIND_V_NAMED)
				of_block(x, v->b);
	}
}

static void of_edit(struct facts *x, const struct node *path)
{
	if (path->ref_kind == REF_PAIR && path->ref >= 0 && !x->pair[path->ref])
		x->pair[path->ref] = path;
	if (path->ref_kind == REF_FIELD || path->ref_kind == REF_THING_FIELD ||
		path->ref_kind == REF_FIELD_OF_ENCOUNTER)
		note(x, path->ref, path);
}

static void of_scene(struct facts *x, const struct node *n)
{
	for (; n; n = n->next) {
		switch (n->kind) {
		case N_KIND_D_FIELD: case N_KIND_N_OVERRIDE:
			of_values(x, n->ref, n, n->kind == N_KIND_D_FIELD ? n->a : n->b);
			break;
		case N_KIND_S_SET: case N_KIND_S_CHANGE:
			of_edit(x, n->a);
			break;
		case N_KIND_S_ADD: case N_KIND_S_REMOVE:
			of_edit(x, n->b);
			break;
		case N_KIND_S_EACH:
			of_scene(x, n->b);
			break;
		case N_KIND_N_EDIT: case N_KIND_S_BLOCK: case N_KIND_MOMENT:
			of_scene(x, n->a);
			break;
		default:
			break;
		}
	}
}

void facts_find(struct facts *x)
{
	struct model *m = x->m;
	x->field = arena_array(m->arena, const struct node *, m->field.n + 1);
	x->pair = arena_array(m->arena, const struct node *, m->pair.n + 1);
	x->times = arena_array(m->arena, int, m->field.n + 1);
	for (int k = 0; k < m->module.n; k++)
		for (int t = 0; m->module.v[k].layer == LAYER_SCRIPT && t < m->module.v[k].tree.n; t++)
			for (const struct node *n = m->module.v[k].tree.v[t]; n; n = n->next) {
				if (n->kind == N_KIND_THING)
					of_block(x, n->b);
				else if (n->kind == N_KIND_ENCOUNTER)
					of_scene(x, n->a);
			}
}

bool fact_may_be_idle(const struct facts *x, int field)
{
	return x->field[field] && may_be_idle(x->m, field);
}

bool fact_may_be_idle_of_pair(const struct facts *x, int pair)
{
	return x->pair[pair] && pair_may_be_declared(x->m, pair);
}

static void put_more(int more, struct buf *out)
{
	if (more == 1)
		buf_puts(out, "So it is in one more line.");
	else if (more > 1)
		buf_printf(out, "So it is in %d more lines.", more);
}

static void report_pair(struct model *m, int pair, const struct node *line)
{
	const struct mpair *p = &m->pair.v[pair];
	const struct mkind *kind = &m->kind.v[p->kind];
	struct buf whose = {0}, every = {0};
	pair_shown(m, pair, &whose);
	if (p->directed)
		buf_printf(
			&every, "%s to %s", model_text(m, kind->name), model_text(m, kind->name));
	else
		buf_printf(&every, "pair of %s", model_text(m, kind->plural));
	model_report(m, M_FACT_UNREAD, line->span, 3, buf_text(&whose), buf_text(&every),
		model_text(m, p->name));
	buf_free(&whose);
	buf_free(&every);
}

void facts_report(const struct facts *x, const uint8_t *field, const uint8_t *pair)
{
	struct model *m = x->m;
	for (int i = 0; i < m->field.n; i++) {
		const struct mfield *f = &m->field.v[i];
		if (!x->field[i] || !field[i])
			continue;
		struct buf more = {0};
		const char *library = read_elsewhere(m, i), *kind = model_text(m, m->kind.v[f->kind].name),
				   *name = model_text(m, f->name);
		struct diag d = diag_make(*library ? M_FACT_ELSEWHERE : M_FACT_UNREAD, x->field[i]->at);
		struct buf whose = {0};
		buf_printf(&whose, "%s's %s", kind, name);
		diag_arg(&d, buf_text(&whose));
		diag_arg(&d, *library ? library : kind);
		diag_arg(&d, name);
		put_more(x->times[i] - 1, &more);
		if (more.length)
			diag_line(&d, buf_text(&more));
		model_send(m, &d);
		buf_free(&whose);
		buf_free(&more);
	}
	for (int i = 0; i < m->pair.n; i++)
		if (x->pair[i] && pair[i])
			report_pair(m, i, x->pair[i]);
}
