/* reason_beat.c - what changes without a record: lists. The worlds that the fight went through are compared, and the event of the
 * beat is found in which one differs from the next. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/reason.h"
#include "lang/api/session.h"
#include "runtime/world/block.h"

enum { BEATS_MOST = 400 };

/* The words of a field at somebody, in two worlds. */
static bool same_words(const struct field_info *f, word owner, const word *a, const word *b)
{
	const uint32_t at = f->base + (uint32_t)owner * f->stride;
	return !memcmp(a + at, b + at, f->words * sizeof(word));
}

/* Does the body of an event add to a list of that name, or take from it? */
static bool changes_list(const struct log *l, const struct record *r, const char *field)
{
	const char *text =
		r->clause >= 0 && r->clause < l->p->clauses ? l->p->clause[r->clause].text : NULL;
	struct buf own = {0};
	buf_printf(&own, "'s %s", field);
	const bool found =
		text && (strstr(text, "remove ") || strstr(text, "add ")) && strstr(text, buf_text(&own));
	buf_free(&own);
	return found;
}

/* The event of a beat in which such a list changed, else an act of the owner's, else any: one that
 * is told in a sentence; -1. */
static int32_t act_of_beat(
	const struct fray *f, int32_t from, int32_t to, word owner, const char *field)
{
	const struct trace *t = vm_trace(f->vm);
	const struct log l = {.p = f->program, .t = t, .n = t->n};
	int32_t own = -1, best = -1;
	size_t subject, verb;
	for (int32_t i = from; i < to; i++) {
		const struct record r = *trace_get(t, i);
		if (r.kind != REC_EVENT || r.dropped || r.flag == EVENT_VOIDED || r.text < 0 ||
			!english_split(f->program, trace_text_at(t, r.text), &subject, &verb))
			continue;
		const bool his = log_actor(&l, &r) == owner;
		if (his && changes_list(&l, &r, field))
			return i;
		if (r.act < 0)
			continue;
		own = own < 0 && his ? i : own;
		best = best < 0 ? i : best;
	}
	return own >= 0 ? own : best;
}

/* How often a list of somebody's has a thing in it. */
static int times_in(const struct field_info *f, word owner, const word *world, word thing)
{
	const word *list = world + f->base + (uint32_t)owner * f->stride;
	int n = 0;
	for (word i = 0; f->type.base == VT_LIST && i < list[0] && i + 1 < (word)f->words; i++)
		n += list[1 + i] == thing;
	return n;
}

static bool same_of(
	const struct field_info *f, word owner, word thing, const word *one, const word *other)
{
	return thing == NONE || f->type.base != VT_LIST
		? same_words(f, owner, one, other)
		: times_in(f, owner, one, thing) == times_in(f, owner, other, thing);
}

bool reason_differs(const struct fray *f, int field, word owner, word thing)
{
	return f->program->start &&
		!same_of(&f->program->field[field], owner, thing, f->program->start,
			vm_block(f->vm));
}

int32_t reason_beat_of(struct fray *f, int field, word owner, word thing)
{
	const struct field_info *x = &f->program->field[field];
	int32_t found = -1;
	if (!session_is_open(f) || f->session.pasts.beat.n != session_beats(f))
		return -1;
	word *after = session_world_before(f, 0);
	for (int back = 1; back <= session_beats(f); back++) {
		word *before = session_world_before(f, back);
		const bool changed = !same_of(x, owner, thing, before, after);
		if (changed)
			found =
				act_of_beat(f, (int32_t)before[H_TRACE], (int32_t)after[H_TRACE], owner, x->name);
		free(after);
		after = before;
		if (changed)
			break;
	}
	free(after);
	return found;
}

/* ---- lists ---- */

/* What one list has more of than the other, as a list: how many, and which. */
static word *more_of(const word *one, const word *other, uint32_t words)
{
	word *out = calloc(words, sizeof *out);
	if (!out)
		abort();
	for (word i = 0; i < one[0] && i + 1 < (word)words; i++) {
		word here = 0, there = 0;
		for (word k = 0; k <= i; k++)
			here += one[1 + k] == one[1 + i];
		for (word k = 0; k < other[0] && k + 1 < (word)words; k++)
			there += other[1 + k] == one[1 + i];
		if (here > there)
			out[1 + out[0]++] = one[1 + i];
	}
	return out;
}

static void difference_add(const struct program *p, const struct field_info *f, const char *verb, const word *one, const word *other, struct buf *out)
{
	word *more = more_of(one, other, f->words);
	if (more[0]) {
		buf_printf(out, "%s ", verb);
		program_list(p, f->type, more, f->words - 1, out);
	}
	free(more);
}

/* ", less magic missile when Bor's magic missile was complete in round 1", the last of them first. */
static void step_text(struct reason *r, int field, word owner, const word *before, const word *after, struct buf *out)
{
	const struct field_info *f = &r->p->field[field];
	const uint32_t at = f->base + (uint32_t)owner * f->stride;
	const int32_t event = act_of_beat(r->f, (int32_t)before[H_TRACE], (int32_t)after[H_TRACE], owner, f->name);
	struct buf plus = {0};
	difference_add(r->p, f, "less", before + at, after + at, out);
	difference_add(r->p, f, "plus", after + at, before + at, &plus);
	buf_printf(out, "%s%s", out->length && plus.length ? " " : "", buf_text(&plus));
	if (event >= 0) {
		buf_puts(out, " when ");
		english_event(r->log, event, MOOD_DID, out);
		reason_when(r->log, event, out);
	}
	buf_free(&plus);
}

int reason_list_steps(struct reason *r, int field, word owner, struct buf *steps, int most)
{
	const struct field_info *f = &r->p->field[field];
	int n = 0;
	if (f->type.base != VT_LIST || !session_is_open(r->f) || r->f->session.pasts.beat.n != session_beats(r->f))
		return 0;
	word *after = session_world_before(r->f, 0);
	for (int back = 1; back <= session_beats(r->f) && back <= BEATS_MOST; back++) {
		word *before = session_world_before(r->f, back);
		if (!same_words(f, owner, before, after)) {
			if (n < most)
				step_text(r, field, owner, before, after, &steps[n]);
			n++;
		}
		free(after);
		after = before;
	}
	free(after);
	return n;
}
