/* excepts.c - which rule is an exception to which: by its header, by a line "ruling A over B", and
 * by way of other rules.
 *
 * A ruling in a block of an encounter holds while the block does: such an exception is kept with
 * its block. The contrary ruling, given later, ends it. */
#include "lang/check/model.h"

#include <stdlib.h>

void rule_excepts(struct model *m, int rule, int other)
{
	struct mrule *r = &m->rule.v[rule];
	for (int i = 0; i < r->excepts.n; i++)
		if (r->excepts.v[i] == other)
			return;
	VEC_PUSH(r->excepts, other);
}

bool rule_is_exception(const struct model *m, int rule, int other)
{
	const struct mrule *r = &m->rule.v[rule];
	for (int i = 0; i < r->excepts.n; i++)
		if (r->excepts.v[i] == other)
			return true;
	return false;
}

/* ---- rulings of a block ---- */

static bool add_ruled(struct mrule *r, struct mruled x)
{
	for (int i = 0; i < r->ruled.n; i++)
		if (r->ruled.v[i].under == x.under && r->ruled.v[i].moment == x.moment && r->ruled.v[i].until == x.until)
			return false;
	VEC_PUSH(r->ruled, x);
	return true;
}

/* What was ruled before the other way round ends with this block. */
static void end_contrary(struct mrule *r, int under, struct node *moment)
{
	for (int i = 0; i < r->excepts.n; i++)
		if (r->excepts.v[i] == under) {
			r->excepts.v[i] = r->excepts.v[--r->excepts.n];
			add_ruled(r, (struct mruled){under, NULL, moment});
		}
	for (int i = 0; i < r->ruled.n; i++)
		if (r->ruled.v[i].under == under && !r->ruled.v[i].until)
			r->ruled.v[i].until = moment;
}

static void prefer_while(struct model *m, int over, int under, struct node *moment)
{
	end_contrary(&m->rule.v[under], over, moment);
	if (!rule_is_exception(m, over, under))
		add_ruled(&m->rule.v[over], (struct mruled){under, moment, NULL});
}

/* The ruling of a line, or those of a block; with `in_blocks` those in blocks, or else those outside. */
static void prefer(struct model *m, struct node *list, struct node *moment, bool in_blocks);

static void prefer_by(struct model *m, struct node *n, struct node *moment, bool in_blocks)
{
	if (n->kind == N_KIND_MOMENT)
		prefer(m, n->a, n, in_blocks);
	if (n->kind != N_KIND_PREFERENCE || n->damaged || (moment != NULL) != in_blocks)
		return;
	int over = rule_named(m, n->a, n->a->name, n->a->name2), under = rule_named(m, n->b, n->b->name, n->b->name2);
	if (over < 0 || under < 0)
		return;
	if (over == under) {
		model_report(m, M_EXCEPTION_CYCLE, n->span, 1, model_text(m, n->a->name));
		return;
	}
	if (moment)
		prefer_while(m, over, under, moment);
	else
		rule_excepts(m, over, under);
	m->rule.v[over].preferred = true;
	if (n->text)
		m->rule.v[over].ruling = n->text;
}

/* Of a list of lines. */
static void prefer(struct model *m, struct node *list, struct node *moment, bool in_blocks)
{
	for (struct node *n = list; n; n = n->next)
		prefer_by(m, n, moment, in_blocks);
}

void rulings_read(struct model *m)
{
	for (int in_blocks = 0; in_blocks < 2; in_blocks++) {
		for (int k = 0; k < m->module.n; k++) {
			struct node *moment = module_moment(m, k);
			for (int i = 0; i < m->module.v[k].settling.n && !module_nowhere(m, k, moment); i++)
				prefer_by(m, m->module.v[k].settling.v[i], moment, in_blocks);
		}
		if (m->in_encounter >= 0)
			prefer(m, m->encounter.v[m->in_encounter].node->a, NULL, in_blocks);
	}
}

void rulings_too_late(struct model *m, int one, int other, int replaced)
{
	for (int k = 0; k < 2; k++) {
		const struct mrule *r = &m->rule.v[k ? other : one];
		for (int i = 0; i < r->ruled.n; i++)
			if (r->ruled.v[i].under == (k ? one : other) && r->ruled.v[i].moment)
				model_report(m, M_RULING_LATE, r->ruled.v[i].moment->at, 3, model_text(m, m->rule.v[one].name), model_text(m, m->rule.v[other].name),
				             model_text(m, m->rule.v[replaced].name));
	}
}

/* ---- by way of others ---- */

/* Rules that are exceptions to each other in a circle: one report for all of them. */
static void report_circle(struct model *m, int first)
{
	struct diag d = diag_make(M_EXCEPTION_CYCLE, m->rule.v[first].node->at);
	diag_arg(&d, model_text(m, m->rule.v[first].name));
	for (int i = first + 1; i < m->rule.n; i++)
		if (rule_is_exception(m, first, i) && rule_is_exception(m, i, first))
			diag_relate(&d, m->rule.v[i].node->at, "by way of this one");
	for (int i = 0; i < first; i++)
		if (rule_is_exception(m, first, i) && rule_is_exception(m, i, first))
			return; /* reported with that one */
	model_send(m, &d);
}

enum { PASSES = 16 };

/* Each rule's own exceptions are followed, not what was added to them: a chain of N rules costs
 * what it comes to. */
