/* types.c - type terms: making, unifying, naming. Nobody writes a type in a script but in
 * the default of a field; all else follows from use. */
#include "lang/check/model.h"

#include <string.h>

/* What is known never changes, so one of each is enough: of all that have no kind, and of
 * those that live. */
struct type *type_new(struct model *m, enum vbase base, int kind)
{
	bool one = base != VT_UNKNOWN && base != VT_SET && base != VT_LIST && kind < (int)FRAY_COUNT(m->known[0]) - 1;
	if (one && m->known[base][kind + 1])
		return m->known[base][kind + 1];
	struct type *t = arena_new(m->arena, struct type);
	if (one)
		m->known[base][kind + 1] = t;
	t->base = (uint8_t)base;
	t->kind = (int16_t)kind;
	return t;
}

struct type *type_var(struct model *m)
{
	return type_new(m, VT_UNKNOWN, -1);
}

struct type *type_set(struct model *m, struct type *elem)
{
	struct type *t = type_new(m, VT_SET, -1);
	t->elem = elem;
	return t;
}

struct type *type_list(struct model *m, struct type *elem)
{
	struct type *t = type_new(m, VT_LIST, -1);
	t->elem = elem;
	return t;
}

struct type *type_find(struct type *t)
{
	while (t->same)
		t = t->same;
	return t;
}

bool type_is(struct type *t, enum vbase base)
{
	return type_find(t)->base == base;
}

bool type_number(struct type *t)
{
	t = type_find(t);
	return t->base >= VT_NUMBER && t->base <= VT_COUNT;
}

static bool contains(struct type *whole, struct type *part)
{
	whole = type_find(whole);
	return whole == part || (whole->elem && contains(whole->elem, part));
}

bool type_unify(struct model *m, struct type *a, struct type *b)
{
	a = type_find(a);
	b = type_find(b);
	if (a == b)
		return true;
	if (a->base == VT_UNKNOWN || b->base == VT_UNKNOWN) {
		struct type *var = a->base == VT_UNKNOWN ? a : b;
		struct type *to = var == a ? b : a;
		if (contains(to, var))
			return false;
		var->same = to;
		m->changed = true;
		return true;
	}
	if (a->base != b->base)
		return false;
	switch (a->base) {
	case VT_SET:
	case VT_LIST:
		return type_unify(m, a->elem, b->elem);
	case VT_LIVE:
		return kind_root(m, a->kind) == kind_root(m, b->kind);
	case VT_THING:
		if (a->kind < 0 || b->kind < 0)
			return true;
		return kind_root(m, a->kind) == kind_root(m, b->kind);
	case VT_COUNT:
		return a->kind == b->kind;
	default:
		return true;
	}
}

void type_print(const struct model *m, struct type *t, struct buf *out)
{
	static const char *const names[VT_BASES] = {
		[VT_UNKNOWN] = "something unknown", [VT_NUMBER] = "a number", [VT_TIME] = "a time", [VT_DISTANCE] = "feet",
		[VT_SCALE] = "scale distance", [VT_WEIGHT] = "a weight", [VT_MONEY] = "money", [VT_CHANCE] = "a chance",
		[VT_BOOL] = "yes or no", [VT_WORD] = "a word", [VT_TEXT] = "a text", [VT_DICE] = "dice",
		[VT_EVENT] = "an action",
	};
	t = type_find(t);
	switch (t->base) {
	case VT_THING:
	case VT_LIVE: {
		const char *name = t->kind < 0 ? "thing" : model_text(m, m->kind.v[t->kind].name);
		buf_printf(out, "%s %s", strchr("aeiouAEIOU", name[0]) && name[0] ? "an" : "a", name);
		break;
	}
	case VT_SET:
	case VT_LIST:
		buf_puts(out, "a list of ");
		if (type_find(t->elem)->base == VT_WORD)
			buf_puts(out, "words");
		else if (type_find(t->elem)->kind >= 0)
			buf_puts(out, model_text(m, m->kind.v[type_find(t->elem)->kind].plural));
		else
			buf_puts(out, "things");
		break;
	case VT_COUNT:
		buf_printf(out, "a number of %ss", model_text(m, m->unit.v[t->kind].name));
		break;
	default:
		buf_puts(out, names[t->base]);
	}
}

