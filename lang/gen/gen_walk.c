/* gen_walk.c - walks over sets to instructions: who is in one, counts and sums, the best, the random one. */
#include <stdio.h>
#include <string.h>

#include "lang/check/infer.h"
#include "lang/gen/gen.h"

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

int gen_side(struct gen *g, struct node *side)
{
	int q = model_question_of(g->m, KIND_SIDE, g->m->w.members, false);
	int window = regs(g, 3 + g->p->set_words);
	gen_expr(g, side, window + 2);
	if (q >= 0)
		gen_question(g, q, window);
	else
		emit(g, OP_SNONE, window, 0, 0);
	return window;
}

/* The set that is walked over. */
static int gen_walked(struct gen *g, struct node *holder, struct node *source)
{
	return holder->ref_kind == WALK_SIDE ? gen_side(g, source) : gen_expr(g, source, -1);
}

/* The members of a side or set, one after another; those that a sieve lets through (gen_sift). */
static struct type *walk_set(struct gen *g, struct walking *w, struct node *holder,
	struct node *source, sym name, struct node *where, bool *sifted)
{
	int set = gen_walked(g, holder, source);
	struct type *elem = holder->ref_kind == WALK_SIDE ? type_new(g->m, VT_LIVE, KIND_COMBATANT)
													  : type_find(source->type)->elem;
	/* a variable's set may change under the walk: walk over a copy */
	if (holder->ref_kind == WALK_SET && source->kind == N_KIND_E_NAME &&
		source->ref_kind == REF_LOCAL) {
		int copy = regs(g, g->p->set_words);
		emit(g, OP_SMOVE, copy, set, 0);
		set = copy;
	}
	int sieve = where ? sieve_of(g, name, where) : -1;
	*sifted = sieve >= 0;
	if (*sifted)
		set = gen_sift(g, sieve, set);
	emit_const(g, w->cursor, -1);
	w->again = here(g);
	emit(g, OP_SNEXT, w->cursor, set, 0);
	jumps_add(g, &w->end, emit_jump(g, OP_JNONE, w->cursor));
	return elem;
}

/* The things of a list, by index; of a list of all sorts those of one kind. */
static struct type *walk_list(
	struct gen *g, struct walking *w, struct node *holder, struct node *source)
{
	struct model *m = g->m;
	int pair = regs(g, 2); /* owner, index */
	int f = source->ref;
	struct type *elem = type_find(source->type)->elem;
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
	return elem;
}

void walk_open(struct gen *g, struct walking *w, struct node *holder, struct node *source, sym name, struct node *where)
{
	struct model *m = g->m;
	bool in_turn = false; /* `where` is the rest of what must hold */
	memset(w, 0, sizeof *w);
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
		gen_skip_late(g, kind, w->cursor, &w->next);
		if (kind == KIND_COMBATANT)
			gen_skip_others(g, w->cursor, &w->next);
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
	case WALK_SET:
		elem = walk_set(g, w, holder, source, name, sifting ? where : NULL, &in_turn);
		if (in_turn)
			where = where->kind == N_KIND_E_AND ? where->a->next : NULL;
		break;
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
	case WALK_LIST:
		elem = walk_list(g, w, holder, source);
		break;
	default:
		elem = type_var(m);
		w->again = -1;
		jumps_add(g, &w->end, emit_jump(g, OP_JMP, 0));
		break;
	}
	if (name)
		gen_bind(g, name, narrowed(m, elem, name, where), false, w->cursor);
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

int gen_agg(struct gen *g, struct node *n, int dst)
{
	struct node *source, *where;
	sym name;
	struct walking w;
	int r = gen_into(g, dst, 1);
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

int gen_pick(struct gen *g, struct node *n, int dst)
{
	struct node *source, *where;
	sym name;
	struct walking w;
	int r = gen_into(g, dst, 1);
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

int gen_fold(struct gen *g, struct node *n, int dst)
{
	static const enum op whole[] = {OP_MAX, OP_MIN, OP_ADD}, fraction[] = {OP_FMAX, OP_FMIN, OP_FADD};
	enum op op = n->frac ? fraction[n->op] : whole[n->op];
	int r = gen_into(g, dst, 1);
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
int gen_members(struct gen *g, struct node *holder, struct node *source, sym name, struct node *where)
{
	struct walking w;
	const int sieve = holder->ref_kind == WALK_SIDE || holder->ref_kind == WALK_SET ? sieve_of(g, name, where) : -1;
	if (sieve >= 0 && where->kind != N_KIND_E_AND) /* nothing else is asked of them */
		return gen_sift(g, sieve, gen_walked(g, holder, source));
	const int set = regs(g, g->p->set_words);
	emit(g, OP_SNONE, set, 0, 0);
	sift_open(g, &w, holder, source, name, where);
	emit(g, OP_SADD, set, w.cursor, 0);
	walk_close(g, &w);
	return set;
}

int gen_set(struct gen *g, struct node *n, int dst)
{
	int r = gen_into(g, dst, g->p->set_words);
	int mark = g->top;
	emit(g, OP_SMOVE, r, gen_members(g, n, n->a, n->name, n->c), 0);
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
int gen_random(struct gen *g, struct node *n, int dst)
{
	struct node *source, *where;
	sym name;
	struct walking w;
	struct jumps out = {{0}, 0};
	int r = gen_into(g, dst, 1);
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
	int set = -1;
	emit_const(g, k, 0);
	emit_const(g, one, 1);
	emit_const(g, r, NONE);
	if (as_set) {
		set = gen_members(g, holder, source, name, where);
		emit(g, OP_SCOUNT, k, set, 0);
	} else {
		walk_open(g, &w, holder, source, name, where);
		emit(g, OP_ADD, k, k, one);
		walk_close(g, &w);
	}
	if (!as_set || g->p->set_words * 64 > RANDOM_MOST) {
		emit_const(g, die, RANDOM_MOST);
		emit(g, OP_MIN, k, k, die);
	}
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
