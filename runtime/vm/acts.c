/* acts.c - which acts are in use, as bits beside the block, and who has declared which, so that nobody
 * goes through all of them; and the writing of an act's whole row.
 *
 * The declared acts of an actor hang in a chain. An act that may have been declared, or whose actor may
 * have been written, is `fresh`: it finds its chain when somebody asks for one. One that is declared no
 * longer stays where it hangs until then. */
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/machine.h"

void acts_close(struct vm *m)
{
	free(m->acts.used);
	free(m->acts.fresh);
	free(m->acts.head);
	free(m->acts.next);
	free(m->acts.chain);
	memset(&m->acts, 0, sizeof m->acts);
}

static void make(struct vm *m)
{
	struct acts *a = &m->acts;
	const struct layout *l = &m->p->layout;
	size_t acts = l->act_count + 1;
	a->words = (int)(l->act_count + 63) / 64;
	a->actors = m->p->lives[KIND_COMBATANT];
	a->used = malloc(((size_t)a->words + 1) * sizeof *a->used);
	a->fresh = malloc(((size_t)a->words + 1) * sizeof *a->fresh);
	a->head = malloc(((size_t)a->actors + 1) * sizeof *a->head);
	a->next = malloc(acts * sizeof *a->next);
	a->chain = malloc(acts * sizeof *a->chain);
	if (!a->used || !a->fresh || !a->head || !a->next || !a->chain)
		abort();
}

static void look_again(struct vm *m)
{
	struct acts *a = &m->acts;
	if (!a->used)
		make(m);
	memset(a->used, 0, ((size_t)a->words + 1) * sizeof *a->used);
	memset(a->fresh, 0, ((size_t)a->words + 1) * sizeof *a->fresh);
	memset(a->head, 0xff, ((size_t)a->actors + 1) * sizeof *a->head);
	memset(a->chain, 0xff, ((size_t)m->p->layout.act_count + 1) * sizeof *a->chain);
	a->full = 0;
	a->known = true;
	for (word i = 0; i < m->w[H_ACTS]; i++)
		act_turned(m, i);
}

static inline void look(struct vm *m)
{
	if (!m->acts.known)
		look_again(m);
}

int64_t act_take(struct vm *m)
{
	struct acts *a = &m->acts;
	const int64_t count = m->p->layout.act_count;
	look(m);
	while (a->full < a->words && !~a->used[a->full])
		a->full++;
	if (a->full == a->words)
		return count;
	const uint64_t bit = ~a->used[a->full] & (a->used[a->full] + 1);
	const int64_t act = a->full * 64 + __builtin_ctzll(bit);
	if (act >= count)
		return count;
	a->used[a->full] |= bit;
	a->fresh[a->full] |= bit;
	return act;
}

/* Words of a row were written: whatever rested on one of them goes. Its place in the order is
 * looked at by whoever writes a whole row. */
void act_noted(struct vm *m, word act)
{
	uint32_t at = act_at(m, act), n = m->p->layout.act_stride;
	for (uint32_t i = 0; i < n; i++)
		memo_wrote(&m->memo, at + i);
	m->memo.row_noted[act] = 0;
}

void act_wipe(struct vm *m, word act)
{
	uint32_t at = act_at(m, act), n = m->p->layout.act_stride;
	memcpy(m->w + at, m->p->start + at, n * sizeof *m->w);
	if (m->memo.row_noted[act])
		act_noted(m, act);
	if (m->acts.known) {
		const int word_at = (int)((uint64_t)act / 64);
		m->acts.used[word_at] &= ~(1ull << act % 64);
		if (word_at < m->acts.full)
			m->acts.full = word_at;
	}
}

/* ---- who has declared them ---- */

static word actor_of(const struct vm *m, word act)
{
	const struct reach *f = &m->reach[m->p->at.act_actor];
	return m->w[f->base + (uint64_t)act * f->stride];
}

/* Everybody's chain, and one for those who are nobody's. */
static int32_t chain_of(const struct vm *m, word actor)
{
	return actor >= 0 && actor < m->acts.actors ? (int32_t)actor : m->acts.actors;
}

static void hang(struct vm *m, int32_t act)
{
	struct acts *a = &m->acts;
	int32_t to = chain_of(m, actor_of(m, act)), from = a->chain[act];
	if (from == to)
		return;
	if (from >= 0) {
		int32_t *at = &a->head[from];
		while (*at != act)
			at = &a->next[*at];
		*at = a->next[act];
	}
	a->chain[act] = to;
	a->next[act] = a->head[to];
	a->head[to] = act;
}

void acts_release(struct vm *m, word actor)
{
	struct acts *a = &m->acts;
	look(m);
	for (int i = 0, words = (int)(m->w[H_ACTS] + 63) / 64; i < words; i++) {
		uint64_t bits = a->fresh[i];
		if (!bits)
			continue;
		for (a->fresh[i] = 0; bits; bits &= bits - 1) {
			word act = i * 64 + __builtin_ctzll(bits);
			if (m->w[act_at(m, act) + ACT_STATE] == ACT_DECLARED)
				hang(m, (int32_t)act);
		}
	}
	for (int32_t *at = &a->head[chain_of(m, actor)]; *at >= 0;) {
		int32_t act = *at;
		bool declared = m->w[act_at(m, act) + ACT_STATE] == ACT_DECLARED;
		if (declared && actor_of(m, act) != actor) {
			at = &a->next[act];
			continue;
		}
		*at = a->next[act];
		a->chain[act] = -1;
		if (declared)
			world_free(m, act);
	}
}
