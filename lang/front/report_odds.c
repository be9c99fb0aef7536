/* report_odds.c - slips in questions of odds, each with the line that was meant. */
#include <stdlib.h>
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/slip.h"

/* What the sentence is like with other words for the unexpected ones. */
static const char *with(struct phrase *p, int from, int to, const char *before, const char *instead)
{
	struct buf line = {0};
	uint32_t start = p->raw[from].start, end = to > from ? p->raw[to - 1].end : start;
	bool inside = p->token.end <= end; /* not what an expected condition is compared with */
	buf_puts(&line, before);
	slip_add(p, start, inside ? p->token.start : end, &line);
	if (inside && *instead && line.length && line.data[line.length - 1] != ' ')
		buf_putc(&line, ' ');
	if (inside && *instead)
		buf_puts(&line, instead);
	else if (inside)
		slip_add(p, p->token.start, p->token.end, &line);
	if (inside)
		slip_add(p, p->token.end, end, &line);
	const char *text = arena_text(p->front->arena, line.data, line.length);
	buf_free(&line);
	return text;
}

/* The braces around are a sweep's. */
static bool swept(const struct phrase *p)
{
	return p->brace.n > 0 && p->brace.v[p->brace.n - 1].lead == TOK_SWEEP;
}

/* The measure that a token is part of: what is parted by commas behind giving, up to what it is expected to come to. */
static void measure_of(const struct phrase *p, int at, int *from, int *end)
{
	int depth = 0;
	for (*from = at; *from > p->line && !phrase_is(p, *from - 1, "giving") && (depth || p->raw[*from - 1].kind != ','); --*from)
		depth += (p->raw[*from - 1].kind == ')') - (p->raw[*from - 1].kind == '(');
	for (*end = at; !raw_is_end(&p->raw[*end]) && p->raw[*end].kind != '{' && (depth || p->raw[*end].kind != ',') && !slip_compares(p->raw[*end].kind); ++*end)
		depth += (p->raw[*end].kind == '(') - (p->raw[*end].kind == ')');
	while (*end > *from && p->raw[*from].kind == '(' && p->raw[*end - 1].kind == ')') {
		++*from;
		--*end;
	}
}

/* odds giving at least 2 orcs die */
static bool told_in_words(struct phrase *p, int at)
{
	int from, end;
	struct buf text = {0}, line = {0};
	measure_of(p, at, &from, &end);
	slip_text(p, from, end, &text);
	bool found = from < end && said_measure(p->front, buf_text(&text), text.length, &line);
	if (found)
		phrase_report(p, M_SAID_OTHERWISE, phrase_span(p, p->raw[from].start, p->raw[end - 1].end), 2, arena_text(p->front->arena, text.data, text.length), arena_text(p->front->arena, line.data, line.length));
	buf_free(&text);
	buf_free(&line);
	return found;
}

bool report_told(struct phrase *p)
{
	return p->lead == TOK_GIVING && told_in_words(p, slip_raw(p));
}

/* Bruna and Korg survive: what is said of both is said of each. */
static bool of_each(struct phrase *p, int at)
{
	int from, end, who = at + 1;
	struct buf line = {0}, state = {0};
	measure_of(p, at, &from, &end);
	int left = words_name(p, from, LEX_NAME), right = words_name(p, who, LEX_NAME);
	left += p->raw[from + left].kind == RAW_ORDINAL;
	right += p->raw[who + right].kind == RAW_ORDINAL;
	int then = who + right;
	then += slip_any(p, then, "both|each|either");
	bool be = slip_any(p, then, "is|are");
	const struct raw *r = &p->raw[then + be];
	const char *known = then + be + 1 == end ? said_state(phrase_text(p, r->start), r->end - r->start) : NULL;
	if (known)
		buf_puts(&state, known);
	else if (be)
		slip_text(p, then + 1, end, &state);
	bool found = left > 0 && from + left == at && right > 0 && then + be < end && state.length > 0;
	for (int side = 0; found && side < 2; side++) {
		slip_text(p, side ? who : from, side ? who + right : at, &line);
		buf_printf(&line, " is %s", buf_text(&state));
		if (!side) {
			buf_putc(&line, ' ');
			slip_text(p, at, at + 1, &line);
			buf_putc(&line, ' ');
		}
	}
	if (found)
		slip_say(p, M_GIVING_BRACKETS, p->token, &line);
	buf_free(&line);
	buf_free(&state);
	return found;
}

