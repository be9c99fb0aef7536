/* effects.c - which functions only read, and which fields nobody writes: from the code itself,
 * so that whatever the linker made is what is judged. */
#include "runtime/code/effects.h"

#include <stdlib.h>

#include "runtime/base/must.h"

/* A step through the pending acts: who they are is not seen to be read. */
static bool is_step(enum op op)
{
	return op == OP_LISTED || op == OP_SOUGHT || op == OP_SERIAL;
}

/* May a function with this instruction be asked once and its answer kept? What it reads has to
 * be seen by the machine (runtime/vm/memo.c), so the lists of acts and what events keep are out. */
static bool only_reads(const struct program *p, enum op op)
{
	switch (op) {
	case OP_NOP: case OP_MOVE: case OP_LOADI: case OP_LOADK:
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: case OP_MIN: case OP_MAX: case OP_REM:
	case OP_FRAC: case OP_DIV: case OP_FADD: case OP_FSUB: case OP_FMUL: case OP_FDIV: case OP_FMIN: case OP_FMAX: case OP_ROUND: case OP_MEASURE:
	case OP_SAME: case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_FLT: case OP_FLE: case OP_NOT: case OP_ISA: case OP_KINDOF:
	case OP_JMP: case OP_LOOP: case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME: case OP_CALL: case OP_RET:
	case OP_FATAL: case OP_RULING:
	case OP_LDF: case OP_LDP: case OP_LDT: case OP_LDSF: case OP_HASL: case OP_LEN: case OP_ITEM: case OP_HAST: case OP_ITEMT:
	case OP_SNONE: case OP_SALL: case OP_SADD: case OP_SMOVE: case OP_SOR: case OP_SCOUNT: case OP_SHAS: case OP_SNEXT: case OP_SNTH: case OP_SKNOWN: case OP_EXT: case OP_SAMES: case OP_KNEXT:
	case OP_DICEMOST: case OP_TABLE: case OP_TABLEOF: case OP_RANK:
	case OP_CAUSE: case OP_NOW: case OP_LDA: case OP_EVENTOF:
		return true;
	/* what only the log learns: answers are kept where it is not told (vm_curt) */
	case OP_ASKED: case OP_BASE: case OP_LOST: case OP_ADJUST: case OP_BOUND: case OP_ANSWER: case OP_WHY: case OP_RECAST: case OP_SUM:
		return p->observed;
	default:
		return false;
	}
}

/* Functions of which each instruction only reads, or else is a step, if that may be. */
static void find_reading(struct program *p, bool steps)
{
	bool changed = true;
	for (int i = 0; i < p->fns; i++) {
		struct fn_info *f = &p->fn[i];
		bool ok = f->end > f->entry && !(steps && f->pure);
		for (int32_t k = f->entry; k < f->end && ok; k++)
			ok = only_reads(p, (enum op)p->code[k].op) ||
				(steps && is_step((enum op)p->code[k].op));
		*(steps ? &f->steps : &f->pure) = ok;
	}
	/* one that calls one that does more does more */
	while (changed) {
		changed = false;
		for (int i = 0; i < p->fns; i++) {
			struct fn_info *f = &p->fn[i];
			bool *ok = steps ? &f->steps : &f->pure;
			for (int32_t k = f->entry; k < f->end && *ok; k++) {
				const struct insn *x = &p->code[k];
				if (x->op == OP_CALL && !p->fn[x->k].pure &&
					!(steps && p->fn[x->k].steps)) {
					*ok = false;
					changed = true;
				}
			}
		}
	}
}

bool program_uniform(const struct program *p, int field, word *value)
{
	const struct field_info *f = &p->field[field];
	const uint32_t count = p->layout.kind[f->kind].count + (f->kind == KIND_ACT);
	if (f->type.base == VT_SET || f->type.base == VT_LIST || count == 0)
		return false;
	*value = p->start[f->base];
	for (uint32_t i = 1; i < count; i++)
		if (p->start[f->base + i * f->stride] != *value)
			return false;
	return true;
}

