/* absence.h - what answers to `why not` share (answer_not.c, answer_short.c). */
#ifndef FRAY_EXPLAIN_ABSENCE_H
#define FRAY_EXPLAIN_ABSENCE_H

#include "runtime/explain/answer.h"

void absence_name(const struct inquiry *s, word who, struct buf *out);
/* " in segment 4 of round 2", by a time and a round; nothing when there is neither. */
void absence_at_time(const struct inquiry *s, int32_t number, bool round, struct buf *out);
/* The nearest event around a record that is told in a sentence and is about more than one: the act it happened in; -1: none. */
int32_t absence_told_act(const struct inquiry *s, int32_t number);
/* The act that brought about an event: the one it happened in, or the last that hurt whom it is
 * about; -1. */
int32_t absence_cause_act(const struct inquiry *s, int32_t number);
/* ", when Bruna attacked orc #1": the act that an event happened in. */
void absence_cause(const struct inquiry *s, int32_t number, struct answer *out);
/* The last act upon whom an event is about, in its moment, in which something of theirs changed; -1. */
int32_t absence_act_upon(const struct inquiry *s, int32_t number);
/* The dice that fell in an event become figures; of those that fell for several, as of a fireball,
 * those of `whom`. */
void absence_dice(const struct inquiry *s, int32_t number, word whom, struct answer *out);
/* "died in segment 4, when Bruna attacked orc #1": what came over somebody before a record, and since another. `after`: a record
 * that was told already, whose round is not told again; -1: none. False: nothing did. */
bool absence_unable(const struct inquiry *s, word who, int32_t before, int32_t since, int32_t after, struct answer *out);
/* "was cancelled", "orc was withdrawn", "that was replaced": of a VOID record, what made the act
 * void that its actor could have done, after whatever came over them before. False: nothing. */
bool absence_made_void(const struct inquiry *s, int32_t number, bool brief, struct answer *out);
/* The clause that raises an event whenever something is so; -1: none does. */
int32_t absence_raised_by(const struct program *p, int32_t event);
/* The same without what is told elsewhere in a story: by whom, and a moment that is the record's own. */
bool absence_unable_brief(const struct inquiry *s, word who, int32_t before, int32_t since, struct buf *out);
/* The last EVENT record that is what was asked about; -1. */
int32_t absence_happened(const struct inquiry *s, const struct question *q, word who);
/* What somebody declared in the round asked about, or last; -1. */
int32_t absence_declared(const struct inquiry *s, const struct question *q, word who);
/* "as the script says": by a flag of a DECLARE record; ", as the script says (web.fray, line 3)".
 */
const char *absence_by(int flag);
void absence_said_by(const struct inquiry *s, int32_t declared, struct buf *out);
/* A line of somebody's that was refused in a round (0: in any); -1. */
int32_t absence_refused_in(const struct inquiry *s, word who, int32_t round);
/* How the act of a DECLARE record came to nothing in its round; -1: it was done, or is still to
 * come. */
int32_t absence_end_in_round(const struct inquiry *s, word who, int32_t declared);
/* The record by which what is asked about came to nothing; -1. */
int32_t absence_of(const struct inquiry *s, const struct question *q, word who);
/* Why an event that came at another time (record `came`) did not come to them at the time asked
 * about: the die that kept it from them (answer_kept.c). False: there was none. */
bool absence_kept(const struct inquiry *s, const struct question *q, int32_t came, word whom,
	word doer, struct answer *out);
/* The same of what befalls others - "why did orc #2 not wound Eli" -, by whoever was to bring it
 * about. */
bool absence_kept_by(
	const struct inquiry *s, const struct question *q, word doer, struct answer *out);
/* "was surprised": what was told to have befallen them before the first round and before a record,
 * behind `between`. */
bool absence_befell_early(
	const struct inquiry *s, word who, int32_t before, const char *between, struct buf *out);
/* Nobody did it: what those who could have did instead. */
bool absence_nobody(const struct inquiry *s, const struct question *q, struct answer *out);
/* The same of several who are asked about: of each group why they did not; who did. False: each of them did. */
bool absence_several(const struct inquiry *s, const struct question *q, struct answer *out);
/* Why one of those who are asked about did not do it. False: nothing can be said. */
bool absence_told(const struct inquiry *s, const struct question *q, word who, struct answer *out);
/* The told event, no act itself, that came in place of another within an act of somebody's; -1. */
int32_t absence_in_its_place(const struct inquiry *s, const struct question *q, word who);
/* The same of an event that is no act: a hit, a death. */
bool absence_outcome(const struct inquiry *s, const struct question *q, word who, struct answer *out);

/* Behind "Nim's fireball was not spoiled": what was done to them between its begin and its end, or
 * that nobody did anything (absence_act.c). False: nothing of theirs was completed. */
bool absence_nothing_done(
	const struct inquiry *s, const struct question *q, word who, struct answer *out);

/* ---- absence_die.c ---- */

/* "Hob1 did not disengage: on Hob1's morale roll 65 is not more than 70": an act that a rule makes
 * of a die, which was rolled. False: it was not. */
bool absence_by_die(
	const struct inquiry *s, const struct question *q, word who, struct answer *out);
/* "; but Garran missed Urg the other time: 2 does not reach ..": behind an event that did come,
 * what came of the same two in that round instead of it. */
void absence_other_outcome(const struct inquiry *s, int32_t number, struct answer *out);
/* "Hob1 disengaged instead, by Hob1's morale roll: 90 is more than 70": what dice made the actor of
 * a record do in its round. False: nothing. */
bool absence_made_to(const struct inquiry *s, int32_t number, struct answer *out);
/* ", by Nub's morale roll: 80 is more than 55; Pok disengaged": behind what says that an act was
 * void by a yes of its own, a field. */
bool absence_replaced(const struct inquiry *s, int32_t number, int32_t field, struct answer *out);

/* ---- refusal.c: a value of pairs before a record ---- */

/* What field `pair` of the two was. False: it was none. */
bool absence_pair(
	const struct log *l, int pair, word one, word other, int32_t before, word *value);

/* ---- ends.c: how an act ended (ends.h) ---- */

/* By the record of its end (VOID, REFUSED, CANCEL, LEFT, an EVENT that was stopped), with figures and rules. True. */
bool absence_end(const struct inquiry *s, int32_t number, struct answer *out);
/* What an act would have been: "attack Bruna with spear". */
void absence_deed(const struct inquiry *s, int32_t number, struct buf *out);
/* "the fight was over in segment 5 of round 2, won by the orcs" */
void absence_over(const struct inquiry *s, struct buf *out);

/* ---- refusal.c: see left.h for the reason and the figures ---- */

/* A clause that forbids has its reason where others have their source: another of its rule is cited. */
void refusal_cite(const struct inquiry *s, int32_t clause, struct answer *out);
/* ", since count 2, when Snag shot at Zel": what it found to be so of the actor, since when and by what. */
void refusal_since(const struct inquiry *s, int32_t number, struct answer *out);

#endif
