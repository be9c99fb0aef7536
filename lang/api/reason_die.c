/* reason_die.c - why a die was rolled: by which rule, for what, and what it was compared with; how often, and what it showed. */
#include <string.h>
#include <strings.h>

#include "lang/api/reason.h"
#include "runtime/explain/sum.h"

enum { ROLLS_MOST = 200, LINES_MOST = 3 };

static bool label_is(const char *label, const char *asked)
{
	const size_t n = strlen(label), k = strlen(asked);
	return !strcmp(label, asked) || (k > n && !strcmp(asked + k - n, label) && asked[k - n - 1] == ' ') || (n > k && !strncmp(label, asked, k) && label[k] == ' ');
}

int reason_label(const struct program *p, const char *asked)
{
	for (int i = 0; i < p->labels; i++)
		if (!strcasecmp(p->label[i].name, asked))
			return i;
	for (int i = 0; i < p->labels; i++)
		if (label_is(p->label[i].name, asked))
			return i;
	return -1;
}

static bool rolled_for(const struct reason *r, const struct record *d, const people *who, word side)
{
	const struct label_info *l = &r->p->label[d->what];
	if (who->n == 0 && side == NONE)
		return true;
	if (l->owner.base != VT_LIVE)
		return true;
	if (l->owner.kind == KIND_SIDE)
		return side != NONE && d->owner == side;
	for (int i = 0; i < who->n && l->owner.kind == KIND_COMBATANT; i++)
		if (who->v[i] == d->owner)
			return true;
	return false;
}

static void roll_add(const struct reason *r, int32_t roll, struct buf *out)
{
	const struct record *d = trace_get(r->t, roll);
	log_label(r->log, d, out);
	buf_putc(out, ' ');
	log_total(r->log, d, out);
	answer_fall(r->log, d, out);
}

/* What a value asked for beside the roll came to: "to-hit number (Bruna, orc #2): 11". */
static int compared(struct reason *r, int32_t roll, struct answer *out)
{
	const struct record d = *trace_get(r->t, roll);
	int n = 0;
	for (int32_t i = d.parent >= 0 ? log_child(r->log, d.parent) : -1; i >= 0 && n < 2; i = log_sibling(r->log, i)) {
		const struct record q = *trace_get(r->t, i);
		if (q.kind != REC_QUESTION || q.dropped || i < roll || q.what < 0 || q.what >= r->p->questions || !vtype_is_number(r->p->question[q.what].type) || !log_weighed(r->log, i))
			continue;
		struct buf b = {0};
		log_question(r->log, i, &b);
		buf_puts(&b, ": ");
		log_answer(r->log, i, q.what, q.value, &b);
		answer_figure(out, i, q.clause, "%s", buf_text(&b));
		buf_free(&b);
		n++;
	}
	return n;
}

/* "before: 19 in count 12 of round 9, 11 in count 11 of round 10, and 7 times earlier" */
static void earlier(struct reason *r, const int32_t *at, int n, struct answer *out)
{
	const int told = n - 1 > LINES_MOST ? LINES_MOST : n - 1;
	const word owner = trace_get(r->t, at[0])->owner;
	struct buf b = {0};
	for (int i = told; i >= 1; i--) {
		const struct record d = *trace_get(r->t, at[i]);
		buf_puts(&b, i < told ? ", " : "");
		if (d.owner == owner) {
			log_total(r->log, &d, &b);
			buf_puts(&b, d.flag == DICE_FORCED ? " (forced)" : "");
		} else {
			roll_add(r, at[i], &b);
		}
		reason_when(r->log, at[i], &b);
		const int32_t deed = told == 1 ? reason_deed(r->log, at[i]) : -1;
		if (deed >= 0 && log_actor(r->log, trace_get(r->t, deed)) != NONE) {
			buf_puts(&b, " when ");
			reason_deed_text(r->log, at[i], &b);
		}
	}
	if (n - 1 - told == 1)
		buf_puts(&b, ", and once earlier");
	else if (told < n - 1)
		buf_printf(&b, ", and %d times earlier", n - 1 - told);
	answer_figure(out, -1, -1, "before: %s", buf_text(&b));
	buf_free(&b);
}

