/* infer.c - types of expressions, found by use.
 *
 * Inference runs over all bodies again and again until a pass learns nothing; then once more
 * with m->reporting set, when whatever is still unknown or does not fit is said. A pass
 * writes what a name turned out to be into the node, so the linker need not look again. */
#include <string.h>

#include "lang/check/model.h"
#include "runtime/base/num.h"
#include "runtime/dice/formula.h"

void scope_init(struct scope *s, struct model *m)
{
	memset(s, 0, sizeof *s);
	s->m = m;
	s->thing = s->event = s->clause = s->question = -1;
}

bool scope_push(struct scope *s, sym name, struct type *type, bool frac, struct span at)
{
	if (s->vars == (int)FRAY_COUNT(s->var)) {
		if (!s->full)
			model_report(s->m, M_MANY_NAMES, at, 0);
		s->full = true;
		return false;
	}
	struct var v = {name, type, frac, -1, -1};
	s->var[s->vars++] = v;
	return true;
}

static struct var *scope_find(struct scope *s, sym name)
{
	for (int i = s->vars; i-- > 0;)
		if (s->var[i].name == name)
			return &s->var[i];
	return NULL;
}

bool type_fits(struct model *m, struct type *want, struct type *given)
{
	want = type_find(want);
	given = type_find(given);
	if (want->base == VT_SET && given->base == VT_LIVE) {
		struct type *elem = type_find(want->elem);
		if (elem->base == VT_UNKNOWN)
			return true;
		if (given->kind == KIND_SIDE && elem->kind == KIND_COMBATANT)
			return true;
		return kind_root(m, given->kind) == kind_root(m, elem->kind);
	}
	return type_unify(m, want, given);
}

static struct type *fresh(struct scope *s, struct node *n)
{
	if (!n->type)
		n->type = type_var(s->m);
	return n->type;
}

static struct type *settle(struct scope *s, struct node *n, struct type *t)
{
	fresh(s, n);
	if (!type_unify(s->m, n->type, t))
		n->type = t;
	return n->type;
}

static void mismatch(struct scope *s, struct span at, struct type *a, struct type *b)
{
	if (!s->m->reporting)
		return;
	struct buf x = {0}, y = {0};
	type_print(s->m, a, &x);
	type_print(s->m, b, &y);
	model_report(s->m, M_NOT_COMPARED, at, 2, buf_text(&x), buf_text(&y));
	buf_free(&x);
	buf_free(&y);
}

/* Expects `n` to be of type `want`, saying what is wrong otherwise. */
static void want_type(struct scope *s, struct node *n, struct type *want, enum message id)
{
	struct type *t = infer(s, n, want);
	if (type_fits(s->m, want, t) || !s->m->reporting)
		return;
	struct buf x = {0}, y = {0};
	type_print(s->m, want, &x);
	type_print(s->m, t, &y);
	model_report(s->m, id, n->span, 2, buf_text(&x), buf_text(&y));
	buf_free(&x);
	buf_free(&y);
}

static struct type *bool_type(struct scope *s)
{
	return type_new(s->m, VT_BOOL, -1);
}

static struct type *number_type(struct scope *s)
{
	return type_new(s->m, VT_NUMBER, -1);
}

static struct type *live_type(struct scope *s, int kind)
{
	return type_new(s->m, VT_LIVE, kind);
}

/* ---- names ---- */

/* Whether a run of words is a name of somebody or something here. */
static bool is_named(const struct scope *s, const char *text, size_t length)
{
	const struct model *m = s->m;
	sym name = intern_find(m->front->names, text, length);
	if (!name)
		return false;
	name = model_alias(m, name);
	for (int i = 0; i < s->vars; i++)
		if (s->var[i].name == name)
			return true;
	return model_thing(m, name, -1) >= 0 || model_live(m, name) >= 0 || model_side(m, name) >= 0;
}

static bool is_adjective(const struct model *m, sym name)
{
	for (int i = 0; i < m->question.n; i++)
		if (m->question.v[i].name == name && type_is(m->question.v[i].type, VT_BOOL) && m->question.v[i].subject >= 0)
			return true;
	return false;
}

/* "bow" for "short bow": the one thing with this word in its name; NULL if there are none or several. */
static const char *with_word(const struct model *m, const char *part)
{
	const char *found = NULL;
	size_t n = strlen(part);
	for (int i = 0; i < m->thing.n; i++) {
		const char *name = model_text(m, m->thing.v[i].name), *at = strstr(name, part);
		if (!at || (at > name && at[-1] != ' ') || (at[n] && at[n] != ' '))
			continue;
		if (found && strcmp(found, name))
			return NULL;
		found = name;
	}
	return found;
}

/* What was meant by two words run together: "Bruna Korg" without its comma, "epxect Bruna" with a
 * slip in the first word, "Bruna atacks" where *verb is set. NULL: no idea. Lives in the arena. */
static const char *of_two(const struct scope *s, const char *text, bool *verb)
{
	static const char *const starts[] = {"expect", "set", "change", "side", "until"};
	sym tail;
	const struct model *m = s->m;
	struct buf b = {0};
	*verb = false;
	for (const char *cut = strchr(text, ' '); cut && !b.length; cut = strchr(cut + 1, ' ')) {
		size_t left = (size_t)(cut - text);
		const char *right = cut + 1;
		if (is_named(s, text, left) && is_named(s, right, strlen(right))) {
			buf_printf(&b, "%.*s, %s", (int)left, text, right);
		} else if (is_named(s, text, left) && (tail = intern_find(m->front->names, right, strlen(right))) != 0 && is_adjective(m, tail)) {
			bool many = model_side(m, intern_find(m->front->names, text, left)) >= 0;
			buf_printf(&b, "%.*s %s %s", (int)left, text, many ? "are" : "is", right);
		} else if (is_named(s, right, strlen(right))) {
			const char *start = diag_nearest(arena_text(m->arena, text, left), starts, FRAY_COUNT(starts));
			if (start && m->in_encounter >= 0)
				buf_printf(&b, "%s %s", start, right);
			else if (!strncmp(text, "all ", 4) || !strncmp(text, "that ", 5))
				buf_puts(&b, right);
		} else if (is_named(s, text, left) && m->in_encounter >= 0) {
			VEC(const char *) names = {0};
			VEC_PUSH(names, "acts");
			for (int i = 0; i < m->event.n; i++)
				if (m->event.v[i].node) {
					struct buf form = {0};
					buf_printf(&form, "%ss", model_text(m, m->event.v[i].name));
					VEC_PUSH(names, arena_text(m->arena, form.data, form.length));
					buf_free(&form);
				}
			for (int i = 0; i < m->alias.n; i++)
				if (model_event(m, m->alias.v[i].from) >= 0)
					VEC_PUSH(names, model_text(m, m->alias.v[i].from));
			size_t end = strcspn(right, " ");
			const char *best = diag_nearest(arena_text(m->arena, right, end), names.v, names.n);
			if (best) {
				buf_printf(&b, "%.*s %s%s", (int)left, text, best, right + end);
				*verb = true;
			}
			VEC_FREE(names);
		}
	}
	const char *found = b.length ? arena_text(m->arena, b.data, b.length) : NULL;
	buf_free(&b);
	return found;
}

