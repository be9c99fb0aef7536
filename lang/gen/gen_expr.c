/* gen_expr.c - expressions to instructions. Every function leaves its value in a register
 * (or a run of set_words registers for sets) and returns the first. */
#include <stdio.h>
#include <string.h>

#include "lang/gen/gen.h"

static int target(struct gen *g, int dst, int width)
{
	return dst >= 0 ? dst : regs(g, width);
}

static int put(struct gen *g, int dst, word value)
{
	int r = target(g, dst, 1);
	emit_const(g, r, value);
	return r;
}

static void move(struct gen *g, struct type *t, int dst, int src)
{
	if (dst == src)
		return;
	emit(g, type_is(t, VT_SET) ? OP_SMOVE : OP_MOVE, dst, src, 0);
}

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

/* The stored value of a field, no rule applied. */
static int load_field(struct gen *g, int field, int object, int dst)
{
	struct mfield *f = &g->m->field.v[field];
	bool live = g->m->kind.v[f->kind].live;
	int width = width_of(g, f->type);
	int r = target(g, dst, width);
	if (!live)
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
		int r = target(g, dst, width);
		int window = regs(g, 2 + width + 1);
		emit(g, OP_MOVE, window + 2, object, 0);
		gen_question(g, f->question, window);
		move(g, f->type, r, window);
		return r;
	}
	return load_field(g, field, object, dst);
}

static int single(struct gen *g)
{
	int r = regs(g, 1);
	emit_const(g, r, 0);
	return r;
}

/* ---- names ---- */

static int gen_template_set(struct gen *g, int thing, int dst)
{
	int r = target(g, dst, g->p->set_words);
	int one = regs(g, 1);
	emit(g, OP_SNONE, r, 0, 0);
	for (int i = 0; i < g->m->live.n; i++) {
		int t = g->m->live.v[i].thing;
		while (t >= 0 && t != thing)
			t = g->m->thing.v[t].parent;
		if (t < 0)
			continue;
		emit_const(g, one, i);
		emit(g, OP_SADD, r, one, 0);
	}
	return r;
}

static int gen_name(struct gen *g, struct node *n, int dst)
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
		move(g, v->type, dst, v->reg);
		return dst;
	}
	case REF_NOW:
		r = target(g, dst, 1);
		emit(g, OP_NOW, r, 0, 0);
		return r;
	case REF_CAUSE:
		r = target(g, dst, 1);
		emit(g, OP_CAUSE, r, 0, 0);
		return r;
	case REF_JUDGED:
		r = target(g, dst, 1);
		emit(g, OP_MOVE, r, g->judged_reg, 0);
		return r;
	case REF_SINGLE:
		return put(g, dst, 0);
	case REF_OWN_NAME:
	case REF_THING:
		return put(g, dst, thing_index(g, n->ref));
	case REF_ITEM:
	case REF_ITEM_NAMED:
		return gen_item(g, n, dst);
	case REF_LIVE: {
		int live = live_named(g, n->name);
		return put(g, dst, live < 0 ? NONE : live);
	}
	case REF_SIDE:
		return put(g, dst, model_side(m, model_alias(m, n->name)));
	case REF_KIND_ALL:
		r = target(g, dst, g->p->set_words);
		emit_wide(g, OP_SALL, r, n->ref);
		return r;
	case REF_ISA:
		return gen_template_set(g, n->ref, dst);
	case REF_FIELD_OF_ENCOUNTER: {
		r = target(g, dst, width_of(g, n->type));
		int mark = g->top;
		gen_field(g, n->ref, single(g), r);
		g->top = mark;
		return r;
	}
	case REF_QUESTION: {
		r = target(g, dst, width_of(g, n->type));
		int mark = g->top;
		int window = regs(g, 3 + width_of(g, n->type));
		emit_const(g, window + 2, 0);
		gen_question(g, n->ref, window);
		move(g, n->type, r, window);
		g->top = mark;
		return r;
	}
	case REF_EVENT:
		return put(g, dst, event_index(g, n->ref));
	case REF_WORD:
		return put(g, dst, text_index(g, intern_folded(m->front->names, n->name)));
	default:
		r = target(g, dst, n->type ? width_of(g, n->type) : 1);
		if (n->type && type_is(n->type, VT_SET))
			emit(g, OP_SNONE, r, 0, 0);
		else
			emit_const(g, r, NONE);
		return r;
	}
}

/* ---- numbers ---- */

int gen_number(struct gen *g, struct node *n, int dst, bool frac)
{
	if (!frac || n->frac)
		return gen_expr(g, n, dst);
	int r = target(g, dst, 1);
	int mark = g->top;
	int v = gen_expr(g, n, -1);
	emit(g, OP_FRAC, r, v, 0);
	g->top = mark;
	return r;
}

static int gen_binary(struct gen *g, struct node *n, int dst)
{
	bool frac = n->a->frac || n->b->frac;
	bool text = type_is(n->a->type, VT_TEXT) && n->op >= BIN_LT;
	bool sets = type_is(n->a->type, VT_SET);
	bool chance = type_is(n->a->type, VT_CHANCE) != type_is(n->b->type, VT_CHANCE);
	int r = target(g, dst, 1);
	int mark = g->top;
	frac |= chance;
	int a = gen_number(g, n->a, -1, frac && type_number(n->a->type));
	int b = gen_number(g, n->b, -1, frac && type_number(n->b->type));
	if (text) {
		int x = regs(g, 2);
		emit(g, OP_RANK, x, a, 0);
		emit(g, OP_RANK, x + 1, b, 0);
		a = x;
		b = x + 1;
	}
	switch (n->op) {
	case BIN_ADD: emit(g, frac ? OP_FADD : OP_ADD, r, a, b); break;
	case BIN_SUB: emit(g, frac ? OP_FSUB : OP_SUB, r, a, b); break;
	case BIN_MUL: emit(g, frac ? OP_FMUL : OP_MUL, r, a, b); break;
	case BIN_DIV: emit(g, frac ? OP_FDIV : OP_DIV, r, a, b); break;
	case BIN_EQ: emit(g, sets ? OP_SAMES : OP_EQ, r, a, b); break;
	case BIN_NE:
		if (sets) {
			emit(g, OP_SAMES, r, a, b);
			emit(g, OP_NOT, r, r, 0);
		} else {
			emit(g, OP_NE, r, a, b);
		}
		break;
	case BIN_LT: emit(g, frac ? OP_FLT : OP_LT, r, a, b); break;
	case BIN_GT: emit(g, frac ? OP_FLT : OP_LT, r, b, a); break;
	case BIN_LE: emit(g, frac ? OP_FLE : OP_LE, r, a, b); break;
	case BIN_GE: emit(g, frac ? OP_FLE : OP_LE, r, b, a); break;
	default: unreachable();
	}
	g->top = mark;
	return r;
}

