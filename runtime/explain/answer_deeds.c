/* answer_deeds.c - what somebody did, or what befell them: each as it was told, with what came of
 * it.
 *
 *   Bruna acted twice:
 *     round 1: Bruna attacked orc #1: miss
 *     round 2: Bruna attacked bugbear: hit, 9 damage */
#include <string.h>

#include "runtime/explain/event.h"

enum { LINES_MOST = 7, TOLD_MOST = 6, RECORDS_MOST = 4000, BY_MOST = 64 };

typedef VEC(int32_t) records;

/* Is it told of somebody to whom nothing was done in an act: what another's act brought about when
 * the moment was over? */
static bool of_another(const struct log *l, int32_t act, int32_t number)
{
	const struct record x = *log_at(l, number);
	const word who = x.kind == REC_EVENT ? log_actor(l, log_at(l, number)) : NONE;
	bool own = who == NONE || event_people(&l->p->event[x.what]) != 1;
	for (int32_t i = act; i < number && !own; i++) {
		struct vtype type;
		const word *v;
		const struct record *e = log_at(l, i);
		if (e->kind != REC_EVENT || e->dropped)
			continue;
		own = log_actor(l, e) == who ||
			(log_target(l, e, &type, &v) && type.kind == KIND_COMBATANT &&
				(type.base == VT_SET ? (v[who / 64] >> (who % 64) & 1) != 0 : *v == who));
	}
	return !own;
}

void answer_deed_line(const struct inquiry *s, int32_t number, struct answer *out)
{
	struct buf line = {0};
	const struct record e = *log_at(&s->log, number);
	const bool root = event_is_root(&s->log, number);
	if (e.round > 0)
		buf_printf(&line, "round %d: ", e.round);
	english_event(&s->log, number, MOOD_DID, &line);
	int told = 0;
	for (int32_t i = number + 1;
		 i < s->end && trace_look(s->t, i)->round == e.round && told < TOLD_MOST; i++) {
		const struct record *x = trace_look(s->t, i);
		/* the number of an act that is done is another's next, or another of theirs */
		if (x->act == e.act && event_is_root(&s->log, i) &&
			(log_at(&s->log, i)->value > number ||
				log_actor(&s->log, log_at(&s->log, i)) != log_actor(&s->log, &e)))
			break;
		if (x->act != e.act || (x->kind != REC_EVENT && x->kind != REC_NOTE) ||
			x->dropped || x->text < 0 || x->flag == EVENT_VOIDED ||
			event_is_root(&s->log, i) || (!root && !log_is_below(&s->log, i, number)) ||
			of_another(&s->log, number, i))
			continue;
		buf_printf(&line, "%s%s", told++ ? ", " : ": ",
			trace_text_at(s->t, log_at(&s->log, i)->text));
	}
	answer_figure(out, number, -1, "%s", buf_text(&line));
	buf_free(&line);
}

static bool waits(const struct inquiry *s, int32_t number)
{
	const struct event_info *e = &s->p->event[log_at(&s->log, number)->what];
	return e->idle || e->waiting;
}

/* ---- which ---- */

/* Is a record listed already, or one around it, or within it? */
static bool is_listed(const struct log *l, const records *all, int32_t number)
{
	for (int k = 0; k < all->n; k++)
		if (all->v[k] == number || log_is_below(l, number, all->v[k]) ||
			log_is_below(l, all->v[k], number))
			return true;
	return false;
}

/* The act around an event, if it was told; else the event. */
static int32_t act_of(const struct log *l, int32_t number)
{
	for (int32_t i = number; i >= 0; i = log_at(l, i)->parent)
		if (log_at(l, i)->kind == REC_EVENT && event_is_root(l, i))
			return event_is_told(l, i) ? i : number;
	return number;
}

static bool is_upon(const struct log *l, int32_t number, const people *whom)
{
	struct vtype type;
	const word *target;
	const struct record *r = log_at(l, number);
	return log_target(l, r, &type, &target) && type.base == VT_LIVE &&
		type.kind == KIND_COMBATANT && people_has(whom, *target);
}

/* Only told, with nothing done in it, where the other one is about something: "the orc saves
 * against the spell" is no deed against the caster. */
