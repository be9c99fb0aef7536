/* phrase_line.c - how a statement begins.
 *
 * The first words decide most: a word of the language that may stand here, a field before a
 * colon, a kind of thing, a policy's verb, or somebody who does something. Words that begin a
 * statement are words of the language only here. */
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/phrase.h"

/* ---- names in headers: any words at all, up to a mark or one of the stop words ---- */

static bool one_of(const struct phrase *p, int at, const char *const *stop)
{
	for (; stop && *stop; stop++) {
		const char *blank = strchr(*stop, ' ');
		if (!blank && phrase_is(p, at, *stop))
			return true;
		if (blank && phrase_is(p, at + 1, blank + 1)) {
			const char *w = intern_folded(p->front->names, p->raw[at].word);
			if (strlen(w) == (size_t)(blank - *stop) && !strncmp(w, *stop, strlen(w)))
				return true;
		}
	}
	return false;
}

static int header_length(const struct phrase *p, int at, const char *const *stop, bool of)
{
	int n = 0;
	while (raw_is_word(&p->raw[at + n]) || (of && n && p->raw[at + n].kind == RAW_OF && raw_is_word(&p->raw[at + n + 1]))) {
		if (n && one_of(p, at + n, stop))
			break;
		n++;
	}
	return n;
}

/* Some words would never be read as a name again: those that end one, and yes, no, none and
 * someone, which are values. */
static void check_name(struct phrase *p, int n)
{
	int token, k = n ? words_of_language(p, p->at + n - 1, W_INNER, &token) : 0;
	bool thing = p->lead == TOK_KIND;
	if (n == 1 && thing && !k && words_of_language(p, p->at, W_FIRST, &token))
		k = token == TOK_YES || token == TOK_NO || token == TOK_NONE || token == TOK_SOMEONE;
	bool local = p->lead == TOK_LET || p->lead == TOK_EACH || p->lead == TOK_EVENT || p->lead == TOK_KIND_WORD;
	if (!k || !(thing || (local && n == 1)))
		return;
	const struct raw *last = &p->raw[p->at + n - 1];
	phrase_report(p, M_NAME_IS_WORD, phrase_span(p, last->start, last->end), 1, intern_text(p->front->names, last->word), NULL);
}

/* encounter The Bridge, part 2 {: the title as it is written. */
static bool title(struct phrase *p)
{
	const int n = raw_title(&p->raw[p->at], p->count - p->at);
	if (!n || p->failed)
		return false;
	const uint32_t start = p->raw[p->at].start, end = p->raw[p->at + n - 1].end;
	size_t length;
	const char *text = sources_text(p->front->sources, phrase_span(p, start, end), &length);
	struct word w = {.name = intern_put(p->front->names, text, length)};
	phrase_name_fits(p, start, end);
	phrase_push(p, TOK_NAME, w, start, end);
	if (!p->failed)
		p->at += n;
	return true;
}

static void header_name(struct phrase *p, const char *const *stop, bool of)
{
	if (p->failed || p->at >= p->count || (p->lead == TOK_ENCOUNTER && title(p)))
		return;
	if (p->raw[p->at].kind == RAW_STRING) {
		phrase_inside(p);
		return;
	}
	int n = header_length(p, p->at, stop, of);
	check_name(p, n);
	if (n)
		phrase_name(p, n);
}

static const char *const rule_stops[] = {"exception to", "replaces", "if", "ruling", NULL};
static const char *const is_stop[] = {"is", NULL};
static const char *const hook_stops[] = {"when", "unless", NULL};
static const char *const each_stops[] = {"in", "where", "from", NULL};
static const char *const extends_stop[] = {"extends", NULL};
static const char *const for_stop[] = {"for", NULL};

/* ---- special headers ---- */

