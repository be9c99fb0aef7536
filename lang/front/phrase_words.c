/* phrase_words.c - inside a statement: one token at a time.
 *
 * A run of words is read by these rules, in this order: after 's a field's name; my and its;
 * a verb where the grammar waits for one; a moment; a word of the language in its place; and
 * else a name: the longest declared one, or all words up to one that always ends a name. In a
 * sentence the first verb ends the name of who does it. */
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/slip.h"
#include "lang/front/phrase.h"

/* ---- numbers ---- */

static bool read_number(struct phrase *p, const struct raw *r, struct word *w)
{
	const char *t = phrase_text(p, r->start), *end = phrase_text(p, r->end);
	bool fits = true, point = false;
	w->num = 0;
	w->den = 1;
	for (; t < end && ((*t >= '0' && *t <= '9') || *t == '.'); t++) {
		if (*t == '.') {
			point = true;
			continue;
		}
		if (w->num > (INT64_MAX - 9) / 10 || (point && w->den > INT64_MAX / 100)) {
			fits = false;
			break;
		}
		w->num = w->num * 10 + (*t - '0');
		if (point)
			w->den *= 10;
	}
	while (w->den > 1 && w->num % 10 == 0) {
		w->num /= 10;
		w->den /= 10;
	}
	while (w->den % 5 == 0 && w->num % 5 == 0) {
		w->num /= 5;
		w->den /= 5;
	}
	while (w->den % 2 == 0 && w->num % 2 == 0) {
		w->num /= 2;
		w->den /= 2;
	}
	if (!fits) {
		phrase_report(p, M_NUMBER_TOO_BIG, phrase_span(p, r->start, r->end), 0, NULL, NULL);
		w->num = 0;
		w->den = 1;
	}
	return fits;
}

static void push_value(struct phrase *p, int token, struct word w, int n)
{
	const struct raw *r = &p->raw[p->at];
	phrase_push(p, token, w, r[0].start, r[n - 1].end);
	if (!p->failed)
		p->at += n;
}

static void push_number(struct phrase *p)
{
	const struct raw *r = &p->raw[p->at];
	const struct lex_entry *e;
	struct word w = {0};
	read_number(p, r, &w);
	if (phrase_is(p, p->at + 1, "in") && r[2].kind == RAW_NUMBER && r[3].kind != RAW_SPAN && phrase_accepts(p, TOK_CHANCE)) {
		struct word of = {0};
		read_number(p, &r[2], &of);
		if (w.den != 1 || of.den != 1 || of.num == 0 || w.num > of.num) {
			phrase_report(p, M_CHANCE, phrase_span(p, r[0].start, r[2].end), 0, NULL, NULL);
			of.num = of.num && w.num <= of.num ? of.num : w.num + 1;
		}
		w.den = of.num;
		push_value(p, TOK_CHANCE, w, 3);
		return;
	}
	if (words_times(p, p->at, &w.num) && phrase_accepts(p, TOK_TIMES)) {
		push_value(p, TOK_TIMES, w, 2);
		return;
	}
	int unit = lexicon_match(p->front->lexicon, LEX_NAMES, &r[1], p->count - p->at - 1, LEX_UNIT, &e);
	if (unit && words_name(p, p->at + 1, LEX_CALLED) <= unit && phrase_accepts(p, TOK_QTY)) {
		w.name = e->unit;
		push_value(p, TOK_QTY, w, 1 + unit);
		return;
	}
	push_value(p, TOK_NUMBER, w, 1);
}

/* ---- names in quotes ---- */

struct word phrase_quoted(struct phrase *p, const struct raw *r)
{
	struct word w = {0};
	const char *t = phrase_text(p, r->start);
	size_t mark = t[0] == '"' ? 1 : 3; /* the typographic ones take three bytes */
	w.text = arena_text(p->front->arena, t + mark, r->end - r->start - 2 * mark);
	w.name = intern_word(p->front->names, w.text);
	return w;
}

/* ---- what is done ---- */

