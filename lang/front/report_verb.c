/* report_verb.c - a verb in a referee's words: "Ann fires at Orc" is told "Ann shoots at Orc".
 *
 * Which words mean which action, the library says (front.h, said_verb). A word counts as it is
 * said only where the rules in force have the action, and no verb of that name. */
#include <string.h>

#include "lang/front/slip.h"

/* How many tokens from `at` on say the phrase: "lets fly"; 0: others. */
static int said_length(const struct phrase *p, int at, const char *phrase)
{
	int n = 0;
	for (const char *c = phrase; *c; n++) {
		const size_t length = strcspn(c, " ");
		if (at + n >= p->count || !raw_is_word(&p->raw[at + n]))
			return 0;
		const char *word = intern_folded(p->front->names, p->raw[at + n].word);
		if (strlen(word) != length || strncmp(word, c, length) != 0)
			return 0;
		c += length + (c[length] == ' ');
	}
	return n;
}

/* The row that is said at `at`, if the rules have its action; `verb` is this in the same number. */
static const struct said_verb *said_at(
	const struct phrase *p, int at, int *length, const char **verb)
{
	for (int i = 0; i < p->front->said_verbs; i++) {
		const struct said_verb *s = &p->front->said_verb[i];
		const int one = said_length(p, at, s->of_one),
			  many = said_length(p, at, s->of_many);
		if (!one && !many)
			continue;
		*length = one ? one : many;
		*verb = one ? s->does : s->do_;
		sym known = intern_find(p->front->names, *verb, strlen(*verb));
		const struct lex_entry *e = known ? lexicon_find(p->front->lexicon, known, LEX_VERB)
						  : NULL;
		if (e && e->flags & LEX_ACTION && lexicon_verb(p->front->lexicon, e))
			return s;
	}
	return NULL;
}

const char *slip_verb(const struct phrase *p, int at)
{
	int length;
	const char *verb = NULL;
	return said_at(p, at, &length, &verb) ? verb : NULL;
}

static bool is_preposition(const struct phrase *p, int at)
{
	return slip_any(p, at, "at|to|on|from|toward|towards|into|against|with|for|away");
}

/* What follows the verb: whom and with what, as the action takes it. Words that nobody knows are
 * left out: "an arrow". */
static void put_rest(struct phrase *p, const struct said_verb *s, int at, int end, struct buf *line)
{
	const bool known = at < end &&
		(words_name(p, at, LEX_NAME | LEX_PLURAL) || p->raw[at].kind != RAW_WORD);
	if (!strcmp(s->by, "-"))
		return;
	while (!known && at < end && p->raw[at].kind == RAW_WORD && !is_preposition(p, at) &&
		!words_name(p, at, LEX_NAME | LEX_PLURAL))
		at++;
	const bool parted = at < end && is_preposition(p, at) && !slip_any(p, at, "with|for");
	bool later = false;
	at += parted;
	for (int i = at; i < end; i++)
		later |= is_preposition(p, i);
	if (at < end && *s->by && (parted || (!later && words_name(p, at, LEX_NAME | LEX_PLURAL))))
		buf_printf(line, " %s", s->by);
	if (at < end) {
		buf_putc(line, ' ');
		slip_text(p, at, end, line);
	}
}

/* With another system that has the verb, if one has. */
static void said_instead(struct phrase *p, struct span at, const char *said, const char *line)
{
	const char *where = report_elsewhere(p);
	struct diag d = diag_make(M_VERB_SAID, at);
	struct buf has = {0};
	diag_arg(&d, said);
	diag_arg(&d, line);
	if (where) {
		buf_printf(&has, "It is an action of %s.", where);
		diag_line(&d, buf_text(&has));
	}
	p->damaged = true;
	VEC_PUSH(p->front->said, at);
	if (!p->quiet && !phrase_doubtful(p, M_VERB_SAID))
		diag_send(p->front->sink, &d);
	buf_free(&has);
}

bool report_said_verb(struct phrase *p)
{
	const int n = words_name(p, p->line, LEX_NAME | LEX_PLURAL);
	const int end = slip_line_end(p, p->line);
	struct buf line = {0}, said = {0};
	for (int at = p->line + (n ? n : 1); at < end; at++) {
		int length;
		const char *verb;
		const struct said_verb *s = said_at(p, at, &length, &verb);
		if (!s)
			continue;
		slip_text(p, p->line, end, &said);
		slip_text(p, p->line, at, &line);
		buf_printf(&line, " %s", verb);
		put_rest(p, s, at + length, end, &line);
		said_instead(p, phrase_span(p, p->raw[at].start, p->raw[at + length - 1].end),
			slip_kept(p, &said), slip_kept(p, &line));
		buf_free(&line);
		buf_free(&said);
		return true;
	}
	return false;
}

