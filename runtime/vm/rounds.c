/* rounds.c - rounds begin. */
#include "runtime/vm/machine.h"

/* Numbers that may be symbols: lift.h. */
static bool is_so(struct vm *m, int op, word a, word b)
{
	return m->lift ? lift_test(m, op, a, b) : lift_so(op, a, b);
}

static word sum(struct vm *m, word a, word b)
{
	bool wide = false;
	return m->lift ? lift_calc(m, OP_ADD, a, b, &wide) : num_add(a, b, &wide);
}

/* The conditions that go by this field are to be asked again. */
static void wakes(struct vm *m, int field)
{
	m->w[H_DIRTY] |= (word)m->p->field[field].touches & m->conditions;
}

bool round_begins(struct vm *m)
{
	const uint32_t number = m->p->field[m->p->at.round_number].base, start = m->p->field[m->p->at.round_start].base;
	if (is_so(m, OP_LE, m->w[H_ROUNDS_LEFT], 0)) {
		m->w[H_OUTCOME] = OUTCOME_ROUNDS;
		return false;
	}
	/* without an `until`, the script's own rounds are played and no more */
	if (m->w[H_STAGE] == WORLD_PLAYING && is_so(m, OP_LT, 0, m->w[number]))
		header_set(m, start, sum(m, m->w[start], m->round_length));
	m->w[H_ROUNDS_LEFT] = sum(m, m->w[H_ROUNDS_LEFT], -1);
	header_set(m, number, sum(m, m->w[number], 1));
	wakes(m, m->p->at.round_number);
	wakes(m, m->p->at.round_start);
	header_set(m, H_NOW, NONE); /* the last moment of the round before is none of this one's */
	blocks_look(m, false, false);
	return true;
}
