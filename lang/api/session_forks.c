/* session_forks.c - forks of a fight at the prompt, and where each one is. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/session.h"
#include "lang/api/extend.h"
#include "runtime/world/block.h"

int session_fork_named(const struct fray *f, const char *name)
{
	for (int i = 0; i < f->session.fork.n; i++)
		if (!strcmp(f->session.fork.v[i].name, name))
			return i;
	return -1;
}

/* Where the present fork stands is remembered: it is about to be left. */
static void note_place(struct fray *f)
{
	struct fork *x = &f->session.fork.v[f->session.current];
	free(x->place);
	x->place = strdup(session_place(f));
	if (!x->place)
		abort();
}

bool session_fork(struct fray *f, const char *name)
{
	if (session_fork_named(f, name) >= 0)
		return false;
	note_place(f);
	int parent = f->session.current, child = session_fork_add(f, name);
	const struct timeline *from = &f->session.fork.v[parent].line;
	struct timeline *to = &f->session.fork.v[child].line;
	for (int i = 0; i < from->at; i++) {
		struct entry e = from->entry.v[i];
		e.other = NULL;
		e.dice = table_dice_copy(&e.dice);
		VEC_PUSH(to->entry, e);
	}
	to->at = from->at;
	f->session.fork.v[child].parent = parent;
	f->session.fork.v[child].parted = from->at;
	f->session.current = child;
	f->revision++;
	return true;
}

bool session_switch(struct fray *f, const char *name)
{
	int to = session_fork_named(f, name);
	if (to < 0)
		return false;
	if (to != f->session.current) {
		struct aside **there = &f->session.fork.v[to].aside;
		bool missing = *there == NULL;
		note_place(f);
		aside_put(f, &f->session.fork.v[f->session.current].aside);
		if (!missing)
			aside_take(f, there);
		f->session.current = to;
		f->revision++;
		session_arrive(f, true, missing);
		aside_limit(f);
	}
	return true;
}

enum fray_status session_no_fork(struct fray *f, struct span at, const char *name)
{
	struct buf names = {0};
	for (int i = 0; i < f->session.fork.n; i++)
		buf_printf(&names, "%s%s", i ? ", " : "", f->session.fork.v[i].name);
	diag_report(&f->sink, M_NO_FORK, at, 2, name, buf_text(&names));
	buf_free(&names);
	return FRAY_WRONG;
}

int session_same_entries(const struct fray *f, int one, int other)
{
	const struct timeline *a = &f->session.fork.v[one].line, *b = &f->session.fork.v[other].line;
	int n = 0;
	while (n < a->at && n < b->at) {
		const struct entry *x = &a->entry.v[n], *y = &b->entry.v[n];
		if (x->sort != y->sort || x->node != y->node || !table_dice_same(&x->dice, &y->dice))
			break;
		n++;
	}
	return n;
}

bool session_entry_text(const struct fray *f, const struct entry *e, struct buf *out)
{
	if (e->sort == ENTRY_BEAT) {
		table_dice_script(&e->dice, "dice: ", out);
		if (out->length)
			out->length--; /* the line's end */
		return out->length > 0;
	}
	size_t length;
	const char *text = sources_text(&f->sources, e->node->span, &length);
	for (size_t i = 0; i < length; i++) {
		bool blank = text[i] == ' ' || text[i] == '\t' || text[i] == '\n';
		if (!blank || (out->length && out->data[out->length - 1] != ' '))
			buf_putc(out, blank ? ' ' : text[i]);
	}
	return true;
}

const char *session_place(struct fray *f)
{
	const struct program *p = f->program;
	const word *w = vm_block(f->vm);
	word round = w[p->field[p->at.round_number].base], start = w[p->field[p->at.round_start].base];
	const struct unit_info *u = p->shown_unit >= 0 ? &p->unit[p->shown_unit] : NULL;
	buf_clear(&f->text);
	if (w[H_STAGE] == WORLD_OVER)
		buf_puts(&f->text, "the fight is over");
	else if (round <= 0)
		buf_puts(&f->text, session_beats(f) ? "before the first round" : "at the beginning");
	else
		buf_printf(&f->text, "round %lld", (long long)round);
	if (round > 0 && w[H_NOW] != NONE && u && u->base == VT_TIME && u->num &&
		w[H_STAGE] != WORLD_OVER)
		buf_printf(
			&f->text, ", %s %lld", u->name, (long long)((w[H_NOW] - start) * u->den / u->num));
	return buf_text(&f->text);
}

static void show_fork(struct fray *f, int i, int depth)
{
	const struct fork *x = &f->session.fork.v[i];
	int beats = 0, typed = 0;
	for (int k = 0; k < x->line.at; k++)
		if (x->line.entry.v[k].sort == ENTRY_BEAT)
			beats++;
		else
			typed++;
	bool here = i == f->session.current;
	fray_writef(f, here ? FRAY_NAME : FRAY_PLAIN, "%s%*s%-*s", here ? "* " : "  ", 2 * depth, "",
		16 - 2 * depth, x->name);
	fray_writef(f, FRAY_DIM, "  %d beat%s, %d change%s", beats, beats == 1 ? "" : "s", typed,
		typed == 1 ? "" : "s");
	fray_writef(f, FRAY_TIME, "  %s", here || !x->place ? session_place(f) : x->place);
	fray_write(f, FRAY_PLAIN, "\n");
	for (int k = i + 1; k < f->session.fork.n; k++)
		if (f->session.fork.v[k].parent == i)
			show_fork(f, k, depth + 1);
}

void session_show_forks(struct fray *f)
{
	show_fork(f, 0, 0);
}
