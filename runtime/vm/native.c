/* native.c - see native.h. One function an instruction or a few that are alike.
 *
 * While processor code runs, rbx holds the machine, r12 the block, r13 the frame's registers and r14
 * NONE; rax is where values are made. H_FP and H_FN of the block always say which frame it is, so the
 * loop can go on from any instruction. Known beforehand within a stretch without a jump into it: what a
 * register holds that was loaded with a number, whether it is a yes or no, whether it can be unset, and
 * whether rax holds it still. */
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#include "runtime/vm/native.h"

#include <stddef.h>
#include <stdlib.h>

#include "runtime/vm/machine.h"
#include "runtime/vm/quick.h"

#if defined(__x86_64__) && !defined(FRAY_PROFILE)

#include <sys/mman.h>

#include "runtime/vm/x64.h"

enum { CODE_MOST = 128, CODE_SPARE = 65536, SETS_INLINE = 4, SHORT_STRETCH = 3, ENTRY_SHIFT = 6 };
_Static_assert(sizeof(struct memo_entry) == 1 << ENTRY_SHIFT, "entries are found by a shift");
/* What the processor's registers hold throughout, and while a function returns. */
static const enum x64_reg MACHINE = RBX, WORLD = R12, FRAME = R13, UNSET = R14, BACK = RBP, PACKED = R15;

/* What is known of a register. */
enum known_as { ANYTHING, SET, YES_NO, NUMBER };
struct knows { uint32_t stretch; uint8_t as; word number; };

/* What stands behind the code, for what seldom happens. */
enum stub_kind { STUB_LEAVE, STUB_REFUEL, STUB_FAIL, STUB_READ_AT, STUB_READ, STUB_WROTE_AT, STUB_WROTE, STUB_APART, STUB_KNOWN, STUB_ENTER, STUB_ANSWERED, STUB_UNSET, STUB_PUT };
struct stub {
	enum stub_kind kind;
	uint32_t jump;     /* that leads here */
	uint32_t back;     /* where it leads to */
	int32_t at, fn;    /* the instruction, its function */
	uint32_t base;     /* of a word; the function of a KNOWN; the register of a PUT */
	int32_t to;        /* instruction to go on with, -1: back */
};
struct jump { uint32_t jump; int32_t to; };

struct native {
	uint8_t *code;
	size_t size;
	const void **at;       /* by instruction: its code */
	uint8_t *begins;       /* by instruction: may be entered */
	struct sort_of_die *dice;
	uint64_t (*enter)(struct vm *m, word *w, word *r, const void *code);
};

struct maker {
	struct x64 x;
	struct vm *m;
	const struct program *p;
	int32_t at, fn;        /* the instruction, its function */
	uint32_t *place;       /* by instruction: byte of the code */
	uint8_t *joins;        /* by instruction: may be come to otherwise than from the one before */
	struct knows *knows;   /* by register */
	uint32_t stretch;
	int cached;            /* the register whose value rax holds, -1 */
	uint32_t leave;        /* where the code is left */
	const void **table;    /* native.at */
	struct sort_of_die *dice; /* the next to be used, of native.dice */
	VEC(struct stub) stubs;
	VEC(struct jump) jumps;
};

#define OF_MACHINE(field) x64_at(MACHINE, (int64_t)offsetof(struct vm, field))
#define HEADER(word_) x64_at(WORLD, (int64_t)(word_) * 8)

static struct x64_at reg(unsigned x)
{
	return x64_at(FRAME, (int64_t)x * 8);
}

/* ---- what is known ---- */

static struct knows *known(struct maker *k, unsigned x)
{
	struct knows *s = &k->knows[x];
	if (s->stretch != k->stretch)
		*s = (struct knows){k->stretch, ANYTHING, 0};
	return s;
}

static bool is_number(struct maker *k, unsigned x)
{
	return known(k, x)->as == NUMBER;
}

static bool is_small(struct maker *k, unsigned x)
{
	const struct knows *s = known(k, x);
	return s->as == NUMBER && s->number >= INT32_MIN && s->number <= INT32_MAX;
}

static bool is_unset(struct maker *k, unsigned x)
{
	return is_number(k, x) && known(k, x)->number == NONE;
}

static bool is_set(struct maker *k, unsigned x)
{
	return known(k, x)->as != ANYTHING && !is_unset(k, x);
}

/* Register x gets another value. */
static void learn(struct maker *k, unsigned x, enum known_as as, word number)
{
	*known(k, x) = (struct knows){k->stretch, (uint8_t)as, number};
	if (k->cached == (int)x)
		k->cached = -1;
}

static void learn_words(struct maker *k, unsigned x, int n)
{
	for (int i = 0; i < n; i++)
		learn(k, x + (unsigned)i, ANYTHING, 0);
}

/* rax is put into x. */
static void put(struct maker *k, unsigned x, enum known_as as)
{
	x64_do(&k->x, X_STORE, RAX, reg(x));
	learn(k, x, as, 0);
	k->cached = (int)x;
}

static void put_number(struct maker *k, unsigned x, word number)
{
	if (number == NONE) {
		x64_do(&k->x, X_STORE, UNSET, reg(x));
	} else if (number >= INT32_MIN && number <= INT32_MAX) {
		x64_put(&k->x, reg(x), (int32_t)number);
	} else {
		x64_number(&k->x, RAX, number);
		k->cached = -1;
		x64_do(&k->x, X_STORE, RAX, reg(x));
	}
	learn(k, x, NUMBER, number);
}

/* The value of x in a register of the processor. */
static void take(struct maker *k, enum x64_reg to, unsigned x)
{
	if (k->cached == (int)x) {
		if (to != RAX)
			x64_regs(&k->x, X_LOAD, to, RAX);
		return;
	}
	if (is_number(k, x))
		x64_number(&k->x, to, known(k, x)->number);
	else
		x64_do(&k->x, X_LOAD, to, reg(x));
	if (to == RAX)
		k->cached = (int)x;
}

/* ---- leaving, stubs, jumps ---- */

static struct stub *stub(struct maker *k, enum stub_kind kind, uint32_t jump, uint32_t base)
{
	VEC_PUSH(k->stubs, (struct stub){kind, jump, 0, k->at, k->fn, base, -1});
	return &k->stubs.v[k->stubs.n - 1];
}

/* If so, the loop does this instruction. */
static void leave_if(struct maker *k, enum x64_if when)
{
	stub(k, STUB_LEAVE, x64_jump_if(&k->x, when), 0);
}

static void come_back(struct maker *k, struct stub *s)
{
	s->back = k->x.n;
}

/* Is the byte there 0? */
static void compare_byte(struct x64 *x, struct x64_at at)
{
	x64_opcode(x, false, 0x80, FIX_CMP, 0, at.base);
	x64_place(x, FIX_CMP, at);
	x64_bytes(x, 0, 1);
}

static void put_byte(struct x64 *x, struct x64_at at, unsigned value)
{
	x64_opcode(x, false, 0xc6, 0, 0, at.base);
	x64_place(x, 0, at);
	x64_bytes(x, value, 1);
}

/* Has it one of these bits? */
static void test_byte(struct x64 *x, struct x64_at at, unsigned bits)
{
	x64_opcode(x, false, 0xf6, 0, 0, at.base);
	x64_place(x, 0, at);
	x64_bytes(x, bits, 1);
}

static int32_t goal(const struct maker *k, const struct insn *i)
{
	return (int32_t)(i - k->p->code) + 1 + i->k;
}

static void jump_to(struct maker *k, int32_t to)
{
	VEC_PUSH(k->jumps, (struct jump){x64_jump(&k->x), to});
}

static void jump_if(struct maker *k, enum x64_if when, int32_t to)
{
	VEC_PUSH(k->jumps, (struct jump){x64_jump_if(&k->x, when), to});
}

/* Where there is not so much left, it is given back, and the loop finds that out. */
static void fuel(struct maker *k, int n)
{
	x64_fix_at(&k->x, true, FIX_SUB, OF_MACHINE(fuel), n);
	stub(k, STUB_REFUEL, x64_jump_if(&k->x, IF_BELOW), (uint32_t)n);
}

