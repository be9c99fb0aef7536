/* infer_body.c - types in bodies and clauses: statements, hooks, orders, conditions. */
#include <string.h>

#include "lang/check/infer.h"

static void want_bool(struct scope *s, struct node *n)
{
	if (n)
		want_type(s, n, bool_type(s), M_NOT_YES_NO);
}

/* A condition may not roll, ask or write. */
static void want_pure_bool(struct scope *s, struct node *n)
{
	bool pure = s->pure;
	s->pure = true;
	want_bool(s, n);
	s->pure = pure;
}

/* ---- places that are written ---- */

/* A role of the event whose clause this is: what the event is about changes, before it happens. */
static void write_role(struct scope *s, const struct node *path)
{
	struct model *m = s->m;
	const struct var *v = path->kind == N_KIND_E_NAME ? scope_find(s, path->name) : NULL;
	if (!v || s->event < 0 || s->clause < 0 || v - s->var >= m->event.v[s->event].roles)
		return;
	const struct mevent *e = &m->event.v[s->event];
	struct mclause *c = &m->clause.v[s->clause];
	const int role = (int)(v - s->var);
	const char *name = model_text(m, path->name), *event = model_text(m, e->name);
	if (c->sort != CLAUSE_BEFORE && c->sort != CLAUSE_INSTEAD)
		model_report(m, M_ROLE_SETTLED, path->span, 2, name, event);
	else if (e->action && e->role[role].name == m->w.actor)
		model_report(m, M_ROLE_ACTOR, path->span, 2, name, event);
	else
		c->recasts |= 1u << role;
}

static struct type *infer_place(struct scope *s, struct node *path, bool *frac)
{
	struct model *m = s->m;
	struct type *t = infer(s, path, NULL);
	*frac = path->frac;
	switch (path->ref_kind) {
	case REF_FIELD:
	case REF_FIELD_OF_ENCOUNTER:
		*frac = m->field.v[path->ref].frac;
		return t;
	case REF_PAIR:
		*frac = m->pair.v[path->ref].frac;
		return t;
	case REF_KEPT:
		return t;
	case REF_LOCAL:
		if (path->kind == N_KIND_E_NAME)
		{
			write_role(s, path);
			return t; /* or a `let` of this body */
		}
		model_report(m, M_NOT_A_PLACE, path->span, 0);
		return t;
	case REF_QUESTION: {
		const struct mquestion *q = &m->question.v[path->ref];
		if (q->field < 0 && q->pair < 0)
			model_report(m, M_SET_DERIVED, path->span, 1, model_text(m, q->name));
		else
			*frac = q->field >= 0 ? m->field.v[q->field].frac : m->pair.v[q->pair].frac;
		return t;
	}
	case REF_UNKNOWN:
		return t;
	default:
		if (path->kind == N_KIND_E_FIELD && path->a->type && type_is(path->a->type, VT_THING) &&
			type_find(path->a->type)->kind >= 0)
			model_report(m, M_SET_THING, path->span, 2,
				model_text(m, m->kind.v[kind_root(m, type_find(path->a->type)->kind)].name),
				model_text(m, path->name));
		else
			model_report(m, M_NOT_A_PLACE, path->span, 0);
		return t;
	}
}

void check_word(struct scope *s, const struct node *path, const struct node *value)
{
	struct model *m = s->m;
	int field = path->ref_kind == REF_FIELD || path->ref_kind == REF_FIELD_OF_ENCOUNTER || path->ref_kind == REF_THING_FIELD ? path->ref
	          : path->ref_kind == REF_QUESTION ? m->question.v[path->ref].field : -1;
	if (field < 0 || !m->reporting || option_allows(m, field, value) || !m->field.v[field].closed)
		return;
	sym said = said_word(m, value);
	if (said)
		report_word(m, field, said, value->span, NULL);
}

