/* gnu.c - see gnu.h.
 *
 * Readline is driven through its callbacks and pselect, not through readline(): a Ctrl-C
 * between two keys must end the line at once, and one that comes while no line is read must
 * reach the run. Readline knows nothing but globals, and so does what serves it here. */
#include "lang/app/gnu.h"

#if FRAY_READLINE

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <readline/readline.h>

#include "lang/app/host.h"
#include "lang/app/shown.h"

static struct {
	struct fray *f;  /* completes words; or NULL */
	char *line;      /* what was typed; NULL at the end of input */
	bool done;
} active;

static void line_given(char *line)
{
	rl_callback_handler_remove();
	active.line = line;
	active.done = true;
}

/* Readline ends the line itself when it has to switch bracketed paste off. */
static void end_of_input(void)
{
#if RL_READLINE_VERSION >= 0x0802
	const char *value = rl_variable_value("enable-bracketed-paste");
	if (value && !strcmp(value, "on"))
		return;
#endif
	fputc('\n', rl_outstream);
	fflush(rl_outstream);
}

/* Keys are taken without blocking: a Ctrl-C throws away what was typed before it, also what
 * lineedit_wait has just seen, and a read() that blocks inside readline would not end for it. */
static void prepare_terminal(int meta)
{
	struct termios keys;
	rl_prep_terminal(meta);
	if (tcgetattr(fileno(rl_instream), &keys) == 0) {
		keys.c_cc[VMIN] = 0;
		keys.c_cc[VTIME] = 0;
		tcsetattr(fileno(rl_instream), TCSANOW, &keys);
	}
}

/* The next byte typed; EOF after a Ctrl-C, and when the terminal is gone: then it is readable
 * and yet gives nothing, time and again. */
static int next_key(FILE *in)
{
	enum { NOTHING_MAX = 3 };
	unsigned char key;
	for (int nothing = 0; nothing < NOTHING_MAX;) {
		if (lineedit_wait(rl_pending_signal)) {
			ssize_t got = read(fileno(in), &key, 1);
			if (got == 1)
				return key;
			if (got == 0 || errno != EINTR)
				nothing++;
		}
		if (host_interrupted())
			break;
		if (rl_pending_signal())
			rl_check_signals();
	}
	return EOF;
}

enum line_kind gnu_read(const char *prompt, char **line)
{
	active.line = NULL;
	active.done = false;
	rl_outstream = isatty(STDOUT_FILENO) ? stdout : stderr;
	rl_callback_handler_install(prompt, line_given);
	while (!active.done) {
		/* Ctrl-C is kept from readline, which in the middle of a search drops the search and
		 * then goes on with it; after a stop (Ctrl-Z) readline has set its own handler again */
		host_catch_interrupts();
		if (lineedit_wait(rl_pending_signal))
			rl_callback_read_char();
		if (rl_pending_signal())
			rl_check_signals();
		if (host_interrupted()) {
			if (!active.done) {
				rl_callback_sigcleanup();
				rl_callback_handler_remove();
			}
			free(active.line);
			fputs("^C\n", rl_outstream);
			fflush(rl_outstream);
			return LINE_ABANDONED;
		}
	}
	*line = active.line;
	if (!*line)
		end_of_input();
	return *line ? LINE_READ : LINE_END;
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
	if (!text_is_plain(word, strlen(word)))
		return; /* the list would send it to the terminal */
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

/* Scripts of this folder that begin so: what readline asks for one by one. */
static char *next_script(const char *text, int state)
{
	static int files;
	char *name;
	files = state ? files : 0;
	while ((name = rl_filename_completion_function(text, files++))) {
		size_t n = strlen(name);
		if (n > 5 && !strcmp(name + n - 5, ".fray") && text_is_plain(name, n))
			return name;
		free(name);
	}
	return NULL;
}

static char **complete(const char *text, int start, int end)
{
	struct offers o = {0};
	(void)start;
	rl_attempted_completion_over = 1;
	/* after load " the names of scripts are meant; within other quotes anything may stand */
	const char *quote = strchr(rl_line_buffer, '"');
	if (quote && quote < rl_line_buffer + end && !strchr(quote + 1, '"')) {
		const char *line = rl_line_buffer + strspn(rl_line_buffer, " \t");
		return !strncmp(line, "load ", 5) || !strncmp(line, "save ", 5) ? rl_completion_matches(text, next_script) : NULL;
	}
	char *before = strndup(rl_line_buffer, (size_t)end);
	if (!before || !active.f) {
		free(before);
		return NULL;
	}
	fray_complete(active.f, before, take_offer, &o);
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

/* Up and Down seek lines that begin as the one that is being typed; keys that an inputrc gives
 * another meaning keep it. */
static void bind_history(void)
{
	static const struct {
		const char *keys;
		rl_command_func_t *usual, *seeks;
	} bound[] = {
		{"\033[A", rl_get_previous_history, rl_history_search_backward},
		{"\033OA", rl_get_previous_history, rl_history_search_backward},
		{"\033[B", rl_get_next_history, rl_history_search_forward},
		{"\033OB", rl_get_next_history, rl_history_search_forward},
	};
	for (size_t i = 0; i < sizeof bound / sizeof *bound; i++)
		if (rl_function_of_keyseq(bound[i].keys, NULL, NULL) == bound[i].usual)
			rl_bind_keyseq(bound[i].keys, bound[i].seeks);
}

void gnu_begin(struct fray *f)
{
	active.f = f;
	rl_readline_name = "fray";
	rl_variable_bind("blink-matching-paren", "on"); /* an inputrc comes later, and may say no */
	rl_initialize();
	bind_history();
	rl_attempted_completion_function = complete;
	rl_completer_word_break_characters = (char *)" \t(,\"";
	rl_completer_quote_characters = NULL;
	rl_persistent_signal_handlers = 1;
	rl_prep_term_function = prepare_terminal;
	rl_getc_function = next_key;
}

void gnu_end(void)
{
	active.f = NULL;
	rl_clear_signals();
}

#endif
