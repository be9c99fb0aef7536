/* answer_list.c - who did it, to whom, and how often: all events that answer a question, counted
 * and put together by whoever did them, or by whom they befell.
 *
 *   slinger #1 (twice), slinger #2 (twice) and reaver #3 hit Aldric, for 13 damage in all.
 *     reaver #3 hit Aldric for 6 damage in round 1: 16 reaches the 13 needed */
#include <stdlib.h>
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"

enum { LINES_MOST = 7, LINE_WIDE = 76, ROUNDS_MOST = 40, EVENTS_MOST = 2000 };

/* One event: who did it, and to whom. */
struct entry { int32_t record; word by, to; };
struct entries { struct entry at[EVENTS_MOST]; int n; };

/* ---- which ---- */

/* An event with one person in it befalls them; who did it is around it. */
static bool befalls(const struct log *l, const struct question *q)
{
	return q->event >= 0 && !l->p->event[q->event].action &&
		event_people(&l->p->event[q->event]) == 1;
}

static bool befell(const struct log *l, int32_t number)
{
	const struct record *r = log_at(l, number);
	return !l->p->event[r->what].action && event_people(&l->p->event[r->what]) == 1;
}

static struct entry entry_of(const struct log *l, const struct question *q, int32_t number)
{
	struct entry e = {number, log_actor(l, log_at(l, number)), NONE};
	struct vtype type;
	const word *target;
	if (befalls(l, q)) {
		const int32_t doing = event_doing(l, number, e.by);
		e.to = e.by;
		e.by = doing >= 0 ? log_actor(l, log_at(l, doing)) : NONE;
	} else if (log_target(l, log_at(l, number), &type, &target) && type.base == VT_LIVE &&
		type.kind == KIND_COMBATANT) {
		e.to = *target;
	}
	return e;
}

static void collect(const struct inquiry *s, const struct question *q, struct entries *out)
{
	struct question any = *q;
	if (q->doer)
		any.who.n = 0;
	out->n = 0;
	for (int32_t i = 0; i < s->end && out->n < EVENTS_MOST; i++) {
		bool so = any.who.n == 0 && event_answers(s, &any, i, NONE);
		for (int k = 0; k < any.who.n && !so; k++)
			so = event_answers(s, &any, i, any.who.v[k]);
		if (!so)
			continue;
		const struct entry e = entry_of(&s->log, q, i);
		if ((!q->doer || people_has(&q->who, e.by)) &&
			(!q->by.n || people_has(&q->by, e.by)))
			out->at[out->n++] = e;
	}
}

/* ---- said ---- */

static void times_add(int n, struct buf *out)
{
	if (n == 2)
		buf_puts(out, "twice");
	else
		buf_printf(out, n == 1 ? "once" : "%d times", n);
}

/* "slinger #1 (twice), reaver #3 and Hrolf": each once, with how often. */
static int people_counted(
	const struct inquiry *s, const struct entries *e, bool by, struct buf *out)
{
	word who[EVENTS_MOST];
	int times[EVENTS_MOST], n = 0;
	for (int i = 0; i < e->n; i++) {
		const word w = by ? e->at[i].by : e->at[i].to;
		int k = 0;
		while (k < n && who[k] != w)
			k++;
		if (k == n) {
			who[n] = w;
			times[n++] = 0;
		}
		times[k]++;
	}
	for (int i = 0; i < n; i++) {
		buf_puts(out, i == 0 ? "" : i == n - 1 ? " and " : ", ");
		if (who[i] == NONE)
			buf_puts(out, "nobody in particular");
		else
			program_live(s->p, KIND_COMBATANT, who[i], out);
		if (times[i] > 1) {
			buf_puts(out, " (");
			times_add(times[i], out);
			buf_putc(out, ')');
		}
	}
	return n;
}

