/* native_shape.h - how trees of shape.c are written as processor code: what native_shape.c, which writes their
 * ways, and native_batch.c, which leads many acts through them in one call, have in common. */
#ifndef FRAY_VM_NATIVE_SHAPE_H
#define FRAY_VM_NATIVE_SHAPE_H

#include "runtime/vm/native_maker.h"
#include "runtime/vm/shape.h"

#ifdef FRAY_NATIVE

/* rax and rcx are where values are made. ANSWERS: where those of the one who is asked go. */
static const enum x64_reg ONE_ASKED = RSI, ANSWERS = RDX, HEAD = R8, ROW = R9, BLOCK = R10, NOTHING = R11;

enum held_where { ON_STACK, IN_ROW, IN_BLOCK, A_NUMBER };
struct held { enum held_where where; uint32_t at; }; /* on the stack: bytes; else words */

/* Code behind the code. A note's word is `base`; indexed: rax counts on from there. */
enum aside_kind { ASIDE_UNSET, ASIDE_NO, ASIDE_NOTE };
struct aside { enum aside_kind kind; uint32_t jump, back, base; bool indexed; };

/* Words of the world that are read: a bit each, for those that have one. */
enum { WORDS_MOST = 31 };

/* A test came out otherwise: the jumps that lead there, and what is known then. */
struct turn { uint32_t jump[2]; int jumps; const struct shape_node *node; uint64_t set; uint32_t words; int cached; bool unsaved; };

/* What comes to the same for everybody is worked out once for many. */
struct same { struct held left, right; word value; uint8_t op; bool set; uint32_t at; };

struct writer {
	struct x64 x;
	struct vm *m;
	bool many;                     /* in one call */
	const uint64_t *needs;         /* by node: the steps that are read there or behind it */
	struct held held[SHAPE_STEPS]; /* of the steps on the way to here */
	uint64_t set;                  /* those that are not unset */
	int cached;                    /* the step that rax holds; 0: none */
	bool unsaved;                  /* and nothing else */
	int32_t frame;                 /* bytes on the stack */
	VEC(struct aside) asides;
	VEC(struct turn) turns;
	VEC(uint32_t) fails;           /* jumps */
	/* of many */
	uint32_t begins;               /* the loop */
	VEC(uint32_t) ends;            /* jumps out of it */
	int timed, keys;               /* answers: is a time among them? And how many keys */
	int16_t *known;                /* by node: which of `same` it is; -1: none */
	VEC(struct same) same;
	uint32_t words;                /* read on the way to here .. */
	VEC(uint32_t) word_at;         /* .. which they are */
	VEC(uint32_t) runs, levels;   /* jumps: he comes before the last; perhaps, being level with him in all keys */
	VEC(uint32_t) differ[ORDER_KEYS]; /* by key: theirs differ */
};

/* ---- native_shape.c ---- */
/* The ways from this node on. */
void shape_write_ways(struct writer *k, const struct shape_node *n);
/* Reg = the value of a step, or of step 0 the number; of a node whose steps read behind it are `needed`. */
void shape_take(struct writer *k, enum x64_reg to, int step, word number, uint64_t needed);
/* rax = what two words make; is it something? */
bool shape_write_calc(struct writer *k, const struct shape_node *n);
/* rax is what the step is. */
void shape_keep(struct writer *k, int step, bool set);
/* A word of the world is read: it is noted, unless it is known that places rest on it. */
void shape_write_note(struct writer *k, uint32_t base, bool indexed);
void shape_write_asides(struct writer *k);
/* Around a call: everything is as before but rcx. */
void shape_push(struct writer *k);
void shape_pop(struct writer *k);

/* ---- native_batch.c ---- */
/* Who is asked has his answers. */
void batch_leaf(struct writer *k, const struct shape_node *n);
/* rdi = the machine, behind shape_push. */
void batch_machine(struct writer *k);
/* The loop through those that moved. */
void batch_write(struct writer *k, const struct shape_tree *t);

#endif
#endif
