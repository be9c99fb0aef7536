/* gen_name.c - names, fields and questions to instructions: who or what is meant, and what is stored of it. */
#include <string.h>

#include "lang/check/infer.h"
#include "lang/gen/gen.h"

int live_named(struct gen *g, sym name)
{
	struct model *m = g->m;
	name = model_alias(m, name);
	int i = model_live(m, name);
	if (i >= 0)
		return i;
	int thing = model_thing(m, name, KIND_COMBATANT);
	int found = -1, count = 0;
	for (int k = 0; k < m->live.n; k++)
		if (thing >= 0 && m->live.v[k].thing == thing) {
			found = k;
			count++;
		}
	if (count == 1)
		return found;
	const char *t = intern_folded(m->front->names, name);
	size_t n = strlen(t);
	count = 0;
	for (int k = 0; k < m->live.n; k++) {
		const char *l = intern_folded(m->front->names, m->live.v[k].name);
		if (!strncmp(l, t, n) && !strncmp(l + n, " #", 2)) {
			found = k;
			count++;
		}
	}
	return count == 1 ? found : -1;
}

/* ---- fields and questions ---- */

int gen_question(struct gen *g, int question, int window)
{
	gen_call(g, question_fn(g, question), window);
	return window;
}

bool question_bare(struct gen *g, int question)
{
	const struct mquestion *q = &g->m->question.v[question];
	for (int i = 0; i < q->clause.n; i++)
		if (g->m->clause.v[q->clause.v[i]].in_force)
			return false;
	return true;
}

/* One of the things in a list field; unset past the end. */
static void gen_nth(struct gen *g, int field, int object, int nth, int dst)
{
	int mark = g->top, of = regs(g, 2);
	emit(g, OP_MOVE, of, object, 0);
	emit_const(g, of + 1, nth);
	if (g->m->kind.v[g->m->field.v[field].kind].live)
		emit(g, OP_ITEM, dst, of, link_field(g, field));
	else
		emit(g, OP_ITEMT, dst, of, link_thing_field(g, field));
	g->top = mark;
}

int list_width(struct gen *g, const struct node *path)
{
	int field = list_field(g->m, path);
	if (field < 0 || !g->m->kind.v[g->m->field.v[field].kind].live)
		return 1;
	return (int)g->field.v[link_field(g, field)].words;
}

void gen_list(struct gen *g, struct node *path, int dst)
{
	int field = list_field(g->m, path), width = list_width(g, path), mark = g->top, object;
	if (field < 0) {
		emit_const(g, dst, NONE);
		return;
	}
	object = path->kind == N_KIND_E_FIELD ? gen_expr(g, path->a, -1) : gen_put(g, -1, 0);
	if (width == 1) { /* where a stat block's list stands */
		emit(g, OP_LDT, dst, object, link_thing_field(g, field));
	} else {
		emit(g, OP_LEN, dst, object, link_field(g, field));
		for (int k = 0; k + 1 < width; k++)
			gen_nth(g, field, object, k, dst + 1 + k);
	}
	g->top = mark;
}

/* The stored value of a field, no rule applied. */
int load_field(struct gen *g, int field, int object, int dst)
{
	struct mfield *f = &g->m->field.v[field];
	bool live = g->m->kind.v[f->kind].live;
	int width = width_of(g, f->type);
	int r = gen_into(g, dst, width);
	if (type_is(f->type, VT_LIST)) /* a list is its first thing, or unset: all that is asked of it as a whole is whether it is none */
		gen_nth(g, field, object, 0, r);
	else if (!live)
		emit(g, OP_LDT, r, object, link_thing_field(g, field));
	else if (width > 1 || type_is(f->type, VT_SET))
		emit(g, OP_LDSF, r, object, link_field(g, field));
	else
		emit(g, OP_LDF, r, object, link_field(g, field));
	return r;
}

int gen_field(struct gen *g, int field, int object, int dst)
{
	struct mfield *f = &g->m->field.v[field];
	if (f->question >= 0 && !question_bare(g, f->question)) {
		int width = width_of(g, f->type);
		int r = gen_into(g, dst, width);
		int window = regs(g, 2 + width + 1);
		emit(g, OP_MOVE, window + 2, object, 0);
		gen_question(g, f->question, window);
		gen_move(g, f->type, r, window);
		return r;
	}
	return load_field(g, field, object, dst);
}

