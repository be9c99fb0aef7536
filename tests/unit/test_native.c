/* test_native.c - code of the processor does what the loop does: random functions of the little program,
 * played both ways from the same world, come to the same answer, the same world and the same failure. Registers
 * nobody reads again may differ: the code does not write them down. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtime/base/buf.h"
#include "runtime/code/effects.h"
#include "runtime/vm/machine.h"
#include "runtime/vm/native.h"
#include "runtime/vm/vm.h"
#include "tests/unit/little.h"

enum { FUNCTIONS = 3000, TURNS_EACH = 6, SET = 10, WINDOW = 11, ASKED_OF = WINDOW + 2, SIFTED = WINDOW + 5, REST, COPY, CURSOR, ASIDE, REGISTERS = ASIDE + 3, LONGEST = 40, FUEL = 400, LOW = 3 };

static struct little l;
static uint32_t seed;
static bool like_all; /* A_SIDE: all of a side get the same */
/* What the question all functions ask comes to. */
static enum { A_SUM, A_SIDE, MORE_THAN_FOUR, NEITHER_FOUR_NOR_ZERO, NOT_FOUR, IS_STATED, ASKED_ALL } asked;

static int any(int n)
{
	seed = seed * 1664525u + 1013904223u;
	return (int)((seed >> 8) % (uint32_t)n);
}

/* One of few, what was answered, or what is asked. */
static int scalar(void)
{
	const int x = any(SET + 2);
	return x < SET ? x : x == SET ? WINDOW : ASKED_OF;
}

/* One instruction, `left` before the end. Jumps lead on, loops a little back. */
static struct insn some_insn(int at, int left)
{
	static const enum op two[] = {OP_ADD, OP_ADD, OP_SUB, OP_MUL, OP_MIN, OP_MAX, OP_SAME, OP_EQ, OP_LT, OP_LE, OP_LT, OP_LE, OP_NE /* has no code */};
	static const enum op one[] = {OP_MOVE, OP_MOVE, OP_NEG, OP_NOT};
	static const enum op jump[] = {OP_JZ, OP_JNZ, OP_JNONE, OP_JSOME};
	static const int numbers[] = {0, 1, 2, 5, -1, 300, 1 << 30, -70000};
	switch (any(20)) {
	case 0: case 1: case 2: return little_wide(OP_LOADI, scalar(), numbers[any(8)]);
	case 3: return little_wide(OP_LOADK, scalar(), any(2));
	case 4: case 5: case 6: case 7: return little_insn(two[any((int)FRAY_COUNT(two))], scalar(), scalar(), scalar());
	case 8: case 9: return little_insn(one[any((int)FRAY_COUNT(one))], scalar(), scalar(), 0);
	case 10: case 11: case 12: return little_wide(jump[any(4)], scalar(), any(left));
	case 13: return little_insn(OP_LDF, scalar(), scalar(), any(3) ? any(2) ? F_HP : F_SIDE : F_ACTOR);
	case 14: return any(3) ? little_insn(OP_STF, scalar(), scalar(), any(4) ? F_HP : F_ACTOR) : little_insn(OP_ADF, scalar(), scalar(), F_HP);
	case 15: return little_insn(OP_LDT, scalar(), scalar(), any(2));
	case 16: return any(2) ? little_wide(OP_NOW, scalar(), 0) : little_wide(OP_KNEXT, scalar(), KIND_COMBATANT);
	case 17: return any(5) == 0 ? little_insn(any(2) ? OP_SCOUNT : OP_SNTH, scalar(), SET, scalar()) : any(3) ? little_insn(OP_SADD, SET, scalar(), 0) : little_insn(any(2) ? OP_SNONE : OP_SMOVE, SET, SET, 0);
	case 18: return any(2) ? little_insn(OP_SNEXT, scalar(), SET, 0) : little_insn(OP_SHAS, scalar(), SET, scalar());
	default: return any(3) && at > 3 ? little_wide(OP_LOOP, 0, -1 - any(3)) : little_wide(OP_CALL, WINDOW, 2);
	}
}

