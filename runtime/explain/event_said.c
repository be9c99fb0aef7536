/* event_said.c - one event told: its cause in a sentence, its figures, its rules. See event.h. */
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"
#include "runtime/explain/placing.h"
#include "runtime/explain/sum.h"

enum { CARRIED_MOST = 16, DICE_MOST = 24 };

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
bool event_amount(const struct log *l, int32_t number, struct answer *out)
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
		sum_figures(l, &s, r->text >= 0 ? e->name : e->role[k].name, out);
		return true;
	}
	return false;
}

static void amounts_below(const struct log *l, int32_t number, struct answer *out)
{
	for (int32_t i = log_child(l, number); i >= 0; i = log_sibling(l, i))
		if (log_at(l, i)->kind == REC_EVENT && !log_at(l, i)->dropped && event_is_told(l, i) && event_amount(l, i, out))
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
	const int32_t clause = event_clause(&s->log, number);
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

/* Whether a sum of a body has that die among its parts. */
static bool has_roll(const struct log *l, const struct sum *s, int32_t roll)
{
	for (int i = 0; i < s->left.n + s->right.n; i++) {
		const struct part *p = i < s->left.n ? &s->left.part[i] : &s->right.part[i - s->left.n];
		if (sum_roll(l, s->record, p) == roll)
			return true;
	}
	return false;
}

/* ", by Nub's morale roll: 80 is more than 55": the dice in an event that led to a record, and what
 * they were added to or compared with. */
static bool rolled_said(
	const struct inquiry *s, int32_t number, struct buf *about, struct answer *out)
{
	const struct log *l = &s->log;
	int32_t roll = -1, compared = -1;
	bool summed = false;
	struct sum x;
	const int32_t event = event_rolled(l, number, &roll);
	if (event < 0)
		return false;
	buf_puts(about, ", by ");
	ground_die_name(l, roll, about);
	for (int32_t i = log_child(l, event); i >= 0 && i < number; i = log_sibling(l, i)) {
		if (i < roll || log_at(l, i)->kind != REC_SUM || log_at(l, i)->dropped ||
			!sum_read(l, i, &x) || !has_roll(l, &x, roll) || sum_is_trivial(&x))
			continue;
		if (x.compares)
			compared = i;
		else if (out)
			sum_figures(l, &x, x.name, out);
		summed |= !x.compares;
	}
	buf_puts(about, ": ");
	if (compared >= 0 && sum_read(l, compared, &x))
		sum_compared(l, &x, about);
	else
		log_total(l, log_at(l, roll), about);
	if (!out)
		return true;
	if (compared >= 0 && !summed)
		compared_figures(l, compared, out);
	else if (!summed)
		roll_figure(l, roll, out);
	answer_rule_of(s->p, out, log_at(l, roll)->clause);
	return true;
}

/* ": Gik's morale: flees", ": Grak attacked Zel for 2 damage in segment 3": what made the value
 * that a rule went by. */
static bool prompted_said(
	const struct inquiry *s, int32_t number, bool by_others, struct buf *about, struct answer *out)
{
	const struct log *l = &s->log;
	const int32_t change = event_prompted(l, number);
	if (change < 0)
		return false;
	const word who = log_actor(l, log_at(l, number));
	const int32_t doing = event_doing(l, change, who);
	if (doing >= 0 && log_actor(l, log_at(l, doing)) != who) {
		const int32_t decided = event_decided(l, change);
		buf_puts(about, ": ");
		happened(l, doing, about);
		in_when(l, doing, about);
		if (out && decided >= 0)
			compared_figures(l, decided, out);
		if (out)
			amounts_below(l, doing, out);
		return true;
	}
	if (by_others)
		return false;
	int32_t told = log_at(l, change)->parent;
	while (told >= 0 && log_at(l, told)->kind == REC_EVENT && !event_is_told(l, told))
		told = log_at(l, told)->parent;
	if (told < 0 || !event_is_told(l, told) || log_actor(l, log_at(l, told)) != who)
		return rolled_said(s, change, about, out);
	/* the last time of the same is no reason */
	if (event_is_told(l, number) && !strcmp(trace_text_at(l->t, log_at(l, told)->text), trace_text_at(l->t, log_at(l, number)->text)))
		return false;
	buf_printf(about, ": %s", trace_text_at(l->t, log_at(l, told)->text));
	return true;
}

/* "Bruna attacked orc #1 in segment 4 of round 1, as declared (bridge.fray, line 41)" */
static void act_said(const struct inquiry *s, int32_t number, struct buf *about, struct answer *out)
{
	static const char *const by[] = {[BY_SCRIPT] = "as declared", [BY_POLICY] = "as the policy says", [BY_PROMPT] = "as the table chose", [BY_DEFAULT] = "by default: nothing else was declared"};
	const int32_t d = event_declared(&s->log, number);
	struct buf place = {0};
	past(&s->log, number, MOOD_DID, about);
	in_when(&s->log, number, about);
	if (d < 0) {
		const struct record *e = log_at(&s->log, number);
		if (!rolled_said(s, number, about, out))
			prompted_said(s, number, false, about, out);
		if (out && e->value > 0 && e->value < number)
			answer_rule_of(s->p, out, log_at(&s->log, (int32_t)e->value)->clause);
		return;
	}
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

/* Did another rule than the one before it change the same in the same act: "shaking blow", besides
 * the damage? */
static bool other_rule(const struct log *l, int32_t change)
{
	const struct record c = *log_at(l, change);
	for (int32_t i = change - 1; i >= 0 && c.clause >= 0; i--) {
		const struct record *r = log_at(l, i);
		if (r->act != c.act || r->round != c.round)
			return false;
		if (r->kind == REC_CHANGE && !r->dropped && r->flag == c.flag &&
			r->what == c.what && r->owner == c.owner)
			return r->clause != c.clause &&
				event_doing(l, i, c.owner) == event_doing(l, change, c.owner);
	}
	return false;
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
	int told = 0, causes = 0;
	int32_t first = last;
	while (first > 0 && trace_look(l->t, first - 1)->group == to.group && trace_look(l->t, first - 1)->round == to.round)
		first--;
	for (int32_t i = first; i <= last; i++) {
		const struct record r = *log_at(l, i);
		const word *old = trace_values_at(l->t, &r);
		if (r.kind != REC_CHANGE || r.dropped || r.flag != to.flag || r.what != to.what || r.owner != to.owner || !old)
			continue;
		const word by = r.value - *old, size = by < 0 ? -by : by;
		int32_t cause = event_doing(l, i, r.owner);
		cause = cause < 0 ? event_suffered(l, i) : cause;
		if (told == 0)
			program_value(l->p, f->type, old, &sum);
		buf_puts(&sum, by < 0 ? " - " : " + ");
		program_value(l->p, f->type, &size, &sum);
		if (cause >= 0 && !other_rule(l, i)) {
			buf_puts(about, causes++ == 0 ? " " : ", ");
			happened(l, cause, about);
		} else if (cause >= 0) { /* the blow is told already */
			buf_puts(about, causes++ == 0 ? " " : ", ");
			program_value(l->p, f->type, &size, about);
			buf_printf(about, " more by the rule \"%s\"", l->p->clause[r.clause].rule);
		}
		told++;
	}
	buf_printf(about, "%s%s = ", causes ? ", and " : " ", buf_text(&sum));
	program_value(l->p, f->type, &to.value, about);
	buf_printf(about, " %s", f->name);
	buf_free(&sum);
	return true;
}

/* "1 more: blows by spell and bonus (shelf, conversion)": what a rule took besides the damage. */
static void more_figure(const struct log *l, int32_t change, struct answer *out)
{
	const struct record c = *log_at(l, change);
	const word more = c.value - trace_values_at(l->t, log_at(l, change))[0];
	if (!out || c.clause < 0 || more <= 0)
		return;
	struct buf line = {0};
	program_value(l->p, l->p->field[c.what].type, &more, &line);
	buf_printf(&line, " more: %s", l->p->clause[c.clause].rule);
	struct buf source = {0};
	answer_source(l->p, c.clause, &source);
	if (source.length)
		buf_printf(&line, " (%s)", buf_text(&source));
	answer_figure(out, change, c.clause, "%s", buf_text(&line));
	buf_free(&line);
	buf_free(&source);
}

/* What gathered in another field came to this one at once: " Ysolt hit orc #2 for 3 damage, and 2 -
 * 4 = -2 EN". False: nothing did. */
static bool carried_said(const struct log *l, int32_t change, struct buf *about, struct answer *out)
{
	int32_t from[CARRIED_MOST];
	const word who = log_at(l, change)->owner;
	const int n = event_carried(l, change, from, CARRIED_MOST);
	int told = 0;
	int32_t last = -1;
	for (int i = n - 1; i >= 0; i--) {
		const int32_t cause = event_doing(l, from[i], who);
		if (cause < 0 || cause == last) { /* one blow may take several */
			more_figure(l, from[i], out);
			continue;
		}
		last = cause;
		buf_puts(about, told++ ? ", " : " ");
		happened(l, cause, about);
		const int32_t test = out ? event_decided(l, cause) : -1;
		if (test >= 0)
			compared_figures(l, test, out);
		if (out)
			amounts_below(l, cause, out);
	}
	if (told == 0)
		return false;
	buf_puts(about, ", and ");
	changed(l, change, about);
	return true;
}

/* The dice of somebody's own that fell in the act of a change of theirs: "spell save 2: 2 does not reach the 14 needed", "harm 4,
 * 6, 6, 1". */
static void dice_of_his(const struct log *l, int32_t change, struct answer *out)
{
	const struct record c = *log_at(l, change);
	int32_t roll[DICE_MOST];
	int n = 0;
	for (int32_t i = trace_back(l->t, change, 1u << REC_ROLL); i >= 0; i = trace_back(l->t, i - 1, 1u << REC_ROLL)) {
		const struct record *r = log_at(l, i);
		if (r->act != c.act || r->round != c.round)
			break;
		const struct label_info *label = r->what >= 0 && r->what < l->p->labels ? &l->p->label[r->what] : NULL;
		const bool his = label && label->owner.base == VT_LIVE && label->owner.kind == KIND_COMBATANT && r->owner == c.owner;
		if (his && !r->dropped && n < DICE_MOST)
			roll[n++] = i;
	}
	for (int k = n - 1; k >= 0;) {
		const int32_t what = log_at(l, roll[k])->what, test = sum_after(l, roll[k]);
		struct buf b = {0};
		struct sum s;
		buf_printf(&b, "%s ", l->p->label[what].name);
		int of = 0;
		for (; k >= 0 && log_at(l, roll[k])->what == what; k--) {
			buf_puts(&b, of++ ? ", " : "");
			log_total(l, log_at(l, roll[k]), &b);
			log_fall(l, log_at(l, roll[k]), false, &b);
		}
		if (of == 1 && test >= 0 && sum_read(l, test, &s) && s.compares) {
			buf_puts(&b, ": ");
			sum_compared(l, &s, &b);
		}
		answer_figure(out, -1, -1, "%s", buf_text(&b));
		buf_free(&b);
	}
}

/* "orc #1 died in segment 4 of round 1: Bruna hit orc #1 for 5 damage, and 5 - 5 = 0 hit points" */
static void condition_said(const struct inquiry *s, int32_t number, int32_t from, int32_t clause, struct buf *about, struct answer *out)
{
	const struct log *l = &s->log;
	const int32_t change = event_change(l, from, clause), doing = event_doing(l, from, log_actor(l, log_at(l, from)));
	const bool number_moved = change >= 0 && changed_number(l, change);
	past(l, number, MOOD_DID, about);
	in_when(l, number, about);
	buf_puts(about, ":");
	if (number_moved &&
		(carried_said(l, change, about, out) ||
			(doing < 0 && changed_by_several(l, change, about)))) {
		if (out)
			answer_rule_of(l->p, out, clause);
		return;
	}
	const int32_t suffered = doing < 0 && number_moved ? event_suffered(l, change) : -1, cause = doing >= 0 ? doing : suffered;
	if (cause >= 0) {
		buf_putc(about, ' ');
		happened(l, cause, about);
	}
	if (number_moved) {
		struct answer act;
		memset(&act, 0, sizeof act);
		buf_puts(about, cause >= 0 ? ", and " : " ");
		changed(l, change, about);
		if (cause >= 0 && other_rule(l, change))
			buf_printf(about, " by the rule \"%s\"",
				l->p->clause[log_at(l, change)->clause].rule);
		if (cause < 0)
			absence_cause(s, from, &act);
		buf_puts(about, buf_text(&act.about));
		answer_free(&act);
	}
	if (!out)
		return;
	const int32_t test = cause >= 0 ? event_decided(l, cause) : -1, amount = change >= 0 ? log_at(l, change)->parent : -1;
	if (test >= 0)
		compared_figures(l, test, out);
	const bool summed = amount >= 0 && log_at(l, amount)->kind == REC_EVENT && event_amount(l, amount, out);
	if (!summed && test < 0 && number_moved)
		dice_of_his(l, change, out);
	answer_rule_of(l->p, out, clause);
}

/* "Bruna hit orc #1 for 5 damage in segment 4 of round 1: 17 reaches the 11 needed" */
/* ": Uz's reach is 6 ft, Brand's 3.5 ft": what gave somebody occasion for a blow against whoever was about something. */
static void weighed_said(const struct inquiry *s, int32_t doing, int32_t occasion, struct buf *about)
{
	const struct log *l = &s->log;
	const word one = log_actor(l, log_at(l, occasion)), other = log_actor(l, log_at(l, doing));
	struct sum by;
	if (one == NONE || other == NONE || one == other || !weighed_by(l, doing, occasion, one, &by))
		return;
	buf_puts(about, ": ");
	weighed_add(l, &by, one, other, about);
}

static void comparison_said(const struct inquiry *s, int32_t number, int32_t test, struct buf *about, struct answer *out)
{
	const struct log *l = &s->log;
	struct sum compared;
	past(l, number, MOOD_DID, about);
	amount_add(l, number, about);
	in_when(l, number, about);
	buf_puts(about, ": ");
	const int32_t cause = event_befell(l, number);
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
	const int32_t occasion = cause < 0 ? event_occasion(l, number) : -1,
				  doing = occasion >= 0
		? event_doing(l, occasion, log_actor(l, log_at(l, occasion)))
		: -1;
	if (occasion >= 0) {
		struct buf line = {0};
		happened(l, occasion, &line);
		if (doing >= 0) {
			buf_puts(&line, ", when ");
			happened(l, doing, &line);
			weighed_said(s, doing, occasion, &line);
		}
		answer_figure(out, occasion, -1, "%s", buf_text(&line));
		rule_around(s, occasion, out);
		buf_free(&line);
	}
	rule_around(s, number, out);
}

/* ", and due 2 segments later": what was left pending then. */
static void due_said(const struct log *l, int32_t number, int32_t begun, struct buf *about)
{
	struct placing a, b;
	int x = 0, y = 0;
	placing_of(l, number, &a);
	placing_of(l, begun, &b);
	while (x < a.keys && !a.at[x].time)
		x++;
	while (y < b.keys && !b.at[y].time)
		y++;
	if (x == a.keys || y == b.keys || a.at[x].value == NONE || b.at[y].value == NONE)
		return;
	const word later = a.at[x].value - b.at[y].value;
	if (later <= 0 || a.at[x].type.base != b.at[y].type.base)
		return;
	buf_puts(about, ", and it was due ");
	program_value(l->p, a.at[x].type, &later, about);
	buf_puts(about, " later");
}

static void other_said(const struct inquiry *s, int32_t number, struct buf *about, struct answer *out)
{
	const struct log *l = &s->log;
	int32_t cause = event_doing(l, number, log_actor(l, log_at(l, number)));
	const bool done = cause >= 0;
	if (!done)
		cause = log_at(l, number)->parent;
	while (!done && cause >= 0 && !event_is_told(l, cause))
		cause = log_at(l, cause)->parent;
	past(l, number, MOOD_DID, about);
	amount_add(l, number, about);
	in_when(l, number, about);
	/* what came over somebody in an act of their own was brought about by another's before it */
	if (cause >= 0 && log_actor(l, log_at(l, cause)) == log_actor(l, log_at(l, number)) &&
		prompted_said(s, number, true, about, out)) {
		if (out)
			rule_around(s, number, out);
		return;
	}
	const int32_t occasion = event_occasion(l, number);
	int32_t decided = -1;
	if (occasion >= 0 && occasion != cause) {
		buf_puts(about, ": ");
		happened(l, occasion, about);
		if (cause >= 0) {
			buf_puts(about, ", when ");
			happened(l, cause, about);
			weighed_said(s, cause, occasion, about);
		}
		/* the save that failed, or what else let that come */
		decided = event_decided(l, occasion);
		struct sum compared;
		if (decided >= 0 && sum_read(l, decided, &compared)) {
			buf_puts(about, ", and ");
			sum_compared(l, &compared, about);
		}
		if (out && decided >= 0)
			compared_figures(l, decided, out);
		if (out)
			rule_around(s, occasion, out);
	} else if (cause >= 0) {
		buf_puts(about, ": ");
		happened(l, cause, about);
		weighed_said(s, cause, number, about);
	} else if (event_begun(l, number) >= 0) {
		buf_puts(about, ": ");
		happened(l, event_begun(l, number), about);
		in_when(l, event_begun(l, number), about);
		due_said(l, number, event_begun(l, number), about);
	} else if (rolled_said(s, number, about, out) || prompted_said(s, number, false, about, out)) {
		if (out)
			rule_around(s, number, out);
		return;
	}
	if (!out)
		return;
	const int32_t test = done ? event_decided(l, cause) : -1;
	if (test >= 0 && test != decided) {
		compared_figures(l, test, out);
		amounts_below(l, cause, out);
	}
	for (int32_t i = log_at(l, number)->parent, before = number, up = 0; i >= 0 && up < 3 && test < 0; before = i, i = log_at(l, i)->parent, up++) {
		for (int32_t k = log_child(l, i); k >= 0 && k < before; k = log_sibling(l, k))
			if (log_at(l, k)->kind == REC_ROLL && !log_at(l, k)->dropped)
				roll_figure(l, k, out);
		if (event_is_told(l, i))
			break;
	}
	if (log_at(l, number)->kind == REC_EVENT)
		event_amount(l, number, out);
	rule_around(s, number, out);
}

static void past_up_to_colon(const struct log *l, int32_t text, struct buf *out)
{
	const char *all = trace_text_at(l->t, text), *colon = strstr(all, ": ");
	struct buf part = {0};
	buf_add(&part, all, colon ? (size_t)(colon - all) : strlen(all));
	if (!english_sentence(l->p, buf_text(&part), MOOD_DID, out))
		buf_puts(out, buf_text(&part));
	buf_free(&part);
}

/* "Runa came too late in round 3: boar #1 died before that, when Ottar attacked boar #1": what a
 * rule notes in place of something done to somebody who is out of the fight. The reason that the
 * note gives after a colon is left out, since this one is better. False: it is nothing of that
 * sort. */
bool event_say_instead(
	const struct inquiry *s, int32_t number, struct buf *about, struct answer *out)
{
	const struct log *l = &s->log;
	const struct record n = *log_at(l, number);
	struct vtype type;
	const word *target = NULL;
	if (n.kind != REC_NOTE || n.clause < 0 || s->p->clause[n.clause].sort != CLAUSE_INSTEAD ||
		n.parent < 0 || log_at(l, n.parent)->kind != REC_EVENT ||
		!log_target(l, log_at(l, n.parent), &type, &target) || type.base != VT_LIVE ||
		type.kind != KIND_COMBATANT)
		return false;
	const word whom = *target;
	struct answer fate;
	memset(&fate, 0, sizeof fate);
	/* who fell by what came first in the same act is told to have fallen behind it */
	int32_t from = number, to = number;
	while (from > 0 && trace_look(s->t, from - 1)->group == n.group &&
		trace_look(s->t, from - 1)->round == n.round)
		from--;
	while (to < s->end && trace_look(s->t, to)->group == n.group &&
		trace_look(s->t, to)->round == n.round)
		to++;
	const bool told = absence_unable(s, whom, to, from, number, &fate) ||
		absence_unable(s, whom, number, 0, number, &fate);
	if (told) {
		past_up_to_colon(l, n.text, about);
		in_when(l, number, about);
		buf_puts(about, ": ");
		program_live(s->p, KIND_COMBATANT, whom, about);
		buf_printf(about, " %s", buf_text(&fate.about));
		if (out)
			rule_around(s, number, out);
	}
	answer_free(&fate);
	return told;
}

/* Why record `number` came, without a full stop; figures and rules into `out`, which may be NULL. */
void event_say(const struct inquiry *s, int32_t number, struct buf *about, struct answer *out)
{
	const struct log *l = &s->log;
	int32_t from, clause, test;
	if (event_say_instead(s, number, about, out))
		return;
	if (event_is_act(l, number))
		act_said(s, number, about, out);
	else if ((clause = event_whenever(l, number, &from)) >= 0)
		condition_said(s, number, from, clause, about, out);
	else if ((test = event_decided(l, number)) >= 0)
		comparison_said(s, number, test, about, out);
	else
		other_said(s, number, about, out);
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
			event_amount(l, i, out);
			answer_below(l, i, out);
		}
	}
}