static void call_apart(struct maker *k, const struct insn *i, native_apart *does)
{
	x64_put(&k->x, HEADER(H_PC), k->at + 1);
	x64_regs(&k->x, X_LOAD, RDI, MACHINE);
	x64_regs(&k->x, X_LOAD, RSI, FRAME);
	x64_number(&k->x, RDX, (int64_t)(intptr_t)i);
	x64_call(&k->x, (uintptr_t)does);
	x64_bytes(&k->x, 0xc084, 2); /* test al, al */
	stub(k, STUB_FAIL, x64_jump_if(&k->x, IF_SAME), 0);
	k->cached = -1;
}

/* ---- words of the world ---- */

/* An answer is being worked out: the word is noted for it. */
static void note_read_at(struct maker *k, uint32_t word_)
{
	x64_fix_at(&k->x, false, FIX_CMP, OF_MACHINE(memo.depth), 0);
	come_back(k, stub(k, STUB_READ_AT, x64_jump_if(&k->x, IF_OTHER), word_));
}

/* The same of the word rax behind `base`. */
static void note_read(struct maker *k, uint32_t base)
{
	x64_fix_at(&k->x, false, FIX_CMP, OF_MACHINE(memo.depth), 0);
	come_back(k, stub(k, STUB_READ, x64_jump_if(&k->x, IF_OTHER), base));
}

/* rax = R[x] * stride, unless there are not so many: then the stub puts NONE into rax instead of what
 * follows; returns it, to be told where to come back. */
static int index_of(struct maker *k, unsigned x, uint32_t count, uint32_t stride)
{
	take(k, RAX, x);
	x64_fix(&k->x, FIX_CMP, RAX, (int32_t)count);
	stub(k, STUB_UNSET, x64_jump_if(&k->x, IF_NOT_BELOW), 0);
	if (stride != 1)
		x64_times(&k->x, RAX, RAX, (int32_t)stride);
	k->cached = -1;
	return k->stubs.n - 1;
}

static bool make_load(struct maker *k, const struct insn *i)
{
	const struct reach *f = &k->m->reach[i->c];
	const bool fixed = k->p->field[i->c].fixed && k->p->field[i->c].kind != KIND_ACT;
	if (is_number(k, i->b)) {
		const word thing = known(k, i->b)->number;
		if ((uint64_t)thing >= f->count) {
			put_number(k, i->a, NONE);
			return true;
		}
		const uint32_t at = f->base + (uint32_t)thing * f->stride;
		if (!fixed)
			note_read_at(k, at);
		x64_do(&k->x, X_LOAD, RAX, HEADER(at));
		put(k, i->a, ANYTHING);
		return true;
	}
	const int none = index_of(k, i->b, f->count, f->stride);
	if (!fixed)
		note_read(k, f->base);
	x64_do(&k->x, X_LOAD, RAX, x64_in(WORLD, RAX, 3, (int64_t)f->base * 8));
	come_back(k, &k->stubs.v[none]);
	put(k, i->a, ANYTHING);
	return true;
}

static bool make_store(struct maker *k, const struct insn *i)
{
	const struct reach *f = &k->m->reach[i->c];
	struct x64 *x = &k->x;
	const bool one = is_number(k, i->a);
	if (!f->plain || (one && (uint64_t)known(k, i->a)->number >= f->count))
		return false;
	if (f->act && one) {
		call_apart(k, i, native_apart_of(OP_STF));
		return true;
	}
	x64_fix_at(x, false, FIX_CMP, OF_MACHINE(journaling), 0);
	const int apart = (int)(stub(k, STUB_APART, x64_jump_if(x, IF_OTHER), 0) - k->stubs.v);
	uint32_t nobody = 0;
	struct x64_at to, head;
	if (one) {
		const uint32_t at = f->base + (uint32_t)known(k, i->a)->number * f->stride;
		take(k, RAX, i->b);
		to = HEADER(at);
		head = x64_at(RDX, (int64_t)at * 4);
	} else {
		take(k, RCX, i->a);
		x64_fix(x, FIX_CMP, RCX, (int32_t)f->count);
		nobody = x64_jump_if(x, IF_NOT_BELOW);
		if (f->stride != 1)
			x64_times(x, RCX, RCX, (int32_t)f->stride);
		take(k, RAX, i->b);
		to = x64_in(WORLD, RCX, 3, (int64_t)f->base * 8);
		head = x64_in(RDX, RCX, 2, (int64_t)f->base * 4);
	}
	x64_do(x, X_CMP, RAX, to);
	const uint32_t same = x64_jump_if(x, IF_SAME);
	int pending = -1;
	if (f->act) { /* a pending one's place may be another */
		x64_fix_at(x, true, FIX_CMP, x64_in(WORLD, RCX, 3, (int64_t)(k->p->layout.acts + ACT_STATE) * 8), ACT_PENDING);
		pending = (int)(stub(k, STUB_APART, x64_jump_if(x, IF_SAME), 0) - k->stubs.v);
	}
	x64_do(x, X_STORE, RAX, to);
	x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.head));
	x64_fix_at(x, false, FIX_CMP, head, 0);
	come_back(k, stub(k, one ? STUB_WROTE_AT : STUB_WROTE, x64_jump_if(x, IF_OTHER), one ? (uint32_t)(to.bytes / 8) : f->base));
	if (f->actor) { /* he may have declared it: it finds its chain (acts.c) */
		compare_byte(x, OF_MACHINE(acts.known));
		const uint32_t unknown = x64_jump_if(x, IF_SAME);
		x64_do(x, X_LOAD, RAX, reg(i->a));
		x64_do(x, X_LOAD, RDX, OF_MACHINE(acts.fresh));
		x64_do(x, X_BIT_ON, RAX, x64_at(RDX, 0));
		x64_lead(x, unknown, x->n);
	}
	x64_lead(x, same, x->n);
	if (f->touches) {
		if (f->touches >= 0 && f->touches <= INT32_MAX) {
			x64_fix_at(x, true, FIX_OR, HEADER(H_DIRTY), (int32_t)f->touches);
		} else {
			x64_number(x, RAX, f->touches);
			x64_do(x, X_OR, RAX, HEADER(H_DIRTY));
			x64_do(x, X_STORE, RAX, HEADER(H_DIRTY));
		}
	}
	if (!one)
		x64_lead(x, nobody, x->n);
	k->cached = -1;
	come_back(k, &k->stubs.v[apart]);
	if (pending >= 0)
		come_back(k, &k->stubs.v[pending]);
	return true;
}

static bool make_template(struct maker *k, const struct insn *i)
{
	const struct program *p = k->p;
	if (is_number(k, i->b)) {
		const word thing = known(k, i->b)->number;
		put_number(k, i->a, thing < 0 || thing >= p->things ? NONE : p->thing_words[thing * p->thing_fields + i->c]);
		return true;
	}
	const int none = index_of(k, i->b, (uint32_t)p->things, (uint32_t)p->thing_fields);
	x64_number(&k->x, RCX, (int64_t)(intptr_t)(p->thing_words + i->c));
	x64_do(&k->x, X_LOAD, RAX, x64_in(RCX, RAX, 3, 0));
	come_back(k, &k->stubs.v[none]);
	put(k, i->a, ANYTHING);
	return true;
}

/* A word of an act's row. */
static bool make_act_word(struct maker *k, const struct insn *i, uint32_t word_)
{
	const struct layout *l = &k->p->layout;
	const int none = index_of(k, i->b, l->act_count + 1, l->act_stride);
	note_read(k, l->acts + word_);
	x64_do(&k->x, X_LOAD, RAX, x64_in(WORLD, RAX, 3, (int64_t)(l->acts + word_) * 8));
	come_back(k, &k->stubs.v[none]);
	put(k, i->a, ANYTHING);
	return true;
}

static bool make_header(struct maker *k, const struct insn *i, uint32_t word_, bool noted)
{
	if (noted)
		note_read_at(k, word_);
	x64_do(&k->x, X_LOAD, RAX, HEADER(word_));
	put(k, i->a, ANYTHING);
	return true;
}

/* ---- numbers ---- */