static bool is_reply(const struct log *l, int32_t number, const people *whom)
{
	if (event_is_root(l, number) || log_child(l, number) >= 0)
		return false;
	const int32_t doing = event_doing(l, number, log_actor(l, log_at(l, number)));
	return doing >= 0 && people_has(whom, log_actor(l, log_at(l, doing)));
}

/* Of an event: the record to be listed; -1: none. */
static int32_t listed_by(const struct log *l, const struct question *q, int32_t number)
{
	const struct record r = *log_at(l, number);
	const struct event_info *e = &l->p->event[r.what];
	const word actor = log_actor(l, log_at(l, number));
	const bool alone = event_people(e) < 2, root = event_is_root(l, number);
	if (q->wanted == WANT_DEEDS && q->who.n == 0)
		return root && !e->idle ? number : -1;
	if (q->wanted == WANT_DEEDS)
		return people_has(&q->who, actor) && (e->action || root || !alone) ? number : -1;
	if (!alone)
		return !people_has(&q->whom, actor) && is_upon(l, number, &q->whom) &&
				!is_reply(l, number, &q->whom)
			? number
			: -1;
	size_t subject, verb;
	return !e->action && people_has(&q->whom, actor) &&
			english_split(
				l->p, trace_text_at(l->t, log_at(l, number)->text), &subject, &verb)
		? act_of(l, number)
		: -1;
}

/* Did a number or a state of theirs change that is no bookkeeping, once the fight had begun: by a
 * spell of the script's own? */
static bool is_changed(const struct inquiry *s, const struct question *q, int32_t number)
{
	const struct record r = *trace_look(s->t, number);
	const struct field_info *f =
		r.what >= 0 && r.what < s->p->fields ? &s->p->field[r.what] : NULL;
	return f && f->kind == KIND_COMBATANT && !f->kept && !f->hidden &&
		((f->type.base == VT_NUMBER && !f->type.frac) || f->type.base == VT_BOOL ||
			f->type.base == VT_WORD) &&
		!r.dropped && !r.flag && r.round > 0 &&
		people_has(&q->whom, r.owner);
}

static void all_of(const struct inquiry *s, const struct question *q, records *all)
{
	for (int32_t i = 0; i < s->end && all->n < RECORDS_MOST; i++) {
		const struct record *r = trace_look(s->t, i);
		if (r->kind == REC_CHANGE && q->wanted == WANT_FATE && is_changed(s, q, i)) {
			const int32_t act = act_of(&s->log, i);
			if (act != i && event_in_time(&s->log, q, act) &&
				!is_listed(&s->log, all, act))
				VEC_PUSH(*all, act);
			continue;
		}
		/* an act that came to nothing is told with what was done in it: a blow at who flees */
		const bool stopped = r->flag == EVENT_VOIDED || r->flag == EVENT_STOPPED;
		const bool lively = stopped && q->wanted == WANT_DEEDS && q->who.n == 0 &&
			r->kind == REC_EVENT && r->text >= 0 && event_told_within(&s->log, i);
		if (r->kind != REC_EVENT || r->dropped || (r->flag == EVENT_VOIDED && !lively) ||
			r->flag == EVENT_REPLACED)
			continue;
		r = trace_look(s->t, i);
		if (r->text < 0 ? q->wanted == WANT_FATE || !waits(s, i)
				: !*trace_text_at(s->t, r->text))
			continue;
		const int32_t found = listed_by(&s->log, q, i);
		if (found >= 0 && event_in_time(&s->log, q, i) && !is_listed(&s->log, all, found))
			VEC_PUSH(*all, found);
	}
}

/* What another of the list carried on at the same time, by the same upon the same, is that one:
 * "charged" of "charged home". */
static void carried_on(const struct log *l, records *all)
{
	int kept = 0;
	for (int i = 0; i < all->n; i++) {
		bool more = false;
		for (int k = i + 1; k < all->n && !more; k++) {
			const int32_t begun = event_begun(l, all->v[k]);
			struct vtype type, other;
			const word *target, *same;
			more = begun >= 0 &&
				(begun == all->v[i] || log_is_below(l, begun, all->v[i])) &&
				trace_look(l->t, all->v[k])->round ==
					trace_look(l->t, all->v[i])->round &&
				trace_look(l->t, all->v[k])->time ==
					trace_look(l->t, all->v[i])->time &&
				log_actor(l, log_at(l, all->v[k])) ==
					log_actor(l, log_at(l, all->v[i])) &&
				log_target(l, log_at(l, all->v[k]), &type, &target) &&
				log_target(l, log_at(l, all->v[i]), &other, &same) &&
				*target == *same;
		}
		if (!more)
			all->v[kept++] = all->v[i];
	}
	all->n = kept;
}

