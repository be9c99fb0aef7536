/* order_void.c - the order of an act that came to nothing: it had its place, or was under way, when something
 * came over whoever was to do it. Where it would have come is told, and then what became of it. See placing.h. */
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/placing.h"

/* ---- placed, and void when its turn came ---- */

void order_voided(const struct inquiry *s, const people *who, int32_t round, placings *out)
{
	for (int32_t i = 0; i < s->end; i++) {
		const struct record *r = trace_look(s->t, i);
		if (r->kind != REC_EVENT || r->dropped || r->flag != EVENT_VOIDED || (round >= 0 && r->round != round))
			continue;
		if (!people_has(who, log_actor(&s->log, log_at(&s->log, i))))
			continue;
		struct placing one;
		placing_of(&s->log, i, &one);
		one.unmade = true;
		if (one.key >= 0)
			VEC_PUSH(*out, one);
	}
}

void order_fate(const struct inquiry *s, const struct placing *a, struct answer *out)
{
	struct answer fate;
	memset(&fate, 0, sizeof fate);
	buf_putc(&out->about, ' ');
	absence_name(s, a->who, &out->about);
	buf_putc(&out->about, ' ');
	if (absence_unable(s, a->who, a->event, 0, -1, &fate))
		buf_printf(&out->about, "%s, and so did not act.", buf_text(&fate.about));
	else
		buf_puts(&out->about, "did not get to it.");
	answer_free(&fate);
}

/* ---- under way, and cancelled ---- */

/* The time that an act had when it was cancelled; NONE. */
static word cancelled_time(const struct inquiry *s, int32_t cancel)
{
	const struct record r = *log_at(&s->log, cancel);
	const struct event_info *e = &s->p->event[r.what];
	const word *v = trace_values_at(s->t, &r);
	return v && r.value_count > e->words ? v[e->words] : NONE;
}

/* The last act of theirs that was under way, due at a time, and cancelled: its CANCEL record; -1. */
static int32_t cancelled(const struct inquiry *s, const people *who, int32_t round)
{
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_CANCEL); i >= 0; i = trace_back(s->t, i - 1, 1u << REC_CANCEL)) {
		const struct record *r = log_at(&s->log, i);
		const bool theirs = !r->dropped && (round < 0 || r->round == round) &&
			people_has(who, log_actor(&s->log, r));
		/* what was never to be told is the rules' own turn-taking */
		if (!theirs || r->value < 0 || !log_is_news(&s->log, log_at(&s->log, i)))
			continue;
		r = log_at(&s->log, i);
		const struct record *begun = log_at(&s->log, (int32_t)r->value);
		if (begun->kind == REC_PEND && cancelled_time(s, i) != NONE)
			return i;
	}
	return -1;
}

/* The die that another's act was placed by would have been this one of theirs: of the same round and label. */
static int32_t die_like(const struct inquiry *s, int32_t roll, word who)
{
	const struct record d = *log_at(&s->log, roll);
	const struct label_info *label = d.what >= 0 && d.what < s->p->labels ? &s->p->label[d.what] : NULL;
	if (!label || label->owner.base != VT_LIVE)
		return -1;
	const struct field_info *side = &s->p->field[s->p->at.combatant_side];
	const word owner = label->owner.kind == KIND_SIDE ? s->world[side->base + (uint32_t)who * side->stride] : who;
	int32_t found = -1;
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_ROLL); i >= 0 && found < 0; i = trace_back(s->t, i - 1, 1u << REC_ROLL)) {
		const struct record *r = trace_look(s->t, i);
		if (!r->dropped && r->what == d.what && r->owner == owner && r->round == d.round)
			found = i;
	}
	return found;
}

/* "Mirel: 3 segments from the start of the round" */
static void due_figure(const struct inquiry *s, int32_t pend, word time, struct answer *out)
{
	const struct record r = *log_at(&s->log, pend);
	const struct record *around = r.parent >= 0 ? log_at(&s->log, r.parent) : NULL;
	const word start = log_start(&s->log, pend), begun = around && around->time != NONE ? around->time : start;
	const word delay = begun == NONE || time == NONE ? NONE : time - begun;
	const int32_t question = s->p->at.act_time_question;
	struct buf b = {0}, from = {0};
	if (question < 0 || delay == NONE || s->p->question[question].type.frac)
		return;
	absence_name(s, log_actor(&s->log, &r), &b);
	buf_puts(&b, ": due ");
	program_value(s->p, s->p->question[question].type, &delay, &b);
	if (begun == start || !program_moment(s->p, begun, start, &from))
		buf_puts(&b, " after the start of the round");
	else
		buf_printf(&b, " after %s", buf_text(&from));
	answer_figure(out, pend, r.clause, "%s", buf_text(&b));
	answer_rule_of(s->p, out, r.clause);
	buf_free(&b);
	buf_free(&from);
}