struct type *type_named(struct model *m, sym name)
{
	const struct sym_words *w = &m->w;
	if (name == w->number || name == w->count)
		return type_new(m, VT_NUMBER, -1);
	if (name == w->time || name == w->moment)
		return type_new(m, VT_TIME, -1);
	if (name == w->distance)
		return type_new(m, VT_DISTANCE, -1);
	if (name == w->scale_distance)
		return type_new(m, VT_SCALE, -1);
	if (name == w->text)
		return type_new(m, VT_TEXT, -1);
	if (name == w->dice)
		return type_new(m, VT_DICE, -1);
	if (name == w->word_)
		return type_new(m, VT_WORD, -1);
	if (name == w->chance)
		return type_new(m, VT_CHANCE, -1);
	if (name == w->weight)
		return type_new(m, VT_WEIGHT, -1);
	if (name == w->money)
		return type_new(m, VT_MONEY, -1);
	if (name == w->yes_no || name == w->answer)
		return type_new(m, VT_BOOL, -1);
	const char *text = intern_folded(m->front->names, name);
	if (!strncmp(text, "list of ", 8)) {
		sym elem = intern_word(m->front->names, text + 8);
		int kind = model_kind(m, elem);
		if (elem == m->w.thing || !strcmp(text + 8, "things"))
			return type_list(m, type_new(m, VT_THING, -1));
		if (!strcmp(text + 8, "words") || !strcmp(text + 8, "word"))
			return type_list(m, type_new(m, VT_WORD, -1));
		if (kind < 0)
			return NULL;
		int root = kind_root(m, kind);
		if (m->kind.v[root].live)
			return type_set(m, type_new(m, VT_LIVE, root));
		return type_list(m, type_new(m, VT_THING, kind));
	}
	int kind = model_kind(m, name);
	if (kind >= 0) {
		int root = kind_root(m, kind);
		if (m->kind.v[root].live)
			return type_new(m, VT_LIVE, root);
		return type_new(m, VT_THING, kind);
	}
	int unit = model_unit(m, name);
	if (unit >= 0)
		return type_new(m, m->unit.v[unit].base, m->unit.v[unit].base == VT_COUNT ? unit : -1);
	return NULL;
}

/* Whether a stat block of the script's own has the thing in a field. */
static bool named_by_script(const struct model *m, const struct mthing *thing)
{
	for (int i = 0; i < m->thing.n; i++) {
		const struct mthing *own = &m->thing.v[i];
		for (const struct node *f = own->node && m->module.v[own->module].own ? own->node->b : NULL;
			 f; f = f->next)
			for (const struct node *v = f->kind == N_KIND_D_FIELD ? f->a : NULL; v; v = v->next)
				if ((v->kind == N_KIND_V_COUNT && v->name == thing->name) ||
					(v->kind == N_KIND_V_PLAIN && v->a->kind == N_KIND_E_NAME &&
						v->a->name == thing->name))
					return true;
	}
	return false;
}

const char *type_example(const struct model *m, struct type *t)
{
	t = type_find(t);
	if (t->base == VT_SET || t->base == VT_LIST)
		t = type_find(t->elem);
	switch (t->base) {
	case VT_NUMBER: return "12";
	case VT_DISTANCE: return "10 ft";
	case VT_SCALE: return "9\"";
	case VT_TIME: return "6 seconds";
	case VT_WEIGHT: return "5 lb";
	case VT_MONEY: return "20 gp";
	case VT_DICE: return "1d8";
	case VT_CHANCE: return "35%";
	case VT_BOOL: return "yes";
	case VT_TEXT: return "\"in quotes\"";
	case VT_COUNT: return "2, and its unit";
	default: break;
	}
	if (t->base == VT_LIVE && t->kind == KIND_SIDE && m->side.n)
		return model_text(m, m->side.v[0].name);
	if (t->base == VT_LIVE && t->kind == KIND_COMBATANT && m->live.n)
		return model_text(m, m->live.v[0].name);
	/* a thing of that kind, one that the script has or names before those of a library; of any
	 * kind, one that somebody can carry */
	for (int i = 0; i < m->thing.n && (t->base == VT_THING || t->base == VT_LIVE); i++) {
		const struct mthing *x = &m->thing.v[i];
		const bool carried = model_field(m, x->kind, model_sym(m, "weight")) >= 0 &&
			kind_root(m, x->kind) != KIND_COMBATANT;
		if ((t->kind < 0 ? carried : kind_is(m, x->kind, t->kind)) &&
			(m->module.v[x->module].own || named_by_script(m, x)))
			return model_text(m, x->name);
	}
	for (int i = 0; i < m->thing.n && t->base == VT_THING && t->kind < 0; i++)
		if (model_field(m, m->thing.v[i].kind, model_sym(m, "weight")) >= 0 && kind_root(m, m->thing.v[i].kind) != KIND_COMBATANT)
			return model_text(m, m->thing.v[i].name);
	for (int i = 0; i < m->thing.n; i++)
		if (t->kind >= 0 && (t->base == VT_THING || t->base == VT_LIVE) && kind_is(m, m->thing.v[i].kind, t->kind))
			return model_text(m, m->thing.v[i].name);
	return "..";
}
