/* answer_not.c - why something did not happen: the first obstacle, and the event that made it one.
 *
 *   orc #1 was to attack Bruna in segment 5, but died in segment 4, when Bruna attacked orc #1.
 *
 * An act that was declared has one end in the log, and that is the obstacle (ends.c). One that was not declared is told by what was declared instead. An outcome that did
 * not come is told in answer_short.c. */
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"
#include "runtime/explain/left.h"
#include "runtime/explain/placing.h"

/* ---- which record ---- */

static bool hits_moment(const struct inquiry *s, const struct question *q, int32_t number)
{
	return event_in_time(&s->log, q, number);
}

static bool is_about(const struct inquiry *s, const struct question *q, word who, int32_t number)
{
	/* most records are of something else: that is seen without the values of a record */
	const struct record *seen = trace_look(s->t, number);
	if (seen->dropped || seen->what < 0 || (q->event >= 0 && seen->what != q->event))
		return false;
	const struct record r = *log_at(&s->log, number);
	struct vtype type;
	const word *target;
	if (r.dropped || log_actor(&s->log, &r) != who || r.what < 0 || r.what >= s->p->events)
		return false;
	const struct event_info *e = &s->p->event[r.what];
	if (q->event >= 0
			? r.what != q->event
			: !e->action || (r.kind != REC_EVENT && e->waiting) || (r.kind == REC_LEFT && e->idle))
		return false;
	if (q->event >= 0 && q->thing.n && !event_about_things(&s->log, q, number))
		return false;
	if (q->whom.n == 0)
		return true;
	if (!log_target(&s->log, &r, &type, &target) || type.kind != KIND_COMBATANT)
		return false;
	for (int i = 0; i < q->whom.n; i++) {
		const word w = q->whom.v[i];
		if (type.base == VT_SET ? (target[w / 64] >> (w % 64) & 1) != 0 : *target == w)
			return true;
	}
	return false;
}

/* Is this a line for somebody who was out already when its round began? */
static bool is_late(const struct inquiry *s, int32_t number, word who)
{
	const struct record r = *log_at(&s->log, number);
	if (r.kind != REC_LEFT || r.flag != LEFT_UNABLE || r.value > 0)
		return false;
	struct buf why = {0};
	int32_t begins = number;
	while (begins > 0 && trace_look(s->t, begins - 1)->round == r.round)
		begins--;
	const bool late = !absence_unable_brief(s, who, number, begins, &why);
	buf_free(&why);
	return late;
}

/* The last end, or when nothing is said of the round, the last of a round in which they were up. */
int32_t absence_of(const struct inquiry *s, const struct question *q, word who)
{
	const uint32_t kinds =
		1u << REC_VOID | 1u << REC_CANCEL | 1u << REC_REFUSED | 1u << REC_LEFT;
	int32_t late = -1, end = trace_back_to_event(s->t, s->end - 1, kinds, q->event);
	int32_t event = trace_back_to_event(s->t, s->end - 1, 1u << REC_EVENT, q->event);
	while (end >= 0 || event >= 0) {
		const int32_t i = end > event ? end : event;
		if (i == end)
			end = trace_back_to_event(s->t, i - 1, kinds, q->event);
		else
			event = trace_back_to_event(s->t, i - 1, 1u << REC_EVENT, q->event);
		if ((trace_look(s->t, i)->kind != REC_EVENT ||
				trace_look(s->t, i)->flag == EVENT_STOPPED) &&
			is_about(s, q, who, i) &&
			(hits_moment(s, q, i) ||
				(q->moment != INT64_MIN &&
					(q->round <= 0 || log_at(&s->log, i)->round == q->round) &&
					log_at(&s->log, i)->kind == REC_LEFT))) {
			if (q->round > 0 || !is_late(s, i, who))
				return i;
			late = late < 0 ? i : late;
		}
	}
	return late;
}

int32_t absence_happened(const struct inquiry *s, const struct question *q, word who)
{
	const bool any = q->blow >= 0 || q->event < 0;
	for (int32_t i = s->end - 1;; i--) {
		i = trace_back_to_event(s->t, i, 1u << REC_EVENT, any ? -1 : q->event);
		if (i < 0)
			break;
		const struct record *r = trace_look(s->t, i);
		if (r->flag == EVENT_VOIDED || r->flag == EVENT_STOPPED)
			continue;
		if (q->blow >= 0 && event_answers(s, q, i, who))
			return i;
		if (q->event >= 0 && r->what != q->event)
			continue;
		if (q->event < 0 && s->p->event[r->what].idle) /* who waits does nothing */
			continue;
		if (event_left_open(&s->log, i))
			continue;
		if (is_about(s, q, who, i) && hits_moment(s, q, i))
			return i;
	}
	return -1;
}

