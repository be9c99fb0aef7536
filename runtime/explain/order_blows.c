/* order_blows.c - who strikes first where no turn decides it: two blows of one act, such as a charge and who meets it, and
 * blows in acts that rules made pending for the moment.
 *
 *   Orc struck Brand in round 1 before Brand struck Orc: Orc's reach is 6 ft, Brand's 3.5 ft.
 *     rule: a charge ends within reach in the same round if the rate allows; then the longer weapon strikes first
 *
 * What the two were weighed by is the comparison nearest before the first of them, within the event around both, that holds
 * and has the same number of each on its two sides. See placing.h. */
#include <string.h>

#include "runtime/explain/event.h"
#include "runtime/explain/placing.h"
#include "runtime/explain/sum.h"

enum { EVENTS_UP = 32 };

/* An event with a die of its own that one of these people does to one of those; NULL: to anybody. */
static bool is_blow(const struct log *l, int32_t i, const people *by, const people *to)
{
	const struct record r = *trace_look(l->t, i);
	struct vtype type;
	const word *target;
	bool one = false, other = !to, rolls = false;
	if (r.kind != REC_EVENT || r.dropped || r.flag == EVENT_VOIDED)
		return false;
	for (int k = 0; k < by->n; k++)
		one |= log_actor(l, &r) == by->v[k];
	if (!one || !log_target(l, &r, &type, &target) || type.base != VT_LIVE)
		return false;
	for (int k = 0; to && k < to->n; k++)
		other |= *target == to->v[k];
	for (int32_t k = other ? log_child(l, i) : -1; k >= 0 && !rolls; k = log_sibling(l, k))
		rolls = log_at(l, k)->kind == REC_ROLL;
	return rolls;
}

/* The nearest event that both records are part of; -1. */
static int32_t around_both(const struct log *l, int32_t a, int32_t b)
{
	for (int32_t x = log_at(l, a)->parent, i = 0; x >= 0 && i < EVENTS_UP; x = log_at(l, x)->parent, i++)
		for (int32_t y = log_at(l, b)->parent, k = 0; y >= 0 && k < EVENTS_UP; y = log_at(l, y)->parent, k++)
			if (x == y && log_at(l, x)->kind == REC_EVENT && log_at(l, x)->act >= 0)
				return x;
	return -1;
}

/* "reach" of "one's reach"; NULL: it is nobody's number */
static const char *number_of(const struct side *side)
{
	const char *of = side->n == 1 ? strstr(side->part[0].text, "'s ") : NULL;
	return of ? of + 3 : NULL;
}

/* Is a side of a comparison a number of theirs? Of nobody in particular it may be. */
static bool is_number_of(
	const struct log *l, const struct sum *s, const struct side *side, word who)
{
	const int32_t asked = who == NONE ? -1 : sum_question(l, s->record, &side->part[0]);
	const word *of = asked >= 0 ? trace_values_at(l->t, log_at(l, asked)) : NULL;
	return who == NONE || (of && *of == who);
}

/* The same, of `equal` numbers on both sides or of different ones; of the first's to begin with. */
static bool weighed(
	const struct log *l, int32_t from, int32_t to, word first, bool equal, struct sum *out)
{
	for (int32_t i = trace_back(l->t, to - 1, 1u << REC_SUM); i > from; i = trace_back(l->t, i - 1, 1u << REC_SUM)) {
		const char *left, *right;
		if (trace_look(l->t, i)->dropped || !sum_read(l, i, out) || !out->compares || out->holds == equal)
			continue;
		left = number_of(&out->left), right = number_of(&out->right);
		if (left && right && !strcmp(left, right) &&
			(out->left.total == out->right.total) == equal &&
			is_number_of(l, out, &out->left, first))
			return true;
	}
	return false;
}

bool weighed_by(const struct log *l, int32_t from, int32_t to, word first, struct sum *out)
{
	return weighed(l, from, to, first, false, out);
}

