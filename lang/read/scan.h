/* scan.h - raw tokens: what flex cuts a text into, before names are put together. */
#ifndef FRAY_FRONT_SCAN_H
#define FRAY_FRONT_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/buf.h"

enum raw_kind {
	RAW_END, RAW_WORD, RAW_ORDINAL /* #2 */, RAW_NUMBER, RAW_DICE, RAW_PERCENT, RAW_SCALE /* 12" */,
	RAW_CHANCE /* 2 in 6 */, RAW_STRING, RAW_POSSESSIVE, RAW_NEWLINE, RAW_LE, RAW_GE, RAW_NE, RAW_DOTS,
	RAW_BAD_NUMBER /* 3x */, RAW_OPEN_STRING, RAW_BAD, RAW_PUNCTUATION /* itself, in `mark` */
};

struct raw {
	uint8_t kind;
	char mark;
	uint32_t start, end;
};

struct raws { VEC(struct raw) token; };

/* Cuts `length` bytes; a final RAW_NEWLINE and RAW_END are added. */
bool scan_text(const char *text, uint32_t length, struct raws *out);

#endif
