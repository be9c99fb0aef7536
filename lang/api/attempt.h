/* attempt.h - what a line, or a script that is loaded, does is kept as a whole or undone as a whole.
 *
 * An attempt begins before a text is looked at: it notes what the interpreter holds then. When the
 * text is refused, attempt_undo puts all of it back: names, modules, declarations, model, fight and
 * session are what they were. A build with assertions compares a fingerprint of them. */
#ifndef FRAY_API_ATTEMPT_H
#define FRAY_API_ATTEMPT_H

#include "lang/api/interp.h"

struct attempt;

/* Does nothing while one is open. */
void attempt_begin(struct fray *f);
bool attempt_is_open(const struct fray *f);
/* The end of an attempt: what was done stays. */
void attempt_keep(struct fray *f);
/* Or: it never was. */
void attempt_undo(struct fray *f);

/* The fight in progress is about to be closed, or only its machine replaced: an open attempt takes it over,
 * to give it back. False: there is no attempt, or it has taken over an earlier one. */
bool attempt_take_run(struct fray *f);
bool attempt_take_machine(struct fray *f);

#endif
