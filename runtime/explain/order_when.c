/* order_when.c - why somebody acts at a moment, first or last; and that somebody did not act at all. See placing.h. */
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"
#include "runtime/explain/placing.h"

int32_t order_round(const struct question *q)
{
	return q->before_rounds ? 0 : q->round > 0 ? q->round : -1;
}

static void of_round(const struct placing *a, struct buf *out)
{
	buf_printf(out, a->round > 0 ? " of round %d" : " before the first round", a->round);
}

/* What the rule that left an act pending looked at: "Korg's surprise is 0 segments". */
static bool pending_told(const struct inquiry *s, const struct placing *a, struct answer *out)
{
	const int32_t pend = placing_pended(&s->log, a);
	const int32_t parent = pend >= 0 ? log_at(&s->log, pend)->parent : -1, clause = pend >= 0 ? log_at(&s->log, pend)->clause : -1;
	const char *text = clause >= 0 && s->p->clause[clause].text ? s->p->clause[clause].text : "";
	for (int32_t i = pend - 1; i > parent && parent >= 0; i--) {
		const struct record q = *log_at(&s->log, i);
		if (q.kind != REC_QUESTION || q.dropped || q.owner != a->who || q.parent != parent || q.what < 0 || !strstr(text, s->p->question[q.what].name))
			continue;
		struct buf ground = {0};
		buf_puts(&out->about, ": ");
		log_question(&s->log, i, &out->about);
		buf_puts(&out->about, " is ");
		log_answer(&s->log, i, q.what, q.value, &out->about);
		if (ground_of(&s->log, i, out, &ground))
			buf_printf(&out->about, " (%s)", buf_text(&ground));
		buf_free(&ground);
		answer_rule_of(s->p, out, clause);
		return true;
	}
	return false;
}

/* ": the orcs' initiative die, 4 (forced)", or by what it comes before the next act. */
static void reason_told(const struct inquiry *s, const struct question *q, const struct placing *a, struct answer *out)
{
	struct buf ground = {0};
	for (int k = 0; k < a->keys; k++)
		if (a->at[k].time && a->at[k].record >= 0) {
			const bool grounded = ground_of_key(&s->log, a, k, out, &ground);
			/* a moment that a rule reads from the line itself: where that stands */
			const int32_t declared = !strncmp(buf_text(&ground), "by the rule", 11)
				? event_declared(&s->log, a->root)
				: -1;
			if (declared >= 0 && log_at(&s->log, declared)->kind == REC_DECLARE)
				absence_said_by(s, declared, &ground);
			if (grounded)
				buf_printf(&out->about, ": %s", buf_text(&ground));
			else if (!pending_told(s, a, out))
				answer_rule_of(s->p, out, log_at(&s->log, a->at[k].record)->clause);
			buf_putc(&out->about, '.');
			buf_free(&ground);
			return;
		}
	buf_free(&ground);
	buf_putc(&out->about, '.');
	const int32_t moved = placing_moved(&s->log, a);
	if (moved >= 0)
		answer_rule_of(s->p, out, log_at(&s->log, moved)->clause);
	for (int k = 0; k < a->keys; k++) {
		struct buf b = {0};
		placing_value(&s->log, a, k, &b);
		if (order_key_printed(s, a, k) && !order_figure(s, a, k, out))
			answer_figure(out, a->key, -1, "%s %s", a->at[k].name, buf_text(&b));
		buf_free(&b);
	}
	if (a->key >= 0)
		answer_rule_of(s->p, out, log_at(&s->log, a->key)->clause);
	(void)q;
}

