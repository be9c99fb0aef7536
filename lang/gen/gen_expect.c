/* gen_expect.c - what is expected when a block is over: conditions as code, sentences as what to
 * look for in the log. */
#include <string.h>

#include "lang/gen/gen.h"

enum { PARTS_MOST = 16 };

int gen_expr_fn(struct gen *g, struct node *n, const char *name)
{
	int fn = fn_new(g, name, n->span);
	fn_begin(g, fn, 0);
	bool list = n == g->m->probe && type_is(n->type, VT_LIST);
	int width = list ? list_width(g, n) : width_of(g, n->type);
	int r = regs(g, width);
	if (list)
		gen_list(g, n, r);
	else
		gen_number(g, n, r, n->frac);
	emit(g, OP_RET, r, width, 0);
	fn_end(g, width);
	return fn;
}

/* A set of combatants named by subjects or by a `before whom`. */
static int who_fn(struct gen *g, struct node *n)
{
	int fn = fn_new(g, "who is meant", n->span);
	fn_begin(g, fn, 0);
	int r = regs(g, g->p->set_words);
	gen_target(g, n, type_set(g->m, type_new(g->m, VT_LIVE, KIND_COMBATANT)), false, r);
	emit(g, OP_RET, r, g->p->set_words, 0);
	fn_end(g, g->p->set_words);
	return fn;
}

static struct expect_info expect_new(struct gen *g, const struct node *n, int block)
{
	struct expect_info e;
	memset(&e, 0, sizeof e);
	e.block = block;
	e.fn = e.left_fn = e.subject_fn = e.event = e.time_fn = e.other_fn = e.within = -1;
	e.span = n->span;
	e.text = gen_excerpt(g, n->span);
	e.vain = n->num & 2;
	return e;
}

/* A condition; each part of an "and", an "or" or behind a "not" has a row of its own behind it, for
 * a report of what failed. */
static void expect_condition(
	struct gen *g, struct node *n, struct node *cond, int block, bool whole)
{
	struct expect_info e = expect_new(g, n, block);
	e.fn = gen_expr_fn(g, cond, "an expectation");
	if (cond->kind == N_KIND_E_BINARY && cond->op >= BIN_EQ &&
		cond->a->kind == N_KIND_E_FIELD) {
		e.left_fn = gen_expr_fn(g, cond->a, "what is compared");
		e.left_type = vtype_of(g, cond->a->type, cond->a->frac);
		e.left_text = gen_excerpt(g, cond->a->span);
	}
	const bool not = cond->kind == N_KIND_E_NOT;
	const struct node *inner = not ? cond->a : cond;
	const bool compound = inner->kind == N_KIND_E_AND || inner->kind == N_KIND_E_OR;
	const int parts = !whole ? 0 : compound ? node_count(inner->a) : not;
	e.parts = parts <= PARTS_MOST ? parts : 0;
	VEC_PUSH(g->expect, e);
	const int first = g->expect.n;
	struct node *part = compound ? inner->a : cond->a;
	for (int i = 0; i < e.parts; i++, part = part->next) {
		struct node alone = *n, *rest = part->next;
		alone.span = part->span;
		part->next = NULL;
		expect_condition(g, &alone, part, block, false);
		part->next = rest;
	}
	for (int i = 0; i < e.parts; i++)
		g->expect.v[first + i].negated = not;
}

static void expect_match(
	struct gen *g, struct expect_info *e, int event, int role, struct node *what)
{
	if (role < 0 || e->roles >= EVENT_ROLES)
		return;
	const bool set = type_is(g->m->event.v[event].role[role].type, VT_SET);
	e->match[e->roles].role = (uint8_t)role;
	e->match[e->roles].set = set;
	e->match[e->roles++].fn = set ? who_fn(g, what) : gen_expr_fn(g, what, "what is meant");
}

/* "in segment 4", "after round 2", "before orc #1", "together with Brand" */
static void expect_when(struct gen *g, struct expect_info *e, const struct node *p)
{
	const char *prep = model_text(g->m, p->name);
	const struct type *t = type_find(p->a->type);
	e->when = !strcmp(prep, "in")     ? WHEN_IN
		: !strcmp(prep, "before") ? WHEN_BEFORE
		: !strcmp(prep, "after")  ? WHEN_AFTER
					  : WHEN_TOGETHER;
	if (p->b)
		e->round = (int32_t)p->a->num;
	else if (t->base == VT_TIME || t->base == VT_COUNT)
		e->time_fn = gen_expr_fn(g, p->a, "when it is meant");
	else
		e->other_fn = who_fn(g, p->a);
}

/* How often: from so many to so many. */
static void expect_often(struct expect_info *e, const struct node *times)
{
	e->least = 1;
	e->most = -1;
	if (!times)
		return;
	e->least = times->op == BIN_LE ? 0 : (int32_t)times->num;
	e->most = times->op == BIN_GE ? -1 : (int32_t)times->num;
}

static void expect_sentence(struct gen *g, struct node *n, int block)
{
	struct expect_info e = expect_new(g, n, block);
	e.negated = n->num & 1;
	e.event = n->op >= SAID_TOLD ? -1 : n->ref;
	e.end = (uint8_t)n->op;
	e.why = n->text ? gen_copy(g, n->text, strlen(n->text)) : NULL;
	e.parts = node_count(n->e);
	expect_often(&e, n->c);
	struct node *subject = n->a;
	if (subject && subject->kind == N_KIND_E_FIELD) {
		e.within = subject->ref_kind == REF_EVENT ? subject->ref : -1;
		e.nth = subject->role;
		subject = subject->a;
	}
	if (subject && subject->ref_kind == REF_LIVE)
		g->bearer_live = live_named(g, subject->name);
	if (subject) {
		struct node *next = subject->next;
		subject->next = n->a->kind == N_KIND_E_FIELD ? NULL : next;
		e.subject_fn = who_fn(g, subject);
		subject->next = next;
	}
	if (n->b)
		expect_match(g, &e, n->ref, (int)(n->num >> 8) - 1, n->b);
	for (struct node *p = n->d; p; p = p->next)
		if (p->ref == -3)
			expect_when(g, &e, p);
		else
			expect_match(g, &e, n->ref, p->ref, p->a);
	g->bearer_live = -1;
	VEC_PUSH(g->expect, e);
	for (struct node *next = n->e; next; next = next->next)
		expect_sentence(g, next, block);
}

static void gen_expect(struct gen *g, struct node *n, int block)
{
	if (n->kind == N_KIND_N_EXPECT)
		expect_condition(g, n, n->a, block, true);
	else
		expect_sentence(g, n, block);
}

void gen_expects(struct gen *g, struct node *list, int block, bool lasts)
{
	bool edited = false;
	g->block.v[block].expect_first = g->expect.n;
	for (struct node *n = list; n; n = n->next) {
		if (lasts && edited && is_expect(n)) {
			g->block.v[block].expect_count =
				g->expect.n - g->block.v[block].expect_first;
			g->block.v[++block].expect_first = g->expect.n;
		}
		edited = !is_expect(n);
		if (is_expect(n))
			gen_expect(g, n, block);
	}
	g->block.v[block].expect_count = g->expect.n - g->block.v[block].expect_first;
}
