/* call_graph.h - which functions can be reached from a set of functions. */
#ifndef FRAY_GEN_CALL_GRAPH_H
#define FRAY_GEN_CALL_GRAPH_H

#include "runtime/code/program.h"

struct reach {
	const struct program *p;
	bool *reached;        /* by function */
	bool *made;           /* by event: acts of it are made, so its stages are come to */
	int32_t *left, lefts; /* reached, and not yet looked through */
};

void reach_open(struct reach *x, const struct program *p);
void reach_close(struct reach *x);

/* -1: none */
void reach_fn(struct reach *x, int32_t fn);
/* As if acts of it were made. */
void reach_stages(struct reach *x, int32_t event);
/* Whom those that are reached call, whose acts they make. */
void reach_on(struct reach *x);

/* Where this instruction names a function, or NULL; `before`: the one before it in its function, or NOP. */
int32_t *reach_named(struct insn *i, enum op before);

#endif
