/* odds_link.c - programs for odds: the encounter with a branch's lines, silent, its measures
 * and the events they wait for; and the present moment, played again in them. */
#include "lang/api/session.h"
#include "lang/api/odds.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/world/block.h"

/* What a branch says of the start stands behind the encounter's own lines and so replaces
 * them; its sentences stand before them and so are taken first. */
static bool says_start(const struct node *n)
{
	return n->kind == N_KIND_N_OPTION || n->kind == N_KIND_D_FIELD || n->kind == N_KIND_N_OVERRIDE || n->kind == N_KIND_N_UNTIL;
}

/* `set distance = 60 ft` in a branch that starts the fight means what the encounter says of
 * its start, since dice and distances hang on it. */
static struct node *as_start(struct fray *f, struct node *n)
{
	struct node *set = n->kind == N_KIND_N_EDIT ? n->a : NULL;
	if (!set || set->kind != N_KIND_S_SET || !set->a || !set->b)
		return n;
	switch (set->b->kind) {
	case N_KIND_E_NUM: case N_KIND_E_QTY: case N_KIND_E_NAME: case N_KIND_E_PERCENT: case N_KIND_E_YES: case N_KIND_E_NO: case N_KIND_E_DICE: case N_KIND_E_TEXT:
		break;
	default:
		return n;
	}
	bool own = set->a->kind == N_KIND_E_FIELD && set->a->a->kind == N_KIND_E_NAME && set->a->a->name == f->model.w.encounter;
	bool field = own || set->a->kind == N_KIND_E_NAME;
	if (!field && !(set->a->kind == N_KIND_E_FIELD && set->a->a->kind == N_KIND_E_NAME))
		return n;
	if (field && model_field(&f->model, KIND_ENCOUNTER, set->a->name) < 0)
		return n;
	struct node *value = node_new(&f->arena, N_KIND_V_PLAIN, set->b->span);
	value->a = set->b;
	struct node *start = node_new(&f->arena, field ? N_KIND_D_FIELD : N_KIND_N_OVERRIDE, n->span);
	start->at = set->a->at;
	start->name = field ? set->a->name : 0;
	start->a = field ? value : set->a;
	start->b = field ? NULL : value;
	start->role = set->role == DOOR_SWEEP ? DOOR_SWEEP : DOOR_START;
	return start;
}

static bool list_fits_present(const struct node *list)
{
	for (const struct node *n = list; n; n = n->next) {
		bool said = n->kind == N_KIND_N_SAY || n->kind == N_KIND_N_DICE || n->kind == N_KIND_N_CHOICES;
		if (!n->damaged && !said && !(odds_is_rule(n) && n->kind != N_KIND_USE))
			return false;
	}
	return true;
}

bool odds_fits_present(const struct asking *q)
{
	bool fit = list_fits_present(q->also);
	for (int b = 0; b < q->branches; b++)
		fit = fit && list_fits_present(q->branch[b] ? q->branch[b]->a : NULL);
	return fit;
}

/* "attack roll #3": which one that is, odds do not count. */
static bool numbers_dice(const struct fray *f, const struct node *n)
{
	for (const struct node *x = n->kind == N_KIND_N_DICE ? n->a : NULL; x; x = x->next)
		if (x->num || strchr(model_text(&f->model, x->a->name), '#'))
			return true;
	return false;
}

static bool fits(struct fray *f, const struct node *n)
{
	if (!n->damaged && numbers_dice(f, n)) {
		diag_report(&f->sink, M_BRANCH_LINE, n->span, 0);
		return false;
	}
	switch (n->kind) {
	case N_KIND_N_SAY: case N_KIND_N_FOLLOWS: case N_KIND_N_DICE: case N_KIND_N_CHOICES: case N_KIND_N_EDIT: case N_KIND_N_REFEREE:
	case N_KIND_N_OPTION: case N_KIND_MOMENT: case N_KIND_D_FIELD: case N_KIND_N_OVERRIDE: case N_KIND_N_UNTIL: case N_KIND_USE:
		return !n->damaged;
	default:
		if (!n->damaged)
			diag_report(&f->sink, M_BRANCH_LINE, n->span, 0);
		return false;
	}
}

/* The encounter's items with those of the branch: copies before and behind them. `*first` says
 * how many come first, `*tail` where those behind were joined on. The encounter's own stay what
 * they are: clauses know the blocks they stand in by them. */
