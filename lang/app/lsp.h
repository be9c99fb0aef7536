/* lsp.h - the language server: what its files share.
 *
 *   cmd_lsp.c      the loop: messages in, answers out; checks when nothing waits
 *   lsp_handle.c   one message: which file answers it
 *   lsp_wire.c     messages of the protocol on standard input and output
 *   lsp_say.c      what messages to the client are made of
 *   lsp_text.c     a text with its lines; places in UTF-16 and in bytes
 *   lsp_doc.c      open documents, the interpreter of each, files beside them
 *   lsp_check.c    what is wrong with a document, published
 *   lsp_fix.c      code actions: hints made into edits, each tried before it is offered
 *   lsp_names.c    definition, references, highlights, rename
 *   lsp_symbols.c  symbols, folding, semantic tokens, code lenses
 *   lsp_ask.c      hover, completion, formatting, inlay hints, commands
 *
 * Everything that is known of Fray comes through fray.h. Each version of a document has an
 * interpreter of its own, which is kept for questions until the document changes. */
#ifndef FRAY_APP_LSP_H
#define FRAY_APP_LSP_H

#include <jansson.h>

#include "lang/app/app.h"
#include "lang/app/host.h"

/* ---- lsp_wire.c ---- */
/* The next message, NULL at the end of the input. *broken: it was no JSON. */
json_t *wire_read(bool *broken);
/* Whether a message waits, after so many milliseconds at most; -1: for ever. */
bool wire_waits(int milliseconds);
void wire_send(json_t *message); /* takes it */

/* ---- lsp_say.c ---- */
void wire_answer(const json_t *id, json_t *result); /* takes the result */
void wire_refuse(const json_t *id, int code, const char *why);
void wire_notify(const char *method, json_t *params); /* takes the parameters */
enum {
	WIRE_PARSE = -32700,
	WIRE_REQUEST = -32600,
	WIRE_METHOD = -32601,
	WIRE_PARAMS = -32602,
	WIRE_NOT_READY = -32002,
	WIRE_FAILED = -32803
};

/* ---- lsp_handle.c ---- */
void lsp_handle(const json_t *message);

/* ---- lsp_text.c ---- */
struct lsp_text {
	char *data; /* NUL-terminated */
	size_t length;
	uint32_t *line; /* where lines begin */
	int lines;
};
void lsp_text_set(struct lsp_text *t, const char *data, size_t length);
void lsp_text_free(struct lsp_text *t);
/* A place of the protocol as bytes; one behind the end of its line is that end. */
uint32_t lsp_offset(const struct lsp_text *t, int line, int character);
json_t *lsp_position(const struct lsp_text *t, uint32_t at);
json_t *lsp_range(const struct lsp_text *t, uint32_t start, uint32_t end);
/* False: it is no position, or no range. */
bool lsp_read_position(const struct lsp_text *t, const json_t *position, uint32_t *at);
bool lsp_read_range(const struct lsp_text *t, const json_t *range, uint32_t *start, uint32_t *end);
/* Tells of each { and } that is none of a comment or a text, by its line. */
void lsp_braces(
	const struct lsp_text *t, void (*tell)(void *context, char brace, int line), void *context);
/* How many { are not closed; less than 0: too many are. */
int lsp_open_braces(const struct lsp_text *t);
/* Puts a text in the place of some bytes. */
void lsp_text_replace(
	struct lsp_text *t, uint32_t start, uint32_t end, const char *with, size_t length);

/* ---- lsp_doc.c ---- */
struct lsp_problem {
	enum fray_severity severity;
	char *code, *message, *hint, *file;
	uint32_t start, end;
};
struct lsp_problems {
	struct lsp_problem *at;
	int n, room;
};

struct lsp_doc;
/* What the callbacks of an interpreter are given. */
struct lsp_reading {
	struct lsp_doc *doc;
	struct lsp_problems *problems; /* what is reported goes here; or NULL */
	struct text *told;             /* what is told, and reported; or NULL */
};

struct lsp_doc {
	char *uri, *path;
	char *name; /* as the interpreter knows it: its path, or library/... */
	char *folder;
	bool library; /* a text of the library: it is read, and not judged */
	struct lsp_text text;
	json_int_t version;
	bool open;         /* by the client */
	bool stale;        /* what was published is of an older version */
	struct fray *fray; /* of this version; NULL: not read yet */
	struct lsp_problems problems;
	struct lsp_reading reading;
	char **needs; /* paths of modules that were asked for */
	int needed;
	struct lsp_doc *next;
};

struct lsp {
	struct lsp_doc *docs;
	char **root;
	int roots;
	bool ready, over, left;
};
extern struct lsp lsp;

struct lsp_doc *doc_find(const char *uri);
/* Opens a document, or gives an open one another text. */
struct lsp_doc *doc_set(const char *uri, json_int_t version, const char *text, size_t length);
void doc_close(struct lsp_doc *d);
/* A document of a file that nobody opened, which the caller frees with doc_free; NULL: there is
 * no such file. */
struct lsp_doc *doc_of_file(const char *path);
void doc_free(struct lsp_doc *d);
/* It has changed: what was known of it and of those that use it is void. */
void doc_changed(struct lsp_doc *d);
void docs_changed(void);
void docs_end(void);
/* Its interpreter, with everything read. */
struct fray *doc_fray(struct lsp_doc *d);
/* Another one that has read nothing yet; `r` is the caller's, with its document. */
struct fray *doc_open(struct lsp_reading *r);
/* What is wrong with a text in the place of the document's. */
void doc_try(struct lsp_doc *d, const char *text, size_t length, struct lsp_problems *problems);
void problems_free(struct lsp_problems *p);
/* The document that the parameters name, and the place in it; NULL: the request was refused. */
struct lsp_doc *doc_asked(const json_t *id, const json_t *params);
struct lsp_doc *doc_asked_at(const json_t *id, const json_t *params, uint32_t *at);
/* The URI of a file as the document's interpreter calls it, malloc'ed; NULL: it has none. */
char *doc_uri_of(struct lsp_doc *d, const char *file);
char *uri_of_path(const char *path);
char *path_of_uri(const char *uri);
char *text_copy(const char *text, size_t length);

/* ---- lsp_check.c ---- */
/* Publishes what is wrong with every document that has changed. */
void lsp_check(void);
void lsp_check_cleared(const struct lsp_doc *d);

/* ---- one request each: the document and its parameters to the result ---- */
typedef void lsp_request(const json_t *id, const json_t *params);
lsp_request lsp_code_action;
lsp_request lsp_definition, lsp_references, lsp_highlight, lsp_prepare_rename, lsp_rename;
lsp_request lsp_document_symbol, lsp_workspace_symbol, lsp_folding, lsp_semantic_tokens,
	lsp_code_lens;
lsp_request lsp_hover, lsp_completion, lsp_formatting, lsp_inlay_hint, lsp_command;
/* What semantic tokens are called, in the order of enum fray_name_sort. */
json_t *lsp_token_types(void);

#endif
