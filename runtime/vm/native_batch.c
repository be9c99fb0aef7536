/* native_batch.c - acts that moved find their places, one after the other, in one call: the loop around the
 * ways of their tree (native_shape.c), as pending.c has it for one.
 *
 * What is calculated from nothing but words of the world comes to the same for all of them: that is done
 * before the loop, on whichever way it is found. Which words of the world the ways read that were gone is
 * noted behind it. Each act is put behind the last one, whose keys are at hand. */
#include "runtime/vm/native_shape.h"

typedef int native_batch_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

/* While acts are gone through; SEEN: a bit for each word that was read, ORDER: where the next in order is put, LAST: the place of the last. */
static const enum x64_reg SEEN = RBX, AT = RBP, END = R12, LAST = R13, ORDER = R14, LIST = R15, ROWS = RDI;
static const enum x64_reg saved[] = {RBX, RBP, R12, R13, R14, R15};

/* The frame, behind the steps: the last one's last key, less one, so that what is unset comes last; the machine; the batch; what is the same for all. */
enum { LAST_KEY = 8 * SHAPE_STEPS, A_MACHINE = LAST_KEY + 8, A_BATCH = A_MACHINE + 8, SAME = A_BATCH + 8, SAME_MOST = 32, FRAME_BYTES = SAME + 8 * SAME_MOST };
_Static_assert((8 + 8 * 6 + FRAME_BYTES) % 16 == 0 && FRAY_COUNT(saved) == 6, "calls want the stack so");

#define OF_BATCH(field) x64_at(RSI, (int64_t)offsetof(struct shape_batch, field))

void batch_machine(struct writer *k)
{
	x64_do(&k->x, X_LOAD, RCX, x64_at(RSP, A_MACHINE));
}

/* A word of his row; of a place. */
static struct x64_at of_row(const struct writer *k, uint32_t word_)
{
	return x64_at(ROW, 8 * ((int64_t)k->m->p->layout.acts + word_));
}

static struct x64_at of_place(enum x64_reg reg_, int word_)
{
	return x64_at(reg_, 8 * (int64_t)word_);
}

static bool alike(struct held a, struct held b)
{
	return a.where == b.where && a.at == b.at;
}

/* ---- what is the same for all ---- */

/* Which of them the calculation is: it is done, if nobody did it. */
static int16_t same_of(struct writer *k, const struct shape_node *n)
{
	const struct held number = {A_NUMBER, 0};
	struct same s = {n->left ? k->held[n->left] : number, n->right ? k->held[n->right] : number, n->value, n->op, false, SAME + 8 * (uint32_t)k->same.n};
	for (int i = 0; i < k->same.n; i++) {
		const struct same *o = &k->same.v[i];
		if (o->op == s.op && alike(o->left, s.left) && alike(o->right, s.right) && ((n->left && n->right) || o->value == s.value))
			return (int16_t)i;
	}
	if (k->same.n == SAME_MOST)
		return -1;
	s.set = shape_write_calc(k, n);
	k->cached = 0;
	x64_do(&k->x, X_STORE, RAX, x64_at(RSP, s.at));
	VEC_PUSH(k->same, s);
	return (int16_t)(k->same.n - 1);
}

/* Is the word the step holds on this way the same for all? */
static bool is_same(uint64_t all, int step)
{
	return step == 0 || all >> step & 1;
}

/* The way from this node on; `all`: the steps that are the same for all. */
static void find_same(struct writer *k, const struct shape_node *n, uint64_t all)
{
	for (; n->kind != SHAPE_NOBODY && n->kind != SHAPE_LEAF; n = n->next) {
		const uint64_t bit = 1ull << n->step;
		switch ((enum shape_kind)n->kind) {
		case SHAPE_UNSET: case SHAPE_TRUE: case SHAPE_IS:
			find_same(k, n->other, all);
			continue;
		case SHAPE_WORD:
			k->held[n->step] = (struct held){IN_BLOCK, n->base};
			k->set &= ~bit;
			all |= bit;
			continue;
		case SHAPE_CALC: {
			int16_t *same = &k->known[n - k->m->shape.node];
			if (is_same(all, n->left) && is_same(all, n->right) && (*same = same_of(k, n)) >= 0) {
				const struct same *s = &k->same.v[*same];
				k->held[n->step] = (struct held){ON_STACK, s->at};
				k->set = (k->set & ~bit) | (s->set ? bit : 0);
				all |= bit;
				continue;
			}
			break;
		}
		default: break;
		}
		all &= ~bit;
	}
}

/* ---- the loop ---- */

/* To the next of them, or the end. */
static void write_next(struct writer *k)
{
	struct x64 *x = &k->x;
	x64_fix(x, FIX_ADD, AT, (int32_t)sizeof(int32_t));
	x64_regs(x, X_CMP, AT, END);
	x64_lead(x, x64_jump_if(x, IF_BELOW), k->begins);
	VEC_PUSH(k->ends, x64_jump(x));
}

