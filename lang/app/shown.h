/* shown.h - text of a script on its way to a terminal: characters that a terminal obeys are spelt out. */
#ifndef FRAY_APP_SHOWN_H
#define FRAY_APP_SHOWN_H

#include "lang/app/host.h"

/* Adds the text; escapes, other control characters and those that turn the direction of writing are added as
 * \u001b is, which JSON reads as the same character. Ends of lines and tabs stay. */
void text_add_shown(struct text *t, const char *text, size_t length);
/* Whether there is any of them. */
bool text_is_plain(const char *text, size_t length);

#endif
