/* phrase_look.c - looking at the words ahead: what do they make, and where does the name end?
 *
 * Nothing here pushes a token. Lengths are counted in raw tokens; 0 means no. */
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/phrase.h"
#include "runtime/base/num.h"

int raw_title(const struct raw *at, int most)
{
	int n = 0;
	bool plain = true;
	for (; n < most && at[n].kind != '{'; n++) {
		const bool spoken = raw_is_word(&at[n]) || at[n].kind == RAW_OF;
		if (!spoken && at[n].kind != RAW_NUMBER && at[n].kind != ',' && at[n].kind != ':' &&
			at[n].kind != '-')
			return 0;
		plain = plain && spoken;
	}
	return plain || n == most || !raw_is_word(at) ? 0 : n;
}

int words_run(const struct phrase *p, int at)
{
	int n = 0;
	while (at + n < p->count && raw_is_word(&p->raw[at + n]))
		n++;
	return n;
}

int words_of_language(const struct phrase *p, int at, unsigned class, int *token)
{
	int most = p->count - at;
	const struct lex_entry *e;
	while (most > 0 && (most = lexicon_match(p->front->lexicon, LEX_WORDS, &p->raw[at], most, LEX_WORD, &e)) > 0) {
		if (word_table[e->word].class & class) {
			*token = word_table[e->word].token;
			return most;
		}
		most--;
	}
	return 0;
}

int words_name(const struct phrase *p, int at, unsigned flags)
{
	return lexicon_match(p->front->lexicon, LEX_NAMES, &p->raw[at], p->count - at, flags, NULL);
}

int words_verb(const struct phrase *p, int at, sym *verb)
{
	int most = p->count - at;
	const struct lex_entry *e;
	while (most > 0 && (most = lexicon_match(p->front->lexicon, LEX_NAMES, &p->raw[at], most, LEX_VERB, &e)) > 0) {
		sym v = lexicon_verb(p->front->lexicon, e);
		if (v) {
			*verb = v;
			return most;
		}
		most--;
	}
	return 0;
}

/* A combatant may be called so. */
int words_anybody(const struct phrase *p, int at, int *token)
{
	static const struct { const char *first, *second; int token; } said[] = {
		{"nobody", NULL, TOK_NOBODY}, {"no", "one", TOK_NOBODY},
		{"anybody", NULL, TOK_ANYBODY}, {"anyone", NULL, TOK_ANYBODY},
		{"somebody", NULL, TOK_ANYBODY}, {"someone", NULL, TOK_ANYBODY},
	};
	sym verb;
	for (size_t i = 0; i < FRAY_COUNT(said) && p->zone == ZONE_SUBJECT; i++) {
		int n = said[i].second ? 2 : 1;
		if (!phrase_is(p, at, said[i].first) ||
			(n == 2 && !phrase_is(p, at + 1, said[i].second)) ||
			words_name(p, at, LEX_CALLED) >= n)
			continue;
		int does = words_do(p, at + n), v = words_verb(p, at + n + does, &verb);
		const bool is = phrase_is(p, at + n, "is") &&
			(p->lead == TOK_EXPECT || p->lead == TOK_EXPECT_VAIN);
		if (!is && (!v || !words_verb_fits(p, at + n + does, v)))
			return 0;
		*token = said[i].token;
		return n;
	}
	return 0;
}

int words_numbered(const struct phrase *p, int at)
{
	sym verb;
	int64_t number;
	const int n = ordinal_read(intern_text(p->front->names, p->raw[at].word), &number)
		? words_verb(p, at + 1, &verb)
		: 0;
	return n && (words_verb(p, at + 1 + n, &verb) || words_do(p, at + 1 + n)) ? 1 + n : 1;
}

int words_times(const struct phrase *p, int at, int64_t *many)
{
	static const char *const often[] = {"once", "twice", "thrice"};
	if (p->zone != ZONE_SAID ||
		(p->lead != TOK_EXPECT && p->lead != TOK_EXPECT_VAIN && p->lead != TOK_GIVING))
		return 0;
	if (p->raw[at].kind == RAW_NUMBER) /* its value is read where numbers are */
		return phrase_is(p, at + 1, "times") || phrase_is(p, at + 1, "time") ? 2 : 0;
	for (size_t i = 0; i < FRAY_COUNT(often); i++)
		if (phrase_is(p, at, often[i])) {
			*many = (int64_t)i + 1;
			return 1;
		}
	return 0;
}

bool words_shared(const struct phrase *p, int at)
{
	return p->value && phrase_is(p, at, "shared") && (raw_is_end(&p->raw[at + 1]) || p->raw[at + 1].kind == RAW_STRING);
}

/* "by highest ailment rounds", behind a field's value where it is declared */
int words_settled(const struct phrase *p, int at)
{
	int n = 2;
	if (!p->value || !phrase_is(p, at, "by") ||
		!(phrase_is(p, at + 1, "highest") || phrase_is(p, at + 1, "lowest")))
		return 0;
	while (raw_is_word(&p->raw[at + n]))
		n++;
	return raw_is_end(&p->raw[at + n]) || p->raw[at + n].kind == RAW_STRING ? n : 0;
}

/* "target is held while ..": behind "is" and the name of what lasts */
static bool words_while(const struct phrase *p, int at)
{
	int i = at - 2;
	if (at < 3 || !phrase_is(p, at, "while") || raw_is_end(&p->raw[at + 1]))
		return false;
	while (i > 0 && !phrase_is(p, i, "is") && !phrase_is(p, i, "are"))
		i--;
	return i > 0;
}

