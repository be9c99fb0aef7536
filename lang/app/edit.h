/* edit.h - a text given to the editor of the user's choice, and taken back. */
#ifndef FRAY_APP_EDIT_H
#define FRAY_APP_EDIT_H

#include "lang/app/app.h"

/* Opens $VISUAL, $EDITOR or vi with `text` in a file that ends in .fray, and waits for it. The text
 * as it was left, malloc'ed; NULL after saying why there is none. */
char *edit_text(const char *text, size_t length);

#endif