/* What an event was told to come to, as a number and what it counts: 5 and "damage". */
static bool amount_of(const struct log *l, int32_t number, long *amount, const char **what)
{
	char *end;
	for (int32_t i = number; i >= 0; i = i == number ? log_child(l, number) : log_sibling(l, i)) {
		const struct record *r = log_at(l, i);
		if (r->kind != REC_EVENT || r->dropped || r->text < 0)
			continue;
		const char *told = trace_text_at(l->t, r->text);
		if (*told < '0' || *told > '9')
			continue;
		*amount = strtol(told, &end, 10);
		*what = end + (*end == ' ');
		return true;
	}
	return false;
}

/* All of what they were told to come to: 21 and "damage". False: they came to nothing that adds up.
 */
static bool sum_of(const struct inquiry *s, const struct entries *e, long *all, const char **what)
{
	long one;
	const char *other;
	*what = NULL;
	*all = 0;
	for (int i = 0; i < e->n; i++) {
		if (!amount_of(&s->log, e->at[i].record, &one, &other) || (*what && strcmp(*what, other)))
			continue;
		*what = other;
		*all += one;
	}
	return *what != NULL;
}

static void sum_add(const struct inquiry *s, const struct entries *e, struct buf *out)
{
	long all;
	const char *what;
	if (sum_of(s, e, &all, &what))
		buf_printf(out, ", for %ld %s%s", all, what, e->n > 1 ? " in all" : "");
}

/* "hit", "missed": an event by its name. */
static void verb_form(const struct inquiry *s, int32_t event, enum tense tense, struct buf *out)
{
	struct buf third = {0};
	verb_add(s->p->event[event].name, &third);
	const size_t head = strcspn(buf_text(&third), " ");
	english_verb(buf_text(&third), head, tense, out);
	buf_puts(out, buf_text(&third) + head);
	buf_free(&third);
}

/* The verb of a telling, and what stands between it and whom it is done to: "shot at", "died"; of
 * acts of several sorts the verb that is asked about. */
static void linked(const struct inquiry *s, const struct question *q, const struct entry *e,
	enum tense tense, struct buf *out)
{
	const struct record *r = log_at(&s->log, e->record);
	const bool mixed = q->blow >= 0 && r->what != q->event;
	const int32_t what = mixed ? q->event : r->what;
	const char *text = r->text >= 0 && !mixed ? trace_text_at(s->t, r->text) : "";
	size_t subject, verb;
	if (english_split(s->p, text, &subject, &verb)) {
		const char *name = e->to == NONE ? NULL : s->p->live[KIND_COMBATANT][e->to].name;
		const char *to = name ? strstr(text + verb, name) : NULL;
		const size_t n = to ? (size_t)(to - text) - verb : strlen(text + verb);
		english_verb(text + subject + 1, verb - subject - 1, tense, out);
		buf_add(out, text + verb, n);
		while (out->length && out->data[out->length - 1] == ' ')
			out->data[--out->length] = '\0';
		return;
	}
	verb_form(s, what, tense, out);
}

static void asked_people(const struct inquiry *s, const people *p, word side, struct buf *out)
{
	if (side != NONE)
		buf_printf(out, "the %s", s->p->live[KIND_SIDE][side].name);
	else
		answer_people(s->p, p->v, p->n, out);
}

/* Whom the events befell, or who did them: those that the question does not name. */
static void others_add(
	const struct inquiry *s, const struct entries *e, bool by, const char *joint, struct buf *out)
{
	struct buf who = {0};
	const int n = people_counted(s, e, by, &who);
	if (n > 1 || (by ? e->at[0].by : e->at[0].to) != NONE)
		buf_printf(out, "%s%s", joint, buf_text(&who));
	buf_free(&who);
}

