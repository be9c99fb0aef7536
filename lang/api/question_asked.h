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
	people of;               /* "how many orcs are down": of whom; empty: of all */
	bool value;
	bool past;               /* of a state: "was" */
	const char *won;         /* "who won the initiative": the die of sides that is meant; NULL */
	int figure;              /* "did 8 damage": a number to find it by; 0: none */
	bool doer;               /* of what befell others: who did it */
	enum asked_polar polar;  /* yes or no: "did Bob hit Ann" */
	int is_so;               /* as of struct question */
	int32_t round;           /* "in round 2", at its end; 0: not said */
};

/* Does a line begin with a word of such questions? */
bool question_word(const char *line);
/* False: the line does not begin with such a word. */
bool question_asked(struct fray *f, const char *line, struct otherly *out);
void otherly_free(struct otherly *a);
/* "who is down", "who is still up": those of whom the state holds are told. False: it is no state.
 */
bool who_is(struct fray *f, struct otherly *as);
/* "X is down", as the rules have it now. False: nothing can be said of that. */
bool state_is(struct fray *f, const char *who, const char *state, bool *holds);
/* A state of somebody's by its word: 1: they are so now; 0: they are not; -1: it is no state. */
int state_holds(struct fray *f, word who, const char *state);
/* "is Ann asleep", "were the orcs surprised": 1: they are, or were; 0: they are not; -1: it is not
 * so easily said. */
int state_polar(struct fray *f, const char *text);
/* "is nobody asleep", "are Ruk and Marn not able": told, each with its reason (question_state.c).
 * False: it is no such question. */
bool state_asked(struct fray *f, const char *text, bool polar, enum fray_status *s);
/* A question without "why", said by its verbs and names (question_reworded.c); *often: it asks why
 * so often. False: it is so already. */
bool question_reworded(struct fray *f, const char *text, struct buf *out, bool *often);
/* A line in other words, by the next pattern of stdlib/heard.def from *from on; *loose: it asks
 * less
 * (question_heard.c). first: of those that are tried before any other reader. Two questions are
 * joined by "; ". False: there are no more. */
bool question_heard(
	struct fray *f, const char *line, bool first, int *from, struct buf *out, bool *loose);
/* How much of a text is the longest name of a field or question that it begins with; 0: none.
 * *name, where it is not NULL: that name. */
size_t value_named(struct fray *f, const char *text, const char **name);
/* How much was taken or given back, by whom, from whom, with what (question_ledger.c). False: the
 * line is no such question. */
bool ledger_asked(struct fray *f, const char *line, struct answer *out);
/* Whether armour or a shield helped whoever wore it (question_worn.c). False: it is no such
 * question. */
bool worn_asked(struct fray *f, const char *line, struct answer *out);
/* What somebody lost of a number of theirs, and why (question_loss.c). False: the line is no such
 * question, or nothing was lost of it. */
bool loss_asked(struct fray *f, const char *line, struct answer *out);
/* For how long somebody was so, and until when (question_span.c). False: it is no such question. */
bool span_asked(struct fray *f, const char *line, struct answer *out);
/* Who was surprised, why, for how long (question_settled.c). False: it is no such question. */
bool settled_asked(struct fray *f, const char *line, struct answer *out);
/* why_node, of a question that was asked in other words; NULL: as it stands (why.c). */
enum fray_status why_asked_as(struct fray *f, struct node *n, const struct otherly *as);
/* Writes an answer that was made elsewhere, as it is wanted: read aloud, or as JSON (why.c). */
void why_told(struct fray *f, const char *text, struct answer *answer);
/* Puts yes or no in front of an answer (polar.c). */
void polar_said(const struct inquiry *s, const struct question *q, struct answer *answer);
/* Says first that the fight did not have the round that a question names (polar.c). */
void round_missing(const struct fray *f, const struct question *q, struct answer *answer);
/* Two questions joined by "and", each asked by `ask`; told when both are answered
 * (question_both.c). False: they are not two. */
bool halves_asked(struct fray *f, struct otherly *as,
	bool (*ask)(struct fray *f, struct otherly *as, enum fray_status *s), enum fray_status *s);
/* Asks each of several questions joined by "; "; told when all are answered (question_both.c). */
bool parts_asked(
	struct fray *f, const char *text, bool (*ask)(struct fray *f, const char *part));
/* Answers a question without "why" as it stands. False: it is left to the grammar, as `instead` if
 * that is not empty. */
bool why_spoken_as(struct fray *f, const char *text, const struct otherly *as, struct buf *instead,
	enum fray_status *s);

#endif