/* ---- the same of a text that is read ---- */

/* How much of `text` says the phrase, as whole words. */
static size_t text_says(const char *text, size_t length, const char *phrase)
{
	const size_t n = strlen(phrase);
	return n <= length && !strncmp(text, phrase, n) && (n == length || text[n] == ' ') ? n : 0;
}

static const struct lex_entry *action_of(const struct front *f, const char *verb)
{
	const sym known = intern_find(f->names, verb, strlen(verb));
	const struct lex_entry *e = known ? lexicon_find(f->lexicon, known, LEX_VERB) : NULL;
	return e && e->flags & LEX_ACTION && lexicon_verb(f->lexicon, e) ? e : NULL;
}

/* The verb, and whom and with what it is done, as the action takes it. */
static void put_said(const struct said_verb *s, const char *verb, const char *rest, struct buf *out)
{
	static const char *const parts[] = {"at ", "to ", "on ", "toward ", "towards ", "against "};
	struct buf by = {0};
	buf_puts(out, verb);
	rest += strspn(rest, " ");
	if (!strcmp(s->by, "-") || !*rest)
		return;
	for (size_t i = 0; i < FRAY_COUNT(parts); i++)
		if (!strncmp(rest, parts[i], strlen(parts[i])))
			rest += strlen(parts[i]);
	buf_printf(&by, " %s ", s->by);
	const bool bare = !*s->by || strchr("0123456789", *rest) || strstr(rest, buf_text(&by));
	buf_printf(out, "%s%s", bare ? " " : buf_text(&by), rest);
	buf_free(&by);
}

/* Whether a field's name of two words begins here: hit points. */
static bool field_begins(const struct front *f, const char *text, size_t length, size_t first)
{
	size_t n = first + (first < length);
	n += strcspn(text + n, " ,;:)=<>\n");
	const sym name = n <= length ? intern_find(f->names, text, n) : 0;
	return name && lexicon_find(f->lexicon, name, LEX_FIELD);
}

/* expect Bruna goes before orc #1: an order, for which "acts" is the verb. */
static bool said_order(const char *text, size_t length, size_t verb, size_t n, struct buf *out)
{
	static const char *const orders[] = {"before ", "after ", "first", "last"};
	size_t rest = verb + n;
	rest += rest < length && text[rest] == ' ';
	for (size_t i = 0; i < FRAY_COUNT(orders); i++)
		if (rest < length && !strncmp(text, "expect ", 7) &&
			!strncmp(text + rest, orders[i], strlen(orders[i]))) {
			buf_add(out, text, verb);
			buf_puts(out, "acts ");
			buf_add(out, text + rest, length - rest);
			return true;
		}
	return false;
}

bool said_line(const struct front *f, struct span sentence, struct span at, struct buf *out)
{
	size_t length;
	const char *text = sources_text(f->sources, sentence, &length);
	const size_t subject = !strncmp(text, "expect ", 7) ? 7 : 0; /* a verb comes behind it */
	const struct said_verb *best = NULL;
	size_t from = 0, most = 0;
	const char *verb = NULL;
	for (size_t i = 0; i < length; i++) {
		if (i && text[i - 1] != ' ')
			continue;
		for (int k = 0; k < f->said_verbs; k++) {
			const struct said_verb *s = &f->said_verb[k];
			const size_t one = text_says(text + i, length - i, s->of_one);
			const size_t n = one ? one : text_says(text + i, length - i, s->of_many);
			if (n <= most || (subject && i <= subject) || sentence.start + i >= at.end ||
				sentence.start + i + n <= at.start || !action_of(f, s->does) ||
				field_begins(f, text + i, length - i, n) ||
				action_of(f, one ? s->of_one : s->of_many))
				continue;
			best = s;
			from = i;
			most = n;
			verb = one ? s->does : s->do_;
		}
	}
	if (!best)
		return false;
	if (said_order(text, length, from, most, out))
		return true;
	buf_add(out, text, from);
	struct buf rest = {0};
	buf_add(&rest, text + from + most, length - from - most);
	put_said(best, verb, buf_text(&rest), out);
	buf_free(&rest);
	return true;
}

bool report_said_name(struct phrase *p, struct span at)
{
	const int end = slip_line_end(p, p->line);
	const struct span whole = phrase_span(p, p->raw[p->line].start, p->raw[end - 1].end);
	struct buf said = {0}, line = {0};
	const bool found = said_line(p->front, whole, at, &line);
	slip_text(p, p->line, end, &said);
	if (found)
		phrase_report(p, M_VERB_SAID, at, 2, slip_kept(p, &said), slip_kept(p, &line));
	buf_free(&said);
	buf_free(&line);
	return found;
}
