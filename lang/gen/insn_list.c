/* insn_list.c - see insn_list.h. */
#include "lang/gen/insn_list.h"

#include <string.h>

void item_clear(struct items *s, int32_t at)
{
	memset(&s->item[at].i, 0, sizeof s->item[at].i); /* NOP */
	s->item[at].to = -1;
	s->changed = true;
}

int item_written(const struct items *s, const struct insn *i, int *first)
{
	const char *shape = op_table[i->op].shape;
	const uint8_t simple = live_simple((enum op)i->op);
	*first = i->a;
	if (simple)
		return (simple & LIVE_SET_A) != 0;
	switch ((enum op)i->op) {
	case OP_CALL: case OP_CALLACT: case OP_SETTLE: case OP_SKNOWN:
		return s->f->registers - i->a; /* the callee's frame; two sets */
	case OP_WOKE:
		return s->p->whenever[i->k].params + 1;
	case OP_STEP:
		return 2;
	case OP_TURN:
		return 1;
	default:
		return shape[0] == 'd' ? 1 : shape[0] == 'D' ? s->p->set_words : 0;
	}
}

bool item_writes(const struct items *s, const struct insn *i, int reg)
{
	int first, n = item_written(s, i, &first);
	return reg >= first && reg < first + n;
}

int item_sources(const struct items *s, const struct insn *i)
{
	const char *shape = op_table[i->op].shape;
	int which = 0;
	const uint8_t simple = live_simple((enum op)i->op);
	if (simple)
		return simple / LIVE_GET_A & 7;
	if (i->op == OP_STEP || i->op == OP_TURN) /* what they read first they write, too */
		return 2;
	if (i->op == OP_RET)
		return i->b == 1;
	for (int k = 0; k < 3 && shape[k]; k++) {
		if (shape[k] == 's' && live_words(s->p, i, k) == 1)
			which |= 1 << k;
		else if (strchr("KCJFELTMY", shape[k]))
			break;
	}
	return which;
}

bool item_is_free(enum op op)
{
	switch (op) {
	case OP_MOVE: case OP_LOADI: case OP_LOADK: case OP_NEG: case OP_MIN: case OP_MAX:
	case OP_SAME: case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_NOT: case OP_ISA: case OP_KINDOF:
	case OP_LDF: case OP_LDP: case OP_LDT: case OP_LDA: case OP_EVENTOF: case OP_RANK: case OP_CAUSE: case OP_NOW: case OP_KEPT:
	case OP_SNONE: case OP_SALL: case OP_SADD: case OP_SMOVE: case OP_SOR: case OP_SCOUNT: case OP_SHAS: case OP_LDSF:
		return true;
	default:
		return false;
	}
}

bool item_leaves_fields(const struct items *s, const struct insn *i)
{
	switch ((enum op)i->op) {
	case OP_CALL:
		return s->p->fn[i->k].pure;
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_REM: case OP_DIV: case OP_FRAC: case OP_ROUND: case OP_MEASURE:
	case OP_FADD: case OP_FSUB: case OP_FMUL: case OP_FDIV: case OP_FMIN: case OP_FMAX: case OP_FLT: case OP_FLE:
	case OP_ROLL: case OP_CHANCE: case OP_NOP: case OP_EXT: case OP_HASL: case OP_LEN: case OP_ITEM: case OP_HAST: case OP_ITEMT:
	case OP_TABLE: case OP_TABLEOF: case OP_SNEXT: case OP_KNEXT: case OP_SNTH: case OP_SAMES: case OP_STAGE: case OP_ONLY:
		return true;
	default:
		return item_is_free((enum op)i->op) || op_jumps((enum op)i->op);
	}
}

int32_t items_mark_targets(struct items *s)
{
	int32_t n = 0;
	bool grew = true;
	for (int32_t at = 0; at < s->n; at++) {
		s->item[at].target = s->item[at].once = false;
		s->item[at].loop = -1;
	}
	for (int32_t at = 0; at < s->n; at++) {
		int32_t to = s->item[at].to;
		if (to < 0)
			continue;
		s->item[to].target = true;
		if (to <= at)
			s->item[to].loop = at;
	}
	while (grew) { /* a loop that begins inside another and ends behind it makes that longer */
		grew = false;
		for (int32_t at = 0; at < s->n; at++)
			for (int32_t in = at + 1; in <= s->item[at].loop; in++)
				if (s->item[in].loop > s->item[at].loop) {
					s->item[at].loop = s->item[in].loop;
					grew = true;
				}
	}
	for (int32_t at = 0; at < s->n; at++)
		s->item[at].way = s->item[at].target ? n++ : -1;
	return n;
}

/* ---- who is read later ---- */

static bool writes_any(const struct items *s, const struct insn *i, const uint64_t *set)
{
	int first, n = item_written(s, i, &first);
	for (int r = first; r < first + n && r < REGISTERS; r++)
		if (set[r / 64] >> r % 64 & 1)
			return true;
	return false;
}

static bool answers_only(const struct items *s, const struct insn *i)
{
	return item_is_free((enum op)i->op) || (i->op == OP_CALL && s->harmless[i->k]);
}

/* `needed` alone: what an item reads counts only if what it writes is read. */
static void find_live(struct items *s, bool needed)
{
	bool grew = true, back = true; /* without a way back the first pass says all */
	memset(s->live, 0, (size_t)(s->n + 1) * LIVE_WORDS * sizeof *s->live);
	while (grew && back) {
		grew = back = false;
		for (int32_t at = s->n - 1; at >= 0; at--) {
			const struct item *x = &s->item[at];
			uint64_t set[LIVE_WORDS] = {0}, *own = s->live + (size_t)at * LIVE_WORDS;
			if (goes_on((enum op)x->i.op))
				memcpy(set, own + LIVE_WORDS, sizeof set);
			if (x->to >= 0) {
				back |= x->to <= at;
				for (int k = 0; k < LIVE_WORDS; k++)
					set[k] |= s->live[(size_t)x->to * LIVE_WORDS + (size_t)k];
			}
			if (!needed || !answers_only(s, &x->i) || writes_any(s, &x->i, set))
				live_step(s->p, s->f, &x->i, set);
			for (int k = 0; k < LIVE_WORDS; k++) {
				grew |= (set[k] & ~own[k]) != 0;
				own[k] |= set[k];
			}
		}
	}
}

void items_find_live(struct items *s)
{
	find_live(s, false);
}

bool items_live_at(const struct items *s, int32_t at, int reg)
{
	return s->live[(size_t)at * LIVE_WORDS + (size_t)reg / 64] >> reg % 64 & 1;
}

void items_drop_unread(struct items *s)
{
	find_live(s, true);
	for (int32_t at = 0; at < s->n; at++) {
		const struct insn *i = &s->item[at].i;
		if (answers_only(s, i) && ((i->op == OP_MOVE && i->a == i->b) || !writes_any(s, i, s->live + (size_t)(at + 1) * LIVE_WORDS)))
			item_clear(s, at);
	}
}
