/* native_maker.h - what processor code is made with (native.c): what is known while it is made, jumps
 * out of it and within it. The instructions are made in native_values.c, native_pairs.c, native_calls.c, native_acts.c, native_rows.c,
 * native_own.c, native_conditions.c, native_sets.c, native_dice.c, native_single.c, native_unwritten.c, native_copies.c and native_groups.c; native_live.c says which registers are written down,
 * native_facts.c what is known where ways meet. */
#ifndef FRAY_VM_NATIVE_MAKER_H
#define FRAY_VM_NATIVE_MAKER_H

#include "runtime/vm/native.h"

/* Not where instructions are counted one by one. */
#if defined(__x86_64__) && !defined(FRAY_PROFILE)
#define FRAY_NATIVE 1

#include <stddef.h>
#include <stdlib.h>

#include "runtime/vm/live.h"
#include "runtime/vm/machine.h"
#include "runtime/vm/quick.h"
#include "runtime/vm/x64.h"

/* What the processor's registers hold throughout, and while a function returns. SOME: all bits but the sign, of which a word
 * has one if it is neither 0 nor unset. BESIDE holds the value of a register besides, and that lasts across calls (maker.beside). */
static const enum x64_reg MACHINE = RBX, WORLD = R12, FRAME = R13, UNSET = R14, SOME = R15, BESIDE = RBP, BACK = RBP, PACKED = R8;

/* What is known of a register. */
enum known_as { ANYTHING, SET, YES_NO, NUMBER };
struct knows {
	uint32_t stretch;
	int32_t least, most; /* if it is ranged */
	uint8_t as;
	bool ranged, lazy;   /* lazy: a number not written down yet */
	bool taken;          /* it was taken for so, and the code left where it was not: who enters it is asked (guard) */
	word number;
};

/* What stands behind the code, for what seldom happens. */
enum stub_kind {
	STUB_LEAVE, STUB_REFUEL, STUB_FAIL, STUB_DRAW, STUB_READ_AT, STUB_READ, STUB_READ_CELL,
	STUB_WROTE_AT, STUB_WROTE, STUB_APART, STUB_FIND, STUB_KNOWN, STUB_ENTER, STUB_DEEP,
	STUB_WAY, STUB_RESULT, STUB_BEHIND, STUB_ANSWERED, STUB_UNSET, STUB_PUT, STUB_LATER,
	STUB_GUARD
};
struct stub {
	enum stub_kind kind;
	uint32_t jump;     /* that leads here */
	uint32_t back;     /* where it leads to */
	int32_t at, fn;    /* the instruction, its function */
	uint32_t base;     /* of a GUARD: no condition may wait; of a word; the function of a FIND, KNOWN, ENTER or DEEP; the register of a PUT; of an APART: 1 if acts only find their places; where a DRAW tries again */
	int32_t to;        /* of a GUARD: the register BESIDE is to hold, -1; instruction to go on with, -1: back; of an APART: if it leaves its first register unset */
	word value;        /* of a PUT .. */
	int words;         /* .. and into how many registers */
	int first, held;   /* what is written down on this way, of maker.held; of a GUARD: what has to hold, of maker.facts */
	int unsaved;       /* the register that only rax holds, -1 */
	bool given;        /* of a FIND: the argument is a number, value */
	bool says;         /* of a KNOWN or a RESULT: the flags are to say whether the answer is yes; of an APART or a DRAW: rax what the first register holds */
};
struct jump { uint32_t jump; int32_t to; };
struct fact { unsigned x; struct knows as; };
/* What all know who come to an instruction by a jump, or from the one before it, as far as that was made. */
struct arrival {
	int32_t first, n;  /* of maker.facts */
	int32_t end;       /* a loop begins here: its last instruction; else 0 */
	bool aside;        /* .. which is jumped into behind its head as well */
	bool come;         /* somebody does */
	bool quiet;        /* .. and no condition waits then */
	int beside;        /* maker.beside */
};
/* Answers of a question that rest on nothing that can change: for arguments below `count`, as words in the code from `at` on; 0: none.
 * All one number: alike. */
struct answers { uint32_t at, count; bool alike; word number; };
struct owed { unsigned x; word number; };

/* Otherwise: by a jump, or from the loop; or after a call, when registers below its window are what they were. */
enum join { JOIN_JUMP = 1, JOIN_BACK = 2 };

