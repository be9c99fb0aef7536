/* scenes.c - encounters and policies: who is there, and whether their sentences make sense. */
#include <string.h>

#include "lang/check/model.h"

/* ---- who is there ---- */

static int singular_thing(const struct model *m, sym name)
{
	int t = model_thing(m, name, KIND_COMBATANT);
	if (t >= 0)
		return t;
	const char *text = intern_folded(m->front->names, name);
	size_t n = strlen(text);
	static const struct { const char *ending, *instead; } endings[] = {{"s", ""}, {"es", ""}, {"ies", "y"}, {"ves", "f"}, {"men", "man"}};
	for (size_t i = 0; i < FRAY_COUNT(endings); i++) {
		size_t cut = strlen(endings[i].ending);
		if (n <= cut || strcmp(text + n - cut, endings[i].ending))
			continue;
		struct buf b = {0};
		buf_add(&b, text, n - cut);
		buf_puts(&b, endings[i].instead);
		sym single = intern_find(m->front->names, buf_text(&b), b.length);
		buf_free(&b);
		t = single ? model_thing(m, single, KIND_COMBATANT) : -1;
		if (t >= 0)
			return t;
	}
	return -1;
}

/* "three orcs" as "3 orcs"; NULL if it begins with no such word. Lives in the arena. */
static const char *in_digits(const struct model *m, const char *text)
{
	static const char *const words[] = {"a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"};
	for (size_t i = 1; i < FRAY_COUNT(words); i++) {
		size_t n = strlen(words[i]);
		if (strncmp(text, words[i], n) || text[n] != ' ')
			continue;
		struct buf b = {0};
		buf_printf(&b, "%zu%s", i + 1, text + n);
		const char *digits = arena_text(m->arena, b.data, b.length);
		buf_free(&b);
		return digits;
	}
	return NULL;
}

static void report_member(struct model *m, struct node *member)
{
	VEC(const char *) names = {0};
	for (int i = 0; i < m->thing.n; i++)
		if (kind_root(m, m->thing.v[i].kind) == KIND_COMBATANT)
			VEC_PUSH(names, model_text(m, m->thing.v[i].name));
	for (int i = 0; i < m->alias.n; i++)
		if (model_thing(m, m->alias.v[i].from, KIND_COMBATANT) >= 0)
			VEC_PUSH(names, model_text(m, m->alias.v[i].from));
	const char *best = diag_nearest(model_text(m, member->name), names.v, names.n);
	m->crowd_unsure = true;
	if (!best)
		best = in_digits(m, model_text(m, member->name));
	model_report(m, best ? M_NO_COMBATANT_NEAR : M_NO_COMBATANT, member->at, 2, model_text(m, member->name), best ? best : "");
	VEC_FREE(names);
}

static void live_add(struct model *m, int thing, int side, int number, bool late)
{
	struct mlive l = {0, thing, side, late};
	if (number) {
		struct buf b = {0};
		buf_printf(&b, "%s #%d", model_text(m, m->thing.v[thing].name), number);
		l.name = intern_put(m->front->names, b.data, b.length);
		buf_free(&b);
	} else {
		l.name = m->thing.v[thing].name;
	}
	VEC_PUSH(m->live, l);
}

static int live_called(const struct model *m, sym name)
{
	for (int i = 0; i < m->live.n; i++)
		if (m->live.v[i].name == name)
			return i;
	return -1;
}

static bool is_of(const struct model *m, int thing, int pattern)
{
	while (thing >= 0 && thing != pattern)
		thing = m->thing.v[thing].parent;
	return thing >= 0;
}

/* "Sly", "orc #2", "orcs": who joins is there, or was, already: he changes sides, or comes back. */
static bool joins_again(struct model *m, struct node *x)
{
	sym name = model_alias(m, x->name);
	int thing = model_thing(m, name, KIND_COMBATANT), live = live_called(m, name), side = model_side(m, name);
	bool one = live >= 0 && (thing < 0 || m->thing.v[m->live.v[live].thing].kind == KIND_COMBATANT);
	if (x->num)
		return false;
	x->ref_kind = REF_UNKNOWN;
	if (one) {
		x->ref_kind = REF_LIVE;
		x->ref = live;
		x->role = 1;
	} else if (thing < 0 && side >= 0) {
		x->ref_kind = REF_SIDE;
		x->ref = side;
	} else if (thing < 0 && (thing = singular_thing(m, name)) >= 0) {
		for (int i = 0; i < m->live.n; i++)
			if (is_of(m, m->live.v[i].thing, thing)) {
				x->ref_kind = REF_ISA;
				x->ref = thing;
			}
	}
	return x->ref_kind != REF_UNKNOWN;
}

static void enter_members(struct model *m, struct node *list, int side, bool late)
{
	for (struct node *x = list; x; x = x->next) {
		if (late && joins_again(m, x))
			continue;
		int thing = singular_thing(m, model_alias(m, x->name));
		x->ref_kind = REF_UNKNOWN;
		if (thing < 0) {
			report_member(m, x);
			continue;
		}
		if (x->num > FRAY_COMBATANTS_MAX || m->live.n + x->num > FRAY_COMBATANTS_MAX) {
			model_report(m, M_MANY_COMBATANTS, x->span, 0);
			m->crowd_unsure = true;
			return;
		}
		int used = 0, bare = 0;
		for (int i = 0; i < m->live.n; i++)
			if (m->live.v[i].thing == thing) {
				used++;
				bare += m->live.v[i].name == m->thing.v[thing].name;
			}
		x->ref_kind = REF_LIVE;
		x->ref = m->live.n;
		x->role = x->num ? (int)x->num : 1;
		if (x->num == 0) {
			if (bare && m->thing.v[thing].kind == KIND_COMBATANT)
				model_report(m, M_TWICE_THERE, x->at, 1, model_text(m, x->name));
			live_add(m, thing, side, used ? used + 1 : 0, late);
		}
		for (int k = 1; k <= x->num; k++)
			live_add(m, thing, side, used + k, late);
	}
}

static void report_no_side(struct model *m, const struct node *n)
{
	struct buf list = {0};
	VEC(const char *) names = {0};
	for (int i = 0; i < m->side.n; i++)
		VEC_PUSH(names, model_text(m, m->side.v[i].name));
	diag_list(names.v, names.n, NULL, names.n, &list);
	model_report(m, M_NO_SIDE, n->at, 2, model_text(m, n->name), list.length ? buf_text(&list) : "none");
	buf_free(&list);
	VEC_FREE(names);
}