static void close_always(struct model *m)
{
	int *own = malloc(((size_t)m->rule.n + 1) * sizeof *own),
	    *reached = calloc((size_t)m->rule.n + 1, sizeof *reached);
	if (!own || !reached)
		abort();
	for (int i = 0; i < m->rule.n; i++)
		own[i] = m->rule.v[i].excepts.n;
	for (int i = 0; i < m->rule.n; i++) {
		struct mrule *r = &m->rule.v[i];
		for (int k = 0; k < own[i]; k++)
			reached[r->excepts.v[k]] = i + 1;
		for (int k = 0; k < r->excepts.n; k++) {
			int by = r->excepts.v[k];
			for (int j = 0; j < own[by]; j++) {
				int other = m->rule.v[by].excepts.v[j];
				if (reached[other] == i + 1)
					continue;
				reached[other] = i + 1;
				VEC_PUSH(r->excepts, other);
			}
		}
	}
	free(own);
	free(reached);
	for (int i = 0; i < m->rule.n; i++)
		if (rule_is_exception(m, i, i))
			report_circle(m, i);
}

static bool is_beat(const struct model *m, const struct node *moment)
{
	return moment->name == m->w.beat;
}

/* While both are in force; false: at no time, or at times that no block tells. */
static bool both(const struct model *m, const struct mruled *a, const struct mruled *b, struct mruled *out)
{
	*out = (struct mruled){b->under, a->moment ? a->moment : b->moment, a->until ? a->until : b->until};
	if (a->moment && b->moment && a->moment != b->moment) {
		if (!is_beat(m, a->moment) || !is_beat(m, b->moment))
			return false;
		out->moment = a->moment->num > b->moment->num ? a->moment : b->moment;
	}
	if (a->until && b->until && a->until != b->until) {
		if (!is_beat(m, a->until) || !is_beat(m, b->until))
			return false;
		out->until = a->until->num < b->until->num ? a->until : b->until;
	}
	if (out->moment && out->moment == out->until)
		return false;
	return !(out->moment && out->until && is_beat(m, out->moment) && is_beat(m, out->until) && out->until->num <= out->moment->num);
}

/* What rule i is an exception to by way of `x`, to which it is one for a time. */
static bool close_by(struct model *m, int i, struct mruled x)
{
	const struct mrule *s = &m->rule.v[x.under];
	struct mruled further;
	bool grew = false;
	for (int j = 0; j < s->excepts.n; j++)
		if (!rule_is_exception(m, i, s->excepts.v[j]))
			grew |= add_ruled(&m->rule.v[i], (struct mruled){s->excepts.v[j], x.moment, x.until});
	for (int j = 0; j < s->ruled.n; j++)
		if (both(m, &x, &s->ruled.v[j], &further))
			grew |= add_ruled(&m->rule.v[i], further);
	return grew;
}

static void close_ruled(struct model *m)
{
	bool grew = true;
	for (int pass = 0; pass < PASSES && grew; pass++) {
		grew = false;
		for (int i = 0; i < m->rule.n; i++) {
			for (int k = 0; k < m->rule.v[i].ruled.n; k++)
				grew |= close_by(m, i, m->rule.v[i].ruled.v[k]);
			for (int k = 0; k < m->rule.v[i].excepts.n; k++) {
				const struct mrule *s = &m->rule.v[m->rule.v[i].excepts.v[k]];
				for (int j = 0; j < s->ruled.n; j++)
					if (!rule_is_exception(m, i, s->ruled.v[j].under))
						grew |= add_ruled(&m->rule.v[i], s->ruled.v[j]);
			}
		}
	}
	for (int i = 0; i < m->rule.n; i++)
		for (int k = 0; k < m->rule.v[i].ruled.n; k++)
			if (m->rule.v[i].ruled.v[k].under == i) {
				report_circle(m, i);
				break;
			}
}

void exceptions_close(struct model *m)
{
	/* exceptions to a replaced rule apply to what replaced it */
	for (int i = 0; i < m->rule.n; i++) {
		struct mrule *r = &m->rule.v[i];
		for (int k = 0; k < r->excepts.n; k++) {
			int by = m->rule.v[r->excepts.v[k]].replaced_by;
			if (by >= 0 && by != i)
				rule_excepts(m, i, by);
		}
		for (int k = 0; k < r->ruled.n; k++) {
			int by = m->rule.v[r->ruled.v[k].under].replaced_by;
			if (by >= 0 && by != i)
				add_ruled(r, (struct mruled){by, r->ruled.v[k].moment, r->ruled.v[k].until});
		}
	}
	close_always(m);
	close_ruled(m);
}

/* ---- asked ---- */

bool clause_excepts(const struct model *m, int a, int b)
{
	int ra = m->clause.v[a].rule, rb = m->clause.v[b].rule;
	return ra >= 0 && rb >= 0 && rule_is_exception(m, ra, rb);
}

bool clause_ruled(const struct model *m, int a, int b)
{
	int ra = m->clause.v[a].rule, rb = m->clause.v[b].rule;
	if (ra < 0 || rb < 0 || ra == rb || rule_is_exception(m, ra, rb))
		return false;
	for (int i = 0; i < m->rule.v[ra].ruled.n; i++)
		if (m->rule.v[ra].ruled.v[i].under == rb)
			return true;
	return false;
}
