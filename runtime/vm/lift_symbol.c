/* lift_symbol.c - symbols: where their numbers stand in the notes, and sums of them (symbols.h). */
#include "runtime/vm/symbols.h"

#include "runtime/vm/machine.h"

word lift_symbol_add(struct lift *l, struct symbol s)
{
	if (l->symbol.n >= SYMBOLS_MAX / 2) {
		l->failed = true;
		l->symbol.n--; /* nothing of this run is kept */
	}
	s.value = lift_plain(l, s.value); /* it may come out as a plain word */
	VEC_PUSH(l->symbol, s);
	return SYMBOL_FIRST + l->symbol.n - 1;
}

uint16_t lift_slot_new(struct lift *l)
{
	if (l->slots + l->constants >= SLOTS - 1) {
		l->failed = true;
		return 0;
	}
	if (++l->slots > l->most)
		l->most = l->slots;
	return (uint16_t)(l->slots - 1);
}

uint16_t lift_constant_slot(struct lift *l, word value)
{
	for (int i = 0; i < l->constants; i++)
		if (l->constant[i] == value)
			return (uint16_t)(SLOTS - 1 - i);
	if (l->most + l->constants >= SLOTS - 2) {
		l->failed = true;
		return SLOTS - 1;
	}
	l->constant[l->constants++] = value;
	return (uint16_t)(SLOTS - l->constants);
}

void lift_note(struct lift *l, struct step s)
{
	VEC_PUSH(l->step, s);
}

/* Where the word stands; works it out first when it must. */
uint16_t lift_slot_of(struct lift *l, word w)
{
	w = plain(l, w);
	if (!is_symbol(w))
		return lift_constant_slot(l, w);
	struct symbol *s = symbol_of(l, w);
	if (s->slot >= 0)
		return (uint16_t)s->slot;
	struct step x = {0};
	if (s->die >= 0) {
		x.kind = STEP_ROLL;
		x.at = s->die;
		x.value = s->value;
		x.a = s->fell;
	} else {
		x.kind = STEP_CALC;
		x.op = s->op;
		x.a = lift_slot_of(l, s->a);
		x.b = lift_slot_of(l, s->b);
		x.checked = s->frac || s->low < -WIDE || s->high > WIDE || s->op == OP_ROUND;
	}
	x.to = lift_slot_new(l);
	lift_note(l, x);
	s = symbol_of(l, w);
	s->slot = x.to;
	return x.to;
}

uint16_t lift_slot(struct vm *m, word w)
{
	return lift_slot_of(m->lift, w);
}

word lift_fix(struct vm *m, word w)
{
	struct lift *l = m->lift;
	w = plain(l, w);
	if (!is_symbol(w))
		return w;
	word v = symbol_of(l, w)->value;
	struct step x = {.kind = STEP_FIX, .value = v};
	x.a = lift_slot_of(l, w);
	lift_note(l, x);
	l->decisions++;
	struct symbol *s = symbol_of(l, w);
	s->fixed = true;
	s->low = s->high = v;
	return v;
}

static word concrete(int op, word a, word b, bool *bad)
{
	switch (op) {
	case OP_ADD: return num_add(a, b, bad);
	case OP_SUB: return num_sub(a, b, bad);
	case OP_MUL: return num_mul(a, b, bad);
	case OP_NEG: return -a;
	case OP_MIN: return a < b ? a : b;
	case OP_MAX: return a > b ? a : b;
	case OP_FRAC: return frac_of(a, bad);
	case OP_DIV: return frac_make(a, b, bad);
	case OP_FADD: return frac_add(a, b, bad);
	case OP_FSUB: return frac_sub(a, b, bad);
	case OP_FMUL: return frac_mul(a, b, bad);
	case OP_FMIN: return frac_compare(a, b) < 0 ? a : b;
	case OP_FMAX: return frac_compare(a, b) > 0 ? a : b;
	case OP_ROUND: return frac_round(a, (enum rounding)b);
	default: *bad = true; return 0;
	}
}

word lift_concrete(int op, word a, word b, bool *bad)
{
	return concrete(op, a, b, bad);
}

static bool makes_fraction(int op)
{
	return op == OP_FRAC || op == OP_DIV || op == OP_FADD || op == OP_FSUB || op == OP_FMUL || op == OP_FMIN || op == OP_FMAX;
}

static word cut(double v)
{
	return v > 1e18 ? (word)1000000000000000000 : v < -1e18 ? -(word)1000000000000000000 : (word)v;
}

