/* absorbing.h - measures that stay as they are once they hold: the dead, where nobody is raised.
 * */
#ifndef FRAY_CODE_ABSORBING_H
#define FRAY_CODE_ABSORBING_H

#include "runtime/code/program.h"

/* A field to which the program writes only one number keeps it once it holds it. Where all measures
 * read only such fields of certain things, fields that are never written, and events (watches),
 * this fills program->last: the words, each with its number. When all words hold their number, and
 * all events have happened or no longer can (vm_settled), the measures are final. To be run after
 * program_effects. */
void program_lasting(struct program *p);

#endif
