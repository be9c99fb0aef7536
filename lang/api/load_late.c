/* load_late.c - parts of the library that are read when something names them (docs/decisions/0062).
 * */
#include <stdlib.h>
#include <string.h>

#include "lang/api/attempt.h"
#include "lang/api/session.h"
#include "lang/front/image.h"
#include "stdlib/builtins.h"

/* Of the files put off, the stat blocks that were taken now. */
static bool read_taken(struct fray *f)
{
	bool ok = true;
	for (int i = 0; i < f->put_off.n; i++) {
		struct put_off *p = &f->put_off.v[i];
		const struct fray_builtin *b = &fray_builtins[p->builtin];
		size_t size = fray_image.file[p->builtin].blocks * sizeof *p->fresh;
		if (!p->any)
			continue;
		bool *taken = malloc(size);
		struct buf shown = {0};
		if (!taken)
			abort();
		memcpy(taken, p->fresh, size);
		memset(p->fresh, 0, size);
		if (!unit_has_image(f, p->builtin)) /* then all of it is read */
			memset(p->taken, true, size);
		p->any = false;
		buf_printf(&shown, "library/%s.fray", b->name);
		load_as(f, p->aside, p->under);
		ok &= unit_add_text(f, p->module, p->only, buf_text(&shown), b->text, b->length, p->layer,
			(long)p->builtin, taken);
		load_as(f, false, 0);
		buf_free(&shown);
		f->more_read = true;
	}
	return ok;
}

bool load_put_off(struct fray *f)
{
	return !f->put_off.n || !lean_take(f) || read_taken(f);
}

bool units_named(struct fray *f, const char *text, size_t length)
{
	if (!f->put_off.n)
		return true;
	const bool parts = lean_meet(f, text, length), more = lean_take(f);
	return !(parts || more) || read_taken(f);
}

static bool wanted_kind(const struct fray *f, sym kind, int of)
{
	int k = model_kind(&f->model, kind);
	return k >= 0 && kind_is(&f->model, k, of);
}

bool units_of_kind(struct fray *f, int kind)
{
	if (!f->put_off.n)
		return true;
	lean_take_kind(f, wanted_kind, kind);
	lean_take(f);
	return read_taken(f);
}

bool units_parts(struct fray *f)
{
	if (!f->put_off.n)
		return true;
	lean_take_parts(f);
	lean_take(f);
	return read_taken(f);
}

void say_nothing(void *context, const struct diag *d)
{
	(void)context;
	(void)d;
}

bool units_refresh(struct fray *f)
{
	if (!f->more_read)
		return true;
	/* what there is to say of the rest was said */
	void (*report)(void *, const struct diag *) = f->sink.report;
	int errors = f->sink.errors, warnings = f->sink.warnings;
	f->sink.report = say_nothing;
	bool ok = f->vm ? session_refresh(f) : units_check(f);
	f->sink.report = report;
	f->sink.errors = errors;
	f->sink.warnings = warnings;
	return ok;
}

bool units_use_late(struct fray *f, const struct node *use)
{
	bool ok = true;
	if (use->name && !unit_is_read(f, use->name))
		ok &= load_aside(f, use, "prompt");
	for (const struct node *n = use->a; n; n = n->next)
		ok &= unit_is_read(f, n->name) || load_aside(f, n, "prompt");
	return load_variants(f) && load_put_off(f) && ok;
}
