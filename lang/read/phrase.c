/* phrase.c - from raw tokens to the parser's tokens: runs of words become names, verbs and
 * words of the language. Deterministic; the one question it asks the parser is whether a
 * line may end here.
 *
 *   - the longest declared name wins; else the longest run without a word of the language
 *   - after 's the next words are a field's name; a, an, the vanish; my is me's
 *   - in sentences the first known verb after the subject is the verb
 *   - words that only begin lines (rule, let, set, ..) are free inside names */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lang/read/gram.h"

enum mode { IN_FILE, IN_STAT_BLOCK, IN_RULE, IN_SCENE, IN_POLICY };

struct keyword { const char *word; int token; bool starter; bool prompt; };

/* `starter` words belong to the language only at the beginning of a line. */
static const struct keyword KEYWORDS[] = {
	{"use", TOK_USE, true, 0}, {"ruleset", TOK_RULESET, true, 0}, {"house rules", TOK_HOUSERULES, true, 0}, {"option", TOK_OPTION, true, 0},
	{"unit", TOK_UNITKW, true, 0}, {"sequence", TOK_SEQUENCE, true, 0}, {"alias", TOK_ALIAS, true, 0}, {"kind", TOK_KINDKW, true, 0},
	{"every", TOK_EVERY, true, 0}, {"event", TOK_EVENT, true, 0}, {"action", TOK_ACTION, true, 0}, {"needs", TOK_NEEDS, true, 0},
	{"costs", TOK_COSTS, true, 0}, {"does", TOK_DOES, true, 0}, {"table", TOK_TABLE, true, 0}, {"drop", TOK_DROP, true, 0},
	{"rule", TOK_RULE, true, 0}, {"policy", TOK_POLICY, true, 0}, {"encounter", TOK_ENCOUNTER, true, 0}, {"side", TOK_SIDE, true, 0},
	{"expect", TOK_EXPECT, true, 0}, {"define", TOK_DEFINE, true, 0}, {"adjust", TOK_ADJUST, true, 0}, {"limit", TOK_LIMIT, true, 0},
	{"order", TOK_ORDER, true, 0}, {"let", TOK_LET, true, 0}, {"set", TOK_SET, true, 0}, {"change", TOK_CHANGE, true, 0},
	{"add", TOK_ADD, true, 0}, {"remove", TOK_REMOVE, true, 0}, {"each", TOK_EACH, true, 0}, {"repeat", TOK_REPEAT, true, 0},
	{"stop", TOK_STOP, true, 0}, {"pend", TOK_PEND, true, 0}, {"resolve", TOK_RESOLVE, true, 0}, {"ask", TOK_ASK, true, 0},
	{"cancel", TOK_CANCEL, true, 0}, {"note", TOK_NOTE, true, 0}, {"refer", TOK_REFER, true, 0}, {"refuse", TOK_REFUSE, true, 0},
	{"odds", TOK_ODDS, true, 0}, {"sweep", TOK_SWEEP, true, 0}, {"compare", TOK_COMPARE, true, 0}, {"plot", TOK_PLOT, true, 0},
	{"whenever", TOK_WHENEVER, true, 0}, {"carry on", TOK_CARRYON, true, 0}, {"forbid", TOK_FORBID, true, 0}, {"permit", TOK_PERMIT, true, 0},
	{"default action", TOK_DEFAULT, true, 0}, {"perform phase", TOK_PERFORMPHASE, true, 0}, {"begin round at", TOK_BEGINROUND, true, 0},
	{"set option", TOK_SETOPTION, true, 0}, {"together", TOK_TOGETHERB, true, 0}, {"when asked", TOK_WHENASKED, true, 0},
	{"every pair of", TOK_EVERYPAIR, true, 0}, {"instead of", TOK_INSTEAD, true, 0}, {"phase", TOK_PHASE, true, 0},
	{"spread", TOK_SPREAD, false, 0},
	{"begin", TOK_C_BEGIN, true, true}, {"step", TOK_C_STEP, true, true}, {"run", TOK_C_RUN, true, true}, {"undo", TOK_C_UNDO, true, true},
	{"redo", TOK_C_REDO, true, true}, {"fork", TOK_C_FORK, true, true}, {"switch", TOK_C_SWITCH, true, true}, {"forks", TOK_C_FORKS, true, true},
	{"force", TOK_C_FORCE, true, true}, {"why", TOK_C_WHY, true, true}, {"show", TOK_C_SHOW, true, true}, {"save", TOK_C_SAVE, true, true},
	{"load", TOK_C_LOAD, true, true}, {"help", TOK_C_HELP, true, true}, {"quit", TOK_C_QUIT, true, true}, {"dice ask", TOK_C_ASKDICE, true, true},
	{"dice roll", TOK_C_ROLLDICE, true, true},
	{"with", TOK_WITH, false, 0}, {"follows", TOK_FOLLOWS, false, 0}, {"follow", TOK_FOLLOWS, false, 0}, {"until", TOK_UNTIL, false, 0},
	{"when", TOK_WHEN, false, 0}, {"unless", TOK_UNLESS, false, 0}, {"is", TOK_IS, false, 0}, {"are", TOK_IS, false, 0},
	{"has", TOK_HAS, false, 0}, {"have", TOK_HAS, false, 0}, {"exact", TOK_EXACT, false, 0}, {"vs", TOK_VS, false, 0},
	{"giving", TOK_GIVING, false, 0}, {"average", TOK_AVERAGE, false, 0}, {"over", TOK_OVER, false, 0}, {"extends", TOK_EXTENDS, false, 0},
	{"exception to", TOK_EXCEPTION, false, 0}, {"replaces", TOK_REPLACES, false, 0}, {"ruling", TOK_RULING, false, 0},
	{"by", TOK_BY, false, 0}, {"then", TOK_THEN, false, 0}, {"to", TOK_TO, false, 0}, {"at least", TOK_AT_LEAST, false, 0},
	{"at most", TOK_AT_MOST, false, 0}, {"precedes", TOK_PRECEDES, false, 0}, {"yields to", TOK_YIELDS, false, 0},
	{"together with", TOK_TOGETHER, false, 0}, {"meets", TOK_MEETS, false, 0}, {"apart from", TOK_APART, false, 0},
	{"on", TOK_ON, false, 0}, {"before", TOK_BEFORE, false, 0}, {"after", TOK_AFTER, false, 0}, {"in", TOK_IN, false, 0},
	{"where", TOK_WHERE, false, 0}, {"from", TOK_FROM, false, 0}, {"if", TOK_IF, false, 0}, {"else", TOK_ELSE, false, 0},
	{"or else", TOK_ELSE, false, 0}, {"copy of", TOK_COPYOF, false, 0}, {"at", TOK_AT, false, 0}, {"may", TOK_MAY, false, 0},
	{"and", TOK_AND, false, 0}, {"or none", TOK_ORNONE, false, 0}, {"or", TOK_OR, false, 0}, {"not", TOK_NOT, false, 0}, {"as soon as", TOK_ASSOONAS, false, 0},
	{"as", TOK_AS, false, 0}, {"roll", TOK_ROLL, false, 0}, {"any", TOK_ANY, false, 0}, {"no", TOK_NO, false, 0}, {"yes", TOK_YES, false, 0},
	{"none", TOK_NONE_, false, 0}, {"count", TOK_COUNT, false, 0}, {"highest", TOK_HIGHEST, false, 0}, {"lowest", TOK_LOWEST, false, 0},
	{"total", TOK_TOTAL, false, 0}, {"pick", TOK_PICK, false, 0}, {"those", TOK_THOSE, false, 0}, {"for", TOK_FOR, false, 0},
	{"this", TOK_THIS, false, 0}, {"base", TOK_BASE, false, 0}, {"chooses", TOK_CHOOSES, false, 0}, {"by default", TOK_BYDEFAULT, false, 0},
	{"rounded up", TOK_ROUNDUP, false, 0}, {"rounded down", TOK_ROUNDDOWN, false, 0}, {"rounded nearest", TOK_ROUNDNEAR, false, 0},
	{"shared", TOK_SHARED, false, 0}, {"into", TOK_INTO, false, 0}, {"against", TOK_AGAINST, false, 0}, {"toward", TOK_TOWARD, false, 0},
	{"towards", TOK_TOWARD, false, 0}, {"using", TOK_USING, false, 0}, {"behind", TOK_BEHIND, false, 0}, {"past", TOK_PAST, false, 0},
	{"someone", TOK_SOMEONE, false, 0}, {"somebody", TOK_SOMEONE, false, 0},
};

