/* link_start.c - how the world is laid out, and what it holds at the start. */
#include <string.h>

#include "lang/gen/gen.h"
#include "runtime/world/block.h"

enum { ACTS_EACH = 12, ACTS_LEAST = 64, STACK_WORDS = 6144, HAPPENING_WORDS = 4096, LIST_DEPTH = 32 };

static word *field_at(struct gen *g, word *block, int field, int thing)
{
	struct field_info *f = &g->field.v[field];
	return block + f->base + (uint32_t)thing * f->stride;
}

struct list_add { word *list; uint32_t words; };

static void add_live_list(struct gen *g, word w, void *ctx)
{
	struct list_add *l = ctx;
	(void)g;
	if ((uint32_t)l->list[0] + 1 < l->words)
		l->list[1 + l->list[0]++] = w;
}

static void store_values(struct gen *g, word *block, int mfield, int thing, struct node *values)
{
	struct model *m = g->m;
	struct mfield *x = &m->field.v[mfield];
	struct field_info *f = &g->field.v[x->program];
	word *at = field_at(g, block, x->program, thing);
	if (f->type.base == VT_LIST) {
		struct list_add l = {at, f->words};
		memset(at, 0, f->words * sizeof *at);
		list_items(g, values, x->type, add_live_list, &l);
	} else if (f->type.base == VT_SET && kind_borne(m, f->type.kind)) {
		memset(at, 0, f->words * sizeof *at);
		if (x->kind == KIND_COMBATANT)
			store_item_set(g, mfield, thing, at);
	} else if (f->type.base == VT_SET) {
		memset(at, 0, f->words * sizeof *at);
		for (struct node *v = values; v; v = v->next)
			if (v->kind == N_KIND_V_PLAIN) {
				word w = const_value(g, v->a, type_find(x->type)->elem, false);
				if (w >= 0)
					at[w / 64] |= (word)1 << (w % 64);
			}
	} else {
		at[0] = NONE;
		g->bearer_live = x->kind == KIND_COMBATANT ? thing : -1;
		if (values && (values->kind == N_KIND_V_PLAIN || values->kind == N_KIND_V_NAMED))
			at[0] = const_value(g, values->a, x->type, x->frac);
		g->bearer_live = -1;
	}
}

static void mark_stated(struct gen *g, word *block, int mfield, int live)
{
	for (int i = 0; i < g->stated.n; i++)
		if (g->stated.v[i].mfield == mfield)
			*field_at(g, block, g->stated.v[i].field, live) = 1;
}

static void store_stated(struct gen *g, word *block)
{
	for (int i = 0; i < g->stated.n; i++)
		for (int k = 0; k < g->m->live.n && g->m->field.v[g->stated.v[i].mfield].kind == KIND_COMBATANT; k++)
			for (int t = g->m->live.v[k].thing; t >= 0; t = g->m->thing.v[t].parent)
				if (thing_own_field(g, t, g->stated.v[i].mfield))
					mark_stated(g, block, g->stated.v[i].mfield, k);
}

/* What the scene says of somebody. */
static void store_said(struct gen *g, word *block, int mfield, int live, struct node *values)
{
	store_values(g, block, mfield, live, values);
	mark_stated(g, block, mfield, live);
}

static void store_overrides(struct gen *g, word *block)
{
	struct model *m = g->m;
	int converted = m->converted ? model_field(m, KIND_ENCOUNTER, m->w.converted) : -1;
	if (converted >= 0)
		*field_at(g, block, m->field.v[converted].program, 0) = 1;
	for (struct node *n = m->encounter.v[g->encounter].node->a; n; n = n->next) {
		if (n->damaged)
			continue;
		if (n->kind == N_KIND_D_FIELD) {
			store_said(g, block, n->ref, 0, n->a);
			continue;
		}
		if (n->kind != N_KIND_N_OVERRIDE)
			continue;
		struct node *owner = n->a->a;
		struct type *t = type_find(owner->type);
		int kind = m->field.v[n->ref].kind;
		if (kind_borne(m, kind)) {
			word item = item_constant(g, owner);
			if (item != NONE)
				store_values(g, block, n->ref, (int)item, n->b);
			continue;
		}
		if (t->base == VT_LIVE && t->kind == KIND_SIDE) {
			int side = model_side(m, owner->name);
			if (kind == KIND_SIDE) {
				store_said(g, block, n->ref, side, n->b);
				continue;
			}
			for (int i = 0; i < m->live.n; i++)
				if (m->live.v[i].side == side)
					store_said(g, block, n->ref, i, n->b);
		} else if (t->base == VT_SET) {
			for (int i = 0; i < m->live.n; i++)
				for (int k = m->live.v[i].thing; k >= 0; k = m->thing.v[k].parent)
					if (k == owner->ref)
						store_said(g, block, n->ref, i, n->b);
		} else {
			int live = live_named(g, owner->name);
			if (live >= 0)
				store_said(g, block, n->ref, live, n->b);
		}
	}
}

