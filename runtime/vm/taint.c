/* taint.c - faces of one die that come to the same.
 *
 * A die's answer is followed from register to register while it is only moved, added to and
 * compared. Each comparison says for which other faces it would have gone the same way. When
 * the machine stops and nothing that goes on depends on the face, every face in that range
 * would have come to the very same machine: a d20 against a number is a hit or a miss, not
 * twenty things. Any other use of the answer narrows the range to the face itself. */
#include "runtime/vm/live.h"
#include "runtime/vm/machine.h"

static int find(const struct taint *t, uint32_t at)
{
	for (int i = 0; i < t->n; i++)
		if (t->at[i] == at)
			return i;
	return -1;
}

static void drop(struct taint *t, uint32_t at)
{
	int i = find(t, at);
	if (i < 0)
		return;
	t->n--;
	t->at[i] = t->at[t->n];
	t->add[i] = t->add[t->n];
}

void taint_alone(struct taint *t)
{
	t->low = t->high = t->face;
	t->n = 0;
}

static void mark(struct taint *t, uint32_t at, word add)
{
	drop(t, at);
	if (t->n == TAINTS_MAX) {
		taint_alone(t);
		return;
	}
	t->at[t->n] = at;
	t->add[t->n++] = add;
}

void taint_begin(struct taint *t, uint32_t at, word face)
{
	t->n = 0;
	t->face = face;
	t->low = INT32_MIN;
	t->high = INT32_MAX;
	mark(t, at, 0);
}

static void at_least(struct taint *t, word bound)
{
	if (bound > t->low)
		t->low = bound;
}

static void at_most(struct taint *t, word bound)
{
	if (bound < t->high)
		t->high = bound;
}

/* face + add (op) other, which came out as `so`. */
static void compare(struct taint *t, enum op op, bool left, word add, word other)
{
	word edge;
	if (other == NONE)
		return; /* never so, whatever the face */
	if (__builtin_sub_overflow(other, add, &edge) || edge > INT32_MAX / 2 || edge < INT32_MIN / 2) {
		taint_alone(t);
		return;
	}
	switch (op) {
	case OP_EQ: case OP_NE: case OP_SAME:
		if (t->face == edge) {
			at_least(t, edge);
			at_most(t, edge);
		} else if (t->face < edge) {
			at_most(t, edge - 1);
		} else {
			at_least(t, edge + 1);
		}
		break;
	case OP_LT:
		if (left ? t->face < edge : t->face > edge)
			left ? at_most(t, edge - 1) : at_least(t, edge + 1);
		else
			left ? at_least(t, edge) : at_most(t, edge);
		break;
	default: /* LE */
		if (left ? t->face <= edge : t->face >= edge)
			left ? at_most(t, edge) : at_least(t, edge);
		else
			left ? at_least(t, edge + 1) : at_most(t, edge - 1);
		break;
	}
}

static bool reads_any(const struct vm *m, const struct insn *i, uint32_t fp)
{
	const struct taint *t = &m->taint;
	for (int k = 0; k < t->n; k++)
		if (t->at[k] >= fp && live_reads(m->p, &m->p->fn[m->w[H_FN]], i, (int)(t->at[k] - fp)))
			return true;
	return false;
}

void taint_look(struct vm *m, const struct insn *i, uint32_t fp)
{
	struct taint *t = &m->taint;
	const word *r = m->w + fp;
	uint32_t a = fp + i->a, b = fp + i->b, c = fp + i->c;
	int x = find(t, b), y = find(t, c);
	switch ((enum op)i->op) {
	case OP_MOVE:
		if (x >= 0)
			mark(t, a, t->add[x]);
		else
			drop(t, a);
		return;
	case OP_ADD:
	case OP_SUB: {
		word sum;
		if (x < 0 && y < 0) {
			drop(t, a);
			return;
		}
		bool bad = (x >= 0 && y >= 0) || (i->op == OP_SUB && x < 0);
		word other = x >= 0 ? r[i->c] : r[i->b], add = x >= 0 ? t->add[x] : t->add[y];
		if (bad || other == NONE || (i->op == OP_ADD ? __builtin_add_overflow(add, other, &sum) : __builtin_sub_overflow(add, other, &sum)) || sum > INT32_MAX || sum < INT32_MIN)
			taint_alone(t);
		else
			mark(t, a, sum);
		return;
	}
	case OP_EQ: case OP_NE: case OP_SAME: case OP_LT: case OP_LE:
		if (x >= 0 && y >= 0)
			taint_alone(t);
		else if (x >= 0)
			compare(t, (enum op)i->op, true, t->add[x], r[i->c]);
		else if (y >= 0)
			compare(t, (enum op)i->op, false, t->add[y], r[i->b]);
		drop(t, a);
		return;
	case OP_JNONE: case OP_JSOME:
		return; /* no face is unset */
	case OP_CALL:
	case OP_SETTLE:
	case OP_CALLACT:
		/* arguments stay where they are; only the way back is written over */
		if (i->op == OP_CALLACT && x >= 0) {
			taint_alone(t);
			return;
		}
		drop(t, a);
		drop(t, a + 1);
		return;
	case OP_RET: {
		struct taint before = *t;
		for (int k = 0; k < before.n; k++)
			if (before.at[k] >= fp - 2)
				drop(t, before.at[k]); /* the frame is gone */
		for (int k = 0; k < i->b; k++) {
			int from = find(&before, fp + i->a + (uint32_t)k);
			if (from >= 0)
				mark(t, fp - 2 + (uint32_t)k, before.add[from]);
		}
		return;
	}
	default:
		if (reads_any(m, i, fp))
			taint_alone(t);
		else
			for (int k = t->n; k-- > 0;)
				if (t->at[k] >= fp && live_writes(m->p, &m->p->fn[m->w[H_FN]], i, (int)(t->at[k] - fp)))
					drop(t, t->at[k]);
		return;
	}
}

/* What of the answer goes on: nothing, or the face stands alone. */
void taint_settle(struct vm *m)
{
	struct taint *t = &m->taint;
	uint32_t fp = (uint32_t)m->w[H_FP], above = UINT32_MAX;
	word pc = m->w[H_PC];
	while (t->n > 0) {
		for (int k = 0; k < t->n; k++)
			if (t->at[k] >= fp && t->at[k] < above && live_at(m->live, pc, (int)(t->at[k] - fp))) {
				taint_alone(t);
				return;
			}
		pc = m->w[fp - 2];
		if (pc < 0)
			break;
		above = fp - 2;
		fp = (uint32_t)((uint64_t)m->w[fp - 1] >> 32);
	}
	t->n = 0;
}
