/* complete.c - what may stand at a place of a text, for editors.
 *
 * The parser is asked, as at the prompt, with the heads of the blocks that are open there and the
 * statement itself: what stands in other statements, and what is wrong with it, is no matter.
 * Fields of a stat block and their values are offered by their kind. */
#include "lang/api/names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef void offer_fn(void *context, const char *word, const char *what);

/* Where blocks are open and the statement at a place begins. */
struct standing {
	VEC(uint32_t) head;  /* of each open block, where its statement begins */
	VEC(uint32_t) brace; /* and its { */
	uint32_t start;
	bool comment;
};

static void stand(const char *text, uint32_t at, struct standing *s)
{
	bool fresh = true;
	for (uint32_t i = 0; i < at; i++) {
		const char c = text[i];
		if (c == '-' && text[i + 1] == '-') {
			while (i < at && text[i] != '\n')
				i++;
			s->comment = i == at;
			if (i == at)
				break;
		}
		if (c == '"' && !(i && text[i - 1] >= '0' && text[i - 1] <= '9')) {
			const char *end = strpbrk(text + i + 1, "\"\n");
			i = end && (uint32_t)(end - text) < at ? (uint32_t)(end - text) : at;
			fresh = false;
			continue;
		}
		if (c == '\n' || c == ';' || c == '{' || c == '}' || text[i] == '\n') {
			if (c == '{') {
				VEC_PUSH(s->head, fresh ? i : s->start);
				VEC_PUSH(s->brace, i);
			}
			if (c == '}' && s->head.n) {
				s->head.n--;
				s->brace.n--;
			}
			fresh = true;
			s->start = i + 1;
		} else if (fresh && c != ' ' && c != '\t' && c != '\r') {
			fresh = false;
			s->start = i;
		}
	}
	if (fresh)
		s->start = at;
}

/* ---- names in the encounter around ---- */

struct editing {
	struct fray *f;
	const struct node *encounter; /* around the place, or NULL */
};

typedef void put_fn(void *to, const char *name);

static void put_members(const struct editing *e, const struct node *list, put_fn *put, void *to)
{
	for (; list; list = list->next) {
		const char *name = intern_text(e->f->names, list->name);
		struct buf numbered = {0};
		if (!list->num)
			put(to, name);
		for (int64_t i = 1; i <= list->num && i <= 20; i++) {
			const int thing = model_thing_plural(&e->f->model, list->name, -1);
			const bool plural = model_thing(&e->f->model, list->name, -1) < 0 &&
				thing >= 0;
			buf_clear(&numbered);
			buf_printf(&numbered, "%s #%lld",
				plural ? model_text(&e->f->model, e->f->model.thing.v[thing].name)
				       : name,
				(long long)i);
			put(to, buf_text(&numbered));
		}
		buf_free(&numbered);
	}
}

static void put_who(const struct editing *e, bool sides_alone, put_fn *put, void *to)
{
	for (const struct node *n = e->encounter ? e->encounter->a : NULL; n; n = n->next)
		if (n->kind == N_KIND_SIDE) {
			if (!sides_alone)
				put_members(e, n->a, put, to);
			put(to, intern_text(e->f->names, n->name));
		}
}

static bool is_side(const struct editing *e, sym name)
{
	for (const struct node *n = e->encounter ? e->encounter->a : NULL; n; n = n->next)
		if (n->kind == N_KIND_SIDE && n->name == name)
			return true;
	return false;
}

/* The kind whose fields somebody or something of that name has; -1: not known. */
static int kind_called(const struct editing *e, sym name)
{
	const struct model *m = &e->f->model;
	const char *said = intern_folded(e->f->names, name), *mark = strchr(said, '#');
	if (mark > said + 1)
		name = intern_find(e->f->names, said, (size_t)(mark - said) - 1);
	if (is_side(e, name))
		return KIND_SIDE;
	int thing = model_thing(m, model_alias(m, name), -1);
	if (thing < 0)
		thing = model_thing_plural(m, name, -1);
	return thing >= 0 ? m->thing.v[thing].kind : model_kind(m, name);
}

