/* report_bound.c - slips in what odds are expected to come to: the line that means it is shown. */
#include <stdlib.h>
#include <string.h>
#include "lang/front/gram.h"
#include "lang/front/slip.h"

/* How it is told in other words. */
enum told { TOLD_OTHERWISE, TOLD_MORE = 1, TOLD_LESS = 2, TOLD_EQUAL = 4, TOLD_ABOUT = 8, TOLD_ROUND = 16 };

struct bound {
	int from;          /* the first token of it */
	int number[2], n;  /* its numbers */
	unsigned told;
};

static unsigned told_by(const struct phrase *p, int at)
{
	static const struct { const char *word; unsigned told; } words[] = {
		{"more", TOLD_MORE}, {"greater", TOLD_MORE}, {"over", TOLD_MORE}, {"above", TOLD_MORE}, {"least", TOLD_MORE | TOLD_EQUAL},
		{"less", TOLD_LESS}, {"fewer", TOLD_LESS}, {"under", TOLD_LESS}, {"below", TOLD_LESS}, {"most", TOLD_LESS | TOLD_EQUAL},
		{"about", TOLD_ABOUT}, {"around", TOLD_ABOUT}, {"roughly", TOLD_ABOUT}, {"nearly", TOLD_ABOUT}, {"minus", TOLD_ROUND},
		{"equal", TOLD_EQUAL}, {"equals", TOLD_EQUAL}, {"exactly", TOLD_EQUAL},
		{"is", 0}, {"are", 0}, {"be", 0}, {"at", 0}, {"than", 0}, {"between", 0}, {"from", 0}, {"to", 0}, {"and", 0}, {"or", 0}, {"of", 0}, {"plus", 0}, {"percent", 0},
	};
	switch (p->raw[at].kind) {
	case '>': return TOLD_MORE;
	case '<': return TOLD_LESS;
	case '=': return TOLD_EQUAL;
	case RAW_GE: return TOLD_MORE | TOLD_EQUAL;
	case RAW_LE: return TOLD_LESS | TOLD_EQUAL;
	case '-': return p->raw[at - 1].kind == '+' || p->raw[at - 1].kind == '/' ? TOLD_ROUND : 0;
	case RAW_BAD: return !strncmp(phrase_text(p, p->raw[at].start), "\xC2\xB1", 2) ? TOLD_ROUND : ~0u;
	case '+': case '/': case RAW_NE: case RAW_SPAN: case RAW_NUMBER: case RAW_PERCENT: return 0;
	default: break;
	}
	for (size_t i = 0; i < FRAY_COUNT(words); i++)
		if (phrase_is(p, at, words[i].word))
			return words[i].told;
	return ~0u; /* no part of it */
}

/* All at the end of the question that is no measure. */
static struct bound bound_of(const struct phrase *p, int giving, int end)
{
	struct bound b = {.from = end};
	while (b.from > giving + 1 && told_by(p, b.from - 1) != ~0u)
		b.from--;
	for (int i = b.from; i < end; i++) {
		bool number = p->raw[i].kind == RAW_NUMBER || p->raw[i].kind == RAW_PERCENT;
		b.told |= told_by(p, i);
		if (number && b.n < 2)
			b.number[b.n] = i;
		b.n += number;
	}
	return b;
}

/* A number as the bound of a chance is written, or so much more or less. */
static void put_number(const struct phrase *p, int at, bool share, double by, struct buf *out)
{
	const struct raw *r = &p->raw[at];
	double x = strtod(phrase_text(p, r->start), NULL) + by;
	bool percent = r->kind == RAW_PERCENT || (share && x > 1);
	if (percent && share)
		x = x < 0 ? 0 : x > 100 ? 100 : x;
	buf_printf(out, "%.9g%s", x, percent ? "%" : "");
}

static double value_at(const struct phrase *p, int at)
{
	return strtod(phrase_text(p, p->raw[at].start), NULL);
}

