/* again.h - questions that a function asks again although nothing was written that their answers
 * rest on. */
#ifndef FRAY_GEN_AGAIN_H
#define FRAY_GEN_AGAIN_H

#include "runtime/code/program.h"

/* The lines of a policy ask the same one after the other: `attack my nearest enemy when my nearest
 * enemy is not none`. Where a function asked a question with a loop of one of its own parameters,
 * and on every way from there to where it asks again at most acts are made, judged and given up,
 * it takes the answer it had. For programs that nobody observes. Wants program_effects before it.
 * True when any function changed; `grown`, one a function, says which. */
bool program_ask_once(struct program *p, bool *grown);

#endif
