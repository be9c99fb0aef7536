/* native_shape.c - a tree of shape.c as processor code.
 *
 * The code is a function like walk: the words of the row of the thing asked, and of the world, are read
 * where they stand; what is loaded elsewhere or calculated is in rax, and put on the stack, by its step, when
 * that is needed for something else before it was read for the last time. It may call back (notes, fractions),
 * so what it works with is in registers that calls may change, put away there alone. */
#include "runtime/vm/native_shape.h"

typedef int native_shape_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

enum { STEPS_BYTES = 8 * SHAPE_STEPS + 8, NODE_MOST = 2 * 160, SPARE = 4096 };

static bool is_short(word value)
{
	return value >= INT32_MIN && value <= INT32_MAX;
}

static struct x64_at place(const struct writer *k, int step)
{
	const struct held *h = &k->held[step];
	switch (h->where) {
	case IN_ROW: return x64_at(ROW, (int64_t)h->at * 8);
	case IN_BLOCK: return x64_at(BLOCK, (int64_t)h->at * 8);
	case ON_STACK: case A_NUMBER: break;
	}
	return x64_at(RSP, h->at);
}

/* rax is needed for something else, when these steps are still to be read. */
static void leave_rax(struct writer *k, uint64_t needed)
{
	if (k->cached && k->unsaved && needed >> k->cached & 1)
		x64_do(&k->x, X_STORE, RAX, place(k, k->cached));
	k->cached = 0;
}

void shape_take(struct writer *k, enum x64_reg to, int step, word number, uint64_t needed)
{
	if (step && k->cached == step) {
		if (to != RAX)
			x64_regs(&k->x, X_LOAD, to, RAX);
		return;
	}
	if (to == RAX)
		leave_rax(k, needed);
	if (step == 0)
		x64_number(&k->x, to, number);
	else
		x64_do(&k->x, X_LOAD, to, place(k, step));
	if (to == RAX) {
		k->cached = step;
		k->unsaved = false;
	}
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
	VEC_PUSH(k->asides, (struct aside){kind, x64_jump_if(&k->x, when), 0, 0, false});
}

/* They come back here. */
static void asides_back(struct writer *k, int from)
{
	for (int i = from; i < k->asides.n; i++)
		k->asides.v[i].back = k->x.n;
}

void shape_keep(struct writer *k, int step, bool set)
{
	k->held[step] = (struct held){ON_STACK, 8 * (uint32_t)step};
	k->cached = step;
	k->unsaved = true;
	know_set(k, step, set);
}

/* Steps read behind the node, whichever way it goes on. */
static uint64_t needed_behind(const struct writer *k, const struct shape_node *n)
{
	const struct shape_node *first = k->m->shape.node;
	return k->needs[n->next - first] | k->needs[n->other - first];
}

void shape_write_note(struct writer *k, uint32_t base, bool indexed)
{
	x64_fix_at(&k->x, false, FIX_CMP, indexed ? x64_in(HEAD, RAX, 2, (int64_t)base * 4) : x64_at(HEAD, (int64_t)base * 4), 0);
	aside_if(k, ASIDE_NOTE, IF_NOT_SIGN); /* MEMO_PLACES is the sign */
	struct aside *a = &k->asides.v[k->asides.n - 1];
	a->back = k->x.n;
	a->base = base;
	a->indexed = indexed;
}

static void write_load(struct writer *k, const struct shape_node *n)
{
	struct x64 *x = &k->x;
	const uint64_t needed = needed_behind(k, n);
	shape_take(k, RAX, n->left, 0, needed);
	leave_rax(k, needed);
	x64_fix(x, FIX_CMP, RAX, (int32_t)n->count);
	const int nobody = k->asides.n;
	aside_if(k, n->op == OP_LDSF ? ASIDE_NO : ASIDE_UNSET, IF_NOT_BELOW);
	if (n->stride != 1)
		x64_times(x, RAX, RAX, (int32_t)n->stride);
	if (n->noted)
		shape_write_note(k, n->base, true);
	x64_do(x, X_LOAD, RAX, x64_in(BLOCK, RAX, 3, (int64_t)n->base * 8));
	k->asides.v[nobody].back = x->n;
	shape_keep(k, n->step, n->op == OP_LDSF);
}

