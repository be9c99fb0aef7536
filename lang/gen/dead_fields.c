/* dead_fields.c - see dead_fields.h. */
#include "lang/gen/dead_fields.h"

#include <stdlib.h>
#include <string.h>

#include "lang/gen/call_graph.h"
#include "runtime/base/must.h"
#include "runtime/code/ops.h"
#include "runtime/vm/live.h"

/* May acts that happen at once write here, each on a copy of the world? Two that leave one cell differently stop the run. */
static bool leads_acts(enum op op)
{
	switch (op) {
	case OP_GROUP: case OP_SOLO: case OP_BEGIN: case OP_BEGINS: case OP_STEP: case OP_TURN: case OP_BRANCH: case OP_CALLACT:
		return true;
	default:
		return false;
	}
}

static void reach_leaders(struct reach *x)
{
	for (int i = 0; i < x->p->events; i++)
		reach_stages(x, i);
	for (int i = 0; i < x->p->fns; i++)
		for (int32_t k = x->p->fn[i].entry; k < x->p->fn[i].end && !x->reached[i]; k++)
			if (leads_acts((enum op)x->p->code[k].op))
				reach_fn(x, i);
	reach_on(x);
}

/* `if PAIR (one, other) is none { set PAIR (..) = NUMBER .. }`: asks whether to write, and writes nothing else. The
 * instruction behind it, from the question at `at` on; else -1. */
static int32_t guard_end(const struct program *p, const struct fn_info *f, int32_t at)
{
	const struct insn *question = &p->code[at], *jump = question + 1;
	if (at + 1 >= f->end || jump->op != OP_JSOME || jump->a != question->a || jump->k < 0)
		return -1;
	const int32_t end = at + 2 + jump->k;
	for (int32_t k = at + 2; k < end; k++) {
		const struct insn *i = &p->code[k];
		const bool loads = i->op == OP_MOVE || i->op == OP_LOADI || i->op == OP_LOADK;
		if (!loads && (i->op != OP_STP || i->c != question->c))
			return -1;
	}
	return end;
}

/* Nobody comes into it, and nobody reads behind it what it wrote down. */
static bool is_closed(const struct program *p, const struct fn_info *f, int32_t at, int32_t end, const struct live *live)
{
	for (int32_t k = f->entry; k < f->end; k++) {
		const int32_t to = op_jumps((enum op)p->code[k].op) ? k + 1 + p->code[k].k : -1;
		if (to > at && to < end && (k < at || k >= end))
			return false;
	}
	for (int32_t k = at; k < end; k++)
		if (p->code[k].op != OP_JSOME && p->code[k].op != OP_STP && live_at(live, end, p->code[k].a))
			return false;
	return true;
}

/* Which pair fields are written, but only where no acts happen at once, and read by guards alone? */
static bool find_unread(const struct program *p, bool *unread)
{
	struct reach leaders;
	bool any = false;
	reach_open(&leaders, p);
	reach_leaders(&leaders);
	for (int i = 0; i < p->fns; i++)
		for (int32_t k = p->fn[i].entry; k < p->fn[i].end; k++)
			if (p->code[k].op == OP_STP)
				unread[p->code[k].c] = any = true;
	for (int i = 0; i < p->fns && any; i++)
		for (int32_t k = p->fn[i].entry; k < p->fn[i].end; k++) {
			const struct insn *x = &p->code[k];
			if ((x->op == OP_LDP && guard_end(p, &p->fn[i], k) < 0) || (x->op == OP_STP && leaders.reached[i]) || x->op == OP_ADP || x->op == OP_ADPB)
				unread[x->c] = false;
		}
	reach_close(&leaders);
	any = false;
	for (int i = 0; i < p->pairs; i++)
		any |= unread[i];
	return any;
}

bool program_drop_unread(struct program *p, bool *which)
{
	bool *unread = calloc((size_t)p->pairs + 1, sizeof *unread), changed = false;
	if (!unread)
		abort();
	memset(which, 0, (size_t)p->fns * sizeof *which);
	if (p->from_start && find_unread(p, unread)) {
		struct live *live = live_new(p);
		for (int i = 0; i < p->fns; i++)
			for (int32_t k = p->fn[i].entry; k < p->fn[i].end; k++)
				if (p->code[k].op == OP_LDP && unread[p->code[k].c])
					unread[p->code[k].c] = is_closed(p, &p->fn[i], k, guard_end(p, &p->fn[i], k), live);
		live_free(live);
		for (int i = 0; i < p->fns; i++)
			for (int32_t k = p->fn[i].entry; k < p->fn[i].end; k++) {
				struct insn *x = &p->code[k];
				if ((x->op != OP_LDP && x->op != OP_STP) || !unread[x->c])
					continue;
				const int32_t end = x->op == OP_LDP ? guard_end(p, &p->fn[i], k) : k + 1;
				memset(x, 0, (size_t)(end - k) * sizeof *x); /* NOP */
				which[i] = changed = true;
			}
	}
	free(unread);
	return changed;
}
