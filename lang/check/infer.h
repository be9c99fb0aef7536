/* infer.h - what the files of inference share.
 *
 *   infer.c       scopes, what types ask of each other, expressions
 *   infer_name.c  names      infer_meant.c what was meant by what is none
 *   infer_slip.c  names and values as in notes
 *   infer_unit.c  units that a written number lacks
 *   infer_call.c  fields, questions, tables
 *   infer_set.c   is, has, sets and walks      infer_body.c  statements, clauses
 *   infer_value.c what is written to a field
 *
 * Every infer_X takes an expression in its scope, writes what it turned out to be into the node
 * and gives its type, a variable as long as nothing is known; nothing is said of it before
 * m->reporting is set. */
#ifndef FRAY_CHECK_INFER_H
#define FRAY_CHECK_INFER_H

#include "lang/check/model.h"

/* ---- infer.c ---- */
struct var *scope_find(struct scope *s, sym name);                     /* NULL: no such name */
struct type *node_type(struct scope *s, struct node *n);               /* what is known of its type so far */
void report_mismatch(struct scope *s, struct span at, struct type *a, struct type *b);
struct node *round_number(struct scope *s, struct node *n);            /* its number, if `n` is the round; else `n` */
void report_sides(struct scope *s, const struct node *n, struct type *a, struct type *b); /* of n->a and n->b, which do not go together */
void want_type(struct scope *s, struct node *n, struct type *want,
	enum message id); /* reports `id` otherwise */
/* Reports `id` at `at` with the names of the two types. */
void report_types(
	struct model *m, enum message id, struct span at, struct type *want, struct type *given);
struct type *bool_type(struct scope *s);
struct type *number_type(struct scope *s);
struct type *live_type(struct scope *s, int kind);

/* ---- infer_name.c ---- */
/* Whose name a text begins with that goes on: "Bruna" of "Bruna attacks". "": nobody's. */
const char *infer_doer(const struct scope *s, const char *text);
struct type *infer_name(struct scope *s, struct node *n, struct type *expected);

struct written;

/* Things of that sort can be made on the spot of a name and dice, as in "attacks: claw 1d3": they
 * do damage. */
bool made_with_dice(const struct model *m, const struct type *elem);

/* ---- infer_slip.c ---- */
/* What was meant by a name that is none: "first orc", "nearest enemy"; NULL: nothing comes to mind.
 */
/* Ann runs away, Ann moves 10 ft then fires at Orc: a verb of the library's table at these
 * words. */
bool verb_said(struct model *m, struct span at, struct buf *line);
bool report_verb_said(struct model *m, struct span at);
struct span line_around(const struct model *m, struct span at); /* the whole sentence */
/* The path between braces of a text; what all of them name is looked up in the last pass. */
struct node *note_hole(struct model *m, const char *text, size_t length, struct span span);
void infer_note(struct scope *s, const struct node *n);
const char *name_slip(struct scope *s, const struct node *n, struct type *expected);
/* monster cave orc like orc {: a stat block whose name holds the name of what it is one of. */
void report_parent_words(struct model *m);
/* A value as other games' books have it: 1d10 + 2, mace +1, mace and chain mail. */
bool report_value_slip(struct scope *s, const struct written *w, const struct node *value);

/* The name that words begin with: "Ann prepares"; NULL: nobody's. (infer_slip.c) */
const char *infer_named_first(struct model *m, const char *text, size_t length);

/* ---- infer_whose.c ---- */
/* A side of an encounter, named by a rule that stands outside it. */
bool report_side_outside(struct model *m, struct span at, sym name);
/* "Ann is party", "Ann is a member of party". */
bool report_is_side(struct scope *s, const struct node *n, int kind);
/* "Bob is Ann's enemy" */
bool report_is_one_of(struct scope *s, const struct node *n);
/* "Grak's kind is orc": a field that nobody has, and what somebody is or whose side. */
bool report_kind_of(struct model *m, const struct node *n, int kind);
/* "side" alone in a rule about attacker: attacker's side; NULL: it is nobody's field. */
const char *whose_slip(struct scope *s, const char *said);

/* ---- moments.c ---- */
bool clause_names_field(const struct mclause *x, sym field);
/* Whether any rule in force asks for this field of acts. */
bool act_field_read(const struct model *m, int field);
/* A line without these words of it. False: it goes beyond its line. */
bool line_without(const struct model *m, struct span at, struct buf *out);
bool moment_known(const struct model *m, const struct node *n);
/* `phrase`: the words of a line that the moment belongs to, which waits for it; NULL: none. */
void report_no_moment(struct model *m, const struct node *n, const struct node *phrase);
/* A moment that no rule lets anybody wait for, or that no round has. */
void warn_not_waited(struct model *m, const struct node *p, int field);
/* round 1 { segment 3 { .. } } */
void report_block_inside(struct model *m, const struct node *n);
/* until segment 3 */
void report_time_asked(struct scope *s, const struct node *n);
/* when segment >= 3: what a condition can ask for instead; NULL: this is no time. */
const char *time_meant(struct scope *s, sym name);

