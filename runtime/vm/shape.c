/* shape.c - see shape.h. */
#include "runtime/vm/shape.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/must.h"
#include "runtime/base/num.h"
#include "runtime/code/ops.h"
#include "runtime/vm/machine.h"

enum {
	ONE = 1,            /* the step of the thing asked; step 0 is a word of the program's own */
	NODES_MOST = 4096, NODES_A_WAY = 4 * SHAPE_STEPS + 2,
	VALUES_MOST = 24,   /* that one word is tested for */
	TRIED = 64,         /* ways recorded before a tree is doubted */
	PAYS = 4,           /* ways gone for one that is recorded */
	PATIENCE = 128,     /* ways gone since one was recorded, before a tree is made into code the first time */
	KNOWN_UNSET = 1, KNOWN_TRUE = 2, KNOWN = 4 /* what was tested of a step */
};

void shape_close(struct shape *s)
{
	for (int i = 0; i < s->trees; i++)
		native_shape_free(&s->tree[i]);
	free(s->node);
	VEC_FREE(s->answer);
	free(s->tree);
	free(s->holds);
	memset(s, 0, sizeof *s);
}

void shape_clear(struct vm *m)
{
	struct shape *s = &m->shape;
	if (!s->tree)
		return;
	s->answer.n = 0;
	s->nodes = 1;
	for (int i = 0; i < s->trees; i++) {
		native_shape_free(&s->tree[i]);
		s->tree[i].root = s->node;
		s->tree[i].same = 0;
		s->tree[i].patience = PATIENCE;
	}
}

static void make(struct vm *m)
{
	struct shape *s = &m->shape;
	s->trees = 2 * m->p->orders;
	s->tree = calloc(2 * (size_t)m->p->orders + 1, sizeof *s->tree);
	s->node = malloc(NODES_MOST * sizeof *s->node);
	s->holds = calloc(m->p->layout.stack_words + 1, 1);
	if (!s->tree || !s->node || !s->holds)
		abort();
	s->node[0] = (struct shape_node){.kind = SHAPE_NOBODY};
	shape_clear(m);
}

/* As run.c does it; false: it cannot be done. */
__attribute__((always_inline)) static inline bool calculate(enum op op, word x, word y, word *to)
{
	const bool unset = x == NONE || y == NONE;
	bool bad = false;
	word v = NONE;
	switch (op) {
	case OP_ADD: bad = !unset && (__builtin_add_overflow(x, y, &v) || v == NONE); break;
	case OP_SUB: bad = !unset && (__builtin_sub_overflow(x, y, &v) || v == NONE); break;
	case OP_MUL: bad = !unset && (__builtin_mul_overflow(x, y, &v) || v == NONE); break;
	case OP_MIN: v = x == NONE ? y : y == NONE ? x : x < y ? x : y; break;
	case OP_MAX: v = x == NONE ? y : y == NONE ? x : x > y ? x : y; break;
	case OP_FADD: v = unset ? NONE : frac_add(x, y, &bad); break;
	case OP_FSUB: v = unset ? NONE : frac_sub(x, y, &bad); break;
	case OP_FMUL: v = unset ? NONE : frac_mul(x, y, &bad); break;
	case OP_FMIN: v = x == NONE ? y : y == NONE || frac_compare(x, y) < 0 ? x : y; break;
	case OP_FMAX: v = x == NONE ? y : y == NONE || frac_compare(x, y) > 0 ? x : y; break;
	case OP_SAME: v = x == y; break;
	case OP_EQ: v = !unset && x == y; break;
	case OP_NE: v = !unset && x != y; break;
	case OP_LT: v = !unset && x < y; break;
	case OP_LE: v = !unset && x <= y; break;
	case OP_FLT: v = !unset && frac_compare(x, y) < 0; break;
	case OP_FLE: v = !unset && frac_compare(x, y) <= 0; break;
	default: return false;
	}
	*to = v;
	return !bad;
}

bool shape_calculate(enum op op, word x, word y, word *to)
{
	return calculate(op, x, y, to);
}

/* ---- the way through the tree ---- */

/* What is read by the thing asked is not noted: whoever writes there tells. */
static inline void note(struct vm *m, const uint32_t *head, uint32_t at)
{
	if (!(head[at] & MEMO_PLACES))
		memo_read(&m->memo, at);
}

#define NEXT(node)                     \
	do {                               \
		n = (node);                    \
		goto *place[n->kind];          \
	} while (0)

