/* flow.c - probability on its way through the graph, round after round.
 *
 * What is at a place are rows: the numbers that still matter, and how likely they are. Places are
 * taken by levels: each when all that flows to it within the round has come. What becomes of a row is
 * found out the first time it is taken (descent.h), and looked up from then on (chain.h).
 *
 * What matters, and what is decided, is worked out on what is known of the graph, and so may
 * prove wrong when more becomes known: then it all flows once more, through the graph as it
 * is by now. */
#include "runtime/sim/flow.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/sim/workers.h"

static const double LEFT_OPEN = 1e-15, RARE = 1e-24, LIKELY = 1.0 / 16, LESS = 4;
enum {
	POLLS = 1023,
	WALKED_FIRST = 16,
	SCOUTED = 64,
	SCOUTED_MOST = 4096,
	SCOUTED_ON = 32,
	SCOUTED_PART = 2,
	HOPELESS = 12000000 /* words of worlds explored */,
	AHEAD_LEAST = 128,
	AHEAD_MOST = 512,
	AT_ONCE = 1024
};

struct flow {
	const struct exact_plan *plan;
	struct exact *out;
	struct descent *d;
	VEC(int32_t) order;      /* places, as they are taken in a round: by level */
	VEC(int32_t) first;      /* by level: where in order; and the end */
	VEC(bool) reached;       /* by place: rows may wait there */
	VEC(struct waiting) now; /* rows being taken */
	VEC(int32_t) from;       /* their places */
	bool unknown;            /* it may be that of some it is not known what becomes of them */
	VEC(uint32_t) new;       /* those */
	bool unlikely;           /* there are others, not likely enough */
	struct crew *crew;       /* NULL: one thread */
	bool scarce;             /* worlds or memory may not do */
	bool outgrown;           /* worlds did not: once more, the likeliest alone */
	double least;            /* rows less likely than that are not gone into; 0: all are */
	bool rings;              /* some places lead back to a level before their own, in one round */
	bool late;               /* rows may have come to places by ways that levels know nothing of */
	uint64_t leveled;        /* how often places were given levels */
	uint64_t taken;
	double counted;          /* of the fights, when the round began */
	struct scout scout;
	uint64_t learnt;         /* explorations when it was last worked out what matters */
	bool outdated;           /* what was found rests on what is not so */
};

/* Places in an order in which what flows to one comes before it, where there is one; the last first. */
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

/* Each place stands one level behind the last that leads to it; where not all worlds find room it has a level
 * to itself, so that some ways are gone to their end rather than all of them half the way. */
static void level_places(struct flow *f)
{
	const struct graph *g = f->d->g;
	int places = g->place.n, n = 0;
	uint8_t *seen = calloc((size_t)places + 1, 1);
	int32_t *after = malloc(((size_t)places + 1) * sizeof *after);
	int32_t *rank = malloc(((size_t)places + 1) * sizeof *rank);
	int32_t *level = calloc((size_t)places + 1, sizeof *level);
	if (!seen || !after || !rank || !level)
		abort();
	for (int turn = 0; turn < 2; turn++)
		for (int i = places; i-- > 0;)
			if (!seen[i] && (turn || g->place.v[i].round || i == 0))
				visit(f, i, seen, after, &n);
	f->leveled++;
	f->order.n = f->first.n = 0;
	f->rings = false;
	for (int i = 0; i < n; i++)
		rank[after[i]] = n - i;
	for (int i = n; i-- > 0;) {
		int32_t at = after[i], to;
		level[at] = f->scarce ? n - 1 - i : level[at];
		for (int k = 0; (to = needs_next(f->d->needs, at, k)) >= 0; k++) {
			if (!g->place.v[to].round && rank[to] > rank[at] && level[to] <= level[at])
				level[to] = level[at] + 1;
			f->rings |= !g->place.v[to].round && rank[to] <= rank[at];
		}
		while (f->first.n <= level[at] + 1)
			VEC_PUSH(f->first, 0);
		f->first.v[level[at]]++;
		VEC_PUSH(f->order, 0);
	}
	for (int i = 1; i < f->first.n; i++)
		f->first.v[i] += f->first.v[i - 1];
	for (int i = 0; i < n; i++)
		f->order.v[--f->first.v[level[after[i]]]] = after[i];
	free(seen);
	free(after);
	free(rank);
	free(level);
}

