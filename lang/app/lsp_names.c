/* lsp_names.c - definition, references, highlights and rename.
 *
 * What a name means is known to the interpreter of one document. Names of two documents mean the
 * same when they are alike and declared at the same place of the same file. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lang/app/files.h"
#include "lang/app/lsp.h"

enum { FILES_MAX = 500 };

/* A name that is looked for, and where it is declared. */
struct target {
	enum fray_name_sort sort;
	char *name, *owner;
	uint64_t what;
	uint32_t start, end; /* where it was asked for */
	char *home;          /* the URI of its first declaration; NULL: there is none */
	uint32_t at;         /* and its place */
	bool found;
};

struct place {
	char *uri, *file;
	uint32_t start, end;
	bool declares;
	struct lsp_text *text;
};
struct places {
	struct place *v;
	int n, room;
};

static void places_free(struct places *p)
{
	for (int i = 0; i < p->n; i++) {
		if (p->v[i].text)
			lsp_text_free(p->v[i].text);
		free(p->v[i].text);
		free(p->v[i].uri);
		free(p->v[i].file);
	}
	free(p->v);
}

static void target_free(struct target *t)
{
	free(t->name);
	free(t->owner);
	free(t->home);
}

/* ---- one interpreter ---- */

struct asking {
	struct lsp_doc *doc;
	struct target *target;
	uint32_t at;
};

static void look(void *context, const struct fray_name *n)
{
	struct asking *a = context;
	struct target *t = a->target;
	if (n->at.start > a->at || n->at.end < a->at ||
		(t->found && t->end - t->start <= n->at.end - n->at.start))
		return;
	target_free(t);
	*t = (struct target){.sort = n->sort,
		.what = n->what,
		.start = n->at.start,
		.end = n->at.end,
		.found = true};
	t->name = text_copy(n->name, strlen(n->name));
	t->owner = text_copy(n->owner, strlen(n->owner));
}

static void find_home(void *context, const struct fray_name *n)
{
	struct asking *a = context;
	if (!n->declares || n->what != a->target->what || a->target->home)
		return;
	a->target->home = doc_uri_of(a->doc, n->at.file);
	a->target->at = n->at.start;
}

/* The name at a place; false: none is there. */
static bool target_at(struct lsp_doc *d, uint32_t at, struct target *t)
{
	struct asking a = {d, t, at};
	fray_names(doc_fray(d), d->name, look, &a);
	if (t->found)
		fray_names(d->fray, NULL, find_home, &a);
	return t->found;
}

struct alike {
	const struct target *of;
	uint64_t what;
	bool found;
};

static void look_alike(void *context, const struct fray_name *n)
{
	struct alike *a = context;
	if (!a->found && n->sort == a->of->sort && !strcasecmp(n->name, a->of->name) &&
		!strcmp(n->owner, a->of->owner)) {
		a->what = n->what;
		a->found = true;
	}
}

/* The same thing in another document's interpreter. */
static bool same_in(struct lsp_doc *d, const struct target *of, struct target *there)
{
	struct alike a = {.of = of};
	struct asking home = {d, there, 0};
	fray_names(doc_fray(d), NULL, look_alike, &a);
	if (!a.found)
		return false;
	there->what = a.what;
	fray_names(d->fray, NULL, find_home, &home);
	return there->home && of->home && !strcmp(there->home, of->home) && there->at == of->at;
}

struct gathering {
	struct lsp_doc *doc;
	uint64_t what;
	struct places *places;
	int before;
	bool library;
	const char *only;
};

static void gather(void *context, const struct fray_name *n)
{
	struct gathering *g = context;
	struct places *p = g->places;
	if (n->what != g->what || (!g->library && !strncmp(n->at.file, "library/", 8)) ||
		(g->only && strcmp(n->at.file, g->only)))
		return;
	char *uri = doc_uri_of(g->doc, n->at.file);
	bool known = !uri;
	/* a file that another document has shown already */
	for (int i = 0; i < g->before && !known; i++)
		known = !strcmp(p->v[i].uri, uri);
	for (int i = g->before; i < p->n && !known; i++)
		known = !strcmp(p->v[i].uri, uri) && p->v[i].start == n->at.start &&
			p->v[i].end == n->at.end;
	if (known) {
		free(uri);
		return;
	}
	if (p->n == p->room) {
		p->room = 2 * p->room + 16;
		p->v = realloc(p->v, (size_t)p->room * sizeof *p->v);
		if (!p->v)
			abort();
	}
	p->v[p->n++] = (struct place){uri, text_copy(n->at.file, strlen(n->at.file)), n->at.start,
		n->at.end, n->declares, NULL};
}

/* Texts of the files, for their lines; each file's with its first place. */
static void read_texts(struct lsp_doc *d, struct places *p, int from)
{
	for (int i = from; i < p->n; i++) {
		size_t length;
		bool again = false;
		for (int k = from; k < i && !again; k++)
			again = !strcmp(p->v[k].uri, p->v[i].uri);
		const char *text = again ? NULL : fray_text(doc_fray(d), p->v[i].file, &length);
		if (!text)
			continue;
		p->v[i].text = calloc(1, sizeof *p->v[i].text);
		if (!p->v[i].text)
			abort();
		lsp_text_set(p->v[i].text, text, length);
	}
}

