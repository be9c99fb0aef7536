/* layers.c - which rules are in force: drops, replacements, exceptions.
 *
 * Three sieves choose among clauses that answer one question (docs/language.md, "Precedence of
 * rules"): declared
 * exceptions, then conditional before unconditional, then the nearer layer. This file settles
 * what is known before a fight begins; the linker writes the rest into dispatch stubs. */
#include <string.h>

#include "lang/check/model.h"

int rule_named(struct model *m, struct node *n, sym name, sym module)
{
	int r = model_rule(m, name, module);
	if (r >= 0)
		return r;
	VEC(const char *) names = {0};
	for (int i = 0; i < m->rule.n; i++)
		VEC_PUSH(names, model_text(m, m->rule.v[i].name));
	const char *best = diag_nearest(model_text(m, name), names.v, names.n);
	model_report(m, best ? M_NO_RULE_NEAR : M_NO_RULE, n->at, 2, model_text(m, name), best ? best : "");
	VEC_FREE(names);
	return -1;
}

/* Why a reading was chosen, as the rule itself says it. */
static const char *own_ruling(const struct mrule *r)
{
	const char *why = "";
	for (struct node *mod = r->node->a; mod; mod = mod->next)
		if (mod->op == MOD_RULING)
			why = mod->text;
	return why;
}

bool clause_guarded(const struct model *m, int clause)
{
	return m->clause.v[clause].moment || m->clause.v[clause].gone.n || m->clause.v[clause].off;
}

void clause_leave(struct model *m, int clause, struct node *moment)
{
	struct mclause *x = &m->clause.v[clause];
	for (int i = 0; i < x->gone.n; i++)
		if (x->gone.v[i] == moment)
			return;
	VEC_PUSH(x->gone, moment);
}

/* Whether the rule is in force in a stretch, by its options and the beat block it stands in. */
static bool on_in(const struct model *m, int rule, int stretch)
{
	const struct mrule *r = &m->rule.v[rule];
	bool begun = !r->moment || r->moment->name != m->w.beat || stretch_of(m, r->moment) <= stretch;
	return begun && !r->option_off && !(r->off && r->off[stretch]);
}

void clause_off_while(struct model *m, int clause, int rule)
{
	struct mclause *x = &m->clause.v[clause];
	bool *off = arena_array(m->arena, bool, m->stretch.n + 1);
	for (int k = 0; k <= m->stretch.n; k++)
		off[k] = (x->off && x->off[k]) || on_in(m, rule, k);
	x->off = off;
}

/* Dropped or replaced for as long as a block lasts. */
static void rule_leave(struct model *m, int rule, struct node *moment)
{
	for (int c = 0; c < m->clause.n; c++)
		if (m->clause.v[c].rule == rule)
			clause_leave(m, c, moment);
}

static void drop_in_scene(struct model *m, struct node *list, struct node *moment)
{
	for (struct node *n = list; n; n = n->next) {
		if (n->kind == N_KIND_MOMENT)
			drop_in_scene(m, n->a, n);
		int r = n->kind == N_KIND_DROP ? rule_named(m, n, n->name, n->name2) : -1;
		if (r >= 0 && moment)
			rule_leave(m, r, moment);
		else if (r >= 0)
			m->rule.v[r].dropped = true;
	}
}

/* In which stretches the rule's options leave it in force. */
static void weigh_options(struct model *m, int rule)
{
	struct mrule *r = &m->rule.v[rule];
	bool *off = NULL, mixed = false;
	r->off = NULL;
	r->option_off = !rule_if(m, rule, true);
	for (m->at_stretch = 1; m->at_stretch <= m->stretch.n; m->at_stretch++) {
		bool in_force = rule_if(m, rule, false);
		if (!off) {
			off = arena_array(m->arena, bool, m->stretch.n + 1);
			off[0] = r->option_off;
		}
		off[m->at_stretch] = !in_force;
		mixed |= off[m->at_stretch] != off[0];
	}
	m->at_stretch = 0;
	if (mixed) {
		r->off = off;
		r->option_off = false;
	}
}

/* Rules of a module used in mid-fight stand in the block that uses it, or nowhere. */
static void place_late(struct model *m)
{
	for (int k = 0; k < m->module.n; k++) {
		struct node *moment = m->module.v[k].late ? module_moment(m, k) : NULL;
		if (!m->module.v[k].late)
			continue;
		for (int i = 0; i < m->rule.n; i++)
			if (m->rule.v[i].module == k)
				m->rule.v[i].moment = moment;
		for (int c = 0; c < m->clause.n; c++)
			if (m->clause.v[c].module == k)
				m->clause.v[c].moment = moment;
	}
}

bool module_nowhere(const struct model *m, int module, const struct node *moment)
{
	return m->module.v[module].late && !moment;
}

static void begin_anew(struct model *m)
{
	for (int c = 0; c < m->clause.n; c++) {
		m->clause.v[c].gone.n = 0;
		m->clause.v[c].off = NULL;
		m->clause.v[c].aside.n = 0;
	}
	place_late(m);
	for (int i = 0; i < m->rule.n; i++) {
		struct mrule *r = &m->rule.v[i];
		r->dropped = r->preferred = false;
		r->replaced_by = -1;
		r->excepts.n = 0;
		r->ruled.n = 0;
		r->yields.n = 0;
		r->ruling = own_ruling(r);
		weigh_options(m, i);
		r->option_off |= module_nowhere(m, r->module, r->moment);
	}
}