bool order_unasked(const struct inquiry *s, const struct question *q, word who, struct answer *out)
{
	const int32_t round = order_round(q);
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_DECLARE); i >= 0; i = trace_back(s->t, i - 1, 1u << REC_DECLARE)) {
		const struct record r = *log_at(&s->log, i);
		if (r.dropped || r.owner == who || (round >= 0 && r.round != round) || r.parent < 0)
			continue;
		const int32_t clause = log_at(&s->log, r.parent)->clause;
		const struct clause_info *c = clause >= 0 && clause < s->p->clauses ? &s->p->clause[clause] : NULL;
		bool any = false;
		for (int32_t k = i - 1; c && k > r.parent && !any; k--) {
			const struct record x = *log_at(&s->log, k);
			if (x.kind != REC_QUESTION || x.dropped || x.owner != who || x.parent != r.parent || x.what < 0 || !c->text || !strstr(c->text, s->p->question[x.what].name))
				continue;
			struct buf b = {0};
			log_question(&s->log, k, &b);
			buf_puts(&b, " is ");
			log_answer(&s->log, k, x.what, x.value, &b);
			absence_name(s, who, &out->about);
			buf_printf(&out->about, " was not asked: %s", buf_text(&b));
			struct buf ground = {0};
			if (ground_of(&s->log, k, out, &ground))
				buf_printf(&out->about, " (%s)", buf_text(&ground));
			buf_putc(&out->about, '.');
			buf_free(&ground);
			buf_free(&b);
			answer_rule_of(s->p, out, clause);
			any = true;
		}
		if (any)
			return true;
	}
	return false;
}

void order_early_dice(const struct inquiry *s, int32_t before, struct answer *out)
{
	int label = -1;
	const uint32_t rolls = 1u << REC_ROLL;
	for (int32_t i = trace_back(s->t, before, rolls); i >= 0;
		i = trace_back(s->t, i - 1, rolls)) {
		const struct record r = *log_at(&s->log, i);
		const struct label_info *l = r.what >= 0 ? &s->p->label[r.what] : NULL;
		if (!l || r.round > 0 || r.dropped || l->owner.base != VT_LIVE ||
			l->owner.kind != KIND_SIDE || (label >= 0 && label != r.what))
			continue;
		label = r.what;
		struct buf b = {0};
		log_label(&s->log, log_at(&s->log, i), &b);
		buf_putc(&b, ' ');
		log_total(&s->log, log_at(&s->log, i), &b);
		answer_fall(&s->log, log_at(&s->log, i), &b);
		answer_figure(out, i, r.clause, "%s", buf_text(&b));
		answer_rule_of(s->p, out, r.clause);
		buf_free(&b);
	}
}

bool order_when(const struct inquiry *s, const struct question *q, struct answer *out)
{
	placings all = {0};
	int found = -1, at = -1;
	order_acts(s, q->event, &q->who, order_round(q), &all);
	for (int i = 0; i < all.n; i++)
		if (q->moment != INT64_MIN && event_at_moment(&s->log, q, all.v[i].root))
			at = i;
	/* the last round in which they acted */
	for (int i = 0; i < all.n; i++)
		if (found < 0 || all.v[i].round > all.v[found].round)
			found = i;
	const int one = at >= 0 ? at : found;
	bool ok = one >= 0;
	if (ok) {
		struct buf moment = {0};
		const struct placing *a = &all.v[one];
		order_deed(s, q, a, q->event, &out->about);
		const bool timed = order_moment(s, a, &moment);
		if (timed)
			buf_printf(&out->about, " in %s", buf_text(&moment));
		if (timed || a->round == 0)
			of_round(a, &out->about);
		else
			buf_printf(&out->about, " in round %d", a->round);
		if (at < 0 && s->p->shown_unit >= 0 && q->moment != INT64_MIN) {
			const char *unit = s->p->unit[s->p->shown_unit].name;
			if (timed)
				buf_printf(&out->about, ", not %s %s %lld", event_bound(q), unit,
					(long long)q->moment);
			else if (!q->before_rounds)
				buf_printf(&out->about, ", and such an act has no %s", unit);
		}
		if (a->round == 0)
			order_early_dice(s, a->root, out);
		reason_told(s, q, a, out);
		buf_free(&moment);
	} else if (q->who.n == 1) {
		struct question not = *q;
		not.kind = ASK_NOT;
		not.moment = INT64_MIN;
		ok = order_unasked(s, q, q->who.v[0], out) || absence_told(s, &not, q->who.v[0], out);
	}
	VEC_FREE(all);
	return ok;
}

static bool has(const placings *v, int32_t group, const people *who, int *at)
{
	for (int i = 0; i < v->n; i++)
		for (int k = 0; k < who->n; k++)
			if (v->v[i].group == group && v->v[i].who == who->v[k]) {
				*at = i;
				return true;
			}
	return false;
}

