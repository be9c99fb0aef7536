/* native_groups.c - happenings and groups, as processor code (native.h). */
#include "runtime/vm/native_maker.h"

typedef int native_groups_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

/* ---- the rest ---- */

bool make_stage(struct maker *k, const struct insn *i)
{
	x64_do(&k->x, X_LOAD, RCX, HEADER(H_HAPPENING));
	x64_put(&k->x, x64_in(WORLD, RCX, 3, HAP_STAGE * 8), i->k);
	return true;
}

bool make_over(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	take(k, RAX, i->a);
	x64_regs(x, X_TEST, RAX, SOME);
	leave_if(k, IF_OTHER);
	return true;
}

bool make_pause(struct maker *k)
{
	struct x64 *x = &k->x;
	compare_byte(x, OF_MACHINE(through));
	leave_if(k, IF_SAME);
	if (k->p->blocks <= 1) /* none whose moment comes; vm_run says at the end that nothing is resolved */
		return true;
	x64_fix_at(x, false, FIX_CMP, OF_MACHINE(groups), 0);
	const uint32_t inside = x64_jump_if(x, IF_OTHER);
	compare_byte(x, OF_MACHINE(resolved));
	const uint32_t nothing = x64_jump_if(x, IF_SAME);
	call_apart(k, native_apart_of(OP_PAUSE));
	x64_lead(x, inside, x->n);
	x64_lead(x, nothing, x->n);
	return true;
}

/* ---- happenings and groups ---- */

/* As group.c does it where nothing is told. */
bool make_enter(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const struct layout *l = &k->p->layout;
	const struct event_info *e = &k->p->event[i->k];
	const int words = k->p->set_words;
	const uint32_t size = HAP_SLOTS + (uint32_t)e->slots * (uint32_t)words;
	int apart[3], n = 0;
	if (size > l->happening_words) {
		call_apart(k, native_apart_of(OP_ENTER));
		return true;
	}
	x64_do(x, X_LOAD, RAX, HEADER(H_HAPPENINGS));
	x64_fix(x, FIX_CMP, RAX, (int32_t)(l->happening_words - size));
	apart[n++] = stub(k, STUB_APART, x64_jump_if(x, IF_MORE), 0);
	x64_fix_at(x, true, FIX_CMP, HEADER(H_DEPTH), EVENTS_DEEP);
	apart[n++] = stub(k, STUB_APART, x64_jump_if(x, IF_NOT_LESS), 0);
	if (e->slots) { /* what it was handed is for it */
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(handed_mask), 0);
		apart[n++] = stub(k, STUB_APART, x64_jump_if(x, IF_OTHER), 0);
	} else {
		x64_fix_at(x, false, FIX_AND, OF_MACHINE(handed_mask), 0);
	}
	const struct { enum happening_word word_; int32_t value; } begins[] = {{HAP_EVENT, i->k}, {HAP_RECORD, -1}, {HAP_STAGE, 0}};
	const int64_t base = (int64_t)l->happenings * 8;
	for (size_t b = 0; b < FRAY_COUNT(begins); b++)
		x64_put(x, x64_in(WORLD, RAX, 3, base + begins[b].word_ * 8), begins[b].value);
	x64_do(x, X_LOAD, RCX, HEADER(H_HAPPENING));
	x64_do(x, X_STORE, RCX, x64_in(WORLD, RAX, 3, base + HAP_PARENT * 8));
	for (int slot = 0; slot < e->slots; slot++)
		for (int w = 0; w < words; w++) {
			const struct x64_at to = x64_in(WORLD, RAX, 3, base + (HAP_SLOTS + slot * words + w) * 8);
			const word begin = e->slot_type[slot].base == VT_SET ? 0 : w ? NONE : e->slot_initial[slot];
			if (begin == NONE) {
				x64_do(x, X_STORE, UNSET, to);
			} else if (begin >= INT32_MIN && begin <= INT32_MAX) {
				x64_put(x, to, (int32_t)begin);
			} else {
				x64_number(x, RCX, begin);
				x64_do(x, X_STORE, RCX, to);
			}
		}
	x64_fix_at(x, true, FIX_ADD, HEADER(H_DEPTH), 1);
	x64_fix_at(x, true, FIX_ADD, HEADER(H_HAPPENINGS), (int32_t)size);
	x64_fix(x, FIX_ADD, RAX, (int32_t)l->happenings);
	x64_do(x, X_STORE, RAX, HEADER(H_HAPPENING));
	k->cached = -1;
	for (int s = 0; s < n; s++)
		come_back(k, apart[s]);
	return true;
}

