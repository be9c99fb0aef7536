/* cmd_repl.c - fray repl, and fray -e: lines typed, piped, or given as words.
 *
 * What a line means is the library's business: this file reads lines, hands them over, and
 * says so when one is not finished. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lang/app/answer.h"
#include "lang/app/edit.h"
#include "lang/app/files.h"
#include "lang/app/host.h"
#include "lang/app/journal.h"
#include "lang/app/lineedit.h"
#include "lang/app/options.h"
#include "lang/app/shown.h"

/* How the prompt was asked for. */
struct manner { const char *rules, *script, *lines, *seed; uint64_t seed_number; int session; bool json, keep_going; };

static void complain_unfinished(struct fray *f)
{
	const char *awaited = fray_awaits(f);
	complain("the input ended too early: %s was still to come.", awaited && *awaited ? awaited : "the rest");
}

/* ---- dice asked for: a journal keeps what was answered, also while the command goes on ----
 *
 *   : step      the command that asks; then
 *   = 17 4 9    each line that was typed, and when all is played
 *   step        the command itself, as every other
 *
 * Who finds answers without the command knows that it was interrupted, or is to go on. */
struct asked_in { struct journal *journal; const char *line; bool begun; };

static void keep_line(struct journal *j, const char *mark, const char *line)
{
	struct text t = {0};
	text_add(&t, mark, strlen(mark));
	text_add(&t, line, strlen(line));
	text_add(&t, "\n", 1);
	journal_keep(j, t.data, t.length);
	text_free(&t);
}

static void keep_answer(void *context, const char *line)
{
	struct asked_in *a = context;
	if (!a->begun)
		keep_line(a->journal, ": ", a->line);
	a->begun = true;
	keep_line(a->journal, "= ", line);
}

/* Runs a line, the last of `unit`, and keeps what changed something. */
static enum fray_status run_line(struct host *h, struct fray *f, struct journal *journal, const char *line, const struct text *unit, bool goes_on)
{
	uint64_t before = fray_revision(f);
	struct text copy = {0}; /* the reader's own is gone when it reads an answer */
	text_add(&copy, line, strlen(line) + 1);
	struct asked_in asked = {journal, copy.data, goes_on};
	h->answered = journal ? keep_answer : NULL;
	h->answered_context = &asked;
	h->unanswered = false;
	enum fray_status status = fray_line(f, copy.data);
	h->answered = NULL;
	if (fray_revision(f) != before) {
		const bool whole = status != FRAY_INTERRUPTED && status != FRAY_WRONG &&
			status != FRAY_STOPPED; /* of "step; nonsense" the step was done */
		const char *done = whole ? unit->data : fray_interrupted_line(f);
		journal_keep(journal, done, whole ? unit->length : strlen(done));
	}
	if (status == FRAY_INTERRUPTED && asked.begun)
		journal_keep(journal, ":\n", 2); /* what else was answered counts no more */
	if (!h->given_now)
		h->given.length = h->given_at = 0;
	text_free(&copy);
	return status;
}

/* "17 4 9", or "3+5": what dice show. */
static bool is_dice(const char *line)
{
	bool any = false;
	for (; *line; line++) {
		if (!strchr("0123456789+ \t", *line))
			return false;
		any |= *line >= '0' && *line <= '9';
	}
	return any;
}

enum { IDLE_STEPS = 50 };

/* What dice show, typed where a command is expected: the fight goes on, step by step, for as long
 * as some are left. */
static enum fray_status run_dice(struct host *h, struct fray *f, struct journal *journal, const char *line)
{
	struct text unit = {0};
	enum fray_status status = FRAY_OK;
	int idle = 0;
	text_add(&unit, "step\n", 5);
	text_add(&unit, "", 1);
	unit.length--;
	h->given.length = h->given_at = 0;
	for (const char *p = line + strspn(line, " \t"); *p; p += strspn(p, " \t")) {
		size_t n = strcspn(p, " \t");
		text_add(&h->given, p, n);
		text_add(&h->given, "\n", 1);
		p += n;
	}
	h->given_now = true;
	while (h->given_at < h->given.length && (status == FRAY_OK || status == FRAY_EXPECTATION) && idle < IDLE_STEPS) {
		size_t at = h->given_at;
		uint64_t before = fray_revision(f);
		status = run_line(h, f, journal, "step", &unit, false);
		idle = h->given_at > at ? 0 : idle + 1;
		if (fray_revision(f) == before)
			break;
	}
	h->given_now = false;
	if (h->given_at < h->given.length && status != FRAY_INTERRUPTED) {
		char *last = h->given.data + h->given.length - 1;
		for (char *p = h->given.data + h->given_at; p < last; p++)
			*p = *p == '\n' ? ' ' : *p;
		*last = '\0';
		host_write(h, FRAY_PLAIN, "No die was left for: ");
		host_write(h, FRAY_PLAIN, h->given.data + h->given_at);
		host_write(h, FRAY_PLAIN, "\n");
	}
	h->given.length = h->given_at = 0;
	text_free(&unit);
	return status;
}

