/* link.c - one encounter under one set of rules becomes a program: who is there, how the
 * world is laid out, what it holds at the start, and all the tables. */
#include <stdlib.h>
#include <string.h>

#include "lang/gen/gen.h"
#include "lang/gen/inline.h"
#include "lang/gen/shorten.h"
#include "runtime/base/hash.h"
#include "runtime/code/alone.h"
#include "runtime/code/effects.h"
#include "runtime/code/lasting.h"
#include "runtime/world/block.h"

enum { LIST_SPARE = 8, ACTS_EACH = 12, ACTS_LEAST = 64, STACK_WORDS = 6144, HAPPENING_WORDS = 4096, LIST_DEPTH = 32 };

/* ---- fields ---- */

int hidden_field(struct gen *g, const char *name, int kind, struct vtype type, int words)
{
	/* "policy" is one field; "line used" and "edit made" are one each time */
	if (!strcmp(name, "policy"))
		for (int i = 0; i < g->field.n; i++)
			if (g->field.v[i].kind == kind && g->field.v[i].hidden && !strcmp(g->field.v[i].name, name))
				return i;
	struct field_info f = {0};
	f.name = gen_copy(g, name, strlen(name));
	f.kind = (uint16_t)kind;
	f.type = type;
	f.hidden = true;
	f.words = (uint32_t)words;
	VEC_PUSH(g->field, f);
	return g->field.n - 1;
}

int link_field(struct gen *g, int mfield)
{
	struct mfield *f = &g->m->field.v[mfield];
	must(f->program >= 0);
	return f->program;
}

/* Whether a combatant's stat block, or the scene, gives a field of his, of a side or of the encounter: what "stated" reads. */
int stated_field(struct gen *g, int mfield)
{
	struct vtype flag = {VT_BOOL, false, 0};
	for (int i = 0; i < g->stated.n; i++)
		if (g->stated.v[i].mfield == mfield)
			return g->stated.v[i].field;
	struct stated_field x = {mfield, hidden_field(g, "stated", g->m->field.v[mfield].kind, flag, 1)};
	VEC_PUSH(g->stated, x);
	return x.field;
}

int link_thing_field(struct gen *g, int mfield)
{
	return link_field(g, mfield);
}

int link_pair(struct gen *g, int mpair)
{
	return g->m->pair.v[mpair].program;
}

/* How many things a list field may hold: what any stat block says, and some to spare. */
static int list_capacity(struct gen *g, int mfield)
{
	struct model *m = g->m;
	int most = 0;
	for (int i = 0; i < m->thing.n; i++)
		for (struct node *d = m->thing.v[i].node->b; d; d = d->next)
			if (d->kind == N_KIND_D_FIELD && d->ref == mfield && kind_root(m, m->thing.v[i].kind) == m->field.v[mfield].kind) {
				int64_t n = 0;
				for (struct node *v = d->a; v; v = v->next)
					n += v->kind == N_KIND_V_COUNT ? v->num : 1;
				if (n > most)
					most = (int)(n > 200 ? 200 : n);
			}
	return most + LIST_SPARE;
}

