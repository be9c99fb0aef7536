/* const.c - what stat blocks say, as words: values, things, natural weapons. */
#include <string.h>

#include "lang/gen/gen.h"

static void not_constant(struct gen *g, struct node *n)
{
	diag_report(g->m->sink, M_NOT_CONSTANT, n->span, 0);
	g->failed = true;
}

word gen_too_big(struct gen *g, const struct node *n)
{
	diag_report(g->m->sink, M_NUMBER_TOO_BIG, n->span, 0);
	g->failed = true;
	return NONE;
}

word const_value(struct gen *g, struct node *n, struct type *type, bool frac)
{
	struct model *m = g->m;
	struct type *t = type_find(type);
	bool bad = false;
	word v = NONE;
	switch (n->kind) {
	case N_KIND_E_NUM:
		v = n->den == 1 ? n->num : frac_make(n->num, n->den, &bad);
		if (frac && n->den == 1)
			v = frac_of(v, &bad);
		return bad ? gen_too_big(g, n) : v;
	case N_KIND_E_NEG:
		v = const_value(g, n->a, type, frac);
		if (v == NONE)
			return v;
		v = frac ? frac_sub(frac_of(0, &bad), v, &bad) : -v;
		return bad ? gen_too_big(g, n) : v;
	case N_KIND_E_QTY: {
		int unit = model_unit(m, n->name);
		if (unit < 0)
			return NONE;
		const struct munit *u = &m->unit.v[unit];
		int64_t top = num_mul(u->num, n->num, &bad), bottom = num_mul(u->den, n->den, &bad);
		if (!bad)
			v = frac || top % bottom ? frac_make(top, bottom, &bad) : top / bottom;
		return bad ? gen_too_big(g, n) : v;
	}
	case N_KIND_E_PERCENT:
		return frac_make(n->num, n->den * 100, &bad);
	case N_KIND_E_CHANCE:
		return frac_make(n->num, n->den, &bad);
	case N_KIND_E_DICE:
		return dice_index(g, n->text);
	case N_KIND_E_YES:
		return 1;
	case N_KIND_E_NO:
		return 0;
	case N_KIND_E_NONE:
		return NONE;
	case N_KIND_E_TEXT:
		if (t->base == VT_WORD)
			return text_index(g, intern_folded(m->front->names, intern_word(m->front->names, n->text)));
		if (t->base == VT_THING) {
			int thing = model_thing_at(m, n->span, intern_word(m->front->names, n->text), -1);
			return thing < 0 ? NONE : thing_index(g, thing);
		}
		return text_index(g, n->text);
	case N_KIND_E_NAME: {
		if (t->base == VT_WORD)
			return text_index(g, intern_folded(m->front->names, model_alias(m, n->name)));
		if (t->base == VT_LIVE && kind_borne(m, t->kind))
			return item_constant(g, n);
		if (t->base == VT_LIVE) {
			int live = t->kind == KIND_SIDE ? model_side(m, n->name) : live_named(g, n->name);
			return live < 0 ? NONE : live;
		}
		if (t->base == VT_EVENT) {
			int event = model_event(m, n->name);
			return event < 0 ? NONE : event;
		}
		int thing = n->ref_kind == REF_THING ? n->ref : model_thing_at(m, n->span, n->name, t->base == VT_THING && t->kind >= 0 ? kind_root(m, t->kind) : -1);
		if (thing >= 0)
			return thing_index(g, thing);
		return text_index(g, intern_folded(m->front->names, n->name));
	}
	case N_KIND_E_FIELD:
		if (n->ref_kind == REF_ITEM || n->ref_kind == REF_ITEM_NAMED)
			return item_constant(g, n);
		break;
	case N_KIND_E_BINARY: {
		bool fa = n->a->frac || n->op == BIN_DIV, fb = n->b->frac || n->op == BIN_DIV;
		bool f = fa || fb || frac;
		word a = const_value(g, n->a, n->a->type, f), b = const_value(g, n->b, n->b->type, f);
		if (a == NONE || b == NONE || n->op > BIN_DIV)
			break;
		if (f)
			v = n->op == BIN_ADD ? frac_add(a, b, &bad) : n->op == BIN_SUB ? frac_sub(a, b, &bad) : n->op == BIN_MUL ? frac_mul(a, b, &bad) : frac_div(a, b, &bad);
		else
			v = n->op == BIN_ADD ? num_add(a, b, &bad) : n->op == BIN_SUB ? num_sub(a, b, &bad) : num_mul(a, b, &bad);
		if (bad)
			not_constant(g, n);
		return v;
	}
	case N_KIND_E_ROUND:
		return n->a->frac ? frac_round(const_value(g, n->a, type, true), (enum rounding)n->op) : const_value(g, n->a, type, false);
	case N_KIND_E_MOMENT:
		return n->num;
	default:
		break;
	}
	not_constant(g, n);
	return NONE;
}

/* ---- things ---- */

int thing_index(struct gen *g, int mthing)
{
	return g->m->thing.v[mthing].program;
}

/* What a weapon made on the spot is said to have: "sting 2d8 with { venomous: yes }". */
static struct node *said_of(const struct node *v, int field, struct node *otherwise)
{
	for (const struct node *f = v->b; f; f = f->next)
		if (f->ref == field && !f->damaged)
			return f->a;
	return otherwise;
}

/* "claw 1d3" in a list of attacks is a weapon of its own. */
int natural_weapon(struct gen *g, const struct node *named, int kind)
{
	struct node *dice = named->a;
	struct model *m = g->m;
	int damage = model_field(m, kind, model_sym(m, "damage"));
	struct thing_info t = {gen_text(g, named->name), (uint16_t)kind_root(m, kind), -1, dice->span};
	VEC_PUSH(g->thing, t);
	const int index = g->thing.n - 1, n = g->thing_field.n, root = kind_root(m, kind);
	/* which field of the model each is, so that not all of them are gone through for each */
	VEC(int) field = {0};
	for (int i = 0; i < n; i++)
		VEC_PUSH(field, -1);
	for (int f = 0; f < m->field.n && !m->kind.v[root].live; f++)
		if (m->field.v[f].kind == root && m->field.v[f].program >= 0 && m->field.v[f].program < n)
			field.v[m->field.v[f].program] = f;
	for (int i = 0; i < n; i++) {
		word v = NONE;
		const int f = field.v[i];
		/* defaults of its kind */
		if (f >= 0) {
			struct node *d = said_of(named, f, m->field.v[f].initial);
			if (f == damage)
				v = dice_index(g, dice->text);
			else if (d && d->kind == N_KIND_V_PLAIN && !type_is(m->field.v[f].type, VT_LIST))
				v = const_value(g, d->a, m->field.v[f].type, m->field.v[f].frac);
			else if (type_is(m->field.v[f].type, VT_LIST)) {
				v = g->list_words.n;
				VEC_PUSH(g->list_words, 0);
				for (; d && d != m->field.v[f].initial; d = d->next)
					if (d->kind == N_KIND_V_PLAIN && d->a->kind != N_KIND_E_NONE) {
						VEC_PUSH(g->list_words, const_value(g, d->a, type_find(m->field.v[f].type)->elem, false));
						g->list_words.v[v]++;
					}
			}
		}
		VEC_PUSH(g->thing_words, v);
	}
	VEC_FREE(field);
	return index;
}
