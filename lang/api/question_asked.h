/* question_asked.h - questions by other words than "why": who, whom, what, when, how often; and yes
 * or no. */
#ifndef FRAY_API_QUESTION_ASKED_H
#define FRAY_API_QUESTION_ASKED_H

#include "lang/api/question.h"

/* A question as question_text takes it, or, of a value, as the grammar does behind "why". */
struct otherly {
	enum wanted wanted;
	struct buf text;
	struct buf state;        /* "who is down": what may be a state; or empty */
	bool value;
	bool doer;               /* of what befell others: who did it */
};

/* Does a line begin with a word of such questions? */
bool question_word(const char *line);
/* False: the line does not begin with such a word. */
bool question_asked(struct fray *f, const char *line, struct otherly *out);
void otherly_free(struct otherly *a);
/* "who is down", "who is still up": those of whom the state holds are told. False: it is no state.
 */
bool who_is(struct fray *f, const char *state, bool count);
/* A question without "why", said by its verbs and names (question_reworded.c); *often: it asks why
 * so often. False: it is so already. */
bool question_reworded(struct fray *f, const char *text, struct buf *out, bool *often);
/* Answers a question without "why" as it stands. False: it is left to the grammar, as `instead` if
 * that is not empty. */
bool why_spoken_as(struct fray *f, const char *text, const struct otherly *as, struct buf *instead,
	enum fray_status *s);

#endif
