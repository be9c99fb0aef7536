/* native_shape.c - a tree of shape.c as processor code.
 *
 * The code is a function like walk: the words of the row of the thing asked, and of the world, are read
 * where they stand; what is loaded elsewhere or calculated lies on the stack, by its step. It may call
 * back (notes, fractions), so what it works with is in registers that calls may change, put away there alone. */
#include "runtime/vm/native_maker.h"
#include "runtime/vm/shape.h"

typedef int native_shape_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

/* rax and rcx are where values are made. */
static const enum x64_reg ONE_ASKED = RSI, OUT = RDX, HEAD = R8, ROW = R9, BLOCK = R10, NOTHING = R11; /* rdi: the machine */
enum { STEPS_BYTES = 8 * SHAPE_STEPS + 8, NODE_MOST = 96, SPARE = 512 };

enum held_where { ON_STACK, IN_ROW, IN_BLOCK };
struct held { enum held_where where; uint32_t at; };

/* Code behind the code. */
enum aside_kind { ASIDE_UNSET, ASIDE_NO, ASIDE_NOTE };
struct aside { enum aside_kind kind; uint32_t jump, back; int64_t at; }; /* a note's word; -1: ecx holds it */

/* A test came out otherwise: where its code begins, what is known there. */
struct turn { uint32_t jump; const struct shape_node *node; uint64_t set; };

struct writer {
	struct x64 x;
	const struct vm *m;
	struct held held[SHAPE_STEPS]; /* of the steps on the way to here */
	uint64_t set;                  /* those that are not unset */
	int cached;                    /* the step that rax holds; 0: none */
	VEC(struct aside) asides;
	VEC(struct turn) turns;
	VEC(uint32_t) fails;           /* jumps */
};

static void shape_note(struct vm *m, uint32_t at)
{
	memo_read(&m->memo, at);
}

static struct x64_at place(const struct writer *k, int step)
{
	const struct held *h = &k->held[step];
	switch (h->where) {
	case IN_ROW: return x64_at(ROW, (int64_t)h->at * 8);
	case IN_BLOCK: return x64_at(BLOCK, (int64_t)h->at * 8);
	case ON_STACK: break;
	}
	return x64_at(RSP, (int64_t)step * 8);
}

/* The value of a step, or of step 0 the number. */
static void take_step(struct writer *k, enum x64_reg to, int step, word number)
{
	if (step == 0)
		x64_number(&k->x, to, number);
	else if (k->cached == step)
		x64_regs(&k->x, X_LOAD, to, RAX);
	else
		x64_do(&k->x, X_LOAD, to, place(k, step));
	if (to == RAX)
		k->cached = step;
}

static bool is_set_step(const struct writer *k, int step, word number)
{
	return step == 0 ? number != NONE : k->set >> step & 1;
}

static void know_set(struct writer *k, int step, bool set)
{
	k->set = (k->set & ~(1ull << step)) | (uint64_t)set << step;
}

static void fail_if(struct writer *k, enum x64_if when)
{
	VEC_PUSH(k->fails, x64_jump_if(&k->x, when));
}

static void aside_if(struct writer *k, enum aside_kind kind, enum x64_if when)
{
	VEC_PUSH(k->asides, (struct aside){kind, x64_jump_if(&k->x, when), 0, -1});
}

/* They come back here. */
static void asides_back(struct writer *k, int from)
{
	for (int i = from; i < k->asides.n; i++)
		k->asides.v[i].back = k->x.n;
}

/* rax is what the step is. */
static void keep_step(struct writer *k, int step, bool set)
{
	x64_do(&k->x, X_STORE, RAX, x64_at(RSP, (int64_t)step * 8));
	k->held[step] = (struct held){ON_STACK, 0};
	k->cached = step;
	know_set(k, step, set);
}

/* A word is read: `at`, or -1: the one whose number ecx holds. What the places of acts are known to rest on is noted already. */
static void write_note(struct writer *k, int64_t at)
{
	x64_fix_at(&k->x, false, FIX_CMP, at < 0 ? x64_in(HEAD, RCX, 2, 0) : x64_at(HEAD, at * 4), 0);
	aside_if(k, ASIDE_NOTE, IF_NOT_SIGN); /* MEMO_PLACES is the sign */
	struct aside *a = &k->asides.v[k->asides.n - 1];
	a->back = k->x.n;
	a->at = at;
}