/* `each X { set X's hit points = .. }`, and `each X who .. { set X's hit points = .. }`. */
static int put_loops(int at)
{
	const int cursor = any(SET - 1), value = cursor + 1;
	if (any(2)) {
		l.code[at++] = little_wide(OP_LOADI, cursor, any(3) - 1);
		l.code[at++] = little_wide(OP_KNEXT, cursor, KIND_COMBATANT);
		l.code[at++] = little_wide(OP_JNONE, cursor, 3);
		l.code[at++] = any(2) ? little_wide(OP_LOADI, value, any(9)) : little_wide(OP_LOADK, value, 0);
		l.code[at++] = little_insn(OP_STF, cursor, value, F_HP);
		l.code[at++] = little_wide(OP_LOOP, 0, -5);
	}
	if (any(2)) {
		l.code[at++] = little_wide(OP_LOADI, cursor, any(3) - 1);
		l.code[at++] = any(2) ? little_wide(OP_KNEXT, cursor, KIND_COMBATANT) : little_insn(OP_SNEXT, cursor, SET, 0);
		l.code[at++] = little_wide(OP_JNONE, cursor, 5);
		l.code[at++] = little_insn(OP_MOVE, ASKED_OF, cursor, 0);
		l.code[at++] = little_wide(OP_CALL, WINDOW, 2);
		l.code[at++] = little_wide(any(2) ? OP_JZ : OP_JNZ, WINDOW, 1);
		l.code[at++] = little_insn(OP_STF, cursor, any(SET), F_HP);
		l.code[at++] = little_wide(OP_LOOP, 0, -7);
	}
	return at;
}

/* What is called: of a combatant, long enough for its answer to be kept. */
static int put_question(int at)
{
	asked = any(ASKED_ALL);
	l.code[at++] = little_insn(OP_LDF, 1, 0, F_HP);
	l.code[at++] = little_wide(OP_LOADI, 2, 4);
	switch (asked) {
	case A_SUM: /* no comparison: it is worked out when it is asked again */
		l.code[at++] = little_insn(OP_MUL, 1, 1, 2);
		l.code[at++] = little_insn(OP_ADD, 1, 1, 0);
		break;
	case A_SIDE: /* that never changes */
		l.code[at - 2] = little_insn(OP_LDF, 1, 0, F_SIDE);
		l.code[at++] = little_insn(OP_MUL, 1, 1, 2);
		l.code[at++] = little_insn(OP_ADD, 1, 1, any(2) ? 0 : 2);
		like_all = l.code[at - 1].c == 2;
		break;
	case MORE_THAN_FOUR:
		l.code[at++] = little_insn(OP_LT, 1, 2, 1);
		l.code[at++] = little_insn(OP_NOP, 0, 0, 0);
		break;
	case NEITHER_FOUR_NOR_ZERO:
		l.code[at++] = little_insn(OP_EQ, 2, 1, 2);
		l.code[at++] = little_insn(OP_NOT, 2, 2, 0);
		l.code[at++] = little_wide(OP_JZ, 2, 3);
		l.code[at++] = little_wide(OP_JZ, 1, 2);
		l.code[at++] = little_wide(OP_LOADI, 1, 1);
		l.code[at++] = little_insn(OP_RET, 1, 1, 0);
		l.code[at++] = little_wide(OP_LOADI, 1, 0);
		break;
	case NOT_FOUR:
		l.code[at++] = little_insn(OP_EQ, 2, 1, 2);
		l.code[at++] = little_insn(OP_NOT, 1, 2, 0);
		break;
	case IS_STATED:
		l.code[at++] = little_wide(OP_JNONE, 1, 2);
		l.code[at++] = little_wide(OP_LOADI, 1, 7);
		l.code[at++] = little_insn(OP_RET, 1, 1, 0);
		break;
	default:
		break;
	}
	l.code[at++] = little_insn(OP_RET, 1, 1, 0);
	return at;
}

static word right_answer(word hp, word who)
{
	const word side = l.start[l.field[F_SIDE].base + (uint32_t)who * l.field[F_SIDE].stride];
	switch (asked) {
	case A_SIDE: return side == NONE ? NONE : side * 4 + (like_all ? 4 : who);
	case A_SUM: return hp == NONE ? NONE : hp * 4 + who;
	case MORE_THAN_FOUR: return hp > 4;
	case NEITHER_FOUR_NOR_ZERO: return hp != 4 && hp != 0 && hp != NONE;
	case NOT_FOUR: return hp != 4;
	default: return hp == NONE ? NONE : 7;
	}
}

