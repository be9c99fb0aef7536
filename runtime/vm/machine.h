/* machine.h - the inside of the machine, shared by the files of this folder.
 *
 *   run.c      the dispatch loop           frame.c   calls, pure calls, the public face
 *   group.c    choosing and leading groups of simultaneous acts
 *   journal.c  writes, taking them back   merge.c   what members of a group wrote, put together (merge_plain.c: where nothing is to be judged)
 *   chance.c   dice, forced dice, choices
 *   memo.c     answers kept             pending.c the order of acts, kept
 *   partners.c what pair clauses answer, kept
 *   acts.c     which acts are in use      fill.c    cells filled at once
 *   native.c   code of the processor      apart.c   what it calls
 *   shape.c    answers come to as those of what is like it
 *   record.c   the log                    watch.c   events that odds ask about
 *
 * A frame: R[0].. at block word `fp`; the two words before it hold the caller's pc, and its
 * fp and function (packed), so the block alone can resume a paused run. */
#ifndef FRAY_VM_MACHINE_H
#define FRAY_VM_MACHINE_H

#include "runtime/dice/draws.h"
#include "runtime/vm/fork.h"
#include "runtime/vm/lift.h"
#include "runtime/vm/memo.h"
#include "runtime/vm/partners.h"
#include "runtime/vm/pending.h"
#include "runtime/vm/shape.h"
#include "runtime/world/block.h"

/* An effect of a copy, for the merge; or a word's old value, for rolling back. */
enum effect_op {
	EF_OLD,        /* roll back: word `at` held `value` */
	EF_ROW,        /* roll back: act `value` was free, its words as at the start */
	EF_SET,        /* word `at` = value */
	EF_ADD,        /* word `at` += value, kept within least..most (NONE: open) */
	EF_SET_ADD,    /* add thing `value` to the set at `at` */
	EF_SET_REMOVE,
	EF_LIST_ADD,   /* to the list at `at`, which has `most` words */
	EF_LIST_REMOVE,
	EF_ACT,        /* act `value` was made, of event `least`; EF_COPY: from act `most` */
	EF_PEND,       /* act `value` became pending */
	EF_CANCEL,
	EF_FREE,
	EF_TOLD,       /* record `record` names act `value` */
	EF_KEYED,      /* event `at`, which happens once, of (value, least) begins at record `most` .. */
	EF_KEYED_END   /* .. and ends at record `most` */
};

struct effect {
	uint8_t op;
	bool shared;    /* not rolled back at the end of a copy */
	bool frac;
	bool is_act;    /* the word holds an act's index */
	uint32_t at;
	int32_t what;   /* field or pair + 1000000, for words to the user; -1 */
	int32_t clause;
	int32_t record; /* of a change by an amount: where it is told, or -1 */
	word value, least, most;
};

enum { GROUPS_MAX = 40, TRIES_MAX = 8, NO_COPY = INT32_MAX };
enum {
	JOURNAL_MOST = 2000000, /* changes of one group of acts that may yet be taken back */
	EVENTS_DEEP = 64,       /* events within events */
	TURNS = 1024            /* of loops before the host is asked whether to stop */
};

enum { EVENT_KEEPS = 0x80 }; /* among an event's stages */

/* Where vm_loop performs an instruction. Exactly as wide as an instruction, also where a pointer is
 * narrower: the loop finds it from the instruction's own address. */
union code_place { const void *at; struct insn width; };
_Static_assert(
	sizeof(union code_place) == sizeof(struct insn), "places are as far apart as instructions");

struct member {
	int32_t act;
	int32_t record;       /* its EVENT record, or -1 */
	uint32_t happening;   /* word offset */
	bool stopped, is_void;
	bool replaced;        /* stopped before it began: another act stands for it */
	uint8_t stages;       /* at which its event does something, a bit each */
	int effects, effects_end; /* into group->effects */
};

struct group {
	int n, room;
	bool copies, solo, branches;
	uint8_t stages;       /* of all its members */
	bool apart;           /* its members cannot interfere at the stage they were judged for (+ 1) */
	int judged;
	int mark;             /* journal length when the copy began */
	int32_t record;       /* log length when the group began */
	uint32_t happening;   /* to come back to */
	uint32_t happenings;  /* words used before the group */
	word act, now;
	struct member *member;
	VEC(struct effect) effects;
};

