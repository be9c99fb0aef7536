/* lsp_doc.c - documents, the interpreter of each, and the files beside them.
 *
 * Texts of the library are written to a folder below the user's cache, so that an editor can open
 * what a definition leads to. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lang/app/files.h"
#include "lang/app/lsp.h"

struct lsp lsp;

/* ---- names of files ---- */

static int hex(char c)
{
	return c >= '0' && c <= '9'    ? c - '0'
		: c >= 'a' && c <= 'f' ? c - 'a' + 10
		: c >= 'A' && c <= 'F' ? c - 'A' + 10
				       : -1;
}

char *path_of_uri(const char *uri)
{
	static const char scheme[] = "file://";
	const char *p = uri;
	if (!strncmp(uri, scheme, sizeof scheme - 1)) {
		p += sizeof scheme - 1;
		p = *p == '/' ? p : strchr(p, '/') ? strchr(p, '/') : p;
	}
	char *path = text_copy(p, strlen(p)), *to = path;
	for (const char *from = path; *from; from++)
		if (*from == '%' && hex(from[1]) >= 0 && hex(from[2]) >= 0) {
			*to++ = (char)(16 * hex(from[1]) + hex(from[2]));
			from += 2;
		} else {
			*to++ = *from;
		}
	*to = '\0';
	return path;
}

char *uri_of_path(const char *path)
{
	struct text t = {0};
	text_add(&t, "file://", 7);
	for (const char *p = path; *p; p++) {
		char escaped[4];
		const bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
			(*p >= '0' && *p <= '9') || strchr("/-._~", *p);
		if (!plain)
			snprintf(escaped, sizeof escaped, "%%%02X", (unsigned)(unsigned char)*p);
		text_add(&t, plain ? p : escaped, plain ? 1 : 3);
	}
	text_add(&t, "", 1);
	return t.data;
}

/* The folder the library's texts are written to; NULL: there is no place. */
static char *library_folder(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct text t = {0};
	if (!(cache && *cache == '/') && !(home && *home == '/'))
		return NULL;
	const char *base = cache && *cache == '/' ? cache : home;
	text_add(&t, base, strlen(base));
	if (base == home)
		text_add(&t, "/.cache", 7);
	text_add(&t, "/fray-" FRAY_VERSION, sizeof "/fray-" FRAY_VERSION);
	return t.data;
}

static void make_folders(char *path)
{
	for (char *p = path + 1; *p; p++)
		if (*p == '/') {
			*p = '\0';
			mkdir(path, 0777);
			*p = '/';
		}
}

/* The texts that this process has seen there. */
static struct {
	char **path;
	size_t n;
} written;

static bool is_written(const char *path)
{
	for (size_t i = 0; i < written.n; i++)
		if (!strcmp(written.path[i], path))
			return true;
	char **grown = realloc(written.path, (written.n + 1) * sizeof *grown);
	if (!grown)
		abort();
	written.path = grown;
	written.path[written.n++] = text_copy(path, strlen(path));
	return false;
}

/* The path of a text of the library, written there when it is not, or not the same. */
static char *library_path(struct fray *f, const char *name)
{
	size_t length, there = 0;
	const char *text = fray_text(f, name, &length);
	char *folder = library_folder();
	struct text t = {0};
	struct stat is;
	if (!text || !folder) {
		free(folder);
		return NULL;
	}
	text_add(&t, folder, strlen(folder));
	text_add(&t, "/", 1);
	text_add(&t, name, strlen(name) + 1);
	free(folder);
	if (is_written(t.data))
		return t.data;
	char *old = stat(t.data, &is) == 0 ? file_read(t.data, &there) : NULL;
	if (!old || there != length || memcmp(old, text, length)) {
		make_folders(t.data);
		chmod(t.data, 0644);
		file_write(t.data, text, length);
		chmod(t.data, 0444);
	}
	free(old);
	return t.data;
}

/* "library/osric/acting.fray", when the path leads into that folder; NULL. */
static char *library_name(const char *path)
{
	char *folder = library_folder();
	const size_t n = folder ? strlen(folder) : 0;
	const bool inside = n && !strncmp(path, folder, n) && !strncmp(path + n, "/library/", 9);
	free(folder);
	return inside ? text_copy(path + n + 1, strlen(path + n + 1)) : NULL;
}

