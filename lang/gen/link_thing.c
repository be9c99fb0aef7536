/* link_thing.c - the fields of everything, and what stat blocks say. */
#include <stdlib.h>
#include <string.h>

#include "lang/gen/gen.h"

enum { LIST_SPARE = 8 };

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
	f.span = g->span;
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

static int things_in(const struct node *values)
{
	int64_t n = 0;
	for (const struct node *v = values; v; v = v->next)
		n += v->kind == N_KIND_V_COUNT ? v->num : 1;
	return (int)(n > 200 ? 200 : n);
}

/* The most that a line of a list sets the field to, in its blocks as well. */
static int most_set(const struct node *list, int mfield)
{
	int most = 0;
	for (const struct node *d = list; d; d = d->next) {
		const struct node *set = d->kind == N_KIND_S_EACH ? d->b->a : d;
		bool says = !d->damaged && d->ref == mfield && (d->kind == N_KIND_D_FIELD || d->kind == N_KIND_N_OVERRIDE);
		int n = 0;
		if (says)
			n = things_in(d->kind == N_KIND_D_FIELD ? d->a : d->b);
		else if (set->kind == N_KIND_S_SET && set->c && set->a->ref == mfield)
			n = things_in(set->c);
		else if (d->kind == N_KIND_MOMENT || d->kind == N_KIND_N_EDIT)
			n = most_set(d->a, mfield);
		most = n > most ? n : most;
	}
	return most;
}

/* How many things a list field may hold: what any stat block or the encounter says, and some to spare. */
static int list_capacity(struct gen *g, int mfield)
{
	struct model *m = g->m;
	int most = 0, n;
	for (int i = 0; i < m->thing.n; i++)
		for (struct node *d = m->thing.v[i].node->b; d; d = d->next)
			if (d->kind == N_KIND_D_FIELD && d->ref == mfield && kind_root(m, m->thing.v[i].kind) == m->field.v[mfield].kind && (n = things_in(d->a)) > most)
				most = n;
	n = most_set(m->encounter.v[g->encounter].node->a, mfield);
	most = n > most ? n : most;
	return most + LIST_SPARE;
}

void link_fields(struct gen *g)
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
		if (kind_borne(m, f->kind) && t.base != VT_LIST && t.base != VT_SET) {
			struct thing_field said = {gen_text(g, f->name), (uint16_t)f->kind, t};
			f->pattern = g->thing_field.n;
			VEC_PUSH(g->thing_field, said);
		}
		struct field_info x = {0};
		x.name = gen_text(g, f->name);
		x.kind = (uint16_t)f->kind;
		x.type = t;
		x.shared = f->shared;
		x.hidden = f->hidden;
		x.kept = f->kept;
		x.state = f->state ? gen_text(g, f->state) : NULL;
		x.words = t.base == VT_SET ? (uint32_t)g->p->set_words : t.base == VT_LIST ? (uint32_t)(1 + list_capacity(g, i)) : 1;
		f->program = g->field.n;
		VEC_PUSH(g->field, x);
	}
	for (int i = 0; i < m->field.n; i++) {
		const struct mfield *f = &m->field.v[i];
		if (!f->settled || f->program < 0 || !m->kind.v[f->kind].live)
			continue;
		g->field.v[f->program].settled = (int8_t)f->settled;
		g->field.v[f->program].lead = (uint16_t)m->field.v[f->lead].program;
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
		if (!f->of_library || !f->initial || (f->initial->next && !f->closed) || f->initial->kind != N_KIND_V_PLAIN || t.base == VT_SET || t.base == VT_LIST)
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
		x.kept = q->kept;
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

struct node *thing_own_field(struct gen *g, int thing, int mfield)
{
	for (struct node *d = g->m->thing.v[thing].node->b; d; d = d->next)
		if (d->ref == mfield && !d->damaged && (d->kind == N_KIND_D_FIELD || d->kind == N_KIND_TABLE))
			return d->kind == N_KIND_TABLE ? d->d : d->a;
	return NULL;
}

/* The values a stat block gives a field, its own or inherited; else the field's default. */
struct node *thing_values(struct gen *g, int thing, int mfield)
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
bool extra_value(struct gen *g, int thing, int mfield, word *out)
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

void list_items(struct gen *g, struct node *values, struct type *type, void (*add)(struct gen *, word, void *), void *ctx)
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
			if (v->a->kind == N_KIND_E_NAME && type_named(m, v->a->name) && elem->base != VT_WORD && model_thing_at(m, v->a->span, v->a->name, -1) < 0)
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

/* The fields "works on ROLE" of what does not state them: by the thing's own rules. */
static void link_works_on(struct gen *g, int fields)
{
	struct model *m = g->m;
	uint8_t *works = NULL;
	for (int f = 0; f < m->field.n; f++) {
		const sym role = field_works_on(m, f);
		works = !role || works ? works : calloc((size_t)m->thing.n + 1, 1);
		must(!role || works);
		if (!role || !things_work_on(m, role, works))
			continue;
		for (int i = 0; i < m->thing.n; i++)
			if (works[i] && kind_root(m, m->thing.v[i].kind) == m->field.v[f].kind &&
				thing_values(g, i, f) == m->field.v[f].initial)
				g->thing_words.v[i * fields + m->field.v[f].program] = 1;
	}
	free(works);
}

void link_things(struct gen *g)
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
		if (m->kind.v[kind].live && !kind_borne(m, kind))
			continue;
		for (int f = 0; f < m->field.n; f++) {
			struct mfield *x = &m->field.v[f];
			if (x->kind != kind || (m->kind.v[kind].live && (type_is(x->type, VT_LIST) || type_is(x->type, VT_SET))))
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
			g->thing_words.v[i * fields + (m->kind.v[kind].live ? x->pattern : x->program)] = w;
		}
	}
	link_works_on(g, fields);
}