/* What is put together of one word (merge_plain.c). */
struct merged {
	uint32_t at;
	bool set, added, shared, is_act; /* shared: several members have set it */
	int member;                      /* who set it last */
	int32_t what;
	word value, sum, least, most;
	word bare_low, bare_high;        /* the least change without `at least`, the most without `at most`; NONE: none */
};
/* An act that a member made, by its place on the copy. */
struct renamed { word from, to; };
/* A table of them: by slot, 0 or the number of a cell + 1; and acts of the member at hand. */
struct merging { uint16_t *slot; uint32_t room, mask; VEC(struct merged) cell; VEC(struct renamed) map; };

/* What the log has of the act in a place: the record it begins with, the one its copy's source begins with (0: it is no
 * copy), the one it ends with, and whether a copy of it was pended. -1: not known. */
struct act_told { int32_t begun, from, end; bool passed; };

/* Where the answer to a die went, and which other faces would have come to the same. */
enum { TAINTS_MAX = 8 };
struct taint { int n; uint32_t at[TAINTS_MAX]; word add[TAINTS_MAX]; word face, low, high; };

/* Dice that are one die and a number, by dice: their sides, and the number with 1 added. Of others as many sides as no piece of a draw
 * settles. */
struct lone { uint64_t *sides; word *least; };

