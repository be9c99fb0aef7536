/* absence_die.c - acts that a rule makes of a die: why it did not make one, and that it took
 * another's place. See absence.h.
 *
 *   Hob1 did not disengage: on Hob1's morale roll 65 is not more than 70.
 *   Pok was to shoot javelin at Mira in round 1, but that was replaced by Nub's morale roll, ..
 *
 * Which events lead to an act is read from their clauses: `on go { .. flee (who) .. }`. */
#include <ctype.h>
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"
#include "runtime/explain/explain.h"
#include "runtime/explain/sum.h"

enum { EVENTS_MOST = 8, UP_MOST = 8 };

/* What leads to it: events, each with the clause in whose body one before is brought about, and
 * which of its roles becomes whom the last is about; -1: none that is known. */
struct chain { int32_t event[EVENTS_MOST], clause[EVENTS_MOST]; int role[EVENTS_MOST], n; };

/* "disengage (" in the body of a clause, as a whole word. */
static bool brings(const char *body, const char *name)
{
	const size_t n = strlen(name);
	for (const char *at = body; (at = strstr(at, name)) != NULL; at += n)
		if (at > body && !isalnum((unsigned char)at[-1]) && at[-1] != '-' &&
			!strncmp(at + n, " (", 2))
			return at < body + 2 || strncmp(at - 2, "'s", 2) != 0;
	return false;
}

/* A clause as it is written, whole where its source is known. */
static void clause_text(const struct inquiry *s, int32_t clause, struct buf *out)
{
	const struct clause_info *c = &s->p->clause[clause];
	buf_clear(out);
	if (s->text)
		s->text(s->context, c->span, out);
	if (!out->length && c->text)
		buf_puts(out, c->text);
}

/* The event that a clause is about: "on check morale when ..": the longest name. -1: none. */
static int32_t event_of(const struct program *p, const char *text)
{
	static const char *const opens[] = {"on ", "after ", "before ", "instead of "};
	int32_t found = -1;
	size_t best = 0;
	for (size_t k = 0; k < FRAY_COUNT(opens); k++) {
		const size_t w = strlen(opens[k]);
		if (strncmp(text, opens[k], w) != 0)
			continue;
		for (int32_t i = 0; i < p->events; i++) {
			const size_t n = strlen(p->event[i].name);
			if (n > best && !strncmp(text + w, p->event[i].name, n) &&
				!isalnum((unsigned char)text[w + n])) {
				best = n;
				found = i;
			}
		}
	}
	return found;
}

/* Which role of an event its clause hands on: the second, in `on slay (slayer, prey) { death (prey)
 * }`, for role 0 of a death. -1: it is none of its roles. */
static int handed_on(const struct event_info *to, const char *body, const char *name, int role)
{
	const size_t n = strlen(name);
	const char *at = body;
	while ((at = strstr(at, name)) != NULL && strncmp(at + n, " (", 2) != 0)
		at += n;
	at = at ? at + n + 2 : "";
	for (; role > 0 && *at; role--)
		at += strcspn(at, ",)") + (at[strcspn(at, ",)")] == ',');
	at += strspn(at, " ");
	for (int r = 0; r < to->roles; r++) {
		const size_t length = to->role[r].name ? strlen(to->role[r].name) : 0;
		if (length && !strncmp(at, to->role[r].name, length) && at[length] &&
			strchr(",)", at[length]))
			return r;
	}
	return -1;
}

static void chain_of(const struct inquiry *s, int32_t event, struct chain *out)
{
	const struct program *p = s->p;
	struct buf text = {0};
	out->n = 1;
	out->event[0] = event;
	out->clause[0] = -1;
	out->role[0] = 0;
	for (int i = 0; i < out->n; i++)
		for (int32_t c = 0; c < p->clauses; c++) {
			if (p->clause[c].sort < CLAUSE_INSTEAD || p->clause[c].sort > CLAUSE_AFTER)
				continue;
			clause_text(s, c, &text);
			const char *body = strchr(buf_text(&text), '{');
			const int32_t e = body && brings(body, p->event[out->event[i]].name)
				? event_of(p, buf_text(&text))
				: -1;
			bool known = e < 0 || p->event[e].action;
			for (int k = 0; k < out->n && !known; k++)
				known = out->event[k] == e;
			if (known || out->n == EVENTS_MOST)
				continue;
			out->role[out->n] = out->role[i] < 0
				? -1
				: handed_on(&p->event[e], body, p->event[out->event[i]].name,
					  out->role[i]);
			out->event[out->n] = e;
			out->clause[out->n++] = c;
		}
	buf_free(&text);
}

