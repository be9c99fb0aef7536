/* test_flow.c - exact odds of encounters of every system: against an enumeration that puts
 * nothing together and leaves nothing out, against one by machines, as where no graph can be had, and against a
 * sample.
 *
 * FRAY_TEST_ALL: of every encounter; FRAY_TEST_WORK: how many dice may be branched on for each, instead of 10,000. */
#include <math.h>

#include "tests/api/scripts.h"

#include "runtime/sim/exact.h"
#include "runtime/sim/trials.h"
#include "runtime/world/block.h"

static const char *const folders[] = {"tests/bench", "examples", "tests/rules/core", "tests/rules/osric", "tests/rules/lite", "tests/rules/proc", "tests/rules/crucible", "tests/rules/dew"};
enum { TRIALS = 2000, ROUNDS = 3, ROUNDS_ALL = 8 };

static int enumerated, sampled;

/* The value that a chi-square of so many degrees passes once in a million. */
static double limit_of(int degrees)
{
	double d = degrees > 0 ? degrees : 1, r = 1 - 2 / (9 * d) + 4.7534 * sqrt(2 / (9 * d));
	return d * r * r * r;
}

static void differs(const struct program *p, const struct exact *whole, const struct exact *other, int64_t rounds, const char *where)
{
	/* who leaves nothing out goes on when all is decided that is asked, and may find that nothing is settled */
	if (fabs(other->stopped - whole->stopped) > 1e-13 || other->unsettled - whole->unsettled > 1e-13 || fabs(other->referrals - whole->referrals) > 1e-13 || fabs(other->unexplored - whole->unexplored) > 1e-13)
		fail_msg("%s, %d rounds: stopped %g and %g, unsettled %g and %g, referee %g and %g, open %g and %g", where, (int)rounds, other->stopped, whole->stopped, other->unsettled, whole->unsettled,
			other->referrals, whole->referrals, other->unexplored, whole->unexplored);
	for (int i = 0; i < whole->measures; i++) {
		if (other->measure[i].n != whole->measure[i].n)
			fail_msg("%s, %d rounds: %s has %d values and %d", where, (int)rounds, p->measure[i].text, other->measure[i].n, whole->measure[i].n);
		for (int k = 0; k < whole->measure[i].n; k++) {
			const struct share *a = &other->measure[i].share[k], *b = &whole->measure[i].share[k];
			if (a->value != b->value || fabs(a->p - b->p) > 1e-13 || (whole->proven && a->residue != b->residue))
				fail_msg("%s, %d rounds: %s is %lld with %.17g and %lld with %.17g", where, (int)rounds, p->measure[i].text, (long long)a->value, a->p, (long long)b->value, b->p);
		}
	}
}

/* Of so many rounds; false: that is too much. */
static bool against_all(const struct program *p, int64_t rounds, const char *where)
{
	const char *work = getenv("FRAY_TEST_WORK");
	struct exact_plan plan = {.program = p, .max_rounds = rounds, .states = work ? strtoull(work, NULL, 10) : 10000, .give_up = true, .keep_all = true};
	struct exact whole, flow, machines;
	plan.effort = plan.states * EFFORT_FORK;
	exact_run(&plan, &whole);
	const bool all = !whole.gave_up;
	if (all) {
		plan.keep_all = false;
		plan.states = 1000000;
		plan.effort = 0;
		exact_run(&plan, &flow);
		plan.by_machine = true;
		exact_run(&plan, &machines);
		enumerated++;
		differs(p, &whole, &flow, rounds, where);
		differs(p, &whole, &machines, rounds, where);
		exact_free(&flow);
		exact_free(&machines);
	}
	exact_free(&whole);
	return all;
}

static void against_sample(const struct program *p, const char *where)
{
	struct exact_plan plan = {.program = p, .max_rounds = ROUNDS, .states = 20000, .effort = 50000000, .give_up = true};
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

static int encounters, counted;

static void look(const struct script *s)
{
	for (int i = 0; i < fray_encounters(s->f); i++) {
		char where[600];
		bool taken = s->folder < 0 || s->folder == 1 || (s->folder > 1 && counted++ % 16 == 5) || getenv("FRAY_TEST_ALL");
		struct program *p = taken ? link_measured(s->f, i) : NULL;
		if (!p)
			continue;
		snprintf(where, sizeof where, "%s: %s", s->path, fray_encounter(s->f, i));
		for (int64_t rounds = 1; rounds <= ROUNDS_ALL && against_all(p, rounds, where); rounds++)
			;
		if (!strstr(s->path, "f3.fray"))
			against_sample(p, where);
		program_free(p);
		encounters++;
	}
}

static void test_every_script(void **state)
{
	(void)state;
	scripts_each(folders, sizeof folders / sizeof *folders, look);
	print_message("%d encounters: %d of so many rounds enumerated, %d sampled\n", encounters, enumerated, sampled);
	assert_true(getenv("FRAY_TEST_FILES") || (encounters > 30 && enumerated > 50 && sampled > 20));
}

static bool counts(void *context)
{
	++*(int *)context;
	return false;
}

/* Of long fights in a large world that never come to the same places less than one is enough to
 * know that there is no
 * hope: it is asked after each whether somebody interrupts. */
static void test_given_up(void **state)
{
	int asked = 0;
	struct script s;
	struct exact e;
	(void)state;
	script_open(&s, "tests/bench/f3.fray");
	assert_true(s.right);
	struct program *p = link_measured(s.f, 0);
	assert_non_null(p);
	struct exact_plan plan = {.program = p, .max_rounds = 1000, .states = 80000, .effort = 170000000, .give_up = true, .interrupted = counts, .context = &asked};
	exact_run(&plan, &e);
	assert_true(e.gave_up);
	assert_true(asked <= 1);
	exact_free(&e);
	program_free(p);
	script_close(&s);
}

/* Whether a fight is counted is decided by what is done for it, and so alike with any number of
 * threads. */
static void test_effort(void **state)
{
	struct script s;
	struct exact enough, little;
	(void)state;
	script_open(&s, "tests/rules/lite/l-05.fray");
	assert_true(s.right);
	struct program *p = link_measured(s.f, 0);
	assert_non_null(p);
	for (int threads = 1; threads <= 2; threads++) {
		struct exact_plan plan = {.program = p, .max_rounds = 1000, .states = 1000000, .effort = 2000000000, .threads = threads, .give_up = true};
		exact_run(&plan, &enough);
		assert_true(enough.complete);
		plan.effort /= 100;
		exact_run(&plan, &little);
		assert_true(little.gave_up);
		assert_true(little.worlds < enough.worlds / 5);
		exact_free(&enough);
		exact_free(&little);
	}
	program_free(p);
	script_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_script), cmocka_unit_test(test_given_up), cmocka_unit_test(test_effort)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