static bool make_sum(struct maker *k, const struct insn *i, enum x64_op op)
{
	struct x64 *x = &k->x;
	uint32_t unset[2], n = 0;
	if (is_unset(k, i->b) || is_unset(k, i->c)) {
		put_number(k, i->a, NONE);
		return true;
	}
	take(k, RAX, i->b);
	if (!is_set(k, i->b)) {
		x64_regs(x, X_CMP, RAX, UNSET);
		unset[n++] = x64_jump_if(x, IF_SAME);
	}
	if (!is_set(k, i->c) && i->c != i->b) {
		take(k, RCX, i->c);
		x64_regs(x, X_CMP, RCX, UNSET);
		unset[n++] = x64_jump_if(x, IF_SAME);
		x64_regs(x, op, RAX, RCX);
	} else if (is_small(k, i->c) && op != X_IMUL) {
		x64_fix(x, op == X_ADD ? FIX_ADD : FIX_SUB, RAX, (int32_t)known(k, i->c)->number);
	} else if (is_small(k, i->c)) {
		x64_times(x, RAX, RAX, (int32_t)known(k, i->c)->number);
	} else {
		x64_do(x, op, RAX, reg(i->c));
	}
	k->cached = -1;
	leave_if(k, IF_OVERFLOW);
	x64_regs(x, X_CMP, RAX, UNSET);
	leave_if(k, IF_SAME);
	/* an unset one has nothing in rax but, in the first place, itself; in the second rcx has it */
	const bool sure = n == 0;
	if (n) {
		const uint32_t over = x64_jump(x);
		for (uint32_t u = 0; u < n; u++)
			x64_lead(x, unset[u], x->n);
		x64_regs(x, X_LOAD, RAX, UNSET);
		x64_lead(x, over, x->n);
	}
	put(k, i->a, sure ? SET : ANYTHING);
	return true;
}

static bool make_most(struct maker *k, const struct insn *i)
{
	const bool sure = is_set(k, i->b) || is_set(k, i->c); /* NONE is the least of all */
	take(k, RCX, i->c);
	take(k, RAX, i->b);
	x64_regs(&k->x, X_CMP, RAX, RCX);
	x64_regs(&k->x, X_LESS, RAX, RCX);
	put(k, i->a, sure ? SET : ANYTHING);
	return true;
}

static bool make_least(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	uint32_t over[2];
	take(k, RCX, i->c);
	take(k, RAX, i->b);
	k->cached = -1;
	/* an unset one loses */
	x64_regs(x, X_CMP, RCX, UNSET);
	over[0] = x64_jump_if(x, IF_SAME);
	x64_regs(x, X_CMP, RAX, UNSET);
	const uint32_t other = x64_jump_if(x, IF_SAME);
	x64_regs(x, X_CMP, RAX, RCX);
	over[1] = x64_jump_if(x, IF_NOT_MORE);
	x64_lead(x, other, x->n);
	x64_regs(x, X_LOAD, RAX, RCX);
	x64_lead(x, over[0], x->n);
	x64_lead(x, over[1], x->n);
	put(k, i->a, ANYTHING);
	return true;
}

static bool make_not(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	take(k, RAX, i->b);
	k->cached = -1;
	if (known(k, i->b)->as == YES_NO) {
		x64_bytes(x, 0x01f083, 3); /* xor eax, 1 */
	} else {
		x64_number(x, RCX, 0);
		x64_number(x, RDX, 0);
		x64_regs(x, X_TEST, RAX, RAX);
		x64_set(x, IF_SAME, RCX);
		x64_regs(x, X_CMP, RAX, UNSET);
		x64_set(x, IF_SAME, RDX);
		x64_regs(x, X_OR, RCX, RDX);
		x64_regs(x, X_LOAD, RAX, RCX);
	}
	put(k, i->a, YES_NO);
	return true;
}

/* The flags say how R[b] and R[c] compare; returns a jump taken if an unset R[b] settles it, or 0. */
static uint32_t compare(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	uint32_t unset = 0;
	take(k, RAX, i->b);
	/* NONE is less than every number: an unset R[c] is no more than R[b], and the same only if that is unset, too */
	if (i->op != OP_SAME && !is_set(k, i->b)) {
		x64_regs(x, X_CMP, RAX, UNSET);
		unset = x64_jump_if(x, IF_SAME);
	}
	if (is_unset(k, i->c))
		x64_regs(x, X_CMP, RAX, UNSET);
	else if (is_small(k, i->c))
		x64_fix(x, FIX_CMP, RAX, (int32_t)known(k, i->c)->number);
	else
		x64_do(x, X_CMP, RAX, reg(i->c));
	return unset;
}

static enum x64_if holds(enum op op)
{
	return op == OP_LT ? IF_LESS : op == OP_LE ? IF_NOT_MORE : IF_SAME;
}

static bool fuses(const struct maker *k, const struct insn *i)
{
	return k->at + 1 < k->p->fn[k->fn].end && !k->joins[k->at + 1] && (i[1].op == OP_JZ || i[1].op == OP_JNZ) && i[1].a == i->a;
}

/* A comparison; with the jump on its answer, if that follows: returns how many instructions were done. */
static int make_compare(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const enum x64_if so = holds((enum op)i->op);
	if (is_unset(k, i->b) && i->op != OP_SAME) {
		put_number(k, i->a, 0);
		return 1;
	}
	if (!fuses(k, i)) {
		x64_number(x, RCX, 0);
		const uint32_t unset = compare(k, i);
		x64_set(x, so, RCX);
		if (unset)
			x64_lead(x, unset, x->n);
		x64_regs(x, X_LOAD, RAX, RCX);
		put(k, i->a, YES_NO);
		return 1;
	}
	const bool when = i[1].op == OP_JNZ;
	const int32_t to = goal(k, &i[1]);
	const uint32_t unset = compare(k, i);
	k->cached = -1;
	/* each way the answer is put down, for who reads it later */
	if (when) {
		stub(k, STUB_PUT, x64_jump_if(x, so), i->a)->to = to;
		if (unset)
			x64_lead(x, unset, x->n);
	} else {
		stub(k, STUB_PUT, x64_jump_if(x, (enum x64_if)(so ^ 1)), i->a)->to = to;
		if (unset)
			stub(k, STUB_PUT, unset, i->a)->to = to;
	}
	put_number(k, i->a, !when);
	return 2;
}

/* ---- jumps ---- */

static bool make_jump_if(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const int32_t to = goal(k, i);
	const bool on_none = i->op == OP_JNONE || i->op == OP_JSOME;
	if (is_number(k, i->a)) {
		const word v = known(k, i->a)->number;
		const bool jumps = i->op == OP_JZ ? v == 0 || v == NONE : i->op == OP_JNZ ? v != 0 && v != NONE : i->op == OP_JNONE ? v == NONE : v != NONE;
		if (jumps)
			jump_to(k, to);
		return true;
	}
	if (on_none && is_set(k, i->a)) {
		if (i->op == OP_JSOME)
			jump_to(k, to);
		return true;
	}
	if (on_none) {
		if (k->cached == i->a)
			x64_regs(x, X_CMP, RAX, UNSET);
		else
			x64_do(x, X_CMP, UNSET, reg(i->a));
		jump_if(k, i->op == OP_JNONE ? IF_SAME : IF_OTHER, to);
		if (i->op == OP_JNONE)
			known(k, i->a)->as = SET;
		return true;
	}
	take(k, RAX, i->a);
	x64_regs(x, X_TEST, RAX, RAX);
	if (i->op == OP_JZ) {
		jump_if(k, IF_SAME, to);
		if (!is_set(k, i->a)) {
			x64_regs(x, X_CMP, RAX, UNSET);
			jump_if(k, IF_SAME, to);
			known(k, i->a)->as = SET;
		}
		return true;
	}
	if (is_set(k, i->a)) {
		jump_if(k, IF_OTHER, to);
		return true;
	}
	const uint32_t zero = x64_jump_if(x, IF_SAME);
	x64_regs(x, X_CMP, RAX, UNSET);
	jump_if(k, IF_OTHER, to);
	x64_lead(x, zero, x->n);
	return true;
}

static bool make_loop(struct maker *k, const struct insn *i)
{
	/* now and then the loop does it, which asks the host and looks at the journal */
	x64_fix_at(&k->x, false, FIX_SUB, OF_MACHINE(turns), 1);
	leave_if(k, IF_SIGN);
	fuel(k, 4);
	jump_to(k, goal(k, i));
	return true;
}

