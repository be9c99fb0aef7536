/* contrast.h - questions that set one against another: "did Ann attack orc #1 and not orc #2". */
#ifndef FRAY_API_CONTRAST_H
#define FRAY_API_CONTRAST_H

#include "lang/api/question.h"

/* The other: those, or a thing; neither: there is none. */
struct contrast { people who; word side; int thing; /* -1 */ };

/* Parts a question: what is asked of the one goes to `asked`. False: nothing is set against it. */
bool contrast_split(struct fray *f, const char *text, struct contrast *c, struct buf *asked);
bool contrast_is(const struct contrast *c);
void contrast_free(struct contrast *c);
/* Adds to the answer about the one what parts the other from it. */
void contrast_told(const struct inquiry *s, const struct question *q, const struct contrast *c,
	struct answer *out);

#endif