struct phraser {
	struct parse *p;
	const char *text;
	const struct raw *v;
	int n, i;
	struct fray_pstate *ps;
	int status;
	enum mode mode[FRAY_NEST_MAX + 2];
	struct span opened[FRAY_NEST_MAX + 2];
	int depth;
	bool start, subject, verb_next, measures;
	int lead, last, before_last;
	int parens;
	bool refused; /* nested too deep: nothing more is read */
};

static bool is_word(const struct raw *r)
{
	return r->kind == RAW_WORD || r->kind == RAW_ORDINAL;
}

static bool word_is(const struct phraser *x, int i, const char *text)
{
	if (i >= x->n || x->v[i].kind != RAW_WORD)
		return false;
	size_t n = strlen(text);
	return x->v[i].end - x->v[i].start == n && !strncmp(x->text + x->v[i].start, text, n);
}

/* The longest keyword at i; how many words it has. Commands only at the prompt. */
static const struct keyword *keyword_at(const struct phraser *x, int i, int *words)
{
	const struct keyword *best = NULL;
	*words = 0;
	if (i >= x->n || x->v[i].kind != RAW_WORD)
		return NULL;
	char first = x->text[x->v[i].start];
	for (size_t k = 0; k < FRAY_COUNT(KEYWORDS); k++) {
		const struct keyword *w = &KEYWORDS[k];
		if (w->word[0] != first || (w->prompt && !(x->p->prompt && x->depth == 0)))
			continue;
		const char *t = w->word;
		int n = 0;
		for (;;) {
			size_t length = strcspn(t, " ");
			if (i + n >= x->n || x->v[i + n].kind != RAW_WORD || x->v[i + n].end - x->v[i + n].start != length || strncmp(x->text + x->v[i + n].start, t, length))
				break;
			n++;
			t += length;
			if (!*t) {
				if (n > *words) {
					best = w;
					*words = n;
				}
				break;
			}
			t++;
		}
	}
	return best;
}

