/* absorbing.c - see absorbing.h. Only what is plain to see in the code counts: a number loaded
 * right before it is written, a thing named right before its field is read. */
#include "runtime/code/absorbing.h"

#include <stdlib.h>

struct looking {
	struct program *p;
	bool *reached;  /* by instruction: some jump leads there */
	word *value;    /* by field: the one number that is written; NONE: none is */
	bool *varies;   /* by field: more than one, or what cannot be seen */
};

/* The number in a register at an instruction, if the one before it has put it there. */
static bool number_in(const struct looking *x, int32_t at, int reg, word *value)
{
	const struct insn *i = &x->p->code[at > 0 ? at - 1 : 0];
	if (at == 0 || x->reached[at] || i->a != reg || (i->op != OP_LOADI && i->op != OP_LOADK))
		return false;
	*value = i->op == OP_LOADI ? i->k : x->p->constant[i->k];
	return true;
}

static void write_found(struct looking *x, int32_t at)
{
	const struct insn *i = &x->p->code[at];
	word value;
	if (i->op != OP_STF || !number_in(x, at, i->b, &value) || value == NONE || (x->value[i->c] != NONE && x->value[i->c] != value))
		x->varies[i->c] = true;
	else
		x->value[i->c] = value;
}

static void find_writes(struct looking *x)
{
	const struct program *p = x->p;
	for (int32_t k = 0; k < p->code_count; k++)
		if (op_jumps((enum op)p->code[k].op))
			x->reached[k + 1 + p->code[k].k] = true;
	for (int f = 0; f < p->fields; f++) {
		x->value[f] = NONE;
		/* the rest the machine writes itself */
		x->varies[f] = p->field[f].kind != KIND_COMBATANT && p->field[f].kind != KIND_SIDE;
	}
	for (int32_t k = 0; k < p->code_count; k++)
		switch ((enum op)p->code[k].op) {
		case OP_STF: case OP_ADF: case OP_ADFB: case OP_STSF: case OP_ADDS: case OP_REMS:
			write_found(x, k);
			break;
		default:
			break;
		}
}

/* Works with registers alone, or reads what is noted of events? */
static bool is_plain(enum op op)
{
	switch (op) {
	case OP_NOP: case OP_MOVE: case OP_LOADI: case OP_LOADK: case OP_NOT: case OP_SAME: case OP_EQ: case OP_NE: case OP_LT: case OP_LE:
	case OP_JMP: case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME: case OP_RET: case OP_WATCHED:
		return true;
	default:
		return false;
	}
}

/* Notes the word an instruction reads; false when it may become otherwise than that. */
static bool read_found(struct looking *x, int32_t at)
{
	struct program *p = x->p;
	const struct insn *i = &p->code[at];
	const struct field_info *f = &p->field[i->c];
	word thing;
	if (i->op != OP_LDF || !number_in(x, at, i->b, &thing) || thing < 0 || (uint64_t)thing >= p->layout.kind[f->kind].count)
		return false;
	if (f->fixed)
		return true;
	if (x->varies[i->c] || x->value[i->c] == NONE)
		return false;
	p->last[p->lasts++] = (struct lasting_word){f->base + (uint32_t)thing * f->stride, x->value[i->c]};
	return true;
}

void program_lasting(struct program *p)
{
	struct looking x = {.p = p};
	p->lasts = 0;
	if (p->measure_fn < 0)
		return;
	const struct fn_info *f = &p->fn[p->measure_fn];
	x.reached = calloc((size_t)p->code_count + 2, sizeof *x.reached);
	x.value = calloc((size_t)p->fields + 1, sizeof *x.value);
	x.varies = calloc((size_t)p->fields + 1, sizeof *x.varies);
	p->last = arena_array(&p->arena, struct lasting_word, f->end - f->entry);
	if (!x.reached || !x.value || !x.varies)
		abort();
	find_writes(&x);
	for (int32_t k = f->entry; k < f->end; k++)
		if (!is_plain((enum op)p->code[k].op) && !read_found(&x, k)) {
			p->lasts = 0;
			break;
		}
	free(x.reached);
	free(x.value);
	free(x.varies);
}