/* "Aldric was hit 6 times, for 13 damage in all: by .."; "Corin did 21 damage in all: 8 to .." */
static void counted_said(
	const struct inquiry *s, const struct question *q, const struct entries *e, struct buf *out)
{
	const bool upon = befalls(&s->log, q) ? !q->doer : q->who.n == 0;
	const people *of = q->who.n ? &q->who : &q->whom;
	const char *what;
	long all;
	const bool amount = befalls(&s->log, q) && sum_of(s, e, &all, &what);
	if (of->n)
		asked_people(s, of, q->who.n > 1 ? q->who_side : NONE, out);
	if (of->n == 0) {
		buf_puts(out, "it happened");
	} else if (amount) {
		buf_printf(out, upon ? " took %ld %s in all," : " did %ld %s in all,", all, what);
	} else {
		buf_puts(out, !upon || befalls(&s->log, q) ? " " : of->n > 1 ? " were " : " was ");
		linked(s, q, &e->at[0],
			upon && !befalls(&s->log, q) ? TENSE_PARTICIPLE : TENSE_PAST, out);
		/* "shot twice", not "shot at twice" */
		if (!upon && out->length > 3 && !strcmp(buf_text(out) + out->length - 3, " at"))
			out->data[out->length -= 3] = '\0';
	}
	buf_putc(out, ' ');
	times_add(e->n, out);
	event_asked_time(s->p, q, out);
	if (!amount)
		sum_add(s, e, out);
	if (of->n == 1 || upon)
		others_add(s, e, upon, upon ? ": by " : ": ", out);
}

/* " hobgoblin #2's back": whom it was told of, and what follows, where all were told the same. */
static void told_tail(const struct inquiry *s, const struct entries *e, struct buf *out)
{
	const char *tail = NULL;
	for (int i = 0; i < e->n; i++) {
		const struct record *r = log_at(&s->log, e->at[i].record);
		const char *text = r->text >= 0 ? trace_text_at(s->t, r->text) : "";
		const char *name =
			e->at[i].to == NONE ? NULL : s->p->live[KIND_COMBATANT][e->at[i].to].name;
		const char *to = name ? strstr(text, name) : NULL;
		if (!to || to == text || (tail && strcmp(tail, to) != 0))
			return;
		tail = to;
	}
	if (tail)
		buf_printf(out, " %s", tail);
}

/* "slinger #1 and Hrolf hit Aldric"; "Corin hit slinger #1 (twice)"; "Hrolf and slinger #1 died".
 */
static void who_said(
	const struct inquiry *s, const struct question *q, const struct entries *e, struct buf *out)
{
	if (befalls(&s->log, q)) {
		people_counted(s, e, false, out);
		buf_putc(out, ' ');
		linked(s, q, &e->at[0], TENSE_PAST, out);
		if (q->doer)
			others_add(s, e, true, ", by ", out);
	} else if (q->wanted == WANT_WHOM && q->who.n == 0 && q->whom.n == 0) {
		const int n = people_counted(s, e, false, out);
		buf_puts(out, n > 1 ? " were " : " was ");
		linked(s, q, &e->at[0], TENSE_PARTICIPLE, out);
	} else if ((q->wanted == WANT_WHOM || q->wanted == WANT_MANY_WHOM) && q->who.n) {
		asked_people(s, &q->who, q->who.n > 1 ? q->who_side : NONE, out);
		buf_putc(out, ' ');
		linked(s, q, &e->at[0], TENSE_PAST, out);
		others_add(s, e, false, " ", out);
	} else {
		const int n = people_counted(s, e, true, out);
		const size_t from = out->length;
		buf_putc(out, ' ');
		linked(s, q, &e->at[0], TENSE_PAST, out);
		if (n > 1 && !strncmp(buf_text(out) + from, " was ", 5)) {
			struct buf were = {0};
			buf_puts(&were, out->data + from + 4);
			out->length = from;
			buf_printf(out, " were%s", buf_text(&were));
			buf_free(&were);
		}
		if (q->whom.n) {
			buf_putc(out, ' ');
			answer_people(s->p, q->whom.v, q->whom.n, out);
		} else if (out->length > 3 && !strcmp(buf_text(out) + out->length - 3, " at")) {
			told_tail(s, e, out);
		}
	}
	event_asked_time(s->p, q, out);
	sum_add(s, e, out);
}

