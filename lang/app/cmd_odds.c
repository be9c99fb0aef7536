/* cmd_odds.c - fray odds: how likely, sampled on every core or exact. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lang/app/files.h"
#include "lang/app/host.h"
#include "lang/app/options.h"

enum { TRIALS, WITHIN, EXACT, THREADS, SEED, RULES, STATES, MAX_ROUNDS, JSON, CSV, REPORT, TRIAL, SENSITIVITY, ODDS_OPTIONS };

static const struct option odds_options[ODDS_OPTIONS] = {
	[TRIALS] = {"trials", 0, "N", "sample so many fights [10000]"},
	[WITHIN] = {"within", 0, "P%", "sample until every chance is known to +- P %"},
	[EXACT] = {"exact", 0, NULL, "count every way the dice can fall"},
	[THREADS] = {"threads", 0, "N", "work on N threads; the answer is the same [all processors]"},
	[SEED] = {"seed", 0, "N", "sample other fights [1]"},
	[RULES] = {"rules", 0, "NAME[,HOUSE..]", "play by other rules than the script names"},
	[STATES] = {"states", 0, "N", "worlds an exact answer may hold at once [2000000]"},
	[MAX_ROUNDS] = {"max-rounds", 0, "N", "stop each fight after so many rounds [1000]"},
	[JSON] = {"json", 0, NULL, "one object a line for each question"},
	[CSV] = {"csv", 0, NULL, "one line for each figure"},
	[REPORT] = {"report", 0, "FILE.html", "also write a page with plots, to look at, print or pass on"},
	[SENSITIVITY] = {"sensitivity", 0, NULL, "turn each option of the rules: which of them matters here"},
	[TRIAL] = {"trial", 0, "K", "tell fight number K of the sample as a story"},
};

static const char notes[] =
	"Without --trials, --within or --exact the answer is exact where the fight is small enough,\n"
	"and sampled otherwise; it says which. After who wins and survives come the questions of the\n"
	"script: odds .., sweep .., expect odds ...\n"
	"The same seed gives the same sample. Ctrl-C tells what is known by then.\n";

enum { SHOW_AFTER = 1, SHOW_EVERY_MS = 200 };

struct odds {
	struct host host;
	struct fray *f;
	struct fray_odds_options options;
	const char *report, *rules, *within; /* as given, or NULL */
	bool one_trial, sensitivity, shown;
	uint64_t trial;
	struct timespec begun, last;
};

/* The callback's context is the host, the first member. */
static double since(const struct timespec *then)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

static void clear_progress(struct odds *o)
{
	if (o->shown)
		fputs("\r\033[K", stderr);
	o->shown = false;
}

static void progress(void *context, uint64_t done, uint64_t of)
{
	struct odds *o = context;
	double seconds = since(&o->begun);
	if (done == 0) {
		clock_gettime(CLOCK_MONOTONIC, &o->begun);
		return;
	}
	if (seconds < SHOW_AFTER || (o->shown && since(&o->last) * 1000 < SHOW_EVERY_MS))
		return;
	double rate = (double)done / seconds;
	clock_gettime(CLOCK_MONOTONIC, &o->last);
	fprintf(stderr, "\r%llu of %llu fights, %.0f a second, %.0f s left\033[K", (unsigned long long)done, (unsigned long long)of, rate,
	        rate > 0 ? (double)(of - done) / rate : 0);
	fflush(stderr);
	o->shown = true;
}

static bool take_within(struct odds *o, const char *value)
{
	char *end;
	double x = strtod(value, &end);
	bool per_cent = *end == '%';
	if (per_cent)
		end++;
	if (*value == '\0' || *end || !(x > 0) || x >= (per_cent ? 100 : 1)) {
		complain("--within takes a share such as 0.1%% or 0.001, not \"%s\".", value);
		return false;
	}
	o->options.within = per_cent ? x / 100 : x;
	o->within = value;
	return true;
}

static bool take_form(struct odds *o, enum fray_odds_form form)
{
	if (o->options.form != FRAY_ODDS_TEXT && o->options.form != form) {
		complain("--json and --csv are two ways to tell odds: choose one.");
		return false;
	}
	o->options.form = form;
	return true;
}

static bool take(struct odds *o, const struct options *given, int which)
{
	uint64_t n = 0;
	switch (which) {
	case TRIALS: return options_number(given, 1, 1000000000000, &o->options.trials);
	case WITHIN: return take_within(o, given->value);
	case EXACT: o->options.method = FRAY_EXACT; return true;
	case THREADS:
		if (!options_number(given, 1, 256, &n))
			return false;
		o->options.threads = (int)n;
		return true;
	case SEED: return options_number(given, 0, INT64_MAX, &o->options.seed);
	case RULES: o->rules = given->value; return true;
	case STATES: return options_number(given, 1, 1000000000, &o->options.states);
	case MAX_ROUNDS:
		if (!options_number(given, 1, 1000000, &n))
			return false;
		o->options.max_rounds = (int64_t)n;
		return true;
	case JSON: return take_form(o, FRAY_ODDS_JSON);
	case CSV: return take_form(o, FRAY_ODDS_CSV);
	case REPORT: o->report = given->value; return true;
	case SENSITIVITY: o->sensitivity = true; return true;
	case TRIAL:
		o->one_trial = true;
		return options_number(given, 0, INT64_MAX, &o->trial);
	}
	return false;
}

