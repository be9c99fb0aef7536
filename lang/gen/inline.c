/* inline.c - see inline.h. */
#include "lang/gen/inline.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/code/ops.h"
#include "runtime/vm/live.h"

enum {
	SHORT = 40,     /* a callee of more instructions is called.. */
	ONCE = 120,     /* ..but for one that is called from one place only */
	BRIEF = 16,     /* ..and a stage of an event of more than that.. */
	LONE = 64,      /* ..but for one where acts that come alone are led, which most do */
	LONE_ALL = 128, /* of those so many in all */
	LONG = 900,     /* a caller does not grow past this */
	REGISTERS_MOST = LIVE_WORDS * 64 - 8
};

enum { STAYS = 1, STAYS_ELSEWHERE };

struct inlining {
	struct program *p;
	uint8_t *stays;     /* by function: is not put in anywhere (STAYS), or only where acts that come alone are led (STAYS_ELSEWHERE) */
	int32_t lone;       /* instructions put in there */
	int32_t *calls;     /* by function: from how many places */
	struct insn *code;
	struct span *span;
	int32_t n, room;
	int32_t *place;     /* by instruction of the function at hand: where it went */
};

/* Short, and calls nobody: what stands in a table stays a function, too, and would be there twice. */
static bool is_brief(const struct program *p, const struct fn_info *f)
{
	bool calls = false;
	for (int32_t k = f->entry; k < f->end; k++)
		calls |= p->code[k].op == OP_CALL;
	return !calls && f->end - f->entry <= BRIEF;
}

/* Is it asked for its answer by somebody who notes that it was asked? */
static void find_staying(struct inlining *x)
{
	const struct program *p = x->p;
	for (int i = 0; i < p->whenevers; i++)
		if (p->whenever[i].fn >= 0 && !p->fn[p->whenever[i].fn].own) /* of those that are no answer is kept (runtime/vm/memo.h) */
			x->stays[p->whenever[i].fn] = STAYS;
	for (int32_t k = 0; k + 1 < p->code_count; k++)
		if (p->code[k].op == OP_SKNOWN)
			x->stays[p->code[k + 1].k] = STAYS;
	for (int i = 0; i < p->events; i++)
		for (int stage = 0; stage <= AT_STAGES; stage++)
			if (p->event[i].stage_fn[stage] >= 0 && !x->stays[p->event[i].stage_fn[stage]] && !is_brief(p, &p->fn[p->event[i].stage_fn[stage]]))
				x->stays[p->event[i].stage_fn[stage]] = STAYS_ELSEWHERE;
	for (int i = 0; i < p->fns; i++) {
		const struct fn_info *f = &p->fn[i];
		if (f->end <= f->entry || f->end - f->entry > ONCE)
			x->stays[i] = STAYS;
		for (int32_t k = f->entry; k < f->end && x->stays[i] != STAYS; k++) {
			enum op op = (enum op)p->code[k].op;
			/* a ruling tells of whom, by its function's first register */
			if (op == OP_RULING || op == OP_HALT || (op == OP_LOOP && f->pure) || (op == OP_CALL && p->code[k].k == i))
				x->stays[i] = STAYS;
			if (op == OP_RET && p->code[k].b != f->results)
				x->stays[i] = STAYS;
		}
	}
}

static void count_calls(struct inlining *x)
{
	for (int32_t k = 0; k < x->p->code_count; k++)
		if (x->p->code[k].op == OP_CALL)
			x->calls[x->p->code[k].k]++;
}

static void put(struct inlining *x, struct insn i, struct span s)
{
	if (x->n == x->room) {
		x->room = 2 * x->room + 1024;
		x->code = realloc(x->code, (size_t)x->room * sizeof *x->code);
		x->span = realloc(x->span, (size_t)x->room * sizeof *x->span);
		if (!x->code || !x->span)
			abort();
	}
	x->code[x->n] = i;
	x->span[x->n++] = s;
}

/* An instruction with its registers so much higher up. */
static struct insn lifted(struct insn i, int by)
{
	const char *shape = op_table[i.op].shape;
	uint16_t *operand[3] = {&i.a, &i.b, &i.c};
	for (int k = 0; k < 3 && shape[k]; k++) {
		if (shape[k] == 'd' || shape[k] == 's' || shape[k] == 'D' || shape[k] == 'S' || shape[k] == 'w')
			*operand[k] = (uint16_t)(*operand[k] + by);
		else if (strchr("KCJFELTMY", shape[k]))
			break; /* what is left is one number */
	}
	return i;
}

/* How many instructions the callee takes here: its returns become moves and a jump. */
static int32_t size_of(const struct inlining *x, const struct fn_info *g)
{
	int32_t n = 0;
	for (int32_t k = g->entry; k < g->end; k++)
		n += x->p->code[k].op == OP_RET ? x->p->code[k].b + (k + 1 < g->end) : 1;
	return n;
}

