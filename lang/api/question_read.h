/* question_read.h - reading a question as it is spoken, word by word: what the files of questions share. */
#ifndef FRAY_API_QUESTION_READ_H
#define FRAY_API_QUESTION_READ_H

#include "lang/api/question.h"

struct reading {
	struct fray *f;
	const char *at;          /* what is not read yet */
	struct question *q;
};

/* ---- words; each takes what it reads, and the blanks behind it ---- */

/* Are the first n letters the same, in any case? */
bool read_same(const char *a, const char *b, size_t n);
/* May a word end in front of this character? */
bool read_ends(char c);
/* A word, or several, in any case. */
bool read_take(struct reading *r, const char *words);
/* Words that a question begins with, lists for read_any: "was"; "did", "could"; "wasn't"; "didn't";
 * and the verbs that come to be something: "becomes", "fell". */
extern const char *const read_be_words[], *const read_be_not_words[], *const read_help_words[], *const read_not_words[],
	*const read_become_words[];
/* "nobody", "no one"; "anybody", "somebody". */
extern const char *const read_nobody_words[], *const read_anybody_words[];
/* "first", "second" .. "last" */
extern const char *const read_ordinal_words[];
/* One of a list that ends with NULL. */
bool read_any(struct reading *r, const char *const *words);
/* "the orcs", "Ann and Bob". False: nobody is named here. */
bool read_people(struct reading *r, people *out, word *side);
/* A weapon, a spell: "with long sword", "web". */
bool read_thing(struct reading *r);
/* "twice", "only once": how often, into r->q->times. */
bool read_times(struct reading *r);
/* "the third time": which of several, into r->q->nth (question_thrown.c). */
bool read_nth_time(struct reading *r);
/* "in round 2", "in segment 5". */
bool read_moment(struct reading *r);
/* How long a verb is that stands here in any tense: "attacks", "attack", "attacked"; `third`: its third person. 0: it is another word. */
size_t read_verb_length(const char *text, const char *third, bool participle);

/* ---- what else can be asked about (question_about.c) ---- */

/* "the orcs win", "is the fight over"; "party wins the initiative". */
bool read_side(struct reading *r);
/* A value of sides that dice make, and its name: "the initiative". */
bool read_side_value(struct reading *r, const char **name);
/* "did Bruna choose that" */
bool read_choice(struct reading *r);
/* "Bruna's attack roll", "was the attack roll rolled twice": a die that is no value as well. */
bool read_die(struct reading *r);
/* The event that a verb here means, into r->q->event: by its name, or an alias; as a participle
 * only. */
bool read_verb(struct reading *r, bool participle);
/* The last word of a die's name as somebody's doing: "couldn't Garr save" (question_thrown.c). */
bool read_thrown(struct reading *r);
/* A rule by its name; "does \"light blades\" not apply to Ann in round 2". */
bool read_rule(struct reading *r);

/* ---- as it was told (question_told.c) ---- */

/* Of those already read: their verb and what follows it, as something was told of them. */
bool read_as_told(struct reading *r);
/* "strikes ogre first", "strikes first at ogre in round 2": the verb and the place in the order
 * as they were told, of those and of the round that were read. */
bool read_told_order(struct reading *r, const char *verb);
/* The very words: "Halvaine's web is complete". */
bool read_word_for_word(struct reading *r);
/* In any form of a question: "was Halvaine's web complete", "didn't orc chief fall asleep"; whether it was told, or could be. */
bool read_telling(struct reading *r);

#endif
