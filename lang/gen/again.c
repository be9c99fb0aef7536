/* again.c - see again.h. Forward over each function: which answers are known before each
 * instruction, on all ways to it. An answer that is taken again has a register of its own, behind
 * the parameters: below all calls, so it lasts; the passes of pipeline.h see to the rest. */
#include "lang/gen/again.h"

#include <stdlib.h>
#include <string.h>

#include "lang/gen/insn_list.h"
#include "runtime/code/ops.h"

enum { ANSWERS = 16 /* in one function */, REGISTERS_MOST = REGISTERS - 8 };

/* What is asked, of which parameter; its register where it is kept, if it is asked again. */
struct answer { int32_t fn; int of, reg; };

struct asking {
	struct program *p;
	uint8_t *loops;     /* by function: it, or one it calls, goes through a loop */
	uint8_t *of_acts;   /* the same: reads words of acts, or which is being performed */
	uint32_t judges;    /* stages at which acts are but judged, a bit each */
	struct answer answer[ANSWERS];
	int answers;
	uint8_t *asks;      /* by instruction of the function at hand: which of them, and 1 */
	uint16_t *known;    /* which are known before it, a bit each */
	int32_t *place;
	struct insn *code;
	struct span *span;
	int32_t n, room;
};

static bool is_register(char letter)
{
	return letter == 'd' || letter == 's' || letter == 'D' || letter == 'S' || letter == 'w';
}

/* From here on the operands are one number. */
static bool is_wide(char letter)
{
	return strchr("KCJFELTMY", letter);
}

static bool reads_acts(const struct program *p, const struct insn *i)
{
	const char *shape = op_table[i->op].shape;
	const unsigned operand[] = {i->a, i->b, i->c};
	switch ((enum op)i->op) {
	case OP_LDA: case OP_EVENTOF: case OP_CAUSE: case OP_NOW:
		return true;
	case OP_KNEXT:
		return i->k == KIND_ACT;
	default:
		break;
	}
	for (int k = 0; k < 3 && shape[k]; k++)
		if (shape[k] == 'f' && p->field[operand[k]].kind == KIND_ACT)
			return true;
	return false;
}

/* A function does what those do that it calls. */
static void find_doing(struct asking *x)
{
	const struct program *p = x->p;
	bool grew = true;
	while (grew) {
		grew = false;
		for (int f = 0; f < p->fns; f++)
			for (int32_t k = p->fn[f].entry; k < p->fn[f].end; k++) {
				const struct insn *i = &p->code[k];
				const bool calls = i->op == OP_CALL;
				const uint8_t loops = i->op == OP_LOOP || (calls && x->loops[i->k]);
				const uint8_t acts =
					reads_acts(p, i) || (calls && x->of_acts[i->k]);
				grew |= loops > x->loops[f] || acts > x->of_acts[f];
				x->loops[f] |= loops;
				x->of_acts[f] |= acts;
			}
	}
	for (int stage = 0; stage <= AT_STAGES; stage++) {
		bool reads = true;
		for (int e = 0; e < p->events; e++) {
			const int32_t fn = p->event[e].stage_fn[stage];
			reads = reads && (fn < 0 || p->fn[fn].pure);
		}
		x->judges |= (uint32_t)reads << stage;
	}
}

/* Does it leave alone what answers rest on that are of no acts? */
static bool leaves(const struct asking *x, const struct insn *i)
{
	const struct items s = {.p = x->p};
	switch ((enum op)i->op) {
	case OP_ACT: case OP_FREE: case OP_STA: case OP_RET:
		return true;
	case OP_STF: case OP_STSF:
		return x->p->field[i->c].kind == KIND_ACT;
	case OP_CALLACT:
		return x->judges >> i->c & 1;
	default:
		return item_leaves_fields(&s, i);
	}
}

static bool is_written(const struct asking *x, const struct fn_info *f, int reg)
{
	for (int32_t k = f->entry; k < f->end; k++) {
		const struct insn *i = &x->p->code[k];
		if (i->op != OP_RET && live_writes(x->p, f, i, reg))
			return true;
	}
	return false;
}