/* The others of a group of acts: ", together with Bruna and Korg". */
static void company(const struct inquiry *s, const placings *v, const struct placing *a, struct buf *out)
{
	people other = {0};
	for (int i = 0; i < v->n; i++) {
		bool known = v->v[i].group != a->group || v->v[i].who == a->who;
		for (int k = 0; k < other.n && !known; k++)
			known = other.v[k] == v->v[i].who;
		if (!known)
			VEC_PUSH(other, v->v[i].who);
	}
	if (other.n) {
		buf_puts(out, ", together with ");
		answer_people(s->p, other.v, other.n, out);
	}
	VEC_FREE(other);
}

/* The act next to a group's: of the group before it, or behind it. */
static int next_to(const placings *v, int32_t group, bool before, const people *not)
{
	int best = -1;
	for (int i = 0; i < v->n; i++) {
		const int32_t g = v->v[i].group;
		bool same = false;
		for (int k = 0; k < not->n; k++)
			same |= not->v[k] == v->v[i].who;
		if (same || (before ? g >= group : g <= group))
			continue;
		if (best < 0 || (before ? g > v->v[best].group : g < v->v[best].group))
			best = i;
	}
	return best;
}

/* The first act, or last, of another side than somebody's; -1. */
static int of_another_side(const struct inquiry *s, const placings *v, word who, bool last)
{
	int best = -1;
	for (int i = 0; i < v->n && s->world; i++)
		if (order_side(s, v->v[i].who) != order_side(s, who) &&
			(best < 0 || (last ? v->v[i].group > v->v[best].group
					   : v->v[i].group < v->v[best].group)))
			best = i;
	return best;
}

/* Is one of them in the first group of a round, or in the last, and somebody else in another? */
static bool is_end(const placings *v, const people *who, bool last)
{
	int end = -1, at;
	bool others = false;
	for (int i = 0; i < v->n; i++) {
		others |= v->v[i].group != v->v[0].group;
		if (end < 0 ||
			(last ? v->v[i].group > v->v[end].group : v->v[i].group < v->v[end].group))
			end = i;
	}
	return others && has(v, v->v[end].group, who, &at);
}

/* The acts of the round whose first, or last, is asked about. */
static void end_acts(
	const struct inquiry *s, const struct question *q, bool last, placings *all)
{
	placings his = {0};
	people nobody = {0};
	int32_t round = -1;
	order_acts(s, -1, &q->who, order_round(q), &his);
	for (int i = 0; i < his.n; i++)
		round = his.v[i].round > round ? his.v[i].round : round;
	/* the last round in which it is so */
	for (int32_t r = round; r >= 0 && all->n == 0 && q->who.n && order_round(q) < 0; r--) {
		order_acts(s, -1, &nobody, r, all);
		if (!is_end(all, &q->who, last))
			all->n = 0;
	}
	/* else the last in which they are not the only ones */
	for (int32_t r = round; r >= 0 && all->n == 0; r--) {
		order_acts(s, -1, &nobody, r, all);
		bool his_round = q->who.n == 0, others = false;
		for (int i = 0; i < all->n; i++) {
			others |= all->v[i].group != all->v[0].group;
			for (int k = 0; k < q->who.n; k++)
				his_round |= all->v[i].who == q->who.v[k];
		}
		if (r > 0 && order_round(q) < 0 && !(his_round && others))
			all->n = 0;
	}
	if (all->n == 0 && round >= 0)
		order_acts(s, -1, &nobody, round, all);
	/* none of those who are asked about acted in that round: others did */
	if (q->who.n > 1 && his.n == 0 && order_round(q) >= 0)
		order_acts(s, -1, &nobody, order_round(q), all);
	VEC_FREE(his);
}

/* Do numbers tell these two apart, and not only a rule? */
static bool told_in_figures(const struct inquiry *s, const struct question *q,
	const struct placing *a, const struct placing *b, bool last)
{
	struct pair p;
	struct answer told;
	memset(&p, 0, sizeof p);
	memset(&told, 0, sizeof told);
	p.a = last ? *b : *a;
	p.b = last ? *a : *b;
	const bool so = order_apart(s, q, &p, false, false, &told) && told.figure.n > 0;
	answer_free(&told);
	return so;
}