/* action set weapon (weapon) with (target): the verb, then parts with their prepositions */
static void begin_action(struct phrase *p)
{
	int n = words_run(p, p->at), token;
	if (n > 1 && p->raw[p->at + n].kind == '(') {
		sym verb;
		int v = words_verb(p, p->at, &verb);
		if (v && v < n) /* the rest is its first preposition: collect.c knows those */
			n = v;
	}
	if (n)
		phrase_name(p, n);
	while (!p->failed && p->at < p->count) {
		n = words_run(p, p->at);
		if (n && p->raw[p->at + n].kind == '(' && phrase_accepts(p, TOK_PREP)) {
			int k = words_of_language(p, p->at, W_INNER, &token);
			phrase_push_raw(p, k == n && phrase_accepts(p, token) ? token : TOK_PREP, n);
		} else if (p->raw[p->at].kind == '(' && raw_is_word(&p->raw[p->at + 1])) {
			phrase_inside(p);
			n = words_run(p, p->at);
			if (!p->failed && n)
				phrase_name(p, n);
			if (!p->failed && p->raw[p->at].kind == ')')
				phrase_inside(p);
			else
				return;
		} else {
			return;
		}
	}
}

/* The singular of a kind, however it is written. */
static void kind_name(struct phrase *p, int n)
{
	const struct lex_entry *e;
	const struct raw *r = &p->raw[p->at];
	if (p->failed || n < 1)
		return;
	struct word w = phrase_word(p, p->at, n);
	if (lexicon_match(p->front->lexicon, LEX_NAMES, r, n, LEX_KIND, &e) == n)
		w.name = e->kind;
	phrase_push(p, TOK_NAME, w, r[0].start, r[n - 1].end);
	if (!p->failed)
		p->at += n;
}

static void begin_every(struct phrase *p)
{
	static const char *const stops[] = {"has", "have", "keeps", "notes", "to", NULL};
	if (phrase_is(p, p->at, "pair") && phrase_is(p, p->at + 1, "of"))
		phrase_push_raw(p, TOK_PAIR_OF, 2);
	kind_name(p, header_length(p, p->at, stops, false));
	if (!p->failed && phrase_is(p, p->at, "to")) {
		phrase_push_raw(p, TOK_TO, 1);
		kind_name(p, header_length(p, p->at, stops, false));
	}
	if (!p->failed &&
		phrase_is(
			p, p->at, "notes")) /* a word of the language here alone: a field may be called so */
		phrase_push_raw(p, TOK_NOTES, 1);
}

static void begin_option(struct phrase *p)
{
	int n = words_run(p, p->at), of = n - 2;
	while (of > 0 && !phrase_is(p, p->at + of, "of"))
		of--;
	if (of > 0 && lexicon_match(p->front->lexicon, LEX_NAMES, &p->raw[p->at + of + 1], n - of - 1, LEX_KIND, NULL) == n - of - 1) {
		phrase_name(p, of);
		phrase_push_raw(p, TOK_OPTION_OF, 1);
		if (!p->failed)
			kind_name(p, words_run(p, p->at));
	} else if (n) {
		phrase_name(p, n);
	}
}

static void begin_hook(struct phrase *p)
{
	int k = words_run(p, p->at);
	if (k > 1 && phrase_is(p, p->at, "phase") && !one_of(p, p->at + 1, hook_stops))
		phrase_push_raw(p, TOK_PHASE, 1);
	header_name(p, hook_stops, false);
}

/* ---- after the first word ---- */

