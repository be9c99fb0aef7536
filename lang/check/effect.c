/* effect.c - what the table wrote and nothing ever asks for: definitions that nothing reads, options,
 * phases, hooks of what never happens, permissions of what nobody forbids.
 *
 * First it is noted what could be without effect; then everything there is gets read, until all of it
 * is found in use. A script is judged as a whole. A file without encounters is made for others, who may
 * ask for the words that it has: of those only what is nearly the name of something else is told, and
 * so it is of files that a script uses. Whatever a rule reads counts, also one out of force; but
 * not
 * what a body reads that a nearer one always stands in for. */
#include <string.h>

#include "lang/check/declare.h"
#include "lang/check/effect.h"

enum { NO_ROLES = -1 };
enum { USED, WANTED, WANTED_IF_NEAR }; /* by question, event, option */

struct readers {
	struct model *m;
	uint8_t *question, *event, *option, *field, *pair;
	/* by field, and by field of pairs: it is stated or declared, and that may not matter */
	uint8_t *fact, *fact_pair;
	uint8_t *named;       /* by symbol: something looked for is called so */
	bool offered;         /* the file is made for others */
	bool ruled;           /* it has rules of its own, or is headed as house rules are */
	int left;             /* not found yet */
	int own;              /* the question whose clause is being read: itself it does not count */
};

static void look(struct readers *w, const struct node *n);

static void look_list(struct readers *w, const struct node *n)
{
	for (; n && w->left > 0; n = n->next)
		look(w, n);
}

static void found(struct readers *w, uint8_t *what)
{
	w->left -= *what != USED;
	*what = USED;
}

static void read_pair(struct readers *w, int pair)
{
	found(w, &w->pair[pair]);
	found(w, &w->fact_pair[pair]);
}

static void read_question(struct readers *w, int question)
{
	if (question < 0 || question == w->own)
		return;
	found(w, &w->question[question]);
	if (w->m->question.v[question].field >= 0) {
		found(w, &w->field[w->m->question.v[question].field]);
		found(w, &w->fact[w->m->question.v[question].field]);
	}
	if (w->m->question.v[question].pair >= 0)
		read_pair(w, w->m->question.v[question].pair);
}

static void read_field(struct readers *w, int field)
{
	if (field < 0)
		return;
	read_question(w, w->m->field.v[field].question);
	found(w, &w->field[field]);
	found(w, &w->fact[field]);
	for (int i = 0; i < w->m->option.n; i++)
		if (w->m->option.v[i].kind >= 0 && w->m->option.v[i].field == field)
			found(w, &w->option[i]);
}

/* By name, where it was not worked out what it means: of so many roles in brackets, or NO_ROLES. */
static void read_called(struct readers *w, sym name, int roles)
{
	struct model *m = w->m;
	name = name ? model_alias(m, name) : 0;
	if (!name || name >= m->symbols || !w->named[name])
		return;
	for (int i = 0; i < m->question.n; i++) {
		const struct mquestion *q = &m->question.v[i];
		if (q->name == name && (q->subject >= 0 || q->params == roles))
			read_question(w, i);
	}
	for (int i = 0; i < m->event.n; i++)
		if (m->event.v[i].name == name)
			found(w, &w->event[i]);
	for (int i = 0; i < m->field.n; i++)
		if (m->field.v[i].name == name) {
			found(w, &w->field[i]);
			found(w, &w->fact[i]);
		}
	for (int i = 0; i < m->pair.n; i++)
		if (m->pair.v[i].name == name)
			read_pair(w, i);
	for (int i = 0; i < m->option.n; i++)
		if (m->option.v[i].name == name)
			found(w, &w->option[i]);
}

static void read_name(struct readers *w, sym name)
{
	read_called(w, name, NO_ROLES);
}

/* Whether the name stands between braces of the text, as whole words; `called`: with roles behind it. */
static bool in_braces(const char *text, const char *name, bool called)
{
	size_t n = strlen(name);
	for (const char *open = strchr(text, '{'); open; open = strchr(open + 1, '{')) {
		const char *close = open + strcspn(open, "}");
		for (const char *at = strstr(open, name); at && at + n <= close; at = strstr(at + 1, name))
			if (strchr("{ ", at[-1]) && strchr("}' ", at[n]) && (!called || at[n + 1] == '('))
				return true;
	}
	return false;
}