static const struct keyword *inner_at(const struct phraser *x, int i, int *words)
{
	const struct keyword *k = keyword_at(x, i, words);
	if (k && k->starter) {
		*words = 0;
		return NULL;
	}
	return k;
}

static struct span span_of(const struct phraser *x, int i, int words)
{
	struct span s = {x->p->file, x->v[i].start, x->v[i + words - 1].end};
	return s;
}

static void push(struct phraser *x, int token, struct word_value *w, struct span at)
{
	if (x->status)
		return;
	x->status = parser_push(x->ps, x->p, token, w, at);
	x->before_last = x->last;
	x->last = token;
}

static void push_plain(struct phraser *x, int token, struct span at)
{
	struct word_value w = {0};
	push(x, token, &w, at);
}

static sym put_name(struct phraser *x, int i, int words)
{
	struct buf b = {0};
	for (int k = 0; k < words; k++) {
		if (k)
			buf_putc(&b, ' ');
		buf_add(&b, x->text + x->v[i + k].start, x->v[i + k].end - x->v[i + k].start);
	}
	if (b.length > FRAY_NAME_MAX)
		diag_report(x->p->front->sink, M_NAME_LONG, span_of(x, i, words), 0);
	sym s = intern_put(x->p->front->names, b.data, b.length > FRAY_NAME_MAX ? FRAY_NAME_MAX : b.length);
	buf_free(&b);
	return s;
}

static void push_name(struct phraser *x, int token, int i, int words)
{
	struct word_value w = {0};
	w.name = put_name(x, i, words);
	push(x, token, &w, span_of(x, i, words));
}

static void push_quoted_name(struct phraser *x, int token, int i)
{
	struct word_value w = {0};
	w.name = intern_put(x->p->front->names, x->text + x->v[i].start + 1, x->v[i].end - x->v[i].start - 2);
	w.num = 1;
	push(x, token, &w, span_of(x, i, 1));
}

static void push_verb(struct phraser *x, int i, int words)
{
	struct word_value w = {0};
	w.name2 = put_name(x, i, words);
	w.name = lexicon_verb(x->p->front->lexicon, w.name2);
	push(x, TOK_VERB, &w, span_of(x, i, words));
}

static int longest(const struct phraser *x, int i)
{
	int words = lexicon_longest(x->p->front->lexicon, x->text, x->v, i, x->n, LEX_NAME);
	int k;
	/* a one-word name never hides a word of the language */
	if (words == 1 && inner_at(x, i, &k))
		words = 0;
	return words;
}

static int verb_words(const struct phraser *x, int i)
{
	return lexicon_longest(x->p->front->lexicon, x->text, x->v, i, x->n, LEX_VERB);
}

/* ---- numbers ---- */

static void number_value(struct phraser *x, int i, struct word_value *w)
{
	const char *t = x->text + x->v[i].start;
	const char *end = x->text + x->v[i].end;
	int64_t v = 0, den = 1;
	bool dot = false, big = false;
	for (; t < end && (isdigit((unsigned char)*t) || *t == '.'); t++) {
		if (*t == '.') {
			dot = true;
			continue;
		}
		if (v > (INT64_MAX - 9) / 10 || (dot && den > 100000000)) {
			big = true;
			continue;
		}
		v = v * 10 + (*t - '0');
		if (dot)
			den *= 10;
	}
	while (den > 1 && v % 10 == 0) {
		v /= 10;
		den /= 10;
	}
	if (big || v > (INT64_MAX >> 20) || (den > 1 && v > INT32_MAX))
		diag_report(x->p->front->sink, M_NUMBER_BIG, span_of(x, i, 1), 0);
	if (big || v > (INT64_MAX >> 20))
		v = 1;
	w->num = v;
	w->den = den;
}

static bool unit_at(const struct phraser *x, int i, int *words)
{
	*words = lexicon_longest(x->p->front->lexicon, x->text, x->v, i, x->n, LEX_UNIT);
	return *words > 0;
}

/* "segment 6", "surprise segment 1": a unit and a number, where no quantity can be meant. */
static bool moment_at(struct phraser *x, int i, int *words)
{
	if (!unit_at(x, i, words) || i + *words >= x->n || x->v[i + *words].kind != RAW_NUMBER)
		return false;
	struct word_value w = {0};
	number_value(x, i + *words, &w);
	int further;
	/* "each round 2 segments later": the number has its own unit */
	if (i + *words + 1 < x->n && unit_at(x, i + *words + 1, &further) && is_word(&x->v[i + *words + 1]))
		return false;
	w.name = put_name(x, i, *words);
	push(x, TOK_TIMEPOINT, &w, span_of(x, i, *words + 1));
	++*words;
	return true;
}

