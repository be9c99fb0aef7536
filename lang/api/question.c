/* question.c - see question.h. */
#include "lang/api/question.h"

#include <string.h>
#include <strings.h>

#include "lang/check/scene.h"
#include "runtime/explain/event.h"
#include "runtime/explain/explain.h"
#include "runtime/world/block.h"

/* ---- who ---- */

word question_side(const struct fray *f, int combatant)
{
	const struct field_info *side = &f->program->field[f->program->at.combatant_side];
	return vm_block(f->vm)[side->base + (uint32_t)combatant * side->stride];
}

/* Those a name means: one, all of a sort ("orcs"), a side. */
void question_named(struct fray *f, sym name, people *out, word *out_side)
{
	const struct program *p = f->program;
	const char *text = model_text(&f->model, name);
	size_t n = strlen(text);
	int before = out->n;
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++)
		if (intern_word(f->names, p->live[KIND_COMBATANT][i].name) == name) {
			VEC_PUSH(*out, i);
			return;
		}
	for (int i = 0; i < p->lives[KIND_SIDE]; i++)
		if (intern_word(f->names, p->live[KIND_SIDE][i].name) == name) {
			*out_side = i;
			for (int k = 0; k < p->lives[KIND_COMBATANT]; k++)
				if (question_side(f, k) == i)
					VEC_PUSH(*out, k);
			return;
		}
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++) {
		const char *live = p->live[KIND_COMBATANT][i].name;
		if (!strncasecmp(live, text, n) && !strncmp(live + n, " #", 2))
			VEC_PUSH(*out, i);
	}
	if (out->n > before || n < 2 || text[n - 1] != 's')
		return;
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++) {
		const char *live = p->live[KIND_COMBATANT][i].name;
		if (!strncasecmp(live, text, n - 1) && !strncmp(live + n - 1, " #", 2))
			VEC_PUSH(*out, i);
	}
}

static void add_people(struct fray *f, const struct node *n, people *out, word *side)
{
	for (; n; n = n->next) {
		const struct node *x = n;
		while (x && x->kind == N_KIND_E_FIELD) /* "Halvaine's spell" */
			x = x->a;
		if (x && x->kind == N_KIND_E_NAME)
			question_named(f, model_alias(&f->model, x->name), out, side);
	}
}

static void add_things(struct fray *f, const struct node *n, struct question *q)
{
	const struct program *p = f->program;
	for (; n; n = n->next)
		for (int i = 0; n->kind == N_KIND_E_NAME && i < p->things; i++)
			if (p->kind[p->thing[i].kind].live == false && intern_word(f->names, p->thing[i].name) == model_alias(&f->model, n->name))
				VEC_PUSH(q->thing, i);
}

word question_who(struct fray *f, const struct node *n)
{
	people all = {0};
	word side, who;
	if (!n)
		return NONE;
	struct node one = *n;
	one.next = NULL;
	add_people(f, &one, &all, &side);
	who = all.n ? all.v[0] : NONE;
	VEC_FREE(all);
	return who;
}

static word first(const people *p)
{
	return p->n ? p->v[0] : NONE;
}

/* ---- when ---- */

static void in_moment(struct fray *f, const struct node *m, struct question *q)
{
	if (!m || m->kind != N_KIND_E_MOMENT)
		return;
	if (m->name == f->model.w.round)
		q->round = (int32_t)m->num;
	else
		q->moment = m->num;
	/* "surprise segment 1": a moment that is not of a round */
	const char *unit = f->program->shown_unit >= 0 ? f->program->unit[f->program->shown_unit].name : NULL;
	q->before_rounds = m->name != f->model.w.round && unit && strcmp(model_text(&f->model, m->name), unit) != 0;
}

