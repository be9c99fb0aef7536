/* lexicon.c - collecting the names a program declares. */
#include "lang/read/lexicon.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct entry { uint8_t flags; sym verb; };

struct lexicon {
	struct intern *names;
	VEC(struct entry) entry; /* by symbol */
};

static struct entry *entry_of(struct lexicon *l, sym name)
{
	struct entry none = {0, 0};
	while ((sym)l->entry.n <= name)
		VEC_PUSH(l->entry, none);
	return &l->entry.v[name];
}

static void add(struct lexicon *l, sym name, int flags)
{
	if (name)
		entry_of(l, name)->flags |= (uint8_t)flags;
}

static void add_form(struct lexicon *l, const char *first, size_t length, const char *ending, const char *rest, sym verb)
{
	struct buf b = {0};
	buf_add(&b, first, length);
	buf_puts(&b, ending);
	buf_puts(&b, rest);
	sym form = intern_put(l->names, b.data, b.length);
	struct entry *e = entry_of(l, form);
	e->flags |= LEX_VERB;
	e->verb = verb;
	buf_free(&b);
}

/* A verb and its -s form; of several words the first is inflected: "sets weapon". */
static void add_verb(struct lexicon *l, sym word, sym verb)
{
	char text[FRAY_WORD_MAX];
	const char *folded = intern_folded(l->names, word);
	size_t n = strcspn(folded, " ");
	if (strlen(folded) >= sizeof text)
		return;
	strcpy(text, folded);
	const char *rest = text + n;
	char last = n ? text[n - 1] : 0, before = n > 1 ? text[n - 2] : 0;
	add_form(l, text, n, "", rest, verb);
	if (last == 'y' && before && !strchr("aeiou", before))
		add_form(l, text, n - 1, "ies", rest, verb);
	else if (last == 's' || last == 'x' || last == 'o' || (last == 'h' && (before == 's' || before == 'c')) || (last == 'z'))
		add_form(l, text, n, "es", rest, verb);
	else
		add_form(l, text, n, "s", rest, verb);
}

struct lexicon *lexicon_new(struct intern *names)
{
	struct lexicon *l = calloc(1, sizeof *l);
	if (!l)
		abort();
	l->names = names;
	add_verb(l, intern_word(names, "act"), intern_word(names, "act"));
	static const char *const units[] = {"second", "minute", "hour", "ft", "foot", "feet", "yard", "yd", "mile", "inch", "lb", "pound",
	                                    "cp", "sp", "gp", "segment", "round", "turn", "count"};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		char plural[32];
		size_t n = strlen(units[i]);
		memcpy(plural, units[i], n);
		strcpy(plural + n, !strcmp(units[i], "inch") ? "es" : "s");
		add(l, intern_word(names, units[i]), LEX_UNIT);
		add(l, intern_word(names, plural), LEX_UNIT);
	}
	add(l, intern_word(names, "surprise segment"), LEX_UNIT);
	add(l, intern_word(names, "combatant"), LEX_KIND);
	return l;
}

void lexicon_free(struct lexicon *l)
{
	if (!l)
		return;
	VEC_FREE(l->entry);
	free(l);
}

int lexicon_flags(const struct lexicon *l, sym name)
{
	return name && name < (sym)l->entry.n ? l->entry.v[name].flags : 0;
}

sym lexicon_verb(const struct lexicon *l, sym word)
{
	return lexicon_flags(l, word) & LEX_VERB ? l->entry.v[word].verb : 0;
}

static bool is_word(const struct raw *r)
{
	return r->kind == RAW_WORD || r->kind == RAW_ORDINAL;
}

/* The words' text with single blanks, in `out`; its length, 0 if too long or no words. */
static size_t join(const char *text, const struct raw *tokens, int i, int words, char *out, size_t most)
{
	size_t n = 0;
	for (int k = 0; k < words; k++) {
		size_t length = tokens[i + k].end - tokens[i + k].start;
		if (n + length + 2 > most)
			return 0;
		if (k)
			out[n++] = ' ';
		memcpy(out + n, text + tokens[i + k].start, length);
		n += length;
	}
	return n;
}

sym lexicon_join(const struct lexicon *l, const char *text, const struct raw *tokens, int i, int words)
{
	char name[FRAY_WORD_MAX];
	size_t n = join(text, tokens, i, words, name, sizeof name);
	return n ? intern_find(l->names, name, n) : 0;
}

