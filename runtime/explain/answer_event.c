/* answer_event.c - what an event came from: the comparison that decided, the change that met a condition, what brought
 * about what brought it about, or who declared it. */
#include <string.h>

#include "runtime/explain/answer.h"
#include "runtime/explain/explain.h"
#include "runtime/explain/sum.h"

enum { UP_MOST = 16, SEVERAL_MOST = 12 };

/* ---- what led to a record ---- */

static bool is_told(const struct log *l, int32_t number)
{
	const struct record *r = log_at(l, number);
	return r && r->kind == REC_EVENT && r->text >= 0;
}

/* The event that an act begins with. */
static bool is_root(const struct log *l, int32_t number)
{
	const struct record *r = log_at(l, number);
	return r->kind == REC_EVENT && r->act >= 0 && (r->parent < 0 || log_at(l, r->parent)->act != r->act);
}

/* The clause in whose body something was brought about; -1: of an act, which nothing but its turn brings about. */
static int32_t clause_around(const struct log *l, int32_t number)
{
	const struct record *r = log_at(l, number);
	if (is_root(l, number))
		return -1;
	const int32_t clause = r->kind == REC_EVENT ? r->faces : r->clause;
	return clause >= 0 && clause < l->p->clauses ? clause : -1;
}

/* The whenever clause that an event, or an event around it in the same breath, comes from; *from: that event. -1. */
static int32_t whenever_of(const struct log *l, int32_t number, int32_t *from)
{
	for (int32_t i = number, up = 0; i >= 0 && up < UP_MOST; i = log_at(l, i)->parent, up++) {
		int32_t clause = clause_around(l, i);
		if (clause >= 0 && l->p->clause[clause].sort == CLAUSE_WHENEVER) {
			*from = i;
			return clause;
		}
		if (clause < 0 || (log_at(l, i)->kind == REC_EVENT && log_at(l, i)->text >= 0 && i != number && !is_told(l, log_at(l, i)->parent)))
			break;
	}
	return -1;
}

/* The change before an event that its condition looks at; -1. */
static int32_t change_of(const struct log *l, int32_t event, int32_t clause)
{
	const struct program *p = l->p;
	const word who = log_actor(l, log_at(l, event));
	int32_t found = -1;
	int k = 0;
	while (k < p->whenevers && p->whenever[k].clause != clause)
		k++;
	if (k == p->whenevers)
		return -1;
	const uint64_t bit = 1ull << (k > 63 ? 63 : k);
	for (int32_t i = event - 1; i >= 0 && i > event - 4000 && found < 0; i--) {
		const struct record *r = trace_look(l->t, i);
		if (r->kind == REC_CHANGE && !r->dropped && r->flag != 1 && r->what >= 0 && r->what < p->fields && p->field[r->what].touches & bit &&
		    (p->field[r->what].kind != KIND_COMBATANT || who == NONE || r->owner == who))
			found = i;
	}
	return found;
}

/* Somebody's doing, to somebody else: the event around that a cause is told by. -1. */
static int32_t doing_around(const struct log *l, int32_t number, word but)
{
	for (int32_t i = log_at(l, number)->parent, up = 0; i >= 0 && up < UP_MOST; i = log_at(l, i)->parent, up++) {
		const struct record *r = log_at(l, i);
		struct vtype type;
		const word *target;
		if (r->kind != REC_EVENT || r->text < 0)
			continue;
		const word actor = log_actor(l, r);
		if (actor != NONE && (actor != but || (log_target(l, r, &type, &target) && but == NONE)))
			return i;
	}
	return -1;
}

/* The comparison that let this come: below the event it happened in, or one around that. -1. */
static int32_t decided_by(const struct log *l, int32_t number)
{
	int32_t before = number;
	for (int32_t i = log_at(l, number)->parent, up = 0; i >= 0 && up < UP_MOST; before = i, i = log_at(l, i)->parent, up++) {
		int32_t found = sum_before(l, i, before, true, "");
		struct sum s;
		if (found >= 0 && sum_read(l, found, &s) && sum_has_die(l, &s) && !sum_is_trivial(&s))
			return found;
		if (is_told(l, i) && !l->p->event[log_at(l, i)->what].action)
			break; /* that is what brought it about */
	}
	return -1;
}

