/* answer_kept.c - why an outcome did not come at the time asked about, though it came at another:
 * the die that kept it from them then.
 *
 *   Wulf was not paralysed in round 1: ghoul #3 hit Wulf for 5 damage in segment 6 of round 1, and
 *   20 is not less than 13. */
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"
#include "runtime/explain/sum.h"

enum { UP_MOST = 8 };

/* The told event around a record that is aimed at somebody, if it is at `whom`, by `doer` (NONE:
 * whoever); -1. */
static int32_t done_to(const struct log *l, int32_t number, word whom, word doer)
{
	int32_t i = log_at(l, number)->parent;
	for (int up = 0; i >= 0 && up < UP_MOST; up++, i = log_at(l, i)->parent) {
		struct vtype type;
		const word *target;
		if (event_is_told(l, i) && log_target(l, log_at(l, i), &type, &target) &&
			type.base == VT_LIVE && type.kind == KIND_COMBATANT)
			return (whom == NONE || *target == whom) &&
					(doer == NONE || log_actor(l, log_at(l, i)) == doer)
				? i
				: -1;
	}
	return -1;
}

bool absence_kept(
	const struct inquiry *s, const struct question *q, int32_t came, word whom, word doer,
	struct answer *out)
{
	const struct log *l = &s->log;
	const int32_t clause = event_clause(l, came), decided = event_decided(l, came);
	struct sum by;
	int32_t last = -1;
	int n = 0;
	if (clause < 0 || (whom == NONE && doer == NONE) || decided < 0 || !sum_read(l, decided, &by) ||
		log_at(l, decided)->clause != clause)
		return false;
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_SUM); i >= 0;
		 i = trace_back(s->t, i - 1, 1u << REC_SUM)) {
		struct sum sum;
		const struct record d = *trace_look(s->t, i);
		if (d.dropped || d.clause != clause || (q->round > 0 && d.round != q->round))
			continue;
		const int32_t deed = done_to(l, i, whom, doer);
		if (deed < 0 || deed == last || !event_in_time(l, q, deed) || !sum_read(l, i, &sum) ||
			!sum.compares || sum.holds || !sum_has_die(l, &sum) || strcmp(sum.how, by.how) != 0)
			continue;
		last = deed;
		if (n++ == 0) {
			event_did_not(s, q, &out->about);
			buf_puts(&out->about, ": ");
			english_event(l, deed, MOOD_DID, &out->about);
			absence_at_time(s, deed, true, &out->about);
			buf_puts(&out->about, ", and ");
			sum_compared(l, &sum, &out->about);
			sum_figures(l, &sum, "", out);
		} else {
			struct buf line = {0};
			english_event(l, deed, MOOD_DID, &line);
			buf_puts(&line, ": ");
			sum_compared(l, &sum, &line);
			answer_figure(out, i, -1, "before that %s", buf_text(&line));
			buf_free(&line);
		}
	}
	if (n == 0)
		return false;
	event_stop(s->p, &out->about);
	answer_rule_of(s->p, out, clause);
	return true;
}

bool absence_kept_by(
	const struct inquiry *s, const struct question *q, word doer, struct answer *out)
{
	word one = doer;
	struct question his = *q;
	const word whom = q->whom.n == 1 ? q->whom.v[0] : NONE;
	if (q->event < 0 || event_people(&s->p->event[q->event]) != 1)
		return false;
	his.who = (people){.v = &one, .n = 1};
	for (int32_t i = trace_back_to_event(s->t, s->end - 1, 1u << REC_EVENT, q->event); i >= 0;
		 i = trace_back_to_event(s->t, i - 1, 1u << REC_EVENT, q->event))
		if (!log_at(&s->log, i)->dropped)
			return absence_kept(s, &his, i, whom, doer, out);
	return false;
}
