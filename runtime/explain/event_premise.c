/* event_premise.c - a question about an event that never happened: that is said, and what happened in its place. See event.h. */
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"
#include "runtime/explain/explain.h"
#include "runtime/explain/sum.h"

enum { EACH_MOST = 6 };

/* Between them, decided by the same comparison: a miss, where a hit is asked for. */
static int32_t instead_of(const struct inquiry *s, const struct question *q, word who)
{
	const struct log *l = &s->log;
	if (q->event < 0 || l->p->event[q->event].action)
		return -1;
	for (int32_t i = s->end - 1; i >= 0; i--) {
		const struct record *r = trace_look(l->t, i);
		if (r->kind != REC_EVENT || r->dropped || r->text < 0 || r->what == q->event || l->p->event[r->what].action || l->p->event[r->what].roles != l->p->event[q->event].roles)
			continue;
		bool so = q->whom.n == 0 && explain_is(l->p, l->t, i, r->what, who, NONE);
		for (int k = 0; k < q->whom.n && !so; k++)
			so = explain_is(l->p, l->t, i, trace_look(l->t, i)->what, who, q->whom.v[k]);
		if (so && event_in_time(l, q, i) && event_decided(l, i) >= 0)
			return i;
	}
	return -1;
}

bool event_at_moment(const struct log *l, const struct question *q, int32_t number)
{
	const struct record *r = log_at(l, number);
	int64_t column;
	if (q->moment == INT64_MIN)
		return true;
	if (r->time == NONE || !program_column(l->p, r->time, log_start(l, number), &column))
		return false;
	return q->bound == BOUND_BEFORE ? column < q->moment
		: q->bound == BOUND_AFTER   ? column > q->moment
									: column == q->moment;
}

const char *event_bound(const struct question *q)
{
	static const char *const said[] = {
		[BOUND_IN] = "in", [BOUND_BEFORE] = "before", [BOUND_AFTER] = "after"};
	return said[q->bound];
}

void event_asked_time(const struct program *p, const struct question *q, struct buf *out)
{
	const bool moment = q->moment != INT64_MIN && p->shown_unit >= 0 && !q->before_rounds;
	if (moment)
		buf_printf(out, " %s %s %lld", event_bound(q), p->unit[p->shown_unit].name,
			(long long)q->moment);
	if (q->round > 0)
		buf_printf(out, moment ? " of round %d" : " in round %d", q->round);
	if (q->from)
		buf_printf(out, " after round %d", q->from - 1);
	if (q->to)
		buf_printf(out, " before round %d", q->to + 1);
}

/* " attacked": behind "nobody". */
static void nobody_did(const struct program *p, int32_t event, struct buf *out)
{
	struct buf third = {0};
	if (event >= 0)
		verb_add(!strcmp(p->event[event].name, "death") ? "die" : p->event[event].name,
			&third);
	else
		buf_puts(&third, "acts");
	const size_t head = strcspn(buf_text(&third), " ");
	buf_putc(out, ' ');
	english_verb(buf_text(&third), head, TENSE_PAST, out);
	buf_puts(out, buf_text(&third) + head);
	buf_free(&third);
}

/* "Fulk's spell is spoiled", asked of one spell: "Fulk's bless is spoiled". */
static void told_of_thing(const struct program *p, const struct question *q, struct buf *out)
{
	const struct thing_info *t = q->thing.n == 1 ? &p->thing[q->thing.v[0]] : NULL;
	const char *kind = t ? p->kind[t->kind].name : NULL, *at = q->told_text;
	const char *found = kind ? strstr(at, kind) : NULL;
	if (found && found > at && found[-1] == ' ' && strchr(" ,", found[strlen(kind)]) && !strstr(at, t->name)) {
		buf_add(out, at, (size_t)(found - at));
		buf_puts(out, t->name);
		at = found + strlen(kind);
	}
	buf_puts(out, at);
}

