/* past.h - a beat taken back: what it changed of the world, and what stood there before it.
 *
 * A world is some hundred kilobytes, what a beat changes of it some hundred words: thousands of
 * beats can be kept. */
#ifndef FRAY_API_PAST_H
#define FRAY_API_PAST_H

#include <stddef.h>

#include "runtime/code/value.h"

struct past; /* held by machines that have it in common */

/* What leads from `after` back to `before`, worlds of so many words; to be let go with past_free. */
struct past *past_of(const word *before, const word *after, uint32_t words);
/* The same, and `before` is like `after` then. */
struct past *past_onto(word *before, const word *after, uint32_t words);
struct past *past_share(struct past *p);
void past_free(struct past *p);
/* Makes a world that is as it was after the beat one as it was before it. */
void past_apply(const struct past *p, word *world);

#endif