static void begin_with(struct phrase *p, int token, int n)
{
	p->lead = token;
	phrase_push_raw(p, token, n);
	if (p->failed)
		return;
	switch (token) {
	case TOK_RULE:
		p->sentence = false;
		header_name(p, rule_stops, true);
		break;
	case TOK_POLICY: case TOK_ENCOUNTER:
		p->sentence = false;
		header_name(p, NULL, true);
		break;
	case TOK_TABLE: case TOK_EVENT: case TOK_UNIT: case TOK_SEQUENCE: case TOK_LIBRARY:
		p->sentence = false;
		header_name(p, NULL, false);
		break;
	case TOK_LET:
		header_name(p, NULL, false);
		break;
	case TOK_RULESET:
		p->sentence = false;
		header_name(p, extends_stop, false);
		break;
	case TOK_HOUSE:
		p->sentence = false;
		header_name(p, for_stop, false);
		break;
	case TOK_KIND_WORD:
		p->sentence = false;
		header_name(p, is_stop, false);
		break;
	case TOK_ALIAS:
	case TOK_SPELLING:
		p->sentence = false;
		header_name(p, NULL, true);
		if (!p->failed && p->raw[p->at].kind == '=') {
			phrase_inside(p);
			header_name(p, NULL, true);
		}
		break;
	case TOK_EVERY:
		p->sentence = false;
		begin_every(p);
		break;
	case TOK_ACTION:
		p->sentence = false;
		begin_action(p);
		break;
	case TOK_ON: case TOK_BEFORE: case TOK_AFTER: case TOK_INSTEAD:
		p->sentence = false;
		begin_hook(p);
		break;
	case TOK_DROP: case TOK_RULING:
		p->sentence = false;
		p->of_rules = true;
		break;
	case TOK_EACH:
		header_name(p, each_stops, false);
		break;
	case TOK_PERFORM_PHASE: case TOK_DEFAULT_ACTION: case TOK_DEFAULT_POLICY: case TOK_BEGIN: case TOK_FORK: case TOK_SWITCH: case TOK_HELP:
		header_name(p, NULL, true);
		break;
	case TOK_SHOW:
		if (raw_is_word(&p->raw[p->at]) && !(phrase_is(p, p->at, "in") && phrase_is(p, p->at + 1, "full")))
			phrase_name(p, 1);
		break;
	case TOK_FOLLOWS:
		header_name(p, hook_stops, true);
		break;
	case TOK_EXPECT: case TOK_EXPECT_VAIN: case TOK_WHY:
		p->zone = ZONE_SUBJECT;
		break;
	case TOK_USE: case TOK_DEFINE: case TOK_ADJUST: case TOK_LIMIT: case TOK_ORDER: case TOK_WHENEVER: case TOK_FORBID: case TOK_PERMIT:
	case TOK_ODDS: case TOK_SWEEP: case TOK_COMPARE: case TOK_PLOT: case TOK_IF: case TOK_OPTION:
		p->sentence = false;
		break;
	default:
		break;
	}
}

/* ---- is it a statement at all? ---- */

/* A declared name may begin like a statement: `set weapon (sword)` performs an action. */
static bool is_call(const struct phrase *p, int token, int n)
{
	int d = words_name(p, p->at, LEX_CALLED | LEX_VERB), depth = 0;
	if (d <= n || p->raw[p->at + d].kind != '(')
		return false;
	if (token != TOK_SET && token != TOK_CHANGE)
		return true;
	for (int i = p->at + d; i < p->count; i++) {
		int kind = p->raw[i].kind;
		if (kind == RAW_NL || kind == RAW_SEMI || kind == '{' || kind == '}')
			return true;
		depth += (kind == '(') - (kind == ')');
		if (depth == 0 && (token == TOK_SET ? kind == '=' : phrase_is(p, i, "by")))
			return false;
	}
	return true;
}

/* The longest word of the language that the grammar takes here. */
static int starter(struct phrase *p, int *token)
{
	int n = 0, most = p->count - p->at;
	while (most > 0) {
		const struct lex_entry *e;
		n = lexicon_match(p->front->lexicon, LEX_WORDS, &p->raw[p->at], most, LEX_WORD, &e);
		if (!n)
			return 0;
		if (word_table[e->word].class & W_START && phrase_accepts(p, word_table[e->word].token)) {
			*token = word_table[e->word].token;
			return p->raw[p->at + n].kind == RAW_OF ? 0 : n;
		}
		most = n - 1;
	}
	return 0;
}

/* ---- before a colon ---- */

