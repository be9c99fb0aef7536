/* hash.c - the one place that knows xxHash. Inlined, so nothing needs linking and the
 * answer depends only on the header's XXH3, which is frozen. */
#include "runtime/base/hash.h"

#define XXH_INLINE_ALL
#define XXH_NO_STREAM
#include <xxhash.h>

uint64_t hash_bytes(const void *bytes, size_t length, uint64_t seed)
{
	return XXH3_64bits_withSeed(bytes, length, seed);
}
