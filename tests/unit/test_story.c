/* test_story.c - runtime/explain: a hand-written log told as a story. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtime/explain/ink.h"
#include "runtime/explain/story.h"
#include "runtime/explain/timeline.h"
#include "tests/unit/little_run.h"

static struct little l;
static struct writer w;

static void check(int32_t from, bool why, int width, const char *want)
{
	struct buf out = {0};
	struct story_options o = {why, width, collect, &out};
	story_tell(&l.p, &w.t, from, &o);
	assert_string_equal(buf_text(&out), want);
	buf_free(&out);
}

static void a_round_is_told(void **state)
{
	(void)state;
	little_make(&l);
	little_round(&w);
	check(0, false, 200,
		"round 1\n"
		"  dice       party's initiative 5 [forced], orcs' initiative 4\n"
		"  segment 4  Halvaine begins web\n"
		"             Bruna attacks orc #1 with long sword: attack roll 17 (needs 12) [typed]: hit, 5 points of damage [d8: 5]; orc #1 has 3 hit points left\n"
		"  segment 5  orc #1 attacks Halvaine: attack roll 2: miss\n"
		"  segment 6  web takes effect\n"
		"the fight is over: orcs are down\n");
	trace_free(&w.t);
}

static void the_rules_are_cited_below_each_line(void **state)
{
	(void)state;
	little_make(&l);
	little_round(&w);
	check(0, true, 200, "");
	trace_free(&w.t);
}

static void the_round_is_drawn(void **state)
{
	(void)state;
	struct buf out = {0};
	struct story_options o = {false, 80, collect, &out};
	little_make(&l);
	little_round(&w);
	timeline_draw(&l.p, &w.t, 0, &o);
	assert_string_equal(buf_text(&out), "");
	buf_free(&out);
	trace_free(&w.t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_round_is_told),
		cmocka_unit_test(the_rules_are_cited_below_each_line),
		cmocka_unit_test(the_round_is_drawn),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
