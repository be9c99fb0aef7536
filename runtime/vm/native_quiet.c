/* native_quiet.c - loops of which turns are left out (quiet.h), as native code (native.h). */
#include "runtime/vm/native_maker.h"

typedef int native_quiet_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

enum { MARKS_MOST = 24 };

/* The words of `due` that are noted for thing rcx / 64 when its field is written: where they begin.
 * -1: it takes more than that. */
static int marks_of(const struct maker *k, int32_t field, uint32_t *first)
{
	const struct program *p = k->p;
	int n = 0;
	for (int loop = 0; loop < p->quiets; loop++)
		for (int r = p->quiet[loop].first; r < p->quiet[loop].first + p->quiet[loop].count;
			r++) {
			const struct quiet_rest *of = &p->quiet_rest[r];
			const bool here =
				of->of == field && (of->sort == QUIET_WHO || of->sort == QUIET_ROW);
			if (of->sort == QUIET_WORD &&
				of->at - p->field[field].base <
					p->layout.kind[p->field[field].kind].count)
				return -1;
			if (here && (p->quiet[loop].pairs || n == MARKS_MOST))
				return -1;
			if (here)
				first[n++] = k->m->memo.quiet[loop].first;
		}
	return n;
}

/* As quiet_wrote has it; rcx stays. */
void make_marks(struct maker *k)
{
	const struct program *p = k->p;
	struct x64 *x = &k->x;
	uint32_t first[MARKS_MOST];
	for (int32_t f = 0; f < p->fields && k->m->memo.due; f++) {
		const struct reach *of = &k->m->reach[f];
		const int n = of->act || !of->plain || of->stride != 1 || p->field[f].words != 1
			? 0
			: marks_of(k, f, first);
		if (n <= 0)
			continue;
		k->marks[f] = x->n;
		x64_number(x, RSI, (int64_t)(intptr_t)k->m->memo.due);
		x64_number(x, RDX, 0);
		x64_bit(x, X_BIT_ON, RDX, RCX);
		if (of->count > 64) {
			x64_regs(x, X_LOAD, RDI, RCX);
			x64_shift(x, false, RDI, 6);
		}
		for (int i = 0; i < n; i++)
			x64_do(x, (enum x64_op)X_OR_AT, RDX,
				of->count > 64 ? x64_in(RSI, RDI, 3, (int64_t)first[i] * 8)
					       : x64_at(RSI, (int64_t)first[i] * 8));
		x64_return(x);
	}
}

/* rsi: where the bits of the loop, or of its row, begin. False where the row may be none. */
static bool find_bits(struct maker *k, const struct insn *i)
{
	const struct memo_quiet *q = &k->m->memo.quiet[i->c];
	struct x64 *x = &k->x;
	const int64_t first = (int64_t)(intptr_t)(k->m->memo.due + q->first);
	if (!k->p->quiet[i->c].pairs) {
		x64_number(x, RSI, first);
		return true;
	}
	if (!is_below(k, i->b, q->things))
		return false;
	take(k, RAX, i->b);
	k->cached = -1;
	x64_times(x, RAX, RAX, (int32_t)(q->words * 8));
	x64_number(x, RSI, first);
	x64_regs(x, X_ADD, RSI, RAX);
	return true;
}

static struct x64_at bits_at(const struct memo_quiet *q)
{
	return q->words > 1 ? x64_in(RSI, RDX, 3, 0) : x64_at(RSI, 0);
}

/* By a call, which knows all ways. */
static int next_by_call(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	settle(k, k->at);
	call_apart(k, native_apart_of(OP_QNEXT));
	k->cached = -1;
	x64_do(x, X_LOAD, RAX, reg(i->a));
	x64_regs(x, X_CMP, RAX, UNSET);
	const uint32_t end = x64_jump_if(x, IF_SAME);
	return put_next(k, i, &end, 1, k->p->layout.kind[k->p->quiet[i->c].kind].count);
}

/* As quiet_next has it. */
int make_next_quiet(struct maker *k, const struct insn *i)
{
	const struct memo_quiet *q = k->m->memo.due ? &k->m->memo.quiet[i->c] : NULL;
	struct x64 *x = &k->x;
	uint32_t ends[2];
	int n = 0;
	if (!q || k->noted[k->fn] || (k->undone && k->p->quiet[i->c].writes) || !find_bits(k, i))
		return next_by_call(k, i);
	take(k, RCX, i->a);
	k->cached = -1;
	x64_fix(x, FIX_ADD, RCX, 1);
	if (q->things % 64 == 0) { /* there is no word behind the last */
		x64_fix(x, FIX_CMP, RCX, (int32_t)q->things);
		ends[n++] = x64_jump_if(x, IF_NOT_BELOW);
	}
	if (q->words > 1) {
		x64_regs(x, X_LOAD, RDX, RCX);
		x64_shift(x, false, RDX, 6);
	}
	x64_do(x, X_LOAD, RAX, bits_at(q));
	x64_shift_cl(x, false, RAX); /* of cl it takes what is below 64 */
	x64_regs(x, X_BITS, RAX, RAX);
	const uint32_t none = x64_jump_if(x, IF_SAME);
	x64_regs(x, X_ADD, RAX, RCX);
	if (q->words > 1) { /* the words behind it */
		const uint32_t found = x64_jump(x);
		x64_lead(x, none, x->n);
		const uint32_t next = x->n;
		x64_fix(x, FIX_ADD, RDX, 1);
		x64_fix(x, FIX_CMP, RDX, (int32_t)q->words);
		ends[n++] = x64_jump_if(x, IF_NOT_BELOW);
		x64_do(x, X_LOAD, RAX, bits_at(q));
		x64_regs(x, X_BITS, RAX, RAX);
		x64_lead(x, x64_jump_if(x, IF_SAME), next);
		x64_regs(x, X_LOAD, RCX, RDX);
		x64_shift(x, true, RCX, 6);
		x64_regs(x, X_ADD, RAX, RCX);
		x64_lead(x, found, x->n);
	} else {
		ends[n++] = none;
	}
	x64_do(x, X_LOAD, RCX, bits_at(q));
	x64_bit(x, X_BIT_OFF, RCX, RAX);
	x64_do(x, X_STORE, RCX, bits_at(q));
	return put_next(k, i, ends, n, q->things);
}

bool make_again(struct maker *k, const struct insn *i)
{
	const struct memo_quiet *q = k->m->memo.due ? &k->m->memo.quiet[i->c] : NULL;
	struct x64 *x = &k->x;
	if (!q)
		return true;
	if (!is_below(k, i->a, q->things) || !find_bits(k, i)) {
		settle(k, k->at);
		call_apart(k, native_apart_of(OP_AGAIN));
		return true;
	}
	take(k, RCX, i->a);
	k->cached = -1;
	if (q->words > 1) {
		x64_regs(x, X_LOAD, RDX, RCX);
		x64_shift(x, false, RDX, 6);
	}
	x64_do(x, X_LOAD, RAX, bits_at(q));
	x64_bit(x, X_BIT_ON, RAX, RCX);
	x64_do(x, X_STORE, RAX, bits_at(q));
	return true;
}

#endif
