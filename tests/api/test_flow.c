/* test_flow.c - exact odds of encounters of every system: against an enumeration that puts
 * nothing together and leaves nothing out, and against a sample. */
#include <dirent.h>
#include <math.h>

#include "tests/api/host.h"

#include "lang/api/odds.h"
#include "lang/api/session.h"
#include "runtime/sim/exact.h"
#include "runtime/sim/trials.h"
#include "runtime/world/block.h"

static const char *const folders[] = {"tests/bench", "examples", "tests/rules/core", "tests/rules/osric", "tests/rules/lite", "tests/rules/proc", "tests/rules/crucible", "tests/rules/dew"};
enum { TRIALS = 2000, ROUNDS = 3 };

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

static const char *folder_now;

static char *module_beside(const char *name, size_t *length)
{
	char path[400];
	snprintf(path, sizeof path, "%s/%s.fray", folder_now, name);
	return read_whole(path, length);
}

static struct program *link_measured(struct fray *f, int encounter)
{
	struct model *m = &f->model;
	m->measures = odds_usual_measures(f, encounter, true);
	m->reporting = true;
	m->pass = 9;
	infer_measures(m, encounter, m->measures);
	m->for_odds = true;
	struct program *p = link_encounter(m, encounter, false);
	m->for_odds = false;
	m->measures = NULL;
	return p;
}

static int enumerated, sampled;

/* The value that a chi-square of so many degrees passes once in a million. */
static double limit_of(int degrees)
{
	double d = degrees > 0 ? degrees : 1, r = 1 - 2 / (9 * d) + 4.7534 * sqrt(2 / (9 * d));
	return d * r * r * r;
}

static void against_all(const struct program *p, const char *where)
{
	struct exact_plan plan = {.program = p, .max_rounds = 1, .states = 3000, .work = 3000, .give_up = true};
	struct exact whole, flow;
	plan.keep_all = true;
	exact_run(&plan, &whole);
	if (!whole.gave_up) {
		plan.keep_all = false;
		plan.states = 1000000;
		plan.work = 0;
		exact_run(&plan, &flow);
		enumerated++;
		if (fabs(flow.stopped - whole.stopped) > 1e-13 || fabs(flow.unsettled - whole.unsettled) > 1e-13 || fabs(flow.referrals - whole.referrals) > 1e-13 || fabs(flow.unexplored - whole.unexplored) > 1e-13)
			fail_msg("%s: stopped %g and %g, unsettled %g and %g, referee %g and %g, open %g and %g", where, flow.stopped, whole.stopped, flow.unsettled, whole.unsettled,
				flow.referrals, whole.referrals, flow.unexplored, whole.unexplored);
		for (int i = 0; i < whole.measures; i++) {
			if (flow.measure[i].n != whole.measure[i].n)
				fail_msg("%s: %s has %d values and %d", where, p->measure[i].text, flow.measure[i].n, whole.measure[i].n);
			for (int k = 0; k < whole.measure[i].n; k++) {
				const struct share *a = &flow.measure[i].share[k], *b = &whole.measure[i].share[k];
				if (a->value != b->value || fabs(a->p - b->p) > 1e-13 || (whole.proven && a->residue != b->residue))
					fail_msg("%s: %s is %lld with %.17g and %lld with %.17g", where, p->measure[i].text, (long long)a->value, a->p, (long long)b->value, b->p);
			}
		}
		exact_free(&flow);
	}
	exact_free(&whole);
}

static void against_sample(const struct program *p, const char *where)
{
	struct exact_plan plan = {.program = p, .max_rounds = ROUNDS, .states = 20000, .work = 2000, .give_up = true};
	struct trials_plan sample = {.program = {p}, .branches = 1, .seed = 11, .trials = TRIALS, .threads = 1, .max_rounds = ROUNDS};
	struct exact e;
	struct trials t;
	exact_run(&plan, &e);
	if (!e.gave_up && e.complete) {
		trials_run(&sample, &t);
		sampled++;
		for (int i = 0; i < p->measures; i++) {
			double chi = 0, rest_p = 1;
			uint64_t rest = TRIALS;
			int degrees = 0;
			for (int k = 0; k < e.measure[i].n; k++) {
				const struct share *s = &e.measure[i].share[k];
				uint64_t n = tally_of(&t.branch[0].measure[i].value, s->value);
				if (s->p * TRIALS < 5)
					continue;
				chi += ((double)n - s->p * TRIALS) * ((double)n - s->p * TRIALS) / (s->p * TRIALS);
				rest -= n;
				rest_p -= s->p;
				degrees++;
			}
			if (rest_p * TRIALS >= 5)
				chi += ((double)rest - rest_p * TRIALS) * ((double)rest - rest_p * TRIALS) / (rest_p * TRIALS);
			else if ((double)rest > 40)
				fail_msg("%s: %s has %d values that are next to impossible", where, p->measure[i].text, (int)rest);
			if (chi > limit_of(degrees))
				fail_msg("%s: %s differs from a sample by a chi-square of %g with %d values", where, p->measure[i].text, chi, degrees);
		}
		trials_free(&t);
	}
	exact_free(&e);
}

static void test_every_script(void **state)
{
	int encounters = 0, counted = 0;
	(void)state;
	for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
		DIR *d = opendir(folders[k]);
		assert_non_null(d);
		for (struct dirent *e; (e = readdir(d));) {
			size_t n = strlen(e->d_name), length;
			char path[400], where[600];
			if (n < 6 || strcmp(e->d_name + n - 5, ".fray"))
				continue;
			snprintf(path, sizeof path, "%s/%s", folders[k], e->d_name);
			struct told told = {.codes = "", .module = module_beside};
			struct fray *f = host_open(&told);
			char *text = read_whole(path, &length);
			assert_non_null(text);
			folder_now = folders[k];
			if (host_load(f, text, length) == FRAY_OK)
				for (int i = 0; i < fray_encounters(f); i++) {
					/* of the rules' many small ones some; FRAY_TEST_ALL: all */
					bool taken = k == 1 || (k > 1 && counted++ % 16 == 5) || getenv("FRAY_TEST_ALL");
					struct program *p = taken ? link_measured(f, i) : NULL;
					if (!p)
						continue;
					snprintf(where, sizeof where, "%s: %s", path, fray_encounter(f, i));
					against_all(p, where);
					if (!strstr(path, "f3.fray"))
						against_sample(p, where);
					program_free(p);
					encounters++;
				}
			free(text);
			fray_close(f);
		}
		closedir(d);
	}
	assert_true(encounters > 30 && enumerated > 10 && sampled > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_script)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
