/* effect.h - what effect.c and written.c share: the fields that rules of a script write. */
#ifndef FRAY_CHECK_EFFECT_H
#define FRAY_CHECK_EFFECT_H

#include "lang/check/model.h"

/* Where each field and each field of pairs is written first; NULL: nowhere, or it is not looked for. */
struct written { struct model *m; const struct node **field, **pair; };

/* Fills both tables. They live in the model's arena. */
void written_find(struct written *w);
/* Warns of those whose byte in `field` or `pair` is not 0: nothing reads them. */
void written_report(const struct written *w, const uint8_t *field, const uint8_t *pair);

#endif
