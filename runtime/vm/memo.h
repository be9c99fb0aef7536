/* memo.h - answers of questions, kept until something they rest on is written.
 *
 * A function that only reads (fn_info.pure) gives the same answer while the words it read are
 * what they were. While one is worked out, each word it reads, and each kept answer it takes,
 * is noted to lead to it; a word that is written voids every answer it leads to, and what
 * those lead to. Fields nobody writes are not noted, so an answer that rests on nothing else
 * is worked out once for all trials.
 *
 * Only machines that are not observed and do not enumerate keep answers (a record of a
 * question, a face that is followed, want the question asked). Nothing of this is in the
 * block: a machine without it plays the same fight. */
#ifndef FRAY_VM_MEMO_H
#define FRAY_VM_MEMO_H

#include "runtime/base/buf.h"
#include "runtime/code/program.h"

enum { MEMO_ARGUMENTS = 3, MEMO_DEEP = 64, MEMO_LINED_FIELDS = 8, MEMO_SETS = 8 };
/* Flag of a word's head: act sort keys read this word. Words of an act's own row do not have it:
 * the writer sees whether the act is pending. */
#define MEMO_PLACES (1u << 31)
/* Flag of a word's head: conditions and questions that read only words of their own thing
 * (fn_info.own) read this word. The set of readers is fixed: a write makes the conditions stale
 * and invalidates the answers. */
#define MEMO_OWNED (1u << 30)
/* .. that turns of quiet loops rest on it (quiet.h). It stays, as MEMO_OWNED does. */
#define MEMO_QUIET (1u << 29)
/* .. that it is a cell, on whose lines answers may rest (cells.c). It stays, too. */
#define MEMO_CELLS (1u << 28)
/* An entry's place that says that what an act was compared with rests on it: this less the act (partners.h). */
#define MEMO_PAIRED (-(1 << 30))
/* Where an answer would stand that is not kept. An answer like this one is not found there, and looked up. */
#define MEMO_UNKNOWN (-2000000011)

struct memo_entry {
	word argument[MEMO_ARGUMENTS];
	word answer;         /* the first word of it */
	uint32_t stamp;      /* changes whenever the answer goes */
	bool valid;
	bool constant;       /* rests on nothing that can change */
	bool own;            /* rests on words of the thing asked alone (memo_fn.own) */
	uint32_t leads;      /* answers that rest on this one: first of a chain of links, 0 none */
	int32_t places;      /* the place of this act in the order (+ 1) rests on it; -1: those of several; 0 */
	int32_t of;          /* index into fn */
	int32_t place;       /* of a condition's bit; an act's place in an order: -2 - act; MEMO_PAIRED - act; else -1 */
	uint32_t sifted;     /* of all (memo_all): something rests on those of a set (memo.sifted) */
	uint32_t unused;     /* 64 bytes are found by a shift */
};

/* One function's answers: `mask` + 1 entries, found by their arguments. */
struct memo_fn {
	int32_t fn;
	uint32_t first, mask, values; /* into entry, value */
	struct memo_entry *table; /* the first of its entries */
	word *at_once;       /* of a question of one word with one word for an answer: by argument, below memo.at_once; before them how many were found. Else NULL */
	uint32_t asked, found, lost; /* asked in vain, and not; answers that others pushed out */
	uint32_t made, notes; /* answers worked out lately, and the words and answers noted for them */
	uint64_t spent;       /* instructions at least, by the machine's fuel */
	uint8_t arguments, results;
	bool off;            /* keeping its answers costs more than working them out */
	bool sure;           /* .. far less: what is found is counted no more */
	bool own;            /* they rest on words of the thing asked alone, whoever writes there voids them: nothing is noted */
	int32_t place;       /* a condition: of its first bit; else -1 */
	int32_t bits;        /* of those it is asked of: into stale and so; -1 */
	int32_t second;      /* how many the second parameter has */
};

/* What rests on a word of its own: bits of a word of memo.stale; of an answer its entry, and that of all (memo_all); -1 of conditions. */
struct memo_owner { uint64_t bits; uint32_t at; int32_t entry, all; bool last; };
/* Words that stand side by side, of things that do: on each rests the same of its thing, so of many it is voided at once. What rests on
 * the first: a bit of memo.stale, and an answer's entry or -1; on the next words the next bits and entries. */