/* ---- nothing was declared ---- */

static const char *const by[] = {[BY_SCRIPT] = "as the script says", [BY_POLICY] = "as its policy chose", [BY_PROMPT] = "as it was told at the prompt", [BY_DEFAULT] = "by default"};

const char *absence_by(int flag)
{
	return by[flag < (int)FRAY_COUNT(by) ? flag : BY_DEFAULT];
}

void absence_said_by(const struct inquiry *s, int32_t declared, struct buf *out)
{
	const struct record r = *log_at(&s->log, declared);
	struct buf place = {0};
	buf_printf(out, ", %s", absence_by(r.flag));
	if (s->place && r.flag != BY_DEFAULT)
		s->place(s->context, r.span, &place);
	if (place.length)
		buf_printf(out, " (%s)", buf_text(&place));
	buf_free(&place);
}

/* A line of somebody's that was refused in a round; -1. */
int32_t absence_refused_in(const struct inquiry *s, word who, int32_t round)
{
	const uint32_t kinds = 1u << REC_REFUSED | 1u << REC_VOID;
	for (int32_t i = trace_back(s->t, s->end - 1, kinds); i >= 0; i = trace_back(s->t, i - 1, kinds)) {
		const struct record *r = trace_look(s->t, i);
		if (!r->dropped && (r->kind == REC_REFUSED || r->flag == VOID_REFUSED) && (round <= 0 || r->round == round) && log_actor(&s->log, log_at(&s->log, i)) == who)
			return i;
	}
	return -1;
}

/* Is a record of the round that is asked about, or before the rounds? */
static bool of_round(const struct question *q, const struct record *r)
{
	if ((q->from && r->round < q->from) || (q->to && r->round > q->to))
		return false;
	return q->before_rounds ? r->round == 0 : q->round <= 0 || r->round == q->round;
}

int32_t absence_declared(const struct inquiry *s, const struct question *q, word who)
{
	int32_t found = -1;
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_DECLARE); i >= 0 && found < 0; i = trace_back(s->t, i - 1, 1u << REC_DECLARE)) {
		const struct record *r = trace_look(s->t, i);
		if (!r->dropped && r->owner == who && of_round(q, r))
			found = i;
	}
	/* what was declared rather than that nothing was */
	for (int32_t i = found; i >= 0; i = trace_back(s->t, i - 1, 1u << REC_DECLARE)) {
		const struct record *r = trace_look(s->t, i);
		if (q->round > 0 && r->round < q->round)
			break;
		if (!r->dropped && r->owner == who && of_round(q, r) &&
			!s->p->event[r->what].idle && !s->p->event[r->what].waiting) {
			found = i;
			break;
		}
	}
	return found;
}

/* How the act of a DECLARE record came to nothing in its round; -1: it was done, or is still to come. */
int32_t absence_end_in_round(const struct inquiry *s, word who, int32_t declared)
{
	const struct record d = *log_at(&s->log, declared);
	for (int32_t i = declared + 1; i < s->end && trace_look(s->t, i)->round == d.round; i++) {
		const struct record *r = trace_look(s->t, i);
		const bool done = r->kind == REC_EVENT && r->flag != EVENT_VOIDED &&
			r->flag != EVENT_STOPPED && !r->dropped && r->what == d.what;
		if (done && log_actor(&s->log, log_at(&s->log, i)) == who)
			return -1;
		const bool ends = r->kind == REC_VOID || r->kind == REC_CANCEL || r->kind == REC_LEFT || r->kind == REC_REFUSED;
		if (ends && !r->dropped && r->what == d.what && log_actor(&s->log, log_at(&s->log, i)) == who)
			return i;
	}
	return -1;
}

/* An act whose target was left open, and that found nobody when its turn came; -1. */
static int32_t found_nobody(const struct inquiry *s, word who, int32_t declared)
{
	const struct record d = *log_at(&s->log, declared);
	int32_t open = -1;
	for (int32_t i = declared + 1; i < s->end && trace_look(s->t, i)->round == d.round; i++) {
		const struct record *r = trace_look(s->t, i);
		if (r->kind != REC_EVENT || r->dropped || r->what != d.what ||
			log_actor(&s->log, log_at(&s->log, i)) != who)
			continue;
		if (!event_left_open(&s->log, i))
			return -1;
		open = i;
	}
	return open;
}