bool make_leave(struct maker *k)
{
	struct x64 *x = &k->x;
	x64_do(x, X_LOAD, RAX, HEADER(H_HAPPENING));
	x64_do(x, X_LOAD, RCX, x64_in(WORLD, RAX, 3, HAP_PARENT * 8));
	x64_do(x, X_STORE, RCX, HEADER(H_HAPPENING));
	x64_fix(x, FIX_SUB, RAX, (int32_t)k->p->layout.happenings);
	x64_do(x, X_STORE, RAX, HEADER(H_HAPPENINGS));
	x64_fix_at(x, true, FIX_SUB, HEADER(H_DEPTH), 1);
	k->cached = -1;
	return true;
}

/* rdx: the group at hand. */
static void to_group(struct maker *k)
{
	x64_do(&k->x, X_LOAD, RDX, OF_MACHINE(last));
}

/* How many members it has, mostly. */
bool make_member(struct maker *k, const struct insn *i)
{
	if (i->c != MEMBER_COUNT) {
		call_apart(k, native_apart_of(OP_MEMBER));
		learn(k, i->a, ANYTHING, 0);
		return true;
	}
	to_group(k);
	x64_do32(&k->x, X_LOAD, RAX, x64_at(RDX, offsetof(struct group, n)));
	put(k, i->a, SET);
	return true;
}

/* What the event in progress keeps under a name; if it keeps nothing there, those it is part of are looked through aside. */
bool make_kept(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	int apart[2];
	x64_do(x, X_LOAD, RCX, HEADER(H_HAPPENING));
	x64_regs(x, X_TEST, RCX, RCX);
	apart[0] = stub(k, STUB_APART, x64_jump_if(x, IF_SAME), 0);
	x64_do(x, X_LOAD, RDX, x64_in(WORLD, RCX, 3, HAP_EVENT * 8));
	x64_number(x, RAX, (int64_t)(intptr_t)(k->slots + (ptrdiff_t)i->b * k->p->events));
	x64_do32(x, X_LOAD, RAX, x64_in(RAX, RDX, 2, 0));
	x64_bytes(x, 0xc085, 2); /* test eax, eax */
	apart[1] = stub(k, STUB_APART, x64_jump_if(x, IF_SIGN), 0);
	x64_regs(x, X_ADD, RAX, RCX);
	x64_do(x, X_LOAD, RAX, x64_in(WORLD, RAX, 3, 0));
	x64_do(x, X_STORE, RAX, reg(i->a));
	learn(k, i->a, ANYTHING, 0);
	k->cached = -1;
	for (int s = 0; s < 2; s++)
		come_back(k, apart[s]);
	return true;
}

