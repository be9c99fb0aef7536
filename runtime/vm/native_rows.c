/* native_rows.c - acts made and pended, as processor code (native.h): what journal.c does where nothing can be taken
 * back and nothing is noted of the row. */
#include "runtime/vm/native_maker.h"

typedef int native_rows_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

static struct x64_at word_of_row(const struct maker *k, enum x64_reg row, uint32_t word_)
{
	return x64_in(WORLD, row, 3, ((int64_t)k->p->layout.acts + word_) * 8);
}

/* If something is noted of the act's row, who does it is called. */
static void detour_noted(struct maker *k, struct detours *a, enum x64_reg act)
{
	compare_byte(&k->x, in_array(k, k->m->memo.row_noted, act, 0, RDX));
	detour(k, a, IF_OTHER);
}

/* rax, rcx: the first row that is free, as its number and as words, if nothing is noted of it. It is fresh, unless it will stand beside its
 * actor, r9, at once. Changes rdx, rsi and r8. */
static void take_row(struct maker *k, struct detours *a, bool fresh)
{
	struct x64 *x = &k->x;
	const struct acts *acts = &k->m->acts;
	detour_undone(k, a);
	x64_do32(x, X_LOAD, RCX, OF_MACHINE(acts.full));
	const struct x64_at unused = in_array(k, acts->unused, RCX, 0, R8);
	x64_do(x, X_LOAD, RSI, unused);
	k->cached = -1;
	x64_regs(x, X_BITS, RAX, RSI);
	detour(k, a, IF_SAME);
	x64_do(x, X_LEA, RAX, x64_in(RAX, RCX, 3, 0)); /* 64 for 8 bytes */
	detour_noted(k, a, RAX);
	x64_do(x, X_CMP, RAX, HEADER(H_ACTS));
	const uint32_t before = x64_jump_if(x, IF_LESS);
	x64_do(x, X_LEA, RDX, x64_at(RAX, 1));
	x64_do(x, X_STORE, RDX, HEADER(H_ACTS));
	x64_lead(x, before, x->n);
	x64_do(x, X_LEA, RDX, x64_at(RSI, -1));
	x64_regs(x, X_AND, RDX, RSI);
	x64_do(x, X_STORE, RDX, unused);
	if (fresh) {
		x64_number(x, RDX, (int64_t)(intptr_t)acts->fresh);
		x64_do(x, X_BIT_ON, RAX, x64_at(RDX, 0));
		put_byte(x, OF_MACHINE(acts.some_fresh), true);
	}
	x64_times(x, RCX, RAX, (int32_t)k->p->layout.act_stride);
	x64_put(x, word_of_row(k, RCX, ACT_STATE), ACT_DECLARED);
}

/* Beside an actor: the act he may have declared. */
static struct x64_at declared_of(struct maker *k, enum x64_reg actor, enum x64_reg far)
{
	return in_array(k, k->m->acts.declared, actor, 2, far);
}

/* He may have declared it. */
void make_fresh(struct maker *k, enum x64_reg act, enum x64_reg row)
{
	struct x64 *x = &k->x;
	x64_fix_at(x, true, FIX_CMP, word_of_row(k, row, ACT_STATE), ACT_DECLARED);
	const uint32_t another = x64_jump_if(x, IF_OTHER); /* it is fresh when it is declared */
	x64_number(x, RDX, (int64_t)(intptr_t)k->m->acts.fresh);
	x64_do(x, X_BIT_ON, act, x64_at(RDX, 0));
	put_byte(x, OF_MACHINE(acts.some_fresh), true);
	x64_lead(x, another, x->n);
}

/* Does the next instruction say whose act it is, of which nothing can be noted yet? */
static bool is_given_actor(struct maker *k, const struct insn *i)
{
	const struct reach *f = &k->m->reach[i[1].c];
	return k->at + 1 < k->p->fn[k->fn].end && !k->joins[k->at + 1] && i[1].op == OP_STF && i[1].a == i->a && i[1].b != i->a &&
	       f->actor && f->plain && !f->touches && !is_number(k, i[1].b);
}

enum { SOON = 16 };

/* From there on: is the act pended, or free, before anybody asks who has declared it? */
static bool ends_soon(const struct maker *k, unsigned act, int32_t from)
{
	const int32_t end = k->p->fn[k->fn].end;
	for (int32_t at = from; at < end && at <= k->at + SOON; at++) {
		const struct insn *i = &k->p->code[at];
		switch ((enum op)i->op) {
		case OP_PEND: return i->a == act;
		case OP_FREE: return i->a == act && !i->b;
		case OP_LOADI: case OP_LOADK: case OP_MOVE: case OP_LDF: case OP_LDT: case OP_NOW: case OP_ADD: case OP_SUB: case OP_EQ: case OP_SAME: case OP_LT: case OP_LE:
			if (i->a == act)
				return false;
			break;
		case OP_STF:
			break;
		case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME:
			if (i->k < 0 || !ends_soon(k, act, at + 1 + i->k))
				return false;
			break;
		default:
			return false;
		}
	}
	return false;
}