static void report_name(struct scope *s, struct node *n, struct type *expected)
{
	struct model *m = s->m;
	if (!m->reporting)
		return;
	VEC(const char *) names = {0};
	for (int i = 0; i < s->vars; i++)
		VEC_PUSH(names, model_text(m, s->var[i].name));
	for (int i = 0; i < m->thing.n; i++)
		VEC_PUSH(names, model_text(m, m->thing.v[i].name));
	for (int i = 0; i < m->live.n; i++)
		VEC_PUSH(names, model_text(m, m->live.v[i].name));
	for (int i = 0; i < m->alias.n; i++)
		VEC_PUSH(names, model_text(m, m->alias.v[i].from));
	for (int i = 0; i < m->side.n; i++)
		VEC_PUSH(names, model_text(m, m->side.v[i].name));
	for (int i = 0; i < m->field.n; i++)
		if (m->field.v[i].kind == KIND_ENCOUNTER)
			VEC_PUSH(names, model_text(m, m->field.v[i].name));
	const char *best = diag_nearest(model_text(m, n->name), names.v, names.n);
	bool verb = false;
	if (!best)
		best = of_two(s, model_text(m, n->name), &verb);
	if (!best)
		best = with_word(m, model_text(m, n->name));
	struct diag d = diag_make(verb ? M_NO_VERB_OF_NEAR : best ? M_NO_NAME_NEAR : M_NO_NAME, n->span);
	struct buf line = {0};
	diag_arg(&d, model_text(m, n->name));
	diag_arg(&d, best ? best : "");
	expected = expected ? type_find(expected) : NULL;
	if (expected && expected->base != VT_UNKNOWN && expected->base != VT_BOOL && !best) {
		const char *example = type_example(m, expected);
		buf_puts(&line, "Needed here: ");
		type_print(m, expected, &line);
		if (strcmp(example, "..") != 0)
			buf_printf(&line, ", such as: %s", example);
		diag_line(&d, buf_text(&line));
	}
	model_send(m, &d);
	buf_free(&line);
	VEC_FREE(names);
}

/* "orcs" for a side's name or several of a template; the singular of a regular plural. */
int model_thing_plural(const struct model *m, sym name)
{
	const char *t = intern_folded(m->front->names, name);
	size_t n = strlen(t);
	for (size_t cut = 1; cut <= 3 && n > cut + 1; cut++) {
		if (t[n - 1] != 's')
			return -1;
		sym single = 0;
		if (cut < 3) {
			single = intern_find(m->front->names, t, n - cut);
		} else if (!strcmp(t + n - 3, "ies")) {
			struct buf b = {0};
			buf_add(&b, t, n - 3);
			buf_putc(&b, 'y');
			single = intern_find(m->front->names, b.data, b.length);
			buf_free(&b);
		}
		int i = single ? model_thing(m, single, -1) : -1;
		if (i >= 0)
			return i;
	}
	return -1;
}

static int first_of(const struct model *m, int thing)
{
	int i = 0;
	while (i + 1 < m->live.n && m->live.v[i].thing != thing)
		i++;
	return i;
}

/* A ruleset's words are its own: it cannot mean what is declared nearer to the table under the same name. */
static bool beyond(const struct scope *s, int thing)
{
	const struct model *m = s->m;
	int module = s->clause >= 0 ? m->clause.v[s->clause].module : -1;
	return module >= 0 && m->module.v[module].layer <= LAYER_RULESET && m->module.v[m->thing.v[thing].module].layer > LAYER_RULESET;
}

