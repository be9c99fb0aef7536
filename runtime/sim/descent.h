/* descent.h - what becomes of one row: down the tree of its place, all ways its dice can fall.
 *
 * A die is not split into its faces before something asks for them: a test parts them into
 * those that pass and those that do not, and what nobody asks stays whole. What leads nowhere
 * yet is explored by a machine with the numbers at hand. */
#ifndef FRAY_SIM_DESCENT_H
#define FRAY_SIM_DESCENT_H

#include "runtime/sim/chain.h"
#include "runtime/sim/exact.h"
#include "runtime/sim/shares.h"

enum { OPEN_MOST = 64, KEY_MOST = 512, FALLS_MOST = 4096 };

/* A die that fell and is not decided: the faces it may yet show, and where it stands. */
struct open { uint16_t slot; const struct face *v; int n; double p; uint64_t residue; /* of all of them */ };
struct fallen { uint16_t slot; int32_t rolled; /* slot of its face, -1: nobody looked */ };

/* A way to a place: where its moves end; the slots that the sums and the kept columns of a key
 * there are taken from, in `from`; the measures decided there and not before. */
struct way { int32_t place, end, from; int32_t news, new_ones; bool within; };

/* What a row comes to, written down by a thread: edges to rows there are; edges to a place with a key that
 * has no row yet; notes of outcomes there are, and of others: measure, value and by stand among the keys;
 * who comes to a place as the first. `to`: the row, the place, the outcome. */
enum logged_kind { LOGGED_ROW, LOGGED_KEY, LOGGED_OUTCOME, LOGGED_VALUE, LOGGED_FIRST };
struct logged { double p; uint64_t residue; uint32_t to, hash; int32_t key; enum logged_kind kind; };
struct descent_log {
	VEC(struct logged) entry;
	VEC(word) key;
	uint32_t *mark;          /* by row of the chain: where the row at hand has its edge to it + 1 */
	uint32_t marks;
	uint32_t *noted;         /* by outcome, likewise */
	int notes;
};

struct descent {
	const struct exact_plan *plan;
	struct graph *g;
	struct clock *clock;
	struct needs *needs;
	struct chain chain;
	bool *proven;
	VEC(word) first;         /* numbers of somebody who came to the place: for columns that do not matter */
	VEC(int32_t) first_at;   /* where in first; -1 */
	VEC(struct way) way;
	VEC(int32_t) way_of;     /* code -> way + 1 */
	VEC(uint64_t) ready;     /* by place: explorations when all ways from it were looked up; 0: they were not */
	VEC(uint16_t) from;
	VEC(int) news;           /* measures */
	struct faces *die;       /* by number of the graph's dice */
	int dice;
	int64_t round;           /* begun so far */
	/* the row at hand */
	int32_t place;
	int columns;
	int64_t since, until;    /* the rounds in which what was found holds */
	word *value;
	int64_t *slope;          /* by slot: how much it grows with each round */
	int16_t *open_of;        /* slot -> open die + 1 */
	struct open open[OPEN_MOST];
	int opens;
	struct fallen *fallen;
	int falls;
	struct face *scratch;    /* faces that passed a test */
	size_t scratch_used, scratch_size;
	/* dice for a machine that explores */
	struct dice_source source;
	word *due;
	int dues, due_next;
	uint64_t leaves, trial, looked;
	enum vm_status stopped;  /* what stopped a fight first */
	struct descent_log *log; /* not NULL: edges and notes are written down here, and nothing is explored */
	bool lost;               /* then: it cannot be found out so */
	bool again;              /* what was found before is void: all once more */
	bool unknown;            /* the row at hand leads to a place of which it is not known what matters there */
	uint64_t found;          /* rows that were let go of */
	uint64_t row_leaves;     /* of the row at hand */
	uint64_t nodes;       /* of the trees of rows that were visited */
	uint64_t nodes_most;  /* the bound; of a worker: for the row at hand */
	uint64_t nodes_worn;     /* so many are more than worth it for the worlds there may be */
	bool spent;              /* the bound was reached, so nothing more is looked at */
	bool cut;                /* what is left of the row at hand is given up */
	bool worn;               /* more ways than worth it for so many worlds */
	bool full_worlds, full_memory; /* no more rows may be made */
	bool refused;            /* something was left open for that */
	bool stop;               /* the host wants no more */
};

