/* quiet_write.c - quiet loops written into the program: where a loop begins, which turns it may
 * leave out. See quiet.h. */
#include "lang/gen/quieter.h"

#include <stdlib.h>
#include <string.h>

#include "lang/gen/sought.h"
#include "runtime/base/must.h"

enum { LOOPS_MOST = 1000, STATES_MOST = 1 << 22 };

struct writer {
	struct program *p;
	VEC(struct insn) code;
	VEC(struct span) span;
	VEC(struct quiet_info) quiet;
	VEC(struct quiet_rest) rest;
	VEC(int32_t) entry;        /* by function */
	VEC(struct act_filter) filter;
	VEC(struct act_test) test;
	/* of the function at hand, by instruction */
	int32_t *before, *place;   /* where what was put in front of it begins; it itself */
	struct insn *leaving;      /* what is put in front: AGAIN, or NOP */
	int32_t *aside;            /* the loop whose AGAIN a jump passes by, or -1 */
	int32_t *loop;             /* of a KNEXT: which quiet loop it becomes, or -1 */
	int32_t *sought;           /* of a LISTED: which filter it gets, or -1 */
	int row_of[LOOPS_MOST], who_of[LOOPS_MOST];
};

static struct insn again(const struct writer *w, int32_t loop)
{
	return (struct insn){.op = OP_AGAIN,
		.a = (uint16_t)w->who_of[loop],
		.b = (uint16_t)w->row_of[loop],
		.c = (uint16_t)loop};
}

static void add_loop(struct writer *w, const struct quieter *q, const struct found *of)
{
	const int32_t loop = w->quiet.n, n = q->f->end - q->f->entry;
	VEC_PUSH(w->quiet,
		(struct quiet_info){
			(uint16_t)quiet_kind_of_loop(q), q->row >= 0, q->writes, w->rest.n, q->rest.n});
	for (int i = 0; i < q->rest.n; i++)
		VEC_PUSH(w->rest, q->rest.v[i]);
	w->who_of[loop] = (int)q->who;
	w->row_of[loop] = q->row >= 0 ? q->row : (int)q->who;
	w->loop[q->head - q->f->entry] = loop;
	for (int32_t i = 0; i < n; i++) {
		if (of->leaves[i])
			w->leaving[i] = again(w, loop);
		if (of->aside[i])
			w->aside[i] = loop;
	}
}

/* Would it be noted in front of an instruction where that is done for another loop already? */
static bool is_in_the_way(const struct writer *w, const struct found *of, int32_t n)
{
	for (int32_t i = 0; i < n; i++)
		if ((of->leaves[i] && w->leaving[i].op == OP_AGAIN) ||
			(of->aside[i] && w->aside[i] >= 0))
			return true;
	return false;
}

static void find_loops(struct writer *w, const struct fn_info *f, const struct live *live)
{
	const int32_t n = f->end - f->entry;
	struct quieter q = {.p = w->p, .items = {.p = w->p, .f = (struct fn_info *)f}, .f = f};
	struct stretch numbers;
	struct found found = {
		.leaves = calloc((size_t)n + 1, 1), .aside = calloc((size_t)n + 1, 1)};
	must(found.leaves && found.aside);
	stretch_open(&numbers, f, f->entry, f->end);
	stretch_numbers(&q, &numbers);
	for (q.head = f->entry; q.head < f->end && w->quiet.n < LOOPS_MOST; q.head++)
		if (w->p->code[q.head].op == OP_KNEXT &&
			is_quiet_loop(&q, &numbers, live, &found) && !is_in_the_way(w, &found, n))
			add_loop(w, &q, &found);
	stretch_close(&numbers);
	VEC_FREE(q.rest);
	free(found.leaves);
	free(found.aside);
}

/* Loops over pending acts that look for some of them. */
static void find_sought(struct writer *w, const struct fn_info *f, const struct live *live)
{
	const struct items items = {.p = w->p, .f = (struct fn_info *)f};
	struct act_test tests[SOUGHT_MOST];
	for (int32_t at = f->entry; at < f->end; at++) {
		const int n =
			w->p->code[at].op == OP_LISTED ? sought_tests(&items, live, at, tests) : 0;
		if (n == 0)
			continue;
		w->sought[at - f->entry] = w->filter.n;
		VEC_PUSH(w->filter, (struct act_filter){w->test.n, n});
		for (int k = 0; k < n; k++)
			VEC_PUSH(w->test, tests[k]);
	}
}

static void emit(struct writer *w, struct insn i, struct span span)
{
	VEC_PUSH(w->code, i);
	VEC_PUSH(w->span, span);
}

/* Where a jump from number `at` to number `to` leads now: one that comes from behind is no turn's
 * that ends here. */
static int32_t goal_of(const struct writer *w, int32_t at, int32_t to)
{
	return to <= at ? w->place[to] : w->before[to];
}