/* ---- words ---- */

/* " for 5 damage": what an event of somebody's doing came to. */
static void amount_add(const struct log *l, int32_t number, struct buf *out)
{
	for (int32_t i = log_child(l, number); i >= 0; i = log_sibling(l, i)) {
		const struct record *r = log_at(l, i);
		if (r->kind != REC_EVENT || r->dropped || r->text < 0)
			continue;
		const char *told = trace_text_at(l->t, r->text);
		if (*told >= '0' && *told <= '9') {
			buf_printf(out, " for %s", told);
			return;
		}
	}
}

static void in_when(const struct log *l, int32_t number, struct buf *out)
{
	struct buf when = {0};
	/* "ghoul #2 slew Bruna, who is helpless" */
	if (strstr(buf_text(out), ", who "))
		buf_putc(out, ',');
	if (answer_when(l, number, &when))
		buf_printf(out, " in %s", buf_text(&when));
	else
		buf_puts(out, " before the first round");
	buf_free(&when);
}

static void happened(const struct log *l, int32_t number, struct buf *out)
{
	english_event(l, number, MOOD_DID, out);
	amount_add(l, number, out);
}

static bool changed_number(const struct log *l, int32_t change)
{
	const struct record *r = log_at(l, change);
	const struct vtype type = l->p->field[r->what].type;
	const word *old = trace_values_at(l->t, r);
	return vtype_is_number(type) && !type.frac && type.base != VT_CHANCE && type.base != VT_TIME && old && *old != NONE && r->value != NONE;
}

/* "5 - 5 = 0 hit points" */
static void changed(const struct log *l, int32_t change, struct buf *out)
{
	const struct record *r = log_at(l, change);
	const struct field_info *f = &l->p->field[r->what];
	const word *old = trace_values_at(l->t, r);
	const word by = r->value - *old, size = by < 0 ? -by : by;
	program_value(l->p, f->type, old, out);
	buf_puts(out, by < 0 ? " - " : " + ");
	program_value(l->p, f->type, &size, out);
	buf_puts(out, " = ");
	program_value(l->p, f->type, &r->value, out);
	buf_printf(out, " %s", f->name);
}

/* ---- figures ---- */

static void roll_figure(const struct log *l, int32_t roll, struct answer *out)
{
	const struct record *r = log_at(l, roll);
	struct buf b = {0};
	log_label(l, r, &b);
	buf_putc(&b, ' ');
	log_total(l, r, &b);
	log_fall(l, r, true, &b);
	answer_figure(out, roll, -1, "%s", buf_text(&b));
	buf_free(&b);
}

/* What an amount that an event was told of is made of: the sum before it. False: nothing is known of that. */
static bool amount_figures(const struct log *l, int32_t number, struct answer *out)
{
	const struct record *r = log_at(l, number);
	if (r->what < 0 || r->what >= l->p->events)
		return false;
	const struct event_info *e = &l->p->event[r->what];
	for (int k = 0; k < e->roles; k++) {
		struct sum s;
		const word *v = log_role(l, r, k);
		int32_t found = vtype_is_number(e->role[k].type) && v ? sum_before(l, r->parent, number, false, e->role[k].name) : -1;
		if (found < 0 || !sum_read(l, found, &s) || s.left.total != *v)
			continue;
		sum_figures(l, &s, r->text >= 0 ? "damage" : e->role[k].name, out);
		return true;
	}
	return false;
}

static void amounts_below(const struct log *l, int32_t number, struct answer *out)
{
	for (int32_t i = log_child(l, number); i >= 0; i = log_sibling(l, i))
		if (log_at(l, i)->kind == REC_EVENT && !log_at(l, i)->dropped && is_told(l, i) && amount_figures(l, i, out))
			return;
}

static void compared_figures(const struct log *l, int32_t test, struct answer *out)
{
	struct sum s;
	if (!sum_read(l, test, &s))
		return;
	sum_figures(l, &s, "", out);
}

/* ---- one event ---- */

static void past(const struct log *l, int32_t number, enum mood mood, struct buf *out)
{
	const struct record *r = log_at(l, number);
	if (r->kind != REC_NOTE)
		english_event(l, number, mood, out);
	else if (!english_sentence(l->p, trace_text_at(l->t, r->text), mood, out))
		buf_puts(out, trace_text_at(l->t, r->text));
}

