/* phrase.c - the phraser's loop: statements, ends of lines, braces, recovery.
 *
 * Where a line ends: inside a sentence always, except after a comma or an operator;
 * elsewhere where the grammar can take an end. Inside ( ) never; and a next line that
 * begins with `and`, `when`, `else` .. goes on with the line above if it can.
 *
 * After a syntax error the parser has taken back everything up to the nearest list of lines.
 * The rest of the broken statement, with whole { } in it, is skipped, and an end of line is
 * pushed, which the list's `error NL` takes: one slip, one message. */
#include "lang/front/phrase.h"

#include <string.h>

#include "lang/front/collect.h"
#include "lang/front/gram.h"
#include "lang/front/slip.h"

/* ---- small things the three files of the phraser share ---- */

struct span phrase_span(const struct phrase *p, uint32_t start, uint32_t end)
{
	struct span s = {p->file, start, end};
	return s;
}

const char *phrase_text(const struct phrase *p, uint32_t start)
{
	return p->front->sources->file.v[p->file].text + start;
}

bool phrase_is(const struct phrase *p, int at, const char *word)
{
	const struct raw *r = &p->raw[at];
	const char *text = at < p->count && r->kind == RAW_WORD ? intern_folded(p->front->names, r->word) : "";
	return *text == *word && !strcmp(text, word);
}

/* Whether a declaration that could not be read may be what is missing here. A word that is no
 * verb, or ends a name too soon, is one that a ruleset could have declared. */
bool phrase_doubtful(const struct phrase *p, enum message id)
{
	if (!p->front->incomplete)
		return false;
	switch (id) {
	case M_SYNTAX: case M_UNEXPECTED: case M_ENDS_SOON: case M_NO_VERB_HERE: case M_NO_VERB_HERE_NEAR: case M_NOBODY:
	case M_POLICY_SUBJECT: case M_WRONG_PLACE: case M_MOMENT: case M_NAME_IS_WORD: case M_NO_DECLARATION: case M_NO_DECLARATION_NEAR:
	case M_COLON_MISSING: case M_NUMBER_MARK:
		return true;
	default:
		return false;
	}
}

void phrase_report(struct phrase *p, enum message id, struct span at, int args, const char *a, const char *b)
{
	p->damaged = true;
	VEC_PUSH(p->front->said, at);
	if (!p->quiet && !phrase_doubtful(p, id))
		diag_report(p->front->sink, id, at, args, a, b);
}

bool phrase_accepts(struct phrase *p, int token)
{
	return gram_accepts(p->parser, token);
}

/* The name that n raw tokens make: words joined by single blanks, cut where it is too long. */
struct word phrase_word(struct phrase *p, int from, int n)
{
	struct word w = {0};
	const struct raw *r = &p->raw[from];
	if (n == 1) {
		w.name = r->word;
		return w;
	}
	struct buf b = {0};
	while (n > 1 && r[n - 1].end - r[0].start > FRAY_NAME_MAX)
		n--;
	raws_text(p->front, p->file, r, n, &b);
	w.name = intern_put(p->front->names, buf_text(&b), b.length);
	buf_free(&b);
	return w;
}

/* Says that a name is too long; the parser goes on with it, so that nothing else is said. */
void phrase_name_fits(struct phrase *p, uint32_t start, uint32_t end)
{
	if (end - start > FRAY_NAME_MAX)
		phrase_report(p, M_NAME_TOO_LONG, phrase_span(p, start, end), 0, NULL, NULL);
}

void phrase_push(struct phrase *p, int token, struct word w, uint32_t start, uint32_t end)
{
	union value v;
	if (p->failed || p->stopped)
		return;
	memset(&v, 0, sizeof v);
	v.word = w;
	p->before = p->token;
	p->token = phrase_span(p, start, end);
	int after = p->after;
	p->after = p->last;
	p->last = token;
	gram_push(p, token, &v, p->token);
	if (p->failed) {
		p->last = p->after;
		p->after = after;
	}
}

void phrase_push_raw(struct phrase *p, int token, int n)
{
	struct word w = {0};
	if (p->failed || p->stopped)
		return;
	const struct raw *r = &p->raw[p->at];
	if (r->word)
		w = phrase_word(p, p->at, n);
	phrase_push(p, token, w, r[0].start, r[n - 1].end);
	if (!p->failed)
		p->at += n;
}

void phrase_name(struct phrase *p, int n)
{
	const struct raw *r = &p->raw[p->at];
	if (p->failed || p->stopped)
		return;
	struct word w = phrase_word(p, p->at, n);
	phrase_name_fits(p, r[0].start, r[n - 1].end);
	phrase_push(p, TOK_NAME, w, r[0].start, r[n - 1].end);
	if (!p->failed)
		p->at += n;
}

/* ---- lines ---- */