/* odds giving Bruna's hit points < 5, Bruna's hit points at least 5: all of the condition, to the
 * comma, the end of the line, or what it is expected to come to. */
static bool condition(struct phrase *p, int token)
{
	int from = slip_raw(p), end = from, bound = 0, depth = 0;
	for (; from > p->line && !phrase_is(p, from - 1, "giving") && (depth || p->raw[from - 1].kind != ','); from--)
		depth += (p->raw[from - 1].kind == ')') - (p->raw[from - 1].kind == '(');
	from += phrase_is(p, from, "average") || phrase_is(p, from, "spread");
	for (; !raw_is_end(&p->raw[end]) && (depth || p->raw[end].kind != ','); end++) {
		depth += (p->raw[end].kind == '(') - (p->raw[end].kind == ')');
		if (!depth && slip_compares(p->raw[end].kind))
			bound = end;
	}
	if (bound && phrase_is(p, slip_first(p, from), "expect"))
		end = bound;
	if (from >= end || p->raw[from].start >= p->token.start)
		return false; /* there is none */
	const char *text = with(p, from, end, "", token == TOK_AT_LEAST ? ">=" : token == TOK_AT_MOST ? "<=" : "");
	struct buf line = {0};
	for (const char *c = text; *c; c++) /* what happens cannot be part of it, how it stands can */
		if (!strncmp(c, " dies", 5) && (c[5] == ' ' || !c[5])) {
			buf_puts(&line, " is dead");
			c += 4;
		} else {
			buf_putc(&line, *c);
		}
	phrase_report(p, M_GIVING_BRACKETS, p->token, 1, arena_text(p->front->arena, line.data, line.length), NULL);
	buf_free(&line);
	return true;
}

/* odds giving Bruna's HP below 5; giving (Bruna's HP is more than 5) */
static bool compared_in_words(struct phrase *p, int at)
{
	int from = at, to = at, words = at, of = 0;
	bool less = false, more = false;
	while (words > p->line && !less && !more) {
		words--;
		less = phrase_is(p, words, "below") || phrase_is(p, words, "under") || phrase_is(p, words, "less") || phrase_is(p, words, "fewer");
		more = phrase_is(p, words, "above") || phrase_is(p, words, "over") || phrase_is(p, words, "more") || phrase_is(p, words, "greater");
		if (!less && !more && !phrase_is(p, words, "than"))
			return false;
	}
	if ((!less && !more) || p->raw[at].kind != RAW_NUMBER)
		return false;
	words -= words > p->line && phrase_is(p, words - 1, "is");
	for (from = words; from > p->line && !phrase_is(p, from - 1, "giving") && p->raw[from - 1].kind != ',' && p->raw[from - 1].kind != '('; from--)
		of += p->raw[from - 1].kind == RAW_OF;
	for (to = at + 1; to < p->count && !raw_is_end(&p->raw[to]) && raw_is_word(&p->raw[to]); to++)
		;
	if (!of || from >= words)
		return false;
	struct buf line = {0};
	slip_add(p, p->raw[from].start, p->raw[words - 1].end, &line);
	buf_puts(&line, less ? " < " : " > ");
	slip_add(p, p->raw[at].start, p->raw[to - 1].end, &line);
	phrase_report(p, M_GIVING_BRACKETS, p->token, 1, arena_text(p->front->arena, line.data, line.length), NULL);
	buf_free(&line);
	return true;
}

/* What stands behind giving and is no measure. */
static bool report_measure(struct phrase *p, int token, int at, int first, int end)
{
	struct buf line = {0};
	enum message id = M_ODDS_HEAD;
	int giving = slip_word(p, first, end, "giving");
	if (!p->paren && token == '{' && giving < at) { /* giving party wins { Bruna flees } */
		slip_text(p, first, giving, &line);
		buf_putc(&line, ' ');
		slip_text(p, at, end, &line);
		buf_putc(&line, ' ');
		slip_text(p, giving, at, &line);
	} else if (!p->paren && (slip_any(p, at, "vs|versus") || (token == TOK_AND && p->raw[at - 1].kind == ',')) && at + 1 < end) {
		/* giving party wins vs orcs win; party wins, and Bruna survives */
		id = M_GIVING_COMMA;
		slip_text(p, first, at - (token == TOK_AND), &line);
		buf_puts(&line, ", ");
		slip_text(p, at + 1, end, &line);
	} else if (!p->paren && slip_any(p, at, "times|fights|trials|runs") && p->raw[at - 1].kind == RAW_NUMBER && p->raw[at - 2].kind == ',' && giving < at) {
		/* giving party wins, 100 times */
		buf_puts(&line, "odds ");
		slip_text(p, at - 1, at, &line);
		buf_putc(&line, ' ');
		slip_text(p, giving, at - 2, &line);
	} else {
		return false;
	}
	slip_say(p, id, p->token, &line);
	buf_free(&line);
	return true;
}