/* "Abel found nobody to attack in count 1 of round 4." */
static bool nobody_told(const struct inquiry *s, word who, int32_t declared, struct answer *out)
{
	const int32_t open = found_nobody(s, who, declared);
	if (open < 0)
		return false;
	absence_name(s, who, &out->about);
	buf_printf(
		&out->about, " found nobody to %s", s->p->event[log_at(&s->log, open)->what].name);
	absence_at_time(s, open, true, &out->about);
	buf_puts(&out->about, ": nobody was in reach who could be chosen.");
	struct buf said = {0};
	absence_said_by(s, declared, &said);
	answer_figure(out, declared, -1, "declared%s", buf_text(&said));
	buf_free(&said);
	for (int32_t k = log_child(&s->log, open); k >= 0; k = log_sibling(&s->log, k))
		answer_rule_of(s->p, out, log_at(&s->log, k)->clause);
	return true;
}

/* What a rule noted of an act in place of a blow at somebody out of the fight; -1. */
static int32_t came_late(
	const struct inquiry *s, const struct question *q, word who, int32_t declared)
{
	const struct record d = *log_at(&s->log, declared);
	for (int32_t i = declared + 1; i < s->end && trace_look(s->t, i)->round == d.round; i++) {
		const struct record r = *log_at(&s->log, i);
		struct buf said = {0};
		struct vtype type;
		const word *target;
		bool late = r.kind == REC_NOTE && !r.dropped && r.parent >= 0 &&
			log_actor(&s->log, log_at(&s->log, r.parent)) == who &&
			event_say_instead(s, i, &said, NULL);
		buf_free(&said);
		late = late && log_target(&s->log, log_at(&s->log, r.parent), &type, &target);
		bool meant = q->whom.n == 0;
		for (int k = 0; late && k < q->whom.n; k++)
			meant |= *target == q->whom.v[k];
		late = late && meant;
		if (late)
			return i;
	}
	return -1;
}

/* "Cy did not hit Ben in round 1: Cy came too late in segment 9: Ben died before that, ..". */
static bool too_late_told(const struct inquiry *s, const struct question *q, word who,
	int32_t declared, struct answer *out)
{
	const int32_t note = came_late(s, q, who, declared);
	struct question his = *q;
	if (note < 0)
		return false;
	his.who = (people){.v = &who, .n = 1};
	his.round = log_at(&s->log, declared)->round;
	his.moment = INT64_MIN;
	event_did_not(s, &his, &out->about);
	buf_puts(&out->about, ". ");
	event_say_instead(s, note, &out->about, out);
	buf_putc(&out->about, '.');
	return true;
}

/* The act that was made pending of a DECLARE record; -1. */
static int32_t pended_act(const struct inquiry *s, int32_t declared)
{
	for (int32_t i = declared + 1; i < s->end; i++) {
		const struct record *r = trace_look(s->t, i);
		if (r->kind == REC_PEND && !r->dropped && r->value == declared)
			return r->act;
	}
	return -1;
}

/* What came of a spell that was declared and never complete: "Zel was to complete glow, but was
 * interrupted: Zel's spell was spoiled in round 1, when Grak attacked Zel". False: nothing is told
 * of it. */
static bool lost_told(const struct inquiry *s, const struct question *q, word who, int32_t declared, struct answer *out)
{
	const struct record d = *log_at(&s->log, declared);
	const char *name = s->p->live[KIND_COMBATANT][who].name;
	const size_t n = strlen(name);
	bool same = false;
	for (int k = 0; k < s->p->event[d.what].roles && q->thing.n && d.what != q->event; k++) {
		const word *v = s->p->event[d.what].role[k].type.base == VT_THING ? log_role(&s->log, log_at(&s->log, declared), k) : NULL;
		same |= v && *v == q->thing.v[0];
	}
	for (int32_t i = declared + 1; i < s->end && same && trace_look(s->t, i)->round == d.round; i++) {
		const struct record r = *trace_look(s->t, i);
		if (r.kind != REC_EVENT || r.dropped || r.text < 0 || s->p->event[r.what].action || strncmp(trace_text_at(s->t, r.text), name, n) || trace_text_at(s->t, r.text)[n] != '\'')
			continue;
		const int32_t act = absence_act_upon(s, i);
		absence_name(s, who, &out->about);
		buf_printf(&out->about, " was to %s %s, but was interrupted: ", s->p->event[q->event].name,
			s->p->thing[q->thing.v[0]].name);
		english_event(&s->log, i, MOOD_DID, &out->about);
		absence_at_time(s, i, true, &out->about);
		if (act >= 0) {
			buf_puts(&out->about, ", for ");
			english_event(&s->log, act, MOOD_DID, &out->about);
			buf_puts(&out->about, " before that");
			absence_dice(s, act, who, out);
			moved_between_told(s, i, act, pended_act(s, declared), who, out);
		}
		buf_putc(&out->about, '.');
		answer_rule_of(s->p, out, r.faces);
		return true;
	}
	return false;
}

