/* names_expr.c - what the names in expressions and in bodies of rules mean. */
#include "lang/api/names.h"

#include <string.h>

static void field_at(struct names *w, int field, struct span at)
{
	const struct mfield *x = &w->m->field.v[field];
	names_put(w, FRAY_NAME_FIELD, x->name, x->kind, at, false);
}

static void question_at(struct names *w, int q, struct span at)
{
	const struct mquestion *x = &w->m->question.v[q];
	if (x->field >= 0)
		field_at(w, x->field, at);
	else if (x->pair >= 0)
		names_put(w, FRAY_NAME_FIELD, x->name, SCOPE_OF_PAIR, at, false);
	else
		names_put(w, FRAY_NAME_QUESTION, x->name,
			x->subject >= 0 ? kind_root(w->m, x->subject) : SCOPE_OF_NONE, at, false);
}

static void kind_at(struct names *w, sym name, struct span at)
{
	const int kind = model_kind(w->m, name);
	if (kind >= 0)
		names_put(w, FRAY_NAME_KIND, w->m->kind.v[kind].name, 0, at, false);
}

/* A role, a member of a set or a value; a kind's own name is that of whoever a clause is about. */
static bool local_at(struct names *w, sym name, struct span at)
{
	for (int i = w->local.n - 1; i >= 0; i--)
		if (w->local.v[i].name == name) {
			names_put(w, FRAY_NAME_LOCAL, name, (int32_t)w->local.v[i].at.start, at,
				false);
			return true;
		}
	return false;
}

/* What nobody has looked into: the first of what it could be. */
static void by_name(struct names *w, sym name, struct span at)
{
	const struct model *m = w->m;
	if (local_at(w, name, at))
		return;
	if (model_kind(m, name) >= 0) {
		kind_at(w, name, at);
		return;
	}
	if (w->encounter >= 0 && w->encounter < m->encounter.n) {
		const struct node *e = m->encounter.v[w->encounter].node;
		for (const struct node *x = e->a; x; x = x->next)
			if (x->kind == N_KIND_SIDE && x->name == name) {
				names_put(w, FRAY_NAME_SIDE, name, w->encounter, at, false);
				return;
			}
	}
	if (model_event(m, name) >= 0 && model_thing(m, name, -1) < 0)
		names_event(w, name, at);
	else
		names_thing(w, name, at);
}

static void name(struct names *w, const struct node *n)
{
	switch (n->ref_kind) {
	case REF_LOCAL:
		if (!local_at(w, n->name, n->at))
			kind_at(w, n->name, n->at);
		break;
	case REF_THING:
	case REF_ISA:
	case REF_ITEM:
	case REF_LIVE:
	case REF_OWN_NAME:
	case REF_BORNE:
		names_thing(w, n->name, n->at);
		break;
	case REF_SIDE:
		names_put(w, FRAY_NAME_SIDE, n->name, w->encounter, n->at, false);
		break;
	case REF_FIELD_OF_ENCOUNTER:
		field_at(w, n->ref, n->at);
		break;
	case REF_QUESTION:
	case REF_ADJECTIVE:
		question_at(w, n->ref, n->at);
		break;
	case REF_EVENT:
		names_event(w, n->name, n->at);
		break;
	case REF_KIND_ALL:
	case REF_SINGLE:
		kind_at(w, n->name, n->at);
		break;
	case REF_WORD:
		names_put(w, FRAY_NAME_WORD, n->name, 0, n->at, false);
		break;
	case REF_UNKNOWN:
		by_name(w, n->name, n->at);
		break;
	default:
		break;
	}
}

