/* report_words.c - slips of people who know other languages, or none: comparisons in words, `set .. to ..`,
 * moments that the rules do not count, names that read as dice, titles, and verbs of another system. */
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/slip.h"

/* ---- "hp is less than 3" ---- */

/* The sign that two words mean, before a number; NULL: none. */
static const char *sign_of(const struct phrase *p, int at)
{
	if (phrase_is(p, at - 1, "than"))
		return slip_any(p, at - 2, "less|fewer|lower|smaller") ? "<" : slip_any(p, at - 2, "more|greater|higher|larger") ? ">" : NULL;
	if (phrase_is(p, at - 1, "to") && slip_any(p, at - 2, "equal"))
		return "=";
	return slip_any(p, at - 1, "under|below") ? "<" : slip_any(p, at - 1, "over|above") ? ">" : slip_any(p, at - 1, "equals|exactly") ? "=" : NULL;
}

/* Where what is compared begins: behind the word or the mark that a condition follows. */
static int compared_from(const struct phrase *p, int at)
{
	while (at > p->line && (raw_is_word(&p->raw[at - 1]) || p->raw[at - 1].kind == RAW_OF) &&
	       !slip_any(p, at - 1, "when|unless|if|and|or|where|while|until|expect|not|giving|sweep|define"))
		at--;
	return at;
}

bool report_compared(struct phrase *p)
{
	int at = slip_raw(p);
	const char *sign = at - 2 > p->line ? sign_of(p, at) : NULL;
	if (!sign || p->raw[at].kind != RAW_NUMBER)
		return false;
	int words = phrase_is(p, at - 1, "than") || phrase_is(p, at - 1, "to") ? 2 : 1, end = at - words;
	if (end > p->line && slip_any(p, end - 1, "is|are|be"))
		end--;
	struct buf said = {0}, line = {0};
	slip_text(p, at - words, at, &said);
	slip_text(p, compared_from(p, end), end, &line);
	buf_printf(&line, " %s ", sign);
	slip_text(p, at, at + 1, &line);
	phrase_report(p, M_COMPARED, phrase_span(p, p->raw[at - words].start, p->raw[at - 1].end), 2,
		slip_kept(p, &said), slip_kept(p, &line));
	buf_free(&said);
	buf_free(&line);
	return true;
}

/* ---- set Bruna's hp to 5 ---- */

bool report_set_to(struct phrase *p, int token)
{
	int at = slip_raw(p), end = slip_end(p, at);
	if (token != TOK_TO || p->lead != TOK_SET || at + 1 >= end)
		return false;
	for (end = at + 1; !raw_is_end(&p->raw[end]) && p->raw[end].kind != '}'; end++)
		;
	struct buf line = {0};
	slip_text(p, p->line, at, &line);
	buf_puts(&line, " = ");
	slip_text(p, at + 1, end, &line);
	phrase_report(p, M_SET_TO, p->token, 1, slip_kept(p, &line), NULL);
	buf_free(&line);
	return true;
}

/* ---- set encounter's distance = 200 fet ---- */

bool report_unit(struct phrase *p, int token)
{
	const struct lexicon *l = p->front->lexicon;
	const int at = slip_raw(p);
	const bool assigns = p->lead == TOK_SET || p->lead == TOK_CHANGE || p->lead == TOK_LET || p->lead == TOK_DEFINE || p->lead == TOK_ADJUST;
	const bool compares = at > p->line + 1 && slip_compares(p->raw[at - 2].kind);
	/* percent has a sign of its own */
	if (token != TOK_NAME || (!assigns && !compares) ||
		(p->raw[at].kind == RAW_WORD &&
			p->raw[at].word == intern_word(p->front->names, "percent")) ||
		at <= p->line || p->raw[at].kind != RAW_WORD || p->raw[at - 1].kind != RAW_NUMBER)
		return false;
	VEC(const char *) units = {0};
	for (int i = 0; i < lexicon_count(l); i++)
		if (lexicon_entry(l, i)->flags & LEX_UNIT)
			VEC_PUSH(units, intern_folded(p->front->names, lexicon_entry(l, i)->text));
	/* of two letters everything is near: `5 hp` does not mean copper pieces */
	const char *said = intern_text(p->front->names, p->raw[at].word);
	const bool field = compares && at - 3 > p->line && p->raw[at - 3].kind == RAW_WORD &&
		p->raw[at - 3].word == p->raw[at].word; /* hit points < 5 points */
	const char *best = strlen(said) > 2 && !field
		? diag_nearest(intern_folded(p->front->names, p->raw[at].word), units.v, units.n)
		: NULL;
	VEC_FREE(units);
	struct buf line = {0};
	slip_text(p, compares && !assigns ? compared_from(p, at - 2) : p->line, at, &line);
	if (best)
		buf_printf(&line, " %s", best);
	phrase_report(p, M_NO_UNIT_HERE, phrase_span(p, p->raw[at].start, p->raw[at].end), 2, said,
		slip_kept(p, &line));
	buf_free(&line);
	return true;
}

