/* dump.c - a tree as indented text, for tests: kind, names, numbers, then the children by the
 * letter of the member that holds them. */
#include "lang/front/ast.h"

static void dump(const struct node *n, const struct intern *names, int depth, char member, struct buf *out)
{
	static const char letters[] = "abcdef";
	for (; n; n = n->next) {
		const struct node_info *info = &node_table[n->kind];
		buf_fill(out, ' ', depth * 2);
		if (member)
			buf_printf(out, "%c:", member);
		buf_puts(out, info->kind);
		if (n->name)
			buf_printf(out, " (%s)", intern_text(names, n->name));
		if (n->name2)
			buf_printf(out, " (%s)", intern_text(names, n->name2));
		if (*info->op)
			buf_printf(out, " %s=%d", info->op, n->op);
		if (n->num || n->den != 1)
			buf_printf(out, " %lld", (long long)n->num);
		if (n->den != 1)
			buf_printf(out, "/%lld", (long long)n->den);
		if (n->text)
			buf_printf(out, " \"%s\"", n->text);
		if (n->damaged)
			buf_puts(out, " damaged");
		buf_putc(out, '\n');
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		for (int i = 0; i < 6; i++)
			if (kids[i])
				dump(kids[i], names, depth + 1, letters[i], out);
	}
}

void node_dump(const struct node *n, const struct intern *names, struct buf *out)
{
	dump(n, names, 0, 0, out);
}
