/* lift_test.c - what is asked of symbols: known from their range, or noted and followed. */
#include "runtime/vm/symbols.h"

#include "runtime/vm/machine.h"

static bool so(int op, word a, word b)
{
	switch (op) {
	case OP_LT: return a < b;
	case OP_LE: return a <= b;
	case OP_FLT: return frac_compare(a, b) < 0;
	case OP_FLE: return frac_compare(a, b) <= 0;
	default: return a == b;
	}
}

bool lift_so(int op, word a, word b)
{
	return so(op, a, b);
}

/* Both are sums with a part in common: without it. */
static bool lessen(const struct lift *l, word *a, word *b)
{
	for (int turn = 0; turn < 2; turn++) {
		word one = turn ? *b : *a, other = turn ? *a : *b, rest = NONE;
		if (!is_symbol(one))
			continue;
		const struct symbol *s = symbol_of(l, one);
		if (s->frac || s->op != OP_ADD || s->low < -WIDE || s->high > WIDE)
			continue;
		if (s->a == other)
			rest = s->b, other = 0;
		else if (s->b == other)
			rest = s->a, other = 0;
		else if (is_symbol(other)) {
			const struct symbol *t = symbol_of(l, other);
			if (t->frac || t->op != OP_ADD || t->low < -WIDE || t->high > WIDE)
				continue;
			if (s->a == t->a || s->b == t->a)
				other = t->b, rest = s->a == t->a ? s->b : s->a;
			else if (s->a == t->b || s->b == t->b)
				other = t->a, rest = s->a == t->b ? s->b : s->a;
		}
		if (rest == NONE)
			continue;
		*(turn ? b : a) = rest;
		*(turn ? a : b) = other;
		return true;
	}
	return false;
}

static bool far(word v)
{
	return v < -WIDE || v > WIDE;
}

static word divide_down(word v, word by)
{
	return v / by - (v % by < 0);
}

/* A sum or a product by a plain number, compared with a plain number: what is inside is, with
 * another one. `left`: the symbol stands left of the comparison. */
static bool unwrap(const struct lift *l, int op, word *sym, word *number, bool *left)
{
	const struct symbol *s = symbol_of(l, *sym);
	if (s->frac || far(s->low) || far(s->high) || far(*number) || settled(s))
		return false;
	bool first = is_symbol(s->a), second = is_symbol(s->b);
	if ((s->op == OP_ADD || s->op == OP_MUL) && first == second)
		return false;
	word inside = first ? s->a : s->b, by = first ? s->b : s->a;
	switch (s->op) {
	case OP_ADD:
		*number -= by;
		break;
	case OP_SUB:
		if (first == second)
			return false;
		*number = first ? *number + by : by - *number;
		*left ^= !first;
		break;
	case OP_NEG:
		*number = -*number;
		*left = !*left;
		break;
	case OP_MUL:
		if (by <= 0)
			return false;
		if (op == OP_EQ && *number % by)
			return false;
		/* x * by < n: x < n / by rounded up; n < x * by: n / by rounded down < x */
		*number = op == OP_EQ ? *number / by : (op == OP_LT) == *left ? -divide_down(-*number, by) : divide_down(*number, by);
		break;
	default:
		return false;
	}
	*sym = inside;
	return true;
}

/* Both are the same many times something: without it. */
static bool same_factor(const struct lift *l, word *a, word *b)
{
	const struct symbol *s = symbol_of(l, *a), *t = symbol_of(l, *b);
	if (s->op != OP_MUL || t->op != OP_MUL || s->frac || t->frac || far(s->low) || far(s->high) || far(t->low) || far(t->high))
		return false;
	word by = is_symbol(s->a) ? s->b : s->a, other = is_symbol(t->a) ? t->b : t->a;
	if (is_symbol(by) || by != other || by <= 0)
		return false;
	*a = is_symbol(s->a) ? s->a : s->b;
	*b = is_symbol(t->a) ? t->a : t->b;
	return true;
}

/* The simplest comparison that comes to the same. */
static void reduce(const struct lift *l, int op, word *a, word *b)
{
	for (bool more = true; more;) {
		more = false;
		*a = plain(l, *a);
		*b = plain(l, *b);
		if (*a == *b)
			return;
		if (is_symbol(*a) && is_symbol(*b)) {
			more = lessen(l, a, b) || same_factor(l, a, b);
		} else if (is_symbol(*a) || is_symbol(*b)) {
			bool left = is_symbol(*a);
			word sym = left ? *a : *b, number = left ? *b : *a;
			more = unwrap(l, op, &sym, &number, &left);
			*a = left ? sym : number;
			*b = left ? number : sym;
		}
	}
}

