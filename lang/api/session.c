/* session.c - a fight at the prompt: what was done to it, in order, and every way back.
 *
 * A timeline is a list of entries: a beat played, or something typed. Its position may stand
 * anywhere in the list; what lies beyond can be done again until something else is done. What
 * is typed is written into the encounter as a block that holds from the present beat on
 * (docs/decisions/0005), so a position is rebuilt by linking and playing its beats again; dice
 * fall as they fell, being addressed by label and occurrence. Going back over beats alone only
 * needs the worlds kept before each of them.
 *
 * Forks are further timelines. Entries are shared: one timeline at a time is in the script. */
#include "lang/api/session.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/world/block.h"

static struct timeline *now(struct fray *f)
{
	return &f->session.fork.v[f->session.current].line;
}

static struct node *tail_of(struct node *list)
{
	while (list && list->next)
		list = list->next;
	return list;
}

word *session_world(const struct fray *f)
{
	size_t bytes = f->program->layout.words * sizeof(word);
	word *w = malloc(bytes);
	if (!w)
		abort();
	memcpy(w, vm_block(f->vm), bytes);
	return w;
}

static void forget_worlds(struct timeline *t, int from)
{
	for (int i = from; i < t->entry.n; i++) {
		free(t->entry.v[i].before);
		t->entry.v[i].before = NULL;
	}
}

static void cut(struct timeline *t)
{
	forget_worlds(t, t->at);
	t->entry.n = t->at;
}

/* Takes what was typed out of the script again. */
static void unwrite(struct fray *f)
{
	struct session *s = &f->session;
	if (s->scene_tail)
		s->scene_tail->next = NULL;
	else if (s->scene)
		s->scene->a = NULL;
	if (s->typed_tail)
		s->typed_tail->next = NULL;
	else
		f->typed = NULL;
}

void session_close(struct fray *f)
{
	struct session *s = &f->session;
	if (s->fork.n)
		unwrite(f);
	for (int i = 0; i < s->fork.n; i++) {
		forget_worlds(&s->fork.v[i].line, 0);
		VEC_FREE(s->fork.v[i].line.entry);
		free(s->fork.v[i].name);
	}
	VEC_FREE(s->fork);
	memset(s, 0, sizeof *s);
}

static int fork_add(struct fray *f, const char *name)
{
	struct fork x = {0};
	x.name = strdup(name);
	if (!x.name)
		abort();
	VEC_PUSH(f->session.fork, x);
	return f->session.fork.n - 1;
}

void session_open(struct fray *f)
{
	session_close(f);
	f->revision++;
	f->session.scene = f->model.encounter.v[f->encounter].node;
	f->session.scene_tail = tail_of(f->session.scene->a);
	f->session.typed_tail = tail_of(f->typed);
	f->session.current = fork_add(f, "main");
}

bool session_is_open(const struct fray *f)
{
	return f->session.fork.n > 0;
}

void session_stepped(struct fray *f, word *before)
{
	struct entry e = {ENTRY_BEAT, NULL, before};
	f->revision++;
	struct timeline *t = now(f);
	cut(t);
	VEC_PUSH(t->entry, e);
	t->at++;
}

void session_unstep(struct fray *f)
{
	struct timeline *t = now(f);
	struct entry *e = &t->entry.v[t->at - 1];
	session_restore(f, e->before);
	t->at--;
	cut(t);
	f->revision--;
}

void session_restore(struct fray *f, const word *world)
{
	vm_restore(f->vm, world);
	f->told = vm_trace(f->vm)->record.n;
	if (f->asked)
		asked_forget(f->asked);
}

int session_beats(struct fray *f)
{
	if (!session_is_open(f))
		return 0;
	const struct timeline *t = now(f);
	int n = 0;
	for (int i = 0; i < t->at; i++)
		n += t->entry.v[i].sort == ENTRY_BEAT;
	return n;
}

static void write_entries(struct fray *f)
{
	const struct timeline *t = now(f);
	unwrite(f);
	for (int i = 0; i < t->at; i++) {
		struct node *n = t->entry.v[i].node;
		if (!n)
			continue;
		n->next = NULL;
		if (t->entry.v[i].sort == ENTRY_SCENE)
			f->session.scene->a = node_append(f->session.scene->a, n);
		else
			f->typed = node_append(f->typed, n);
	}
}

