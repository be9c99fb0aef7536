/* native_rows.c - acts made and pended, as processor code (native.h): what journal.c does where nothing can be taken
 * back and nothing is noted of the row. */
#include "runtime/vm/native_maker.h"

typedef int native_rows_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

static struct x64_at word_of_row(const struct maker *k, enum x64_reg row, uint32_t word_)
{
	return x64_in(WORLD, row, 3, ((int64_t)k->p->layout.acts + word_) * 8);
}

/* rax, rcx: the first row that is free, as its number and as words, if nothing is noted of it. It is fresh, unless it will be hung at once. */
static void take_row(struct maker *k, struct detours *a, bool fresh)
{
	struct x64 *x = &k->x;
	detour_undone(k, a);
	x64_do32(x, X_LOAD, RCX, OF_MACHINE(acts.full));
	x64_do(x, X_LOAD, RDX, OF_MACHINE(acts.used));
	x64_do(x, X_LOAD, RSI, x64_in(RDX, RCX, 3, 0));
	x64_do(x, X_LEA, RDI, x64_at(RSI, 1));
	x64_regs(x, X_OR, RDI, RSI);  /* with the lowest bit that was not set */
	x64_regs(x, X_XOR, RSI, RDI); /* which it is */
	k->cached = -1;
	x64_regs(x, X_BITS, RAX, RSI);
	detour(k, a, IF_SAME);
	x64_regs(x, X_LOAD, R8, RCX);
	x64_shift(x, true, R8, 6);
	x64_regs(x, X_ADD, RAX, R8);
	x64_do(x, X_LOAD, R8, OF_MACHINE(memo.row_noted));
	compare_byte(x, x64_in(R8, RAX, 0, 0));
	detour(k, a, IF_OTHER);
	x64_do(x, X_CMP, RAX, HEADER(H_ACTS));
	const uint32_t before = x64_jump_if(x, IF_LESS);
	x64_fix(x, FIX_CMP, RAX, (int32_t)k->p->layout.act_count);
	detour(k, a, IF_NOT_LESS);
	x64_do(x, X_LEA, R8, x64_at(RAX, 1));
	x64_do(x, X_STORE, R8, HEADER(H_ACTS));
	x64_lead(x, before, x->n);
	x64_do(x, X_STORE, RDI, x64_in(RDX, RCX, 3, 0));
	if (fresh) {
		x64_do(x, X_LOAD, RDX, OF_MACHINE(acts.fresh));
		x64_do(x, X_OR, RSI, x64_in(RDX, RCX, 3, 0));
		x64_do(x, X_STORE, RSI, x64_in(RDX, RCX, 3, 0));
		put_byte(x, OF_MACHINE(acts.some_fresh), true);
	}
	x64_times(x, RCX, RAX, (int32_t)k->p->layout.act_stride);
	x64_put(x, word_of_row(k, RCX, ACT_STATE), ACT_DECLARED);
}

/* The act in rax finds its actor's chain at once, where it is in none and he is somebody: it is declared, and r8 and rdi change. Otherwise it is fresh. */
static void hang(struct maker *k, enum x64_reg act, enum x64_reg actor)
{
	struct x64 *x = &k->x;
	uint32_t fresh[2] = {0}, hung = 0;
	if (actor != UNSET) {
		x64_do(x, X_LOAD, RDI, OF_MACHINE(acts.chain));
		x64_fix_at(x, false, FIX_CMP, x64_in(RDI, act, 2, 0), -1);
		fresh[0] = x64_jump_if(x, IF_OTHER);
		x64_fix(x, FIX_CMP, actor, k->m->acts.actors);
		fresh[1] = x64_jump_if(x, IF_NOT_BELOW);
		x64_do32(x, X_STORE, actor, x64_in(RDI, act, 2, 0));
		x64_do(x, X_LOAD, RDI, OF_MACHINE(acts.head));
		x64_do32(x, X_LOAD, R8, x64_in(RDI, actor, 2, 0));
		x64_do32(x, X_STORE, act, x64_in(RDI, actor, 2, 0));
		x64_do(x, X_LOAD, RDI, OF_MACHINE(acts.next));
		x64_do32(x, X_STORE, R8, x64_in(RDI, act, 2, 0));
		hung = x64_jump(x);
		x64_lead(x, fresh[0], x->n);
		x64_lead(x, fresh[1], x->n);
	}
	x64_do(x, X_LOAD, RDI, OF_MACHINE(acts.fresh));
	x64_do(x, X_BIT_ON, act, x64_at(RDI, 0));
	put_byte(x, OF_MACHINE(acts.some_fresh), true);
	if (hung)
		x64_lead(x, hung, x->n);
}

