/* ledger.h - what was taken from whom, and what was given back, by whom and with what: an entry for
 * each, read from the log; and the answers that are made of them: sums, the most, who, with what.
 *
 *   Ald did the most damage: 29; then bugbear with 8 and Bruna with 5. */
#ifndef FRAY_EXPLAIN_LEDGER_H
#define FRAY_EXPLAIN_LEDGER_H

#include "runtime/explain/answer.h"

/* What is counted: stdlib/amounts.def. */
struct ledger_topic {
	int32_t event;           /* by which it comes; -1: no rule has it */
	int32_t field;           /* that other events may raise to the same effect; -1: none */
	bool given;              /* given back, and not taken */
	const char *noun, *did, *got, *back, *participle;
};

struct ledger_entry {
	int32_t record;          /* the event, or the change */
	int32_t doing;           /* the told event around it; -1 */
	word by, to;             /* NONE: nobody in particular */
	int32_t thing;           /* with what; -1 */
	int64_t amount, meant;   /* what came of it; what it was to be */
};
typedef VEC(struct ledger_entry) ledger;

enum ledger_wanted {
	LEDGER_SUM,   /* how much damage did Ann do */
	LEDGER_TIMES, /* how often was Ann healed */
	LEDGER_BY,    /* who healed Ann */
	LEDGER_TO,    /* whom did Osw heal */
	LEDGER_RANK,  /* who did the most damage */
	LEDGER_ONE,   /* what was the hardest hit */
	LEDGER_DID,   /* did Osw heal Ann */
	LEDGER_WHY    /* why did the fireball do 24 damage; when was Ann healed */
};

struct ledger_question {
	struct ledger_topic topic;
	enum ledger_wanted wanted;
	people by, to;
	word by_side, to_side;   /* they were named as a side; NONE */
	bool upon;               /* whoever got it is asked about, and not who did it */
	bool least, negated;
	bool each;               /* on whom it took effect, and on whom not */
	bool only, spared;       /* "took only the orcs"; "spared the orcs" */
	int32_t thing;           /* -1: any */
	int64_t figure;          /* 0: any */
	const struct question *when;
};

/* The thing that a role of that type names by a value: a weapon, a spell, or one of those in play;
 * -1: none. */
int32_t ledger_thing_named(const struct program *p, struct vtype type, const word *value);
/* All entries that the question is about; to be freed with VEC_FREE. */
void ledger_read(const struct inquiry *s, const struct ledger_question *q, ledger *out);
/* False: there is nothing to answer it with. */
bool ledger_answer(const struct inquiry *s, const struct ledger_question *q, struct answer *out);

/* ---- ledger_thing.c ---- */

/* What a thing did in anybody's hands, or in theirs: all acts it had a part in. */
bool ledger_thing(const struct inquiry *s, const struct ledger_question *q, struct answer *out);
/* Which things of a kind they used, or all: "which spells did Lys cast". */
bool ledger_kind(
	const struct inquiry *s, const struct ledger_question *q, int kind, struct answer *out);
/* What came of a thing for those it was to come to: "did the sleep affect the ghoul". False: nobody
 * used it. */
bool ledger_effect(const struct inquiry *s, const struct ledger_question *q, struct answer *out);
/* Whether something of somebody's changed in an act, and what was told of them there. */
bool ledger_came_to(const struct inquiry *s, int32_t act, word who, struct buf *told);
/* Whether an event came to a thing, told as what it does: "breaks". */
bool ledger_event(const struct inquiry *s, const struct ledger_question *q, int32_t event,
	const char *verb, struct answer *out);

/* ---- ledger_spared.c ---- */

/* On whom the act of a thing took effect, on whom not, and why. */
bool ledger_spared(
	const struct inquiry *s, const struct ledger_question *q, int32_t act, struct answer *out);
/* ": ghoul #1 died in segment 3": behind what came to nobody, what kept it from each it was for. */
void ledger_spared_each(const struct inquiry *s, int32_t act, struct answer *out);
/* What kept an act from somebody, of whom nothing was told in it; its rule goes into `out`. False:
 * nothing is known of that. */
bool ledger_spared_said(
	const struct inquiry *s, int32_t act, word who, struct buf *about, struct answer *out);

/* ---- ledger_worn.c ---- */

/* Is it of a kind that is worn: armour (stdlib/worn.def)? */
bool ledger_is_worn(const struct program *p, int32_t thing);
/* The kind of what is worn whose name a text begins with; NULL: none. */
const char *ledger_worn_kind(const char *text);
/* What somebody bears that is worn: that thing by any of its names, or whatever it is (-1); *on:
 * they have it on. -1: nothing of that sort. */
int32_t ledger_borne(
	const struct program *p, const word *world, word who, int32_t thing, bool *on);
/* Whether it helped: the blows that hit in spite of it, and those that missed. */
bool ledger_worn(const struct inquiry *s, word who, int32_t thing, bool on,
	const struct question *when, struct answer *out);

/* ---- words they share (ledger_said.c) ---- */

/* "twice"; "13 damage"; " in segment 4 of round 1"; "the orcs" */
void ledger_times(int n, struct buf *out);
void ledger_much(const struct ledger_question *q, int64_t n, struct buf *out);
void ledger_when(const struct inquiry *s, int32_t record, struct buf *out);
void ledger_people(const struct inquiry *s, const people *p, word side, struct buf *out);
int64_t ledger_sum(const ledger *l);
/* Dice of one name become a figure. */
void ledger_die(const struct inquiry *s, const int32_t *roll, int n, struct answer *out);

#endif
