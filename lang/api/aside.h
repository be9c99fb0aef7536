/* aside.h - programs and machines of a session that stand aside.
 *
 * A line typed in mid-fight makes another program, on which the fight is played again. The
 * machine it was on is set aside, as it stands, and taken up when the line is taken back; so is
 * that of a fork that is left. Only so many are kept: where there is none, the fight is played. */
#ifndef FRAY_API_ASIDE_H
#define FRAY_API_ASIDE_H

#include "lang/api/interp.h"

struct aside;

/* Takes the interpreter's program and machine from it and puts them into *place, empty till then. */
void aside_put(struct fray *f, struct aside **place);
/* Gives them back; *place is empty then. What the interpreter had is freed. */
void aside_take(struct fray *f, struct aside **place);
/* Puts the interpreter's into *place and takes what was there. */
void aside_exchange(struct fray *f, struct aside **place);
/* The interpreter's machine, which is new, takes over where that one stands; it keeps its own.
 * False: it cannot be known that this comes to the same as playing. */
bool aside_extend(struct fray *f, struct aside *from);
/* After that, when what was typed is done: the last beat has changed that as well. */
void aside_moment(struct fray *f, struct aside *from);
void aside_free(struct aside **place);
/* Frees the oldest of a session until no more are left than may be. */
void aside_limit(struct fray *f);

/* What the beats of a machine changed. */
void pasts_clear(struct pasts *p);

#endif