/* ---- lines ---- */

static bool continues(int token)
{
	switch (token) {
	case TOK_LBRACE: case TOK_COMMA: case TOK_PLUS: case TOK_MINUS: case TOK_TIMES: case TOK_OVER_: case TOK_EQUALS: case TOK_LESS: case TOK_MORE:
	case TOK_LE: case TOK_GE: case TOK_NE: case TOK_COLON: case TOK_LPAREN: case TOK_AND: case TOK_OR: case TOK_NOT: case TOK_WHEN: case TOK_UNLESS:
	case TOK_IS: case TOK_VS: case TOK_THEN: case TOK_BY: case TOK_TO: case TOK_GIVING: case TOK_WITH:
		return true;
	default:
		return false;
	}
}

static bool leads_on(const struct phraser *x, int i)
{
	static const char *const words[] = {"and", "or", "when", "unless", "else", "then", "vs", "giving", "exception", "replaces"};
	/* a policy's answers begin with "when asked" */
	if (word_is(x, i, "when") && word_is(x, i + 1, "asked"))
		return false;
	for (size_t k = 0; k < FRAY_COUNT(words); k++)
		if (word_is(x, i, words[k]))
			return true;
	return false;
}

static void end_line(struct phraser *x)
{
	enum mode m = x->mode[x->depth];
	struct span at = span_of(x, x->i, 1);
	int last = x->last;
	x->i++;
	bool sentence = m == IN_SCENE || m == IN_POLICY || (m == IN_FILE && x->lead == 0);
	if (last == TOK_NL || last == TOK_LBRACE || last == 0)
		return;
	if (sentence ? x->parens > 0 || continues(last) : !x->p->error && !parser_accepts(x->ps, TOK_NL))
		return;
	int q = x->i;
	while (q < x->n && x->v[q].kind == RAW_NEWLINE)
		q++;
	if (q < x->n && leads_on(x, q)) {
		x->i = q;
		return;
	}
	push_plain(x, TOK_NL, at);
	x->start = true;
	x->lead = 0;
	x->parens = 0;
	x->subject = x->verb_next = x->measures = false;
}

static void close_brace(struct phraser *x)
{
	struct span at = span_of(x, x->i, 1);
	if (x->last != TOK_NL && x->last != TOK_LBRACE) {
		struct span before = at;
		before.end = before.start;
		push_plain(x, TOK_NL, before);
	}
	push_plain(x, TOK_RBRACE, at);
	if (x->depth)
		x->depth--;
	x->i++;
	x->start = false;
	x->lead = 0;
	x->parens = 0;
	x->subject = false;
}

static void open_brace(struct phraser *x)
{
	enum mode m = x->mode[x->depth], next = IN_RULE;
	int lead = x->lead;
	if (lead == TOK_ENCOUNTER || lead == TOK_TIMEPOINT || lead == TOK_ODDS || lead == TOK_SWEEP || lead == TOK_PLOT || lead == TOK_VS || lead == TOK_EXPECT)
		next = IN_SCENE;
	else if (lead == TOK_POLICY || m == IN_POLICY)
		next = IN_POLICY;
	else if (lead == TOK_KINDNAME || lead == TOK_EVERY || lead == TOK_EVERYPAIR || lead == TOK_KINDKW || lead == TOK_ACTION || lead == TOK_TABLE || lead == TOK_USE)
		next = IN_STAT_BLOCK;
	if (x->last == TOK_WITH && (m == IN_RULE || lead == TOK_USE))
		next = IN_STAT_BLOCK;
	struct span at = span_of(x, x->i, 1);
	if (x->depth >= FRAY_NEST_MAX) {
		if (!x->refused)
			diag_report(x->p->front->sink, M_NESTED, at, 0);
		x->refused = true;
		return;
	}
	x->mode[++x->depth] = next;
	x->opened[x->depth] = at;
	push_plain(x, TOK_LBRACE, at);
	x->i++;
	x->start = true;
	x->lead = 0;
}

/* How many words a declared name's header has: up to a word that ends it. */
static int header_words(const struct phraser *x, int lead, int i)
{
	int k = 0;
	while (i + k < x->n && is_word(&x->v[i + k])) {
		bool stop = false;
		if (k) {
			if (lead == TOK_RULE)
				stop = word_is(x, i + k, "exception") || word_is(x, i + k, "replaces") || word_is(x, i + k, "if") || word_is(x, i + k, "ruling");
			else if (lead == TOK_EVERY || lead == TOK_EVERYPAIR)
				stop = word_is(x, i + k, "has") || word_is(x, i + k, "to");
			else if (lead == TOK_HOUSERULES)
				stop = word_is(x, i + k, "for");
			else if (lead == TOK_RULESET)
				stop = word_is(x, i + k, "extends");
			else if (lead == TOK_OPTION)
				stop = word_is(x, i + k, "of");
			else if (lead == TOK_USE)
				stop = word_is(x, i + k, "with");
			else if (lead == TOK_KINDKW || lead == TOK_KINDNAME || lead == TOK_ALIAS)
				stop = word_is(x, i + k, "is");
			else if (lead == TOK_ACTION) {
				/* the verb goes up to the roles; a preposition before a role is none of it */
				int p;
				const struct keyword *w = keyword_at(x, i + k, &p);
				stop = w && !w->starter && i + k + 1 < x->n && x->v[i + k + 1].mark == '(';
			}
		}
		if (stop)
			break;
		k++;
	}
	return k;
}

