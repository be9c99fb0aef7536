/* native_live.c - which registers are still read, for processor code (native.h): a value nobody reads again is not
 * written down, and one that is known is written down only where somebody else has to find it. */
#include "runtime/vm/native_maker.h"

typedef int native_live_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

enum { REGISTERS_MOST = 1024 }; /* of a function, to be looked through */

/* ---- what instructions read and write ---- */

/* Registers of one instruction: read before it writes. */
struct touched { uint64_t *reads, *writes; bool all; };

static void mark(uint64_t *set, unsigned x, unsigned n)
{
	for (; set && n > 0; n--, x++)
		set[x / 64] |= 1ull << x % 64;
}

/* What its shape says; its operands, and those behind them where it takes several. */
static void touch_by_shape(const struct program *p, const struct insn *i, unsigned more_of_b, struct touched *t)
{
	const char *shape = op_table[i->op].shape;
	const unsigned operand[] = {i->a, i->b, i->c}, words = (unsigned)p->set_words;
	for (int s = 0; s < 3 && shape[s]; s++)
		switch (shape[s]) {
		case 's': mark(t->reads, operand[s], s == 1 ? 1 + more_of_b : 1); break;
		case 'd': mark(t->writes, operand[s], 1); break;
		case 'S': mark(t->reads, operand[s], words); break;
		case 'D': mark(t->writes, operand[s], words); break;
		default: break;
		}
}

/* Where not everything is known of an instruction it reads all there is. */
static void touch(const struct program *p, const struct insn *i, struct touched *t)
{
	switch ((enum op)i->op) {
	case OP_NOP: case OP_EXT: case OP_MOVE: case OP_LOADI: case OP_LOADK:
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: case OP_MIN: case OP_MAX: case OP_REM:
	case OP_FRAC: case OP_DIV: case OP_FADD: case OP_FSUB: case OP_FMUL: case OP_FDIV: case OP_FMIN: case OP_FMAX: case OP_ROUND:
	case OP_SAME: case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_FLT: case OP_FLE: case OP_NOT: case OP_ISA: case OP_KINDOF:
	case OP_JMP: case OP_LOOP: case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME:
	case OP_LDF: case OP_STF: case OP_ADF: case OP_LDT:
	case OP_SNONE: case OP_SALL: case OP_SMOVE: case OP_SOR: case OP_SCOUNT: case OP_SHAS: case OP_SNTH: case OP_SKNOWN:
	case OP_SERIAL: case OP_ROLL: case OP_CHANCE: case OP_LEAVE: case OP_STAGE: case OP_KEPT: case OP_CAUSE: case OP_NOW: case OP_DIRTY: case OP_TURNED: case OP_KEYED:
	case OP_ACT: case OP_COPY: case OP_PEND: case OP_FREE: case OP_LDA: case OP_EVENTOF:
	case OP_GROUP: case OP_NEEDS: case OP_IDLE: case OP_BEGIN: case OP_END: case OP_MERGE: case OP_DONE: case OP_VOID: case OP_PAUSE: case OP_PHASE: case OP_OVER:
	case OP_ENTER: /* nobody is told its arguments */
		touch_by_shape(p, i, 0, t);
		return;
	case OP_ADFB:
		touch_by_shape(p, i, 2, t);
		return;
	case OP_LDP: case OP_HASL: case OP_LEN: case OP_ITEM: case OP_HAST: case OP_ITEMT: case OP_TABLE:
		touch_by_shape(p, i, 1, t);
		return;
	case OP_STP:
		touch_by_shape(p, i, 0, t);
		mark(t->reads, i->a + 1u, 1);
		return;
	case OP_SADD: /* the set it adds to */
		touch_by_shape(p, i, 0, &(struct touched){t->reads, NULL, false});
		mark(t->reads, i->a, (unsigned)p->set_words);
		return;
	case OP_SNEXT: case OP_KNEXT: /* the one it goes on behind */
		touch_by_shape(p, i, 0, t);
		mark(t->reads, i->a, 1);
		return;
	case OP_STEP:
		touch_by_shape(p, i, 0, t);
		mark(t->writes, i->a, 2);
		return;
	case OP_WOKE:
		mark(t->reads, i->a, 3);
		return;
	case OP_MEMBER:
		touch_by_shape(p, i, 0, t);
		return;
	case OP_RET:
		mark(t->reads, i->a, i->b);
		return;
	case OP_CALL:
		mark(t->reads, i->a + 2u, p->fn[i->k].arguments);
		mark(t->writes, i->a, p->fn[i->k].results);
		return;
	case OP_SETTLE:
		mark(t->writes, i->a, p->fn[i->k].results);
		return;
	case OP_CALLACT:
		mark(t->reads, i->a + 2u, 1);
		mark(t->reads, i->b, 1);
		return;
	default:
		t->all = true;
		return;
	}
}

/* ---- from the end to the beginning ---- */

