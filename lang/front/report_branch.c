/* report_branch.c - lines of a branch of odds that are no sentence, with the one that was meant:
 * "without Bruna", "2 more orcs", "Bruna has 5 hit points". */
#include <stdlib.h>
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/slip.h"

bool report_in_branch(const struct phrase *p)
{
	return p->brace.n > 0 && p->brace.v[p->brace.n - 1].lead == TOK_ODDS;
}

/* Somebody's name from here, with its number. */
static int name_at(const struct phrase *p, int at)
{
	int n = words_name(p, at, LEX_NAME | LEX_PLURAL);
	return n + (n && p->raw[at + n].kind == RAW_ORDINAL);
}

static int field_at(const struct phrase *p, int at)
{
	const struct lex_entry *e = NULL;
	int n = lexicon_match(p->front->lexicon, LEX_NAMES, &p->raw[at], p->count - at, LEX_FIELD | LEX_ALIAS, &e);
	return n && (e->flags & LEX_FIELD || lexicon_find(p->front->lexicon, e->alias, LEX_FIELD)) ? n : 0;
}

/* Whether all tokens up to the end are among these words. */
static bool only(const struct phrase *p, int at, int end, const char *words)
{
	for (; at < end; at++)
		if (p->raw[at].kind != RAW_OF && !slip_any(p, at, words))
			return false;
	return true;
}

/* without Bruna and Hal; Bruna is not there */
static bool leaves(const struct phrase *p, int from, int end, struct buf *line)
{
	bool told = slip_any(p, from, "without|no|not|remove|minus|except|lose");
	from += told;
	from += phrase_is(p, from, "the");
	int n = name_at(p, from), whole = end;
	if (!n)
		return false;
	if (!told) {
		if (from + n >= end || !only(p, from + n, end, "is|are|isn|not|t|there|here|present|absent|away|gone|missing|dead|stays|stay|home|at|out|behind|left|killed") || (phrase_is(p, end - 1, "is") || phrase_is(p, end - 1, "are")))
			return false;
		whole = from + n;
	}
	bool many = whole > from + n || words_name(p, from, LEX_PLURAL) > 0 || (p->raw[from + n - 1].kind == RAW_WORD && phrase_text(p, p->raw[from + n - 1].end)[-1] == 's');
	if (whole > from + n && p->raw[from + n].kind != ',' && !phrase_is(p, from + n, "and"))
		return false;
	slip_text(p, from, whole, line);
	buf_puts(line, many ? " leave" : " leaves");
	return true;
}

/* The side that is declared last with such among its members, or is called so. */
static void put_side(const struct phrase *p, int at, int n, struct buf *line)
{
	struct buf name = {0};
	slip_text(p, at, at + n, &name);
	for (int i = p->line - 1; i >= 0; i--) {
		int end = i + 1;
		if (!phrase_is(p, i, "side"))
			continue;
		while (raw_is_word(&p->raw[end]))
			end++;
		for (int k = end + 1; p->raw[end].kind == ':' && k < p->line && !raw_is_end(&p->raw[k]); k++) {
			size_t length = p->raw[k].end - p->raw[k].start;
			if (raw_is_word(&p->raw[k]) && !strncmp(phrase_text(p, p->raw[k].start), buf_text(&name), length < name.length ? length : name.length)) {
				slip_text(p, i + 1, end, line);
				buf_free(&name);
				return;
			}
		}
	}
	buf_puts(line, words_name(p, at, LEX_NAME) ? buf_text(&name) : "party");
	buf_free(&name);
}

/* A number, or a word for one; -1 for others. */
static int many_at(const struct phrase *p, int at)
{
	static const char *const words[] = {"one|another", "two", "three", "four", "five", "six"};
	if (p->raw[at].kind == RAW_NUMBER)
		return atoi(phrase_text(p, p->raw[at].start));
	for (size_t i = 0; i < FRAY_COUNT(words); i++)
		if (slip_any(p, at, words[i]))
			return (int)i + 1;
	return -1;
}

/* 2 more orcs; add 2 orcs; 8 orcs */
static bool joins(const struct phrase *p, int from, int end, struct buf *line)
{
	bool more = slip_any(p, from, "with|add|plus|and");
	int number = from + more, at = number + 1, many = many_at(p, number);
	if (many < 0)
		return false;
	for (; slip_any(p, at, "more|extra|additional|further|other|new"); at++)
		more = true;
	int n = words_name(p, at, LEX_NAME | LEX_PLURAL);
	if (!n || !only(p, at + n, end, "more|join|joins|come|comes|arrive|extra|too|to|the|party|instead|there|are"))
		return false;
	more |= slip_any(p, at + n, "more|join|joins|come|comes|arrive|extra|too");
	struct buf side = {0}, who = {0};
	buf_printf(&who, "%d ", many);
	slip_text(p, at, at + n, &who);
	put_side(p, at, n, &side);
	bool sides = side.length && side.data[side.length - 1] == 's';
	if (many == 1)
		buf_printf(line, "%s joins %s", strchr(buf_text(&who), ' ') + 1, buf_text(&side));
	else
		buf_printf(line, "%s join %s", buf_text(&who), buf_text(&side));
	if (!more)
		buf_printf(line, "; or, instead of those there: %s %s; %s join %s", buf_text(&side), sides ? "leave" : "leaves", buf_text(&who), buf_text(&side));
	buf_free(&who);
	buf_free(&side);
	return true;
}

