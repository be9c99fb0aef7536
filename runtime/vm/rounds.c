/* rounds.c - rounds begin; lists of acts are opened, gone through and closed. */
#include "runtime/vm/machine.h"

bool round_begins(struct vm *m)
{
	const uint32_t number = m->p->field[m->p->at.round_number].base, start = m->p->field[m->p->at.round_start].base;
	bool wide = false;
	if (lift_test(m, OP_LE, m->w[H_ROUNDS_LEFT], 0)) {
		m->w[H_OUTCOME] = OUTCOME_ROUNDS;
		return false;
	}
	/* without an `until`, the script's own rounds are played and no more */
	if (m->w[H_STAGE] == WORLD_PLAYING && lift_test(m, OP_LT, 0, m->w[number]))
		header_set(m, start, lift_calc(m, OP_ADD, m->w[start], m->round_length, &wide));
	m->w[H_ROUNDS_LEFT] = lift_calc(m, OP_ADD, m->w[H_ROUNDS_LEFT], -1, &wide);
	header_set(m, number, lift_calc(m, OP_ADD, m->w[number], 1, &wide));
	blocks_look(m, false, false);
	return true;
}

word act_listed(struct vm *m, word after, word limit)
{
	word serial = after == NONE ? -1 : m->w[act_at(m, after) + ACT_SERIAL];
	/* an act that was taken off meanwhile: go on behind where it stood */
	word best = NONE, best_serial = 0;
	for (uint32_t i = 0; i < (uint32_t)m->w[H_ACTS]; i++) {
		uint32_t at = act_at(m, i);
		word s = m->w[at + ACT_SERIAL];
		if (m->w[at + ACT_STATE] != ACT_PENDING || m->w[at + ACT_LIST] != m->w[H_LIST] || s <= serial || (limit != NONE && s >= limit))
			continue;
		if (best == NONE || s < best_serial) {
			best = i;
			best_serial = s;
		}
	}
	return best;
}

bool list_open(struct vm *m, int order)
{
	if (m->w[H_LIST] + 1 >= (word)m->p->layout.list_depth)
		return vm_fail(m, VM_LIMIT, M_EVENTS_DEEP, 1, "a list of acts");
	m->w[H_LIST]++;
	m->w[m->p->layout.lists + m->w[H_LIST]] = order;
	return true;
}

void list_close(struct vm *m)
{
	for (word i = 0; i < m->w[H_ACTS]; i++)
		if (m->w[act_at(m, i) + ACT_STATE] == ACT_PENDING && m->w[act_at(m, i) + ACT_LIST] == m->w[H_LIST])
			world_cancel(m, i);
	m->w[H_LIST]--;
}