struct vm {
	const struct program *p;
	struct vm_host host;
	word *w;              /* the block */
	struct dice *dice;    /* the program's formulas, parsed */
	uint8_t *stages;      /* by event: at which stages it does something, a bit each; EVENT_KEEPS: it keeps something. Four bytes may be read at once */
	struct lone lone;
	struct trace trace;
	VEC(struct effect) journal;
	struct merging merging;
	word conditions;      /* bits of H_DIRTY that stand for one */
	int journaling;       /* copies, branches and tries in progress */
	int32_t since;        /* length of the journal when the innermost of them, a copy, began; or NO_COPY */
	struct group group[GROUPS_MAX], *last; /* the last of them, that is at hand */
	bool lone_group;      /* there is one group, of one act that was pending */
	uint8_t unwritten;    /* the same of a group that is not written down yet (native_unwritten.c): 0, else 1 while its act is not begun, UNWRITTEN_AT + its stage, and UNWRITTEN_VOID besides */
	int32_t unwritten_act;
	int groups, tries;    /* beside each other: processor code looks at both at once */
	struct { int mark; int record; bool refused; word clause; word saved[8]; } try_[TRIES_MAX];
	struct { int32_t record; word under; } brought; /* a condition fires: its records hang on this one (+ 1; 0: none), those directly under that happening */
	uint64_t fuel;
	uint64_t pairs;       /* of acts that an order was asked about, which fuel does not count */
	enum vm_status status;
	word winner;          /* the side that has won a fight that is over, NONE */
	bool resolved;        /* a group was resolved since the last pause */
	bool through;         /* run to the end without pausing; the host never needs a stop */
	bool quiet;           /* inside a pure call that is not recorded */
	bool endless;         /* whatif.c: nobody reads what became of acts (ends.c) */
	bool curt;            /* whatif.c: what happens is recorded, but no question .. */
	word round_length;    /* 0: no unit says */
	word last_round;      /* .. and no round after this one begins; NONE: as many as there are */
	bool ignore_script;
	bool enumerate, answered; /* fork.c: dice wait; the one at hand has its answer */
	word answer;
	struct fork_die die;
	const struct live *live;
	struct lift *lift;    /* lift.c: numbers are symbols */
	struct taint taint;
	struct block_runs runs; /* what a new trial writes of the world */
	struct memo memo;     /* answers kept */
	struct pending pending;
	struct partners partners;
	struct shape shape;
	struct acts {
		uint64_t *unused, *fresh; /* by act: free; perhaps declared by somebody beside whom another stands */
		int32_t *declared;   /* by actor: the only act he may have declared but those that are fresh; the pattern behind the last: none */
		int32_t *made;       /* by act: where in the journal its EF_ROW may stand */
		int32_t actors;
		uint32_t words, full; /* words of unused; how many of its bytes, by words, have no bit */
		uint32_t most;       /* H_ACTS before it was put back, if that was more */
		bool some_fresh;     /* is there a bit in fresh? It may say so wrongly */
		struct listing {
			word list,
				serial; /* of the acts pended before this serial number those on the list, in the order in which they were pended, and
			                    * perhaps some who are pending no longer; list -1: not known */
			struct listed {
				word serial;
				int32_t act;
			} * v;
			int32_t from, n, room; /* before `from` all are gone */
			int32_t *at;           /* by act: where it may stand */
			int32_t *of;           /* by event: how many of them are of it */
		} listing;
		struct { word list, serial; int32_t act; } seen; /* of the acts pended before this serial number only this one (-1: none) is pending on the list; list -1: not known */
		bool known;
	} acts;               /* of the block's acts, kept for looking (acts.c) */
	const word *act_blank; /* an act's row as acts begin with it .. */
	uint64_t act_said;    /* words of what acts say that somebody writes, a bit each */
	uint32_t act_written; /* and its words up to the last that somebody writes */
	bool given;           /* the world came from elsewhere */
	bool played;          /* it was made by vm_begin, and nobody but the machine has written there since */
	union code_place *places;  /* of vm_loop: quick.h */
	struct native *native; /* native.h; NULL: none */
	enum native_when native_when;
	uint32_t begun;       /* trials, while there is no native code */
	int32_t turns;        /* of loops in native code before the host is asked whether to stop */
	int32_t *chosen;      /* acts of the group being chosen */
	size_t chosen_room;
	struct act_told *told; /* by act (ends.c) */
	size_t told_room;
	struct reach { uint32_t base, stride, count; bool fixed, plain, act, actor; word touches, unused; /* 32 bytes are found by a shift */ } *reach; /* by field: where its words are; plain: no block of the script waits for it; actor: whose an act is */
	enum forgetting forgetting;
	bool needed;
	uint8_t *forgettable; /* one a word of the block */
	word *shadow;
	int question;         /* record of the question being worked out, -1 */
	int question_kept;    /* something below it is worth keeping */
	int passed_over;      /* questions being worked out since one that is not worth keeping: none of them is told */
	int clause;           /* clause whose body runs, for the log */
	int order_clause;
	word handed[16];      /* `with { }` values for the next event */
	uint32_t handed_mask;
	struct dice_result *fell;
	struct draws draws;   /* for lone dice that nobody but the generator has a say in */
	uint64_t rolls;       /* draws.turn while native code may draw, or DRAWS_NEVER */
	int32_t label;        /* being rolled, for its name */
	word owner;
	struct buf name;
};

/* ---- frame.c ---- */
/* Stops the run with a message; returns false so that callers can return it. */
bool vm_stop(struct vm *m, enum vm_status status, struct diag *d); /* adds where the run stood */
bool vm_fail(struct vm *m, enum vm_status status, enum message id, int args, ...);
bool vm_fail_at(struct vm *m, enum vm_status status, enum message id, struct span place, int args, ...);
bool vm_pure(struct vm *m, int32_t fn, const word *arguments, int n, word *results, int results_n);
bool vm_pure_one(struct vm *m, int32_t fn, word argument, word *result);
bool vm_work_out(struct vm *m, int32_t fn, word argument, word *results, int results_n); /* though the answer may be kept */
/* Are answers kept? Not where each question has to be asked. */
static inline bool vm_remembers(const struct vm *m)
{
	return !m->enumerate && !m->lift && m->forgetting == FORGET_NOTHING;
}
/* From now on happenings are recorded, but no questions, and vm_step ends before a round after `last_round`
 * (NONE: goes on) begins; so answers can be kept from one world to the next. Or everything as ever. */
void vm_curt(struct vm *m, bool curt, word last_round);
void vm_forget_answers(struct vm *m); /* the world was changed behind the machine's back */
struct span vm_where(const struct vm *m);
const char *vm_clause_name(struct vm *m, word clause); /* "osric: casting" */

