/* amount.h - the die behind an amount that is told: "4 damage [1d8: 3, +1]", "8 damage [2 x 1d8: 4]". */
#ifndef FRAY_EXPLAIN_AMOUNT_H
#define FRAY_EXPLAIN_AMOUNT_H

#include "runtime/explain/log.h"

/* The ROLL record that a number of an EVENT rests on, by the sum the number was made in; appends " [1d8: 3, +1]". It is added up
 * again: -1, and nothing is appended, when that does not come to the number, or the number is the die's own. */
int32_t amount_die(const struct log *l, int32_t event, word *amount, struct buf *out);

#endif
