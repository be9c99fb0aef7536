/* native_calls.c - calls and returns, answers looked up, sets, as processor code (native.h). */
#include "runtime/vm/native_maker.h"
#include "runtime/vm/quick.h"

typedef int native_calls_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

enum { SETS_INLINE = 4, ENTRY_SHIFT = 6 };
_Static_assert(sizeof(struct memo_entry) == 1 << ENTRY_SHIFT, "entries are found by a shift");

/* ---- calls ---- */

/* Is the answer kept? Of a function of one word that answers with one, and is no condition, looked up here when
 * nothing is being worked out; else native_known looks. Falls through where it is known. */
bool make_call(struct maker *k, const struct insn *i, int32_t fn)
{
	struct x64 *x = &k->x;
	struct memo *memo = &k->m->memo;
	const struct fn_info *f = &k->p->fn[fn];
	const int32_t of = memo->of[fn];
	const bool one = f->arguments == 1 && f->results == 1;
	fuel(k, 8);
	if (of < 0 && !one) {
		stub(k, STUB_ENTER, x64_jump(x), (uint32_t)fn);
		return true;
	}
	if (of < 0) { /* an act's time may be known all the same */
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(pending.once.fn), fn);
		stub(k, STUB_ENTER, x64_jump_if(x, IF_OTHER), (uint32_t)fn);
		come_back(k, stub(k, STUB_KNOWN, x64_jump(x), (uint32_t)fn));
		return true;
	}
	if (!one || memo->fn.v[of].place >= 0) {
		come_back(k, stub(k, STUB_KNOWN, x64_jump(x), (uint32_t)fn));
		return true;
	}
	/* of a function whose answers are kept no longer, what was kept still holds */
	const struct memo_fn *kept = &memo->fn.v[of];
	int slow[3], n = 0;
	take(k, RAX, i->a + 2u);
	x64_fix_at(x, false, FIX_CMP, OF_MACHINE(memo.depth), 0);
	slow[n++] = stub(k, STUB_KNOWN, x64_jump_if(x, IF_OTHER), (uint32_t)fn);
	x64_number(x, RCX, (int64_t)(intptr_t)kept);
	x64_do32(x, X_LOAD, RDX, x64_at(RCX, offsetof(struct memo_fn, mask)));
	x64_regs(x, X_AND, RDX, RAX);
	x64_do32(x, X_ADD, RDX, x64_at(RCX, offsetof(struct memo_fn, first)));
	x64_shift(x, true, RDX, ENTRY_SHIFT);
	x64_do(x, X_ADD, RDX, OF_MACHINE(memo.entry.v));
	x64_do(x, X_CMP, RAX, x64_at(RDX, offsetof(struct memo_entry, argument)));
	slow[n++] = stub(k, STUB_KNOWN, x64_jump_if(x, IF_OTHER), (uint32_t)fn);
	compare_byte(x, x64_at(RDX, offsetof(struct memo_entry, valid)));
	slow[n++] = stub(k, STUB_KNOWN, x64_jump_if(x, IF_SAME), (uint32_t)fn);
	x64_fix_at(x, false, FIX_ADD, x64_at(RCX, offsetof(struct memo_fn, found)), 1);
	x64_do(x, X_LOAD, RAX, x64_at(RDX, offsetof(struct memo_entry, answer)));
	x64_do(x, X_STORE, RAX, reg(i->a));
	for (int s = 0; s < n; s++)
		come_back(k, slow[s]);
	return true;
}

/* The frame of a function called by the instruction at `at` begins. */
void make_entry(struct maker *k, int32_t at, int32_t caller, int32_t fn)
{
	struct x64 *x = &k->x;
	const struct program *p = k->p;
	const struct fn_info *f = &p->fn[fn];
	const unsigned a = p->code[at].a;
	const uint32_t end = p->layout.stack + p->layout.stack_words;
	x64_do(x, X_LOAD, RAX, HEADER(H_FP));
	x64_fix(x, FIX_CMP, RAX, (int32_t)(end - f->registers - 2 - a - 2));
	const uint32_t fits = x64_jump_if(x, IF_NOT_MORE);
	x64_put(x, HEADER(H_PC), at + 1);
	x64_regs(x, X_LOAD, RDI, MACHINE);
	x64_number(x, RSI, fn);
	x64_call(x, (uintptr_t)native_too_deep);
	x64_number(x, RAX, (int64_t)((uint64_t)LEFT_FAILED << 32 | (uint32_t)at));
	x64_lead(x, x64_jump(x), k->leave);
	x64_lead(x, fits, x->n);
	x64_put(x, reg(a), at + 1);
	x64_do(x, X_LEA, RCX, x64_at(RAX, a + 2));
	x64_shift(x, true, RAX, 32);
	x64_fix(x, FIX_OR, RAX, caller);
	x64_do(x, X_STORE, RAX, reg(a + 1));
	x64_do(x, X_STORE, RCX, HEADER(H_FP));
	x64_put(x, HEADER(H_FN), fn);
	x64_fix(x, FIX_ADD, FRAME, (int32_t)(a + 2) * 8);
	jump_to(k, f->entry);
}

