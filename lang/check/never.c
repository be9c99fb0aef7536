/* never.c - conditions that cannot hold, as far as their words show: parts joined by `and` that
 * exclude each other, and numbers that dice, counts and the clock never come to. Only the rules,
 * policies and encounters of the table are looked at. What is expected or measured is left out: its
 * own answer says that it did not happen. */
#include <string.h>

#include "lang/check/model.h"
#include "runtime/base/num.h"
#include "runtime/dice/formula.h"

/* A part of a condition. What stands in the definition of an adjective says `for_name` for whom
 * the adjective is said of. */
struct part {
	const struct node *n;
	sym for_name;
	const struct node *whom;
};

/* What a number can be: from `least`, where there is one, to `most`, as fractions. */
struct limits {
	bool low, high;
	word least, most;
};

/* The parts, or the one, because of which a condition never holds, and the range of what is
 * compared. */
struct never {
	struct model *m;
	const struct node *one, *other;
	struct buf range;
	int64_t round; /* while the line waits for its turn; -1: any */
	sym kept;      /* what was asked for last of what events keep, and what it can be */
	struct limits kept_limits;
};

/* ---- the same words ---- */

static bool same(const struct model *m, struct part a, struct part b);

static bool same_list(const struct model *m, struct part a, struct part b)
{
	while (a.n && b.n) {
		const struct node *x = a.n->next, *y = b.n->next;
		if (!same(m, a, b))
			return false;
		a.n = x;
		b.n = y;
	}
	return a.n == b.n;
}

static struct part resolved(struct part p)
{
	const bool whom = p.n->kind == N_KIND_E_NAME && p.whom && p.n->name == p.for_name;
	return whom ? (struct part){.n = p.whom} : p;
}

static bool same(const struct model *m, struct part a, struct part b)
{
	a = resolved(a);
	b = resolved(b);
	const struct node *x = a.n, *y = b.n;
	if (x->kind != y->kind || x->op != y->op || x->num != y->num || x->den != y->den ||
		x->name2 != y->name2 || model_alias(m, x->name) != model_alias(m, y->name))
		return false;
	if ((x->text != NULL) != (y->text != NULL) || (x->text && strcmp(x->text, y->text) != 0))
		return false;
	const struct node *kids[][2] = {
		{x->a, y->a}, {x->b, y->b}, {x->c, y->c}, {x->d, y->d}, {x->e, y->e}, {x->f, y->f}};
	for (size_t i = 0; i < FRAY_COUNT(kids); i++) {
		a.n = kids[i][0];
		b.n = kids[i][1];
		if (!same_list(m, a, b))
			return false;
	}
	return true;
}

static bool same_kids(const struct model *m, struct part a, const struct node *x, struct part b,
	const struct node *y)
{
	a.n = x;
	b.n = y;
	return same(m, a, b);
}

/* ---- numbers ---- */

static bool is_compare(const struct node *n)
{
	return n->kind == N_KIND_E_BINARY && n->op >= BIN_EQ;
}

static struct limits just(word number)
{
	return (struct limits){true, true, number, number};
}

