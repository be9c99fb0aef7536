/* answer_runs.c - "orc #1, orc #2, orc #3 and Snag" is said "orc #1 to #3 and Snag": in what an answer says, wherever three
 * or more of a sort stand one behind the other. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/explain/answer.h"

enum { RUN_LEAST = 3 };

/* The name of one of several that a text begins with: its length, that in front of the "#"; *number. 0: it begins with none. */
static size_t one_of_several(const struct program *p, const char *text, size_t *stem, long *number)
{
	size_t best = 0;
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++) {
		const char *name = p->live[KIND_COMBATANT][i].name, *mark = strrchr(name, '#');
		const size_t n = strlen(name);
		if (!mark || n <= best || strncmp(text, name, n) != 0 || isalnum((unsigned char)text[n]))
			continue;
		best = n;
		*stem = (size_t)(mark - name);
		*number = strtol(mark + 1, NULL, 10);
	}
	return best;
}

/* " (twice)", " (3 times)": said of the one before it alone. */
static bool has_count(const char *text)
{
	const size_t n = strncmp(text, " (", 2) ? 0 : strspn(text + 2, "0123456789");
	return !strncmp(text, " (twice)", 8) || (n && !strncmp(text + 2 + n, " times)", 7));
}

/* How much of a text is a run; *stem, *last: how it is said in short; *closes: "and" stood before its last. 0: it is none. */
static size_t run_here(const struct program *p, const char *text, size_t *first, long *last, bool *closes)
{
	size_t stem, other, n = one_of_several(p, text, &stem, last), end = n;
	int k = 1;
	*first = n;
	*closes = false;
	while (n && !*closes) {
		const bool comma = !strncmp(text + end, ", ", 2), and = !strncmp(text + end, " and ", 5);
		const char *next = text + end + (comma ? 2 : 5);
		long number;
		n = comma || and ? one_of_several(p, next, &other, &number) : 0;
		/* "orc #1, orc #2 falls": another sentence */
		if (!n || has_count(next + n) || other != stem || strncmp(next, text, stem) != 0 ||
			number != *last + 1)
			break;
		end = (size_t)(next - text) + n;
		*last = number;
		*closes = and;
		k++;
	}
	return k >= RUN_LEAST ? end : 0;
}

void answer_runs(const struct program *p, struct buf *b)
{
	struct buf out = {0};
	bool any = false;
	for (size_t i = 0; i < b->length;) {
		size_t first;
		long last;
		bool closes;
		const bool begins = i == 0 || !isalnum((unsigned char)b->data[i - 1]);
		const size_t n = begins ? run_here(p, b->data + i, &first, &last, &closes) : 0;
		if (!n) {
			buf_putc(&out, b->data[i++]);
			continue;
		}
		/* of "Ann, orc #1 and orc #2" the "and" is left */
		if (closes && out.length > 2 && !strncmp(out.data + out.length - 2, ", ", 2) && isalnum((unsigned char)out.data[out.length - 3])) {
			out.data[out.length -= 2] = '\0';
			buf_puts(&out, " and ");
		}
		buf_add(&out, b->data + i, first);
		buf_printf(&out, " to #%ld", last);
		i += n;
		any = true;
	}
	if (any) {
		buf_free(b);
		*b = out;
	} else {
		buf_free(&out);
	}
}

void answer_shorten(const struct program *p, struct answer *a)
{
	answer_runs(p, &a->about);
	for (int i = 0; i < a->figure.n; i++) {
		struct figure *f = &a->figure.v[i];
		struct buf b = {0};
		buf_puts(&b, f->text);
		answer_runs(p, &b);
		/* never longer than it was */
		memcpy(f->text, buf_text(&b), b.length + 1);
		buf_free(&b);
	}
	answer_runs(p, &a->otherwise);
}
