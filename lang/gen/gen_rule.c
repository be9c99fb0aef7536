/* gen_rule.c - which clause answers: the three sieves of docs/language.md, "Precedence of rules",
 * applied here so that at run time only conditions are left to try. gen_question.c and gen_event.c
 * make functions of what is left.
 *
 * Candidates are sorted by (conditional, layer). An unconditional exception removes what it
 * excepts for good; a conditional one is asked first. Within one standing, answers that
 * differ call for a ruling. */
#include <string.h>

#include "lang/gen/gen.h"

int layer_of(struct gen *g, int c)
{
	const struct mclause *x = &g->m->clause.v[c];
	if (x->moment && x->moment->name == g->m->w.beat)
		return LAYER_PROMPT;
	if (x->encounter >= 0)
		return LAYER_SCRIPT;
	if (x->thing >= 0 && g->m->module.v[x->module].layer < LAYER_THING)
		return LAYER_THING;
	return (int)g->m->module.v[x->module].layer;
}

/* A clause without `when` in a stat block still holds for that thing alone. */
static bool conditional(struct gen *g, int c)
{
	const struct mclause *x = &g->m->clause.v[c];
	return x->when != NULL || (x->thing >= 0 && x->event >= 0);
}

static int standing(struct gen *g, int c)
{
	return (conditional(g, c) ? 100 : 0) + layer_of(g, c);
}

/* Holds always and everywhere: it may settle things before the fight. */
static bool certain(struct gen *g, int c)
{
	return !conditional(g, c) && !clause_guarded(g->m, c);
}

bool clause_stands(struct gen *g, int c)
{
	return g->m->clause.v[c].in_force;
}

/* One is neither removed nor chosen against: it steps aside while a ruling of a block says so. */
static void step_aside(struct mclause *x, int by)
{
	for (int i = 0; i < x->aside.n; i++)
		if (x->aside.v[i] == by)
			return;
	VEC_PUSH(x->aside, by);
}

/* Those in force that no unconditional exception removes, highest standing first; what
 * excepts another of the same standing comes before it. */
void gen_eligible(struct gen *g, const int *list, int n, enum clause_sort sort, struct candidates *out)
{
	out->n = 0;
	for (int i = 0; i < n; i++) {
		int c = list[i];
		if (!clause_stands(g, c) || g->m->clause.v[c].sort != sort)
			continue;
		bool removed = false;
		for (int k = 0; k < n && !removed; k++) {
			bool excepts = k != i && clause_stands(g, list[k]) && g->m->clause.v[list[k]].sort == sort && clause_excepts(g->m, list[k], c);
			removed = excepts && certain(g, list[k]);
			/* adjustments and limits are not chosen among: one steps aside for the other's block */
			if (excepts && !removed && !conditional(g, list[k]) && g->m->clause.v[list[k]].moment && (sort == CLAUSE_ADJUST || sort == CLAUSE_LIMIT))
				clause_leave(g->m, c, g->m->clause.v[list[k]].moment);
			if (excepts && !removed && !conditional(g, list[k]) && g->m->clause.v[list[k]].off && (sort == CLAUSE_ADJUST || sort == CLAUSE_LIMIT))
				clause_off_while(g->m, c, g->m->clause.v[list[k]].rule);
			bool ruled = k != i && clause_stands(g, list[k]) && g->m->clause.v[list[k]].sort == sort && clause_ruled(g->m, list[k], c);
			if (ruled && !conditional(g, list[k]) && (sort == CLAUSE_ADJUST || sort == CLAUSE_LIMIT))
				step_aside(&g->m->clause.v[c], list[k]);
		}
		if (removed || out->n == CANDIDATES_MAX)
			continue;
		int at = out->n++;
		while (at > 0) {
			int before = out->clause[at - 1];
			bool ahead = standing(g, c) > standing(g, before) || (standing(g, c) == standing(g, before) && clause_excepts(g->m, c, before));
			if (!ahead)
				break;
			out->clause[at] = before;
			at--;
		}
		out->clause[at] = c;
	}
}

