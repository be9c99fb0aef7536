/* ledger_thing.c - what things did: in whose hands, how often, and what came of it. See ledger.h.
 */
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"
#include "runtime/explain/ledger.h"

enum { LINES_MOST = 7, FAR = 6000, TOLD_MOST = 5, DICE_MOST = 24 };

typedef VEC(int32_t) records;

static bool holds(const records *list, int32_t number)
{
	for (int i = 0; i < list->n; i++)
		if (list->v[i] == number)
			return true;
	return false;
}

/* Is that thing, or one of that kind, in a role of a record? It, or -1. */
static int32_t thing_of(const struct log *l, int32_t number, int32_t thing, int kind)
{
	const struct record r = *log_at(l, number);
	for (int k = 0; r.what >= 0 && r.what < l->p->events && k < l->p->event[r.what].roles;
		k++) {
		const int32_t named = ledger_thing_named(
			l->p, l->p->event[r.what].role[k].type, log_role(l, log_at(l, number), k));
		if (named >= 0 && (thing >= 0 ? named == thing : l->p->thing[named].kind == kind))
			return named;
	}
	return -1;
}

/* The act that an event is of: the outermost that was told. */
static int32_t act_of(const struct log *l, int32_t number)
{
	int32_t found = -1;
	for (int32_t i = number; i >= 0; i = log_at(l, i)->parent) {
		if (log_at(l, i)->kind == REC_EVENT && event_is_told(l, i))
			found = i;
		if (log_at(l, i)->kind == REC_EVENT && event_is_root(l, i))
			break;
	}
	return found;
}

/* All acts that a thing had a part in; of a spell that became complete not how it was begun. */
static void uses_of(const struct inquiry *s, const struct ledger_question *q, int kind,
	records *out, records *things)
{
	records begun = {0}, all = {0}, which = {0};
	for (int32_t i = 0; i < s->end; i++) {
		const struct record *r = trace_look(s->t, i);
		if (r->kind != REC_EVENT || r->dropped || r->flag == EVENT_VOIDED)
			continue;
		const int32_t thing = thing_of(&s->log, i, q->thing, kind);
		const int32_t act = thing >= 0 ? act_of(&s->log, i) : -1;
		if (act < 0 || holds(&all, act) || !event_in_time(&s->log, q->when, act) ||
			!people_fit(&q->by, log_actor(&s->log, log_at(&s->log, act))))
			continue;
		const int32_t from = event_begun(&s->log, act);
		if (from >= 0)
			VEC_PUSH(begun, from);
		VEC_PUSH(all, act);
		VEC_PUSH(which, thing);
	}
	for (int i = 0; i < all.n; i++)
		if (!holds(&begun, all.v[i])) {
			VEC_PUSH(*out, all.v[i]);
			VEC_PUSH(*things, which.v[i]);
		}
	VEC_FREE(begun);
	VEC_FREE(all);
	VEC_FREE(which);
}

static void users_add(const struct inquiry *s, const records *all, struct buf *out)
{
	people who = {0};
	for (int i = 0; i < all->n; i++) {
		const word by = log_actor(&s->log, log_at(&s->log, all->v[i]));
		if (by != NONE && (who.n == 0 || !people_fit(&who, by)))
			VEC_PUSH(who, by);
	}
	answer_people(s->p, who.v, who.n, out);
	VEC_FREE(who);
}

static void lines_told(const struct inquiry *s, const records *all, struct answer *out)
{
	for (int i = 0; i < all->n && i < LINES_MOST; i++)
		answer_deed_line(s, all->v[i], out);
	if (all->n > LINES_MOST)
		answer_figure(out, -1, -1, "and %d more", all->n - LINES_MOST);
}

/* "cast", "shot": the act that is done with such a thing in the first place; "used". */
static void verb_add_past(const struct inquiry *s, int32_t act, struct buf *out)
{
	const int32_t begun = event_begun(&s->log, act);
	const struct event_info *e = &s->p->event[log_at(&s->log, begun >= 0 ? begun : act)->what];
	struct buf third = {0};
	if (!e->action || e->roles < 2 || e->role[1].type.base != VT_THING ||
		strchr(e->name, ' ')) {
		buf_puts(out, "used");
		return;
	}
	verb_add(e->name, &third);
	english_verb(buf_text(&third), third.length, TENSE_PAST, out);
	buf_free(&third);
}

