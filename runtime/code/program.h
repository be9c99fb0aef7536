/* program.h - a linked program: everything the machine needs to play one encounter under
 * one set of rules. Immutable once linked, shared by all threads.
 *
 *   code      one run of instructions; functions are entry points into it
 *   tables    what operands index: constants, fields, events, labels, clauses, ..
 *   start     the world as it stands before the first die (a block, see world/block.h)
 *
 * A program owns its arena; nothing in it points into the trees it was made from, so it
 * can be kept, copied between threads, written to an image and read back. */
#ifndef FRAY_CODE_PROGRAM_H
#define FRAY_CODE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/base/span.h"
#include "runtime/code/ops.h"
#include "runtime/code/value.h"

enum { EVENT_ROLES = 8, ACT_WORDS = 24, ORDER_KEYS = 8 };

struct fn_info {
	const char *name;  /* "act's time", "strike: on" */
	int32_t entry;     /* index into code */
	int32_t end;
	uint16_t registers;
	uint16_t arguments; /* in words */
	uint16_t results;
	bool pure;         /* only reads, and only what the machine can watch (effects.h) */
	bool steps;        /* only reads, and steps through pending acts besides */
	bool own;          /* and of what changes only fields of the one thing it is asked of */
	struct span span;
};

struct kind_info {
	const char *name;
	const char *plural;
	bool live;
};

/* A stored field of a live kind. Those of an act lie together; otherwise a field's words of all of the kind. */
struct field_info {
	const char *name;
	uint16_t kind;
	struct vtype type;
	bool shared;     /* written through the copies of a group */
	bool hidden;     /* the machine's own bookkeeping; not shown */
	bool kept;       /* the rules' own; shown to whoever asks for all of it */
	bool fixed;      /* no instruction writes it (effects.h) */
	uint32_t base;   /* word index of the first one's in the block */
	uint32_t stride; /* words from one to the next */
	uint32_t words;  /* 1; a set: set_words; a list: 1 + capacity */
	uint64_t touches; /* whenever conditions that read it, one bit each */
	bool option;     /* an option of each: only who has another than `usual` is shown with it */
	bool common;     /* a library's field: only who has or had another is */
	word usual;
	int8_t settled; /* of several set in one moment: 1 the highest counts, -1 the lowest; 0: that
					   needs a ruling */
	uint16_t lead;   /* by the value of which field of the same owner, set with it */
	const char *state; /* the condition whose rounds it counts, this one included (0: not in it,
						  unset: until it is ended); or NULL */
	struct span span; /* of a hidden one: what it was made for */
};

/* A stored field of pairs of things of one live kind. */
struct pair_info {
	const char *name;
	uint16_t kind;
	bool directed; /* else (a, b) and (b, a) are one cell */
	bool kept;     /* as of a field */
	struct vtype type;
	bool shared;
	bool fixed;
	uint32_t base;
	uint32_t side; /* cells are at base + a * side + b */
	uint64_t touches;
};

/* A field of templates: value of thing t is thing_words[t * thing_fields + index]. */
struct thing_field {
	const char *name;
	uint16_t kind;
	struct vtype type; /* LIST: the word is an index into list_words: count, items.. */
};

struct thing_info {
	const char *name;
	uint16_t kind;
	int32_t parent; /* thing it inherits from, or -1 */
	struct span span;
};

struct role_info {
	const char *name;
	const char *preposition; /* "" */
	struct vtype type;
	int32_t field; /* act field that carries it, or -1 */
	uint16_t word; /* where it stands among the event's argument words */
};

struct event_info {
	const char *name;
	bool action;
	uint8_t roles;
	struct role_info role[EVENT_ROLES];
	uint16_t words;    /* argument words */
	int32_t stage_fn[5]; /* costs, before, on, after: -> stopped; allowed: as legal_fn, with the act behind the roles; -1: none. Of events that are pended */
	int32_t perform_fn;
	int32_t legal_fn;  /* -> clause that refuses, or NONE; -1: always legal */
	uint16_t slots;    /* kept values */
	uint16_t slot_name[16];      /* index into program->kept */
	struct vtype slot_type[16];
	word slot_initial[16];
	bool told;         /* has a telling: appears in the story */
	uint8_t alone;     /* stages, a bit each, in which acts of it cannot interfere (commute.h) */
	bool waiting, idle; /* doing nothing; what is done when nothing is said */
	bool asked;         /* some rule asks for it by name */
	struct span span;
};

