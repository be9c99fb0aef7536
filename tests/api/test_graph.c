/* test_graph.c - a trial walked through what is known comes out as the machine plays it, for
 * every encounter of the scripts below: the same measures, word for word, the same end. */
#include "tests/api/scripts.h"

#include "runtime/sim/graph.h"
#include "runtime/sim/trials.h"
#include "runtime/world/block.h"

static const char *const folders[] = {"tests/bench", "examples", "tests/rules/core", "tests/rules/osric", "tests/rules/lite", "tests/rules/proc", "tests/rules/crucible", "tests/rules/dew"};
enum { TRIALS = 6, ROUNDS = 40, BYTES = 64 << 20 };

static int walked, played;

/* Rulings of a part of the fight keep a program from being lifted. */
static bool ruled_in_blocks(const struct program *p)
{
	for (int32_t i = 0; i < p->beats_count; i++)
		if (p->beats[i].from || p->beats[i].until)
			return true;
	return false;
}

static void compare(const struct program *p, const char *where, int trials)
{
	struct vm_host host = {0};
	struct vm *m = vm_new(p, &host);
	struct graph *g = graph_new(p, NULL, ROUNDS, 0, BYTES);
	word mine[MEASURES_MAX + 1], its[MEASURES_MAX + 1];
	if (!g && !ruled_in_blocks(p))
		fail_msg("%s cannot be lifted", where);
	for (int t = 0; t < trials && g; t++) {
		const struct ending *e = graph_trial(g, 5, (uint64_t)t, mine);
		if (g->broken)
			fail_msg("%s: the same way gave other notes", where);
		if (g->idle)
			break; /* its fights seldom meet */
		if (!e) {
			played++;
			continue;
		}
		walked++;
		vm_begin(m, 5, (uint64_t)t, ROUNDS);
		enum vm_status s = vm_run(m);
		bool good = s == VM_OVER && vm_call(m, p->measure_fn, NULL, 0, its, p->measures, false);
		if (e->status != s || e->good != good)
			fail_msg("%s, trial %d: ends with %d and not %d", where, t, e->status, s);
		if (e->referred != (vm_block(m)[H_REFERRALS] > 0) || e->unsettled != (vm_block(m)[H_OUTCOME] == OUTCOME_ROUNDS))
			fail_msg("%s, trial %d: ends otherwise", where, t);
		for (int i = 0; good && i < p->measures; i++)
			if (mine[i] != its[i])
				fail_msg("%s, trial %d: %s is %lld and not %lld", where, t, p->measure[i].text, (long long)mine[i], (long long)its[i]);
	}
	graph_free(g);
	vm_free(m);
}

static int encounters, counted;

static void look(const struct script *s)
{
	const int k = s->folder;
	for (int i = 0; i < fray_encounters(s->f); i++) {
		char where[600];
		/* of the rules' many small ones some; FRAY_TEST_ALL: all */
		bool taken = (k < 3 && !strstr(s->path, "f2.fray") && !strstr(s->path, "f3.fray")) || counted++ % 40 == 0 || getenv("FRAY_TEST_ALL");
		struct program *p = taken ? link_measured(s->f, i) : NULL;
		if (!p)
			continue;
		snprintf(where, sizeof where, "%s: %s", s->path, fray_encounter(s->f, i));
		compare(p, where, strstr(s->path, "f1.fray") ? 290 : counted % 160 == 1 ? 50 * TRIALS : TRIALS);
		program_free(p);
		encounters++;
	}
}

static void test_every_script(void **state)
{
	(void)state;
	scripts_each(folders, sizeof folders / sizeof *folders, look);
	assert_true(getenv("FRAY_TEST_FILES") || encounters > 15);
	/* nearly all of them can be walked */
	assert_true(played * 9 < walked);
}

static void same_tally(const struct tally *a, const struct tally *b)
{
	assert_int_equal(a->n, b->n);
	for (uint32_t i = 0; i < a->n; i++) {
		assert_true(a->value[i] == b->value[i]);
		assert_true(a->count[i] == b->count[i]);
	}
}

