/* layout_diff.h - what laying out a script changes, as a unified diff. */
#ifndef FRAY_APP_LAYOUT_DIFF_H
#define FRAY_APP_LAYOUT_DIFF_H

#include "lang/app/host.h"

/* Appends the diff from `before` to `after`, which has the same lines in the same order, some
 * laid out anew and some empty ones fewer. Nothing when the two are the same. */
void layout_diff(struct text *out, const char *name, const char *before, size_t before_length, const char *after, size_t after_length);

#endif