/* A clause, or a rule as a whole: what `why` cites. */
struct clause_info {
	const char *rule;     /* "spoiled spells" */
	const char *module;   /* "osric"; "" for the script itself */
	const char *cite;     /* "3, example"; "" */
	const char *ruling;   /* why a reading was chosen; "" */
	const char *text;     /* the clause on one line, as written */
	struct span span;
	uint8_t layer;        /* enum layer */
	uint8_t sort;         /* enum clause_sort */
	bool conditional;
	int32_t question;     /* or -1 */
	int32_t option;       /* that its rule is a reading of, or -1 */
};
enum layer { LAYER_CORE, LAYER_PARENT, LAYER_RULESET, LAYER_THING, LAYER_HOUSE, LAYER_SCRIPT, LAYER_PROMPT };
enum clause_sort {
	CLAUSE_DEFINE, CLAUSE_ADJUST, CLAUSE_LIMIT, CLAUSE_ORDER, CLAUSE_PAIR, CLAUSE_INSTEAD, CLAUSE_BEFORE,
	CLAUSE_ON, CLAUSE_AFTER, CLAUSE_WHENEVER, CLAUSE_FORBID, CLAUSE_PERMIT, CLAUSE_NEEDS, CLAUSE_COSTS,
	CLAUSE_LINE, CLAUSE_POLICY, CLAUSE_OTHER
};

struct question_info {
	const char *name;      /* "armour class", "to-hit number" */
	uint8_t params;
	struct vtype param[EVENT_ROLES];
	const char *param_name[EVENT_ROLES];
	struct vtype type;
	bool of_subject;       /* reads "X's name" */
	bool is_answer;        /* an adjective: "X is name" */
	int32_t fn;
	int32_t stored;        /* field or pair field below it, or -1 */
};

/* One clause's rule is an exception to the other's, or preferred by a ruling: where acts that
 * happen together, or that are each to come first, disagree by these two, the one counts: while
 * block `from` holds (0: always), until block `until` does (0: for good). */
struct beats_info { int32_t over, under, from, until; };

/* What a roll is called: owner's name, then this. */
struct label_info {
	const char *name;      /* "attack roll" */
	uint64_t hash;
	struct vtype owner;    /* kind of the owner, or VT_UNKNOWN */
};

struct forced_die {
	int32_t label;
	int32_t owner;         /* index of the live owner, or -1 */
	int32_t block;         /* script block it stands in, -1: the whole encounter */
	int32_t first, count;  /* into pips */
	struct span span;
};
/* "attack roll #3 17": one roll alone, by its number. Sorted by label, owner and number. */
struct numbered_die {
	int32_t label, owner;  /* owner -1: nobody's */
	uint32_t occurrence;   /* how often it was rolled before */
	int32_t block, pips;
	struct span span;
};
struct pips { int32_t first, faces; struct span span; }; /* into pip_faces; faces 0: a total */

struct forced_choice {
	int32_t choice;
	int32_t owner;
	int32_t block;
	int32_t first, count;  /* into answers */
	struct span span;
};
struct choice_info { const char *name; struct vtype type; struct vtype owner; };

/* A block of the script: round 1 { }, surprise segment 2 { }. Block 0 is the encounter. */
struct block_info {
	const char *unit;      /* "round" */
	int32_t field;         /* field of the encounter (or round) that counts it, -1 for block 0 */
	word ordinal;
	int32_t expect_first, expect_count;
	struct span span;
	bool lasting;          /* in force from its moment on, to the end: `beat 7 { .. }` */
	bool only;             /* "dice only:": while it is in progress no other die may fall */
};

/* A line of the script that says what somebody does: who has had it is a set in a field of the
 * encounter. Lines with a condition or a cue are not listed: they may well not come to pass. */
struct line_info {
	int32_t field, block;
	int32_t who;           /* its one subject; -1: several */
	int32_t side, pattern; /* of which it speaks as of one group; -1 */
	bool asked;            /* by some rule, for such an action */
	bool typed;            /* in mid-fight */
	struct span span;
	int32_t event;         /* of its first act, or -1 */
	bool spare;            /* the check has said that an earlier line of its subject comes first */
};