/* A sample is the same sample with and without it, for any number of threads. */
static void test_samples(void **state)
{
	static const char *const scripts[] = {"tests/bench/f1.fray", "examples/web.fray"};
	(void)state;
	for (size_t k = 0; k < sizeof scripts / sizeof *scripts; k++) {
		struct script s;
		script_open(&s, scripts[k]);
		assert_true(s.right);
		struct program *p = link_measured(s.f, 0);
		assert_non_null(p);
		struct trials_plan plan = {.program = {p}, .branches = 1, .seed = 3, .trials = 150, .threads = 1, .max_rounds = ROUNDS, .by_machine = true};
		struct trials whole;
		trials_run(&plan, &whole);
		plan.by_machine = false;
		for (int threads = 1; threads <= 16; threads = threads == 1 ? 2 : threads * 8) {
			struct trials known;
			plan.threads = threads;
			trials_run(&plan, &known);
			assert_int_equal(known.done, whole.done);
			assert_int_equal(known.branch[0].unsettled, whole.branch[0].unsettled);
			assert_int_equal(known.branch[0].stopped, whole.branch[0].stopped);
			for (int i = 0; i < p->measures; i++)
				same_tally(&known.branch[0].measure[i].value, &whole.branch[0].measure[i].value);
			trials_free(&known);
		}
		trials_free(&whole);
		program_free(p);
		script_close(&s);
	}
}

/* A sample that is to take so much work at most is the beginning of a longer one, as long for any number of threads. */
static void test_work(void **state)
{
	(void)state;
	struct script s;
	script_open(&s, "tests/bench/f2.fray");
	assert_true(s.right);
	struct program *p = link_measured(s.f, 0);
	assert_non_null(p);
	struct trials_plan plan = {.program = {p}, .branches = 1, .seed = 3, .trials = 1000, .threads = 1, .max_rounds = ROUNDS, .work = 200000};
	uint64_t done = 0;
	for (int threads = 1; threads <= 8; threads *= 2) {
		struct trials few, same;
		plan.threads = threads;
		trials_run(&plan, &few);
		assert_in_range(few.done, 5, 999);
		assert_true(few.done < 100 || few.done % 10 == 0);
		assert_true(!done || few.done == done);
		done = few.done;
		struct trials_plan told = plan;
		told.work = 0;
		told.trials = done;
		trials_run(&told, &same);
		for (int i = 0; i < p->measures; i++)
			same_tally(&few.branch[0].measure[i].value, &same.branch[0].measure[i].value);
		trials_free(&few);
		trials_free(&same);
	}
	struct trials least, all;
	plan.work = 1;
	trials_run(&plan, &least);
	assert_int_equal(least.done, 4);
	plan.work = UINT64_MAX / 64;
	trials_run(&plan, &all);
	assert_int_equal(all.done, plan.trials);
	trials_free(&least);
	trials_free(&all);
	program_free(p);
	script_close(&s);
}

/* Trials after which a graph that is dear when it has explored so much is given up; TRIALS_MOST: it is kept. */
static int trials_till_idle(const char *path, uint64_t dear)
{
	enum { TRIALS_MOST = 600 };
	struct script s;
	word values[MEASURES_MAX + 1];
	int t = 0;
	script_open(&s, path);
	assert_true(s.right);
	struct program *p = link_measured(s.f, 0);
	assert_non_null(p);
	struct graph *g = graph_new(p, NULL, ROUNDS, 0, BYTES);
	assert_non_null(g);
	for (g->dear = dear; t < TRIALS_MOST && !g->idle; t++)
		graph_trial(g, 1, (uint64_t)t, values);
	graph_free(g);
	program_free(p);
	script_close(&s);
	return t;
}

/* Where fights do not meet it is found out before much is spent; where they do nothing is given up. */
static void test_given_up(void **state)
{
	(void)state;
	const uint64_t dear = 2000000;
	assert_in_range(trials_till_idle("tests/bench/f2.fray", dear), 2, 20);
	assert_in_range(trials_till_idle("tests/bench/f2.fray", 0), 40, 128);
	assert_int_equal(trials_till_idle("tests/bench/f1.fray", dear), 600);
	/* of a large one not even one trial is explored to its end */
	assert_int_equal(trials_till_idle("tests/bench/f3.fray", dear), 1);
	assert_in_range(trials_till_idle("tests/bench/f3.fray", 100 * dear), 2, 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_script), cmocka_unit_test(test_samples), cmocka_unit_test(test_work), cmocka_unit_test(test_given_up)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