/* How many braces a text leaves open; texts in quotes and remarks count for nothing. */
static int open_braces(const char *text)
{
	int depth = 0;
	for (const char *p = text; *p; p++) {
		if (*p == '"')
			for (p++; *p && *p != '"' && *p != '\n'; p++)
				;
		else if (p[0] == '-' && p[1] == '-')
			p += strcspn(p, "\n");
		depth += (*p == '{') - (*p == '}');
		if (!*p)
			break;
	}
	return depth;
}

static void add_line(struct text *t, const char *line)
{
	text_add(t, line, strlen(line));
	text_add(t, "\n", 1);
}

/* A block that is wrong and was not typed by hand goes with all of its lines: what follows would be
 * read as something else. */
static void skip_block(struct lineedit *reader, struct text *unit)
{
	text_add(unit, "", 1);
	unit->length--;
	int depth = open_braces(unit->data);
	while (depth > 0 && (lineedit_pasting(reader) || !lineedit_at_terminal(reader)) &&
		lineedit_read(reader, NULL) == LINE_READ) {
		depth += open_braces(lineedit_text(reader));
		add_line(unit, lineedit_text(reader));
	}
}

/* ---- the last block, for `edit` ---- */

struct block {
	struct text text;
	bool edited;       /* it came from the editor, and its lines are being read */
	bool taken;        /* it was accepted */
	uint64_t revision; /* then; nothing was changed since while this is so */
};

static void block_note(
	struct block *b, struct fray *f, const struct text *unit, enum fray_status status)
{
	if (!b->edited && !memchr(unit->data, '{', unit->length))
		return;
	if (!b->edited) {
		b->text.length = 0;
		text_add(&b->text, unit->data, unit->length);
	}
	b->taken = status == FRAY_OK;
	b->revision = fray_revision(f);
}

static bool is_edit(const char *line)
{
	line += strspn(line, " \t");
	return !strncmp(line, "edit", 4) && !line[4 + strspn(line + 4, " \t\r")];
}

/* Opens the last block in the editor; its lines are read next. One that was taken in the fight, and
 * is the last thing done, is taken back first. */
static void block_edit(struct host *h, struct fray *f, struct journal *journal, struct block *b)
{
	struct text undo = {0};
	char *text = edit_text(b->text.data ? b->text.data : "", b->text.length);
	if (!text)
		return;
	const bool same = strlen(text) == b->text.length &&
		(!b->text.length || !memcmp(text, b->text.data, b->text.length));
	if (!text[strspn(text, " \t\r\n")] || (same && b->taken)) {
		printf("Nothing was changed.\n");
		free(text);
		return;
	}
	if (b->taken && *fray_place(f) && b->revision == fray_revision(f)) {
		add_line(&undo, "undo");
		run_line(h, f, journal, "undo", &undo, false);
		text_free(&undo);
	}
	b->text.length = 0;
	text_add(&b->text, text, strlen(text));
	b->edited = true;
	b->taken = false;
	fputs(text, stdout);
	lineedit_paste(h->reader, text);
	free(text);
}

/* Ctrl-D in the middle of a block: the block is left out, and the prompt stays. */
static void drop_unit(struct fray *f, struct text *unit, struct block *last)
{
	const size_t first = strcspn(unit->data, "\n");
	fray_abandon(f);
	block_note(last, f, unit, FRAY_MORE);
	printf("Left out, because its end was missing: %.*s%s\n", (int)first, unit->data,
		first + 1 < unit->length ? " .." : "");
	unit->length = 0;
	fflush(stdout);
}

