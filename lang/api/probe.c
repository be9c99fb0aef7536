/* probe.c - values on demand: the encounter is linked once more, and each expression becomes a function of that program,
 * which runs on the world of the fight in progress. Layout and clause numbers are those of the fight's own program, since
 * the expressions come last. */
#include "lang/api/probe.h"

#include <stdlib.h>
#include <string.h>

#include "lang/gen/gen.h"

#include "runtime/world/block.h"

/* A program that functions are added to, and how many probes are open that have theirs in it. */
struct probing {
	struct grown *grown;
	const struct program *of; /* that of the fight */
	int encounter, users;
	bool forgotten;
};

static void let_go(struct probing *x)
{
	if (x->users == 0 && x->forgotten) {
		grown_free(x->grown);
		free(x);
	}
}

void probe_forget(struct fray *f)
{
	struct probing *x = f->probing;
	f->probing = NULL;
	if (x) {
		x->forgotten = true;
		let_go(x);
	}
}

static struct probing *probing_of(struct fray *f)
{
	struct probing *x = f->probing;
	if (x && x->users == 0 && (x->of != f->program || x->encounter != f->encounter || grown_stale(x->grown)))
		probe_forget(f);
	if (f->probing)
		return f->probing;
	struct grown *grown = grown_open(&f->model, f->encounter);
	x = grown ? calloc(1, sizeof *x) : NULL;
	if (!x) {
		grown_free(grown);
		return NULL;
	}
	*x = (struct probing){.grown = grown, .of = f->program, .encounter = f->encounter};
	return f->probing = x;
}

static struct program *added(struct fray *f, struct node *expr, struct probe *out)
{
	struct probing *x = probing_of(f);
	struct program *p = x ? grown_add(x->grown, expr) : NULL;
	if (!p) {
		probe_forget(f);
		return NULL;
	}
	x->users++;
	out->from = x;
	out->program = p;
	out->fn = p->probe_fn;
	return p;
}

bool probe_open(struct fray *f, struct node *expr, bool record, struct probe *out)
{
	memset(out, 0, sizeof *out);
	out->record = -1;
	if (!f->vm) {
		report_no_fight(f, expr->span);
		return false;
	}
	struct scope s;
	int errors = f->sink.errors;
	f->model.reporting = true;
	f->model.pass = 9;
	scene_enter(&f->model, f->encounter);
	scope_init(&s, &f->model);
	s.scene = s.pure = true;
	infer(&s, expr, NULL);
	scene_leave(&f->model);
	if (f->sink.errors != errors || !expr->type || !added(f, expr, out))
		return false;
	bool same = out->program->layout.words == f->program->layout.words;
	out->type = out->program->probe_type;
	int width = out->words = out->program->probe_words;
	bool ok = false;
	if (same && width <= (int)FRAY_COUNT(out->value)) {
		struct trace *t = vm_trace(f->vm);
		const int32_t mark = t->n, own = (int32_t)vm_block(f->vm)[H_TRACE];
		vm_program(f->vm, out->program);
		ok = vm_call(f->vm, out->fn, NULL, 0, out->value, width, record);
		vm_program(f->vm, f->program);
		vm_block(f->vm)[H_TRACE] = own; /* what was recorded for it is not the fight's */
		for (int32_t i = mark; i < t->n && record; i++)
			if (trace_get(t, i)->kind == REC_QUESTION && trace_get(t, i)->parent < mark) {
				out->record = i;
				break;
			}
	}
	return ok;
}

static void probe_end(struct probe *p)
{
	if (p->from) {
		p->from->users--;
		let_go(p->from);
	}
	p->from = NULL;
	p->program = NULL;
}

void probe_close_to(struct fray *f, struct probe *p, int32_t mark)
{
	trace_cut(vm_trace(f->vm), mark);
	probe_end(p);
}

void probe_close(struct fray *f, struct probe *p)
{
	if (f->vm && p->from) {
		struct trace *t = vm_trace(f->vm);
		trace_cut(t, (int32_t)vm_block(f->vm)[H_TRACE] < t->n ? (int32_t)vm_block(f->vm)[H_TRACE] : t->n);
	}
	probe_end(p);
}
