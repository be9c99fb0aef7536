/* draw.h - what a lone die shows, quickly: seeded.c says what it has to be.
 *
 * Lone dice of a label take the pieces of one block in turn, so whoever rolls many keeps the block at hand, one
 * for each label and owner, with the trial and the number it was made for. What a die comes to does
 * not depend on that: a block that is not the right one is made anew. */
#ifndef FRAY_DICE_DRAW_H
#define FRAY_DICE_DRAW_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
	DRAW_PIECES = 16,        /* of 16 bits */
	DRAW_BITS = 4,           /* which of them is said by so many bits of the occurrence */
	DRAW_ROUNDS = 10,
	DRAW_WORDS = 4,
	DRAW_UNSETTLED = 1 << 16 /* sides of which no piece settles the face */
};
struct draw_block {
	uint64_t word[4];
	uint64_t trial;
	uint32_t number;         /* the occurrence without those bits */
};

__extension__ typedef unsigned __int128 draw_wide;

/* What Philox multiplies by, and what is added to its key, round by round. */
#define DRAW_TIMES_A 0xD2E7470EE14C6C93ull
#define DRAW_TIMES_C 0xCA5A826395121157ull
#define DRAW_KEY 0x9E3779B97F4A7C15ull
#define DRAW_OTHER 0xBB67AE8584CAA73Bull
/* A bit of a counter's last word: of what takes no pieces. */
#define DRAW_OWN ((uint64_t)1 << 63)

/* Philox 4x64-10 on (label, trial, number, 0). */
static inline void draw_fill(struct draw_block *block, uint64_t seed, uint64_t label, uint64_t trial, uint32_t occurrence)
{
	const uint32_t number = occurrence >> DRAW_BITS;
	uint64_t a = label, b = trial, c = (uint64_t)number << 32, d = 0, key = seed, other = 0;
	block->trial = trial;
	block->number = number;
#define DRAW_ROUND                                                       \
	do {                                                             \
		draw_wide x = (draw_wide)a * DRAW_TIMES_A;               \
		draw_wide y = (draw_wide)c * DRAW_TIMES_C;               \
		a = (uint64_t)(y >> 64) ^ b ^ key;                       \
		b = (uint64_t)y;                                         \
		c = (uint64_t)(x >> 64) ^ d ^ other;                     \
		d = (uint64_t)x;                                         \
		key += DRAW_KEY;                                         \
		other += DRAW_OTHER;                                     \
	} while (0)
	DRAW_ROUND;
	DRAW_ROUND;
	DRAW_ROUND;
	DRAW_ROUND;
	DRAW_ROUND;
	DRAW_ROUND;
	DRAW_ROUND;
	DRAW_ROUND;
	DRAW_ROUND;
	DRAW_ROUND;
#undef DRAW_ROUND
	block->word[0] = a;
	block->word[1] = b;
	block->word[2] = c;
	block->word[3] = d;
}

/* Nothing was drawn: no occurrence has such a number. */
static inline void draw_none(struct draw_block *b, uint32_t n)
{
	memset(b, 0xff, n * sizeof *b);
}

static inline bool draw_has(const struct draw_block *b, uint64_t trial, uint32_t occurrence)
{
	return b->trial == trial && b->number == occurrence >> DRAW_BITS;
}

/* From the highest bits on. */
static inline uint32_t draw_piece(const uint64_t four[4], uint32_t n)
{
	return (uint16_t)(four[n / 4 % 4] >> (48 - 16 * (n % 4)));
}

/* The face, 0 .. sides - 1; -1: the piece does not settle it, and seeded.c has to roll. */
static inline int64_t draw_cut(uint32_t piece, uint32_t sides)
{
	uint32_t w = piece * sides;
	return (uint16_t)w >= sides ? (int64_t)(w >> 16) : -1;
}

/* The same from the right block. */
static inline int64_t draw_face(const struct draw_block *b, uint32_t occurrence, uint32_t sides)
{
	return draw_cut(draw_piece(b->word, occurrence), sides);
}

#endif