/* Reads and runs lines until the input ends or the user leaves. */
static int loop(struct host *h, struct fray *f, struct journal *journal, const struct manner *as)
{
	enum fray_status status = FRAY_OK;
	struct text unit = {0}; /* the lines of the unit that is being typed */
	struct block last = {0};
	bool terminal = lineedit_at_terminal(h->reader);
	int worst = EXIT_FINE, answers = 0;
	for (;;) {
		last.edited = last.edited && lineedit_pasting(h->reader);
		enum line_kind kind = lineedit_read(h->reader, answer_prompt(h, f, status == FRAY_MORE));
		host_resized(h, f);
		if (kind == LINE_END && terminal && status == FRAY_MORE && unit.length) {
			drop_unit(f, &unit, &last);
			status = FRAY_OK;
			continue;
		}
		if (kind == LINE_END)
			break;
		if (kind == LINE_ABANDONED || kind == LINE_BAD) {
			fray_abandon(f);
			unit.length = 0;
			status = FRAY_OK;
			worst = kind == LINE_ABANDONED ? EXIT_INTERRUPTED : exit_worse(worst, EXIT_WRONG);
			if (kind == LINE_ABANDONED && !terminal)
				break;
			continue;
		}
		if (terminal && !unit.length && is_edit(lineedit_text(h->reader))) {
			block_edit(h, f, journal, &last);
			continue;
		}
		add_line(&unit, lineedit_text(h->reader));
		bool dice = unit.length == strlen(lineedit_text(h->reader)) + 1 && fray_asks(f) && is_dice(lineedit_text(h->reader));
		status = dice ? run_dice(h, f, journal, lineedit_text(h->reader)) : run_line(h, f, journal, lineedit_text(h->reader), &unit, false);
		if (as->json && status != FRAY_MORE)
			answer_print(h, f, ++answers, unit.data, unit.length, status);
		if (h->unanswered && !terminal) {
			complain("the input ended before all dice were told.");
			worst = exit_worse(worst, EXIT_WRONG);
			break;
		}
		if (status == FRAY_WRONG)
			skip_block(h->reader, &unit);
		if (status != FRAY_MORE) {
			block_note(&last, f, &unit, status);
			unit.length = 0;
		}
		if (ferror(stdout) || status == FRAY_QUIT)
			break;
		fflush(stdout);
		if (status == FRAY_INTERRUPTED && !terminal) {
			worst = EXIT_INTERRUPTED;
			break;
		}
		if (status != FRAY_MORE)
			worst = exit_worse(worst, exit_of(status));
	}
	text_free(&unit);
	text_free(&last.text);
	if (status == FRAY_MORE && !terminal) {
		complain_unfinished(f);
		worst = exit_worse(worst, EXIT_WRONG);
	}
	if (as->keep_going && worst != EXIT_INTERRUPTED)
		worst = EXIT_FINE;
	/* at a terminal mistakes were seen, and mended or not: they are nobody else's business */
	return terminal ? EXIT_FINE : worst;
}

enum { REPL_RULES, REPL_RESUME, REPL_SEED, REPL_JSON, REPL_KEEP_GOING, REPL_OPTIONS };

static const struct option repl_options[REPL_OPTIONS] = {
	[REPL_RULES] = {"rules", 0, "NAME[,HOUSE..]", "play by other rules than the script names"},
	[REPL_RESUME] = {"resume", 0, "[=N]", "continue where the last session at a terminal ended, or session N"},
	[REPL_SEED] = {"seed", 0, "N", "roll other dice; \"random\" takes a random seed [1]"},
	[REPL_JSON] = {"json", 0, NULL, "answer each line with one object on a line"},
	[REPL_KEEP_GOING] = {"keep-going", 0, NULL,
		"keep mistakes in lines out of the exit status"},
};

static const char repl_notes[] =
	"Lines are those of a script, and load, begin, step, run, why, show, undo ..; \"help\" lists them.\n"
	"Tab completes, Ctrl-C abandons a line or stops a run, Ctrl-D leaves; \"edit\" opens the last block in $EDITOR.\n"
	"Standard input may be a file or a pipe: then there is no prompt, and the exit status tells of mistakes.\n";

/* The lines of a journal, told to nobody. What asked for dice when the session ended is left
 * in `open`, its answers with the host: it is to go on. */