/* ---- rows, places, rounds ---- */

/* Spent so far. */
static uint64_t effort(const struct flow *f)
{
	return f->d->g->effort + needs_steps(f->d->needs) * EFFORT_NEED +
		f->d->nodes * EFFORT_NODE + f->taken * EFFORT_ROW;
}

static void look_up(struct flow *f)
{
	const struct exact_plan *plan = f->plan;
	struct descent *d = f->d;
	if ((++f->taken & POLLS) == 0 && plan->interrupted && plan->interrupted(plan->context))
		d->stop = true;
	if ((f->taken & POLLS) == 0 && plan->progress)
		plan->progress(plan->context, f->counted, descent_worlds(d));
	bool full = descent_full(d);
	if (plan->give_up &&
		(full || d->refused || d->worn || (plan->effort && effort(f) > plan->effort)))
		f->out->gave_up = d->stop = true;
	f->out->full_worlds |= d->full_worlds;
	f->out->full_ways |= d->worn;
	f->out->full_memory |= d->full_memory;
	/* where memory is what lacks, rows that are let go of make room for others */
	if (d->refused && f->least <= 0 && !d->full_memory && d->found == 0 && !plan->give_up && !d->stop)
		f->outgrown = f->outdated = true;
}

static void open_all(struct flow *f, struct sum p)
{
	chain_outcome(&f->d->chain, VALUE_OPEN, 0, (struct mass){p, 0});
}

static void learn(struct flow *f)
{
	f->learnt = f->d->g->explored;
	needs_find(f->d->needs, clock_find(f->d->clock));
	level_places(f);
}

/* The same in mid-round: does what was found hold yet? */
static void learn_now(struct flow *f)
{
	struct descent *d = f->d;
	learn(f);
	f->outdated = descent_outdated(d);
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

/* Finds out what becomes of the new rows. When they are many the crew looks into them first. */
static void find_rows(struct flow *f)
{
	struct descent *d = f->d;
	for (int from = 0; from < f->new.n;) {
		int to = from + AHEAD_MOST < f->new.n ? from + AHEAD_MOST : f->new.n;
		bool ahead = f->crew && to - from >= AHEAD_LEAST;
		uint64_t learnt = f->learnt;
		for (int i = from; i < to; i++)
			descent_ready(d, f->new.v[i]);
		if (ahead)
			crew_work(f->crew, d, f->new.v + from, to - from);
		for (int i = from; i < to; i++) {
			look_up(f);
			if (d->stop || d->again || f->outdated)
				return;
			if ((!ahead || !crew_done(f->crew, d, i - from)) && !find_out(f, f->new.v[i]))
				return;
			if (learnt != f->learnt)
				to = i + 1; /* the rest as it is seen now */
		}
		from = to;
	}
}

/* The rows at hand, but for what did not come to be known, go on. */
static void go_on(struct flow *f)
{
	struct chain *c = &f->d->chain;
	int n = 0;
	for (int i = 0; i < f->now.n; i++)
		if ((f->new.n == 0 && !f->unlikely) || chain_holds(c, f->now.v[i].row, f->d->round))
			f->now.v[n++] = f->now.v[i];
		else
			open_all(f, f->now.v[i].mass.p);
	chain_push(c, f->now.v, n);
	while (f->reached.n < f->d->g->place.n)
		VEC_PUSH(f->reached, false);
	if (f->learnt != f->d->g->explored) {
		/* new ways may lead to places long known: who comes there is looked up row by row */
		for (int i = 0; i < n; i++)
			chain_reach(c, f->now.v[i].row, f->reached.v);
		f->late |= n > 0;
		return;
	}
	for (int i = 0; i < f->from.n; i++)
		for (int32_t k = 0, to; (to = needs_next(f->d->needs, f->from.v[i], k)) >= 0; k++)
			f->reached.v[to] = true;
}

static int likelier(const void *a, const void *b)
{
	const struct waiting *x = a, *y = b;
	double p = sum_of(x->mass.p), q = sum_of(y->mass.p);
	return p > q ? -1 : p < q ? 1 : x->row < y->row ? -1 : x->row > y->row;
}

/* The rows that wait at a place, taken out. */
static void take_out(struct flow *f, int32_t place)
{
	struct chain *c = &f->d->chain;
	const struct table *t = &c->table.v[place];
	if (place >= f->reached.n || !f->reached.v[place])
		return;
	f->reached.v[place] = false;
	VEC_PUSH(f->from, place);
	f->unknown |= t->known < t->n;
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t row = t->row[i];
		if (c->mass[row].value <= 0)
			continue;
		struct waiting w = {row, {c->mass[row], c->residues ? c->residue[row] : 0}};
		c->mass[row] = (struct sum){0, 0};
		if (c->residues)
			c->residue[row] = 0;
		if (sum_of(w.mass.p) < RARE)
			open_all(f, w.mass.p);
		else
			VEC_PUSH(f->now, w);
	}
}