static void write_template(struct writer *k, const struct shape_node *n)
{
	struct x64 *x = &k->x;
	const uint64_t needed = needed_behind(k, n);
	shape_take(k, RAX, n->left, 0, needed);
	leave_rax(k, needed);
	x64_fix(x, FIX_CMP, RAX, (int32_t)n->count);
	const int from = k->asides.n;
	aside_if(k, ASIDE_UNSET, IF_NOT_BELOW);
	x64_times(x, RAX, RAX, (int32_t)n->stride);
	x64_number(x, RCX, (int64_t)(intptr_t)(k->m->p->thing_words + n->base));
	x64_do(x, X_LOAD, RAX, x64_in(RCX, RAX, 3, 0));
	asides_back(k, from);
	shape_keep(k, n->step, false);
}

/* Saved and called: rax = function (rdi, rsi, ..). */
static const enum x64_reg put_away[] = {RDI, RSI, RDX, R8, R9, R10, R11, RAX};

void shape_push(struct writer *k)
{
	for (int i = 0; i < (int)FRAY_COUNT(put_away); i++)
		x64_push(&k->x, put_away[i]);
}

void shape_pop(struct writer *k)
{
	for (int i = (int)FRAY_COUNT(put_away); i-- > 0;)
		x64_pop(&k->x, put_away[i]);
}

/* What has no code here: the function says whether it can be done, and puts it where the step lies. */
static bool write_called(struct writer *k, const struct shape_node *n)
{
	struct x64 *x = &k->x;
	const uint64_t needed = needed_behind(k, n);
	shape_take(k, RCX, n->right, n->value, needed);
	shape_take(k, RAX, n->left, n->value, needed);
	leave_rax(k, needed);
	shape_push(k);
	x64_regs(x, X_LOAD, RSI, RAX);
	x64_regs(x, X_LOAD, RDX, RCX);
	x64_number(x, RDI, n->op);
	x64_do(x, X_LEA, RCX, x64_at(RSP, 8 * ((int64_t)FRAY_COUNT(put_away) + n->step)));
	x64_call(x, (uintptr_t)shape_calculate);
	x64_regs(x, X_LOAD, RCX, RAX);
	shape_pop(k);
	x64_bytes(x, 0xc984, 2); /* test cl, cl */
	fail_if(k, IF_SAME);
	x64_do(x, X_LOAD, RAX, x64_at(RSP, 8 * (int64_t)n->step));
	return false;
}

static bool write_sum(struct writer *k, const struct shape_node *n, enum x64_op op)
{
	struct x64 *x = &k->x;
	const uint64_t needed = needed_behind(k, n);
	const int from = k->asides.n;
	int left = n->left, right = n->right;
	if (op != X_SUB && (left == 0 || (right && k->cached == right))) { /* the other way round it is the same */
		left = n->right;
		right = n->left;
	}
	const bool left_set = is_set_step(k, left, n->value), right_set = is_set_step(k, right, n->value);
	const bool fixed = right == 0 && is_short(n->value);
	if (!fixed)
		shape_take(k, RCX, right, n->value, needed);
	shape_take(k, RAX, left, n->value, needed);
	leave_rax(k, needed);
	if (!left_set) {
		x64_regs(x, X_CMP, RAX, NOTHING);
		aside_if(k, ASIDE_UNSET, IF_SAME);
	}
	if (!right_set) {
		x64_regs(x, X_CMP, RCX, NOTHING);
		aside_if(k, ASIDE_UNSET, IF_SAME);
	}
	if (!fixed)
		x64_regs(x, op, RAX, RCX);
	else if (op == X_IMUL)
		x64_times(x, RAX, RAX, (int32_t)n->value);
	else
		x64_fix(x, op == X_ADD ? FIX_ADD : FIX_SUB, RAX, (int32_t)n->value);
	fail_if(k, IF_OVERFLOW);
	if (!(fixed && op == X_ADD && n->value >= 0)) { /* what is set is more than what is unset */
		x64_regs(x, X_CMP, RAX, NOTHING);
		fail_if(k, IF_SAME);
	}
	asides_back(k, from);
	return left_set && right_set;
}

