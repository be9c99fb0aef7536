/* native_dice.c - dice drawn, as processor code (native.h). */
#include "runtime/vm/native_maker.h"

typedef int native_dice_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

/* rbp lasts across the call; what it holds otherwise (BACK) is for returns alone. */
static const enum x64_reg OWNER = RBP;

/* rsi: the label hash for the owner, as program_roll_hash has it. */
static void hash_label(struct maker *k, const struct sort_of_die *d)
{
	struct x64 *x = &k->x;
	x64_times(x, RSI, OWNER, (int32_t)sizeof *d->owners);
	x64_number(x, RAX, (int64_t)(intptr_t)&d->owners->hash);
	x64_do(x, X_LOAD, RSI, x64_in(RSI, RAX, 0, 0));
	x64_number(x, RAX, (int64_t)ROLL_OWNER);
	x64_regs(x, X_IMUL, RSI, RAX);
	x64_number(x, RAX, (int64_t)d->label);
	x64_regs(x, X_XOR, RSI, RAX);
}

/* rax: the piece for this occurrence, draw_face's; r8 is the seed. The block is made first where another is at hand. */
static void take_piece(struct maker *k, const struct sort_of_die *d, struct x64_at occurrence)
{
	struct x64 *x = &k->x;
	k->cached = -1;
	const int64_t first = (int64_t)sizeof(struct draw_block) * (d->slots + d->first);
	x64_times(x, RDI, OWNER, (int32_t)sizeof(struct draw_block));
	x64_do(x, X_ADD, RDI, OF_MACHINE(drawn));
	x64_do32(x, X_LOAD, RCX, occurrence);
	x64_do(x, X_LOAD, RDX, HEADER(H_TRIAL));
	x64_regs(x, X_LOAD, RSI, RCX);
	x64_shift32(x, false, RSI, DRAW_BITS);
	x64_do(x, X_CMP, RDX, x64_at(RDI, first + (int64_t)offsetof(struct draw_block, trial)));
	const uint32_t other_trial = x64_jump_if(x, IF_OTHER);
	x64_do32(x, X_CMP, RSI, x64_at(RDI, first + (int64_t)offsetof(struct draw_block, number)));
	const uint32_t same = x64_jump_if(x, IF_SAME);
	x64_lead(x, other_trial, x->n);
	hash_label(k, d);
	x64_regs(x, X_LOAD, RCX, RDX);
	x64_regs(x, X_LOAD, RDX, RSI);
	x64_regs(x, X_LOAD, RSI, R8);
	x64_do32(x, X_LOAD, R8, occurrence);
	x64_do(x, X_LEA, RDI, x64_at(RDI, first));
	x64_call(x, (uintptr_t)chance_fill);
	x64_do(x, X_LEA, RDI, x64_at(RAX, -first));
	x64_do32(x, X_LOAD, RCX, occurrence);
	x64_lead(x, same, x->n);
	x64_fix(x, FIX_AND, RCX, DRAW_PIECES - 1);
	x64_fix(x, FIX_XOR, RCX, 3); /* a word's highest bits come first, and stand last */
	x64_do32(x, X_WORD, RAX, x64_in(RDI, RCX, 1, first + (int64_t)offsetof(struct draw_block, word)));
}

/* One die of which nobody but the generator has a say, as falls in chance.c has it. */
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
	if (k->undone) {
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(tries), 0);
		detour(k, &a, IF_OTHER);
	}
	take(k, OWNER, i->c);
	if (!is_below(k, i->c, (uint32_t)d.owners_n)) {
		x64_fix(x, FIX_CMP, OWNER, (int32_t)d.owners_n);
		detour(k, &a, IF_NOT_BELOW);
	}
	x64_do(x, X_LOAD, R8, HEADER(H_SEED));
	x64_do(x, X_CMP, R8, OF_MACHINE(drawn_seed));
	detour(k, &a, IF_OTHER);
	take_piece(k, &d, occurrence);
	if (one) {
		x64_times(x, RAX, RAX, (int32_t)d.sides);
		x64_regs(x, X_WORD, RDX, RAX);
		x64_fix(x, FIX_CMP, RDX, (int32_t)d.sides); /* the piece does not settle it */
	} else {
		_Static_assert(sizeof(struct lone_die) == 16, "found by a shift");
		take(k, RSI, i->b);
		x64_fix(x, FIX_CMP, RSI, k->p->dices);
		detour(k, &a, IF_NOT_BELOW);
		x64_shift(x, true, RSI, 4);
		x64_number(x, RCX, (int64_t)(intptr_t)k->m->lone);
		x64_regs(x, X_ADD, RSI, RCX);
		x64_do(x, X_LOAD, RCX, x64_at(RSI, offsetof(struct lone_die, sides)));
		x64_regs(x, X_TEST, RCX, RCX); /* it is not one die */
		detour(k, &a, IF_SAME);
		x64_regs(x, X_IMUL, RAX, RCX);
		x64_regs(x, X_WORD, RDX, RAX);
		x64_regs(x, X_CMP, RDX, RCX);
	}
	detour(k, &a, IF_BELOW);
	x64_shift32(x, false, RAX, 16);
	if (!one)
		x64_do(x, X_ADD, RAX, x64_at(RSI, offsetof(struct lone_die, add)));
	x64_do(x, X_LEA, RAX, x64_at(RAX, 1 + (one ? d.add : 0)));
	x64_fix_at(x, false, FIX_ADD, occurrence, 1);
	x64_do(x, X_STORE, RAX, reg(i->a));
	learn(k, i->a, one ? SET : ANYTHING, 0);
	detours_back(k, &a);
	return true;
}

#endif
