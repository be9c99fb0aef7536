/* answer_order.c - why one acts before, with or after another, first, last, or at a moment.
 *
 *   It is the other way round: Halvaine acts in segment 4, orc #2 in segment 5.
 *     Halvaine  segment 4: the orcs' initiative die, 4 (forced)
 *     orc #2    segment 5: the party's initiative die, 5 (forced)
 *     rule: a side acts in the segment shown by the other side's die (OSRIC, 3)
 *
 * Of two acts the keys are read that placed them, up to the first in which they differ; what they
 * share is left out. The pair is told that makes the question true; if there is none, the premise is
 * put right first. */
#include <string.h>

#include "runtime/explain/event.h"
#include "runtime/explain/explain.h"
#include "runtime/explain/placing.h"

/* An act that no key placed is what came of it: the end of a spell that was begun before all others. */
static bool placed_later(const struct inquiry *s, struct placing *a)
{
	const int32_t act = log_at(&s->log, a->event)->act;
	for (int32_t i = a->event + 1; i < s->end; i++) {
		const struct record r = *trace_look(s->t, i);
		if (r.round != a->round)
			return true;
		if (r.kind != REC_PEND || r.dropped)
			continue;
		int32_t up = r.parent;
		while (up >= 0 && up != a->event && log_at(&s->log, up)->act == act)
			up = log_at(&s->log, up)->parent;
		if (up != a->event)
			continue;
		for (int32_t k = i + 1; k < s->end; k++) {
			const struct record *x = trace_look(s->t, k);
			if (x->kind != REC_EVENT || x->dropped || x->value != i || x->flag == EVENT_VOIDED)
				continue;
			struct placing later;
			placing_of(&s->log, k, &later);
			if (later.key >= 0 && later.who == a->who)
				*a = later;
			return true;
		}
		return false; /* nothing came of it */
	}
	return true;
}

/* All that these people did of an event (-1: any act), in a round (-1: in any). */
void order_acts(const struct inquiry *s, int32_t event, const people *who, int32_t round, placings *out)
{
	for (int32_t i = 0; i < s->end; i++) {
		const struct record *r = trace_look(s->t, i);
		if (r->kind != REC_EVENT || (round >= 0 && r->round != round) || !explain_is(s->p, s->t, i, event, NONE, NONE))
			continue;
		if (!people_fit(who, log_actor(&s->log, log_at(&s->log, i))))
			continue;
		struct placing one;
		placing_of(&s->log, i, &one);
		if (one.key < 0 && !placed_later(s, &one))
			continue;
		if (one.who != NONE)
			VEC_PUSH(*out, one);
	}
}

/* -1, 0, 1: a's act came before, with, after b's. */
static int compared(const struct placing *a, const struct placing *b)
{
	if (a->round != b->round)
		return a->round < b->round ? -1 : 1;
	/* one after the other in what a third did: two blows at one opening */
	if (a->root == b->root && a->event != b->event && a->event != a->root &&
		b->event != b->root)
		return a->event < b->event ? -1 : 1;
	return (a->group > b->group) - (a->group < b->group);
}

/* ---- words ---- */

static void name_add(const struct inquiry *s, word who, struct buf *out)
{
	program_live(s->p, KIND_COMBATANT, who, out);
}

static void owner_add(const struct inquiry *s, word who, struct buf *out)
{
	program_owner(s->p, KIND_COMBATANT, who, out);
}

/* "segment 4"; false: the act has no time. */
bool order_moment(const struct inquiry *s, const struct placing *a, struct buf *out)
{
	for (int k = 0; k < a->keys; k++)
		if (a->at[k].time) {
			placing_value(&s->log, a, k, out);
			return true;
		}
	return log_moment(&s->log, a->event, out);
}

/* "Halvaine acts", "Halvaine's web is complete" */
void order_deed(const struct inquiry *s, const struct question *q, const struct placing *a, int32_t event, struct buf *out)
{
	const struct record *r = log_at(&s->log, a->event);
	(void)q;
	if ((event >= 0 || !s->p->event[r->what].action) && r->text >= 0) {
		const char *text = trace_text_at(s->t, r->text);
		size_t subject, verb;
		if (english_split(s->p, text, &subject, &verb)) {
			buf_puts(out, text);
			return;
		}
	}
	name_add(s, a->who, out);
	buf_puts(out, " acts");
}