static void link_fields(struct gen *g)
{
	struct model *m = g->m;
	for (int i = 0; i < m->field.n; i++) {
		struct mfield *f = &m->field.v[i];
		struct vtype t = vtype_of(g, f->type, f->frac);
		if (!m->kind.v[f->kind].live) {
			struct thing_field x = {gen_text(g, f->name), (uint16_t)f->kind, t};
			f->program = g->thing_field.n;
			VEC_PUSH(g->thing_field, x);
			continue;
		}
		struct field_info x = {0};
		x.name = gen_text(g, f->name);
		x.kind = (uint16_t)f->kind;
		x.type = t;
		x.shared = f->shared;
		x.hidden = f->hidden;
		x.words = t.base == VT_SET ? (uint32_t)g->p->set_words : t.base == VT_LIST ? (uint32_t)(1 + list_capacity(g, i)) : 1;
		f->program = g->field.n;
		VEC_PUSH(g->field, x);
	}
	for (int i = 0; i < m->option.n; i++) {
		const struct mfield *f = m->option.v[i].field < 0 ? NULL : &m->field.v[m->option.v[i].field];
		if (!f || !m->kind.v[f->kind].live || !f->initial)
			continue;
		g->field.v[f->program].option = true;
		g->field.v[f->program].usual = const_value(g, f->initial->a, f->type, f->frac);
	}
	for (int i = 0; i < m->field.n; i++) {
		const struct mfield *f = &m->field.v[i];
		const struct vtype t = f->program < 0 || !m->kind.v[f->kind].live ? (struct vtype){VT_SET, false, 0} : g->field.v[f->program].type;
		if (!f->of_library || !f->initial || f->initial->next || f->initial->kind != N_KIND_V_PLAIN || t.base == VT_SET || t.base == VT_LIST)
			continue;
		g->field.v[f->program].common = true;
		g->field.v[f->program].usual = const_value(g, f->initial->a, f->type, f->frac);
	}
	for (int i = 0; i < m->pair.n; i++) {
		struct mpair *q = &m->pair.v[i];
		struct pair_info x = {0};
		x.name = gen_text(g, q->name);
		x.kind = (uint16_t)q->kind;
		x.directed = q->directed;
		x.type = vtype_of(g, q->type, q->frac);
		x.shared = q->shared;
		q->program = g->pair.n;
		VEC_PUSH(g->pair, x);
	}
	struct vtype thing = {VT_THING, false, KIND_COMBATANT};
	g->p->at.combatant_template = hidden_field(g, "template", KIND_COMBATANT, thing, 1);
	link_templates(g);
	g->p->at.combatant_side = link_field(g, model_field(m, KIND_COMBATANT, m->w.side));
	g->p->at.combatant_action = link_field(g, model_field(m, KIND_COMBATANT, m->w.action));
	g->p->at.act_actor = link_field(g, model_field(m, KIND_ACT, m->w.actor));
	g->p->at.round_number = link_field(g, model_field(m, KIND_ROUND, m->w.number));
	g->p->at.round_start = link_field(g, model_field(m, KIND_ROUND, m->w.start));
}

/* ---- things ---- */

struct node *thing_own_field(struct gen *g, int thing, int mfield)
{
	for (struct node *d = g->m->thing.v[thing].node->b; d; d = d->next)
		if (d->ref == mfield && !d->damaged && (d->kind == N_KIND_D_FIELD || d->kind == N_KIND_TABLE))
			return d->kind == N_KIND_TABLE ? d->d : d->a;
	return NULL;
}

/* The values a stat block gives a field, its own or inherited; else the field's default. */
static struct node *thing_values(struct gen *g, int thing, int mfield)
{
	for (int t = thing; t >= 0; t = g->m->thing.v[t].parent) {
		struct node *v = thing_own_field(g, t, mfield);
		if (v)
			return v;
	}
	return g->m->field.v[mfield].initial;
}

/* Further values: "15 ft, 30 ft, 45 ft" go on to fields named "second range", "third range";
 * "1d12 vs large" goes to one named "damage vs large". */
static bool extra_value(struct gen *g, int thing, int mfield, word *out)
{
	struct model *m = g->m;
	const char *name = intern_folded(m->front->names, m->field.v[mfield].name);
	const char *vs = strstr(name, " vs ");
	struct buf base = {0};
	int number = 0;
	if (vs) {
		buf_add(&base, name, (size_t)(vs - name));
	} else if (!strncmp(name, "second ", 7) || !strncmp(name, "third ", 6)) {
		number = name[0] == 's' ? 2 : 3;
		buf_puts(&base, strchr(name, ' ') + 1);
	}
	sym of = base.length ? intern_find(m->front->names, base.data, base.length) : 0;
	buf_free(&base);
	int field = of ? model_field(m, m->field.v[mfield].kind, of) : -1;
	if (field < 0)
		return false;
	struct node *v = thing_values(g, thing, field);
	int i = 1;
	for (; v; v = v->next) {
		if (vs && v->kind == N_KIND_V_VERSUS && !strcmp(intern_folded(m->front->names, v->name), vs + 4))
			break;
		if (!vs && v->kind == N_KIND_V_PLAIN && i++ == number)
			break;
	}
	if (!v)
		return false;
	*out = const_value(g, v->a, m->field.v[mfield].type, m->field.v[mfield].frac);
	return true;
}