/* "{victim's zest} left": whatever is named between braces is read. */
static void read_text(struct readers *w, const char *text)
{
	struct model *m = w->m;
	if (!strchr(text, '{'))
		return;
	for (int i = 0; i < m->question.n; i++)
		if (w->question[i] != USED && in_braces(text, model_text(m, m->question.v[i].name), m->question.v[i].subject < 0))
			read_question(w, i);
	for (int i = 0; i < m->field.n; i++)
		if ((w->field[i] != USED || w->fact[i] != USED) &&
			in_braces(text, model_text(m, m->field.v[i].name), false))
			read_field(w, i);
	for (int i = 0; i < m->pair.n; i++)
		if ((w->pair[i] != USED || w->fact_pair[i] != USED) &&
			in_braces(text, model_text(m, m->pair.v[i].name), true))
			read_pair(w, i);
	for (int i = 0; i < m->alias.n; i++)
		if (in_braces(text, model_text(m, m->alias.v[i].from), false))
			read_name(w, m->alias.v[i].from);
}

static void look_parts(struct readers *w, const struct node *n)
{
	const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
	for (int i = 0; i < 6; i++)
		look_list(w, kids[i]);
}

/* Whether it is stated is asked: then it matters that it is, and what is written to it still does
 * not. */
static void look_stated(struct readers *w, const struct node *path)
{
	const bool field = path->ref_kind == REF_FIELD || path->ref_kind == REF_FLAG ||
		path->ref_kind == REF_FIELD_OF_ENCOUNTER;
	const int at = field                                   ? path->ref
		: path->ref_kind == REF_QUESTION && path->ref >= 0 ? w->m->question.v[path->ref].field
														   : -1;
	if (at >= 0)
		found(w, &w->fact[at]);
}

/* What is written is not read; but whose it is. */
static void look_place(struct readers *w, const struct node *path)
{
	if (path->kind == N_KIND_E_FIELD)
		look(w, path->a);
	else if (path->kind == N_KIND_E_CALL)
		look_list(w, path->b);
}

static void look_performed(struct readers *w, const struct node *path)
{
	const struct node *callee = path->kind == N_KIND_E_CALL ? path->a : path;
	if (path->ref_kind == REF_EVENT && path->ref >= 0)
		found(w, &w->event[path->ref]);
	else
		read_name(w, callee->name);
}

static void look_path(struct readers *w, const struct node *n)
{
	switch (n->ref_kind) {
	case REF_QUESTION: case REF_ADJECTIVE:
		read_question(w, n->ref);
		break;
	case REF_FIELD: case REF_THING_FIELD: case REF_FLAG: case REF_VIA: case REF_FIELD_OF_ENCOUNTER: case REF_LIST_FIELD:
		read_field(w, n->ref);
		break;
	case REF_PAIR:
		read_question(w, w->m->pair.v[n->ref].question);
		read_pair(w, n->ref);
		break;
	case REF_UNKNOWN:
		if (n->kind == N_KIND_E_CALL)
			read_called(w, n->a->name, node_count(n->b));
		else
			read_name(w, n->kind == N_KIND_E_IS ? n->b->name : n->name);
		break;
	default:
		if (n->kind == N_KIND_E_FIELD) /* of something that may be of several kinds */
			read_name(w, n->name);
		break;
	}
}

