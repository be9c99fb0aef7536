/* bodies.c - bodies that take the place of another without saying so.
 *
 * Of several `on E { .. }` one is done, that of the nearest layer. Somebody who only wants to add
 * something to a blow takes the damage out of the game by it. So the header has to say it (`exception
 * to`, `replaces`), or the body is an `instead of`. A ruleset may give every event of core its body,
 * and a thing those that core leaves open. */
#include <string.h>

#include "lang/check/declare.h"

static enum layer layer_at(const struct model *m, const struct mclause *x)
{
	return x->encounter >= 0 ? LAYER_SCRIPT : m->module.v[x->module].layer;
}

static bool in_force(const struct model *m, const struct mclause *x)
{
	return x->rule < 0 || (!m->rule.v[x->rule].dropped && m->rule.v[x->rule].replaced_by < 0);
}

static bool has_on(const struct model *m, const struct mevent *e, int rule)
{
	for (int i = 0; i < e->clause[STAGE_ON].n; i++)
		if (m->clause.v[e->clause[STAGE_ON].v[i]].rule == rule)
			return true;
	return false;
}

/* Whether the rule's header, or a ruling, says that it stands in for one with a body of this event. */
static bool says_so(const struct model *m, const struct mevent *e, int clause)
{
	const struct mclause *x = &m->clause.v[clause];
	for (struct node *mod = x->rule >= 0 ? m->rule.v[x->rule].node->a : NULL; mod; mod = mod->next)
		if (mod->op == MOD_EXCEPTION || mod->op == MOD_REPLACES) {
			int other = model_rule(m, mod->name, mod->name2);
			if (other >= 0 && has_on(m, e, other))
				return true;
		}
	for (int i = 0; i < e->clause[STAGE_ON].n; i++)
		if (clause_excepts(m, clause, e->clause[STAGE_ON].v[i]) || clause_ruled(m, clause, e->clause[STAGE_ON].v[i]))
			return true;
	return false;
}

/* The layer of bodies that this one may not take away: those below it. */
static bool is_below(const struct model *m, const struct mclause *x, enum layer layer)
{
	enum layer own = layer_at(m, x);
	if (x->thing >= 0)
		return layer == LAYER_CORE;
	return own <= LAYER_RULESET ? layer > LAYER_CORE && layer < own : layer < own;
}

/* A body that asks the referee is his to write. */
static bool asks_referee(const struct mclause *x)
{
	for (const struct node *n = x->node->b ? x->node->b->a : NULL; n; n = n->next)
		if (n->kind == N_KIND_S_REFER)
			return true;
	return false;
}

/* The rule whose body is no longer done; -1: none, or none with a name. */
static int body_below(const struct model *m, const struct mevent *e, const struct mclause *x)
{
	int found = -1;
	for (int i = 0; i < e->clause[STAGE_ON].n; i++) {
		const struct mclause *other = &m->clause.v[e->clause[STAGE_ON].v[i]];
		/* one with a condition goes before one without, whichever is nearer */
		bool beaten = x->when || x->thing >= 0 || !other->when;
		if (other == x || other->rule < 0 || other->thing >= 0 || !beaten || !is_below(m, x, layer_at(m, other)) || !in_force(m, other) || asks_referee(other))
			continue;
		if (found < 0 || (m->clause.v[found].when && !other->when) || layer_at(m, other) > layer_at(m, &m->clause.v[found]))
			found = e->clause[STAGE_ON].v[i];
	}
	return found < 0 ? -1 : m->clause.v[found].rule;
}

static void check_body(struct model *m, int clause)
{
	const struct mclause *x = &m->clause.v[clause];
	const struct mevent *e = &m->event.v[x->event];
	int rule = body_below(m, e, x);
	bool does = rule < 0 && e->does >= 0 && is_below(m, x, m->module.v[m->clause.v[e->does].module].layer);
	if ((rule < 0 && !does) || says_so(m, e, clause) || condition_made(m, x->node))
		return;
	struct buf event = {0};
	buf_printf(&event, "%s%s", x->phase ? "phase " : "", model_text(m, e->name));
	if (does)
		model_report(m, M_TAKES_DEED, x->node->at, 1, buf_text(&event));
	else
		model_report(m, M_TAKES_BODY, x->node->at, 2, buf_text(&event), model_text(m, m->rule.v[rule].name));
	buf_free(&event);
}

bool body_beaten(const struct model *m, int clause)
{
	const struct mclause *x = &m->clause.v[clause];
	if (x->sort != CLAUSE_ON || x->node->kind != N_KIND_C_HOOK || x->event < 0 || x->when ||
		x->thing >= 0)
		return false;
	const struct mevent *e = &m->event.v[x->event];
	for (int i = 0; i < e->clause[STAGE_ON].n; i++) {
		const int nearer = e->clause[STAGE_ON].v[i];
		const struct mclause *other = &m->clause.v[nearer];
		if (layer_at(m, other) > layer_at(m, x) && !other->when && other->thing < 0 &&
			other->encounter < 0 && other->in_force &&
			!m->module.v[other->module].own && !clause_guarded(m, nearer) &&
			!clause_excepts(m, clause, nearer) && !clause_ruled(m, clause, nearer))
			return true;
	}
	return false;
}

void check_bodies(struct model *m)
{
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		if (x->sort == CLAUSE_ON && x->node->kind == N_KIND_C_HOOK && m->module.v[x->module].own && in_force(m, x))
			check_body(m, c);
	}
}
