/* native_own.c - answers that read only words of their own thing, as native code (native.h). Such
 * conditions and questions (memo.h) are mostly one or two comparisons, so the code that writes such
 * a word evaluates them at once. If an answer did not change - a combatant is hit and still
 * stands - nothing is invalidated.
 *
 * For each field that only such questions read there is one decision tree for all of them: a test
 * made for one is known for the others, and each leaf knows every answer. */
#include "runtime/vm/native_maker.h"

typedef int native_own_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

enum { QUESTIONS_MOST = 8, REGISTERS_MOST = 16, TESTS_MOST = 8, STEPS_MOST = 64, LEAVES_MOST = 16, PLACES_MOST = 8 };

/* A number, or a word of the thing that was written. */
struct operand { bool is_field; int32_t field; word number; };
struct test { enum op op; struct operand one, other; }; /* op: a comparison; JNZ: is it yes? JNONE: is it unset? */
struct value { enum { IS_NOTHING, IS_OPERAND, IS_TEST } is; bool negated; struct operand operand; struct test test; };

/* What rests on the field: a condition, or a question that is asked (memo.fn). */
struct rests { int32_t fn, condition, of; word answer; };

struct tree {
	struct maker *k;
	int32_t field;
	struct rests rests[QUESTIONS_MOST];
	int n, leaves, steps;
	word others;              /* bits of H_DIRTY that stand for the conditions that go by the field */
	uint32_t unknown[PLACES_MOST], behind; /* jumps taken where such a one may differ already, and where they come back; */
	int looked;                            /* how many */
	VEC(struct later { uint32_t jump, back; int which; word answer; bool turned; }) later;
};

/* On the way to a leaf. */
struct way { struct value r[REGISTERS_MOST]; struct test test[TESTS_MOST]; bool so[TESTS_MOST]; int tests; };

static bool same_operand(const struct operand *a, const struct operand *b)
{
	return a->is_field == b->is_field && (a->is_field ? a->field == b->field : a->number == b->number);
}

static bool same_test(const struct test *a, const struct test *b)
{
	return a->op == b->op && same_operand(&a->one, &b->one) && (a->op == OP_JNZ || a->op == OP_JNONE || same_operand(&a->other, &b->other));
}

static struct x64_at word_of(const struct tree *t, const struct operand *o)
{
	return x64_in(WORLD, RCX, 3, (int64_t)t->k->m->reach[o->field].base * 8);
}

static bool is_small_number(word number)
{
	return number >= INT32_MIN && number <= INT32_MAX;
}

/* ---- what is asked ---- */

/* Code that goes on where it is so; returns how many jumps are taken where it is not. rcx: the thing. */
static int make_test(struct tree *t, const struct test *of, uint32_t *no)
{
	struct x64 *x = &t->k->x;
	int n = 0;
	if (of->op == OP_JNZ) {
		x64_do(x, X_TEST, SOME, word_of(t, &of->one));
		no[n++] = x64_jump_if(x, IF_SAME);
		return n;
	}
	if (of->op == OP_JNONE) {
		x64_do(x, X_CMP, UNSET, word_of(t, &of->one));
		no[n++] = x64_jump_if(x, IF_OTHER);
		return n;
	}
	if (of->one.is_field)
		x64_do(x, X_LOAD, RAX, word_of(t, &of->one));
	else
		x64_number(x, RAX, of->one.number);
	if (of->op != OP_SAME && of->one.is_field) { /* an unset one settles it */
		x64_regs(x, X_CMP, RAX, UNSET);
		no[n++] = x64_jump_if(x, IF_SAME);
	}
	if (of->other.is_field)
		x64_do(x, X_CMP, RAX, word_of(t, &of->other));
	else if (of->other.number == NONE)
		x64_regs(x, X_CMP, RAX, UNSET);
	else
		x64_fix(x, FIX_CMP, RAX, (int32_t)of->other.number);
	no[n++] = x64_jump_if(x, of->op == OP_LT ? IF_NOT_LESS : of->op == OP_LE ? IF_MORE : IF_OTHER);
	return n;
}

static bool make_from(struct tree *t, int which, int32_t at, struct way *w);