/* "the party" is the party, unless a side is called so. */
static int side_called(const struct model *m, sym name)
{
	const char *text = model_text(m, name);
	int side = model_side(m, name);
	if (side >= 0 || strncmp(text, "the ", 4))
		return side;
	sym rest = intern_find(m->front->names, text + 4, strlen(text + 4));
	return rest ? model_side(m, rest) : -1;
}

/* Who is there, or joins, by these lines; `late`: in a block of the fight. */
static void enter(struct model *m, struct node *items, bool late)
{
	for (struct node *n = items; n; n = n->next) {
		if (n->damaged || (n->kind != N_KIND_SIDE && n->kind != N_KIND_N_JOIN))
			continue;
		int side = n->kind == N_KIND_SIDE ? model_side(m, n->name) : side_called(m, n->name);
		if (n->kind == N_KIND_SIDE && side >= 0 && !late) {
			model_report(m, M_TWICE, n->at, 2, "side", model_text(m, n->name));
			continue;
		}
		if (n->kind == N_KIND_SIDE && side < 0) {
			struct mside s = {n->name, n, late};
			VEC_PUSH(m->side, s);
			side = m->side.n - 1;
		}
		n->ref = side;
		if (side >= 0)
			enter_members(m, n->a, side, late);
		else
			report_no_side(m, n);
	}
}

void scene_enter(struct model *m, int encounter)
{
	m->in_encounter = encounter;
	m->crowd_unsure = false;
	m->side.n = m->live.n = 0;
	struct node *items = m->encounter.v[encounter].node->a;
	enter(m, items, false);
	for (struct node *n = items; n; n = n->next)
		if (n->kind == N_KIND_MOMENT && !n->damaged)
			enter(m, n->a, true);
	items_enter(m, encounter);
}

void scene_leave(struct model *m)
{
	m->in_encounter = -1;
	m->crowd_unsure = false;
	m->side.n = m->live.n = m->item.n = 0;
}

/* ---- sentences ---- */

int sentence_role(struct model *m, int event, sym preposition, struct type *type, unsigned taken)
{
	const struct mevent *e = &m->event.v[event];
	if (e->action) {
		struct type *t = type ? type_find(type) : NULL;
		for (int i = 1; i < e->roles; i++) {
			struct type *role = type_find(e->role[i].type);
			bool fits = !t || t->base == VT_UNKNOWN || role->base == VT_UNKNOWN || role->base == t->base || (role->base == VT_SET && t->base == VT_LIVE);
			if (e->role[i].preposition == preposition && !(taken >> i & 1) && fits)
				return i;
		}
		/* "shoots Grak": the object may be what a preposition usually brings */
		for (int i = 1; i < e->roles && t && t->base == VT_LIVE && !preposition; i++)
			if (!(taken >> i & 1) && type_find(e->role[i].type)->base == t->base)
				return i;
		for (int i = 1; i < e->roles; i++)
			if (e->role[i].preposition == preposition && !(taken >> i & 1))
				return i;
		return -1;
	}
	for (int i = 1; i < e->roles; i++) {
		struct type *role = type_find(e->role[i].type), *given = type_find(type);
		bool fits = role->base == given->base || role->base == VT_UNKNOWN || (role->base == VT_SET && given->base == VT_LIVE);
		if (!(taken >> i & 1) && fits)
			return i;
	}
	return -1;
}

static void infer_subjects(struct scope *s, struct node *list)
{
	struct model *m = s->m;
	for (struct node *n = list; n; n = n->next) {
		struct type *t = type_find(infer(s, n, NULL));
		bool set = t->base == VT_SET && type_find(t->elem)->kind == KIND_COMBATANT;
		bool one = t->base == VT_LIVE && (t->kind == KIND_COMBATANT || t->kind == KIND_SIDE);
		if (!set && !one && t->base != VT_UNKNOWN)
			model_report(m, M_NO_SUBJECT, n->span, 0);
	}
}

/* "attack (target) with (weapon)": how an action or event is said. Lives in the arena. */
static const char *pattern_of(const struct model *m, int event)
{
	const struct mevent *e = event >= 0 ? &m->event.v[event] : NULL;
	struct buf b = {0};
	buf_puts(&b, e ? model_text(m, e->name) : "act");
	for (int i = 1; e && i < e->roles; i++) {
		if (e->action && e->role[i].preposition)
			buf_printf(&b, " %s", model_text(m, e->role[i].preposition));
		buf_printf(&b, " (%s)", model_text(m, e->role[i].name));
	}
	const char *text = arena_text(m->arena, b.data, b.length);
	buf_free(&b);
	return text;
}

static void report_verb(struct model *m, struct node *n)
{
	VEC(const char *) names = {0};
	for (int i = 0; i < m->event.n; i++)
		if (m->event.v[i].node && m->event.v[i].action)
			VEC_PUSH(names, model_text(m, m->event.v[i].name));
	const char *best = diag_nearest(model_text(m, n->name), names.v, names.n);
	bool event = !best && model_event(m, n->name) >= 0; /* of the rules: nobody does it */
	struct diag d = diag_make(event ? M_EVENT_NOT_DONE : best ? M_NO_VERB_NEAR : M_NO_VERB, n->at);
	diag_arg(&d, model_text(m, n->name));
	diag_arg(&d, best ? best : "");
	struct buf line = {0};
	size_t length = 0;
	const char *who = n->a ? sources_text(m->front->sources, n->a->span, &length) : "";
	bool one = n->a && !n->a->next && length && length < 60;
	buf_printf(&line, "%.*s can: ", one ? (int)length : 8, one ? who : "Somebody");
	diag_list(names.v, names.n, best, 18, &line);
	buf_putc(&line, '.');
	diag_line(&d, buf_text(&line));
	model_send(m, &d);
	buf_free(&line);
	VEC_FREE(names);
}

static void report_several(struct model *m, struct span at)
{
	size_t length;
	const char *text = sources_text(m->front->sources, at, &length);
	struct buf b = {0};
	buf_add(&b, text, length);
	model_report(m, M_ONE_TARGET, at, 1, buf_text(&b));
	buf_free(&b);
}

