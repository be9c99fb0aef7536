/* lsp_fix.c - code actions: "Did you mean" and "Write:" made into edits.
 *
 * A hint does not say what its text takes the place of: the words that are underlined, the whole
 * statement, or a part of it. Each is tried, and offered only when the mistake is gone afterwards
 * and nothing in the lines that changed is wrong. */
#include <stdlib.h>
#include <string.h>

#include "lang/app/lsp.h"

enum { TRIES_MAX = 40 };

struct fix {
	struct lsp_doc *doc;
	const struct lsp_problem *problem;
	int *tries;
	json_t *list;
};

struct edit {
	uint32_t start, end;
	const char *text;
	size_t length;
};

/* The first and last byte of the lines of a part of a text. */
static void lines_around(const char *text, size_t length, size_t *start, size_t *end)
{
	while (*start && text[*start - 1] != '\n')
		(*start)--;
	while (*end < length && text[*end] != '\n')
		(*end)++;
}

/* Whether the mistake is gone when this is done, and no other comes to these lines. */
static bool mends(const struct fix *x, const struct edit *e)
{
	struct lsp_text t = {0};
	struct lsp_problems after = {0};
	bool good = true;
	if (++*x->tries > TRIES_MAX)
		return false;
	lsp_text_set(&t, x->doc->text.data, x->doc->text.length);
	lsp_text_replace(&t, e->start, e->end, e->text, e->length);
	size_t start = e->start, end = e->start + e->length;
	lines_around(t.data, t.length, &start, &end);
	doc_try(x->doc, t.data, t.length, &after);
	int same = 0, before = 0;
	for (int i = 0; i < x->doc->problems.n; i++) {
		const struct lsp_problem *p = &x->doc->problems.at[i];
		before += !strcmp(p->code, x->problem->code) &&
			!strcmp(p->message, x->problem->message);
	}
	for (int i = 0; i < after.n && good; i++) {
		const struct lsp_problem *p = &after.at[i];
		const bool here = !strcmp(p->file, x->doc->name) && p->start <= end &&
			p->end >= start;
		same += !strcmp(p->code, x->problem->code) &&
			!strcmp(p->message, x->problem->message);
		good = !(here && p->severity != FRAY_NOTE && p->severity != FRAY_WARNING) &&
			*p->file;
	}
	problems_free(&after);
	lsp_text_free(&t);
	return good && same < before;
}

static void offer(const struct fix *x, const struct edit *e, const char *verb)
{
	struct text title = {0};
	text_add(&title, verb, strlen(verb));
	text_add(&title, e->text,
		e->length && e->text[e->length - 1] == '\n' ? e->length - 1 : e->length);
	text_add(&title, "", 1);
	json_t *range = lsp_range(&x->doc->text, e->start, e->end);
	json_t *changes = json_object();
	json_object_set_new(changes, x->doc->uri,
		json_pack("[{s:o, s:s%}]", "range", range, "newText", e->text, e->length));
	json_t *of = json_pack("{s:o, s:s, s:s, s:s}", "range",
		lsp_range(&x->doc->text, x->problem->start, x->problem->end), "code",
		x->problem->code, "source", "fray", "message", x->problem->message);
	json_array_append_new(x->list,
		json_pack("{s:s, s:s, s:[o], s:b, s:{s:o}}", "title", title.data, "kind",
			"quickfix", "diagnostics", of, "isPreferred", 1, "edit", "changes",
			changes));
	text_free(&title);
}

static bool ends_statement(char c)
{
	return c == '\n' || c == ';' || c == '{' || c == '}' || c == '\r';
}

/* The statement around a place, without blanks and comments around it. */
static void statement(const struct lsp_text *t, uint32_t at, uint32_t *start, uint32_t *end)
{
	*start = *end = at;
	while (*start && !ends_statement(t->data[*start - 1]))
		(*start)--;
	while (*start < t->length && (t->data[*start] == ' ' || t->data[*start] == '\t'))
		(*start)++;
	while (*end < t->length && !ends_statement(t->data[*end]) &&
		strncmp(t->data + *end, "--", 2) != 0)
		(*end)++;
	while (*end > *start && (t->data[*end - 1] == ' ' || t->data[*end - 1] == '\t'))
		(*end)--;
}