/* Goes on both ways. */
static bool make_both(struct tree *t, int which, const struct test *of, int32_t yes, int32_t no, struct way *w)
{
	uint32_t jump[2];
	for (int i = 0; i < w->tests; i++)
		if (same_test(&w->test[i], of))
			return make_from(t, which, w->so[i] ? yes : no, w);
	if (w->tests == TESTS_MOST || (!of->one.is_field && of->op == OP_JNZ))
		return false;
	const int jumps = make_test(t, of, jump);
	struct way other = *w;
	w->test[w->tests] = other.test[w->tests] = *of;
	w->so[w->tests++] = true;
	other.so[other.tests++] = false;
	if (!make_from(t, which, yes, w))
		return false;
	for (int j = 0; j < jumps; j++)
		x64_lead(&t->k->x, jump[j], t->k->x.n);
	return make_from(t, which, no, &other);
}

/* ---- what it comes to ---- */

/* As it was, it goes on here; else later. */
static void make_condition(struct tree *t, int which)
{
	struct x64 *x = &t->k->x;
	const struct rests *r = &t->rests[which];
	x64_do(x, X_LEA, RDX, x64_at(RCX, t->k->p->whenever[r->condition].first));
	x64_regs(x, X_LOAD, RSI, RDX);
	x64_shift(x, false, RSI, 6);
	x64_number(x, RDI, (int64_t)(intptr_t)t->k->m->memo.stale);
	x64_do(x, X_LOAD, RAX, x64_in(WORLD, RSI, 3, (int64_t)t->k->p->layout.conditions * 8));
	x64_has_bit(x, RAX, RDX);
	VEC_PUSH(t->later, (struct later){x64_jump_if(x, r->answer ? IF_NOT_BELOW : IF_BELOW), 0, which, r->answer, true});
	const int turned = t->later.n - 1;
	x64_do(x, X_LOAD, RAX, x64_in(RDI, RSI, 3, 0));
	x64_has_bit(x, RAX, RDX);
	VEC_PUSH(t->later, (struct later){x64_jump_if(x, IF_BELOW), 0, which, r->answer, false});
	t->later.v[turned].back = t->later.v[turned + 1].back = x->n;
}

static void make_question(struct tree *t, int which)
{
	struct x64 *x = &t->k->x;
	const struct rests *r = &t->rests[which];
	x64_number(x, RDI, (int64_t)(intptr_t)t->k->m->memo.fn.v[r->of].at_once);
	x64_fix_at(x, true, FIX_CMP, x64_in(RDI, RCX, 3, 0), (int32_t)r->answer);
	VEC_PUSH(t->later, (struct later){x64_jump_if(x, IF_OTHER), 0, which, r->answer, false});
	t->later.v[t->later.n - 1].back = x->n;
}

/* A condition differs from its bit, and is to be asked; or no longer does. */
static void make_condition_later(struct tree *t, const struct later *l)
{
	struct x64 *x = &t->k->x;
	const int32_t condition = t->rests[l->which].condition;
	if (l->turned)
		x64_do(x, X_LOAD, RAX, x64_in(RDI, RSI, 3, 0));
	x64_bit(x, l->turned ? X_BIT_ON : X_BIT_OFF, RAX, RDX);
	x64_do(x, X_STORE, RAX, x64_in(RDI, RSI, 3, 0));
	if (l->turned) {
		x64_number(x, RAX, (int64_t)(1ull << (condition > 63 ? 63 : condition)));
		x64_do(x, X_OR, RAX, HEADER(H_DIRTY));
		x64_do(x, X_STORE, RAX, HEADER(H_DIRTY));
	}
}

/* These conditions may differ. */
static void touch(struct tree *t, word conditions)
{
	struct x64 *x = &t->k->x;
	x64_number(x, RAX, conditions);
	x64_do(x, X_OR, RAX, HEADER(H_DIRTY));
	x64_do(x, X_STORE, RAX, HEADER(H_DIRTY));
}

