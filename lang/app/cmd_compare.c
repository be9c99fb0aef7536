/* cmd_compare.c - fray compare: one fight under several rules.
 *
 * Each set of rules has an interpreter of its own; their logs are lined up by comparison.c, and
 * where two of them part each is asked why. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/app/comparison.h"
#include "lang/app/host.h"
#include "lang/app/json_out.h"
#include "lang/app/options.h"
#include "lang/app/shown.h"

enum { RULES, SEED, MAX_ROUNDS, TRIALS, JSON, COMPARE_OPTIONS };
enum { SYSTEMS_MAX = 16 };

static const struct option compare_options[COMPARE_OPTIONS] = {
	[RULES] = {"rules", 0, "A,B[+HOUSE]..", "compare these rules, with house rules after a +"},
	[SEED] = {"seed", 0, "N", "roll other dice; the same for all [1]"},
	[MAX_ROUNDS] = {"max-rounds", 0, "N", "show N rounds [those with lines in the script]"},
	[TRIALS] = {"trials", 0, "N", "sample N fights for the odds; 0: none [1000]"},
	[JSON] = {"json", 0, NULL, "print one object: the rows, and where the fights part"},
};

static const char notes[] =
	"The declared actions are the same for all, and so are dice of the same name. Each column "
	"tells\n"
	"the place of an event within its round; a * marks an event whose place differs from the "
	"first\n"
	"column. The rounds for which the script has lines are shown; --max-rounds shows others.\n"
	"House rules that one column names, osric+gentle, are left out of osric alone, even where\n"
	"the script takes them: that shows what they change.\n";

struct system {
	char *name;              /* "osric" or "osric+gentle" */
	struct host host;
	struct fray *f;
	struct text log;
	json_t *odds;            /* its measures, or NULL */
	bool parts;              /* has another order than the first: */
	int one, other;          /* of these two rows */
	char *why_first, *why;   /* by the first one's rules, and by these; malloc'ed */
};

struct compare {
	struct system system[SYSTEMS_MAX];
	int systems;
	const char *path, *encounter;
	struct fray_run_options options;
	struct comparison rows;
	uint64_t trials;
	bool all;                /* the rounds to show were given */
};

static bool take_rules(struct compare *c, const char *list)
{
	for (const char *p = list; *p;) {
		size_t n = strcspn(p, ",");
		if (n && c->systems == SYSTEMS_MAX) {
			complain("%d systems are the most that can be compared.", SYSTEMS_MAX);
			return false;
		}
		if (n)
			c->system[c->systems++].name = strndup(p, n);
		p += n + (p[n] == ',');
	}
	if (c->systems < 2)
		complain("--rules needs two or more, for example: --rules osric,lite");
	return c->systems >= 2;
}

/* How much of "osric+gentle" is the system. */
static size_t system_length(const char *name)
{
	return strcspn(name, "+");
}

/* Does a column name these house rules? */
static bool names_house(const struct system *s, const char *house, size_t n)
{
	for (const char *p = strchr(s->name, '+'); p; p = strchr(p + 1, '+'))
		if (strcspn(p + 1, "+") == n && !strncmp(p + 1, house, n))
			return true;
	return false;
}

/* "osric,gentle" of "osric+gentle". House rules that one column of a system names are left out of
 * those that do not, even where the script takes them itself: "osric,-gentle". Malloc'ed. */
static char *column_rules(const struct compare *c, const struct system *s)
{
	struct text rules = {0};
	const size_t n = system_length(s->name);
	for (const char *p = s->name; *p; p++)
		text_add(&rules, *p == '+' ? "," : p, 1);
	for (int i = 0; i < c->systems; i++) {
		const char *other = c->system[i].name;
		if (system_length(other) != n || strncmp(other, s->name, n) != 0)
			continue;
		for (const char *p = strchr(other, '+'); p; p = strchr(p + 1, '+')) {
			const size_t k = strcspn(p + 1, "+");
			if (names_house(s, p + 1, k))
				continue;
			text_add(&rules, ",-", 2);
			text_add(&rules, p + 1, k);
		}
	}
	text_add(&rules, "", 1);
	return rules.data;
}

/* Loads and plays; what the script expects of its own rules does not matter under others. */
static enum fray_status play(struct compare *c, struct system *s)
{
	char *rules = column_rules(c, s);
	host_init(&s->host);
	s->host.colour = false;
	s->host.width = 10000; /* explanations are read line by line */
	s->f = host_open(&s->host, rules);
	if (s->f)
		fray_lean(s->f, NULL);
	free(rules);
	enum fray_status status = s->f ? host_load(&s->host, s->f, c->path) : FRAY_STOPPED;
	if (status == FRAY_OK)
		status = fray_begin(s->f, c->encounter, &c->options);
	if (status != FRAY_OK) {
		complain("this script cannot be played under %s.", s->name);
		return status;
	}
	s->host.reports = REPORT_HELD;
	status = fray_run(s->f);
	if (status == FRAY_EXPECTATION)
		status = FRAY_OK;
	if (status == FRAY_OK)
		host_forget(&s->host);
	else
		host_release(&s->host);
	s->host.captured = &s->log;
	fray_tell(s->f, FRAY_JSON);
	text_add(&s->log, "", 1);
	return status;
}