static struct type *infer_name(struct scope *s, struct node *n, struct type *expected)
{
	struct model *m = s->m;
	sym name = model_alias(m, n->name);
	struct var *v = scope_find(s, name);
	if (!v && name != n->name)
		v = scope_find(s, n->name);
	if (v) {
		n->ref_kind = REF_LOCAL;
		n->frac = v->frac;
		return v->type;
	}
	if (expected && type_is(expected, VT_WORD)) { /* whatever else is called so */
		n->ref_kind = REF_WORD;
		return expected;
	}
	if (name == m->w.now) {
		n->ref_kind = REF_NOW;
		return type_new(m, VT_TIME, -1);
	}
	if (name == m->w.cause) {
		n->ref_kind = REF_CAUSE;
		return live_type(s, KIND_ACT);
	}
	if (name == m->w.act && s->event >= 0 && s->clause >= 0 && m->event.v[s->event].action && !s->in_costs) {
		int sort = m->clause.v[s->clause].sort;
		n->ref_kind = sort == CLAUSE_FORBID || sort == CLAUSE_PERMIT || sort == CLAUSE_NEEDS ? REF_JUDGED : REF_CAUSE;
		return live_type(s, KIND_ACT);
	}
	if (name == m->w.encounter || name == m->w.round) {
		n->ref_kind = REF_SINGLE;
		n->ref = name == m->w.round ? KIND_ROUND : KIND_ENCOUNTER;
		return live_type(s, n->ref);
	}
	if (name == m->w.pending_acts || name == m->w.acts) {
		n->ref_kind = REF_PENDING;
		return type_set(m, live_type(s, KIND_ACT));
	}
	if (s->thing >= 0) {
		int kind = m->thing.v[s->thing].kind;
		for (int k = kind; k >= 0; k = m->kind.v[k].isa)
			if (m->kind.v[k].name == name && !m->kind.v[kind_root(m, k)].live) {
				n->ref_kind = REF_OWN_NAME;
				n->ref = s->thing;
				return type_new(m, VT_THING, kind_root(m, k));
			}
	}
	if (m->in_encounter >= 0) {
		int side = model_side(m, name);
		int live = model_live(m, name);
		if (live >= 0) {
			n->ref_kind = REF_LIVE;
			n->ref = live;
			return live_type(s, KIND_COMBATANT);
		}
		if (side >= 0) {
			n->ref_kind = REF_SIDE;
			n->ref = side;
			return live_type(s, KIND_SIDE);
		}
	}
	int kind = model_kind(m, name);
	if (kind >= 0 && m->kind.v[kind].plural == name && m->kind.v[kind_root(m, kind)].live) {
		n->ref_kind = REF_KIND_ALL;
		n->ref = kind_root(m, kind);
		return type_set(m, live_type(s, kind_root(m, kind)));
	}
	struct type *e = expected ? type_find(expected) : NULL;
	int thing = model_thing(m, name, -1);
	if (thing >= 0 && !(e && e->base == VT_THING) && beyond(s, thing))
		thing = -1;
	if (thing >= 0 && e && e->base == VT_THING && e->kind >= 0) {
		int better = model_thing(m, name, kind_root(m, e->kind));
		if (better >= 0)
			thing = better;
	}
	bool wants_word = e && (e->base == VT_WORD || e->base == VT_EVENT || e->base == VT_TEXT);
	if (thing >= 0 && !wants_word) {
		if (kind_root(m, m->thing.v[thing].kind) == KIND_COMBATANT) {
			/* a combatant named outside its encounter: whoever bears the name there */
			n->ref_kind = REF_LIVE;
			n->ref = -1;
			if (m->in_encounter >= 0) {
				int bearer = -1, bearers = 0;
				for (int i = 0; i < m->live.n; i++)
					if (m->live.v[i].thing == thing) {
						bearer = i;
						bearers++;
					}
				if (bearers == 1)
					n->ref = bearer;
				else if (bearers > 1)
					model_report(m, M_WHICH, n->span, 2, model_text(m, n->name), model_text(m, m->live.v[first_of(m, thing)].name));
				else if (s->scene)
					model_report(m, M_NOT_HERE, n->span, 1, model_text(m, n->name));
			}
			return live_type(s, KIND_COMBATANT);
		}
		n->ref = thing;
		if (kind_borne(m, m->thing.v[thing].kind) && !(e && e->base == VT_THING)) {
			n->ref_kind = REF_ITEM; /* whoever it is about has one */
			return live_type(s, kind_root(m, m->thing.v[thing].kind));
		}
		n->ref_kind = REF_THING;
		return type_new(m, VT_THING, m->thing.v[thing].kind);
	}
	int field = model_field(m, KIND_ENCOUNTER, name);
	if (field >= 0 && !wants_word) {
		n->ref_kind = REF_FIELD_OF_ENCOUNTER;
		n->ref = field;
		n->frac = m->field.v[field].frac;
		return m->field.v[field].type;
	}
	int q = model_question_of(m, KIND_ENCOUNTER, name, false);
	if (q >= 0 && !wants_word) {
		n->ref_kind = REF_QUESTION;
		n->ref = q;
		n->frac = m->question.v[q].frac;
		return m->question.v[q].type;
	}
	if (e && e->base == VT_EVENT) {
		int event = model_event(m, name);
		if (event >= 0) {
			n->ref_kind = REF_EVENT;
			n->ref = event;
			return expected;
		}
	}
	if (e && e->base == VT_WORD) {
		n->ref_kind = REF_WORD;
		return expected;
	}
	if (m->in_encounter >= 0) {
		thing = model_thing_plural(m, name);
		if (thing >= 0 && kind_root(m, m->thing.v[thing].kind) == KIND_COMBATANT) {
			n->ref_kind = REF_ISA; /* all of that template */
			n->ref = thing;
			return type_set(m, live_type(s, KIND_COMBATANT));
		}
		int folded = -1, count = 0;
		const char *t = intern_folded(m->front->names, name);
		size_t length = strlen(t);
		for (int i = 0; i < m->live.n; i++) {
			const char *l = intern_folded(m->front->names, m->live.v[i].name);
			if (!strncmp(l, t, length) && !strncmp(l + length, " #", 2)) {
				folded = i;
				count++;
			}
		}
		if (count == 1) {
			n->ref_kind = REF_LIVE;
			n->ref = folded;
			return live_type(s, KIND_COMBATANT);
		}
	}
	thing = model_thing_plural(m, name);
	if (thing >= 0 && e && e->base == VT_THING) {
		n->ref_kind = REF_THING;
		n->ref = thing;
		return type_new(m, VT_THING, m->thing.v[thing].kind);
	}
	n->ref_kind = REF_UNKNOWN;
	if (!e || e->base != VT_UNKNOWN || m->pass > 6)
		report_name(s, n, expected);
	else if (m->reporting)
		report_name(s, n, expected);
	return fresh(s, n);
}

/* ---- X's f ---- */

const char *field_meant(const struct model *m, const char *text, const char *const *names, int n)
{
	const char *cut = strstr(text, " if ");
	if (cut) { /* in a policy the condition comes after "when" */
		struct buf b = {0};
		buf_printf(&b, "%.*s when %s", (int)(cut - text), text, cut + 4);
		const char *said = arena_text(m->arena, b.data, b.length);
		buf_free(&b);
		return said;
	}
	for (int i = 0; i < n; i++) { /* hp: hit points */
		const char *name = names[i], *t = text;
		for (bool begins = true; *name; begins = *name++ == ' ')
			if (begins && *t && (*t | 32) == (*name | 32))
				t++;
			else if (begins)
				break;
		if (!*name && !*t && strlen(text) > 1 && strchr(names[i], ' '))
			return names[i];
	}
	return NULL;
}

static void report_field(struct scope *s, struct node *n, int kind)
{
	struct model *m = s->m;
	if (!m->reporting)
		return;
	VEC(const char *) names = {0};
	struct buf list = {0};
	int listed = 0;
	for (int i = 0; i < m->field.n; i++)
		if (m->field.v[i].kind == kind_root(m, kind) && !m->field.v[i].hidden) {
			VEC_PUSH(names, model_text(m, m->field.v[i].name));
			if (listed++ < 12)
				buf_printf(&list, "%s%s", listed > 1 ? ", " : "", model_text(m, m->field.v[i].name));
		}
	for (int i = 0; i < m->question.n; i++)
		if (m->question.v[i].subject == kind_root(m, kind))
			VEC_PUSH(names, model_text(m, m->question.v[i].name));
	const char *best = diag_nearest(model_text(m, n->name), names.v, names.n);
	if (!best)
		best = field_meant(m, model_text(m, n->name), names.v, names.n);
	struct diag d = diag_make(best ? M_NO_FIELD_NEAR : M_NO_FIELD, n->at);
	diag_arg(&d, model_text(m, n->name));
	diag_arg(&d, model_text(m, m->kind.v[kind].name));
	diag_arg(&d, best ? best : "");
	struct buf line = {0};
	buf_printf(&line, "A %s has: %s%s.", model_text(m, m->kind.v[kind].name), buf_text(&list), listed > 12 ? ", .." : "");
	if (listed)
		diag_line(&d, buf_text(&line));
	model_send(m, &d);
	buf_free(&line);
	buf_free(&list);
	VEC_FREE(names);
}

