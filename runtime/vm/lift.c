/* lift.c - symbols, and the notes of a run. */
#include "runtime/vm/lift.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/vm/live.h"
#include "runtime/vm/machine.h"

/* Beyond this sums could overflow: they are noted as they are made, and checked. */
#define WIDE ((word)1 << 56)

/* ---- which instruction reads what ---- */

enum treat {
	UNKNOWN,     /* a program with such an instruction is not lifted */
	MOVES,       /* symbols pass through it */
	FIX_A, FIX_AA, FIX_B, FIX_BB, /* it needs a (and the register behind it), or b; the others pass */
	FIX_ALL,     /* it needs all it reads */
	CALCS, TESTS, NEGATES, JUMPS
};

static const uint8_t treatment[OP_COUNT] = {
	[OP_NOP] = MOVES, [OP_EXT] = MOVES, [OP_MOVE] = MOVES, [OP_LOADI] = MOVES, [OP_LOADK] = MOVES,
	[OP_ADD] = CALCS, [OP_SUB] = CALCS, [OP_MUL] = CALCS, [OP_NEG] = CALCS, [OP_MIN] = CALCS, [OP_MAX] = CALCS, [OP_REM] = FIX_ALL,
	[OP_FRAC] = CALCS, [OP_DIV] = CALCS, [OP_FADD] = CALCS, [OP_FSUB] = CALCS, [OP_FMUL] = CALCS, [OP_FDIV] = FIX_ALL,
	[OP_FMIN] = CALCS, [OP_FMAX] = CALCS, [OP_ROUND] = CALCS, [OP_MEASURE] = FIX_ALL,
	[OP_SAME] = TESTS, [OP_EQ] = TESTS, [OP_NE] = TESTS, [OP_LT] = TESTS, [OP_LE] = TESTS, [OP_FLT] = TESTS, [OP_FLE] = TESTS,
	[OP_NOT] = NEGATES, [OP_ISA] = FIX_ALL, [OP_KINDOF] = FIX_ALL,
	[OP_JMP] = MOVES, [OP_LOOP] = MOVES, [OP_JZ] = JUMPS, [OP_JNZ] = JUMPS, [OP_JNONE] = JUMPS, [OP_JSOME] = JUMPS,
	[OP_CALL] = MOVES, [OP_CALLACT] = FIX_B, [OP_RET] = MOVES, [OP_TURN] = FIX_ALL, [OP_FATAL] = FIX_ALL, [OP_RULING] = FIX_ALL, [OP_HALT] = MOVES,
	[OP_LDF] = FIX_B, [OP_STF] = FIX_A, [OP_ADF] = FIX_A, [OP_ADFB] = FIX_A, [OP_LDP] = FIX_BB, [OP_STP] = FIX_AA, [OP_ADP] = FIX_AA, [OP_ADPB] = FIX_AA,
	[OP_LDT] = FIX_ALL, [OP_LDSF] = FIX_ALL, [OP_STSF] = FIX_ALL, [OP_ADDS] = FIX_ALL, [OP_REMS] = FIX_ALL, [OP_HASL] = FIX_ALL, [OP_LEN] = FIX_ALL,
	[OP_ITEM] = FIX_ALL, [OP_HAST] = FIX_ALL, [OP_ITEMT] = FIX_ALL,
	[OP_SNONE] = MOVES, [OP_SALL] = MOVES, [OP_SADD] = FIX_ALL, [OP_SMOVE] = FIX_ALL, [OP_SOR] = FIX_ALL, [OP_SCOUNT] = FIX_ALL, [OP_SHAS] = FIX_ALL,
	[OP_SNEXT] = FIX_ALL, [OP_SAMES] = FIX_ALL, [OP_SNTH] = FIX_ALL, [OP_SKNOWN] = FIX_ALL, [OP_KNEXT] = FIX_ALL, [OP_LISTED] = FIX_ALL, [OP_SERIAL] = MOVES,
	[OP_ROLL] = FIX_ALL, [OP_CHANCE] = FIX_ALL, [OP_CHOICE] = FIX_ALL, [OP_CHOSEN] = MOVES, [OP_PROMPT] = FIX_ALL, [OP_DICEMOST] = FIX_ALL,
	[OP_TABLE] = FIX_ALL, [OP_TABLEOF] = FIX_ALL, [OP_RANK] = FIX_ALL,
	[OP_ENTER] = MOVES, [OP_LEAVE] = MOVES, [OP_STAGE] = MOVES, [OP_KEEP] = MOVES, [OP_KEPT] = MOVES, [OP_SETKEPT] = MOVES, [OP_CAUSE] = MOVES, [OP_NOW] = MOVES,
	[OP_DIRTY] = MOVES, [OP_TURNED] = FIX_ALL, [OP_KEYED] = FIX_ALL, [OP_SETTLE] = MOVES, [OP_WOKE] = FIX_ALL, [OP_STEP] = FIX_ALL, [OP_IDLE] = FIX_ALL, [OP_NEEDS] = MOVES, [OP_TURNS] = MOVES, [OP_WRONG] = FIX_ALL,
	[OP_ACT] = MOVES, [OP_COPY] = FIX_ALL, [OP_PEND] = FIX_ALL, [OP_FREE] = FIX_ALL, [OP_CANCEL] = FIX_ALL, [OP_LDA] = FIX_B, [OP_STA] = FIX_A, [OP_EVENTOF] = FIX_ALL,
	[OP_OPEN] = MOVES, [OP_CLOSE] = MOVES, [OP_BEAT] = MOVES, [OP_PAUSE] = MOVES, [OP_GROUP] = MOVES, [OP_SOLO] = FIX_ALL, [OP_MEMBER] = FIX_ALL,
	[OP_BEGIN] = FIX_ALL, [OP_ONLY] = FIX_ALL, [OP_BEGINS] = MOVES, [OP_END] = FIX_ALL, [OP_MERGE] = MOVES, [OP_DONE] = MOVES, [OP_VOID] = FIX_ALL, [OP_BRANCH] = MOVES, [OP_JOIN] = MOVES,
	[OP_TRY] = MOVES, [OP_UNTRY] = MOVES, [OP_REFUSE] = FIX_ALL,
	[OP_PHASE] = MOVES, [OP_ROUNDS] = MOVES, [OP_ENDROUND] = MOVES, [OP_OVER] = FIX_ALL, [OP_MOMENT] = MOVES,
	[OP_WATCH] = MOVES, [OP_WATCHED] = MOVES,
	[OP_NOTE] = MOVES, [OP_REFER] = MOVES, [OP_TELL] = MOVES, [OP_WHY] = MOVES, [OP_ASKED] = MOVES, [OP_BASE] = MOVES, [OP_LOST] = MOVES, [OP_ADJUST] = MOVES,
	[OP_BOUND] = MOVES, [OP_ANSWER] = MOVES, [OP_DECLARE] = MOVES, [OP_REFUSED] = MOVES,
};

