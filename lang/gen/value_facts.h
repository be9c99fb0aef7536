/* value_facts.h - facts about the values of registers, in one forward pass over a function:
 * constants, copies, kept answers. */
#ifndef FRAY_GEN_VALUE_FACTS_H
#define FRAY_GEN_VALUE_FACTS_H

#include "lang/gen/insn_list.h"

/* Of each register: its value; or one it has if it is not unset; or that it is a copy of another,
 * says the contrary of another, says that another is unset, or that it is not; or that it is what
 * an instruction answers whose registers still hold what they held (ANSWER_OF). */
enum knowledge { UNKNOWN, CONSTANT, MAYBE, COPY, CONTRARY, UNSET, SET, ANSWER };
#define ANSWER_OF(op, b, c) ((word)(op) << 32 | (word)(c) << 16 | (word)(b))

struct facts {
	int n;
	bool anybody;                /* at a join point: a predecessor has been seen */
	uint64_t about
		[LIVE_WORDS]; /* of which something is known that rests on other registers, or on fields */
	uint64_t some[LIVE_WORDS];   /* is not unset */
	uint64_t yes[LIVE_WORDS];    /* neither unset nor 0 */
	uint64_t no[LIVE_WORDS];     /* unset or 0 */
	uint8_t how[REGISTERS];
	word value[REGISTERS];
	uint8_t first[REGISTERS];    /* of registers with a value: one that had it before, or itself */
};

void facts_clear(struct facts *k, int n);
void facts_copy(struct facts *k, const struct facts *from);
bool facts_value(const struct facts *k, int reg, word *out);

/* Adds what holds after an instruction; after a conditional jump that was taken, or was not. */
void facts_learn(const struct items *s, struct facts *k, const struct insn *i);
void facts_branch(struct facts *k, const struct insn *i, bool jumped);

/* Is a conditional jump taken? 1: yes, 0: no, -1: not known. */
int facts_jump(const struct facts *k, const struct insn *i);

/* Visits all items with the facts before each; `at_item` may change the item. */
void facts_walk(struct items *s,
	void (*at_item)(struct items *s, struct facts *k, int32_t at, void *context), void *context);

/* What is known of a set of whom all say yes to a question, and of a member of it. */
#define SIFTED(fn) ANSWER_OF(OP_SKNOWN, 0, fn)
#define MEMBER(fn) ANSWER_OF(OP_SKNOWN, 1, fn)

/* The fact that `reg` has about another register, or that it is an answer. */
void facts_set_about(struct facts *k, int reg, enum knowledge how, word value);
void facts_forget_one(struct facts *k, int reg);
void facts_forget(struct facts *k, int first, int n);

/* Drops the answers that an instruction may change. */
void facts_upset(const struct items *s, struct facts *k, const struct insn *i);

/* Is the answer the same if it is asked again, as long as what it reads stays? */
bool answers_same_again(enum op op);

/* The register of the combatant that a call asks about, if no write to a field of another changes
 * the answer; -1. */
int facts_asked_of(const struct items *s, const struct facts *k, const struct insn *i);

/* The value of an operation, of a field, of the size of a set, of any instruction, where its
 * operands are known (value_fold.c). */
bool fold_op(enum op op, word b, word c, word *out);
bool fold_stored(const struct items *s, const struct insn *i, word *out);
bool fold_set(const struct items *s, const struct facts *k, int reg, word *count);
bool fold_value(const struct items *s, const struct facts *k, const struct insn *i, word *v);

/* Loops that take one turn do not jump back, unless their number is read after them (value_walk.c).
 */
void loops_end_after_one_turn(struct items *s);

#endif
