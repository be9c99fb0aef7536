/* answer_event.c - why an event came: which record answers the question, one or one for each who is asked about. */
#include <string.h>

#include "runtime/explain/event.h"
#include "runtime/explain/explain.h"
#include "runtime/explain/sum.h"

enum { NEAR = 2000 }; /* records that an act is looked for in */

enum { SEVERAL_MOST = 12 };

/* ---- which ---- */

bool event_in_time(const struct log *l, const struct question *q, int32_t number)
{
	const struct record *r = log_at(l, number);
	if ((q->round && r->round != q->round) || (q->before_rounds && r->round != 0))
		return false;
	if ((q->from && r->round < q->from) || (q->to && r->round > q->to))
		return false;
	return event_at_moment(l, q, number);
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

bool event_about_things(const struct log *l, const struct question *q, int32_t number)
{
	for (int i = 0; i < q->thing.n; i++) {
		const struct record *r = log_at(l, number);
		bool found = false;
		for (int k = 0;
			 r->what >= 0 && r->what < l->p->events && k < l->p->event[r->what].roles && !found;
			 k++) {
			const word *v = l->p->event[r->what].role[k].type.base == VT_THING ? log_role(l, r, k) : NULL;
			found = v && *v == q->thing.v[i];
		}
		if (!found)
			return false;
	}
	return true;
}

/* Is a record about a thing of the kind that is asked about: a spell, a weapon? */
static bool has_such(const struct log *l, const struct question *q, int32_t number)
{
	const struct record r = *log_at(l, number);
	for (int k = 0; r.what >= 0 && r.what < l->p->events && k < l->p->event[r.what].roles; k++) {
		const word *v = l->p->event[r.what].role[k].type.base == VT_THING
			? log_role(l, log_at(l, number), k)
			: NULL;
		if (v && *v != NONE && l->p->thing[*v].kind == l->p->thing[q->thing.v[0]].kind)
			return true;
	}
	return false;
}

/* What was told names all the things that the question does, or its act was about them: of "spell is spoiled", which spell. */
static bool of_things(const struct log *l, const struct question *q, int32_t number)
{
	const struct record *r = log_at(l, number);
	const char *text = trace_text_at(l->t, r->text);
	bool named = true;
	for (int i = 0; i < q->thing.n && named; i++)
		named = strstr(text, l->p->thing[q->thing.v[i]].name) != NULL;
	if (named || event_about_things(l, q, number))
		return true;
	/* it may have come in an act of somebody else's: what its own actor was about then */
	const word who = log_actor(l, r);
	for (int32_t i = trace_back(l->t, number, 1u << REC_DECLARE); i >= 0; i = trace_back(l->t, i - 1, 1u << REC_DECLARE))
		if (!log_at(l, i)->dropped && log_actor(l, log_at(l, i)) == who && has_such(l, q, i))
			return event_about_things(l, q, i);
	return false;
}

/* The act of its actor's that an event came of; -1: it came of another's, or of none. */
static int32_t own_act(const struct log *l, int32_t number)
{
	const word who = log_actor(l, log_at(l, number));
	for (int32_t i = log_at(l, number)->parent; i >= 0; i = log_at(l, i)->parent)
		if (log_at(l, i)->kind == REC_EVENT && l->p->event[log_at(l, i)->what].action &&
			log_actor(l, log_at(l, i)) == who)
			return i;
	return -1;
}

/* Did a blow of theirs that is not void come of an act, without a deed of the kind `but` around it,
 * which is found by itself: a charge that ends in an attack? */
static bool has_blow(const struct log *l, int32_t act, word who, int32_t blow, int32_t but)
{
	for (int32_t i = log_child(l, act); i >= 0; i = log_sibling(l, i)) {
		const struct record *r = log_at(l, i);
		if (r->kind != REC_EVENT || r->dropped || r->flag == EVENT_VOIDED ||
			r->flag == EVENT_REPLACED || r->what == but)
			continue;
		if ((r->what == blow && log_actor(l, r) == who) ||
			has_blow(l, i, who, blow, but))
			return true;
	}
	return false;
}

/* Another act that comes to what is asked about: a charge, where an attack is; or the blow itself
 * where it came of no act of theirs, as one at the back of who flees. */
static bool comes_to(
	const struct log *l, const struct question *q, int32_t number, word who, word whom)
{
	const struct record *r = trace_look(l->t, number);
	const int32_t what = r->what;
	if (q->blow < 0 || r->kind != REC_EVENT || what == q->event || r->flag == EVENT_REPLACED)
		return false;
	if (what == q->blow)
		return q->kind != ASK_NOT && own_act(l, number) < 0 &&
			explain_is(l->p, l->t, number, what, who, whom);
	return l->p->event[what].action && !l->p->event[what].idle &&
		explain_is(l->p, l->t, number, -1, who, whom) &&
		has_blow(l, number, log_actor(l, log_at(l, number)), q->blow, q->event);
}

static bool is_it(
	const struct log *l, const struct question *q, int32_t number, word who, word whom)
{
	return explain_is(l->p, l->t, number, q->event, who, whom) ||
		comes_to(l, q, number, who, whom);
}

/* Did something that was told befall somebody within an act that another was the target of: all the
 * skeletons, where one of them was turned? */
static bool reached(const struct log *l, const struct question *q, int32_t number, word who)
{
	const struct record act = *trace_look(l->t, number);
	if (act.kind != REC_EVENT || act.what != q->event || !l->p->event[act.what].action ||
		act.flag != EVENT_DONE || !explain_is(l->p, l->t, number, act.what, who, NONE))
		return false;
	for (int32_t i = number + 1; i < l->n && i < number + NEAR; i++) {
		const struct record r = *trace_look(l->t, i);
		if (r.kind != REC_EVENT || r.dropped || r.text < 0 || r.flag != EVENT_DONE ||
			event_people(&l->p->event[r.what]) != 1)
			continue;
		bool whom = false, below = false;
		for (int k = 0; k < q->whom.n && !whom; k++)
			whom = log_actor(l, log_at(l, i)) == q->whom.v[k];
		for (int32_t k = r.parent; whom && k >= number && !below; k = log_at(l, k)->parent)
			below = k == number;
		if (below)
			return true;
	}
	return false;
}

/* What an act consists of was replaced, because nobody was named, and nothing was done to
 * anybody. */
static bool came_to_nobody(const struct log *l, int32_t number)
{
	bool replaced = false;
	for (int32_t i = number + 1; i < l->n && i < number + NEAR; i++) {
		const struct record r = *trace_look(l->t, i);
		struct vtype type;
		const word *target;
		if (r.kind != REC_EVENT || r.dropped || !log_is_below(l, i, number) ||
			event_people(&l->p->event[r.what]) < 2)
			continue;
		if (log_target(l, log_at(l, i), &type, &target))
			return false;
		replaced |= r.flag == EVENT_REPLACED;
	}
	return replaced;
}

bool event_left_open(const struct log *l, int32_t number)
{
	const struct record r = *log_at(l, number);
	struct vtype type;
	const word *target;
	return r.kind == REC_EVENT && (r.flag == EVENT_REPLACED || r.flag == EVENT_DONE) &&
		l->p->event[r.what].action && event_people(&l->p->event[r.what]) > 1 &&
		!log_target(l, log_at(l, number), &type, &target) &&
		(r.flag == EVENT_REPLACED || came_to_nobody(l, number));
}

/* Was somebody found whom such an act could be done to? */
static bool found_somebody(const struct log *l, int32_t number)
{
	const int32_t what = log_at(l, number)->what;
	for (int32_t i = log_child(l, number); i >= 0; i = log_sibling(l, i))
		if (log_at(l, i)->kind == REC_EVENT && !log_at(l, i)->dropped &&
			log_at(l, i)->what == what)
			return true;
	return false;
}

bool event_found_nobody(const struct log *l, int32_t number)
{
	return event_left_open(l, number) && !found_somebody(l, number);
}

static bool matches(const struct log *l, const struct question *q, int32_t number, word who)
{
	const struct record *r = trace_look(l->t, number);
	if (r->kind != REC_EVENT && r->kind != REC_NOTE)
		return false;
	if (event_left_open(l, number) &&
		(q->event >= 0 || !found_somebody(l, number)))
		return false;
	r = trace_look(l->t, number);
	if (q->told_text)
		return !r->dropped && r->text >= 0 && !strcmp(trace_text_at(l->t, r->text), q->told_text) && event_in_time(l, q, number) &&
			of_things(l, q, number);
	if (q->told_verb)
		return told_so(l, q, number, who) && event_in_time(l, q, number);
	if (!event_about_things(l, q, number))
		return false;
	bool found = q->whom.n == 0 && is_it(l, q, number, who, NONE);
	for (int i = 0; i < q->whom.n && !found; i++)
		found = is_it(l, q, number, who, q->whom.v[i]);
	found = found || (q->whom.n && q->event >= 0 && reached(l, q, number, who));
	return found && event_in_time(l, q, number);
}

bool event_answers(const struct inquiry *s, const struct question *q, int32_t number, word who)
{
	return matches(&s->log, q, number, who);
}

/* Has an event that number, is it told for so much, or was it that of the die that decided it? */
static bool has_figure(const struct inquiry *q, int32_t number, int figure)
{
	const struct log *l = &q->log;
	const struct record r = *log_at(l, number);
	struct buf said = {0}, much = {0};
	event_say(q, number, &said, NULL);
	buf_printf(&much, " for %d ", figure);
	const bool told = strstr(buf_text(&said), buf_text(&much)) != NULL;
	buf_free(&said);
	buf_free(&much);
	if (told)
		return true;
	const struct event_info *e = &l->p->event[r.what];
	for (int k = 0; k < e->roles; k++) {
		const struct vtype t = e->role[k].type;
		const word *v = vtype_is_number(t) && !t.frac ? log_role(l, log_at(l, number), k)
							      : NULL;
		if (v && *v == figure)
			return true;
	}
	struct sum s;
	const int32_t test = event_decided(l, number);
	if (test < 0 || !sum_read(l, test, &s))
		return false;
	for (int i = 0; i < s.left.n; i++)
		if (s.left.part[i].value == figure && sum_roll(l, test, &s.left.part[i]) >= 0)
			return true;
	return s.left.total == figure;
}

/* It answers the question, with the number that was asked about. */
static bool answers(const struct inquiry *s, const struct question *q, int32_t number, word who)
{
	return matches(&s->log, q, number, who) && (!q->figure || has_figure(s, number, q->figure));
}

static bool waits(const struct log *l, int32_t number)
{
	const struct record *r = trace_look(l->t, number);
	return r->kind == REC_EVENT && l->p->event[r->what].idle;
}

/* The last that answers the question for one of those asked about; *n: how many do. Who waits at
 * last has acted before that in the same round. */
int32_t event_last(const struct inquiry *s, const struct question *q, word who, int *n)
{
	const struct log *l = &s->log;
	int32_t found = -1;
	for (int32_t i = s->end - 1; i >= 0; i--)
		if (answers(s, q, i, who)) {
			const bool acted = found >= 0 && q->event < 0 && waits(l, found) &&
				!waits(l, i) &&
				trace_look(l->t, found)->round == trace_look(l->t, i)->round;
			found = found < 0 || acted ? i : found;
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
		if (!answers(s, q, i, who))
			continue;
		const int round = log_at(&s->log, i)->round;
		here += round == now;
		if (round == now || round == last || round == 0 || shown >= 6)
			continue;
		buf_printf(&rounds, "%s\"in round %d\"", shown ? ", " : "", round);
		last = round;
		shown++;
	}
	if (here && now > 0)
		answer_figure(out, number, -1, "this was the last of %d in round %d", here + 1, now);
	else if (here)
		answer_figure(out, number, -1, "this was the last of %d before the first round",
			here + 1);
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

void event_stop(const struct program *p, struct buf *b)
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
		const int32_t test = event_whenever(&s->log, record[i], &from) < 0 && !event_is_act(&s->log, record[i]) ? event_decided(&s->log, record[i]) : -1;
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
		buf_printf(
			about, n == q->who.n ? ", one by one:" : " (%d of %d), one by one:", n, q->who.n);
	buf_free(&totals);
}

static bool several(const struct inquiry *s, const struct question *q, struct answer *out)
{
	word did[SEVERAL_MOST];
	int32_t record[SEVERAL_MOST];
	int n = 0;
	for (int i = 0; i < q->who.n && n < SEVERAL_MOST; i++) {
		int count = 0;
		int32_t r = event_last(s, q, q->who.v[i], &count);
		if (r < 0)
			continue;
		record[n] = r;
		did[n++] = q->who.v[i];
	}
	if (n == 0)
		return false;
	if (n == 1) {
		event_say(s, record[0], &out->about, out);
		event_stop(s->p, &out->about);
		turn_it(&s->log, record[0], out);
		return true;
	}
	rolls_said(s, q, record, did, n, &out->about);
	for (int i = 0; i < n; i++) {
		struct buf one = {0};
		event_say(s, record[i], &one, NULL);
		answer_figure(out, record[i], -1, "%s", buf_text(&one));
		buf_free(&one);
	}
	return true;
}

int32_t answer_event_found(const struct inquiry *s, const struct question *q)
{
	int n = 0;
	return q->who.n > 1 ? -1 : event_last(s, q, q->who.n ? q->who.v[0] : NONE, &n);
}

/* What had come over somebody before they died without a die: paralysed, and so helpless. */
static void before_that(const struct inquiry *s, int32_t number, word who, struct answer *out)
{
	const struct record e = *log_at(&s->log, number);
	const char *name = s->p->live[KIND_COMBATANT][who].name;
	const size_t n = strlen(name);
	size_t subject, verb;
	if (e.kind != REC_EVENT || event_is_root(&s->log, number) ||
		event_people(&s->p->event[e.what]) != 1 || log_actor(&s->log, &e) != who)
		return;
	for (int32_t i = trace_back(s->t, number - 1, 1u << REC_EVENT); i >= 0;
		 i = trace_back(s->t, i - 1, 1u << REC_EVENT)) {
		const struct record r = *trace_look(s->t, i);
		if (r.dropped || r.text < 0 || r.flag != EVENT_DONE || r.what == e.what ||
			s->p->event[r.what].action || event_people(&s->p->event[r.what]) != 1 ||
			log_actor(&s->log, log_at(&s->log, i)) != who)
			continue;
		const char *text = trace_text_at(s->t, r.text);
		if (strncmp(text, name, n) != 0 || text[n] != ' ' ||
			!english_split(s->p, text, &subject, &verb))
			continue;
		struct buf one = {0};
		struct answer figures;
		memset(&figures, 0, sizeof figures);
		event_say(s, i, &one, &figures);
		answer_figure(out, i, -1, "%s", buf_text(&one));
		answer_figures_from(out, &figures);
		answer_rules_from(s->p, out, &figures);
		answer_free(&figures);
		buf_free(&one);
		return;
	}
}

bool answer_event(const struct inquiry *s, const struct question *q, struct answer *out)
{
	if (q->who.n > 1)
		return several(s, q, out) || event_not_so(s, q, out);
	const word who = q->who.n ? q->who.v[0] : NONE;
	int n = 0;
	int32_t r = *q->text ? event_last(s, q, who, &n) : q->record;
	if (r < 0 && !*q->text)
		return false;
	if (r < 0)
		return event_not_so(s, q, out);
	event_say(s, r, &out->about, out);
	event_stop(s->p, &out->about);
	if (who != NONE && out->figure.n == 0 && !strstr(buf_text(&out->about), " = "))
		before_that(s, r, who, out);
	if (n > 1)
		others(s, q, r, who, n, out);
	turn_it(&s->log, r, out);
	return true;
}