/* ---- run.c ---- */
enum vm_status vm_loop(struct vm *m, uint32_t stop_fp);

/* ---- journal.c: every change of the world goes through these ---- */
void world_set(struct vm *m, uint32_t at, word value, bool shared, int32_t what, bool is_act);
bool world_add(struct vm *m, uint32_t at, word by, word least, word most, bool frac, bool shared, int32_t what);
void world_set_add(struct vm *m, uint32_t at, word thing, int32_t what);
void world_set_remove(struct vm *m, uint32_t at, word thing, int32_t what);
bool world_list_add(struct vm *m, uint32_t at, uint32_t words, word thing, int32_t what);
void world_list_remove(struct vm *m, uint32_t at, uint32_t words, word thing, int32_t what);
void world_condition(struct vm *m, word bit, bool value);
word world_act(struct vm *m, int32_t event, word copy_of);
void world_pend(struct vm *m, word act);
void world_cancel(struct vm *m, word act);
void world_free(struct vm *m, word act);
/* A record names an act. What one of several that happen together made has its place only when
 * they are put together, and the record is told of it then. */
void act_told(struct vm *m, int32_t record, word act);
void world_raw(struct vm *m, uint32_t at, word value); /* bookkeeping: written through copies */
/* The machine's own words that questions read: never taken back. */
static inline void header_set(struct vm *m, uint32_t at, word value)
{
	if (m->w[at] != value) {
		m->w[at] = value;
		memo_wrote(&m->memo, at);
	}
}
void journal_back(struct vm *m, int mark, bool shared_too);
bool group_merge(struct vm *m, struct group *g); /* merge.c */
/* merge_plain.c: the effects of all, where nothing is to be judged, and *ok whether that went well; false: nothing was done. */
bool merge_plain(struct vm *m, const struct group *g, bool *ok);
void merging_close(struct merging *x);
/* A sum, *bad where it is too large; a number kept between two bounds (NONE: none). Whole, or
 * fractions. */
word world_sum(struct vm *m, bool frac, word a, word b, bool *bad);
word world_clamp(struct vm *m, word v, word least, word most, bool frac);
/* ---- acts.c ---- */
void acts_open(struct vm *m);              /* for the program it has now */
void acts_close(struct vm *m);
void acts_renew(struct vm *m);             /* all are free again, as they are when a trial begins, where it is known which are not */
uint64_t acts_used(
	const struct vm *m, uint32_t at);  /* those in use of a word of bits, where that is known */
void acts_look(struct vm *m);              /* which are in use, and who has declared them, is known from now on */
int64_t act_take(struct vm *m);            /* the first that is free, which is about to be declared; or act_count */
void acts_written(struct vm *m);           /* looks anew which of their words are: the program, or reach, is another */
bool act_word_written(const struct vm *m, uint32_t word_); /* may that word of an act's row ever be another than at the start? */
void act_wipe(struct vm *m, word act);     /* all its words as at the start, not to be taken back */
void act_noted(struct vm *m, word act);    /* words of its row were written, and something may rest on them */
void acts_release(struct vm *m, word actor); /* those the actor has declared and not pended are free */
static inline uint32_t act_at(const struct vm *m, word act)
{
	return m->p->layout.acts + (uint32_t)act * m->p->layout.act_stride;
}
/* Acts behind so many were never in use since the trial began. */
static inline uint32_t acts_ever(const struct vm *m)
{
	const uint32_t acts = (uint32_t)m->w[H_ACTS];
	return acts > m->acts.most ? acts : m->acts.most;
}
/* It may be declared now, or its actor another. */
static inline void act_fresh(struct vm *m, word act)
{
	if (m->acts.known) {
		m->acts.fresh[act / 64] |= 1ull << act % 64;
		m->acts.some_fresh = true;
	}
}
/* It is free. */
static inline void act_unused(struct acts *a, word act)
{
	const uint32_t at = (uint32_t)act / 64;
	a->unused[at] |= 1ull << act % 64;
	if (at * sizeof *a->unused < a->full)
		a->full = at * (uint32_t)sizeof *a->unused;
}
/* Its ACT_STATE was written; but not from one that is in use to another that is no declaration. */
static inline void act_turned(struct vm *m, word act)
{
	struct acts *a = &m->acts;
	const word state = m->w[act_at(m, act) + ACT_STATE];
	if (!a->known)
		return;
	if (state == ACT_FREE) {
		act_unused(a, act);
		return;
	}
	a->unused[act / 64] &= ~(1ull << act % 64);
	if (state == ACT_DECLARED)
		act_fresh(m, act);
}

