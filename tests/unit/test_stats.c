/* test_stats.c - what intervals promise: of 2,000 samples by 2,000 seeds the 95 % interval holds
 * the truth in 93 to 97 of 100. The samples are made by the seeded dice themselves and counted
 * by the tallies that odds use; the truth is arithmetic. Seeds are fixed: no luck is involved. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/dice/dice.h"
#include "runtime/sim/stats.h"

enum { SEEDS = 2000, TRIALS = 500 };

static void held_well(const char *what, int held)
{
	double share = (double)held / SEEDS;
	if (share < 0.93 || share > 0.97)
		fail_msg("%s: the interval holds the truth in %.2f %% of the seeds", what, share * 100);
}

/* ---- Wilson's interval ---- */

/* How many seeds' intervals for "the d20 shows `most` or less" hold most / 20. */
static int wilson_held(int most, int trials)
{
	int held = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		uint64_t yes = 0;
		double low, high;
		for (int t = 0; t < trials; t++)
			yes += seeded_face(seed, (uint64_t)t, 77, 0, 0, 20) <= most;
		stats_wilson(yes, (uint64_t)trials, &low, &high);
		held += low <= most / 20.0 && most / 20.0 <= high;
	}
	return held;
}

static void test_wilson(void **state)
{
	static const int most[] = {1, 3, 7, 10, 14, 19};
	(void)state;
	for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
		char what[40];
		snprintf(what, sizeof what, "%d in 20", most[i]);
		held_well(what, wilson_held(most[i], TRIALS));
	}
}

/* What it says of nothing and of all: bounds that are not the figure itself. */
static void test_ends(void **state)
{
	double low, high;
	(void)state;
	stats_wilson(0, 100, &low, &high);
	assert_true(low == 0 && high > 0.03 && high < 0.04);
	stats_wilson(100, 100, &low, &high);
	assert_true(high == 1 && low > 0.96 && low < 0.97);
	stats_wilson(0, 0, &low, &high);
	assert_true(low == 0 && high == 1);
	for (uint64_t yes = 0; yes <= 50; yes++) {
		double p = (double)yes / 50;
		stats_wilson(yes, 50, &low, &high);
		assert_true(0 <= low && low <= p && p <= high && high <= 1 && low < high);
	}
}

/* A sample as large as it is said to need has an interval as wide as was asked for. */
static void test_needed(void **state)
{
	static const double half[] = {0.1, 0.02, 0.001, 0.0001};
	(void)state;
	for (size_t i = 0; i < sizeof half / sizeof half[0]; i++)
		for (uint64_t of_20 = 0; of_20 <= 20; of_20++) {
			double low, high, needs = stats_needed(of_20 * 50, 1000, half[i]), p = (double)of_20 / 20;
			/* a size in which p is a whole number of trials */
			uint64_t n = (uint64_t)(needs / 20 + 1) * 20;
			stats_wilson((uint64_t)(p * (double)n + 0.5), n, &low, &high);
			assert_true((high - low) / 2 <= half[i]);
			if (n < 200)
				continue;
			n -= 40;
			stats_wilson((uint64_t)(p * (double)n + 0.5), n, &low, &high);
			/* at the ends the interval is cut off at 0 and 1 */
			assert_true((high - low) / 2 > half[i] || of_20 == 0 || of_20 == 20);
		}
	assert_true(stats_needed(0, 1000, 1e-300) > 1e299 && isinf(stats_needed(500, 1000, 1e-300)));
}

/* ---- means and paired differences ---- */

/* A blow: d20 against a number, then damage; two ways to strike with the same dice. */
static int blow(uint64_t seed, uint64_t trial, int needed, int sides)
{
	int roll = seeded_face(seed, trial, 1, 0, 0, 20), damage = seeded_face(seed, trial, 2, 0, 0, sides);
	return roll >= needed ? damage : 0;
}

static void test_mean(void **state)
{
	int held = 0;
	double truth = 8.0 / 20 * 4.5;
	(void)state;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct tally t = {0};
		for (uint64_t i = 0; i < TRIALS; i++)
			tally_add(&t, blow(seed, i, 13, 8), 1);
		tally_sort(&t, false);
		struct moments m = stats_moments(&t, false);
		assert_int_equal(m.n, TRIALS);
		held += m.low <= truth && truth <= m.high;
		tally_free(&t);
	}
	held_well("the mean of damage", held);
}

/* Damage with a long sword at +1 less damage with an axe, blow by blow. */
static void test_paired_means(void **state)
{
	int held = 0, held_apart = 0;
	double truth = 9.0 / 20 * 4.5 - 8.0 / 20 * 3.5;
	(void)state;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct tally difference = {0}, one = {0}, other = {0};
		for (uint64_t i = 0; i < TRIALS; i++) {
			int a = blow(seed, i, 12, 8), b = blow(seed, i, 13, 6);
			tally_add(&difference, a - b, 1);
			tally_add(&one, a, 1);
			tally_add(&other, b, 1);
		}
		struct moments m = stats_moments(&difference, false), x = stats_moments(&one, false), y = stats_moments(&other, false);
		held += m.low <= truth && truth <= m.high;
		/* as if the samples were strangers: too wide, for the same dice fell in both */
		double half = hypot((x.high - x.low) / 2, (y.high - y.low) / 2);
		assert_true(half > (m.high - m.low) / 2);
		held_apart += fabs(x.mean - y.mean - truth) <= half;
		tally_free(&difference);
		tally_free(&one);
		tally_free(&other);
	}
	held_well("the difference of means", held);
	assert_true(held_apart > held);
}

/* "Does he fall?" under two rulings: differences are -1, 0 and 1. */
static void test_paired_chances(void **state)
{
	int held = 0;
	double truth = 9.0 / 20 * 5 / 8 - 8.0 / 20 * 4 / 8;
	(void)state;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct tally t = {0};
		for (uint64_t i = 0; i < TRIALS; i++)
			tally_add(&t, (blow(seed, i, 12, 8) >= 4) - (blow(seed, i, 13, 8) >= 5), 1);
		struct moments m = stats_moments(&t, false);
		held += m.low <= truth && truth <= m.high;
		tally_free(&t);
	}
	held_well("the difference of chances", held);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wilson),
		cmocka_unit_test(test_needed),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_mean),
		cmocka_unit_test(test_paired_means),
		cmocka_unit_test(test_paired_chances),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