static int gen_as(struct gen *g, struct node *n, int dst)
{
	struct model *m = g->m;
	int r = target(g, dst, 1);
	int mark = g->top;
	struct type *from = type_find(n->a->type), *to = type_find(n->type);
	if (n->name == m->w.percent) {
		int v = gen_number(g, n->a, -1, true);
		int k = regs(g, 1);
		bool bad = false;
		emit_const(g, k, frac_of(100, &bad));
		emit(g, OP_FMUL, r, v, k);
		g->top = mark;
		return r;
	}
	if (n->name == m->w.number) {
		if (from->base == to->base || from->base == VT_COUNT) {
			gen_expr(g, n->a, r);
		} else {
			/* in the smallest unit the rules declare for it */
			int64_t num = from->base == VT_DISTANCE || from->base == VT_SCALE ? FOOT : SECOND, den = 1;
			bool own = false;
			for (int i = 0; i < m->unit.n; i++)
				if (m->unit.v[i].module >= 0 && m->unit.v[i].base == from->base && (!own || m->unit.v[i].num * den < num * m->unit.v[i].den)) {
					own = true;
					num = m->unit.v[i].num;
					den = m->unit.v[i].den;
				}
			int v = gen_number(g, n->a, -1, true);
			int k = regs(g, 1);
			bool bad = false;
			emit_const(g, k, frac_make(num, den, &bad));
			emit(g, OP_FDIV, r, v, k);
		}
		g->top = mark;
		return r;
	}
	const struct munit *u = &m->unit.v[model_unit(m, n->name)];
	bool bad = false;
	if (from->base == VT_SCALE && u->base == VT_DISTANCE) {
		int v = gen_number(g, n->a, -1, true);
		int f = model_field(m, KIND_ENCOUNTER, model_sym(m, "scale"));
		int scale;
		if (f >= 0) {
			scale = gen_field(g, f, single(g), -1);
		} else {
			int window = regs(g, 3);
			emit_const(g, window + 2, 0);
			int q = model_question_of(m, KIND_ENCOUNTER, model_sym(m, "scale"), false);
			gen_question(g, q, window);
			scale = window;
			if (m->question.v[q].frac)
				f = -2;
		}
		int s = regs(g, 2);
		if (f != -2)
			emit(g, OP_FRAC, s, scale, 0);
		else
			emit(g, OP_MOVE, s, scale, 0);
		emit(g, OP_FMUL, s, s, v);
		emit_const(g, s + 1, frac_of(FOOT, &bad));
		emit(g, OP_FDIV, r, s, s + 1);
	} else if (from->base == VT_NUMBER && u->base != VT_NUMBER && !(u->num == 1 && u->den == 1)) {
		int v = gen_number(g, n->a, -1, n->frac);
		int k = regs(g, 1);
		emit_const(g, k, n->frac ? frac_make(u->num, u->den, &bad) : u->num / u->den);
		emit(g, n->frac ? OP_FMUL : OP_MUL, r, v, k);
	} else {
		gen_number(g, n->a, r, n->frac);
	}
	if (bad)
		gen_too_big(g, n);
	g->top = mark;
	return r;
}

/* Is it of that kind? Sorts of a kind are told by the stat blocks something is made from. */
static void gen_is_kind(struct gen *g, struct node *n, int r)
{
	struct model *m = g->m;
	int root = kind_root(m, n->ref), a = gen_expr(g, n->a, -1), b = regs(g, 3);
	if (type_is(n->a->type, VT_LIVE))
		emit(g, OP_LDF, b, a, template_field(g, root));
	else
		emit(g, OP_MOVE, b, a, 0);
	if (n->ref == root) {
		if (type_is(n->a->type, VT_LIVE)) {
			emit_const(g, r, 1); /* its type says so */
			return;
		}
		emit(g, OP_KINDOF, b + 1, b, 0);
		emit_const(g, b + 2, root);
		emit(g, OP_SAME, r, b + 1, b + 2);
		return;
	}
	struct jumps is = {{0}, 0};
	emit_const(g, r, 0);
	for (int i = 0; i < m->thing.n; i++) {
		int parent = m->thing.v[i].parent;
		if (!kind_is(m, m->thing.v[i].kind, n->ref) || (parent >= 0 && kind_is(m, m->thing.v[parent].kind, n->ref)))
			continue; /* what inherits is found by what it inherits from */
		emit_const(g, b + 1, thing_index(g, i));
		emit(g, OP_ISA, r, b, b + 1);
		jumps_add(g, &is, emit_jump(g, OP_JNZ, r));
	}
	jumps_here(g, &is);
}

/* ---- X is Y, X has Y, x in y ---- */

