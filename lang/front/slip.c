/* slip.c - the sentence around the token that was not expected. */
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/slip.h"

int slip_raw(const struct phrase *p)
{
	int at = p->line;
	while (at < p->count && p->raw[at].start < p->token.start)
		at++;
	return at;
}

void slip_add(const struct phrase *p, uint32_t start, uint32_t end, struct buf *out)
{
	size_t length;
	const char *text = sources_text(p->front->sources, phrase_span(p, start, end), &length);
	buf_add(out, text, length);
}

void slip_text(const struct phrase *p, int from, int end, struct buf *out)
{
	if (from < end)
		slip_add(p, p->raw[from].start, p->raw[end - 1].end, out);
}

bool slip_any(const struct phrase *p, int at, const char *words)
{
	if (at < 0 || at >= p->count || !raw_is_word(&p->raw[at]))
		return false;
	const char *said = intern_folded(p->front->names, p->raw[at].word);
	size_t length = strlen(said);
	for (const char *c = words; *c; c += strcspn(c, "|"), c += *c == '|')
		if (strcspn(c, "|") == length && !strncmp(c, said, length))
			return true;
	return false;
}

void slip_say(struct phrase *p, enum message id, struct span at, const struct buf *line)
{
	phrase_report(p, id, at, 1, arena_text(p->front->arena, line->data, line->length), NULL);
}

bool slip_compares(int kind)
{
	return kind == '<' || kind == '>' || kind == '=' || kind == RAW_LE || kind == RAW_GE || kind == RAW_NE;
}

/* The end of a line behind which the question goes on. */
static bool open_end(const struct phrase *p, int at)
{
	return at > 0 && p->raw[at].kind == RAW_NL && (p->raw[at - 1].kind == ',' || slip_compares(p->raw[at - 1].kind) || phrase_is(p, at - 1, "vs") || phrase_is(p, at - 1, "giving"));
}

int slip_first(const struct phrase *p, int at)
{
	int inside = 0;
	for (; at > 0; at--) {
		const struct raw *r = &p->raw[at - 1];
		inside += (r->kind == '}') - (r->kind == '{');
		if (inside < 0 || (inside == 0 && r->kind != '}' && r->kind != '{' && raw_is_end(r) && !open_end(p, at - 1)))
			break;
	}
	return at;
}

int slip_end(const struct phrase *p, int at)
{
	int inside = 0;
	for (; at < p->count; at++) {
		const struct raw *r = &p->raw[at];
		if (inside == 0 && raw_is_end(r) && !open_end(p, at))
			break;
		inside += (r->kind == '{') - (r->kind == '}');
	}
	return at;
}

/* Where a word of the question itself stands, not of its branches. */
int slip_word(const struct phrase *p, int first, int end, const char *word)
{
	int depth = 0;
	for (int i = first; i < end; i++) {
		depth += (p->raw[i].kind == '{') - (p->raw[i].kind == '}');
		if (depth == 0 && phrase_is(p, i, word))
			return i;
	}
	return end;
}

const char *slip_kept(struct phrase *p, const struct buf *b)
{
	return arena_text(p->front->arena, b->data ? b->data : "", b->length);
}

int slip_line_end(const struct phrase *p, int at)
{
	while (at < p->count && !raw_is_end(&p->raw[at]) && p->raw[at].kind != '{' &&
		p->raw[at].kind != '}')
		at++;
	return at;
}

bool slip_meant(struct phrase *p, int from, int end, struct buf *line)
{
	struct buf said = {0};
	slip_text(p, from, end, &said);
	phrase_report(p, M_SAID_OTHERWISE, phrase_span(p, p->raw[from].start, p->raw[end - 1].end), 2,
		slip_kept(p, &said), slip_kept(p, line));
	buf_free(&said);
	buf_free(line);
	return true;
}

bool slip_with(struct phrase *p, int at, const char *put, int rest, int end)
{
	struct buf line = {0};
	slip_text(p, p->line, at, &line);
	buf_puts(&line, put);
	slip_text(p, rest, end, &line);
	return slip_meant(p, p->line, end, &line);
}

int slip_begin(const struct phrase *p, int from)
{
	while (from > 0 && !raw_is_end(&p->raw[from - 1]) && p->raw[from - 1].kind != '{')
		from--;
	return from;
}

bool slip_comma(struct phrase *p, int from, int end)
{
	struct buf line = {0};
	slip_text(p, from, p->line - 1, &line);
	buf_puts(&line, ", ");
	slip_text(p, p->line, end, &line);
	return slip_meant(p, p->line, end, &line);
}

bool slip_in_encounter(const struct phrase *p)
{
	for (int i = 0; i < p->count && p->brace.n; i++)
		if (p->raw[i].start >= p->brace.v[0].open) {
			while (i > 0 && !raw_is_end(&p->raw[i - 1]))
				i--;
			return phrase_is(p, i, "encounter");
		}
	return false;
}
