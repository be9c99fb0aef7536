/* flow.c - probability on its way through the graph, round after round.
 *
 * What is at a place are rows: the numbers that still matter, and how likely they are. A place
 * is taken when all that flows to it within the round has come. What becomes of a row is
 * found out the first time it is taken (descent.h), and looked up from then on (chain.h).
 *
 * What matters, and what is decided, is worked out on what is known of the graph, and so may
 * prove wrong when more becomes known: then it all flows once more, through the graph as it
 * is by now. */
#include "runtime/sim/flow.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/sim/crew.h"

static const double LEFT_OPEN = 1e-15, RARE = 1e-24;
enum { POLLS = 1023, WALKED_FIRST = 16, SCOUTED = 64, SCOUTED_MOST = 4096, SCOUTED_ON = 32, GRAPH_BYTES = 256 << 20, LEAVES_A_FORK = 128, AHEAD_LEAST = 32, AHEAD_MOST = 2048 };

struct waiting { uint32_t row; struct sum mass; uint64_t residue; };

struct flow {
	const struct exact_plan *plan;
	struct exact *out;
	struct descent *d;
	VEC(int32_t) order;      /* the places of a round, first to last */
	VEC(int32_t) rank;       /* place -> where in order */
	VEC(struct waiting) now; /* rows being taken */
	struct crew *crew;       /* NULL: one thread */
	VEC(uint32_t) ahead;     /* rows it looks into */
	int32_t lowest;          /* rank of the first that has rows */
	uint64_t taken;
	double counted;          /* of the fights, when the round began */
	struct scout scout;
	uint64_t learnt;         /* explorations when it was last worked out what matters */
	bool outdated;           /* what was found rests on what is not so */
};

static void places_follow(struct flow *f)
{
	while (f->rank.n < f->d->g->place.n) {
		VEC_PUSH(f->rank, f->order.n);
		VEC_PUSH(f->order, f->rank.n - 1);
	}
}

/* Places in an order in which what flows to one comes before it, where there is one. */
static void visit(struct flow *f, int32_t place, uint8_t *seen, int32_t *after, int *n)
{
	VEC(int32_t) stack = {0};
	VEC(int32_t) next = {0};
	VEC_PUSH(stack, place);
	VEC_PUSH(next, 0);
	seen[place] = 1;
	while (stack.n) {
		int32_t at = stack.v[stack.n - 1], to = needs_next(f->d->needs, at, next.v[next.n - 1]++);
		if (to < 0) {
			after[(*n)++] = at;
			stack.n--;
			next.n--;
		} else if (!seen[to] && !f->d->g->place.v[to].round) {
			seen[to] = 1;
			VEC_PUSH(stack, to);
			VEC_PUSH(next, 0);
		}
	}
	VEC_FREE(stack);
	VEC_FREE(next);
}

static void order_places(struct flow *f)
{
	int places = f->d->g->place.n, n = 0;
	uint8_t *seen = calloc((size_t)places + 1, 1);
	int32_t *after = malloc(((size_t)places + 1) * sizeof *after);
	if (!seen || !after)
		abort();
	places_follow(f);
	for (int turn = 0; turn < 2; turn++)
		for (int i = places; i-- > 0;)
			if (!seen[i] && (turn || f->d->g->place.v[i].round || i == 0))
				visit(f, i, seen, after, &n);
	for (int i = 0; i < n; i++) {
		f->order.v[i] = after[n - 1 - i];
		f->rank.v[after[n - 1 - i]] = i;
	}
	free(seen);
	free(after);
}

/* ---- rows, places, rounds ---- */

static void look_up(struct flow *f)
{
	const struct exact_plan *plan = f->plan;
	struct descent *d = f->d;
	if ((++f->taken & POLLS) == 0 && plan->interrupted && plan->interrupted(plan->context))
		d->stop = true;
	if ((f->taken & POLLS) == 0 && plan->progress)
		plan->progress(plan->context, f->counted, descent_worlds(d));
	bool full = descent_full(d);
	if (plan->give_up && (full || (plan->work && d->g->explored + d->leaves / LEAVES_A_FORK > plan->work)))
		f->out->gave_up = d->stop = true;
	f->out->full_worlds |= d->full_worlds || d->worn;
	f->out->full_memory |= d->full_memory;
}

