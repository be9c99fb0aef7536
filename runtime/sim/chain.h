/* chain.h - a Markov chain: rows are states, edges are transitions.
 *
 * A row is a place with the numbers that matter there. Its transitions up to the next places are
 * computed once: edges to other rows, and outcomes (values of measures), each with its share of
 * the row's probability. From then on a round is one pass over arrays. */
#ifndef FRAY_SIM_CHAIN_H
#define FRAY_SIM_CHAIN_H

#include "runtime/sim/frontier.h"
#include "runtime/sim/relevance.h"

/* A key is compared only where its hash is the same. */
struct finder { uint32_t hash, number; };

/* The rows of one place. A key: first the sums that matter, then, as the first that came had
 * them, the columns those sums are made of. */
struct table {
	bool made;
	struct basis basis;         /* what mattered when the table was made */
	struct fate *fate;        /* by measure, likewise */
	uint64_t checked;         /* the turn of relevance.h in which it was last so */
	int width, kept;          /* words of a key: sums; columns behind them */
	VEC(struct form) part;    /* the sums */
	VEC(int32_t) column;      /* the columns that are kept */
	word *key;
	uint32_t *row;            /* by number in the table */
	struct finder *find;      /* by hash; of a row its number in the table + 1 */
	uint32_t n, cap, room;
	uint32_t known;           /* rows of which it is known what becomes of them in every round */
};

enum { FOR_EVER = INT32_MAX };

struct row {
	int32_t place;            /* -1: no more */
	uint32_t key;             /* number in the table */
	uint32_t edge, edges, note, notes;
	uint32_t moving;          /* of the notes, the first ones: values that move with the rounds */
	int32_t since, until;     /* the rounds in which they hold; until -1: not found out, FOR_EVER */
};

/* What is counted beside measures. */
enum { VALUE_UNSETTLED = -1, VALUE_STOPPED = -2, VALUE_REFERRED = -3, VALUE_OPEN = -4 };
/* A value of a measure: value + by * rounds. */
struct share_of { int measure; word value; int64_t by; struct mass mass; size_t mark; /* where the row at hand has its note + 1 */ };

struct chain {
	VEC(struct table) table;  /* by place */
	VEC(struct row) row;
	struct sum *mass;         /* by row: what waits there */
	uint64_t *residue;
	struct mass *passed;      /* by row: what went on from there, for the other notes: they are added up once */
	uint32_t *mark;           /* where the row at hand has its edge to it + 1 */
	VEC(uint32_t) marked;     /* those that are not 0 */
	uint32_t room;
	uint32_t *to;             /* edges */
	double *share;
	uint64_t *share_residue;
	size_t edges, edge_room;
	uint32_t *outcome_of;     /* notes */
	double *note_share;
	uint64_t *note_residue;
	size_t notes, note_room;
	VEC(struct share_of) outcome;
	uint32_t *find;           /* outcomes */
	uint32_t find_room;
	uint64_t bytes;           /* taken, about */
	uint64_t dropped;         /* rows that are no more */
	bool residues;            /* they are worked out, too */
};

void chain_clear(struct chain *c, int measures);
/* A key's hash, by which its row is found. */
uint32_t chain_hash(const struct chain *c, int32_t place, const word *key);
/* The row with this key; with `make` it is made when there is none. False: it is not there. */
bool chain_row(struct chain *c, int32_t place, const word *key, uint32_t hash, bool make, uint32_t *row);
bool chain_known(const struct chain *c, int32_t place, const word *key, uint32_t hash, uint32_t *row);
static inline word *chain_key(const struct chain *c, const struct row *r)
{
	const struct table *t = &c->table.v[r->place];
	return t->key + (size_t)r->key * (size_t)(t->width + t->kept);
}
/* To the row at hand, opened last: a way to another; a value. Those to the same are one. */
void chain_open(struct chain *c, uint32_t row);
void chain_edge(struct chain *c, uint32_t to, double share, uint64_t residue);
/* A way that no other of the row leads to, nor will. */
void chain_only_edge(struct chain *c, uint32_t to, double share, uint64_t residue);
void chain_note(struct chain *c, int measure, word value, int64_t by, double share, uint64_t residue);
/* The same, where the outcome is known: its number; -1. */
int chain_outcome_known(const struct chain *c, int measure, word value, int64_t by);
void chain_note_known(struct chain *c, int outcome, double share, uint64_t residue);
void chain_close(struct chain *c, uint32_t row, int64_t since, int64_t until);
static inline bool chain_holds(const struct chain *c, uint32_t row, int64_t round)
{
	return c->row.v[row].since <= round && round <= c->row.v[row].until;
}

/* Was it found out, be it for other rounds? */
static inline bool chain_seen(const struct chain *c, uint32_t row)
{
	return c->row.v[row].until >= 0;
}

void chain_add(struct chain *c, uint32_t row, double p, uint64_t residue);
struct waiting { uint32_t row; struct mass mass; };
/* What waited goes on along the rows' edges. */
void chain_push(struct chain *c, const struct waiting *v, int n);
/* The places they lead to are marked. */
void chain_reach(const struct chain *c, uint32_t row, bool *reached);
/* How many rows wait. */
uint64_t chain_held(const struct chain *c);
void chain_outcome(struct chain *c, int measure, word value, struct mass mass);
/* What passed through rows is added to outcomes: before these are read. */
void chain_count(struct chain *c);
/* Values that move with the rounds are put where they are in this one. */
void chain_settle(struct chain *c, int64_t round);
/* The place's rows are no more; where there were any chain_rewind has to follow. */
void chain_drop(struct chain *c, int32_t place, int measures);
/* No probability anywhere. What leads to rows that are no more is forgotten. */
void chain_rewind(struct chain *c);
/* Only rows that wait are left, and nothing that was found out about them. */
void chain_forget(struct chain *c);

#endif
