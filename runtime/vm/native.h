/* native.h - silent programs as code of the processor, where it is one that is known (x86-64).
 *
 * A machine that has begun some trials turns its program into processor code, instruction by
 * instruction: numbers stand in the code, jumps lead where they lead, and what takes more than a
 * few steps is called (apart.c). What is seldom done is left to the loop of run.c: the code is left
 * at such an instruction and entered again behind it. So the code is the program once more, not
 * another meaning of it; a machine without it plays the same fight.
 *
 * Only machines that keep answers (vm_remembers) and are not observed go by it. Where memory that
 * may be executed is not to be had, everything stays with the loop. */
#ifndef FRAY_VM_NATIVE_H
#define FRAY_VM_NATIVE_H

#include "runtime/code/program.h"

struct vm;
struct native;

/* Why processor code was left, besides the instruction to go on with. */
enum native_left { LEFT_HERE, LEFT_FAILED, LEFT_OVER }; /* OVER: the function that was called from C has returned */

/* NULL: not to be had. Of this machine alone: it holds addresses of its tables. */
struct native *native_make(struct vm *m);
void native_free(struct native *n);

/* May instruction `at` be entered from the loop? */
bool native_begins(const struct native *n, int32_t at);
/* Runs from there, in the frame at r, until it is left: returns the instruction to go on with, *left why. */
int32_t native_run(struct native *n, struct vm *m, word *r, int32_t at, enum native_left *left);

/* ---- apart.c: instructions done by a call ---- */

/* Does it to the registers of the frame at r; false: the run goes on no longer. */
typedef bool native_apart(struct vm *m, word *r, const struct insn *i);
/* NULL: not by a call. */
native_apart *native_words_of(
	enum op op); /* apart_words.c: those of numbers, sets, lists and tables */
native_apart *native_apart_of(enum op op);
/* All but the last turn of a fill (quick.h); the fuel for it must be there. */
native_apart *native_fill(void);
native_apart *native_store_all(bool asked);
/* Acts of the main list that moved find their places (pending.h). */
native_apart *native_place(void);

/* A question is asked with its arguments at window[2]..: 1: its answer was known, and stands at window[0]..; 0: it is worked
 * out now; -1: there is no fuel for that. */
int native_known(struct vm *m, word *window, int32_t fn);
/* Its frame does not fit: the run stops; false. */
bool native_too_deep(struct vm *m, int32_t fn);
/* A function is over whose answer may be kept. */
void native_answered(struct vm *m, word *r);
/* The same of one whose answers rest on own words alone (memo.h): it was kept, and what is being worked out rests on it. */
void native_owned(struct vm *m, const word *r, int32_t fn);
/* CALLACT of an event that has such a function: where that begins, its frame being made; -1: its answer was
 * known; -2: the run stops. */
int64_t native_call_act(struct vm *m, word *r, const struct insn *i);
/* The word base + index of the block is read, or was written; returns the index. */
word native_read(struct vm *m, word index, uint32_t base);
void native_read_cell(struct vm *m, word one, word other, uint32_t field); /* of a pair field */
word native_wrote(struct vm *m, word index, uint32_t base);
/* An answer that rests on own words is another: what was worked out from it is voided. */
void native_led(struct vm *m, uint32_t entry);
void native_rests(struct vm *m, uint32_t entry);

#endif
