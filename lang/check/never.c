/* never.c - conditions that cannot hold, or always do, as far as their words show: parts that
 * exclude each other (exclude.c), and numbers that dice, counts and the clock never come to
 * (limits.c). What is known where a condition stands counts as well: the `when` of its clause, an
 * `if` around it, and that an `if` before its `else` did not hold. Only the rules, policies and
 * encounters of the table are looked at. */
#include "lang/check/never.h"
#include "runtime/base/num.h"

/* What makes a condition never hold, or always. */
struct never {
	struct model *m;
	struct reckoning r;
	struct part one, other; /* `other.n` is NULL where one is enough */
	struct buf range;       /* of what is compared */
	VEC(struct part) known; /* what is so where one looks, from `base` on */
	int base;
	bool always;
};

/* ---- what never or always holds ---- */

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
	if ((!l.low && !l.high) || is_literal(n))
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

static bool found(struct never *w, bool always, struct part one, struct part other)
{
	buf_clear(&w->range);
	w->always = always;
	w->one = one;
	w->other = other;
	return true;
}

static bool found_one(struct never *w, bool always, const struct node *n)
{
	return found(w, always, (struct part){.n = n}, (struct part){0});
}

static bool decided(struct never *w, const struct node *n)
{
	const struct node *b = n->kind == N_KIND_E_IN ? n->c : n->b;
	if (n->kind == N_KIND_E_IN ? !n->b || !n->c : !is_compare(n))
		return false;
	const struct limits x = limits_of(&w->r, n->a), y = limits_of(&w->r, b);
	const struct limits from = n->kind == N_KIND_E_IN ? limits_of(&w->r, n->b) : y;
	const bool in = n->kind == N_KIND_E_IN;
	const bool never = in ? limits_apart(BIN_LE, x, y) || limits_apart(BIN_GE, x, from)
			      : limits_apart(n->op, x, y);
	const bool always = !x.unset && !y.unset && !from.unset &&
		(in ? limits_apart(BIN_LT, x, from) && limits_apart(BIN_GT, x, y)
		    : limits_apart(relation_denied(n->op), x, y));
	if (!never && !always)
		return false;
	found_one(w, always, n);
	put_range(w, n->a, x);
	if (w->range.length == 0)
		put_range(w, b, y);
	return never || w->range.length; /* "1 round = 60 seconds" may be told to the reader */
}

/* Two parts of `and` that exclude each other; two of `or`, one of which always holds. */
static bool joined(struct never *w, const struct node *n)
{
	const bool either = n->kind == N_KIND_E_OR;
	for (const struct node *x = n->a; x; x = x->next)
		for (const struct node *y = n->a; y != x; y = y->next) {
			const struct part a = {.n = y, .denied = either};
			const struct part b = {.n = x, .denied = either};
			if (parts_exclude(&w->r, a, b))
				return found(w, either, a, b);
		}
	return false;
}

/* What is known here excludes it. */
static bool known_not_to(struct never *w, const struct node *n)
{
	const struct part here = {.n = n};
	for (int i = w->base; i < w->known.n; i++)
		if (parts_exclude(&w->r, w->known.v[i], here))
			return found(w, false, here, w->known.v[i]);
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
	return found_one(w, false, n);
}

static const char *cure(const struct never *w, bool together)
{
	if (w->always)
		return w->range.length
			? "Compare it with a number that it may miss, or leave it out."
			: "Leave it out, or write another.";
	if (w->other.n)
		return together
			? "If one of the two is enough, write \"or\" for \"and\"."
			: w->other.denied ? "Ask first for what is more seldom so."
					  : "Write another condition, or leave it out.";
	return w->range.length ? "Compare it with a number that it can be."
			       : "Write another condition, or leave it out.";
}

