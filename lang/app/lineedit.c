/* lineedit.c - see lineedit.h. */
#include "lang/app/lineedit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lang/app/gnu.h"
#include "lang/app/history.h"
#include "lang/app/host.h"

enum { LINE_BYTES_MAX = 16 * 1024 * 1024 };

struct lineedit {
	bool terminal;       /* standard input is one */
	bool edits;          /* readline is used */
	char *line;          /* the last one */
	size_t room;         /* of `line`, for getline */
	char *history;       /* path, or NULL */
	char *pasted;        /* lines that came with the last one, still to be read */
	size_t next;         /* where in `pasted` */
};

static enum line_kind plain_read(struct lineedit *e, const char *prompt, bool always)
{
	if (always || e->terminal) {
		FILE *out = e->terminal && isatty(STDOUT_FILENO) ? stdout : stderr;
		fputs(prompt, out);
		fflush(out);
	}
	errno = 0;
	ssize_t n = getline(&e->line, &e->room, stdin);
	if (n < 0) {
		bool interrupted = errno == EINTR || host_interrupted();
		clearerr(stdin);
		if (e->terminal)
			putchar('\n');
		return interrupted ? LINE_ABANDONED : LINE_END;
	}
	bool nul = memchr(e->line, 0, (size_t)n) != NULL;
	if (n > 0 && e->line[n - 1] == '\n')
		e->line[--n] = '\0';
	if (n > 0 && e->line[n - 1] == '\r')
		e->line[--n] = '\0';
	if (nul)
		complain("a line of the input holds a NUL byte; it was passed over.");
	else if (n > LINE_BYTES_MAX)
		complain("a line of the input is too long: 16 MB are the most; it was passed over.");
	else
		return LINE_READ;
	return LINE_BAD;
}

#if FRAY_READLINE
/* Several lines pasted at once come as one: they are given one by one. */
static enum line_kind pasted_read(struct lineedit *e)
{
	const char *start = e->pasted + e->next;
	size_t n = strcspn(start, "\n");
	free(e->line);
	e->line = strndup(start, n);
	e->next += n + 1;
	if (!start[n]) {
		free(e->pasted);
		e->pasted = NULL;
	}
	return e->line ? LINE_READ : LINE_END;
}

static enum line_kind edited_read(struct lineedit *e, const char *prompt)
{
	if (e->pasted)
		return pasted_read(e);
	free(e->line);
	e->line = NULL;
	enum line_kind kind = gnu_read(prompt, &e->line);
	if (kind != LINE_READ || !strchr(e->line, '\n'))
		return kind;
	e->pasted = e->line;
	e->next = 0;
	e->line = NULL;
	return pasted_read(e);
}
#endif

struct lineedit *lineedit_open(struct fray *f, bool history)
{
	struct lineedit *e = calloc(1, sizeof *e);
	if (!e) {
		complain("there is not enough memory.");
		exit(EXIT_STOPPED);
	}
	e->terminal = isatty(STDIN_FILENO);
#if FRAY_READLINE
	const char *term = getenv("TERM");
	e->edits = e->terminal && term && strcmp(term, "dumb");
	if (e->edits)
		gnu_begin(f);
	if (e->edits && history)
		e->history = history_path();
	if (e->history)
		history_read(e->history);
#else
	(void)f;
	(void)history;
#endif
	return e;
}

void lineedit_close(struct lineedit *e)
{
#if FRAY_READLINE
	if (e->edits)
		gnu_end();
#endif
	free(e->history);
	free(e->pasted);
	free(e->line);
	free(e);
}

bool lineedit_at_terminal(const struct lineedit *e)
{
	return e->terminal;
}

enum line_kind lineedit_ask(struct lineedit *e, const char *prompt)
{
#if FRAY_READLINE
	if (e->edits)
		return edited_read(e, prompt);
#endif
	return plain_read(e, prompt, true);
}

enum line_kind lineedit_read(struct lineedit *e, const char *prompt)
{
	if (host_interrupted()) { /* the rest of a paste goes with the run it led to */
		free(e->pasted);
		e->pasted = NULL;
		host_clear_interrupt();
	}
#if FRAY_READLINE
	if (e->edits) {
		enum line_kind kind = edited_read(e, prompt);
		if (kind == LINE_READ)
			history_keep(e->history, e->line);
		return kind;
	}
#endif
	return plain_read(e, prompt, false);
}

const char *lineedit_text(const struct lineedit *e)
{
	return e->line;
}
