/* layout_diff.c - see layout_diff.h. Lines are lines on both sides, so one walk down both pairs
 * them: a line that is empty on the left alone was taken away, all others have a partner. */
#include "lang/app/layout_diff.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 3 };

struct side {
	const char *text, *end;
};

/* A line on the left, on the right, or on both. */
struct pair {
	const char *left, *right;
	size_t left_length, right_length; /* with its newline */
	bool same;
};

struct pairs {
	struct pair *at;
	size_t n, room;
};

static size_t line_length(const struct side *s)
{
	const char *nl = memchr(s->text, '\n', (size_t)(s->end - s->text));
	return nl ? (size_t)(nl + 1 - s->text) : (size_t)(s->end - s->text);
}

static bool is_empty(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!strchr(" \t\r\f\v\n", line[i]) || !line[i])
			return false;
	return true;
}

static void add(struct pairs *p, struct pair pair)
{
	if (p->n == p->room) {
		p->room = p->room ? p->room * 2 : 64;
		p->at = realloc(p->at, p->room * sizeof *p->at);
		if (!p->at)
			abort();
	}
	p->at[p->n++] = pair;
}

static void pair_lines(struct pairs *p, struct side left, struct side right)
{
	while (left.text < left.end || right.text < right.end) {
		size_t l = line_length(&left), r = line_length(&right);
		struct pair pair = {
			left.text, right.text, l, r, l == r && !memcmp(left.text, right.text, l)};
		if (!pair.same && l &&
			(!r || (is_empty(left.text, l) && !is_empty(right.text, r)))) {
			pair.right = NULL;
			pair.right_length = r = 0;
		}
		if (!l)
			pair.left = NULL;
		add(p, pair);
		left.text += l;
		right.text += r;
	}
}

static void put(struct text *out, char mark, const char *line, size_t length)
{
	if (!line)
		return;
	text_add(out, &mark, 1);
	text_add(out, line, length);
	if (!length || line[length - 1] != '\n')
		text_add(out, "\n\\ No newline at end of file\n", 29);
}

static void put_hunk(
	struct text *out, const struct pairs *p, size_t from, size_t to, size_t left, size_t right)
{
	size_t lefts = 0, rights = 0;
	char head[80];
	for (size_t i = from; i < to; i++) {
		lefts += p->at[i].left != NULL;
		rights += p->at[i].right != NULL;
	}
	int n = snprintf(
		head, sizeof head, "@@ -%zu,%zu +%zu,%zu @@\n", left, lefts, right, rights);
	text_add(out, head, (size_t)n);
	for (size_t i = from; i < to;) {
		size_t end = i;
		while (end < to && !p->at[end].same)
			end++;
		for (size_t k = i; k < end; k++)
			put(out, '-', p->at[k].left, p->at[k].left_length);
		for (size_t k = i; k < end; k++)
			put(out, '+', p->at[k].right, p->at[k].right_length);
		for (i = end; i < to && p->at[i].same; i++)
			put(out, ' ', p->at[i].left, p->at[i].left_length);
	}
}

/* Where the hunk that has the change at `from` ends: with its context. */
static size_t hunk_end(const struct pairs *p, size_t from)
{
	size_t last = from;
	for (size_t i = from; i < p->n && i <= last + 2 * CONTEXT + 1; i++)
		if (!p->at[i].same)
			last = i;
	return last + 1 + CONTEXT < p->n ? last + 1 + CONTEXT : p->n;
}

void layout_diff(struct text *out, const char *name, const char *before, size_t before_length,
	const char *after, size_t after_length)
{
	struct pairs p = {0};
	pair_lines(&p, (struct side){before, before + before_length},
		(struct side){after, after + after_length});
	size_t left = 1, right = 1, at = 0; /* the lines at pair `at` */
	bool first = true;
	for (size_t i = 0; i < p.n; i++) {
		if (p.at[i].same)
			continue;
		size_t from = i > CONTEXT ? i - CONTEXT : 0, to = hunk_end(&p, i);
		for (from = from < at ? at : from; at < from; at++) {
			left += p.at[at].left != NULL;
			right += p.at[at].right != NULL;
		}
		if (first) {
			text_add(out, "--- ", 4);
			text_add(out, name, strlen(name));
			text_add(out, "\n+++ ", 5);
			text_add(out, name, strlen(name));
			text_add(out, "\n", 1);
			first = false;
		}
		put_hunk(out, &p, from, to, left, right);
		for (; at < to; at++) {
			left += p.at[at].left != NULL;
			right += p.at[at].right != NULL;
		}
		i = to - 1;
	}
	free(p.at);
}
