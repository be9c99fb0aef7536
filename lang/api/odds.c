/* odds.c - how likely: one question asked, exactly or of a sample. */
#include "lang/api/session.h"
#include "lang/api/part.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/explain/story.h"
#include "runtime/sim/exact.h"
#include "runtime/world/block.h"

enum { TRIALS = 10000, TRIALS_WITHIN = 100000000, STATES = 2000000, STATES_TRIED = 80000, MEMORY = 1024 };
/* What plain odds spend on counting (enum effort) before they sample; and instructions, as the
 * machine's fuel counts
 * them, of a sample whose size nobody chose. A fifth of a second each, about, so that there is
 * an answer in half a one. */
static const uint64_t EFFORT_TRIED = 170000000, WORK_SAMPLED = 20000000;
/* A number of fights that is no longer told. */
static const double MANY = 1e18;

void fray_set_odds(struct fray *f, const struct fray_odds_options *options)
{
	memset(&f->odds, 0, sizeof f->odds);
	if (options)
		f->odds = *options;
	f->odds_set = options != NULL;
}

uint64_t odds_seed(const struct fray *f)
{
	return f->odds_set ? f->odds.seed : f->vm ? f->options.seed : 1;
}

bool odds_interrupted(void *context)
{
	struct fray *f = context;
	return f->config.interrupted && f->config.interrupted(f->config.context);
}

static void progress(void *context, uint64_t done, uint64_t of)
{
	struct fray *f = context;
	if (f->odds.progress)
		f->odds.progress(f->config.context, done, of);
}

static void counting(void *context, double counted, uint64_t worlds)
{
	struct fray *f = context;
	f->odds.counting(f->config.context, counted, worlds);
}

/* A number of fights as people say it, to two figures: 38,000,000. */
static void about(struct buf *out, double n)
{
	double ten = n < 100 ? 1 : pow(10, floor(log10(n)) - 1);
	buf_puts(out, n > MANY ? "more than " : "about ");
	buf_counted(out, (uint64_t)(n > MANY ? MANY : ceil(n / ten) * ten));
}

/* 0.0000001, not 1e-07, where that can be read. */
static void share_in_full(struct buf *out, double x)
{
	char digits[40];
	int length = snprintf(digits, sizeof digits, x < 1e-9 ? "%.3g" : "%.12f", x);
	if (x >= 1e-9)
		while (digits[length - 1] == '0' || digits[length - 1] == '.')
			if (digits[--length] == '.')
				break;
	buf_add(out, digits, (size_t)length);
}

static void too_narrow(void *context, double needed, double least, double least_needs)
{
	struct fray *f = context;
	struct buf width = {0}, fights = {0}, most = {0}, instead = {0}, then = {0};
	share_in_full(&width, f->odds.within * 100);
	about(&fights, needed);
	buf_counted(&most, f->odds.trials ? f->odds.trials : TRIALS_WITHIN);
	buf_printf(&instead, "%.10g", least * 100);
	about(&then, least_needs);
	diag_report(&f->run_sink, M_TOO_NARROW, (struct span){0}, 5, buf_text(&width), buf_text(&fights), buf_text(&most), buf_text(&instead), buf_text(&then));
	buf_free(&width);
	buf_free(&fights);
	buf_free(&most);
	buf_free(&instead);
	buf_free(&then);
}

/* ---- asking ---- */

void odds_answer_free(struct answer *a)
{
	for (int b = 0; b < a->branches; b++) {
		if (a->found)
			exact_free(&a->found[b]);
		if (a->program[b])
			program_free(a->program[b]);
		free(a->start[b]);
	}
	if (a->trials.branches)
		trials_free(&a->trials);
	free(a->found);
	memset(a, 0, sizeof *a);
}

/* True when the answer is good: complete, or as complete as was asked for. */
static bool ask_exact(struct fray *f, const struct asking *q, struct answer *a, bool trying)
{
	a->found = calloc((size_t)a->branches, sizeof *a->found);
	if (!a->found)
		abort();
	for (int b = 0; b < a->branches; b++) {
		struct exact_plan plan = {0};
		plan.program = a->program[b];
		plan.start = a->start[b];
		plan.max_rounds = odds_rounds(f, q);
		plan.states = f->odds.states ? f->odds.states : trying ? STATES_TRIED : STATES;
		plan.bytes = (f->odds.memory ? f->odds.memory : MEMORY) << 20;
		plan.effort = trying ? EFFORT_TRIED : 0;
		plan.give_up = trying;
		plan.threads = f->odds.threads_exact;
		plan.fuel = f->config.fuel;
		plan.interrupted = odds_interrupted;
		plan.progress = f->odds.counting ? counting : NULL;
		plan.context = f;
		exact_run(&plan, &a->found[b]);
		/* without --exact nothing that was explored in part is an answer */
		if (trying && !a->found[b].complete) {
			for (int k = 0; k <= b; k++)
				exact_free(&a->found[k]);
			free(a->found);
			a->found = NULL;
			a->why_sampled = "too many worlds to tell them all apart";
			return false;
		}
	}
	a->exact = true;
	return true;
}