/* `together`: the two stand in this condition, joined by `and` or `or`. */
static void report(struct never *w, const struct node *condition, bool together)
{
	struct buf why = {0};
	if (w->range.length)
		buf_puts(&why, buf_text(&w->range));
	else
		put_words(w->m, w->one.n, &why);
	if (w->other.n) {
		buf_puts(&why, !together ? " is never so where " : w->always ? " or " : " and ");
		put_words(w->m, w->other.n, &why);
		buf_puts(&why, !together ? w->other.denied ? " is not" : " is"
				: w->always ? " is always so"
					    : " exclude each other");
	} else if (!w->range.length)
		buf_puts(&why, w->always ? " is always so" : " is not so");
	model_report(w->m, w->always ? M_ALWAYS_HOLDS : M_NEVER_HOLDS, condition->span, 2,
		buf_text(&why), cure(w, together));
	buf_free(&why);
}

/* ---- what is known ---- */

/* That the condition holds, or does not. */
static void learn(struct never *w, const struct node *n, bool denied)
{
	const struct part p = {.n = n, .denied = denied};
	if (!n)
		return;
	if (n->kind == (denied ? N_KIND_E_OR : N_KIND_E_AND)) {
		for (const struct node *x = n->a; x; x = x->next)
			learn(w, x, denied);
	} else if (n->kind == N_KIND_E_NOT)
		learn(w, n->a, !denied);
	else
		VEC_PUSH(w->known, p);
}

/* Whether the statements leave everything as it was. */
static bool is_quiet(const struct node *n)
{
	for (; n; n = n->next)
		switch (n->kind) {
		case N_KIND_S_LET:
		case N_KIND_S_NOTE:
		case N_KIND_S_REFER:
		case N_KIND_S_WRONG:
		case N_KIND_S_STOP: break;
		case N_KIND_S_BLOCK:
			if (!is_quiet(n->a))
				return false;
			break;
		case N_KIND_S_IF:
			if (!is_quiet(n->b) || !is_quiet(n->c))
				return false;
			break;
		default: return false;
		}
	return true;
}

static bool sets_name(const struct node *n, const void *name)
{
	return (n->kind == N_KIND_S_SET || n->kind == N_KIND_S_CHANGE) &&
		n->a->kind == N_KIND_E_NAME && n->a->name == *(const sym *)name;
}

static void learn_let(struct never *w, const struct node *n)
{
	struct reckoning *r = &w->r;
	if (r->lets == LETS_MAX)
		return;
	r->let[r->lets].name = n->name;
	r->let[r->lets++].limits =
		node_any(n->next, sets_name, &n->name) ? (struct limits){0} : limits_of(r, n->a);
}

/* ---- the walk ---- */

static void look(struct never *w, const struct node *n);

static void look_list(struct never *w, const struct node *n)
{
	for (; n; n = n->next)
		look(w, n);
}

static void look_block(struct never *w, const struct node *block)
{
	const int lets = w->r.lets, base = w->base;
	for (const struct node *n = block->a; n; n = n->next) {
		const struct node *next = n->next;
		look(w, n);
		if (n->kind == N_KIND_S_LET)
			learn_let(w, n);
		const struct node alone = {.kind = n->kind, .a = n->a, .b = n->b, .c = n->c};
		if (!is_quiet(&alone))
			w->base = w->known.n;
		if (n->kind == N_KIND_S_STOP && !n->c && next)
			model_report(w->m, M_BEHIND_STOP, next->span, 0);
	}
	w->r.lets = lets;
	w->base = base;
}

/* Where the condition holds, or where it does not. */
static void look_where(struct never *w, const struct node *n, const struct node *c, bool denied)
{
	const int known = w->known.n;
	learn(w, c, denied);
	look_list(w, n);
	w->known.n = known;
}

/* Of parts that are joined each stands where the others hold. */
static void look_parts(struct never *w, const struct node *n)
{
	for (const struct node *x = n->a; x; x = x->next) {
		const int known = w->known.n;
		for (const struct node *y = n->a; y; y = y->next)
			if (y != x)
				learn(w, y, false);
		look(w, x);
		w->known.n = known;
	}
}