/* Several targets fill a role that takes a set of them; false: it takes one. */
static bool several_fit(struct model *m, struct node *target, struct type *want)
{
	struct node *last = target;
	while (last->next)
		last = last->next;
	if (want->base == VT_UNKNOWN)
		type_unify(m, want, type_set(m, type_new(m, VT_LIVE, KIND_COMBATANT)));
	if (last == target || type_find(want)->base == VT_SET || type_find(want)->base == VT_UNKNOWN)
		return true;
	report_several(m, span_join(target->span, last->span));
	return false;
}

/* One object or prepositional phrase of a sentence against the role it fills. */
static void infer_target(struct scope *s, struct node *target, struct type *want)
{
	struct model *m = s->m;
	if (target->next && !several_fit(m, target, type_find(want)))
		return;
	want = type_find(want);
	for (struct node *t = target; t; t = t->next) {
		if (t->kind == N_KIND_SOMEONE)
			continue;
		if (t->kind == N_KIND_COUNTED) {
			int thing = model_thing(m, t->name, -1);
			if (thing < 0) {
				const char *text = intern_folded(m->front->names, t->name);
				size_t length = strlen(text);
				sym single = length > 1 && text[length - 1] == 's' ? intern_find(m->front->names, text, length - 1) : 0;
				thing = single ? model_thing(m, single, -1) : -1;
			}
			t->ref_kind = REF_THING;
			t->ref = thing;
			if (thing < 0)
				model_report(m, M_NO_NAME, t->span, 2, model_text(m, t->name), "");
			continue;
		}
		/* One target does not say that there are never several: all other sentences are heard first. A
		 * side stands for its members; the rules are heard before it, for they may mean the side itself. */
		if (want->base == VT_UNKNOWN) {
			struct type *first = type_find(infer(s, t, NULL));
			bool side = first->base == VT_LIVE && first->kind == KIND_SIDE;
			if (m->pass < (side ? 1 : 2) && (side || (first->base == VT_LIVE && first->kind == KIND_COMBATANT))) {
				m->changed = true;
				continue;
			}
			if (side && type_unify(m, want, type_set(m, type_new(m, VT_LIVE, KIND_COMBATANT))))
				want = type_find(want);
		}
		struct type *given = type_find(infer(s, t, want));
		if (want->base == VT_LIVE && want->kind == KIND_COMBATANT && (given->base == VT_SET || (given->base == VT_LIVE && given->kind == KIND_SIDE))) {
			report_several(m, t->span);
			continue;
		}
		if (!type_fits(m, want, given) && !(want->base == VT_SET && given->base == VT_SET) && m->reporting) {
			struct buf x = {0}, y = {0};
			type_print(m, want, &x);
			type_print(m, given, &y);
			model_report(m, M_TARGET_TYPE, t->span, 2, buf_text(&x), buf_text(&y));
			buf_free(&x);
			buf_free(&y);
		}
	}
}

/* What a line says for a role; a fraction there makes it one that holds fractions. */
static void infer_role(struct scope *s, struct node *target, struct mrole *role)
{
	infer_target(s, target, role->type);
	for (struct node *t = target; t; t = t->next)
		if (t->frac && !role->frac && type_number(t->type)) {
			role->frac = s->m->changed = true;
			role->fraction = t->span;
		}
}

/* What an object is, as far as it can be told before its role is known; NULL: it cannot. */
static struct type *object_type(struct scope *s, struct node *n)
{
	if (n->kind == N_KIND_SOMEONE)
		return type_new(s->m, VT_LIVE, KIND_COMBATANT);
	if (n->kind == N_KIND_COUNTED)
		return type_new(s->m, VT_THING, -1);
	if (n->kind != N_KIND_E_NAME && n->kind != N_KIND_E_FIELD)
		return NULL;
	bool reporting = s->m->reporting;
	s->m->reporting = false;
	struct type *t = type_find(infer(s, n, NULL));
	s->m->reporting = reporting;
	return t->base == VT_UNKNOWN ? NULL : t;
}

/* "as soon as Grak moves": an event or action, who does it, and to whom. */
static void infer_cue(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	if (!n || n->kind != N_KIND_N_SAY) {
		if (n)
			model_report(m, M_CUE, n->span, 0);
		return;
	}
	infer_subjects(s, n->a);
	int event = model_event(m, n->name);
	if (event < 0) {
		report_verb(m, n);
		return;
	}
	n->ref_kind = REF_EVENT;
	n->ref = event;
	if (n->b) {
		int role = m->event.v[event].action ? sentence_role(m, event, 0, NULL, 1) : sentence_role(m, event, 0, infer(s, n->b, NULL), 1);
		if (role < 0)
			model_report(m, M_NO_OBJECT, n->b->span, 2, model_text(m, n->name), pattern_of(m, event));
		else
			infer_role(s, n->b, &m->event.v[event].role[role]);
	}
	if (n->c)
		infer(s, n->c, type_new(m, VT_BOOL, -1));
}

static bool takes_preposition(const struct mevent *e, sym preposition)
{
	for (int i = 1; i < e->roles; i++)
		if (e->role[i].preposition == preposition)
			return true;
	return false;
}

/* "attacks Lord of the Isles at Sea": a name that nobody declared, cut at a preposition that
 * the action does not take. It is made whole, to be reported whole. */
static void mend_names(struct scope *s, struct node *n, const struct mevent *e)
{
	struct node **link = &n->d, *before = n->b;
	while (*link && s->m->reporting) {
		struct node *p = *link;
		if (before && !before->next && before->kind == N_KIND_E_NAME && p->kind == N_KIND_PREP && p->a->kind == N_KIND_E_NAME && !p->a->next &&
		    !takes_preposition(e, p->name) && p->a->ref_kind == REF_UNKNOWN && before->ref_kind == REF_UNKNOWN) {
			size_t length;
			before->span = before->at = span_join(before->span, p->span);
			const char *text = sources_text(s->m->front->sources, before->span, &length);
			before->name = intern_put(s->m->front->names, text, length < FRAY_NAME_MAX ? length : FRAY_NAME_MAX);
			*link = p->next;
			continue;
		}
		before = p->kind == N_KIND_PREP ? p->a : NULL;
		link = &p->next;
	}
}

static bool names_field(const struct node *n, sym field)
{
	for (; n; n = n->next) {
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		if (n->kind == N_KIND_E_FIELD && n->name == field)
			return true;
		for (int i = 0; i < 6; i++)
			if (kids[i] && names_field(kids[i], field))
				return true;
	}
	return false;
}

