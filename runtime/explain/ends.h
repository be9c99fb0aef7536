/* ends.h - how an act ended, in words.
 *
 * An act that was declared has one end in the log (docs/decisions/0071-ends-of-acts.md). It is worded here alone: for
 * stories, `--brief`, JSON, previews and `why`, which adds when it was to be, by whom it was hindered, figures and rules. */
#ifndef FRAY_EXPLAIN_ENDS_H
#define FRAY_EXPLAIN_ENDS_H

#include "runtime/explain/log.h"

/* "orc #1 was to attack Bruna, but died in segment 4": of a VOID, REFUSED or LEFT record, told at its own moment, without
 * a full stop. */
void end_said(const struct log *l, int32_t number, struct buf *out);
/* The same of an act that was interrupted, without what interrupted it: told below that. */
void end_alone(const struct log *l, int32_t number, struct buf *out);
/* The same of a LEFT record in two parts: "attack Bruna", and "died in segment 4". */
void end_deed(const struct log *l, int32_t number, struct buf *out);
void end_because(const struct log *l, int32_t number, struct buf *out);

#endif
