/* ledger_said.c - answers made of the entries of a ledger. See ledger.h. */
#include <stdlib.h>
#include <string.h>

#include "runtime/explain/amount.h"
#include "runtime/explain/event.h"
#include "runtime/explain/ledger.h"
#include "runtime/explain/sum.h"

enum { LINES_MOST = 7, LINE_WIDE = 76, PEOPLE_MOST = 256 };

void ledger_times(int n, struct buf *out)
{
	if (n == 2)
		buf_puts(out, "twice");
	else
		buf_printf(out, n == 1 ? "once" : "%d times", n);
}

void ledger_when(const struct inquiry *s, int32_t record, struct buf *out)
{
	struct buf at = {0};
	if (answer_when(&s->log, record, &at))
		buf_printf(out,
			log_at(&s->log, record)->round > 0 ? " in %s" : " before the first round",
			buf_text(&at));
	buf_free(&at);
}

int64_t ledger_sum(const ledger *l)
{
	int64_t all = 0;
	for (int i = 0; i < l->n; i++)
		all += l->v[i].amount;
	return all;
}

void ledger_much(const struct ledger_question *q, int64_t n, struct buf *out)
{
	const char *noun = q->topic.noun;
	const size_t length = strlen(noun);
	const int cut = n == 1 && noun[length - 1] == 's';
	if (n == 0)
		buf_puts(out, "no");
	else
		buf_printf(out, "%lld", (long long)n);
	buf_printf(out, " %.*s", (int)length - cut, noun);
}

void ledger_people(const struct inquiry *s, const people *p, word side, struct buf *out)
{
	if (side != NONE && p->n > 1)
		buf_printf(out, "the %s", s->p->live[KIND_SIDE][side].name);
	else if (p->n == s->p->lives[KIND_COMBATANT] && p->n > 1)
		buf_puts(out, "everybody");
	else
		answer_people(s->p, p->v, p->n, out);
}

/* Each once, with their sums, those with the most first. */
struct rank { word who[PEOPLE_MOST]; int64_t sum[PEOPLE_MOST]; int times[PEOPLE_MOST], n; };

static void rank_of(const ledger *l, bool upon, struct rank *r)
{
	r->n = 0;
	for (int i = 0; i < l->n; i++) {
		const word who = upon ? l->v[i].to : l->v[i].by;
		int k = 0;
		while (k < r->n && r->who[k] != who)
			k++;
		if (k == PEOPLE_MOST)
			continue;
		if (k == r->n) {
			r->who[r->n] = who;
			r->sum[k] = r->times[k] = 0;
			r->n++;
		}
		r->sum[k] += l->v[i].amount;
		r->times[k]++;
	}
	for (int i = 1; i < r->n; i++)
		for (int k = i; k > 0 && r->sum[k] > r->sum[k - 1]; k--) {
			const word who = r->who[k];
			const int64_t sum = r->sum[k];
			const int times = r->times[k];
			r->who[k] = r->who[k - 1];
			r->sum[k] = r->sum[k - 1];
			r->times[k] = r->times[k - 1];
			r->who[k - 1] = who;
			r->sum[k - 1] = sum;
			r->times[k - 1] = times;
		}
}

static void name_add(const struct inquiry *s, word who, struct buf *out)
{
	if (who == NONE)
		buf_puts(out, "nobody in particular");
	else
		program_live(s->p, KIND_COMBATANT, who, out);
}

static void names_add(const struct inquiry *s, const struct rank *r, bool sums, struct buf *out)
{
	for (int i = 0; i < r->n; i++) {
		buf_puts(out, i == 0 ? "" : i == r->n - 1 ? " and " : ", ");
		name_add(s, r->who[i], out);
		if (sums && r->n > 1)
			buf_printf(out, " (%lld)", (long long)r->sum[i]);
	}
}

/* ---- a line for each ---- */

/* "Bruna hit orc #1 for 5 damage in segment 4 of round 1: 17 reaches the 11 needed"; "Bruna got 6
 * hit points back when Wim's cure was complete in .." */