int lexicon_longest(const struct lexicon *l, const char *text, const struct raw *tokens, int i, int n, int flags)
{
	int longest = 0;
	for (int words = 1; words <= NAME_WORDS && i + words <= n && is_word(&tokens[i + words - 1]); words++)
		if (lexicon_flags(l, lexicon_join(l, text, tokens, i, words)) & flags)
			longest = words;
	return longest;
}

void lexicon_each(const struct lexicon *l, void (*offer)(void *, sym, int), void *context)
{
	for (int i = 1; i < l->entry.n; i++)
		if (l->entry.v[i].flags)
			offer(context, (sym)i, l->entry.v[i].flags);
}

/* ---- learning ---- */

struct learner { struct lexicon *l; const char *text; const struct raw *v; int n; };

static bool word_is(const struct learner *x, int i, const char *word)
{
	if (i >= x->n || x->v[i].kind != RAW_WORD)
		return false;
	size_t n = x->v[i].end - x->v[i].start;
	return strlen(word) == n && !strncmp(x->text + x->v[i].start, word, n);
}

static bool word_among(const struct learner *x, int i, const char *const *words)
{
	for (; *words; words++)
		if (word_is(x, i, *words))
			return true;
	return false;
}

static sym put(const struct learner *x, int i, int words)
{
	char name[FRAY_WORD_MAX];
	size_t n = words > 0 ? join(x->text, x->v, i, words, name, sizeof name) : 0;
	return n ? intern_put(x->l->names, name, n) : 0;
}

/* Words at i up to the word that ends such a header. */
static int header(const struct learner *x, int i, const char *const *stops)
{
	int k = 0;
	while (i + k < x->n && is_word(&x->v[i + k]) && !(k && word_among(x, i + k, stops)))
		k++;
	return k;
}

static void learn_quoted(const struct learner *x, int i, int flags)
{
	const struct raw *r = &x->v[i];
	if (i < x->n && r->kind == RAW_STRING)
		add(x->l, intern_put(x->l->names, x->text + r->start + 1, r->end - r->start - 2), flags);
}

static void learn_define(const struct learner *x, int i)
{
	static const char *const stops[] = {"is", "when", "unless", "are", NULL};
	for (; i < x->n && x->v[i].kind != RAW_NEWLINE && x->v[i].mark != '='; i++) {
		int k = header(x, i, stops);
		if (word_among(x, i, stops) && x->v[i].kind == RAW_WORD && (word_is(x, i, "when") || word_is(x, i, "unless")))
			break;
		if (k > 0 && !word_among(x, i, stops)) {
			if (k > 1)
				add(x->l, put(x, i, k), LEX_NAME);
			i += k - 1;
		}
	}
}

static const char *const IS[] = {"is", NULL};
static const char *const NO_STOP[] = {NULL};