/* What is unset is less than any number, as the processor sees it. */
static bool write_most(struct writer *k, const struct shape_node *n)
{
	const uint64_t needed = needed_behind(k, n);
	shape_take(k, RCX, n->right, n->value, needed);
	shape_take(k, RAX, n->left, n->value, needed);
	leave_rax(k, needed);
	x64_regs(&k->x, X_CMP, RAX, RCX);
	x64_regs(&k->x, X_LESS, RAX, RCX);
	return is_set_step(k, n->left, n->value) || is_set_step(k, n->right, n->value);
}

/* Is the step unset? */
static void compare_unset(struct writer *k, int step)
{
	if (k->cached == step)
		x64_regs(&k->x, X_CMP, RAX, NOTHING);
	else
		x64_do(&k->x, X_CMP, NOTHING, place(k, step));
}

/* Step, as it is or in rax, beside a small number. */
static void compare_number(struct writer *k, int step, word number)
{
	if (k->cached == step)
		x64_fix(&k->x, FIX_CMP, RAX, (int32_t)number);
	else
		x64_fix_at(&k->x, true, FIX_CMP, place(k, step), (int32_t)number);
}

/* The flags say how two words compare; true: the second to the first. */
static bool compare_words(struct writer *k, const struct shape_node *n)
{
	const uint64_t needed = needed_behind(k, n);
	const bool small = is_short(n->value);
	if (small && n->right == 0 && n->left) {
		compare_number(k, n->left, n->value);
	} else if (small && n->left == 0 && n->right) {
		compare_number(k, n->right, n->value);
		return true;
	} else if (n->right && k->cached == n->right && n->left && n->left != n->right) {
		x64_do(&k->x, X_CMP, RAX, place(k, n->left));
		return true;
	} else {
		shape_take(k, RCX, n->right, n->value, needed);
		shape_take(k, RAX, n->left, n->value, needed);
		x64_regs(&k->x, X_CMP, RAX, RCX);
	}
	return false;
}

/* Is there code of the comparison? Whether it holds, by the flags of compare_words; and must it first be asked whether the left word is unset? */
static bool comparison(const struct writer *k, const struct shape_node *n, enum x64_if *when, bool *unset_says_no)
{
	const bool left = is_set_step(k, n->left, n->value), right = is_set_step(k, n->right, n->value);
	*unset_says_no = false;
	if (n->value == NONE && (n->left == 0 || n->right == 0))
		return false;
	switch ((enum op)n->op) {
	case OP_SAME: *when = IF_SAME; return true;
	case OP_EQ: *when = IF_SAME; *unset_says_no = !left && !right; return true;
	case OP_LT: *when = IF_LESS; *unset_says_no = !left; return true;
	case OP_LE: *when = IF_NOT_MORE; *unset_says_no = !left; return true;
	default: return false;
	}
}

static enum x64_if turned_round(enum x64_if when)
{
	return when == IF_LESS ? IF_MORE : when == IF_NOT_MORE ? IF_NOT_LESS : when;
}

static bool write_compare(struct writer *k, const struct shape_node *n)
{
	struct x64 *x = &k->x;
	const int from = k->asides.n;
	enum x64_if when;
	bool unset_says_no;
	if (!comparison(k, n, &when, &unset_says_no))
		return write_called(k, n);
	if (unset_says_no) {
		leave_rax(k, needed_behind(k, n) | 1ull << n->left | 1ull << n->right);
		compare_unset(k, n->left);
		aside_if(k, ASIDE_NO, IF_SAME);
	}
	if (compare_words(k, n))
		when = turned_round(when);
	if (k->cached && k->unsaved && needed_behind(k, n) >> k->cached & 1)
		x64_do(x, X_STORE, RAX, place(k, k->cached));
	k->cached = 0;
	x64_set(x, when, RAX);
	x64_bytes(x, 0xc0b60f, 3); /* movzx eax, al */
	asides_back(k, from);
	return true;
}

bool shape_write_calc(struct writer *k, const struct shape_node *n)
{
	switch ((enum op)n->op) {
	case OP_ADD: return write_sum(k, n, X_ADD);
	case OP_SUB: return write_sum(k, n, X_SUB);
	case OP_MUL: return write_sum(k, n, X_IMUL);
	case OP_MAX: return write_most(k, n);
	case OP_SAME: case OP_EQ: case OP_LT: case OP_LE: return write_compare(k, n);
	default: return write_called(k, n);
	}
}