/* What a line says by way of a field is nothing where no rule asks for it. */
static void warn_unread(struct model *m, const struct node *p, int field)
{
	sym name = m->field.v[field].name;
	for (int c = 0; c < m->clause.n && m->reporting; c++)
		if (m->clause.v[c].in_force && m->clause.v[c].sort != CLAUSE_ON && names_field(m->clause.v[c].node, name))
			return;
	if (m->reporting)
		model_report(m, M_NOT_WAITED, p->span, 1, model_text(m, p->name));
}

void infer_line(struct scope *s, struct node *n, struct node *subject)
{
	struct model *m = s->m;
	if (subject)
		infer_subjects(s, subject);
	int event = model_event(m, n->name);
	if (event < 0 || !m->event.v[event].action) {
		if (!subject || subject->ref_kind != REF_UNKNOWN)
			report_verb(m, n);
		return;
	}
	n->ref_kind = REF_EVENT;
	n->ref = event;
	m->event.v[event].pended = true;
	mend_names(s, n, &m->event.v[event]);
	bool draws = s->draws;
	s->draws = true;
	unsigned taken = 0;
	n->role = 0;
	if (n->b) {
		int role = sentence_role(m, event, 0, object_type(s, n->b), taken);
		if (role < 0) {
			model_report(m, M_NO_OBJECT, n->b->span, 2, model_text(m, n->name), pattern_of(m, event));
		} else {
			n->role = role;
			taken |= 1u << role;
			infer_role(s, n->b, &m->event.v[event].role[role]);
		}
	}
	for (struct node *p = n->d; p; p = p->next) {
		if (p->kind == N_KIND_CUE) {
			infer_cue(s, p->a);
			continue;
		}
		int role = sentence_role(m, event, p->name, NULL, taken);
		p->ref = role;
		/* `hold until segment 7`: what waits is the act itself */
		if (role >= 0 && m->event.v[event].role[role].name == m->w.moment && p->a && p->a->kind == N_KIND_E_MOMENT)
			role = -1;
		if (role >= 0) {
			taken |= 1u << role;
			infer_role(s, p->a, &m->event.v[event].role[role]);
			continue;
		}
		/* `from segment 7`: any action may wait */
		int held = model_field(m, KIND_ACT, model_sym(m, "held until"));
		if (p->a && p->a->kind == N_KIND_E_MOMENT && held >= 0) {
			infer(s, p->a, m->field.v[held].type);
			p->ref = SAID_HELD;
			warn_unread(m, p, held);
			continue;
		}
		/* `after orcs`: until they have acted */
		int behind = model_field(m, KIND_ACT, model_sym(m, "held behind"));
		if (behind >= 0 && p->name == model_sym(m, "after")) {
			p->ref = SAID_BEHIND;
			infer_subjects(s, p->a);
			warn_unread(m, p, behind);
			continue;
		}
		model_report(m, M_NO_PREPOSITION, p->span, 3, model_text(m, n->name), model_text(m, p->name), pattern_of(m, event));
	}
	s->draws = draws;
	if (n->c) {
		struct type *t = infer(s, n->c, type_new(m, VT_BOOL, -1));
		if (!type_unify(m, t, type_new(m, VT_BOOL, -1)))
			model_report(m, M_NOT_YES_NO, n->c->span, 2, "yes or no", "something else");
	}
	if (n->e)
		infer_line(s, n->e, NULL);
	if (n->f)
		infer_line(s, n->f, NULL);
}

/* ---- dice, choices, expectations ---- */

static void infer_owner(struct scope *s, struct node *path, sym *label)
{
	struct model *m = s->m;
	*label = path->name;
	if (path->kind == N_KIND_E_FIELD) {
		struct type *t = type_find(infer(s, path->a, NULL));
		if (t->base != VT_LIVE && t->base != VT_SET && t->base != VT_UNKNOWN)
			model_report(m, M_LABEL_OWNER, path->a->span, 0);
	} else if (path->kind != N_KIND_E_NAME) {
		model_report(m, M_LABEL_OWNER, path->span, 0);
	}
}

/* "heroes initiative": a die's name behind somebody's, without the 's between; else `best`. */
static const char *label_of_owner(const struct model *m, const char *text, const char *const *labels, int n, const char *best)
{
	size_t length = strlen(text);
	for (int i = 0; i < n; i++) {
		size_t k = strlen(labels[i]);
		if (k + 1 >= length || strcmp(text + length - k, labels[i]) || text[length - k - 1] != ' ')
			continue;
		struct buf b = {0};
		size_t owner = length - k - 1;
		buf_printf(&b, "%.*s%s %s", (int)owner, text, text[owner - 1] == 's' ? "'" : "'s", labels[i]);
		best = arena_text(m->arena, b.data, b.length);
		buf_free(&b);
		return best;
	}
	return best;
}

/* "attack roll #3": the third of that name, not the next. */
static void take_number(const struct model *m, struct node *f)
{
	const char *text = model_text(m, f->a->name), *mark = strrchr(text, '#');
	int64_t number = 0;
	if (f->num || !mark || mark - text < 2 || mark[-1] != ' ' || !mark[1])
		return;
	for (const char *c = mark + 1; *c; c++) {
		if (*c < '0' || *c > '9' || number > 100000000)
			return;
		number = 10 * number + (*c - '0');
	}
	sym label = intern_find(m->front->names, text, (size_t)(mark - text - 1));
	for (int i = 0; i < m->label.n && number > 0; i++)
		if (label && m->label.v[i].name == label) {
			f->a->name = label;
			f->num = number;
			return;
		}
}

static void infer_forced(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	for (struct node *f = n->a; f; f = f->next) {
		sym name;
		take_number(m, f);
		infer_owner(s, f->a, &name);
		if (!m->reporting)
			continue;
		int label = -1;
		VEC(const char *) names = {0};
		for (int i = 0; i < m->label.n; i++) {
			VEC_PUSH(names, model_text(m, m->label.v[i].name));
			if (m->label.v[i].name == name)
				label = i;
		}
		for (struct node *p = f->b; p; p = p->next)
			for (struct node *x = p->a; x; x = x->next)
				if (x->num > INT32_MAX || x->num < -INT32_MAX)
					model_report(m, M_NUMBER_TOO_BIG, x->span, 0);
		if (label < 0) {
			const char *best = diag_nearest(model_text(m, name), names.v, names.n);
			struct buf all = {0};
			if (!best || strchr(model_text(m, name), ' '))
				best = label_of_owner(m, model_text(m, name), names.v, names.n, best);
			diag_list(names.v, names.n, NULL, 12, &all);
			model_report(m, best ? M_NO_LABEL_NEAR : M_NO_LABEL, f->a->at, 2, model_text(m, name), best ? best : buf_text(&all));
			buf_free(&all);
		} else if (m->label.v[label].known) {
			for (struct node *p = f->b; p; p = p->next) {
				int64_t total = 0;
				for (struct node *x = p->a; x; x = x->next)
					total += x->num;
				if (total >= m->label.v[label].least && total <= m->label.v[label].most)
					continue;
				struct buf value = {0}, range = {0};
				buf_printf(&value, "%lld", (long long)total);
				buf_printf(&range, "%d to %d", m->label.v[label].least, m->label.v[label].most);
				model_report(m, M_DIE_CANNOT, p->span, 4, model_text(m, name), m->label.v[label].dice, buf_text(&value), buf_text(&range));
				buf_free(&value);
				buf_free(&range);
			}
		}
		VEC_FREE(names);
	}
}