/* The same of what did come, at the time of its key or at which it happened. */
static void own_figure(const struct inquiry *s, const struct placing *a, int32_t pend, struct answer *out)
{
	for (int k = 0; k < a->keys; k++)
		if (a->at[k].time && order_figure(s, a, k, out))
			return;
	if (pend >= 0)
		due_figure(s, pend, log_at(&s->log, a->root)->time, out);
}

/* "Archer acts before Mirel: the orcs' initiative is 6, the party's 5, and the highest goes first" */
static bool by_dice(const struct inquiry *s, const struct placing *a, word who, struct answer *out)
{
	for (int k = 0; k < a->keys; k++) {
		const int32_t die = a->at[k].time || a->at[k].record < 0 ? -1 : ground_die(&s->log, a->at[k].record);
		const int32_t other = die < 0 ? -1 : die_like(s, die, who);
		if (other < 0 || other == die || log_at(&s->log, other)->value == log_at(&s->log, die)->value)
			continue;
		order_dice(s, die, other, " is", ",", &out->about);
		buf_printf(&out->about, ", and the %s goes first.", a->at[k].highest ? "highest" : "lowest");
		answer_rule_of(s->p, out, log_at(&s->log, a->key)->clause);
		return true;
	}
	return false;
}

/* The act `a` came before what was cancelled. */
static bool cancelled_told(const struct inquiry *s, const struct question *q, const struct placing *a, int32_t cancel, bool swapped, struct answer *out)
{
	const struct record c = *log_at(&s->log, cancel);
	const int32_t pend = (int32_t)c.value;
	const word who = log_actor(&s->log, &c), due = cancelled_time(s, cancel);
	const int32_t own = placing_pended(&s->log, a);
	struct buf x = {0}, y = {0};
	const bool timed = order_moment(s, a, &x) && program_moment(s->p, due, log_start(&s->log, cancel), &y);
	const int32_t moved = placing_moved(&s->log, a);
	const bool same = timed && !strcmp(buf_text(&x), buf_text(&y));
	bool told = true;
	if (swapped)
		answer_premise(out, PREMISE_OTHER);
	order_deed(s, q, a, swapped ? -1 : q->event, &out->about);
	if (timed && !same) {
		buf_printf(&out->about, " in %s, and ", buf_text(&x));
		absence_name(s, who, &out->about);
		buf_puts(&out->about, " was to ");
		log_deed(&s->log, log_at(&s->log, pend), &out->about);
		buf_printf(&out->about, " in %s.", buf_text(&y));
		own_figure(s, a, own, out);
		due_figure(s, pend, due, out);
		if (moved >= 0)
			answer_rule_of(s->p, out, log_at(&s->log, moved)->clause);
	} else {
		buf_puts(&out->about, " before ");
		absence_name(s, who, &out->about);
		if (same)
			buf_printf(&out->about, ", both being due in %s", buf_text(&x));
		if (moved >= 0 && moved_by(s, moved) == who && log_at(&s->log, moved)->flag == 0) {
			buf_puts(&out->about, ", for ");
			moved_told(s, a, who, moved, out);
			buf_putc(&out->about, '.');
		} else {
			buf_puts(&out->about, ": ");
			told = by_dice(s, a, who, out);
		}
		if (same) {
			own_figure(s, a, own, out);
			due_figure(s, pend, due, out);
		}
	}
	if (told) {
		struct answer end;
		memset(&end, 0, sizeof end);
		if (absence_end(s, cancel, &end))
			buf_printf(&out->about, " %s", buf_text(&end.about));
		answer_free(&end);
	}
	buf_free(&x);
	buf_free(&y);
	return told;
}

bool order_cancelled(const struct inquiry *s, const struct question *q, const placings *one, const placings *other, struct answer *out)
{
	const bool swapped = one->n == 0; /* the first of the question did not come to act */
	const placings *acted = swapped ? other : one;
	const int32_t cancel = acted->n && q->order != ASKED_TOGETHER ? cancelled(s, swapped ? &q->who : &q->other, order_round(q)) : -1;
	const size_t begun = out->about.length;
	if (cancel < 0)
		return false;
	for (int i = 0; i < acted->n; i++) {
		const struct placing *a = &acted->v[i];
		if (a->round != log_at(&s->log, cancel)->round || a->root > cancel)
			continue;
		if (cancelled_told(s, q, a, cancel, swapped == (q->order != ASKED_AFTER), out))
			return true;
		out->about.length = begun;
		return false;
	}
	return false;
}
