/* test_pipeline.c - functions made shorter: what goes, what stays, and that what is left is a
 * program still. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/base/buf.h"
#include "lang/gen/again.h"
#include "lang/gen/inline.h"
#include "lang/gen/dead_functions.h"
#include "lang/gen/pipeline.h"
#include "lang/gen/copy_elision.h"
#include "lang/gen/dead_fields.h"
#include "runtime/code/effects.h"
#include "runtime/vm/quick.h"
#include "tests/unit/little.h"

static struct little l;

/* The second function of the little program (two words in, one out) becomes this code. */
static void put_in(const struct insn *code, int n)
{
	little_make(&l);
	l.constant[0] = NONE;
	int entry = l.fn[1].entry, after = l.fn[1].end, moved = n - (after - entry);
	assert_true(l.p.code_count + moved <= (int)FRAY_COUNT(l.code));
	memmove(l.code + after + moved, l.code + after, (size_t)(l.p.code_count - after) * sizeof *l.code);
	memcpy(l.code + entry, code, (size_t)n * sizeof *code);
	l.fn[1].end += moved;
	l.fn[1].registers = 8;
	l.fn[2].entry += moved;
	l.fn[2].end += moved;
	l.p.code_count += moved;
}

static void sound(void)
{
	struct buf why = {0};
	if (!program_verify(&l.p, &why))
		fail_msg("%s", buf_text(&why));
	buf_free(&why);
}

static void given(const struct insn *code, int n)
{
	put_in(code, n);
	program_shorten(&l.p, NULL);
	sound();
}

/* The same in a world that begins as the program says, where all are of one side, and one has other hit points. */
static void given_from_start(const struct insn *code, int n)
{
	put_in(code, n);
	for (int who = 0; who < LITTLE_WHO; who++)
		l.start[l.field[F_SIDE].base + (uint32_t)who * l.field[F_SIDE].stride] = ORCS;
	l.start[l.field[F_HP].base + BRUNA * l.field[F_HP].stride] = 99;
	l.p.from_start = true;
	program_effects(&l.p);
	program_shorten(&l.p, NULL);
	sound();
}

static void becomes(const struct insn *code, int n)
{
	const struct insn *is = l.code + l.fn[1].entry;
	if (l.fn[1].end - l.fn[1].entry != n)
		for (int i = l.fn[1].entry; i < l.fn[1].end; i++)
			print_message("%s %d %d (%d, %d)\n", op_table[l.code[i].op].name, l.code[i].a, l.code[i].k, l.code[i].b, l.code[i].c);
	assert_int_equal(l.fn[1].end - l.fn[1].entry, n);
	for (int i = 0; i < n; i++) {
		assert_string_equal(op_table[is[i].op].name, op_table[code[i].op].name);
		assert_int_equal(is[i].a, code[i].a);
		assert_int_equal(is[i].k, code[i].k);
	}
}

#define GIVEN(...) given((struct insn[]){__VA_ARGS__}, (int)FRAY_COUNT(((struct insn[]){__VA_ARGS__})))
#define GIVEN_FROM_START(...) given_from_start((struct insn[]){__VA_ARGS__}, (int)FRAY_COUNT(((struct insn[]){__VA_ARGS__})))
#define BECOMES(...) becomes((struct insn[]){__VA_ARGS__}, (int)FRAY_COUNT(((struct insn[]){__VA_ARGS__})))
#define K(op, a, k) little_wide(op, a, k)
#define I(op, a, b, c) little_insn(op, a, b, c)

static void a_known_condition_is_no_question(void **state)
{
	(void)state;
	GIVEN(K(OP_LOADI, 2, 1), K(OP_JZ, 2, 2), I(OP_MOVE, 3, 0, 0), I(OP_RET, 3, 1, 0), I(OP_RET, 1, 1, 0));
	BECOMES(I(OP_RET, 0, 1, 0));
}

static void a_winner_is_not_looked_for_again(void **state)
{
	(void)state;
	/* which of two: noted as a number, then compared with each */
	GIVEN(K(OP_JZ, 0, 2), K(OP_LOADI, 2, 0), K(OP_JMP, 0, 2), K(OP_LOADI, 2, 1), K(OP_JMP, 0, 0),
		K(OP_LOADI, 3, 0), I(OP_SAME, 4, 2, 3), K(OP_JZ, 4, 2), K(OP_LOADI, 5, 77), I(OP_RET, 5, 1, 0), K(OP_LOADI, 5, 78), I(OP_RET, 5, 1, 0));
	BECOMES(K(OP_JZ, 0, 2), K(OP_LOADI, 2, 77), I(OP_RET, 2, 1, 0), K(OP_LOADI, 2, 78), I(OP_RET, 2, 1, 0));
}

static void who_says_that_it_is_not_over_goes_on(void **state)
{
	(void)state;
	GIVEN(K(OP_JZ, 0, 1), I(OP_STF, 1, 0, F_HP), I(OP_OVER, 0, 0, 0), I(OP_ADF, 1, 0, F_HP), I(OP_RET, 1, 1, 0));
	BECOMES(K(OP_JZ, 0, 2), I(OP_STF, 1, 0, F_HP), I(OP_OVER, 0, 0, 0), I(OP_ADF, 1, 0, F_HP), I(OP_RET, 1, 1, 0));
	/* who says that it is does not */
	GIVEN(K(OP_JNZ, 0, 1), I(OP_STF, 1, 0, F_HP), I(OP_OVER, 0, 0, 0), I(OP_ADF, 1, 0, F_HP), I(OP_RET, 1, 1, 0));
	BECOMES(K(OP_JNZ, 0, 1), I(OP_STF, 1, 0, F_HP), I(OP_OVER, 0, 0, 0), I(OP_ADF, 1, 0, F_HP), I(OP_RET, 1, 1, 0));
}

static void unset_is_asked_of_the_thing_itself(void **state)
{
	(void)state;
	GIVEN(I(OP_LDF, 2, 0, F_HP), K(OP_LOADK, 3, 0), I(OP_SAME, 4, 2, 3), I(OP_NOT, 4, 4, 0), K(OP_JZ, 4, 1), I(OP_RET, 2, 1, 0), I(OP_RET, 1, 1, 0));
	BECOMES(I(OP_LDF, 2, 0, F_HP), K(OP_JNONE, 2, 1), I(OP_RET, 2, 1, 0), I(OP_RET, 1, 1, 0));
}

static void what_may_fail_stays(void **state)
{
	(void)state;
	/* nobody reads the sum, but it may be too big */
	GIVEN(I(OP_ADD, 2, 0, 1), I(OP_MUL, 3, 0, 1), I(OP_SAME, 4, 0, 1), I(OP_RET, 0, 1, 0));
	BECOMES(I(OP_ADD, 2, 0, 1), I(OP_MUL, 3, 0, 1), I(OP_RET, 0, 1, 0));
}

static void what_is_only_told_goes(void **state)
{
	(void)state;
	GIVEN(K(OP_NOTE, 0, 0), I(OP_MOVE, 2, 0, 0), I(OP_MOVE, 3, 2, 0), I(OP_ADD, 4, 3, 2), I(OP_RET, 4, 1, 0));
	BECOMES(I(OP_ADD, 2, 0, 0), I(OP_RET, 2, 1, 0));
}

static void what_all_know_who_meet_is_known(void **state)
{
	(void)state;
	GIVEN(I(OP_MOVE, 2, 0, 0), K(OP_JZ, 1, 1), I(OP_ADD, 3, 1, 1), I(OP_ADD, 4, 2, 1), I(OP_RET, 4, 1, 0));
	BECOMES(K(OP_JZ, 1, 1), I(OP_ADD, 3, 1, 1), I(OP_ADD, 2, 0, 1), I(OP_RET, 2, 1, 0));
	/* one of the two knows otherwise */
	GIVEN(I(OP_MOVE, 2, 0, 0), K(OP_JZ, 1, 1), I(OP_MOVE, 2, 1, 0), I(OP_ADD, 4, 2, 1), I(OP_RET, 4, 1, 0));
	BECOMES(I(OP_MOVE, 2, 0, 0), K(OP_JZ, 1, 1), I(OP_MOVE, 2, 1, 0), I(OP_ADD, 2, 2, 1), I(OP_RET, 2, 1, 0));
}

static void what_a_loop_writes_is_not_known_where_it_begins(void **state)
{
	(void)state;
	GIVEN(I(OP_MOVE, 2, 0, 0), K(OP_JZ, 1, 3), I(OP_ADD, 3, 2, 1), I(OP_ADD, 2, 3, 1), K(OP_LOOP, 0, -4), I(OP_RET, 2, 1, 0));
	BECOMES(I(OP_MOVE, 2, 0, 0), K(OP_JZ, 1, 3), I(OP_ADD, 2, 2, 1), I(OP_ADD, 2, 2, 1), K(OP_LOOP, 0, -4), I(OP_RET, 2, 1, 0));
}

static void the_contrary_of_the_contrary_is_the_thing_itself(void **state)
{
	(void)state;
	GIVEN(I(OP_NOT, 2, 0, 0), I(OP_NOT, 2, 2, 0), K(OP_JZ, 2, 1), I(OP_RET, 0, 1, 0), I(OP_RET, 1, 1, 0));
	BECOMES(K(OP_JZ, 0, 1), I(OP_RET, 0, 1, 0), I(OP_RET, 1, 1, 0));
}

static void what_nobody_writes_is_known(void **state)
{
	(void)state;
	GIVEN(I(OP_ADD, 2, 0, 1), I(OP_MUL, 3, 0, 1), I(OP_RET, 0, 1, 0));
	program_effects(&l.p);
	assert_true(l.field[F_SIDE].fixed);
	word of_bruna = l.start[l.field[F_SIDE].base + BRUNA * l.field[F_SIDE].stride];
	l.code[l.fn[1].entry] = K(OP_LOADI, 1, BRUNA);
	l.code[l.fn[1].entry + 1] = I(OP_LDF, 2, 1, F_SIDE);
	l.code[l.fn[1].entry + 2] = I(OP_RET, 2, 1, 0);
	l.p.from_start = true;
	program_shorten(&l.p, NULL);
	BECOMES(K(OP_LOADI, 2, (int32_t)of_bruna), I(OP_RET, 2, 1, 0));
}

