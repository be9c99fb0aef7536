/* test_explain.c - runtime/explain: why, on a hand-written log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtime/explain/explain.h"
#include "runtime/explain/json.h"
#include "runtime/explain/timeline.h"
#include "tests/unit/little_run.h"

static struct little l;
static struct writer w;
static struct buf out;
static struct story_options o = {.width = 120, .write = collect, .context = &out};

static int setup(void **state)
{
	(void)state;
	little_make(&l);
	little_round(&w);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	trace_free(&w.t);
	buf_free(&out);
	return 0;
}

static void an_event_is_traced_to_its_causes(void **state)
{
	(void)state;
	int32_t n = explain_find(&l.p, &w.t, EV_DAMAGE, NONE, NONE);
	explain_event(&l.p, &w.t, n, &o);
	assert_string_equal(buf_text(&out), 
		"round 1, segment 4\n"
		"5 points of damage                          osric: blow (5)\n"
		"because\n"
		"  Bruna attacks orc #1 with long sword\n"
		"    attack roll 17 (needs 12)               osric: blow (5)\n"
		"      Bruna's attack roll 17 [d20: 17, typed]\n"
		"      to-hit number (Bruna, orc #1) is 12\n"
		"        base 13                             osric: blow (5)\n"
		"        -1                                  gentle: high ground (house 1)\n"
		"      hit                                   osric: blow (5)\n"
		"        Bruna's damage 5 [d8: 5]\n"
		"what happened in it\n"
		"  orc #1's hit points: 8 -> 3\n"
		"  orc #1 has 3 hit points left\n");
}

static void an_act_says_what_happened_in_it(void **state)
{
	(void)state;
	int32_t n = explain_find(&l.p, &w.t, -1, BRUNA, NONE);
	explain_event(&l.p, &w.t, n, &o);
	assert_string_equal(buf_text(&out), 
		"round 1, segment 4\n"
		"Bruna attacks orc #1 with long sword\n"
		"what happened in it\n"
		"  attack roll 17 (needs 12)                 osric: blow (5)\n"
		"    Bruna's attack roll 17 [d20: 17, typed]\n"
		"    to-hit number (Bruna, orc #1) is 12\n"
		"      base 13                               osric: blow (5)\n"
		"      -1                                    gentle: high ground (house 1)\n"
		"    hit                                     osric: blow (5)\n"
		"      Bruna's damage 5 [d8: 5]\n"
		"      5 points of damage                    osric: blow (5)\n"
		"        orc #1's hit points: 8 -> 3\n"
		"        orc #1 has 3 hit points left\n");
}

static void a_pended_act_says_where_it_comes_from(void **state)
{
	(void)state;
	explain_event(&l.p, &w.t, explain_last(&l.p, &w.t), &o);
	assert_string_equal(buf_text(&out), 
		"round 1, segment 6\n"
		"web takes effect                            osric: casting (3, note on spells)\n"
		"  it was left pending by: Halvaine begins web\n");
}

static void a_value_names_what_it_is_made_of(void **state)
{
	(void)state;
	w.act = 1;
	int32_t q = put_question(&w, -1, Q_TIME, 7 * SEGMENT, 1, 1, 0);
	trace_at(&w.t, q)->clause = C_HOLD;
	put_part(&w, REC_LOST, q, C_INIT, 1);
	put_part(&w, REC_BASE, q, C_HOLD, 7 * SEGMENT);
	put_part(&w, REC_ADJUST, q, C_HIGH, -SEGMENT);
	put_part(&w, REC_ADJUST, q, C_HIGH, 0);
	put_part(&w, REC_BOUND, q, C_NEEDS, 7 * SEGMENT);
	explain_value(&l.p, &w.t, q, &o);
	assert_string_equal(buf_text(&out),
		"Bruna's attack's time is segment 7\n"
		"  overruled: another rule's condition applies   osric: initiative segment (3)\n"
		"  base segment 7                            osric: holding (3)\n"
		"  -1 segment                                gentle: high ground (house 1)\n"
		"  also applied, but changed nothing         gentle: high ground (house 1)\n"
		"  kept within segment 7                     osric: melee only (4)\n");
}

static void order_is_told_by_keys(void **state)
{
	(void)state;
	int32_t a = explain_find(&l.p, &w.t, EV_ATTACK, ORC1, NONE), b = explain_find(&l.p, &w.t, EV_ATTACK, BRUNA, NONE);
	explain_order(&l.p, &w.t, a, b, &o);
	assert_string_equal(buf_text(&out), 
		"round 1, segment 4\n"
		"Bruna acts in segment 4                     osric: initiative segment (3)\n"
		"orc #1 acts in segment 5                    osric: initiative segment (3)\n"
		"order acts by lowest act's time             osric: in order of segments (3)\n"
		"Bruna acts before orc #1\n");
}

static void the_same_group_acts_together(void **state)
{
	(void)state;
	int32_t a = explain_find(&l.p, &w.t, EV_CAST, HALVAINE, NONE), b = explain_find(&l.p, &w.t, EV_ATTACK, BRUNA, NONE);
	explain_order(&l.p, &w.t, a, b, &o);
	assert_string_equal(buf_text(&out), 
		"round 1, segment 4\n"
		"Halvaine acts in segment 4                  osric: initiative segment (3)\n"
		"Bruna acts in segment 4                     osric: initiative segment (3)\n"
		"order acts by lowest act's time             osric: in order of segments (3)\n"
		"neither is before the other: they act together\n");
}

static void a_log_is_one_object_a_line(void **state)
{
	(void)state;
	struct json_run run = {"0.1.0", UINT64_MAX, 3, collect, &out, 0};
	/* a value that is merely stored is no modifier */
	put_part(&w, REC_BASE, put_question(&w, 15, Q_TIME, 5, 1, 0, 0), -1, 5);
	json_tell(&l.p, &w.t, 0, &run);
	int lines = 0;
	for (const char *at = buf_text(&out); *at; at++)
		lines += *at == '\n';
	assert_int_equal(lines, 27);
	static const char *const has[] = {
		"{\"event\":\"run\",\"kind\":\"run\",\"version\":\"0.1.0\",\"script\":\"bridge.fray\",\"encounter\":\"The Bridge\",\"rules\":[\"osric\"],"
		"\"options\":{\"segments.count\":\"yes\"},\"seed\":18446744073709551615,\"trial\":3}\n",
		/* a set of targets, the words for playing it again */
		"\"actor\":\"Halvaine\",\"target\":\"orc #1 and orc #2\",\"deed\":\"cast\"",
		"\"words\":[0,1,12]",
		"{\"event\":\"roll\",\"kind\":\"roll\",\"id\":19,\"round\":1,\"time\":\"segment 4\",\"moment\":4,\"group\":1,\"cause\":18,\"actor\":\"Bruna\","
		"\"dice\":[{\"label\":\"Bruna's attack roll\",\"name\":\"attack roll\",\"owner\":\"Bruna\",\"dice\":\"d20\",\"total\":17,\"faces\":[17],\"source\":\"typed\"}]}\n",
		"\"modifiers\":[{\"name\":\"to-hit number (Bruna, orc #1)\",\"parts\":[{\"by\":\"base\",\"value\":13,\"rule\":\"blow\",\"module\":\"osric\",\"cite\":\"5\"},"
		"{\"by\":\"adjust\",\"value\":-1,\"rule\":\"high ground\",\"module\":\"gentle\",\"cite\":\"house 1\"}],\"value\":12}]",
		"\"what\":\"orc #1's hit points\",\"old\":8,\"new\":3,\"by hand\":false,",
		"\"outcome\":\"over\",\"told\":\"the fight is over: orcs are down\"}\n",
	};
	for (size_t i = 0; i < FRAY_COUNT(has); i++)
		if (!strstr(buf_text(&out), has[i]))
			fail_msg("no %s in\n%s", has[i], buf_text(&out));
	assert_null(strstr(strstr(buf_text(&out), "modifiers") + 1, "modifiers"));
}