/* ---- calls ---- */

/* Is the answer kept? Of a function of one word that answers with one, and is no condition, looked up here when
 * nothing is being worked out; else native_known looks. Falls through where it is known. */
static bool make_find(struct maker *k, const struct insn *i, int32_t fn)
{
	struct x64 *x = &k->x;
	struct memo *memo = &k->m->memo;
	const struct fn_info *f = &k->p->fn[fn];
	const int32_t of = memo->of[fn];
	const bool one = f->arguments == 1 && f->results == 1;
	if (of < 0 && !one) {
		stub(k, STUB_ENTER, x64_jump(x), (uint32_t)fn);
		return false;
	}
	if (of < 0) { /* an act's time may be known all the same */
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(pending.once.fn), fn);
		stub(k, STUB_ENTER, x64_jump_if(x, IF_OTHER), (uint32_t)fn);
		come_back(k, stub(k, STUB_KNOWN, x64_jump(x), (uint32_t)fn));
		return true;
	}
	if (!one || memo->fn.v[of].place >= 0) {
		come_back(k, stub(k, STUB_KNOWN, x64_jump(x), (uint32_t)fn));
		return true;
	}
	/* of a function whose answers are kept no longer, what was kept still holds */
	const struct memo_fn *kept = &memo->fn.v[of];
	int slow[3], n = 0;
	take(k, RAX, i->a + 2u);
	x64_fix_at(x, false, FIX_CMP, OF_MACHINE(memo.depth), 0);
	slow[n++] = (int)(stub(k, STUB_KNOWN, x64_jump_if(x, IF_OTHER), (uint32_t)fn) - k->stubs.v);
	x64_number(x, RCX, (int64_t)(intptr_t)kept);
	x64_do32(x, X_LOAD, RDX, x64_at(RCX, offsetof(struct memo_fn, mask)));
	x64_regs(x, X_AND, RDX, RAX);
	x64_do32(x, X_ADD, RDX, x64_at(RCX, offsetof(struct memo_fn, first)));
	x64_shift(x, true, RDX, ENTRY_SHIFT);
	x64_do(x, X_ADD, RDX, OF_MACHINE(memo.entry.v));
	x64_do(x, X_CMP, RAX, x64_at(RDX, offsetof(struct memo_entry, argument)));
	slow[n++] = (int)(stub(k, STUB_KNOWN, x64_jump_if(x, IF_OTHER), (uint32_t)fn) - k->stubs.v);
	compare_byte(x, x64_at(RDX, offsetof(struct memo_entry, valid)));
	slow[n++] = (int)(stub(k, STUB_KNOWN, x64_jump_if(x, IF_SAME), (uint32_t)fn) - k->stubs.v);
	x64_fix_at(x, false, FIX_ADD, x64_at(RCX, offsetof(struct memo_fn, found)), 1);
	x64_do(x, X_LOAD, RAX, x64_at(RDX, offsetof(struct memo_entry, answer)));
	x64_do(x, X_STORE, RAX, reg(i->a));
	for (int s = 0; s < n; s++)
		come_back(k, &k->stubs.v[slow[s]]);
	return true;
}

static bool make_call(struct maker *k, const struct insn *i, int32_t fn)
{
	fuel(k, 8);
	make_find(k, i, fn);
	return true;
}

/* The frame of a function called by the instruction at `at` begins. */
static void make_entry(struct maker *k, int32_t at, int32_t caller, int32_t fn)
{
	struct x64 *x = &k->x;
	const struct program *p = k->p;
	const struct fn_info *f = &p->fn[fn];
	const unsigned a = p->code[at].a;
	const uint32_t end = p->layout.stack + p->layout.stack_words;
	x64_do(x, X_LOAD, RAX, HEADER(H_FP));
	x64_fix(x, FIX_CMP, RAX, (int32_t)(end - f->registers - 2 - a - 2));
	const uint32_t fits = x64_jump_if(x, IF_NOT_MORE);
	x64_put(x, HEADER(H_PC), at + 1);
	x64_regs(x, X_LOAD, RDI, MACHINE);
	x64_number(x, RSI, fn);
	x64_call(x, (uintptr_t)native_too_deep);
	x64_number(x, RAX, (int64_t)((uint64_t)LEFT_FAILED << 32 | (uint32_t)at));
	x64_lead(x, x64_jump(x), k->leave);
	x64_lead(x, fits, x->n);
	x64_put(x, reg(a), at + 1);
	x64_do(x, X_LEA, RCX, x64_at(RAX, a + 2));
	x64_shift(x, true, RAX, 32);
	x64_fix(x, FIX_OR, RAX, caller);
	x64_do(x, X_STORE, RAX, reg(a + 1));
	x64_do(x, X_STORE, RCX, HEADER(H_FP));
	x64_put(x, HEADER(H_FN), fn);
	x64_fix(x, FIX_ADD, FRAME, (int32_t)(a + 2) * 8);
	jump_to(k, f->entry);
}

/* rax: does a condition wait to be asked? The flags say so, too. */
static void take_waiting(struct maker *k)
{
	struct x64 *x = &k->x;
	const word waits = k->m->conditions;
	x64_do(x, X_LOAD, RAX, HEADER(H_DIRTY));
	if (waits >= INT32_MIN && waits <= INT32_MAX) {
		x64_fix(x, FIX_AND, RAX, (int32_t)waits);
	} else {
		x64_number(x, RCX, waits);
		x64_regs(x, X_AND, RAX, RCX);
	}
	k->cached = -1;
}

static bool make_settle(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	take_waiting(k);
	const uint32_t asks = x64_jump_if(x, IF_OTHER);
	x64_put(x, reg(i->a), 0);
	x64_put(x, reg(i->a + 1u), 0);
	jump_to(k, k->at + 1);
	x64_lead(x, asks, x->n);
	return make_call(k, i, i->k);
}

static bool make_call_act(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const struct program *p = k->p;
	/* mostly there is nothing to call */
	take(k, RAX, i->b);
	x64_fix(x, FIX_CMP, RAX, p->events);
	leave_if(k, IF_NOT_BELOW);
	fuel(k, 8);
	x64_times(x, RAX, RAX, (int32_t)sizeof(struct event_info));
	x64_number(x, RCX, (int64_t)(intptr_t)&p->event[0].stage_fn[i->c]);
	k->cached = -1;
	x64_fix_at(x, false, FIX_CMP, x64_in(RCX, RAX, 0, 0), 0);
	const uint32_t calls = x64_jump_if(x, IF_NOT_LESS);
	if (i->c == AT_STAGES)
		x64_do(x, X_STORE, UNSET, reg(i->a));
	else
		x64_put(x, reg(i->a), 0);
	jump_to(k, k->at + 1);
	x64_lead(x, calls, x->n);
	x64_put(x, HEADER(H_PC), k->at + 1);
	x64_regs(x, X_LOAD, RDI, MACHINE);
	x64_regs(x, X_LOAD, RSI, FRAME);
	x64_number(x, RDX, (int64_t)(intptr_t)i);
	x64_call(x, (uintptr_t)native_call_act);
	x64_fix(x, FIX_CMP, RAX, -1);
	jump_if(k, IF_SAME, k->at + 1);
	stub(k, STUB_FAIL, x64_jump_if(x, IF_LESS), 0);
	x64_do(x, X_LOAD, RCX, HEADER(H_FP));
	x64_do(x, X_LEA, FRAME, x64_in(WORLD, RCX, 3, 0));
	x64_number(x, RCX, (int64_t)(intptr_t)k->table);
	x64_jump_at(x, x64_in(RCX, RAX, 3, 0));
	return true;
}

