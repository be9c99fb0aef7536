/* fray.h - the public interface of Fray, the whole of it.
 *
 * An interpreter (struct fray) reads scripts, plays encounters and explains them. It never
 * prints, exits, reads files, the clock or the environment: what it needs it asks for
 * through the callbacks of struct fray_config. Two interpreters may run in two threads;
 * one interpreter belongs to one thread at a time.
 *
 * Ownership: strings given to Fray are copied before the call returns; strings Fray gives
 * are lent until the next call on the same interpreter, unless a comment says otherwise. */
#ifndef FRAY_H
#define FRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FRAY_VERSION "0.1.0"
#define FRAY_ABI 1

struct fray;

enum fray_status {
	FRAY_OK = 0,
	FRAY_EXPECTATION = 1, /* an expectation failed */
	FRAY_WRONG = 2,       /* the script or the request is wrong; diagnostics were reported */
	FRAY_STOPPED = 3,     /* a limit or a needed ruling stopped the run */
	FRAY_INTERRUPTED = 4, /* the host's `interrupted` said so */
	FRAY_MORE = 5,        /* fray_line: the unit is not complete yet */
	FRAY_QUIT = 6         /* fray_line: the user asked to leave */
};

enum fray_severity { FRAY_NOTE, FRAY_WARNING, FRAY_ERROR, FRAY_RULING, FRAY_LIMIT };

/* One diagnostic. `text` is the whole of it as printed at a terminal (sentence, excerpt with
 * carets, explanation, hint), without colour; the other members are its parts. */
struct fray_diagnostic {
	enum fray_severity severity;
	const char *code;    /* "F0201" */
	const char *file;    /* as given to fray_load; "" when it has no place */
	int line, column;    /* 1-based, columns in characters; 0 when it has no place */
	int end_line, end_column;
	const char *message; /* one sentence */
	const char *hint;    /* what to write, or the first line that explains; "" for none */
	const char *text;
	uint32_t start, end; /* the bytes of `file` it is about */
};

/* How a piece of output is meant; a terminal may colour it. */
enum fray_style {
	FRAY_PLAIN, FRAY_HEADING, FRAY_TIME, FRAY_NAME, FRAY_DIE, FRAY_GOOD, FRAY_BAD, FRAY_CITE, FRAY_DIM
};

struct fray_config {
	int abi;             /* FRAY_ABI */
	void *context;       /* handed to every callback */

	/* A diagnostic. NULL: none are reported (they still decide statuses). */
	void (*report)(void *context, const struct fray_diagnostic *d);
	/* A piece of output: story, answers to why and show, JSON lines. */
	void (*write)(void *context, enum fray_style style, const char *text, size_t length);
	/* The text of a module named by `use`, looked for beside the file `from`. Returns a
	 * malloc'ed text that Fray frees, or NULL when there is none; the built-in library is
	 * asked afterwards. `name` never holds a slash, a dot at its start or a NUL; but that of a script
	 * that `load` names may lead into folders below, "encounters/bridge", and what is asked for
	 * from then on is looked for beside that script first. */
	char *(*module)(void *context, const char *name, const char *from, size_t *length);
	/* A die at the real table: `prompt` is "Bruna's attack roll (d20): "; `problem` is NULL
	 * or why the last answer will not do. Returns a line lent until the next call (empty:
	 * roll it for me), or NULL to stop the run. Used when fray_run_options.ask is set. */
	const char *(*ask_die)(void *context, const char *prompt, const char *problem);
	/* A choice nobody scripted: `prompt` names it, `options` are the answers it may have.
	 * Returns an answer lent until the next call, or NULL for the default. May be NULL. */
	const char *(*ask_choice)(void *context, const char *prompt, const char *const *options, int n);
	/* `save "name"` at the prompt: keep this text under that name. Returns NULL, or why it cannot
	 * be: a sentence lent until the next call. `name` holds no slash. May be NULL. */
	const char *(*save)(void *context, const char *name, const char *text, size_t length);
	/* True: stop soon. Asked now and then during long work. May be NULL. */
	bool (*interrupted)(void *context);