static void put_set(const struct phrase *p, int who, int n, int field, int k, int value, int end, struct buf *line)
{
	bool number = p->raw[value].kind == RAW_NUMBER || p->raw[value].kind == RAW_PERCENT || p->raw[value].kind == '-';
	buf_puts(line, number ? "set " : "");
	slip_text(p, who, who + n, line);
	buf_puts(line, "'s ");
	slip_text(p, field, field + k, line);
	buf_puts(line, number ? " = " : ": ");
	slip_text(p, value, end, line);
}

/* set Bruna's hit points to 5; hit points of Bruna 5; Bruna has 5 hit points; Bruna carries mace */
static bool sets(const struct phrase *p, int from, int end, struct buf *line)
{
	from += phrase_is(p, from, "set");
	from += phrase_is(p, from, "the");
	int n = name_at(p, from), at = from + n, k;
	bool has = false;
	if (!n || (field_at(p, from) >= n && phrase_is(p, from + field_at(p, from), "of"))) {
		k = field_at(p, from);
		at = from + k + 1;
		n = name_at(p, at);
		int value = at + n;
		while (slip_any(p, value, "to|at|is|are|becomes") || p->raw[value].kind == '=')
			value++;
		if (!k || !n || !phrase_is(p, from + k, "of") || value >= end)
			return false;
		put_set(p, at, n, from, k, value, end, line);
		return true;
	}
	bool own = p->raw[at].kind == RAW_OF || from > p->line;
	at += p->raw[at].kind == RAW_OF;
	for (; slip_any(p, at, "has|have|with|starts|begins|at|on"); at++)
		has = true;
	if (has && p->raw[at].kind == RAW_NUMBER) {
		k = field_at(p, at + 1);
		if (!k || !only(p, at + 1 + k, end, "left|only"))
			return false;
		put_set(p, from, n, at + 1, k, at, at + 1, line);
		return true;
	}
	k = has ? 0 : field_at(p, at);
	int value = at + k;
	while (k && (slip_any(p, value, "to|at|is|are|becomes") || p->raw[value].kind == '='))
		value++;
	bool number = p->raw[value].kind == RAW_NUMBER || p->raw[value].kind == RAW_PERCENT, does = k == 1 && phrase_text(p, p->raw[at].end)[-1] == 's';
	if (!k || value >= end || (!own && !number && !does)) /* of what is no number: carries mace */
		return false;
	put_set(p, from, n, at, k, value, end, line);
	return true;
}

/* Bruna loses 5 hit points */
static bool changes(const struct phrase *p, int from, int end, struct buf *line)
{
	int n = name_at(p, from), at = from + n;
	bool less = slip_any(p, at, "loses|lose|takes|take|suffers|suffer"), more = slip_any(p, at, "gains|gain|heals|heal|regains|regain");
	if (!n || (!less && !more) || p->raw[at + 1].kind != RAW_NUMBER || at + 2 > end)
		return false;
	int k = slip_any(p, at + 2, "damage|points") ? 0 : field_at(p, at + 2);
	buf_puts(line, "change ");
	slip_text(p, from, at, line);
	buf_puts(line, "'s ");
	if (k)
		slip_text(p, at + 2, at + 2 + k, line);
	else
		buf_puts(line, "hit points");
	buf_puts(line, less ? " by -" : " by ");
	slip_text(p, at + 1, at + 2, line);
	return true;
}

/* Bruna wields mace */
static bool wields(const struct phrase *p, int from, int end, struct buf *line)
{
	int n = name_at(p, from), at = from + n;
	if (!n || !slip_any(p, at, "wields|wield|uses|use|draws|with") || !words_name(p, at + 1, LEX_NAME))
		return false;
	slip_text(p, from, at, line);
	buf_puts(line, "'s weapon: ");
	slip_text(p, at + 1, end, line);
	return true;
}

/* { Bruna flees vs Bruna waits } */
static bool parted(const struct phrase *p, int from, int end, struct buf *line)
{
	int at = from + 1;
	while (at < end && !slip_any(p, at, "vs|versus"))
		at++;
	if (at + 1 >= end)
		return false;
	buf_puts(line, "{ ");
	slip_text(p, from, at, line);
	buf_puts(line, " } vs { ");
	slip_text(p, at + 1, end, line);
	buf_puts(line, " }");
	return true;
}

bool report_branch(struct phrase *p)
{
	int from = p->line, end = from;
	struct buf line = {0};
	if (!report_in_branch(p))
		return false;
	while (end < p->count && !raw_is_end(&p->raw[end]) && p->raw[end].kind != '}')
		end++;
	bool found = from < end && (parted(p, from, end, &line) || leaves(p, from, end, &line) || joins(p, from, end, &line) || changes(p, from, end, &line) || sets(p, from, end, &line) || wields(p, from, end, &line));
	if (!found && from < end && only(p, from, end, "nothing|normal|normally|as|it|is|the|same|usual|default|otherwise")) {
		buf_puts(&line, "{ }");
		found = true;
	}
	if (found)
		slip_say(p, M_BRANCH_SAID, phrase_span(p, p->raw[from].start, p->raw[end - 1].end), &line);
	buf_free(&line);
	return found;
}
