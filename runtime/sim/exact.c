/* exact.c - the enumeration.
 *
 * A machine runs to its next die. There it is written down, and each face of the die goes on
 * from that; at a place where different faces may have come to the same (VM_SYNC) it joins
 * the machines that got there. Places are numbered within a round, so all machines of one
 * place are together before any goes on. A round begins when all machines have left the one
 * before it. */
#include "runtime/sim/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/sim/flow.h"
#include "runtime/sim/frontier.h"
#include "runtime/sim/shares.h"
#include "runtime/vm/fork.h"
#include "runtime/world/block.h"

/* Of all fights: what is left open when it is this little, and single machines this rare. */
static const double LEFT_OPEN = 1e-15, RARE = 1e-24;
static const uint64_t PRIME = ((uint64_t)1 << 61) - 1;
static const uint64_t BYTES = (uint64_t)1 << 30;
enum { POLLS = 255, LEARNT = 64 };

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 wide_signed;

/* ---- arithmetic modulo 2^61 - 1 ---- */

uint64_t residue_add(uint64_t a, uint64_t b)
{
	uint64_t s = a + b;
	return s >= PRIME ? s - PRIME : s;
}

uint64_t residue_mul(uint64_t a, uint64_t b)
{
	wide w = (wide)a * b;
	return residue_add((uint64_t)(w & PRIME), (uint64_t)(w >> 61) % PRIME);
}

static uint64_t power(uint64_t base, uint64_t n)
{
	uint64_t r = 1;
	for (; n; n >>= 1, base = residue_mul(base, base))
		if (n & 1)
			r = residue_mul(r, base);
	return r;
}

uint64_t residue_of(int64_t top, int64_t bottom)
{
	return residue_mul((uint64_t)top % PRIME, power((uint64_t)bottom % PRIME, PRIME - 2));
}

/* A pair top / bottom that has the residue. All such pairs are a lattice; near the line of the
 * probability there is at most one that is short. */
struct pair { wide_signed top, bottom; };
static const double BOTTOM_MOST = 1e12, OFF_MOST = 4e-3;

/* How far the pair is off, in units of what may be. */
static void place_of(struct pair v, wide_signed scaled, double *along, double *off)
{
	*along = (double)v.bottom / BOTTOM_MOST;
	*off = (double)(v.top * ((wide_signed)1 << 53) - scaled * v.bottom) / 9007199254740992.0 / OFF_MOST;
}

static double dot(struct pair v, struct pair w, wide_signed scaled)
{
	double a, b, c, d;
	place_of(v, scaled, &a, &b);
	place_of(w, scaled, &c, &d);
	return a * c + b * d;
}

bool exact_fraction(double p, uint64_t residue, int64_t *top, int64_t *bottom)
{
	wide_signed scaled = (wide_signed)(p * 9007199254740992.0);
	struct pair v = {(wide_signed)PRIME, 0}, w = {(wide_signed)residue, 1};
	*top = *bottom = 0;
	/* the lattice's shortest pair, by Gauss */
	for (int i = 0; i < 200; i++) {
		double vv = dot(v, v, scaled), ww = dot(w, w, scaled);
		if (vv > ww) {
			struct pair swap = v;
			v = w;
			w = swap;
			vv = ww;
		}
		/* short enough: it is the one, for a basis holds no multiples */
		double times = vv > 1 ? nearbyint(dot(v, w, scaled) / vv) : 0;
		if (times > -0.5 && times < 0.5)
			break;
		w.top -= (wide_signed)times * v.top;
		w.bottom -= (wide_signed)times * v.bottom;
	}
	if (v.bottom < 0)
		v = (struct pair){-v.top, -v.bottom};
	double along, off;
	place_of(v, scaled, &along, &off);
	if (v.bottom == 0 || along > 1 || off > 1 || off < -1 || v.top < 0)
		return false;
	*top = (int64_t)v.top;
	*bottom = (int64_t)v.bottom;
	return true;
}

/* ---- the enumeration ---- */

/* A die being branched on: the machine that waits for it, and the face to try next. */
struct branch { struct saved machine; struct faces faces; bool own; int next; struct mass mass; int place; };