void weighed_add(const struct log *l, const struct sum *by, word first, word second, struct buf *out)
{
	program_owner(l->p, KIND_COMBATANT, first, out);
	buf_printf(out, " %s is ", number_of(&by->left));
	program_value(l->p, by->left.type, &by->left.total, out);
	buf_puts(out, ", ");
	program_owner(l->p, KIND_COMBATANT, second, out);
	buf_putc(out, ' ');
	program_value(l->p, by->right.type, &by->right.total, out);
}

struct exchange {
	int32_t first, second; /* two blows */
	int32_t around;        /* the act that both are part of; -1: acts of their own, told by their keys */
	struct sum by;         /* what weighed them there */
	struct placing a, b;
};

static bool is_action(const struct inquiry *s, const struct placing *a)
{
	return s->p->event[log_at(&s->log, a->root)->what].action;
}

static bool is_at(const struct log *l, int32_t event, word at)
{
	struct vtype type;
	const word *target;
	return log_target(l, log_at(l, event), &type, &target) && type.base == VT_LIVE && *target == at;
}

/* Are these two blows weighed against each other, the first before the second or, with `equal`, in one act to no effect? */
static bool is_exchange(const struct inquiry *s, int32_t first, int32_t second, bool equal, struct exchange *out)
{
	const struct log *l = &s->log;
	const word one = log_actor(l, log_at(l, first));
	*out = (struct exchange){.first = first, .second = second, .around = around_both(l, first, second)};
	if (log_at(l, first)->round != log_at(l, second)->round || log_at(l, first)->what != log_at(l, second)->what)
		return false;
	if (out->around >= 0)
		return is_at(l, second, one) && weighed(l, out->around, first, NONE, equal, &out->by);
	int key;
	bool before;
	placing_of(l, first, &out->a);
	placing_of(l, second, &out->b);
	return !equal && out->a.key >= 0 && out->b.key >= 0 && !(is_action(s, &out->a) && is_action(s, &out->b)) &&
		placing_differ(&out->a, &out->b, &key, &before) && before && key >= 0 && !out->a.at[key].time;
}

/* "hit" is part of "strike" */
static int32_t whole(const struct log *l, int32_t blow)
{
	const word who = log_actor(l, log_at(l, blow));
	for (int32_t up = log_at(l, blow)->parent; up >= 0 && log_at(l, up)->kind == REC_EVENT && log_at(l, up)->act >= 0; up = log_at(l, up)->parent) {
		for (int32_t k = log_child(l, up); k >= 0 && log_actor(l, log_at(l, up)) == who; k = log_sibling(l, k))
			if (log_at(l, k)->kind == REC_ROLL) {
				blow = up;
				break;
			}
		if (blow != up)
			break;
	}
	return blow;
}

/* The last exchange in which somebody of `one` strikes before somebody of `other`. */
static bool exchange_of(const struct inquiry *s, const people *one, const people *other, int32_t round, bool equal, struct exchange *out)
{
	const struct log *l = &s->log;
	for (int32_t y = trace_back(s->t, s->end - 1, 1u << REC_EVENT); y >= 0; y = trace_back(s->t, y - 1, 1u << REC_EVENT)) {
		const int32_t in = trace_look(s->t, y)->round;
		if ((round >= 0 && in != round) || !is_blow(l, y, other, NULL))
			continue;
		for (int32_t x = trace_back(s->t, y - 1, 1u << REC_EVENT); x >= 0 && trace_look(s->t, x)->round == in;
			 x = trace_back(s->t, x - 1, 1u << REC_EVENT))
			if (is_blow(l, x, one, other) && is_exchange(s, whole(l, x), whole(l, y), equal, out))
				return true;
	}
	return false;
}

static void blow_add(const struct log *l, int32_t blow, struct buf *out)
{
	english_event(l, blow, MOOD_DID, out);
}