static bool make_return(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	if (i->b > 8)
		return false;
	x64_do(x, X_LOAD, BACK, x64_at(FRAME, -16));
	x64_do(x, X_LOAD, PACKED, x64_at(FRAME, -8));
	for (unsigned n = 0; n < i->b; n++) {
		const struct x64_at to = x64_at(FRAME, -16 + 8 * (int64_t)n);
		if (is_small(k, i->a + n)) {
			x64_put(x, to, (int32_t)known(k, i->a + n)->number);
		} else {
			take(k, RAX, i->a + n);
			x64_do(x, X_STORE, RAX, to);
		}
		if (n >= 2) /* a register of its own that was written */
			learn(k, n - 2, ANYTHING, 0);
	}
	x64_fix_at(x, false, FIX_CMP, OF_MACHINE(memo.depth), 0);
	come_back(k, stub(k, STUB_ANSWERED, x64_jump_if(x, IF_OTHER), 0));
	x64_regs(x, X_TEST, BACK, BACK);
	stub(k, STUB_LEAVE, x64_jump_if(x, IF_SIGN), LEFT_OVER);
	x64_regs(x, X_LOAD, RAX, PACKED);
	x64_shift(x, false, RAX, 32);
	x64_do(x, X_STORE, RAX, HEADER(H_FP));
	x64_do(x, X_LEA, FRAME, x64_in(WORLD, RAX, 3, 0));
	x64_opcode(x, false, X_LOAD, RAX, 0, PACKED); /* mov eax, r15d */
	x64_bytes(x, 0xc0u | (RAX << 3) | (PACKED & 7u), 1);
	x64_do(x, X_STORE, RAX, HEADER(H_FN));
	x64_number(x, RCX, (int64_t)(intptr_t)k->table);
	x64_jump_at(x, x64_in(RCX, BACK, 3, 0));
	return true;
}

/* ---- sets and kinds ---- */

static bool make_next_kind(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	take(k, RAX, i->a);
	x64_fix(x, FIX_ADD, RAX, 1);
	x64_fix(x, FIX_CMP, RAX, (int32_t)k->p->layout.kind[i->k].count);
	const uint32_t is = x64_jump_if(x, IF_BELOW);
	x64_regs(x, X_LOAD, RAX, UNSET);
	x64_lead(x, is, x->n);
	put(k, i->a, ANYTHING);
	return true;
}

/* Of a set of one word. */
static bool make_next(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	if (quick_of(k->p, k->at) == QUICK_FILL) {
		x64_number(x, RAX, 4 * 64 * (int64_t)k->p->set_words);
		x64_do(x, X_CMP, RAX, OF_MACHINE(fuel));
		leave_if(k, IF_ABOVE);
		call_apart(k, i, native_fill());
		learn(k, i->a, ANYTHING, 0);
	}
	if (k->p->set_words != 1) {
		call_apart(k, i, native_apart_of(OP_SNEXT));
		learn(k, i->a, ANYTHING, 0);
		return true;
	}
	take(k, RCX, i->a);
	x64_fix(x, FIX_ADD, RCX, 1);
	x64_fix(x, FIX_CMP, RCX, 64);
	const uint32_t end = x64_jump_if(x, IF_NOT_BELOW);
	x64_do(x, X_LOAD, RAX, reg(i->b));
	x64_shift_cl(x, false, RAX);
	x64_regs(x, X_BITS, RAX, RAX);
	const uint32_t empty = x64_jump_if(x, IF_SAME);
	x64_regs(x, X_ADD, RAX, RCX);
	const uint32_t over = x64_jump(x);
	x64_lead(x, end, x->n);
	x64_lead(x, empty, x->n);
	x64_regs(x, X_LOAD, RAX, UNSET);
	x64_lead(x, over, x->n);
	put(k, i->a, ANYTHING);
	return true;
}

static bool make_add_member(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const int n = k->p->set_words;
	take(k, RAX, i->b);
	x64_fix(x, FIX_CMP, RAX, n * 64);
	const uint32_t no = x64_jump_if(x, IF_NOT_BELOW);
	if (n == 1) {
		x64_do(x, X_LOAD, RDX, reg(i->a));
		x64_opcode(x, true, X_BIT_ON, RAX, 0, RDX);
		x64_bytes(x, 0xc0u | (RAX << 3) | RDX, 1);
		x64_do(x, X_STORE, RDX, reg(i->a));
	} else {
		x64_do(x, X_BIT_ON, RAX, reg(i->a));
	}
	x64_lead(x, no, x->n);
	learn_words(k, i->a, n);
	return true;
}

static bool make_sets(struct maker *k, const struct insn *i)
{
	const int n = k->p->set_words;
	if (n > SETS_INLINE || (i->op == OP_SMOVE && i->a > i->b && i->a < i->b + n))
		return false;
	for (int w = 0; w < n; w++) {
		const unsigned to = i->a + (unsigned)w;
		if (i->op == OP_SNONE) {
			x64_put(&k->x, reg(to), 0);
		} else {
			x64_do(&k->x, X_LOAD, RDX, reg(i->b + (unsigned)w));
			x64_do(&k->x, X_STORE, RDX, reg(to));
		}
		learn(k, to, ANYTHING, 0);
	}
	return true;
}

/* ---- the rest ---- */

static bool make_dirty(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const unsigned bit = (unsigned)(i->k > 63 ? 63 : i->k);
	x64_fix_at(x, false, FIX_CMP, OF_MACHINE(journaling), 0);
	leave_if(k, IF_OTHER);
	x64_do(x, X_LOAD, RAX, HEADER(H_DIRTY));
	x64_number(x, RCX, (int64_t)(1ull << bit));
	x64_regs(x, X_AND, RCX, RAX); /* the bit alone */
	x64_regs(x, X_XOR, RAX, RCX);
	x64_do(x, X_STORE, RAX, HEADER(H_DIRTY));
	x64_regs(x, X_LOAD, RAX, RCX);
	if (bit)
		x64_shift(x, false, RAX, bit);
	put(k, i->a, YES_NO);
	return true;
}

static bool make_stage(struct maker *k, const struct insn *i)
{
	x64_do(&k->x, X_LOAD, RCX, HEADER(H_HAPPENING));
	x64_put(&k->x, x64_in(WORLD, RCX, 3, HAP_STAGE * 8), i->k);
	return true;
}

static bool make_over(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	take(k, RAX, i->a);
	x64_regs(x, X_TEST, RAX, RAX);
	const uint32_t no = x64_jump_if(x, IF_SAME);
	x64_regs(x, X_CMP, RAX, UNSET);
	leave_if(k, IF_OTHER);
	x64_lead(x, no, x->n);
	return true;
}

static bool make_pause(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	x64_fix_at(x, false, FIX_CMP, OF_MACHINE(groups), 0);
	const uint32_t inside = x64_jump_if(x, IF_OTHER);
	compare_byte(x, OF_MACHINE(resolved));
	const uint32_t nothing = x64_jump_if(x, IF_SAME);
	compare_byte(x, OF_MACHINE(through));
	leave_if(k, IF_SAME);
	call_apart(k, i, native_apart_of(OP_PAUSE));
	x64_lead(x, inside, x->n);
	x64_lead(x, nothing, x->n);
	return true;
}

/* ---- happenings and groups ---- */