/* What is read from instruction `at` on; did that become more? */
static bool look_back(struct maker *k, const struct fn_info *f, int32_t at, struct touched *t)
{
	const struct insn *i = &k->p->code[at];
	const enum op op = (enum op)i->op;
	const bool ends = op == OP_RET || op == OP_HALT || op == OP_FATAL, goes_on = !ends && op != OP_JMP && op != OP_LOOP && at + 1 < f->end;
	uint64_t *live = k->live + (size_t)at * k->row;
	bool more = false;
	memset(t->reads, 0, k->row * sizeof *t->reads);
	memset(t->writes, 0, k->row * sizeof *t->writes);
	t->all = false;
	touch(k->p, i, t);
	for (uint32_t w = 0; w < k->row; w++) {
		uint64_t after = goes_on ? live[k->row + w] : 0;
		if (op_jumps(op))
			after |= k->live[(size_t)goal(k, i) * k->row + w];
		const uint64_t before = t->all ? ~0ull : (after & ~t->writes[w]) | t->reads[w];
		more |= before != live[w];
		live[w] = before;
	}
	return more;
}

void find_live(struct maker *k, uint32_t registers)
{
	const struct program *p = k->p;
	if (registers > REGISTERS_MOST)
		return;
	k->row = registers / 64 + 1;
	k->live = calloc(((size_t)p->code_count + 1) * k->row, sizeof *k->live);
	struct touched t = {calloc(k->row, sizeof *t.reads), calloc(k->row, sizeof *t.writes), false};
	if (!k->live || !t.reads || !t.writes)
		abort();
	for (int f = 0; f < p->fns; f++)
		for (bool more = true; more;) {
			more = false;
			for (int32_t at = p->fn[f].end; at-- > p->fn[f].entry;)
				more |= look_back(k, &p->fn[f], at, &t);
		}
	free(t.reads);
	free(t.writes);
}

/* ---- values that are not written down ---- */

/* Is x, read by the comparison at `at`, read by nobody after it, and the jump on its answer? */
static bool gone_behind_comparison(const struct maker *k, int32_t at, unsigned x)
{
	const struct insn *i = &k->p->code[at], *jump = i + 1;
	if (i->a == x)
		return true;
	if (is_live(k, at + 1, x))
		return false;
	return k->joins[at + 1] || (jump->op != OP_JZ && jump->op != OP_JNZ) || (!is_live(k, at + 2, x) && !is_live(k, goal(k, jump), x));
}

/* Those that are named take it from rax before they do anything else, and leave the code before that or never. */
bool only_behind(struct maker *k, unsigned x)
{
	const int32_t at = k->behind;
	const struct insn *i = &k->p->code[at];
	const bool gone = k->live && !is_live(k, at + 1, x);
	if (!k->live || at + 1 >= k->p->fn[k->fn].end || k->joins[at])
		return false;
	switch ((enum op)i->op) {
	case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME:
		return i->a == x && gone && !is_live(k, goal(k, i), x);
	case OP_MOVE: case OP_NOT: case OP_NEG: case OP_LDF: case OP_LDT: case OP_EVENTOF: case OP_LDA:
		return i->b == x && (i->a == x || gone);
	case OP_SAME: case OP_EQ: case OP_LT: case OP_LE:
		if (i->b == x)
			return i->c != x && gone_behind_comparison(k, at, x);
		return i->c == x && !is_number(k, i->b) && gone_behind_comparison(k, at, x);
	case OP_STF:
		if (i->b != x || i->a == x || !gone || is_number(k, i->a) || !k->m->reach[i->c].plain)
			return false;
		break;
	case OP_CALL:
		if (i->a + 2u != x || !gone || !finds_answer(k, i))
			return false;
		break;
	default:
		return false;
	}
	/* if it goes another way it has to be found in its register */
	k->unsaved = (int)x;
	k->unsaved_for = at;
	return true;
}

void write_down(struct maker *k, unsigned x, word number)
{
	if (number == NONE)
		x64_do(&k->x, X_STORE, UNSET, reg(x));
	else
		x64_put(&k->x, reg(x), (int32_t)number);
}

void settle_from(struct maker *k, int32_t at, unsigned from)
{
	for (int l = 0; l < k->lazy.n; l++) {
		const unsigned x = k->lazy.v[l];
		if (x < from || !known(k, x)->lazy || !is_live(k, at, x))
			continue;
		write_down(k, x, known(k, x)->number);
		known(k, x)->lazy = false;
	}
}

void settle(struct maker *k, int32_t at)
{
	settle_from(k, at, 0);
}

void hold_lazy(struct maker *k, struct stub *s, int32_t at)
{
	s->first = k->held.n;
	for (int l = 0; l < k->lazy.n; l++) {
		const unsigned x = k->lazy.v[l];
		if (known(k, x)->lazy && is_live(k, at, x))
			VEC_PUSH(k->held, (struct owed){x, known(k, x)->number});
	}
	s->held = k->held.n - s->first;
}

#endif