static bool items_of(struct fray *f, const struct asking *q, int branch, struct node *own, struct node **all, int *first, struct node **tail)
{
	struct node *front = NULL, *back = NULL;
	struct node *lists[2] = {q->branch[branch] ? q->branch[branch]->a : NULL, q->also};
	*first = 0;
	for (int k = 0; k < 2; k++)
		for (struct node *n = lists[k]; n; n = n->next) {
			if (odds_stands_inside(f, q, n))
				continue; /* it does already: odds_branch.c */
			if (!fits(f, n))
				return false;
			struct node *copy = node_new(&f->arena, n->kind, n->span);
			*copy = q->present ? *n : *as_start(f, n);
			copy->next = NULL;
			if (says_start(copy)) {
				back = node_append(back, copy);
			} else {
				front = node_append(front, copy);
				++*first;
			}
		}
	*tail = own;
	while (*tail && (*tail)->next)
		*tail = (*tail)->next;
	if (*tail)
		(*tail)->next = back;
	*all = own ? node_append(front, own) : node_append(front, back);
	return true;
}

static struct program *link_items(struct fray *f, const struct asking *q, int branch, bool observed)
{
	struct model *m = &f->model;
	struct node *encounter = m->encounter.v[q->encounter].node, *own = encounter->a, *all, *tail;
	int first, errors = f->sink.errors, pass = m->pass;
	struct program *p = NULL;
	bool reporting = m->reporting;
	if (!items_of(f, q, branch, own, &all, &first, &tail))
		return NULL;
	encounter->a = all;
	m->reporting = true;
	m->pass = 9;
	infer_scene(m, q->encounter);
	infer_measures(m, q->encounter, q->measures);
	if (f->sink.errors == errors) {
		m->for_odds = true;
		m->branch_items = first;
		m->branch_waits = q->present;
		m->measures = q->measures;
		p = link_encounter(m, q->encounter, observed || f->only_checking); /* what is not played need not be fast */
		m->for_odds = m->branch_waits = false;
		m->measures = NULL;
	}
	m->reporting = reporting;
	m->pass = pass;
	encounter->a = own;
	if (tail)
		tail->next = NULL;
	if (!p)
		return NULL;
	struct buf why = {0};
	if (!program_verify(p, &why)) {
		diag_report(&f->sink, M_BAD_PROGRAM, (struct span){0}, 1, buf_text(&why));
		program_free(p);
		p = NULL;
	}
	buf_free(&why);
	return p;
}

static struct program *link_branch(struct fray *f, const struct asking *q, int branch, bool observed)
{
	if (!odds_inside_any(f, q, branch))
		return link_items(f, q, branch, observed);
	struct node *own = f->model.encounter.v[q->encounter].node->a, *last = own;
	while (last && last->next)
		last = last->next;
	struct program *p = odds_inside_enter(f, q, branch) ? link_items(f, q, branch, observed) : NULL;
	odds_inside_leave(f, q->encounter, own, last);
	return p;
}

struct program *odds_link_observed(struct fray *f, const struct asking *q, int branch)
{
	return link_branch(f, q, branch, true);
}

/* ---- the present ---- */

static enum dice_answer past_roll(struct dice_source *self, const struct dice_ask *ask, struct dice_result *out)
{
	struct present *past = (struct present *)self;
	if (past->reached)
		return dice_roll(NULL, ask, out);
	const struct program *p = past->f->program;
	const struct trace *t = vm_trace(past->f->vm);
	uint32_t seen = 0;
	for (int32_t i = 0; i < t->n; i++) {
		const struct record *r = trace_get(t, i);
		if (r->kind != REC_ROLL)
			continue;
		if (program_roll_hash(p, r->what, r->owner) != ask->label || seen++ != ask->occurrence)
			continue;
		int32_t face[FACES_MAX];
		const int32_t *faces = trace_faces_at(t, r);
		for (int k = 0; faces && k < r->face_count; k++)
			face[k] = faces[k] < 0 ? -faces[k] : faces[k];
		return dice_give(ask, face, faces ? r->face_count : 0, r->value, out);
	}
	if (past->last) /* whoever joins in a branch */
		return dice_roll(NULL, ask, out);
	past->other = true;
	return DICE_STOP;
}

/* What was typed in the middle of the fight - forced dice, answers to choices - is meant for what
 * comes; what the script says of them records one table's luck. */
static bool is_typed(struct fray *f, const struct program *p, int32_t block, struct span at)
{
	return at.file != f->session.scene->span.file || (block > 0 && !strcmp(p->block[block].unit, "beat"));
}

enum whose { OF_BRANCH, OF_SCRIPT };

