/* cmd_lsp.c - fray lsp: the language server, on standard input and output. */
#include <stdlib.h>

#include "lang/app/lsp.h"
#include "lang/app/options.h"

enum { STDIO, LSP_OPTIONS };
enum { PATIENCE = 50 }; /* messages handled before documents are checked although more wait */

static const struct option lsp_options[LSP_OPTIONS] = {
	[STDIO] = {"stdio", 0, NULL, "use standard input and output; this is the only way"},
};

static const char notes[] = "For editors: see docs/editors.md. Speaks the language server protocol "
			    "until its input ends.\n";

static void serve(void)
{
	for (int waited = 0; !lsp.left; waited++) {
		bool broken;
		if (waited >= PATIENCE || !wire_waits(0)) {
			lsp_check();
			waited = 0;
		}
		json_t *message = wire_read(&broken);
		if (!message)
			return;
		if (broken)
			wire_refuse(NULL, WIRE_PARSE, "this is not JSON");
		else
			lsp_handle(message);
		json_decref(message);
	}
}

int cmd_lsp(const struct command *self, int argc, char **argv)
{
	struct options o;
	int which;
	options_begin(&o, self, lsp_options, LSP_OPTIONS, notes, argc, argv);
	while ((which = options_next(&o)) != OPTIONS_DONE)
		if (which != STDIO)
			return options_status(which);
	serve();
	docs_end();
	for (int i = 0; i < lsp.roots; i++)
		free(lsp.root[i]);
	free(lsp.root);
	return lsp.over ? EXIT_FINE : EXIT_EXPECTATION;
}
