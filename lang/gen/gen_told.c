/* gen_told.c - dice and choices said beforehand. */
#include <limits.h>
#include <string.h>

#include "lang/gen/gen.h"

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