static struct turn turn_to(const struct writer *k, const struct shape_node *n)
{
	return (struct turn){.node = n, .set = k->set, .words = k->words, .cached = k->cached, .unsaved = k->unsaved};
}

/* The way goes on behind it if the test comes out so; else elsewhere, later. */
static void write_test(struct writer *k, const struct shape_node *n)
{
	struct x64 *x = &k->x;
	const uint64_t bit = 1ull << n->step;
	struct turn otherwise = turn_to(k, n->other);
	enum x64_if when = IF_OTHER;
	switch ((enum shape_kind)n->kind) {
	case SHAPE_UNSET:
		compare_unset(k, n->step);
		otherwise.set |= bit;
		break;
	case SHAPE_TRUE:
		when = IF_SAME;
		if (k->set & bit) {
			compare_number(k, n->step, 0);
		} else {
			shape_take(k, RCX, n->step, 0, 0);
			x64_regs(x, X_ADD, RCX, RCX); /* but for its sign it is 0 */
		}
		k->set |= bit;
		break;
	default:
		if (is_short(n->value)) {
			compare_number(k, n->step, n->value);
		} else {
			x64_number(x, RCX, n->value);
			if (k->cached == n->step)
				x64_regs(x, X_CMP, RCX, RAX);
			else
				x64_do(x, X_CMP, RCX, place(k, n->step));
		}
		if (n->value != NONE)
			k->set |= bit;
	}
	otherwise.jump[otherwise.jumps++] = x64_jump_if(x, when);
	VEC_PUSH(k->turns, otherwise);
}

/* A comparison, and the test whether it holds: if that is all it is for, it is done at once. */
static bool write_compare_test(struct writer *k, const struct shape_node *n)
{
	const struct shape_node *test = n->next;
	enum x64_if when;
	bool unset_says_no;
	if (n->kind != SHAPE_CALC || test->kind != SHAPE_TRUE || test->step != n->step || needed_behind(k, test) >> n->step & 1 || !comparison(k, n, &when, &unset_says_no))
		return false;
	uint32_t unset = 0;
	if (unset_says_no) {
		leave_rax(k, needed_behind(k, n) | 1ull << n->left | 1ull << n->right);
		compare_unset(k, n->left);
		unset = x64_jump_if(&k->x, IF_SAME);
	}
	const int cached = k->cached;
	if (compare_words(k, n))
		when = turned_round(when);
	if (unset_says_no && k->cached != cached) /* it comes from both */
		k->cached = 0;
	struct turn otherwise = turn_to(k, test->other);
	otherwise.jump[otherwise.jumps++] = x64_jump_if(&k->x, when ^ 1);
	if (unset_says_no)
		otherwise.jump[otherwise.jumps++] = unset;
	VEC_PUSH(k->turns, otherwise);
	return true;
}

static void write_end(struct writer *k, bool is_known)
{
	x64_number(&k->x, RAX, is_known);
	x64_fix(&k->x, FIX_ADD, RSP, k->frame);
	x64_return(&k->x);
}

static void write_leaf(struct writer *k, const struct shape_node *n)
{
	const struct shape_answer *a = k->m->shape.answer.v + n->base;
	for (int i = 0; i < n->step; i++) {
		enum x64_reg from = RAX;
		if (a[i].step == 0 || k->cached != (int)a[i].step)
			shape_take(k, from = RCX, (int)a[i].step, a[i].value, 0);
		x64_do(&k->x, X_STORE, from, x64_at(ANSWERS, 8 * (int64_t)i));
	}
	write_end(k, true);
}

/* A word of the world: one of those that are the same for many, and noted when all are through; or it is noted now. */
static void write_word(struct writer *k, const struct shape_node *n)
{
	int i = 0;
	k->held[n->step] = (struct held){IN_BLOCK, n->base};
	know_set(k, n->step, false);
	while (i < k->word_at.n && k->word_at.v[i] != n->base)
		i++;
	if (k->many && i < WORDS_MOST) {
		if (i == k->word_at.n)
			VEC_PUSH(k->word_at, n->base);
		k->words |= 1u << i;
	} else {
		shape_write_note(k, n->base, false);
	}
}

