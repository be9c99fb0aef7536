/* lsp_handle.c - one message of the language server protocol: which file answers it. */
#include <stdlib.h>
#include <string.h>

#include "lang/app/lsp.h"

/* ---- beginning and end ---- */

static void add_root(const char *uri)
{
	char **grown = uri ? realloc(lsp.root, (size_t)(lsp.roots + 1) * sizeof *grown) : NULL;
	if (!grown)
		return;
	lsp.root = grown;
	lsp.root[lsp.roots++] = path_of_uri(uri);
}

static json_t *capabilities(void)
{
	json_t *tokens = json_pack("{s:{s:o, s:[s]}, s:b}", "legend", "tokenTypes",
		lsp_token_types(), "tokenModifiers", "declaration", "full", 1);
	json_t *all = json_pack(
		"{s:s, s:{s:b, s:i, s:b}, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b}",
		"positionEncoding", "utf-16", "textDocumentSync", "openClose", 1, "change", 2,
		"save", 1, "hoverProvider", 1, "definitionProvider", 1, "referencesProvider", 1,
		"documentHighlightProvider", 1, "documentSymbolProvider", 1,
		"workspaceSymbolProvider", 1, "documentFormattingProvider", 1,
		"foldingRangeProvider", 1, "inlayHintProvider", 1, "declarationProvider", 1);
	json_object_set_new(all, "renameProvider", json_pack("{s:b}", "prepareProvider", 1));
	json_object_set_new(all, "completionProvider",
		json_pack("{s:[s, s, s, s]}", "triggerCharacters", " ", ":", "#", ","));
	json_object_set_new(
		all, "codeActionProvider", json_pack("{s:[s]}", "codeActionKinds", "quickfix"));
	json_object_set_new(all, "codeLensProvider", json_object());
	json_object_set_new(all, "semanticTokensProvider", tokens);
	json_object_set_new(all, "executeCommandProvider",
		json_pack("{s:[s, s, s]}", "commands", "fray.run", "fray.why", "fray.odds"));
	return all;
}

static void initialize(const json_t *id, const json_t *params)
{
	const json_t *folders = json_object_get(params, "workspaceFolders");
	size_t i;
	json_t *folder;
	json_array_foreach(folders, i, folder)
		add_root(json_string_value(json_object_get(folder, "uri")));
	if (!lsp.roots)
		add_root(json_string_value(json_object_get(params, "rootUri")));
	lsp.ready = true;
	wire_answer(id,
		json_pack("{s:o, s:{s:s, s:s}}", "capabilities", capabilities(), "serverInfo",
			"name", "fray", "version", FRAY_VERSION));
}

static void shut_down(const json_t *id, const json_t *params)
{
	(void)params;
	lsp.over = true;
	wire_answer(id, NULL);
}

/* ---- documents come, change and go ---- */

static void did_open(const json_t *params)
{
	const json_t *item = json_object_get(params, "textDocument"),
		     *text = json_object_get(item, "text");
	const char *uri = json_string_value(json_object_get(item, "uri"));
	if (uri && json_is_string(text))
		doc_set(uri, json_integer_value(json_object_get(item, "version")),
			json_string_value(text), json_string_length(text));
}

static void did_change(const json_t *params)
{
	const json_t *item = json_object_get(params, "textDocument"),
		     *changes = json_object_get(params, "contentChanges");
	const char *uri = json_string_value(json_object_get(item, "uri"));
	struct lsp_doc *d = uri ? doc_find(uri) : NULL;
	size_t i;
	json_t *change;
	if (!d)
		return;
	json_array_foreach(changes, i, change)
	{
		const json_t *range = json_object_get(change, "range"),
			     *text = json_object_get(change, "text");
		uint32_t start, end;
		if (!json_is_string(text))
			continue;
		if (!json_is_object(range))
			lsp_text_set(&d->text, json_string_value(text), json_string_length(text));
		else if (lsp_read_range(&d->text, range, &start, &end))
			lsp_text_replace(&d->text, start, end, json_string_value(text),
				json_string_length(text));
	}
	d->version = json_integer_value(json_object_get(item, "version"));
	doc_changed(d);
}

static void did_close(const json_t *params)
{
	const char *uri = json_string_value(
		json_object_get(json_object_get(params, "textDocument"), "uri"));
	struct lsp_doc *d = uri ? doc_find(uri) : NULL;
	if (!d)
		return;
	lsp_check_cleared(d);
	doc_close(d);
}

static void files_changed(const json_t *params)
{
	(void)params;
	docs_changed();
}

static void leave(const json_t *params)
{
	(void)params;
	lsp.left = true;
}

/* ---- messages ---- */

static const struct {
	const char *method;
	lsp_request *answer;
} requests[] = {
	{"initialize", initialize},
	{"shutdown", shut_down},
	{"textDocument/hover", lsp_hover},
	{"textDocument/definition", lsp_definition},
	{"textDocument/declaration", lsp_definition},
	{"textDocument/references", lsp_references},
	{"textDocument/documentHighlight", lsp_highlight},
	{"textDocument/prepareRename", lsp_prepare_rename},
	{"textDocument/rename", lsp_rename},
	{"textDocument/documentSymbol", lsp_document_symbol},
	{"workspace/symbol", lsp_workspace_symbol},
	{"textDocument/foldingRange", lsp_folding},
	{"textDocument/semanticTokens/full", lsp_semantic_tokens},
	{"textDocument/codeLens", lsp_code_lens},
	{"textDocument/completion", lsp_completion},
	{"textDocument/formatting", lsp_formatting},
	{"textDocument/codeAction", lsp_code_action},
	{"textDocument/inlayHint", lsp_inlay_hint},
	{"workspace/executeCommand", lsp_command},
};

static const struct {
	const char *method;
	void (*take)(const json_t *params);
} notices[] = {
	{"textDocument/didOpen", did_open},
	{"textDocument/didChange", did_change},
	{"textDocument/didClose", did_close},
	{"workspace/didChangeWatchedFiles", files_changed},
	{"exit", leave},
};

static void request(const json_t *id, const char *method, const json_t *params)
{
	if (!lsp.ready && strcmp(method, "initialize") != 0) {
		wire_refuse(id, WIRE_NOT_READY, "the first request is initialize");
		return;
	}
	if (lsp.over || (lsp.ready && !strcmp(method, "initialize"))) {
		wire_refuse(id, WIRE_REQUEST,
			lsp.over ? "the server was shut down"
				 : "the server is initialized already");
		return;
	}
	for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
		if (!strcmp(method, requests[i].method)) {
			requests[i].answer(id, params);
			return;
		}
	wire_refuse(id, WIRE_METHOD, "the server has no such request");
}

void lsp_handle(const json_t *message)
{
	const char *method = json_string_value(json_object_get(message, "method"));
	const json_t *id = json_object_get(message, "id"),
		     *params = json_object_get(message, "params");
	if (!method) {
		if (!id && !json_is_null(message))
			wire_refuse(NULL, WIRE_REQUEST, "this is not a message of the protocol");
		return; /* an answer: nothing was asked */
	}
	if (id) {
		request(id, method, params);
		return;
	}
	for (size_t i = 0; i < sizeof notices / sizeof notices[0]; i++)
		if (!strcmp(method, notices[i].method) && (lsp.ready || notices[i].take == leave))
			notices[i].take(params);
}
