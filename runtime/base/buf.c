/* buf.c - growable bytes with formatted append, and growable arrays. */
#include "runtime/base/buf.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/must.h"

/* Room for `more` bytes and the NUL behind them. */
static void buf_reserve(struct buf *b, size_t more)
{
	size_t want, capacity;
	char *data;

	if (more >= SIZE_MAX / 2 - b->length)
		abort();
	want = b->length + more + 1;
	if (want <= b->capacity)
		return;
	capacity = b->capacity ? b->capacity : 32;
	while (capacity < want)
		capacity *= 2;
	data = realloc(b->data, capacity);
	if (!data)
		abort();
	b->data = data;
	b->capacity = capacity;
}

void buf_free(struct buf *b)
{
	free(b->data);
	b->data = NULL;
	b->length = b->capacity = 0;
}

void buf_clear(struct buf *b)
{
	b->length = 0;
	if (b->data)
		b->data[0] = '\0';
}

void buf_add(struct buf *b, const void *bytes, size_t length)
{
	if (length == 0)
		return;
	buf_reserve(b, length);
	memcpy(b->data + b->length, bytes, length);
	b->length += length;
	b->data[b->length] = '\0';
}

void buf_puts(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

void buf_putc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_printf(struct buf *b, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	buf_vprintf(b, format, args);
	va_end(args);
}

void buf_vprintf(struct buf *b, const char *format, va_list args)
{
	va_list again;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	must(length >= 0); /* formats are ours */
	if (length <= 0)
		return;
	buf_reserve(b, (size_t)length);
	vsnprintf(b->data + b->length, (size_t)length + 1, format, args);
	b->length += (size_t)length;
}

void buf_fill(struct buf *b, char c, int n)
{
	if (n <= 0)
		return;
	buf_reserve(b, (size_t)n);
	memset(b->data + b->length, c, (size_t)n);
	b->length += (size_t)n;
	b->data[b->length] = '\0';
}

void buf_counted(struct buf *b, uint64_t n)
{
	char digits[24];
	int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			buf_putc(b, ',');
		buf_putc(b, digits[i]);
	}
}

const char *buf_text(struct buf *b)
{
	return b->length ? b->data : "";
}

char *buf_take(struct buf *b)
{
	char *data;
	buf_reserve(b, 0);
	b->data[b->length] = '\0';
	data = b->data;
	b->data = NULL;
	b->length = b->capacity = 0;
	return data;
}

void *vec_grow(void *v, int *capacity, size_t element_size)
{
	int wider;

	must(element_size > 0);
	if (*capacity > INT_MAX / 2)
		abort();
	wider = *capacity ? *capacity * 2 : 8;
	if ((size_t)wider > SIZE_MAX / 2 / element_size)
		abort();
	v = realloc(v, (size_t)wider * element_size);
	if (!v)
		abort();
	*capacity = wider;
	return v;
}
