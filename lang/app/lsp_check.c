/* lsp_check.c - what is wrong with a document, published as soon as nothing else waits. */
#include <stdlib.h>
#include <string.h>

#include "lang/app/lsp.h"

static int severity_of(enum fray_severity s)
{
	switch (s) {
	case FRAY_ERROR:
	case FRAY_LIMIT:
		return 1;
	case FRAY_WARNING:
	case FRAY_RULING:
		return 2;
	case FRAY_NOTE:
		break;
	}
	return 3;
}

/* Where the module of another file is used. */
struct used {
	const char *module;
	size_t length;
	uint32_t start, end;
	bool found;
};

static void look_for_use(void *context, const struct fray_name *n)
{
	struct used *u = context;
	if (!u->found && n->sort == FRAY_NAME_MODULE && strlen(n->name) == u->length &&
		!strncmp(n->name, u->module, u->length)) {
		u->start = n->at.start;
		u->end = n->at.end;
		u->found = true;
	}
}

/* A mistake in a file that the document uses is told where it is used. */
static json_t *elsewhere(
	struct lsp_doc *d, const struct lsp_problem *p, uint32_t *start, uint32_t *end)
{
	const char *dot = strrchr(p->file, '.');
	struct used u = {p->file, dot ? (size_t)(dot - p->file) : strlen(p->file), 0, 0, false};
	size_t length;
	fray_names(doc_fray(d), d->name, look_for_use, &u);
	*start = u.start;
	*end = u.end;
	char *uri = doc_uri_of(d, p->file);
	const char *text = uri ? fray_text(doc_fray(d), p->file, &length) : NULL;
	if (!text) {
		free(uri);
		return NULL;
	}
	struct lsp_text t = {0};
	lsp_text_set(&t, text, length);
	json_t *related = json_pack("[{s:{s:s, s:o}, s:s}]", "location", "uri", uri, "range",
		lsp_range(&t, p->start, p->end), "message", p->message);
	lsp_text_free(&t);
	free(uri);
	return related;
}

static json_t *problem(struct lsp_doc *d, const struct lsp_problem *p)
{
	struct text message = {0};
	uint32_t start = p->start, end = p->end;
	json_t *related = NULL;
	if (strcmp(p->file, d->name)) {
		start = end = 0;
		if (*p->file)
			related = elsewhere(d, p, &start, &end);
	}
	text_add(&message, p->message, strlen(p->message));
	if (*p->hint) {
		text_add(&message, "\n", 1);
		text_add(&message, p->hint, strlen(p->hint));
	}
	text_add(&message, "", 1);
	json_t *out = json_pack("{s:o, s:i, s:s, s:s, s:s}", "range",
		lsp_range(&d->text, start, end), "severity", severity_of(p->severity), "code",
		p->code, "source", "fray", "message", message.data);
	if (related)
		json_object_set_new(out, "relatedInformation", related);
	text_free(&message);
	return out;
}

static void publish(struct lsp_doc *d)
{
	json_t *list = json_array();
	doc_fray(d);
	for (int i = 0; i < d->problems.n; i++)
		json_array_append_new(list, problem(d, &d->problems.at[i]));
	d->stale = false;
	wire_notify("textDocument/publishDiagnostics",
		json_pack("{s:s, s:I, s:o}", "uri", d->uri, "version", d->version, "diagnostics",
			list));
}

void lsp_check(void)
{
	for (struct lsp_doc *d = lsp.docs; d; d = d->next)
		if (d->stale && d->open)
			publish(d);
}

void lsp_check_cleared(const struct lsp_doc *d)
{
	wire_notify("textDocument/publishDiagnostics",
		json_pack("{s:s, s:[]}", "uri", d->uri, "diagnostics"));
}
