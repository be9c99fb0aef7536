/* ends.c - see ends.h. In full, for `why not`, and in brief, for a story: the same words. */
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/ends.h"
#include "runtime/explain/left.h"
#include "runtime/explain/placing.h"

/* One end, and where its sentence goes. In brief nothing is said of the moment at which it is told
 * anyway, and alone nothing of what it happened in. */
struct end {
	const struct inquiry *s;
	int32_t number;
	struct record r;
	bool brief, alone;
	struct answer *out;
};

void absence_deed(const struct inquiry *s, int32_t number, struct buf *out)
{
	const struct record r = *log_at(&s->log, number);
	log_deed(&s->log, &r, out);
}

/* "orc #1 was to attack Bruna", "Brand could not charge Orc"; what nobody does, or only the
 * rules know, is called by its name. */
static void begin(const struct end *e, const char *verb)
{
	const word who = log_actor(&e->s->log, &e->r);
	struct buf *b = &e->out->about;
	if (who != NONE && log_is_news(&e->s->log, &e->r)) {
		absence_name(e->s, who, b);
		buf_printf(b, " %s ", verb);
		absence_deed(e->s, e->number, b);
	} else {
		buf_putc(b, '"');
		absence_deed(e->s, e->number, b);
		buf_putc(b, '"');
		if (who != NONE) {
			buf_puts(b, " of ");
			absence_name(e->s, who, b);
		}
		buf_printf(b, " %s happen", verb);
	}
}

static void at_time(const struct end *e)
{
	if (!e->brief)
		absence_at_time(e->s, e->number, true, &e->out->about);
}

static bool unable(const struct end *e, int32_t since)
{
	const word who = log_actor(&e->s->log, &e->r);
	return e->brief ? absence_unable_brief(e->s, who, e->number, since, &e->out->about) : absence_unable(e->s, who, e->number, since, e->number, e->out);
}

/* "; Edda fell before that, when gnoll #1 attacked Edda": whom it was to be done to was out by
 * then. */
static void target_out(const struct end *e)
{
	struct vtype type;
	const word *target;
	struct answer fate;
	if (!log_target(&e->s->log, &e->r, &type, &target) || type.base != VT_LIVE ||
		type.kind != KIND_COMBATANT || *target == NONE)
		return;
	const word who = *target;
	memset(&fate, 0, sizeof fate);
	absence_name(e->s, who, &fate.about);
	buf_putc(&fate.about, ' ');
	if (absence_unable(e->s, who, e->number, 0, e->number, &fate))
		buf_printf(&e->out->about, "; %s", buf_text(&fate.about));
	answer_free(&fate);
}

static void refused_told(const struct end *e)
{
	struct buf why = {0};
	begin(e, "could not");
	at_time(e);
	refusal_reason(&e->s->log, e->number, &why);
	refusal_figures(&e->s->log, e->number, &why);
	buf_printf(&e->out->about, ": %s", buf_text(&why));
	const bool figures = strchr(buf_text(&why), '(') != NULL; /* "(distance 30 ft, ..)" says it */
	buf_free(&why);
	if (e->brief)
		return;
	refusal_since(e->s, e->number, e->out);
	if (!figures)
		target_out(e);
	refusal_cite(e->s, e->r.clause, e->out);
}

static void void_told(const struct end *e)
{
	struct buf *b = &e->out->about;
	if (e->r.flag == VOID_REFUSED) {
		refused_told(e);
		return;
	}
	begin(e, "was to");
	at_time(e);
	if (e->r.flag == VOID_UNABLE) {
		const size_t before = b->length;
		buf_puts(b, ", but ");
		if (!absence_made_void(e->s, e->number, e->brief, e->out) && !unable(e, 0)) {
			b->length = before;
			buf_puts(b, ", but could do nothing by then");
		}
		return;
	}
	buf_puts(b, e->r.flag == VOID_STOPPED ? ", but was interrupted" : ", but gave it up");
	if (e->r.clause >= 0) {
		buf_puts(b, ": ");
		answer_rule_says(e->s->p, e->r.clause, b);
	}
	answer_rule_of(e->s->p, e->out, e->r.clause);
}

/* The nearest event told in a sentence that a record happened in, and not as "2 damage"; -1: none.
 */
static int32_t told_around(const struct inquiry *s, int32_t number)
{
	size_t subject, verb;
	for (int32_t i = log_at(&s->log, number)->parent; i >= 0; i = log_at(&s->log, i)->parent) {
		const struct record r = *log_at(&s->log, i);
		if (r.kind == REC_EVENT && r.text >= 0 &&
			english_split(s->p, trace_text_at(s->t, r.text), &subject, &verb))
			return i;
	}
	return -1;
}

