/* pair.h - inputs of two texts: a script, and below a line "%%" what is done with it. */
#ifndef FRAY_TESTS_FUZZ_PAIR_H
#define FRAY_TESTS_FUZZ_PAIR_H

#include "tests/fuzz/host.h"

/* Length of the script; *rest begins the other text, *left is its length. */
static inline size_t fuzz_pair(const uint8_t *data, size_t size, const char **rest, size_t *left)
{
	for (size_t at = 0; at + 4 <= size; at++)
		if (!memcmp(data + at, "\n%%\n", 4)) {
			*rest = (const char *)data + at + 4;
			*left = size - at - 4;
			return at + 1;
		}
	*rest = (const char *)data;
	*left = size;
	return 0;
}

#endif
