/* answer_short.c - why an outcome did not come: a die that fell short, hit points that are left.
 *
 *   orc #2 did not die: 5 hit points are left, and it takes 0 or fewer. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"
#include "runtime/explain/explain.h"

enum { LOSSES_MOST = 6 };

/* "whenever combatant's hit points <= 0 ..": the field that is compared, and the number or the field behind. */
static bool threshold(const struct inquiry *s, int32_t clause, word who, int *field, word *least)
{
	const char *text = s->p->clause[clause].text, *sign = strstr(text, " <= ");
	const char *brace = strchr(text, '{');
	if (!sign || sign > brace)
		return false;
	*field = -1;
	int limit = -1;
	for (int f = 0; f < s->p->fields; f++) {
		const struct field_info *x = &s->p->field[f];
		const size_t n = strlen(x->name);
		if (x->kind != KIND_COMBATANT || !vtype_is_number(x->type) || x->type.frac)
			continue;
		if (sign - text > (ptrdiff_t)n && !strncmp(sign - n, x->name, n) && sign[-(ptrdiff_t)n - 1] == ' ')
			*field = f;
		const char *apostrophe = strstr(sign, "'s ");
		if (apostrophe && apostrophe < brace && !strncmp(apostrophe + 3, x->name, n) && (apostrophe[3 + n] == ' ') && (limit < 0 || n > strlen(s->p->field[limit].name)))
			limit = f;
	}
	const char *number = sign + 4;
	if (isdigit((unsigned char)*number) || (*number == '-' && isdigit((unsigned char)number[1])))
		*least = strtoll(number, NULL, 10);
	else if (limit >= 0)
		*least = s->world[s->p->field[limit].base + (uint32_t)who * s->p->field[limit].stride];
	else
		return false;
	return *field >= 0;
}

/* What took of it: one line for each that did. */
static int losses(const struct inquiry *s, int field, word who, struct answer *out)
{
	int n = 0;
	int32_t from = s->end;
	for (int k = 0; from > 0 && k < LOSSES_MOST; k++) {
		const int32_t before = trace_back_to_change(s->t, from - 1, field, who);
		from = before < 0 ? 0 : before;
	}
	const int32_t earlier = from > 0 ? trace_back_to_change(s->t, from - 1, field, who) : -1;
	if (earlier >= 0) {
		answer_figure(
			out, earlier, -1, "%lld left before that", (long long)log_at(&s->log, earlier)->value);
		n++;
	}
	for (int32_t i = from; i < s->end; i++) {
		const struct record *r = trace_look(s->t, i);
		if (r->kind != REC_CHANGE || r->dropped || r->flag == 1 || r->what != field || r->owner != who)
			continue;
		const struct record c = *log_at(&s->log, i);
		const word *v = trace_values_at(s->t, &c);
		if (!v || v[0] == NONE || c.value >= v[0])
			continue;
		struct answer cause;
		const word old = v[0];
		memset(&cause, 0, sizeof cause);
		absence_cause(s, i, &cause);
		struct buf when = {0};
		answer_when(&s->log, i, &when);
		answer_figure(out, i, c.clause, "%lld - %lld = %lld%s%s%s", (long long)old, (long long)(old - c.value), (long long)c.value, when.length ? " in " : "",
			buf_text(&when), buf_text(&cause.about));
		buf_free(&when);
		answer_free(&cause);
		n++;
	}
	return n;
}