static void replay_lines(struct host *h, struct fray *f, const char *lines, struct text *open)
{
	struct text nowhere = {0};
	h->captured = &nowhere;
	h->reports = REPORT_HELD;
	h->only_given = true;
	for (const char *p = lines; *p;) {
		size_t n = strcspn(p, "\n");
		char *line = strndup(p, n);
		if (!line)
			break;
		if (*line == ':') {
			open->length = h->given.length = h->given_at = 0;
			if (n > 2)
				text_add(open, line + 2, n - 1);
		} else if (*line == '=') {
			text_add(&h->given, line + 2, n > 2 ? n - 2 : 0);
			text_add(&h->given, "\n", 1);
		} else {
			fray_line(f, line);
			open->length = h->given.length = h->given_at = 0;
		}
		free(line);
		nowhere.length = 0;
		p += n + (p[n] == '\n');
	}
	h->only_given = false;
	fray_abandon(f);
	host_forget(h);
	h->reports = REPORT_AT_ONCE;
	h->captured = NULL;
	text_free(&nowhere);
}

/* In the middle of a question: the command that asks it is run again with the answers it has. */
static void go_on(struct host *h, struct fray *f, struct journal *journal, const char *line)
{
	struct text unit = {0};
	text_add(&unit, line, strlen(line));
	text_add(&unit, "\n", 1);
	printf("%s, with the dice told so far:\n", line);
	run_line(h, f, journal, line, &unit, true);
	text_free(&unit);
	fflush(stdout);
}

static int repl(struct host *h, const struct manner *as)
{
	int status = EXIT_WRONG;
	struct text open = {0}, told = {0};
	struct fray *f = host_open(h, as->rules);
	if (!f)
		return EXIT_STOPPED;
	if (as->seed)
		fray_seed(f, as->seed_number);
	fray_lean(f, NULL);
	/* a script that is wrong leaves the prompt open: it can be mended and loaded again */
	enum fray_status loaded = as->script ? host_load(h, f, as->script) : FRAY_OK;
	h->reader = lineedit_open(f, true);
	h->edits = lineedit_edits(h->reader);
	bool terminal = lineedit_at_terminal(h->reader);
	h->asks_choices = terminal;
	if (terminal)
		printf("fray %s. \"help\" tells what can be typed, \"quit\" or Ctrl-D leaves.\n", FRAY_VERSION);
	if (as->lines) {
		replay_lines(h, f, as->lines, &open);
		const char *place = fray_place(f);
		if (!as->json)
			printf("Back in the last session%s%s.\n", *place ? ": " : "", place);
	}
	struct journal *journal = !terminal ? NULL : as->lines ? journal_again(as->session) : journal_new(as->script, as->rules, as->seed);
	h->silent = !terminal;
	if (as->json) {
		h->captured = &told;
		h->reports = REPORT_KEPT;
		fray_answers(f, FRAY_JSON);
	}
	if (open.length && terminal)
		go_on(h, f, journal, open.data);
	text_free(&open);
	if (loaded == FRAY_OK || terminal)
		status = loop(h, f, journal, as);
	h->captured = NULL;
	text_free(&told);
	journal_free(journal);
	lineedit_close(h->reader);
	h->reader = NULL;
	fray_close(f);
	return status;
}

/* The number of the session to continue: the one that was asked for (0: none was). Where there are
 * several, they are listed, and it is -1. */
static int session_meant(int asked)
{
	int number[SESSIONS_MOST], n = journal_sessions(number);
	for (int i = 0; i < n; i++)
		if (number[i] == asked)
			return asked;
	if (asked || n == 0) {
		complain(asked ? "there is no session %d that is not open." : "there is no session to continue.", asked);
		return -1;
	}
	if (n == 1)
		return number[0];
	complain("there are %d sessions to continue. Write: fray repl --resume=%d", n, number[0]);
	for (int i = 0; i < n; i++) {
		struct journal_read r;
		char when[32], line[600];
		if (!journal_read(&r, number[i]))
			continue;
		int lines = 0;
		for (const char *p = r.lines; *p; p++)
			lines += *p == '\n';
		journal_when(number[i], when, sizeof when);
		snprintf(line, sizeof line, "  %d  %s, %d line%s, %s\n", number[i], r.script ? r.script : "no script", lines, lines == 1 ? "" : "s", when);
		text_print_shown(stderr, line, strlen(line));
		journal_read_free(&r);
	}
	return -1;
}