/* A line's condition is asked in the round of its block; what it waits for may come later. */
static void look_line(struct never *w, const struct node *n)
{
	const int64_t round = w->r.round;
	look_list(w, n->c);
	w->r.round = -1;
	look_list(w, n->a);
	look_list(w, n->b);
	look_list(w, n->d);
	w->r.round = round;
	look_list(w, n->e);
	w->r.round = -1;
	look_list(w, n->f);
	w->r.round = round;
}

/* Whether it has been looked at, the children as well. */
static bool looked(struct never *w, const struct node *n)
{
	switch (n->kind) {
	case N_KIND_N_SAY: look_line(w, n); return true;
	case N_KIND_S_BLOCK: look_block(w, n); return true;
	case N_KIND_S_IF:
	case N_KIND_E_IF:
		look_list(w, n->a);
		look_where(w, n->b, n->a, false);
		look_where(w, n->c, n->a, true);
		return true;
	case N_KIND_P_IF:
		look_list(w, n->a);
		look_where(w, n->b, n->a, false);
		return true;
	case N_KIND_C_WHENEVER:
		look_list(w, n->a);
		look_where(w, n->b, n->a, false);
		return true;
	case N_KIND_C_HOOK:
	case N_KIND_C_DEFINE:
	case N_KIND_C_ADJUST:
	case N_KIND_C_LIMIT:
		look_list(w, n->c);
		look_where(w, n->b, n->c, n->num == 1);
		return true;
	case N_KIND_E_AND:
		if (!joined(w, n))
			look_parts(w, n);
		else
			report(w, n, true);
		return true;
	case N_KIND_E_OR:
		if (!joined(w, n))
			return false;
		report(w, n, true);
		return true;
	case N_KIND_E_BINARY:
	case N_KIND_E_IN:
		if (!decided(w, n) && !known_not_to(w, n))
			return false;
		report(w, n, false);
		return true;
	case N_KIND_E_IS:
		if (!never_of_sort(w, n) && !known_not_to(w, n))
			return false;
		report(w, n, false);
		return true;
	default: return false;
	}
}

static void look(struct never *w, const struct node *n)
{
	const struct model *m = w->m;
	const int64_t round = w->r.round;
	const int base = w->base;
	switch (n->kind) {
	case N_KIND_N_EXPECT:
	case N_KIND_N_EXPECT_SAY:
	case N_KIND_Q_EXPECT:
	case N_KIND_MEASURE: /* asked whenever it may be */
	case N_KIND_RULE:
	case N_KIND_N_UNTIL: w->r.round = -1; break;
	case N_KIND_MOMENT: w->r.round = n->name == m->w.round ? n->num : -1; break;
	case N_KIND_E_NOT: /* what is denied besides does no harm */
	case N_KIND_E_SET: /* names of its own; and a loop may change what was so */
	case N_KIND_S_EACH:
	case N_KIND_S_COUNT:
	case N_KIND_S_REPEAT: w->base = w->known.n; break;
	default: break;
	}
	if (!looked(w, n)) {
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		for (size_t i = 0; i < FRAY_COUNT(kids); i++)
			if (kids[i])
				look_list(w, kids[i]);
	}
	w->r.round = round;
	w->base = base;
}

/* `when no` */
static void look_for_no(struct never *w, const struct node *when)
{
	if (when->kind == N_KIND_E_NO) {
		found_one(w, false, when);
		report(w, when, false);
	}
}

void check_conditions(struct model *m)
{
	struct never w = {.m = m, .r = {.m = m, .round = -1}};
	for (int i = 0; i < m->module.n; i++)
		for (int t = 0; m->module.v[i].own && t < m->module.v[i].tree.n; t++)
			look_list(&w, m->module.v[i].tree.v[t]);
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		if (x->when && !x->unless && m->module.v[x->module].own)
			look_for_no(&w, x->when);
	}
	buf_free(&w.range);
	VEC_FREE(w.known);
}
