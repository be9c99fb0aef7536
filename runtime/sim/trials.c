/* trials.c - workers that take runs of trial numbers until there are none left.
 *
 * Work is cut into batches; between batches the calling thread decides whether it is enough.
 * What ends a batch is a number of trials and never a moment, so `within` stops at the same
 * trial whatever the threads do. */
#include "runtime/sim/trials.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/sim/graph.h"
#include "runtime/sim/stats.h"
#include "runtime/world/block.h"

enum {
	CHUNK = 64,
	BATCH_FIRST = 4096,
	SENSIBLE = 1000000,
	WIDTHS = 17 /* to 20 % */,
	GRAPH_AFTER = 64,
	GRAPH_BYTES = 40 << 20,
	GRAPHS_BYTES = 20 << 20 /* several of them */,
	GRAPH_LEAST = 1 << 20,
	GRAPH_DEAR = 2000000 /* words of worlds explored */,
	WEIGHED = 64 /* trials that tell how long they are */,
	WEIGHED_SHARE = 8 /* or as many as take this part of the work */,
	TRIALS_LEAST = 4,
	LOOPED = 32
};

struct worker {
	const struct trials_plan *plan;
	struct shared *shared;
	struct vm *vm[BRANCHES_MAX];
	struct graph *graph[BRANCHES_MAX]; /* what is known of the fights so far */
	word *values[BRANCHES_MAX]; /* what the measures came to in this trial */
	struct trials found;
	pthread_t thread;
	bool started, leads;
	uint64_t spent; /* instructions of machines */
	bool no_graph[BRANCHES_MAX];
};

struct shared {
	atomic_uint_fast64_t next;
	uint64_t end;
	uint64_t expected; /* the number of the last trial of all, as it looks by now */
	atomic_bool stop;
};

void trials_new(struct trials *t, const struct trials_plan *plan)
{
	memset(t, 0, sizeof *t);
	t->branches = plan->branches;
	t->measures = plan->program[0]->measures;
	for (int b = 0; b < t->branches; b++) {
		t->branch[b].measure = calloc((size_t)t->measures + 1, sizeof *t->branch[b].measure);
		t->branch[b].first_stopped = UINT64_MAX;
		if (!t->branch[b].measure)
			abort();
	}
}

void trials_free(struct trials *t)
{
	for (int b = 0; b < t->branches; b++) {
		for (int i = 0; i < t->measures; i++) {
			tally_free(&t->branch[b].measure[i].value);
			tally_free(&t->branch[b].measure[i].difference);
		}
		free(t->branch[b].measure);
	}
	memset(t, 0, sizeof *t);
}

void trials_sort(struct trials *t, const struct trials_plan *plan)
{
	for (int b = 0; b < t->branches; b++)
		for (int i = 0; i < t->measures; i++) {
			bool frac = plan->program[b]->measure[i].type.frac;
			tally_sort(&t->branch[b].measure[i].value, frac);
			tally_sort(&t->branch[b].measure[i].difference, frac);
		}
}

static void merge(struct trials *t, const struct trials *from)
{
	t->done += from->done;
	t->interrupted |= from->interrupted;
	for (int b = 0; b < t->branches; b++) {
		struct trials_branch *x = &t->branch[b];
		const struct trials_branch *y = &from->branch[b];
		x->unsettled += y->unsettled;
		x->stopped += y->stopped;
		x->rulings += y->rulings;
		x->referrals += y->referrals;
		if (y->first_stopped < x->first_stopped)
			x->first_stopped = y->first_stopped;
		for (int i = 0; i < t->measures; i++) {
			tally_merge(&x->measure[i].value, &y->measure[i].value);
			tally_merge(&x->measure[i].difference, &y->measure[i].difference);
		}
	}
}

/* What one of them may take: every thread has one for every branch. */
static uint64_t graph_bytes(const struct trials_plan *plan)
{
	uint64_t graphs = (uint64_t)(plan->threads > 1 ? plan->threads : 1) * (uint64_t)plan->branches, each = graphs == 1 ? GRAPH_BYTES : GRAPHS_BYTES / graphs;
	return each > GRAPH_LEAST ? each : GRAPH_LEAST;
}

