/* cmd_test.c - fray test: encounters that expect something, as TAP.
 *
 *   ok 1 - bridge.fray: The Bridge at Greywater
 *   not ok 2 - bridge.fray: The Cellar
 *   # bridge.fray:41: ...
 *   1..2 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/app/files.h"
#include "lang/app/host.h"
#include "lang/app/options.h"
#include "lang/app/shown.h"

enum { RULES, SEED, TEST_OPTIONS };

static const struct option test_options[TEST_OPTIONS] = {
	[RULES] = {"rules", 0, "NAME[,HOUSE..]", "play by other rules than the scripts name"},
	[SEED] = {"seed", 0, "N", "roll other dice [1]"},
};

static const char notes[] =
	"A folder means every .fray file below it. A script that was saved at the prompt is played\n"
	"to the point where it was saved. Prints TAP, for people and for prove:\n"
	"prove --exec 'fray test' FILE...\n";

struct tests {
	struct host host;
	struct fray_run_options options;
	const char *rules;
	int points, failed;
};

/* The held diagnostics, each line behind a "# ". */
static void print_remarks(struct host *h)
{
	for (size_t at = 0; at < h->held.length; at += strlen(h->held.data + at) + 1) {
		const char *p = h->held.data + at;
		while (*p) {
			int n = (int)strcspn(p, "\n");
			if (n) {
				struct text shown = {0};
				text_add_shown(&shown, p, (size_t)n);
				printf("# %.*s\n", (int)shown.length, shown.data);
				text_free(&shown);
			}
			p += n + (p[n] == '\n');
		}
	}
	host_forget(h);
}

/* A "#" in a description would begin a directive of TAP. */
static void print_escaped(const char *text)
{
	struct text shown = {0};
	text_add_shown(&shown, text, strlen(text));
	for (size_t i = 0; i < shown.length; i++) {
		if (shown.data[i] == '#' || shown.data[i] == '\\')
			putchar('\\');
		putchar(shown.data[i] == '\n' ? ' ' : shown.data[i]);
	}
	text_free(&shown);
}

static void print_point(struct tests *t, bool good, const char *path, const char *encounter)
{
	t->points++;
	t->failed += !good;
	printf("%sok %d - ", good ? "" : "not ", t->points);
	print_escaped(path);
	if (encounter) {
		fputs(": ", stdout);
		print_escaped(encounter);
	}
	putchar('\n');
	if (good)
		host_forget(&t->host);
	else
		print_remarks(&t->host);
	fflush(stdout); /* whoever watches sees each point when it is known */
}

static void test_encounter(struct tests *t, struct fray *f, const char *path, const char *name)
{
	enum fray_status status = fray_run_saved(f, name, &t->options);
	if (status == FRAY_INTERRUPTED)
		return;
	print_point(t, status == FRAY_OK, path, name);
}

/* NULL: it is wrong, which was said. */
static struct fray *read_file(struct tests *t, const char *path, const char *rules)
{
	struct fray *f = host_open(&t->host, rules);
	if (f)
		fray_lean(f, NULL);
	t->host.reports = REPORT_HELD;
	if (f && host_load(&t->host, f, path) == FRAY_OK)
		return f;
	print_point(t, false, path, NULL);
	fray_close(f);
	return NULL;
}

/* The rules a session was played by, instead of those its script names; NULL: its own. */
static char *rules_of(const char *path)
{
	size_t length;
	char *text = strcmp(path, "-") ? file_read(path, &length) : NULL, *rules = text ? fray_saved_rules(text, length) : NULL;
	free(text);
	return rules;
}

static void test_file(struct tests *t, const char *path)
{
	char *saved = t->rules ? NULL : rules_of(path);
	struct fray *f = read_file(t, path, saved ? saved : t->rules);
	free(saved);
	if (!f)
		return;
	int n = fray_encounters(f);
	for (int i = 0; i < n && !host_interrupted(); i++) {
		if (fray_encounter_expects(f, i) == 0)
			continue;
		char *name = strdup(fray_encounter(f, i));
		if (name)
			test_encounter(t, f, path, name);
		free(name);
	}
	if (fray_odds_expects(f) > 0 && !host_interrupted()) {
		struct fray_odds_options odds = {.seed = t->options.seed ? t->options.seed : 1};
		fray_set_odds(f, &odds);
		enum fray_status status = fray_odds_asked(f, true);
		if (status != FRAY_INTERRUPTED)
			print_point(t, status == FRAY_OK, path, "odds");
	}
	host_forget(&t->host);
	fray_close(f);
}

int cmd_test(const struct command *self, int argc, char **argv)
{
	struct options o;
	struct tests t;
	struct file_list files = {0};
	int which;
	bool listed = true;
	memset(&t, 0, sizeof t);
	options_begin(&o, self, test_options, TEST_OPTIONS, notes, argc, argv);
	while ((which = options_next(&o)) != OPTIONS_DONE) {
		switch (which) {
		case RULES:
			t.rules = o.value;
			break;
		case SEED:
			if (!options_number(&o, 0, UINT64_MAX, &t.options.seed))
				return EXIT_WRONG;
			break;
		default:
			return options_status(which);
		}
	}
	if (o.operands == 0)
		return options_missing(&o, "scripts or folders");
	for (int i = 0; i < o.operands; i++) {
		bool there = !strcmp(o.operand[i], "-") || file_exists(o.operand[i]);
		if (!there)
			complain("there is no file or folder %s%s", o.operand[i],
				file_meant(o.operand[i]));
		listed = there && file_list_add(&files, o.operand[i]) && listed;
	}
	if (listed) {
		host_init(&t.host);
		host_catch_interrupts();
		for (int i = 0; i < files.n && !host_interrupted(); i++)
			test_file(&t, files.path[i]);
		if (host_interrupted())
			printf("Bail out! Interrupted.\n");
		else
			printf("1..%d\n", t.points);
		host_free(&t.host);
	}
	file_list_free(&files);
	if (host_interrupted())
		return EXIT_INTERRUPTED;
	return !listed ? EXIT_WRONG : t.failed ? EXIT_EXPECTATION : EXIT_FINE;
}