static void write_load(struct writer *k, const struct shape_node *n)
{
	struct x64 *x = &k->x;
	take_step(k, RAX, n->left, 0);
	k->cached = 0;
	x64_fix(x, FIX_CMP, RAX, (int32_t)n->count);
	const int nobody = k->asides.n;
	aside_if(k, n->op == OP_LDSF ? ASIDE_NO : ASIDE_UNSET, IF_NOT_BELOW);
	if (n->noted) {
		x64_times(x, RCX, RAX, (int32_t)n->stride);
		x64_fix(x, FIX_ADD, RCX, (int32_t)n->base);
		x64_do(x, X_LOAD, RAX, x64_in(BLOCK, RCX, 3, 0));
		write_note(k, -1);
	} else {
		x64_times(x, RAX, RAX, (int32_t)n->stride);
		x64_do(x, X_LOAD, RAX, x64_in(BLOCK, RAX, 3, (int64_t)n->base * 8));
	}
	k->asides.v[nobody].back = x->n;
	keep_step(k, n->step, n->op == OP_LDSF);
}

static void write_template(struct writer *k, const struct shape_node *n)
{
	struct x64 *x = &k->x;
	take_step(k, RAX, n->left, 0);
	k->cached = 0;
	x64_fix(x, FIX_CMP, RAX, (int32_t)n->count);
	const int from = k->asides.n;
	aside_if(k, ASIDE_UNSET, IF_NOT_BELOW);
	x64_times(x, RAX, RAX, (int32_t)n->stride);
	x64_number(x, RCX, (int64_t)(intptr_t)(k->m->p->thing_words + n->base));
	x64_do(x, X_LOAD, RAX, x64_in(RCX, RAX, 3, 0));
	asides_back(k, from);
	keep_step(k, n->step, false);
}

/* Saved and called: rax = function (rdi, rsi, ..), everything else as before. */
static const enum x64_reg put_away[] = {RDI, RSI, RDX, R8, R9, R10, R11, RAX};

static void write_push(struct writer *k)
{
	for (int i = 0; i < (int)FRAY_COUNT(put_away); i++)
		x64_push(&k->x, put_away[i]);
}

static void write_pop(struct writer *k)
{
	for (int i = (int)FRAY_COUNT(put_away); i-- > 0;)
		x64_pop(&k->x, put_away[i]);
}

/* What has no code here: the function says whether it can be done, and puts it where the step lies. */
static void write_called(struct writer *k, const struct shape_node *n)
{
	struct x64 *x = &k->x;
	take_step(k, RCX, n->right, n->value);
	take_step(k, RAX, n->left, n->value);
	write_push(k);
	x64_regs(x, X_LOAD, RSI, RAX);
	x64_regs(x, X_LOAD, RDX, RCX);
	x64_number(x, RDI, n->op);
	x64_do(x, X_LEA, RCX, x64_at(RSP, 8 * ((int64_t)FRAY_COUNT(put_away) + n->step)));
	x64_call(x, (uintptr_t)shape_calculate);
	x64_regs(x, X_LOAD, RCX, RAX);
	write_pop(k);
	x64_bytes(x, 0xc984, 2); /* test cl, cl */
	fail_if(k, IF_SAME);
	k->held[n->step] = (struct held){ON_STACK, 0};
	k->cached = 0;
	know_set(k, n->step, false);
}

static void write_sum(struct writer *k, const struct shape_node *n, enum x64_op op)
{
	struct x64 *x = &k->x;
	const bool left = is_set_step(k, n->left, n->value), right = is_set_step(k, n->right, n->value);
	const int from = k->asides.n;
	take_step(k, RCX, n->right, n->value);
	take_step(k, RAX, n->left, n->value);
	k->cached = 0;
	if (!left) {
		x64_regs(x, X_CMP, RAX, NOTHING);
		aside_if(k, ASIDE_UNSET, IF_SAME);
	}
	if (!right) {
		x64_regs(x, X_CMP, RCX, NOTHING);
		aside_if(k, ASIDE_UNSET, IF_SAME);
	}
	x64_regs(x, op, RAX, RCX);
	fail_if(k, IF_OVERFLOW);
	x64_regs(x, X_CMP, RAX, NOTHING);
	fail_if(k, IF_SAME);
	asides_back(k, from);
	keep_step(k, n->step, left && right);
}

