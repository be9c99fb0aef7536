/* interp.h - the inside of struct fray, shared by the files of this folder.
 *
 *   interp.c  opening, closing, reporting     load.c   modules and the built-in library
 *   run.c     playing an encounter            expect.c what the script expects
 *   why.c     explanations on demand          show.c   what is in force
 *   line.c    one line of the prompt          session.c undo, redo, forks
 *   replay.c  a run from its own log          spread.c dice on their own
 *   past.c    what a beat changed             aside.c  machines of lines taken back
 *   evaluate.c an expression typed alone      habit.c  words of other prompts
 *   help.c    a page for every command        attempt.c a line is kept or undone
 *   bars.c    columns and bars                odds.c   how likely; with odds_*.c, see odds.h */
#ifndef FRAY_API_INTERP_H
#define FRAY_API_INTERP_H

#include "lang/api/fray.h"
#include "lang/api/table.h"
#include "lang/check/model.h"
#include "lang/gen/gen.h"
#include "runtime/explain/json.h"
#include "runtime/explain/story.h"
#include "runtime/vm/vm.h"

/* A file that was read: its name, trees and what it is. */
struct unit {
	sym name;              /* as `use` calls it; 0 for a script */
	const char *shown;     /* file name */
	uint16_t file;
	enum layer layer;
	sym module;            /* the module it belongs to */
	struct node *tree;
	bool collected_only;
	bool builtin;          /* of the library that comes with the program */
	sym varied;            /* the module whose folders for rulesets were looked at */
	sym only;              /* read with this ruleset alone; 0: with every one */
	bool called;           /* aside, but in force for the branch that is being linked */
	bool aside;            /* house rules that only branches of odds, or beat blocks, use: their names are known, no more */
	sym under;             /* aside: the module that such a line names, which brought this one */
};

/* One thing done to a fight: a beat played, or something typed (see session.c). */
enum entry_sort { ENTRY_BEAT, ENTRY_SCENE, ENTRY_TYPED };
struct entry {
	enum entry_sort sort;
	struct table_dice dice; /* of a beat: what was answered when dice were asked for */
	struct node *node;     /* what joined the encounter or the declarations */
	struct aside *other;   /* of a line typed: the machine on its other side, see aside.h, or NULL */
};
struct timeline { VEC(struct entry) entry; int at; };
/* What each beat changed, to take it back; in the words of the machine it was played on. */
struct past;
struct pasts { VEC(struct past *) beat; };
struct fork {
	char *name;
	char *place;           /* where it stood when it was left; NULL: never */
	struct timeline line;
	struct aside *aside;   /* where it stands, while another is current; or NULL */
	int parent, parted;    /* whose first `parted` entries it began with */
};
struct session {
	struct table_dice set_up; /* what was answered while everybody was set up */
	VEC(struct fork) fork; /* none: no fight at the prompt */
	int current;
	struct node *scene;    /* the encounter */
	struct node *scene_tail, *typed_tail; /* where what was typed begins */
	bool replaying;
	const struct node *newest;
	struct pasts pasts;
	uint64_t asides;       /* machines set aside so far */
};

/* `dice ask`: whose dice are asked for; no names: everybody's. */
enum { ASKED_NAMES = 16 };
struct asking_dice { bool on; sym name[ASKED_NAMES]; int names; };

/* A file of the library's stat blocks that is read as far as it is named. */
struct put_off {
	sym module, only;
	enum layer layer;
	unsigned long builtin;
	bool aside;            /* as of a unit */
	sym under;
	bool *taken;           /* of its blocks those that are read */
	bool *fresh, any;      /* or are to be, now */
};