static void list_items(struct gen *g, struct node *values, struct type *type, void (*add)(struct gen *, word, void *), void *ctx)
{
	struct model *m = g->m;
	struct type *elem = type_find(type_find(type)->elem);
	for (struct node *v = values; v; v = v->next) {
		if (v->kind == N_KIND_V_COUNT) {
			if (v->ref >= 0)
				for (int64_t k = 0; k < v->num && k < 200; k++)
					add(g, thing_index(g, v->ref), ctx);
		} else if (v->kind == N_KIND_V_NAMED) {
			if (elem->base == VT_THING && elem->kind >= 0 && v->a->kind == N_KIND_E_DICE)
				add(g, natural_weapon(g, v, elem->kind), ctx);
		} else if (v->kind == N_KIND_V_PLAIN && v->a->kind != N_KIND_E_NONE) {
			if (v->a->kind == N_KIND_E_NAME && type_named(m, v->a->name) && elem->base != VT_WORD && model_thing(m, v->a->name, -1) < 0)
				continue; /* the field's own default, "list of weapon" */
			add(g, const_value(g, v->a, elem, false), ctx);
		}
	}
}

static void add_list_word(struct gen *g, word w, void *ctx)
{
	(void)ctx;
	VEC_PUSH(g->list_words, w);
}

static void link_things(struct gen *g)
{
	struct model *m = g->m;
	for (int i = 0; i < m->thing.n; i++) {
		struct thing_info t = {gen_text(g, m->thing.v[i].name), (uint16_t)kind_root(m, m->thing.v[i].kind), -1, m->thing.v[i].node->at};
		m->thing.v[i].program = g->thing.n;
		VEC_PUSH(g->thing, t);
	}
	for (int i = 0; i < m->thing.n; i++)
		if (m->thing.v[i].parent >= 0)
			g->thing.v[i].parent = m->thing.v[m->thing.v[i].parent].program;
	int fields = g->thing_field.n;
	for (int i = 0; i < m->thing.n * fields; i++)
		VEC_PUSH(g->thing_words, NONE);
	for (int i = 0; i < m->thing.n; i++) {
		int kind = kind_root(m, m->thing.v[i].kind);
		if (m->kind.v[kind].live)
			continue;
		for (int f = 0; f < m->field.n; f++) {
			struct mfield *x = &m->field.v[f];
			if (x->kind != kind)
				continue;
			struct node *values = thing_values(g, i, f);
			word w = NONE;
			if (type_is(x->type, VT_LIST)) {
				/* natural weapons made on the way add rows behind; indices stay */
				int at = g->list_words.n;
				VEC_PUSH(g->list_words, 0);
				list_items(g, values, x->type, add_list_word, NULL);
				g->list_words.v[at] = g->list_words.n - at - 1;
				w = at;
			} else if (values && values->kind == N_KIND_V_PLAIN) {
				w = const_value(g, values->a, x->type, x->frac);
			} else if (values && values->kind == N_KIND_V_NAMED) {
				w = const_value(g, values->a, x->type, x->frac);
			}
			if (values == x->initial)
				extra_value(g, i, f, &w);
			g->thing_words.v[i * fields + x->program] = w;
		}
	}
}

/* ---- the starting world ---- */

struct world_writer { struct gen *g; word *block; };

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

static void store_world(struct gen *g, word *block)
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
static void store_act_defaults(struct gen *g, word *block)
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

static void lay_out(struct gen *g)
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
	at += ((uint32_t)g->label.n * l->label_owners + 1) / 2;
	l->forced = at;
	at += (uint32_t)g->forced.n;
	l->choices = at;
	at += (uint32_t)g->forced_choice.n;
	l->blocks = at;
	at += (uint32_t)g->block.n;
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
		/* field by field: what a fight asks of everybody lies together */
		for (int f = 0; f < g->field.n; f++)
			if (g->field.v[f].kind == k && k != KIND_ACT) {
				g->field.v[f].base = at;
				g->field.v[f].stride = g->field.v[f].words;
				at += g->field.v[f].words * counts[k];
			}
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

/* ---- tables ---- */

static word cell(struct gen *g, struct node *n, struct type *type, bool frac)
{
	return n->ref_kind == REF_EVENT && n->ref >= 0 ? n->ref : const_value(g, n, type, frac);
}