static void what_is_the_same_for_all_is_known(void **state)
{
	(void)state;
	/* of somebody; and writing it there again is nothing */
	GIVEN_FROM_START(K(OP_JNONE, 0, 4), K(OP_LOADI, 1, ORCS), I(OP_STF, 0, 1, F_SIDE), I(OP_LDF, 2, 0, F_SIDE), I(OP_RET, 2, 1, 0), I(OP_RET, 0, 1, 0));
	BECOMES(K(OP_JNONE, 0, 2), K(OP_LOADI, 2, ORCS), I(OP_RET, 2, 1, 0), I(OP_RET, 0, 1, 0));
	/* he may be nobody, whose side is unset; who has one is somebody */
	GIVEN_FROM_START(I(OP_LDF, 2, 0, F_SIDE), K(OP_JNONE, 2, 1), I(OP_RET, 2, 1, 0), I(OP_RET, 1, 1, 0));
	BECOMES(I(OP_LDF, 2, 0, F_SIDE), K(OP_JNONE, 2, 1), I(OP_RET, 2, 1, 0), I(OP_RET, 1, 1, 0));
	GIVEN_FROM_START(I(OP_LDF, 3, 0, F_HP), K(OP_JNONE, 3, 2), I(OP_LDF, 2, 0, F_SIDE), I(OP_RET, 2, 1, 0), I(OP_RET, 1, 1, 0));
	BECOMES(I(OP_LDF, 2, 0, F_HP), K(OP_JNONE, 2, 2), K(OP_LOADI, 2, ORCS), I(OP_RET, 2, 1, 0), I(OP_RET, 1, 1, 0));
	/* another number is written somewhere */
	GIVEN_FROM_START(K(OP_JNONE, 0, 4), K(OP_LOADI, 1, PARTY), I(OP_STF, 0, 1, F_SIDE), I(OP_LDF, 2, 0, F_SIDE), I(OP_RET, 2, 1, 0), I(OP_RET, 0, 1, 0));
	BECOMES(K(OP_JNONE, 0, 4), K(OP_LOADI, 2, PARTY), I(OP_STF, 0, 2, F_SIDE), I(OP_LDF, 2, 0, F_SIDE), I(OP_RET, 2, 1, 0), I(OP_RET, 0, 1, 0));
}

static void a_loop_is_come_into_where_it_begins(void **state)
{
	(void)state;
	/* a turn is sure for those who come from the number, and yet what they hold is not what others copied */
	GIVEN(K(OP_LOADI, 3, 1), K(OP_JZ, 0, 3), I(OP_LDF, 2, 0, F_HP), I(OP_MOVE, 4, 2, 0), K(OP_JMP, 0, 1), K(OP_LOADI, 4, 1), I(OP_MOVE, 6, 4, 0), I(OP_LE, 5, 3, 4), K(OP_JZ, 5, 3), I(OP_ADF, 1, 3, F_HP), I(OP_ADD, 3, 3, 1), K(OP_LOOP, 0, -5),
	      I(OP_RET, 3, 1, 0));
	for (int32_t at = l.fn[1].entry; at < l.fn[1].end; at++) {
		const struct insn *i = &l.code[at];
		if (i->op == OP_LOOP)
			for (int32_t from = l.fn[1].entry; from < at + 1 + i->k; from++)
				assert_true(!op_jumps((enum op)l.code[from].op) || from + 1 + l.code[from].k <= at + 1 + i->k || from + 1 + l.code[from].k > at);
	}
}

static void no_act_is_of_an_event_nobody_makes_acts_of(void **state)
{
	(void)state;
	GIVEN_FROM_START(I(OP_EVENTOF, 2, 0, 0), K(OP_LOADI, 3, EV_SPOIL), I(OP_SAME, 4, 2, 3), K(OP_JNZ, 4, 1), I(OP_RET, 1, 1, 0), I(OP_RET, 0, 1, 0));
	BECOMES(I(OP_RET, 1, 1, 0));
	GIVEN_FROM_START(K(OP_ACT, 5, EV_SPOIL), I(OP_EVENTOF, 2, 0, 0), K(OP_LOADI, 3, EV_SPOIL), I(OP_SAME, 4, 2, 3), K(OP_JNZ, 4, 1), I(OP_RET, 5, 1, 0), I(OP_RET, 0, 1, 0));
	assert_int_equal(l.fn[1].end - l.fn[1].entry, 7);
}

static void nothing_added_is_nothing_done(void **state)
{
	(void)state;
	GIVEN(K(OP_LOADI, 2, 0), I(OP_ADD, 3, 0, 2), I(OP_SUB, 3, 3, 2), K(OP_LOADI, 4, 1), I(OP_MUL, 3, 4, 3), I(OP_RET, 3, 1, 0));
	BECOMES(I(OP_RET, 0, 1, 0));
	GIVEN(K(OP_LOADI, 2, 0), I(OP_SUB, 3, 2, 0), I(OP_RET, 3, 1, 0));
	BECOMES(K(OP_LOADI, 2, 0), I(OP_SUB, 2, 2, 0), I(OP_RET, 2, 1, 0));
}

static void an_answer_is_not_asked_for_again(void **state)
{
	(void)state;
	GIVEN(I(OP_LDF, 2, 0, F_HP), I(OP_LDF, 3, 0, F_HP), I(OP_ADD, 4, 2, 3), I(OP_RET, 4, 1, 0));
	BECOMES(I(OP_LDF, 2, 0, F_HP), I(OP_ADD, 2, 2, 2), I(OP_RET, 2, 1, 0));
	/* another field is written meanwhile */
	GIVEN(I(OP_LDF, 2, 0, F_HP), I(OP_STF, 0, 1, F_SIDE), I(OP_LDF, 3, 0, F_HP), I(OP_ADD, 4, 2, 3), I(OP_RET, 4, 1, 0));
	BECOMES(I(OP_LDF, 2, 0, F_HP), I(OP_STF, 0, 1, F_SIDE), I(OP_ADD, 2, 2, 2), I(OP_RET, 2, 1, 0));
	/* the field itself is, if of somebody else: who knows whether it is the same one */
	GIVEN(I(OP_LDF, 2, 0, F_HP), I(OP_STF, 1, 0, F_HP), I(OP_LDF, 3, 0, F_HP), I(OP_ADD, 4, 2, 3), I(OP_RET, 4, 1, 0));
	BECOMES(I(OP_LDF, 2, 0, F_HP), I(OP_STF, 1, 0, F_HP), I(OP_LDF, 3, 0, F_HP), I(OP_ADD, 2, 2, 3), I(OP_RET, 2, 1, 0));
	/* it is, further down in a loop */
	GIVEN(I(OP_LDF, 2, 0, F_HP), I(OP_LDF, 3, 0, F_HP), K(OP_JZ, 3, 2), I(OP_STF, 0, 1, F_HP), K(OP_LOOP, 0, -4), I(OP_RET, 2, 1, 0));
	BECOMES(I(OP_LDF, 2, 0, F_HP), I(OP_LDF, 3, 0, F_HP), K(OP_JZ, 3, 2), I(OP_STF, 0, 1, F_HP), K(OP_LOOP, 0, -4), I(OP_RET, 2, 1, 0));
	/* somebody else is let in */
	GIVEN(I(OP_LDF, 2, 0, F_HP), K(OP_PAUSE, 0, 0), I(OP_LDF, 3, 0, F_HP), I(OP_ADD, 4, 2, 3), I(OP_RET, 4, 1, 0));
	BECOMES(I(OP_LDF, 2, 0, F_HP), K(OP_PAUSE, 0, 0), I(OP_LDF, 3, 0, F_HP), I(OP_ADD, 2, 2, 3), I(OP_RET, 2, 1, 0));
}

static void what_was_stored_is_not_read_again(void **state)
{
	(void)state;
	GIVEN(K(OP_JNONE, 0, 3), I(OP_STF, 0, 1, F_HP), I(OP_LDF, 2, 0, F_HP), I(OP_RET, 2, 1, 0), I(OP_RET, 0, 1, 0));
	BECOMES(K(OP_JNONE, 0, 2), I(OP_STF, 0, 1, F_HP), I(OP_RET, 1, 1, 0), I(OP_RET, 0, 1, 0));
	/* of nobody it would be unset */
	GIVEN(I(OP_STF, 0, 1, F_HP), I(OP_LDF, 2, 0, F_HP), I(OP_RET, 2, 1, 0));
	BECOMES(I(OP_STF, 0, 1, F_HP), I(OP_LDF, 2, 0, F_HP), I(OP_RET, 2, 1, 0));
	/* somebody else's is written meanwhile, who may be the same; so is what was stored */
	GIVEN(K(OP_JNONE, 0, 4), I(OP_STF, 0, 1, F_HP), I(OP_STF, 1, 0, F_HP), I(OP_LDF, 2, 0, F_HP), I(OP_RET, 2, 1, 0), I(OP_RET, 0, 1, 0));
	assert_int_equal(l.fn[1].end - l.fn[1].entry, 6);
	GIVEN(K(OP_JNONE, 0, 4), I(OP_STF, 0, 1, F_HP), I(OP_ADD, 1, 1, 1), I(OP_LDF, 2, 0, F_HP), I(OP_RET, 2, 1, 0), I(OP_RET, 1, 1, 0));
	assert_int_equal(l.fn[1].end - l.fn[1].entry, 6);
}

/* The third function answers from a field of the combatant it is asked about. */
static void given_own(const struct insn *code, int n)
{
	put_in(code, n);
	l.code[l.fn[2].entry] = I(OP_LDF, 1, 0, F_HP);
	for (int32_t at = l.fn[2].entry + 1; at < l.fn[2].end; at++)
		l.code[at] = I(OP_RET, 1, 1, 0);
	program_effects(&l.p);
	assert_true(l.fn[2].own);
	program_shorten(&l.p, NULL);
	sound();
}
#define GIVEN_OWN(...) given_own((struct insn[]){__VA_ARGS__}, (int)FRAY_COUNT(((struct insn[]){__VA_ARGS__})))

static int calls_left(void)
{
	int n = 0;
	for (int32_t at = l.fn[1].entry; at < l.fn[1].end; at++)
		n += l.code[at].op == OP_CALL;
	return n;
}