/* "nobody used web"; "Bruna did not use dagger in round 2" */
static void unused_said(
	const struct inquiry *s, const struct ledger_question *q, const char *what, struct buf *out)
{
	if (q->by.n) {
		ledger_people(s, &q->by, q->by_side, out);
		buf_puts(out, " did not use ");
	} else {
		buf_puts(out, "nobody used ");
	}
	buf_puts(out, what);
	event_asked_time(s->p, q->when, out);
}

bool ledger_thing(const struct inquiry *s, const struct ledger_question *q, struct answer *out)
{
	records all = {0}, things = {0};
	ledger sums = {0};
	uses_of(s, q, -1, &all, &things);
	ledger_read(s, q, &sums);
	if (all.n == 0) {
		unused_said(s, q, s->p->thing[q->thing].name, &out->about);
	} else {
		users_add(s, &all, &out->about);
		buf_putc(&out->about, ' ');
		verb_add_past(s, all.v[0], &out->about);
		buf_printf(&out->about, " %s", s->p->thing[q->thing].name);
		event_asked_time(s->p, q->when, &out->about);
		buf_putc(&out->about, ' ');
		ledger_times(all.n, &out->about);
		if (sums.n && ledger_sum(&sums)) {
			buf_puts(&out->about, ", for ");
			ledger_much(q, ledger_sum(&sums), &out->about);
			buf_puts(&out->about, sums.n > 1 ? " in all" : "");
		}
	}
	event_stop(s->p, &out->about);
	lines_told(s, &all, out);
	VEC_FREE(all);
	VEC_FREE(things);
	VEC_FREE(sums);
	return true;
}

bool ledger_kind(
	const struct inquiry *s, const struct ledger_question *q, int kind, struct answer *out)
{
	records all = {0}, things = {0}, told = {0};
	uses_of(s, q, kind, &all, &things);
	if (all.n == 0) {
		struct buf no = {0};
		buf_printf(&no, "any %s", s->p->kind[kind].name);
		unused_said(s, q, buf_text(&no), &out->about);
		buf_free(&no);
	} else {
		users_add(s, &all, &out->about);
		buf_putc(&out->about, ' ');
		verb_add_past(s, all.v[0], &out->about);
		buf_putc(&out->about, ' ');
		for (int i = 0; i < things.n; i++)
			if (!holds(&told, things.v[i]))
				VEC_PUSH(told, things.v[i]);
		for (int i = 0; i < told.n; i++) {
			int n = 0;
			for (int k = 0; k < things.n; k++)
				n += things.v[k] == told.v[i];
			buf_puts(&out->about, i == 0 ? "" : i == told.n - 1 ? " and " : ", ");
			buf_puts(&out->about, s->p->thing[told.v[i]].name);
			if (n > 1) {
				buf_puts(&out->about, " (");
				ledger_times(n, &out->about);
				buf_putc(&out->about, ')');
			}
		}
		event_asked_time(s->p, q->when, &out->about);
	}
	event_stop(s->p, &out->about);
	lines_told(s, &all, out);
	VEC_FREE(all);
	VEC_FREE(things);
	VEC_FREE(told);
	return true;
}

/* ---- what came of it ---- */

static bool is_about(const struct inquiry *s, int32_t number, const people *to)
{
	const struct record r = *log_at(&s->log, number);
	if (to->n == 0)
		return true;
	for (int k = 0; r.kind == REC_EVENT && k < s->p->event[r.what].roles; k++) {
		const struct vtype t = s->p->event[r.what].role[k].type;
		const word *v = t.base == VT_LIVE && t.kind == KIND_COMBATANT
			? log_role(&s->log, log_at(&s->log, number), k)
			: NULL;
		if (v && people_fit(to, *v))
			return true;
	}
	for (int i = 0; i < to->n; i++)
		if (strstr(trace_text_at(s->t, r.text), s->p->live[KIND_COMBATANT][to->v[i]].name))
			return true;
	return false;
}

/* What was told of them below an act, what of theirs changed, and the dice that fell for them. */
struct effect {
	struct buf told, moved;
	int tellings, changes;
	int32_t dice[DICE_MOST];
	int rolls;
};

static void effect_free(struct effect *e)
{
	buf_free(&e->told);
	buf_free(&e->moved);
}

