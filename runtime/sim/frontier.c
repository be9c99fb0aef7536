/* frontier.c - a hash table of machines; equal hashes are compared word for word. */
#include "runtime/sim/frontier.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/sim/exact.h"

void frontier_free(struct frontier *f)
{
	VEC_FREE(f->world);
	free(f->place);
	free(f->pool);
	memset(f, 0, sizeof *f);
}

static void rehash(struct frontier *f)
{
	f->room = f->room ? 2 * f->room : 64;
	free(f->place);
	f->place = calloc(f->room, sizeof *f->place);
	if (!f->place)
		abort();
	for (int i = 0; i < f->world.n; i++) {
		uint32_t k = (uint32_t)f->world.v[i].hash & (f->room - 1);
		while (f->place[k])
			k = (k + 1) & (f->room - 1);
		f->place[k] = i + 1;
	}
}

static void keep(struct frontier *f, const struct saved *s)
{
	size_t need = f->used + (size_t)s->n;
	if (need > f->size) {
		f->size = need > 2 * f->size ? need + 1024 : 2 * f->size;
		f->pool = realloc(f->pool, f->size * sizeof *f->pool);
		if (!f->pool)
			abort();
	}
	memcpy(f->pool + f->used, s->v, (size_t)s->n * sizeof *s->v);
	f->used = need;
}

bool frontier_add(struct frontier *f, const struct saved *s, struct mass mass)
{
	uint64_t hash = hash_bytes(s->v, (size_t)s->n * sizeof *s->v, 0);
	if (2 * ((uint32_t)f->world.n + 1) > f->room)
		rehash(f);
	uint32_t k = (uint32_t)hash & (f->room - 1);
	for (; f->place[k]; k = (k + 1) & (f->room - 1)) {
		struct world *w = &f->world.v[f->place[k] - 1];
		if (w->hash != hash || w->n != s->n || memcmp(f->pool + w->at, s->v, (size_t)s->n * sizeof *s->v))
			continue;
		sum_add(&w->mass.p, sum_of(mass.p));
		w->mass.residue = residue_add(w->mass.residue, mass.residue);
		return false;
	}
	struct world w = {hash, f->used, s->n, mass};
	keep(f, s);
	VEC_PUSH(f->world, w);
	f->place[k] = f->world.n;
	return true;
}

static int likelier(const void *a, const void *b)
{
	const struct world *x = a, *y = b;
	double p = sum_of(x->mass.p), q = sum_of(y->mass.p);
	if (p != q)
		return p > q ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

void frontier_sort(struct frontier *f)
{
	if (f->world.n)
		qsort(f->world.v, (size_t)f->world.n, sizeof *f->world.v, likelier);
}