/* What is unset is less than any number, as the processor sees it. */
static void write_most(struct writer *k, const struct shape_node *n)
{
	const bool set = is_set_step(k, n->left, n->value) || is_set_step(k, n->right, n->value);
	take_step(k, RCX, n->right, n->value);
	take_step(k, RAX, n->left, n->value);
	x64_regs(&k->x, X_CMP, RAX, RCX);
	x64_regs(&k->x, X_LESS, RAX, RCX);
	keep_step(k, n->step, set);
}

static void write_compare(struct writer *k, const struct shape_node *n)
{
	struct x64 *x = &k->x;
	const bool left = is_set_step(k, n->left, n->value), right = is_set_step(k, n->right, n->value);
	const int from = k->asides.n;
	enum x64_if when = IF_SAME;
	bool unset_says_no = false; /* is that to be asked about? */
	switch ((enum op)n->op) {
	case OP_SAME: break;
	case OP_EQ: unset_says_no = !left && !right; break;
	case OP_LT: when = IF_LESS; unset_says_no = !left; break;
	case OP_LE: when = IF_NOT_MORE; unset_says_no = !left; break;
	default: write_called(k, n); return;
	}
	take_step(k, RCX, n->right, n->value);
	take_step(k, RAX, n->left, n->value);
	k->cached = 0;
	if (unset_says_no) {
		x64_regs(x, X_CMP, RAX, NOTHING);
		aside_if(k, ASIDE_NO, IF_SAME);
	}
	x64_regs(x, X_CMP, RAX, RCX);
	x64_set(x, when, RAX);
	x64_bytes(x, 0xc0b60f, 3); /* movzx eax, al */
	asides_back(k, from);
	keep_step(k, n->step, true);
}

static void write_calc(struct writer *k, const struct shape_node *n)
{
	switch ((enum op)n->op) {
	case OP_ADD: write_sum(k, n, X_ADD); return;
	case OP_SUB: write_sum(k, n, X_SUB); return;
	case OP_MUL: write_sum(k, n, X_IMUL); return;
	case OP_MAX: write_most(k, n); return;
	case OP_SAME: case OP_EQ: case OP_LT: case OP_LE: write_compare(k, n); return;
	default: write_called(k, n); return;
	}
}

/* The way goes on behind it if the test comes out so; else elsewhere, later. */
static void write_test(struct writer *k, const struct shape_node *n)
{
	struct x64 *x = &k->x;
	const uint64_t bit = 1ull << n->step;
	struct turn otherwise = {0, n->other, k->set};
	switch ((enum shape_kind)n->kind) {
	case SHAPE_UNSET:
		x64_do(x, X_CMP, NOTHING, place(k, n->step));
		otherwise.jump = x64_jump_if(x, IF_OTHER);
		otherwise.set |= bit;
		break;
	case SHAPE_TRUE: {
		const bool set = k->set & bit;
		take_step(k, RAX, n->step, 0);
		x64_regs(x, X_TEST, RAX, RAX);
		otherwise.jump = x64_jump_if(x, IF_SAME);
		k->set |= bit;
		if (set)
			break;
		VEC_PUSH(k->turns, otherwise);
		x64_regs(x, X_CMP, RAX, NOTHING);
		otherwise.jump = x64_jump_if(x, IF_SAME);
		break;
	}
	default:
		if (n->value >= INT32_MIN && n->value <= INT32_MAX) {
			x64_fix_at(x, true, FIX_CMP, place(k, n->step), (int32_t)n->value);
		} else {
			x64_number(x, RCX, n->value);
			x64_do(x, X_CMP, RCX, place(k, n->step));
		}
		otherwise.jump = x64_jump_if(x, IF_OTHER);
		if (n->value != NONE)
			k->set |= bit;
	}
	VEC_PUSH(k->turns, otherwise);
}

static void write_end(struct writer *k, bool known)
{
	x64_number(&k->x, RAX, known);
	x64_fix(&k->x, FIX_ADD, RSP, STEPS_BYTES);
	x64_return(&k->x);
}

static void write_leaf(struct writer *k, const struct shape_node *n)
{
	const struct shape_answer *a = k->m->shape.answer.v + n->base;
	for (int i = 0; i < n->step; i++) {
		take_step(k, RAX, (int)a[i].step, a[i].value);
		x64_do(&k->x, X_STORE, RAX, x64_at(OUT, 8 * (int64_t)i));
	}
	write_end(k, true);
}