/* odds vs { .. }; odds { .. } vs giving ..: a branch is missing, which is the fight as it is. */
static bool lacks_branch(struct phrase *p, int token, int at, int first, int end)
{
	bool before = slip_any(p, at, "vs|versus") && at > first && p->raw[at - 1].kind != '}', behind = token != '{' && slip_any(p, at - 1, "vs|versus");
	int giving = slip_word(p, at, end, "giving");
	if (!phrase_is(p, first + phrase_is(p, first, "expect"), "odds") || (!before && !behind) || p->lead == TOK_GIVING)
		return false;
	if (before && p->raw[at + 1].kind != '{')
		return false;
	if (behind) /* what somebody does is put into its braces by head() */
		for (int i = at; i < giving; i++)
			if (!slip_any(p, i, "nothing|normal|normally|as|it|is|the|same|usual|not|none|default|otherwise|current"))
				return false;
	struct buf line = {0};
	slip_text(p, first, at, &line);
	buf_puts(&line, " { } ");
	slip_text(p, before ? at : giving, end, &line);
	if (line.data[line.length - 1] == ' ')
		line.length--;
	slip_say(p, M_VERSUS, p->token, &line);
	buf_free(&line);
	return true;
}

bool report_odds_mark(struct phrase *p)
{
	int at = p->at, first = slip_first(p, at), end = slip_end(p, at);
	struct buf line = {0};
	if (!phrase_is(p, first + phrase_is(p, first, "expect"), "odds"))
		return false;
	size_t shut = 0;
	if (phrase_text(p, p->raw[at].start)[0] == '.' && phrase_is(p, at - 1, "vs")) { /* { .. } vs. { .. } */
		slip_text(p, first, at, &line);
		buf_putc(&line, ' ');
		slip_text(p, at + 1, end, &line);
		slip_say(p, M_VERSUS, phrase_span(p, p->raw[at].start, p->raw[at].end), &line);
	} else if (phrase_text(p, p->raw[at].start)[0] == '[') { /* odds [Bruna flees] */
		struct buf said = {0};
		slip_text(p, first, end, &said);
		for (size_t i = 0; i < said.length; i++) {
			shut += said.data[i] == ']';
			if (said.data[i] == '[' || said.data[i] == ']')
				buf_puts(&line, said.data[i] == '[' ? "{ " : " }");
			else
				buf_putc(&line, said.data[i]);
		}
		buf_free(&said);
		if (shut)
			slip_say(p, M_ODDS_HEAD, phrase_span(p, p->raw[at].start, p->raw[at].end), &line);
	}
	bool found = p->raw[at].kind == RAW_BAD_NUMBER && phrase_is(p, at - 1, "odds"); /* odds 1e5 */
	if (found)
		phrase_report(p, M_NO_TRIALS, phrase_span(p, p->raw[at].start, p->raw[at].end), 0, NULL, NULL);
	found |= line.length > 0 && (shut || phrase_text(p, p->raw[at].start)[0] == '.');
	buf_free(&line);
	return found;
}

