/* model.h - everything a set of files declares, resolved for one choice of rules.
 *
 * Built by declare.c from the trees, completed by infer*.c (types) and layers.c (which rules
 * are in force), read by the linker (lang/gen). Indices, not pointers, name entities, since
 * the arrays grow. The model borrows the trees and writes its findings into their `type`,
 * `frac`, `ref_kind` and `ref` members. */
#ifndef FRAY_CHECK_MODEL_H
#define FRAY_CHECK_MODEL_H

#include "lang/front/front.h"
#include "runtime/code/program.h"

/* ---- types: types.c ---- */

/* A type term; `same` links unified terms, an unknown one has base VT_UNKNOWN. */
struct type {
	uint8_t base;      /* enum vbase */
	int16_t kind;      /* THING, LIVE: model kind, -1 any; COUNT: unit */
	struct type *elem; /* SET, LIST */
	struct type *same;
};

/* What a name or sentence part turned out to be (node.ref_kind). */
enum ref {
	REF_UNKNOWN, REF_LOCAL, REF_THING, REF_LIVE /* a named combatant or side */, REF_SIDE, REF_FIELD, REF_QUESTION,
	REF_ADJECTIVE, REF_FLAG /* a yes/no field used as an adjective */, REF_EVENT, REF_WORD, REF_TABLE, REF_OPTION, REF_PAIR,
	REF_KIND_ALL /* every one of a live kind */, REF_PENDING, REF_SINGLE /* the encounter or the round */, REF_NOW, REF_CAUSE, REF_JUDGED /* the act that may be forbidden */,
	REF_ISA, REF_VIA /* is of a class: through a field */, REF_TEXT, REF_NONE, REF_KEPT, REF_OWN_NAME /* this thing */,
	REF_ITEM /* of somebody's things, the first of this sort: `sword`, `X's sword` */, REF_ITEM_NAMED /* just that one */, REF_BORNE /* X has this thing */,
	REF_REMAINDER, REF_MOST, REF_LEAST, REF_MEASURE, REF_PERFORM, REF_LIST_FIELD, REF_THING_FIELD, REF_FIELD_OF_ENCOUNTER, REF_IS_KIND, REF_MIXED_FIELD
};

/* How a set is walked (node.ref_kind of what follows `in`). */
enum walk { WALK_SET = 100, WALK_ALL, WALK_PENDING, WALK_SIDE, WALK_ONE, WALK_LIST, WALK_THINGS, WALK_BORNE /* those of a live kind somebody bears */ };

/* How a line is written, for the hint: `hit points: 12`, `set X's hit points = 12`, `sweep X's hit points ..`.
 * A statement S_SET that stands for a line, or for a step of a sweep, says so in its `role`. */
/* DOOR_START: a `set` of a branch, made before the fight begins. */
enum door { DOOR_SET, DOOR_LINE, DOOR_SWEEP, DOOR_CHANGE, DOOR_ADD, DOOR_REMOVE, DOOR_START };

struct module {
	sym name;
	const char *shown;     /* "osric"; "" for the script */
	enum layer layer;
	const char *title;
	sym extends;
	VEC(struct node *) tree;
	VEC(struct node *) settling; /* of these, in order, the lines that layers.c and options.c read */
	bool library;          /* stat blocks ready to use: it says so */
	sym late;              /* read for a line `use` of some beat block alone, which names this; or 0 */
	bool own;              /* somebody's at the table: not of the library that comes with the program */
};

struct mkind {
	sym name, plural;
	int isa;               /* kind it is a sort of, or -1 */
	bool live;
	bool machine;          /* one of the machine's own kinds */
	struct node *node;
};

