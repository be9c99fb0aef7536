/* test_show.c - runtime/code/show: values in the referee's words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtime/code/show.h"
#include "tests/unit/little.h"

static struct little l;

static int setup(void **state)
{
	(void)state;
	little_make(&l);
	return 0;
}

static void shows(struct vtype type, word value, const char *want)
{
	struct buf b = {0};
	program_value(&l.p, type, &value, &b);
	assert_string_equal(buf_text(&b), want);
	buf_free(&b);
}

static word fraction(int64_t top, int64_t bottom)
{
	bool bad = false;
	word f = frac_make(top, bottom, &bad);
	assert_false(bad);
	return f;
}

static void numbers(void **state)
{
	(void)state;
	shows(TYPE(VT_NUMBER, 0), 12, "12");
	shows(TYPE(VT_NUMBER, 0), -3, "-3");
	shows(TYPE(VT_NUMBER, 0), NONE, "none");
	shows(FRAC_TYPE(VT_NUMBER), fraction(7, 2), "7/2");
	shows(FRAC_TYPE(VT_NUMBER), fraction(-4, 2), "-2");
	shows(FRAC_TYPE(VT_CHANCE), fraction(35, 100), "35%");
	shows(FRAC_TYPE(VT_CHANCE), fraction(1, 3), "1/3");
	shows(FRAC_TYPE(VT_CHANCE), fraction(1, 1), "100%");
	shows(TYPE(VT_BOOL, 0), 1, "yes");
	shows(TYPE(VT_BOOL, 0), 0, "no");
	shows(TYPE(VT_COUNT, 8), 3, "3 counts");
	shows(TYPE(VT_COUNT, 8), 1, "1 count");
}

static void quantities(void **state)
{
	(void)state;
	struct vtype time = TYPE(VT_TIME, 0);
	shows(time, 120, "2 segments");
	shows(time, 60, "1 segment");
	shows(time, -60, "-1 segment");
	shows(time, 0, "0 segments");
	shows(time, 600, "1 round");
	shows(time, 660, "11 segments");
	shows(time, 12000, "2 turns");
	shows(time, 30, "3 seconds");
	shows(time, 25, "2.5 seconds");
	shows(TYPE(VT_DISTANCE, 0), 3500, "35 ft");
	shows(TYPE(VT_DISTANCE, 0), 350, "3.5 ft");
	shows(TYPE(VT_DISTANCE, 0), 325, "3.25 ft");
	shows(TYPE(VT_DISTANCE, 0), -1000, "-10 ft");
	shows(TYPE(VT_SCALE, 0), 1200, "12\"");
	shows(TYPE(VT_WEIGHT, 0), 500, "5 lb"); /* no such unit is declared */
	shows(TYPE(VT_MONEY, 0), 400, "2 gp");
	shows(FRAC_TYPE(VT_DISTANCE), fraction(1000, 3), "10/3 ft");
	shows(FRAC_TYPE(VT_DISTANCE), fraction(1050, 1), "10.5 ft");
}

static void names(void **state)
{
	(void)state;
	shows(WHO, ORC1, "orc #1");
	shows(TYPE(VT_LIVE, KIND_SIDE), PARTY, "party");
	shows(TYPE(VT_LIVE, KIND_ACT), 2, "act 3");
	shows(TYPE(VT_LIVE, KIND_ENCOUNTER), 0, "the encounter");
	shows(TYPE(VT_THING, KIND_SPELL), T_WEB, "web");
	shows(TYPE(VT_WORD, 0), 1, "outdoors");
	shows(TYPE(VT_DICE, 0), 1, "d8");
	shows(TYPE(VT_EVENT, 0), EV_CAST, "cast");
	shows(TYPE(VT_LIST, KIND_WEAPON), 0, "2 long swords");
	shows(TYPE(VT_SET, KIND_COMBATANT), 0, "nobody");
	shows(TYPE(VT_SET, KIND_COMBATANT), 1 << BRUNA, "Bruna");
	shows(TYPE(VT_SET, KIND_COMBATANT), 1 << BRUNA | 1 << ORC1, "Bruna and orc #1");
	shows(TYPE(VT_SET, KIND_COMBATANT), 1 << BRUNA | 1 << ORC1 | 1 << ORC4, "Bruna, orc #1 and orc #4");
	struct buf b = {0};
	program_owner(&l.p, KIND_SIDE, ORCS, &b);
	buf_putc(&b, ' ');
	program_owner(&l.p, KIND_COMBATANT, BRUNA, &b);
	assert_string_equal(buf_text(&b), "orcs' Bruna's");
	buf_free(&b);
}

