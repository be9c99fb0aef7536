/* report.c - what a syntax error is called.
 *
 * The parser knows what it did not expect and, exactly, what it did. Here that becomes one
 * sentence: slips that people make often have one of their own, all else says after what
 * something is missing, or what does not belong. */
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/phrase.h"

struct expected {
	const int *token;
	int n;
};

static bool has(const struct expected *e, int token)
{
	for (int i = 0; i < e->n; i++)
		if (e->token[i] == token)
			return true;
	return false;
}

/* What was found, in the user's words. */
static void found(struct phrase *p, int token, struct buf *out)
{
	size_t length;
	const char *text = sources_text(p->front->sources, p->token, &length);
	if (token == TOK_NL && !(length == 1 && *text == '}') && !(length == 1 && *text == ';')) {
		buf_puts(out, "the end of the line");
		return;
	}
	if (token == TOK_YYEOF || length == 0) {
		buf_puts(out, "the end of the text");
		return;
	}
	buf_putc(out, '"');
	buf_add(out, text, length < 60 ? length : 60);
	if (length >= 60)
		buf_puts(out, "..");
	buf_putc(out, '"');
}

static void before(struct phrase *p, struct buf *out)
{
	size_t length;
	const char *text = sources_text(p->front->sources, p->before, &length);
	if (length > 40 || length == 0 || memchr(text, '\n', length))
		return;
	buf_add(out, text, length);
}

/* What would have fitted: groups before single words, the likeliest first. */
static void wanted(const struct expected *e, enum zone zone, struct buf *out)
{
	static const int plain[] = {
		TOK_VERB, TOK_SUBJECT, ':', '=', '{', ')', '}', TOK_WHEN, TOK_BY, TOK_TO, TOK_FROM, TOK_AT, TOK_IN, TOK_IS, TOK_HAS, TOK_FOR, TOK_THEN, TOK_ELSE, TOK_WITH,
		TOK_RULE, TOK_DICE, TOK_PERCENT, TOK_MOMENT, TOK_NUMBER, TOK_STRING, ',', TOK_OF, TOK_PRECEDES, TOK_GIVING, TOK_VS, TOK_OVER, TOK_ON, TOK_ALL, TOK_NEXT, TOK_UNTIL, TOK_AT_LEAST, TOK_AT_MOST, '(', TOK_NL,
	};
	const char *part[6];
	int n = 0, most = 4;
	bool value = has(e, TOK_NUMBER) && has(e, TOK_NAME) && has(e, '(');
	bool number = has(e, TOK_NUMBER);
	if (value)
		part[n++] = zone == ZONE_SAID ? "whom or what" : "a value";
	else if (has(e, TOK_NAME))
		part[n++] = "a name";
	for (size_t i = 0; i < FRAY_COUNT(plain) && n < most; i++) {
		int t = plain[i];
		if (!has(e, t) || (value && (t == TOK_DICE || t == TOK_PERCENT || t == TOK_MOMENT || t == TOK_NUMBER || t == TOK_STRING || t == '(')))
			continue;
		if (!value && number && t == '(')
			continue;
		/* an expression may always go on: that is no news unless nothing else fits */
		if (has(e, TOK_NL) && e->n > 8 && t != TOK_NL && t != ',' && t != '{' && t != TOK_WHEN && t != ':')
			continue;
		part[n++] = gram_name(t);
	}
	for (int i = 0; i < e->n && n == 0; i++)
		part[n++] = gram_name(e->token[i]);
	for (int i = 0; i < n; i++) {
		bool word = part[i][0] != 'a' || part[i][1] == 'n' || strchr(part[i], ' ') == NULL;
		bool phrase = !strncmp(part[i], "a ", 2) || !strncmp(part[i], "the ", 4) || !strcmp(part[i], "somebody") || !strcmp(part[i], "whom or what") || !strcmp(part[i], "dice");
		if (i)
			buf_puts(out, i + 1 == n ? " or " : ", ");
		if (phrase)
			buf_puts(out, part[i]);
		else if (part[i][0] == '\'' && part[i][1] && part[i][2] == '\'')
			buf_printf(out, "%c", part[i][1]);
		else
			buf_printf(out, "\"%s\"", part[i]);
		(void)word;
	}
}

/* ---- slips with a sentence of their own ---- */

