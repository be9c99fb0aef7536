/* trials.h - an encounter played many times.
 *
 * Each worker has one machine and one world. Trial t of a seed is always the same fight: its
 * dice are addressed by seed and trial, and what is kept of it are whole numbers, so the
 * answer is the same for any number of threads. With two programs, the branches of "vs",
 * trial t plays both with the same dice. */
#ifndef FRAY_SIM_TRIALS_H
#define FRAY_SIM_TRIALS_H

#include "runtime/sim/tally.h"
#include "runtime/vm/vm.h"

enum { BRANCHES_MAX = 8, THREADS_MAX = 256 };

struct trials_plan {
	const struct program *program[BRANCHES_MAX]; /* silent, with the same measures */
	const word *start[BRANCHES_MAX];             /* a paused world to go on from; NULL: the beginning */
	int branches;
	uint64_t seed, trials;   /* trials: the most; numbers first .. trials - 1 are played */
	uint64_t first;
	double within;           /* 0, or: stop when every chance is known to +- this much */
	uint64_t work;           /* 0, or: instructions that all trials may take together, about; fewer are played then */
	int threads;             /* 0: 1 */
	int64_t max_rounds;
	uint64_t fuel;           /* instructions one trial may take; 0: the default */
	bool no_native;          /* by the loop alone, without native code */
	bool by_machine;         /* every trial whole, nothing kept of the ones before: to test that */
	bool (*interrupted)(void *context);
	/* Now and then, from the calling thread. May be NULL. */
	void (*progress)(void *context, uint64_t done, uint64_t of);
	/* Once at most: `within` takes about `needed` trials, more than are played; a width `least`
	 * takes about `least_needs`, which are. May be NULL. */
	void (*too_narrow)(void *context, double needed, double least, double least_needs);
	void *context;
};

struct trials_measure {
	struct tally value;      /* of a chance: 1 so, 0 not so */
	struct tally difference; /* this branch's less the first one's, trial by trial */
};

struct trials_branch {
	struct trials_measure *measure;
	uint64_t unsettled;      /* ended by the limit of rounds */
	uint64_t stopped;        /* could not be played to the end: a limit, a ruling, an error */
	uint64_t rulings;        /* of them: for want of a ruling */
	uint64_t referrals;      /* trials in which the referee was called */
	uint64_t first_stopped;  /* the least trial number among them */
};

struct trials {
	int branches, measures;
	uint64_t done;
	bool interrupted;
	struct trials_branch branch[BRANCHES_MAX];
};

/* Plays them. What it fills is freed by trials_free. */
void trials_run(const struct trials_plan *plan, struct trials *out);
void trials_free(struct trials *t);
/* Empty tallies for a plan; and, when all is added, in the order of their values. */
void trials_new(struct trials *t, const struct trials_plan *plan);
void trials_sort(struct trials *t, const struct trials_plan *plan);

#endif