/* Logs nobody would write: whatever the records say, reading them is harmless. */
static void damaged_logs_can_be_read(void **state)
{
	(void)state;
	uint64_t rng = 9;
	for (int n = 0; n < 400; n++) {
		struct buf text = {0};
		struct story_options all = {.why = true, .width = n % 90, .write = collect, .context = &text};
		struct json_run run = {"0", 1, 0, collect, &text, 0};
		trace_free(&w.t);
		little_round(&w);
		for (int i = 0; i < 12; i++) {
			rng = rng * 6364136223846793005u + 1442695040888963407u;
			int32_t number = (int32_t)((rng >> 33) % (uint64_t)w.t.n);
			struct record *r = trace_at(&w.t, number);
			static const int32_t odd[] = {-1, 0, 1, 2, 5, 7, 30, 1000, INT32_MAX, INT32_MIN};
			int32_t v = odd[(rng >> 20) % FRAY_COUNT(odd)];
			switch ((rng >> 40) % 14) {
			case 0: r->kind = (uint8_t)((uint32_t)v % REC_KINDS); break;
			case 1: r->flag = (uint8_t)v; break;
			case 2: r->parent = v < number && v >= -1 ? v : -1; break;
			case 3: r->what = v; break;
			case 4: r->clause = v; break;
			case 5: r->act = v; break;
			case 6: r->round = v; break;
			case 7: r->time = v; break;
			case 8: r->value = v == -1 ? NONE : v; break;
			case 9: r->owner = v; break;
			case 10: r->group = v; break;
			case 11: r->text = v; break;
			case 12: r->values = v; break;
			default: r->face_count = v; break;
			}
		}
		story_tell(&l.p, &w.t, n % 7, &all);
		timeline_draw(&l.p, &w.t, 0, &all);
		json_tell(&l.p, &w.t, 0, &run);
		for (int32_t i = -1; i <= w.t.n; i += 3) {
			explain_event(&l.p, &w.t, i, &all);
			explain_value(&l.p, &w.t, i, &all);
			explain_not(&l.p, &w.t, i, &all);
			explain_order(&l.p, &w.t, i, i / 2, &all);
		}
		assert_true(text.length > 0);
		buf_free(&text);
	}
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(an_event_is_traced_to_its_causes), CASE(an_act_says_what_happened_in_it), CASE(a_pended_act_says_where_it_comes_from),
		CASE(a_value_names_what_it_is_made_of), CASE(order_is_told_by_keys), CASE(the_same_group_acts_together), CASE(a_log_is_one_object_a_line),
		CASE(damaged_logs_can_be_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
