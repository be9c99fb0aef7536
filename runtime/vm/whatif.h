/* whatif.h - "what if" on the machine itself: its fight is put aside, other dice are tried from
 * a world it went through, and then it stands where it stood, its log included. */
#ifndef FRAY_VM_WHATIF_H
#define FRAY_VM_WHATIF_H

#include "runtime/vm/vm.h"

struct whatif;

/* `earliest` is the earliest world that will be tried, of this program and this fight. `host`
 * is the machine's meanwhile; `fuel` is what all tries together may take. Only between steps. Tries
 * record what happens, but no questions; where a round after `last_round` would begin, vm_step gives VM_SYNC. */
struct whatif *whatif_begin(struct vm *m, const word *earliest, const struct vm_host *host, uint64_t fuel, word last_round);
/* Puts the machine at a world. False when there is no fuel left. */
bool whatif_at(struct whatif *a, const word *world);
/* What follows is told: its acts end in the log, too. Until then they do not, since nobody reads how. */
void whatif_for_telling(struct whatif *a, uint64_t fuel);
void whatif_end(struct whatif *a);

#endif