/* What brought it about: a rule, or the line of a stat block or a script that says no more than where it stands. */
static void rule_around(const struct inquiry *s, int32_t number, struct answer *out)
{
	const int32_t clause = clause_around(&s->log, number);
	const struct clause_info *c = clause >= 0 ? &s->p->clause[clause] : NULL;
	struct buf place = {0};
	if (!c || !strcmp(c->module, "core"))
		return;
	if (!strstr(c->cite, ": ") && s->place)
		s->place(s->context, c->span, &place);
	if (place.length)
		answer_figure(out, number, clause, "%s: %s", buf_text(&place), *c->rule ? c->rule : c->text);
	else
		answer_rule_of(s->p, out, clause);
	buf_free(&place);
}

/* The DECLARE record of the act that an event is; -1. */
static int32_t declared(const struct log *l, int32_t number)
{
	const struct record *e = log_at(l, number);
	int32_t at = (int32_t)e->value;
	for (int up = 0; at > 0 && at < number && up < UP_MOST; up++) {
		const struct record *r = log_at(l, at);
		if (r->kind == REC_DECLARE)
			return at;
		if (r->kind != REC_PEND || r->value <= 0)
			break;
		at = (int32_t)r->value;
	}
	const word who = log_actor(l, e);
	for (at = number - 1; at >= 0 && trace_look(l->t, at)->round == e->round; at--) {
		const struct record *r = trace_look(l->t, at);
		if (r->kind == REC_DECLARE && !r->dropped && r->what == e->what && log_actor(l, log_at(l, at)) == who)
			return at;
	}
	return -1;
}

/* "Bruna attacked orc #1 in segment 4 of round 1, as declared (bridge.fray, line 41)" */
static void act_said(const struct inquiry *s, int32_t number, struct buf *about, struct answer *out)
{
	static const char *const by[] = {[BY_SCRIPT] = "as declared", [BY_POLICY] = "as the policy says", [BY_PROMPT] = "as the table chose", [BY_DEFAULT] = "by default: nothing else was declared"};
	const int32_t d = declared(&s->log, number);
	struct buf place = {0};
	past(&s->log, number, MOOD_DID, about);
	in_when(&s->log, number, about);
	if (d < 0)
		return;
	const struct record *r = log_at(&s->log, d);
	buf_printf(about, ", %s", r->flag < FRAY_COUNT(by) ? by[r->flag] : "as declared");
	if (s->place && (r->flag == BY_SCRIPT || r->flag == BY_POLICY))
		s->place(s->context, r->span, &place);
	if (place.length)
		buf_printf(about, " (%s)", buf_text(&place));
	for (int32_t i = log_child(&s->log, number); i >= 0; i = log_sibling(&s->log, i)) {
		if (log_at(&s->log, i)->kind != REC_RECAST || log_at(&s->log, i)->dropped)
			continue;
		struct buf told = {0};
		log_sentence(&s->log, i, &told);
		buf_printf(about, "; a rule changed it, %s", buf_text(&told));
		buf_free(&told);
		if (out)
			answer_rule_of(s->p, out, log_at(&s->log, i)->clause);
	}
	buf_free(&place);
}

static bool is_act(const struct log *l, int32_t number)
{
	return is_root(l, number) && l->p->event[log_at(l, number)->what].action;
}