/* The one root kind that has a field or question of this name; -1 if none or several. */
static int kind_with(const struct model *m, sym name)
{
	int found = -1;
	name = model_alias(m, name);
	for (int i = 0; i < m->field.n; i++)
		if (m->field.v[i].name == name) {
			if (found >= 0 && found != m->field.v[i].kind)
				return -1;
			found = m->field.v[i].kind;
		}
	for (int i = 0; i < m->question.n; i++)
		if (m->question.v[i].name == name && m->question.v[i].subject >= 0 && !m->question.v[i].adjective) {
			if (found >= 0 && found != m->question.v[i].subject)
				return -1;
			found = m->question.v[i].subject;
		}
	return found;
}

/* `strike's parry`: a value the event in progress keeps. */
static int kept_of_event(struct scope *s, struct node *owner, sym field)
{
	struct model *m = s->m;
	if (owner->kind != N_KIND_E_NAME || scope_find(s, owner->name))
		return -1;
	int event = model_event(m, owner->name);
	if (event < 0)
		return -1;
	for (int i = 0; i < m->event.v[event].slot.n; i++) {
		struct mslot *slot = &m->event.v[event].slot.v[i];
		if (slot->name != field)
			continue;
		for (int k = 0; k < m->kept.n; k++)
			if (m->kept.v[k].name == field)
				return k;
		struct mkept kept = {field, slot->type, slot->frac};
		VEC_PUSH(m->kept, kept);
		return m->kept.n - 1;
	}
	return -1;
}

static struct type *infer_field(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	int kept = kept_of_event(s, n->a, n->name);
	if (kept >= 0) {
		n->ref_kind = REF_KEPT;
		n->ref = kept;
		n->frac = m->kept.v[kept].frac;
		return m->kept.v[kept].type;
	}
	struct type *owner = type_find(infer(s, n->a, NULL));
	if (owner->base == VT_UNKNOWN) {
		int kind = m->pass > 0 ? kind_with(m, n->name) : -1;
		if (kind < 0)
			return fresh(s, n);
		type_unify(m, owner, m->kind.v[kind].live ? live_type(s, kind) : type_new(m, VT_THING, kind));
		owner = type_find(owner);
	}
	if (owner->base != VT_LIVE && owner->base != VT_THING) {
		if (m->reporting) {
			struct buf b = {0};
			type_print(m, owner, &b);
			model_report(m, M_FIELD_OF_WHAT, n->at, 2, model_text(m, n->name), buf_text(&b));
			buf_free(&b);
		}
		return fresh(s, n);
	}
	if (owner->kind < 0) {
		int kind = kind_with(m, n->name);
		if (kind < 0)
			return fresh(s, n);
		owner = type_new(m, VT_THING, kind);
	}
	int q = model_question_of(m, owner->kind, n->name, false);
	if (q >= 0) {
		n->ref_kind = REF_QUESTION;
		n->ref = q;
		n->frac = m->question.v[q].frac;
		if (m->question.v[q].params != 1)
			model_report(m, M_ARGUMENT_COUNT, n->at, 1, model_text(m, n->name));
		return m->question.v[q].type;
	}
	int f = model_field(m, owner->kind, n->name);
	if (f >= 0) {
		n->ref_kind = owner->base == VT_LIVE ? REF_FIELD : REF_THING_FIELD;
		n->ref = f;
		n->frac = m->field.v[f].frac;
		return m->field.v[f].type;
	}
	if (owner->base == VT_LIVE && owner->kind == KIND_COMBATANT) {
		int item = s->scene && n->a->ref_kind == REF_LIVE && n->a->ref >= 0 ? item_named(m, n->a->ref, n->name) : -1;
		int thing = model_thing(m, n->name, -1);
		if (item >= 0) {
			n->ref_kind = REF_ITEM_NAMED;
			n->ref = item;
			return live_type(s, m->item.v[item].kind);
		}
		if (thing >= 0 && kind_borne(m, m->thing.v[thing].kind)) {
			n->ref_kind = REF_ITEM;
			n->ref = thing;
			return live_type(s, kind_root(m, m->thing.v[thing].kind));
		}
	}
	report_field(s, n, owner->kind);
	return fresh(s, n);
}

/* ---- calls ---- */

static void infer_arguments(struct scope *s, struct node *call, struct mquestion *q, int first)
{
	struct model *m = s->m;
	int question = (int)(q - m->question.v);
	int i = first;
	for (struct node *a = call->b; a; a = a->next, i++) {
		if (i >= m->question.v[question].params) {
			infer(s, a, NULL);
			continue;
		}
		struct type *want = m->question.v[question].param[i];
		/* what a parameter is, its own rules say first */
		if (m->pass == 0 && type_is(want, VT_UNKNOWN)) {
			infer(s, a, NULL);
			m->changed = true;
			continue;
		}
		want_type(s, a, want, M_ARGUMENT_TYPE);
		q = &m->question.v[question];
		if (a->frac && !q->param_frac[i] && type_number(a->type)) {
			q->param_frac[i] = true;
			m->changed = true;
		}
	}
	if (i != m->question.v[question].params)
		model_report(m, M_ARGUMENT_COUNT, call->span, 1, model_text(m, m->question.v[question].name));
}

/* A table asked for its value; its types are those of the first table like it. */
static struct type *infer_lookup(struct scope *s, struct node *n, int table)
{
	struct model *m = s->m;
	struct mtable *t = &m->table.v[table];
	int k = 0;
	n->ref_kind = REF_TABLE;
	n->ref = table;
	for (struct node *a = n->b; a; a = a->next, k++)
		if (k < 2)
			want_type(s, a, t->param[k], M_ARGUMENT_TYPE);
	if (k != t->params)
		model_report(m, M_ARGUMENT_COUNT, n->span, 1, model_text(m, t->name));
	if (n->b && n->b->frac && !t->key_frac)
		t->key_frac = m->changed = true;
	n->frac = t->frac;
	return t->type;
}

