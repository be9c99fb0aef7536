/* limits.c - what a number can be, as far as its words show: dice, counts, the number of the
 * round, values named in a body, and what is reckoned from these. */
#include <string.h>

#include "lang/check/never.h"
#include "runtime/base/num.h"
#include "runtime/dice/formula.h"

bool is_compare(const struct node *n)
{
	return n->kind == N_KIND_E_BINARY && n->op >= BIN_EQ;
}

bool is_literal(const struct node *n)
{
	switch (n->kind) {
	case N_KIND_E_NUM:
	case N_KIND_E_QTY:
	case N_KIND_E_PERCENT: return true;
	case N_KIND_E_NEG: return is_literal(n->a);
	default: return false;
	}
}

static struct limits just(word number)
{
	return (struct limits){.low = true, .high = true, .least = number, .most = number};
}

bool limits_just(struct limits l)
{
	return l.low && l.high && l.least == l.most;
}

/* ---- dice ---- */

static struct limits of_dice(const struct node *n)
{
	struct dice dice;
	int least, most;
	bool bad = false;
	if (n->kind != N_KIND_E_DICE || dice_parse(n->text, strlen(n->text), &dice) != DICE_OK ||
		dice.explode)
		return (struct limits){0};
	dice_range(&dice, &least, &most);
	return (struct limits){.low = true,
		.high = true,
		.least = frac_of(least, &bad),
		.most = frac_of(most, &bad)};
}

/* Every `let NAME = ..` there: what it is a roll of, all of them alike. False: one is something
 * else, or there are several sorts of dice. */
static bool lets(const struct node *n, sym name, const struct node **dice)
{
	for (; n; n = n->next) {
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		if (n->kind == N_KIND_S_LET && n->name == name) {
			const struct node *roll = n->a->kind == N_KIND_E_ROLL ? n->a->a : NULL;
			if (!roll || roll->kind != N_KIND_E_DICE ||
				(*dice && strcmp((*dice)->text, roll->text) != 0))
				return false;
			*dice = roll;
		}
		for (size_t i = 0; i < FRAY_COUNT(kids); i++)
			if (!lets(kids[i], name, dice))
				return false;
	}
	return true;
}

/* A kept value that is always the same roll: `this attack roll`. */
static struct limits of_kept(struct reckoning *r, sym name)
{
	const struct node *dice = NULL;
	const struct model *m = r->m;
	bool rolls = true;
	if (r->kept == name)
		return r->kept_limits;
	for (int i = 0; rolls && i < m->module.n; i++)
		for (int t = 0; rolls && t < m->module.v[i].tree.n; t++)
			rolls = lets(m->module.v[i].tree.v[t], name, &dice);
	r->kept = name;
	r->kept_limits = rolls && dice ? of_dice(dice) : (struct limits){0};
	return r->kept_limits;
}

/* A value that this body has named. */
static struct limits of_let(const struct reckoning *r, sym name)
{
	for (int i = r->lets; i-- > 0;)
		if (r->let[i].name == name)
			return r->let[i].limits;
	return (struct limits){0};
}

/* ---- the round ---- */

static bool is_round(const struct node *n)
{
	return n->ref_kind == REF_SINGLE && n->ref == KIND_ROUND;
}

/* `round's number`, or `round` alone */
static bool is_round_number(const struct model *m, const struct node *n)
{
	return (n->kind == N_KIND_E_NAME && is_round(n)) ||
		(n->kind == N_KIND_E_FIELD && n->name == m->w.number && is_round(n->a));
}

static struct limits of_round(const struct reckoning *r)
{
	bool bad = false;
	if (r->round >= 0)
		return just(frac_of(r->round, &bad));
	/* surprise comes before the first */
	return (struct limits){.low = true, .least = frac_of(0, &bad)};
}

/* ---- reckoning ---- */

static struct limits negative(struct limits x)
{
	bool bad = false;
	const struct limits n = {.low = x.high,
		.high = x.low,
		.least = x.high ? frac_sub(frac_of(0, &bad), x.most, &bad) : 0,
		.most = x.low ? frac_sub(frac_of(0, &bad), x.least, &bad) : 0,
		.unset = x.unset};
	return bad ? (struct limits){0} : n;
}

static struct limits sum(struct limits a, struct limits b)
{
	struct limits s = {.unset = a.unset || b.unset};
	bool bad = false;
	if ((s.low = a.low && b.low))
		s.least = frac_add(a.least, b.least, &bad);
	if ((s.high = a.high && b.high))
		s.most = frac_add(a.most, b.most, &bad);
	return bad ? (struct limits){0} : s;
}

/* a times or by the one number b. */
static struct limits scaled(int op, struct limits a, word b)
{
	bool bad = false;
	const int sign = frac_compare(b, frac_of(0, &bad));
	struct limits s = a;
	if (sign == 0)
		return (struct limits){0};
	if (a.low)
		s.least = op == BIN_MUL ? frac_mul(a.least, b, &bad) : frac_div(a.least, b, &bad);
	if (a.high)
		s.most = op == BIN_MUL ? frac_mul(a.most, b, &bad) : frac_div(a.most, b, &bad);
	if (sign < 0)
		s = (struct limits){.low = s.high,
			.high = s.low,
			.least = s.most,
			.most = s.least,
			.unset = s.unset};
	return bad ? (struct limits){0} : s;
}

