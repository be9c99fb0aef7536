/* gen_flight.c - what changes in the middle of a fight by the script's own hand: options that are
 * fields of somebody, and who comes and goes.
 *
 * Who comes later has his place in the world from the start, and no side: all that goes over
 * combatants passes him by until an event of core, `come in`, has given him one. Then what the
 * rules do when everybody is set up is done for him alone: `each combatant` there is he. A side
 * that is made in mid-fight is awaited in the same way. */
#include <string.h>

#include "lang/gen/gen.h"

/* ---- who is not there yet ---- */

static bool late_combatants(const struct gen *g)
{
	for (int i = 0; i < g->m->live.n; i++)
		if (g->m->live.v[i].late)
			return true;
	return false;
}

bool gen_some_late(struct gen *g, int kind)
{
	bool late = kind == KIND_COMBATANT && late_combatants(g);
	for (int i = 0; i < g->m->side.n && kind == KIND_SIDE; i++)
		late |= g->m->side.v[i].late;
	return late;
}

int awaited_field(struct gen *g)
{
	struct vtype flag = {VT_BOOL, false, 0};
	if (g->awaited < 0)
		g->awaited = hidden_field(g, "awaited", KIND_SIDE, flag, 1);
	return g->awaited;
}

static int newcomer_field(struct gen *g)
{
	struct vtype who = {VT_LIVE, false, KIND_COMBATANT};
	if (g->newcomer < 0)
		g->newcomer = hidden_field(g, "newcomer", KIND_ENCOUNTER, who, 1);
	return g->newcomer;
}

void gen_skip_others(struct gen *g, int who, struct jumps *next)
{
	int mark = g->top;
	if (g->in_event < 0 || g->in_event != model_event(g->m, g->m->w.set_up) || !late_combatants(g))
		return;
	int r = regs(g, 1);
	emit_const(g, r, 0);
	emit(g, OP_LDF, r, r, newcomer_field(g));
	int all = emit_jump(g, OP_JNONE, r);
	emit(g, OP_EQ, r, r, who);
	jumps_add(g, next, emit_jump(g, OP_JZ, r));
	jump_here(g, all);
	g->top = mark;
}

void gen_skip_late(struct gen *g, int kind, int who, struct jumps *next)
{
	int mark = g->top;
	if (!gen_some_late(g, kind))
		return;
	int r = regs(g, 1);
	emit(g, OP_LDF, r, who, kind == KIND_SIDE ? awaited_field(g) : g->p->at.combatant_side);
	jumps_add(g, next, emit_jump(g, kind == KIND_SIDE ? OP_JNZ : OP_JNONE, r));
	g->top = mark;
}

void gen_all_there(struct gen *g, int kind, int set)
{
	struct jumps next = {{0}, 0};
	int mark = g->top, one = regs(g, 1);
	emit(g, OP_SNONE, set, 0, 0);
	emit_const(g, one, -1);
	int again = here(g);
	emit_wide(g, OP_KNEXT, one, kind);
	int end = emit_jump(g, OP_JNONE, one);
	gen_skip_late(g, kind, one, &next);
	emit(g, OP_SADD, set, one, 0);
	jumps_here(g, &next);
	jump_back(g, again);
	jump_here(g, end);
	g->top = mark;
}

/* ---- coming and going ---- */

void gen_followed(struct gen *g, struct node *follows, int done)
{
	struct followed f = {follows, done};
	VEC_PUSH(g->followed, f);
}

/* What was said of a group before he came holds of him: he follows its policy. */
static void gen_policies_of(struct gen *g, int who)
{
	struct vtype t = {VT_NUMBER, false, 0};
	for (int i = 0; i < g->followed.n; i++) {
		struct node *n = g->followed.v[i].node;
		struct jumps no = {{0}, 0};
		int mark = g->top, r = regs(g, 2);
		emit_const(g, r, 0);
		emit(g, OP_LDF, r, r, g->followed.v[i].done);
		jumps_add(g, &no, emit_jump(g, OP_JZ, r));
		gen_is_subject(g, n->a, who, &no);
		emit_const(g, r, n->ref);
		emit(g, OP_STF, who, r, hidden_field(g, "policy", KIND_COMBATANT, t, 1));
		jumps_here(g, &no);
		g->top = mark;
	}
}

