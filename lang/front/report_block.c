/* report_block.c - slips in stat blocks, heads of blocks and lists, as they stand in notes and in
 * other games' books. */
#include <ctype.h>
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/slip.h"

/* side party: Ann and Bruna */
static bool and_in_list(struct phrase *p, int token, int at)
{
	if (token != TOK_AND || p->lead != TOK_SIDE)
		return false;
	const int end = slip_line_end(p, at);
	struct buf line = {0};
	for (int i = p->line, from = i; i <= end; i++)
		if (i == end || phrase_is(p, i, "and")) {
			slip_text(p, from, i, &line);
			if (i < end)
				buf_puts(&line, p->raw[i - 1].kind == ',' ? " " : ", ");
			from = i + 1;
		}
	return slip_meant(p, p->line, end, &line);
}

/* Ann: shoots dagger at orc */
static bool colon_behind_somebody(struct phrase *p)
{
	const int n = words_name(p, p->line, LEX_NAME | LEX_PLURAL), verb = p->line + n + 1,
			  end = slip_line_end(p, p->line);
	sym v;
	if (!n || !p->brace.n || p->raw[p->line + n].kind != ':' || verb >= end ||
		words_verb(p, verb, &v) <= 0)
		return false;
	struct buf line = {0};
	slip_text(p, p->line, p->line + n, &line);
	buf_putc(&line, ' ');
	slip_text(p, verb, end, &line);
	return slip_meant(p, p->line, end, &line);
}

/* side orcs 3 cave orcs */
static bool side_without_colon(struct phrase *p, int token, int at, bool colon)
{
	const int end = slip_line_end(p, at);
	int who = at;
	if (token == TOK_NUMBER && p->lead == TOK_SIDE && at == p->line + 1 &&
		p->raw[at + 1].kind == ':') { /* side 1: Ann */
		struct buf named = {0};
		buf_puts(&named, "side heroes");
		slip_text(p, at + 1, end, &named);
		return slip_meant(p, p->line, end, &named);
	}
	if ((token != TOK_NUMBER && token != ',' && token != TOK_NL) || p->lead != TOK_SIDE || !colon)
		return false;
	while (token != TOK_NUMBER && who > p->line + 2 &&
		(who == at || words_name(p, who, LEX_NAME | LEX_PLURAL) != at - who))
		who--;
	if (who <= p->line + 1 ||
		(token != TOK_NUMBER && words_name(p, who, LEX_NAME | LEX_PLURAL) != at - who))
		return false;
	return slip_with(p, who, ": ", who, end);
}

/* side orcs: cave orcs (3) */
static bool count_behind(struct phrase *p, int at)
{
	const int end = slip_line_end(p, at);
	int from = at, number = at + 1;
	if (p->lead != TOK_SIDE || p->raw[at].kind != '(' || p->raw[number].kind != RAW_NUMBER ||
		p->raw[number + 1].kind != ')')
		return false;
	while (from > p->line && p->raw[from - 1].kind != ',' && p->raw[from - 1].kind != ':')
		from--;
	struct buf line = {0};
	slip_text(p, p->line, from, &line);
	buf_putc(&line, ' ');
	slip_text(p, number, number + 1, &line);
	buf_putc(&line, ' ');
	slip_text(p, from, at, &line);
	slip_text(p, number + 2, end, &line);
	return slip_meant(p, p->line, end, &line);
}

/* distance: 30' */
static bool feet_mark(struct phrase *p, int at)
{
	const int end = slip_line_end(p, at);
	const char *mark = phrase_text(p, p->raw[at].start);
	const bool feet = *mark == '\'' || !strncmp(mark, "\xE2\x80\x99", 3) || /* typographic */
		!strncmp(mark, "\xE2\x80\xB2", 3);
	if (at <= p->line || p->raw[at - 1].kind != RAW_NUMBER || !feet ||
		p->raw[at].start != p->raw[at - 1].end)
		return false;
	struct buf line = {0};
	slip_text(p, p->line, at, &line);
	buf_puts(&line, " ft");
	if (at + 1 < end) {
		buf_putc(&line, ' ');
		slip_text(p, at + 1, end, &line);
	}
	return slip_meant(p, at - 1, at + 1, &line);
}