/* The range of a sum, in doubles: near its ends only its being wide matters. */
static void reach(const struct lift *l, struct symbol *s)
{
	double a = (double)low_of(l, s->a), b = (double)high_of(l, s->a), c = (double)low_of(l, s->b), d = (double)high_of(l, s->b);
	double low = -1e18, high = 1e18;
	if (frac_symbol(l, s->a) || frac_symbol(l, s->b) || s->op == OP_ROUND) {
		low = s->op == OP_ROUND ? -2147483649.0 : -1e18;
		high = s->op == OP_ROUND ? 2147483648.0 : 1e18;
	} else if (s->op == OP_ADD) {
		low = a + c, high = b + d;
	} else if (s->op == OP_SUB) {
		low = a - d, high = b - c;
	} else if (s->op == OP_NEG) {
		low = -b, high = -a;
	} else if (s->op == OP_MIN) {
		low = a < c ? a : c, high = b < d ? b : d;
	} else if (s->op == OP_MAX) {
		low = a > c ? a : c, high = b > d ? b : d;
	} else if (s->op == OP_MUL) {
		double x[4] = {a * c, a * d, b * c, b * d};
		low = high = x[0];
		for (int i = 1; i < 4; i++) {
			low = x[i] < low ? x[i] : low;
			high = x[i] > high ? x[i] : high;
		}
	}
	s->low = cut(low);
	s->high = cut(high);
}

/* What the word is the negative of. */
static word negated(const struct lift *l, word w)
{
	if (!is_symbol(w) || symbol_of(l, w)->op != OP_NEG || symbol_of(l, w)->frac)
		return NONE;
	return symbol_of(l, w)->a;
}

enum { LOOKED_BACK = 200 };

/* The same of the same, made a while ago. */
static word made_before(const struct lift *l, int op, word a, word b)
{
	for (int i = l->symbol.n, least = i > LOOKED_BACK ? i - LOOKED_BACK : 0; i-- > least;) {
		const struct symbol *s = &l->symbol.v[i];
		if (s->op == op && s->a == a && s->b == b && !settled(s) && s->die < 0)
			return SYMBOL_FIRST + i;
	}
	return NONE;
}

word lift_calc(struct vm *m, int op, word a, word b, bool *bad)
{
	struct lift *l = m->lift;
	bool of_one = op == OP_NEG || op == OP_FRAC || op == OP_ROUND;
	bool least = op == OP_MIN || op == OP_MAX || op == OP_FMIN || op == OP_FMAX;
	a = l ? plain(l, a) : a;
	b = l ? plain(l, b) : b;
	if (a == NONE || (b == NONE && !of_one))
		return least ? (a == NONE ? b : a) : NONE;
	if (!l)
		return concrete(op, a, b, bad);
	if (!is_symbol(a) && (of_one || !is_symbol(b)))
		return lift_plain(l, concrete(op, a, b, bad));
	if (op == OP_DIV) {
		b = lift_fix(m, b);
		if (!is_symbol(a) || b == 0) {
			a = lift_fix(m, a);
			return lift_plain(l, concrete(op, a, b, bad));
		}
	}
	if ((op == OP_ADD || op == OP_SUB) && b == 0)
		return a;
	if (op == OP_ADD && a == 0)
		return b;
	if (op == OP_MUL && (a == 1 || b == 1))
		return a == 1 ? b : a;
	if (op == OP_MIN || op == OP_MAX) {
		if (lift_sure_of(l, OP_LE, a, b) == 1 || lift_sure_of(l, OP_LT, b, a) == 0)
			return op == OP_MIN ? a : b;
		if (lift_sure_of(l, OP_LE, b, a) == 1 || lift_sure_of(l, OP_LT, a, b) == 0)
			return op == OP_MIN ? b : a;
	}
	if (op == OP_ADD && negated(l, b) != NONE) {
		op = OP_SUB;
		b = negated(l, b);
	}
	word made = made_before(l, op, a, b);
	if (made != NONE)
		return made;
	word v = concrete(op, value_of(l, a), value_of(l, b), bad);
	if (*bad) {
		/* as it comes for just these numbers */
		a = lift_fix(m, a);
		b = of_one ? b : lift_fix(m, b);
		*bad = false;
		return lift_plain(l, concrete(op, a, b, bad));
	}
	struct symbol s = {.op = (uint8_t)op, .slot = -1, .die = -1, .a = a, .b = b, .value = v, .frac = makes_fraction(op)};
	if (s.frac) {
		s.low = -LIFT_FAR;
		s.high = LIFT_FAR;
	} else {
		reach(l, &s);
		if (s.low == s.high)
			return lift_plain(l, v);
	}
	word w = lift_symbol_add(l, s);
	if (s.frac || s.low < -WIDE || s.high > WIDE || op == OP_ROUND)
		lift_slot_of(l, w); /* where it may go wrong is where it is made */
	return w;
}
