/* lift.h - a machine that plays one fight and writes down what it did with numbers.
 *
 * A lifted number stands in the world, in a register or in a journal as a symbol: a word of a
 * range no number lies in. Moving it needs no care. Adding to it makes another symbol;
 * comparing it is noted as a test with the answer it had in this fight; any other use notes
 * its value (a fix) and goes on with that. So the notes of a run are a program: played with
 * other numbers it comes to the same place, as long as every test comes out the same. What a
 * symbol is made of is noted when a test, a fix or the next place needs it, and not before:
 * a die nobody looks at is counted and not rolled.
 *
 * A plain word can have any of the 64-bit patterns, those of symbols included: a number near
 * the least
 * one, the fraction -2147483647/3, a set of the things 0, 32 and 63. So that none is taken for a
 * symbol, words of bits are never looked at (lift_home.bits, row_bits, NO_PLACE), and whatever
 * makes
 * a plain word of such a pattern ends the attempt (lift_plain): the fight is played without
 * symbols. */
#ifndef FRAY_VM_LIFT_H
#define FRAY_VM_LIFT_H

#include "runtime/vm/fork.h"

enum { SYMBOLS_MAX = 1 << 18, SLOTS = 1 << 14 };
#define SYMBOL_FIRST (INT64_MIN + ((word)1 << 32))
/* A column nothing better is known of lies within this, either way. */
#define LIFT_FAR ((word)1 << 40)

static inline bool is_symbol(word w)
{
	return (uint64_t)w - (uint64_t)SYMBOL_FIRST < SYMBOLS_MAX;
}

/* One note. `to`, `a`, `b` are slots: columns first, then what is worked out, constants from
 * the top down. */
enum step_kind {
	STEP_CALC,   /* to = a op b; `checked`: may overflow */
	STEP_ASIDE,  /* to = a: a column that moves will write over and that is still wanted */
	STEP_MOVE,   /* to = a; `checked`: must lie within LIFT_FAR */
	STEP_FALL,   /* die number `at` falls: to = how often it fell before */
	STEP_ROLL,   /* to = what it showed, that occurrence being a */
	STEP_TEST,   /* a op b was `value` */
	STEP_FIX     /* a was `value` */
};
struct step { uint8_t kind, op; bool checked; uint16_t to, a, b; int32_t at; word value; };

/* A die as it is addressed. */
struct lift_die { uint64_t label; uint32_t counter; int32_t dice; word chance; };

struct symbol {
	uint8_t op;         /* what makes it of a and b; OP_NOP: a column or a die */
	bool frac, fixed;
	int32_t slot;       /* where it stands, -1: not worked out yet */
	int32_t die;        /* a die not rolled yet: which; -1 */
	uint16_t fell;      /* and where its occurrence stands */
	word a, b;          /* words, maybe symbols */
	word value;         /* in this fight */
	word low, high;     /* whole numbers: in any fight that comes here */
};

/* What stands at a word of the world that has been lifted once: what it has held. */
struct lift_home {
	word low, high;
	uint8_t lifted, widened;
	bool bits;
};

struct lift {
	const struct program *p;
	VEC(struct symbol) symbol;
	VEC(struct step) step;
	VEC(struct lift_die) die;
	word *constant;     /* constant[SLOTS - 1 - i] stands in slot i */
	int constants;
	int slots;          /* in use from below */
	int most;           /* ever */
	int decisions;      /* tests and fixes noted */
	VEC(uint32_t) at;   /* of the machine closed last: by column, the word of the world it stands at; 0: elsewhere */
	struct lift_home *home; /* one a word before the acts */
	bool *row_bits;         /* by word of an act: it holds bits, not a number */
	uint32_t top;       /* the end of the uppermost frame since it was opened */
	uint32_t made[3];   /* where the last instruction wrote plain words, still to be checked */
	int made_words[3];  /* and how many */
	bool failed;        /* too much for it */
};

/* Can machines of this program be lifted? Only with instructions this file knows. */
bool lift_can(const struct program *p);
struct lift *lift_new(const struct program *p);
void lift_free(struct lift *l);

/* The machine as it begins: it is checked for plain words that look like symbols. */
void lift_begin(struct vm *m, struct lift *l);
/* The machine's columns have these values; notes begin. `from` as written by lift_close. */
void lift_open(struct vm *m, struct lift *l, const struct saved *from, int columns, const word *value);
void lift_stop(struct vm *m); /* the machine is an ordinary one again */

/* Runs to the next place. */
enum vm_status lift_go(struct vm *m);
/* The machine as words in which symbols are numbered columns, then what is known of each column:
 * its least and most, or NONE for a fraction. The notes end with moves that fill the columns. */
void lift_close(struct vm *m, bool round_begins, struct saved *out, int *columns);
/* Where a word that came out stands. */
uint16_t lift_slot(struct vm *m, word w);

/* ---- for the rest of the machine; all words may be plain ---- */
struct insn;
enum lift_how { LIFT_PLAY, LIFT_DONE, LIFT_JUMP };
/* Before an instruction: LIFT_PLAY: its operands are plain now, or it may move symbols. */
enum lift_how lift_step(struct vm *m, const struct insn *i, uint32_t fp);
word lift_fix(struct vm *m, word w);
bool lift_test(struct vm *m, int op, word a, word b);         /* neither is NONE */
word lift_calc(struct vm *m, int op, word a, word b, bool *bad); /* NONE goes through */
word lift_die(struct vm *m, uint64_t label, uint32_t counter, int32_t dice, word chance, word fell);

/* ---- for those who play notes ---- */
bool lift_so(int op, word a, word b);
word lift_concrete(int op, word a, word b, bool *bad);

#endif
