/* never.h - what never.c, limits.c and exclude.c know of conditions without playing anything. */
#ifndef FRAY_CHECK_NEVER_H
#define FRAY_CHECK_NEVER_H

#include "lang/check/alike.h"

/* ---- limits.c: what a number can be ---- */

/* From `least`, where there is one, to `most`, as fractions. `open`: the bound itself is not
 * reached. `unset`: or none at all, which is neither more nor less than anything. */
struct limits { bool low, high, low_open, high_open, unset; word least, most; };
enum { LETS_MAX = 32 };
struct reckoning {
	const struct model *m;
	int64_t round; /* in which it is asked; -1: any */
	sym kept;      /* what was asked for last of what events keep, and what it can be */
	struct limits kept_limits;
	struct { sym name; struct limits limits; } let[LETS_MAX]; /* values named in this body */
	int lets;
};
struct limits limits_of(struct reckoning *r, const struct node *n);
bool limits_just(struct limits l); /* one number alone */
/* Whether no number of a is in this relation to one of b. */
bool limits_apart(int op, struct limits a, struct limits b);
/* Whether no number is in both. */
bool limits_disjoint(struct limits a, struct limits b);
/* The relation that holds of two numbers when this one does not. */
int relation_denied(int op);
bool is_compare(const struct node *n);
bool is_literal(const struct node *n);

/* ---- exclude.c: parts of conditions that exclude each other ---- */

/* Whether the two cannot be at once, by their words or by what the definitions of adjectives in
 * them demand. */
bool parts_exclude(struct reckoning *r, struct part a, struct part b);

#endif