/* ---- surprise round 1 { ---- */

/* What the rules count that begins with the same word, or is spelt nearly so; NULL: nothing. */
/* ---- level 4 ---- */

/* lvl: the field that is meant by a word that is none itself; NULL: it is one, or none is. */
static const char *short_field(struct phrase *p, const char *said)
{
	const struct lexicon *l = p->front->lexicon;
	sym name = intern_find(p->front->names, said, strlen(said));
	struct buf folded = {0};
	VEC(const char *) fields = {0};
	if (name && lexicon_find(l, name, LEX_FIELD | LEX_ALIAS))
		return NULL;
	for (const char *c = said; *c; c++)
		buf_putc(&folded, *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c);
	for (int i = 0; i < lexicon_count(l); i++)
		if (lexicon_entry(l, i)->flags & LEX_FIELD)
			VEC_PUSH(fields, intern_folded(p->front->names, lexicon_entry(l, i)->text));
	const char *best = diag_short_for(buf_text(&folded), fields.v, fields.n);
	for (int i = 0; i < fields.n && best;
		 i++) /* of several fields that begin so none is meant for sure */
		if (strcmp(fields.v[i], best) && !strncmp(fields.v[i], buf_text(&folded), folded.length) &&
			!strchr(fields.v[i], ' '))
			best = NULL;
	VEC_FREE(fields);
	buf_free(&folded);
	return best;
}

bool report_colon(struct phrase *p)
{
	int at = slip_raw(p), end = at;
	while (end < p->count && !raw_is_end(&p->raw[end]) && p->raw[end].kind != '}' && p->raw[end].kind != ':')
		end++;
	if (end == at || (end < p->count && p->raw[end].kind == ':'))
		return false;
	struct buf name = {0}, value = {0};
	slip_add(p, p->before.start, p->before.end, &name);
	slip_text(p, at, end, &value);
	const char *meant = short_field(p, buf_text(&name));
	if (meant) {
		struct buf line = {0};
		buf_printf(&line, "%s: %s", meant, buf_text(&value));
		phrase_report(p, M_SAID_OTHERWISE, phrase_span(p, p->before.start, p->raw[end - 1].end), 2,
			slip_kept(p, &name), slip_kept(p, &line));
		buf_free(&line);
		buf_free(&name);
		buf_free(&value);
		return true;
	}
	phrase_report(p, M_COLON_MISSING, p->token, 2, slip_kept(p, &name), slip_kept(p, &value));
	buf_free(&name);
	buf_free(&value);
	return true;
}

/* ---- moments ---- */

static const char *unit_near(struct phrase *p, const char *said)
{
	const struct lexicon *l = p->front->lexicon;
	const size_t first = strcspn(said, " ");
	const char *begins = NULL;
	VEC(const char *) units = {0};
	for (int i = 0; i < lexicon_count(l); i++) {
		const struct lex_entry *e = lexicon_entry(l, i);
		const char *text = intern_folded(p->front->names, e->text);
		if (!(e->flags & LEX_UNIT) || e->unit != e->text)
			continue;
		VEC_PUSH(units, text);
		if (said[first] && !strncmp(text, said, first + 1))
			begins = text;
	}
	const char *best = begins ? begins : diag_nearest(said, units.v, units.n);
	VEC_FREE(units);
	return best;
}

