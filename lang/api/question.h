/* question.h - what a line `why ..` asks: from the tree that the grammar made of it. */
#ifndef FRAY_API_QUESTION_H
#define FRAY_API_QUESTION_H

#include "lang/api/interp.h"
#include "runtime/explain/answer.h"

/* Reads a question about what happened or did not, and in what order; of a value, only whom it is about.
 * The records it is about are found here: question.record, other_record. To be freed with question_free. */
void question_read(struct fray *f, const struct node *n, struct question *out);
void question_free(struct question *q);
/* The combatant a subject names; the first of several. NONE: nobody. */
word question_who(struct fray *f, const struct node *n);

#endif