/* Several acts of one moment had a hand in it: each of them, and what it came to together. False: it was one. */
static bool changed_by_several(const struct log *l, int32_t last, struct buf *about)
{
	const struct record to = *log_at(l, last);
	const struct field_info *f = &l->p->field[to.what];
	struct buf sum = {0};
	int n = 0;
	for (int32_t i = last; i >= 0 && trace_look(l->t, i)->group == to.group && trace_look(l->t, i)->round == to.round; i--)
		n += log_at(l, i)->kind == REC_CHANGE && !log_at(l, i)->dropped && log_at(l, i)->flag == to.flag && log_at(l, i)->what == to.what && log_at(l, i)->owner == to.owner;
	if (n < 2)
		return false;
	int told = 0;
	int32_t first = last;
	while (first > 0 && trace_look(l->t, first - 1)->group == to.group && trace_look(l->t, first - 1)->round == to.round)
		first--;
	for (int32_t i = first; i <= last; i++) {
		const struct record r = *log_at(l, i);
		const word *old = trace_values_at(l->t, &r);
		if (r.kind != REC_CHANGE || r.dropped || r.flag != to.flag || r.what != to.what || r.owner != to.owner || !old)
			continue;
		const word by = r.value - *old, size = by < 0 ? -by : by;
		const int32_t cause = doing_around(l, i, r.owner);
		if (told == 0)
			program_value(l->p, f->type, old, &sum);
		buf_puts(&sum, by < 0 ? " - " : " + ");
		program_value(l->p, f->type, &size, &sum);
		if (cause >= 0) {
			buf_puts(about, told == 0 ? " " : ", ");
			happened(l, cause, about);
		}
		told++;
	}
	buf_printf(about, ", and %s = ", buf_text(&sum));
	program_value(l->p, f->type, &to.value, about);
	buf_printf(about, " %s", f->name);
	buf_free(&sum);
	return true;
}

/* "orc #1 died in segment 4 of round 1: Bruna hit orc #1 for 5 damage, and 5 - 5 = 0 hit points" */
static void condition_said(const struct log *l, int32_t number, int32_t from, int32_t clause, struct buf *about, struct answer *out)
{
	const int32_t change = change_of(l, from, clause), cause = doing_around(l, from, log_actor(l, log_at(l, from)));
	past(l, number, MOOD_DID, about);
	in_when(l, number, about);
	buf_puts(about, ":");
	if (cause < 0 && change >= 0 && changed_number(l, change) && changed_by_several(l, change, about)) {
		if (out)
			answer_rule_of(l->p, out, clause);
		return;
	}
	if (cause >= 0) {
		buf_putc(about, ' ');
		happened(l, cause, about);
	}
	if (change >= 0 && changed_number(l, change)) {
		buf_puts(about, cause >= 0 ? ", and " : " ");
		changed(l, change, about);
	}
	if (!out)
		return;
	const int32_t test = cause >= 0 ? decided_by(l, cause) : -1, amount = change >= 0 ? log_at(l, change)->parent : -1;
	if (test >= 0)
		compared_figures(l, test, out);
	if (amount >= 0 && log_at(l, amount)->kind == REC_EVENT)
		amount_figures(l, amount, out);
	answer_rule_of(l->p, out, clause);
}

/* Somebody else's doing around it: the blow, where somebody saves against what it brings; -1. */
static int32_t other_doing(const struct log *l, int32_t number)
{
	const struct record *r = log_at(l, number);
	const char *text = r->text >= 0 ? trace_text_at(l->t, r->text) : "";
	const int32_t cause = doing_around(l, number, r->kind == REC_EVENT ? log_actor(l, r) : NONE);
	if (cause < 0)
		return -1;
	const word actor = log_actor(l, log_at(l, cause));
	const char *name = actor == NONE ? "" : l->p->live[KIND_COMBATANT][actor].name;
	size_t subject, verb;
	/* only what is told of the one it befell */
	return *name && english_split(l->p, text, &subject, &verb) && strncmp(text, name, strlen(name)) ? cause : -1;
}

/* "Bruna hit orc #1 for 5 damage in segment 4 of round 1: 17 reaches the 11 needed" */
static void comparison_said(const struct inquiry *s, int32_t number, int32_t test, struct buf *about, struct answer *out)
{
	const struct log *l = &s->log;
	struct sum compared;
	past(l, number, MOOD_DID, about);
	amount_add(l, number, about);
	in_when(l, number, about);
	buf_puts(about, ": ");
	const int32_t cause = other_doing(l, number);
	if (cause >= 0) {
		happened(l, cause, about);
		buf_puts(about, ", and ");
	}
	sum_read(l, test, &compared);
	sum_compared(l, &compared, about);
	if (!out)
		return;
	compared_figures(l, test, out);
	amounts_below(l, number, out);
	rule_around(s, number, out);
}

