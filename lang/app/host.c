/* host.c - see host.h. */
#include "lang/app/host.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "lang/app/budget.h"
#include "lang/app/files.h"
#include "lang/app/json_out.h"
#include "lang/app/lineedit.h"
#include "lang/app/pager.h"
#include "lang/app/sandbox.h"
#include "lang/app/shown.h"

enum { UNANSWERED_SECONDS = 2 };

/* The only things of the command that a signal can reach. */
static atomic_int interrupted_once; /* the threads of odds ask for it */
static struct timespec first_interrupt;

/* ---- small things ---- */

void complain(const char *format, ...)
{
	va_list args;
	char said[1000]; /* names of files and of encounters stand in it */
	struct text shown = {0};
	fflush(stdout);
	va_start(args, format);
	vsnprintf(said, sizeof said, format, args);
	va_end(args);
	text_add_shown(&shown, said, strlen(said));
	fprintf(stderr, "fray: %.*s\n", (int)shown.length, shown.data);
	text_free(&shown);
}

void text_add(struct text *t, const char *data, size_t length)
{
	if (t->room - t->length < length) {
		size_t room = t->room ? 2 * t->room : 256;
		while (room - t->length < length)
			room *= 2;
		char *grown = realloc(t->data, room);
		if (!grown) {
			budget_out_of_memory();
		}
		t->data = grown;
		t->room = room;
	}
	if (length)
		memcpy(t->data + t->length, data, length);
	t->length += length;
}

void text_add_words(struct text *t, char *const *words, int n)
{
	for (int i = 0; i < n; i++) {
		text_add(t, " ", i ? 1 : 0);
		text_add(t, words[i], strlen(words[i]));
	}
	text_add(t, "", 1);
}

void text_free(struct text *t)
{
	free(t->data);
	memset(t, 0, sizeof *t);
}

int exit_of(enum fray_status status)
{
	switch (status) {
	case FRAY_OK:
	case FRAY_QUIT:
		return EXIT_FINE;
	case FRAY_EXPECTATION:
		return EXIT_EXPECTATION;
	case FRAY_STOPPED:
		return EXIT_STOPPED;
	case FRAY_INTERRUPTED:
		return EXIT_INTERRUPTED;
	case FRAY_WRONG:
	case FRAY_MORE:
		break;
	}
	return EXIT_WRONG;
}

int exit_worse(int a, int b)
{
	return a > b ? a : b;
}

/* Whether nobody reads standard output any more, as when it went to head(1). */
static bool reader_gone(void)
{
	struct pollfd out = {STDOUT_FILENO, POLLOUT, 0};
	return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

int host_finish(int status)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (errno == EPIPE || reader_gone()) { /* ends as other commands do, without a message */
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	complain("cannot write the output: %s.", errno ? strerror(errno) : "an earlier write failed");
	return exit_worse(status, EXIT_WRONG);
}

/* ---- Ctrl-C ---- */

static void note_interrupt(int signal_number)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!interrupted_once) {
		first_interrupt = now;
		interrupted_once = 1;
		return;
	}
	/* Patience has an end: one that went unanswered for a while ends the process. A key held
	 * down, or readline passing on what came twice, is still the first one. */
	if (now.tv_sec - first_interrupt.tv_sec >= UNANSWERED_SECONDS) {
		signal(signal_number, SIG_DFL);
		raise(signal_number);
	}
}

void host_catch_interrupts(void)
{
	struct sigaction act;
	memset(&act, 0, sizeof act);
	act.sa_handler = note_interrupt;
	sigemptyset(&act.sa_mask);
	sigaction(SIGINT, &act, NULL); /* no SA_RESTART: reading a line is to end */
}

bool host_interrupted(void)
{
	return interrupted_once != 0;
}

void host_clear_interrupt(void)
{
	interrupted_once = budget_time_is_up();
}

void host_interrupt(void)
{
	interrupted_once = 1;
}

/* ---- output ---- */

static const char *colour_of(enum fray_style style)
{
	switch (style) {
	case FRAY_HEADING:
	case FRAY_NAME:
		return "\033[1m";
	case FRAY_TIME:
		return "\033[36m";
	case FRAY_DIE:
		return "\033[33m";
	case FRAY_GOOD:
		return "\033[32m";
	case FRAY_BAD:
		return "\033[31m";
	case FRAY_CITE:
	case FRAY_DIM:
		return "\033[2m";
	case FRAY_PLAIN:
		break;
	}
	return NULL;
}