static void cancel_told(const struct end *e)
{
	const struct inquiry *s = e->s;
	const int32_t told = told_around(s, e->number), act = absence_told_act(s, e->number);
	begin(e, "was to");
	buf_puts(&e->out->about, ", but was interrupted");
	const bool own = e->brief && told >= 0 &&
		log_actor(&s->log, log_at(&s->log, told)) == log_actor(&s->log, &e->r);
	if (told >= 0 && (told != act || e->brief) && !e->alone && !own) {
		struct buf b = {0};
		english_event(&s->log, told, MOOD_DID, &b);
		buf_printf(&e->out->about, ": %s", buf_text(&b));
		buf_free(&b);
	}
	at_time(e);
	if (e->brief)
		return;
	absence_cause(s, e->number, e->out);
	const int32_t by = absence_cause_act(s, e->number);
	if (by >= 0)
		absence_dice(s, by, log_actor(&s->log, log_at(&s->log, e->number)), e->out);
	if (told >= 0)
		answer_rule_of(s->p, e->out, log_at(&s->log, told)->clause);
	answer_rule_of(s->p, e->out, e->r.clause);
}

/* The clauses that say when an act is left over. */
static void left_rules(const struct end *e)
{
	const struct program *p = e->s->p;
	for (int c = 0; c < p->clauses; c++) {
		const struct clause_info *x = &p->clause[c];
		if (x->question >= 0 && x->question < p->questions && !strcmp(p->question[x->question].name, "left over"))
			answer_rule_of(p, e->out, c);
	}
}

void absence_over(const struct inquiry *s, struct buf *out)
{
	const int32_t end = trace_back(s->t, s->end - 1, 1u << REC_OUTCOME);
	int32_t last = end;
	buf_puts(out, "the fight was over");
	while (last > 0 && (trace_look(s->t, last)->kind != REC_EVENT || trace_look(s->t, last)->text < 0))
		last--;
	if (last > 0)
		absence_at_time(s, last, true, out);
	const struct record *r = end >= 0 ? log_at(&s->log, end) : NULL;
	if (r && r->flag == OUTCOME_OVER && r->owner != NONE) {
		buf_puts(out, ", won by the ");
		program_live(s->p, KIND_SIDE, r->owner, out);
	}
}

/* What its time rests on. */
static void beyond_figures(const struct end *e, int64_t column)
{
	const struct log *l = &e->s->log;
	struct buf ground = {0};
	for (int32_t i = log_child(l, e->number); i >= 0; i = log_sibling(l, i))
		if (log_at(l, i)->kind == REC_QUESTION && !log_at(l, i)->dropped && ground_of(l, i, e->out, &ground))
			answer_figure(e->out, i, -1, "%s %lld: %s", e->s->p->unit[e->s->p->shown_unit].name, (long long)column, buf_text(&ground));
	buf_free(&ground);
}

/* What the rules say of an act whose turn did not come. */
static void turn_rules(const struct end *e)
{
	const struct log *l = &e->s->log;
	struct buf refused = {0};
	const int32_t turn = left_turn(l, e->number);
	if (left_refused(l, e->number, &refused))
		refusal_cite(e->s, e->r.clause, e->out);
	buf_free(&refused);
	if (turn >= 0)
		answer_rule_of(e->s->p, e->out, log_at(l, turn)->clause);
	if (e->r.value > 0 && log_at(l, (int32_t)e->r.value)->kind == REC_PEND)
		left_rules(e);
}

/* Why it was left over, behind "but". */
static void left_because(const struct end *e)
{
	const enum left_why flag = log_left(&e->s->log, e->number);
	int64_t column;
	int32_t begins = e->number;
	const bool beyond = left_beyond(&e->s->log, e->number, &column);
	while (begins > 0 && trace_look(e->s->t, begins - 1)->round == e->r.round)
		begins--;
	const bool asked = !beyond && flag != LEFT_REPLACED && flag != LEFT_ROUND &&
		flag != LEFT_LINE && flag != LEFT_FIRST && flag != LEFT_CONDITION &&
		flag != LEFT_HINDERED;
	if (asked && unable(e, flag == LEFT_UNABLE ? 0 : begins))
		return;
	if (!e->brief && !beyond && (flag == LEFT_ROUND || flag == LEFT_LIST) &&
		absence_made_to(e->s, e->number, e->out))
		return;
	if (flag == LEFT_FIGHT && !beyond && !e->brief)
		absence_over(e->s, &e->out->about);
	else
		left_why(&e->s->log, e->number, &e->out->about);
	if (e->brief)
		return;
	struct buf line = {0};
	if ((flag == LEFT_CUE || flag == LEFT_CONDITION) &&
		e->s->text) /* which it was stands in the line */
		e->s->text(e->s->context, e->r.span, &line);
	if (line.length)
		answer_figure(e->out, e->number, -1, "the line: %s", buf_text(&line));
	buf_free(&line);
	if (beyond) {
		beyond_figures(e, column);
		left_rules(e);
	} else if (flag == LEFT_ROUND || flag == LEFT_LIST) {
		turn_rules(e);
	}
}