struct mfield {
	sym name;
	int kind;              /* root kind */
	struct type *type;
	bool frac, shared, hidden;
	bool kept;             /* rules remember it: nothing states it, and nobody is shown it unasked */
	sym state;             /* the condition that it is made for, or 0: condition.c */
	bool noted;            /* for people to read: it may be that no rule ever asks for it */
	bool own;              /* declared first by somebody at the table */
	const char *meaning;   /* what it is, in words, or NULL */
	bool of_library;       /* declared by a library: most who have it have it as it is for all */
	struct node *initial;  /* list of V_*, or NULL */
	int settled; /* of several set in one moment: 1 the highest counts, -1 the lowest; 0: none */
	sym by;                /* of which field; 0: of this one */
	int lead;              /* that field, itself where it is this one */
	struct span at;
	int question;          /* that refines it, or -1 */
	VEC(sym) words;        /* values allowed, when it is a word with a list */
	bool closed;           /* the list of words is complete */
	sym example;           /* a word that some rule asks it for, or 0 */
	int program;           /* index into program->field or thing_field: set by the linker */
	int pattern;           /* of a kind in play: the thing_field of what its stat blocks say */
};

struct mpair {
	sym name;
	int kind;
	bool directed, shared, frac;
	bool kept, noted;
	bool own; /* declared first by somebody at the table */
	const char *meaning;
	struct type *type;
	struct node *initial;
	struct span at;
	int question;
	int program;
};

struct mquestion {
	sym name;
	int subject;           /* kind of the subject, or -1: a function */
	bool adjective;
	int params;
	sym param_name[EVENT_ROLES];
	struct type *param[EVENT_ROLES];
	bool param_frac[EVENT_ROLES];
	struct type *type;
	bool frac;
	int field, pair;       /* stored value below, or -1 */
	VEC(int) clause;       /* defines, adjusts, limits */
	struct span at;
	int program;           /* function number: set by the linker */
};

struct mrole {
	sym name;
	sym preposition;
	struct type *type;
	bool frac;
	struct span fraction;  /* the line of a script that gave it one, when no rule did */
	int field;             /* act field that carries it, or -1 */
	int word;
};

struct mevent {
	sym name;
	bool action;
	int roles;
	struct mrole role[EVENT_ROLES];
	struct node *node;     /* EVENT or ACTION */
	VEC(int) clause[4];    /* by enum op_stage */
	VEC(int) forbid, permit;
	int needs_first, needs_count; /* clauses */
	int module;
	int does;              /* clause, or -1 */
	int costs;             /* clause, or -1 */
	VEC(struct mslot { sym name; struct type *type; bool frac; struct node *initial; }) slot;
	bool pended;
	struct { int layers; bool so; } asks; /* its rules ask its actor once more, in these layers: spare.c */
	struct span at;
};

struct mclause {
	struct node *node;     /* C_*, NEEDS, COSTS, DOES */
	struct node *when;     /* or NULL; negated when `unless` */
	bool unless;
	int rule;              /* or -1 */
	int module;
	int thing;             /* stat block it stands in, or -1 */
	enum clause_sort sort;
	int question, event;   /* what it answers, or -1 */
	bool phase;
	bool in_force;
	int program;           /* index into program->clause */
	/* parameters as this clause names them */
	int params;
	sym param_name[EVENT_ROLES];
	struct type *param_type[2]; /* pair clauses: one, other; order: act; whenever: subjects */
	int encounter;         /* the encounter it stands in, or -1 */
	struct node *moment;   /* the block it stands in, while which it holds; or NULL */
	VEC(struct node *) gone; /* blocks while which it does not: it was dropped or replaced there */
	uint32_t recasts;      /* roles of its event that its body writes, a bit each */
	bool *off;             /* by stretch of the fight, whether options put it out of force; NULL: in none */
	VEC(int) aside;        /* clauses for which it steps aside while a ruling of a block says so */
};

/* That a rule is an exception to another, by a ruling in a block: while the block holds (NULL: from
 * the start), and until another does (NULL: for good). */
struct mruled { int under; struct node *moment, *until; };

struct mrule {
	sym name;
	int module;
	struct node *node;
	const char *cite, *ruling;
	bool dropped;
	int replaced_by;       /* or -1 */
	bool option_off;       /* all the time */
	bool *off;             /* by stretch of the fight; NULL: it is the same in all of them */
	VEC(int) yields;       /* rules that replace it for as long as options let them */
	int encounter;
	struct node *moment;   /* as of its clauses */
	VEC(int) excepts;      /* rules, transitively closed by excepts.c */
	VEC(struct mruled) ruled; /* those it is one to for a time */
	int option;            /* that it is a reading of, or -1 */
	bool preferred;        /* by a line `ruling .. over ..` */
	int program;
};