/* rax: does a condition wait to be asked? The flags say so, too. */
void take_waiting(struct maker *k)
{
	struct x64 *x = &k->x;
	const word waits = k->m->conditions;
	x64_do(x, X_LOAD, RAX, HEADER(H_DIRTY));
	if (waits >= INT32_MIN && waits <= INT32_MAX) {
		x64_fix(x, FIX_AND, RAX, (int32_t)waits);
	} else {
		x64_number(x, RCX, waits);
		x64_regs(x, X_AND, RAX, RCX);
	}
	k->cached = -1;
}

bool make_settle(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	take_waiting(k);
	const uint32_t asks = x64_jump_if(x, IF_OTHER);
	x64_put(x, reg(i->a), 0);
	x64_put(x, reg(i->a + 1u), 0);
	jump_to(k, k->at + 1);
	x64_lead(x, asks, x->n);
	return make_call(k, i, i->k);
}

bool make_call_act(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const struct program *p = k->p;
	/* mostly there is nothing to call */
	take(k, RAX, i->b);
	x64_fix(x, FIX_CMP, RAX, p->events);
	leave_if(k, IF_NOT_BELOW);
	fuel(k, 8);
	x64_times(x, RAX, RAX, (int32_t)sizeof(struct event_info));
	x64_number(x, RCX, (int64_t)(intptr_t)&p->event[0].stage_fn[i->c]);
	k->cached = -1;
	x64_fix_at(x, false, FIX_CMP, x64_in(RCX, RAX, 0, 0), 0);
	const uint32_t calls = x64_jump_if(x, IF_NOT_LESS);
	if (i->c == AT_STAGES)
		x64_do(x, X_STORE, UNSET, reg(i->a));
	else
		x64_put(x, reg(i->a), 0);
	jump_to(k, k->at + 1);
	x64_lead(x, calls, x->n);
	call_for(k, k->at, (uintptr_t)native_call_act);
	x64_fix(x, FIX_CMP, RAX, -1);
	jump_if(k, IF_SAME, k->at + 1);
	stub(k, STUB_FAIL, x64_jump_if(x, IF_LESS), 0);
	x64_do(x, X_LOAD, RCX, HEADER(H_FP));
	x64_do(x, X_LEA, FRAME, x64_in(WORLD, RCX, 3, 0));
	x64_number(x, RCX, (int64_t)(intptr_t)k->table);
	x64_jump_at(x, x64_in(RCX, RAX, 3, 0));
	return true;
}

bool make_return(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	if (i->b > 8)
		return false;
	x64_do(x, X_LOAD, BACK, x64_at(FRAME, -16));
	x64_do(x, X_LOAD, PACKED, x64_at(FRAME, -8));
	for (unsigned n = 0; n < i->b; n++) {
		const struct x64_at to = x64_at(FRAME, -16 + 8 * (int64_t)n);
		if (is_small(k, i->a + n)) {
			x64_put(x, to, (int32_t)known(k, i->a + n)->number);
		} else {
			take(k, RAX, i->a + n);
			x64_do(x, X_STORE, RAX, to);
		}
		if (n >= 2) /* a register of its own that was written */
			learn(k, n - 2, ANYTHING, 0);
	}
	x64_fix_at(x, false, FIX_CMP, OF_MACHINE(memo.depth), 0);
	come_back(k, stub(k, STUB_ANSWERED, x64_jump_if(x, IF_OTHER), 0));
	x64_regs(x, X_TEST, BACK, BACK);
	stub(k, STUB_LEAVE, x64_jump_if(x, IF_SIGN), LEFT_OVER);
	x64_regs(x, X_LOAD, RAX, PACKED);
	x64_shift(x, false, RAX, 32);
	x64_do(x, X_STORE, RAX, HEADER(H_FP));
	x64_do(x, X_LEA, FRAME, x64_in(WORLD, RAX, 3, 0));
	x64_opcode(x, false, X_LOAD, RAX, 0, PACKED); /* mov eax, r15d */
	x64_bytes(x, 0xc0u | (RAX << 3) | (PACKED & 7u), 1);
	x64_do(x, X_STORE, RAX, HEADER(H_FN));
	x64_number(x, RCX, (int64_t)(intptr_t)k->table);
	x64_jump_at(x, x64_in(RCX, BACK, 3, 0));
	return true;
}