/* The die that decided in an event, or with `around` in one around it, and its comparison. */
static bool die_of(const struct log *l, int32_t event, bool around, int32_t *roll, struct sum *sum)
{
	int32_t before = l->n;
	for (int32_t i = event, up = 0; i >= 0 && up < (around ? UP_MOST : 1);
		 before = i, i = log_at(l, i)->parent, up++) {
		*roll = -1;
		for (int32_t k = log_child(l, i); k >= 0 && k < before; k = log_sibling(l, k))
			if (log_at(l, k)->kind == REC_ROLL && !log_at(l, k)->dropped)
				*roll = k;
		const int32_t found = *roll >= 0 ? sum_after(l, *roll) : -1;
		if (found >= 0)
			return sum_read(l, found, sum);
	}
	return false;
}

/* Is it an act that somebody did? */
static bool is_act_of(const struct inquiry *s, int32_t number, word who)
{
	const struct record r = *trace_look(s->t, number);
	return r.kind == REC_EVENT && r.flag == EVENT_DONE && !r.dropped &&
		s->p->event[r.what].action && log_actor(&s->log, log_at(&s->log, number)) == who;
}

/* What somebody did next that the same clause may bring about: "disengaged". -1. */
static int32_t other_act(const struct inquiry *s, word who, int32_t from, const char *body)
{
	for (int32_t i = from; i < s->end; i++)
		if (is_act_of(s, i, who) && brings(body, s->p->event[trace_look(s->t, i)->what].name))
			return i;
	return -1;
}

/* The dice that made an act, which nobody declared, or the value by which it came. */
static bool is_made(const struct inquiry *s, int32_t act, int32_t *roll)
{
	if (event_rolled(&s->log, act, roll) >= 0)
		return true;
	const int32_t change = event_declared(&s->log, act) < 0 ? event_prompted(&s->log, act) : -1;
	return change >= 0 && event_rolled(&s->log, change, roll) >= 0;
}

/* The act of a round that dice made somebody do; -1: none did. */
static int32_t made_in(const struct inquiry *s, word who, int32_t round, int32_t *roll)
{
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_EVENT); i >= 0;
		 i = trace_back(s->t, i - 1, 1u << REC_EVENT))
		if (trace_look(s->t, i)->round == round && is_act_of(s, i, who) &&
			is_made(s, i, roll))
			return i;
	return -1;
}

/* "Nub's morale roll: 80 is more than 55" */
static void die_said(const struct log *l, int32_t roll, const struct sum *sum, const char *joint,
	struct answer *out)
{
	const struct record d = *log_at(l, roll);
	log_label(l, &d, &out->about);
	buf_puts(&out->about, joint);
	sum_compared(l, sum, &out->about);
	sum_figures(l, sum, "", out);
	answer_rule_of(l->p, out, d.clause);
}

bool absence_by_die(const struct inquiry *s, const struct question *q, word who, struct answer *out)
{
	struct chain chain;
	if (q->event < 0)
		return false;
	chain_of(s, q->event, &chain);
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_EVENT); i >= 0 && chain.n > 1;
		 i = trace_back(s->t, i - 1, 1u << REC_EVENT)) {
		const struct record r = *trace_look(s->t, i);
		int32_t roll;
		struct sum sum;
		int k = 1;
		while (k < chain.n && chain.event[k] != r.what)
			k++;
		if (k == chain.n || r.dropped || log_actor(&s->log, log_at(&s->log, i)) != who)
			continue;
		const word *to = chain.role[k] < 0
			? NULL
			: log_role(&s->log, log_at(&s->log, i), chain.role[k]);
		const bool his_own = to ? *to == who : s->p->event[q->event].action;
		if (!his_own || !event_in_time(&s->log, q, i) ||
			!die_of(&s->log, i, s->p->event[q->event].action, &roll, &sum))
			continue;
		word one = who;
		struct question his = *q;
		his.who = (people){.v = &one, .n = 1};
		struct buf text = {0};
		clause_text(s, chain.clause[1], &text);
		const int32_t other = sum.holds ? other_act(s, who, i, buf_text(&text)) : -1;
		buf_free(&text);
		event_did_not(s, &his, &out->about);
		if (other >= 0) {
			buf_puts(&out->about, ": ");
			english_event(&s->log, other, MOOD_DID, &out->about);
			absence_at_time(s, other, true, &out->about);
			buf_puts(&out->about, ", by ");
		} else {
			buf_puts(&out->about, ": on ");
		}
		die_said(&s->log, roll, &sum, other >= 0 ? ": " : " ", out);
		buf_putc(&out->about, '.');
		return true;
	}
	return false;
}

