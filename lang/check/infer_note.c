/* infer_note.c - texts with {paths} in them: each path names what its clause has. */
#include <ctype.h>
#include <string.h>

#include "lang/check/infer.h"

/* "{victim's hit points}" -> a path of names and fields, resolved like any other. Holes hold
 * paths only: names joined by 's. */
struct node *note_hole(struct model *m, const char *text, size_t length, struct span span)
{
	struct node *path = NULL;
	size_t i = 0;
	while (i < length) {
		size_t from = i;
		while (i < length && !(text[i] == '\'' && i + 1 < length && text[i + 1] == 's'))
			i++;
		size_t to = i;
		while (from < to && isspace((unsigned char)text[from]))
			from++;
		while (to > from && isspace((unsigned char)text[to - 1]))
			to--;
		if (from == to)
			return NULL;
		struct node *n = node_new(m->arena, path ? N_KIND_E_FIELD : N_KIND_E_NAME, span);
		n->name = intern_put(m->front->names, text + from, to - from);
		n->at = span;
		n->a = path;
		path = n;
		i += 2;
	}
	return path;
}

void infer_note(struct scope *s, const struct node *n)
{
	struct model *m = s->m;
	if (!m->reporting || !n->text)
		return;
	for (const char *p = strchr(n->text, '{'); p; p = strchr(p + 1, '{')) {
		const size_t length = strcspn(p + 1, "}");
		struct node *path = p[1 + length] ? note_hole(m, p + 1, length, n->span) : NULL;
		const bool pure = s->pure;
		s->pure = true;
		if (path)
			infer(s, path, NULL);
		s->pure = pure;
	}
}