static void who_is_taken_of_those_who_say_yes_is_not_asked(void **state)
{
	(void)state;
#define ASK_REST(adds) I(OP_SKNOWN, 2, 1, 3), K(OP_EXT, 0, 2), K(OP_LOADI, 4, -1), I(OP_SNEXT, 4, 3, 0), K(OP_JNONE, 4, 5), I(OP_MOVE, 7, 4, 0), K(OP_CALL, 5, 2), K(OP_JZ, 5, 1), I(OP_SADD, 2, adds, 0), K(OP_LOOP, 0, -7)
#define ASK_ONE I(OP_MOVE, 7, 4, 0), K(OP_CALL, 5, 2), K(OP_JZ, 5, 1), I(OP_RET, 4, 1, 0), I(OP_RET, 0, 1, 0), I(OP_STF, 0, 1, F_HP), I(OP_RET, 1, 1, 0)
#define OF_SIFTED(...) GIVEN_OWN(ASK_REST(4), __VA_ARGS__, I(OP_SNTH, 4, 2, 0), K(OP_JNONE, 4, 4), ASK_ONE)
	OF_SIFTED(I(OP_NOP, 0, 0, 0));
	assert_int_equal(calls_left(), 1);
	/* his field was written meanwhile; somebody else came to them; he may be nobody; others are added than those who say yes */
	OF_SIFTED(I(OP_STF, 0, 0, F_HP));
	assert_int_equal(calls_left(), 2);
	OF_SIFTED(I(OP_SADD, 2, 0, 0));
	assert_int_equal(calls_left(), 2);
	GIVEN_OWN(ASK_REST(4), I(OP_SNTH, 4, 2, 0), ASK_ONE);
	assert_int_equal(calls_left(), 2);
	GIVEN_OWN(ASK_REST(0), I(OP_SNTH, 4, 2, 0), K(OP_JNONE, 4, 4), ASK_ONE);
	assert_int_equal(calls_left(), 2);
	/* somebody comes into the loop who passed the sieve by */
	GIVEN_OWN(K(OP_JZ, 0, 4), ASK_REST(4), I(OP_SNTH, 4, 2, 0), K(OP_JNONE, 4, 4), ASK_ONE);
	assert_int_equal(calls_left(), 2);
}

static void nobody_is_asked_twice_while_no_field_is_written(void **state)
{
	(void)state;
#define ASKS(window, who) I(OP_MOVE, (window) + 2, who, 0), K(OP_CALL, window, 2)
#define HP_CHANGE I(OP_STF, 0, 1, F_HP), I(OP_RET, 1, 1, 0) /* somewhere where nobody comes */
#define TWICE(...) GIVEN_OWN(ASKS(2, 0), __VA_ARGS__, ASKS(4, 0), I(OP_ADD, 1, 2, 4), I(OP_RET, 1, 1, 0), HP_CHANGE)
	TWICE(I(OP_NOP, 0, 0, 0));
	assert_int_equal(calls_left(), 1);
	/* nor what acts say, or who acts now */
	TWICE(K(OP_ACT, 3, EV_HIT), I(OP_STF, 3, 0, F_ACTOR), K(OP_LOADK, 4, 0), I(OP_PEND, 3, 0, 0), I(OP_GROUP, 3, 4, 0));
	assert_int_equal(calls_left(), 1);
	TWICE(I(OP_STF, 1, 0, F_HP));
	assert_int_equal(calls_left(), 2);
	TWICE(I(OP_STF, 1, 0, F_SIDE)); /* it would have to be looked at what is asked */
	assert_int_equal(calls_left(), 2);
	TWICE(K(OP_PAUSE, 0, 0));
	assert_int_equal(calls_left(), 2);
	/* somebody else is asked about */
	GIVEN_OWN(ASKS(2, 0), ASKS(4, 1), I(OP_ADD, 1, 2, 4), I(OP_RET, 1, 1, 0), HP_CHANGE);
	assert_int_equal(calls_left(), 2);
	GIVEN_OWN(ASKS(2, 0), I(OP_ADD, 0, 0, 1), ASKS(4, 0), I(OP_ADD, 1, 2, 4), I(OP_RET, 1, 1, 0), HP_CHANGE);
	assert_int_equal(calls_left(), 2);
}

/* The third function goes through all combatants, and answers with one of them. */
static int asked_of_all(const struct insn *code, int n)
{
	static const struct insn loop[] = {
		{.op = OP_LDF, .a = 2, .b = 0, .c = F_HP}, {.op = OP_LOADI, .a = 1, .k = -1},
		{.op = OP_KNEXT, .a = 1, .k = KIND_COMBATANT}, {.op = OP_JNONE, .a = 1, .k = 3},
		{.op = OP_LDF, .a = 3, .b = 1, .c = F_HP}, {.op = OP_LT, .a = 3, .b = 3, .c = 2},
		{.op = OP_LOOP, .k = -5}, {.op = OP_RET, .a = 1, .b = 1}};
	bool grown[FRAY_COUNT(l.fn)];
	put_in(code, n);
	l.fn[3] = l.fn[2]; /* nobody calls what it was */
	l.p.fns = 4;
	l.fn[2].entry = l.p.code_count;
	memcpy(l.code + l.p.code_count, loop, sizeof loop);
	l.p.code_count += (int)FRAY_COUNT(loop);
	l.fn[2].end = l.p.code_count;
	l.fn[2].registers = 8;
	sound();
	program_effects(&l.p);
	assert_true(l.fn[2].pure && !l.fn[2].own);
	arena_init(&l.p.arena);
	if (program_ask_once(&l.p, grown)) { /* its code is elsewhere now */
		assert_true(l.p.code_count <= (int)FRAY_COUNT(l.code));
		memcpy(l.code, l.p.code, (size_t)l.p.code_count * sizeof *l.code);
		memcpy(l.span, l.p.code_span, (size_t)l.p.code_count * sizeof *l.span);
		l.p.code = l.code;
		l.p.code_span = l.span;
	}
	arena_free(&l.p.arena);
	sound();
	return calls_left();
}
#define ASKED_OF_ALL(...) \
	asked_of_all((struct insn[]){__VA_ARGS__}, (int)FRAY_COUNT(((struct insn[]){__VA_ARGS__})))

static void who_is_looked_for_among_all_is_not_looked_for_again(void **state)
{
	(void)state;
#define AGAIN(...) \
	ASKED_OF_ALL(ASKS(2, 0), __VA_ARGS__, ASKS(4, 0), I(OP_STF, 0, 4, F_HP), I(OP_RET, 4, 1, 0))
	assert_int_equal(AGAIN(I(OP_NOP, 0, 0, 0)), 1);
	/* what was answered lies below all calls, and is taken from there */
	assert_int_equal(l.fn[1].registers, 9);
	/* an act is made for whoever was found, and given up */
	assert_int_equal(AGAIN(K(OP_JNONE, 2, 3), K(OP_ACT, 3, EV_HIT), I(OP_STF, 3, 2, F_ACTOR),
				 I(OP_FREE, 3, 0, 0)),
		1);
	/* who is found may be another; a way along which nobody was asked; somebody else */
	assert_int_equal(AGAIN(I(OP_STF, 1, 1, F_HP)), 2);
	assert_int_equal(AGAIN(K(OP_PAUSE, 0, 0)), 2);
	assert_int_equal(
		ASKED_OF_ALL(K(OP_JZ, 1, 2), ASKS(2, 0), ASKS(4, 0), I(OP_RET, 4, 1, 0)), 2);
	assert_int_equal(ASKED_OF_ALL(ASKS(2, 0), ASKS(4, 1), I(OP_RET, 4, 1, 0)), 2);
	assert_int_equal(
		ASKED_OF_ALL(ASKS(2, 0), I(OP_ADD, 0, 1, 1), ASKS(4, 0), I(OP_RET, 4, 1, 0)), 2);
}

/* How many fields are still written? The first condition looks at hit points, so those always are. */
static int stores_left(void)
{
	int n = 0;
	for (int32_t at = l.fn[1].entry; at < l.fn[1].end; at++)
		n += l.code[at].op == OP_STF;
	return n;
}
#define STORES(...) (GIVEN(__VA_ARGS__), stores_left())

static void what_is_written_again_unread_is_not_written(void **state)
{
	(void)state;
	assert_int_equal(STORES(I(OP_STF, 0, 1, F_SIDE), I(OP_ADD, 2, 1, 1), I(OP_STF, 0, 2, F_SIDE), I(OP_RET, 1, 1, 0)), 1);
	/* on both ways; on one of two */
	assert_int_equal(STORES(I(OP_STF, 0, 1, F_SIDE), K(OP_JZ, 1, 2), I(OP_STF, 0, 0, F_SIDE), I(OP_RET, 1, 1, 0), K(OP_LOADI, 2, 1), I(OP_STF, 0, 2, F_SIDE), I(OP_RET, 0, 1, 0)), 2);
	assert_int_equal(STORES(I(OP_STF, 0, 1, F_SIDE), K(OP_JZ, 1, 2), I(OP_STF, 0, 0, F_SIDE), I(OP_RET, 1, 1, 0), I(OP_RET, 0, 1, 0)), 2);
	/* of somebody else, or who is another by then; read, by whoever; let out */
	assert_int_equal(STORES(I(OP_STF, 0, 1, F_SIDE), I(OP_STF, 1, 0, F_SIDE), I(OP_RET, 1, 1, 0)), 2);
	assert_int_equal(STORES(I(OP_STF, 0, 1, F_SIDE), I(OP_ADD, 0, 0, 1), I(OP_STF, 0, 1, F_SIDE), I(OP_RET, 1, 1, 0)), 2);
	assert_int_equal(STORES(I(OP_STF, 0, 1, F_SIDE), I(OP_LDF, 2, 1, F_SIDE), I(OP_STF, 0, 2, F_SIDE), I(OP_RET, 1, 1, 0)), 2);
	assert_int_equal(STORES(I(OP_STF, 0, 1, F_SIDE), K(OP_PAUSE, 0, 0), I(OP_STF, 0, 0, F_SIDE), I(OP_RET, 1, 1, 0)), 2);
	/* DONE writes nothing of a combatant */
	assert_int_equal(STORES(I(OP_ONLY, 2, 0, 0), I(OP_STF, 0, 1, F_SIDE), I(OP_DONE, 0, 0, 0), I(OP_RET, 1, 1, 0)), 1);
}

