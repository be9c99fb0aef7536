/* workers.c - rows found out by many, kept by one. */
#include "runtime/sim/workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 16, ROW_BYTES = 256 };

/* What a row came to: where it stands in the log of which worker. */
struct found { int worker; int32_t row, first, n; int64_t since, until; uint64_t leaves, nodes; enum vm_status stopped; bool good; };

struct worker {
	struct crew *crew;
	pthread_t thread;
	bool started;
	struct descent d;
	struct descent_log log;
	bool proven;
};

/* Threads are kept, and wait for work. Nobody waits for one that has not woken: what it might have
 * done the others have done by then. */
struct crew {
	int workers;
	struct worker *worker;
	pthread_mutex_t lock;
	pthread_cond_t begun, done;
	uint64_t batch;
	bool open, quit;
	int active;              /* at work on the batch, the first thread apart */
	void (*task)(struct worker *w);
	struct found *found;
	int room, n;
	const uint32_t *rows;
	atomic_int next;
};

struct crew *crew_new(int threads)
{
	if (threads < 2)
		return NULL;
	struct crew *c = calloc(1, sizeof *c);
	if (!c)
		abort();
	c->workers = threads;
	c->worker = calloc((size_t)threads, sizeof *c->worker);
	if (!c->worker || pthread_mutex_init(&c->lock, NULL) || pthread_cond_init(&c->begun, NULL) || pthread_cond_init(&c->done, NULL))
		abort();
	for (int i = 0; i < threads; i++) {
		c->worker[i].crew = c;
		descent_arrays(&c->worker[i].d);
		c->worker[i].d.value = calloc(SLOTS, sizeof(word));
		if (!c->worker[i].d.value)
			abort();
	}
	return c;
}

void crew_free(struct crew *c)
{
	if (!c)
		return;
	pthread_mutex_lock(&c->lock);
	c->quit = true;
	pthread_cond_broadcast(&c->begun);
	pthread_mutex_unlock(&c->lock);
	for (int i = 0; i < c->workers; i++) {
		struct worker *w = &c->worker[i];
		if (w->started)
			pthread_join(w->thread, NULL);
		free(w->d.value);
		descent_arrays_free(&w->d);
		VEC_FREE(w->log.entry);
		VEC_FREE(w->log.key);
		free(w->log.mark);
		free(w->log.noted);
	}
	pthread_mutex_destroy(&c->lock);
	pthread_cond_destroy(&c->begun);
	pthread_cond_destroy(&c->done);
	free(c->worker);
	free(c->found);
	free(c);
}

/* What all share, as it is now: none of it changes while they work. */
static void join_in(struct worker *w, const struct descent *d)
{
	w->d.plan = d->plan;
	w->d.g = d->g;
	w->d.clock = d->clock;
	w->d.needs = d->needs;
	w->d.chain = d->chain;
	memcpy(&w->d.first, &d->first, sizeof d->first);
	memcpy(&w->d.first_at, &d->first_at, sizeof d->first_at);
	memcpy(&w->d.way, &d->way, sizeof d->way);
	memcpy(&w->d.way_of, &d->way_of, sizeof d->way_of);
	memcpy(&w->d.from, &d->from, sizeof d->from);
	memcpy(&w->d.news, &d->news, sizeof d->news);
	w->d.round = d->round;
	w->d.proven = &w->proven;
	w->d.log = &w->log;
	w->proven = true;
	VEC_PUSH(w->log.key, 0); /* keys of no words stand somewhere, too */
	w->log.entry.n = w->log.key.n = 0;
	if (w->log.marks < d->chain.room) {
		free(w->log.mark);
		w->log.marks = d->chain.room;
		w->log.mark = calloc(w->log.marks, sizeof *w->log.mark);
		if (!w->log.mark)
			abort();
	}
	if (w->log.notes < d->chain.outcome.n) {
		free(w->log.noted);
		w->log.notes = 2 * d->chain.outcome.n;
		w->log.noted = calloc((size_t)w->log.notes, sizeof *w->log.noted);
		if (!w->log.noted)
			abort();
	}
	int constants = d->g->lift->constants;
	memcpy(w->d.value + SLOTS - constants, d->value + SLOTS - constants, (size_t)constants * sizeof(word));
}

