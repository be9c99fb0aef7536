/* fork.h - a machine whose dice are answered from outside, one outcome after another.
 *
 * vm_go stops before each die (VM_FORK), and at places where different dice may have come to
 * the same world (VM_SYNC): an event begins, a member of a group ends a stage, a round begins, a `repeat` turns,
 * the host may look. There the whole machine can be written down as words and read back. What
 * nothing reads again is written as 0, so machines that go on alike are equal words. */
#ifndef FRAY_VM_FORK_H
#define FRAY_VM_FORK_H

#include "runtime/vm/vm.h"

/* The words of one machine; the owner frees v. */
struct saved { word *v; int n, cap; };

/* The die that is waited for: dice, or a chance (dice -1). */
struct fork_die { int32_t dice; word chance; };

/* Which registers are read later, for every instruction of a program. Shared by machines. */
struct live;
struct live *live_new(const struct program *p);
void live_free(struct live *l);

/* From vm_begin or vm_begin_at on, dice wait. `live` NULL: nothing is forgotten. */
void vm_enumerate(struct vm *m, const struct live *live);
enum vm_status vm_go(struct vm *m);
struct fork_die vm_die(const struct vm *m);
void vm_answer(struct vm *m, word value);
/* Nothing that happens from here on can change a measure: what they all ask about has happened, or can no more. */
bool vm_settled(const struct vm *m);
/* After vm_go: every answer from low to high would have come to the same. */
void vm_range(const struct vm *m, word *low, word *high);

/* ---- forget.c: what nothing reads again ---- */
enum forgetting { FORGET_NOTHING, FORGET_LEARN, FORGET_MARK };
/* Makes ready; what may be forgotten is learnt by playing in mode LEARN, and narrowed by any
 * reader met in mode MARK (vm_needed: then all that was made of marked worlds is void). */
void vm_forget_open(struct vm *m);
void vm_forget_close(struct vm *m);
void vm_forget_mode(struct vm *m, enum forgetting how);
void vm_forget(struct vm *m);
bool vm_needed(const struct vm *m);

/* `round_begins`: with no act pending, numbers that only count begin again. */
void vm_save(const struct vm *m, bool round_begins, struct saved *out);
/* For each word of a saved machine its word of the world; 0: a word from elsewhere; NO_PLACE: a
 * mask, a count or an address, which is not a value. */
#define NO_PLACE UINT32_MAX
void vm_save_places(const struct vm *m, const struct saved *from, uint32_t *at);
void vm_load(struct vm *m, const struct saved *from);

#endif
