/* native_single.c - groups of one act, as most are: chosen, begun and ended in processor code (native.h), without what
 * several of them take. Each comes to what group.c comes to, which does whatever is out of the ordinary. */
#include "runtime/vm/native_single.h"

typedef int native_single_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

/* The members of a struct in fours and eights of bytes that are written at once. */
_Static_assert(offsetof(struct group, solo) == offsetof(struct group, copies) + 1 && offsetof(struct group, branches) == offsetof(struct group, copies) + 2 && offsetof(struct group, stages) == offsetof(struct group, copies) + 3, "");
_Static_assert(offsetof(struct member, is_void) == offsetof(struct member, stopped) + 1 && offsetof(struct member, replaced) == offsetof(struct member, stopped) + 2 && offsetof(struct member, stages) == offsetof(struct member, stopped) + 3, "");
_Static_assert(offsetof(struct memo, order_stale) == offsetof(struct memo, moves) + 4 && sizeof(((struct memo *)0)->order_stale) == 4, "");
_Static_assert(offsetof(struct vm, tries) == offsetof(struct vm, groups) + 4, "");

#define OF_GROUP(field) x64_at(MACHINE, (int64_t)(offsetof(struct vm, group) + offsetof(struct group, field)))

static struct x64_at word_of_happening(const struct maker *k, uint32_t word_)
{
	return x64_in(WORLD, USED, 3, ((int64_t)k->p->layout.happenings + word_) * 8);
}

/* to = the place of the act that `number` says, in the order. */
static void find_place(struct maker *k, enum x64_reg to, enum x64_reg number)
{
	x64_times(&k->x, to, number, 8 * pending_width(k->p));
	x64_do(&k->x, X_ADD, to, OF_MACHINE(pending.place));
}

/* The first of the main list's order, when all have their places, and if nobody is level with him. Returns the jump if there is nobody. */
static uint32_t take_first(struct maker *k, struct detours *a)
{
	struct x64 *x = &k->x;
	const struct order_info *o = k->p->order;
	uint32_t single[ORDER_KEYS + 1];
	int n = 0;
	compare_byte(x, OF_MACHINE(pending.main));
	detour(k, a, IF_SAME);
	x64_fix_at(x, true, FIX_CMP, OF_MACHINE(memo.moves), 0); /* and order_stale */
	come_back(k, stub(k, STUB_APART, x64_jump_if(x, IF_OTHER), 1));
	x64_do32(x, X_LOAD, RCX, OF_MACHINE(pending.from));
	x64_do32(x, X_CMP, RCX, OF_MACHINE(pending.n));
	const uint32_t nobody = x64_jump_if(x, IF_SAME);
	x64_do(x, X_LOAD, RDI, OF_MACHINE(pending.order));
	x64_do32(x, X_LOAD, ACT, x64_in(RDI, RCX, 2, 0));
	find_place(k, FIRST, ACT);
	x64_do(x, X_LEA, RDX, x64_at(RCX, 1));
	x64_do32(x, X_CMP, RDX, OF_MACHINE(pending.n));
	single[n++] = x64_jump_if(x, IF_SAME);
	x64_do32(x, X_LOAD, RDX, x64_in(RDI, RDX, 2, 0));
	find_place(k, RDX, RDX);
	for (int i = o->keys; i-- > 0;) { /* the last key tells most apart, and whoever is level is so in all */
		const int64_t key = 8 * (int64_t)(PLACE_KEYS + i);
		x64_do(x, X_LOAD, TIME, x64_at(FIRST, key));
		x64_do(x, X_CMP, TIME, x64_at(RDX, key));
		single[n++] = x64_jump_if(x, IF_OTHER);
	}
	detour_by(k, a, x64_jump(x));
	for (int i = 0; i < n; i++)
		x64_lead(x, single[i], x->n);
	x64_do(x, X_LOAD, TIME, x64_at(FIRST, 8 * PLACE_TIME));
	return nobody;
}

