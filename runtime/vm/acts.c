/* acts.c - which acts are in use, as bits beside the block, and who has declared which, so that nobody
 * goes through all of them; and the writing of an act's whole row.
 *
 * An actor has mostly declared one act, or none. So beside each actor stands the only act he may have declared; whether he has is looked
 * up in its row by who asks, so that nothing need be done when it is pended or wiped. Every other act that may be declared is `fresh`. */
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/machine.h"

void acts_close(struct vm *m)
{
	free(m->acts.unused);
	free(m->acts.fresh);
	free(m->acts.declared);
	free(m->acts.made);
	free(m->acts.listing.v);
	free(m->acts.listing.at);
	free(m->acts.listing.of);
	memset(&m->acts, 0, sizeof m->acts);
}

void acts_open(struct vm *m)
{
	struct acts *a = &m->acts;
	acts_close(m);
	a->words = (m->p->layout.act_count + 63) / 64;
	a->actors = m->p->lives[KIND_COMBATANT];
	a->unused = malloc(((size_t)a->words + 1) * sizeof *a->unused);
	a->fresh = calloc((size_t)a->words + 1, sizeof *a->fresh);
	a->declared = malloc(((size_t)a->actors + 1) * sizeof *a->declared);
	a->made = calloc((size_t)m->p->layout.act_count + 1, sizeof *a->made);
	a->listing.room = 2 * (int32_t)m->p->layout.act_count;
	a->listing.v = malloc(((size_t)a->listing.room + 1) * sizeof *a->listing.v);
	a->listing.at = calloc((size_t)m->p->layout.act_count + 1, sizeof *a->listing.at);
	a->listing.of = calloc((size_t)m->p->events + 1, sizeof *a->listing.of);
	if (!a->listing.of || !a->unused || !a->fresh || !a->declared || !a->made ||
		!a->listing.v || !a->listing.at)
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

/* The bits of a word of unused that stand for an act; behind the last none does. */
static inline uint64_t all_of(const struct vm *m, uint32_t at)
{
	const uint32_t count = m->p->layout.act_count;
	return at < count / 64 ? ~0ull : at > count / 64 ? 0 : (1ull << count % 64) - 1;
}

uint64_t acts_used(const struct vm *m, uint32_t at)
{
	return all_of(m, at) & ~m->acts.unused[at];
}

static void look_again(struct vm *m)
{
	struct acts *a = &m->acts;
	const uint32_t count = m->p->layout.act_count;
	memset(a->fresh, 0, ((size_t)a->words + 1) * sizeof *a->fresh);
	for (uint32_t i = 0; i <= a->words; i++)
		a->unused[i] = all_of(m, i);
	for (int32_t i = 0; i <= a->actors; i++)
		a->declared[i] = (int32_t)count;
	lists_forget(m);
	a->full = a->most = 0;
	a->known = true;
	for (word i = 0; i < m->w[H_ACTS]; i++)
		act_turned(m, i);
}

void acts_renew(struct vm *m)
{
	struct acts *a = &m->acts;
	const uint32_t acts = acts_ever(m), words = (acts + 63) / 64;
	if (!a->known)
		return;
	for (uint32_t i = 0; i < words; i++) {
		const uint64_t all = all_of(m, i);
		for (uint64_t used = all & ~a->unused[i]; used; used &= used - 1)
			blank(m, i * 64 + __builtin_ctzll(used));
		a->unused[i] = all;
		a->fresh[i] = 0;
	}
	lists_forget(m);
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
	acts_look(m);
	uint32_t at = a->full / sizeof *a->unused;
	while (at < a->words && !a->unused[at])
		at++;
	a->full = at * (uint32_t)sizeof *a->unused;
	if (at == a->words)
		return m->p->layout.act_count;
	const int64_t act = at * 64 + __builtin_ctzll(a->unused[at]);
	a->unused[at] &= a->unused[at] - 1;
	act_fresh(m, act);
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
	if (word_ < ACT_ARGS)
		return true;
	if (word_ >= l->act_args && word_ < l->act_args + l->act_arg_words)
		return m->given || word_ - l->act_args >= 64 || m->act_said >> (word_ - l->act_args) & 1;
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
	m->act_said = 0;
	for (int32_t i = 0; i < m->p->code_count; i++)
		if (m->p->code[i].op == OP_STA)
			m->act_said |= 1ull << m->p->code[i].c % 64;
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
	if (a->known)
		act_unused(a, act);
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

static inline bool is_declared_by(const struct vm *m, word act, word actor)
{
	const struct reach *whose = &m->reach[m->p->at.act_actor];
	return m->w[act_at(m, act) + ACT_STATE] == ACT_DECLARED && m->w[whose->base + (uint32_t)act * whose->stride] == actor;
}

static void release(struct vm *m, word act)
{
	if (m->journaling)
		world_free(m, act);
	else
		wipe(m, act);
}

/* Of those that are fresh his own are free. Others stand beside their actors, if they are declared and nothing declared stands there yet. */
__attribute__((noinline)) static void release_fresh(struct vm *m, word actor)
{
	struct acts *a = &m->acts;
	const struct reach *whose = &m->reach[m->p->at.act_actor];
	const uint32_t words = ((uint32_t)m->w[H_ACTS] + 63) / 64;
	a->some_fresh = false;
	for (uint32_t i = 0; i < words; i++) {
		uint64_t bits = a->fresh[i];
		for (a->fresh[i] = 0; bits; bits &= bits - 1) {
			const uint32_t act = i * 64 + (uint32_t)__builtin_ctzll(bits);
			const word his = m->w[whose->base + act * whose->stride];
			if (m->w[act_at(m, act) + ACT_STATE] != ACT_DECLARED)
				continue;
			if (his == actor)
				release(m, act);
			else if ((uint64_t)his < (uint64_t)a->actors && (a->declared[his] == (int32_t)act || !is_declared_by(m, a->declared[his], his)))
				a->declared[his] = (int32_t)act;
			else
				act_fresh(m, act);
		}
	}
}

void acts_release(struct vm *m, word actor)
{
	struct acts *a = &m->acts;
	acts_look(m);
	if (a->some_fresh)
		release_fresh(m, actor);
	if ((uint64_t)actor < (uint64_t)a->actors && is_declared_by(m, a->declared[actor], actor))
		release(m, a->declared[actor]);
}