static void put_in(struct inlining *x, const struct fn_info *g, int a)
{
	const struct program *p = x->p;
	int32_t begin = x->n, end = begin + size_of(x, g), *at = malloc((size_t)(g->end - g->entry) * sizeof *at);
	int32_t to = begin;
	if (!at)
		abort();
	for (int32_t k = g->entry; k < g->end; k++) {
		at[k - g->entry] = to;
		to += p->code[k].op == OP_RET ? p->code[k].b + (k + 1 < g->end) : 1;
	}
	for (int32_t k = g->entry; k < g->end; k++) {
		struct insn i = p->code[k];
		struct span s = p->code_span[k];
		if (i.op == OP_RET) {
			for (int r = 0; r < i.b; r++)
				put(x, (struct insn){.op = OP_MOVE, .a = (uint16_t)(a + r), .b = (uint16_t)(a + 2 + i.a + r)}, s);
			if (k + 1 < g->end) {
				struct insn jump = {.op = OP_JMP};
				jump.k = end - x->n - 1;
				put(x, jump, s);
			}
			continue;
		}
		struct insn copy = lifted(i, a + 2);
		if (op_jumps((enum op)i.op))
			copy.k = at[k + 1 + i.k - g->entry] - x->n - 1;
		put(x, copy, s);
	}
	free(at);
}

/* Is it called between ONLY and DONE of the program's main function? */
static bool is_lone(const struct program *p, const struct fn_info *f, const struct insn *i)
{
	if (p->main_fn < 0 || f != &p->fn[p->main_fn])
		return false;
	for (const struct insn *before = i; before >= p->code + f->entry && before->op != OP_DONE; before--)
		if (before->op == OP_ONLY)
			return true;
	return false;
}

static bool fits(struct inlining *x, const struct fn_info *f, const struct insn *i, int32_t size)
{
	if (i->op != OP_CALL || x->stays[i->k] == STAYS || &x->p->fn[i->k] == f)
		return false;
	const struct fn_info *g = &x->p->fn[i->k];
	int32_t n = g->end - g->entry;
	if (x->stays[i->k] == STAYS_ELSEWHERE) {
		if (n > LONE || x->lone + n > LONE_ALL || !is_lone(x->p, f, i) || size + n > LONG || i->a + 2 + g->registers > REGISTERS_MOST)
			return false;
		x->lone += n;
		return true;
	}
	if (n > SHORT && x->calls[i->k] != 1)
		return false;
	return size + n <= LONG && i->a + 2 + g->registers <= REGISTERS_MOST;
}

static bool rewrite(struct inlining *x, struct fn_info *f, struct fn_info *now)
{
	const struct program *p = x->p;
	int32_t n = f->end - f->entry, first = x->n, size = n;
	bool any = false;
	for (int32_t k = f->entry; k < f->end; k++) {
		const struct insn *i = &p->code[k];
		x->place[k - f->entry] = x->n;
		if (f->registers <= REGISTERS_MOST && fits(x, f, i, size)) {
			const struct fn_info *g = &p->fn[i->k];
			size += size_of(x, g);
			if (i->a + 2 + g->registers > now->registers)
				now->registers = (uint16_t)(i->a + 2 + g->registers);
			put_in(x, g, i->a);
			any = true;
		} else {
			put(x, *i, p->code_span[k]);
		}
	}
	x->place[n] = x->n;
	/* the function's own jumps: those put in were right from the beginning */
	for (int32_t k = f->entry; k < f->end; k++)
		if (op_jumps((enum op)p->code[k].op)) {
			int32_t at = x->place[k - f->entry];
			x->code[at].k = x->place[k + 1 + p->code[k].k - f->entry] - at - 1;
		}
	now->entry = first;
	now->end = x->n;
	return any;
}

bool program_inline(struct program *p, bool *grown)
{
	struct inlining x = {.p = p};
	bool any = false;
	struct fn_info *now = malloc(((size_t)p->fns + 1) * sizeof *now);
	x.stays = calloc((size_t)p->fns + 1, 1);
	x.calls = calloc((size_t)p->fns + 1, sizeof *x.calls);
	x.place = calloc((size_t)p->code_count + 1, sizeof *x.place);
	if (!now || !x.stays || !x.calls || !x.place)
		abort();
	find_staying(&x);
	count_calls(&x);
	memcpy(now, p->fn, (size_t)p->fns * sizeof *now);
	for (int i = 0; i < p->fns; i++)
		any |= grown[i] = rewrite(&x, &p->fn[i], &now[i]);
	if (any) {
		memcpy(p->fn, now, (size_t)p->fns * sizeof *now);
		program_put_code(p, x.code, x.span, x.n);
	}
	free(now);
	free(x.stays);
	free(x.calls);
	free(x.place);
	free(x.code);
	free(x.span);
	return any;
}
