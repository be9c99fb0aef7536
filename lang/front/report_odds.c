/* report_odds.c - slips in questions of odds, each with the line that was meant. */
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/phrase.h"

/* The raw token that was not expected. */
static int raw_of(const struct phrase *p)
{
	int at = p->line;
	while (at < p->count && p->raw[at].start < p->token.start)
		at++;
	return at;
}

static void add_text(const struct phrase *p, uint32_t start, uint32_t end, struct buf *out)
{
	size_t length;
	const char *text = sources_text(p->front->sources, phrase_span(p, start, end), &length);
	buf_add(out, text, length);
}

/* What the sentence is like with other words for the unexpected ones. */
static const char *with(struct phrase *p, int from, int to, const char *before, const char *instead)
{
	struct buf line = {0};
	uint32_t start = p->raw[from].start, end = to > from ? p->raw[to - 1].end : start;
	bool inside = p->token.end <= end; /* not what an expected condition is compared with */
	buf_puts(&line, before);
	add_text(p, start, inside ? p->token.start : end, &line);
	if (inside && *instead && line.length && line.data[line.length - 1] != ' ')
		buf_putc(&line, ' ');
	if (inside && *instead)
		buf_puts(&line, instead);
	else if (inside)
		add_text(p, p->token.start, p->token.end, &line);
	if (inside)
		add_text(p, p->token.end, end, &line);
	const char *text = arena_text(p->front->arena, line.data, line.length);
	buf_free(&line);
	return text;
}

/* The first token of its sentence, and the one behind its last, whatever stands in braces between. */
static int first_of(const struct phrase *p, int at)
{
	int inside = 0;
	for (; at > 0; at--) {
		const struct raw *r = &p->raw[at - 1];
		inside += (r->kind == '}') - (r->kind == '{');
		if (inside < 0 || (inside == 0 && r->kind != '}' && r->kind != '{' && raw_is_end(r)))
			break;
	}
	return at;
}

static int end_of(const struct phrase *p, int at)
{
	int inside = 0;
	for (; at < p->count; at++) {
		const struct raw *r = &p->raw[at];
		if (inside == 0 && raw_is_end(r))
			break;
		inside += (r->kind == '{') - (r->kind == '}');
	}
	return at;
}

/* The braces around are a sweep's. */
static bool swept(const struct phrase *p)
{
	return p->brace.n > 0 && p->brace.v[p->brace.n - 1].lead == TOK_SWEEP;
}

static bool compares(int kind)
{
	return kind == '<' || kind == '>' || kind == '=' || kind == RAW_LE || kind == RAW_GE || kind == RAW_NE;
}

/* odds giving Bruna's hit points < 5, Bruna's hit points at least 5: all of the condition, to the
 * comma, the end of the line, or what it is expected to come to. */
static bool condition(struct phrase *p, int token)
{
	int from = raw_of(p), end = from, bound = 0, depth = 0;
	for (; from > p->line && !phrase_is(p, from - 1, "giving") && (depth || p->raw[from - 1].kind != ','); from--)
		depth += (p->raw[from - 1].kind == ')') - (p->raw[from - 1].kind == '(');
	from += phrase_is(p, from, "average") || phrase_is(p, from, "spread");
	for (; !raw_is_end(&p->raw[end]) && (depth || p->raw[end].kind != ','); end++) {
		depth += (p->raw[end].kind == '(') - (p->raw[end].kind == ')');
		if (!depth && compares(p->raw[end].kind))
			bound = end;
	}
	if (bound && phrase_is(p, first_of(p, from), "expect"))
		end = bound;
	if (from >= end || p->raw[from].start >= p->token.start)
		return false; /* there is none */
	phrase_report(p, M_GIVING_BRACKETS, p->token, 1, with(p, from, end, "", token == TOK_AT_LEAST ? ">=" : token == TOK_AT_MOST ? "<=" : ""), NULL);
	return true;
}

