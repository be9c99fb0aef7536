/* answer_nth.c - one of several: "why did ghoul #1's third attack in round 2 miss". Blows are
 * counted by what they are made of, hit or miss, in the order in which they were struck.
 *
 *   ghoul #1 missed Mira in segment 4 of round 2: 3 does not reach the 13 needed.
 *     this was the third of 3 blows in round 2 */
#include <string.h>

#include "runtime/explain/event.h"

enum { NTH_MOST = 400 };

static const char *const ordinals[] = {
	"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"};

static void ordinal_add(int n, struct buf *out)
{
	if (n >= 1 && n <= (int)FRAY_COUNT(ordinals))
		buf_puts(out, ordinals[n - 1]);
	else
		buf_printf(out, "%dth", n);
}

/* What an event such as a hit is the outcome of, between the same two: a blow; -1. */
static int32_t blow_of(const struct inquiry *s, const struct question *q)
{
	const struct log *l = &s->log;
	if (q->blow >= 0 || q->event < 0 || s->p->event[q->event].action ||
		event_people(&s->p->event[q->event]) < 2)
		return q->blow;
	for (int32_t i = 0; i < s->end; i++) {
		const struct record r = *trace_look(s->t, i);
		if (r.kind != REC_EVENT || r.dropped || r.what != q->event || r.parent < 0)
			continue;
		const struct record *up = log_at(l, r.parent);
		if (up->kind == REC_EVENT && !s->p->event[up->what].action &&
			event_people(&s->p->event[up->what]) > 1)
			return up->what;
	}
	return -1;
}

static bool upon(const struct inquiry *s, const struct question *q, int32_t number)
{
	struct vtype type;
	const word *target;
	return !q->whom.n ||
		(log_target(&s->log, log_at(&s->log, number), &type, &target) &&
			type.base == VT_LIVE && type.kind == KIND_COMBATANT &&
			people_has(&q->whom, *target));
}

/* What came of a blow: the told event below it that is about the same two; the blow itself. */
static int32_t outcome(const struct inquiry *s, int32_t blow)
{
	for (int32_t i = log_child(&s->log, blow); i >= 0; i = log_sibling(&s->log, i)) {
		const struct record r = *log_at(&s->log, i);
		if (r.kind == REC_EVENT && !r.dropped && r.text >= 0 && r.flag == EVENT_DONE &&
			!s->p->event[r.what].action && event_people(&s->p->event[r.what]) > 1)
			return i;
	}
	return blow;
}

/* Those that are counted, in the order in which they came. */
static int counted(const struct inquiry *s, const struct question *q, int32_t blow, int32_t *out)
{
	const word who = q->who.n ? q->who.v[0] : NONE;
	int n = 0;
	for (int32_t i = 0; i < s->end && n < NTH_MOST; i++) {
		const struct record *r = trace_look(s->t, i);
		if (r->kind != REC_EVENT || r->dropped || r->flag != EVENT_DONE)
			continue;
		const bool so = blow < 0 ? event_answers(s, q, i, who)
			: r->what == blow && event_in_time(&s->log, q, i) &&
				log_actor(&s->log, log_at(&s->log, i)) == who && upon(s, q, i);
		if (so)
			out[n++] = i;
	}
	return n;
}

/* "ghoul #1 has no fourth blow in round 2, but 3" */
static void none_said(const struct inquiry *s, const struct question *q, int32_t blow, int n,
	struct answer *out)
{
	struct buf times = {0};
	answer_people(s->p, q->who.v, q->who.n, &out->about);
	if (n == 0) {
		out->about.length = 0;
		event_did_not(s, q, &out->about);
	} else if (blow >= 0) {
		buf_puts(&out->about, " had no ");
		ordinal_add(q->nth, &out->about);
		buf_puts(&out->about, " blow");
		event_asked_time(s->p, q, &out->about);
		buf_printf(&out->about, n > 1 ? ": there were %d" : ": there was one", n);
	} else {
		answer_times_add(n, &times);
		buf_puts(&out->about, n > 1 ? " did so only " : " did so ");
		buf_puts(&out->about, n > 1 ? buf_text(&times) : "only once");
		event_asked_time(s->p, q, &out->about);
	}
	buf_free(&times);
}

bool answer_nth(const struct inquiry *s, const struct question *q, struct answer *out)
{
	enum { LINES_MOST = 5 };
	int32_t all[NTH_MOST];
	if (q->who.n != 1)
		return false;
	const int32_t blow = blow_of(s, q);
	const int n = counted(s, q, blow, all);
	const int nth = q->nth < 0 ? n : q->nth;
	if (nth < 1 || nth > n) {
		if (q->polar)
			buf_puts(&out->about, "No: ");
		none_said(s, q, blow, n, out);
		for (int i = 0; i < n && i < LINES_MOST; i++) {
			struct buf one = {0};
			event_say(s, blow < 0 ? all[i] : outcome(s, all[i]), &one, NULL);
			answer_figure(out, all[i], -1, "%s", buf_text(&one));
			buf_free(&one);
		}
	} else {
		const int32_t found = blow < 0 ? all[nth - 1] : outcome(s, all[nth - 1]);
		const bool act = q->event < 0 || s->p->event[q->event].action;
		const bool other = blow >= 0 && !act && log_at(&s->log, found)->what != q->event;
		if (q->polar)
			buf_puts(&out->about, other ? "No: " : "Yes: ");
		else if (other)
			answer_premise(out, PREMISE_OTHER);
		event_say(s, found, &out->about, out);
		struct buf line = {0};
		buf_puts(&line, "this was the ");
		ordinal_add(nth, &line);
		buf_printf(&line, " of %d", n);
		buf_puts(&line, blow < 0 ? "" : n > 1 ? " blows" : " blow");
		event_asked_time(s->p, q, &line);
		answer_figure(out, found, -1, "%s", buf_text(&line));
		buf_free(&line);
	}
	event_stop(s->p, &out->about);
	return true;
}
