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
	int32_t act, round, group;
	int keys;
	struct key at[KEYS_MOST];
};

/* Where the act of an EVENT record was placed. */
void placing_of(const struct log *l, int32_t event, struct placing *out);
/* The first key in which two placings differ; -1: in none. `before` tells whether a's goes first. False: they were not
 * placed by the same keys. */
bool placing_differ(const struct placing *a, const struct placing *b, int *key, bool *before);
/* The MOVED record of a pair clause that moved the act, or -1: the last before its group began. */
int32_t placing_moved(const struct log *l, const struct placing *a);
/* The PEND record by which the act became pending, or -1. */
int32_t placing_pended(const struct log *l, const struct placing *a);
/* A key's value in words: "segment 4", "6". */
void placing_value(const struct log *l, const struct placing *a, int key, struct buf *out);

/* What a QUESTION record's answer rests on: "the orcs' initiative die, 4 (forced); +1 haste". The rules that said so are
 * cited in `rules`. False: there is nothing to say. */
bool ground_of(const struct log *l, int32_t question, struct answer *rules, struct buf *out);
/* The same for a key of a placing. */
bool ground_of_key(const struct log *l, const struct placing *a, int key, struct answer *rules, struct buf *out);
/* The ROLL record that a QUESTION's answer is, or -1: it is no die's. */
int32_t ground_die(const struct log *l, int32_t question);
/* "the orcs' initiative" */
void ground_die_name(const struct log *l, int32_t roll, struct buf *out);
/* "the orcs'" */
void ground_die_owner(const struct log *l, int32_t roll, struct buf *out);

/* Whose act a MOVED record's act was moved for; NONE. */
word moved_by(const struct inquiry *s, int32_t moved);
/* "Brand goes before Orc by the rule "speed factors": factor 5 against 10"; the numbers become figures, and the rule is cited. */
void moved_told(const struct inquiry *s, const struct placing *who, word other, int32_t moved, struct answer *out);

/* Where the stored values come from that a BASE record reads: the CHANGE records, and the rolls they took them from (-1: none). */
struct origin { int32_t change, roll; };
int origin_find(const struct log *l, int32_t base, int32_t question, struct origin *out, int most);

#endif