struct mthing {
	bool found_wrong;      /* said of it already */
	bool found_right;      /* as it is stated, where an encounter changes nothing of it */
	bool at_rest;          /* its values teach inference nothing more */
	sym name;
	int kind;
	int parent;            /* or -1 */
	struct node *node;
	int module;
	int same;              /* an earlier thing of this name, or -1 */
	int program;
};

/* Tables of stat blocks with one name and kind are one question: the first of them (`like`)
 * holds their types, and a hidden field of the kind says which one a thing has. */
struct mtable { sym name; struct node *node; int module, thing, kind, like, field; int params; struct type *param[2]; struct type *type; bool frac, key_frac; };
struct mpolicy { sym name; struct node *node; int module, program; };
struct mencounter { sym name; struct node *node; int module, first_clause, clauses_end; };
struct moption { sym name; struct node *node; int module; int kind; int field; struct node *set; int value; int *later; };
struct munit { sym name; uint8_t base; int64_t num, den; int module; struct node *node; };
struct mphase { sym name; int event; };

/* What may be hidden by something that could not be read: nothing; what rules say (a
 * definition, a label, a value kept); or any name at all. */
enum missing { MISSING_NONE, MISSING_BODIES, MISSING_NAMES };

/* `late`: not there when the fight begins, but by a block of it. */
struct mside { sym name; struct node *node; bool late; };
struct mlive { sym name; int thing; int side; bool late; };  /* a combatant of the encounter being read */
struct mitem {             /* a thing in play that a combatant of the encounter begins with */
	sym name, local;       /* "Rolf's sword", "sword" */
	int kind, index;       /* root kind, and which of that kind */
	int thing;             /* its pattern; -1: a natural weapon */
	int bearer;            /* index into live */
	int field;             /* of the bearer, that brought it */
	struct node *dice;     /* of a natural weapon */
	struct node *own;      /* fields that differ from its pattern's */
};

/* The name of a stat block that the library has and that was not read; or of a field that its blocks may have. */
struct unread { const char *module, *kind, *name; bool in_use, field; };

struct model {
	struct front *front;
	struct arena *arena;
	struct diag_sink *sink;
	/* such names: of modules in use, or of others that could be; NULL: there are none */
	void (*unread)(void *context, bool in_use, void (*put)(void *to, const struct unread *u), void *to);
	void *unread_context;
	/* whose rules read a field of the library: NULL: those of a ruleset, "": nobody's, or those of
	 * this library; NULL where nobody knows */
	const char *(*read_by)(const char *kind, const char *field);
	/* whether some rule of the library asks for this word of a field; NULL where nobody knows */
	bool (*word_asked)(const char *word);
	/* whether this action is done to an enemy (stdlib/hostile.def); NULL where nobody knows */
	bool (*hostile)(const char *action);

	VEC(struct module) module;
	VEC(struct mkind) kind;
	VEC(struct mfield) field;
	VEC(struct mpair) pair;
	VEC(struct mquestion) question;
	VEC(struct mevent) event;
	VEC(struct mclause) clause;
	VEC(struct mrule) rule;
	VEC(struct mthing) thing;
	VEC(struct mtable) table;
	VEC(struct mpolicy) policy;
	VEC(struct mencounter) encounter;
	VEC(struct moption) option;
	VEC(struct munit) unit;
	/* Options may change in mid-fight. Stretch 0 is the fight before its first beat block, stretch k
	 * goes from beat stretch.v[k - 1] on; there is one alone while no block sets options. */
	VEC(int64_t) stretch;
	int at_stretch;                     /* what is asked of options is asked of this one */
	VEC(struct malias { sym from, to; }) alias; /* model_put_alias adds one */
	VEC(struct mphase) phase;           /* a name space of their own; each has an event */
	struct node *sequence_encounter, *sequence_round;
	VEC(int) orders;                    /* order clauses */
	VEC(int) pairs_clauses;             /* pair clauses */
	VEC(int) whenever;
	sym default_action;
	VEC(int) default_policies;          /* clauses; the last in force counts */
	VEC(struct mkept { sym name; struct type *type; bool frac; }) kept; /* values events keep for `this X` */
	VEC(struct mchoice { sym name; struct type *type; }) choice; /* what may be answered by `choices:` */

