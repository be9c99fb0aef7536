/* x64.h - instructions of the processor, written into memory: the few that native.c needs, for x86-64.
 *
 * A place in memory is a register and a number of bytes behind it, or that and a scaled second
 * register. All work on 64 bits unless the name says 32. Jumps are written with room for four
 * bytes and told later where they lead (x64_lead). What does not fit is not written: `full` says so. */
#ifndef FRAY_VM_X64_H
#define FRAY_VM_X64_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum x64_reg { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, NO_REG };
/* What a jump or a set byte depends on, as the processor numbers it. */
enum x64_if { IF_OVERFLOW = 0, IF_BELOW = 2, IF_NOT_BELOW = 3, IF_SAME = 4, IF_OTHER = 5, IF_ABOVE = 7, IF_SIGN = 8, IF_NOT_SIGN = 9, IF_LESS = 12, IF_NOT_LESS = 13, IF_NOT_MORE = 14, IF_MORE = 15 };
/* Two operands: register and place; CMP_AT: place and register. */
enum x64_op { X_ADD = 0x03, X_OR = 0x0b, X_AND = 0x23, X_SUB = 0x2b, X_XOR = 0x33, X_CMP = 0x3b, X_CMP_AT = 0x39, X_TEST = 0x85, X_LOAD = 0x8b, X_STORE = 0x89, X_LEA = 0x8d, X_IMUL = 0x0faf, X_LESS = 0x0f4c, X_IF_SAME = 0x0f44, X_BITS = 0x0fbc, X_WORD = 0x0fb7, /* X_WORD: of 16 bits, no sign */ X_COUNT = 0x0fb8, X_BIT_ON = 0x0fab, X_BIT_OFF = 0x0fb3 };
/* place |= register */
enum { X_OR_AT = 0x09 };
/* A place and a number. */
enum x64_fix { FIX_ADD = 0, FIX_OR = 1, FIX_AND = 4, FIX_SUB = 5, FIX_XOR = 6, FIX_CMP = 7 };

struct x64 { uint8_t *code; uint32_t n, room; bool full; };
struct x64_at { enum x64_reg base, index; uint8_t scale; int32_t bytes; };

static inline struct x64_at x64_at(enum x64_reg base, int64_t bytes)
{
	return (struct x64_at){base, NO_REG, 0, (int32_t)bytes};
}

/* base + index * (1 << scale) + bytes */
static inline struct x64_at x64_in(enum x64_reg base, enum x64_reg index, int scale, int64_t bytes)
{
	return (struct x64_at){base, index, (uint8_t)scale, (int32_t)bytes};
}

static inline void x64_bytes(struct x64 *x, uint64_t value, unsigned n)
{
	if (x->n + n > x->room) {
		x->full = true;
		return;
	}
	for (unsigned i = 0; i < n; i++)
		x->code[x->n++] = (uint8_t)(value >> 8 * i);
}

static inline void x64_opcode(struct x64 *x, bool wide, unsigned op, unsigned reg, unsigned index, unsigned base)
{
	const unsigned rex = 0x40u | (unsigned)wide << 3 | reg >> 3 << 2 | index >> 3 << 1 | base >> 3;
	if (rex != 0x40)
		x64_bytes(x, rex, 1);
	if (op > 0xff)
		x64_bytes(x, op >> 8, 1);
	x64_bytes(x, op & 0xff, 1);
}

static inline void x64_place(struct x64 *x, unsigned reg, struct x64_at at)
{
	const unsigned low = at.base & 7, field = (reg & 7) << 3;
	const bool near = at.bytes >= -128 && at.bytes < 128;
	const unsigned mod = near ? 0x40 : 0x80;
	if (at.index != NO_REG) {
		x64_bytes(x, mod | field | 4, 1);
		x64_bytes(x, (unsigned)at.scale << 6 | (at.index & 7u) << 3 | low, 1);
	} else if (low == 4) { /* what stands there means that another byte follows */
		x64_bytes(x, mod | field | 4, 1);
		x64_bytes(x, 0x24, 1);
	} else {
		x64_bytes(x, mod | field | low, 1);
	}
	x64_bytes(x, (uint32_t)at.bytes, near ? 1 : 4);
}

/* reg op= place; X_STORE: place = reg. */
static inline void x64_do(struct x64 *x, enum x64_op op, enum x64_reg reg, struct x64_at at)
{
	x64_opcode(x, true, op, reg, at.index == NO_REG ? 0 : at.index, at.base);
	x64_place(x, reg, at);
}

static inline void x64_do32(struct x64 *x, enum x64_op op, enum x64_reg reg, struct x64_at at)
{
	x64_opcode(x, false, op, reg, at.index == NO_REG ? 0 : at.index, at.base);
	x64_place(x, reg, at);
}

/* reg op= other. */
static inline void x64_regs(struct x64 *x, enum x64_op op, enum x64_reg reg, enum x64_reg other)
{
	x64_opcode(x, true, op, reg, 0, other);
	x64_bytes(x, 0xc0u | (reg & 7u) << 3 | (other & 7u), 1);
}