/* As enum op_said: it happens; an act ends so; a line of the story is told; several sentences, in
 * this order. */
enum expected_end {
	END_HAPPENS,
	END_REFUSED,
	END_VOID,
	END_INTERRUPTED,
	END_REPLACED,
	END_LEFT_OVER,
	END_TOLD,
	END_ORDER
};

struct expect_info {
	int32_t block;
	bool negated;
	bool vain;             /* it holds when it is not so */
	int32_t fn;            /* a condition, or -1 for a sentence */
	int32_t left_fn;       /* what a condition compares, or -1; its type, and as written */
	struct vtype left_type;
	const char *left_text;
	int32_t parts; /* rows behind this one: parts of an `and`, or sentences in order */
	uint8_t end;           /* enum expected_end: how the act is to end */
	const char *why; /* and for this reason, NULL: any; or the words that are to be told */
	/* a sentence: subject verb object prepositions */
	int32_t subject_fn;    /* set of subjects (combatants), or -1 */
	int32_t event;         /* -1: "acts" */
	int32_t within;        /* an event of the subject in which it happened, or -1 */
	int32_t nth;           /* which one of those, or 0 */
	int32_t least, most;   /* how often; most -1: however often */
	uint8_t roles;         /* constraints: role values to match */
	struct { uint8_t role; int32_t fn; bool set; } match[EVENT_ROLES];
	int32_t time_fn;       /* in segment 4, or -1 */
	int32_t round;         /* in round 2, which no time stands for; or 0 */
	enum { WHEN_ANY, WHEN_IN, WHEN_BEFORE, WHEN_AFTER, WHEN_TOGETHER } when;
	int32_t other_fn;      /* before/after whom: a set, or -1 for a time */
	struct span span;
	const char *text;
};

/* A bit for each way in which pair clauses may apply to an act: with anybody, or with acts of one actor alone; who that is. Two acts
 * are asked about if a way of the one as `one` is one of the other as `other`. */
enum { PARTNER_ANY, PARTNER_TIED, PARTNER_WHOSE, PARTNER_WORDS };
struct order_info {
	const char *name;      /* "" for the main list */
	int32_t key_fn;        /* (act) -> keys; -1: all together */
	uint8_t keys;
	bool frac[ORDER_KEYS];
	int32_t pair_fn;       /* (one, other, clause or unset: all) -> pair verb + 1, clause; or 0; -1: none */
	int32_t partner_fn;    /* (act) -> what pair_fn may be asked of it: PARTNER_WORDS as `one`, as many as `other`; -1: anything */
};

struct template_piece { const char *text; struct vtype type; uint8_t words; };
struct template_info { int32_t first, count; struct span span; };

/* What odds ask when a run is over; `how` is enum measured. */
/* `watch`: it is what that watch has seen, or not; -1: something else. `spoilt`: the watch can be. */
struct measure_info { const char *text; uint8_t how; struct vtype type; int32_t watch; bool spoilt; };
struct lasting_word { uint32_t at; word value; }; /* absorbing.h */
enum measured { MEASURED_CHANCE, MEASURED_AVERAGE, MEASURED_SPREAD };
enum { MEASURES_MAX = 200 };

struct table_info {
	const char *name;
	struct vtype key;      /* of the first parameter */
	struct vtype type;
	int32_t column, columns; /* what stands over them, in table_words */
	int32_t first, rows;   /* into table_rows */
	const int16_t *row_of; /* of the keys from `low` on, so many: the first row that has it, or
				  -1; NULL: none are told */
	word low;
	uint64_t keys;
};
struct table_row { word from, to; bool over; int32_t values; }; /* over: `from` itself is left out */ /* values: into table_words; NONE bounds are open */

struct dice_info { const char *text; int16_t count, sides; uint8_t keep_how; int16_t keep; bool explode; int16_t reroll; int32_t add; };

struct phase_info { const char *name; int32_t fn; };
/* Its condition: a function of its parameters. For each of them, the places of its bits (layout.conditions)
 * from `first` on, the last parameter running fastest. */
struct whenever_info { const char *text; int32_t clause, fn; uint8_t params; int32_t first, count[2]; uint16_t kind[2]; };
struct unit_info { const char *name; uint8_t base; int64_t num, den; bool shown; }; /* base units in one */
struct option_info { const char *name; const char *value; const char *cite; const char *others; bool set; struct span span; };

