/* evaluate.c - an expression typed alone: its value. */
#include "lang/api/probe.h"

/* "Bruna's hit points = 4" asks; who wants them to be so has another word for it. */
static void tell_of_set(struct fray *f, struct node *n)
{
	struct node *x = n->a;
	struct probe p;
	if (x->kind != N_KIND_E_BINARY || x->op != BIN_EQ || x->a->kind != N_KIND_E_FIELD || !probe_open(f, x->a, false, &p))
		return;
	struct buf b = {0};
	size_t length;
	const char *said = sources_text(&f->sources, n->span, &length);
	buf_puts(&b, "It is ");
	program_written(p.program, p.type, p.value, p.words, &b);
	buf_printf(&b, ". To make it so, write: set %.*s\n", (int)length, said);
	fray_write(f, FRAY_DIM, buf_text(&b));
	buf_free(&b);
	probe_close(f, &p);
}

enum fray_status evaluate(struct fray *f, struct node *n)
{
	struct probe p;
	if (!probe_open(f, n->a, false, &p)) {
		probe_close(f, &p);
		return FRAY_WRONG;
	}
	struct buf b = {0};
	program_written(p.program, p.type, p.value, p.words, &b);
	buf_putc(&b, '\n');
	fray_write(f, FRAY_PLAIN, buf_text(&b));
	buf_free(&b);
	bool no = p.type.base == VT_BOOL && p.value[0] == 0;
	probe_close(f, &p);
	if (no)
		tell_of_set(f, n);
	return FRAY_OK;
}
