/* lost.c - values that rules of a script lose: a `let` that nothing reads, one that is written over
 * before it is read, a definition that hides what rules change, a field that counts no more.
 *
 * Only bodies of the table's own are looked at. A `let` in the rules of an event can be asked for
 * as `this NAME` by any rule. A roll is told in the story, so it is not idle. */
#include <string.h>

#include "lang/check/lost.h"

/* ---- what reads a name ---- */

/* Whether a text in braces has the name, as whole words. */
static bool text_reads(const struct model *m, const char *text, sym name)
{
	const char *said = model_text(m, name);
	const size_t n = strlen(said);
	for (const char *at = strstr(text, said); at; at = strstr(at + 1, said))
		if (at > text && strchr("{ (,", at[-1]) && strchr("}' ),", at[n]))
			return true;
	return false;
}

static bool reads(const struct model *m, const struct node *n, sym name);

static bool one_reads(const struct model *m, const struct node *n, sym name)
{
	const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
	const bool place = n->kind == N_KIND_S_SET && n->a && n->a->kind == N_KIND_E_NAME;
	if ((n->kind == N_KIND_E_NAME || n->kind == N_KIND_E_THIS) && n->name == name)
		return true;
	if (n->text && text_reads(m, n->text, name))
		return true;
	for (size_t i = place; i < FRAY_COUNT(kids); i++)
		if (kids[i] && reads(m, kids[i], name))
			return true;
	return false;
}

static bool reads(const struct model *m, const struct node *n, sym name)
{
	for (; n; n = n->next)
		if (one_reads(m, n, name))
			return true;
	return false;
}

static bool is_this(const struct node *n, const void *name)
{
	return n->kind == N_KIND_E_THIS && n->name == *(const sym *)name;
}

/* Whether something asks for `this NAME`, in any tree. */
static bool kept_anywhere(const struct model *m, sym name)
{
	for (int i = 0; i < m->module.n; i++)
		for (int t = 0; t < m->module.v[i].tree.n; t++)
			if (node_any(m->module.v[i].tree.v[t], is_this, &name))
				return true;
	return false;
}

/* Whether the value is found by a die or by somebody's choice, which the story tells. */
static bool is_told(const struct node *n, const void *none)
{
	(void)none;
	return n->kind == N_KIND_E_ROLL || n->kind == N_KIND_E_CHOOSE || n->kind == N_KIND_E_RANDOM;
}

/* ---- fields that count no more ---- */

/* Whether a field of that name is read in a tree, not only written. */
static bool asks_field(const struct node *n, sym name)
{
	for (; n; n = n->next) {
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		const bool writes = n->kind == N_KIND_S_SET || n->kind == N_KIND_S_CHANGE;
		if (n->kind == N_KIND_E_FIELD && n->name == name)
			return true;
		for (size_t i = writes; i < FRAY_COUNT(kids); i++)
			if (kids[i] && asks_field(kids[i], name))
				return true;
	}
	return false;
}

/* Whether the table's own rules or expectations ask for it. */
static bool own_asks(const struct model *m, sym name)
{
	for (int i = 0; i < m->module.n; i++)
		for (int t = 0; m->module.v[i].own && t < m->module.v[i].tree.n; t++)
			if (asks_field(m->module.v[i].tree.v[t], name))
				return true;
	return false;
}

void warn_instead(struct model *m, const struct node *n)
{
	static const struct { const char *field, *counts; } rows[] = {
#define INSTEAD(field, counts) {field, counts},
#include "stdlib/meant.def"
	};
	const bool writes = n->kind == N_KIND_S_SET || n->kind == N_KIND_S_CHANGE;
	const struct node *path = writes ? n->a : NULL;
	if (!m->reporting || !path || path->kind != N_KIND_E_FIELD || !path->a)
		return;
	const struct type *of = path->a->type ? type_find(path->a->type) : NULL;
	const char *name = model_text(m, model_alias(m, path->name));
	for (size_t i = 0; i < FRAY_COUNT(rows); i++) {
		const sym counts = intern_find(m->front->names, rows[i].counts, strlen(rows[i].counts));
		if (strcmp(name, rows[i].field) || !counts || !of || of->base != VT_LIVE ||
			of->kind != KIND_COMBATANT ||
			model_alias(m, counts) != counts ||
			model_field(m, KIND_COMBATANT, counts) < 0 || own_asks(m, path->name))
			continue;
		struct buf own = {0}, line = {0};
		const struct span at = {path->span.file, path->a->span.end, path->span.end};
		buf_printf(&own, "'s %s", rows[i].counts);
		if (!statement_with(m, at, buf_text(&own), &line))
			buf_printf(&line, "set X%s = ..", buf_text(&own));
		model_report(m, M_FIELD_INSTEAD, path->span, 3, name, rows[i].counts, buf_text(&line));
		buf_free(&own);
		buf_free(&line);
	}
}

