/* untaken.c - lines of a script that were never used, told when their block is over. */
#include <string.h>

#include "lang/api/interp.h"
#include "runtime/explain/explain.h"

enum { TOLD_OF = 6, ASKED_FOR = 24 };

/* Was somebody told of who did not take the line? */
static bool told(const struct fray *f, const struct line_info *line, word who)
{
	const struct trace *t = vm_trace(f->vm);
	for (int32_t i = trace_back(t, t->n - 1, 1u << REC_LEFT); i >= 0;
		 i = trace_back(t, i - 1, 1u << REC_LEFT)) {
		const struct record *r = trace_look(t, i);
		if (r->owner == who && r->span.file == line->span.file &&
			r->span.start == line->span.start && !r->dropped &&
			r->flag != LEFT_FIRST) /* that line was tried */
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

/* Was somebody asked while the block was open, and did they then do what a policy says? */
static bool was_asked(
	const struct fray *f, const struct line_info *line, word who, bool *by_policy)
{
	const struct trace *t = vm_trace(f->vm);
	for (int32_t i = t->n - 1; i >= 0; i--) {
		const struct record *r = trace_get(t, i);
		if ((r->kind == REC_DECLARE || r->kind == REC_REFUSED) && r->owner == who &&
			within(f->program, r, line->block)) {
			*by_policy = r->kind == REC_DECLARE && r->flag == BY_POLICY;
			return true;
		}
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

/* Is somebody one of the group that a line names? */
static bool of_group(const struct fray *f, const struct line_info *line, word who)
{
	const struct program *p = f->program;
	const word *block = vm_block(f->vm);
	const struct field_info *side = &p->field[p->at.combatant_side];
	const struct field_info *pattern = &p->field[p->at.combatant_template];
	if (line->side >= 0)
		return block[side->base + (uint32_t)who * side->stride] == line->side;
	word thing = block[pattern->base + (uint32_t)who * pattern->stride];
	while (thing >= 0 && thing < p->things && thing != line->pattern)
		thing = p->thing[thing].parent;
	return line->pattern >= 0 && thing == line->pattern;
}

static void report_never(struct fray *f, const struct line_info *line)
{
	const struct program *p = f->program;
	VEC(const char *) all = {0};
	struct buf list = {0};
	for (int i = 0; i < p->events; i++)
		if (p->event[i].asked)
			VEC_PUSH(all, p->event[i].name);
	diag_list(all.v, all.n, NULL, ASKED_FOR, &list);
	diag_report(&f->sink, M_LINE_NEVER, line->span, 1, buf_text(&list));
	buf_free(&list);
	VEC_FREE(all);
}

/* A line for several: what came over each of them. */
static void report_group(struct fray *f, const struct line_info *line)
{
	const struct program *p = f->program;
	struct buf hint = {0};
	int n = 0;
	for (int who = 0; who < p->lives[KIND_COMBATANT]; who++) {
		if (!of_group(f, line, who) || n++ >= TOLD_OF)
			continue;
		buf_puts(&hint, hint.length ? "; " : "");
		const size_t before = hint.length;
		const char *name = p->live[KIND_COMBATANT][who].name;
		bool by_policy;
		if (was_asked(f, line, who, &by_policy))
			buf_printf(&hint, by_policy ? "%s did what the policy says"
						    : "%s already had another line", name);
		else if (!explain_came_over_told(
				 p, vm_trace(f->vm), vm_block(f->vm), who, &hint)) {
			hint.length = before;
			buf_printf(&hint, "%s was not asked", name);
		}
	}
	if (!hint.length)
		buf_puts(&hint, "Each of them was not asked, or already had another line");
	buf_puts(&hint, n > TOLD_OF ? "; and so on." : ".");
	diag_report(&f->sink, M_LINES_UNTAKEN, line->span, 1, buf_text(&hint));
	buf_free(&hint);
}

/* To wait, where what is done by default has another name: "Hal passes" is meant. */
static bool waits(const struct fray *f, const struct line_info *line)
{
	const struct model *m = &f->model;
	return line->event >= 0 && m->default_action && m->default_action != m->w.wait &&
		!strcmp(f->program->event[line->event].name, model_text(m, m->w.wait));
}

static void report_waits(struct fray *f, const struct line_info *line)
{
	size_t length;
	const char *text = sources_text(&f->sources, line->span, &length);
	const char *wait = model_text(&f->model, f->model.w.wait);
	const char *instead = model_text(&f->model, f->model.default_action);
	const char *at = strstr(text, wait);
	struct buf said = {0};
	buf_add(&said, text, at && (size_t)(at - text) < length ? (size_t)(at - text) : 0);
	buf_puts(&said, instead);
	if (at && at[strlen(wait)] == 's') /* one who waits, passes */
		buf_puts(&said, instead[strlen(instead) - 1] == 's' ? "es" : "s");
	diag_report(&f->sink, M_LINE_WAITS, line->span, 1, buf_text(&said));
	buf_free(&said);
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
		if (!line->asked && waits(f, line)) {
			report_waits(f, line);
			continue;
		}
		if (!line->asked) {
			report_never(f, line);
			continue;
		}
		if (line->who < 0) {
			report_group(f, line);
			continue;
		}
		const char *who = p->live[KIND_COMBATANT][line->who].name;
		bool by_policy = false;
		const bool spare = was_asked(f, line, line->who, &by_policy);
		const char *act = line->event >= 0 ? p->event[line->event].name : "act";
		if (!fell(f, line) && !(spare && line->spare))
			diag_report(&f->sink,
				!spare          ? M_LINE_UNASKED
					: by_policy ? M_LINE_POLICY
						    : M_LINE_SPARE,
				line->span, 2, who, act);
	}
}

void block_unplayed(struct fray *f, int32_t block)
{
	const struct program *p = f->program;
	const struct block_info *b = &p->block[block];
	bool lines = false;
	if (f->rules || !p->observed || block == 0 || b->field < 0)
		return;
	for (int32_t i = 0; i < p->lines && !lines; i++)
		lines = p->line[i].block == block && !p->line[i].typed;
	if (!lines)
		return;
	const word round = vm_block(f->vm)[p->field[p->at.round_number].base];
	struct buf why = {0};
	if (b->field == p->at.round_number && round == 0)
		buf_puts(&why, "the fight was over before it");
	else if (b->field == p->at.round_number)
		buf_printf(&why, "the fight ended in round %lld", (long long)round);
	else
		buf_printf(&why, "there was no %s %lld", b->unit, (long long)b->ordinal);
	diag_report(&f->sink, M_BLOCK_UNPLAYED, b->span, 1, buf_text(&why));
	buf_free(&why);
}

/* ---- lines that give out before the fight is over ---- */

enum { IDLE_ROUNDS = 2 }; /* so many are told of; one round is waited out on purpose */

/* The last round that has a line for this combatant; 0: no line names them, or not for a round. A
 * line outside all blocks is one of round 1. Where the script's own rounds are all that is played,
 * a combatant may have nothing to do in the last of them; only a line outside them was then meant
 * for all. */
static word last_round_of(const struct fray *f, int who, struct span *at)
{
	const struct program *p = f->program;
	const bool blocks_only = p->script_rounds > 0;
	word last = 0;
	for (int32_t i = 0; i < p->lines; i++) {
		const struct line_info *line = &p->line[i];
		const word *set = vm_block(f->vm) + p->field[line->field].base;
		if (line->who != who && !(set[who / 64] >> (who % 64) & 1))
			continue;
		const bool outside = line->block <= 0;
		if (line->typed || (blocks_only && !outside) ||
			(!outside && p->block[line->block].field != p->at.round_number))
			return 0;
		const word round = outside ? 1 : p->block[line->block].ordinal;
		if (round > last) {
			last = round;
			*at = line->span;
		}
	}
	return last;
}

/* Whether somebody was asked in that many rounds after `last` and had nothing to do, nor a
 * policy. */
static bool was_idle(const struct fray *f, int who, word last)
{
	const struct trace *t = vm_trace(f->vm);
	int rounds = 0;
	word round = -1;
	for (int32_t i = trace_back(t, t->n - 1, 1u << REC_DECLARE); i >= 0;
		i = trace_back(t, i - 1, 1u << REC_DECLARE)) {
		const struct record *r = trace_look(t, i);
		if (r->owner != who)
			continue;
		if (r->flag == BY_POLICY || r->flag == BY_PROMPT)
			return false;
		if (r->round > last && r->flag == BY_DEFAULT && r->round != round) {
			rounds++;
			round = r->round;
		}
	}
	return rounds >= IDLE_ROUNDS;
}

/* The policy of whoever is told nothing, or NULL. */
static const char *usual_policy(const struct fray *f)
{
	const struct model *m = &f->model;
	const char *name = NULL;
	for (int i = 0; i < m->default_policies.n; i++) {
		const struct mclause *x = &m->clause.v[m->default_policies.v[i]];
		if (x->in_force)
			name = x->node->ref >= 0 ? model_text(m, m->policy.v[x->node->ref].name)
						 : NULL;
	}
	return name;
}

void lines_gave_out(struct fray *f)
{
	const struct program *p = f->program;
	const int people = p->lives[KIND_COMBATANT];
	if (f->rules || !p->observed)
		return;
	VEC(int) idle = {0};
	word first = 0;
	struct span at = {0};
	for (int who = 0; who < people; who++) {
		struct span own = {0};
		const word last = last_round_of(f, who, &own);
		if (!last || (first && last != first) || !was_idle(f, who, last))
			continue;
		first = last;
		at = own;
		VEC_PUSH(idle, who);
	}
	if (idle.n) {
		const char *policy = usual_policy(f);
		struct buf names = {0}, round = {0}, line = {0};
		for (int i = 0; i < idle.n; i++)
			buf_printf(&names, "%s%s",
				!i                        ? ""
					: i == idle.n - 1 ? " and "
							  : ", ",
				p->live[KIND_COMBATANT][idle.v[i]].name);
		buf_printf(&round, "%lld", (long long)first);
		if (policy)
			buf_printf(&line, "%s %s %s", buf_text(&names),
				idle.n > 1 ? "follow" : "follows", policy);
		else
			buf_puts(&line, "a policy for them, or lines for the rounds that follow");
		diag_report(&f->sink, M_LINES_GAVE_OUT, at, 3, buf_text(&names), buf_text(&round),
			buf_text(&line));
		buf_free(&names);
		buf_free(&round);
		buf_free(&line);
	}
	VEC_FREE(idle);
}
