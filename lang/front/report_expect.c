/* report_expect.c - an expectation of several things in one line: "expect Ann hits Bob and Bob
 * is dead". One line expects one thing done, or how it stands; the lines to write are shown. */
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/slip.h"

enum { PARTS = 6 };

/* One of the things expected: its tokens, and where who does it ends (`from`: nobody is named). */
struct part {
	int from, end, who;
	bool deed; /* something done, not how it stands */
};

/* How many tokens part two things here: "and", ", and", "&", "then". */
static int joint_at(const struct phrase *p, int at, bool *open)
{
	static const char words[] = "and|but|then|or|while";
	const bool comma = p->raw[at].kind == ',' || *phrase_text(p, p->raw[at].start) == '&';
	const int n = comma + slip_any(p, at + comma, words);
	*open = n && slip_any(p, at + n - 1, "or");
	return n;
}

/* Whether these tokens say what is done, or how it stands: with "is" or a sign, whatever else
 * there is. */
static bool sentence(const struct phrase *p, struct part *x)
{
	int verb_at = -1, state_at = -1;
	sym verb;
	for (int i = x->from; i < x->end && state_at < 0; i++) {
		const int name = words_name(p, i, LEX_NAME | LEX_PLURAL | LEX_FIELD | LEX_ALIAS);
		const bool own = i > x->from && p->raw[i - 1].kind == RAW_OF;
		if (slip_any(p, i, "is|are|was|were|has|have") || slip_compares(p->raw[i].kind))
			state_at = i;
		else if (name > 1 && i + name <= x->end)
			i += name - 1;
		else if (!own && verb_at < 0 && words_verb(p, i, &verb) > 0)
			verb_at = i;
	}
	x->deed = state_at < 0;
	x->who = x->deed ? verb_at : state_at;
	return x->who >= 0;
}

/* The line in its parts; 0: it is one, or more than can be told. `open`: one of them will do. */
static int parts_of(const struct phrase *p, int from, int end, struct part *part, bool *open)
{
	int n = 0, depth = 0;
	*open = false;
	part[0] = (struct part){.from = from};
	for (int i = from; i <= end; i++) {
		bool either = false;
		depth += i < end ? (p->raw[i].kind == '(') - (p->raw[i].kind == ')') : 0;
		const int name = i < end ? words_name(p, i, LEX_NAME | LEX_PLURAL) : 0;
		const int joint = i < end && !depth ? joint_at(p, i, &either) : 0;
		if (name > 1) {
			i += name - 1;
			continue;
		}
		if (i < end && !joint)
			continue;
		struct part rest = {.from = i + joint, .end = end};
		part[n].end = i;
		if (!sentence(p, &part[n]) || (i < end && !sentence(p, &rest)))
			continue; /* Ann hits Bob and Cy: more of the same */
		*open |= either;
		if (++n == PARTS)
			return 0;
		part[n].from = i + joint;
		i += joint ? joint - 1 : 0;
	}
	return n;
}

static void put_part(
	const struct phrase *p, const struct part *x, const struct part *first, struct buf *out)
{
	if (x->who == x->from &&
		first != x) { /* Ann hits Bob and misses Cy: who does it is said before */
		slip_text(p, first->from, first->who, out);
		buf_putc(out, ' ');
	}
	slip_text(p, x->from, x->end, out);
}

/* Several things done, of which one is enough: odds alone can ask for that. */
static void put_either(
	const struct phrase *p, const struct part *part, int n, struct buf *line)
{
	buf_puts(line, "; or ask how likely each is: odds giving ");
	for (int i = 0; i < n; i++) {
		const bool state = !part[i].deed;
		buf_puts(line, i ? ", " : "");
		buf_puts(line, state ? "(" : "");
		put_part(p, &part[i], &part[0], line);
		buf_puts(line, state ? ")" : "");
	}
}

/* expect Ann and Bob are able */
static bool both_are(struct phrase *p, int first, int from, int end)
{
	int who[PARTS], n = 0, at = from;
	for (int name; n < PARTS && (name = words_name(p, at, LEX_NAME | LEX_PLURAL)) > 0;) {
		bool open;
		who[n++] = at;
		at += name;
		at += slip_any(p, at, "is|are") ? 0 : joint_at(p, at, &open);
	}
	if (n < 2 || !slip_any(p, at, "is|are") || at + 1 >= end || at + 5 < end)
		return false;
	struct buf line = {0};
	slip_text(p, first, from, &line);
	for (int i = 0; i < n; i++) {
		const int name = words_name(p, who[i], LEX_NAME | LEX_PLURAL);
		buf_puts(&line, i ? " and " : " (");
		slip_text(p, who[i], who[i] + name, &line);
		buf_puts(&line, words_name(p, who[i], LEX_NAME) == name ? " is " : " are ");
		slip_text(p, at + 1, end, &line);
	}
	buf_putc(&line, ')');
	return slip_meant(p, from, end, &line);
}

