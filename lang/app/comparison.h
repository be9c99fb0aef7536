/* comparison.h - one fight under several rules, lined up event by event.
 *
 * A row is something that happened in some round: "Bruna attacks orc #1", the second time if it
 * happens twice. A cell is its place in the round under one system: the number of the group in
 * which it happened. What the rules do with everybody (the end of a round) and what somebody does
 * for want of anything declared (passing) are no rows: nobody declared them. */
#ifndef FRAY_APP_COMPARISON_H
#define FRAY_APP_COMPARISON_H

#include "lang/app/app.h"

struct cell {
	int id;              /* of the event in the log */
	int place;           /* 1 is the first of the round; 0: it does not happen */
	char *time;          /* "segment 4", or NULL */
	bool moved;          /* stands elsewhere among what the first system does too */
	bool refused;        /* declared here as well, and not allowed */
};

struct row {
	int round;
	int nth;             /* which of those that read alike in this round */
	char *what;          /* the event as told */
	char *actor;
	char *deed, *target; /* "attack", "orc #1"; target may be NULL */
	struct cell *cell;   /* one for each system */
};

struct comparison {
	int systems;
	struct row *row;
	int rows, room;
	int declared;        /* the last round for which the script has lines */
	int *end;            /* the round in which the fight was over under each system; 0: it went on */
	struct refusal { int system, round; char *actor, *deed, *target, *told; bool shown; } *refusal;
	int refusals, refusal_room;
};

void comparison_init(struct comparison *c, int systems);
void comparison_free(struct comparison *c);
/* Adds the run of one system from its JSON log (lines, zero-terminated). Systems come in the
 * order of their numbers. False when the log cannot be read. */
bool comparison_add(struct comparison *c, int system, const char *log);
/* After the last system: drops the rounds after `rounds` and marks what was refused or moved. */
void comparison_finish(struct comparison *c, int rounds);
/* Whether the systems disagree about a row. */
bool comparison_differs(const struct comparison *c, int row);
/* The first two rows of one round that stand in another order under system `b` than under `a`;
 * false when there are none. */
bool comparison_part(const struct comparison *c, int a, int b, int *first, int *second);
/* -1, 0, 1: before, together with, after the other row. */
int comparison_order(const struct comparison *c, int system, int one, int other);
/* The first row that happens under only one of the two, or -1. */
int comparison_only(const struct comparison *c, int a, int b);
/* Prints the table on standard output, below the names of the systems. */
struct host;
void comparison_print(const struct comparison *c, const char *const *name, struct host *out);

#endif
