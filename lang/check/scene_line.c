/* scene_line.c - whether a sentence makes sense: its verb, its target, its roles and its cue. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "lang/check/scene.h"
#include "lang/front/lexicon.h"

/* Whether a text is one of several words parted by | */
static bool is_one_of(const char *text, const char *words)
{
	const size_t length = strlen(text);
	for (const char *w = words; *w;) {
		const size_t n = strcspn(w, "|");
		if (n == length && !strncmp(w, text, n))
			return true;
		w += n + (w[n] == '|');
	}
	return false;
}

/* The role that an act is told of with a preposition: "closes with {target}". What the story says
 * can be typed. -1: none. */
static int role_as_told(struct model *m, int event, sym preposition, unsigned taken)
{
	const struct mevent *e = &m->event.v[event];
	for (int i = 1; e->node && e->node->text && i < e->roles; i++) {
		char told[160];
		const int n = snprintf(told, sizeof told, " %s {%s}", model_text(m, preposition),
			model_text(m, e->role[i].name));
		if (!(taken >> i & 1) && !e->role[i].preposition && n < (int)sizeof told &&
			strstr(e->node->text, told))
			return i;
	}
	return -1;
}

/* The role that a sentence means by another preposition than its action declares: English casts
 * `on`, `upon` and `to` those it aims `at`, and strikes `with` or `using` a weapon. Such a word may
 * also stand where the action declares none: "charges at orc #1". -1: none. */
static int role_in_other_words(struct model *m, int event, sym preposition, unsigned taken)
{
	static const struct {
		const char *words;
		int bare;
	} alike[] = {{"at|on|upon|to|against", VT_LIVE}, {"with|using", VT_THING}};
	const struct mevent *e = &m->event.v[event];
	const int told = role_as_told(m, event, preposition, taken);
	if (told >= 0)
		return told;
	for (size_t k = 0; k < FRAY_COUNT(alike); k++) {
		if (!is_one_of(model_text(m, preposition), alike[k].words))
			continue;
		for (int i = 1; i < e->roles; i++)
			if (!(taken >> i & 1) && e->role[i].preposition &&
				is_one_of(model_text(m, e->role[i].preposition), alike[k].words))
				return i;
		for (int i = 1; i < e->roles; i++) {
			const struct type *role = type_find(e->role[i].type);
			if (!(taken >> i & 1) && !e->role[i].preposition &&
				(role->base == alike[k].bare ||
					(role->base == VT_SET && alike[k].bare == VT_LIVE)))
				return i;
		}
	}
	return -1;
}

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
		return preposition ? role_in_other_words(m, event, preposition, taken) : -1;
	}
	for (int i = 1; i < e->roles; i++) {
		struct type *role = type_find(e->role[i].type), *given = type_find(type);
		bool fits = role->base == given->base || role->base == VT_UNKNOWN || (role->base == VT_SET && given->base == VT_LIVE);
		if (!(taken >> i & 1) && fits)
			return i;
	}
	return -1;
}

void infer_subjects(struct scope *s, struct node *list)
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
const char *pattern_of(const struct model *m, int event)
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

/* "Ann can: attack, cast, ..": the actions there are, near ones first. */
static void put_can(struct model *m, const struct node *n, const char *best, struct diag *d)
{
	VEC(const char *) names = {0};
	for (int i = 0; i < m->event.n; i++)
		if (m->event.v[i].node && m->event.v[i].action)
			VEC_PUSH(names, model_text(m, m->event.v[i].name));
	struct buf line = {0};
	size_t length = 0;
	const char *who = n->a ? sources_text(m->front->sources, n->a->span, &length) : "";
	const char *first = length ? infer_named_first(m, who, length) : NULL;
	if (first) { /* Ann prepares shot */
		who = first;
		length = strlen(first);
	}
	const bool one = n->a && !n->a->next && length && length < 60;
	buf_printf(&line, "%.*s can: ", one ? (int)length : 8, one ? who : "Somebody");
	diag_list(names.v, names.n, best, 18, &line);
	buf_putc(&line, '.');
	diag_line(d, arena_text(m->arena, line.data, line.length));
	buf_free(&line);
	VEC_FREE(names);
}