static void link_table(struct gen *g, int table)
{
	struct node *node = g->m->table.v[table].node;
	const struct mtable *t = &g->m->table.v[g->m->table.v[table].like];
	struct table_info x = {0};
	x.name = gen_text(g, t->name);
	x.key = vtype_of(g, t->param[0], t->key_frac);
	x.type = vtype_of(g, t->type, t->frac);
	x.columns = node_count(node->c);
	x.column = g->table_words.n;
	for (struct node *c = node->c; c; c = c->next)
		VEC_PUSH(g->table_words, cell(g, c, t->param[1], false));
	x.first = g->table_row.n;
	for (struct node *r = node->b; r; r = r->next) {
		struct table_row row = {NONE, NONE, false, g->table_words.n};
		struct node *key = r->a;
		if (!key)
			continue;
		if (key->kind == N_KIND_E_SPAN) {
			row.from = key->a ? cell(g, key->a, t->param[0], t->key_frac) : NONE;
			row.to = key->b ? cell(g, key->b, t->param[0], t->key_frac) : NONE;
			row.over = key->op == SPAN_OVER;
		} else {
			row.from = row.to = cell(g, key, t->param[0], t->key_frac);
		}
		VEC_PUSH(g->table_row, row);
		for (struct node *v = r->b; v; v = v->next)
			VEC_PUSH(g->table_words, const_value(g, v, t->type, t->frac));
		x.rows++;
	}
	VEC_PUSH(g->table, x);
}

static void link_tables(struct gen *g)
{
	for (int i = 0; i < g->m->table.n; i++)
		link_table(g, i);
}

static void link_events(struct gen *g)
{
	struct model *m = g->m;
	for (int i = 0; i < m->event.n; i++) {
		struct mevent *e = &m->event.v[i];
		struct event_info x;
		memset(&x, 0, sizeof x);
		x.name = gen_text(g, e->name);
		x.action = e->action;
		x.roles = (uint8_t)e->roles;
		x.perform_fn = x.legal_fn = -1;
		for (int k = 0; k <= AT_STAGES; k++)
			x.stage_fn[k] = -1;
		x.told = e->node && e->node->text;
		x.waiting = e->name == m->w.wait;
		x.idle = e->name == m->default_action;
		x.span = e->at;
		int at = 0;
		for (int k = 0; k < e->roles; k++) {
			struct role_info *r = &x.role[k];
			r->name = gen_text(g, e->role[k].name);
			r->preposition = e->role[k].preposition ? gen_text(g, e->role[k].preposition) : "";
			r->type = vtype_of(g, e->role[k].type, e->role[k].frac);
			r->field = e->role[k].field >= 0 ? link_field(g, e->role[k].field) : -1;
			r->word = (uint16_t)at;
			at += width_of(g, e->role[k].type);
		}
		x.words = (uint16_t)at;
		for (int k = 0; k < e->slot.n && k < 16; k++) {
			int name = -1;
			for (int j = 0; j < m->kept.n; j++)
				if (m->kept.v[j].name == e->slot.v[k].name)
					name = j;
			if (name < 0) {
				struct mkept kept = {e->slot.v[k].name, e->slot.v[k].type, e->slot.v[k].frac};
				VEC_PUSH(m->kept, kept);
				name = m->kept.n - 1;
			}
			x.slot_name[x.slots] = (uint16_t)name;
			struct node *initial = e->slot.v[k].initial;
			x.slot_initial[x.slots] = type_is(e->slot.v[k].type, VT_SET) ? 0 : NONE;
			if (initial && initial->kind == N_KIND_V_PLAIN && !type_is(e->slot.v[k].type, VT_SET))
				x.slot_initial[x.slots] = const_value(g, initial->a, e->slot.v[k].type, e->slot.v[k].frac);
			x.slot_type[x.slots++] = vtype_of(g, e->slot.v[k].type, e->slot.v[k].frac);
		}
		VEC_PUSH(g->event, x);
	}
}

