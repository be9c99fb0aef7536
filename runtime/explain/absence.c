/* absence.c - see absence.h. */
#include "runtime/explain/absence.h"

#include <string.h>

#include "runtime/explain/event.h"
#include "runtime/explain/explain.h"

enum { DEEP = 8, CARRIED_MOST = 8 };

/* ---- words ---- */

void absence_name(const struct inquiry *s, word who, struct buf *out)
{
	program_live(s->p, KIND_COMBATANT, who, out);
}

void absence_at_time(const struct inquiry *s, int32_t number, bool round, struct buf *out)
{
	struct buf b = {0};
	const struct record r = *log_at(&s->log, number);
	const bool moment = log_moment(&s->log, number, &b);
	if (moment)
		buf_printf(out, " in %s", buf_text(&b));
	if (round && r.round > 0)
		buf_printf(out, moment ? " of round %d" : " in round %d", r.round);
	buf_free(&b);
}

/* The same, and the round only when it is another than that of a record told before. */
static void absence_at_time_after(const struct inquiry *s, int32_t number, int32_t before, struct buf *out)
{
	const bool same = log_at(&s->log, number)->round == log_at(&s->log, before)->round;
	const size_t n = out->length;
	absence_at_time(s, number, !same, out);
	if (out->length == n && same)
		buf_puts(out, " before that");
}

/* The sentence of an event without who it is about, in the past: "died". */
/* "was affected by nap", of "nap affects Eli": a telling in which a thing does something to whom it
 * is about. False: it is not of that form. */
static bool suffered_from(
	const struct inquiry *s, const struct record *r, const char *who, struct buf *out)
{
	const char *text = r->text >= 0 ? trace_text_at(s->t, r->text) : "";
	size_t best = 0;
	for (int i = 0; i < s->p->things; i++) {
		const size_t n = strlen(s->p->thing[i].name);
		if (n > best && !strncmp(text, s->p->thing[i].name, n) && text[n] == ' ')
			best = n;
	}
	const char *verb = text + best + (best > 0);
	const size_t n = strcspn(verb, " ");
	if (!best || n < 3 || verb[n - 1] != 's' || !verb[n] || strcmp(verb + n + 1, who) != 0)
		return false;
	buf_puts(out, "was ");
	english_verb(verb, n, TENSE_PARTICIPLE, out);
	buf_printf(out, " by %.*s", (int)best, text);
	return true;
}

static void past_of(const struct inquiry *s, int32_t number, struct buf *out)
{
	struct buf b = {0}, name = {0};
	absence_name(s, log_actor(&s->log, log_at(&s->log, number)), &name);
	if (suffered_from(s, log_at(&s->log, number), buf_text(&name), out)) {
		buf_free(&name);
		return;
	}
	buf_clear(&name);
	english_event(&s->log, number, MOOD_DID, &b);
	absence_name(s, log_actor(&s->log, log_at(&s->log, number)), &name);
	const size_t n = name.length;
	const bool same = n > 0 && b.length > n && !strncmp(b.data, name.data, n) && b.data[n] == ' ';
	if (!same)
		buf_puts(out, ": ");
	buf_puts(out, same ? b.data + n + 1 : buf_text(&b));
	buf_free(&b);
	buf_free(&name);
}

int32_t absence_told_act(const struct inquiry *s, int32_t number)
{
	size_t subject, verb;
	for (int32_t i = log_at(&s->log, number)->parent; i >= 0; i = log_at(&s->log, i)->parent) {
		const struct record r = *log_at(&s->log, i);
		if (r.kind == REC_EVENT && (s->p->event[r.what].action || (r.text >= 0 && s->p->event[r.what].roles > 1 && english_split(s->p, trace_text_at(s->t, r.text), &subject, &verb))))
			return i;
	}
	return -1;
}