/* ---- sets and kinds ---- */

bool make_next_kind(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	take(k, RAX, i->a);
	x64_fix(x, FIX_ADD, RAX, 1);
	x64_fix(x, FIX_CMP, RAX, (int32_t)k->p->layout.kind[i->k].count);
	const uint32_t is = x64_jump_if(x, IF_BELOW);
	x64_regs(x, X_LOAD, RAX, UNSET);
	x64_lead(x, is, x->n);
	put(k, i->a, ANYTHING);
	return true;
}

/* Of a set of one word. */
bool make_next(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	if (quick_of(k->p, k->at) == QUICK_FILL) {
		take(k, RCX, i->a);
		x64_fix(x, FIX_CMP, RCX, -1); /* where it begins */
		const uint32_t within = x64_jump_if(x, IF_OTHER);
		x64_number(x, RAX, 4 * 64 * (int64_t)k->p->set_words);
		x64_do(x, X_CMP, RAX, OF_MACHINE(fuel));
		leave_if(k, IF_ABOVE);
		call_apart(k, native_fill());
		learn(k, i->a, ANYTHING, 0);
		x64_lead(x, within, x->n);
	}
	if (k->p->set_words != 1) {
		call_apart(k, native_apart_of(OP_SNEXT));
		learn(k, i->a, ANYTHING, 0);
		return true;
	}
	take(k, RCX, i->a);
	x64_fix(x, FIX_ADD, RCX, 1);
	x64_fix(x, FIX_CMP, RCX, 64);
	const uint32_t end = x64_jump_if(x, IF_NOT_BELOW);
	x64_do(x, X_LOAD, RAX, reg(i->b));
	x64_shift_cl(x, false, RAX);
	x64_regs(x, X_BITS, RAX, RAX);
	const uint32_t empty = x64_jump_if(x, IF_SAME);
	x64_regs(x, X_ADD, RAX, RCX);
	const uint32_t over = x64_jump(x);
	x64_lead(x, end, x->n);
	x64_lead(x, empty, x->n);
	x64_regs(x, X_LOAD, RAX, UNSET);
	x64_lead(x, over, x->n);
	put(k, i->a, ANYTHING);
	return true;
}

bool make_add_member(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const int n = k->p->set_words;
	take(k, RAX, i->b);
	x64_fix(x, FIX_CMP, RAX, n * 64);
	const uint32_t no = x64_jump_if(x, IF_NOT_BELOW);
	if (n == 1) {
		x64_do(x, X_LOAD, RDX, reg(i->a));
		x64_opcode(x, true, X_BIT_ON, RAX, 0, RDX);
		x64_bytes(x, 0xc0u | (RAX << 3) | RDX, 1);
		x64_do(x, X_STORE, RDX, reg(i->a));
	} else {
		x64_do(x, X_BIT_ON, RAX, reg(i->a));
	}
	x64_lead(x, no, x->n);
	learn_words(k, i->a, n);
	return true;
}

bool make_sets(struct maker *k, const struct insn *i)
{
	const int n = k->p->set_words;
	if (n > SETS_INLINE || (i->op == OP_SMOVE && i->a > i->b && i->a < i->b + n))
		return false;
	for (int w = 0; w < n; w++) {
		const unsigned to = i->a + (unsigned)w;
		if (i->op == OP_SNONE) {
			x64_put(&k->x, reg(to), 0);
		} else {
			x64_do(&k->x, X_LOAD, RDX, reg(i->b + (unsigned)w));
			x64_do(&k->x, X_STORE, RDX, reg(to));
		}
		learn(k, to, ANYTHING, 0);
	}
	return true;
}

#endif