bool lift_can(const struct program *p)
{
	if (p->observed)
		return false;
	for (int32_t i = 0; i < p->code_count; i++)
		if (treatment[p->code[i].op] == UNKNOWN)
			return false;
	/* who beats whom is not asked by an instruction: what the blocks go by is a number counted */
	for (int32_t i = 0; i < p->beats_count; i++)
		if (p->beats[i].from || p->beats[i].until)
			return false;
	return true;
}

struct lift *lift_new(const struct program *p)
{
	struct lift *l = calloc(1, sizeof *l);
	if (!l)
		abort();
	l->p = p;
	l->constant = calloc(SLOTS, sizeof *l->constant);
	l->home = calloc(p->layout.acts + 1, sizeof *l->home);
	if (!l->constant || !l->home)
		abort();
	/* what is only counted */
	l->home[H_ROUNDS_LEFT].lifted = 1;
	l->home[p->field[p->at.round_number].base].lifted = 1;
	l->home[p->field[p->at.round_start].base].lifted = 1;
	if (p->at.beat >= 0)
		l->home[p->field[p->at.beat].base].lifted = 1;
	return l;
}

void lift_free(struct lift *l)
{
	if (!l)
		return;
	VEC_FREE(l->symbol);
	VEC_FREE(l->step);
	VEC_FREE(l->die);
	VEC_FREE(l->at);
	free(l->constant);
	free(l->home);
	free(l);
}