int clause_index(struct gen *g, int mclause)
{
	struct model *m = g->m;
	struct mclause *x = &m->clause.v[mclause];
	if (x->program >= 0)
		return x->program;
	struct clause_info c = {0};
	const struct module *mod = &m->module.v[x->module];
	c.module = gen_copy(g, mod->shown, strlen(mod->shown));
	c.rule = c.cite = c.ruling = "";
	if (x->rule >= 0) {
		const struct mrule *r = &m->rule.v[x->rule];
		c.rule = gen_text(g, r->name);
		c.cite = gen_copy(g, r->cite, strlen(r->cite));
		c.ruling = gen_copy(g, r->ruling, strlen(r->ruling));
	} else if (x->thing >= 0) {
		c.rule = gen_text(g, m->thing.v[x->thing].name);
	} else if (x->event >= 0) {
		c.rule = gen_text(g, m->event.v[x->event].name);
	}
	if (x->sort == CLAUSE_NEEDS && x->node->text)
		c.cite = gen_copy(g, x->node->text, strlen(x->node->text));
	if ((x->sort == CLAUSE_FORBID || x->sort == CLAUSE_PERMIT) && x->node->text)
		c.cite = gen_copy(g, x->node->text, strlen(x->node->text));
	if (x->node->f && x->node->f->kind == N_KIND_E_TEXT)
		c.ruling = gen_copy(g, x->node->f->text, strlen(x->node->f->text));
	c.text = gen_excerpt(g, x->node->span);
	c.span = x->node->span;
	c.layer = (uint8_t)layer_of(g, mclause);
	c.sort = (uint8_t)x->sort;
	c.conditional = x->when != NULL;
	c.question = x->question;
	c.option = x->rule >= 0 ? m->rule.v[x->rule].option : -1;
	VEC_PUSH(g->clause, c);
	x->program = g->clause.n - 1;
	return x->program;
}

void bind_params(struct gen *g, int mclause, int first_reg)
{
	struct model *m = g->m;
	const struct mclause *x = &m->clause.v[mclause];
	int at = first_reg;
	for (int i = 0; i < x->params; i++) {
		struct type *t;
		bool frac;
		if (x->question >= 0) {
			t = m->question.v[x->question].param[i];
			frac = m->question.v[x->question].param_frac[i];
		} else if (x->event >= 0) {
			t = m->event.v[x->event].role[i].type;
			frac = m->event.v[x->event].role[i].frac;
		} else {
			t = type_new(m, VT_LIVE, KIND_ACT);
			frac = false;
		}
		gen_bind(g, x->param_name[i], t, frac, at);
		at += width_of(g, t);
	}
}

/* Jumps out in the stretches of the fight in which options put it out of force. */
static void gen_stretches(struct gen *g, const bool *off, struct jumps *out)
{
	struct model *m = g->m;
	struct jumps in = {{0}, 0};
	int mark = g->top, r = regs(g, 3);
	emit_const(g, r, 0);
	emit(g, OP_LDF, r, r, g->p->at.beat);
	for (int k = m->stretch.n; k > 0; k--) {
		if (off[k] == off[k - 1])
			continue;
		emit_const(g, r + 1, m->stretch.v[k - 1]);
		emit(g, OP_LE, r + 2, r + 1, r);
		jumps_add(g, off[k] ? out : &in, emit_jump(g, OP_JNZ, r + 2));
	}
	if (off[0])
		jumps_add(g, out, emit_jump(g, OP_JMP, 0));
	jumps_here(g, &in);
	g->top = mark;
}

void gen_excepts(struct gen *g, int a, int b, struct jumps *out)
{
	const struct model *m = g->m;
	struct jumps in = {{0}, 0};
	if (clause_excepts(m, a, b))
		return;
	const struct mrule *r = clause_ruled(m, a, b) ? &m->rule.v[m->clause.v[a].rule] : NULL;
	for (int i = 0; r && i < r->ruled.n; i++) {
		struct jumps not_yet = {{0}, 0}, lasts = {{0}, 0};
		if (r->ruled.v[i].under != m->clause.v[b].rule)
			continue;
		gen_in_block(g, r->ruled.v[i].moment, &not_yet);
		if (r->ruled.v[i].until) {
			gen_in_block(g, r->ruled.v[i].until, &lasts);
			jumps_add(g, &not_yet, emit_jump(g, OP_JMP, 0));
			jumps_here(g, &lasts);
		}
		jumps_add(g, &in, emit_jump(g, OP_JMP, 0));
		jumps_here(g, &not_yet);
	}
	jumps_add(g, out, emit_jump(g, OP_JMP, 0));
	jumps_here(g, &in);
}

