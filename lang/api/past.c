/* past.c - see past.h.
 *
 * Bytes, one pair a word that changed: how many words lie between it and the last one, and the
 * value it had. */
#include "lang/api/past.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/buf.h"
#include "runtime/base/small.h"

struct past { size_t length; int holders; uint8_t byte[]; };

static void put(struct buf *b, uint64_t v)
{
	uint8_t bytes[SMALL_MOST];
	buf_add(b, bytes, (size_t)(small_put(bytes, v) - bytes));
}

enum { AT_ONCE = 64 }; /* words: most of them are the same */

static struct past *changes(const word *before, word *onto, const word *after, uint32_t words)
{
	struct buf b = {0};
	uint32_t next = 0;
	for (uint32_t from = 0; from < words; from += AT_ONCE) {
		uint32_t end = words - from < AT_ONCE ? words : from + AT_ONCE;
		if (!memcmp(before + from, after + from, (end - from) * sizeof(word)))
			continue;
		for (uint32_t i = from; i < end; i++) {
			if (before[i] == after[i])
				continue;
			put(&b, i - next);
			put(&b, small_of(before[i]));
			next = i + 1;
			if (onto)
				onto[i] = after[i];
		}
	}
	struct past *p = malloc(sizeof *p + b.length);
	if (!p)
		abort();
	p->length = b.length;
	p->holders = 1;
	if (b.length)
		memcpy(p->byte, b.data, b.length);
	buf_free(&b);
	return p;
}

struct past *past_of(const word *before, const word *after, uint32_t words)
{
	return changes(before, NULL, after, words);
}

struct past *past_onto(word *before, const word *after, uint32_t words)
{
	return changes(before, before, after, words);
}

struct past *past_share(struct past *p)
{
	p->holders++;
	return p;
}

void past_free(struct past *p)
{
	if (--p->holders == 0)
		free(p);
}

void past_apply(const struct past *p, word *world)
{
	const uint8_t *at = p->byte, *end = at + p->length;
	uint32_t i = 0;
	while (at < end) {
		i += (uint32_t)small_get(&at);
		world[i++] = small_to(small_get(&at));
	}
}
