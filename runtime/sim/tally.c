/* tally.c - an open hash of values, sorted at the end. */
#include "runtime/sim/tally.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_FIRST = 8 };

void tally_free(struct tally *t)
{
	free(t->value);
	free(t->count);
	memset(t, 0, sizeof *t);
}

static uint32_t place_of(const struct tally *t, word value)
{
	uint64_t h = (uint64_t)value * 0x9e3779b97f4a7c15ull;
	uint32_t i = (uint32_t)(h >> 32) & (t->room - 1);
	while (t->count[i] && t->value[i] != value)
		i = (i + 1) & (t->room - 1);
	return i;
}

static void grow(struct tally *t)
{
	struct tally more = {0};
	more.room = t->room ? 2 * t->room : ROOM_FIRST;
	more.value = calloc(more.room, sizeof *more.value);
	more.count = calloc(more.room, sizeof *more.count);
	if (!more.value || !more.count)
		abort();
	for (uint32_t i = 0; i < t->room; i++)
		if (t->count[i])
			tally_add(&more, t->value[i], t->count[i]);
	free(t->value);
	free(t->count);
	*t = more;
}

void tally_add(struct tally *t, word value, uint64_t count)
{
	if (count == 0)
		return;
	if (2 * (t->n + 1) > t->room)
		grow(t);
	uint32_t i = place_of(t, value);
	t->n += t->count[i] == 0;
	t->value[i] = value;
	t->count[i] += count;
	t->total += count;
}

void tally_merge(struct tally *t, const struct tally *from)
{
	for (uint32_t i = 0; i < from->room; i++)
		tally_add(t, from->value[i], from->count[i]);
}

struct pair { word value; uint64_t count; };

static int by_word(const void *a, const void *b)
{
	word x = ((const struct pair *)a)->value, y = ((const struct pair *)b)->value;
	return (x > y) - (x < y);
}

static int by_fraction(const void *a, const void *b)
{
	word x = ((const struct pair *)a)->value, y = ((const struct pair *)b)->value;
	if (x == NONE || y == NONE)
		return (x != NONE) - (y != NONE);
	return frac_compare(x, y);
}

void tally_sort(struct tally *t, bool frac)
{
	struct pair *p = malloc(sizeof *p * (t->n ? t->n : 1));
	uint32_t n = 0;
	if (!p)
		abort();
	for (uint32_t i = 0; i < t->room; i++)
		if (t->count[i])
			p[n++] = (struct pair){t->value[i], t->count[i]};
	qsort(p, n, sizeof *p, frac ? by_fraction : by_word);
	for (uint32_t i = 0; i < n; i++) {
		t->value[i] = p[i].value;
		t->count[i] = p[i].count;
	}
	for (uint32_t i = n; i < t->room; i++)
		t->count[i] = 0;
	t->sorted = true;
	free(p);
}

uint64_t tally_of(const struct tally *t, word value)
{
	if (!t->room)
		return 0;
	if (!t->sorted)
		return t->count[place_of(t, value)];
	for (uint32_t i = 0; i < t->n; i++)
		if (t->value[i] == value)
			return t->count[i];
	return 0;
}