/* As far as the clause's own blocks and options go. */
static void gen_guard_own(struct gen *g, int c, struct jumps *out)
{
	struct mclause *x = &g->m->clause.v[c];
	if (x->moment)
		gen_in_block(g, x->moment, out);
	if (x->off)
		gen_stretches(g, x->off, out);
	for (int i = 0; i < x->gone.n; i++) {
		struct jumps holds = {{0}, 0};
		gen_in_block(g, x->gone.v[i], &holds);
		jumps_add(g, out, emit_jump(g, OP_JMP, 0));
		jumps_here(g, &holds);
	}
}

/* Jumps out unless the blocks of the script that bound the clause let it hold now. */
void gen_guard(struct gen *g, int c, struct jumps *out)
{
	struct mclause *x = &g->m->clause.v[c];
	gen_guard_own(g, c, out);
	for (int i = 0; i < x->aside.n; i++) {
		struct jumps stays = {{0}, 0};
		gen_excepts(g, x->aside.v[i], c, &stays);
		gen_guard_own(g, x->aside.v[i], &stays);
		jumps_add(g, out, emit_jump(g, OP_JMP, 0));
		jumps_here(g, &stays);
	}
}

/* Jumps out unless the clause applies. A stat block's clause on an event applies where the
 * role of its kind is that thing. */
void gen_applies(struct gen *g, int c, struct jumps *out)
{
	struct model *m = g->m;
	const struct mclause *x = &m->clause.v[c];
	int vars = g->vars, thing = g->in_thing;
	gen_guard(g, c, out);
	bind_params(g, c, 0);
	g->in_thing = x->thing;
	if (x->thing >= 0 && x->event >= 0) {
		int kind = m->thing.v[x->thing].kind;
		const struct mevent *e = &m->event.v[x->event];
		int at = 0;
		for (int i = 0; i < e->roles; i++) {
			struct type *t = type_find(e->role[i].type);
			if (t->base == VT_THING && t->kind >= 0 && kind_root(m, t->kind) == kind_root(m, kind)) {
				int mark = g->top;
				int r = regs(g, 2);
				emit_const(g, r, thing_index(g, x->thing));
				emit(g, OP_ISA, r + 1, at, r);
				jumps_add(g, out, emit_jump(g, OP_JZ, r + 1));
				g->top = mark;
				break;
			}
			at += width_of(g, t);
		}
	}
	struct span span = g->span;
	g->span = x->node->span;
	int top = g->top, summed = g->summed.n;
	if (x->event >= 0)
		gen_compared(g, x->when);
	gen_when(g, x->when, x->unless, out);
	g->summed.n = summed;
	g->top = top;
	g->span = span;
	g->vars = vars;
	g->in_thing = thing;
}

static void gen_applies_flag(struct gen *g, int c, int reg)
{
	struct jumps no = {{0}, 0};
	emit_const(g, reg, 0);
	gen_applies(g, c, &no);
	emit_const(g, reg, 1);
	jumps_here(g, &no);
}

bool may_except(const struct gen *g, int a, int b)
{
	return clause_excepts(g->m, a, b) || clause_ruled(g->m, a, b);
}

/* Clause k applies, and perhaps one of first_of .. k - 1 of the same standing: their answers must
 * be the same. */