/* "3 of 4: " of those asked about. */
static void many_add(
	const struct inquiry *s, const struct question *q, const struct entries *e, struct buf *out)
{
	struct buf names = {0};
	const bool upon = q->wanted == WANT_MANY_WHOM;
	const int n = people_counted(s, e, !upon && !befalls(&s->log, q), &names);
	const int of = q->whom.n && (upon || befalls(&s->log, q)) ? q->whom.n : q->who.n;
	if (of >= n && q->who.n && !q->doer) /* "how many orcs did Ann fell": of those it befell */
		buf_printf(out, "%d of %d: ", n, of);
	else
		buf_printf(out, "%d: ", n);
	buf_free(&names);
}

/* ---- figures ---- */

/* A line for each, if they are few. */
static bool few_told(const struct inquiry *s, const struct entries *e, struct answer *out)
{
	struct answer each;
	size_t lines = 0;
	memset(&each, 0, sizeof each);
	for (int i = 0; i < e->n && lines <= LINES_MOST; i++) {
		struct buf one = {0};
		const int32_t number = e->at[i].record, doing = event_doing(&s->log, number, e->at[i].to);
		long amount;
		const char *what;
		/* "5 damage" is told by the blow */
		const bool blow = amount_of(&s->log, number, &amount, &what) && doing >= 0 &&
			e->at[i].by != NONE && befell(&s->log, number);
		event_say(s, blow ? doing : number, &one, NULL);
		answer_figure(&each, number, -1, "%s", buf_text(&one));
		lines += 1 + one.length / LINE_WIDE;
		buf_free(&one);
	}
	if (lines <= LINES_MOST)
		answer_figures_from(out, &each);
	answer_free(&each);
	return lines <= LINES_MOST;
}

/* Each of few; of many, for each who did it, or whom it befell, the rounds. */
static void each_told(const struct inquiry *s, const struct entries *e, bool by, struct answer *out)
{
	if (few_told(s, e, out))
		return;
	for (int i = 0, shown = 0; i < e->n && shown < LINES_MOST; i++) {
		const word who = by ? e->at[i].by : e->at[i].to;
		struct buf rounds = {0};
		int n = 0;
		int32_t last = -1;
		bool old = who == NONE;
		for (int k = 0; k < i && !old; k++)
			old = (by ? e->at[k].by : e->at[k].to) == who;
		for (int k = i; k < e->n && !old; k++) {
			const int32_t round = log_at(&s->log, e->at[k].record)->round;
			if ((by ? e->at[k].by : e->at[k].to) != who || round == last)
				continue;
			const bool early = round <= 0;
			if (!early)
				buf_printf(&rounds, n == 0 ? "%sround %d" : "%s%d",
					n == 0 && rounds.length ? ", "
						: n					? ", "
											: "",
					round);
			else
				buf_puts(&rounds, "before the first round");
			n += !early;
			last = round;
		}
		if (!old) {
			answer_figure(out, e->at[i].record, -1, "%s: %s", s->p->live[KIND_COMBATANT][who].name,
				buf_text(&rounds));
			shown++;
		}
		buf_free(&rounds);
	}
}

/* "who died first": the one of all that answer it. */
static bool end_told(const struct inquiry *s, const struct question *q, struct answer *out)
{
	struct question any = *q;
	struct entries e;
	any.kind = ASK_EVENT;
	collect(s, &any, &e);
	if (e.n == 0)
		return false;
	const int at = q->order == ASKED_FIRST ? 0 : e.n - 1;
	const word own = befalls(&s->log, q) ? e.at[at].to : e.at[at].by;
	const bool other = q->who.n && !people_has(&q->who, own);
	if (other)
		answer_premise(out, PREMISE_OTHER);
	event_say(s, e.at[at].record, &out->about, out);
	event_stop(s->p, &out->about);
	if (e.n > 1)
		answer_figure(
			out, e.at[at].record, -1, "the %s of %d", at == 0 ? "first" : "last", e.n);
	return true;
}