	uint64_t fuel;       /* instructions one run may take; 0: the default */
	size_t memory;       /* bytes an interpreter may hold; 0: the default */
	int width;           /* columns for tables and timelines; 0: 80 */
	bool no_native;      /* odds are played by the interpreter alone, without native code: the same bytes, more slowly */
};

/* NULL when memory is short or `abi` is not one this library speaks. */
struct fray *fray_open(const struct fray_config *config);
void fray_close(struct fray *f);
/* Columns for tables and timelines from now on, as fray_config.width. */
void fray_width(struct fray *f, int columns);

/* Reads and checks a script (and the modules it uses). May be called again: files add up.
 * FRAY_WRONG: every problem found was reported, and nothing of the file can be played. */
enum fray_status fray_load(struct fray *f, const char *name, const char *text, size_t length);
/* A script to begin with: an encounter of this title, played by these rules ("osric"); its comments
 * name the file. The text is malloc'ed and the caller's; NULL: no memory. */
char *fray_first(const char *title, const char *file, const char *rules);

/* Other rules than the script's `use` line: "osric" or "osric,gentle". Before fray_load.
 * NULL: the script's own. */
enum fray_status fray_rules(struct fray *f, const char *rules);

/* A script in canonical layout: *formatted, of *size bytes, lent until the next call; NULL when it
 * cannot be read at all. The modules it uses are read for their names. A statement with a mistake
 * is kept as it is. Into an interpreter that has loaded nothing. FRAY_WRONG: mistakes were reported. */
enum fray_status fray_format(struct fray *f, const char *name, const char *text, size_t length, const char **formatted, size_t *size);

int fray_encounters(const struct fray *f);
const char *fray_encounter(const struct fray *f, int index);
/* How many `expect`s stand in that encounter. */
int fray_encounter_expects(const struct fray *f, int index);

struct fray_run_options {
	uint64_t seed;
	uint64_t trial;      /* which run of that seed */
	int64_t max_rounds;  /* 0: 1000 */
	int ask;             /* 0: roll; 1: ask for every die; 2: ask for the dice of players' sides */
};

/* Sets an encounter up; NULL: the only one, or the last. Nothing is rolled yet. */
enum fray_status fray_begin(struct fray *f, const char *encounter, const struct fray_run_options *options);
/* Plays the next group of acts. *over is set when the fight has ended. */
enum fray_status fray_step(struct fray *f, bool *over);
/* Plays to the end. FRAY_EXPECTATION when an `expect` failed (each was reported). */
enum fray_status fray_run(struct fray *f);
/* Plays the same encounter from its own JSON log instead of rolling: dice and choices are
 * taken from the log. FRAY_WRONG when the log is not of this script. */
enum fray_status fray_replay(struct fray *f, const char *json, size_t length);

/* Of a script that was saved at the prompt, the encounter that was played: plays it to where it
 * stood and looks at what is expected of the whole fight there. Any other runs to its end. With
 * seed 0 the dice are those of the session. */
enum fray_status fray_run_saved(struct fray *f, const char *encounter, const struct fray_run_options *options);
/* The rules by which such a script was played instead of its own: malloc'ed; NULL when there are none. */
char *fray_saved_rules(const char *text, size_t length);

struct fray_tally { int expects_passed, expects_failed; int rounds; int referrals; };
struct fray_tally fray_result(const struct fray *f);

/* What has happened, through `write`. */
enum fray_form { FRAY_STORY, FRAY_STORY_WHY, FRAY_JSON, FRAY_TIMELINE, FRAY_BRIEF, FRAY_STORY_FULL }; /* WHY: with the figures that decided; FULL: with all that had a part */
void fray_tell(struct fray *f, enum fray_form form);
/* The same for what happened since the last fray_tell_new. */
void fray_tell_new(struct fray *f, enum fray_form form);

