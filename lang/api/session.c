/* session.c - a fight at the prompt: what was done to it, in order, and every way back.
 *
 * A timeline is a list of entries: a beat played, or something typed. Its position may stand
 * anywhere in the list; what lies beyond can be done again until something else is done. What
 * is typed is written into the encounter as a block that holds from the present beat on
 * (docs/decisions/0005), so a position is rebuilt by linking and playing its beats again; dice
 * fall as they fell, being addressed by label and occurrence. Going back over beats only needs
 * what each of them changed, and going over what was typed the machine that stands on its other
 * side (aside.h).
 *
 * Forks are further timelines. Entries are shared: one timeline at a time is in the script. */
#include "lang/api/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/api/aside.h"
#include "lang/api/attempt.h"
#include "lang/api/extend.h"
#include "lang/api/past.h"
#include "runtime/world/block.h"

struct timeline *session_timeline(struct fray *f)
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
	block_tidy(vm_block(f->vm), f->program);
	memcpy(w, vm_block(f->vm), bytes);
	return w;
}

/* Keeps what the beat just played has changed; takes over the world before it. */
static void keep_changes(struct fray *f, word *before)
{
	block_tidy(vm_block(f->vm), f->program);
	struct past *p = past_of(before, vm_block(f->vm), f->program->layout.words);
	free(before);
	VEC_PUSH(f->session.pasts.beat, p);
}

static void cut(struct timeline *t, int length)
{
	while (t->entry.n > length) {
		struct entry *e = &t->entry.v[--t->entry.n];
		aside_free(&e->other);
		table_dice_free(&e->dice);
	}
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

void session_put(struct fray *f, struct session *to)
{
	struct session *s = &f->session;
	if (s->fork.n)
		unwrite(f);
	for (int i = 0; i < s->fork.n; i++)
		for (int k = 0; k < s->fork.v[i].line.entry.n; k++)
			f->unwritten |= s->fork.v[i].line.entry.v[k].sort != ENTRY_BEAT;
	*to = *s;
	memset(s, 0, sizeof *s);
}

void session_drop(struct session *s)
{
	for (int i = 0; i < s->fork.n; i++) {
		cut(&s->fork.v[i].line, 0);
		aside_free(&s->fork.v[i].aside);
		VEC_FREE(s->fork.v[i].line.entry);
		free(s->fork.v[i].name);
		free(s->fork.v[i].place);
	}
	VEC_FREE(s->fork);
	table_dice_free(&s->set_up);
	pasts_clear(&s->pasts);
	memset(s, 0, sizeof *s);
}

void session_close(struct fray *f)
{
	struct session old;
	session_put(f, &old);
	session_drop(&old);
}

int session_fork_add(struct fray *f, const char *name)
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
	f->session.current = session_fork_add(f, "main");
}

bool session_is_open(const struct fray *f)
{
	return f->session.fork.n > 0;
}

void session_stepped(struct fray *f, word *before, struct table_dice dice)
{
	struct entry e = {.sort = ENTRY_BEAT, .dice = dice};
	struct timeline *t = session_timeline(f);
	f->revision++;
	cut(t, t->at);
	VEC_PUSH(t->entry, e);
	t->at++;
	keep_changes(f, before);
}

/* The world before the last `beats` beats, to be freed; what led back to it is forgotten. */
static word *world_back(struct fray *f, int beats)
{
	struct pasts *p = &f->session.pasts;
	word *world = session_world(f);
	for (; beats; beats--) {
		struct past *last = p->beat.v[--p->beat.n];
		past_apply(last, world);
		past_free(last);
	}
	return world;
}

/* Goes back over beats, as many as `beats`. */
static void go_back(struct fray *f, int beats)
{
	word *world = world_back(f, beats);
	session_restore(f, world);
	free(world);
}

