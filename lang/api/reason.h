/* reason.h - answers of `why` that need the script as well as the log: where a value is written,
 * which condition of a rule or a policy held, and which did not.
 *
 *   reason_words.c   sentences of the script with the names put in, and what they come to
 *   reason_cond.c    conditions in words            reason_rest.c    the stored values that they rest on
 *   reason_value.c   where a value comes from       reason_sum.c     what rules add to it
 *   reason_state.c   why somebody is able, down     reason_choice.c  why somebody chose that
 *   reason_side.c    why a side won                 reason_die.c     why a die was rolled
 *   reason_often.c   why it was rolled twice
 *   reason_step.c    by what a number went up or down
 *   reason_rule.c    where a rule applied, or why it did not
 *   reason_over.c    states that are over            reason_refused.c what a refusal looked at
 *   reason_told.c    states that no rule asks for   reason_spared.c  and that never came
 *   reason.c         which of them a question is for
 *   stated.c         where a value that the fight began with is written
 *
 * Each answer reads the log; what the log does not hold is worked out in a world that the fight
 * went through (reason_go), and left out where it does not agree with the log. */
#ifndef FRAY_API_REASON_H
#define FRAY_API_REASON_H

#include "lang/api/probe.h"
#include "runtime/explain/answer.h"
#include "runtime/explain/event.h"

/* ---- stated.c ---- */

enum stated_sort { STATED_NOWHERE, STATED_BY_SCENE, STATED_BY_BLOCK, STATED_OF_ALL };
struct stated { enum stated_sort sort; struct span at; int thing; /* its stat block; -1 */ bool inherited; };
/* Where the value that a field began with is written. `field` is the model's. */
struct stated stated_find(struct fray *f, int field, word owner);
/* "things.fray, line 37" */
void stated_place(struct fray *f, struct span at, struct buf *out);

/* ---- reason_words.c ---- */

enum { BOUND_MOST = 10 };
struct bound { sym name; int kind; word live; };
/* Names of a clause or a policy, and who they are. */
struct names { struct bound at[BOUND_MOST]; int n; };
void names_bind(struct names *b, sym name, int kind, word live);

/* An expression with the names put in, not looked at by the checker yet. */
struct node *reason_put(struct fray *f, const struct node *n, const struct names *b);
/* The same as text. */
void reason_text(struct fray *f, const struct node *n, const struct names *b, struct buf *out);
/* What an expression comes to; false, and nothing is said, when it cannot be worked out. With `record`, its questions are left in the log. */
bool reason_worth(struct fray *f, struct node *n, bool record, struct probe *p);
/* Ends that; the log keeps its first `mark` records. */
void reason_close(struct fray *f, struct probe *p, int32_t mark);
/* Whether it can be worked out at all. */
bool reason_can(struct fray *f, const struct node *n);
/* "orc #3 is able", said of a live thing, and whether a combatant is (or it cannot be worked out).
 */
struct node *reason_said_of(struct fray *f, int kind, word live, const char *state);
bool reason_able(struct fray *f, word who);
/* The same of a yes or no. */
bool reason_holds(struct fray *f, struct node *n, bool *holds);
/* Its value in words. */
bool reason_value_text(struct fray *f, struct node *n, struct buf *out);

/* To a world of the past and back, with the log as it is. False: none is kept of that time. */
struct visit {
	word *present;
	int32_t records; /* the log had when that world was kept */
};
bool reason_go(struct fray *f, int32_t before, struct visit *v);
/* To the world before the last so many beats; how many records there were then, -1: it is not kept.
 */
int32_t reason_go_back(struct fray *f, int back, struct visit *v);
void reason_back(struct fray *f, struct visit *v);
/* To the world that a record found, the changes before it within its beat being made. */
bool reason_go_to(struct fray *f, int32_t record, struct visit *v);
/* Lists change without a record: whether a field of the program is not what it was when the fight began; and an event of the
 * beat in which it changed last, -1. */