	/* names of the encounter in scope while its trees are read */
	int in_encounter;                   /* or -1 */
	bool converted;                     /* the script was written for other rules than these */
	VEC(struct mside) side;
	VEC(struct mlive) live;
	VEC(struct mitem) item;

	struct type *known[VT_BASES][24]; /* made before, by kind and one: types.c */
	/* those of one name in a chain, the first declared first */
	struct chain { VEC(int32_t) first, last, next; } fields_named, questions_named, events_named, rules_named, encounters_named;
	int32_t *by_thing;                  /* the last thing declared by that name, by symbol; -1 */
	int layers;                         /* how often they were resolved: what rests on them is kept so long */
	int *never_set;                     /* by field: while `layers` is this number, no phase sets it: rolled.c */
	int never_sets;                     /* of so many fields */
	uint8_t *written;                   /* how fields of a name are written anywhere, by symbol: foreseen.h */
	sym *by_alias;                      /* what a name stands for, by symbol; 0: nothing else */
	uint32_t symbols;

	/* what rolls are called; `owned`: somebody's, `free`: perhaps nobody's */
	VEC(struct mlabel { sym name; int least, most; bool known, owned, free; const char *dice; }) label;
	VEC(struct mdrawn { sym name; int clause; bool choice; }) drawn; /* which clauses roll dice of a name, or let choose; -1: none of them */
	int links;             /* programs that were made of it: each numbers clauses and fields anew */
	struct node *probe;    /* an expression asked for at the prompt, or NULL */
	struct node *measures; /* what odds ask of the encounter: list of MEASURE, or NULL */
	bool for_odds;         /* of dice and choices only those of the first branch_items items count */
	int branch_items;
	bool branch_waits;     /* those items count only once the world says that the branch is open */
	int pass;              /* of inference; defaults are taken late */
	bool changed;          /* a pass of inference learned something */
	bool reporting;        /* the last pass: say what is wrong */
	enum missing missing;  /* what could not be read: only what is wrong whatever it says is said */
	enum missing hidden;   /* and what declarations that make no sense hide */
	VEC(struct span) said; /* where something was reported */
	VEC(sym) unknown;      /* names that were reported as unknown */
	bool crowd_unsure;     /* who is in the encounter in scope is not known: a side's line is wrong */
	struct sym_words {
#define WORD(name, text) sym name;
#include "lang/check/words.def"
#undef WORD
	} w;
};

/* The names of a kind, -1 of any, that the library has and that were not read, behind those in `names`; they live in the arena. */
struct name_list { VEC(const char *) at; };
void model_unread(struct model *m, int kind, struct name_list *names);

/* The policy a node names, or -1 after reporting that there is none. */
int policy_named(struct model *m, const struct node *n);
void model_init(struct model *m, struct front *f);
void model_free(struct model *m);

/* ---- declare.c: from trees to entities. Call add for each module in order of layers. ---- */
int model_add_module(struct model *m, sym name, enum layer layer);
void model_add_tree(struct model *m, int module, struct node *tree);
void model_declare(struct model *m);
int model_phase(const struct model *m, sym name); /* its event; -1 */

/* ---- check.c: everything; true if nothing is wrong ---- */
bool model_check(struct model *m);

/* ---- overlap.c: definitions that can be seen to collide ---- */
void check_overlaps(struct model *m);

/* ---- undefined.c: clauses about what nothing defines, and roles that are not the question's ---- */
/* Refuses what adjusts or limits nothing. Before inference: what is unknown follows from it. */
void check_undefined(struct model *m);
/* Warns of roles in another order or of another kind. Of a model that is sound. */
void check_roles(struct model *m);
/* "combatant's armour class" */
void question_shown(const struct model *m, int question, struct buf *out);
/* The question or field of the same subject that has nearly the same name; NULL: none. */
const char *question_near(struct model *m, const struct mquestion *q);
/* Reports that the clause's question is asked of another number of roles; false: it is not. */
bool report_asked_of(struct model *m, int clause, enum message id);
/* A clause that names neither an owner nor roles: adjust to-hit by 2. */
void report_bare(struct model *m, struct span at, sym name, const struct mclause *x);