/* A line that is written before everything else, behind the other `use` lines. */
static bool insert_use(const struct fix *x, const char *text, size_t length)
{
	const struct lsp_text *t = &x->doc->text;
	uint32_t at = 0;
	struct text line = {0};
	for (int i = 0; i < t->lines; i++)
		if (!strncmp(t->data + t->line[i], "use ", 4) && i + 1 < t->lines)
			at = t->line[i + 1];
	text_add(&line, text, length);
	text_add(&line, "\n", 1);
	const struct edit e = {at, at, line.data, line.length};
	const bool good = mends(x, &e);
	if (good)
		offer(x, &e, "Write: ");
	text_free(&line);
	return good;
}

/* By how much the text differs in length from what it replaces. */
static size_t excess(const struct edit *e)
{
	const size_t before = e->end > e->start ? e->end - e->start : 0;
	return before > e->length ? before - e->length : e->length - before;
}

static bool write_instead(const struct fix *x, const char *text, size_t length)
{
	const struct lsp_text *t = &x->doc->text;
	const struct lsp_problem *p = x->problem;
	uint32_t start, end, last, behind;
	while (length &&
		(text[length - 1] == ' ' || text[length - 1] == ';' || text[length - 1] == ','))
		length--;
	if (!length || (length > 1 && !strncmp(text + length - 2, "..", 2)))
		return false;
	if (!strncmp(text, "use ", 4) && insert_use(x, text, length))
		return true;
	statement(t, p->start, &start, &behind);
	statement(t, p->end, &last, &end);
	uint32_t line = p->end;
	while (line < t->length && t->data[line] != '\n')
		line++;
	struct edit tries[] = {{p->start, p->end, text, length}, {start, end, text, length},
		{p->start, end, text, length}, {start, p->end, text, length},
		{p->start, line, text, length}};
	enum { TRIES = sizeof tries / sizeof tries[0] };
	/* what is about as long is most likely what is meant */
	for (int i = 1; i < TRIES; i++)
		for (int k = i; k > 0 && excess(&tries[k]) < excess(&tries[k - 1]); k--) {
			const struct edit other = tries[k];
			tries[k] = tries[k - 1];
			tries[k - 1] = other;
		}
	for (int i = 0; i < TRIES; i++) {
		const bool again = i && tries[i - 1].start == tries[i].start &&
			tries[i - 1].end == tries[i].end;
		if (again || tries[i].start > tries[i].end || !mends(x, &tries[i]))
			continue;
		offer(x, &tries[i], "Write: ");
		return true;
	}
	return false;
}

/* "Write: A; or, with a time: B" is two texts. */
static void all_written(const struct fix *x)
{
	static const char write[] = "Write: ", or [] = "; or";
	const char *p = strstr(x->problem->hint, write);
	if (!p)
		return;
	p += sizeof write - 1;
	for (const char *next; *p; p = next) {
		const char *split = strstr(p, or);
		const char *end = split ? split : p + strlen(p);
		write_instead(x, p, (size_t)(end - p));
		const char *colon = split ? strstr(split, ": ") : NULL;
		next = colon ? colon + 2 : p + strlen(p);
	}
}

static void did_you_mean(const struct fix *x)
{
	static const char meant[] = "Did you mean \"";
	const char *p = strstr(x->problem->hint, meant),
		   *end = p ? strchr(p + sizeof meant - 1, '"') : NULL;
	if (!end)
		return;
	p += sizeof meant - 1;
	const struct edit e = {x->problem->start, x->problem->end, p, (size_t)(end - p)};
	if (mends(x, &e))
		offer(x, &e, "Change to: ");
}

/* Whether the client wants actions of this sort. */
static bool wants_fixes(const json_t *only)
{
	size_t i;
	json_t *kind;
	if (!json_is_array(only))
		return true;
	json_array_foreach(only, i, kind)
	{
		const char *text = json_string_value(kind);
		if (text && (!*text || !strcmp(text, "quickfix")))
			return true;
	}
	return false;
}

void lsp_code_action(const json_t *id, const json_t *params)
{
	struct lsp_doc *d = doc_asked(id, params);
	uint32_t start, end;
	int tries = 0;
	if (!d)
		return;
	if (!lsp_read_range(&d->text, json_object_get(params, "range"), &start, &end)) {
		wire_refuse(id, WIRE_PARAMS, "the range is not one");
		return;
	}
	json_t *list = json_array();
	doc_fray(d);
	if (wants_fixes(json_object_get(json_object_get(params, "context"), "only")))
		for (int i = 0; i < d->problems.n; i++) {
			const struct lsp_problem *p = &d->problems.at[i];
			const struct fix x = {d, p, &tries, list};
			if (strcmp(p->file, d->name) || p->start > end || p->end < start)
				continue;
			did_you_mean(&x);
			all_written(&x);
		}
	wire_answer(id, list);
}