static void write_text(void *context, enum fray_style style, const char *text, size_t length)
{
	const struct host *h = context;
	if (!text_is_plain(text, length)) {
		struct text shown = {0};
		text_add_shown(&shown, text, length);
		write_text(context, style, shown.data, shown.length);
		text_free(&shown);
		return;
	}
	const char *colour = h->colour ? colour_of(style) : NULL;
	budget_written(length);
	if (h->captured) {
		text_add(h->captured, text, length);
		return;
	}
	if (h->before)
		h->before(h->before_context);
	/* what fails is remembered by the stream and said by host_finish */
	if (colour)
		fputs(colour, stdout);
	fwrite(text, 1, length, stdout);
	if (colour)
		fputs("\033[0m", stdout);
}

void host_write(struct host *h, enum fray_style style, const char *text)
{
	write_text(h, style, text, strlen(text));
}

/* The first line, the sentence, stands out at a terminal. */
static void print_diagnostic(const struct host *h, const char *said)
{
	struct text shown = {0};
	text_add_shown(&shown, said, strlen(said));
	text_add(&shown, "", 1);
	const char *text = shown.data;
	fflush(stdout);
	size_t sentence = strcspn(text, "\n");
	if (h->colour_errors)
		fprintf(stderr, "\033[1m%.*s\033[0m%s", (int)sentence, text, text + sentence);
	else
		fputs(text, stderr);
	text_free(&shown);
}

static void keep_as_json(struct host *h, const struct fray_diagnostic *d)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	if (!out)
		return;
	json_put_diagnostic(out, d);
	fputc('\n', out);
	fclose(out);
	text_add(&h->held, text, length);
	free(text);
}

static void report(void *context, const struct fray_diagnostic *d)
{
	struct host *h = context;
	if (h->plays && !strcmp(d->code, "F0371"))
		return;
	switch (h->reports) {
	case REPORT_AT_ONCE:
		print_diagnostic(h, d->text);
		break;
	case REPORT_HELD:
		text_add(&h->held, d->text, strlen(d->text));
		text_add(&h->held, "", 1);
		break;
	case REPORT_JSON:
		json_print_diagnostic(d);
		break;
	case REPORT_KEPT:
		keep_as_json(h, d);
		break;
	}
}

void host_release(struct host *h)
{
	for (size_t at = 0; at < h->held.length; at += strlen(h->held.data + at) + 1)
		print_diagnostic(h, h->held.data + at);
	host_forget(h);
}

void host_forget(struct host *h)
{
	h->held.length = 0;
}

/* ---- what the interpreter asks for ---- */

static char *find_module(void *context, const char *name, const char *from, size_t *length)
{
	struct host *h = context;
	char *beside = h->below && !strchr(name, '/') ? file_read_module(h->below, name, length) : NULL;
	if (beside)
		return beside;
	(void)from; /* everything a script uses stands beside the script itself */
	char *text = file_read_module(h->folder, name, length);
	if (text && strchr(name, '/')) {
		free(h->below);
		h->below = file_below(h->folder, name);
	}
	return text;
}

/* The next answer of the journal: a text of its own until the next call. */
static const char *given_line(struct host *h)
{
	char *line = h->given.data + h->given_at, *end = memchr(line, '\n', h->given.length - h->given_at);
	if (!end)
		return NULL;
	*end = '\0';
	h->given_at = (size_t)(end - h->given.data) + 1;
	return line;
}

static const char *ask_die(void *context, const char *prompt, const char *problem)
{
	struct host *h = context;
	if (problem && h->given_now)
		h->given_at = h->given.length; /* one of them will not do: the rest was meant for other dice */
	const char *given = h->given_at < h->given.length ? given_line(h) : NULL;
	if (given && h->given_now && h->answered)
		h->answered(h->answered_context, given);
	if (given)
		return given;
	if (!h->reader || h->only_given)
		return NULL;
	fflush(stdout);
	if (problem)
		fprintf(stderr, "%s\n", problem);
	struct text asked = {0};
	text_add_shown(&asked, prompt, strlen(prompt));
	text_add(&asked, "", 1);
	enum line_kind kind = lineedit_ask(h->reader, h->silent ? NULL : asked.data);
	text_free(&asked);
	h->unanswered = kind == LINE_END;
	if (kind != LINE_READ)
		return NULL;
	if (h->answered)
		h->answered(h->answered_context, lineedit_text(h->reader));
	return lineedit_text(h->reader);
}