static bool ask_sample(struct fray *f, const struct asking *q, struct answer *a)
{
	struct trials_plan plan = {0};
	for (int b = 0; b < a->branches; b++) {
		plan.program[b] = a->program[b];
		plan.start[b] = a->start[b];
	}
	plan.branches = a->branches;
	plan.seed = a->seed;
	plan.within = f->odds.within;
	plan.trials = q->trials ? q->trials : f->odds.trials ? f->odds.trials : plan.within > 0 ? TRIALS_WITHIN : TRIALS;
	/* a script may ask for fewer fights than the host, not for more */
	if (q->trials && f->odds.trials && q->trials > f->odds.trials)
		plan.trials = f->odds.trials;
	/* nobody said how many: of long fights fewer, so that there is an answer soon */
	if (q->method == METHOD_AUTO && !q->expects && !q->trials && !f->odds.trials && !(plan.within > 0) && !f->part && !f->parts)
		plan.work = WORK_SAMPLED;
	plan.threads = f->odds.threads;
	plan.max_rounds = odds_rounds(f, q);
	plan.fuel = f->config.fuel;
	plan.no_native = f->config.no_native;
	plan.interrupted = odds_interrupted;
	plan.progress = f->odds.progress ? progress : NULL;
	plan.too_narrow = too_narrow;
	plan.context = f;
	if (f->parts)
		return parts_take(f, a, &plan);
	if (f->part)
		part_share(f->part, &plan);
	trials_run(&plan, &a->trials);
	if (f->part)
		part_keep(f->part, a, &plan);
	return true;
}

/* Plays a fight that cannot be played to its end once more, which says why. */
static enum vm_status play_stopped(
	struct fray *f, const struct asking *q, const struct answer *a, int branch, uint64_t trial)
{
	struct vm_host host = {0};
	host.sink = &f->run_sink;
	host.fuel = f->config.fuel;
	struct vm *m = vm_new(a->program[branch], &host);
	if (a->start[branch])
		vm_begin_at(m, a->start[branch], a->seed, trial);
	else
		vm_begin(m, a->seed, trial, odds_rounds(f, q));
	const enum vm_status v = vm_run(m);
	vm_free(m);
	return v;
}

/* The status for fights that could not be played to their end; the first of them says why. Exact
 * odds know no trial that stops: only where all do, one is played. */
static enum fray_status say_stopped(struct fray *f, const struct asking *q, const struct answer *a)
{
	for (int b = 0; b < a->branches; b++) {
		const struct trials_branch *x = &a->trials.branch[b];
		enum vm_status v = VM_OVER;
		if (a->exact && odds_unplayable(a, b))
			v = play_stopped(f, q, a, b, 0);
		else if (a->exact && a->found[b].stopped > 0)
			v = a->found[b].stop;
		else if (!a->exact && x->stopped)
			v = play_stopped(f, q, a, b, x->first_stopped);
		else
			continue;
		return v == VM_FAILED ? FRAY_WRONG : FRAY_STOPPED;
	}
	return FRAY_OK;
}

void odds_show(struct fray *f, const struct asking *q, const struct answer *a)
{
	if (f->part || f->only_checking)
		return; /* a share tells nothing */
	switch (f->odds.form) {
	case FRAY_ODDS_TEXT: odds_tell(f, q, a); break;
	case FRAY_ODDS_JSON: odds_json(f, q, a); break;
	case FRAY_ODDS_CSV: odds_csv(f, q, a); break;
	}
	odds_keep(f, q, a);
}

enum fray_status odds_ask(struct fray *f, const struct asking *q, struct answer *a)
{
	memset(a, 0, sizeof *a);
	a->seed = odds_seed(f);
	a->why_sampled = "";
	if (!odds_link(f, q, a))
		return FRAY_WRONG;
	bool done = false;
	if (f->only_checking)
		return FRAY_OK;
	if (q->method == METHOD_EXACT && f->part)
		return FRAY_OK; /* it cannot be shared: it is worked out where the parts are put together */
	if (q->method == METHOD_EXACT)
		done = ask_exact(f, q, a, false);
	else if (q->method == METHOD_AUTO)
		done = ask_exact(f, q, a, true);
	if (!done && odds_interrupted(f))
		return FRAY_INTERRUPTED;
	if (!done && !ask_sample(f, q, a))
		return FRAY_WRONG;
	enum fray_status s = f->part ? FRAY_OK : say_stopped(f, q, a);
	if (a->exact ? a->found[0].interrupted : a->trials.interrupted)
		return FRAY_INTERRUPTED;
	return s;
}

bool odds_answered(const struct answer *a)
{
	return a->exact || a->trials.branches > 0;
}