struct memo_column { uint32_t from, count; int first, askers; };
struct memo_asker { uint32_t bit; int32_t entry, all; };

/* What rests on the answers about all of a set; -1: of no function. */
struct memo_sifted { int32_t of; uint32_t leads; };

struct memo_link { uint32_t entry, stamp, next; };

/* An answer being worked out. `asked`: of whom, if of one alone; else -1. It rests on `lined`
 * fields' cells of his, a bit each; of others it has `read` so many cells (cells.c). 64 bytes, as
 * an entry. */
struct memo_frame {
	uint32_t fp, entry, stamp, notes;
	int32_t of, asked;
	uint32_t lined;
	bool changeable;
	uint8_t read[MEMO_LINED_FIELDS];
	uint64_t fuel, unused[2];
};

/* What is due again when a word is written: these bits of `n` words of `due`, `step` apart. */
struct memo_mark { uint64_t bits; uint32_t at, step, n; bool last; };
/* Turns of a quiet loop: a bit each of `due`, row by row of `words` words. */
struct memo_quiet { uint32_t first, words, rows, things; };

struct memo {
	bool on;
	int32_t *of;         /* by function: index into fn, -1 */
	int32_t *none;       /* the same for machines that keep nothing: -1 everywhere */
	VEC(struct memo_fn) fn;
	VEC(struct memo_entry) entry;
	VEC(word) value;
	VEC(struct memo_link) link;
	int8_t *says;        /* by entry, of functions that rest on own words (memo_fn.own): is the answer yes? 1, 0; -1: unknown */
	uint32_t says_end;   /* how many entries there were when the machine was opened */
	uint64_t *so;        /* by place, of functions that sets are sifted by, or that rest on own words: is the answer yes, if it is kept? */
	int set_words;
	word at_once;        /* arguments whose answers can be found at once */
	uint32_t free;       /* links no longer used */
	uint64_t *stale;     /* by place: may the condition differ from its bit? Behind those: is no answer kept? */
	uint32_t places, stale_words; /* of conditions; of all */
	uint64_t *self;      /* by place: of a condition that looks at own words only */
	uint32_t *owned;     /* by word: where what rests on it begins, in owners */
	VEC(struct memo_owner) owners;
	VEC(struct memo_column) column; /* all such words */
	VEC(struct memo_asker) asker;   /* of each column, the first of it on */
	VEC(uint32_t) led;   /* entries of such answers that others may rest on */
	int32_t *moved;      /* acts whose place in the order went, each once: there is room for all */
	int32_t moves;       /* how many */
	int32_t order_stale; /* is something written that the places of several acts may rest on? Beside how many moved: processor code looks at both at once */
	uint8_t *moving;     /* by act: is it among them? */
	uint8_t *row_noted;  /* by act: may a word of its row lead to an answer? */
	uint32_t rows, rows_end, stride; /* where the acts lie */
	uint32_t own, own_words; /* the row of the act that is being placed */
	uint32_t pair[2];    /* the rows of the acts that are being compared */
	int pairing;         /* how deep the frame of that lies; -1 */
	int32_t placed;      /* which it is */
	int placing;         /* how deep its frame lies; -1 */
	bool order_fine;     /* such things are written often: it is noted which places rest on which */
	uint32_t cleared;    /* how often all was forgotten */
	int32_t *unpairs;    /* acts that are to be compared anew with others (partners.h), each once: there is room for all */
	int32_t unpaired;    /* how many */
	uint8_t *unpairing;  /* by act: is it among them? */
	int32_t of_order;    /* index into fn: the places of acts */
	int32_t of_pairs;    /* the same: what acts were compared with */
	int32_t asked;       /* place of the condition that was last asked or remembered, -1 */
	uint32_t *head;      /* by word of the block: links to what rests on it; MEMO_PLACES above them */
	uint32_t words;
	VEC(uint32_t) watched; /* words that have or had links, or a mark of places, each once */
	uint8_t *listed;     /* by word: is it among them? */
	struct memo_sifted sifted[MEMO_SETS];
	word *sifted_of;     /* the sets, set_words each */
	uint32_t *line;      /* by field and thing: links to what rests on the cells of a thing */
	uint32_t lines, line_first[MEMO_LINED_FIELDS];
	uint32_t lined;      /* fields whose cells are marked, a bit each */
	bool cells_noted;    /* is a cell of a pair field among them? */
	struct memo_frame frame[MEMO_DEEP];
	int depth;
	struct memo_quiet *quiet; /* by quiet loop */
	uint32_t quiets;
	uint64_t *due;       /* which turns may do something */
	uint32_t due_words;
	uint32_t *marks_of;  /* by word with MEMO_QUIET: its first mark */
	VEC(struct memo_mark) mark;
	VEC(uint32_t) marked; /* words with MEMO_QUIET, in order */
	const struct program *p;
	const uint64_t *fuel; /* the machine's: how much an answer took */
};