static void infer_choices(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	for (struct node *f = n->a; f; f = f->next) {
		sym name;
		infer_owner(s, f->a, &name);
		int choice = -1;
		VEC(const char *) names = {0};
		for (int i = 0; i < m->choice.n; i++) {
			VEC_PUSH(names, model_text(m, m->choice.v[i].name));
			if (m->choice.v[i].name == name)
				choice = i;
		}
		f->ref = choice;
		if (choice < 0) {
			const char *best = diag_nearest(model_text(m, name), names.v, names.n);
			model_report(m, best ? M_NO_CHOICE_NEAR : M_NO_CHOICE, f->a->at, 2, model_text(m, name), best ? best : "");
		} else {
			for (struct node *a = f->b; a; a = a->next) {
				struct type *t = infer(s, a, m->choice.v[choice].type);
				if (!type_unify(m, t, m->choice.v[choice].type))
					model_report(m, M_CHOICE_VALUE, a->span, 1, model_text(m, name));
			}
		}
		VEC_FREE(names);
	}
}

/* "party wins", "Bruna survives", where no event is called so: an adjective may be said as a verb.
 * The comparison it means; NULL for any other node. */
static struct node *adjective_said(struct model *m, const struct node *say)
{
	if (say->kind != N_KIND_N_EXPECT_SAY || say->b || say->d || say->name == m->w.acts_verb || model_event(m, say->name) >= 0)
		return NULL;
	sym said[2] = {say->name, say->name2};
	for (int i = 0; i < 2; i++) {
		sym name = said[i] ? model_alias(m, said[i]) : 0;
		for (int kind = KIND_SIDE; name && kind <= KIND_COMBATANT; kind++) {
			int field = model_field(m, kind, name);
			if (model_question_of(m, kind, name, true) < 0 && (field < 0 || !type_is(m->field.v[field].type, VT_BOOL)))
				continue;
			struct node *is = node_new(m->arena, N_KIND_E_IS, say->span);
			is->at = say->at;
			is->a = say->a;
			is->b = node_new(m->arena, N_KIND_E_NAME, say->at);
			is->b->name = name;
			is->b->at = say->at;
			is->num = say->num & 1;
			return is;
		}
	}
	return NULL;
}

/* "Bruna is refused", "Bruna's attack is refused": a sentence about what was not allowed,
 * unless these rules say what else it means. */
static void expect_refused(struct model *m, struct node *n)
{
	struct node *is = n->a;
	bool negated = false;
	for (; is->kind == N_KIND_E_NOT; is = is->a)
		negated = !negated;
	if (is->kind != N_KIND_E_IS || is->b->kind != N_KIND_E_NAME || is->b->name != m->w.refused)
		return;
	if (model_question_of(m, KIND_COMBATANT, m->w.refused, true) >= 0 || model_field(m, KIND_COMBATANT, m->w.refused) >= 0)
		return;
	negated ^= is->num == 1;
	n->kind = N_KIND_N_EXPECT_SAY;
	n->op = SAID_REFUSED;
	n->num = negated;
	n->a = is->a;
	if (n->a->kind == N_KIND_E_FIELD) { /* the act, and whose it is */
		n->name = n->a->name;
		n->at = n->a->at;
		n->a = n->a->a;
	}
}

static void infer_expect_refused(struct scope *s, struct node *n)
{
	infer_subjects(s, n->a);
	n->ref_kind = REF_EVENT;
	n->ref = n->name ? model_event(s->m, n->name) : -1;
	if (n->name && (n->ref < 0 || !s->m->event.v[n->ref].action))
		report_verb(s->m, n);
}

/* Several who are meant: the type of the first, each looked at. */
static struct type *infer_each(struct scope *s, struct node *list)
{
	struct type *first = type_find(infer(s, list, NULL));
	for (struct node *n = list->next; n; n = n->next)
		infer(s, n, NULL);
	return first;
}

static void infer_expect_say(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	struct node *subject = n->a;
	if (subject->kind == N_KIND_E_FIELD) /* "Halvaine's spell completes" */
		subject = subject->a;
	if (subject)
		infer_subjects(s, subject);
	int event = n->name == m->w.acts_verb ? -1 : model_event(m, n->name);
	n->ref_kind = REF_EVENT;
	n->ref = event;
	if (event < 0 && n->name != m->w.acts_verb) {
		report_verb(m, n);
		return;
	}
	unsigned taken = 1;
	if (n->b && event >= 0) {
		int role = -1;
		if (m->event.v[event].action) {
			role = sentence_role(m, event, 0, object_type(s, n->b), taken);
			if (role >= 0)
				infer_role(s, n->b, &m->event.v[event].role[role]);
		} else {
			struct type *t = infer_each(s, n->b);
			role = sentence_role(m, event, 0, t, taken);
		}
		n->num = (n->num & 1) | (role >= 0 ? (int64_t)(role + 1) << 8 : 0);
		if (role >= 0)
			taken |= 1u << role;
		else
			model_report(m, M_NO_OBJECT, n->b->span, 2, model_text(m, n->name), pattern_of(m, event));
	}
	for (struct node *p = n->d; p; p = p->next) {
		const char *prep = model_text(m, p->name);
		p->ref = -1;
		if (!strcmp(prep, "in") || !strcmp(prep, "before") || !strcmp(prep, "after")) {
			struct type *t = infer_each(s, p->a);
			bool moment = t->base == VT_TIME || t->base == VT_COUNT;
			bool who = t->base == VT_SET || (t->base == VT_LIVE && (t->kind == KIND_COMBATANT || t->kind == KIND_SIDE));
			if (!moment && !who && t->base != VT_UNKNOWN)
				model_report(m, M_BEFORE_WHAT, p->a->span, 1, prep);
			p->ref = -3;
			continue;
		}
		if (event < 0) {
			model_report(m, M_NO_PREPOSITION, p->span, 3, model_text(m, n->name), prep, pattern_of(m, event));
			continue;
		}
		struct type *t = infer_each(s, p->a);
		int role = sentence_role(m, event, m->event.v[event].action ? p->name : 0, t, taken);
		p->ref = role;
		if (role >= 0)
			taken |= 1u << role;
		else
			model_report(m, M_NO_PREPOSITION, p->span, 3, model_text(m, n->name), prep, pattern_of(m, event));
	}
}

