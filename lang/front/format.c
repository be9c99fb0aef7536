/* format.c - lines in canonical layout: their indentation, the blanks within them.
 *
 * The text is cut into lines, and each line into its tokens and the comment at its end. Where a
 * statement begins, and whether a minus is a sign, is the parser's word; all else are tokens. */
#include "lang/front/format.h"

#include <stdlib.h>
#include <string.h>

#include "lang/front/collect.h"
#include "lang/front/layout.h"
#include "lang/front/source.h"

enum { INDENT = 2 };

struct formatter {
	struct front *front;
	uint16_t file;
	const char *text;
	uint32_t length;
	struct raws raws;
	const struct starts *starts;
	int start_at;       /* the first of the starts not passed */
	VEC(uint32_t) sign; /* where a `-` or `+` is a sign; in order */
	int sign_at;
	VEC(struct piece) pieces; /* of all lines */
	VEC(struct line) line;
	VEC(struct span) kept; /* what is not touched; in order */
	VEC(bool) table;       /* of each open brace: it holds the rows of a table */
	int nest;              /* ( open */
};

/* ---- what the tree knows ---- */

static void find_signs(struct formatter *f, const struct node *list)
{
	for (const struct node *n = list; n; n = n->next) {
		char c = n->span.file == f->file && n->span.start < f->length
			? f->text[n->span.start]
			: 0;
		if (c == '-' || c == '+' || (unsigned char)c == 0xE2)
			VEC_PUSH(f->sign, n->span.start);
		/* a moment below zero is one token: count -1 */
		bool moment = n->kind == N_KIND_E_MOMENT || n->kind == N_KIND_MOMENT;
		for (uint32_t at = n->at.start; moment && at < n->at.end && at < f->length; at++)
			if (f->text[at] == '-')
				VEC_PUSH(f->sign, at);
		const struct node *child[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		for (size_t i = 0; i < FRAY_COUNT(child); i++)
			find_signs(f, child[i]);
	}
}

static int by_place(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static uint32_t line_start(const struct formatter *f, uint32_t at)
{
	while (at > 0 && f->text[at - 1] != '\n')
		at--;
	return at;
}

static uint32_t line_end(const struct formatter *f, uint32_t at)
{
	while (at < f->length && f->text[at] != '\n')
		at++;
	return at < f->length ? at + 1 : at;
}

/* Whole lines from behind the last good statement to the next one. */
static void find_kept(struct formatter *f, const struct node *tree)
{
	uint32_t good = 0; /* the end of the lines of what was read well */
	for (const struct node *n = tree; n; n = n->next) {
		if (!n->damaged) {
			good = line_end(f, n->span.end);
			continue;
		}
		while (n->next && n->next->damaged)
			n = n->next;
		uint32_t end = n->next && !f->front->torn ? line_start(f, n->next->span.start)
							  : f->length;
		if (end > good)
			VEC_PUSH(f->kept, (struct span){f->file, good, end});
		if (f->front->torn)
			return;
	}
}

static bool is_kept(const struct formatter *f, uint32_t at)
{
	for (int i = 0; i < f->kept.n; i++)
		if (at >= f->kept.v[i].start && at < f->kept.v[i].end)
			return true;
	return false;
}

/* ---- lines ---- */

static int columns_of(const char *text, uint32_t length)
{
	int n = 0;
	for (uint32_t i = 0; i < length; i++)
		n += ((unsigned char)text[i] & 0xC0) != 0x80;
	return n;
}

static int blanks(const char *text, uint32_t from, uint32_t to)
{
	int n = 0;
	for (uint32_t i = from; i < to; i++)
		n += text[i] == '\t' ? 8 : 1;
	return n;
}

static void add_piece(struct formatter *f, struct line *l, uint16_t kind, const char *text,
	uint32_t length, int gap_before)
{
	struct piece p = {
		text, length, columns_of(text, length), kind, false, 0, l->count ? gap_before : -1};
	VEC_PUSH(f->pieces, p);
	l->count++;
}

static bool is_sign(struct formatter *f, uint32_t at)
{
	while (f->sign_at < f->sign.n && f->sign.v[f->sign_at] < at)
		f->sign_at++;
	return f->sign_at < f->sign.n && f->sign.v[f->sign_at] == at;
}

/* A token as it is written best. */
static void add_token(struct formatter *f, struct line *l, const struct raw *r, int gap_before)
{
	const char *text = f->text + r->start;
	uint32_t length = r->end - r->start;
	switch (r->kind) {
	case '-':
		text = "-";
		length = 1;
		break;
	case RAW_NE:
		text = "<>";
		break;
	case RAW_OF:
		if ((unsigned char)*text == 0xE2) {
			text = text[3] == 's' ? "'s" : "'";
			length -= 2;
		}
		break;
	case RAW_PERCENT: /* blanks may stand before the sign */
	case RAW_STRING: {
		struct buf b = {0};
		uint32_t mark = (unsigned char)*text == 0xE2 ? 3 : 1;
		if (r->kind == RAW_PERCENT) {
			buf_add(&b, text, strspn(text, "0123456789."));
			buf_putc(&b, '%');
		} else if (mark == 3 && !memchr(text, '"', length)) {
			buf_printf(&b, "\"%.*s\"", (int)(length - 2 * mark), text + mark);
		} else {
			break;
		}
		length = (uint32_t)b.length;
		text = arena_text(f->front->arena, b.data, b.length);
		buf_free(&b);
		break;
	}
	default:
		break;
	}
	add_piece(f, l, r->kind, text, length, gap_before);
	f->pieces.v[f->pieces.n - 1].sign = is_sign(f, r->start);
}

/* Between two tokens only blanks, a comment and an end of line after a backslash can stand. */
static uint32_t find_comment(const struct formatter *f, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i + 1 < to; i++)
		if (f->text[i] == '-' && f->text[i + 1] == '-')
			return i;
	return to;
}

static void add_comment(struct formatter *f, struct line *l, uint32_t from, uint32_t to)
{
	uint32_t at = find_comment(f, from, to), end = to;
	while (end > at && strchr(" \t\r\f\v", f->text[end - 1]))
		end--;
	if (end > at)
		add_piece(f, l, PIECE_COMMENT, f->text + at, end - at, blanks(f->text, from, at));
}

/* Semicolons at the end of a line, and before a closing brace, end nothing. */
static void drop_semicolons(struct formatter *f, struct line *l)
{
	while (l->count && f->pieces.v[f->pieces.n - 1].kind == RAW_SEMI) {
		f->pieces.n--;
		l->count--;
	}
}

static void end_line(struct formatter *f, struct line *l, uint32_t end)
{
	l->kept = is_kept(f, l->start);
	l->end = end;
	VEC_PUSH(f->line, *l);
	*l = (struct line){.start = end, .depth = f->table.n};
}

static void brace(struct formatter *f, struct line *l, const struct raw *r)
{
	if (r->kind == '{') {
		const struct piece *first = l->count ? &f->pieces.v[f->pieces.n - l->count] : NULL;
		VEC_PUSH(f->table, first && first->length == 5 && !memcmp(first->text, "table", 5));
	} else if (r->kind == '}' && f->table.n) {
		f->table.n--;
		if (l->count == l->closes) {
			l->closes++;
			l->depth = f->table.n;
		}
	}
}

static void cut_lines(struct formatter *f, uint32_t from)
{
	struct line l = {.start = from};
	uint32_t at = from;
	int count = f->raws.at.n - RAWS_MARGIN;
	for (int i = 0; i < count; i++) {
		const struct raw *r = &f->raws.at.v[i];
		if (r->end <= from)
			continue;
		for (const char *nl; (nl = memchr(f->text + at, '\n', r->start - at)) !=
			NULL;) { /* behind a backslash */
			uint32_t end = (uint32_t)(nl - f->text);
			l.joined = true;
			end_line(f, &l, end);
			at = end + 1;
			l.start = at;
		}
		if (r->kind == RAW_NL) {
			drop_semicolons(f, &l);
			add_comment(f, &l, at, r->start);
			end_line(f, &l, r->end);
			at = r->end;
			continue;
		}
		while (f->start_at < f->starts->at.n && f->starts->at.v[f->start_at] < r->start)
			f->start_at++;
		bool starts = f->start_at < f->starts->at.n &&
			f->starts->at.v[f->start_at] == r->start;
		if (r->kind == '}')
			drop_semicolons(f, &l);
		brace(f, &l, r);
		if (l.count == 0) {
			l.starts = starts || r->kind == '}';
			l.row = f->table.n && f->table.v[f->table.n - 1] && r->kind != '}' &&
				r->kind != '{';
		}
		add_token(f, &l, r, blanks(f->text, at, r->start));
		at = r->end;
	}
	drop_semicolons(f, &l);
	add_comment(f, &l, at, f->length);
	if (l.count)
		end_line(f, &l, f->length);
	for (int i = 0, n = 0; i < f->line.n; n += f->line.v[i++].count)
		f->line.v[i].piece = f->pieces.v + n;
}

/* ---- blanks within a line ---- */

/* Written without blanks on both sides. */
static bool is_tight(const struct line *l, int i)
{
	return l->piece[i].gap_before == 0 && i + 1 < l->count && l->piece[i + 1].gap_before == 0;
}

static bool is_number(const struct line *l, int i)
{
	return i >= 0 && i < l->count && l->piece[i].kind == RAW_NUMBER;
}

/* Marks that may stand without blanks: a range 3..5, a fraction 3/2, faces that are added 4+6. */
static bool joins(const struct line *l, int i)
{
	if (l->piece[i].kind == RAW_SPAN)
		return l->piece[i].gap_before < 1 &&
			(i + 1 == l->count || l->piece[i + 1].gap_before < 1);
	if (l->piece[i].kind == '+')
		return is_tight(l, i) && is_number(l, i - 1) && is_number(l, i + 1);
	return l->piece[i].kind == '/' && is_tight(l, i) &&
		(is_number(l, i - 1) || is_number(l, i + 1));
}

static int gap_between(const struct line *l, int i)
{
	const struct piece *a = &l->piece[i - 1], *b = &l->piece[i];
	switch (b->kind) {
	case ',':
	case RAW_SEMI:
	case ':':
	case ')':
	case RAW_OF:
		return 0;
	case PIECE_COMMENT:
		return 3;
	default:
		break;
	}
	if (a->kind == '(' || a->sign || joins(l, i) || joins(l, i - 1))
		return 0;
	if (a->kind == RAW_OF && a->length == 1) /* al-mi'raj, orcs' initiative */
		return b->gap_before > 0;
	return 1;
}

/* ---- the text ---- */

static bool begins_with(const struct line *l, int kind)
{
	return l->count && l->piece[0].kind == kind;
}

static bool ends_with(const struct line *l, int kind)
{
	int last = l->count - 1;
	if (last > 0 && l->piece[last].kind == PIECE_COMMENT)
		last--;
	return last >= 0 && l->piece[last].kind == kind;
}

static bool is_else(const struct line *l, const struct line *above)
{
	return l->count && above && ends_with(above, '}') && l->piece[0].length == 4 &&
		!memcmp(l->piece[0].text, "else", 4);
}

static void put_line(const struct line *l, const struct line *above, struct buf *out)
{
	bool goes_on = !l->starts && !begins_with(l, PIECE_COMMENT) && !is_else(l, above);
	buf_fill(out, ' ', INDENT * (l->depth + goes_on));
	for (int i = 0; i < l->count; i++) {
		buf_fill(out, ' ', l->piece[i].gap);
		buf_add(out, l->piece[i].text, l->piece[i].length);
	}
	buf_puts(out, l->joined ? " \\\n" : "\n");
}

/* Empty lines: one at most, and none at the edge of a block or of the text. */
static bool is_needless(const struct formatter *f, int i, const struct line *above)
{
	int next = i + 1;
	while (next < f->line.n && !f->line.v[next].count && !f->line.v[next].kept)
		next++;
	if (next > i + 1 || next == f->line.n || !above)
		return true;
	return ends_with(above, '{') ||
		(!f->line.v[next].kept && begins_with(&f->line.v[next], '}'));
}

static void put_lines(struct formatter *f, struct buf *out)
{
	static const struct line shell; /* a line for the shell stands above */
	const struct line *above = out->length ? &shell : NULL;
	for (int i = 0; i < f->line.n; i++) {
		struct line *l = &f->line.v[i];
		if (l->kept) {
			buf_add(out, f->text + l->start, l->end - l->start);
		} else if (l->count) {
			put_line(l, above, out);
		} else {
			if (!is_needless(f, i, above))
				buf_putc(out, '\n');
			continue;
		}
		above = l;
	}
}

/* ---- is it the same program? ---- */

static bool ends_statement(int kind)
{
	return kind == RAW_NL || kind == RAW_SEMI;
}

/* The next token that counts: ends of statements that end nothing do not. */
static int next_token(const struct raws *r, int at, bool *ended)
{
	for (*ended = false; at < r->at.n - RAWS_MARGIN && ends_statement(r->at.v[at].kind); at++)
		*ended |= r->at.v[at].kind == RAW_NL || r->at.v[at].kind == RAW_SEMI;
	return at;
}

static bool same_tokens(struct formatter *f, const char *text, size_t length)
{
	struct raws now = {0};
	uint16_t file = sources_add(f->front->sources, "", text, length);
	front_raws(f->front, file, &now);
	bool same = true, first = true, a_ended, b_ended;
	int a = 0, b = 0, a_count = f->raws.at.n - RAWS_MARGIN, b_count = now.at.n - RAWS_MARGIN;
	while (same) {
		a = next_token(&f->raws, a, &a_ended);
		b = next_token(&now, b, &b_ended);
		if (a == a_count || b == b_count)
			break;
		const struct raw *x = &f->raws.at.v[a++], *y = &now.at.v[b++];
		bool edge = x->kind == '}' ||
			first; /* a closing brace ends what stands before it */
		first = false;
		same = x->kind == y->kind && x->word == y->word && (edge || a_ended == b_ended);
	}
	VEC_FREE(now.at);
	return same && a == a_count && b == b_count;
}

void format_text(struct front *front, uint16_t file, const struct node *tree,
	const struct starts *starts, struct buf *out)
{
	const struct source *s = &front->sources->file.v[file];
	struct formatter f = {.front = front,
		.file = file,
		.text = s->text,
		.length = s->length,
		.starts = starts};
	struct buf b = {0};
	uint32_t from = source_start(s), mark = s->text[0] == '\xEF' ? 3 : 0;
	if (from > mark && from < s->length) /* the whole of the shell's line */
		from++;
	find_signs(&f, tree);
	if (f.sign.n)
		qsort(f.sign.v, (size_t)f.sign.n, sizeof *f.sign.v, by_place);
	find_kept(&f, tree);
	front_raws(front, file, &f.raws);
	cut_lines(&f, from);
	for (int i = 0; i < f.line.n; i++)
		for (int k = 1; k < f.line.v[i].count; k++)
			f.line.v[i].piece[k].gap = gap_between(&f.line.v[i], k);
	align_lines(f.line.v, f.line.n);
	buf_add(&b, s->text + mark, from > mark ? from - mark : 0);
	put_lines(&f, &b);
	bool same = same_tokens(&f, buf_text(&b), b.length);
	must(same);
	s = &front->sources->file.v[file];
	buf_add(out, same ? buf_text(&b) : s->text, same ? b.length : s->length);
	buf_free(&b);
	VEC_FREE(f.raws.at);
	VEC_FREE(f.sign);
	VEC_FREE(f.pieces);
	VEC_FREE(f.line);
	VEC_FREE(f.kept);
	VEC_FREE(f.table);
}
