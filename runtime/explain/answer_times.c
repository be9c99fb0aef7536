/* answer_times.c - why somebody did something twice, or once only: how often it was, and the
 * number that the rule goes by which
 * has it done so often.
 *
 *   Runa attacked twice in round 5: Runa's routines are 2.
 *     rule: how often one may use his routine (LITE, VII.A) */
#include <ctype.h>
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"
#include "runtime/explain/left.h"

enum { DEEP = 5, LINES_MOST = 6 };

/* What the rule of a clause counts up to: behind "from 1 to ". False: it counts nothing. */
static bool counted_to(const struct inquiry *s, int32_t clause, struct buf *out)
{
	static const char count[] = "each n from 1 to ";
	struct buf text = {0};
	if (clause < 0 || clause >= s->p->clauses || !s->text)
		return false;
	s->text(s->context, s->p->clause[clause].span, &text); /* a clause's own text may be cut */
	const char *at = strstr(buf_text(&text), count);
	buf_clear(out);
	if (at)
		buf_add(out, at + strlen(count), strcspn(at + strlen(count), "{"));
	buf_free(&text);
	return out->length > 0;
}

/* The rule that had an act done, or an event come, so many times; -1. */
static int32_t counting_clause(const struct inquiry *s, int32_t number, struct buf *to)
{
	const struct log *l = &s->log;
	const struct record e = *log_at(l, number);
	if (!event_is_root(l, number)) {
		const int32_t clause = event_clause(l, number);
		return counted_to(s, clause, to) ? clause : -1;
	}
	const uint32_t kind = 1u << REC_PEND;
	for (int32_t i = trace_back(s->t, number - 1, kind); i >= 0;
		i = trace_back(s->t, i - 1, kind)) {
		const struct record pend = *log_at(l, i);
		if (pend.round != e.round)
			break;
		if (pend.dropped || pend.act != e.act)
			continue;
		if (counted_to(s, pend.clause, to))
			return pend.clause;
		const int32_t around = pend.parent >= 0 ? log_at(l, pend.parent)->clause : -1;
		return counted_to(s, around, to) ? around : -1;
	}
	return -1;
}

/* The first event below an act that a counting rule brought about, and how many like it there
 * are; -1: none. */
static int32_t repeated(const struct inquiry *s, int32_t number, int depth, int *n)
{
	const struct log *l = &s->log;
	for (int32_t i = log_child(l, number); i >= 0 && depth < DEEP; i = log_sibling(l, i)) {
		const struct record r = *log_at(l, i);
		if (r.kind != REC_EVENT || r.dropped)
			continue;
		struct buf to = {0};
		const bool counts = event_people(&l->p->event[r.what]) > 1 &&
			counted_to(s, event_clause(l, i), &to);
		buf_free(&to);
		if (counts) {
			for (int32_t k = i; k >= 0; k = log_sibling(l, k))
				*n += log_at(l, k)->kind == REC_EVENT && !log_at(l, k)->dropped &&
					log_at(l, k)->what == r.what;
			return i;
		}
		const int32_t found = repeated(s, i, depth + 1, n);
		if (found >= 0)
			return found;
	}
	return -1;
}

/* The longest name of a question or a field of a thing that stands behind "'s " in a text. */
static size_t named_here(const struct program *p, const char *text, int *question, int *field)
{
	size_t best = 0;
	*question = *field = -1;
	for (int i = 0; i < p->questions; i++) {
		const size_t n = strlen(p->question[i].name);
		if (n > best && !strncmp(text, p->question[i].name, n) &&
			!isalnum((unsigned char)text[n])) {
			best = n;
			*question = i;
		}
	}
	for (int i = 0; i < p->thing_fields; i++) {
		const size_t n = strlen(p->thing_field[i].name);
		if (n >= best && !strncmp(text, p->thing_field[i].name, n) &&
			!isalnum((unsigned char)text[n]) && (n > best || *question < 0)) {
			best = n;
			*field = i;
			*question = -1;
		}
	}
	return best;
}