struct maker {
	struct x64 x;
	struct vm *m;
	const struct program *p;
	int32_t at, fn;        /* the instruction, its function */
	uint32_t *place;       /* by instruction: byte of the code */
	uint32_t *guarded;     /* .. and of where it is entered, if something has to hold there; 0: at its place */
	uint8_t *joins;        /* by instruction: may be come to otherwise than from the one before (enum join) */
	uint8_t *unwritten;    /* by instruction: may the group at hand not be written down (native_unwritten.c)? */
	uint8_t *asked;        /* by field: may what is worked out and kept look at it? */
	uint8_t *noted;        /* by function: may an answer be worked out while it runs, so that what it reads is noted? */
	struct knows *knows;   /* by register */
	uint32_t stretch;
	bool takes;            /* something known was taken for so */
	bool quiet;            /* no condition waits to be asked */
	bool owned_acts;       /* whoever makes an act says whose it is */
	bool undone;           /* may what is done have to be put back (vm.journaling)? */
	bool counts, deposits; /* the processor counts bits; it lays them where a mask has its own */
	struct arrival *arrivals; /* by instruction */
	VEC(struct fact) facts;
	bool gone;             /* nobody comes to what is made */
	int cached;            /* the register whose value rax holds, -1 */
	int beside;            /* the register whose value BESIDE holds, -1: where it is to be found besides */
	int pair;              /* the first of two registers whose values rax and rdx hold, for the instruction .. */
	int32_t pair_for;      /* .. that sifts them */
	int32_t behind;        /* the instruction behind those being made */
	int unsaved;           /* the register whose value only rax holds, for the instruction .. */
	int32_t unsaved_for;   /* .. that reads it */
	uint32_t beyond;       /* leads behind the instruction .. */
	int32_t beyond_for;    /* .. which the one before it has mostly done as well */
	struct live *live;     /* which registers are read again */
	VEC(unsigned) lazy;    /* registers that may hold a number not written down */
	VEC(struct owed) held;
	uint32_t leave;        /* where the code is left */
	const void **table, **ways; /* code.at, code.ways */
	const void *const *const *other; /* where code.at of the other code is found */
	const int32_t *slots;  /* native.slots */
	struct answers *answers; /* by function */
	uint32_t *marks; /* by field: code that notes which turns of quiet loops are due when that
			    of the thing in rcx was written (native_quiet.c); 0: none */
	uint32_t *owned;       /* by field: code that follows what rests on own words of the thing in rcx, when that was written (native_own.c); 0: none */
	VEC(struct stub) stubs;
	VEC(struct jump) jumps;
};

#define OF_MACHINE(field) x64_at(MACHINE, (int64_t)offsetof(struct vm, field))
#define HEADER(word_) x64_at(WORLD, (int64_t)(word_) * 8)

static inline struct x64_at reg(unsigned x)
{
	return x64_at(FRAME, (int64_t)x * 8);
}

/* A place in an array beside the world that stays where it is: mostly it is near the machine. Else `far` holds where it begins. */
static inline struct x64_at in_array(struct maker *k, const void *array, enum x64_reg index, int scale, enum x64_reg far)
{
	const int64_t bytes = (int64_t)((intptr_t)array - (intptr_t)k->m);
	if (bytes >= INT32_MIN && bytes <= INT32_MAX)
		return x64_in(MACHINE, index, scale, bytes);
	x64_number(&k->x, far, (int64_t)(intptr_t)array);
	return x64_in(far, index, scale, 0);
}

/* ---- what is known ---- */

static inline struct knows *known(struct maker *k, unsigned x)
{
	struct knows *s = &k->knows[x];
	if (s->stretch != k->stretch)
		*s = (struct knows){.stretch = k->stretch, .as = ANYTHING};
	return s;
}

static inline bool is_number(struct maker *k, unsigned x)
{
	return known(k, x)->as == NUMBER;
}

static inline bool is_small(struct maker *k, unsigned x)
{
	const struct knows *s = known(k, x);
	return s->as == NUMBER && s->number >= INT32_MIN && s->number <= INT32_MAX;
}

static inline bool is_unset(struct maker *k, unsigned x)
{
	return is_number(k, x) && known(k, x)->number == NONE;
}

static inline bool is_set(struct maker *k, unsigned x)
{
	return known(k, x)->as != ANYTHING && !is_unset(k, x);
}