/* The answer is another, as memo_owned has it; what is worked out from it is voided. */
static void make_question_later(struct tree *t, const struct later *l)
{
	struct x64 *x = &t->k->x;
	const struct memo *memo = &t->k->m->memo;
	const struct memo_fn *f = &memo->fn.v[t->rests[l->which].of];
	const bool yes = l->answer != 0;
	const int64_t all = (int64_t)(memo_all(f) - f->first) * (int64_t)sizeof(struct memo_entry);
	x64_number(x, RDX, (int64_t)(intptr_t)f);
	x64_do(x, X_LOAD, RDX, x64_at(RDX, offsetof(struct memo_fn, table)));
	x64_regs(x, X_LOAD, RSI, RCX);
	x64_shift(x, true, RSI, 6);
	x64_regs(x, X_ADD, RSI, RDX);
	x64_do32(x, X_LOAD, RAX, x64_at(RSI, offsetof(struct memo_entry, leads)));
	x64_do32(x, X_OR, RAX, x64_at(RSI, offsetof(struct memo_entry, places)));
	x64_do32(x, X_OR, RAX, x64_at(RDX, all + (int64_t)offsetof(struct memo_entry, leads)));
	x64_do32(x, X_OR, RAX, x64_at(RDX, all + (int64_t)offsetof(struct memo_entry, places)));
	x64_do32(x, X_OR, RAX, x64_at(RDX, all + (int64_t)offsetof(struct memo_entry, sifted)));
	const uint32_t alone = x64_jump_if(x, IF_SAME);
	x64_push(x, RCX);
	x64_regs(x, X_LOAD, RDI, MACHINE);
	x64_do(x, X_LEA, RSI, x64_at(RCX, f->first));
	x64_call(x, (uintptr_t)native_led);
	x64_pop(x, RCX);
	touch(t, t->others);
	x64_number(x, RDI, (int64_t)(intptr_t)f->at_once);
	x64_lead(x, alone, x->n);
	x64_put(x, x64_in(RDI, RCX, 3, 0), (int32_t)l->answer);
	x64_number(x, RDI, (int64_t)(intptr_t)(memo->says + f->first));
	put_byte(x, x64_in(RDI, RCX, 0, 0), yes);
	x64_number(x, RDI, (int64_t)(intptr_t)(memo->stale + f->bits));
	x64_do(x, X_BIT_OFF, RCX, x64_at(RDI, 0));
	x64_number(x, RDI, (int64_t)(intptr_t)(memo->so + f->bits));
	x64_do(x, yes ? X_BIT_ON : X_BIT_OFF, RCX, x64_at(RDI, 0));
}

static bool make_leaf(struct tree *t)
{
	struct x64 *x = &t->k->x;
	if (++t->leaves > LEAVES_MOST)
		return false;
	t->later.n = 0;
	for (int i = 0; i < t->n; i++)
		if (t->rests[i].condition >= 0)
			make_condition(t, i);
		else
			make_question(t, i);
	x64_return(x);
	for (int i = 0; i < t->later.n; i++) {
		const struct later l = t->later.v[i];
		x64_lead(x, l.jump, x->n);
		if (t->rests[l.which].condition >= 0)
			make_condition_later(t, &l);
		else
			make_question_later(t, &l);
		x64_lead(x, x64_jump(x), l.back);
	}
	return true;
}

/* ---- following them ---- */

/* This one is known to answer so. */
static bool settled(struct tree *t, int which, word answer, struct way *w)
{
	t->rests[which].answer = answer;
	if (which + 1 == t->n)
		return make_leaf(t);
	memset(w->r, 0, sizeof w->r);
	return make_from(t, which + 1, t->k->p->fn[t->rests[which + 1].fn].entry, w);
}

/* A comparison of what is known already is no test. */
static bool compare_values(struct value *to, enum op op, const struct value *a, const struct value *b)
{
	if (a->is != IS_OPERAND || b->is != IS_OPERAND || (!b->operand.is_field && b->operand.number != NONE && !is_small_number(b->operand.number)))
		return false;
	const struct operand *one = &a->operand, *other = &b->operand;
	if (one->is_field || (other->is_field && (op == OP_SAME || one->number != NONE))) {
		*to = (struct value){IS_TEST, false, {false, 0, 0}, {op, *one, *other}};
		return true;
	}
	const word p = one->number, q = other->number;
	const bool so = op == OP_SAME ? p == q : p != NONE && !other->is_field && (op == OP_LT ? p < q : op == OP_LE ? p <= q : p == q);
	*to = (struct value){IS_OPERAND, false, {false, 0, so}, {OP_NOP, {false, 0, 0}, {false, 0, 0}}};
	return true;
}

static bool is_yes(word answer)
{
	return answer != 0 && answer != NONE;
}

/* From a jump, or the end, on. */
static bool make_branch(struct tree *t, int which, int32_t at, struct way *w)
{
	const struct insn *i = &t->k->p->code[at];
	const struct value v = w->r[i->a];
	int32_t yes = at + 1, no = at + 1;
	if (i->op == OP_JZ || i->op == OP_JSOME)
		no += i->k;
	else
		yes += i->k;
	const bool for_none = i->op == OP_JNONE || i->op == OP_JSOME;
	if (v.is == IS_NOTHING)
		return false;
	if (v.is == IS_OPERAND && v.operand.is_field) {
		const struct test test = {for_none ? OP_JNONE : OP_JNZ, v.operand, {false, 0, 0}};
		return make_both(t, which, &test, yes, no, w);
	}
	if (v.is == IS_OPERAND)
		return make_from(t, which, (for_none ? v.operand.number == NONE : is_yes(v.operand.number)) ? yes : no, w);
	if (for_none)
		return make_from(t, which, no, w);
	return make_both(t, which, &v.test, v.negated ? no : yes, v.negated ? yes : no, w);
}