static void is_number(const char *name, struct buf *out)
{
	/* "routines", "attacks this round" */
	const size_t n = strlen(name), head = strcspn(name, " ");
	const bool many = (n > 1 && name[n - 1] == 's' && name[n - 2] != 's') ||
		(head > 1 && name[head - 1] == 's' && name[head - 2] != 's');
	buf_puts(out, many ? " are " : " is ");
}

/* "Runa's routines are 2": the last answer to a question of theirs before a record. */
static bool question_said(const struct inquiry *s, int question, word who, int32_t before,
	bool once, struct buf *about, struct answer *out)
{
	const struct log *l = &s->log;
	const int round = log_at(l, before)->round;
	const uint32_t kind = 1u << REC_QUESTION;
	for (int32_t i = trace_back(s->t, before, kind); i >= 0;
		i = trace_back(s->t, i - 1, kind)) {
		const struct record q = *log_at(l, i);
		const word *of = trace_values_at(s->t, log_at(l, i));
		if (q.round != round)
			return false;
		if (q.dropped || q.what != question || !of || *of != who)
			continue;
		if (q.value == 1 && !once)
			return true;
		buf_puts(about, about->length ? ", and " : "");
		log_question(l, i, about);
		is_number(s->p->question[question].name, about);
		log_answer(l, i, question, q.value, about);
		for (int32_t k = log_child(l, i); k >= 0; k = log_sibling(l, k))
			if ((log_at(l, k)->kind == REC_BASE || log_at(l, k)->kind == REC_ADJUST) &&
				!log_at(l, k)->dropped)
				answer_rule_of(s->p, out, log_at(l, k)->clause);
		return true;
	}
	return false;
}

/* "short bow's rate of fire is 2": of a thing that the event is about. */
static void thing_said(
	const struct inquiry *s, int field, int32_t number, bool once, struct buf *about)
{
	const struct program *p = s->p;
	const struct record r = *log_at(&s->log, number);
	for (int k = 0; k < p->event[r.what].roles; k++) {
		const word *v = p->event[r.what].role[k].type.base == VT_THING
			? log_role(&s->log, log_at(&s->log, number), k)
			: NULL;
		if (!v || *v < 0 || p->thing[*v].kind != p->thing_field[field].kind)
			continue;
		const word value = p->thing_words[*v * p->thing_fields + field];
		if (value == NONE || (value == 1 && !once))
			return;
		buf_printf(about, "%s%s's %s", about->length ? ", and " : "", p->thing[*v].name,
			p->thing_field[field].name);
		is_number(p->thing_field[field].name, about);
		program_value(p, p->thing_field[field].type, &value, about);
		return;
	}
}

void answer_times_reason(const struct inquiry *s, word who, int32_t number, bool once,
	struct buf *about, struct answer *out)
{
	struct buf expr = {0};
	const int32_t clause = counting_clause(s, number, &expr);
	const char *to = clause >= 0 ? buf_text(&expr) : "";
	const size_t n = strlen(to);
	for (size_t i = 0; i + 3 < n; i++) {
		int question, field;
		if (strncmp(to + i, "'s ", 3) != 0 ||
			!named_here(s->p, to + i + 3, &question, &field))
			continue;
		const size_t had = about->length;
		if (question >= 0 && question_said(s, question, who, number, once, about, out))
			continue;
		if (about->length == had && field >= 0)
			thing_said(s, field, number, once, about);
	}
	answer_rule_of(s->p, out, clause);
	buf_free(&expr);
}

void answer_times_add(int n, struct buf *out)
{
	if (n == 2)
		buf_puts(out, "twice");
	else
		buf_printf(out, n == 1 ? "once" : "%d times", n);
}

/* How often in a round, by which event and what it was repeated for; *last: that event. 0:
 * never. */