static void push_verb(struct phrase *p, int n, sym verb)
{
	const struct raw *r = &p->raw[p->at];
	struct word w = phrase_word(p, p->at, n);
	w.as = w.name == verb ? 0 : w.name;
	w.name = verb;
	p->verb = verb;
	p->verb_at = phrase_span(p, r[0].start, r[n - 1].end);
	push_value(p, TOK_VERB, w, n);
	p->zone = ZONE_SAID;
}

/* What is done by those whose name of n raw tokens stands at `at`, if that is said. */
static void push_deed(struct phrase *p, int at, int n)
{
	sym verb;
	if (p->failed || p->at >= p->count)
		return;
	if (words_do(p, p->at))
		p->at++;
	int v = words_verb(p, p->at, &verb);
	if (v && (words_verb_fits(p, p->at, v) || words_measured(p, at, n)) && phrase_accepts(p, TOK_VERB))
		push_verb(p, v, verb);
}

/* ---- texts ---- */

static void push_string(struct phrase *p)
{
	const struct raw *r = &p->raw[p->at];
	struct word w = phrase_quoted(p, r);
	bool text = phrase_accepts(p, TOK_STRING), name = phrase_accepts(p, TOK_NAME);
	bool known = w.name && lexicon_find(p->front->lexicon, w.name, LEX_QUOTED);
	if (!text)
		phrase_name_fits(p, r->start + 1, r->end - 1);
	if (name && w.name && (!text || known)) {
		w.quoted = true;
		push_value(p, TOK_NAME, w, 1);
		if (p->zone == ZONE_SUBJECT)
			push_deed(p, p->at - 1, 1);
	} else {
		push_value(p, TOK_STRING, w, 1);
	}
	p->zone = p->zone == ZONE_SUBJECT ? ZONE_PLAIN : p->zone;
}

/* ---- names ---- */

/* In "choices:" a label and its answer stand side by side: how many words are the label. */
static int label_length(const struct phrase *p, int at, int n)
{
	int d = words_name(p, at, LEX_CALLED);
	if (n < 2 || p->raw[at + n].kind == RAW_OF)
		return n;
	if (d > 0 && d < n)
		return d;
	for (int s = 1; s < n; s++)
		if (words_name(p, at + s, LEX_CALLED) == n - s)
			return s;
	return p->raw[at + n - 1].kind == RAW_ORDINAL && n > 2 ? n - 2 : n - 1;
}

static int name_length(struct phrase *p)
{
	int at = p->at, token;
	int d = words_name(p, at, LEX_CALLED);
	/* "is held until end of round", where a field is called "held until" */
	const int state = p->last == TOK_BEGINS ? words_name(p, at, LEX_STATE) : 0;
	if (state)
		return state;
	/* "sweep Bruna's hit points over 5, 10", where a field is called "hit points over" */
	if (p->lead == TOK_SWEEP && d > 1 && phrase_is(p, at + d - 1, "over") && !phrase_is(p, at + d, "from") && !phrase_is(p, at + d, "over"))
		d--;
	int n = d ? d : 1;
	sym verb;
	if (!d && p->last == TOK_OF && p->zone == ZONE_SUBJECT)
		n = words_numbered(p, at);
	for (; at + n < p->count && raw_is_word(&p->raw[at + n]) && !words_inner(p, at + n); n++) {
		if (p->zone != ZONE_SUBJECT)
			continue;
		int v = words_verb(p, at + n, &verb);
		if ((v && (words_verb_fits(p, at + n, v) || words_measured(p, at, n))) || words_do(p, at + n))
			break;
	}
	if (p->lead == TOK_CHOICES && p->last != TOK_THEN && p->last != TOK_NAME)
		n = label_length(p, at, n);
	/* a rule's name ends at the next word of its header */
	if (p->of_rules)
		for (int i = d ? d : 1; i < n; i++)
			if (words_of_language(p, at + i, W_FIRST, &token) && ((token == TOK_OVER && p->lead == TOK_RULING) || token == TOK_EXCEPTION || token == TOK_REPLACES || token == TOK_RULING || token == TOK_IF))
				return i;
	return n;
}

