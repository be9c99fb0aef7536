/* altered.c - what would have happened instead, read from the log of the fight as it was played on with another die: the number that
 * was left, the miss in place of the hit, what somebody would have done or suffered. See otherwise.h. */
#include <string.h>

#include "lang/api/otherwise.h"
#include "runtime/explain/event.h"
#include "runtime/explain/explain.h"
#include "runtime/world/block.h"

enum { DEEDS_MOST = 12 };

/* Somebody's name is the whole subject of what is told. */
static bool is_subject(const struct program *p, const char *text, word who)
{
	size_t subject, verb;
	const char *name = who == NONE ? "" : p->live[KIND_COMBATANT][who].name;
	return *name && english_split(p, text, &subject, &verb) && subject == strlen(name) && !strncmp(text, name, subject);
}

static bool happened(const struct record *r)
{
	return r->kind == REC_EVENT && !r->dropped && r->text >= 0 && r->flag != EVENT_VOIDED && r->flag != EVENT_STOPPED && r->flag != EVENT_REPLACED;
}

/* " in segment 5", " of round 2", where they are others than those of the record asked about. */
static void moment_add(const struct log *l, int32_t number, const struct altered *a, struct buf *out)
{
	const struct record r = *log_at(l, number);
	struct buf when = {0};
	const bool moment = log_moment(l, number, &when), round = r.round != a->round;
	if (moment && (round || r.time != a->time))
		buf_printf(out, " in %s", buf_text(&when));
	if (round && r.round > 0)
		buf_printf(out, moment ? " of round %d" : " in round %d", r.round);
	buf_free(&when);
}

/* Something somebody does or suffers, that is worth telling: no waiting, no part of a blow. */
static bool is_deed(const struct log *l, const struct record *r, word who)
{
	const struct event_info *e = &l->p->event[r->what];
	if (!happened(r) || e->waiting || e->idle || !is_subject(l->p, trace_text_at(l->t, r->text), who))
		return false;
	return e->action || e->roles == 1;
}

/* A miss where there was a hit: between the same two, in the same moment. */
static bool in_its_place(const struct log *l, const struct altered *a, int32_t number, word actor, word target)
{
	const struct record r = *log_at(l, number);
	struct vtype type;
	const word *v;
	if (!happened(&r) || r.what == a->event || l->p->event[r.what].action || l->p->event[r.what].roles != l->p->event[a->event].roles)
		return false;
	return r.round == a->round && r.time == a->time && log_actor(l, &r) == actor && log_target(l, &r, &type, &v) && type.base == VT_LIVE && *v == target;
}

void altered_asked(const struct log *l, const struct otherwise *q, struct altered *a)
{
	const struct record *r = q->record >= 0 ? log_at(l, q->record) : NULL;
	int32_t from;
	a->event = q->event;
	a->field = -1;
	a->round = r ? r->round : 0;
	a->time = r ? r->time : NONE;
	if (!r || r->kind != REC_EVENT || q->sort != OTHERWISE_EVENT)
		return;
	a->event = r->what;
	const int32_t clause = event_is_act(l, q->record) ? -1 : event_whenever(l, q->record, &from), change = clause >= 0 ? event_change(l, from, clause) : -1;
	if (change < 0)
		return;
	r = log_at(l, change);
	const struct field_info *f = &l->p->field[r->what];
	if (r->owner == q->who && f->kind == KIND_COMBATANT && !f->hidden && vtype_is_number(f->type) && !f->type.frac && f->type.base == VT_NUMBER)
		a->field = r->what;
}

/* "orc #1 would have had 1 hit point left" */
static void left_add(const struct log *l, const struct otherwise *q, const word *start, int32_t from, struct altered *a)
{
	const struct field_info *f = &l->p->field[a->field];
	word left = start[f->base + (uint32_t)q->who * f->stride];
	for (int32_t i = from; i < l->t->n; i++) {
		const struct record *r = trace_look(l->t, i);
		if (r->round > a->round || (r->round == a->round && a->time != NONE && r->time != NONE && r->time > a->time))
			break;
		if (r->kind == REC_CHANGE && !r->dropped && r->flag != 1 && r->what == a->field && r->owner == q->who)
			left = r->value;
	}
	if (left == NONE || left <= 0)
		return;
	const size_t n = strlen(f->name);
	program_live(l->p, KIND_COMBATANT, q->who, &a->left);
	buf_printf(&a->left, " would have had %lld %.*s left", (long long)left, (int)(left == 1 && n > 1 && f->name[n - 1] == 's' ? n - 1 : n), f->name);
}

