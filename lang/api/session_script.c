/* session_script.c - a fight at the prompt as a script that plays to where it is. */
#include <string.h>

#include "lang/api/session.h"

static void add_span(const struct fray *f, struct span at, struct buf *out)
{
	size_t n;
	const char *text = sources_text(&f->sources, at, &n);
	buf_add(out, text, n);
}

/* What stood in braces, without the blanks and line ends around it. */
static void add_inside(struct buf *out, const char *text, size_t length)
{
	while (length && strchr(" \t\n", *text)) {
		text++;
		length--;
	}
	while (length && strchr(" \t\n", text[length - 1]))
		length--;
	buf_add(out, text, length);
}

/* What was typed in this entry, in words that may stand in an encounter. */
static void add_scene_text(const struct fray *f, const struct node *n, struct buf *out)
{
	size_t length;
	const char *text = sources_text(&f->sources, n->span, &length);
	bool beat = n->kind == N_KIND_MOMENT && n->name == f->model.w.beat;
	bool block =
		beat && length && text[length - 1] == '}' && n->a && n->a->span.start > n->span.start;
	if (!beat) {
		buf_puts(out, "  ");
		buf_add(out, text, length);
	} else {
		buf_printf(out, "  beat %lld {\n    ", (long long)n->num);
		/* "round 1 { .. }" typed when it had begun: what stood in the braces */
		const char *brace = block ? memchr(text, '{', length) : NULL;
		if (!strncmp(text, "force ", 6))
			buf_printf(out, "dice: %.*s", (int)(length - 6), text + 6);
		else if (brace)
			add_inside(out, brace + 1, length - (size_t)(brace + 1 - text) - 1);
		else
			buf_add(out, text, length);
		buf_puts(out, "\n  }");
	}
	buf_putc(out, '\n');
}

static void add_script(struct fray *f, const struct unit *u, struct buf *out)
{
	const struct timeline *t = session_timeline(f);
	const struct source *file = &f->sources.file.v[u->file];
	struct span at = f->session.scene->span;
	/* a #! line is one at a text's very start alone: here it becomes a comment */
	size_t start = file->length > 1 && !strncmp(file->text, "#!", 2) ? 2 : 0;
	buf_puts(out, start ? "--" : "");
	if (at.file != u->file) {
		buf_add(out, file->text + start, file->length - start);
		return;
	}
	/* up to the encounter's closing brace, what was typed, and the rest */
	size_t end = at.end;
	while (end > at.start && file->text[end - 1] != '}')
		end--;
	size_t brace = end ? end - 1 : 0;
	buf_add(out, file->text + start, brace - start);
	if (brace && file->text[brace - 1] != '\n')
		buf_putc(out, '\n');
	table_dice_script(&f->session.set_up, "  dice: ", out);
	for (int i = 0; i < t->at; i++)
		if (t->entry.v[i].sort == ENTRY_SCENE)
			add_scene_text(f, t->entry.v[i].node, out);
		else
			table_dice_script(&t->entry.v[i].dice, "  dice: ", out);
	buf_add(out, file->text + brace, file->length - brace);
}

void session_script(struct fray *f, struct buf *out)
{
	const struct timeline *t = session_timeline(f);
	saved_head(f, out);
	for (int i = 0; i < f->unit.n; i++) {
		const struct unit *u = &f->unit.v[i];
		if (u->layer != LAYER_SCRIPT || u->name)
			continue;
		add_script(f, u, out);
		if (out->length && out->data[out->length - 1] != '\n')
			buf_putc(out, '\n');
	}
	for (const struct node *n = f->typed; n; n = n->next) {
		bool taken = false;
		for (int i = 0; i < t->entry.n; i++)
			taken |= t->entry.v[i].node == n && i >= t->at;
		if (!taken) {
			add_span(f, n->span, out);
			buf_putc(out, '\n');
		}
	}
	if (fray_encounter_expects(f, f->encounter) > 0)
		saved_true(f, out);
}