/* "Bruna's hit points 15 to 21" */
static void moved_add(const struct inquiry *s, int32_t change, struct buf *out)
{
	const struct record r = *log_at(&s->log, change);
	const struct field_info *f = &s->p->field[r.what];
	const word *old = trace_values_at(s->t, log_at(&s->log, change));
	if (f->kept || f->type.base != VT_NUMBER || f->type.frac || !old || r.value == NONE)
		return;
	if (out->length)
		buf_puts(out, ", ");
	program_owner(s->p, KIND_COMBATANT, r.owner, out);
	buf_printf(out, " %s ", f->name);
	if (old[0] != NONE)
		buf_printf(out, "went from %lld to %lld", (long long)old[0], (long long)r.value);
	else
		buf_printf(out, "became %lld", (long long)r.value);
}

/* "sleep does nothing to ghoul #1", of a thing, becomes what it did. */
static void told_past(const struct inquiry *s, const char *text, struct buf *out)
{
	size_t best = 0;
	if (english_sentence(s->p, text, MOOD_DID, out))
		return;
	for (int i = 0; i < s->p->things; i++) {
		const size_t n = s->p->thing[i].name ? strlen(s->p->thing[i].name) : 0;
		if (n > best && !strncmp(text, s->p->thing[i].name, n) && text[n] == ' ')
			best = n;
	}
	const size_t verb = best ? strcspn(text + best + 1, " ") : 0;
	if (verb < 3 || text[best + verb] != 's') {
		buf_puts(out, text);
		return;
	}
	buf_add(out, text, best + 1);
	english_verb(text + best + 1, verb, TENSE_PAST, out);
	buf_puts(out, text + best + 1 + verb);
}

static void effect_read(
	const struct inquiry *s, int32_t act, const struct ledger_question *q, struct effect *e)
{
	const struct log *l = &s->log;
	const word by = log_actor(l, log_at(l, act));
	for (int32_t i = act + 1; i < s->end && i < act + FAR; i++) {
		const struct record r = *trace_look(s->t, i);
		if (r.dropped || !log_is_below(l, i, act))
			continue;
		if ((r.kind == REC_EVENT || r.kind == REC_NOTE) && r.text >= 0 &&
			is_about(s, i, &q->to)) {
			if (e->tellings++ < TOLD_MOST) {
				const char *text = trace_text_at(s->t, r.text);
				buf_puts(&e->told, e->told.length ? ", " : "");
				told_past(s, text, &e->told);
			}
		} else if (r.kind == REC_CHANGE && r.flag != 1 && !s->p->field[r.what].hidden &&
			s->p->field[r.what].kind == KIND_COMBATANT &&
			(q->to.n ? people_fit(&q->to, r.owner) : r.owner != by)) {
			if (e->changes++ < TOLD_MOST)
				moved_add(s, i, &e->moved);
		} else if (r.kind == REC_ROLL && e->rolls < DICE_MOST) {
			const struct vtype t = s->p->label[r.what].owner;
			const bool owned = t.base == VT_LIVE && t.kind == KIND_COMBATANT;
			if (!owned || r.owner == by || people_fit(&q->to, r.owner))
				e->dice[e->rolls++] = i;
		}
	}
}

/* "; it came to orc #1, orc #2 and orc #3": what of others changed. */
static void others_add(
	const struct inquiry *s, int32_t act, const struct ledger_question *q, struct buf *out)
{
	const word by = log_actor(&s->log, log_at(&s->log, act));
	people who = {0};
	for (int32_t i = act + 1; i < s->end && i < act + FAR; i++) {
		const struct record r = *trace_look(s->t, i);
		if (r.kind == REC_CHANGE && !r.dropped && r.flag != 1 && r.owner != by &&
			s->p->field[r.what].kind == KIND_COMBATANT && !s->p->field[r.what].hidden &&
			!people_fit(&q->to, r.owner) &&
			(who.n == 0 || !people_fit(&who, r.owner)) && log_is_below(&s->log, i, act))
			VEC_PUSH(who, r.owner);
	}
	if (who.n) {
		buf_puts(out, "; it came to ");
		answer_people(s->p, who.v, who.n, out);
	}
	VEC_FREE(who);
}

/* The record by which it came to nothing, where nothing came of it; -1. */
static int32_t undone(const struct inquiry *s, const struct ledger_question *q)
{
	const uint32_t ends = 1u << REC_VOID | 1u << REC_CANCEL | 1u << REC_REFUSED;
	for (int32_t i = trace_back(s->t, s->end - 1, ends); i >= 0;
		i = trace_back(s->t, i - 1, ends))
		if (!log_at(&s->log, i)->dropped && thing_of(&s->log, i, q->thing, -1) >= 0 &&
			people_fit(&q->by, log_actor(&s->log, log_at(&s->log, i))))
			return i;
	return -1;
}

