/* test_ways.c - the three ways exact odds are come to - through the graph of places, by machines that forget
 * what matters no more, and by machines that forget nothing - give the same shares, for encounters of all
 * scripts that are small enough.
 *
 * FRAY_TEST_FILES: a list of other scripts, one to a line, played with what their questions ask; FRAY_TEST_WORK: how many
 * dice may be branched on for each, instead of 60,000; FRAY_TEST_ALL: every encounter, not one in 20. */
#include <dirent.h>
#include <math.h>

#include "tests/api/host.h"

#include "lang/api/interp.h"
#include "lang/api/odds.h"
#include "runtime/sim/exact.h"

static const char *const folders[] = {"examples", "tests/rules/core", "tests/rules/osric", "tests/rules/lite", "tests/rules/proc", "tests/rules/crucible", "tests/rules/dew"};
enum { ROUNDS_MOST = 8, SPARE = 4 /* times as much is allowed to the others */ };
static uint64_t work = 60000; /* dice branched on */

static char *read_whole(const char *path, size_t *length)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	long n = ftell(f);
	rewind(f);
	char *text = malloc((size_t)n + 1);
	assert_non_null(text);
	*length = fread(text, 1, (size_t)n, f);
	fclose(f);
	return text;
}

static char folder_now[400];

static char *module_beside(const char *name, size_t *length)
{
	char path[900];
	snprintf(path, sizeof path, "%s/%s.fray", folder_now, name);
	return read_whole(path, length);
}

static int compared, wrong;

static void differ(const char *where, int64_t rounds, const char *way, const char *what, double a, double b)
{
	wrong++;
	print_message("%s, %lld rounds: %s: %s: %.17g and %.17g\n", where, (long long)rounds, way, what, a, b);
}

static void same(const struct program *p, const struct exact *a, const struct exact *b, const char *where, int64_t rounds, const char *way)
{
	if (fabs(a->unsettled - b->unsettled) > 1e-12)
		differ(where, rounds, way, "unsettled", a->unsettled, b->unsettled);
	if (fabs(a->stopped - b->stopped) > 1e-12)
		differ(where, rounds, way, "stopped", a->stopped, b->stopped);
	if (fabs(a->referrals - b->referrals) > 1e-12)
		differ(where, rounds, way, "referrals", a->referrals, b->referrals);
	for (int i = 0; i < a->measures; i++) {
		int k = 0, j = 0;
		while (k < a->measure[i].n || j < b->measure[i].n) {
			const struct share *x = k < a->measure[i].n ? &a->measure[i].share[k] : NULL, *y = j < b->measure[i].n ? &b->measure[i].share[j] : NULL;
			if (x && y && x->value == y->value) {
				k++;
				j++;
			} else if (x && (!y || x->value == NONE || (y->value != NONE && x->value < y->value))) {
				y = NULL;
				k++;
			} else {
				x = NULL;
				j++;
			}
			double px = x ? x->p : 0, py = y ? y->p : 0;
			if (fabs(px - py) > 1e-12) {
				differ(where, rounds, way, p->measure[i].text, px, py);
				return;
			}
		}
	}
}

/* More rounds as long as that takes little. */
static void compare(const struct program *p, const char *where)
{
	for (int64_t rounds = 1; rounds <= ROUNDS_MOST; rounds++) {
		struct exact way[3];
		struct exact_plan plan = {.program = p, .max_rounds = rounds, .states = work / 3, .work = work, .bytes = 256 << 20, .give_up = true, .keep_all = true};
		exact_run(&plan, &way[0]);
		bool all = way[0].complete;
		if (all) {
			plan.work *= SPARE;
			plan.states *= SPARE;
			plan.keep_all = false;
			exact_run(&plan, &way[1]);
			plan.by_machine = true;
			exact_run(&plan, &way[2]);
			compared++;
			if (way[1].complete)
				same(p, &way[0], &way[1], where, rounds, "graph");
			else
				differ(where, rounds, "graph", "not complete", 1, 0);
			if (way[2].complete)
				same(p, &way[0], &way[2], where, rounds, "machines");
			else
				differ(where, rounds, "machines", "not complete", 1, 0);
			exact_free(&way[1]);
			exact_free(&way[2]);
		}
		exact_free(&way[0]);
		if (!all)
			return;
	}
}

static struct program *link_measured(struct fray *f, int encounter)
{
	struct model *m = &f->model;
	m->measures = odds_usual_measures(f, encounter, true);
	for (struct node *n = m->encounter.v[encounter].node->a; n; n = n->next)
		if (n->kind == N_KIND_Q_ODDS && n->b)
			m->measures = n->b;
	m->reporting = true;
	m->pass = 9;
	infer_measures(m, encounter, m->measures);
	m->for_odds = true;
	struct program *p = link_encounter(m, encounter, false);
	m->for_odds = false;
	m->measures = NULL;
	return p;
}

static void script(const char *path, int every)
{
	static int counted;
	size_t length;
	struct told told = {.codes = "", .module = module_beside};
	struct fray *f = host_open(&told);
	char *text = read_whole(path, &length);
	assert_non_null(text);
	snprintf(folder_now, sizeof folder_now, "%s", path);
	*strrchr(folder_now, '/') = '\0';
	if (host_load(f, text, length) == FRAY_OK)
		for (int i = 0; i < fray_encounters(f); i++) {
			char where[600];
			struct program *p = counted++ % every == 0 ? link_measured(f, i) : NULL;
			if (!p)
				continue;
			snprintf(where, sizeof where, "%s: %s", path, fray_encounter(f, i));
			compare(p, where);
			program_free(p);
		}
	else
		print_message("%s: %s\n", path, told.first);
	free(text);
	fray_close(f);
}

static void test_every_script(void **state)
{
	const char *files = getenv("FRAY_TEST_FILES");
	if (getenv("FRAY_TEST_WORK"))
		work = strtoull(getenv("FRAY_TEST_WORK"), NULL, 10);
	(void)state;
	if (files) {
		char line[400];
		FILE *list = fopen(files, "r");
		assert_non_null(list);
		while (fgets(line, sizeof line, list)) {
			line[strcspn(line, "\n")] = '\0';
			script(line, 1);
		}
		fclose(list);
	} else {
		for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
			DIR *d = opendir(folders[k]);
			assert_non_null(d);
			for (struct dirent *e; (e = readdir(d));) {
				size_t n = strlen(e->d_name);
				char path[400];
				if (n < 6 || strcmp(e->d_name + n - 5, ".fray"))
					continue;
				snprintf(path, sizeof path, "%s/%s", folders[k], e->d_name);
				script(path, getenv("FRAY_TEST_ALL") ? 1 : 20);
			}
			closedir(d);
		}
	}
	print_message("%d compared, %d differ\n", compared, wrong);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_script)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
