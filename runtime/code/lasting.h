/* lasting.h - what odds ask about that cannot become otherwise: the dead, where nobody is raised. */
#ifndef FRAY_CODE_LASTING_H
#define FRAY_CODE_LASTING_H

#include "runtime/code/program.h"

/* A field to which the whole program writes one number and no other stays what it is once it holds that number.
 * Where all measures rest on such fields of certain things alone, on what nobody writes, and on events (watches),
 * this fills program->last: the words, each with its number. When all hold them, and all events have happened or
 * cannot any more (vm_settled), the measures are what they will be at the end. Wants program_effects before it. */
void program_lasting(struct program *p);

#endif