/* The verb nearest to any word of a name that should have held one. */
static const char *near_verb(struct phrase *p, struct span name, struct span *at)
{
	const struct lexicon *l = p->front->lexicon;
	VEC(const char *) verbs = {0};
	const char *best = NULL;
	for (int i = 0; i < lexicon_count(l); i++)
		if (lexicon_entry(l, i)->flags & LEX_VERB && lexicon_verb(l, lexicon_entry(l, i)))
			VEC_PUSH(verbs, intern_folded(p->front->names, lexicon_entry(l, i)->text));
	bool first = true;
	for (int i = 0; i < p->count && p->raw[i].start < name.end && !best; i++) {
		if (p->raw[i].start < name.start || p->raw[i].kind != RAW_WORD)
			continue;
		if (!first)
			best = diag_nearest(intern_folded(p->front->names, p->raw[i].word), verbs.v, verbs.n);
		if (best)
			*at = phrase_span(p, p->raw[i].start, p->raw[i].end);
		first = false;
	}
	VEC_FREE(verbs);
	return best;
}

/* "Bruna atacks orc #1": a line that should be a sentence, and has no verb. */
static bool no_verb(struct phrase *p, int token, const struct expected *e)
{
	bool policy = has(e, TOK_VERB) && p->after != TOK_TO;
	int after = p->after;
	if (p->lead || (after != TOK_NAME && !(policy && token == TOK_NAME)))
		return false;
	if (!policy && !(token == TOK_NL || token == TOK_AT || token == TOK_WITH || token == TOK_TO || token == TOK_ON || token == TOK_FROM || token == TOK_PREP || token == TOK_NAME ||
	    token == TOK_STRING || token == TOK_QTY || token == TOK_NUMBER || token == TOK_MOMENT || token == TOK_WHEN || token == TOK_UNTIL || token == TOK_FOR))
		return false;
	if (!p->sentence)
		return false;
	struct span name = policy ? p->token : p->before, at = name;
	const char *best = near_verb(p, name, &at);
	size_t length;
	const char *text = sources_text(p->front->sources, name, &length);
	char *said = arena_text(p->front->arena, text, length < 100 ? length : 100);
	phrase_report(p, best ? M_NO_VERB_HERE_NEAR : M_NO_VERB_HERE, at, 2, said, best ? best : "");
	return true;
}

static bool slip(struct phrase *p, int token, const struct expected *e)
{
	if (token == TOK_OR && has(e, TOK_AND)) {
		phrase_report(p, M_MIXED, p->token, 2, "and", "or");
		return true;
	}
	if (token == TOK_AND && has(e, TOK_OR) && !has(e, TOK_AND)) {
		phrase_report(p, M_MIXED, p->token, 2, "or", "and");
		return true;
	}
	if (token == '=' && has(e, ':')) {
		phrase_report(p, M_EQUALS_IN_BLOCK, p->token, 0, NULL, NULL);
		return true;
	}
	if (token == ':' && has(e, '=')) {
		phrase_report(p, M_COLON_IN_RULE, p->token, 0, NULL, NULL);
		return true;
	}
	if (token == TOK_ELSE) {
		phrase_report(p, M_LONE_ELSE, p->token, 0, NULL, NULL);
		return true;
	}
	return no_verb(p, token, e);
}

void report_wanted(struct phrase *p, struct buf *out)
{
	enum { MOST = 256 };
	int token[MOST];
	struct expected e = {token, gram_expected(p->parser, token, MOST)};
	wanted(&e, p->zone, out);
}

void report_syntax(struct phrase *p, int token, const int *expected, int n)
{
	struct expected e = {expected, n};
	if (p->quiet || slip(p, token, &e))
		return;
	struct buf what = {0}, want = {0}, last = {0};
	found(p, token, &what);
	wanted(&e, p->zone, &want);
	before(p, &last);
	bool ends = token == TOK_NL || token == TOK_YYEOF;
	struct diag d = diag_make(last.length ? (ends ? M_ENDS_SOON : M_UNEXPECTED) : M_SYNTAX, p->token);
	diag_arg(&d, buf_text(&what));
	diag_arg(&d, buf_text(&want));
	diag_arg(&d, buf_text(&last));
	if (p->paren && has(&e, ')'))
		diag_relate(&d, phrase_span(p, p->paren_at, p->paren_at + 1), "the ( is open since here");
	diag_send(p->front->sink, &d);
	buf_free(&what);
	buf_free(&want);
	buf_free(&last);
}
