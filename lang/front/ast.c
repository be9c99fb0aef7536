/* ast.c - making nodes and lists of them; the table of node kinds. */
#include "lang/front/ast.h"

const struct node_info node_table[N_KIND_COUNT] = {
#define NODE(kind, name, name2, op, num, text, a, b, c, d, e, f, doc) \
	[N_KIND_##kind] = { #kind, name, name2, op, num, text, { a, b, c, d, e, f }, doc },
#include "lang/front/ast.def"
#undef NODE
};

struct node *node_new(struct arena *a, enum node_kind kind, struct span span)
{
	struct node *n = arena_new(a, struct node);
	n->kind = (uint8_t)kind;
	n->span = n->at = span;
	n->den = 1;
	return n;
}

struct node *node_append(struct node *head, struct node *item)
{
	struct node *last = head;
	if (!head)
		return item;
	while (last->next)
		last = last->next;
	last->next = item;
	return head;
}

bool relation_holds(int op, int order)
{
	switch (op) {
	case BIN_EQ: return order == 0;
	case BIN_NE: return order != 0;
	case BIN_LT: return order < 0;
	case BIN_GT: return order > 0;
	case BIN_LE: return order <= 0;
	default: return order >= 0;
	}
}

int node_count(const struct node *list)
{
	int n = 0;
	for (; list; list = list->next)
		n++;
	return n;
}

bool node_any(const struct node *list, node_test *is, const void *about)
{
	for (const struct node *n = list; n; n = n->next) {
		const struct node *const kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		if (is(n, about))
			return true;
		for (size_t i = 0; i < FRAY_COUNT(kids); i++)
			if (kids[i] && node_any(kids[i], is, about))
				return true;
	}
	return false;
}
