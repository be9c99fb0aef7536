/* expect.h - what the files about expectations share: looking for a sentence in the log. */
#ifndef FRAY_API_EXPECT_H
#define FRAY_API_EXPECT_H

#include "lang/api/interp.h"
#include "runtime/explain/log.h"

struct seek {
	struct fray *f;
	const struct program *p;
	const struct trace *t;
	struct log log;
};

/* What fits a sentence: how many records, the first and the last of them. */
struct found { int32_t n, first, last, round_first, round_last; word time_first, time_last; };

void seek_open(struct seek *k, struct fray *f);
void seek_close(struct seek *k);
/* Whether a record lies in the block: between the moments when its field had its ordinal. */
bool seek_in_block(const struct fray *f, const struct record *r, int32_t block, int32_t number);
/* Whether a record is what the sentence says of those subjects; NULL: of anybody. */
bool seek_fits(struct seek *k, int32_t number, const struct expect_info *e, const word *subjects);
/* All of them; at that time alone, or in the sentence's round, unless `time` is NULL. */
void seek_all(struct seek *k, const struct expect_info *e, const word *subjects, const word *time,
	struct found *out);

/* Whether a line of the story, from the block on, holds the words that are to be told. */
bool expect_told(struct fray *f, const struct expect_info *e);
/* " Bruna's hit points: 31", or nothing: what a condition compared. */
void expect_value(struct fray *f, const struct expect_info *e, struct buf *out);

#endif