/* What left an act pending that is due by itself: "Halvaine began casting web"; -1. */
static int32_t begun_by(const struct log *l, int32_t number)
{
	const struct record *e = log_at(l, number);
	const int32_t pend = is_root(l, number) && e->value > 0 && e->value < number ? (int32_t)e->value : -1;
	if (pend < 0 || log_at(l, pend)->kind != REC_PEND)
		return -1;
	int32_t i = log_at(l, pend)->parent;
	for (int up = 0; i >= 0 && up < UP_MOST && !is_told(l, i); up++)
		i = log_at(l, i)->parent;
	return i >= 0 && is_told(l, i) ? i : -1;
}

static void other_said(const struct inquiry *s, int32_t number, struct buf *about, struct answer *out)
{
	const struct log *l = &s->log;
	int32_t cause = doing_around(l, number, log_actor(l, log_at(l, number)));
	const bool done = cause >= 0;
	if (!done)
		cause = log_at(l, number)->parent;
	while (!done && cause >= 0 && !is_told(l, cause))
		cause = log_at(l, cause)->parent;
	past(l, number, MOOD_DID, about);
	amount_add(l, number, about);
	in_when(l, number, about);
	if (cause >= 0) {
		buf_puts(about, ": ");
		happened(l, cause, about);
	} else if (begun_by(l, number) >= 0) {
		buf_puts(about, ": ");
		happened(l, begun_by(l, number), about);
		in_when(l, begun_by(l, number), about);
	}
	if (!out)
		return;
	const int32_t test = done ? decided_by(l, cause) : -1;
	if (test >= 0) {
		compared_figures(l, test, out);
		amounts_below(l, cause, out);
	}
	for (int32_t i = log_at(l, number)->parent, before = number, up = 0; i >= 0 && up < 3 && test < 0; before = i, i = log_at(l, i)->parent, up++) {
		for (int32_t k = log_child(l, i); k >= 0 && k < before; k = log_sibling(l, k))
			if (log_at(l, k)->kind == REC_ROLL && !log_at(l, k)->dropped)
				roll_figure(l, k, out);
		if (is_told(l, i))
			break;
	}
	if (log_at(l, number)->kind == REC_EVENT)
		amount_figures(l, number, out);
	rule_around(s, number, out);
}

/* Why record `number` came, without a full stop; figures and rules into `out`, which may be NULL. */
static void say(const struct inquiry *s, int32_t number, struct buf *about, struct answer *out)
{
	const struct log *l = &s->log;
	int32_t from, clause, test;
	if (is_act(l, number))
		act_said(s, number, about, out);
	else if ((clause = whenever_of(l, number, &from)) >= 0)
		condition_said(l, number, from, clause, about, out);
	else if ((test = decided_by(l, number)) >= 0)
		comparison_said(s, number, test, about, out);
	else
		other_said(s, number, about, out);
}

/* ---- which ---- */

static bool in_time(const struct log *l, const struct question *q, int32_t number)
{
	const struct record *r = log_at(l, number);
	int64_t column;
	if (q->round && r->round != q->round)
		return false;
	return q->moment == INT64_MIN || (r->time != NONE && program_column(l->p, r->time, log_start(l, number), &column) && column == q->moment);
}

/* Is it told so: "orc chief falls asleep", asked as "falls asleep" of him? */
static bool told_so(const struct log *l, const struct question *q, int32_t number, word who)
{
	const struct record *r = log_at(l, number);
	if ((r->kind != REC_NOTE && r->kind != REC_EVENT) || r->dropped || r->text < 0)
		return false;
	const char *text = trace_text_at(l->t, r->text);
	size_t subject, verb, n = strlen(q->told_rest);
	if (!english_split(l->p, text, &subject, &verb))
		return false;
	struct buf base = {0};
	english_verb(text + subject + 1, verb - subject - 1, TENSE_BASE, &base);
	bool same = !strcmp(buf_text(&base), q->told_verb);
	buf_free(&base);
	const char *rest = text + verb + (text[verb] == ' ');
	same = same && !strncmp(rest, q->told_rest, n) && !(rest[n] && rest[n] != ' ' && rest[n] != ',');
	if (!same || who == NONE)
		return same;
	const char *name = l->p->live[KIND_COMBATANT][who].name;
	return !strncmp(text, name, strlen(name)) && (text[strlen(name)] == ' ' || text[strlen(name)] == '\'');
}

