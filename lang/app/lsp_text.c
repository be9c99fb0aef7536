/* lsp_text.c - a text with its lines. The protocol counts UTF-16 units in a line, Fray bytes. */
#include <stdlib.h>
#include <string.h>

#include "lang/app/lsp.h"

char *text_copy(const char *text, size_t length)
{
	char *copy = malloc(length + 1);
	if (!copy)
		abort();
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

/* Lines end at \n, \r\n and \r. */
static void find_lines(struct lsp_text *t)
{
	int room = 64;
	t->line = malloc((size_t)room * sizeof *t->line);
	if (!t->line)
		abort();
	t->lines = 1;
	t->line[0] = 0;
	for (size_t i = 0; i < t->length; i++) {
		if (t->data[i] != '\n' && !(t->data[i] == '\r' && t->data[i + 1] != '\n'))
			continue;
		if (t->lines == room) {
			room *= 2;
			t->line = realloc(t->line, (size_t)room * sizeof *t->line);
			if (!t->line)
				abort();
		}
		t->line[t->lines++] = (uint32_t)i + 1;
	}
}

void lsp_text_set(struct lsp_text *t, const char *data, size_t length)
{
	char *copy = text_copy(data, length);
	lsp_text_free(t);
	t->data = copy;
	t->length = length;
	find_lines(t);
}

void lsp_text_free(struct lsp_text *t)
{
	free(t->data);
	free(t->line);
	memset(t, 0, sizeof *t);
}

void lsp_text_replace(
	struct lsp_text *t, uint32_t start, uint32_t end, const char *with, size_t length)
{
	const size_t size = t->length - (end - start) + length;
	char *data = malloc(size + 1);
	if (!data)
		abort();
	memcpy(data, t->data, start);
	memcpy(data + start, with, length);
	memcpy(data + start + length, t->data + end, t->length - end);
	data[size] = '\0';
	lsp_text_free(t);
	t->data = data;
	t->length = size;
	find_lines(t);
}

/* The bytes of the character here, and the units it takes in UTF-16. What is no UTF-8 counts by
 * bytes. */
static uint32_t character(const char *p, size_t left, int *units)
{
	const unsigned char c = (unsigned char)*p;
	uint32_t n = c < 0xc2 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 1;
	for (uint32_t i = 1; i < n; i++)
		if (i >= left || ((unsigned char)p[i] & 0xc0) != 0x80)
			n = 1;
	*units = n == 4 ? 2 : 1;
	return n;
}

/* Where a line ends, before its mark. */
static uint32_t line_end(const struct lsp_text *t, int line)
{
	uint32_t end = line + 1 < t->lines ? t->line[line + 1] : (uint32_t)t->length;
	while (end > t->line[line] && (t->data[end - 1] == '\n' || t->data[end - 1] == '\r'))
		end--;
	return end;
}

uint32_t lsp_offset(const struct lsp_text *t, int line, int wanted)
{
	if (line < 0)
		return 0;
	if (line >= t->lines)
		return (uint32_t)t->length;
	const uint32_t end = line_end(t, line);
	uint32_t at = t->line[line];
	for (int units = 0, n; at < end; units += n) {
		const uint32_t bytes = character(t->data + at, end - at, &n);
		if (units + n > wanted)
			break;
		at += bytes;
	}
	return at;
}

json_t *lsp_position(const struct lsp_text *t, uint32_t at)
{
	int low = 0, high = t->lines - 1, units = 0;
	if (at > t->length)
		at = (uint32_t)t->length;
	while (low < high) {
		const int middle = (low + high + 1) / 2;
		if (t->line[middle] <= at)
			low = middle;
		else
			high = middle - 1;
	}
	const uint32_t end = line_end(t, low);
	for (uint32_t p = t->line[low]; p < at && p < end;) {
		int n;
		p += character(t->data + p, end - p, &n);
		units += n;
	}
	return json_pack("{s:i, s:i}", "line", low, "character", units);
}

json_t *lsp_range(const struct lsp_text *t, uint32_t start, uint32_t end)
{
	return json_pack(
		"{s:o, s:o}", "start", lsp_position(t, start), "end", lsp_position(t, end));
}

bool lsp_read_position(const struct lsp_text *t, const json_t *position, uint32_t *at)
{
	const json_t *line = json_object_get(position, "line"),
		     *units = json_object_get(position, "character");
	if (!json_is_integer(line) || !json_is_integer(units))
		return false;
	const json_int_t l = json_integer_value(line), u = json_integer_value(units);
	if (l < 0 || u < 0)
		return false;
	*at = lsp_offset(t, l > INT32_MAX ? INT32_MAX : (int)l, u > INT32_MAX ? INT32_MAX : (int)u);
	return true;
}

bool lsp_read_range(const struct lsp_text *t, const json_t *range, uint32_t *start, uint32_t *end)
{
	if (!lsp_read_position(t, json_object_get(range, "start"), start) ||
		!lsp_read_position(t, json_object_get(range, "end"), end))
		return false;
	if (*end < *start)
		*end = *start;
	return true;
}

void lsp_braces(
	const struct lsp_text *t, void (*tell)(void *context, char brace, int line), void *context)
{
	for (int line = 0; line < t->lines; line++) {
		const char *p = t->data + t->line[line],
			   *end = t->data + (line + 1 < t->lines ? t->line[line + 1] : t->length);
		for (; p < end && strncmp(p, "--", 2) != 0; p++)
			if (*p == '"' && !(p > t->data && p[-1] >= '0' && p[-1] <= '9')) {
				const char *close = memchr(p + 1, '"', (size_t)(end - p - 1));
				p = close ? close : end - 1;
			} else if (*p == '{' || *p == '}') {
				tell(context, *p, line);
			}
	}
}

static void count_brace(void *context, char brace, int line)
{
	int *open = context;
	(void)line;
	*open += brace == '{' ? 1 : -1;
}

int lsp_open_braces(const struct lsp_text *t)
{
	int open = 0;
	lsp_braces(t, count_brace, &open);
	return open;
}
