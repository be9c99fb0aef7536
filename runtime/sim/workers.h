/* workers.h - threads that compute the transitions of rows.
 *
 * Each thread logs what becomes of its rows; the results enter the chain afterwards in the order
 * of rows, so the chain does not depend on the number of threads. What needs a machine, or a
 * transition that is not explored yet, is left to the calling thread. */
#ifndef FRAY_SIM_WORKERS_H
#define FRAY_SIM_WORKERS_H

#include "runtime/sim/descent.h"

struct crew;
/* NULL for one thread, which needs none. */
struct crew *crew_new(int threads);
void crew_free(struct crew *c);
/* Looks into these rows. */
void crew_work(struct crew *c, struct descent *d, const uint32_t *rows, int n);
/* Puts what the i-th of them comes to into the chain. False: descent_row has to. */
bool crew_done(struct crew *c, struct descent *d, int i);

#endif