static void push_name(struct phrase *p)
{
	int at = p->at, n = name_length(p);
	bool subject = p->zone == ZONE_SUBJECT;
	phrase_name(p, n);
	if (p->failed || !subject || p->at >= p->count)
		return;
	must(p->at == at + n);
	push_deed(p, at, n);
}

/* ---- words of the language ---- */

/* A word that is one only in its place: is this its place? */
static bool in_place(struct phrase *p, int token, unsigned class, int n)
{
	const struct raw *next = &p->raw[p->at + n];
	int other;
	if (class & W_INNER)
		return true;
	if (!phrase_accepts(p, token) || (class & W_CALL && next->kind != '('))
		return false;
	switch (token) {
	case TOK_YES: case TOK_NO: case TOK_NONE:
		return !raw_is_word(next) || words_inner(p, p->at + n) || words_of_language(p, p->at + n, W_MORE, &other);
	case TOK_THIS: case TOK_OPTION:
		return raw_is_word(next) && !words_of_language(p, p->at + n, W_INNER, &other);
	case TOK_BASE: case TOK_STATED: {
		int k = words_run(p, p->at + n);
		return k && (phrase_is(p, p->at + n, "my") || phrase_is(p, p->at + n, "its") || p->raw[p->at + n + k].kind == RAW_OF);
	}
	case TOK_ROLL:
		return next->kind == RAW_DICE || next->kind == RAW_PERCENT || next->kind == RAW_NUMBER || next->kind == '(' ||
			next->kind == RAW_BAD_DICE || (raw_is_word(next) && !words_of_language(p, p->at + n, W_INNER, &other));
	case TOK_HIGHEST: case TOK_LOWEST:
		return next->kind == '(' || raw_is_word(next);
	case TOK_SOMEONE:
		return next->kind != RAW_OF;
	default:
		return true;
	}
}

static void after_word(struct phrase *p, int token)
{
	switch (token) {
	case TOK_GIVING:
		p->lead = TOK_GIVING;
		p->zone = ZONE_SUBJECT;
		break;
	case TOK_AS_SOON_AS:
		p->zone = ZONE_SUBJECT;
		break;
	case TOK_IN_ORDER:
		p->lead = TOK_IN_ORDER;
		break;
	case TOK_NOT:
		break;
	case TOK_EXCEPTION: case TOK_REPLACES:
		p->of_rules = true;
		break;
	case TOK_IF: case TOK_RULING:
		p->of_rules = false;
		p->zone = ZONE_PLAIN;
		break;
	case TOK_WHEN: case TOK_UNLESS:
		p->zone = ZONE_PLAIN;
		break;
	case TOK_ODDS: case TOK_SWEEP: case TOK_COMPARE:
		p->lead = token;
		p->sentence = false;
		p->zone = ZONE_PLAIN;
		break;
	default:
		if (p->zone == ZONE_SUBJECT)
			p->zone = ZONE_PLAIN;
		break;
	}
}

/* `on` in a question is followed by an encounter's name, whatever words it has. */
static void push_encounter(struct phrase *p)
{
	int n = 0, token;
	while (raw_is_word(&p->raw[p->at + n]) || (n && p->raw[p->at + n].kind == RAW_OF)) {
		if (n && words_of_language(p, p->at + n, W_MORE, &token) && (token == TOK_GIVING || token == TOK_VS))
			break;
		n++;
	}
	int d = words_name(p, p->at, LEX_TITLE);
	if (d || n)
		phrase_name(p, d > n ? d : n);
}

/* "Ann is stunned" as a statement. Alone at the prompt it is a question, unless it says how long it
 * lasts or that it is over. */
static bool begins_state(struct phrase *p)
{
	int token, at = p->at + 1;
	bool timed = phrase_is(p, at, "no") && phrase_is(p, at + 1, "longer");
	if (!phrase_accepts(p, TOK_BEGINS))
		return false;
	for (int i = at; !timed && i < p->count && !raw_is_end(&p->raw[i]); i++)
		timed = phrase_is(p, i, "while") ||
			(words_of_language(p, i, W_INNER, &token) &&
				(token == TOK_FOR || token == TOK_UNTIL));
	return (timed || p->declares || p->brace.n) && words_state(p, at, timed);
}