struct live_info {         /* a live thing: sides and combatants have names */
	const char *name;
	int32_t thing;         /* template or -1 */
	uint64_t hash;         /* of the name: part of a die's address */
};

/* A watched event: happened; its counterpart happened; it cannot hold any more. Above them
 * the number of the group it happened in last. */
enum watch_bits { WATCH_SEEN = 1, WATCH_OTHER = 2, WATCH_SPOILT = 4, WATCH_GROUP = 8 };
/* What an instruction WATCH does to the watch it names. */
enum op_watch { WATCH_IT, WATCH_SPOIL, WATCH_FIRST, WATCH_SECOND, WATCH_HOWS };

enum { ACT_LEAST = 8 }; /* words of an act at least: so many are copied at once */

/* How the world block is laid out, in words from its start. */
struct layout {
	uint32_t words;        /* the whole block */
	uint32_t stack, stack_words;
	uint32_t labels;       /* occurrence counters: [label][owner] 32-bit halves, packed */
	uint32_t label_owners;
	uint32_t forced, choices; /* positions in the queues, one word each */
	uint32_t blocks;       /* one word a script block: 0 to come, 1 open, 2 closed */
	uint32_t watches;      /* one word an event that odds ask about: enum watch_bits */
	uint32_t conditions;   /* whenever states, one bit each */
	uint32_t condition_words;
	uint32_t happenings, happening_words; /* stack of events in progress */
	uint32_t lists, list_depth; /* nested lists' orders */
	uint32_t acts, act_stride, act_count;
	uint32_t act_args;     /* offset of the argument words within an act */
	uint32_t act_arg_words;
	struct { uint32_t count; } kind[32]; /* how many of each live kind; their fields: field_info */
};

/* A loop over all of a kind, of which a turn that did nothing is left out as long as none of the
 * words it rests on is written (lang/gen/quiet.c). Over the second of two: there is a turn for each
 * pair. */
struct quiet_info {
	uint16_t kind;
	bool pairs, writes;    /* it may store something into these words */
	int32_t first, count;  /* what its turns rest on: in quiet_rest */
};
enum quiet_sort {
	QUIET_WHO,  /* field `of` of whose turn it is */
	QUIET_ROW,  /* .. of the first of the pair */
	QUIET_CELL, /* pair field `of` of the first and the second */
	QUIET_BACK, /* .. of the second and the first */
	QUIET_WORD  /* word `at` of the block */
};
struct quiet_rest { enum quiet_sort sort; int32_t of; uint32_t at; };

/* A test of an act: is a field of it (-1: its event) the same as a number, a register, or field
 * `of` of the thing in a register? */
struct act_test { int32_t field, reg, of; word number; };
/* Those of which one at least is true of an act that is sought. */
struct act_filter { int32_t first, count; };

struct program {
	struct arena arena;
	uint64_t id;           /* hash of all that matters; in the block's header */
	const char *script, *encounter, *ruleset;
	bool observed;
	bool from_start;       /* every run of it begins as `start` says */

	struct insn *code;             int32_t code_count;
	struct span *code_span;        /* one an instruction */
	word *constant;                int32_t constants;
	struct fn_info *fn;            int32_t fns;
	struct kind_info *kind;        int32_t kinds;
	struct field_info *field;      int32_t fields;
	struct pair_info *pair;        int32_t pairs;
	struct thing_field *thing_field; int32_t thing_fields;
	struct thing_info *thing;      int32_t things;
	word *thing_words;             /* things * thing_fields */
	word *list_words;              int32_t list_word_count;
	struct event_info *event;      int32_t events;
	struct clause_info *clause;    int32_t clauses;
	struct beats_info *beats;      int32_t beats_count;
	struct question_info *question; int32_t questions;
	struct label_info *label;      int32_t labels;
	struct forced_die *forced;     int32_t forceds;
	struct numbered_die *numbered; int32_t numbereds;
	struct pips *pips;             int32_t pips_count;
	int32_t *pip_faces;            int32_t pip_face_count;
	struct forced_choice *forced_choice; int32_t forced_choices;
	word *answers;                 int32_t answer_count;
	struct choice_info *choice;    int32_t choices;
	struct block_info *block;      int32_t blocks;
	struct expect_info *expect;    int32_t expects;
	struct line_info *line;        int32_t lines;
	struct order_info *order;      int32_t orders;
	struct template_piece *piece;  int32_t pieces;
	struct template_info *template_; int32_t templates;
	struct table_info *table;      int32_t tables;
	struct table_row *table_row;   int32_t table_rows;
	word *table_words;             int32_t table_word_count;
	struct dice_info *dice;        int32_t dices;
	const char **text;             int32_t texts; int32_t *text_rank;
	const char **kept;             int32_t kepts; /* names of kept values */
	struct phase_info *phase;      int32_t phases;
	struct whenever_info *whenever; int32_t whenevers;
	struct quiet_info *quiet;      int32_t quiets;
	struct act_filter *filter;     int32_t filters;
	struct act_test *act_test;     int32_t act_tests;
	struct quiet_rest *quiet_rest; int32_t quiet_rests;
	struct unit_info *unit;        int32_t units;
	struct option_info *option;    int32_t options;
	struct live_info *live[32];    int32_t lives[32]; /* by kind */