/* "skeleton #2, bugbear (twice)": whose acts those are, themselves left out. */
static int others_add(
	const struct inquiry *s, const records *all, const people *but, struct buf *out)
{
	word by[BY_MOST];
	int times[BY_MOST], n = 0;
	for (int i = 0; i < all->n; i++) {
		const word who = log_actor(&s->log, log_at(&s->log, all->v[i]));
		int k = 0;
		if (who == NONE || people_has(but, who))
			continue;
		while (k < n && by[k] != who)
			k++;
		if (k == n && n < BY_MOST) {
			by[n] = who;
			times[n++] = 0;
		}
		if (k < n)
			times[k]++;
	}
	for (int i = 0; i < n; i++) {
		buf_puts(out, i == 0 ? "" : i == n - 1 ? " and " : ", ");
		program_live(s->p, KIND_COMBATANT, by[i], out);
		if (times[i] > 1)
			buf_printf(out, times[i] == 2 ? " (twice)" : " (%d times)", times[i]);
	}
	return n;
}

/* ---- told ---- */

static void begin_said(const struct inquiry *s, const struct question *q, const records *all,
	struct buf *about)
{
	struct buf by = {0};
	const bool fate = q->wanted == WANT_FATE;
	const people *of = fate ? &q->whom : &q->who;
	const int others = fate ? others_add(s, all, of, &by) : 0;
	if (of->n)
		answer_people(s->p, of->v, of->n, about);
	if (fate && others)
		buf_printf(about, of->n == 1 ? " was the target of %s" : " were the targets of %s",
			buf_text(&by));
	else if (fate)
		buf_puts(about, of->n == 1 ? " was nobody's target, but this came to pass"
					: " were nobody's targets, but this came to pass");
	else if (of->n == 0)
		buf_puts(about, "this happened");
	else if (all->n == 2)
		buf_puts(about, " acted twice");
	else
		buf_printf(about, all->n == 1 ? " acted once" : " acted %d times", all->n);
	event_asked_time(s->p, q, about);
	buf_putc(about, ':');
	buf_free(&by);
}

bool answer_deeds(const struct inquiry *s, const struct question *q, struct answer *out)
{
	records found = {0}, all = {0};
	bool busy = false;
	all_of(s, q, &found);
	carried_on(&s->log, &found);
	/* who waits does nothing, if anything else is told */
	for (int i = 0; i < found.n; i++)
		busy |= !waits(s, found.v[i]);
	for (int i = 0; i < found.n; i++)
		if (!busy || !waits(s, found.v[i]))
			VEC_PUSH(all, found.v[i]);
	bool so = all.n > 0;
	if (!so && q->wanted == WANT_FATE && q->whom.n) {
		so = true;
		buf_puts(&out->about, "Nothing happened to ");
		answer_people(s->p, q->whom.v, q->whom.n, &out->about);
		event_asked_time(s->p, q, &out->about);
		buf_puts(&out->about, ": nobody aimed an act that way, and nothing there changed.");
	} else if (so && !busy && q->wanted == WANT_DEEDS && q->who.n) {
		answer_people(s->p, q->who.v, q->who.n, &out->about);
		buf_puts(&out->about, " did nothing");
		event_asked_time(s->p, q, &out->about);
		buf_puts(&out->about, ", but waited.");
	} else if (so) {
		const int first = all.n > LINES_MOST ? all.n - LINES_MOST : 0;
		begin_said(s, q, &all, &out->about);
		for (int i = first; i < all.n; i++)
			answer_deed_line(s, all.v[i], out);
		if (first)
			answer_figure(out, -1, -1, "%d more before that%s", first,
				q->round ? "" : ": ask with \"in round 1\"");
	}
	answer_capital(s->p, &out->about, 0);
	VEC_FREE(found);
	VEC_FREE(all);
	return so;
}
