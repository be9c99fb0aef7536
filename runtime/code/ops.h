/* ops.h - instructions: the enum and the table made from ops.def. */
#ifndef FRAY_CODE_OPS_H
#define FRAY_CODE_OPS_H

#include <stdbool.h>
#include <stdint.h>

enum op {
#define OP(name, shape, doc) OP_##name,
#include "runtime/code/ops.def"
#undef OP
	OP_COUNT
};

struct insn {
	uint16_t op;
	uint16_t a;
	union {
		struct { uint16_t b, c; };
		int32_t k;
	};
};
_Static_assert(sizeof(struct insn) == 8, "an instruction is 64 bits");

struct op_info {
	const char *name;
	const char *shape;
	const char *doc;
};
extern const struct op_info op_table[OP_COUNT];

/* May it go on elsewhere in its function, k instructions behind the next? */
static inline bool op_jumps(enum op op)
{
	return op_table[op].shape[1] == 'J';
}

/* Who made a choice; kept in the log. */
enum { ONCE_EVENT = 0x8000, FIRED = 0xfffe }; /* KEYED: an event, not a whenever clause; what that did is over */
enum decided { BY_SCRIPT, BY_POLICY, BY_PROMPT, BY_DEFAULT };

/* Why an act came to nothing. */
enum void_why { VOID_UNABLE, VOID_REFUSED, VOID_STOPPED, VOID_CANCELLED };

/* Why an act was left over: declared anew; the round, the fight or the script was over; its list
 * was closed; the run stopped; its cue never came; the round was over, and its actor could do
 * nothing by then, had another line; what was to come first was refused; its condition never held;
 * he was kept from it:
 * HINDERED and the number of the text that says how. */
enum left_why {
	LEFT_REPLACED,
	LEFT_ROUND,
	LEFT_FIGHT,
	LEFT_SCRIPT,
	LEFT_LIST,
	LEFT_STOPPED,
	LEFT_CUE,
	LEFT_UNABLE,
	LEFT_LINE,
	LEFT_FIRST,
	LEFT_CONDITION,
	LEFT_HINDERED /* the last one */
};

/* What is known of a line that nobody took: it names its actor; it has a condition. */
enum { UNTAKEN_NAMED = 1, UNTAKEN_TEXT = 2 /* and more: times the number of a text, and one */ };

/* What MEMBER asks for besides an act that goes on: how many there are; one that acted at
 * all, even if something took its place. */
enum op_member { MEMBER_COUNT = 9, MEMBER_ACTED = 10 };

/* How a rule made a role of an event what it is: by something else, a factor, an addend. */
enum recast { RECAST_SET, RECAST_TIMES, RECAST_ADDED, RECASTS };

/* Stages of an event, in the order they run; and where one stands when something else was done. */
enum { AT_COSTS, AT_BEFORE, AT_ON, AT_AFTER, AT_STAGES, AT_INSTEAD = AT_STAGES };

#endif