bool report_expect_two(struct phrase *p)
{
	const int first = slip_first(p, slip_raw(p));
	int end = slip_line_end(p, first);
	struct part part[PARTS];
	bool open, deed = false;
	if (!phrase_is(p, first, "expect") || phrase_is(p, first + 1, "odds"))
		return false;
	for (int i = first; i < end; i++)
		if (p->raw[i].kind == ':') /* expect in this order: .. */
			return false;
	const int begin = first +
		(phrase_is(p, first + 1, "in") && phrase_is(p, first + 2, "vain") ? 3 : 1),
		  line_end = end;
	int from = begin + phrase_is(p, begin, "if");
	if (p->raw[from].kind == '(' && p->raw[end - 1].kind == ')') {
		from++;
		end--;
	}
	if (both_are(p, first, from, end))
		return true;
	const int n = from < end ? parts_of(p, from, end, part, &open) : 0;
	for (int i = 0; i < n; i++)
		deed |= part[i].deed;
	if (n < 2 || (!deed && p->raw[part[0].end].kind != ','))
		return false;
	struct buf line = {0};
	for (int i = 0; i < (open ? 1 : n); i++) {
		buf_puts(&line, i ? "; " : "");
		slip_text(p, first, begin, &line);
		buf_putc(&line, ' ');
		put_part(p, &part[i], &part[0], &line);
	}
	if (open)
		put_either(p, part, n, &line);
	const struct span at = phrase_span(p, p->raw[part[0].end].start, p->raw[line_end - 1].end);
	VEC_PUSH(p->front->said, phrase_span(p, p->raw[first].start, p->raw[line_end - 1].end));
	phrase_report(p, M_EXPECT_TWO, at, 1, slip_kept(p, &line), NULL);
	buf_free(&line);
	return true;
}

/* ---- expect Bruna to hit orc #1, expect orc #1 hit points <= 0 ---- */

/* How many tokens name somebody here: orc #1. */
static int somebody(const struct phrase *p, int at)
{
	const int name = words_name(p, at, LEX_NAME | LEX_PLURAL);
	return name + (name && *phrase_text(p, p->raw[at + name].start) == '#');
}

static bool report_to_do(struct phrase *p, int first, int end)
{
	const int name = somebody(p, first), to = first + name;
	sym verb = 0;
	if (!name || !phrase_is(p, to, "to") || words_verb(p, to + 1, &verb) <= 0)
		return false;
	const int done = words_verb(p, to + 1, &verb);
	struct buf line = {0};
	slip_text(p, first, to, &line);
	buf_printf(&line, " %s ", lexicon_does(p->front->lexicon, p->front->names, verb));
	slip_text(p, to + 1 + done, end, &line);
	return slip_meant(p, first, end, &line);
}

static bool report_without_of(struct phrase *p, int first, int end)
{
	const int name = somebody(p, first), field = words_name(p, first + name, LEX_FIELD);
	if (!name || !field || !slip_compares(p->raw[first + name + field].kind))
		return false;
	struct buf line = {0};
	slip_text(p, first, first + name, &line);
	buf_puts(&line, "'s ");
	slip_text(p, first + name, end, &line);
	return slip_meant(p, first, end, &line);
}

/* ---- expect at least 3 orcs are dead ---- */

bool report_expected(struct phrase *p)
{
	int at = slip_raw(p), first = slip_first(p, at), end = slip_end(p, at);
	if (!phrase_is(p, first, "expect"))
		return false;
	first += phrase_is(p, first + 1, "in") && phrase_is(p, first + 2, "vain") ? 3 : 1;
	struct buf said = {0}, line = {0};
	if (first < end && (report_to_do(p, first, end) || report_without_of(p, first, end)))
		return true;
	if (first < end)
		slip_text(p, first, end, &said);
	bool known = said.length && said_measure(p->front, buf_text(&said), said.length, &line);
	if (known) {
		struct buf whole = {0};
		slip_text(p, slip_first(p, at), first, &whole);
		buf_printf(&whole, " %s", buf_text(&line));
		phrase_report(p, M_SAID_OTHERWISE,
			phrase_span(p, p->raw[first].start, p->raw[end - 1].end), 2,
			slip_kept(p, &said), slip_kept(p, &whole));
		buf_free(&whole);
	}
	buf_free(&said);
	buf_free(&line);
	return known;
}