static const struct lsp_text *text_of(const struct places *p, int i)
{
	for (int k = 0; k < p->n; k++)
		if (p->v[k].text && !strcmp(p->v[k].uri, p->v[i].uri))
			return p->v[k].text;
	return NULL;
}

static void gather_from(
	struct lsp_doc *d, uint64_t what, bool library, const char *only, struct places *p)
{
	struct gathering g = {d, what, p, p->n, library, only};
	const int from = p->n;
	fray_names(doc_fray(d), NULL, gather, &g);
	read_texts(d, p, from);
}

/* ---- all documents ---- */

static bool is_of_one_text(enum fray_name_sort sort)
{
	return sort == FRAY_NAME_LOCAL || sort == FRAY_NAME_SIDE || sort == FRAY_NAME_LABEL ||
		sort == FRAY_NAME_WORD;
}

static void gather_other(struct lsp_doc *d, const struct target *t, struct places *p)
{
	struct target there = {0};
	if (same_in(d, t, &there))
		gather_from(d, there.what, false, NULL, p);
	target_free(&there);
}

static bool has_word(const char *text, const char *name)
{
	const size_t n = strcspn(name, " ");
	for (; *text; text++)
		if (!strncasecmp(text, name, n))
			return true;
	return false;
}

/* Files of the workspace that nobody opened and that have the name's first word. */
static void gather_files(const struct target *t, struct places *p)
{
	struct file_list files = {0};
	for (int i = 0; i < lsp.roots; i++)
		if (file_exists(lsp.root[i]))
			file_list_add(&files, lsp.root[i]);
	for (int i = 0; i < files.n && i < FILES_MAX; i++) {
		char *uri = uri_of_path(files.path[i]);
		struct lsp_doc *d = doc_find(uri) ? NULL : doc_of_file(files.path[i]);
		if (d && has_word(d->text.data, t->name))
			gather_other(d, t, p);
		doc_free(d);
		free(uri);
	}
	file_list_free(&files);
}

static void gather_all(struct lsp_doc *d, const struct target *t, bool library, struct places *p)
{
	gather_from(d, t->what, library,
		t->sort == FRAY_NAME_LOCAL || t->sort == FRAY_NAME_SIDE ? d->name : NULL, p);
	if (is_of_one_text(t->sort))
		return;
	for (struct lsp_doc *x = lsp.docs; x; x = x->next)
		if (x != d && !x->library)
			gather_other(x, t, p);
	gather_files(t, p);
}

static json_t *locations(const struct places *p, bool declarations, bool uses)
{
	json_t *list = json_array();
	for (int i = 0; i < p->n; i++) {
		const struct lsp_text *text = text_of(p, i);
		if (text && (p->v[i].declares ? declarations : uses))
			json_array_append_new(list,
				json_pack("{s:s, s:o}", "uri", p->v[i].uri, "range",
					lsp_range(text, p->v[i].start, p->v[i].end)));
	}
	return list;
}

/* Where the name is declared; `everywhere`: and used, in all scripts that are open. */
static void answer_places(
	const json_t *id, const json_t *params, bool declarations, bool everywhere)
{
	struct target t = {0};
	struct places p = {0};
	uint32_t at;
	struct lsp_doc *d = doc_asked_at(id, params, &at);
	if (!d)
		return;
	const bool named = target_at(d, at, &t);
	if (named && everywhere)
		gather_all(d, &t, true, &p);
	else if (named)
		gather_from(d, t.what, true, NULL, &p);
	wire_answer(id, locations(&p, declarations, everywhere));
	places_free(&p);
	target_free(&t);
}

void lsp_definition(const json_t *id, const json_t *params)
{
	answer_places(id, params, true, false);
}

void lsp_references(const json_t *id, const json_t *params)
{
	const json_t *context = json_object_get(params, "context");
	answer_places(id, params, json_is_true(json_object_get(context, "includeDeclaration")), true);
}

void lsp_highlight(const json_t *id, const json_t *params)
{
	struct target t = {0};
	struct places p = {0};
	json_t *list = json_array();
	uint32_t at;
	struct lsp_doc *d = doc_asked_at(id, params, &at);
	if (d && target_at(d, at, &t))
		gather_from(d, t.what, false, d->name, &p);
	for (int i = 0; i < p.n; i++)
		json_array_append_new(list,
			json_pack("{s:o, s:i}", "range",
				lsp_range(&d->text, p.v[i].start, p.v[i].end), "kind",
				p.v[i].declares ? 3 : 2));
	if (d)
		wire_answer(id, list);
	places_free(&p);
	target_free(&t);
}

/* ---- rename ---- */

