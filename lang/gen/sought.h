/* sought.h - loops over the pending acts that look for few of them. */
#ifndef FRAY_GEN_SOUGHT_H
#define FRAY_GEN_SOUGHT_H

#include "lang/gen/insn_list.h"

enum { SOUGHT_MOST = 6 }; /* tests */

/* The loop whose LISTED stands at `head`: which tests of an act are made, if a turn does nothing
 * where all of them fail. Returns how many there are; 0: such turns may do something. `items`: of
 * the function. */
int sought_tests(
	const struct items *items, const struct live *live, int32_t head, struct act_test *tests);

#endif