/* distance: about 30 ft */
static bool about(struct phrase *p, int at)
{
	const int end = slip_line_end(p, at);
	if (at < p->line + 2 || p->raw[at - 2].kind != ':' ||
		!slip_any(
			p, at - 1, "about|around|roughly|approximately|circa|ca|some|exactly|only"))
		return false;
	struct buf line = {0};
	slip_text(p, p->line, at - 1, &line);
	buf_putc(&line, ' ');
	slip_text(p, at, end, &line);
	return slip_meant(p, at - 1, end, &line);
}

/* combatant Bruna: */
static bool head_and_colon(struct phrase *p, int token, int at)
{
	if (token != ':' || p->brace.n || at < p->line + 2 ||
		(!words_name(p, p->line, LEX_KIND) && !slip_any(p, p->line, "encounter|policy")))
		return false;
	struct buf line = {0};
	int colon = p->line;
	while (colon < at && p->raw[colon].kind != ':')
		colon++;
	p->open_said = true; /* its } closes nothing, for the same reason */
	slip_text(p, p->line, colon, &line);
	buf_puts(&line, " {");
	return slip_meant(p, p->line, colon + 1, &line);
}

/* side rats: and nobody behind it */
static bool side_of_nobody(struct phrase *p, int token)
{
	int colon = p->line;
	const int at = slip_raw(p);
	while (colon < at && p->raw[colon].kind != ':')
		colon++;
	if (p->lead != TOK_SIDE || colon >= at || colon + 1 > at)
		return false;
	if (token != '}' && p->raw[colon + 1].kind != RAW_NL)
		return false;
	struct buf line = {0};
	slip_text(p, p->line, colon + 1, &line);
	buf_puts(&line, " and who is on it, such as: 3 orcs");
	return slip_meant(p, p->line, colon + 1, &line);
}

/* combatant: Bruna {, monster cave orc: orc {, encounter: the bridge { */
static bool colon_in_head(struct phrase *p)
{
	const struct raw *r = &p->raw[p->line];
	const int end = slip_line_end(p, p->line);
	int colon = p->line, token;
	const bool kind = words_name(p, p->line, LEX_KIND) > 0,
			   block = slip_any(p, p->line, "encounter|policy|rule");
	while (colon < end && p->raw[colon].kind != ':')
		colon++;
	if (p->brace.n > 1 || (!kind && !block) || r->kind != RAW_WORD || colon >= end ||
		p->raw[end].kind != '{' || words_of_language(p, p->line, W_TOP | W_START, &token) > 1)
		return false;
	struct buf line = {0};
	slip_text(p, p->line, colon, &line);
	buf_puts(&line, colon > p->line + 1 ? " is " : " ");
	slip_text(p, colon + 1, end, &line);
	buf_puts(&line, colon > p->line + 1 ? " with {" : " {");
	return slip_meant(p, p->line, end, &line);
}

/* strength: 18(50) */
static bool figure_in_brackets(struct phrase *p, int at)
{
	if (at <= p->line || p->raw[at].kind != '(' || p->raw[at - 1].kind != RAW_NUMBER ||
		p->raw[at + 1].kind != RAW_NUMBER || p->raw[at + 2].kind != ')')
		return false;
	int from = at - 1;
	while (from > p->line && !raw_is_end(&p->raw[from - 1]) && p->raw[from - 1].kind != '{')
		from--;
	struct buf line = {0};
	slip_text(p, from, at, &line);
	buf_puts(&line,
		"; and the second figure as a field of its own, where there is one: fray show fields FILE");
	return slip_meant(p, from, at + 3, &line);
}