static inline void x64_number(struct x64 *x, enum x64_reg reg, int64_t value)
{
	if (value == 0) {
		x64_opcode(x, false, 0x33, reg, 0, reg);
		x64_bytes(x, 0xc0u | (reg & 7u) << 3 | (reg & 7u), 1);
	} else if (value > 0 && value <= UINT32_MAX) {
		x64_opcode(x, false, 0xb8 | (reg & 7), 0, 0, reg);
		x64_bytes(x, (uint64_t)value, 4);
	} else if (value >= INT32_MIN && value < 0) {
		x64_opcode(x, true, 0xc7, 0, 0, reg);
		x64_bytes(x, 0xc0u | (reg & 7u), 1);
		x64_bytes(x, (uint64_t)value, 4);
	} else {
		x64_opcode(x, true, 0xb8 | (reg & 7), 0, 0, reg);
		x64_bytes(x, (uint64_t)value, 8);
	}
}

/* reg op= a number of 32 bits. */
static inline void x64_fix(struct x64 *x, enum x64_fix op, enum x64_reg reg, int32_t value)
{
	const bool near = value >= -128 && value < 128;
	x64_opcode(x, true, near ? 0x83 : 0x81, 0, 0, reg);
	x64_bytes(x, 0xc0u | (unsigned)op << 3 | (reg & 7u), 1);
	x64_bytes(x, (uint32_t)value, near ? 1 : 4);
}

static inline void x64_fix_at(struct x64 *x, bool wide, enum x64_fix op, struct x64_at at, int32_t value)
{
	const bool near = value >= -128 && value < 128;
	x64_opcode(x, wide, near ? 0x83 : 0x81, 0, at.index == NO_REG ? 0 : at.index, at.base);
	x64_place(x, op, at);
	x64_bytes(x, (uint32_t)value, near ? 1 : 4);
}

/* place = a number of 32 bits, with its sign. */
static inline void x64_put(struct x64 *x, struct x64_at at, int32_t value)
{
	x64_opcode(x, true, 0xc7, 0, at.index == NO_REG ? 0 : at.index, at.base);
	x64_place(x, 0, at);
	x64_bytes(x, (uint32_t)value, 4);
}

/* The flags say which of these bits stand there. */
static inline void x64_test_at(struct x64 *x, struct x64_at at, int32_t bits)
{
	x64_opcode(x, true, 0xf7, 0, 0, at.base);
	x64_place(x, 0, at);
	x64_bytes(x, (uint32_t)bits, 4);
}

/* The same of a register's lower half. */
static inline void x64_test(struct x64 *x, enum x64_reg reg, uint32_t bits)
{
	x64_opcode(x, false, 0xf7, 0, 0, reg);
	x64_bytes(x, 0xc0u | (reg & 7u), 1);
	x64_bytes(x, bits, 4);
}

/* Bit number `bit` there is taken away; below: it stood there. */
static inline void x64_take_bit(struct x64 *x, struct x64_at at, unsigned bit)
{
	x64_opcode(x, true, 0x0fba, 0, 0, at.base);
	x64_place(x, 6, at);
	x64_bytes(x, bit, 1);
}

/* The bit of `reg` that `bit` says, modulo 64, is put there, or taken away (X_BIT_ON, X_BIT_OFF); below: it was there. */
static inline void x64_bit(struct x64 *x, enum x64_op op, enum x64_reg reg, enum x64_reg bit)
{
	x64_regs(x, op, bit, reg);
}

/* Below: the bit of `set` that `member` says, modulo 64, is there. */
static inline void x64_has_bit(struct x64 *x, enum x64_reg set, enum x64_reg member)
{
	x64_opcode(x, true, 0x0fa3, member, 0, set);
	x64_bytes(x, 0xc0u | (member & 7u) << 3 | (set & 7u), 1);
}

/* reg = how many bits stand at a place, or in a register: not every processor can. */
static inline void x64_count_at(struct x64 *x, enum x64_reg reg, struct x64_at at)
{
	x64_bytes(x, 0xf3, 1);
	x64_do(x, X_COUNT, reg, at);
}

static inline void x64_count(struct x64 *x, enum x64_reg reg, enum x64_reg other)
{
	x64_bytes(x, 0xf3, 1);
	x64_regs(x, X_COUNT, reg, other);
}

/* reg = the bits of `value`, from the lowest on, laid where `mask` has ones: not every processor can. The first eight registers only. */
static inline void x64_deposit(struct x64 *x, enum x64_reg reg, enum x64_reg value, enum x64_reg mask)
{
	x64_bytes(x, 0xe2c4, 2);
	x64_bytes(x, 0x83u | (~(unsigned)value & 15u) << 3, 1);
	x64_bytes(x, 0xf5, 1);
	x64_bytes(x, 0xc0u | (reg & 7u) << 3 | (mask & 7u), 1);
}

/* The same with a place of 32 bits. */
static inline void x64_put32(struct x64 *x, struct x64_at at, int32_t value)
{
	x64_opcode(x, false, 0xc7, 0, at.index == NO_REG ? 0 : at.index, at.base);
	x64_place(x, 0, at);
	x64_bytes(x, (uint32_t)value, 4);
}

