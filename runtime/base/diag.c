/* diag.c - diagnostics: the table of sentences, filling them in, passing them on. */
#include "runtime/base/diag.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/must.h"

const struct message_info message_table[M_COUNT] = {
#define MSG(name, code, severity, template, hint) [M_##name] = { #name, code, SEV_##severity, template, hint },
#include "runtime/base/message.def"
#undef MSG
};

enum { ERRORS_SHOWN = 100, WORD_MAX = 200 };

struct diag diag_make(enum message id, struct span span)
{
	struct diag d;
	memset(&d, 0, sizeof d);
	d.id = id;
	d.span = span;
	return d;
}

void diag_arg(struct diag *d, const char *text)
{
	must(d->args < DIAG_ARGS);
	d->arg[d->args++] = text;
}

/* Related places and further lines come in any number from the script (a tie of nine
 * rules); what does not fit is left out rather than refused. */
void diag_relate(struct diag *d, struct span span, const char *label)
{
	if (d->relateds == DIAG_RELATED)
		return;
	d->related[d->relateds].span = span;
	d->related[d->relateds].label = label;
	d->relateds++;
}

void diag_line(struct diag *d, const char *text)
{
	if (d->lines < DIAG_LINES)
		d->line[d->lines++] = text;
}

void diag_send(struct diag_sink *sink, const struct diag *d)
{
	int limit = sink->limit ? sink->limit : ERRORS_SHOWN;
	bool full = sink->errors >= limit;

	switch (message_table[d->id].severity) {
	case SEV_NOTE:
		break;
	case SEV_WARNING:
		sink->warnings++;
		break;
	case SEV_ERROR:
	case SEV_RULING:
	case SEV_LIMIT:
		sink->errors++;
		break;
	}
	if (!full && sink->report)
		sink->report(sink->context, d);
}

void diag_report(struct diag_sink *sink, enum message id, struct span span, int args, ...)
{
	struct diag d = diag_make(id, span);
	va_list list;

	va_start(list, args);
	for (int i = 0; i < args; i++)
		diag_arg(&d, va_arg(list, const char *));
	va_end(list);
	diag_send(sink, &d);
}

/* "a {0}" before "act" or "encounter" is "an". */
static bool needs_an(const struct buf *out, const char *word)
{
	const size_t n = out->length;
	return n >= 2 && out->data[n - 1] == ' ' && out->data[n - 2] == 'a' &&
		(n == 2 || out->data[n - 3] == ' ') && *word && strchr("aeio", *word);
}

/* Only {digit} is a place to fill: sentences may speak of { and } themselves. */
static void fill_in(const struct diag *d, const char *template, struct buf *out)
{
	for (const char *p = template; *p; p++) {
		if (p[0] == '{' && p[1] >= '0' && p[1] <= '9' && p[2] == '}') {
			int i = p[1] - '0';
			must(i < d->args);
			if (i < d->args && d->arg[i]) {
				if (needs_an(out, d->arg[i])) {
					out->length--;
					buf_puts(out, "n ");
				}
				buf_puts(out, d->arg[i]);
			}
			p += 2;
		} else {
			buf_putc(out, *p);
		}
	}
}

void diag_sentence(const struct diag *d, struct buf *out)
{
	fill_in(d, message_table[d->id].template, out);
}

void diag_hint(const struct diag *d, struct buf *out)
{
	fill_in(d, message_table[d->id].hint, out);
}

void diag_spoken(const struct diag *d, struct buf *out)
{
	diag_sentence(d, out);
	buf_putc(out, ' ');
	diag_hint(d, out);
	buf_printf(out, " [%s]", message_table[d->id].code);
}

const char *diag_short_for(const char *word, const char *const *candidates, int n)
{
	const size_t length = strlen(word);
	const char *best = NULL;
	for (int i = 0; i < n && length >= 2 && length <= 5; i++) {
		const char *at = word;
		if (strchr(candidates[i], ' ') || strlen(candidates[i]) <= length ||
			*candidates[i] != *word)
			continue;
		for (const char *c = candidates[i]; *c && *at; c++)
			at += *c == *at;
		if (*at)
			continue;
		const bool begins = !strncmp(candidates[i], word, length),
				   best_begins = best && !strncmp(best, word, length);
		if (!best || (begins && !best_begins) ||
			(begins == best_begins && strlen(candidates[i]) < strlen(best)))
			best = candidates[i];
	}
	return best;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Edits between two words: a letter put in, left out, changed, or two neighbours swapped.
 * Three rows of the usual table are enough. Both are at most WORD_MAX long. */
static int word_distance(const char *a, int na, const char *b, int nb)
{
	int rows[3][WORD_MAX + 1];
	int *before = rows[0], *last = rows[1], *row = rows[2];

	for (int j = 0; j <= nb; j++)
		last[j] = j;
	for (int i = 1; i <= na; i++) {
		int *spare = before;
		row[0] = i;
		for (int j = 1; j <= nb; j++) {
			char x = lower(a[i - 1]), y = lower(b[j - 1]);
			row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (x != y));
			if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y)
				row[j] = least(row[j], before[j - 2] + 1);
		}
		before = last;
		last = row;
		row = spare;
	}
	return last[nb];
}

const char *diag_nearest(const char *word, const char *const *candidates, int n)
{
	const char *best = NULL;
	size_t length = strlen(word);
	int bound, best_score = 0;

	if (length == 0 || length > WORD_MAX)
		return NULL;
	bound = length == 5 ? 2 : (int)length / 3;
	if (bound < 1)
		bound = 1;
	for (int i = 0; i < n; i++) {
		const char *c = candidates[i];
		size_t nc = strlen(c);
		int distance, score;

		if (nc == 0 || nc > WORD_MAX || nc > length + (size_t)bound || length > nc + (size_t)bound)
			continue;
		distance = word_distance(word, (int)length, c, (int)nc);
		/* two slips in five letters are a guess: only where the word begins alike */
		if (distance > bound || (distance > 1 && distance * 3 > (int)length && lower(word[0]) != lower(c[0])))
			continue;
		/* people seldom get the first letter wrong; the first listed wins what remains */
		score = distance * 2 + (lower(word[0]) != lower(c[0]));
		if (!best || score < best_score) {
			best = c;
			best_score = score;
		}
	}
	return best;
}

static int by_letters(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void diag_list(const char **names, int n, const char *first, int most, struct buf *out)
{
	int listed = 0;
	if (n > 1)
		qsort(names, (size_t)n, sizeof *names, by_letters);
	for (int pass = first ? 0 : 1; pass < 2; pass++)
		for (int i = 0; i < n && listed < most; i++)
			if ((first && !strcmp(names[i], first)) == (pass == 0))
				buf_printf(out, "%s%s", listed++ ? ", " : "", names[i]);
	if (n > most)
		buf_puts(out, ", ..");
}