static void rule_of(const struct inquiry *s, int32_t clause, struct answer *out)
{
	answer_rule_of(s->p, out, clause);
}

/* The clause that orders acts, by the keys of a placing. */
static int32_t order_clause(const struct inquiry *s, const struct placing *a)
{
	return a->key >= 0 ? log_at(&s->log, a->key)->clause : -1;
}

/* ---- which pair ---- */

static void nth_of(const placings *v, const struct placing *a, int *nth, int *of)
{
	int32_t last = -1;
	*nth = *of = 0;
	for (int i = 0; i < v->n; i++) {
		if (v->v[i].round != a->round || v->v[i].who != a->who || v->v[i].group == last)
			continue;
		last = v->v[i].group;
		++*of;
		if (v->v[i].group == a->group)
			*nth = *of;
	}
}

/* The pair of one round whose order is `wanted`: the first acts of both if that is so, else the second .., and any two where
 * one of them acts more often. False: none is. */
static bool pair_in(const placings *one, const placings *other, int32_t round, int wanted, struct pair *out)
{
	for (int any = 0; any < 2; any++)
		for (int i = 0; i < one->n; i++)
			for (int k = 0; k < other->n; k++) {
				const struct placing *a = &one->v[i], *b = &other->v[k];
				if (a->round != round || b->round != round || a->who == b->who || compared(a, b) != wanted)
					continue;
				struct pair p = {.a = *a, .b = *b};
				nth_of(one, a, &p.a_nth, &p.a_of);
				nth_of(other, b, &p.b_nth, &p.b_of);
				if (any ? p.a_of == p.b_of && p.a_nth != p.b_nth : p.a_nth != p.b_nth)
					continue;
				*out = p;
				return true;
			}
	return false;
}

/* The last round in which both acted; -1. `before`: of those before that one. */
static int32_t common_round(const placings *one, const placings *other, int32_t before)
{
	int32_t best = -1;
	for (int i = 0; i < one->n; i++)
		for (int k = 0; k < other->n; k++)
			if (one->v[i].round == other->v[k].round && one->v[i].who != other->v[k].who && one->v[i].round < before && one->v[i].round > best)
				best = one->v[i].round;
	return best;
}

/* ---- why ---- */

static bool both_timed(const struct inquiry *s, const struct placing *a, const struct placing *b, struct buf *x, struct buf *y)
{
	return order_moment(s, a, x) && order_moment(s, b, y) && strcmp(buf_text(x), buf_text(y)) != 0;
}

static const char *const ordinal[] = {"", "first", "second", "third", "fourth", "fifth", "sixth"};
static const char *const cardinal[] = {"no", "one", "two", "three", "four", "five", "six"};

/* "Korg acts"; "Korg acts for the second time" where somebody acts several times in the round. */
static void which_add(const struct inquiry *s, const struct question *q, const struct placing *a, int32_t event, int nth, int of, struct buf *out)
{
	order_deed(s, q, a, event, out);
	if (of > 1 && nth > 1 && nth < (int)FRAY_COUNT(ordinal))
		buf_printf(out, " for the %s time", ordinal[nth]);
}

/* "Korg's first act comes before orc #1's", or "Korg acts before orc #1". */
static void untimed(const struct inquiry *s, const struct question *q, const struct pair *p, int32_t event, int32_t event_b, struct buf *out)
{
	if (event < 0 && event_b < 0 && !p->b.unmade && (p->a_of > 1 || p->b_of > 1) && p->a_nth < (int)FRAY_COUNT(ordinal) && p->b_nth < (int)FRAY_COUNT(ordinal)) {
		owner_add(s, p->a.who, out);
		if (p->a_of > 1 && p->a_of < (int)FRAY_COUNT(cardinal))
			buf_printf(out, " %s of %s acts comes before ", ordinal[p->a_nth], cardinal[p->a_of]);
		else
			buf_printf(out, p->a_of > 1 ? " %s act comes before " : " act comes before ", ordinal[p->a_nth]);
		owner_add(s, p->b.who, out);
		if (p->b_of > 1)
			buf_printf(out, " %s", ordinal[p->b_nth]);
		return;
	}
	const size_t begun = out->length;
	order_deed(s, q, &p->a, event, out);
	/* "ghast slays Dorn, who is helpless, before Dorn" */
	buf_puts(out, strchr(buf_text(out) + begun, ',') ? ", before " : " before ");
	if (p->b.unmade) {
		name_add(s, p->b.who, out);
		buf_puts(out, " would have");
		return;
	}
	if (event_b >= 0 || !s->p->event[log_at(&s->log, p->b.event)->what].action)
		order_deed(s, q, &p->b, event_b, out);
	else
		name_add(s, p->b.who, out);
}