/* Where the answer itself is a test: as if one of two returns stood there. */
static bool make_answer(struct tree *t, int which, const struct value *v, struct way *w)
{
	uint32_t jump[2];
	if (v->is == IS_OPERAND)
		return !v->operand.is_field && is_small_number(v->operand.number) && settled(t, which, v->operand.number, w);
	if (v->is != IS_TEST || (v->test.op == OP_JNZ && !v->test.one.is_field))
		return false;
	for (int i = 0; i < w->tests; i++)
		if (same_test(&w->test[i], &v->test))
			return settled(t, which, w->so[i] != v->negated, w);
	if (w->tests == TESTS_MOST)
		return false;
	const struct test test = v->test;
	const bool negated = v->negated;
	const int jumps = make_test(t, &test, jump);
	struct way other = *w;
	w->test[w->tests] = other.test[w->tests] = test;
	w->so[w->tests++] = true;
	other.so[other.tests++] = false;
	if (!settled(t, which, !negated, w))
		return false;
	for (int j = 0; j < jumps; j++)
		x64_lead(&t->k->x, jump[j], t->k->x.n);
	return settled(t, which, negated, &other);
}

static bool make_from(struct tree *t, int which, int32_t at, struct way *w)
{
	const struct program *p = t->k->p;
	for (;; at++) {
		const struct insn *i = &p->code[at];
		if (++t->steps > STEPS_MOST * LEAVES_MOST || i->a >= REGISTERS_MOST)
			return false;
		struct value *to = &w->r[i->a];
		switch ((enum op)i->op) {
		case OP_NOP:
			break;
		case OP_JMP:
			at += i->k;
			break;
		case OP_LOADI: case OP_LOADK:
			*to = (struct value){IS_OPERAND, false, {false, 0, i->op == OP_LOADI ? i->k : p->constant[i->k]}, {OP_NOP, {false, 0, 0}, {false, 0, 0}}};
			break;
		case OP_LDF:
			if (i->b != 0 || p->field[i->c].kind != p->field[t->field].kind || p->field[i->c].stride != 1)
				return false;
			*to = (struct value){IS_OPERAND, false, {true, i->c, 0}, {OP_NOP, {false, 0, 0}, {false, 0, 0}}};
			break;
		case OP_MOVE: case OP_NOT:
			if (i->b >= REGISTERS_MOST || i->b == 0)
				return false;
			*to = w->r[i->b];
			if (i->op == OP_MOVE)
				break;
			if (to->is == IS_OPERAND && to->operand.is_field)
				*to = (struct value){IS_TEST, false, {false, 0, 0}, {OP_JNZ, to->operand, {false, 0, 0}}};
			if (to->is == IS_OPERAND)
				to->operand.number = !is_yes(to->operand.number);
			to->negated = !to->negated;
			break;
		case OP_SAME: case OP_EQ: case OP_LT: case OP_LE:
			if (i->b >= REGISTERS_MOST || i->c >= REGISTERS_MOST || i->b == 0 || i->c == 0)
				return false;
			else {
				const struct value one = w->r[i->b], other = w->r[i->c];
				if (!compare_values(to, (enum op)i->op, &one, &other))
					return false;
			}
			break;
		case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME:
			return i->a != 0 && make_branch(t, which, at, w);
		case OP_RET: {
			const struct value v = w->r[i->a];
			return i->a != 0 && i->b == 1 && make_answer(t, which, &v, w);
		}
		default:
			return false;
		}
	}
}

/* ---- the fields ---- */

static bool reads(const struct program *p, int32_t fn, int32_t field)
{
	bool any = false;
	for (int32_t at = p->fn[fn].entry; at < p->fn[fn].end; at++)
		any |= p->code[at].op == OP_LDF && p->code[at].c == field;
	return any;
}