struct fray {
	struct fray_config config;
	struct arena arena;
	struct intern *names;
	struct sources sources;
	struct front front;
	struct diag_sink sink;
	struct diag_sink run_sink;
	VEC(struct unit) unit;
	char *rules;           /* --rules, or NULL */
	bool edited;           /* a script with mistakes is kept: fray_edit */
	bool lean;             /* stat blocks of the library that nothing names are not read */
	bool image_asked, image_good; /* whether the library's image can be believed */
	VEC(struct put_off) put_off; /* the files those stand in */
	bool *met;             /* which words of the image's vocabulary stand in what was read, or was typed; NULL: nobody asked yet */
	uint64_t *vocabulary_near;       /* a bit for each hash of the vocabulary, by its last bits */
	VEC(struct spelled { uint64_t from, to; }) spelled; /* words with another spelling, by hash */
	uint8_t spelled_near[4096];      /* whether there is one whose hash ends so */
	int met_sources;       /* how many texts were looked at for that */
	char *meant;           /* what will be asked for, besides the script; or NULL */
	bool more_read;        /* since the model was made */
	int units_again;       /* of the units those of files put off */
	bool names_known;      /* to Tab, those that are not read too */
	struct model model;
	uint64_t made;         /* how often it was made */
	bool checked, sound;   /* sound: everything was read, and nothing is wrong with it */
	bool loading_aside;
	sym loading_under;     /* the module named there */
	struct feed *feed;
	struct node *typed;    /* declarations typed at the prompt */

	struct program *program;
	struct probing *probing; /* probe.c; NULL */
	struct vm *vm;
	int encounter;
	int64_t rounds;        /* that may be played */
	struct fray_run_options options;
	struct fray_tally tally;
	bool unwritten;         /* lines typed in a fight were taken out of the script, and the model has them still */
	bool closing;           /* all of it goes */
	VEC(struct span) unmet; /* expectations that failed, of this run */
	bool at_saved;          /* it is played to where it was saved: fray_run_saved */
	struct fray_odds_options odds;
	bool from;             /* odds are asked from the position the fight stands at */
	bool odds_set;         /* fray_set_odds said how */
	bool only_checking;    /* questions are linked and not asked */
	bool csv_begun;        /* its heading is written */
	struct report *report; /* answers kept for a page, or NULL */
	struct part *part;     /* this machine's share of a sample, or NULL */
	struct parts *parts;   /* parts that answer instead of a sample, or NULL */
	int32_t told;          /* records told so far */
	struct buf text;       /* for strings lent out */
	struct buf elsewhere;  /* of elsewhere_verb */
	uint32_t rolls;        /* dice rolled at the prompt, outside any fight */
	struct session session;
	struct attempt *attempt; /* what is being tried, or NULL: attempt.h */
	struct lexicon *lexicon; /* a copy that an attempt has made, for the next one; or NULL */
	uint64_t revision;
	enum fray_form answers; /* of lines: FRAY_STORY or FRAY_JSON */
	struct buf kept;       /* what the last line came to, line by line */
	struct asking_dice asking;
	struct table *table;
	struct replay *replay;   /* being played */
	struct replay *replayed; /* lent to the machine until it is closed */
};

/* ---- interp.c ---- */
void fray_write(struct fray *f, enum fray_style style, const char *text);
void fray_writef(struct fray *f, enum fray_style style, const char *format, ...) FRAY_PRINTF(3, 4);
/* Words wrapped to the width, from column `column` on, further lines indented by `hang`; ends the line. */
void fray_wrap(struct fray *f, const char *text, int column, int hang);
void fray_report(struct fray *f, const struct diag *d);
/* Forgets all that was read. */
void interp_anew(struct fray *f);

/* ---- load.c ---- */
bool units_load(struct fray *f, const char *name, const char *text, size_t length);
bool units_check(struct fray *f);
/* Whether there is a module of that name, for the file `from`: beside it or in the library. */
bool module_exists(struct fray *f, const char *name, const char *from);
/* Reads the modules a line `use` of mid-fight names, so that their names are known. */
bool units_use_late(struct fray *f, const struct node *use);

/* Takes modules that branches use into force (a list of E_NAME), or, NULL, none of them; the
 * model has to be made anew then. */
void units_aside(struct fray *f, const struct node *names);
/* Rules named on the command line replace the script's own rulesets: those are not read, nor are house rules for them. */
bool unit_wanted(const struct fray *f, const struct unit *u);
/* House rules for another system than the one in force are an error, or told to be left out, when the command line changed it. */
bool house_rules_fit(struct fray *f);
/* The ruleset a script names, where the command line has put another in its place; NULL: it has not. */
const char *written_for(const struct fray *f);
/* Mistakes under rules that the script was not written for: that is said last. */
void tell_other_rules(struct fray *f);