static bool waits(const struct flow *f, int32_t place)
{
	return place < f->d->chain.table.n && f->d->chain.table.v[place].pending.n > 0;
}

static void open_all(struct flow *f, struct sum mass)
{
	chain_outcome(&f->d->chain, VALUE_OPEN, 0, mass, 0);
}

static void learn(struct flow *f)
{
	f->learnt = f->d->g->explored;
	needs_find(f->d->needs, clock_find(f->d->clock));
	order_places(f);
}

/* The same in mid-round: does what was found hold yet? */
static void learn_now(struct flow *f)
{
	struct descent *d = f->d;
	learn(f);
	f->outdated = descent_outdated(d);
	f->lowest = INT32_MAX;
	for (int i = 0; i < d->chain.table.n; i++)
		if (waits(f, i) && !d->g->place.v[i].round && f->rank.v[i] < f->lowest)
			f->lowest = f->rank.v[i];
}

/* What is near a row that led where nobody was. */
static void scout_on(struct flow *f, uint32_t row)
{
	struct descent *d = f->d;
	uint64_t known = d->g->explored;
	for (int idle = 0; idle < SCOUTED_ON && !d->stop && !d->again && !d->g->broken && !d->g->full; idle++) {
		descent_scout_on(d, &f->scout, row);
		if (known != d->g->explored)
			idle = 0;
		known = d->g->explored;
	}
}

/* Finds out what becomes of a row; and first, where it leads to places nobody knew, what matters there.
 * False: it is all to begin again, or to end. */
static bool find_out(struct flow *f, uint32_t row)
{
	struct descent *d = f->d;
	while (!descent_row(d, row)) {
		if (!d->stop && !d->again)
			scout_on(f, row);
		if (d->stop || d->again)
			return false;
		learn_now(f);
		if (f->outdated)
			return false;
	}
	return true;
}

/* `ready`: which of the rows the crew looked into it is; -1. */
static void take_row(struct flow *f, struct waiting w, int ready)
{
	struct descent *d = f->d;
	look_up(f);
	if (d->stop || d->again || f->outdated || sum_of(w.mass) < RARE) {
		open_all(f, w.mass);
		return;
	}
	if (!chain_holds(&d->chain, w.row, d->round) && (ready < 0 || !crew_done(f->crew, d, ready)) && !find_out(f, w.row)) {
		open_all(f, w.mass);
		return;
	}
	if (d->again)
		return; /* the graph began again: its places are others, and this way round is given up */
	places_follow(f);
	chain_push(&d->chain, w.row, w.mass, w.residue, d->g, f->rank.v, &f->lowest);
	if (d->chain.held > f->out->peak)
		f->out->peak = d->chain.held;
}

/* Rows that nothing is known of yet, of these; the crew looks into them when they are many. */
static bool look_ahead(struct flow *f, int from, int to)
{
	struct descent *d = f->d;
	f->ahead.n = 0;
	if (!f->crew || to - from < AHEAD_LEAST || d->stop || d->again || f->outdated)
		return false;
	for (int i = from; i < to; i++)
		if (!chain_holds(&d->chain, f->now.v[i].row, d->round) && sum_of(f->now.v[i].mass) >= RARE)
			VEC_PUSH(f->ahead, f->now.v[i].row);
	if (f->ahead.n < AHEAD_LEAST)
		return false;
	crew_work(f->crew, d, f->ahead.v, f->ahead.n);
	return true;
}