static void field(struct names *w, const struct node *n)
{
	if (n->a)
		names_node(w, n->a);
	switch (n->ref_kind) {
	case REF_FIELD:
	case REF_THING_FIELD:
		if (n->ref >= 0 && n->ref < w->m->field.n)
			field_at(w, n->ref, n->at);
		return;
	case REF_QUESTION:
		question_at(w, n->ref, n->at);
		return;
	case REF_ITEM:
	case REF_ITEM_NAMED:
		names_thing(w, n->name, n->at);
		return;
	default:
		break;
	}
	/* written to, or not looked into: combatants and sides have most */
	static const int first[] = {KIND_COMBATANT, KIND_SIDE, KIND_ENCOUNTER, KIND_ACT};
	for (size_t i = 0; i < FRAY_COUNT(first); i++)
		if (names_field_of(w, first[i], n->name, n->at, false))
			return;
	for (int i = 0; i < w->m->kind.n; i++)
		if (names_field_of(w, i, n->name, n->at, false))
			return;
}

/* distance (a, b); strike (attacker, target, weapon) */
static void call(struct names *w, const struct node *n)
{
	const struct node *callee = n->a;
	if (callee && callee->kind == N_KIND_E_FIELD && callee->a)
		names_node(w, callee->a);
	if (callee && n->ref_kind == REF_QUESTION)
		question_at(w, n->ref, callee->at);
	else if (callee && n->ref_kind == REF_TABLE)
		names_put(w, FRAY_NAME_TABLE, callee->name, 0, callee->at, false);
	else if (callee && n->ref_kind == REF_PAIR)
		names_put(w, FRAY_NAME_FIELD, callee->name, SCOPE_OF_PAIR, callee->at, false);
	else if (callee && model_event(w->m, callee->name) >= 0)
		names_event(w, callee->name, callee->at);
	names_list(w, n->b);
}

/* Opens a set: its member is known until the caller takes it back. */
static void set(struct names *w, const struct node *n)
{
	if (!n || n->kind != N_KIND_E_SET) {
		if (n)
			names_node(w, n);
		return;
	}
	if (n->a)
		names_node(w, n->a);
	if (!span_same(&n->at, &n->span))
		names_local(w, n->name, n->at);
	if (n->c)
		names_node(w, n->c);
}

/* What is asked, what happens: the roles of an event as this clause names them. */
static void hook(struct names *w, const struct node *n)
{
	const struct node *phase = n->d;
	if (phase)
		names_put_in(w, FRAY_NAME_PHASE, n->name, 0, n, false);
	else if (!span_same(&n->at, &n->span))
		names_event(w, n->name, n->at);
	if (!n->a)
		names_roles(w, n->name);
	for (const struct node *role = n->a; role; role = role->next)
		names_local(w, role->name, role->at);
	if (n->c)
		names_node(w, n->c);
	if (n->b)
		names_node(w, n->b);
}

/* define combatant's f = e; define f (one, other) = e */
static void defined(struct names *w, const struct node *path, bool declares)
{
	const struct model *m = w->m;
	if (path->kind == N_KIND_E_FIELD && path->a && path->a->kind == N_KIND_E_NAME) {
		names_node(w, path->a);
		names_field_of(w, model_kind(m, path->a->name), path->name, path->at, declares);
		return;
	}
	if (path->kind != N_KIND_E_CALL || !path->a)
		return;
	const struct node *callee = path->a;
	const int params = node_count(path->b), q = model_function(m, callee->name, params);
	if (model_pair(m, callee->name) >= 0)
		names_put(w, FRAY_NAME_FIELD, callee->name, SCOPE_OF_PAIR, callee->at, false);
	else if (q >= 0)
		names_put(w, FRAY_NAME_QUESTION, callee->name, SCOPE_OF_NONE, callee->at, declares);
	for (const struct node *x = path->b; x; x = x->next)
		names_local(w, x->name, x->at);
}

static void clause(struct names *w, const struct node *n)
{
	const int locals = w->local.n;
	switch (n->kind) {
	case N_KIND_C_DEFINE:
	case N_KIND_C_ADJUST:
	case N_KIND_C_LIMIT:
		defined(w, n->a, n->kind == N_KIND_C_DEFINE);
		if (n->b)
			names_node(w, n->b);
		if (n->c)
			names_node(w, n->c);
		break;
	case N_KIND_C_BE: {
		const int kind = model_kind(w->m, n->name2);
		const int q = kind >= 0 ? model_question_of(w->m, kind, n->name, true) : -1;
		names_put_in(w, FRAY_NAME_KIND, n->name2, 0, n, false);
		if (q >= 0)
			names_put_in(
				w, FRAY_NAME_QUESTION, n->name, kind_root(w->m, kind), n, true);
		if (n->c)
			names_node(w, n->c);
		break;
	}
	case N_KIND_C_HOOK:
		hook(w, n);
		break;
	default: /* forbid, permit */
		for (const struct node *x = n->a; x; x = x->next) {
			names_event(w, x->name, x->at);
			names_roles(w, x->name);
		}
		if (n->c)
			names_node(w, n->c);
		break;
	}
	w->local.n = locals;
}

