/* frontier.h - different machines with their probabilities, each once. */
#ifndef FRAY_SIM_FRONTIER_H
#define FRAY_SIM_FRONTIER_H

#include "runtime/vm/fork.h"

struct sum { double value, rest; };   /* compensated */
static inline double sum_of(struct sum s)
{
	return s.value + s.rest;
}
/* What an addition loses is worked out without asking which of the two is more (Knuth). */
static inline void sum_add(struct sum *s, double x)
{
	double t = s->value + x, added = t - s->value;
	s->rest += (s->value - (t - added)) + (x - added);
	s->value = t;
}

struct mass { struct sum p; uint64_t residue; }; /* a probability, and it modulo 2^61 - 1 */

struct world { uint64_t hash; size_t at; int n; struct mass mass; };

struct frontier {
	VEC(struct world) world;
	int32_t *place;       /* hash -> number + 1 */
	uint32_t room;
	word *pool;           /* the machines' words, one after another */
	size_t used, size;
};

void frontier_free(struct frontier *f);
/* Adds a machine's mass to its like, or keeps a copy of it; true when it is a new one. */
bool frontier_add(struct frontier *f, const struct saved *s, struct mass mass);
/* The likeliest first; of equals the first that came. No machine may be added after that. */
void frontier_sort(struct frontier *f);

#endif