static void link_names(struct gen *g)
{
	struct model *m = g->m;
	struct program *p = g->p;
	p->kinds = m->kind.n > 32 ? 32 : m->kind.n;
	p->kind = arena_array(g->arena, struct kind_info, p->kinds);
	for (int i = 0; i < p->kinds; i++) {
		p->kind[i].name = gen_text(g, m->kind.v[i].name);
		p->kind[i].plural = gen_text(g, m->kind.v[i].plural);
		p->kind[i].live = m->kind.v[i].live;
	}
	p->lives[KIND_SIDE] = m->side.n;
	p->live[KIND_SIDE] = arena_array(g->arena, struct live_info, m->side.n + 1);
	for (int i = 0; i < m->side.n; i++) {
		p->live[KIND_SIDE][i].name = gen_text(g, m->side.v[i].name);
		p->live[KIND_SIDE][i].thing = -1;
	}
	p->lives[KIND_COMBATANT] = m->live.n;
	p->live[KIND_COMBATANT] = arena_array(g->arena, struct live_info, m->live.n + 1);
	for (int i = 0; i < m->live.n; i++) {
		p->live[KIND_COMBATANT][i].name = gen_text(g, m->live.v[i].name);
		p->live[KIND_COMBATANT][i].thing = m->thing.v[m->live.v[i].thing].program;
	}
	for (int k = KIND_SIDE; k <= KIND_COMBATANT; k++)
		for (int i = 0; i < p->lives[k]; i++) {
			sym s = intern_word(m->front->names, p->live[k][i].name);
			const char *t = intern_folded(m->front->names, s);
			p->live[k][i].hash = hash_bytes(t, strlen(t), 1);
		}
	link_item_names(g);
	p->questions = m->question.n;
	p->question = arena_array(g->arena, struct question_info, m->question.n + 1);
	for (int i = 0; i < m->question.n; i++) {
		struct mquestion *q = &m->question.v[i];
		struct question_info *x = &p->question[i];
		x->name = gen_text(g, q->name);
		x->params = (uint8_t)q->params;
		for (int k = 0; k < q->params; k++) {
			x->param[k] = vtype_of(g, q->param[k], q->param_frac[k]);
			x->param_name[k] = gen_text(g, q->param_name[k]);
		}
		x->type = vtype_of(g, q->type, q->frac);
		x->of_subject = q->subject >= 0;
		x->is_answer = q->adjective;
		x->fn = g->fn_question[i];
		x->stored = q->field >= 0 ? m->field.v[q->field].program : q->pair >= 0 ? m->pair.v[q->pair].program : -1;
	}
	p->choices = m->choice.n;
	p->choice = arena_array(g->arena, struct choice_info, m->choice.n + 1);
	for (int i = 0; i < m->choice.n; i++) {
		p->choice[i].name = gen_text(g, m->choice.v[i].name);
		p->choice[i].type = vtype_of(g, m->choice.v[i].type, false);
		p->choice[i].owner = (struct vtype){VT_LIVE, false, KIND_COMBATANT};
	}
	p->kepts = m->kept.n;
	p->kept = arena_array(g->arena, const char *, m->kept.n + 1);
	for (int i = 0; i < m->kept.n; i++)
		p->kept[i] = gen_text(g, m->kept.v[i].name);
	p->units = m->unit.n;
	p->unit = arena_array(g->arena, struct unit_info, m->unit.n + 1);
	p->shown_unit = -1;
	for (int i = 0; i < m->unit.n; i++) {
		struct munit *u = &m->unit.v[i];
		p->unit[i] = (struct unit_info){gen_text(g, u->name), u->base, u->num, u->den, u->module >= 0};
		/* what core counts, beats, is no clock of any system */
		bool time = u->module >= 0 && m->module.v[u->module].layer != LAYER_CORE && (u->base == VT_TIME || u->base == VT_COUNT);
		struct unit_info *shown = p->shown_unit < 0 ? NULL : &p->unit[p->shown_unit];
		/* the smallest; what is only counted says nothing where there is a clock */
		if (time && (!shown || (u->base == shown->base ? u->num * shown->den < shown->num * u->den : u->base == VT_TIME)))
			p->shown_unit = i;
	}
	p->options = m->option.n;
	p->option = arena_array(g->arena, struct option_info, m->option.n + 1);
	for (int i = 0; i < m->option.n; i++) {
		struct moption *o = &m->option.v[i];
		struct node *v = o->node->a;
		struct buf others = {0};
		int k = 0;
		for (struct node *x = o->node->a; x; x = x->next, k++) {
			if (k == o->value)
				v = x;
			else
				buf_printf(&others, "%s%s", others.length ? ", " : "", gen_excerpt(g, x->span));
		}
		p->option[i].name = gen_text(g, o->name);
		p->option[i].value = v ? gen_excerpt(g, v->span) : "";
		p->option[i].cite = o->node->text ? gen_copy(g, o->node->text, strlen(o->node->text)) : "";
		p->option[i].others = gen_copy(g, buf_text(&others), others.length);
		p->option[i].set = o->set != NULL;
		p->option[i].span = o->node->at;
		buf_free(&others);
	}
}

