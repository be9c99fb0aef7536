/* gen_question.c - questions become functions: the winner of the definitions, then the adjustments. */
#include <string.h>

#include "lang/gen/gen.h"

struct define_context { struct gen *g; int question; bool frac, told; }; /* told: the log says what it is made of */

static void gen_define_value(struct gen *g, int c, int dst, void *context)
{
	struct define_context *d = context;
	const struct mclause *x = &g->m->clause.v[c];
	int vars = g->vars, thing = g->in_thing, mark = g->top, summed = g->summed.n;
	bind_params(g, c, 0);
	g->in_thing = x->thing;
	if (d->told && x->node->kind != N_KIND_C_BE && !type_is(g->m->question.v[d->question].type, VT_TIME)) /* times are asked of every act, again and again */
		gen_sum(g, x->node->b, "");
	if (x->node->kind != N_KIND_C_BE)
		gen_weighed(g, x->node->b);
	if (x->node->kind == N_KIND_C_BE)
		emit_const(g, dst, 1);
	else
		gen_number(g, x->node->b, dst, d->frac && type_number(x->node->b->type));
	g->summed.n = summed;
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
		if (type_is(f->type, VT_LIST))
			load_field(g, q->field, 0, dst);
		else if (!m->kind.v[f->kind].live)
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
	struct define_context d = {g, question, q->frac, false};
	struct choice_of c;
	int mark = g->top;
	gen_eligible(g, q->clause.v, q->clause.n, CLAUSE_DEFINE, &c.of);
	gen_choose_clause(g, &c, question, gen_define_value, &d, width_of(g, q->type));
	struct jumps done = {{0}, 0};
	int none = emit_jump(g, OP_JNONE, c.winner);
	for (int i = 0; i < c.of.n; i++) {
		int other = gen_unless_won(g, &c, i);
		d.told = true;
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

/* Keeps the answer in register v within the limits in force. */
static void gen_limits(struct gen *g, int question, int v)
{
	struct model *m = g->m;
	struct mquestion *q = &m->question.v[question];
	struct candidates limits;
	gen_eligible(g, q->clause.v, q->clause.n, CLAUSE_LIMIT, &limits);
	if (!limits.n)
		return;
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

void gen_question_fn(struct gen *g, int fn, int question)
{
	struct model *m = g->m;
	struct mquestion *q = &m->question.v[question];
	int words = params_width(g, q);
	fn_begin(g, fn, words);
	int width = width_of(g, q->type);
	int v = regs(g, width);
	int mark = g->top;
	struct candidates adjusts;
	(void)words;
	if (g->observed)
		emit_wide(g, OP_ASKED, 0, question);
	gen_base(g, question, v);
	gen_eligible(g, q->clause.v, q->clause.n, CLAUSE_ADJUST, &adjusts);
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
	gen_limits(g, question, v);
	if (g->observed)
		emit(g, OP_ANSWER, v, 0, 0);
	emit(g, OP_RET, v, width, 0);
	fn_end(g, width);
}

void gen_base_fn(struct gen *g, int fn, int question)
{
	struct mquestion *q = &g->m->question.v[question];
	fn_begin(g, fn, params_width(g, q));
	int v = regs(g, width_of(g, q->type));
	if (g->observed)
		emit_wide(g, OP_ASKED, 0, question);
	gen_base(g, question, v);
	if (g->observed)
		emit(g, OP_ANSWER, v, 0, 0);
	emit(g, OP_RET, v, width_of(g, q->type), 0);
	fn_end(g, width_of(g, q->type));
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
		gen_todo(g, g->fn_question[question], FN_QUESTION, question, 0);
	}
	return g->fn_question[question];
}

int base_fn(struct gen *g, int question)
{
	if (g->fn_base[question] < 0) {
		struct mquestion *q = &g->m->question.v[question];
		g->fn_base[question] = fn_new(g, question_title(g, q, ": base"), q->at);
		gen_todo(g, g->fn_base[question], FN_BASE, question, 0);
	}
	return g->fn_base[question];
}
