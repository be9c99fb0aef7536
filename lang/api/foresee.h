/* foresee.h - `?` at a die's question: why it is asked, and what it must reach. */
#ifndef FRAY_API_FORESEE_H
#define FRAY_API_FORESEE_H

#include "lang/api/table.h"

/* Tells which act the die is rolled for and by which rule, and what each of its values would
 * lead to before the next die: the beat is played on with every value. `start` is the world
 * before the beat (NULL: while everybody is set up), `known` the answers since. */
void table_foresee(struct fray *f, const struct dice_ask *ask, const word *start, const struct table_dice *known);

#endif
