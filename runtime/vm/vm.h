/* vm.h - the machine: runs a linked program on a world block.
 *
 * A machine owns its block, its log and its scratch memory; it borrows the program. It asks
 * for dice and choices through the host's callbacks and stops where the host can look:
 * after every resolved group (VM_PAUSED), at the end (VM_OVER), on a limit, a ruling, an
 * error of the script (VM_FAILED, with a diagnostic sent), or when the host interrupts. */
#ifndef FRAY_VM_VM_H
#define FRAY_VM_VM_H

#include "runtime/base/diag.h"
#include "runtime/code/program.h"
#include "runtime/dice/dice.h"
#include "runtime/trace/trace.h"

struct vm;

enum vm_status { VM_PAUSED, VM_OVER, VM_FAILED, VM_LIMIT, VM_RULING, VM_INTERRUPTED, VM_FORK, VM_SYNC /* fork.h */ };

struct vm_choice {         /* a question put to the host */
	int32_t choice;        /* index into program->choice, or -1: an action is wanted */
	word who;              /* combatant */
	const word *candidates; /* a set, or NULL */
};

struct vm_host {
	/* The die source at the top of the stack; NULL: seeded only. */
	struct dice_source *dice;
	/* Has the last word on what a die shows, also one that the script dictates; false leaves it
	 * as it is. May be NULL. */
	bool (*instead)(void *context, const struct dice_ask *ask, struct dice_result *out);
	/* Answers a choice: true and *answer, or false to leave it to the default. May be NULL. */
	bool (*choose)(void *context, const struct vm_choice *choice, word *answer);
	/* A block of the script (0: the encounter) is over: its expectations can be looked at. */
	void (*block_over)(void *context, int32_t block, bool reached);
	/* True: stop as soon as possible. Asked now and then. May be NULL. */
	bool (*interrupted)(void *context);
	void *context;
	struct diag_sink *sink; /* errors of the run; may be NULL in odds */
	uint64_t fuel;          /* instructions a run may take, or a step after vm_refuel; 0: the default */
	int32_t records;        /* most log records; 0: the default */
};

struct vm *vm_new(const struct program *p, const struct vm_host *host);
void vm_free(struct vm *m);

/* Is a silent program made into code of the processor (native.h): after some trials, when it is next run, not at
 * all; it was, or it could not be. */
enum native_when { NATIVE_SOON, NATIVE_NOW, NATIVE_NEVER, NATIVE_MADE };
/* Without being told, a machine makes it soon. The fight is the same. */
void vm_native(struct vm *m, enum native_when when);

/* The world before the first die. */
void vm_begin(struct vm *m, uint64_t seed, uint64_t trial, int64_t max_rounds);
/* A world that was paused, of the same program, goes on with the dice of another run. */
void vm_begin_at(struct vm *m, const word *block, uint64_t seed, uint64_t trial);
/* Runs to where everybody is in place and nobody has acted. Not needed before vm_step. */
enum vm_status vm_set_up(struct vm *m);
/* Runs to the next pause. */
enum vm_status vm_step(struct vm *m);
/* The next step may take as many instructions as a whole run. */
void vm_refuel(struct vm *m);
/* How many instructions the run took so far, about: loops, calls and groups are counted. Without native code it is
 * the same on every machine. */
uint64_t vm_spent(const struct vm *m);
/* Runs to the end. */
enum vm_status vm_run(struct vm *m);

/* The world; lent until the machine is freed. Copying a saved block (of the same program)
 * back is undo: the log is cut to match. Only between steps. */
word *vm_block(struct vm *m);
void vm_restore(struct vm *m, const word *block);
struct trace *vm_trace(struct vm *m);

/* Relinked program whose layout and function numbers extend the old one's: the machine goes
 * on in the middle of a fight. */
void vm_program(struct vm *m, const struct program *p);

/* A new machine takes over the fight of another, which has paused: its program is the other's and
 * what was typed since (world/extends.h). False, and nothing is done: that is not known. The other
 * keeps its fight. */
bool vm_extend(struct vm *m, struct vm *from);
/* After that: what was typed for the moment at which the fight has paused is done now. */
enum vm_status vm_moment(struct vm *m);

/* Calls a pure function between steps: arguments in, results out; false if it failed.
 * With `log`, questions asked on the way are recorded in it instead of nowhere. */
bool vm_call(struct vm *m, int32_t fn, const word *arguments, int n, word *results, int results_n, bool record);

/* While a source is asked for a die: whose it is. False when it is nobody's. */
bool vm_rolling(const struct vm *m, int *kind, word *owner);

/* How often a label was rolled for an owner (NONE: nobody's). */
uint32_t vm_rolled(const struct vm *m, int32_t label, word owner);

/* Forced dice of the script that were never rolled are errors; odds do not count them. */
void vm_ignore_script(struct vm *m, bool dice_and_choices);
/* The last failure's status; VM_PAUSED while there is none. */
enum vm_status vm_status(const struct vm *m);
const struct program *vm_program_of(const struct vm *m);

#endif
