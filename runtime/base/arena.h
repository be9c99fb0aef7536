/* arena.h - bump memory, freed all at once.
 *
 * An arena owns everything allocated from it; pointers stay valid until arena_free.
 * Memory is zeroed. Running out of memory calls the arena's `out` handler if set and
 * aborts otherwise (the host may longjmp from `out`). */
#ifndef FRAY_BASE_ARENA_H
#define FRAY_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *top;
	size_t used;  /* bytes handed out, for limits */
	size_t limit; /* 0: none; past it `out` is called */
	void (*out)(void *context);
	void *out_context;
};

void arena_init(struct arena *a);
void arena_free(struct arena *a);

/* `size` zeroed bytes aligned for any object. Never returns NULL. */
void *arena_alloc(struct arena *a, size_t size);

/* A NUL-terminated copy of `length` bytes. */
char *arena_text(struct arena *a, const char *bytes, size_t length);

#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define arena_array(arena, type, n) ((type *)arena_alloc((arena), sizeof(type) * (size_t)(n)))

#endif