static void of_an_act_that_is_over_nothing_is_written(void **state)
{
	(void)state;
	assert_int_equal(STORES(I(OP_ONLY, 2, 0, 0), I(OP_STF, 2, 1, F_ACTOR), I(OP_DONE, 0, 0, 0), I(OP_RET, 1, 1, 0)), 0);
	/* turn by turn, of one that is chosen in the first */
	assert_int_equal(STORES(K(OP_LOADK, 2, 0), K(OP_LOADI, 3, -1), K(OP_KNEXT, 3, KIND_COMBATANT), K(OP_JNONE, 3, 5), K(OP_JSOME, 2, 1), I(OP_ONLY, 2, 0, 0), I(OP_STF, 2, 3, F_ACTOR), I(OP_STF, 3, 1, F_SIDE), K(OP_LOOP, 0, -7),
		K(OP_JNONE, 2, 1), I(OP_DONE, 0, 0, 0), I(OP_RET, 1, 1, 0)), 1);
	/* another act than the group's; another group's by then; read, of whatever act; not over */
	assert_int_equal(STORES(I(OP_ONLY, 2, 0, 0), I(OP_STF, 0, 1, F_ACTOR), I(OP_DONE, 0, 0, 0), I(OP_RET, 1, 1, 0)), 1);
	assert_int_equal(STORES(I(OP_ONLY, 2, 0, 0), K(OP_LOADK, 4, 0), I(OP_GROUP, 3, 4, 0), I(OP_STF, 2, 1, F_ACTOR), I(OP_DONE, 0, 0, 0), I(OP_RET, 1, 1, 0)), 1);
	assert_int_equal(STORES(I(OP_ONLY, 2, 0, 0), I(OP_STF, 2, 1, F_ACTOR), I(OP_LDF, 3, 0, F_ACTOR), I(OP_DONE, 0, 0, 0), I(OP_RET, 3, 1, 0)), 1);
	assert_int_equal(STORES(I(OP_ONLY, 2, 0, 0), I(OP_STF, 2, 1, F_ACTOR), I(OP_CAUSE, 3, 0, 0), I(OP_MOVE, 6, 3, 0), K(OP_CALL, 4, 2), I(OP_DONE, 0, 0, 0), I(OP_RET, 4, 1, 0)), 1);
	assert_int_equal(STORES(I(OP_ONLY, 2, 0, 0), I(OP_STF, 2, 1, F_ACTOR), K(OP_JZ, 1, 1), I(OP_DONE, 0, 0, 0), I(OP_RET, 1, 1, 0)), 1);
}

static bool begins_again(void)
{
	program_shorten(&l.p, NULL);
	sound();
	for (int32_t at = l.fn[1].entry; at < l.fn[1].end; at++)
		if (l.code[at].op == OP_JSOME)
			return l.code[at + 1 + l.code[at].k].op == OP_BEGINS;
	return false;
}
#define IN_TURN(begin, does) (GIVEN(begin, K(OP_LOADI, 3, -1), K(OP_KNEXT, 3, KIND_COMBATANT), K(OP_JNONE, 3, 6), K(OP_JSOME, 2, 1), I(OP_ONLY, 2, 0, 0), I(OP_BEGINS, 0, 0, AT_ON), does, I(OP_STF, 3, 1, F_HP), K(OP_LOOP, 0, -8), \
	K(OP_JNONE, 2, 1), I(OP_DONE, 0, 0, 0), I(OP_RET, 1, 1, 0)), begins_again())

static void what_is_done_in_turn_is_begun_once(void **state)
{
	(void)state;
	assert_false(IN_TURN(K(OP_LOADK, 2, 0), I(OP_STF, 3, 0, F_SIDE)));
	/* it may have been begun by nobody; be over; be another stage or act by then */
	assert_true(IN_TURN(I(OP_MOVE, 2, 1, 0), I(OP_STF, 3, 0, F_SIDE)));
	assert_true(IN_TURN(K(OP_LOADK, 2, 0), I(OP_END, 0, 1, 0)));
	assert_true(IN_TURN(K(OP_LOADK, 2, 0), I(OP_BEGINS, 0, 0, AT_AFTER)));
	assert_true(IN_TURN(K(OP_LOADK, 2, 0), K(OP_STAGE, 0, AT_AFTER)));
	assert_true(IN_TURN(K(OP_LOADK, 2, 0), I(OP_MOVE, 2, 0, 0)));
}

static void what_is_asked_of_a_set_of_numbers_is_known(void **state)
{
	(void)state;
	GIVEN(I(OP_SNONE, 4, 0, 0), K(OP_LOADI, 2, 5), I(OP_SADD, 4, 2, 0), K(OP_LOADI, 2, 7), I(OP_SADD, 4, 2, 0), I(OP_SHAS, 3, 4, 2), K(OP_LOADI, 2, 6), I(OP_SHAS, 5, 4, 2),
		I(OP_ADD, 3, 3, 5), I(OP_ADD, 3, 3, 0), I(OP_RET, 3, 1, 0));
	BECOMES(K(OP_LOADI, 2, 1), I(OP_ADD, 2, 2, 0), I(OP_RET, 2, 1, 0));
	/* one of them is not known */
	GIVEN(I(OP_SNONE, 4, 0, 0), I(OP_SADD, 4, 0, 0), K(OP_LOADI, 2, 7), I(OP_SHAS, 3, 4, 2), I(OP_RET, 3, 1, 0));
	BECOMES(I(OP_SNONE, 4, 0, 0), I(OP_SADD, 4, 0, 0), K(OP_LOADI, 2, 7), I(OP_SHAS, 2, 4, 2), I(OP_RET, 2, 1, 0));
}

static void what_is_set_needs_no_look(void **state)
{
	(void)state;
	GIVEN(I(OP_EQ, 2, 0, 1), K(OP_JNONE, 2, 1), I(OP_ADD, 2, 2, 0), I(OP_RET, 2, 1, 0));
	BECOMES(I(OP_EQ, 2, 0, 1), I(OP_ADD, 2, 2, 0), I(OP_RET, 2, 1, 0));
	/* it has been looked at */
	GIVEN(K(OP_JNONE, 0, 3), I(OP_ADD, 2, 0, 0), K(OP_JNONE, 0, 1), I(OP_RET, 2, 1, 0), I(OP_RET, 1, 1, 0));
	BECOMES(K(OP_JNONE, 0, 2), I(OP_ADD, 2, 0, 0), I(OP_RET, 2, 1, 0), I(OP_RET, 1, 1, 0));
	/* a sum of what may be unset may be */
	GIVEN(I(OP_ADD, 2, 0, 1), K(OP_JNONE, 2, 1), I(OP_RET, 0, 1, 0), I(OP_RET, 1, 1, 0));
	BECOMES(I(OP_ADD, 2, 0, 1), K(OP_JNONE, 2, 1), I(OP_RET, 0, 1, 0), I(OP_RET, 1, 1, 0));
}

static void what_is_this_or_unset_is_this_when_it_is_set(void **state)
{
	(void)state;
	GIVEN(K(OP_LOADK, 2, 0), K(OP_JZ, 0, 1), K(OP_LOADI, 2, 4), I(OP_ADD, 3, 0, 1), K(OP_JNONE, 2, 4), K(OP_LOADI, 4, 4), I(OP_SAME, 5, 2, 4), K(OP_JZ, 5, 1), I(OP_RET, 1, 1, 0), I(OP_RET, 0, 1, 0));
	BECOMES(K(OP_LOADK, 2, 0), K(OP_JZ, 0, 1), K(OP_LOADI, 2, 4), I(OP_ADD, 3, 0, 1), K(OP_JNONE, 2, 1), I(OP_RET, 1, 1, 0), I(OP_RET, 0, 1, 0));
}

static void what_either_comes_to_is_known(void **state)
{
	(void)state;
	/* 4 or unset is not 5, and not what is unequal to unset */
	GIVEN(K(OP_LOADK, 2, 0), K(OP_JZ, 0, 1), K(OP_LOADI, 2, 4), I(OP_ADD, 3, 0, 1), K(OP_LOADI, 4, 5), I(OP_SAME, 5, 2, 4), K(OP_JNZ, 5, 2), I(OP_LT, 5, 4, 2), K(OP_JZ, 5, 1), I(OP_RET, 1, 1, 0), I(OP_RET, 0, 1, 0));
	BECOMES(I(OP_ADD, 3, 0, 1), I(OP_RET, 0, 1, 0));
	/* it may be 4, and below 5 */
	GIVEN(K(OP_LOADK, 2, 0), K(OP_JZ, 0, 1), K(OP_LOADI, 2, 4), I(OP_ADD, 3, 0, 1), K(OP_LOADI, 4, 5), I(OP_LT, 5, 2, 4), I(OP_RET, 5, 1, 0));
	BECOMES(K(OP_LOADK, 2, 0), K(OP_JZ, 0, 1), K(OP_LOADI, 2, 4), I(OP_ADD, 3, 0, 1), K(OP_LOADI, 3, 5), I(OP_LT, 2, 2, 3), I(OP_RET, 2, 1, 0));
}

static void an_answer_nobody_reads_is_not_asked_for(void **state)
{
	(void)state;
	GIVEN(I(OP_MOVE, 5, 0, 0), K(OP_CALL, 3, 2), I(OP_RET, 1, 1, 0));
	assert_int_equal(l.fn[1].end - l.fn[1].entry, 3); /* it asks the time, which is for the machine to see */
	put_in((struct insn[]){I(OP_MOVE, 5, 0, 0), K(OP_CALL, 3, 2), I(OP_RET, 1, 1, 0)}, 3);
	l.code[l.fn[2].entry] = I(OP_LDF, 1, 0, F_HP);
	program_effects(&l.p);
	program_shorten(&l.p, NULL);
	sound();
	BECOMES(I(OP_RET, 1, 1, 0));
	/* what may fail is */
	put_in((struct insn[]){I(OP_MOVE, 5, 0, 0), K(OP_CALL, 3, 2), I(OP_RET, 1, 1, 0)}, 3);
	l.code[l.fn[2].entry] = I(OP_ADD, 1, 0, 0);
	program_effects(&l.p);
	program_shorten(&l.p, NULL);
	assert_int_equal(l.fn[1].end - l.fn[1].entry, 3);
}

static void a_jump_over_a_jump_is_its_contrary(void **state)
{
	(void)state;
	GIVEN(K(OP_JNONE, 0, 1), K(OP_JMP, 0, 2), I(OP_ADD, 2, 0, 1), I(OP_RET, 2, 1, 0), I(OP_ADD, 2, 1, 1), I(OP_RET, 2, 1, 0));
	BECOMES(K(OP_JSOME, 0, 2), I(OP_ADD, 2, 0, 1), I(OP_RET, 2, 1, 0), I(OP_ADD, 2, 1, 1), I(OP_RET, 2, 1, 0));
	/* a jump to a return is one */
	GIVEN(K(OP_JZ, 0, 2), I(OP_ADD, 2, 0, 1), K(OP_JMP, 0, 1), I(OP_ADD, 2, 1, 1), I(OP_RET, 2, 1, 0));
	BECOMES(K(OP_JZ, 0, 2), I(OP_ADD, 2, 0, 1), I(OP_RET, 2, 1, 0), I(OP_ADD, 2, 1, 1), I(OP_RET, 2, 1, 0));
}