static int gen_is(struct gen *g, struct node *n, int dst)
{
	struct model *m = g->m;
	int r = target(g, dst, 1);
	int mark = g->top;
	int a, b;
	switch (n->ref_kind) {
	case REF_NONE:
		if (type_is(n->a->type, VT_SET)) {
			a = gen_expr(g, n->a, -1);
			emit(g, OP_SCOUNT, r, a, 0);
			emit(g, OP_NOT, r, r, 0);
			break;
		}
		a = gen_expr(g, n->a, -1);
		b = put(g, -1, NONE);
		emit(g, OP_SAME, r, a, b);
		break;
	case REF_ADJECTIVE: {
		const struct mquestion *q = &m->question.v[n->ref];
		if (q->field >= 0 && question_bare(g, n->ref)) {
			a = gen_expr(g, n->a, -1);
			load_field(g, q->field, a, r);
			break;
		}
		int window = regs(g, 3);
		gen_expr(g, n->a, window + 2);
		gen_question(g, n->ref, window);
		emit(g, OP_MOVE, r, window, 0);
		break;
	}
	case REF_FLAG:
		a = gen_expr(g, n->a, -1);
		gen_field(g, n->ref, a, r);
		break;
	case REF_EVENT:
		a = gen_expr(g, n->a, -1);
		b = regs(g, 2);
		emit(g, OP_EVENTOF, b, a, 0);
		emit_const(g, b + 1, event_index(g, n->ref));
		emit(g, OP_SAME, r, b, b + 1);
		break;
	case REF_ISA:
		a = gen_expr(g, n->a, -1);
		b = regs(g, 2);
		if (type_is(n->a->type, VT_LIVE))
			emit(g, OP_LDF, b, a, template_field(g, kind_root(m, type_find(n->a->type)->kind)));
		else
			emit(g, OP_MOVE, b, a, 0);
		emit_const(g, b + 1, thing_index(g, n->ref));
		emit(g, OP_ISA, r, b, b + 1);
		break;
	case REF_IS_KIND:
		gen_is_kind(g, n, r);
		break;
	case REF_VIA: {
		a = gen_expr(g, n->a, -1);
		int via = gen_field(g, n->ref, a, -1);
		b = n->b->ref_kind == REF_THING && n->b->kind == N_KIND_E_NAME ? put(g, -1, thing_index(g, n->b->ref)) : gen_expr(g, n->b, -1);
		emit(g, OP_ISA, r, via, b);
		break;
	}
	case REF_WORD:
		a = gen_expr(g, n->a, -1);
		b = put(g, -1, text_index(g, intern_folded(m->front->names, n->b->name)));
		emit(g, OP_SAME, r, a, b);
		break;
	case REF_LOCAL:
		a = gen_expr(g, n->a, -1);
		b = gen_number(g, n->b, -1, n->a->frac && type_number(n->b->type));
		if (type_is(n->a->type, VT_SET))
			emit(g, OP_SAMES, r, a, b);
		else if (type_is(n->a->type, VT_THING))
			emit(g, OP_ISA, r, a, b);
		else
			emit(g, OP_SAME, r, a, b);
		break;
	default:
		emit_const(g, r, 0);
		break;
	}
	if (n->num == 1)
		emit(g, OP_NOT, r, r, 0);
	g->top = mark;
	return r;
}

/* owner and the thing looked for, in two registers side by side */
static int list_window(struct gen *g, struct node *owner, struct node *what)
{
	int w = regs(g, 2);
	gen_expr(g, owner, w);
	if (what)
		gen_expr(g, what, w + 1);
	return w;
}

static int gen_has(struct gen *g, struct node *n, int dst)
{
	struct model *m = g->m;
	int r = target(g, dst, 1);
	int mark = g->top;
	if (type_is(n->a->type, VT_SET)) {
		int set = gen_expr(g, n->a, -1);
		int one = gen_expr(g, n->b, -1);
		emit(g, OP_SHAS, r, set, one);
	} else if (n->ref_kind == REF_BORNE) {
		gen_borne(g, n, r);
	} else if (n->ref_kind == REF_LIST_FIELD && n->ref >= 0) {
		int w = list_window(g, n->a, n->b);
		emit(g, OP_HASL, r, w, link_field(g, n->ref));
	} else if (n->a->kind == N_KIND_E_FIELD || n->a->ref_kind == REF_FIELD_OF_ENCOUNTER) {
		int f = n->a->ref;
		int w = regs(g, 2);
		if (n->a->kind == N_KIND_E_FIELD)
			gen_expr(g, n->a->a, w);
		else
			emit_const(g, w, 0);
		gen_expr(g, n->b, w + 1);
		if (n->a->ref_kind == REF_QUESTION)
			f = m->question.v[n->a->ref].field;
		if (f < 0)
			emit_const(g, r, 0);
		else if (m->kind.v[m->field.v[f].kind].live)
			emit(g, OP_HASL, r, w, link_field(g, f));
		else
			emit(g, OP_HAST, r, w, link_thing_field(g, f));
	} else {
		emit_const(g, r, 0);
	}
	g->top = mark;
	return r;
}

static int gen_in(struct gen *g, struct node *n, int dst)
{
	int r = target(g, dst, 1);
	int mark = g->top;
	if (n->c) {
		bool frac = n->a->frac || n->b->frac || n->c->frac;
		int v = gen_number(g, n->a, -1, frac), from = gen_number(g, n->b, -1, frac), to = gen_number(g, n->c, -1, frac);
		int t = regs(g, 1);
		emit(g, frac ? OP_FLE : OP_LE, t, from, v);
		emit(g, frac ? OP_FLE : OP_LE, r, v, to);
		emit(g, OP_MIN, r, r, t);
	} else if (type_is(n->b->type, VT_LIVE)) {
		int who = gen_expr(g, n->a, -1), side = gen_expr(g, n->b, -1), of = regs(g, 1);
		emit(g, OP_LDF, of, who, g->p->at.combatant_side);
		emit(g, OP_EQ, r, of, side);
	} else if (type_is(n->b->type, VT_SET)) {
		int who = gen_expr(g, n->a, -1), set = gen_expr(g, n->b, -1);
		emit(g, OP_SHAS, r, set, who);
	} else {
		struct node has = *n;
		has.kind = N_KIND_E_HAS;
		has.a = n->b;
		has.b = n->a;
		has.ref_kind = REF_LIST_FIELD;
		has.ref = -1;
		gen_has(g, &has, r);
	}
	g->top = mark;
	return r;
}

/* ---- walks ---- */

/* The question by which a walk's members are sifted all at once: the condition, or the first of several, is
 * that the one at hand is so; -1. */
static int sieve_of(struct gen *g, sym name, const struct node *where)
{
	if (g->observed || !where)
		return -1;
	const struct node *n = where->kind == N_KIND_E_AND ? where->a : where;
	if (n->kind != N_KIND_E_IS || n->num == 1 || n->ref_kind != REF_ADJECTIVE || n->a->kind != N_KIND_E_NAME || n->a->ref_kind != REF_LOCAL || n->a->name != name)
		return -1;
	const struct mquestion *q = &g->m->question.v[n->ref];
	return q->params != 1 || (q->field >= 0 && question_bare(g, n->ref)) ? -1 : n->ref;
}

/* Those of a set for whom an answer yes is kept at once, the others by asking; the set that comes of it. */
static int gen_sift(struct gen *g, int question, int set)
{
	int words = g->p->set_words, yes = regs(g, words), rest = regs(g, words), one = regs(g, 1);
	int mark = g->top, window = regs(g, 3);
	emit(g, OP_SKNOWN, yes, set, rest);
	emit_wide(g, OP_EXT, 0, question_fn(g, question));
	emit_const(g, one, -1);
	int again = here(g);
	emit(g, OP_SNEXT, one, rest, 0);
	int end = emit_jump(g, OP_JNONE, one);
	emit(g, OP_MOVE, window + 2, one, 0);
	gen_question(g, question, window);
	int no = emit_jump(g, OP_JZ, window);
	emit(g, OP_SADD, yes, one, 0);
	jump_here(g, no);
	jump_back(g, again);
	jump_here(g, end);
	g->top = mark;
	return yes;
}

