/* dice.h - the one door to chance.
 *
 * Whoever wants a die asks the topmost source. A source answers, passes the question to the
 * source below it, or stops the run. Sources stack in any order:
 *
 *   asked.c     types what the real dice show; an empty line passes
 *   scripted.c  the queues of `dice:` lines; passes when a label has no queue
 *   seeded.c    below all others: always answers, the same for the same address
 *
 * The enumerating source of exact odds is a further one: it sits on top and answers every
 * question with the next outcome of the prefix it walks through.
 *
 * A roll's address is (seed, trial, label, occurrence): draws are addressed, not sequenced,
 * so one more roll elsewhere shifts nobody's dice. Sources hold no state of the run; what
 * must survive undo (occurrences, places in queues) lives in the world block. */
#ifndef FRAY_DICE_DICE_H
#define FRAY_DICE_DICE_H

#include "runtime/base/num.h"
#include "runtime/dice/formula.h"

enum { FACES_MAX = DICE_COUNT_MAX + DICE_EXTRA };

enum dice_answer {
	DICE_ANSWERED,
	DICE_PASS,       /* from a source only: ask the one below */
	DICE_STOP,       /* the asker was interrupted */
	DICE_IMPOSSIBLE  /* a forced value the dice cannot show; `wrong` and `given` say which */
};
enum dice_kind { DICE_ROLLED, DICE_FORCED, DICE_TYPED };
enum dice_wrong { WRONG_TOTAL, WRONG_FACE, WRONG_FACES };

struct dice_ask {
	uint64_t seed, trial;
	uint64_t label;             /* hash of the label's name and its owner's */
	uint32_t occurrence;        /* how often this label was rolled before */
	const struct dice *dice;    /* NULL: a chance, `num` in `den`, answered 1 or 0 */
	int64_t num, den;
	/* The label as words, "Bruna's attack roll"; made only when a source wants it. */
	const char *(*name)(void *context);
	void *context;
};

struct dice_result {
	int64_t total;              /* of a chance: 1 yes, 0 no */
	int faces;                  /* faces shown; 0 when only the total is known, or a chance */
	int16_t face[FACES_MAX];    /* in the order they fell; those that do not count are negative */
	enum dice_kind kind;
	enum dice_wrong wrong;      /* with DICE_IMPOSSIBLE: */
	int64_t given;              /* the total, the face, or how many faces */
};

struct dice_source {
	enum dice_answer (*roll)(struct dice_source *self, const struct dice_ask *ask, struct dice_result *out);
	struct dice_source *below;  /* borrowed */
};

/* Asks down the stack; the seeded dice answer when nobody else does, so `top` may be NULL.
 * Never DICE_PASS. */
enum dice_answer dice_roll(struct dice_source *top, const struct dice_ask *ask, struct dice_result *out);

/* ---- for sources ---- */
/* Picks what counts: marks dropped faces negative and sums the rest with the formula's +n. */
void dice_total(const struct dice *d, struct dice_result *r);
/* Answers with given faces, or with a total when there are none: DICE_ANSWERED or DICE_IMPOSSIBLE. */
enum dice_answer dice_give(const struct dice_ask *ask, const int32_t *face, int faces, int64_t total, struct dice_result *out);
/* After DICE_IMPOSSIBLE: what is wrong, to a sink, and as a sentence alone. */
void dice_report(const struct dice_ask *ask, const struct dice_result *r, struct diag_sink *sink, struct span span);
void dice_complaint(const struct dice_ask *ask, const struct dice_result *r, struct buf *out);

/* ---- seeded.c ---- */
enum dice_answer seeded_roll(const struct dice_ask *ask, struct dice_result *out);
/* The same of SUM_MOST plain dice at most. */
enum { SUM_MOST = 4 }; /* one block of draws */
int64_t seeded_sum(uint64_t seed, uint64_t trial, uint64_t label, uint32_t occurrence, int count, int sides, int add);
/* The same of more than one, the first time they are rolled, whose draws are at hand. */
int64_t seeded_sum_of(const uint64_t *draw, size_t apart, uint64_t seed, uint64_t trial, uint64_t label, int count, int sides, int add);
/* Only the total that seeded_roll comes to. */
int64_t seeded_total(const struct dice_ask *ask);
/* The face of one die of a roll of several, exactly uniform in 1..sides; and that of a plain one rolled by itself. */
int seeded_face(uint64_t seed, uint64_t trial, uint64_t label, uint32_t occurrence, uint32_t die, int sides);
int seeded_lone(uint64_t seed, uint64_t trial, uint64_t label, uint32_t occurrence, int sides);

/* ---- scripted.c ---- */
struct scripted_value {
	const int32_t *face;        /* borrowed */
	int32_t faces;              /* 0: `total` is given */
	int64_t total;              /* of a chance: 1 yes, 0 no */
};
struct scripted_queue {
	uint64_t label;
	const struct scripted_value *value; /* borrowed */
	int32_t values;
};
/* Answers from the first queue of the label that is open and not used up. A queue's place is
 * a word of the caller's (of the world, so that undo takes it back): the next value's number;
 * negative: not open yet; at least `values`: used up. */
struct scripted {
	struct dice_source source;
	const struct scripted_queue *queue; /* borrowed */
	int32_t queues;
	word *place;                /* borrowed; one a queue */
};
void scripted_init(struct scripted *s, const struct scripted_queue *queue, int32_t queues, word *place, struct dice_source *below);

/* ---- asked.c ---- */
enum asked_word { ASKED_NO_WORD, ASKED_AGAIN, ASKED_STOP };
struct asked {
	struct dice_source source;
	/* A line typed for `prompt`; `problem` is NULL or why the last one will not do. The line
	 * is borrowed until the next call. NULL stops the run. */
	const char *(*line)(void *context, const char *prompt, const char *problem);
	/* A word typed instead of what the die shows: none of the host's; it was answered, ask
	 * again; the run is to stop. NULL: there are no such words. */
	enum asked_word (*word)(void *context, const struct dice_ask *ask, const char *text, size_t length);
	void *context;
	bool (*wants)(void *context, const struct dice_ask *ask); /* NULL: every die is asked for */
	struct buf ahead;           /* what was typed for the next questions already */
};
void asked_init(struct asked *a, struct dice_source *below);
void asked_forget(struct asked *a); /* drops what was typed ahead: after undo, or an error */
void asked_free(struct asked *a);

#endif