/* The queues of dice and choices: those of the branch, or what the script says, are used up. */
static void use_up(struct fray *f, word *world, const struct program *p, enum whose whose)
{
	for (int i = 0; i < p->forceds; i++)
		if (whose == OF_BRANCH ? i < p->branch_forceds : i >= p->branch_forceds && !is_typed(f, p, p->forced[i].block, p->forced[i].span))
			world[p->layout.forced + (uint32_t)i] = p->forced[i].count;
	for (int i = 0; i < p->forced_choices; i++)
		if (whose == OF_BRANCH ? i < p->branch_choices : i >= p->branch_choices && !is_typed(f, p, p->forced_choice[i].block, p->forced_choice[i].span))
			world[p->layout.choices + (uint32_t)i] = p->forced_choice[i].count;
}

/* The branch's own dice and choices come from now on. */
static void open_branch(word *world, const struct program *p)
{
	for (int i = 0; i < p->branch_forceds; i++)
		world[p->layout.forced + (uint32_t)i] = 0;
	for (int i = 0; i < p->branch_choices; i++)
		world[p->layout.choices + (uint32_t)i] = 0;
	if (p->at.branch_open >= 0)
		world[p->field[p->at.branch_open].base] = 1;
}

void odds_present_init(struct present *past, struct fray *f)
{
	memset(past, 0, sizeof *past);
	past->source.roll = past_roll;
	past->f = f;
}

/* The same steps come to the same world, since a silent program differs from an observed one in
 * what it keeps only. */
bool odds_present_begin(struct present *past, struct vm *m, uint64_t seed, uint64_t trial)
{
	struct fray *f = past->f;
	const struct program *p = vm_program_of(m);
	enum vm_status s = VM_PAUSED;
	int beats = session_beats(f);
	past->reached = past->other = past->last = false;
	vm_begin(m, seed, trial, vm_block(f->vm)[H_ROUNDS_LEFT] + vm_block(f->vm)[f->program->field[f->program->at.round_number].base]);
	use_up(f, vm_block(m), p, OF_BRANCH);
	for (int i = 0; i < beats && s == VM_PAUSED; i++) {
		vm_refuel(m); /* as each step had when it was played */
		past->last = i == beats - 1;
		s = vm_step(m);
	}
	if ((s != VM_PAUSED && s != VM_OVER) || past->other)
		return false;
	use_up(f, vm_block(m), p, OF_SCRIPT);
	open_branch(vm_block(m), p);
	past->reached = true;
	return true;
}

static word *present_of(struct fray *f, const struct program *p)
{
	struct present past;
	struct vm_host host = {0};
	word *world = NULL;
	odds_present_init(&past, f);
	host.dice = &past.source;
	host.fuel = f->config.fuel;
	struct vm *m = vm_new(p, &host);
	if (odds_present_begin(&past, m, f->options.seed, f->options.trial)) {
		size_t bytes = p->layout.words * sizeof(word);
		world = malloc(bytes);
		if (!world)
			abort();
		memcpy(world, vm_block(m), bytes);
	}
	vm_free(m);
	return world;
}

bool odds_link(struct fray *f, const struct asking *q, struct answer *a)
{
	a->branches = q->branches;
	a->present = q->present;
	for (int b = 0; b < q->branches; b++) {
		if (q->fork[b])
			session_switch(f, q->fork[b]);
		a->program[b] = link_branch(f, q, b, false);
		if (!a->program[b])
			return false;
		const char *script = f->sources.file.v[f->model.encounter.v[q->encounter].node->span.file].name;
		a->program[b]->script = arena_text(&a->program[b]->arena, script, strlen(script));
		a->name[b] = q->fork[b] ? q->fork[b] : "";
		if (q->branch[b]) {
			struct span at = q->branch[b]->span;
			size_t n;
			const char *text = sources_text(&f->sources, at, &n);
			struct buf line = {0};
			for (size_t i = 0; i < n; i++) {
				bool blank = text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r';
				if ((text[i] == '{' && i == 0) || (text[i] == '}' && i + 1 == n))
					continue;
				if (!blank)
					buf_putc(&line, text[i]);
				else if (line.length && line.data[line.length - 1] != ' ')
					buf_putc(&line, ' ');
			}
			while (line.length && line.data[line.length - 1] == ' ')
				line.length--;
			a->name[b] = arena_text(&a->program[b]->arena, line.length ? line.data : "as it is", line.length ? line.length : strlen("as it is"));
			buf_free(&line);
		}
		if (q->present && !(a->start[b] = present_of(f, a->program[b]))) {
			diag_report(&f->sink, M_ODDS_PRESENT, q->measures ? q->measures->span : (struct span){0}, 0);
			return false;
		}
	}
	return true;
}

int64_t odds_rounds(struct fray *f, const struct asking *q)
{
	return fight_rounds(f, q->encounter, f->odds.max_rounds);
}