/* Those of a set of whom the question's answer is yes: sifted, and how many they are or one of them. */
static int put_sift(int at)
{
	const int cursor = any(SET - 1), set = any(2) ? COPY : SET;
	if (any(3) == 0)
		return at;
	l.code[at++] = little_insn(OP_SMOVE, COPY, SET, 0);
	l.code[at++] = little_insn(OP_SKNOWN, SIFTED, set, REST);
	l.code[at++] = little_wide(OP_EXT, 0, 2);
	l.code[at++] = little_wide(OP_LOADI, cursor, -1);
	l.code[at++] = little_insn(OP_SNEXT, cursor, REST, 0);
	l.code[at++] = little_wide(OP_JNONE, cursor, 5);
	l.code[at++] = little_insn(OP_MOVE, ASIDE + 2, cursor, 0); /* who is known is not asked: nobody else reads it */
	l.code[at++] = little_wide(OP_CALL, ASIDE, 2);
	l.code[at++] = little_wide(OP_JZ, ASIDE, 1);
	l.code[at++] = little_insn(OP_SADD, SIFTED, cursor, 0);
	l.code[at++] = little_wide(OP_LOOP, 0, -7);
	l.code[at++] = little_insn(OP_SCOUNT, scalar(), SIFTED, 0);
	l.code[at++] = little_insn(OP_SNTH, scalar(), SIFTED, scalar());
	if (any(2))
		l.code[at++] = little_insn(OP_SCOUNT, scalar(), COPY, 0);
	return at;
}

static void new_program(void)
{
	little_make(&l);
	/* the words of all together, where there is room for them */
	l.field[F_HP].base = 82;
	l.field[F_HP].stride = 1;
	for (int who = 0; who < LITTLE_WHO; who++)
		l.start[82 + who] = 8;
	l.constant[0] = NONE;
	l.p.observed = false;
	l.p.whenevers = 0;
	l.p.layout.stack_words = 32;
	for (int i = 0; i + 1 < l.fn[0].end; i++)
		l.code[i] = little_insn(OP_NOP, 0, 0, 0);
	l.fn[0].registers = 1;
}

/* Is there anybody in a set of whom its answer is yes? Who it is, is not asked. */
static int put_any(int at)
{
	const int cursor = CURSOR, answer = scalar();
	if (any(3) == 0)
		return at;
	l.code[at++] = little_wide(OP_LOADI, cursor, -1);
	l.code[at++] = little_insn(OP_SNEXT, cursor, SET, 0);
	l.code[at++] = little_wide(OP_JNONE, cursor, 4);
	l.code[at++] = little_insn(OP_MOVE, ASIDE + 2, cursor, 0);
	l.code[at++] = little_wide(OP_CALL, ASIDE, 2);
	l.code[at++] = little_wide(OP_JNZ, ASIDE, 3);
	l.code[at++] = little_wide(OP_LOOP, 0, -6);
	l.code[at++] = little_wide(OP_LOADI, answer, 0);
	l.code[at++] = little_wide(OP_JMP, 0, 1);
	l.code[at++] = little_wide(OP_LOADI, answer, 1);
	return at;
}

static void new_function(void)
{
	new_program();
	l.p.whenevers = 1;
	l.whenever[0] = (struct whenever_info){.text = "low", .fn = 3, .params = 1, .count = {LITTLE_WHO, 1}};
	l.field[F_HP].touches = 1;
	/* nobody writes a side: what it may be is known */
	static const word sides[] = {0, 1, 4, -3, 300, NONE, INT32_MAX};
	const int known = 1 + any((int)FRAY_COUNT(sides));
	for (uint32_t who = 0; who < LITTLE_WHO; who++)
		l.start[l.field[F_SIDE].base + who * l.field[F_SIDE].stride] = sides[any(known)];
	const int n = 4 + any(LONGEST - 4);
	int entry = l.fn[1].entry;
	/* no register is read that was never written */
	for (int r = 2; r < SET; r++)
		l.code[entry++] = little_insn(OP_MOVE, r, any(2), 0);
	l.code[entry++] = little_insn(OP_MOVE, WINDOW, any(2), 0);
	l.code[entry++] = little_insn(OP_MOVE, ASKED_OF, any(2), 0);
	l.code[entry++] = little_insn(OP_SNONE, SET, 0, 0);
	if (any(2))
		l.code[entry++] = little_insn(OP_SADD, SET, 0, 0);
	entry = put_any(put_sift(put_loops(entry)));
	for (int i = 0; i < n; i++) {
		struct insn c = some_insn(i, n - i);
		const struct insn *before = i > 0 ? &l.code[entry + i - 1] : &c;
		const bool tested = i > 0 && any(2) && (before->op == OP_LT || before->op == OP_LE || before->op == OP_EQ || before->op == OP_SAME || before->op == OP_CALL);
		if (tested) /* a comparison or a question and the jump on it are done at once */
			c = little_wide(any(2) ? OP_JZ : OP_JNZ, before->a, any(n - i));
		if (c.op == OP_SNEXT && before->op == OP_LOADI && any(2)) /* a walk begins */
			l.code[entry + i - 1] = little_wide(OP_LOADI, c.a, -1);
		if (before->op == OP_SNEXT && i > 0 && any(4)) /* and ends */
			c = little_wide(OP_JNONE, before->a, any(n - i));
		if (i > 0 && before->op == OP_MOVE && !any(3)) { /* what is asked of whom was just moved there */
			l.code[entry + i - 1].a = ASKED_OF;
			c = little_wide(OP_CALL, WINDOW, 2);
		}
		l.code[entry + i] = c;
	}
	int at = entry + n;
	l.code[at++] = little_insn(OP_RET, scalar(), 1, 0);
	l.fn[1].end = l.fn[2].entry = at;
	l.fn[1].registers = REGISTERS;
	at = put_question(at);
	l.fn[2].end = l.fn[3].entry = at;
	l.fn[2].registers = 3;
	l.code[at++] = little_insn(OP_LDF, 1, 0, F_HP);
	l.code[at++] = little_wide(OP_LOADI, 2, LOW);
	l.code[at++] = little_insn(OP_LE, 1, 1, 2);
	l.code[at++] = little_insn(OP_RET, 1, 1, 0);
	l.fn[3] = (struct fn_info){.name = "low", .entry = l.fn[3].entry, .end = at, .registers = 3, .arguments = 1, .results = 1};
	l.p.fns = 4;
	l.p.code_count = at;
	program_effects(&l.p);
	must(l.fn[2].own == (!l.field[F_HP].fixed && asked != A_SIDE));
	l.p.from_start = any(2);
}

