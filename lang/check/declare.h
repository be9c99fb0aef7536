/* declare.h - what the files that make entities of trees share (declare.c says in which order). Whatever is wrong
 * is reported and left out. `module` is the index of the one a tree stands in. */
#ifndef FRAY_CHECK_DECLARE_H
#define FRAY_CHECK_DECLARE_H

#include "lang/check/model.h"

/* Where a clause stands; -1: in none. */
struct place {
	int module, rule, thing, encounter;
	struct node *moment;
};

/* ---- declare_kind.c ---- */
void declare_kind(struct model *m, struct node *n);
/* By which word of `every KIND has { .. }` fields are declared, as the grammar numbers them. */
enum declared { DECLARED_HAS, DECLARED_KEPT, DECLARED_NOTED };
void declare_field(struct model *m, int module, int kind, enum declared how, struct node *n);
void declare_bearers(struct model *m);                               /* kinds of things that are borne get a field for who bears them */
void declare_every(struct model *m, int module, struct node *n);     /* `every combatant has { .. }` */
void settle_fields(
	struct model *m); /* when all fields are known: which of several set at once counts */
void declare_unit(struct model *m, int module, struct node *n);
int declare_new_event(struct model *m, struct node *n, sym name, bool action); /* its index; n may be NULL */
void declare_event(struct model *m, int module, struct node *n);
void settle_roles(struct model *m);                                  /* when all kinds are known: what roles may be */

/* ---- declare_thing.c ---- */
void declare_thing(struct model *m, int module, struct node *n);
void declare_table(struct model *m, int module, struct node *n, int thing); /* thing: of whose stat block; -1 */
void settle_parents(struct model *m);                                /* when all things are: whose pattern they follow */
void declare_option(struct model *m, int module, struct node *n);
void declare_option_field(struct model *m, struct moption *o);       /* when all fields are: an option of each combatant is one */
int declare_new_rule(struct model *m, struct node *n, const struct place *at); /* its index */

/* ---- condition.c ---- */
bool is_condition(const struct model *m, int thing); /* one that counts: the nearest of its name */
bool condition_clause(
	const struct model *m, const struct node *n); /* the adjective that is made for one */
/* A clause that is made for a condition: each is about one of them alone. */
bool condition_made(const struct model *m, const struct node *n);
void declare_condition_fields(struct model *m);   /* of each, when things are known */
void check_condition_names(
	struct model *m); /* reports those that rules farther out define as an adjective */
void declare_condition(
	struct model *m, int module, int thing); /* its own clauses, and what it comes to */

/* ---- lasting.c ---- */
void declare_lasting(struct model *m); /* `X is held while ..`, and lengths that are no rounds */
sym sentence_field(
	struct model *m, sym condition);              /* which sentence ends it; may not be declared */
sym end_field(struct model *m, sym condition);    /* the moment at which it ends, likewise */

/* ---- declare_clause.c ---- */
bool is_clause(const struct node *n);
void declare_clauses_of(struct model *m, struct node *list, struct place at);
void declare_action_parts(struct model *m);                          /* needs, costs and `does` of actions find their events */

#endif
