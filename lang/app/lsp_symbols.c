/* lsp_symbols.c - what a document declares; what can be folded; what names are, for colours. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lang/app/files.h"
#include "lang/app/lsp.h"

enum { SYMBOLS_MAX = 1000, FILES_MAX = 500 };

/* Of the protocol's SymbolKind. */
static int symbol_kind(enum fray_name_sort sort)
{
	switch (sort) {
	case FRAY_NAME_THING:
		return 5;
	case FRAY_NAME_KIND:
		return 23;
	case FRAY_NAME_FIELD:
		return 8;
	case FRAY_NAME_EVENT:
	case FRAY_NAME_PHASE:
		return 24;
	case FRAY_NAME_RULE:
	case FRAY_NAME_POLICY:
		return 12;
	case FRAY_NAME_TABLE:
		return 18;
	case FRAY_NAME_OPTION:
		return 10;
	case FRAY_NAME_ENCOUNTER:
	case FRAY_NAME_MODULE:
		return 2;
	case FRAY_NAME_SIDE:
		return 3;
	default:
		return 13;
	}
}

/* ---- of one document ---- */

struct listing {
	struct lsp_doc *doc;
	json_t *list, *last;
};

static void add_symbol(void *context, const struct fray_outline *x)
{
	struct listing *l = context;
	const struct lsp_text *t = &l->doc->text;
	json_t *symbol = json_pack("{s:s, s:s, s:i, s:o, s:o}", "name", x->name, "detail",
		x->detail, "kind", symbol_kind(x->sort), "range",
		lsp_range(t, x->whole.start, x->whole.end), "selectionRange",
		lsp_range(t, x->at.start, x->at.end));
	if (!symbol)
		return;
	if (x->depth == 0) {
		json_array_append_new(l->list, symbol);
		l->last = symbol;
	} else if (l->last) {
		json_t *inner = json_object_get(l->last, "children");
		if (!inner)
			json_object_set_new(l->last, "children", inner = json_array());
		json_array_append_new(inner, symbol);
	} else {
		json_decref(symbol);
	}
}

void lsp_document_symbol(const json_t *id, const json_t *params)
{
	struct lsp_doc *d = doc_asked(id, params);
	if (!d)
		return;
	struct listing l = {d, json_array(), NULL};
	fray_outline(doc_fray(d), d->name, add_symbol, &l);
	wire_answer(id, l.list);
}

/* ---- of the workspace ---- */

struct finding {
	struct lsp_doc *doc;
	const char *query;
	json_t *list;
};

static bool holds(const char *text, const char *part)
{
	const size_t n = strlen(part);
	for (; n && *text; text++)
		if (!strncasecmp(text, part, n))
			return true;
	return n == 0;
}

static void add_found(void *context, const struct fray_outline *x)
{
	const struct finding *f = context;
	if (x->depth || !holds(x->name, f->query) || json_array_size(f->list) >= SYMBOLS_MAX)
		return;
	json_array_append_new(f->list,
		json_pack("{s:s, s:i, s:s, s:{s:s, s:o}}", "name", x->name, "kind",
			symbol_kind(x->sort), "containerName", x->detail, "location", "uri",
			f->doc->uri, "range", lsp_range(&f->doc->text, x->at.start, x->at.end)));
}

void lsp_workspace_symbol(const json_t *id, const json_t *params)
{
	const char *query = json_string_value(json_object_get(params, "query"));
	struct file_list files = {0};
	struct finding f = {NULL, query ? query : "", json_array()};
	for (struct lsp_doc *d = lsp.docs; d; d = d->next) {
		f.doc = d;
		fray_outline(doc_fray(d), d->name, add_found, &f);
	}
	for (int i = 0; i < lsp.roots; i++)
		if (file_exists(lsp.root[i]))
			file_list_add(&files, lsp.root[i]);
	for (int i = 0; i < files.n && i < FILES_MAX; i++) {
		char *uri = uri_of_path(files.path[i]);
		f.doc = doc_find(uri) ? NULL : doc_of_file(files.path[i]);
		if (f.doc && holds(f.doc->text.data, f.query))
			fray_outline(doc_fray(f.doc), f.doc->name, add_found, &f);
		doc_free(f.doc);
		free(uri);
	}
	file_list_free(&files);
	wire_answer(id, f.list);
}

/* ---- folding: braces, and comments or `use` lines one below the other ---- */

static void add_fold(json_t *list, int start, int end, const char *kind)
{
	if (end <= start)
		return;
	json_t *fold = json_pack("{s:i, s:i}", "startLine", start, "endLine", end);
	if (kind)
		json_object_set_new(fold, "kind", json_string(kind));
	json_array_append_new(list, fold);
}

static const char *line_sort(const struct lsp_text *t, int line)
{
	const char *p = t->data + t->line[line];
	p += strspn(p, " \t");
	return !strncmp(p, "--", 2) ? "comment" : !strncmp(p, "use ", 4) ? "imports" : NULL;
}

static void fold_runs(const struct lsp_text *t, json_t *list)
{
	int start = 0;
	for (int i = 0; i < t->lines; i++) {
		const char *sort = line_sort(t, i), *before = i ? line_sort(t, i - 1) : NULL;
		if (sort != before)
			start = i;
		if (sort && (i + 1 == t->lines || line_sort(t, i + 1) != sort))
			add_fold(list, start, i, sort);
	}
}

