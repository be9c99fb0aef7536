/* flow.h - exact odds by letting probability flow through the graph of places. */
#ifndef FRAY_SIM_FLOW_H
#define FRAY_SIM_FLOW_H

#include "runtime/sim/shares.h"

/* Adds up all ways the dice can fall. False when the program's fights cannot be lifted: then
 * nothing was added, and they have to be enumerated machine by machine. */
bool flow_run(const struct exact_plan *plan, struct exact *out, struct open_sums *sums, bool *proven);

#endif
