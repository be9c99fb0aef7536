/* again.h - a writer that tells rounds in which the same happens again and again in one line.
 *
 *   rounds 4 to 999: as round 3
 *
 * What is written goes on to another writer, round by round. Two rounds that are as the one before
 * are written as they are; of more the line speaks. Dice that fall outside any act do not count. */
#ifndef FRAY_EXPLAIN_AGAIN_H
#define FRAY_EXPLAIN_AGAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/buf.h"

struct again {
	void (*write)(void *context, int style, const char *text, size_t length);
	void *context;
	struct buf pieces; /* of the round being told: style, length and text of each */
	struct buf said;   /* what of it counts, and of the round before */
	struct buf before;
	struct buf held;     /* pieces of the rounds that are as the one before them */
	int64_t round;       /* the one being told; 0: none */
	int64_t like, first; /* the last round that was written, and the first that is held */
	int rounds;          /* that are held */
	bool apart;          /* what is written now does not count */
};

/* For a struct ink: `context` is a struct again. */
void again_write(void *context, int style, const char *text, size_t length);
/* A round begins, or with 0 the rounds are over. */
void again_round(struct again *a, int64_t round);
/* Writes what is held, and frees. */
void again_end(struct again *a);

#endif
