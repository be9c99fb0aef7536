/* exact.h - an encounter enumerated: every way the dice can fall, with its probability.
 *
 * Worlds that are the same byte for byte are one world from then on, so a fight of many
 * rounds costs what its different worlds cost and not what its dice paths do. A budget of
 * worlds, and one of memory, bound the work; what does not fit is not played, the least likely
 * first, and its share of the whole is told. */
#ifndef FRAY_SIM_EXACT_H
#define FRAY_SIM_EXACT_H

#include "runtime/vm/vm.h"

/* What steps take, in nanoseconds of one machine. An effort is counted, never timed, so that the
 * same fights are
 * exact everywhere, with any number of threads. EXPLORE, INSTRUCTION and WORD: a way explored,
 * what the machine
 * does on it, what is kept of it; NEED: a step of working out what matters; NODE, ROW: of trees
 * of dice, of the
 * flow; FORK: a die branched on where there is no graph. */
enum effort {
	EFFORT_EXPLORE = 6000,
	EFFORT_INSTRUCTION = 22,
	EFFORT_WORD = 15,
	EFFORT_NEED = 115,
	EFFORT_NODE = 90,
	EFFORT_ROW = 600,
	EFFORT_FORK = 10000
};

struct exact_plan {
	const struct program *program;  /* silent, with measures */
	const word *start;              /* a paused world to go on from; NULL: the beginning */
	int64_t max_rounds;
	uint64_t states;                /* different worlds found, at most */
	uint64_t bytes;                 /* memory for them, about, at most; 0: 1 GiB */
	uint64_t effort; /* steps of all kinds, weighted (enum effort), at most; 0: no bound */
	int threads;                    /* the answer is the same, to the byte, whatever their number; 0: 1 */
	bool give_up;                   /* past either bound stop at once: the answer is not wanted then */
	bool keep_all;                  /* forget nothing that seems to matter no more: to test that */
	bool by_machine;                /* as where no graph can be had: to test that */
	uint64_t fuel;
	bool (*interrupted)(void *context);
	/* Now and then: how likely it is to have ended by now, and the worlds found. May be NULL. */
	void (*progress)(void *context, double counted, uint64_t worlds);
	void *context;
};

/* A value of a measure: its probability, to about 15 digits, and the same modulo 2^61 - 1,
 * by which a fraction guessed from the digits is proven. */
struct share { word value; double p; uint64_t residue; double rest; /* while summing */ };

struct exact {
	int measures;
	struct { struct share *share; int n, room; } *measure; /* shares in ascending order; unset first */
	double unexplored;      /* probability of what was not played to its end */
	double unsettled;       /* of reaching the limit of rounds; explored */
	double stopped;         /* of limits, rulings and errors; explored, counts for nobody */
	double referrals;       /* of calling the referee */
	uint64_t worlds;        /* different worlds met between groups of acts */
	bool proven;            /* residues hold: nothing at all was left out */
	bool complete;          /* nothing was left out but what no double can show */
	bool interrupted, gave_up;
	bool full_worlds, full_ways, full_memory; /* that budget was used up */
	uint64_t states,
		bytes; /* the budgets of worlds and of memory; ways are bounded by the former */
	enum vm_status stop;    /* what stopped a fight first, when `stopped` is not 0 */
};

void exact_run(const struct exact_plan *plan, struct exact *out);
void exact_free(struct exact *e);

/* The fraction top / bottom with this probability, when there is a short one: proven by the
 * residue. False when there is none, or when something was left out. */
bool exact_fraction(double p, uint64_t residue, int64_t *top, int64_t *bottom);
uint64_t residue_add(uint64_t a, uint64_t b);
uint64_t residue_mul(uint64_t a, uint64_t b);
uint64_t residue_of(int64_t top, int64_t bottom);

#endif
