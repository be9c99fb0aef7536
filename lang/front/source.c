/* source.c - the texts of a program, and places in them.
 *
 * Lines are found when first asked for, so texts without mistakes are never searched. The
 * text of the prompt grows line by line: source_grow drops the line table, and pointers
 * into the text. */
#include "lang/front/source.h"
#include "lang/front/raw.h"

#include <string.h>

#include "runtime/base/must.h"

enum { PAD = 2, EXCERPT_WIDTH = 100 };

void sources_init(struct sources *s)
{
	memset(s, 0, sizeof *s);
	sources_add(s, "", "", 0);
}

void source_forget(struct source *f)
{
	if (f->kept)
		VEC_FREE(f->kept->at);
	free(f->kept);
	f->kept = NULL;
}

void sources_free(struct sources *s)
{
	for (int i = 0; i < s->file.n; i++) {
		free((void *)(uintptr_t)s->file.v[i].name);
		free((void *)(uintptr_t)s->file.v[i].text);
		free(s->file.v[i].line);
		free(s->file.v[i].taken);
		source_forget(&s->file.v[i]);
	}
	VEC_FREE(s->file);
}

static char *copy(const char *text, size_t length)
{
	struct buf b = {0};
	buf_add(&b, text, length);
	buf_add(&b, "\0", PAD); /* the scanner wants two NULs after the text */
	return b.data;
}

uint16_t sources_add(struct sources *s, const char *name, const char *text, size_t length)
{
	struct source f = {0};
	must(s->file.n < UINT16_MAX && length <= UINT32_MAX - PAD);
	f.name = copy(name, strlen(name));
	f.text = copy(text, length);
	f.length = (uint32_t)length;
	VEC_PUSH(s->file, f);
	return (uint16_t)(s->file.n - 1);
}

void sources_image(struct sources *s, uint16_t file, const struct image *image, uint32_t image_file, bool *taken)
{
	struct source *f = &s->file.v[file];
	f->image = image;
	f->image_file = image_file;
	f->taken = taken;
}

void source_grow(struct sources *s, uint16_t file, const char *text, size_t length)
{
	struct source *f = &s->file.v[file];
	size_t all = f->length + length;
	char *grown = realloc((void *)(uintptr_t)f->text, all + PAD);
	must(all <= UINT32_MAX - PAD);
	if (!grown)
		abort();
	memcpy(grown + f->length, text, length);
	memset(grown + all, 0, PAD);
	f->text = grown;
	f->length = (uint32_t)all;
	source_forget(f);
	free(f->line);
	f->line = NULL;
	f->lines = 0;
}

uint32_t source_start(const struct source *s)
{
	uint32_t from = strncmp(s->text, "\xEF\xBB\xBF", 3) ? 0 : 3;
	if (!strncmp(s->text + from, "#!", 2))
		while (from < s->length && s->text[from] != '\n')
			from++;
	return from;
}

void source_cut(struct sources *s, uint16_t file, uint32_t length)
{
	struct source *f = &s->file.v[file];
	must(length <= f->length);
	memset((char *)(uintptr_t)f->text + length, 0, PAD);
	f->length = length;
	source_forget(f);
	free(f->line);
	f->line = NULL;
	f->lines = 0;
}

static void find_lines(struct source *f)
{
	VEC(uint32_t) line = {0};
	if (f->line)
		return;
	VEC_PUSH(line, 0);
	for (const char *at = f->text, *end = f->text + f->length; at < end && (at = memchr(at, '\n', (size_t)(end - at)));)
		VEC_PUSH(line, (uint32_t)(++at - f->text));
	f->line = line.v;
	f->lines = (uint32_t)line.n;
}

static struct source *source_of(struct sources *s, struct span at)
{
	must(at.file < s->file.n);
	find_lines(&s->file.v[at.file]);
	return &s->file.v[at.file];
}

