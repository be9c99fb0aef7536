/* cmd_repl.c - fray repl, and fray -e: lines typed, piped, or given as words.
 *
 * What a line means is the library's business: this file reads lines, hands them over, and
 * says so when one is not finished. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lang/app/files.h"
#include "lang/app/host.h"
#include "lang/app/journal.h"
#include "lang/app/lineedit.h"
#include "lang/app/options.h"

static const char prompt_first[] = "fray> ";
static const char prompt_more[] = "   .. ";

static void complain_unfinished(struct fray *f)
{
	const char *awaited = fray_awaits(f);
	complain("the input ended too early: %s was still to come.", awaited && *awaited ? awaited : "the rest");
}

/* Reads and runs lines until the input ends or the user leaves. */
static int loop(struct host *h, struct fray *f, struct journal *journal)
{
	enum fray_status status = FRAY_OK;
	struct text unit = {0}; /* the lines of the unit that is being typed */
	bool terminal = lineedit_at_terminal(h->reader);
	int worst = EXIT_FINE;
	for (;;) {
		enum line_kind kind = lineedit_read(h->reader, status == FRAY_MORE ? prompt_more : prompt_first);
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
		/* Ctrl-C during the line belongs to that line */
		host_clear_interrupt();
		uint64_t before = fray_revision(f);
		text_add(&unit, lineedit_text(h->reader), strlen(lineedit_text(h->reader)));
		text_add(&unit, "\n", 1);
		status = fray_line(f, lineedit_text(h->reader));
		if (fray_revision(f) != before) {
			const char *done = status == FRAY_INTERRUPTED ? fray_interrupted_line(f) : unit.data;
			journal_keep(journal, done, status == FRAY_INTERRUPTED ? strlen(done) : unit.length);
		}
		if (status != FRAY_MORE)
			unit.length = 0;
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
	if (status == FRAY_MORE && !terminal) {
		complain_unfinished(f);
		worst = exit_worse(worst, EXIT_WRONG);
	}
	/* at a terminal mistakes were seen, and mended or not: they are nobody else's business */
	return terminal ? EXIT_FINE : worst;
}

enum { REPL_RULES, REPL_RESUME, REPL_OPTIONS };

static const struct option repl_options[REPL_OPTIONS] = {
	[REPL_RULES] = {"rules", 0, "NAME[,HOUSE..]", "play by other rules than the script names"},
	[REPL_RESUME] = {"resume", 0, NULL, "go on where the last session at a terminal ended"},
};

static const char repl_notes[] =
	"Lines are those of a script, and load, begin, step, run, why, show, undo ..; \"help\" lists them.\n"
	"Tab completes, Ctrl-C abandons a line or stops a run, Ctrl-D leaves.\n"
	"Standard input may be a file or a pipe: then there is no prompt, and the exit status tells of mistakes.\n";

/* The lines of a journal, told to nobody. */
static void replay_lines(struct host *h, struct fray *f, const char *lines)
{
	struct text nowhere = {0};
	h->captured = &nowhere;
	h->reports = REPORT_HELD;
	for (const char *p = lines; *p;) {
		size_t n = strcspn(p, "\n");
		char *line = strndup(p, n);
		if (line)
			fray_line(f, line);
		free(line);
		nowhere.length = 0;
		p += n + (p[n] == '\n');
	}
	fray_abandon(f);
	host_forget(h);
	h->reports = REPORT_AT_ONCE;
	h->captured = NULL;
	text_free(&nowhere);
}

static int repl(struct host *h, const char *rules, const char *script, const char *lines)
{
	int status = EXIT_WRONG;
	struct fray *f = host_open(h, rules);
	if (!f)
		return EXIT_STOPPED;
	/* a script that is wrong leaves the prompt open: it can be mended and loaded again */
	enum fray_status loaded = script ? host_load(h, f, script) : FRAY_OK;
	h->reader = lineedit_open(f, true);
	bool terminal = lineedit_at_terminal(h->reader);
	h->asks_choices = terminal;
	if (terminal)
		printf("fray %s. \"help\" tells what can be typed, \"quit\" or Ctrl-D leaves.\n", FRAY_VERSION);
	if (lines) {
		replay_lines(h, f, lines);
		const char *place = fray_place(f);
		printf("Back in the last session%s%s.\n", *place ? ": " : "", place);
	}
	struct journal *journal = !terminal ? NULL : lines ? journal_again() : journal_new(script, rules);
	if (loaded == FRAY_OK || terminal)
		status = loop(h, f, journal);
	journal_free(journal);
	lineedit_close(h->reader);
	h->reader = NULL;
	fray_close(f);
	return status;
}

int cmd_repl(const struct command *self, int argc, char **argv)
{
	struct options o;
	struct host host;
	struct journal_read last = {0};
	const char *rules = NULL;
	bool resume = false;
	int which = 0;
	options_begin(&o, self, repl_options, REPL_OPTIONS, repl_notes, argc, argv);
	while ((which = options_next(&o)) != OPTIONS_DONE) {
		switch (which) {
		case REPL_RULES:
			rules = o.value;
			break;
		case REPL_RESUME:
			resume = true;
			break;
		default:
			return options_status(which);
		}
	}
	if (o.operands > 1) {
		complain("repl takes one script; load others at the prompt: load \"%s\"", o.operand[1]);
		return EXIT_WRONG;
	}
	if (o.operands && !strcmp(o.operand[0], "-")) {
		complain("standard input is where the prompt's lines come from; name a file.");
		return EXIT_WRONG;
	}
	if (resume && (o.operands || rules)) {
		complain("--resume takes script and rules from the last session; leave them out.");
		return EXIT_WRONG;
	}
	if (resume && !journal_read(&last)) {
		complain("there is no session to go on with.");
		return EXIT_WRONG;
	}
	if (last.folder && chdir(last.folder) != 0) {
		complain("the folder of the last session is not there any more: %s", last.folder);
		journal_read_free(&last);
		return EXIT_WRONG;
	}
	host_init(&host);
	host_catch_interrupts();
	int status = repl(&host, resume ? last.rules : rules, resume ? last.script : o.operands ? o.operand[0] : NULL, resume ? last.lines : NULL);
	host_free(&host);
	journal_read_free(&last);
	return status;
}

/* ---- fray -e ---- */

enum { LINE, LINE_RULES, LINE_OPTIONS };

static const struct option line_options[LINE_OPTIONS] = {
	[LINE] = {"line", 'e', "LINE", "run this line; may be given several times"},
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
	if (f && (o.operands == 0 || host_load(&host, f, o.operand[0]) == FRAY_OK))
		status = run_lines(f, line, lines);
	fray_close(f);
	host_free(&host);
	free(line);
	return status;
}