/* Was what this one declared forgotten right before? */
static bool was_released(const struct maker *k, unsigned actor)
{
	for (int32_t at = k->at; at > k->p->fn[k->fn].entry && !k->joins[at]; at--) {
		const struct insn *i = &k->p->code[at - 1];
		if (i->op == OP_FREE)
			return i->b && i->a == actor;
		switch ((enum op)i->op) {
		case OP_LOADI: case OP_LOADK: case OP_MOVE: case OP_LDF: case OP_LDT: case OP_EQ: case OP_SAME: case OP_LT: case OP_LE:
			if (i->a == actor)
				return false;
			break;
		case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME:
			break;
		default:
			return false;
		}
	}
	return false;
}

/* The actor in r9 is somebody, beside whom nothing stands that he has declared. Changes r8. */
static void look_beside(struct maker *k, struct detours *a, unsigned actor)
{
	struct x64 *x = &k->x;
	if (!is_below(k, actor, (uint32_t)k->m->acts.actors)) {
		x64_fix(x, FIX_CMP, R9, k->m->acts.actors);
		detour(k, a, IF_NOT_BELOW);
	}
	if (was_released(k, actor))
		return;
	x64_do32(x, X_LOAD, R8, declared_of(k, R9, R8));
	x64_times(x, R8, R8, (int32_t)k->p->layout.act_stride);
	x64_fix_at(x, true, FIX_CMP, word_of_row(k, R8, ACT_STATE), ACT_DECLARED);
	detour(k, a, IF_SAME);
}

/* As world_act does it. */
bool make_act(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const bool given = is_given_actor(k, i), soon = ends_soon(k, i->a, k->at + 1);
	const int32_t beyond = given && k->at + 2 < k->p->fn[k->fn].end && i[2].op == OP_JMP ? goal(k, &i[2]) : -1;
	struct detours a = {{0}, 0};
	learn(k, i->a, ANYTHING, 0);
	if (beyond >= 0)
		settle(k, beyond);
	if (given) {
		take(k, R9, i[1].b);
		if (!soon)
			look_beside(k, &a, i[1].b);
	}
	take_row(k, &a, !given && !soon);
	x64_put(x, word_of_row(k, RCX, ACT_EVENT), i->k);
	if (given) {
		x64_do(x, X_STORE, R9, x64_in(WORLD, RCX, 3, (int64_t)k->m->reach[i[1].c].base * 8));
		if (!soon)
			x64_do32(x, X_STORE, RAX, declared_of(k, R9, RDX));
	}
	x64_do(x, X_STORE, RAX, reg(i->a));
	learn(k, i->a, SET, 0);
	/* a call makes the act alone */
	if (beyond >= 0) {
		arrive(k, beyond);
		jump_to(k, beyond);
	} else if (given) {
		k->beyond = x64_jump(x);
		k->beyond_for = k->at + 1;
	}
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
	take_row(k, &a, !ends_soon(k, i->a, k->at + 1));
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
	detour_noted(k, &a, RAX);
	x64_times(x, RCX, RAX, (int32_t)k->p->layout.act_stride);
	x64_put(x, word_of_row(k, RCX, ACT_STATE), ACT_PENDING);
	x64_do(x, X_LOAD, RDX, HEADER(H_LIST));
	x64_do(x, X_STORE, RDX, word_of_row(k, RCX, ACT_LIST));
	x64_do(x, X_LOAD, RDX, HEADER(H_SERIAL));
	x64_do(x, X_STORE, RDX, word_of_row(k, RCX, ACT_SERIAL));
	x64_fix_at(x, true, FIX_ADD, HEADER(H_SERIAL), 1);
	/* memo_moved, whether or not an order is kept: who begins one forgets who moved */
	const struct x64_at moves = in_array(k, k->m->memo.moving, RAX, 0, RDX);
	compare_byte(x, moves);
	const uint32_t moving = x64_jump_if(x, IF_OTHER);
	put_byte(x, moves, 1);
	x64_do32(x, X_LOAD, RCX, OF_MACHINE(memo.moves));
	x64_do32(x, X_STORE, RAX, in_array(k, k->m->memo.moved, RCX, 2, RDX));
	x64_fix_at(x, false, FIX_ADD, OF_MACHINE(memo.moves), 1);
	x64_lead(x, moving, x->n);
	k->cached = -1;
	detours_back(k, &a);
	return true;
}

