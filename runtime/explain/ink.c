/* ink.c - lines with styles, wrapped to a width. */
#include <string.h>

#include "runtime/explain/ink.h"

void ink_free(struct ink *k)
{
	buf_free(&k->text);
	buf_free(&k->styles);
}

void ink_add(struct ink *k, enum ink_style style, const char *text)
{
	size_t n = strlen(text);
	buf_add(&k->text, text, n);
	buf_fill(&k->styles, (char)style, (int)n);
}

void ink_printf(struct ink *k, enum ink_style style, const char *format, ...)
{
	size_t before = k->text.length;
	va_list args;
	va_start(args, format);
	buf_vprintf(&k->text, format, args);
	va_end(args);
	buf_fill(&k->styles, (char)style, (int)(k->text.length - before));
}

static int starts_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

int text_columns(const char *text, size_t length)
{
	int n = 0;
	for (size_t i = 0; i < length; i++)
		n += starts_character(text[i]);
	return n;
}

int ink_column(const struct ink *k)
{
	return text_columns(k->text.data, k->text.length);
}

void ink_pad(struct ink *k, int column)
{
	int at = ink_column(k);
	int n = at < column ? column - at : at > 0;
	buf_fill(&k->text, ' ', n);
	buf_fill(&k->styles, INK_PLAIN, n);
}

static void send(const struct ink *k, size_t from, size_t to)
{
	while (from < to) {
		size_t end = from + 1;
		while (end < to && k->styles.data[end] == k->styles.data[from])
			end++;
		k->write(k->context, k->styles.data[from], k->text.data + from, end - from);
		from = end;
	}
}

/* Where the part of the line that begins at `from` and has `room` columns ends. */
static size_t fit(const struct ink *k, size_t from, int room)
{
	size_t end = from, blank = from;
	int n = 0;
	for (; end < k->text.length; end++) {
		n += starts_character(k->text.data[end]);
		if (n > room)
			break;
		if (k->text.data[end] == ' ' && end > from)
			blank = end;
	}
	if (end == k->text.length || k->text.data[end] == ' ')
		return end;
	return blank > from ? blank : end; /* a word longer than the line is cut */
}

void ink_line(struct ink *k, int hang)
{
	int width = k->width > 0 ? k->width : 80;
	k->lines++;
	if (hang > width - 20)
		hang = width > 20 ? width - 20 : 0;
	size_t from = 0, head = 0;
	/* the blanks and the label in front never count as a place to break */
	while (head < k->text.length && (k->text.data[head] == ' ' || text_columns(k->text.data, head) < hang))
		head++;
	size_t end = fit(k, from, width);
	if (end < head && head < k->text.length)
		end = fit(k, head, width > hang + 20 ? width - hang : 20);
	for (;;) {
		send(k, from, end);
		k->write(k->context, INK_PLAIN, "\n", 1);
		from = end;
		while (from < k->text.length && k->text.data[from] == ' ')
			from++;
		if (from >= k->text.length)
			break;
		for (int i = 0; i < hang; i++)
			k->write(k->context, INK_PLAIN, " ", 1);
		end = fit(k, from, width - hang > 0 ? width - hang : 1);
	}
	buf_clear(&k->text);
	buf_clear(&k->styles);
}