bool report_moment(struct phrase *p)
{
	const struct raw *r = &p->raw[p->line];
	int n = 0;
	struct buf said = {0};
	while (r[n].kind == RAW_WORD)
		n++;
	if (n == 0 || n > 3 || r[n].kind != RAW_NUMBER || r[n + 1].kind != '{')
		return false;
	for (int i = 0; i < n; i++)
		buf_printf(&said, "%s%s", i ? " " : "", intern_folded(p->front->names, r[i].word));
	const char *best = unit_near(p, buf_text(&said));
	if (!best && p->brace.n && !words_name(p, p->line, LEX_CALLED | LEX_KIND))
		best = "round";
	if (best) {
		struct buf number = {0}, line = {0};
		slip_text(p, p->line + n, p->line + n + 1, &number);
		buf_printf(&line, "%s %s { .. }", best, buf_text(&number));
		phrase_report(p, M_MOMENT_NEAR, phrase_span(p, r[0].start, r[n - 1].end), 2,
			slip_kept(p, &said), slip_kept(p, &line));
		buf_free(&number);
		buf_free(&line);
	}
	buf_free(&said);
	return best != NULL;
}

/* ---- combatant D1, encounter the 3 orcs, again { ---- */

static bool wants_name(int lead)
{
	return lead == TOK_KIND || lead == TOK_SIDE || lead == TOK_ENCOUNTER || lead == TOK_POLICY || lead == TOK_RULE || lead == TOK_ALIAS;
}

/* The token that was not expected stands where a name does: behind its kind, on the line of a side, or before a verb. */
bool report_dice_name(struct phrase *p)
{
	int at = slip_raw(p);
	sym verb;
	if (at >= p->count || p->raw[at].kind != RAW_DICE)
		return false;
	const bool first = at == p->line && words_verb(p, at + 1, &verb), named = at == p->line + 1 && words_name(p, p->line, LEX_KIND);
	if (!first && !named && !wants_name(p->lead))
		return false;
	if (p->lead == TOK_SIDE &&
		words_name(p, at + 1, LEX_NAME | LEX_PLURAL)) /* 1d6 orcs: how many */
		return false;
	size_t length;
	const char *text = sources_text(p->front->sources, phrase_span(p, p->raw[at].start, p->raw[at].end), &length);
	phrase_report(p, M_NAME_IS_DICE, phrase_span(p, p->raw[at].start, p->raw[at].end), 1, arena_text(p->front->arena, text, length), NULL);
	return true;
}

/* `combatant D1 {` begins with no statement: its die is no name. */
bool report_dice_named(struct phrase *p)
{
	const struct raw *r = &p->raw[p->line];
	int n = words_name(p, p->line, LEX_KIND);
	if (!n || r[n].kind != RAW_DICE)
		return false;
	size_t length;
	const char *text = sources_text(p->front->sources, phrase_span(p, r[n].start, r[n].end), &length);
	phrase_report(p, M_NAME_IS_DICE, phrase_span(p, r[n].start, r[n].end), 1, arena_text(p->front->arena, text, length), NULL);
	return true;
}

bool report_title(struct phrase *p)
{
	int at = slip_raw(p), from = p->line + 1, end = from;
	if (p->lead != TOK_ENCOUNTER || p->raw[p->line].kind != RAW_WORD || at >= p->count)
		return false;
	while (p->raw[end].kind != '{' && !raw_is_end(&p->raw[end]))
		end++;
	if (end == from) {
		phrase_report(p, M_NO_TITLE, p->token, 0, NULL, NULL);
		return true;
	}
	if (at > end || p->raw[from].kind == RAW_STRING)
		return false;
	struct buf title = {0};
	slip_text(p, from, end, &title);
	/* quotes do not nest: a quoted part of the title loses its own */
	for (size_t i = 0; i < title.length; i++)
		if (title.data[i] == '"')
			title.data[i] = '\'';
	phrase_report(p, M_TITLE, phrase_span(p, p->raw[from].start, p->raw[end - 1].end), 1,
		slip_kept(p, &title), NULL);
	buf_free(&title);
	return true;
}

/* ---- a verb of another system ---- */

const char *report_elsewhere(struct phrase *p)
{
	enum { WORDS = 3 };
	int n = words_name(p, p->line, LEX_NAME | LEX_PLURAL), at = p->line + (n ? n : 1);
	struct buf said = {0};
	if (!p->front->verb_elsewhere || p->front->sink->errors > SLIPS_ENOUGH)
		return NULL;
	for (int i = 0; i < WORDS && at + i < p->count && p->raw[at + i].kind == RAW_WORD; i++)
		buf_printf(&said, "%s%s", i ? " " : "", intern_folded(p->front->names, p->raw[at + i].word));
	const char *where = said.length ? p->front->verb_elsewhere(p->front->elsewhere, buf_text(&said)) : NULL;
	const char *kept = where ? arena_text(p->front->arena, where, strlen(where)) : NULL;
	buf_free(&said);
	return kept;
}