/* Did somebody come to do anything at all to somebody? */
static bool blow_made(const struct inquiry *s, word who)
{
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_EVENT); i >= 0;
		i = trace_back(s->t, i - 1, 1u << REC_EVENT)) {
		const struct record *r = trace_look(s->t, i);
		if (!r->dropped && r->flag == EVENT_DONE && s->p->event[r->what].action &&
			!s->p->event[r->what].idle && !s->p->event[r->what].waiting &&
			log_actor(&s->log, log_at(&s->log, i)) == who)
			return true;
	}
	return false;
}

/* What somebody declared in the round asked about, or last; `nothing`: that nothing was, as well. */
static bool instead_told(const struct inquiry *s, const struct question *q, word who, bool nothing, struct answer *out)
{
	const int32_t found = absence_declared(s, q, who);
	if (found < 0)
		return false;
	const struct record r = *log_at(&s->log, found);
	const struct event_info *e = &s->p->event[r.what];
	if (r.flag == BY_DEFAULT && (e->idle || e->waiting)) {
		const int32_t refused = absence_refused_in(s, who, r.round);
		if (refused >= 0) {
			absence_end(s, refused, out);
			return true;
		}
		if (!nothing)
			return false;
		buf_puts(&out->about, "Nothing was declared for ");
		absence_name(s, who, &out->about);
		if (q->from || q->to)
			event_asked_time(s->p, q, &out->about);
		else if (r.round > 0)
			buf_printf(&out->about, " in round %d", r.round);
		buf_putc(&out->about, '.');
		return true;
	}
	if (q->event >= 0 && lost_told(s, q, who, found, out))
		return true;
	if ((q->event < 0 || r.what == q->event || q->blow >= 0) && nobody_told(s, who, found, out))
		return true;
	int32_t end = absence_end_in_round(s, who, found);
	if (end >= 0 && (e->idle || e->waiting) && log_at(&s->log, end)->kind == REC_LEFT)
		end = -1; /* whoever was to wait has waited */
	/* another act upon the same would have done as well: a charge */
	struct question any = *q;
	any.event = -1;
	const bool another = q->event >= 0 && s->p->event[q->event].action && r.what != q->event &&
		(q->whom.n == 0 || !is_about(s, &any, who, found));
	if (end >= 0 && !another) {
		absence_end(s, end, out);
		return true;
	}
	/* asked for a blow in no round, of somebody who was to do as well and did not come to it:
	 * that comes first */
	if (end >= 0 && q->blow >= 0 && q->round <= 0 && !q->before_rounds &&
		q->moment == INT64_MIN && q->whom.n == 0 && q->thing.n == 0 && !blow_made(s, who)) {
		absence_end(s, end, out);
		return true;
	}
	if (q->event >= 0 && too_late_told(s, q, who, found, out))
		return true;
	/* "orc #4 did not flee in round 5, but was to attack Ragna, as its policy chose" */
	struct question his = *q;
	his.who = (people){.v = &who, .n = 1};
	his.round = r.round;
	his.moment = INT64_MIN;
	if (q->event >= 0)
		event_did_not(s, &his, &out->about);
	else
		absence_name(s, who, &out->about);
	buf_puts(&out->about, q->event >= 0 ? ", but was to " : " was to ");
	out->untried = q->event >= 0;
	absence_deed(s, found, &out->about);
	if (q->event < 0 && r.round > 0)
		buf_printf(&out->about, " in round %d", r.round);
	absence_said_by(s, found, &out->about);
	buf_putc(&out->about, '.');
	if (end >= 0) { /* nothing came of that either */
		struct answer fate;
		memset(&fate, 0, sizeof fate);
		absence_end(s, end, &fate);
		answer_figure(out, end, -1, "%s", buf_text(&fate.about));
		answer_free(&fate);
	}
	return true;
}

