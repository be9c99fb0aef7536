/* answer.h - what `why` says: the answer in one sentence, the figures that decided, the rules, and
 * the smallest change that would have turned it round.
 *
 *   Bruna hit orc #1 for 5 damage in segment 4 of round 1, and 5 - 5 = 0: ..
 *     attack roll 17 [forced], needed 11
 *     rules: at 0 hit points or fewer nobody acts (OSRIC, 3)
 *   With 4 or less on Bruna's damage, orc #1 would not have died.
 *
 * A file for each kind of question (answer_event.c, answer_order.c ..) reads the log and fills a
 * struct answer; one that has none returns false, and the derivation is told in its place. What an
 * answer says is read from the log and from the world: nothing is worked out anew. The printed
 * addends of a sum add up to its printed total. */
#ifndef FRAY_EXPLAIN_ANSWER_H
#define FRAY_EXPLAIN_ANSWER_H

#include "runtime/explain/log.h"
#include "runtime/explain/story.h"

/* ---- what is asked ---- */

enum question_kind {
	ASK_EVENT,  /* why orc #1 dies; why did the orcs miss; why (the last event) */
	ASK_NOT,    /* why not orc #1 attacks Bruna */
	ASK_ORDER,  /* why orc #1 acts before Bruna */
	ASK_VALUE,  /* why Bruna's armour class */
	ASK_STATE,  /* why Bruna is surprised; why not orc #3 is able */
	ASK_CHOICE, /* why did Bruna choose that */
	ASK_SIDE,   /* why party wins; why did the fight take so long */
	ASK_DIE,    /* why was this die rolled; why Bruna's attack roll */
	ASK_RULE    /* why not "light weapons are quick" */
};

/* How the moment that a question names is meant: in it, before it, after it. */
enum asked_bound { BOUND_IN, BOUND_BEFORE, BOUND_AFTER };

/* What is wanted to know of the events asked about: why; who did it; to whom; how often; how many;
 * how many
 * it was done to; what somebody did; what befell somebody; what somebody was to do. */
enum wanted {
	WANT_CAUSE,
	WANT_WHO,
	WANT_WHOM,
	WANT_COUNT,
	WANT_MANY,
	WANT_MANY_WHOM,
	WANT_DEEDS,
	WANT_FATE,
	WANT_INTENT
};

enum asked_order { ASKED_BEFORE, ASKED_AFTER, ASKED_TOGETHER, ASKED_WHEN, ASKED_FIRST, ASKED_LAST,
	ASKED_SEQUENCE /* in what order did they act */ };

typedef VEC(word) people; /* combatants, in the order in which the encounter lists them */
bool people_has(const people *p, word who);
bool people_fit(const people *p, word who); /* as people_has; nobody named means anybody */

/* Is it a question of yes or no, of how things are or of how they were? */
enum asked_polar { POLAR_NO, POLAR_NOW, POLAR_PAST, POLAR_COULD };

struct question {
	enum question_kind kind;
	enum asked_polar polar;
	int is_so; /* of yes or no, of a state: 1 it is so, or was; 0 not; -1: not known */
	const char *text;        /* as it was asked, without "why"; borrowed */
	bool negated;            /* why not .. */
	enum wanted wanted;
	bool passive;            /* "was hit by Bruna" */
	bool befell;             /* the event is told of whom it befell, `who`: "is poisoned" */
	bool doer;               /* it befell others, and `who` had done it: "whom did Corin kill" */
	int32_t event;           /* index into program->event; -1: any act */
	int32_t blow;            /* what the act comes to and other acts may come to as well; -1 */
	people who;              /* who is asked about; empty: nobody is named */
	people whom;             /* upon whom; empty: anybody */
	people by; /* who is said to have done what befell `who`: "did Bruna kill orc #1" */
	VEC(word) thing;         /* weapons, spells: indices into program->thing */
	bool again;              /* "never attacked again": since the last time */
	bool anybody;            /* nobody in particular: "why did nobody attack Ann" */
	word who_side;           /* they were named as a side: which; or NONE */
	int32_t round;           /* in round 2; 0: not said */
	int32_t from, to;        /* after round 2: from 3; before round 2: to 1; 0: not said */
	int64_t moment;          /* in segment 5, counted in the unit shown; INT64_MIN: not said */
	enum asked_bound bound;  /* before segment 5 */
	/* it is called as it was told: "falls asleep", "is stuck"; the verb as it stands in a dictionary, and what follows; NULL: by its event */
	const char *told_verb, *told_rest;
	const char *told_text;   /* or word for word: "Halvaine's web is complete"; NULL */
	/* ASK_ORDER */
	enum asked_order order;
	people other;            /* before, after, together with whom */
	const char *won;         /* "who won the initiative": the die of sides that is meant; NULL */
	/* ASK_EVENT, ASK_NOT: the record found by why.c (EVENT, or VOID, CANCEL, REFUSED, LEFT); ASK_VALUE
	 * and ASK_STATE: the QUESTION record of the value, asked for once more. -1: none */
	int32_t record;
	/* ASK_ORDER: the other one */
	int32_t other_record;
	bool before_rounds;      /* the moment is one of surprise, before round 1 */
	int figure; /* "hit with a 20": a number that its die or the event has; 0: none */
	int nth;    /* "the third time": which of several; -1: the last; 0: not said */
	int times;  /* "twice": how often it was, as the question has it; 0: not said */
	int32_t others;          /* how many other records answer the question as well */
	/* ASK_VALUE, ASK_STATE: what it is now, in words; the stored field it is, or -1, and whose */
	const char *value;
	int32_t field;
	word owner;
	bool thrown; /* ASK_DIE: `name` is the last word of the die's, rolled by those */
	const char *name;        /* of a state, a die, a rule: "surprised", "attack roll"; borrowed, or NULL */
};

