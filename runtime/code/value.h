/* value.h - what a word means: one untagged 64-bit word, its type known beforehand.
 *
 * Words hold whole numbers, quantities in a base unit, packed fractions (num.h), or
 * indices; never pointers or floats, so equal worlds are equal bytes. NONE is "unset" for
 * every type. A set of live things is a run of program->set_words words, one bit a thing.
 *
 * Base units: time 1/10 second, distance 1/100 foot, scale distance 1/100 scale inch,
 * weight 1/100 lb, money 1 cp; a chance is always a fraction. */
#ifndef FRAY_CODE_VALUE_H
#define FRAY_CODE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/num.h"

enum vbase {
	VT_UNKNOWN,
	VT_NUMBER,   /* a plain number */
	VT_TIME,
	VT_DISTANCE,
	VT_SCALE,    /* scale distance: 12" */
	VT_WEIGHT,
	VT_MONEY,
	VT_CHANCE,
	VT_COUNT,    /* a unit of its own, such as a count of an initiative ladder */
	VT_BOOL,
	VT_WORD,     /* one of a list of words: index into program->text */
	VT_TEXT,     /* index into program->text */
	VT_DICE,     /* index into program->dice */
	VT_THING,    /* a template: index into program->thing */
	VT_LIVE,     /* a live thing of vtype.kind: its index */
	VT_SET,      /* a set of live things of vtype.kind */
	VT_LIST,     /* a list of templates of vtype.kind or of words, with repeats; only in fields */
	VT_EVENT,    /* an event or action: index into program->event */
	VT_BASES
};

struct vtype {
	uint8_t base;  /* enum vbase */
	bool frac;     /* a packed fraction of the base unit */
	uint16_t kind; /* for THING, LIVE, SET, LIST: index into program->kind */
};

/* In a LIST's place of a kind: it is one of words. */
enum { OF_WORDS = UINT16_MAX };

/* Kinds every program has, in this order. */
enum {
	KIND_ENCOUNTER, /* one */
	KIND_ROUND,     /* one */
	KIND_SIDE,
	KIND_COMBATANT,
	KIND_ACT,
	KIND_FIRST_DECLARED
};

enum { SECOND = 10, FOOT = 100, POUND = 100 };

static inline bool vtype_is_number(struct vtype t)
{
	return t.base >= VT_NUMBER && t.base <= VT_COUNT;
}

#endif