/* "who won the initiative": the side and its die stand first, and the round is named there. */
static void won_said(
	const struct inquiry *s, const struct question *q, int32_t round, struct buf *about)
{
	struct buf won = {0}, in_round = {0};
	int label = 0;
	buf_printf(&in_round, "In round %d ", round);
	while (label < s->p->labels && (!q->won || strcmp(s->p->label[label].name, q->won) != 0))
		label++;
	if (label < s->p->labels && round > 0 && order_won(s, label, round, &won))
		answer_lead(s->p, buf_text(&won), in_round.length, about);
	buf_free(&won);
	buf_free(&in_round);
}

bool order_end(const struct inquiry *s, const struct question *q, bool last, struct answer *out)
{
	placings all = {0};
	int at = -1;
	bool ok = false;
	end_acts(s, q, last, &all);
	int end = -1;
	for (int i = 0; i < all.n; i++)
		if (end < 0 || (last ? all.v[i].group > all.v[end].group : all.v[i].group < all.v[end].group))
			end = i;
	if (end >= 0) {
		const bool whoever = q->who.n == 0,
				   so = whoever || has(&all, all.v[end].group, &q->who, &at);
		struct pair p;
		people ends = {0};
		memset(&p, 0, sizeof p);
		const struct placing *a = &all.v[so && !whoever ? at : end];
		for (int i = 0; i < all.n; i++)
			if (all.v[i].group == all.v[end].group)
				VEC_PUSH(ends, all.v[i].who);
		const bool turned = !so && q->who.n > 1;
		if (turned)
			answer_premise(out, PREMISE_OTHER);
		if (a->round > 0)
			buf_printf(&out->about, turned ? "in round %d " : "In round %d ", a->round);
		else
			buf_puts(&out->about, turned ? "before the first round " : "Before the first round ");
		absence_name(s, a->who, &out->about);
		buf_puts(&out->about, last ? " acts last" : " acts first");
		company(s, &all, a, &out->about);
		if (!so && q->who.n == 1) {
			buf_puts(&out->about, ", not ");
			absence_name(s, q->who.v[0], &out->about);
		}
		int other = -1;
		if (so) {
			other = next_to(&all, a->group, last, whoever ? &ends : &q->who);
			if (whoever && other >= 0 &&
				!told_in_figures(s, q, a, &all.v[other], last)) {
				const int apart = of_another_side(s, &all, a->who, last);
				other = apart >= 0 && all.v[apart].group != a->group ? apart
										     : other;
			}
		} else {
			for (int i = 0; i < all.n; i++)
				for (int k = 0; k < q->who.n; k++)
					if (all.v[i].who == q->who.v[k])
						other = other < 0 || last ? i : other;
		}
		if (other < 0 && !so) {
			buf_puts(&out->about, "; ");
			answer_people(s->p, q->who.v, q->who.n, &out->about);
			buf_puts(&out->about, " did not act.");
		} else if (other < 0) {
			buf_puts(&out->about, ": nobody else acts.");
		} else {
			const size_t said = out->about.length;
			p.a = last ? all.v[other] : *a;
			p.b = last ? *a : all.v[other];
			buf_puts(&out->about, so ? ": " : ". ");
			if (!order_apart(s, q, &p, false, false, out)) {
				out->about.data[out->about.length = said] = '\0';
				buf_putc(&out->about, '.');
			}
		}
		won_said(s, q, a->round, &out->about);
		VEC_FREE(ends);
		ok = true;
	} else if (q->who.n == 1) {
		struct question not = *q;
		not.kind = ASK_NOT;
		not.event = -1;
		ok = absence_told(s, &not, q->who.v[0], out);
	}
	VEC_FREE(all);
	return ok;
}