static void look(struct readers *w, const struct node *n)
{
	if (n->text)
		read_text(w, n->text);
	switch (n->kind) {
	case N_KIND_RULE: case N_KIND_C_DEFINE: case N_KIND_C_BE: case N_KIND_C_ADJUST: case N_KIND_C_LIMIT: case N_KIND_C_ORDER:
	case N_KIND_C_PAIR: case N_KIND_C_HOOK: case N_KIND_C_WHENEVER: case N_KIND_C_FORBID: case N_KIND_C_PERMIT:
		return; /* these are gone through clause by clause */
	case N_KIND_E_STATED:
		look_stated(w, n->a);
		look_place(w, n->a);
		return;
	case N_KIND_E_BASE: {
		const struct node *path = n->a;
		bool stored = path->ref_kind == REF_QUESTION && w->m->question.v[path->ref].field >= 0;
		(stored ? look_place : look)(w, path);
		return;
	}
	case N_KIND_S_SET: case N_KIND_S_CHANGE: case N_KIND_N_OVERRIDE:
		look_place(w, n->a);
		look_list(w, n->b);
		look_list(w, n->c);
		look_list(w, n->d);
		return;
	case N_KIND_S_ADD: case N_KIND_S_REMOVE:
		look(w, n->a);
		look_place(w, n->b);
		return;
	case N_KIND_E_CALL:
		look_path(w, n);
		look_place(w, n->a);
		look_list(w, n->b);
		return;
	case N_KIND_E_IS:
		look_path(w, n);
		look(w, n->a);
		if (n->b->kind != N_KIND_E_NAME)
			look(w, n->b);
		return;
	case N_KIND_E_FIELD: case N_KIND_E_NAME: case N_KIND_E_HAS:
		look_path(w, n);
		break;
	case N_KIND_E_OPTION:
		if (n->ref >= 0)
			found(w, &w->option[n->ref]);
		break;
	case N_KIND_S_CALL: case N_KIND_S_PEND:
		look_performed(w, n->a);
		break;
	case N_KIND_S_MAY:
		look_performed(w, n->b);
		break;
	case N_KIND_N_SAY: case N_KIND_N_EXPECT_SAY:
		read_name(w, n->name);
		read_name(w, n->name2);
		break;
	default:
		break;
	}
	look_parts(w, n);
}

/* ---- what to look for ---- */

static bool is_script(const struct model *m, int module)
{
	return m->module.v[module].layer == LAYER_SCRIPT;
}

static void want(struct readers *w, uint8_t *what, sym name, uint8_t how)
{
	w->left += *what == USED;
	if (*what != WANTED)
		*what = how;
	if (name < w->m->symbols)
		w->named[name] = 1;
}

/* The machine asks these itself (docs/language.md, "Questions of the machine"). */
static bool asked_by_machine(const struct model *m, int question)
{
	const struct mquestion *q = &m->question.v[question];
	const char *name = model_text(m, q->name);
	switch (q->subject) {
	case KIND_SIDE:
		return q->name == m->w.members || q->name == m->w.victorious;
	case KIND_ACT:
		return q->name == m->w.time || q->name == m->w.void_ || !strcmp(name, "left over");
	case KIND_COMBATANT:
		return q->name == m->w.hindrance;
	case KIND_ENCOUNTER:
		return q->name == m->w.settled || !strcmp(name, "scale");
	default:
		return false;
	}
}

/* Words that a file may offer to scripts: how somebody is, and who somebody is to somebody. */
static bool is_word_for_others(const struct model *m, const struct mquestion *q)
{
	struct type *t = type_find(q->type);
	(void)m;
	return t->base == VT_BOOL || t->base == VT_LIVE || t->base == VT_SET;
}

static void want_clause(struct readers *w, const struct mclause *x)
{
	struct model *m = w->m;
	const struct mevent *e = x->event >= 0 ? &m->event.v[x->event] : NULL;
	if (x->question >= 0 && !asked_by_machine(m, x->question)) {
		bool sure = is_script(m, x->module) && !(w->offered && is_word_for_others(m, &m->question.v[x->question]));
		want(w, &w->question[x->question], m->question.v[x->question].name, sure ? WANTED : WANTED_IF_NEAR);
	}
	if (!e || e->action || x->phase || !e->node || x->node->kind != N_KIND_C_HOOK || !is_script(m, x->module))
		return;
	bool performed = e->name == m->w.set_up || e->name == m->w.new_round ||
		e->name == m->w.come_in || e->name == m->w.leave;
	bool for_the_referee = w->offered && e->at.file == x->node->at.file;
	if (!performed && !for_the_referee)
		want(w, &w->event[x->event], e->name, WANTED);
}

