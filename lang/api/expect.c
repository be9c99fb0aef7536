/* expect.c - what the script expects, looked at when its block is over. Conditions are asked
 * of the world; sentences are looked for in the log. */
#include "lang/api/interp.h"

#include <string.h>

#include "runtime/code/show.h"
#include "runtime/world/block.h"

/* Records of one block: between the moments when its field had its ordinal. Rounds are
 * marked in the log; other moments by the change of their field. */
static bool in_block(const struct fray *f, const struct record *r, int32_t block, int32_t number)
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

enum { HELPED = 8 }; /* failed expectations that are looked into; nobody reads more at once */

static bool set_has(const word *set, word one)
{
	return one >= 0 && ((uint64_t)set[one / 64] >> (one % 64) & 1);
}

struct found { bool any; int32_t first, last; word time_first, time_last; int32_t round_first, round_last; bool first_happened; };

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

/* Is it the sort of record asked for? */
static bool is_sought(const struct program *p, const struct trace *t, int32_t number, const struct expect_info *e)
{
	const struct record *r = trace_get(t, number);
	if (e->refused) {
		if (r->kind != REC_REFUSED && !(r->kind == REC_VOID && r->flag == VOID_REFUSED))
			return false;
		return !r->dropped && (e->event < 0 || r->what == e->event) && gives_reason(p, r, e->why);
	}
	if (r->kind != REC_EVENT || r->dropped || r->flag == EVENT_VOIDED)
		return false;
	if (e->event < 0)
		return is_act(p, t, number);
	return r->what == e->event && r->flag != EVENT_REPLACED && r->flag != EVENT_STOPPED;
}

/* Events of that sort by the subjects with the roles asked for. */
static void look(struct fray *f, const struct expect_info *e, const word *subjects, bool timed, word time, struct found *out)
{
	const struct program *p = f->program;
	const struct trace *t = vm_trace(f->vm);
	memset(out, 0, sizeof *out);
	for (int32_t i = 0; i < t->n; i++) {
		if (!is_sought(p, t, i, e) || !in_block(f, trace_get(t, i), e->block, i))
			continue;
		const struct record *r = trace_get(t, i); /* after both have looked elsewhere */
		const struct event_info *ev = &p->event[r->what];
		const word *values = trace_values_at(t, r);
		if (subjects && (ev->roles == 0 || !values))
			continue;
		if (subjects) {
			if (ev->role[0].type.base == VT_LIVE && !set_has(subjects, values[ev->role[0].word]))
				continue;
		}
		bool fits = true;
		for (int k = 0; k < e->roles && fits; k++) {
			const struct role_info *role = &ev->role[e->match[k].role];
			word want[16];
			int width = role->type.base == VT_SET ? p->set_words : 1;
			if (width > 16 || !vm_call(f->vm, e->match[k].fn, NULL, 0, want, width, false))
				return;
			fits = !memcmp(want, values + role->word, sizeof(word) * (size_t)width);
			/* "casts web at orc #1" of a wider area: those named are among them */
			if (!fits && width >= 1 && role->type.base == VT_SET) {
				fits = true;
				for (int w = 0; w < width; w++)
					fits &= (want[w] & ~values[role->word + w]) == 0;
			}
			if (!fits && role->type.base == VT_THING) {
				for (word thing = values[role->word]; thing >= 0 && !fits; thing = p->thing[thing].parent)
					fits = thing == want[0];
			}
		}
		if (!fits || (timed && (e->round ? r->round != e->round : r->time != time)))
			continue;
		if (!out->any) {
			out->first = i;
			out->time_first = r->time;
			out->round_first = r->round;
		}
		out->any = true;
		out->last = i;
		out->time_last = r->time;
		out->round_last = r->round;
	}
}

static void report(struct fray *f, const struct expect_info *e, enum message id, const char *more)
{
	struct diag d = diag_make(id, e->span);
	size_t lead = !strncmp(e->text, "expect in vain ", 15) ? 15 : !strncmp(e->text, "expect ", 7) ? 7 : 0;
	diag_arg(&d, e->text + lead);
	struct buf lines = {0};
	f->tally.expects_failed++;
	VEC_PUSH(f->unmet, e->span);
	if (more && *more)
		buf_printf(&lines, "%s\n", more);
	if (id == M_EXPECT && f->tally.expects_failed <= HELPED) {
		expect_instead(f, e, &lines);
		expect_force(f, e, &lines);
	}
	for (char *line = lines.length ? (char *)(uintptr_t)buf_text(&lines) : NULL, *end; line && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		diag_line(&d, line);
	}
	diag_send(&f->run_sink, &d);
	buf_free(&lines);
	f->run_sink.errors--; /* counted as an expectation, not as an error of the run */
}

