/* lasting.h - what odds ask about that cannot become otherwise: the dead, where nobody is raised. */
#ifndef FRAY_CODE_LASTING_H
#define FRAY_CODE_LASTING_H

#include "runtime/code/program.h"

/* A field to which the whole program writes one number and no other stays what it is once it holds that number.
 * Where all measures rest on such fields of certain things alone, and on what nobody writes, this fills
 * program->last: the words, each with its number. When all hold them, the measures are what they will be at the
 * end. Beside events (watches) little would end early, and worlds that end in different ways are kept apart: so
 * then there is none. Wants program_effects before it. */
void program_lasting(struct program *p);

#endif
