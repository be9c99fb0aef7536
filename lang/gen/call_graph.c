/* call_graph.c - see call_graph.h. */
#include "lang/gen/call_graph.h"

#include <stdlib.h>

#include "runtime/code/ops.h"

void reach_open(struct reach *x, const struct program *p)
{
	*x = (struct reach){.p = p};
	x->reached = calloc((size_t)p->fns + 1, sizeof *x->reached);
	x->made = calloc((size_t)p->events + 1, sizeof *x->made);
	x->left = calloc((size_t)p->fns + 1, sizeof *x->left);
	if (!x->reached || !x->made || !x->left)
		abort();
}

void reach_close(struct reach *x)
{
	free(x->reached);
	free(x->made);
	free(x->left);
}

void reach_fn(struct reach *x, int32_t fn)
{
	if (fn < 0 || x->reached[fn])
		return;
	x->reached[fn] = true;
	x->left[x->lefts++] = fn;
}

void reach_stages(struct reach *x, int32_t event)
{
	x->made[event] = true;
	for (int i = 0; i <= AT_STAGES; i++)
		reach_fn(x, x->p->event[event].stage_fn[i]);
}

int32_t *reach_named(struct insn *i, enum op before)
{
	return op_table[i->op].shape[1] == 'F' || (i->op == OP_EXT && before == OP_SKNOWN) ? &i->k : NULL;
}

void reach_on(struct reach *x)
{
	struct insn *code = x->p->code;
	while (x->lefts > 0) {
		const struct fn_info *f = &x->p->fn[x->left[--x->lefts]];
		for (int32_t k = f->entry; k < f->end; k++) {
			const int32_t *fn = reach_named(&code[k], k > f->entry ? (enum op)code[k - 1].op : OP_NOP);
			if (fn)
				reach_fn(x, *fn);
			if (code[k].op == OP_ACT)
				reach_stages(x, code[k].k);
		}
	}
}