/* A die set to a place is called after it: "party's surprise die". */
static void label_place(struct scope *s, const struct node *path)
{
	s->label = path->kind == N_KIND_E_FIELD ? path->name : path->kind == N_KIND_E_CALL && path->a->kind == N_KIND_E_NAME ? path->a->name : path->name;
	s->label_of_place = path->kind == N_KIND_E_FIELD;
}

static void label_end(struct scope *s)
{
	s->label = s->event >= 0 ? s->m->event.v[s->event].name : s->m->w.dice;
	s->label_of_place = false;
}

/* The line of a script that gave a role the fraction which comes out of `value`, if that is why it is one. */
static struct span said_in(const struct model *m, const struct node *value)
{
	const struct node *child[] = {value->a, value->b, value->c, value->d};
	struct span none = {0};
	if (value->kind == N_KIND_E_NAME && value->ref_kind == REF_LOCAL)
		for (int i = 0; i < m->event.n; i++)
			for (int k = 0; k < m->event.v[i].roles; k++)
				if (m->event.v[i].role[k].name == value->name && m->event.v[i].role[k].fraction.file)
					return m->event.v[i].role[k].fraction;
	for (int i = 0; i < 4; i++)
		for (const struct node *n = child[i]; n && n->frac; n = n->next) {
			struct span at = said_in(m, n);
			if (at.file)
				return at;
		}
	return none;
}

/* define X's move = X's move / 2: the value before this rule, and rounded. */
static bool report_itself_rounded(struct model *m, const struct node *value)
{
	const struct source *f = &m->front->sources->file.v[value->span.file];
	uint32_t sign = value->span.start, from;
	while (sign && strchr(" =", f->text[sign - 1]))
		sign--;
	for (from = sign; from && !strchr(";{}\n", f->text[from - 1]);)
		from--;
	from += (uint32_t)strspn(f->text + from, " \t");
	static const char define[] = "define ";
	size_t length;
	const char *text = sources_text(m->front->sources, value->span, &length);
	if (value->span.file == 0 || strncmp(f->text + from, define, sizeof define - 1))
		return false;
	from += sizeof define - 1;
	const size_t name = sign > from ? sign - from : 0;
	if (!name || name > length || strncmp(text, f->text + from, name))
		return false;
	struct buf meant = {0}, line = {0};
	buf_printf(&meant, "base %.*s rounded down", (int)length, text);
	const bool found = statement_with(m, value->span, buf_text(&meant), &line);
	if (found)
		model_report(m, M_SAID_OTHERWISE, value->span, 2, arena_text(m->arena, text, length),
			buf_text(&line));
	buf_free(&meant);
	buf_free(&line);
	return found;
}

/* A fraction where a whole number is needed; what a line of the script brought about is shown there. */
void report_fraction(struct model *m, const struct node *value)
{
	struct span at = m->reporting ? said_in(m, value) : value->span;
	if (m->reporting && report_itself_rounded(m, value))
		return;
	model_report(m, M_NEEDS_ROUNDING, at.file ? at : value->span, 0);
}

/* What a path stands for that is written to; false: a value kept or a `let`, which has no name of its own. */
static bool written_at(const struct model *m, const struct node *path, struct type *type, bool frac, struct written *w)
{
	*w = (struct written){path->name, type, frac, true, DOOR_SET, -1, path->span};
	switch (path->ref_kind) {
	case REF_FIELD:
	case REF_FIELD_OF_ENCOUNTER:
		w->field = path->ref;
		return true;
	case REF_QUESTION:
		w->field = m->question.v[path->ref].field;
		w->name = m->question.v[path->ref].name;
		return w->field >= 0 || m->question.v[path->ref].pair >= 0;
	case REF_PAIR:
		w->name = m->pair.v[path->ref].name;
		return true;
	default:
		return false;
	}
}

