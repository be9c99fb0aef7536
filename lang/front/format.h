/* format.h - a script in its canonical layout.
 *
 * Only the layout changes: blanks, indentation, empty lines, semicolons that end nothing, and
 * marks that are read as others (a curly quote, a long minus). Lines stay lines, and comments
 * stay where they are. The result is read as the same tokens, so it is the same program; and
 * its own layout is canonical already.
 *
 *   format.c   lines, their indentation, the blanks within them
 *   align.c    columns: what stands below each other in lines that follow each other */
#ifndef FRAY_FRONT_FORMAT_H
#define FRAY_FRONT_FORMAT_H

#include "lang/front/front.h"

/* Appends the text of a file in canonical layout. `tree` is what front_parse made of it while
 * `front->starts` was set, and `starts` what it put there. What stands in a statement of the
 * top level that is damaged is kept byte for byte. */
void format_text(struct front *front, uint16_t file, const struct node *tree,
	const struct starts *starts, struct buf *out);

#endif