/* All but the stack, and which conditions wait: the code may know that they are as they were. */
static bool same_world(const word *one, const word *other)
{
	const uint32_t stack = l.p.layout.stack, behind = stack + l.p.layout.stack_words;
	return !memcmp(one, other, H_DIRTY * sizeof *one) && !memcmp(one + H_DIRTY + 1, other + H_DIRTY + 1, (stack - H_DIRTY - 1) * sizeof *one)
		&& !memcmp(one + behind, other + behind, (l.p.layout.words - behind) * sizeof *one);
}

static bool is_low(struct vm *m, word who)
{
	const struct field_info *f = &l.p.field[F_HP];
	const word hp = vm_block(m)[f->base + (uint32_t)who * f->stride];
	return hp != NONE && hp <= LOW;
}

/* Whose condition differs from its bit waits to be asked. */
static bool wakes_rightly(struct vm *m)
{
	const word *w = vm_block(m);
	bool rightly = true;
	for (word who = 0; who < LITTLE_WHO; who++)
		if (is_low(m, who) != (w[l.p.layout.conditions] >> who & 1))
			rightly &= w[H_DIRTY] & 1 && m->memo.stale[0] >> who & 1;
	return rightly;
}

/* Where the loop has somebody asked now who waited already, the code has, too. */
static bool wakes_as_soon(struct vm *loop, struct vm *native)
{
	const uint64_t waits = native->memo.stale[0] & ((1ull << LITTLE_WHO) - 1);
	return !(vm_block(loop)[H_DIRTY] & 1) || !waits || vm_block(native)[H_DIRTY] & 1;
}

/* As an encounter asks them. */
static void ask_conditions(struct vm *m)
{
	for (word who = 0; who < LITTLE_WHO; who++) {
		world_condition(m, who, is_low(m, who));
		memo_settled(&m->memo, (uint32_t)who);
	}
	m->w[H_DIRTY] = 0;
}

/* What is kept of the question all ask, of each combatant, is what it answers now; where that is too great nobody knows. */
static bool kept_rightly(struct vm *m)
{
	const struct field_info *f = &l.p.field[F_HP];
	for (word who = 0; who < (word)l.p.layout.kind[KIND_COMBATANT].count; who++) {
		const word hp = vm_block(m)[f->base + (uint32_t)who * f->stride];
		word answer = 0, right;
		const bool fits = asked != A_SUM || hp == NONE || (!__builtin_mul_overflow(hp, 4, &right) && !__builtin_add_overflow(right, who, &right));
		vm_refuel(m);
		if (vm_call(m, 2, &who, 1, &answer, 1, false) != fits || (fits && answer != right_answer(hp, who)))
			return false;
	}
	return true;
}

/* What a run stopped at. */
static void told(void *context, const struct diag *d)
{
	*(enum message *)context = d->id;
}