/* With the things that were named: "casts web". */
static bool about_things(const struct log *l, const struct question *q, int32_t number)
{
	for (int i = 0; i < q->thing.n; i++) {
		const struct record *r = log_at(l, number);
		bool found = false;
		for (int k = 0; r->kind == REC_EVENT && k < l->p->event[r->what].roles && !found; k++) {
			const word *v = l->p->event[r->what].role[k].type.base == VT_THING ? log_role(l, r, k) : NULL;
			found = v && *v == q->thing.v[i];
		}
		if (!found)
			return false;
	}
	return true;
}

static bool matches(const struct log *l, const struct question *q, int32_t number, word who)
{
	const struct record *r = trace_look(l->t, number);
	if (r->kind != REC_EVENT && r->kind != REC_NOTE)
		return false;
	if (q->told_text)
		return !r->dropped && r->text >= 0 && !strcmp(trace_text_at(l->t, r->text), q->told_text) && in_time(l, q, number);
	if (q->told_verb)
		return told_so(l, q, number, who) && in_time(l, q, number);
	if (!about_things(l, q, number))
		return false;
	bool found = q->whom.n == 0 && explain_is(l->p, l->t, number, q->event, who, NONE);
	for (int i = 0; i < q->whom.n && !found; i++)
		found = explain_is(l->p, l->t, number, q->event, who, q->whom.v[i]);
	return found && in_time(l, q, number);
}

/* The last that answers the question for one of those asked about; *n: how many do. */
static int32_t last_of(const struct inquiry *s, const struct question *q, word who, int *n)
{
	int32_t found = -1;
	for (int32_t i = s->end - 1; i >= 0; i--)
		if (matches(&s->log, q, i, who)) {
			found = found < 0 ? i : found;
			++*n;
		}
	return found;
}

/* Others answer the question as well: how they are asked for. */
static void others(const struct inquiry *s, const struct question *q, int32_t number, word who, int n, struct answer *out)
{
	struct buf rounds = {0};
	int here = 0, shown = 0, last = -1;
	const int now = log_at(&s->log, number)->round;
	for (int32_t i = 0; i < number; i++) {
		if (!matches(&s->log, q, i, who))
			continue;
		const int round = log_at(&s->log, i)->round;
		here += round == now;
		if (round == now || round == last || round == 0 || shown >= 6)
			continue;
		buf_printf(&rounds, "%s\"in round %d\"", shown ? ", " : "", round);
		last = round;
		shown++;
	}
	if (here)
		answer_figure(out, number, -1, "this was the last of %d in round %d", here + 1, now);
	if (shown)
		answer_figure(out, number, -1, "%d before that: ask with %s", n - 1 - here, buf_text(&rounds));
	buf_free(&rounds);
}

static void turn_it(const struct log *l, int32_t number, struct answer *out)
{
	const struct record *r = log_at(l, number);
	struct vtype type;
	const word *target;
	if (r->kind != REC_EVENT)
		return;
	out->turn = (struct turn){.sort = TURN_EVENT, .record = number, .event = r->what, .other_event = -1, .who = log_actor(l, r), .whom = NONE, .other = NONE};
	if (log_target(l, r, &type, &target) && type.base == VT_LIVE && type.kind == KIND_COMBATANT)
		out->turn.whom = *target;
}

static void end_sentence(const struct program *p, struct buf *b)
{
	answer_capital(p, b, 0);
	if (b->length && b->data[b->length - 1] != '.')
		buf_putc(b, '.');
}

/* "Each roll decided: 5, 2 and 9 did not reach what was needed." */
static void rolls_said(const struct inquiry *s, const struct question *q, const int32_t *record, const word *who, int n, struct buf *about)
{
	struct buf totals = {0};
	struct sum first = {0};
	bool same = true;
	for (int i = 0; i < n && same; i++) {
		struct sum x;
		int32_t from;
		const int32_t test = whenever_of(&s->log, record[i], &from) < 0 && !is_act(&s->log, record[i]) ? decided_by(&s->log, record[i]) : -1;
		same = test >= 0 && sum_read(&s->log, test, &x);
		if (!same)
			break;
		if (i == 0)
			first = x;
		same = !strcmp(first.how, x.how) && first.holds == x.holds;
		buf_puts(&totals, i == 0 ? "" : i == n - 1 ? " and " : ", ");
		program_value(s->p, x.left.type, &x.left.total, &totals);
	}
	answer_people(s->p, who, n, about);
	if (same && !strcmp(first.how, ">="))
		buf_printf(about, ": their rolls came to %s, and %s what was needed.", buf_text(&totals), first.holds ? "each reached" : "none reached");
	else
		buf_printf(about, n == q->who.n ? ": each for a reason of its own." : " (%d of %d): each for a reason of its own.", n, q->who.n);
	buf_free(&totals);
}