static bool put_fields(const struct model *m, int kind, put_fn *put, void *to)
{
	for (int i = 0; kind >= 0 && i < m->field.n; i++)
		if (m->field.v[i].kind == kind_root(m, kind) && !m->field.v[i].hidden &&
			!m->field.v[i].kept)
			put(to, model_text(m, m->field.v[i].name));
	for (int i = 0; kind >= 0 && i < m->question.n; i++)
		if (m->question.v[i].subject == kind && !m->question.v[i].adjective &&
			m->question.v[i].params == 1 && m->question.v[i].field < 0)
			put(to, model_text(m, m->question.v[i].name));
	return kind >= 0;
}

static bool names_around(void *context, const struct scope_asked *asked, put_fn *put, void *to)
{
	const struct editing *e = context;
	const struct model *m = &e->f->model;
	switch (asked->of) {
	case SCOPE_WHO:
		put_who(e, false, put, to);
		return e->encounter != NULL;
	case SCOPE_SIDE:
		put_who(e, true, put, to);
		return e->encounter != NULL;
	case SCOPE_ROLL:
		if (!asked->name)
			put_who(e, false, put, to);
		for (int i = 0; asked->name && i < m->label.n; i++)
			put(to, model_text(m, m->label.v[i].name));
		return true;
	case SCOPE_FIELD:
		return put_fields(m, kind_called(e, asked->name), put, to);
	case SCOPE_MOMENT:
		put(to, "round");
		return true;
	case SCOPE_PART: {
		const int event = model_event(m, asked->name);
		for (int i = 1; event >= 0 && i < m->event.v[event].roles; i++) {
			const struct type *t = type_find(m->event.v[event].role[i].type);
			t = t->base == VT_SET ? type_find(t->elem) : t;
			if (m->event.v[event].role[i].preposition == asked->prep &&
				t->base == VT_LIVE && t->kind == KIND_COMBATANT) {
				put_who(e, false, put, to);
				return e->encounter != NULL;
			}
		}
		return names_in_scope(e->f, asked, put, to);
	}
	default:
		return names_in_scope(e->f, asked, put, to);
	}
}

/* ---- stat blocks ---- */

struct stem {
	const char *text;
	size_t length;
	const char *what;
	offer_fn *offer;
	void *context;
};

static void put_begun(void *to, const char *name)
{
	const struct stem *s = to;
	/* what is offered takes the place of the last word alone */
	size_t last = s->length;
	while (last && s->text[last - 1] != ' ')
		last--;
	if (!strncasecmp(name, s->text, s->length))
		s->offer(s->context, name + last, s->what);
}

struct of_kind {
	const struct fray *f;
	const struct stem *stem;
};

/* Somebody of the library who is not read yet. */
static void put_unread(void *to, const struct unread *u)
{
	const struct of_kind *x = to;
	const int kind = model_kind(
		&x->f->model, intern_find(x->f->names, u->kind, strlen(u->kind)));
	if (kind >= 0 && !u->field && kind_is(&x->f->model, kind, KIND_COMBATANT))
		put_begun((void *)(uintptr_t)x->stem, u->name);
}

static void put_values(const struct editing *e, int field, const struct stem *s)
{
	const struct model *m = &e->f->model;
	const struct mfield *f = &m->field.v[field];
	const struct type *t = type_find(f->type);
	t = t->base == VT_LIST ? type_find(t->elem) : t;
	for (int i = 0; i < f->words.n; i++)
		put_begun((void *)(uintptr_t)s, model_text(m, f->words.v[i]));
	for (int i = 0; t->base == VT_BOOL && i < 2; i++)
		put_begun((void *)(uintptr_t)s, i ? "yes" : "no");
	for (int i = 0; (t->base == VT_THING || t->base == VT_LIVE) && i < m->thing.n; i++)
		if (t->kind < 0 || kind_root(m, m->thing.v[i].kind) == kind_root(m, t->kind))
			put_begun((void *)(uintptr_t)s, model_text(m, m->thing.v[i].name));
}