static bool is_header(const struct node *n)
{
	return n->kind == N_KIND_HOUSE || n->kind == N_KIND_RULESET || n->kind == N_KIND_LIBRARY;
}

static bool is_headed(const struct model *m)
{
	for (int k = 0; k < m->module.n; k++)
		for (int t = 0; is_script(m, k) && t < m->module.v[k].tree.n; t++)
			for (const struct node *n = m->module.v[k].tree.v[t]; n; n = n->next)
				if (is_header(n))
					return true;
	return false;
}

/* ---- reading everything ---- */

static void look_clause(struct readers *w, int clause)
{
	const struct mclause *x = &w->m->clause.v[clause];
	const struct node *n = x->node;
	if (clause > 0 && w->m->clause.v[clause - 1].node == n)
		return; /* `forbid` of several actions: seen once is enough */
	if (body_beaten(w->m, clause))
		return;
	w->own = x->question;
	if (x->when)
		look(w, x->when);
	if (x->question < 0 && x->sort != CLAUSE_WHENEVER && n->kind != N_KIND_C_HOOK && n->kind != N_KIND_C_FORBID && n->kind != N_KIND_C_PERMIT)
		look_list(w, n->a);
	if (x->sort == CLAUSE_WHENEVER)
		look(w, n->a);
	look_list(w, n->b);
	w->own = -1;
}

static void look_everywhere(struct readers *w)
{
	struct model *m = w->m;
	for (int c = m->clause.n; c-- > 0 && w->left > 0;) /* the nearest layers first */
		look_clause(w, c);
	for (int i = 0; i < m->rule.n && w->left > 0; i++)
		for (const struct node *mod = m->rule.v[i].node->a; mod; mod = mod->next)
			if (mod->op == MOD_IF && model_option(m, mod->name) >= 0)
				found(w, &w->option[model_option(m, mod->name)]);
	for (int k = m->module.n; k-- > 0;)
		for (int t = 0; t < m->module.v[k].tree.n; t++)
			look_list(w, m->module.v[k].tree.v[t]);
}

static void begin_reading(struct readers *w)
{
	struct model *m = w->m;
	w->own = -1;
	w->question = arena_array(m->arena, uint8_t, m->question.n + 1);
	w->event = arena_array(m->arena, uint8_t, m->event.n + 1);
	w->option = arena_array(m->arena, uint8_t, m->option.n + 1);
	w->field = arena_array(m->arena, uint8_t, m->field.n + 1);
	w->fact = arena_array(m->arena, uint8_t, m->field.n + 1);
	w->pair = arena_array(m->arena, uint8_t, m->pair.n + 1);
	w->fact_pair = arena_array(m->arena, uint8_t, m->pair.n + 1);
	w->named = arena_array(m->arena, uint8_t, m->symbols + 1);
}

void fields_read(struct model *m, int module, uint8_t *unread)
{
	struct readers w = {.m = m};
	begin_reading(&w);
	for (int i = 0; i < m->field.n; i++)
		want(&w, &w.fact[i], m->field.v[i].name, WANTED);
	for (int c = 0; c < m->clause.n; c++)
		if (m->clause.v[c].module == module)
			look_clause(&w, c);
	for (int t = 0; t < m->module.v[module].tree.n; t++)
		look_list(&w, m->module.v[module].tree.v[t]);
	for (int i = 0; i < m->field.n; i++)
		unread[i] &= w.fact[i];
}

/* ---- what is told ---- */

static void report_unread(struct model *m, const struct readers *w, int clause)
{
	const struct mclause *x = &m->clause.v[clause];
	const struct mquestion *q = &m->question.v[x->question];
	bool only_near = w->question[x->question] == WANTED_IF_NEAR;
	const char *best = NULL;
	struct buf shown = {0};
	if ((!q->adjective && report_asked_of(m, clause, M_ASKED_OF_OTHERS)) ||
		condition_clause(m, x->node))
		return;
	if (q->field < 0 && q->pair < 0)
		best = question_near(m, q);
	question_shown(m, x->question, &shown);
	if (best || !only_near)
		model_report(m, best ? M_NOTHING_READS_NEAR : M_NOTHING_READS, x->node->kind == N_KIND_C_BE ? x->node->at : x->node->a->span, 2, buf_text(&shown), best ? best : "");
	buf_free(&shown);
}

