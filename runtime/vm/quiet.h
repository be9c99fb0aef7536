/* quiet.h - which turns of a quiet loop (program.h, struct quiet_info) may do something.
 *
 * A turn is due until it was found to do nothing. QNEXT takes who is due next, and he is due no
 * longer; if his turn is not quiet, AGAIN makes him due again, and so does whoever writes a word
 * that his turn rests on. */
#ifndef FRAY_VM_QUIET_H
#define FRAY_VM_QUIET_H

#include "runtime/vm/memo.h"

struct vm;

void quiet_open(struct memo *x, const struct program *p);
void quiet_close(struct memo *x);
void quiet_forget(struct memo *x); /* all are due */
void quiet_wrote(struct memo *x, uint32_t at);
/* The world will be `to`. */
void quiet_renew(struct memo *x, const word *now, const word *to);

/* The next behind `one` whose turn is due, or NONE. All are, where it is not known. `row`: the
 * first of the pair, of a loop over pairs. */
word quiet_next(struct vm *m, int32_t loop, word one, word row);
void quiet_again(struct vm *m, int32_t loop, word one, word row);

#endif