/* ---- symbols ---- */

static struct symbol *symbol_of(const struct lift *l, word w)
{
	return &l->symbol.v[w - SYMBOL_FIRST];
}

static bool settled(const struct symbol *s)
{
	return s->fixed || (!s->frac && s->low == s->high);
}

/* A symbol with one value left is that value. */
static word plain(const struct lift *l, word w)
{
	if (!is_symbol(w))
		return w;
	const struct symbol *s = symbol_of(l, w);
	return settled(s) ? s->value : w;
}

static word value_of(const struct lift *l, word w)
{
	return is_symbol(w) ? symbol_of(l, w)->value : w;
}

static word low_of(const struct lift *l, word w)
{
	return is_symbol(w) ? symbol_of(l, w)->low : w;
}

static word high_of(const struct lift *l, word w)
{
	return is_symbol(w) ? symbol_of(l, w)->high : w;
}

static bool frac_symbol(const struct lift *l, word w)
{
	return is_symbol(w) && symbol_of(l, w)->frac;
}

static word symbol_add(struct lift *l, struct symbol s)
{
	if (l->symbol.n >= SYMBOLS_MAX / 2) {
		l->failed = true;
		l->symbol.n--; /* nothing of this run is kept */
	}
	VEC_PUSH(l->symbol, s);
	return SYMBOL_FIRST + l->symbol.n - 1;
}

static uint16_t slot_new(struct lift *l)
{
	if (l->slots + l->constants >= SLOTS - 1) {
		l->failed = true;
		return 0;
	}
	if (++l->slots > l->most)
		l->most = l->slots;
	return (uint16_t)(l->slots - 1);
}

static uint16_t constant_slot(struct lift *l, word value)
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

static void note(struct lift *l, struct step s)
{
	VEC_PUSH(l->step, s);
}

/* Where the word stands; works it out first when it must. */
static uint16_t slot_of(struct lift *l, word w)
{
	w = plain(l, w);
	if (!is_symbol(w))
		return constant_slot(l, w);
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
		x.a = slot_of(l, s->a);
		x.b = slot_of(l, s->b);
		x.checked = s->frac || s->low < -WIDE || s->high > WIDE || s->op == OP_ROUND;
	}
	x.to = slot_new(l);
	note(l, x);
	s = symbol_of(l, w);
	s->slot = x.to;
	return x.to;
}

uint16_t lift_slot(struct vm *m, word w)
{
	return slot_of(m->lift, w);
}

word lift_fix(struct vm *m, word w)
{
	struct lift *l = m->lift;
	w = plain(l, w);
	if (!is_symbol(w))
		return w;
	word v = symbol_of(l, w)->value;
	struct step x = {.kind = STEP_FIX, .value = v};
	x.a = slot_of(l, w);
	note(l, x);
	l->decisions++;
	struct symbol *s = symbol_of(l, w);
	s->fixed = true;
	s->low = s->high = v;
	return v;
}

/* ---- arithmetic ---- */

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

static int sure_of(const struct lift *l, int op, word a, word b);

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
	if (!l || (!is_symbol(a) && (of_one || !is_symbol(b))))
		return concrete(op, a, b, bad);
	if (op == OP_DIV) {
		b = lift_fix(m, b);
		if (!is_symbol(a) || b == 0) {
			a = lift_fix(m, a);
			return concrete(op, a, b, bad);
		}
	}
	if ((op == OP_ADD || op == OP_SUB) && b == 0)
		return a;
	if (op == OP_ADD && a == 0)
		return b;
	if (op == OP_MUL && (a == 1 || b == 1))
		return a == 1 ? b : a;
	if (op == OP_MIN || op == OP_MAX) {
		if (sure_of(l, OP_LE, a, b) == 1 || sure_of(l, OP_LT, b, a) == 0)
			return op == OP_MIN ? a : b;
		if (sure_of(l, OP_LE, b, a) == 1 || sure_of(l, OP_LT, a, b) == 0)
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
		return concrete(op, a, b, bad);
	}
	struct symbol s = {.op = (uint8_t)op, .slot = -1, .die = -1, .a = a, .b = b, .value = v, .frac = makes_fraction(op)};
	if (s.frac) {
		s.low = -LIFT_FAR;
		s.high = LIFT_FAR;
	} else {
		reach(l, &s);
		if (s.low == s.high)
			return v;
	}
	word w = symbol_add(l, s);
	if (s.frac || s.low < -WIDE || s.high > WIDE || op == OP_ROUND)
		slot_of(l, w); /* where it may go wrong is where it is made */
	return w;
}