static void webs_lie_below_the_calls_they_last_across(void **state)
{
	(void)state;
	/* register 7 is the callee's: what is put in before the call would be gone behind it */
	GIVEN(I(OP_LDF, 7, 0, F_HP), I(OP_MOVE, 6, 0, 0), K(OP_CALL, 4, 2), I(OP_LDF, 7, 0, F_HP), I(OP_ADD, 3, 7, 4), I(OP_RET, 3, 1, 0));
	BECOMES(I(OP_MOVE, 6, 0, 0), K(OP_CALL, 4, 2), I(OP_LDF, 2, 0, F_HP), I(OP_ADD, 2, 2, 4), I(OP_RET, 2, 1, 0));
	GIVEN(I(OP_ADD, 3, 0, 1), I(OP_MOVE, 6, 3, 0), K(OP_CALL, 4, 2), I(OP_MOVE, 3, 4, 0), I(OP_ADD, 2, 0, 1), I(OP_ADD, 3, 3, 2), I(OP_RET, 3, 1, 0));
	BECOMES(I(OP_ADD, 2, 0, 1), I(OP_MOVE, 6, 2, 0), K(OP_CALL, 4, 2), I(OP_ADD, 2, 4, 2), I(OP_RET, 2, 1, 0));
}

static void a_number_is_not_loaded_again(void **state)
{
	(void)state;
	GIVEN(K(OP_LOADI, 2, 60), I(OP_MUL, 3, 0, 2), K(OP_LOADI, 4, 60), I(OP_MUL, 5, 1, 4), I(OP_ADD, 3, 3, 5), I(OP_RET, 3, 1, 0));
	BECOMES(K(OP_LOADI, 2, 60), I(OP_MUL, 3, 0, 2), I(OP_MUL, 2, 1, 2), I(OP_ADD, 2, 3, 2), I(OP_RET, 2, 1, 0));
	/* but where it is stored: others look for it there */
	GIVEN(K(OP_LOADI, 2, 60), I(OP_MUL, 3, 0, 2), K(OP_LOADI, 4, 60), I(OP_STF, 0, 4, F_HP), I(OP_RET, 3, 1, 0));
	BECOMES(K(OP_LOADI, 2, 60), I(OP_MUL, 2, 0, 2), K(OP_LOADI, 3, 60), I(OP_STF, 0, 3, F_HP), I(OP_RET, 2, 1, 0));
}

static void an_event_nobody_sees_is_what_it_writes(void **state)
{
	(void)state;
	GIVEN(K(OP_ENTER, 3, EV_HIT), K(OP_STAGE, 0, AT_ON), I(OP_STF, 0, 1, F_HP), K(OP_LEAVE, 0, 0), I(OP_RET, 1, 1, 0));
	BECOMES(I(OP_STF, 0, 1, F_HP), I(OP_RET, 1, 1, 0));
	/* one in another */
	GIVEN(K(OP_ENTER, 3, EV_STRIKE), K(OP_STAGE, 0, AT_ON), K(OP_ENTER, 3, EV_HIT), K(OP_LEAVE, 0, 0), K(OP_LEAVE, 0, 0), I(OP_ADD, 2, 0, 1), I(OP_ADD, 2, 2, 1), I(OP_RET, 2, 1, 0));
	BECOMES(I(OP_ADD, 2, 0, 1), I(OP_ADD, 2, 2, 1), I(OP_RET, 2, 1, 0));
	/* with whatever is worked out in it, on several ways */
	GIVEN(K(OP_ENTER, 3, EV_HIT), K(OP_JZ, 0, 3), I(OP_ADD, 2, 0, 1), K(OP_LEAVE, 0, 1), I(OP_RET, 2, 1, 0), I(OP_STF, 0, 1, F_HP), K(OP_LEAVE, 0, 0), I(OP_RET, 1, 1, 0));
	BECOMES(K(OP_JZ, 0, 2), I(OP_ADD, 2, 0, 1), I(OP_RET, 2, 1, 0), I(OP_STF, 0, 1, F_HP), I(OP_RET, 1, 1, 0));
	/* who stops the run says what was in progress */
	GIVEN(K(OP_ENTER, 3, EV_HIT), K(OP_JZ, 0, 1), K(OP_FATAL, 0, 0), K(OP_LEAVE, 0, 0), I(OP_RET, 1, 1, 0));
	BECOMES(K(OP_ENTER, 3, EV_HIT), K(OP_JZ, 0, 1), K(OP_FATAL, 0, 0), K(OP_LEAVE, 0, 0), I(OP_RET, 1, 1, 0));
	/* nobody leaves it here */
	GIVEN(K(OP_ENTER, 3, EV_HIT), I(OP_STF, 0, 1, F_HP), I(OP_RET, 1, 1, 0));
	BECOMES(K(OP_ENTER, 3, EV_HIT), I(OP_STF, 0, 1, F_HP), I(OP_RET, 1, 1, 0));
	/* not all who leave it have entered it here */
	GIVEN(K(OP_JZ, 0, 1), K(OP_ENTER, 3, EV_HIT), K(OP_LEAVE, 0, 0), I(OP_RET, 1, 1, 0));
	BECOMES(K(OP_JZ, 0, 1), K(OP_ENTER, 3, EV_HIT), K(OP_LEAVE, 0, 0), I(OP_RET, 1, 1, 0));
}

/* The same where a strike keeps "attack roll", 7 at first. */
static void given_kept(const struct insn *code, int n)
{
	put_in(code, n);
	l.event[EV_STRIKE].slots = 1;
	l.event[EV_STRIKE].slot_type[0] = TYPE(VT_NUMBER, 0);
	l.event[EV_STRIKE].slot_initial[0] = 7;
	program_shorten(&l.p, NULL);
	sound();
}
#define GIVEN_KEPT(...) given_kept((struct insn[]){__VA_ARGS__}, (int)FRAY_COUNT(((struct insn[]){__VA_ARGS__})))

static void what_an_event_keeps_is_what_it_began_with(void **state)
{
	(void)state;
	GIVEN_KEPT(K(OP_ENTER, 3, EV_STRIKE), I(OP_KEPT, 2, 0, 0), K(OP_LEAVE, 0, 0), I(OP_RET, 2, 1, 0));
	BECOMES(K(OP_LOADI, 2, 7), I(OP_RET, 2, 1, 0));
	/* in one that has no such name, too */
	GIVEN_KEPT(K(OP_ENTER, 3, EV_STRIKE), K(OP_ENTER, 3, EV_HIT), I(OP_KEPT, 2, 0, 0), K(OP_LEAVE, 0, 0), K(OP_LEAVE, 0, 0), I(OP_RET, 2, 1, 0));
	BECOMES(K(OP_LOADI, 2, 7), I(OP_RET, 2, 1, 0));
	/* what is kept further out is asked of somebody */
	GIVEN_KEPT(K(OP_ENTER, 3, EV_HIT), I(OP_KEPT, 2, 0, 0), K(OP_LEAVE, 0, 0), I(OP_RET, 2, 1, 0));
	BECOMES(I(OP_KEPT, 2, 0, 0), I(OP_RET, 2, 1, 0));
	/* unless it was written, by it or by one in it; handed over; or kept */
	GIVEN_KEPT(K(OP_ENTER, 3, EV_STRIKE), I(OP_SETKEPT, 1, 0, 0), I(OP_KEPT, 2, 0, 0), K(OP_LEAVE, 0, 0), I(OP_RET, 2, 1, 0));
	assert_int_equal(l.fn[1].end - l.fn[1].entry, 5);
	GIVEN_KEPT(K(OP_ENTER, 3, EV_STRIKE), K(OP_ENTER, 3, EV_HIT), I(OP_SETKEPT, 1, 0, 0), K(OP_LEAVE, 0, 0), I(OP_KEPT, 2, 0, 0), K(OP_LEAVE, 0, 0), I(OP_RET, 2, 1, 0));
	BECOMES(K(OP_ENTER, 3, EV_STRIKE), I(OP_SETKEPT, 1, 0, 0), I(OP_KEPT, 2, 0, 0), K(OP_LEAVE, 0, 0), I(OP_RET, 2, 1, 0));
	GIVEN_KEPT(I(OP_KEEP, 1, 0, 1), K(OP_ENTER, 3, EV_STRIKE), I(OP_KEPT, 2, 0, 0), K(OP_LEAVE, 0, 0), I(OP_RET, 2, 1, 0));
	assert_int_equal(l.fn[1].end - l.fn[1].entry, 5);
	GIVEN_KEPT(K(OP_ENTER, 3, EV_STRIKE), I(OP_KEEP, 1, 0, 0), I(OP_KEPT, 2, 0, 0), K(OP_LEAVE, 0, 0), I(OP_RET, 2, 1, 0));
	assert_int_equal(l.fn[1].end - l.fn[1].entry, 5);
	/* one of the same name in it has a value of its own */
	GIVEN_KEPT(K(OP_ENTER, 3, EV_STRIKE), K(OP_ENTER, 3, EV_STRIKE), I(OP_SETKEPT, 1, 0, 0), K(OP_LEAVE, 0, 0), I(OP_KEPT, 2, 0, 0), K(OP_LEAVE, 0, 0), I(OP_RET, 2, 1, 0));
	BECOMES(K(OP_ENTER, 3, EV_STRIKE), I(OP_SETKEPT, 1, 0, 0), K(OP_LEAVE, 0, 0), K(OP_LOADI, 2, 7), I(OP_RET, 2, 1, 0));
}

/* The third function becomes this code, and is called in a strike. */
static void given_called(const struct insn *code, int n)
{
	const struct insn caller[] = {K(OP_ENTER, 3, EV_STRIKE), K(OP_CALL, 3, 2), I(OP_KEPT, 2, 0, 0), K(OP_LEAVE, 0, 0), I(OP_RET, 2, 1, 0)};
	put_in(caller, (int)FRAY_COUNT(caller));
	const int32_t at = l.fn[2].entry;
	memcpy(l.code + at, code, (size_t)n * sizeof *code);
	l.fn[2].end = l.p.code_count = at + n;
	l.fn[2].registers = 4;
	l.event[EV_STRIKE].slots = 1;
	l.event[EV_STRIKE].slot_type[0] = TYPE(VT_NUMBER, 0);
	program_shorten(&l.p, NULL);
	sound();
}
#define GIVEN_CALLED(...) given_called((struct insn[]){__VA_ARGS__}, (int)FRAY_COUNT(((struct insn[]){__VA_ARGS__})))