bool order_alone(
	const struct inquiry *s, const struct question *q, const placings *one, struct answer *out)
{
	if (q->event < 0 || s->p->event[q->event].action || q->other.n != 1 || one->n == 0 ||
		event_people(&s->p->event[q->event]) < 2)
		return false;
	const struct placing *a = &one->v[one->n - 1];
	for (int k = one->n - 1; k >= 0; k--) { /* upon the other, if there was such a one */
		struct vtype type;
		const word *target;
		if (log_target(&s->log, log_at(&s->log, one->v[k].event), &type, &target) &&
			type.base == VT_LIVE && type.kind == KIND_COMBATANT &&
			*target == q->other.v[0]) {
			a = &one->v[k];
			break;
		}
	}
	/* out of turn, in what the other was about: the rule that gave occasion for it says why */
	int32_t around = a->event;
	while (around >= 0 &&
		(log_at(&s->log, around)->kind != REC_EVENT ||
			log_actor(&s->log, log_at(&s->log, around)) != q->other.v[0]))
		around = log_at(&s->log, around)->parent;
	if (around >= 0 && q->order == ASKED_BEFORE) {
		const int32_t occasion = event_occasion(&s->log, a->event);
		event_say(s, occasion >= 0 ? occasion : a->event, &out->about, out);
		event_stop(s->p, &out->about);
		return true;
	}
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_EVENT); i >= 0;
		 i = trace_back(s->t, i - 1, 1u << REC_EVENT)) {
		const struct record x = *trace_look(s->t, i);
		if (x.round == a->round && !x.dropped && x.flag == EVENT_DONE && x.text >= 0 &&
			event_people(&s->p->event[x.what]) > 1 && !s->p->event[x.what].action &&
			log_actor(&s->log, log_at(&s->log, i)) == q->other.v[0])
			return false;
	}
	event_say(s, a->event, &out->about, out);
	buf_puts(&out->about, "; nothing came of what ");
	absence_name(s, q->other.v[0], &out->about);
	buf_puts(&out->about, " was to do in that round");
	event_stop(s->p, &out->about);
	return true;
}

bool order_none(const struct inquiry *s, const struct question *q, const placings *one, const placings *other, struct answer *out)
{
	const people *none = one->n == 0 ? &q->who : other->n == 0 ? &q->other : NULL;
	if (!none) {
		const struct placing *a = &one->v[one->n - 1], *b = &other->v[other->n - 1];
		const struct placing *v[] = {a, b};
		buf_puts(&out->about, "There is no round in which both acted: ");
		for (int i = 0; i < 2; i++) {
			struct buf moment = {0};
			buf_puts(&out->about, i ? ", " : "");
			absence_name(s, v[i]->who, &out->about);
			buf_puts(&out->about, i ? "" : " acts");
			if (order_moment(s, v[i], &moment))
				buf_printf(&out->about, " in %s", buf_text(&moment));
			else if (v[i]->round > 0)
				buf_printf(&out->about, " in round %d", v[i]->round);
			if (moment.length)
				of_round(v[i], &out->about);
			buf_free(&moment);
		}
		buf_putc(&out->about, '.');
		return true;
	}
	if (none->n == 0)
		return false;
	struct question not = *q;
	not.kind = ASK_NOT;
	not.event = none == &q->who ? q->event : -1;
	not.whom.n = 0;
	const size_t begin = out->about.length;
	/* what was begun and came to nothing */
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_CANCEL); i >= 0; i = trace_back(s->t, i - 1, 1u << REC_CANCEL)) {
		const struct record *r = log_at(&s->log, i);
		if (!r->dropped && log_actor(&s->log, r) == none->v[0] && (q->round <= 0 || r->round == q->round) && absence_told_act(s, i) >= 0) {
			absence_end(s, i, out);
			return true;
		}
	}
	absence_name(s, none->v[0], &out->about);
	buf_puts(&out->about, " did not act");
	if (q->round > 0)
		buf_printf(&out->about, " in round %d", q->round);
	buf_puts(&out->about, ": ");
	const size_t before = out->about.length;
	if (absence_told(s, &not, none->v[0], out)) {
		/* "X could not, for ..": that says it all */
		struct buf could = {0};
		absence_name(s, none->v[0], &could);
		buf_puts(&could, " could not");
		if (!strncmp(out->about.data + before, could.data, could.length)) {
			memmove(out->about.data + begin, out->about.data + before, out->about.length - before + 1);
			out->about.length -= before - begin;
		}
		buf_free(&could);
		return true;
	}
	out->about.length = before - 2;
	buf_putc(&out->about, '.');
	return true;
}