/* As next_at (inside.h) has it. */
int make_step(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const bool all = i->c == AT_COSTS || i->c == AT_ON, leads = leads_to(k, i, OP_JNONE);
	uint32_t none = 0;
	to_group(k);
	if (!all) {
		test_byte(x, x64_at(RDX, offsetof(struct group, stages)), 1u << i->c);
		none = x64_jump_if(x, IF_SAME);
	}
	take(k, RCX, i->a);
	const uint32_t next = x->n;
	x64_fix(x, FIX_ADD, RCX, 1);
	x64_do32(x, X_CMP, RCX, x64_at(RDX, offsetof(struct group, n)));
	const uint32_t end = x64_jump_if(x, IF_NOT_LESS);
	x64_times(x, RAX, RCX, (int32_t)sizeof(struct member));
	x64_do(x, X_ADD, RAX, x64_at(RDX, offsetof(struct group, member)));
	_Static_assert(offsetof(struct member, is_void) == offsetof(struct member, stopped) + 1, "both are looked at at once");
	compare_bytes(x, x64_at(RAX, offsetof(struct member, stopped)));
	x64_lead(x, x64_jump_if(x, IF_OTHER), next);
	if (!all) {
		test_byte(x, x64_at(RAX, offsetof(struct member, stages)), 1u << i->c);
		x64_lead(x, x64_jump_if(x, IF_SAME), next);
	}
	x64_do32(x, X_LOAD, RAX, x64_at(RAX, offsetof(struct member, act)));
	x64_do(x, X_STORE, RAX, reg(i->a + 1u));
	x64_do(x, X_STORE, RCX, reg(i->a));
	k->cached = -1;
	learn_words(k, i->a, 2);
	/* at the end neither is anything */
	const int32_t to = leads ? goal(k, &i[1]) : k->at + 1;
	put_and_go(k, end, i->a, 2, NONE, to);
	if (!all)
		put_and_go(k, none, i->a, 2, NONE, to);
	if (leads)
		learn_below(k, i->a + 1u, k->p->layout.act_count + 1);
	return leads ? 2 : 1;
}

/* Of no stage, with the jump on no: is the moment over, and does a condition wait? What works on a copy is in the middle of one. */
static int make_rests(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const int32_t to = goal(k, &i[1]);
	if (k->quiet || k->undone) {
		put_and_go(k, x64_jump(x), i->a, 1, false, to);
	} else {
		look_who_waits(k);
		put_and_go(k, x64_jump_if(x, IF_SAME), i->a, 1, false, to);
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(groups), 1);
		put_and_go(k, x64_jump_if(x, IF_MORE), i->a, 1, false, to);
	}
	put_number(k, i->a, true);
	return 2;
}

/* As needs (inside.h) has it; with the jump on its answer, if that follows. */
int make_needs(struct maker *k, const struct insn *i)
{
	if (i->c && !i->b && leads_to(k, i, OP_JZ))
		return make_rests(k, i);
	struct x64 *x = &k->x;
	const bool when = leads_to(k, i, OP_JNZ), leads = when || leads_to(k, i, OP_JZ);
	const int32_t to = leads ? goal(k, &i[1]) : 0;
	uint32_t waits = 0;
	if (!leads)
		x64_number(x, RCX, 1);
	const bool looks = i->c && !k->quiet && !k->undone;
	if (looks) {
		look_who_waits(k);
		const uint32_t quiet = x64_jump_if(x, IF_SAME);
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(groups), 1);
		waits = x64_jump_if(x, IF_NOT_MORE);
		x64_lead(x, quiet, x->n);
		if (when)
			put_and_go(k, waits, i->a, 1, true, to);
	}
	to_group(k);
	test_byte(x, x64_at(RDX, offsetof(struct group, stages)), i->b);
	if (leads)
		put_and_go(k, x64_jump_if(x, when ? IF_OTHER : IF_SAME), i->a, 1, when, to);
	else
		x64_set(x, IF_OTHER, RCX);
	if (looks && !when)
		x64_lead(x, waits, x->n);
	if (leads) {
		put_number(k, i->a, !when);
		return 2;
	}
	x64_regs(x, X_LOAD, RAX, RCX);
	put(k, i->a, YES_NO);
	return 1;
}

/* H_ACT = rax, as header_set has it. */
static void put_act(struct maker *k)
{
	struct x64 *x = &k->x;
	x64_do(x, X_CMP, RAX, HEADER(H_ACT));
	const uint32_t same = x64_jump_if(x, IF_SAME);
	x64_do(x, X_STORE, RAX, HEADER(H_ACT));
	x64_do(x, X_LOAD, RCX, OF_MACHINE(memo.head));
	x64_fix_at(x, false, FIX_CMP, x64_at(RCX, H_ACT * 4), 0);
	come_back(k, stub(k, STUB_WROTE_AT, x64_jump_if(x, IF_OTHER), H_ACT));
	x64_lead(x, same, x->n);
	k->cached = -1;
}