static void moment(struct fray *f, word time, struct buf *out)
{
	const struct program *p = f->program;
	struct vtype t = {VT_TIME, false, 0};
	const struct unit_info *u = p->shown_unit >= 0 ? &p->unit[p->shown_unit] : NULL;
	word start = vm_block(f->vm)[p->field[p->at.round_start].base];
	if (time == NONE)
		buf_puts(out, "at no set time");
	else if (u && u->num) /* what is only counted begins at nothing */
		buf_printf(out, "in %s %lld", u->name, (long long)((time - (u->base == VT_TIME ? start : 0)) * u->den / u->num));
	else
		program_value(p, t, &time, out);
}

/* Why it never happened, when that is known: it was refused. */
static void never(struct fray *f, const struct expect_info *e, const word *subjects, struct buf *why)
{
	struct expect_info refused = *e;
	struct found it;
	refused.refused = true;
	refused.why = NULL;
	look(f, &refused, subjects, false, NONE, &it);
	if (!it.any) {
		buf_puts(why, "It never happened.");
		return;
	}
	const struct record *r = trace_get(vm_trace(f->vm), it.first);
	buf_puts(why, "It was refused");
	if (r->clause >= 0) {
		buf_puts(why, ": ");
		program_cite(f->program, r->clause, why);
	}
	buf_putc(why, '.');
}

/* "orc #1 did not act.": of an order, those who had no act to be ordered. */
static void idle(struct fray *f, const word *others, struct buf *why)
{
	const struct program *p = f->program;
	struct buf names = {0};
	program_value(p, (struct vtype){VT_SET, false, KIND_COMBATANT}, others, &names);
	buf_printf(why, "%s did not act.", buf_text(&names));
	buf_free(&names);
}

static bool sentence(struct fray *f, const struct expect_info *e, struct buf *why)
{
	const struct program *p = f->program;
	word subjects[16], others[16], time = NONE;
	struct found mine, theirs;
	if (p->set_words > 16)
		return true;
	if (e->subject_fn >= 0 && !vm_call(f->vm, e->subject_fn, NULL, 0, subjects, p->set_words, false))
		return false;
	if (e->time_fn >= 0 && !vm_call(f->vm, e->time_fn, NULL, 0, &time, 1, false))
		return false;
	bool timed = e->when == WHEN_IN && (e->time_fn >= 0 || e->round);
	look(f, e, e->subject_fn >= 0 ? subjects : NULL, timed, time, &mine);
	bool holds = mine.any;
	if (holds && e->when != WHEN_ANY && e->when != WHEN_IN) {
		bool before = e->when == WHEN_BEFORE;
		if (e->round) {
			holds = before ? mine.round_last < e->round : mine.round_first > e->round;
		} else if (e->time_fn >= 0) {
			holds = before ? mine.time_last < time : mine.time_first > time;
		} else {
			struct expect_info other = *e;
			other.roles = 0;
			other.event = -1;
			if (!vm_call(f->vm, e->other_fn, NULL, 0, others, p->set_words, false))
				return false;
			look(f, &other, others, false, NONE, &theirs);
			const struct trace *t = vm_trace(f->vm);
			bool together = theirs.any && trace_get(t, before ? mine.last : mine.first)->group == trace_get(t, before ? theirs.first : theirs.last)->group;
			holds = theirs.any && !together && (before ? mine.last < theirs.first : mine.first > theirs.last);
			if (together)
				buf_puts(why, "They act together.");
			else if (mine.any && !theirs.any)
				idle(f, others, why);
		}
	}
	if (!holds && !e->negated && !why->length) {
		struct found any;
		look(f, e, e->subject_fn >= 0 ? subjects : NULL, false, NONE, &any);
		if (!any.any) {
			never(f, e, e->subject_fn >= 0 ? subjects : NULL, why);
		} else {
			buf_puts(why, "It happened ");
			if (e->round)
				buf_printf(why, "in round %d", any.round_first);
			else
				moment(f, any.time_first, why);
			buf_putc(why, '.');
		}
	}
	return holds != e->negated;
}

bool expect_holds(struct fray *f, const struct expect_info *e, struct buf *why)
{
	if (e->fn < 0)
		return sentence(f, e, why);
	word answer = 0;
	return vm_call(f->vm, e->fn, NULL, 0, &answer, 1, false) && answer != 0 && answer != NONE;
}

void expects_of_block(struct fray *f, int32_t block, bool reached)
{
	const struct block_info *b = &f->program->block[block];
	for (int i = b->expect_first; i < b->expect_first + b->expect_count; i++) {
		const struct expect_info *e = &f->program->expect[i];
		struct buf why = {0};
		/* what was vain when the fight was saved may well be so in the end */
		bool later = e->vain && block == 0 && !f->at_saved;
		if (!reached && !e->vain)
			report(f, e, M_EXPECT_NEVER, "");
		if (!reached || later)
			continue;
		bool ok = expect_holds(f, e, &why);
		if (ok != e->vain)
			f->tally.expects_passed++;
		else
			report(f, e, e->vain ? M_EXPECT_VAIN : M_EXPECT, e->vain ? "" : buf_text(&why));
		buf_free(&why);
	}
}