/* Register x gets another value. */
static inline void learn(struct maker *k, unsigned x, enum known_as as, word number)
{
	*known(k, x) = (struct knows){.stretch = k->stretch, .as = (uint8_t)as, .number = number, .taken = k->takes && as != ANYTHING && as != NUMBER};
	if (k->cached == (int)x)
		k->cached = -1;
	if (k->beside == (int)x)
		k->beside = -1;
}

static inline void learn_words(struct maker *k, unsigned x, int n)
{
	for (int i = 0; i < n; i++)
		learn(k, x + (unsigned)i, ANYTHING, 0);
}

struct range { int64_t least, most; };

/* What it is at least and at most; false: who knows. */
static inline bool range_of(struct maker *k, unsigned x, struct range *r)
{
	const struct knows *s = known(k, x);
	if (s->as == NUMBER)
		*r = (struct range){s->number, s->number};
	else if (s->as == YES_NO)
		*r = (struct range){0, 1};
	else
		*r = (struct range){s->least, s->most};
	return s->ranged || s->as == YES_NO || is_small(k, x);
}

/* Which, after it was learnt, is no less and no more, if those are short numbers. */
static inline void learn_range(struct maker *k, unsigned x, struct range r)
{
	struct knows *s = known(k, x);
	if (r.least < INT32_MIN || r.most > INT32_MAX)
		return;
	s->ranged = true;
	s->least = (int32_t)r.least;
	s->most = (int32_t)r.most;
	if (s->as == ANYTHING)
		s->as = SET;
	s->taken |= k->takes;
}

/* Which is one of so many. */
static inline void learn_below(struct maker *k, unsigned x, uint32_t count)
{
	learn_range(k, x, (struct range){0, (int64_t)count - 1});
}

static inline bool is_below(struct maker *k, unsigned x, uint32_t count)
{
	struct range r;
	if (is_number(k, x))
		return (uint64_t)known(k, x)->number < count;
	return range_of(k, x, &r) && r.least >= 0 && r.most < count;
}

/* ---- native_look.c ---- */

/* Where code is come to otherwise than from the instruction before. */
void find_joins(struct maker *k);
/* Answers are worked out in functions that only read, and in those that say an act's time and keys. */
void find_noted(struct maker *k);
/* Fields of acts besides; it must be known which functions are noted. */
void find_asked(struct maker *k);
/* Does whoever makes an act say at once whose it is? */
bool acts_have_actors(const struct maker *k);
/* By kept name and event: where its happening keeps that. */
void find_slots(const struct program *p, int32_t *slots);

/* ---- native_facts.c ---- */

/* Which loops there are; from where ways lead must be known (find_joins). */
void find_loops(struct maker *k);
/* With what is known now a way leads to an instruction; or with nothing; or with so many registers from x on as a number, or SET besides. */
void arrive(struct maker *k, int32_t to);
void arrive_unknown(struct maker *k, int32_t to);
void arrive_with(struct maker *k, int32_t to, unsigned x, int words, enum known_as as, word number);
/* Ways meet at the instruction at hand. */
void meet_here(struct maker *k);
/* Whoever enters the code at `at` is asked whether that is so which was taken to be. */
void guard(struct maker *k, int32_t at);

/* ---- native_live.c ---- */

/* Is register x read from instruction `at` on, before it is written? */
static inline bool is_live(const struct maker *k, int32_t at, unsigned x)
{
	return live_at(k->live, at, (int)x);
}
/* Does the instruction behind read x from rax, and nobody after it? */
bool only_behind(struct maker *k, unsigned x);
void write_down(struct maker *k, unsigned x, word number);
/* What is known and may be read from instruction `at` on is written down; of registers from `from` on. */
void settle(struct maker *k, int32_t at);
void settle_from(struct maker *k, int32_t at, unsigned from);
/* The same on the way of a stub. */
void hold_lazy(struct maker *k, struct stub *s, int32_t at);

/* rax is put into x. */
static inline void put(struct maker *k, unsigned x, enum known_as as)
{
	learn(k, x, as, 0);
	if (is_live(k, k->behind, x) && !only_behind(k, x))
		x64_do(&k->x, X_STORE, RAX, reg(x));
	k->cached = (int)x;
}

static inline void put_number(struct maker *k, unsigned x, word number)
{
	learn(k, x, NUMBER, number);
	if (number != NONE && (number < INT32_MIN || number > INT32_MAX)) {
		x64_number(&k->x, RAX, number);
		k->cached = -1;
		x64_do(&k->x, X_STORE, RAX, reg(x));
		return;
	}
	known(k, x)->lazy = true;
	for (int l = 0; l < k->lazy.n; l++)
		if (k->lazy.v[l] == x)
			return;
	VEC_PUSH(k->lazy, x);
}

