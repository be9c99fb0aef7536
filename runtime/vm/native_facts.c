/* native_facts.c - facts about registers at join points, for native code (native.h): the
 * intersection over all predecessors.
 *
 * Code is emitted in one pass, so the facts on a loop's back edge are not known at its head. A
 * fact that holds before a loop is kept in it if nothing in the loop writes the register and the
 * loop is entered at its head only. */
#include "runtime/vm/native_maker.h"

typedef int native_facts_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

/* To where each loop reaches that begins at an instruction: all from where ways lead back into it lies within. */
void find_loops(struct maker *k)
{
	const struct program *p = k->p;
	for (bool more = true; more;) {
		more = false;
		for (int f = 0; f < p->fns; f++)
			for (int32_t i = p->fn[f].entry; i < p->fn[f].end; i++) {
				if (!op_jumps((enum op)p->code[i].op) || goal(k, &p->code[i]) > i)
					continue;
				const int32_t to = goal(k, &p->code[i]);
				for (int32_t head = to; head >= p->fn[f].entry; head--) {
					int32_t *end = &k->arrivals[head].end;
					if ((head == to || (*end && *end >= to)) && *end < i) {
						*end = i;
						more = true;
					}
				}
			}
	}
	for (int32_t i = 0; i < p->code_count; i++)
		if (op_jumps((enum op)p->code[i].op))
			for (int32_t to = goal(k, &p->code[i]), head = i + 1; head < to; head++)
				k->arrivals[head].aside |= k->arrivals[head].end >= to;
}

static bool is_yes_no(const struct knows *s)
{
	return s->as == YES_NO || (s->as == NUMBER && (s->number == 0 || s->number == 1));
}

static bool range(const struct knows *s, struct range *r)
{
	*r = s->as == NUMBER ? (struct range){s->number, s->number} : s->as == YES_NO ? (struct range){0, 1} : (struct range){s->least, s->most};
	return s->ranged || s->as == YES_NO || (s->as == NUMBER && s->number >= INT32_MIN && s->number <= INT32_MAX);
}

/* What holds whichever of two things does; false: nothing. */
static bool meet(struct knows *a, const struct knows *b)
{
	struct range one, other;
	a->taken |= b->taken;
	if (a->as == NUMBER && b->as == NUMBER && a->number == b->number)
		return true;
	if (a->as == ANYTHING || b->as == ANYTHING || (a->as == NUMBER && a->number == NONE) || (b->as == NUMBER && b->number == NONE))
		return false;
	const bool ranged = range(a, &one) && range(b, &other);
	a->as = is_yes_no(a) && is_yes_no(b) ? YES_NO : SET;
	a->ranged = ranged;
	if (ranged) {
		a->least = (int32_t)(one.least < other.least ? one.least : other.least);
		a->most = (int32_t)(one.most > other.most ? one.most : other.most);
	}
	return true;
}

void arrive(struct maker *k, int32_t to)
{
	struct arrival *a = &k->arrivals[to];
	if (k->gone)
		return;
	if (!a->come) {
		a->come = true;
		a->quiet = k->quiet;
		a->beside = k->beside;
		a->first = k->facts.n;
		for (unsigned x = 0; x < k->p->fn[k->fn].registers; x++)
			if (known(k, x)->as != ANYTHING && is_live(k, to, x))
				VEC_PUSH(k->facts, (struct fact){x, *known(k, x)});
		a->n = k->facts.n - a->first;
		return;
	}
	struct fact *of = &k->facts.v[a->first];
	int n = 0;
	a->quiet &= k->quiet;
	if (a->beside != k->beside)
		a->beside = -1;
	for (int i = 0; i < a->n; i++)
		if (meet(&of[i].as, known(k, of[i].x)))
			of[n++] = of[i];
	a->n = n;
}

void arrive_unknown(struct maker *k, int32_t to)
{
	k->arrivals[to].come = true;
	k->arrivals[to].n = 0;
	k->arrivals[to].quiet = false;
	k->arrivals[to].beside = -1;
}

void arrive_with(struct maker *k, int32_t to, unsigned x, int words, enum known_as as, word number)
{
	struct knows was[2];
	must(words <= 2);
	for (int w = 0; w < words; w++) {
		struct knows *s = known(k, x + (unsigned)w);
		was[w] = *s;
		if (as != SET || s->as == ANYTHING)
			*s = (struct knows){.stretch = k->stretch, .as = (uint8_t)as, .number = number, .taken = as == SET && k->takes};
	}
	arrive(k, to);
	for (int w = 0; w < words; w++)
		*known(k, x + (unsigned)w) = was[w];
}

static bool writes(const struct maker *k, int32_t from, int32_t end, unsigned x)
{
	for (int32_t i = from; i <= end; i++)
		if (quick_may_write(k->p, &k->p->code[i], (int)x))
			return true;
	return false;
}

void meet_here(struct maker *k)
{
	const struct arrival *a = &k->arrivals[k->at];
	k->gone = k->takes = k->quiet = false;
	k->stretch++;
	k->lazy.n = 0;
	k->beside = -1;
	if (k->at == k->p->fn[k->fn].entry || !a->come || a->aside)
		return;
	k->quiet = a->quiet;
	if (!a->end)
		k->beside = a->beside;
	for (int32_t i = k->at; i < a->end && k->quiet; i++)
		k->quiet = stays_quiet(k, &k->p->code[i]);
	for (int i = 0; i < a->n; i++) {
		const struct fact *of = &k->facts.v[a->first + i];
		if (a->end && writes(k, k->at, a->end, of->x))
			continue;
		struct knows *s = known(k, of->x);
		*s = of->as;
		s->stretch = k->stretch;
		s->lazy = false;
		k->takes |= s->taken;
	}
}

void guard(struct maker *k, int32_t at)
{
	if (!k->takes && !k->quiet && k->beside < 0)
		return;
	const int first = k->facts.n;
	for (unsigned x = 0; x < k->p->fn[k->fn].registers; x++)
		if (known(k, x)->taken && is_live(k, at, x))
			VEC_PUSH(k->facts, (struct fact){x, *known(k, x)});
	k->takes = k->facts.n > first;
	if (!k->takes && !k->quiet && k->beside < 0)
		return;
	const int number = stub_at(k, STUB_GUARD, 0, k->quiet, at);
	k->stubs.v[number].first = first;
	k->stubs.v[number].held = k->facts.n - first;
	k->stubs.v[number].to = k->beside;
}

#endif
