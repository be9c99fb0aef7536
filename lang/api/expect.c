/* expect.c - what the script expects, looked at when its block is over. Conditions are asked
 * of the world; sentences are looked for in the log (expect_seek.c), and what is told in the
 * story. */
#include <string.h>

#include "lang/api/expect.h"
#include "runtime/code/show.h"

enum { HELPED = 8 }; /* failed expectations that are looked into; nobody reads more at once */

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

/* Who a sentence is about; NULL: anybody. False: that cannot be worked out. */
static bool subjects_of(struct fray *f, const struct expect_info *e, word *set, const word **out)
{
	*out = e->subject_fn >= 0 ? set : NULL;
	return e->subject_fn < 0 ||
		vm_call(f->vm, e->subject_fn, NULL, 0, set, f->program->set_words, false);
}

/* Why it never happened, when that is known: the act ended in another way. */
static void never(
	struct seek *k, const struct expect_info *e, const word *subjects, struct buf *why)
{
	static const struct { uint8_t end; const char *text; } end[] = {
		{END_REFUSED, "refused"}, {END_VOID, "void"}, {END_INTERRUPTED, "interrupted"},
		{END_REPLACED, "replaced"}, {END_LEFT_OVER, "left over"},
	};
	struct expect_info other = *e;
	struct found it;
	other.why = NULL;
	for (size_t i = 0; i < FRAY_COUNT(end); i++) {
		other.end = end[i].end;
		if (other.end == e->end)
			continue;
		seek_all(k, &other, subjects, NULL, &it);
		if (!it.n)
			continue;
		const struct record *r = trace_get(k->t, it.first);
		buf_printf(why, "It was %s", end[i].text);
		if (other.end == END_REFUSED && r->clause >= 0) {
			buf_puts(why, ": ");
			program_cite(k->p, r->clause, why);
		}
		buf_putc(why, '.');
		return;
	}
	other.end = END_HAPPENS;
	seek_all(k, &other, subjects, NULL, &it);
	buf_puts(why, e->end != END_HAPPENS && it.n ? "It was done." : "It never happened.");
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

/* Before, after or together with what others did. */
static bool beside(struct seek *k, const struct expect_info *e, const word *subjects,
	const struct found *mine, struct buf *why)
{
	word others[EXPECT_SET];
	struct found theirs;
	struct expect_info other = *e;
	other.roles = 0;
	other.event = other.within = -1;
	other.end = END_HAPPENS;
	if (!vm_call(k->f->vm, e->other_fn, NULL, 0, others, k->p->set_words, false))
		return false;
	seek_all(k, &other, others, NULL, &theirs);
	if (!theirs.n) {
		idle(k->f, others, why);
		return false;
	}
	if (e->when == WHEN_TOGETHER) {
		for (int32_t i = mine->first; i <= mine->last; i++)
			for (int32_t j = theirs.first;
				j <= theirs.last && seek_fits(k, i, e, subjects); j++)
				if (trace_get(k->t, i)->group == trace_get(k->t, j)->group &&
					seek_fits(k, j, &other, others))
					return true;
		buf_printf(why, "They act apart: ");
		moment(k->f, mine->time_first, why);
		buf_puts(why, " and ");
		moment(k->f, theirs.time_first, why);
		buf_putc(why, '.');
		return false;
	}
	const bool before = e->when == WHEN_BEFORE;
	const int32_t own = before ? mine->last : mine->first,
		      its = before ? theirs.first : theirs.last;
	if (trace_get(k->t, own)->group == trace_get(k->t, its)->group) {
		buf_puts(why, "They act together.");
		return false;
	}
	return before ? own < its : own > its;
}

static bool in_time(const struct expect_info *e, word time, const struct found *mine)
{
	const bool before = e->when == WHEN_BEFORE;
	if (e->round)
		return before ? mine->round_last < e->round : mine->round_first > e->round;
	return before ? mine->time_last < time : mine->time_first > time;
}

static bool often_enough(const struct expect_info *e, int32_t n)
{
	return n >= e->least && (e->most < 0 || n <= e->most);
}

static bool sentence(struct fray *f, struct seek *k, const struct expect_info *e, struct buf *why)
{
	word set[EXPECT_SET], time = NONE;
	const word *subjects;
	struct found mine;
	if (!subjects_of(f, e, set, &subjects))
		return false;
	if (e->time_fn >= 0 && !vm_call(f->vm, e->time_fn, NULL, 0, &time, 1, false))
		return false;
	const bool timed = e->when == WHEN_IN && (e->time_fn >= 0 || e->round);
	seek_all(k, e, subjects, timed ? &time : NULL, &mine);
	bool holds = often_enough(e, mine.n);
	if (holds && mine.n && e->when != WHEN_ANY && e->when != WHEN_IN)
		holds = e->round || e->time_fn >= 0 ? in_time(e, time, &mine)
						    : beside(k, e, subjects, &mine, why);
	if (holds || e->negated || why->length)
		return holds != e->negated;
	struct found any;
	seek_all(k, e, subjects, NULL, &any);
	if (!any.n) {
		never(k, e, subjects, why);
	} else if (!often_enough(e, mine.n) && (e->least != 1 || e->most >= 0) && mine.n) {
		buf_printf(
			why, mine.n == 1 ? "It happened once." : "It happened %d times.", mine.n);
	} else {
		buf_puts(why, e->end == END_HAPPENS ? "It happened " : "It was so ");
		if (e->round)
			buf_printf(why, "in round %d", any.round_first);
		else
			moment(f, any.time_first, why);
		buf_putc(why, '.');
	}
	return false;
}

/* Each after the one before it, and not in the same moment but for what happens within one act. */
static bool in_order(struct fray *f, struct seek *k, const struct expect_info *e, struct buf *why)
{
	int32_t last = -1;
	for (int part = 1; part <= e->parts; part++) {
		const struct expect_info *x = &e[part];
		word set[EXPECT_SET];
		const word *subjects;
		int32_t i = last + 1;
		if (!subjects_of(f, x, set, &subjects))
			return false;
		for (; i < k->t->n; i++) {
			if (!seek_fits(k, i, x, subjects))
				continue;
			const struct record *r = trace_get(k->t, i);
			const int32_t group = r->group;
			const word act = r->act;
			const struct record *before = last >= 0 ? trace_get(k->t, last) : NULL;
			if (!before || before->group != group || before->act == act)
				break;
		}
		if (i < k->t->n) {
			last = i;
			continue;
		}
		struct found any;
		seek_all(k, x, subjects, NULL, &any);
		if (!any.n)
			buf_printf(why, "\"%s\" never happened.", x->text);
		else
			buf_printf(why, "\"%s\" did not come after \"%s\".", x->text, x[-1].text);
		return false;
	}
	return true;
}

/* The parts of a condition that are not so, each with what it compared; behind a "not" those that
 * are. */
static void failed_parts(struct fray *f, const struct expect_info *e, struct buf *why)
{
	for (int i = 1; i <= e->parts; i++) {
		word answer = 0;
		const bool so = vm_call(f->vm, e[i].fn, NULL, 0, &answer, 1, false) && answer != 0 &&
			answer != NONE;
		if (so != e[i].negated)
			continue;
		buf_printf(
			why, "%s%s: %s.", why->length ? "\n" : "", so ? "It is so" : "Not so", e[i].text);
		expect_value(f, &e[i], why);
	}
}

bool expect_holds(struct fray *f, const struct expect_info *e, struct buf *why)
{
	if (e->fn >= 0) {
		word answer = 0;
		const bool holds = vm_call(f->vm, e->fn, NULL, 0, &answer, 1, false) &&
			answer != 0 && answer != NONE;
		if (!holds)
			failed_parts(f, e, why);
		return holds;
	}
	if (e->end == END_TOLD)
		return expect_told(f, e) != e->negated;
	if (f->program->set_words > EXPECT_SET)
		return true;
	struct seek k;
	seek_open(&k, f);
	const bool holds = e->end == END_ORDER ? in_order(f, &k, e, why) : sentence(f, &k, e, why);
	seek_close(&k);
	return holds;
}

void expects_of_block(struct fray *f, int32_t block, bool reached)
{
	const struct block_info *b = &f->program->block[block];
	for (int i = b->expect_first, next; i < b->expect_first + b->expect_count; i = next) {
		const struct expect_info *e = &f->program->expect[i];
		next = i + 1 + e->parts;
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