/* He is the last in order now, and has a place. */
static void write_last(struct writer *k)
{
	struct x64 *x = &k->x;
	x64_do(x, X_LOAD, RCX, of_row(k, ACT_SERIAL));
	x64_do(x, X_STORE, RCX, of_place(ANSWERS, PLACE_SERIAL));
	x64_do32(x, X_STORE, ONE_ASKED, x64_at(ORDER, 0));
	x64_fix(x, FIX_ADD, ORDER, (int32_t)sizeof(int32_t));
	x64_regs(x, X_LOAD, LAST, ANSWERS);
	write_next(k);
}

static bool same_answer(const struct shape_answer *a, const struct shape_answer *b)
{
	return a->step == b->step && (a->step || a->value == b->value);
}

/* His answers go to his place; and does he come after the last? */
void batch_leaf(struct writer *k, const struct shape_node *n)
{
	struct x64 *x = &k->x;
	const struct shape_answer *a = k->m->shape.answer.v + n->base;
	const struct shape_answer *in_rcx = NULL;
	const int last = n->step - 1, first = k->timed ? PLACE_TIME : PLACE_KEYS;
	for (int i = 0; i < last + (k->keys == 0); i++) {
		const bool cached = a[i].step && k->cached == (int)a[i].step;
		if (!cached && !(in_rcx && same_answer(in_rcx, &a[i]))) {
			shape_take(k, RCX, (int)a[i].step, a[i].value, 0);
			in_rcx = &a[i];
		}
		x64_do(x, X_STORE, cached ? RAX : RCX, of_place(ANSWERS, first + i));
	}
	if (k->words)
		x64_fix(x, FIX_OR, SEEN, (int32_t)k->words);
	if (k->keys == 0) {
		x64_do(x, X_LOAD, RAX, of_row(k, ACT_SERIAL));
		x64_do(x, X_CMP, RAX, of_place(LAST, PLACE_SERIAL));
		VEC_PUSH(k->runs, x64_jump_if(x, IF_NOT_MORE));
		write_last(k);
		return;
	}
	shape_take(k, RAX, (int)a[last].step, a[last].value, 0);
	x64_do(x, X_STORE, RAX, of_place(ANSWERS, first + last));
	for (int key = 0; key + 1 < k->keys; key++) {
		const struct shape_answer *of = &a[k->timed + key];
		if (!in_rcx || !same_answer(in_rcx, of)) {
			x64_do(x, X_LOAD, RCX, of_place(ANSWERS, PLACE_KEYS + key));
			in_rcx = of;
		}
		x64_do(x, X_CMP, RCX, of_place(LAST, PLACE_KEYS + key));
		VEC_PUSH(k->differ[key], x64_jump_if(x, IF_OTHER));
	}
	x64_fix(x, FIX_SUB, RAX, 1);
	x64_do(x, X_CMP, RAX, x64_at(RSP, LAST_KEY));
	VEC_PUSH(k->levels, x64_jump_if(x, IF_NOT_MORE));
	x64_do(x, X_STORE, RAX, x64_at(RSP, LAST_KEY));
	write_last(k);
}

static void lead_all(struct writer *k, const uint32_t *jump, int n)
{
	for (int i = 0; i < n; i++)
		x64_lead(&k->x, jump[i], k->x.n);
}

/* What seldom happens to him who has his answers. */
static void write_seldom(struct writer *k)
{
	struct x64 *x = &k->x;
	const int last = PLACE_KEYS + k->keys - 1;
	VEC(uint32_t) after = {0};
	for (int key = 0; key + 1 < k->keys; key++) {
		lead_all(k, k->differ[key].v, k->differ[key].n);
		x64_do(x, X_LOAD, RCX, of_place(ANSWERS, PLACE_KEYS + key));
		x64_do(x, X_LOAD, RAX, of_place(LAST, PLACE_KEYS + key));
		x64_fix(x, FIX_SUB, RCX, 1);
		x64_fix(x, FIX_SUB, RAX, 1);
		x64_regs(x, X_CMP, RCX, RAX);
		VEC_PUSH(after, x64_jump_if(x, IF_MORE));
		VEC_PUSH(k->runs, x64_jump(x));
	}
	lead_all(k, k->levels.v, k->levels.n);
	VEC_PUSH(k->runs, x64_jump_if(x, IF_OTHER));
	x64_do(x, X_LOAD, RAX, of_row(k, ACT_SERIAL));
	x64_do(x, X_CMP, RAX, of_place(LAST, PLACE_SERIAL));
	VEC_PUSH(after, x64_jump_if(x, IF_MORE));
	lead_all(k, k->runs.v, k->runs.n);
	batch_machine(k);
	shape_push(k);
	x64_regs(x, X_LOAD, RDI, RCX);
	x64_regs(x, X_LOAD, RSI, ORDER);
	x64_call(x, (uintptr_t)pending_run);
	shape_pop(k);
	lead_all(k, after.v, after.n);
	if (k->keys > 0) {
		x64_do(x, X_LOAD, RAX, of_place(ANSWERS, last));
		x64_fix(x, FIX_SUB, RAX, 1);
		x64_do(x, X_STORE, RAX, x64_at(RSP, LAST_KEY));
	}
	write_last(k);
	VEC_FREE(after);
}