/* The value of x in a register of the processor. */
static inline void take(struct maker *k, enum x64_reg to, unsigned x)
{
	if ((to == RAX && k->cached == (int)x) || (to == BESIDE && k->beside == (int)x))
		return;
	if (k->cached == (int)x)
		x64_regs(&k->x, X_LOAD, to, RAX);
	else if (k->beside == (int)x)
		x64_regs(&k->x, X_LOAD, to, BESIDE);
	else if (is_number(k, x))
		x64_number(&k->x, to, known(k, x)->number);
	else
		x64_do(&k->x, X_LOAD, to, reg(x));
	if (to == RAX)
		k->cached = (int)x;
	if (to == BESIDE)
		k->beside = is_number(k, x) ? -1 : (int)x;
}

/* The value of x, which names a thing, where it is: in BESIDE, if it is there or will be asked for more often than what is; else in rax. */
enum x64_reg take_thing(struct maker *k, unsigned x);

/* Is the byte there 0? */
static inline void compare_byte(struct x64 *x, struct x64_at at)
{
	x64_opcode(x, false, 0x80, FIX_CMP, at.index == NO_REG ? 0 : at.index, at.base);
	x64_place(x, FIX_CMP, at);
	x64_bytes(x, 0, 1);
}

/* ---- leaving, stubs, jumps ---- */

/* Its number, for come_back. */
static inline int stub_at(struct maker *k, enum stub_kind kind, uint32_t jump, uint32_t base, int32_t at)
{
	VEC_PUSH(k->stubs, (struct stub){kind, jump, 0, at, k->fn, base, -1, 0, 1, 0, 0, -1, false, false});
	return k->stubs.n - 1;
}

static inline int stub(struct maker *k, enum stub_kind kind, uint32_t jump, uint32_t base)
{
	const int number = stub_at(k, kind, jump, base, k->at);
	if (kind == STUB_LEAVE || kind == STUB_REFUEL || kind == STUB_APART || kind == STUB_DRAW || kind == STUB_FIND || kind == STUB_KNOWN || kind == STUB_ENTER || kind == STUB_WAY)
		hold_lazy(k, &k->stubs.v[number], k->at);
	if (k->unsaved_for == k->at)
		k->stubs.v[number].unsaved = k->unsaved;
	return number;
}

/* If so, the loop does this instruction. */
static inline void leave_if(struct maker *k, enum x64_if when)
{
	stub(k, STUB_LEAVE, x64_jump_if(&k->x, when), 0);
}

/* Did the instruction before read there whose an act is, who is somebody? */
static inline bool is_actor_read(const struct maker *k, unsigned x)
{
	const struct insn *before = &k->p->code[k->at] - 1;
	return k->owned_acts && k->at > k->p->fn[k->fn].entry && before->op == OP_LDF && before->a == x && k->m->reach[before->c].actor;
}

/* Is R[x], which the processor's register holds, one of so many? Who is set is taken to be: for others the loop does it. */
static inline bool take_below(struct maker *k, enum x64_reg holds, unsigned x, uint32_t count)
{
	if (is_below(k, x, count))
		return true;
	if (!is_set(k, x) && !is_actor_read(k, x))
		return false;
	x64_fix(&k->x, FIX_CMP, holds, (int32_t)count);
	leave_if(k, IF_NOT_BELOW);
	k->takes = true;
	learn_below(k, x, count);
	return true;
}

static inline void come_back(struct maker *k, int s)
{
	if (s >= 0)
		k->stubs.v[s].back = k->x.n;
}

enum { DETOURS_MOST = 32 };
/* Jumps to the call that does the instruction, from where its own code does not; all come back behind that. */
struct detours { int stub[DETOURS_MOST], n; };

static inline void detour_by(struct maker *k, struct detours *a, uint32_t jump)
{
	must(a->n < DETOURS_MOST);
	a->stub[a->n++] = stub(k, STUB_APART, jump, 0);
}

static inline void detour(struct maker *k, struct detours *a, enum x64_if when)
{
	detour_by(k, a, x64_jump_if(&k->x, when));
}