static int compare_texts(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	return strcmp(*x, *y);
}

static void rank_texts(struct gen *g)
{
	struct program *p = g->p;
	const char **sorted = arena_array(g->arena, const char *, p->texts + 1);
	p->text_rank = arena_array(g->arena, int32_t, p->texts + 1);
	for (int i = 0; i < p->texts; i++)
		sorted[i] = p->text[i];
	qsort(sorted, (size_t)p->texts, sizeof *sorted, compare_texts);
	for (int i = 0; i < p->texts; i++)
		for (int k = 0; k < p->texts; k++)
			if (!strcmp(sorted[k], p->text[i]))
				p->text_rank[i] = k;
}

static int numbered_before(const void *a, const void *b)
{
	const struct numbered_die *x = a, *y = b;
	if (x->label != y->label)
		return x->label < y->label ? -1 : 1;
	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	if (x->occurrence != y->occurrence)
		return x->occurrence < y->occurrence ? -1 : 1;
	return (x->pips > y->pips) - (x->pips < y->pips); /* as they were written */
}

#define MOVE_TABLE(member, count, type)                                           \
	do {                                                                          \
		p->count = g->member.n;                                                   \
		p->member = arena_array(g->arena, type, g->member.n + 1);                 \
		if (g->member.n)                                                          \
			memcpy(p->member, g->member.v, (size_t)g->member.n * sizeof *p->member); \
		VEC_FREE(g->member);                                                      \
	} while (0)

static bool any_preferred(const struct model *m)
{
	for (int i = 0; i < m->rule.n; i++)
		if (m->rule.v[i].preferred)
			return true;
	return false;
}

/* By rulings of blocks: while these hold. */
static void link_ruled(struct gen *g, struct beats_info beats, int over, int under)
{
	const struct mrule *r = &g->m->rule.v[over];
	for (int i = 0; i < r->ruled.n; i++) {
		if (r->ruled.v[i].under != under)
			continue;
		beats.from = block_of(r->ruled.v[i].moment);
		beats.until = block_of(r->ruled.v[i].until);
		VEC_PUSH(g->beats, beats);
	}
}

/* Of clauses that order acts which beat which; of those that do something where a ruling says so. */
static void link_beats(struct gen *g)
{
	struct model *m = g->m;
	for (int a = 0; a < m->clause.n; a++) {
		enum clause_sort sort = (enum clause_sort)m->clause.v[a].sort;
		bool does = sort == CLAUSE_PAIR || (sort >= CLAUSE_INSTEAD && sort <= CLAUSE_WHENEVER);
		for (int b = 0; b < m->clause.n && does && m->clause.v[a].program >= 0; b++) {
			struct beats_info beats = {m->clause.v[a].program, m->clause.v[b].program, 0, 0};
			bool ruled = sort == CLAUSE_PAIR || (m->clause.v[a].rule >= 0 && m->rule.v[m->clause.v[a].rule].preferred);
			bool alike = (m->clause.v[b].sort == CLAUSE_PAIR) == (sort == CLAUSE_PAIR);
			if (beats.under >= 0 && alike && ruled && clause_excepts(m, a, b))
				VEC_PUSH(g->beats, beats);
			else if (beats.under >= 0 && alike && ruled && clause_ruled(m, a, b))
				link_ruled(g, beats, m->clause.v[a].rule, m->clause.v[b].rule);
		}
	}
}