struct descent *descent_new(const struct exact_plan *plan, struct graph *g, bool *proven);
void descent_free(struct descent *d);
/* Nothing is known any more but the graph. */
void descent_clear(struct descent *d);
/* The row everything begins with. */
uint32_t descent_first(struct descent *d);
/* Finds out what becomes of a row in the present round. False: it leads to a place of which it is not known
 * what matters there; nothing is known of the row then. */
bool descent_row(struct descent *d, uint32_t row);
/* Is a budget used up? */
bool descent_full(struct descent *d);
/* Different worlds found so far. */
static inline uint64_t descent_worlds(const struct descent *d)
{
	return d->found + (uint64_t)d->chain.row.n - d->chain.dropped;
}
/* Goes through the graph once, along what was taken least: to know more of it. */
struct scout { VEC(uint32_t) taken; uint64_t random; }; /* taken: by code and answer */
void descent_scout(struct descent *d, struct scout *s);
/* The same from a row on, and not far. */
void descent_scout_on(struct descent *d, struct scout *s, uint32_t row);
/* Does what was found rest on something that is no longer so, now that more is known? */
bool descent_outdated(struct descent *d);
/* Back to the beginning with no probability anywhere; of what was found, what still holds is kept. */
void descent_renew(struct descent *d);

/* ---- for workers.c ---- */
/* What a walker needs for itself. */
void descent_arrays(struct descent *d);
void descent_arrays_free(struct descent *d);
/* Looks up all ways that lead from a row's place. */
void descent_ready(struct descent *d, uint32_t row);
/* Writes down what becomes of a row. False: it cannot be found out so. */
bool descent_write(struct descent *d, uint32_t row);
/* Is there room for so many more worlds, ways to worlds and to ends, and bytes? */
bool descent_room(const struct descent *d, uint64_t worlds, uint64_t leaves, uint64_t bytes);

/* ---- row_keys.c ---- */
static inline int descent_measures(const struct descent *d)
{
	return d->g->p->measure_fn >= 0 ? d->g->p->measures : 0;
}
/* Makes room for places found since. */
void descent_places(struct descent *d);
/* The table of a place, made for what matters there as far as is known. */
struct table *descent_table(struct descent *d, int32_t place);
/* These are the numbers of somebody who came there. */
void descent_first_there(struct descent *d, int32_t place, const word *numbers);
/* The way from the first of the moves at pc to the place beyond. Looked up once. NULL: nobody may
 * look it up now, or it is not known what matters there. */
const struct way *descent_way(struct descent *d, int32_t pc);

/* ---- for explore.c ---- */
/* The numbers of a row stand where its tree begins. */
void descent_numbers(struct descent *d, uint32_t row);
/* Where it goes on after code `at`: a test that came out as `value`, a fix that found it; `at`
 * -1: from the place itself. 0: it cannot be found out. */
int32_t descent_follow(struct descent *d, int32_t at, word value);
/* A die is looked at for the first time. False: it is too wide to list. */
bool descent_open(struct descent *d, const struct code *c);

/* ---- descent_edge.c ---- */
enum { LEAVES_ALWAYS = 20000 }; /* as many leaves as a count may always have */

/* The moves before a GO and the place beyond; an OVER. */
void descent_go(struct descent *d, int32_t pc, double p, uint64_t residue);
void descent_over(struct descent *d, int32_t pc, double p, uint64_t residue);

/* ---- for descent_edge.c ---- */
void descent_note(
	struct descent *d, int measure, word value, int64_t by, double p, uint64_t residue);
/* Probability that is left open: at once; with the dice that are not decided. */
void descent_leave_open(struct descent *d, double p);
void descent_leave_all(struct descent *d, double p);
/* Multiplies by the faces of the dice that nobody asked for any more. */
void descent_undecided(const struct descent *d, double *p, uint64_t *residue);
/* Notices now and then that time is up. */
void descent_poll(struct descent *d);
/* What was found holds in this round only, and is asked again in the next. */
void descent_only_now(struct descent *d);
word descent_number(const struct descent *d, uint16_t slot);
/* Each face of a die on its own, from this step on. */
void descent_split(struct descent *d, uint16_t slot, int32_t pc, double p, uint64_t residue);

#endif
