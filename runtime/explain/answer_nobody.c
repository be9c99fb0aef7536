/* answer_nobody.c - why nobody did it: what those who could have done it did instead.
 *
 *   Nobody attacked Wyn in round 2: orc #2 and orc #3 were to attack Ragna, as the policy chose.
 *     orc #1: fell in count 3 of round 1, when Ragna attacked orc #1 */
#include <string.h>
#include <strings.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/placing.h"
#include "runtime/explain/event.h"

enum { REASONS_MOST = 7, LINE_WIDE = 74 };

static bool is_one_of(const people *who, word w)
{
	for (int i = 0; i < who->n; i++)
		if (who->v[i] == w)
			return true;
	return false;
}

/* Did anybody do that to one of their own side? */
static bool among_friends(const struct inquiry *s, int32_t event)
{
	for (int32_t i = trace_back_to_event(s->t, s->end - 1, 1u << REC_EVENT, event); i >= 0;
		 i = trace_back_to_event(s->t, i - 1, 1u << REC_EVENT, event)) {
		struct vtype type;
		const word *target;
		const word who = log_actor(&s->log, log_at(&s->log, i));
		if (who != NONE && log_target(&s->log, log_at(&s->log, i), &type, &target) &&
			type.base == VT_LIVE && type.kind == KIND_COMBATANT && *target != who &&
			order_side(s, *target) == order_side(s, who))
			return true;
	}
	return false;
}

/* Who could have: those who are named, or the others' side, or everybody. */
static void candidates(const struct inquiry *s, const struct question *q, people *out)
{
	const bool friends = q->whom.n == 0 || q->event < 0 || among_friends(s, q->event);
	for (int i = 0; i < s->p->lives[KIND_COMBATANT]; i++) {
		if (is_one_of(&q->whom, i) || (q->who.n && !is_one_of(&q->who, i)))
			continue;
		if (friends || order_side(s, i) != order_side(s, q->whom.v[0]))
			VEC_PUSH(*out, i);
	}
}

/* The first record of a round behind the one that is asked about; the end. */
static int32_t end_of(const struct inquiry *s, const struct question *q)
{
	int32_t last = s->end;
	const int32_t to = q->round > 0 ? q->round : q->to;
	while ((to > 0 || q->before_rounds) && last > 0 && trace_look(s->t, last - 1)->round > to)
		last--;
	return last;
}

/* What one of them did instead: "attack Ragna, as the policy chose"; or what befell them. */
enum reason_sort { REASON_DEED, REASON_FATE, REASON_SENTENCE };
struct reason { enum reason_sort sort; struct buf text; };
typedef VEC(struct reason) reasons;

bool absence_befell_early(
	const struct inquiry *s, word who, int32_t before, const char *between, struct buf *out)
{
	const char *name = s->p->live[KIND_COMBATANT][who].name;
	const size_t n = strlen(name);
	bool so = false;
	for (int32_t i = 0; i < before && !so && trace_look(s->t, i)->round <= 0; i++) {
		const struct record r = *trace_look(s->t, i);
		const bool event = r.kind == REC_EVENT && r.flag == EVENT_DONE &&
			!s->p->event[r.what].action && s->p->event[r.what].roles == 1;
		if ((!event && r.kind != REC_NOTE) || r.dropped || r.text < 0)
			continue;
		struct buf b = {0};
		english_sentence(s->p, trace_text_at(s->t, r.text), MOOD_DID, &b);
		so = b.length > n + 1 && !strncmp(buf_text(&b), name, n) && buf_text(&b)[n] == ' ';
		if (so)
			buf_printf(out, "%s%s", between, buf_text(&b) + n + 1);
		buf_free(&b);
	}
	return so;
}