/* Where a change may have to be put back it is made by the call, which notes it. */
static inline void detour_undone(struct maker *k, struct detours *a)
{
	if (!k->undone)
		return;
	x64_fix_at(&k->x, false, FIX_CMP, OF_MACHINE(journaling), 0);
	detour(k, a, IF_OTHER);
}

static inline void leave_undone(struct maker *k)
{
	if (!k->undone)
		return;
	x64_fix_at(&k->x, false, FIX_CMP, OF_MACHINE(journaling), 0);
	leave_if(k, IF_OTHER);
}

static inline void detours_back(struct maker *k, const struct detours *a)
{
	for (int i = 0; i < a->n; i++)
		come_back(k, a->stub[i]);
}

/* On this way a value is put into register x, and those behind it, before it goes on at `to`. */
static inline void put_and_lead(struct maker *k, uint32_t jump, unsigned x, int words, word value, int32_t to)
{
	const int number = stub(k, STUB_PUT, jump, x);
	struct stub *s = &k->stubs.v[number];
	while (words > 0 && !is_live(k, to, x + (unsigned)words - 1))
		words--;
	hold_lazy(k, s, to);
	s->words = words;
	s->value = value;
	s->to = to;
	if (s->held || words)
		return;
	k->stubs.n--;
	VEC_PUSH(k->jumps, (struct jump){jump, to});
}

/* native_conditions.c: where who comes there without a condition that waits ends up: behind what asks them, and past jumps. */
int32_t quietly(struct maker *k, int32_t to);

static inline void put_and_go(struct maker *k, uint32_t jump, unsigned x, int words, word value, int32_t to)
{
	to = quietly(k, to);
	arrive_with(k, to, x, words, NUMBER, value);
	put_and_lead(k, jump, x, words, value, to);
}

static inline void go_if(struct maker *k, enum x64_if when, int32_t to)
{
	put_and_go(k, x64_jump_if(&k->x, when), 0, 0, 0, to);
}

/* The same: who goes knows of register x what it is, or that it is set. */
static inline void go_knowing(struct maker *k, enum x64_if when, int32_t to, unsigned x, enum known_as as, word number)
{
	to = quietly(k, to);
	arrive_with(k, to, x, 1, as, number);
	put_and_lead(k, x64_jump_if(&k->x, when), 0, 0, 0, to);
}

static inline void put_byte(struct x64 *x, struct x64_at at, unsigned value)
{
	x64_opcode(x, false, 0xc6, 0, at.index == NO_REG ? 0 : at.index, at.base);
	x64_place(x, 0, at);
	x64_bytes(x, value, 1);
}

/* Has it one of these bits? */
static inline void test_byte(struct x64 *x, struct x64_at at, unsigned bits)
{
	x64_opcode(x, false, 0xf6, 0, 0, at.base);
	x64_place(x, 0, at);
	x64_bytes(x, bits, 1);
}

/* Are they 0, two of them? */
static inline void compare_bytes(struct x64 *x, struct x64_at at)
{
	x64_bytes(x, 0x66, 1);
	x64_fix_at(x, false, FIX_CMP, at, 0);
}

/* Is the next instruction a jump on what this one leaves in its first register, that nobody comes to but from here? */
static inline bool leads_to(const struct maker *k, const struct insn *i, enum op jump)
{
	return k->at + 1 < k->p->fn[k->fn].end && !k->joins[k->at + 1] && i[1].op == jump && i[1].a == i->a;
}

/* Where a jump leads; if that is the end of a turn that costs nothing, to the next. */
static inline int32_t goal(const struct maker *k, const struct insn *i)
{
	const int32_t to = (int32_t)(i - k->p->code) + 1 + i->k;
	return k->p->code[to].op == OP_LOOP && quick_of(k->p, to) == QUICK_TURN ? to + 1 + k->p->code[to].k : to;
}

static inline void jump_to(struct maker *k, int32_t to)
{
	VEC_PUSH(k->jumps, (struct jump){x64_jump(&k->x), to});
}

/* All who come here go there. */
static inline void go_to(struct maker *k, int32_t to)
{
	to = quietly(k, to);
	settle(k, to);
	arrive(k, to);
	jump_to(k, to);
	k->gone = true;
}

/* Where there is not so much left, it is given back, and the loop finds that out. */
static inline void fuel(struct maker *k, int n)
{
	x64_fix_at(&k->x, true, FIX_SUB, OF_MACHINE(fuel), n);
	stub(k, STUB_REFUEL, x64_jump_if(&k->x, IF_BELOW), (uint32_t)n);
}

