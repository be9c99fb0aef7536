/* gen_told.c - dice and choices said beforehand, and what is expected. */
#include <limits.h>
#include <string.h>

#include "lang/gen/gen.h"

/* ---- dice and choices told beforehand ---- */

/* Everybody an owner's name stands for: one, a side (itself when `side` dice), or several. */
static int owners(struct gen *g, struct node *path, int *out, int most, int *kind)
{
	struct model *m = g->m;
	int n = 0;
	*kind = KIND_COMBATANT;
	if (path->kind != N_KIND_E_FIELD) {
		out[n++] = -1;
		return n;
	}
	struct type *t = type_find(path->a->type);
	if (t->base == VT_LIVE && t->kind == KIND_SIDE) {
		*kind = KIND_SIDE;
		out[n++] = model_side(m, path->a->name);
	} else if (t->base == VT_LIVE && path->a->kind == N_KIND_E_NAME) {
		int live = live_named(g, path->a->name);
		if (live >= 0)
			out[n++] = live;
	} else if (t->base == VT_SET && path->a->ref_kind == REF_ISA) {
		for (int i = 0; i < m->live.n && n < most; i++) {
			int thing = m->live.v[i].thing;
			while (thing >= 0 && thing != path->a->ref)
				thing = m->thing.v[thing].parent;
			if (thing >= 0)
				out[n++] = i;
		}
	}
	return n;
}

static int gen_pips(struct gen *g, const struct node *p)
{
	struct pips x = {g->pip_face.n, 0, p->span};
	int faces = node_count(p->a);
	for (struct node *v = p->a; v; v = v->next)
		VEC_PUSH(g->pip_face, (int32_t)v->num);
	x.faces = faces > 1 ? faces : 0;
	VEC_PUSH(g->pips, x);
	return g->pips.n - 1;
}

/* "attack roll #3 17 then 4": the third, and the one after it. */
static void gen_numbered(struct gen *g, const struct node *f, int label, int owner, int block)
{
	struct numbered_die d = {label, owner, (uint32_t)(f->num - 1), block, 0, f->span};
	for (const struct node *p = f->b; p; p = p->next, d.occurrence++) {
		d.pips = gen_pips(g, p);
		VEC_PUSH(g->numbered, d);
	}
}

void gen_forced(struct gen *g, struct node *n, int block)
{
	struct model *m = g->m;
	if (n->num)
		g->block.v[block].only = true;
	for (struct node *f = n->a; f; f = f->next) {
		int who[FRAY_COMBATANTS_MAX];
		int kind;
		int count = owners(g, f->a, who, FRAY_COMBATANTS_MAX, &kind);
		/* "orcs' attack roll" when the label is not a side's own: each of its members */
		bool side_label = false;
		for (int i = 0; i < g->label.n; i++)
			side_label |= !strcmp(g->label.v[i].name, model_text(m, f->a->name)) && g->label.v[i].owner.base == VT_LIVE && g->label.v[i].owner.kind == KIND_SIDE;
		if (kind == KIND_SIDE && !side_label) {
			int side = who[0];
			count = 0;
			kind = KIND_COMBATANT;
			for (int i = 0; i < m->live.n; i++)
				if (m->live.v[i].side == side)
					who[count++] = i;
		}
		for (int i = 0; i < count; i++) {
			struct forced_die d = {label_index(g, f->a->name, who[i] < 0 ? -1 : kind), who[i], block, g->pips.n, 0, f->span};
			if (f->num) {
				if (!m->for_odds) /* which know no luck but that to come */
					gen_numbered(g, f, d.label, d.owner, block);
				continue;
			}
			for (struct node *p = f->b; p; p = p->next, d.count++)
				gen_pips(g, p);
			VEC_PUSH(g->forced, d);
		}
	}
}

void gen_choices(struct gen *g, struct node *n, int block)
{
	for (struct node *f = n->a; f; f = f->next) {
		int who[FRAY_COMBATANTS_MAX];
		int kind;
		int count = owners(g, f->a, who, FRAY_COMBATANTS_MAX, &kind);
		if (kind == KIND_SIDE) {
			int side = who[0];
			count = 0;
			for (int i = 0; i < g->m->live.n; i++)
				if (g->m->live.v[i].side == side)
					who[count++] = i;
		}
		if (f->ref < 0)
			continue;
		for (int i = 0; i < count; i++) {
			struct forced_choice c = {f->ref, who[i], block, g->answer.n, 0, f->span};
			g->bearer_live = who[i];
			for (struct node *a = f->b; a; a = a->next) {
				VEC_PUSH(g->answer, const_value(g, a, g->m->choice.v[f->ref].type, false));
				c.count++;
			}
			g->bearer_live = -1;
			VEC_PUSH(g->forced_choice, c);
		}
	}
}

