/* gnu.h - one line at a time from GNU readline. Nothing is here when built with READLINE=0. */
#ifndef FRAY_APP_GNU_H
#define FRAY_APP_GNU_H

#include "lang/app/lineedit.h"

/* From now on words are completed for `f`, which may be NULL. */
void gnu_begin(struct fray *f);
void gnu_end(void);
/* LINE_READ: *line is malloc'ed, and several lines when several were pasted. */
enum line_kind gnu_read(const char *prompt, char **line);

#endif