int32_t absence_raised_by(const struct program *p, int32_t event)
{
	struct buf call = {0};
	int32_t found = -1;
	buf_printf(&call, "%s (", p->event[event].name);
	for (int32_t c = 0; c < p->clauses && found < 0; c++) {
		const char *body = p->clause[c].sort == CLAUSE_WHENEVER && p->clause[c].text ? strchr(p->clause[c].text, '{') : NULL;
		if (body && strstr(body, buf_text(&call)))
			found = c;
	}
	buf_free(&call);
	return found;
}

/* Does the condition that raises an event read a field of this name? */
static bool compares(const struct program *p, int32_t event, const char *field)
{
	const int32_t clause = absence_raised_by(p, event);
	struct buf name = {0};
	buf_printf(&name, "'s %s ", field);
	const char *text = clause >= 0 ? p->clause[clause].text : "", *at = strstr(text, buf_text(&name)), *brace = strchr(text, '{');
	buf_free(&name);
	return at && brace && at < brace;
}

/* The change of a number of theirs that was the last before a record, in its group of acts: what hurt them; -1. */
static int32_t lowered(const struct inquiry *s, int32_t number)
{
	const struct record e = *log_at(&s->log, number);
	const word who = log_actor(&s->log, &e);
	int32_t from;
	const int32_t clause = event_whenever(&s->log, number, &from);
	const int32_t change = clause >= 0 ? event_change(&s->log, from, clause) : -1;
	if (change >= 0) {
		const struct record *c = log_at(&s->log, change);
		const struct field_info *f = &s->p->field[c->what];
		const word *v = trace_values_at(s->t, c);
		if (f->kind == KIND_COMBATANT && c->owner == who && vtype_is_number(f->type) &&
			!f->type.frac && v && v[0] != NONE && c->value < v[0])
			return change;
	}
	for (int32_t i = number - 1; i >= 0; i--) {
		const struct record *r = trace_look(s->t, i);
		if (r->time != e.time || r->round != e.round)
			return -1;
		if (r->kind != REC_CHANGE || r->dropped || r->flag == 1 || r->owner != who || r->what < 0 || r->what >= s->p->fields || s->p->field[r->what].kind != KIND_COMBATANT ||
		    !vtype_is_number(s->p->field[r->what].type) || s->p->field[r->what].type.frac || !compares(s->p, e.what, s->p->field[r->what].name))
			continue;
		r = log_at(&s->log, i);
		const word *v = trace_values_at(s->t, r);
		if (v && v[0] != NONE && r->value < v[0])
			return i;
	}
	return -1;
}

/* Did something of theirs change in an event? */
static bool touched(const struct inquiry *s, int32_t number, word who, int depth)
{
	for (int32_t i = log_child(&s->log, number); i >= 0 && depth < DEEP; i = log_sibling(&s->log, i)) {
		const struct record r = *log_at(&s->log, i);
		if ((r.kind == REC_CHANGE && !r.dropped && r.owner == who) || (r.kind == REC_EVENT && touched(s, i, who, depth + 1)))
			return true;
	}
	return false;
}

int32_t absence_act_upon(const struct inquiry *s, int32_t number)
{
	const struct record e = *log_at(&s->log, number);
	const word who = log_actor(&s->log, &e);
	for (int32_t i = number - 1; i >= 0; i--) {
		const struct record r = *trace_look(s->t, i);
		struct vtype type;
		const word *target;
		if (r.round != e.round || r.time != e.time)
			return -1;
		if (r.kind != REC_EVENT || r.dropped || r.what < 0 || !s->p->event[r.what].action || r.flag == EVENT_VOIDED)
			continue;
		if (log_target(&s->log, log_at(&s->log, i), &type, &target) && type.base == VT_LIVE && type.kind == KIND_COMBATANT && *target == who && touched(s, i, who, 0))
			return i;
	}
	return -1;
}

