/* cmd_odds.c - fray odds: how likely, sampled on every core or exact; its options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lang/app/odds_run.h"
#include "lang/app/options.h"

enum { TRIALS, WITHIN, EXACT, THREADS, SEED, RULES, STATES, MEMORY, MAX_ROUNDS, JSON, CSV, REPORT, TRIAL, GIVING, SENSITIVITY, SHARD, OUT, FROM, ODDS_OPTIONS };

static const struct option odds_options[ODDS_OPTIONS] = {
	[TRIALS] = {"trials", 0, "N", "sample N fights [10000; fewer if they are long]"},
	[WITHIN] = {"within", 0, "P%", "sample until every answer is known to +- P %"},
	[EXACT] = {"exact", 0, NULL, "count every way the dice can fall"},
	[THREADS] = {"threads", 0, "N",
		"work on N threads; the answer is the same [all processors; one for exact "
		"answers]"},
	[SEED] = {"seed", 0, "N", "sample other fights [1]"},
	[RULES] = {"rules", 0, "NAME[,HOUSE..]", "play by other rules than the script names"},
	[STATES] = {"states", 0, "N", "limit the worlds of an exact answer [2000000]"},
	[MEMORY] = {"memory", 0, "MB", "limit the memory of an exact answer, roughly [1024]"},
	[MAX_ROUNDS] = {"max-rounds", 0, "N", "stop each fight after N rounds [1000]"},
	[JSON] = {"json", 0, NULL, "print one object a line for each question"},
	[CSV] = {"csv", 0, NULL, "print one line for each figure"},
	[REPORT] = {"report", 0, "FILE.html",
		"also write a page with plots, to look at, print or pass on"},
	[GIVING] = {"giving", 0, "WHAT",
		"ask this, not who wins and survives: 'Bruna dies, average round'"},
	[SENSITIVITY] = {"sensitivity", 0, NULL,
		"rank options and house rules by how much they matter"},
	[FROM] = {"from", 0, "SAVE",
		"ask from a position that save wrote at the prompt; no FILE then"},
	[SHARD] = {"shard", 0, "I/N", "play the I-th of N shares of the sample, for fray merge"},
	[OUT] = {"out", 0, "PART", "write the result of --shard, or the answer of fray-mpi, here"},
	[TRIAL] = {"trial", 0, "K", "tell fight number K of the sample as a story"},
};

static const char notes[] =
	"Without --trials, --within or --exact the answer is exact for small fights and sampled\n"
	"otherwise; it says which. Then it answers the questions of the\n"
	"script: odds .., sweep .., expect odds ...\n"
	"The same seed gives the same sample. Ctrl-C prints the answer so far.\n";

/* More than that is meant in per cent. */
static const double SHARE_SENSIBLE = 0.1;

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
	if (!per_cent && x >= SHARE_SENSIBLE) {
		complain("--within=%s is +- %g %%: write --within=%s%%, or a share such as 0.001.", value, x * 100, value);
		return false;
	}
	o->options.within = per_cent ? x / 100 : x;
	o->within = value;
	return true;
}

bool odds_take_form(struct odds *o, enum fray_odds_form form)
{
	if (o->options.form != FRAY_ODDS_TEXT && o->options.form != form) {
		complain("--json and --csv are two ways to tell odds: choose one.");
		return false;
	}
	o->options.form = form;
	return true;
}

static bool take_shard(struct odds *o, const char *value)
{
	unsigned i = 0, n = 0;
	char end = 0;
	if (strspn(value, "0123456789/") == strlen(value) && sscanf(value, "%7u/%7u%c", &i, &n, &end) == 2 && i >= 1 && i <= n) {
		o->shard = i;
		o->of = n;
		return true;
	}
	complain("--shard takes which of how many, such as 2/10, not \"%s\".", value);
	return false;
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
		o->options.threads = o->options.threads_exact = (int)n;
		return true;
	case SEED: return options_number(given, 0, INT64_MAX, &o->options.seed);
	case RULES: o->rules = given->value; return true;
	case STATES: return options_number(given, 1, 1000000000, &o->options.states);
	case MEMORY: return options_number(given, 1, 1 << 20, &o->options.memory);
	case MAX_ROUNDS:
		if (!options_number(given, 1, 1000000, &n))
			return false;
		o->options.max_rounds = (int64_t)n;
		return true;
	case JSON: return odds_take_form(o, FRAY_ODDS_JSON);
	case CSV: return odds_take_form(o, FRAY_ODDS_CSV);
	case REPORT: o->report = given->value; return true;
	case GIVING:
		if (o->options.giving)
			complain("--giving is given twice. Ask both at once: --giving='%s, %s'.",
				o->options.giving, given->value);
		else
			o->options.giving = given->value;
		return o->options.giving == given->value;
	case SENSITIVITY: o->sensitivity = true; return true;
	case SHARD: return take_shard(o, given->value);
	case FROM: o->from = given->value; return true;
	case OUT: o->out = given->value; return true;
	case TRIAL:
		o->one_trial = true;
		return options_number(given, 0, INT64_MAX, &o->trial);
	}
	return false;
}

static void all_processors(struct odds *o)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	o->options.threads = processors < 1 ? 1 : processors > 256 ? 256 : (int)processors;
}

/* What does not go together. */
static bool fits(struct odds *o)
{
	bool sampled = o->options.trials || o->options.within > 0;
	if (sampled && o->options.method == FRAY_EXACT) {
		complain("--exact samples nothing: leave out --trials and --within.");
		return false;
	}
	if (o->report && o->one_trial) {
		complain("--report is about all fights and --trial about one: leave one out.");
		return false;
	}
	if (o->of && !o->out) {
		complain("--shard needs --out, the file for its result.");
		return false;
	}
	if (o->of && (o->options.within > 0 || o->options.method == FRAY_EXACT || o->one_trial)) {
		complain("--shard is a share of a number of fights: leave out --within, --exact and --trial.");
		return false;
	}
	if (o->of && (o->options.form != FRAY_ODDS_TEXT || o->report)) {
		complain(
			"--shard prints no answer: give --json, --csv and --report to fray merge.");
		return false;
	}
	if (o->from && o->operands) {
		complain("--from names the saved script itself: leave out %s.", o->operand[0]);
		return false;
	}
	if (sampled)
		o->options.method = FRAY_SAMPLED;
	return true;
}

int odds_read_options(const struct command *self, int argc, char **argv, struct odds *o)
{
	struct options given;
	int which;
	memset(o, 0, sizeof *o);
	o->options.seed = 1;
	options_begin(&given, self, odds_options, ODDS_OPTIONS, notes, argc, argv);
	while ((which = options_next(&given)) != OPTIONS_DONE) {
		if (which < 0)
			return options_status(which);
		if (!take(o, &given, which))
			return EXIT_WRONG;
	}
	if (given.operands < 1 && !o->from)
		return options_missing(&given, "a script");
	o->operand = given.operand;
	o->operands = given.operands;
	if (!fits(o))
		return EXIT_WRONG;
	o->threads_given = o->options.threads > 0;
	if (!o->threads_given)
		all_processors(o);
	return OPTIONS_DONE;
}

int cmd_odds(const struct command *self, int argc, char **argv)
{
	struct odds o;
	int status = odds_read_options(self, argc, argv, &o);
	if (status == OPTIONS_DONE && o.out && !o.of) {
		complain("--out is for --shard: write --shard, too.");
		return EXIT_WRONG;
	}
	return status == OPTIONS_DONE ? odds_run(&o) : status;
}