static void entry_add(
	const struct inquiry *s, const struct ledger_question *q, const struct ledger_entry *e,
	struct buf *out)
{
	struct buf told = {0}, number = {0};
	buf_printf(&number, " for %lld ", (long long)e->amount);
	if (e->doing >= 0)
		event_say(s, e->doing, &told, NULL);
	if (told.length && strstr(buf_text(&told), buf_text(&number))) {
		buf_puts(out, buf_text(&told));
	} else {
		name_add(s, e->to, out);
		buf_printf(out, " %s ", q->topic.got);
		ledger_much(q, e->amount, out);
		buf_puts(out, q->topic.back);
		if (e->meant != e->amount)
			buf_printf(out, " of %lld", (long long)e->meant);
		if (e->doing >= 0) {
			buf_puts(out, " when ");
			english_event(&s->log, e->doing, MOOD_DID, out);
		}
		ledger_when(s, e->record, out);
		if (q->topic.given && e->amount == 0)
			buf_puts(out, ": there were none to get back");
	}
	buf_free(&told);
	buf_free(&number);
}

static void each_told(const struct inquiry *s, const struct ledger_question *q, const ledger *l,
	struct answer *out)
{
	size_t lines = 0;
	int i = 0;
	for (; i < l->n; i++) {
		struct buf one = {0};
		entry_add(s, q, &l->v[i], &one);
		lines += 1 + one.length / LINE_WIDE;
		const bool fits = lines <= LINES_MOST || (lines <= LINES_MOST + 1 && i == l->n - 1);
		if (fits)
			answer_figure(out, l->v[i].record, -1, "%s", buf_text(&one));
		buf_free(&one);
		if (!fits)
			break;
	}
	if (i < l->n)
		answer_figure(out, -1, -1, l->n - i > 1 ? "and %d more" : "and %d more", l->n - i);
}

/* A die with what it had to reach; those of one name in a row: "bugbear's harm 4, 2, 5 and 6". */
void ledger_die(const struct inquiry *s, const int32_t *roll, int n, struct answer *out)
{
	const struct log *l = &s->log;
	const struct record r = *log_at(l, roll[0]);
	struct buf line = {0};
	struct sum sum;
	const int32_t test = n == 1 ? sum_after(l, roll[0]) : -1;
	log_label(l, &r, &line);
	for (int i = 0; i < n; i++) {
		const struct record x = *log_at(l, roll[i]);
		buf_puts(&line, i == 0 ? " " : i == n - 1 ? " and " : ", ");
		log_total(l, &x, &line);
		if (n == 1)
			log_fall(l, &x, true, &line);
	}
	if (test >= 0 && sum_read(l, test, &sum) && *sum.how) {
		buf_puts(&line, ": ");
		sum_compared(l, &sum, &line);
	}
	answer_figure(out, roll[0], -1, "%s", buf_text(&line));
	buf_free(&line);
}

/* The dice that fell for one entry below what brought it about: his own, and nobody's. */
static void dice_told(const struct inquiry *s, const struct ledger_entry *e, struct answer *out)
{
	const struct log *l = &s->log;
	enum { LEVELS = 12, DICE = 40, LINES = 4 };
	int lines = 0;
	for (int32_t below = e->record, up = 0; up < LEVELS && below >= 0 && below != e->doing;
		up++) {
		const int32_t around = log_at(l, below)->parent;
		int32_t row[DICE];
		int n = 0;
		for (int32_t i = around >= 0 ? log_child(l, around) : -1; i >= 0 && i < below;
			 i = log_sibling(l, i)) {
			const struct record r = *log_at(l, i);
			if (r.kind != REC_ROLL || r.dropped)
				continue;
			const struct vtype owner = l->p->label[r.what].owner;
			if (owner.base == VT_LIVE && owner.kind == KIND_COMBATANT &&
				r.owner != NONE && r.owner != e->to && r.owner != e->by)
				continue;
			const struct record *last = n ? log_at(l, row[n - 1]) : NULL;
			if (last && (last->what != r.what || last->owner != r.owner || n == DICE)) {
				if (lines++ < LINES)
					ledger_die(s, row, n, out);
				n = 0;
			}
			row[n++] = i;
		}
		if (n && lines++ < LINES)
			ledger_die(s, row, n, out);
		below = around;
	}
}