bool reason_differs(const struct fray *f, int field, word owner, word thing);
int32_t reason_beat_of(struct fray *f, int field, word owner, word thing);
/* What was taken from a list and put into it, each with its event, the last first: "less magic missile when ..". How many there
 * were; `steps` has the first `most`. */
struct reason;
int reason_list_steps(struct reason *r, int field, word owner, struct buf *steps, int most);

/* "Bruna hit orc #1", "Halvaine's web was complete": the event behind a record; the act's own, if there is one. Returns it, -1: none. */
int32_t reason_deed(const struct log *l, int32_t record);
/* Whether it can be told as somebody's doing. */
bool reason_is_told(const struct log *l, int32_t deed);
void reason_deed_text(const struct log *l, int32_t record, struct buf *out);
/* "breakage 20 is no more than 20": a comparison, with the name of its die. */
void reason_compared(const struct log *l, int32_t record, struct buf *out);
/* Is a live thing of that kind in a role of an event? */
bool reason_befalls(const struct log *l, int32_t event, int kind, word thing);
/* " in segment 4 of round 1"; " before the first round" */
void reason_when(const struct log *l, int32_t record, struct buf *out);
void reason_owner(const struct program *p, int kind, word live, struct buf *out);
/* "it", "them" for a field; "is", "are". */
bool reason_plural(const char *name);

/* ---- reason_cond.c ---- */

/* A stored value that a condition rests on; with `bounded`, on whether it compares so (enum op_binary) with a number of its own type. */
struct rests { int field; bool pair; word owner, other; bool bounded, frac; int op; word bound; };
struct condition {
	struct buf text;         /* "orc #3 is not awake", "orc #1's hit points are 0, at most 0" */
	VEC(struct rests) rest;
	VEC(int32_t) clause;     /* that were gone through */
	int deep;                /* definitions being gone through */
	bool early;              /* those dice fell before the first round, and that is over */
	struct buf dice;         /* "Brand's surprise rests on the party's surprise die, 2 (forced)" */
};
/* Why an expression, its names being those, is so, or is not; false: nothing can be said, or it is the other way round. */
bool condition_of(struct fray *f, const struct node *n, const struct names *b, bool so, struct condition *out);
/* "orcs are not down": an E_IS as it is, or is not. */
void reason_is_text(struct fray *f, const struct node *n, const struct names *b, bool so, struct buf *out);
/* "Rook has web", of a list of somebody's things as of themselves; an E_HAS. */
void reason_has_text(
	struct fray *f, const struct node *n, const struct names *b, bool so, struct buf *out);
void condition_free(struct condition *c);

/* ---- reason_rest.c ---- */

/* The last change that turned it: of what it rests on, and not from one value that will do to another; -1: there is none. */
int32_t condition_change(const struct fray *f, const struct condition *c);
/* The same before a record of the log. */
int32_t condition_change_before(const struct fray *f, const struct condition *c, int32_t end);
/* The one field of somebody's that a condition rests on; NULL: it is another number of them. */
const struct rests *condition_rests_alone(const struct condition *c);
void condition_rest(struct condition *c, struct rests x);
/* The stored values that a checked expression reads: `x` is `n` with the names put in. */
void condition_rests(struct fray *f, const struct node *n, const struct node *x, const struct names *b, struct condition *out);
/* "X's field <= 3": of what it rests on, a change within the bound turns nothing. */
void condition_bounded(struct fray *f, const struct node *n, const struct node *x, const struct names *b, struct condition *out);
/* The rounds of a condition, compared with 0 by `n`, are no figure for the table: "Bruna is held
 * until the end of round 2". `x` is `n` with the names put in. */
bool condition_lasts(struct fray *f, const struct node *n, const struct node *x,
	const struct names *b, bool so, struct buf *out);
/* The live thing that a node names; NONE: none. */
word reason_live(struct fray *f, const struct node *n, const struct names *b);

/* ---- the answers ---- */

struct reason {
	struct fray *f;
	struct log *log;         /* open */
	const struct program *p;
	const struct trace *t;
	struct node *n;          /* what is asked, as it was read */
	bool negated;
	const char *text;        /* as it was typed, without "why" */
	int32_t end;             /* the fight's own records */
	int32_t round;           /* of a value: in which it is asked about; 0 */
	bool turns;              /* set where the fight made it what it is: another die may have made it otherwise */
};