static bool walk(struct vm *m, const struct shape_node *n, word one, word *out)
{
	static const void *const place[] = {
		[SHAPE_NOBODY] = &&nobody, [SHAPE_OWN] = &&own, [SHAPE_LOAD] = &&load, [SHAPE_TEMPLATE] = &&template, [SHAPE_WORD] = &&world, [SHAPE_CALC] = &&calc,
		[SHAPE_UNSET] = &&unset, [SHAPE_TRUE] = &&is_true, [SHAPE_IS] = &&is, [SHAPE_LEAF] = &&leaf,
	};
	const uint32_t *const head = m->memo.head;
	const word *const w = m->w;
	word v[SHAPE_STEPS];
	v[ONE] = one;
	NEXT(n);
own: /* who is asked is there */
	v[n->step] = w[n->base + (uint32_t)one * n->stride];
	NEXT(n->next);
load: {
	const word of = v[n->left];
	if ((uint64_t)of < n->count) {
		const uint32_t at = n->base + (uint32_t)of * n->stride;
		v[n->step] = w[at];
		if (n->noted)
			note(m, head, at);
	} else {
		v[n->step] = n->op == OP_LDSF ? 0 : NONE;
	}
	NEXT(n->next);
}
template: {
	const word of = v[n->left];
	v[n->step] = (uint64_t)of < n->count ? m->p->thing_words[n->base + (uint64_t)of * n->stride] : NONE;
	NEXT(n->next);
}
world:
	v[n->step] = w[n->base];
	note(m, head, n->base);
	NEXT(n->next);
calc: {
	v[0] = n->value;
	const word x = v[n->left], y = v[n->right];
	bool fine;
	switch ((enum op)n->op) { /* the usual ones without a call */
	case OP_ADD: fine = calculate(OP_ADD, x, y, &v[n->step]); break;
	case OP_MUL: fine = calculate(OP_MUL, x, y, &v[n->step]); break;
	case OP_MAX: fine = calculate(OP_MAX, x, y, &v[n->step]); break;
	case OP_LT: fine = calculate(OP_LT, x, y, &v[n->step]); break;
	case OP_LE: fine = calculate(OP_LE, x, y, &v[n->step]); break;
	default: fine = shape_calculate((enum op)n->op, x, y, &v[n->step]); break;
	}
	if (!fine)
		return false;
	NEXT(n->next);
}
unset:
	NEXT(v[n->step] == NONE ? n->next : n->other);
is_true:
	NEXT(v[n->step] != NONE && v[n->step] != 0 ? n->next : n->other);
is:
	NEXT(v[n->step] == n->value ? n->next : n->other);
leaf : {
	const int answers = n->step;
	for (int i = 0; i < answers; i++) { /* of an order without keys there are none at all */
		const struct shape_answer *a = &m->shape.answer.v[n->base + i];
		out[i] = a->step ? v[a->step] : a->value;
	}
	return true;
}
nobody:
	return false;
}

/* ---- recording ---- */

static bool alike(const struct shape_node *a, const struct shape_node *b)
{
	return a->kind == b->kind && a->op == b->op && a->step == b->step && a->left == b->left && a->right == b->right && a->base == b->base && a->value == b->value;
}

/* The way goes by this node; what stood in its place goes, unless it is the same. The node in the tree. */
static struct shape_node *go_by(struct shape *s, const struct shape_node *n)
{
	if (s->lost)
		return s->node;
	if (!alike(*s->link, n)) {
		struct shape_node *to = &s->node[s->nodes++];
		*to = *n;
		to->next = to->other = s->node;
		*s->link = to;
	}
	n = *s->link;
	s->link = &(*s->link)->next;
	return (struct shape_node *)n;
}

/* The same of a test, which comes out so. */
static void go_by_test(struct shape *s, const struct shape_node *n, bool is)
{
	struct shape_node *at = go_by(s, n);
	if (!is && !s->lost)
		s->link = &at->other;
}

/* A word that is the same for all who come this way. */
static inline bool known(const struct shape *s, uint8_t step)
{
	return step == 0 || step >= s->steps || s->step[step].known & KNOWN;
}

static void test_unset(struct shape *s, uint8_t step)
{
	const bool unset = s->step[step].value == NONE;
	if (s->step[step].known & KNOWN_UNSET)
		return;
	go_by_test(s, &(struct shape_node){.kind = SHAPE_UNSET, .step = step}, unset);
	s->step[step].known |= unset ? KNOWN : KNOWN_UNSET;
}

static void test_true(struct shape *s, uint8_t step)
{
	const bool is = s->step[step].value != NONE && s->step[step].value != 0;
	if (s->step[step].known & KNOWN_TRUE)
		return;
	go_by_test(s, &(struct shape_node){.kind = SHAPE_TRUE, .step = step}, is);
	s->step[step].known |= is ? KNOWN_TRUE | KNOWN_UNSET : KNOWN_TRUE;
}