/* "Pell's reach is 18 ft, Uz's 6 ft": where one rule gave both their lengths. */
static bool lengths_told(const struct inquiry *s, const struct exchange *x, int key, struct buf *out)
{
	const struct placing *of[] = {&x->a, &x->b};
	int32_t clause[2] = {-1, -1};
	for (int i = 0; i < 2; i++) {
		const struct key *k = &of[i]->at[key];
		if (k->type.base != VT_DISTANCE || k->value == NONE || k->record < 0)
			return false;
		clause[i] = log_at(&s->log, k->record)->clause;
	}
	if (clause[0] != clause[1])
		return false;
	for (int i = 0; i < 2; i++) {
		program_owner(s->p, KIND_COMBATANT, of[i]->who, out);
		buf_printf(out, i ? " " : " %s is ", of[i]->at[key].name);
		placing_value(&s->log, of[i], key, out);
		buf_puts(out, i ? "" : ", ");
	}
	return true;
}

static void exchange_told(const struct inquiry *s, const struct exchange *x, struct answer *out)
{
	const struct log *l = &s->log;
	struct buf when = {0};
	blow_add(l, x->first, &out->about);
	if (answer_when(l, x->first, &when))
		buf_printf(&out->about, " in %s", buf_text(&when));
	buf_puts(&out->about, " before ");
	blow_add(l, x->second, &out->about);
	buf_puts(&out->about, ": ");
	buf_free(&when);
	if (x->around >= 0) {
		weighed_add(l, &x->by, log_actor(l, log_at(l, x->first)), log_actor(l, log_at(l, x->second)), &out->about);
		buf_putc(&out->about, '.');
		const int32_t occasion = event_occasion(l, x->first);
		answer_rule_of(s->p, out, log_at(l, occasion >= 0 ? occasion : x->by.record)->clause);
		return;
	}
	int key;
	bool before;
	placing_differ(&x->a, &x->b, &key, &before);
	const int32_t told = lengths_told(s, x, key, &out->about) ? -1 : order_key_told(s, &x->a, &x->b, key, &out->about);
	buf_putc(&out->about, '.');
	for (int i = 0; i < 2 && told < 0; i++) {
		const int32_t q = (i ? &x->b : &x->a)->at[key].record;
		if (q >= 0)
			answer_rule_of(s->p, out, log_at(l, q)->clause);
	}
}

/* "Ulf struck orc #1 as orc #1 struck Ulf, at the same moment in round 1: Ulf's reach is 7 ft, orc #1's 7 ft." */
static void together_struck(const struct inquiry *s, const struct exchange *x, struct answer *out)
{
	const struct log *l = &s->log;
	const word who[] = {log_actor(l, log_at(l, x->first)), log_actor(l, log_at(l, x->second))};
	struct buf when = {0};
	blow_add(l, x->first, &out->about);
	buf_puts(&out->about, " as ");
	blow_add(l, x->second, &out->about);
	buf_puts(&out->about, ", at the same moment");
	if (answer_when(l, x->first, &when))
		buf_printf(&out->about, " in %s", buf_text(&when));
	buf_puts(&out->about, ": ");
	weighed_add(l, &x->by, who[0], who[1], &out->about);
	buf_putc(&out->about, '.');
	answer_rule_of(s->p, out, log_at(l, x->by.record)->clause);
	buf_free(&when);
}

bool order_blows(const struct inquiry *s, const struct question *q, const struct pair *turns, struct answer *out)
{
	const people *one = q->order == ASKED_AFTER ? &q->other : &q->who, *other = q->order == ASKED_AFTER ? &q->who : &q->other;
	struct exchange x;
	if (q->order == ASKED_TOGETHER || (turns && is_at(&s->log, turns->a.event, turns->b.who) && is_at(&s->log, turns->b.event, turns->a.who)))
		return false;
	bool found = exchange_of(s, one, other, order_round(q), false, &x);
	if (found && turns && log_at(&s->log, x.first)->round < turns->a.round)
		return false;
	if (!found && !turns && exchange_of(s, other, one, order_round(q), false, &x)) {
		answer_premise(out, PREMISE_OTHER);
		found = true;
	}
	if (found)
		exchange_told(s, &x, out);
	else if (!turns && (exchange_of(s, one, other, order_round(q), true, &x) || exchange_of(s, other, one, order_round(q), true, &x)))
		together_struck(s, &x, out);
	else
		return false;
	return true;
}
