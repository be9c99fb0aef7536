/* native_single.h - groups of one act: what native_single.c, which chooses, begins and ends them, and native_unwritten.c, by
 * which most are not written down, have in common. */
#ifndef FRAY_VM_NATIVE_SINGLE_H
#define FRAY_VM_NATIVE_SINGLE_H

#include "runtime/vm/native_maker.h"

#ifdef FRAY_NATIVE

/* While one is chosen and begun: who it is, his place in the order, his row (in words), his time, the event, its stages (in
 * the highest byte), how many words of happenings are in use. */
static const enum x64_reg ACT = RAX, FIRST = RSI, ROW = RDI, TIME = R8, EVENT = R9, STAGES = R10, USED = R11;

static inline struct x64_at word_of_row(const struct maker *k, uint32_t word_)
{
	return x64_in(WORLD, ROW, 3, ((int64_t)k->p->layout.acts + word_) * 8);
}

/* native_single.c */

/* A word of the machine's own = reg, as header_set has it. */
void make_header_set(struct maker *k, uint32_t word_, enum x64_reg value);

/* native_unwritten.c */

/* GROUP, and what leads an act that comes alone and has something to do at stage on to behind ONLY, in a function that is called or
 * here: what of it is said there. */
struct led {
	const struct insn *size, *needs, *only;
	unsigned one;              /* the register with 1, .. */
	bool loads;                /* .. which is loaded on the way */
	int32_t call, fn;          /* where the function is called, -1: ONLY is in the same; the function ONLY is in */
	int32_t to, goes_on;       /* behind ONLY, and behind what follows that GROUP can do at once: */
	unsigned event, field_of;  /* registers for the act's event and a field of it, .. */
	uint32_t base;             /* .. whose words begin here */
};

/* Is the GROUP at `at` in function fn one that is led so? */
bool is_led(const struct maker *k, int32_t at, int32_t fn, struct led *to);
/* The fuel it takes: GROUP's, and the call's. */
static inline int32_t taken_by(const struct led *to)
{
	return to->call < 0 ? 16 : 16 + 8;
}
/* The first of the order, of whom the registers say what they say, is performed behind ONLY, at once, and his group written down when
 * somebody may look at it. Where that cannot be, the code goes on. */
void make_unwritten(struct maker *k, const struct led *to);

/* A jump that is taken where the group at hand is written down. */
static inline uint32_t is_written(struct maker *k)
{
	compare_byte(&k->x, OF_MACHINE(unwritten));
	return x64_jump_if(&k->x, IF_SAME);
}

#endif
#endif