static void infer_set(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	struct written w;
	bool frac;
	if (report_edit_of_each(m, n))
		return;
	struct type *t = infer_place(s, n->a, &frac);
	label_place(s, n->a);
	if (!n->b && !written_at(m, n->a, t, frac, &w))
		return;
	if (written_at(m, n->a, t, frac, &w)) {
		w.door = (enum door)n->role;
		if (n->c)
			infer_values(s, w.field, n->a->at, w.door, n->c);
		else
			infer_written(s, &w, n->b);
		label_end(s);
		return;
	}
	want_type(s, n->b, t, M_SET_TYPE);
	label_end(s);
	if (n->b->frac && !frac && type_number(n->b->type)) {
		if (n->a->ref_kind == REF_KEPT) {
			m->kept.v[n->a->ref].frac = true;
			m->changed = true;
		} else {
			report_fraction(m, n->b);
		}
	}
}

static void infer_change(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	bool frac;
	if (report_edit_of_each(m, n))
		return;
	struct type *t = infer_place(s, n->a, &frac);
	struct node *parts[] = {n->b, n->c, n->d};
	if (m->reporting && !type_is(t, VT_UNKNOWN) && !type_number(t)) {
		model_report(m, M_CHANGE_WHAT, n->a->span, 0);
		return;
	}
	label_place(s, n->a);
	struct written w;
	bool named = written_at(m, n->a, t, frac, &w);
	w.door = DOOR_CHANGE;
	for (int i = 0; i < 3; i++) {
		if (!parts[i])
			continue;
		if (named) {
			infer_written(s, &w, parts[i]);
			continue;
		}
		want_type(s, parts[i], t, M_SET_TYPE);
		if (parts[i]->frac && !frac)
			report_fraction(m, parts[i]);
	}
	label_end(s);
}

/* ---- events ---- */

static void infer_fields(struct scope *s, struct node *list, int event)
{
	struct model *m = s->m;
	for (struct node *f = list; f; f = f->next) {
		struct node *value = f->a ? f->a->a : NULL;
		if (!value)
			continue;
		if (event >= 0) {
			struct mevent *e = &m->event.v[event];
			int k = 0;
			while (k < e->slot.n && e->slot.v[k].name != f->name)
				k++;
			if (k < e->slot.n) {
				struct written mark = {f->name, e->slot.v[k].type, true, true, DOOR_LINE, -1, f->at};
				infer_written(s, &mark, value);
				f->ref_kind = REF_KEPT;
				f->ref = k;
				continue;
			}
		}
		int field = model_field(m, KIND_ACT, f->name);
		if (field < 0) {
			report_no_field(m, f->at, f->name, KIND_ACT, NULL);
			continue;
		}
		f->ref_kind = REF_FIELD;
		f->ref = field;
		struct written w = {f->name, m->field.v[field].type, m->field.v[field].frac, true, DOOR_LINE, field, f->at};
		infer_written(s, &w, value);
	}
}

/* An event with its arguments, `strike (a, b, w)`; returns the event, -1 if there is none. */
static int infer_event_call(struct scope *s, struct node *path)
{
	struct model *m = s->m;
	struct node *callee = path->kind == N_KIND_E_CALL ? path->a : path;
	if (callee->kind != N_KIND_E_NAME) {
		model_report(m, M_NOT_CALLED, path->span, 0);
		return -1;
	}
	int event = model_event(m, callee->name);
	if (event < 0) {
		report_no_event(m, callee, callee->name, false);
		return -1;
	}
	path->ref_kind = REF_EVENT;
	path->ref = event;
	s->label = m->event.v[event].name;
	int i = 0;
	for (struct node *a = path->kind == N_KIND_E_CALL ? path->b : NULL; a; a = a->next, i++) {
		if (i >= m->event.v[event].roles)
			continue;
		struct type *type = m->event.v[event].role[i].type;
		want_type(s, a, type, M_ARGUMENT_TYPE);
		report_list_whole(s, a);
		struct mrole *r = &m->event.v[event].role[i];
		if (a->frac && !r->frac && type_number(a->type)) {
			r->frac = true;
			m->changed = true;
		}
	}
	label_end(s);
	if (i != m->event.v[event].roles)
		report_roles(m, path->span, event, i);
	return event;
}

