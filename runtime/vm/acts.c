/* acts.c - which acts are in use and which are declared, as bits beside the block, so that nobody
 * goes through all of them; and the writing of an act's whole row. */
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/machine.h"

static int words(const struct vm *m)
{
	return (int)(m->p->layout.act_count + 63) / 64;
}

void acts_close(struct vm *m)
{
	free(m->acts.used);
	free(m->acts.declared);
	memset(&m->acts, 0, sizeof m->acts);
}

static inline void bit(uint64_t *set, word act, bool is)
{
	uint64_t at = (uint64_t)act;
	set[at / 64] = (set[at / 64] & ~(1ull << at % 64)) | (uint64_t)is << at % 64;
}

static void look(struct vm *m)
{
	struct acts *a = &m->acts;
	size_t n = (size_t)words(m) + 1;
	if (a->known)
		return;
	if (!a->used) {
		a->used = malloc(n * sizeof *a->used);
		a->declared = malloc(n * sizeof *a->declared);
		if (!a->used || !a->declared)
			abort();
	}
	memset(a->used, 0, n * sizeof *a->used);
	memset(a->declared, 0, n * sizeof *a->declared);
	a->known = true;
	for (word i = 0; i < m->w[H_ACTS]; i++)
		act_turned(m, i);
}

void act_turned(struct vm *m, word act)
{
	word state = m->w[act_at(m, act) + ACT_STATE];
	if (!m->acts.known)
		return;
	bit(m->acts.used, act, state != ACT_FREE);
	bit(m->acts.declared, act, state == ACT_DECLARED);
}

int64_t act_free(struct vm *m)
{
	look(m);
	for (int i = 0; i < words(m); i++)
		if (~m->acts.used[i]) {
			int64_t act = i * 64 + __builtin_ctzll(~m->acts.used[i]);
			return act < m->p->layout.act_count ? act : m->p->layout.act_count;
		}
	return m->p->layout.act_count;
}

/* Words of a row were written: whatever rested on one of them goes. Its place in the order is
 * looked at by whoever writes a whole row. */
static void wrote(struct vm *m, word act)
{
	uint32_t at = act_at(m, act), n = m->p->layout.act_stride;
	if (!m->memo.row_noted[act])
		return;
	for (uint32_t i = 0; i < n; i++)
		memo_wrote(&m->memo, at + i);
	m->memo.row_noted[act] = 0;
}

void act_wipe(struct vm *m, word act)
{
	uint32_t at = act_at(m, act), n = m->p->layout.act_stride;
	memcpy(m->w + at, m->p->start + at, n * sizeof *m->w);
	wrote(m, act);
	act_turned(m, act);
}

void act_fill(struct vm *m, word act, const word *from)
{
	uint32_t at = act_at(m, act), n = m->p->layout.act_stride;
	memcpy(m->w + at + ACT_ARGS, from + ACT_ARGS, (n - ACT_ARGS) * sizeof *m->w);
	wrote(m, act);
}

void acts_release(struct vm *m, word actor)
{
	const struct field_info *f = &m->p->field[m->p->at.act_actor];
	const word *actors = m->w + f->base;
	const uint32_t stride = f->stride;
	look(m);
	for (int i = 0; i < words(m); i++)
		for (uint64_t bits = m->acts.declared[i]; bits; bits &= bits - 1) {
			word act = i * 64 + __builtin_ctzll(bits);
			if (actors[(uint64_t)act * stride] == actor)
				world_free(m, act);
		}
}