	int32_t set_words;
	int32_t main_fn;
	int32_t before_typed;  /* code from here on is typed in mid-fight, or called by that first */
	int32_t fns_before_typed; /* functions that code before it may call */
	int32_t probe_fn;      /* works out an expression asked for at the prompt, or -1 */
	struct vtype probe_type;
	int32_t probe_words;   /* of what it returns */
	int32_t measure_fn;    /* works out all measures, one word each, or -1 */
	struct measure_info *measure;  int32_t measures;
	int32_t watches;
	struct lasting_word *last;     int32_t lasts; /* 0: the measures may come to anything until the end */
	int32_t branch_forceds, branch_choices; /* of forced and forced_choice: how many are the odds' own branch's */
	int32_t script_rounds; /* played when the script says no `until`; 0: to the end; -1: none */
	int32_t shown_unit;    /* unit of time the story counts in, or -1 */
	/* fields the machine itself reads */
	struct {
		int32_t combatant_side, combatant_template, combatant_action;
		int32_t act_actor, act_time_question, void_question;
		int32_t round_number, round_start;
		int32_t beat;          /* which group of acts is being played; -1: no block asks for it */
		int32_t branch_open; /* field of the encounter: lines of the odds' branch count, or -1 */
	} at;

	struct layout layout;
	word *start;
};

struct buf;

/* The program as readable text (disasm.c), from the tables. */
void program_print(const struct program *p, struct buf *out);
/* The instruction at `at`, a line. */
void program_print_insn(const struct program *p, int32_t at, struct buf *out);
/* One value in the referee's words: "35 ft", "orc #2", "yes", "segment 4" for times when
 * `moment` and the round's start is given. */
void program_value(const struct program *p, struct vtype type, const word *value, struct buf *out);
/* The same of a value that takes so many words: more than one of a list are how many things there are, and they. */
void program_values(const struct program *p, struct vtype type, const word *value, int words, struct buf *out);
/* The same as it can be typed where a value stands: texts, and names that are not plain words, in quotes. */
void program_written(const struct program *p, struct vtype type, const word *value, int words, struct buf *out);
/* Whether one clause beats another in this world, as beats_info has it; -1 is no clause. */
bool program_beats(const struct program *p, const word *world, int32_t over, int32_t under);
/* Whether a block of the script holds in this world. */
bool program_block_holds(const struct program *p, const word *world, int32_t block);
/* Stack windows, jumps, operands and table indices are all in range (verify.c). On failure
 * *why says what and where; the program must not be run. */
bool program_verify(const struct program *p, struct buf *why);
void program_free(struct program *p);
/* Gives the program other code, of n instructions, copied into its arena; entries of functions are
 * the caller's. */
void program_put_code(
	struct program *p, const struct insn *code, const struct span *span, int32_t n);

#define ROLL_OWNER 0x9e3779b97f4a7c15ull /* an owner's hash is multiplied by it: two owners' dice must not lie side by side */

/* The address of a label's dice: of its name and its owner's (NONE: nobody's). */
static inline uint64_t program_roll_hash(const struct program *p, int32_t label, word owner)
{
	const struct label_info *l = &p->label[label];
	uint64_t hash = l->hash;
	if (l->owner.base == VT_LIVE && owner != NONE)
		hash ^= p->live[l->owner.kind][owner].hash * ROLL_OWNER;
	return hash;
}

#endif