static void drop_and_prefer(struct model *m)
{
	for (int k = 0; k < m->module.n; k++) {
		struct node *moment = module_moment(m, k);
		for (int i = 0; i < m->module.v[k].settling.n && !module_nowhere(m, k, moment); i++) {
			struct node *n = m->module.v[k].settling.v[i];
			int r = n->kind == N_KIND_DROP ? rule_named(m, n, n->name, n->name2) : -1;
			if (r >= 0 && moment)
				rule_leave(m, r, moment);
			else if (r >= 0)
				m->rule.v[r].dropped = true;
		}
	}
	if (m->in_encounter >= 0)
		drop_in_scene(m, m->encounter.v[m->in_encounter].node->a, NULL);
	rulings_read(m);
}

/* How near a rule stands: the encounter before the file around it. */
static int nearness(const struct model *m, int rule)
{
	return 2 * (int)m->module.v[m->rule.v[rule].module].layer + (m->rule.v[rule].encounter >= 0);
}

/* Of two rules that replace one, which is in force: as between any two; -1: a ruling is needed. */
static int of_two(const struct model *m, int a, int b)
{
	if (rule_is_exception(m, a, b) != rule_is_exception(m, b, a))
		return rule_is_exception(m, a, b) ? a : b;
	return nearness(m, a) == nearness(m, b) ? -1 : nearness(m, a) > nearness(m, b) ? a : b;
}

static void replace(struct model *m, int by, int other, const struct node *mod)
{
	int before = m->rule.v[other].replaced_by;
	int winner = before < 0 || before == by ? by : of_two(m, by, before);
	if (before >= 0 && before != by)
		rulings_too_late(m, by, before, other);
	if (winner < 0) {
		struct diag d = diag_make(M_REPLACED_TWICE, mod->at);
		diag_arg(&d, model_text(m, m->rule.v[other].name));
		diag_arg(&d, model_text(m, m->rule.v[by].name));
		diag_arg(&d, model_text(m, m->rule.v[before].name));
		diag_relate(&d, m->rule.v[before].node->at, "this rule replaces it too");
		model_send(m, &d);
		winner = by;
	}
	if (before >= 0 && before != winner)
		m->rule.v[before].replaced_by = winner;
	else if (before == winner)
		m->rule.v[by].replaced_by = winner;
	m->rule.v[other].replaced_by = winner;
}

/* What the headers of the rules say of other rules. */
static void read_headers(struct model *m, enum op_mod which)
{
	for (int i = 0; i < m->rule.n; i++) {
		bool here = m->rule.v[i].encounter < 0 || m->rule.v[i].encounter == m->in_encounter;
		for (struct node *mod = m->rule.v[i].node->a; mod; mod = mod->next) {
			int other = mod->op == which ? rule_named(m, mod, mod->name, mod->name2) : -1;
			if (other < 0)
				continue;
			if (other == i)
				model_report(m, M_EXCEPTION_CYCLE, mod->at, 1, model_text(m, mod->name));
			else if (which == MOD_EXCEPTION)
				rule_excepts(m, i, other);
			else if (m->rule.v[i].dropped || m->rule.v[i].option_off || !here)
				continue; /* it replaces nothing */
			else if (m->rule.v[i].off)
				VEC_PUSH(m->rule.v[other].yields, i);
			else if (m->rule.v[i].moment)
				rule_leave(m, other, m->rule.v[i].moment);
			else
				replace(m, i, other, mod);
		}
	}
}

/* Lines that name neither a rule nor an option, nor hold a rule or a clause. */
static bool leaves_layers(const struct node *list)
{
	for (const struct node *n = list; n; n = n->next)
		switch (n->kind) {
		case N_KIND_MOMENT:
			if (!leaves_layers(n->a))
				return false;
			break;
		case N_KIND_SIDE: case N_KIND_D_FIELD: case N_KIND_N_OVERRIDE: case N_KIND_N_SAY: case N_KIND_N_FOLLOWS: case N_KIND_N_DICE:
		case N_KIND_N_CHOICES: case N_KIND_N_EXPECT: case N_KIND_N_EXPECT_SAY: case N_KIND_N_UNTIL:
			break;
		default:
			return false;
		}
	return true;
}

bool layers_differ(const struct model *m, int encounter)
{
	return !leaves_layers(m->encounter.v[encounter].node->a);
}

void layers_resolve(struct model *m)
{
	m->layers++;
	options_settle(m);
	begin_anew(m);
	drop_and_prefer(m);
	read_headers(m, MOD_EXCEPTION);
	read_headers(m, MOD_REPLACES);
	exceptions_close(m);
	for (int c = 0; c < m->clause.n; c++) {
		struct mclause *x = &m->clause.v[c];
		x->in_force = (x->rule < 0 || rule_in_force(m, x->rule)) && (x->encounter < 0 || x->encounter == m->in_encounter) && !module_nowhere(m, x->module, x->moment);
		if (x->rule < 0)
			continue;
		x->off = m->rule.v[x->rule].off;
		for (int i = 0; i < m->rule.v[x->rule].yields.n; i++)
			clause_off_while(m, c, m->rule.v[x->rule].yields.v[i]);
	}
}

bool rule_in_force(const struct model *m, int rule)
{
	const struct mrule *r = &m->rule.v[rule];
	return !r->dropped && !r->option_off && r->replaced_by < 0;
}
