/* ends.c - every act that was declared or pended has one end in the log.
 *
 * A DECLARE or PEND record begins an act. The record that ends it names that record in `value`: the EVENT in which it is
 * performed, a CANCEL, or a LEFT. A declaration that is pended as a copy, once or several times, has no end of its own:
 * each copy's PEND record names it in `value`, and each copy ends for itself.
 *
 * Only observed programs come here, and not those that are only tried (m->endless): there nobody reads how an act ended. What stands beside the acts is a cache: the log is the truth, and may have been cut. */
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/inside.h"

enum { UNKNOWN = -1 };

static struct act_told *told(struct vm *m, word act)
{
	const uint32_t count = m->p->layout.act_count;
	if (m->told_room <= count) {
		m->told_room = count + 1;
		free(m->told);
		m->told = malloc(m->told_room * sizeof *m->told);
		if (!m->told)
			abort();
		ends_forget(m);
	}
	return &m->told[act];
}

void ends_forget(struct vm *m)
{
	for (size_t i = 0; i < m->told_room; i++)
		m->told[i] = (struct act_told){UNKNOWN, 0, UNKNOWN, false};
}

static bool begins(const struct record *r, word act)
{
	return (r->kind == REC_DECLARE || r->kind == REC_PEND) && r->act == act && !r->dropped;
}

static bool ends(const struct record *r, int32_t begun)
{
	return (r->kind == REC_EVENT || r->kind == REC_CANCEL || r->kind == REC_LEFT) && r->value == begun && !r->dropped;
}

/* From the log: the last record that begins an act in this place, and what came of it. */
static void look_back(struct vm *m, word act, struct act_told *x)
{
	const uint32_t kinds = 1u << REC_DECLARE | 1u << REC_PEND;
	*x = (struct act_told){UNKNOWN, 0, UNKNOWN, false};
	int32_t i = trace_back(&m->trace, m->trace.n - 1, kinds);
	while (i >= 0 && !begins(trace_look(&m->trace, i), act))
		i = trace_back(&m->trace, i - 1, kinds);
	x->begun = i;
	for (int32_t k = i + 1; i >= 0 && k < m->trace.n; k++) {
		const struct record *r = trace_look(&m->trace, k);
		x->passed |= r->kind == REC_PEND && r->value == i && !r->dropped;
		if (ends(r, i))
			x->end = k;
	}
}

/* What is known of the act in this place. */
static struct act_told *known(struct vm *m, word act)
{
	struct act_told *x = told(m, act);
	if (x->begun < 0 || x->begun >= m->trace.n || !begins(trace_look(&m->trace, x->begun), act))
		look_back(m, act, x);
	if (x->end >= m->trace.n || (x->end >= 0 && !ends(trace_look(&m->trace, x->end), x->begun)))
		x->end = UNKNOWN;
	return x;
}

void ends_copied(struct vm *m, word act, word from)
{
	if (m->endless)
		return;
	const int32_t begun = from == NONE ? UNKNOWN : known(m, from)->begun;
	told(m, act)->from = begun > 0 ? begun : 0;
}

void ends_begun(struct vm *m, int32_t record, word act)
{
	if (m->endless)
		return;
	struct act_told *x = told(m, act);
	struct record *r = trace_at(&m->trace, record);
	if (r->kind == REC_PEND && x->from > 0 && x->from < record) {
		const struct record *source = trace_look(&m->trace, x->from);
		const word of = source->act;
		r->value = x->from;
		if (source->kind == REC_DECLARE && of >= 0 && (uint32_t)of < m->told_room && m->told[of].begun == x->from)
			m->told[of].passed = true;
	}
	*x = (struct act_told){record, 0, UNKNOWN, false};
}

void ends_named(struct vm *m, int32_t record, word act)
{
	const struct record *r = trace_look(&m->trace, record);
	if (!m->endless && begins(r, act)) {
		struct act_told *x = told(m, act);
		look_back(m, act, x);
	}
}

void ends_with(struct vm *m, int32_t record, word act)
{
	if (m->endless)
		return;
	struct act_told *x = known(m, act);
	if (record < 0 || x->begun < 0 || x->end >= 0)
		return;
	trace_at(&m->trace, record)->value = x->begun;
	x->end = record;
}

/* A question is asked about an act that is over, without consequence: one that fails has no answer. `under`: the record
 * whose children its parts become; -1: none are written. */
