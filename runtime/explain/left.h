/* left.h - why rules refused an act, and why an act was left over, as stories, JSON and `why` all tell it. */
#ifndef FRAY_EXPLAIN_LEFT_H
#define FRAY_EXPLAIN_LEFT_H

#include "runtime/explain/log.h"

/* ---- refusal.c: of a REFUSED record, a VOID that was refused, or a LEFT that a clause stood in the way of ---- */

/* The reason that a rule gives, without its clause. */
void refusal_reason(const struct log *l, int32_t number, struct buf *out);
/* " (distance 30 ft, movement left 0 ft)": numbers that the condition looked at. */
void refusal_figures(const struct log *l, int32_t number, struct buf *out);

/* ---- left.c: of a LEFT record ---- */

/* Does its act have a time beyond the round? Then that, counted in the unit shown. */
bool left_beyond(const struct log *l, int32_t number, int64_t *column);
/* Where what was declared is never pending by itself, but rules did something by it, "Vael attacks
 * the mind of Ith" of who contends with Ith: that EVENT record; -1: nothing came of it. */
int32_t left_in_effect(const struct log *l, int32_t number);
/* "the fight was over", "no turn was left after: moves toward orc": what its act came to nothing by. */
void left_reason(const struct log *l, int32_t number, struct buf *out);
/* The PEND record by which what came before it in the same declaration had its turn; -1: nothing had. */
int32_t left_turn(const struct log *l, int32_t number);
/* "out of reach (distance 80 ft)": what the rules refused it for besides, when the round was over. False: nothing. */
bool left_refused(const struct log *l, int32_t number, struct buf *out);
/* Both. */
void left_why(const struct log *l, int32_t number, struct buf *out);
/* "Ann was to attack orc, Bob to wait, but the fight was over": this one and those behind it with the same reason; nothing, when none of
 * them is news. Returns the record behind the last of them. */
int32_t left_together(const struct log *l, int32_t number, struct buf *out);

#endif