void walk_open(struct gen *g, struct walking *w, struct node *holder, struct node *source, sym name, struct node *where)
{
	struct model *m = g->m;
	bool in_turn = false; /* `where` is the rest of what must hold */
	memset(w, 0, sizeof *w);
	w->sifted = -1;
	w->vars = g->vars;
	w->top = g->top;
	w->owner_reg = g->owner_reg;
	w->owner_kind = g->owner_kind;
	w->cursor = regs(g, 1);
	struct type *elem = NULL;
	int kind = -1;
	bool sifting = g->sifting;
	g->sifting = false; /* not in what the walk itself asks */
	switch (holder->ref_kind) {
	case WALK_ALL:
		kind = source ? holder->ref : holder->ref;
		elem = type_new(m, VT_LIVE, kind);
		emit_const(g, w->cursor, -1);
		w->again = here(g);
		emit_wide(g, OP_KNEXT, w->cursor, kind);
		jumps_add(g, &w->end, emit_jump(g, OP_JNONE, w->cursor));
		break;
	case WALK_PENDING: {
		elem = type_new(m, VT_LIVE, KIND_ACT);
		int limit = regs(g, 1);
		emit(g, OP_SERIAL, limit, 0, 0);
		emit_const(g, w->cursor, NONE);
		w->again = here(g);
		emit(g, OP_LISTED, w->cursor, w->cursor, limit);
		jumps_add(g, &w->end, emit_jump(g, OP_JNONE, w->cursor));
		break;
	}
	case WALK_SIDE:
	case WALK_SET: {
		int set;
		if (holder->ref_kind == WALK_SIDE) {
			int q = model_question_of(m, KIND_SIDE, m->w.members, false);
			int window = regs(g, 3 + g->p->set_words);
			gen_expr(g, source, window + 2);
			if (q >= 0)
				gen_question(g, q, window);
			else
				emit(g, OP_SNONE, window, 0, 0);
			set = window;
			elem = type_new(m, VT_LIVE, KIND_COMBATANT);
		} else {
			set = gen_expr(g, source, -1);
			elem = type_find(source->type)->elem;
			/* a variable's set may change under the walk: walk over a copy */
			if (source->kind == N_KIND_E_NAME && source->ref_kind == REF_LOCAL) {
				int copy = regs(g, g->p->set_words);
				emit(g, OP_SMOVE, copy, set, 0);
				set = copy;
			}
		}
		int sieve = sifting ? sieve_of(g, name, where) : -1;
		if (sieve >= 0) {
			set = gen_sift(g, sieve, set);
			where = where->kind == N_KIND_E_AND ? where->a->next : NULL;
			in_turn = true;
			w->sifted = where ? -1 : set;
		}
		emit_const(g, w->cursor, -1);
		w->again = here(g);
		emit(g, OP_SNEXT, w->cursor, set, 0);
		jumps_add(g, &w->end, emit_jump(g, OP_JNONE, w->cursor));
		break;
	}
	case WALK_ONE:
		gen_expr(g, source, w->cursor);
		elem = source->type;
		w->again = -1;
		jumps_add(g, &w->end, emit_jump(g, OP_JNONE, w->cursor));
		break;
	case WALK_BORNE: {
		int who = gen_expr(g, source->a, -1);
		elem = type_new(m, VT_LIVE, holder->ref);
		emit_const(g, w->cursor, -1);
		w->again = here(g);
		emit_wide(g, OP_KNEXT, w->cursor, holder->ref);
		jumps_add(g, &w->end, emit_jump(g, OP_JNONE, w->cursor));
		gen_skip_unborne(g, holder->ref, w->cursor, who, &w->next);
		break;
	}
	case WALK_LIST: {
		int pair = regs(g, 2); /* owner, index */
		int f = source->ref;
		elem = type_find(source->type)->elem;
		if (source->kind == N_KIND_E_FIELD)
			gen_expr(g, source->a, pair);
		else
			emit_const(g, pair, 0);
		if (source->ref_kind == REF_QUESTION)
			f = m->question.v[source->ref].field;
		emit_const(g, pair + 1, -1);
		int one = regs(g, 1);
		emit_const(g, one, 1);
		w->again = here(g);
		emit(g, OP_ADD, pair + 1, pair + 1, one);
		if (m->kind.v[m->field.v[f].kind].live)
			emit(g, OP_ITEM, w->cursor, pair, link_field(g, f));
		else
			emit(g, OP_ITEMT, w->cursor, pair, link_thing_field(g, f));
		jumps_add(g, &w->end, emit_jump(g, OP_JNONE, w->cursor));
		if (holder->ref >= 0) { /* of a list of all sorts only that kind */
			int is = regs(g, 3);
			elem = type_new(m, VT_THING, holder->ref);
			emit(g, OP_KINDOF, is, w->cursor, 0);
			emit_const(g, is + 1, holder->ref);
			emit(g, OP_SAME, is + 2, is, is + 1);
			jumps_add(g, &w->next, emit_jump(g, OP_JZ, is + 2));
		}
		break;
	}
	default:
		elem = type_var(m);
		w->again = -1;
		jumps_add(g, &w->end, emit_jump(g, OP_JMP, 0));
		break;
	}
	if (name)
		gen_bind(g, name, elem, false, w->cursor);
	struct type *e = type_find(elem);
	if (e->base == VT_LIVE && (e->kind == KIND_COMBATANT || e->kind == KIND_SIDE)) {
		g->owner_reg = w->cursor;
		g->owner_kind = e->kind;
	}
	/* the condition looks at each; its own rolls there are none */
	for (; where; where = in_turn ? where->next : NULL)
		gen_unless(g, where, &w->next);
}

/* A walk in an expression: whom it looks at is settled before it begins. */
static void sift_open(struct gen *g, struct walking *w, struct node *holder, struct node *source, sym name, struct node *where)
{
	g->sifting = true;
	walk_open(g, w, holder, source, name, where);
}