/* The little program, for the loop alone and as code of the processor from the beginning. */
static void two_ways(uint32_t number, const struct vm_host *host, struct vm **m)
{
	struct buf why = {0};
	if (!program_verify(&l.p, &why))
		fail_msg("program %u: %s", number, buf_text(&why));
	buf_free(&why);
	for (int i = 0; i < 2; i++) {
		m[i] = vm_new(&l.p, host);
		vm_native(m[i], i ? NATIVE_NOW : NATIVE_NEVER);
	}
}

static void the_same_either_way(void **state)
{
	static const word arguments[] = {0, 1, 5, 6, -1, 3, NONE, INT64_MAX - 2, 1000};
	int played = 0, failed = 0, unwoken = 0;
	(void)state;
	for (seed = 1; seed < FUNCTIONS; seed++) {
		const uint32_t number = seed;
		seed *= 2654435761u;
		new_function();
		enum message stopped = M_COUNT;
		struct diag_sink sink = {.report = told, .context = &stopped};
		struct vm_host host = {.fuel = FUEL, .sink = &sink};
		struct vm *m[2];
		two_ways(number, &host, m);
		struct vm *loop = m[0], *native = m[1];
		vm_begin(loop, 1, 1, 0);
		vm_begin(native, 1, 1, 0);
		for (int t = 0; t < TURNS_EACH; t++) {
			const word given[2] = {arguments[any((int)FRAY_COUNT(arguments))], arguments[any((int)FRAY_COUNT(arguments))]};
			word a = 0, b = 0;
			vm_refuel(loop);
			vm_refuel(native);
			stopped = M_COUNT;
			const bool one = vm_call(loop, 1, given, 2, &a, 1, false), spent = stopped == M_FUEL, two = vm_call(native, 1, given, 2, &b, 1, false);
			if (spent) /* the code may know an answer that the loop asks for, and come further */
				break;
			if (one != two || (one && a != b) || !same_world(vm_block(loop), vm_block(native))) {
				struct buf why = {0};
				for (uint32_t i = 0; i < l.p.layout.words; i++)
					if (vm_block(loop)[i] != vm_block(native)[i])
						buf_printf(&why, "word %u: %lld, %lld\n", i, (long long)vm_block(loop)[i], (long long)vm_block(native)[i]);
				for (int i = l.fn[1].entry; i < l.fn[1].end; i++)
					program_print_insn(&l.p, i, &why);
				fputs(buf_text(&why), stderr);
				fail_msg("function %u of %lld, %lld: %d %lld, as code of the processor %d %lld", number, (long long)given[0], (long long)given[1], one, (long long)a, two, (long long)b);
			}
			if (t == 3 && any(2)) /* made anew, when answers are known */
				vm_native(native, NATIVE_NOW);
			if (!wakes_rightly(loop) || !wakes_rightly(native) || !wakes_as_soon(loop, native))
				fail_msg("function %u: a condition is not asked", number);
			unwoken += vm_block(loop)[H_DIRTY] != vm_block(native)[H_DIRTY];
			if (t == 2) {
				ask_conditions(loop);
				ask_conditions(native);
			}
			if (t % 2 && !(kept_rightly(loop) && kept_rightly(native)))
				fail_msg("function %u: what it asks is not answered rightly", number);
			played += one;
			failed += !one;
		}
		vm_free(loop);
		vm_free(native);
		seed = number;
	}
	assert_true(played > FUNCTIONS && failed > 100 && unwoken > 100);
}

/* ---- whether anybody says yes, kept ---- */

enum { ASKERS = 600, WRITES = 60 };
static word members; /* of whom it is asked, a bit each */