/* He may have declared it: it finds its chain, at once where it has none, as acts.c has it. */
void make_hang(struct maker *k, enum x64_reg act, enum x64_reg row, enum x64_reg actor)
{
	struct x64 *x = &k->x;
	x64_fix_at(x, true, FIX_CMP, word_of_row(k, row, ACT_STATE), ACT_DECLARED);
	const uint32_t another = x64_jump_if(x, IF_OTHER); /* it is fresh when it is declared */
	if (actor != UNSET) { /* hung or not, it will be looked at no more */
		x64_do(x, X_LOAD, RDX, OF_MACHINE(acts.fresh));
		x64_do(x, X_BIT_OFF, act, x64_at(RDX, 0));
	}
	hang(k, act, actor);
	x64_lead(x, another, x->n);
}

/* Does the next instruction say whose act it is, of which nothing can be noted yet? */
static bool is_given_actor(struct maker *k, const struct insn *i)
{
	const struct reach *f = &k->m->reach[i[1].c];
	return k->at + 1 < k->p->fn[k->fn].end && !k->joins[k->at + 1] && i[1].op == OP_STF && i[1].a == i->a && i[1].b != i->a &&
	       f->actor && f->plain && !f->touches && !is_number(k, i[1].b);
}

/* As world_act does it. */
bool make_act(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const bool given = is_given_actor(k, i);
	struct detours a = {{0}, 0};
	if (given)
		take(k, R9, i[1].b);
	take_row(k, &a, !given);
	x64_put(x, word_of_row(k, RCX, ACT_EVENT), i->k);
	if (given) {
		x64_do(x, X_STORE, R9, x64_in(WORLD, RCX, 3, (int64_t)k->m->reach[i[1].c].base * 8));
		hang(k, RAX, R9);
	}
	x64_do(x, X_STORE, RAX, reg(i->a));
	if (given) { /* a call makes the act alone */
		k->beyond = x64_jump(x);
		k->beyond_for = k->at + 1;
	}
	learn(k, i->a, SET, 0);
	detours_back(k, &a);
	return true;
}

/* The same of a copy: all that is behind ACT_EVENT but the list it is on. */
bool make_copy(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	struct detours a = {{0}, 0};
	take(k, R9, i->b);
	x64_regs(x, X_CMP, R9, UNSET);
	detour(k, &a, IF_SAME);
	take_row(k, &a, true);
	x64_times(x, R9, R9, (int32_t)k->p->layout.act_stride);
	for (uint32_t at = ACT_EVENT; at < k->p->layout.act_stride; at++) {
		if (at == ACT_LIST || !act_word_written(k->m, at))
			continue;
		x64_do(x, X_LOAD, RDX, word_of_row(k, R9, at));
		x64_do(x, X_STORE, RDX, word_of_row(k, RCX, at));
	}
	x64_do(x, X_STORE, RAX, reg(i->a));
	learn(k, i->a, ANYTHING, 0);
	detours_back(k, &a);
	return true;
}

/* The act in rax is declared no longer: it leaves its actor's chain, if it is the first there, so that its row leads nowhere when another is
 * made there. Where the program forgets nothing, nobody asks for chains. Changes rcx, rdx, rsi and rdi. */
static void leave_chain(struct maker *k)
{
	struct x64 *x = &k->x;
	x64_do(x, X_LOAD, RDX, OF_MACHINE(acts.chain));
	x64_do32(x, X_LOAD, RCX, x64_in(RDX, RAX, 2, 0));
	x64_bytes(x, 0xc985, 2); /* test ecx, ecx */
	const uint32_t nobodys = x64_jump_if(x, IF_SIGN);
	x64_do(x, X_LOAD, RSI, OF_MACHINE(acts.head));
	x64_do32(x, X_CMP, RAX, x64_in(RSI, RCX, 2, 0));
	const uint32_t behind = x64_jump_if(x, IF_OTHER);
	x64_do(x, X_LOAD, RDI, OF_MACHINE(acts.next));
	x64_do32(x, X_LOAD, RDI, x64_in(RDI, RAX, 2, 0));
	x64_do32(x, X_STORE, RDI, x64_in(RSI, RCX, 2, 0));
	x64_put32(x, x64_in(RDX, RAX, 2, 0), -1);
	x64_lead(x, nobodys, x->n);
	x64_lead(x, behind, x->n);
}

