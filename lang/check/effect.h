/* effect.h - what effect.c shares with written.c, facts.c and declared.c: the fields that rules of
 * a script write, those that it states, and those that it declares. */
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

/* Where a script states each field and each field of pairs first, in a stat block or an encounter,
 * and how often each field; NULL: nowhere. */
struct facts {
	struct model *m;
	const struct node **field, **pair;
	int *times;
};

/* Whether it is an option's value for one. */
bool field_is_option(const struct model *m, int field);
/* Fills the tables. They live in the model's arena. */
void facts_find(struct facts *x);
/* Whether the field is stated, and it may be that nothing comes of that. */
bool fact_may_be_idle(const struct facts *x, int field);
bool fact_may_be_idle_of_pair(const struct facts *x, int pair);
/* Warns of those whose byte in `field` or `pair` is not 0: nothing reads them. */
void facts_report(const struct facts *x, const uint8_t *field, const uint8_t *pair);

/* ---- declared.c ---- */

/* Whether a field or a field of pairs is the script's own, and somebody should ask for it. */
bool field_may_be_declared(const struct model *m, int field);
bool pair_may_be_declared(const struct model *m, int pair);
/* "grudge (one, other)". */
void pair_shown(const struct model *m, int pair, struct buf *out);
/* Warns of those that are not stated, and whose byte in `field` or `pair` is not 0. */
void declared_report(const struct facts *x, const uint8_t *field, const uint8_t *pair);

/* ---- fact_words.c ---- */

/* Warns of words that a script states and no rule asks for, of fields that take any word. */
void check_fact_words(struct model *m);

#endif