/* Plays the timeline's beats up to its position on a new program. */
static enum fray_status play(struct fray *f)
{
	struct timeline *t = now(f);
	struct fray_run_options options = f->options;
	struct session kept = f->session;
	/* the name is lent by the model, which is made anew */
	char *name = strdup(fray_encounter(f, f->encounter));
	if (!name)
		return FRAY_STOPPED;
	memset(&f->session, 0, sizeof f->session); /* beginning closes a session: not this one */
	enum fray_status s = fray_begin(f, name, &options);
	free(name);
	f->session = kept;
	if (s != FRAY_OK)
		return s;
	s = status_of(f, vm_set_up(f->vm));
	for (int i = 0; i < t->at && (s == FRAY_OK || s == FRAY_EXPECTATION); i++) {
		if (t->entry.v[i].sort != ENTRY_BEAT)
			continue;
		free(t->entry.v[i].before);
		t->entry.v[i].before = session_world(f);
		vm_refuel(f->vm);
		s = status_of(f, vm_step(f->vm));
	}
	f->told = vm_trace(f->vm)->record.n;
	return s;
}

/* The script, program and world of the timeline's position. Diagnostics of what was played
 * before are not repeated; those of `newest`, a block or NULL, are. */
static enum fray_status rebuild(struct fray *f, const struct node *newest)
{
	write_entries(f);
	f->session.replaying = true;
	f->session.newest = newest;
	enum fray_status s = units_check(f) ? play(f) : FRAY_WRONG;
	f->session.replaying = false;
	f->session.newest = NULL;
	return s;
}

bool session_silent(const struct fray *f, int32_t block)
{
	return f->session.replaying && !(f->session.newest && f->session.newest->ref == block);
}

static enum fray_status add(struct fray *f, enum entry_sort sort, struct node *n)
{
	struct timeline *t = now(f), beyond = {0};
	struct entry e = {sort, n, NULL};
	/* what could be done again can be after a line that is refused, too */
	for (int i = t->at; i < t->entry.n; i++)
		VEC_PUSH(beyond.entry, t->entry.v[i]);
	t->entry.n = t->at;
	VEC_PUSH(t->entry, e);
	t->at++;
	enum fray_status s = rebuild(f, n);
	t = now(f);
	if (s != FRAY_WRONG) {
		f->revision++;
		forget_worlds(&beyond, 0);
	} else {
		/* the fight goes on as it was */
		t->at--;
		t->entry.n--;
		for (int i = 0; i < beyond.entry.n; i++)
			VEC_PUSH(t->entry, beyond.entry.v[i]);
		rebuild(f, NULL);
	}
	VEC_FREE(beyond.entry);
	return s;
}

enum fray_status session_say(struct fray *f, struct node *n)
{
	struct node *block = n;
	if (n->kind != N_KIND_N_UNTIL && n->kind != N_KIND_SIDE && !(n->kind == N_KIND_MOMENT && n->name != f->model.w.round)) {
		bool past = n->kind == N_KIND_MOMENT && n->num <= vm_block(f->vm)[f->program->field[f->program->at.round_number].base];
		if (n->kind != N_KIND_MOMENT || past) {
			/* of a round that has begun only what is still to come can change */
			block = node_new(&f->arena, N_KIND_MOMENT, n->span);
			block->at = n->span;
			block->name = f->model.w.beat;
			block->num = session_beats(f) + 1;
			block->a = n->kind == N_KIND_MOMENT ? n->a : n;
		}
	}
	return add(f, ENTRY_SCENE, block);
}

enum fray_status session_declare(struct fray *f, struct node *n)
{
	return add(f, ENTRY_TYPED, n);
}

/* ---- back and forth ---- */

static bool has_edit(const struct timeline *t, int from, int to)
{
	for (int i = from; i < to; i++)
		if (t->entry.v[i].sort != ENTRY_BEAT)
			return true;
	return false;
}

int session_undo(struct fray *f, int64_t count)
{
	struct timeline *t = now(f);
	int from = t->at, to = count < from ? from - (int)count : 0;
	if (to == from)
		return 0;
	f->revision++;
	t->at = to;
	if (has_edit(t, to, from)) {
		rebuild(f, NULL);
	} else {
		session_restore(f, t->entry.v[to].before);
	}
	return from - to;
}

int session_redo(struct fray *f, int64_t count)
{
	struct timeline *t = now(f);
	int from = t->at, to = count < t->entry.n - from ? from + (int)count : t->entry.n;
	if (to == from)
		return 0;
	f->revision++;
	t->at = to;
	if (has_edit(t, from, to)) {
		rebuild(f, NULL);
	} else {
		f->session.replaying = true;
		for (int i = from; i < to; i++) {
			free(t->entry.v[i].before);
			t->entry.v[i].before = session_world(f);
			vm_refuel(f->vm);
			vm_step(f->vm);
		}
		f->session.replaying = false;
		f->told = vm_trace(f->vm)->record.n;
	}
	return to - from;
}

