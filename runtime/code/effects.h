/* effects.h - what functions of a linked program do besides giving an answer. */
#ifndef FRAY_CODE_EFFECTS_H
#define FRAY_CODE_EFFECTS_H

#include "runtime/code/program.h"

/* Fills fn_info.pure (the answer rests on the arguments, fields and the act and time at hand
 * alone, and asking changes nothing) and the `fixed` of fields and pairs that nothing writes
 * once the fight is on. fn_info.steps: the same but for steps through the pending acts. Called when
 * all else of the program is made. fn_info.own: the function answers with one word, is asked of one
 * thing, which stays in its first register, and rests on nothing that changes but fields of that
 * thing, one at least; acts are left out. */
void program_effects(struct program *p);

/* Does a field hold one number for all at the start? Where it is fixed, it holds it ever after; some instruction may
 * write that number there again, in programs that are sure to begin at the start. */
bool program_uniform(const struct program *p, int field, word *value);

#endif
