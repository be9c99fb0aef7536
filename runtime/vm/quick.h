/* quick.h - where the machine's loop goes for each instruction of a program.
 *
 * Beside the code stands, for each instruction, the place in the loop that does it; some of
 * those places do two instructions that follow each other at once. The code stays as it is:
 * who jumps to the second of two finds its own place. Machines that look at every instruction
 * (fork.h, lift.h) go by a table of their own. */
#ifndef FRAY_VM_QUICK_H
#define FRAY_VM_QUICK_H

#include "runtime/code/program.h"

/* Two at once: a comparison and the jump on its answer; a field and the jump on what it holds;
 * a step through a set and the jump at its end; moves; a number and the field of the thing it is. */
enum quick {
	QUICK_NONE,
	QUICK_LE_JZ, QUICK_LE_JNZ, QUICK_LT_JZ, QUICK_LT_JNZ, QUICK_SAME_JZ, QUICK_SAME_JNZ, QUICK_EQ_JZ, QUICK_EQ_JNZ,
	QUICK_LDF_JNONE, QUICK_LDF_JZ, QUICK_LDF_JNZ, QUICK_LDT_JZ, QUICK_LDT_JNZ, QUICK_LDT_JNONE,
	QUICK_SNEXT_JNONE, QUICK_KNEXT_JNONE, QUICK_MOVE_MOVE, QUICK_MOVE_CALL, QUICK_MOVE_CALL_ONE, QUICK_LOADI_LDF, QUICK_LOADI_LOADI, QUICK_LDP_JSOME, QUICK_RET_ONE, QUICK_CALL_ONE,
	QUICK_LDF, QUICK_LDF_FIXED, /* a field alone; one that nobody writes */
	QUICK_FILL, /* a loop that fills the cells of a pair field nobody has filled */
	QUICK_STORE_ALL, /* a loop that stores a number into a field of all of a kind */
	QUICK_TURN, /* the end of a turn of a loop through members, which comes to an end by itself */
	QUICKS
};

/* May an instruction write a register? What has a window, or several registers, may write all that follow. */
bool quick_may_write(const struct program *p, const struct insn *i, int reg);

/* How instruction `at` may be done. */
enum quick quick_of(const struct program *p, int32_t at);
/* Is a word of the world read that may have been forgotten (vm/forget.c)? Nobody looks whether it was. */
bool quick_reads(enum quick q);
/* Of a fill that begins at i: the instruction that writes; the one before it is the number. */
const struct insn *quick_fill_write(const struct insn *i);

#endif
