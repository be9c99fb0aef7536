/* format.c - a script in its canonical layout.
 *
 * The modules it uses are read for their names alone: without them a run of words cannot be
 * cut, and what cannot be read is left as it is. */
#include "lang/front/format.h"

#include "lang/api/attempt.h"
#include "lang/api/interp.h"

enum fray_status fray_format(struct fray *f, const char *name, const char *text, size_t length,
	const char **formatted, size_t *size)
{
	struct starts starts = {0};
	attempt_begin(f);
	bool ok = units_load(f, name, text, length);
	struct unit *u = f->unit.n ? &f->unit.v[f->unit.n - 1] : NULL;
	for (int i = 0; i < f->unit.n; i++)
		if (f->unit.v[i].layer == LAYER_SCRIPT)
			u = &f->unit.v[i];
	*formatted = NULL;
	*size = 0;
	if (u && u->layer == LAYER_SCRIPT && !u->collected_only) {
		f->front.starts = &starts;
		u->tree = front_parse(&f->front, u->file);
		f->front.starts = NULL;
		buf_clear(&f->text);
		format_text(&f->front, u->file, u->tree, &starts, &f->text);
		*formatted = buf_text(&f->text);
		*size = f->text.length;
	}
	VEC_FREE(starts.at);
	attempt_undo(f);
	return ok && *formatted && !f->sink.errors ? FRAY_OK : FRAY_WRONG;
}