/* ---- what all have declared is pended ---- */

/* Where the KNEXT of a loop over those who say yes (native_calls.c) stands: does the loop but pend what each of them holds in a field, and empty that? */
static bool pends_of_each(struct maker *k, const struct insn *i)
{
	const struct insn *load = i + 5, *none = i + 6, *empty = i + 7, *store = i + 8, *pend = i + 9, *again = i + 10;
	if (k->undone || k->at + 10 >= k->p->fn[k->fn].end || load->op != OP_LDF || load->b != i->a || none->op != OP_JNONE || none->a != load->a || goal(k, none) != k->at)
		return false;
	if (empty->op != OP_LOADK || k->p->constant[empty->k] != NONE || store->op != OP_STF || store->a != i->a || store->b != empty->a || store->c != load->c)
		return false;
	if (pend->op != OP_PEND || pend->a != load->a || again->op != OP_LOOP || goal(k, again) != k->at || quick_of(k->p, k->at + 10) != QUICK_TURN)
		return false;
	if (load->a == i->a || empty->a == i->a || empty->a == load->a)
		return false;
	for (int32_t at = k->at + 5; at <= k->at + 10; at++)
		if (k->joins[at] & JOIN_JUMP)
			return false;
	const struct reach *f = &k->m->reach[load->c];
	const int32_t ways[] = {k->at, goal(k, &i[1])};
	for (int w = 0; w < 2; w++)
		if (is_live(k, ways[w], load->a) || is_live(k, ways[w], empty->a))
			return false;
	return f->plain && !f->act && !f->fixed && !f->touches && f->stride == 1 && f->count >= k->p->layout.kind[i->k].count && !k->asked[load->c] && !k->owned[load->c];
}