/* reg = other * value. */
static inline void x64_times(struct x64 *x, enum x64_reg reg, enum x64_reg other, int32_t value)
{
	x64_opcode(x, true, 0x69, reg, 0, other);
	x64_bytes(x, 0xc0u | (reg & 7u) << 3 | (other & 7u), 1);
	x64_bytes(x, (uint32_t)value, 4);
}

/* Shifts by a number, up or down (no sign kept); or by what cl holds. */
static inline void x64_shift(struct x64 *x, bool up, enum x64_reg reg, unsigned bits)
{
	x64_opcode(x, true, 0xc1, 0, 0, reg);
	x64_bytes(x, 0xc0u | (up ? 4u : 5u) << 3 | (reg & 7u), 1);
	x64_bytes(x, bits, 1);
}

static inline void x64_shift32(struct x64 *x, bool up, enum x64_reg reg, unsigned bits)
{
	x64_opcode(x, false, 0xc1, 0, 0, reg);
	x64_bytes(x, 0xc0u | (up ? 4u : 5u) << 3 | (reg & 7u), 1);
	x64_bytes(x, bits, 1);
}

static inline void x64_shift_cl(struct x64 *x, bool up, enum x64_reg reg)
{
	x64_opcode(x, true, 0xd3, 0, 0, reg);
	x64_bytes(x, 0xc0u | (up ? 4u : 5u) << 3 | (reg & 7u), 1);
}

/* rdx:rax = rax * reg, both without a sign. */
static inline void x64_multiply(struct x64 *x, enum x64_reg reg)
{
	x64_opcode(x, true, 0xf7, 0, 0, reg);
	x64_bytes(x, 0xe0u | (reg & 7u), 1);
}

/* reg = -reg. */
static inline void x64_negate(struct x64 *x, enum x64_reg reg)
{
	x64_opcode(x, true, 0xf7, 0, 0, reg);
	x64_bytes(x, 0xd8u | (reg & 7u), 1);
}

/* The lowest byte of eax, ecx or edx is 1 or 0. */
static inline void x64_set(struct x64 *x, enum x64_if when, enum x64_reg reg)
{
	x64_bytes(x, 0x0f, 1);
	x64_bytes(x, 0x90u | (unsigned)when, 1);
	x64_bytes(x, 0xc0u | (reg & 7u), 1);
}

/* The same of a byte there. */
static inline void x64_set_at(struct x64 *x, enum x64_if when, struct x64_at at)
{
	x64_opcode(x, false, 0x0f90u | (unsigned)when, 0, at.index == NO_REG ? 0 : at.index, at.base);
	x64_place(x, 0, at);
}

static inline void x64_push(struct x64 *x, enum x64_reg reg)
{
	x64_opcode(x, false, 0x50 | (reg & 7), 0, 0, reg);
}

static inline void x64_pop(struct x64 *x, enum x64_reg reg)
{
	x64_opcode(x, false, 0x58 | (reg & 7), 0, 0, reg);
}

static inline void x64_return(struct x64 *x)
{
	x64_bytes(x, 0xc3, 1);
}

/* Calls a function by its address; rax is lost. */
static inline void x64_call(struct x64 *x, uintptr_t function)
{
	x64_number(x, RAX, (int64_t)function);
	x64_bytes(x, 0xd0ff, 2);
}

/* Goes on at the address that stands at a place, or in a register. */
static inline void x64_jump_at(struct x64 *x, struct x64_at at)
{
	x64_opcode(x, false, 0xff, 4, at.index == NO_REG ? 0 : at.index, at.base);
	x64_place(x, 4, at);
}

static inline void x64_jump_reg(struct x64 *x, enum x64_reg reg)
{
	x64_opcode(x, false, 0xff, 4, 0, reg);
	x64_bytes(x, 0xe0u | (reg & 7u), 1);
}

/* Calls what stands at a byte of the code itself. */
static inline void x64_call_near(struct x64 *x, uint32_t to)
{
	x64_bytes(x, 0xe8, 1);
	x64_bytes(x, to - (x->n + 4), 4);
}

/* A jump whose goal is told later: where its four bytes stand. */
static inline uint32_t x64_jump(struct x64 *x)
{
	x64_bytes(x, 0xe9, 1);
	x64_bytes(x, 0, 4);
	return x->n - 4;
}

static inline uint32_t x64_jump_if(struct x64 *x, enum x64_if when)
{
	x64_bytes(x, 0x0f, 1);
	x64_bytes(x, 0x80u | (unsigned)when, 1);
	x64_bytes(x, 0, 4);
	return x->n - 4;
}

/* The jump whose bytes stand at `jump` leads to the byte `to`. */
static inline void x64_lead(struct x64 *x, uint32_t jump, uint32_t to)
{
	const uint32_t by = to - (jump + 4);
	if (!x->full)
		memcpy(x->code + jump, &by, 4); /* as this processor writes numbers */
}

#endif