/* "Ann holds fire", where only another system has more than "hold": which have. */
static bool report_longer_elsewhere(struct model *m, const struct node *n)
{
	const struct front *f = m->front;
	size_t length;
	const char *text = sources_text(m->front->sources, line_around(m, n->at), &length),
		   *end = text + length;
	const char *verb = sources_text(m->front->sources, n->at, &length), *at = verb;
	struct buf said = {0}, own = {0};
	for (int words = 0; at < end && words < 3 && (*at == ' ' || isalpha((unsigned char)*at));
		at++) {
		words += *at == ' ';
		buf_putc(&said, (char)tolower((unsigned char)*at));
	}
	while (said.length && said.data[said.length - 1] == ' ')
		said.length--;
	if (f->verb_elsewhere) {
		const char *where = f->verb_elsewhere(f->elsewhere, model_text(m, n->name));
		buf_puts(&own, where ? where : "");
	}
	const char *where =
		f->verb_elsewhere ? f->verb_elsewhere(f->elsewhere, buf_text(&said)) : NULL;
	const bool found = where && strcmp(where, buf_text(&own)) != 0;
	if (found && m->reporting) {
		struct diag d = diag_make(M_VERB_ELSEWHERE, line_around(m, n->at));
		diag_arg(&d, arena_text(m->arena, text, (size_t)(end - text)));
		diag_arg(&d, arena_text(m->arena, where, strlen(where)));
		put_can(m, n, NULL, &d);
		model_send(m, &d);
	}
	buf_free(&said);
	buf_free(&own);
	return found;
}

void report_verb(struct model *m, struct node *n)
{
	if (m->in_encounter >= 0 && report_longer_elsewhere(m, n))
		return;
	VEC(const char *) names = {0};
	for (int i = 0; i < m->event.n; i++)
		if (m->event.v[i].node && m->event.v[i].action)
			VEC_PUSH(names, model_text(m, m->event.v[i].name));
	const char *best = diag_nearest(model_text(m, n->name), names.v, names.n);
	bool event = !best && model_event(m, n->name) >= 0; /* of the rules: nobody does it */
	struct buf said = {0};
	if (!event && report_verb_said(m, n->at)) {
		VEC_FREE(names);
		return;
	}
	if (event)
		verb_said(m, n->at, &said);
	struct diag d = diag_make(event ? M_EVENT_NOT_DONE : best ? M_NO_VERB_NEAR : M_NO_VERB, n->at);
	diag_arg(&d, model_text(m, n->name));
	diag_arg(&d,
		best                  ? best
			: said.length ? arena_text(m->arena, said.data, said.length)
				      : "Bruna attacks orc #1");
	buf_free(&said);
	struct buf line = {0};
	const struct front *f = m->front;
	const char *where = event && f->verb_elsewhere
		? f->verb_elsewhere(f->elsewhere, model_text(m, n->name))
		: NULL;
	if (where) {
		buf_printf(&line, "It is an action of %s.", where);
		diag_line(&d, arena_text(m->arena, line.data, line.length));
		buf_clear(&line);
	}
	put_can(m, n, best, &d);
	model_send(m, &d);
	buf_free(&line);
	VEC_FREE(names);
}

/* "attacks orc #1 and moves 10 ft": what goes on behind the "and" is a second act. */
static bool report_goes_on(struct model *m, struct span at)
{
	size_t length;
	const char *text = sources_text(m->front->sources, at, &length);
	for (const char *c = text; c + 5 < text + length; c++) {
		if (strncmp(c, " and ", 5) != 0)
			continue;
		const size_t n = strcspn(c + 5, " ;}\n");
		const sym verb = intern_find(m->front->names, c + 5, n);
		const struct lex_entry *e =
			verb ? lexicon_find(m->front->lexicon, verb, LEX_VERB) : NULL;
		struct span joint = {at.file, at.start + (uint32_t)(c - text), 0};
		struct buf line = {0};
		joint.end = joint.start + 5;
		if (!e || !(e->flags & LEX_ACTION) || !statement_with(m, joint, " then ", &line))
			continue;
		model_report(m, M_SAID_OTHERWISE, at, 2, arena_text(m->arena, text, length),
			buf_text(&line));
		buf_free(&line);
		return true;
	}
	return false;
}

