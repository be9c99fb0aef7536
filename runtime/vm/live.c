/* live.c - which registers an instruction and those after it may read: the usual backward
 * walk, function by function. Where a table's shape leaves doubt, a register counts as read:
 * that keeps more than is needed and never too little. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/plane.h"
#include "runtime/vm/live.h"

struct live { const struct program *p; uint64_t *bits; }; /* LIVE_WORDS an instruction */

static void use(uint64_t *set, int from, int n)
{
	for (int r = from; r < from + n && r < LIVE_WORDS * 64; r++)
		set[r / 64] |= 1ull << (r % 64);
}

static void kill(uint64_t *set, int from, int n)
{
	for (int r = from; r < from + n && r < LIVE_WORDS * 64; r++)
		set[r / 64] &= ~(1ull << (r % 64));
}

int live_words(const struct program *p, const struct insn *i, int place)
{
	const char letter = op_table[i->op].shape[place];
	if (letter == 'S' || letter == 'D')
		return p->set_words;
	switch (i->op) {
	case OP_WOKE:
		return p->whenever[i->k].params ? p->whenever[i->k].params : 1;
	case OP_ADPB:
		return place == 0 ? 2 : 3;
	case OP_ADFB: case OP_TABLEOF:
		return place == 1 ? 3 : 1;
	case OP_MEASURE:
		return plane_arguments((enum measure)i->c);
	case OP_PROMPT:
		return place == 1 ? 1 + p->set_words : 1;
	case OP_KEEP: case OP_SETKEPT:
		return p->set_words;
	case OP_STP: case OP_ADP: case OP_RULING:
		return place == 0 ? 2 : 1;
	case OP_LDP: case OP_HASL: case OP_ITEM: case OP_HAST: case OP_ITEMT: case OP_CHOSEN: case OP_TABLE:
		return place == 1 ? 2 : 1;
	default:
		return 1;
	}
}

/* How many a text takes. */
static int text_words(const struct program *p, int32_t text)
{
	int n = 0;
	for (int i = 0; i < p->template_[text].count; i++)
		n += p->piece[p->template_[text].first + i].words;
	return n;
}

/* Does the instruction read what it writes? */
static bool reads_target(enum op op)
{
	return op == OP_KNEXT || op == OP_QNEXT || op == OP_SNEXT || op == OP_SADD || op == OP_WOKE;
}

/* What most instructions read and write: single registers, where their shapes say. */
uint8_t live_simple(enum op op)
{
	static const uint8_t simple[OP_COUNT] = {
		[OP_NOP] = LIVE_SIMPLE, [OP_EXT] = LIVE_SIMPLE, [OP_JMP] = LIVE_SIMPLE, [OP_LOOP] = LIVE_SIMPLE, [OP_STAGE] = LIVE_SIMPLE, [OP_LEAVE] = LIVE_SIMPLE,
		[OP_LOADI] = LIVE_SIMPLE | LIVE_SET_A, [OP_LOADK] = LIVE_SIMPLE | LIVE_SET_A, [OP_NOW] = LIVE_SIMPLE | LIVE_SET_A, [OP_CAUSE] = LIVE_SIMPLE | LIVE_SET_A, [OP_KEPT] = LIVE_SIMPLE | LIVE_SET_A,
		[OP_MOVE] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B, [OP_LDF] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B, [OP_LDT] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B,
		[OP_NOT] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B, [OP_NEG] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B, [OP_EVENTOF] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B,
		[OP_ADD] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B | LIVE_GET_C, [OP_SUB] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B | LIVE_GET_C, [OP_MUL] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B | LIVE_GET_C,
		[OP_MIN] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B | LIVE_GET_C, [OP_MAX] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B | LIVE_GET_C,
		[OP_SAME] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B | LIVE_GET_C, [OP_EQ] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B | LIVE_GET_C, [OP_NE] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B | LIVE_GET_C,
		[OP_LT] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B | LIVE_GET_C, [OP_LE] = LIVE_SIMPLE | LIVE_SET_A | LIVE_GET_B | LIVE_GET_C,
		[OP_JZ] = LIVE_SIMPLE | LIVE_GET_A, [OP_JNZ] = LIVE_SIMPLE | LIVE_GET_A, [OP_JNONE] = LIVE_SIMPLE | LIVE_GET_A, [OP_JSOME] = LIVE_SIMPLE | LIVE_GET_A, [OP_PEND] = LIVE_SIMPLE | LIVE_GET_A,
		[OP_STF] = LIVE_SIMPLE | LIVE_GET_A | LIVE_GET_B, [OP_ADF] = LIVE_SIMPLE | LIVE_GET_A | LIVE_GET_B,
	};
	return simple[op];
}

