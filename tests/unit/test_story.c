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
	struct story_options o = {.why = why, .full = why, .width = width, .write = collect, .context = &out};
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
		"             Bruna attacks orc #1 with long sword: attack roll 17 [typed] (needs 12): hit, 5 points of damage [d8: 5], 3 hit points left; orc #1 has 3 hit points left\n"
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
	check(0, true, 200,
		"round 1\n"
		"             Halvaine declares: cast web at orc #1 and orc #2\n"
		"  dice       party's initiative 5 [forced], orcs' initiative 4\n"
		"  segment 4  Halvaine begins web\n"
		"               osric: casting (3, note on spells)\n"
		"             Bruna attacks orc #1 with long sword: attack roll 17 [typed] (needs 12): hit, 5 points of damage [d8: 5], 3 hit points left; orc #1 has 3 hit points left\n"
		"               osric: blow (5)\n"
		"               to-hit number (Bruna, orc #1): 12 = 13 by osric: blow (5), -1 by gentle: high ground (house 1)\n"
		"               orc #1's hit points: 8 -> 3\n"
		"  segment 5  orc #1 attacks Halvaine: attack roll 2: miss\n"
		"               osric: blow (5)\n"
		"  segment 6  web takes effect\n"
		"               osric: casting (3, note on spells)\n"
		"the fight is over: orcs are down\n");
	trace_free(&w.t);
}

static void the_round_is_drawn(void **state)
{
	(void)state;
	struct buf out = {0};
	struct story_options o = {.width = 80, .write = collect, .context = &out};
	little_make(&l);
	little_round(&w);
	timeline_draw(&l.p, &w.t, 0, &o);
	assert_string_equal(buf_text(&out),
		"round 1, segment   1  2  3  4  5  6  7  8  9 10\n"
		"Halvaine                    [web> *\n"
		"Bruna                       x\n"
		"orc #1                         x\n"
		"x acts   [ begins   * takes effect\n");
	buf_free(&out);
	trace_free(&w.t);
}

/* A log with nothing in it yet but the round. */
static void begin(int32_t round)
{
	memset(&w, 0, sizeof w);
	trace_init(&w.t, 1000);
	w.group = w.act = -1;
	w.time = 0;
	w.round = round;
	put(&w, REC_RUN, -1);
	if (round)
		trace_at(&w.t, put(&w, REC_ROUND, -1))->value = round;
}

static int32_t put_deed(enum record_kind kind, int event, word a, word b, word c, int flag, int32_t clause)
{
	int32_t n = put(&w, kind, -1);
	trace_at(&w.t, n)->what = event;
	trace_at(&w.t, n)->owner = a;
	trace_at(&w.t, n)->flag = (uint8_t)flag;
	trace_at(&w.t, n)->clause = clause;
	put_values(&w, n, 3, a, b, c);
	return n;
}

static void what_came_to_nothing_is_told(void **state)
{
	(void)state;
	little_make(&l);
	begin(1);
	w.time = 3 * SEGMENT;
	put_deed(REC_VOID, EV_ATTACK, ORC1, BRUNA, T_SWORD, VOID_UNABLE, -1);
	put_deed(REC_VOID, EV_ATTACK, ORC2, BRUNA, NONE, VOID_STOPPED, C_HOLD);
	put_deed(REC_VOID, EV_CAST, HALVAINE, T_WEB, 0, VOID_CANCELLED, -1);
	put_deed(REC_REFUSED, EV_ATTACK, BRUNA, ORC1, T_SWORD, 0, C_NEEDS);
	int32_t n = put(&w, REC_CHOICE, -1);
	trace_at(&w.t, n)->what = 0;
	trace_at(&w.t, n)->owner = BRUNA;
	trace_at(&w.t, n)->value = 1;
	trace_at(&w.t, n)->flag = BY_POLICY;
	n = put(&w, REC_CHOICE, -1); /* the script's own choices are no news */
	trace_at(&w.t, n)->what = 0;
	trace_at(&w.t, n)->owner = BRUNA;
	trace_at(&w.t, n)->value = 0;
	trace_at(&w.t, n)->flag = BY_SCRIPT;
	put_text(&w, put(&w, REC_REFER, -1), "does the bridge hold?");
	put_text(&w, put(&w, REC_EDIT, -1), "Bruna's hit points = 3");
	n = put(&w, REC_CHANGE, -1);
	trace_at(&w.t, n)->what = F_HP;
	trace_at(&w.t, n)->owner = BRUNA;
	trace_at(&w.t, n)->value = 3;
	trace_at(&w.t, n)->flag = 2;
	put_values(&w, n, 2, 8, NONE, 0);
	n = put(&w, REC_OUTCOME, -1);
	trace_at(&w.t, n)->flag = OUTCOME_ROUNDS;
	check(0, false, 200,
		"round 1\n"
		"  segment 3  orc #1 was to attack Bruna with long sword, but could do nothing by "
		"then\n"
		"             orc #2 was to attack Bruna, but was interrupted: holding\n"
		"             Halvaine was to cast web, but gave it up\n"
		"             Bruna could not attack orc #1 with long sword: melee only\n"
		"             referee's call: does the bridge hold?\n"
		"             the referee: Bruna's hit points = 3\n"
		"             the referee changes Bruna's hit points: 8 -> 3\n"
		"the round limit is reached\n");
	trace_free(&w.t);
}