void event_did_not(const struct inquiry *s, const struct question *q, struct buf *out)
{
	const struct program *p = s->p;
	if (q->told_text) {
		struct buf told = {0};
		told_of_thing(p, q, &told);
		const bool said = english_sentence(p, buf_text(&told), MOOD_DID_NOT, out);
		buf_free(&told);
		if (said) {
			event_asked_time(p, q, out);
			return;
		}
	}
	if (q->who.n)
		answer_people(p, q->who.v, q->who.n, out);
	else
		buf_puts(out, "nobody");
	if (q->befell && q->event >= 0) {
		struct buf third = {0};
		verb_add(p->event[q->event].name, &third);
		buf_puts(out, q->who.n > 1 ? " were not " : q->who.n ? " was not " : " was ");
		english_verb(buf_text(&third), third.length, TENSE_PARTICIPLE, out);
		buf_free(&third);
		if (q->whom.n) {
			buf_puts(out, " by ");
			answer_people(p, q->whom.v, q->whom.n, out);
		}
		event_asked_time(p, q, out);
		return;
	}
	if (q->told_verb && !strcmp(q->told_verb, "be"))
		buf_printf(out, q->who.n == 1 ? " was not %s" : " were not %s", q->told_rest);
	else if (q->who.n == 0 && !q->told_verb)
		nobody_did(p, q->event, out);
	else if (q->told_verb)
		buf_printf(out, q->who.n ? " did not %s%s%s" : " did %s%s%s", q->told_verb, *q->told_rest ? " " : "", q->told_rest);
	else
		buf_printf(out, q->who.n ? " did not %s" : " did %s", q->event < 0 ? "act" : !strcmp(p->event[q->event].name, "death") ? "die" : p->event[q->event].name);
	for (int i = 0; i < q->thing.n; i++)
		buf_printf(out, " %s", p->thing[q->thing.v[i]].name);
	if (q->whom.n) {
		buf_puts(out, q->thing.n ? " at " : " ");
		answer_people(p, q->whom.v, q->whom.n, out);
	}
	event_asked_time(p, q, out);
}

/* "; it has 4 hit points": what a condition that brings the event about looks at, as it is now. */
static void as_it_stands(const struct inquiry *s, const struct question *q, struct buf *out)
{
	const struct program *p = s->p;
	struct buf call = {0};
	if (q->event < 0 || q->who.n != 1 || p->event[q->event].action)
		return;
	buf_printf(&call, "{ %s (", p->event[q->event].name);
	for (int k = 0; k < p->whenevers && k < 63; k++) {
		const int32_t c = p->whenever[k].clause;
		if (c < 0 || !p->clause[c].text || !strstr(p->clause[c].text, buf_text(&call)))
			continue;
		for (int i = 0; i < p->fields; i++) {
			const struct field_info *f = &p->field[i];
			if (f->hidden || f->option || f->kind != KIND_COMBATANT || !(f->touches >> k & 1) || f->type.base != VT_NUMBER || f->type.frac)
				continue;
			const word value = s->world[f->base + (uint32_t)q->who.v[0] * f->stride];
			if (value == NONE)
				continue;
			buf_printf(out, ": %s has ", p->live[KIND_COMBATANT][q->who.v[0]].name);
			program_value(p, f->type, &value, out);
			buf_printf(out, " %s", f->name);
			buf_free(&call);
			return;
		}
	}
	buf_free(&call);
}

/* ---- what would have told it ---- */

static bool spans(struct span outer, struct span inner)
{
	return outer.file && outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end;
}

/* The thing whose own clause notes this of somebody: "sleep", of "falls asleep"; -1. */
static int told_by(const struct program *p, const char *telling)
{
	for (int k = 0; k < p->templates; k++) {
		const struct template_info *t = &p->template_[k];
		const char *last = t->count > 1 ? p->piece[t->first + t->count - 1].text : NULL;
		if (!last || strcmp(last, telling) != 0)
			continue;
		for (int32_t c = 0; c < p->clauses; c++)
			for (int i = 0; spans(p->clause[c].span, t->span) && i < p->things; i++)
				if (!p->kind[p->thing[i].kind].live && !strcmp(p->thing[i].name, p->clause[c].rule))
					return i;
	}
	return -1;
}

