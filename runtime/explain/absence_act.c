/* absence_act.c - why nothing came over an act while it was under way: a spell that was not
 * spoiled. See absence.h. */
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"

/* Of an act that was begun and completed: ": nobody did anything to Nim between segment 2 and
 * segment 5 of round 1, when Nim's fireball was complete"; or what was done to them, and did not
 * bring it about. */
bool absence_nothing_done(
	const struct inquiry *s, const struct question *q, word who, struct answer *out)
{
	const struct log *l = &s->log;
	int32_t done = -1, begun = -1;
	word last = NONE;
	for (int32_t i = s->end - 1; i >= 0 && who != NONE && begun < 0; i--) {
		const struct record *r = trace_look(s->t, i);
		if (r->kind != REC_EVENT || r->dropped || r->text < 0 || r->flag != EVENT_DONE ||
			log_actor(l, log_at(l, i)) != who || !event_in_time(l, q, i) ||
			!event_about_things(l, q, i))
			continue;
		begun = event_begun(l, i);
		done = i;
	}
	if (begun < 0)
		return false;
	int n = 0;
	for (int32_t i = begun; i < done; i++) {
		struct vtype type;
		const word *target;
		const struct record *r = log_at(l, i);
		if (r->kind != REC_EVENT || r->dropped || r->text < 0 ||
			!s->p->event[r->what].action || log_actor(l, r) == who ||
			!log_target(l, r, &type, &target) || type.base != VT_LIVE ||
			type.kind != KIND_COMBATANT || *target != who)
			continue;
		n += log_actor(l, r) != last;
		last = log_actor(l, r);
		answer_deed_line(s, i, out);
	}
	struct buf from = {0}, to = {0};
	answer_when(l, begun, &from);
	answer_when(l, done, &to);
	buf_puts(&out->about, n ? ": what was done to " : ": nobody did anything to ");
	absence_name(s, who, &out->about);
	if (!strcmp(buf_text(&from), buf_text(&to))) {
		buf_printf(&out->about, " in %s", buf_text(&from));
	} else {
		/* "segment 2 and segment 5 of round 1" */
		const char *one = strstr(buf_text(&from), " of round"),
			   *other = strstr(buf_text(&to), " of round");
		const bool same = one && other && !strcmp(one, other);
		buf_printf(&out->about, " between %.*s and %s",
			(int)(same ? (size_t)(one - from.data) : from.length), buf_text(&from),
			buf_text(&to));
	}
	buf_puts(&out->about, n ? " did not bring it about, and " : ", when ");
	english_event(l, done, MOOD_DID, &out->about);
	buf_putc(&out->about, '.');
	buf_free(&from);
	buf_free(&to);
	return true;
}
