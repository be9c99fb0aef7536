/* verify.h - what the two halves of the verifier share.
 *
 *   verify_tables.c   the program's tables are consistent    verify.c   so is its code
 *
 * The first thing found wrong is written to `why`; nothing after it is. */
#ifndef FRAY_CODE_VERIFY_H
#define FRAY_CODE_VERIFY_H

#include "runtime/base/buf.h"
#include "runtime/code/program.h"

struct verifier {
	const struct program *p;
	struct buf *why;
	int32_t fn, at;        /* being looked at; -1 when a table is */
	int32_t *owner;        /* function of each instruction, -1 */
	bool bad;
};

void verify_wrong(struct verifier *v, const char *format, ...) FRAY_PRINTF(2, 3);
bool verify_index(struct verifier *v, const char *what, int64_t index, int64_t count);
/* As verify_index, but -1 stands for none. */
bool verify_optional(struct verifier *v, const char *what, int64_t index, int64_t count);
/* `first` to `first + count` lie within a table of `rows`. */
bool verify_range(struct verifier *v, const char *what, int64_t first, int64_t count, int64_t rows);
void verify_tables(struct verifier *v);

#endif