static struct type *infer_call(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	struct node *callee = n->a;
	int count = node_count(n->b);
	if (callee->kind == N_KIND_E_FIELD) {
		struct type *owner = type_find(infer(s, callee->a, NULL));
		if (owner->base != VT_LIVE && owner->base != VT_THING)
			return fresh(s, n);
		int q = model_question_of(m, owner->kind, callee->name, false);
		int table = q < 0 && owner->kind >= 0 ? model_table(m, callee->name, kind_root(m, owner->kind)) : -1;
		if (table >= 0) {
			callee->ref_kind = owner->base == VT_LIVE ? REF_FIELD : REF_THING_FIELD;
			callee->ref = m->table.v[table].field;
			callee->type = m->field.v[callee->ref].type;
			return infer_lookup(s, n, table);
		}
		if (q < 0) {
			if (model_field(m, owner->kind, callee->name) >= 0)
				model_report(m, M_NOT_CALLED, n->span, 0);
			else
				report_field(s, callee, owner->kind);
			return fresh(s, n);
		}
		n->ref_kind = REF_QUESTION;
		n->ref = q;
		infer_arguments(s, n, &m->question.v[q], 1);
		n->frac = m->question.v[q].frac;
		return m->question.v[q].type;
	}
	if (callee->kind != N_KIND_E_NAME) {
		model_report(m, M_NOT_CALLED, n->span, 0);
		return fresh(s, n);
	}
	sym name = model_alias(m, callee->name);
	if (name == m->w.remainder && count == 2) {
		n->ref_kind = REF_REMAINDER;
		want_type(s, n->b, number_type(s), M_ARGUMENT_TYPE);
		want_type(s, n->b->next, number_type(s), M_ARGUMENT_TYPE);
		return number_type(s);
	}
	if ((name == m->w.most || name == m->w.least) && count == 1) {
		n->ref_kind = name == m->w.most ? REF_MOST : REF_LEAST;
		want_type(s, n->b, type_new(m, VT_DICE, -1), M_ARGUMENT_TYPE);
		return number_type(s);
	}
	int q = model_function(m, name, count);
	if (q >= 0) {
		n->ref_kind = REF_QUESTION;
		n->ref = q;
		infer_arguments(s, n, &m->question.v[q], 0);
		n->frac = m->question.v[q].frac;
		return m->question.v[q].type;
	}
	int p = model_pair(m, name);
	if (p >= 0 && count == 2) {
		n->ref_kind = REF_PAIR;
		n->ref = p;
		struct type *of = live_type(s, m->pair.v[p].kind);
		want_type(s, n->b, of, M_ARGUMENT_TYPE);
		want_type(s, n->b->next, of, M_ARGUMENT_TYPE);
		n->frac = m->pair.v[p].frac;
		return m->pair.v[p].type;
	}
	int table = model_table(m, name, -1);
	if (table >= 0)
		return infer_lookup(s, n, table);
	for (struct node *a = n->b; a; a = a->next)
		infer(s, a, NULL);
	if (m->reporting) {
		VEC(const char *) names = {0};
		for (int i = 0; i < m->question.n; i++)
			if (m->question.v[i].subject < 0)
				VEC_PUSH(names, model_text(m, m->question.v[i].name));
		for (int i = 0; i < m->pair.n; i++)
			VEC_PUSH(names, model_text(m, m->pair.v[i].name));
		for (int i = 0; i < m->table.n; i++)
			VEC_PUSH(names, model_text(m, m->table.v[i].name));
		const char *best = diag_nearest(model_text(m, name), names.v, names.n);
		if (model_function(m, name, -1) >= 0)
			model_report(m, M_ARGUMENT_COUNT, n->span, 1, model_text(m, name));
		else if (model_event(m, name) >= 0)
			model_report(m, M_EVENT_IS_NO_VALUE, n->span, 1, model_text(m, name));
		else
			model_report(m, best ? M_NO_FUNCTION_NEAR : M_NO_FUNCTION, callee->span, 2, model_text(m, name), best ? best : "");
		VEC_FREE(names);
	}
	return fresh(s, n);
}

/* ---- X is Y ---- */

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

static struct type *infer_is(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	struct type *left = type_find(infer(s, n->a, NULL));
	struct node *right = n->b;
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
			int thing = model_thing(m, name, -1);
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
			int thing = model_thing(m, name, left->kind >= 0 ? kind_root(m, left->kind) : -1);
			if (thing >= 0) {
				n->ref_kind = REF_ISA;
				n->ref = thing;
				return bool_type(s);
			}
		}
		int kind = model_kind(m, name);
		bool sort = kind >= 0 && left->base == VT_LIVE && left->kind >= 0 && kind_root(m, kind) == kind_root(m, left->kind); /* "combatant is monster" */
		if (sort || (left->base == VT_THING && kind >= 0 && !m->kind.v[kind_root(m, kind)].live)) {
			n->ref_kind = REF_IS_KIND;
			n->ref = kind;
			return bool_type(s);
		}
		if (left->base == VT_WORD) {
			n->ref_kind = REF_WORD;
			right->ref_kind = REF_WORD;
			check_word(s, n->a, right);
			return bool_type(s);
		}
		if (left->base == VT_LIVE && model_live(m, name) < 0 && model_thing(m, name, -1) < 0 && model_side(m, name) < 0) {
			if (m->reporting) {
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
				model_report(m, best ? M_NO_ADJECTIVE_NEAR : M_NO_ADJECTIVE, right->span, 3, model_text(m, m->kind.v[left->kind].name),
				             model_text(m, right->name), best ? best : "");
				VEC_FREE(names);
			}
			n->ref_kind = REF_UNKNOWN;
			return bool_type(s);
		}
	}
	struct type *r = infer(s, right, left);
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
		mismatch(s, n->span, left, r);
	return bool_type(s);
}