/* attacks: 2 fists 1d4 */
static bool several_blows(struct phrase *p, int token, int at)
{
	int from = at;
	while (from > p->line && p->raw[from - 1].kind == RAW_WORD)
		from--;
	if (token != TOK_DICE || from == at || from <= p->line || p->raw[from - 1].kind != RAW_NUMBER)
		return false;
	struct buf number = {0}, one = {0}, line = {0};
	slip_text(p, from - 1, from, &number);
	slip_text(p, from, at, &one);
	if (one.length > 1 && one.data[one.length - 1] == 's')
		one.data[--one.length] = '\0';
	buf_putc(&one, ' ');
	slip_text(p, at, at + 1, &one);
	const int n = strlen(buf_text(&number)) == 1 ? number.data[0] - '0' : 0;
	for (int i = 0; i < n; i++)
		buf_printf(&line, "%s%s", i ? ", " : "", buf_text(&one));
	buf_free(&number);
	buf_free(&one);
	if (!line.length)
		return false;
	return slip_meant(p, from - 1, at + 1, &line);
}

/* dice: party's initiative = 2 */
static bool sign_at_die(struct phrase *p, int token, int at)
{
	const int end = slip_line_end(p, at);
	if ((token != '=' && token != ':') || !slip_any(p, p->line, "dice|choices") || at + 1 >= end ||
		at < p->line + 2)
		return false;
	struct buf line = {0};
	slip_text(p, p->line, at, &line);
	buf_putc(&line, ' ');
	slip_text(p, at + 1, end, &line);
	return slip_meant(p, p->line, end, &line);
}

/* use dew { surprise: no }; use dew with surprise = no */
static bool set_otherwise(struct phrase *p)
{
	struct buf line = {0};
	size_t length;
	const uint32_t start = p->raw[p->line].start;
	const char *text = sources_text(
		p->front->sources, phrase_span(p, start, UINT32_MAX), &length);
	const char *stop = memchr(text, '\n', length);
	if (stop)
		length = (size_t)(stop - text);
	if (p->brace.n > 1 || !phrase_is(p, p->line, "use") || !p->front->use_meant ||
		!p->front->use_meant(text, length, &line))
		return false;
	if (front_tell_use(p->front, phrase_span(p, start, start + (uint32_t)length)))
		phrase_report(p, M_USE_BRACES, p->token, 1, slip_kept(p, &line), NULL);
	p->damaged = true;
	buf_free(&line);
	return true;
}

/* using osric; use osric, shelf */
static bool use_otherwise(struct phrase *p, int token, int at)
{
	const int end = slip_line_end(p, at);
	struct buf line = {0};
	if (set_otherwise(p))
		return true;
	if (p->brace.n)
		return false;
	if (p->line + 1 < end && p->declares &&
		slip_any(p, p->line, "using|include|import|load|ruleset|rules|system")) {
		buf_puts(&line, "use ");
		slip_text(p, p->line + 1 + (p->raw[p->line + 1].kind == ':'), end, &line);
		return p->raw[end].kind == '{' ? false : slip_meant(p, p->line, end, &line);
	}
	if (token != ',' || p->lead != TOK_USE)
		return false;
	slip_text(p, p->line, at, &line);
	for (int i = at + 1, from = i; i <= end; i++)
		if (i == end || p->raw[i].kind == ',' || phrase_is(p, i, "and")) {
			buf_puts(&line, "; use ");
			slip_text(p, from, i, &line);
			from = i + 1;
		}
	return slip_meant(p, p->line, end, &line);
}

/* surprise no: whose last word is a value, of an option or of a field. */
static void put_setting(const struct phrase *p, struct buf *said, struct buf *line)
{
	static const char *const values[] = {"yes", "no", "on", "off", "none"};
	const char *last = strrchr(buf_text(said), ' ');
	bool value = last && p->brace.n == 1 && phrase_is(p, slip_first(p, p->line), "use");
	for (size_t i = 0; last && i < FRAY_COUNT(values); i++)
		value |= !strcmp(last + 1, values[i]);
	if (value)
		buf_printf(
			line, "%.*s: %s", (int)(last - buf_text(said)), buf_text(said), last + 1);
}

/* AC5, 3rd level: a field and its number in one word, or the number first. It stands before a token
 * on another line. */