/* Function 1 writes somebody's hit points and asks function 3, whose answer is kept, whether of a set anybody says yes. */
static void new_asker(void)
{
	new_program();
	l.field[F_HP].touches = 0;
	members = 1 + any((1 << LITTLE_WHO) - 1);
	int at = l.fn[1].entry;
	l.code[at++] = little_insn(OP_STF, 0, 1, F_HP);
	l.code[at++] = little_wide(OP_LOADI, 4, 0);
	l.code[at++] = little_wide(OP_CALL, 2, 3);
	l.code[at++] = little_insn(OP_RET, 2, 1, 0);
	l.fn[1].end = l.fn[2].entry = at;
	l.fn[1].registers = 5;
	do
		at = put_question(l.fn[2].entry);
	while (asked == A_SIDE);
	l.fn[2].end = at;
	l.fn[2].registers = 3;
	const int entry = at;
	l.code[at++] = little_insn(OP_SNONE, 2, 0, 0);
	for (int who = 0; who < LITTLE_WHO; who++) {
		if (!(members >> who & 1))
			continue;
		l.code[at++] = little_wide(OP_LOADI, 1, who);
		l.code[at++] = little_insn(OP_SADD, 2, 1, 0);
	}
	l.code[at++] = little_wide(OP_LOADI, 3, -1);
	l.code[at++] = little_insn(OP_SNEXT, 3, 2, 0);
	l.code[at++] = little_wide(OP_JNONE, 3, 4);
	l.code[at++] = little_insn(OP_MOVE, 6, 3, 0);
	l.code[at++] = little_wide(OP_CALL, 4, 2);
	l.code[at++] = little_wide(OP_JNZ, 4, 3);
	l.code[at++] = little_wide(OP_LOOP, 0, -6);
	l.code[at++] = little_wide(OP_LOADI, 1, 0);
	l.code[at++] = little_insn(OP_RET, 1, 1, 0);
	l.code[at++] = little_wide(OP_LOADI, 1, 1);
	l.code[at++] = little_insn(OP_RET, 1, 1, 0);
	l.fn[3] = (struct fn_info){.name = "anybody", .entry = entry, .end = at, .registers = 7, .arguments = 1, .results = 1};
	l.p.fns = 4;
	l.p.code_count = at;
	program_effects(&l.p);
	must(l.fn[2].own && l.fn[3].pure);
}

static word says_anybody(struct vm *m)
{
	const struct field_info *f = &l.p.field[F_HP];
	for (word who = 0; who < LITTLE_WHO; who++) {
		const word answer = right_answer(vm_block(m)[f->base + (uint32_t)who * f->stride], who);
		if ((members >> who & 1) && answer != 0 && answer != NONE)
			return 1;
	}
	return 0;
}

static void whether_anybody_says_yes_is_kept(void **state)
{
	static const word hit_points[] = {0, 4, 0, NONE, 7, 4, 4, 0};
	int led = 0, answered[2] = {0};
	(void)state;
	for (seed = 1; seed < ASKERS; seed++) {
		const uint32_t number = seed;
		seed *= 2654435761u;
		new_asker();
		struct vm_host host = {.fuel = 10000};
		struct vm *m[2];
		two_ways(number, &host, m);
		for (int t = 0; t < WRITES; t++) {
			const bool begins = t % 16 == 0;
			const word given[2] = {any(LITTLE_WHO), hit_points[any((int)FRAY_COUNT(hit_points))]};
			for (int i = 0; i < 2; i++) {
				word answer = -1;
				if (begins)
					vm_begin(m[i], 1, (uint64_t)t, 0);
				vm_refuel(m[i]);
				if (!vm_call(m[i], 1, given, 2, &answer, 1, false) || answer != says_anybody(m[i]))
					fail_msg("function %u, write %d, %s: %lld", number, t, i ? "code" : "loop", (long long)answer);
				answered[answer]++;
			}
			const struct memo *x = &m[1]->memo;
			led += x->entry.v[memo_all(&x->fn.v[x->of[2]])].leads != 0;
		}
		vm_free(m[0]);
		vm_free(m[1]);
		seed = number;
	}
	assert_true(led > 100 && answered[0] > 100 && answered[1] > 100);
}

/* ---- dice ---- */

enum { ROLLERS = 400, CALLS_EACH = 60, R_DICE = 1, R_SUM, R_DIE, R_OWNER, R_FELL, R_TRIED, ROLLER_REGISTERS };

static struct dice_info dice[] = {
	{.text = "d20", .count = 1, .sides = 20},   {.text = "d8", .count = 1, .sides = 8}, {.text = "d8-1", .count = 1, .sides = 8, .add = -1},
	{.text = "2d8", .count = 2, .sides = 8},    {.text = "4d6+3", .count = 4, .sides = 6, .add = 3}, {.text = "5d6", .count = 5, .sides = 6},
	{.text = "d6!", .count = 1, .sides = 6, .explode = true}, {.text = "d10000", .count = 1, .sides = 10000}, {.text = "d6-9", .count = 1, .sides = 6, .add = -9},
};