static void take_rows(struct flow *f)
{
	/* the first goes alone: it finds the ways */
	for (int from = 0; from < f->now.n;) {
		int to = from == 0 ? 1 : from + AHEAD_MOST < f->now.n ? from + AHEAD_MOST : f->now.n, next = 0;
		bool ahead = look_ahead(f, from, to);
		for (int i = from; i < to; i++) {
			bool ready = ahead && next < f->ahead.n && f->ahead.v[next] == f->now.v[i].row;
			uint64_t learnt = f->learnt;
			take_row(f, f->now.v[i], ready ? next : -1);
			next += ready;
			if (learnt != f->learnt)
				to = i + 1; /* the rest as it is seen now */
		}
		from = to;
	}
	f->now.n = 0;
}

static int likelier(const void *a, const void *b)
{
	const struct waiting *x = a, *y = b;
	double p = sum_of(x->mass), q = sum_of(y->mass);
	return p > q ? -1 : p < q ? 1 : x->row < y->row ? -1 : x->row > y->row;
}

/* The rows that wait at a place, taken out. */
static void take_out(struct flow *f, int32_t place)
{
	struct chain *c = &f->d->chain;
	struct table *t = &c->table.v[place];
	for (int i = 0; i < t->pending.n; i++) {
		uint32_t row = t->pending.v[i];
		VEC_PUSH(f->now, (struct waiting){row, c->mass[row], c->residue[row]});
		c->mass[row] = (struct sum){0, 0};
		c->residue[row] = 0;
		c->waits[row] = 0;
	}
	c->held -= (uint64_t)t->pending.n;
	t->pending.n = 0;
}

/* What was found of worlds is let go of, where that helps. */
static void forget(struct flow *f)
{
	struct chain *c = &f->d->chain;
	if (c->held * 2 < (uint64_t)c->row.n) {
		f->d->found += (uint64_t)c->row.n - c->dropped - c->held;
		chain_forget(c);
	}
}

static void take(struct flow *f)
{
	struct descent *d = f->d;
	/* where not all find room, the likeliest do */
	if (d->full_memory || descent_worlds(d) > f->plan->states / 2)
		qsort(f->now.v, (size_t)f->now.n, sizeof *f->now.v, likelier);
	take_rows(f);
	if (d->chain.bytes + graph_size(d->g) > f->plan->bytes / 4 * 3)
		forget(f);
}

static void take_round(struct flow *f)
{
	struct descent *d = f->d;
	f->lowest = INT32_MAX;
	for (int i = 0; i < d->chain.table.n; i++)
		if (waits(f, i) && !d->g->place.v[i].round && f->rank.v[i] < f->lowest)
			f->lowest = f->rank.v[i];
	for (int i = 0; i < d->chain.table.n; i++)
		if (waits(f, i) && d->g->place.v[i].round)
			take_out(f, i);
	take(f);
	while (!d->again && !f->outdated && f->lowest < f->order.n) {
		int32_t at = f->order.v[f->lowest++];
		if (!waits(f, at) || d->g->place.v[at].round)
			continue;
		take_out(f, at);
		take(f);
	}
	chain_settle(&d->chain, d->round);
	d->round++;
}

static struct sum left(const struct flow *f)
{
	const struct chain *c = &f->d->chain;
	struct sum s = {0, 0};
	for (int i = 0; i < c->table.n; i++)
		for (int k = 0; k < c->table.v[i].pending.n; k++) {
			sum_add(&s, c->mass[c->table.v[i].pending.v[k]].value);
			sum_add(&s, c->mass[c->table.v[i].pending.v[k]].rest);
		}
	return s;
}

/* All of it, once, from the first row on. False: it rests on what is not so. */
static bool flow_on(struct flow *f, uint32_t first)
{
	struct descent *d = f->d;
	f->outdated = false;
	chain_add(&d->chain, first, 1, 1);
	for (;;) {
		struct sum rest = left(f);
		if (sum_of(rest) <= 0)
			break;
		if (sum_of(rest) < LEFT_OPEN || d->stop) {
			open_all(f, rest);
			break;
		}
		if (f->learnt != d->g->explored) {
			learn(f);
			if (descent_outdated(d))
				return false;
		}
		f->counted = 1 - sum_of(rest);
		take_round(f);
		if (d->again || f->outdated)
			return false;
	}
	if (f->learnt == d->g->explored || d->stop)
		return true;
	learn(f);
	return !descent_outdated(d);
}

