/* declared.c - fields that a script declares, and that nobody ever states, sets or reads.
 *
 * Told once a field, at the declaration. A field of the library is for any script to state and
 * read, and what acts carry is set where they are declared or pended. What is stated and never read
 * is told where it is stated (facts.c), what is set and never read where it is set (written.c). */
#include <string.h>

#include "lang/check/effect.h"

bool field_may_be_declared(const struct model *m, int field)
{
	const struct mfield *f = &m->field.v[field];
	return f->own && f->kind != KIND_ACT && !f->noted && !f->hidden && f->question < 0 &&
		f->at.end > f->at.start && !field_is_option(m, field);
}

void pair_shown(const struct model *m, int pair, struct buf *out)
{
	buf_printf(out, "%s (%s, %s)", model_text(m, m->pair.v[pair].name), model_text(m, m->w.one),
		model_text(m, m->w.other));
}

bool pair_may_be_declared(const struct model *m, int pair)
{
	const struct mpair *p = &m->pair.v[pair];
	return p->own && !p->noted && p->question < 0;
}

/* The declaration that a field's name stands in; NULL: not one of the script's. */
static const struct node *declaration(const struct model *m, struct span at)
{
	for (int k = 0; k < m->module.n; k++)
		for (int t = 0; m->module.v[k].own && t < m->module.v[k].tree.n; t++)
			for (const struct node *n = m->module.v[k].tree.v[t]; n; n = n->next)
				if (n->kind == N_KIND_EVERY && n->span.file == at.file &&
					n->span.start <= at.start && n->span.end >= at.end)
					return n;
	return NULL;
}

/* "mood: number", as it was written: from the name to the end of its part of the declaration. */
static void put_declared(const struct model *m, struct span at, struct buf *out)
{
	size_t length;
	const struct span rest = {at.file, at.start, UINT32_MAX};
	const char *text = sources_text(m->front->sources, rest, &length);
	const char *end = memchr(text, '\n', length);
	const size_t line = end ? (size_t)(end - text) : length;
	bool quoted = false;
	for (length = 0; length < line; length++) {
		quoted ^= text[length] == '"';
		if (!quoted && (strchr(";}", text[length]) || !strncmp(text + length, "--", 2)))
			break;
	}
	while (length && strchr(" \t\r", text[length - 1]))
		length--;
	buf_add(out, text, length);
}

static void report(struct model *m, struct span at, struct buf *whose)
{
	const struct node *every = declaration(m, at);
	struct buf line = {0};
	if (!every)
		return;
	const struct mkind *kind = &m->kind.v[model_kind(m, every->name)];
	if (every->op == EVERY_PAIR)
		buf_printf(&line, "pair of %s", model_text(m, kind->plural));
	else
		buf_puts(&line, model_text(m, every->name));
	if (every->op == EVERY_DIRECTED)
		buf_printf(&line, " to %s", model_text(m, every->name2));
	buf_puts(&line, " notes { ");
	put_declared(m, at, &line);
	model_report(m, M_DECLARED_UNREAD, at, 2, buf_text(whose), buf_text(&line));
	buf_free(&line);
}

void declared_report(const struct facts *x, const uint8_t *field, const uint8_t *pair)
{
	const struct model *m = x->m;
	for (int i = 0; i < m->field.n; i++) {
		const struct mfield *f = &m->field.v[i];
		struct buf whose = {0};
		if (!field[i] || x->field[i])
			continue;
		buf_printf(&whose, "%s's %s", model_text(m, m->kind.v[f->kind].name),
			model_text(m, f->name));
		report(x->m, f->at, &whose);
		buf_free(&whose);
	}
	for (int i = 0; i < m->pair.n; i++) {
		struct buf whose = {0};
		if (!pair[i] || x->pair[i])
			continue;
		pair_shown(m, i, &whose);
		report(x->m, m->pair.v[i].at, &whose);
		buf_free(&whose);
	}
}