/* Who rolls, what, and what comes of it. */
static int put_roll(int at)
{
	const bool side = any(3) == 0, tried = any(8) == 0;
	if (any(4) == 0)
		l.code[at++] = any(2) ? little_wide(OP_LOADK, R_OWNER, 0) : little_wide(OP_LOADI, R_OWNER, any(side ? 2 : LITTLE_WHO));
	else
		l.code[at++] = little_wide(OP_KNEXT, R_OWNER, side ? KIND_SIDE : KIND_COMBATANT);
	l.code[at++] = any(3) ? little_wide(OP_LOADI, R_DIE, any((int)FRAY_COUNT(dice))) : little_insn(OP_MOVE, R_DIE, R_DICE, 0);
	if (tried) {
		l.code[at++] = little_insn(OP_TRY, R_TRIED, 0, 0);
		l.code[at++] = little_wide(OP_JMP, 0, 0); /* the loop does what comes before, and enters the code here if there is enough of it */
		l.code[at++] = little_insn(OP_NOP, 0, 0, 0);
		l.code[at++] = little_insn(OP_NOP, 0, 0, 0);
	}
	l.code[at++] = little_insn(OP_ROLL, R_FELL, R_DIE, R_OWNER);
	l.code[at++] = little_wide(OP_EXT, 0, side ? (any(2) ? L_INITIATIVE : L_MORALE) : any(2) ? L_ATTACK : L_DAMAGE);
	if (tried)
		l.code[at++] = little_insn(OP_UNTRY, R_TRIED, 0, 0);
	if (any(2))
		l.code[at++] = little_insn(OP_ADD, R_FELL, R_FELL, any(2) ? R_FELL : R_SUM);
	l.code[at++] = little_insn(any(3) ? OP_ADD : OP_MAX, R_SUM, R_FELL, R_SUM);
	return at;
}

static void new_roller(void)
{
	new_program();
	l.p.dice = dice;
	l.p.dices = FRAY_COUNT(dice);
	l.p.layout.labels = 228;
	l.p.layout.label_owners = LITTLE_WHO + 2 + 1;
	for (int i = 0; i < LITTLE_WHO; i++)
		l.who[i].hash = 1000u + (uint32_t)i;
	int at = l.fn[1].entry;
	l.code[at++] = little_wide(OP_LOADI, R_SUM, 0);
	l.code[at++] = little_wide(OP_LOADI, R_OWNER, -1);
	for (int n = 1 + any(6); n > 0; n--)
		at = put_roll(at);
	l.code[at++] = little_insn(OP_RET, R_SUM, 1, 0);
	l.fn[1].end = l.fn[2].entry = at;
	l.fn[1].registers = ROLLER_REGISTERS;
	l.code[at++] = little_insn(OP_RET, 0, 1, 0);
	l.fn[2].end = l.p.code_count = at;
	program_effects(&l.p);
}

/* Dice fall as they do in the loop: of all kinds, of somebody and nobody, tried and refused, more of them than a block has. */
static void dice_either_way(void **state)
{
	int fell = 0, refused = 0;
	(void)state;
	for (uint32_t number = 1; number < ROLLERS; number++) {
		seed = number * 2654435761u;
		new_roller();
		struct vm_host host = {.fuel = FUEL};
		struct vm *m[2];
		two_ways(number, &host, m);
		struct vm *loop = m[0], *native = m[1];
		for (int t = 0; t < CALLS_EACH; t++) {
			if (t == 0 || any(25) == 0) {
				const uint64_t of = (uint64_t)any(3) << any(40), trial = (uint64_t)any(3) << any(40);
				vm_begin(loop, of, trial, 0);
				vm_begin(native, of, trial, 0);
			}
			const word given[2] = {0, any(20) ? any((int)FRAY_COUNT(dice)) : any(2) ? NONE : 1000};
			const bool quiet = any(20) == 0;
			word a = 0, b = 0;
			vm_refuel(loop);
			vm_refuel(native);
			const bool one = vm_call(loop, 1, given, 2, &a, 1, !quiet), two = vm_call(native, 1, given, 2, &b, 1, !quiet);
			if (one != two || (one && a != b) || !same_world(vm_block(loop), vm_block(native)))
				fail_msg("roller %u, call %d: %d %lld, as code of the processor %d %lld", number, t, one, (long long)a, two, (long long)b);
			fell += one && a != NONE;
			refused += !one;
		}
		vm_free(loop);
		vm_free(native);
	}
	assert_true(fell > ROLLERS * CALLS_EACH / 2 && refused > ROLLERS);
}

/* ---- what all have declared, pended ---- */

enum { DECLARERS = 400, DECLARED = 48, ACTS = 4 };