static bool has_thing(const struct log *l, int32_t number, int thing)
{
	const struct record *r = log_at(l, number);
	for (int k = 0; r->what >= 0 && r->what < l->p->events && k < l->p->event[r->what].roles; k++) {
		const word *v = l->p->event[r->what].role[k].type.base == VT_THING ? log_role(l, r, k) : NULL;
		if (v && *v == thing)
			return true;
	}
	return false;
}

bool event_source_said(const struct inquiry *s, const struct question *q, struct answer *out)
{
	const uint32_t ends = 1u << REC_VOID | 1u << REC_CANCEL | 1u << REC_REFUSED;
	const char *name = q->who.n ? s->p->live[KIND_COMBATANT][q->who.v[0]].name : "";
	const size_t n = strlen(name);
	const int thing = q->told_text && n && !strncmp(q->told_text, name, n) ? told_by(s->p, q->told_text + n) : -1;
	for (int32_t i = thing < 0 ? -1 : trace_back(s->t, s->end - 1, ends | 1u << REC_EVENT); i >= 0; i = trace_back(s->t, i - 1, ends | 1u << REC_EVENT)) {
		const struct record r = *log_at(&s->log, i);
		if (r.dropped || !has_thing(&s->log, i, thing) || !event_in_time(&s->log, q, i) || (r.kind == REC_EVENT && (r.text < 0 || s->p->event[r.what].action)))
			continue;
		buf_puts(&out->about, ": ");
		if (r.kind != REC_EVENT)
			return absence_end(s, i, out);
		event_say(s, i, &out->about, out);
		buf_puts(&out->about, ", but did not bring that about");
		return true;
	}
	return false;
}

/* What came over somebody by a condition that was met, "fell"; else whatever did, last. */
static int32_t came_over(const struct inquiry *s, word who)
{
	int32_t from;
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_EVENT); i >= 0;
		 i = trace_back(s->t, i - 1, 1u << REC_EVENT)) {
		const struct record x = *trace_look(s->t, i);
		if (!x.dropped && x.text >= 0 && x.flag == EVENT_DONE && !s->p->event[x.what].action &&
			event_people(&s->p->event[x.what]) == 1 &&
			log_actor(&s->log, log_at(&s->log, i)) == who && event_whenever(&s->log, i, &from) >= 0)
			return i;
	}
	return explain_came_over(s->p, s->t, who);
}

/* The event that was told of others as "is poisoned", where that is asked; -1. */
static int32_t event_told_so(const struct inquiry *s, const struct question *q)
{
	struct buf end = {0};
	int32_t found = q->befell ? q->event : -1;
	if (q->told_verb && !strcmp(q->told_verb, "be") && *q->told_rest)
		buf_printf(&end, " is %s", q->told_rest);
	for (int32_t i = end.length ? trace_back(s->t, s->end - 1, 1u << REC_EVENT) : -1;
		 i >= 0 && found < 0; i = trace_back(s->t, i - 1, 1u << REC_EVENT)) {
		const struct record r = *trace_look(s->t, i);
		const char *text = r.text >= 0 && !r.dropped ? trace_text_at(s->t, r.text) : "";
		const size_t n = strlen(text);
		if (n > end.length && !strcmp(text + n - end.length, buf_text(&end)))
			found = r.what;
	}
	buf_free(&end);
	return found;
}

/* ": on the spider's poison save 19 is not less than 13": the last die called after what befell
 * others, in what was done to him. */
static bool spared_by(
	const struct inquiry *s, const struct question *q, word who, struct answer *out)
{
	enum { UP = 12 };
	const struct log *l = &s->log;
	const int32_t event = who == NONE ? -1 : event_told_so(s, q);
	const char *name = event >= 0 ? s->p->event[event].name : NULL;
	for (int32_t i = name ? trace_back(s->t, s->end - 1, 1u << REC_ROLL) : -1; i >= 0;
		 i = trace_back(s->t, i - 1, 1u << REC_ROLL)) {
		const struct record r = *trace_look(s->t, i);
		if (r.dropped || !strstr(s->p->label[r.what].name, name) || !event_in_time(l, q, i))
			continue;
		bool his = false;
		int32_t up = r.parent;
		for (int k = 0; k < UP && up >= 0 && !his; k++, up = log_at(l, up)->parent) {
			struct vtype type;
			const word *target;
			const struct record *e = log_at(l, up);
			his = e->kind == REC_EVENT &&
				(log_actor(l, e) == who ||
					(log_target(l, e, &type, &target) && type.base == VT_LIVE &&
						type.kind == KIND_COMBATANT && *target == who));
		}
		struct sum sum;
		const int32_t test = his ? sum_after(l, i) : -1;
		if (test < 0 || !sum_read(l, test, &sum))
			continue;
		buf_puts(&out->about, ": on ");
		log_label(l, &r, &out->about);
		buf_putc(&out->about, ' ');
		sum_compared(l, &sum, &out->about);
		sum_figures(l, &sum, "", out);
		answer_rule_of(s->p, out, r.clause);
		return true;
	}
	return false;
}

