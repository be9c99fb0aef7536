/* dead_functions.c - see dead_functions.h. */
#include "lang/gen/dead_functions.h"

#include <stdlib.h>
#include <string.h>

#include "lang/gen/call_graph.h"
#include "runtime/base/must.h"

struct pruning {
	struct program *p;
	struct reach reach;
	int32_t *now; /* by function: its new number, -1: it goes */
};

/* Tables that name functions which are asked from outside the code (`kept`), and the others. */
static void each_row(struct pruning *x, void (*kept)(struct pruning *, int32_t *), void (*other)(struct pruning *, int32_t *))
{
	struct program *p = x->p;
	kept(x, &p->main_fn);
	kept(x, &p->probe_fn);
	kept(x, &p->measure_fn);
	for (int i = 0; i < p->orders; i++) {
		kept(x, &p->order[i].key_fn);
		kept(x, &p->order[i].pair_fn);
		kept(x, &p->order[i].partner_fn);
	}
	for (int i = 0; i < p->whenevers; i++)
		kept(x, &p->whenever[i].fn);
	for (int i = 0; i < p->questions; i++)
		(i == p->at.act_time_question || i == p->at.void_question ? kept : other)(x, &p->question[i].fn);
	for (int i = 0; i < p->expects; i++) {
		struct expect_info *e = &p->expect[i];
		int32_t *const fns[] = {&e->fn, &e->left_fn, &e->subject_fn, &e->time_fn, &e->other_fn};
		for (int k = 0; k < (int)FRAY_COUNT(fns); k++)
			kept(x, fns[k]);
		for (int k = 0; k < e->roles; k++)
			kept(x, &e->match[k].fn);
	}
	for (int i = 0; i < p->phases; i++)
		other(x, &p->phase[i].fn);
	for (int i = 0; i < p->events; i++) {
		other(x, &p->event[i].perform_fn);
		other(x, &p->event[i].legal_fn);
		for (int k = 0; k <= AT_STAGES; k++)
			other(x, &p->event[i].stage_fn[k]);
	}
}

static void begin_at(struct pruning *x, int32_t *fn)
{
	reach_fn(&x->reach, *fn);
}

static void leave(struct pruning *x, int32_t *fn)
{
	(void)x;
	(void)fn;
}

static void renumber(struct pruning *x, int32_t *fn)
{
	if (*fn >= 0)
		*fn = x->now[*fn];
}

/* What is left moves up. */
static void close_up(struct pruning *x, bool *which)
{
	struct program *p = x->p;
	int32_t fns = 0, to = 0;
	struct insn *code = malloc((size_t)p->code_count * sizeof *code);
	struct span *span = malloc((size_t)p->code_count * sizeof *span);
	if (!code || !span)
		abort();
	for (int32_t i = 0; i < p->fns; i++)
		x->now[i] = x->reach.reached[i] ? fns++ : -1;
	for (int32_t i = 0; i < p->fns; i++) {
		struct fn_info f = p->fn[i];
		if (x->now[i] < 0)
			continue;
		const int32_t n = f.end - f.entry;
		memcpy(code + to, p->code + f.entry, (size_t)n * sizeof *code);
		memcpy(span + to, p->code_span + f.entry, (size_t)n * sizeof *span);
		for (int32_t k = to; k < to + n; k++) {
			int32_t *fn = reach_named(&code[k], k > to ? (enum op)code[k - 1].op : OP_NOP);
			if (fn)
				*fn = x->now[*fn];
		}
		f.entry = to;
		f.end = to += n;
		p->fn[x->now[i]] = f;
		if (which)
			which[x->now[i]] = which[i];
	}
	memcpy(p->code, code, (size_t)to * sizeof *code);
	memcpy(p->code_span, span, (size_t)to * sizeof *span);
	p->code_count = to;
	p->fns = fns;
	free(code);
	free(span);
	each_row(x, renumber, renumber);
}

bool program_prune(struct program *p, bool *which)
{
	struct pruning x = {.p = p};
	x.now = calloc((size_t)p->fns + 1, sizeof *x.now);
	if (!x.now)
		abort();
	reach_open(&x.reach, p);
	each_row(&x, begin_at, leave);
	for (int i = 0; i < p->events && !p->from_start; i++)
		reach_stages(&x.reach, i);
	reach_on(&x.reach);
	const int32_t before = p->fns;
	/* nobody makes acts of it, so nobody comes to a stage by one: by name he may */
	for (int i = 0; i < p->events; i++)
		for (int k = 0; k <= AT_STAGES && !x.reach.made[i]; k++)
			p->event[i].stage_fn[k] = -1;
	close_up(&x, which);
	reach_close(&x.reach);
	free(x.now);
	return p->fns < before;
}