/* ---- items of an encounter ---- */

enum { SCENE_ITEMS = 10000, COUNT_DIGITS = 18 };

/* "sdie party": the name with its first word put right, if that is nearly `wanted`; else NULL. */
static const char *near_word(const struct model *m, sym name, const char *wanted)
{
	const char *text = model_text(m, name), *rest = strchr(text, ' ');
	if (!rest)
		return strcmp(text, "sides") ? NULL : "side party";
	char *first = arena_text(m->arena, text, (size_t)(rest - text));
	if (!diag_nearest(first, &wanted, 1))
		return NULL;
	struct buf b = {0};
	buf_printf(&b, "%s%s", wanted, rest);
	const char *right = arena_text(m->arena, buf_text(&b), b.length);
	buf_free(&b);
	return right;
}

/* A broken line that may have said who is there. */
static bool side_broken(const struct model *m, const struct node *items)
{
	for (const struct node *n = items; n; n = n->next) {
		size_t length;
		const char *text = n->kind == N_KIND_NOTHING ? sources_text(m->front->sources, n->span, &length) : NULL;
		if ((text && length >= 4 && !strncmp(text, "side", 4)) || (n->kind == N_KIND_SIDE && n->damaged))
			return true;
		for (const struct node *x = n->kind == N_KIND_SIDE ? n->a : NULL; x; x = x->next) { /* a count too big to be one */
			text = sources_text(m->front->sources, x->span, &length);
			if (strspn(text, "0123456789") > COUNT_DIGITS)
				return true;
		}
		if (n->kind == N_KIND_D_FIELD && model_field(m, KIND_ENCOUNTER, n->name) < 0 && near_word(m, n->name, "side"))
			return true;
	}
	return false;
}

static void infer_value(struct scope *s, struct node *v, struct type *want, sym field)
{
	struct model *m = s->m;
	struct type *target = type_find(want);
	if (target->base == VT_SET || target->base == VT_LIST)
		target = target->elem;
	infer_own_fields(s, v, target);
	if (v->kind == N_KIND_V_COUNT || v->kind == N_KIND_V_NAMED)
		return;
	struct type *t = infer(s, v->a, target);
	if (v->a->kind == N_KIND_E_NONE)
		return;
	if (!type_fits(m, target, t) && m->reporting && !type_is(target, VT_UNKNOWN)) {
		struct buf x = {0}, y = {0};
		type_print(m, want, &x);
		type_print(m, t, &y);
		model_report(m, M_FIELD_VALUE, v->span, 4, model_text(m, field), buf_text(&x), buf_text(&y), type_example(m, want));
		buf_free(&x);
		buf_free(&y);
	}
}

int policy_named(struct model *m, const struct node *n)
{
	for (int i = 0; i < m->policy.n; i++)
		if (m->policy.v[i].name == n->name)
			return i;
	VEC(const char *) names = {0};
	for (int i = 0; i < m->policy.n; i++)
		VEC_PUSH(names, model_text(m, m->policy.v[i].name));
	const char *best = diag_nearest(model_text(m, n->name), names.v, names.n);
	model_report(m, best ? M_NO_POLICY_NEAR : M_NO_POLICY, n->at, 2, model_text(m, n->name), best ? best : "");
	VEC_FREE(names);
	return -1;
}

static void infer_items(struct scope *s, struct node *list, const struct node *block);

static struct node *named(struct model *m, struct span at, sym name)
{
	struct node *n = node_new(m->arena, N_KIND_E_NAME, at);
	n->at = at;
	n->name = name;
	return n;
}

static struct node *field_of(struct model *m, struct span at, struct node *owner, sym field)
{
	struct node *n = node_new(m->arena, N_KIND_E_FIELD, at);
	n->at = at;
	n->a = owner;
	n->name = field;
	return n;
}

/* "distance: 40 ft", "orcs' armour class: 4" in a block are said of a fight in progress: they set
 * it, for each of a group. Of a list it is not clear what would become of what is in it. */
static void set_in_block(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	bool own = n->kind == N_KIND_D_FIELD;
	struct node *path = own ? NULL : n->a, *values = own ? n->a : n->b;
	if (!own && path->kind != N_KIND_E_FIELD)
		return; /* reported below */
	sym field = own ? n->name : path->name;
	struct type *t = own ? NULL : type_find(infer(s, path->a, NULL));
	bool side = t && t->base == VT_LIVE && t->kind == KIND_SIDE && model_field(m, KIND_SIDE, field) < 0;
	bool group = side || (t && t->base == VT_SET);
	int f = model_field(m, own ? KIND_ENCOUNTER : t->base == VT_LIVE && !side ? t->kind : KIND_COMBATANT, field);
	struct type *type = f < 0 ? NULL : type_find(m->field.v[f].type);
	if (!type)
		return;
	if (values->next || values->kind != N_KIND_V_PLAIN || values->b || type->base == VT_LIST || type->base == VT_SET) {
		size_t length;
		const char *text = sources_text(m->front->sources, own ? n->at : path->span, &length);
		struct buf b = {0};
		buf_puts(&b, own ? "encounter's " : "");
		buf_add(&b, text, length);
		model_report(m, M_LIST_IN_BLOCK, n->span, 1, arena_text(m->arena, b.data, b.length));
		buf_free(&b);
		return;
	}
	sym one = model_sym(m, "each of them");
	struct node *set = node_new(m->arena, N_KIND_S_SET, n->span), *owner = own ? named(m, n->at, m->w.encounter) : path->a;
	set->b = values->a;
	if (group) {
		struct node *each = node_new(m->arena, N_KIND_S_EACH, n->span), *body = node_new(m->arena, N_KIND_S_BLOCK, n->span);
		each->at = n->span;
		each->name = one;
		each->a = side ? field_of(m, path->span, owner, m->w.members) : owner;
		each->b = body;
		body->a = set;
		set->a = field_of(m, path->at, named(m, path->a->span, one), field);
		set = each;
	} else {
		set->a = own ? field_of(m, n->at, owner, field) : path;
	}
	n->kind = N_KIND_N_EDIT;
	n->a = set;
	n->b = NULL;
}