/* "Ann attacks orc #1, Ben casts web": two lines with a comma, or nothing, between. */
bool report_second_doer(struct model *m, struct span at)
{
	size_t length;
	const char *text = sources_text(m->front->sources, at, &length);
	for (const char *c = text; c + 2 < text + length; c++)
		for (const char *who = c + 1 + strspn(c + 1, " "),
						*cut = *c == ',' || *c == ' ' ? strchr(who, ' ') : NULL;
			 cut && cut < text + length; cut = strchr(cut + 1, ' ')) {
			const sym name = intern_find(m->front->names, who, (size_t)(cut - who));
			const char *verb = cut + 1, *parts = *c == ',' ? ";" : "; ";
			if (!name || model_live(m, model_alias(m, name)) < 0)
				continue;
			const sym does = intern_find(m->front->names, verb, strcspn(verb, " ,;}\n"));
			const struct lex_entry *e =
				does ? lexicon_find(m->front->lexicon, does, LEX_VERB) : NULL;
			struct span joint = {at.file, at.start + (uint32_t)(c - text), 0};
			struct buf line = {0};
			joint.end = joint.start + 1;
			if (!e || !(e->flags & LEX_ACTION) || !statement_with(m, joint, parts, &line))
				continue;
			model_report(m, M_SAID_OTHERWISE, at, 2, arena_text(m->arena, text, length),
				buf_text(&line));
			VEC_PUSH(m->said, line_around(m, at));
			buf_free(&line);
			return true;
		}
	return false;
}

static void report_several(struct model *m, struct span at, const struct type *want)
{
	size_t length;
	const char *text = sources_text(m->front->sources, at, &length);
	const bool thing = want->base == VT_THING && want->kind >= 0;
	struct buf b = {0};
	buf_add(&b, text, length);
	if (m->reporting && !report_goes_on(m, at) && !report_second_doer(m, at))
		model_report(m, M_ONE_TARGET, at, 3, buf_text(&b),
			thing ? model_text(m, m->kind.v[want->kind].name) : "target",
			thing ? "" : ", or write: someone");
	buf_free(&b);
}

/* "moves 30 toward", "moves 10 squares": the number, with the unit that is meant. */
static bool report_unit_missing(struct model *m, struct type *want, const struct node *t)
{
	const bool counted = t->kind == N_KIND_COUNTED;
	if (!type_number(want) || want->base == VT_NUMBER || !m->reporting ||
		(!counted && t->kind != N_KIND_E_NUM))
		return false;
	const char *example = type_example(m, want),
		   *unit = example + strspn(example, "0123456789");
	struct buf meant = {0}, line = {0};
	size_t length;
	const char *text = sources_text(m->front->sources, t->span, &length);
	buf_printf(&meant, "%.*s%s", (int)strspn(text, "0123456789."), text, unit);
	const bool found = *example != '.' && statement_with(m, t->span, buf_text(&meant), &line);
	if (found)
		model_report(m, M_SAID_OTHERWISE, t->span, 2, arena_text(m->arena, text, length),
			buf_text(&line));
	buf_free(&meant);
	buf_free(&line);
	return found;
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
	report_several(m, span_join(target->span, last->span), type_find(want));
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
			if (thing < 0 && !report_unit_missing(m, want, t))
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
			report_several(m, t->span, want);
			continue;
		}
		if (!type_fits(m, want, given) && !(want->base == VT_SET && given->base == VT_SET) && m->reporting) {
			struct buf x = {0}, y = {0};
			if (report_bare_time(m, want, t) || report_unit_missing(m, want, t))
				continue;
			type_print(m, want, &x);
			type_print(m, given, &y);
			model_report(m, M_TARGET_TYPE, t->span, 2, buf_text(&x), buf_text(&y));
			buf_free(&x);
			buf_free(&y);
		}
	}
}

