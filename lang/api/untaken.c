/* untaken.c - lines of a script that were never used, told when their block is over. */
#include "lang/api/interp.h"
#include "runtime/explain/explain.h"

/* Was somebody told of who did not take the line? */
static bool told(const struct fray *f, const struct line_info *line, word who)
{
	const struct trace *t = vm_trace(f->vm);
	for (int32_t i = trace_back(t, t->n - 1, 1u << REC_LEFT); i >= 0;
		 i = trace_back(t, i - 1, 1u << REC_LEFT)) {
		const struct record *r = trace_look(t, i);
		if (r->owner == who && r->span.file == line->span.file &&
			r->span.start == line->span.start && !r->dropped)
			return true;
	}
	return false;
}

/* Whoever is told of as not having taken it counts as having had it, too. */
static bool taken(const struct fray *f, const struct line_info *line)
{
	const word *set = vm_block(f->vm) + f->program->field[line->field].base;
	for (int who = 0; who < f->program->lives[KIND_COMBATANT]; who++)
		if (set[who / 64] >> (who % 64) & 1 && !told(f, line, who))
			return true;
	return false;
}

/* What happened since the block began: of a round that round, of other blocks all before it too. */
static bool within(const struct program *p, const struct record *r, int32_t block)
{
	return p->block[block].field != p->at.round_number || r->round == p->block[block].ordinal;
}

static bool was_asked(const struct fray *f, const struct line_info *line)
{
	const struct trace *t = vm_trace(f->vm);
	for (int32_t i = t->n - 1; i >= 0; i--) {
		const struct record *r = trace_get(t, i);
		if ((r->kind == REC_DECLARE || r->kind == REC_REFUSED) && r->owner == line->who && within(f->program, r, line->block))
			return true;
	}
	return false;
}

/* Whoever falls in the block's own time is told of in the story, and their lines are no mistake. */
static bool fell(const struct fray *f, const struct line_info *line)
{
	const struct trace *t = vm_trace(f->vm);
	int32_t i = explain_came_over(f->program, t, line->who);
	return i >= 0 && within(f->program, trace_get(t, i), line->block);
}

void lines_of_block(struct fray *f, int32_t block)
{
	const struct program *p = f->program;
	if (f->rules || !p->observed) /* other rules may ask otherwise than those it was written for */
		return;
	for (int32_t i = 0; i < p->lines; i++) {
		const struct line_info *line = &p->line[i];
		if (line->block != block || line->typed || taken(f, line))
			continue;
		if (!line->asked) {
			diag_report(&f->sink, M_LINE_NEVER, line->span, 0);
			continue;
		}
		if (line->who < 0) {
			diag_report(&f->sink, M_LINES_UNTAKEN, line->span, 0);
			continue;
		}
		const char *who = p->live[KIND_COMBATANT][line->who].name;
		const bool spare = was_asked(f, line);
		if (!fell(f, line) && !(spare && line->spare))
			diag_report(&f->sink, spare ? M_LINE_SPARE : M_LINE_UNASKED, line->span, 1, who);
	}
}