/* ---- tests ---- */

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
static int sure_of(const struct lift *l, int op, word a, word b)
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
	x.a = slot_of(l, a);
	x.b = slot_of(l, b);
	if (told_before(l, op, x.a, x.b))
		return yes;
	note(l, x);
	l->decisions++;
	narrow(l, op, a, b, yes);
	return yes;
}

/* ---- dice ---- */

word lift_die(struct vm *m, uint64_t label, uint32_t counter, int32_t dice, word chance, word fell)
{
	struct lift *l = m->lift;
	struct lift_die d = {label, counter, dice, chance};
	int k = 0;
	while (k < l->die.n && (l->die.v[k].label != label || l->die.v[k].counter != counter || l->die.v[k].dice != dice || l->die.v[k].chance != chance))
		k++;
	if (k == l->die.n)
		VEC_PUSH(l->die, d);
	struct step x = {.kind = STEP_FALL, .at = k};
	x.to = slot_new(l);
	note(l, x);
	struct symbol s = {.op = OP_NOP, .slot = -1, .die = k, .fell = x.to, .value = fell};
	int least = 0, most = 1;
	if (dice >= 0)
		dice_range(&m->dice[dice], &least, &most);
	s.low = least;
	s.high = most;
	return symbol_add(l, s);
}

/* ---- instructions ---- */

static void fix_reg(struct vm *m, word *r)
{
	if (is_symbol(*r))
		*r = lift_fix(m, *r);
}

static enum lift_how calc(struct vm *m, const struct insn *i, word *r)
{
	bool of_one = i->op == OP_NEG || i->op == OP_FRAC || i->op == OP_ROUND;
	word b = i->op == OP_ROUND ? i->c : of_one ? 0 : r[i->c];
	if (!is_symbol(r[i->b]) && (of_one || !is_symbol(b)))
		return LIFT_PLAY;
	bool bad = false;
	if (i->op == OP_DIV && r[i->c] != NONE)
		fix_reg(m, &r[i->c]);
	if (i->op == OP_DIV && r[i->c] == 0) {
		fix_reg(m, &r[i->b]);
		return LIFT_PLAY;
	}
	word v = lift_calc(m, i->op, r[i->b], i->op == OP_DIV ? r[i->c] : b, &bad);
	if (bad) {
		fix_reg(m, &r[i->b]);
		if (!of_one)
			fix_reg(m, &r[i->c]);
		return LIFT_PLAY;
	}
	r[i->a] = v;
	return LIFT_DONE;
}

