/* span.h - a place in a source text: file number and two byte offsets.
 *
 * Lines, columns and carets are worked out when something is printed (source.h);
 * everything before that carries eight bytes and a half. File 0 is "nowhere": what the
 * program itself made, for which no excerpt can be shown. */
#ifndef FRAY_BASE_SPAN_H
#define FRAY_BASE_SPAN_H

#include <stdbool.h>
#include <stdint.h>

struct span {
	uint16_t file;  /* index into the source table; 0: no text */
	uint32_t start; /* byte offset of the first byte */
	uint32_t end;   /* byte offset past the last byte */
};

/* Not by memcmp: behind `file` lie two bytes that hold anything. */
static inline bool span_same(const struct span *a, const struct span *b)
{
	return a->file == b->file && a->start == b->start && a->end == b->end;
}

/* The span from the start of `a` to the end of `b`; both lie in one file. */
static inline struct span span_join(struct span a, struct span b)
{
	struct span s = a;
	if (a.file == 0)
		return b;
	if (b.file == a.file && b.end > s.end)
		s.end = b.end;
	return s;
}

#endif
