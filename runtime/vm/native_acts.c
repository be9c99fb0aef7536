/* native_acts.c - stages of acts called, as processor code (native.h): for each stage of each event a way that sets out what
 * an act says as the arguments of its function. */
#include "runtime/vm/native_maker.h"

typedef int native_acts_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

/* ---- to where the act's event has its stage ---- */

/* On its way rsi holds the window, rdx the instruction to come back to. */
bool make_call_act(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	take(k, RAX, i->b);
	x64_fix(x, FIX_CMP, RAX, k->p->events);
	leave_if(k, IF_NOT_BELOW);
	x64_number(x, RCX, (int64_t)(intptr_t)(k->ways + (ptrdiff_t)i->c * k->p->events));
	x64_do(x, X_LOAD, RCX, x64_in(RCX, RAX, 3, 0));
	x64_regs(x, X_TEST, RCX, RCX);
	stub(k, STUB_WAY, x64_jump_if(x, IF_OTHER), 0);
	/* there is nothing to call */
	put_number(k, i->a, i->c == AT_STAGES ? NONE : 0);
	return true;
}

/* ---- the ways ---- */

/* A way that any stage can take, by a call. */
static void make_slow_way(struct maker *k)
{
	struct x64 *x = &k->x;
	x64_do(x, X_STORE, RDX, HEADER(H_PC));
	x64_regs(x, X_LOAD, RDI, MACHINE);
	x64_regs(x, X_LOAD, RSI, FRAME);
	x64_number(x, RAX, (int64_t)(intptr_t)(k->p->code - 1));
	x64_do(x, X_LEA, RDX, x64_in(RAX, RDX, 3, 0));
	x64_call(x, (uintptr_t)native_call_act);
	x64_number(x, RDX, (int64_t)(intptr_t)k->table);
	x64_do(x, X_LOAD, RCX, HEADER(H_FP));
	x64_do(x, X_LEA, FRAME, x64_in(WORLD, RCX, 3, 0));
	x64_regs(x, X_TEST, RAX, RAX);
	const uint32_t other = x64_jump_if(x, IF_SIGN);
	x64_jump_at(x, x64_in(RDX, RAX, 3, 0));
	x64_lead(x, other, x->n);
	x64_do(x, X_LOAD, RCX, HEADER(H_PC));
	x64_fix(x, FIX_CMP, RAX, -1);
	const uint32_t fails = x64_jump_if(x, IF_OTHER);
	x64_jump_at(x, x64_in(RDX, RCX, 3, 0));
	x64_lead(x, fails, x->n);
	x64_number(x, RAX, (int64_t)LEFT_FAILED << 32);
	x64_lead(x, x64_jump(x), k->leave);
}

/* Are all arguments where an act's row has them, and is no answer kept? */
static bool goes_straight(const struct maker *k, const struct event_info *e, int32_t fn)
{
	for (int i = 0; i < e->roles; i++)
		if (e->role[i].field >= 0 && (k->p->field[e->role[i].field].kind != KIND_ACT || k->m->reach[e->role[i].field].stride != k->p->layout.act_stride))
			return false;
	return k->m->memo.of[fn] < 0;
}

/* As act_arguments (inside.h) has it, of the act in rax. */
static void make_arguments(struct maker *k, const struct event_info *e)
{
	struct x64 *x = &k->x;
	const struct layout *l = &k->p->layout;
	x64_times(x, RCX, RAX, (int32_t)l->act_stride);
	for (int i = 0; i < e->roles; i++) {
		const struct role_info *role = &e->role[i];
		const int width = role->field < 0 && role->type.base == VT_SET ? k->p->set_words : 1;
		const uint32_t from = role->field >= 0 ? k->m->reach[role->field].base : l->acts + ACT_ARGS + role->word;
		for (int w = 0; w < width; w++) {
			x64_do(x, X_LOAD, RDI, x64_in(WORLD, RCX, 3, 8 * ((int64_t)from + w)));
			x64_do(x, X_STORE, RDI, x64_at(RSI, 8 * (2 + (int64_t)role->word + w)));
		}
	}
}

static void make_way(struct maker *k, const struct event_info *e, int stage)
{
	struct x64 *x = &k->x;
	const int32_t fn = e->stage_fn[stage];
	const struct layout *l = &k->p->layout;
	x64_fix_at(x, true, FIX_SUB, OF_MACHINE(fuel), 8);
	const uint32_t empty = x64_jump_if(x, IF_BELOW);
	x64_do(x, X_LOAD, RAX, x64_at(RSI, 16));
	make_arguments(k, e);
	if (stage == AT_STAGES)
		x64_do(x, X_STORE, RAX, x64_at(RSI, 8 * (2 + (int64_t)e->words)));
	/* its frame begins */
	x64_do(x, X_LEA, RCX, x64_at(RSI, 16));
	x64_regs(x, X_LOAD, RDI, RCX);
	x64_regs(x, X_SUB, RDI, WORLD);
	x64_shift(x, false, RDI, 3);
	x64_fix(x, FIX_CMP, RDI, (int32_t)(l->stack + l->stack_words - k->p->fn[fn].registers - 2));
	const uint32_t deep = x64_jump_if(x, IF_MORE);
	x64_do(x, X_STORE, RDX, x64_at(RSI, 0));
	x64_do(x, X_LOAD, RAX, HEADER(H_FP));
	x64_shift(x, true, RAX, 32);
	x64_do(x, X_OR, RAX, HEADER(H_FN));
	x64_do(x, X_STORE, RAX, x64_at(RSI, 8));
	x64_do(x, X_STORE, RDI, HEADER(H_FP));
	x64_put(x, HEADER(H_FN), fn);
	x64_regs(x, X_LOAD, FRAME, RCX);
	jump_to(k, k->p->fn[fn].entry);
	x64_lead(x, empty, x->n); /* the loop finds that out */
	x64_fix_at(x, true, FIX_ADD, OF_MACHINE(fuel), 8);
	x64_do(x, X_LEA, RAX, x64_at(RDX, -1));
	x64_lead(x, x64_jump(x), k->leave);
	x64_lead(x, deep, x->n);
	x64_do(x, X_STORE, RDX, HEADER(H_PC));
	x64_regs(x, X_LOAD, RDI, MACHINE);
	x64_number(x, RSI, fn);
	x64_call(x, (uintptr_t)native_too_deep);
	x64_number(x, RAX, (int64_t)LEFT_FAILED << 32);
	x64_lead(x, x64_jump(x), k->leave);
}

void make_ways(struct maker *k)
{
	const struct program *p = k->p;
	const uint8_t *slow = k->x.code + k->x.n;
	make_slow_way(k);
	for (int stage = 0; stage <= AT_STAGES; stage++)
		for (int e = 0; e < p->events; e++) {
			const int32_t fn = p->event[e].stage_fn[stage];
			const void **way = &k->ways[(ptrdiff_t)stage * p->events + e];
			if (fn < 0)
				continue;
			*way = slow;
			if (!goes_straight(k, &p->event[e], fn))
				continue;
			*way = k->x.code + k->x.n;
			make_way(k, &p->event[e], stage);
		}
}

#endif