enum lift_how lift_step(struct vm *m, const struct insn *i, uint32_t fp)
{
	word *r = m->w + fp;
	const struct fn_info *f = &m->p->fn[m->w[H_FN]];
	if (fp + f->registers > m->lift->top)
		m->lift->top = fp + f->registers;
	switch ((enum treat)treatment[i->op]) {
	case UNKNOWN:
	case MOVES:
		return LIFT_PLAY;
	case FIX_A:
		fix_reg(m, &r[i->a]);
		return LIFT_PLAY;
	case FIX_AA:
		fix_reg(m, &r[i->a]);
		fix_reg(m, &r[i->a + 1]);
		return LIFT_PLAY;
	case FIX_B:
		fix_reg(m, &r[i->b]);
		return LIFT_PLAY;
	case FIX_BB:
		fix_reg(m, &r[i->b]);
		fix_reg(m, &r[i->b + 1]);
		return LIFT_PLAY;
	case FIX_ALL:
		for (int k = 0; k < f->registers; k++)
			if (is_symbol(r[k]) && live_reads(m->p, f, i, k))
				fix_reg(m, &r[k]);
		return LIFT_PLAY;
	case CALCS:
		return calc(m, i, r);
	case TESTS:
		if (!is_symbol(r[i->b]) && !is_symbol(r[i->c]))
			return LIFT_PLAY;
		if (r[i->b] == NONE || r[i->c] == NONE)
			r[i->a] = 0;
		else
			r[i->a] = lift_test(m, i->op, r[i->b], r[i->c]);
		return LIFT_DONE;
	case NEGATES:
		if (!is_symbol(r[i->b]))
			return LIFT_PLAY;
		r[i->a] = lift_test(m, OP_EQ, r[i->b], 0);
		return LIFT_DONE;
	case JUMPS: {
		if (!is_symbol(r[i->a]))
			return LIFT_PLAY;
		if (i->op == OP_JNONE || i->op == OP_JSOME) /* a symbol is never unset */
			return i->op == OP_JNONE ? LIFT_DONE : LIFT_JUMP;
		bool zero = lift_test(m, OP_EQ, r[i->a], 0);
		return zero == (i->op == OP_JZ) ? LIFT_JUMP : LIFT_DONE;
	}
	}
	return LIFT_PLAY;
}

/* ---- a run ---- */

/* Above the innermost frame nothing is read that is not written first, but a register may be taken for one
 * that is, and what stands there from an earlier run would be a symbol of that run. */
static void forget_symbols(struct vm *m, struct lift *l)
{
	const uint32_t above = (uint32_t)m->w[H_FP] + m->p->fn[m->w[H_FN]].registers;
	for (uint32_t at = above; at < l->top; at++)
		if (is_symbol(m->w[at]))
			m->w[at] = 0;
	l->top = above;
}

void lift_open(struct vm *m, struct lift *l, const struct saved *from, int columns, const word *value)
{
	const word *range = from->v + from->n - 2 * columns;
	vm_load(m, from);
	forget_symbols(m, l);
	m->lift = l;
	l->symbol.n = l->step.n = 0;
	l->decisions = 0;
	l->slots = columns;
	if (columns > l->most)
		l->most = columns;
	for (int k = 0; k < columns; k++) {
		struct symbol s = {.op = OP_NOP, .slot = k, .die = -1, .value = value[k], .low = range[2 * k], .high = range[2 * k + 1]};
		s.frac = s.low == NONE;
		if (s.frac)
			s.low = -LIFT_FAR;
		must(s.frac || (s.low <= s.value && s.value <= s.high));
		symbol_add(l, s);
	}
}

void lift_stop(struct vm *m)
{
	m->lift = NULL;
}

enum vm_status lift_go(struct vm *m)
{
	if (m->status != VM_PAUSED)
		return m->status;
	m->w[H_STAGE] = WORLD_PLAYING;
	enum vm_status s = vm_loop(m, 0);
	if (s == VM_OVER)
		m->w[H_STAGE] = WORLD_OVER;
	else if (s == VM_PAUSED)
		m->resolved = false;
	else if (s != VM_SYNC)
		m->status = s;
	return s;
}

/* Numbers at words that have held symbols become symbols, so that the place is the same
 * whatever they are. */
static void lift_homes(struct vm *m, struct lift *l)
{
	for (uint32_t at = 0; at < m->p->layout.acts; at++) {
		struct lift_home *h = &l->home[at];
		if (!h->lifted || is_symbol(m->w[at]) || m->w[at] == NONE || m->w[at] == FORGOTTEN)
			continue;
		struct symbol s = {.op = OP_MOVE, .slot = -1, .die = -1, .value = m->w[at], .low = m->w[at], .high = m->w[at]};
		s.slot = constant_slot(l, m->w[at]);
		s.frac = h->lifted == 2;
		m->w[at] = symbol_add(l, s);
	}
}

enum { WIDENED_MOST = 3 };

/* What is said of a column that stands at a word of the world. Few ranges a word, so that
 * machines meet: when one has grown often, only its sign is kept. */
