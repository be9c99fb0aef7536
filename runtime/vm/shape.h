/* shape.h - answers worked out by the shape of the thing that is asked.
 *
 * Act after act is asked the same, and nearly always the answer is come to as it was for the act declared
 * beside it. So for each question put here - one thing goes in, the words of one or two functions come
 * out - there is a tree of what is done on the way, with all left out that is the same for everybody:
 *
 *   load, template   a word of the thing asked, or of the thing a word loaded before names
 *   word             a word of the world
 *   calc             an instruction on two of these
 *   unset, true, is  a test: unset? neither unset nor 0? this very word? Two ways go on
 *   leaf             the answers: which of these words they are, or the words themselves
 *
 * A way that nobody went is recorded while the machine works the answer out: it is known of each register
 * whether it holds something that was loaded or calculated, and which (shape_step). What is done with such a word
 * that the tree has no node for is a test of it. */
#ifndef FRAY_VM_SHAPE_H
#define FRAY_VM_SHAPE_H

#include "runtime/base/buf.h"
#include "runtime/base/must.h"
#include "runtime/code/program.h"

struct vm;
struct insn;

enum { SHAPE_ANSWERS = ORDER_KEYS + 1, SHAPE_STEPS = 64 };

enum shape_kind { SHAPE_NOBODY, SHAPE_OWN, SHAPE_LOAD, SHAPE_TEMPLATE, SHAPE_WORD, SHAPE_CALC, SHAPE_UNSET, SHAPE_TRUE, SHAPE_IS, SHAPE_LEAF };

struct shape_node {
	uint8_t kind, op;
	uint8_t step;         /* loaded, calculated or tested; a leaf's: how many answers */
	uint8_t left, right;  /* the steps it is made of; of what is loaded, the thing */
	bool noted;           /* who asks rests on the word */
	uint32_t base;        /* of words; a leaf's answers */
	struct shape_node *next, *other; /* never NULL: where nobody came this way, a node that says so */
	union {
		word value;   /* what step 0 is in a calc; what a test looks for */
		struct { uint32_t stride, count; };
	};
};

/* step 0: the value. */
struct shape_answer { uint32_t step; word value; };

/* A tree as processor code (native_shape.c): the answers about one; false: nobody came this way before. */
typedef bool shape_code(struct vm *m, word one, word *out, const word *w, const uint32_t *head);

/* Acts that find their places in an order one after the other (pending.h): those from `at` on, before `end`. */
struct shape_batch {
	const int32_t *at, *end; /* at: where it stopped, too */
	int32_t *order;          /* where the next in order is put */
	word *rows;              /* their places */
	const word *last;        /* the place of the last in order */
	word list;               /* whose order it is; others are passed over */
};
/* The tree for as many of them as it knows, each put behind the last; where one does not come after that, a run of those in order ends (pending_run). */
typedef void shape_batch_code(struct vm *m, struct shape_batch *b, const word *w, uint32_t *head);

struct shape_tree {
	struct shape_node *root;
	uint32_t asked, made; /* lately */
	uint32_t same, patience; /* ways gone since one was recorded; how many it takes to be made into code */
	bool off;             /* new ways are as many as old ones */
	shape_code *code;     /* of the tree as it was; NULL: none */
	shape_batch_code *batch; /* the same; of an order with fractions: none */
	uint8_t *memory;      /* where it stands */
	size_t size;
};

struct shape {
	struct shape_node *node; /* all of them; the first is nobody's */
	int nodes;
	VEC(struct shape_answer) answer;
	struct shape_tree *tree;
	int trees;
	/* what is being recorded */
	bool recording, lost;
	struct shape_node **link; /* where the way goes on */
	uint8_t *holds;      /* by word of the stack: the step, 0 nothing of the sort */
	struct shape_step { word value; struct shape_node node; uint8_t known; } step[SHAPE_STEPS];
	int steps;
};

/* A question of one thing: functions, and how many words of each are wanted; and where its tree stands. */
struct shape_question { int32_t tree, fn[2]; int words[2]; };
enum shape_found { SHAPE_FAILED, SHAPE_KNOWN, SHAPE_UNKNOWN };

void shape_close(struct shape *s);
/* No way is known any more. */
void shape_clear(struct vm *m);
/* The answers; failed: so did the run; unknown: ask as ever. What they rest on is noted, but not of the row of the thing asked. */
enum shape_found shape_ask(struct vm *m, const struct shape_question *q, word one, word *out);
/* As the machine would have answered? Builds with assertions ask it, too; nothing rests on that. */
bool shape_as_ever(struct vm *m, const struct shape_question *q, word one, const word *out);
/* Its tree, if there is code of it, which answers as long as it knows; else NULL: shape_ask knows more. */
static inline struct shape_tree *shape_tree_coded(const struct shape *s, const struct shape_question *q)
{
	struct shape_tree *t = s->tree ? &s->tree[q->tree] : NULL;
	return t && t->code && !t->off ? t : NULL;
}
static inline bool shape_by_code(struct shape_tree *t, struct vm *m, const struct shape_question *q, word one, word *out, const word *w, const uint32_t *head)
{
	if (!t->code(m, one, out, w, head))
		return false;
	t->asked++;
	must(shape_as_ever(m, q, one, out));
	(void)q;
	return true;
}
static inline bool shape_coded(struct shape *s, struct vm *m, const struct shape_question *q, word one, word *out, const word *w, const uint32_t *head)
{
	struct shape_tree *t = shape_tree_coded(s, q);
	return t && shape_by_code(t, m, q, one, out, w, head);
}
/* As run.c does it; false: it cannot be done. */
bool shape_calculate(enum op op, word x, word y, word *to);
/* The instruction is about to be done in the frame at fp. */
void shape_step(struct vm *m, const struct insn *i, uint32_t fp);


/* ---- native_shape.c ---- */
/* The tree as it is now, where the machine has processor code at all. */
void native_shape_make(struct vm *m, struct shape_tree *t);
void native_shape_free(struct shape_tree *t);

#endif
