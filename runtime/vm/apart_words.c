/* apart_words.c - what processor code calls (native.h) for numbers, sets, lists and tables that
 * have no code of their own. A call
 * takes less than leaving that code for the loop, which goes on as far as the next place where
 * it may be entered. */
#include <string.h>

#include "runtime/base/plane.h"
#include "runtime/vm/inside.h"
#include "runtime/vm/native.h"

#define APART(name) static bool name(struct vm *m, word *r, const struct insn *i)
#define A           r[i->a]
#define B           r[i->b]
#define C           r[i->c]

/* ---- numbers ---- */

static bool too_large(struct vm *m)
{
	return vm_fail(m, VM_FAILED, M_OVERFLOW, 0);
}

/* The machine is only known to who fails. */
#define CALCULATES(name, calculation)                                                              \
	APART(name)                                                                                \
	{                                                                                          \
		bool bad = false;                                                                  \
		if (B == NONE || C == NONE) {                                                      \
			A = NONE;                                                                  \
			return true;                                                               \
		}                                                                                  \
		const word v = calculation(B, C, &bad);                                            \
		if (bad)                                                                           \
			return too_large(m);                                                       \
		A = v;                                                                             \
		return true;                                                                       \
	}

CALCULATES(frac_sum, frac_add)
CALCULATES(frac_rest, frac_sub)
CALCULATES(frac_times, frac_mul)
CALCULATES(quotient, frac_make)
CALCULATES(frac_quotient, frac_div)

APART(divides)
{
	return C == 0 ? vm_fail(m, VM_FAILED, M_DIVISION, 0) : quotient(m, r, i);
}

APART(frac_divides)
{
	return C != NONE && frac_top(C) == 0 ? vm_fail(m, VM_FAILED, M_DIVISION, 0)
					     : frac_quotient(m, r, i);
}

APART(remainder_of)
{
	if (B == NONE || C == NONE) {
		A = NONE;
		return true;
	}
	if (C == 0)
		return vm_fail(m, VM_FAILED, M_DIVISION, 0);
	const word by = C, v = by == -1 ? 0 : B % by;
	A = v < 0 ? v + (by < 0 ? -by : by) : v;
	return true;
}

APART(fraction)
{
	bool bad = false;
	const word v = B == NONE ? NONE : frac_of(B, &bad);
	if (bad)
		return too_large(m);
	A = v;
	return true;
}

APART(frac_least)
{
	(void)m;
	A = B == NONE ? C : C == NONE || frac_compare(B, C) < 0 ? B : C;
	return true;
}

APART(frac_most)
{
	(void)m;
	A = B == NONE ? C : C == NONE || frac_compare(B, C) > 0 ? B : C;
	return true;
}

APART(rounds)
{
	(void)m;
	A = frac_round(B, (enum rounding)i->c);
	return true;
}

APART(measures)
{
	bool bad = false, unset = false;
	for (int k = 0; k < plane_arguments((enum measure)i->c); k++)
		unset |= r[i->b + k] == NONE;
	const word v = unset ? NONE : plane_measure((enum measure)i->c, &B, &bad);
	if (bad)
		return too_large(m);
	A = v;
	return true;
}

APART(differs)
{
	(void)m;
	A = B != NONE && C != NONE && B != C;
	return true;
}

APART(frac_less)
{
	(void)m;
	A = B != NONE && C != NONE && frac_compare(B, C) < 0;
	return true;
}

APART(frac_at_most)
{
	(void)m;
	A = B != NONE && C != NONE && frac_compare(B, C) <= 0;
	return true;
}

/* ---- things, dice, tables ---- */

APART(kind_of)
{
	A = B < 0 || B >= m->p->things ? NONE : m->p->thing[B].kind;
	return true;
}

APART(dice_most)
{
	int least, most;
	if (B < 0 || B >= m->p->dices) {
		A = NONE;
		return true;
	}
	dice_range(&m->dice[B], &least, &most);
	A = i->c ? most : least;
	return true;
}

APART(table)
{
	A = table_value(m->p, i->c, B, r[i->b + 1]);
	return true;
}

APART(table_of)
{
	A = table_value(m->p, r[i->b + 2], B, r[i->b + 1]);
	return true;
}