static struct limits of_dice(const struct node *n)
{
	struct dice dice;
	int least, most;
	bool bad = false;
	if (n->kind != N_KIND_E_DICE || dice_parse(n->text, strlen(n->text), &dice) != DICE_OK ||
		dice.explode)
		return (struct limits){0};
	dice_range(&dice, &least, &most);
	return (struct limits){true, true, frac_of(least, &bad), frac_of(most, &bad)};
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
static struct limits of_kept(struct never *w, sym name)
{
	const struct node *dice = NULL;
	const struct model *m = w->m;
	bool rolls = true;
	if (w->kept == name)
		return w->kept_limits;
	for (int i = 0; rolls && i < m->module.n; i++)
		for (int t = 0; rolls && t < m->module.v[i].tree.n; t++)
			rolls = lets(m->module.v[i].tree.v[t], name, &dice);
	w->kept = name;
	w->kept_limits = rolls && dice ? of_dice(dice) : (struct limits){0};
	return w->kept_limits;
}

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

static struct limits limits_of(struct never *w, const struct node *n);

static struct limits of_sum(struct never *w, const struct node *n)
{
	struct limits a = limits_of(w, n->a), b = limits_of(w, n->b), r = {0};
	bool bad = false;
	if (n->op == BIN_SUB) {
		const struct limits x = b;
		b = (struct limits){x.high, x.low, x.high ? frac_sub(0, x.most, &bad) : 0,
			x.low ? frac_sub(0, x.least, &bad) : 0};
	}
	if ((r.low = a.low && b.low))
		r.least = frac_add(a.least, b.least, &bad);
	if ((r.high = a.high && b.high))
		r.most = frac_add(a.most, b.most, &bad);
	return bad ? (struct limits){0} : r;
}

static struct limits limits_of(struct never *w, const struct node *n)
{
	const struct model *m = w->m;
	bool bad = false;
	if (is_round_number(m, n)) /* surprise comes before the first */
		return w->round >= 0 ? just(frac_of(w->round, &bad))
				     : (struct limits){.low = true, .least = frac_of(0, &bad)};
	switch (n->kind) {
	case N_KIND_E_NEG: {
		struct limits x = limits_of(w, n->a);
		struct limits r = {x.high, x.low,
			x.high ? frac_sub(frac_of(0, &bad), x.most, &bad) : 0,
			x.low ? frac_sub(frac_of(0, &bad), x.least, &bad) : 0};
		return bad ? (struct limits){0} : r;
	}
	case N_KIND_E_NUM:
	case N_KIND_E_PERCENT:
	case N_KIND_E_QTY: {
		const int unit = n->kind == N_KIND_E_QTY ? model_unit(m, n->name) : -1;
		if (n->kind == N_KIND_E_QTY && unit < 0)
			return (struct limits){0};
		const int64_t top = unit < 0 ? n->num : num_mul(n->num, m->unit.v[unit].num, &bad);
		const int64_t bottom =
			unit < 0 ? n->den : num_mul(n->den, m->unit.v[unit].den, &bad);
		const word number = bad ? 0 : frac_make(top, bottom, &bad);
		return bad ? (struct limits){0} : just(number);
	}
	case N_KIND_E_THIS: return of_kept(w, n->name);
	case N_KIND_E_ROLL: return of_dice(n->a);
	case N_KIND_E_AGG:
		return n->op == AGG_COUNT ? (struct limits){.low = true, .least = frac_of(0, &bad)}
					  : (struct limits){0};
	case N_KIND_E_BINARY:
		return n->op == BIN_ADD || n->op == BIN_SUB ? of_sum(w, n) : (struct limits){0};
	default: return (struct limits){0};
	}
}

/* Whether no number of a is in this relation to one of b. */
static bool apart(int op, struct limits a, struct limits b)
{
	/* of the least a to the most b, and of the most a to the least b: -1, 0, 1; 2: not known */
	const int low = a.low && b.high ? frac_compare(a.least, b.most) : 2;
	const int high = a.high && b.low ? frac_compare(a.most, b.least) : 2;
	switch (op) {
	case BIN_EQ: return low == 1 || (high < 0);
	case BIN_NE: return low == 0 && high == 0 && a.high && b.high && a.least == a.most;
	case BIN_LT: return low == 0 || low == 1;
	case BIN_LE: return low == 1;
	case BIN_GT: return high == 0 || high < 0;
	case BIN_GE: return high < 0;
	default: return false;
	}
}

/* "level >= 5" and "level < 3": of one thing, with no number between. */
static bool bounds_exclude(struct never *w, struct part a, struct part b)
{
	const struct node *x = a.n, *y = b.n;
	if (!same_kids(w->m, a, x->a, b, y->a))
		return false;
	const struct limits p = limits_of(w, x->b), q = limits_of(w, y->b);
	if (!p.low || !p.high || p.least != p.most || !q.low || !q.high || q.least != q.most)
		return false;
	const int order = frac_compare(p.least, q.least);
	if (x->op == BIN_EQ)
		return !relation_holds(y->op, order);
	if (y->op == BIN_EQ)
		return !relation_holds(x->op, -order);
	const bool up = x->op == BIN_GT || x->op == BIN_GE,
		   down = x->op == BIN_LT || x->op == BIN_LE;
	const bool strict =
		x->op == BIN_GT || x->op == BIN_LT || y->op == BIN_GT || y->op == BIN_LT;
	if (up && (y->op == BIN_LT || y->op == BIN_LE))
		return order > 0 || (order == 0 && strict);
	return down && (y->op == BIN_GT || y->op == BIN_GE) &&
		(order < 0 || (order == 0 && strict));
}

/* ---- parts that exclude each other ---- */

static bool sorts_exclude(const struct model *m, const struct node *a, const struct node *b)
{
	for (int t = a->ref; t >= 0; t = m->thing.v[t].parent)
		if (t == b->ref)
			return false;
	for (int t = b->ref; t >= 0; t = m->thing.v[t].parent)
		if (t == a->ref)
			return false;
	return true;
}

static bool exclude(struct never *w, struct part a, struct part b)
{
	const struct node *x = a.n, *y = b.n;
	if (x->kind == N_KIND_E_NOT || y->kind == N_KIND_E_NOT)
		return (x->kind == N_KIND_E_NOT && same_kids(w->m, a, x->a, b, y)) ||
			(y->kind == N_KIND_E_NOT && same_kids(w->m, a, x, b, y->a));
	if (is_compare(x) && is_compare(y))
		return bounds_exclude(w, a, b);
	if (x->kind != N_KIND_E_IS || y->kind != N_KIND_E_IS || x->ref_kind != y->ref_kind ||
		!same_kids(w->m, a, x->a, b, y->a))
		return false;
	if (x->num != y->num)
		return same_kids(w->m, a, x->b, b, y->b);
	if (x->num == 1)
		return false;
	switch (x->ref_kind) {
	case REF_EVENT: /* an act is of one action */ return x->ref != y->ref;
	case REF_WORD: /* a field holds one word */ return !same_kids(w->m, a, x->b, b, y->b);
	case REF_ISA: /* and somebody has one stat block */
		return type_is(x->a->type, VT_LIVE) && sorts_exclude(w->m, x, y);
	default: return false;
	}
}

/* The definition of an adjective, where it has one alone. */
static const struct mclause *definition(const struct model *m, const struct node *n)
{
	if (n->kind != N_KIND_E_IS || n->ref_kind != REF_ADJECTIVE || n->num == 1 || n->ref < 0)
		return NULL;
	const struct mclause *only = NULL;
	for (int i = 0; i < m->question.v[n->ref].clause.n; i++) {
		const struct mclause *x = &m->clause.v[m->question.v[n->ref].clause.v[i]];
		if (only || x->node->kind != N_KIND_C_BE || x->unless || !x->when)
			return NULL;
		only = x;
	}
	return only;
}

/* Whether one of what the definition of a demands, or a itself, excludes b. */
static bool excluded_by(struct never *w, struct part a, struct part b, int deep)
{
	if (exclude(w, a, b))
		return true;
	const struct mclause *x = deep ? definition(w->m, a.n) : NULL;
	if (!x || a.whom) /* names of one definition mean nothing in another */
		return false;
	const struct node *parts = x->when->kind == N_KIND_E_AND ? x->when->a : x->when;
	for (const struct node *k = parts; k; k = k == x->when ? NULL : k->next)
		if (excluded_by(w, b, (struct part){k, x->node->name2, a.n->a}, 0) ||
			(deep > 1 &&
				excluded_by(w, b, (struct part){k, x->node->name2, a.n->a}, 1)))
			return true;
	return false;
}

/* ---- what never holds ---- */

static void put_number(word number, struct buf *out)
{
	buf_printf(out, "%lld", (long long)frac_top(number));
	if (frac_bottom(number) != 1)
		buf_printf(out, "/%lld", (long long)frac_bottom(number));
}

static void put_words(const struct model *m, const struct node *n, struct buf *out)
{
	size_t length;
	const char *text = sources_text(m->front->sources, n->span, &length);
	buf_printf(out, "\"%.*s\"", (int)length, text);
}

/* "this attack roll" is from 1 to 20: of what is not a plain number, nothing otherwise. */
static void put_range(struct never *w, const struct node *n, struct limits l)
{
	buf_clear(&w->range);
	if ((!l.low && !l.high) || n->kind == N_KIND_E_NUM || n->kind == N_KIND_E_NEG ||
		n->kind == N_KIND_E_QTY || n->kind == N_KIND_E_PERCENT)
		return;
	put_words(w->m, n, &w->range);
	const bool both = l.low && l.high && l.least != l.most;
	buf_puts(&w->range,
		both                      ? " is from "
			: l.low && l.high ? " is "
			: l.low           ? " is at least "
					  : " is at most ");
	put_number(l.low ? l.least : l.most, &w->range);
	if (both) {
		buf_puts(&w->range, " to ");
		put_number(l.most, &w->range);
	}
}

static bool never_compared(struct never *w, const struct node *n)
{
	const struct node *b = n->kind == N_KIND_E_IN ? n->c : n->b;
	if (n->kind == N_KIND_E_IN ? !n->b || !n->c : !is_compare(n))
		return false;
	const struct limits x = limits_of(w, n->a), y = limits_of(w, b);
	const bool so = n->kind == N_KIND_E_IN
		? apart(BIN_LE, x, y) || apart(BIN_GE, x, limits_of(w, n->b))
		: apart(n->op, x, y);
	if (so) {
		w->one = n;
		w->other = NULL;
		put_range(w, n->a, x);
		if (w->range.length == 0)
			put_range(w, b, y);
	}
	return so;
}

static bool never_joined(struct never *w, const struct node *n)
{
	for (const struct node *x = n->a; x; x = x->next)
		for (const struct node *y = n->a; y != x; y = y->next) {
			const struct part a = {.n = y}, b = {.n = x};
			if (!excluded_by(w, a, b, 2) && !excluded_by(w, b, a, 2))
				continue;
			buf_clear(&w->range);
			w->one = y;
			w->other = x;
			return true;
		}
	return false;
}

/* "Ann is goon", whose stat block is another. */
static bool never_of_sort(struct never *w, const struct node *n)
{
	const struct model *m = w->m;
	if (n->ref_kind != REF_ISA || n->num == 1 || n->a->kind != N_KIND_E_NAME ||
		n->a->ref_kind != REF_LIVE)
		return false;
	const int thing = model_thing(m, n->a->name, KIND_COMBATANT);
	if (thing < 0 || model_things_named(m, n->a->name) != thing || m->thing.v[thing].same >= 0)
		return false;
	for (int t = thing; t >= 0; t = m->thing.v[t].parent)
		if (t == n->ref)
			return false;
	buf_clear(&w->range);
	w->one = n;
	w->other = NULL;
	return true;
}

static void report(struct never *w, const struct node *condition)
{
	struct buf why = {0};
	if (w->range.length)
		buf_puts(&why, buf_text(&w->range));
	else {
		put_words(w->m, w->one, &why);
		if (w->other) {
			buf_puts(&why, " and ");
			put_words(w->m, w->other, &why);
		}
		buf_puts(&why, w->other ? " exclude each other" : " is not so");
	}
	model_report(w->m, M_NEVER_HOLDS, condition->span, 2, buf_text(&why),
		w->other                  ? "If one of the two is enough, write \"or\" for \"and\"."
			: w->range.length ? "Compare it with a number that it can be."
					  : "Write another condition, or leave it out.");
	buf_free(&why);
}

static void look(struct never *w, const struct node *n);

static void look_list(struct never *w, const struct node *n)
{
	for (; n; n = n->next)
		look(w, n);
}

/* A line's condition is asked in the round of its block; what it waits for may come later. */
static void look_line(struct never *w, const struct node *n)
{
	const int64_t round = w->round;
	look_list(w, n->c);
	w->round = -1;
	look_list(w, n->a);
	look_list(w, n->b);
	look_list(w, n->d);
	w->round = round;
	look_list(w, n->e);
	w->round = -1;
	look_list(w, n->f);
	w->round = round;
}

static void look(struct never *w, const struct node *n)
{
	const struct model *m = w->m;
	const int64_t round = w->round;
	switch (n->kind) {
	case N_KIND_N_EXPECT:
	case N_KIND_N_EXPECT_SAY:
	case N_KIND_Q_EXPECT:
	case N_KIND_MEASURE: return;
	case N_KIND_N_SAY: look_line(w, n); return;
	case N_KIND_MOMENT: w->round = n->name == m->w.round ? n->num : -1; break;
	case N_KIND_RULE:
	case N_KIND_N_UNTIL: w->round = -1; break;
	case N_KIND_E_AND:
		if (never_joined(w, n)) {
			report(w, n);
			return;
		}
		break;
	case N_KIND_E_BINARY:
	case N_KIND_E_IN:
		if (never_compared(w, n)) {
			report(w, n);
			return;
		}
		break;
	case N_KIND_E_IS:
		if (never_of_sort(w, n)) {
			report(w, n);
			return;
		}
		break;
	case N_KIND_S_STOP:
		if (!n->c && n->next)
			model_report(w->m, M_BEHIND_STOP, n->next->span, 0);
		break;
	default: break;
	}
	const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
	for (size_t i = 0; i < FRAY_COUNT(kids); i++)
		look_list(w, kids[i]);
	w->round = round;
}

/* `when no` */
static void look_for_no(struct never *w, const struct node *when)
{
	if (when->kind == N_KIND_E_NO) {
		w->one = when;
		w->other = NULL;
		buf_clear(&w->range);
		report(w, when);
	}
}

void check_conditions(struct model *m)
{
	struct never w = {.m = m, .round = -1};
	for (int i = 0; i < m->module.n; i++)
		for (int t = 0; m->module.v[i].own && t < m->module.v[i].tree.n; t++)
			look_list(&w, m->module.v[i].tree.v[t]);
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		if (x->when && !x->unless && m->module.v[x->module].own)
			look_for_no(&w, x->when);
	}
	buf_free(&w.range);
}