int cmd_repl(const struct command *self, int argc, char **argv)
{
	struct options o;
	struct host host;
	struct journal_read last = {0};
	struct manner as = {.seed_number = 1};
	bool resume = false, random = false, ok = true;
	uint64_t session = 0;
	int which = 0;
	options_begin(&o, self, repl_options, REPL_OPTIONS, repl_notes, argc, argv);
	while (ok && (which = options_next(&o)) != OPTIONS_DONE) {
		switch (which) {
		case REPL_RULES:
			as.rules = o.value;
			break;
		case REPL_SEED:
			as.seed = o.value;
			ok = options_seed(&o, &as.seed_number, &random);
			break;
		case REPL_JSON:
			as.json = true;
			break;
		case REPL_KEEP_GOING:
			as.keep_going = true;
			break;
		case REPL_RESUME:
			resume = true;
			ok = !o.value || options_number(&o, 1, SESSIONS_MOST, &session);
			break;
		default:
			return options_status(which);
		}
	}
	if (!ok)
		return EXIT_WRONG;
	if (o.operands > 1) {
		complain("repl takes one script; load others at the prompt: load \"%s\"", o.operand[1]);
		return EXIT_WRONG;
	}
	if (o.operands && !strcmp(o.operand[0], "-")) {
		complain("standard input is where the prompt's lines come from; name a file.");
		return EXIT_WRONG;
	}
	if (resume && (o.operands || as.rules || as.seed)) {
		complain("--resume takes script, rules and seed from the last session; leave them out.");
		return EXIT_WRONG;
	}
	as.session = resume ? session_meant((int)session) : 0;
	if (as.session < 0)
		return EXIT_WRONG;
	if (resume && !journal_read(&last, as.session)) {
		complain("there is no session to continue.");
		return EXIT_WRONG;
	}
	if (last.folder && chdir(last.folder) != 0) {
		complain("the folder of the last session no longer exists: %s", last.folder);
		journal_read_free(&last);
		return EXIT_WRONG;
	}
	host_init(&host);
	host_catch_interrupts();
	char drawn[24]; /* a random seed as the number it was, for the journal */
	snprintf(drawn, sizeof drawn, "%llu", (unsigned long long)as.seed_number);
	if (random)
		as.seed = drawn;
	as.script = o.operands ? o.operand[0] : NULL;
	if (resume) {
		as.rules = last.rules;
		as.script = last.script;
		as.lines = last.lines;
		as.seed = last.seed;
		as.seed_number = last.seed ? strtoull(last.seed, NULL, 10) : 1;
	}
	int status = repl(&host, &as);
	host_free(&host);
	journal_read_free(&last);
	return status;
}

/* ---- fray -e ---- */

enum { LINE, LINE_RULES, LINE_OPTIONS };

static const struct option line_options[LINE_OPTIONS] = {
	[LINE] = {"line", 'e', "LINE", "run this line; you can give several"},
	[LINE_RULES] = {"rules", 0, "NAME[,HOUSE..]", "play by other rules than the script names"},
};

static const char line_notes[] =
	"FILE is loaded first. For example:\n"
	"  fray -e '3d6+1'\n"
	"  fray -e 'spread 4d6kh3'\n"
	"  fray -e 'begin' -e 'run' -e 'why' bridge.fray\n";

static int run_lines(struct fray *f, char **lines, int n)
{
	enum fray_status status = FRAY_OK;
	int worst = EXIT_FINE;
	for (int i = 0; i < n && status != FRAY_QUIT && status != FRAY_INTERRUPTED; i++) {
		status = fray_line(f, lines[i]);
		if (status != FRAY_MORE)
			worst = exit_worse(worst, exit_of(status));
	}
	if (status == FRAY_MORE) {
		complain_unfinished(f);
		worst = exit_worse(worst, EXIT_WRONG);
	}
	return worst;
}

int cmd_line(const struct command *self, int argc, char **argv)
{
	struct options o;
	struct host host;
	const char *rules = NULL;
	int which = 0, lines = 0, status = EXIT_WRONG;
	char **line = calloc((size_t)argc, sizeof *line);
	options_begin(&o, self, line_options, LINE_OPTIONS, line_notes, argc, argv);
	while (line && (which = options_next(&o)) >= 0) {
		if (which == LINE)
			line[lines++] = (char *)o.value;
		else
			rules = o.value;
	}
	if (!line || which != OPTIONS_DONE) {
		free(line);
		return line ? options_status(which) : EXIT_STOPPED;
	}
	if (o.operands > 1) {
		complain("-e takes one script, not %s as well.", o.operand[1]);
		free(line);
		return EXIT_WRONG;
	}
	host_init(&host);
	host_catch_interrupts();
	struct fray *f = host_open(&host, rules);
	if (f)
		fray_lean(f, NULL);
	if (f && (o.operands == 0 || host_load(&host, f, o.operand[0]) == FRAY_OK))
		status = run_lines(f, line, lines);
	fray_close(f);
	host_free(&host);
	free(line);
	return status;
}