/* ---- how likely ---- */

enum fray_method { FRAY_EITHER, FRAY_SAMPLED, FRAY_EXACT }; /* EITHER: exact when the fight is small enough */
enum fray_odds_form { FRAY_ODDS_TEXT, FRAY_ODDS_JSON, FRAY_ODDS_CSV };

struct fray_odds_options {
	enum fray_method method;
	enum fray_odds_form form;
	uint64_t seed;
	uint64_t trials;     /* fights to sample at most; 0: 10,000, fewer of long ones, or 100,000,000 with `within` */
	double within;       /* stop when every figure is known to +- this share; 0: play all trials */
	int threads;         /* of a sample; 0: 1. The answer does not hang on it */
	int threads_exact;   /* of an exact answer; 0: 1, since more seldom pay */
	int64_t max_rounds;  /* 0: 1000 */
	uint64_t states;     /* different worlds an exact answer may find; 0: 2,000,000 */
	uint64_t memory;     /* MB it may take, about; 0: 1024 */
	const char *giving;  /* what fray_odds and fray_odds_sensitivity ask, "Bruna dies, average round"; NULL: the
	                        usual. Lent until fray_set_odds or fray_close */
	/* Now and then during long work: fights played; the share of all fights counted to their end, and
	 * the worlds found. May be NULL. */
	void (*progress)(void *context, uint64_t done, uint64_t of);
	void (*counting)(void *context, double counted, uint64_t worlds);
};

/* How odds are worked out from now on, also those asked by fray_line; NULL: the defaults.
 * What a question says itself ("odds 1000", "odds exact") wins, but none plays more fights than
 * `trials` or goes on when all is known `within`. */
void fray_set_odds(struct fray *f, const struct fray_odds_options *options);
/* Who wins an encounter (NULL: the only one, or the last), who survives, with what; then the
 * questions that stand in it and, for NULL, in the script. Through `write`. FRAY_EXPECTATION
 * when an `expect odds` failed; FRAY_INTERRUPTED after telling what was known by then. */
enum fray_status fray_odds(struct fray *f, const char *encounter);
/* The questions of the script alone; those of `expect` alone with `expects`. */
enum fray_status fray_odds_asked(struct fray *f, bool expects);
/* Whether all questions of the script could be asked: their names, measures and branches; nothing
 * is played. */
enum fray_status fray_odds_check(struct fray *f);
/* How many `expect odds` there are. */
int fray_odds_expects(const struct fray *f);
/* Which reading of the rules matters: each option of the rules in force is given each of its
 * other values, alone, and each house rule left out, with the same dice; ranked by how far
 * that moves the one measure of `giving`, or else the first side's wins. */
enum fray_status fray_odds_sensitivity(struct fray *f, const char *encounter);
/* The script is one that `save` wrote at the prompt: plays it to where it was saved. From then on
 * odds are asked from there, until something is begun or loaded. */
enum fray_status fray_odds_stand(struct fray *f);
/* One trial of the sample, as a story. */
enum fray_status fray_odds_trial(struct fray *f, const char *encounter, uint64_t trial, enum fray_form form);

/* ---- odds on several machines ---- */

/* Before loading: play only the shard-th (from 1) of `of` shares of every sample, and keep what
 * comes of it instead of telling it. */
void fray_share(struct fray *f, uint32_t shard, uint32_t of);
/* After fray_odds or fray_odds_sensitivity: what was kept, with the scripts and what was asked,
 * as a text for fray_merge. `command` is what to type to have all of it on one machine. Lent. */
const char *fray_part(struct fray *f, const char *command, size_t *length);

struct fray_part { const char *name; const char *data; size_t length; };

/* Puts all parts of a sample together, in any order, and tells what one machine would have
 * told; into an interpreter that has loaded nothing. Of fray_set_odds only form, threads and
 * progress count. FRAY_WRONG, and nothing told, when a part is missing, spoilt, or of another
 * script, version, seed or question. */
