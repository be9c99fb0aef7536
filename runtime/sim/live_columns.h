/* live_columns.h - which columns are live at a place of the graph, as far as it is explored. */
#ifndef FRAY_SIM_LIVE_COLUMNS_H
#define FRAY_SIM_LIVE_COLUMNS_H

#include "runtime/sim/graph.h"

struct wants;
struct wants *wants_new(const struct graph *g);
void wants_free(struct wants *n);
/* Works it out for the graph as it is now. */
void wants_find(struct wants *n);
/* May a test, a fix or a measure yet depend on the column? Of places found since: true. */
bool wants_column(const struct wants *n, int32_t place, int column);

#endif
