/* quick.c - see quick.h. The pairs are those that `make profile` shows most often. */
#include "runtime/vm/quick.h"

#include "runtime/code/ops.h"

static enum quick comparison(enum op op, bool zero)
{
	switch (op) {
	case OP_LE: return zero ? QUICK_LE_JZ : QUICK_LE_JNZ;
	case OP_LT: return zero ? QUICK_LT_JZ : QUICK_LT_JNZ;
	case OP_SAME: return zero ? QUICK_SAME_JZ : QUICK_SAME_JNZ;
	case OP_EQ: return zero ? QUICK_EQ_JZ : QUICK_EQ_JNZ;
	default: return QUICK_NONE;
	}
}

static enum quick followed_by_jump(const struct insn *i, const struct insn *jump)
{
	if (jump->a != i->a)
		return QUICK_NONE;
	switch ((enum op)i->op) {
	case OP_LE: case OP_LT: case OP_SAME: case OP_EQ:
		return jump->op == OP_JZ || jump->op == OP_JNZ ? comparison((enum op)i->op, jump->op == OP_JZ) : QUICK_NONE;
	case OP_LDF:
		return jump->op == OP_JNONE ? QUICK_LDF_JNONE : jump->op == OP_JZ ? QUICK_LDF_JZ : jump->op == OP_JNZ ? QUICK_LDF_JNZ : QUICK_NONE;
	case OP_LDT:
		return jump->op == OP_JNONE ? QUICK_LDT_JNONE : jump->op == OP_JZ ? QUICK_LDT_JZ : jump->op == OP_JNZ ? QUICK_LDT_JNZ : QUICK_NONE;
	case OP_SNEXT:
		return jump->op == OP_JNONE ? QUICK_SNEXT_JNONE : QUICK_NONE;
	case OP_LDP:
		return jump->op == OP_JSOME ? QUICK_LDP_JSOME : QUICK_NONE;
	case OP_KNEXT:
		return jump->op == OP_JNONE ? QUICK_KNEXT_JNONE : QUICK_NONE;
	default:
		return QUICK_NONE;
	}
}

enum quick quick_of(const struct program *p, int32_t at)
{
	const struct insn *i = &p->code[at], *next = i + 1;
	if (i->op == OP_CALL && p->fn[i->k].arguments == 1 && p->fn[i->k].results == 1)
		return QUICK_CALL_ONE;
	if (i->op == OP_RET && i->b == 1)
		return QUICK_RET_ONE;
	if (at + 1 >= p->code_count)
		return QUICK_NONE;
	if (i->op == OP_MOVE && next->op == OP_CALL)
		return quick_of(p, at + 1) == QUICK_CALL_ONE ? QUICK_MOVE_CALL_ONE : QUICK_MOVE_CALL;
	if (i->op == OP_MOVE)
		return next->op == OP_MOVE ? QUICK_MOVE_MOVE : QUICK_NONE;
	if (i->op == OP_LOADI && next->op == OP_LDF && next->b == i->a)
		return QUICK_LOADI_LDF;
	if (i->op == OP_LOADI && next->op == OP_LOADI)
		return QUICK_LOADI_LOADI;
	return followed_by_jump(i, next);
}