/* The graph is begun when there are trials enough to pay for it. */
static struct graph *graph_for(struct worker *w, int b)
{
	const struct trials_plan *plan = w->plan;
	if (w->found.done < GRAPH_AFTER || plan->by_machine || w->no_graph[b])
		return NULL;
	if (!w->graph[b]) {
		w->graph[b] = graph_new(plan->program[b], plan->start[b], plan->max_rounds, plan->fuel, graph_bytes(plan));
		if (w->graph[b])
			w->graph[b]->dear = GRAPH_DEAR;
		w->no_graph[b] = w->graph[b] == NULL;
	}
	if (w->graph[b] && (w->graph[b]->idle || w->graph[b]->broken)) {
		graph_free(w->graph[b]);
		w->graph[b] = NULL;
		w->no_graph[b] = true;
	}
	return w->graph[b];
}

static bool play_known(struct worker *w, int b, uint64_t trial, bool *good)
{
	struct trials_branch *to = &w->found.branch[b];
	struct graph *g = graph_for(w, b);
	const struct ending *e = g ? graph_trial(g, w->plan->seed, trial, w->values[b]) : NULL;
	if (!e)
		return false;
	to->referrals += e->referred;
	*good = e->good;
	if (e->good) {
		to->unsettled += e->unsettled;
		return true;
	}
	to->stopped++;
	to->rulings += e->ruling;
	if (trial < to->first_stopped)
		to->first_stopped = trial;
	return true;
}

static void begin_trial(struct vm *m, const struct trials_plan *plan, int b, uint64_t trial)
{
	if (plan->start[b])
		vm_begin_at(m, plan->start[b], plan->seed, trial);
	else
		vm_begin(m, plan->seed, trial, plan->max_rounds);
}

/* One branch of one trial: its measures to values[]. */
static bool play(struct worker *w, int b, uint64_t trial)
{
	bool good;
	if (play_known(w, b, trial, &good))
		return good;
	const struct trials_plan *plan = w->plan;
	const struct program *p = plan->program[b];
	struct vm *m = w->vm[b];
	struct trials_branch *to = &w->found.branch[b];
	begin_trial(m, plan, b, trial);
	enum vm_status s = vm_run(m);
	w->spent += vm_spent(m);
	const word *block = vm_block(m);
	to->referrals += block[H_REFERRALS] > 0;
	if (s == VM_OVER && (p->measure_fn < 0 || vm_call(m, p->measure_fn, NULL, 0, w->values[b], p->measures, false))) {
		to->unsettled += block[H_OUTCOME] == OUTCOME_ROUNDS;
		return true;
	}
	to->stopped++;
	to->rulings += vm_status(m) == VM_RULING;
	if (trial < to->first_stopped)
		to->first_stopped = trial;
	return false;
}

/* Branches may play by other rules, and then a number may be a fraction in one of them alone. */
static word less(struct vtype type, word a, struct vtype first, word b)
{
	bool bad = false;
	if (a == NONE || b == NONE)
		return NONE;
	if (type.frac && !first.frac)
		b = frac_of(b, &bad);
	else if (!type.frac && first.frac)
		b = frac_round(b, ROUND_NEAREST);
	if (bad || b == NONE)
		return NONE;
	word d = type.frac ? frac_sub(a, b, &bad) : num_sub(a, b, &bad);
	return bad ? NONE : d;
}

static void one(struct worker *w, uint64_t trial)
{
	const struct trials_plan *plan = w->plan;
	bool whole[BRANCHES_MAX];
	for (int b = 0; b < plan->branches; b++)
		whole[b] = play(w, b, trial);
	for (int b = 0; b < plan->branches; b++)
		for (int i = 0; i < w->found.measures; i++) {
			const struct measure_info *info = &plan->program[b]->measure[i];
			struct trials_measure *to = &w->found.branch[b].measure[i];
			word v = whole[b] ? w->values[b][i] : NONE;
			if (info->how == MEASURED_CHANCE)
				v = v != NONE && v != 0; /* what stopped counts for nobody */
			tally_add(&to->value, v, 1);
			if (b == 0)
				continue;
			word first = whole[0] ? w->values[0][i] : NONE;
			if (info->how == MEASURED_CHANCE)
				first = first != NONE && first != 0;
			tally_add(&to->difference, less(info->type, v, plan->program[0]->measure[i].type, first), 1);
		}
	w->found.done++;
}

