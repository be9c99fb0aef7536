/* expect_seek.c - where in the log what a sentence expects stands. */
#include <string.h>

#include "lang/api/expect.h"
#include "runtime/explain/ends.h"
#include "runtime/explain/log.h"
#include "runtime/world/block.h"

/* Rounds are marked in the log; other moments by the change of their field. */
bool seek_in_block(const struct fray *f, const struct record *r, int32_t block, int32_t number)
{
	const struct program *p = f->program;
	const struct block_info *b = &p->block[block];
	if (block == 0 || b->lasting)
		return true;
	if (b->field == p->at.round_number)
		return r->round == b->ordinal;
	/* the latest change of the field before this record */
	const struct trace *t = vm_trace(f->vm);
	for (int32_t i = number; i >= 0; i--) {
		const struct record *c = trace_get(t, i);
		if (c->kind == REC_ROUND)
			return false;
		if (c->kind == REC_CHANGE && c->flag == 0 && c->what == b->field)
			return c->value == b->ordinal;
	}
	return false;
}

static bool set_has(const word *set, word one)
{
	return one >= 0 && ((uint64_t)set[one / 64] >> (one % 64) & 1);
}

/* Does the refusal's reason say so? Its words, its rule's name, or its citation. */
static bool gives_reason(const struct program *p, const struct record *r, const char *why)
{
	if (!why)
		return true;
	if (r->clause < 0 || r->clause >= p->clauses)
		return false;
	const struct clause_info *c = &p->clause[r->clause];
	return strstr(c->cite, why) || !strcmp(c->rule, why);
}

/* Whether an act of this sort was nobody's decision: what the actor does when told nothing. */
static bool by_default(const struct trace *t, int32_t number, word actor)
{
	int32_t event = trace_get(t, number)->what;
	for (int32_t i = number - 1; i >= 0; i--) {
		const struct record *r = trace_look(t, i);
		if (r->kind == REC_DECLARE && r->owner == actor && r->what == event)
			return r->flag == BY_DEFAULT;
	}
	return false;
}

/* "acts": the event of an act that came up, not what happens within it; waiting is no act,
 * and neither is what is done for want of anything better. */
static bool is_act(const struct program *p, const struct trace *t, int32_t number)
{
	const struct record *r = trace_get(t, number);
	const struct event_info *ev = &p->event[r->what];
	bool root = r->act >= 0 && (r->parent < 0 || trace_get(t, r->parent)->act != r->act);
	if (!ev->action || !root || ev->waiting)
		return false;
	const word *values = trace_values_at(t, r);
	return !ev->idle || !values || !by_default(t, number, values[ev->role[0].word]);
}

/* Is the end told with these words? */
static bool told_so(const struct seek *k, int32_t number, const char *why)
{
	struct buf b = {0};
	if (why)
		end_said(&k->log, number, &b);
	const bool so = !why || strstr(buf_text(&b), why);
	buf_free(&b);
	return so;
}

/* Is it the end of an act that is asked for? Refusals are told by their reason as well. */
static bool is_end(const struct seek *k, int32_t number, const struct expect_info *e)
{
	const struct record *r = trace_get(k->t, number);
	static const char *const said[] = {[END_VOID] = "void",
		[END_INTERRUPTED] = "interrupted",
		[END_REPLACED] = "replaced",
		[END_LEFT_OVER] = "left over"};
	if (r->dropped || (e->event >= 0 && r->what != e->event))
		return false;
	if (e->end == END_REFUSED)
		return (r->kind == REC_REFUSED ||
			       (r->kind == REC_VOID && r->flag == VOID_REFUSED)) &&
			gives_reason(k->p, r, e->why);
	if (r->kind == REC_VOID) /* told of the event it belongs to, where it has one */
		return !strcmp(r->flag == VOID_STOPPED           ? "interrupted"
				       : r->flag == VOID_REFUSED ? "refused"
								 : "void",
			       said[e->end]) &&
			told_so(k, number, e->why);
	const bool ended = r->kind == REC_CANCEL || r->kind == REC_LEFT ||
		(r->kind == REC_EVENT && r->flag == EVENT_STOPPED);
	return ended && (r->kind != REC_EVENT || k->p->event[r->what].action) &&
		!strcmp(log_end(&k->log, number), said[e->end]) &&
		(r->kind != REC_LEFT || told_so(k, number, e->why));
}