static void write_begin(struct writer *k, const struct shape_tree *t)
{
	struct x64 *x = &k->x;
	k->frame = FRAME_BYTES;
	for (int i = 0; i < (int)FRAY_COUNT(saved); i++)
		x64_push(x, saved[i]);
	x64_fix(x, FIX_SUB, RSP, k->frame);
	x64_do(x, X_STORE, RDI, x64_at(RSP, A_MACHINE));
	x64_do(x, X_STORE, RSI, x64_at(RSP, A_BATCH));
	x64_regs(x, X_LOAD, BLOCK, RDX);
	x64_regs(x, X_LOAD, HEAD, RCX);
	x64_do(x, X_LOAD, AT, OF_BATCH(at));
	x64_do(x, X_LOAD, END, OF_BATCH(end));
	x64_do(x, X_LOAD, LAST, OF_BATCH(last));
	x64_do(x, X_LOAD, ORDER, OF_BATCH(order));
	x64_do(x, X_LOAD, LIST, OF_BATCH(list));
	x64_do(x, X_LOAD, ROWS, OF_BATCH(rows));
	x64_number(x, NOTHING, NONE);
	x64_number(x, SEEN, 0);
	if (k->keys > 0) {
		x64_do(x, X_LOAD, RAX, of_place(LAST, PLACE_KEYS + k->keys - 1));
		x64_fix(x, FIX_SUB, RAX, 1);
		x64_do(x, X_STORE, RAX, x64_at(RSP, LAST_KEY));
	}
	k->set = 0;
	find_same(k, t->root, 0);
}

static void write_over(struct writer *k)
{
	struct x64 *x = &k->x;
	for (int i = 0; i < k->word_at.n; i++) {
		x64_test(x, SEEN, 1u << i);
		const uint32_t unseen = x64_jump_if(x, IF_SAME);
		shape_write_note(k, k->word_at.v[i], false);
		x64_lead(x, unseen, x->n);
	}
	x64_do(x, X_LOAD, RSI, x64_at(RSP, A_BATCH));
	x64_do(x, X_STORE, AT, OF_BATCH(at));
	x64_do(x, X_STORE, ORDER, OF_BATCH(order));
	x64_fix(x, FIX_ADD, RSP, k->frame);
	for (int i = (int)FRAY_COUNT(saved); i-- > 0;)
		x64_pop(x, saved[i]);
	x64_return(x);
}

void batch_write(struct writer *k, const struct shape_tree *t)
{
	struct x64 *x = &k->x;
	uint32_t other[2];
	k->known = malloc((size_t)k->m->shape.nodes * sizeof *k->known);
	if (!k->known)
		abort();
	memset(k->known, 0xff, (size_t)k->m->shape.nodes * sizeof *k->known);
	write_begin(k, t);
	k->begins = x->n;
	x64_do32(x, X_LOAD, ONE_ASKED, x64_at(AT, 0));
	x64_times(x, ROW, ONE_ASKED, 8 * (int32_t)k->m->p->layout.act_stride);
	x64_regs(x, X_ADD, ROW, BLOCK);
	x64_fix_at(x, true, FIX_CMP, of_row(k, ACT_STATE), ACT_PENDING);
	other[0] = x64_jump_if(x, IF_OTHER);
	x64_do(x, X_CMP, LIST, of_row(k, ACT_LIST));
	other[1] = x64_jump_if(x, IF_OTHER);
	x64_times(x, ANSWERS, ONE_ASKED, 8 * pending_width(k->m->p));
	x64_regs(x, X_ADD, ANSWERS, ROWS);
	/* the thing asked, for who is asked for it as it stands */
	k->held[1] = (struct held){ON_STACK, 8};
	if (k->needs[t->root - k->m->shape.node] & 2)
		x64_do(x, X_STORE, ONE_ASKED, x64_at(RSP, 8));
	k->set = 2;
	k->words = 0;
	k->cached = 0;
	shape_write_ways(k, t->root);
	write_seldom(k);
	lead_all(k, other, 2);
	write_next(k);
	lead_all(k, k->fails.v, k->fails.n);
	lead_all(k, k->ends.v, k->ends.n);
	write_over(k);
	shape_write_asides(k);
}

#endif