static int choice_of(struct model *m, sym name, struct type *type)
{
	for (int i = 0; i < m->choice.n; i++)
		if (m->choice.v[i].name == name)
			return i;
	struct mchoice c = {name, type};
	VEC_PUSH(m->choice, c);
	m->changed = true;
	return m->choice.n - 1;
}

static void infer_let(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	sym label = s->label;
	s->label = n->name;
	struct type *t = infer(s, n->a, NULL);
	s->label = label;
	report_list_whole(s, n->a);
	for (int i = 0; i < m->kept.n; i++) {
		if (m->kept.v[i].name != n->name || s->event < 0)
			continue;
		if (!type_unify(m, m->kept.v[i].type, t))
			model_report(m, M_KEPT_TYPE, n->at, 1, model_text(m, n->name));
		if (n->a->frac && !m->kept.v[i].frac)
			m->kept.v[i].frac = m->changed = true;
		struct mevent *e = &m->event.v[s->event];
		int k = 0;
		while (k < e->slot.n && e->slot.v[k].name != n->name)
			k++;
		if (k == e->slot.n) {
			struct mslot slot = {n->name, m->kept.v[i].type, m->kept.v[i].frac, NULL};
			VEC_PUSH(e->slot, slot);
			m->changed = true;
		}
	}
	scope_push(s, n->name, t, n->a->frac, n->at);
}

static void infer_each(struct scope *s, struct node *n)
{
	int vars = s->vars;
	struct type *elem = infer_walk(s, n, n->a);
	scope_push(s, n->name, elem, false, n->at);
	want_bool(s, n->c);
	s->var[s->vars - 1].type = narrowed(s->m, elem, n->name, n->c);
	const struct type *t = type_find(elem);
	const bool live = t->base == VT_LIVE && (t->kind == KIND_COMBATANT || t->kind == KIND_SIDE);
	s->walks += live;
	infer_block(s, n->b->a);
	s->walks -= live;
	s->vars = vars;
}

/* `if item is weapon { .. }`: in the block it is one. */
static void infer_then(struct scope *s, struct node *n)
{
	struct type *was[FRAY_COUNT(s->var)];
	int vars = s->vars;
	for (int i = 0; i < vars; i++) {
		was[i] = s->var[i].type;
		s->var[i].type = narrowed(s->m, was[i], s->var[i].name, n->a);
	}
	infer_block(s, n->b->a);
	for (int i = 0; i < vars; i++)
		s->var[i].type = was[i];
}

