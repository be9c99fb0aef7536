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

/* Where a fill asks whether there is something: its pair takes one move, or two. */
static const struct insn *fill_question(const struct insn *i)
{
	return i[3].op == OP_LDP ? i + 3 : i + 4;
}

/* What a fill writes: the STP before its LOOP. */
const struct insn *quick_fill_write(const struct insn *i)
{
	const struct insn *jump = fill_question(i) + 1;
	return jump + jump->k; /* the jump on a cell that holds something leads behind it */
}

static bool moves(const struct insn *i, int to, int from)
{
	return i->op == OP_MOVE && i->a == to && i->b == from;
}

/* `each X in SET where PAIR (who, X) is none { set PAIR (who, X) = NUMBER }` */
static bool fills(const struct program *p, int32_t at)
{
	enum { MOST = 11, WRITES_THERE = 2, WRITES = 4 };
	const struct insn *i = &p->code[at];
	if (at + MOST > p->code_count || i[1].op != OP_JNONE || i[1].a != i->a || i[2].op != OP_MOVE)
		return false;
	const int who = i[2].b, member = i->a, pair = i[2].a;
	const struct insn *question = fill_question(i), *jump = question + 1;
	if (question->op != OP_LDP || question->b != pair || (question == i + 4 ? !moves(i + 3, pair + 1, member) : pair + 1 != member))
		return false;
	if (jump->op != OP_JSOME || jump->a != question->a || (jump->k != WRITES && jump->k != WRITES_THERE))
		return false;
	const struct insn *write = quick_fill_write(i), *number = write - 1;
	const int to = write->a;
	if (write->op != OP_STP || write->c != question->c || number->op != OP_LOADI || number->a != write->b || write[1].op != OP_LOOP || &write[2] + write[1].k != i)
		return false;
	if (jump->k == WRITES_THERE ? to != pair : !moves(jump + 1, to, who) || !moves(jump + 2, to + 1, member))
		return false;
	/* nothing it goes by is written on the way */
	const int second = question == i + 4 ? pair + 1 : pair, third = jump->k == WRITES ? to + 1 : to;
	const int wrote[] = {pair, second, question->a, to, third, number->a};
	for (int k = 0; k < (int)(sizeof wrote / sizeof *wrote); k++)
		if (wrote[k] == who || wrote[k] == member || (wrote[k] >= i->b && wrote[k] < i->b + p->set_words))
			return false;
	return number->a != to && number->a != to + 1 && (jump->k == WRITES || (question->a != to && question->a != to + 1));
}

/* `each X { set X's FIELD = NUMBER }`, where the field's words stand together */
static bool stores(const struct program *p, int32_t at)
{
	enum { MOST = 5, LEAVES = 3 };
	const struct insn *i = &p->code[at], *number = i + 2, *write = i + 3, *loop = i + 4;
	if (at + MOST > p->code_count || i[1].op != OP_JNONE || i[1].a != i->a || i[1].k != LEAVES || (number->op != OP_LOADI && number->op != OP_LOADK) || number->a == i->a)
		return false;
	if (write->op != OP_STF || write->a != i->a || write->b != number->a || loop->op != OP_LOOP || loop + 1 + loop->k != i)
		return false;
	const struct field_info *f = &p->field[write->c];
	return f->kind == i->k && f->kind != KIND_ACT && f->words == 1 && f->stride == 1;
}

static const struct fn_info *function_of(const struct program *p, int32_t at)
{
	const struct fn_info *f = p->fn;
	while (f < p->fn + p->fns && (at < f->entry || at >= f->end))
		f++;
	return f < p->fn + p->fns ? f : NULL;
}

bool quick_may_write(const struct program *p, const struct insn *i, int reg)
{
	const char *shape = op_table[i->op].shape;
	if (shape[0] == 'w' || i->op == OP_WOKE || i->op == OP_STEP || i->op == OP_TURN || i->op == OP_CALLACT)
		return reg >= i->a;
	if (i->op == OP_SKNOWN && reg >= i->c && reg < i->c + p->set_words)
		return true;
	return shape[0] == 'D' ? reg >= i->a && reg < i->a + p->set_words : shape[0] == 'd' && reg == i->a;
}

/* Back to the next member, in a loop without another in it, which is left when there is none and whose cursor nobody sets
 * back: it has as many turns as there are. What the turns of a function that only reads cost is counted (memo.h). */
static bool ends_by_itself(const struct program *p, int32_t at)
{
	const int32_t to = at + 1 + p->code[at].k;
	const struct insn *next = &p->code[to], *leave = next + 1;
	if (to + 1 >= at || (next->op != OP_KNEXT && next->op != OP_SNEXT) || leave->op != OP_JNONE || leave->a != next->a || to + 2 + leave->k <= at)
		return false;
	for (int32_t k = to + 1; k < at; k++) {
		const struct insn *i = &p->code[k];
		const int32_t goal = op_jumps((enum op)i->op) ? k + 1 + i->k : k + 1;
		if (quick_may_write(p, i, next->a) || (goal <= k && goal != to))
			return false;
	}
	const struct fn_info *f = function_of(p, at);
	return f && !f->pure;
}

enum quick quick_of(const struct program *p, int32_t at)
{
	const struct insn *i = &p->code[at], *next = i + 1;
	if (i->op == OP_SNEXT && fills(p, at))
		return QUICK_FILL;
	if (i->op == OP_KNEXT && stores(p, at))
		return QUICK_STORE_ALL;
	if (i->op == OP_LOOP)
		return ends_by_itself(p, at) ? QUICK_TURN : QUICK_NONE;
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
