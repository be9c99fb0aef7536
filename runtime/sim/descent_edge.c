/* descent_edge.c - where a row leaves its tree: the place beyond, whose columns it takes along, and
 * the probability that goes with it. See descent.h. */
#include "runtime/sim/descent.h"

enum { LEAVES_WHEN_FULL = 4096, LEAVES_A_WORLD = 16 };

/* No more rows can be made: those there are may yet be come to, but not at any price. */
static bool too_much(const struct descent *d)
{
	return d->full_worlds || d->full_memory || d->stop;
}

bool descent_room(const struct descent *d, uint64_t worlds, uint64_t leaves, uint64_t bytes)
{
	return descent_worlds(d) + worlds < d->plan->states &&
		d->chain.bytes + graph_size(d->g) + bytes < d->plan->bytes && !d->g->full &&
		(d->leaves + leaves) / LEAVES_A_WORLD < d->plan->states + LEAVES_ALWAYS && !d->stop &&
		!d->again;
}

bool descent_full(struct descent *d)
{
	bool worlds = descent_worlds(d) >= d->plan->states,
		 memory = d->chain.bytes + graph_size(d->g) > d->plan->bytes || d->g->full;
	d->full_worlds = worlds;
	d->full_memory = memory;
	return worlds || memory;
}

/* Is what is left of the row at hand given up? */
static bool too_long(struct descent *d)
{
	if (d->log) {
		if (d->row_leaves > LEAVES_WHEN_FULL)
			d->lost = d->stop = true;
		return d->lost;
	}
	bool full = descent_full(d);
	d->worn =
		d->nodes > d->nodes_worn || d->leaves / LEAVES_A_WORLD > d->plan->states + LEAVES_ALWAYS;
	d->cut = d->worn || (full && d->row_leaves > LEAVES_WHEN_FULL);
	d->refused |= d->cut;
	return d->cut;
}

/* The sum of slots; *slope is how much it grows with each round. False when a die in it lies open:
 * its slot. */
static bool sum_slots(const struct descent *d, const struct term *t, int n, const uint16_t *from,
	word *sum, int64_t *slope, uint16_t *open)
{
	uint64_t s = 0, grows = 0;
	for (int k = 0; k < n; k++) {
		if (d->open_of[from[k]]) {
			*open = from[k];
			return false;
		}
		s += (uint64_t)t[k].by * (uint64_t)d->value[from[k]];
		grows += (uint64_t)t[k].by * (uint64_t)d->slope[from[k]];
	}
	*sum = (word)s;
	*slope = (int64_t)grows;
	return true;
}

static void someone_came(struct descent *d, const struct way *way, int32_t pc)
{
	word numbers[SLOTS / 4];
	const struct graph *g = d->g;
	for (int k = 0; k < g->place.v[way->place].columns; k++)
		numbers[k] = descent_number(d, (uint16_t)k);
	for (int32_t i = pc; i < way->end; i++)
		numbers[g->code.v[i].to] = descent_number(d, g->code.v[i].a);
	if (!d->log) {
		descent_first_there(d, way->place, numbers);
		return;
	}
	VEC_PUSH(
		d->log->entry, (struct logged){0, 0, (uint32_t)way->place, 0, d->log->key.n, LOGGED_FIRST});
	for (int k = 0; k < g->place.v[way->place].columns; k++)
		VEC_PUSH(d->log->key, numbers[k]);
}

/* A way to a row; false when it cannot be made. */
static bool edge(struct descent *d, int32_t place, const word *key, double p, uint64_t residue)
{
	const struct table *t = &d->chain.table.v[place];
	uint32_t row;
	uint32_t hash = chain_hash(&d->chain, place, key);
	if (d->log) {
		bool known = chain_known(&d->chain, place, key, hash, &row);
		if (known && d->log->mark[row]) {
			struct logged *e = &d->log->entry.v[d->log->mark[row] - 1];
			e->p += p;
			e->residue = residue_add(e->residue, residue);
			return true;
		}
		if (known) {
			d->log->mark[row] = (uint32_t)d->log->entry.n + 1;
			VEC_PUSH(d->log->entry, (struct logged){p, residue, row, 0, 0, LOGGED_ROW});
			return true;
		}
		VEC_PUSH(d->log->entry,
			(struct logged){p, residue, (uint32_t)place, hash, d->log->key.n, LOGGED_KEY});
		for (int i = 0; i < t->width + t->kept; i++)
			VEC_PUSH(d->log->key, key[i]);
		return true;
	}
	if (!chain_row(&d->chain, place, key, hash, !too_much(d), &row)) {
		d->refused = true;
		return false;
	}
	chain_edge(&d->chain, row, p, residue);
	return true;
}

