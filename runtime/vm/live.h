/* live.h - which registers are still read. */
#ifndef FRAY_VM_LIVE_H
#define FRAY_VM_LIVE_H

#include "runtime/vm/fork.h"

enum { LIVE_WORDS = 4 }; /* registers told apart in a function: 256 */

/* May instruction pc, or one after it, read the register before it is written? */
bool live_at(const struct live *l, word pc, int reg);

/* The registers read from an instruction on, from those read behind it: LIVE_WORDS words of bits. */
void live_step(const struct program *p, const struct fn_info *f, const struct insn *i, uint64_t *set);

/* Of an instruction that writes one register or none and reads single ones: which; of others 0. */
enum { LIVE_SIMPLE = 1, LIVE_GET_A = 2, LIVE_GET_B = 4, LIVE_GET_C = 8, LIVE_SET_A = 16 };
uint8_t live_simple(enum op op);

/* How many registers operand number `place`, read, stands for. */
int live_words(const struct program *p, const struct insn *i, int place);

/* May this instruction alone read the register; must it write it without reading? */
bool live_reads(const struct program *p, const struct fn_info *f, const struct insn *i, int reg);
bool live_writes(const struct program *p, const struct fn_info *f, const struct insn *i, int reg);

#endif