/* "Tam leaves", where that is no action: he is out of the fight. */
static bool is_leaving(const struct model *m, const struct node *n)
{
	int event = n->name == m->w.leave ? model_event(m, n->name) : -1;
	return event >= 0 && !m->event.v[event].action && n->a && !n->b && !n->c && !n->d && !n->e && !n->f;
}

/* A module used in mid-fight is read aside; a whole system is not. */
static void infer_use(struct model *m, const struct node *n, const struct node *block)
{
	if (!block || block->name != m->w.beat) {
		if (n->name || n->a)
			model_report(m, M_USE_INSIDE, n->span, 0);
		else if (block)
			model_report(m, M_OPTION_IN_BLOCK, n->span, 0);
		return;
	}
	for (const struct node *x = n; x; x = x == n ? n->a : x->next) {
		bool known = !x->name;
		for (int i = 0; i < m->module.n && !known; i++)
			known = m->module.v[i].name == x->name;
		if (!known)
			model_report(m, M_TOO_LATE, x->span, 1, model_text(m, x->name));
	}
}

/* `block`: the block it stands in, or NULL. */
static void infer_item(struct scope *s, struct node *n, const struct node *block)
{
	struct model *m = s->m;
	int vars = s->vars;
	if (block && (n->kind == N_KIND_D_FIELD || n->kind == N_KIND_N_OVERRIDE))
		set_in_block(s, n);
	switch (n->kind) {
	case N_KIND_SIDE:
		break;
	case N_KIND_D_FIELD: {
		int f = model_field(m, KIND_ENCOUNTER, n->name);
		if (f < 0) {
			VEC(const char *) names = {0};
			for (int i = 0; i < m->field.n; i++)
				if (m->field.v[i].kind == KIND_ENCOUNTER && !m->field.v[i].hidden)
					VEC_PUSH(names, model_text(m, m->field.v[i].name));
			const char *best = diag_nearest(model_text(m, n->name), names.v, names.n);
			if (!best)
				best = near_word(m, n->name, "side");
			report_no_field(m, n->at, n->name, KIND_ENCOUNTER, best);
			VEC_FREE(names);
			break;
		}
		for (struct node *v = n->a; v; v = v->next)
			infer_value(s, v, m->field.v[f].type, n->name);
		n->ref = f;
		break;
	}
	case N_KIND_N_OVERRIDE: {
		struct node *path = n->a;
		if (path->kind != N_KIND_E_FIELD) {
			model_report(m, M_NOT_A_PLACE, path->span, 0);
			break;
		}
		struct type *t = type_find(infer(s, path->a, NULL));
		if (t->base != VT_LIVE || !kind_borne(m, t->kind)) /* "Rolf's sword's number: 16" is fine too */
			infer_subjects(s, path->a);
		/* "orcs' surprises: 3": each of them, unless the side itself has the field */
		int kind = t->base == VT_LIVE ? t->kind : KIND_COMBATANT;
		int f = model_field(m, kind, path->name);
		if (f < 0 && kind == KIND_SIDE)
			f = model_field(m, KIND_COMBATANT, path->name);
		if (f < 0 && report_option_of_all(m, path))
			break;
		if (f < 0) {
			VEC(const char *) names = {0};
			for (int i = 0; i < m->field.n; i++)
				if (m->field.v[i].kind == kind || m->field.v[i].kind == KIND_COMBATANT)
					VEC_PUSH(names, model_text(m, m->field.v[i].name));
			const char *best = diag_nearest(model_text(m, path->name), names.v, names.n);
			report_no_field(m, path->at, path->name, kind, best);
			VEC_FREE(names);
			break;
		}
		n->ref = f;
		for (struct node *v = n->b; v; v = v->next) {
			infer_value(s, v, m->field.v[f].type, path->name);
			if (m->reporting && v->a)
				option_allows(m, f, v->a);
		}
		break;
	}
	case N_KIND_N_EDIT:
	case N_KIND_N_REFEREE:
		s->pure = false;
		infer_block(s, n->a);
		break;
	case N_KIND_N_SAY:
		s->pure = true;
		if (!is_leaving(m, n)) {
			infer_line(s, n, n->a);
			break;
		}
		n->kind = N_KIND_N_LEAVE;
		/* fallthrough */
	case N_KIND_N_LEAVE:
		infer_subjects(s, n->a);
		break;
	case N_KIND_N_FOLLOWS: {
		infer_subjects(s, n->a);
		n->ref = policy_named(m, n);
		if (n->c)
			infer(s, n->c, type_new(m, VT_BOOL, -1));
		break;
	}
	case N_KIND_N_DICE:
		infer_forced(s, n);
		break;
	case N_KIND_N_CHOICES:
		infer_choices(s, n);
		break;
	case N_KIND_N_EXPECT_SAY: {
		struct node *is = adjective_said(m, n);
		if (!is) {
			if (n->op == SAID_REFUSED)
				infer_expect_refused(s, n);
			else
				infer_expect_say(s, n);
			break;
		}
		n->kind = N_KIND_N_EXPECT;
		n->a = is;
		n->num = 0;
	} /* fallthrough */
	case N_KIND_N_EXPECT:
	case N_KIND_N_UNTIL: {
		if (n->kind == N_KIND_N_EXPECT)
			expect_refused(m, n);
		if (n->kind == N_KIND_N_EXPECT_SAY) {
			infer_expect_refused(s, n);
			break;
		}
		if (n->text)
			model_report(m, M_REASON_OF_WHAT, n->span, 0);
		s->pure = true;
		struct type *t = infer(s, n->a, type_new(m, VT_BOOL, -1));
		if (!type_unify(m, t, type_new(m, VT_BOOL, -1)) && m->reporting) {
			struct buf b = {0};
			type_print(m, t, &b);
			model_report(m, M_NOT_YES_NO, n->a->span, 2, "yes or no", buf_text(&b));
			buf_free(&b);
		}
		break;
	}
	case N_KIND_MOMENT:
		if (block)
			model_report(m, M_BLOCK_IN_BLOCK, n->span, 0);
		if (n->name != m->w.round && n->name != m->w.beat && model_field(m, KIND_ENCOUNTER, n->name) < 0) {
			report_no_moment(m, n);
		}
		infer_items(s, n->a, n);
		break;
	case N_KIND_N_OPTION: {
		int o = model_option(m, n->name);
		n->ref = o;
		if (o < 0)
			report_no_option(m, n, n->name);
		else if (block && block->name != m->w.beat)
			model_report(m, M_OPTION_IN_BLOCK, n->span, 0);
		break;
	}
	case N_KIND_N_JOIN:
		break;
	case N_KIND_USE:
		infer_use(m, n, block);
		break;
	default:
		break;
	}
	s->vars = vars;
}