/* `fuel`: of the machine whose answers these are. */
void memo_open(struct memo *x, const struct program *p, const uint64_t *fuel, bool on);
void memo_close(struct memo *x);
/* Nothing is known any more. */
void memo_clear(struct memo *x);
/* The world will be `to`; what rests on words that stay the same stays. */
void memo_renew(struct memo *x, const word *now, const word *to);

/* cells.c */
void cells_open(struct memo *x);
void cells_close(struct memo *x);
void cells_note(struct memo *x, int field, uint32_t at, word one,
	word other); /* of a pair field, a cell is read */
void cells_wrote(struct memo *x, uint32_t at);
void cells_renew(struct memo *x);
void cells_forget(struct memo *x);

/* sifted.c */
void sifted_open(struct memo *x);
void sifted_close(struct memo *x);
void sifted_void(struct memo *x, int32_t of, word who);
void sifted_renew(struct memo *x);
void sifted_forget(struct memo *x);

/* Is the answer known? Its words, or NULL: then work it out, in the frame at fp, between
 * memo_begin and memo_end. `of` is index into fn. */
static inline const word *memo_find(struct memo *x, int32_t of, const word *arguments);
void memo_begin(struct memo *x, int32_t of, const word *arguments, uint32_t fp);
void memo_end(struct memo *x, const word *results);
/* An answer that rests on own words (memo_fn.own) was worked out, for which memo_begin began nothing. */
void memo_owned(struct memo *x, int32_t of, word argument, word answer);
/* If one is being worked out, it rests on that of function `of` for this argument. */
void memo_rests_own(struct memo *x, int32_t of, word argument);

/* The same around the placing of acts, when what places rest on is marked and not noted act by act: before each of them memo_place. */
static inline void memo_place_begin(struct memo *x);
static inline void memo_place(struct memo *x, int32_t act, uint32_t row, uint32_t words);
static inline void memo_place_end(struct memo *x);

void memo_note(struct memo *x, uint32_t at);
void memo_rests(struct memo *x, uint32_t entry); /* the answer being worked out rests on that one */
void memo_doubt(struct memo *x, int32_t of);     /* is this function worth it? looked at now and then */
void memo_void(struct memo *x, uint32_t at);
void memo_lead(struct memo *x, uint32_t *head,
	const struct memo_frame *f); /* from there to the answer being worked out */
void memo_void_chain(struct memo *x, uint32_t at);
void memo_void_led(struct memo *x, uint32_t entry); /* what rests on this answer, of those that rest on own words */

/* The bit of a condition is what it should be, if that is remembered; or it was changed. */
void memo_settled(struct memo *x, uint32_t place);
void memo_stale(struct memo *x, uint32_t at, uint64_t bits);
/* The first place from..end-1 that is stale; -1. */
int64_t memo_next_stale(const struct memo *x, int64_t from, int64_t end);

/* Those of a set for whom function `of` is known to say yes; and those for whom nothing is known. */
void memo_sift(struct memo *x, int32_t of, const word *set, word *yes, word *unknown);

/* An act's place is worked out anew. */
static inline void memo_moved(struct memo *x, int32_t act)
{
	if (x->moving[act])
		return;
	x->moving[act] = 1;
	x->moved[x->moves++] = act;
}

/* It is compared anew with others. */
static inline void memo_unpair(struct memo *x, int32_t act)
{
	if (x->unpairing[act])
		return;
	x->unpairing[act] = 1;
	x->unpairs[x->unpaired++] = act;
}

