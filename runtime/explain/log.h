/* log.h - a log made ready for reading: children by parent, each record's round, and what
 * records say in the referee's words. Stories, JSON, timelines and `why` all read through it.
 *
 * A log borrows its program and trace, which must not change while it is open. */
#ifndef FRAY_EXPLAIN_LOG_H
#define FRAY_EXPLAIN_LOG_H

#include "runtime/code/show.h"
#include "runtime/trace/trace.h"

struct log {
	const struct program *p;
	const struct trace *t;
	int32_t n;          /* records */
	struct family *family; /* children, and when rounds began, as far as they were asked for */
	const word *world;  /* a block for asking which act is whose, or NULL */
	uint64_t errand;    /* what is lent while it is open lasts until it is closed, or until a shorter errand is done */
};

void log_open(struct log *l, const struct program *p, const struct trace *t);
void log_close(struct log *l);

/* The first child of a record, and the next record with the same parent; -1: none. */
int32_t log_child(const struct log *l, int32_t number);
int32_t log_sibling(const struct log *l, int32_t number);
/* When a record's round began. */
word log_start(const struct log *l, int32_t number);

const struct record *log_at(const struct log *l, int32_t number);

/* Who acts, and upon whom: the first role that is a combatant and the next that is one (a
 * set of them, a side). NONE / NULL when there is none. */
word log_actor(const struct log *l, const struct record *r);
bool log_target(const struct log *l, const struct record *r, struct vtype *type, const word **value);
/* A role's value among the record's arguments; NULL when it is not there. */
const word *log_role(const struct log *l, const struct record *r, int role);

/* "attack orc #1 with long sword": an act or event without who does it. */
void log_deed(const struct log *l, const struct record *r, struct buf *out);
/* "Bruna attacks orc #1 with long sword" */
void log_act_told(const struct log *l, const struct record *r, struct buf *out);
/* The one word for how an act ended, of a record that ends one: "done", "refused", "void", "interrupted", "replaced", "left over". */
const char *log_end(const struct log *l, int32_t number);
/* Why an act was left over. One who is asked again and declares nothing else has replaced nothing:
 * that act had no turn. */
enum left_why log_left(const struct log *l, int32_t number);
/* Did a record happen within another, however deep? */
bool log_is_below(const struct log *l, int32_t number, int32_t around);
/* Is an act of this event told when nothing comes of it? Who can no longer wait is no news, nor is what was never to be told. */
bool log_is_news(const struct log *l, const struct record *r);
/* "segment 4", or nothing: false. A round's first moment is none; a time before it is one only when acts were due then. */
bool log_moment(const struct log *l, int32_t number, struct buf *out);
/* A value of a question, told as a moment when it is the time of an act. */
void log_answer(const struct log *l, int32_t number, int question, word value, struct buf *out);
/* "Bruna's armour class", "to-hit number (Bruna, orc #1)", "Bruna is able" */
void log_question(const struct log *l, int32_t number, struct buf *out);
bool log_is_zero(struct vtype type, word value);
/* "+1", "-2 segments", "1/2" */
void log_change(const struct program *p, struct vtype type, word value, struct buf *out);

/* "party's initiative": what a die is called. */
void log_label(const struct log *l, const struct record *r, struct buf *out);
/* "17", "yes" */
void log_total(const struct log *l, const struct record *r, struct buf *out);
/* "[4d6kh3: 6, 5, 4, (1)]", "[forced]": how it fell; nothing for a plain rolled die. With
 * `faces` single dice are shown, too. */
void log_fall(const struct log *l, const struct record *r, bool faces, struct buf *out);
const char *die_source_name(int source);
const char *decided_name(int decided);

/* What a record of VOID, REFUSED, CHOICE, DECLARE, CHANGE or EDIT says, as a sentence. */
void log_sentence(const struct log *l, int32_t number, struct buf *out);
/* "Halvaine's hit points", "distance between Bruna and orc #1" */
void log_place(const struct log *l, const struct record *r, struct buf *out);
/* How the run ended, as a sentence. */
/* A number of somebody's that its event speaks of changed by what the event names: 8 damage, 8 hit points. `was`: what
 * it was before. What rules keep is nobody's news. */
bool log_told_change(const struct log *l, int32_t number, word *was);
void log_outcome(const struct log *l, const struct record *r, struct buf *out);
/* True if rules had a say in a QUESTION's answer: more than a yes, a no or nothing at all. */
bool log_weighed(const struct log *l, int32_t question);
/* " = 12 by osric: blow (5), +1 by gentle: high ground": its parts; false, and nothing is
 * added, if there is nothing to say but what is stored. */
bool log_parts(const struct log *l, int32_t question, struct buf *out);
/* The nearest record at or before `from` that says what act this is; -1. */
int32_t log_act(const struct log *l, int32_t act, int32_t from);

#endif
