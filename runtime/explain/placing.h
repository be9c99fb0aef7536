/* placing.h - how an act was placed in the order of its round: when its group was chosen, by which
 * keys, and which pair clauses moved it. Read from KEY and MOVED records. */
#ifndef FRAY_EXPLAIN_PLACING_H
#define FRAY_EXPLAIN_PLACING_H

#include "runtime/explain/answer.h"

enum { KEYS_MOST = 6, KEY_NAME = 64 };

/* One key of `order acts by`, and what it is for an act. */
struct key {
	char name[KEY_NAME];  /* "initiative", "active left" */
	bool highest;         /* the highest goes first, else the lowest */
	bool time;            /* it is the time of the act */
	int32_t record;       /* the QUESTION record, or -1: the key is a stored value */
	word value;
	struct vtype type;
};

struct placing {
	int32_t event;        /* the EVENT record that is asked about */
	int32_t root;         /* what was placed: it, or the act it happened in */
	int32_t key;          /* the KEY record; -1: none */
	word who;
	bool unmade;          /* it came to nothing when its turn came */
	int32_t act, round, group;
	int keys;
	struct key at[KEYS_MOST];
};

/* Where the act of an EVENT record was placed. */
void placing_of(const struct log *l, int32_t event, struct placing *out);
/* The first key in which two placings differ; -1: in none. `before` tells whether a's goes first. False: they were not
 * placed by the same keys. */
bool placing_differ(const struct placing *a, const struct placing *b, int *key, bool *before);
/* The same keys for somebody else as they stood when an act was chosen, where all of them are
 * stored values. False: they are not. */
bool placing_then(const struct log *l, const struct placing *a, word who, struct placing *out);
/* The MOVED record of a pair clause that moved the act, or -1: the last before its group began. */
int32_t placing_moved(const struct log *l, const struct placing *a);
/* The MOVED record of a pair clause that has `first` before `later` whatever their keys, which have it so, too; or -1. */
int32_t placing_settled(const struct log *l, const struct placing *first, const struct placing *later);
/* The last MOVED record before `from`, of its round, of a pair clause about two acts; or -1. */
int32_t placing_between(const struct log *l, int32_t from, int32_t one, int32_t other);
/* The PEND record by which the act became pending, or -1. */
int32_t placing_pended(const struct log *l, const struct placing *a);
/* A key's value in words: "segment 4", "6". */
void placing_value(const struct log *l, const struct placing *a, int key, struct buf *out);

/* What a QUESTION record's answer rests on: "the orcs' initiative die, 4 (forced); +1 haste". The rules that said so are
 * cited in `rules`. False: there is nothing to say. */
bool ground_of(const struct log *l, int32_t question, struct answer *rules, struct buf *out);
/* The same for a key of a placing. */
bool ground_of_key(const struct log *l, const struct placing *a, int key, struct answer *rules, struct buf *out);
/* The question that a QUESTION's base reads its value from, where it is the same; -1: none. */
int32_t ground_read(const struct log *l, int32_t question);
/* The ROLL record that a QUESTION's answer is, or -1: it is no die's. */
int32_t ground_die(const struct log *l, int32_t question);
/* "the orcs' initiative" */
void ground_die_name(const struct log *l, int32_t roll, struct buf *out);
/* "the orcs'" */
void ground_die_owner(const struct log *l, int32_t roll, struct buf *out);

struct sum;

/* ---- what the files of order share ---- */

typedef VEC(struct placing) placings;

/* Who is asked about, in one sentence. */
struct pair {
	struct placing a, b;          /* the first and the second of the question */
	int a_of, a_nth, b_of, b_nth; /* which of their acts of the round */
};

/* The round that is asked about: 0 before the first; -1: any. */
int32_t order_round(const struct question *q);
/* All that these people did of an event (-1: any act), in a round (-1: in any). */
void order_acts(const struct inquiry *s, int32_t event, const people *who, int32_t round, placings *out);
/* "segment 4"; false: the act has no time. */
bool order_moment(const struct inquiry *s, const struct placing *a, struct buf *out);
/* "Halvaine acts", "Halvaine's web is complete" */
void order_deed(const struct inquiry *s, const struct question *q, const struct placing *a, int32_t event, struct buf *out);
/* The pair's first acts before its second. `swapped`: the question is about the second; `several`: its round is told. */
bool order_apart(const struct inquiry *s, const struct question *q, const struct pair *p, bool swapped, bool several, struct answer *out);
/* Somebody's side. */
word order_side(const struct inquiry *s, word who);
/* Why somebody acts at a moment; first or last of a round. */
bool order_when(const struct inquiry *s, const struct question *q, struct answer *out);
bool order_end(const struct inquiry *s, const struct question *q, bool last, struct answer *out);
/* In what order they acted: the groups of a round, each with its moment (order_sequence.c). */
bool order_sequence(const struct inquiry *s, const struct question *q, struct answer *out);
/* Nobody asked them what they do: what the rule that asks others looked at. */
/* A blow of the one's, in a round in which the other came to none: "before thug #1 could strike".
 * False: the other had one. */
