/* stated.c - where a value that a fight begins with is written: in the encounter, in a stat block, or in what all of a kind have. */
#include <string.h>

#include "lang/api/reason.h"

void stated_place(struct fray *f, struct span at, struct buf *out)
{
	int line, column;
	if (at.file == 0 || at.file >= f->sources.file.n)
		return;
	const char *name = f->sources.file.v[at.file].name, *slash = strrchr(name, '/');
	if (*name == '(') { /* "(prompt)" */
		buf_puts(out, "a line typed at the prompt");
		return;
	}
	sources_place(&f->sources, at, &line, &column);
	buf_printf(out, "%s, line %d", slash ? slash + 1 : name, line);
}

/* The line of a list that gives the field to that owner, the last one counts; what beat blocks say is a change. */
static void of_scene(struct fray *f, const struct node *list, int field, word owner, struct stated *out)
{
	struct model *m = &f->model;
	const struct mfield *x = &m->field.v[field];
	for (const struct node *n = list; n; n = n->next) {
		bool his = false;
		if (n->damaged)
			continue;
		if (n->kind == N_KIND_D_FIELD && n->ref == field)
			his = true;
		if (n->kind == N_KIND_N_OVERRIDE && n->ref == field && n->a && n->a->a && n->a->a->type) {
			const struct node *whose = n->a->a;
			const struct type *t = type_find(whose->type);
			if (t->base == VT_LIVE && t->kind == KIND_SIDE) {
				int side = model_side(m, whose->name);
				his = x->kind == KIND_SIDE ? side == owner : x->kind == KIND_COMBATANT && owner < m->live.n && m->live.v[owner].side == side;
			} else if (t->base == VT_SET && x->kind == KIND_COMBATANT && owner < m->live.n) {
				for (int k = m->live.v[owner].thing; k >= 0; k = m->thing.v[k].parent)
					his |= k == whose->ref;
			} else if (x->kind == KIND_COMBATANT) {
				his = model_live(m, whose->name) == owner;
			}
		}
		if (his)
			*out = (struct stated){STATED_BY_SCENE, n->span, -1, false};
	}
}

struct stated stated_find(struct fray *f, int field, word owner)
{
	struct model *m = &f->model;
	struct stated out = {.sort = STATED_NOWHERE, .thing = -1};
	if (field < 0 || owner < 0)
		return out;
	const struct mfield *x = &m->field.v[field];
	scene_enter(m, f->encounter);
	of_scene(f, m->encounter.v[f->encounter].node->a, field, owner, &out);
	if (out.sort == STATED_NOWHERE && x->kind == KIND_COMBATANT && owner < m->live.n)
		for (int t = m->live.v[owner].thing; t >= 0 && out.sort == STATED_NOWHERE; t = m->thing.v[t].parent)
			for (const struct node *d = m->thing.v[t].node->b; d; d = d->next)
				if (d->kind == N_KIND_D_FIELD && d->ref == field && !d->damaged) {
					out = (struct stated){STATED_BY_BLOCK, d->span, t, t != m->live.v[owner].thing};
					break;
				}
	if (out.sort == STATED_NOWHERE && x->initial)
		out = (struct stated){STATED_OF_ALL, x->initial->span, -1, false};
	scene_leave(m);
	return out;
}
