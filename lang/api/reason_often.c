/* reason_often.c - why a die was rolled twice: each roll with what it was for, and the number that
 * the rule went by which had it rolled so often.
 *
 *   Garran's attack roll was rolled twice in round 1: Garran's routines are 2.
 *     10 (forced) in segment 2, when Garran attacked Orc1
 *     19 (forced) in segment 5, when Garran attacked Orc1 */
#include <string.h>

#include "lang/api/reason.h"

enum { LINES_MOST = 5 };

static bool is_of(const struct inquiry *s, const struct question *q, int label, int32_t roll)
{
	const struct label_info *l = &s->p->label[label];
	const struct record *r = log_at(&s->log, roll);
	if (r->what != label || r->dropped || !event_in_time(&s->log, q, roll))
		return false;
	bool his = q->who.n == 0 && q->who_side == NONE;
	his |= l->owner.base != VT_LIVE;
	his |= l->owner.kind == KIND_SIDE && r->owner == q->who_side;
	for (int i = 0; i < q->who.n && l->owner.kind == KIND_COMBATANT; i++)
		his |= q->who.v[i] == r->owner;
	return his;
}

/* The rolls of a round, the first `most` of them in `at`. */
static int rolls_in(const struct inquiry *s, const struct question *q, int label, int32_t round,
	int32_t *at, int most)
{
	struct question one = *q;
	int n = 0;
	one.round = round;
	for (int32_t i = 0; i < s->end; i++) {
		const struct record *r = trace_look(s->t, i);
		if (r->kind != REC_ROLL || r->round != round || !is_of(s, &one, label, i))
			continue;
		if (n < most)
			at[n] = i;
		n++;
	}
	return n;
}

static void roll_line(const struct inquiry *s, int32_t roll, struct answer *out)
{
	const struct log *l = &s->log;
	const struct record r = *log_at(l, roll);
	const int32_t deed = reason_deed(l, roll);
	struct buf line = {0};
	log_total(l, &r, &line);
	answer_fall(l, &r, &line);
	reason_when(l, roll, &line);
	if (deed >= 0 && reason_is_told(l, deed)) {
		buf_puts(&line, ", when ");
		reason_deed_text(l, roll, &line);
	} else if (r.clause >= 0) {
		buf_puts(&line, ", by the rule: ");
		answer_rule_text(s->p, r.clause, &line);
	}
	answer_figure(out, roll, -1, "%s", buf_text(&line));
	buf_free(&line);
}

/* The act that the first roll was for. */
static void cause_add(const struct inquiry *s, int32_t roll, bool once, struct answer *out)
{
	struct buf why = {0};
	for (int32_t i = log_at(&s->log, roll)->parent; i >= 0 && !why.length;
		 i = log_at(&s->log, i)->parent) {
		const struct record e = *log_at(&s->log, i);
		const word who = e.kind == REC_EVENT ? log_actor(&s->log, &e) : NONE;
		if (who != NONE)
			answer_times_reason(s, who, i, once, &why, out);
	}
	if (why.length)
		buf_printf(&out->about, ": %s", buf_text(&why));
	buf_free(&why);
}

bool reason_often(
	const struct inquiry *s, int label, const struct question *q, struct answer *out)
{
	int32_t at[LINES_MOST];
	int n = 0;
	int32_t round = q->round;
	if (q->round || q->before_rounds || s->end == 0) {
		n = rolls_in(s, q, label, round, at, LINES_MOST);
	} else {
		/* the last round in which it was so often; else the last in which it was at all */
		int32_t last = -1;
		for (round = trace_look(s->t, s->end - 1)->round; round >= 0 && n != q->times; round--) {
			n = rolls_in(s, q, label, round, at, LINES_MOST);
			last = n && last < 0 ? round : last;
		}
		round = n == q->times ? round + 1 : last;
		n = round >= 0 ? rolls_in(s, q, label, round, at, LINES_MOST) : 0;
	}
	if (n == 0)
		return false;
	bool several = false; /* of several people each their own */
	for (int i = 1; i < n && i < LINES_MOST; i++)
		several |= log_at(&s->log, at[i])->owner != log_at(&s->log, at[0])->owner;
	if (several)
		buf_printf(&out->about, "the %s", s->p->label[label].name);
	else
		log_label(&s->log, log_at(&s->log, at[0]), &out->about);
	answer_capital(s->p, &out->about, 0);
	buf_puts(&out->about, " was rolled ");
	answer_times_add(n, &out->about);
	if (round > 0)
		buf_printf(&out->about, " in round %d", (int)round);
	else
		buf_puts(&out->about, " before the first round");
	if (n != q->times) {
		buf_puts(&out->about, ", not ");
		answer_times_add(q->times, &out->about);
	}
	if (!several)
		cause_add(s, at[0], n == 1, out);
	buf_putc(&out->about, '.');
	for (int i = 0; i < n && i < LINES_MOST; i++)
		roll_line(s, at[i], out);
	return true;
}
