/* report_odds.c - slips in questions of odds, each with the line that was meant. */
#include <stdlib.h>
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/slip.h"

int slip_raw(const struct phrase *p)
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

void slip_text(const struct phrase *p, int from, int end, struct buf *out)
{
	if (from < end)
		add_text(p, p->raw[from].start, p->raw[end - 1].end, out);
}

bool slip_any(const struct phrase *p, int at, const char *words)
{
	if (at < 0 || at >= p->count || !raw_is_word(&p->raw[at]))
		return false;
	const char *said = intern_folded(p->front->names, p->raw[at].word);
	size_t length = strlen(said);
	for (const char *c = words; *c; c += strcspn(c, "|"), c += *c == '|')
		if (strcspn(c, "|") == length && !strncmp(c, said, length))
			return true;
	return false;
}

void slip_say(struct phrase *p, enum message id, struct span at, const struct buf *line)
{
	phrase_report(p, id, at, 1, arena_text(p->front->arena, line->data, line->length), NULL);
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

static bool compares(int kind)
{
	return kind == '<' || kind == '>' || kind == '=' || kind == RAW_LE || kind == RAW_GE || kind == RAW_NE;
}

/* The end of a line behind which the question goes on. */
static bool open_end(const struct phrase *p, int at)
{
	return at > 0 && p->raw[at].kind == RAW_NL && (p->raw[at - 1].kind == ',' || compares(p->raw[at - 1].kind) || phrase_is(p, at - 1, "vs") || phrase_is(p, at - 1, "giving"));
}

int slip_first(const struct phrase *p, int at)
{
	int inside = 0;
	for (; at > 0; at--) {
		const struct raw *r = &p->raw[at - 1];
		inside += (r->kind == '}') - (r->kind == '{');
		if (inside < 0 || (inside == 0 && r->kind != '}' && r->kind != '{' && raw_is_end(r) && !open_end(p, at - 1)))
			break;
	}
	return at;
}

int slip_end(const struct phrase *p, int at)
{
	int inside = 0;
	for (; at < p->count; at++) {
		const struct raw *r = &p->raw[at];
		if (inside == 0 && raw_is_end(r) && !open_end(p, at))
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

/* The measure that a token is part of: what is parted by commas behind giving, up to what it is expected to come to. */
static void measure_of(const struct phrase *p, int at, int *from, int *end)
{
	int depth = 0;
	for (*from = at; *from > p->line && !phrase_is(p, *from - 1, "giving") && (depth || p->raw[*from - 1].kind != ','); --*from)
		depth += (p->raw[*from - 1].kind == ')') - (p->raw[*from - 1].kind == '(');
	for (*end = at; !raw_is_end(&p->raw[*end]) && p->raw[*end].kind != '{' && (depth || p->raw[*end].kind != ',') && !compares(p->raw[*end].kind); ++*end)
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
		if (!depth && compares(p->raw[end].kind))
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
	add_text(p, p->raw[from].start, p->raw[words - 1].end, &line);
	buf_puts(&line, less ? " < " : " > ");
	add_text(p, p->raw[at].start, p->raw[to - 1].end, &line);
	phrase_report(p, M_GIVING_BRACKETS, p->token, 1, arena_text(p->front->arena, line.data, line.length), NULL);
	buf_free(&line);
	return true;
}

/* ---- what odds are expected to come to ---- */

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

/* Where a word of the question itself stands, not of its branches. */
static int word_of(const struct phrase *p, int first, int end, const char *word)
{
	int depth = 0;
	for (int i = first; i < end; i++) {
		depth += (p->raw[i].kind == '{') - (p->raw[i].kind == '}');
		if (depth == 0 && phrase_is(p, i, word))
			return i;
	}
	return end;
}

/* The odds of what? For a condition without its brackets there is another message. */
bool report_bound(struct phrase *p, int at)
{
	int first = slip_first(p, at), end = slip_end(p, first), giving = word_of(p, first, end, "giving");
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
	add_text(p, p->raw[first].start, p->raw[(giving == end ? at : till) - 1].end, &line);
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
	return phrase_is(p, first, "expect") && phrase_is(p, first + 1, "odds") && (next >= p->count || !compares(p->raw[next].kind));
}

/* ---- the head: odds 200 fights giving .., odds 200 in The Keep, odds Bruna flees vs Bruna acts giving .. ---- */

static bool has_verb(const struct phrase *p, int from, int to)
{
	sym verb;
	for (int i = from; i < to; i++)
		if (words_verb(p, i, &verb) > 0)
			return true;
	return false;
}

/* What somebody does, in braces, alternative by alternative. */
static void put_branches(const struct phrase *p, int from, int to, struct buf *line)
{
	if (to > from + 1 && p->raw[from].kind == '(' && p->raw[to - 1].kind == ')' && word_of(p, from, to, "vs") == to) {
		from++;
		to--;
	}
	for (int i = from, begin = from; i <= to; i++) {
		bool parts = i == to || phrase_is(p, i, "vs") || phrase_is(p, i, "versus") || phrase_is(p, i, "or");
		if (!parts || i == begin)
			continue;
		bool round = p->raw[begin].kind == '(' && p->raw[i - 1].kind == ')';
		buf_puts(line, begin > from ? " vs { " : " { ");
		slip_text(p, begin + round, i - round, line);
		buf_puts(line, " }");
		begin = i + 1;
	}
}

/* "party winning", "Bruna dying": what happens. */
static void put_winning(const struct phrase *p, int from, int end, struct buf *line)
{
	static const struct { const char *said, *verb; } words[] = {{"winning", "wins"}, {"dying", "dies"}, {"surviving", "survives"}, {"fleeing", "flees"}, {"hitting", "hits"}};
	for (int i = from; i < end; i++) {
		const char *verb = NULL;
		for (size_t k = 0; k < FRAY_COUNT(words); k++)
			if (i > from && phrase_is(p, i, words[k].said))
				verb = words[k].verb;
		if (verb) {
			buf_printf(line, " %s", verb);
		} else {
			buf_puts(line, i > from ? " " : "");
			slip_text(p, i, i + 1, line);
		}
	}
}

static bool head(struct phrase *p, int first, int at, int end)
{
	while (end > at + 1 && p->raw[end - 1].kind == '?')
		end--;
	int giving = word_of(p, at, end, "giving"), odds = first + phrase_is(p, first, "expect"), from = at;
	if (!phrase_is(p, odds, "odds") || at <= odds || at >= end || p->raw[at].kind == '{')
		return false;
	for (int i = first; i < end; i++)
		if (p->raw[i].kind == '{' || p->raw[i].kind == '}')
			return false;
	struct buf line = {0};
	bool does = phrase_is(p, at, "if") || phrase_is(p, at, "when") || phrase_is(p, at, "with"), on = phrase_is(p, at, "in") || phrase_is(p, at, "for") || phrase_is(p, at, "at");
	bool of = phrase_is(p, at, "of") || phrase_is(p, at, "that") || phrase_is(p, at, "whether");
	from += does || on || of;
	if (word_of(p, odds, at, "giving") < at) {
		/* odds giving 200 heroes win: the number stands too late */
		if (at != odds + 3 || p->raw[at - 1].kind != RAW_NUMBER || !raw_is_word(&p->raw[at]))
			return false;
		add_text(p, p->raw[first].start, p->raw[odds].end, &line);
		buf_putc(&line, ' ');
		add_text(p, p->raw[at - 1].start, p->raw[at - 1].end, &line);
		buf_puts(&line, " giving ");
		add_text(p, p->raw[at].start, p->raw[end - 1].end, &line);
	} else {
		if (giving == end && of && at + 1 < end) {
			slip_text(p, first, at, &line);
			buf_puts(&line, " giving ");
			put_winning(p, from, end, &line);
			slip_say(p, M_ODDS_HEAD, p->token, &line);
			buf_free(&line);
			return true;
		}
		if (phrase_is(p, at, "exact") && p->raw[at - 1].kind == RAW_NUMBER) { /* odds 100 exact */
			slip_text(p, first, at - 1, &line);
			buf_putc(&line, ' ');
			slip_text(p, at, end, &line);
			slip_say(p, M_ODDS_HEAD, p->token, &line);
			buf_free(&line);
			return true;
		}
		if (phrase_is(p, at, "without") && words_name(p, at + 1, LEX_NAME)) { /* odds without Bruna giving party wins */
			slip_text(p, first, at, &line);
			buf_puts(&line, " { ");
			slip_text(p, at + 1, giving, &line);
			buf_puts(&line, " leaves }");
			if (giving < end)
				buf_putc(&line, ' ');
			slip_text(p, giving, end, &line);
			slip_say(p, M_ODDS_HEAD, p->token, &line);
			buf_free(&line);
			return true;
		}
		bool verb = has_verb(p, from, giving), name = raw_is_word(&p->raw[from]);
		add_text(p, p->raw[first].start, p->raw[at - 1].end, &line);
		if (verb && (giving < end || does || word_of(p, from, end, "vs") < end))
			put_branches(p, from, giving, &line);
		else if (giving == end && verb)
			buf_puts(&line, " giving ");
		else if (on && name)
			buf_puts(&line, " on ");
		else if (giving == end)
			name = false;
		if ((giving == end && !verb && !name) || (does && !verb)) {
			buf_free(&line);
			return false;
		}
		if (giving == end ? !(verb && (does || word_of(p, from, end, "vs") < end)) : on && name && !verb)
			add_text(p, p->raw[from].start, p->raw[giving - 1].end, &line);
		if (giving < end) {
			buf_putc(&line, ' ');
			add_text(p, p->raw[giving].start, p->raw[end - 1].end, &line);
		}
	}
	phrase_report(p, M_ODDS_HEAD, p->token, 1, arena_text(p->front->arena, line.data, line.length), NULL);
	buf_free(&line);
	return true;
}

/* What stands behind giving and is no measure. */
static bool report_measure(struct phrase *p, int token, int at, int first, int end)
{
	struct buf line = {0};
	enum message id = M_ODDS_HEAD;
	int giving = word_of(p, first, end, "giving");
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
	int giving = word_of(p, at, end, "giving");
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
	if ((whole || at < end || word_of(p, first, end, "giving") == end) && report_bound(p, at))
		return true;
	if (report_sweep(p) || lacks_branch(p, token, at, first, end))
		return true;
	if (phrase_is(p, first, "plot") && at == first + 1 && at < end)
		for (int i = at; i < end; i++)
			if (phrase_is(p, i, "from") || phrase_is(p, i, "over")) {
				struct buf line = {0};
				buf_puts(&line, "plot sweep ");
				add_text(p, r->start, p->raw[end - 1].end, &line);
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
		if (compares(token == TOK_LE ? RAW_LE : token == TOK_GE ? RAW_GE : token) && at + 1 < p->count && p->raw[at + 1].kind == RAW_PERCENT && phrase_is(p, first, "odds")) {
			struct buf asked = {0};
			add_text(p, p->raw[first].start, p->raw[at - 1].end, &asked);
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
		add_text(p, p->raw[first].start, p->raw[at - 1].end, &line);
		buf_puts(&line, " vs ");
		add_text(p, r->start, p->raw[end - 1].end, &line);
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
		add_text(p, p->raw[at - 1].start, p->raw[at - 1].end, &digits);
		for (int i = at; p->raw[i].kind == ',' && p->raw[i + 1].kind == RAW_NUMBER && p->raw[i].end == p->raw[i + 1].start && p->raw[i - 1].end == p->raw[i].start; i += 2)
			add_text(p, p->raw[i + 1].start, p->raw[i + 1].end, &digits);
		phrase_report(p, M_NUMBER_COMMA, p->token, 1, arena_text(p->front->arena, digits.data, digits.length), NULL);
		buf_free(&digits);
		return true;
	}
	if (token != ',' && head(p, first, at, end))
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
	if (phrase_is(p, first, "compare") && at == end && at > first + 3 && word_of(p, first, end, "giving") == end) {
		struct buf line = {0};
		add_text(p, p->raw[first].start, p->raw[end - 1].end, &line);
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