static bool names_follow(int token)
{
	switch (token) {
	case TOK_RULE: case TOK_DROP: case TOK_POLICY: case TOK_ENCOUNTER: case TOK_EVENT: case TOK_TABLE: case TOK_OPTION: case TOK_LET: case TOK_KINDKW:
	case TOK_SEQUENCE: case TOK_RULESET: case TOK_HOUSERULES: case TOK_UNITKW: case TOK_SIDE: case TOK_ALIAS: case TOK_EVERY: case TOK_EVERYPAIR:
	case TOK_ACTION: case TOK_USE: case TOK_SETOPTION: case TOK_DEFAULT: case TOK_WHENASKED: case TOK_C_BEGIN: case TOK_C_FORK: case TOK_C_SWITCH: case TOK_C_HELP:
	case TOK_PERFORMPHASE:
		return true;
	default:
		return false;
	}
}

/* "every combatants": the singular is meant, which the checker finds; here they are names. */
static void name_of_header(struct phraser *x, int lead)
{
	if (x->i < x->n && x->v[x->i].kind == RAW_STRING && lead != TOK_EVERY) {
		push_quoted_name(x, TOK_NAME, x->i);
		x->i++;
		return;
	}
	if (word_is(x, x->i, "the") && lead != TOK_RULE && lead != TOK_ENCOUNTER)
		x->i++;
	int words = header_words(x, lead, x->i);
	if (words) {
		push_name(x, TOK_NAME, x->i, words);
		x->i += words;
	}
}

/* The first word of a line: a field before a colon, a kind, a word of the language, or the
 * beginning of a sentence. True if the line's head was consumed. */
static bool line_head(struct phraser *x)
{
	enum mode m = x->mode[x->depth];
	const struct raw *r = &x->v[x->i];
	x->subject = m == IN_SCENE || m == IN_FILE;
	x->verb_next = m == IN_POLICY;
	x->measures = false;
	if (!is_word(r))
		return false;
	int k = 0;
	while (x->i + k < x->n && is_word(&x->v[x->i + k]))
		k++;
	bool colon = x->i + k < x->n && x->v[x->i + k].mark == ':';
	if (colon && k <= 2 && (word_is(x, x->i, "dice") || word_is(x, x->i, "choices") || word_is(x, x->i, "referee"))) {
		int token = word_is(x, x->i, "choices") ? TOK_CHOICES : word_is(x, x->i, "referee") ? TOK_REFEREE : k == 2 ? TOK_DICEONLY : TOK_DICEKW;
		if (k == 1 || word_is(x, x->i + 1, "only")) {
			push_plain(x, token, span_of(x, x->i, k + 1));
			x->i += k + 1;
			x->start = token == TOK_REFEREE;
			x->subject = false;
			if (token == TOK_REFEREE) {
				/* a statement follows, as in a rule */
				int words;
				const struct keyword *w = keyword_at(x, x->i, &words);
				x->start = false;
				if (w && (w->token == TOK_SET || w->token == TOK_CHANGE || w->token == TOK_ADD || w->token == TOK_REMOVE)) {
					push_plain(x, w->token, span_of(x, x->i, words));
					x->i += words;
				}
			}
			return true;
		}
	}
	int words;
	const struct keyword *w = keyword_at(x, x->i, &words);
	if (colon) {
		bool named = w && k > words &&
		             ((w->token == TOK_SIDE && m == IN_SCENE) || (m == IN_FILE && (w->token == TOK_OPTION || w->token == TOK_SEQUENCE)) || w->token == TOK_WHENASKED);
		if (named) {
			push_plain(x, w->token, span_of(x, x->i, words));
			x->i += words;
			int head = header_words(x, w->token, x->i);
			push_name(x, TOK_NAME, x->i, head);
			x->i += head;
			if (word_is(x, x->i, "of")) { /* option NAME of KIND: */
				push_plain(x, TOK_FOR, span_of(x, x->i, 1));
				x->i++;
				head = header_words(x, TOK_LET, x->i);
				push_name(x, TOK_NAME, x->i, head);
				x->i += head;
			}
		} else {
			push_name(x, TOK_NAME, x->i, k);
			x->i += k;
		}
		x->start = false;
		x->lead = named ? w->token : 0;
		if (!named)
			x->lead = TOK_COLON;
		x->subject = false;
		return true;
	}
	if (m == IN_FILE) {
		int kind = lexicon_longest(x->p->front->lexicon, x->text, x->v, x->i, x->n, LEX_KIND);
		bool then = x->i + kind < x->n && (is_word(&x->v[x->i + kind]) || x->v[x->i + kind].kind == RAW_STRING);
		if (kind && then && !(w && w->token == TOK_ENCOUNTER && false)) {
			push_name(x, TOK_KINDNAME, x->i, kind);
			x->i += kind;
			x->lead = TOK_KINDNAME;
			x->start = false;
			x->subject = false;
			name_of_header(x, TOK_KINDNAME);
			return true;
		}
	}
	if (w && x->i + words < x->n && x->v[x->i + words].kind == RAW_POSSESSIVE)
		w = NULL;
	if (w && w->token == TOK_SIDE)
		w = NULL;
	/* a declared name of several words at the start of a sentence is its subject */
	if (w && m != IN_FILE && longest(x, x->i) > words && w->token != TOK_RULE && w->token != TOK_LET)
		w = NULL;
	if (!w)
		return false;
	/* in a policy a line begins with its verb, even one that is a word of the language */
	if (m == IN_POLICY && w->token != TOK_IF && w->token != TOK_FOLLOWS && w->token != TOK_WHENASKED && verb_words(x, x->i))
		return false;
	x->lead = w->token;
	push_plain(x, w->token, span_of(x, x->i, words));
	x->i += words;
	x->start = false;
	x->verb_next = false;
	if (w->token != TOK_EXPECT && w->token != TOK_FOLLOWS && w->token != TOK_C_WHY)
		x->subject = false;
	if (w->token == TOK_EXPECT || w->token == TOK_PLOT) {
		int next;
		const struct keyword *q = keyword_at(x, x->i, &next);
		if (q && (q->token == TOK_ODDS || q->token == TOK_SWEEP || q->token == TOK_COMPARE)) {
			push_plain(x, q->token, span_of(x, x->i, next));
			x->i += next;
			x->lead = q->token;
			x->subject = false;
			return true;
		}
	}
	if (w->token == TOK_DROP && word_is(x, x->i, "rule")) {
		push_plain(x, TOK_RULE, span_of(x, x->i, 1));
		x->i++;
	}
	/* on phase NAME */
	if ((w->token == TOK_ON || w->token == TOK_BEFORE || w->token == TOK_AFTER || w->token == TOK_INSTEAD) && word_is(x, x->i, "phase") &&
	    x->i + 1 < x->n && is_word(&x->v[x->i + 1])) {
		push_plain(x, TOK_PHASE, span_of(x, x->i, 1));
		x->i++;
		int head = 0;
		while (x->i + head < x->n && is_word(&x->v[x->i + head]) && !(head && (word_is(x, x->i + head, "when") || word_is(x, x->i + head, "unless"))))
			head++;
		push_name(x, TOK_NAME, x->i, head);
		x->i += head;
		return true;
	}
	if (names_follow(w->token)) {
		bool bare = w->prompt && (x->i >= x->n || !is_word(&x->v[x->i]));
		if (!bare)
			name_of_header(x, w->token);
		if ((w->token == TOK_EVERY || w->token == TOK_EVERYPAIR) && word_is(x, x->i, "to")) {
			push_plain(x, TOK_TO, span_of(x, x->i, 1));
			x->i++;
			name_of_header(x, w->token);
		}
	}
	return true;
}