/* One way, to its end. */
static void write_way(struct writer *k, const struct shape_node *n)
{
	for (;; n = n->next) {
		const int same = k->many ? k->known[n - k->m->shape.node] : -1;
		if (same >= 0) {
			k->held[n->step] = (struct held){ON_STACK, k->same.v[same].at};
			know_set(k, n->step, k->same.v[same].set);
			continue;
		}
		switch ((enum shape_kind)n->kind) {
		case SHAPE_NOBODY:
			VEC_PUSH(k->fails, x64_jump(&k->x));
			return;
		case SHAPE_LEAF:
			if (k->many)
				batch_leaf(k, n);
			else
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
		case SHAPE_WORD: write_word(k, n); break;
		case SHAPE_LOAD: write_load(k, n); break;
		case SHAPE_TEMPLATE: write_template(k, n); break;
		case SHAPE_CALC:
			if (write_compare_test(k, n))
				n = n->next;
			else
				shape_keep(k, n->step, shape_write_calc(k, n));
			break;
		case SHAPE_UNSET: case SHAPE_TRUE: case SHAPE_IS: write_test(k, n); break;
		}
	}
}

void shape_write_ways(struct writer *k, const struct shape_node *n)
{
	write_way(k, n);
	while (k->turns.n > 0) { /* the last first: what it goes by has not been overwritten */
		const struct turn otherwise = k->turns.v[--k->turns.n];
		for (int i = 0; i < otherwise.jumps; i++)
			x64_lead(&k->x, otherwise.jump[i], k->x.n);
		k->set = otherwise.set;
		k->words = otherwise.words;
		k->cached = otherwise.cached;
		k->unsaved = otherwise.unsaved;
		write_way(k, otherwise.node);
	}
}

/* rdi: the machine. */
static void shape_note(struct vm *m, uint32_t at, const word *row)
{
	m->memo.own = (uint32_t)(row - m->w) + m->p->layout.acts;
	memo_read(&m->memo, at);
}

/* The word is noted by a call, unless it needs no more than the mark: it was watched before, and is of no act's row. */
static void write_aside_note(struct writer *k, const struct aside *a)
{
	struct x64 *x = &k->x;
	if (k->many && a->base < k->m->p->layout.acts) {
		batch_machine(k);
		x64_do(x, X_LOAD, RCX, x64_at(RCX, offsetof(struct vm, memo.listed)));
		compare_byte(x, a->indexed ? x64_in(RCX, RAX, 0, a->base) : x64_at(RCX, a->base));
		const uint32_t other = x64_jump_if(x, IF_SAME);
		x64_fix_at(x, false, FIX_OR, a->indexed ? x64_in(HEAD, RAX, 2, (int64_t)a->base * 4) : x64_at(HEAD, (int64_t)a->base * 4), INT32_MIN);
		x64_lead(x, x64_jump(x), a->back);
		x64_lead(x, other, x->n);
	}
	if (k->many)
		batch_machine(k);
	shape_push(k);
	if (k->many)
		x64_regs(x, X_LOAD, RDI, RCX);
	if (a->indexed)
		x64_do32(x, X_LEA, RSI, x64_at(RAX, a->base));
	else
		x64_number(x, RSI, a->base);
	x64_regs(x, X_LOAD, RDX, ROW);
	x64_call(x, (uintptr_t)shape_note);
	shape_pop(k);
}

void shape_write_asides(struct writer *k)
{
	struct x64 *x = &k->x;
	for (int i = 0; i < k->asides.n; i++) {
		const struct aside *a = &k->asides.v[i];
		x64_lead(x, a->jump, x->n);
		switch (a->kind) {
		case ASIDE_UNSET: x64_regs(x, X_LOAD, RAX, NOTHING); break;
		case ASIDE_NO: x64_number(x, RAX, 0); break;
		case ASIDE_NOTE: write_aside_note(k, a); break;
		}
		x64_lead(x, x64_jump(x), a->back);
	}
	k->asides.n = 0;
}