static void move_tables(struct gen *g)
{
	struct program *p = g->p;
	p->code_span = arena_array(g->arena, struct span, g->code.n + 1);
	memcpy(p->code_span, g->code_span.v, (size_t)g->code_span.n * sizeof(struct span));
	VEC_FREE(g->code_span);
	VEC_FREE(g->followed);
	p->code_count = g->code.n;
	p->code = arena_array(g->arena, struct insn, g->code.n + 1);
	memcpy(p->code, g->code.v, (size_t)g->code.n * sizeof(struct insn));
	VEC_FREE(g->code);
	MOVE_TABLE(constant, constants, word);
	MOVE_TABLE(fn, fns, struct fn_info);
	MOVE_TABLE(event, events, struct event_info);
	MOVE_TABLE(clause, clauses, struct clause_info);
	MOVE_TABLE(label, labels, struct label_info);
	MOVE_TABLE(field, fields, struct field_info);
	MOVE_TABLE(pair, pairs, struct pair_info);
	MOVE_TABLE(thing, things, struct thing_info);
	MOVE_TABLE(thing_field, thing_fields, struct thing_field);
	p->thing_words = arena_array(g->arena, word, g->thing_words.n + 1);
	if (g->thing_words.n)
		memcpy(p->thing_words, g->thing_words.v, (size_t)g->thing_words.n * sizeof(word));
	VEC_FREE(g->thing_words);
	p->list_word_count = g->list_words.n;
	p->list_words = arena_array(g->arena, word, g->list_words.n + 1);
	if (g->list_words.n)
		memcpy(p->list_words, g->list_words.v, (size_t)g->list_words.n * sizeof(word));
	VEC_FREE(g->list_words);
	MOVE_TABLE(text, texts, const char *);
	MOVE_TABLE(dice, dices, struct dice_info);
	MOVE_TABLE(piece, pieces, struct template_piece);
	MOVE_TABLE(template_, templates, struct template_info);
	MOVE_TABLE(order, orders, struct order_info);
	MOVE_TABLE(forced, forceds, struct forced_die);
	MOVE_TABLE(numbered, numbereds, struct numbered_die);
	qsort(p->numbered, (size_t)p->numbereds, sizeof *p->numbered, numbered_before);
	MOVE_TABLE(pips, pips_count, struct pips);
	p->pip_face_count = g->pip_face.n;
	p->pip_faces = arena_array(g->arena, int32_t, g->pip_face.n + 1);
	if (g->pip_face.n)
		memcpy(p->pip_faces, g->pip_face.v, (size_t)g->pip_face.n * sizeof(int32_t));
	VEC_FREE(g->pip_face);
	MOVE_TABLE(forced_choice, forced_choices, struct forced_choice);
	p->answer_count = g->answer.n;
	p->answers = arena_array(g->arena, word, g->answer.n + 1);
	if (g->answer.n)
		memcpy(p->answers, g->answer.v, (size_t)g->answer.n * sizeof(word));
	VEC_FREE(g->answer);
	MOVE_TABLE(block, blocks, struct block_info);
	MOVE_TABLE(expect, expects, struct expect_info);
	MOVE_TABLE(line, lines, struct line_info);
	MOVE_TABLE(table, tables, struct table_info);
	MOVE_TABLE(table_row, table_rows, struct table_row);
	p->table_word_count = g->table_words.n;
	p->table_words = arena_array(g->arena, word, g->table_words.n + 1);
	if (g->table_words.n)
		memcpy(p->table_words, g->table_words.v, (size_t)g->table_words.n * sizeof(word));
	VEC_FREE(g->table_words);
	MOVE_TABLE(phase, phases, struct phase_info);
	MOVE_TABLE(whenever, whenevers, struct whenever_info);
	link_beats(g);
	MOVE_TABLE(beats, beats_count, struct beats_info);
	VEC_FREE(g->watch);
	VEC_FREE(g->todo);
	VEC_FREE(g->ask);
	VEC_FREE(g->stated);
	VEC_FREE(g->used);
	VEC_FREE(g->extra_thing_word);
}

static int *minus_ones(struct gen *g, int n)
{
	int *v = arena_array(g->arena, int, n + 1);
	for (int i = 0; i <= n; i++)
		v[i] = -1;
	return v;
}

