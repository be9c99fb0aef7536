/* order_sequence.c - in what order a round's acts came: who acted together, and when.
 *
 *   In round 1 orc #1 to #4 acted in segment 2, then Halvaine, Bruna and Korg in segment 6.
 *     orc #1, segment 2: the party's initiative die, 2 */
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/placing.h"

enum { FIGURES_MOST = 4 };

/* An act that is told, and that was done: who waits or passes does nothing. */
static bool counts(const struct inquiry *s, const struct placing *a)
{
	const struct record *r = log_at(&s->log, a->event);
	return r->kind == REC_EVENT && r->text >= 0 && !s->p->event[r->what].idle && !a->unmade;
}

static bool asked_for(const struct question *q, word who)
{
	for (int i = 0; i < q->who.n; i++)
		if (q->who.v[i] == who)
			return true;
	return q->who.n == 0;
}

/* The acts of a round in the order of their groups. */
static void in_order(
	const struct inquiry *s, const struct question *q, int32_t round, placings *out)
{
	placings all = {0};
	people nobody = {0};
	order_acts(s, -1, &nobody, round, &all);
	for (int i = 0; i < all.n; i++) {
		const struct placing *a = &all.v[i];
		int at = out->n;
		if (!counts(s, a) || !asked_for(q, a->who))
			continue;
		VEC_PUSH(*out, *a);
		for (; at > 0 && out->v[at - 1].group > a->group; at--)
			out->v[at] = out->v[at - 1];
		out->v[at] = *a;
	}
	VEC_FREE(all);
}

/* Does an act come in the same group as the one before it, or in the same moment? */
static bool together(const struct inquiry *s, const struct placing *a, const struct placing *b)
{
	struct buf x = {0}, y = {0};
	const bool timed = order_moment(s, a, &x) && order_moment(s, b, &y);
	const bool so = a->group == b->group || (timed && !strcmp(buf_text(&x), buf_text(&y)));
	buf_free(&x);
	buf_free(&y);
	return so;
}

/* Those of acts from..to, each once. */
static int actors(const placings *all, int from, int to, people *out)
{
	for (int i = from; i < to; i++) {
		bool known = false;
		for (int k = 0; k < out->n; k++)
			known |= out->v[k] == all->v[i].who;
		if (!known)
			VEC_PUSH(*out, all->v[i].who);
	}
	return out->n;
}

static void groups_told(const struct inquiry *s, const placings *all, struct buf *out)
{
	bool first = true;
	for (int i = 0, to; i < all->n; i = to) {
		people who = {0};
		struct buf moment = {0};
		for (to = i + 1; to < all->n && together(s, &all->v[i], &all->v[to]); to++)
			;
		bool same = true;
		for (int k = i + 1; k < to; k++)
			same &= all->v[k].group == all->v[i].group;
		const int n = actors(all, i, to, &who);
		buf_puts(out, first ? " " : ", then ");
		answer_people(s->p, who.v, n, out);
		if (first)
			buf_puts(out, " acted");
		if (order_moment(s, &all->v[i], &moment))
			buf_printf(out, " in %s", buf_text(&moment));
		else if (n > 1 && same)
			buf_puts(out, " together");
		if (moment.length && n > 1 && !same)
			buf_puts(out, ", in this order");
		first = false;
		VEC_FREE(who);
		buf_free(&moment);
	}
}

/* What their places rest on: each die once. */
static void grounds_told(const struct inquiry *s, const placings *all, struct answer *out)
{
	struct buf told = {0};
	int n = 0;
	for (int i = 0; i < all->n; i++)
		for (int k = 0; k < all->v[i].keys && n < FIGURES_MOST; k++) {
			struct buf ground = {0};
			struct answer rules;
			memset(&rules, 0, sizeof rules);
			ground_of_key(&s->log, &all->v[i], k, &rules, &ground);
			if (ground.length && !strstr(buf_text(&told), buf_text(&ground)) &&
				order_figure(s, &all->v[i], k, out)) {
				buf_printf(&told, "%s\n", buf_text(&ground));
				n++;
			}
			answer_free(&rules);
			buf_free(&ground);
		}
	buf_free(&told);
	for (int i = 0; i < all->n; i++)
		if (all->v[i].key >= 0) {
			answer_rule_of(s->p, out, log_at(&s->log, all->v[i].key)->clause);
			break;
		}
}

bool order_sequence(const struct inquiry *s, const struct question *q, struct answer *out)
{
	placings all = {0};
	int32_t round = order_round(q), rounds = 0, last = -1;
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_EVENT); i >= 0 && round < 0;
		 i = trace_back(s->t, i - 1, 1u << REC_EVENT)) {
		const int32_t at = trace_look(s->t, i)->round;
		if (at == last)
			continue;
		last = at;
		in_order(s, q, at, &all);
		round = all.n ? at : round;
	}
	if (round < 0)
		return false;
	if (all.n == 0)
		in_order(s, q, round, &all);
	for (int32_t r = 1; r < round && order_round(q) < 0; r++)
		rounds++;
	if (round > 0)
		buf_printf(&out->about, "In round %d", round);
	else
		buf_puts(&out->about, "Before the first round");
	if (all.n == 0)
		buf_puts(&out->about, " nobody acted");
	else
		groups_told(s, &all, &out->about);
	buf_putc(&out->about, '.');
	if (rounds)
		answer_figure(out, -1, -1,
			rounds > 1 ? "%d rounds before that: ask with \"in round 1\""
				   : "%d round before that: ask with \"in round 1\"",
			rounds);
	grounds_told(s, &all, out);
	VEC_FREE(all);
	return true;
}