static struct reason instead(const struct inquiry *s, const struct question *q, word who)
{
	static const char *const by[] = {[BY_SCRIPT] = "as the script says",
		[BY_POLICY] = "as the policy chose",
		[BY_PROMPT] = "as was told at the prompt",
		[BY_DEFAULT] = "by default"};
	struct reason r = {.sort = REASON_FATE};
	struct answer a;
	memset(&a, 0, sizeof a);
	const int32_t end = absence_of(s, q, who), declared = absence_declared(s, q, who);
	const struct record d = declared >= 0 ? *log_at(&s->log, declared) : (struct record){0};
	const bool idle = declared >= 0 && d.flag == BY_DEFAULT &&
		(s->p->event[d.what].idle || s->p->event[d.what].waiting);
	if (q->event >= 0 && !s->p->event[q->event].action) {
		struct question one = *q;
		one.who = (people){.v = &who, .n = 1};
		if (absence_told(s, &one, who, &a))
			r.sort = REASON_SENTENCE;
		/* the same of many is said once */
		static const char nothing[] = "nothing brought it about.";
		const size_t n = sizeof nothing - 1;
		if (a.about.length > n &&
			!strcmp(buf_text(&a.about) + a.about.length - n, nothing)) {
			buf_clear(&a.about);
			buf_add(&a.about, nothing, n - 1);
			r.sort = REASON_FATE;
		}
	} else if (end >= 0) {
		absence_end(s, end, &a);
		r.sort = REASON_SENTENCE;
	} else if (declared >= 0 && !idle) {
		absence_deed(s, declared, &a.about);
		buf_printf(&a.about, ", %s", by[d.flag < FRAY_COUNT(by) ? d.flag : BY_DEFAULT]);
		r.sort = REASON_DEED;
	} else if (q->before_rounds && absence_befell_early(s, who, s->end, "", &a.about)) {
		;
	} else if (!absence_unable(s, who, end_of(s, q), 0, -1, &a)) {
		buf_puts(&a.about, declared >= 0 ? "nothing was declared" : "was not asked");
	}
	buf_puts(&r.text, buf_text(&a.about));
	answer_free(&a);
	return r;
}

/* Those who have the reason of the one at `i`; none when somebody before has it. */
static people who_share(const reasons *r, const people *all, int i)
{
	people same = {0};
	for (int k = 0; k < r->n; k++) {
		if (strcmp(buf_text(&r->v[k].text), buf_text(&r->v[i].text)) != 0)
			continue;
		if (k < i)
			return same;
		VEC_PUSH(same, all->v[k]);
	}
	return same;
}

/* What most of them were to do, in the sentence: ": orc #2 and orc #3 were to attack Ragna"; with `apart` of all
 * whom the sentence names: ", but were to attack Ragna". */
static int most_told(const struct inquiry *s, const reasons *r, const people *all, bool apart, struct buf *out)
{
	int most = -1, n = 0;
	for (int i = 0; i < r->n; i++) {
		people same = who_share(r, all, i);
		if (r->v[i].sort == REASON_DEED && same.n > n) {
			most = i;
			n = same.n;
		}
		VEC_FREE(same);
	}
	if (most < 0)
		return -1;
	people same = who_share(r, all, most);
	const bool each = apart && same.n == all->n;
	buf_puts(out, each ? ", but" : ": ");
	if (!each)
		answer_people(s->p, same.v, same.n, out);
	buf_printf(out, same.n > 1 ? " were to %s" : " was to %s", buf_text(&r->v[most].text));
	VEC_FREE(same);
	return most;
}

/* They who have one reason share a line. */
static void reasons_told(
	const struct inquiry *s, const reasons *r, const people *all, int but, struct answer *out)
{
	int told = 0, left = 0;
	for (int i = 0; i < r->n; i++) {
		people same = who_share(r, all, i);
		struct buf names = {0};
		answer_people(s->p, same.v, same.n, &names);
		const int lines = 1 + (int)r->v[i].text.length / LINE_WIDE;
		if (same.n && i != but && told + lines > REASONS_MOST)
			left += same.n;
		else if (same.n && i != but && (told += lines) && r->v[i].sort == REASON_SENTENCE)
			answer_figure(out, -1, -1, "%s", buf_text(&r->v[i].text));
		else if (same.n && i != but)
			answer_figure(out, -1, -1, "%s: %s", buf_text(&names), buf_text(&r->v[i].text));
		buf_free(&names);
		VEC_FREE(same);
	}
	if (left)
		answer_figure(out, -1, -1, left > 1 ? "and %d others" : "and %d other", left);
}