/* In front of it: those of a word are gone through at once. The loop has those of whom nothing is known, and finds the end. */
void make_pend_all(struct maker *k, const struct insn *i, uint32_t bits)
{
	static const enum x64_reg WHO = RCX, FIRST = RDX, LEFT = RDI, PENDED = RSI, ROW = R8, LIST = R9, SERIAL = R10, MOVES = R11;
	struct x64 *x = &k->x;
	const uint32_t count = k->p->layout.kind[i->k].count;
	if (!pends_of_each(k, i))
		return;
	take(k, WHO, i->a);
	x64_fix(x, FIX_ADD, WHO, 1);
	x64_fix(x, FIX_CMP, WHO, (int32_t)count);
	const uint32_t over = x64_jump_if(x, IF_NOT_BELOW);
	/* of his word those from him on who are known to say yes, up to the first of whom it is not known */
	x64_regs(x, X_LOAD, FIRST, WHO);
	x64_shift(x, false, FIRST, 6);
	x64_do(x, X_LOAD, LEFT, in_array(k, k->m->memo.so + bits, FIRST, 3, RAX));
	x64_do(x, X_LOAD, RAX, in_array(k, k->m->memo.stale + bits, FIRST, 3, RAX));
	x64_shift_cl(x, false, LEFT);
	x64_shift_cl(x, false, RAX);
	x64_do(x, X_LEA, ROW, x64_at(RAX, -1));
	x64_regs(x, X_OR, ROW, RAX);
	x64_regs(x, X_XOR, ROW, RAX);
	x64_regs(x, X_AND, LEFT, ROW);
	const uint32_t nobody = x64_jump_if(x, IF_SAME);
	x64_regs(x, X_LOAD, FIRST, WHO);
	x64_do(x, X_LOAD, LIST, HEADER(H_LIST));
	x64_do(x, X_LOAD, SERIAL, HEADER(H_SERIAL));
	x64_do32(x, X_LOAD, MOVES, OF_MACHINE(memo.moves));
	const uint32_t next = x->n;
	x64_regs(x, X_BITS, WHO, LEFT);
	x64_do(x, X_LEA, ROW, x64_at(LEFT, -1));
	x64_regs(x, X_AND, LEFT, ROW);
	x64_regs(x, X_ADD, WHO, FIRST);
	const struct x64_at field = x64_in(WORLD, WHO, 3, (int64_t)k->m->reach[i[5].c].base * 8);
	x64_do(x, X_LOAD, PENDED, field);
	x64_regs(x, X_CMP, PENDED, UNSET);
	const uint32_t none = x64_jump_if(x, IF_SAME);
	compare_byte(x, in_array(k, k->m->memo.row_noted, PENDED, 0, RAX));
	const uint32_t noted = x64_jump_if(x, IF_OTHER);
	x64_do(x, X_STORE, UNSET, field);
	x64_times(x, ROW, PENDED, (int32_t)k->p->layout.act_stride);
	x64_put(x, word_of_row(k, ROW, ACT_STATE), ACT_PENDING);
	x64_do(x, X_STORE, LIST, word_of_row(k, ROW, ACT_LIST));
	x64_do(x, X_STORE, SERIAL, word_of_row(k, ROW, ACT_SERIAL));
	x64_fix(x, FIX_ADD, SERIAL, 1);
	const struct x64_at moves = in_array(k, k->m->memo.moving, PENDED, 0, RAX);
	compare_byte(x, moves);
	const uint32_t moving = x64_jump_if(x, IF_OTHER);
	put_byte(x, moves, 1);
	x64_do32(x, X_STORE, PENDED, in_array(k, k->m->memo.moved, MOVES, 2, RAX));
	x64_fix(x, FIX_ADD, MOVES, 1);
	x64_lead(x, none, x->n);
	x64_lead(x, moving, x->n);
	x64_regs(x, X_TEST, LEFT, LEFT);
	x64_lead(x, x64_jump_if(x, IF_OTHER), next);
	const uint32_t done = x->n;
	x64_do(x, X_STORE, WHO, reg(i->a));
	x64_do(x, X_STORE, SERIAL, HEADER(H_SERIAL));
	x64_do32(x, X_STORE, MOVES, OF_MACHINE(memo.moves));
	const uint32_t behind = x64_jump(x);
	x64_lead(x, noted, x->n); /* a call pends it */
	x64_fix(x, FIX_SUB, WHO, 1);
	x64_lead(x, x64_jump(x), done);
	x64_lead(x, over, x->n);
	x64_lead(x, nobody, x->n);
	x64_lead(x, behind, x->n);
	learn(k, i->a, ANYTHING, 0);
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
	/* free for use; the bit is put in a register, since that in memory takes the processor long */
	x64_regs(x, X_LOAD, RSI, act);
	x64_shift(x, false, RSI, 6);
	x64_shift(x, true, RSI, 3);
	const struct x64_at unused = in_array(k, k->m->acts.unused, RSI, 0, RDX);
	x64_do(x, X_LOAD, RDI, unused);
	x64_bit(x, X_BIT_ON, RDI, act);
	x64_do(x, X_STORE, RDI, unused);
	x64_do32(x, X_CMP, RSI, OF_MACHINE(acts.full));
	const uint32_t later = x64_jump_if(x, IF_NOT_LESS);
	x64_do32(x, X_STORE, RSI, OF_MACHINE(acts.full));
	x64_lead(x, later, x->n);
}

/* As acts_release does it where nobody is fresh. */
bool make_release(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const struct program *p = k->p;
	struct detours a = {{0}, 0};
	uint32_t not_his[2];
	if (!i->b || p->at.act_actor < 0) {
		call_apart(k, native_apart_of(OP_FREE));
		return true;
	}
	detour_undone(k, &a);
	take(k, RAX, i->a);
	if (!is_below(k, i->a, (uint32_t)k->m->acts.actors)) {
		x64_fix(x, FIX_CMP, RAX, k->m->acts.actors);
		detour(k, &a, IF_NOT_BELOW);
	}
	compare_byte(x, OF_MACHINE(acts.some_fresh));
	detour(k, &a, IF_OTHER);
	x64_do32(x, X_LOAD, R8, declared_of(k, RAX, R8));
	x64_times(x, RCX, R8, (int32_t)p->layout.act_stride);
	/* whoever was pended has left no act that says it is his, so this is foreseen */
	x64_do(x, X_CMP, RAX, x64_in(WORLD, RCX, 3, (int64_t)k->m->reach[p->at.act_actor].base * 8));
	not_his[0] = x64_jump_if(x, IF_OTHER);
	x64_fix_at(x, true, FIX_CMP, word_of_row(k, RCX, ACT_STATE), ACT_DECLARED);
	not_his[1] = x64_jump_if(x, IF_OTHER);
	detour_noted(k, &a, R8);
	make_wiped(k, R8, RCX);
	x64_lead(x, not_his[0], x->n);
	x64_lead(x, not_his[1], x->n);
	for (int s = 0; s < a.n; s++)
		k->stubs.v[a.stub[s]].says = true; /* rax is the actor all the same */
	detours_back(k, &a);
	return true;
}

#endif