/* a's act was begun by a rule before anybody's act was placed: which rule. False: it was not. */
static bool unplaced_told(const struct inquiry *s, const struct placing *a, const struct placing *b, struct answer *out)
{
	const int32_t by = log_at(&s->log, a->event)->parent;
	const struct record *r = by >= 0 ? log_at(&s->log, by) : NULL;
	if (a->key >= 0 || b->key < 0 || !r || r->kind != REC_EVENT || r->act >= 0 || r->clause < 0)
		return false;
	buf_puts(&out->about, ": it is begun before the acts of the round are put in their order.");
	rule_of(s, r->clause, out);
	return true;
}

/* Was an act of somebody's pending when the group of a placing was chosen? */
static bool was_pending(const struct inquiry *s, const struct placing *a, word who)
{
	const struct record k = *log_at(&s->log, a->key < 0 ? a->root : a->key);
	for (int32_t i = (a->key < 0 ? a->root : a->key) - 1; i >= 0; i--) {
		const struct record *r = trace_look(s->t, i);
		if (r->round != k.round || (r->kind == REC_GROUP && r->group != a->group))
			return false;
		if (r->kind == REC_PEND && !r->dropped && log_actor(&s->log, log_at(&s->log, i)) == who)
			return true;
	}
	return false;
}

/* The rule that had an act's turn come when it did, where no keys placed it. */
static void turn_rule(const struct inquiry *s, const struct placing *a, struct answer *out)
{
	const int32_t begun = (int32_t)log_at(&s->log, a->root)->value;
	int32_t clause = a->keys > 0       ? order_clause(s, a)
		: begun > 0 && begun < a->root ? log_at(&s->log, begun)->clause
									   : -1;
	for (int32_t i = begun > 0 && begun < a->root ? begun : a->root; i >= 0 && clause < 0;
		 i = log_at(&s->log, i)->parent)
		clause = log_at(&s->log, i)->clause;
	rule_of(s, clause, out);
}

/* Acts of different parts of a round, which no keys compare: their moments say it, and the rules
 * that brought about their turns. */
static bool timed_told(const struct inquiry *s, const struct placing *a, const struct placing *b,
	bool timed, struct answer *out)
{
	if (!timed)
		return false;
	buf_putc(&out->about, '.');
	turn_rule(s, a, out);
	turn_rule(s, b, out);
	return true;
}

/* Is what was asked about part of what another did: a blow at an opening that they gave? */
static bool out_of_turn(const struct inquiry *s, const struct placing *a)
{
	const word doer = log_actor(&s->log, log_at(&s->log, a->root));
	return a->event != a->root && doer != NONE && doer != a->who;
}

/* No turn brought one of the two about, so no keys compare them: what it was part of says it.
 *
 *   orc #1 struck Halvaine in count 3 of round 1: orc #1 seized on the opening Halvaine gives, when
 *   Halvaine began casting web. Bruna acts after that, in count 3. */
