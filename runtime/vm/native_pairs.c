/* native_pairs.c - what is asked about two, as processor code (native.h): words kept between them, and what a list has, as
 * load_pair, set_pair and has_listed (apart.c) find it. */
#include "runtime/vm/native_maker.h"

typedef int native_pairs_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

enum { FRAME_SHIFT = 6 };
_Static_assert(sizeof(struct memo_frame) == 1 << FRAME_SHIFT, "frames are found by a shift");

/* As memo_read_cell has it: of the two in rax and rcx, which stay. An answer is being worked out.
 */
void make_read_cell(struct maker *k, uint32_t field)
{
	struct x64 *x = &k->x;
	const int64_t frame =
		(int64_t)offsetof(struct vm, memo.frame) - (int64_t)sizeof(struct memo_frame);
	uint32_t lined[2];
	int n = 0;
	if (field < MEMO_LINED_FIELDS) {
		x64_do32(x, X_LOAD, RDX, OF_MACHINE(memo.depth));
		x64_shift(x, true, RDX, FRAME_SHIFT);
		x64_test_at(x, x64_in(MACHINE, RDX, 0, frame + (int64_t)offsetof(struct memo_frame, lined)),
			1 << field);
		const uint32_t no = x64_jump_if(x, IF_SAME);
		x64_do32(x, X_LOAD, RSI,
			x64_in(MACHINE, RDX, 0, frame + (int64_t)offsetof(struct memo_frame, asked)));
		x64_regs(x, X_CMP, RSI, RAX);
		lined[n++] = x64_jump_if(x, IF_SAME);
		x64_regs(x, X_CMP, RSI, RCX);
		lined[n++] = x64_jump_if(x, IF_SAME);
		x64_lead(x, no, x->n);
	}
	x64_push(x, RAX);
	x64_push(x, RCX);
	x64_regs(x, X_LOAD, RDI, MACHINE);
	x64_regs(x, X_LOAD, RSI, RAX);
	x64_regs(x, X_LOAD, RDX, RCX);
	x64_number(x, RCX, field);
	x64_call(x, (uintptr_t)native_read_cell);
	x64_pop(x, RCX);
	x64_pop(x, RAX);
	while (n > 0)
		x64_lead(x, lined[--n], x->n);
}

/* Nobody writes it, and nothing is set. */
static bool is_blank(const struct program *p, const struct pair_info *f)
{
	bool blank = f->fixed && p->from_start;
	for (uint32_t at = 0; at < f->side * f->side && blank; at++)
		blank = p->start[f->base + at] == NONE;
	return blank;
}

/* `holds` is R[x], which is one of `side`, or it comes to nothing: the stub for that, or -1. */
static int take_one(struct maker *k, enum x64_reg holds, unsigned x, uint32_t side)
{
	take(k, holds, x);
	if (is_below(k, x, side))
		return -1;
	x64_fix(&k->x, FIX_CMP, holds, (int32_t)side);
	return stub(k, STUB_UNSET, x64_jump_if(&k->x, IF_NOT_BELOW), 0);
}

/* From the two in rax and rcx: the first word of the row in rax, the place in it in rcx. */
static void row_of_pair(struct x64 *x, const struct pair_info *f)
{
	if (!f->directed) { /* the lesser comes first */
		x64_regs(x, X_LOAD, RDX, RAX);
		x64_regs(x, X_CMP, RCX, RAX);
		x64_regs(x, X_LESS, RAX, RCX);
		x64_regs(x, X_LESS, RCX, RDX);
	}
	x64_times(x, RAX, RAX, (int32_t)f->side);
}

bool make_load_pair(struct maker *k, const struct insn *i)
{
	const struct pair_info *f = &k->p->pair[i->c];
	struct x64 *x = &k->x;
	if (is_blank(k->p, f)) {
		put_number(k, i->a, NONE);
		return true;
	}
	const int nobody[2] = {take_one(k, RCX, i->b + 1u, f->side), take_one(k, RAX, i->b, f->side)};
	k->cached = -1;
	if (k->noted[k->fn] && !f->fixed) {
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(memo.depth), 0);
		come_back(k, stub(k, STUB_READ_CELL, x64_jump_if(x, IF_OTHER), i->c));
	}
	row_of_pair(x, f);
	x64_regs(x, X_ADD, RAX, RCX);
	x64_do(x, X_LOAD, RAX, x64_in(WORLD, RAX, 3, (int64_t)f->base * 8));
	for (int n = 0; n < 2; n++)
		come_back(k, nobody[n]);
	put(k, i->a, ANYTHING);
	return true;
}

/* Where the number in rax, of `side`, comes from; the call finds out that it is none of them. */
static void take_within(
	struct maker *k, struct detours *a, enum x64_reg holds, unsigned x, uint32_t side)
{
	take(k, holds, x);
	if (is_below(k, x, side))
		return;
	x64_fix(&k->x, FIX_CMP, holds, (int32_t)side);
	detour(k, a, IF_NOT_BELOW);
}

/* As set_pair (apart.c) has it, where nothing rests on the cell. */
bool make_store_pair(struct maker *k, const struct insn *i)
{
	const struct pair_info *f = &k->p->pair[i->c];
	struct x64 *x = &k->x;
	struct detours a = {{0}, 0};
	if ((word)f->touches > INT32_MAX || (word)f->touches < 0)
		return false;
	detour_undone(k, &a);
	take_within(k, &a, RCX, i->a + 1u, f->side);
	take_within(k, &a, RAX, i->a, f->side);
	k->cached = -1;
	row_of_pair(x, f);
	x64_regs(x, X_ADD, RCX, RAX);
	take(k, RAX, i->b);
	k->cached = -1;
	const struct x64_at at = x64_in(WORLD, RCX, 3, (int64_t)f->base * 8);
	x64_do(x, X_CMP, RAX, at);
	const uint32_t same = x64_jump_if(x, IF_SAME);
	x64_fix_at(x, false, FIX_CMP, in_array(k, k->m->memo.head + f->base, RCX, 2, RDX), 0);
	detour(k, &a, IF_OTHER);
	x64_do(x, X_STORE, RAX, at);
	x64_lead(x, same, x->n);
	if (f->touches)
		x64_fix_at(x, true, FIX_OR, HEADER(H_DIRTY), (int32_t)f->touches);
	detours_back(k, &a);
	return true;
}

bool make_has_listed(struct maker *k, const struct insn *i)
{
	const struct reach *f = &k->m->reach[i->c];
	struct x64 *x = &k->x;
	if (k->noted[k->fn]) { /* its words lead to the answer */
		call_apart(k, native_apart_of(OP_HASL));
		learn(k, i->a, ANYTHING, 0);
		return true;
	}
	struct detours a = {{0}, 0};
	take(k, RCX, i->b);
	if (!is_below(k, i->b, f->count)) {
		x64_fix(x, FIX_CMP, RCX, (int32_t)f->count);
		detour(k, &a, IF_NOT_BELOW);
	}
	x64_times(x, RCX, RCX, (int32_t)f->stride);
	x64_fix_at(x, true, FIX_CMP, x64_in(WORLD, RCX, 3, (int64_t)f->base * 8), 0);
	detour(k, &a, IF_OTHER); /* it has none, mostly */
	x64_put(x, reg(i->a), 0);
	detours_back(k, &a);
	learn(k, i->a, YES_NO, 0);
	k->cached = -1;
	return true;
}

#endif
