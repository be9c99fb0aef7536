/* native_live.c - registers that need not be written down, in processor code (native.h): a value nobody reads again (live.h)
 * is not, and one that is known only where somebody else has to find it. */
#include "runtime/vm/native_maker.h"

typedef int native_live_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

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
	const bool gone = !is_live(k, at + 1, x);
	if (at + 1 >= k->p->fn[k->fn].end || k->joins[at])
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

/* How often is x asked for before it is written, or ways meet, or BESIDE gets another value? */
static int asked_ahead(const struct maker *k, unsigned x)
{
	const struct program *p = k->p;
	int n = 0;
	for (int32_t at = k->behind; at < p->fn[k->fn].end && !(k->joins[at] & JOIN_JUMP); at++) {
		const struct insn *i = &p->code[at], *before = i - 1;
		if ((k->joins[at] & JOIN_BACK) && !(before->op == OP_CALL && finds_answer(k, before) && (i->op == OP_JZ || i->op == OP_JNZ)))
			break; /* what is called has it for its own */
		switch ((enum op)i->op) {
		case OP_LDF: case OP_LDT: case OP_MOVE:
			n += i->b == x;
			break;
		case OP_STF:
			n += (i->a == x) + (i->b == x);
			break;
		case OP_ADF: case OP_FREE:
			n += i->a == x;
			break;
		case OP_ROLL:
			if (i->c != x)
				return n;
			n++;
			break;
		default:
			break;
		}
		if (quick_may_write(p, i, (int)x))
			break;
	}
	return n;
}

enum x64_reg take_thing(struct maker *k, unsigned x)
{
	if (k->beside == (int)x)
		return BESIDE;
	const int asked = is_number(k, x) || k->noted[k->fn] ? 0 : asked_ahead(k, x);
	/* who is at hand in rax takes a step to get there */
	if (asked <= (k->cached == (int)x) || (k->beside >= 0 && asked <= asked_ahead(k, (unsigned)k->beside))) {
		take(k, RAX, x);
		return RAX;
	}
	take(k, BESIDE, x);
	return BESIDE;
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