bool report_field_open(struct phrase *p)
{
	const int at = slip_raw(p);
	if (at >= p->count)
		return false;
	size_t length;
	const char *text = sources_text(p->front->sources, p->before, &length);
	const struct raw *last = at > 0 ? &p->raw[at - 1] : NULL;
	if (!length || length > 40 || !last ||
		(!raw_is_end(last) && !raw_is_end(&p->raw[at]) && p->raw[at].kind != '}'))
		return false;
	size_t letters = 0, digits;
	while (letters < length && isalpha((unsigned char)text[letters]))
		letters++;
	digits = letters;
	while (digits < length && isdigit((unsigned char)text[digits]))
		digits++;
	struct buf line = {0}, said = {0};
	buf_add(&said, text, length);
	if (letters && digits == length && digits > letters) /* AC5 */
		buf_printf(&line, "%.*s: %s", (int)letters, buf_text(&said), buf_text(&said) + letters);
	else if (digits && isdigit((unsigned char)*text) && memchr(text, ' ', length)) { /* 3rd level */
		const char *word = strchr(buf_text(&said), ' ');
		buf_printf(&line, "%s: %.*s", word + 1, (int)strspn(text, "0123456789"), text);
	} else
		put_setting(p, &said, &line);
	if (line.length)
		phrase_report(p, M_SAID_OTHERWISE, p->before, 2,
			arena_text(p->front->arena, said.data, said.length),
			arena_text(p->front->arena, line.data, line.length));
	else
		phrase_report(p, M_COLON_MISSING, p->before, 2,
			arena_text(p->front->arena, said.data, said.length), "..");
	buf_free(&line);
	buf_free(&said);
	return true;
}

/* Ann attacks orc #1 and moves 10 ft; Ann attacks orc #1 or orc #2 */
static bool second_act(struct phrase *p, int token, int at)
{
	const int end = slip_line_end(p, at);
	int verb = 0, joint = at;
	sym v;
	if (!p->verb || p->lead || !p->brace.n || p->verb_at.start < p->raw[p->line].start)
		return false;
	while (joint > p->line && !slip_any(p, joint, "and|or"))
		joint--;
	verb = joint > p->line ? words_verb(p, joint + 1, &v) : 0;
	if (joint == p->line || p->raw[joint].start < p->verb_at.end || (!verb && token != TOK_OR) ||
		(verb && joint + 1 > at))
		return false;
	const bool or = phrase_is(p, joint, "or");
	struct buf line = {0};
	slip_text(p, p->line, joint - (p->raw[joint - 1].kind == ','), &line);
	buf_puts(&line, or ? " else " : " then ");
	if (!verb) {
		size_t length;
		const char *said = sources_text(p->front->sources, p->verb_at, &length);
		buf_add(&line, said, length);
		buf_putc(&line, ' ');
	}
	slip_text(p, joint + 1, end, &line);
	return slip_meant(p, joint, end, &line);
}

/* Ann attacks orc #1, then orc #2 */
static bool comma_before_then(struct phrase *p, int at)
{
	const int end = slip_line_end(p, at);
	if (!slip_any(p, at, "then|else") || at <= p->line || p->raw[at - 1].kind != ',' || !p->brace.n)
		return false;
	struct buf line = {0};
	slip_text(p, p->line, at - 1, &line);
	buf_putc(&line, ' ');
	slip_text(p, at, end, &line);
	return slip_meant(p, at - 1, at + 1, &line);
}

/* expects Ann's hit points = 5; assert .. */
static bool expect_otherwise(struct phrase *p)
{
	const int end = slip_line_end(p, p->line);
	if (!p->brace.n || end < p->line + 3 ||
		!slip_any(
			p, p->line, "expects|expected|assert|asserts|check|checks|ensure|verify|should|test"))
		return false;
	struct buf line = {0};
	buf_puts(&line, "expect ");
	slip_text(p, p->line + 1, end, &line);
	return slip_meant(p, p->line, end, &line);
}