/* Answered by what is known of both; -1: open. */
static int known(const struct lift *l, int op, word a, word b)
{
	word al = low_of(l, a), ah = high_of(l, a), bl = low_of(l, b), bh = high_of(l, b);
	if (frac_symbol(l, a) || frac_symbol(l, b) || op == OP_FLT || op == OP_FLE)
		return -1;
	switch (op) {
	case OP_LT: return ah < bl ? 1 : al >= bh ? 0 : -1;
	case OP_LE: return ah <= bl ? 1 : al > bh ? 0 : -1;
	default: return ah < bl || bh < al ? 0 : -1;
	}
}

/* The same for sums: what they have in common does not count. */
int lift_sure_of(const struct lift *l, int op, word a, word b)
{
	if (op != OP_FLT && op != OP_FLE)
		reduce(l, op, &a, &b);
	if (a == b)
		return op != OP_LT && op != OP_FLT;
	return !is_symbol(a) && !is_symbol(b) ? so(op, a, b) : known(l, op, a, b);
}

static void at_least(struct symbol *s, word v)
{
	if (v > s->low)
		s->low = v;
}

static void at_most(struct symbol *s, word v)
{
	if (v < s->high)
		s->high = v;
}

/* A number compared with a plain one: what the answer says of it from here on. */
static void narrow(struct lift *l, int op, word a, word b, bool yes)
{
	bool left = is_symbol(a);
	if (left == is_symbol(b) || frac_symbol(l, a) || frac_symbol(l, b))
		return;
	struct symbol *s = symbol_of(l, left ? a : b);
	word v = left ? b : a;
	if (op == OP_EQ) {
		if (yes)
			s->low = s->high = v;
		else if (s->low == v)
			s->low++;
		else if (s->high == v)
			s->high--;
	} else if (op == OP_LT || op == OP_LE) {
		word edge = op == OP_LT;
		if (left)
			yes ? at_most(s, v - edge) : at_least(s, v + 1 - edge);
		else
			yes ? at_least(s, v + edge) : at_most(s, v - 1 + edge);
	}
}

/* Do the tests noted so far leave but one answer to this one? What is less, the same and more
 * each has a bit: those still possible. */
static bool told_before(const struct lift *l, int op, uint16_t a, uint16_t b)
{
	unsigned open = 7, yes = op == OP_LT ? 1 : op == OP_LE ? 3 : 2;
	for (int i = 0; i < l->step.n; i++) {
		const struct step *s = &l->step.v[i];
		if (s->kind != STEP_TEST)
			continue;
		bool way = s->a == a && s->b == b, back = s->a == b && s->b == a;
		if (way && s->op == op)
			return true;
		if ((!way && !back) || (s->op != OP_LT && s->op != OP_LE && s->op != OP_EQ))
			continue;
		unsigned was = s->op == OP_EQ ? 2 : s->op == OP_LT ? (way ? 1 : 4) : way ? 3 : 6;
		open &= s->value ? was : 7 & ~was;
	}
	if (op != OP_LT && op != OP_LE && op != OP_EQ)
		return false;
	return (open & yes) == 0 || (open & ~yes) == 0;
}

bool lift_test(struct vm *m, int op, word a, word b)
{
	struct lift *l = m->lift;
	if (op == OP_NE)
		return !lift_test(m, OP_EQ, a, b);
	if (op == OP_SAME)
		op = OP_EQ;
	a = l ? plain(l, a) : a;
	b = l ? plain(l, b) : b;
	if (!l || (!is_symbol(a) && !is_symbol(b)))
		return so(op, a, b);
	if (a == b)
		return op != OP_LT && op != OP_FLT;
	if (op != OP_FLT && op != OP_FLE)
		reduce(l, op, &a, &b);
	if (a == b)
		return op != OP_LT && op != OP_FLT;
	if (!is_symbol(a) && !is_symbol(b))
		return so(op, a, b);
	int sure = known(l, op, a, b);
	bool yes = so(op, value_of(l, a), value_of(l, b));
	if (sure >= 0) {
		must(sure == yes);
		return sure;
	}
	struct step x = {.kind = STEP_TEST, .op = (uint8_t)op, .value = yes};
	x.a = lift_slot_of(l, a);
	x.b = lift_slot_of(l, b);
	if (told_before(l, op, x.a, x.b))
		return yes;
	lift_note(l, x);
	l->decisions++;
	narrow(l, op, a, b, yes);
	return yes;
}
