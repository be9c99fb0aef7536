/* crew.h - threads that find out what becomes of rows.
 *
 * Each thread writes down what a row comes to; it is put into the chain afterwards, row by
 * row and in their order, so the chain is the same whatever the number of threads. What needs
 * a machine, or a way nobody has gone yet, is left to the one who asks. */
#ifndef FRAY_SIM_CREW_H
#define FRAY_SIM_CREW_H

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