/* One word or run of words inside a line. */
static void words(struct phraser *x)
{
	struct lexicon *lex = x->p->front->lexicon;
	int k, w_words;
	(void)lex;
	if (word_is(x, x->i, "my") || word_is(x, x->i, "its")) {
		struct word_value w = {0};
		w.name = intern_word(x->p->front->names, word_is(x, x->i, "my") ? "me" : "it");
		push(x, TOK_NAME, &w, span_of(x, x->i, 1));
		push_plain(x, TOK_POSS, span_of(x, x->i, 1));
		x->i++;
		return;
	}
	if (x->subject && (word_is(x, x->i, "does") || word_is(x, x->i, "did") || word_is(x, x->i, "do"))) {
		x->i++;
		if (x->last == TOK_NAME)
			x->verb_next = true;
		return;
	}
	if (x->verb_next && (k = verb_words(x, x->i)) > 0) {
		push_verb(x, x->i, k);
		x->i += k;
		x->verb_next = x->subject = false;
		return;
	}
	if (x->verb_next && x->mode[x->depth] == IN_POLICY && x->last != TOK_NOT) {
		/* an unknown verb: named as one, so that the checker can say so */
		struct word_value w = {0};
		w.name = w.name2 = put_name(x, x->i, 1);
		push(x, TOK_VERB, &w, span_of(x, x->i, 1));
		x->i++;
		x->verb_next = false;
		return;
	}
	bool field = x->last == TOK_POSS;
	int declared = longest(x, x->i);
	if (!field && declared < 2 && (word_is(x, x->i, "the") || word_is(x, x->i, "a") || word_is(x, x->i, "an")) && x->i + 1 < x->n && is_word(&x->v[x->i + 1])) {
		x->i++;
		return;
	}
	if (word_is(x, x->i, "option") && !field && declared < 2 && x->i + 1 < x->n && longest(x, x->i + 1) > 0) {
		push_plain(x, TOK_OPTIONX, span_of(x, x->i, 1));
		x->i++;
		return;
	}
	if (field && declared == 0)
		declared = 1;
	const struct keyword *w = inner_at(x, x->i, &w_words);
	if (w && !field && declared <= w_words) {
		int token = w->token;
		if (token == TOK_AS && x->i + 1 < x->n && x->v[x->i + 1].kind == RAW_STRING)
			token = TOK_ASLABEL;
		/* "X is live" of a kind */
		push_plain(x, token, span_of(x, x->i, w_words));
		x->i += w_words;
		if (token == TOK_GIVING)
			x->subject = x->measures = true;
		if (token == TOK_VS)
			x->lead = TOK_VS;
		if (token == TOK_WHEN || token == TOK_UNLESS)
			x->subject = x->verb_next = false;
		if (token == TOK_NOT && x->subject)
			x->verb_next = x->before_last == TOK_NAME;
		if (token == TOK_ELSE || token == TOK_THEN) {
			enum mode m = x->mode[x->depth];
			if (m == IN_SCENE || m == IN_POLICY || (m == IN_FILE && x->lead == 0))
				x->verb_next = verb_words(x, x->i) > 0;
		}
		if (token == TOK_ASSOONAS)
			x->subject = true;
		if (token == TOK_IS && x->lead == TOK_KINDKW && word_is(x, x->i, "live")) {
			push_plain(x, TOK_LIVE, span_of(x, x->i, 1));
			x->i++;
		}
		return;
	}
	/* a moment? */
	int moment;
	if (!field && x->last != TOK_NUMBER && unit_at(x, x->i, &moment) && x->i + moment < x->n && x->v[x->i + moment].kind == RAW_NUMBER && moment_at(x, x->i, &moment)) {
		x->i += moment;
		if (x->lead == 0)
			x->lead = TOK_TIMEPOINT;
		x->subject = false;
		return;
	}
	/* the run of words up to a word of the language */
	k = 0;
	while (x->i + k < x->n && is_word(&x->v[x->i + k])) {
		int q;
		if (k >= declared && inner_at(x, x->i + k, &q) && longest(x, x->i + k) < 2)
			break;
		if (k >= declared && k > 0 && unit_at(x, x->i + k, &q) && x->i + k + q < x->n && x->v[x->i + k + q].kind == RAW_NUMBER && longest(x, x->i + k) <= q)
			break;
		k++;
	}
	if (k < declared)
		k = declared;
	if (x->subject) {
		for (int j = 1; j < k; j++) {
			int verb = verb_words(x, x->i + j);
			bool helper = word_is(x, x->i + j, "does") || word_is(x, x->i + j, "did") || word_is(x, x->i + j, "do");
			if (!verb && !helper)
				continue;
			/* a declared name that reaches past the verb keeps it only if nothing follows */
			if (j < declared && declared == k && !helper)
				break;
			push_name(x, TOK_NAME, x->i, j);
			x->i += j;
			if (helper) {
				x->i++;
				x->verb_next = true;
			} else {
				push_verb(x, x->i, verb);
				x->i += verb;
				x->subject = false;
			}
			return;
		}
		int verb = verb_words(x, x->i);
		if (verb && (x->last == TOK_NAME || x->last == TOK_RPAREN)) {
			push_verb(x, x->i, verb);
			x->i += verb;
			x->subject = false;
			return;
		}
		/* "Bruna atacks orc #1": no known verb. In a sentence of a scene the second word of an
		 * undeclared run is taken for one, so that it can be said */
		if (x->mode[x->depth] == IN_SCENE && x->lead == 0 && declared > 0 && k > declared && x->last != TOK_AND && !x->measures) {
			push_name(x, TOK_NAME, x->i, declared);
			x->i += declared;
			struct word_value u = {0};
			u.name = u.name2 = put_name(x, x->i, 1);
			push(x, TOK_VERB, &u, span_of(x, x->i, 1));
			x->i++;
			x->subject = false;
			return;
		}
	}
	push_name(x, TOK_NAME, x->i, k);
	x->i += k;
	x->verb_next = false;
}