static void learn_line(const struct learner *x, int i)
{
	static const char *const rule[] = {"exception", "replaces", "if", "ruling", NULL};
	static const char *const ruleset[] = {"extends", NULL}, *const house[] = {"for", NULL}, *const of[] = {"of", NULL};
	struct lexicon *l = x->l;
	int k = 0;
	while (i + k < x->n && is_word(&x->v[i + k]))
		k++;
	bool colon = i + k < x->n && x->v[i + k].mark == ':';
	if (word_is(x, i, "rule")) {
		add(l, put(x, i + 1, header(x, i + 1, rule)), LEX_NAME);
	} else if (word_is(x, i, "kind") && k > 1) {
		add(l, put(x, i + 1, header(x, i + 1, IS)), LEX_KIND);
	} else if (word_is(x, i, "unit") && k > 1) {
		struct buf plural = {0};
		sym unit = put(x, i + 1, header(x, i + 1, NO_STOP));
		add(l, unit, LEX_UNIT);
		buf_printf(&plural, "%ss", intern_folded(l->names, unit));
		add(l, intern_put(l->names, plural.data, plural.length), LEX_UNIT);
		buf_free(&plural);
	} else if (word_is(x, i, "action") && k > 1) {
		sym verb = put(x, i + 1, header(x, i + 1, NO_STOP));
		/* prepositions before a role are no part of the verb */
		for (int words = k - 1; words > 0 && x->v[i + k].mark == '('; words--) {
			static const char *const preps[] = {"at", "with", "to", "from", "on", "in", "by", "for", "into", "against", "toward", "using",
			                                    "behind", "past", "until", "before", "after", NULL};
			if (word_among(x, i + words, preps)) {
				verb = put(x, i + 1, words - 1);
				break;
			}
		}
		if (verb)
			add_verb(l, verb, verb);
		add(l, verb, LEX_EVENT);
	} else if (word_is(x, i, "event") && k > 1) {
		sym verb = put(x, i + 1, header(x, i + 1, NO_STOP));
		add(l, verb, LEX_NAME | LEX_EVENT);
		add_verb(l, verb, verb);
	} else if (word_is(x, i, "alias") && k > 1 && i + k + 1 < x->n && x->v[i + k].mark == '=') {
		sym name = put(x, i + 1, k - 1);
		int words = 0;
		while (is_word(&x->v[i + k + 1 + words]))
			words++;
		sym whole = put(x, i + k + 1, words);
		add(l, name, LEX_NAME);
		if (lexicon_flags(l, whole) & LEX_EVENT) {
			struct entry *e = entry_of(l, name);
			e->flags |= LEX_VERB;
			e->verb = whole;
		}
	} else if (word_is(x, i, "house") && word_is(x, i + 1, "rules")) {
		add(l, put(x, i + 2, header(x, i + 2, house)), LEX_NAME);
	} else if (word_is(x, i, "ruleset") && k > 1) {
		add(l, put(x, i + 1, header(x, i + 1, ruleset)), LEX_NAME);
	} else if (word_is(x, i, "option") && k > 1) {
		add(l, put(x, i + 1, header(x, i + 1, of)), LEX_NAME);
	} else if (word_is(x, i, "define")) {
		learn_define(x, i + 1);
	} else if ((word_is(x, i, "policy") || word_is(x, i, "encounter") || word_is(x, i, "table") || word_is(x, i, "let") || word_is(x, i, "side") ||
	            word_is(x, i, "sequence")) && k > 1) {
		add(l, put(x, i + 1, header(x, i + 1, NO_STOP)), LEX_NAME);
		if (word_is(x, i, "sequence"))
			for (int p = i + k + 1, from = p; p < x->n; p++)
				if (x->v[p].mark == ',' || x->v[p].kind == RAW_NEWLINE) {
					add(l, put(x, from, p - from), LEX_NAME);
					from = p + 1;
					if (x->v[p].kind == RAW_NEWLINE)
						break;
				}
	} else {
		int kind = lexicon_longest(l, x->text, x->v, i, x->n, LEX_KIND);
		if (kind && kind < k && !colon) {
			add(l, put(x, i + kind, header(x, i + kind, IS)), LEX_NAME);
		} else if (kind && kind == k && x->v[i + k].kind == RAW_STRING) {
			learn_quoted(x, i + k, LEX_NAME);
		} else if (colon && k > 0) {
			add(l, put(x, i, k), LEX_NAME);
		}
	}
}

static void learn_kept(const struct learner *x, int i)
{
	/* "roll d20 as "label"" and "chooses (..) as "label"" make labels of several words */
	if (word_is(x, i, "as") && i + 1 < x->n && x->v[i + 1].kind == RAW_STRING)
		learn_quoted(x, i + 1, LEX_NAME);
}

void lexicon_learn(struct lexicon *l, const char *text, const struct raw *tokens, int n)
{
	struct learner x = {l, text, tokens, n};
	/* kinds first: `weapon dagger` is a declaration only once weapon is a kind */
	for (int pass = 0; pass < 2; pass++) {
		bool start = true;
		for (int i = 0; i < n; i++) {
			const struct raw *r = &tokens[i];
			if (r->kind == RAW_NEWLINE || r->mark == '{' || r->mark == '}') {
				start = true;
				continue;
			}
			if (pass == 1)
				learn_kept(&x, i);
			if (start && is_word(r)) {
				bool early = word_is(&x, i, "kind") || word_is(&x, i, "event") || word_is(&x, i, "action");
				if ((pass == 0) == early)
					learn_line(&x, i);
			}
			start = false;
		}
	}
}