static struct type *infer_has(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	struct type *left = type_find(infer(s, n->a, NULL));
	if (left->base == VT_LIST || left->base == VT_SET) {
		struct type *elem = left->elem;
		struct type *r = infer(s, n->b, elem);
		if (!type_unify(m, elem, r))
			mismatch(s, n->span, elem, r);
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
		int any = -1;
		for (int i = 0; i < m->field.n; i++) {
			struct type *t = type_find(m->field.v[i].type);
			if (m->field.v[i].kind != kind_root(m, left->kind) || t->base != VT_LIST)
				continue;
			struct type *e = type_find(t->elem);
			if (e->base == VT_THING && e->kind >= 0 && right->kind >= 0 && kind_root(m, e->kind) == kind_root(m, right->kind)) {
				any = i;
				break;
			}
			if (e->base == VT_THING && e->kind < 0)
				any = i;
		}
		if (any >= 0) {
			n->ref_kind = REF_LIST_FIELD;
			n->ref = any;
			return bool_type(s);
		}
	}
	model_report(m, M_HAS_WHAT, n->span, 0);
	return bool_type(s);
}

/* ---- sets ---- */

struct type *infer_walk(struct scope *s, struct node *holder, struct node *source)
{
	struct model *m = s->m;
	if (!source) {
		int kind = model_kind(m, holder->name);
		if (kind < 0 || !m->kind.v[kind_root(m, kind)].live) {
			model_report(m, M_EACH_WHAT, holder->at, 1, model_text(m, holder->name));
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
static struct type *open_set(struct scope *s, struct node *set)
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
	if (set->c)
		want_type(s, set->c, bool_type(s), M_NOT_YES_NO);
	return elem;
}

/* ---- expressions ---- */

static struct type *infer_arith(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	struct type *a = type_find(infer(s, n->a, NULL));
	struct type *b = type_find(infer(s, n->b, NULL));
	n->frac = n->a->frac || n->b->frac;
	bool chances = a->base == VT_CHANCE || b->base == VT_CHANCE;
	if (n->op == BIN_DIV)
		n->frac = true;
	if (n->op == BIN_MUL || n->op == BIN_DIV) {
		if (a->base == VT_UNKNOWN || b->base == VT_UNKNOWN) {
			if (m->pass > 4 && b->base == VT_UNKNOWN)
				type_unify(m, b, number_type(s));
			return a->base != VT_UNKNOWN && a->base != VT_NUMBER ? a : fresh(s, n);
		}
		if (!type_number(a) || !type_number(b)) {
			if (m->reporting)
				mismatch(s, n->span, a, b);
			return number_type(s);
		}
		if (n->op == BIN_DIV && a->base == b->base)
			return chances ? type_new(m, VT_CHANCE, -1) : number_type(s);
		if (b->base == VT_NUMBER || b->base == VT_CHANCE)
			return a;
		if (n->op == BIN_MUL && (a->base == VT_NUMBER || a->base == VT_CHANCE))
			return b;
		if (m->reporting)
			mismatch(s, n->span, a, b);
		return number_type(s);
	}
	if ((a->base == VT_CHANCE && b->base == VT_NUMBER) || (a->base == VT_NUMBER && b->base == VT_CHANCE))
		return type_new(m, VT_CHANCE, -1);
	if (!type_unify(m, a, b) || (a->base != VT_UNKNOWN && !type_number(a))) {
		if (m->reporting) {
			if (type_is(a, VT_DICE) || type_is(b, VT_DICE))
				model_report(m, M_DICE_NO_NUMBER, type_is(a, VT_DICE) ? n->a->span : n->b->span, 0);
			else
				mismatch(s, n->span, a, b);
		}
		return number_type(s);
	}
	return type_find(a);
}

static struct type *infer_compare(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	struct type *a, *b;
	if (n->a->kind == N_KIND_E_NAME && n->b->kind != N_KIND_E_NAME) {
		b = type_find(infer(s, n->b, NULL));
		a = type_find(infer(s, n->a, b));
	} else {
		a = type_find(infer(s, n->a, NULL));
		b = type_find(infer(s, n->b, a));
	}
	bool mixed = (a->base == VT_CHANCE && b->base == VT_NUMBER) || (b->base == VT_CHANCE && a->base == VT_NUMBER);
	bool ordered = n->op >= BIN_LT;
	if (mixed)
		return bool_type(s);
	if (!type_unify(m, a, b)) {
		if (m->reporting) {
			if (type_is(a, VT_DICE) != type_is(b, VT_DICE)) {
				model_report(m, M_DICE_NO_NUMBER, type_is(a, VT_DICE) ? n->a->span : n->b->span, 0);
			} else if ((type_is(a, VT_SCALE) && type_is(b, VT_DISTANCE)) || (type_is(b, VT_SCALE) && type_is(a, VT_DISTANCE))) {
				struct node *scale = type_is(a, VT_SCALE) ? n->a : n->b;
				size_t length;
				const char *text = sources_text(m->front->sources, scale->span, &length);
				struct diag d = diag_make(M_SCALE_AND_FEET, scale->span);
				struct buf line = {0};
				buf_printf(&line, "%.*s as feet", (int)length, text);
				diag_arg(&d, buf_text(&line));
				diag_line(&d, "How many feet an inch stands for is the encounter's scale.");
				model_send(m, &d);
				buf_free(&line);
			} else {
				mismatch(s, n->span, a, b);
			}
		}
		return bool_type(s);
	}
	a = type_find(a);
	if (ordered && m->reporting && a->base != VT_UNKNOWN && !type_number(a) && a->base != VT_TEXT && a->base != VT_WORD) {
		if (a->base == VT_DICE)
			model_report(m, M_DICE_NO_NUMBER, n->a->span, 0);
		else
			mismatch(s, n->span, a, b);
	}
	return bool_type(s);
}

static struct type *infer_as(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	struct type *t = type_find(infer(s, n->a, NULL));
	n->frac = n->a->frac;
	if (n->name == m->w.number) {
		if (t->base == VT_TIME || t->base == VT_DISTANCE || t->base == VT_SCALE)
			n->frac = true;
		return number_type(s);
	}
	if (n->name == m->w.percent) {
		n->frac = true;
		return number_type(s);
	}
	int unit = model_unit(m, n->name);
	if (unit < 0) {
		report_no_unit(m, n->at, n->name);
		return fresh(s, n);
	}
	const struct munit *u = &m->unit.v[unit];
	if (t->base == VT_UNKNOWN)
		type_unify(m, t, number_type(s));
	else if (t->base == VT_SCALE && u->base == VT_DISTANCE) {
		n->frac = true;
	} else if (t->base != VT_NUMBER && t->base != u->base && m->reporting) {
		struct buf b = {0};
		type_print(m, t, &b);
		model_report(m, M_NOT_AS, n->span, 2, buf_text(&b), model_text(m, n->name));
		buf_free(&b);
	}
	if (u->den != 1)
		n->frac = true;
	return type_new(m, u->base, u->base == VT_COUNT ? unit : -1);
}

static struct type *infer_kept(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	n->ref_kind = REF_KEPT;
	for (int i = 0; i < m->kept.n; i++)
		if (m->kept.v[i].name == n->name) {
			n->ref = i;
			n->frac = m->kept.v[i].frac;
			if (m->reporting) {
				bool somewhere = false;
				for (int e = 0; e < m->event.n && !somewhere; e++)
					for (int k = 0; k < m->event.v[e].slot.n; k++)
						somewhere |= m->event.v[e].slot.v[k].name == n->name;
				if (!somewhere)
					model_report(m, M_NOTHING_KEPT, n->span, 1, model_text(m, n->name));
			}
			return m->kept.v[i].type;
		}
	struct mkept kept = {n->name, type_var(m), false};
	VEC_PUSH(m->kept, kept);
	n->ref = m->kept.n - 1;
	m->changed = true;
	return kept.type;
}

static int choice_named(struct model *m, sym name, struct type *type)
{
	for (int i = 0; i < m->choice.n; i++)
		if (m->choice.v[i].name == name) {
			type_unify(m, m->choice.v[i].type, type);
			return i;
		}
	struct mchoice c = {name, type};
	VEC_PUSH(m->choice, c);
	m->changed = true;
	return m->choice.n - 1;
}

/* Remembers what dice fall under a label, as long as all its rolls agree. */
static void label_dice(struct model *m, int label, const struct node *what)
{
	struct mlabel *l = &m->label.v[label];
	struct dice dice;
	if (what->kind != N_KIND_E_DICE || dice_parse(what->text, strlen(what->text), &dice) != DICE_OK || (l->dice && strcmp(l->dice, what->text))) {
		l->known = false;
		l->dice = "";
		return;
	}
	if (l->dice)
		return;
	l->known = true;
	l->dice = what->text;
	dice_range(&dice, &l->least, &l->most);
}

/* What the die is called that picks one of several. */
static sym random_label(struct scope *s, const struct node *n)
{
	struct intern *names = s->m->front->names;
	if (n->text)
		return intern_word(names, n->text);
	if (!s->draws)
		return s->label;
	struct buf b = {0};
	buf_printf(&b, "random %s", n->a->kind == N_KIND_E_SET ? model_text(s->m, n->a->name) : "choice");
	sym name = intern_put(names, b.data, b.length);
	buf_free(&b);
	return name;
}

/* Fractions have two halves of 32 bits. */
static void fits_fraction(struct model *m, const struct node *n, int64_t bottom)
{
	bool bad = false;
	if (bottom != 1)
		frac_make(n->num, bottom, &bad);
	if (bad)
		model_report(m, M_NUMBER_TOO_BIG, n->span, 0);
}

struct type *infer(struct scope *s, struct node *n, struct type *expected)
{
	struct model *m = s->m;
	struct type *t;
	int vars = s->vars;
	fresh(s, n);
	switch (n->kind) {
	case N_KIND_E_NUM:
		n->frac = n->den != 1;
		fits_fraction(m, n, n->den);
		return settle(s, n, number_type(s));
	case N_KIND_E_QTY: {
		int unit = model_unit(m, n->name);
		if (unit < 0) {
			report_no_unit(m, n->at, n->name);
			return n->type;
		}
		const struct munit *u = &m->unit.v[unit];
		n->ref = unit;
		bool bad = false;
		int64_t top = num_mul(u->num, n->num, &bad), bottom = num_mul(u->den, n->den, &bad);
		n->frac = !bad && top % bottom != 0;
		if (n->frac)
			frac_make(top, bottom, &bad);
		if (bad)
			model_report(m, M_NUMBER_TOO_BIG, n->span, 0);
		return settle(s, n, type_new(m, u->base, u->base == VT_COUNT ? unit : -1));
	}
	case N_KIND_E_DICE:
		return settle(s, n, type_new(m, VT_DICE, -1));
	case N_KIND_E_PERCENT:
	case N_KIND_E_CHANCE:
		n->frac = true;
		fits_fraction(m, n, n->kind == N_KIND_E_PERCENT && n->den <= INT64_MAX / 100 ? n->den * 100 : n->den);
		return settle(s, n, type_new(m, VT_CHANCE, -1));
	case N_KIND_E_TEXT:
		if (expected && type_is(expected, VT_WORD)) {
			n->ref_kind = REF_WORD;
			return settle(s, n, expected);
		}
		if (expected && type_is(expected, VT_THING)) {
			int thing = model_thing(m, intern_word(m->front->names, n->text), -1);
			if (thing >= 0) {
				n->ref_kind = REF_THING;
				n->ref = thing;
				return settle(s, n, type_new(m, VT_THING, m->thing.v[thing].kind));
			}
		}
		return settle(s, n, type_new(m, VT_TEXT, -1));
	case N_KIND_E_MOMENT: {
		int unit = model_unit(m, n->name);
		if (unit < 0 || (m->unit.v[unit].base != VT_TIME && m->unit.v[unit].base != VT_COUNT))
			report_no_unit(m, n->at, n->name);
		bool bad = false;
		if (unit >= 0)
			num_mul(m->unit.v[unit].num, n->num, &bad);
		if (bad)
			model_report(m, M_NUMBER_TOO_BIG, n->span, 0);
		n->ref = unit;
		return settle(s, n, type_new(m, unit >= 0 && m->unit.v[unit].base == VT_COUNT ? VT_COUNT : VT_TIME, unit >= 0 && m->unit.v[unit].base == VT_COUNT ? unit : -1));
	}
	case N_KIND_E_YES:
	case N_KIND_E_NO:
		return settle(s, n, bool_type(s));
	case N_KIND_E_NONE:
		if (expected)
			settle(s, n, expected);
		return n->type;
	case N_KIND_E_NAME:
		t = infer_name(s, n, expected);
		return settle(s, n, t);
	case N_KIND_E_FIELD:
		t = infer_field(s, n);
		return settle(s, n, t);
	case N_KIND_E_CALL:
		t = infer_call(s, n);
		return settle(s, n, t);
	case N_KIND_E_ROLL:
		if (s->pure)
			model_report(m, M_ROLL_IN_PURE, n->span, 0);
		t = type_find(infer(s, n->a, NULL));
		n->name = n->text ? intern_word(m->front->names, n->text) : s->label;
		n->num = s->label_of_place;
		if (m->reporting)
			label_dice(m, model_label(m, n->name), n->a);
		if (t->base == VT_CHANCE)
			return settle(s, n, bool_type(s));
		if (t->base == VT_UNKNOWN)
			type_unify(m, t, type_new(m, VT_DICE, -1));
		else if (t->base != VT_DICE && m->reporting) {
			struct buf b = {0};
			type_print(m, t, &b);
			model_report(m, M_ROLL_WHAT, n->a->span, 1, buf_text(&b));
			buf_free(&b);
		}
		return settle(s, n, number_type(s));
	case N_KIND_E_SET:
		t = open_set(s, n);
		s->vars = vars;
		return settle(s, n, type_set(m, t));
	case N_KIND_E_AGG:
		open_set(s, n->a);
		s->vars = vars;
		return settle(s, n, n->op == AGG_COUNT ? number_type(s) : bool_type(s));
	case N_KIND_E_PICK:
		t = open_set(s, n->a);
		if (n->b) {
			infer(s, n->b->kind == N_KIND_KEY ? n->b->a : n->b, NULL);
		}
		s->vars = vars;
		return settle(s, n, t);
	case N_KIND_E_RANDOM:
		if (s->pure && !s->draws)
			model_report(m, M_ROLL_IN_PURE, n->span, 0);
		n->name = random_label(s, n);
		model_label(m, n->name);
		t = open_set(s, n->a);
		s->vars = vars;
		return settle(s, n, t);
	case N_KIND_E_FOLD:
		if (n->b) {
			open_set(s, n->b);
			t = infer(s, n->a, NULL);
			n->frac = n->a->frac;
			s->vars = vars;
		} else {
			t = infer(s, n->a, NULL);
			n->frac = n->a->frac;
			for (struct node *x = n->a->next; x; x = x->next) {
				struct type *u = infer(s, x, t);
				n->frac |= x->frac;
				if (!type_unify(m, t, u))
					mismatch(s, x->span, t, u);
			}
		}
		if (!type_is(t, VT_UNKNOWN) && !type_number(t))
			mismatch(s, n->a->span, number_type(s), t);
		return settle(s, n, t);
	case N_KIND_E_BINARY:
		t = n->op <= BIN_DIV ? infer_arith(s, n) : infer_compare(s, n);
		return settle(s, n, t);
	case N_KIND_E_AND:
	case N_KIND_E_OR:
		for (struct node *x = n->a; x; x = x->next)
			want_type(s, x, bool_type(s), M_NOT_YES_NO);
		return settle(s, n, bool_type(s));
	case N_KIND_E_NOT:
		want_type(s, n->a, bool_type(s), M_NOT_YES_NO);
		return settle(s, n, bool_type(s));
	case N_KIND_E_NEG:
		t = infer(s, n->a, expected);
		n->frac = n->a->frac;
		if (!type_is(t, VT_UNKNOWN) && !type_number(t)) {
			if (type_is(t, VT_DICE))
				model_report(m, M_DICE_NO_NUMBER, n->a->span, 0);
			else
				mismatch(s, n->span, number_type(s), t);
		}
		return settle(s, n, t);
	case N_KIND_E_IS:
		return settle(s, n, infer_is(s, n));
	case N_KIND_E_HAS:
		return settle(s, n, infer_has(s, n));
	case N_KIND_E_IN:
		t = infer(s, n->a, NULL);
		if (n->c) {
			struct type *from = infer(s, n->b, t), *to = infer(s, n->c, t);
			if (!type_unify(m, t, from) || !type_unify(m, t, to))
				mismatch(s, n->span, t, from);
		} else {
			struct type *set = type_find(infer(s, n->b, NULL));
			if (set->base == VT_SET || set->base == VT_LIST) {
				if (!type_unify(m, set->elem, t))
					mismatch(s, n->span, set->elem, t);
			} else if (set->base == VT_LIVE && set->kind == KIND_SIDE) {
				type_unify(m, t, live_type(s, KIND_COMBATANT));
			} else if (set->base != VT_UNKNOWN && n->a->ref_kind != REF_UNKNOWN && m->reporting) {
				struct buf b = {0};
				type_print(m, set, &b);
				model_report(m, M_NO_SET, n->b->span, 1, buf_text(&b));
				buf_free(&b);
			}
		}
		return settle(s, n, bool_type(s));
	case N_KIND_E_IF:
		want_type(s, n->a, bool_type(s), M_NOT_YES_NO);
		t = infer(s, n->b, expected);
		{
			struct type *u = infer(s, n->c, t);
			if (!type_unify(m, t, u))
				mismatch(s, n->span, t, u);
		}
		n->frac = n->b->frac || n->c->frac;
		return settle(s, n, t);
	case N_KIND_E_AS:
		return settle(s, n, infer_as(s, n));
	case N_KIND_E_ROUND:
		t = infer(s, n->a, expected);
		n->frac = false;
		return settle(s, n, t);
	case N_KIND_E_THIS:
		return settle(s, n, infer_kept(s, n));
	case N_KIND_E_BASE:
		t = infer(s, n->a, NULL);
		n->frac = n->a->frac;
		if (m->reporting && n->a->ref_kind != REF_QUESTION && n->a->ref_kind != REF_FIELD)
			model_report(m, M_BASE_OF_WHAT, n->span, 0);
		return settle(s, n, t);
	case N_KIND_E_STATED: {
		infer(s, n->a, NULL);
		if (m->reporting && field_stated(m, n->a) < 0)
			model_report(m, M_STATED_OF_WHAT, n->span, 0);
		return settle(s, n, type_new(m, VT_BOOL, -1));
	}
	case N_KIND_E_OPTION: {
		int option = model_option(m, n->name);
		n->ref = option;
		if (option < 0)
			report_no_option(m, n, n->name);
		else if (m->option.v[option].node->a && (m->option.v[option].node->a->kind == N_KIND_E_NUM || m->option.v[option].node->a->kind == N_KIND_E_NEG))
			return settle(s, n, number_type(s));
		return settle(s, n, type_new(m, VT_WORD, -1));
	}
	case N_KIND_E_CHOOSE:
		if (s->pure)
			model_report(m, M_ROLL_IN_PURE, n->span, 0);
		want_type(s, n->a, live_type(s, KIND_COMBATANT), M_ARGUMENT_TYPE);
		t = open_set(s, n->b);
		s->vars = vars;
		if (n->c)
			infer(s, n->c, t);
		n->ref = choice_named(m, n->text ? intern_word(m->front->names, n->text) : model_sym(m, "choice"), t);
		return settle(s, n, t);
	default:
		return n->type;
	}
}