enum fray_status fray_merge(struct fray *f, const struct fray_part *part, int n);
/* The command the parts were made by. Lent. */
const char *fray_merged_command(const struct fray *f);

/* Also keep what odds answer from now on, for a page. */
void fray_report_keep(struct fray *f);
/* The page, one HTML text that needs nothing else: plots with tables, the script, the rules in
 * force, and `command`, which is what to type to have it again. Lent; NULL when nothing was
 * asked since fray_report_keep. */
const char *fray_report_page(struct fray *f, const char *command, size_t *length);

/* "orc #1 acts before Bruna", "Halvaine's armour class", "not Halvaine completes web", "" for
 * the last event; or a whole question, "who killed Bruna". */
enum fray_status fray_why(struct fray *f, const char *question);
/* Why two events stand in their order: their "id" in the JSON log. FRAY_WRONG when there are no such. */
enum fray_status fray_why_order(struct fray *f, int64_t one, int64_t other);
/* From now on a script is read with those stat blocks of the library alone that it can mean: it is
 * read faster. Lines bring what they name, and so does fray_show. `also`: what is going to be asked for besides, or NULL. */
void fray_lean(struct fray *f, const char *also);

/* Writes the names of the house rules that are in force because the script uses them, not by the
 * rules given in their place: "gentle and grim". False: there are none. */
bool fray_own_houses(const struct fray *f, char *names, size_t size);
/* The libraries of stat blocks that there are, instead of a script. */
enum fray_status fray_load_libraries(struct fray *f);
/* topic: rules, order, fields, actions, options, sources, world, timeline, combatant ..;
 * `what` may be NULL; where it ends in "in full", fields and the world come with what rules keep. `json`: one object a line. */
enum fray_status fray_show(struct fray *f, const char *topic, const char *what, bool json);
/* Whether fray_show takes that word as a topic: what the rules say, or a fight. Any other is a kind
 * of thing, or a library of them. */
bool fray_is_topic(const char *topic);
/* Help on a topic of the prompt ("dice"; "" for what there is), on a message by its number ("F0208",
 * "f0208", "208"), or "messages" for all of them. `json`: messages as one object a line. */
enum fray_status fray_help(struct fray *f, const char *topic, bool json);
/* Whether there is help on a topic, or it is the number of a message. */
bool fray_help_topic(const char *topic);
/* The bytecode, readable. */
enum fray_status fray_disassemble(struct fray *f);

/* One line of the language or of the prompt, without its newline. Output goes to `write`. */
enum fray_status fray_line(struct fray *f, const char *line);
/* In which form lines tell what happened, show what is in force and answer about odds:
 * FRAY_STORY, or FRAY_JSON for an object a line. */
void fray_answers(struct fray *f, enum fray_form form);
/* Whether dice are asked for in the fight at the prompt: `dice ask`. */
bool fray_asks(const struct fray *f);
/* The seed of fights that begin at the prompt from now on. */
void fray_seed(struct fray *f, uint64_t seed);
/* The fork the prompt is on: "main"; "" when there is no fight. Lent. */
const char *fray_fork(const struct fray *f);
/* Grows with every line that changed something: what a journal has to keep. */
uint64_t fray_revision(const struct fray *f);
/* After FRAY_INTERRUPTED, FRAY_WRONG or FRAY_STOPPED: lines that come to what this one came to,
 * "step 12", each with its newline; what a journal keeps instead of it. Lent. */
const char *fray_interrupted_line(struct fray *f);
/* Where the fight stands: "round 1, segment 5"; "" when there is none. Lent. */
const char *fray_place(struct fray *f);
/* After FRAY_MORE: what is awaited, "a closing }". */
const char *fray_awaits(const struct fray *f);
/* Forgets a half-read unit. */
void fray_abandon(struct fray *f);
/* What may stand next after `line`; each word is offered once. */
void fray_complete(struct fray *f, const char *line, void (*offer)(void *context, const char *word, const char *what), void *context);

