/* scene_odds.c - what odds count (measures), and the lines of policies. */
#include <string.h>

#include "lang/check/scene.h"

/* "median round", "chance of party wins": what is asked with a word for it that odds do not have.
 */
static bool measure_word(struct model *m, const struct node *x)
{
	static const struct { const char *said, *instead;
	} words[] = {
		{"average of", "average "},
		{"average number of", "average "},
		{"spread of", "spread "},
		{"mean", "average "},
		{"avg", "average "},
		{"expected", "average "},
		{"median", "spread "},
		{"quartiles", "spread "},
		{"distribution of", "spread "},
		{"maximum", "spread "},
		{"max", "spread "},
		{"minimum", "spread "},
		{"min", "spread "},
		{"chance of", ""},
		{"chance that", ""},
		{"chance", ""},
		{"probability of", ""},
		{"probability that", ""},
		{"probability", ""},
		{"odds of", ""},
		{"odds that", ""},
	};
	const struct node *who = x->a;
	while (who->a &&
		(who->kind == N_KIND_E_FIELD || who->kind == N_KIND_E_IS ||
			who->kind == N_KIND_N_EXPECT_SAY))
		who = who->a;
	if (who->kind == N_KIND_E_NAME &&
		(model_thing(m, who->name, -1) >= 0 || model_live(m, who->name) >= 0 ||
			model_side(m, who->name) >= 0))
		return false; /* somebody called Max */
	size_t length;
	const char *text = sources_text(m->front->sources, x->span, &length);
	if (length > 24 && !strncmp(text, "average number of ", 18) &&
		strncmp(text + 18, "round", 5) != 0)
		return false; /* of whom? */
	for (size_t i = 0; i < FRAY_COUNT(words); i++) {
		size_t n = strlen(words[i].said);
		if (length <= n || strncmp(text, words[i].said, n) != 0 || text[n] != ' ')
			continue;
		if (m->reporting) {
			struct buf line = {0};
			buf_printf(&line, "%s%.*s", words[i].instead, (int)(length - n - 1), text + n + 1);
			model_report(m, M_MEASURE_WORD, x->span, 3, words[i].said,
				*words[i].instead == 's' ? "A spread tells it. " : "", buf_text(&line));
			buf_free(&line);
		}
		return true;
	}
	return false;
}

static void infer_measure(struct scope *s, struct node *x)
{
	struct model *m = s->m;
	if (measure_word(m, x) || report_tie(m, x->a))
		return;
	struct node *is = adjective_said(m, x->a);
	if (is)
		x->a = is;
	if (x->a->kind == N_KIND_N_EXPECT_SAY) {
		infer_expect_say(s, x->a);
		const struct node *within = x->a->a->kind == N_KIND_E_FIELD &&
				x->a->a->ref_kind == REF_EVENT && x->a->a->ref >= 0
			? x->a->a
			: NULL;
		bool together = false;
		for (const struct node *p = x->a->d; p; p = p->next)
			together |= !strcmp(model_text(m, p->name), "together with");
		if (x->a->c || within || together) {
			size_t length;
			const char *text = sources_text(m->front->sources, x->a->span, &length);
			model_report(m, M_NOT_MEASURED, x->a->span, 1,
				arena_text(m->arena, text, length));
		}
		return;
	}
	if (x->op != MEASURE_PLAIN)
		x->a = round_number(s, x->a);
	struct type *t = type_find(infer(s, x->a, NULL));
	if (x->op == MEASURE_PLAIN) {
		if (!type_unify(m, t, type_new(m, VT_BOOL, -1)) && m->reporting) {
			struct buf b = {0};
			type_print(m, t, &b);
			size_t length;
			const char *text = sources_text(m->front->sources, x->a->span, &length);
			model_report(m, M_MEASURE, x->a->span, 2, buf_text(&b),
				type_number(t) ? arena_text(m->arena, text, length) : "round");
			buf_free(&b);
		}
		return;
	}
	bool whole = t->base == VT_SET || t->base == VT_LIST || t->base == VT_DICE;
	if (t->base != VT_UNKNOWN && (x->op == MEASURE_AVERAGE ? !type_number(t) : whole) &&
		m->reporting) {
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
	s.asked = true;
	for (struct node *x = measures; x; x = x->next)
		infer_measure(&s, x);
	scene_leave(m);
}

/* Whether a line aims at one drawn by a die: there may be none. */
static bool draws_target(const struct node *n)
{
	bool draws = n->b && n->b->kind == N_KIND_E_RANDOM;
	for (const struct node *p = n->d; p; p = p->next)
		draws |= p->kind == N_KIND_PREP && p->a && p->a->kind == N_KIND_E_RANDOM;
	return draws;
}

/* Whether rules may refuse a line that aims at somebody else: a `forbid .. when target is actor`
 * does not. */
static bool may_be_forbidden(const struct model *m, const struct mevent *e)
{
	for (int i = 0; i < e->forbid.n; i++) {
		const struct mclause *x = &m->clause.v[e->forbid.v[i]];
		const struct node *is = x->when && !x->unless ? x->when : NULL;
		bool names = is && is->kind == N_KIND_E_IS && is->ref_kind == REF_LOCAL && is->num != 1 &&
			is->a->kind == N_KIND_E_NAME && is->b->kind == N_KIND_E_NAME;
		if (!names || is->a->name == is->b->name ||
			(is->a->name != x->param_name[0] && is->b->name != x->param_name[0]))
			return true;
	}
	return false;
}

static void infer_policy_lines(struct scope *s, struct node *list)
{
	struct model *m = s->m;
	struct node *sure = NULL, *always = NULL;
	for (struct node *n = list; n; n = n->next) {
		if (always && !sure && m->reporting && !n->damaged && n->c && !n->b &&
			(n->kind == N_KIND_N_SAY || n->kind == N_KIND_N_FOLLOWS)) {
			struct diag d = diag_make(M_ONLY_OTHERWISE, n->span);
			size_t length;
			const char *text = sources_text(m->front->sources, always->span, &length);
			diag_arg(&d, arena_text(m->arena, text, length));
			model_send(m, &d);
		}
		if (sure && m->reporting && !n->damaged) {
			struct diag d = diag_make(M_NEVER_REACHED, n->span);
			diag_arg(&d, model_text(m, s->label));
			diag_relate(
				&d, sure->span, "this line can always be taken, so nothing below it is reached");
			model_send(m, &d);
			sure = NULL;
		}
		switch (n->kind) {
		case N_KIND_N_SAY:
			infer_line(s, n, NULL);
			part_turns(m, n);
			if (!n->c && !n->e && n->ref_kind == REF_EVENT && n->ref >= 0 && !draws_target(n)) {
				const struct mevent *e = &m->event.v[n->ref];
				always = always ? always : n;
				if (e->needs_count == 0 && e->costs < 0 && !may_be_forbidden(m, e) &&
					!(n->b && n->b->name == m->w.me))
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
	scope_push(
		&s, m->w.me, type_new(m, VT_LIVE, KIND_COMBATANT), false, m->policy.v[policy].node->at);
	infer_policy_lines(&s, m->policy.v[policy].node->a);
}
