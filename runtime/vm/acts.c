/* acts.c - which acts are in use, as bits beside the block, and who has declared which, so that nobody
 * goes through all of them; and the writing of an act's whole row.
 *
 * The declared acts of an actor hang in a chain. An act that may have been declared, or whose actor may
 * have been written, is `fresh`: it finds its chain when somebody asks for one, or at once if code of the
 * processor writes whose it is. One that is declared no longer stays where it hangs until then. */
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

void acts_open(struct vm *m)
{
	struct acts *a = &m->acts;
	const struct layout *l = &m->p->layout;
	const size_t acts = l->act_count + 1;
	acts_close(m);
	a->words = (l->act_count + 63) / 64;
	a->actors = m->p->lives[KIND_COMBATANT];
	a->used = malloc(((size_t)a->words + 1) * sizeof *a->used);
	a->fresh = calloc((size_t)a->words + 1, sizeof *a->fresh); /* bits are taken there whether acts are known or not */
	a->head = malloc(((size_t)a->actors + 1) * sizeof *a->head);
	a->next = malloc(acts * sizeof *a->next);
	a->chain = malloc(acts * sizeof *a->chain);
	if (!a->used || !a->fresh || !a->head || !a->next || !a->chain)
		abort();
}

static inline void blank(struct vm *m, word act)
{
	const uint32_t n = m->act_written;
	const word *from = m->act_blank;
	word *row = m->w + act_at(m, act);
	/* by pieces, the last of which lies over those before it: so few words take less than a call to copy them */
	memcpy(row, from, ACT_LEAST * sizeof *row);
	for (uint32_t k = ACT_LEAST; k + ACT_LEAST < n; k += ACT_LEAST)
		memcpy(row + k, from + k, ACT_LEAST * sizeof *row);
	memcpy(row + n - ACT_LEAST, from + n - ACT_LEAST, ACT_LEAST * sizeof *row);
}

static void look_again(struct vm *m)
{
	struct acts *a = &m->acts;
	memset(a->used, 0, ((size_t)a->words + 1) * sizeof *a->used);
	memset(a->fresh, 0, ((size_t)a->words + 1) * sizeof *a->fresh);
	memset(a->head, 0xff, ((size_t)a->actors + 1) * sizeof *a->head);
	memset(a->chain, 0xff, ((size_t)m->p->layout.act_count + 1) * sizeof *a->chain);
	a->seen.list = -1;
	a->full = a->most = 0;
	a->known = true;
	for (word i = 0; i < m->w[H_ACTS]; i++)
		act_turned(m, i);
}

void acts_renew(struct vm *m)
{
	struct acts *a = &m->acts;
	const uint32_t acts = (uint32_t)m->w[H_ACTS] > a->most ? (uint32_t)m->w[H_ACTS] : a->most, words = (acts + 63) / 64;
	if (!a->known)
		return;
	for (uint32_t i = 0; i < words; i++) {
		for (uint64_t used = a->used[i]; used; used &= used - 1)
			blank(m, i * 64 + __builtin_ctzll(used));
		a->used[i] = a->fresh[i] = 0;
	}
	memset(a->head, 0xff, ((size_t)a->actors + 1) * sizeof *a->head);
	memset(a->chain, 0xff, (size_t)acts * sizeof *a->chain);
	a->seen.list = -1;
	a->full = a->most = 0;
	m->w[H_ACTS] = 0;
}

void acts_look(struct vm *m)
{
	if (!m->acts.known)
		look_again(m);
}