static bool several(const struct inquiry *s, const struct question *q, struct answer *out)
{
	word did[SEVERAL_MOST];
	int32_t record[SEVERAL_MOST];
	int n = 0;
	for (int i = 0; i < q->who.n && n < SEVERAL_MOST; i++) {
		int count = 0;
		int32_t r = last_of(s, q, q->who.v[i], &count);
		if (r < 0)
			continue;
		record[n] = r;
		did[n++] = q->who.v[i];
	}
	if (n == 0)
		return false;
	if (n == 1) {
		say(s, record[0], &out->about, out);
		end_sentence(s->p, &out->about);
		turn_it(&s->log, record[0], out);
		return true;
	}
	rolls_said(s, q, record, did, n, &out->about);
	for (int i = 0; i < n; i++) {
		struct buf one = {0};
		say(s, record[i], &one, NULL);
		answer_figure(out, record[i], -1, "%s", buf_text(&one));
		buf_free(&one);
	}
	return true;
}

/* ---- a premise that is not so ---- */

/* Between them, decided by the same comparison: a miss, where a hit is asked for. */
static int32_t instead_of(const struct inquiry *s, const struct question *q, word who)
{
	const struct log *l = &s->log;
	if (q->event < 0 || l->p->event[q->event].action)
		return -1;
	for (int32_t i = s->end - 1; i >= 0; i--) {
		const struct record *r = trace_look(l->t, i);
		if (r->kind != REC_EVENT || r->dropped || r->text < 0 || r->what == q->event || l->p->event[r->what].action || l->p->event[r->what].roles != l->p->event[q->event].roles)
			continue;
		bool so = q->whom.n == 0 && explain_is(l->p, l->t, i, r->what, who, NONE);
		for (int k = 0; k < q->whom.n && !so; k++)
			so = explain_is(l->p, l->t, i, trace_look(l->t, i)->what, who, q->whom.v[k]);
		if (so && in_time(l, q, i) && decided_by(l, i) >= 0)
			return i;
	}
	return -1;
}

static void did_not(const struct inquiry *s, const struct question *q, struct buf *out)
{
	const struct program *p = s->p;
	struct buf told = {0};
	if (q->who.n)
		answer_people(p, q->who.v, q->who.n, out);
	else
		buf_puts(out, "nobody");
	if (q->told_verb && !strcmp(q->told_verb, "be"))
		buf_printf(out, q->who.n == 1 ? " was not %s" : " were not %s", q->told_rest);
	else if (q->told_verb)
		buf_printf(out, q->who.n ? " did not %s%s%s" : " did %s%s%s", q->told_verb, *q->told_rest ? " " : "", q->told_rest);
	else
		buf_printf(out, q->who.n ? " did not %s" : " did %s", q->event < 0 ? "act" : !strcmp(p->event[q->event].name, "death") ? "die" : p->event[q->event].name);
	for (int i = 0; i < q->thing.n; i++)
		buf_printf(out, " %s", p->thing[q->thing.v[i]].name);
	if (q->whom.n) {
		buf_puts(out, q->thing.n ? " at " : " ");
		answer_people(p, q->whom.v, q->whom.n, out);
	}
	if (q->round)
		buf_printf(out, " in round %d", q->round);
	buf_free(&told);
}

