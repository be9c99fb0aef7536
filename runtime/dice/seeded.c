/* seeded.c - dice from a counter-based generator: Philox 4x64 with ten rounds, of Random123.
 *
 *   key      seed | 0
 *   counter  label | trial | occurrence, die / 4 | again      -> four draws, one a die
 *
 * No two draws share a counter, whatever the label hashes to. `again` counts the draws
 * spent on one die: from 0 for its face, from REROLL for the face rolled instead.
 *
 * A 64-bit draw becomes a face by multiply and shift. 2^64 is no multiple of most numbers of
 * sides, so some faces would own one draw more than others: those few are drawn again, and
 * every face is exactly as likely. */
#include <Random123/philox.h>

#include "runtime/dice/dice.h"

__extension__ typedef unsigned __int128 wide;

static const uint64_t REROLL = (uint64_t)1 << 32;

struct address { uint64_t seed, trial, label; uint32_t occurrence; };

static inline __attribute__((always_inline)) philox4x64_ctr_t block(const struct address *a, uint32_t die, uint64_t again)
{
	philox4x64_ctr_t c = {{a->label, a->trial, (uint64_t)a->occurrence << 32 | die / 4, again}};
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

int seeded_face(uint64_t seed, uint64_t trial, uint64_t label, uint32_t occurrence, uint32_t die, int sides)
{
	struct address a = {seed, trial, label, occurrence};
	return 1 + (int)draw_again(&a, die, 0, (uint64_t)sides);
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
	philox4x64_ctr_t four = {{0}};
	uint64_t n = (uint64_t)d->sides;
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

/* Four dice at most: one block of draws. */
int64_t seeded_sum(uint64_t seed, uint64_t trial, uint64_t label, uint32_t occurrence, int count, int sides, int add)
{
	struct address a = {seed, trial, label, occurrence};
	philox4x64_ctr_t four = block(&a, 0, 0);
	int64_t total = add + count;
	uint64_t one;
	if (count == 1 && cut(four.v[0], (uint64_t)sides, &one))
		return total + (int64_t)one;
	for (int die = 0; die < count; die++) {
		uint64_t face;
		if (!cut(four.v[die], (uint64_t)sides, &face))
			face = draw_again(&a, (uint32_t)die, 1, (uint64_t)sides);
		total += (int64_t)face;
	}
	return total;
}

int64_t seeded_total(const struct dice_ask *ask)
{
	const struct dice *d = ask->dice;
	struct dice_result all;
	if (d && d->how == KEEP_ALL && !d->explode && d->reroll <= 0 && d->count <= 4)
		return seeded_sum(ask->seed, ask->trial, ask->label, ask->occurrence, d->count, d->sides, d->add);
	seeded_roll(ask, &all);
	return all.total;
}