bool event_not_so(const struct inquiry *s, const struct question *q, struct answer *out)
{
	const word who = q->who.n ? q->who.v[0] : NONE;
	const int32_t other = instead_of(s, q, who);
	/* an act that was not done: the first obstacle */
	if (other < 0 && q->who.n == 1 && q->event >= 0 && s->p->event[q->event].action && !q->thing.n && absence_told(s, q, who, out))
		return true;
	/* a condition that was never met: what is left of it */
	struct answer left, fate;
	memset(&left, 0, sizeof left);
	memset(&fate, 0, sizeof fate);
	const bool out_of_it = who != NONE && absence_unable(s, who, s->end, 0, -1, &fate);
	answer_free(&fate);
	if (other < 0 && !out_of_it && q->who.n == 1 && q->event >= 0 && !s->p->event[q->event].action && s->p->event[q->event].roles == 1 &&
		absence_outcome(s, q, who, &left)) {
		event_did_not(s, q, &out->about);
		buf_printf(&out->about, ": %s", buf_text(&left.about));
		answer_figures_from(out, &left);
		answer_rules_from(s->p, out, &left);
		answer_free(&left);
		return true;
	}
	answer_free(&left);
	event_did_not(s, q, &out->about);
	if (spared_by(s, q, who, out)) {
		event_stop(s->p, &out->about);
		return true;
	}
	if (q->event < 0 && event_source_said(s, q, out)) {
		event_stop(s->p, &out->about);
		return true;
	}
	if (other >= 0) {
		buf_puts(&out->about, ": ");
		event_say(s, other, &out->about, out);
	} else {
		/* what he did to somebody else, or somebody else to that one */
		struct question near = *q;
		int n = 0;
		near.round = 0;
		near.moment = INT64_MIN;
		int32_t r = q->round ? event_last(s, &near, who, &n) : -1;
		near.whom.n = 0;
		if (r < 0 && q->whom.n)
			r = event_last(s, &near, who, &n);
		near.whom = q->whom;
		near.thing.n = r < 0 && q->thing.n && !q->whom.n ? 0 : q->thing.n;
		if (r < 0 && near.thing.n != q->thing.n)
			r = event_last(s, &near, who, &n);
		near.thing.n = q->thing.n;
		if (r < 0 && q->who.n && q->event >= 0 && s->p->event[q->event].action)
			r = event_last(s, &near, NONE, &n);
		/* it fell, if it did not die */
		if (r < 0 && q->who.n == 1 && (q->told_verb || (q->event >= 0 && !s->p->event[q->event].action)))
			r = came_over(s, who);
		if (r >= 0) {
			buf_puts(&out->about, ": ");
			event_say(s, r, &out->about, out);
		} else {
			as_it_stands(s, q, &out->about);
		}
		for (int i = 0; i < q->who.n && q->who.n > 1 && r < 0 && i < EACH_MOST; i++) {
			struct buf one = {0};
			const int32_t fate_of = came_over(s, q->who.v[i]);
			if (fate_of >= 0) {
				if (!out->figure.n)
					buf_puts(&out->about, "; this came over them:");
				event_say(s, fate_of, &one, NULL);
				answer_figure(out, fate_of, -1, "%s", buf_text(&one));
			}
			buf_free(&one);
		}
	}
	if (out->about.data[out->about.length - 1] != ':')
		event_stop(s->p, &out->about);
	answer_capital(s->p, &out->about, 0);
	return true;
}