static bool free_told(const struct inquiry *s, const struct question *q, const struct placing *a,
	const struct placing *b, bool swapped, struct answer *out)
{
	const bool first = out_of_turn(s, a);
	const struct placing *free = first ? a : b, *other = first ? b : a;
	struct buf moment = {0};
	if (!first && !out_of_turn(s, b))
		return false;
	const int32_t occasion = event_occasion(&s->log, free->event);
	event_say(s, occasion >= 0 ? occasion : free->event, &out->about, out);
	event_stop(s->p, &out->about);
	buf_putc(&out->about, ' ');
	const size_t begin = out->about.length;
	order_deed(s, q, other, first == swapped ? q->event : -1, &out->about);
	answer_capital(s->p, &out->about, begin);
	buf_puts(&out->about, first ? " after that" : " before that");
	if (order_moment(s, other, &moment))
		buf_printf(&out->about, ", in %s", buf_text(&moment));
	buf_putc(&out->about, '.');
	buf_free(&moment);
	return true;
}

/* a acts before b. */
bool order_apart(const struct inquiry *s, const struct question *q, const struct pair *p, bool swapped, bool several, struct answer *out)
{
	const struct placing *a = &p->a, *b = &p->b;
	const int32_t event = swapped ? -1 : q->event, event_b = swapped ? q->event : -1;
	struct buf x = {0}, y = {0};
	int key;
	bool before, same = placing_differ(a, b, &key, &before);
	const size_t begun = out->about.length;
	if (free_told(s, q, a, b, swapped, out))
		return true;
	const bool timed = both_timed(s, a, b, &x, &y);
	const int32_t settled = a->key >= 0 && b->key >= 0 && !timed ? placing_settled(&s->log, a, b) : -1;
	if (settled >= 0) {
		untimed(s, q, p, event, event_b, &out->about);
		if (several)
			buf_printf(&out->about, " in round %d", a->round);
		moved_rule_told(s, a, settled, out);
		buf_putc(&out->about, '.');
		buf_free(&x);
		buf_free(&y);
		return true;
	}
	if (timed) {
		which_add(s, q, a, event, p->a_nth, p->a_of, &out->about);
		buf_printf(&out->about, " in %s, ", buf_text(&x));
		if (b->unmade)
			name_add(s, b->who, &out->about);
		else if (event_b >= 0 || !s->p->event[log_at(&s->log, b->event)->what].action)
			order_deed(s, q, b, event_b, &out->about);
		else
			name_add(s, b->who, &out->about);
		if (p->b_of > 1 && p->b_nth > 1 && p->b_nth < (int)FRAY_COUNT(ordinal))
			buf_printf(&out->about, " for the %s time", ordinal[p->b_nth]);
		if (b->unmade)
			buf_puts(&out->about, " would have acted");
		buf_printf(&out->about, " in %s", buf_text(&y));
	} else {
		untimed(s, q, p, event, event_b, &out->about);
	}
	if (a->round == 0)
		buf_puts(&out->about, ", before the first round");
	else if (several)
		buf_printf(&out->about, timed ? " of round %d" : " in round %d", a->round);
	if (same && before && key >= 0 && a->at[key].time && timed) {
		buf_putc(&out->about, '.');
		order_key_figures(s, a, b, key, -1, out);
	} else if (same && before && key >= 0) {
		buf_puts(&out->about, ": ");
		const int32_t told = order_key_told(s, a, b, key, &out->about);
		buf_putc(&out->about, '.');
		order_key_figures(s, a, b, key, told, out);
		if (told < 0)
			rule_of(s, order_clause(s, a), out);
	} else {
		int32_t moved = placing_moved(&s->log, a);
		const struct placing *who = moved >= 0 ? a : b;
		moved = moved >= 0 ? moved : placing_moved(&s->log, b);
		if (moved < 0) {
			const bool idle = same && timed && !was_pending(s, a, b->who);
			struct placing then;
			const bool passed = !idle && placing_then(&s->log, a, b->who, &then) &&
				placing_differ(a, &then, &key, &before) && before && key >= 0;
			if (passed) {
				buf_puts(&out->about, ": ");
				if (timed)
					buf_printf(&out->about, "in %s ", buf_text(&x));
				order_key_told(s, a, &then, key, &out->about);
				buf_putc(&out->about, '.');
				rule_of(s, order_clause(s, a), out);
			}
			if (idle) {
				buf_printf(&out->about, ": in %s ", buf_text(&x));
				name_add(s, b->who, &out->about);
				buf_puts(&out->about, " was not waiting to act.");
				rule_of(s, order_clause(s, a), out);
			}
			buf_free(&x);
			buf_free(&y);
			return idle || passed || unplaced_told(s, a, b, out) ||
				(!same && timed_told(s, a, b, timed, out));
		}
		const word other = moved_by(s, moved);
		const int verb = log_at(&s->log, moved)->flag;
		if (other == (who == a ? b : a)->who && ((verb == 0 && who == b) || (verb == 1 && who == a))) {
			buf_free(&x);
			buf_free(&y);
			return false; /* it says the opposite: they were placed in different lists */
		}
		if (!timed && other == (who == a ? b : a)->who)
			out->about.length = begun; /* the move says it all */
		else
			buf_puts(&out->about, ", for ");
		moved_told(s, who, other, moved, out);
		buf_putc(&out->about, '.');
	}
	buf_free(&x);
	buf_free(&y);
	return true;
}