bool ledger_came_to(const struct inquiry *s, int32_t act, word who, struct buf *told)
{
	struct ledger_question q = {.thing = -1};
	struct effect e;
	memset(&e, 0, sizeof e);
	q.to.v = &who;
	q.to.n = 1;
	effect_read(s, act, &q, &e);
	buf_puts(told, buf_text(&e.told));
	const bool so = e.changes > 0;
	effect_free(&e);
	return so;
}

/* The dice of an effect, those of one name in one line; `but`: not those that combatants besides
 * them rolled. */
static void effect_dice(
	const struct inquiry *s, const struct effect *e, word but, struct answer *out)
{
	for (int i = 0, n; i < e->rolls; i += n) {
		const struct record r = *log_at(&s->log, e->dice[i]);
		const struct vtype t = s->p->label[r.what].owner;
		n = 1;
		if (but != NONE && r.owner != but && t.base == VT_LIVE && t.kind == KIND_COMBATANT)
			continue;
		for (n = 1; i + n < e->rolls; n++) {
			const struct record *x = log_at(&s->log, e->dice[i + n]);
			if (x->what != r.what || x->owner != r.owner)
				break;
		}
		ledger_die(s, &e->dice[i], n, out);
	}
}

/* Did it take effect on some of those asked about, and not on others? */
static bool effect_mixed(const struct inquiry *s, int32_t act, const people *to)
{
	int took = 0;
	for (int i = 0; i < to->n; i++) {
		struct buf told = {0};
		took += ledger_came_to(s, act, to->v[i], &told);
		buf_free(&told);
	}
	return took > 0 && took < to->n;
}

/* ", and nothing of it came to ghoul #1: ghoul #1 had escaped sleep" */
static void nothing_came(const struct inquiry *s, int32_t act, const struct ledger_question *q,
	const struct effect *e, struct answer *out)
{
	struct buf why = {0};
	buf_puts(&out->about,
		e->changes ? ", and did something to " : ", and nothing of it came to ");
	ledger_people(s, &q->to, q->to_side, &out->about);
	if (!e->changes && ledger_spared_said(s, act, q->to.v[0], &why, out))
		buf_printf(&out->about, ": %s", buf_text(&why));
	if (!e->changes)
		others_add(s, act, q, &out->about);
	buf_free(&why);
}

/* The record by which an act that left another pending, the casting of a spell, came to nothing;
 * -1: it did not, or nothing was pending. */
static int32_t begun_undone(const struct inquiry *s, const struct ledger_question *q, int32_t act)
{
	const int32_t end = undone(s, q);
	for (int32_t i = trace_back(s->t, end - 1, 1u << REC_PEND); i > act && end > act;
		i = trace_back(s->t, i - 1, 1u << REC_PEND))
		if (!log_at(&s->log, i)->dropped && thing_of(&s->log, i, q->thing, -1) >= 0 &&
			log_is_below(&s->log, i, act))
			return end;
	return -1;
}