/* An act began or ceased to be pending, on any list, or its place may be another. */
static inline void pending_touch(struct vm *m, int32_t act)
{
	if (m->pending.list >= 0)
		memo_moved(&m->memo, act);
}
/* An act is pending no longer. */
static inline void pending_gone(struct vm *m, int32_t act)
{
	if (m->pending.list >= 0)
		pending_take_out(&m->pending, act);
}

/* ---- group.c ---- */
bool group_choose(struct vm *m, word until, bool timed, word *size);
/* So many are being done, one within the other. */
static inline void groups_are(struct vm *m, int n)
{
	m->groups = n;
	m->lone_group = false;
	m->last = &m->group[n > 0 ? n - 1 : 0];
}
/* What is performed in processor code without having been written down is a group like any other from now on. */
void group_written(struct vm *m);
enum { UNWRITTEN_AT = 2, UNWRITTEN_VOID = 0x80 };
/* The first group has room for one member, of whom nothing is told. */
void group_ready(struct vm *m);
bool group_solo(struct vm *m, word act);
bool group_begin(struct vm *m, word member, bool copies, int stage);
void group_end(struct vm *m, word member, bool stopped);
void group_done(struct vm *m);
void group_void(struct vm *m, word act, int why, word clause);
bool branch_begin(struct vm *m, int branch, int of);
bool branch_join(struct vm *m);
bool event_enter(struct vm *m, int32_t event, const word *arguments);
void event_leave(struct vm *m, bool stopped);

/* ---- ends.c: every act that was declared or pended ends once in the log of an observed program ---- */
void ends_forget(struct vm *m);                           /* the log is another */
void ends_copied(struct vm *m, word act, word from);      /* the act was made; from: a copy of that one, or NONE */
void ends_begun(struct vm *m, int32_t record, word act);  /* by this DECLARE or PEND */
void ends_named(struct vm *m, int32_t record, word act);  /* the record names another place now */
void ends_with(struct vm *m, int32_t record, word act);   /* unless it has an end already */
void ends_cancelled(struct vm *m, word act);              /* pending until now: with the time it had */
void ends_asked(struct vm *m, word actor);                /* what he declared before is forgotten */
void ends_round(struct vm *m);                            /* what was declared in it and nothing came of is left over */
void ends_pended(struct vm *m, word act, enum left_why why); /* a pending act is taken off its list */
bool ends_untaken(struct vm *m, word act, word why,
	word line); /* a line's act: it was not taken, and its block is over; is it told? */
void ends_uncued(struct vm *m, word act);                /* a line's act: what it waited for did not come */
void ends_fight(struct vm *m);                            /* whatever is left */

/* ---- rounds.c ---- */
/* Time goes on to the next round; false: there is none. */
bool round_begins(struct vm *m);
/* ---- lists.c ---- */
/* The act pending on the list at hand that was pended next after that one (NONE: the first), before serial `limit` (NONE: any); or NONE. */
word act_listed(struct vm *m, word after, word limit);
/* The same; acts of whom no test of the filter is true may be passed over. r: the registers it goes
 * by. */
word act_sought(struct vm *m, const word *r, word after, word limit, int32_t filter);
/* Is it known that at most one act is pending on the list at hand? That, or -1. */
bool list_seen(struct vm *m, int32_t *act);
/* Somebody may be pending again who was not. */
static inline void lists_forget(struct vm *m)
{
	m->acts.seen.list = m->acts.listing.list = -1;
}
/* Now it is known. */
static inline void list_see(struct vm *m, int32_t act)
{
	m->acts.seen.list = m->w[H_LIST];
	m->acts.seen.serial = m->w[H_SERIAL];
	m->acts.seen.act = act;
}
bool list_open(struct vm *m, int order);
void list_close(struct vm *m); /* acts left on it are dropped */