static void *stand_by(void *argument)
{
	struct worker *w = argument;
	struct crew *c = w->crew;
	uint64_t seen = 0;
	pthread_mutex_lock(&c->lock);
	while (!c->quit) {
		if (!c->open || seen == c->batch) {
			pthread_cond_wait(&c->begun, &c->lock);
			continue;
		}
		seen = c->batch;
		c->active++;
		pthread_mutex_unlock(&c->lock);
		c->task(w);
		pthread_mutex_lock(&c->lock);
		if (--c->active == 0)
			pthread_cond_signal(&c->done);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

/* Everybody who is awake does the task until it is done. */
static void together(struct crew *c, void (*task)(struct worker *w))
{
	pthread_mutex_lock(&c->lock);
	c->task = task;
	c->batch++;
	c->open = true;
	pthread_cond_broadcast(&c->begun);
	pthread_mutex_unlock(&c->lock);
	for (int i = 1; i < c->workers; i++)
		if (!c->worker[i].started)
			c->worker[i].started = pthread_create(&c->worker[i].thread, NULL, stand_by, &c->worker[i]) == 0;
	task(&c->worker[0]);
	pthread_mutex_lock(&c->lock);
	c->open = false;
	while (c->active)
		pthread_cond_wait(&c->done, &c->lock);
	pthread_mutex_unlock(&c->lock);
}

static void look_into(struct worker *w)
{
	struct crew *c = w->crew;
	for (;;) {
		int i = atomic_fetch_add(&c->next, AT_ONCE);
		if (i >= c->n)
			return;
		for (int end = i + AT_ONCE < c->n ? i + AT_ONCE : c->n; i < end; i++) {
			struct found *x = &c->found[i];
			x->worker = (int)(w - c->worker);
			x->first = w->log.entry.n;
			x->row = (int32_t)c->rows[i];
			uint64_t leaves = w->d.leaves, nodes = w->d.nodes;
			x->good = descent_write(&w->d, c->rows[i]);
			if (!x->good)
				w->log.entry.n = x->first;
			x->n = w->log.entry.n - x->first;
			x->since = w->d.since;
			x->until = w->d.until;
			x->leaves = w->d.leaves - leaves;
			x->nodes = w->d.nodes - nodes;
			x->stopped = w->d.stopped;
		}
	}
}

void crew_work(struct crew *c, struct descent *d, const uint32_t *rows, int n)
{
	if (n > c->room) {
		c->room = n;
		free(c->found);
		c->found = malloc((size_t)n * sizeof *c->found);
		if (!c->found)
			abort();
	}
	c->n = n;
	c->rows = rows;
	atomic_store(&c->next, 0);
	for (int i = 0; i < c->workers; i++)
		join_in(&c->worker[i], d);
	together(c, look_into);
	for (int i = 0; i < c->workers; i++)
		*d->proven &= c->worker[i].proven;
}

bool crew_done(struct crew *c, struct descent *d, int i)
{
	const struct found *x = &c->found[i];
	const struct descent_log *log = &c->worker[x->worker].log;
	/* near a budget one row after the other is looked at, as it would be alone */
	if (!x->good || d->nodes + x->nodes >= d->nodes_most || d->nodes + x->nodes >= d->nodes_worn || !descent_room(d, (uint64_t)x->n, x->leaves, (uint64_t)x->n * ROW_BYTES))
		return false;
	d->leaves += x->leaves;
	d->nodes += x->nodes;
	if (x->stopped && !d->stopped)
		d->stopped = x->stopped;
	chain_open(&d->chain, (uint32_t)x->row);
	for (int32_t k = x->first; k < x->first + x->n; k++) {
		const struct logged *e = &log->entry.v[k];
		const word *key = log->key.v + e->key;
		uint32_t row;
		switch (e->kind) {
		case LOGGED_ROW: /* its others to there were added to it when it was written down */
			chain_only_edge(&d->chain, e->to, e->p, e->residue);
			break;
		case LOGGED_KEY:
			chain_row(&d->chain, (int32_t)e->to, key, e->hash, true, &row);
			chain_edge(&d->chain, row, e->p, e->residue);
			break;
		case LOGGED_OUTCOME:
			chain_note_known(&d->chain, (int)e->to, e->p, e->residue);
			break;
		case LOGGED_VALUE:
			chain_note(&d->chain, (int)key[0], key[1], key[2], e->p, e->residue);
			break;
		case LOGGED_FIRST:
			if (d->first_at.v[e->to] < 0)
				descent_first_there(d, (int32_t)e->to, key);
			break;
		}
	}
	chain_close(&d->chain, (uint32_t)x->row, x->since, x->until);
	return true;
}