/* What answers read. The log is open for as long as the answer is made. */
struct inquiry {
	const struct program *p;
	const struct trace *t;
	const word *world;       /* the block as it stands */
	struct log log;
	int32_t end;             /* the fight's own records; those behind it answer the question */
	/* "bridge.fray, line 41": where a line or a rule stands; nothing when it has no place. NULL: nobody knows */
	void (*place)(void *context, struct span at, struct buf *out);
	/* what is written there; NULL: nobody knows */
	void (*text)(void *context, struct span at, struct buf *out);
	void *context;
};

/* ---- what is answered ---- */

struct figure {
	char *text;              /* one line; owned */
	int32_t record, clause;  /* what it was read from, -1: nothing */
	bool total;              /* the sum of those above it */
	bool has_value;
	int64_t value, den;      /* of an addend or a total: value / den */
};

/* What the last sentence turns round: as lang/api/otherwise.h takes it. */
enum turn_sort { TURN_NOTHING, TURN_EVENT, TURN_NOT, TURN_ORDER, TURN_VALUE };
struct turn {
	enum turn_sort sort;
	int32_t record;          /* that was explained; of an order the later one */
	int32_t event, other_event;
	word who, whom, other;
};

/* What was supposed and is not so: an answer begins with that. */
enum premise {
	PREMISE_HOLDS,
	PREMISE_OTHER,    /* "It is the other way round: .." */
	PREMISE_OVER,     /* "That is over: .." */
	PREMISE_HAPPENED, /* "But it did happen: .." */
	PREMISE_SOMEBODY  /* "Somebody did: .." */
};
/* Did a die that was asked about come to what was needed? */
enum reached { REACHED_UNASKED, REACHED_YES, REACHED_NO };

struct answer {
	enum premise premise;
	int32_t refused; /* the REFUSED record that says why not, and one; 0: none */
	bool untried; /* they did something else, and nothing says that they could not */
	size_t premise_length; /* so much of the sentence says it */
	enum reached reached;
	struct buf about;        /* the first sentence, and what corrects the premise */
	VEC(struct figure) figure;
	VEC(int32_t) rule;       /* a clause of each */
	struct buf otherwise;    /* the last sentence; why.c fills it from `turn` when it is empty */
	struct turn turn;
	struct buf die;          /* the die that the last sentence changes, its value then, and as it fell */
	int64_t die_value, die_was;
};

void answer_free(struct answer *a);
/* Says, to begin with, that what was supposed is not so. */
void answer_premise(struct answer *a, enum premise p);
/* Adds a figure: one line, its record and clause (-1). */
void answer_figure(struct answer *a, int32_t record, int32_t clause, const char *format, ...) FRAY_PRINTF(4, 5);
/* The same as an addend of a sum, or as its total: it is checked that they add up. */
void answer_addend(struct answer *a, int32_t record, int32_t clause, int64_t value, int64_t den, const char *format, ...) FRAY_PRINTF(6, 7);
void answer_total(struct answer *a, int32_t record, int32_t clause, int64_t value, int64_t den, const char *format, ...) FRAY_PRINTF(6, 7);
/* Cites the rule of a clause, once. What cannot be said in words - no paraphrase stands in its citation - is cited by its name. */
void answer_rule_of(const struct program *p, struct answer *a, int32_t clause);
/* What another answer found becomes part of this one: the rules it cites; its figures, too. */
void answer_rules_from(const struct program *p, struct answer *a, const struct answer *from);
void answer_figures_from(struct answer *a, const struct answer *from);

/* One for each kind. False: it has no short answer, and nothing was added. */
bool answer_event(const struct inquiry *s, const struct question *q, struct answer *out);
/* The record that a question about an event is answered by: the last that makes it true, of the first who is asked about. -1. */
int32_t answer_event_found(const struct inquiry *s, const struct question *q);
/* What decided a record and what is below it: comparisons with a die in them, amounts, and the rules of its system. */
void answer_below(const struct log *l, int32_t record, struct answer *out);
/* A line for an act: "round 2: Bruna attacked orc #1: hit, 5 damage" (answer_deeds.c). */
void answer_deed_line(const struct inquiry *s, int32_t number, struct answer *out);
/* What somebody did, or what befell them (WANT_DEEDS, WANT_FATE). False: nothing was told. */
bool answer_deeds(const struct inquiry *s, const struct question *q, struct answer *out);
/* Of a question that wants to know who, whom, how often: all that answer it, counted
 * (answer_list.c). */
