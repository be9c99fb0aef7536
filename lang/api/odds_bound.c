/* odds_bound.c - what odds are expected to come to: a number written out, or one .. a greater one.
 *
 * Sums are not reckoned: "50% +- 10%" is 40 % to whoever reckons, and a range to whoever wrote it. */
#include <math.h>
#include <string.h>

#include "lang/api/odds.h"

static bool number(const struct node *n, double *out)
{
	double of = n->den ? (double)n->den : 1;
	switch (n->kind) {
	case N_KIND_E_NEG:
		if (!number(n->a, out))
			return false;
		*out = -*out;
		return true;
	case N_KIND_E_PERCENT:
		*out = (double)n->num / of / 100;
		return true;
	case N_KIND_E_NUM: case N_KIND_E_QTY: case N_KIND_E_CHANCE:
		*out = (double)n->num / of;
		return true;
	default:
		return false;
	}
}

/* What a sum of numbers comes to, for the line that is shown. */
static bool reckoned(const struct node *n, double *out)
{
	double a, b;
	if (n->kind != N_KIND_E_BINARY)
		return number(n, out);
	if (n->op > BIN_DIV || !reckoned(n->a, &a) || !reckoned(n->b, &b) || (n->op == BIN_DIV && b == 0))
		return false;
	*out = n->op == BIN_ADD ? a + b : n->op == BIN_SUB ? a - b : n->op == BIN_MUL ? a * b : a / b;
	return true;
}

static bool in_percent(const struct node *n)
{
	return n->kind == N_KIND_E_PERCENT || ((n->kind == N_KIND_E_NEG || n->kind == N_KIND_E_BINARY) && in_percent(n->a));
}

static void put(struct buf *line, double x, bool chance, bool percent)
{
	if (chance)
		x = x < 0 ? 0 : x > 1 ? 1 : x;
	if (chance || percent)
		buf_printf(line, "%.9g%%", x * 100);
	else
		buf_printf(line, "%.9g", x);
}

/* Ends of the range that is probably meant: 50% +- 10%, 40% - 60%, 60% .. 40%. */
static bool range(const struct node *n, double *from, double *to)
{
	const struct node *b = n->b;
	double middle, by;
	if (n->c)
		return reckoned(b, to) && reckoned(n->c, from) && *from < *to;
	if (n->op != BIN_EQ || b->kind != N_KIND_E_BINARY || !number(b->a, &middle))
		return false;
	if (b->op == BIN_ADD && b->b->kind == N_KIND_E_NEG && number(b->b->a, &by)) {
		*from = middle - by;
		*to = middle + by;
		return true;
	}
	*from = middle;
	return b->op == BIN_SUB && number(b->b, to) && *from < *to;
}

static void report(struct fray *f, const struct node *n, bool chance)
{
	struct span before = n->span;
	struct buf line = {0};
	double from, to;
	size_t length;
	bool percent = in_percent(n->b);
	before.end = n->b->span.start;
	const char *text = sources_text(&f->sources, before, &length);
	buf_add(&line, text, length);
	if (range(n, &from, &to)) {
		put(&line, from, chance, percent);
		buf_puts(&line, " .. ");
		put(&line, to, chance, percent);
	} else {
		put(&line, reckoned(n->b, &from) ? from : chance ? 0.5 : 5, chance, percent);
	}
	struct span at = n->b->span;
	at.end = n->c ? n->c->span.end : at.end;
	diag_report(&f->sink, M_EXPECT_NUMBER, at, 1, buf_text(&line));
	buf_free(&line);
}

/* expect odds giving party wins >= 60, .. <= 150%: no chance is as large as that, or as small. */
static bool is_share(struct fray *f, const struct node *bound, double value)
{
	struct buf meant = {0};
	if (value >= 0 && value <= 1)
		return true;
	bool plain = bound->kind == N_KIND_E_NUM || (bound->kind == N_KIND_E_NEG && bound->a->kind == N_KIND_E_NUM);
	put(&meant, plain ? value / 100 : value, true, true);
	diag_report(&f->sink, M_EXPECT_SHARE, bound->span, 1, buf_text(&meant));
	buf_free(&meant);
	return false;
}

bool odds_bound_read(struct fray *f, const struct node *n, bool chance, struct odds_bound *out)
{
	double one, other;
	if (!number(n->b, &one) || (n->c && !number(n->c, &other))) {
		report(f, n, chance);
		return false;
	}
	if (chance && (!is_share(f, n->b, one) || (n->c && !is_share(f, n->c, other))))
		return false;
	if (n->c && one > other) {
		report(f, n, chance);
		return false;
	}
	out->open = n->op == BIN_LT || n->op == BIN_GT;
	out->from = n->op == BIN_LT || n->op == BIN_LE ? -INFINITY : one;
	out->to = n->c ? other : n->op == BIN_GT || n->op == BIN_GE ? INFINITY : one;
	return true;
}

bool odds_bound_holds(const struct odds_bound *b, double low, double high, bool whole)
{
	double least = b->open ? 0 : -1e-9; /* what is counted has its last digits rounded */
	return (whole ? low : high) - b->from > least && b->to - (whole ? high : low) > least;
}