/* From the beginning on, until it rests on nothing but what is so. */
static bool flow_well(struct flow *f)
{
	struct descent *d = f->d;
	while (!d->g->broken) {
		f->out->peak = 0;
		f->out->full_worlds = f->out->full_memory = false;
		d->found = 0;
		if (flow_on(f, descent_first(d)))
			return true;
		if (d->again) {
			descent_clear(d); /* the graph began again */
			learn(f);
		} else {
			descent_renew(d);
		}
	}
	return false;
}

/* ---- the answer ---- */

static void tell(struct flow *f, struct open_sums *sums)
{
	const struct chain *c = &f->d->chain;
	for (int i = 0; i < c->outcome.n; i++) {
		const struct share_of *o = &c->outcome.v[i];
		struct mass mass = {o->p, o->residue};
		if (o->by != 0)
			continue; /* settled */
		switch (o->measure) {
		case VALUE_UNSETTLED: sums->unsettled = o->p; break;
		case VALUE_STOPPED: sums->stopped = o->p; break;
		case VALUE_REFERRED: sums->referrals = o->p; break;
		case VALUE_OPEN: sums->unexplored = o->p; break;
		default: shares_value(f->out, f->d->g->p, o->measure, o->value, mass); break;
		}
	}
	f->out->worlds = descent_worlds(f->d);
	f->out->stop = f->d->stopped;
}

static bool left_nothing(const struct flow *f)
{
	const struct chain *c = &f->d->chain;
	for (int i = 0; i < c->outcome.n; i++)
		if (c->outcome.v[i].measure == VALUE_OPEN && sum_of(c->outcome.v[i].p) > 0)
			return false;
	return true;
}

static void scout(struct flow *f)
{
	struct descent *d = f->d;
	const struct exact_plan *plan = f->plan;
	word values[MEASURES_MAX + 1];
	/* the likeliest ways first: most of what matters is known then */
	for (uint64_t t = 0; t < WALKED_FIRST && !d->g->idle && !d->g->broken && !(plan->interrupted && plan->interrupted(plan->context)); t++)
		graph_trial(d->g, 1, t, values);
	uint64_t known = d->g->explored;
	for (int i = 0, idle = 0; i < SCOUTED_MOST && idle < SCOUTED && !d->stop && !d->g->broken && graph_size(d->g) < plan->bytes / 8; i++) {
		look_up(f);
		descent_scout(d, &f->scout);
		idle = d->g->explored == known ? idle + 1 : 0;
		known = d->g->explored;
	}
}

bool flow_run(const struct exact_plan *plan, struct exact *out, struct open_sums *sums, bool *proven)
{
	struct flow flow, *f = &flow;
	struct graph *g = graph_new(plan->program, plan->start, plan->max_rounds, plan->fuel, plan->bytes / 2 < GRAPH_BYTES ? plan->bytes / 2 : GRAPH_BYTES);
	if (!g)
		return false;
	g->settles = true;
	memset(f, 0, sizeof *f);
	f->plan = plan;
	f->out = out;
	f->d = descent_new(plan, g, proven);
	f->crew = crew_new(plan->threads);
	scout(f);
	learn(f);
	bool good = flow_well(f);
	if (good && *proven && !f->d->stop && left_nothing(f)) {
		/* once more along the same edges, for the residues by which fractions are proven */
		f->d->chain.residues = true;
		descent_renew(f->d);
		good = flow_well(f);
	}
	if (good)
		tell(f, sums);
	out->interrupted = good && f->d->stop && !out->gave_up;
	VEC_FREE(f->order);
	VEC_FREE(f->rank);
	VEC_FREE(f->now);
	VEC_FREE(f->ahead);
	VEC_FREE(f->scout.taken);
	crew_free(f->crew);
	descent_free(f->d);
	graph_free(g);
	return good;
}
