/* infer_set.c - types of `X is Y` and `X has Y`, and of sets and whom they walk over. */
#include <string.h>

#include "lang/check/infer.h"
#include "runtime/dice/formula.h"

/* The field of kind `of` that holds a thing of kind `kind`, if there is just one. */
static int field_via(const struct model *m, int of, int kind)
{
	int found = -1;
	for (int i = 0; i < m->field.n; i++) {
		struct type *t = type_find(m->field.v[i].type);
		if (m->field.v[i].kind == of && t->base == VT_THING && t->kind >= 0 && kind_root(m, t->kind) == kind_root(m, kind)) {
			/* the field named after the kind wins */
			if (m->field.v[i].name == m->kind.v[kind_root(m, kind)].name)
				return i;
			if (found >= 0)
				return -1;
			found = i;
		}
	}
	return found;
}

struct type *infer_is(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	struct node *right = n->b;
	if (right->kind == N_KIND_E_NUM || right->kind == N_KIND_E_MOMENT)
		n->a = round_number(s, n->a);
	struct type *left = type_find(infer(s, n->a, NULL));
	if (report_is_one_of(s, n)) {
		n->ref_kind = REF_UNKNOWN;
		return bool_type(s);
	}
	if ((right->kind == N_KIND_E_YES || right->kind == N_KIND_E_NO) &&
		n->a->kind == N_KIND_E_OPTION && n->a->ref >= 0 &&
		option_value(m, n->a->ref, right) < 0) {
		if (m->reporting)
			report_option_value(m, n->a->ref, right);
		return bool_type(s);
	}
	if (right->kind == N_KIND_E_NONE) {
		n->ref_kind = REF_NONE;
		return bool_type(s);
	}
	if (right->kind == N_KIND_E_NAME && left->base == VT_UNKNOWN && !scope_find(s, right->name)) {
		/* whoever can be that: the one kind with such an adjective */
		int kind = -1, several = 0;
		for (int i = 0; i < m->question.n; i++)
			if (m->question.v[i].adjective && m->question.v[i].name == model_alias(m, right->name)) {
				several += kind >= 0 && kind != m->question.v[i].subject;
				kind = m->question.v[i].subject;
			}
		if (m->pass > 0 && kind >= 0 && !several)
			type_unify(m, left, live_type(s, kind));
		left = type_find(left);
		if (left->base == VT_UNKNOWN) {
			n->ref_kind = REF_UNKNOWN;
			if (m->reporting)
				model_report(m, M_UNKNOWN_TYPE, n->a->span, 0);
			return bool_type(s);
		}
	}
	if (right->kind == N_KIND_E_NAME && !scope_find(s, right->name)) {
		sym name = model_alias(m, right->name);
		if ((left->base == VT_LIVE || left->base == VT_THING) && left->kind >= 0) {
			int q = model_question_of(m, left->kind, name, true);
			if (q >= 0) {
				n->ref_kind = REF_ADJECTIVE;
				n->ref = q;
				return bool_type(s);
			}
			q = model_question_of(m, left->kind, name, false);
			if (q >= 0 && type_is(m->question.v[q].type, VT_BOOL)) {
				n->ref_kind = REF_ADJECTIVE;
				n->ref = q;
				return bool_type(s);
			}
			int f = model_field(m, left->kind, name);
			if (f >= 0 && type_is(m->field.v[f].type, VT_BOOL)) {
				n->ref_kind = REF_FLAG;
				n->ref = f;
				return bool_type(s);
			}
		}
		if (left->base == VT_LIVE && left->kind == KIND_ACT) {
			int event = model_event(m, name);
			if (event >= 0) {
				n->ref_kind = REF_EVENT;
				n->ref = event;
				return bool_type(s);
			}
		}
		if (left->base == VT_LIVE && left->kind == KIND_COMBATANT && model_live(m, name) < 0) {
			int thing = model_thing_at(m, right->span, name, -1);
			if (thing >= 0) {
				int root = kind_root(m, m->thing.v[thing].kind);
				if (root == KIND_COMBATANT && m->thing.v[thing].kind != KIND_COMBATANT) {
					n->ref_kind = REF_ISA;
					n->ref = thing;
					return bool_type(s);
				}
				int via = root == KIND_COMBATANT ? -1 : field_via(m, KIND_COMBATANT, m->thing.v[thing].kind);
				if (via >= 0) {
					n->ref_kind = REF_VIA;
					n->ref = via;
					right->ref_kind = REF_THING;
					right->ref = thing;
					return bool_type(s);
				}
			}
		}
		if (left->base == VT_THING || (left->base == VT_LIVE && kind_borne(m, left->kind))) {
			int thing = model_thing_at(m, right->span, name, left->kind >= 0 ? kind_root(m, left->kind) : -1);
			if (thing >= 0) {
				n->ref_kind = REF_ISA;
				n->ref = thing;
				return bool_type(s);
			}
		}
		int kind = model_kind(m, name);
		bool sort = kind >= 0 && left->base == VT_LIVE && left->kind >= 0 && kind_root(m, kind) == kind_root(m, left->kind); /* "combatant is monster" */
		if (sort || (left->base == VT_THING && kind >= 0 && (!m->kind.v[kind_root(m, kind)].live || kind_borne(m, kind)))) {
			n->ref_kind = REF_IS_KIND;
			n->ref = kind;
			return bool_type(s);
		}
		if (left->base == VT_WORD) {
			n->ref_kind = REF_WORD;
			right->ref_kind = REF_WORD;
			check_word(s, n->a, right);
			word_asked(m, n->a, right);
			return bool_type(s);
		}
		if (left->base == VT_LIVE && model_live(m, name) < 0 && model_thing(m, name, -1) < 0 && model_side(m, name) < 0) {
			if (m->reporting && !report_is_side(s, n, left->kind) &&
				!report_state_of_other(m, n->a, right, left->kind)) {
				VEC(const char *) names = {0};
				for (int i = 0; i < m->question.n; i++)
					if (m->question.v[i].subject == kind_root(m, left->kind) && type_is(m->question.v[i].type, VT_BOOL))
						VEC_PUSH(names, model_text(m, m->question.v[i].name));
				for (int i = 0; i < m->field.n; i++)
					if (m->field.v[i].kind == kind_root(m, left->kind) && type_is(m->field.v[i].type, VT_BOOL))
						VEC_PUSH(names, model_text(m, m->field.v[i].name));
				if (left->kind == KIND_ACT)
					for (int i = 0; i < m->event.n; i++)
						VEC_PUSH(names, model_text(m, m->event.v[i].name));
				const char *best = diag_nearest(model_text(m, name), names.v, names.n);
				report_no_adjective(m, right->span, right->name, left->kind, best);
				VEC_FREE(names);
			}
			n->ref_kind = REF_UNKNOWN;
			return bool_type(s);
		}
	}
	if (m->reporting && left->base == VT_SET && right->kind == N_KIND_E_NAME && !scope_find(s, right->name) && report_state_of_set(m, n->a, right)) {
		n->ref_kind = REF_UNKNOWN;
		return bool_type(s);
	}
	if (left->base == VT_LIVE && left->kind == KIND_COMBATANT &&
		report_is_side(s, n, KIND_COMBATANT)) {
		n->ref_kind = REF_UNKNOWN;
		return bool_type(s);
	}
	struct type *r = infer(s, right, left);
	if (left->base == VT_WORD && right->kind == N_KIND_E_TEXT)
		check_word(s, n->a, right);
	n->ref_kind = REF_LOCAL; /* the same value */
	if (left->base == VT_LIVE && type_is(r, VT_THING) && left->kind == KIND_COMBATANT) {
		int via = field_via(m, KIND_COMBATANT, type_find(r)->kind);
		if (via >= 0) {
			n->ref_kind = REF_VIA;
			n->ref = via;
			return bool_type(s);
		}
	}
	if (!type_unify(m, left, r))
		report_sides(s, n, left, r);
	return bool_type(s);
}