static bool push_language_word(struct phrase *p, int named)
{
	int token = 0, n = 0, most = 4;
	if (words_shared(p, p->at) && phrase_accepts(p, TOK_SHARED)) {
		phrase_push_raw(p, TOK_SHARED, 1);
		return true;
	}
	const int settled = words_settled(p, p->at);
	if (settled && phrase_accepts(p, TOK_BY)) {
		phrase_push_raw(p, TOK_BY, 1);
		phrase_push_raw(p, phrase_is(p, p->at, "highest") ? TOK_HIGHEST : TOK_LOWEST, 1);
		if (settled > 2)
			phrase_name(p, settled - 2);
		return true;
	}
	for (;;) {
		const struct lex_entry *e;
		n = lexicon_match(p->front->lexicon, LEX_WORDS, &p->raw[p->at], most, LEX_WORD, &e);
		if (!n)
			break;
		const struct word_row *w = &word_table[e->word];
		token = w->token;
		if (w->class & (W_INNER | W_FIRST) && in_place(p, token, w->class, n))
			break;
		if ((most = n - 1) == 0)
			return false;
	}
	if (!n && (n = words_prep(p, p->at)) > 0)
		token = TOK_PREP;
	if (!n || (named > n && phrase_accepts(p, TOK_NAME)))
		return false;
	if (token == TOK_AS && p->raw[p->at + n].kind == RAW_STRING)
		token = TOK_AS_LABEL;
	if (token == TOK_IS && begins_state(p))
		token = TOK_BEGINS;
	phrase_push_raw(p, token, n);
	after_word(p, token);
	if (token == TOK_ON && !p->failed && (p->lead == TOK_ODDS || p->lead == TOK_COMPARE))
		push_encounter(p);
	return true;
}

/* "does not die": what dies is called so. */
static sym without_ending(const struct phrase *p, int at)
{
	sym verb = 0;
	struct buf form = {0};
	if (p->raw[at].kind == RAW_WORD) {
		buf_printf(&form, "%ss", intern_folded(p->front->names, p->raw[at].word));
		sym name = intern_find(p->front->names, form.data, form.length);
		const struct lex_entry *e = name ? lexicon_find(p->front->lexicon, name, LEX_VERB) : NULL;
		verb = e ? lexicon_verb(p->front->lexicon, e) : 0;
	}
	buf_free(&form);
	return verb;
}

/* After then, else and "does not" comes a verb; after to only if the verb before takes an act. */
static bool verb_next(struct phrase *p, int named)
{
	sym verb;
	int n;
	switch (p->last) {
	case TOK_THEN: case TOK_ELSE: case TOK_NOT:
		break;
	case TOK_TO: {
		if (!p->verb || !lexicon_find(p->front->lexicon, p->verb, LEX_CARRIER))
			return false;
		break;
	}
	default:
		return false;
	}
	n = words_verb(p, p->at, &verb);
	if (!n && p->last == TOK_NOT && (verb = without_ending(p, p->at)) != 0)
		n = 1;
	if (!n || named > n || !phrase_accepts(p, TOK_VERB))
		return false;
	push_verb(p, n, verb);
	return true;
}

static void push_possessive(struct phrase *p)
{
	const struct raw *r = &p->raw[p->at];
	struct word w = {0}, none = {0};
	w.name = intern_word(p->front->names, phrase_is(p, p->at, "my") ? "me" : "it");
	phrase_push(p, TOK_NAME, w, r->start, r->end);
	phrase_push(p, TOK_OF, none, r->end, r->end);
	if (!p->failed)
		p->at++;
}

