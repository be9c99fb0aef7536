/* propagate.c - a pass over value facts (value_facts.h): copies become what they are copies of,
 * known values are loaded, jumps whose condition is known are taken or left out, answers that a
 * register holds are not computed again. */
#include <string.h>

#include "lang/gen/value_facts.h"

enum { CONSTANTS_MOST = 4096 };

/* One more constant, while there is a number for it. */
static bool constant_add(struct program *p, word value)
{
	if (p->constants >= CONSTANTS_MOST)
		return false;
	word *more = arena_array(&p->arena, word, p->constants + 2);
	memcpy(more, p->constant, (size_t)p->constants * sizeof *more);
	more[p->constants++] = value;
	p->constant = more;
	return true;
}

bool item_load(struct items *s, int32_t at, int reg, word value)
{
	struct insn i = {.op = OP_LOADI, .a = (uint16_t)reg};
	if (value >= INT32_MIN && value <= INT32_MAX) {
		i.k = (int32_t)value;
	} else {
		int32_t k = 0;
		while (k < s->p->constants && s->p->constant[k] != value)
			k++;
		if (k == s->p->constants && !constant_add(s->p, value))
			return false;
		i.op = OP_LOADK;
		i.k = k;
	}
	s->item[at].i = i;
	s->changed = true;
	return true;
}

/* Another register that holds the same. A number that is loaded right before it is stored, or
 * before it names whose field is read, stays there: others look for it (runtime/code/absorbing.c),
 * and the two are done at once. */
static uint16_t copied(struct items *s, const struct facts *k, enum op op, uint16_t reg)
{
	if (k->how[reg] == CONSTANT) {
		uint16_t had = k->first[reg];
		if (op == OP_LDF || op == OP_STF || op == OP_STP || had == reg || k->how[had] != CONSTANT ||
			k->value[had] != k->value[reg])
			return reg;
		s->changed = true;
		return had;
	}
	if (k->how[reg] != COPY)
		return reg;
	s->changed = true;
	return (uint16_t)k->value[reg];
}

/* A register that holds the answer already; -1. */
static int held(const struct items *s, const struct facts *k, const struct insn *i)
{
	const int about = facts_asked_of(s, k, i);
	const word answer = about >= 0 ? ANSWER_OF(OP_CALL, about, i->k) : ANSWER_OF(i->op, i->b, i->c);
	if (about < 0 && !answers_same_again((enum op)i->op))
		return -1;
	for (int w = 0; w < LIVE_WORDS; w++)
		for (uint64_t left = k->about[w]; left; left &= left - 1) {
			int r = w * 64 + __builtin_ctzll(left);
			if (k->how[r] == ANSWER && k->value[r] == answer)
				return r;
		}
	return -1;
}

/* A jump on what an answer says of another register becomes one on that. */
static void jump_on(struct items *s, const struct facts *k, struct insn *i)
{
	while (i->op == OP_JZ || i->op == OP_JNZ) {
		enum knowledge how = k->how[i->a];
		bool when = i->op == OP_JNZ;
		if (how == CONTRARY)
			i->op = when ? OP_JZ : OP_JNZ;
		else if (how == UNSET || how == SET)
			i->op = when == (how == UNSET) ? OP_JNONE : OP_JSOME;
		else
			return;
		i->a = (uint16_t)k->value[i->a];
		s->changed = true;
	}
}

/* Operands that are copies become what they are copies of; what is known is loaded; a jump whose
 * condition is known is one, or none. */
static void use_known(struct items *s, struct facts *k, int32_t at, void *context)
{
	struct insn *i = &s->item[at].i;
	int reads = item_sources(s, i);
	word v;
	(void)context;
	if (reads & 1)
		i->a = copied(s, k, (enum op)i->op, i->a);
	if (reads & 2)
		i->b = copied(s, k, (enum op)i->op, i->b);
	if (reads & 4)
		i->c = copied(s, k, (enum op)i->op, i->c);
	if (is_conditional((enum op)i->op)) {
		jump_on(s, k, i);
		int jumps = facts_jump(k, i);
		if (jumps > 0) {
			i->op = OP_JMP;
			i->a = 0;
			s->changed = true;
		} else if (jumps == 0) {
			item_clear(s, at);
		}
		return;
	}
	if ((i->op == OP_MIN || i->op == OP_MAX) &&
		((facts_value(k, i->b, &v) && v == NONE) || (facts_value(k, i->c, &v) && v == NONE))) {
		/* an unset one loses */
		*i = (struct insn){
			.op = OP_MOVE, .a = i->a, .b = facts_value(k, i->b, &v) && v == NONE ? i->c : i->b};
		s->changed = true;
	}
	if (i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL) {
		const word same = i->op == OP_MUL; /* nothing added, once */
		if (facts_value(k, i->c, &v) && v == same)
			*i = (struct insn){.op = OP_MOVE, .a = i->a, .b = i->b};
		else if (i->op != OP_SUB && facts_value(k, i->b, &v) && v == same)
			*i = (struct insn){.op = OP_MOVE, .a = i->a, .b = i->c};
		s->changed |= i->op == OP_MOVE;
	}
	if (i->op == OP_STF && s->p->from_start && s->same[i->c]) {
		item_clear(s, at);
		return;
	}
	if (i->op == OP_LDSF && s->p->from_start && s->same[i->c]) {
		*i = (struct insn){.op = OP_SNONE, .a = i->a};
		s->changed = true;
	}
	if (i->op != OP_LOADI && i->op != OP_LOADK && fold_value(s, k, i, &v) &&
		item_load(s, at, i->a, v))
		return;
	if (i->op == OP_MOVE &&
		((k->how[i->a] == COPY && k->value[i->a] == i->b) ||
			(k->how[i->b] == COPY && k->value[i->b] == i->a))) {
		item_clear(s, at);
		return;
	}
	int has_it = held(s, k, i);
	if (has_it >= 0) {
		*i = (struct insn){.op = OP_MOVE, .a = i->a, .b = (uint16_t)has_it};
		s->changed = true;
	}
}

void items_propagate(struct items *s)
{
	facts_walk(s, use_known, NULL);
	loops_end_after_one_turn(s);
}