static void report_option_unread(struct model *m, const struct moption *o)
{
	size_t length = 0;
	const struct node *value = o->node->a ? o->node->a->next ? o->node->a->next : o->node->a : NULL;
	const char *text = value ? sources_text(m->front->sources, value->span, &length) : "";
	model_report(m, M_OPTION_UNREAD, o->node->at, 2, model_text(m, o->name), arena_text(m->arena, text, length));
}

static void tell_unread(struct readers *w)
{
	struct model *m = w->m;
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		if (!m->module.v[x->module].own)
			continue;
		if (x->question >= 0 && w->question[x->question] != USED) {
			report_unread(m, w, c);
			w->question[x->question] = USED; /* one mistake, however many clauses */
		} else if (x->event >= 0 && w->event[x->event] != USED && x->node->kind == N_KIND_C_HOOK) {
			model_report(m, M_EVENT_NEVER, x->node->at, 1, model_text(m, m->event.v[x->event].name));
			w->event[x->event] = USED;
		}
	}
	for (int i = 0; i < m->option.n; i++)
		if (w->option[i] != USED)
			report_option_unread(m, &m->option.v[i]);
}

static bool is_in(const struct node *sequence, sym phase)
{
	for (const struct node *p = sequence ? sequence->a : NULL; p; p = p->next)
		if (p->name == phase)
			return true;
	return false;
}

static bool is_performed(const struct node *n, const void *phase)
{
	return n->kind == N_KIND_S_PHASE && n->name == *(const sym *)phase;
}

static bool begins(const struct model *m, sym phase)
{
	if (is_in(m->sequence_encounter, phase) || is_in(m->sequence_round, phase))
		return true;
	for (int c = 0; c < m->clause.n; c++)
		if (m->clause.v[c].event >= 0 && node_any(m->clause.v[c].node->b, is_performed, &phase))
			return true;
	return false;
}

static void report_never(struct model *m, const struct mclause *x, sym phase)
{
	struct buf all = {0};
	put_phases(m, &all);
	model_report(m, M_PHASE_NEVER, x->node->at, 2, model_text(m, phase), buf_text(&all));
	buf_free(&all);
}

static void tell_phases(struct model *m)
{
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		if (x->phase && is_script(m, x->module) && !begins(m, x->node->name))
			report_never(m, x, x->node->name);
	}
	for (int k = 0; k < m->module.n; k++)
		for (int t = 0; is_script(m, k) && t < m->module.v[k].tree.n; t++)
			for (const struct node *n = m->module.v[k].tree.v[t]; n; n = n->next)
				for (const struct node *p = n->kind == N_KIND_SEQUENCE ? n->a : NULL; p; p = p->next) {
					int event = p->name == m->w.rounds ? -1 : model_phase(m, p->name), hooks = 0;
					for (int i = 0; event >= 0 && i < 4; i++)
						hooks += m->event.v[event].clause[i].n;
					if (event >= 0 && !hooks)
						model_report(m, M_PHASE_EMPTY, p->span, 1, model_text(m, p->name));
				}
}

/* Whether a line `ruling A over B`, of an encounter or a block of it, speaks of the rule. */
static bool is_ruled(const struct node *n, sym rule)
{
	for (; n; n = n->next)
		if ((n->kind == N_KIND_PREFERENCE && n->a->name == rule) || ((n->kind == N_KIND_ENCOUNTER || n->kind == N_KIND_MOMENT) && is_ruled(n->a, rule)))
			return true;
	return false;
}

/* Whether what permits lifts what another rule forbids of the same action. */
static bool lifts_something(const struct model *m, int clause)
{
	const struct mevent *e = &m->event.v[m->clause.v[clause].event];
	for (int i = 0; i < e->forbid.n; i++)
		if (clause_excepts(m, clause, e->forbid.v[i]) ||
			clause_ruled(m, clause, e->forbid.v[i]))
			return true;
	return false;
}