/* The machine's own bookkeeping begins empty; stat blocks come after, for some of it is theirs. */
static void store_hidden(struct gen *g, word *block)
{
	struct model *m = g->m;
	struct layout *l = &g->p->layout;
	for (int f = 0; f < g->field.n; f++) {
		struct field_info *x = &g->field.v[f];
		if (!x->hidden)
			continue;
		for (uint32_t i = 0; i < l->kind[x->kind].count; i++) {
			word *at = field_at(g, block, f, (int)i);
			if (f == g->p->at.combatant_template)
				*at = thing_index(g, m->live.v[i].thing);
			else if (x->type.base == VT_SET)
				memset(at, 0, x->words * sizeof *at);
			else
				*at = x->type.base == VT_BOOL ? 0 : NONE;
		}
	}
}

void store_world(struct gen *g, word *block)
{
	struct model *m = g->m;
	struct layout *l = &g->p->layout;
	block[H_PHASE] = -1;
	block[H_ACT] = NONE;
	block[H_NOW] = NONE;
	block[H_DIRTY] = -1;
	store_hidden(g, block);
	for (int f = 0; f < m->field.n; f++) {
		struct mfield *x = &m->field.v[f];
		if (!m->kind.v[x->kind].live || x->kind == KIND_ACT)
			continue;
		int count = (int)l->kind[x->kind].count;
		for (int i = 0; i < count; i++) {
			struct node *values = x->initial;
			int thing = x->kind == KIND_COMBATANT ? m->live.v[i].thing : kind_borne(m, x->kind) ? item_pattern(g, x->kind, i) : -1;
			if (thing >= 0)
				values = thing_values(g, thing, f);
			if (thing >= 0 && x->kind != KIND_COMBATANT && item_values(g, x->kind, i, f))
				values = item_values(g, x->kind, i, f);
			store_values(g, block, f, i, values);
			word extra;
			if (thing >= 0 && values == x->initial && extra_value(g, thing, f, &extra))
				*field_at(g, block, x->program, i) = extra;
		}
	}
	store_items(g, block);
	for (int i = 0; i < m->live.n; i++)
		*field_at(g, block, g->p->at.combatant_side, i) = m->live.v[i].late ? NONE : m->live.v[i].side;
	for (int i = 0; i < m->side.n && g->awaited >= 0; i++)
		*field_at(g, block, g->awaited, i) = m->side.v[i].late;
	*field_at(g, block, g->p->at.round_number, 0) = 0;
	*field_at(g, block, g->p->at.round_start, 0) = 0;
	for (int i = 0; i < m->pair.n; i++) {
		struct pair_info *p = &g->pair.v[m->pair.v[i].program];
		word v = NONE;
		struct node *d = m->pair.v[i].initial;
		if (d && d->kind == N_KIND_V_PLAIN)
			v = const_value(g, d->a, m->pair.v[i].type, m->pair.v[i].frac);
		for (uint32_t k = 0; k < p->side * p->side; k++)
			block[p->base + k] = v;
	}
	store_stated(g, block);
	store_overrides(g, block);
}

/* What an act starts with is written when it is made: the machine copies this record. */
void store_act_defaults(struct gen *g, word *block)
{
	struct model *m = g->m;
	struct layout *l = &g->p->layout;
	/* record number act_count, behind the last, is the pattern */
	word *pattern = block + l->acts + l->act_count * l->act_stride;
	for (uint32_t i = 0; i < l->act_arg_words; i++)
		pattern[l->act_args + i] = NONE;
	for (int f = 0; f < m->field.n; f++)
		if (m->field.v[f].kind == KIND_ACT)
			store_values(g, block, f, (int)l->act_count, m->field.v[f].initial);
	/* free acts hold the same, so that a field nobody writes is what it is in all of them */
	for (uint32_t i = 0; i < l->act_count; i++)
		memcpy(block + l->acts + i * l->act_stride, pattern, l->act_stride * sizeof *pattern);
}