static void test_is(struct shape *s, uint8_t step, word value)
{
	const bool is = s->step[step].value == value;
	go_by_test(s, &(struct shape_node){.kind = SHAPE_IS, .step = step, .value = value}, is);
	if (is)
		s->step[step].known |= KNOWN;
}

/* Which word it is matters: from here on it is the same for all who come this way. */
static void test(struct shape *s, uint8_t step)
{
	int values = 0;
	if (known(s, step))
		return;
	/* past those it is not */
	while (!s->lost && (*s->link)->kind == SHAPE_IS && (*s->link)->step == step && (*s->link)->value != s->step[step].value) {
		s->lost = ++values == VALUES_MOST;
		test_is(s, step, (*s->link)->value);
	}
	test_is(s, step, s->step[step].value);
}

static void test_set(struct vm *m, const uint8_t *holds)
{
	for (int i = 0; i < m->p->set_words; i++)
		test(&m->shape, holds[i]);
}

/* What the node makes is in `value`; 0: too much is going on. The same is made once. */
static uint8_t make_step(struct shape *s, struct shape_node n, word value)
{
	for (int i = ONE + 1; i < s->steps; i++) {
		n.step = (uint8_t)i;
		if (alike(&s->step[i].node, &n))
			return (uint8_t)i;
	}
	if (s->steps == SHAPE_STEPS) {
		s->lost = true;
		return 0;
	}
	n.step = (uint8_t)s->steps;
	go_by(s, &n);
	s->step[s->steps] = (struct shape_step){value, n, 0};
	return (uint8_t)s->steps++;
}

/* A word of the world, wherever it is read from; `fixed`: nobody writes it. */
static uint8_t read_word(struct vm *m, uint32_t at, bool fixed)
{
	return fixed ? 0 : make_step(&m->shape, (struct shape_node){.kind = SHAPE_WORD, .base = at}, m->w[at]);
}

/* A word of the thing `which`, which is what step `thing` holds. */
static uint8_t read_row(struct vm *m, const struct insn *i, uint8_t thing, word which, bool fixed, uint32_t base, uint32_t stride, uint32_t count)
{
	struct shape *s = &m->shape;
	const bool is = (uint64_t)which < count;
	const uint32_t at = base + (uint32_t)which * stride;
	if (known(s, thing))
		return is ? read_word(m, at, fixed) : 0;
	return make_step(s, (struct shape_node){.kind = thing == ONE && is ? SHAPE_OWN : SHAPE_LOAD, .op = (uint8_t)i->op, .left = thing, .noted = !fixed && thing != ONE, .base = base, .stride = stride, .count = count},
	                 is ? m->w[at] : i->op == OP_LDSF ? 0 : NONE);
}

/* Word k of the field the instruction reads. */
static uint8_t read_field(struct vm *m, const struct insn *i, uint8_t thing, word which, int k)
{
	const struct reach *f = &m->reach[i->c];
	if (f->fixed && f->act && thing == ONE && (uint64_t)which < f->count) /* all acts hold the same */
		return 0;
	return read_row(m, i, thing, which, f->fixed && !f->act, f->base + (uint32_t)k, f->stride, f->count);
}

static uint8_t read_template(struct vm *m, const struct insn *i, uint8_t thing, word which)
{
	const struct program *p = m->p;
	const struct shape_node n = {.kind = SHAPE_TEMPLATE, .left = thing, .base = i->c, .stride = (uint32_t)p->thing_fields, .count = (uint32_t)p->things};
	if (known(&m->shape, thing))
		return 0;
	return make_step(&m->shape, n, (uint64_t)which < n.count ? p->thing_words[n.base + (uint64_t)which * n.stride] : NONE);
}

/* Two words make one. */
static uint8_t combine(struct shape *s, const struct insn *i, const uint8_t *holds, const word *r)
{
	const enum op op = (enum op)i->op;
	const bool left = known(s, holds[i->b]), right = known(s, holds[i->c]);
	struct shape_node n = {.kind = SHAPE_CALC, .op = (uint8_t)op, .left = left ? 0 : holds[i->b], .right = right ? 0 : holds[i->c]};
	word value;
	if (left && right)
		return 0;
	if (left || right) {
		const uint8_t of = left ? n.right : n.left;
		n.value = r[left ? i->b : i->c];
		/* of two of which one is unset the other is the lesser, and the greater */
		if (n.value == NONE && (op == OP_MIN || op == OP_MAX || op == OP_FMIN || op == OP_FMAX))
			return of;
		if (op == OP_SAME || op == OP_EQ) {
			if (n.value != NONE)
				test_is(s, of, n.value);
			else if (op == OP_SAME)
				test_unset(s, of);
			return 0;
		}
	}
	if (!shape_calculate(op, r[i->b], r[i->c], &value)) {
		s->lost = true;
		return 0;
	}
	return make_step(s, n, value);
}

