/* answer_meant.c - what somebody was to do: "what was orc #2 going to do". It is what was declared
 * for them, by whom, and whether it came to that.
 *
 *   orc #2 was to attack Halvaine with spear in round 1, but died before that, when Korg shot at
 *   orc #2.
 *     declared, as the script says (five-ways.fray, line 45) */
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"

enum { TOLD_MOST = 6 };

/* The event that the act of a DECLARE record became; -1. */
static int32_t done_as(const struct inquiry *s, word who, int32_t declared)
{
	const struct record d = *log_at(&s->log, declared);
	for (int32_t i = declared + 1; i < s->end && trace_look(s->t, i)->round == d.round; i++) {
		const struct record *r = trace_look(s->t, i);
		if (r->kind == REC_EVENT && r->flag != EVENT_VOIDED && r->flag != EVENT_STOPPED &&
			!r->dropped && r->what == d.what &&
			log_actor(&s->log, log_at(&s->log, i)) == who)
			return i;
	}
	return -1;
}

static bool one_told(
	const struct inquiry *s, const struct question *q, word who, struct answer *out)
{
	const int32_t refused = absence_refused_in(s, who, q->round),
		      declared = absence_declared(s, q, who);
	/* the script's own line, that a rule did not let happen */
	if (refused >= 0 && log_at(&s->log, refused)->kind == REC_REFUSED &&
		(log_at(&s->log, refused)->flag == BY_SCRIPT ||
			log_at(&s->log, refused)->flag == BY_PROMPT))
		return absence_end(s, refused, out);
	if (declared < 0)
		return false;
	const struct record d = *log_at(&s->log, declared);
	const int32_t end = absence_end_in_round(s, who, declared);
	const int32_t done = end < 0 ? done_as(s, who, declared) : -1;
	if (end >= 0) {
		struct buf by = {0};
		absence_end(s, end, out);
		absence_said_by(s, declared, &by);
		answer_figure(out, declared, -1, "declared%s", buf_text(&by));
		buf_free(&by);
		return true;
	}
	absence_name(s, who, &out->about);
	buf_puts(&out->about, " was to ");
	absence_deed(s, declared, &out->about);
	if (d.round > 0)
		buf_printf(&out->about, " in round %d", d.round);
	else
		buf_puts(&out->about, " before the first round");
	absence_said_by(s, declared, &out->about);
	if (done >= 0) {
		buf_puts(&out->about, ", and did");
		absence_at_time(s, done, false, &out->about);
	} else {
		buf_puts(&out->about, "; its turn has not come");
	}
	buf_putc(&out->about, '.');
	return true;
}

bool answer_meant(const struct inquiry *s, const struct question *q, struct answer *out)
{
	bool any = false;
	for (int i = 0; i < q->who.n && i < TOLD_MOST; i++) {
		struct answer one;
		memset(&one, 0, sizeof one);
		const bool told = one_told(s, q, q->who.v[i], any ? &one : out);
		if (told && any)
			answer_figure(out, -1, -1, "%s", buf_text(&one.about));
		any |= told;
		answer_free(&one);
	}
	if (any || q->who.n != 1)
		return any;
	/* nothing was declared: why not */
	struct question not = *q;
	not.kind = ASK_NOT;
	not.event = -1;
	not.negated = true;
	return absence_told(s, &not, q->who.v[0], out);
}