static bool begin_colon(struct phrase *p, int n)
{
	static const struct { const char *word; int token; } leads[] = {
		{"dice", TOK_DICE_COLON}, {"dice only", TOK_DICE_ONLY}, {"choices", TOK_CHOICES}, {"referee", TOK_REFEREE},
	};
	static const struct { const char *word; int token; } named[] = {
		{"side", TOK_SIDE}, {"sequence", TOK_SEQUENCE}, {"option", TOK_OPTION}, {"when", TOK_WHEN_ASKED},
	};
	struct word w = phrase_word(p, p->at, n > 2 ? 1 : n);
	int token;
	const char *text = intern_folded(p->front->names, w.name);
	for (size_t i = 0; i < FRAY_COUNT(leads); i++)
		if (n <= 2 && !strcmp(text, leads[i].word) && phrase_accepts(p, leads[i].token)) {
			p->lead = leads[i].token;
			phrase_push_raw(p, leads[i].token, n + 1);
			if (leads[i].token == TOK_REFEREE && !p->failed && (n = starter(p, &token)) > 0 && !is_call(p, token, n))
				begin_with(p, token, n);
			return true;
		}
	for (size_t i = 0; i < FRAY_COUNT(named); i++) {
		int words = named[i].token == TOK_WHEN_ASKED ? 2 : 1;
		if (n <= words || !phrase_is(p, p->at, named[i].word) || !phrase_accepts(p, named[i].token))
			continue;
		if (words == 2 && !phrase_is(p, p->at + 1, "asked"))
			continue;
		p->lead = named[i].token;
		if (p->lead != TOK_WHEN_ASKED)
			p->sentence = false;
		phrase_push_raw(p, p->lead, words);
		if (p->lead == TOK_OPTION)
			begin_option(p);
		else
			phrase_name(p, n - words);
		return true;
	}
	p->sentence = false;
	p->value = true;
	phrase_name(p, n);
	return true;
}

/* ---- who does something ---- */

static void push_subjects(struct phrase *p, int n)
{
	int end = p->at + n;
	sym verb;
	while (p->at < end && !p->failed) {
		int k = 0;
		const struct raw *r = &p->raw[p->at];
		if (r->kind == ',') {
			phrase_push_raw(p, ',', 1);
			continue;
		}
		if (phrase_is(p, p->at, "and")) {
			phrase_push_raw(p, TOK_AND, 1);
			continue;
		}
		if (r->kind == RAW_STRING) {
			struct word w = phrase_quoted(p, r);
			phrase_name_fits(p, r->start + 1, r->end - 1);
			w.quoted = true;
			phrase_push(p, TOK_SUBJECT, w, r->start, r->end);
			p->at += !p->failed;
			continue;
		}
		int d = words_name(p, p->at, LEX_CALLED);
		if (p->at + 1 < end && words_article(p, p->at)) {
			p->at++;
			continue;
		}
		k = d;
		while (p->at + k < end && raw_is_word(&p->raw[p->at + k]) && !(k && phrase_is(p, p->at + k, "and")))
			k++;
		struct word w = phrase_word(p, p->at, k);
		phrase_push(p, TOK_SUBJECT, w, r[0].start, r[k - 1].end);
		if (!p->failed)
			p->at += k;
	}
	if (p->failed)
		return;
	p->sentence = true;
	p->zone = ZONE_SAID;
	if (phrase_is(p, p->at, "follow") || phrase_is(p, p->at, "follows")) {
		phrase_push_raw(p, TOK_FOLLOWS, 1);
		p->zone = ZONE_PLAIN;
		header_name(p, hook_stops, true);
		return;
	}
	int v = words_verb(p, p->at, &verb);
	struct word w = phrase_word(p, p->at, v);
	const struct raw *r = &p->raw[p->at];
	w.as = w.name == verb ? 0 : w.name;
	w.name = verb;
	p->verb = verb;
	p->verb_at = phrase_span(p, r[0].start, r[v - 1].end);
	phrase_push(p, TOK_VERB, w, r[0].start, r[v - 1].end);
	if (!p->failed)
		p->at += v;
}

/* 3 orcs, orc chief join orcs: where the word is, or 0 */
static int join_at(const struct phrase *p)
{
	sym verb;
	for (int i = p->at; i < p->count; i++) {
		int kind = p->raw[i].kind;
		if (i > p->at && (phrase_is(p, i, "join") || phrase_is(p, i, "joins"))) {
			if (phrase_is(p, p->at, "help") || p->raw[i - 1].kind == ',' || (words_verb(p, i, &verb) && p->raw[p->at].kind != RAW_NUMBER))
				return 0;
			return i;
		}
		if (kind != RAW_NUMBER && kind != ',' && !raw_is_word(&p->raw[i]))
			return 0;
	}
	return 0;
}