void walk_close(struct gen *g, struct walking *w)
{
	jumps_here(g, &w->next);
	if (w->again >= 0)
		jump_back(g, w->again);
	jumps_here(g, &w->end);
	g->vars = w->vars;
	g->top = w->top;
	g->owner_reg = w->owner_reg;
	g->owner_kind = w->owner_kind;
}

struct node *set_holder(struct gen *g, struct node *set, struct node **source, sym *name, struct node **where)
{
	if (set->kind == N_KIND_E_SET) {
		*source = set->a;
		*name = set->name;
		*where = set->c;
		return set;
	}
	struct node *h = node_new(g->m->arena, N_KIND_E_SET, set->span);
	struct type *t = type_find(set->type);
	h->ref_kind = t->base == VT_LIST ? WALK_LIST : t->base == VT_LIVE ? (t->kind == KIND_SIDE ? WALK_SIDE : WALK_ONE)
	            : set->ref_kind == REF_PENDING ? WALK_PENDING : set->ref_kind == REF_KIND_ALL ? WALK_ALL : WALK_SET;
	h->ref = t->base == VT_LIST ? -1 : set->ref;
	*source = set;
	*name = 0;
	*where = NULL;
	return h;
}

static int gen_agg(struct gen *g, struct node *n, int dst)
{
	struct node *source, *where;
	sym name;
	struct walking w;
	int r = target(g, dst, 1);
	int mark = g->top;
	struct node *holder = set_holder(g, n->a, &source, &name, &where);
	if (n->op == AGG_COUNT) {
		int one = regs(g, 1), sum = regs(g, 1);
		emit_const(g, sum, 0);
		emit_const(g, one, 1);
		sift_open(g, &w, holder, source, name, where);
		emit(g, OP_ADD, sum, sum, one);
		walk_close(g, &w);
		emit(g, OP_MOVE, r, sum, 0);
	} else {
		struct jumps found = {{0}, 0};
		int yes = regs(g, 1);
		emit_const(g, yes, n->op == AGG_ANY);
		walk_open(g, &w, holder, source, name, where);
		jumps_add(g, &found, emit_jump(g, OP_JMP, 0));
		walk_close(g, &w);
		emit_const(g, yes, n->op != AGG_ANY);
		jumps_here(g, &found);
		emit(g, OP_MOVE, r, yes, 0);
	}
	g->top = mark;
	return r;
}

static int gen_pick(struct gen *g, struct node *n, int dst)
{
	struct node *source, *where;
	sym name;
	struct walking w;
	int r = target(g, dst, 1);
	int mark = g->top;
	int best = regs(g, 3); /* who, by what, is it better */
	struct node *key = n->b && n->b->kind == N_KIND_KEY ? n->b->a : n->b;
	bool highest = n->b && n->b->kind == N_KIND_KEY ? n->b->op == KEY_HIGHEST : n->op == KEY_HIGHEST;
	struct node *holder = set_holder(g, n->a, &source, &name, &where);
	emit_const(g, best, NONE);
	emit_const(g, best + 1, NONE);
	sift_open(g, &w, holder, source, name, where);
	if (!key) {
		emit(g, OP_MOVE, best, w.cursor, 0);
		struct jumps out = {{0}, 0};
		jumps_add(g, &out, emit_jump(g, OP_JMP, 0));
		walk_close(g, &w);
		jumps_here(g, &out);
	} else {
		int v = gen_expr(g, key, -1);
		struct jumps take = {{0}, 0};
		jumps_add(g, &take, emit_jump(g, OP_JNONE, best));
		bool frac = key->frac;
		emit(g, frac ? OP_FLT : OP_LT, best + 2, highest ? best + 1 : v, highest ? v : best + 1);
		jumps_add(g, &w.next, emit_jump(g, OP_JZ, best + 2));
		jumps_here(g, &take);
		emit(g, OP_MOVE, best, w.cursor, 0);
		emit(g, OP_MOVE, best + 1, v, 0);
		walk_close(g, &w);
	}
	emit(g, OP_MOVE, r, best, 0);
	g->top = mark;
	return r;
}

static int gen_fold(struct gen *g, struct node *n, int dst)
{
	static const enum op whole[] = {OP_MAX, OP_MIN, OP_ADD}, fraction[] = {OP_FMAX, OP_FMIN, OP_FADD};
	enum op op = n->frac ? fraction[n->op] : whole[n->op];
	int r = target(g, dst, 1);
	int mark = g->top;
	int sum = regs(g, 1);
	bool bad = false;
	emit_const(g, sum, n->op == FOLD_TOTAL ? (n->frac ? frac_of(0, &bad) : 0) : NONE);
	if (!n->b) {
		for (struct node *x = n->a; x; x = x->next) {
			int at = g->top;
			int v = gen_number(g, x, -1, n->frac);
			emit(g, op, sum, sum, v);
			g->top = at;
		}
	} else {
		struct node *source, *where;
		sym name;
		struct walking w;
		struct node *holder = set_holder(g, n->b, &source, &name, &where);
		sift_open(g, &w, holder, source, name, where);
		int v = gen_number(g, n->a, -1, n->frac);
		emit(g, op, sum, sum, v);
		walk_close(g, &w);
	}
	emit(g, OP_MOVE, r, sum, 0);
	g->top = mark;
	return r;
}

/* Whom a walk would come to, as a set. */
void gen_members(struct gen *g, struct node *holder, struct node *source, sym name, struct node *where, int set)
{
	struct walking w;
	emit(g, OP_SNONE, set, 0, 0);
	sift_open(g, &w, holder, source, name, where);
	if (w.sifted >= 0) { /* and nothing else is asked of them */
		emit(g, OP_SMOVE, set, w.sifted, 0);
		jumps_add(g, &w.end, emit_jump(g, OP_JMP, 0));
	} else {
		emit(g, OP_SADD, set, w.cursor, 0);
	}
	walk_close(g, &w);
}

static int gen_set(struct gen *g, struct node *n, int dst)
{
	int r = target(g, dst, g->p->set_words);
	int mark = g->top;
	int set = regs(g, g->p->set_words);
	gen_members(g, n, n->a, n->name, n->c, set);
	emit(g, OP_SMOVE, r, set, 0);
	g->top = mark;
	return r;
}

/* ---- calls ---- */