bool altered_answers(const struct log *l, const struct otherwise *q, int32_t number)
{
	const struct record r = *trace_look(l->t, number);
	if (r.kind != REC_EVENT || r.flag != EVENT_DONE ||
		!explain_is(l->p, l->t, number, q->event, q->who, q->whom))
		return false;
	if (!q->asked)
		return true;
	return (q->asked->round <= 0 || r.round == q->asked->round) &&
		(q->asked->thing.n == 0 || event_about_things(l, q->asked, number));
}

void altered_gather(const struct log *l, const struct otherwise *q, const word *start, int32_t end,
	int past, struct altered *a)
{
	const int32_t from = (int32_t)start[H_TRACE];
	if (q->sort == OTHERWISE_EVENT && a->field >= 0)
		left_add(l, q, start, from, a);
	for (int32_t i = from; i < end && a->deed.n < DEEDS_MOST; i++) {
		const struct record r = *log_at(l, i);
		struct told_deed one;
		memset(&one, 0, sizeof one);
		one.round = r.round;
		one.time = r.time;
		if (q->sort == OTHERWISE_EVENT && r.kind == REC_EVENT && a->event >= 0 && q->whom != NONE && in_its_place(l, a, i, q->who, q->whom))
			one.place = true;
		else if (!(q->sort == OTHERWISE_EVENT && r.kind == REC_EVENT && r.what >= 0 && is_deed(l, &r, q->who)) &&
				 !(q->sort == OTHERWISE_NOT && altered_answers(l, q, i) && past-- <= 0))
			continue;
		if (r.text >= 0)
			buf_puts(&one.text, trace_text_at(l->t, r.text));
		english_event(l, i, MOOD_WOULD, &one.would);
		moment_add(l, i, a, &one.would);
		VEC_PUSH(a->deed, one);
		if (q->sort == OTHERWISE_NOT)
			break;
	}
}

static void deed_free(struct told_deed *d)
{
	buf_free(&d->text);
	buf_free(&d->would);
}

void altered_sift(const struct log *l, const struct otherwise *q, int32_t from, struct altered *a)
{
	int kept = 0;
	for (int k = 0; k < a->deed.n; k++) {
		struct told_deed *d = &a->deed.v[k];
		bool old = false;
		for (int32_t i = from; i < l->t->n && !old && q->sort == OTHERWISE_EVENT; i++) {
			const struct record *r = trace_look(l->t, i);
			old = happened(r) && r->round == d->round && !strcmp(trace_text_at(l->t, r->text), buf_text(&d->text)) &&
			      (!d->place || (r->time == d->time && log_actor(l, log_at(l, i)) == q->who));
		}
		if (old)
			deed_free(d);
		else
			a->deed.v[kept++] = *d;
	}
	a->deed.n = kept;
}

void altered_free(struct altered *a)
{
	for (int i = 0; i < a->deed.n; i++)
		deed_free(&a->deed.v[i]);
	VEC_FREE(a->deed);
	lines_free(&a->now);
	lines_free(&a->then);
	buf_free(&a->is);
	buf_free(&a->die);
	buf_free(&a->when);
	buf_free(&a->left);
}

/* ---- when the die fell ---- */

void altered_moment(const struct log *l, int32_t roll, int32_t about, struct altered *a)
{
	const struct record r = *log_at(l, roll);
	const int32_t round = about >= 0 ? log_at(l, about)->round : l->t->n ? trace_look(l->t, l->t->n - 1)->round : 0;
	const word time = about >= 0 ? log_at(l, about)->time : NONE;
	a->nth = a->of = 0;
	/* several of this name in that moment */
	for (int32_t i = roll; i >= 0 && trace_look(l->t, i)->round == r.round; i--) {
		const struct record *x = trace_look(l->t, i);
		const bool same = x->kind == REC_ROLL && !x->dropped && x->what == r.what && x->owner == r.owner && x->time == r.time;
		a->nth += same;
		a->of += same;
	}
	for (int32_t i = roll + 1; i < l->t->n && trace_look(l->t, i)->round == r.round; i++) {
		const struct record *x = trace_look(l->t, i);
		a->of += x->kind == REC_ROLL && !x->dropped && x->what == r.what && x->owner == r.owner && x->time == r.time;
	}
	if (r.round == round && (r.time == time || r.act < 0))
		return;
	struct buf when = {0};
	if (r.act < 0) {
		if (r.round > 0)
			buf_printf(&when, "round %d", r.round);
	} else if (r.round == round)
		log_moment(l, roll, &when);
	else
		answer_when(l, roll, &when);
	if (when.length)
		buf_printf(&a->when, " in %s", buf_text(&when));
	buf_free(&when);
}