word *session_world_before(const struct fray *f, int beats)
{
	const struct pasts *p = &f->session.pasts;
	word *world = session_world(f);
	must(beats <= p->beat.n);
	for (int i = 1; i <= beats; i++)
		past_apply(p->beat.v[p->beat.n - i], world);
	return world;
}

bool session_back_to_asked(struct fray *f, struct table_dice *dice)
{
	struct timeline *t = session_timeline(f);
	int beats = 0, i = t->at - 1;
	while (i >= 0 && t->entry.v[i].sort == ENTRY_BEAT && t->entry.v[i].dice.die.n == 0)
		i--;
	if (i < 0 || t->entry.v[i].sort != ENTRY_BEAT)
		return false;
	*dice = table_dice_copy(&t->entry.v[i].dice);
	beats = t->at - i;
	/* not session_restore: what else was typed at the question is still to be answered */
	word *world = world_back(f, beats);
	vm_restore(f->vm, world);
	free(world);
	f->told = vm_trace(f->vm)->n;
	f->revision++;
	t->at = i;
	cut(t, i);
	return true;
}

void session_unstep(struct fray *f)
{
	struct timeline *t = session_timeline(f);
	go_back(f, 1);
	cut(t, --t->at);
	f->revision--;
}

void session_restore(struct fray *f, const word *world)
{
	vm_restore(f->vm, world);
	f->told = vm_trace(f->vm)->n;
	table_forget(f->table);
}

int session_beats(struct fray *f)
{
	if (!session_is_open(f))
		return 0;
	const struct timeline *t = session_timeline(f);
	int n = 0;
	for (int i = 0; i < t->at; i++)
		n += t->entry.v[i].sort == ENTRY_BEAT;
	return n;
}