APART(rank)
{
	A = B < 0 || B >= m->p->texts ? NONE : m->p->text_rank[B];
	return true;
}

/* ---- sets and lists ---- */

APART(set_of_field)
{
	const int words = m->p->set_words;
	const word *at = field(m, &m->p->field[i->c], B);
	if (at)
		read_words(m, i->c, at, words);
	for (int k = 0; k < words; k++)
		r[i->a + k] = at ? at[k] : 0;
	return true;
}

APART(all)
{
	const uint32_t n = m->p->layout.kind[i->k].count;
	for (int k = 0; k < m->p->set_words; k++)
		r[i->a + k] = (word)(n >= (uint32_t)(k + 1) * 64 ? ~0ull
				: n > (uint32_t)k * 64 ? (1ull << (n - (uint32_t)k * 64)) - 1
						       : 0);
	return true;
}

APART(both)
{
	for (int k = 0; k < m->p->set_words; k++)
		r[i->a + k] = r[i->b + k] | r[i->c + k];
	return true;
}

APART(same_sets)
{
	A = !memcmp(&B, &C, sizeof(word) * (size_t)m->p->set_words);
	return true;
}

APART(length)
{
	const word *at = field(m, &m->p->field[i->c], B);
	if (at)
		read_words(m, i->c, at, 1);
	A = at ? at[0] : 0;
	return true;
}

APART(item)
{
	const word *at = field(m, &m->p->field[i->c], B), k = r[i->b + 1];
	if (at)
		read_words(m, i->c, at, 1 + at[0]);
	A = at && k >= 0 && k < at[0] ? at[1 + k] : NONE;
	return true;
}

APART(of_thing)
{
	const struct program *p = m->p;
	const word thing = B, k = r[i->b + 1];
	const word list = thing < 0 || thing >= p->things
		? NONE
		: p->thing_words[thing * p->thing_fields + i->c];
	if (list == NONE)
		A = i->op == OP_HAST ? 0 : NONE;
	else if (i->op == OP_HAST)
		A = list_has(p, p->thing_field[i->c].type, p->list_words + list + 1,
			p->list_words[list], k);
	else
		A = k >= 0 && k < p->list_words[list] ? p->list_words[list + 1 + k] : NONE;
	return true;
}

/* ---- what is written ---- */

APART(add_pair)
{
	const struct pair_info *f = &m->p->pair[i->c];
	const word *at = cell(m, f, A, r[i->a + 1]);
	const bool bounded = i->op == OP_ADPB;
	return (!at ||
		       world_add(m, (uint32_t)(at - m->w), B, bounded ? r[i->b + 1] : NONE,
			       bounded ? r[i->b + 2] : NONE, f->type.frac, f->shared,
			       i->c + 1000000)) &&
		m->status == VM_PAUSED;
}

native_apart *native_words_of(enum op op)
{
	switch (op) {
	case OP_REM:
		return remainder_of;
	case OP_FRAC:
		return fraction;
	case OP_DIV:
		return divides;
	case OP_FADD:
		return frac_sum;
	case OP_FSUB:
		return frac_rest;
	case OP_FMUL:
		return frac_times;
	case OP_FDIV:
		return frac_divides;
	case OP_FMIN:
		return frac_least;
	case OP_FMAX:
		return frac_most;
	case OP_ROUND:
		return rounds;
	case OP_MEASURE:
		return measures;
	case OP_NE:
		return differs;
	case OP_FLT:
		return frac_less;
	case OP_FLE:
		return frac_at_most;
	case OP_KINDOF:
		return kind_of;
	case OP_DICEMOST:
		return dice_most;
	case OP_TABLE:
		return table;
	case OP_TABLEOF:
		return table_of;
	case OP_RANK:
		return rank;
	case OP_LDSF:
		return set_of_field;
	case OP_SALL:
		return all;
	case OP_SOR:
		return both;
	case OP_SAMES:
		return same_sets;
	case OP_LEN:
		return length;
	case OP_ITEM:
		return item;
	case OP_HAST:
	case OP_ITEMT:
		return of_thing;
	case OP_ADP:
	case OP_ADPB:
		return add_pair;
	default:
		return NULL;
	}
}