/* Does a stat block state a thing of that name in a list? */
static bool stated_in(const struct model *m, int field, sym name)
{
	for (int t = 0; t < m->thing.n; t++)
		for (const struct node *d = m->thing.v[t].node->b; d; d = d->next) {
			if (d->kind != N_KIND_D_FIELD || d->ref != field)
				continue;
			for (const struct node *v = d->a; v; v = v->next)
				if (v->a && v->a->kind == N_KIND_E_NAME && v->a->name == name)
					return true;
		}
	return false;
}

struct type *infer_has(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	struct type *left = type_find(infer(s, n->a, NULL));
	if (left->base == VT_LIST || left->base == VT_SET) {
		struct type *elem = left->elem;
		struct type *r = infer(s, n->b, elem);
		if (!type_unify(m, elem, r))
			report_mismatch(s, n->span, elem, r);
		if (type_is(elem, VT_WORD)) {
			check_word(s, n->a, n->b);
			word_asked(m, n->a, n->b);
		}
		n->ref_kind = REF_LIST_FIELD;
		n->ref = -1;
		return bool_type(s);
	}
	struct type *right = type_find(infer(s, n->b, NULL));
	if (left->base == VT_UNKNOWN || right->base == VT_UNKNOWN)
		return bool_type(s);
	if (left->base == VT_LIVE && left->kind == KIND_COMBATANT && right->base == VT_LIVE && kind_borne(m, right->kind)) {
		n->ref_kind = REF_BORNE;
		return bool_type(s);
	}
	if (left->base == VT_LIVE && right->base == VT_THING) {
		int any = -1, own = -1; /* a list of anything; one of that kind alone */
		for (int i = 0; i < m->field.n; i++) {
			struct type *t = type_find(m->field.v[i].type);
			if (m->field.v[i].kind != kind_root(m, left->kind) || t->base != VT_LIST)
				continue;
			struct type *e = type_find(t->elem);
			if (own < 0 && e->base == VT_THING && e->kind >= 0 && right->kind >= 0 &&
				kind_root(m, e->kind) == kind_root(m, right->kind))
				own = i;
			if (e->base == VT_THING && e->kind < 0)
				any = i;
		}
		/* "attacker has long sword": it is among what they carry, not among their claws and bites
		 */
		const bool carried = any >= 0 && own >= 0 && n->b->kind == N_KIND_E_NAME &&
			stated_in(m, any, n->b->name) && !stated_in(m, own, n->b->name);
		if (any >= 0 || own >= 0) {
			n->ref_kind = REF_LIST_FIELD;
			n->ref = own < 0 || carried ? any : own;
			return bool_type(s);
		}
	}
	model_report(m, M_HAS_WHAT, n->span, 0);
	return bool_type(s);
}