word order_side(const struct inquiry *s, word who)
{
	const struct field_info *f = &s->p->field[s->p->at.combatant_side];
	return s->world[f->base + (uint32_t)who * f->stride];
}

/* Why they act together: one die, or two that are equal; the key behind which nothing differs.
 * False: no die was named. */
static bool equal_told(const struct inquiry *s, const struct placing *a, const struct placing *b,
	struct answer *out)
{
	int32_t x = -1, y = -1;
	for (int k = 0; k < a->keys && k < b->keys && (x < 0 || y < 0); k++) {
		x = a->at[k].record >= 0 ? ground_die(&s->log, a->at[k].record) : -1;
		y = b->at[k].record >= 0 ? ground_die(&s->log, b->at[k].record) : -1;
	}
	struct buf *o = &out->about;
	const bool side = order_side(s, a->who) == order_side(s, b->who);
	if (x >= 0 && x == y) {
		buf_printf(o, ": %sone die (", side ? "one side, " : "");
		ground_die_name(&s->log, x, o);
		buf_printf(o, ", %lld), and nothing that moves either of them", (long long)log_at(&s->log, x)->value);
	} else if (x >= 0 && y >= 0) {
		buf_puts(o, ": the dice are equal, ");
		order_dice(s, x, y, "", " and", o);
	} else {
		bool any = false;
		for (int k = 0; k < a->keys; k++) {
			if (!order_key_printed(s, a, k))
				continue;
			struct buf v = {0};
			placing_value(&s->log, a, k, &v);
			buf_printf(o, "%s%s %s", any ? ", " : ": both have ", a->at[k].name, buf_text(&v));
			buf_free(&v);
			any = true;
			if (a->at[k].record >= 0 && b->at[k].record >= 0) /* adjusted, else the dice had said it */
				order_figure(s, a, k, out), order_figure(s, b, k, out);
		}
		return false;
	}
	return true;
}

static bool together_told(const struct inquiry *s, const struct question *q, const struct pair *p, bool several, struct answer *out)
{
	struct buf x = {0};
	if (q->event >= 0) {
		order_deed(s, q, &p->a, q->event, &out->about);
		buf_puts(&out->about, " together with what ");
		name_add(s, p->b.who, &out->about);
		buf_puts(&out->about, " does");
	} else {
		buf_puts(&out->about, "They act together");
	}
	bool timed = order_moment(s, &p->a, &x);
	if (timed)
		buf_printf(&out->about, ", in %s", buf_text(&x));
	if (p->a.round == 0)
		buf_puts(&out->about, " before the first round");
	else if (several)
		buf_printf(&out->about, timed ? " of round %d" : ", in round %d", p->a.round);
	int key;
	bool before;
	int32_t moved = placing_moved(&s->log, &p->a);
	moved = moved >= 0 ? moved : placing_moved(&s->log, &p->b);
	if (placing_differ(&p->a, &p->b, &key, &before) && key < 0) {
		const bool dice = equal_told(s, &p->a, &p->b, out);
		compared_told(s, &p->a, &p->b, out);
		buf_putc(&out->about, '.');
		order_moment_figures(s, &p->a, out, dice);
		if (!dice)
			order_moment_figures(s, &p->b, out, false);
		rule_of(s, order_clause(s, &p->a), out);
	} else if (moved >= 0) {
		const struct record m = *log_at(&s->log, moved);
		buf_puts(&out->about, ", for ");
		moved_told(s, m.act == p->a.act ? &p->a : &p->b, moved_by(s, moved), moved, out);
		buf_putc(&out->about, '.');
	} else {
		buf_putc(&out->about, '.');
	}
	buf_free(&x);
	return true;
}