static void settle_range(struct lift_home *h, word *low, word *high)
{
	if (h->widened < WIDENED_MOST) {
		bool first = h->low == 0 && h->high == 0 && h->widened == 0;
		if (first || *low < h->low || *high > h->high) {
			h->low = first || *low < h->low ? *low : h->low;
			h->high = first || *high > h->high ? *high : h->high;
			h->widened++;
		}
		*low = h->low;
		*high = h->high;
		if (h->widened < WIDENED_MOST)
			return;
	}
	*low = *low > 0 ? 1 : *low == 0 ? 0 : -LIFT_FAR;
	*high = *high <= 0 ? 0 : LIFT_FAR;
}

struct closing { struct lift *l; struct saved *out; VEC(uint16_t) slot; VEC(word) range; VEC(word) of; };

static void number(struct closing *c, int from, int to, const uint32_t *at)
{
	struct lift *l = c->l;
	for (int i = from; i < to; i++) {
		word w = c->out->v[i];
		if (!is_symbol(w))
			continue;
		struct lift_home *h = at ? &l->home[at[i - from]] : NULL;
		const struct symbol *s = symbol_of(l, w);
		if (h && !h->lifted)
			h->lifted = s->frac ? 2 : 1;
		if (!h && settled(s)) {
			c->out->v[i] = s->value;
			continue;
		}
		word low = s->frac ? NONE : s->low, high = s->frac ? NONE : s->high;
		if (h && !s->frac)
			settle_range(h, &low, &high);
		if (!s->frac && (low < -LIFT_FAR || high > LIFT_FAR || high - low > LIFT_FAR / 4)) {
			low = low > 0 ? 1 : low == 0 ? 0 : -LIFT_FAR;
			high = high <= 0 ? 0 : LIFT_FAR;
		}
		VEC_PUSH(c->slot, slot_of(l, w));
		VEC_PUSH(c->of, w);
		VEC_PUSH(l->at, at ? at[i - from] : 0);
		VEC_PUSH(c->range, low);
		VEC_PUSH(c->range, high);
		c->out->v[i] = SYMBOL_FIRST + c->slot.n - 1;
	}
}

static void close_moves(struct closing *c)
{
	struct lift *l = c->l;
	int n = c->slot.n;
	if (l->slots < n)
		l->slots = n; /* what is put aside lies above the columns */
	/* a column that is written but still to be read is put aside */
	for (int k = 0; k < n; k++) {
		uint16_t from = c->slot.v[k];
		if (from >= n || from == k || c->slot.v[from] == from || from > k)
			continue;
		struct step x = {.kind = STEP_ASIDE, .a = from};
		x.to = slot_new(l);
		note(l, x);
		for (int j = k; j < n; j++)
			if (c->slot.v[j] == from && j != from)
				c->slot.v[j] = x.to;
	}
	for (int k = 0; k < n; k++) {
		if (c->slot.v[k] == k)
			continue;
		const struct symbol *s = symbol_of(l, c->of.v[k]);
		struct step x = {.kind = STEP_MOVE, .to = (uint16_t)k, .a = c->slot.v[k]};
		x.checked = !s->frac && (s->low < c->range.v[2 * k] || s->high > c->range.v[2 * k + 1]);
		note(l, x);
	}
}

void lift_close(struct vm *m, bool round_begins, struct saved *out, int *columns)
{
	struct lift *l = m->lift;
	struct closing c = {.l = l, .out = out};
	uint32_t *at = NULL;
	lift_homes(m, l);
	l->at.n = 0;
	vm_save(m, round_begins, out);
	at = calloc((size_t)out->n + 1, sizeof *at);
	if (!at)
		abort();
	vm_save_places(m, out, at);
	/* words of the world first: they keep their columns when others come and go */
	for (int i = 0; i < out->n; i++)
		if (at[i])
			number(&c, i, i + 1, &at[i]);
	for (int i = 0; i < out->n; i++)
		if (!at[i])
			number(&c, i, i + 1, NULL);
	free(at);
	*columns = c.slot.n;
	if (c.slot.n >= SLOTS / 4)
		l->failed = true;
	for (int k = 0; k < c.range.n; k++)
		VEC_PUSH(*out, c.range.v[k]);
	if (!l->failed)
		close_moves(&c);
	VEC_FREE(c.slot);
	VEC_FREE(c.of);
	VEC_FREE(c.range);
}
