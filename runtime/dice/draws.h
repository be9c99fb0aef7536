/* draws.h - the lone dice of a whole fight at hand: draw.h has one block of them, this one for each label and owner.
 *
 * Everybody rolls the same few labels in each round, so the n-th pieces of all owners lie side by side: a round looks at a few
 * lines of the cache then, where blocks of their own would be one line each. And who stands beside an owner rolls what he does,
 * so where the processor can, the first blocks of four owners are made at once. */
#ifndef FRAY_DICE_DRAWS_H
#define FRAY_DICE_DRAWS_H

#include "runtime/dice/draw.h"

/* No draws.turn: nothing is at hand for it. */
#define DRAWS_NEVER ((uint64_t)1 << 63)

enum { DRAWS_MOST = 8 };
struct draws {
	uint64_t seed, trial;    /* whose dice these are .. */
	uint64_t turn;           /* .. and their number, in the upper half: another for another seed or trial */
	uint64_t *sum, *has_sum; /* of first rolls of several dice the words: by label, word and owner; by label and owner: of which turn */
	uint64_t *has;           /* by label and owner: of which turn, and from which occurrence on; one is `width` behind the label before */
	uint16_t *piece;         /* by label, occurrence and owner */
	uint64_t *label, *owner; /* what a label's dice have their address from, and an owner's: each of one with each of the other, mixed by xor */
	uint32_t labels, owners; /* the last of whom stands for nobody */
	uint32_t width;          /* owners, up to a multiple of DRAWS_MOST */
	uint32_t at_once;        /* so many blocks: 1, 4 or 8 (and twice as many, if there are), as draws_open finds it */
	uint64_t key[DRAW_ROUNDS][2][DRAWS_MOST]; /* what is mixed in, round by round, for each of them */
};

void draws_open(struct draws *d, uint32_t labels, uint32_t owners);
void draws_close(struct draws *d);
void draws_turn(struct draws *d, uint64_t seed, uint64_t trial);

static inline void draws_of(struct draws *d, uint64_t seed, uint64_t trial)
{
	if (d->seed != seed || d->trial != trial)
		draws_turn(d, seed, trial);
}

/* Makes the block in which an owner's occurrence is. */
void draws_fill(struct draws *d, uint32_t label, uint32_t owner, uint32_t occurrence);

/* seeded_sum of several dice that an owner rolls. */
int64_t draws_sum(struct draws *d, uint32_t label, uint32_t owner, uint32_t occurrence, int count, int sides, int add);

static inline bool draws_has(const struct draws *d, uint32_t label, uint32_t owner, uint32_t occurrence)
{
	return d->turn + occurrence - d->has[label * d->width + owner] < DRAW_PIECES;
}

/* draw_face, of the right block. */
static inline int64_t draws_face(const struct draws *d, uint32_t label, uint32_t owner, uint32_t occurrence, uint32_t sides)
{
	return draw_cut(d->piece[(label * DRAW_PIECES + occurrence % DRAW_PIECES) * d->width + owner], sides);
}

#endif
