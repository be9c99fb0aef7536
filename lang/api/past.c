/* past.c - see past.h.
 *
 * Bytes, one pair a word that changed: how many words lie between it and the last one, and the
 * value it had; numbers in groups of seven bits, the lowest first. */
#include "lang/api/past.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/buf.h"

struct past { size_t length; uint8_t byte[]; };

static void put(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_putc(b, (char)(uint8_t)(v | 0x80));
	buf_putc(b, (char)(uint8_t)v);
}

static uint64_t get(const uint8_t **at)
{
	uint64_t v = 0;
	int shift = 0;
	for (;; shift += 7) {
		uint8_t b = *(*at)++;
		v |= (uint64_t)(b & 0x7f) << shift;
		if (b < 0x80)
			return v;
	}
}

/* Small numbers of either sign are short; so is NONE, of which there are many. */
static uint64_t shortened(word v)
{
	return v == NONE ? 0 : (((uint64_t)v << 1) ^ (v < 0 ? ~(uint64_t)0 : 0)) + 1;
}

static word lengthened(uint64_t v)
{
	if (v == 0)
		return NONE;
	v--;
	return (word)((v >> 1) ^ (v & 1 ? ~(uint64_t)0 : 0));
}

struct past *past_of(const word *before, const word *after, uint32_t words)
{
	struct buf b = {0};
	uint32_t next = 0;
	for (uint32_t i = 0; i < words; i++) {
		if (before[i] == after[i])
			continue;
		put(&b, i - next);
		put(&b, shortened(before[i]));
		next = i + 1;
	}
	struct past *p = malloc(sizeof *p + b.length);
	if (!p)
		abort();
	p->length = b.length;
	if (b.length)
		memcpy(p->byte, b.data, b.length);
	buf_free(&b);
	return p;
}


void past_apply(const struct past *p, word *world)
{
	const uint8_t *at = p->byte, *end = at + p->length;
	uint32_t i = 0;
	while (at < end) {
		i += (uint32_t)get(&at);
		world[i++] = lengthened(get(&at));
	}
}
