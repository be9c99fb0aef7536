/* lineedit.c - see lineedit.h.
 *
 * GNU readline is driven through its callbacks and pselect, not through readline(): a Ctrl-C
 * between two keys must end the line at once, and one that comes while no line is read must
 * reach the run. Readline knows nothing but globals; `active` is the one editor it serves. */
#include "lang/app/lineedit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#include "lang/app/history.h"
#include "lang/app/host.h"

#if FRAY_READLINE
#include <readline/readline.h>
#include <readline/history.h>
#endif

enum { LINE_BYTES_MAX = 16 * 1024 * 1024 };

struct lineedit {
	struct fray *f;
	bool terminal;       /* standard input is one */
	bool edits;          /* readline is used */
	char *line;          /* the last one */
	size_t room;         /* of `line`, for getline */
	char *history;       /* path, or NULL */
	bool done;           /* readline has given `line`; NULL at the end of input */
};

/* ---- the plain reader ---- */

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
/* ---- readline ---- */

static struct lineedit *active;

static void line_given(char *line)
{
	rl_callback_handler_remove();
	free(active->line);
	active->line = line;
	active->done = true;
}

/* Waits for a key; false when a signal came instead. */
static bool wait_for_key(void)
{
	sigset_t held, before;
	fd_set keys;
	sigemptyset(&held);
	sigaddset(&held, SIGINT);
	FD_ZERO(&keys);
	FD_SET(STDIN_FILENO, &keys);
	/* held back until pselect sleeps, or it could be missed just before */
	sigprocmask(SIG_BLOCK, &held, &before);
	int n = -1;
	if (!host_interrupted() && !rl_pending_signal())
		n = pselect(STDIN_FILENO + 1, &keys, NULL, NULL, NULL, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return n > 0;
}

static enum line_kind edited_read(struct lineedit *e, const char *prompt)
{
	active = e;
	e->done = false;
	rl_outstream = isatty(STDOUT_FILENO) ? stdout : stderr;
	rl_callback_handler_install(prompt, line_given);
	while (!e->done) {
		if (wait_for_key())
			rl_callback_read_char();
		if (rl_pending_signal())
			rl_check_signals();
		if (host_interrupted() && !e->done) {
			rl_callback_sigcleanup();
			rl_callback_handler_remove();
			fputs("^C\n", rl_outstream);
			fflush(rl_outstream);
			return LINE_ABANDONED;
		}
	}
	if (!e->line) {
		fputc('\n', rl_outstream);
		fflush(rl_outstream);
		return LINE_END;
	}
	return LINE_READ;
}

/* ---- completion ---- */

struct offers {
	char **word; /* [0] is left free for what all have in common */
	int n, room;
};

static void take_offer(void *context, const char *word, const char *what)
{
	struct offers *o = context;
	(void)what;
	if (o->n + 2 >= o->room) {
		int room = o->room ? 2 * o->room : 64;
		char **grown = realloc(o->word, (size_t)room * sizeof *grown);
		if (!grown)
			return;
		o->word = grown;
		o->room = room;
	}
	char *copy = strdup(word);
	if (copy)
		o->word[++o->n] = copy;
}

/* What begins all of the offers; the typed letters stand for themselves in either case. */
static char *common_start(const struct offers *o)
{
	size_t n = strlen(o->word[1]);
	for (int i = 2; i <= o->n; i++) {
		size_t k = 0;
		while (k < n && o->word[1][k] == o->word[i][k])
			k++;
		n = k;
	}
	/* half a UTF-8 character is none */
	while (n && ((unsigned char)o->word[1][n] & 0xc0) == 0x80)
		n--;
	return strndup(o->word[1], n);
}

static char **complete(const char *text, int start, int end)
{
	struct offers o = {0};
	(void)start;
	/* after load " the names of files are meant, which readline knows itself */
	const char *quote = strchr(rl_line_buffer, '"');
	if (quote && quote < rl_line_buffer + end && !strchr(quote + 1, '"'))
		return NULL;
	rl_attempted_completion_over = 1;
	char *before = strndup(rl_line_buffer, (size_t)end);
	if (!before || !active->f) {
		free(before);
		return NULL;
	}
	fray_complete(active->f, before, take_offer, &o);
	free(before);
	if (o.n == 0) {
		free(o.word);
		return NULL;
	}
	o.word[0] = common_start(&o);
	if (o.word[0] && strlen(o.word[0]) < strlen(text)) {
		free(o.word[0]);
		o.word[0] = strdup(text);
	}
	o.word[o.n + 1] = NULL;
	return o.word;
}

static void readline_begin(struct lineedit *e)
{
	active = e;
	rl_readline_name = "fray";
	rl_attempted_completion_function = complete;
	rl_completer_word_break_characters = (char *)" \t(,\"";
	rl_completer_quote_characters = NULL;
	rl_persistent_signal_handlers = 1;
	if (e->history)
		history_read(e->history);
}
#endif

/* ---- both ---- */

struct lineedit *lineedit_open(struct fray *f, bool history)
{
	struct lineedit *e = calloc(1, sizeof *e);
	if (!e) {
		complain("there is not enough memory.");
		exit(EXIT_STOPPED);
	}
	e->f = f;
	e->terminal = isatty(STDIN_FILENO);
#if FRAY_READLINE
	const char *term = getenv("TERM");
	e->edits = e->terminal && term && strcmp(term, "dumb");
	if (history && e->edits)
		e->history = history_path();
	if (e->edits)
		readline_begin(e);
#else
	(void)history;
#endif
	return e;
}

void lineedit_close(struct lineedit *e)
{
#if FRAY_READLINE
	if (e->edits) {
		clear_history();
		rl_clear_signals();
		active = NULL;
	}
#endif
	free(e->history);
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
	host_clear_interrupt();
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