/* The 0-based line that holds an offset. */
static uint32_t line_of(const struct source *f, uint32_t offset)
{
	uint32_t low = 0, high = f->lines;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (f->line[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static uint32_t line_end(const struct source *f, uint32_t line)
{
	uint32_t end = line + 1 < f->lines ? f->line[line + 1] - 1 : f->length;
	if (end > f->line[line] && f->text[end - 1] == '\r')
		end--;
	return end;
}

/* How many characters of UTF-8 start in these bytes. */
static int characters(const char *text, uint32_t from, uint32_t to)
{
	int n = 0;
	for (; from < to; from++)
		n += ((unsigned char)text[from] & 0xC0) != 0x80;
	return n;
}

void sources_place(struct sources *s, struct span at, int *line, int *column)
{
	struct source *f = source_of(s, at);
	uint32_t start = at.start < f->length ? at.start : f->length;
	uint32_t l = line_of(f, start);
	*line = (int)l + 1;
	*column = characters(f->text, f->line[l], start) + 1;
}

/* The part of a long line that is worth showing: around the span, cut between characters. */
static void window(const struct source *f, uint32_t start, uint32_t *from, uint32_t *to)
{
	if (*to - *from <= 2 * EXCERPT_WIDTH)
		return;
	if (start - *from > EXCERPT_WIDTH)
		*from = start - EXCERPT_WIDTH;
	if (*to - *from > 2 * EXCERPT_WIDTH)
		*to = *from + 2 * EXCERPT_WIDTH;
	while (*from < start && ((unsigned char)f->text[*from] & 0xC0) == 0x80)
		++*from;
	while (*to > start && ((unsigned char)f->text[*to] & 0xC0) == 0x80)
		--*to;
}

uint32_t utf8_length(const char *text, uint32_t left)
{
	const unsigned char *t = (const unsigned char *)text;
	uint32_t n = t[0] < 0x80 ? 1 : t[0] >= 0xC2 && t[0] < 0xE0 ? 2 : t[0] >= 0xE0 && t[0] < 0xF0 ? 3 : t[0] >= 0xF0 && t[0] < 0xF5 ? 4 : 0;
	if (n == 0 || n > left)
		return 0;
	for (uint32_t i = 1; i < n; i++)
		if ((t[i] & 0xC0) != 0x80)
			return 0;
	if ((t[0] == 0xE0 && t[1] < 0xA0) || (t[0] == 0xED && t[1] > 0x9F) || (t[0] == 0xF0 && t[1] < 0x90) || (t[0] == 0xF4 && t[1] > 0x8F))
		return 0;
	return n;
}

static bool is_control(char c)
{
	return ((unsigned char)c < ' ' && c != '\t') || c == 0x7F;
}

void sources_excerpt(struct sources *s, struct span at, struct buf *out)
{
	if (at.file == 0 || at.file >= s->file.n)
		return;
	struct source *f = source_of(s, at);
	uint32_t start = at.start < f->length ? at.start : f->length;
	uint32_t l = line_of(f, start);
	uint32_t from = f->line[l], to = line_end(f, l);
	uint32_t end = at.end < to ? at.end : to;
	if (start > to)
		start = to;
	window(f, start, &from, &to);
	if (end > to)
		end = to;
	struct buf number = {0};
	buf_printf(&number, "%u", (unsigned)l + 1);
	int width = number.length < 4 ? 4 : (int)number.length;
	buf_printf(out, "%*s | ", width, buf_text(&number));
	buf_free(&number);
	for (uint32_t i = from; i < to;) { /* what would move a terminal's cursor, or is no character, is not shown */
		uint32_t n = utf8_length(f->text + i, to - i);
		if (n == 0 || is_control(f->text[i]))
			buf_putc(out, '?');
		else
			buf_add(out, f->text + i, n);
		i += n ? n : 1;
	}
	buf_printf(out, "\n%*s | ", width, "");
	for (uint32_t i = from; i < start; i++)
		if (((unsigned char)f->text[i] & 0xC0) != 0x80)
			buf_putc(out, f->text[i] == '\t' ? '\t' : ' ');
	int carets = end > start ? characters(f->text, start, end) : 1;
	buf_fill(out, '^', carets < 1 ? 1 : carets);
	buf_putc(out, '\n');
}

const char *sources_text(const struct sources *s, struct span at, size_t *length)
{
	if (at.file >= s->file.n || at.start > s->file.v[at.file].length) {
		*length = 0;
		return "";
	}
	const struct source *f = &s->file.v[at.file];
	uint32_t end = at.end < f->length ? at.end : f->length;
	*length = end > at.start ? end - at.start : 0;
	return f->text + at.start;
}
