/* shown.h - text of a script on its way to a terminal: characters that a terminal obeys are spelt out. */
#ifndef FRAY_APP_SHOWN_H
#define FRAY_APP_SHOWN_H

#include "lang/app/host.h"

/* Adds the text; escapes, other control characters and those that turn the direction of writing are added as
 * \u001b is, which JSON reads as the same character. Ends of lines and tabs stay. */
void text_add_shown(struct text *t, const char *text, size_t length);
/* Whether there is none of them. */
bool text_is_plain(const char *text, size_t length);
/* How long the character is that begins here, if it is one of them; 0. */
size_t text_obeyed(const char *text, size_t left, unsigned *character);
/* Writes the text that way. */
void text_print_shown(FILE *out, const char *text, size_t length);
/* Writes a text that a program may want as it is: that way at a terminal alone. False when it could
 * not be written. */
bool text_print_kept(const char *text, size_t length);

#endif
