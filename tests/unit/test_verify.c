/* test_verify.c - runtime/code: what the verifier refuses, and that damaged programs can be
 * looked at. Damage is random but the same in every run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtime/base/buf.h"
#include "tests/unit/little.h"

static uint64_t rng_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static void refused(struct little *l, const char *because)
{
	struct buf why = {0};
	bool good = program_verify(&l->p, &why);
	if (good || !strstr(buf_text(&why), because))
		fail_msg("expected \"%s\", got %s%s", because, good ? "a good program" : "", buf_text(&why));
	buf_free(&why);
	little_make(l);
}

static void a_good_program_passes(void **state)
{
	(void)state;
	static struct little l;
	struct buf why = {0};
	little_make(&l);
	bool good = program_verify(&l.p, &why);
	if (!good)
		fail_msg("%s", buf_text(&why));
	buf_free(&why);
}

static void each_kind_of_damage_is_named(void **state)
{
	(void)state;
	static struct little l;
	little_make(&l);
	l.code[0].op = OP_COUNT;
	refused(&l, "no operation");
	l.code[0].a = 8;
	refused(&l, "register 8 is past the function's 8");
	l.code[1].k = 2;
	refused(&l, "no constant 2");
	l.code[2].k = 5000;
	refused(&l, "jumps out of its function");
	l.code[2].k = 15; /* the next function's first instruction */
	refused(&l, "jumps out of its function");
	l.code[2].k = 3;
	refused(&l, "middle of an instruction");
	l.code[3].c = LITTLE_FIELDS;
	refused(&l, "no field 7");
	l.code[3].c = F_BAG;
	refused(&l, "not of the sort");
	l.code[12].c = F_HP;
	refused(&l, "not of the sort");
	l.code[12].a = 8;
	refused(&l, "register 8");
	l.code[6] = little_wide(OP_NOP, 0, 0);
	refused(&l, "wide operand is missing");
	l.code[6].k = LITTLE_LABELS;
	refused(&l, "no label 4");
	l.code[4] = little_wide(OP_EXT, 0, 0);
	refused(&l, "nothing before it needs");
	l.code[7].a = 5; /* two for the way back, two arguments: 5..8 */
	refused(&l, "register 8");
	l.code[7].k = 3;
	refused(&l, "no function 3");
	l.code[8].a = 6; /* three argument words */
	refused(&l, "register 8");
	l.code[8].k = -1;
	refused(&l, "no event -1");
	l.code[9].k = -2;
	refused(&l, "no clause -2");
	l.code[10].a = 7;
	refused(&l, "register 8");
	l.code[13].b = 7;
	refused(&l, "register 8");
	l.code[13].c = 1;
	refused(&l, "no pair field");
	l.code[14].c = 1;
	refused(&l, "no table");
	l.code[14] = little_insn(OP_MEASURE, 4, 0, 3);
	refused(&l, "no measure 3");
	l.code[14] = little_insn(OP_MEASURE, 4, 0, 2); /* fourteen numbers */
	refused(&l, "register 13");
	l.code[14] = little_insn(OP_NEEDS, 4, 1 << (AT_STAGES + 1), 0);
	refused(&l, "no stages 32");
	l.code[14] = little_insn(OP_NEEDS, 4, 1, 2);
	refused(&l, "no answer 2");
	l.code[14] = little_insn(OP_QNEXT, 4, 4, 0);
	refused(&l, "no quiet loop 0");
	l.code[14] = little_insn(OP_AGAIN, 4, 4, 1);
	refused(&l, "no quiet loop 1");
	l.code[14] = little_insn(OP_SOUGHT, 4, 4, 4);
	refused(&l, "wide operand is missing");
	l.code[14] = little_insn(OP_BEGINS, 0, 0, AT_STAGES);
	refused(&l, "no stage 4");
	l.code[14] = little_wide(OP_RECAST, 4, EVENT_ROLES | 1 << 16);
	refused(&l, "role 8");
	l.code[14] = little_wide(OP_RECAST, 4, RECASTS << 8 | 1 << 16);
	refused(&l, "way to recast 3");
	l.code[14] = little_wide(OP_RECAST, 4, 0);
	refused(&l, "a role of 0 words");
	l.code[15] = little_wide(OP_NOP, 0, 0);
	refused(&l, "runs on past its end");
	l.code[19].b = 3;
	refused(&l, "register 4");
	l.fn[1].entry--;
	refused(&l, "shares instruction");
	l.fn[2].entry++;
	refused(&l, "belongs to no function");
	l.fn[2].end = 999;
	refused(&l, "outside the table");
	l.fn[1].arguments = 5;
	refused(&l, "do not fit");
	l.p.main_fn = 3;
	refused(&l, "no main function");
	l.field[F_HP].base = 250;
	refused(&l, "hit points");
	l.pair[0].side = 20;
	refused(&l, "distance");
	l.event[EV_ATTACK].role[2].word = 9;
	refused(&l, "does not fit its 3 words");
	l.event[EV_ATTACK].stage_fn[AT_ON] = 17;
	refused(&l, "no stage function");
	l.event[EV_ATTACK].stage_fn[AT_ON] = 2;
	refused(&l, "a stage takes other arguments");
	l.order[0].key_fn = 1; /* takes two words, not an act */
	refused(&l, "keys");
	l.template_[0].count = 4;
	refused(&l, "pieces");
	l.row[1].values = 2;
	refused(&l, "bonus");
	l.list_words[0] = 9;
	refused(&l, "a list's things");
	l.thing[T_ORC].parent = T_CHIEF;
	refused(&l, "inherits from itself");
	l.question[Q_TOHIT].params = 9;
	refused(&l, "9 parameters");
	l.label[L_ATTACK].owner.kind = 40;
	refused(&l, "no kind 40");
	l.p.layout.stack_words = 4000;
	refused(&l, "the stack");
	l.p.layout.act_count = 6; /* there is room for them, but not for their pattern */
	refused(&l, "the acts");
	l.p.layout.act_stride = ACT_LEAST - 1;
	refused(&l, "too short");
	l.p.code_count = 0;
	refused(&l, "no code");
}

