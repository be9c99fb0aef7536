/* about.c - what an editor tells of the name under the pointer: a stat block, what a field means,
 * the words of a rule and where they come from, what a line makes happen. */
#include "lang/api/names.h"
#include "lang/api/show.h"

#include <string.h>

enum { SHOWN_LINES = 24 };

/* ---- what fray_show tells, kept instead of written ---- */

struct kept {
	struct buf *out;
};

static void keep(void *context, enum fray_style style, const char *text, size_t length)
{
	(void)style;
	const struct kept *k = context;
	buf_add(k->out, text, length);
}

static void keep_quiet(void *context, const struct fray_diagnostic *d)
{
	(void)context;
	(void)d;
}

static bool shown(struct fray *f, const char *topic, const char *what, struct buf *out)
{
	const struct fray_config before = f->config;
	struct kept k = {out};
	f->config.write = keep;
	f->config.report = keep_quiet;
	f->config.context = &k;
	f->config.module = NULL;
	f->config.interrupted = NULL;
	const enum fray_status s = fray_show(f, topic, what, false);
	f->config = before;
	return s == FRAY_OK;
}

/* No more lines than a reader takes in at a glance. */
static void add_lines(struct buf *out, const char *text, size_t length)
{
	int lines = 0;
	size_t n = 0;
	while (n < length && lines < SHOWN_LINES)
		lines += text[n++] == '\n';
	while (n && (text[n - 1] == '\n' || text[n - 1] == ' '))
		n--;
	buf_add(out, text, n);
	buf_putc(out, '\n');
	if (lines == SHOWN_LINES)
		buf_puts(out, "..\n");
}

static void add_shown(struct fray *f, const char *topic, const char *what, struct buf *out)
{
	struct buf all = {0};
	static const char none[] = "No rule speaks of ";
	if (shown(f, topic, what, &all) && all.length &&
		strncmp(all.data, none, sizeof none - 1) != 0)
		add_lines(out, all.data, all.length);
	buf_free(&all);
}

/* ---- one sort of name after the other ---- */

static const struct node *declared(const struct model *m, const struct meaning *x)
{
	int i;
	switch (x->sort) {
	case FRAY_NAME_RULE:
		i = model_rule(m, x->name, 0);
		return i < 0 ? NULL : m->rule.v[i].node;
	case FRAY_NAME_EVENT:
		i = model_event(m, x->name);
		return i < 0 ? NULL : m->event.v[i].node;
	case FRAY_NAME_KIND:
		i = model_kind(m, x->name);
		return i < 0 ? NULL : m->kind.v[i].node;
	case FRAY_NAME_TABLE:
		i = model_table(m, x->name, -1);
		return i < 0 ? NULL : m->table.v[i].node;
	case FRAY_NAME_UNIT:
		i = model_unit(m, x->name);
		return i < 0 ? NULL : m->unit.v[i].node;
	case FRAY_NAME_POLICY:
		for (i = 0; i < m->policy.n; i++)
			if (m->policy.v[i].name == x->name)
				return m->policy.v[i].node;
		return NULL;
	default:
		return NULL;
	}
}

static void add_source(struct fray *f, const struct node *n, struct buf *out)
{
	size_t length;
	if (!n || !n->span.file)
		return;
	const char *text = sources_text(&f->sources, n->span, &length);
	add_lines(out, text, length);
}

/* The module a text of the library belongs to, or "". */
static void add_module(const struct fray *f, const struct node *n, struct buf *out)
{
	for (int i = 0; n && i < f->unit.n; i++)
		if (f->unit.v[i].file == n->span.file && f->unit.v[i].module)
			buf_printf(out, ", of %s", intern_text(f->names, f->unit.v[i].module));
}

static void about_field(struct fray *f, const struct meaning *x, struct buf *head, struct buf *body)
{
	const struct model *m = &f->model;
	const char *name = model_text(m, x->name);
	struct buf asked = {0};
	const int field = x->scope >= 0 ? model_field(m, x->scope, x->name) : -1;
	buf_puts(head, name);
	if (field >= 0) {
		const struct mfield *d = &m->field.v[field];
		buf_puts(head, ": ");
		type_print(m, d->type, head);
		buf_printf(head, ", of %s", model_text(m, m->kind.v[d->kind].name));
		if (d->meaning)
			buf_printf(body, "%s\n", d->meaning);
		if (d->kept)
			buf_puts(body, "Kept by rules; nothing states it.\n");
		if (d->words.n && d->closed) {
			buf_puts(body, "One of: ");
			for (int i = 0; i < d->words.n; i++)
				buf_printf(
					body, "%s%s", i ? ", " : "", model_text(m, d->words.v[i]));
			buf_putc(body, '\n');
		}
		if (d->initial) {
			size_t n;
			const char *text = sources_text(&f->sources, d->initial->span, &n);
			buf_printf(body, "By default: %.*s\n", (int)n, text);
		}
	} else if (x->scope == SCOPE_OF_PAIR) {
		buf_puts(head, ", between two");
	}
	if (x->scope >= 0)
		buf_printf(&asked, "%s's %s", model_text(m, m->kind.v[x->scope].name), name);
	else
		buf_puts(&asked, name);
	add_shown(f, "rules", buf_text(&asked), body);
	buf_free(&asked);
}