int64_t act_take(struct vm *m)
{
	struct acts *a = &m->acts;
	const int64_t count = m->p->layout.act_count;
	acts_look(m);
	uint32_t at = a->full;
	while (at < a->words && !~a->used[at])
		at++;
	a->full = at;
	if (at == a->words)
		return count;
	const uint64_t used = a->used[at], with = used | (used + 1);
	const int64_t act = at * 64 + __builtin_ctzll(with ^ used);
	if (act >= count)
		return count;
	a->used[at] = with;
	a->fresh[at] |= with ^ used;
	a->some_fresh = true;
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

bool act_word_written(const struct vm *m, uint32_t word_)
{
	const struct layout *l = &m->p->layout;
	if (word_ < ACT_ARGS || (word_ >= l->act_args && word_ < l->act_args + l->act_arg_words))
		return true;
	for (int i = 0; i < m->p->fields; i++) {
		const struct field_info *f = &m->p->field[i];
		if (f->kind == KIND_ACT && !m->reach[i].fixed && word_ >= f->base - l->acts && word_ < f->base + f->words - l->acts)
			return true;
	}
	return false;
}

void acts_written(struct vm *m)
{
	uint32_t n = m->p->layout.act_stride;
	while (n > ACT_LEAST && !act_word_written(m, n - 1))
		n--;
	m->act_written = n;
	m->act_blank = m->p->start + act_at(m, m->p->layout.act_count); /* behind the last; at the start all are like it */
}

/* Its row is as at the start. */
static inline void freed(struct vm *m, word act)
{
	struct acts *a = &m->acts;
	must(!memcmp(m->w + act_at(m, act), m->p->start + act_at(m, act), m->p->layout.act_stride * sizeof *m->w));
	if (a->known) {
		const uint32_t at = (uint32_t)act / 64;
		a->used[at] &= ~(1ull << act % 64);
		if (at < a->full)
			a->full = at;
	}
	if (m->memo.row_noted[act])
		act_noted(m, act);
}

static inline void wipe(struct vm *m, word act)
{
	blank(m, act);
	freed(m, act);
}

void act_wipe(struct vm *m, word act)
{
	wipe(m, act);
}

/* ---- who has declared them ---- */

static inline word actor_of(const struct vm *m, const struct reach *whose, uint32_t act)
{
	return m->w[whose->base + act * whose->stride];
}

/* Everybody's chain, and one for those who are nobody's. */
static inline int32_t chain_of(const struct acts *a, word actor)
{
	return (uint64_t)actor < (uint64_t)a->actors ? (int32_t)actor : a->actors;
}

/* Seldom: its actor is another. */
__attribute__((noinline)) static void unhang(struct acts *a, int32_t act)
{
	int32_t *at = &a->head[a->chain[act]];
	while (*at != act)
		at = &a->next[*at];
	*at = a->next[act];
	a->chain[act] = -1;
}

/* Those that are fresh find their chains. Mostly nobody is: who was given an actor by code of the processor hangs already (native_rows.c). */
__attribute__((noinline)) static void hang_fresh(struct vm *m, uint32_t words)
{
	struct acts *a = &m->acts;
	const struct reach *whose = &m->reach[m->p->at.act_actor];
	a->some_fresh = false;
	for (uint32_t i = 0; i < words; i++) {
		uint64_t bits = a->fresh[i];
		for (a->fresh[i] = 0; bits; bits &= bits - 1) {
			const uint32_t act = i * 64 + (uint32_t)__builtin_ctzll(bits);
			if (m->w[act_at(m, act) + ACT_STATE] != ACT_DECLARED)
				continue;
			const int32_t from = a->chain[act], to = chain_of(a, actor_of(m, whose, act));
			if (from == to)
				continue;
			if (from >= 0)
				unhang(a, (int32_t)act);
			a->chain[act] = to;
			a->next[act] = a->head[to];
			a->head[to] = (int32_t)act;
		}
	}
}

void acts_release(struct vm *m, word actor)
{
	struct acts *a = &m->acts;
	const struct reach *whose = &m->reach[m->p->at.act_actor];
	acts_look(m);
	if (a->some_fresh)
		hang_fresh(m, ((uint32_t)m->w[H_ACTS] + 63) / 64);
	for (int32_t *at = &a->head[chain_of(a, actor)], act = *at; act >= 0; act = *at) {
		const bool declared = m->w[act_at(m, act) + ACT_STATE] == ACT_DECLARED;
		if (declared && actor_of(m, whose, (uint32_t)act) != actor) {
			at = &a->next[act];
			continue;
		}
		*at = a->next[act];
		a->chain[act] = -1;
		if (declared && !m->journaling)
			wipe(m, act);
		else if (declared)
			world_free(m, act);
	}
}