/* Was somebody asked whether to do it, and did not? */
static bool choice_told(const struct inquiry *s, const struct question *q, word who, struct answer *out)
{
	bool asks = false; /* is there a choice of that name at all? */
	for (int c = 0; q->event >= 0 && c < s->p->choices && !asks; c++)
		asks = !strcmp(s->p->choice[c].name, s->p->event[q->event].name);
	for (int32_t i = asks ? trace_back(s->t, s->end - 1, 1u << REC_CHOICE) : -1; i >= 0;
		i = trace_back(s->t, i - 1, 1u << REC_CHOICE)) {
		const struct record r = *trace_look(s->t, i);
		if (r.dropped || r.owner != who || r.what < 0 || r.what >= s->p->choices || strcmp(s->p->choice[r.what].name, s->p->event[q->event].name) || r.value == 1 || !hits_moment(s, q, i))
			continue;
		absence_name(s, who, &out->about);
		buf_printf(&out->about, " could %s", s->p->event[q->event].name);
		absence_at_time(s, i, true, &out->about);
		buf_printf(&out->about, ", and chose not to, %s.", absence_by(r.flag));
		answer_rule_of(s->p, out, r.clause);
		return true;
	}
	return false;
}

static int32_t round_now(const struct inquiry *s)
{
	return s->end > 0 ? trace_get(s->t, s->end - 1)->round : 0;
}

/* The round has not come, or the fight was over before. */
static bool beyond_told(const struct inquiry *s, const struct question *q, struct answer *out)
{
	if (q->round <= round_now(s))
		return false;
	const int32_t end = trace_back(s->t, s->end - 1, 1u << REC_OUTCOME);
	if (end < 0) {
		buf_printf(&out->about, "Round %d has not come yet.", q->round);
		return true;
	}
	buf_printf(&out->about, "There was no round %d: ", q->round);
	absence_over(s, &out->about);
	buf_putc(&out->about, '.');
	return true;
}

/* ---- one of them ---- */

/* What a rule noted in place of an event, or -1: then nothing was done. */
static int32_t noted_instead(const struct inquiry *s, int32_t number)
{
	for (int32_t i = log_child(&s->log, number); i >= 0; i = log_sibling(&s->log, i)) {
		const struct record *r = log_at(&s->log, i);
		if (r->kind == REC_NOTE && !r->dropped && r->clause >= 0 &&
			s->p->clause[r->clause].sort == CLAUSE_INSTEAD)
			return i;
		const int32_t below = r->kind == REC_EVENT && r->flag == EVENT_REPLACED
			? noted_instead(s, i)
			: -1;
		if (below >= 0)
			return below;
	}
	return -1;
}

/* It did happen, or a rule noted something else in its place. */
static void did_told(const struct inquiry *s, int32_t number, bool any, struct answer *out)
{
	struct buf b = {0};
	const int32_t noted = noted_instead(s, number);
	if (noted >= 0) {
		event_say(s, noted, &out->about, out);
		buf_putc(&out->about, '.');
		return;
	}
	english_event(&s->log, number, MOOD_DID, &b);
	if (any) { /* "why did Bruna do nothing" */
		buf_puts(&out->about, "But ");
		absence_name(s, log_actor(&s->log, log_at(&s->log, number)), &out->about);
		buf_printf(&out->about, " did act: %s", buf_text(&b));
	} else {
		answer_premise(out, PREMISE_HAPPENED);
		buf_puts(&out->about, buf_text(&b));
	}
	absence_at_time(s, number, true, &out->about);
	if (!event_is_act(&s->log, number))
		absence_cause(s, number, out);
	absence_other_outcome(s, number, out);
	buf_putc(&out->about, '.');
	buf_free(&b);
}

static int32_t find_open(const struct inquiry *s, const struct question *q, word who)
{
	const uint32_t kinds = 1u << REC_DECLARE | 1u << REC_PEND;
	for (int32_t i = trace_back_to_event(s->t, s->end - 1, kinds, q->event); i >= 0;
		i = trace_back_to_event(s->t, i - 1, kinds, q->event)) {
		if (!is_about(s, q, who, i) || (q->round > 0 && log_at(&s->log, i)->round != q->round))
			continue;
		for (int32_t k = i + 1; k < s->end; k++) {
			const struct record *x = trace_look(s->t, k);
			const bool end = x->kind == REC_EVENT || x->kind == REC_CANCEL || x->kind == REC_LEFT || x->kind == REC_PEND || x->kind == REC_REFUSED;
			if (end && !x->dropped && x->value == i)
				return -1;
		}
		return i;
	}
	return -1;
}

static void open_told(const struct inquiry *s, int32_t number, struct answer *out)
{
	absence_name(s, log_actor(&s->log, log_at(&s->log, number)), &out->about);
	buf_puts(&out->about, " has yet to ");
	absence_deed(s, number, &out->about);
	buf_puts(&out->about, ": it is declared, and its turn has not come.");
}