static void put_bound(const struct phrase *p, const struct bound *b, bool share, struct buf *out)
{
	if (b->n == 2 && b->told & TOLD_ROUND) {
		double by = value_at(p, b->number[1]);
		buf_puts(out, "= ");
		put_number(p, b->number[0], share, -by, out);
		buf_puts(out, " .. ");
		put_number(p, b->number[0], share, by, out);
	} else if (b->n == 2) {
		int down = value_at(p, b->number[0]) > value_at(p, b->number[1]);
		buf_puts(out, "= ");
		put_number(p, b->number[down], share, 0, out);
		buf_puts(out, " .. ");
		put_number(p, b->number[!down], share, 0, out);
	} else if (b->n == 1 && b->told & TOLD_ABOUT) {
		double by = p->raw[b->number[0]].kind == RAW_PERCENT || (share && value_at(p, b->number[0]) > 1) ? 5 : share ? 0.05 : 1;
		buf_puts(out, "= ");
		put_number(p, b->number[0], share, -by, out);
		buf_puts(out, " .. ");
		put_number(p, b->number[0], share, by, out);
	} else if (b->n == 1) {
		bool equal = b->told & TOLD_EQUAL;
		buf_puts(out, b->told & TOLD_MORE ? equal ? ">= " : "> " : b->told & TOLD_LESS ? equal ? "<= " : "< " : "= ");
		put_number(p, b->number[0], share, 0, out);
	} else if (phrase_is(p, b->from, "between")) {
		buf_puts(out, share ? "= 40% .. 60%" : "= 4 .. 6");
	} else {
		buf_puts(out, share ? ">= 50%" : "<= 5");
	}
}

/* The odds of what? For a condition without its brackets there is another message. */
bool report_bound(struct phrase *p, int at)
{
	int first = slip_first(p, at), end = slip_end(p, first), giving = slip_word(p, first, end, "giving");
	if (!phrase_is(p, first, "expect") || !phrase_is(p, first + 1, "odds") || p->paren)
		return false;
	struct bound b = bound_of(p, giving, end);
	int till = b.from, depth = 0;
	/* of two things, the first */
	if (p->raw[at].kind == ',')
		for (till = giving + 1; till < at && (depth || p->raw[till].kind != ','); till++)
			depth += (p->raw[till].kind == '(') - (p->raw[till].kind == ')');
	bool average = phrase_is(p, giving + 1, "average") || phrase_is(p, giving + 1, "spread"), chance = false;
	for (int i = giving + 1; i < till; i++)
		chance |= p->raw[i].kind == '(' || phrase_is(p, i, "is") || phrase_is(p, i, "are") || (p->verb && p->raw[i].start == p->verb_at.start);
	if (giving == end) { /* expect odds 50 >= 60% */
		b = bound_of(p, at - 1, end);
		if (b.from != at || b.n > 1 || at < first + 2)
			return false;
	} else if (!(average ? giving + 2 < till : chance) || at < till || b.n > 2 || (b.n == 0 && b.from < end && !phrase_is(p, b.from, "between")) || raw_is_end(&p->raw[b.from]) != (b.from == end)) {
		return false;
	}
	struct buf line = {0};
	slip_add(p, p->raw[first].start, p->raw[(giving == end ? at : till) - 1].end, &line);
	buf_puts(&line, giving == end ? " giving party wins " : " ");
	put_bound(p, &b, !average, &line);
	bool ends = raw_is_end(&p->raw[at]);
	phrase_report(p, M_EXPECT_BOUND, phrase_span(p, p->raw[at].start, ends ? p->raw[at].start : p->raw[at].end), 1, arena_text(p->front->arena, line.data, line.length), NULL);
	buf_free(&line);
	return true;
}

bool report_lacks_bound(const struct phrase *p, int at, int next)
{
	int first = slip_first(p, at);
	if (phrase_is(p, first, "compare") && p->lead == TOK_COMPARE && next >= p->count)
		return true; /* compare osric vs lite */
	if ((phrase_is(p, first, "sweep") || phrase_is(p, first, "plot")) && (next >= p->count || p->raw[next].kind != '{')) {
		int brace = first; /* sweep Bruna's hit points from 5 to 10 */
		while (brace < at && p->raw[brace].kind != '{')
			brace++;
		return brace == at;
	}
	return phrase_is(p, first, "expect") && phrase_is(p, first + 1, "odds") && (next >= p->count || !slip_compares(p->raw[next].kind));
}
