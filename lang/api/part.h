/* part.h - odds worked out on several machines: what one of them found, kept as a text that
 * says what was asked and carries the scripts, and the parts put together again. */
#ifndef FRAY_API_PART_H
#define FRAY_API_PART_H

#include "lang/api/odds.h"

enum { PART_FORMAT = 2 }; /* another one, too, when a seed comes to other fights */

/* What a question is, as a number: the programs of its branches, where they begin, how far they
 * are played and by which dice. */
uint64_t part_question_id(const struct answer *a, const struct trials_plan *plan);

/* ---- being written: f->part ---- */

/* Which trials are this machine's. */
void part_share(const struct part *p, struct trials_plan *plan);
/* Keeps what they came to. */
void part_keep(struct part *p, const struct answer *a, const struct trials_plan *plan);
/* The command's own question: what the encounter was called, and whether options are turned. */
void part_asked(struct fray *f, const char *encounter, bool sensitivity);
/* A module that was found beside the script, for machines that do not have it. */
void part_module(struct part *p, const char *name, const char *text, size_t length);

/* ---- being put together: f->parts ---- */

/* The sample of the next question out of all parts; false after reporting that they do not
 * answer this one. */
bool parts_take(struct fray *f, struct answer *a, const struct trials_plan *plan);
/* A module's text, malloc'ed; NULL when no part has it. */
char *parts_module(const struct parts *p, const char *name, size_t *length);

#endif