/* The moves before a GO, and the place beyond. */
void descent_go(struct descent *d, int32_t pc, double p, uint64_t residue)
{
	const struct graph *g = d->g;
	const struct way *known = descent_way(d, pc);
	if (!known && d->log)
		d->lost = d->stop = true;
	d->unknown |= !known;
	if (!known)
		return;
	const struct way way = *known;
	const struct table *t = &d->chain.table.v[way.place];
	const uint16_t *from = d->from.n ? d->from.v + way.from : NULL; /* a place that keeps nothing */
	word key[KEY_MOST], decided[MEASURES_MAX + 1];
	int64_t slope, slopes[MEASURES_MAX + 1];
	uint16_t open;
	descent_poll(d);
	if (t->width + t->kept > KEY_MOST || too_long(d)) {
		descent_leave_all(d, p);
		return;
	}
	bool moves = false;
	for (int i = 0; i < t->part.n; from += t->part.v[i++].n) {
		if (!sum_slots(d, t->part.v[i].term, t->part.v[i].n, from, &key[i], &slope, &open)) {
			descent_split(d, open, pc, p, residue); /* dice that matter there are decided first */
			return;
		}
		moves |= slope != 0;
	}
	for (int i = 0; i < t->kept; i++)
		key[t->width + i] = d->value[*from++];
	for (int i = 0; i < way.new_ones; i++) {
		const struct fate *x = &t->fate[d->news.v[way.news + i]];
		if (!sum_slots(d, x->term, x->n, from, &decided[i], &slopes[i], &open)) {
			descent_split(d, open, pc, p, residue);
			return;
		}
		decided[i] = x->n ? decided[i] + (x->as_is ? 0 : x->plus) : x->plus;
		from += x->n;
	}
	descent_undecided(d, &p, &residue);
	d->leaves++;
	d->row_leaves++;
	bool out = false;
	for (int32_t i = pc; i < way.end && way.within; i++)
		out |= g->code.v[i].kind == CODE_WITHIN &&
			(uint64_t)(descent_number(d, g->code.v[i].a) + LIFT_FAR) > 2 * (uint64_t)LIFT_FAR;
	if (out) {
		descent_leave_open(d, p);
		return;
	}
	if (d->first_at.v[way.place] < 0)
		someone_came(d, &way, pc);
	if (!edge(d, way.place, key, p, residue)) {
		descent_leave_open(d, p);
		return;
	}
	if (moves)
		descent_only_now(d);
	for (int i = 0; i < way.new_ones; i++)
		descent_note(
			d, d->news.v[way.news + i], decided[i] - slopes[i] * d->round, slopes[i], p, residue);
}

void descent_over(struct descent *d, int32_t pc, double p, uint64_t residue)
{
	const struct graph *g = d->g;
	const struct ending e = g->ending.v[g->code.v[pc].yes];
	const struct table *here = &d->chain.table.v[d->place];
	for (int i = 0; e.good && i < descent_measures(d); i++) {
		uint16_t slot = g->slots.v[e.slot + i];
		if (here->fate[i].verdict != VERDICT_DECIDED && d->open_of[slot]) {
			descent_split(d, slot, pc, p, residue);
			return;
		}
	}
	descent_undecided(d, &p, &residue);
	d->leaves++;
	for (int i = 0; i < g->p->measures; i++) {
		uint16_t slot = e.good && descent_measures(d) ? g->slots.v[e.slot + i] : 0;
		if (here->fate[i].verdict == VERDICT_DECIDED)
			continue;
		if (!e.good || !descent_measures(d))
			descent_note(d, i, NONE, 0, p, residue);
		else
			descent_note(
				d, i, d->value[slot] - d->slope[slot] * d->round, d->slope[slot], p, residue);
	}
	if (!e.good && e.status != VM_OVER && !d->stopped)
		d->stopped = e.status;
	if (e.referred)
		descent_note(d, VALUE_REFERRED, 0, 0, p, residue);
	if (!e.good)
		descent_note(d, VALUE_STOPPED, 0, 0, p, residue);
	else if (e.unsettled)
		descent_note(d, VALUE_UNSETTLED, 0, 0, p, residue);
}