static void who_is_called_may_ask_for_what_is_kept(void **state)
{
	(void)state;
	/* he does nothing of the kind: nor is there a strike then */
	GIVEN_CALLED(I(OP_STF, 0, 0, F_HP), I(OP_RET, 0, 1, 0));
	BECOMES(K(OP_CALL, 3, 2), K(OP_LOADI, 2, 0), I(OP_RET, 2, 1, 0));
	/* he asks, so there is one; he writes, so it is not known either */
	GIVEN_CALLED(I(OP_KEPT, 1, 0, 0), I(OP_STF, 0, 1, F_HP), I(OP_RET, 0, 1, 0));
	BECOMES(K(OP_ENTER, 3, EV_STRIKE), K(OP_CALL, 3, 2), K(OP_LOADI, 2, 0), K(OP_LEAVE, 0, 0), I(OP_RET, 2, 1, 0));
	GIVEN_CALLED(I(OP_SETKEPT, 0, 0, 0), I(OP_RET, 0, 1, 0));
	assert_int_equal(l.fn[1].end - l.fn[1].entry, 5);
	/* he keeps something for the event that is in progress when he is called, or sets its stage */
	GIVEN_CALLED(I(OP_KEEP, 0, 0, 0), I(OP_RET, 0, 1, 0));
	assert_int_equal(l.fn[1].end - l.fn[1].entry, 5);
	GIVEN_CALLED(K(OP_STAGE, 0, AT_INSTEAD), I(OP_RET, 0, 1, 0));
	assert_int_equal(l.fn[1].end - l.fn[1].entry, 5);
	/* he does what cannot be judged */
	GIVEN_CALLED(I(OP_CLOSE, 0, 0, 0), I(OP_RET, 0, 1, 0));
	assert_int_equal(l.fn[1].end - l.fn[1].entry, 5);
}

static void is_a_fill(void)
{
	const int32_t at = l.fn[1].entry + 2;
	assert_int_equal(quick_of(&l.p, at), QUICK_FILL);
	struct insn *write = &l.code[quick_fill_write(&l.code[at]) - l.code];
	assert_int_equal(write->op, OP_STP);
	assert_int_equal(write[-1].k, 10);
	/* another cell is written than was looked at */
	write->c = 1;
	assert_int_equal(quick_of(&l.p, at), QUICK_SNEXT_JNONE);
	write->c = 0;
	/* or not the same number for all */
	write[-1] = I(OP_ADD, write->b, 0, 1);
	assert_int_equal(quick_of(&l.p, at), QUICK_SNEXT_JNONE);
}

static void a_loop_that_fills_is_still_done_at_once(void **state)
{
	(void)state;
	/* each of a set without a distance gets one */
	GIVEN(I(OP_LDSF, 2, 0, F_SEEN), K(OP_LOADI, 3, -1), I(OP_SNEXT, 3, 2, 0), K(OP_JNONE, 3, 9), I(OP_MOVE, 4, 0, 0), I(OP_MOVE, 5, 3, 0), I(OP_LDP, 4, 4, 0), K(OP_JSOME, 4, 4),
		I(OP_MOVE, 6, 0, 0), I(OP_MOVE, 7, 3, 0), K(OP_LOADI, 4, 10), I(OP_STP, 6, 4, 0), K(OP_LOOP, 0, -11), I(OP_RET, 1, 1, 0));
	is_a_fill();
	/* where it was looked for it is written */
	GIVEN(I(OP_LDSF, 2, 0, F_SEEN), K(OP_LOADI, 3, -1), I(OP_SNEXT, 3, 2, 0), K(OP_JNONE, 3, 9), I(OP_MOVE, 5, 0, 0), I(OP_MOVE, 6, 3, 0), I(OP_LDP, 4, 5, 0), K(OP_JSOME, 4, 4),
		I(OP_MOVE, 5, 0, 0), I(OP_MOVE, 6, 3, 0), K(OP_LOADI, 4, 10), I(OP_STP, 5, 4, 0), K(OP_LOOP, 0, -11), I(OP_RET, 1, 1, 0));
	is_a_fill();
	assert_int_equal(l.fn[1].end - l.fn[1].entry, 11);
}

/* Main calls a function in which each of a set without a distance gets one; or without a look whether it has. */
enum { MAIN_CALL = 7, MAIN_ENTER = 8, MAIN_LDP = 13 };

static void given_distances(bool looks)
{
	put_in((struct insn[]){I(OP_LDSF, 2, 0, F_SEEN), K(OP_LOADI, 3, -1), I(OP_SNEXT, 3, 2, 0), K(OP_JNONE, 3, 9), I(OP_MOVE, 4, 0, 0), I(OP_MOVE, 5, 3, 0), looks ? I(OP_LDP, 4, 4, 0) : K(OP_LOADK, 4, 0),
		K(OP_JSOME, 4, 4), I(OP_MOVE, 6, 0, 0), I(OP_MOVE, 7, 3, 0), K(OP_LOADI, 4, 10), I(OP_STP, 6, 4, 0), K(OP_LOOP, 0, -11), I(OP_RET, 1, 1, 0)}, 14);
	l.p.from_start = true;
	memset(&l.code[MAIN_LDP], 0, sizeof *l.code); /* NOP */
	program_effects(&l.p);
}

static void are_dropped(void)
{
	bool which[4];
	assert_true(program_drop_unread(&l.p, which));
	assert_true(which[1] && !which[0] && !which[2]);
	program_effects(&l.p);
	assert_true(l.pair[0].fixed);
	program_shorten(&l.p, which);
	sound();
	BECOMES(I(OP_RET, 1, 1, 0));
}

static void are_not_dropped(void)
{
	bool which[4];
	assert_false(program_drop_unread(&l.p, which));
	program_effects(&l.p);
	assert_false(l.pair[0].fixed);
}

static void what_nobody_reads_is_not_written(void **state)
{
	(void)state;
	for (int looks = 0; looks < 2; looks++) {
		given_distances(looks);
		are_dropped();
		/* somebody reads it */
		given_distances(looks);
		l.code[MAIN_LDP] = I(OP_LDP, 4, 0, 0);
		are_not_dropped();
		/* two who act at once might leave it differently */
		given_distances(looks);
		l.code[MAIN_ENTER] = I(OP_BEGINS, 0, 0, AT_ON);
		are_not_dropped();
		given_distances(looks);
		l.event[EV_SPOIL].stage_fn[AT_ON] = 1;
		are_not_dropped();
		/* what is added may be too much */
		given_distances(looks);
		l.code[l.fn[1].entry + 11].op = OP_ADP;
		are_not_dropped();
		/* it goes on from the moment of another program */
		given_distances(looks);
		l.p.from_start = false;
		are_not_dropped();
	}
	/* what was read there is read on */
	given_distances(true);
	l.code[l.fn[1].end - 1].a = 4;
	are_not_dropped();
	/* something else is done there */
	given_distances(true);
	l.code[l.fn[1].entry + 10] = I(OP_STF, 0, 1, F_HP);
	are_not_dropped();
	/* somebody comes into it */
	given_distances(true);
	l.code[l.fn[1].entry + 1] = K(OP_JZ, 1, 8);
	are_not_dropped();
}

static void a_loop_that_does_something_stays(void **state)
{
	(void)state;
	GIVEN(I(OP_LDSF, 2, 0, F_SEEN), K(OP_LOADI, 3, -1), I(OP_SNEXT, 3, 2, 0), K(OP_JNONE, 3, 1), K(OP_LOOP, 0, -3), I(OP_RET, 1, 1, 0));
	BECOMES(I(OP_RET, 1, 1, 0));
	GIVEN(K(OP_LOADI, 3, -1), K(OP_KNEXT, 3, KIND_COMBATANT), K(OP_JNONE, 3, 2), I(OP_STF, 3, 1, F_HP), K(OP_LOOP, 0, -4), I(OP_RET, 1, 1, 0));
	assert_int_equal(l.fn[1].end - l.fn[1].entry, 6);
	/* whom it was left with somebody reads */
	GIVEN(K(OP_LOADI, 3, -1), K(OP_KNEXT, 3, KIND_COMBATANT), K(OP_JNONE, 3, 1), K(OP_LOOP, 0, -3), K(OP_JZ, 0, 1), I(OP_RET, 1, 1, 0), I(OP_RET, 3, 1, 0));
	assert_int_equal(l.fn[1].end - l.fn[1].entry, 7);
}

/* Numbers from 1 on, up to a last one, are put into a field. */
static void given_count(int last, int more, struct insn behind)
{
	put_in((struct insn[]){K(OP_LOADI, 2, 1), K(OP_LOADI, 3, last), K(OP_LOADI, 4, more), I(OP_LE, 5, 2, 3), K(OP_JZ, 5, 3), I(OP_STF, 0, 2, F_HP), I(OP_ADD, 2, 2, 4), K(OP_LOOP, 0, -5), behind}, 9);
}

static int loops_left(void)
{
	int n = 0;
	program_shorten(&l.p, NULL);
	sound();
	for (int32_t at = l.fn[1].entry; at < l.fn[1].end; at++)
		n += l.code[at].op == OP_LOOP;
	return n;
}

static void one_turn_is_no_loop(void **state)
{
	(void)state;
	const struct insn end = I(OP_RET, 1, 1, 0);
	given_count(1, 1, end);
	assert_int_equal(loops_left(), 0);
	BECOMES(K(OP_LOADI, 2, 1), I(OP_STF, 0, 2, F_HP), I(OP_RET, 1, 1, 0));
	given_count(2, 2, end);
	assert_int_equal(loops_left(), 0);
	given_count(0, 1, end);
	assert_int_equal(loops_left(), 0);
	BECOMES(I(OP_RET, 1, 1, 0));
	/* there is another; or never a last one */
	given_count(2, 1, end);
	assert_int_equal(loops_left(), 1);
	given_count(1, 0, end);
	assert_int_equal(loops_left(), 1);
	/* that there is none is read */
	given_count(1, 1, I(OP_RET, 5, 1, 0));
	assert_int_equal(loops_left(), 1);
	/* what it goes by is written in it */
	given_count(1, 1, end);
	l.code[l.fn[1].entry + 5] = K(OP_LOADI, 3, 7);
	assert_int_equal(loops_left(), 1);
	given_count(1, 1, end);
	l.code[l.fn[1].entry + 5] = I(OP_LDF, 2, 0, F_HP);
	assert_int_equal(loops_left(), 1);
	given_count(1, 1, end);
	l.code[l.fn[1].entry + 5] = I(OP_LDF, 4, 0, F_HP);
	assert_int_equal(loops_left(), 1);
	/* nothing is added on the way of some */
	given_count(1, 1, end);
	l.code[l.fn[1].entry + 5] = K(OP_JZ, 0, 1);
	assert_int_equal(loops_left(), 1);
}

static enum quick quick_at(int at)
{
	return quick_of(&l.p, l.fn[1].entry + at);
}