int32_t absence_cause_act(const struct inquiry *s, int32_t number)
{
	const bool event = log_at(&s->log, number)->kind == REC_EVENT;
	const int32_t hurt = event ? lowered(s, number) : -1;
	int32_t carried[CARRIED_MOST];
	const bool held = hurt >= 0 && event_carried(&s->log, hurt, carried, CARRIED_MOST) > 0;
	const int32_t by = hurt < 0 ? -1 : absence_told_act(s, held ? carried[0] : hurt);
	const int32_t act = by >= 0 ? by : absence_told_act(s, number);
	/* what befell them in their own act, another brought about: a blow while they cast */
	const int32_t around = event ? number : log_at(&s->log, number)->parent;
	const bool befell = around >= 0 && log_at(&s->log, around)->kind == REC_EVENT &&
		!s->p->event[log_at(&s->log, around)->what].action &&
		event_people(&s->p->event[log_at(&s->log, around)->what]) == 1;
	const bool own = befell && act >= 0 &&
		log_actor(&s->log, log_at(&s->log, act)) ==
			log_actor(&s->log, log_at(&s->log, around));
	const int32_t upon = own || (event && act < 0) ? absence_act_upon(s, around) : -1;
	return upon >= 0 ? upon : act;
}

void absence_cause(const struct inquiry *s, int32_t number, struct answer *out)
{
	const int32_t act = absence_cause_act(s, number);
	if (act < 0)
		return;
	struct buf b = {0};
	english_event(&s->log, act, MOOD_DID, &b);
	buf_printf(&out->about, ", when %s", buf_text(&b));
	buf_free(&b);
}

/* ---- what came over somebody ---- */

/* The last change of a yes or no of theirs that `able` reads, before a record; -1: none. */
static int32_t state_changed(const struct inquiry *s, word who, int32_t before)
{
	for (int32_t i = trace_back(s->t, before - 1, 1u << REC_CHANGE); i >= 0; i = trace_back(s->t, i - 1, 1u << REC_CHANGE)) {
		const struct record *r = trace_look(s->t, i);
		if (r->dropped || r->flag == 1 || r->owner != who || r->what < 0 || r->what >= s->p->fields)
			continue;
		const struct field_info *f = &s->p->field[r->what];
		if (f->kind != KIND_COMBATANT || f->type.base != VT_BOOL || f->hidden)
			continue;
		for (int c = 0; c < s->p->clauses; c++) {
			const struct clause_info *x = &s->p->clause[c];
			if (x->question >= 0 && x->question < s->p->questions && !strcmp(s->p->question[x->question].name, "able") && x->text && strstr(x->text, f->name))
				return i;
		}
	}
	return -1;
}

/* "orc #1 dies": told of them, by an event that is raised whenever something is so, or that somebody's flight is. */
static bool tells_fate(const struct inquiry *s, int32_t number, word who)
{
	const struct record r = *log_at(&s->log, number);
	const char *text = trace_text_at(s->t, r.text);
	size_t subject, verb;
	struct buf name = {0};
	absence_name(s, who, &name);
	const bool his = english_split(s->p, text, &subject, &verb) && subject == name.length;
	buf_free(&name);
	if (!his)
		return false;
	/* who bleeds was out before: a number alone is no fate */
	for (int32_t i = log_child(&s->log, number); i >= 0; i = log_sibling(&s->log, i)) {
		const struct record *c = log_at(&s->log, i);
		if (c->kind == REC_CHANGE && c->flag != 1 && !c->dropped && c->owner == who &&
			!vtype_is_number(s->p->field[c->what].type) && c->value != NONE)
			return true;
	}
	return absence_raised_by(s->p, r.what) >= 0;
}

/* Did an event make somebody what a word of theirs says, and were they so still at a record? */
static bool made_so(const struct inquiry *s, int32_t event, word who, int32_t before)
{
	for (int32_t i = log_child(&s->log, event); i >= 0; i = log_sibling(&s->log, i)) {
		const struct record c = *log_at(&s->log, i);
		if (c.kind != REC_CHANGE || c.flag == 1 || c.dropped || c.owner != who || c.value == NONE ||
			s->p->field[c.what].type.base != VT_WORD)
			continue;
		const int32_t last = trace_back_to_change(s->t, before - 1, c.what, who);
		if (last == i || log_at(&s->log, last)->value == c.value)
			return true;
	}
	return false;
}

