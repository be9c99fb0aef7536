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

bool quick_reads(enum quick q)
{
	switch (q) {
	case QUICK_LDF: case QUICK_LDF_FIXED: case QUICK_LDF_JNONE: case QUICK_LDF_JZ: case QUICK_LDF_JNZ: case QUICK_LOADI_LDF: case QUICK_LDP_JSOME:
		return true;
	default:
		return false;
	}
}

/* What a fill writes: the STP before its LOOP. */
const struct insn *quick_fill_write(const struct insn *i)
{
	const struct insn *last = i + 6 + i[5].k; /* where the jump on a cell that holds something leads */
	return last - 1;
}

/* `each X in SET where PAIR (who, X) is none { set PAIR (who, X) = NUMBER }` */
static bool fills(const struct program *p, int32_t at)
{
	static const uint8_t begin[] = {OP_SNEXT, OP_JNONE, OP_MOVE, OP_MOVE, OP_LDP, OP_JSOME, OP_MOVE, OP_MOVE, OP_LOADI};
	enum { BEGIN = sizeof begin, MOST = BEGIN + 3 };
	const struct insn *i = &p->code[at];
	if (at + MOST > p->code_count)
		return false;
	for (int k = 0; k < BEGIN; k++)
		if (i[k].op != begin[k])
			return false;
	if (i[5].k < BEGIN - 6 + 1 || i[5].k > MOST - 6)
		return false;
	const struct insn *write = quick_fill_write(i), *number = write - 1;
	return i[1].a == i->a && i[3].b == i->a && i[3].a == i[2].a + 1 && i[4].b == i[2].a && i[5].a == i[4].a && i[6].b == i[2].b && i[7].b == i->a && i[7].a == i[6].a + 1 &&
	       number->op == OP_LOADI && write->op == OP_STP && write->a == i[6].a && write->b == number->a && write->c == i[4].c && number->a != i[6].a && number->a != i[7].a &&
	       write[1].op == OP_LOOP && &write[2] + write[1].k == i;
}

enum quick quick_of(const struct program *p, int32_t at)
{
	const struct insn *i = &p->code[at], *next = i + 1;
	if (i->op == OP_SNEXT && fills(p, at))
		return QUICK_FILL;
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
	const enum quick two = followed_by_jump(i, next);
	if (two != QUICK_NONE || i->op != OP_LDF)
		return two;
	/* of acts that come from elsewhere even those that nobody writes change */
	return p->field[i->c].fixed && p->field[i->c].kind != KIND_ACT ? QUICK_LDF_FIXED : QUICK_LDF;
}