static void said_when(struct fray *f, const struct node *n, struct question *q)
{
	for (const struct node *p = n->d; p; p = p->next) {
		const char *prep = model_text(&f->model, p->name);
		word side;
		if (!strcmp(prep, "in")) {
			in_moment(f, p->a, q);
		} else if (!strcmp(prep, "before") || !strcmp(prep, "after")) {
			q->kind = ASK_ORDER;
			q->order = *prep == 'b' ? ASKED_BEFORE : ASKED_AFTER;
			add_people(f, p->a, &q->other, &side);
		}
	}
	if (q->kind == ASK_EVENT && q->event < 0 && q->moment != INT64_MIN)
		q->kind = ASK_ORDER;
}

/* ---- which records ---- */

/* Two acts of different rounds are no order: the last round in which both acted is meant. */
static void same_round(struct fray *f, struct question *q)
{
	const struct trace *t = vm_trace(f->vm);
	int32_t a = q->record, b = q->other_record;
	while (a >= 0 && b >= 0 && trace_get(t, a)->round != trace_get(t, b)->round) {
		bool later = trace_get(t, a)->round > trace_get(t, b)->round;
		int32_t *back = later ? &a : &b;
		for (--*back; *back >= 0; --*back)
			if (later ? explain_is(f->program, t, a, q->event, first(&q->who), first(&q->whom)) : explain_is(f->program, t, b, -1, first(&q->other), NONE))
				break;
	}
	if (a >= 0 && b >= 0) {
		q->record = a;
		q->other_record = b;
	}
}

/* Does a clause, as it is written, call an event: "strike (actor, target, weapon)"? */
static bool calls(const char *text, const char *event)
{
	const size_t n = strlen(event);
	for (const char *at = strstr(text, event); at; at = strstr(at + 1, event))
		if ((at == text || at[-1] == ' ') && !strncmp(at + n, " (", 2))
			return true;
	return false;
}

/* What an act upon somebody is and nothing more: of "attack (target) with (weapon)" the strike. A
 * charge comes to one as well. -1: it is no such act. */
static int32_t blow_of(const struct fray *f, int32_t event)
{
	const struct model *m = &f->model;
	const struct program *p = f->program;
	const int does = event >= 0 && event < m->event.n ? m->event.v[event].does : -1;
	const int clause = does >= 0 ? m->clause.v[does].program : -1;
	const char *text = clause >= 0 && clause < p->clauses ? p->clause[clause].text : NULL;
	int32_t blow = -1;
	if (!text || p->event[event].roles < 2 || p->event[event].role[1].type.base != VT_LIVE ||
		p->event[event].role[1].type.kind != KIND_COMBATANT)
		return -1;
	for (int32_t i = 0; i < p->events; i++)
		if (calls(text, p->event[i].name)) {
			if (blow >= 0)
				return -1;
			blow = i;
		}
	return blow >= 0 && event_people(&p->event[blow]) > 1 ? blow : -1;
}

void question_records(struct fray *f, struct question *q)
{
	q->blow = blow_of(f, q->event);
	const struct trace *t = vm_trace(f->vm);
	const word who = first(&q->who), whom = first(&q->whom);
	switch (q->kind) {
	case ASK_EVENT:
		q->record = explain_find(f->program, t, q->event, who, whom);
		break;
	case ASK_NOT:
		q->record = explain_find_not(f->program, t, q->event, who, whom);
		break;
	case ASK_ORDER:
		q->record = explain_find(f->program, t, q->event, who, whom);
		q->other_record = q->other.n ? explain_find(f->program, t, -1, first(&q->other), NONE) : -1;
		same_round(f, q);
		break;
	default:
		break;
	}
}

void question_clear(struct question *q)
{
	memset(q, 0, sizeof *q);
	q->text = "";
	q->event = q->blow = q->record = q->other_record = q->field = -1;
	q->who_side = q->owner = NONE;
	q->moment = INT64_MIN;
}

bool question_is_value(struct fray *f, const char *name)
{
	const sym s = intern_find(f->names, name, strlen(name));
	for (int i = 0; i < f->model.field.n && s; i++)
		if (f->model.field.v[i].name == s)
			return true;
	for (int i = 0; i < f->model.question.n && s; i++)
		if (f->model.question.v[i].name == s)
			return true;
	return false;
}