/* As group.c does it where nothing is told. */
static bool make_enter(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const struct layout *l = &k->p->layout;
	const struct event_info *e = &k->p->event[i->k];
	const int words = k->p->set_words;
	const uint32_t size = HAP_SLOTS + (uint32_t)e->slots * (uint32_t)words;
	int apart[3], n = 0;
	if (size > l->happening_words) {
		call_apart(k, i, native_apart_of(OP_ENTER));
		return true;
	}
	x64_do(x, X_LOAD, RAX, HEADER(H_HAPPENINGS));
	x64_fix(x, FIX_CMP, RAX, (int32_t)(l->happening_words - size));
	apart[n++] = (int)(stub(k, STUB_APART, x64_jump_if(x, IF_MORE), 0) - k->stubs.v);
	x64_fix_at(x, true, FIX_CMP, HEADER(H_DEPTH), EVENTS_DEEP);
	apart[n++] = (int)(stub(k, STUB_APART, x64_jump_if(x, IF_NOT_LESS), 0) - k->stubs.v);
	if (e->slots) { /* what it was handed is for it */
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(handed_mask), 0);
		apart[n++] = (int)(stub(k, STUB_APART, x64_jump_if(x, IF_OTHER), 0) - k->stubs.v);
	} else {
		x64_fix_at(x, false, FIX_AND, OF_MACHINE(handed_mask), 0);
	}
	const struct { enum happening_word word_; int32_t value; } begins[] = {{HAP_EVENT, i->k}, {HAP_RECORD, -1}, {HAP_STAGE, 0}, {HAP_CLAUSE, -1}};
	const int64_t base = (int64_t)l->happenings * 8;
	for (size_t b = 0; b < FRAY_COUNT(begins); b++)
		x64_put(x, x64_in(WORLD, RAX, 3, base + begins[b].word_ * 8), begins[b].value);
	x64_do(x, X_LOAD, RCX, HEADER(H_HAPPENING));
	x64_do(x, X_STORE, RCX, x64_in(WORLD, RAX, 3, base + HAP_PARENT * 8));
	x64_do(x, X_LOAD, RCX, HEADER(H_ACT));
	x64_do(x, X_STORE, RCX, x64_in(WORLD, RAX, 3, base + HAP_ACT * 8));
	x64_do(x, X_STORE, UNSET, x64_in(WORLD, RAX, 3, base + HAP_OWNER * 8));
	for (int slot = 0; slot < e->slots; slot++)
		for (int w = 0; w < words; w++) {
			const struct x64_at to = x64_in(WORLD, RAX, 3, base + (HAP_SLOTS + slot * words + w) * 8);
			const word begin = e->slot_type[slot].base == VT_SET ? 0 : w ? NONE : e->slot_initial[slot];
			if (begin == NONE) {
				x64_do(x, X_STORE, UNSET, to);
			} else if (begin >= INT32_MIN && begin <= INT32_MAX) {
				x64_put(x, to, (int32_t)begin);
			} else {
				x64_number(x, RCX, begin);
				x64_do(x, X_STORE, RCX, to);
			}
		}
	x64_fix_at(x, true, FIX_ADD, HEADER(H_DEPTH), 1);
	x64_fix_at(x, true, FIX_ADD, HEADER(H_HAPPENINGS), (int32_t)size);
	x64_fix(x, FIX_ADD, RAX, (int32_t)l->happenings);
	x64_do(x, X_STORE, RAX, HEADER(H_HAPPENING));
	k->cached = -1;
	for (int s = 0; s < n; s++)
		come_back(k, &k->stubs.v[apart[s]]);
	return true;
}

static bool make_leave(struct maker *k)
{
	struct x64 *x = &k->x;
	x64_do(x, X_LOAD, RAX, HEADER(H_HAPPENING));
	x64_do(x, X_LOAD, RCX, x64_in(WORLD, RAX, 3, HAP_PARENT * 8));
	x64_do(x, X_STORE, RCX, HEADER(H_HAPPENING));
	x64_fix(x, FIX_SUB, RAX, (int32_t)k->p->layout.happenings);
	x64_do(x, X_STORE, RAX, HEADER(H_HAPPENINGS));
	x64_fix_at(x, true, FIX_SUB, HEADER(H_DEPTH), 1);
	k->cached = -1;
	return true;
}

/* rdx: the group at hand. */
static void to_group(struct maker *k)
{
	struct x64 *x = &k->x;
	x64_do32(x, X_LOAD, RDX, OF_MACHINE(groups));
	x64_times(x, RDX, RDX, (int32_t)sizeof(struct group));
	x64_do(x, X_LEA, RDX, x64_in(MACHINE, RDX, 0, (int64_t)offsetof(struct vm, group) - (int64_t)sizeof(struct group)));
}

/* As next_at (inside.h) has it. */
static bool make_step(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const bool all = i->c == AT_COSTS || i->c == AT_ON;
	uint32_t none = 0;
	int apart = -1;
	if (!all) { /* whoever waits is asked about at every stage */
		take_waiting(k);
		apart = (int)(stub(k, STUB_APART, x64_jump_if(x, IF_OTHER), 0) - k->stubs.v);
	}
	to_group(k);
	if (!all) {
		test_byte(x, x64_at(RDX, offsetof(struct group, stages)), 1u << i->c);
		none = x64_jump_if(x, IF_SAME);
	}
	x64_do(x, X_LOAD, RCX, reg(i->a));
	const uint32_t next = x->n;
	x64_fix(x, FIX_ADD, RCX, 1);
	x64_do32(x, X_CMP, RCX, x64_at(RDX, offsetof(struct group, n)));
	const uint32_t end = x64_jump_if(x, IF_NOT_LESS);
	x64_times(x, RAX, RCX, (int32_t)sizeof(struct member));
	x64_do(x, X_ADD, RAX, x64_at(RDX, offsetof(struct group, member)));
	compare_byte(x, x64_at(RAX, offsetof(struct member, is_void)));
	x64_lead(x, x64_jump_if(x, IF_OTHER), next);
	compare_byte(x, x64_at(RAX, offsetof(struct member, stopped)));
	x64_lead(x, x64_jump_if(x, IF_OTHER), next);
	if (!all) {
		test_byte(x, x64_at(RAX, offsetof(struct member, stages)), 1u << i->c);
		x64_lead(x, x64_jump_if(x, IF_SAME), next);
	}
	x64_do32(x, X_LOAD, RAX, x64_at(RAX, offsetof(struct member, act)));
	const uint32_t found = x64_jump(x);
	x64_lead(x, end, x->n);
	if (!all)
		x64_lead(x, none, x->n);
	x64_regs(x, X_LOAD, RCX, UNSET);
	x64_regs(x, X_LOAD, RAX, UNSET);
	x64_lead(x, found, x->n);
	x64_do(x, X_STORE, RAX, reg(i->a + 1u));
	x64_do(x, X_STORE, RCX, reg(i->a));
	k->cached = -1;
	learn_words(k, i->a, 2);
	if (apart >= 0)
		come_back(k, &k->stubs.v[apart]);
	return true;
}

/* H_ACT = rax, as header_set has it. */
static void put_act(struct maker *k)
{
	struct x64 *x = &k->x;
	x64_do(x, X_CMP, RAX, HEADER(H_ACT));
	const uint32_t same = x64_jump_if(x, IF_SAME);
	x64_do(x, X_STORE, RAX, HEADER(H_ACT));
	x64_do(x, X_LOAD, RCX, OF_MACHINE(memo.head));
	x64_fix_at(x, false, FIX_CMP, x64_at(RCX, H_ACT * 4), 0);
	come_back(k, stub(k, STUB_WROTE_AT, x64_jump_if(x, IF_OTHER), H_ACT));
	x64_lead(x, same, x->n);
	k->cached = -1;
}

/* As idle (inside.h) has it. */
static bool make_idle(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const struct layout *l = &k->p->layout;
	take_waiting(k);
	x64_regs(x, X_LOAD, RDX, RAX);
	x64_do(x, X_LOAD, RCX, reg(i->b));
	x64_times(x, RCX, RCX, (int32_t)l->act_stride);
	x64_do(x, X_LOAD, RCX, x64_in(WORLD, RCX, 3, (int64_t)(l->acts + ACT_EVENT) * 8));
	x64_do(x, X_ADD, RCX, OF_MACHINE(stages));
	x64_number(x, RAX, 0);
	test_byte(x, x64_at(RCX, 0), 1u << i->c);
	const uint32_t something = x64_jump_if(x, IF_OTHER);
	x64_regs(x, X_TEST, RDX, RDX);
	x64_set(x, IF_SAME, RAX);
	x64_lead(x, something, x->n);
	put(k, i->a, YES_NO);
	return true;
}

/* A member begins a stage where the group has no copies, as group_begin has it. */
static bool make_begin(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	x64_fix_at(x, true, FIX_CMP, reg(i->b), 0);
	const int apart = (int)(stub(k, STUB_APART, x64_jump_if(x, IF_OTHER), 0) - k->stubs.v);
	to_group(k);
	x64_do(x, X_LOAD, RCX, reg(i->a));
	put_byte(x, x64_at(RDX, offsetof(struct group, copies)), 0);
	x64_do32(x, X_STORE, RCX, x64_at(RDX, offsetof(struct group, current)));
	x64_times(x, RCX, RCX, (int32_t)sizeof(struct member));
	x64_do(x, X_ADD, RCX, x64_at(RDX, offsetof(struct group, member)));
	x64_do32(x, X_LOAD, RAX, x64_at(RCX, offsetof(struct member, happening)));
	x64_do(x, X_STORE, RAX, HEADER(H_HAPPENING));
	x64_put(x, x64_in(WORLD, RAX, 3, HAP_STAGE * 8), i->c);
	x64_do32(x, X_LOAD, RAX, x64_at(RCX, offsetof(struct member, act)));
	put_act(k);
	come_back(k, &k->stubs.v[apart]);
	return true;
}

