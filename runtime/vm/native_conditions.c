/* native_conditions.c - conditions that wait to be asked, as processor code (native.h). */
#include "runtime/vm/native_maker.h"

typedef int native_conditions_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

int make_dirty(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const unsigned bit = (unsigned)(i->k > 63 ? 63 : i->k);
	leave_undone(k);
	if (leads_to(k, i, OP_JZ)) {
		x64_take_bit(x, HEADER(H_DIRTY), bit);
		put_and_go(k, x64_jump_if(x, IF_NOT_BELOW), i->a, 1, false, goal(k, &i[1]));
		put_number(k, i->a, true);
		return 2;
	}
	x64_do(x, X_LOAD, RAX, HEADER(H_DIRTY));
	x64_number(x, RCX, (int64_t)(1ull << bit));
	x64_regs(x, X_AND, RCX, RAX); /* the bit alone */
	x64_regs(x, X_XOR, RAX, RCX);
	x64_do(x, X_STORE, RAX, HEADER(H_DIRTY));
	x64_regs(x, X_LOAD, RAX, RCX);
	if (bit)
		x64_shift(x, false, RAX, bit);
	put(k, i->a, YES_NO);
	return 1;
}

/* The bits of a word of memo.stale, at rdx, that stand for places from `first` to before `last`. */
static void load_waiting(struct maker *k, enum x64_reg to, int64_t word_, int64_t first, int64_t last)
{
	struct x64 *x = &k->x;
	const unsigned from = first > word_ * 64 ? (unsigned)(first % 64) : 0, end = last < (word_ + 1) * 64 ? (unsigned)(last % 64) : 64;
	const int64_t mask = (int64_t)(~0ull << from & ~0ull >> (64 - end));
	x64_do(x, X_LOAD, to, x64_at(RDX, word_ * 8));
	if (mask >= INT32_MIN && mask <= INT32_MAX) {
		if (mask != -1)
			x64_fix(x, FIX_AND, to, (int32_t)mask);
		return;
	}
	x64_number(x, RAX, mask);
	x64_regs(x, X_AND, to, RAX);
}

/* Of two words at once: nobody waits, where it returns a jump; or rax is the place of the first, if the walk begins. Who goes on
 * comes to what is behind that by the other jump. Which word he stands in is asked without one: no processor foresees it. */
static uint32_t find_first_of_two(struct maker *k, const struct insn *i, int64_t first, int64_t last, uint32_t *goes_on)
{
	struct x64 *x = &k->x;
	const int64_t word_ = first / 64;
	load_waiting(k, RSI, word_, first, last);
	load_waiting(k, RDI, word_ + 1, first, last);
	x64_regs(x, X_LOAD, RAX, RSI);
	x64_regs(x, X_OR, RAX, RDI);
	const uint32_t none = x64_jump_if(x, IF_SAME);
	x64_fix_at(x, true, FIX_CMP, reg(i->a), -1);
	*goes_on = x64_jump_if(x, IF_OTHER);
	x64_regs(x, X_BITS, RCX, RDI);
	x64_fix(x, FIX_ADD, RCX, 64);
	x64_regs(x, X_BITS, RAX, RSI);
	x64_regs(x, X_IF_SAME, RAX, RCX); /* there was none */
	if (word_)
		x64_fix(x, FIX_ADD, RAX, (int32_t)word_ * 64);
	return none;
}

/* As woke (inside.h) has it, of a condition of one thing; with the jump at the end, if that follows. */
int make_woke(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const struct whenever_info *of = &k->p->whenever[i->k];
	const int64_t last = (int64_t)of->first + of->count[0];
	uint32_t ends[3], goes_on = 0, found = 0;
	int n = 0;
	if (of->params != 1 || of->count[1] != 1 || last > INT32_MAX) {
		call_apart(k, native_apart_of(OP_WOKE));
		learn_words(k, i->a, 3);
		return 1;
	}
	if (known(k, i->a)->lazy) /* it is looked at where it stands */
		settle(k, k->at);
	x64_number(x, RDX, (int64_t)(intptr_t)k->m->memo.stale);
	if ((last - 1) / 64 == of->first / 64 + 1) {
		ends[n++] = find_first_of_two(k, i, of->first, last, &goes_on);
		found = x64_jump(x);
		x64_lead(x, goes_on, x->n);
	}
	x64_do(x, X_LOAD, RCX, reg(i->a));
	x64_fix(x, FIX_ADD, RCX, of->first + 1); /* from the place behind his; he is -1 to begin */
	const uint32_t next = x->n;
	x64_fix(x, FIX_CMP, RCX, (int32_t)last);
	ends[n++] = x64_jump_if(x, IF_NOT_LESS);
	x64_regs(x, X_LOAD, RAX, RCX);
	x64_shift(x, false, RAX, 6);
	x64_do(x, X_LOAD, RAX, x64_in(RDX, RAX, 3, 0));
	x64_shift_cl(x, false, RAX); /* of cl it takes what is below 64 */
	x64_regs(x, X_BITS, RAX, RAX);
	const uint32_t here = x64_jump_if(x, IF_OTHER);
	x64_fix(x, FIX_OR, RCX, 63);
	x64_fix(x, FIX_ADD, RCX, 1);
	x64_lead(x, x64_jump(x), next);
	x64_lead(x, here, x->n);
	x64_regs(x, X_ADD, RAX, RCX);
	x64_fix(x, FIX_CMP, RAX, (int32_t)last);
	ends[n++] = x64_jump_if(x, IF_NOT_LESS);
	if (found)
		x64_lead(x, found, x->n);
	k->cached = -1;
	x64_do(x, X_STORE, RAX, reg(i->a + 1u));
	if (of->first)
		x64_fix(x, FIX_SUB, RAX, of->first);
	const int done = put_next(k, i, ends, n, (uint32_t)of->count[0]);
	learn(k, i->a + 1u, SET, 0);
	return done;
}

