/* scene_told.c - dice and choices said beforehand, and what is expected. */
#include <stdlib.h>
#include <string.h>

#include "lang/check/scene.h"

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

bool chooses_rules(const struct node *items)
{
	for (const struct node *n = items; n; n = n->next)
		if (n->kind == N_KIND_N_OPTION || n->kind == N_KIND_USE || (n->kind == N_KIND_MOMENT && chooses_rules(n->a)))
			return true;
	return false;
}

/* What is known, and comes of no rule in force: the line says nothing. */
static void check_drawn(struct model *m, const struct node *at, sym name, bool choice)
{
	if (!m->reporting || m->in_encounter < 0 || model_drawn(m, name, choice) || chooses_rules(m->encounter.v[m->in_encounter].node->a))
		return;
	model_report(m, choice ? M_NEVER_CHOSEN : M_NEVER_ROLLED, at->at, 1, model_text(m, name));
}

void infer_forced(struct scope *s, struct node *n)
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
		if (label >= 0)
			check_drawn(m, f->a, name, false);
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
		} else if (f->a->kind == N_KIND_E_NAME && m->label.v[label].owned &&
			!m->label.v[label].free) {
			size_t length;
			const char *text = sources_text(m->front->sources, f->span, &length);
			const char *who = m->live.n ? model_text(m, m->live.v[0].name) : "Bruna";
			struct buf line = {0};
			buf_printf(&line, "%s%s", who, who[strlen(who) - 1] == 's' ? "'" : "'s");
			buf_printf(&line, " %.*s", (int)length, text);
			model_report(m, M_DIE_WHOSE, f->a->span, 2, model_text(m, name), buf_text(&line));
			buf_free(&line);
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

/* `maybe`, of a choice between yes and no. */
static bool report_no_answer(struct scope *s, const struct node *answer, int choice, sym name)
{
	struct model *m = s->m;
	if (answer->kind != N_KIND_E_NAME || !type_is(m->choice.v[choice].type, VT_BOOL))
		return false;
	for (int i = 0; i < m->live.n; i++)
		if (m->live.v[i].name == answer->name)
			return false;
	if (model_thing(m, model_alias(m, answer->name), -1) >= 0)
		return false;
	model_report(m, M_CHOICE_YES_NO, answer->span, 1, model_text(m, name));
	return true;
}

void infer_choices(struct scope *s, struct node *n)
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
			check_drawn(m, f->a, name, true);
			for (struct node *a = f->b; a; a = a->next) {
				if (report_no_answer(s, a, choice, name))
					continue;
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
struct node *adjective_said(struct model *m, const struct node *say)
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

/* How an act ends, in the words of the story and of JSON; SAID_HAPPENS: this is no such word. */
static int end_called(const struct model *m, sym name)
{
	const sym end[] = {0, m->w.refused, m->w.void_, m->w.interrupted, m->w.replaced,
		m->w.left_over, m->w.told};
	for (int op = SAID_REFUSED; op <= SAID_TOLD; op++)
		if (end[op] == name)
			return op;
	return SAID_HAPPENS;
}

/* "Bruna is refused", "Bruna's attack is void": a sentence about the end of an act, and "'..' is
 * told": one about the story; unless these rules say what else it means. */
void expect_end(struct model *m, struct node *n)
{
	struct node *is = n->a;
	bool negated = false;
	int op;
	for (; is->kind == N_KIND_E_NOT; is = is->a)
		negated = !negated;
	if (is->kind != N_KIND_E_IS || is->b->kind != N_KIND_E_NAME ||
		!(op = end_called(m, is->b->name)))
		return;
	if (model_question_of(m, KIND_COMBATANT, is->b->name, true) >= 0 ||
		model_field(m, KIND_COMBATANT, is->b->name) >= 0)
		return;
	if ((op == SAID_TOLD) != (is->a->kind == N_KIND_E_TEXT) ||
		(n->text && (op == SAID_TOLD || op == SAID_INTERRUPTED)))
		return;
	negated ^= is->num == 1;
	n->kind = N_KIND_N_EXPECT_SAY;
	n->op = op;
	n->num = (n->num & 2) | negated;
	n->a = is->a;
	if (op == SAID_TOLD) {
		n->text = is->a->text;
		n->a = NULL;
		return;
	}
	if (n->a->kind == N_KIND_E_FIELD) { /* the act, and whose it is */
		n->name = n->a->name;
		n->at = n->a->at;
		n->a = n->a->a;
	}
}

void infer_expect_end(struct scope *s, struct node *n)
{
	if (n->op == SAID_TOLD)
		return;
	infer_subjects(s, n->a);
	n->ref_kind = REF_EVENT;
	n->ref = n->name ? model_event(s->m, n->name) : -1;
	if (n->name && (n->ref < 0 || (n->op == SAID_REFUSED && !s->m->event.v[n->ref].action)))
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

/* "before round 3" is told by the number of the round: time begins anew in each. */
static struct node *round_compared(struct scope *s, const struct node *moment, int op)
{
	struct model *m = s->m;
	struct node *is = node_new(m->arena, N_KIND_E_BINARY, moment->span);
	is->op = op;
	is->a = node_new(m->arena, N_KIND_E_NAME, moment->span);
	is->a->name = m->w.round;
	is->a->at = moment->span;
	is->b = node_new(m->arena, N_KIND_E_NUM, moment->span);
	is->b->num = moment->num;
	is->b->den = 1;
	infer(s, is, bool_type(s));
	return is;
}

/* "expect Bruna acts before Korg attacks": only who is compared. */
static bool report_deed_behind(struct scope *s, struct node *p, const char *prep)
{
	const bool named = p->a->kind == N_KIND_E_NAME && !p->a->next;
	const char *who = named ? infer_doer(s, model_text(s->m, p->a->name)) : "";
	if (!*who || model_live(s->m, p->a->name) >= 0)
		return false;
	model_report(s->m, M_BEFORE_DEED, p->a->span, 2, prep, who);
	return true;
}

/* "Bruna's 2nd strike misses", "Bruna's attack hits", "Halvaine's web completes", "Halvaine's spell
 * completes": what is hers is an event, which one of them is said by a number, or what the event
 * is about. */
static void infer_deed_of(struct scope *s, struct node *n, int event)
{
	struct model *m = s->m;
	struct node *field = n->a;
	const char *text = model_text(m, field->name), *hash = strstr(text, " #");
	int64_t number = 0;
	const size_t front = ordinal_read(text, &number);
	size_t length = strlen(text);
	if (front)
		text += front + (text[front] == ' ');
	else if (hash)
		number = strtoll(hash + 2, NULL, 10);
	length = hash && !front ? (size_t)(hash - text) : strlen(text);
	const sym name = intern_find(m->front->names, text, length);
	field->role = (int32_t)number;
	field->ref_kind = REF_EVENT;
	field->ref = name ? model_event(m, model_alias(m, name)) : -1;
	const bool numbered = front || hash;
	if ((field->ref >= 0 && (number > 0 || !numbered)) || event < 0)
		return;
	const int thing = numbered ? -1 : model_thing(m, model_alias(m, field->name), -1);
	if (thing >= 0 && m->thing.v[thing].kind != KIND_COMBATANT) {
		struct node *with = node_new(m->arena, N_KIND_PREP, field->at);
		with->name = model_sym(m, "with");
		with->a = node_new(m->arena, N_KIND_E_NAME, field->at);
		with->a->name = field->name;
		with->a->at = field->at;
		with->next = n->d;
		n->d = with;
		n->a = field->a;
		return;
	}
	for (int i = 1; i < m->event.v[event].roles && !numbered; i++)
		if (m->event.v[event].role[i].name == field->name)
			return;
	model_report(m, M_DEED_OF, field->at, 2, model_text(m, field->name),
		model_text(m, n->name2 ? n->name2 : n->name));
}

void infer_expect_say(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	int event = n->name == m->w.acts_verb ? -1 : model_event(m, n->name);
	struct node *subject = n->a;
	if (subject->kind == N_KIND_E_FIELD) {
		infer_deed_of(s, n, event);
		subject = subject->a;
	}
	infer_subjects(s, subject);
	n->ref_kind = REF_EVENT;
	n->ref = event;
	if (event < 0 && n->name != m->w.acts_verb) {
		struct node alone = *n;
		alone.b = alone.d = NULL;
		if (adjective_said(m, &alone))
			report_state_with(m, n);
		else
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
		n->num = (n->num & 3) | (role >= 0 ? (int64_t)(role + 1) << 8 : 0);
		if (role >= 0)
			taken |= 1u << role;
		else
			model_report(m, M_NO_OBJECT, n->b->span, 2, model_text(m, n->name), pattern_of(m, event));
	}
	for (struct node *p = n->d; p; p = p->next) {
		const char *prep = model_text(m, p->name);
		p->ref = -1;
		const bool together = !strcmp(prep, "together with");
		if (together || !strcmp(prep, "in") || !strcmp(prep, "before") ||
			!strcmp(prep, "after")) {
			if (report_deed_behind(s, p, prep))
				continue;
			struct type *t = infer_each(s, p->a);
			bool moment = !together && (t->base == VT_TIME || t->base == VT_COUNT);
			bool who = t->base == VT_SET || (t->base == VT_LIVE && (t->kind == KIND_COMBATANT || t->kind == KIND_SIDE));
			if (!moment && !who && t->base != VT_UNKNOWN)
				model_report(m, M_BEFORE_WHAT, p->a->span, 1, prep);
			if (moment && p->a->kind == N_KIND_E_MOMENT && p->a->name == m->w.round && !p->b)
				p->b = round_compared(s, p->a, !strcmp(prep, "in") ? BIN_EQ : !strcmp(prep, "before") ? BIN_LT : BIN_GT);
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