static void what_names_nothing_is_still_shown(void **state)
{
	(void)state;
	static const word odd[] = {-1, 99, INT64_MAX, INT64_MIN + 1, 1ll << 32, 0x7fffffff00000000};
	for (int base = 0; base < VT_BASES + 2; base++)
		for (int kind = 0; kind < 70; kind += 9)
			for (int frac = 0; frac < 2; frac++)
				for (size_t i = 0; i < FRAY_COUNT(odd); i++) {
					struct buf b = {0};
					struct vtype t = {(uint8_t)base, frac, (uint16_t)kind};
					program_value(&l.p, t, &odd[i], &b);
					program_type(&l.p, t, &b);
					assert_true(b.length > 0);
					buf_free(&b);
				}
}

static void moment(word time, word start, const char *want)
{
	struct buf b = {0};
	bool any = program_moment(&l.p, time, start, &b);
	assert_int_equal(any, want != NULL);
	assert_string_equal(buf_text(&b), want ? want : "");
	buf_free(&b);
}

static void moments(void **state)
{
	(void)state;
	moment(240, 0, "segment 4");
	moment(840, 600, "segment 4");
	moment(600, 0, "segment 10");
	moment(720, 0, "segment 2 of the next round");
	moment(1920, 0, "segment 2, 3 rounds later");
	moment(270, 0, "segment 4 1/2");
	moment(NONE, 0, NULL);
	int64_t column;
	assert_true(program_column(&l.p, 240, 0, &column) && column == 4);
	assert_true(program_column(&l.p, 270, 0, &column) && column == 5);
	assert_true(program_column(&l.p, 0, 60, &column) && column == -1);
	assert_true(program_column(&l.p, 0, 30, &column) && column == 0);
	assert_int_equal(program_columns(&l.p), 10);
	l.p.shown_unit = -1;
	moment(240, 0, NULL);
	assert_false(program_column(&l.p, 240, 0, &column));
}

static void texts_and_citations(void **state)
{
	(void)state;
	struct buf b = {0};
	word v[2] = {BRUNA, 7};
	program_fill(&l.p, 0, v, &b);
	assert_string_equal(buf_text(&b), "Bruna has 7");
	buf_clear(&b);
	program_cite(&l.p, C_SPOIL, &b);
	assert_string_equal(buf_text(&b), "osric: spoiled spells (3, example)");
	buf_clear(&b);
	l.clause[C_SPOIL].cite = "3, example: a blow that lands spoils the spell";
	program_cite(&l.p, C_SPOIL, &b);
	assert_string_equal(buf_text(&b), "osric: spoiled spells (3, example)");
	buf_clear(&b);
	l.clause[C_SPOIL].cite = "osric: said twice";
	program_cite(&l.p, C_SPOIL, &b);
	assert_string_equal(buf_text(&b), "osric: spoiled spells");
	buf_clear(&b);
	program_cite(&l.p, -1, &b);
	program_cite(&l.p, LITTLE_CLAUSES, &b);
	assert_string_equal(buf_text(&b), "");
	plural_add("inch", &b);
	plural_add("ft", &b);
	plural_add("round", &b);
	assert_string_equal(buf_text(&b), "inchesftrounds");
	buf_clear(&b);
	word bag[4] = {3, T_SWORD, T_WEB, T_SWORD};
	program_list(&l.p, TYPE(VT_LIST, 0), bag, 3, &b);
	assert_string_equal(buf_text(&b), "2 long swords, web");
	buf_clear(&b);
	word marks[3] = {2, 1, 0};
	program_list(&l.p, TYPE(VT_LIST, OF_WORDS), marks, 2, &b);
	struct buf both = {0};
	buf_printf(&both, "%s, %s", l.p.text[1], l.p.text[0]);
	assert_string_equal(buf_text(&b), buf_text(&both));
	buf_free(&both);
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(numbers, setup), cmocka_unit_test_setup(quantities, setup), cmocka_unit_test_setup(names, setup),
		cmocka_unit_test_setup(what_names_nothing_is_still_shown, setup), cmocka_unit_test_setup(moments, setup),
		cmocka_unit_test_setup(texts_and_citations, setup),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
