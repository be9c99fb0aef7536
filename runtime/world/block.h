/* block.h - the world: one flat relocatable block of words.
 *
 *   word 0..31   header (enum below)
 *   lists        orders of the nested lists of pending acts
 *   counters     how often each label was rolled; places in the queues of forced dice
 *   conditions   which `whenever` conditions hold, one bit each
 *   encounter, round, sides, combatants, .. each field of a kind: its words of all there are
 *   pairs        one table a pair field
 *   acts         fixed stride: state, serial, event, argument words, declared fields; a free one
 *                is as at the start
 *   stack        frames of the running functions
 *   happenings   events in progress, innermost last, with what they keep
 *
 * What a fresh world needs to be told lies before the acts, so beginning anew copies that.
 *
 * Nothing in it is an address, so a copy is a snapshot, copying back is undo, equal worlds
 * are equal bytes, and one loop is the hash. Where each part lies: program->layout. */
#ifndef FRAY_WORLD_BLOCK_H
#define FRAY_WORLD_BLOCK_H

#include "runtime/code/program.h"

enum block_header {
	H_PROGRAM,     /* id of the program whose layout this is */
	H_SEED, H_TRIAL,
	H_PC, H_FP, H_FN, /* where the machine stands */
	H_STAGE,       /* enum world_stage: not begun, playing, over */
	H_NOW,         /* time of the group being resolved */
	H_PHASE,       /* phase in progress, -1 */
	H_ROUNDS_LEFT, /* rounds that may still begin */
	H_SERIAL,      /* next act's serial number */
	H_GROUP,       /* groups chosen so far */
	H_LIST,        /* depth of the current list of pending acts */
	H_HAPPENING,   /* top of the stack of events in progress: word offset, 0 none */
	H_HAPPENINGS,  /* words used */
	H_DEPTH,       /* events nested */
	H_DIRTY,       /* conditions to ask again, one bit each */
	H_TRACE,       /* records in the log */
	H_REFERRALS,   /* referee's calls so far */
	H_BLOCK,       /* script blocks opened and closed: bits */
	H_ACT,         /* the act being performed, or NONE */
	H_OUTCOME,
	H_ACTS,        /* acts up to the last one ever in use: those behind are free */
	H_WORDS = 32
};
enum world_stage { WORLD_FRESH, WORLD_PLAYING, WORLD_OVER };

/* Words of an act before its arguments. */
enum act_word { ACT_STATE, ACT_SERIAL, ACT_EVENT, ACT_LIST, ACT_ARGS };
enum act_state { ACT_FREE, ACT_DECLARED, ACT_PENDING, ACT_PERFORMING };

/* Words of a happening. */
enum happening_word { HAP_PARENT, HAP_EVENT, HAP_RECORD, HAP_STAGE, HAP_SLOTS };

/* A copy of the program's starting world the caller owns (free()). */
word *block_new(const struct program *p, uint64_t seed, uint64_t trial);
void block_reset(word *block, const struct program *p, uint64_t seed, uint64_t trial);
/* Words of a block that a run of the program may write, up to where the acts begin: runs of them, in order; none if it
 * is better written as a whole. The caller frees them. */
struct block_run { uint32_t from, end; };
struct block_runs { struct block_run *v; int n, cap; };
void block_find_runs(struct block_runs *x, const struct program *p);
/* The same for a block that was made so and then played by this program: only what may have changed is written. */
void block_renew(word *block, const struct program *p, const struct block_runs *runs, uint64_t seed, uint64_t trial);
void block_copy(word *to, const word *from, const struct program *p);
bool block_equal(const word *a, const word *b, const struct program *p);
/* Clears what lies above the registers that the frame in progress still needs: calls leave their last values
 * there. Worlds that are to be compared byte by byte want this first. */
void block_tidy(word *block, const struct program *p);
uint64_t block_hash(const word *block, const struct program *p);

/* One bounds-checked accessor for a field's first word; NULL if the thing does not exist. */
word *block_field(word *block, const struct program *p, int field, word thing);
word *block_pair(word *block, const struct program *p, int pair, word a, word b);
/* An act's record (enum act_word); NULL if there is no such act. */
word *block_act(word *block, const struct program *p, word act);
/* How many things of a kind the block has room for. */
int64_t block_count(const struct program *p, int kind);

#endif