/* carries long sword and chain mail: a field with all that follows it, and no colon. */
static bool list_without_colon(struct phrase *p, int at)
{
	const int end = slip_line_end(p, at), n = words_name(p, p->line, LEX_FIELD);
	int colon = p->line;
	while (colon < end && p->raw[colon].kind != ':')
		colon++;
	if (!n || !p->brace.n || colon < end || p->line + n >= at || p->raw[end].kind == '{' ||
		!raw_is_word(&p->raw[p->line + n]) || p->sentence)
		return false;
	struct buf line = {0};
	slip_text(p, p->line, p->line + n, &line);
	buf_puts(&line, ":");
	for (int i = p->line + n, from = i; i <= end; i++)
		if (i == end || phrase_is(p, i, "and")) {
			buf_puts(&line, from > p->line + n ? ", " : " ");
			slip_text(p, from, i, &line);
			from = i + 1;
		}
	return slip_meant(p, p->line, end, &line);
}

/* carries: long sword; chain mail */
static bool semicolon_in_list(struct phrase *p, bool colon)
{
	const int end = slip_line_end(p, p->line);
	int from = p->line - 1, mark;
	if (!colon || from <= 0 || p->raw[from].kind != RAW_SEMI || !words_name(p, p->line, LEX_NAME) ||
		words_name(p, p->line, LEX_FIELD) >= end - p->line)
		return false;
	from = slip_begin(p, from);
	for (mark = from; mark < p->line && p->raw[mark].kind != ':'; mark++)
		;
	if (mark + 1 >= p->line || !raw_is_word(&p->raw[mark + 1]))
		return false;
	return slip_comma(p, from, end);
}

/* Ann is in party; orc #1 is not on party; Ann belongs to party */
static bool is_among(struct phrase *p, int at)
{
	const int end = slip_line_end(p, at), is = at - 1 - slip_any(p, at - 1, "not");
	const bool belongs = slip_any(p, at, "to") && slip_any(p, is, "belongs|belong");
	int from = is, n = words_name(p, at + 1, LEX_NAME | LEX_PLURAL);
	if (!belongs && (!slip_any(p, at, "in|on|among|amongst") || !slip_any(p, is, "is|are")))
		return false;
	if (is <= p->line || at + 1 >= end || !n)
		return false;
	while (from > p->line && p->raw[from - 1].kind != '(' &&
		!slip_any(p, from - 1, "when|unless|if|and|or|where|until|expect|not"))
		from--;
	const bool not = is < at - 1;
	struct buf line = {0};
	buf_puts(&line, not ? "not (" : "");
	slip_text(p, from, is, &line);
	buf_puts(&line, " in ");
	slip_text(p, at + 1, at + 1 + n, &line);
	buf_puts(&line, not ? ")" : "");
	if (p->brace.n && !slip_in_encounter(p))
		buf_puts(&line, ", in a rule between the braces of an encounter: sides are known there");
	return slip_meant(p, from, at + 1 + n, &line);
}

/* carries: 'long sword' */
static bool single_quotes(struct phrase *p, int at)
{
	int to = at + 1;
	const int end = slip_line_end(p, at);
	if (*phrase_text(p, p->raw[at].start) != '\'' || p->raw[at].end != p->raw[at].start + 1 ||
		p->raw[at].end != p->raw[at + 1].start)
		return false;
	while (to < end && *phrase_text(p, p->raw[to].start) != '\'')
		to++;
	if (to == at + 1 || to >= end)
		return false;
	struct buf line = {0};
	buf_putc(&line, '"');
	slip_text(p, at + 1, to, &line);
	buf_putc(&line, '"');
	return slip_meant(p, at, to + 1, &line);
}

/* side orcs: 1d6 orcs; 2-5 orcs */
static bool dice_of_side(struct phrase *p, int at)
{
	const int end = slip_line_end(p, at);
	int from = at, who = at;
	if (p->lead != TOK_SIDE)
		return false;
	while (from > p->line && p->raw[from - 1].kind != ',' && p->raw[from - 1].kind != ':')
		from--;
	while (who < end && !raw_is_word(&p->raw[who]))
		who++;
	if (from == p->line || who == end ||
		(p->raw[from].kind != RAW_DICE && p->raw[from].kind != RAW_NUMBER) || who == from ||
		(p->raw[from].kind == RAW_NUMBER && who < from + 3))
		return false;
	struct buf line = {0};
	buf_puts(&line, "how many there are, such as: 3 ");
	int last = who;
	while (last < end && raw_is_word(&p->raw[last]))
		last++;
	slip_text(p, who, last, &line);
	return slip_meant(p, from, last, &line);
}

