/* needs.h - which columns matter at a place of the graph, by what is known of it. */
#ifndef FRAY_SIM_NEEDS_H
#define FRAY_SIM_NEEDS_H

#include "runtime/sim/graph.h"

struct needs;
struct needs *needs_new(const struct graph *g);
void needs_free(struct needs *n);
/* Works it out for the graph as it is now. */
void needs_find(struct needs *n);
/* May a test, a fix or a measure yet depend on the column? Of places found since: true. */
bool needs_column(const struct needs *n, int32_t place, int column);
/* The places one can go to from this one, i from 0; -1 behind the last. */
int32_t needs_next(const struct needs *n, int32_t place, int i);

#endif
