/* scene.h - what the files about encounters share.
 *
 *   scenes.c       the items of a block, measures, policies      scene_crowd.c  who is there
 *   scene_meant.c  the sentence that was meant
 *   scene_line.c   sentences      scene_told.c   dice, choices and expectations
 *   rolled.c       facts that rules set themselves
 *
 * Each infer_X looks at one item in its scope, writes what was meant into the tree and, once
 * m->reporting is set, says what is wrong with it. */
#ifndef FRAY_CHECK_SCENE_H
#define FRAY_CHECK_SCENE_H

#include "lang/check/infer.h"

/* ---- scene_line.c ---- */
void infer_subjects(struct scope *s, struct node *list);
void infer_role(struct scope *s, struct node *target, struct mrole *role);
struct type *object_type(struct scope *s, struct node *n);
const char *pattern_of(const struct model *m, int event);   /* how a sentence with this verb goes on; lent */
void report_verb(struct model *m, struct node *n);
/* Makes lines of their own of what follows a `then`, where no rule goes on to it. Warns where that
 * cannot be. */
void part_turns(struct model *m, struct node *n);

/* ---- scene_meant.c ---- */
/* The line with the preposition that its verb takes in place of `p`; else how a sentence with this
 * verb goes on. */
const char *line_meant(
	struct scope *s, const struct node *n, const struct node *subject, struct node *p);
/* "casts hold person Grak": two names without a preposition between them. */
bool report_run_on(
	struct scope *s, const struct node *n, const struct node *subject, const struct node *name);

/* Whether all values of a field that there is not are people: "party: Ann, Bruna", a side without
 * its word. */
bool names_people(const struct model *m, const struct node *field);
void report_side_word(struct model *m, const struct node *field);
bool report_sides_line(struct model *m, const struct node *n); /* sides: Ann vs 2 orcs */
bool report_name_colon(struct model *m, const struct node *field); /* "Ann: stand firm" */

/* ---- scene_told.c ---- */
void infer_forced(struct scope *s, struct node *n);
/* Options, or rules, of an encounter's own may put in force what is not. */
bool chooses_rules(const struct node *items);
void infer_choices(struct scope *s, struct node *n);
void infer_expect_say(struct scope *s, struct node *n);
void infer_expect_end(struct scope *s, struct node *n);
void expect_end(struct model *m, struct node *n);
struct node *adjective_said(struct model *m, const struct node *say); /* "party wins" as `party is victorious`, or NULL */

/* ---- spare.c ---- */
/* May both lines be wanted in one round, since rules ask more than once? */
bool both_asked(const struct model *m, const struct node *first, const struct node *second);

/* ---- rolled.c ---- */
/* Warns where a script gives a field of `owner` (as its lines name it) a value that rules write
 * over before anybody acts by it; in that block, or NULL: before the fight. */
/* Whether it is known that no phase sets the field. */
bool never_rolled(const struct model *m, int field);
void check_rolled(struct model *m, int field, struct span at, const char *owner,
	const struct node *value, const struct node *block);
/* The same of the line "party's initiative: 4", and of a statement in a block. */
void check_rolled_line(
	struct model *m, const struct node *path, const struct node *value, const struct node *block);
void check_rolled_edit(struct model *m, const struct node *n, const struct node *block);

#endif