static struct limits of_binary(struct reckoning *r, const struct node *n)
{
	const struct limits a = limits_of(r, n->a), b = limits_of(r, n->b);
	switch (n->op) {
	case BIN_ADD: return sum(a, b);
	case BIN_SUB: return sum(a, negative(b));
	case BIN_MUL:
		return limits_just(b)   ? scaled(n->op, a, b.least)
			: limits_just(a) ? scaled(n->op, b, a.least)
					 : (struct limits){0};
	case BIN_DIV: return limits_just(b) ? scaled(n->op, a, b.least) : (struct limits){0};
	default: return (struct limits){0};
	}
}

/* What either can be. */
static struct limits either(struct limits a, struct limits b)
{
	struct limits e = {
		.low = a.low && b.low, .high = a.high && b.high, .unset = a.unset || b.unset};
	if (e.low)
		e.least = frac_compare(a.least, b.least) < 0 ? a.least : b.least;
	if (e.high)
		e.most = frac_compare(a.most, b.most) > 0 ? a.most : b.most;
	return e;
}

/* The highest or lowest of a list that is written out; what is unset is left out. */
static struct limits of_fold(struct reckoning *r, const struct node *n)
{
	const bool highest = n->op == FOLD_HIGHEST;
	struct limits all = {.low = !highest, .high = highest, .unset = true};
	bool lows = false, highs = false;
	if (n->b || n->op == FOLD_TOTAL)
		return (struct limits){0};
	for (const struct node *x = n->a; x; x = x->next) {
		const struct limits l = limits_of(r, x);
		const bool low = l.low && (!highest || !l.unset);
		const bool high = l.high && (highest || !l.unset);
		if (low && (!lows || (frac_compare(l.least, all.least) > 0) == highest))
			all.least = l.least;
		if (high && (!highs || (frac_compare(l.most, all.most) > 0) == highest))
			all.most = l.most;
		lows |= low;
		highs |= high;
		all.low = highest ? lows : all.low && low;
		all.high = highest ? all.high && high : highs;
		all.unset &= l.unset;
	}
	return n->a ? all : (struct limits){0};
}

static struct limits of_number(const struct model *m, const struct node *n)
{
	bool bad = false;
	const int unit = n->kind == N_KIND_E_QTY ? model_unit(m, n->name) : -1;
	if (n->kind == N_KIND_E_QTY && unit < 0)
		return (struct limits){0};
	const int64_t top = unit < 0 ? n->num : num_mul(n->num, m->unit.v[unit].num, &bad);
	const int64_t bottom = unit < 0 ? n->den : num_mul(n->den, m->unit.v[unit].den, &bad);
	const word number = bad ? 0 : frac_make(top, bottom, &bad);
	return bad ? (struct limits){0} : just(number);
}

static struct limits rounded(struct limits x, int how)
{
	bool bad = false;
	x.least = x.low ? frac_of(frac_round(x.least, (enum rounding)how), &bad) : 0;
	x.most = x.high ? frac_of(frac_round(x.most, (enum rounding)how), &bad) : 0;
	return bad ? (struct limits){0} : x;
}

struct limits limits_of(struct reckoning *r, const struct node *n)
{
	bool bad = false;
	if (is_round_number(r->m, n))
		return of_round(r);
	switch (n->kind) {
	case N_KIND_E_NEG: return negative(limits_of(r, n->a));
	case N_KIND_E_NUM:
	case N_KIND_E_PERCENT:
	case N_KIND_E_QTY: return of_number(r->m, n);
	case N_KIND_E_THIS: return of_kept(r, n->name);
	case N_KIND_E_NAME:
		return n->ref_kind == REF_LOCAL ? of_let(r, n->name) : (struct limits){0};
	case N_KIND_E_ROLL: return of_dice(n->a);
	case N_KIND_E_AGG:
		return n->op == AGG_COUNT ? (struct limits){.low = true, .least = frac_of(0, &bad)}
					  : (struct limits){0};
	case N_KIND_E_FOLD: return of_fold(r, n);
	case N_KIND_E_IF:
		return n->c ? either(limits_of(r, n->b), limits_of(r, n->c)) : (struct limits){0};
	case N_KIND_E_ROUND: return rounded(limits_of(r, n->a), n->op);
	case N_KIND_E_BINARY: return of_binary(r, n);
	default: return (struct limits){0};
	}
}

/* ---- relations ---- */

int relation_denied(int op)
{
	switch (op) {
	case BIN_EQ: return BIN_NE;
	case BIN_NE: return BIN_EQ;
	case BIN_LT: return BIN_GE;
	case BIN_LE: return BIN_GT;
	case BIN_GT: return BIN_LE;
	default: return BIN_LT;
	}
}

bool limits_apart(int op, struct limits a, struct limits b)
{
	/* of the least a to the most b, and of the most a to the least b: -1, 0, 1; 2: not known */
	const int low = a.low && b.high ? frac_compare(a.least, b.most) : 2;
	const int high = a.high && b.low ? frac_compare(a.most, b.least) : 2;
	switch (op) {
	case BIN_EQ: return low == 1 || high < 0;
	case BIN_NE: return low == 0 && high == 0 && a.high && b.high && a.least == a.most;
	case BIN_LT: return low == 0 || low == 1;
	case BIN_LE: return low == 1;
	case BIN_GT: return high == 0 || high < 0;
	case BIN_GE: return high < 0;
	default: return false;
	}
}

bool limits_disjoint(struct limits a, struct limits b)
{
	const int low = a.low && b.high ? frac_compare(a.least, b.most) : -1;
	const int high = a.high && b.low ? frac_compare(a.most, b.least) : 1;
	return low > 0 || high < 0 || (low == 0 && (a.low_open || b.high_open)) ||
		(high == 0 && (a.high_open || b.low_open));
}