static void what_is_stored_into_all_is_stored_at_once(void **state)
{
	(void)state;
	const struct insn code[] = {K(OP_LOADI, 2, -1), K(OP_KNEXT, 2, KIND_COMBATANT), K(OP_JNONE, 2, 3), K(OP_LOADI, 3, 7), I(OP_STF, 2, 3, F_HP), K(OP_LOOP, 0, -5), I(OP_RET, 1, 1, 0)};
	const struct { int at; struct insn i; } otherwise[] = {{1, K(OP_KNEXT, 2, KIND_SIDE)}, {2, K(OP_JNONE, 2, 4)}, {2, K(OP_JNONE, 3, 3)}, {3, I(OP_LDF, 3, 2, F_HP)}, {3, K(OP_LOADI, 2, 7)}, {4, I(OP_STF, 1, 3, F_HP)},
		{4, I(OP_STF, 2, 1, F_HP)}, {4, I(OP_ADF, 2, 3, F_HP)}, {5, K(OP_LOOP, 0, -4)}};
	put_in(code, (int)FRAY_COUNT(code));
	assert_int_not_equal(quick_at(1), QUICK_STORE_ALL); /* the words of each by themselves */
	l.field[F_HP].stride = 1;
	assert_int_equal(quick_at(1), QUICK_STORE_ALL);
	for (int i = 0; i < (int)FRAY_COUNT(otherwise); i++) {
		put_in(code, (int)FRAY_COUNT(code));
		l.field[F_HP].stride = 1;
		l.code[l.fn[1].entry + otherwise[i].at] = otherwise[i].i;
		assert_int_not_equal(quick_at(1), QUICK_STORE_ALL);
	}
}

static void turns_of_members_come_to_an_end(void **state)
{
	(void)state;
	const struct insn code[] = {K(OP_LOADI, 2, -1), I(OP_SNEXT, 2, 3, 0), K(OP_JNONE, 2, 4), I(OP_LDF, 4, 2, F_HP), K(OP_JZ, 4, 1), I(OP_STF, 2, 1, F_HP), K(OP_LOOP, 0, -6), I(OP_RET, 1, 1, 0)};
	/* nobody leaves it; its cursor is set back, by what is called perhaps; another loop stands in it */
	const struct { int at; struct insn i; } otherwise[] = {{2, K(OP_JNONE, 2, 3)}, {2, K(OP_JZ, 2, 4)}, {2, K(OP_JNONE, 4, 4)}, {3, I(OP_LDF, 2, 2, F_HP)}, {3, K(OP_CALL, 1, 2)}, {3, I(OP_SNONE, 2, 0, 0)}, {5, K(OP_LOOP, 0, -3)}, {4, K(OP_JZ, 4, -2)},
		{1, I(OP_SNTH, 2, 3, 1)}, {6, K(OP_LOOP, 0, -7)}};
	put_in(code, (int)FRAY_COUNT(code));
	assert_int_equal(quick_at(6), QUICK_TURN);
	l.code[l.fn[1].entry + 5] = K(OP_LOOP, 0, -5); /* back from two places */
	assert_int_equal(quick_at(6), QUICK_TURN);
	assert_int_equal(quick_at(5), QUICK_TURN);
	for (int i = 0; i < (int)FRAY_COUNT(otherwise); i++) {
		put_in(code, (int)FRAY_COUNT(code));
		l.code[l.fn[1].entry + otherwise[i].at] = otherwise[i].i;
		assert_int_equal(quick_at(6), QUICK_NONE);
	}
	/* what asking takes is counted */
	put_in(code, (int)FRAY_COUNT(code));
	l.fn[1].pure = true;
	assert_int_equal(quick_at(6), QUICK_NONE);
}

static void a_short_function_is_put_in(void **state)
{
	(void)state;
	GIVEN(I(OP_MOVE, 4, 1, 0), K(OP_CALL, 2, 2), I(OP_ADD, 2, 2, 0), I(OP_RET, 2, 1, 0));
	/* the third function: 5 when it is given something, else 6 */
	int32_t at = l.fn[2].entry = l.p.code_count;
	l.code[at] = K(OP_JZ, 0, 2);
	l.code[at + 1] = K(OP_LOADI, 1, 5);
	l.code[at + 2] = I(OP_RET, 1, 1, 0);
	l.code[at + 3] = K(OP_LOADI, 1, 6);
	l.code[at + 4] = I(OP_RET, 1, 1, 0);
	l.fn[2].end = l.p.code_count = at + 5;
	l.fn[2].arguments = l.fn[2].results = 1;
	l.fn[2].registers = 4;
	l.p.whenevers = 0; /* whose condition would stay a function */
	program_effects(&l.p);
	arena_init(&l.p.arena);
	bool grown[4] = {false};
	assert_true(program_inline(&l.p, grown));
	assert_true(grown[1]);
	program_shorten(&l.p, NULL);
	const struct insn *is = l.p.code + l.fn[1].entry;
	const struct insn want[] = {K(OP_JZ, 1, 2), K(OP_LOADI, 2, 5), K(OP_JMP, 0, 1), K(OP_LOADI, 2, 6), I(OP_ADD, 2, 2, 0), I(OP_RET, 2, 1, 0)};
	assert_int_equal(l.fn[1].end - l.fn[1].entry, (int)FRAY_COUNT(want));
	for (int i = 0; i < (int)FRAY_COUNT(want); i++) {
		assert_string_equal(op_table[is[i].op].name, op_table[want[i].op].name);
		assert_int_equal(is[i].a, want[i].a);
		assert_int_equal(is[i].k, want[i].k);
	}
	arena_free(&l.p.arena);
}

/* The second function, as the main one, calls the third, which is the stage of an event and so long. */
static bool stage_is_put_in(const struct insn *code, int n, int length)
{
	bool grown[4] = {false};
	put_in(code, n);
	const int32_t at = l.fn[2].entry = l.p.code_count;
	assert_true(at + length <= (int)FRAY_COUNT(l.code));
	for (int k = 0; k + 1 < length; k++)
		l.code[at + k] = K(OP_LOADI, 1, k);
	l.code[at + length - 1] = I(OP_RET, 1, 1, 0);
	l.fn[2].end = l.p.code_count = at + length;
	l.fn[2].arguments = l.fn[2].results = 1;
	l.fn[2].registers = 4;
	l.p.whenevers = 0;
	l.p.main_fn = 1;
	l.event[EV_HIT].stage_fn[AT_ON] = 2;
	arena_init(&l.p.arena);
	const bool any = program_inline(&l.p, grown);
	arena_free(&l.p.arena);
	return any && grown[1];
}
#define STAGE_IS_PUT_IN(length, ...) stage_is_put_in((struct insn[]){__VA_ARGS__}, (int)FRAY_COUNT(((struct insn[]){__VA_ARGS__})), length)

static void a_stage_is_put_in_where_acts_that_come_alone_are_led(void **state)
{
	(void)state;
#define CALLS I(OP_MOVE, 5, 0, 0), K(OP_CALL, 3, 2)
	assert_true(STAGE_IS_PUT_IN(20, I(OP_ONLY, 2, 0, 0), CALLS, I(OP_DONE, 0, 0, 0), I(OP_RET, 3, 1, 0)));
	assert_true(STAGE_IS_PUT_IN(4, CALLS, I(OP_RET, 3, 1, 0))); /* brief ones anywhere */
	assert_false(STAGE_IS_PUT_IN(20, CALLS, I(OP_DONE, 0, 0, 0), I(OP_RET, 3, 1, 0)));
	assert_false(STAGE_IS_PUT_IN(20, I(OP_ONLY, 2, 0, 0), I(OP_DONE, 0, 0, 0), CALLS, I(OP_RET, 3, 1, 0)));
	/* no more than what costs little */
	assert_false(STAGE_IS_PUT_IN(65, I(OP_ONLY, 2, 0, 0), CALLS, I(OP_DONE, 0, 0, 0), I(OP_RET, 3, 1, 0)));
}

/* What combatants have declared stands in F_HP; main calls this code, and looks at it no more. */
static void given_declared(const struct insn *code, int n)
{
	put_in(code, n);
	l.fn[1].registers = 10;
	l.p.from_start = true;
	l.p.at.combatant_action = F_HP;
	l.p.probe_fn = l.p.measure_fn = -1;
	arena_init(&l.p.arena);
}

static bool is_spent(void)
{
	bool which[4];
	const int32_t n = l.p.code_count;
	const bool spent = program_spend_declared(&l.p, which);
	assert_int_equal(l.p.code_count, n + (spent ? 2 : 0));
	if (spent) {
		int32_t at = l.p.fn[1].entry;
		struct buf why = {0};
		while (l.p.code[at].op != OP_PEND)
			at++;
		while (l.p.code[at].op != OP_MOVE)
			at--;
		assert_true(which[1] && !which[0] && !which[2]);
		assert_int_equal(l.p.code[at + 1].op, OP_LOADK);
		assert_int_equal(l.p.code[at + 2].op, OP_STF);
		assert_int_equal(l.p.code[at + 2].b, l.p.code[at].b);
		if (!program_verify(&l.p, &why))
			fail_msg("%s", buf_text(&why));
		buf_free(&why);
	}
	arena_free(&l.p.arena);
	return spent;
}
#define SPENT(...) (given_declared((struct insn[]){__VA_ARGS__}, (int)FRAY_COUNT(((struct insn[]){__VA_ARGS__}))), is_spent())
#define EACH(reg, exit) K(OP_LOADI, reg, -1), K(OP_KNEXT, reg, KIND_COMBATANT), K(OP_JNONE, reg, exit)
#define PENDS_COPY I(OP_LDF, 3, 2, F_HP), K(OP_JNONE, 3, 2), I(OP_COPY, 4, 3, 0), I(OP_PEND, 4, 0, 0)
#define EMPTIES EACH(5, 3), K(OP_LOADK, 6, 0), I(OP_STF, 5, 6, F_HP), K(OP_LOOP, 0, -5)