/* Why it cannot have another name; NULL: it can. */
static const char *fixed(const struct target *t)
{
	if (t->sort == FRAY_NAME_MODULE)
		return "a module is called as its file is";
	if (!t->home)
		return "this name is declared nowhere";
	char *path = path_of_uri(t->home);
	struct lsp_doc *d = doc_find(t->home);
	const bool library = strstr(path, "/library/") &&
		(d ? d->library : strstr(path, "/fray-" FRAY_VERSION "/library/") != NULL);
	free(path);
	return library ? "this name is the library's" : NULL;
}

void lsp_prepare_rename(const json_t *id, const json_t *params)
{
	struct target t = {0};
	uint32_t at;
	struct lsp_doc *d = doc_asked_at(id, params, &at);
	if (!d)
		return;
	if (!target_at(d, at, &t))
		wire_answer(id, NULL);
	else if (fixed(&t))
		wire_refuse(id, WIRE_FAILED, fixed(&t));
	else
		wire_answer(id,
			json_pack("{s:o, s:s}", "range", lsp_range(&d->text, t.start, t.end),
				"placeholder", t.name));
	target_free(&t);
}

/* The new name in the form that stands there: orcs, orc #2, attacks. Malloc'ed; NULL: it is called
 * otherwise here. */
static char *renamed(
	struct fray *f, const char *old, const char *name, const char *said, size_t length)
{
	const char *mark = memchr(said, '#', length);
	size_t n = mark && mark > said && mark[-1] == ' ' ? (size_t)(mark - said) - 1 : length;
	struct text out = {0};
	for (int form = 0; form < 3; form++) {
		char *was = text_copy(form ? fray_form_of(f, old, form == 2) : old,
			form ? strlen(fray_form_of(f, old, form == 2)) : strlen(old));
		const bool is = strlen(was) == n && !strncasecmp(was, said, n);
		free(was);
		if (!is)
			continue;
		const char *now = form ? fray_form_of(f, name, form == 2) : name;
		text_add(&out, now, strlen(now));
		text_add(&out, said + n, length - n);
		text_add(&out, "", 1);
		return out.data;
	}
	return NULL;
}

static bool is_name(const char *text)
{
	return text && *text && strlen(text) < 200 && !strpbrk(text, "\n\r\"{};:,");
}

/* The document as it would be; false: then something is wrong that was not before. */
static bool stays_good(struct lsp_doc *d, const json_t *edits)
{
	struct lsp_text t = {0};
	struct lsp_problems after = {0};
	int errors = 0;
	lsp_text_set(&t, d->text.data, d->text.length);
	for (size_t i = json_array_size(edits); i-- > 0;) {
		uint32_t start, end;
		const json_t *e = json_array_get(edits, i), *with = json_object_get(e, "newText");
		lsp_read_range(&d->text, json_object_get(e, "range"), &start, &end);
		lsp_text_replace(&t, start, end, json_string_value(with), json_string_length(with));
	}
	doc_try(d, t.data, t.length, &after);
	for (int i = 0; i < after.n; i++)
		errors += after.at[i].severity == FRAY_ERROR;
	for (int i = 0; i < d->problems.n; i++)
		errors -= d->problems.at[i].severity == FRAY_ERROR;
	problems_free(&after);
	lsp_text_free(&t);
	return errors <= 0;
}

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	const int files = strcmp(x->uri, y->uri);
	return files ? files : x->start < y->start ? -1 : x->start > y->start;
}

void lsp_rename(const json_t *id, const json_t *params)
{
	struct target t = {0};
	struct places p = {0};
	uint32_t at;
	const char *name = json_string_value(json_object_get(params, "newName"));
	struct lsp_doc *d = doc_asked_at(id, params, &at);
	if (!d)
		return;
	const bool found = target_at(d, at, &t);
	if (!found || fixed(&t) || !is_name(name)) {
		wire_refuse(id, WIRE_FAILED,
			!found              ? "there is no name here"
				: fixed(&t) ? fixed(&t)
					    : "this is no name");
		target_free(&t);
		return;
	}
	json_t *changes = json_object();
	gather_all(d, &t, false, &p);
	qsort(p.v, (size_t)p.n, sizeof *p.v, by_place);
	for (int i = 0; i < p.n; i++) {
		const struct lsp_text *text = text_of(&p, i);
		char *now = text ? renamed(doc_fray(d), t.name, name, text->data + p.v[i].start,
					   p.v[i].end - p.v[i].start)
				 : NULL;
		if (!now)
			continue;
		json_t *list = json_object_get(changes, p.v[i].uri);
		if (!list)
			json_object_set_new(changes, p.v[i].uri, list = json_array());
		json_array_append_new(list,
			json_pack("{s:o, s:s}", "range", lsp_range(text, p.v[i].start, p.v[i].end),
				"newText", now));
		free(now);
	}
	const json_t *here = json_object_get(changes, d->uri);
	/* what a used file declares is tried with that file, which is not changed yet */
	const bool only_here = json_object_size(changes) == 1 && here;
	if (only_here && !stays_good(d, here)) {
		json_decref(changes);
		wire_refuse(
			id, WIRE_FAILED, "with this name something would be wrong that is not now");
	} else {
		wire_answer(id, json_pack("{s:o}", "changes", changes));
	}
	places_free(&p);
	target_free(&t);
}