/* The last that was told to have come over them before a record: that they fell, died, fled; -1. */
static int32_t told_over(const struct inquiry *s, word who, int32_t before)
{
	for (int32_t i = trace_back(s->t, before - 1, 1u << REC_EVENT); i >= 0; i = trace_back(s->t, i - 1, 1u << REC_EVENT)) {
		const struct record *r = trace_look(s->t, i);
		if (r->dropped || r->text < 0 || r->flag == EVENT_VOIDED || r->flag == EVENT_STOPPED || r->flag == EVENT_REPLACED)
			continue;
		const struct event_info *e = &s->p->event[r->what];
		if (e->action || event_people(e) != 1 || log_actor(&s->log, log_at(&s->log, i)) != who)
			continue;
		if (tells_fate(s, i, who) && (e->roles == 1 || made_so(s, i, who, before)))
			return i;
	}
	return -1;
}

/* What came over somebody in the very act that came to nothing by it: it is told once the act is
 * over; -1: nothing. */
static int32_t told_within(const struct inquiry *s, word who, int32_t voided)
{
	if (voided >= s->t->n) /* asked of the end of the log */
		return -1;
	const struct record v = *log_at(&s->log, voided);
	for (int32_t i = voided + 1; v.kind == REC_VOID && i < s->t->n; i++) {
		const struct record *r = trace_look(s->t, i);
		if (r->round != v.round || r->group != v.group)
			return -1;
		if (r->kind != REC_EVENT || r->dropped || r->text < 0 || r->flag == EVENT_VOIDED ||
			r->flag == EVENT_STOPPED || r->flag == EVENT_REPLACED)
			continue;
		const struct event_info *e = &s->p->event[r->what];
		if (e->roles == 1 && !e->action && log_actor(&s->log, log_at(&s->log, i)) == who &&
			tells_fate(s, i, who))
			return i;
	}
	return -1;
}

/* "was no longer awake", "was surrendered" */
static void state_told(const struct inquiry *s, int32_t change, struct buf *out)
{
	const struct record r = *log_at(&s->log, change);
	const int32_t by = r.parent;
	/* what somebody did themselves is told by their own doing: "surrendered" */
	if (by >= 0 && log_at(&s->log, by)->kind == REC_EVENT && log_at(&s->log, by)->text >= 0 &&
		s->p->field[r.what].kind == KIND_COMBATANT &&
		log_actor(&s->log, log_at(&s->log, by)) == r.owner) {
		past_of(s, by, out);
		return;
	}
	buf_printf(out, r.value ? "was %s" : "was no longer %s", s->p->field[r.what].name);
}

/* Does a clause of `act is void` read this yes or no, of whom or what `path` says? */
static int32_t voids(const struct inquiry *s, const char *path, const char *field)
{
	struct buf is = {0}, has = {0};
	int32_t found = -1;
	buf_printf(&is, "%s is %s", path, field);
	buf_printf(&has, "%s's %s", path, field);
	for (int c = 0; c < s->p->clauses && found < 0; c++) {
		const struct clause_info *x = &s->p->clause[c];
		if (x->question >= 0 && x->question == s->p->at.void_question && x->text &&
			(strstr(x->text, buf_text(&is)) || strstr(x->text, buf_text(&has))))
			found = c;
	}
	buf_free(&is);
	buf_free(&has);
	return found;
}

/* The last yes by which an act became void that its actor could have done: the actor's or the
 * target's; -1: none. */
