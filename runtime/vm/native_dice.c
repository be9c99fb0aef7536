/* native_dice.c - dice drawn, as processor code (native.h). */
#include "runtime/vm/native_maker.h"

typedef int native_dice_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

/* It lasts across a call; what it holds otherwise (BACK) is for returns alone. */
static const enum x64_reg OWNER = RBP;

/* How often OWNER has rolled it. */
static struct x64_at rolled(const struct maker *k, const struct sort_of_die *d)
{
	return x64_in(WORLD, OWNER, 2, (int64_t)k->p->layout.labels * 8 + 4 * ((int64_t)d->slots + d->first));
}

/* The first arguments of chance_fill and chance_sum. */
static void address(struct maker *k, const struct insn *i, const struct sort_of_die *d)
{
	struct x64 *x = &k->x;
	x64_regs(x, X_LOAD, RDI, MACHINE);
	x64_number(x, RSI, i[1].k);
	x64_do(x, X_LEA, RDX, x64_at(OWNER, d->first));
	x64_do32(x, X_LOAD, RCX, rolled(k, d));
}

/* rax: what several dice come to. */
static void take_sum(struct maker *k, struct detours *a, const struct insn *i, const struct sort_of_die *d, word dice)
{
	struct x64 *x = &k->x;
	k->cached = -1;
	x64_fix_at(x, true, FIX_CMP, OF_MACHINE(rolls), 0);
	detour(k, a, IF_SIGN); /* DRAWS_NEVER */
	address(k, i, d);
	x64_number(x, R8, dice);
	x64_call(x, (uintptr_t)chance_sum);
}

/* rax: the piece of a draw for this occurrence, draws_face's. */
static void take_piece(struct maker *k, struct detours *a, const struct sort_of_die *d, int32_t label)
{
	struct x64 *x = &k->x;
	const struct draws *draws = &k->m->draws;
	const uint32_t at = (uint32_t)label * draws->width + d->first;
	const uint16_t *piece = draws->piece + (uint32_t)label * DRAW_PIECES * draws->width + d->first;
	k->cached = -1;
	const uint32_t again = x->n;
	x64_number(x, RDI, (int64_t)(intptr_t)(draws->has + at));
	x64_do32(x, X_LOAD, RAX, rolled(k, d));
	x64_do(x, X_ADD, RAX, OF_MACHINE(rolls));
	x64_do(x, X_SUB, RAX, x64_in(RDI, OWNER, 3, 0));
	x64_fix(x, FIX_CMP, RAX, DRAW_PIECES);
	a->stub[a->n++] = stub(k, STUB_DRAW, x64_jump_if(x, IF_NOT_BELOW), again);
	x64_times(x, RAX, RAX, (int32_t)(draws->width * sizeof *draws->piece));
	x64_regs(x, X_ADD, RAX, RDI);
	x64_do32(x, X_WORD, RAX, x64_in(RAX, OWNER, 1, (const char *)piece - (const char *)(draws->has + at)));
}

void make_drawn(struct maker *k, const struct insn *i, uint32_t again)
{
	struct x64 *x = &k->x;
	struct sort_of_die d;
	chance_sort(k->m, i[1].k, -1, &d);
	address(k, i, &d);
	x64_call(x, (uintptr_t)chance_fill);
	x64_bytes(x, 0xc084, 2); /* test al, al */
	x64_lead(x, x64_jump_if(x, IF_OTHER), again);
}

/* rax: what one die comes to, of `d` or of those that register i->b says. */
static void take_die(struct maker *k, struct detours *a, const struct insn *i, const struct sort_of_die *d, bool any)
{
	struct x64 *x = &k->x;
	const struct lone *lone = &k->m->lone;
	take_piece(k, a, d, i[1].k);
	if (any) {
		take(k, RSI, i->b);
		if (!is_below(k, i->b, (uint32_t)k->p->dices)) {
			x64_fix(x, FIX_CMP, RSI, k->p->dices);
			detour(k, a, IF_NOT_BELOW);
		}
		x64_number(x, RCX, (int64_t)(intptr_t)lone->sides);
		x64_do(x, X_LOAD, RDI, x64_in(RCX, RSI, 3, 0));
		x64_regs(x, X_IMUL, RAX, RDI);
	} else {
		x64_times(x, RAX, RAX, (int32_t)d->sides);
	}
	if (any || DRAW_UNSETTLED % d->sides != 0) { /* else each piece settles it */
		x64_regs(x, X_WORD, RDX, RAX);
		if (any)
			x64_regs(x, X_CMP, RDX, RDI);
		else
			x64_fix(x, FIX_CMP, RDX, (int32_t)d->sides);
		detour(k, a, IF_BELOW);
	}
	x64_shift32(x, false, RAX, 16);
	if (any)
		x64_do(x, X_ADD, RAX, x64_in(RCX, RSI, 3, (const char *)lone->least - (const char *)lone->sides));
	else
		x64_fix(x, FIX_ADD, RAX, (int32_t)d->least);
}

/* Dice of which nobody but the generator has a say, as falls in chance.c has it. */
bool make_roll(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const bool any = !is_small(k, i->b);
	const word dice = any ? -1 : known(k, i->b)->number;
	struct detours a = {{0}, 0};
	struct sort_of_die d;
	if ((!any && dice < 0) || !chance_sort(k->m, i[1].k, (int32_t)dice, &d) || d.owners_n == 0) {
		call_apart(k, native_apart_of(OP_ROLL));
		learn(k, i->a, ANYTHING, 0);
		return true;
	}
	take(k, OWNER, i->c);
	if (!take_below(k, OWNER, i->c, (uint32_t)d.owners_n)) {
		x64_fix(x, FIX_CMP, OWNER, (int32_t)d.owners_n);
		detour(k, &a, IF_NOT_BELOW);
	}
	if (!any && d.sides == 0)
		take_sum(k, &a, i, &d, dice);
	else
		take_die(k, &a, i, &d, any);
	x64_fix_at(x, false, FIX_ADD, rolled(k, &d), 1);
	for (int s = 0; s < a.n; s++)
		k->stubs.v[a.stub[s]].says = true;
	detours_back(k, &a);
	put(k, i->a, any ? ANYTHING : SET);
	if (!any && d.sides)
		learn_range(k, i->a, (struct range){d.least, d.least + (int64_t)d.sides - 1});
	return true;
}

#endif