bool words_state(const struct phrase *p, int at, bool timed)
{
	const struct raw *r = &p->raw[at];
	if (r->kind == RAW_STRING) {
		struct word w = phrase_quoted((struct phrase *)p, r);
		return w.name && lexicon_find(p->front->lexicon, w.name, LEX_STATE);
	}
	if (words_name(p, at, LEX_STATE))
		return true;
	return timed || words_name(p, at, LEX_KIND) ||
		(raw_is_word(r) && p->raw[at + words_run(p, at)].kind == RAW_OF);
}

int words_prep(const struct phrase *p, int at)
{
	return p->zone == ZONE_SAID ? words_name(p, at, LEX_PREP) : 0;
}

int words_inner(const struct phrase *p, int at)
{
	int token, n = words_of_language(p, at, W_INNER, &token);
	if (n)
		return n;
	int64_t many;
	if (words_shared(p, at) || words_settled(p, at) || words_while(p, at) ||
		words_times(p, at, &many) ||
		((p->lead == TOK_SWEEP || p->lead == TOK_RULING) && phrase_is(p, at, "over")))
		return 1;
	if (phrase_is(p, at, "ruling") && p->raw[at + 1].kind == RAW_STRING)
		return 1;
	if ((p->lead == TOK_DICE_COLON || p->lead == TOK_DICE_ONLY || p->lead == TOK_FORCE) && (phrase_is(p, at, "yes") || phrase_is(p, at, "no")))
		return 1;
	return words_prep(p, at);
}

/* What may follow a verb cannot follow a name: "expect fire damage = 3" has no verb. */
bool words_verb_fits(const struct phrase *p, int at, int n)
{
	const struct raw *then = &p->raw[at + n];
	switch (then->kind) {
	case '=': case '<': case '>': case '+': case '*': case '/': case RAW_LE: case RAW_GE: case RAW_NE: case RAW_OF:
		return false;
	default:
		return !phrase_is(p, at + n, "is") && !phrase_is(p, at + n, "are") && !phrase_is(p, at + n, "has");
	}
}

/* In a measure it can: "giving Bruna dies >= 5%", when somebody known does it. */
bool words_measured(const struct phrase *p, int at, int n)
{
	return p->lead == TOK_GIVING && words_name(p, at, LEX_CALLED) == n;
}

bool words_do(const struct phrase *p, int at)
{
	return phrase_is(p, at, "does") || phrase_is(p, at, "do") || phrase_is(p, at, "did");
}

bool words_article(const struct phrase *p, int at)
{
	int token;
	if (!phrase_is(p, at, "the") && !phrase_is(p, at, "a") && !phrase_is(p, at, "an"))
		return false;
	int named = words_name(p, at, LEX_CALLED);
	sym verb;
	if (named > 1)
		return false;
	/* a side called A: it is an article only before what has a name, not before what A does */
	int name = named ? words_name(p, at + 1, LEX_CALLED) : 1;
	if (!name || (named && words_verb(p, at + 1, &verb) >= name))
		return false;
	const struct raw *next = &p->raw[at + 1];
	return next->kind == RAW_STRING || (raw_is_word(next) && !words_of_language(p, at + 1, W_INNER, &token));
}

int words_subject(struct phrase *p, int at)
{
	int from = at;
	for (;;) {
		int token, q;
		sym verb;
		if (words_article(p, at))
			at++;
		bool quoted = p->raw[at].kind == RAW_STRING;
		if (at >= p->count || (!quoted && (!raw_is_word(&p->raw[at]) || words_of_language(p, at, W_INNER, &token))))
			return 0;
		q = quoted ? 1 : words_name(p, at, LEX_CALLED);
		q = at + (q ? q : 1);
		for (;; q++) {
			if (phrase_is(p, q, "follow") || phrase_is(p, q, "follows"))
				return q - from;
			int v = words_verb(p, q, &verb);
			if (v && words_verb_fits(p, q, v))
				return q - from;
			if (phrase_is(p, q, "and") || p->raw[q].kind == ',')
				break;
			if (quoted || q >= p->count || !raw_is_word(&p->raw[q]) || words_of_language(p, q, W_INNER, &token))
				return 0;
		}
		at = q + 1;
	}
}

/* segment 6, surprise segment 1 */
/* from phase 3: a moment, though no rules count it; which they count, the checker knows. */
static bool unknown_unit(const struct phrase *p, int at)
{
	const bool behind = p->last == TOK_FROM || p->last == TOK_UNTIL || p->last == TOK_IN;
	return behind && (p->zone == ZONE_SAID || p->lead == TOK_UNTIL) &&
		p->raw[at].kind == RAW_WORD && p->raw[at + 1].kind == RAW_NUMBER &&
		!words_name(p, at, LEX_CALLED | LEX_KIND);
}

int words_moment(const struct phrase *p, int at, sym *unit)
{
	const struct lex_entry *e;
	int n = lexicon_match(p->front->lexicon, LEX_NAMES, &p->raw[at], p->count - at, LEX_UNIT, &e);
	int less = n && p->last == TOK_IN && p->raw[at + n].kind == '-'; /* in count -1 */
	if (!n && unknown_unit(p, at)) {
		*unit = p->raw[at].word;
		return 1;
	}
	if (!n || p->raw[at + n + less].kind != RAW_NUMBER || words_name(p, at, LEX_CALLED & ~(unsigned)LEX_ALIAS) > n || e->unit != e->text)
		return 0;
	*unit = e->unit;
	return n;
}