/* One number of the program's code or tables becomes another. */
static void damage(struct little *l, uint64_t *rng)
{
	uint64_t r = rng_next(rng);
	int32_t odd[] = {-1, 0, 1, 2, 7, 8, 9, 31, 32, 33, 255, 256, 65535, 65536, INT32_MAX, INT32_MIN, (int32_t)(r >> 20)};
	int32_t value = odd[r % FRAY_COUNT(odd)];
	uint64_t which = rng_next(rng);
	struct insn *i = &l->code[which % (uint64_t)l->p.code_count];
	switch (which / 64 % 16) {
	case 0: case 1: case 2:
		i->op = (uint16_t)((uint32_t)value % (OP_COUNT + 2));
		break;
	case 3: case 4:
		i->a = (uint16_t)value;
		break;
	case 5: case 6:
		i->b = (uint16_t)value;
		break;
	case 7: case 8:
		i->c = (uint16_t)value;
		break;
	case 9: case 10:
		i->k = value;
		break;
	case 11:
		l->fn[which % 3].entry = value;
		break;
	case 12:
		l->fn[which % 3].end = value;
		break;
	case 13:
		l->template_[0].first = value;
		break;
	case 14:
		l->field[which % LITTLE_FIELDS].kind = (uint16_t)value;
		break;
	default:
		l->question[which % LITTLE_QUESTIONS].params = (uint8_t)value;
	}
}

static void damaged_programs_are_refused_or_harmless(void **state)
{
	(void)state;
	static struct little good, l;
	uint64_t rng = 20;
	int refusals = 0;
	struct buf out = {0}, why = {0};
	little_make(&good);
	for (int n = 0; n < 6000; n++) {
		l = good;
		little_bind(&l);
		for (uint64_t times = rng_next(&rng) % 3 + 1; times; times--)
			damage(&l, &rng);
		buf_clear(&out);
		buf_clear(&why);
		bool passes = program_verify(&l.p, &why);
		refusals += !passes;
		assert_int_equal(passes, why.length == 0);
		program_print(&l.p, &out);
		assert_true(out.length > 0);
	}
	assert_true(refusals > 3000);
	buf_free(&out);
	buf_free(&why);
}

static void the_listing_names_what_operands_mean(void **state)
{
	(void)state;
	static struct little l;
	struct buf out = {0};
	little_make(&l);
	program_print(&l.p, &out);
	static const char *const line[] = {
		"main:  -- function 0: 0 arguments, 0 results, 8 registers; where the run begins\n",
		"LOADI    r0, 3\n",
		"JZ       r0, -> 5\n",
		"LDF      r2, r0, combatant's hit points\n",
		"LOOP     -> 2\n",
		"EXT      label attack roll\n",
		"CALL     r2.., to-hit number\n",
		"ENTER    r2.., attack\n",
		"WHY      osric: blow (5)\n",
		"NOTE     r2.., \"{combatant} has {number}\"\n",
		"LDSF     {r4..}, r0, combatant's seen\n",
		"LDP      r4, r0, distance (one, other)\n",
		"TABLE    r4, r0, bonus\n",
		"ASKED    r0.., to-hit number\n",
	};
	for (size_t i = 0; i < FRAY_COUNT(line); i++) {
		if (!strstr(buf_text(&out), line[i]))
			fail_msg("no \"%s\" in\n%s", line[i], buf_text(&out));
	}
	assert_non_null(strstr(buf_text(&out), "LOADK    r1, 1099511627776\n"));
	buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_program_passes),
		cmocka_unit_test(each_kind_of_damage_is_named),
		cmocka_unit_test(damaged_programs_are_refused_or_harmless),
		cmocka_unit_test(the_listing_names_what_operands_mean),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