/* Reads the stat blocks that a text can mean and that were put off. False: something is wrong with them. */
bool units_named(struct fray *f, const char *text, size_t length);
/* And all that are of a kind, or of one that is a kind of it. */
bool units_of_kind(struct fray *f, int kind);
/* And all of it that is no stat block: rules that nothing named so far sets in motion. */
bool units_parts(struct fray *f);
/* After that: makes the model anew, and what depends on it. */
bool units_refresh(struct fray *f);

/* ---- lean.c ---- */
/* Counts the words of what is typed as met, and takes the parts of the library (fields, events and rules of theirs)
 * that declare a name in it; true: there were any. */
bool lean_meet(struct fray *f, const char *text, size_t length);
/* Of the stat blocks put off, takes those that what was met so far can mean; false: none. */
bool lean_take(struct fray *f);
/* Or all whose kind is wanted. */
void lean_take_kind(struct fray *f, bool (*wanted)(const struct fray *f, sym kind, int of), int of);
/* Or all texts that are no stat blocks. */
void lean_take_parts(struct fray *f);
void lean_forget(struct fray *f);
/* Whether a text of the library says that its folder is a library of stat blocks: `library NAME "title"`.
 * *length: of the folder's name, with which its own begins. */
bool library_module(unsigned long builtin, size_t *length);
/* Names of stat blocks that are not read: of modules in use, or of libraries that are not. The context is the fray. */
void unread_each(void *context, bool in_use, void (*put)(void *to, const struct unread *u), void *to);

/* ---- expect.c ---- */
void expects_of_block(struct fray *f, int32_t block, bool reached);
/* Warns of the lines of a block that is over which nobody took. */
void lines_of_block(struct fray *f, int32_t block);
/* Tells of a block with lines whose moment never came. */
void block_unplayed(struct fray *f, int32_t block);
/* Warns, when a fight is over, of those whose lines gave out long before, and who stood still
 * since. */
void lines_gave_out(struct fray *f);
/* Whether it holds in f->vm as it stands; if not, why may be told. */
bool expect_holds(struct fray *f, const struct expect_info *e, struct buf *why);

/* ---- instead.c, force.c: lines to add below an expectation that failed ---- */
enum { EXPECT_SET = 16 };
/* Those it speaks of: a set of combatants of EXPECT_SET words. */
void expect_named(struct fray *f, const struct expect_info *e, word *set);
void expect_instead(struct fray *f, const struct expect_info *e, struct buf *out);
void expect_force(struct fray *f, const struct expect_info *e, struct buf *out);

/* ---- run.c ---- */
bool run_link(struct fray *f, int encounter);
/* Nothing is in progress: a program and a machine for the encounter. False: it cannot be
 * linked. f->table is NULL when memory is short. */
bool run_ready(struct fray *f, sym name);
void run_close(struct fray *f);
/* The name of an encounter that was meant by another; NULL: no idea. */
const char *encounter_near(struct fray *f, const char *asked);
/* Those there are, as a list to be told. */
const char *encounters_there(struct fray *f);
/* Reports that no fight has begun, with the line that begins one. */
void report_no_fight(struct fray *f, struct span at);
/* How many rounds are played: without an `until`, those the script tells of and no more. */
int64_t fight_rounds(const struct fray *f, int encounter, int64_t most);
enum fray_status status_of(struct fray *f, enum vm_status s);

/* ---- spread.c ---- */
struct dice;
struct dist;
void spread_tell(struct fray *f, const struct dice *dice, const struct dist *d);
/* A formula typed alone, or after `spread`. */
enum fray_status dice_said(struct fray *f, const struct node *n);

/* ---- part.c, parts.c ---- */
void part_free(struct part *p);
void parts_free(struct parts *p);
/* ---- odds_report.c ---- */
void report_free(struct report *r);
/* ---- odds.c ---- */
enum fray_status odds_question(struct fray *f, struct node *n);
/* ---- session.c ---- */
void session_close(struct fray *f);
/* Whether what a block expects was looked at before, and is only played again. */
bool session_silent(const struct fray *f, int32_t block);

/* ---- evaluate.c ---- */
enum fray_status evaluate(struct fray *f, struct node *n);