/* ---- forks ---- */

static int fork_named(const struct fray *f, const char *name)
{
	for (int i = 0; i < f->session.fork.n; i++)
		if (!strcmp(f->session.fork.v[i].name, name))
			return i;
	return -1;
}

bool session_fork(struct fray *f, const char *name)
{
	if (fork_named(f, name) >= 0)
		return false;
	int parent = f->session.current, child = fork_add(f, name);
	const struct timeline *from = &f->session.fork.v[parent].line;
	struct timeline *to = &f->session.fork.v[child].line;
	for (int i = 0; i < from->at; i++) {
		struct entry e = from->entry.v[i];
		if (e.before) {
			size_t bytes = f->program->layout.words * sizeof(word);
			e.before = malloc(bytes);
			if (!e.before)
				abort();
			memcpy(e.before, from->entry.v[i].before, bytes);
		}
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
	int to = fork_named(f, name);
	if (to < 0)
		return false;
	if (to != f->session.current) {
		/* programs differ: the worlds kept by this timeline are of no use to the other */
		f->session.current = to;
		f->revision++;
		rebuild(f, NULL);
	}
	return true;
}

/* ---- where it stands ---- */

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
	if (round > 0 && w[H_NOW] != NONE && u && u->base == VT_TIME && u->num && w[H_STAGE] != WORLD_OVER)
		buf_printf(&f->text, ", %s %lld", u->name, (long long)((w[H_NOW] - start) * u->den / u->num));
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
	fray_writef(f, here ? FRAY_NAME : FRAY_PLAIN, "%s%*s%-*s", here ? "* " : "  ", 2 * depth, "", 16 - 2 * depth, x->name);
	fray_writef(f, FRAY_DIM, "  %d beat%s, %d change%s", beats, beats == 1 ? "" : "s", typed, typed == 1 ? "" : "s");
	if (here)
		fray_writef(f, FRAY_TIME, "  %s", session_place(f));
	fray_write(f, FRAY_PLAIN, "\n");
	for (int k = i + 1; k < f->session.fork.n; k++)
		if (f->session.fork.v[k].parent == i)
			show_fork(f, k, depth + 1);
}

void session_show_forks(struct fray *f)
{
	show_fork(f, 0, 0);
}

/* ---- as a script ---- */

static void add_span(const struct fray *f, struct span at, struct buf *out)
{
	size_t n;
	const char *text = sources_text(&f->sources, at, &n);
	buf_add(out, text, n);
}

/* What was typed in this entry, in words that may stand in an encounter. */
static void add_scene_text(const struct fray *f, const struct node *n, struct buf *out)
{
	size_t length;
	const char *text = sources_text(&f->sources, n->span, &length);
	bool beat = n->kind == N_KIND_MOMENT && n->name == f->model.w.beat;
	bool block = beat && length && text[length - 1] == '}' && n->a && n->a->span.start > n->span.start;
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
			buf_add(out, brace + 1, length - (size_t)(brace + 1 - text) - 1);
		else
			buf_add(out, text, length);
		buf_puts(out, "\n  }");
	}
	buf_putc(out, '\n');
}

static void add_script(struct fray *f, const struct unit *u, struct buf *out)
{
	const struct timeline *t = now(f);
	const struct source *file = &f->sources.file.v[u->file];
	struct span at = f->session.scene->span;
	if (at.file != u->file) {
		buf_add(out, file->text, file->length);
		return;
	}
	/* up to the encounter's closing brace, what was typed, and the rest */
	size_t end = at.end;
	while (end > at.start && file->text[end - 1] != '}')
		end--;
	size_t brace = end ? end - 1 : 0;
	buf_add(out, file->text, brace);
	if (brace && file->text[brace - 1] != '\n')
		buf_putc(out, '\n');
	for (int i = 0; i < t->at; i++)
		if (t->entry.v[i].sort == ENTRY_SCENE)
			add_scene_text(f, t->entry.v[i].node, out);
	buf_add(out, file->text + brace, file->length - brace);
}

void session_script(struct fray *f, struct buf *out)
{
	const struct timeline *t = now(f);
	buf_printf(out, "-- Saved at the prompt of Fray %s: %s.\n", FRAY_VERSION, session_place(f));
	buf_printf(out, "-- At the prompt, begin and step %d stand there again%s%s.\n", session_beats(f), f->rules ? "; played with --rules=" : "", f->rules ? f->rules : "");
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
}