const char *clause_word(const struct mclause *x); /* "adjust" */

/* ---- clause_meant.c: values and events in a referee's words ---- */
/* The value that a clause adjusts or limits, said otherwise (stdlib/meant.def) at `at`; `of`: the
 * word for whose it is, 0 for none. Reports the clause to write; false: nothing is meant. */
bool report_value_meant(struct model *m, struct span at, sym said, sym of, const struct mclause *x);
bool report_event_meant(struct model *m, const struct node *hook); /* the same of `after kill` */
/* ---- meant_word.c: fields and values in a referee's words ---- */
/* The line to write for a field that this kind does not have; NULL: no row tells. */
void report_nothing_kept(struct model *m, const struct node *n); /* this damage */
void put_die_above(
	const char *said, const char *who, const char *figure, size_t length, struct buf *out);
bool report_deed_colon(struct model *m, struct span at, sym name); /* Bruna attacks orc #1: 15 */
const char *field_row(struct model *m, struct span at, sym name, int kind);
const char *word_meant(const char *said, const char *const *known, int n); /* of a field's words */

void put_phases(const struct model *m, struct buf *out); /* of the fight and of a round, in order */
void report_no_phase(struct model *m, struct span at, sym name);

/* ---- counts.c: too many or too few, with what is wanted and how many are given ---- */
void report_count(struct model *m, enum message id, struct span at, sym name, const sym *want, int n, int given);
void report_roles(struct model *m, struct span at, int event, int given);
void report_keys(struct model *m, struct span at, int table, int given);

/* ---- circle.c: definitions that rest on themselves ---- */
/* Refuses them, of those that the table wrote. After inference. */
void check_circles(struct model *m);

/* ---- bodies.c: bodies that take the place of another without saying so; a warning for each, of a model that is sound ---- */
/* Whether an `on` is never done: one of a nearer layer always stands in for it. */
bool body_beaten(const struct model *m, int clause);
void check_bodies(struct model *m);

/* ---- effect.c: what the table wrote and nothing asks for; a warning for each, of a model that is sound ---- */
void check_effect(struct model *m);

/* Which fields rules, tables and things of a module read: their bytes in `unread`, one for each
 * field, become 0. */
void fields_read(struct model *m, int module, uint8_t *unread);

/* ---- never.c: conditions that cannot hold; a warning for each, of a model that is sound ---- */
void check_conditions(struct model *m);

/* ---- idle.c, kept.c: declarations and values that come to nothing; the same ---- */
void check_idle(struct model *m);
void check_kept(struct model *m);
bool event_keeps(
	const struct model *m, sym name); /* whether the body of some event names a value so */

/* ---- foreseen.c: lines that are sure to be refused; a warning for each, of a model that is sound ---- */
void foresee(struct model *m);
/* The same of a line that was typed in this encounter, as far as no state of the fight matters. */
void foresee_said(struct model *m, int encounter, const struct node *line);
/* Notes which field a statement of any tree writes. */
void foresee_written(struct model *m, const struct node *n);

/* ---- moments.c ---- */
/* Warns of a line that waits for a moment and names none: Ann holds. False: it is none. */
bool warn_until_when(struct model *m, const struct node *n);

/* ---- aimed.c: things whose own rules work on whoever is named ---- */
/* The role that a yes/no field called "works on ROLE" is about; 0: the field is another. */
sym field_works_on(const struct model *m, int field);
/* Which things have rules of their own that work on this role: one byte a thing. False: none. */
bool things_work_on(const struct model *m, sym role, uint8_t *things);
/* Whether this one does, or says so itself. */
bool thing_works_on(const struct model *m, int thing, sym role);