/* ---- scope.c: for Tab (struct scope_names; the context is f) ---- */
bool names_in_scope(void *context, const struct scope_asked *asked, void (*put)(void *to, const char *name), void *to);

/* ---- show.c ---- */
/* Appends a member of a JSON object; `first` opens the object. */
void json_text(struct buf *b, const char *key, const char *text, bool first);
/* The text as a string of JSON, quoted. */
void json_value(struct buf *b, const char *text);

/* ---- help.c ---- */
/* The name of the page at an index, lent; NULL behind the last. */
const char *help_topic(struct fray *f, int index);
enum fray_status help(struct fray *f, const struct node *n);

/* ---- habit.c ---- */
/* The line, or what is said here instead of it: `exit` is quit, `? why` is help why. */
const char *habit_meant(struct fray *f, const char *line);
/* Whether the line begins with a command of some other prompt; what it is called here was said. */
bool habit_report(struct fray *f, const char *line);

/* ---- why.c ---- */
enum fray_status why_node(struct fray *f, struct node *n);

/* ---- why_line.c ---- */
/* A line that asks for a reason, however it is put. False: it is some other line, or one that the grammar has, as `turned` where that
 * is not empty. */
bool why_line(struct fray *f, const char *line, struct buf *turned, enum fray_status *s);

/* ---- show_things.c ---- */
/* Whether a topic is one of these: a kind of thing, or a library in use. */
bool shows_things(struct fray *f, const char *topic);
/* TOPIC as a kind of thing, or "shelf" before one: stat blocks are told. False: it is no kind. */
bool show_things(struct fray *f, const char *topic, const char *what, bool json, enum fray_status *status);

/* ---- wrong.c ---- */
/* The line of the script that a rule calls wrong, by the sentence and whom it is about; false: it is not known. */
bool wrong_place(struct fray *f, const char *sentence, const char *who, struct span *at);

/* ---- replay.c ---- */
struct replay *replay_new(struct fray *f, const char *json, size_t length);
void replay_free(struct replay *r);
struct dice_source *replay_source(struct replay *r);

/* ---- elsewhere.c ---- */
/* The systems of the library with an action that what is said begins with: "proc, crucible"; NULL: none. Lent
 * until the next call. The context is the struct fray. */
const char *elsewhere_verb(void *context, const char *said);
const char *elsewhere_value(void *context, const char *said); /* which systems define it */
/* Whose rules read a field of the library, as model.h has it: `read_by`. */
/* "use dew with surprise no", a line as it is written: the line that is meant; false: none is. */
bool use_meant(const char *line, size_t length, struct buf *out);
const char *elsewhere_read(const char *kind, const char *field);
/* The verbs that a referee says for the library's actions; static. */
const struct said_verb *elsewhere_said(int *count);
/* Whether some text of the library asks for what is said: `is rain`, `has rain`. */
bool elsewhere_asked(const char *said);
/* Whether it is an enemy to whom this action is done: stdlib/hostile.def. */
bool elsewhere_hostile(const char *action);

/* ---- state_line.c ---- */
/* What is written to make somebody so: "ailment: held"; "": rules work it out; NULL: nothing says
 * it. Lent until the next call. The context is the struct fray. */
const char *state_line(void *context, const char *state);

/* ---- between load.c, load_late.c and load_check.c ---- */
bool load_put_off(struct fray *f);
/* A sink for what was said already. */
void say_nothing(void *context, const struct diag *d);
bool unit_is_read(const struct fray *f, sym name);
/* Whether the image says of a text of the library what is so. */
bool unit_has_image(struct fray *f, unsigned long builtin);
/* Adds one text; loads what it uses before it. `only`: the ruleset it is for, or 0; `builtin`:
 * which of the library's it is; `taken`: of its stat blocks those to be read, or NULL. */
bool unit_add_text(struct fray *f, sym module, sym only, const char *shown, const char *text,
	size_t length, enum layer layer, long builtin, bool *taken);
/* What a branch of odds uses: read, so that its names are known, and put aside. */
bool load_aside(struct fray *f, const struct node *n, const char *shown);
/* What is loaded from now on is aside, or not, as what brings it. */
void load_as(struct fray *f, bool aside, sym under);
/* When it is known which rulesets are in use. */
bool load_variants(struct fray *f);

#endif