/* Whether the block is a stat block: then what fits is offered. */
static bool stat_block(const struct editing *e, const char *head, const char *line, size_t length,
	const struct stem *out)
{
	const struct model *m = &e->f->model;
	int kind = -1;
	for (size_t n = strcspn(head, " {\n"); head[n] == ' ' && kind < 0;
		n += 1 + strcspn(head + n + 1, " {\n"))
		kind = model_kind(m, intern_find(e->f->names, head, n));
	if (kind < 0 ||
		(m->kind.v[kind].machine && kind != KIND_COMBATANT)) /* encounter x {, round 1 { */
		return false;
	struct stem s = *out;
	const char *colon = memchr(line, ':', length);
	if (!colon) {
		s.text = line;
		s.length = length;
		s.what = "field";
		put_fields(m, kind, put_begun, &s);
		return true;
	}
	size_t named = (size_t)(colon - line);
	while (named && line[named - 1] == ' ')
		named--;
	const int field = model_field(
		m, kind, model_alias(m, intern_find(e->f->names, line, named)));
	s.text = colon + 1;
	for (const char *p = colon + 1; p < line + length; p++)
		if (*p == ',')
			s.text = p + 1;
	while (s.text < line + length && *s.text == ' ')
		s.text++;
	s.length = (size_t)(line + length - s.text);
	s.what = "name";
	if (field >= 0)
		put_values(e, field, &s);
	return field >= 0;
}

/* "side orcs: 3 ": somebody to be in it. */
static bool members(
	const struct editing *e, const char *line, size_t length, const struct stem *out)
{
	const struct model *m = &e->f->model;
	const char *colon = memchr(line, ':', length);
	struct stem s = *out;
	if (!colon || length < 5 || strncmp(line, "side ", 5))
		return false;
	s.text = colon + 1;
	for (const char *p = colon + 1; p < line + length; p++)
		if (*p == ',')
			s.text = p + 1;
	while (s.text < line + length && (*s.text == ' ' || (*s.text >= '0' && *s.text <= '9')))
		s.text++;
	s.length = (size_t)(line + length - s.text);
	s.what = "name";
	for (int i = 0; i < m->thing.n; i++)
		if (kind_is(m, m->thing.v[i].kind, KIND_COMBATANT))
			put_begun(&s, model_text(m, m->thing.v[i].name));
	const struct of_kind unread = {e->f, &s};
	unread_each(e->f, true, put_unread, (void *)(uintptr_t)&unread);
	return true;
}

/* ---- the place ---- */

static void learn(void *to, const struct unread *u)
{
	struct fray *f = to;
	front_learn(&f->front, u->name);
}

static const struct node *encounter_at(const struct fray *f, uint16_t file, uint32_t at)
{
	for (int i = 0; i < f->unit.n; i++)
		for (const struct node *n = f->unit.v[i].file == file ? f->unit.v[i].tree : NULL; n;
			n = n->next)
			if (n->kind == N_KIND_ENCOUNTER && n->span.start <= at && at <= n->span.end)
				return n;
	return NULL;
}

void fray_complete_at(struct fray *f, const char *file, uint32_t at, offer_fn *offer, void *context)
{
	struct standing s = {0};
	const uint16_t number = file_named(f, file);
	if (!number || !f->checked || at > f->sources.file.v[number].length)
		return;
	const char *text = f->sources.file.v[number].text;
	struct editing e = {f, encounter_at(f, number, at)};
	struct stem out = {"", 0, "", offer, context};
	stand(text, at, &s);
	if (!f->names_known && f->put_off.n)
		unread_each(f, true, learn, f);
	f->names_known = f->put_off.n > 0;
	const bool inner = s.head.n > 0;
	if (!s.comment && !(inner && members(&e, text + s.start, at - s.start, &out)) &&
		!(inner &&
			stat_block(&e, text + s.head.v[s.head.n - 1], text + s.start, at - s.start,
				&out))) {
		struct buf prefix = {0};
		for (int i = 0; i < s.head.n; i++) {
			buf_add(&prefix, text + s.head.v[i], s.brace.v[i] + 1 - s.head.v[i]);
			buf_putc(&prefix, '\n');
		}
		buf_add(&prefix, text + s.start, at - s.start);
		struct scope_names scope = {names_around, &e};
		feed_complete(f->feed, buf_text(&prefix), &scope, offer, context);
		buf_free(&prefix);
	}
	VEC_FREE(s.head);
	VEC_FREE(s.brace);
}
