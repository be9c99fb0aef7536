/* lineedit.c - see lineedit.h. */
#include "lang/app/lineedit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#include "lang/app/budget.h"
#include "lang/app/gnu.h"
#include "lang/app/history.h"
#include "lang/app/host.h"
#include "lang/app/state.h"

enum { LINE_BYTES_MAX = 16 * 1024 * 1024 };

struct lineedit {
	bool terminal;       /* standard input is one */
	bool edits;          /* readline is used */
	char *line;          /* the last one */
	struct text taken;   /* the same, while it is read */
	char input[65536];   /* what was read ahead: [used .. have) */
	size_t used, have;
	char *history;       /* path, or NULL */
	char *pasted;        /* lines that came with the last one, still to be read */
	size_t next;         /* where in `pasted` */
};

bool lineedit_wait(int (*pending)(void))
{
	sigset_t held, before;
	fd_set input;
	sigemptyset(&held);
	sigaddset(&held, SIGINT);
	FD_ZERO(&input);
	FD_SET(STDIN_FILENO, &input);
	/* held back until pselect sleeps, or it could be missed just before */
	sigprocmask(SIG_BLOCK, &held, &before);
	int n = -1;
	if (!host_interrupted() && !(pending && pending()))
		n = pselect(STDIN_FILENO + 1, &input, NULL, NULL, NULL, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return n > 0;
}

/* Takes bytes from standard input up to and with a newline; false when there are none, or
 * Ctrl-C came first. Not stdio, which would go back to sleep after a signal. */
static bool take_line(struct lineedit *e)
{
	e->taken.length = 0;
	for (;;) {
		const char *start = e->input + e->used;
		const char *newline = memchr(start, '\n', e->have - e->used);
		size_t n = newline ? (size_t)(newline - start) + 1 : e->have - e->used;
		/* of a line that is too long only so much is kept as shows it */
		if (e->taken.length <= LINE_BYTES_MAX)
			text_add(&e->taken, start, n);
		e->used += n;
		if (newline)
			return true;
		while (!lineedit_wait(NULL))
			if (host_interrupted())
				return false;
		ssize_t got = read(STDIN_FILENO, e->input, sizeof e->input);
		if (got < 0 && errno == EINTR && !host_interrupted()) {
			e->used = e->have = 0;
			continue;
		}
		e->used = 0;
		e->have = got > 0 ? (size_t)got : 0;
		if (got <= 0)
			return e->taken.length > 0;
	}
}

static enum line_kind plain_read(struct lineedit *e, const char *prompt, bool always)
{
	FILE *out = e->terminal && isatty(STDOUT_FILENO) ? stdout : stderr;
	if (prompt && (always || e->terminal)) {
		fputs(prompt, out);
		fflush(out);
	}
	if (!take_line(e)) {
		if (e->terminal)
			fputc('\n', out);
		return host_interrupted() ? LINE_ABANDONED : LINE_END;
	}
	size_t n = e->taken.length;
	const char *text = e->taken.data;
	if (n && text[n - 1] == '\n')
		n--;
	if (n && text[n - 1] == '\r')
		n--;
	bool nul = memchr(text, 0, n) != NULL;
	free(e->line);
	e->line = nul || n > LINE_BYTES_MAX ? NULL : strndup(text, n);
	if (nul)
		complain("a line of the input holds a NUL byte; it was passed over.");
	else if (n > LINE_BYTES_MAX)
		complain("a line of the input is too long: 16 MB are the most; it was passed over.");
	return e->line ? LINE_READ : LINE_BAD;
}

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

#if FRAY_READLINE
static enum line_kind edited_read(struct lineedit *e, const char *prompt)
{
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
		budget_out_of_memory();
	}
	e->terminal = isatty(STDIN_FILENO);
#if FRAY_READLINE
	const char *term = getenv("TERM");
	e->edits = e->terminal && term && strcmp(term, "dumb");
	if (e->edits)
		gnu_begin(f);
	if (e->edits && history)
		e->history = state_file("history");
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
	text_free(&e->taken);
	free(e->line);
	free(e);
}

bool lineedit_edits(const struct lineedit *e)
{
	return e->edits;
}

bool lineedit_at_terminal(const struct lineedit *e)
{
	return e->terminal;
}

bool lineedit_pasting(const struct lineedit *e)
{
	return e->pasted != NULL;
}

void lineedit_paste(struct lineedit *e, const char *lines)
{
	size_t n = strlen(lines);
	while (n && lines[n - 1] == '\n')
		n--;
	free(e->pasted);
	e->pasted = n ? strndup(lines, n) : NULL;
	e->next = 0;
}

enum line_kind lineedit_ask(struct lineedit *e, const char *prompt)
{
	if (e->pasted)
		return pasted_read(e);
#if FRAY_READLINE
	if (e->edits)
		return edited_read(e, prompt);
#endif
	return plain_read(e, prompt, true);
}

enum line_kind lineedit_read(struct lineedit *e, const char *prompt)
{
	if (host_interrupted()) {
		/* nobody is there to be given another line */
		if (!e->terminal)
			return LINE_ABANDONED;
		/* the rest of a paste goes with the run it led to */
		free(e->pasted);
		e->pasted = NULL;
		host_clear_interrupt();
	}
	enum line_kind kind;
#if FRAY_READLINE
	if (e->edits) {
		kind = e->pasted ? pasted_read(e) : edited_read(e, prompt);
		if (kind == LINE_READ)
			history_keep(e->history, e->line);
		return kind;
	}
#endif
	kind = e->pasted ? pasted_read(e) : plain_read(e, prompt, false);
	return kind;
}

const char *lineedit_text(const struct lineedit *e)
{
	return e->line;
}