char *doc_uri_of(struct lsp_doc *d, const char *file)
{
	if (!strcmp(file, d->name))
		return text_copy(d->uri, strlen(d->uri));
	struct text t = {0};
	if (!strncmp(file, "library/", 8)) {
		char *path = library_path(doc_fray(d), file);
		char *uri = path ? uri_of_path(path) : NULL;
		free(path);
		return uri;
	}
	if (!*file || *file == '(')
		return NULL;
	text_add(&t, d->folder, strlen(d->folder));
	text_add(&t, "/", 1);
	text_add(&t, file, strlen(file) + 1);
	char *uri = uri_of_path(t.data);
	text_free(&t);
	return uri;
}

void docs_end(void)
{
	while (lsp.docs)
		doc_close(lsp.docs);
	for (size_t i = 0; i < written.n; i++)
		free(written.path[i]);
	free(written.path);
}

/* ---- documents ---- */

struct lsp_doc *doc_find(const char *uri)
{
	for (struct lsp_doc *d = lsp.docs; d; d = d->next)
		if (!strcmp(d->uri, uri))
			return d;
	return NULL;
}

static struct lsp_doc *doc_of_path(const char *path)
{
	for (struct lsp_doc *d = lsp.docs; d; d = d->next)
		if (!strcmp(d->path, path))
			return d;
	return NULL;
}

static struct lsp_doc *doc_new(char *uri, char *path)
{
	struct lsp_doc *d = calloc(1, sizeof *d);
	if (!d)
		abort();
	d->uri = uri;
	d->path = path;
	d->name = library_name(path);
	d->library = d->name != NULL;
	if (!d->name)
		d->name = text_copy(path, strlen(path));
	d->folder = file_folder(path);
	if (!d->folder)
		d->folder = text_copy(".", 1);
	return d;
}

static void forget(struct lsp_doc *d)
{
	fray_close(d->fray);
	d->fray = NULL;
	problems_free(&d->problems);
	for (int i = 0; i < d->needed; i++)
		free(d->needs[i]);
	free(d->needs);
	d->needs = NULL;
	d->needed = 0;
}

void doc_free(struct lsp_doc *d)
{
	if (!d)
		return;
	forget(d);
	lsp_text_free(&d->text);
	free(d->uri);
	free(d->path);
	free(d->name);
	free(d->folder);
	free(d);
}

void doc_changed(struct lsp_doc *d)
{
	forget(d);
	d->stale = true;
	for (struct lsp_doc *x = lsp.docs; x; x = x->next)
		for (int i = 0; i < x->needed; i++)
			if (!strcmp(x->needs[i], d->path)) {
				forget(x);
				x->stale = true;
				break;
			}
}

void docs_changed(void)
{
	for (struct lsp_doc *d = lsp.docs; d; d = d->next) {
		forget(d);
		d->stale = true;
	}
}

struct lsp_doc *doc_set(const char *uri, json_int_t version, const char *text, size_t length)
{
	struct lsp_doc *d = doc_find(uri);
	if (!d) {
		d = doc_new(text_copy(uri, strlen(uri)), path_of_uri(uri));
		d->next = lsp.docs;
		lsp.docs = d;
	}
	d->open = true;
	d->version = version;
	lsp_text_set(&d->text, text, length);
	doc_changed(d);
	return d;
}

void doc_close(struct lsp_doc *d)
{
	struct lsp_doc **link = &lsp.docs;
	while (*link != d)
		link = &(*link)->next;
	doc_changed(d);
	*link = d->next;
	doc_free(d);
}

struct lsp_doc *doc_of_file(const char *path)
{
	size_t length;
	char *text = file_exists(path) ? file_read(path, &length) : NULL;
	if (!text)
		return NULL;
	struct lsp_doc *d = doc_new(uri_of_path(path), text_copy(path, strlen(path)));
	lsp_text_set(&d->text, text, length);
	free(text);
	return d;
}

/* ---- what the interpreter asks for ---- */

static void note_need(struct lsp_doc *d, const char *path)
{
	char **grown = realloc(d->needs, (size_t)(d->needed + 1) * sizeof *grown);
	if (!grown)
		abort();
	d->needs = grown;
	d->needs[d->needed++] = text_copy(path, strlen(path));
}

/* The text of a module: as it is in the editor, or in its file. */
static char *find_module(void *context, const char *name, const char *from, size_t *length)
{
	struct lsp_reading *r = context;
	struct text path = {0};
	(void)from;
	text_add(&path, r->doc->folder, strlen(r->doc->folder));
	text_add(&path, "/", 1);
	text_add(&path, name, strlen(name));
	text_add(&path, ".fray", sizeof ".fray");
	note_need(r->doc, path.data);
	const struct lsp_doc *open = doc_of_path(path.data);
	text_free(&path);
	if (!open)
		return file_read_module(r->doc->folder, name, length);
	*length = open->text.length;
	return text_copy(open->text.data, open->text.length);
}