static bool ask(struct vm *m, int32_t fn, const word *arguments, int n, int32_t under, word *answer)
{
	struct diag_sink *const sink = m->host.sink;
	const bool quiet = m->quiet;
	const int question = m->question, passed_over = m->passed_over, kept = m->question_kept;
	const uint64_t fuel = m->fuel;
	const enum vm_status status = m->status;
	m->host.sink = NULL;
	m->quiet = under < 0;
	m->question = under;
	m->question_kept = under >= 0;
	const bool ok = vm_pure(m, fn, arguments, n, answer, 1);
	m->host.sink = sink;
	m->quiet = quiet;
	m->question = question;
	m->question_kept = kept;
	m->passed_over = passed_over;
	m->fuel = fuel;
	m->status = status;
	return ok;
}

/* Can its actor do nothing any more? */
static bool is_void(struct vm *m, word act)
{
	word answer = 0;
	const int32_t fn = m->p->at.void_question >= 0 ? m->p->question[m->p->at.void_question].fn : -1;
	return fn >= 0 && ask(m, fn, &act, 1, -1, &answer) && answer;
}

/* The clause that refuses an act now, of one that costs nothing; -1: none does. */
static int32_t refused_by(struct vm *m, word act, int32_t under)
{
	const struct event_info *e = &m->p->event[m->w[act_at(m, act) + ACT_EVENT]];
	const int32_t fn = e->stage_fn[AT_STAGES];
	word arguments[ACT_WORDS * 4 + 1], answer = NONE;
	if (fn < 0 || e->stage_fn[AT_COSTS] >= 0)
		return -1;
	act_arguments(m, e, act, arguments);
	arguments[e->words] = act;
	return ask(m, fn, arguments, e->words + 1, under, &answer) && answer != NONE ? (int32_t)answer : -1;
}

static int32_t time_function(const struct vm *m)
{
	return m->p->at.act_time_question >= 0 ? m->p->question[m->p->at.act_time_question].fn : -1;
}

/* The time of a pending act; NONE: it has none. */
static word time_of(struct vm *m, word act)
{
	word time = NONE;
	if (time_function(m) >= 0 && m->w[act_at(m, act) + ACT_STATE] == ACT_PENDING)
		ask(m, time_function(m), &act, 1, -1, &time);
	return time;
}

void ends_cancelled(struct vm *m, word act)
{
	const word time = time_of(m, act);
	ends_with(m, record_act(m, REC_CANCEL, act, 0, m->clause, &time), act);
}

/* An act is left over: as that is told, with the time it had, or with what stood in its way. */
static void left_over(struct vm *m, word act, enum left_why why)
{
	const bool pending = m->w[act_at(m, act) + ACT_STATE] == ACT_PENDING;
	const int32_t fn = time_function(m);
	word time = why == LEFT_STOPPED ? NONE : time_of(m, act);
	if (why == LEFT_ROUND && !pending && is_void(m, act))
		why = LEFT_UNABLE;
	const int32_t r = record_act(m, REC_LEFT, act, why, -1, &time);
	if (r < 0)
		return;
	if (time != NONE && !m->curt) /* once more, with how it came to that */
		ask(m, fn, &act, 1, r, &time);
	if (why == LEFT_ROUND && !pending) {
		const int32_t clause = refused_by(m, act, m->curt ? -1 : r);
		trace_at(&m->trace, r)->clause = clause;
	}
	if (why != LEFT_REPLACED && why != LEFT_LIST && why != LEFT_CUE) { /* no moment's doing */
		struct record *x = trace_at(&m->trace, r);
		x->time = NONE;
		x->group = -1;
	}
	ends_with(m, r, act);
}

static bool is_open(struct vm *m, word act)
{
	const struct act_told *x = m->endless ? NULL : known(m, act);
	return x && x->begun >= 0 && x->end < 0 && !x->passed;
}

static word actor_of(struct vm *m, word act)
{
	return *field(m, &m->p->field[m->p->at.act_actor], act);
}

void ends_asked(struct vm *m, word actor)
{
	const word round = m->w[m->p->field[m->p->at.round_number].base];
	for (word act = 0; act < m->w[H_ACTS]; act++) {
		if (m->w[act_at(m, act) + ACT_STATE] != ACT_DECLARED || actor_of(m, act) != actor ||
			!is_open(m, act))
			continue;
		const int32_t begun = known(m, act)->begun;
		const bool now = trace_look(&m->trace, begun)->round == round;
		/* what nobody chose is declared once, when all have been asked */
		if (now && trace_look(&m->trace, begun)->flag == BY_DEFAULT)
			trace_at(&m->trace, begun)->dropped = true;
		else
			left_over(m, act, now ? LEFT_REPLACED : LEFT_ROUND);
	}
}

