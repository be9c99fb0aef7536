/* wants.h - which columns matter at a place of the graph, by what is known of it. */
#ifndef FRAY_SIM_WANTS_H
#define FRAY_SIM_WANTS_H

#include "runtime/sim/graph.h"

struct wants;
struct wants *wants_new(const struct graph *g);
void wants_free(struct wants *n);
/* Works it out for the graph as it is now. */
void wants_find(struct wants *n);
/* May a test, a fix or a measure yet depend on the column? Of places found since: true. */
bool wants_column(const struct wants *n, int32_t place, int column);

#endif