/* Does a text name somebody: "Aldis' save vs death", "save against (Aldis, ..)"? */
static bool names(const char *text, const char *name)
{
	const size_t n = strlen(name);
	for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
		if ((at == text || at[-1] == ' ' || at[-1] == '(') && strchr("', )", at[n]))
			return true;
	return false;
}

/* Whose roll it was: what it was compared with is their number; else its owner's. */
static bool rolled_by(const struct reason *r, const struct sum *s, int32_t roll, word who)
{
	const struct record d = *trace_get(r->t, roll);
	const struct side *const sides[] = {&s->left, &s->right};
	const struct program *p = r->p;
	struct buf b = {0};
	bool his = false, another = false;
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < sides[k]->n; i++) {
			sum_part_text(r->log, s->record, &sides[k]->part[i], &b);
			buf_puts(&b, ", ");
		}
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++)
		if (names(buf_text(&b), p->live[KIND_COMBATANT][i].name)) {
			his |= i == who;
			another |= i != who;
		}
	buf_free(&b);
	const bool owned = d.what >= 0 && p->label[d.what].owner.base == VT_LIVE &&
		p->label[d.what].owner.kind == KIND_COMBATANT && d.owner == who;
	return his || (owned && !another);
}

/* Did a die fall in what was done to somebody: the spider's poison save, of whom it bit? */
static bool done_to(const struct log *l, int32_t roll, word who)
{
	enum { UP = 6 };
	int32_t i = log_at(l, roll)->parent;
	for (int up = 0; up < UP && i >= 0; up++, i = log_at(l, i)->parent) {
		struct vtype type;
		const word *target;
		const struct record *e = log_at(l, i);
		if (e->kind == REC_EVENT && log_target(l, e, &type, &target) &&
			type.base == VT_LIVE && type.kind == KIND_COMBATANT)
			return *target == who;
	}
	return false;
}

/* The rolls of a die that are asked about, the last first: by whoever it is called after, or else
 * for those it was compared with a number of. */
static int rolls_of(struct reason *r, int label, const people *who, word side,
	const struct question *q, bool compared_with, int32_t *at)
{
	int n = 0;
	for (int32_t i = trace_back(r->t, r->end - 1, 1u << REC_ROLL); i >= 0 && n < ROLLS_MOST;
		i = trace_back(r->t, i - 1, 1u << REC_ROLL)) {
		const struct record d = *trace_get(r->t, i);
		struct sum s;
		if (d.what != label || d.dropped || (q && !event_in_time(r->log, q, i)) ||
			(q && q->figure && d.value != q->figure))
			continue;
		bool so = !compared_with && rolled_for(r, &d, who, side);
		const int32_t sum = compared_with && who->n ? sum_after(r->log, i) : -1;
		for (int k = 0; sum >= 0 && k < who->n && !so; k++)
			so = (sum_read(r->log, sum, &s) && rolled_by(r, &s, i, who->v[k])) ||
				done_to(r->log, i, who->v[k]);
		if (so)
			at[n++] = i;
	}
	return n;
}

bool reason_die(struct reason *r, int label, const people *who, word side, const struct question *q,
	struct answer *out)
{
	int32_t at[ROLLS_MOST];
	int n = rolls_of(r, label, who, side, q, false, at);
	if (n == 0)
		n = rolls_of(r, label, who, side, q, true, at);
	if (n == 0 && q && (q->figure || q->round)) { /* not then, or not so much: the others */
		struct question any = *q;
		any.figure = 0;
		n = rolls_of(r, label, who, side, &any, false, at);
		any.round = 0;
		if (n == 0 && (n = rolls_of(r, label, who, side, &any, false, at)) > 0 && q->round)
			buf_printf(&out->about, "Not in round %d: ", (int)q->round);
	}
	if (n == 0) {
		buf_printf(&out->about, "No such die was rolled: %s.", r->p->label[label].name);
		return true;
	}
	const struct record d = *trace_get(r->t, at[0]);
	struct buf b = {0};
	roll_add(r, at[0], &b);
	buf_printf(&out->about, "%s: rolled", buf_text(&b));
	reason_when(r->log, at[0], &out->about);
	const int32_t deed = reason_deed(r->log, at[0]);
	/* what comes with a phase, and is not told, is nobody's doing */
	const struct record *done = deed >= 0 ? trace_get(r->t, deed) : NULL;
	const bool doing = done && (done->text >= 0 || r->p->event[done->what].action);
	if (doing && log_actor(r->log, trace_get(r->t, deed)) != NONE) {
		buf_puts(&out->about, " when ");
		reason_deed_text(r->log, at[0], &out->about);
	}
	const int32_t sum = sum_after(r->log, at[0]);
	struct sum s;
	const bool decided = sum >= 0 && sum_read(r->log, sum, &s);
	if (decided) {
		buf_puts(&out->about, ", and ");
		sum_compared(r->log, &s, &out->about);
		answer_rule_of(r->p, out, d.clause);
	} else if (d.clause >= 0) {
		buf_puts(&out->about, ", by the rule: ");
		answer_rule_text(r->p, d.clause, &out->about);
	}
	buf_putc(&out->about, '.');
	if (decided)
		sum_figures(r->log, &s, "", out);
	else
		compared(r, at[0], out);
	if (n > 1)
		earlier(r, at, n, out);
	buf_free(&b);
	return true;
}