static bool enough_asked(const struct trials_plan *plan)
{
	return plan->interrupted && plan->interrupted(plan->context);
}

static void *work(void *context)
{
	struct worker *w = context;
	struct shared *s = w->shared;
	unsigned polls = 0;
	for (;;) {
		uint64_t from = atomic_fetch_add(&s->next, CHUNK);
		if (from >= s->end || atomic_load(&s->stop))
			break;
		uint64_t to = s->end - from < CHUNK ? s->end : from + CHUNK;
		for (uint64_t t = from; t < to && !atomic_load_explicit(&s->stop, memory_order_relaxed); t++) {
			one(w, t);
			if (w->leads && enough_asked(w->plan))
				atomic_store(&s->stop, true);
		}
		if (w->leads && w->plan->progress && (polls++ & 7) == 0)
			w->plan->progress(w->plan->context, from - w->plan->first, (s->expected < to ? to : s->expected) - w->plan->first);
	}
	return NULL;
}

static void batch(struct worker *worker, int threads, struct shared *s, uint64_t from, uint64_t to)
{
	atomic_store(&s->next, from);
	s->end = to;
	for (int i = 1; i < threads; i++)
		worker[i].started = pthread_create(&worker[i].thread, NULL, work, &worker[i]) == 0;
	work(&worker[0]);
	for (int i = 1; i < threads; i++)
		if (worker[i].started)
			pthread_join(worker[i].thread, NULL);
}

/* The workers' tallies as one, in order: what is summed up from it is the same for any number of them. */
static struct tally together(const struct worker *worker, int threads, int b, int i, bool difference, bool frac)
{
	struct tally all = {0};
	for (int t = 0; t < threads; t++) {
		const struct trials_measure *x = &worker[t].found.branch[b].measure[i];
		tally_merge(&all, difference ? &x->difference : &x->value);
	}
	tally_sort(&all, frac);
	return all;
}

/* For a mean: within that share of the span of what came up, as a chance is of 0 to 1; with `span` of that. */
static double needed_mean(const struct tally *t, bool frac, double span, uint64_t done, double within)
{
	struct moments m = stats_moments(t, frac);
	if (!(m.deviation > 0))
		return 0;
	if (!(span > 0))
		span = stats_number(t->value[t->n - 1], frac) - stats_number(t->value[t->value[0] == NONE], frac);
	double half = (m.high - m.low) / 2 / span / within;
	return half * half * (double)done;
}

static double needed_for(const struct trials_plan *plan, const struct worker *worker, int threads, int b, int i, uint64_t done, double within)
{
	const struct measure_info *info = &plan->program[b]->measure[i];
	bool chance = info->how == MEASURED_CHANCE, frac = !chance && info->type.frac;
	struct tally t = together(worker, threads, b, i, false, frac);
	double most = 0;
	if (chance)
		most = stats_needed(tally_of(&t, 1), done, within);
	else if (vtype_is_number(info->type))
		most = needed_mean(&t, frac, 0, done, within);
	else
		for (uint32_t k = 0; k < t.n; k++)
			most = fmax(most, stats_needed(t.count[k], done, within));
	tally_free(&t);
	if (b > 0 && (chance || vtype_is_number(info->type))) {
		t = together(worker, threads, b, i, true, frac);
		most = fmax(most, needed_mean(&t, frac, chance ? 1 : 0, done, within));
		tally_free(&t);
	}
	return most;
}

/* So many trials would make every figure, in every branch, known to +- `within`, as it looks by now. */
static double needed(const struct trials_plan *plan, const struct worker *worker, int threads, uint64_t done, double within)
{
	double most = 0;
	for (int b = 0; b < plan->branches; b++)
		for (int i = 0; i < plan->program[b]->measures; i++)
			most = fmax(most, needed_for(plan, worker, threads, b, i, done, within));
	return most;
}

/* Says that it cannot be reached, and which of 0.1 %, 0.2 %, 0.5 %, 1 % .. can, without long work. */
static void say_too_narrow(const struct trials_plan *plan, const struct worker *worker, int threads, uint64_t done, double for_within)
{
	static const int steps[] = {1, 2, 5};
	double sensible = plan->trials < SENSIBLE ? (double)plan->trials : SENSIBLE;
	double width = 0, needs = INFINITY;
	for (int i = 0; i < WIDTHS && !(width > plan->within && needs <= sensible); i++) {
		width = steps[i % 3] * pow(10, i / 3 - 6);
		needs = needed(plan, worker, threads, done, width);
	}
	if (width > plan->within)
		plan->too_narrow(plan->context, for_within, width, needs);
}

