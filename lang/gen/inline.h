/* inline.h - functions put in where they are called. */
#ifndef FRAY_GEN_INLINE_H
#define FRAY_GEN_INLINE_H

#include "runtime/code/program.h"

/* Puts short functions in where they are called, one level deep; true when any was. A callee's
 * registers lie above its caller's in either case, so that nothing has to be renumbered but by a
 * constant. What keeps answers about itself (conditions, what sets are sifted by, functions that
 * loop and only read) stays a function, and each function stays to be called from elsewhere
 * (dead_functions.h leaves out those that are not). `code` and `span` of the program are new memory
 * of its arena. `grown`, one a function, says of each whether something was put into it. */
bool program_inline(struct program *p, bool *grown);

#endif