/* Room for more than there are of what lines typed in mid-fight bring along, so that the words
 * behind stay where they are. Nobody types into a program that is not observed. */
static uint32_t roomy(const struct gen *g, uint32_t n, uint32_t step)
{
	while (g->observed && n > 4 * step)
		step *= 2;
	return g->observed ? (n + 2 * step - 1) / step * step : n;
}

void lay_out(struct gen *g)
{
	struct model *m = g->m;
	struct layout *l = &g->p->layout;
	uint32_t at = H_WORDS;
	uint32_t most_args = 0, most_slots = 0;
	for (int i = 0; i < g->event.n; i++)
		if (g->event.v[i].action && (uint32_t)g->event.v[i].slots > most_slots)
			most_slots = (uint32_t)g->event.v[i].slots;
	for (int i = 0; i < g->event.n; i++)
		if (g->event.v[i].words > most_args)
			most_args = g->event.v[i].words;
	l->lists = at;
	l->list_depth = LIST_DEPTH;
	at += l->list_depth;
	l->label_owners = (uint32_t)(m->live.n + m->side.n + 1);
	l->labels = at;
	at += (roomy(g, (uint32_t)g->label.n, 16) * l->label_owners + 1) / 2;
	l->forced = at;
	at += roomy(g, (uint32_t)g->forced.n, 32);
	l->choices = at;
	at += roomy(g, (uint32_t)g->forced_choice.n, 16);
	l->blocks = at;
	at += roomy(g, (uint32_t)g->block.n, 64);
	l->watches = at;
	at += (uint32_t)g->p->watches;
	l->conditions = at;
	l->condition_words = ((uint32_t)g->whenever_total + 63) / 64;
	at += l->condition_words;
	uint32_t counts[32] = {0};
	counts[KIND_ENCOUNTER] = counts[KIND_ROUND] = 1;
	counts[KIND_SIDE] = (uint32_t)m->side.n;
	counts[KIND_COMBATANT] = (uint32_t)m->live.n;
	for (int k = KIND_FIRST_DECLARED; k < m->kind.n && k < 32; k++)
		counts[k] = (uint32_t)item_count(m, k);
	for (int k = 0; k < m->kind.n && k < 32; k++) {
		if (!m->kind.v[k].live || m->kind.v[k].isa >= 0)
			continue;
		l->kind[k].count = counts[k];
		const uint32_t begin = at;
		/* field by field: what a fight asks of everybody lies together */
		for (int f = 0; f < g->field.n; f++)
			if (g->field.v[f].kind == k && k != KIND_ACT) {
				g->field.v[f].base = at;
				g->field.v[f].stride = g->field.v[f].words;
				at += g->field.v[f].words * counts[k];
			}
		if (k == KIND_ENCOUNTER)
			at = begin + roomy(g, at - begin, 128);
	}
	for (int i = 0; i < g->pair.n; i++) {
		uint32_t side = counts[g->pair.v[i].kind];
		g->pair.v[i].base = at;
		g->pair.v[i].side = side;
		at += side * side;
	}
	l->acts = at;
	l->act_count = l->kind[KIND_ACT].count = (uint32_t)(ACTS_LEAST + ACTS_EACH * m->live.n);
	l->act_args = ACT_ARGS;
	l->act_arg_words = most_args;
	l->act_stride = ACT_ARGS + most_args;
	for (int f = 0; f < g->field.n; f++)
		if (g->field.v[f].kind == KIND_ACT) {
			g->field.v[f].base = at + l->act_stride;
			l->act_stride += g->field.v[f].words;
		}
	for (int f = 0; f < g->field.n; f++)
		if (g->field.v[f].kind == KIND_ACT)
			g->field.v[f].stride = l->act_stride;
	at += l->act_stride * (l->act_count + 1); /* with the pattern */
	l->stack = at;
	l->stack_words = STACK_WORDS + 64u * (uint32_t)g->p->set_words;
	at += l->stack_words;
	l->happenings = at;
	/* all of a crowd may act together */
	l->happening_words = HAPPENING_WORDS + (uint32_t)m->live.n * (HAP_SLOTS + most_slots * (uint32_t)g->p->set_words);
	at += l->happening_words;
	l->words = at;
}
