/* draw.h - the first draw of a seeded roll, and only that: what seeded.c makes four of, with
 * the parts that are the same for all trials of a seed worked out before. */
#ifndef FRAY_DICE_DRAW_H
#define FRAY_DICE_DRAW_H

#include <stdint.h>

enum { DRAW_ROUNDS = 10 };
struct draw_keys { uint64_t seed, key[DRAW_ROUNDS]; };

static inline void draw_prepare(struct draw_keys *k, uint64_t seed)
{
	k->seed = seed;
	for (int i = 0; i < DRAW_ROUNDS; i++, seed += 0x9E3779B97F4A7C15ull)
		k->key[i] = seed;
}

__extension__ typedef unsigned __int128 draw_wide;

/* Philox 4x64-10 on (label, trial, occurrence, 0): its first word. */
static inline uint64_t draw_first(const struct draw_keys *k, uint64_t label, uint64_t trial, uint32_t occurrence)
{
	uint64_t a = label, b = trial, c = (uint64_t)occurrence << 32, d = 0, other = 0;
#define DRAW_ROUND(i)                                                    \
	do {                                                             \
		draw_wide x = (draw_wide)a * 0xD2E7470EE14C6C93ull;      \
		draw_wide y = (draw_wide)c * 0xCA5A826395121157ull;      \
		a = (uint64_t)(y >> 64) ^ b ^ k->key[i];                 \
		b = (uint64_t)y;                                         \
		c = (uint64_t)(x >> 64) ^ d ^ other;                     \
		d = (uint64_t)x;                                         \
		other += 0xBB67AE8584CAA73Bull;                          \
	} while (0)
	DRAW_ROUND(0);
	DRAW_ROUND(1);
	DRAW_ROUND(2);
	DRAW_ROUND(3);
	DRAW_ROUND(4);
	DRAW_ROUND(5);
	DRAW_ROUND(6);
	DRAW_ROUND(7);
	DRAW_ROUND(8);
#undef DRAW_ROUND
	return (uint64_t)((draw_wide)c * 0xCA5A826395121157ull >> 64) ^ b ^ k->key[DRAW_ROUNDS - 1];
}

/* The face, 0 .. sides - 1; -1: the draw does not settle it, and seeded.c has to roll. */
static inline int64_t draw_face(const struct draw_keys *k, uint64_t label, uint64_t trial, uint32_t occurrence, uint64_t sides)
{
	draw_wide w = (draw_wide)draw_first(k, label, trial, occurrence) * sides;
	return (uint64_t)w >= sides ? (int64_t)(w >> 64) : -1;
}

#endif
