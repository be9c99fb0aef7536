/* live_columns.c - the usual backward walk over the graph, again and again until nothing is added.
 *
 * Down a tree it is kept for each slot which columns of the place it is made of. What a test
 * or a fix looks at matters; so does what becomes a column that matters at the next place. */
#include "runtime/sim/live_columns.h"

#include <stdlib.h>
#include <string.h>

struct wants {
	const struct graph *g;
	VEC(int32_t) place;  /* where its columns begin, in bits */
	VEC(uint64_t) bits;
	uint64_t *made;      /* by slot: of which columns */
	size_t made_size;
	VEC(int32_t) todo;
};

struct wants *wants_new(const struct graph *g)
{
	struct wants *n = calloc(1, sizeof *n);
	if (!n)
		abort();
	n->g = g;
	return n;
}

void wants_free(struct wants *n)
{
	if (!n)
		return;
	VEC_FREE(n->place);
	VEC_FREE(n->bits);
	VEC_FREE(n->todo);
	free(n->made);
	free(n);
}

bool wants_column(const struct wants *n, int32_t place, int column)
{
	if (place >= n->place.n)
		return true;
	return n->bits.v[n->place.v[place] + column / 64] >> (column % 64) & 1;
}

static int words_of(const struct graph *g, int32_t place)
{
	return g->place.v[place].columns / 64 + 1;
}

/* One place: true when more columns matter than before. */
struct walk { struct wants *n; int32_t place; int words; bool grew; };

static uint64_t *made_of(struct walk *w, uint16_t slot)
{
	return w->n->made + (size_t)slot * (size_t)w->words;
}

static bool is_constant(const struct graph *g, uint16_t slot)
{
	return slot >= SLOTS - g->lift->constants;
}

static void matters(struct walk *w, uint16_t slot)
{
	uint64_t *own = w->n->bits.v + w->n->place.v[w->place];
	if (is_constant(w->n->g, slot))
		return;
	const uint64_t *of = made_of(w, slot);
	for (int i = 0; i < w->words; i++) {
		w->grew |= (of[i] & ~own[i]) != 0;
		own[i] |= of[i];
	}
}

static void made(struct walk *w, uint16_t to, uint16_t a, uint16_t b)
{
	const struct graph *g = w->n->g;
	for (int i = 0; i < w->words; i++) {
		uint64_t x = is_constant(g, a) ? 0 : made_of(w, a)[i], y = is_constant(g, b) ? 0 : made_of(w, b)[i];
		made_of(w, to)[i] = x | y;
	}
}

/* The moves up to a GO, from the first on: what of the columns there comes from which slot. */
static void into(struct walk *w, int32_t pc)
{
	const struct graph *g = w->n->g;
	int32_t end = pc;
	while (g->code.v[end].kind != CODE_GO)
		end++;
	int32_t to = g->code.v[end].yes;
	const uint64_t *there = w->n->bits.v + w->n->place.v[to];
	for (int k = 0; k < words_of(g, to); k++)
		for (uint64_t bits = there[k]; bits; bits &= bits - 1) {
			uint16_t column = (uint16_t)(k * 64 + __builtin_ctzll(bits)), from = column;
			for (int32_t i = pc; i < end; i++)
				if (g->code.v[i].to == column)
					from = g->code.v[i].a;
			matters(w, from);
		}
}

static void path(struct walk *w, int32_t pc)
{
	const struct graph *g = w->n->g;
	for (;; pc++) {
		const struct code *c = &g->code.v[pc];
		switch ((enum code_kind)c->kind) {
		case CODE_CALC:
			matters(w, c->a); /* it may go wrong */
			matters(w, c->b);
			made(w, c->to, c->a, c->b);
			break;
		case CODE_SURE:
			made(w, c->to, c->a, c->b);
			break;
		case CODE_ASIDE:
			made(w, c->to, c->a, c->a);
			break;
		case CODE_FALL:
		case CODE_ROLL:
			memset(made_of(w, c->to), 0, (size_t)w->words * sizeof(uint64_t));
			break;
		case CODE_TEST:
			matters(w, c->a);
			matters(w, c->b);
			if (c->no)
				VEC_PUSH(w->n->todo, c->no);
			if (c->yes)
				VEC_PUSH(w->n->todo, c->yes);
			return;
		case CODE_FIX:
			matters(w, c->a);
			for (int32_t k = c->yes; k; k = g->choice.v[k].next)
				if (g->choice.v[k].code)
					VEC_PUSH(w->n->todo, g->choice.v[k].code);
			return;
		case CODE_MOVE:
		case CODE_WITHIN:
		case CODE_GO:
			into(w, pc);
			return;
		case CODE_END: {
			const struct ending *e = &g->ending.v[c->yes];
			for (int i = 0; e->good && g->p->measure_fn >= 0 && i < g->p->measures; i++)
				matters(w, g->slots.v[e->slot + i]);
			return;
		}
		case CODE_DEAD:
			return;
		}
	}
}

static bool one_place(struct wants *n, int32_t place)
{
	struct walk w = {n, place, words_of(n->g, place), false};
	for (int k = 0; k < n->g->place.v[place].columns; k++) {
		memset(made_of(&w, (uint16_t)k), 0, (size_t)w.words * sizeof(uint64_t));
		made_of(&w, (uint16_t)k)[k / 64] = 1ull << (k % 64);
	}
	n->todo.n = 0;
	if (n->g->place.v[place].code)
		VEC_PUSH(n->todo, n->g->place.v[place].code);
	while (n->todo.n)
		path(&w, n->todo.v[--n->todo.n]);
	return w.grew;
}

void wants_find(struct wants *n)
{
	const struct graph *g = n->g;
	int most = 1;
	bool grew = true;
	n->place.n = n->bits.n = 0;
	for (int32_t i = 0; i < g->place.n; i++) {
		int words = words_of(g, i);
		VEC_PUSH(n->place, n->bits.n);
		for (int k = 0; k < words; k++)
			VEC_PUSH(n->bits, 0);
		most = words > most ? words : most;
	}
	if ((size_t)most * SLOTS > n->made_size) {
		n->made_size = (size_t)most * SLOTS;
		free(n->made);
		n->made = malloc(n->made_size * sizeof *n->made);
		if (!n->made)
			abort();
	}
	while (grew) {
		grew = false;
		for (int32_t i = g->place.n; i-- > 0;)
			grew |= one_place(n, i);
	}
}