static void phases_before_the_first_round_are_headings(void **state)
{
	(void)state;
	little_make(&l);
	begin(0);
	trace_at(&w.t, put(&w, REC_PHASE, -1))->what = 0;
	int32_t n = put_roll(&w, -1, L_MORALE, ORCS, 1, 0, DIE_ROLLED);
	put_values(&w, n, 2, NONE, ((word)1 << 32) + 3, 0); /* a chance of 1/3 */
	trace_at(&w.t, put(&w, REC_PHASE, -1))->what = 2; /* nothing to tell in it */
	w.round = 1;
	trace_at(&w.t, put(&w, REC_ROUND, -1))->value = 1;
	w.round = 2;
	w.time = 0;
	trace_at(&w.t, put(&w, REC_ROUND, -1))->value = 2;
	w.time = 600 + 2 * SEGMENT;
	w.act = 1;
	put_event(&w, -1, EV_SPOIL, -1, "Bruna waits", BRUNA, 0, 0);
	put_roll(&w, -1, L_ATTACK, BRUNA, 3, 0, DIE_ROLLED);
	check(0, false, 80,
		"surprise\n"
		"  dice       orcs' morale check yes [1/3]\n"
		"\nround 1\n"
		"\nround 2\n"
		"  segment 2  Bruna waits\n"
		"             Bruna's attack roll 3\n");
	trace_free(&w.t);
}

static void without_a_clock_groups_say_how_they_stood(void **state)
{
	(void)state;
	little_make(&l);
	l.p.shown_unit = -1;
	begin(1);
	w.time = NONE;
	for (int g = 1; g <= 3; g++) {
		put_group(&w, g, NONE, g == 2 ? 2 : 1);
		w.act = g;
		put_event(&w, -1, EV_SPOIL, -1, "Bruna waits", BRUNA, 0, 0);
		if (g == 2)
			put_event(&w, -1, EV_SPOIL, -1, "orc #1 waits", ORC1, 0, 0);
		w.act = -1;
	}
	check(0, false, 80,
		"round 1\n"
		"  then      Bruna waits\n"
		"  together  Bruna waits\n"
		"            orc #1 waits\n"
		"  then      Bruna waits\n");
	trace_free(&w.t);
}

static void long_lines_hang(void **state)
{
	(void)state;
	little_make(&l);
	little_round(&w);
	check(8, false, 50,
		"  segment 4  Halvaine begins web\n"
		"             Bruna attacks orc #1 with long sword:\n"
		"             attack roll 17 [typed] (needs 12):\n"
		"             hit, 5 points of damage [d8: 5], 3\n"
		"             hit points left; orc #1 has 3 hit\n"
		"             points left\n"
		"  segment 5  orc #1 attacks Halvaine: attack roll\n"
		"             2: miss\n"
		"  segment 6  web takes effect\n"
		"the fight is over: orcs are down\n");
	trace_free(&w.t);
}

static void dropped_copies_are_not_told(void **state)
{
	(void)state;
	little_make(&l);
	begin(1);
	trace_at(&w.t, put_event(&w, -1, EV_SPOIL, -1, "Bruna waits", BRUNA, 0, 0))->dropped = true;
	int32_t n = put_event(&w, -1, EV_SPOIL, -1, "orc #1 waits", ORC1, 0, 0);
	trace_at(&w.t, put_event(&w, n, EV_SPOIL, -1, "and waits", ORC1, 0, 0))->dropped = true;
	put_event(&w, n, EV_SPOIL, -1, "and yawns", ORC1, 0, 0);
	trace_at(&w.t, n)->flag = EVENT_STOPPED;
	check(0, false, 80, "round 1\n             orc #1 waits: and yawns, which stops it\n");
	trace_free(&w.t);
}