/* => 5, == 5, > 5 and < 10 */
static bool sign_otherwise(struct phrase *p, int at)
{
	const int end = slip_line_end(p, at);
	const int kind = p->raw[at].kind, before = at > p->line ? p->raw[at - 1].kind : 0;
	int from = at;
	if (!slip_compares(kind) || at + 1 >= end)
		return false;
	struct buf line = {0};
	if (before == '=' && p->raw[at - 1].end == p->raw[at].start) { /* => and == */
		while (from > p->line &&
			!slip_any(p, from - 1, "when|unless|if|and|or|where|until|expect|not"))
			from--;
		slip_text(p, from, at - 1, &line);
		buf_puts(&line, kind == '=' ? " = " : kind == '>' ? " >= " : " <= ");
		slip_text(p, at + 1, end, &line);
		return slip_meant(p, from, end, &line);
	}
	if (!slip_any(p, at - 1, "and|or"))
		return false;
	int sign = at - 1;
	while (sign > p->line && !slip_compares(p->raw[sign].kind))
		sign--;
	for (from = sign;
		 from > p->line && !slip_any(p, from - 1, "when|unless|if|and|or|where|until|expect|not");)
		from--;
	if (sign == p->line || from == sign)
		return false;
	slip_text(p, from, at, &line);
	buf_putc(&line, ' ');
	slip_text(p, from, sign, &line);
	buf_putc(&line, ' ');
	slip_text(p, at, end, &line);
	return slip_meant(p, from, end, &line);
}

/* Anns hit points */
static bool own_without_mark(struct phrase *p)
{
	const int end = slip_line_end(p, p->line);
	for (int i = p->line; i + 1 < end; i++) {
		const char *said =
			p->raw[i].kind == RAW_WORD ? intern_text(p->front->names, p->raw[i].word) : "";
		const size_t n = strlen(said);
		const int field = n > 2 && said[n - 1] == 's' && !words_name(p, i, LEX_CALLED & ~LEX_PLURAL)
			? words_name(p, i + 1, LEX_FIELD)
			: 0;
		sym one = field ? intern_find(p->front->names, said, n - 1) : 0;
		if (!one || !lexicon_find(p->front->lexicon, one, LEX_NAME))
			continue;
		struct buf line = {0};
		buf_printf(&line, "%.*s's ", (int)(n - 1), said);
		slip_text(p, i + 1, i + 1 + field, &line);
		return slip_meant(p, i, i + 1 + field, &line);
	}
	return false;
}

/* class: fighter 3 */
static bool number_behind(struct phrase *p, int token, int at)
{
	int from = at;
	if (token != TOK_NUMBER || !p->brace.n || at <= p->line || p->raw[at - 1].kind != RAW_WORD ||
		p->lead || p->sentence)
		return false;
	while (from > p->line && p->raw[from - 1].kind == RAW_WORD)
		from--;
	if (from == p->line || p->raw[from - 1].kind != ':' ||
		words_name(p, from, LEX_NAME) != at - from)
		return false;
	struct buf line = {0};
	slip_text(p, p->line, at, &line);
	buf_puts(&line, "; and the number in a field of its own, such as: level: ");
	slip_text(p, at, at + 1, &line);
	return slip_meant(p, from, at + 1, &line);
}