/* As world_pend does it. */
bool make_pend(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	struct detours a = {{0}, 0};
	const bool set = is_set(k, i->a);
	take(k, RAX, i->a);
	if (!set) { /* there may be none */
		x64_regs(x, X_CMP, RAX, UNSET);
		detour(k, &a, IF_SAME);
	}
	detour_undone(k, &a);
	x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.row_noted));
	compare_byte(x, x64_in(RDX, RAX, 0, 0));
	detour(k, &a, IF_OTHER);
	compare_byte(x, OF_MACHINE(acts.some_fresh)); /* it is declared no longer */
	const uint32_t hung = x64_jump_if(x, IF_SAME);
	x64_do(x, X_LOAD, RDX, OF_MACHINE(acts.fresh));
	x64_do(x, X_BIT_OFF, RAX, x64_at(RDX, 0));
	x64_lead(x, hung, x->n);
	if (k->releases)
		leave_chain(k);
	x64_times(x, RCX, RAX, (int32_t)k->p->layout.act_stride);
	x64_put(x, word_of_row(k, RCX, ACT_STATE), ACT_PENDING);
	x64_do(x, X_LOAD, RDX, HEADER(H_LIST));
	x64_do(x, X_STORE, RDX, word_of_row(k, RCX, ACT_LIST));
	x64_do(x, X_LOAD, RDX, HEADER(H_SERIAL));
	x64_do(x, X_STORE, RDX, word_of_row(k, RCX, ACT_SERIAL));
	x64_fix_at(x, true, FIX_ADD, HEADER(H_SERIAL), 1);
	/* pending_touch */
	x64_fix_at(x, true, FIX_CMP, OF_MACHINE(pending.list), 0);
	const uint32_t nobodys = x64_jump_if(x, IF_LESS);
	x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.moving));
	compare_byte(x, x64_in(RDX, RAX, 0, 0));
	const uint32_t moving = x64_jump_if(x, IF_OTHER);
	put_byte(x, x64_in(RDX, RAX, 0, 0), 1);
	x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.moved));
	x64_do32(x, X_LOAD, RCX, OF_MACHINE(memo.moves));
	x64_do32(x, X_STORE, RAX, x64_in(RDX, RCX, 2, 0));
	x64_fix_at(x, false, FIX_ADD, OF_MACHINE(memo.moves), 1);
	x64_lead(x, nobodys, x->n);
	x64_lead(x, moving, x->n);
	k->cached = -1;
	detours_back(k, &a);
	return true;
}

/* As wipe in acts.c has it, where nothing is noted of the row and it is known which are in use. Changes rdx, rsi, rdi. */
void make_wiped(struct maker *k, enum x64_reg act, enum x64_reg row)
{
	struct x64 *x = &k->x;
	const struct layout *l = &k->p->layout;
	/* all free rows hold the same */
	const word *pattern = k->p->start + l->acts + l->act_count * l->act_stride;
	for (uint32_t at = 0; at < l->act_stride; at++) {
		if (!act_word_written(k->m, at)) {
			continue;
		} else if (pattern[at] == NONE) {
			x64_do(x, X_STORE, UNSET, word_of_row(k, row, at));
		} else if (pattern[at] >= INT32_MIN && pattern[at] <= INT32_MAX) {
			x64_put(x, word_of_row(k, row, at), (int32_t)pattern[at]);
		} else {
			x64_number(x, RDX, pattern[at]);
			x64_do(x, X_STORE, RDX, word_of_row(k, row, at));
		}
	}
	/* free for use; the bit is taken off in a register, since that in memory takes the processor long */
	x64_do(x, X_LOAD, RDX, OF_MACHINE(acts.used));
	x64_regs(x, X_LOAD, RSI, act);
	x64_shift(x, false, RSI, 6);
	x64_do(x, X_LOAD, RDI, x64_in(RDX, RSI, 3, 0));
	x64_bit(x, X_BIT_OFF, RDI, act);
	x64_do(x, X_STORE, RDI, x64_in(RDX, RSI, 3, 0));
	x64_do32(x, X_CMP, RSI, OF_MACHINE(acts.full));
	const uint32_t later = x64_jump_if(x, IF_NOT_LESS);
	x64_do32(x, X_STORE, RSI, OF_MACHINE(acts.full));
	x64_lead(x, later, x->n);
}

