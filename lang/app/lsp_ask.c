/* lsp_ask.c - hover, completion, formatting, hints in the text, and the commands of code lenses. */
#include <stdlib.h>
#include <string.h>

#include "lang/app/lsp.h"

enum { ODDS_TRIALS = 2000 };

void lsp_hover(const json_t *id, const json_t *params)
{
	struct fray_about about;
	struct text t = {0};
	uint32_t at;
	struct lsp_doc *d = doc_asked_at(id, params, &at);
	if (!d)
		return;
	if (!fray_about(doc_fray(d), d->name, at, &about)) {
		wire_answer(id, NULL);
		return;
	}
	text_add(&t, "**", 2);
	text_add(&t, about.heading, strlen(about.heading));
	text_add(&t, "**", 2);
	if (*about.text) {
		text_add(&t, "\n\n```fray\n", 10);
		text_add(&t, about.text, strlen(about.text));
		text_add(&t, "```", 3);
	}
	text_add(&t, "", 1);
	json_t *contents = json_pack("{s:s, s:s}", "kind", "markdown", "value", t.data);
	json_t *range = lsp_range(&d->text, about.at.start, about.at.end);
	wire_answer(id, json_pack("{s:o, s:o}", "contents", contents, "range", range));
	text_free(&t);
}

/* ---- completion ---- */

struct offering {
	struct lsp_doc *doc;
	uint32_t start, at;
	json_t *list;
};

static void offer(void *context, const char *word, const char *what)
{
	const struct offering *o = context;
	const int kind = !strcmp(what, "keyword") ? 14
		: !strcmp(what, "verb")           ? 2
		: !strcmp(what, "field")          ? 10
						  : 6;
	char order[16];
	snprintf(order, sizeof order, "%06zu", json_array_size(o->list));
	json_t *edit = json_pack(
		"{s:o, s:s}", "range", lsp_range(&o->doc->text, o->start, o->at), "newText", word);
	json_t *item = json_pack("{s:s, s:i, s:s, s:s, s:o}", "label", word, "kind", kind, "detail",
		what, "sortText", order, "textEdit", edit);
	if (item)
		json_array_append_new(o->list, item);
}

/* Where the word before a place begins. */
static uint32_t word_start(const struct lsp_text *t, uint32_t at)
{
	while (at) {
		const char c = t->data[at - 1];
		const bool inside = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || (c && strchr("_#.-", c)) ||
			(unsigned char)c >= 0x80;
		if (!inside)
			break;
		at--;
	}
	return at;
}

void lsp_completion(const json_t *id, const json_t *params)
{
	uint32_t at;
	struct lsp_doc *d = doc_asked_at(id, params, &at);
	if (!d)
		return;
	struct offering o = {d, word_start(&d->text, at), at, json_array()};
	if (!d->library)
		fray_complete_at(doc_fray(d), d->name, at, offer, &o);
	wire_answer(id, json_pack("{s:b, s:o}", "isIncomplete", 0, "items", o.list));
}

/* ---- formatting ---- */

void lsp_formatting(const json_t *id, const json_t *params)
{
	struct lsp_doc *d = doc_asked(id, params);
	const char *after;
	size_t size;
	if (!d)
		return;
	struct lsp_reading r = {.doc = d};
	struct fray *f = d->library ? NULL : doc_open(&r);
	json_t *list = json_array();
	if (f)
		fray_format(f, d->name, d->text.data, d->text.length, &after, &size);
	if (f && after) {
		/* what is alike before and behind stays, so that the cursor does */
		const char *old = d->text.data;
		size_t same = 0, tail = 0;
		while (same < d->text.length && same < size && old[same] == after[same])
			same++;
		while (same && old[same - 1] != '\n')
			same--;
		while (tail < d->text.length - same && tail < size - same &&
			old[d->text.length - tail - 1] == after[size - tail - 1])
			tail++;
		while (tail && old[d->text.length - tail - 1] != '\n')
			tail--;
		if (same + tail < size || same + tail < d->text.length)
			json_array_append_new(list,
				json_pack("{s:o, s:s%}", "range",
					lsp_range(&d->text, (uint32_t)same,
						(uint32_t)(d->text.length - tail)),
					"newText", after + same, size - same - tail));
	}
	fray_close(f);
	wire_answer(id, list);
}

/* ---- hints in the text: what dice come to on average ---- */

struct hinting {
	struct lsp_doc *doc;
	uint32_t start, end;
	json_t *list;
};

static void add_hint(void *context, const struct fray_hint *h)
{
	const struct hinting *x = context;
	if (h->at.end < x->start || h->at.start > x->end)
		return;
	json_array_append_new(x->list,
		json_pack("{s:o, s:s, s:b, s:s}", "position",
			lsp_position(&x->doc->text, h->at.end), "label", h->text, "paddingLeft", 1,
			"tooltip", h->about));
}

void lsp_inlay_hint(const json_t *id, const json_t *params)
{
	struct lsp_doc *d = doc_asked(id, params);
	struct hinting h = {.doc = d};
	if (!d)
		return;
	if (!lsp_read_range(&d->text, json_object_get(params, "range"), &h.start, &h.end)) {
		wire_refuse(id, WIRE_PARAMS, "the range is not one");
		return;
	}
	h.list = json_array();
	fray_hints(doc_fray(d), d->name, add_hint, &h);
	wire_answer(id, h.list);
}

/* ---- commands: fray.run, fray.why, fray.odds with a document and an encounter ---- */

void lsp_command(const json_t *id, const json_t *params)
{
	const char *command = json_string_value(json_object_get(params, "command"));
	const json_t *given = json_object_get(params, "arguments");
	const char *uri = json_string_value(json_array_get(given, 0)),
		   *encounter = json_string_value(json_array_get(given, 1));
	struct lsp_doc *d = uri ? doc_find(uri) : NULL;
	const bool known = command &&
		(!strcmp(command, "fray.run") || !strcmp(command, "fray.why") ||
			!strcmp(command, "fray.odds"));
	if (!known || !d) {
		wire_refuse(id, WIRE_PARAMS,
			known ? "this document is not open" : "there is no such command");
		return;
	}
	struct text told = {0};
	struct lsp_reading r = {.doc = d, .told = &told};
	struct fray *f = doc_open(&r);
	const struct fray_odds_options odds = {.trials = ODDS_TRIALS, .threads = 1, .seed = 1};
	const struct fray_run_options run = {.seed = 1};
	fray_lean(f, NULL);
	if (fray_load(f, d->name, d->text.data, d->text.length) == FRAY_OK) {
		if (!strcmp(command, "fray.odds")) {
			fray_set_odds(f, &odds);
			fray_odds(f, encounter);
		} else if (fray_begin(f, encounter, &run) == FRAY_OK) {
			fray_run(f);
			fray_tell(f, !strcmp(command, "fray.why") ? FRAY_STORY_WHY : FRAY_STORY);
		}
	}
	fray_close(f);
	wire_answer(id, json_pack("{s:s%}", "text", told.data ? told.data : "", told.length));
	text_free(&told);
}
