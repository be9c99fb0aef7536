/* arena.c - chunks of zeroed memory, handed out from the front.
 *
 *   top -> [link | size | used | objects ...........free] -> [older chunk] -> ...
 *
 * Chunks double up to a bound. An object too big for the space left in a young arena gets
 * a chunk of its own, linked *under* the top, so the top's free space is not lost. Under
 * AddressSanitizer every object gets its own chunk, so that overruns are seen. */
#include "runtime/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "runtime/base/must.h"

#if defined(__SANITIZE_ADDRESS__)
#define EACH_ITS_OWN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EACH_ITS_OWN 1
#endif
#endif
#ifndef EACH_ITS_OWN
#define EACH_ITS_OWN 0
#endif

enum { CHUNK_FIRST = 4 << 10, CHUNK_LAST = 1 << 20 };

struct arena_chunk {
	struct arena_chunk *below;
	size_t size;
	size_t used;
	alignas(max_align_t) unsigned char bytes[];
};

void arena_init(struct arena *a)
{
	memset(a, 0, sizeof *a);
}

void arena_free(struct arena *a)
{
	struct arena_chunk *c = a->top;
	while (c) {
		struct arena_chunk *below = c->below;
		free(c);
		c = below;
	}
	a->top = NULL;
	a->used = 0;
}

static void run_out(struct arena *a)
{
	if (a->out)
		a->out(a->out_context);
}

static struct arena_chunk *chunk_new(struct arena *a, size_t size)
{
	struct arena_chunk *c = NULL;
	if (size <= SIZE_MAX - sizeof *c)
		c = calloc(1, sizeof *c + size);
	if (!c) {
		run_out(a);
		abort();
	}
	c->size = size;
	return c;
}

void *arena_alloc(struct arena *a, size_t size)
{
	const size_t unit = alignof(max_align_t);
	struct arena_chunk *c = a->top;
	size_t next = CHUNK_FIRST;

	if (size == 0)
		size = 1;
	if (size > SIZE_MAX / 2) {
		run_out(a);
		abort();
	}
	/* The limit is the owner's affair: `out` may jump away, or note it and let us go on. */
	if (a->limit && (size > a->limit || a->used > a->limit - size))
		run_out(a);
	a->used += size;
	if (EACH_ITS_OWN) {
		struct arena_chunk *own = chunk_new(a, size);
		own->used = size;
		own->below = a->top;
		a->top = own;
		return own->bytes;
	}

	size = (size + unit - 1) / unit * unit;
	if (c && c->size - c->used >= size) {
		void *p = c->bytes + c->used;
		c->used += size;
		return p;
	}
	if (c)
		next = c->size < CHUNK_LAST ? c->size * 2 : CHUNK_LAST;
	if (size > next / 4) {
		struct arena_chunk *own = chunk_new(a, size);
		own->used = size;
		if (c) {
			own->below = c->below;
			c->below = own;
		} else {
			a->top = own;
		}
		return own->bytes;
	}
	c = chunk_new(a, next);
	c->below = a->top;
	c->used = size;
	a->top = c;
	return c->bytes;
}

char *arena_text(struct arena *a, const char *bytes, size_t length)
{
	char *copy = arena_alloc(a, length + 1);
	if (length)
		memcpy(copy, bytes, length);
	return copy;
}