/* ---- "couldn't Garr save" ---- */

/* The last die called so that somebody rolled, with the comparison it was rolled for; -1. */
static int32_t thrown_last(
	const struct reason *r, const struct question *q, word who, struct sum *s)
{
	for (int32_t i = trace_back(r->t, r->end - 1, 1u << REC_ROLL); i >= 0;
		i = trace_back(r->t, i - 1, 1u << REC_ROLL)) {
		const struct record d = *trace_get(r->t, i);
		const char *last = d.what >= 0 ? strrchr(r->p->label[d.what].name, ' ') : NULL;
		if (d.dropped || !last || strcmp(last + 1, q->name) != 0 ||
			!event_in_time(r->log, q, i))
			continue;
		const int32_t sum = sum_after(r->log, i);
		if (sum >= 0 && sum_read(r->log, sum, s) && rolled_by(r, s, i, who))
			return i;
	}
	return -1;
}

static void thrown_told(
	struct reason *r, int32_t roll, const struct sum *s, word who, struct answer *out)
{
	const struct record d = *trace_get(r->t, roll);
	struct buf owner = {0};
	program_owner(r->p, KIND_COMBATANT, who, &owner);
	buf_printf(&out->about, "%s%s %s was ", out->about.length ? " " : "", buf_text(&owner),
		r->p->label[d.what].name);
	log_total(r->log, &d, &out->about);
	answer_fall(r->log, &d, &out->about);
	reason_when(r->log, roll, &out->about);
	const int32_t deed = reason_deed(r->log, roll);
	/* what a rule does for itself, and does not tell, is nobody's doing */
	if (deed >= 0 &&
		(trace_get(r->t, deed)->text >= 0 ||
			r->p->event[trace_get(r->t, deed)->what].action)) {
		buf_puts(&out->about, ", when ");
		reason_deed_text(r->log, roll, &out->about);
	}
	buf_puts(&out->about, ": ");
	sum_compared(r->log, s, &out->about);
	buf_putc(&out->about, '.');
	/* one who falls short is enough for "no"; what has to stay below a number reaches it
	 * else */
	const bool reached = s->holds == (s->how[0] != '<');
	if (out->reached != REACHED_NO)
		out->reached = reached ? REACHED_YES : REACHED_NO;
	/* below a number is not what was needed when what came of it was to be withstood */
	if (s->how[0] != '<')
		sum_figures(r->log, s, "", out);
	answer_rule_of(r->p, out, d.clause);
	buf_free(&owner);
}

bool reason_thrown(struct reason *r, const struct question *q, struct answer *out)
{
	for (int i = 0; i < q->who.n; i++) {
		struct sum s;
		const int32_t roll = thrown_last(r, q, q->who.v[i], &s);
		if (roll >= 0)
			thrown_told(r, roll, &s, q->who.v[i], out);
	}
	if (out->about.length)
		return true;
	buf_printf(&out->about, "No %s was rolled for ", q->name);
	answer_people(r->p, q->who.v, q->who.n, &out->about);
	if (q->round > 0)
		buf_printf(&out->about, " in round %d", (int)q->round);
	buf_putc(&out->about, '.');
	return true;
}