static void push_words(struct phrase *p)
{
	sym unit;
	int named = words_name(p, p->at, LEX_CALLED), n;
	if (p->of_rules && (n = lexicon_match(p->front->lexicon, LEX_NAMES, &p->raw[p->at], p->count - p->at, LEX_RULE, NULL)) > 0 && phrase_accepts(p, TOK_NAME)) {
		phrase_name(p, n);
		return;
	}
	if (p->last == TOK_OF) {
		push_name(p);
		return;
	}
	if ((phrase_is(p, p->at, "my") || phrase_is(p, p->at, "its")) && raw_is_word(&p->raw[p->at + 1]) && phrase_accepts(p, TOK_NAME)) {
		push_possessive(p);
		return;
	}
	if (p->zone == ZONE_SUBJECT && words_do(p, p->at)) {
		p->at++;
		return;
	}
	int token;
	if ((n = words_anybody(p, p->at, &token)) > 0 && phrase_accepts(p, token)) {
		const int at = p->at;
		phrase_push_raw(p, token, n);
		if (phrase_is(p, p->at, "is"))
			p->zone = ZONE_PLAIN;
		else
			push_deed(p, at, n);
		return;
	}
	int64_t many = 0;
	if ((n = words_times(p, p->at, &many)) > 0 && phrase_accepts(p, TOK_TIMES)) {
		struct word w = {.num = many, .den = 1};
		push_value(p, TOK_TIMES, w, n);
		return;
	}
	if (verb_next(p, named))
		return;
	if (words_article(p, p->at)) {
		p->at++;
		return;
	}
	if (p->raw[p->at + 1].kind != RAW_OF && (n = words_moment(p, p->at, &unit)) > 0 && phrase_accepts(p, TOK_MOMENT)) {
		struct word w = {0};
		bool less = p->raw[p->at + n].kind == '-';
		n += less;
		if (!read_number(p, &p->raw[p->at + n], &w))
			w.num = 1; /* said already; 0 would be told as well */
		else if (w.den != 1)
			phrase_report(p, M_MOMENT, phrase_span(p, p->raw[p->at].start, p->raw[p->at + n].end),
				1, "round 2", NULL);
		w.name = unit;
		w.num = less ? -w.num : w.num;
		push_value(p, TOK_MOMENT, w, n + 1);
		return;
	}
	if (!push_language_word(p, named))
		push_name(p);
}

/* ---- one token ---- */

/* "30ft" with its blank; "3x", "3rd" without what is no unit. */
static const char *unglued(struct phrase *p, const char *text)
{
	const size_t digits = strspn(text, "0123456789.");
	const char *word = text + digits;
	struct buf b = {0};
	buf_add(&b, text, digits);
	const struct raw *next = p->at + 1 < p->count ? &p->raw[p->at + 1] : NULL;
	if (!strcmp(word, "x") && next && raw_is_word(next)) { /* 2x amount */
		const int end = slip_line_end(p, p->at);
		buf_puts(&b, " * ");
		slip_text(p, p->at + 1, end, &b);
	} else if (strcmp(word, "x") && strcmp(word, "st") && strcmp(word, "nd") &&
		strcmp(word, "rd") && strcmp(word, "th"))
		buf_printf(&b, " %s", word);
	const char *kept = arena_text(p->front->arena, b.data, b.length);
	buf_free(&b);
	return kept;
}

