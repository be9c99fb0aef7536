/* small.h - numbers in as few bytes as they need: groups of seven bits, the lowest first. */
#ifndef FRAY_BASE_SMALL_H
#define FRAY_BASE_SMALL_H

#include <stdint.h>

enum { SMALL_MOST = 10 }; /* bytes */

/* Writes it and returns where the next one goes. */
static inline uint8_t *small_put(uint8_t *at, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*at++ = (uint8_t)(v | 0x80);
	*at++ = (uint8_t)v;
	return at;
}

static inline uint64_t small_get(const uint8_t **at)
{
	uint64_t v = 0;
	for (int shift = 0;; shift += 7) {
		uint8_t b = *(*at)++;
		v |= (uint64_t)(b & 0x7f) << shift;
		if (b < 0x80)
			return v;
	}
}

/* Numbers of either sign near nought are short; so is INT64_MIN, which stands for none. */
static inline uint64_t small_of(int64_t v)
{
	return v == INT64_MIN ? 0 : (((uint64_t)v << 1) ^ (v < 0 ? ~(uint64_t)0 : 0)) + 1;
}

static inline int64_t small_to(uint64_t v)
{
	if (v == 0)
		return INT64_MIN;
	v--;
	return (int64_t)((v >> 1) ^ (v & 1 ? ~(uint64_t)0 : 0));
}

#endif
