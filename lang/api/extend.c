/* extend.c - see extend.h. */
#include "lang/api/extend.h"

#include <stdlib.h>
#include <string.h>

#include "lang/api/session.h"
#include "runtime/world/block.h"

static void drop_machine(struct fray *f)
{
	struct aside *none = NULL;
	if (f->vm)
		aside_put(f, &none);
	else if (f->program)
		program_free(f->program);
	f->program = NULL;
	aside_free(&none);
}

/* ---- the judge: the same fight, played ---- */

#ifndef NDEBUG
static void no_word(void *context, const struct diag *d)
{
	(void)context;
	(void)d;
}

static void must_be_same_log(const struct trace *a, const struct trace *b)
{
	must(a->n == b->n);
	for (int32_t i = 0; i < a->n; i++) {
		const struct record x = *trace_get(a, i), y = *trace_get(b, i);
		must(x.kind == y.kind && x.what == y.what && x.clause == y.clause && x.value == y.value);
		must(x.parent == y.parent && x.act == y.act && x.owner == y.owner && x.flag == y.flag);
		must(x.round == y.round && x.time == y.time && x.group == y.group);
		must(x.dropped == y.dropped && x.closed == y.closed && x.value_count == y.value_count);
		must(!strcmp(trace_text_at(a, x.text), trace_text_at(b, y.text)));
		if (x.value_count)
			must(!memcmp(
			    trace_values_at(a, &x), trace_values_at(b, &y), x.value_count * sizeof(word)));
	}
}

static void must_be_same_past(struct fray *f, struct fray *g, int beats)
{
	for (int i = 0; i <= beats; i += i < 3 ? 1 : beats - i > 0 ? beats - i : 1) {
		word *a = session_world_before(f, i), *b = session_world_before(g, i);
		must(!memcmp(a, b, f->program->layout.words * sizeof *a));
		free(a);
		free(b);
	}
}

/* The fight is played as well, and has to come to the same world, log and past. */
static void judge(struct fray *f)
{
	struct fray fast = *f;
	struct aside *kept = NULL;
	const int beats = f->session.pasts.beat.n;
	void (*said)(void *, const struct diag *) = f->run_sink.report,
	                                       (*report)(void *, const struct diag *) = f->sink.report;
	f->run_sink.report = f->sink.report = no_word;
	aside_put(f, &kept);
	session_play(f);
	must(f->vm && f->program->id == fast.program->id);
	must(!memcmp(vm_block(f->vm), vm_block(fast.vm), f->program->layout.words * sizeof(word)));
	must_be_same_log(vm_trace(f->vm), vm_trace(fast.vm));
	must(f->session.pasts.beat.n == beats && f->rounds == fast.rounds);
	must(!memcmp(&f->tally, &fast.tally, sizeof f->tally) && f->unmet.n == fast.unmet.n);
	must_be_same_past(f, &fast, beats);
	must(f->run_sink.errors == fast.run_sink.errors);
	f->run_sink.report = said;
	f->sink.report = report;
	f->sink.errors = fast.sink.errors;
	f->sink.warnings = fast.sink.warnings;
	const struct diag_sink sink = f->run_sink;
	aside_take(f, &kept);
	f->run_sink = sink;
	f->session.asides = fast.session.asides;
}
#endif

/* ---- the line ---- */

/* Lines of which nothing asks before their block begins. A rule or an option is asked about in
 * the past as well, and whoever joins has a place there: those are played. */
static bool waits_for_its_block(const struct node *newest)
{
	bool all = newest->kind == N_KIND_THING;
	for (const struct node *n = newest->kind == N_KIND_MOMENT ? newest->a : NULL; n; n = n->next)
		switch (n->kind) {
		case N_KIND_N_SAY:
		case N_KIND_N_EDIT:
		case N_KIND_N_DICE:
		case N_KIND_N_CHOICES:
		case N_KIND_N_FOLLOWS:
		case N_KIND_N_EXPECT:
		case N_KIND_N_EXPECT_SAY:
		case N_KIND_N_REFEREE: all = true; break;
		default: return false;
		}
	return all;
}

bool extend_fight(struct fray *f, struct aside *from, enum fray_status *s)
{
	if (!waits_for_its_block(f->session.newest))
		return false;
	if (f->vm || f->replayed || f->run_sink.errors || f->unwritten)
		return false;
	const int64_t rounds = f->rounds;
	if (!run_ready(f, f->session.scene->name)) {
		drop_machine(f);
		*s = FRAY_WRONG;
		return true;
	}
	if (!f->table || f->rounds != rounds || !aside_extend(f, from)) {
		drop_machine(f);
		return false;
	}
	f->from = false;
	vm_refuel(f->vm);
	*s = status_of(f, vm_moment(f->vm));
	aside_moment(f, from);
	f->told = vm_trace(f->vm)->n;
#ifndef NDEBUG
	judge(f);
#endif
	return true;
}