/* ---- editors ---- */

/* From now on a script that is wrong is read all the same, as far as it can be: its names are known
 * to the calls below. Nothing of it can be played, so nothing else may be asked. Before
 * fray_load. */
void fray_edit(struct fray *f);

/* A part of a text that was read: bytes [start, end). `file` is what fray_load called it, or what
 * the library's own texts are called: "library/osric/acting.fray". Lent until the next
 * fray_load. */
struct fray_place { const char *file; uint32_t start, end; };
/* The text of such a file, lent until the next fray_load; NULL when it was not read. */
const char *fray_text(struct fray *f, const char *file, size_t *length);

enum fray_name_sort {
	FRAY_NAME_THING,     /* a stat block: a combatant, a monster, a weapon, a spell .. */
	FRAY_NAME_KIND, FRAY_NAME_FIELD,
	FRAY_NAME_QUESTION,  /* what rules alone define: a value, a state, a function */
	FRAY_NAME_EVENT,     /* an event or an action; as a verb */
	FRAY_NAME_RULE, FRAY_NAME_TABLE, FRAY_NAME_OPTION, FRAY_NAME_POLICY, FRAY_NAME_ENCOUNTER, FRAY_NAME_SIDE,
	FRAY_NAME_UNIT, FRAY_NAME_ALIAS, FRAY_NAME_PHASE, FRAY_NAME_MODULE,
	FRAY_NAME_LABEL,     /* of a die or a choice */
	FRAY_NAME_LOCAL,     /* a role, a member of a set, a value of `let` */
	FRAY_NAME_WORD       /* a value that is a word: medium */
};

/* One name where it stands. */
struct fray_name {
	enum fray_name_sort sort;
	struct fray_place at;
	bool declares;       /* what it names is declared here */
	const char *name;    /* the whole name of that; it may be written otherwise: orcs, orc #2 */
	const char *owner;   /* of a field or question: its kind; else "" */
	uint64_t what;       /* the same for all names that mean the same, in this interpreter until the next fray_load */
};
typedef void (*fray_name_teller)(void *context, const struct fray_name *name);
/* Every name of a file whose meaning is known, after fray_load; NULL: of all files. */
void fray_names(struct fray *f, const char *file, fray_name_teller tell, void *context);

/* What a file declares, in its order; entries of depth 1 stand inside the last one of depth 0. Of a
 * text with mistakes, what could be read. */
struct fray_outline {
	enum fray_name_sort sort;
	struct fray_place whole, at; /* `at`: its name */
	const char *name, *detail;   /* detail: a kind, a citation; "" for none */
	int depth;
};
typedef void (*fray_outline_teller)(void *context, const struct fray_outline *entry);
void fray_outline(struct fray *f, const char *file, fray_outline_teller tell, void *context);

/* What there is to tell of the name at a byte of a file: a line, and a text of several lines (""
 * for
 * none). Lent until the next call. False: no name whose meaning is known stands there. */
struct fray_about { struct fray_place at; const char *heading, *text; };
bool fray_about(struct fray *f, const char *file, uint32_t at, struct fray_about *about);
/* What may stand at a byte of a file that was loaded, by what stands before it: as
 * fray_complete. */
void fray_complete_at(struct fray *f, const char *file, uint32_t at, void (*offer)(void *context, const char *word, const char *what), void *context);

/* What an editor writes behind a part of a text: what dice come to on average. */
struct fray_hint { struct fray_place at; const char *text, *about; };
void fray_hints(struct fray *f, const char *file, void (*tell)(void *context, const struct fray_hint *hint), void *context);
/* The plural of a name as scripts may write it: "wolves"; or, with `verb`, its form behind one who
 * does it: "sets weapon". Lent until the next call. */
const char *fray_form_of(struct fray *f, const char *name, bool verb);

/* The world as bytes, for comparing and keeping: lent until the next call. */
const void *fray_world(const struct fray *f, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
