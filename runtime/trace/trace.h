/* trace.h - the record of a run: an append-only log with parents and citations.
 *
 * The machine writes records while an observed program runs; stories, JSON and `why` only
 * read them. A record's number is its place in the log; the world block holds the log's
 * length, so undo cuts the log too (trace_cut). Records of a group's losing copies are
 * marked `dropped`, never removed: numbers stay.
 *
 * Logs grow long, so they lie in pages, and of those only as many as were looked at last lie
 * open (page.c). A record that is lent (trace_get, trace_at) and its values last until
 * TRACE_OPEN - 1 other pages have been looked at: who reads on and on copies what he keeps. */
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
	int32_t faces, face_count; /* into trace->faces; a face out of the total is negative. Of an EVENT: the clause that brought it about, and 0 */
	int32_t values;    /* number of the first among the log's values: argument words, or -1 */
	uint16_t value_count;
	struct span span;  /* the line of the script or rule that caused it, file 0 if none */
};

/* Where the parts of the log stood when a record was added; kept for cutting. */
struct trace_mark {
	int32_t faces, values;
	size_t texts;
};

/* Without NDEBUG pages are small and few, so that what is kept too long is soon found out. */
#ifdef NDEBUG
enum { TRACE_PAGE = 1024, TRACE_OPEN = 64, TRACE_FRESH = 4 };
#else
enum { TRACE_PAGE = 64, TRACE_OPEN = 8, TRACE_FRESH = 4 };
#endif

/* Bytes of texts after which nothing more is added: notes without end would take all the memory there is. */
enum { TRACE_TEXTS = 32 << 20 };

struct sheet {
	struct record record[TRACE_PAGE];
	struct trace_mark mark[TRACE_PAGE];
	word *value;
	int32_t values, room;
};

struct packed;
/* The kinds of record of which `what` is an event. */
#define OF_EVENTS \
	(1u << REC_EVENT | 1u << REC_DECLARE | 1u << REC_REFUSED | 1u << REC_VOID | \
		1u << REC_PEND | 1u << REC_CANCEL | 1u << REC_LEFT)
enum { EVENT_BITS = 256, ABOUT_BITS = 512 };
struct page {
	struct sheet *open;      /* NULL: only packed */
	struct packed *packed;   /* as it stands; NULL: it was written to */
	struct trace_mark first; /* that of its first record */
	int64_t last_text;       /* no record of it has a text behind this one; -1 */
	uint64_t looked, held;   /* when, by desk.time: it was laid open or looked at again; it was first lent since it was let go */
	bool let;                /* open, and nobody holds anything of it */
	bool fresh;              /* open since it was begun, and nothing of it was lent but to be written to */
	/* what of its records can be told without opening it, while it is packed */
	uint32_t kinds;          /* a bit for each kind there is */
	uint64_t
		events[EVENT_BITS / 64]; /* a bit for each event that a record of OF_EVENTS is of */
	uint64_t about[ABOUT_BITS / 64]; /* a bit for field and owner of a CHANGE */
};

struct trace {
	int32_t n;               /* records */
	struct trace_mark end;   /* where its parts end */
	VEC(struct page) page;
	struct desk { VEC(int32_t) page; int lets; uint64_t time; struct sheet *spare, *glance; int32_t glanced; } *desk; /* the pages that lie open */
	VEC(int32_t) faces;
	struct buf texts;        /* NUL-terminated strings one after another */
	int32_t limit;           /* most records kept; past it the run stops with a limit */
};

void trace_init(struct trace *t, int32_t limit);
void trace_free(struct trace *t);
/* Adds a zeroed record with parent, values etc. set to -1/NONE; returns its number, or -1
 * when the limit is reached. */
int32_t trace_add(struct trace *t, enum record_kind kind, int32_t parent);
/* Opens a page that is packed. */
void trace_open(const struct trace *t, int32_t page);
/* Opens a page that will be written to. */
void trace_write(struct trace *t, int32_t page);
/* Somebody looks at an open page that had been let go. */
void trace_hold(const struct trace *t, int32_t page);
/* What trace_at and trace_get lend lasts until the errand it was lent in is done. Errands nest; what
 * was lent before one began outlasts it. */
