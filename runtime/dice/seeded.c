/* seeded.c - dice from a counter-based generator: Philox 4x64 with ten rounds, of Random123.
 *
 *   key      seed | 0
 *   counter  label | trial | occurrence / 16, 0 | 0             -> sixteen pieces, one an occurrence
 *            label | trial | occurrence, die / 4 | OWN, again   -> four draws, one a die
 *
 * A die rolled by itself, as most are, takes a piece of 16 bits, so that sixteen rolls of a label come from one
 * block (draw.h). A roll of several dice has blocks of its own, and so has a chance, and what a piece does not settle. No two
 * dice share bits of a draw, whatever the label hashes to. `again` counts the draws
 * spent on one die: from 0 for its face, from REROLL for the face rolled instead.
 *
 * A draw becomes a face by multiply and shift. 2^64, or 2^16, is no multiple of most numbers of
 * sides, so some faces would own one draw more than others: those few are drawn again, and
 * every face is exactly as likely. */
#include <Random123/philox.h>

#include "runtime/dice/dice.h"
#include "runtime/dice/draw.h"

__extension__ typedef unsigned __int128 wide;

static const uint64_t REROLL = (uint64_t)1 << 32;
_Static_assert(DICE_SIDES_MAX < 1 << 16, "a piece holds a face");

struct address { uint64_t seed, trial, label; uint32_t occurrence; };

static inline __attribute__((always_inline)) philox4x64_ctr_t block(const struct address *a, uint32_t die, uint64_t again)
{
	philox4x64_ctr_t c = {{a->label, a->trial, (uint64_t)a->occurrence << 32 | die / 4, DRAW_OWN | again}};
	philox4x64_key_t k = {{a->seed, 0}};
	return philox4x64(c, k);
}

/* Cuts a draw to 0..n-1; false if it must be drawn again. */
static inline bool cut(uint64_t draw, uint64_t n, uint64_t *out)
{
	wide w = (wide)draw * n;
	*out = (uint64_t)(w >> 64);
	/* 2^64 mod n of the draws are one too many; it is less than n, so mostly nothing is divided */
	return (uint64_t)w >= n || (uint64_t)w >= (0 - n) % n;
}

static uint64_t draw_again(const struct address *a, uint32_t die, uint64_t again, uint64_t n)
{
	uint64_t out;
	while (!cut(block(a, die, again).v[die % 4], n, &out))
		again++;
	return out;
}

/* A lone die's face, 0 .. n - 1. */
static uint64_t draw_lone(const struct address *a, uint32_t n)
{
	philox4x64_ctr_t c = {{a->label, a->trial, (uint64_t)(a->occurrence >> DRAW_BITS) << 32, 0}};
	philox4x64_key_t k = {{a->seed, 0}};
	philox4x64_ctr_t four = philox4x64(c, k);
	uint32_t w = draw_piece(four.v, a->occurrence) * n;
	/* as in cut */
	return (w & 0xffff) >= n || (w & 0xffff) >= 0x10000 % n ? w >> 16 : draw_again(a, 0, 0, n);
}

int seeded_face(uint64_t seed, uint64_t trial, uint64_t label, uint32_t occurrence, uint32_t die, int sides)
{
	struct address a = {seed, trial, label, occurrence};
	return 1 + (int)draw_again(&a, die, 0, (uint64_t)sides);
}

int seeded_lone(uint64_t seed, uint64_t trial, uint64_t label, uint32_t occurrence, int sides)
{
	struct address a = {seed, trial, label, occurrence};
	return 1 + (int)draw_lone(&a, (uint32_t)sides);
}

enum dice_answer seeded_roll(const struct dice_ask *ask, struct dice_result *out)
{
	struct address a = {ask->seed, ask->trial, ask->label, ask->occurrence};
	const struct dice *d = ask->dice;
	out->kind = DICE_ROLLED;
	out->faces = 0;
	if (!d) {
		must(ask->den > 0);
		/* a certain or hopeless chance takes its draw too: odds may change between runs */
		out->total = (int64_t)draw_again(&a, 0, 0, (uint64_t)ask->den) < ask->num;
		return DICE_ANSWERED;
	}
	uint64_t n = (uint64_t)d->sides;
	if (d->count == 1 && dice_plain(d)) {
		out->face[out->faces++] = (int16_t)(1 + draw_lone(&a, (uint32_t)n));
		dice_total(d, out);
		return DICE_ANSWERED;
	}
	philox4x64_ctr_t four = {{0}};
	int due = d->count, extra = 0;
	for (int die = 0; die < due; die++) {
		uint64_t face;
		if (die % 4 == 0)
			four = block(&a, (uint32_t)die, 0);
		if (!cut(four.v[die % 4], n, &face))
			face = draw_again(&a, (uint32_t)die, 1, n);
		if ((int)face < d->reroll)
			face = draw_again(&a, (uint32_t)die, REROLL, n);
		out->face[out->faces++] = (int16_t)(face + 1);
		if (d->explode && face + 1 == n && extra < DICE_EXTRA) {
			extra++;
			due++;
		}
	}
	dice_total(d, out);
	return DICE_ANSWERED;
}

static inline int64_t sum(const uint64_t *draw, size_t apart, const struct address *a, int count, int sides, int add)
{
	int64_t total = add + count;
	for (int die = 0; die < count; die++, draw += apart) {
		uint64_t face;
		if (!cut(*draw, (uint64_t)sides, &face))
			face = draw_again(a, (uint32_t)die, 1, (uint64_t)sides);
		total += (int64_t)face;
	}
	return total;
}

int64_t seeded_sum(uint64_t seed, uint64_t trial, uint64_t label, uint32_t occurrence, int count, int sides, int add)
{
	const struct address a = {seed, trial, label, occurrence};
	if (count == 1)
		return add + 1 + (int64_t)draw_lone(&a, (uint32_t)sides);
	return sum(block(&a, 0, 0).v, 1, &a, count, sides, add);
}

int64_t seeded_sum_of(const uint64_t *draw, size_t apart, uint64_t seed, uint64_t trial, uint64_t label, int count, int sides, int add)
{
	const struct address a = {seed, trial, label, 0};
	return sum(draw, apart, &a, count, sides, add);
}

int64_t seeded_total(const struct dice_ask *ask)
{
	const struct dice *d = ask->dice;
	struct dice_result all;
	if (d && dice_plain(d) && d->count <= SUM_MOST)
		return seeded_sum(ask->seed, ask->trial, ask->label, ask->occurrence, d->count, d->sides, d->add);
	seeded_roll(ask, &all);
	return all.total;
}