static int gen_arg(struct gen *g, struct node *a, struct type *want, bool frac, int dst)
{
	struct type *given = type_find(a->type);
	if (type_is(want, VT_SET) && given->base == VT_LIVE) {
		/* one, or a side's members, where a list is wanted */
		int mark = g->top;
		if (given->kind == KIND_SIDE) {
			int q = model_question_of(g->m, KIND_SIDE, g->m->w.members, false);
			int window = regs(g, 3 + g->p->set_words);
			gen_expr(g, a, window + 2);
			if (q >= 0)
				gen_question(g, q, window);
			emit(g, OP_SMOVE, dst, window, 0);
		} else {
			int one = gen_expr(g, a, -1);
			emit(g, OP_SNONE, dst, 0, 0);
			emit(g, OP_SADD, dst, one, 0);
		}
		g->top = mark;
		return g->p->set_words;
	}
	if (a->kind == N_KIND_E_NONE && type_is(want, VT_SET)) {
		emit(g, OP_SNONE, dst, 0, 0);
		return g->p->set_words;
	}
	gen_number(g, a, dst, frac && type_number(want));
	return width_of(g, want);
}

int gen_event_args(struct gen *g, int event, struct node *args, int window)
{
	const struct mevent *e = &g->m->event.v[event];
	int at = window + 2;
	int i = 0;
	for (struct node *a = args; a && i < e->roles; a = a->next, i++) {
		const struct mrole *r = &e->role[i];
		at += gen_arg(g, a, r->type, r->frac, at);
	}
	return at - window - 2;
}

static int args_width(struct gen *g, const struct mquestion *q)
{
	int n = 0;
	for (int i = 0; i < q->params; i++)
		n += width_of(g, q->param[i]);
	return n;
}

/* A key or a column of a table; an act stands for what it does. */
static void gen_cell(struct gen *g, struct node *n, struct type *type, bool frac, int dst)
{
	if (type_is(type, VT_LIVE) && type_find(type)->kind == KIND_ACT) {
		int act = gen_expr(g, n, -1);
		emit(g, OP_EVENTOF, dst, act, 0);
	} else {
		gen_number(g, n, dst, frac);
	}
}

static int gen_call_expr(struct gen *g, struct node *n, int dst)
{
	struct model *m = g->m;
	int width = width_of(g, n->type);
	int r = target(g, dst, width);
	int mark = g->top;
	switch (n->ref_kind) {
	case REF_QUESTION: {
		const struct mquestion *q = &m->question.v[n->ref];
		if (q->pair >= 0 && question_bare(g, n->ref)) {
			int w = regs(g, 2);
			gen_expr(g, n->b, w);
			gen_expr(g, n->b->next, w + 1);
			emit(g, OP_LDP, r, w, link_pair(g, q->pair));
			break;
		}
		int words = args_width(g, q);
		int window = regs(g, 2 + (words > width ? words : width));
		int at = window + 2, i = 0;
		if (n->a->kind == N_KIND_E_FIELD) {
			gen_expr(g, n->a->a, at);
			at++;
			i = 1;
		}
		for (struct node *a = n->b; a; a = a->next, i++)
			at += gen_arg(g, a, q->param[i], q->param_frac[i], at);
		gen_question(g, n->ref, window);
		move(g, n->type, r, window);
		break;
	}
	case REF_PAIR: {
		int w = regs(g, 2);
		gen_expr(g, n->b, w);
		gen_expr(g, n->b->next, w + 1);
		emit(g, OP_LDP, r, w, link_pair(g, n->ref));
		break;
	}
	case REF_TABLE: {
		const struct mtable *t = &m->table.v[n->ref];
		int w = regs(g, 3);
		gen_cell(g, n->b, t->param[0], t->key_frac, w);
		if (n->b->next)
			gen_cell(g, n->b->next, t->param[1], false, w + 1);
		else
			emit_const(g, w + 1, NONE);
		if (n->a->kind == N_KIND_E_FIELD) {
			gen_expr(g, n->a, w + 2);
			emit(g, OP_TABLEOF, r, w, 0);
		} else {
			emit(g, OP_TABLE, r, w, n->ref);
		}
		break;
	}
	case REF_REMAINDER: {
		int a = gen_expr(g, n->b, -1), b = gen_expr(g, n->b->next, -1);
		emit(g, OP_REM, r, a, b);
		break;
	}
	case REF_MOST:
	case REF_LEAST: {
		int d = gen_expr(g, n->b, -1);
		emit(g, OP_DICEMOST, r, d, n->ref_kind == REF_MOST);
		break;
	}
	default:
		emit_const(g, r, NONE);
		break;
	}
	g->top = mark;
	return r;
}

static int gen_roll(struct gen *g, struct node *n, int dst)
{
	int r = target(g, dst, 1);
	int mark = g->top;
	int d = gen_expr(g, n->a, -1);
	int owner = g->owner_reg, kind = g->owner_kind;
	if (owner < 0) {
		owner = regs(g, 1);
		emit_const(g, owner, NONE);
		kind = -1;
	}
	emit(g, type_is(n->a->type, VT_CHANCE) ? OP_CHANCE : OP_ROLL, r, d, owner);
	emit_wide(g, OP_EXT, 0, label_index(g, n->name, kind));
	g->top = mark;
	return r;
}

/* The dice by which one of so many is picked, d1 .. d1000 in a row: the first of them. */
static int random_dice(struct gen *g)
{
	if (g->random_dice >= 0)
		return g->random_dice;
	g->random_dice = g->dice.n;
	for (int i = 1; i <= RANDOM_MOST; i++) {
		char text[16];
		struct dice_info info = {0};
		int length = snprintf(text, sizeof text, "d%d", i);
		info.text = gen_copy(g, text, (size_t)length);
		info.count = 1;
		info.sides = (int16_t)i;
		VEC_PUSH(g->dice, info);
	}
	return g->random_dice;
}

/* One of a set, all alike: they are counted, a die of so many sides falls when there is more
 * than one, and the one in that place is taken. Unset of an empty set. */