static void native(struct worker *w, enum native_when when)
{
	for (int b = 0; b < w->plan->branches; b++)
		vm_native(w->vm[b], w->plan->no_native ? NATIVE_NEVER : when);
}

/* As many trials as `work` is enough for, by what the first of them take, which are played here
 * and count. It goes
 * by instructions, and by those of the loop alone, so that the number is the same on every
 * machine, with any number of threads. */
static uint64_t affordable(struct worker *w, uint64_t *played)
{
	const struct trials_plan *plan = w->plan;
	native(w, NATIVE_NEVER);
	for (*played = 0; *played < WEIGHED && w->spent * WEIGHED_SHARE < plan->work &&
		plan->first + *played < plan->trials && !enough_asked(plan);
		++*played)
		one(w, plan->first + *played);
	native(w, *played < WEIGHED ? NATIVE_SOON : NATIVE_NOW);
	uint64_t each = *played && w->spent > *played ? w->spent / *played : 1,
		 n = plan->work / each, ten = 1;
	if (n < LOOPED) /* too few for native code: each takes about twice as long */
		n /= 2;
	while (n / ten >= 100)
		ten *= 10;
	n = n / ten * ten; /* 5,700 rather than 5,716 */
	n = n < TRIALS_LEAST ? TRIALS_LEAST : n;
	n = n < *played ? *played : n;
	return n < plan->trials - plan->first ? plan->first + n : plan->trials;
}

static void worker_open(struct worker *w, const struct trials_plan *plan, struct shared *s)
{
	struct vm_host host = {0};
	host.fuel = plan->fuel;
	w->plan = plan;
	w->shared = s;
	trials_new(&w->found, plan);
	for (int b = 0; b < plan->branches; b++) {
		w->vm[b] = vm_new(plan->program[b], &host);
		if (plan->no_native)
			vm_native(w->vm[b], NATIVE_NEVER);
		w->values[b] = calloc((size_t)plan->program[b]->measures + 1, sizeof(word));
		if (!w->values[b])
			abort();
	}
}

static void worker_close(struct worker *w)
{
	for (int b = 0; b < w->plan->branches; b++) {
		vm_free(w->vm[b]);
		graph_free(w->graph[b]);
		free(w->values[b]);
	}
	trials_free(&w->found);
}

void trials_run(const struct trials_plan *asked, struct trials *out)
{
	struct trials_plan afforded = *asked, *plan = &afforded;
	int threads = plan->threads < 1 ? 1 : plan->threads > THREADS_MAX ? THREADS_MAX : plan->threads;
	struct worker *worker = calloc((size_t)threads, sizeof *worker);
	struct shared shared = {0};
	if (!worker)
		abort();
	for (int i = 0; i < threads; i++)
		worker_open(&worker[i], plan, &shared);
	worker[0].leads = true;
	uint64_t played = 0;
	if (plan->work)
		plan->trials = affordable(&worker[0], &played);
	uint64_t done = plan->first + played, size = plan->within > 0 ? BATCH_FIRST : plan->trials;
	bool told = plan->too_narrow == NULL;
	shared.expected = plan->trials;
	while (done < plan->trials && !atomic_load(&shared.stop)) {
		uint64_t to = plan->trials - done < size ? plan->trials : done + size;
		batch(worker, threads, &shared, done, to);
		done = to;
		size = done; /* twice as many each time */
		if (!(plan->within > 0) || atomic_load(&shared.stop))
			continue;
		double in_all = needed(plan, worker, threads, done, plan->within);
		if (in_all <= (double)done)
			break;
		if (in_all > (double)plan->trials && !told) {
			say_too_narrow(plan, worker, threads, done, in_all);
			told = true;
		}
		shared.expected = in_all < (double)plan->trials ? (uint64_t)in_all : plan->trials;
	}
	trials_new(out, plan);
	for (int i = 0; i < threads; i++) {
		merge(out, &worker[i].found);
		worker_close(&worker[i]);
	}
	out->interrupted = atomic_load(&shared.stop);
	free(worker);
	trials_sort(out, plan);
}