static void is(struct names *w, const struct node *n)
{
	names_node(w, n->a);
	const struct node *b = n->b;
	if (!b || b->kind != N_KIND_E_NAME) {
		if (b)
			names_node(w, b);
		return;
	}
	switch (n->ref_kind) {
	case REF_ADJECTIVE:
		question_at(w, n->ref, b->at);
		break;
	case REF_FLAG:
		field_at(w, n->ref, b->at);
		break;
	case REF_EVENT:
		names_event(w, b->name, b->at);
		break;
	case REF_ISA:
		names_thing(w, b->name, b->at);
		break;
	case REF_IS_KIND:
		kind_at(w, b->name, b->at);
		break;
	case REF_WORD:
		names_put(w, FRAY_NAME_WORD, b->name, 0, b->at, false);
		break;
	default:
		names_node(w, b);
		break;
	}
}

/* each foe in .. where .. { }; each n from .. to .. { } */
static void each(struct names *w, const struct node *n)
{
	const int locals = w->local.n;
	if (n->a)
		names_node(w, n->a);
	if (n->d)
		names_node(w, n->d);
	if (!span_same(&n->at, &n->span))
		names_local(w, n->name, n->at);
	if (n->c)
		names_node(w, n->c);
	if (n->b)
		names_node(w, n->b);
	w->local.n = locals;
}

/* Statements. */
static bool statement(struct names *w, const struct node *n)
{
	const int locals = w->local.n;
	switch (n->kind) {
	case N_KIND_S_BLOCK:
		names_list(w, n->a);
		w->local.n = locals;
		return true;
	case N_KIND_S_LET:
		if (n->a)
			names_node(w, n->a);
		names_local(w, n->name, n->at);
		return true;
	case N_KIND_S_EACH:
	case N_KIND_S_COUNT:
		each(w, n);
		return true;
	case N_KIND_S_PHASE:
		names_put_in(w, FRAY_NAME_PHASE, n->name, 0, n, false);
		return true;
	case N_KIND_S_ASK:
		if (n->a)
			names_node(w, n->a);
		for (const struct node *x = n->b; x; x = x->next)
			names_event(w, x->name, x->at);
		if (n->c)
			names_node(w, n->c);
		return true;
	default:
		return false;
	}
}

bool names_inside(struct names *w, const struct node *n)
{
	const int locals = w->local.n;
	switch (n->kind) {
	case N_KIND_C_DEFINE:
	case N_KIND_C_ADJUST:
	case N_KIND_C_LIMIT:
	case N_KIND_C_BE:
	case N_KIND_C_HOOK:
	case N_KIND_C_FORBID:
	case N_KIND_C_PERMIT:
		clause(w, n);
		return true;
	case N_KIND_E_NAME:
		name(w, n);
		return true;
	case N_KIND_E_FIELD:
		field(w, n);
		return true;
	case N_KIND_E_CALL:
		call(w, n);
		return true;
	case N_KIND_E_IS:
		is(w, n);
		return true;
	case N_KIND_E_SET:
		set(w, n);
		w->local.n = locals;
		return true;
	case N_KIND_E_AGG:
	case N_KIND_E_PICK:
	case N_KIND_E_RANDOM:
		set(w, n->a);
		if (n->b)
			names_node(w, n->b);
		w->local.n = locals;
		return true;
	case N_KIND_E_FOLD:
		set(w, n->b);
		names_list(w, n->a);
		w->local.n = locals;
		return true;
	default:
		return statement(w, n);
	}
}