/* As turned (inside.h) has it, where it is as it was; of any condition. */
static void look_whether_turned(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const uint32_t bits = k->p->layout.conditions;
	int apart[2];
	take(k, RAX, i->b);
	take(k, RDI, i->c);
	x64_regs(x, X_LOAD, RDX, RAX);
	x64_shift(x, false, RDX, 6);
	x64_do(x, X_LOAD, RSI, x64_in(WORLD, RDX, 3, (int64_t)bits * 8));
	x64_regs(x, X_TEST, RDI, RDI);
	const uint32_t is = x64_jump_if(x, IF_OTHER);
	x64_has_bit(x, RSI, RAX);
	apart[0] = stub(k, STUB_APART, x64_jump_if(x, IF_BELOW), 0);
	const uint32_t as_before = x64_jump(x);
	x64_lead(x, is, x->n);
	x64_has_bit(x, RSI, RAX);
	apart[1] = stub(k, STUB_APART, x64_jump_if(x, IF_NOT_BELOW), 0);
	x64_lead(x, as_before, x->n);
	/* as memo_settled has it */
	x64_do32(x, X_CMP, RAX, OF_MACHINE(memo.asked));
	const uint32_t asked = x64_jump_if(x, IF_SAME);
	x64_number(x, RCX, (int64_t)(intptr_t)k->m->memo.self);
	x64_do(x, X_LOAD, RSI, x64_in(RCX, RDX, 3, 0));
	x64_has_bit(x, RSI, RAX);
	const uint32_t stays = x64_jump_if(x, IF_NOT_BELOW);
	x64_lead(x, asked, x->n);
	x64_number(x, RCX, (int64_t)(intptr_t)k->m->memo.stale);
	x64_do(x, X_LOAD, RSI, x64_in(RCX, RDX, 3, 0));
	x64_bit(x, X_BIT_OFF, RSI, RAX);
	x64_do(x, X_STORE, RSI, x64_in(RCX, RDX, 3, 0));
	x64_lead(x, stays, x->n);
	x64_fix_at(x, false, FIX_OR, OF_MACHINE(memo.asked), -1);
	x64_put(x, reg(i->a), 0);
	learn(k, i->a, YES_NO, 0);
	k->cached = -1;
	for (int s = 0; s < 2; s++)
		come_back(k, apart[s]);
}

/* rsi, with one bit changed, is written back where word rdx of the conditions' bits stands, if nothing was noted of that. */
static void put_condition(struct maker *k, struct detours *a)
{
	struct x64 *x = &k->x;
	const int64_t at = k->p->layout.conditions;
	detour_undone(k, a);
	x64_do(x, X_LOAD, RCX, OF_MACHINE(memo.head));
	x64_fix_at(x, false, FIX_CMP, x64_in(RCX, RDX, 2, at * 4), 0);
	detour(k, a, IF_OTHER);
	x64_do(x, X_STORE, RSI, x64_in(WORLD, RDX, 3, at * 8));
}

/* The same of one that looks at own words only, with the jump where it did not become so. */
static void make_own_turned(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const struct x64_at bits = x64_in(WORLD, RDX, 3, (int64_t)k->p->layout.conditions * 8), stale = x64_in(RCX, RDX, 3, 0);
	const int32_t to = goal(k, &i[2]);
	struct detours a = {{0}, 0};
	if (known(k, i->a)->lazy) /* nobody is to write it down over the answer */
		settle(k, k->at);
	take(k, RAX, i->b);
	take(k, RDI, i->c);
	learn(k, i->a, YES_NO, 0);
	k->cached = -1;
	x64_regs(x, X_LOAD, RDX, RAX);
	x64_shift(x, false, RDX, 6);
	x64_number(x, RCX, (int64_t)(intptr_t)k->m->memo.stale);
	x64_do(x, X_LOAD, RSI, stale);
	x64_bit(x, X_BIT_OFF, RSI, RAX);
	x64_do(x, X_STORE, RSI, stale);
	x64_fix_at(x, false, FIX_OR, OF_MACHINE(memo.asked), -1);
	x64_do(x, X_LOAD, RSI, bits);
	x64_regs(x, X_TEST, RDI, RDI);
	const uint32_t is = x64_jump_if(x, IF_OTHER);
	x64_bit(x, X_BIT_OFF, RSI, RAX);
	put_and_go(k, x64_jump_if(x, IF_NOT_BELOW), i->a, 1, false, to);
	put_condition(k, &a);
	put_and_go(k, x64_jump(x), i->a, 1, false, to);
	x64_lead(x, is, x->n);
	x64_bit(x, X_BIT_ON, RSI, RAX);
	put_and_go(k, x64_jump_if(x, IF_BELOW), i->a, 1, false, to);
	put_condition(k, &a);
	const uint32_t over = x64_jump(x);
	detours_back(k, &a);
	x64_fix_at(x, true, FIX_CMP, reg(i->a), 0);
	go_if(k, IF_SAME, to);
	x64_lead(x, over, x->n);
	put_number(k, i->a, true);
}

