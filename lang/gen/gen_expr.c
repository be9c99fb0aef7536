/* gen_expr.c - expressions to instructions. Every function leaves its value in a register
 * (or a run of set_words registers for sets) and returns the first. */

#include "lang/gen/gen.h"

int gen_into(struct gen *g, int dst, int width)
{
	return dst >= 0 ? dst : regs(g, width);
}

int gen_put(struct gen *g, int dst, word value)
{
	int r = gen_into(g, dst, 1);
	emit_const(g, r, value);
	return r;
}

void gen_move(struct gen *g, struct type *t, int dst, int src)
{
	if (dst == src)
		return;
	emit(g, type_is(t, VT_SET) ? OP_SMOVE : OP_MOVE, dst, src, 0);
}

int gen_number(struct gen *g, struct node *n, int dst, bool frac)
{
	if (!frac || n->frac)
		return gen_expr(g, n, dst);
	int r = gen_into(g, dst, 1);
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
	int r = gen_into(g, dst, 1);
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
	int r = gen_into(g, dst, 1);
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
			scale = gen_field(g, f, gen_single(g), -1);
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

static int gen_roll(struct gen *g, struct node *n, int dst)
{
	int r = gen_into(g, dst, 1);
	int mark = g->top;
	int d = gen_expr(g, n->a, -1);
	int owner = g->owner_reg, kind = g->owner_kind;
	if (n->b) {
		owner = gen_expr(g, n->b, -1);
		kind = KIND_COMBATANT;
	} else if (owner < 0) {
		owner = regs(g, 1);
		emit_const(g, owner, NONE);
		kind = -1;
	}
	emit(g, type_is(n->a->type, VT_CHANCE) ? OP_CHANCE : OP_ROLL, r, d, owner);
	emit_wide(g, OP_EXT, 0, label_index(g, n->name, kind));
	g->top = mark;
	return r;
}

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

/* What an option says: its value's number or word. */
static word option_word(struct gen *g, const struct moption *o, int value)
{
	const struct node *v = o->node->a;
	for (int i = 0; i < value && v && v->next; i++)
		v = v->next;
	if (v && (v->kind == N_KIND_E_NUM || v->kind == N_KIND_E_NEG))
		return v->kind == N_KIND_E_NUM ? v->num : -v->a->num;
	if (option_yes_no(o)) /* declared by one of its values, the other is the second */
		return (v->kind == N_KIND_E_YES) != (value == 1 && !o->node->a->next);
	sym said = !v ? 0 : v->kind == N_KIND_E_NAME ? v->name : v->kind == N_KIND_E_TEXT ? intern_word(g->m->front->names, v->text) : 0;
	return said ? text_index(g, intern_folded(g->m->front->names, said)) : NONE;
}

/* Its value now: in mid-fight it may change. */
static int gen_option(struct gen *g, int option, int dst)
{
	const struct moption *o = &g->m->option.v[option];
	int r = gen_into(g, dst, 1), mark = g->top;
	emit_const(g, r, option_word(g, o, o->value));
	int beat = o->later ? regs(g, 2) : 0;
	if (o->later) {
		emit_const(g, beat, 0);
		emit(g, OP_LDF, beat, beat, g->p->at.beat);
	}
	for (int k = 1; o->later && k <= g->m->stretch.n; k++) {
		if (o->later[k] == (k == 1 ? o->value : o->later[k - 1]))
			continue;
		emit_const(g, beat + 1, g->m->stretch.v[k - 1]);
		emit(g, OP_LE, beat + 1, beat + 1, beat);
		int skip = emit_jump(g, OP_JZ, beat + 1);
		emit_const(g, r, option_word(g, o, o->later[k]));
		jump_here(g, skip);
	}
	g->top = mark;
	return r;
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
		r = gen_put(g, dst, n->den == 1 ? n->num : frac_make(n->num, n->den, &bad));
		break;
	case N_KIND_E_QTY: {
		const struct munit *u = &m->unit.v[n->ref];
		r = gen_put(g, dst, n->frac ? frac_make(n->num * u->num, n->den * u->den, &bad) : n->num * u->num / (n->den * u->den));
		break;
	}
	case N_KIND_E_PERCENT:
		r = gen_put(g, dst, frac_make(n->num, n->den * 100, &bad));
		break;
	case N_KIND_E_CHANCE:
		r = gen_put(g, dst, frac_make(n->num, n->den, &bad));
		break;
	case N_KIND_E_DICE:
		r = gen_put(g, dst, dice_index(g, n->text));
		break;
	case N_KIND_E_TEXT:
		if (n->ref_kind == REF_THING) {
			r = gen_put(g, dst, thing_index(g, n->ref));
		} else if (n->ref_kind == REF_WORD) {
			sym said = intern_word(m->front->names, n->text);
			r = gen_put(g, dst, text_index(g, intern_folded(m->front->names, said)));
		} else {
			r = gen_put(g, dst, text_index(g, n->text));
		}
		break;
	case N_KIND_E_MOMENT: {
		const struct munit *u = n->ref >= 0 ? &m->unit.v[n->ref] : NULL;
		r = gen_into(g, dst, 1);
		if (u && u->base == VT_TIME) {
			mark = g->top;
			int zero = gen_single(g), k = regs(g, 1);
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
		r = gen_put(g, dst, 1);
		break;
	case N_KIND_E_NO:
		r = gen_put(g, dst, 0);
		break;
	case N_KIND_E_NONE:
		r = gen_into(g, dst, width_of(g, n->type));
		if (type_is(n->type, VT_SET))
			emit(g, OP_SNONE, r, 0, 0);
		else
			emit_const(g, r, NONE);
		break;
	case N_KIND_E_NAME:
		r = gen_name(g, n, dst);
		break;
	case N_KIND_E_FIELD:
		r = gen_into(g, dst, width_of(g, n->type));
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
				gen_move(g, n->type, r, window);
			}
		} else if (n->ref_kind == REF_MIXED_FIELD) {
			gen_mixed_field(g, n, r);
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
		r = gen_into(g, dst, 1);
		mark = g->top;
		emit(g, OP_NOT, r, gen_expr(g, n->a, -1), 0);
		g->top = mark;
		break;
	case N_KIND_E_NEG: {
		r = gen_into(g, dst, 1);
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
			gen_move(g, n->type, dst, r);
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
		r = gen_into(g, dst, 1);
		mark = g->top;
		emit(g, OP_ROUND, r, gen_expr(g, n->a, -1), n->op);
		g->top = mark;
		break;
	case N_KIND_E_THIS:
		r = gen_into(g, dst, width_of(g, n->type));
		emit(g, OP_KEPT, r, n->ref, 0);
		break;
	case N_KIND_E_BASE: {
		struct node *x = n->a;
		r = gen_into(g, dst, width_of(g, n->type));
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
			gen_move(g, n->type, r, window);
		}
		g->top = mark;
		break;
	}
	case N_KIND_E_STATED: {
		int field = stated_field(g, field_stated(m, n->a));
		r = gen_into(g, dst, 1);
		mark = g->top;
		emit(g, OP_LDF, r, gen_expr(g, n->a->a, -1), field);
		g->top = mark;
		break;
	}
	case N_KIND_E_OPTION:
		r = gen_option(g, n->ref, dst);
		break;
	case N_KIND_E_CHOOSE:
		r = gen_choose(g, n, dst);
		break;
	default:
		r = gen_put(g, dst, NONE);
		break;
	}
	if (g->summed.n)
		gen_came_by(g, n, r);
	g->span = span;
	return r;
}