/* ---- fill.c ---- */
/* A fill begins at i (quick.h): all but the last of its turns. Returns how many they were. */
uint64_t fill(struct vm *m, word *r, const struct insn *i);
/* The same of a loop that stores a number into a field of all (QUICK_STORE_ALL): of those behind the one it has come to, if
 * nothing more than their words is to be written. */
void store_all(struct vm *m, word *r, const struct insn *i, bool asked);

/* ---- chance.c ---- */
void chance_open(struct vm *m); /* for the program it has now */
bool chance_roll(struct vm *m, int32_t label, word owner, int32_t dice, word chance, word *out);
bool chance_waits(struct vm *m, int32_t label, word owner); /* enumerating: is the host to say what this die shows? */
word chance_choice(struct vm *m, int32_t choice, word who);
bool blocks_moment(struct vm *m, bool round_over, bool over);
/* There may be none but the encounter's own, which begins with the fight. True: one that lasts is
 * about to begin. */
static inline bool blocks_look(struct vm *m, bool round_over, bool over)
{
	return (m->p->blocks > 1 || over) && blocks_moment(m, round_over, over);
}
/* Its edits are made: what a block opened in mid-fight expects is looked at; -1: all of them. */
void blocks_begun(struct vm *m, int32_t block);

/* A die of one kind, for whoever rolls it: what is the same each time. Owners are numbered from `first` on, of all labels' owners: how often
 * someone rolled it is counted in 32 bits, number slots + first + who of those at layout.labels, and draws know him by first + who. */
struct sort_of_die { uint64_t sides /* 0: of several dice */; word least; uint32_t slots, first; word owners_n; };
/* How dice `dice` (-1: whichever) under a label fall, if nobody but the generator ever has a say in it here; false: chance_roll is asked. */
bool chance_sort(const struct vm *m, int32_t label, int32_t dice, struct sort_of_die *out);
/* draws_fill, for native code; false: it may not draw now. */
bool chance_fill(struct vm *m, uint32_t label, uint32_t owner, uint32_t occurrence);
/* What several dice come to, where it may. */
word chance_sum(struct vm *m, uint32_t label, uint32_t owner, uint32_t occurrence, int32_t dice);

/* ---- forget.c ---- */
#define FORGOTTEN (INT64_MIN + 7777)
word forget_read(struct vm *m, uint32_t at); /* a word that shows the mark, read */

/* ---- taint.c ---- */
void taint_begin(struct taint *t, uint32_t at, word face);
void taint_look(struct vm *m, const struct insn *i, uint32_t fp);
void taint_settle(struct vm *m);
void taint_alone(struct taint *t);

/* ---- watch.c ---- */
void watch_note(struct vm *m, int32_t k);

/* ---- record.c ---- */
int record_new(struct vm *m, enum record_kind kind);
void record_event(struct vm *m, int32_t record, int32_t event, const word *arguments);
/* A record about an act, with what it says and, behind that, what `last` points to; -1: there is no room. */
int32_t record_act(struct vm *m, enum record_kind kind, word act, int flag, int32_t clause, const word *last);
/* Stops the run with what a rule finds wrong; false. */
bool record_wrong(struct vm *m, int32_t template_, const word *values);
bool record_recast(struct vm *m, int32_t how, const word *values); /* a role of the event in progress is another from now on (OP_RECAST) */
bool record_sum(struct vm *m, int32_t template_, const word *values); /* OP_SUM */
bool record_mark(struct vm *m, const word *at, word value); /* what an event in progress keeps there becomes another value */
void record_text(struct vm *m, int32_t record, int32_t template_, const word *values);
void template_text(struct vm *m, int32_t template_, const word *values, struct buf *out);
/* In which event that was changed which makes condition k fire for these, at the end of a moment; -1 where several acts changed it, or none did. */
int32_t record_brought(struct vm *m, int k, word one, word other);
int32_t record_change(struct vm *m, int32_t what, uint32_t at, word old, word value); /* the record, -1: not told */

#endif