static int gen_random(struct gen *g, struct node *n, int dst)
{
	struct node *source, *where;
	sym name;
	struct walking w;
	struct jumps out = {{0}, 0};
	int r = target(g, dst, 1);
	int mark = g->top;
	int k = regs(g, 4), one = k + 1, die = k + 2, owner = k + 3, kind = g->owner_kind;
	if (g->owner_reg >= 0) {
		emit(g, OP_MOVE, owner, g->owner_reg, 0);
	} else {
		emit_const(g, owner, NONE);
		kind = -1;
	}
	struct node *holder = set_holder(g, n->a, &source, &name, &where);
	bool as_set = !g->observed && type_is(n->type, VT_LIVE); /* whom to take is looked at once */
	int set = as_set ? regs(g, g->p->set_words) : -1;
	emit_const(g, k, 0);
	emit_const(g, one, 1);
	emit_const(g, r, NONE);
	if (as_set)
		gen_members(g, holder, source, name, where, set);
	else
		walk_open(g, &w, holder, source, name, where);
	if (as_set) {
		emit(g, OP_SCOUNT, k, set, 0);
	} else {
		emit(g, OP_ADD, k, k, one);
		walk_close(g, &w);
	}
	emit_const(g, die, RANDOM_MOST);
	emit(g, OP_MIN, k, k, die);
	emit(g, OP_LE, die, k, one);
	int few = emit_jump(g, OP_JNZ, die);
	emit_const(g, die, random_dice(g) - 1);
	emit(g, OP_ADD, die, die, k);
	emit(g, OP_ROLL, k, die, owner);
	emit_wide(g, OP_EXT, 0, label_index(g, n->name, kind));
	jump_here(g, few);
	if (as_set) {
		emit(g, OP_SNTH, r, set, k);
		g->top = mark;
		return r;
	}
	walk_open(g, &w, holder, source, name, where);
	emit(g, OP_SUB, k, k, one);
	jumps_add(g, &w.next, emit_jump(g, OP_JNZ, k));
	emit(g, OP_MOVE, r, w.cursor, 0);
	jumps_add(g, &out, emit_jump(g, OP_JMP, 0));
	walk_close(g, &w);
	jumps_here(g, &out);
	g->top = mark;
	return r;
}

/* ---- conditions as jumps ---- */

void gen_unless(struct gen *g, struct node *n, struct jumps *out)
{
	if (n->kind == N_KIND_E_AND) {
		for (struct node *x = n->a; x; x = x->next)
			gen_unless(g, x, out);
		return;
	}
	int mark = g->top;
	if (n->kind == N_KIND_E_NOT && n->a->kind != N_KIND_E_AND && n->a->kind != N_KIND_E_OR) {
		int r = gen_expr(g, n->a, -1);
		jumps_add(g, out, emit_jump(g, OP_JNZ, r));
	} else {
		int r = gen_expr(g, n, -1);
		jumps_add(g, out, emit_jump(g, OP_JZ, r));
	}
	g->top = mark;
}

void gen_when(struct gen *g, struct node *when, bool unless, struct jumps *out)
{
	if (!when)
		return;
	if (!unless) {
		gen_unless(g, when, out);
		return;
	}
	int mark = g->top;
	int r = gen_expr(g, when, -1);
	jumps_add(g, out, emit_jump(g, OP_JNZ, r));
	g->top = mark;
}

static int gen_logic(struct gen *g, struct node *n, int dst)
{
	int r = regs(g, 1);
	int mark = g->top;
	struct jumps out = {{0}, 0};
	for (struct node *x = n->a; x; x = x->next) {
		gen_expr(g, x, r);
		if (x->next)
			jumps_add(g, &out, emit_jump(g, n->kind == N_KIND_E_AND ? OP_JZ : OP_JNZ, r));
		g->top = mark;
	}
	jumps_here(g, &out);
	if (dst >= 0 && dst != r)
		emit(g, OP_MOVE, dst, r, 0);
	return dst >= 0 ? dst : r;
}

static bool is_defined(const struct model *m, int question)
{
	const struct mquestion *q = &m->question.v[question];
	for (int i = 0; i < q->clause.n; i++)
		if (m->clause.v[q->clause.v[i]].sort == CLAUSE_DEFINE && m->clause.v[q->clause.v[i]].in_force)
			return true;
	return false;
}

