/* ast.h - the tree the grammar builds: one uniform node, its meaning in ast.def.
 *
 * Nodes live in an arena and are never freed one by one. Lists are siblings linked by
 * `next`. The members below `checked` belong to the checker and are zero until it runs. */
#ifndef FRAY_FRONT_AST_H
#define FRAY_FRONT_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/base/buf.h"
#include "runtime/base/intern.h"
#include "runtime/base/span.h"

enum node_kind {
#define NODE(kind, ...) N_KIND_##kind,
#include "lang/front/ast.def"
#undef NODE
	N_KIND_COUNT
};

/* Values of `op`, by the column's word in ast.def. */
enum op_every { EVERY_KIND, EVERY_PAIR, EVERY_DIRECTED };          /* every */
enum op_mod { MOD_EXCEPTION, MOD_REPLACES, MOD_IF, MOD_RULING };   /* mod */
enum op_bound { AT_LEAST_OP, AT_MOST_OP };                         /* bound */
enum op_key { KEY_PLAIN, KEY_HIGHEST, KEY_LOWEST };                /* key; plain means lowest */
enum op_pair { PAIR_PRECEDES, PAIR_YIELDS, PAIR_TOGETHER, PAIR_MEETS, PAIR_APART }; /* pair */
enum op_stage { STAGE_INSTEAD, STAGE_BEFORE, STAGE_ON, STAGE_AFTER };              /* stage */
enum op_resolve { RESOLVE_ALL, RESOLVE_NEXT, RESOLVE_UNTIL, RESOLVE_BY };          /* resolve */
enum op_agg { AGG_COUNT, AGG_ANY, AGG_NO };                        /* agg */
enum op_fold { FOLD_HIGHEST, FOLD_LOWEST, FOLD_TOTAL };            /* fold */
enum op_binary { BIN_ADD, BIN_SUB, BIN_MUL, BIN_DIV, BIN_EQ, BIN_NE, BIN_LT, BIN_GT, BIN_LE, BIN_GE }; /* binary */
enum op_method { METHOD_AUTO, METHOD_SAMPLED, METHOD_EXACT };      /* method */
enum why_asked { WHY_NOT = 1, WHY_IN_FULL = 2 }; /* X_WHY.num */
enum op_measure { MEASURE_PLAIN, MEASURE_AVERAGE, MEASURE_SPREAD };/* measure */
enum op_span { SPAN_FROM, SPAN_OVER };                             /* span */
/* N_EXPECT_SAY: something happens; an act ends so; a line of the story is told; several, in this
 * order. The checker tells them apart. */
enum op_said {
	SAID_HAPPENS,
	SAID_REFUSED,
	SAID_VOID,
	SAID_INTERRUPTED,
	SAID_REPLACED,
	SAID_LEFT_OVER,
	SAID_TOLD,
	SAID_ORDER
};
/* round: enum rounding of num.h */

struct type;

struct node {
	uint8_t kind; /* enum node_kind */
	uint8_t op;
	bool damaged; /* a syntax error fell inside: check further, never run */
	sym name, name2;
	struct span span; /* the whole construct */
	struct span at;   /* where its name stands; the span itself when it has none */
	int64_t num, den; /* den is 1 unless said otherwise */
	const char *text;
	struct node *a, *b, *c, *d, *e, *f;
	struct node *next;

	/* checked */
	struct type *type;
	bool frac;        /* the value is an exact fraction, not a whole number */
	bool refused;     /* a sentence that is sure to be refused (foreseen.c) */
	int32_t ref_kind; /* what the name turned out to be: enum ref of model.h */
	int32_t ref;      /* and which one */
	int32_t role;     /* of a sentence: the role its object fills, 0 for none; of a member: how many; of a block: its parts */
};

struct node_info {
	const char *kind;
	const char *name, *name2, *op, *num, *text;
	const char *child[6];
	const char *doc;
};
extern const struct node_info node_table[N_KIND_COUNT];

struct node *node_new(struct arena *a, enum node_kind kind, struct span span);
/* Appends `item` (and its siblings) to the list `head`; either may be NULL. Linear: the
 * grammar keeps tails itself for long lists. */
struct node *node_append(struct node *head, struct node *item);
int node_count(const struct node *list);
/* Whether a node of the list, or one anywhere below it, passes the test; `about` is handed on. */
typedef bool node_test(const struct node *n, const void *about);
bool node_any(const struct node *list, node_test *is, const void *about);
/* Whether a comparison (enum op_binary) holds of two values whose order is below, at or above 0. */
bool relation_holds(int op, int order);

/* The tree as indented text, for tests (dump.c). */
void node_dump(const struct node *n, const struct intern *names, struct buf *out);

#endif