static void push_join(struct phrase *p, int join)
{
	while (p->at < join && !p->failed) {
		int n = 0;
		while (p->at + n < join && raw_is_word(&p->raw[p->at + n]))
			n++;
		if (n)
			phrase_name(p, n);
		else
			phrase_inside(p);
	}
	if (p->failed)
		return;
	phrase_push_raw(p, TOK_JOIN, 1);
	header_name(p, NULL, false);
}

void phrase_begin(struct phrase *p)
{
	const struct raw *r = &p->raw[p->at];
	const struct lex_entry *e;
	int token, n, subject, join;
	sym verb;
	if (!p->start)
		return;
	bool policy = phrase_accepts(p, TOK_VERB), scene = phrase_accepts(p, TOK_SUBJECT);
	p->start = p->of_rules = p->value = false;
	p->sentence = policy || scene;
	p->line = p->at;
	p->zone = ZONE_PLAIN;
	p->lead = 0;
	p->verb = 0;
	p->chain = 0;
	p->paren = 0;
	join = scene ? join_at(p) : 0;
	if (join) {
		push_join(p, join);
		return;
	}
	subject = scene ? words_subject(p, p->at) : 0;
	if (!raw_is_word(r)) {
		if (subject)
			push_subjects(p, subject);
		return;
	}
	n = words_run(p, p->at);
	/* "expect in this order: .." is no field */
	const bool ordered = n > 3 && phrase_is(p, p->at, "expect") &&
		phrase_is(p, p->at + n - 2, "this") && phrase_is(p, p->at + n - 1, "order");
	if (p->raw[p->at + n].kind == ':' && !ordered && begin_colon(p, n))
		return;
	int named = words_name(p, p->at, LEX_CALLED);
	n = starter(p, &token);
	if (n && !(subject && named > n) && !is_call(p, token, n)) {
		begin_with(p, token, n);
		return;
	}
	n = lexicon_match(p->front->lexicon, LEX_NAMES, r, p->count - p->at, LEX_KIND, &e);
	if (n && e->kind == e->text && phrase_accepts(p, TOK_KIND) && (raw_is_word(&r[n]) || r[n].kind == RAW_STRING)) {
		p->lead = TOK_KIND;
		p->sentence = false;
		phrase_push_raw(p, TOK_KIND, n);
		header_name(p, is_stop, true);
		return;
	}
	if (policy && (n = words_verb(p, p->at, &verb)) > 0) {
		struct word w = phrase_word(p, p->at, n);
		w.as = w.name == verb ? 0 : w.name;
		w.name = verb;
		p->verb = verb;
		p->verb_at = phrase_span(p, r[0].start, r[n - 1].end);
		phrase_push(p, TOK_VERB, w, r[0].start, r[n - 1].end);
		if (!p->failed)
			p->at += n;
		p->zone = ZONE_SAID;
		return;
	}
	if (subject) {
		push_subjects(p, subject);
		return;
	}
	/* a known name and then more words, none of which can follow one */
	int article = words_article(p, p->at);
	named = words_name(p, p->at + article, LEX_NAME | LEX_PLURAL);
	named += named ? article : 0;
	sym unit;
	if (scene && named && r[named].kind == RAW_WORD && !words_inner(p, p->at + named) && !words_moment(p, p->at, &unit)) {
		for (n = named + 1; raw_is_word(&r[n]) && !words_inner(p, p->at + n);)
			n++;
		sym deed;
		int verbs = words_verb(p, p->at, &deed);
		if (verbs)
			report_nobody(p, phrase_span(p, r[0].start, r[verbs - 1].end), deed);
		else
			report_no_verb(p, phrase_span(p, r[0].start, r[n - 1].end));
		p->failed = true;
	}
}