static void push_bad(struct phrase *p, enum message id)
{
	const struct raw *r = &p->raw[p->at];
	struct word w = {0};
	char *text = arena_text(p->front->arena, phrase_text(p, r->start), r->end - r->start);
	if ((unsigned char)*text < ' ' || *text == 0x7F)
		*text = '?'; /* a control character would play with the terminal */
	int next = p->at + 1 < p->count ? p->raw[p->at + 1].kind : RAW_NL;
	bool stop = id == M_BAD_CHARACTER && !strcmp(text, ".") && (next == RAW_NL || next == RAW_SEMI || next == '}');
	bool told = (id == M_BAD_CHARACTER && p->lead == TOK_GIVING && report_bound(p, p->at)) ||
		(id == M_BAD_CHARACTER && (report_ampersand(p) || report_habit(p))) ||
		report_odds_mark(p);
	if (!told) /* giving party wins = 50% ± 5% */
		phrase_report(p, stop ? M_FULL_STOP : id, phrase_span(p, r->start, r->end),
			id == M_NUMBER_GLUED ? 2 : 1, text, id == M_NUMBER_GLUED ? unglued(p, text) : NULL);
	const bool times = id == M_NUMBER_GLUED && strchr(text, 'x') && raw_is_word(&p->raw[p->at + 1]);
	p->said_at = (times ? p->raw[p->at + 1].start : r->start) + 1;
	if (id == M_BAD_CHARACTER) {
		/* the parser gives the statement up, silently: what follows would be noise */
		bool quiet = p->quiet;
		p->quiet = true;
		phrase_push(p, TOK_FRAY_UNDEF, w, r->start, r->end);
		p->quiet = quiet;
		return;
	}
	w.den = 1;
	w.text = text;
	push_value(p, id == M_BAD_DICE ? TOK_DICE : TOK_NUMBER, w, 1);
}

static void push_mark(struct phrase *p)
{
	const struct raw *r = &p->raw[p->at];
	if (r->kind == '(' && p->brace.n + p->paren >= FRAY_NEST_MAX) {
		phrase_report(p, M_TOO_DEEP, phrase_span(p, r->start, r->end), 0, NULL, NULL);
		p->stopped = true;
		return;
	}
	phrase_push_raw(p, r->kind, 1);
	if (p->failed)
		return;
	if (r->kind == '(' && p->paren++ == 0)
		p->paren_at = r->start;
	if (r->kind == ')' && p->paren > 0)
		p->paren--;
	if (!p->paren && ((r->kind == ',' && (p->lead == TOK_GIVING || p->lead == TOK_IN_ORDER)) ||
			(r->kind == ':' && p->lead == TOK_IN_ORDER)))
		p->zone = ZONE_SUBJECT;
	else if (p->zone == ZONE_SUBJECT)
		p->zone = ZONE_PLAIN;
}

void phrase_inside(struct phrase *p)
{
	const struct raw *r = &p->raw[p->at];
	struct word w = {0};
	switch (r->kind) {
	case RAW_WORD: case RAW_ORDINAL:
		push_words(p);
		break;
	case RAW_STRING:
		push_string(p);
		break;
	case RAW_NUMBER:
		push_number(p);
		break;
	case RAW_SCALE:
		read_number(p, r, &w);
		w.name = intern_word(p->front->names, "\"");
		push_value(p, TOK_QTY, w, 1);
		break;
	case RAW_PERCENT:
		read_number(p, r, &w);
		push_value(p, TOK_PERCENT, w, 1);
		break;
	case RAW_DICE:
		w.text = arena_text(p->front->arena, phrase_text(p, r->start), r->end - r->start);
		push_value(p, TOK_DICE, w, 1);
		break;
	case RAW_OF:
		phrase_push_raw(p, TOK_OF, 1);
		break;
	case RAW_LE:
		phrase_push_raw(p, TOK_LE, 1);
		p->zone = ZONE_PLAIN;
		break;
	case RAW_GE:
		phrase_push_raw(p, TOK_GE, 1);
		p->zone = ZONE_PLAIN;
		break;
	case RAW_NE:
		phrase_push_raw(p, TOK_NE, 1);
		p->zone = ZONE_PLAIN;
		break;
	case RAW_SPAN:
		phrase_push_raw(p, TOK_SPAN, 1);
		break;
	case RAW_BAD_NUMBER:
		push_bad(p, M_NUMBER_GLUED);
		break;
	case RAW_BAD_DICE:
		push_bad(p, M_BAD_DICE);
		break;
	case '?':
		if (raw_is_end(&r[1]))
			p->at++;
		else
			push_bad(p, M_BAD_CHARACTER);
		break;
	case RAW_OPEN_STRING: case RAW_BAD:
		push_bad(p, M_BAD_CHARACTER);
		break;
	default:
		push_mark(p);
		break;
	}
}