struct run {
	const struct exact_plan *plan;
	struct exact *out;
	const struct program *p;
	struct vm *m;
	struct live *live;
	struct faces *dice;         /* one a formula of the program, made when first rolled */
	VEC(struct frontier) place; /* of the round in progress */
	struct frontier next;       /* of the round to come */
	VEC(struct branch) branch;
	int depth;
	struct saved here;
	word *values;
	uint64_t forks, bytes;
	double counted;             /* of fights that ended, about */
	struct open_sums sums;
	bool again;                 /* a forgotten word was needed: begin once more */
	bool proven;                /* residues are right: no die too wide for them fell */
};

static void leave_open(struct run *r, struct mass mass)
{
	sum_add(&r->sums.unexplored, sum_of(mass.p));
}

static void note_end(struct run *r, struct mass mass, bool good)
{
	const word *w = vm_block(r->m);
	shares_note(r->out, r->p, &r->sums, mass, (struct fight_end){good, w[H_OUTCOME] == OUTCOME_ROUNDS, w[H_REFERRALS] > 0}, r->values);
}

static struct faces faces_at(struct run *r, int32_t dice)
{
	struct faces *f = &r->dice[dice];
	if (!f->v)
		*f = faces_of_dice(r->p, dice, &r->proven);
	return *f;
}

static bool too_much(struct run *r)
{
	struct exact *e = r->out;
	e->full_worlds |= e->worlds >= r->plan->states;
	e->full_memory |= r->bytes >= r->plan->bytes;
	bool full = e->full_worlds || r->bytes >= r->plan->bytes ||
		(r->plan->effort && r->forks > r->plan->effort / EFFORT_FORK);
	if (full && r->plan->give_up)
		r->out->gave_up = true;
	return full;
}

static void join(struct run *r, struct frontier *f, struct mass mass)
{
	if (sum_of(mass.p) < RARE || too_much(r)) {
		leave_open(r, mass);
		return;
	}
	bool round_begins = f == &r->next && !r->plan->keep_all;
	if (round_begins)
		vm_forget(r->m);
	vm_save(r->m, round_begins, &r->here);
	if (frontier_add(f, &r->here, mass)) {

		r->bytes += (uint64_t)r->here.n * sizeof *r->here.v + sizeof(struct world);
		r->out->worlds++;
	}
}

static struct frontier *frontier_at(struct run *r, int place)
{
	while (r->place.n <= place) {
		struct frontier none;
		memset(&none, 0, sizeof none);
		VEC_PUSH(r->place, none);
	}
	return &r->place.v[place];
}

/* A die is due: its faces come one after another. */
static void branch_open(struct run *r, struct mass mass, int place)
{
	struct fork_die die = vm_die(r->m);
	if (r->depth == r->branch.n) {
		struct branch none;
		memset(&none, 0, sizeof none);
		VEC_PUSH(r->branch, none);
	}
	struct branch *b = &r->branch.v[r->depth++];
	b->own = die.dice < 0;
	b->faces = die.dice < 0 ? faces_of_chance(die.chance) : faces_at(r, die.dice);
	b->next = 0;
	b->mass = mass;
	b->place = place;
	vm_save(r->m, false, &b->machine);
	if (b->faces.n == 0)
		leave_open(r, mass); /* a die too wide to branch on */
}

/* The next face of the innermost die; false when there is none. */
static bool branch_next(struct run *r, int *place)
{
	while (r->depth > 0) {
		struct branch *b = &r->branch.v[r->depth - 1];
		if (b->next == b->faces.n) {
			if (b->own)
				free(b->faces.v);
			r->depth--;
			continue;
		}
		const struct face *f = &b->faces.v[b->next++];
		vm_load(r->m, &b->machine);
		vm_answer(r->m, f->value);
		*place = b->place;
		r->forks++;
		return true;
	}
	return false;
}

/* The face has come as far as it goes: how likely that is, with all faces that do the same. */
static struct mass branch_mass(struct run *r)
{
	struct branch *b = &r->branch.v[r->depth - 1];
	struct sum p = {0, 0};
	struct mass mass = {{0, 0}, 0};
	word low, high;
	uint64_t residue = 0;
	vm_range(r->m, &low, &high);
	for (int i = b->next - 1, first = i; i < b->faces.n && (i == first || (b->faces.v[i].value >= low && b->faces.v[i].value <= high)); i++) {
		sum_add(&p, b->faces.v[i].p);
		residue = residue_add(residue, b->faces.v[i].residue);
		if (i >= b->next)
			b->next = i + 1;
	}
	sum_add(&mass.p, b->mass.p.value * sum_of(p));
	sum_add(&mass.p, b->mass.p.rest * sum_of(p));
	mass.residue = residue_mul(b->mass.residue, residue);
	return mass;
}

