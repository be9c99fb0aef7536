/* bars.h - columns and bars for the terminal. */
#ifndef FRAY_API_BARS_H
#define FRAY_API_BARS_H

#include "lang/api/interp.h"

/* Columns of the terminal, at least 40. */
int bars_room(const struct fray *f);
/* Columns of a text: characters, not bytes. */
int bars_columns(const char *text);
/* Writes a text and blanks behind it; of one too long the beginning. */
void bars_pad(struct fray *f, enum fray_style style, const char *text, int width);
/* How wide bars may be with so many columns left; 0: none. */
int bars_width(int left);
/* A bar of share (0 to 1) of the width, to an eighth of a column. */
void bars_draw(struct fray *f, double share, int width);

#endif