static void push_line_end(struct phrase *p, uint32_t start, uint32_t end)
{
	struct word none = {0};
	phrase_push(p, TOK_NL, none, start, end);
	p->start = true;
	p->zone = ZONE_PLAIN;
	p->paren = 0;
}

/* The end of a statement that was read to its end. */
static void good_line_end(struct phrase *p, const struct raw *r)
{
	push_line_end(p, r->start, r->end);
	if (p->failed)
		return;
	p->at++;
	p->streak = 0;
}

static bool at_line_start(const struct phrase *p)
{
	return p->last == TOK_NL || p->last == '{' || p->last == TOK_START_FILE || p->last == TOK_START_PROMPT;
}

/* In a sentence: what is left hanging at the end of a line by one who means to go on. */
static bool hangs(int token)
{
	switch (token) {
	case ',': case '+': case '-': case '*': case '/': case '=': case '<': case '>': case ':': case '(':
	case TOK_LE: case TOK_GE: case TOK_NE: case TOK_AND: case TOK_OR: case TOK_NOT: case TOK_WHEN: case TOK_UNLESS:
	case TOK_IS: case TOK_VS: case TOK_THEN: case TOK_GIVING:
		return true;
	default:
		return false;
	}
}

static int next_line(const struct phrase *p, int at)
{
	while (at < p->count && p->raw[at].kind == RAW_NL)
		at++;
	return at;
}

/* Does the line that begins here go on with the one above? */
static bool goes_on(struct phrase *p, int at)
{
	int token, n = words_of_language(p, at, W_MORE, &token);
	if (n > 0 && token == TOK_RULING && p->raw[at + n].kind != RAW_STRING)
		return false; /* a line of its own: ruling quick over slow */
	return n > 0 && !phrase_is(p, at + n, "asked") && phrase_accepts(p, token);
}

static uint32_t indent_of(const struct phrase *p, uint32_t at)
{
	const char *text = phrase_text(p, 0);
	uint32_t line = at, n = 0;
	while (line > 0 && text[line - 1] != '\n')
		line--;
	while (text[line + n] == ' ' || text[line + n] == '\t')
		n++;
	return n;
}

/* Does it begin with a word that only begins statements? Then the one above it is over. */
static bool begins_anew(const struct phrase *p, int at)
{
	int token, n = at < p->count ? words_of_language(p, at, W_START, &token) : 0;
	if (!n && at < p->count && !p->brace.n && indent_of(p, p->raw[at].start) == 0)
		n = lexicon_match(p->front->lexicon, LEX_NAMES, &p->raw[at], p->count - at, LEX_KIND, NULL);
	if (!n || at + n >= p->count || words_name(p, at, LEX_NAME) > n)
		return false;
	int then = p->raw[at + n].kind;
	return then == RAW_WORD || then == RAW_STRING;
}

/* A header whose { was forgotten: the lines below stand further in, and do not go on with it. */
static bool brace_forgotten(struct phrase *p, int next)
{
	const struct raw *r = &p->raw[next];
	int token;
	if (next >= p->count || p->paren || p->quiet || p->brace.n >= FRAY_NEST_MAX || hangs(p->last) || p->last == p->lead)
		return false;
	if (phrase_accepts(p, TOK_NL) || !phrase_accepts(p, '{') || indent_of(p, r->start) <= p->indent || r->kind == '{')
		return false;
	if (!raw_is_word(r))
		return r->kind != RAW_STRING || !phrase_accepts(p, TOK_STRING);
	if (words_of_language(p, next, ~0u, &token) && phrase_accepts(p, token))
		return false;
	return !phrase_accepts(p, TOK_NAME) && !phrase_accepts(p, TOK_SUBJECT) && !phrase_accepts(p, TOK_VERB);
}

/* Says so, and reads on as if it stood there. */
static void say_forgotten(struct phrase *p, const struct raw *r)
{
	struct word none = {0};
	struct brace b = {r->start, p->indent, 0, p->lead, p->sentence};
	report_brace(p);
	phrase_push(p, '{', none, p->token.end, p->token.end);
	if (p->failed)
		return;
	p->damaged = true;
	VEC_PUSH(p->brace, b);
	p->at++;
	p->start = true;
}

/* True: waiting for the next line. */
static bool line_end(struct phrase *p, bool more)
{
	const struct raw *r = &p->raw[p->at];
	if (at_line_start(p) || (p->paren && r->kind == RAW_NL && !begins_anew(p, next_line(p, p->at)))) {
		p->at++;
		return false;
	}
	if (r->kind == RAW_SEMI) {
		good_line_end(p, r);
		return false;
	}
	int next = next_line(p, p->at);
	bool ends = !hangs(p->last) && (p->sentence || report_lacks_bound(p, p->at, next));
	ends |= phrase_accepts(p, TOK_NL);
	if (next == p->count && more && (p->brace.n || !ends))
		return true;
	if (next < p->count && goes_on(p, next)) {
		p->at = next;
	} else if (brace_forgotten(p, next)) {
		say_forgotten(p, r);
	} else if (ends || begins_anew(p, next)) {
		good_line_end(p, r);
	} else {
		p->at++;
	}
	return false;
}