/* native_unwritten.c: the group at hand is written down now, if it was not, before instruction `at` is done so that somebody may look at it.
 * Changes all registers that calls change. */
void make_written(struct maker *k, int32_t at);

/* Calls what does the instruction at `at`, or works out where it leads, with the machine, the registers and it. */
static inline void call_for(struct maker *k, int32_t at, uintptr_t function)
{
	make_written(k, at);
	x64_put(&k->x, HEADER(H_PC), at + 1);
	x64_regs(&k->x, X_LOAD, RDI, MACHINE);
	x64_regs(&k->x, X_LOAD, RSI, FRAME);
	x64_number(&k->x, RDX, (int64_t)(intptr_t)&k->p->code[at]);
	x64_call(&k->x, function);
	k->cached = -1;
}

static inline void call_apart(struct maker *k, native_apart *does)
{
	settle(k, k->at);
	call_for(k, k->at, (uintptr_t)does);
	x64_bytes(&k->x, 0xc084, 2); /* test al, al */
	stub(k, STUB_FAIL, x64_jump_if(&k->x, IF_SAME), 0);
}

/* ---- the instructions: false, or 0: it is left to the loop; some say how many were made ---- */

/* native.c: memory that may be written; from native_seal on it may be executed instead. NULL, false: not to be had. */
uint8_t *native_memory(size_t size);
bool native_seal(uint8_t *code, size_t size);
void native_give_back(uint8_t *code, size_t size);

/* native_values.c */
bool make_load(struct maker *k, const struct insn *i);
/* An answer is being worked out: the word rax behind `base` is noted for it. rax stays what it is. */
void note_read(struct maker *k, uint32_t base);
bool make_store(struct maker *k, const struct insn *i);
bool make_add(struct maker *k, const struct insn *i);
bool make_template(struct maker *k, const struct insn *i);
bool make_act_word(struct maker *k, const struct insn *i, uint32_t word_);
bool make_header(struct maker *k, const struct insn *i, uint32_t word_, bool noted);
bool make_sum(struct maker *k, const struct insn *i, enum x64_op op);
bool make_most(struct maker *k, const struct insn *i);
bool make_least(struct maker *k, const struct insn *i);
bool make_not(struct maker *k, const struct insn *i);
int make_compare(struct maker *k, const struct insn *i);
bool make_jump_if(struct maker *k, const struct insn *i);
bool make_loop(struct maker *k, const struct insn *i);
/* native_calls.c */
int make_call(struct maker *k, const struct insn *i);
int make_next_asked(struct maker *k, const struct insn *i);
/* rax: the first of the words behind rdx who says yes, or of whom it is not known; else how many there are. The KNEXT of such a loop. */
void make_later_word(struct maker *k, const struct insn *i);
/* What never changes is put into the code, in front of all else. */
void make_answers(struct maker *k);
/* Is its answer looked up in the code itself? */
bool finds_answer(const struct maker *k, const struct insn *i);
bool make_return(struct maker *k, const struct insn *i);
/* rdx: the entry that may hold the answer of memo.fn `of` for the argument in rax, rcx the function's struct memo_fn, rsi the
 * entry's number among its own; two jumps that are taken if it holds another. */
void find_entry(struct maker *k, int32_t of, uint32_t *other);
/* The frame of a function called by the instruction at `at` begins; .. and it itself. Changes rax and rcx. */
void make_frame_of(struct maker *k, int32_t at, int32_t caller, int32_t fn);
void make_entry(struct maker *k, int32_t at, int32_t caller, int32_t fn);

/* native_pairs.c */
void make_read_cell(struct maker *k, uint32_t field);
bool make_load_pair(struct maker *k, const struct insn *i);
bool make_store_pair(struct maker *k, const struct insn *i);
bool make_has_listed(struct maker *k, const struct insn *i);

/* native_rows.c */
bool make_act(struct maker *k, const struct insn *i);
bool make_copy(struct maker *k, const struct insn *i);
bool make_pend(struct maker *k, const struct insn *i);
/* A loop over those of a kind who say yes, whose bits begin there, that pends what each has declared, begins. */
void make_pend_all(struct maker *k, const struct insn *i, uint32_t bits);
/* Its row is as at the start, and free. Changes rdx, rsi and rdi, neither of which they may be. */
void make_wiped(struct maker *k, enum x64_reg act, enum x64_reg row);
bool make_release(struct maker *k, const struct insn *i);
/* The actor of an act, whose row these words lead to, is another. Changes rdx. */
void make_fresh(struct maker *k, enum x64_reg act, enum x64_reg row);
/* native_acts.c */
bool make_call_act(struct maker *k, const struct insn *i);
void make_ways(struct maker *k);