enum { BEFORE = 6 };

/* The instruction that loads the number which `reg` holds at `at`, a few before it; NULL. */
static const struct insn *loaded(const struct program *p, const bool *reached, int32_t at, unsigned reg)
{
	for (int32_t from = at; from > 0 && from > at - BEFORE && !reached[from]; from--) {
		const struct insn *i = &p->code[from - 1];
		switch ((enum op)i->op) {
		case OP_LOADI: case OP_LOADK:
			if (i->a == reg)
				return i;
			break;
		case OP_ACT: case OP_COPY: case OP_LDF:
			if (i->a == reg)
				return NULL;
			break;
		case OP_STF:
			break;
		default:
			return NULL;
		}
	}
	return NULL;
}

/* Is what the instruction at `at` writes a number, and nothing but what the field holds anyhow? */
static bool writes_the_same(const struct program *p, const bool *reached, int32_t at)
{
	const struct insn *i = &p->code[at];
	word value;
	if (i->op != OP_STF || !program_uniform(p, i->c, &value))
		return false;
	const struct insn *load = loaded(p, reached, at, i->b);
	return load && value == (load->op == OP_LOADI ? load->k : p->constant[load->k]);
}

static void find_fixed(struct program *p)
{
	bool *reached = p->from_start ? calloc((size_t)p->code_count + 1, sizeof *reached) : NULL;
	must(reached || !p->from_start);
	for (int i = 0; i < p->fields; i++)
		p->field[i].fixed = true;
	for (int i = 0; i < p->pairs; i++)
		p->pair[i].fixed = true;
	for (int32_t k = 0; k < p->code_count && reached; k++)
		if (op_jumps((enum op)p->code[k].op))
			reached[k + 1 + p->code[k].k] = true;
	for (int32_t k = 0; k < p->code_count; k++) {
		const struct insn *x = &p->code[k];
		switch ((enum op)x->op) {
		case OP_STF: case OP_ADF: case OP_ADFB: case OP_STSF: case OP_ADDS: case OP_REMS:
			if (!reached || !writes_the_same(p, reached, k))
				p->field[x->c].fixed = false;
			break;
		case OP_STP: case OP_ADP: case OP_ADPB:
			p->pair[x->c].fixed = false;
			break;
		default:
			break;
		}
	}
	free(reached);
	/* the machine's own */
	int32_t own[] = {p->at.act_actor, p->at.round_number, p->at.round_start, p->at.beat, p->at.branch_open};
	for (int i = 0; i < (int)(sizeof own / sizeof *own); i++)
		if (own[i] >= 0)
			p->field[own[i]].fixed = false;
}

static bool owns(const struct program *p, const struct fn_info *f)
{
	bool reads = false;
	if (!f->pure || f->arguments != 1 || f->results != 1)
		return false;
	for (int32_t at = f->entry; at < f->end; at++) {
		const struct insn *i = &p->code[at];
		switch ((enum op)i->op) {
		case OP_NOP: case OP_JMP: case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME: case OP_RET:
			continue;
		case OP_LDF:
			if (p->field[i->c].kind == KIND_ACT || (i->b != 0 && !p->field[i->c].fixed))
				return false;
			reads |= !p->field[i->c].fixed;
			break;
		case OP_MOVE: case OP_LOADI: case OP_LOADK: case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: case OP_MIN: case OP_MAX:
		case OP_SAME: case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_NOT: case OP_LDT:
			break;
		default:
			return false;
		}
		if (i->a == 0) /* who is asked */
			return false;
	}
	return reads;
}

void program_effects(struct program *p)
{
	find_reading(p, false);
	find_reading(p, true);
	find_fixed(p);
	for (int i = 0; i < p->fns; i++)
		p->fn[i].own = owns(p, &p->fn[i]);
}