bool absence_replaced(const struct inquiry *s, int32_t number, int32_t field, struct answer *out)
{
	struct buf set = {0}, text = {0};
	const struct record v = *log_at(&s->log, number);
	const word who = log_actor(&s->log, &v);
	bool said = false;
	buf_printf(&set, "'s %s = yes", s->p->field[field].name);
	for (int32_t c = 0; c < s->p->clauses && !said; c++) {
		clause_text(s, c, &text);
		const bool sets = strstr(buf_text(&text), buf_text(&set)) != NULL;
		const int32_t event = sets ? event_of(s->p, buf_text(&text)) : -1;
		int32_t i = event < 0
			? -1
			: trace_back_to_event(s->t, number - 1, 1u << REC_EVENT, event);
		for (; i >= 0 && !said;
			i = trace_back_to_event(s->t, i - 1, 1u << REC_EVENT, event)) {
			int32_t roll;
			struct sum sum;
			if (trace_look(s->t, i)->round != v.round)
				break;
			if (log_actor(&s->log, log_at(&s->log, i)) != who || !die_of(&s->log, i, true, &roll, &sum))
				continue;
			buf_puts(&out->about, ", by ");
			die_said(&s->log, roll, &sum, ": ", out);
			said = true;
		}
	}
	buf_free(&set);
	buf_free(&text);
	int32_t roll;
	const int32_t made = said ? made_in(s, who, v.round, &roll) : -1;
	if (made >= 0) {
		buf_puts(&out->about, "; ");
		english_event(&s->log, made, MOOD_DID, &out->about);
	}
	return said;
}

bool absence_made_to(const struct inquiry *s, int32_t number, struct answer *out)
{
	const struct record r = *log_at(&s->log, number);
	const word who = log_actor(&s->log, &r);
	int32_t roll = -1;
	struct sum sum;
	const int32_t made = who == NONE ? -1 : made_in(s, who, r.round, &roll);
	const int32_t found = made < 0 ? -1 : sum_after(&s->log, roll);
	if (found < 0 || !sum_read(&s->log, found, &sum))
		return false;
	english_event(&s->log, made, MOOD_DID, &out->about);
	buf_puts(&out->about, " instead, by ");
	die_said(&s->log, roll, &sum, ": ", out);
	return true;
}

/* "; another time Garran missed Urg: 2 does not reach the 12 needed": what came of the same two in
 * that round by the same sort of die, and was not that. */
void absence_other_outcome(const struct inquiry *s, int32_t number, struct answer *out)
{
	const struct log *l = &s->log;
	const struct record e = *log_at(l, number);
	struct vtype type;
	const word *target;
	struct sum x;
	if (s->p->event[e.what].action || event_people(&s->p->event[e.what]) < 2 ||
		!log_target(l, log_at(l, number), &type, &target) || type.base != VT_LIVE)
		return;
	const word who = log_actor(l, log_at(l, number)), whom = *target;
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_EVENT); i >= 0;
		i = trace_back(s->t, i - 1, 1u << REC_EVENT)) {
		const struct record r = *log_at(l, i);
		if (r.dropped || r.text < 0 || r.round != e.round || r.what == e.what ||
			s->p->event[r.what].action ||
			s->p->event[r.what].roles != s->p->event[e.what].roles ||
			!explain_is(s->p, s->t, i, r.what, who, whom))
			continue;
		const int32_t test = event_decided(l, i);
		if (test < 0 || !sum_read(l, test, &x))
			continue;
		buf_puts(&out->about, "; but ");
		english_event(l, i, MOOD_DID, &out->about);
		buf_puts(&out->about, " the other time: ");
		sum_compared(l, &x, &out->about);
		sum_figures(l, &x, "", out);
		return;
	}
}
