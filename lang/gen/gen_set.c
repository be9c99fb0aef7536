/* gen_set.c - what statements write: set, change, add and remove of a field, a pair, a role or a
 * list. */
#include "lang/check/infer.h"
#include "lang/gen/gen.h"

/* What a path written to stands for: the object in a register, and its field; or a pair. */
struct placed {
	enum { PLACE_FIELD, PLACE_PAIR, PLACE_KEPT, PLACE_LOCAL, PLACE_NONE } sort;
	int object;
	int field;
	struct type *type;
	bool frac;
	bool moment;
};

static struct placed gen_place(struct gen *g, struct node *path)
{
	struct model *m = g->m;
	struct placed p = {PLACE_NONE, -1, -1, path->type, false, false};
	int field = -1, pair = -1;
	switch (path->ref_kind) {
	case REF_FIELD:
	case REF_FIELD_OF_ENCOUNTER:
		field = path->ref;
		break;
	case REF_QUESTION:
		field = m->question.v[path->ref].field;
		pair = m->question.v[path->ref].pair;
		break;
	case REF_PAIR:
		pair = path->ref;
		break;
	case REF_LOCAL: {
		struct var *v = path->kind == N_KIND_E_NAME ? gen_var(g, path->name) : NULL;
		if (v) {
			p.sort = PLACE_LOCAL;
			p.object = v->reg;
			p.frac = v->frac;
		}
		return p;
	}
	case REF_KEPT:
		p.sort = PLACE_KEPT;
		p.field = path->ref;
		p.frac = m->kept.v[path->ref].frac;
		return p;
	default:
		return p;
	}
	if (field >= 0) {
		p.sort = PLACE_FIELD;
		p.object = regs(g, 1);
		if (path->kind == N_KIND_E_FIELD)
			gen_expr(g, path->a, p.object);
		else
			emit_const(g, p.object, 0);
		p.field = field;
		p.type = m->field.v[field].type;
		p.frac = m->field.v[field].frac;
		p.moment = m->field.v[field].kind == KIND_ENCOUNTER;
	} else if (pair >= 0) {
		p.sort = PLACE_PAIR;
		p.object = regs(g, 2);
		gen_expr(g, path->b, p.object);
		gen_expr(g, path->b->next, p.object + 1);
		p.field = pair;
		p.type = m->pair.v[pair].type;
		p.frac = m->pair.v[pair].frac;
	}
	return p;
}

/* A die set to a place belongs to the thing whose place it is. */
static void own_place(
	struct gen *g, const struct node *path, const struct placed *p, int *reg, int *kind)
{
	*reg = g->owner_reg;
	*kind = g->owner_kind;
	if (p->sort == PLACE_FIELD && path->kind == N_KIND_E_FIELD) {
		int k = g->m->field.v[p->field].kind;
		if (k == KIND_COMBATANT || k == KIND_SIDE) {
			g->owner_reg = p->object;
			g->owner_kind = k;
		}
	}
}

/* How a line makes a role of what it was: by a factor, by an addend, or not of it at all. */
static enum recast recast_how(const struct node *n)
{
	const struct node *value = n->b, *left = value->a, *right = value->b;
	if (n->kind == N_KIND_S_CHANGE)
		return RECAST_ADDED;
	if (value->kind != N_KIND_E_BINARY || !left || !right)
		return RECAST_SET;
	const bool first = left->kind == N_KIND_E_NAME && left->name == n->a->name,
			   second = right->kind == N_KIND_E_NAME && right->name == n->a->name;
	if (value->op == BIN_MUL)
		return first != second ? RECAST_TIMES : RECAST_SET;
	if (value->op == BIN_ADD)
		return first != second ? RECAST_ADDED : RECAST_SET;
	return value->op == BIN_SUB && first && !second ? RECAST_ADDED : RECAST_SET;
}

/* A role of the event in progress was written: the log is told, where there is one. */
static void gen_recast(struct gen *g, const struct node *n, int reg)
{
	if (!g->observed || g->in_event < 0 || (g->body != BODY_BEFORE && g->body != BODY_INSTEAD))
		return;
	const struct mevent *e = &g->m->event.v[g->in_event];
	for (int i = 0, at = 0; i < e->roles; i++) {
		const int width = width_of(g, e->role[i].type);
		if (at == reg)
			emit_wide(g, OP_RECAST, reg, i | (int)recast_how(n) << 8 | width << 16);
		at += width;
	}
}

static void gen_set_of_several(struct gen *g, struct node *n, const struct placed *p)
{
	int v = regs(g, g->p->set_words), part = n->c ? regs(g, g->p->set_words) : -1;
	if (n->c)
		emit(g, OP_SNONE, v, 0, 0);
	else if (n->b->kind == N_KIND_E_NONE)
		emit(g, OP_SNONE, v, 0, 0);
	else
		gen_target(g, n->b, p->type, false, v);
	for (struct node *x = n->c; x; x = x->next) {
		if (x->kind != N_KIND_V_PLAIN || x->a->kind == N_KIND_E_NONE)
			continue;
		gen_target(g, x->a, p->type, false, part);
		emit(g, OP_SOR, v, v, part);
	}
	emit(g, OP_STSF, p->object, v, link_field(g, p->field));
}