/* Is it his time, and is there nothing about him that group.c has to look at? */
static void look_at_first(struct maker *k, const struct insn *i, struct detours *a)
{
	struct x64 *x = &k->x;
	const struct layout *l = &k->p->layout;
	x64_regs(x, X_CMP, TIME, UNSET);
	detour(k, a, IF_SAME);
	if (!is_unset(k, i->b)) {
		uint32_t whenever = 0;
		const bool set = is_set(k, i->b);
		take(k, RDX, i->b);
		if (!set) {
			x64_regs(x, X_CMP, RDX, UNSET);
			whenever = x64_jump_if(x, IF_SAME);
		}
		x64_regs(x, X_CMP, TIME, RDX);
		detour(k, a, IF_MORE);
		if (!set)
			x64_lead(x, whenever, x->n);
	}
	x64_fix_at(x, true, FIX_CMP, OF_MACHINE(groups), 0); /* and tries */
	detour(k, a, IF_OTHER);
	x64_times(x, ROW, ACT, (int32_t)l->act_stride);
	x64_do(x, X_LOAD, EVENT, word_of_row(k, ACT_EVENT));
	x64_number(x, RDX, (int64_t)(intptr_t)k->m->stages);
	x64_do32(x, X_LOAD, STAGES, x64_in(RDX, EVENT, 0, 0));
	x64_do(x, X_LOAD, USED, HEADER(H_HAPPENINGS));
	x64_fix(x, FIX_CMP, USED, (int32_t)l->happening_words - HAP_SLOTS);
	detour(k, a, IF_MORE);
	x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.row_noted)); /* a byte an act, where the heads of its words lie far apart */
	compare_byte(x, x64_in(RDX, ACT, 0, 0));
	detour(k, a, IF_OTHER);
	x64_shift32(x, true, STAGES, 24);
	detour(k, a, IF_SIGN); /* EVENT_KEEPS */
}

/* As begin in group.c has it, but for the clock, and for what is set again before anybody looks at it: where a copy's changes begin
 * and end. Nothing is told of a member (group_ready). */
static void begin_single(struct maker *k)
{
	struct x64 *x = &k->x;
	x64_fix_at(x, false, FIX_ADD, OF_MACHINE(pending.asked), 1);
	x64_fix_at(x, false, FIX_ADD, OF_MACHINE(pending.from), 1);
	x64_put(x, x64_at(FIRST, 8 * PLACE_SERIAL), -1);
	x64_put(x, word_of_row(k, ACT_STATE), ACT_PERFORMING);
	x64_put32(x, OF_MACHINE(groups), 1);
	x64_put32(x, OF_GROUP(n), 1);
	put_byte(x, OF_MACHINE(lone_group), true);
	x64_do32(x, X_STORE, STAGES, OF_GROUP(copies));
	x64_put32(x, OF_GROUP(judged), 0);
	x64_put32(x, OF_GROUP(effects.n), 0);
	x64_do(x, X_LOAD, RCX, HEADER(H_HAPPENING));
	x64_do32(x, X_STORE, RCX, OF_GROUP(happening));
	x64_do32(x, X_STORE, USED, OF_GROUP(happenings));
	x64_do(x, X_LOAD, RDX, HEADER(H_ACT));
	x64_do(x, X_STORE, RDX, OF_GROUP(act));
	x64_do(x, X_LOAD, RDX, HEADER(H_NOW));
	x64_do(x, X_STORE, RDX, OF_GROUP(now));
	x64_do(x, X_LOAD, RDX, OF_GROUP(member));
	x64_do32(x, X_STORE, ACT, x64_at(RDX, offsetof(struct member, act)));
	x64_do32(x, X_STORE, STAGES, x64_at(RDX, offsetof(struct member, stopped)));
	x64_do(x, X_STORE, RCX, word_of_happening(k, HAP_PARENT));
	x64_do(x, X_LEA, RCX, x64_at(USED, k->p->layout.happenings));
	x64_do32(x, X_STORE, RCX, x64_at(RDX, offsetof(struct member, happening)));
	x64_do(x, X_STORE, EVENT, word_of_happening(k, HAP_EVENT));
	x64_put(x, word_of_happening(k, HAP_RECORD), -1);
	x64_put(x, word_of_happening(k, HAP_STAGE), 0);
	x64_put32(x, OF_MACHINE(handed_mask), 0);
	x64_fix_at(x, true, FIX_ADD, HEADER(H_HAPPENINGS), HAP_SLOTS);
	x64_fix_at(x, true, FIX_ADD, HEADER(H_GROUP), 1);
	x64_fix_at(x, true, FIX_SUB, OF_MACHINE(fuel), 16);
}