/* A word of a command line as a shell takes it. */
static void add_word(struct text *t, const char *word)
{
	bool plain = *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:%@") == strlen(word);
	text_add(t, plain ? " " : " '", plain ? 1 : 2);
	for (const char *p = word; *p; p++)
		text_add(t, *p == '\'' ? "'\\''" : p, *p == '\'' ? 4 : 1);
	text_add(t, "'", plain ? 0 : 1);
}

static void add_option(struct text *t, const char *name, const char *value)
{
	struct text word = {0};
	text_add(&word, "--", 2);
	text_add(&word, name, strlen(name));
	text_add(&word, "=", 1);
	text_add(&word, value, strlen(value) + 1);
	add_word(t, word.data);
	text_free(&word);
}

static void add_number(struct text *t, const char *name, uint64_t n)
{
	char digits[24];
	snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
	if (n)
		add_option(t, name, digits);
}

/* What to type to have the same figures again. */
static void command_again(const struct odds *o, const struct options *given, struct text *t)
{
	text_add(t, "fray odds", 9);
	add_number(t, "trials", o->options.trials);
	if (o->within)
		add_option(t, "within", o->within);
	if (o->options.method == FRAY_EXACT)
		add_word(t, "--exact");
	add_number(t, "states", o->options.states);
	add_number(t, "max-rounds", (uint64_t)o->options.max_rounds);
	add_number(t, "seed", o->options.seed);
	if (o->options.seed == 0)
		add_option(t, "seed", "0");
	if (o->rules)
		add_option(t, "rules", o->rules);
	if (o->sensitivity)
		add_word(t, "--sensitivity");
	for (int i = 0; i < given->operands; i++)
		add_word(t, given->operand[i]);
	text_add(t, "", 1);
}

static int write_report(struct odds *o, const struct options *given)
{
	struct text command = {0};
	size_t length;
	command_again(o, given, &command);
	const char *page = fray_report_page(o->f, command.data, &length);
	const char *why = page ? file_write(o->report, page, length) : NULL;
	text_free(&command);
	if (why)
		complain("cannot write the report %s: %s.", o->report, why);
	return why ? EXIT_WRONG : EXIT_FINE;
}

static int run(struct odds *o, const struct options *given)
{
	struct text name = {0};
	if (host_load(&o->host, o->f, given->operand[0]) != FRAY_OK)
		return EXIT_WRONG;
	text_add_words(&name, given->operand + 1, given->operands - 1);
	const char *encounter = given->operands > 1 ? name.data : NULL;
	enum fray_status s;
	fray_set_odds(o->f, &o->options);
	if (o->report)
		fray_report_keep(o->f);
	if (o->one_trial)
		s = fray_odds_trial(o->f, encounter, o->trial, o->options.form == FRAY_ODDS_JSON ? FRAY_JSON : FRAY_STORY);
	else if (o->sensitivity)
		s = fray_odds_sensitivity(o->f, encounter);
	else
		s = fray_odds(o->f, encounter);
	clear_progress(o);
	text_free(&name);
	return o->report ? exit_worse(exit_of(s), write_report(o, given)) : exit_of(s);
}

int cmd_odds(const struct command *self, int argc, char **argv)
{
	struct options given;
	struct odds o;
	int which, status = EXIT_WRONG;
	memset(&o, 0, sizeof o);
	o.options.seed = 1;
	clock_gettime(CLOCK_MONOTONIC, &o.begun);
	options_begin(&given, self, odds_options, ODDS_OPTIONS, notes, argc, argv);
	while ((which = options_next(&given)) != OPTIONS_DONE) {
		if (which < 0)
			return options_status(which);
		if (!take(&o, &given, which))
			return EXIT_WRONG;
	}
	if (given.operands < 1)
		return options_missing(&given, "a script");
	bool sampled = o.options.trials || o.options.within > 0;
	if (sampled && o.options.method == FRAY_EXACT) {
		complain("--exact samples nothing: leave out --trials and --within.");
		return EXIT_WRONG;
	}
	if (o.report && o.one_trial) {
		complain("--report is about all fights and --trial about one: leave one out.");
		return EXIT_WRONG;
	}
	if (sampled)
		o.options.method = FRAY_SAMPLED;
	if (!o.options.threads) {
		long processors = sysconf(_SC_NPROCESSORS_ONLN);
		o.options.threads = processors < 1 ? 1 : processors > 256 ? 256 : (int)processors;
	}
	host_init(&o.host);
	host_catch_interrupts();
	if (isatty(STDERR_FILENO))
		o.options.progress = progress;
	o.f = host_open(&o.host, o.rules);
	if (o.f)
		status = run(&o, &given);
	fray_close(o.f);
	host_free(&o.host);
	return host_interrupted() ? EXIT_INTERRUPTED : status;
}