bool answer_list(const struct inquiry *s, const struct question *q, struct answer *out);
/* What somebody was to do, and whether it came to that (answer_meant.c). */
bool answer_meant(const struct inquiry *s, const struct question *q, struct answer *out);
/* Why somebody did it twice, or once only (answer_times.c). */
bool answer_times(const struct inquiry *s, const struct question *q, struct answer *out);
/* The one of several that the question counts out (answer_nth.c). */
bool answer_nth(const struct inquiry *s, const struct question *q, struct answer *out);
/* What the rule goes by that had an event of somebody's come so often: "Runa's routines are 2". */
void answer_times_reason(const struct inquiry *s, word who, int32_t number, bool once,
	struct buf *about, struct answer *out);
/* "once", "twice", "3 times" */
void answer_times_add(int n, struct buf *out);
bool answer_not(const struct inquiry *s, const struct question *q, struct answer *out);
bool answer_order(const struct inquiry *s, const struct question *q, struct answer *out);
/* Of two EVENT records of one round, whatever was asked: which comes first, or that they are together, and why. */
bool answer_order_of(const struct inquiry *s, int32_t one, int32_t other, struct answer *out);
/* The one for this kind. Answers about values, states, choices, sides, dice and rules need the script: lang/api/reason.h. */
bool answer_make(const struct inquiry *s, const struct question *q, struct answer *out);

/* ---- how it is told ---- */

/* Many of a sort in groups: "orc #1 to #14" (answer_runs.c); of a text, and of all that an answer says. */
void answer_runs(const struct program *p, struct buf *text);
void answer_shorten(const struct program *p, struct answer *a);
/* Sentence, figures, rules, the last sentence. */
void answer_tell(const struct program *p, const struct answer *a, const struct story_options *o);
/* The members "answer", "figures", "rules" and "otherwise" of the JSON object that `out` has begun. */
void answer_json(const struct program *p, struct answer *a, struct buf *out);

/* ---- words that answers share (answer_words.c) ---- */

/* "round 2", "segment 4 of round 1", "the surprise segments": when a record happened. False: before everything. */
bool answer_when(const struct log *l, int32_t number, struct buf *out);
/* "What a rule says (OSRIC, 3)": its own words, then source and chapter, without the ids of an inventory. */
void answer_rule_text(const struct program *p, int32_t clause, struct buf *out);
/* The same apart: what it says, and "OSRIC, 3". */
void answer_rule_says(const struct program *p, int32_t clause, struct buf *out);
void answer_source(const struct program *p, int32_t clause, struct buf *out);
/* "[1d8: 5, forced]", with how a die fell; "(forced)" where the total says it all. */
void answer_fall(const struct log *l, const struct record *roll, struct buf *out);
/* A reason without the ids of an inventory: "out of the weapon's reach (DEW-1.2.5-j)". */
void answer_plain(const char *text, struct buf *out);
/* The first letter of a sentence, at `at`, becomes a capital; a name stays as it is written. */
void answer_capital(const struct program *p, struct buf *sentence, size_t at);
/* "orc #1, orc #2 and Bruna" */
void answer_people(const struct program *p, const word *who, int n, struct buf *out);
/* Puts words such as "Yes: " in front of a sentence, of which the first `skip` bytes go. It goes on
 * with a small letter, unless it begins with a name. */
void answer_lead(const struct program *p, const char *lead, size_t skip, struct buf *about);

/* ---- English (english.c) ---- */
/* A text with "@" for each place of a name, to see whether the same is said of two. */
void english_nameless(const char *text, const char *name, struct buf *out);

enum tense { TENSE_BASE, TENSE_PAST, TENSE_PARTICIPLE };
/* A verb of the third person ("dies", "is", "begins") in another form, appended: "die", "died", "died". */
void english_verb(const char *verb, size_t length, enum tense tense, struct buf *out);
/* The end of the subject of a sentence that tells what somebody does ("orc #1 dies", "Halvaine's web is
 * complete"), and that of its verb. False: it is no such sentence ("miss", "5 damage"). */
bool english_split(const struct program *p, const char *text, size_t *subject, size_t *verb);
/* "orc #1 died"; "orc #1 would have died", "orc #1 would not have died". False: it is no sentence. */
enum mood { MOOD_DID, MOOD_DID_NOT, MOOD_WOULD, MOOD_WOULD_NOT };
bool english_sentence(const struct program *p, const char *text, enum mood mood, struct buf *out);
/* The same of what an EVENT, DECLARE, VOID .. record is about, whether it is told in a sentence or not. */
void english_event(const struct log *l, int32_t number, enum mood mood, struct buf *out);

#endif
