/* maker.h - syntax trees of clauses that the checker makes, as the grammar would. */
#ifndef FRAY_CHECK_MAKER_H
#define FRAY_CHECK_MAKER_H

#include "lang/check/model.h"

/* Nodes about one condition: where they stand, and what they are about. */
struct maker {
	struct model *m;
	struct span at;
	sym name, field;
};

struct node *tree_node(const struct maker *k, enum node_kind kind);
struct node *tree_named(const struct maker *k, enum node_kind kind, sym name);
struct node *tree_word(const struct maker *k, enum node_kind kind, const char *text);
struct node *tree_number(const struct maker *k, int value);
struct node *tree_two(
	const struct maker *k, enum node_kind kind, int op, struct node *a, struct node *b);
struct node *tree_block(const struct maker *k, struct node *statement);
struct node *tree_field(const struct maker *k, const char *who, sym field); /* who's field */
/* event (who, the condition, number); number NULL: it has no third role */
struct node *tree_call(
	const struct maker *k, const char *event, const char *who, struct node *number);
/* combatant is no longer in the condition; nobody tells it of the dead (lasting.c) */
struct node *tree_over(const struct maker *k);

#endif
