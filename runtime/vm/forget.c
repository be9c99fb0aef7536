/* forget.c - words of the world that nothing reads again before they are written.
 *
 * When a round begins, last round's initiative still stands in the world, though the next
 * thing that happens to it is to be rolled anew. Worlds that differ in nothing else are one.
 * Which words these are is not guessed from the code: every word that might be one is
 * overwritten with a mark, and whoever reads the mark proves that it was needed. While
 * learning, in sampled fights, the reader is given the true word from a copy; enumerating, it
 * stops the machine, and the enumeration begins again without forgetting that word. So an
 * answer that comes out rests on no forgotten word, whatever was learnt. */
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/machine.h"

static void candidate(struct vm *m, uint32_t from, uint32_t n)
{
	for (uint32_t i = from; i < from + n; i++)
		m->forgettable[i] = 1;
}

void vm_forget_open(struct vm *m)
{
	const struct program *p = m->p;
	m->forgettable = calloc(p->layout.words, 1);
	m->shadow = malloc(p->layout.words * sizeof *m->shadow);
	if (!m->forgettable || !m->shadow)
		abort();
	for (int i = 0; i < p->fields; i++) {
		const struct field_info *f = &p->field[i];
		bool own = i == p->at.round_number || i == p->at.round_start || i == p->at.beat || i == p->at.branch_open;
		for (int b = 0; b < p->blocks; b++)
			own |= p->block[b].field == i;
		if (own || f->kind == KIND_ACT || f->words != 1 || f->type.base == VT_SET || f->type.base == VT_LIST)
			continue;
		for (uint32_t k = 0; k < p->layout.kind[f->kind].count; k++)
			candidate(m, f->base + k * f->stride, 1);
	}
	for (int i = 0; i < p->pairs; i++)
		candidate(m, p->pair[i].base, p->pair[i].side * p->pair[i].side);
	candidate(m, H_NOW, 1);
}

void vm_forget_close(struct vm *m)
{
	free(m->forgettable);
	free(m->shadow);
	m->forgettable = NULL;
	m->shadow = NULL;
	m->forgetting = FORGET_NOTHING;
}

void vm_forget_mode(struct vm *m, enum forgetting how)
{
	m->forgetting = how;
	vm_forget_answers(m);
	m->needed = false;
}

/* Groups are numbered anew in every round: what happened in an earlier one was in no group of this. */
static void forget_groups(struct vm *m)
{
	for (uint32_t i = 0; i < (uint32_t)m->p->watches; i++) {
		word seen = m->w[m->p->layout.watches + i];
		if (seen >= WATCH_GROUP)
			world_raw(m, m->p->layout.watches + i, seen & (WATCH_GROUP - 1));
	}
}

void vm_forget(struct vm *m)
{
	forget_groups(m);
	if (m->forgetting == FORGET_LEARN)
		for (uint32_t i = 0; i < m->p->layout.acts; i++)
			if (m->w[i] != FORGOTTEN) /* what is marked still has its shadow */
				m->shadow[i] = m->w[i];
	for (uint32_t i = 0; i < m->p->layout.acts; i++)
		if (m->forgettable[i])
			m->w[i] = FORGOTTEN;
	m->played = false; /* marks stand where no instruction writes, too: the next trial writes all */
}

bool vm_needed(const struct vm *m)
{
	return m->needed;
}

word forget_read(struct vm *m, uint32_t at)
{
	if (m->forgetting == FORGET_NOTHING || (m->forgetting == FORGET_MARK && !m->forgettable[at]))
		return m->w[at]; /* a number that happens to look like the mark */
	m->forgettable[at] = 0;
	if (m->forgetting == FORGET_LEARN) {
		m->w[at] = m->shadow[at];
		return m->w[at];
	}
	m->needed = true;
	if (m->status == VM_PAUSED)
		m->status = VM_FAILED;
	return NONE;
}
