/* trace.h - the record of a run: an append-only log with parents and citations.
 *
 * The machine writes records while an observed program runs; stories, JSON and `why` only
 * read them. A record's number is its place in the log; the world block holds the log's
 * length, so undo cuts the log too (trace_cut). Records of a group's losing copies are
 * marked `dropped`, never removed: numbers stay. */
#ifndef FRAY_TRACE_TRACE_H
#define FRAY_TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/buf.h"
#include "runtime/code/program.h"

enum record_kind {
#define RECORD(name, fields, doc) REC_##name,
#include "runtime/trace/records.def"
#undef RECORD
	REC_KINDS
};

/* flag of an EVENT record */
enum event_outcome { EVENT_DONE, EVENT_REPLACED, EVENT_STOPPED, EVENT_VOIDED };
/* flag of OUTCOME */
enum outcome { OUTCOME_OVER, OUTCOME_ROUNDS, OUTCOME_STOPPED, OUTCOME_PLAYED };

/* Where a die came from. */
enum die_source { DIE_ROLLED, DIE_FORCED, DIE_TYPED };

struct record {
	uint8_t kind;      /* enum record_kind */
	uint8_t flag;      /* by kind, see records.def */
	bool dropped;      /* belongs to a copy whose effect was not kept */
	bool closed;       /* an event that has ended */
	int32_t parent;    /* record it happened in, or -1 */
	int32_t what;      /* event, question, label, choice, phase .. by kind */
	int32_t clause;    /* the clause that decided, or -1 */
	int32_t act;       /* the act being performed, or -1 */
	int32_t round;
	word time;         /* NONE: no clock */
	word value;        /* by kind */
	word owner;        /* index of the live thing it is about, or NONE */
	int32_t group;     /* group number within the run; members of one group share it */
	int32_t text;      /* offset into trace->texts, or -1: the telling or note */
	int32_t faces, face_count; /* into trace->faces; a face out of the total is negative */
	int32_t values;    /* into trace->values: argument words, or -1 */
	uint16_t value_count;
	struct span span;  /* the line of the script or rule that caused it, file 0 if none */
};

/* Where the parts of the log stood when a record was added; kept for cutting. */
struct trace_mark {
	int32_t faces, values;
	size_t texts;
};

struct trace {
	VEC(struct record) record;
	VEC(struct trace_mark) mark; /* one a record */
	VEC(int32_t) faces;
	VEC(word) values;
	struct buf texts;  /* NUL-terminated strings one after another */
	int32_t limit;     /* most records kept; past it the run stops with a limit */
};

void trace_init(struct trace *t, int32_t limit);
void trace_free(struct trace *t);
/* Adds a zeroed record with parent, values etc. set to -1/NONE; returns its number, or -1
 * when the limit is reached. The pointer trace_at gives lasts until the next add. */
int32_t trace_add(struct trace *t, enum record_kind kind, int32_t parent);
struct record *trace_at(struct trace *t, int32_t number);
const struct record *trace_get(const struct trace *t, int32_t number);
/* Keeps the first `length` records; texts and faces behind them go too. */
void trace_cut(struct trace *t, int32_t length);
/* Makes `to`, which is empty, hold what `from` holds. */
void trace_copy(struct trace *to, const struct trace *from);
/* A record's values and faces are added before the next record is; its text may come later. */
int32_t trace_text(struct trace *t, const char *text, size_t length); /* copies; offset */
const char *trace_text_at(const struct trace *t, int32_t offset);     /* borrowed; "" for -1 */
int32_t trace_values(struct trace *t, const word *values, int n);     /* copies; offset, -1 for none */
int32_t trace_faces(struct trace *t, const int32_t *faces, int n);    /* copies; offset, -1 for none */
/* A record's values and faces, borrowed until the next add; NULL when it has none. */
const word *trace_values_at(const struct trace *t, const struct record *r);
const int32_t *trace_faces_at(const struct trace *t, const struct record *r);

#endif