/* A change of somebody's number, by an amount. */
struct step { int32_t record; word by; };
/* What is gathered in other fields of theirs, and a rule has taken from this one already; the last
 * first (reason_step.c). */
int reason_gathered(
	const struct reason *r, int field, word owner, struct step *out, int most);
/* " when Dag attacked orc #1 in segment 2 of round 1": what made a change. */
void reason_cause(const struct reason *r, int32_t change, struct buf *out);
/* All by which a field of the model's changed, the last first. */
int reason_steps(struct reason *r, int field, word owner, struct step *out, int most);

/* False: it is not for this one, and nothing was added. */
bool reason_value(struct reason *r, struct answer *out);
/* reason_sum.c: a QUESTION record, `stored` being what stands below what rules add. */
bool reason_made_of(struct reason *r, int32_t question, const char *stored, struct answer *out);
/* "the party's surprise die, 2 (forced)": the dice that the answer of a QUESTION record rests on;
 * the rules that read them. With `all` what was added to them as well. False: there are no dice. */
bool reason_dice(
	const struct log *l, int32_t question, bool all, struct answer *rules, struct buf *out);
bool reason_state(struct reason *r, struct answer *out);
/* " since segment 6 of round 1, when Halvaine's web was complete", and the values of the change. */
void reason_turned(struct reason *r, int32_t change, word who, struct answer *out);
/* reason_over.c: a state that held and holds no more: "That is over: ..". False: it held at no time
 * that is near. */
bool reason_over(struct reason *r, const struct node *n, const struct names *b, struct answer *out);
/* Whether somebody was so at some time, and is not any more. */
bool reason_was(struct fray *f, word who, const char *state);
/* The same of a state that rules have no such word for: what a field of words holds, or what was told of somebody. */
bool reason_told(struct reason *r, const people *who, struct answer *out);
/* Why somebody never was what a word of theirs says; the same, asked as it would be told. */
bool reason_spared(struct reason *r, word who, const char *said, struct answer *out);
bool reason_spared_told(struct reason *r, const struct question *q, struct answer *out);
/* Why a side won (`wins`), or lost; what is not so is said first. */
bool reason_won(struct reason *r, word side, bool wins, struct answer *out);
/* Why the fight is over, or took as long as it did. */
bool reason_length(struct reason *r, struct answer *out);
/* The label of a die that a name means; -1: none. Why it was rolled for those. */
int reason_label(const struct program *p, const char *asked);
bool reason_thrown(struct reason *r, const struct question *q, struct answer *out);
bool reason_die(struct reason *r, int label, const people *who, word side, const struct question *q,
	struct answer *out);
/* Why a die was rolled twice (q->times). False: it was not rolled at all. */
bool reason_often(
	const struct inquiry *s, int label, const struct question *q, struct answer *out);
/* What the condition of a rule that refused an act looked at (a REFUSED record), with values. */
void reason_refused(struct reason *r, int32_t record, struct answer *out);
/* Where a rule applied, or why it did not: to those and in the round that `q` names. */
bool reason_rule(struct reason *r, const char *name, const struct question *q, struct answer *out);
/* What was meant by what cannot be worked out: a die, a question of several, a field of others, somebody's bare name. */
bool reason_meant(struct reason *r, const struct question *q, struct answer *out);
/* The DECLARE record of the act that a record is of, or -1; why that was chosen. */
int32_t reason_declared(const struct log *l, int32_t record);
bool reason_choice(struct reason *r, int32_t record, struct answer *out);
/* Why somebody did not do what a line of their policy says: its condition, which did not hold. */
bool reason_not_taken(struct reason *r, const struct question *q, struct answer *out);

/* The answer to a question that why.c has read; false: answer_make has it, or nobody. */
bool reason_make(struct fray *f, const struct question *q, struct node *n, struct answer *out);

#endif