/* What is live before the instruction, from what is live behind it. */
void live_step(const struct program *p, const struct fn_info *f, const struct insn *i, uint64_t *set)
{
	const char *shape = op_table[i->op].shape;
	uint16_t operand[3] = {i->a, i->b, i->c};
	const uint8_t simple = live_simple((enum op)i->op);
	if (simple) {
		if (simple & LIVE_SET_A)
			kill(set, i->a, 1);
		if (simple & LIVE_GET_A)
			use(set, i->a, 1);
		if (simple & LIVE_GET_B)
			use(set, i->b, 1);
		if (simple & LIVE_GET_C)
			use(set, i->c, 1);
		return;
	}
	if (i->op == OP_CALL || i->op == OP_CALLACT || i->op == OP_SETTLE) {
		/* the results come back at a..; whatever lies above is the callee's */
		int args = i->op == OP_CALL ? p->fn[i->k].arguments : i->op == OP_CALLACT;
		kill(set, i->a, f->registers - i->a);
		use(set, i->a + 2, args);
		if (i->op == OP_CALLACT)
			use(set, i->b, 1);
		return;
	}
	if (i->op == OP_RET) {
		memset(set, 0, LIVE_WORDS * sizeof *set);
		use(set, i->a, i->b);
		return;
	}
	if (shape[0] == 'd' && !reads_target((enum op)i->op))
		kill(set, i->a, 1);
	if (shape[0] == 'D' && !reads_target((enum op)i->op))
		kill(set, i->a, p->set_words);
	for (int k = 0; k < 3 && shape[k]; k++) {
		char c = shape[k];
		if (c == 'w' && i->op == OP_ENTER) /* what it is about is read for the log alone */
			use(set, i->a, p->observed ? p->event[i->k].words : 0);
		else if (c == 'w' && shape[1] == 'T')
			use(set, i->a, text_words(p, i->k));
		else if (c == 'w')
			use(set, i->a, f->registers - i->a);
		else if (c == 's' || c == 'S')
			use(set, operand[k], live_words(p, i, k));
		else if ((c == 'd' || c == 'D') && reads_target((enum op)i->op))
			use(set, operand[k], live_words(p, i, k));
		if (c == 'J' || c == 'K' || c == 'C' || c == 'F' || c == 'E' || c == 'Y' || c == 'T' || c == 'M' || c == 'L')
			break;
	}
}

static bool ends(enum op op)
{
	return op == OP_RET || op == OP_JMP || op == OP_LOOP || op == OP_FATAL || op == OP_RULING || op == OP_HALT;
}

static void walk(struct live *l, const struct fn_info *f)
{
	const struct program *p = l->p;
	bool grew = true;
	while (grew) {
		grew = false;
		for (int32_t at = f->end - 1; at >= f->entry; at--) {
			const struct insn *i = &p->code[at];
			uint64_t set[LIVE_WORDS] = {0}, *own = l->bits + (size_t)at * LIVE_WORDS;
			if (!ends((enum op)i->op) && at + 1 < f->end)
				memcpy(set, own + LIVE_WORDS, sizeof set);
			if (op_jumps((enum op)i->op))
				for (int k = 0; k < LIVE_WORDS; k++)
					set[k] |= l->bits[(size_t)(at + 1 + i->k) * LIVE_WORDS + (size_t)k];
			live_step(p, f, i, set);
			for (int k = 0; k < LIVE_WORDS; k++) {
				grew |= (set[k] & ~own[k]) != 0;
				own[k] |= set[k];
			}
		}
	}
}

struct live *live_new(const struct program *p)
{
	struct live *l = malloc(sizeof *l);
	if (!l)
		abort();
	l->p = p;
	l->bits = calloc((size_t)p->code_count + 1, LIVE_WORDS * sizeof *l->bits);
	if (!l->bits)
		abort();
	for (int i = 0; i < p->fns; i++)
		walk(l, &p->fn[i]);
	return l;
}

void live_free(struct live *l)
{
	if (l)
		free(l->bits);
	free(l);
}

bool live_at(const struct live *l, word pc, int reg)
{
	/* more registers than are told apart: all of those are kept */
	if (!l || reg >= LIVE_WORDS * 64 || pc < 0 || pc >= l->p->code_count)
		return true;
	return l->bits[(size_t)pc * LIVE_WORDS + (size_t)reg / 64] >> (reg % 64) & 1;
}

bool live_reads(const struct program *p, const struct fn_info *f, const struct insn *i, int reg)
{
	uint64_t set[LIVE_WORDS] = {0};
	if (reg >= LIVE_WORDS * 64)
		return true;
	live_step(p, f, i, set);
	return set[reg / 64] >> (reg % 64) & 1;
}

bool live_writes(const struct program *p, const struct fn_info *f, const struct insn *i, int reg)
{
	uint64_t set[LIVE_WORDS];
	if (reg >= LIVE_WORDS * 64)
		return false;
	memset(set, 0xff, sizeof set);
	live_step(p, f, i, set);
	return !(set[reg / 64] >> (reg % 64) & 1);
}
