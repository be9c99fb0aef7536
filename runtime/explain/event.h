/* event.h - what the files share that tell why an event came: its cause (event_cause.c), its telling (event_said.c), and what is
 * said of one that never happened (event_premise.c). answer_event.c finds the record. */
#ifndef FRAY_EXPLAIN_EVENT_H
#define FRAY_EXPLAIN_EVENT_H

#include "runtime/explain/answer.h"

/* ---- what led to a record: record numbers and clauses; -1: none ---- */

/* How many combatants, or sets of them, an event is about. */
int event_people(const struct event_info *e);
bool event_is_told(const struct log *l, int32_t number);
/* Was anything told of what came in an act? */
bool event_told_within(const struct log *l, int32_t act);
/* An act: an event that begins one, and that somebody does. */
bool event_is_act(const struct log *l, int32_t number);
/* The event that an act begins with. */
bool event_is_root(const struct log *l, int32_t number);
/* The clause in whose body something was brought about; of an act none: only its turn brings it about. */
int32_t event_clause(const struct log *l, int32_t number);
/* The whenever clause that an event, or an event around it in the same act, comes from; *from: that event. */
int32_t event_whenever(const struct log *l, int32_t number, int32_t *from);
/* The change before an event that its condition reads. */
int32_t event_change(const struct log *l, int32_t event, int32_t clause);
/* What was gathered in another field of the owner's before it came to a CHANGE's at once, as losses
 * of a segment are: the changes of that, the last first (carried.c). 0: nothing of that sort. */
int event_carried(const struct log *l, int32_t change, int32_t *out, int most);
/* The told event around a change that is about its owner alone: "Dreg bled". */
int32_t event_suffered(const struct log *l, int32_t number);
/* What its actor was about when it came, in an act of another's: "Grak seizes on the opening Zel
 * gives". */
int32_t event_occasion(const struct log *l, int32_t number);
/* The event around a record that is somebody's doing, to somebody else than `but`. */
int32_t event_doing(const struct log *l, int32_t number, word but);
/* The same of an event that befell somebody: the blow, where somebody saves against what it brings. */
int32_t event_befell(const struct log *l, int32_t number);
/* The comparison with a die that let an event come. */
int32_t event_decided(const struct log *l, int32_t number);
/* The told event that left an act pending: "Halvaine began casting web". */
int32_t event_begun(const struct log *l, int32_t number);
/* The CHANGE of the value of its actor's that the rule behind a record asked for: what was made of
 * their morale. */
int32_t event_prompted(const struct log *l, int32_t number);
/* The event in which dice were rolled for what a record brought about, or for what was left pending
 * then: a check of morale, of who flees; *roll: the last of them. */
int32_t event_rolled(const struct log *l, int32_t number, int32_t *roll);
/* The DECLARE record of an act. */
int32_t event_declared(const struct log *l, int32_t number);

/* ---- told ---- */

/* Why a record came, without a full stop; figures and rules into `out`, which may be NULL. */
/* The same of a note that a rule makes in place of something done to somebody who is out of the
 * fight, with what befell them; false: it is nothing of that sort, and nothing is said. */
bool event_say_instead(
	const struct inquiry *s, int32_t number, struct buf *about, struct answer *out);
void event_say(const struct inquiry *s, int32_t number, struct buf *about, struct answer *out);
/* The sum of the amount that an event was told of becomes figures. False: nothing is known of it. */
bool event_amount(const struct log *l, int32_t number, struct answer *out);
/* A capital in front, a full stop behind. */
void event_stop(const struct program *p, struct buf *sentence);

/* ---- which ---- */

/* Is a record at the moment that the question names, or before or after it, as is asked? */
bool event_at_moment(const struct log *l, const struct question *q, int32_t number);
/* "in", "before", "after": how the moment is meant. */
const char *event_bound(const struct question *q);
/* " in segment 4 of round 1", " before segment 6": as the question says it. */
void event_asked_time(const struct program *p, const struct question *q, struct buf *out);
/* Is a record of the round and the moment that the question names? */
bool event_in_time(const struct log *l, const struct question *q, int32_t number);
/* Is an act, or the record of its end, about all the things that the question names: "casts web"?
 */
bool event_about_things(const struct log *l, const struct question *q, int32_t number);
/* Is an act one whose target was left open, in whose place the same upon somebody came, or nothing?
 */
bool event_left_open(const struct log *l, int32_t number);
/* The same where nobody was found for it. */
bool event_found_nobody(const struct log *l, int32_t number);
/* Does a record answer the question for somebody? */
bool event_answers(const struct inquiry *s, const struct question *q, int32_t number, word who);
/* The last record that answers the question for one of those asked about; `n` grows by how many do. */
int32_t event_last(const struct inquiry *s, const struct question *q, word who, int *n);
/* "orc #1 did not hit Bruna in round 2": what was asked about, denied. */
void event_did_not(const struct inquiry *s, const struct question *q, struct buf *out);
/* Behind it, of what a thing's own clause would have told: ": Halvaine was to complete sleep, but
 * ..". False: nothing was added. */
bool event_source_said(const struct inquiry *s, const struct question *q, struct answer *out);
/* It never happened: that is said, and what did. */
bool event_not_so(const struct inquiry *s, const struct question *q, struct answer *out);

#endif