/* ---- layers.c ---- */
void layers_resolve(struct model *m);
/* Whether the encounter holds anything that layers_resolve reads; if not, it comes to the same there as outside. */
bool layers_differ(const struct model *m, int encounter);
/* Whether the clause holds in some blocks of the script and not in others. */
bool clause_guarded(const struct model *m, int clause);
/* The clause does not hold in the stretches in which the rule does. */
void clause_off_while(struct model *m, int clause, int rule);
/* The clause does not hold while the block does. */
void clause_leave(struct model *m, int clause, struct node *moment);
bool rule_in_force(const struct model *m, int rule);
/* The rule of this name, or -1 and a report. */
int rule_named(struct model *m, struct node *n, sym name, sym module);
/* Whether a module of the fight's middle is used by no block of the encounter in scope. */
bool module_nowhere(const struct model *m, int module, const struct node *moment);

/* ---- excepts.c ---- */
void rule_excepts(struct model *m, int rule, int other);
bool rule_is_exception(const struct model *m, int rule, int other);
/* Every line `ruling A over B` of the modules and of the encounter in scope. */
void rulings_read(struct model *m);
/* Reports a ruling in a block between two rules that replace a third. */
void rulings_too_late(struct model *m, int one, int other, int replaced);
/* Exceptions to exceptions, and to what was replaced. */
void exceptions_close(struct model *m);
/* True if clause a belongs to a declared exception to clause b's rule. */
bool clause_excepts(const struct model *m, int a, int b);
/* True if a's rule is an exception to b's for a time, by a ruling in a block of the encounter. */
bool clause_ruled(const struct model *m, int a, int b);

/* ---- options.c ---- */
/* Gives every option the value it has in the encounter in scope, and what it is of that as its default. */
void options_settle(struct model *m);
/* The value it has in the stretch at hand, m->at_stretch; counted from 0. */
int option_now(const struct model *m, int option);
/* The first stretch a beat block, or what stands in it, counts in. */
int stretch_of(const struct model *m, const struct node *moment);
/* Whether the line uses a module in mid-fight, or one that uses it. */
bool option_by_module(const struct model *m, const struct node *use, int module);
/* The beat block by which the encounter in scope uses a module in mid-fight; or NULL. */
struct node *module_moment(const struct model *m, int module);
/* Which of an option's values that is, counted from 0; -1: none of them. */
int option_value(const struct model *m, int option, const struct node *value);
/* Whether its values are yes and no alone. */
bool option_yes_no(const struct moption *o);
/* Says that the option has no such value, and which it has. */
void report_option_value(struct model *m, int option, const struct node *value);
/* Whether the rule's own `if option ..` holds with the options as they are set. */
bool rule_if(struct model *m, int rule, bool report);
void report_no_option(struct model *m, const struct node *at, sym name);
/* Notes for every rule which option it is a reading of. */
void options_of_rules(struct model *m);
/* Whether the field is an option's; says so when the value is none of those it may have. */
bool option_allows(struct model *m, int field, const struct node *value);
/* Whether the name is an option that nobody has of his own; then it is said. */
bool report_option_of_all(struct model *m, const struct node *at);
void report_option(struct model *m, enum message id, struct span at, int option); /* arguments: its name, a value, all of them */

/* ---- look-ups ---- */
int model_kind(const struct model *m, sym name);      /* -1: none */
int kind_root(const struct model *m, int kind);
bool kind_is(const struct model *m, int kind, int ancestor);
int model_field(const struct model *m, int kind, sym name);
/* One more field, question, event, rule or encounter: what looks them up by name finds it. Its index. */
int model_put_field(struct model *m, struct mfield f);
int model_put_question(struct model *m, struct mquestion q);
int model_put_event(struct model *m, struct mevent e);
int model_put_rule(struct model *m, struct mrule r);
int model_put_encounter(struct model *m, struct mencounter e);
bool model_encounter_named(const struct model *m, sym name); /* whether there is one */
void model_put_alias(struct model *m, sym from, sym to);     /* of a name, the first alias counts */
/* The field of combatants a checked path reads, a question's own included; -1: none. */
int field_stated(const struct model *m, const struct node *path);
/* The list that a checked path names; -1: it names none. */
int list_field(const struct model *m, const struct node *path);
int model_question_of(const struct model *m, int kind, sym name, bool adjective);
int model_function(const struct model *m, sym name, int params);
int model_pair(const struct model *m, sym name);
int model_event(const struct model *m, sym name);
int model_things_named(const struct model *m, sym name); /* the last declared, `same` leads to the one before; -1 */
int model_thing(const struct model *m, sym name, int kind); /* kind -1: any */
/* The same for a name that stands at `where`: a text of the library means no thing of the user's,
 * unless it is a new version of the library's own. */