/* As idle (inside.h) has it; with the jump on its answer, if that follows. */
int make_idle(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const struct layout *l = &k->p->layout;
	const bool when = leads_to(k, i, OP_JNZ), leads = when || leads_to(k, i, OP_JZ);
	if (!leads)
		x64_number(x, RDX, 0);
	take(k, RCX, i->b);
	x64_times(x, RCX, RCX, (int32_t)l->act_stride);
	x64_do(x, X_LOAD, RCX, x64_in(WORLD, RCX, 3, (int64_t)(l->acts + ACT_EVENT) * 8));
	x64_number(x, RAX, (int64_t)(intptr_t)k->m->stages);
	test_byte(x, x64_in(RCX, RAX, 0, 0), 1u << i->c);
	k->cached = -1;
	if (!leads) {
		x64_set(x, IF_SAME, RDX);
		x64_regs(x, X_LOAD, RAX, RDX);
		put(k, i->a, YES_NO);
		return 1;
	}
	const int32_t to = goal(k, &i[1]);
	if (when) {
		put_and_go(k, x64_jump_if(x, IF_SAME), i->a, 1, true, to);
	} else {
		put_and_go(k, x64_jump_if(x, IF_OTHER), i->a, 1, false, to);
	}
	put_number(k, i->a, !when);
	return 2;
}

void begin_stage(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	x64_do32(x, X_LOAD, RAX, x64_at(RCX, offsetof(struct member, happening)));
	x64_do(x, X_STORE, RAX, HEADER(H_HAPPENING));
	x64_put(x, x64_in(WORLD, RAX, 3, HAP_STAGE * 8), i->c);
	x64_do32(x, X_LOAD, RAX, x64_at(RCX, offsetof(struct member, act)));
	put_act(k);
}

bool make_begin(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	take(k, RAX, i->b);
	x64_regs(x, X_TEST, RAX, RAX);
	const int apart = stub(k, STUB_APART, x64_jump_if(x, IF_OTHER), 0);
	to_group(k);
	take(k, RCX, i->a);
	x64_times(x, RCX, RCX, (int32_t)sizeof(struct member));
	x64_do(x, X_ADD, RCX, x64_at(RDX, offsetof(struct group, member)));
	put_byte(x, x64_at(RDX, offsetof(struct group, copies)), 0);
	begin_stage(k, i);
	come_back(k, apart);
	return true;
}

/* The only member never works on a copy. */
bool make_begins_member(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	to_group(k);
	x64_do(x, X_LOAD, RCX, x64_at(RDX, offsetof(struct group, member)));
	begin_stage(k, i);
	return true;
}

bool make_only(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	to_group(k);
	x64_do(x, X_LOAD, RCX, x64_at(RDX, offsetof(struct group, member)));
	x64_do32(x, X_LOAD, RAX, x64_at(RCX, offsetof(struct member, act)));
	k->cached = -1;
	put(k, i->a, SET);
	learn_below(k, i->a, k->p->layout.act_count + 1);
	return true;
}

void end_stage(struct maker *k)
{
	struct x64 *x = &k->x;
	x64_do32(x, X_LOAD, RAX, x64_at(RDX, offsetof(struct group, happening)));
	x64_do(x, X_STORE, RAX, HEADER(H_HAPPENING));
	x64_do(x, X_LOAD, RAX, x64_at(RDX, offsetof(struct group, act)));
	put_act(k);
}

/* It ends it, and was not stopped, as group_end has it. */
bool make_end(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	int apart = -1;
	if (!is_number(k, i->b) || known(k, i->b)->number != 0) {
		take(k, RAX, i->b);
		x64_regs(x, X_TEST, RAX, RAX);
		apart = stub(k, STUB_APART, x64_jump_if(x, IF_OTHER), 0);
	}
	to_group(k);
	compare_byte(x, x64_at(RDX, offsetof(struct group, copies)));
	const int copies = stub(k, STUB_APART, x64_jump_if(x, IF_OTHER), 0);
	end_stage(k);
	come_back(k, apart);
	come_back(k, copies);
	return true;
}

#endif
