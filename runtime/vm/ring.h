/* ring.h - answers about the order of acts that go round in a ring (world/order.h). */
#ifndef FRAY_VM_RING_H
#define FRAY_VM_RING_H

#include "runtime/vm/machine.h"
#include "runtime/world/order.h"

/* Of the answers in the ring one that another of them beats, by its number; -1: none. */
int ring_beaten(const struct vm *m, const struct order *o, const struct order_answer *answer);
/* Stops for a ruling: who is to come before whom, by which rules. `acts` has the act of each number. */
bool ring_ruling(struct vm *m, const struct order *o, const struct order_answer *answer, const word *acts);

/* order_next; of answers in a ring those go that another beats (`in` counts them), until none is left. `acts` as above.
 * False: it needs a ruling, and the run has stopped. */
bool ring_next(struct vm *m, struct order_input *in, struct order_answer *answer, const word *acts, struct order *o);

#endif