static void gen_come_in(struct gen *g, int who, int side)
{
	int event = model_event(g->m, g->m->w.come_in), mark = g->top;
	if (event < 0)
		return;
	int set_up = model_event(g->m, g->m->w.set_up), before = regs(g, 2), window = regs(g, 5);
	emit(g, OP_LDF, before, who, g->p->at.combatant_side);
	emit(g, OP_MOVE, window + 2, who, 0);
	emit_const(g, window + 3, side);
	gen_call(g, perform_fn(g, event), window);
	int here_before = emit_jump(g, OP_JSOME, before);
	if (set_up >= 0) {
		emit_const(g, before, 0);
		emit(g, OP_STF, before, who, newcomer_field(g));
		gen_call(g, perform_fn(g, set_up), window);
		emit_const(g, before, 0);
		emit_const(g, before + 1, NONE);
		emit(g, OP_STF, before, before + 1, newcomer_field(g));
	}
	gen_settle(g, window);
	gen_policies_of(g, who);
	jump_here(g, here_before);
	g->top = mark;
}

static bool is_of(const struct model *m, int thing, int pattern)
{
	while (thing >= 0 && thing != pattern)
		thing = m->thing.v[thing].parent;
	return thing >= 0;
}

/* Whoever a member's name stands for, by place in the encounter; `who` then holds him. */
static bool may_mean(const struct gen *g, const struct node *member, int live)
{
	if (member->ref_kind == REF_LIVE)
		return live >= member->ref && live < member->ref + member->role;
	if (member->ref_kind == REF_ISA)
		return is_of(g->m, g->m->live.v[live].thing, member->ref);
	return member->ref_kind == REF_SIDE;
}

void gen_joins(struct gen *g, struct node *n)
{
	struct model *m = g->m;
	if (n->ref < 0)
		return;
	if (m->side.v[n->ref].late) {
		int mark = g->top, r = regs(g, 2);
		emit_const(g, r, n->ref);
		emit_const(g, r + 1, 0);
		emit(g, OP_STF, r, r + 1, awaited_field(g));
		g->top = mark;
	}
	for (const struct node *x = n->a; x; x = x->next)
		for (int i = 0; i < m->live.n; i++) {
			struct jumps no = {{0}, 0};
			int mark = g->top, who = regs(g, 3);
			if (!may_mean(g, x, i)) {
				g->top = mark;
				continue;
			}
			emit_const(g, who, i);
			if (x->ref_kind != REF_LIVE) { /* those of a group who are there */
				emit(g, OP_LDF, who + 1, who, g->p->at.combatant_side);
				emit_const(g, who + 2, x->ref);
				emit(g, OP_EQ, who + 2, who + 1, who + 2);
				jumps_add(g, &no, emit_jump(g, x->ref_kind == REF_SIDE ? OP_JZ : OP_JNONE, x->ref_kind == REF_SIDE ? who + 2 : who + 1));
			}
			gen_come_in(g, who, n->ref);
			jumps_here(g, &no);
			g->top = mark;
		}
}

void gen_leaves(struct gen *g, struct node *n)
{
	struct model *m = g->m;
	int event = model_event(m, m->w.leave), alive = model_field(m, KIND_COMBATANT, model_sym(m, "alive"));
	bool one = !n->a->next && n->a->ref_kind == REF_LIVE;
	for (int i = 0; i < m->live.n && event >= 0; i++) {
		struct jumps no = {{0}, 0};
		int mark = g->top, who = regs(g, 2), window = regs(g, 4);
		emit_const(g, who, i);
		gen_skip_late(g, KIND_COMBATANT, who, &no);
		gen_is_subject(g, n->a, who, &no);
		if (!one && alive >= 0) { /* of a group the dead stay where they are */
			emit(g, OP_LDF, who + 1, who, link_field(g, alive));
			jumps_add(g, &no, emit_jump(g, OP_JZ, who + 1));
		}
		emit(g, OP_MOVE, window + 2, who, 0);
		gen_call(g, perform_fn(g, event), window);
		gen_settle(g, window);
		jumps_here(g, &no);
		g->top = mark;
	}
}

/* ---- options of one ---- */

/* The word a field has for one of its option's values. */
static word field_word(struct gen *g, const struct moption *o, int value)
{
	const struct mfield *f = &g->m->field.v[o->field];
	struct node *v = o->node->a;
	for (int i = 0; i < value && v->next; i++)
		v = v->next;
	if (value > 0 && !o->node->a->next) /* declared by one of its two values */
		return v->kind != N_KIND_E_YES;
	return const_value(g, v, f->type, f->frac);
}