void make_header_set(struct maker *k, uint32_t word_, enum x64_reg value)
{
	struct x64 *x = &k->x;
	x64_do(x, X_CMP, value, HEADER(word_));
	const uint32_t same = x64_jump_if(x, IF_SAME);
	x64_do(x, X_STORE, value, HEADER(word_));
	x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.head));
	x64_fix_at(x, false, FIX_CMP, x64_at(RDX, (int64_t)word_ * 4), 0);
	come_back(k, stub(k, STUB_WROTE_AT, x64_jump_if(x, IF_OTHER), word_));
	x64_lead(x, same, x->n);
}

void make_group(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const struct program *p = k->p;
	const struct order_info *o = p->order;
	bool plain = i->c && p->at.act_time_question >= 0 && !p->question[p->at.act_time_question].type.frac && o->pair_fn < 0;
	for (int key = 0; key < o->keys; key++)
		plain = plain && !o->frac[key];
	struct detours a = {{0}, 0};
	struct led to;
	const bool led = is_led(k, k->at, k->fn, &to) && k->unwritten[to.to];
	x64_fix_at(x, true, FIX_CMP, OF_MACHINE(fuel), led ? taken_by(&to) : 16);
	leave_if(k, IF_BELOW);
	if (!plain) {
		call_apart(k, native_apart_of(OP_GROUP));
		learn(k, i->a, ANYTHING, 0);
		return;
	}
	settle(k, k->at);
	const int nobody = stub(k, STUB_PUT, take_first(k, &a), i->a);
	k->stubs.v[nobody].words = 1;
	k->cached = -1;
	look_at_first(k, i, &a);
	if (led)
		make_unwritten(k, &to);
	begin_single(k);
	make_header_set(k, H_NOW, TIME);
	x64_put(x, reg(i->a), 1);
	learn(k, i->a, ANYTHING, 0);
	detours_back(k, &a);
	come_back(k, nobody);
	k->cached = -1;
}

/* As group_done has it. */
void make_done(struct maker *k)
{
	struct x64 *x = &k->x;
	struct detours a = {{0}, 0};
	uint32_t over[2] = {0};
	if (k->unwritten[k->at]) {
		const uint32_t written = is_written(k);
		x64_do32(x, X_LOAD, ACT, OF_MACHINE(unwritten_act));
		x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.row_noted));
		compare_byte(x, x64_in(RDX, ACT, 0, 0));
		detour(k, &a, IF_OTHER);
		put_byte(x, OF_MACHINE(unwritten), 0);
		x64_times(x, ROW, ACT, (int32_t)k->p->layout.act_stride);
		make_wiped(k, ACT, ROW);
		x64_fix_at(x, true, FIX_CMP, HEADER(H_LIST), 0);
		over[0] = x64_jump_if(x, IF_OTHER);
		put_byte(x, OF_MACHINE(resolved), true);
		over[1] = x64_jump(x);
		x64_lead(x, written, x->n);
	}
	compare_byte(x, OF_MACHINE(lone_group));
	detour(k, &a, IF_SAME);
	x64_do(x, X_LOAD, RCX, OF_GROUP(member));
	x64_do32(x, X_LOAD, ACT, x64_at(RCX, offsetof(struct member, act)));
	x64_times(x, ROW, ACT, (int32_t)k->p->layout.act_stride);
	x64_fix_at(x, true, FIX_CMP, word_of_row(k, ACT_STATE), ACT_PERFORMING);
	detour(k, &a, IF_OTHER);
	x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.row_noted));
	compare_byte(x, x64_in(RDX, ACT, 0, 0));
	detour(k, &a, IF_OTHER);
	k->cached = -1;
	make_wiped(k, ACT, ROW);
	x64_put32(x, OF_MACHINE(groups), 0); /* its last is the first, as it was */
	x64_do32(x, X_LOAD, RCX, OF_GROUP(happening));
	x64_do(x, X_STORE, RCX, HEADER(H_HAPPENING));
	x64_do32(x, X_LOAD, RCX, OF_GROUP(happenings));
	x64_do(x, X_STORE, RCX, HEADER(H_HAPPENINGS));
	x64_fix_at(x, true, FIX_CMP, HEADER(H_LIST), 0);
	const uint32_t nested = x64_jump_if(x, IF_OTHER);
	put_byte(x, OF_MACHINE(resolved), true);
	x64_lead(x, nested, x->n);
	x64_do(x, X_LOAD, RCX, OF_GROUP(act));
	make_header_set(k, H_ACT, RCX);
	detours_back(k, &a);
	for (int o = 0; o < 2 && over[0]; o++)
		x64_lead(x, over[o], x->n);
	k->cached = -1;
}

#endif