/* "; it has 4 hit points": what a condition that brings the event about looks at, as it is now. */
static void as_it_stands(const struct inquiry *s, const struct question *q, struct buf *out)
{
	const struct program *p = s->p;
	struct buf call = {0};
	if (q->event < 0 || q->who.n != 1 || p->event[q->event].action)
		return;
	buf_printf(&call, "{ %s (", p->event[q->event].name);
	for (int k = 0; k < p->whenevers && k < 63; k++) {
		const int32_t c = p->whenever[k].clause;
		if (c < 0 || !p->clause[c].text || !strstr(p->clause[c].text, buf_text(&call)))
			continue;
		for (int i = 0; i < p->fields; i++) {
			const struct field_info *f = &p->field[i];
			if (f->hidden || f->option || f->kind != KIND_COMBATANT || !(f->touches >> k & 1) || f->type.base != VT_NUMBER || f->type.frac)
				continue;
			const word value = s->world[f->base + (uint32_t)q->who.v[0] * f->stride];
			if (value == NONE)
				continue;
			buf_printf(out, ": its %s are ", f->name);
			program_value(p, f->type, &value, out);
			buf_free(&call);
			return;
		}
	}
	buf_free(&call);
}

static bool not_so(const struct inquiry *s, const struct question *q, struct answer *out)
{
	const word who = q->who.n ? q->who.v[0] : NONE;
	const int32_t other = instead_of(s, q, who);
	did_not(s, q, &out->about);
	if (other >= 0) {
		buf_puts(&out->about, ": ");
		say(s, other, &out->about, out);
	} else {
		/* what he did to somebody else, or somebody else to that one */
		struct question near = *q;
		int n = 0;
		near.round = 0;
		near.moment = INT64_MIN;
		int32_t r = q->round ? last_of(s, &near, who, &n) : -1;
		near.whom.n = 0;
		if (r < 0 && q->whom.n)
			r = last_of(s, &near, who, &n);
		near.whom = q->whom;
		near.thing.n = r < 0 && q->thing.n && !q->whom.n ? 0 : q->thing.n;
		if (r < 0 && near.thing.n != q->thing.n)
			r = last_of(s, &near, who, &n);
		near.thing.n = q->thing.n;
		if (r < 0 && q->who.n && q->event >= 0 && s->p->event[q->event].action)
			r = last_of(s, &near, NONE, &n);
		/* it fell, if it did not die */
		if (r < 0 && q->who.n == 1 && (q->told_verb || (q->event >= 0 && !s->p->event[q->event].action)))
			r = explain_came_over(s->p, s->t, who);
		if (r >= 0) {
			buf_puts(&out->about, ": ");
			say(s, r, &out->about, out);
		} else {
			as_it_stands(s, q, &out->about);
		}
	}
	end_sentence(s->p, &out->about);
	return true;
}

void answer_below(const struct log *l, int32_t record, struct answer *out)
{
	const int32_t clause = log_at(l, record)->kind == REC_EVENT ? log_at(l, record)->clause : -1;
	if (clause >= 0 && clause < l->p->clauses && strcmp(l->p->clause[clause].module, "core"))
		answer_rule_of(l->p, out, clause);
	for (int32_t i = log_child(l, record); i >= 0; i = log_sibling(l, i)) {
		struct sum s;
		const struct record *r = log_at(l, i);
		if (r->dropped)
			continue;
		if (r->kind == REC_SUM && sum_read(l, i, &s) && s.compares && sum_has_die(l, &s) && !sum_is_trivial(&s))
			sum_figures(l, &s, "", out);
		if (r->kind == REC_EVENT && r->act == log_at(l, record)->act) {
			amount_figures(l, i, out);
			answer_below(l, i, out);
		}
	}
}

int32_t answer_event_found(const struct inquiry *s, const struct question *q)
{
	int n = 0;
	return q->who.n > 1 ? -1 : last_of(s, q, q->who.n ? q->who.v[0] : NONE, &n);
}

bool answer_event(const struct inquiry *s, const struct question *q, struct answer *out)
{
	if (q->who.n > 1)
		return several(s, q, out) || not_so(s, q, out);
	const word who = q->who.n ? q->who.v[0] : NONE;
	int n = 0;
	int32_t r = *q->text ? last_of(s, q, who, &n) : q->record;
	if (r < 0 && !*q->text)
		return false;
	if (r < 0)
		return not_so(s, q, out);
	say(s, r, &out->about, out);
	end_sentence(s->p, &out->about);
	if (n > 1)
		others(s, q, r, who, n, out);
	turn_it(&s->log, r, out);
	return true;
}