static void punctuation(struct phraser *x, const struct raw *r)
{
	static const struct { char mark; int token; } marks[] = {
		{'(', TOK_LPAREN}, {')', TOK_RPAREN}, {',', TOK_COMMA}, {':', TOK_COLON}, {'=', TOK_EQUALS}, {'<', TOK_LESS}, {'>', TOK_MORE},
		{'+', TOK_PLUS}, {'-', TOK_MINUS}, {'*', TOK_TIMES}, {'/', TOK_OVER_},
	};
	if (r->mark == '(' && ++x->parens > FRAY_NEST_MAX) {
		if (!x->refused)
			diag_report(x->p->front->sink, M_NESTED, span_of(x, x->i, 1), 0);
		x->refused = true;
		return;
	}
	if (r->mark == ')' && x->parens)
		x->parens--;
	for (size_t k = 0; k < FRAY_COUNT(marks); k++)
		if (marks[k].mark == r->mark)
			push_plain(x, marks[k].token, span_of(x, x->i, 1));
	if (r->mark == ',' && x->measures)
		x->subject = true;
	/* `?` at the end of a question is politeness */
	x->i++;
}

static void literal_token(struct phraser *x, int token)
{
	struct word_value w = {0};
	const struct raw *r = &x->v[x->i];
	struct arena *a = x->p->front->arena;
	int taken = 1;
	w.den = 1;
	switch (token) {
	case TOK_STRING:
		w.text = arena_text(a, x->text + r->start + 1, r->end - r->start - 2);
		break;
	case TOK_DICE:
		w.text = arena_text(a, x->text + r->start, r->end - r->start);
		break;
	case TOK_CHANCE: {
		number_value(x, x->i, &w);
		const char *in = x->text + r->start;
		while (in < x->text + r->end && !isalpha((unsigned char)*in))
			in++;
		w.den = strtoll(in + 2, NULL, 10);
		if (w.den <= 0 || w.den > 1000000 || w.num > w.den) {
			diag_report(x->p->front->sink, M_BAD_CHANCE, span_of(x, x->i, 1), 0);
			w.den = w.num > 0 && w.num < 1000000 ? w.num : 1;
			w.num = w.den;
		}
		break;
	}
	case TOK_QTY: /* 12" */
		number_value(x, x->i, &w);
		w.name = intern_word(x->p->front->names, "\"");
		break;
	case TOK_NUMBER: {
		int unit;
		number_value(x, x->i, &w);
		if (x->i + 1 < x->n && unit_at(x, x->i + 1, &unit)) {
			token = TOK_QTY;
			w.name = put_name(x, x->i + 1, unit);
			taken = 1 + unit;
		}
		break;
	}
	default:
		number_value(x, x->i, &w);
		break;
	}
	push(x, token, &w, span_of(x, x->i, taken));
	x->i += taken;
}