void ends_round(struct vm *m)
{
	for (word act = 0; act < m->w[H_ACTS]; act++)
		if (m->w[act_at(m, act) + ACT_STATE] == ACT_DECLARED && is_open(m, act))
			left_over(m, act, LEFT_ROUND);
}

void ends_pended(struct vm *m, word act, enum left_why why)
{
	if (is_open(m, act))
		left_over(m, act, why);
}

/* Nothing was begun that this ends, and it is no moment's doing. */
static void never_begun(struct vm *m, word act, enum left_why why, const word *text)
{
	const int32_t r = record_act(m, REC_LEFT, act, why, -1, text);
	if (r < 0)
		return;
	struct record *x = trace_at(&m->trace, r);
	x->time = NONE;
	x->group = -1;
}

/* Is there a record of these kinds about the actor in this round, as far as it is played: of this
 * event
 * (-1: of any), or of a line of the script? */
static bool was_told(const struct vm *m, word actor, uint32_t kinds, int32_t what, bool of_script)
{
	const word round = m->w[m->p->field[m->p->at.round_number].base];
	for (int32_t i = trace_back(&m->trace, m->trace.n - 1, kinds); i >= 0;
		 i = trace_back(&m->trace, i - 1, kinds)) {
		const struct record *r = trace_look(&m->trace, i);
		if (r->round != round)
			return false;
		if (r->owner == actor && !r->dropped && (what < 0 || r->what == what) &&
			(!of_script || r->flag == BY_SCRIPT))
			return true;
	}
	return false;
}

/* The act of a line with a cue begins when its cue comes. */
void ends_uncued(struct vm *m, word act)
{
	/* a refusal is its end: the cue did come */
	const int32_t what = (int32_t)m->w[act_at(m, act) + ACT_EVENT];
	if (was_told(m, actor_of(m, act), 1u << REC_REFUSED, what, false))
		return;
	never_begun(m, act, LEFT_CUE, NULL);
}

static bool had_line(const struct vm *m, word actor)
{
	return was_told(m, actor, 1u << REC_DECLARE | 1u << REC_REFUSED, -1, true);
}

/* Were all lines of the script looked at on a turn of theirs and none was used, in this round or,
 * at the end, in any? */
static bool passed_all_lines(const struct vm *m, word actor, bool in_round)
{
	const word round = m->w[m->p->field[m->p->at.round_number].base];
	for (int32_t i = trace_back(&m->trace, m->trace.n - 1, 1u << REC_DECLARE); i >= 0;
		 i = trace_back(&m->trace, i - 1, 1u << REC_DECLARE)) {
		const struct record *r = trace_look(&m->trace, i);
		if (in_round && r->round != round)
			return false;
		if (r->owner == actor && !r->dropped &&
			(r->flag == BY_DEFAULT || r->flag == BY_POLICY))
			return true;
	}
	return false;
}

/* A line of several does not speak of those among them who have one of their own. */
bool ends_untaken(struct vm *m, word act, word why, word line)
{
	const bool named = line & UNTAKEN_NAMED;
	word text = line / UNTAKEN_TEXT - 1;
	if (text >= 0 && passed_all_lines(m, actor_of(m, act), why == LEFT_ROUND) &&
		!is_void(m, act)) {
		never_begun(m, act, LEFT_CONDITION, &text);
		return true;
	}
	text = why - LEFT_HINDERED;
	const bool hindered = text >= 0 && text < m->p->texts;
	if (is_void(m, act))
		why = LEFT_UNABLE;
	else if ((why == LEFT_ROUND || hindered) && had_line(m, actor_of(m, act)))
		why = LEFT_LINE;
	else if (hindered)
		why = LEFT_HINDERED;
	if (!named && why == LEFT_LINE)
		return false;
	never_begun(m, act, (enum left_why)why, why == LEFT_HINDERED ? &text : NULL);
	return true;
}

void ends_fight(struct vm *m)
{
	const enum left_why over = m->w[H_OUTCOME] == OUTCOME_OVER ? LEFT_FIGHT : LEFT_SCRIPT;
	const enum left_why why = m->status == VM_PAUSED ? over : LEFT_STOPPED;
	for (word act = 0; act < m->w[H_ACTS]; act++)
		if (m->w[act_at(m, act) + ACT_STATE] != ACT_FREE && is_open(m, act))
			left_over(m, act, why);
}
