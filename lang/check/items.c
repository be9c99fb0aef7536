/* items.c - things in play: what combatants bear of the live kinds the rules declare.
 *
 * `kind weapon is live` makes every weapon a combatant's stat block names one of its own, with
 * its own fields and a bearer: two men with swords have two swords. The stat blocks of the
 * things themselves stay patterns, as a monster's is of each of that monster. */
#include <string.h>

#include "lang/check/model.h"

bool kind_borne(const struct model *m, int kind)
{
	int root = kind < 0 ? -1 : kind_root(m, kind);
	return root >= KIND_FIRST_DECLARED && m->kind.v[root].live;
}

static bool thing_borne(const struct model *m, int thing)
{
	return thing >= 0 && kind_borne(m, m->thing.v[thing].kind);
}

int item_count(const struct model *m, int kind)
{
	int n = 0;
	for (int i = 0; i < m->item.n; i++)
		n += m->item.v[i].kind == kind;
	return n;
}

int item_of(const struct model *m, int bearer, int thing)
{
	for (int i = 0; i < m->item.n; i++)
		if (m->item.v[i].bearer == bearer)
			for (int t = m->item.v[i].thing; t >= 0; t = m->thing.v[t].parent)
				if (t == thing)
					return i;
	return -1;
}

int item_named(const struct model *m, int bearer, sym name)
{
	const char *text = intern_folded(m->front->names, model_alias(m, name));
	for (int i = 0; i < m->item.n; i++)
		if (m->item.v[i].bearer == bearer && !strcmp(intern_folded(m->front->names, m->item.v[i].local), text))
			return i;
	return -1;
}

/* "Rolf's sword", "James' sword" */
static sym full_name(struct model *m, int bearer, sym local)
{
	struct buf b = {0};
	const char *owner = model_text(m, m->live.v[bearer].name);
	size_t length = strlen(owner);
	buf_printf(&b, "%s%s %s", owner, length && owner[length - 1] == 's' ? "'" : "'s", model_text(m, local));
	sym name = intern_put(m->front->names, b.data, b.length);
	buf_free(&b);
	return name;
}

static void item_add(struct model *m, int bearer, int kind, int thing, sym local, int number, int field, struct node *v)
{
	struct mitem x = {0};
	if (number > 0) {
		struct buf b = {0};
		buf_printf(&b, "%s #%d", model_text(m, local), number);
		local = intern_put(m->front->names, b.data, b.length);
		buf_free(&b);
	}
	x.local = local;
	x.name = full_name(m, bearer, local);
	x.kind = kind;
	x.index = item_count(m, kind);
	x.thing = thing;
	x.bearer = bearer;
	x.field = field;
	x.dice = v->kind == N_KIND_V_NAMED ? v->a : NULL;
	x.own = v->b;
	VEC_PUSH(m->item, x);
}

/* How many of the thing, or of that name, the bearer has already. */
static int already(const struct model *m, int bearer, int thing, sym name)
{
	int n = 0;
	for (int i = 0; i < m->item.n; i++)
		n += m->item.v[i].bearer == bearer && (thing >= 0 ? m->item.v[i].thing == thing : m->item.v[i].local == name);
	return n;
}

int item_thing(const struct model *m, const struct node *v)
{
	if (v->kind == N_KIND_V_COUNT) {
		int thing = model_thing_at(m, v->span, v->name, -1);
		return thing >= 0 ? thing : model_thing_plural(m, v->name, -1);
	}
	if (v->kind != N_KIND_V_PLAIN || !v->a)
		return -1;
	if (v->a->kind == N_KIND_E_NAME)
		return model_thing_at(m, v->span, v->a->name, -1);
	return v->a->kind == N_KIND_E_TEXT ? model_thing_at(m, v->span, intern_word(m->front->names, v->a->text), -1) : -1;
}

static void items_of_list(struct model *m, int bearer, int field, struct node *values, int elem)
{
	for (struct node *v = values; v; v = v->next) {
		if (v->kind == N_KIND_V_NAMED) {
			if (elem >= 0 && v->a->kind == N_KIND_E_DICE) {
				int used = already(m, bearer, -1, v->name);
				item_add(m, bearer, elem, -1, v->name, used ? used + 1 : 0, field, v);
			}
			continue;
		}
		int thing = item_thing(m, v);
		if (!thing_borne(m, thing))
			continue;
		int kind = kind_root(m, m->thing.v[thing].kind), used = already(m, bearer, thing, 0);
		if (v->kind != N_KIND_V_COUNT)
			item_add(m, bearer, kind, thing, m->thing.v[thing].name, used ? used + 1 : 0, field, v);
		for (int64_t k = 1; v->kind == N_KIND_V_COUNT && k <= v->num && k <= 200; k++)
			item_add(m, bearer, kind, thing, m->thing.v[thing].name, used + (int)k, field, v);
	}
}

/* What the encounter says of X's field in place of the stat block, or NULL. */
static struct node *overridden(const struct model *m, int encounter, int live, sym field)
{
	struct node *found = NULL;
	for (struct node *n = m->encounter.v[encounter].node->a; n; n = n->next) {
		if (n->kind != N_KIND_N_OVERRIDE || n->damaged || n->a->kind != N_KIND_E_FIELD || n->a->a->kind != N_KIND_E_NAME)
			continue;
		sym owner = model_alias(m, n->a->a->name);
		bool his = owner == m->live.v[live].name || owner == m->thing.v[m->live.v[live].thing].name || owner == m->side.v[m->live.v[live].side].name;
		if (his && model_alias(m, n->a->name) == field)
			found = n->b;
	}
	return found;
}

static struct node *values_of(const struct model *m, int encounter, int live, int field)
{
	struct node *said = overridden(m, encounter, live, m->field.v[field].name);
	if (said)
		return said;
	for (int t = m->live.v[live].thing; t >= 0; t = m->thing.v[t].parent)
		for (struct node *d = m->thing.v[t].node->b; d; d = d->next)
			if (d->kind == N_KIND_D_FIELD && !d->damaged && model_alias(m, d->name) == m->field.v[field].name)
				return d->a;
	return NULL;
}

void items_enter(struct model *m, int encounter)
{
	bool any = false;
	m->item.n = 0;
	for (int k = KIND_FIRST_DECLARED; k < m->kind.n; k++)
		any = any || kind_borne(m, k);
	if (!any)
		return;
	for (int live = 0; live < m->live.n; live++) {
		/* lists first: `weapon: sword` is the sword he carries */
		for (int single = 0; single < 2; single++)
			for (int f = 0; f < m->field.n; f++) {
				struct type *t = type_find(m->field.v[f].type);
				if (m->field.v[f].kind != KIND_COMBATANT)
					continue;
				struct type *elem = t->elem ? type_find(t->elem) : t;
				bool mixed = t->base == VT_LIST && elem->base == VT_THING && elem->kind < 0;
				bool borne = elem->base == VT_LIVE && kind_borne(m, elem->kind);
				if (!mixed && !borne)
					continue;
				struct node *values = values_of(m, encounter, live, f);
				if (t->base == VT_LIST || t->base == VT_SET) {
					if (!single)
						items_of_list(m, live, f, values, borne ? kind_root(m, elem->kind) : -1);
				} else if (single && values) {
					int thing = item_thing(m, values);
					if (thing_borne(m, thing) && item_of(m, live, thing) < 0)
						item_add(m, live, kind_root(m, elem->kind), thing, m->thing.v[thing].name, 0, f, values);
				}
			}
	}
}
