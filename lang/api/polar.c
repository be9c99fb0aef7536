/* polar.c - questions of yes or no: "did Bob hit Ann", "is Ann asleep". The answer is the same as
 * to why it is so, or not, with one word in front of it. */
#include <string.h>

#include "lang/api/question_asked.h"
#include "runtime/explain/event.h"

/* Did what is asked about come, of any of those? */
static bool came(const struct inquiry *s, const struct question *asked)
{
	struct question q = *asked;
	int n = 0;
	q.kind = ASK_EVENT;
	q.negated = false;
	q.figure = 0;
	if (q.doer) { /* "did Bruna kill anybody" */
		bool any = false;
		q.who = (people){0};
		for (int32_t i = 0; i < s->end && !any; i++) {
			if (!event_answers(s, &q, i, NONE))
				continue;
			const int32_t doing =
				event_doing(&s->log, i, log_actor(&s->log, log_at(&s->log, i)));
			const word by =
				doing >= 0 ? log_actor(&s->log, log_at(&s->log, doing)) : NONE;
			for (int k = 0; k < asked->who.n && !any; k++)
				any = by == asked->who.v[k];
		}
		return any;
	}
	bool so = q.who.n == 0 && event_last(s, &q, NONE, &n) >= 0;
	for (int i = 0; i < q.who.n && !so; i++) {
		const int32_t r = event_last(s, &q, q.who.v[i], &n);
		const int32_t doing = r >= 0 && q.by.n ? event_doing(&s->log, r, q.who.v[i]) : -1;
		so = r >= 0 && q.by.n == 0;
		for (int k = 0; k < q.by.n && doing >= 0 && !so; k++)
			so = log_actor(&s->log, log_at(&s->log, doing)) == q.by.v[k];
	}
	return so;
}

/* "did Bob hit Ann", "is Ann asleep": yes or no comes first. */
void polar_said(const struct inquiry *s, const struct question *q,
	struct answer *answer)
{
	const bool past = q->polar == POLAR_PAST;
	bool keep = false; /* the words that correct what was supposed */
	bool yes;
	if (answer->premise == PREMISE_OTHER) {
		yes = q->negated;
	} else if (answer->premise == PREMISE_SOMEBODY) {
		yes = false;
	} else if (answer->premise == PREMISE_HAPPENED) {
		yes = true;
	} else if (answer->premise == PREMISE_OVER) {
		keep = !past;
		yes = past != q->negated;
	} else if (q->is_so >= 0) {
		yes = q->is_so;
	} else if (q->kind == ASK_DIE && q->thrown) {
		if (answer->reached == REACHED_UNASKED)
			return;
		yes = answer->reached == REACHED_YES;
	} else if (q->kind == ASK_EVENT || q->kind == ASK_NOT) {
		yes = came(s, q);
	} else if (q->kind == ASK_STATE || q->kind == ASK_SIDE) {
		yes = !q->negated;
	} else {
		return;
	}
	if (!yes && q->polar == POLAR_COULD && answer->untried) {
		answer_lead(s->p, "It was not tried: ", 0, &answer->about);
		return;
	}
	answer_lead(
		s->p, yes ? "Yes: " : "No: ", keep ? 0 : answer->premise_length, &answer->about);
}

/* "There was no round 9: ": what is asked of a round that the fight did not have. */
void round_missing(const struct fray *f, const struct question *q, struct answer *answer)
{
	const struct trace *t = vm_trace(f->vm);
	const int32_t over = trace_back(t, t->n - 1, 1u << REC_OUTCOME);
	const int32_t last = over >= 0 ? trace_get(t, over)->round : 0;
	const bool event = q->kind == ASK_EVENT || q->kind == ASK_NOT || q->kind == ASK_ORDER;
	struct buf b = {0};
	if (!event || last <= 0 || q->round <= last || !answer->about.length ||
		strstr(buf_text(&answer->about), "over in "))
		return;
	buf_printf(&b, "There was no round %d, for the fight was over in round %d: ", q->round, last);
	const bool no = !strncmp(buf_text(&answer->about), "No: ", 4);
	if (no)
		buf_puts(&b, "no, ");
	answer_lead(f->program, buf_text(&b), no ? 4 : 0, &answer->about);
	buf_free(&b);
}