/* Dice that do not count stand in brackets; many faces are not all told. */
static void dice_show_how_they_fell(void **state)
{
	(void)state;
	little_make(&l);
	l.dice[0].text = "4d6kh3";
	begin(1);
	int32_t faces[40] = {6, -1, 5, 4};
	for (int i = 4; i < 40; i++)
		faces[i] = 2;
	int32_t n = put_roll(&w, -1, L_INITIATIVE, PARTY, 15, 0, DIE_FORCED);
	int32_t at = trace_faces(&w.t, faces, 4);
	trace_at(&w.t, n)->faces = at;
	trace_at(&w.t, n)->face_count = 4;
	check(0, false, 80, "round 1\n  dice       party's initiative 15 [4d6kh3: 6, (1), 5, 4, forced]\n");
	at = trace_faces(&w.t, faces, 40);
	trace_at(&w.t, n)->faces = at;
	trace_at(&w.t, n)->face_count = 40;
	trace_at(&w.t, n)->flag = DIE_ROLLED;
	check(0, false, 200, "round 1\n  dice       party's initiative 15 [4d6kh3: 6, (1), 5, 4, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, and 16 more]\n");
	trace_free(&w.t);
}

/* Orcs that did the same share a row; a spell that is spoiled, an act that came to nothing. */
static void like_rows_are_folded_and_spoiled_spells_marked(void **state)
{
	(void)state;
	struct buf out = {0};
	struct story_options o = {.width = 80, .write = collect, .context = &out};
	little_make(&l);
	begin(1);
	put_group(&w, 1, 2 * SEGMENT, 1);
	w.act = 0;
	int32_t cast = put_event(&w, -1, EV_CAST, C_CAST, "Halvaine begins web", HALVAINE, T_WEB, 0);
	int32_t n = put(&w, REC_PEND, cast);
	trace_at(&w.t, n)->what = EV_COMPLETE;
	trace_at(&w.t, n)->act = 9;
	put_values(&w, n, 3, HALVAINE, T_WEB, 0);
	put_group(&w, 2, 6 * SEGMENT, 4);
	for (int orc = ORC1; orc <= ORC4; orc++) {
		w.act = orc;
		int32_t attack = put_event(&w, -1, EV_ATTACK, -1, NULL, orc, HALVAINE, T_SWORD);
		put_event(&w, attack, EV_HIT, -1, "hit", orc, HALVAINE, T_SWORD);
	}
	w.act = 7; /* of which nothing is told */
	put_event(&w, -1, EV_ATTACK, -1, NULL, BRUNA, ORC1, T_SWORD);
	w.act = -1;
	n = put_deed(REC_CANCEL, EV_COMPLETE, HALVAINE, T_WEB, 0, 0, C_SPOIL);
	trace_at(&w.t, n)->act = 9;
	put_group(&w, 3, 9 * SEGMENT, 1);
	put_deed(REC_VOID, EV_ATTACK, BRUNA, ORC1, T_SWORD, VOID_UNABLE, -1);
	timeline_draw(&l.p, &w.t, 0, &o);
	assert_string_equal(buf_text(&out),
		"round 1, segment   1  2  3  4  5  6  7  8  9 10\n"
		"Halvaine              [ web >     !\n"
		"Bruna                                      o\n"
		"orc #1 .. #4                      x\n"
		"x acts   [ begins   ! is spoiled   o comes to nothing\n");
	buf_free(&out);
	trace_free(&w.t);
}

/* Two blows of one act: each telling speaks of its own dice, though both fell alike. */
static void tellings_speak_of_their_own_dice(void **state)
{
	(void)state;
	little_make(&l);
	begin(1);
	w.act = 1;
	int32_t attack = put_event(&w, -1, EV_ATTACK, -1, "Bruna attacks", BRUNA, ORC1, T_SWORD);
	for (int blow = 0; blow < 2; blow++) {
		int32_t hit = put_event(&w, attack, EV_HIT, -1, "hit", BRUNA, ORC1, T_SWORD);
		put_roll(&w, hit, L_DAMAGE, BRUNA, 4, 1, blow ? DIE_FORCED : DIE_ROLLED);
		put_event(&w, hit, EV_DAMAGE, -1, blow ? "4 damage, and dead" : "4 damage, alive", ORC1, 4, T_SWORD);
	}
	put_roll(&w, attack, L_DAMAGE, ORC2, 7, 1, DIE_ROLLED); /* nobody speaks of it */
	check(0, false, 200, "round 1\n             Bruna attacks: hit, 4 damage [d8: 4], alive, hit, 4 damage [d8: 4, forced], and dead, orc #2's damage 7\n");
	trace_free(&w.t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_round_is_told),
		cmocka_unit_test(the_rules_are_cited_below_each_line),
		cmocka_unit_test(the_round_is_drawn),
		cmocka_unit_test(tellings_speak_of_their_own_dice),
		cmocka_unit_test(what_came_to_nothing_is_told),
		cmocka_unit_test(phases_before_the_first_round_are_headings),
		cmocka_unit_test(without_a_clock_groups_say_how_they_stood),
		cmocka_unit_test(long_lines_hang),
		cmocka_unit_test(dropped_copies_are_not_told),
		cmocka_unit_test(dice_show_how_they_fell),
		cmocka_unit_test(like_rows_are_folded_and_spoiled_spells_marked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
