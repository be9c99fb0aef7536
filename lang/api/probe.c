/* probe.c - values on demand: the encounter is linked once more with the expression as a
 * function, which runs on the world of the fight in progress. Layout and clause numbers are
 * those of the fight's own program, since the expression comes last. */
#include "lang/api/probe.h"

#include <string.h>

#include "runtime/world/block.h"

bool probe_open(struct fray *f, struct node *expr, bool record, struct probe *out)
{
	memset(out, 0, sizeof *out);
	out->record = -1;
	if (!f->vm) {
		diag_report(&f->sink, M_NO_FIGHT, expr->span, 0);
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
	if (f->sink.errors != errors || !expr->type)
		return false;
	f->model.probe = expr;
	out->program = link_encounter(&f->model, f->encounter, true);
	f->model.probe = NULL;
	if (!out->program)
		return false;
	bool same = out->program->layout.words == f->program->layout.words && out->program->probe_fn >= 0;
	out->type = out->program->probe_type;
	int width = out->words = out->program->probe_words;
	bool ok = false;
	if (same && width <= (int)FRAY_COUNT(out->value)) {
		struct trace *t = vm_trace(f->vm);
		const int32_t mark = t->n, own = (int32_t)vm_block(f->vm)[H_TRACE];
		vm_program(f->vm, out->program);
		ok = vm_call(f->vm, out->program->probe_fn, NULL, 0, out->value, width, record);
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

void probe_close(struct fray *f, struct probe *p)
{
	if (f->vm && p->program) {
		struct trace *t = vm_trace(f->vm);
		trace_cut(t, (int32_t)vm_block(f->vm)[H_TRACE] < t->n ? (int32_t)vm_block(f->vm)[H_TRACE] : t->n);
	}
	if (p->program)
		program_free(p->program);
	p->program = NULL;
}