static void infer_stmt(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	int vars = s->vars;
	struct type *t;
	switch (n->kind) {
	case N_KIND_S_BLOCK:
		infer_block(s, n->a);
		break;
	case N_KIND_S_LET:
		infer_let(s, n);
		break;
	case N_KIND_S_SET:
		infer_set(s, n);
		break;
	case N_KIND_S_CHANGE:
		infer_change(s, n);
		break;
	case N_KIND_S_ADD:
	case N_KIND_S_REMOVE: {
		bool frac;
		t = type_find(infer_place(s, n->b, &frac));
		struct written w;
		if ((t->base == VT_SET || t->base == VT_LIST) && written_at(m, n->b, t, false, &w)) {
			w.door = n->kind == N_KIND_S_ADD ? DOOR_ADD : DOOR_REMOVE;
			infer_written(s, &w, n->a);
		} else if (t->base == VT_SET || t->base == VT_LIST) {
			want_type(s, n->a, t->elem, M_SET_TYPE);
		} else {
			infer(s, n->a, NULL);
			if (t->base != VT_UNKNOWN)
				model_report(m, M_NO_LIST, n->b->span, 0);
		}
		break;
	}
	case N_KIND_S_EACH:
		infer_each(s, n);
		break;
	case N_KIND_S_COUNT:
		t = infer(s, n->a, NULL);
		want_type(s, n->d, t, M_SET_TYPE);
		if (n->a->frac || n->d->frac)
			report_fraction(m, n->a->frac ? n->a : n->d);
		scope_push(s, n->name, t, false, n->at);
		want_bool(s, n->c);
		infer_block(s, n->b->a);
		s->vars = vars;
		break;
	case N_KIND_S_IF:
		want_bool(s, n->a);
		infer_then(s, n);
		if (n->c)
			infer_stmt(s, n->c);
		break;
	case N_KIND_S_REPEAT:
		if (n->a)
			want_type(s, n->a, type_new(m, VT_NUMBER, -1), M_SET_TYPE);
		s->loops++;
		infer_block(s, n->b->a);
		s->loops--;
		break;
	case N_KIND_S_STOP:
		want_bool(s, n->c);
		break;
	case N_KIND_S_CARRY_ON:
		if (m->reporting && s->clause >= 0 && m->clause.v[s->clause].sort != CLAUSE_INSTEAD)
			model_report(m, M_CARRY_ON, n->span, 0);
		break;
	case N_KIND_S_CALL: {
		struct node *callee = n->a->kind == N_KIND_E_CALL ? n->a->a : n->a;
		if (callee->kind == N_KIND_E_NAME && callee->name == m->w.perform && n->a->kind == N_KIND_E_CALL) {
			n->ref_kind = REF_PERFORM;
			for (struct node *a = n->a->b; a; a = a->next)
				want_type(s, a, type_new(m, VT_LIVE, KIND_ACT), M_ARGUMENT_TYPE);
			break;
		}
		n->ref_kind = REF_EVENT;
		n->ref = infer_event_call(s, n->a);
		infer_fields(s, n->b, n->ref);
		infer_block(s, n->d);
		if (s->pure || s->in_costs)
			break;
		break;
	}
	case N_KIND_S_PHASE: {
		int k = 0;
		while (k < m->phase.n && m->phase.v[k].name != n->name)
			k++;
		n->ref = k < m->phase.n ? m->phase.v[k].event : -1;
		if (k == m->phase.n)
			report_no_phase(m, n->at, n->name);
		break;
	}
	case N_KIND_S_PEND: {
		struct node *callee = n->a->kind == N_KIND_E_CALL ? n->a->a : n->a;
		int event = callee->kind == N_KIND_E_NAME ? model_event(m, callee->name) : -1;
		bool local = false;
		for (int i = 0; i < s->vars; i++)
			local |= callee->kind == N_KIND_E_NAME && s->var[i].name == callee->name;
		if (event >= 0 && !local) {
			infer_event_call(s, n->a);
			m->event.v[event].pended = true;
			infer_fields(s, n->b, event);
		} else {
			want_type(s, n->a, type_new(m, VT_LIVE, KIND_ACT), M_ARGUMENT_TYPE);
			infer_fields(s, n->b, -1);
		}
		if (n->c) {
			t = infer(s, n->c, type_new(m, VT_TIME, -1));
			if (!type_number(t) && !type_is(t, VT_UNKNOWN))
				model_report(m, M_NOT_A_TIME, n->c->span, 0);
		}
		break;
	}
	case N_KIND_S_RESOLVE:
		if (n->op == RESOLVE_UNTIL) {
			infer(s, n->a, type_new(m, VT_TIME, -1));
		} else if (n->op == RESOLVE_BY) {
			scope_push(s, m->w.act, type_new(m, VT_LIVE, KIND_ACT), false, n->span);
			for (struct node *k = n->a; k; k = k->next)
				infer(s, k->a, NULL);
			s->vars = vars;
			infer_block(s, n->b->a);
		}
		break;
	case N_KIND_S_ASK:
		want_type(s, n->a, type_new(m, VT_LIVE, KIND_COMBATANT), M_ARGUMENT_TYPE);
		for (struct node *a = n->b; a; a = a->next)
			if (model_event(m, a->name) < 0)
				report_no_event(m, a, a->name, false);
		if (n->c) { /* sees the act and nothing of the body around */
			struct scope of_act;
			scope_init(&of_act, m);
			of_act.pure = true;
			scope_push(&of_act, m->w.it, type_new(m, VT_LIVE, KIND_ACT), false, n->span);
			want_bool(&of_act, n->c);
		}
		break;
	case N_KIND_S_MAY: {
		want_type(s, n->a, type_new(m, VT_LIVE, KIND_COMBATANT), M_ARGUMENT_TYPE);
		struct node *callee = n->b->kind == N_KIND_E_CALL ? n->b->a : n->b;
		sym name = callee->kind == N_KIND_E_NAME ? callee->name : 0;
		n->ref_kind = REF_NONE;
		if (n->b->kind == N_KIND_E_CALL || !n->c) {
			n->ref_kind = REF_EVENT;
			infer_event_call(s, n->b);
		}
		n->ref = choice_of(m, name, type_new(m, VT_BOOL, -1));
		model_draws(m, name, s->clause, true);
		if (n->d)
			want_bool(s, n->d);
		if (n->c)
			infer_block(s, n->c->a);
		if (n->e)
			infer_stmt(s, n->e);
		break;
	}
	case N_KIND_S_CANCEL:
		t = type_find(infer(s, n->a, NULL));
		if (t->base == VT_SET || t->base == VT_UNKNOWN)
			scope_push(s, m->w.it, type_new(m, VT_LIVE, KIND_ACT), false, n->span);
		want_bool(s, n->c);
		s->vars = vars;
		break;
	case N_KIND_S_NOTE:
	case N_KIND_S_REFER:
	case N_KIND_S_WRONG:
	case N_KIND_S_REFUSE:
		infer_note(s, n);
		want_bool(s, n->c);
		if (n->kind == N_KIND_S_REFUSE && !s->in_costs)
			model_report(m, M_REFUSE_OUTSIDE, n->span, 0);
		break;
	case N_KIND_S_TOGETHER:
		for (struct node *b = n->a; b; b = b->next)
			infer_block(s, b->a);
		break;
	case N_KIND_S_BEGIN_ROUND:
		infer(s, n->a, type_new(m, VT_TIME, -1));
		break;
	default:
		break;
	}
}