/* What was found of worlds is let go of, where that helps. */
static void forget(struct flow *f)
{
	struct chain *c = &f->d->chain;
	uint64_t held = chain_held(c);
	if (held * 2 < (uint64_t)c->row.n) {
		f->d->found += (uint64_t)c->row.n - c->dropped - held;
		chain_forget(c);
	}
}

/* The rows taken out go on, with all that is to be found out for that. */
static void take(struct flow *f)
{
	struct descent *d = f->d;
	struct chain *c = &d->chain;
	/* where not all find room, the likeliest do */
	if (f->scarce && f->least <= 0)
		qsort(f->now.v, (size_t)f->now.n, sizeof *f->now.v, likelier);
	f->new.n = 0;
	f->unlikely = false;
	for (int i = 0; i < f->now.n && f->unknown; i++)
		if (chain_holds(c, f->now.v[i].row, d->round))
			continue;
		else if (sum_of(f->now.v[i].mass.p) < f->least && !chain_seen(c, f->now.v[i].row))
			f->unlikely = true;
		else
			VEC_PUSH(f->new, f->now.v[i].row);
	find_rows(f);
	look_up(f);
	if (!d->again && !f->outdated) /* or all of it is given up: places may be others now */
		go_on(f);
	f->now.n = f->from.n = 0;
	f->unknown = false;
	if (f->least <= 0 && c->bytes + graph_size(d->g) > f->plan->bytes / 4 * 3)
		forget(f);
	if (!f->scarce && (d->full_memory || descent_worlds(d) > f->plan->states / 2)) {
		f->scarce = true;
		level_places(f);
	}
}

/* All levels, one after the other; true when it is to be done once more, since some may have come to
 * wait at a level that was over. */
static bool take_levels(struct flow *f)
{
	const struct descent *d = f->d;
	uint64_t leveled = f->leveled;
	bool any = false;
	f->late = false;
	for (int level = 0; level < f->first.n - 1; level++) {
		for (int i = f->first.v[level]; i < f->first.v[level + 1]; i++) {
			int32_t place = f->order.v[i];
			if (d->g->place.v[place].round)
				continue;
			take_out(f, place);
			any |= f->now.n > 0;
			if (f->now.n >= AT_ONCE)
				take(f);
			if (d->again || f->outdated)
				return false;
			if (leveled != f->leveled)
				return true;
		}
		take(f);
		if (d->again || f->outdated)
			return false;
		if (leveled != f->leveled)
			return true;
	}
	return (any && f->rings) || f->late;
}

static void take_round(struct flow *f)
{
	struct descent *d = f->d;
	for (int i = 0; i < d->chain.table.n; i++)
		if (d->g->place.v[i].round)
			take_out(f, i);
	take(f);
	while (!d->again && !f->outdated && take_levels(f))
		continue;
	chain_settle(&d->chain, d->round);
	d->round++;
}

/* What waits for the next round. */
static struct sum left(const struct flow *f)
{
	const struct chain *c = &f->d->chain;
	struct sum s = {0, 0};
	for (int i = 0; i < c->table.n; i++)
		for (uint32_t k = 0; i < f->reached.n && f->reached.v[i] && k < c->table.v[i].n; k++) {
			struct sum p = c->mass[c->table.v[i].row[k]];
			sum_add(&s, p.value);
			sum_add(&s, p.rest);
		}
	return s;
}