/* What was rolled for one of them. */
static void sums_told(const struct inquiry *s, const struct ledger_entry *e, struct answer *out)
{
	const bool event = log_at(&s->log, e->record)->kind == REC_EVENT;
	if (!event || !event_amount(&s->log, e->record, out))
		dice_told(s, e, out);
	answer_rule_of(s->p, out, event ? log_at(&s->log, e->record)->faces : -1);
}

/* ---- sentences ---- */

static void thing_add(const struct inquiry *s, const struct ledger_question *q, struct buf *out)
{
	if (q->by.n) {
		ledger_people(s, &q->by, q->by_side, out);
		buf_puts(out, out->data[out->length - 1] == 's' && q->by.n > 1 ? "' " : "'s ");
	} else {
		buf_puts(out, "the ");
	}
	buf_puts(out, s->p->thing[q->thing].name);
}

/* Whom or what the sum is of: "Ald", "Bruna's long sword". */
static void subject_add(const struct inquiry *s, const struct ledger_question *q, struct buf *out)
{
	if (q->upon)
		ledger_people(s, &q->to, q->to_side, out);
	else if (q->thing >= 0)
		thing_add(s, q, out);
	else if (q->by.n)
		ledger_people(s, &q->by, q->by_side, out);
	else
		buf_puts(out, "all of them");
}

/* "Ald took no damage", "Bruna did no damage to Ald". */
static void none_said(const struct inquiry *s, const struct ledger_question *q, struct buf *out)
{
	if (q->upon && q->to.n) {
		ledger_people(s, &q->to, q->to_side, out);
		buf_printf(out, " %s no %s%s", q->topic.got, q->topic.noun, q->topic.back);
		if (q->by.n || q->thing >= 0)
			buf_puts(out, " from ");
		if (q->thing >= 0)
			thing_add(s, q, out);
		else if (q->by.n)
			ledger_people(s, &q->by, q->by_side, out);
	} else {
		const bool nobody = !q->by.n && q->thing < 0;
		if (nobody)
			buf_puts(out, "nobody");
		else
			subject_add(s, q, out);
		buf_printf(out, " %s %s%s%s", q->topic.did, nobody ? "" : "no ", q->topic.noun,
			q->topic.back);
		if (q->to.n) {
			buf_puts(out, " to ");
			ledger_people(s, &q->to, q->to_side, out);
		}
	}
	event_asked_time(s->p, q->when, out);
}

/* "Bruna took 13 damage in all, 3 times: by skeleton #2, skeleton #3 and bugbear" */
static void total_said(const struct inquiry *s, const struct ledger_question *q, const ledger *l,
	struct buf *out)
{
	struct rank r;
	const bool upon = q->upon && q->to.n;
	subject_add(s, q, out);
	buf_printf(out, " %s ", upon ? q->topic.got : q->topic.did);
	ledger_much(q, ledger_sum(l), out);
	buf_printf(out, "%s in all", q->topic.back);
	event_asked_time(s->p, q->when, out);
	buf_puts(out, ", ");
	ledger_times(l->n, out);
	if (upon && (q->by.n || q->thing >= 0)) {
		buf_puts(out, " from ");
		if (q->thing >= 0)
			thing_add(s, q, out);
		else
			ledger_people(s, &q->by, q->by_side, out);
		return;
	}
	rank_of(l, !upon, &r);
	buf_puts(out, upon ? ": by " : ": to ");
	names_add(s, &r, true, out);
}

/* "bugbear (38) and Bruna (13) took damage" */
static void those_said(const struct inquiry *s, const struct ledger_question *q, const ledger *l,
	struct buf *out)
{
	struct rank to;
	rank_of(l, true, &to);
	names_add(s, &to, true, out);
	buf_printf(out, " %s ", q->topic.got);
	if (to.n == 1)
		ledger_much(q, ledger_sum(l), out);
	else
		buf_puts(out, q->topic.noun);
	buf_puts(out, q->topic.back);
	event_asked_time(s->p, q->when, out);
}