void infer_block(struct scope *s, struct node *list)
{
	int vars = s->vars;
	for (struct node *n = list; n; n = n->next) {
		label_end(s);
		infer_stmt(s, n);
	}
	s->vars = vars;
}

/* ---- clauses ---- */

/* `whenever`: kind names that nobody else has bound speak of each thing of the kind. */
static void bind_kinds(struct scope *s, struct node *n, struct mclause *c)
{
	struct model *m = s->m;
	if (!n)
		return;
	if (n->kind == N_KIND_E_NAME) {
		int kind = model_kind(m, n->name);
		if (kind >= 0 && m->kind.v[kind].name == n->name && m->kind.v[kind_root(m, kind)].live && n->name != m->w.encounter && n->name != m->w.round) {
			bool bound = false;
			for (int i = 0; i < s->vars; i++)
				bound |= s->var[i].name == n->name;
			if (!bound && c->params < 2) {
				c->param_name[c->params] = n->name;
				c->param_type[c->params] = type_new(m, VT_LIVE, kind_root(m, kind));
				scope_push(s, n->name, c->param_type[c->params], false, n->at);
				c->params++;
			}
		}
		return;
	}
	if (n->kind == N_KIND_E_SET) {
		bind_kinds(s, n->a, c);
		return; /* the member hides names inside */
	}
	struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
	for (int i = 0; i < 6; i++)
		for (struct node *k = kids[i]; k; k = k->next)
			bind_kinds(s, k, c);
}