/* What the last sentence turns round is looked for among the first of each in the round. */
static void turn_of(const struct inquiry *s, const struct question *q, const struct pair *p, struct answer *out)
{
	const int32_t one = log_at(&s->log, p->a.event)->what, other = log_at(&s->log, p->b.event)->what;
	if (p->a_nth > 1 || p->b_nth > 1)
		return;
	out->turn = (struct turn){.sort = TURN_ORDER, .record = p->a.event > p->b.event ? p->a.event : p->b.event,
		.event = q->event >= 0 ? q->event : s->p->event[one].action ? -1 : one, .other_event = s->p->event[other].action ? -1 : other,
		.who = p->a.who, .whom = NONE, .other = p->b.who};
}

/* "Garran acts in segment 2 as well": of whose later turn is told, the one before it. */
static void earlier_told(const struct inquiry *s, const placings *all, const struct placing *at,
	int nth, struct answer *out)
{
	for (int i = 0; i < all->n && nth > 1; i++) {
		const struct placing *x = &all->v[i];
		struct buf moment = {0};
		if (x->who == at->who && x->round == at->round && x->event != at->event &&
			order_moment(s, x, &moment)) {
			answer_figure(out, x->event, -1, "%s acts for the first time in %s",
				s->p->live[KIND_COMBATANT][x->who].name, buf_text(&moment));
			nth = 0;
		}
		buf_free(&moment);
	}
}

static bool pair_told(const struct inquiry *s, const struct question *q, struct answer *out)
{
	placings one = {0}, other = {0};
	struct pair p;
	memset(&p, 0, sizeof p);
	const int asked = q->order == ASKED_TOGETHER ? 0 : q->order == ASKED_AFTER ? 1 : -1;
	/* what is denied is looked for the other way round */
	const int wanted = q->negated ? -asked : asked;
	bool found = false, ok = false;
	int32_t round, rounds = 0;
	order_acts(s, q->event, &q->who, order_round(q), &one);
	/* "porter strikes before Arne": before Arne strikes, if he did */
	if (q->event >= 0 && !s->p->event[q->event].action)
		order_acts(s, q->event, &q->other, order_round(q), &other);
	if (common_round(&one, &other, INT32_MAX) < 0) {
		VEC_FREE(other);
		order_acts(s, -1, &q->other, order_round(q), &other);
	}
	if (order_alone(s, q, &one, out)) {
		VEC_FREE(one);
		VEC_FREE(other);
		return true;
	}
	int32_t last = common_round(&one, &other, INT32_MAX);
	bool turned = false;
	for (round = last; round >= 0 && !turned; round = common_round(&one, &other, round))
		turned = pair_in(&one, &other, round, wanted, &p);
	/* of several who act, their turns are meant */
	const bool turns = turned && q->event < 0 && (q->who.n > 1 || q->other.n > 1);
	if (!turns && order_blows(s, q, turned ? &p : NULL, out)) {
		VEC_FREE(one);
		VEC_FREE(other);
		return true;
	}
	if (last < 0 && !order_cancelled(s, q, &one, &other, out) && q->event < 0) { /* one of them had a turn, and was past using it */
		order_voided(s, &q->who, order_round(q), &one);
		order_voided(s, &q->other, order_round(q), &other);
		last = common_round(&one, &other, INT32_MAX);
	}
	for (round = last; round >= 0; round = common_round(&one, &other, round), rounds++)
		if (!found)
			found = pair_in(&one, &other, round, wanted, &p);
	const bool several = rounds > 1;
	if (!found && last >= 0) {
		bool together = pair_in(&one, &other, last, 0, &p);
		if (!together)
			together = pair_in(&one, &other, last, wanted == 1 ? -1 : 1, &p) || pair_in(&one, &other, last, -1, &p);
	}
	if (last >= 0) {
		const int is = compared(&p.a, &p.b);
		if (is == 0 && (p.a.unmade || p.b.unmade)) {
			const placings nothing = {0};
			ok = order_none(s, q, p.a.unmade ? &nothing : &one, p.b.unmade ? &nothing : &other, out);
		} else if (is == 0) {
			ok = together_told(s, q, &p, several, out);
		} else {
			const bool so = (is < 0) == (asked < 0) && asked != 0;
			const bool wrong = q->negated ? so : !found;
			if (wrong && q->order == ASKED_TOGETHER)
				buf_puts(&out->about, "They do not act together: ");
			else if (wrong && q->negated)
				buf_puts(&out->about, "But it is so: ");
			else if (wrong)
				answer_premise(out, PREMISE_OTHER);
			struct pair swapped = {p.b, p.a, p.b_of, p.b_nth, p.a_of, p.a_nth};
			ok = order_apart(s, q, is < 0 ? &p : &swapped, is > 0, several, out);
			if (ok) {
				earlier_told(s, &one, &p.a, p.a_nth, out);
				earlier_told(s, &other, &p.b, p.b_nth, out);
			}
			if (ok && (p.a.unmade || p.b.unmade))
				order_fate(s, p.a.unmade ? &p.a : &p.b, out);
		}
		turn_of(s, q, &p, out);
	} else {
		ok = out->about.length > 0 || order_none(s, q, &one, &other, out);
	}
	VEC_FREE(one);
	VEC_FREE(other);
	return ok;
}

