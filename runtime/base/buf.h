/* buf.h - growable bytes with formatted append.
 *
 * A zeroed struct buf is an empty buffer. `data` is NUL-terminated whenever
 * length > 0 or after buf_text. The buffer owns data; buf_free releases it. */
#ifndef FRAY_BASE_BUF_H
#define FRAY_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/must.h"

struct buf {
	char *data;
	size_t length;
	size_t capacity;
};

void buf_free(struct buf *b);
void buf_clear(struct buf *b); /* length 0, memory kept */
void buf_add(struct buf *b, const void *bytes, size_t length);
void buf_puts(struct buf *b, const char *text);
void buf_putc(struct buf *b, char c);
void buf_printf(struct buf *b, const char *format, ...) FRAY_PRINTF(2, 3);
void buf_vprintf(struct buf *b, const char *format, va_list args) FRAY_PRINTF(2, 0);
/* n copies of c (n may be <= 0: none) */
void buf_fill(struct buf *b, char c, int n);
/* Whole thousands apart: 10,000. */
void buf_counted(struct buf *b, uint64_t n);
/* The text as a C string, borrowed until the next change; "" when empty. */
const char *buf_text(struct buf *b);
/* The bytes as a malloc'ed C string the caller owns; the buffer is emptied. */
char *buf_take(struct buf *b);

/* Growable arrays of anything: struct { T *v; int n, cap; }.
 * VEC_PUSH(vec, value) appends; the vector owns v, freed with free(). */
void *vec_grow(void *v, int *capacity, size_t element_size);
#define VEC(...) struct { __VA_ARGS__ *v; int n; int cap; } /* one type; it may hold commas */
#define VEC_PUSH(vec, ...) \
	((vec).n == (vec).cap ? (void)((vec).v = vec_grow((vec).v, &(vec).cap, sizeof *(vec).v)) : (void)0, \
	 (vec).v[(vec).n++] = (__VA_ARGS__))
#define VEC_FREE(vec) (free((vec).v), (vec).v = NULL, (vec).n = (vec).cap = 0)

#endif