/* ---- where two of them part, and why ---- */

static const char *relation(int order)
{
	return order < 0 ? "before" : order > 0 ? "after" : "together with";
}

/* "orc #1 attacks Bruna before Korg shoots at orc #2 under osric, after it under lite." */
static void print_parting(const struct compare *c, int system, const struct host *out)
{
	const struct system *s = &c->system[system];
	const struct row *row = c->rows.row;
	struct text line = {0};
	const char *words[] = {row[s->one].what, " ",
		relation(comparison_order(&c->rows, 0, s->one, s->other)), " ", row[s->other].what,
		" under ", c->system[0].name, ", ",
		relation(comparison_order(&c->rows, system, s->one, s->other)), " it under ",
		s->name, ".\n"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		text_add(&line, words[i], strlen(words[i]));
	text_add(&line, "", 1);
	struct host to = *out;
	host_write(&to, FRAY_PLAIN, line.data);
	text_free(&line);
}

/* Why two events stand as they do. Malloc'ed. */
static char *reason(struct compare *c, int system, int one, int other)
{
	struct system *s = &c->system[system];
	struct text answer = {0};
	s->host.captured = &answer;
	fray_why_order(s->f, c->rows.row[one].cell[system].id, c->rows.row[other].cell[system].id);
	text_add(&answer, "", 1);
	return answer.data;
}

static void find_parts(struct compare *c)
{
	for (int i = 1; i < c->systems; i++) {
		struct system *s = &c->system[i];
		s->parts = comparison_part(&c->rows, 0, i, &s->one, &s->other);
		if (s->parts) {
			s->why_first = reason(c, 0, s->one, s->other);
			s->why = reason(c, i, s->one, s->other);
		}
	}
}

/* Why it is so under these rules: the answer beside their name, figures and rules below. */
static void print_side(const struct compare *c, int system, const char *why)
{
	for (const char *p = why; *p;) {
		size_t n = strcspn(p, "\n");
		if (p == why)
			printf("  %s: %.*s\n", c->system[system].name, (int)n, p);
		else
			printf("    %.*s\n", (int)n, p);
		p += n + (p[n] == '\n');
	}
}

static void print_named(const char *name, const char *told)
{
	printf("  %s: ", name);
	text_print_shown(stdout, told, strlen(told));
	putchar('\n');
}

/* What these rules refuse though it is in the table, with the clause; each sentence once. */
static void print_refusals(const struct compare *c, int system)
{
	const struct refusal *f = c->rows.refusal;
	for (int i = 0; i < c->rows.refusals; i++) {
		bool again = !f[i].told || !f[i].shown || f[i].system != system;
		for (int k = 0; k < i && !again; k++)
			again = f[k].shown && f[k].system == system && f[k].told && !strcmp(f[k].told, f[i].told);
		if (!again)
			print_named(c->system[system].name, f[i].told);
	}
}

static void print_part(struct compare *c, int system, const struct host *shown)
{
	struct host out = *shown;
	const struct system *s = &c->system[system];
	char line[64];
	putchar('\n');
	host_write(&out, FRAY_HEADING, c->system[0].name);
	host_write(&out, FRAY_HEADING, " and ");
	host_write(&out, FRAY_HEADING, s->name);
	if (s->parts) {
		int round = c->rows.row[s->one].round;
		snprintf(line, sizeof line,
			round ? " part in round %d: " : " part before the first round: ", round);
		host_write(&out, FRAY_HEADING, line);
		print_parting(c, system, &out);
		print_side(c, 0, s->why_first);
		print_side(c, system, s->why);
		print_refusals(c, system);
		return;
	}
	int one = comparison_only(&c->rows, 0, system);
	if (one >= 0) {
		const struct row *r = &c->rows.row[one];
		printf(": the order is the same; only under %s: ",
			c->system[r->cell[0].place ? 0 : system].name);
		text_print_shown(stdout, r->what, strlen(r->what));
		putchar(' ');
		if (r->round)
			printf("in round %d\n", r->round);
		else
			puts("before the first round");
	} else {
		printf(": the order is the same\n");
	}
	print_refusals(c, system);
}

/* ---- the odds beside it ---- */

static enum fray_status sample(struct compare *c, struct system *s)
{
	struct fray_odds_options options;
	struct text told = {0};
	if (c->trials == 0)
		return FRAY_OK;
	memset(&options, 0, sizeof options);
	options.method = FRAY_SAMPLED;
	options.form = FRAY_ODDS_JSON;
	options.seed = c->options.seed;
	options.trials = c->trials;
	options.max_rounds = 0; /* the odds are those of the whole fight */
	fray_set_odds(s->f, &options);
	s->host.captured = &told;
	s->host.reports = REPORT_HELD;
	enum fray_status status = fray_odds(s->f, c->encounter);
	host_forget(&s->host);
	text_add(&told, "", 1);
	/* the first line answers who wins; the script's own questions are passed over */
	json_error_t error;
	json_t *answer = json_loadb(told.data, strcspn(told.data, "\n"), 0, &error);
	s->odds = json_incref(json_object_get(answer, "measures"));
	json_decref(answer);
	text_free(&told);
	return status == FRAY_EXPECTATION ? FRAY_OK : status;
}

static bool is_win(const char *name)
{
	size_t n = name ? strlen(name) : 0;
	return (n > 5 && !strcmp(name + n - 5, " wins")) || (n > 4 && !strcmp(name + n - 4, " win"));
}

/* The measure of that name, or NULL. */
static json_t *measure(const struct system *s, const char *name)
{
	size_t i;
	json_t *one;
	json_array_foreach(s->odds, i, one) {
		const char *is = json_string_value(json_object_get(one, "name"));
		if (is && !strcmp(is, name))
			return one;
	}
	return NULL;
}

static double percent(json_t *m, const char *member)
{
	return 100 * json_number_value(json_object_get(m, member));
}

static void print_odds(struct compare *c, const struct host *shown)
{
	struct host out = *shown;
	size_t i;
	json_t *one;
	char text[400];
	if (!c->system[0].odds)
		return;
	putchar('\n');
	snprintf(text, sizeof text, "%-26s", "odds");
	host_write(&out, FRAY_HEADING, text);
	for (int s = 0; s < c->systems; s++) {
		snprintf(text, sizeof text, "%-20s", c->system[s].name);
		host_write(&out, FRAY_HEADING, text);
	}
	putchar('\n');
	json_array_foreach(c->system[0].odds, i, one) {
		const char *name = json_string_value(json_object_get(one, "name"));
		if (!is_win(name))
			continue;
		snprintf(text, sizeof text, "  %-24s", name);
		text_print_shown(stdout, text, strlen(text));
		for (int s = 0; s < c->systems; s++) {
			json_t *m = measure(&c->system[s], name);
			/* only the interval, where a sample saw nothing, or nothing else */
			double value = percent(m, "value");
			if (!m)
				snprintf(text, sizeof text, "-");
			else if (value <= 0 || value >= 100)
				snprintf(text, sizeof text, "%s %.1f %%", value <= 0 ? "under" : "over", percent(m, value <= 0 ? "high" : "low"));
			else
				snprintf(text, sizeof text, "%.1f %% (%.1f..%.1f)", value, percent(m, "low"), percent(m, "high"));
			printf("%-20s", text);
		}
		putchar('\n');
	}
	printf("  sampled: %llu fights each, with 95 %% intervals\n", (unsigned long long)c->trials);
}

static void json_odds(const struct compare *c)
{
	printf("],\"odds\":{");
	for (int s = 0; s < c->systems; s++) {
		char *measures = c->system[s].odds ? json_dumps(c->system[s].odds, JSON_COMPACT) : NULL;
		printf("%s", s ? "," : "");
		json_print_string(c->system[s].name);
		printf(":%s", measures ? measures : "null");
		free(measures);
	}
	printf("}}\n");
}

/* ---- as JSON ---- */

static void json_member(const char *before, const char *name, const char *text)
{
	printf("%s\"%s\":", before, name);
	json_print_string(text);
}

static void json_side(const struct compare *c, int system, int one, int other, const char *why)
{
	json_member("{", "rules", c->system[system].name);
	json_member(",", "one is", relation(comparison_order(&c->rows, system, one, other)));
	json_member(",", "why", why);
	putchar('}');
}

static void json_parts(struct compare *c)
{
	bool any = false;
	for (int i = 1; i < c->systems; i++) {
		const struct system *s = &c->system[i];
		if (!s->parts)
			continue;
		printf("%s{\"round\":%d", any ? "," : "", c->rows.row[s->one].round);
		any = true;
		json_member(",", "one", c->rows.row[s->one].what);
		json_member(",", "other", c->rows.row[s->other].what);
		printf(",\"under\":[");
		json_side(c, 0, s->one, s->other, s->why_first);
		putchar(',');
		json_side(c, i, s->one, s->other, s->why);
		printf("]}");
	}
}

static void print_json(struct compare *c)
{
	json_member("{", "script", c->path);
	printf(",\"rules\":[");
	for (int s = 0; s < c->systems; s++) {
		printf("%s", s ? "," : "");
		json_print_string(c->system[s].name);
	}
	printf("],\"rows\":[");
	for (int i = 0; i < c->rows.rows; i++) {
		const struct row *r = &c->rows.row[i];
		printf("%s{\"round\":%d", i ? "," : "", r->round);
		json_member(",", "event", r->what);
		json_member(",", "actor", r->actor);
		printf(",\"differs\":%s,\"places\":{", comparison_differs(&c->rows, i) ? "true" : "false");
		for (int s = 0; s < c->systems; s++) {
			printf("%s", s ? "," : "");
			json_print_string(c->system[s].name);
			if (!r->cell[s].place)
				printf(r->cell[s].refused ? ":\"refused\"" : ":null");
			else {
				printf(":{\"place\":%d", r->cell[s].place);
				if (r->cell[s].time)
					json_member(",", "time", r->cell[s].time);
				printf(",\"moved\":%s}", r->cell[s].moved ? "true" : "false");
			}
		}
		printf("}}");
	}
	printf("],\"parts\":[");
	json_parts(c);
	json_odds(c);
}

/* House rules that the script takes itself are in force where no column names them. */
static void print_houses(struct compare *c)
{
	char told[256];
	if (fray_own_houses(c->system[0].f, told, sizeof told))
		printf("the script itself uses the house rules %s: they are in force in every "
		       "column of their system\n",
			told);
}

static int compare(struct compare *c, bool json)
{
	comparison_init(&c->rows, c->systems);
	for (int s = 0; s < c->systems; s++) {
		enum fray_status status = play(c, &c->system[s]);
		if (status != FRAY_OK)
			return exit_of(status);
		if (!comparison_add(&c->rows, s, c->system[s].log.data)) {
			complain("the log of %s cannot be read.", c->system[s].name);
			return EXIT_STOPPED;
		}
	}
	comparison_finish(&c->rows, c->all ? (int)c->options.max_rounds : c->rows.declared ? c->rows.declared : 1);
	find_parts(c);
	for (int s = 0; s < c->systems; s++) {
		enum fray_status status = sample(c, &c->system[s]);
		if (status != FRAY_OK)
			return exit_of(status);
	}
	if (json) {
		print_json(c);
		return EXIT_FINE;
	}
	struct host shown;
	host_init(&shown);
	const char *name[SYSTEMS_MAX];
	for (int s = 0; s < c->systems; s++)
		name[s] = c->system[s].name;
	comparison_print(&c->rows, name, &shown);
	print_houses(c);
	for (int s = 1; s < c->systems; s++)
		print_part(c, s, &shown);
	print_odds(c, &shown);
	host_free(&shown);
	return EXIT_FINE;
}

int cmd_compare(const struct command *self, int argc, char **argv)
{
	struct options o;
	struct compare c;
	struct text name = {0};
	const char *rules = NULL;
	bool json = false, ok = true;
	uint64_t number;
	int which, status = EXIT_WRONG;
	memset(&c, 0, sizeof c);
	c.options.seed = 1;
	c.options.max_rounds = 10;
	c.trials = 1000;
	options_begin(&o, self, compare_options, COMPARE_OPTIONS, notes, argc, argv);
	while (ok && (which = options_next(&o)) != OPTIONS_DONE) {
		switch (which) {
		case RULES:
			rules = o.value;
			break;
		case SEED:
			ok = options_number(&o, 0, UINT64_MAX, &c.options.seed);
			break;
		case MAX_ROUNDS:
			ok = options_number(&o, 1, 1000000, &number);
			c.all = ok;
			if (ok)
				c.options.max_rounds = (int64_t)number;
			break;
		case TRIALS:
			ok = options_number(&o, 0, 100000000, &c.trials);
			break;
		case JSON:
			json = true;
			break;
		default:
			return options_status(which);
		}
	}
	if (!ok)
		return EXIT_WRONG;
	if (o.operands < 1)
		return options_missing(&o, "a script");
	if (!strcmp(o.operand[0], "-")) {
		complain("the script is read once for each system; name a file instead of standard input.");
		return EXIT_WRONG;
	}
	c.path = o.operand[0];
	text_add_words(&name, o.operand + 1, o.operands - 1);
	c.encounter = o.operands > 1 ? name.data : NULL;
	host_catch_interrupts();
	if (take_rules(&c, rules ? rules : ""))
		status = compare(&c, json);
	for (int s = 0; s < c.systems; s++) {
		fray_close(c.system[s].f);
		host_free(&c.system[s].host);
		text_free(&c.system[s].log);
		json_decref(c.system[s].odds);
		free(c.system[s].why_first);
		free(c.system[s].why);
		free(c.system[s].name);
	}
	comparison_free(&c.rows);
	text_free(&name);
	return host_interrupted() ? EXIT_INTERRUPTED : status;
}