static void gen_alike(struct gen *g, struct choice_of *c, int question, int first_of, int k,
	void (*value)(struct gen *, int clause, int dst, void *), void *ctx, int width)
{
	int first = emit_jump(g, OP_JNONE, c->winner);
	int mark = g->top;
	int v = regs(g, 2 + 2 * width);
	struct jumps same = {{0}, 0};
	for (int j = first_of; j < k; j++) {
		int is = regs(g, 2);
		emit_const(g, is, j);
		emit(g, OP_SAME, is + 1, c->winner, is);
		int other = emit_jump(g, OP_JZ, is + 1);
		if (value) {
			value(g, c->of.clause[j], v + 2, ctx);
			value(g, c->of.clause[k], v + 2 + width, ctx);
			emit(g, width > 1 ? OP_SAMES : OP_SAME, is + 1, v + 2, v + 2 + width);
			jumps_add(g, &same, emit_jump(g, OP_JNZ, is + 1));
		}
		emit_const(g, v, clause_index(g, c->of.clause[j]));
		emit_const(g, v + 1, clause_index(g, c->of.clause[k]));
		emit_wide(g, OP_RULING, v, question);
		jump_here(g, other);
	}
	jumps_here(g, &same);
	g->top = mark;
	int over = emit_jump(g, OP_JMP, 0);
	jump_here(g, first);
	emit_const(g, c->winner, k);
	jump_here(g, over);
}

/* Writes the index of the winning candidate to c->winner, or falls through with it unset.
 * `differ` compares two applicable candidates of one standing: emitted code leaves 1 in the
 * register it returns when their answers differ; NULL: they always do. */
void gen_choose_clause(struct gen *g, struct choice_of *c, int question, void (*value)(struct gen *, int clause, int dst, void *), void *ctx, int width)
{
	int n = c->of.n;
	c->winner = regs(g, 1);
	c->flags = -1;
	emit_const(g, c->winner, NONE);
	if (n == 0)
		return;
	struct jumps done = {{0}, 0};
	bool all = g->observed;
	int flags = regs(g, n);
	if (all) {
		c->flags = flags;
		for (int i = 0; i < n; i++)
			gen_applies_flag(g, c->of.clause[i], flags + i);
	}
	for (int i = 0; i < n;) {
		int group = 1;
		while (i + group < n && standing(g, c->of.clause[i + group]) == standing(g, c->of.clause[i]))
			group++;
		for (int k = i; k < i + group; k++) {
			/* alive: applies, and nothing that excepts it applies */
			struct jumps dead = {{0}, 0};
			int alive = group > 1 ? regs(g, 1) : -1;
			if (alive >= 0)
				emit_const(g, alive, 0);
			if (all)
				jumps_add(g, &dead, emit_jump(g, OP_JZ, flags + k));
			else
				gen_applies(g, c->of.clause[k], &dead);
			for (int j = 0; j < n; j++) {
				if (j == k || !may_except(g, c->of.clause[j], c->of.clause[k]))
					continue;
				/* one of higher standing would have won already */
				if (standing(g, c->of.clause[j]) > standing(g, c->of.clause[k]))
					continue;
				struct jumps no = {{0}, 0};
				gen_excepts(g, c->of.clause[j], c->of.clause[k], &no);
				if (all) {
					jumps_add(g, &dead, emit_jump(g, OP_JNZ, flags + j));
				} else {
					gen_applies(g, c->of.clause[j], &no);
					jumps_add(g, &dead, emit_jump(g, OP_JMP, 0));
				}
				jumps_here(g, &no);
			}
			if (group == 1) {
				emit_const(g, c->winner, k);
				jumps_add(g, &done, emit_jump(g, OP_JMP, 0));
			} else {
				gen_alike(g, c, question, i, k, value, ctx, width);
			}
			jumps_here(g, &dead);
		}
		if (group > 1) {
			int none = emit_jump(g, OP_JNONE, c->winner);
			jumps_add(g, &done, emit_jump(g, OP_JMP, 0));
			jump_here(g, none);
		}
		i += group;
	}
	jumps_here(g, &done);
}

/* ---- making what was asked for ---- */

int gen_unless_won(struct gen *g, const struct choice_of *c, int i)
{
	int is = regs(g, 2);
	if (i + 1 == c->of.n)
		return -1;
	emit_const(g, is, i);
	emit(g, OP_SAME, is + 1, c->winner, is);
	return emit_jump(g, OP_JZ, is + 1);
}