static void write_anew(struct writer *w, const struct fn_info *f)
{
	const struct program *p = w->p;
	const int32_t n = f->end - f->entry;
	VEC_PUSH(w->entry, w->code.n);
	for (int32_t i = 0; i < n; i++) {
		const struct span span = p->code_span[f->entry + i];
		struct insn of = p->code[f->entry + i];
		w->before[i] = w->code.n;
		if (w->leaving[i].op == OP_AGAIN)
			emit(w, w->leaving[i], span);
		w->place[i] = w->code.n;
		if (w->loop[i] >= 0)
			of = (struct insn){.op = OP_QNEXT,
				.a = of.a,
				.b = (uint16_t)w->row_of[w->loop[i]],
				.c = (uint16_t)w->loop[i]};
		if (w->sought[i] >= 0)
			of.op = OP_SOUGHT;
		emit(w, of, span);
		if (w->sought[i] >= 0)
			emit(w, (struct insn){.op = OP_EXT, .k = w->sought[i]}, span);
	}
	w->before[n] = w->place[n] = w->code.n;
	for (int32_t i = 0; i < n; i++) {
		const struct insn *was = &p->code[f->entry + i];
		if (!op_jumps((enum op)was->op))
			continue;
		const int32_t to = i + 1 + was->k;
		int32_t goal = goal_of(w, i, to);
		if (w->aside[i] >= 0) { /* by way of an AGAIN of its own */
			const int32_t head = to + 1 + p->code[f->entry + to].k;
			goal = w->code.n;
			emit(w, again(w, w->aside[i]), p->code_span[f->entry + i]);
			emit(w, (struct insn){.op = OP_LOOP}, p->code_span[f->entry + i]);
			w->code.v[goal + 1].k = w->place[head] - goal - 2;
		}
		w->code.v[w->place[i]].k = goal - w->place[i] - 1;
	}
}

static void clear_marks(struct writer *w, int32_t n)
{
	memset(w->leaving, 0, ((size_t)n + 1) * sizeof *w->leaving);
	memset(w->aside, 0xff, ((size_t)n + 1) * sizeof *w->aside);
	memset(w->loop, 0xff, ((size_t)n + 1) * sizeof *w->loop);
	memset(w->sought, 0xff, ((size_t)n + 1) * sizeof *w->sought);
}

static bool may_have_loops(const struct program *p, const struct fn_info *f)
{
	bool any = false;
	for (int32_t at = f->entry; at < f->end && !any; at++)
		any = p->code[at].op == OP_KNEXT;
	return any && !f->pure && !f->steps && f->registers <= REGISTERS &&
		(size_t)(f->end - f->entry) * f->registers < STATES_MOST;
}

/* Copies a vector; an empty one has no memory of its own. */
#define TAKE(to, from) \
	do { \
		if ((from).n) \
			memcpy((to), (from).v, (size_t)(from).n * sizeof *(to)); \
	} while (0)

/* The program takes over what was written. */
static void hand_over(struct writer *w)
{
	struct program *p = w->p;
	program_put_code(p, w->code.v, w->span.v, w->code.n);
	p->quiet = arena_array(&p->arena, struct quiet_info, w->quiet.n + 1);
	p->filter = arena_array(&p->arena, struct act_filter, w->filter.n + 1);
	p->act_test = arena_array(&p->arena, struct act_test, w->test.n + 1);
	p->quiet_rest = arena_array(&p->arena, struct quiet_rest, w->rest.n + 1);
	TAKE(p->filter, w->filter);
	TAKE(p->act_test, w->test);
	TAKE(p->quiet, w->quiet);
	TAKE(p->quiet_rest, w->rest);
	for (int i = 0; i < p->fns; i++) {
		p->fn[i].entry = w->entry.v[i];
		p->fn[i].end = i + 1 < p->fns ? w->entry.v[i + 1] : w->code.n;
	}
	p->quiets = w->quiet.n;
	p->quiet_rests = w->rest.n;
	p->filters = w->filter.n;
	p->act_tests = w->test.n;
}

void program_quieten(struct program *p)
{
	struct writer w = {.p = p};
	struct live *live = live_new(p);
	int32_t most = 1;
	for (int i = 0; i < p->fns; i++)
		if (p->fn[i].end - p->fn[i].entry > most)
			most = p->fn[i].end - p->fn[i].entry;
	w.before = calloc((size_t)most + 2, sizeof *w.before);
	w.place = calloc((size_t)most + 2, sizeof *w.place);
	w.leaving = calloc((size_t)most + 2, sizeof *w.leaving);
	w.aside = calloc((size_t)most + 2, sizeof *w.aside);
	w.loop = calloc((size_t)most + 2, sizeof *w.loop);
	w.sought = calloc((size_t)most + 2, sizeof *w.sought);
	must(w.before && w.place && w.leaving && w.aside && w.loop && w.sought);
	for (int i = 0; i < p->fns; i++) {
		const struct fn_info *f = &p->fn[i];
		clear_marks(&w, f->end - f->entry);
		if (may_have_loops(p, f))
			find_loops(&w, f, live);
		find_sought(&w, f, live);
		write_anew(&w, f);
	}
	if (w.quiet.n > 0 || w.filter.n > 0)
		hand_over(&w);
	live_free(live);
	VEC_FREE(w.code);
	VEC_FREE(w.span);
	VEC_FREE(w.quiet);
	VEC_FREE(w.rest);
	VEC_FREE(w.entry);
	VEC_FREE(w.filter);
	VEC_FREE(w.test);
	free(w.before);
	free(w.place);
	free(w.leaving);
	free(w.aside);
	free(w.loop);
	free(w.sought);
}