enum { FRESH_MOST = 16 }; /* words of acts that may be fresh, each looked at by an instruction */

/* The only act in an actor's chain hangs there no longer. rdx: acts.head; changes it. */
static void empty_chain(struct maker *k, enum x64_reg head, enum x64_reg actor, enum x64_reg act)
{
	x64_put32(&k->x, x64_in(head, actor, 2, 0), -1);
	x64_do(&k->x, X_LOAD, RDX, OF_MACHINE(acts.chain));
	x64_put32(&k->x, x64_in(RDX, act, 2, 0), -1);
}

/* As acts_release does it where nobody is fresh and the actor's chain has one act, or none. */
bool make_release(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const struct program *p = k->p;
	const struct layout *l = &p->layout;
	const uint32_t words = (l->act_count + 63) / 64;
	struct detours a = {{0}, 0};
	if (!i->b || p->at.act_actor < 0 || words == 0 || words > FRESH_MOST) {
		call_apart(k, native_apart_of(OP_FREE));
		return true;
	}
	detour_undone(k, &a);
	take(k, RSI, i->a);
	k->cached = -1;
	x64_fix(x, FIX_CMP, RSI, k->m->acts.actors);
	detour(k, &a, IF_NOT_BELOW);
	compare_byte(x, OF_MACHINE(acts.some_fresh));
	const uint32_t hung = x64_jump_if(x, IF_SAME);
	x64_do(x, X_LOAD, RDX, OF_MACHINE(acts.fresh));
	x64_do(x, X_LOAD, RDI, x64_at(RDX, 0));
	for (uint32_t at = 1; at < words; at++)
		x64_do(x, X_OR, RDI, x64_at(RDX, 8 * (int64_t)at));
	x64_regs(x, X_TEST, RDI, RDI);
	detour(k, &a, IF_OTHER);
	put_byte(x, OF_MACHINE(acts.some_fresh), false);
	x64_lead(x, hung, x->n);
	x64_do(x, X_LOAD, RDX, OF_MACHINE(acts.head));
	x64_do32(x, X_LOAD, RAX, x64_in(RDX, RSI, 2, 0));
	x64_bytes(x, 0xc085, 2); /* test eax, eax */
	const uint32_t none = x64_jump_if(x, IF_SIGN);
	x64_do(x, X_LOAD, R8, OF_MACHINE(acts.next));
	x64_fix_at(x, false, FIX_CMP, x64_in(R8, RAX, 2, 0), 0);
	detour(k, &a, IF_NOT_LESS);
	x64_times(x, RCX, RAX, (int32_t)l->act_stride);
	x64_fix_at(x, true, FIX_CMP, word_of_row(k, RCX, ACT_STATE), ACT_DECLARED);
	const uint32_t pended = x64_jump_if(x, IF_OTHER);
	x64_do(x, X_CMP, RSI, x64_in(WORLD, RCX, 3, (int64_t)k->m->reach[p->at.act_actor].base * 8));
	detour(k, &a, IF_OTHER);
	x64_do(x, X_LOAD, R8, OF_MACHINE(memo.row_noted));
	compare_byte(x, x64_in(R8, RAX, 0, 0));
	detour(k, &a, IF_OTHER);
	empty_chain(k, RDX, RSI, RAX);
	make_wiped(k, RAX, RCX);
	const uint32_t wiped = x64_jump(x);
	x64_lead(x, pended, x->n); /* he has declared it no longer */
	empty_chain(k, RDX, RSI, RAX);
	x64_lead(x, wiped, x->n);
	x64_lead(x, none, x->n);
	detours_back(k, &a);
	return true;
}

#endif