static void about_question(
	struct fray *f, const struct meaning *x, struct buf *head, struct buf *body)
{
	const struct model *m = &f->model;
	struct buf asked = {0};
	if (x->scope >= 0)
		buf_printf(&asked, "%s's ", model_text(m, m->kind.v[x->scope].name));
	buf_puts(&asked, model_text(m, x->name));
	buf_printf(head, "%s, worked out by rules", buf_text(&asked));
	add_shown(f, "rules", buf_text(&asked), body);
	if (!body->length)
		add_shown(f, "rules", model_text(m, x->name), body);
	buf_free(&asked);
}

static void about_thing(struct fray *f, const struct meaning *x, struct buf *head, struct buf *body)
{
	const struct model *m = &f->model;
	const int thing = model_thing(m, x->name, -1);
	if (thing < 0)
		return;
	const struct mthing *t = &m->thing.v[thing];
	buf_printf(head, "%s %s", model_text(m, m->kind.v[t->kind].name), model_text(m, t->name));
	add_module(f, t->node, head);
	add_shown(f, model_text(m, m->kind.v[t->kind].name), model_text(m, t->name), body);
	if (!body->length)
		add_source(f, t->node, body);
}

static void about_rule(struct fray *f, const struct meaning *x, struct buf *head, struct buf *body)
{
	const struct model *m = &f->model;
	const int rule = model_rule(m, x->name, 0);
	if (rule < 0)
		return;
	const struct mrule *r = &m->rule.v[rule];
	buf_printf(head, "rule %s", model_text(m, r->name));
	add_module(f, r->node, head);
	if (!rule_in_force(m, rule))
		buf_puts(head, ", not in force");
	if (r->cite)
		buf_printf(body, "%s\n\n", r->cite);
	add_source(f, r->node, body);
}

/* What a line with this verb makes happen. */
static void about_event(struct fray *f, const struct meaning *x, struct buf *head, struct buf *body)
{
	const struct model *m = &f->model;
	const int event = model_event(m, x->name);
	if (event < 0)
		return;
	const struct mevent *e = &m->event.v[event];
	buf_printf(head, "%s %s", e->action ? "action" : "event", model_text(m, e->name));
	add_module(f, e->node, head);
	add_source(f, e->node, body);
	buf_putc(body, '\n');
	add_shown(f, "rules", model_text(m, e->name), body);
}

static void about_other(struct fray *f, const struct meaning *x, struct buf *head, struct buf *body)
{
	static const char *const called[] = {[FRAY_NAME_KIND] = "kind",
		[FRAY_NAME_TABLE] = "table",
		[FRAY_NAME_POLICY] = "policy",
		[FRAY_NAME_ENCOUNTER] = "encounter",
		[FRAY_NAME_SIDE] = "side",
		[FRAY_NAME_UNIT] = "unit",
		[FRAY_NAME_ALIAS] = "alias",
		[FRAY_NAME_PHASE] = "phase",
		[FRAY_NAME_MODULE] = "module",
		[FRAY_NAME_LABEL] = "die or choice",
		[FRAY_NAME_LOCAL] = "name in this rule",
		[FRAY_NAME_WORD] = "word"};
	buf_printf(head, "%s %s", called[x->sort] ? called[x->sort] : "",
		model_text(&f->model, x->name));
	if (x->sort != FRAY_NAME_ENCOUNTER)
		add_source(f, declared(&f->model, x), body);
}

/* ---- which name ---- */

struct looking {
	uint32_t at;
	struct named best;
	bool found;
};

static void look(void *context, const struct named *x)
{
	struct looking *l = context;
	const bool there = x->at.start <= l->at && l->at <= x->at.end;
	if (there && (!l->found || x->at.end - x->at.start < l->best.at.end - l->best.at.start)) {
		l->best = *x;
		l->found = true;
	}
}

bool fray_about(struct fray *f, const char *file, uint32_t at, struct fray_about *about)
{
	struct looking l = {.at = at};
	struct buf body = {0};
	const uint16_t number = file_named(f, file);
	if (number)
		names_each(f, number, look, &l);
	if (!l.found)
		return false;
	const struct meaning *x = &l.best.means;
	struct buf *head = &f->text;
	buf_clear(head);
	switch (x->sort) {
	case FRAY_NAME_THING:
		about_thing(f, x, head, &body);
		break;
	case FRAY_NAME_FIELD:
		about_field(f, x, head, &body);
		break;
	case FRAY_NAME_QUESTION:
		about_question(f, x, head, &body);
		break;
	case FRAY_NAME_RULE:
		about_rule(f, x, head, &body);
		break;
	case FRAY_NAME_EVENT:
		about_event(f, x, head, &body);
		break;
	case FRAY_NAME_OPTION:
		buf_printf(head, "option %s", model_text(&f->model, x->name));
		add_shown(f, "options", model_text(&f->model, x->name), &body);
		break;
	default:
		about_other(f, x, head, &body);
		break;
	}
	about->at = place_of(f, l.best.at);
	const size_t split = head->length;
	buf_putc(head, '\0');
	buf_add(head, body.data ? body.data : "", body.length);
	buf_text(head);
	about->heading = head->data;
	about->text = head->data + split + 1;
	buf_free(&body);
	return true;
}
