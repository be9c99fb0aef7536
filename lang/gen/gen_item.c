/* gen_item.c - things in play: which one a script means by "sword" or "Rolf's sword", and how
 * the world begins with them. */
#include <string.h>

#include "lang/gen/gen.h"

/* ---- which one is meant ---- */

static word item_index(struct gen *g, int item)
{
	return item < 0 ? NONE : g->m->item.v[item].index;
}

/* `who` bears R[thing in play]? Jumps out when not. */
static void unless_borne(struct gen *g, int kind, int thing, int who, struct jumps *out)
{
	int mark = g->top;
	int r = regs(g, 2);
	emit(g, OP_LDF, r, thing, link_field(g, model_field(g->m, kind, g->m->w.bearer)));
	emit(g, OP_SAME, r + 1, r, who);
	jumps_add(g, out, emit_jump(g, OP_JZ, r + 1));
	g->top = mark;
}

/* The first thing of a pattern that R[who] bears now, into R[dst]; unset when he has none. */
static void gen_first_borne(struct gen *g, int thing, int who, int dst)
{
	int kind = kind_root(g->m, g->m->thing.v[thing].kind);
	int mark = g->top;
	int r = regs(g, 4); /* cursor, its pattern, the pattern looked for, is it */
	struct jumps end = {{0}, 0}, next = {{0}, 0};
	emit_const(g, r, -1);
	emit_const(g, r + 2, thing_index(g, thing));
	int again = here(g);
	emit_wide(g, OP_KNEXT, r, kind);
	jumps_add(g, &end, emit_jump(g, OP_JNONE, r));
	unless_borne(g, kind, r, who, &next);
	emit(g, OP_LDF, r + 1, r, template_field(g, kind));
	emit(g, OP_ISA, r + 3, r + 1, r + 2);
	jumps_add(g, &end, emit_jump(g, OP_JNZ, r + 3));
	jumps_here(g, &next);
	jump_back(g, again);
	jumps_here(g, &end);
	emit(g, OP_MOVE, dst, r, 0);
	g->top = mark;
}

/* Whose a bare name is in a table of the script: the combatant it stands under. */
static int static_bearer(const struct gen *g, const struct node *n)
{
	if (n->kind == N_KIND_E_FIELD)
		return n->a->ref_kind == REF_LIVE ? n->a->ref : -1;
	return g->bearer_live;
}

word item_constant(struct gen *g, struct node *n)
{
	if (n->ref_kind == REF_ITEM_NAMED)
		return item_index(g, n->ref);
	int bearer = static_bearer(g, n);
	if (n->ref_kind == REF_ITEM && bearer >= 0)
		return item_index(g, item_of(g->m, bearer, n->ref));
	if (n->kind == N_KIND_E_NAME && bearer >= 0)
		return item_index(g, item_named(g->m, bearer, n->name));
	diag_report(g->m->sink, M_WHOSE, n->span, 1, model_text(g->m, n->name));
	g->failed = true;
	return NONE;
}

int gen_item(struct gen *g, struct node *n, int dst)
{
	int r = dst >= 0 ? dst : regs(g, 1);
	int mark = g->top;
	if (n->ref_kind == REF_ITEM_NAMED || (n->kind == N_KIND_E_FIELD && n->a->kind == N_KIND_E_NAME && n->a->ref_kind == REF_LIVE && n->a->ref >= 0)) {
		emit_const(g, r, item_constant(g, n));
	} else if (n->kind == N_KIND_E_FIELD) {
		int who = gen_expr(g, n->a, -1);
		gen_first_borne(g, n->ref, who, r);
	} else if (g->bearer_reg >= 0) {
		gen_first_borne(g, n->ref, g->bearer_reg, r);
	} else {
		emit_const(g, r, item_constant(g, n));
	}
	g->top = mark;
	return r;
}

/* "5 darts" where a thing in play is meant: the first of them. */
void gen_item_counted(struct gen *g, int thing, int dst)
{
	if (g->bearer_reg >= 0)
		gen_first_borne(g, thing, g->bearer_reg, dst);
	else
		emit_const(g, dst, NONE);
}