static int answer_of(struct asking *x, int32_t fn, int of)
{
	int n = 0;
	while (n < x->answers && (x->answer[n].fn != fn || x->answer[n].of != of))
		n++;
	if (n == ANSWERS)
		return -1;
	if (n == x->answers)
		x->answer[x->answers++] = (struct answer){fn, of, -1};
	return n;
}

/* A call behind a move of a parameter of f to where its argument stands: what it asks, or -1. */
static int asked_by(struct asking *x, const struct fn_info *f, const struct insn *i)
{
	const struct insn *before = i - 1;
	if (i->op != OP_CALL || before->op != OP_MOVE || before->a != i->a + 2 ||
		before->b >= f->arguments)
		return -1;
	const struct fn_info *g = &x->p->fn[i->k];
	const bool stays = g->pure && g->arguments == 1 && g->results == 1 && !x->of_acts[i->k];
	if (!stays || !x->loops[i->k] || is_written(x, f, before->b))
		return -1;
	return answer_of(x, i->k, before->b);
}

/* The calls that ask of a parameter; false: none. */
static bool find_asking(struct asking *x, const struct fn_info *f)
{
	const struct insn *code = x->p->code + f->entry;
	const int32_t n = f->end - f->entry;
	uint8_t *led = x->asks; /* first: who is jumped to */
	memset(led, 0, (size_t)n + 1);
	for (int32_t k = 0; k < n; k++)
		if (op_jumps((enum op)code[k].op))
			led[k + 1 + code[k].k] = 1;
	x->answers = 0;
	for (int32_t k = 0; k < n; k++) /* nobody looks back at who is jumped to */
		x->asks[k] = (uint8_t)(1 + (k > 0 && !led[k] ? asked_by(x, f, &code[k]) : -1));
	return x->answers > 0;
}

static bool meet(uint16_t *to, uint16_t from)
{
	const uint16_t before = *to;
	*to &= from;
	return *to != before;
}

static void find_known(struct asking *x, const struct fn_info *f)
{
	const int32_t n = f->end - f->entry;
	bool grew = true;
	memset(x->known, 0xff, ((size_t)n + 1) * sizeof *x->known);
	x->known[0] = 0;
	while (grew) {
		grew = false;
		for (int32_t k = 0; k < n; k++) {
			const struct insn *i = &x->p->code[f->entry + k];
			uint16_t then = leaves(x, i) ? x->known[k] : 0;
			if (x->asks[k])
				then |= (uint16_t)(1u << (x->asks[k] - 1));
			if (goes_on((enum op)i->op))
				grew |= meet(&x->known[k + 1], then);
			if (op_jumps((enum op)i->op))
				grew |= meet(&x->known[k + 1 + i->k], then);
		}
	}
}

static bool is_again(const struct asking *x, int32_t k)
{
	return x->asks[k] && x->known[k] >> (x->asks[k] - 1) & 1;
}

/* Does an operand begin among the parameters and end behind them? Then what is behind cannot be
 * moved. */
static bool straddles(const struct asking *x, const struct fn_info *f, const struct insn *i)
{
	const char *shape = op_table[i->op].shape;
	const unsigned operand[] = {i->a, i->b, i->c};
	for (int o = 0; o < 3 && shape[o] && !is_wide(shape[o]); o++) {
		if (!is_register(shape[o]) || operand[o] >= f->arguments)
			continue;
		const int words = i->op == OP_RET ? i->b
			: shape[o] == 'w'         ? f->registers
						  : live_words(x->p, i, o);
		if ((int)operand[o] + words > f->arguments)
			return true;
	}
	return false;
}

