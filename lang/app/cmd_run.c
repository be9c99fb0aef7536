/* cmd_run.c - fray run: plays a fight and tells it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/app/budget.h"
#include "lang/app/files.h"
#include "lang/app/host.h"
#include "lang/app/lineedit.h"
#include "lang/app/options.h"

enum { SEED, DICE, RULES, JSON, TIMELINE, BRIEF, WHY, MAX_ROUNDS, REPLAY, SANDBOX, RUN_OPTIONS };

static const struct option run_options[RUN_OPTIONS] = {
	[SEED] = {"seed", 0, "N", "roll other dice; \"random\" takes a random seed [1]"},
	[DICE] = {"dice", 0, "WHO", "roll, or ask: type what the real dice show [roll]"},
	[RULES] = {"rules", 0, "NAME[,HOUSE..]", "play by other rules than the script names"},
	[JSON] = {"json", 0, NULL, "print one object a line for each event"},
	[TIMELINE] = {"timeline", 0, NULL, "draw each round as a picture"},
	[BRIEF] = {"brief", 0, NULL, "tell each round in a line"},
	[WHY] = {"why", 0, "[=full]",
		"also tell the figures and rules that decided; full: all of them"},
	[MAX_ROUNDS] = {"max-rounds", 0, "N", "stop after N rounds [1000]"},
	[REPLAY] = {"replay", 0, "LOG", "play again what --json wrote, with its dice"},
	[SANDBOX] = {"sandbox", 0, NULL, "shut the run in: it can read the script's folder, and no more"},
};

static const char notes[] =
	"Without ENCOUNTER every encounter of the file is played, one after another.\n"
	"The same script and seed always give the same fight.\n"
	"With --dice=ask, Return lets Fray roll that die.\n";

struct run {
	struct host host;
	struct fray *f;
	struct fray_run_options options;
	enum fray_form form;
	bool random_seed, sandbox;
	char *log;           /* to be replayed, or NULL */
	size_t log_length;
};

static bool take_form(struct run *r, enum fray_form form)
{
	if (r->form != FRAY_STORY && r->form != form) {
		complain("--json, --timeline, --brief and --why are ways to tell a fight: choose one.");
		return false;
	}
	r->form = form;
	return true;
}

static bool take_seed(struct run *r, const struct options *o)
{
	return options_seed(o, &r->options.seed, &r->random_seed);
}

static bool take_dice(struct run *r, const struct options *o)
{
	if (strcmp(o->value, "ask") && strcmp(o->value, "roll")) {
		complain("--dice is ask or roll, not \"%s\".", o->value);
		return false;
	}
	r->options.ask = !strcmp(o->value, "ask");
	return true;
}

static void tell_expectations(struct run *r)
{
	struct fray_tally t = fray_result(r->f);
	int all = t.expects_passed + t.expects_failed;
	char line[80];
	if (all == 0 || r->form == FRAY_JSON)
		return;
	if (t.expects_failed)
		snprintf(line, sizeof line, "%d of %d expectations failed.\n", t.expects_failed, all);
	else
		snprintf(line, sizeof line, all == 1 ? "The expectation holds.\n" : "All %d expectations hold.\n", all);
	host_write(&r->host, t.expects_failed ? FRAY_BAD : FRAY_GOOD, line);
}

/* The table sees each group of acts when it has happened, before the next dice are asked. */
static enum fray_status play_asking(struct run *r)
{
	enum fray_status status = FRAY_OK;
	bool over = false;
	while (!over && (status == FRAY_OK || status == FRAY_EXPECTATION)) {
		status = fray_step(r->f, &over);
		fray_tell_new(r->f, r->form);
		host_release(&r->host);
	}
	return status;
}

static enum fray_status play(struct run *r, const char *encounter)
{
	enum fray_status status;
	if (r->log) {
		status = fray_replay(r->f, r->log, r->log_length);
	} else {
		status = fray_begin(r->f, encounter, &r->options);
		if (status != FRAY_OK)
			return status;
		/* what is reported during the fight is printed after its story */
		r->host.reports = REPORT_HELD;
		if (r->options.ask && (r->form == FRAY_STORY || r->form == FRAY_STORY_WHY || r->form == FRAY_STORY_FULL))
			status = play_asking(r);
		else
			status = fray_run(r->f);
		r->host.reports = REPORT_AT_ONCE;
	}
	if (!r->options.ask || r->form == FRAY_JSON || r->form == FRAY_TIMELINE || r->form == FRAY_BRIEF)
		fray_tell(r->f, r->form);
	host_release(&r->host);
	tell_expectations(r);
	return status;
}

