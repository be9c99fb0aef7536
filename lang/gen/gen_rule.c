/* gen_rule.c - questions and events become functions: the three sieves of language.md 3.3,
 * applied here so that at run time only conditions are left to try.
 *
 * Candidates are sorted by (conditional, layer). An unconditional exception removes what it
 * excepts for good; a conditional one is asked first. Within one standing, answers that
 * differ call for a ruling. */
#include <string.h>

#include "lang/gen/gen.h"

enum { CANDIDATES_MAX = 96 };

struct candidates { int clause[CANDIDATES_MAX]; int n; };

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

static bool in_force(struct gen *g, int c)
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
static void collect(struct gen *g, const int *list, int n, enum clause_sort sort, struct candidates *out)
{
	out->n = 0;
	for (int i = 0; i < n; i++) {
		int c = list[i];
		if (!in_force(g, c) || g->m->clause.v[c].sort != sort)
			continue;
		bool removed = false;
		for (int k = 0; k < n && !removed; k++) {
			bool excepts = k != i && in_force(g, list[k]) && g->m->clause.v[list[k]].sort == sort && clause_excepts(g->m, list[k], c);
			removed = excepts && certain(g, list[k]);
			/* adjustments and limits are not chosen among: one steps aside for the other's block */
			if (excepts && !removed && !conditional(g, list[k]) && g->m->clause.v[list[k]].moment && (sort == CLAUSE_ADJUST || sort == CLAUSE_LIMIT))
				clause_leave(g->m, c, g->m->clause.v[list[k]].moment);
			if (excepts && !removed && !conditional(g, list[k]) && g->m->clause.v[list[k]].off && (sort == CLAUSE_ADJUST || sort == CLAUSE_LIMIT))
				clause_off_while(g->m, c, g->m->clause.v[list[k]].rule);
			bool ruled = k != i && in_force(g, list[k]) && g->m->clause.v[list[k]].sort == sort && clause_ruled(g->m, list[k], c);
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
static void gen_applies(struct gen *g, int c, struct jumps *out)
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
	gen_when(g, x->when, x->unless, out);
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

/* ---- choosing one of the candidates ---- */

bool may_except(const struct gen *g, int a, int b)
{
	return clause_excepts(g->m, a, b) || clause_ruled(g->m, a, b);
}

struct choice_of {
	struct candidates of;
	int winner;      /* register: index of the winner among `of`, unset for none */
	int flags;       /* first of `of.n` registers: who applied (observed runs only) */
};

/* Writes the index of the winning candidate to c->winner, or falls through with it unset.
 * `differ` compares two applicable candidates of one standing: emitted code leaves 1 in the
 * register it returns when their answers differ; NULL: they always do. */
static void gen_choose_clause(struct gen *g, struct choice_of *c, int question, void (*value)(struct gen *, int clause, int dst, void *), void *ctx, int width)
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
				/* a second one alive: its answer must be the same */
				int first = emit_jump(g, OP_JNONE, c->winner);
				int mark = g->top;
				int v = regs(g, 2 + 2 * width);
				struct jumps same = {{0}, 0};
				for (int j = i; j < k; j++) {
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

/* ---- questions ---- */

struct define_context { struct gen *g; int question; bool frac; };

static void gen_define_value(struct gen *g, int c, int dst, void *context)
{
	struct define_context *d = context;
	const struct mclause *x = &g->m->clause.v[c];
	int vars = g->vars, thing = g->in_thing, mark = g->top;
	bind_params(g, c, 0);
	g->in_thing = x->thing;
	if (x->node->kind == N_KIND_C_BE)
		emit_const(g, dst, 1);
	else
		gen_number(g, x->node->b, dst, d->frac && type_number(x->node->b->type));
	g->vars = vars;
	g->in_thing = thing;
	g->top = mark;
}

static int params_width(struct gen *g, const struct mquestion *q)
{
	int n = 0;
	for (int i = 0; i < q->params; i++)
		n += width_of(g, q->param[i]);
	return n;
}

static void gen_stored(struct gen *g, const struct mquestion *q, int dst)
{
	struct model *m = g->m;
	if (q->field >= 0) {
		const struct mfield *f = &m->field.v[q->field];
		if (!m->kind.v[f->kind].live)
			emit(g, OP_LDT, dst, 0, link_thing_field(g, q->field));
		else
			emit(g, type_is(f->type, VT_SET) ? OP_LDSF : OP_LDF, dst, 0, link_field(g, q->field));
	} else if (q->pair >= 0) {
		emit(g, OP_LDP, dst, 0, link_pair(g, q->pair));
	} else if (type_is(q->type, VT_SET)) {
		emit(g, OP_SNONE, dst, 0, 0);
	} else if (type_is(q->type, VT_BOOL)) {
		emit_const(g, dst, 0);
	} else {
		emit_const(g, dst, NONE);
	}
}

/* The base of a question, in `dst`: the winning definition, else what is stored. */
static void gen_base(struct gen *g, int question, int dst)
{
	struct mquestion *q = &g->m->question.v[question];
	struct define_context d = {g, question, q->frac};
	struct choice_of c;
	int mark = g->top;
	collect(g, q->clause.v, q->clause.n, CLAUSE_DEFINE, &c.of);
	gen_choose_clause(g, &c, question, gen_define_value, &d, width_of(g, q->type));
	struct jumps done = {{0}, 0};
	int none = emit_jump(g, OP_JNONE, c.winner);
	for (int i = 0; i < c.of.n; i++) {
		int is = regs(g, 2);
		int other = -1;
		if (i + 1 < c.of.n) {
			emit_const(g, is, i);
			emit(g, OP_SAME, is + 1, c.winner, is);
			other = emit_jump(g, OP_JZ, is + 1);
		}
		gen_define_value(g, c.of.clause[i], dst, &d);
		if (g->observed) {
			emit_wide(g, OP_BASE, dst, clause_index(g, c.of.clause[i]));
			for (int k = 0; k < c.of.n; k++)
				if (k != i)
					emit_wide(g, OP_LOST, c.flags + k, clause_index(g, c.of.clause[k]));
		}
		if (i + 1 < c.of.n) {
			jumps_add(g, &done, emit_jump(g, OP_JMP, 0));
			jump_here(g, other);
		}
	}
	if (c.of.n)
		jumps_add(g, &done, emit_jump(g, OP_JMP, 0));
	jump_here(g, none);
	gen_stored(g, q, dst);
	if (g->observed)
		emit_wide(g, OP_BASE, dst, -1);
	jumps_here(g, &done);
	g->top = mark;
}

static void gen_question_fn(struct gen *g, int question)
{
	struct model *m = g->m;
	struct mquestion *q = &m->question.v[question];
	int words = params_width(g, q);
	int width = width_of(g, q->type);
	int v = regs(g, width);
	int mark = g->top;
	struct candidates adjusts, limits;
	(void)words;
	if (g->observed)
		emit_wide(g, OP_ASKED, 0, question);
	gen_base(g, question, v);
	collect(g, q->clause.v, q->clause.n, CLAUSE_ADJUST, &adjusts);
	for (int i = 0; i < adjusts.n; i++) {
		struct jumps no = {{0}, 0};
		int c = adjusts.clause[i];
		const struct mclause *x = &m->clause.v[c];
		gen_applies(g, c, &no);
		int vars = g->vars, thing = g->in_thing;
		bind_params(g, c, 0);
		g->in_thing = x->thing;
		int by = gen_number(g, x->node->b, -1, q->frac);
		/* an adjustment by something unset is none */
		jumps_add(g, &no, emit_jump(g, OP_JNONE, by));
		emit(g, q->frac ? OP_FADD : OP_ADD, v, v, by);
		if (g->observed)
			emit_wide(g, OP_ADJUST, by, clause_index(g, c));
		g->vars = vars;
		g->in_thing = thing;
		g->top = mark;
		jumps_here(g, &no);
	}
	collect(g, q->clause.v, q->clause.n, CLAUSE_LIMIT, &limits);
	if (limits.n) {
		struct jumps unset = {{0}, 0};
		int least = regs(g, 6), most = least + 1; /* bounds, their clauses, scratch */
		int mark2 = g->top;
		jumps_add(g, &unset, emit_jump(g, OP_JNONE, v));
		emit_const(g, least, NONE);
		emit_const(g, most, NONE);
		bool has[2] = {false, false};
		for (int i = 0; i < limits.n; i++) {
			struct jumps no = {{0}, 0};
			int c = limits.clause[i];
			const struct mclause *x = &m->clause.v[c];
			bool up = x->node->op == AT_LEAST_OP;
			gen_applies(g, c, &no);
			int vars = g->vars, thing = g->in_thing;
			bind_params(g, c, 0);
			g->in_thing = x->thing;
			int by = gen_number(g, x->node->b, -1, q->frac);
			int bound = up ? least : most;
			int keep = regs(g, 1);
			emit(g, OP_MOVE, keep, bound, 0);
			emit(g, up ? (q->frac ? OP_FMAX : OP_MAX) : (q->frac ? OP_FMIN : OP_MIN), bound, bound, by);
			emit(g, OP_SAME, keep, keep, bound);
			jumps_add(g, &no, emit_jump(g, OP_JNZ, keep));
			emit_const(g, bound + 2, clause_index(g, c));
			if (g->observed)
				emit_wide(g, OP_BOUND, by, clause_index(g, c));
			has[up] = true;
			g->vars = vars;
			g->in_thing = thing;
			g->top = mark2;
			jumps_here(g, &no);
		}
		if (has[0] && has[1]) {
			emit(g, q->frac ? OP_FLT : OP_LT, least + 4, most, least);
			int fine = emit_jump(g, OP_JZ, least + 4);
			emit_wide(g, OP_RULING, least + 2, question);
			jump_here(g, fine);
		}
		if (has[1])
			emit(g, q->frac ? OP_FMAX : OP_MAX, v, v, least);
		if (has[0])
			emit(g, q->frac ? OP_FMIN : OP_MIN, v, v, most);
		jumps_here(g, &unset);
	}
	if (g->observed)
		emit(g, OP_ANSWER, v, 0, 0);
	emit(g, OP_RET, v, width, 0);
	fn_end(g, width);
}

static void todo(struct gen *g, int fn, int sort, int what, int stage)
{
	struct pending_fn p;
	p.fn = fn;
	p.sort = sort;
	p.what = what;
	p.stage = stage;
	VEC_PUSH(g->todo, p);
}

static const char *question_title(struct gen *g, const struct mquestion *q, const char *after)
{
	struct buf b = {0};
	if (q->subject >= 0)
		buf_printf(&b, "%s's ", model_text(g->m, g->m->kind.v[q->subject].name));
	buf_printf(&b, "%s%s", model_text(g->m, q->name), after);
	const char *t = gen_copy(g, buf_text(&b), b.length);
	buf_free(&b);
	return t;
}

int question_fn(struct gen *g, int question)
{
	if (g->fn_question[question] < 0) {
		struct mquestion *q = &g->m->question.v[question];
		g->fn_question[question] = fn_new(g, question_title(g, q, ""), q->at);
		g->fn.v[g->fn_question[question]].arguments = (uint16_t)params_width(g, q);
		todo(g, g->fn_question[question], FN_QUESTION, question, 0);
	}
	return g->fn_question[question];
}

int base_fn(struct gen *g, int question)
{
	if (g->fn_base[question] < 0) {
		struct mquestion *q = &g->m->question.v[question];
		g->fn_base[question] = fn_new(g, question_title(g, q, ": base"), q->at);
		todo(g, g->fn_base[question], FN_BASE, question, 0);
	}
	return g->fn_base[question];
}

/* ---- events ---- */

static int roles_width(struct gen *g, const struct mevent *e)
{
	int n = 0;
	for (int i = 0; i < e->roles; i++)
		n += width_of(g, e->role[i].type);
	return n;
}

int event_index(struct gen *g, int mevent)
{
	/* events keep their numbers: the linker has made one entry each */
	(void)g;
	return mevent;
}

/* The body of a hook or of `does`, its roles bound to the function's arguments. */
static void gen_body(struct gen *g, int c, enum body body, struct jumps *stops)
{
	const struct mclause *x = &g->m->clause.v[c];
	int vars = g->vars, thing = g->in_thing, clause = g->in_clause;
	struct jumps *outer = g->stops;
	enum body was = g->body;
	struct span span = g->span;
	bind_params(g, c, 0);
	g->in_thing = x->thing;
	g->body = body;
	g->stops = stops;
	g->in_clause = clause_index(g, c);
	if (g->tells_clauses && body != BODY_COSTS)
		emit_wide(g, OP_WHY, g->observed && body == BODY_ON, g->in_clause);
	if (x->node->b)
		gen_block(g, x->node->b->a);
	g->in_clause = clause;
	g->span = span;
	g->stops = outer;
	g->body = was;
	g->vars = vars;
	g->in_thing = thing;
}

static void own_event(struct gen *g, const struct mevent *e)
{
	struct type *t = e->roles ? type_find(e->role[0].type) : NULL;
	if (t && t->base == VT_LIVE && (t->kind == KIND_COMBATANT || t->kind == KIND_SIDE)) {
		g->owner_reg = 0;
		g->owner_kind = t->kind;
	}
}

static void ret_const(struct gen *g, word value)
{
	int r = regs(g, 1);
	emit_const(g, r, value);
	emit(g, OP_RET, r, 1, 0);
	g->top = r;
}

/* Calls one of several bodies, the winner by the sieves; falls through when there is none. */
static void gen_winner(struct gen *g, const int *list, int n, enum clause_sort sort, enum body body, struct jumps *carries, bool returns)
{
	struct choice_of c;
	collect(g, list, n, sort, &c.of);
	if (c.of.n == 0)
		return;
	int mark = g->top;
	gen_choose_clause(g, &c, -1, NULL, NULL, 1);
	struct jumps done = {{0}, 0};
	jumps_add(g, &done, emit_jump(g, OP_JNONE, c.winner));
	for (int i = 0; i < c.of.n; i++) {
		int is = regs(g, 2);
		int other = -1;
		if (i + 1 < c.of.n) {
			emit_const(g, is, i);
			emit(g, OP_SAME, is + 1, c.winner, is);
			other = emit_jump(g, OP_JZ, is + 1);
		}
		g->carries = carries;
		gen_body(g, c.of.clause[i], body, NULL);
		g->carries = NULL;
		if (returns) {
			emit_wide(g, OP_STAGE, 0, AT_INSTEAD);
			ret_const(g, 1);
		}
		else
			jumps_add(g, &done, emit_jump(g, OP_JMP, 0));
		if (other >= 0)
			jump_here(g, other);
	}
	jumps_here(g, &done);
	g->top = mark;
}

static void gen_tell(struct gen *g, const struct mevent *e)
{
	if (!g->observed || !e->node || !e->node->text)
		return;
	int vars = g->vars, at = 0;
	for (int i = 0; i < e->roles; i++) {
		gen_bind(g, e->role[i].name, e->role[i].type, e->role[i].frac, at);
		at += width_of(g, e->role[i].type);
	}
	gen_note(g, OP_TELL, e->node->text, e->node->at);
	g->vars = vars;
}

static void gen_stage(struct gen *g, int event, int stage)
{
	struct mevent *e = &g->m->event.v[event];
	g->in_event = event;
	own_event(g, e);
	struct jumps carries = {{0}, 0};
	struct candidates c;
	switch (stage) {
	case AT_COSTS:
		if (e->costs >= 0)
			gen_body(g, e->costs, BODY_COSTS, NULL);
		break;
	case AT_BEFORE:
		if (e->action)
			gen_tell(g, e);
		gen_winner(g, e->clause[STAGE_INSTEAD].v, e->clause[STAGE_INSTEAD].n, CLAUSE_INSTEAD, BODY_INSTEAD, &carries, true);
		jumps_here(g, &carries);
		collect(g, e->clause[STAGE_BEFORE].v, e->clause[STAGE_BEFORE].n, CLAUSE_BEFORE, &c);
		for (int i = c.n; i-- > 0;) { /* outer layers last */
			struct jumps no = {{0}, 0};
			gen_applies(g, c.clause[i], &no);
			gen_body(g, c.clause[i], BODY_BEFORE, NULL);
			jumps_here(g, &no);
		}
		break;
	case AT_ON: {
		int n = e->clause[STAGE_ON].n;
		int list[CANDIDATES_MAX];
		int k = 0;
		for (int i = 0; i < n && k < CANDIDATES_MAX - 1; i++)
			list[k++] = e->clause[STAGE_ON].v[i];
		if (e->does >= 0)
			list[k++] = e->does; /* the action's own body, of its file's layer */
		gen_winner(g, list, k, CLAUSE_ON, BODY_ON, NULL, false);
		if (!e->action)
			gen_tell(g, e);
		break;
	}
	case AT_AFTER:
		collect(g, e->clause[STAGE_AFTER].v, e->clause[STAGE_AFTER].n, CLAUSE_AFTER, &c);
		for (int i = c.n; i-- > 0;) {
			struct jumps no = {{0}, 0}, stops = {{0}, 0};
			gen_applies(g, c.clause[i], &no);
			gen_body(g, c.clause[i], BODY_AFTER, &stops);
			jumps_here(g, &stops);
			jumps_here(g, &no);
		}
		gen_cues(g, event);
		break;
	default:
		break;
	}
	ret_const(g, 0);
	fn_end(g, 1);
}

static bool stage_empty(struct gen *g, int event, int stage)
{
	const struct mevent *e = &g->m->event.v[event];
	int n = 0;
	switch (stage) {
	case AT_COSTS:
		return e->costs < 0;
	case AT_BEFORE:
		for (int i = 0; i < e->clause[STAGE_INSTEAD].n; i++)
			n += in_force(g, e->clause[STAGE_INSTEAD].v[i]);
		for (int i = 0; i < e->clause[STAGE_BEFORE].n; i++)
			n += in_force(g, e->clause[STAGE_BEFORE].v[i]);
		return n == 0 && !(e->action && g->observed && e->node && e->node->text);
	case AT_ON:
		for (int i = 0; i < e->clause[STAGE_ON].n; i++)
			n += in_force(g, e->clause[STAGE_ON].v[i]);
		return n == 0 && e->does < 0 && !(g->observed && e->node && e->node->text);
	default:
		for (int i = 0; i < e->clause[STAGE_AFTER].n; i++)
			n += in_force(g, e->clause[STAGE_AFTER].v[i]);
		return n == 0 && !cues_on(g, event);
	}
}

int stage_fn(struct gen *g, int event, int stage)
{
	static const char *const names[] = {"costs", "before", "on", "after"};
	if (stage_empty(g, event, stage))
		return -1;
	if (g->fn_stage[stage][event] < 0) {
		struct buf b = {0};
		buf_printf(&b, "%s: %s", model_text(g->m, g->m->event.v[event].name), names[stage]);
		g->fn_stage[stage][event] = fn_new(g, buf_text(&b), g->m->event.v[event].at);
		buf_free(&b);
		todo(g, g->fn_stage[stage][event], FN_EVENT_STAGE, event, stage);
	}
	return g->fn_stage[stage][event];
}

/* Calls a stage with this function's own arguments; the answer stands at the window. */
static void call_stage(struct gen *g, int event, int stage, int window, int words)
{
	int fn = stage_fn(g, event, stage);
	if (fn < 0) {
		emit_const(g, window, 0);
		return;
	}
	for (int i = 0; i < words; i++)
		emit(g, OP_MOVE, window + 2 + i, i, 0);
	gen_call(g, fn, window);
}

/* event with all its stages, nested in whatever is going on */
static void gen_perform_fn(struct gen *g, int event)
{
	struct mevent *e = &g->m->event.v[event];
	int words = roles_width(g, e);
	int window = regs(g, 3 + words);
	struct jumps stopped = {{0}, 0};
	bool once = e->node && e->node->kind == N_KIND_EVENT && e->node->num == 1;
	emit_const(g, window, NONE);
	if (once) /* what simultaneous acts both bring about happens once */
		emit(g, OP_KEYED, words > 0 ? 0 : window, words > 1 ? 1 : window, ONCE_EVENT | event_index(g, event));
	emit_wide(g, OP_ENTER, 0, event_index(g, event));
	/* values the event keeps begin at their defaults, unless handed over by `with` */
	if (stage_fn(g, event, AT_COSTS) >= 0)
		call_stage(g, event, AT_COSTS, window, words);
	if (stage_fn(g, event, AT_BEFORE) >= 0) {
		emit_wide(g, OP_STAGE, 0, AT_BEFORE);
		call_stage(g, event, AT_BEFORE, window, words);
		jumps_add(g, &stopped, emit_jump(g, OP_JNZ, window));
	}
	emit_wide(g, OP_STAGE, 0, AT_ON);
	call_stage(g, event, AT_ON, window, words);
	if (stage_fn(g, event, AT_AFTER) >= 0) {
		emit_wide(g, OP_STAGE, 0, AT_AFTER);
		call_stage(g, event, AT_AFTER, window, words);
	}
	gen_watch_event(g, event);
	emit_wide(g, OP_LEAVE, 0, 0);
	int over = emit_jump(g, OP_JMP, 0);
	jumps_here(g, &stopped);
	emit_wide(g, OP_LEAVE, 0, 1);
	jump_here(g, over);
	if (once)
		emit(g, OP_KEYED, window, window, 0xffff);
	gen_settle(g, window);
	ret_const(g, 0);
	fn_end(g, 1);
}

int perform_fn(struct gen *g, int event)
{
	struct event_info *e = &g->event.v[event];
	if (e->perform_fn < 0) {
		e->perform_fn = fn_new(g, e->name, e->span);
		todo(g, e->perform_fn, FN_EVENT_PERFORM, event, 0);
	}
	return g->event.v[event].perform_fn;
}

/* What runs when an act of this event has its turn. */
static void make_stages(struct gen *g, int event)
{
	for (int stage = 0; stage <= AT_STAGES; stage++) {
		int fn = stage < AT_STAGES ? stage_fn(g, event, stage) : legal_fn(g, event);
		g->event.v[event].stage_fn[stage] = fn;
	}
}

void event_pended(struct gen *g, int event)
{
	if (!g->pended[event]) {
		g->pended[event] = true;
		todo(g, -1, FN_EVENT_ACT, event, 0);
	}
}

int stage_window(struct gen *g)
{
	int most = 1;
	for (int i = 0; i < g->event.n; i++)
		if (g->event.v[i].words > most)
			most = g->event.v[i].words;
	return regs(g, 3 + most); /* whether it is allowed is asked of the act itself, too */
}

/* ---- whether an act is allowed ---- */

static bool never_refused(struct gen *g, int event)
{
	const struct mevent *e = &g->m->event.v[event];
	int n = e->needs_count;
	for (int i = 0; i < e->forbid.n; i++)
		n += in_force(g, e->forbid.v[i]);
	return n == 0 && e->costs < 0;
}

static void gen_legal_fn(struct gen *g, int event)
{
	struct model *m = g->m;
	struct mevent *e = &m->event.v[event];
	int words = roles_width(g, e);
	g->in_event = event;
	g->judged_reg = words;
	for (int i = 0; i < e->needs_count; i++) {
		int c = e->needs_first + i;
		struct jumps no = {{0}, 0};
		int vars = g->vars;
		bind_params(g, c, 0);
		gen_unless(g, m->clause.v[c].node->a, &no);
		g->vars = vars;
		int fine = emit_jump(g, OP_JMP, 0);
		jumps_here(g, &no);
		ret_const(g, clause_index(g, c));
		jump_here(g, fine);
	}
	for (int i = 0; i < e->forbid.n; i++) {
		int c = e->forbid.v[i];
		if (!in_force(g, c))
			continue;
		struct jumps fine = {{0}, 0};
		gen_applies(g, c, &fine);
		/* an exception's `permit` lifts it */
		for (int k = 0; k < e->permit.n; k++) {
			int p = e->permit.v[k];
			if (!in_force(g, p) || !may_except(g, p, c))
				continue;
			struct jumps stays = {{0}, 0};
			gen_excepts(g, p, c, &stays);
			gen_applies(g, p, &stays);
			jumps_add(g, &fine, emit_jump(g, OP_JMP, 0));
			jumps_here(g, &stays);
		}
		ret_const(g, clause_index(g, c));
		jumps_here(g, &fine);
	}
	int r = regs(g, 1);
	if (e->costs >= 0) {
		int window = regs(g, 3 + words);
		emit(g, OP_TRY, r, 0, 0);
		call_stage(g, event, AT_COSTS, window, words);
		emit(g, OP_UNTRY, r, 0, 0);
	} else {
		emit_const(g, r, NONE);
	}
	emit(g, OP_RET, r, 1, 0);
	fn_end(g, 1);
}

int legal_fn(struct gen *g, int event)
{
	if (never_refused(g, event))
		return -1;
	if (g->event.v[event].legal_fn < 0) {
		struct buf b = {0};
		buf_printf(&b, "%s: allowed", g->event.v[event].name);
		int fn = fn_new(g, buf_text(&b), g->event.v[event].span);
		buf_free(&b);
		g->event.v[event].legal_fn = fn;
		todo(g, fn, FN_EVENT_LEGAL, event, 0);
	}
	return g->event.v[event].legal_fn;
}

/* ---- making what was asked for ---- */


void gen_pending(struct gen *g)
{
	while (g->todo.n) {
		struct pending_fn p = g->todo.v[--g->todo.n];
		struct model *m = g->m;
		switch (p.sort) {
		case FN_QUESTION:
			fn_begin(g, p.fn, params_width(g, &m->question.v[p.what]));
			gen_question_fn(g, p.what);
			break;
		case FN_BASE: {
			struct mquestion *q = &m->question.v[p.what];
			fn_begin(g, p.fn, params_width(g, q));
			int v = regs(g, width_of(g, q->type));
			if (g->observed)
				emit_wide(g, OP_ASKED, 0, p.what);
			gen_base(g, p.what, v);
			if (g->observed)
				emit(g, OP_ANSWER, v, 0, 0);
			emit(g, OP_RET, v, width_of(g, q->type), 0);
			fn_end(g, width_of(g, q->type));
			break;
		}
		case FN_EVENT_PERFORM:
			fn_begin(g, p.fn, roles_width(g, &m->event.v[p.what]));
			gen_perform_fn(g, p.what);
			break;
		case FN_EVENT_ACT:
			make_stages(g, p.what);
			break;
		case FN_EVENT_LEGAL:
			fn_begin(g, p.fn, roles_width(g, &m->event.v[p.what]) + 1);
			gen_legal_fn(g, p.what);
			break;
		case FN_EVENT_STAGE:
			fn_begin(g, p.fn, roles_width(g, &m->event.v[p.what]));
			gen_stage(g, p.what, p.stage);
			break;
		case FN_ASK:
			gen_ask_fn(g, p.what);
			break;
		case FN_POLICY:
			gen_policy_fn(g, p.what, p.stage);
			break;
		case FN_ANSWER:
			gen_answer_fn(g);
			break;
		case FN_OTHER:
			break;
		}
	}
}