bool ledger_effect(const struct inquiry *s, const struct ledger_question *q, struct answer *out)
{
	records all = {0}, things = {0};
	struct effect best = {.tellings = 0};
	int32_t act = -1;
	uses_of(s, q, -1, &all, &things);
	/* of several the last that came to something for them */
	for (int i = all.n - 1; i >= 0; i--) {
		struct effect e;
		memset(&e, 0, sizeof e);
		effect_read(s, all.v[i], q, &e);
		const bool better = act < 0 || (e.tellings + e.changes > 0 &&
							   best.tellings + best.changes == 0);
		if (better) {
			effect_free(&best);
			best = e;
			act = all.v[i];
		} else {
			effect_free(&e);
		}
	}
	const int32_t spoiled = act < 0 ? -1 : begun_undone(s, q, act);
	const int32_t end = spoiled >= 0 ? spoiled
		: act < 0 || best.tellings + best.changes == 0 ? undone(s, q)
							       : -1;
	const bool did = q->wanted == LEDGER_DID;
	/* what nothing was told of is told by whom it changed */
	const bool silent = !q->to.n && best.changes && !best.told.length && !best.moved.length;
	const bool each = act >= 0 && end < 0 &&
		(q->each || silent || effect_mixed(s, act, &q->to));
	if (each && did)
		buf_puts(&out->about, silent ? "Yes: " : "In part: ");
	if (each) {
		ledger_spared(s, q, act, out);
		effect_dice(s, &best, log_actor(&s->log, log_at(&s->log, act)), out);
		event_stop(s->p, &out->about);
		effect_free(&best);
		VEC_FREE(all);
		VEC_FREE(things);
		return true;
	}
	if (!did && q->negated && act >= 0 && end < 0 && best.changes)
		buf_puts(&out->about, "It did work: ");
	if (did)
		buf_puts(&out->about, act >= 0 && end < 0 && best.changes ? "Yes: " : "No: ");
	if (end >= 0 && (act < 0 || event_begun(&s->log, act) < 0)) {
		absence_end(s, end, out);
	} else if (act >= 0) {
		english_event(&s->log, act, MOOD_DID, &out->about);
		ledger_when(s, act, &out->about);
		if (best.told.length) {
			buf_printf(&out->about, ": %s", buf_text(&best.told));
		} else if (best.moved.length) {
			buf_printf(&out->about, ": %s", buf_text(&best.moved));
		} else if (q->to.n) {
			nothing_came(s, act, q, &best, out);
		} else {
			buf_puts(&out->about, ", and nothing came of it");
			ledger_spared_each(s, act, out);
		}
		effect_dice(s, &best, NONE, out);
	} else {
		unused_said(s, q, s->p->thing[q->thing].name, &out->about);
	}
	if (!did)
		answer_capital(s->p, &out->about, 0);
	if (out->about.length && out->about.data[out->about.length - 1] != '.')
		buf_putc(&out->about, '.');
	effect_free(&best);
	VEC_FREE(all);
	VEC_FREE(things);
	return true;
}

/* ---- what a thing does by itself ---- */

/* The dice that are called after it: "breakage", where it breaks. */
static void dice_called(const struct inquiry *s, const struct ledger_question *q, const char *base,
	struct answer *out)
{
	const size_t n = strlen(base);
	int shown = 0;
	for (int32_t i = 0; i < s->end && shown < LINES_MOST; i++) {
		const struct record r = *trace_look(s->t, i);
		if (r.kind != REC_ROLL || r.dropped ||
			strncmp(s->p->label[r.what].name, base, n) != 0 ||
			!event_in_time(&s->log, q->when, i))
			continue;
		const struct vtype t = s->p->label[r.what].owner;
		if (t.base == VT_LIVE && t.kind == KIND_COMBATANT && !people_fit(&q->by, r.owner))
			continue;
		ledger_die(s, &i, 1, out);
		shown++;
	}
	if (!shown)
		answer_figure(out, -1, -1, "no die was rolled for that");
}

bool ledger_event(const struct inquiry *s, const struct ledger_question *q, int32_t event,
	const char *verb, struct answer *out)
{
	struct buf base = {0};
	int32_t found = -1;
	const bool did = q->wanted == LEDGER_DID;
	for (int32_t i = 0; i < s->end; i++) {
		const struct record *r = trace_look(s->t, i);
		if (r->kind == REC_EVENT && r->what == event && !r->dropped &&
			r->flag == EVENT_DONE && thing_of(&s->log, i, q->thing, -1) >= 0 &&
			event_in_time(&s->log, q->when, i) &&
			people_fit(&q->by, log_actor(&s->log, log_at(&s->log, i))))
			found = i;
	}
	if (found >= 0 && !did)
		return false; /* why it came: as of every event */
	english_verb(verb, strlen(verb), TENSE_BASE, &base);
	if (did)
		buf_puts(&out->about, found >= 0 ? "Yes: " : "No: ");
	const size_t at = out->about.length;
	if (found >= 0) {
		event_say(s, found, &out->about, out);
	} else {
		if (q->by.n) {
			ledger_people(s, &q->by, q->by_side, &out->about);
			buf_puts(&out->about, "'s ");
		} else {
			buf_puts(&out->about, "the ");
		}
		buf_printf(
			&out->about, "%s did not %s", s->p->thing[q->thing].name, buf_text(&base));
		event_asked_time(s->p, q->when, &out->about);
		dice_called(s, q, buf_text(&base), out);
	}
	if (!at)
		answer_capital(s->p, &out->about, 0);
	buf_putc(&out->about, '.');
	buf_free(&base);
	return true;
}
