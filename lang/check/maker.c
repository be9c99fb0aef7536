/* maker.c - syntax trees of clauses that the checker makes, as the grammar would. */
#include "lang/check/maker.h"

struct node *tree_node(const struct maker *k, enum node_kind kind)
{
	return node_new(k->m->arena, kind, k->at);
}

struct node *tree_named(const struct maker *k, enum node_kind kind, sym name)
{
	struct node *n = tree_node(k, kind);
	n->name = name;
	return n;
}

struct node *tree_word(const struct maker *k, enum node_kind kind, const char *text)
{
	return tree_named(k, kind, intern_word(k->m->front->names, text));
}

struct node *tree_number(const struct maker *k, int value)
{
	struct node *n = tree_node(k, N_KIND_E_NUM);
	n->num = value;
	n->den = 1;
	return n;
}

struct node *tree_two(
	const struct maker *k, enum node_kind kind, int op, struct node *a, struct node *b)
{
	struct node *n = tree_node(k, kind);
	n->op = (uint8_t)op;
	n->a = a;
	n->b = b;
	return n;
}

struct node *tree_block(const struct maker *k, struct node *statement)
{
	return tree_two(k, N_KIND_S_BLOCK, 0, statement, NULL);
}

struct node *tree_field(const struct maker *k, const char *who, sym field)
{
	struct node *n = tree_named(k, N_KIND_E_FIELD, field);
	n->a = tree_word(k, N_KIND_E_NAME, who);
	return n;
}

struct node *tree_call(
	const struct maker *k, const char *event, const char *who, struct node *number)
{
	struct node *path = tree_node(k, N_KIND_E_CALL);
	path->a = tree_word(k, N_KIND_E_NAME, event);
	path->b = tree_word(k, N_KIND_E_NAME, who);
	path->b->next = tree_named(k, N_KIND_E_NAME, k->name);
	path->b->next->next = number;
	return tree_two(k, N_KIND_S_CALL, 0, path, NULL);
}