static bool states(struct gen *g, int live, int mfield)
{
	for (int t = g->m->live.v[live].thing; t >= 0; t = g->m->thing.v[t].parent)
		if (thing_own_field(g, t, mfield))
			return true;
	return false;
}

/* What the table's reading of an option is now; a field of the encounter, unset as long as it is the
 * one the fight began with. */
static int reading_field(struct gen *g, const struct moption *o)
{
	const struct mfield *f = &g->m->field.v[o->field];
	struct buf name = {0};
	buf_printf(&name, "reading of %s", model_text(g->m, o->name));
	int field = -1;
	for (int i = 0; i < g->field.n; i++)
		if (g->field.v[i].hidden && g->field.v[i].kind == KIND_ENCOUNTER && !strcmp(g->field.v[i].name, buf_text(&name)))
			field = i;
	if (field < 0) {
		struct vtype t = vtype_of(g, f->type, f->frac);
		t.base = t.base == VT_BOOL ? VT_NUMBER : t.base; /* unset at first */
		field = hidden_field(g, buf_text(&name), KIND_ENCOUNTER, t, 1);
	}
	buf_free(&name);
	return field;
}

/* Whoever has had the reading of the table has the new one: once, from the block on. */
static void gen_option_of(struct gen *g, const struct moption *o, struct node *moment, int value)
{
	struct vtype flag = {VT_BOOL, false, 0};
	struct jumps skip = {{0}, 0};
	int mark = g->top, r = regs(g, 5), field = link_field(g, o->field), reading = reading_field(g, o);
	int done = hidden_field(g, "edit made", KIND_ENCOUNTER, flag, 1);
	gen_in_block(g, moment, &skip);
	emit_const(g, r, 0);
	emit(g, OP_LDF, r + 1, r, done);
	jumps_add(g, &skip, emit_jump(g, OP_JNZ, r + 1));
	emit_const(g, r + 1, 1);
	emit(g, OP_STF, r, r + 1, done);
	emit(g, OP_LDF, r + 3, r, reading);
	int told = emit_jump(g, OP_JSOME, r + 3);
	emit_const(g, r + 3, field_word(g, o, o->value));
	jump_here(g, told);
	emit_const(g, r + 4, field_word(g, o, value));
	emit(g, OP_STF, r, r + 4, reading);
	for (int i = 0; i < g->m->live.n; i++) {
		if (states(g, i, o->field))
			continue;
		emit_const(g, r, i);
		emit(g, OP_LDF, r + 1, r, field);
		emit(g, OP_SAME, r + 1, r + 1, r + 3);
		int other = emit_jump(g, OP_JZ, r + 1);
		emit(g, OP_STF, r, r + 4, field);
		jump_here(g, other);
	}
	jumps_here(g, &skip);
	g->top = mark;
}

static void gen_set_of(struct gen *g, struct node *moment, sym name, const struct node *value)
{
	int o = model_option(g->m, name), v = o < 0 ? -1 : option_value(g->m, o, value);
	const struct mfield *f = o < 0 || g->m->option.v[o].field < 0 ? NULL : &g->m->field.v[g->m->option.v[o].field];
	if (f && f->kind == KIND_COMBATANT && v >= 0)
		gen_option_of(g, &g->m->option.v[o], moment, v);
}

static void gen_options_in(struct gen *g, const struct node *n, struct node *moment)
{
	if (n->kind == N_KIND_N_OPTION)
		gen_set_of(g, moment, n->name, n->a);
	for (const struct node *f = n->kind == N_KIND_USE ? n->b : NULL; f; f = f->next)
		if (f->a && f->a->a)
			gen_set_of(g, moment, f->name, f->a->a);
}

bool gen_options_change(struct gen *g)
{
	for (int i = 0; i < g->m->option.n; i++)
		if (g->m->option.v[i].later && g->m->option.v[i].field >= 0)
			return true;
	return false;
}

void gen_options_of(struct gen *g, struct node *n, struct node *moment)
{
	struct model *m = g->m;
	for (int k = 0; k < m->module.n; k++)
		for (int t = 0; t < m->module.v[k].tree.n && option_by_module(m, n, k) && module_moment(m, k) == moment; t++)
			for (const struct node *x = m->module.v[k].tree.v[t]; x; x = x->next)
				gen_options_in(g, x, moment);
	gen_options_in(g, n, moment);
}