static int32_t made_void(
	const struct inquiry *s, int32_t number, const char **whose, int32_t *clause)
{
	const struct record v = *log_at(&s->log, number);
	struct vtype type;
	const word *target, actor = log_actor(&s->log, &v);
	const bool aims = v.kind == REC_VOID &&
		log_target(&s->log, log_at(&s->log, number), &type, &target) && type.base == VT_LIVE &&
		type.kind == KIND_COMBATANT;
	const word at = aims ? *target : NONE;
	for (int32_t i = v.kind == REC_VOID ? trace_back(s->t, number - 1, 1u << REC_CHANGE) : -1;
		 i >= 0; i = trace_back(s->t, i - 1, 1u << REC_CHANGE)) {
		const struct record *r = trace_look(s->t, i);
		if (r->dropped || r->flag == 1 || r->value != 1 || r->what < 0 || r->what >= s->p->fields)
			continue;
		const struct field_info *f = &s->p->field[r->what];
		if (f->type.base != VT_BOOL || f->hidden)
			continue;
		*whose = f->kind != KIND_COMBATANT ? NULL
			: r->owner == actor            ? "act's actor"
			: r->owner == at               ? "act's target"
										   : NULL;
		*clause = *whose ? voids(s, *whose, f->name) : -1;
		if (*clause >= 0)
			return i;
	}
	return -1;
}

/* What came over somebody before a record and since another: an event that is told (*told), or a change; -1: nothing. */
static int32_t came_over(const struct inquiry *s, word who, int32_t before, int32_t since, bool *told)
{
	int32_t event = told_over(s, who, before), change = state_changed(s, who, before);
	event = event < since ? -1 : event;
	change = change < since ? -1 : change;
	/* an event that changed the state tells it; the state alone does when it changed in another act */
	if (event >= 0 && change > event && log_at(&s->log, change)->parent != event &&
		absence_cause_act(s, change) != absence_cause_act(s, event))
		event = -1;
	if (event < 0 && change < 0)
		event = told_within(s, who, before);
	*told = event >= 0;
	return *told ? event : change;
}

static void over_said(const struct inquiry *s, int32_t at, bool told, struct buf *out)
{
	if (told)
		past_of(s, at, out);
	else
		state_told(s, at, out);
}

/* The one yes or no of acts themselves that makes them void: its clause, and *field. What is set of
 * an act is not in the log. -1: none, or several. */
static int32_t void_alone(const struct inquiry *s, int32_t *field)
{
	int32_t found = -1;
	for (int i = 0; i < s->p->fields; i++) {
		const struct field_info *f = &s->p->field[i];
		const int32_t clause = f->kind == KIND_ACT && f->type.base == VT_BOOL && !f->hidden
			? voids(s, "act", f->name)
			: -1;
		if (clause >= 0 && found >= 0)
			return -1;
		found = clause >= 0 ? clause : found;
		*field = clause >= 0 ? i : *field;
	}
	return found;
}

bool absence_made_void(const struct inquiry *s, int32_t number, bool brief, struct answer *out)
{
	const word who = log_actor(&s->log, log_at(&s->log, number));
	const char *whose;
	int32_t clause, field = -1;
	bool told;
	const int32_t at = made_void(s, number, &whose, &clause);
	if (came_over(s, who, number, at < 0 ? 0 : at, &told) >= 0)
		return false;
	if (at < 0) {
		clause = void_alone(s, &field);
		if (clause < 0)
			return false;
		buf_printf(&out->about, "that was %s", s->p->field[field].name);
		if (!brief)
			absence_replaced(s, number, field, out);
		answer_rule_of(s->p, out, clause);
		return true;
	}
	if (!strcmp(whose, "act's target")) {
		absence_name(s, log_at(&s->log, at)->owner, &out->about);
		buf_putc(&out->about, ' ');
	}
	state_told(s, at, &out->about);
	if (brief)
		return true;
	absence_at_time_after(s, at, number, &out->about);
	absence_cause(s, at, out);
	answer_rule_of(s->p, out, clause);
	return true;
}