/* ---- expectations ---- */

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

static void gen_expect(struct gen *g, struct node *n, int block)
{
	struct model *m = g->m;
	struct expect_info e;
	memset(&e, 0, sizeof e);
	e.block = block;
	e.fn = e.left_fn = e.subject_fn = e.event = e.time_fn = e.other_fn = -1;
	e.span = n->span;
	e.text = gen_excerpt(g, n->span);
	e.vain = n->num & 2;
	if (n->kind == N_KIND_N_EXPECT) {
		e.fn = gen_expr_fn(g, n->a, "an expectation");
		if (n->a->kind == N_KIND_E_BINARY && n->a->op >= BIN_EQ && n->a->a->kind == N_KIND_E_FIELD) {
			e.left_fn = gen_expr_fn(g, n->a->a, "what is compared");
			e.left_type = vtype_of(g, n->a->a->type, n->a->a->frac);
			e.left_text = gen_excerpt(g, n->a->a->span);
		}
		VEC_PUSH(g->expect, e);
		return;
	}
	e.negated = n->num & 1;
	e.event = n->ref;
	e.refused = n->op == SAID_REFUSED;
	e.why = n->text ? gen_copy(g, n->text, strlen(n->text)) : NULL;
	struct node *subject = n->a;
	if (subject && subject->kind == N_KIND_E_FIELD)
		subject = subject->a;
	if (subject && subject->ref_kind == REF_LIVE)
		g->bearer_live = live_named(g, subject->name);
	if (subject) {
		struct node *next = subject->next;
		subject->next = n->a->kind == N_KIND_E_FIELD ? NULL : next;
		e.subject_fn = who_fn(g, subject);
		subject->next = next;
	}
	int object_role = (int)(n->num >> 8) - 1;
	if (n->b && object_role >= 0 && e.roles < EVENT_ROLES) {
		bool set = type_is(m->event.v[n->ref].role[object_role].type, VT_SET);
		e.match[e.roles].role = (uint8_t)object_role;
		e.match[e.roles].set = set;
		e.match[e.roles++].fn = set ? who_fn(g, n->b) : gen_expr_fn(g, n->b, "what is meant");
	}
	for (struct node *p = n->d; p; p = p->next) {
		if (p->ref == -3) {
			const char *prep = model_text(m, p->name);
			struct type *t = type_find(p->a->type);
			e.when = !strcmp(prep, "in") ? WHEN_IN : !strcmp(prep, "before") ? WHEN_BEFORE : WHEN_AFTER;
			if (p->b)
				e.round = (int32_t)p->a->num;
			else if (t->base == VT_TIME || t->base == VT_COUNT)
				e.time_fn = gen_expr_fn(g, p->a, "when it is meant");
			else
				e.other_fn = who_fn(g, p->a);
		} else if (p->ref >= 0 && e.roles < EVENT_ROLES) {
			bool set = type_is(m->event.v[n->ref].role[p->ref].type, VT_SET);
			e.match[e.roles].role = (uint8_t)p->ref;
			e.match[e.roles].set = set;
			e.match[e.roles++].fn = set ? who_fn(g, p->a) : gen_expr_fn(g, p->a, "what is meant");
		}
	}
	g->bearer_live = -1;
	VEC_PUSH(g->expect, e);
}

void gen_expects(struct gen *g, struct node *list, int block, bool lasts)
{
	bool edited = false;
	g->block.v[block].expect_first = g->expect.n;
	for (struct node *n = list; n; n = n->next) {
		if (lasts && edited && is_expect(n)) {
			g->block.v[block].expect_count = g->expect.n - g->block.v[block].expect_first;
			g->block.v[++block].expect_first = g->expect.n;
		}
		edited = !is_expect(n);
		if (is_expect(n))
			gen_expect(g, n, block);
	}
	g->block.v[block].expect_count = g->expect.n - g->block.v[block].expect_first;
}
