/* report_rule.c - slips in clauses and in the lines of policies: a word of the language misspelt,
 * `instead hit {`, `define combatant's luck 3`, `attack orc if Ann is able`. */
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/slip.h"

/* Whether the outermost block around this line has this word at its head. */
static bool block_is(const struct phrase *p, const char *word)
{
	for (int i = 0; i < p->count && p->brace.n; i++)
		if (p->raw[i].start >= p->brace.v[0].open)
			return slip_any(p, slip_begin(p, i), word);
	return false;
}

/* adjst to-hit (attacker, target, weapon) by 1 */
static bool clause_misspelt(struct phrase *p)
{
	const struct raw *r = &p->raw[p->line];
	const int end = slip_line_end(p, p->line);
	VEC(const char *) words = {0};
	int token;
	if (p->lead || end < p->line + 3 || r->kind != RAW_WORD || !block_is(p, "rule") ||
		words_of_language(p, p->line, W_START, &token))
		return false;
	for (int i = 0; i < word_count; i++)
		if (word_table[i].class & W_START)
			VEC_PUSH(words, word_table[i].text);
	const char *best = diag_nearest(intern_folded(p->front->names, r->word), words.v, words.n);
	VEC_FREE(words);
	if (!best)
		return false;
	struct buf line = {0};
	buf_printf(&line, "%s ", best);
	slip_text(p, p->line + 1, end, &line);
	return slip_meant(p, p->line, end, &line);
}

/* instead hit { */
static bool instead_without_of(struct phrase *p)
{
	const int end = slip_line_end(p, p->line);
	if (!slip_any(p, p->line, "instead") || phrase_is(p, p->line + 1, "of") ||
		end < p->line + 2)
		return false;
	struct buf line = {0};
	buf_puts(&line, "instead of ");
	slip_text(p, p->line + 1, end + (p->raw[end].kind == '{'), &line);
	return slip_meant(p, p->line, end, &line);
}

/* define combatant's luck 3 */
static bool define_without_sign(struct phrase *p, int at, bool sign)
{
	const int end = slip_line_end(p, at);
	if (!sign || (p->lead != TOK_DEFINE && p->lead != TOK_LET) || at < p->line + 2 ||
		at >= end || p->raw[at].kind == '=' || p->raw[at].kind == ':')
		return false;
	for (int i = p->line; i < at; i++)
		if (p->raw[i].kind == '=' || slip_any(p, i, "is|are|when"))
			return false;
	return slip_with(p, at, " = ", at, end);
}

/* adjust to hit (attacker, target, weapon) by 1: words that are one name with dashes between */
static bool parted_name(struct phrase *p)
{
	const int end = slip_line_end(p, p->line);
	struct buf name = {0}, line = {0};
	if (!slip_any(p, p->line, "adjust|define|limit") || p->line + 2 >= end)
		return false;
	slip_text(p, p->line + 1, p->line + 2, &name);
	for (int n = 2; n <= 4 && p->line + n < end && p->raw[p->line + n].kind == RAW_WORD; n++) {
		buf_putc(&name, '-');
		slip_text(p, p->line + n, p->line + n + 1, &name);
		if (!intern_find(p->front->names, name.data, name.length))
			continue;
		slip_text(p, p->line, p->line + 1, &line);
		buf_printf(&line, " %s ", buf_text(&name));
		slip_text(p, p->line + n + 1, end, &line);
		break;
	}
	buf_free(&name);
	return line.length && slip_meant(p, p->line, end, &line);
}

/* to-hit = 4, without its `define` */
static bool lone_sign(struct phrase *p, int at)
{
	const int end = slip_line_end(p, p->line);
	int token, sign = at;
	while (sign < end && p->raw[sign].kind != '=')
		sign++;
	if (p->lead || !block_is(p, "rule") || p->brace.n != 1 || at <= p->line ||
		sign + 1 >= end || (p->raw[at].kind != '=' && p->raw[at].kind != '(') ||
		words_of_language(p, p->line, W_START, &token))
		return false;
	struct buf line = {0};
	buf_puts(&line, "define ");
	slip_text(p, p->line, end, &line);
	return slip_meant(p, p->line, end, &line);
}

/* limit X's movement at most 3 */
static bool limit_without_to(struct phrase *p, int at)
{
	const int end = slip_line_end(p, p->line);
	if (!slip_any(p, p->line, "limit") || !phrase_is(p, at, "at") ||
		!slip_any(p, at + 1, "most|least") || phrase_is(p, at - 1, "to"))
		return false;
	return slip_with(p, at, " to ", at, end);
}

/* What is done from here on, in the words of a policy; false: no action stands there. */
static bool put_deed(struct phrase *p, int at, int end, struct buf *line)
{
	sym verb;
	const int n = words_verb(p, at, &verb);
	const struct lex_entry *e = n > 0 ? lexicon_find(p->front->lexicon, verb, LEX_VERB) : NULL;
	if (!e || !(e->flags & LEX_ACTION))
		return false;
	buf_puts(line, intern_text(p->front->names, verb));
	buf_puts(line, at + n < end ? " " : "");
	slip_text(p, at + n, end, line);
	return true;
}