static bool stop_now(struct run *r)
{
	if (r->out->gave_up || r->again)
		return true;
	if ((r->forks & POLLS) == 0 && r->plan->interrupted && r->plan->interrupted(r->plan->context))
		r->out->interrupted = true;
	if ((r->forks & POLLS) == 0 && r->plan->progress)
		r->plan->progress(r->plan->context, r->counted, r->out->worlds);
	return r->out->interrupted;
}

/* Everything that can become of the machine as it stands, up to the next places. */
static void play(struct run *r, struct mass mass, int place)
{
	word round = r->plan->program->at.round_number;
	const uint32_t number = r->p->field[round].base;
	bool more = true, answered = false, good;
	r->depth = 0;
	while (more) {
		word before = vm_block(r->m)[number];
		bool branched = r->depth > 0;
		enum vm_status s = vm_go(r->m);
		if (answered)
			mass = branch_mass(r);
		answered = false;
		if (vm_needed(r->m)) {
			r->again = true;
			return;
		}
		switch (s) {
		case VM_FORK:
			branch_open(r, mass, place);
			break;
		case VM_SYNC:
			if (!r->plan->keep_all && vm_settled(r->m))
				goto over;
			place++;
			if (vm_block(r->m)[number] != before) {
				join(r, &r->next, mass);
			} else if (branched) {
				join(r, frontier_at(r, place), mass);
			} else {
				continue; /* nothing has branched: on, in the same machine */
			}
			break;
		case VM_OVER:
		over:
			good = r->p->measure_fn < 0 || vm_call(r->m, r->p->measure_fn, NULL, 0, r->values, r->p->measures, false);
			r->again |= vm_needed(r->m);
			if (!r->again)
				note_end(r, mass, good);
			break;
		default:
			if (!r->out->stop)
				r->out->stop = s;
			note_end(r, mass, false);
			break;
		}
		if (stop_now(r)) {
			/* what was not tried yet is open */
			leave_open(r, mass);
			for (int i = 0; i < r->depth; i++)
				if (r->branch.v[i].own)
					free(r->branch.v[i].faces.v);
			r->depth = 0;
			return;
		}
		more = answered = branch_next(r, &place);
	}
}

static void play_all(struct run *r, struct frontier *f, int place)
{
	uint64_t leaving = 0;
	frontier_sort(f);
	for (int i = 0; i < f->world.n; i++) {
		struct world w = f->world.v[i];
		if (r->out->interrupted || r->out->gave_up || r->again) {
			leave_open(r, w.mass);
			continue;
		}
		struct saved s = {f->pool + w.at, w.n, w.n};
		vm_load(r->m, &s);
		leaving += (uint64_t)w.n * sizeof *s.v + sizeof w;
		play(r, w.mass, place);
	}
	r->bytes -= leaving;
	frontier_free(f);
}

static double mass_of(const struct frontier *f)
{
	struct sum s = {0, 0};
	for (int i = 0; i < f->world.n; i++)
		sum_add(&s, sum_of(f->world.v[i].mass.p));
	return sum_of(s);
}

static void rounds(struct run *r)
{
	while (r->next.world.n && !r->out->interrupted && !r->out->gave_up && !r->again) {
		struct frontier now = r->next;
		memset(&r->next, 0, sizeof r->next);
		r->counted = 1 - mass_of(&now);
		if (mass_of(&now) < LEFT_OPEN) {
			sum_add(&r->sums.unexplored, mass_of(&now));
			frontier_free(&now);
			return;
		}
		play_all(r, &now, 0);
		for (int k = 0; k < r->place.n; k++) {
			struct frontier f = r->place.v[k];
			memset(&r->place.v[k], 0, sizeof f);
			play_all(r, &f, k);
		}
	}
	sum_add(&r->sums.unexplored, mass_of(&r->next));
}

static void finish(struct run *r)
{
	struct exact *e = r->out;
	e->unexplored = fmin(1, sum_of(r->sums.unexplored));
	e->unsettled = sum_of(r->sums.unsettled);
	e->stopped = sum_of(r->sums.stopped);
	e->referrals = sum_of(r->sums.referrals);
	e->complete = !e->interrupted && !e->gave_up && e->unexplored < 100 * LEFT_OPEN;
	e->proven = r->proven && e->unexplored <= 0;
	for (int i = 0; i < e->measures; i++)
		for (int k = 0; k < e->measure[i].n; k++)
			e->measure[i].share[k].p += e->measure[i].share[k].rest;
}

