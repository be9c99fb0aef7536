/* dead_fields.h - pair fields that nothing reads are left out of silent programs. */
#ifndef FRAY_GEN_DEAD_FIELDS_H
#define FRAY_GEN_DEAD_FIELDS_H

#include "runtime/code/program.h"

/* Drops the reads and writes of pair fields that are read only to see whether they must be filled:
 * the distances of a fight without a rule about distance. Marks in `which`, one a function, whose
 * code changed; true if any did. To be run on optimised functions, before inlining. */
bool program_drop_unread(struct program *p, bool *which);

#endif