static int times_in(const struct inquiry *s, const struct question *q, int32_t round, int32_t *last,
	int32_t *sample)
{
	int n = 0, below = 0;
	struct question one = *q;
	one.round = round;
	*sample = -1;
	for (int32_t i = 0; i < s->end; i++)
		if ((round > 0 || trace_look(s->t, i)->round == 0) &&
			event_answers(s, &one, i, q->who.v[0])) {
			n++;
			*last = *sample = i;
		}
	if (n != 1)
		return n;
	const int32_t found = repeated(s, *last, 0, &below);
	if (found < 0)
		return n;
	struct buf to = {0};
	/* one alone is told by the rule of the act itself */
	if (below > 1 || counting_clause(s, *last, &to) < 0)
		*sample = found;
	buf_free(&to);
	return below;
}

/* Were those of that round upon different people? */
static bool several_struck(const struct inquiry *s, const struct question *q, int32_t last)
{
	struct question one = *q;
	word struck = NONE;
	one.round = log_at(&s->log, last)->round;
	for (int32_t i = 0; i < s->end; i++) {
		struct vtype type;
		const word *target;
		if ((one.round == 0 && trace_look(s->t, i)->round != 0) ||
			!event_answers(s, &one, i, q->who.v[0]) ||
			!log_target(&s->log, log_at(&s->log, i), &type, &target) ||
			type.base != VT_LIVE)
			continue;
		if (struck != NONE && *target != struck)
			return true;
		struck = *target;
	}
	return false;
}

/* A line for each of those of that round. */
static bool each_told(
	const struct inquiry *s, const struct question *q, int32_t last, struct answer *out)
{
	struct question one = *q;
	int n = 0;
	one.round = log_at(&s->log, last)->round;
	for (int32_t i = 0; i < s->end && one.round > 0; i++)
		if (event_answers(s, &one, i, q->who.v[0]) && n++ < LINES_MOST)
			answer_deed_line(s, i, out);
	return n > 0;
}

/* What a rule refused of the same in that round: "no more: not enough blows left". */
static void refused_after(
	const struct inquiry *s, word who, int32_t last, bool once, struct buf *about)
{
	const struct record e = *log_at(&s->log, last);
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_REFUSED); i >= 0 && once;
		 i = trace_back(s->t, i - 1, 1u << REC_REFUSED)) {
		const struct record r = *trace_look(s->t, i);
		if (r.dropped || r.round != e.round || r.what != e.what ||
			log_actor(&s->log, log_at(&s->log, i)) != who)
			continue;
		buf_puts(about, "after that, ");
		if (i < last)
			buf_clear(about);
		refusal_reason(&s->log, i, about);
		refusal_figures(&s->log, i, about);
		return;
	}
}

/* The blows of one act of theirs - what rolls at somebody -, and with what each was struck. */
static int blows_below(const struct inquiry *s, int32_t number, word who, struct buf *with, int n)
{
	const struct log *l = &s->log;
	for (int32_t i = log_child(l, number); i >= 0; i = log_sibling(l, i)) {
		const struct record r = *log_at(l, i);
		if (r.kind != REC_EVENT || r.dropped || r.flag != EVENT_DONE)
			continue;
		bool rolls = false;
		for (int32_t k = log_child(l, i); k >= 0 && !rolls; k = log_sibling(l, k))
			rolls = log_at(l, k)->kind == REC_ROLL;
		if (!rolls || event_people(&l->p->event[r.what]) < 2 ||
			log_actor(l, log_at(l, i)) != who) {
			n = blows_below(s, i, who, with, n);
			continue;
		}
		n++;
		for (int k = 0; k < l->p->event[r.what].roles; k++) {
			const word *v = l->p->event[r.what].role[k].type.base == VT_THING
				? log_role(l, log_at(l, i), k)
				: NULL;
			if (v && *v >= 0 && *v < l->p->things)
				buf_printf(with, "%s%s", with->length ? ", " : "",
					l->p->thing[*v].name);
		}
	}
	return n;
}

/* "ghoul #1 attacked Finn once in round 1, with 3 blows: claw, claw, bite." Where the act has so
 * many blows as is asked about. */