bool report_odds(struct phrase *p, int token, bool whole)
{
	int at = slip_raw(p), first = slip_first(p, at), end = slip_end(p, at);
	const struct raw *r = &p->raw[at];
	if ((whole || at < end || slip_word(p, first, end, "giving") == end) && report_bound(p, at))
		return true;
	if (report_sweep(p) || lacks_branch(p, token, at, first, end))
		return true;
	if (phrase_is(p, first, "plot") && at == first + 1 && at < end)
		for (int i = at; i < end; i++)
			if (phrase_is(p, i, "from") || phrase_is(p, i, "over")) {
				struct buf line = {0};
				buf_puts(&line, "plot sweep ");
				slip_add(p, r->start, p->raw[end - 1].end, &line);
				phrase_report(p, M_PLOT_SWEEP, p->token, 1, arena_text(p->front->arena, line.data, line.length), NULL);
				buf_free(&line);
				return true;
			}
	if (phrase_is(p, first, "plot") && at == first + 1 && at < end && raw_is_word(r)) { /* plot party wins */
		struct buf line = {0};
		buf_puts(&line, "plot odds giving ");
		slip_text(p, at, end, &line);
		slip_say(p, M_PLOT_SWEEP, p->token, &line);
		buf_free(&line);
		return true;
	}
	if (p->lead == TOK_GIVING && report_measure(p, token, at, first, end))
		return true;
	if (p->lead == TOK_GIVING && !p->paren) {
		/* odds giving party wins >= 60% */
		if (slip_compares(token == TOK_LE ? RAW_LE : token == TOK_GE ? RAW_GE : token) && at + 1 < p->count && p->raw[at + 1].kind == RAW_PERCENT && phrase_is(p, first, "odds")) {
			struct buf asked = {0};
			slip_add(p, p->raw[first].start, p->raw[at - 1].end, &asked);
			phrase_report(p, M_GIVING_BOUND, p->token, 1, swept(p) ? arena_text(p->front->arena, asked.data, asked.length) : with(p, first, end, "expect ", ""), NULL);
			buf_free(&asked);
			return true;
		}
		switch (token) {
		case '<': case '>': case '=': case TOK_LE: case TOK_GE: case TOK_NE: case TOK_AND: case TOK_OR: case TOK_AT_LEAST: case TOK_AT_MOST:
			return (token == TOK_AND || token == TOK_OR ? of_each(p, at) : false) || condition(p, token);
		default:
			break;
		}
	}
	if (p->lead == TOK_GIVING && token == TOK_NUMBER && compared_in_words(p, at))
		return true;
	/* odds { .. } { .. } */
	if (token == '{' && at > p->line && p->raw[at - 1].kind == '}' && (phrase_is(p, first, "odds") || phrase_is(p, first + 1, "odds"))) {
		struct buf line = {0};
		slip_add(p, p->raw[first].start, p->raw[at - 1].end, &line);
		buf_puts(&line, " vs ");
		slip_add(p, r->start, p->raw[end - 1].end, &line);
		phrase_report(p, M_VERSUS, p->token, 1, arena_text(p->front->arena, line.data, line.length), NULL);
		buf_free(&line);
		return true;
	}
	/* odds 50%, odds -5 */
	if (at > first && phrase_is(p, at - 1, "odds") && (r->kind == RAW_PERCENT || r->kind == '-')) {
		phrase_report(p, M_NO_TRIALS, p->token, 0, NULL, NULL);
		return true;
	}
	/* odds 1,000 */
	if (token == ',' && at > p->line && at + 1 < p->count && p->raw[at - 1].kind == RAW_NUMBER && p->raw[at - 1].end == r->start &&
	    p->raw[at + 1].kind == RAW_NUMBER && r->end == p->raw[at + 1].start && p->raw[at + 1].end - r->end == 3) {
		struct buf digits = {0};
		slip_add(p, p->raw[at - 1].start, p->raw[at - 1].end, &digits);
		for (int i = at; p->raw[i].kind == ',' && p->raw[i + 1].kind == RAW_NUMBER && p->raw[i].end == p->raw[i + 1].start && p->raw[i - 1].end == p->raw[i].start; i += 2)
			slip_add(p, p->raw[i + 1].start, p->raw[i + 1].end, &digits);
		phrase_report(p, M_NUMBER_COMMA, p->token, 1, arena_text(p->front->arena, digits.data, digits.length), NULL);
		buf_free(&digits);
		return true;
	}
	if (token != ',' && report_head(p, first, at, end))
		return true;
	/* compare { Bruna flees } vs { Bruna waits } */
	if (phrase_is(p, first, "compare") && at == first + 1 && r->kind == '{') {
		struct buf line = {0};
		buf_puts(&line, "odds ");
		slip_text(p, at, end, &line);
		slip_say(p, M_ODDS_HEAD, p->token, &line);
		buf_free(&line);
		return true;
	}
	/* compare osric vs lite */
	if (phrase_is(p, first, "compare") && at == end && at > first + 3 && slip_word(p, first, end, "giving") == end) {
		struct buf line = {0};
		slip_add(p, p->raw[first].start, p->raw[end - 1].end, &line);
		buf_puts(&line, " giving party wins");
		phrase_report(p, M_COMPARE_GIVING, p->token, 1, arena_text(p->front->arena, line.data, line.length), NULL);
		buf_free(&line);
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
