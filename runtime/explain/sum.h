/* sum.h - what the log knows of a number: the parts of a sum, the two sides of a comparison.
 *
 * A SUM record lists an expression's parts as they came by (lang/gen/gen_sum.c). Here they are read back, with what
 * each of them rests on: a die, a question with its own parts, a mark of the event, a field. */
#ifndef FRAY_EXPLAIN_SUM_H
#define FRAY_EXPLAIN_SUM_H

#include "runtime/explain/answer.h"

enum { SIDE_PARTS = 16 };

struct part {
	char op;             /* + - * / ^ v, as gen_sum.c has them; r: rounded */
	const char *text;    /* as it is written; "" for a plain number */
	struct vtype type;
	word value;
};
struct side {
	struct part part[SIDE_PARTS];
	int n;
	struct vtype type;
	word total;
};
struct sum {
	int32_t record;
	const char *name;    /* of a sum: the local name, role or field it is for; "" */
	bool compares;
	struct side left, right; /* of a sum the left one */
	bool resolved;       /* the left side is that of a local sum */
	const char *how;     /* of a comparison: ">=" */
	bool holds;
};

/* A comparison of a local sum is read as that of its parts: "margin >= 0" as what was rolled and added against what was
 * taken off last. */
bool sum_read(const struct log *l, int32_t record, struct sum *out);
/* Is a die in it? */
bool sum_has_die(const struct log *l, const struct sum *s);
bool sum_side_has_die(const struct log *l, int32_t record, const struct side *side);
/* Does it compare with nothing at all: "amount > 0"? */
bool sum_is_trivial(const struct sum *s);
/* Is it "many > 0" of what is counted down, one at a time? */
bool sum_counts_down(const struct sum *s);
/* The last SUM record before `before` below `parent`; with `compares`, the last comparison, else the last sum called `name`. -1. */
int32_t sum_before(const struct log *l, int32_t parent, int32_t before, bool compares, const char *name);
/* The comparison that a roll was made for: the last with a die before something comes of it; -1. */
int32_t sum_after(const struct log *l, int32_t roll);
/* The roll a part shows: of an event around the sum, with that value, called as the part is; -1. */
int32_t sum_roll(const struct log *l, int32_t record, const struct part *p);
/* The QUESTION record a part is the answer of; -1. */
int32_t sum_question(const struct log *l, int32_t record, const struct part *p);
/* The MARK record that set what a part reads, of an event in progress then; -1. */
int32_t sum_mark(const struct log *l, int32_t record, const struct part *p);
/* The field that the text of a part reads, if only rules know it; -1. */
int sum_kept_field(const struct program *p, const char *text);
/* A part in words: names for roles, "extra to-hit" for "strike's extra to-hit (..)". */
void sum_part_text(const struct log *l, int32_t record, const struct part *p, struct buf *out);
/* A number as it counts: value / den. False: it is none. */
bool sum_number(struct vtype type, word value, int64_t *number, int64_t *den);

/* Adds what a sum is made of to the figures, of a comparison the side with the die, and what it is compared with; nothing but
 * the number when there is nothing to add. `head` is what the total is called. */
void sum_figures(const struct log *l, const struct sum *s, const char *head, struct answer *out);
/* "17 reaches the 11 needed": the comparison as a clause of a sentence. */
void sum_compared(const struct log *l, const struct sum *s, struct buf *out);

#endif
