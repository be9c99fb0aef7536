/* insn_list.h - a function as a list of instructions, for the optimiser passes: a jump names the
 * item that it leads to. What instructions read and write is defined here, once for all passes. */
#ifndef FRAY_GEN_INSN_LIST_H
#define FRAY_GEN_INSN_LIST_H

#include "runtime/base/must.h"
#include "runtime/vm/live.h"

enum { REGISTERS = LIVE_WORDS * 64 };

/* Sets of registers, a bit each. */
static inline bool reg_in(const uint64_t *set, int reg)
{
	return set[reg / 64] >> reg % 64 & 1;
}

static inline void reg_put(uint64_t *set, int reg)
{
	set[reg / 64] |= 1ull << reg % 64;
}

static inline void reg_take(uint64_t *set, int reg)
{
	set[reg / 64] &= ~(1ull << reg % 64);
}

struct item {
	struct insn i;
	struct span span;
	int32_t to;
	bool reached, target;
	bool once;    /* a loop begins here that is known to have one turn */
	int32_t loop; /* the last item that jumps back here, or -1 */
	int32_t way;  /* its number among those jumped to */
};

/* What a function, or one it calls, has to do with events that are in progress already. */
struct hearing {
	uint64_t asks, sets;  /* names, a bit each, it asks them for; it writes */
	bool open;            /* it does what nobody here can judge */
	bool stages;          /* it keeps something in the innermost, sets its stage or leaves it */
	bool handed;          /* it may be called with values handed to the event that begins next */
};

struct items {
	struct program *p;
	struct fn_info *f;
	struct item *item;
	int32_t n, room;
	int registers;  /* with those that webs were given beyond the function's own */
	uint64_t *live; /* before each item; LIVE_WORDS each, one more set at the end */
	bool changed;
	uint8_t *same;  /* by field: it holds the same for all, and nothing else is ever written: held; of sets, nothing */
	word *held;
	uint8_t *thing_same; /* the same of fields of things, for those of the kind that has it */
	word *thing_held;
	struct hearing *hear; /* by function */
	uint8_t *harmless;    /* by function: it reads, and cannot fail */
	uint8_t *made;  /* by event: an instruction makes acts of it */
	/* facts that hold where a forward jump leaves for an item, by its number among the targets */
	struct facts *ways;
	size_t ways_room;
};

static inline bool is_conditional(enum op op)
{
	return op_jumps(op) && op != OP_JMP && op != OP_LOOP;
}

static inline bool goes_on(enum op op)
{
	return op != OP_RET && op != OP_JMP && op != OP_LOOP && op != OP_HALT && op != OP_FATAL;
}

/* Conditions as well, which are called when one of them may be. */
static inline bool item_calls(enum op op)
{
	return op == OP_CALL || op == OP_SETTLE;
}

static inline bool is_so(word v)
{
	return v != 0 && v != NONE;
}

void item_clear(struct items *s, int32_t at);

/* Registers an instruction may write: how many from *first on. */
int item_written(const struct items *s, const struct insn *i, int *first);

bool item_writes(const struct items *s, const struct insn *i, int reg);

/* Operands that are one register, read and nothing else: bits 0, 1, 2 for a, b, c. */
int item_sources(const struct items *s, const struct insn *i);

/* Needed for what it writes alone, and cannot fail. */
bool item_is_free(enum op op);

/* Nothing that a field holds is written, nor is anybody else let in who might. */
bool item_leaves_fields(const struct items *s, const struct insn *i);

/* Who is jumped to, and up to where a loop goes that begins there; how many are. */
int32_t items_mark_targets(struct items *s);

void items_find_live(struct items *s);
bool items_live_at(const struct items *s, int32_t at, int reg); /* when the registers that are read were found last */
void items_drop_unread(struct items *s);

/* Makes an item load a value; false when there is no such constant. */
bool item_load(struct items *s, int32_t at, int reg, word value);

/* Of all functions of a program; the caller frees it. */
struct hearing *hearing_of(const struct program *p);

/* The passes. */
void items_drop_unseen(struct items *s);  /* event_elision.c */
void items_propagate(struct items *s);    /* propagate.c */
void items_drop_unread_stores(struct items *s); /* dead_stores.c */
void items_begin_once(struct items *s);
void items_thread_jumps(struct items *s); /* jumps.c */
void items_split(struct items *s);        /* webs.c */
bool items_gather(struct items *s);

#endif