/* A line of the script, or one that was typed, for a round that has not come. */
static bool to_come(const struct inquiry *s, const struct question *q, word who, struct answer *out)
{
	for (int i = 0; i < s->p->lines; i++) {
		const struct line_info *x = &s->p->line[i];
		const struct block_info *b = &s->p->block[x->block];
		const bool round = b->field >= 0 && !strcmp(b->unit, "round");
		const bool used = s->world[s->p->field[x->field].base + (uint32_t)who / 64] >> (who % 64) & 1;
		if (x->who == who && x->typed && !used && !round && (q->event < 0 || x->event == q->event) && q->round <= 0) {
			absence_name(s, who, &out->about);
			buf_printf(&out->about, " has yet to %s: the line counts when ", x->event >= 0 ? s->p->event[x->event].name : "act");
			absence_name(s, who, &out->about);
			buf_puts(&out->about, " is next asked.");
			return true;
		}
		if (x->who != who || used || (q->event >= 0 && x->event != q->event) || !(round && b->ordinal > round_now(s)) || (q->round > 0 && b->ordinal != q->round))
			continue;
		absence_name(s, who, &out->about);
		buf_puts(&out->about, " has yet to ");
		buf_puts(&out->about, x->event >= 0 ? s->p->event[x->event].name : "act");
		buf_printf(&out->about, ": a line for round %lld says so, and that round has not come.", (long long)b->ordinal);
		return true;
	}
	return false;
}

/* "Zel did not bleed in round 3: Zel bled in round 4": it happened, at another time than is asked
 * about. The first after that is told, else the last before. */
static bool elsewhere_told(
	const struct inquiry *s, const struct question *q, word who, struct answer *out)
{
	word one = who;
	int32_t found = -1;
	if (q->round <= 0 && q->moment == INT64_MIN && !q->before_rounds)
		return false;
	struct question any = *q, his = *q;
	any.round = 0;
	any.moment = INT64_MIN;
	any.before_rounds = false;
	his.who = (people){.v = &one, .n = who != NONE};
	for (int32_t i = s->end - 1; i >= 0; i--) {
		if (!event_answers(s, &any, i, who))
			continue;
		if (found >= 0 && !q->before_rounds && log_at(&s->log, i)->round < q->round)
			break;
		found = i;
	}
	if (found < 0)
		return false;
	if (absence_kept(s, &his, found, who, NONE, out))
		return true;
	event_did_not(s, &his, &out->about);
	buf_puts(&out->about, ": ");
	event_say(s, found, &out->about, out);
	event_stop(s->p, &out->about);
	return true;
}

/* The clause that brings an event about: whenever something is so, or else one that calls it; -1.
 */
static int32_t brings_about(const struct program *p, int32_t event)
{
	int32_t found = event >= 0 ? absence_raised_by(p, event) : -1;
	struct buf call = {0};
	if (event >= 0)
		buf_printf(&call, "%s (", p->event[event].name);
	for (int32_t c = 0; c < p->clauses && found < 0 && event >= 0; c++) {
		const char *text = p->clause[c].text,
			   *at = text ? strstr(text, buf_text(&call)) : NULL;
		if (at && at > text && (at[-1] == ' ' || at[-1] == '{') && *p->clause[c].rule)
			found = c;
	}
	buf_free(&call);
	return found;
}

/* "Kit did not die: nothing brought it about." */
static bool nothing_told(const struct inquiry *s, const struct question *q, word who, struct answer *out)
{
	struct buf b = {0};
	if (elsewhere_told(s, q, who, out))
		return true;
	answer_rule_of(s->p, out, brings_about(s->p, q->event));
	if (q->told_text) {
		event_did_not(s, q, &out->about);
		if (!absence_nothing_done(s, q, who, out))
			buf_puts(&out->about, ": nothing brought it about.");
		return true;
	}
	absence_name(s, who, &b);
	buf_putc(&b, ' ');
	const char *verb = s->p->event[q->event].name;
	verb_add(!strcmp(verb, "death") ? "die" : verb, &b);
	const bool said = q->whom.n == 0 && english_sentence(s->p, buf_text(&b), MOOD_DID_NOT, &out->about);
	if (said)
		buf_puts(&out->about, ": nothing brought it about.");
	buf_free(&b);
	return said;
}

/* The first record of the rounds; the end. */
static int32_t rounds_begin(const struct inquiry *s)
{
	int32_t i = 0;
	while (i < s->end && trace_look(s->t, i)->round <= 0)
		i++;
	return i;
}