/* One way, to its end. */
static void write_way(struct writer *k, const struct shape_node *n)
{
	k->cached = 0;
	for (;; n = n->next)
		switch ((enum shape_kind)n->kind) {
		case SHAPE_NOBODY:
			VEC_PUSH(k->fails, x64_jump(&k->x));
			return;
		case SHAPE_LEAF:
			write_leaf(k, n);
			return;
		case SHAPE_OWN:
			if (n->stride != k->m->p->layout.act_stride) {
				write_load(k, n);
				break;
			}
			k->held[n->step] = (struct held){IN_ROW, n->base};
			know_set(k, n->step, false);
			break;
		case SHAPE_WORD:
			k->held[n->step] = (struct held){IN_BLOCK, n->base};
			know_set(k, n->step, false);
			write_note(k, n->base);
			break;
		case SHAPE_LOAD: write_load(k, n); break;
		case SHAPE_TEMPLATE: write_template(k, n); break;
		case SHAPE_CALC: write_calc(k, n); break;
		case SHAPE_UNSET: case SHAPE_TRUE: case SHAPE_IS: write_test(k, n); break;
		}
}

static void write_aside(struct writer *k, const struct aside *a)
{
	struct x64 *x = &k->x;
	x64_lead(x, a->jump, x->n);
	switch (a->kind) {
	case ASIDE_UNSET: x64_regs(x, X_LOAD, RAX, NOTHING); break;
	case ASIDE_NO: x64_number(x, RAX, 0); break;
	case ASIDE_NOTE:
		write_push(k);
		if (a->at < 0)
			x64_regs(x, X_LOAD, RSI, RCX);
		else
			x64_number(x, RSI, a->at);
		x64_call(x, (uintptr_t)shape_note);
		write_pop(k);
		break;
	}
	x64_lead(x, x64_jump(x), a->back);
}

static void write_tree(struct writer *k, const struct shape_tree *t)
{
	struct x64 *x = &k->x;
	x64_regs(x, X_LOAD, BLOCK, RCX);
	x64_times(x, ROW, ONE_ASKED, 8 * (int32_t)k->m->p->layout.act_stride);
	x64_regs(x, X_ADD, ROW, BLOCK);
	x64_number(x, NOTHING, NONE);
	x64_fix(x, FIX_SUB, RSP, STEPS_BYTES);
	k->held[1] = (struct held){ON_STACK, 0};
	x64_do(x, X_STORE, ONE_ASKED, x64_at(RSP, 8));
	k->set = 2;
	write_way(k, t->root);
	while (k->turns.n > 0) { /* the last first: what it goes by has not been overwritten */
		const struct turn otherwise = k->turns.v[--k->turns.n];
		x64_lead(x, otherwise.jump, x->n);
		k->set = otherwise.set;
		write_way(k, otherwise.node);
	}
	for (int i = 0; i < k->fails.n; i++)
		x64_lead(x, k->fails.v[i], x->n);
	write_end(k, false);
	for (int i = 0; i < k->asides.n; i++)
		write_aside(k, &k->asides.v[i]);
}

void native_shape_make(struct vm *m, struct shape_tree *t)
{
	struct writer k = {.m = m};
	const size_t size = ((size_t)m->shape.nodes * NODE_MOST + SPARE + 4095) & ~(size_t)4095;
	native_shape_free(t);
	if (!m->native || (uint64_t)m->p->layout.words * 8 > INT32_MAX)
		return;
	uint8_t *code = native_memory(size);
	if (!code)
		return;
	k.x = (struct x64){code, 0, (uint32_t)size, false};
	write_tree(&k, t);
	VEC_FREE(k.asides);
	VEC_FREE(k.turns);
	VEC_FREE(k.fails);
	if (k.x.full || !native_seal(code, size)) {
		native_give_back(code, size);
		return;
	}
	t->size = size;
	t->memory = code;
	t->code = (shape_code *)(uintptr_t)code;
}

void native_shape_free(struct shape_tree *t)
{
	native_give_back(t->memory, t->size);
	t->memory = NULL;
	t->code = NULL;
}

#else

void native_shape_make(struct vm *m, struct shape_tree *t)
{
	(void)m;
	(void)t;
}

void native_shape_free(struct shape_tree *t)
{
	(void)t;
}

#endif