bool order_alone(
	const struct inquiry *s, const struct question *q, const placings *one, struct answer *out);
/* What sides rolled last before the first round, and before a record: the dice of surprise. */
void order_early_dice(const struct inquiry *s, int32_t before, struct answer *out);
bool order_unasked(const struct inquiry *s, const struct question *q, word who, struct answer *out);
/* One of two did not act, or they acted in no round together. */
bool order_none(const struct inquiry *s, const struct question *q, const placings *one, const placings *other, struct answer *out);

/* "The dead won the initiative of round 5, 5 against 4: ", by dice of that label (order_won.c).
 * False: it is not clear. */
bool order_won(const struct inquiry *s, int label, int32_t round, struct buf *out);

/* ---- order_blows.c ---- */

/* Two blows that no turns decide: within one act, or in acts that a rule made pending. `turns`: the acts by whose turns the
 * question is so, whose answer goes first when they are aimed at each other; NULL: none. False: there is no such pair. */
bool order_blows(const struct inquiry *s, const struct question *q, const struct pair *turns, struct answer *out);
/* The comparison nearest before `to`, after `from`, that holds and has the same number of two people on its sides. */
bool weighed_by(
	const struct log *l, int32_t from, int32_t to, word first, struct sum *out);
/* "Orc's reach is 6 ft, Brand's 3.5 ft" */
void weighed_add(const struct log *l, const struct sum *by, word first, word second, struct buf *out);

/* ---- order_key.c ---- */

/* A number that people at the table know by the key's name: a field, or what a die is called. Not so
 * what rules count with ("rank"), and what has no value. */
bool order_key_printed(const struct inquiry *s, const struct placing *a, int key);
/* "Halvaine, segment 4: the orcs' initiative die, 4 (forced)" becomes a figure when the key rests on something that can be named. */
bool order_figure(const struct inquiry *s, const struct placing *a, int key, struct answer *out);
/* The dice behind the moment that somebody acts in: "Garrick, count 5: the party's initiative die, 5";
 * with `told` their rules alone. */
void order_moment_figures(
	const struct inquiry *s, const struct placing *a, struct answer *out, bool told);
/* "the orcs' initiative is 6, the party's 2": two dice of one sort by their owners, the values after `is`. */
void order_dice(const struct inquiry *s, int32_t x, int32_t y, const char *is, const char *joint, struct buf *out);
/* Why the key has a before b: the dice behind it, its values, or what the rule says that gave them, which is returned then, -1. */
int32_t order_key_told(const struct inquiry *s, const struct placing *a, const struct placing *b, int key, struct buf *out);
/* What the values of the key rest on, with the rules; `told` is the clause that order_key_told has said. */
void order_key_figures(const struct inquiry *s, const struct placing *a, const struct placing *b, int key, int32_t told, struct answer *out);

/* ---- order_void.c ---- */

/* What these people were to do, as it was placed, and what came to nothing when its turn came. */
void order_voided(const struct inquiry *s, const people *who, int32_t round, placings *out);
/* " Bruk fell in count 5 of round 1, when Ada attacked Bruk, and so did not act." */
void order_fate(const struct inquiry *s, const struct placing *a, struct answer *out);
/* One of two was under way with something that was cancelled after the other had acted. */
bool order_cancelled(const struct inquiry *s, const struct question *q, const placings *one, const placings *other, struct answer *out);

/* ---- moved.c ---- */

/* Whose act a MOVED record's act was moved for; NONE. */
word moved_by(const struct inquiry *s, int32_t moved);
/* "Brand goes before Orc by the rule "speed factors": factor 5 against 10"; the numbers become figures, and the rule is cited. */
void moved_told(const struct inquiry *s, const struct placing *who, word other, int32_t moved, struct answer *out);
/* The end of that: " by the rule "speed factors": factor 5 against 10". */
void moved_rule_told(const struct inquiry *s, const struct placing *who, int32_t moved, struct answer *out);

/* ": score 5, face against 4": the two numbers of somebody's act that a rule compared to answer a question; the same
 * as figures, with what they rest on. False: it did not compare two. */
bool compared_apart(const struct inquiry *s, int32_t question, word who, struct buf *out);
bool compared_alone(const struct inquiry *s, int32_t question, word who, struct answer *out);
/* The figure "Grak acts before Zel by the rule "blows and spells": Zel's segment is 3 segments, Grak's number 2 segments" of
 * the EVENT record `by` and an act of somebody's, where a pair clause spoke of them before record `from`. */
void moved_between_told(const struct inquiry *s, int32_t from, int32_t by, int32_t act, word whose, struct answer *out);

/* "; nothing else parts them: factor Ann 5, Cyd 5": numbers that pair clauses compared of two acts that stayed together. False: none. */
bool compared_told(const struct inquiry *s, const struct placing *a, const struct placing *b, struct answer *out);

/* Where the stored values come from that a BASE record reads: the CHANGE records (-1: it fell as it was), and the
 * rolls they took them from (-1: none). */
struct origin { int32_t change, roll; };
int origin_find(const struct log *l, int32_t base, int32_t question, struct origin *out, int most);

#endif