/* Nobody asked them before the rounds began: they were surprised, or nobody was asked at all. */
static bool unasked_told(
	const struct inquiry *s, const struct question *q, word who, struct answer *out)
{
	const int32_t begin = rounds_begin(s);
	int32_t asked = trace_back(s->t, begin - 1, 1u << REC_DECLARE);
	if (order_unasked(s, q, who, out))
		return true;
	absence_name(s, who, &out->about);
	for (int32_t i = asked; i >= 0; i = trace_back(s->t, i - 1, 1u << REC_DECLARE))
		asked = i; /* the first */
	if (asked < 0) {
		buf_puts(&out->about, " could not: nobody acted before the first round.");
	} else if (absence_befell_early(s, who, asked, " ", &out->about)) {
		buf_puts(&out->about, ", and was not asked before the first round.");
	} else {
		buf_puts(&out->about, " was not asked before the first round.");
		const int32_t around = trace_look(s->t, asked)->parent;
		if (around >= 0)
			answer_rule_of(s->p, out, log_at(&s->log, around)->clause);
	}
	order_early_dice(s, begin, out);
	return true;
}

/* "hobgoblin #3 attacked Marn last in round 1, and was unconscious ..": what has kept them from it
 * since the last time. False: nothing has. */
static bool since_told(const struct inquiry *s, const struct question *q, int32_t did, word who,
	struct answer *out)
{
	struct answer fate;
	memset(&fate, 0, sizeof fate);
	struct question later = *q;
	bool told = absence_unable(s, who, s->end, did, -1, &fate);
	if (told)
		buf_putc(&fate.about, '.');
	/* what was to be done after that */
	const int32_t last = told ? -1 : absence_declared(s, &later, who);
	if (last > did && log_at(&s->log, last)->round > log_at(&s->log, did)->round) {
		later.event = -1;
		later.whom.n = 0;
		told = instead_told(s, &later, who, false, &fate);
	}
	if (told) {
		english_event(&s->log, did, MOOD_DID, &out->about);
		absence_at_time(s, did, true, &out->about);
		buf_puts(&out->about, " for the last time: ");
		if (*buf_text(&fate.about) && fate.about.data[0] != '\0') {
			struct buf begun = {0};
			absence_name(s, who, &begun);
			if (strncmp(buf_text(&fate.about), buf_text(&begun), begun.length))
				buf_printf(&out->about, "%s ", buf_text(&begun));
			buf_free(&begun);
		}
		buf_puts(&out->about, buf_text(&fate.about));
		answer_figures_from(out, &fate);
		answer_rules_from(s->p, out, &fate);
	}
	answer_free(&fate);
	return told;
}