/* Do the function's answers rest on own words alone? */
static inline bool memo_is_own(const struct memo *x, int32_t fn)
{
	return x->of[fn] >= 0 && x->fn.v[x->of[fn]].own;
}

/* A word is read: noted when an answer is being worked out. */
static inline void memo_read(struct memo *x, uint32_t at)
{
	if (!x->depth || (x->depth == x->placing && (at - x->own < x->own_words || x->head[at] & MEMO_PLACES)))
		return;
	if (x->depth == x->pairing && (at - x->pair[0] < x->stride || at - x->pair[1] < x->stride))
		return; /* who is written moves, and is compared anew */
	memo_note(x, at);
}

/* The same of a cell of a pair field. */
static inline void memo_read_cell(struct memo *x, int field, uint32_t at, word one, word other)
{
	if (!x->depth)
		return;
	const struct memo_frame *f = &x->frame[x->depth - 1];
	if (field >= MEMO_LINED_FIELDS || !(f->lined >> field & 1) ||
		(one != f->asked && other != f->asked))
		cells_note(x, field, at, one, other);
}

/* A word was written. */
static inline void memo_wrote(struct memo *x, uint32_t at)
{
	if (x->head[at])
		memo_void(x, at);
}

/* The row of an act that is being placed: what is read there is its own. */
static inline void memo_own(struct memo *x, uint32_t from, uint32_t words)
{
	x->own = from;
	x->own_words = words;
	x->placing = x->depth;
}

static inline void memo_place_begin(struct memo *x)
{
	struct memo_frame *f = &x->frame[x->depth++];
	f->fp = 0; /* no call's */
	f->asked = -1;
	f->of = x->of_order;
	x->placing = x->depth;
}

static inline void memo_place(struct memo *x, int32_t act, uint32_t row, uint32_t words)
{
	x->placed = act;
	x->own = row;
	x->own_words = words;
}

static inline void memo_place_end(struct memo *x)
{
	x->depth--;
	x->placing = -1;
}

static inline uint32_t memo_slot(const struct memo_fn *f, const word *arguments)
{
	uint64_t h = 0;
	for (int i = 0; i < f->arguments; i++)
		h = h * 61 + (uint64_t)arguments[i];
	return f->first + ((uint32_t)h & f->mask);
}

/* Behind the entries of a function whose answers rest on own words: what rests on the answers of many at once leads from there, and goes when
 * one of them does. */
static inline uint32_t memo_all(const struct memo_fn *f)
{
	return f->first + f->mask + 1;
}

static inline const word *memo_find_own(struct memo *x, const struct memo_fn *f, word argument)
{
	if ((uint64_t)argument >= (uint64_t)x->at_once || x->says[f->first + (uint32_t)argument] < 0)
		return NULL;
	if (x->depth)
		memo_rests(x, f->first + (uint32_t)argument);
	return &f->at_once[argument];
}

static inline const word *memo_find(struct memo *x, int32_t of, const word *arguments)
{
	struct memo_fn *f = &x->fn.v[of];
	if (f->own)
		return memo_find_own(x, f, arguments[0]);
	uint32_t at = memo_slot(f, arguments);
	const struct memo_entry *e = &x->entry.v[at];
	bool kept = e->valid;
	for (int i = 0; i < f->arguments && kept; i++)
		kept = e->argument[i] == arguments[i];
	if (!kept) {
		f->asked++;
		return NULL;
	}
	f->found++;
	if (x->depth && !e->constant)
		memo_rests(x, at);
	if (e->place >= 0)
		x->asked = e->place;
	return f->results == 1 ? &e->answer : &x->value.v[f->values + (at - f->first) * f->results];
}

/* memo_find for a function of one word that answers with one. */
static inline const word *memo_find_one(struct memo *x, int32_t of, word argument)
{
	struct memo_fn *f = &x->fn.v[of];
	if (f->own)
		return memo_find_own(x, f, argument);
	uint32_t k = (uint32_t)argument & f->mask;
	const struct memo_entry *e = &x->entry.v[f->first + k];
	if (!e->valid || e->argument[0] != argument) {
		f->asked++;
		return NULL;
	}
	f->found++;
	if (x->depth && !e->constant)
		memo_rests(x, f->first + k);
	if (e->place >= 0)
		x->asked = e->place;
	return &e->answer;
}

#endif