/* What a line says for a role; a fraction there makes it one that holds fractions. */
void infer_role(struct scope *s, struct node *target, struct mrole *role)
{
	infer_target(s, target, role->type);
	for (struct node *t = target; t; t = t->next)
		if (t->frac && !role->frac && type_number(t->type)) {
			role->frac = s->m->changed = true;
			role->fraction = t->span;
		}
}

/* What an object is, as far as it can be told before its role is known; NULL: it cannot. */
struct type *object_type(struct scope *s, struct node *n)
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

/* "holds until Korg acts": a time is needed, and somebody is named. */
static bool report_until_whom(struct scope *s, const struct node *subject, struct node *p,
	const struct mrole *role)
{
	struct model *m = s->m;
	if (type_find(role->type)->base != VT_TIME || !p->a || p->a->kind != N_KIND_E_NAME)
		return false;
	const char *said = model_text(m, p->a->name);
	const char *who = model_live(m, p->a->name) >= 0 || model_side(m, p->a->name) >= 0
		? said
		: infer_doer(s, said);
	if (!*who)
		return false;
	model_report(m, M_UNTIL_WHOM, p->a->span, 3, said,
		subject && subject->kind == N_KIND_E_NAME ? model_text(m, subject->name) : "Bruna",
		who);
	return true;
}

/* "attacks orc #1 in round 2": what is declared is for the round of its block. */
static bool report_of_round(
	struct model *m, const struct node *n, const struct node *subject, const struct node *p)
{
	const struct node *moment = p->a;
	size_t length;
	if (!moment || moment->kind != N_KIND_E_MOMENT || moment->name != m->w.round)
		return false;
	const struct node *first = subject ? subject : n;
	const struct span said = span_join(first->span, n->span);
	const char *text = sources_text(m->front->sources, said, &length);
	if (p->span.start > said.start &&
		p->span.start < said.start + length) /* what stands before "in round 2" */
		length = p->span.start - said.start;
	while (length && text[length - 1] == ' ')
		length--;
	struct buf line = {0};
	buf_printf(&line, "round %lld { ",
		(long long)(moment->num + (p->name == model_sym(m, "after"))));
	const struct mevent *e =
		n->ref_kind == REF_EVENT && n->ref >= 0 ? &m->event.v[n->ref] : NULL;
	if (e && subject && e->roles == 2 && type_is(e->role[1].type, VT_TIME))
		buf_printf(&line, "%s ..",
			model_text(m, subject->name)); /* who holds does nothing else */
	else
		buf_add(&line, text, length);
	buf_puts(&line, " }");
	model_report(m, M_OF_ROUND, p->span, 1, buf_text(&line));
	buf_free(&line);
	return true;
}

/* What a sentence names for a role; NULL: nothing. */
static struct node *named_for(const struct node *n, int role)
{
	if (n->b && n->role == role)
		return n->b;
	for (const struct node *p = n->d; p; p = p->next)
		if (p->kind == N_KIND_PREP && p->ref == role)
			return p->a;
	return NULL;
}

/* "shoots bow at orc #1 then orc #2": with the same bow. A target alone repeats what is used, as it
 * repeats the verb. */