static bool among(const char *answer, const char *const *options, int n)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(answer, options[i]))
			return true;
	return false;
}

static const char *ask_choice(void *context, const char *prompt, const char *const *options, int n)
{
	struct host *h = context;
	struct text whole = {0};
	const char *answer = NULL;
	if (!h->reader || !h->asks_choices)
		return NULL;
	text_add_shown(&whole, prompt, strlen(prompt));
	text_add(&whole, " (", 2);
	for (int i = 0; i < n; i++) {
		text_add(&whole, ", ", i ? 2 : 0);
		text_add_shown(&whole, options[i], strlen(options[i]));
	}
	text_add(&whole, "): ", 4);
	fflush(stdout);
	while (lineedit_ask(h->reader, whole.data) == LINE_READ) {
		answer = lineedit_text(h->reader);
		if (!*answer || among(answer, options, n))
			break;
		fprintf(stderr, "Please answer with one of the words, or Return for the usual.\n");
		answer = NULL;
	}
	text_free(&whole);
	return answer && *answer ? answer : NULL;
}

static const char *save(void *context, const char *name, const char *text, size_t length)
{
	struct host *h = context;
	struct text said = {0};
	bool kept = false;
	const char *why = file_save(name, text, length, &kept);
	if (kept) {
		text_add(&said, "The ", 4);
		text_add(&said, name, strlen(name));
		text_add(&said, " that was there is now ", 23);
		text_add(&said, name, strlen(name));
		text_add(&said, ".old.\n", 7);
		host_write(h, FRAY_PLAIN, said.data);
	}
	text_free(&said);
	return why;
}

static bool interrupted(void *context)
{
	(void)context;
	return host_interrupted();
}

/* ---- a life ---- */

static enum colours colours; /* what --color said */

void host_colours(enum colours when)
{
	colours = when;
}

static bool shows_colours(int fd)
{
	if (colours != COLOURS_AUTO)
		return colours == COLOURS_ALWAYS;
	const char *refused = getenv("NO_COLOR"), *term = getenv("TERM");
	const bool terminal = isatty(fd) || (fd == STDOUT_FILENO && pager_runs());
	return terminal && !(refused && *refused) && term && strcmp(term, "dumb");
}

/* The columns of the terminal; 0: there is none. */
static int columns(void)
{
	struct winsize size;
	const int shown = pager_runs() ? STDIN_FILENO
				       : STDOUT_FILENO; /* it shows on this terminal */
	return isatty(shown) && ioctl(shown, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void host_init(struct host *h)
{
	memset(h, 0, sizeof *h);
	h->colour = shows_colours(STDOUT_FILENO);
	h->colour_errors = shows_colours(STDERR_FILENO);
	h->width = columns();
}

void host_resized(struct host *h, struct fray *f)
{
	const int width = columns();
	if (width != h->width)
		fray_width(f, width);
	h->width = width;
}

void host_free(struct host *h)
{
	text_free(&h->held);
	text_free(&h->given);
	free(h->folder);
	free(h->below);
	h->folder = h->below = NULL;
}

struct fray *host_open(struct host *h, const char *rules)
{
	const char *native = getenv("FRAY_NATIVE");
	struct fray_config config;
	memset(&config, 0, sizeof config);
	config.abi = FRAY_ABI;
	config.context = h;
	config.report = report;
	config.write = write_text;
	config.module = find_module;
	config.ask_die = ask_die;
	config.ask_choice = ask_choice;
	config.interrupted = interrupted;
	config.save = save;
	config.width = h->width;
	config.no_native = native && !strcmp(native, "0");
	struct fray *f = fray_open(&config);
	if (!f) {
		complain("there is not enough memory.");
		return NULL;
	}
	if (rules)
		fray_rules(f, rules);
	return f;
}

enum fray_status host_load(struct host *h, struct fray *f, const char *path)
{
	size_t length;
	char *text = file_read(path, &length);
	if (!text)
		return FRAY_WRONG;
	free(h->folder);
	h->folder = file_folder(path);
	const char *open = h->sandbox ? sandbox_enter(h->folder) : NULL;
	if (open) {
		complain("there is no sandbox here: %s.", open);
		free(text);
		return FRAY_WRONG;
	}
	enum fray_status status = fray_load(f, strcmp(path, "-") ? path : "standard input", text, length);
	free(text);
	return status;
}