/* Function 1 gives somebody hit points; he declares an act, beside him in F_SIDE. Unless he has no points left all are pended of whom the question says yes. */
static void new_declarer(void)
{
	new_program();
	l.field[F_HP].touches = 0;
	l.p.layout.kind[KIND_ACT].count = ACTS;
	l.field[F_SIDE].base = 140;
	l.field[F_SIDE].stride = 1;
	for (int who = 0; who < LITTLE_WHO; who++)
		l.start[140 + who] = NONE;
	int at = l.fn[1].entry;
	l.code[at++] = little_insn(OP_STF, 0, 1, F_HP);
	l.code[at++] = little_insn(OP_FREE, 0, 1, 0);
	l.code[at++] = little_wide(OP_ACT, 2, EV_ATTACK);
	l.code[at++] = little_insn(OP_STF, 2, 0, F_ACTOR);
	l.code[at++] = little_insn(OP_STF, 0, 2, F_SIDE);
	l.code[at++] = little_wide(OP_JZ, 1, 12);
	l.code[at++] = little_wide(OP_LOADI, 3, -1);
	l.code[at++] = little_wide(OP_KNEXT, 3, KIND_COMBATANT);
	l.code[at++] = little_wide(OP_JNONE, 3, 9);
	l.code[at++] = little_insn(OP_MOVE, 7, 3, 0);
	l.code[at++] = little_wide(OP_CALL, 5, 2);
	l.code[at++] = little_wide(OP_JZ, 5, 5);
	l.code[at++] = little_insn(OP_LDF, 4, 3, F_SIDE);
	l.code[at++] = little_wide(OP_JNONE, 4, 3);
	l.code[at++] = little_wide(OP_LOADK, 2, 0);
	l.code[at++] = little_insn(OP_STF, 3, 2, F_SIDE);
	l.code[at++] = little_insn(OP_PEND, 4, 0, 0);
	l.code[at++] = little_wide(OP_LOOP, 0, -11);
	l.code[at++] = little_insn(OP_RET, 0, 1, 0);
	l.fn[1].end = l.fn[2].entry = at;
	l.fn[1].registers = 8;
	do
		at = put_question(l.fn[2].entry);
	while (asked == A_SIDE);
	l.fn[2].end = at;
	l.fn[2].registers = 3;
	l.p.fns = 3;
	l.p.code_count = at;
	program_effects(&l.p);
	must(l.fn[2].own);
}

static void what_all_have_declared_is_pended(void **state)
{
	static const word hit_points[] = {0, 0, 4, 7, NONE, 5, 0, 8};
	int pended = 0, full = 0;
	(void)state;
	for (seed = 1; seed < DECLARERS; seed++) {
		const uint32_t number = seed;
		seed *= 2654435761u;
		new_declarer();
		struct vm_host host = {.fuel = 10000};
		struct vm *m[2];
		two_ways(number, &host, m);
		for (int t = 0; t < DECLARED; t++) {
			const word given[2] = {any(LITTLE_WHO), hit_points[any((int)FRAY_COUNT(hit_points))]};
			const int noted = any(2 * ACTS);
			word answer[2] = {-1, -1};
			bool done[2];
			for (int i = 0; i < 2; i++) {
				if (t % 6 == 0)
					vm_begin(m[i], 1, (uint64_t)t, 0);
				if (noted < ACTS)
					m[i]->memo.row_noted[noted] = 1;
				vm_refuel(m[i]);
				done[i] = vm_call(m[i], 1, given, 2, &answer[i], 1, false);
			}
			if (done[0] != done[1] || answer[0] != answer[1] || !same_world(vm_block(m[0]), vm_block(m[1])))
				fail_msg("function %u, call %d", number, t);
			pended += vm_block(m[0])[H_SERIAL] > 1;
			full += !done[0];
		}
		vm_free(m[0]);
		vm_free(m[1]);
		seed = number;
	}
	assert_true(pended > DECLARERS && full > 100);
}

/* Where the processor is one that is known, such code is made; the test above would not notice. */
static void it_is_made(void **state)
{
	(void)state;
	seed = 5;
	new_function();
	struct vm_host host = {0};
	struct vm *m = vm_new(&l.p, &host);
	struct native *n = native_make(m);
#if defined(__x86_64__)
	assert_non_null(n);
	assert_true(native_begins(n, l.fn[2].entry));
#else
	assert_null(n);
#endif
	native_free(n);
	vm_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_either_way), cmocka_unit_test(whether_anybody_says_yes_is_kept), cmocka_unit_test(dice_either_way), cmocka_unit_test(what_all_have_declared_is_pended), cmocka_unit_test(it_is_made)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