/* It ends it, and was not stopped, as group_end has it. */
static bool make_end(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	take(k, RAX, i->b);
	x64_regs(x, X_TEST, RAX, RAX);
	const int apart = (int)(stub(k, STUB_APART, x64_jump_if(x, IF_OTHER), 0) - k->stubs.v);
	to_group(k);
	compare_byte(x, x64_at(RDX, offsetof(struct group, copies)));
	const int copies = (int)(stub(k, STUB_APART, x64_jump_if(x, IF_OTHER), 0) - k->stubs.v);
	x64_do32(x, X_LOAD, RAX, x64_at(RDX, offsetof(struct group, happening)));
	x64_do(x, X_STORE, RAX, HEADER(H_HAPPENING));
	x64_fix_at(x, false, FIX_OR, x64_at(RDX, offsetof(struct group, current)), -1);
	x64_do(x, X_LOAD, RAX, x64_at(RDX, offsetof(struct group, act)));
	put_act(k);
	come_back(k, &k->stubs.v[apart]);
	come_back(k, &k->stubs.v[copies]);
	return true;
}

/* One die of which nobody but the generator has a say. */
static bool make_roll(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	if (!is_small(k, i->b) || !chance_sort(k->m, i[1].k, (int32_t)known(k, i->b)->number, k->dice) || k->dice->add < 0) {
		call_apart(k, i, native_apart_of(OP_ROLL));
		learn(k, i->a, ANYTHING, 0);
		return true;
	}
	take(k, RDX, i->c);
	x64_regs(x, X_LOAD, RDI, MACHINE);
	x64_number(x, RSI, (int64_t)(intptr_t)k->dice++);
	x64_call(x, (uintptr_t)chance_draw);
	x64_regs(x, X_TEST, RAX, RAX);
	const int apart = (int)(stub(k, STUB_APART, x64_jump_if(x, IF_SIGN), 0) - k->stubs.v);
	x64_do(x, X_STORE, RAX, reg(i->a));
	k->cached = -1;
	learn(k, i->a, ANYTHING, 0);
	come_back(k, &k->stubs.v[apart]);
	return true;
}

/* Which registers does it write, besides what the case says? Those of its shape. */
static void forget_written(struct maker *k, const struct insn *i)
{
	const char *shape = op_table[i->op].shape;
	const unsigned operand[] = {i->a, i->b, i->c};
	for (int s = 0; shape[s] && s < 3; s++) {
		if (shape[s] == 'd')
			learn(k, operand[s], ANYTHING, 0);
		else if (shape[s] == 'D')
			learn_words(k, operand[s], k->p->set_words);
	}
	if (i->op == OP_WOKE)
		learn_words(k, i->a, 3);
	if (i->op == OP_STEP)
		learn_words(k, i->a, 2);
}

/* Returns how many instructions were done; 0: it is left to the loop. */
static int make_insn(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	switch ((enum op)i->op) {
	case OP_NOP: case OP_EXT: return 1;
	case OP_MOVE: {
		const struct knows s = *known(k, i->b);
		if (s.as == NUMBER) {
			put_number(k, i->a, s.number);
			return 1;
		}
		take(k, RAX, i->b);
		put(k, i->a, (enum known_as)s.as);
		return 1;
	}
	case OP_LOADI: put_number(k, i->a, i->k); return 1;
	case OP_LOADK: put_number(k, i->a, k->p->constant[i->k]); return 1;
	case OP_ADD: return make_sum(k, i, X_ADD);
	case OP_SUB: return make_sum(k, i, X_SUB);
	case OP_MUL: return make_sum(k, i, X_IMUL);
	case OP_NEG: {
		const enum known_as as = is_set(k, i->b) ? SET : ANYTHING;
		take(k, RAX, i->b);
		k->cached = -1;
		x64_negate(x, RAX); /* NONE stays what it is */
		put(k, i->a, as);
		return 1;
	}
	case OP_MIN: return make_least(k, i);
	case OP_MAX: return make_most(k, i);
	case OP_NOT: return make_not(k, i);
	case OP_SAME: case OP_EQ: case OP_LT: case OP_LE: return make_compare(k, i);
	case OP_JMP: jump_to(k, goal(k, i)); return 1;
	case OP_LOOP: return make_loop(k, i);
	case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME: return make_jump_if(k, i);
	case OP_CALL: return make_call(k, i, i->k);
	case OP_SETTLE: return make_settle(k, i);
	case OP_CALLACT: return make_call_act(k, i);
	case OP_RET: return make_return(k, i);
	case OP_LDF: return make_load(k, i);
	case OP_STF: return make_store(k, i);
	case OP_LDT: return make_template(k, i);
	case OP_EVENTOF: return make_act_word(k, i, ACT_EVENT);
	case OP_LDA: return make_act_word(k, i, ACT_ARGS + i->c);
	case OP_CAUSE: return make_header(k, i, H_ACT, true);
	case OP_NOW: return make_header(k, i, H_NOW, true);
	case OP_SERIAL: return make_header(k, i, H_SERIAL, false);
	case OP_KNEXT: return make_next_kind(k, i);
	case OP_SNEXT: return make_next(k, i);
	case OP_SADD: return make_add_member(k, i);
	case OP_SNONE: case OP_SMOVE: return make_sets(k, i);
	case OP_DIRTY: return make_dirty(k, i);
	case OP_ENTER: return make_enter(k, i);
	case OP_LEAVE: return make_leave(k);
	case OP_STEP: return make_step(k, i);
	case OP_STAGE: return make_stage(k, i);
	case OP_IDLE: return make_idle(k, i);
	case OP_BEGIN: return make_begin(k, i);
	case OP_END: return make_end(k, i);
	case OP_ROLL: return make_roll(k, i);
	case OP_OVER: return make_over(k, i);
	case OP_PAUSE: return make_pause(k, i);
	case OP_KEYED:
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(journaling), 0);
		leave_if(k, IF_OTHER);
		return 1;
	case OP_GROUP:
		x64_fix_at(x, true, FIX_CMP, OF_MACHINE(fuel), 16);
		leave_if(k, IF_BELOW);
		break;
	default:
		break;
	}
	native_apart *does = native_apart_of((enum op)i->op);
	if (!does)
		return 0;
	call_apart(k, i, does);
	forget_written(k, i);
	return 1;
}

/* ---- stubs ---- */

