/* unheard.h - what is said of a question that cannot be read. */
#ifndef FRAY_API_UNHEARD_H
#define FRAY_API_UNHEARD_H

#include "lang/api/interp.h"

/* Is a line a question about the fight in progress, and nothing else? */
bool unheard_line(struct fray *f, const char *line);
/* Tells which words were not understood, and what can be asked. */
void unheard_told(struct fray *f, const char *line);
/* Refuses a question about a moment that these rules do not count: in count 3. */
bool unheard_moment(struct fray *f, const char *line);

#endif
