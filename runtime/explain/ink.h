/* ink.h - lines with styles, wrapped to a width, handed to a writer piece by piece.
 *
 * A line is built with ink_add and friends and sent by ink_line. Styles have the numbers of
 * enum fray_style, so an interpreter can pass its own `write` on. */
#ifndef FRAY_EXPLAIN_INK_H
#define FRAY_EXPLAIN_INK_H

#include "runtime/base/buf.h"

enum ink_style { INK_PLAIN, INK_HEADING, INK_TIME, INK_NAME, INK_DIE, INK_GOOD, INK_BAD, INK_CITE, INK_DIM };

struct ink {
	void (*write)(void *context, int style, const char *text, size_t length);
	void *context;
	int width;         /* columns a line may have; 0: 80 */
	struct buf text;   /* the line being built */
	struct buf styles; /* a style for each of its bytes */
	int lines;         /* sent so far */
};

void ink_free(struct ink *k); /* what it holds, not itself */
void ink_add(struct ink *k, enum ink_style style, const char *text);
void ink_printf(struct ink *k, enum ink_style style, const char *format, ...) FRAY_PRINTF(3, 4);
/* Blanks up to a column; one at least when the text is already past it and not empty. */
void ink_pad(struct ink *k, int column);
/* Columns the line takes so far. */
int ink_column(const struct ink *k);
/* Sends the line; what does not fit goes on in further lines that begin at column `hang`. */
void ink_line(struct ink *k, int hang);
/* Columns a text takes: bytes that begin a character. */
int text_columns(const char *text, size_t length);

#endif