static void infer_items(struct scope *s, struct node *list, const struct node *block)
{
	for (struct node *n = list; n; n = n->next)
		if (!n->damaged)
			infer_item(s, n, block);
}

static int count_items(const struct node *list)
{
	int n = 0;
	for (; list; list = list->next)
		n += 1 + (list->kind == N_KIND_MOMENT ? count_items(list->a) : 0);
	return n;
}

void infer_scene(struct model *m, int encounter)
{
	struct scope s;
	const struct node *scene = m->encounter.v[encounter].node;
	if (count_items(scene->a) > SCENE_ITEMS) {
		model_report(m, M_SCENE_LONG, scene->at, 0);
		return;
	}
	bool reporting = m->reporting;
	scene_enter(m, encounter);
	m->crowd_unsure |= side_broken(m, m->encounter.v[encounter].node->a);
	scope_init(&s, m);
	s.scene = true;
	s.pure = true;
	infer_items(&s, m->encounter.v[encounter].node->a, NULL);
	for (int c = 0; c < m->clause.n; c++)
		if (m->clause.v[c].encounter == encounter)
			infer_clause(m, c);
	if (m->side.n == 0 && reporting)
		model_report(m, M_NO_SIDES, m->encounter.v[encounter].node->at, 1, model_text(m, m->encounter.v[encounter].name));
	scene_leave(m);
}

/* ---- what odds ask ---- */

static void infer_measure(struct scope *s, struct node *x)
{
	struct model *m = s->m;
	struct node *is = adjective_said(m, x->a);
	if (is)
		x->a = is;
	if (x->a->kind == N_KIND_N_EXPECT_SAY) {
		infer_expect_say(s, x->a);
		return;
	}
	struct type *t = type_find(infer(s, x->a, NULL));
	if (x->op == MEASURE_PLAIN) {
		if (!type_unify(m, t, type_new(m, VT_BOOL, -1)) && m->reporting) {
			struct buf b = {0};
			type_print(m, t, &b);
			model_report(m, M_MEASURE, x->a->span, 1, buf_text(&b));
			buf_free(&b);
		}
		return;
	}
	bool round = t->base == VT_LIVE && t->kind == KIND_ROUND;
	bool whole = t->base == VT_SET || t->base == VT_LIST || t->base == VT_DICE;
	if (t->base != VT_UNKNOWN && (x->op == MEASURE_AVERAGE ? !round && !type_number(t) : whole) && m->reporting) {
		struct buf b = {0};
		type_print(m, t, &b);
		model_report(m, M_MEASURE_AVERAGE, x->a->span, 1, buf_text(&b));
		buf_free(&b);
	}
}

void infer_measures(struct model *m, int encounter, struct node *measures)
{
	struct scope s;
	scene_enter(m, encounter);
	scope_init(&s, m);
	s.scene = true;
	s.pure = true;
	for (struct node *x = measures; x; x = x->next)
		infer_measure(&s, x);
	scene_leave(m);
}

/* ---- policies ---- */

/* Whether a line aims at one drawn by a die: there may be none. */
static bool draws_target(const struct node *n)
{
	bool draws = n->b && n->b->kind == N_KIND_E_RANDOM;
	for (const struct node *p = n->d; p; p = p->next)
		draws |= p->kind == N_KIND_PREP && p->a && p->a->kind == N_KIND_E_RANDOM;
	return draws;
}

static void infer_policy_lines(struct scope *s, struct node *list)
{
	struct model *m = s->m;
	struct node *sure = NULL;
	for (struct node *n = list; n; n = n->next) {
		if (sure && m->reporting && !n->damaged) {
			struct diag d = diag_make(M_NEVER_REACHED, n->span);
			diag_arg(&d, model_text(m, s->label));
			diag_relate(&d, sure->span, "this line can always be taken, so nothing below it is reached");
			model_send(m, &d);
			sure = NULL;
		}
		switch (n->kind) {
		case N_KIND_N_SAY:
			infer_line(s, n, NULL);
			if (!n->c && !n->e && n->ref_kind == REF_EVENT && n->ref >= 0 && !draws_target(n)) {
				const struct mevent *e = &m->event.v[n->ref];
				if (e->needs_count == 0 && e->forbid.n == 0 && e->costs < 0)
					sure = n;
			}
			break;
		case N_KIND_P_IF:
			infer(s, n->a, type_new(m, VT_BOOL, -1));
			infer_policy_lines(s, n->b);
			break;
		case N_KIND_P_ANSWER: {
			int choice = -1;
			for (int i = 0; i < m->choice.n; i++)
				if (m->choice.v[i].name == n->name)
					choice = i;
			n->ref = choice;
			if (choice < 0) {
				model_report(m, M_NO_CHOICE, n->at, 2, model_text(m, n->name), "");
				break;
			}
			for (struct node *a = n->a; a; a = a->next)
				infer(s, a, m->choice.v[choice].type);
			if (n->c)
				infer(s, n->c, type_new(m, VT_BOOL, -1));
			break;
		}
		case N_KIND_N_FOLLOWS: {
			n->ref = policy_named(m, n);
			if (n->c)
				infer(s, n->c, type_new(m, VT_BOOL, -1));
			break;
		}
		default:
			break;
		}
	}
}

void infer_policy(struct model *m, int policy)
{
	struct scope s;
	scope_init(&s, m);
	s.pure = true;
	s.label = m->policy.v[policy].name;
	scope_push(&s, m->w.me, type_new(m, VT_LIVE, KIND_COMBATANT), false, m->policy.v[policy].node->at);
	infer_policy_lines(&s, m->policy.v[policy].node->a);
}