/* "who was never hit": those of whom it is not told; and those of whom it is. */
static bool never_told(const struct inquiry *s, const struct question *q, struct answer *out)
{
	struct entries e;
	people did = {0}, not = {0};
	const bool upon = q->passive || befalls(&s->log, q);
	struct question any = *q;
	any.kind = ASK_EVENT;
	any.negated = false;
	collect(s, &any, &e);
	for (int i = 0; i < s->p->lives[KIND_COMBATANT]; i++) {
		bool so = false;
		for (int k = 0; k < e.n && !so; k++)
			so = (upon ? e.at[k].to : e.at[k].by) == i;
		if (so)
			VEC_PUSH(did, i);
		else
			VEC_PUSH(not, i);
	}
	if (not .n) {
		struct question those = *q;
		those.who = upon && !befalls(&s->log, q) ? (people){0} : not ;
		if (those.who.n) {
			event_did_not(s, &those, &out->about);
		} else {
			answer_people(s->p, not .v, not .n, &out->about);
			buf_puts(&out->about, not .n > 1 ? " were not " : " was not ");
			verb_form(s, q->event, TENSE_PARTICIPLE, &out->about);
			event_asked_time(s->p, q, &out->about);
		}
	} else {
		buf_puts(&out->about, "nobody: it can be said of all of them");
	}
	if (not .n && did.n) {
		buf_puts(&out->about, "; ");
		answer_people(s->p, did.v, did.n, &out->about);
		buf_puts(&out->about,
			!upon || befalls(&s->log, q) ? " did"
				: did.n > 1          ? " were"
						     : " was");
	}
	event_stop(s->p, &out->about);
	VEC_FREE(did);
	VEC_FREE(not );
	return true;
}

bool answer_list(const struct inquiry *s, const struct question *q, struct answer *out)
{
	struct entries e;
	if (q->wanted == WANT_DEEDS || q->wanted == WANT_FATE)
		return answer_deeds(s, q, out);
	if (q->kind == ASK_ORDER)
		return end_told(s, q, out);
	if (q->kind == ASK_NOT)
		return q->event >= 0 && never_told(s, q, out);
	/* "who killed Hrolf": the one death says it */
	if (q->wanted == WANT_WHO && befalls(&s->log, q) && q->who.n == 1 && !q->doer)
		return false;
	collect(s, q, &e);
	if (e.n == 0 && (q->wanted == WANT_MANY || q->wanted == WANT_MANY_WHOM) && !q->doer &&
		!q->by.n && !q->told_verb && q->event >= 0) {
		buf_puts(&out->about, "none: ");
		event_did_not(s, q, &out->about);
		event_stop(s->p, &out->about);
		return true;
	}
	if (e.n == 0 && q->doer && q->event >= 0) { /* "Ypsi killed nobody" */
		struct question whom = *q;
		whom.who = (people){0};
		event_did_not(s, &whom, &out->about);
		buf_puts(&out->about, " by ");
		asked_people(s, &q->who, q->who.n > 1 ? q->who_side : NONE, &out->about);
		event_stop(s->p, &out->about);
		return true;
	}
	if (e.n == 0)
		return false;
	if (q->wanted == WANT_COUNT)
		counted_said(s, q, &e, &out->about);
	else {
		if (q->wanted == WANT_MANY || q->wanted == WANT_MANY_WHOM)
			many_add(s, q, &e, &out->about);
		who_said(s, q, &e, &out->about);
	}
	event_stop(s->p, &out->about);
	const bool by = befalls(&s->log, q) ? q->wanted == WANT_COUNT && !q->doer : q->who.n == 0;
	if (e.n > 1 || q->wanted != WANT_CAUSE)
		each_told(s, &e, by, out);
	return true;
}