/* X has that thing: it says so itself. */
void gen_borne(struct gen *g, struct node *n, int dst)
{
	int mark = g->top;
	int who = gen_expr(g, n->a, -1);
	int bearer = g->bearer_reg;
	g->bearer_reg = who; /* "X has sword": any of his */
	int thing = gen_expr(g, n->b, -1);
	g->bearer_reg = bearer;
	int kind = kind_root(g->m, type_find(n->b->type)->kind);
	struct jumps no = {{0}, 0};
	int r = regs(g, 1);
	emit_const(g, r, 0);
	jumps_add(g, &no, emit_jump(g, OP_JNONE, thing));
	unless_borne(g, kind, thing, who, &no);
	emit_const(g, r, 1);
	jumps_here(g, &no);
	emit(g, OP_MOVE, dst, r, 0);
	g->top = mark;
}

/* A walk over what R[who] carries of a kind: the cursor stands at the next of the kind. Claws
 * are borne, and not carried. */
void gen_skip_unborne(struct gen *g, int kind, int cursor, int who, struct jumps *next)
{
	int mark = g->top;
	int pattern = regs(g, 1);
	unless_borne(g, kind, cursor, who, next);
	emit(g, OP_LDF, pattern, cursor, template_field(g, kind));
	jumps_add(g, next, emit_jump(g, OP_JNONE, pattern));
	g->top = mark;
}

/* ---- the world at the start ---- */

int template_field(struct gen *g, int kind)
{
	if (kind == KIND_COMBATANT)
		return g->p->at.combatant_template;
	must(g->template_field[kind] > 0);
	return g->template_field[kind] - 1;
}

void link_templates(struct gen *g)
{
	struct model *m = g->m;
	for (int k = KIND_FIRST_DECLARED; k < m->kind.n && k < 32; k++) {
		struct vtype thing = {VT_THING, false, (uint16_t)k};
		if (m->kind.v[k].isa < 0 && kind_borne(m, k))
			g->template_field[k] = 1 + hidden_field(g, "template", k, thing, 1);
	}
}

static const struct mitem *item_at(const struct gen *g, int kind, int index)
{
	for (int i = 0; i < g->m->item.n; i++)
		if (g->m->item.v[i].kind == kind && g->m->item.v[i].index == index)
			return &g->m->item.v[i];
	return NULL;
}

int item_pattern(const struct gen *g, int kind, int index)
{
	return item_at(g, kind, index)->thing;
}

/* What this one is said to have in place of what its pattern says; NULL: nothing. */
struct node *item_values(struct gen *g, int kind, int index, int mfield)
{
	struct node *own = item_at(g, kind, index)->own;
	while (own && (own->ref != mfield || own->damaged))
		own = own->next;
	return own ? own->a : NULL;
}

void store_items(struct gen *g, word *block)
{
	struct model *m = g->m;
	for (int i = 0; i < m->item.n; i++) {
		const struct mitem *x = &m->item.v[i];
		struct field_info *bearer = &g->field.v[link_field(g, model_field(m, x->kind, m->w.bearer))];
		struct field_info *pattern = &g->field.v[template_field(g, x->kind)];
		block[bearer->base + (uint32_t)x->index * bearer->stride] = x->bearer;
		block[pattern->base + (uint32_t)x->index * pattern->stride] = x->thing < 0 ? NONE : thing_index(g, x->thing);
		int damage = x->dice ? model_field(m, x->kind, model_sym(m, "damage")) : -1;
		if (damage >= 0) {
			struct field_info *f = &g->field.v[link_field(g, damage)];
			block[f->base + (uint32_t)x->index * f->stride] = dice_index(g, x->dice->text);
		}
	}
}

/* A list of things in play: those that stat block line brought. */
void store_item_set(struct gen *g, int mfield, int bearer, word *at)
{
	for (int i = 0; i < g->m->item.n; i++)
		if (g->m->item.v[i].field == mfield && g->m->item.v[i].bearer == bearer)
			at[g->m->item.v[i].index / 64] |= (word)((uint64_t)1 << (g->m->item.v[i].index % 64));
}

void link_item_names(struct gen *g)
{
	struct model *m = g->m;
	for (int k = KIND_FIRST_DECLARED; k < m->kind.n && k < 32; k++) {
		if (m->kind.v[k].isa >= 0 || !kind_borne(m, k))
			continue;
		g->p->lives[k] = item_count(m, k);
		g->p->live[k] = arena_array(g->arena, struct live_info, g->p->lives[k] + 1);
		for (int i = 0; i < g->p->lives[k]; i++) {
			const struct mitem *x = item_at(g, k, i);
			g->p->live[k][i].name = gen_text(g, x->name);
			g->p->live[k][i].thing = x->thing < 0 ? -1 : thing_index(g, x->thing);
		}
	}
}