static int play_all(struct run *r)
{
	int worst = EXIT_FINE;
	int n = fray_encounters(r->f);
	for (int i = 0; i < n && worst != EXIT_INTERRUPTED; i++) {
		char *name = strdup(fray_encounter(r->f, i));
		if (!name)
			return EXIT_STOPPED;
		if (r->form != FRAY_JSON) {
			host_write(&r->host, FRAY_PLAIN, i ? "\n" : "");
			host_write(&r->host, FRAY_HEADING, name);
			host_write(&r->host, FRAY_PLAIN, "\n");
		}
		worst = exit_worse(worst, exit_of(play(r, name)));
		free(name);
	}
	return worst;
}

/* How much of a log is one fight: what stands before the line with which the next begins. */
static size_t one_fight(const char *log, size_t length)
{
	static const char begins[] = "{\"event\":\"run\",\"kind\":\"run\",";
	for (size_t i = 1; i + sizeof begins <= length; i++)
		if (log[i - 1] == '\n' && !memcmp(log + i, begins, sizeof begins - 1))
			return i;
	return length;
}

/* A log of several fights is played fight by fight. */
static int replay_all(struct run *r)
{
	char *log = r->log;
	size_t left = r->log_length;
	int worst = EXIT_FINE;
	do {
		if (r->log != log && r->form != FRAY_JSON)
			host_write(&r->host, FRAY_PLAIN, "\n");
		r->log_length = one_fight(r->log, left);
		worst = exit_worse(worst, exit_of(play(r, NULL)));
		left -= r->log_length;
		r->log += r->log_length;
	} while (left && worst != EXIT_WRONG && worst != EXIT_INTERRUPTED);
	r->log = log;
	return worst;
}

static int run_file(struct run *r, const struct options *o)
{
	struct text name = {0};
	int status;
	if (host_load(&r->host, r->f, o->operand[0]) != FRAY_OK)
		return EXIT_WRONG;
	if (r->random_seed && r->form != FRAY_JSON) {
		char line[40];
		snprintf(line, sizeof line, "seed %llu\n", (unsigned long long)r->options.seed);
		host_write(&r->host, FRAY_DIM, line);
	}
	/* an encounter's name may be several words */
	text_add_words(&name, o->operand + 1, o->operands - 1);
	if (r->log)
		status = replay_all(r);
	else if (o->operands > 1)
		status = exit_of(play(r, name.data));
	else if (fray_encounters(r->f) <= 1)
		status = exit_of(play(r, NULL));
	else
		status = play_all(r);
	text_free(&name);
	return status;
}

int cmd_run(const struct command *self, int argc, char **argv)
{
	struct options o;
	struct run r;
	const char *rules = NULL, *log = NULL;
	bool ok = true;
	int which, status = EXIT_WRONG;
	uint64_t rounds;
	memset(&r, 0, sizeof r);
	r.form = FRAY_STORY;
	r.options.seed = 1;
	options_begin(&o, self, run_options, RUN_OPTIONS, notes, argc, argv);
	while (ok && (which = options_next(&o)) != OPTIONS_DONE) {
		switch (which) {
		case SEED:
			ok = take_seed(&r, &o);
			break;
		case DICE:
			ok = take_dice(&r, &o);
			break;
		case RULES:
			rules = o.value;
			break;
		case JSON:
			ok = take_form(&r, FRAY_JSON);
			break;
		case TIMELINE:
			ok = take_form(&r, FRAY_TIMELINE);
			break;
		case BRIEF:
			ok = take_form(&r, FRAY_BRIEF);
			break;
		case WHY:
			ok = take_form(&r, o.value ? FRAY_STORY_FULL : FRAY_STORY_WHY);
			break;
		case MAX_ROUNDS:
			ok = options_number(&o, 1, 1000000, &rounds);
			if (ok)
				r.options.max_rounds = (int64_t)rounds;
			break;
		case REPLAY:
			log = o.value;
			break;
		case SANDBOX:
			r.sandbox = true;
			break;
		default:
			return options_status(which);
		}
	}
	if (!ok)
		return EXIT_WRONG;
	if (o.operands < 1)
		return options_missing(&o, "a script");
	bool from_input = !strcmp(o.operand[0], "-");
	if (from_input && (r.options.ask || (log && !strcmp(log, "-")))) {
		complain("standard input cannot be the script and something else too; name a file.");
		return EXIT_WRONG;
	}
	if (log && !(r.log = file_read(log, &r.log_length)))
		return EXIT_WRONG;
	host_init(&r.host);
	r.host.plays = true;
	r.host.sandbox = r.sandbox;
	host_catch_interrupts();
	if (r.options.ask)
		budget_asked(); /* a table takes its time */
	if (r.options.ask)
		r.host.reader = lineedit_open(NULL, false);
	r.f = host_open(&r.host, rules);
	if (r.f)
		fray_lean(r.f, NULL);
	if (r.f)
		status = run_file(&r, &o);
	fray_close(r.f);
	if (r.host.reader)
		lineedit_close(r.host.reader);
	host_free(&r.host);
	free(r.log);
	return host_interrupted() ? EXIT_INTERRUPTED : status;
}
