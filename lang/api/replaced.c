/* replaced.c - what a declaration typed in the middle of a fight does to those before it, said at once: which one it
 * replaces, that it does not count for the round in progress, and that its subject cannot act. */
#include <string.h>

#include "lang/api/reason.h"
#include "lang/api/session.h"
#include "runtime/explain/explain.h"
#include "runtime/world/block.h"

/* Is the combatant made from that stat block? */
static bool is_of(const struct fray *f, int live, int pattern)
{
	const struct program *p = f->program;
	const char *name = model_text(&f->model, f->model.thing.v[pattern].name);
	for (int32_t t = p->live[KIND_COMBATANT][live].thing; t >= 0 && t < p->things; t = p->thing[t].parent)
		if (!strcmp(p->thing[t].name, name))
			return true;
	return false;
}

static word side_of(const struct fray *f, int live)
{
	const struct field_info *side = &f->program->field[f->program->at.combatant_side];
	return vm_block(f->vm)[side->base + (uint32_t)live * side->stride];
}

/* Is that combatant among the subjects of a line? */
static bool covers(const struct fray *f, const struct node *line, int live)
{
	for (const struct node *s = line->a; s; s = s->next) {
		const struct type *t = s->type ? type_find(s->type) : NULL;
		const bool side = s->ref_kind == REF_SIDE || (s->ref_kind == REF_LIVE && t && t->base == VT_LIVE && t->kind == KIND_SIDE);
		if (side ? s->ref == side_of(f, live) : s->ref_kind == REF_LIVE ? s->ref == live : s->ref_kind == REF_ISA && is_of(f, live, s->ref))
			return true;
	}
	return false;
}

static bool has_used(const struct fray *f, const struct line_info *line, int live)
{
	return vm_block(f->vm)[f->program->field[line->field].base + live / 64] >> (live % 64) & 1;
}

/* The line typed before that stands there; NULL: there is none. */
static const struct node *typed_line(const struct fray *f, struct span at)
{
	for (const struct node *b = f->session.scene->a; b; b = b->next)
		for (const struct node *x = b->kind == N_KIND_MOMENT ? b->a : NULL; x; x = x->next)
			if (x->kind == N_KIND_N_SAY && x->span.file == at.file && x->span.start == at.start)
				return x;
	return NULL;
}

/* Does the line replace that one: not at all, for some of those who were to take it, or for all of them? */
enum replaces { REPLACES_NOT, REPLACES_SOME, REPLACES_ALL };
static enum replaces replaces(const struct fray *f, const struct node *line, const struct line_info *before)
{
	int of = 0, both = 0;
	const struct node *x = before->typed ? typed_line(f, before->span) : NULL;
	if (!x || (x->span.file == line->span.file && x->span.start == line->span.start))
		return REPLACES_NOT;
	for (int i = 0; i < f->program->lives[KIND_COMBATANT]; i++) {
		const bool open = covers(f, x, i) && !has_used(f, before, i);
		of += open;
		both += open && covers(f, line, i);
	}
	return !both ? REPLACES_NOT : both < of ? REPLACES_SOME : REPLACES_ALL;
}

/* Has that combatant declared in the round in progress? */
static bool has_declared(const struct fray *f, int live, word round)
{
	const struct trace *t = vm_trace(f->vm);
	for (int32_t i = trace_back(t, t->n - 1, 1u << REC_DECLARE | 1u << REC_ROUND); i >= 0; i = trace_back(t, i - 1, 1u << REC_DECLARE | 1u << REC_ROUND)) {
		const struct record *r = trace_look(t, i);
		if (r->kind == REC_ROUND || r->round != round)
			return false;
		if (!r->dropped && r->owner == live)
			return true;
	}
	return false;
}

static void says_when(struct fray *f, const struct node *line)
{
	const word round = vm_block(f->vm)[f->program->field[f->program->at.round_number].base];
	int who = -1, many = 0;
	for (int i = 0; i < f->program->lives[KIND_COMBATANT] && round > 0; i++)
		if (covers(f, line, i) && has_declared(f, i, round)) {
			who = who < 0 ? i : who;
			many++;
		}
	if (many == 1)
		fray_writef(f, FRAY_PLAIN, "%s has declared for round %lld. This line counts when %s is next asked.\n", f->program->live[KIND_COMBATANT][who].name,
			(long long)round, f->program->live[KIND_COMBATANT][who].name);
	else if (many > 1)
		fray_writef(f, FRAY_PLAIN, "They have declared for round %lld. This line counts when they are next asked.\n", (long long)round);
}

/* Whoever is down, gone or asleep when the line is typed: nothing may ever come of it. */
static void says_unable(struct fray *f, const struct node *line)
{
	for (int i = 0; i < f->program->lives[KIND_COMBATANT]; i++) {
		struct buf over = {0};
		if (!covers(f, line, i) || reason_able(f, i))
			continue;
		const char *name = f->program->live[KIND_COMBATANT][i].name;
		if (explain_came_over_told(f->program, vm_trace(f->vm), vm_block(f->vm), i, &over))
			fray_writef(f, FRAY_PLAIN, "%s. This line counts if %s can act again.\n",
				buf_text(&over), name);
		else
			fray_writef(f, FRAY_PLAIN, "%s cannot act now. This line counts if that changes.\n",
				name);
		buf_free(&over);
	}
}

void replaced_tell(struct fray *f, const struct node *line)
{
	const struct program *p = f->program;
	if (line->kind == N_KIND_MOMENT && line->name == f->model.w.round &&
		line->num == vm_block(f->vm)[p->field[p->at.round_number].base])
		for (const struct node *x = line->a; x; x = x->next)
			replaced_tell(f, x);
	if (line->kind != N_KIND_N_SAY || line->d || f->answers == FRAY_JSON || vm_block(f->vm)[H_STAGE] == WORLD_OVER)
		return;
	for (int32_t i = p->lines - 1; i >= 0; i--) {
		size_t length;
		const enum replaces what = replaces(f, line, &p->line[i]);
		if (what == REPLACES_NOT)
			continue;
		const char *text = sources_text(&f->sources, p->line[i].span, &length);
		fray_writef(f, FRAY_PLAIN, "%s: %.*s\n", what == REPLACES_ALL ? "This replaces" : "For those it names this replaces", (int)length, text);
		break; /* that one replaced those before it */
	}
	says_when(f, line);
	says_unable(f, line);
}