static void tell_permits(struct model *m)
{
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		bool lifts = x->sort != CLAUSE_PERMIT || !m->module.v[x->module].own ||
			lifts_something(m, c);
		const struct mevent *e = lifts ? NULL : &m->event.v[x->event];
		/* `everything` has a clause for each action: one that lifts is enough */
		for (int i = 0; !lifts && !x->node->a && i < m->clause.n; i++)
			lifts = m->clause.v[i].node == x->node && lifts_something(m, i);
		for (int k = 0; k < m->module.n && !lifts && x->rule >= 0; k++)
			for (int t = 0; t < m->module.v[k].tree.n; t++)
				lifts |= is_ruled(m->module.v[k].tree.v[t], m->rule.v[x->rule].name);
		if (!lifts)
			model_report(m, M_PERMITS_NOTHING, x->node->span, 1,
				x->node->a ? model_text(m, e->name) : "everything");
	}
}

/* What is written is told of as such, where it is written. A file of declarations alone is made for
 * others. */
static void want_facts(struct readers *w, const struct facts *x, const struct writes *written)
{
	struct model *m = w->m;
	for (int i = 0; i < m->field.n && !w->offered; i++)
		if (fact_may_be_idle(x, i) && !written->field[i])
			want(w, &w->fact[i], m->field.v[i].name, WANTED);
	for (int i = 0; i < m->pair.n && !w->offered; i++)
		if (fact_may_be_idle_of_pair(x, i) && !written->pair[i])
			want(w, &w->fact_pair[i], m->pair.v[i].name, WANTED);
}

static void want_declared(struct readers *w, const struct facts *x, const struct writes *written)
{
	struct model *m = w->m;
	if (w->offered && !w->ruled)
		return;
	for (int i = 0; i < m->field.n; i++)
		if (!x->field[i] && !written->field[i] && field_may_be_declared(m, i))
			want(w, &w->fact[i], m->field.v[i].name, WANTED);
	for (int i = 0; i < m->pair.n; i++)
		if (!x->pair[i] && !written->pair[i] && pair_may_be_declared(m, i))
			want(w, &w->fact_pair[i], m->pair.v[i].name, WANTED);
}

static void tell_fields(
	const struct readers *w, const struct facts *x, const struct writes *written)
{
	written_report(written, w->field, w->pair);
	facts_report(x, w->fact, w->fact_pair);
	declared_report(x, w->fact, w->fact_pair);
}

void check_effect(struct model *m)
{
	for (int k = 0; k < m->module.n; k++)
		if (m->module.v[k].layer == LAYER_PROMPT)
			return; /* said when the script was read; what is typed may be asked for by the next line */
	struct readers w = {.m = m, .ruled = is_headed(m)};
	struct writes written = {.m = m};
	struct facts facts = {.m = m};
	w.offered = w.ruled || m->encounter.n == 0;
	written_find(&written);
	begin_reading(&w);
	for (int c = 0; c < m->clause.n; c++)
		if (m->module.v[m->clause.v[c].module].own) {
			want_clause(&w, &m->clause.v[c]);
			w.ruled |= m->clause.v[c].rule >= 0;
		}
	for (int i = 0; i < m->option.n; i++)
		if (is_script(m, m->option.v[i].module))
			want(&w, &w.option[i], m->option.v[i].name, WANTED);
	for (int i = 0; i < m->field.n && !w.offered; i++)
		if (written.field[i])
			want(&w, &w.field[i], m->field.v[i].name, WANTED);
	for (int i = 0; i < m->pair.n && !w.offered; i++)
		if (written.pair[i])
			want(&w, &w.pair[i], m->pair.v[i].name, WANTED);
	facts_find(&facts);
	want_facts(&w, &facts, &written);
	want_declared(&w, &facts, &written);
	if (w.left > 0)
		look_everywhere(&w);
	if (w.left > 0) {
		tell_unread(&w);
		tell_fields(&w, &facts, &written);
	}
	if (!w.offered)
		check_fact_words(m);
	tell_phases(m);
	tell_permits(m);
}