bool absence_unable_brief(const struct inquiry *s, word who, int32_t before, int32_t since, struct buf *out)
{
	bool told;
	const int32_t at = came_over(s, who, before, since, &told);
	if (at < 0)
		return false;
	over_said(s, at, told, out);
	const struct record a = *log_at(&s->log, at), b = *log_at(&s->log, before);
	if (at < before && (a.round != b.round || a.time != b.time || a.group != b.group))
		absence_at_time_after(s, at, before, out);
	return true;
}

/* "Ada acts before Bruk: the party's initiative is 4, ..": why the act that came over somebody came before theirs, where
 * no times say it. */
static void came_first(const struct inquiry *s, int32_t act, int32_t later, struct answer *out)
{
	struct answer order;
	struct buf moment = {0};
	int32_t event = later < s->end ? later : -1; /* else nothing of theirs came to be void */
	memset(&order, 0, sizeof order);
	while (event >= 0 && log_at(&s->log, event)->kind != REC_EVENT)
		event = log_at(&s->log, event)->parent;
	if (event >= 0 && !log_moment(&s->log, act, &moment) && log_at(&s->log, event)->group > log_at(&s->log, act)->group &&
		answer_order_of(s, act, event, &order) && order.about.length) {
		order.about.data[order.about.length - 1] = '\0';
		answer_figure(out, event, -1, "%s", order.about.data);
	}
	answer_free(&order);
	buf_free(&moment);
}

bool absence_unable(const struct inquiry *s, word who, int32_t before, int32_t since, int32_t after, struct answer *out)
{
	bool told;
	const int32_t at = came_over(s, who, before, since, &told);
	if (at < 0)
		return false;
	over_said(s, at, told, &out->about);
	if (after >= 0 && at < after)
		absence_at_time_after(s, at, after, &out->about);
	else if (after < 0)
		absence_at_time(s, at, true, &out->about);
	absence_cause(s, at, out);
	const int32_t act = absence_cause_act(s, at), hurt = told ? lowered(s, at) : -1;
	if (act >= 0)
		absence_dice(s, act, who, out);
	if (hurt >= 0) {
		const struct record c = *log_at(&s->log, hurt);
		const word old = trace_values_at(s->t, &c)[0];
		int32_t from[CARRIED_MOST];
		struct buf line = {0};
		const int n = event_carried(&s->log, hurt, from, CARRIED_MOST);
		buf_printf(&line, "%s: %lld", s->p->field[c.what].name, (long long)old);
		bool sum = n > 0;
		for (int i = 0; i < n; i++)
			sum &= log_at(&s->log, from[i])->value >
				trace_values_at(s->t, log_at(&s->log, from[i]))[0];
		for (int i = n - 1; i >= 0 && sum;
			 i--) { /* each that was gathered apart: damage, and 1 more */
			const struct record *g = log_at(&s->log, from[i]);
			buf_printf(&line, " - %lld",
				(long long)(g->value - trace_values_at(s->t, g)[0]));
		}
		if (!sum)
			buf_printf(&line, " - %lld", (long long)(old - c.value));
		buf_printf(&line, " = %lld", (long long)c.value);
		answer_figure(out, hurt, c.clause, "%s", buf_text(&line));
		buf_free(&line);
	}
	if (act >= 0)
		came_first(s, act, before, out);
	const int32_t raised = told ? absence_raised_by(s->p, log_at(&s->log, at)->what) : -1;
	answer_rule_of(s->p, out, raised >= 0 ? raised : log_at(&s->log, at)->clause);
	return true;
}

bool explain_came_over_told(const struct program *p, const struct trace *t, const word *world,
	word who, struct buf *out)
{
	struct inquiry s = {.p = p, .t = t, .world = world, .end = t->n};
	bool told;
	log_open(&s.log, p, t);
	s.log.world = world;
	const int32_t at = came_over(&s, who, t->n, 0, &told);
	if (at >= 0) {
		absence_name(&s, who, out);
		buf_putc(out, ' ');
		over_said(&s, at, told, out);
		absence_at_time(&s, at, true, out);
	}
	log_close(&s.log);
	return at >= 0;
}