static void note_problem(void *context, const struct fray_diagnostic *d)
{
	const struct lsp_reading *r = context;
	struct lsp_problems *p = r->problems;
	if (r->told)
		text_add(r->told, d->text, strlen(d->text));
	if (!p)
		return;
	if (p->n == p->room) {
		p->room = 2 * p->room + 8;
		p->at = realloc(p->at, (size_t)p->room * sizeof *p->at);
		if (!p->at)
			abort();
	}
	struct lsp_problem *x = &p->at[p->n++];
	x->severity = d->severity;
	x->code = text_copy(d->code, strlen(d->code));
	x->message = text_copy(d->message, strlen(d->message));
	x->hint = text_copy(d->hint, strlen(d->hint));
	x->file = text_copy(d->file, strlen(d->file));
	x->start = d->start;
	x->end = d->end;
}

void problems_free(struct lsp_problems *p)
{
	for (int i = 0; i < p->n; i++) {
		free(p->at[i].code);
		free(p->at[i].message);
		free(p->at[i].hint);
		free(p->at[i].file);
	}
	free(p->at);
	memset(p, 0, sizeof *p);
}

/* A script that has the library's text read: its folder is the module's name. */
static void load_library(struct fray *f, const struct lsp_doc *d)
{
	char use[200];
	const char *folder = d->name + strlen("library/");
	const int n = (int)strcspn(folder, "/");
	snprintf(use, sizeof use, n == 4 && !strncmp(folder, "core", 4) ? "\n" : "use %.*s\n", n,
		folder);
	fray_load(f, "(editor)", use, strlen(use));
}

static void note_told(void *context, enum fray_style style, const char *text, size_t length)
{
	const struct lsp_reading *r = context;
	(void)style;
	if (r->told)
		text_add(r->told, text, length);
}

struct fray *doc_open(struct lsp_reading *r)
{
	const struct fray_config config = {.abi = FRAY_ABI,
		.context = r,
		.report = note_problem,
		.write = note_told,
		.module = find_module};
	struct fray *f = fray_open(&config);
	if (!f)
		abort();
	return f;
}

static struct fray *read_text(struct lsp_reading *r, const char *text, size_t length)
{
	const struct lsp_doc *d = r->doc;
	struct fray *f = doc_open(r);
	if (d->library) {
		load_library(f, d);
		if (r->problems)
			problems_free(r->problems);
		return f;
	}
	fray_edit(f);
	fray_lean(f, NULL);
	if (fray_load(f, d->name, text, length) == FRAY_OK)
		fray_odds_check(f);
	return f;
}

/* While a block is typed its } is missing, and nothing is known of such a text: questions are about
 * the text with what is missing at its end. */
static void read_closed(struct lsp_doc *d, int open)
{
	struct text t = {0};
	text_add(&t, d->text.data, d->text.length);
	for (int i = 0; i < open; i++)
		text_add(&t, "\n}", 2);
	fray_close(d->fray);
	d->fray = read_text(&d->reading, t.data, t.length);
	text_free(&t);
}

struct fray *doc_fray(struct lsp_doc *d)
{
	if (!d->fray) {
		forget(d);
		d->reading = (struct lsp_reading){.doc = d, .problems = &d->problems};
		d->fray = read_text(&d->reading, d->text.data, d->text.length);
		d->reading.problems = NULL; /* what questions find wrong is nobody's business */
		const int open = lsp_open_braces(&d->text);
		if (open > 0)
			read_closed(d, open);
	}
	return d->fray;
}

void doc_try(struct lsp_doc *d, const char *text, size_t length, struct lsp_problems *problems)
{
	struct lsp_reading r = {.doc = d, .problems = problems};
	fray_close(read_text(&r, text, length));
}

/* ---- what a request is about ---- */

struct lsp_doc *doc_asked(const json_t *id, const json_t *params)
{
	const char *uri = json_string_value(
		json_object_get(json_object_get(params, "textDocument"), "uri"));
	struct lsp_doc *d = uri ? doc_find(uri) : NULL;
	if (!d)
		wire_refuse(id, WIRE_PARAMS,
			uri ? "this document is not open" : "no document is named");
	return d;
}

struct lsp_doc *doc_asked_at(const json_t *id, const json_t *params, uint32_t *at)
{
	struct lsp_doc *d = doc_asked(id, params);
	if (d && !lsp_read_position(&d->text, json_object_get(params, "position"), at)) {
		wire_refuse(id, WIRE_PARAMS, "the position is not one");
		return NULL;
	}
	return d;
}