/* Registers an instruction reads beside those its row in ops.def names. */
static int read_more(enum op op)
{
	switch (op) {
	case OP_LDP: case OP_HAST: case OP_ITEMT: case OP_TABLE:
		return 1;
	case OP_TABLEOF:
		return 2;
	default:
		return 0;
	}
}

/* What it works on is tested, so what it makes is the same for all who come this way. */
static void test_operands(struct vm *m, const struct insn *i, uint8_t *holds)
{
	struct shape *s = &m->shape;
	const char *shape = op_table[i->op].shape;
	const uint16_t operand[3] = {i->a, i->b, i->c};
	for (int k = 0; k < 3 && shape[k]; k++) {
		if (shape[k] == 's')
			test(s, holds[operand[k]]);
		else if (shape[k] == 'S')
			test_set(m, &holds[operand[k]]);
	}
	for (int k = read_more((enum op)i->op); k > 0; k--)
		test(s, holds[i->b + k]);
	if (i->op == OP_SNEXT || i->op == OP_KNEXT)
		test(s, holds[i->a]);
	else if (i->op == OP_SADD)
		test_set(m, &holds[i->a]);
	for (int k = 0; k < 3 && shape[k]; k++)
		for (int n = 0; n < (shape[k] == 'd' ? 1 : shape[k] == 'D' ? m->p->set_words : 0); n++)
			holds[operand[k] + n] = 0;
}

void shape_step(struct vm *m, const struct insn *i, uint32_t fp)
{
	struct shape *s = &m->shape;
	const struct layout *l = &m->p->layout;
	uint8_t *holds = s->holds + (fp - l->stack);
	const word *r = m->w + fp;
	if (s->lost)
		return;
	switch ((enum op)i->op) {
	case OP_MOVE:
		holds[i->a] = holds[i->b];
		return;
	case OP_SMOVE:
		memmove(&holds[i->a], &holds[i->b], (size_t)m->p->set_words);
		return;
	case OP_LOADI: case OP_LOADK:
		holds[i->a] = 0;
		return;
	case OP_RET:
		for (int k = 0; k < i->b; k++)
			holds[k - 2] = holds[i->a + k];
		return;
	case OP_CALL: case OP_JMP: case OP_LOOP: case OP_NOP: case OP_EXT: case OP_RULING: case OP_FATAL:
	case OP_ASKED: case OP_BASE: case OP_LOST: case OP_ADJUST: case OP_BOUND: case OP_ANSWER: case OP_WHY: /* they have no say */
		return;
	case OP_LDF:
		holds[i->a] = read_field(m, i, holds[i->b], r[i->b], 0);
		return;
	case OP_LDSF: {
		const uint8_t thing = holds[i->b]; /* it may stand where the set goes */
		for (int k = 0; k < m->p->set_words; k++)
			holds[i->a + k] = read_field(m, i, thing, r[i->b], k);
		return;
	}
	case OP_LDT:
		holds[i->a] = read_template(m, i, holds[i->b], r[i->b]);
		return;
	case OP_EVENTOF:
		holds[i->a] = read_row(m, i, holds[i->b], r[i->b], false, l->acts + ACT_EVENT, l->act_stride, l->act_count);
		return;
	case OP_LDA:
		holds[i->a] = read_row(m, i, holds[i->b], r[i->b], false, l->acts + ACT_ARGS + i->c, l->act_stride, l->act_count);
		return;
	case OP_CAUSE: case OP_NOW:
		holds[i->a] = read_word(m, i->op == OP_NOW ? H_NOW : H_ACT, false);
		return;
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_MIN: case OP_MAX:
	case OP_FADD: case OP_FSUB: case OP_FMUL: case OP_FMIN: case OP_FMAX:
	case OP_SAME: case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_FLT: case OP_FLE:
		holds[i->a] = combine(s, i, holds, r);
		return;
	case OP_NEG: /* what is left of 0 without it */
		holds[i->a] = known(s, holds[i->b]) ? 0 : make_step(s, (struct shape_node){.kind = SHAPE_CALC, .op = OP_SUB, .right = holds[i->b]}, r[i->b] == NONE ? NONE : -r[i->b]);
		return;
	case OP_JNONE: case OP_JSOME:
		if (!known(s, holds[i->a]))
			test_unset(s, holds[i->a]);
		return;
	case OP_JZ: case OP_JNZ:
		if (!known(s, holds[i->a]))
			test_true(s, holds[i->a]);
		return;
	case OP_NOT:
		if (!known(s, holds[i->b]))
			test_true(s, holds[i->b]);
		holds[i->a] = 0;
		return;
	case OP_LDP:
	case OP_HASL:
	case OP_LEN:
	case OP_ITEM:
	case OP_MEASURE:
	case OP_LISTED:
	case OP_SOUGHT:
	case OP_SERIAL: s->lost = true; return;
	default:
		test_operands(m, i, holds);
	}
}

