/* graph.h - what can become of an encounter, as a program of its own, found while it is played.
 *
 * A place is a machine where groups of acts, events and rounds meet, with its numbers lifted
 * (vm/lift.h): places that differ in nothing but numbers are one. From a place leads a tree of
 * steps - dice, sums, tests - with a machine's notes on every branch that was taken so far,
 * and on each leaf the next place, or the measures of a fight that is over. A branch nobody
 * took yet is explored when somebody does: the machine is read back and plays it.
 *
 * Known branches are played without the machine, and yet each die is rolled, at the address
 * the machine would have rolled it at: a trial comes out the same either way. */
#ifndef FRAY_SIM_GRAPH_H
#define FRAY_SIM_GRAPH_H

#include "runtime/dice/draw.h"
#include "runtime/vm/lift.h"

enum code_kind { CODE_CALC, CODE_SURE, CODE_MOVE, CODE_WITHIN, CODE_ASIDE, CODE_FALL, CODE_ROLL, CODE_TEST, CODE_FIX, CODE_GO, CODE_END, CODE_DEAD };

/* One step. CALC: to = a op b, checked; SURE: the same, known to go well; WITHIN: a move of
 * what must lie near; ASIDE: what a move will write over, kept. TEST: on at yes or no; FIX: at the choice for a's value, the first of
 * which is yes; GO: to place yes; END: with ending yes. 0 leads nowhere yet. */
struct code { uint8_t kind, op; uint16_t to, a, b; int32_t yes, no; };
struct choice { word value; int32_t next, code; };

struct place {
	uint64_t hash;
	size_t at;           /* of its words, in the pool */
	int32_t n;
	int32_t columns;
	int32_t where;       /* first of them in graph->at */
	int32_t code;        /* 0: nothing known yet */
	uint64_t grown;      /* graph->explored when its tree last grew */
	bool round;          /* a round begins here */
};

struct ending { int32_t slot; /* first of the measures', in slots */ bool good, unsettled, referred, ruling; enum vm_status status; uint64_t fuel; };

struct brisk;

struct graph {
	const struct program *p;
	struct vm *m;
	struct live *live;
	struct lift *lift;
	struct dice *dice;
	const word *start;
	int64_t max_rounds;
	uint64_t fuel;
	size_t most;         /* bytes it may take */
	bool large; /* a round takes so much that fights will hardly come to the same places */
	bool full, broken;   /* nothing more is explored; nothing of it is to be used */
	bool settles;        /* a fight is over when its measures are settled (vm_settled) */
	bool idle; /* fights seldom come to the same places, or effort_most: it is not worth its while */
	uint64_t effort;      /* spent on exploring (enum effort) */
	uint64_t effort_most; /* 0: no bound */

	VEC(struct place) place;
	VEC(uint32_t) at;    /* by place and column: the word of the world it stands at; 0: elsewhere */
	int32_t *find;       /* hash -> number + 1 */
	uint32_t room;
	word *pool;
	size_t used, size;
	VEC(struct code) code;
	VEC(uint64_t) fuel_of; /* by GO's `no`: what the way there took */
	VEC(struct choice) choice;
	VEC(struct ending) ending;
	VEC(uint16_t) slots;

	word *value;         /* by slot: a walk's numbers */
	int constants;       /* of lift's, standing there */
	uint32_t *fell;      /* by label and owner: how often */
	uint32_t *fell_first, falls;
	word *here;          /* as the walk came to the place it is at */
	uint32_t *fell_here;
	struct draw_block *drawn; /* by label and owner, of drawn_seed */
	uint64_t drawn_seed;
	struct brisk *brisk; /* made now and then, when much is known */
	uint64_t trials, brisk_next, brisk_explored;
	uint64_t explored, lessons;
	struct { uint64_t trials, known, passed, explored; } lately; /* since it was last judged */
	uint64_t judged;     /* trials after which it is judged again */
	uint64_t dear;       /* so many words of worlds explored meanwhile, and it is judged before; 0: never */
};

struct graph *graph_new(const struct program *p, const word *start, int64_t max_rounds, uint64_t fuel, size_t most);
void graph_free(struct graph *g);
size_t graph_size(const struct graph *g);

/* Plays the trial: what it came to, with the measures' words in values[]. NULL: it has to be
 * played by a machine. */
const struct ending *graph_trial(struct graph *g, uint64_t seed, uint64_t trial, word *values);

/* What die number `die` of the graph's shows. */
int64_t graph_roll(const struct graph *g, int32_t die, uint64_t seed, uint64_t trial, uint32_t occurrence);
/* For walks of another kind. Explores on from a place whose columns are here[], with dice as
 * the host of m gives them; true when something was found out. False: see full, broken. */
bool graph_explore(struct graph *g, int32_t place, uint64_t seed, uint64_t trial);
/* The columns of place 0, into slots from 0 on. */
void graph_first(struct graph *g, word *value);
/* Nothing is known any more but what must not be forgotten. */
void graph_clear(struct graph *g);

/* ---- between graph.c and graph_grow.c ---- */
/* Are the rounds so long that the graph has to be looked after? */
bool graph_is_dear(const struct graph *g);
bool graph_meet_seldom(const struct graph *g);
int32_t graph_place_of(struct graph *g, const struct saved *s, int columns, bool round);
void graph_first_place(struct graph *g);

#endif