/* ---- lets ---- */

/* The name that a statement gives a value: let n = .., set n = ..; or 0. */
static sym names_value(const struct node *n)
{
	if (n->kind == N_KIND_S_LET)
		return n->name;
	return n->kind == N_KIND_S_SET && n->a && n->a->kind == N_KIND_E_NAME && n->b ? n->a->name : 0;
}

static void report_over(struct model *m, const struct node *let, const struct node *next)
{
	struct diag d = diag_make(M_LET_OVER, let->span);
	diag_arg(&d, model_text(m, let->name));
	diag_relate(&d, next->span, "this is the next");
	model_send(m, &d);
}

/* The statements of a block, of a body that begins with `body`. */
static void look_block(struct model *m, const struct node *body, const struct node *n)
{
	for (; n; n = n->next) {
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		for (size_t i = 0; i < FRAY_COUNT(kids); i++)
			if (kids[i])
				look_block(m, body, kids[i]);
		warn_instead(m, n);
		if (n->kind != N_KIND_S_LET || !n->a)
			continue;
		const struct node *x = n->next;
		while (x && names_value(x) != n->name && !one_reads(m, x, n->name))
			x = x->next;
		const bool over = x && names_value(x) == n->name &&
			!reads(m, x->kind == N_KIND_S_LET ? x->a : x->b, n->name);
		if (!over && (reads(m, body, n->name) || node_any(n->a, is_told, NULL)))
			continue;
		if (kept_anywhere(m, n->name))
			continue;
		if (over)
			report_over(m, n, x);
		else
			model_report(m, M_LET_UNREAD, n->span, 1, model_text(m, n->name));
	}
}

/* ---- definitions of what rules change ---- */

/* Whether a body changes the field that a question refines. */
struct refined { int question, field; };

static bool changes(const struct node *n, const void *about)
{
	const struct refined *r = about;
	const struct node *place = n->kind == N_KIND_S_CHANGE ? n->a : NULL;
	if (!place)
		return false;
	return place->ref_kind == REF_QUESTION ? place->ref == r->question
		: (place->ref_kind == REF_FIELD || place->ref_kind == REF_FIELD_OF_ENCOUNTER) &&
			place->ref == r->field;
}

static bool is_base(const struct node *n, const void *none)
{
	(void)none;
	return n->kind == N_KIND_E_BASE;
}

/* define combatant's hit points = 20, which every wound changes */
static void look_hidden(struct model *m, const struct mclause *x)
{
	const struct mquestion *q = x->question >= 0 ? &m->question.v[x->question] : NULL;
	const bool defines = q && x->node->kind == N_KIND_C_DEFINE && q->field >= 0 &&
		q->subject >= 0 && m->kind.v[q->subject].live;
	if (!defines || node_any(x->node->b, is_base, NULL) || node_any(x->when, is_base, NULL))
		return;
	const struct refined refined = {x->question, q->field};
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *y = &m->clause.v[c];
		if (!y->in_force || m->module.v[y->module].own ||
			!node_any(y->node->b, changes, &refined))
			continue;
		const char *kind = model_text(m, m->kind.v[q->subject].name);
		const char *name = model_text(m, q->name);
		struct buf what = {0}, line = {0};
		size_t length;
		const char *value = sources_text(m->front->sources, x->node->b->span, &length);
		buf_printf(&what, "%s's %s", kind, name);
		buf_printf(&line, "before set up { each %s { set %s = %.*s } }", kind, buf_text(&what),
			(int)length, value);
		model_report(m, M_DEFINE_HIDES, x->node->a->span, 2, buf_text(&what), buf_text(&line));
		buf_free(&what);
		buf_free(&line);
		return;
	}
}

void check_lost(struct model *m)
{
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		if (!m->module.v[x->module].own || !x->in_force)
			continue;
		const bool begins = x->event >= 0 && m->event.v[x->event].name == m->w.set_up;
		if (x->node->b && x->node->b->kind == N_KIND_S_BLOCK && !begins)
			look_block(m, x->node->b->a, x->node->b->a);
		look_hidden(m, x);
	}
}