/* Registers for the answers that are taken again, right behind the parameters. Returns how many. */
static int give_registers(struct asking *x, const struct fn_info *f)
{
	int n = 0;
	for (int32_t k = 0; k < f->end - f->entry; k++)
		if (is_again(x, k) && x->answer[x->asks[k] - 1].reg < 0)
			x->answer[x->asks[k] - 1].reg = f->arguments + n++;
	for (int32_t k = f->entry; k < f->end && n; k++)
		if (straddles(x, f, &x->p->code[k]))
			n = 0;
	return f->registers + n <= REGISTERS_MOST ? n : 0;
}

static void put(struct asking *x, struct insn i, struct span s)
{
	if (x->n == x->room) {
		x->room = 2 * x->room + 1000;
		x->code = realloc(x->code, (size_t)x->room * sizeof *x->code);
		x->span = realloc(x->span, (size_t)x->room * sizeof *x->span);
		if (!x->code || !x->span)
			abort();
	}
	x->code[x->n] = i;
	x->span[x->n++] = s;
}

/* With its registers behind the parameters so much higher up. */
static struct insn moved_up(struct insn i, int from, int by)
{
	const char *shape = op_table[i.op].shape;
	uint16_t *operand[3] = {&i.a, &i.b, &i.c};
	for (int k = 0; k < 3 && shape[k] && !is_wide(shape[k]); k++)
		if (is_register(shape[k]) && *operand[k] >= from)
			*operand[k] = (uint16_t)(*operand[k] + by);
	return i;
}

static bool rewrite(struct asking *x, const struct fn_info *f, struct fn_info *now)
{
	const struct program *p = x->p;
	const int32_t n = f->end - f->entry;
	int by = 0;
	if (n > 0 && find_asking(x, f)) {
		find_known(x, f);
		by = give_registers(x, f);
	}
	now->entry = x->n;
	for (int32_t k = 0; k < n; k++) {
		const struct span s = p->code_span[f->entry + k];
		struct insn i = moved_up(p->code[f->entry + k], f->arguments, by);
		const int reg = by && x->asks[k] ? x->answer[x->asks[k] - 1].reg : -1;
		const bool again = reg >= 0 && is_again(x, k);
		x->place[k] = x->n;
		put(x, again ? (struct insn){.op = OP_MOVE, .a = i.a, .b = (uint16_t)reg} : i, s);
		if (reg >= 0 && !again)
			put(x, (struct insn){.op = OP_MOVE, .a = (uint16_t)reg, .b = i.a}, s);
	}
	x->place[n] = x->n;
	for (int32_t k = 0; k < n; k++) {
		const struct insn *i = &p->code[f->entry + k];
		if (op_jumps((enum op)i->op))
			x->code[x->place[k]].k = x->place[k + 1 + i->k] - x->place[k] - 1;
	}
	now->end = x->n;
	now->registers = (uint16_t)(f->registers + by);
	return by > 0;
}

bool program_ask_once(struct program *p, bool *grown)
{
	struct asking x = {.p = p};
	bool any = false;
	struct fn_info *now = malloc(((size_t)p->fns + 1) * sizeof *now);
	x.loops = calloc((size_t)p->fns + 1, 1);
	x.of_acts = calloc((size_t)p->fns + 1, 1);
	x.asks = calloc((size_t)p->code_count + 2, 1);
	x.known = calloc((size_t)p->code_count + 2, sizeof *x.known);
	x.place = calloc((size_t)p->code_count + 2, sizeof *x.place);
	if (!now || !x.loops || !x.of_acts || !x.asks || !x.known || !x.place)
		abort();
	find_doing(&x);
	memcpy(now, p->fn, (size_t)p->fns * sizeof *now);
	for (int i = 0; i < p->fns; i++)
		any |= grown[i] = rewrite(&x, &p->fn[i], &now[i]);
	if (any) {
		memcpy(p->fn, now, (size_t)p->fns * sizeof *now);
		program_put_code(p, x.code, x.span, x.n);
	}
	free(now);
	free(x.loops);
	free(x.of_acts);
	free(x.asks);
	free(x.known);
	free(x.place);
	free(x.code);
	free(x.span);
	return any;
}
