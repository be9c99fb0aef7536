/* lost.h - what a script's rules, tables and lines lose or leave undone: a warning for each, of a
 * model that is sound. lost.c: values; rows.c: rows that never answer; inert.c: things that do
 * nothing; spare.c: lines `X follows ..` that a later one replaces. */
#ifndef FRAY_CHECK_LOST_H
#define FRAY_CHECK_LOST_H

#include "lang/check/model.h"

void check_lost(struct model *m);
void check_rows(struct model *m);
void check_inert(struct model *m);
/* Of a statement of mid-fight that writes a field which only counts until then. */
void warn_instead(struct model *m, const struct node *n);
/* Of the lines `X follows ..` of one list. */
void warn_follows(struct model *m, const struct node *items);

#endif