static void write_entries(struct fray *f)
{
	const struct timeline *t = session_timeline(f);
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

void session_rewrite(struct fray *f, struct node *typed_tail)
{
	f->session.typed_tail = typed_tail;
	write_entries(f);
}

/* Plays a beat once more; `world`, before it, is that behind it then. */
static enum fray_status again(struct fray *f, const struct entry *e, word *world)
{
	vm_refuel(f->vm);
	table_replay(f->table, &e->dice);
	enum fray_status s = status_of(f, vm_step(f->vm));
	table_replay(f->table, NULL);
	block_tidy(vm_block(f->vm), f->program);
	VEC_PUSH(f->session.pasts.beat, past_onto(world, vm_block(f->vm), f->program->layout.words));
	return s;
}

enum fray_status session_play(struct fray *f)
{
	struct timeline *t = session_timeline(f);
	struct fray_run_options options = f->options;
	attempt_take_machine(f);
	struct session kept = f->session;
	/* the name is lent by the model, which is made anew */
	char *name = strdup(fray_encounter(f, f->encounter));
	if (!name)
		return FRAY_STOPPED;
	memset(&f->session, 0, sizeof f->session); /* beginning closes a session: not this one */
	enum fray_status s = fray_begin(f, name, &options);
	free(name);
	f->session = kept;
	pasts_clear(&f->session.pasts);
	if (s != FRAY_OK)
		return s;
	table_replay(f->table, &f->session.set_up);
	s = status_of(f, vm_set_up(f->vm));
	word *world = session_world(f);
	for (int i = 0; i < t->at && (s == FRAY_OK || s == FRAY_EXPECTATION); i++)
		if (t->entry.v[i].sort == ENTRY_BEAT)
			s = again(f, &t->entry.v[i], world);
	free(world);
	f->told = vm_trace(f->vm)->n;
	return s;
}

/* The script, program and world of the timeline's position. Diagnostics of what was played
 * before are not repeated; those of `newest`, a block or NULL, are. `before`, or NULL, stood there
 * before that was typed. */
static enum fray_status rebuild(struct fray *f, const struct node *newest, struct aside *before)
{
	write_entries(f);
	f->session.replaying = true;
	f->session.newest = newest;
	enum fray_status s = FRAY_WRONG;
	if (units_check(f) && !(before && extend_fight(f, before, &s)))
		s = f->sound ? session_play(f) : FRAY_WRONG;
	f->session.replaying = false;
	f->session.newest = NULL;
	return s;
}

/* The script of the timeline's position, whose program and machine are there. */
static void rewrite(struct fray *f)
{
	write_entries(f);
	f->session.replaying = true;
	units_check(f);
	f->session.replaying = false;
}

bool session_silent(const struct fray *f, int32_t block)
{
	const struct node *n = f->session.newest;
	return f->session.replaying && !(n && block >= n->ref && block < n->ref + (n->role > 1 ? n->role : 1));
}

/* Whether a line makes something happen at once, which is to be told. */
static bool is_happening(const struct node *n)
{
	const struct node *first = n->kind == N_KIND_MOMENT ? n->a : NULL;
	return first && (first->kind == N_KIND_N_JOIN || first->kind == N_KIND_N_LEAVE || first->kind == N_KIND_SIDE || first->kind == N_KIND_N_REFEREE);
}

static enum fray_status add(struct fray *f, enum entry_sort sort, struct node *n)
{
	struct timeline *t = session_timeline(f), beyond = {0};
	struct entry e = {.sort = sort, .node = n};
	struct aside *before = NULL;
	/* what could be done again can be after a line that is refused, too */
	for (int i = t->at; i < t->entry.n; i++)
		VEC_PUSH(beyond.entry, t->entry.v[i]);
	t->entry.n = t->at;
	VEC_PUSH(t->entry, e);
	t->at++;
	int records = vm_trace(f->vm)->n;
	aside_put(f, &before);
	enum fray_status s = rebuild(f, n, before);
	t = session_timeline(f);
	bool over = f->vm && vm_block(f->vm)[H_STAGE] == WORLD_OVER;
	if (s == FRAY_OK || s == FRAY_EXPECTATION || (s == FRAY_STOPPED && over)) {
		f->revision++;
		if (is_happening(n) && f->told > records)
			f->told = records;
		t->entry.v[t->at - 1].other = before;
		aside_limit(f);
		if (s == FRAY_STOPPED)
			s = FRAY_OK; /* the fight had stopped before; the line is taken all the same */
	} else {
		/* the fight goes on as it was */
		t->at--;
		t->entry.n--;
		for (int i = 0; i < beyond.entry.n; i++)
			VEC_PUSH(t->entry, beyond.entry.v[i]);
		beyond.entry.n = 0;
		aside_take(f, &before);
		rewrite(f);
	}
	cut(&beyond, 0);
	VEC_FREE(beyond.entry);
	return s;
}

bool session_is_past(struct fray *f, const struct node *block)
{
	int64_t beat = session_beats(f) + 1, round = vm_block(f->vm)[f->program->field[f->program->at.round_number].base];
	bool counted = block->name == f->model.w.round || block->name == f->model.w.beat;
	if (!counted && beat > 1 && model_field(&f->model, KIND_ENCOUNTER, block->name) >= 0) {
		diag_report(&f->sink, M_PAST_BLOCK, block->at, 1, model_text(&f->model, block->name));
		return true;
	}
	int64_t now = block->name == f->model.w.round ? round : beat;
	if (!counted || block->num >= now)
		return false;
	char of[24], is[24];
	snprintf(of, sizeof of, "%lld", (long long)block->num);
	snprintf(is, sizeof is, "%lld", (long long)now);
	diag_report(&f->sink, M_PAST_MOMENT, block->at, 3, model_text(&f->model, block->name), of, is);
	return true;
}

enum fray_status session_say(struct fray *f, struct node *n)
{
	struct node *block = n;
	bool of_round = n->kind == N_KIND_MOMENT && n->name == f->model.w.round;
	if (n->kind == N_KIND_MOMENT && session_is_past(f, n))
		return FRAY_WRONG;
	if (n->kind != N_KIND_MOMENT || (of_round && n->num == vm_block(f->vm)[f->program->field[f->program->at.round_number].base])) {
		/* of a round that has begun only what is still to come can change */
		block = node_new(&f->arena, N_KIND_MOMENT, n->span);
		block->at = n->span;
		block->name = f->model.w.beat;
		block->num = session_beats(f) + 1;
		block->a = n->kind == N_KIND_MOMENT ? n->a : n;
	}
	return add(f, ENTRY_SCENE, block);
}

enum fray_status session_declare(struct fray *f, struct node *n)
{
	return add(f, ENTRY_TYPED, n);
}

bool session_refresh(struct fray *f)
{
	if (!session_is_open(f))
		session_open(f);
	/* machines set aside number their stat blocks as it was */
	for (int i = 0; i < f->session.fork.n; i++) {
		aside_free(&f->session.fork.v[i].aside);
		for (int k = 0; k < f->session.fork.v[i].line.entry.n; k++)
			aside_free(&f->session.fork.v[i].line.entry.v[k].other);
	}
	int32_t told = f->told;
	enum fray_status s = rebuild(f, NULL, NULL);
	f->told = told < f->told ? told : f->told;
	return s != FRAY_WRONG;
}

bool session_keeps_typed(struct fray *f, const struct node *n)
{
	struct session *s = &f->session;
	const struct node *typed = s->typed_tail ? s->typed_tail->next : f->typed;
	if (!session_is_open(f))
		return false;
	while (typed && typed != n)
		typed = typed->next;
	if (!typed)
		return false;
	s->typed_tail = tail_of(f->typed);
	return true;
}

/* ---- back and forth ---- */

/* Goes over a line typed to the machine on its other side; false when there is none. */
static bool cross(struct fray *f, struct entry *e)
{
	if (!e->other)
		return false;
	aside_exchange(f, &e->other);
	return true;
}

/* After going over lines: the script, and where a machine was missing the fight as well. */
void session_arrive(struct fray *f, bool crossed, bool missing)
{
	if (missing)
		rebuild(f, NULL, NULL);
	else if (crossed)
		rewrite(f);
	f->told = vm_trace(f->vm)->n;
}

int session_undo(struct fray *f, int64_t count)
{
	struct timeline *t = session_timeline(f);
	int from = t->at, to = count < from ? from - (int)count : 0, beats = 0;
	bool crossed = false, missing = false;
	if (to == from)
		return 0;
	f->revision++;
	while (t->at > to) {
		struct entry *e = &t->entry.v[--t->at];
		if (e->sort == ENTRY_BEAT) {
			beats++;
			continue;
		}
		if (beats && !missing)
			go_back(f, beats);
		beats = 0;
		if (missing || !cross(f, e)) {
			/* where it would lead to, nobody stands */
			aside_free(&e->other);
			missing = true;
		}
		crossed = true;
	}
	if (beats && !missing)
		go_back(f, beats);
	session_arrive(f, crossed, missing);
	return from - to;
}

int session_redo(struct fray *f, int64_t count)
{
	struct timeline *t = session_timeline(f);
	int from = t->at, to = count < t->entry.n - from ? from + (int)count : t->entry.n;
	bool crossed = false, missing = false;
	if (to == from)
		return 0;
	f->revision++;
	f->session.replaying = true;
	while (t->at < to) {
		struct entry *e = &t->entry.v[t->at++];
		if (e->sort == ENTRY_BEAT && !missing) {
			word *world = session_world(f);
			again(f, e, world);
			free(world);
		} else if (e->sort != ENTRY_BEAT) {
			if (missing || !cross(f, e)) {
				aside_free(&e->other);
				missing = true;
			}
			crossed = true;
		}
	}
	f->session.replaying = false;
	session_arrive(f, crossed, missing);
	return to - from;
}
