/* sifted.c - answers that rest on what is known about all of a set.
 *
 * A search for the nearest enemy that stands asks of each enemy whether it does. The enemies of a
 * side are one set, so few sets are kept, each with the answers that depend on it. When the answer
 * about one member changes, every set that contains the member is voided. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/must.h"
#include "runtime/vm/memo.h"

void sifted_open(struct memo *x)
{
	x->sifted_of = calloc((size_t)x->set_words * MEMO_SETS + 1, sizeof *x->sifted_of);
	must(x->sifted_of);
	sifted_forget(x);
}

void sifted_close(struct memo *x)
{
	free(x->sifted_of);
}

void sifted_forget(struct memo *x)
{
	for (int i = 0; i < MEMO_SETS; i++)
		x->sifted[i] = (struct memo_sifted){-1, 0};
}

/* Of the sets of a function, those with him; NONE: all. */
void sifted_void(struct memo *x, int32_t of, word who)
{
	bool any = false;
	for (int i = 0; i < MEMO_SETS; i++) {
		struct memo_sifted *s = &x->sifted[i];
		const word *set = x->sifted_of + i * x->set_words;
		if (s->of != of)
			continue;
		if (who == NONE || ((uint64_t)set[who / 64] >> who % 64 & 1)) {
			const uint32_t chain = s->leads;
			s->leads = 0;
			memo_void_chain(x, chain);
		}
		any |= s->leads != 0;
	}
	x->entry.v[memo_all(&x->fn.v[of])].sifted = any;
}

void sifted_renew(struct memo *x)
{
	for (int i = 0; i < MEMO_SETS; i++)
		if (x->sifted[i].of >= 0)
			sifted_void(x, x->sifted[i].of, NONE);
}

/* The answer being worked out rests on those about all of the set. Is there room for one more? */
static bool rests_on_set(struct memo *x, int32_t of, const word *set)
{
	struct memo_frame *f = &x->frame[x->depth - 1];
	const size_t bytes = sizeof(word) * (size_t)x->set_words;
	int at = 0, lone = -1;
	if (f->of == x->of_order)
		return false;
	while (at < MEMO_SETS &&
		(x->sifted[at].of != of || memcmp(x->sifted_of + at * x->set_words, set, bytes) != 0)) {
		if (!x->sifted[at].leads)
			lone = at;
		at++;
	}
	if (at == MEMO_SETS && lone < 0)
		return false;
	if (at == MEMO_SETS) {
		at = lone;
		x->sifted[at].of = of;
		memcpy(x->sifted_of + at * x->set_words, set, bytes);
	}
	x->entry.v[memo_all(&x->fn.v[of])].sifted = true;
	f->changeable = true;
	f->notes++;
	memo_lead(x, &x->sifted[at].leads, f);
	return true;
}

void memo_sift(struct memo *x, int32_t of, const word *set, word *yes, word *unknown)
{
	const struct memo_fn *f = &x->fn.v[of];
	const bool all_noted = x->depth && f->own && rests_on_set(x, of, set);
	for (int i = 0; i < x->set_words; i++) {
		const uint64_t all = (uint64_t)set[i], known = all & ~x->stale[f->bits + i];
		/* what is being worked out rests on each answer taken */
		for (uint64_t taken = x->depth && !all_noted ? known : 0; taken; taken &= taken - 1) {
			word who = i * 64 + __builtin_ctzll(taken);
			uint32_t at = memo_slot(f, &who);
			if (!x->entry.v[at].constant)
				memo_rests(x, at);
		}
		unknown[i] = (word)(all & ~known);
		yes[i] = (word)(known & x->so[f->bits + i]);
	}
}
