/* effect.h - what effect.c shares with written.c and facts.c: the fields that rules of a script
 * write, and those that it states. */
#ifndef FRAY_CHECK_EFFECT_H
#define FRAY_CHECK_EFFECT_H

#include "lang/check/model.h"

/* Where each field and each field of pairs is written first; NULL: nowhere, or it is not looked for. */
struct writes { struct model *m; const struct node **field, **pair; };

/* Fills both tables. They live in the model's arena. */
void written_find(struct writes *w);
/* Warns of those whose byte in `field` or `pair` is not 0: nothing reads them. */
void written_report(const struct writes *w, const uint8_t *field, const uint8_t *pair);

/* ---- facts.c ---- */

/* Where a script states each field first, in a stat block or an encounter, and how often; NULL:
 * nowhere, or it is not looked for. */
struct facts { struct model *m; const struct node **field; int *times; };

/* Whether it is an option's value for one. */
bool field_is_option(const struct model *m, int field);
/* Fills both tables. They live in the model's arena. */
void facts_find(struct facts *x);
/* Warns of those whose byte in `unread` is not 0: nothing reads them. */
void facts_report(const struct facts *x, const uint8_t *unread);

/* ---- fact_words.c ---- */

/* Warns of words that a script states and no rule asks for, of fields that take any word. */
void check_fact_words(struct model *m);

#endif
