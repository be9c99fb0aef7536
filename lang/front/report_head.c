/* report_head.c - slips in the head of a question of odds: odds 200 fights giving .., odds 200 in The Keep, odds Bruna flees
 * vs Bruna acts giving .. */
#include <stdlib.h>
#include <string.h>
#include "lang/front/gram.h"
#include "lang/front/slip.h"

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
	if (to > from + 1 && p->raw[from].kind == '(' && p->raw[to - 1].kind == ')' && slip_word(p, from, to, "vs") == to) {
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

bool report_head(struct phrase *p, int first, int at, int end)
{
	while (end > at + 1 && p->raw[end - 1].kind == '?')
		end--;
	int giving = slip_word(p, at, end, "giving"), odds = first + phrase_is(p, first, "expect"), from = at;
	if (!phrase_is(p, odds, "odds") || at <= odds || at >= end || p->raw[at].kind == '{')
		return false;
	for (int i = first; i < end; i++)
		if (p->raw[i].kind == '{' || p->raw[i].kind == '}')
			return false;
	struct buf line = {0};
	bool does = phrase_is(p, at, "if") || phrase_is(p, at, "when") || phrase_is(p, at, "with"), on = phrase_is(p, at, "in") || phrase_is(p, at, "for") || phrase_is(p, at, "at");
	bool of = phrase_is(p, at, "of") || phrase_is(p, at, "that") || phrase_is(p, at, "whether");
	from += does || on || of;
	if (slip_word(p, odds, at, "giving") < at) {
		/* odds giving 200 heroes win: the number stands too late */
		if (at != odds + 3 || p->raw[at - 1].kind != RAW_NUMBER || !raw_is_word(&p->raw[at]))
			return false;
		slip_add(p, p->raw[first].start, p->raw[odds].end, &line);
		buf_putc(&line, ' ');
		slip_add(p, p->raw[at - 1].start, p->raw[at - 1].end, &line);
		buf_puts(&line, " giving ");
		slip_add(p, p->raw[at].start, p->raw[end - 1].end, &line);
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
		slip_add(p, p->raw[first].start, p->raw[at - 1].end, &line);
		if (verb && (giving < end || does || slip_word(p, from, end, "vs") < end))
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
		if (giving == end ? !(verb && (does || slip_word(p, from, end, "vs") < end)) : on && name && !verb)
			slip_add(p, p->raw[from].start, p->raw[giving - 1].end, &line);
		if (giving < end) {
			buf_putc(&line, ' ');
			slip_add(p, p->raw[giving].start, p->raw[end - 1].end, &line);
		}
	}
	phrase_report(p, M_ODDS_HEAD, p->token, 1, arena_text(p->front->arena, line.data, line.length), NULL);
	buf_free(&line);
	return true;
}