/* "Wim healed Bruna for 6 hit points" */
static void done_said(const struct inquiry *s, const struct ledger_question *q, const ledger *l,
	struct buf *out)
{
	struct rank by, to;
	rank_of(l, false, &by);
	rank_of(l, true, &to);
	names_add(s, &by, by.n > 1, out);
	if (!q->topic.given) {
		buf_printf(out, " %s ", q->topic.did);
		ledger_much(q, ledger_sum(l), out);
		buf_puts(out, " to ");
		names_add(s, &to, to.n > 1, out);
	} else {
		buf_printf(out, " %s ", q->topic.participle);
		names_add(s, &to, to.n > 1, out);
		buf_puts(out, " for ");
		ledger_much(q, ledger_sum(l), out);
	}
	if (q->thing >= 0)
		buf_printf(out, " with %s", s->p->thing[q->thing].name);
	if (l->n == 1)
		ledger_when(s, l->v[0].record, out);
	else
		event_asked_time(s->p, q->when, out);
	if (l->n > 1) {
		buf_puts(out, ", ");
		ledger_times(l->n, out);
	}
	if (q->topic.given && ledger_sum(l) == 0)
		buf_puts(out, ": there were none to get back");
}

/* "Ald did the most damage: 29; then bugbear with 8 and Bruna with 5" */
static bool rank_said(const struct inquiry *s, const struct ledger_question *q, const ledger *l,
	struct answer *out)
{
	struct rank r;
	int best = 0, n = 1;
	rank_of(l, q->upon, &r);
	if (r.n == 0)
		return false;
	if (q->least)
		best = r.n - 1;
	for (int i = 0; i < r.n; i++)
		n += i != best && r.sum[i] == r.sum[best];
	struct rank top = {.n = 0};
	for (int i = 0; i < r.n; i++)
		if (r.sum[i] == r.sum[best]) {
			top.who[top.n] = r.who[i];
			top.sum[top.n++] = r.sum[i];
		}
	names_add(s, &top, false, &out->about);
	buf_printf(&out->about, " %s the %s %s%s", q->upon ? q->topic.got : q->topic.did,
		q->least ? "least" : "most", q->topic.noun, q->topic.back);
	event_asked_time(s->p, q->when, &out->about);
	buf_printf(&out->about, ": %lld%s", (long long)r.sum[best], n > 1 ? " each" : "");
	for (int i = 0, k = 0; i < r.n && k < 3; i++)
		if (r.sum[i] != r.sum[best]) {
			buf_puts(&out->about, k++ ? ", " : "; then ");
			name_add(s, r.who[i], &out->about);
			buf_printf(&out->about, " with %lld", (long long)r.sum[i]);
		}
	event_stop(s->p, &out->about);
	ledger own = {0};
	for (int i = 0; i < l->n; i++)
		if ((q->upon ? l->v[i].to : l->v[i].by) == r.who[best])
			VEC_PUSH(own, l->v[i]);
	each_told(s, q, &own, out);
	VEC_FREE(own);
	return true;
}

/* "10 damage [1d12: 9, +1]: " in front of what was done: why it was so much. */
static void made_of_said(const struct inquiry *s, const struct ledger_question *q,
	const struct ledger_entry *e, struct buf *about)
{
	struct buf sum = {0}, lead = {0};
	word amount = 0;
	int32_t roll = log_at(&s->log, e->record)->kind == REC_EVENT
		? amount_die(&s->log, e->record, &amount, &sum)
		: -1;
	/* the die alone, which shows more than its sum */
	for (int32_t i = roll < 0 ? log_at(&s->log, e->record)->parent : -1,
			 k = i >= 0 ? log_child(&s->log, i) : -1;
		 k >= 0 && k < e->record; k = log_sibling(&s->log, k))
		if (log_at(&s->log, k)->kind == REC_ROLL && !log_at(&s->log, k)->dropped &&
			log_at(&s->log, k)->value == e->amount) {
			const struct record r = *log_at(&s->log, k);
			buf_clear(&sum);
			log_fall(&s->log, &r, true, &sum);
			roll = k;
		}
	if (roll >= 0 && sum.length) {
		ledger_much(q, e->amount, &lead);
		buf_printf(&lead, "%s: ", buf_text(&sum));
		answer_lead(s->p, buf_text(&lead), 0, about);
	}
	buf_free(&sum);
	buf_free(&lead);
}