struct list_to { int object, field; };

static void add_to_list(struct gen *g, word thing, void *context)
{
	const struct list_to *to = context;
	int r = regs(g, 1);
	emit_const(g, r, thing);
	emit(g, OP_ADDS, to->object, r, to->field);
	g->top = r;
}

/* What is in the list goes, and what is said comes. */
static void gen_set_list(struct gen *g, struct node *n, const struct placed *p)
{
	struct list_to to = {p->object, link_field(g, p->field)};
	int first = regs(g, 2), length = regs(g, 2);
	emit(g, OP_MOVE, first, p->object, 0);
	emit_const(g, first + 1, 0);
	int again = here(g);
	emit(g, OP_LEN, length, p->object, to.field);
	int empty = emit_jump(g, OP_JZ, length);
	emit(g, OP_ITEM, length + 1, first, to.field);
	emit(g, OP_REMS, p->object, length + 1, to.field);
	jump_back(g, again);
	jump_here(g, empty);
	if (n->c)
		list_items(g, n->c, p->type, add_to_list, &to);
	else if (n->b->kind != N_KIND_E_NONE)
		emit(g, OP_ADDS, p->object, gen_expr(g, n->b, -1), to.field);
}

void gen_set_stmt(struct gen *g, struct node *n)
{
	int mark = g->top, summed = g->summed.n;
	struct placed p = gen_place(g, n->a);
	int owner, kind;
	own_place(g, n->a, &p, &owner, &kind);
	gen_sum(g, n->b, model_text(g->m, n->a->name));
	if (p.sort == PLACE_LOCAL) {
		int v = gen_number(g, n->b, -1, p.frac && type_number(n->b->type));
		emit(g, type_is(p.type, VT_SET) ? OP_SMOVE : OP_MOVE, p.object, v, 0);
		gen_recast(g, n, p.object);
	} else if (p.sort == PLACE_KEPT) {
		int v = gen_number(g, n->b, -1, p.frac && type_number(n->b->type));
		emit(g, OP_SETKEPT, v, p.field, 0);
	} else if (p.sort == PLACE_FIELD && type_is(p.type, VT_SET)) {
		gen_set_of_several(g, n, &p);
	} else if (p.sort == PLACE_FIELD && type_is(p.type, VT_LIST)) {
		gen_set_list(g, n, &p);
	} else if (p.sort != PLACE_NONE) {
		int v = gen_number(g, n->b, -1, p.frac);
		emit(g, p.sort == PLACE_PAIR ? OP_STP : OP_STF, p.object, v,
			p.sort == PLACE_PAIR ? link_pair(g, p.field) : link_field(g, p.field));
		if (p.moment && moment_fn(g) >= 0) {
			int window = regs(g, 2);
			gen_call(g, moment_fn(g), window);
		}
	}
	g->summed.n = summed;
	g->owner_reg = owner;
	g->owner_kind = kind;
	g->top = mark;
}

void gen_change_stmt(struct gen *g, struct node *n)
{
	int mark = g->top, summed = g->summed.n;
	struct placed p = gen_place(g, n->a);
	int owner, kind;
	own_place(g, n->a, &p, &owner, &kind);
	gen_sum(g, n->b, model_text(g->m, n->a->name));
	if (p.sort == PLACE_LOCAL) {
		int v = gen_number(g, n->b, -1, p.frac);
		emit(g, p.frac ? OP_FADD : OP_ADD, p.object, p.object, v);
		if (n->d)
			emit(g, p.frac ? OP_FMAX : OP_MAX, p.object, p.object, gen_number(g, n->d, -1, p.frac));
		if (n->c)
			emit(g, p.frac ? OP_FMIN : OP_MIN, p.object, p.object, gen_number(g, n->c, -1, p.frac));
		gen_recast(g, n, p.object);
	} else if (p.sort == PLACE_FIELD || p.sort == PLACE_PAIR) {
		int v = regs(g, 3);
		bool bounded = n->c || n->d;
		gen_number(g, n->b, v, p.frac);
		if (bounded) {
			if (n->d)
				gen_number(g, n->d, v + 1, p.frac);
			else
				emit_const(g, v + 1, NONE);
			if (n->c)
				gen_number(g, n->c, v + 2, p.frac);
			else
				emit_const(g, v + 2, NONE);
		}
		if (p.sort == PLACE_PAIR)
			emit(g, bounded ? OP_ADPB : OP_ADP, p.object, v, link_pair(g, p.field));
		else
			emit(g, bounded ? OP_ADFB : OP_ADF, p.object, v, link_field(g, p.field));
	}
	g->summed.n = summed;
	g->owner_reg = owner;
	g->owner_kind = kind;
	g->top = mark;
}

void gen_list_stmt(struct gen *g, struct node *n)
{
	int mark = g->top;
	struct placed p = gen_place(g, n->b);
	if (p.sort == PLACE_FIELD) {
		int v = gen_expr(g, n->a, -1);
		emit(g, n->kind == N_KIND_S_ADD ? OP_ADDS : OP_REMS, p.object, v, link_field(g, p.field));
	}
	g->top = mark;
}