static void infer_question_clause(struct scope *s, struct mclause *c)
{
	struct model *m = s->m;
	struct node *n = c->node;
	int question = c->question;
	if (question < 0)
		return;
	struct mquestion *q = &m->question.v[question];
	for (int i = 0; i < q->params; i++)
		scope_push(s, c->param_name[i], q->param[i], q->param_frac[i], n->at);
	s->pure = true;
	s->question = question;
	struct node *when = c->when;
	if (n->kind == N_KIND_C_DEFINE || n->kind == N_KIND_C_ADJUST || n->kind == N_KIND_C_LIMIT) {
		struct type *type = q->type;
		want_type(s, n->b, type, n->kind == N_KIND_C_DEFINE ? M_DEFINE_TYPE : M_ADJUST_TYPE);
		report_list_whole(s, n->b);
		q = &m->question.v[question];
		if (n->b->frac && !q->frac && type_number(n->b->type)) {
			bool stored_whole = (q->field >= 0 && !m->field.v[q->field].frac) || (q->pair >= 0 && !m->pair.v[q->pair].frac);
			if (stored_whole) {
				report_fraction(m, n->b);
			} else {
				q->frac = true;
				m->changed = true;
			}
		}
		if (n->kind != N_KIND_C_DEFINE && m->reporting && !type_number(q->type))
			model_report(m, M_ADJUST_WHAT, n->a->span, 1, model_text(m, q->name));
	}
	want_bool(s, when);
}

void infer_clause(struct model *m, int clause)
{
	struct mclause *c = &m->clause.v[clause];
	struct scope s;
	scope_init(&s, m);
	s.clause = clause;
	s.thing = c->thing;
	struct node *n = c->node;
	switch (c->sort) {
	case CLAUSE_DEFINE:
	case CLAUSE_ADJUST:
	case CLAUSE_LIMIT:
		infer_question_clause(&s, c);
		break;
	case CLAUSE_ORDER:
		s.pure = true;
		scope_push(&s, m->w.act, type_new(m, VT_LIVE, KIND_ACT), false, n->at);
		for (struct node *k = n->a; k; k = k->next)
			infer(&s, k->a, NULL);
		want_bool(&s, c->when);
		break;
	case CLAUSE_PAIR:
		s.pure = true;
		scope_push(&s, n->name, type_new(m, VT_LIVE, KIND_ACT), false, n->at);
		scope_push(&s, n->name2, type_new(m, VT_LIVE, KIND_ACT), false, n->at);
		want_bool(&s, c->when);
		break;
	case CLAUSE_INSTEAD:
	case CLAUSE_BEFORE:
	case CLAUSE_ON:
	case CLAUSE_AFTER:
	case CLAUSE_FORBID:
	case CLAUSE_PERMIT:
	case CLAUSE_NEEDS:
	case CLAUSE_COSTS: {
		for (int i = 0; i < m->event.v[c->event].roles; i++)
			scope_push(&s, c->param_name[i], m->event.v[c->event].role[i].type, m->event.v[c->event].role[i].frac, n->at);
		s.event = c->event;
		if (c->sort == CLAUSE_NEEDS) {
			want_pure_bool(&s, n->a);
			break;
		}
		want_pure_bool(&s, c->when);
		if (c->sort == CLAUSE_FORBID || c->sort == CLAUSE_PERMIT)
			break;
		s.in_costs = c->sort == CLAUSE_COSTS;
		struct node *body = n->b; /* C_HOOK, COSTS and DOES keep their block in b */
		if (body)
			infer_block(&s, body->a);
		break;
	}
	case CLAUSE_WHENEVER:
		c->params = 0;
		bind_kinds(&s, n->a, c);
		s.event = -1;
		want_pure_bool(&s, n->a);
		infer_block(&s, n->b->a);
		break;
	default:
		break;
	}
}