/* "the hardest hit": the one with the most, or the one that the figure names. */
static bool one_said(const struct inquiry *s, const struct ledger_question *q, const ledger *l,
	struct answer *out)
{
	int best = -1, same = 0;
	for (int i = 0; i < l->n; i++) {
		const int64_t n = l->v[i].amount;
		if (q->figure ? n != q->figure && l->v[i].meant != q->figure : best >= 0 &&
				(q->least ? n > l->v[best].amount : n < l->v[best].amount))
			continue;
		same = best >= 0 && n == l->v[best].amount ? same + 1 : 1;
		best = i;
	}
	if (best < 0)
		return false;
	entry_add(s, q, &l->v[best], &out->about);
	event_stop(s->p, &out->about);
	if (q->figure)
		made_of_said(s, q, &l->v[best], &out->about);
	sums_told(s, &l->v[best], out);
	if (same > 1)
		answer_figure(out, l->v[best].record, -1, "the last of %d of that size", same);
	else if (!q->figure && l->n > 1)
		answer_figure(out, l->v[best].record, -1, "the %s of %d",
			q->least ? "least" : "most", l->n);
	return true;
}

static bool why_said(const struct inquiry *s, const struct ledger_question *q, const ledger *l,
	struct answer *out)
{
	if (l->n == 0)
		return false;
	if (q->figure && one_said(s, q, l, out))
		return true;
	if (q->figure) {
		buf_printf(&out->about, "It was not %lld: ", (long long)q->figure);
		total_said(s, q, l, &out->about);
		event_stop(s->p, &out->about);
		each_told(s, q, l, out);
		return true;
	}
	if (l->n == 1) {
		entry_add(s, q, &l->v[0], &out->about);
		event_stop(s->p, &out->about);
		made_of_said(s, q, &l->v[0], &out->about);
		sums_told(s, &l->v[0], out);
		return true;
	}
	total_said(s, q, l, &out->about);
	event_stop(s->p, &out->about);
	each_told(s, q, l, out);
	return true;
}

static bool list_said(const struct inquiry *s, const struct ledger_question *q, const ledger *l,
	struct answer *out)
{
	const bool did = q->wanted == LEDGER_DID;
	if (did)
		buf_puts(&out->about, l->n ? "Yes: " : "No: ");
	const size_t from = out->about.length;
	if (l->n == 0)
		none_said(s, q, &out->about);
	else if (q->wanted == LEDGER_SUM || q->wanted == LEDGER_TIMES || (q->upon && q->to.n))
		total_said(s, q, l, &out->about);
	else if (q->upon)
		those_said(s, q, l, &out->about);
	else
		done_said(s, q, l, &out->about);
	event_stop(s->p, &out->about);
	if (did && from < out->about.length && out->about.data[from] == 'N' &&
		!strncmp(out->about.data + from, "Nobody", 6))
		out->about.data[from] = 'n';
	if (l->n > 1 || q->wanted == LEDGER_SUM || q->upon)
		each_told(s, q, l, out);
	if (l->n == 1)
		sums_told(s, &l->v[0], out);
	return true;
}

bool ledger_answer(const struct inquiry *s, const struct ledger_question *q, struct answer *out)
{
	ledger l = {0};
	bool so;
	ledger_read(s, q, &l);
	if (q->wanted == LEDGER_RANK)
		so = rank_said(s, q, &l, out);
	else if (q->wanted == LEDGER_ONE)
		so = one_said(s, q, &l, out);
	else if (q->wanted == LEDGER_WHY)
		so = why_said(s, q, &l, out);
	else
		so = list_said(s, q, &l, out);
	if (!so && q->wanted != LEDGER_WHY) {
		none_said(s, q, &out->about);
		event_stop(s->p, &out->about);
		so = true;
	}
	VEC_FREE(l);
	return so;
}
