/* circle.c - definitions that rest on themselves.
 *
 * A question is a function of its roles and of the world, and the world stands still while it is
 * asked. So a clause that reads its own question of the same roles can never be worked out, whatever
 * its condition says. The same holds for a way through several questions if each step is taken
 * whenever the one before it is. If some steps are taken under conditions, these may exclude each
 * other: then it is found in a run. What is asked of others (`part (one's next act, n - 1)`) may end. */
#include <string.h>

#include "lang/check/model.h"

enum { WAY_MAX = 200, NOT_KNOWN = -1, SINGLE = 100 /* and the kind: the encounter, the round */ };

/* A question asked of certain roles, on the way from the clause that is looked at. */
struct step { int question, from, clause; bool sure; int8_t role[EVENT_ROLES]; const struct node *at; };

struct circle {
	struct model *m;
	struct step step[WAY_MAX];
	int n;
	/* the clause being read */
	const struct mclause *x;
	int reader;      /* the step whose clause it is */
	int clause;
	sym hidden[8];   /* names of members, which hide those of roles */
	int hiding;
	bool sure;       /* what is read here is read whenever the clause is looked at */
	bool *said;      /* by question: it is part of a circle that was reported */
};

static int known(const struct circle *w, const struct node *n)
{
	if (n->ref_kind == REF_SINGLE)
		return SINGLE + n->ref;
	if (n->kind != N_KIND_E_NAME || n->ref_kind != REF_LOCAL)
		return NOT_KNOWN;
	sym name = n->name, means = model_alias(w->m, n->name);
	for (int i = 0; i < w->hiding; i++)
		if (w->hidden[i] == name || w->hidden[i] == means)
			return NOT_KNOWN;
	for (int i = 0; i < w->x->params; i++)
		if (w->x->param_name[i] == name || w->x->param_name[i] == means)
			return w->step[w->reader].role[i];
	return NOT_KNOWN;
}

static void step_to(struct circle *w, const struct node *at, int question, const struct node *owner, const struct node *list)
{
	struct step s = {.question = question, .from = w->reader, .clause = w->clause, .sure = w->sure && w->step[w->reader].sure, .at = at};
	int n = 0;
	if (owner || !list)
		s.role[n++] = (int8_t)(owner ? known(w, owner) : SINGLE + KIND_ENCOUNTER);
	for (const struct node *a = list; a && n < EVENT_ROLES; a = a->next)
		s.role[n++] = (int8_t)known(w, a);
	if (n != w->m->question.v[question].params || w->n == WAY_MAX)
		return;
	for (int i = 0; i < n; i++)
		if (s.role[i] == NOT_KNOWN)
			return;
	for (int i = 1; i < w->n; i++) /* a way that is surer is gone once more */
		if (w->step[i].question == question && !memcmp(w->step[i].role, s.role, sizeof s.role) && (w->step[i].sure || !s.sure))
			return;
	w->step[w->n++] = s;
}

static void read_one(struct circle *w, const struct node *n);

static void read_list(struct circle *w, const struct node *n)
{
	for (; n; n = n->next)
		read_one(w, n);
}

/* The parts of a node; those behind the first are read only if it lets them. */
static void read_parts(struct circle *w, const struct node *n, bool first_alone)
{
	const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
	bool sure = w->sure;
	for (int i = 0; i < 6; i++)
		for (const struct node *k = kids[i]; k; k = k->next) {
			read_one(w, k);
			w->sure &= !first_alone;
		}
	w->sure = sure;
}

static const struct node *member_of(const struct node *n)
{
	const struct node *set = n->kind == N_KIND_E_FOLD ? n->b : n->kind == N_KIND_E_SET ? n : n->a;
	return set && set->kind == N_KIND_E_SET ? set : NULL;
}

static void read_set(struct circle *w, const struct node *n)
{
	const struct node *set = member_of(n);
	int hiding = w->hiding;
	bool sure = w->sure;
	if (set && w->hiding < (int)FRAY_COUNT(w->hidden))
		w->hidden[w->hiding++] = set->name;
	w->sure &= !set;
	read_parts(w, n, false);
	w->hiding = hiding;
	w->sure = sure;
}

/* `base X's f` asks no rule, unless there is no field: then it asks the definitions. */
static void read_base(struct circle *w, const struct node *n)
{
	const struct node *path = n->a;
	const struct mquestion *q = path->ref_kind == REF_QUESTION ? &w->m->question.v[path->ref] : NULL;
	if (q && q->field < 0 && w->x->sort == CLAUSE_DEFINE)
		read_one(w, path);
	else
		read_parts(w, path, false);
}

