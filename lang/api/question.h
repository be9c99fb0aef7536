/* question.h - what a line `why ..` asks: from the tree that the grammar made of it (question.c), or as it is spoken
 * (question_text.c). */
#ifndef FRAY_API_QUESTION_H
#define FRAY_API_QUESTION_H

#include "lang/api/interp.h"
#include "runtime/explain/answer.h"

/* Reads a question about what happened or did not, and in what order; of a value, only whom it is about.
 * The records it is about are found here: question.record, other_record. To be freed with question_free. */
void question_read(struct fray *f, const struct node *n, struct question *out);
void question_free(struct question *q);
/* Is every word of such a question understood? If not, that is reported: an answer to half a question would be one to another. */
bool question_sound(struct fray *f, struct node *n);
/* The same of a question as it is spoken, without "why" and "in full": "did the orcs miss", "orc chief falls asleep". False: it is
 * left to the grammar. */
bool question_text(struct fray *f, const char *text, struct question *out);
/* "is orc #1 down" as the grammar has it: "orc #1 is down". False: it is no such question. */
bool question_turned(struct fray *f, const char *text, struct buf *out);

/* Names that are said in short are put as they are written: "the giant", "no gnoll". */
void question_names(struct fray *f, struct buf *text);
/* "us", "our side": the first of two sides. */
void question_ours(struct fray *f, struct buf *text);
/* "cultists": the side called cult. */
void question_members(struct fray *f, struct buf *text);
/* The k-th attempt to say a question, without "why", in plainer words; `dropped`: it asks less than was asked. False: there are no more. */
bool question_plain(struct fray *f, const char *text, int k, struct buf *out, bool *dropped);

/* ---- for question_text.c ---- */
void question_clear(struct question *q);
void question_records(struct fray *f, struct question *q);
/* Those a name means: one, all of a sort, a side. */
void question_named(struct fray *f, sym name, people *out, word *side);
/* The side of a combatant. */
word question_side(const struct fray *f, int combatant);
/* The state that a word means; *opposite: that it is not so. The word itself when none is known. */
const char *question_state(struct fray *f, const char *said, bool *opposite);
/* What a word means otherwise (stdlib/states.def); NULL: nothing. */
const char *question_state_other(const char *said, bool *opposite);
/* Whether a field or a question is called so. */
bool question_is_value(struct fray *f, const char *name);
/* The combatant a subject names; the first of several. NONE: nobody. */
word question_who(struct fray *f, const struct node *n);

#endif
