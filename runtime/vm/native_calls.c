/* native_calls.c - calls and returns, answers looked up, as processor code (native.h). */
#include "runtime/vm/native_maker.h"

typedef int native_calls_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

enum { RESULTS_INLINE = 4, ENTRY_SHIFT = 6 };
_Static_assert(sizeof(struct memo_entry) == 1 << ENTRY_SHIFT, "entries are found by a shift");

/* ---- calls ---- */

/* rdx: the entry that may hold the answer for the argument in rax, rcx the function's struct memo_fn, rsi the entry's number
 * among its own; the jumps that are taken if it holds another. */
static int find_answer(struct maker *k, int32_t of, int32_t fn, int *slow)
{
	struct x64 *x = &k->x;
	int n = 0;
	if (k->noted[k->fn]) { /* what is being worked out rests on it */
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(memo.depth), 0);
		slow[n++] = stub(k, STUB_KNOWN, x64_jump_if(x, IF_OTHER), (uint32_t)fn);
	}
	x64_number(x, RCX, (int64_t)(intptr_t)&k->m->memo.fn.v[of]);
	x64_do32(x, X_LOAD, RSI, x64_at(RCX, offsetof(struct memo_fn, mask)));
	x64_regs(x, X_AND, RSI, RAX);
	x64_regs(x, X_LOAD, RDX, RSI);
	x64_shift(x, true, RDX, ENTRY_SHIFT);
	x64_do(x, X_ADD, RDX, x64_at(RCX, offsetof(struct memo_fn, table)));
	x64_do(x, X_CMP, RAX, x64_at(RDX, offsetof(struct memo_entry, argument)));
	slow[n++] = stub(k, STUB_KNOWN, x64_jump_if(x, IF_OTHER), (uint32_t)fn);
	compare_byte(x, x64_at(RDX, offsetof(struct memo_entry, valid)));
	slow[n++] = stub(k, STUB_KNOWN, x64_jump_if(x, IF_SAME), (uint32_t)fn);
	x64_fix_at(x, false, FIX_ADD, x64_at(RCX, offsetof(struct memo_fn, found)), 1);
	return n;
}

bool finds_answer(const struct maker *k, const struct insn *i)
{
	const struct fn_info *f = &k->p->fn[i->k];
	const int32_t of = k->m->memo.of[i->k];
	return of >= 0 && f->arguments == 1 && f->results <= RESULTS_INLINE && k->m->memo.fn.v[of].place < 0;
}

/* Of a function of one word that is no condition an answer that is kept is looked up here when nothing is being worked out;
 * with the jump on it, if that follows. Returns how many instructions were done. */
static int make_question(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const int32_t of = k->m->memo.of[i->k];
	const struct fn_info *f = &k->p->fn[i->k];
	const bool leads = i[1].a == i->a && (i[1].op == OP_JZ || i[1].op == OP_JNZ) && k->joins[k->at + 1] == JOIN_BACK;
	int slow[3];
	take(k, RAX, i->a + 2u);
	const int n = find_answer(k, of, i->k, slow);
	k->unsaved_for = -1;
	x64_do(x, X_LOAD, RAX, x64_at(RDX, offsetof(struct memo_entry, answer)));
	k->cached = -1;
	if (f->results > 1) { /* the others stand in a table of their own */
		x64_times(x, RSI, RSI, f->results);
		x64_do32(x, X_ADD, RSI, x64_at(RCX, offsetof(struct memo_fn, values)));
		x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.value.v));
	}
	for (unsigned w = 1; w < f->results; w++) {
		x64_do(x, X_LOAD, RCX, x64_in(RDX, RSI, 3, 8 * (int64_t)w));
		x64_do(x, X_STORE, RCX, reg(i->a + w));
	}
	learn_words(k, i->a, (int)f->results);
	if (!leads) {
		if (is_live(k, k->at + 1, i->a))
			x64_do(x, X_STORE, RAX, reg(i->a));
		for (int s = 0; s < n; s++)
			come_back(k, slow[s]);
		return 1;
	}
	settle_from(k, k->at + 1, i->a);
	for (int s = 0; s < n; s++)
		come_back(k, slow[s]);
	come_back(k, stub(k, STUB_RESULT, 0, 0)); /* who comes from the call brings the answer in its register */
	learn_words(k, i->a, (int)k->p->fn[k->fn].registers - i->a);
	k->cached = i->a;
	if (is_live(k, k->at + 2, i->a) || is_live(k, goal(k, &i[1]), i->a))
		x64_do(x, X_STORE, RAX, reg(i->a));
	make_jump_if(k, &i[1]);
	return 2;
}

/* Is the answer kept? Else a frame begins; native_known finds out where that is not known beforehand. */
int make_call(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const int32_t fn = i->k, of = k->m->memo.of[fn];
	const struct fn_info *f = &k->p->fn[fn];
	int slow[3], n = 0;
	if (finds_answer(k, i))
		return make_question(k, i);
	settle(k, k->at);
	if (of < 0 && (f->arguments != 1 || f->results != 1)) {
		fuel(k, 8);
		make_entry(k, k->at, k->fn, fn);
		return 1;
	}
	if (of < 0) { /* an act's time may be known all the same */
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(pending.once.fn), fn);
		slow[n++] = stub(k, STUB_KNOWN, x64_jump_if(x, IF_SAME), (uint32_t)fn);
		fuel(k, 8);
		make_entry(k, k->at, k->fn, fn);
	} else {
		slow[n++] = stub(k, STUB_KNOWN, x64_jump(x), (uint32_t)fn);
	}
	for (int s = 0; s < n; s++)
		come_back(k, slow[s]);
	return 1;
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
	stub_at(k, STUB_DEEP, x64_jump_if(x, IF_MORE), (uint32_t)fn, at);
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

void look_who_waits(struct maker *k)
{
	const word waits = k->m->conditions;
	if (waits >= INT32_MIN && waits <= INT32_MAX) {
		x64_test_at(&k->x, HEADER(H_DIRTY), (int32_t)waits);
		return;
	}
	x64_number(&k->x, RAX, waits);
	k->cached = -1;
	x64_do(&k->x, X_TEST, RAX, HEADER(H_DIRTY));
}

bool make_settle(struct maker *k, const struct insn *i)
{
	look_who_waits(k);
	come_back(k, stub(k, k->m->memo.of[i->k] < 0 ? STUB_ENTER : STUB_KNOWN, x64_jump_if(&k->x, IF_OTHER), (uint32_t)i->k));
	put_number(k, i->a, 0);
	put_number(k, i->a + 1u, 0);
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
	if (k->noted[k->fn]) {
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(memo.depth), 0);
		come_back(k, stub(k, STUB_ANSWERED, x64_jump_if(x, IF_OTHER), 0));
	}
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

#endif