/* The tree for one. */
static void write_one(struct writer *k, const struct shape_tree *t)
{
	struct x64 *x = &k->x;
	k->frame = STEPS_BYTES;
	x64_regs(x, X_LOAD, BLOCK, RCX);
	x64_times(x, ROW, ONE_ASKED, 8 * (int32_t)k->m->p->layout.act_stride);
	x64_regs(x, X_ADD, ROW, BLOCK);
	x64_number(x, NOTHING, NONE);
	x64_fix(x, FIX_SUB, RSP, k->frame);
	k->held[1] = (struct held){ON_STACK, 8};
	x64_do(x, X_STORE, ONE_ASKED, x64_at(RSP, 8));
	k->set = 2;
	shape_write_ways(k, t->root);
	for (int i = 0; i < k->fails.n; i++)
		x64_lead(x, k->fails.v[i], x->n);
	write_end(k, false);
	shape_write_asides(k);
}

/* Which steps are read at each node or behind it. A node stands behind the one that leads to it. */
static uint64_t *find_needs(const struct vm *m)
{
	const struct shape *s = &m->shape;
	uint64_t *needs = calloc((size_t)s->nodes, sizeof *needs);
	if (!needs)
		abort();
	for (int i = s->nodes; i-- > 1;) {
		const struct shape_node *n = &s->node[i];
		uint64_t *here = &needs[i];
		must(n->kind == SHAPE_LEAF || ((n->next == s->node || n->next > n) && (n->other == s->node || n->other > n)));
		switch ((enum shape_kind)n->kind) {
		case SHAPE_NOBODY: case SHAPE_WORD: break;
		case SHAPE_OWN: *here = n->stride == m->p->layout.act_stride ? 0 : 1ull << n->left; break;
		case SHAPE_LOAD: case SHAPE_TEMPLATE: *here = 1ull << n->left; break;
		case SHAPE_CALC: *here = 1ull << n->left | 1ull << n->right; break;
		case SHAPE_UNSET: case SHAPE_TRUE: case SHAPE_IS: *here = 1ull << n->step; break;
		case SHAPE_LEAF:
			for (int a = 0; a < n->step; a++)
				*here |= 1ull << s->answer.v[n->base + (uint32_t)a].step;
			continue;
		}
		*here |= needs[n->next - s->node] | needs[n->other - s->node];
	}
	return needs;
}

static void writer_free(struct writer *k)
{
	VEC_FREE(k->asides);
	VEC_FREE(k->turns);
	VEC_FREE(k->fails);
	VEC_FREE(k->same);
	VEC_FREE(k->word_at);
	VEC_FREE(k->ends);
	VEC_FREE(k->runs);
	VEC_FREE(k->levels);
	for (int i = 0; i < ORDER_KEYS; i++)
		VEC_FREE(k->differ[i]);
	free(k->known);
}

void native_shape_make(struct vm *m, struct shape_tree *t)
{
	struct shape *s = &m->shape;
	const size_t size = ((size_t)s->nodes * NODE_MOST + SPARE + 4095) & ~(size_t)4095;
	native_shape_free(t);
	if (!m->native || (uint64_t)m->p->layout.words * 8 > INT32_MAX)
		return;
	uint8_t *code = native_memory(size);
	if (!code)
		return;
	uint64_t *needs = find_needs(m);
	struct writer k = {.m = m, .needs = needs, .x = {code, 0, (uint32_t)size, false}}, many = k;
	write_one(&k, t);
	const struct order_info *o = &m->p->order[(t - s->tree) / 2];
	bool plain = true;
	for (int i = 0; i < o->keys; i++)
		plain = plain && !o->frac[i];
	const uint32_t from = (k.x.n + 15) & ~15u;
	many.x = k.x;
	many.x.n = from;
	many.many = true;
	many.timed = (t - s->tree) % 2;
	many.keys = o->key_fn >= 0 ? o->keys : 0;
	if (plain)
		batch_write(&many, t);
	writer_free(&k);
	writer_free(&many);
	free(needs);
	if (many.x.full || !native_seal(code, size)) {
		native_give_back(code, size);
		return;
	}
	t->size = size;
	t->memory = code;
	t->code = (shape_code *)(uintptr_t)code;
	if (plain)
		t->batch = (shape_batch_code *)(uintptr_t)(code + from);
}

void native_shape_free(struct shape_tree *t)
{
	native_give_back(t->memory, t->size);
	t->memory = NULL;
	t->code = NULL;
	t->batch = NULL;
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
