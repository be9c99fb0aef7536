/* extend.h - a fight goes on with one more line, from where it stands.
 *
 * A line typed in mid-fight makes another program. What it means waits for a block of its own,
 * so that program mostly is the one before and something behind it (runtime/world/extends.h):
 * then its machine takes over world and log, and nothing is played again. Where that cannot be
 * seen the fight is played from its start, as decision 22 has it. A build with assertions does
 * both and compares them. */
#ifndef FRAY_API_EXTEND_H
#define FRAY_API_EXTEND_H

#include "lang/api/aside.h"

/* The script has the line and the model is made; `from` stands where the line was typed, and is
 * left as it is. False: there is no machine, and the fight is to be played. */
bool extend_fight(struct fray *f, struct aside *from, enum fray_status *s);

#endif