struct folding {
	json_t *list;
	int *open, depth;
};

static void fold_brace(void *context, char brace, int line)
{
	struct folding *f = context;
	if (brace == '{')
		f->open[f->depth++] = line;
	else if (f->depth)
		add_fold(f->list, f->open[--f->depth], line - 1, NULL);
}

static void fold_braces(const struct lsp_text *t, json_t *list)
{
	struct folding f = {list, malloc((t->length + 1) * sizeof *f.open), 0};
	if (!f.open)
		abort();
	lsp_braces(t, fold_brace, &f);
	free(f.open);
}

void lsp_folding(const json_t *id, const json_t *params)
{
	struct lsp_doc *d = doc_asked(id, params);
	json_t *list = json_array();
	if (!d) {
		json_decref(list);
		return;
	}
	fold_braces(&d->text, list);
	fold_runs(&d->text, list);
	wire_answer(id, list);
}

/* ---- semantic tokens ---- */

json_t *lsp_token_types(void)
{
	static const char *const type[] = {[FRAY_NAME_THING] = "class",
		[FRAY_NAME_KIND] = "type",
		[FRAY_NAME_FIELD] = "property",
		[FRAY_NAME_QUESTION] = "function",
		[FRAY_NAME_EVENT] = "method",
		[FRAY_NAME_RULE] = "interface",
		[FRAY_NAME_TABLE] = "struct",
		[FRAY_NAME_OPTION] = "enum",
		[FRAY_NAME_POLICY] = "function",
		[FRAY_NAME_ENCOUNTER] = "namespace",
		[FRAY_NAME_SIDE] = "variable",
		[FRAY_NAME_UNIT] = "type",
		[FRAY_NAME_ALIAS] = "variable",
		[FRAY_NAME_PHASE] = "event",
		[FRAY_NAME_MODULE] = "namespace",
		[FRAY_NAME_LABEL] = "property",
		[FRAY_NAME_LOCAL] = "parameter",
		[FRAY_NAME_WORD] = "enumMember"};
	json_t *list = json_array();
	for (size_t i = 0; i < sizeof type / sizeof type[0]; i++)
		json_array_append_new(list, json_string(type[i]));
	return list;
}

struct token {
	uint32_t start, end;
	int sort;
	bool declares;
};
struct tokens {
	struct token *v;
	int n, room;
};

static void add_token(void *context, const struct fray_name *n)
{
	struct tokens *t = context;
	if (t->n == t->room) {
		t->room = 2 * t->room + 64;
		t->v = realloc(t->v, (size_t)t->room * sizeof *t->v);
		if (!t->v)
			abort();
	}
	t->v[t->n++] = (struct token){n->at.start, n->at.end, (int)n->sort, n->declares};
}

static int by_place(const void *a, const void *b)
{
	const struct token *x = a, *y = b;
	return x->start != y->start ? (x->start < y->start ? -1 : 1)
		: x->end < y->end   ? -1
				    : x->end > y->end;
}

static json_int_t member(const json_t *o, const char *name)
{
	return json_integer_value(json_object_get(o, name));
}

void lsp_semantic_tokens(const json_t *id, const json_t *params)
{
	struct lsp_doc *d = doc_asked(id, params);
	struct tokens t = {0};
	json_int_t line = 0, units = 0;
	uint32_t behind = 0;
	if (!d)
		return;
	fray_names(doc_fray(d), d->name, add_token, &t);
	if (t.n)
		qsort(t.v, (size_t)t.n, sizeof *t.v, by_place);
	json_t *data = json_array();
	for (int i = 0; i < t.n; i++) {
		if (t.v[i].start < behind || t.v[i].end > d->text.length)
			continue;
		json_t *start = lsp_position(&d->text, t.v[i].start),
		       *end = lsp_position(&d->text, t.v[i].end);
		const json_int_t l = member(start, "line"), u = member(start, "character");
		const json_int_t number[] = {l - line, l == line ? u - units : u,
			member(end, "character") - u, t.v[i].sort, t.v[i].declares};
		if (member(end, "line") == l)
			for (int k = 0; k < 5; k++)
				json_array_append_new(data, json_integer(number[k]));
		if (member(end, "line") == l) {
			line = l;
			units = u;
			behind = t.v[i].end;
		}
		json_decref(start);
		json_decref(end);
	}
	free(t.v);
	wire_answer(id, json_pack("{s:o}", "data", data));
}

/* ---- code lenses over encounters ---- */

static void add_lens(void *context, const struct fray_outline *x)
{
	static const struct {
		const char *title, *command;
	} lens[] = {{"Run", "fray.run"}, {"Why", "fray.why"}, {"Odds", "fray.odds"}};
	struct listing *l = context;
	if (x->sort != FRAY_NAME_ENCOUNTER)
		return;
	for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++)
		json_array_append_new(l->list,
			json_pack("{s:o, s:{s:s, s:s, s:[s, s]}}", "range",
				lsp_range(&l->doc->text, x->at.start, x->at.end), "command",
				"title", lens[i].title, "command", lens[i].command, "arguments",
				l->doc->uri, x->name));
}

void lsp_code_lens(const json_t *id, const json_t *params)
{
	struct lsp_doc *d = doc_asked(id, params);
	if (!d)
		return;
	struct listing l = {d, json_array(), NULL};
	if (!d->library)
		fray_outline(doc_fray(d), d->name, add_lens, &l);
	wire_answer(id, l.list);
}