static uint64_t program_identity(const struct program *p)
{
	uint64_t h = hash_bytes(p->code, (size_t)p->code_count * sizeof *p->code, 7);
	h = hash_bytes(p->beats, (size_t)p->beats_count * sizeof *p->beats, h);
	h = hash_bytes(&p->layout, sizeof p->layout, h);
	h = hash_bytes(p->start, p->layout.words * sizeof(word), h);
	return h;
}

enum { CALLS_DEEP = 4 };

/* For runs that nobody observes: short functions are put in where they are called, and all become shorter. */
static void specialise(struct program *p)
{
	bool *grown = calloc((size_t)p->fns + 1, sizeof *grown);
	if (!grown)
		abort();
	program_effects(p);
	program_shorten(p, NULL);
	for (int i = 0; i < CALLS_DEEP; i++) {
		program_effects(p);
		if (!program_inline(p, grown))
			break;
		program_shorten(p, grown);
	}
	free(grown);
}

struct program *link_encounter(struct model *m, int encounter, bool observed)
{
	struct program *p = calloc(1, sizeof *p);
	struct gen gen, *g = &gen;
	if (!p)
		abort();
	memset(g, 0, sizeof *g);
	arena_init(&p->arena);
	g->m = m;
	g->p = p;
	g->arena = &p->arena;
	g->observed = p->observed = observed;
	g->encounter = encounter;
	bool reporting = m->reporting;
	int errors = m->sink->errors;
	m->reporting = true;
	scene_enter(m, encounter);
	layers_resolve(m);
	m->reporting = false;
	g->tells_clauses = observed || any_preferred(m);
	for (int i = 0; i < m->clause.n; i++)
		m->clause.v[i].program = -1;
	int most = m->live.n;
	for (int k = KIND_FIRST_DECLARED; k < m->kind.n; k++)
		most = item_count(m, k) > most ? item_count(m, k) : most;
	p->set_words = (most + 63) / 64;
	if (p->set_words < 1)
		p->set_words = 1;
	g->bearer_reg = g->bearer_live = g->awaited = g->newcomer = -1;
	p->at.branch_open = -1;
	p->script = gen_copy(g, "", 0);
	p->encounter = gen_text(g, m->encounter.v[encounter].name);
	p->ruleset = "";
	for (int i = 0; i < m->module.n; i++)
		if (m->module.v[i].layer == LAYER_RULESET)
			p->ruleset = gen_copy(g, m->module.v[i].shown, strlen(m->module.v[i].shown));
	g->fn_question = minus_ones(g, m->question.n);
	g->fn_base = minus_ones(g, m->question.n);
	g->pended = arena_array(g->arena, bool, m->event.n + 1);
	for (int i = 0; i < 4; i++)
		g->fn_stage[i] = minus_ones(g, m->event.n);
	g->fn_whenever = g->fn_group = g->fn_one = g->fn_over = g->fn_moment = g->fn_answer = g->random_dice = -1;
	text_index(g, "");
	link_fields(g);
	link_events(g);
	link_things(g);
	link_tables(g);
	gen_script(g);
	p->at.act_time_question = model_question_of(m, KIND_ACT, m->w.time, false);
	p->at.void_question = model_question_of(m, KIND_ACT, m->w.void_, true);
	if (p->at.act_time_question >= 0)
		question_fn(g, p->at.act_time_question);
	gen_pending(g);
	lay_out(g);
	p->start = arena_array(g->arena, word, p->layout.words);
	store_world(g, p->start);
	store_act_defaults(g, p->start);
	link_names(g);
	move_tables(g);
	rank_texts(g);
	p->from_start = !observed && !m->branch_waits; /* else it goes on from a moment of another program */
	struct turns turns = {0};
	program_effects(p);
	if (!observed) {
		program_turns_open(p, &turns);
		specialise(p);
		program_effects(p);
		program_turns_close(p, &turns);
		program_alone(p);
		program_lasting(p);
	}
	p->start[H_PROGRAM] = 0;
	p->id = program_identity(p);
	p->start[H_PROGRAM] = (word)p->id;
	scene_leave(m);
	m->reporting = reporting;
	if (g->failed || m->sink->errors != errors) {
		program_free(p);
		return NULL;
	}
	return p;
}