/* ---- braces ---- */

static void open_brace(struct phrase *p)
{
	const struct raw *r = &p->raw[p->at];
	if (p->brace.n + p->paren >= FRAY_NEST_MAX) {
		phrase_report(p, M_TOO_DEEP, phrase_span(p, r->start, r->end), 0, NULL, NULL);
		p->stopped = true;
		return;
	}
	struct brace b = {r->start, 0, 0, p->lead, p->sentence};
	phrase_push_raw(p, '{', 1);
	if (p->failed)
		return;
	b.indent = p->indent;
	VEC_PUSH(p->brace, b);
	p->start = true;
}

static void pop_brace(struct phrase *p)
{
	struct brace b = p->brace.v[--p->brace.n];
	p->lead = b.lead;
	p->sentence = b.sentence;
	p->start = false;
	p->zone = ZONE_PLAIN;
	p->of_rules = p->value = false;
}

static void close_brace(struct phrase *p)
{
	const struct raw *r = &p->raw[p->at];
	bool nobody = p->nobody;
	p->nobody = false;
	if (p->brace.n == 0) {
		if (p->streak != M_STRAY_CLOSE && p->streak != M_WRONG_PLACE && !nobody && !p->open_said &&
			!p->closed_inside && !report_head_open(p))
			phrase_report(p, M_STRAY_CLOSE, phrase_span(p, r->start, r->end), 0, NULL, NULL);
		p->closed_inside = false;
		p->streak = M_STRAY_CLOSE;
		p->open_said = false;
		p->damaged = p->front->torn = true;
		p->at++;
		return;
	}
	if (!at_line_start(p)) {
		push_line_end(p, p->token.end, p->token.end); /* behind the last thing said */
		if (p->failed)
			return;
	}
	phrase_push_raw(p, '}', 1);
	if (!p->failed)
		pop_brace(p);
}

/* Whether the { that is open round this line is closed by a } of its own further on. */
static bool closes_later(const struct phrase *p)
{
	int depth = p->brace.n;
	for (int i = p->at; i < p->count && depth; i++)
		depth += (p->raw[i].kind == '{') - (p->raw[i].kind == '}');
	return depth == 0 && p->brace.n == 1;
}

/* A statement that can only stand further out, no further in than the open { itself: the
 * closing ones were forgotten. Says so once and closes them. */
static void close_missing(struct phrase *p, uint32_t at, int token)
{
	struct word none = {0};
	struct brace *b = &p->brace.v[p->brace.n - 1];
	const bool inside = closes_later(p);
	p->front->torn = true;
	if (inside && !p->quiet) {
		int end = p->at;
		while (end < p->count && p->raw[end].kind != '{' && !raw_is_end(&p->raw[end]))
			end++;
		diag_report(p->front->sink, M_DECLARED_INSIDE, phrase_span(p, at, p->raw[end - 1].end), 0);
		p->closed_inside = true;
	} else if (!p->quiet) {
		struct diag d = diag_make(M_BRACE_OPEN, phrase_span(p, b->open, b->open + 1));
		diag_relate(&d, phrase_span(p, at, at + 1), "it should be closed before here");
		diag_send(p->front->sink, &d);
	}
	while (p->brace.n && !phrase_accepts(p, token) && !p->failed && !p->stopped) {
		p->damaged = true;
		if (!at_line_start(p))
			push_line_end(p, at, at);
		phrase_push(p, '}', none, at, at);
		pop_brace(p);
		push_line_end(p, at, at);
	}
	p->start = true;
}

/* Lines that start no further in than the { they stand in make it doubtful. */
static void look_at_indent(struct phrase *p)
{
	const struct raw *r = &p->raw[p->at];
	if (p->at && p->raw[p->at - 1].kind != RAW_NL)
		return;
	p->indent = indent_of(p, r->start);
	if (!p->brace.n)
		return;
	struct brace *b = &p->brace.v[p->brace.n - 1];
	if (p->indent > b->indent)
		return;
	if (!b->doubt)
		b->doubt = r->start;
	int token, n = words_of_language(p, p->at, W_TOP | W_CLAUSE, &token);
	if (!n) {
		n = lexicon_match(p->front->lexicon, LEX_NAMES, r, p->count - p->at, LEX_KIND, NULL);
		token = TOK_KIND;
	}
	const struct raw *then = &p->raw[p->at + n];
	if (n && !phrase_accepts(p, token) && p->at + n < p->count && (then->kind == RAW_WORD || then->kind == RAW_STRING) &&
	    p->raw[p->at + words_run(p, p->at)].kind != ':')
		close_missing(p, r->start, token);
}