/* Returns how many instructions were done. */
int make_turned(struct maker *k, const struct insn *i)
{
	const struct whenever_info *of = &k->p->whenever[i[1].k];
	const bool own = k->m->memo.self[of->first / 64] >> of->first % 64 & 1;
	if (own && !k->joins[k->at + 1] && !k->joins[k->at + 2] && i[2].op == OP_JZ && i[2].a == i->a) {
		make_own_turned(k, i);
		return 3;
	}
	look_whether_turned(k, i);
	return 1;
}

void test_who_waits(struct maker *k, enum x64_reg spare)
{
	const word waits = k->m->conditions;
	if (waits >= INT32_MIN && waits <= INT32_MAX) {
		x64_test_at(&k->x, HEADER(H_DIRTY), (int32_t)waits);
		return;
	}
	x64_number(&k->x, spare, waits);
	x64_do(&k->x, X_TEST, spare, HEADER(H_DIRTY));
}

void look_who_waits(struct maker *k)
{
	const word waits = k->m->conditions;
	test_who_waits(k, RAX);
	if (waits < INT32_MIN || waits > INT32_MAX)
		k->cached = -1;
}

bool stays_quiet(const struct maker *k, const struct insn *i)
{
	switch ((enum op)i->op) {
	case OP_NOP: case OP_EXT: case OP_MOVE: case OP_LOADI: case OP_LOADK: case OP_NOW: case OP_CAUSE: case OP_SERIAL:
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: case OP_MIN: case OP_MAX: case OP_NOT: case OP_SAME: case OP_EQ: case OP_NE: case OP_LT: case OP_LE:
	case OP_JMP: case OP_LOOP: case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME:
	case OP_LDF: case OP_LDT: case OP_LDA: case OP_EVENTOF: case OP_KNEXT: case OP_ONLY: case OP_BEGINS: case OP_ROLL:
	case OP_SNONE: case OP_SMOVE: case OP_SADD: case OP_SNEXT: case OP_SNTH: case OP_SCOUNT: case OP_SHAS: case OP_SKNOWN:
	case OP_NEEDS: case OP_SETTLE: case OP_QNEXT: case OP_AGAIN:
		return true;
	case OP_CALL:
		return k->p->fn[i->k].pure;
	case OP_STF: case OP_ADF:
		return k->m->reach[i->c].plain && !k->m->reach[i->c].touches && !k->owned[i->c];
	default:
		return false;
	}
}

/* May nobody jump there from here, as that is within a loop which does not begin here? */
static bool is_within_loop(const struct maker *k, int32_t to)
{
	for (int32_t head = k->at + 1; head < to; head++)
		if (k->arrivals[head].end >= to)
			return true;
	return false;
}

int32_t quietly(struct maker *k, int32_t to)
{
	const int32_t meant = to;
	if (!k->quiet || to <= k->at)
		return to;
	for (;;) {
		const struct insn *i = &k->p->code[to];
		if (i->op == OP_SETTLE && !is_live(k, to + 1, i->a) && !is_live(k, to + 1, i->a + 1u))
			to++;
		else if (i->op == OP_NEEDS && !i->b && i->c && i[1].op == OP_JZ && i[1].a == i->a && i[1].k > 0 && !is_live(k, goal(k, &i[1]), i->a))
			to = goal(k, &i[1]);
		else if (i->op == OP_JMP && i->k > 0)
			to = goal(k, i);
		else
			break;
	}
	if (to == meant || to <= k->behind || is_within_loop(k, to))
		return meant;
	k->joins[to] |= JOIN_JUMP;
	return to;
}

bool make_settle(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	if (!k->quiet && !k->undone) { /* never while an act is on its way, nor on a copy */
		look_who_waits(k);
		const uint32_t none = x64_jump_if(x, IF_SAME);
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(groups), 0);
		const uint32_t inside = x64_jump_if(x, IF_OTHER);
		compare_byte(x, OF_MACHINE(unwritten));
		const uint32_t led = x64_jump_if(x, IF_OTHER);
		come_back(k, stub(k, k->m->memo.of[i->k] < 0 ? STUB_ENTER : STUB_KNOWN, x64_jump(x), (uint32_t)i->k));
		x64_lead(x, none, x->n);
		x64_lead(x, inside, x->n);
		x64_lead(x, led, x->n);
	}
	put_number(k, i->a, 0);
	put_number(k, i->a + 1u, 0);
	return true;
}

#endif