/* combatant Ann is a fighter of level 4 {, combatant Ann, level 4 fighter */
static bool rank_in_head(struct phrase *p)
{
	static const struct { const char *number, *rest; } ranks[] = {
#define RANK(number, rest) {number, rest},
#include "stdlib/ranks.def"
#undef RANK
	};
	const int end = slip_line_end(p, p->line), kind = words_name(p, p->line, LEX_KIND);
	int name = p->line + kind, rank = -1, number = -1;
	while (kind && name < end && raw_is_word(&p->raw[name]) && !slip_any(p, name, "is|a|an|the"))
		name++;
	for (int i = name; i < end && number < 0; i++)
		for (size_t k = 0; k < FRAY_COUNT(ranks); k++)
			if (phrase_is(p, i, ranks[k].number) &&
				(p->raw[i + 1].kind == RAW_NUMBER || p->raw[i - 1].kind == RAW_NUMBER)) {
				rank = (int)k;
				number = p->raw[i + 1].kind == RAW_NUMBER ? i + 1 : i - 1;
			}
	if (p->brace.n > 1 || number < 0 || name == p->line + kind)
		return false;
	struct buf line = {0}, rest = {0};
	for (int i = name; i < end; i++)
		if (raw_is_word(&p->raw[i]) &&
			!slip_any(p, i, "is|a|an|the|of|at|in") && !phrase_is(p, i, ranks[rank].number)) {
			buf_puts(&rest, rest.length ? " " : "");
			slip_text(p, i, i + 1, &rest);
		}
	slip_text(p, p->line, name, &line);
	buf_puts(&line, " { ");
	if (rest.length)
		buf_printf(&line, "%s: %s; ", ranks[rank].rest, buf_text(&rest));
	buf_printf(&line, "%s: ", ranks[rank].number);
	slip_text(p, number, number + 1, &line);
	buf_puts(&line, p->raw[end].kind == '{' ? "; .." : " }");
	buf_free(&rest);
	return slip_meant(p, p->line, end, &line);
}

bool report_block(struct phrase *p, int token, bool colon)
{
	const int at = slip_raw(p);
	if (at >= p->count)
		return false;
	if (side_of_nobody(p, token) || about(p, at) || head_and_colon(p, token, at) ||
		rank_in_head(p))
		return true;
	if (own_without_mark(p) || number_behind(p, token, at) || second_act(p, token, at) ||
		comma_before_then(p, at) || expect_otherwise(p) || list_without_colon(p, at) ||
		semicolon_in_list(p, colon) || is_among(p, at) || single_quotes(p, at) ||
		dice_of_side(p, at) || sign_otherwise(p, at))
		return true;
	return colon_behind_somebody(p) || and_in_list(p, token, at) ||
		side_without_colon(p, token, at, colon) || count_behind(p, at) || feet_mark(p, at) ||
		colon_in_head(p) || figure_in_brackets(p, at) || several_blows(p, token, at) ||
		sign_at_die(p, token, at) || use_otherwise(p, token, at);
}

/* combatant Bruna, without its {: the head above a } that closes nothing. */
bool report_head_open(struct phrase *p)
{
	int depth = 0;
	for (int i = p->at - 1; i >= 0; i--) {
		depth += (p->raw[i].kind == '}') - (p->raw[i].kind == '{');
		if (depth > 0 || (i > 0 && p->raw[i - 1].kind != RAW_NL))
			continue;
		const int end = slip_line_end(p, i);
		const int kind = words_name(p, i, LEX_KIND);
		if ((!kind && !slip_any(p, i, "encounter|policy|rule")) || p->raw[i + 1].kind == ':' ||
			p->raw[end].kind == '{' || end < i + 2)
			continue;
		int name = i + (kind ? kind : 1), last = name;
		while (last < end && raw_is_word(&p->raw[last]) && p->raw[last + 1].kind != ':' &&
			!(last > name && words_name(p, last, LEX_FIELD) > 0))
			last++;
		if (last == name)
			continue;
		struct diag d =
			diag_make(M_ENDS_SOON, phrase_span(p, p->raw[i].start, p->raw[last - 1].end));
		struct buf said = {0};
		slip_text(p, i, last, &said);
		diag_arg(&d, "the end of the line");
		diag_arg(&d, "\"{\"");
		diag_arg(&d, buf_text(&said));
		if (memchr(phrase_text(p, p->raw[i].start), '\n', p->raw[p->at].start - p->raw[i].start))
			diag_relate(&d, phrase_span(p, p->raw[p->at].start, p->raw[p->at].end),
				"this } closes nothing");
		p->damaged = true;
		if (!p->quiet)
			diag_send(p->front->sink, &d);
		buf_free(&said);
		return true;
	}
	return false;
}
