/* cells.c - answers that rest on a line of cells.
 *
 * A search for the nearest reads one cell for each candidate, and noting a cell takes longer than
 * reading it. So a question that is asked about one thing, and has read some of its cells, depends
 * on all of them from then on: its line. A field with such answers is marked, and a write to one of
 * its cells voids the lines of both things. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/must.h"
#include "runtime/vm/memo.h"

enum { ALONE = 6 }; /* cells that are noted for themselves */

void cells_open(struct memo *x)
{
	const struct program *p = x->p;
	uint32_t n = 0;
	for (int i = 0; i < p->pairs && i < MEMO_LINED_FIELDS; i++) {
		const struct pair_info *f = &p->pair[i];
		if (f->fixed)
			continue;
		x->line_first[i] = n;
		n += f->side;
	}
	x->lines = n;
	x->line = calloc((size_t)n + 1, sizeof *x->line);
	must(x->line);
}

/* From now on writes to its cells are told. */
static void mark(struct memo *x, int field)
{
	const struct pair_info *f = &x->p->pair[field];
	if (x->lined >> field & 1)
		return;
	x->lined |= 1u << field;
	x->cells_noted = true;
	for (uint32_t k = 0; k < f->side * f->side; k++)
		x->head[f->base + k] |= MEMO_CELLS;
}

static void unmark(struct memo *x)
{
	for (; x->lined; x->lined &= x->lined - 1) {
		const struct pair_info *f = &x->p->pair[__builtin_ctz(x->lined)];
		for (uint32_t k = 0; k < f->side * f->side; k++)
			x->head[f->base + k] &= ~MEMO_CELLS;
	}
}

void cells_note(struct memo *x, int field, uint32_t at, word one, word other)
{
	struct memo_frame *f = &x->frame[x->depth - 1];
	if (f->asked < 0 || field >= MEMO_LINED_FIELDS || (one != f->asked && other != f->asked)) {
		memo_read(x, at);
	} else if (f->read[field] < ALONE) {
		f->read[field]++;
		memo_read(x, at);
	} else {
		mark(x, field);
		f->lined |= 1u << field;
		f->changeable = true;
		f->notes++;
		memo_lead(x, &x->line[x->line_first[field] + (uint32_t)f->asked], f);
	}
}

static void void_line(struct memo *x, uint32_t line)
{
	const uint32_t chain = x->line[line];
	x->line[line] = 0;
	memo_void_chain(x, chain);
}

void cells_wrote(struct memo *x, uint32_t at)
{
	for (uint32_t left = x->lined; left; left &= left - 1) {
		const int field = __builtin_ctz(left);
		const struct pair_info *f = &x->p->pair[field];
		const uint32_t k = at - f->base;
		if (k >= f->side * f->side)
			continue;
		void_line(x, x->line_first[field] + k / f->side);
		void_line(x, x->line_first[field] + k % f->side);
	}
}

void cells_renew(struct memo *x)
{
	for (uint32_t i = 0; i < x->lines; i++)
		void_line(x, i);
	unmark(x); /* as long as a fight is set up nothing rests on them */
}

void cells_forget(struct memo *x)
{
	if (x->line)
		memset(x->line, 0, x->lines * sizeof *x->line);
	unmark(x);
}

void cells_close(struct memo *x)
{
	free(x->line);
}
