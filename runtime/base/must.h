/* must.h - what the code believes about itself.
 *
 * must() states an invariant: it is checked in every build but release, where it
 * becomes a promise to the compiler's reader only. unreachable() marks a branch that
 * no input can take. Neither is ever used for something a script can cause: that is
 * a diagnostic (diag.h). */
#ifndef FRAY_BASE_MUST_H
#define FRAY_BASE_MUST_H

#include <assert.h>
#include <stdlib.h>

#define must(condition) assert(condition)
#define unreachable() (assert(!"unreachable"), abort())

#define FRAY_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#if defined(__GNUC__)
#define FRAY_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define FRAY_PRINTF(text, first)
#endif

#endif