static bool is_sought(const struct seek *k, int32_t number, const struct expect_info *e)
{
	const struct record *r = trace_get(k->t, number);
	if (e->end != END_HAPPENS)
		return is_end(k, number, e);
	if (r->kind != REC_EVENT || r->dropped || r->flag == EVENT_VOIDED)
		return false;
	if (e->event < 0)
		return is_act(k->p, k->t, number);
	return r->what == e->event && r->flag != EVENT_REPLACED && r->flag != EVENT_STOPPED;
}

/* Whether the first role of a record is one of those meant. */
static bool is_of(const struct seek *k, int32_t number, const word *subjects)
{
	const struct record *r = trace_get(k->t, number);
	const struct event_info *ev = &k->p->event[r->what];
	const word *values = trace_values_at(k->t, r);
	if (!subjects)
		return true;
	if (ev->roles == 0 || !values)
		return false;
	return ev->role[0].type.base != VT_LIVE || set_has(subjects, values[ev->role[0].word]);
}

/* "in her 2nd strike": whether it happened in such an event of theirs, the one that is meant. */
static bool is_within(
	struct seek *k, int32_t number, const struct expect_info *e, const word *subjects)
{
	int32_t around = number, nth = 0;
	for (; around >= 0; around = trace_get(k->t, around)->parent) {
		const struct record *r = trace_get(k->t, around);
		if (r->kind == REC_EVENT && r->what == e->within && is_of(k, around, subjects))
			break;
	}
	if (around < 0 || !e->nth)
		return around >= 0;
	const word who =
		trace_values_at(k->t, trace_get(k->t, around))[k->p->event[e->within].role[0].word];
	for (int32_t i = 0; i <= around; i++) {
		const struct record *r = trace_get(k->t, i);
		if (r->kind != REC_EVENT || r->what != e->within || r->dropped ||
			r->flag == EVENT_VOIDED || !seek_in_block(k->f, r, e->block, i))
			continue;
		r = trace_get(k->t, i);
		nth += trace_values_at(k->t, r)[k->p->event[e->within].role[0].word] == who;
	}
	return nth == e->nth;
}

/* Whether a role of the record is what the sentence names. */
static bool role_fits(struct seek *k, int32_t number, const struct expect_info *e, int which)
{
	const struct program *p = k->p;
	word want[EXPECT_SET];
	const struct role_info *role =
		&p->event[trace_get(k->t, number)->what].role[e->match[which].role];
	const int width = role->type.base == VT_SET ? p->set_words : 1;
	if (width > EXPECT_SET ||
		!vm_call(k->f->vm, e->match[which].fn, NULL, 0, want, width, false))
		return false;
	const word *values = trace_values_at(k->t, trace_get(k->t, number));
	bool fits = !memcmp(want, values + role->word, sizeof(word) * (size_t)width);
	/* "casts web at orc #1" of a wider area: those named are among them */
	if (!fits && role->type.base == VT_SET) {
		fits = true;
		for (int w = 0; w < width; w++)
			fits &= (want[w] & ~values[role->word + w]) == 0;
	}
	if (!fits && role->type.base == VT_THING)
		for (word thing = values[role->word]; thing >= 0 && !fits;
			thing = p->thing[thing].parent)
			fits = thing == want[0];
	return fits;
}

bool seek_fits(struct seek *k, int32_t number, const struct expect_info *e, const word *subjects)
{
	if (!is_sought(k, number, e) ||
		!seek_in_block(k->f, trace_get(k->t, number), e->block, number))
		return false;
	if (e->within >= 0 ? !is_within(k, number, e, subjects) : !is_of(k, number, subjects))
		return false;
	for (int i = 0; i < e->roles; i++)
		if (!role_fits(k, number, e, i))
			return false;
	return true;
}

void seek_all(struct seek *k, const struct expect_info *e, const word *subjects, const word *time,
	struct found *out)
{
	memset(out, 0, sizeof *out);
	for (int32_t i = 0; i < k->t->n; i++) {
		if (!seek_fits(k, i, e, subjects))
			continue;
		const struct record *r =
			trace_get(k->t, i); /* after others have looked elsewhere */
		if (time && (e->round ? r->round != e->round : r->time != *time))
			continue;
		if (!out->n++) {
			out->first = i;
			out->time_first = r->time;
			out->round_first = r->round;
		}
		out->last = i;
		out->time_last = r->time;
		out->round_last = r->round;
	}
}

void seek_open(struct seek *k, struct fray *f)
{
	k->f = f;
	k->p = f->program;
	k->t = vm_trace(f->vm);
	log_open(&k->log, k->p, k->t);
}

void seek_close(struct seek *k)
{
	log_close(&k->log);
}
