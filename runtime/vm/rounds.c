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
	const uint32_t stride = m->p->layout.act_stride;
	const word list = m->w[H_LIST], *const rows = m->w + act_at(m, 0), *const end = rows + (uint32_t)m->w[H_ACTS] * stride;
	for (const word *row = rows; row != end; row += stride) {
		if (row[ACT_STATE] != ACT_PENDING || row[ACT_LIST] != list)
			continue;
		word s = row[ACT_SERIAL];
		if (s > serial && (limit == NONE || s < limit) && (best == NONE || s < best_serial)) {
			best = (row - rows) / stride;
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
	const uint32_t stride = m->p->layout.act_stride;
	const word list = m->w[H_LIST], *const rows = m->w + act_at(m, 0), *const end = rows + (uint32_t)m->w[H_ACTS] * stride;
	for (const word *row = rows; row != end; row += stride)
		if (row[ACT_STATE] == ACT_PENDING && row[ACT_LIST] == list)
			world_cancel(m, (row - rows) / stride);
	m->w[H_LIST]--;
}
