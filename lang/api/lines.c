/* lines.c - see lines.h. */
#include "lang/api/lines.h"

#include <string.h>

#include "lang/api/fray.h"

static void take(struct told_lines *l, int style, char letter)
{
	if (l->fresh) {
		struct told_line one;
		memset(&one, 0, sizeof one);
		l->heading = style == FRAY_HEADING;
		if (!l->heading)
			VEC_PUSH(l->line, one);
		else
			buf_clear(&l->round);
		l->fresh = false;
	}
	if (l->heading) {
		buf_putc(&l->round, letter);
		return;
	}
	struct told_line *x = &l->line.v[l->line.n - 1];
	if (style == FRAY_TIME && !x->text.length)
		buf_putc(&x->moment, letter);
	else if (letter != ' ' || x->text.length)
		buf_putc(&x->text, letter);
}

/* "round 1, segment 4"; of a line without a moment of its own, that of the line above. */
static void place_line(struct told_lines *l)
{
	struct told_line *x = &l->line.v[l->line.n - 1];
	struct buf whole = {0};
	const char *moment = buf_text(&x->moment);
	if (!x->moment.length && l->line.n > 1) {
		buf_puts(&whole, buf_text(&l->line.v[l->line.n - 2].moment));
	} else {
		buf_puts(&whole, l->round.length ? buf_text(&l->round) : "at the beginning");
		if (strcmp(moment, "dice"))
			buf_printf(&whole, "%s%s", *moment ? ", " : "", moment);
	}
	buf_free(&x->moment);
	x->moment = whole;
}

static void piece(void *context, int style, const char *text, size_t length)
{
	struct told_lines *l = context;
	for (size_t i = 0; i < length; i++) {
		if (text[i] != '\n') {
			take(l, style, text[i]);
			continue;
		}
		if (!l->fresh && !l->heading)
			place_line(l);
		l->fresh = true;
	}
}

void lines_take(struct told_lines *l, const struct program *p, const struct trace *t, int32_t from)
{
	struct story_options o = {.width = 100000, .write = piece, .context = l};
	memset(l, 0, sizeof *l);
	l->fresh = true;
	for (int32_t i = from - 1; i >= 0 && !l->round.length; i--)
		if (trace_get(t, i)->kind == REC_ROUND)
			buf_printf(&l->round, "round %lld", (long long)trace_get(t, i)->value);
	story_tell(p, t, from, &o);
}

void lines_free(struct told_lines *l)
{
	for (int i = 0; i < l->line.n; i++) {
		buf_free(&l->line.v[i].moment);
		buf_free(&l->line.v[i].text);
	}
	VEC_FREE(l->line);
	buf_free(&l->round);
}

bool lines_same(struct told_line *a, struct told_line *b)
{
	return !strcmp(buf_text(&a->moment), buf_text(&b->moment)) && !strcmp(buf_text(&a->text), buf_text(&b->text));
}
