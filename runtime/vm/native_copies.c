/* native_copies.c - copies of members begun and ended, as processor code (native.h): what group_begin and
 * group_end (group.c) do where it is known that copies are needed, and where nothing was written on one. */
#include "runtime/vm/native_maker.h"

typedef int native_copies_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

void go_on_in_other(struct maker *k, int32_t at)
{
	struct x64 *x = &k->x;
	x64_number(x, RCX, (int64_t)(intptr_t)k->other);
	x64_do(x, X_LOAD, RCX, x64_at(RCX, 0));
	x64_regs(x, X_TEST, RCX, RCX);
	const uint32_t missing = x64_jump_if(x, IF_SAME);
	x64_jump_at(x, x64_at(RCX, 8 * (int64_t)at));
	x64_lead(x, missing, x->n);
	x64_number(x, RAX, at);
	x64_lead(x, x64_jump(x), k->leave);
}

/* The outermost copy begins: whether the members need any was judged before. */
static void copy_begins(struct maker *k, const struct insn *i, int32_t at)
{
	struct x64 *x = &k->x;
	x64_do(x, X_LOAD, RDX, OF_MACHINE(last));
	x64_fix_at(x, false, FIX_CMP, x64_at(RDX, offsetof(struct group, judged)), i->c + 1);
	const uint32_t judge = x64_jump_if(x, IF_OTHER);
	compare_byte(x, x64_at(RDX, offsetof(struct group, apart)));
	const uint32_t apart = x64_jump_if(x, IF_OTHER);
	put_byte(x, x64_at(RDX, offsetof(struct group, copies)), 1);
	x64_put32(x, OF_MACHINE(journaling), 1);
	x64_do32(x, X_LOAD, RAX, OF_MACHINE(journal.n));
	x64_do32(x, X_STORE, RAX, x64_at(RDX, offsetof(struct group, mark)));
	x64_do32(x, X_STORE, RAX, OF_MACHINE(since));
	x64_do(x, X_LOAD, RCX, reg(i->a));
	x64_times(x, RCX, RCX, (int32_t)sizeof(struct member));
	x64_do(x, X_ADD, RCX, x64_at(RDX, offsetof(struct group, member)));
	begin_stage(k, i);
	go_on_in_other(k, at + 1);
	x64_lead(x, judge, x->n);
	x64_lead(x, apart, x->n);
}

/* It ends, nothing was written on it, and nobody stopped the member. */
static void copy_ends(struct maker *k, const struct insn *i, int32_t at)
{
	struct x64 *x = &k->x;
	uint32_t aside[3];
	x64_do(x, X_LOAD, RDX, OF_MACHINE(last));
	x64_do32(x, X_LOAD, RAX, OF_MACHINE(journal.n));
	x64_do32(x, X_CMP, RAX, x64_at(RDX, offsetof(struct group, mark)));
	aside[0] = x64_jump_if(x, IF_OTHER);
	x64_fix_at(x, false, FIX_CMP, OF_MACHINE(journaling), 1);
	aside[1] = x64_jump_if(x, IF_OTHER);
	x64_fix_at(x, true, FIX_CMP, reg(i->b), 0);
	aside[2] = x64_jump_if(x, IF_OTHER);
	x64_put32(x, OF_MACHINE(journaling), 0);
	x64_put32(x, OF_MACHINE(since), NO_COPY);
	end_stage(k);
	go_on_in_other(k, at + 1);
	for (int n = 0; n < 3; n++)
		x64_lead(x, aside[n], x->n);
}

void make_light_copy(struct maker *k, const struct insn *i, int32_t at)
{
	if (i->op == OP_BEGIN)
		copy_begins(k, i, at);
	else
		copy_ends(k, i, at);
}

#endif