static void keep_what_is_used(struct scope *s, const struct node *n, struct node *next)
{
	const bool repeats = next && next->b && next->at.start == next->b->span.start &&
		next->name == n->name && next->ref == n->ref;
	if (!repeats || n->ref < 0)
		return;
	struct mevent *e = &s->m->event.v[n->ref];
	for (int role = 1; role < e->roles; role++) {
		const struct node *used = named_for(n, role);
		if (!used || used->next || type_find(e->role[role].type)->base != VT_THING ||
			named_for(next, role))
			continue;
		struct node *p = node_new(s->m->arena, N_KIND_PREP, next->span),
			    *same = node_new(s->m->arena, used->kind, used->span);
		*same = *used;
		p->name = e->role[role].preposition;
		p->ref = role;
		p->a = same;
		next->d = node_append(next->d, p);
		infer_role(s, same, &e->role[role]);
	}
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
			if (m->in_encounter < 0 || !report_longer_elsewhere(m, n))
				model_report(m, M_NO_OBJECT, n->b->span, 2, model_text(m, n->name),
					pattern_of(m, event));
		} else {
			n->role = role;
			taken |= 1u << role;
			if (!report_run_on(s, n, subject, n->b))
				infer_role(s, n->b, &m->event.v[event].role[role]);
		}
	}
	for (struct node *p = n->d; p; p = p->next) {
		if (p->kind == N_KIND_CUE) {
			infer_cue(s, p->a);
			continue;
		}
		if (report_of_round(m, n, subject, p))
			continue;
		int role = sentence_role(m, event, p->name, NULL, taken);
		p->ref = role;
		/* `hold until segment 7`: what waits is the act itself */
		if (role >= 0 && m->event.v[event].role[role].name == m->w.moment && p->a && p->a->kind == N_KIND_E_MOMENT)
			role = -1;
		if (role >= 0) {
			taken |= 1u << role;
			if (report_until_whom(s, subject, p, &m->event.v[event].role[role]))
				continue;
			infer_role(s, p->a, &m->event.v[event].role[role]);
			continue;
		}
		/* `from segment 7`: any action may wait */
		int held = model_field(m, KIND_ACT, model_sym(m, "held until"));
		if (p->a && p->a->kind == N_KIND_E_MOMENT && held >= 0) {
			p->ref = SAID_HELD;
			if (!moment_known(m, p->a)) {
				report_no_moment(m, p->a, p);
				continue;
			}
			infer(s, p->a, m->field.v[held].type);
			warn_not_waited(m, p, held);
			continue;
		}
		/* `after orcs`: until they have acted */
		int behind = model_field(m, KIND_ACT, model_sym(m, "held behind"));
		if (behind >= 0 && p->name == model_sym(m, "after")) {
			p->ref = SAID_BEHIND;
			infer_subjects(s, p->a);
			warn_not_waited(m, p, behind);
			continue;
		}
		if (!report_verb_said(m, p->span))
			model_report(m, M_NO_PREPOSITION, p->span, 3, model_text(m, n->name),
				model_text(m, p->name), line_meant(s, n, subject, p));
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
	keep_what_is_used(s, n, n->e);
	keep_what_is_used(s, n, n->f);
}

/* Whether any rule goes on to the act behind a `then`; the rules of an encounter count for all. */
static bool goes_on(const struct model *m)
{
	const sym next = model_sym(m, "next act");
	for (int c = 0; c < m->clause.n; c++)
		if (clause_names_field(&m->clause.v[c], next))
			return true;
	return false;
}

static const struct node *then_of(const struct node *n)
{
	while (n && !n->f)
		n = n->e;
	return n ? n->f : NULL;
}

void part_turns(struct model *m, struct node *n)
{
	const struct node *then = then_of(n);
	if (!then || !m->reporting)
		return;
	if (goes_on(m)) {
		for (; then; then = then->f)
			if (then->c)
				model_report(m, M_WHEN_AFTER_THEN, then->c->span, 0);
		return;
	}
	bool cued = false;
	for (const struct node *p = n->d; p; p = p->next)
		cued |= p->kind == N_KIND_CUE;
	if (!n->a || n->e || cued || !both_asked(m, n, n->f)) {
		model_report(m, M_THEN_NEVER, then->span, 0);
		return;
	}
	/* a copy: the branches of odds share what stands behind the `then` */
	struct node *part = node_new(m->arena, n->f->kind, n->f->span);
	*part = *n->f;
	part->a = n->a;
	if (!part->c) {
		part->c = n->c;
		part->num = n->num;
	}
	part->next = n->next;
	n->next = part;
	n->f = NULL;
}