static bool left_of(const struct inquiry *s, const struct question *q, word who, struct answer *out)
{
	const int32_t clause = absence_raised_by(s->p, q->event);
	int field;
	word least;
	if (clause < 0 || !threshold(s, clause, who, &field, &least))
		return false;
	const struct field_info *f = &s->p->field[field];
	struct inquiry then = *s;
	/* in a round that is over: as it was at its end */
	while (q->round > 0 && then.end > 0 && trace_look(s->t, then.end - 1)->round > q->round)
		then.end--;
	const bool over = then.end < s->end;
	const int32_t last = over ? trace_back_to_change(s->t, then.end - 1, field, who) : -1;
	word now = last >= 0 ? log_at(&s->log, last)->value
			     : s->world[f->base + (uint32_t)who * f->stride];
	/* as it was before it changed for the first time */
	for (int32_t i = over && last < 0 ? s->end : -1;
		 i > 0 && (i = trace_back_to_change(s->t, i - 1, field, who)) >= 0;)
		now = trace_values_at(s->t, log_at(&s->log, i))
			? trace_values_at(s->t, log_at(&s->log, i))[0]
			: now;
	if (now == NONE || now <= least)
		return false;
	absence_name(s, who, &out->about);
	buf_printf(&out->about,
		over ? " had %lld %.*s left at the end of round %d, and it takes"
			 : " has %lld %.*s left, and it takes",
		(long long)now, (int)strlen(f->name) - (now == 1 && f->name[strlen(f->name) - 1] == 's'),
		f->name, (int)q->round);
	buf_printf(&out->about, " %lld or fewer", (long long)least);
	const int n = losses(&then, field, who, out);
	buf_puts(&out->about, n ? "." : ": nothing has taken any.");
	answer_rule_of(s->p, out, clause);
	return true;
}

/* Is an event about the same as the one that is asked about: a hit and a miss? */
static bool alike(const struct inquiry *s, int32_t event, int32_t asked)
{
	const struct event_info *e = &s->p->event[event], *a = &s->p->event[asked];
	bool same = event != asked && !e->action && e->roles >= 2 && e->roles == a->roles;
	for (int k = 0; k < e->roles && same; k++)
		same = e->role[k].name && a->role[k].name &&
			!strcmp(e->role[k].name, a->role[k].name);
	return same;
}

int32_t absence_in_its_place(const struct inquiry *s, const struct question *q, word who)
{
	int32_t found = -1;
	/* few events are: the pages that hold none are passed over */
	for (int32_t event = 0; event < s->p->events; event++)
		for (int32_t i = alike(s, event, q->event) ? s->end : found; i > found;) {
			i = trace_back_to_event(s->t, i - 1, 1u << REC_EVENT, event);
			if (i <= found)
				break;
			const struct record r = *trace_look(s->t, i);
			if (r.dropped || r.text < 0 ||
				log_actor(&s->log, log_at(&s->log, i)) != who ||
				!event_in_time(&s->log, q, i))
				continue;
			struct vtype type;
			const word *target;
			if (!q->whom.n ||
				(log_target(&s->log, log_at(&s->log, i), &type, &target) &&
					type.base == VT_LIVE && *target == q->whom.v[0]))
				found = i;
		}
	return found;
}

/* "Elin missed Dain in segment 3", with its dice and the numbers that were asked for. */
static bool instead_of(const struct inquiry *s, int32_t number, struct answer *out)
{
	const int32_t around = log_at(&s->log, number)->parent;
	struct buf when = {0};
	english_event(&s->log, number, MOOD_DID, &out->about);
	if (answer_when(&s->log, number, &when))
		buf_printf(&out->about, " in %s", buf_text(&when));
	buf_putc(&out->about, '.');
	buf_free(&when);
	if (around < 0)
		return true;
	absence_dice(s, around, NONE, out);
	for (int32_t i = log_child(&s->log, around); i >= 0; i = log_sibling(&s->log, i)) {
		const struct record q = *log_at(&s->log, i);
		if (q.kind != REC_QUESTION || q.dropped || q.what < 0 || q.what >= s->p->questions || log_is_zero(s->p->question[q.what].type, q.value))
			continue;
		struct buf b = {0};
		log_question(&s->log, i, &b);
		buf_puts(&b, ": ");
		log_answer(&s->log, i, q.what, q.value, &b);
		answer_figure(out, i, q.clause, "%s", buf_text(&b));
		buf_free(&b);
	}
	return true;
}

bool absence_outcome(const struct inquiry *s, const struct question *q, word who, struct answer *out)
{
	if (s->p->event[q->event].roles == 1 && left_of(s, q, who, out))
		return true;
	const int32_t instead = absence_in_its_place(s, q, who);
	if (instead >= 0) {
		struct question other = *q;
		other.kind = ASK_EVENT;
		other.event = log_at(&s->log, instead)->what;
		other.record = instead;
		other.negated = false;
		return answer_event(s, &other, out) || instead_of(s, instead, out);
	}
	struct question act = *q;
	act.event = -1;
	if (s->p->event[q->event].roles < 2)
		return false;
	return absence_happened(s, &act, who) < 0 && absence_told(s, &act, who, out);
}
