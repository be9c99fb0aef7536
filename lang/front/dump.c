/* dump.c - trees as indented text, for tests.
 *
 *   RULE casting "3, note" @12-90
 *     b C_HOOK begin spell op=2
 *
 * Each line: the child's letter, the kind, its names, and what else is not zero. */
#include <string.h>

#include "lang/front/ast.h"
#include "runtime/base/must.h"

static void dump_text(const char *text, struct buf *out)
{
	buf_puts(out, " \"");
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			buf_putc(out, '\\');
		buf_putc(out, *text);
	}
	buf_putc(out, '"');
}

static void dump_one(const struct node *n, const struct intern *names, struct buf *out)
{
	const struct node_info *info = &node_table[n->kind];
	buf_puts(out, info->kind);
	if (n->name)
		buf_printf(out, " %s", intern_text(names, n->name));
	if (n->name2)
		buf_printf(out, " (%s)", intern_text(names, n->name2));
	if (n->text)
		dump_text(n->text, out);
	if (n->op || *info->op)
		buf_printf(out, " op=%d", n->op);
	if (n->num || n->den != 1 || n->kind == N_KIND_E_NUM)
		buf_printf(out, " %lld", (long long)n->num);
	if (n->den != 1)
		buf_printf(out, "/%lld", (long long)n->den);
	if (n->damaged)
		buf_puts(out, " damaged");
	buf_putc(out, '\n');
}

static void dump_list(const struct node *n, const struct intern *names, int depth, char letter, struct buf *out)
{
	for (; n; n = n->next) {
		const struct node *child[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		buf_fill(out, ' ', 2 * depth);
		if (letter)
			buf_printf(out, "%c ", letter);
		dump_one(n, names, out);
		for (size_t i = 0; i < FRAY_COUNT(child); i++)
			dump_list(child[i], names, depth + 1, (char)('a' + i), out);
	}
}

void node_dump(const struct node *n, const struct intern *names, struct buf *out)
{
	dump_list(n, names, 0, 0, out);
}
