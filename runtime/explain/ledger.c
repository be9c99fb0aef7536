/* ledger.c - entries of what was taken and what was given back. See ledger.h. */
#include "runtime/explain/ledger.h"

#include "runtime/explain/event.h"

enum { UP_MOST = 16 };

static bool is_person(struct vtype t)
{
	return t.base == VT_LIVE && t.kind == KIND_COMBATANT;
}

int32_t ledger_thing_named(const struct program *p, struct vtype type, const word *value)
{
	if (!value || *value == NONE || *value < 0)
		return -1;
	if (type.base == VT_THING)
		return *value < p->things ? (int32_t)*value : -1;
	return type.base == VT_LIVE && type.kind > KIND_ACT && *value < p->lives[type.kind]
		? p->live[type.kind][*value].thing
		: -1;
}

/* A thing in a role of an event; -1. */
static int32_t thing_in(const struct log *l, int32_t number)
{
	const struct record *r = log_at(l, number);
	for (int k = 0; r->kind == REC_EVENT && k < l->p->event[r->what].roles; k++) {
		const int32_t thing = ledger_thing_named(
			l->p, l->p->event[r->what].role[k].type, log_role(l, r, k));
		if (thing >= 0)
			return thing;
	}
	return -1;
}

/* What a CHANGE of that field below an event came to; 0: it changed nothing. */
static int64_t changed_below(const struct log *l, int32_t event, word who)
{
	for (int32_t i = log_child(l, event); i >= 0; i = log_sibling(l, i)) {
		const struct record r = *log_at(l, i);
		const word *old = r.kind == REC_CHANGE ? trace_values_at(l->t, log_at(l, i)) : NULL;
		if (!old || r.dropped || r.flag == 1 || r.owner != who || r.value == NONE ||
			old[0] == NONE || l->p->field[r.what].type.base != VT_NUMBER)
			continue;
		return r.value > old[0] ? r.value - old[0] : old[0] - r.value;
	}
	return 0;
}

/* Who did it, and with what: told around it. */
static void done_by(const struct log *l, struct ledger_entry *e)
{
	e->doing = event_doing(l, e->record, e->to);
	e->by = e->doing >= 0 ? log_actor(l, log_at(l, e->doing)) : NONE;
	e->thing = log_at(l, e->record)->kind == REC_EVENT ? thing_in(l, e->record) : -1;
	int32_t i = log_at(l, e->record)->parent;
	for (int up = 0; i >= 0 && up < UP_MOST && (e->thing < 0 || e->by == NONE); up++) {
		if (e->thing < 0)
			e->thing = thing_in(l, i);
		if (log_at(l, i)->kind == REC_EVENT && event_is_told(l, i) && e->doing < 0) {
			e->doing = i; /* his own doing: he regenerates */
			e->by = log_actor(l, log_at(l, i));
		}
		i = log_at(l, i)->parent;
	}
}

static bool by_event(
	const struct log *l, const struct ledger_topic *t, int32_t number, struct ledger_entry *out)
{
	const struct record r = *log_at(l, number);
	const struct event_info *e = r.what == t->event ? &l->p->event[r.what] : NULL;
	bool to = false, much = false;
	if (!e || r.dropped || r.flag != EVENT_DONE)
		return false;
	for (int k = 0; k < e->roles; k++) {
		const word *v = log_role(l, log_at(l, number), k);
		if (v && !to && is_person(e->role[k].type)) {
			out->to = *v;
			to = true;
		} else if (v && !much && vtype_is_number(e->role[k].type) &&
			!e->role[k].type.frac) {
			out->meant = *v;
			much = true;
		}
	}
	out->record = number;
	out->amount = t->given ? changed_below(l, number, out->to) : out->meant;
	return to && much;
}

/* Does an event of the topic's own stand around a record? */
static bool is_within(const struct log *l, int32_t event, int32_t number)
{
	int32_t i = log_at(l, number)->parent;
	for (int up = 0; i >= 0 && up < UP_MOST; up++, i = log_at(l, i)->parent)
		if (log_at(l, i)->kind == REC_EVENT && log_at(l, i)->what == event)
			return true;
	return false;
}

/* A rise or a fall that no event of the topic's own has brought: a spell that a script wrote. */
static bool by_change(
	const struct log *l, const struct ledger_topic *t, int32_t number, struct ledger_entry *out)
{
	const struct record r = *log_at(l, number);
	const word *old = trace_values_at(l->t, log_at(l, number));
	if (t->field < 0 || r.what != t->field || r.dropped || r.flag || !old || old[0] == NONE ||
		r.value == NONE || r.parent < 0 ||
		(t->given ? r.value <= old[0] : r.value >= old[0]) ||
		is_within(l, t->event, number))
		return false;
	out->record = number;
	out->to = r.owner;
	out->amount = out->meant = t->given ? r.value - old[0] : old[0] - r.value;
	return event_doing(l, number, NONE) >= 0;
}

void ledger_read(const struct inquiry *s, const struct ledger_question *q, ledger *out)
{
	const struct log *l = &s->log;
	for (int32_t i = 0; i < s->end; i++) {
		const int kind = trace_look(s->t, i)->kind;
		struct ledger_entry e = {
			.record = -1, .doing = -1, .by = NONE, .to = NONE, .thing = -1};
		const bool so = kind == REC_EVENT ? by_event(l, &q->topic, i, &e)
			: kind == REC_CHANGE      ? by_change(l, &q->topic, i, &e)
						  : false;
		if (!so || !people_fit(&q->to, e.to) || !event_in_time(l, q->when, i))
			continue;
		done_by(l, &e);
		/* what is lost without damage counts as such only by a thing: not bleeding, not a
		 * death */
		if (kind == REC_CHANGE && !q->topic.given && (e.thing < 0 || e.by == e.to))
			continue;
		if (people_fit(&q->by, e.by) && (q->thing < 0 || e.thing == q->thing))
			VEC_PUSH(*out, e);
	}
}