/* ---- infer_unit.c ---- */
/* An argument that each of several is meant by, or that has to be rolled: the line that does it. */
bool report_argument(
	struct scope *s, const struct node *n, struct type *want, struct type *given);
/* distance (Ann, Grak) < 10: the unit that a written number lacks, or has too much. */
bool report_share(struct scope *s, const struct node *n); /* of a number, without what of */
bool report_unit_of(struct scope *s, const struct node *n, struct type *a, struct type *b);
/* The same of a part of a unit, "1/2 ft". */
bool report_part_of(struct scope *s, const struct node *n, struct type *a, struct type *b);

/* ---- infer_meant.c ---- */
const char *meant_line(const struct scope *s, const struct node *n);   /* what to write instead of a name that is none; NULL: no idea. Of the arena */
/* "party wins in round 3": what is so has no time, and nothing else behind it. */
void report_state_with(struct model *m, const struct node *n);
/* "tie" as a measure, where that is called so which the rules do then. */
bool report_tie(struct model *m, const struct node *n);
/* "monsters win", of all of a sort: what can be said of a side, or of each. False: it is neither. */
bool report_state_of_set(struct model *m, const struct node *who, const struct node *state);
/* "party's hit points", which everybody has of his own. */
bool report_field_of_each(struct model *m, const struct node *n, int kind);
/* set orcs' hit points = 5, change orcs' hit points by -3: of a side, which has no such field
 * itself. */
bool report_edit_of_each(struct model *m, const struct node *n);
/* "Bruna is victorious", which sides alone are; "orcs are dead", which those of a side alone are. False: it is neither. */
bool report_state_of_other(struct model *m, const struct node *who, const struct node *state, int kind);

/* ---- infer_call.c ---- */
struct type *infer_field(struct scope *s, struct node *n);
struct type *infer_call(struct scope *s, struct node *n);

/* The sorts of thing a list may hold that have a field, or are asked a question, of this name: root kinds, KINDS_MIXED at most. */
enum { KINDS_MIXED = 16 };
int mixed_kinds(const struct model *m, sym name, int *kind);

/* ---- infer_value.c ---- */
/* Says so when a list stands where one value is needed: kept, compared, handed on. */
bool report_list_whole(struct scope *s, const struct node *n);
/* What is written to: a field, a cell of a pair, a mark; `at` is how the line names it. */
struct written {
	sym name;
	struct type *type;
	bool frac;
	bool one;        /* one value of several, where it holds a list */
	enum door door;
	int field;       /* -1: it is no field */
	struct span at;  /* file 0: by its name alone */
};
/* The type of one expression against what it is written to; false: it does not fit, and that was said. */
bool infer_written(struct scope *s, const struct written *w, struct node *value);
/* Says so when a line states a field that rules keep. */
bool report_kept(struct model *m, int field, struct span at);
/* All values V_* that a line gives a field. */
void infer_values(struct scope *s, int field, struct span at, enum door door, struct node *values);
/* The field that the n-th value of such a line goes to, "second range", or one against somebody; -1: there is none. */
int field_of_value(const struct model *m, int field, int n, const struct node *value);
const char *field_example(const struct model *m, int field); /* a value that it may hold; "..": none is known */
/* A rule asks whether the field at the end of the path is that word. */
sym said_word(struct model *m, const struct node *value); /* a word that is written there, not the name of something that holds one; or 0 */
void word_asked(struct model *m, const struct node *path, const struct node *asked);
/* Says so when the word is none of those that the field may hold; `w`: it is written there, or NULL. */
void report_word(struct model *m, int field, sym said, struct span at, const struct written *w);
void report_fraction(struct model *m, const struct node *value); /* infer_body.c */

/* ---- infer_set.c ---- */
/* What a member of sort `elem` called `name` is where `where` holds: of all sorts of things those of the kind it asks for. */
struct type *narrowed(struct model *m, struct type *elem, sym name, const struct node *where);
struct type *infer_is(struct scope *s, struct node *n);
struct type *infer_has(struct scope *s, struct node *n);
struct type *open_set(struct scope *s, struct node *set); /* its member is in scope: the caller restores s->vars */

const char *first_of_line(
	struct model *m, struct span at); /* infer_slip.c: whom a line begins with */

/* ---- meant_word.c ---- */
const char *value_meant_here(
	struct scope *s, const struct node *n); /* attack roll: this attack roll */
const char *chosen_of_several(struct scope *s, const struct node *n); /* weakest orc */

/* Remembers a roll under its name (labels.c). */
void label_rolled(struct scope *s, const struct node *roll);

/* ---- scene_line.c ---- */
/* "Ann attacks orc #1, Ben casts web": reports the two lines to write; false: it is one. */
bool report_second_doer(struct model *m, struct span at);

#endif
