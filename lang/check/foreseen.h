/* foreseen.h - what foreseen.c, foreseen_wrong.c and foreseen_aim.c know before anything is played.
 *
 * A fact is what is known of a value; facts are bound to names while a clause is looked at. */
#ifndef FRAY_CHECK_FORESEEN_H
#define FRAY_CHECK_FORESEEN_H

#include "lang/check/model.h"

/* What is known of a value. */
enum sort { UNKNOWN, UNSET, ANSWER, NUMBER, WORD_SAID, THING, LIVE, SOMETHING /* set */ };
struct fact { enum sort sort; int64_t num, den; int ref; sym word; };

enum { BOUND_MAX = 32, DEEP = 40 };
enum { TAKEN_FROM = 1, SET_OR_ADDED = 2 }; /* what rules or lines do to a field */
struct foresight {
	struct model *m;
	const uint8_t *written;  /* one a symbol: some rule or line changes a field of that name */
	uint32_t symbols;
	struct node *items; /* of the encounter */
	struct { sym name; struct fact fact; } bound[BOUND_MAX];
	int n, depth;
	bool at_start;           /* what stat blocks state is still so */
	bool lost;               /* anything may have been written since the start */
	sym dirty[BOUND_MAX];    /* fields that may have been written since the start */
	int dirt;
};

struct fact fact_make(enum sort sort, int64_t num, int ref);
struct fact fact_of(struct foresight *f, const struct node *n);
int fact_holds(struct foresight *f, const struct node *n);               /* 1: so, 0: not so, -1: not known */
int fact_applies(struct foresight *f, const struct mclause *x);          /* a clause's condition, the same */
void fact_bind(struct foresight *f, sym name, struct fact fact);
struct fact fact_stored(struct foresight *f, struct fact owner, int field);
/* What a stat block says of a field, itself or by what it is made from; else the field's default. */
const struct node *thing_states(const struct model *m, int thing, int field);
/* What the encounter says of somebody's field, into *out; false: it may be said in a way not looked at. */
bool fact_overridden(const struct foresight *f, int live, int field, const struct node **out);

/* Whether a thing is another, or made from it. */
bool thing_is_a(const struct model *m, int thing, int ancestor);
/* "osric: out of reach": the rule of a clause, else the verb of the line. */
void foresee_cite(
	const struct model *m, const struct node *line, const struct mclause *x, struct buf *out);
/* The clause that is sure to refuse an act with these roles; -1: none. */
int foresee_refusal(struct foresight *f, const struct mevent *e, const struct fact *roles);

/* ---- foreseen_aim.c ---- */

/* What is known of the roles that a line fills; `named`: those, a bit each. Not of its actor. */
void foresee_roles(struct foresight *f, const struct node *n, struct fact *roles, unsigned *named);
/* Warns of a line that names nobody for what is used, though its own rules work on whoever is
 * named. `named`: the roles that the line names, a bit each. */
bool foresee_aim(const struct foresight *f, const struct node *n, const struct fact *roles,
	unsigned named);
/* The same of the lines of a policy. */
void foresee_aims(struct foresight *f, const struct node *list);
/* Warns of a line that does to somebody of the actor's own side what is done to enemies. */
bool foresee_friend(const struct foresight *f, const struct node *n, const struct fact *roles);
/* Warns of a line that a rule is sure to refuse because it names nobody. The roles become unset. */
bool foresee_unnamed(
	struct foresight *f, const struct node *n, struct fact *roles, unsigned named, int who);

/* What the rules are sure to find wrong with those of the encounter in scope, when it is set up. */
void foresee_wrong(struct foresight *f);

/* Has somebody nothing of the sort that is used, neither in a field for such things nor in a list?
 * The list of that sort, else that of all sorts of things, is where it would stand; -1: he has it,
 * or nobody can tell. */
int foresee_lacks(struct foresight *f, int live, int thing);

/* A line of a policy, which of its roles, the thing, the list in which it would stand (-1: somebody
 * has it, or nobody can tell), and whether a follower may have it. */
struct policy_use { const struct node *line; int role; sym thing; int list; bool had; };
struct policy_uses { VEC(struct policy_use) use; };
/* Adds what the policies use that somebody follows in the encounter being read. */
void foresee_followed(struct foresight *f, struct policy_uses *u);
/* Reports what none of the followers has, once every encounter was read. */
void foresee_nobody_has(struct foresight *f, const struct policy_uses *u);

#endif