void question_read(struct fray *f, const struct node *n, struct question *q)
{
	word side;
	question_clear(q);
	q->negated = (n->num & WHY_NOT) != 0;
	const struct node *a = n->a;
	if (!a) {
		q->kind = ASK_EVENT;
		q->record = explain_last(f->program, vm_trace(f->vm));
		q->event = q->record >= 0 ? trace_get(vm_trace(f->vm), q->record)->what : -1;
		return;
	}
	if (a->kind != N_KIND_N_EXPECT_SAY) {
		const struct node *is = a->kind == N_KIND_E_NOT ? a->a : a;
		q->kind = is && is->kind == N_KIND_E_IS ? ASK_STATE : ASK_VALUE;
		if (q->kind == ASK_STATE) {
			q->negated ^= (a->kind == N_KIND_E_NOT) ^ (is->num & 1);
			q->name = is->b && is->b->kind == N_KIND_E_NAME ? model_text(&f->model, is->b->name) : NULL;
		}
		add_people(f, q->kind == ASK_STATE ? is->a : a, &q->who, &q->who_side);
		return;
	}
	q->negated |= (a->num & 1) != 0;
	q->kind = q->negated ? ASK_NOT : ASK_EVENT;
	q->event = a->name == f->model.w.acts_verb ? -1 : model_event(&f->model, a->name);
	add_people(f, a->a, &q->who, &q->who_side);
	add_people(f, a->b, &q->whom, &side);
	add_things(f, a->b, q);
	for (const struct node *p = a->d; p; p = p->next)
		if (!strcmp(model_text(&f->model, p->name), "with"))
			add_things(f, p->a, q);
		else if (strcmp(model_text(&f->model, p->name), "before") && strcmp(model_text(&f->model, p->name), "after"))
			add_people(f, p->a, &q->whom, &side);
	said_when(f, a, q);
	question_records(f, q);
}

/* A name of somebody, of all of a sort, of a thing, or a word that a value may be. */
static bool name_known(struct fray *f, const struct node *x)
{
	static const char *const anybody[] = {"anybody", "anyone", "somebody", "someone", "nobody", "everybody", "everyone", "enemies", "friends", "foes", "allies"};
	const struct model *m = &f->model;
	people found = {0};
	word side = NONE;
	if (x->kind != N_KIND_E_NAME)
		return true;
	for (size_t i = 0; i < FRAY_COUNT(anybody); i++)
		if (!strcmp(model_text(m, x->name), anybody[i]))
			return true;
	question_named(f, model_alias(m, x->name), &found, &side);
	const bool known = found.n || side != NONE || model_thing(m, model_alias(m, x->name), -1) >= 0 || model_kind(m, x->name) >= 0;
	VEC_FREE(found);
	return known;
}

bool question_sound(struct fray *f, struct node *n)
{
	struct model *m = &f->model;
	struct node *say = n->a;
	if (!say || say->kind != N_KIND_N_EXPECT_SAY)
		return true;
	scene_enter(m, f->encounter);
	const bool verb = say->name == m->w.acts_verb || model_event(m, say->name) >= 0 || adjective_said(m, say);
	if (!verb)
		report_verb(m, say);
	scene_leave(m);
	for (int k = 0; k < 3 && verb; k++)
		for (const struct node *p = k == 0 ? say->a : k == 1 ? say->b : say->d; p; p = p->next) {
			const struct node *x = k == 2 ? p->a : p;
			for (; x; x = k == 2 ? x->next : NULL)
				if (!name_known(f, x)) {
					diag_report(&f->sink, M_NO_NAME, x->span, 1, model_text(m, x->name));
					return false;
				}
		}
	return verb;
}

void question_free(struct question *q)
{
	VEC_FREE(q->who);
	VEC_FREE(q->whom);
	VEC_FREE(q->by);
	VEC_FREE(q->other);
	VEC_FREE(q->thing);
}