/* What rests on the words of the field; false: too much, or something of which no answer is kept. */
static bool find_resting(struct tree *t)
{
	const struct program *p = t->k->p;
	const struct memo *memo = &t->k->m->memo;
	for (int32_t c = 0; c < p->whenevers; c++) {
		const struct whenever_info *of = &p->whenever[c];
		const word bit = (word)(1ull << (c > 63 ? 63 : c));
		if (of->params == 1 && memo->self[of->first / 64] >> of->first % 64 & 1 && reads(p, of->fn, t->field)) {
			if (t->n == QUESTIONS_MOST || (uint32_t)of->count[0] < p->layout.kind[p->field[t->field].kind].count)
				return false;
			t->rests[t->n++] = (struct rests){of->fn, c, -1, 0};
		} else if (t->k->m->reach[t->field].touches & bit) {
			if (of->fn < 0 || memo->of[of->fn] < 0)
				return false;
		}
	}
	for (int32_t f = 0; f < memo->fn.n; f++) {
		if (!memo->fn.v[f].own || !reads(p, memo->fn.v[f].fn, t->field))
			continue;
		if (t->n == QUESTIONS_MOST)
			return false;
		t->rests[t->n++] = (struct rests){memo->fn.v[f].fn, -1, f, 0};
	}
	return t->n > 0;
}

/* Conditions that go by the field, of whom somebody waits to be asked: those are to be asked now, as in the loop, whatever is written. Who does not
 * wait yet wakes by his answer's going (make_question_later) or, where it looks at own words alone, by its turning. */
static bool look_at_others(struct tree *t)
{
	struct x64 *x = &t->k->x;
	const struct program *p = t->k->p;
	for (int32_t c = 0; c < p->whenevers; c++) {
		const struct whenever_info *of = &p->whenever[c];
		const word bit = (word)(1ull << (c > 63 ? 63 : c));
		if (!(t->k->m->reach[t->field].touches & bit))
			continue;
		const int64_t end = of->first + (int64_t)of->count[0] * of->count[1];
		for (int64_t place = of->first; place < end; place = (place / 64 + 1) * 64) {
			const int64_t behind = (place / 64 + 1) * 64 < end ? 64 : (end - 1) % 64 + 1;
			const uint64_t mask = ~0ull << place % 64 & ~0ull >> (64 - behind);
			if (t->looked == PLACES_MOST)
				return false;
			x64_number(x, RDX, (int64_t)(intptr_t)(t->k->m->memo.stale + place / 64));
			x64_number(x, RAX, (int64_t)mask);
			x64_do(x, X_TEST, RAX, x64_at(RDX, 0));
			t->unknown[t->looked++] = x64_jump_if(x, IF_OTHER);
		}
		t->others |= bit;
	}
	t->behind = x->n;
	return true;
}

/* As ever: all that rests on the word is voided, and asked again. */
static void make_slow(struct tree *t, uint32_t jump)
{
	struct x64 *x = &t->k->x;
	x64_lead(x, jump, x->n);
	x64_fix(x, FIX_SUB, RSP, 8);
	x64_regs(x, X_LOAD, RDI, MACHINE);
	x64_regs(x, X_LOAD, RSI, RCX);
	x64_number(x, RDX, t->k->m->reach[t->field].base);
	x64_call(x, (uintptr_t)native_wrote);
	touch(t, t->k->m->reach[t->field].touches);
	x64_fix(x, FIX_ADD, RSP, 8);
	x64_return(x);
}

static bool make_tree(struct tree *t)
{
	struct x64 *x = &t->k->x;
	struct way w = {.tests = 0};
	if (!find_resting(t))
		return false;
	x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.head));
	x64_fix_at(x, false, FIX_CMP,
		x64_in(RDX, RCX, 2, (int64_t)t->k->m->reach[t->field].base * 4),
		(int32_t)(t->k->marks[t->field] ? MEMO_OWNED | MEMO_QUIET : MEMO_OWNED));
	const uint32_t led = x64_jump_if(x, IF_OTHER); /* other answers rest on the word itself */
	if (!look_at_others(t) || !make_from(t, 0, t->k->p->fn[t->rests[0].fn].entry, &w))
		return false;
	for (int u = 0; u < t->looked; u++)
		x64_lead(x, t->unknown[u], x->n);
	if (t->looked) {
		touch(t, t->others);
		x64_lead(x, x64_jump(x), t->behind);
	}
	make_slow(t, led);
	return true;
}

void make_owned(struct maker *k)
{
	const struct program *p = k->p;
	for (int32_t f = 0; f < p->fields; f++) {
		const struct reach *of = &k->m->reach[f];
		const uint32_t begin = k->x.n;
		struct tree t = {.k = k, .field = f};
		if (of->act || !of->plain || of->fixed || of->stride != 1 || of->count == 0 || p->field[f].words != 1)
			continue;
		if (make_tree(&t))
			k->owned[f] = begin;
		else
			k->x.n = begin;
		VEC_FREE(t.later);
	}
}

#endif
