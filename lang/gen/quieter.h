/* quieter.h - abstract interpretation of a loop's turns, between quiet.c and quiet_write.c. */
#ifndef FRAY_GEN_QUIETER_H
#define FRAY_GEN_QUIETER_H

#include "lang/gen/insn_list.h"
#include "lang/gen/quiet.h"

/* What a register holds in a turn. */
enum as {
	NEVER,   /* nobody comes here */
	OUTER,   /* what register `v` held at the head */
	WHO,     /* whose turn it is */
	ROW,     /* the first of the pair */
	NUMBER,  /* v */
	OWN,     /* something that rests on the words the turn rests on */
	EXCLUDED, /* is it somebody from elsewhere whose turn it is? */
	UNKNOWN
};
struct value { enum as as; word v; };

struct quieter {
	struct program *p;
	struct items items;      /* for what instructions write */
	const struct fn_info *f; /* whose loop it is */
	int32_t head, last;
	unsigned who;
	int row;                 /* the register of the first of a pair, or -1 */
	bool writes, reads;
	VEC(struct quiet_rest) rest;
};

/* A stretch of code gone through: what is held in front of each instruction. */
struct stretch {
	const struct fn_info *f;
	int32_t from, end;
	int registers;
	struct value *held;
	uint8_t *reached;
};

/* A loop that was gone through: where its turns leave what is quiet. */
struct found {
	uint8_t *leaves;  /* by instruction of the function: one comes here who is not quiet */
	uint8_t *aside;   /* a jump that is taken by whoever is excluded */
	uint64_t written[LIVE_WORDS];
	bool quiet;       /* there are quiet turns */
};

void stretch_open(struct stretch *s, const struct fn_info *f, int32_t from, int32_t end);
void stretch_close(struct stretch *s);
/* Finds which registers hold a number at each instruction of the function. */
void stretch_numbers(struct quieter *q, struct stretch *s);

word quiet_kind_of_loop(const struct quieter *q);
bool is_quiet_loop(
	struct quieter *q, const struct stretch *numbers, const struct live *live, struct found *to);

#endif