/* Those of `all` who did not do it, told below the sentence. */
static void not_done_told(const struct inquiry *s, const struct question *q, const people *all, bool apart, struct answer *out)
{
	reasons r = {0};
	for (int i = 0; i < all->n; i++)
		VEC_PUSH(r, instead(s, q, all->v[i]));
	const int most = most_told(s, &r, all, apart, &out->about);
	event_stop(s->p, &out->about);
	reasons_told(s, &r, all, most, out);
	for (int i = 0; i < r.n; i++)
		buf_free(&r.v[i].text);
	VEC_FREE(r);
}

bool absence_several(const struct inquiry *s, const struct question *q, struct answer *out)
{
	people did = {0}, not = {0};
	for (int i = 0; i < q->who.n; i++) {
		const int32_t end = absence_of(s, q, q->who.v[i]), done = absence_happened(s, q, q->who.v[i]);
		if (done >= 0 && done > end)
			VEC_PUSH(did, q->who.v[i]);
		else
			VEC_PUSH(not, q->who.v[i]);
	}
	const bool so = not.n > 0;
	struct question one = *q;
	one.who = not;
	if (so && did.n) {
		answer_people(s->p, did.v, did.n, &out->about);
		buf_puts(&out->about, " did; ");
	}
	if (so) {
		event_did_not(s, &one, &out->about);
		not_done_told(s, q, &not, true, out);
	}
	VEC_FREE(did);
	VEC_FREE(not);
	return so;
}

bool absence_nobody(const struct inquiry *s, const struct question *q, struct answer *out)
{
	int32_t found = -1;
	for (int32_t i = s->end - 1; i >= 0 && found < 0; i--) {
		bool so = q->who.n == 0 && event_answers(s, q, i, NONE);
		for (int k = 0; k < q->who.n && !so; k++)
			so = event_answers(s, q, i, q->who.v[k]);
		/* who waits does nothing */
		const int32_t what = so && trace_look(s->t, i)->kind == REC_EVENT ? trace_look(s->t, i)->what : -1;
		so = so && !(q->event < 0 && what >= 0 && (s->p->event[what].idle || s->p->event[what].waiting));
		found = so ? i : -1;
	}
	if (found >= 0) {
		answer_premise(out, PREMISE_SOMEBODY);
		event_say(s, found, &out->about, out);
		event_stop(s->p, &out->about);
		return true;
	}
	struct question nobody = *q;
	nobody.who.n = 0;
	event_did_not(s, &nobody, &out->about);
	int32_t begin = 0; /* of the rounds */
	while (begin < s->end && trace_look(s->t, begin)->round <= 0)
		begin++;
	if (q->before_rounds && trace_back(s->t, begin - 1, 1u << REC_DECLARE) < 0) {
		buf_puts(&out->about, " before the first round.");
		answer_capital(s->p, &out->about, 0);
		order_early_dice(s, begin, out);
		return true;
	}
	/* others may have done it: "none of the skeletons died" */
	if (q->who.n && q->who.n < s->p->lives[KIND_COMBATANT] &&
		!strncasecmp(buf_text(&out->about), "nobody", 6)) {
		struct buf some = {0};
		if (q->who.n == 1) {
			event_did_not(s, q, &some);
		} else {
			buf_puts(&some, "none of ");
			answer_people(s->p, q->who.v, q->who.n, &some);
			buf_puts(&some, buf_text(&out->about) + 6);
		}
		buf_clear(&out->about);
		buf_puts(&out->about, buf_text(&some));
		answer_capital(s->p, &out->about, 0);
		buf_free(&some);
	}
	people all = {0};
	candidates(s, q, &all);
	not_done_told(s, q, &all, false, out);
	VEC_FREE(all);
	return true;
}
