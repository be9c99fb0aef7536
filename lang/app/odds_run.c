/* odds_run.c - playing, telling, keeping a part, putting parts together; progress meanwhile. */
#include "lang/app/odds_run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lang/app/budget.h"
#include "lang/app/files.h"

enum { MEMORY_DEFAULT = 1024, SHOW_AFTER = 1, SHOW_EVERY_MS = 200 };

/* ---- progress ---- */

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

static void wipe(void *context)
{
	clear_progress(context);
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

static void counting(void *context, double counted, uint64_t worlds)
{
	struct odds *o = context;
	double seconds = since(&o->begun);
	if (seconds < SHOW_AFTER || (o->shown && since(&o->last) * 1000 < SHOW_EVERY_MS))
		return;
	clock_gettime(CLOCK_MONOTONIC, &o->last);
	fprintf(stderr, "\r%.4g %% of the fights counted, %llu worlds, %.0f a second\033[K", counted * 100, (unsigned long long)worlds, (double)worlds / seconds);
	fflush(stderr);
	o->shown = true;
}

/* ---- the command again ---- */

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

/* A name that looks like an option: a file is named from its folder. No encounter is asked for by
 * its dash: the words around it will do. */
static void add_operand(struct text *t, const char *word, bool file)
{
	struct text from = {0};
	const bool option = word[0] == '-' && word[1];
	if (option && !file)
		return;
	text_add(&from, "./", option ? 2 : 0);
	text_add(&from, word, strlen(word) + 1);
	add_word(t, from.data);
	text_free(&from);
}

/* What to type to have the same figures again. */
static void command_again(const struct odds *o, struct text *t)
{
	text_add(t, "fray odds", 9);
	add_number(t, "trials", o->options.trials);
	if (o->within)
		add_option(t, "within", o->within);
	if (o->options.method == FRAY_EXACT)
		add_word(t, "--exact");
	add_number(t, "states", o->options.states);
	add_number(t, "memory", o->options.memory);
	add_number(t, "max-rounds", (uint64_t)o->options.max_rounds);
	add_number(t, "seed", o->options.seed);
	if (o->options.seed == 0)
		add_option(t, "seed", "0");
	if (o->rules)
		add_option(t, "rules", o->rules);
	if (o->options.giving)
		add_option(t, "giving", o->options.giving);
	if (o->sensitivity)
		add_word(t, "--sensitivity");
	if (o->from)
		add_option(t, "from", o->from);
	for (int i = 0; i < o->operands; i++)
		add_operand(t, o->operand[i], i == 0);
	if (o->report)
		add_option(t, "report", o->report);
	text_add(t, "", 1);
}

/* ---- the report ---- */

/* Why a result must not be written there: NULL, or a sentence's end. */
static const char *result_refused(const struct odds *o, const char *name)
{
	const size_t n = strlen(name);
	if (n >= 5 && !strcmp(name + n - 5, ".fray"))
		return "that is the name of a script";
	if ((o->from && file_same(name, o->from)) || (o->operands && file_same(name, o->operand[0])))
		return "it is the script itself";
	return file_may_write(name);
}

bool odds_may_report(const struct odds *o)
{
	const char *why = o->report ? result_refused(o, o->report) : NULL;
	if (why)
		complain("cannot write the report %s: %s.", o->report, why);
	return !why;
}

static int write_report(struct odds *o, const char *command)
{
	size_t length;
	const char *page = fray_report_page(o->f, command, &length);
	const char *why = page ? file_write(o->report, page, length) : NULL;
	if (why)
		complain("cannot write the report %s: %s.", o->report, why);
	return why ? EXIT_WRONG : EXIT_FINE;
}

static bool open_fray(struct odds *o)
{
	const uint64_t mb = o->options.memory ? o->options.memory : MEMORY_DEFAULT;
	budget_answer_takes(mb, o->options.threads);
	if (o->options.trials || o->within || o->of || o->options.method == FRAY_EXACT)
		budget_asked();
	host_init(&o->host);
	host_catch_interrupts();
	o->host.captured = o->answer;
	o->host.before = wipe;
	o->host.before_context = o;
	if (isatty(STDERR_FILENO))
		o->options.progress = progress, o->options.counting = counting;
	clock_gettime(CLOCK_MONOTONIC, &o->begun);
	o->f = host_open(&o->host, o->rules);
	return o->f != NULL;
}

static int close_fray(struct odds *o, int status)
{
	clear_progress(o);
	fray_close(o->f);
	o->f = NULL;
	host_free(&o->host);
	return host_interrupted() ? EXIT_INTERRUPTED : status;
}

/* ---- doing ---- */

static bool load(struct odds *o)
{
	if (!o->from)
		fray_lean(o->f, NULL);
	return host_load(&o->host, o->f, o->from ? o->from : o->operand[0]) == FRAY_OK && (!o->from || fray_odds_stand(o->f) == FRAY_OK);
}

/* A question that cannot be asked is told before hours are spent on the others. */
static enum fray_status could_ask(struct odds *o)
{
	o->host.reports = REPORT_HELD;
	enum fray_status s = fray_odds_check(o->f);
	o->host.reports = REPORT_AT_ONCE;
	if (s == FRAY_OK)
		host_forget(&o->host); /* warnings are told when it is asked */
	host_release(&o->host);
	return s;
}

static enum fray_status ask(struct odds *o)
{
	struct text name = {0};
	if (o->operands > 1)
		text_add_words(&name, o->operand + 1, o->operands - 1);
	const char *encounter = o->operands > 1 ? name.data : NULL;
	enum fray_status s;
	fray_set_odds(o->f, &o->options);
	if (o->one_trial)
		s = fray_odds_trial(o->f, encounter, o->trial, o->options.form == FRAY_ODDS_JSON ? FRAY_JSON : FRAY_STORY);
	else if (o->sensitivity)
		s = fray_odds_sensitivity(o->f, encounter);
	else if ((s = could_ask(o)) == FRAY_OK)
		s = fray_odds(o->f, encounter);
	clear_progress(o);
	text_free(&name);
	return s;
}

int odds_run_share(struct odds *o, struct text *part)
{
	int status = EXIT_WRONG;
	if (open_fray(o)) {
		struct text command = {0};
		size_t length = 0;
		fray_share(o->f, o->shard, o->of);
		command_again(o, &command);
		if (load(o))
			status = exit_of(ask(o));
		const char *data = status == EXIT_FINE ? fray_part(o->f, command.data, &length) : NULL;
		if (data)
			text_add(part, data, length);
		text_free(&command);
	}
	return close_fray(o, status);
}

static int run_shard(struct odds *o)
{
	struct text part = {0};
	const char *why = result_refused(o, o->out);
	int status = why ? EXIT_FINE : odds_run_share(o, &part);
	if (!why && status == EXIT_FINE)
		why = file_write(o->out, part.data, part.length);
	if (why) {
		complain("cannot write the part %s: %s.", o->out, why);
		status = EXIT_WRONG;
	}
	if (status == EXIT_INTERRUPTED)
		complain("interrupted: no part was written. The same command plays shard %u of %u from its beginning; more shards are smaller ones.", o->shard, o->of);
	text_free(&part);
	return status;
}

int odds_run(struct odds *o)
{
	int status = EXIT_WRONG;
	if (o->of)
		return run_shard(o);
	if (!odds_may_report(o))
		return EXIT_WRONG;
	if (open_fray(o) && load(o)) {
		if (o->report)
			fray_report_keep(o->f);
		status = exit_of(ask(o));
		if (o->report) {
			struct text command = {0};
			command_again(o, &command);
			status = exit_worse(status, write_report(o, command.data));
			text_free(&command);
		}
	}
	return close_fray(o, status);
}

int odds_run_merge(struct odds *o, const struct fray_part *part, int n)
{
	int status = EXIT_WRONG;
	for (int i = 0; o->report && i < n; i++)
		if (file_same(o->report, part[i].name)) {
			complain("cannot write the report %s: it is one of the parts.", o->report);
			return status;
		}
	if (!odds_may_report(o))
		return status;
	if (open_fray(o)) {
		fray_set_odds(o->f, &o->options);
		if (o->report)
			fray_report_keep(o->f);
		status = exit_of(fray_merge(o->f, part, n));
		if (o->report) {
			const char *asked = fray_merged_command(o->f);
			struct text command = {0};
			text_add(&command, asked, strlen(asked));
			add_option(&command, "report", o->report);
			text_add(&command, "", 1);
			status = exit_worse(status, write_report(o, command.data));
			text_free(&command);
		}
	}
	return close_fray(o, status);
}