/* "orc #1 and orc #2 act together"; of two sides somebody of each. */
static bool together_asked(const struct inquiry *s, const struct question *q, struct answer *out)
{
	people one = {0}, other = {0};
	const word side = order_side(s, q->who.v[0]);
	for (int i = 0; i < q->who.n; i++)
		if (order_side(s, q->who.v[i]) == side)
			VEC_PUSH(one, q->who.v[i]);
		else
			VEC_PUSH(other, q->who.v[i]);
	struct question two = *q;
	two.who = other.n ? one : (people){.v = q->who.v, .n = 1};
	two.other = other.n ? other : (people){.v = q->who.v + 1, .n = q->who.n - 1};
	const bool told = pair_told(s, &two, out);
	VEC_FREE(one);
	VEC_FREE(other);
	return told;
}

bool answer_order(const struct inquiry *s, const struct question *q, struct answer *out)
{
	switch (q->order) {
	case ASKED_BEFORE:
	case ASKED_AFTER:
		if (!q->other.n && q->moment != INT64_MIN)
			return order_when(s, q, out);
		return q->other.n ? pair_told(s, q, out) : order_end(s, q, q->order == ASKED_AFTER, out);
	case ASKED_TOGETHER:
		if (q->other.n)
			return pair_told(s, q, out);
		return q->who.n > 1 && together_asked(s, q, out);
	case ASKED_FIRST:
	case ASKED_LAST:
		return order_end(s, q, q->order == ASKED_LAST, out);
	case ASKED_WHEN:
		return order_when(s, q, out);
	case ASKED_SEQUENCE:
		return order_sequence(s, q, out);
	}
	return false;
}

bool answer_order_of(const struct inquiry *s, int32_t one, int32_t other, struct answer *out)
{
	const struct question q = {.kind = ASK_ORDER, .event = -1, .record = one, .other_record = other};
	struct pair p = {.a_of = 1, .a_nth = 1, .b_of = 1, .b_nth = 1};
	placing_of(&s->log, one, &p.a);
	placing_of(&s->log, other, &p.b);
	if (p.a.who == NONE || p.b.who == NONE || p.a.round != p.b.round)
		return false;
	const int is = compared(&p.a, &p.b);
	if (is == 0)
		return together_told(s, &q, &p, false, out);
	const struct pair swapped = {.a = p.b, .b = p.a, .a_of = 1, .a_nth = 1, .b_of = 1, .b_nth = 1};
	return order_apart(s, &q, is < 0 ? &p : &swapped, is > 0, false, out);
}
