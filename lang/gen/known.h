/* known.h - what is known of a function's registers on the way through it. */
#ifndef FRAY_GEN_KNOWN_H
#define FRAY_GEN_KNOWN_H

#include "lang/gen/items.h"

/* Of each register: its value; or one it has if it is not unset; or that it is a copy of another, says
 * the contrary of another, says that another is unset, or that it is not; or that it is what an
 * instruction answers whose registers still hold what they held (ANSWER_OF). */
enum knowledge { UNKNOWN, CONSTANT, MAYBE, COPY, CONTRARY, UNSET, SET, ANSWER };
#define ANSWER_OF(op, b, c) ((word)(op) << 32 | (word)(c) << 16 | (word)(b))

struct known {
	int n;
	bool anybody;                /* where ways meet: somebody has come */
	uint64_t about[LIVE_WORDS];  /* of which something is known that rests on other registers, or on fields */
	uint64_t some[LIVE_WORDS];   /* is not unset */
	uint64_t yes[LIVE_WORDS];    /* neither unset nor 0 */
	uint64_t no[LIVE_WORDS];     /* unset or 0 */
	uint8_t how[REGISTERS];
	word value[REGISTERS];
	uint8_t first[REGISTERS];    /* of registers with a value: one that had it before, or itself */
};

void known_forget_all(struct known *k, int n);
void known_copy(struct known *k, const struct known *from);
bool known_value(const struct known *k, int reg, word *out);

/* What an instruction leaves behind; what one knows who has jumped, or has not. */
void known_learn(const struct items *s, struct known *k, const struct insn *i);
void known_branch(struct known *k, const struct insn *i, bool jumped);

/* Does a conditional jump lead on? 1: yes, 0: no, -1: it is not known. */
int known_jump(const struct known *k, const struct insn *i);

/* Goes over all items with what is known before each; `at_item` may change the item. */
void known_walk(struct items *s, void (*at_item)(struct items *s, struct known *k, int32_t at, void *context), void *context);

#endif