static bool blows_said(
	const struct inquiry *s, const struct question *q, int32_t number, struct answer *out)
{
	struct buf with = {0};
	const bool so = blows_below(s, number, q->who.v[0], &with, 0) == q->times;
	if (so) {
		english_event(&s->log, number, MOOD_DID, &out->about);
		buf_puts(&out->about, " once");
		absence_at_time(s, number, true, &out->about);
		buf_printf(&out->about, ", with %d blows", q->times);
		if (with.length)
			buf_printf(&out->about, ": %s", buf_text(&with));
		event_stop(s->p, &out->about);
		answer_deed_line(s, number, out);
	}
	buf_free(&with);
	return so;
}

/* "Odo died in segment 18 of round 1, when hobgoblin #4 attacked Odo": what kept them from more in
 * the same round. */
static void out_of_it_after(const struct inquiry *s, word who, int32_t last, struct buf *why)
{
	const int32_t round = log_at(&s->log, last)->round;
	struct answer fate;
	int32_t end = last;
	memset(&fate, 0, sizeof fate);
	while (end < s->end && trace_look(s->t, end)->round == round)
		end++;
	if (absence_unable(s, who, end, last, -1, &fate)) {
		program_live(s->p, KIND_COMBATANT, who, why);
		buf_printf(why, " %s", buf_text(&fate.about));
	}
	answer_free(&fate);
}

bool answer_times(const struct inquiry *s, const struct question *q, struct answer *out)
{
	int32_t last = -1, sample = -1, round = q->before_rounds ? 0 : q->round;
	if (q->who.n != 1 || q->kind != ASK_EVENT || s->end == 0)
		return false;
	int n = round || q->before_rounds ? times_in(s, q, round, &last, &sample) : 0, best = 0;
	/* the last round in which it was so often; else the last in which it was at all */
	for (int32_t r = trace_look(s->t, s->end - 1)->round;
		r >= 0 && !round && !q->before_rounds && best != q->times; r--) {
		int32_t l1, s1;
		const int k = times_in(s, q, r, &l1, &s1);
		if (k == 0 || (best && k != q->times))
			continue;
		best = n = k;
		last = l1;
		sample = s1;
	}
	if (n == 0)
		return false;
	if (n == 1 && q->times > 1 && blows_said(s, q, last, out))
		return true;
	struct buf why = {0}, when = {0};
	const struct question when_asked = {
		.round = log_at(&s->log, last)->round, .moment = INT64_MIN};
	answer_times_reason(s, q->who.v[0], sample, n == 1, &why, out);
	if (several_struck(s, q, last)) { /* three orcs once each are not one of them three times */
		program_live(s->p, KIND_COMBATANT, q->who.v[0], &out->about);
		buf_putc(&out->about, ' ');
		struct buf third = {0};
		verb_add(s->p->event[log_at(&s->log, last)->what].name, &third);
		const size_t head = strcspn(buf_text(&third), " ");
		english_verb(buf_text(&third), head, TENSE_PAST, &out->about);
		buf_puts(&out->about, buf_text(&third) + head);
		buf_free(&third);
	} else {
		english_event(&s->log, last, MOOD_DID, &out->about);
	}
	buf_putc(&out->about, ' ');
	answer_times_add(n, &out->about);
	if (when_asked.round > 0)
		event_asked_time(s->p, &when_asked, &when);
	buf_puts(&out->about, when_asked.round > 0 ? buf_text(&when) : " before the first round");
	if (n != q->times) {
		buf_puts(&out->about, ", not ");
		answer_times_add(q->times, &out->about);
	}
	if (!why.length && n < 3)
		refused_after(s, q->who.v[0], last, n == 1, &why);
	if (!why.length && n == 1 && q->times == 1)
		out_of_it_after(s, q->who.v[0], last, &why);
	const bool listed = n > 1 && !why.length && each_told(s, q, last, out);
	if (why.length)
		buf_printf(&out->about, ": %s", buf_text(&why));
	event_stop(s->p, &out->about);
	const bool reason = why.length > 0;
	buf_free(&why);
	buf_free(&when);
	return reason || out->rule.n > 0 || listed || n != q->times;
}