/* All of it, once, from the first row on. False: it rests on what is not so. */
static bool flow_on(struct flow *f, uint32_t first)
{
	struct descent *d = f->d;
	f->outdated = false;
	f->reached.n = 0;
	VEC_PUSH(f->reached, true); /* the place it all begins at */
	chain_add(&d->chain, first, 1, 1);
	for (;;) {
		struct sum rest = left(f);
		if (sum_of(rest) <= 0)
			break;
		/* or nothing of it can be gone into before rows less likely are */
		if (sum_of(rest) < LEFT_OPEN || (sum_of(rest) < f->least && !d->refused) || d->stop) {
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

/* From the beginning on, until it rests on nothing but what is so. Where worlds do not do for all, it flows along
 * the likeliest alone, then along those a quarter as likely as well, and so on as long as there are any left. */
static bool flow_well(struct flow *f)
{
	struct descent *d = f->d;
	while (!d->g->broken) {
		f->out->full_worlds = f->out->full_ways = f->out->full_memory = false;
		d->found = 0;
		d->refused = false;
		if (flow_on(f, descent_first(d))) {
			if (f->least < LEFT_OPEN || d->refused || d->stop)
				return true;
			f->least /= LESS;
			descent_renew(d);
		} else if (f->outgrown) {
			f->outgrown = false;
			f->least = LIKELY;
			descent_clear(d);
			learn(f);
		} else if (d->again) {
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
	chain_count(&f->d->chain);
	for (int i = 0; i < c->outcome.n; i++) {
		const struct share_of *o = &c->outcome.v[i];
		if (o->by != 0)
			continue; /* settled */
		switch (o->measure) {
		case VALUE_UNSETTLED: sums->unsettled = o->mass.p; break;
		case VALUE_STOPPED: sums->stopped = o->mass.p; break;
		case VALUE_REFERRED: sums->referrals = o->mass.p; break;
		case VALUE_OPEN: sums->unexplored = o->mass.p; break;
		default: shares_value(f->out, f->d->g->p, o->measure, o->value, o->mass); break;
		}
	}
	f->out->worlds = descent_worlds(f->d);
	f->out->stop = f->d->stopped;
}

static bool left_nothing(const struct flow *f)
{
	const struct chain *c = &f->d->chain;
	chain_count(&f->d->chain);
	for (int i = 0; i < c->outcome.n; i++)
		if (c->outcome.v[i].measure == VALUE_OPEN && sum_of(c->outcome.v[i].mass.p) > 0)
			return false;
	return true;
}

static void scout(struct flow *f)
{
	struct descent *d = f->d;
	const struct exact_plan *plan = f->plan;
	word values[MEASURES_MAX + 1];
	/* the likeliest ways first: most of what matters is known then; where they are long, large and never meet there is no hope */
	d->g->dear = plan->give_up ? HOPELESS : 0;
	for (uint64_t t = 0; t < WALKED_FIRST && !d->g->idle && !d->g->broken && !(plan->interrupted && plan->interrupted(plan->context)); t++)
		graph_trial(d->g, 1, t, values);
	if (d->g->idle && plan->give_up)
		f->out->gave_up = d->stop = true;
	d->g->dear = 0;
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
	struct graph *g = graph_new(
		plan->program, plan->start, plan->max_rounds, plan->fuel, plan->bytes);
	if (!g)
		return false;
	if (plan->give_up && g->large) {
		out->gave_up = true;
		graph_free(g);
		return true;
	}
	g->settles = true;
	g->effort_most = plan->effort / SCOUTED_PART;
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
	out->gave_up |= f->d->spent;
	out->interrupted = good && f->d->stop && !out->gave_up;
	VEC_FREE(f->order);
	VEC_FREE(f->first);
	VEC_FREE(f->now);
	VEC_FREE(f->reached);
	VEC_FREE(f->from);
	VEC_FREE(f->new);
	VEC_FREE(f->scout.taken);
	crew_free(f->crew);
	descent_free(f->d);
	graph_free(g);
	return good;
}