static void read_one(struct circle *w, const struct node *n)
{
	switch (n->kind) {
	case N_KIND_E_STATED:
		return;
	case N_KIND_E_BASE:
		read_base(w, n);
		return;
	case N_KIND_E_SET: case N_KIND_E_AGG: case N_KIND_E_PICK: case N_KIND_E_FOLD: case N_KIND_E_RANDOM:
		read_set(w, n);
		return;
	case N_KIND_E_AND: case N_KIND_E_OR: case N_KIND_E_IF:
		read_parts(w, n, true);
		return;
	case N_KIND_E_CALL:
		if (n->ref_kind == REF_QUESTION)
			step_to(w, n, n->ref, n->a->kind == N_KIND_E_FIELD ? n->a->a : NULL, n->b);
		read_list(w, n->b);
		if (n->a->kind == N_KIND_E_FIELD)
			read_one(w, n->a->a);
		return;
	case N_KIND_E_IS:
		if (n->ref_kind == REF_ADJECTIVE)
			step_to(w, n, n->ref, n->a, NULL);
		read_one(w, n->a);
		if (n->ref_kind == REF_UNKNOWN)
			read_one(w, n->b);
		return;
	case N_KIND_E_FIELD: case N_KIND_E_NAME:
		if (n->ref_kind == REF_QUESTION)
			step_to(w, n, n->ref, n->a, NULL);
		break;
	default:
		break;
	}
	read_parts(w, n, false);
}

/* Whether the clause's value is always worked out: no other definition can take its place. */
static bool answers_alone(const struct model *m, const struct mclause *x)
{
	const struct mquestion *q = &m->question.v[x->question];
	int others = 0;
	if (x->sort != CLAUSE_DEFINE)
		return true;
	for (int i = 0; i < q->clause.n; i++)
		others += m->clause.v[q->clause.v[i]].sort == CLAUSE_DEFINE && m->clause.v[q->clause.v[i]].in_force;
	return others <= 1;
}

static void read_clause(struct circle *w, int clause, int reader)
{
	w->x = &w->m->clause.v[clause];
	w->clause = clause;
	w->reader = reader;
	w->hiding = 0;
	bool always = w->x->in_force && !clause_guarded(w->m, clause) && w->x->thing < 0 && answers_alone(w->m, w->x);
	w->sure = always;
	if (w->x->when)
		read_one(w, w->x->when);
	w->sure = always && !w->x->when;
	if (w->x->node->kind != N_KIND_C_BE && w->x->node->b)
		read_one(w, w->x->node->b);
}

static bool is_back(const struct step *s, const struct step *start)
{
	return s->question == start->question && !memcmp(s->role, start->role, sizeof s->role);
}

static void report_circle(struct circle *w, const struct mclause *x, int last)
{
	struct model *m = w->m;
	const struct mquestion *q = &m->question.v[x->question];
	struct buf shown = {0}, way = {0};
	int first = last, path[WAY_MAX], n = 0;
	size_t length;
	for (int i = last; w->step[i].from > 0; i = first) {
		first = w->step[i].from;
		w->said[w->step[first].question] = true;
		if (w->step[first].question != x->question)
			path[n++] = first;
	}
	w->said[x->question] = true;
	question_shown(m, x->question, &shown);
	struct diag d = diag_make(q->field >= 0 || x->sort != CLAUSE_DEFINE ? M_RESTS_ON_ITSELF_BASE : M_RESTS_ON_ITSELF, w->step[first].at->span);
	diag_arg(&d, buf_text(&shown));
	if (x->node->a) {
		const char *text = sources_text(m->front->sources, x->node->a->span, &length);
		diag_arg(&d, arena_text(m->arena, text, length));
	}
	if (n) {
		buf_puts(&way, "By way of: ");
		while (n > 0) {
			question_shown(m, w->step[path[--n]].question, &way);
			buf_puts(&way, n ? ", " : "");
		}
		diag_line(&d, buf_text(&way));
	}
	model_send(m, &d);
	buf_free(&shown);
	buf_free(&way);
}

static void follow(struct circle *w, int clause)
{
	const struct mclause *x = &w->m->clause.v[clause];
	struct step *start = &w->step[0];
	memset(start, 0, sizeof *start);
	start->question = x->question;
	start->sure = true;
	for (int i = 0; i < x->params; i++)
		start->role[i] = (int8_t)i;
	if (w->m->question.v[x->question].subject == KIND_ENCOUNTER || w->m->question.v[x->question].subject == KIND_ROUND)
		start->role[0] = (int8_t)(SINGLE + w->m->question.v[x->question].subject);
	w->n = 1;
	read_clause(w, clause, 0);
	for (int i = 1; i < w->n; i++) {
		const struct step *s = &w->step[i];
		if (is_back(s, start) && (s->from == 0 || s->sure)) {
			report_circle(w, x, i);
			return;
		}
		const struct mquestion *q = &w->m->question.v[s->question];
		for (int k = 0; k < q->clause.n && !is_back(s, start); k++)
			if (w->m->clause.v[q->clause.v[k]].in_force)
				read_clause(w, q->clause.v[k], i);
	}
}

void check_circles(struct model *m)
{
	struct circle w = {.m = m, .said = arena_array(m->arena, bool, m->question.n + 1)};
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		if (x->question >= 0 && m->module.v[x->module].own && !w.said[x->question])
			follow(&w, c);
	}
}