int model_thing_at(const struct model *m, struct span where, sym name, int kind);
int model_thing_plural(const struct model *m, sym name, int kind); /* "swords", "wolves"; kind as for model_thing; -1: none */
int model_unit(const struct model *m, sym name);
int model_table(const struct model *m, sym name, int kind); /* the first of a kind's things; -1: of none, the nearest */
int model_option(const struct model *m, sym name);
int model_rule(const struct model *m, sym name, sym module);
const char *model_text(const struct model *m, sym name);
sym model_sym(const struct model *m, const char *text);
sym model_alias(const struct model *m, sym name);
int model_live(const struct model *m, sym name);      /* in the encounter in scope */
int model_side(const struct model *m, sym name);

/* ---- types.c ---- */
struct type *type_new(struct model *m, enum vbase base, int kind);
struct type *type_var(struct model *m);
struct type *type_set(struct model *m, struct type *elem);
struct type *type_list(struct model *m, struct type *elem);
struct type *type_find(struct type *t);
/* Makes them one; false (and nothing changed) if they cannot be. */
bool type_unify(struct model *m, struct type *a, struct type *b);
bool type_is(struct type *t, enum vbase base);
bool type_number(struct type *t);
/* The field that an abbreviation stands for (hp), or a slip (if for when); NULL: none. */
const char *field_meant(const struct model *m, const char *text, const char *const *names, int n);
/* What a value of that type looks like: "12", "10 ft". */
const char *type_example(const struct model *m, struct type *t);
void type_print(const struct model *m, struct type *t, struct buf *out);
/* The type named by words such as `number`, `list of combatant`, `weapon`; NULL if none. */
struct type *type_named(struct model *m, sym name);

/* ---- infer.c ---- */
struct var { sym name; struct type *type; bool frac; int reg; int slot; };
struct scope {
	struct model *m;
	bool full; /* said that no more names fit */
	int vars;
	bool pure;
	bool draws;      /* though it is: `random (..)` in what a line aims at */
	bool in_costs;
	bool scene;      /* names of the encounter may be used freely */
	bool asked;      /* what odds are asked about */
	int thing;       /* stat block around, or -1 */
	int event;       /* event whose body this is, or -1 */
	int clause;
	int question;    /* being defined, or -1 */
	int loops;
	int walks;       /* `each` blocks around, over combatants or sides */
	sym label;       /* what a roll here is called */
	bool label_of_place; /* and its owner: the thing whose field is being set, else .. */
	sym written;     /* field that a line gives the values of, or 0 */
	struct var var[64]; /* the first `vars` of them; the last member, for the rest is never cleared */
};
struct type *infer(struct scope *s, struct node *n, struct type *expected);
void infer_block(struct scope *s, struct node *list);
void infer_clause(struct model *m, int clause);
void infer_scene(struct model *m, int encounter);
/* "Tam leaves", where that is no action: he is out of the fight. */
bool scene_leaving(const struct model *m, const struct node *n);
void infer_policy(struct model *m, int policy);
void infer_measures(struct model *m, int encounter, struct node *measures); /* list of MEASURE */
/* Says so when the value, a word, is none of those that the field at the end of the path may hold. */
void check_word(struct scope *s, const struct node *path, const struct node *value);
void infer_own_fields(struct scope *s, struct node *v, struct type *of); /* of a value V_*, one of that type */
void infer_line(struct scope *s, struct node *say, struct node *subject);
struct type *infer_walk(struct scope *s, struct node *holder, struct node *source); /* the member's type; holder->ref_kind: enum walk */
bool type_fits(struct model *m, struct type *want, struct type *given); /* as unify, but one or a side fits a set */
void scope_init(struct scope *s, struct model *m);
bool scope_push(struct scope *s, sym name, struct type *type, bool frac, struct span at);