/* expect odds giving party wins; .. between 40% and 60% */
static bool no_bound(struct phrase *p, int token, int first, int at)
{
	int giving = first;
	while (giving < at && !phrase_is(p, giving, "giving"))
		giving++;
	bool between = at > first && phrase_is(p, at - 1, "between");
	at -= between;
	if (!phrase_is(p, first, "expect") || giving + 1 >= at || (token != TOK_NL && token != TOK_YYEOF && !between))
		return false;
	struct buf line = {0};
	bool number = phrase_is(p, giving + 1, "average");
	add_text(p, p->raw[first].start, p->raw[at - 1].end, &line);
	buf_puts(&line, between ? number ? " = 4 .. 6" : " = 40% .. 60%" : number ? " <= 5" : " >= 50%");
	phrase_report(p, M_EXPECT_BOUND, p->token, 1, arena_text(p->front->arena, line.data, line.length), NULL);
	buf_free(&line);
	return true;
}

bool report_odds(struct phrase *p, int token)
{
	int at = raw_of(p), first = first_of(p, at), end = end_of(p, at);
	const struct raw *r = &p->raw[at];
	if (p->lead == TOK_GIVING && !p->paren && no_bound(p, token, first, at))
		return true;
	if (phrase_is(p, first, "plot") && at == first + 1)
		for (int i = at; i < end; i++)
			if (phrase_is(p, i, "from") || phrase_is(p, i, "over")) {
				struct buf line = {0};
				buf_puts(&line, "plot sweep ");
				add_text(p, r->start, p->raw[end - 1].end, &line);
				phrase_report(p, M_PLOT_SWEEP, p->token, 1, arena_text(p->front->arena, line.data, line.length), NULL);
				buf_free(&line);
				return true;
			}
	if (p->lead == TOK_GIVING && !p->paren) {
		/* odds giving party wins >= 60% */
		if (compares(token == TOK_LE ? RAW_LE : token == TOK_GE ? RAW_GE : token) && at + 1 < p->count && p->raw[at + 1].kind == RAW_PERCENT && phrase_is(p, first, "odds")) {
			struct buf asked = {0};
			add_text(p, p->raw[first].start, p->raw[at - 1].end, &asked);
			phrase_report(p, M_GIVING_BOUND, p->token, 1, swept(p) ? arena_text(p->front->arena, asked.data, asked.length) : with(p, first, end, "expect ", ""), NULL);
			buf_free(&asked);
			return true;
		}
		switch (token) {
		case '<': case '>': case '=': case TOK_LE: case TOK_GE: case TOK_NE: case TOK_AND: case TOK_OR: case TOK_AT_LEAST: case TOK_AT_MOST:
			return condition(p, token);
		default:
			break;
		}
	}
	/* odds 1,000 */
	if (token == ',' && at > p->line && at + 1 < p->count && p->raw[at - 1].kind == RAW_NUMBER && p->raw[at - 1].end == r->start &&
	    p->raw[at + 1].kind == RAW_NUMBER && r->end == p->raw[at + 1].start && p->raw[at + 1].end - r->end == 3) {
		struct buf digits = {0};
		add_text(p, p->raw[at - 1].start, p->raw[at - 1].end, &digits);
		for (int i = at; p->raw[i].kind == ',' && p->raw[i + 1].kind == RAW_NUMBER && p->raw[i].end == p->raw[i + 1].start && p->raw[i - 1].end == p->raw[i].start; i += 2)
			add_text(p, p->raw[i + 1].start, p->raw[i + 1].end, &digits);
		phrase_report(p, M_NUMBER_COMMA, p->token, 1, arena_text(p->front->arena, digits.data, digits.length), NULL);
		buf_free(&digits);
		return true;
	}
	/* odds { .. } or { .. }; compare osric with lite */
	if ((phrase_is(p, first, "odds") && at > p->line && p->raw[at - 1].kind == '}' && at + 1 < p->count && r->kind != '{' && p->raw[at + 1].kind == '{') ||
	    (p->lead == TOK_COMPARE && (token == ',' || token == TOK_WITH || token == TOK_AND || token == TOK_OR || token == TOK_TO))) {
		phrase_report(p, M_VERSUS, p->token, 1, with(p, first, end, "", "vs"), NULL);
		return true;
	}
	if (swept(p) && r->kind == RAW_WORD && at == p->line) {
		phrase_report(p, M_SWEEP_ASKS, p->token, 1, with(p, at, end, token == TOK_GIVING ? "odds " : "odds giving ", ""), NULL);
		return true;
	}
	return false;
}