/* policy brave attacks my nearest enemy */
static bool policy_without_brace(struct phrase *p)
{
	const int end = slip_line_end(p, p->line);
	struct buf line = {0}, deed = {0};
	if (!slip_any(p, p->line, "policy") || p->raw[end].kind == '{')
		return false;
	for (int i = p->line + 2; i < end; i++)
		if (put_deed(p, i, end, &deed)) {
			slip_text(p, p->line, i, &line);
			buf_printf(&line, " { %s }", buf_text(&deed));
			buf_free(&deed);
			return slip_meant(p, p->line, end, &line);
		}
	return false;
}

/* attack orc if Ann is able; if Ann is able attack orc */
static bool policy_if(struct phrase *p)
{
	const int end = slip_line_end(p, p->line);
	struct buf line = {0};
	int at = p->line;
	if (!block_is(p, "policy") || p->raw[end].kind == '{')
		return false;
	while (at < end && !phrase_is(p, at, "if"))
		at++;
	if (at + 1 >= end)
		return false;
	if (at > p->line) {
		slip_text(p, p->line, at, &line);
		buf_puts(&line, " when ");
		slip_text(p, at + 1, end, &line);
		return slip_meant(p, p->line, end, &line);
	}
	for (int i = at + 2; i < end; i++)
		if (put_deed(p, i, end, &line)) {
			buf_puts(&line, " when ");
			slip_text(p, at + 1, i - slip_any(p, i - 1, "then"), &line);
			return slip_meant(p, p->line, end, &line);
		}
	return false;
}

/* if my hit points < 10 { flee } else { attack my nearest enemy }: lines are tried from the top */
bool report_policy_else(struct phrase *p)
{
	const int at = slip_raw(p);
	int from = at, open = at;
	while (from > 0 && !phrase_is(p, from, "if"))
		from--;
	while (open > from && p->raw[open].kind != '{')
		open--;
	if (!block_is(p, "policy") || open <= from + 1 || p->raw[at - 1].kind != '}')
		return false;
	struct buf line = {0};
	int end = at + 1;
	slip_text(p, open + 1, at - 1, &line);
	buf_puts(&line, " when ");
	slip_text(p, from + 1, open, &line);
	if (p->raw[end].kind == '{') {
		int close = end + 1;
		while (close < p->count && p->raw[close].kind != '}' && !raw_is_end(&p->raw[close]))
			close++;
		if (close > end + 1) {
			buf_puts(&line, "; ");
			slip_text(p, end + 1, close, &line);
			end = close;
		}
	}
	return slip_meant(p, from, end, &line);
}

bool report_rule(struct phrase *p, bool sign)
{
	return instead_without_of(p) || parted_name(p) || lone_sign(p, slip_raw(p)) ||
		limit_without_to(p, slip_raw(p)) || define_without_sign(p, slip_raw(p), sign) ||
		policy_without_brace(p) || policy_if(p) || clause_misspelt(p);
}

/* ---- lines of an encounter, and of the prompt ---- */

/* goblin #1 has 3 hit points */
bool report_amount(struct phrase *p)
{
	const int n = words_name(p, p->line, LEX_NAME | LEX_PLURAL),
		  end = slip_line_end(p, p->line);
	int has = p->line + n; /* the number of one of several stands between */
	has += n && has < end && !slip_any(p, has, "has|have");
	const int at = has + 1;
	if (!n || !slip_any(p, has, "has|have") || p->raw[at].kind != RAW_NUMBER || at + 1 >= end ||
		words_name(p, at + 1, LEX_FIELD | LEX_ALIAS) != end - at - 1)
		return false;
	const bool block = p->brace.n == 1;
	struct buf line = {0};
	buf_puts(&line, block ? "" : "set ");
	slip_text(p, p->line, has, &line);
	buf_puts(&line, "'s ");
	slip_text(p, at + 1, end, &line);
	buf_puts(&line, block ? ": " : " = ");
	slip_text(p, at, at + 1, &line);
	return slip_meant(p, p->line, end, &line);
}

/* Ann vs Ben: two sides, where sides are declared */
bool report_against(struct phrase *p)
{
	const int n = words_name(p, p->line, LEX_NAME | LEX_PLURAL), vs = p->line + n;
	const int end = slip_line_end(p, p->line);
	if (!n || p->brace.n != 1 || !slip_any(p, vs, "vs|versus|against") || vs + 1 >= end)
		return false;
	struct buf line = {0};
	buf_puts(&line, "side party: ");
	slip_text(p, p->line, vs, &line);
	buf_puts(&line, "; side foes: ");
	slip_text(p, vs + 1, end, &line);
	int head = p->line;
	while (head > 0 && p->raw[head].start > p->brace.v[0].open)
		head--;
	head = slip_begin(p, head); /* that the encounter has no sides follows */
	VEC_PUSH(p->front->said, phrase_span(p, p->raw[head].start, p->raw[end - 1].end));
	return slip_meant(p, p->line, end, &line);
}

/* side foes: orc & Grak */
bool report_ampersand(struct phrase *p)
{
	const int end = slip_line_end(p, p->at), from = slip_begin(p, p->at);
	struct buf line = {0};
	int colon = from;
	while (colon < p->at && p->raw[colon].kind != ':')
		colon++;
	if (p->lead != TOK_SIDE || *phrase_text(p, p->raw[p->at].start) != '&' || p->at == from ||
		p->at + 1 >= end)
		return false;
	slip_text(p, from, p->at, &line);
	buf_puts(&line, colon < p->at ? ", " : " and ");
	slip_text(p, p->at + 1, end, &line);
	return slip_meant(p, from, end, &line);
}