int gen_expr(struct gen *g, struct node *n, int dst)
{
	struct model *m = g->m;
	struct span span = g->span;
	bool bad = false;
	int r, mark;
	if (n->span.file)
		g->span = n->span;
	switch (n->kind) {
	case N_KIND_E_NUM:
		r = put(g, dst, n->den == 1 ? n->num : frac_make(n->num, n->den, &bad));
		break;
	case N_KIND_E_QTY: {
		const struct munit *u = &m->unit.v[n->ref];
		r = put(g, dst, n->frac ? frac_make(n->num * u->num, n->den * u->den, &bad) : n->num * u->num / (n->den * u->den));
		break;
	}
	case N_KIND_E_PERCENT:
		r = put(g, dst, frac_make(n->num, n->den * 100, &bad));
		break;
	case N_KIND_E_CHANCE:
		r = put(g, dst, frac_make(n->num, n->den, &bad));
		break;
	case N_KIND_E_DICE:
		r = put(g, dst, dice_index(g, n->text));
		break;
	case N_KIND_E_TEXT:
		if (n->ref_kind == REF_THING) {
			r = put(g, dst, thing_index(g, n->ref));
		} else if (n->ref_kind == REF_WORD) {
			sym said = intern_word(m->front->names, n->text);
			r = put(g, dst, text_index(g, intern_folded(m->front->names, said)));
		} else {
			r = put(g, dst, text_index(g, n->text));
		}
		break;
	case N_KIND_E_MOMENT: {
		const struct munit *u = n->ref >= 0 ? &m->unit.v[n->ref] : NULL;
		r = target(g, dst, 1);
		if (u && u->base == VT_TIME) {
			mark = g->top;
			int zero = single(g), k = regs(g, 1);
			int f = model_field(m, KIND_ROUND, m->w.start);
			emit(g, OP_LDF, zero, zero, link_field(g, f));
			emit_const(g, k, n->num * u->num / u->den);
			emit(g, OP_ADD, r, zero, k);
			g->top = mark;
		} else {
			emit_const(g, r, n->num);
		}
		break;
	}
	case N_KIND_E_YES:
		r = put(g, dst, 1);
		break;
	case N_KIND_E_NO:
		r = put(g, dst, 0);
		break;
	case N_KIND_E_NONE:
		r = target(g, dst, width_of(g, n->type));
		if (type_is(n->type, VT_SET))
			emit(g, OP_SNONE, r, 0, 0);
		else
			emit_const(g, r, NONE);
		break;
	case N_KIND_E_NAME:
		r = gen_name(g, n, dst);
		break;
	case N_KIND_E_FIELD:
		r = target(g, dst, width_of(g, n->type));
		mark = g->top;
		if (n->ref_kind == REF_KEPT) {
			emit(g, OP_KEPT, r, n->ref, 0);
		} else if (n->ref_kind == REF_QUESTION) {
			const struct mquestion *q = &m->question.v[n->ref];
			if (q->field >= 0 && question_bare(g, n->ref)) {
				load_field(g, q->field, gen_expr(g, n->a, -1), r);
			} else {
				int width = width_of(g, n->type);
				int window = regs(g, 3 + width);
				gen_expr(g, n->a, window + 2);
				gen_question(g, n->ref, window);
				move(g, n->type, r, window);
			}
		} else if (n->ref_kind == REF_ITEM || n->ref_kind == REF_ITEM_NAMED) {
			gen_item(g, n, r);
		} else if (n->ref_kind == REF_FIELD || n->ref_kind == REF_THING_FIELD) {
			gen_field(g, n->ref, gen_expr(g, n->a, -1), r);
		} else {
			emit_const(g, r, NONE);
		}
		g->top = mark;
		break;
	case N_KIND_E_CALL:
		r = gen_call_expr(g, n, dst);
		break;
	case N_KIND_E_ROLL:
		r = gen_roll(g, n, dst);
		break;
	case N_KIND_E_SET:
		r = gen_set(g, n, dst);
		break;
	case N_KIND_E_AGG:
		r = gen_agg(g, n, dst);
		break;
	case N_KIND_E_RANDOM:
		r = gen_random(g, n, dst);
		break;
	case N_KIND_E_PICK:
		r = gen_pick(g, n, dst);
		break;
	case N_KIND_E_FOLD:
		r = gen_fold(g, n, dst);
		break;
	case N_KIND_E_BINARY:
		r = gen_binary(g, n, dst);
		break;
	case N_KIND_E_AND:
	case N_KIND_E_OR:
		r = gen_logic(g, n, dst);
		break;
	case N_KIND_E_NOT:
		r = target(g, dst, 1);
		mark = g->top;
		emit(g, OP_NOT, r, gen_expr(g, n->a, -1), 0);
		g->top = mark;
		break;
	case N_KIND_E_NEG: {
		r = target(g, dst, 1);
		mark = g->top;
		int v = gen_expr(g, n->a, -1);
		if (n->frac) {
			int zero = regs(g, 1);
			emit_const(g, zero, frac_of(0, &bad));
			emit(g, OP_FSUB, r, zero, v);
		} else {
			emit(g, OP_NEG, r, v, 0);
		}
		g->top = mark;
		break;
	}
	case N_KIND_E_IS:
		r = gen_is(g, n, dst);
		break;
	case N_KIND_E_HAS:
		r = gen_has(g, n, dst);
		break;
	case N_KIND_E_IN:
		r = gen_in(g, n, dst);
		break;
	case N_KIND_E_IF: {
		int width = width_of(g, n->type);
		struct jumps no = {{0}, 0};
		r = regs(g, width); /* dst may be read by the branches */
		gen_unless(g, n->a, &no);
		gen_number(g, n->b, r, n->frac && type_number(n->type));
		int over = emit_jump(g, OP_JMP, 0);
		jumps_here(g, &no);
		gen_number(g, n->c, r, n->frac && type_number(n->type));
		jump_here(g, over);
		if (dst >= 0) {
			move(g, n->type, dst, r);
			r = dst;
		}
		break;
	}
	case N_KIND_E_AS:
		r = gen_as(g, n, dst);
		break;
	case N_KIND_E_ROUND:
		if (!n->a->frac) {
			r = gen_expr(g, n->a, dst);
			break;
		}
		r = target(g, dst, 1);
		mark = g->top;
		emit(g, OP_ROUND, r, gen_expr(g, n->a, -1), n->op);
		g->top = mark;
		break;
	case N_KIND_E_THIS:
		r = target(g, dst, width_of(g, n->type));
		emit(g, OP_KEPT, r, n->ref, 0);
		break;
	case N_KIND_E_BASE: {
		struct node *x = n->a;
		r = target(g, dst, width_of(g, n->type));
		mark = g->top;
		int width = width_of(g, n->type);
		if (x->kind == N_KIND_E_FIELD && x->ref_kind == REF_FIELD) {
			load_field(g, x->ref, gen_expr(g, x->a, -1), r);
		} else if (x->ref_kind == REF_QUESTION && m->question.v[x->ref].field >= 0 && x->kind == N_KIND_E_FIELD && is_defined(m, x->ref)) {
			/* what the field holds, whatever is defined about it; what is only adjusted tells of its base itself */
			load_field(g, m->question.v[x->ref].field, gen_expr(g, x->a, -1), r);
		} else if (x->ref_kind == REF_QUESTION) {
			int window = regs(g, 3 + width + EVENT_ROLES);
			int at = window + 2;
			if (x->kind == N_KIND_E_FIELD)
				gen_expr(g, x->a, at++);
			else
				for (struct node *a = x->b; a; a = a->next)
					at += width_of(g, a->type), gen_expr(g, a, at - width_of(g, a->type));
			gen_call(g, base_fn(g, x->ref), window);
			move(g, n->type, r, window);
		}
		g->top = mark;
		break;
	}
	case N_KIND_E_STATED: {
		int field = stated_field(g, field_stated(m, n->a));
		r = target(g, dst, 1);
		mark = g->top;
		emit(g, OP_LDF, r, gen_expr(g, n->a->a, -1), field);
		g->top = mark;
		break;
	}
	case N_KIND_E_OPTION: {
		const struct moption *o = &m->option.v[n->ref];
		struct node *v = o->node->a;
		for (int i = 0; i < o->value && v && v->next; i++)
			v = v->next;
		if (v && (v->kind == N_KIND_E_NUM || v->kind == N_KIND_E_NEG)) {
			r = put(g, dst, v->kind == N_KIND_E_NUM ? v->num : -v->a->num);
			break;
		}
		sym said = !v ? 0 : v->kind == N_KIND_E_NAME ? v->name : v->kind == N_KIND_E_TEXT ? intern_word(m->front->names, v->text) : 0;
		r = put(g, dst, said ? text_index(g, intern_folded(m->front->names, said)) : NONE);
		break;
	}
	case N_KIND_E_CHOOSE:
		r = gen_choose(g, n, dst);
		break;
	default:
		r = put(g, dst, NONE);
		break;
	}
	g->span = span;
	return r;
}