/* ---- recovery ---- */

/* Where the broken statement ends: at a line's end, or the } around it. Inside a { of its own
 * a line that is indented no further than the statement shows that the { was the mistake. */
static int statement_end(const struct phrase *p, int at)
{
	int nest = 0;
	for (; at < p->count; at++) {
		int kind = p->raw[at].kind;
		if (kind == '{')
			nest++;
		else if (kind == '}' && nest-- == 0)
			return at;
		else if (kind == RAW_SEMI && nest == 0)
			return at;
		else if (kind == RAW_NL && nest > 0) {
			int next = next_line(p, at);
			if (p->indent && next < p->count && p->raw[next].kind != '}' && indent_of(p, p->raw[next].start) <= p->indent)
				return at;
		} else if (kind == RAW_NL) {
			int token, next = next_line(p, at), before = at ? p->raw[at - 1].kind : 0;
			if (begins_anew(p, next))
				return at;
			if (before == ',' || before == '=' || before == '+' || before == '*' || before == '/')
				continue;
			if (next < p->count && words_of_language(p, next, W_MORE, &token) && !phrase_is(p, next + 1, "asked"))
				continue;
			return at;
		}
	}
	return at;
}

static void recover(struct phrase *p)
{
	int end = statement_end(p, p->at);
	uint32_t at = end < p->count ? p->raw[end].start : p->front->sources->file.v[p->file].length;
	p->failed = false;
	p->at = end;
	p->of_rules = p->value = false;
	if (end < p->count && p->raw[end].kind != '}')
		p->at++;
	/* the parser stands behind `error`: or took the NL that was itself the offence */
	if (phrase_accepts(p, TOK_NL))
		push_line_end(p, at, at);
	p->last = TOK_NL;
	p->start = true;
	p->paren = 0;
	p->zone = ZONE_PLAIN;
}

/* ---- the loop ---- */

void phrase_start(struct phrase *p, struct front *f, uint16_t file, int first)
{
	struct word none = {0};
	memset(p, 0, sizeof *p);
	p->front = f;
	p->file = file;
	p->parser = gram_new();
	if (!p->parser)
		abort();
	p->declares = first == TOK_START_FILE;
	phrase_push(p, first, none, 0, 0);
	p->start = true;
}

void phrase_stop(struct phrase *p)
{
	if (p->parser)
		gram_free(p->parser);
	p->parser = NULL;
	VEC_FREE(p->brace);
}

bool phrase_whole(const struct phrase *p)
{
	return p->brace.n == 0 && p->start && at_line_start(p) && !p->failed;
}

void phrase_run(struct phrase *p, const struct raw *raw, int count, bool more)
{
	p->raw = raw;
	p->count = count;
	while (p->at < count && !p->stopped) {
		int kind = raw[p->at].kind;
		if (p->failed) {
			recover(p);
		} else if (kind == RAW_NL || kind == RAW_SEMI) {
			if (line_end(p, more))
				return;
		} else if (kind == '}') {
			close_brace(p);
		} else if (p->start) {
			look_at_indent(p);
			if (p->front->starts)
				VEC_PUSH(p->front->starts->at, raw[p->at].start);
			phrase_begin(p);
		} else if (kind == '{') {
			open_brace(p);
		} else {
			phrase_inside(p);
		}
	}
	if (p->failed && !more)
		recover(p);
}

/* Of the open braces, the one whose end was most likely forgotten. */
static const struct brace *unclosed(const struct phrase *p)
{
	for (int i = p->brace.n - 1; i >= 0; i--)
		if (p->brace.v[i].doubt)
			return &p->brace.v[i];
	return &p->brace.v[p->brace.n - 1];
}

void phrase_end(struct phrase *p)
{
	struct word none = {0};
	uint32_t end = p->front->sources->file.v[p->file].length;
	if (p->stopped)
		return;
	if (p->brace.n) {
		const struct brace *b = unclosed(p);
		if (!p->quiet && !p->close_said) {
			struct diag d = diag_make(M_BRACE_OPEN, phrase_span(p, b->open, b->open + 1));
			if (b->doubt)
				diag_relate(&d, phrase_span(p, b->doubt, b->doubt + 1), "perhaps it should be closed before here");
			diag_send(p->front->sink, &d);
		}
		p->damaged = p->front->torn = true;
		p->quiet = true;
	}
	if (!at_line_start(p))
		push_line_end(p, p->token.end, p->token.end);
	if (p->failed)
		recover(p);
	while (p->brace.n && !p->stopped) {
		phrase_push(p, '}', none, end, end);
		pop_brace(p);
		push_line_end(p, end, end);
		if (p->failed)
			recover(p);
	}
	phrase_push(p, TOK_YYEOF, none, end, end);
}