static void what_is_declared_is_spent_where_nobody_looks_again(void **state)
{
	(void)state;
	assert_true(SPENT(EACH(2, 5), PENDS_COPY, K(OP_LOOP, 0, -7), I(OP_RET, 1, 1, 0)));
	/* with what is said of the copy before, and on one of two ways */
	assert_true(SPENT(EACH(2, 9), I(OP_LDF, 3, 2, F_HP), K(OP_JZ, 0, 2), K(OP_LOADI, 6, 1), K(OP_JMP, 0, 1), K(OP_LOADI, 6, 2), I(OP_COPY, 4, 3, 0), I(OP_STF, 4, 0, F_ACTOR), I(OP_PEND, 4, 0, 0),
		K(OP_LOOP, 0, -11), I(OP_RET, 6, 1, 0)));
	/* somebody looks behind the loop; when the copy is made; what was copied is looked at */
	assert_false(SPENT(EACH(2, 5), PENDS_COPY, K(OP_LOOP, 0, -7), I(OP_LDF, 6, 0, F_HP), I(OP_RET, 6, 1, 0)));
	assert_false(SPENT(EACH(2, 6), PENDS_COPY, I(OP_LDF, 6, 0, F_HP), K(OP_LOOP, 0, -8), I(OP_RET, 1, 1, 0)));
	assert_false(SPENT(EACH(2, 6), PENDS_COPY, I(OP_LDF, 6, 3, F_ACTOR), K(OP_LOOP, 0, -8), I(OP_RET, 1, 1, 0)));
	/* a copy that is not pended; two of one */
	assert_false(SPENT(EACH(2, 4), I(OP_LDF, 3, 2, F_HP), K(OP_JNONE, 3, 1), I(OP_COPY, 4, 3, 0), K(OP_LOOP, 0, -6), I(OP_RET, 1, 1, 0)));
	assert_false(SPENT(EACH(2, 6), PENDS_COPY, K(OP_JZ, 0, -3), K(OP_LOOP, 0, -8), I(OP_RET, 1, 1, 0)));
	/* somebody else's; whose turn it is does not stay */
	assert_false(SPENT(EACH(2, 6), I(OP_MOVE, 2, 0, 0), PENDS_COPY, K(OP_LOOP, 0, -8), I(OP_RET, 1, 1, 0)));
	assert_false(SPENT(EACH(2, 5), I(OP_LDF, 3, 0, F_HP), K(OP_JNONE, 3, 2), I(OP_COPY, 4, 3, 0), I(OP_PEND, 4, 0, 0), K(OP_LOOP, 0, -7), I(OP_RET, 1, 1, 0)));
	/* it is done again, and what was declared is emptied for all before; for one */
	assert_true(SPENT(EMPTIES, EACH(2, 5), PENDS_COPY, K(OP_LOOP, 0, -7), K(OP_JZ, 0, -15), I(OP_RET, 1, 1, 0)));
	assert_false(SPENT(EMPTIES, EACH(2, 5), PENDS_COPY, K(OP_LOOP, 0, -7), K(OP_JZ, 0, -9), I(OP_RET, 1, 1, 0)));
	assert_false(SPENT(K(OP_LOADK, 6, 0), I(OP_STF, 0, 6, F_HP), EACH(2, 5), PENDS_COPY, K(OP_LOOP, 0, -7), K(OP_JZ, 0, -11), I(OP_RET, 1, 1, 0)));
	assert_false(SPENT(EACH(5, 4), K(OP_LOADK, 6, 0), K(OP_JZ, 5, 1), I(OP_STF, 5, 6, F_HP), K(OP_LOOP, 0, -6), EACH(2, 5), PENDS_COPY, K(OP_LOOP, 0, -7), K(OP_JZ, 0, -16), I(OP_RET, 1, 1, 0)));
	assert_false(SPENT(EACH(5, 3), K(OP_LOADI, 6, 0), I(OP_STF, 5, 6, F_HP), K(OP_LOOP, 0, -5), EACH(2, 5), PENDS_COPY, K(OP_LOOP, 0, -7), K(OP_JZ, 0, -15), I(OP_RET, 1, 1, 0)));
}

#define GIVEN_SPENT given_declared((struct insn[]){EACH(2, 5), PENDS_COPY, K(OP_LOOP, 0, -7), I(OP_RET, 1, 1, 0)}, 9)

static void others_may_look_at_what_is_declared(void **state)
{
	(void)state;
	GIVEN_SPENT;
	assert_true(is_spent());
	/* whoever asks from outside; the order of acts; a condition */
	GIVEN_SPENT;
	l.code[l.fn[2].entry] = I(OP_LDF, 1, 0, F_HP);
	assert_false(is_spent());
	GIVEN_SPENT;
	l.code[l.fn[2].entry] = I(OP_LDF, 1, 0, F_HP);
	l.order[0].key_fn = -1;
	assert_false(is_spent());
	GIVEN_SPENT;
	l.code[l.fn[2].entry] = I(OP_LDF, 1, 0, F_HP);
	l.order[0].key_fn = -1;
	l.p.whenevers = 0;
	assert_true(is_spent());
	GIVEN_SPENT;
	l.code[l.fn[2].entry] = I(OP_LDF, 1, 0, F_HP);
	l.order[0].key_fn = -1;
	l.p.whenevers = 0;
	l.p.measure_fn = 2;
	assert_false(is_spent());
	/* who called it looks again */
	GIVEN_SPENT;
	for (int32_t k = MAIN_CALL + 1; k < l.fn[0].end; k++)
		if (l.code[k].op == OP_LDP)
			l.code[k] = I(OP_LDF, 4, 0, F_HP);
	assert_false(is_spent());
	/* an act may be found by another field, or by what an event is told */
	GIVEN_SPENT;
	l.field[F_SIDE].type = TYPE(VT_LIVE, KIND_ACT);
	assert_true(is_spent());
	GIVEN_SPENT;
	l.field[F_SIDE].type = TYPE(VT_LIVE, KIND_ACT);
	for (int32_t k = MAIN_CALL + 1; k < l.fn[0].end; k++)
		if (l.code[k].op == OP_LDP)
			l.code[k] = I(OP_LDF, 4, 0, F_SIDE);
	assert_false(is_spent());
	GIVEN_SPENT;
	l.event[EV_HIT].role[0].type = TYPE(VT_LIVE, KIND_ACT);
	assert_false(is_spent());
	/* the run goes on from elsewhere */
	GIVEN_SPENT;
	l.p.from_start = false;
	assert_false(is_spent());
}

static bool is_left(const char *name)
{
	for (int i = 0; i < l.p.fns; i++)
		if (!strcmp(l.fn[i].name, name))
			return true;
	return false;
}

static void functions_nobody_comes_to_are_left_out(void **state)
{
	(void)state;
	/* the keys of the order and the condition are the third, which the second does not call: all are come to */
	little_make(&l);
	l.p.from_start = true;
	assert_false(program_prune(&l.p, NULL));
	/* main calls the second no more */
	for (int32_t k = l.fn[0].entry; k < l.fn[0].end; k++)
		if (l.code[k].op == OP_CALL)
			l.code[k] = I(OP_NOP, 0, 0, 0);
	const int32_t code = l.p.code_count, gone = l.fn[1].end - l.fn[1].entry;
	l.event[EV_HIT].stage_fn[AT_ON] = 1;
	assert_true(program_prune(&l.p, NULL));
	sound();
	assert_false(is_left("to-hit number"));
	assert_true(is_left("keys"));
	assert_int_equal(l.p.code_count, code - gone);
	assert_int_equal(l.order[0].key_fn, 1); /* the third is the second now */
	assert_int_equal(l.whenever[0].fn, 1);
	assert_int_equal(l.question[Q_TOHIT].fn, -1);
	assert_int_equal(l.event[EV_HIT].stage_fn[AT_ON], -1);
	/* one who may make acts of its event comes to its stages */
	little_make(&l);
	l.p.from_start = true;
	for (int32_t k = l.fn[0].entry; k < l.fn[0].end; k++)
		if (l.code[k].op == OP_CALL)
			l.code[k] = K(OP_ACT, 2, EV_SPOIL);
	l.event[EV_SPOIL].stage_fn[AT_ON] = 1;
	assert_false(program_prune(&l.p, NULL));
	/* and a run that goes on elsewhere may have acts of any */
	little_make(&l);
	for (int32_t k = l.fn[0].entry; k < l.fn[0].end; k++)
		if (l.code[k].op == OP_CALL)
			l.code[k] = I(OP_NOP, 0, 0, 0);
	l.event[EV_HIT].stage_fn[AT_ON] = 1;
	l.p.from_start = false;
	assert_false(program_prune(&l.p, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_known_condition_is_no_question),
		cmocka_unit_test(a_winner_is_not_looked_for_again),
		cmocka_unit_test(who_says_that_it_is_not_over_goes_on),
		cmocka_unit_test(unset_is_asked_of_the_thing_itself),
		cmocka_unit_test(what_may_fail_stays),
		cmocka_unit_test(what_is_only_told_goes),
		cmocka_unit_test(what_all_know_who_meet_is_known),
		cmocka_unit_test(what_a_loop_writes_is_not_known_where_it_begins),
		cmocka_unit_test(the_contrary_of_the_contrary_is_the_thing_itself),
		cmocka_unit_test(what_nobody_writes_is_known),
		cmocka_unit_test(what_is_the_same_for_all_is_known),
		cmocka_unit_test(a_loop_is_come_into_where_it_begins),
		cmocka_unit_test(no_act_is_of_an_event_nobody_makes_acts_of),
		cmocka_unit_test(nothing_added_is_nothing_done),
		cmocka_unit_test(an_answer_is_not_asked_for_again),
		cmocka_unit_test(what_was_stored_is_not_read_again),
		cmocka_unit_test(who_is_taken_of_those_who_say_yes_is_not_asked),
		cmocka_unit_test(nobody_is_asked_twice_while_no_field_is_written),
		cmocka_unit_test(who_is_looked_for_among_all_is_not_looked_for_again),
		cmocka_unit_test(what_is_written_again_unread_is_not_written),
		cmocka_unit_test(of_an_act_that_is_over_nothing_is_written),
		cmocka_unit_test(what_is_done_in_turn_is_begun_once),
		cmocka_unit_test(what_is_asked_of_a_set_of_numbers_is_known),
		cmocka_unit_test(what_is_set_needs_no_look),
		cmocka_unit_test(what_is_this_or_unset_is_this_when_it_is_set),
		cmocka_unit_test(what_either_comes_to_is_known),
		cmocka_unit_test(an_answer_nobody_reads_is_not_asked_for),
		cmocka_unit_test(a_jump_over_a_jump_is_its_contrary),
		cmocka_unit_test(webs_lie_below_the_calls_they_last_across),
		cmocka_unit_test(a_number_is_not_loaded_again),
		cmocka_unit_test(an_event_nobody_sees_is_what_it_writes),
		cmocka_unit_test(what_an_event_keeps_is_what_it_began_with),
		cmocka_unit_test(who_is_called_may_ask_for_what_is_kept),
		cmocka_unit_test(a_loop_that_fills_is_still_done_at_once),
		cmocka_unit_test(what_nobody_reads_is_not_written),
		cmocka_unit_test(a_loop_that_does_something_stays),
		cmocka_unit_test(one_turn_is_no_loop),
		cmocka_unit_test(what_is_stored_into_all_is_stored_at_once),
		cmocka_unit_test(turns_of_members_come_to_an_end),
		cmocka_unit_test(a_short_function_is_put_in),
		cmocka_unit_test(a_stage_is_put_in_where_acts_that_come_alone_are_led),
		cmocka_unit_test(functions_nobody_comes_to_are_left_out),
		cmocka_unit_test(what_is_declared_is_spent_where_nobody_looks_again),
		cmocka_unit_test(others_may_look_at_what_is_declared),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