static void make_stub(struct maker *k, const struct stub *s)
{
	struct x64 *x = &k->x;
	x64_lead(x, s->jump, x->n);
	switch (s->kind) {
	case STUB_REFUEL:
		x64_fix_at(x, true, FIX_ADD, OF_MACHINE(fuel), (int32_t)s->base);
		x64_number(x, RAX, s->at);
		x64_lead(x, x64_jump(x), k->leave);
		return;
	case STUB_LEAVE:
	case STUB_FAIL:
		x64_number(x, RAX, (int64_t)((uint64_t)(s->kind == STUB_FAIL ? LEFT_FAILED : s->base) << 32 | (uint32_t)s->at));
		x64_lead(x, x64_jump(x), k->leave);
		return;
	case STUB_READ_AT:
	case STUB_READ:
		x64_regs(x, X_LOAD, RDI, MACHINE);
		if (s->kind == STUB_READ)
			x64_regs(x, X_LOAD, RSI, RAX);
		else
			x64_number(x, RSI, 0);
		x64_number(x, RDX, s->base);
		x64_call(x, (uintptr_t)native_read); /* rax is again what it was */
		break;
	case STUB_WROTE_AT:
	case STUB_WROTE:
		x64_regs(x, X_LOAD, RDI, MACHINE);
		if (s->kind == STUB_WROTE)
			x64_regs(x, X_LOAD, RSI, RCX);
		else
			x64_number(x, RSI, 0);
		x64_number(x, RDX, s->base);
		x64_call(x, (uintptr_t)native_wrote);
		break;
	case STUB_APART: {
		const struct insn *i = &k->p->code[s->at];
		x64_put(x, HEADER(H_PC), s->at + 1);
		x64_regs(x, X_LOAD, RDI, MACHINE);
		x64_regs(x, X_LOAD, RSI, FRAME);
		x64_number(x, RDX, (int64_t)(intptr_t)i);
		x64_call(x, (uintptr_t)native_apart_of((enum op)i->op));
		x64_bytes(x, 0xc084, 2);
		x64_lead(x, x64_jump_if(x, IF_OTHER), s->back);
		x64_number(x, RAX, (int64_t)((uint64_t)LEFT_FAILED << 32 | (uint32_t)s->at));
		x64_lead(x, x64_jump(x), k->leave);
		return;
	}
	case STUB_KNOWN:
		x64_regs(x, X_LOAD, RDI, MACHINE);
		x64_do(x, X_LEA, RSI, reg(k->p->code[s->at].a));
		x64_number(x, RDX, s->base);
		x64_call(x, (uintptr_t)native_known);
		x64_bytes(x, 0xc084, 2);
		x64_lead(x, x64_jump_if(x, IF_OTHER), s->back);
		make_entry(k, s->at, s->fn, (int32_t)s->base);
		return;
	case STUB_ENTER:
		make_entry(k, s->at, s->fn, (int32_t)s->base);
		return;
	case STUB_ANSWERED:
		x64_regs(x, X_LOAD, RDI, MACHINE);
		x64_regs(x, X_LOAD, RSI, FRAME);
		x64_call(x, (uintptr_t)native_answered);
		break;
	case STUB_UNSET:
		x64_regs(x, X_LOAD, RAX, UNSET);
		break;
	case STUB_PUT: /* the answer of a comparison, on the way on which the jump is taken */
		x64_put(x, reg(s->base), k->p->code[s->at + 1].op == OP_JNZ);
		jump_to(k, s->to);
		return;
	}
	x64_lead(x, x64_jump(x), s->back);
}

/* ---- a program ---- */

static void make_frame(struct maker *k, struct native *n)
{
	static const enum x64_reg saved[] = {RBX, RBP, R12, R13, R14, R15};
	struct x64 *x = &k->x;
	n->enter = (uint64_t (*)(struct vm *, word *, word *, const void *))(uintptr_t)x->code;
	for (int i = 0; i < 6; i++)
		x64_push(x, saved[i]);
	x64_fix(x, FIX_SUB, RSP, 8); /* calls want the stack at a multiple of 16 */
	x64_regs(x, X_LOAD, MACHINE, RDI);
	x64_regs(x, X_LOAD, WORLD, RSI);
	x64_regs(x, X_LOAD, FRAME, RDX);
	x64_number(x, UNSET, NONE);
	x64_jump_reg(x, RCX);
	k->leave = x->n;
	x64_fix(x, FIX_ADD, RSP, 8);
	for (int i = 6; i-- > 0;)
		x64_pop(x, saved[i]);
	x64_return(x);
}

/* Where code is come to otherwise than from the instruction before. */
static void find_joins(struct maker *k)
{
	const struct program *p = k->p;
	for (int f = 0; f < p->fns; f++)
		k->joins[p->fn[f].entry] = 1;
	for (int32_t i = 0; i < p->code_count; i++) {
		const enum op op = (enum op)p->code[i].op;
		if (op_jumps(op))
			k->joins[goal(k, &p->code[i])] = 1;
		if (op_jumps(op) || op == OP_CALL || op == OP_CALLACT || op == OP_SETTLE || op == OP_RET)
			k->joins[i + 1] |= op != OP_JZ && op != OP_JNZ && op != OP_JNONE && op != OP_JSOME;
	}
}

static void make_all(struct maker *k, struct native *n)
{
	const struct program *p = k->p;
	struct x64 *x = &k->x;
	int32_t stretch = 0; /* instructions of the stretch at hand that are done */
	int32_t first = 0;
	for (k->fn = 0; k->fn < p->fns; k->fn++) {
		const struct fn_info *f = &p->fn[k->fn];
		for (k->at = f->entry; k->at < f->end;) {
			if (k->joins[k->at]) {
				k->stretch++;
				k->cached = -1;
			}
			if (stretch == 0)
				first = k->at;
			k->place[k->at] = x->n;
			const int done = make_insn(k, &p->code[k->at]);
			if (!done) {
				x64_number(x, RAX, k->at);
				x64_lead(x, x64_jump(x), k->leave);
				if (k->at + 1 < p->code_count)
					k->joins[k->at + 1] = 1;
				for (int32_t i = first; stretch < SHORT_STRETCH && i < k->at; i++)
					n->begins[i] = 0;
				n->begins[k->at] = 0;
				stretch = 0;
				k->at++;
				continue;
			}
			n->begins[k->at] = k->joins[k->at];
			for (int i = 1; i < done; i++)
				k->place[k->at + i] = x->n; /* nobody comes there but from here */
			stretch += done;
			k->at += done;
		}
	}
	for (int i = 0; i < k->stubs.n; i++)
		make_stub(k, &k->stubs.v[i]);
	for (int i = 0; i < k->jumps.n; i++)
		x64_lead(x, k->jumps.v[i].jump, k->place[k->jumps.v[i].to]);
	for (int32_t i = 0; i < p->code_count; i++)
		n->at[i] = x->code + k->place[i];
}

struct native *native_make(struct vm *m)
{
	const struct program *p = m->p;
	struct native *n = calloc(1, sizeof *n);
	struct maker k = {.m = m, .p = p, .cached = -1, .stretch = 1};
	const size_t count = (size_t)p->code_count + 1;
	uint32_t registers = 0;
	if (!n)
		abort();
	for (int f = 0; f < p->fns; f++)
		if (p->fn[f].registers > registers)
			registers = p->fn[f].registers;
	n->size = (count * CODE_MOST + CODE_SPARE + 4095) & ~(size_t)4095;
	n->code = mmap(NULL, n->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	n->at = calloc(count, sizeof *n->at);
	n->begins = calloc(count, 1);
	size_t rolls = 1;
	for (int32_t i = 0; i < p->code_count; i++)
		rolls += p->code[i].op == OP_ROLL;
	n->dice = calloc(rolls, sizeof *n->dice);
	k.place = calloc(count, sizeof *k.place);
	k.joins = calloc(count + 1, 1);
	k.knows = calloc(registers + (size_t)p->set_words + 16, sizeof *k.knows);
	if (!n->at || !n->begins || !n->dice || !k.place || !k.joins || !k.knows)
		abort();
	k.table = n->at;
	k.dice = n->dice;
	bool ok = n->code != MAP_FAILED && (uint64_t)p->layout.words * 8 < INT32_MAX;
	if (ok) {
		k.x = (struct x64){n->code, 0, (uint32_t)n->size, false};
		find_joins(&k);
		make_frame(&k, n);
		make_all(&k, n);
		ok = !k.x.full && mprotect(n->code, n->size, PROT_READ | PROT_EXEC) == 0;
	}
	free(k.place);
	free(k.joins);
	free(k.knows);
	VEC_FREE(k.stubs);
	VEC_FREE(k.jumps);
	if (ok)
		return n;
	native_free(n);
	return NULL;
}

void native_free(struct native *n)
{
	if (!n)
		return;
	if (n->code != MAP_FAILED)
		munmap(n->code, n->size);
	free(n->at);
	free(n->begins);
	free(n->dice);
	free(n);
}

bool native_begins(const struct native *n, int32_t at)
{
	return n->begins[at];
}

int32_t native_run(const struct native *n, struct vm *m, word *r, int32_t at, enum native_left *left)
{
	const uint64_t end = n->enter(m, m->w, r, n->at[at]);
	*left = (enum native_left)(end >> 32);
	return (int32_t)(uint32_t)end;
}

#else /* another processor, or instructions are counted */

struct native *native_make(struct vm *m)
{
	(void)m;
	return NULL;
}

void native_free(struct native *n)
{
	(void)n;
}

bool native_begins(const struct native *n, int32_t at)
{
	(void)n;
	(void)at;
	return false;
}

int32_t native_run(const struct native *n, struct vm *m, word *r, int32_t at, enum native_left *left)
{
	(void)n;
	(void)m;
	(void)r;
	*left = LEFT_HERE;
	return at;
}

#endif