static bool record(struct vm *m, const struct shape_question *q, word one, word *out, struct shape_answer *answer)
{
	struct shape *s = &m->shape;
	const uint32_t window = (uint32_t)m->w[H_FP] + m->p->fn[m->w[H_FN]].registers - m->p->layout.stack;
	s->step[ONE] = (struct shape_step){.value = one};
	s->steps = ONE + 1;
	s->lost = false;
	for (int i = 0; i < (int)FRAY_COUNT(q->fn); i++) {
		if (q->words[i] == 0)
			continue;
		s->holds[window + 2] = ONE;
		s->recording = true;
		const bool ok = vm_work_out(m, q->fn[i], one, out, q->words[i]);
		s->recording = false;
		if (!ok)
			return false;
		for (int k = 0; k < q->words[i]; k++) {
			const uint8_t step = s->holds[window + (uint32_t)k];
			*answer++ = known(s, step) ? (struct shape_answer){0, out[k]} : (struct shape_answer){step, 0};
		}
		out += q->words[i];
	}
	return true;
}

/* Nobody came this way before. */
__attribute__((noinline)) static enum shape_found show(struct vm *m, struct shape_tree *t, const struct shape_question *q, word one, word *out)
{
	struct shape *s = &m->shape;
	const int answers = q->words[0] + q->words[1];
	struct shape_answer answer[SHAPE_ANSWERS];
	if (++t->made == TRIED) {
		t->off = t->asked < PAYS * t->made;
		t->asked = t->made = 0;
	}
	if (s->nodes + NODES_A_WAY > NODES_MOST)
		shape_clear(m);
	s->link = &t->root;
	if (!record(m, q, one, out, answer))
		return SHAPE_FAILED;
	/* what it took is as it would have been, so the answer may stand */
	if (s->lost)
		return SHAPE_KNOWN;
	go_by(s, &(struct shape_node){.kind = SHAPE_LEAF, .step = (uint8_t)answers, .base = (uint32_t)s->answer.n});
	for (int i = 0; i < answers; i++)
		VEC_PUSH(s->answer, answer[i]);
	return SHAPE_KNOWN;
}

bool shape_as_ever(struct vm *m, const struct shape_question *q, word one, const word *out)
{
	const int depth = m->memo.depth, placing = m->memo.placing;
	const uint64_t fuel = m->fuel;
	struct memo_frame frame[MEMO_DEEP];
	word plain[SHAPE_ANSWERS];
	bool ok = true;
	memcpy(frame, m->memo.frame, (size_t)depth * sizeof *frame);
	m->memo.depth = 0;
	m->memo.placing = -1;
	for (int i = 0, from = 0; i < (int)FRAY_COUNT(q->fn) && ok; from += q->words[i++])
		ok = q->words[i] == 0 || vm_pure(m, q->fn[i], &one, 1, plain + from, q->words[i]);
	memcpy(m->memo.frame, frame, (size_t)depth * sizeof *frame);
	m->memo.depth = depth;
	m->memo.placing = placing;
	m->fuel = fuel;
	return ok && !memcmp(plain, out, (size_t)(q->words[0] + q->words[1]) * sizeof *out);
}

enum shape_found shape_ask(struct vm *m, const struct shape_question *q, word one, word *out)
{
	if (!m->shape.tree)
		make(m);
	struct shape_tree *t = &m->shape.tree[q->tree];
	if (t->off)
		return SHAPE_UNKNOWN;
	t->asked++;
	if (!walk(m, t->root, one, out)) {
		t->same = 0;
		return show(m, t, q, one, out);
	}
	if (++t->same == t->patience) {
		t->patience *= 2;
		native_shape_make(m, t);
	}
	must(shape_as_ever(m, q, one, out));
	return SHAPE_KNOWN;
}
