/* ledger.c - entries of what was taken and what was given back. See ledger.h. */
#include "runtime/explain/ledger.h"

#include "runtime/explain/event.h"

enum { UP_MOST = 16 };

static bool among(const people *p, word who)
{
	for (int i = 0; i < p->n; i++)
		if (p->v[i] == who)
			return true;
	return p->n == 0;
}

static bool is_person(struct vtype t)
{
	return t.base == VT_LIVE && t.kind == KIND_COMBATANT;
}

/* A thing in a role of an event; -1. */
static int32_t thing_in(const struct log *l, int32_t number)
{
	const struct record *r = log_at(l, number);
	for (int k = 0; r->kind == REC_EVENT && k < l->p->event[r->what].roles; k++) {
		const word *v =
			l->p->event[r->what].role[k].type.base == VT_THING ? log_role(l, r, k) : NULL;
		if (v && *v != NONE && *v >= 0)
			return (int32_t)*v;
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
		} else if (v && !much && vtype_is_number(e->role[k].type) && !e->role[k].type.frac) {
			out->meant = *v;
			much = true;
		}
	}
	out->record = number;
	out->amount = t->given ? changed_below(l, number, out->to) : out->meant;
	return to && much;
}

/* A rise that no event of the topic's own has brought: a spell that a script wrote. */
static bool by_change(
	const struct log *l, const struct ledger_topic *t, int32_t number, struct ledger_entry *out)
{
	const struct record r = *log_at(l, number);
	const word *old = trace_values_at(l->t, log_at(l, number));
	if (t->field < 0 || r.what != t->field || r.dropped || r.flag || !old || old[0] == NONE ||
		r.value == NONE || r.value <= old[0] || r.parent < 0 ||
		log_at(l, r.parent)->kind != REC_EVENT || log_at(l, r.parent)->what == t->event)
		return false;
	out->record = number;
	out->to = r.owner;
	out->amount = out->meant = r.value - old[0];
	return event_doing(l, number, NONE) >= 0;
}

void ledger_read(const struct inquiry *s, const struct ledger_question *q, ledger *out)
{
	const struct log *l = &s->log;
	for (int32_t i = 0; i < s->end; i++) {
		const int kind = trace_look(s->t, i)->kind;
		struct ledger_entry e = {.record = -1, .doing = -1, .by = NONE, .to = NONE, .thing = -1};
		const bool so = kind == REC_EVENT ? by_event(l, &q->topic, i, &e)
			: kind == REC_CHANGE      ? by_change(l, &q->topic, i, &e)
						  : false;
		if (!so || !among(&q->to, e.to) || !event_in_time(l, q->when, i))
			continue;
		done_by(l, &e);
		if (among(&q->by, e.by) && (q->thing < 0 || e.thing == q->thing))
			VEC_PUSH(*out, e);
	}
}
