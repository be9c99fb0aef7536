/* native_dice.c - dice drawn, as processor code (native.h). */
#include "runtime/vm/native_maker.h"

typedef int native_dice_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

/* rbp lasts across the draw; what it holds otherwise (BACK) is for returns alone. */
static const enum x64_reg OWNER = RBP;

/* rsi: the label hash for the owner, as program_roll_hash has it. */
static void hash_label(struct maker *k, const struct sort_of_die *d)
{
	struct x64 *x = &k->x;
	x64_times(x, RSI, OWNER, (int32_t)sizeof *d->owners);
	x64_number(x, RDX, (int64_t)(intptr_t)&d->owners->hash);
	x64_do(x, X_LOAD, RSI, x64_in(RSI, RDX, 0, 0));
	x64_number(x, RDX, (int64_t)ROLL_OWNER);
	x64_regs(x, X_IMUL, RSI, RDX);
	x64_number(x, RDX, (int64_t)d->label);
	x64_regs(x, X_XOR, RSI, RDX);
}

/* One die of which nobody but the generator has a say, as draw in chance.c has it. */
bool make_roll(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const bool one = is_small(k, i->b);
	struct sort_of_die d;
	if ((one && known(k, i->b)->number < 0) || !chance_sort(k->m, i[1].k, one ? (int32_t)known(k, i->b)->number : -1, &d) || d.owners_n == 0) {
		call_apart(k, native_apart_of(OP_ROLL));
		learn(k, i->a, ANYTHING, 0);
		return true;
	}
	const struct x64_at occurrence = x64_in(WORLD, OWNER, 2, (int64_t)k->p->layout.labels * 8 + 4 * ((int64_t)d.slots + d.first));
	struct detours a = {{0}, 0};
	compare_byte(x, OF_MACHINE(quiet));
	detour(k, &a, IF_OTHER);
	x64_fix_at(x, false, FIX_CMP, OF_MACHINE(tries), 0);
	detour(k, &a, IF_OTHER);
	take(k, OWNER, i->c);
	x64_fix(x, FIX_CMP, OWNER, (int32_t)d.owners_n);
	detour(k, &a, IF_NOT_BELOW);
	x64_do(x, X_LOAD, RDX, HEADER(H_SEED));
	x64_do(x, X_CMP, RDX, OF_MACHINE(keys.seed));
	detour(k, &a, IF_OTHER);
	x64_fix_at(x, true, FIX_CMP, OF_MACHINE(keys.key[1]), 0); /* are they made? */
	detour(k, &a, IF_SAME);
	hash_label(k, &d);
	x64_do(x, X_LEA, RDI, OF_MACHINE(keys));
	x64_do(x, X_LOAD, RDX, HEADER(H_TRIAL));
	x64_do32(x, X_LOAD, RCX, occurrence);
	x64_call(x, (uintptr_t)chance_first);
	k->cached = -1;
	if (one) {
		x64_number(x, RCX, (int64_t)d.sides);
	} else {
		_Static_assert(sizeof(struct lone_die) == 16, "found by a shift");
		take(k, RSI, i->b);
		x64_fix(x, FIX_CMP, RSI, k->p->dices);
		detour(k, &a, IF_NOT_BELOW);
		x64_shift(x, true, RSI, 4);
		x64_number(x, RCX, (int64_t)(intptr_t)k->m->lone);
		x64_regs(x, X_ADD, RSI, RCX);
		x64_do(x, X_LOAD, RCX, x64_at(RSI, offsetof(struct lone_die, sides)));
	}
	x64_multiply(x, RCX);
	x64_regs(x, X_CMP, RAX, RCX); /* the draw does not settle it; or a die without sides */
	detour(k, &a, IF_BELOW);
	if (!one) {
		x64_regs(x, X_TEST, RCX, RCX);
		detour(k, &a, IF_SAME);
		x64_do(x, X_ADD, RDX, x64_at(RSI, offsetof(struct lone_die, add)));
	}
	x64_do(x, X_LEA, RAX, x64_at(RDX, 1 + (one ? d.add : 0)));
	x64_fix_at(x, false, FIX_ADD, occurrence, 1);
	x64_do(x, X_STORE, RAX, reg(i->a));
	learn(k, i->a, one ? SET : ANYTHING, 0);
	detours_back(k, &a);
	return true;
}

#endif