/* native_own.c */
void make_owned(struct maker *k);
/* native_quiet.c */
void make_marks(struct maker *k);
int make_next_quiet(struct maker *k, const struct insn *i);
bool make_again(struct maker *k, const struct insn *i);
/* native_conditions.c */
int make_dirty(struct maker *k, const struct insn *i);
int make_woke(struct maker *k, const struct insn *i);
int make_turned(struct maker *k, const struct insn *i);
bool make_settle(struct maker *k, const struct insn *i);
/* Other: a condition waits to be asked. It may change rax, or the register that is said. */
void look_who_waits(struct maker *k);
/* Does none wait behind it where none waited before? */
bool stays_quiet(const struct maker *k, const struct insn *i);
void test_who_waits(struct maker *k, enum x64_reg spare);

/* native_dice.c */
bool make_roll(struct maker *k, const struct insn *i);
void make_drawn(struct maker *k, const struct insn *i, uint32_t again);

/* native_single.c */
void make_group(struct maker *k, const struct insn *i);
void make_done(struct maker *k);
/* native_unwritten.c */
/* All instructions from behind ONLY to DONE, if nobody comes or goes there otherwise, and the functions called there, conditions too. */
void find_unwritten(struct maker *k);
/* Does an instruction let nobody look at groups, unless by what make_written is made for? */
bool is_apart_from_groups(const struct insn *i);
bool make_begins(struct maker *k, const struct insn *i);
bool make_void(struct maker *k, const struct insn *i); /* false: it is done by a call */

/* native_sets.c */
/* rax is the next, or there is none, where `ends` jumps: unset. With the jump at the end, if that follows: returns how
 * many instructions were done. `below`: how many there can be. */
int put_next(struct maker *k, const struct insn *i, const uint32_t *ends, int n, uint32_t below);
int make_next_kind(struct maker *k, const struct insn *i);
/* `load` begins a walk over a set: one that has nobody is over. */
void look_if_none(struct maker *k, const struct insn *load);
/* .. and one that asks whether there is anybody who says yes begins with somebody who is known to: what is worked out rests on him alone. */
void begin_with_yes(struct maker *k, const struct insn *load);
int make_next(struct maker *k, const struct insn *i);
bool make_add_member(struct maker *k, const struct insn *i);
/* With what sifts a copy, where that is made for nothing else: returns how many instructions were done. */
int make_sets(struct maker *k, const struct insn *i);
bool make_count(struct maker *k, const struct insn *i);
/* As memo_sift has it, where no answer is being worked out that would rest on those found; of the set from register `from` on. */
void make_sift(struct maker *k, const struct insn *i, unsigned from);
bool make_has(struct maker *k, const struct insn *i);
int make_nth(struct maker *k, const struct insn *i);

/* native_groups.c */
bool make_member(struct maker *k, const struct insn *i);
bool make_kept(struct maker *k, const struct insn *i);
bool make_stage(struct maker *k, const struct insn *i);
bool make_over(struct maker *k, const struct insn *i);
bool make_pause(struct maker *k);
bool make_enter(struct maker *k, const struct insn *i);
bool make_leave(struct maker *k);
bool make_begins_member(struct maker *k, const struct insn *i);
bool make_only(struct maker *k, const struct insn *i);
int make_step(struct maker *k, const struct insn *i);
int make_idle(struct maker *k, const struct insn *i);
int make_needs(struct maker *k, const struct insn *i);
bool make_begin(struct maker *k, const struct insn *i);
bool make_end(struct maker *k, const struct insn *i);
/* The member rcx begins stage c, and the group rdx goes back to what it is part of: as group_begin and group_end have it. */
void begin_stage(struct maker *k, const struct insn *i);
void end_stage(struct maker *k);

/* native_copies.c */
/* The code for what may have to be put back, or the other, goes on at an instruction. */
void go_on_in_other(struct maker *k, int32_t at);
/* In front of the call that a BEGIN or END with copies is: where little is to be done, it is done here. */
void make_light_copy(struct maker *k, const struct insn *i, int32_t at);

#endif
#endif