/* ---- reporting: only in the last pass ---- */
void model_report(struct model *m, enum message id, struct span at, int args, ...);
void model_send(struct model *m, const struct diag *d);
/* With what these rules have instead. */
/* A field, an adjective that a kind does not have, `best` being the nearest or NULL; told with some that it has. */
/* The statement that a span stands in, with other words at the span: "set Cy's hit points = 4".
 * False: it goes beyond its line, or is too long to be repeated. */
bool statement_with(const struct model *m, struct span at, const char *meant, struct buf *out);
void report_no_field(struct model *m, struct span at, sym name, int kind, const char *best);
void report_no_adjective(struct model *m, struct span at, sym name, int kind, const char *best);
void report_no_unit(struct model *m, struct span at, sym name);
/* The shortest time that these rules count by name; 0: none. */
sym counted_unit(const struct model *m);
/* No event is called so, nor a phase if those are meant too: one called nearly so is told, or the
 * system whose action it is. */
void report_no_event(struct model *m, const struct node *n, sym name, bool phases);
/* The systems of the library that have an action of this name; NULL: none, or nobody knows. */
const char *action_elsewhere(const struct model *m, sym name);
bool unit_of_core(const struct model *m, int unit);
/* How many segments a round has, by the name of the unit; 0: that cannot be said. */
int64_t most_in_round(const struct model *m, sym name);
/* A number alone where a time is wanted: "9" for "segment 9". */
bool report_bare_time(struct model *m, const struct type *want, const struct node *n);
/* A text with { } in which nothing is filled in. */
void report_braces(struct model *m, struct span at, const char *text);
/* "Did you mean": nearest among what a callback lists. */
struct nearest { const char *word; const char *best; int distance; };

/* ---- items.c: things in play ---- */
/* A live kind of the rules' own: its things are borne by combatants. */
bool kind_borne(const struct model *m, int kind);
/* "orcs: 3 orcs" of a side there is, in a branch of odds. */
bool report_side_again(struct model *m, struct span at, sym name);
/* A question asked in other words, "expect party wins >= 50%"; false: it is none. A line that
 * belongs inside an encounter, or is such a question. */
bool report_question(struct model *m, struct span at);
void report_outside(struct model *m, struct span at);
/* Makes what everybody begins with; scene_enter calls it when it knows who is there. */
void items_enter(struct model *m, int encounter);
int item_count(const struct model *m, int kind);
/* The first thing of a pattern that somebody begins with, as an index into m->item; -1. */
int item_of(const struct model *m, int bearer, int thing);
int item_thing(const struct model *m, const struct node *v); /* the thing that a value V_* names, or -1 */
int item_named(const struct model *m, int bearer, sym name);

/* ---- scenes.c: the encounter's names ---- */
/* What a prepositional phrase of a line is when it fills no role (node.ref). */
enum { SAID_HELD = -2, SAID_BEHIND = -4 };
enum { FRAY_COMBATANTS_MAX = 1000 };
void scene_enter(struct model *m, int encounter);
void scene_leave(struct model *m);
/* The role an object or a preposition of a sentence fills (-1: none); for events without
 * prepositions the first role not in `taken` that the type fits. */
int sentence_role(struct model *m, int event, sym preposition, struct type *type, unsigned taken);
/* What a roll is called here; made when new. */
/* That a clause rolls dice of this name, or lets somebody choose; and whether one does that is in force in the encounter in scope. */
void model_draws(struct model *m, sym name, int clause, bool choice);
bool model_drawn(const struct model *m, sym name, bool choice);
int model_label(struct model *m, sym name);

/* ---- spare.c: second lines of somebody in a block ---- */
void warn_spare(struct model *m, struct node *items, struct node *block);
/* Does a line of a block only count when an earlier one of the same combatant cannot be done? */
bool line_spare(const struct model *m, struct node *block, const struct node *n);

#endif