static inline uint64_t trace_errand(const struct trace *t)
{
	return t->desk ? t->desk->time : 0;
}
void trace_done(const struct trace *t, uint64_t errand);
/* A record to be written to. */
static inline struct record *trace_at(struct trace *t, int32_t number)
{
	must(number >= 0 && number < t->n);
	struct page *p = &t->page.v[number / TRACE_PAGE];
	if (!p->open || p->packed || p->let)
		trace_write(t, number / TRACE_PAGE);
	p->looked = t->desk->time;
	return &p->open->record[number % TRACE_PAGE];
}
static inline const struct record *trace_get(const struct trace *t, int32_t number)
{
	if (number < 0 || number >= t->n)
		return NULL;
	struct page *p = &t->page.v[number / TRACE_PAGE];
	if (!p->open)
		trace_open(t, number / TRACE_PAGE);
	else if (p->let)
		trace_hold(t, number / TRACE_PAGE);
	p->looked = t->desk->time;
	p->fresh = false;
	return &p->open->record[number % TRACE_PAGE];
}
/* Not kept beyond the next call. */
const struct record *trace_peek(const struct trace *t, int32_t number);
/* The same for who goes through many: it lasts until the next one is looked at so, and what others
 * were lent lasts as long as if nothing had been. */
const struct record *trace_look(const struct trace *t, int32_t number);
/* For those who look back: from `number` on, the last record that is of one of these kinds (a bit
 * each); the last of these kinds that is of that event (-1: of any); the last change of that field
 * of that owner that counts. -1: there is none. */
int32_t trace_back(const struct trace *t, int32_t number, uint32_t kinds);
int32_t trace_back_to_event(const struct trace *t, int32_t number, uint32_t kinds, int32_t event);
int32_t trace_back_to_change(const struct trace *t, int32_t number, int32_t field, word owner);
/* Keeps the first `length` records; texts and faces behind them go too. */
void trace_cut(struct trace *t, int32_t length);
/* Makes `to`, which is empty, hold what `from` holds. What is packed is shared. */
void trace_copy(struct trace *to, const struct trace *from);
/* Gives a record its text, a copy. */
void trace_tell(struct trace *t, int32_t number, const char *text, size_t length);
/* A record's values and faces are added before the next record is. */
const char *trace_text_at(const struct trace *t, int32_t offset);     /* borrowed; "" for -1 */
int32_t trace_values(struct trace *t, const word *values, int n);     /* copies; number of the first, -1 for none */
int32_t trace_faces(struct trace *t, const int32_t *faces, int n);    /* copies; offset, -1 for none */
/* A record's values and faces, borrowed; NULL when it has none. */
const word *trace_values_at(const struct trace *t, const struct record *r);
const int32_t *trace_faces_at(const struct trace *t, const struct record *r);
/* The same to be written to, of a record that trace_at has lent. */
word *trace_values_of(struct trace *t, const struct record *r);

/* ---- a piece of a log taken out, and put back ---- */

struct trace_tail {
	int32_t from, n;         /* the first record, and how many there were in all */
	struct trace_mark mark, end;
	VEC(struct page) page;   /* from the one that holds `from` on */
	VEC(int32_t) faces;
	struct buf texts;
};

/* Takes the records from `from` on out of the log. */
void trace_take(struct trace *t, int32_t from, struct trace_tail *tail);
/* Makes the log what it was, whatever was added since, up to record `to`; what it is taken from stays as it is. */
void trace_lend(struct trace *t, const struct trace_tail *tail, int32_t to);
/* All of it; the tail is empty then. */
void trace_give(struct trace *t, struct trace_tail *tail);

/* ---- page.c: for trace.c ---- */

/* So many of a page's records in few bytes, `number` being its first; to be let go with packed_free. */
struct packed *page_pack(struct page *p, int32_t number, int n);
/* Into an empty sheet. */
void page_unpack(const struct page *p, int32_t number, int n, struct sheet *into);
/* Room for so many more values. */
void sheet_room(struct sheet *s, int32_t more);
/* The bits of page.about and of page.events that such a record sets. */
uint32_t about_bit(int32_t field, word owner);
uint32_t event_bit(int32_t event);
struct packed *packed_share(struct packed *p);
void packed_free(struct packed *p);

#endif