/* A field of something that is one of several sorts: of each sort its own. */
void gen_mixed_field(struct gen *g, struct node *n, int r)
{
	struct model *m = g->m;
	int kind[KINDS_MIXED], kinds = mixed_kinds(m, n->name, kind);
	const bool number = type_number(n->type);
	struct jumps end = {{0}, 0};
	int object = gen_expr(g, n->a, -1), is = regs(g, 2);
	emit(g, OP_KINDOF, is, object, 0);
	for (int i = 0; i < kinds; i++) {
		const bool live = m->kind.v[kind[i]].live;
		int q = live ? -1 : model_question_of(m, kind[i], n->name, false);
		int f = q >= 0 ? m->question.v[q].field : model_field(m, kind[i], n->name);
		bool frac = q >= 0 ? m->question.v[q].frac : m->field.v[f].frac;
		int mark = g->top;
		emit_const(g, is + 1, kind[i]);
		emit(g, OP_SAME, is + 1, is, is + 1);
		int other = emit_jump(g, OP_JZ, is + 1);
		if (live) {
			emit(g, OP_LDT, r, object, m->field.v[f].pattern);
		} else if (f >= 0 && (q < 0 || question_bare(g, q))) {
			gen_field(g, f, object, r);
		} else {
			int window = regs(g, 3);
			emit(g, OP_MOVE, window + 2, object, 0);
			gen_question(g, q, window);
			emit(g, OP_MOVE, r, window, 0);
		}
		if (n->frac && !frac && number)
			emit(g, OP_FRAC, r, r, 0);
		g->top = mark;
		jumps_add(g, &end, emit_jump(g, OP_JMP, 0));
		jump_here(g, other);
	}
	emit_const(g, r, NONE);
	jumps_here(g, &end);
}

int gen_single(struct gen *g)
{
	int r = regs(g, 1);
	emit_const(g, r, 0);
	return r;
}

/* ---- names ---- */

static int gen_template_set(struct gen *g, int thing, int dst)
{
	int r = gen_into(g, dst, g->p->set_words);
	int one = regs(g, 1);
	emit(g, OP_SNONE, r, 0, 0);
	for (int i = 0; i < g->m->live.n; i++) {
		int t = g->m->live.v[i].thing;
		while (t >= 0 && t != thing)
			t = g->m->thing.v[t].parent;
		if (t < 0)
			continue;
		struct jumps next = {{0}, 0};
		emit_const(g, one, i);
		if (g->m->live.v[i].late)
			gen_skip_late(g, KIND_COMBATANT, one, &next);
		emit(g, OP_SADD, r, one, 0);
		jumps_here(g, &next);
	}
	return r;
}

int gen_name(struct gen *g, struct node *n, int dst)
{
	struct model *m = g->m;
	int r;
	switch (n->ref_kind) {
	case REF_LOCAL: {
		struct var *v = gen_var(g, model_alias(m, n->name));
		if (!v)
			v = gen_var(g, n->name);
		must(v);
		if (dst < 0)
			return v->reg;
		gen_move(g, v->type, dst, v->reg);
		return dst;
	}
	case REF_NOW:
		r = gen_into(g, dst, 1);
		emit(g, OP_NOW, r, 0, 0);
		return r;
	case REF_CAUSE:
		r = gen_into(g, dst, 1);
		emit(g, OP_CAUSE, r, 0, 0);
		return r;
	case REF_JUDGED:
		r = gen_into(g, dst, 1);
		emit(g, OP_MOVE, r, g->judged_reg, 0);
		return r;
	case REF_SINGLE:
		return gen_put(g, dst, 0);
	case REF_OWN_NAME:
	case REF_THING:
		return gen_put(g, dst, thing_index(g, n->ref));
	case REF_ITEM:
	case REF_ITEM_NAMED:
		return gen_item(g, n, dst);
	case REF_LIVE: {
		int live = live_named(g, n->name);
		return gen_put(g, dst, live < 0 ? NONE : live);
	}
	case REF_SIDE:
		return gen_put(g, dst, model_side(m, model_alias(m, n->name)));
	case REF_KIND_ALL:
		r = gen_into(g, dst, g->p->set_words);
		if (gen_some_late(g, n->ref))
			gen_all_there(g, n->ref, r);
		else
			emit_wide(g, OP_SALL, r, n->ref);
		return r;
	case REF_ISA:
		return gen_template_set(g, n->ref, dst);
	case REF_FIELD_OF_ENCOUNTER: {
		r = gen_into(g, dst, width_of(g, n->type));
		int mark = g->top;
		gen_field(g, n->ref, gen_single(g), r);
		g->top = mark;
		return r;
	}
	case REF_QUESTION: {
		r = gen_into(g, dst, width_of(g, n->type));
		int mark = g->top;
		int window = regs(g, 3 + width_of(g, n->type));
		emit_const(g, window + 2, 0);
		gen_question(g, n->ref, window);
		gen_move(g, n->type, r, window);
		g->top = mark;
		return r;
	}
	case REF_EVENT:
		return gen_put(g, dst, event_index(g, n->ref));
	case REF_WORD:
		return gen_put(g, dst, text_index(g, intern_folded(m->front->names, n->name)));
	default:
		r = gen_into(g, dst, n->type ? width_of(g, n->type) : 1);
		if (n->type && type_is(n->type, VT_SET))
			emit(g, OP_SNONE, r, 0, 0);
		else
			emit_const(g, r, NONE);
		return r;
	}
}