static void left_told(const struct end *e)
{
	begin(e, "was to");
	if (!e->brief && e->r.round > 0 && e->r.flag != LEFT_CONDITION)
		buf_printf(&e->out->about, " in round %d", e->r.round);
	buf_puts(&e->out->about, ", but ");
	left_because(e);
}

/* "chose to abandon, as the script says" */
static void chosen_told(const struct end *e, const struct record *choice)
{
	static const char *const by[] = {[BY_SCRIPT] = ", as the script says",
		[BY_POLICY] = ", as the policy chose",
		[BY_PROMPT] = ", as was told at the prompt",
		[BY_DEFAULT] = " by default"};
	buf_printf(&e->out->about, "chose to %s", e->s->p->choice[choice->what].name);
	if (!e->brief && choice->flag < FRAY_COUNT(by))
		buf_puts(&e->out->about, by[choice->flag]);
}

/* An act that a rule stopped before it was done, or its actor did: by a choice, a note. */
static void stopped_told(const struct end *e)
{
	const struct inquiry *s = e->s;
	struct buf *b = &e->out->about;
	bool any = false;
	begin(e, "was to");
	at_time(e);
	for (int32_t i = log_child(&s->log, e->number); i >= 0; i = log_sibling(&s->log, i)) {
		const struct record r = *log_at(&s->log, i);
		if (r.dropped || (r.kind != REC_CHOICE && r.kind != REC_NOTE) || (r.kind == REC_CHOICE && (r.value != 1 || r.what < 0 || r.what >= s->p->choices)))
			continue;
		if (!any) {
			buf_puts(b, ", but ");
			if (r.kind == REC_CHOICE)
				chosen_told(e, &r);
			else
				buf_puts(b, trace_text_at(s->t, r.text));
		}
		any = true;
		answer_rule_of(s->p, e->out, r.clause);
	}
	buf_puts(b, any ? "" : ", but was interrupted");
}

static void told(const struct end *e)
{
	switch (e->r.kind) {
	case REC_VOID: void_told(e); break;
	case REC_REFUSED: refused_told(e); break;
	case REC_CANCEL: cancel_told(e); break;
	case REC_EVENT: stopped_told(e); break;
	default: left_told(e); break;
	}
}

bool absence_end(const struct inquiry *s, int32_t number, struct answer *out)
{
	const struct end e = {.s = s, .number = number, .r = *log_at(&s->log, number), .out = out};
	told(&e);
	out->refused = e.r.kind == REC_REFUSED ? number + 1 : 0;
	buf_putc(&out->about, '.');
	return true;
}

/* ---- in brief ---- */

/* Runs `tell` for an end that nobody asked about, and keeps its sentence alone. */
static void in_brief(const struct log *l, int32_t number, void (*tell)(const struct end *e),
	bool alone, struct buf *out)
{
	const struct inquiry s = {.p = l->p, .t = l->t, .log = *l, .end = l->n};
	struct answer a;
	memset(&a, 0, sizeof a);
	const struct end e = {.s = &s,
		.number = number,
		.r = *log_at(l, number),
		.brief = true,
		.alone = alone,
		.out = &a};
	tell(&e);
	buf_puts(out, buf_text(&a.about));
	answer_free(&a);
}

void end_said(const struct log *l, int32_t number, struct buf *out)
{
	in_brief(l, number, told, false, out);
}

void end_alone(const struct log *l, int32_t number, struct buf *out)
{
	in_brief(l, number, told, true, out);
}

void end_because(const struct log *l, int32_t number, struct buf *out)
{
	in_brief(l, number, left_because, false, out);
}

void end_deed(const struct log *l, int32_t number, struct buf *out)
{
	const struct record r = *log_at(l, number);
	log_deed(l, &r, out);
}