/* What a round reads of the one before it, found in some fights of a sample. */
static void learn(struct run *r)
{
	vm_forget_open(r->m);
	vm_forget_mode(r->m, FORGET_LEARN);
	for (uint64_t t = 0; t < LEARNT && !(r->plan->interrupted && r->plan->interrupted(r->plan->context)); t++) {
		if (r->plan->start)
			vm_begin_at(r->m, r->plan->start, 1, t);
		else
			vm_begin(r->m, 1, t, r->plan->max_rounds);
		if (vm_run(r->m) == VM_OVER && r->p->measure_fn >= 0)
			vm_call(r->m, r->p->measure_fn, NULL, 0, r->values, r->p->measures, false);
	}
}

static void begin(struct run *r)
{
	r->again = false;
	vm_forget_mode(r->m, r->plan->keep_all ? FORGET_NOTHING : FORGET_MARK);
	if (r->plan->start)
		vm_begin_at(r->m, r->plan->start, 0, 0);
	else
		vm_begin(r->m, 0, 0, r->plan->max_rounds);
	vm_enumerate(r->m, r->live);
}

static void enumerate(struct run *r)
{
	struct mass all = {{1, 0}, 1};
	play(r, all, 0);
	for (int k = 0; k < r->place.n; k++) {
		struct frontier f = r->place.v[k];
		memset(&r->place.v[k], 0, sizeof f);
		play_all(r, &f, k);
	}
	rounds(r);
}

/* Nothing of what was found counts. */
static void clear(struct run *r)
{
	struct exact *e = r->out;
	for (int i = 0; i < e->measures; i++)
		e->measure[i].n = 0;
	for (int k = 0; k < r->place.n; k++)
		frontier_free(&r->place.v[k]);
	frontier_free(&r->next);
	for (int i = 0; i < r->depth; i++)
		if (r->branch.v[i].own)
			free(r->branch.v[i].faces.v);
	r->depth = 0;
	r->forks = r->bytes = 0;
	e->full_worlds = e->full_ways = e->full_memory = false;
	e->worlds = 0;
	e->stop = VM_PAUSED;
	memset(&r->sums, 0, sizeof r->sums);
}

void exact_run(const struct exact_plan *asked, struct exact *out)
{
	struct exact_plan whole = *asked, *plan = &whole;
	struct run run, *r = &run;
	struct vm_host host = {0};
	memset(r, 0, sizeof *r);
	memset(out, 0, sizeof *out);
	host.fuel = plan->fuel;
	plan->bytes = plan->bytes ? plan->bytes : BYTES;
	r->plan = plan;
	r->out = out;
	out->states = plan->states;
	out->bytes = plan->bytes;
	r->p = plan->program;
	r->proven = true;
	r->m = vm_new(r->p, &host);
	r->live = plan->keep_all ? NULL : live_new(r->p);
	r->dice = calloc((size_t)r->p->dices + 1, sizeof *r->dice);
	r->values = calloc((size_t)r->p->measures + 1, sizeof *r->values);
	out->measures = r->p->measures;
	out->measure = calloc((size_t)out->measures + 1, sizeof *out->measure);
	if (!r->dice || !r->values || !out->measure)
		abort();
	if (plan->keep_all || plan->by_machine || !flow_run(plan, out, &r->sums, &r->proven)) {
		if (!plan->keep_all)
			learn(r);
		do {
			begin(r);
			enumerate(r);
			if (r->again)
				clear(r);
		} while (r->again);
	}
	finish(r);
	for (int k = 0; k < r->place.n; k++)
		frontier_free(&r->place.v[k]);
	VEC_FREE(r->place);
	frontier_free(&r->next);
	for (int k = 0; k < r->branch.n; k++)
		free(r->branch.v[k].machine.v);
	VEC_FREE(r->branch);
	for (int k = 0; k < r->p->dices; k++)
		free(r->dice[k].v);
	free(r->dice);
	free(r->values);
	free(r->here.v);
	live_free(r->live);
	vm_free(r->m);
}

void exact_free(struct exact *e)
{
	for (int i = 0; i < e->measures; i++)
		free(e->measure[i].share);
	free(e->measure);
	memset(e, 0, sizeof *e);
}