bool absence_told(const struct inquiry *s, const struct question *q, word who, struct answer *out)
{
	const bool over = trace_back(s->t, s->end - 1, 1u << REC_OUTCOME) >= 0;
	const int32_t did = absence_happened(s, q, who), end = absence_of(s, q, who), open = over ? -1 : find_open(s, q, who);
	if (!over && (end < 0 || log_at(&s->log, end)->round < round_now(s)) && to_come(s, q, who, out))
		return true;
	if (q->round > 0 && beyond_told(s, q, out))
		return true;
	const bool timed = q->moment != INT64_MIN && (end < 0 || q->bound != BOUND_IN);
	if (did < 0 && open < 0 && timed && (q->event < 0 || s->p->event[q->event].action)) {
		struct question when = *q;
		when.who = (people){.v = &who, .n = 1};
		when.order = ASKED_WHEN;
		return order_when(s, &when, out);
	}
	if (did < 0 && end < 0 && open < 0 && q->event >= 0 && q->moment != INT64_MIN &&
		absence_in_its_place(s, q, who) < 0 && elsewhere_told(s, q, who, out))
		return true;
	if (open >= 0 && open > end && open > did) {
		open_told(s, open, out);
		return true;
	}
	if (did >= 0 && q->again && since_told(s, q, did, who, out))
		return true;
	/* who did one thing did something, whatever came of another in the same round */
	const bool acted = q->event < 0 && did >= 0 && end >= 0 &&
		log_at(&s->log, did)->round == log_at(&s->log, end)->round;
	if (did >= 0 && (did > end || acted)) {
		did_told(s, did, q->event < 0, out);
		return true;
	}
	const int32_t by_rule = end >= 0 ? left_in_effect(&s->log, end) : -1;
	if (by_rule >= 0) {
		did_told(s, by_rule, q->event < 0, out);
		return true;
	}
	if (end >= 0) {
		absence_end(s, end, out);
		return true;
	}
	const bool outcome = q->event >= 0 && !s->p->event[q->event].action;
	if (q->before_rounds && absence_declared(s, q, who) < 0 && unasked_told(s, q, who, out))
		return true;
	if (choice_told(s, q, who, out) || (!outcome && absence_by_die(s, q, who, out)) ||
		(outcome && (absence_outcome(s, q, who, out) || absence_by_die(s, q, who, out))))
		return true;
	/* what was declared instead, of the round that is asked about or of any; who was out before could declare nothing */
	struct question any = *q;
	any.event = -1;
	any.whom.n = 0;
	if (q->event >= 0 && !s->p->event[q->event].action && s->p->event[q->event].roles < 2)
		return nothing_told(s, q, who, out);
	const bool act = q->event < 0 || s->p->event[q->event].action;
	/* "after round 1" is all that came: whoever is out in the end had turns before that */
	if (act && instead_told(s, q, who, q->from > 0, out))
		return true;
	if (!act && absence_kept_by(s, q, who, out))
		return true;
	const size_t before = out->about.length;
	int32_t last = s->end;
	while ((q->round > 0 || q->before_rounds) && last > 0 &&
		trace_look(s->t, last - 1)->round > (q->before_rounds ? 0 : q->round))
		last--;
	absence_name(s, who, &out->about);
	buf_puts(&out->about, " could not, for ");
	absence_name(s, who, &out->about);
	buf_putc(&out->about, ' ');
	/* out before the last that was declared, or in its round: that is why */
	const int32_t declared = act ? -1 : absence_declared(s, q, who);
	int32_t since = declared;
	while (since > 0 && trace_look(s->t, since - 1)->round == trace_look(s->t, declared)->round)
		since--;
	if (absence_unable(s, who, last, since < 0 ? 0 : since, -1, out)) {
		buf_putc(&out->about, '.');
		return true;
	}
	out->about.length = before;
	if (!act && instead_told(s, q, who, false, out))
		return true;
	if (q->event >= 0 && !s->p->event[q->event].action)
		return nothing_told(s, q, who, out);
	return instead_told(s, q, who, true, out) || order_unasked(s, &any, who, out);
}

/* What is asked by its telling, and was told of nobody it is asked of. */
static bool telling_told(const struct inquiry *s, const struct question *q, struct answer *out)
{
	int n = 0;
	const int32_t found = event_last(s, q, q->who.n ? q->who.v[0] : NONE, &n);
	if (found >= 0) {
		answer_premise(out, PREMISE_HAPPENED);
		event_say(s, found, &out->about, out);
	} else if (elsewhere_told(s, q, q->who.n ? q->who.v[0] : NONE, out)) {
		return true;
	} else {
		event_did_not(s, q, &out->about);
		event_source_said(s, q, out);
	}
	event_stop(s->p, &out->about);
	return true;
}

bool answer_not(const struct inquiry *s, const struct question *q, struct answer *out)
{
	bool any = false;
	if (q->anybody && q->round > 0 && beyond_told(s, q, out))
		return true;
	if (q->anybody)
		return absence_nobody(s, q, out);
	int told = 0;
	if ((q->event < 0 && (q->told_verb || q->told_text)) || (q->told_text && event_last(s, q, NONE, &told) >= 0))
		return telling_told(s, q, out);
	if (q->who.n > 1 && absence_several(s, q, out))
		return true;
	for (int i = 0; i < q->who.n && i < 6; i++) {
		struct answer one;
		memset(&one, 0, sizeof one);
		if (absence_told(s, q, q->who.v[i], q->who.n == 1 || !any ? out : &one)) {
			any = true;
			if (one.about.length)
				answer_figure(out, -1, -1, "%s", buf_text(&one.about));
		}
		answer_free(&one);
	}
	if (!any && q->who.n) {
		event_did_not(s, q, &out->about);
		if (trace_back(s->t, s->end - 1, 1u << REC_OUTCOME) < 0)
			buf_puts(&out->about, " so far");
		event_stop(s->p, &out->about);
		any = true;
	}
	const word who = q->who.n == 1 ? q->who.v[0] : NONE;
	const int32_t end = who != NONE ? absence_of(s, q, who) : -1, happened = who != NONE ? absence_happened(s, q, who) : -1;
	const bool outcome = q->event >= 0 && !s->p->event[q->event].action && happened < 0;
	if (any && who != NONE && q->event >= 0 && (end > happened || (outcome && q->round <= round_now(s))))
		out->turn = (struct turn){.sort = TURN_NOT, .record = end, .event = q->event, .other_event = -1, .who = who, .whom = q->whom.n ? q->whom.v[0] : NONE, .other = NONE};
	return any;
}