/* ---- sets ---- */

struct type *narrowed(struct model *m, struct type *elem, sym name, const struct node *where)
{
	elem = type_find(elem);
	if (!where || elem->base != VT_THING || elem->kind >= 0)
		return elem;
	if (where->kind == N_KIND_E_AND) {
		struct type *t = elem;
		for (const struct node *x = where->a; x && t == elem; x = x->next)
			t = narrowed(m, elem, name, x);
		return t;
	}
	if (where->kind != N_KIND_E_IS || where->num == 1 || where->ref_kind != REF_IS_KIND || where->a->kind != N_KIND_E_NAME || where->a->name != name)
		return elem;
	int kind = kind_root(m, where->ref);
	return m->kind.v[kind].live ? elem : type_new(m, VT_THING, kind); /* one in play is more than its stat block */
}

struct type *infer_walk(struct scope *s, struct node *holder, struct node *source)
{
	struct model *m = s->m;
	if (!source) {
		int kind = model_kind(m, holder->name);
		if (kind < 0 || !m->kind.v[kind_root(m, kind)].live) {
			struct buf hint = {0};
			const char *said = model_text(m, holder->name);
			if (model_thing(m, holder->name, -1) >= 0)
				buf_printf(&hint, "Write: each combatant where combatant is %s { .. }", said);
			else
				buf_puts(&hint, "For example: each foe in actor's enemies { .. }");
			model_report(m, M_EACH_WHAT, holder->at, 2, said, buf_text(&hint));
			buf_free(&hint);
			return type_var(m);
		}
		holder->ref_kind = kind_root(m, kind) == KIND_ACT ? WALK_PENDING : WALK_ALL;
		holder->ref = kind_root(m, kind);
		return live_type(s, kind_root(m, kind));
	}
	struct type *t = type_find(infer(s, source, NULL));
	if (t->base == VT_UNKNOWN && m->pass > 3 && !m->reporting) {
		type_unify(m, t, type_set(m, live_type(s, KIND_COMBATANT)));
		t = type_find(t);
	}
	switch (t->base) {
	case VT_SET:
		holder->ref_kind = source->ref_kind == REF_PENDING ? WALK_PENDING : source->ref_kind == REF_KIND_ALL ? WALK_ALL : WALK_SET;
		if (source->kind == N_KIND_E_NAME && source->ref_kind == REF_KIND_ALL)
			holder->ref = source->ref;
		return t->elem;
	case VT_LIST: {
		/* "each weapon in X's carries": of a list of all sorts of things, that kind */
		struct type *elem = type_find(t->elem);
		int kind = elem->base == VT_THING && elem->kind < 0 && holder->name ? model_kind(m, holder->name) : -1;
		holder->ref_kind = WALK_LIST;
		holder->ref = -1;
		if (kind < 0 || m->kind.v[kind].plural == holder->name)
			return t->elem;
		holder->ref = kind_root(m, kind);
		if (!kind_borne(m, kind))
			return type_new(m, VT_THING, holder->ref);
		holder->ref_kind = WALK_BORNE;
		return live_type(s, holder->ref);
	}
	case VT_LIVE:
		if (t->kind == KIND_SIDE) {
			holder->ref_kind = WALK_SIDE;
			return live_type(s, KIND_COMBATANT);
		}
		holder->ref_kind = WALK_ONE;
		return t;
	case VT_UNKNOWN:
		holder->ref_kind = REF_UNKNOWN;
		if (m->reporting)
			model_report(m, M_UNKNOWN_TYPE, source->span, 0);
		return type_var(m);
	default:
		if (m->reporting) {
			struct buf b = {0};
			type_print(m, t, &b);
			model_report(m, M_NO_SET, source->span, 1, buf_text(&b));
			buf_free(&b);
		}
		return type_var(m);
	}
}

/* Opens the member of an E_SET, or of a bare path walked over; the caller restores s->vars. */
struct type *open_set(struct scope *s, struct node *set)
{
	struct model *m = s->m;
	if (set->kind != N_KIND_E_SET) {
		struct type *t = type_find(infer(s, set, NULL));
		if (t->base == VT_SET || t->base == VT_LIST)
			return t->elem;
		if (t->base == VT_LIVE)
			return t->kind == KIND_SIDE ? live_type(s, KIND_COMBATANT) : t;
		if (t->base != VT_UNKNOWN && m->reporting) {
			struct buf b = {0};
			type_print(m, t, &b);
			model_report(m, M_NO_SET, set->span, 1, buf_text(&b));
			buf_free(&b);
		}
		return type_var(m);
	}
	struct type *elem = infer_walk(s, set, set->a);
	if (!set->type)
		set->type = type_var(m);
	scope_push(s, set->name, elem, false, set->at);
	if (!set->c)
		return elem;
	int member = s->vars - 1;
	want_type(s, set->c, bool_type(s), M_NOT_YES_NO);
	elem = narrowed(m, elem, set->name, set->c);
	s->var[member].type = elem;
	return elem;
}