static void step(struct phraser *x)
{
	const struct raw *r = &x->v[x->i];
	if (r->kind == RAW_NEWLINE) {
		end_line(x);
		return;
	}
	if (r->mark == '}') {
		close_brace(x);
		return;
	}
	if (x->start) {
		bool head = line_head(x);
		x->start = false;
		if (head)
			return;
	}
	if (r->mark == '{') {
		open_brace(x);
		return;
	}
	switch (r->kind) {
	case RAW_STRING: literal_token(x, TOK_STRING); break;
	case RAW_CHANCE: literal_token(x, TOK_CHANCE); break;
	case RAW_DICE: literal_token(x, TOK_DICE); break;
	case RAW_PERCENT: literal_token(x, TOK_PERCENT); break;
	case RAW_SCALE: literal_token(x, TOK_QTY); break;
	case RAW_NUMBER: literal_token(x, TOK_NUMBER); break;
	case RAW_POSSESSIVE: push_plain(x, TOK_POSS, span_of(x, x->i, 1)); x->i++; break;
	case RAW_LE: push_plain(x, TOK_LE, span_of(x, x->i, 1)); x->i++; break;
	case RAW_GE: push_plain(x, TOK_GE, span_of(x, x->i, 1)); x->i++; break;
	case RAW_NE: push_plain(x, TOK_NE, span_of(x, x->i, 1)); x->i++; break;
	case RAW_DOTS: push_plain(x, TOK_DOTDOT, span_of(x, x->i, 1)); x->i++; break;
	case RAW_BAD:
	case RAW_BAD_NUMBER:
	case RAW_OPEN_STRING:
		x->i++; /* said when the names were collected */
		break;
	case RAW_ORDINAL:
	case RAW_WORD:
		words(x);
		break;
	default:
		punctuation(x, r);
		break;
	}
}

void phrase_run(struct parse *p, const struct raw *tokens, int n, bool finish, struct phrase_end *end)
{
	struct phraser x;
	memset(&x, 0, sizeof x);
	x.p = p;
	x.text = p->front->sources->file.v[p->file].text;
	x.v = tokens;
	x.n = n;
	x.start = true;
	x.ps = parser_new();
	x.mode[0] = IN_FILE;
	memset(end, 0, sizeof *end);
	while (x.i < n && tokens[x.i].kind != RAW_END && x.status == 0 && !x.refused)
		step(&x);
	end->open = x.depth;
	end->opened = x.opened[x.depth];
	end->complete = x.depth == 0 && (x.last == TOK_NL || x.last == 0) && !x.refused;
	end->in_parens = x.parens > 0;
	if (x.status == 0)
		end->expecteds = parser_expected(x.ps, end->expected, (int)FRAY_COUNT(end->expected));
	if (finish && x.depth && !x.refused) {
		int line, column;
		struct buf where = {0};
		sources_place(p->front->sources, x.opened[x.depth], &line, &column);
		buf_printf(&where, "%d", line);
		diag_report(p->front->sink, M_NOT_CLOSED, x.opened[x.depth], 1, buf_text(&where));
		buf_free(&where);
		p->errors++;
		p->error = true;
	} else if (finish && x.status == 0 && !x.refused) {
		struct word_value w = {0};
		struct span at = {p->file, n ? tokens[n - 1].end : 0, n ? tokens[n - 1].end : 0};
		parser_push(x.ps, p, 0, &w, at);
	}
	parser_free(x.ps);
}
