/* graph_opt.h - an optimised copy of the graph, for walks: without what no test and no measure
 * reads, and without the places between. */
#ifndef FRAY_SIM_GRAPH_OPT_H
#define FRAY_SIM_GRAPH_OPT_H

#include "runtime/sim/graph.h"

struct brisk;
/* Of the graph as it is now; NULL when it is too big. */
struct brisk *brisk_new(const struct graph *g);
void brisk_free(struct brisk *b);
/* As far as it is known: the ending's number, its measures in values[]; -1 when the graph itself
 * has to be walked. */
int32_t brisk_walk(const struct brisk *b, struct graph *g, uint64_t seed, uint64_t trial, word *values);

#endif
