/* declare.c - from trees to entities, in two passes over all modules: the first names what can be named
 * (declare_kind.c, declare_thing.c), the second files every clause (declare_clause.c), so that order within files
 * never matters. */
#include <string.h>

#include "lang/check/declare.h"

static void index_symbols(struct model *m)
{
	m->symbols = intern_count(m->front->names);
	m->by_thing = malloc(m->symbols * sizeof *m->by_thing);
	m->by_alias = calloc(m->symbols, sizeof *m->by_alias);
	if (!m->by_thing || !m->by_alias)
		abort();
	for (uint32_t i = 0; i < m->symbols; i++)
		m->by_thing[i] = -1;
}

#define EACH_TREE(m, at, item)                                      \
	for (int at = 0; at < (m)->module.n; at++)                      \
		for (int t_ = 0; t_ < (m)->module.v[at].tree.n; t_++)       \
			for (struct node *item = (m)->module.v[at].tree.v[t_]; item; item = item->next)

/* Lines about rules and options, which the layers are resolved by: looked at for each encounter, so they are found once. */
static void find_settling(struct model *m)
{
	EACH_TREE(m, i, n)
		if (n->kind == N_KIND_DROP || n->kind == N_KIND_PREFERENCE || n->kind == N_KIND_MOMENT || n->kind == N_KIND_N_OPTION || n->kind == N_KIND_USE)
			VEC_PUSH(m->module.v[i].settling, n);
}

/* A file may hold what the prompt takes, as far as the grammar goes; but nobody would play it. */
static void report_stray(struct model *m, const struct node *n)
{
	if (n->kind == N_KIND_D_FIELD && !strncmp(model_text(m, n->name), "use ", 4)) {
		size_t length;
		const char *text = sources_text(m->front->sources, n->span, &length);
		const char *line = arena_text(m->arena, text, length), *with = strstr(line, " with ");
		struct buf b = {0};
		if (m->front->use_meant && m->front->use_meant(line, length, &b))
			;
		else if (with)
			buf_printf(&b, "%.*s with { %s }", (int)(with - line), line, with + strlen(" with "));
		else
			buf_puts(&b, "use osric with { tie: reroll }");
		model_report(m, M_USE_BRACES, n->span, 1, buf_text(&b));
		buf_free(&b);
	} else if ((n->kind >= N_KIND_SIDE && n->kind <= N_KIND_N_JOIN && n->kind != N_KIND_N_OPTION) || n->kind == N_KIND_D_FIELD)
		report_outside(m, n->span);
	else if (n->kind >= N_KIND_X_BEGIN && n->kind <= N_KIND_X_EVAL)
		model_report(m, M_PROMPT_ONLY, n->span, 0);
}

/* Another name for something gives way to a field that has it - AC, where a system keeps one of its
 * own - and to somebody called so: these names, by symbol. */
static const bool *names_declared(struct model *m)
{
	bool *declared = arena_array(m->arena, bool, m->symbols);
	EACH_TREE(m, i, n) {
		if (n->kind == N_KIND_THING)
			declared[n->name] = true;
		for (const struct node *f = n->kind == N_KIND_EVERY || n->kind == N_KIND_KIND ? n->a : NULL; f; f = f->next)
			if (f->kind == N_KIND_D_FIELD)
				declared[f->name] = true;
	}
	return declared;
}

void model_declare(struct model *m)
{
	index_symbols(m);
	const bool *declared = names_declared(m);
	find_settling(m);
	EACH_TREE(m, i, n)
		if (n->kind == N_KIND_KIND)
			declare_kind(m, n);
	EACH_TREE(m, i, n) {
		if (n->kind == N_KIND_UNIT)
			declare_unit(m, i, n);
		else if (n->kind == N_KIND_SPELLING && intern_word(m->front->names, model_text(m, n->name)) != intern_word(m->front->names, model_text(m, n->name2)))
			model_report(m, M_SPELLING, n->span, 0);
		else if (n->kind == N_KIND_ALIAS && n->name != n->name2 && !declared[n->name]) {
			const sym before = m->by_alias[n->name];
			if (before && before != n->name2 && m->module.v[i].own)
				model_report(m, M_ALIAS_TWICE, n->span, 3, model_text(m, n->name),
					model_text(m, before), model_text(m, n->name2));
			model_put_alias(m, n->name, n->name2);
		}
	}
	EACH_TREE(m, i, n) {
		switch (n->kind) {
		case N_KIND_EVENT:
		case N_KIND_ACTION:
			declare_event(m, i, n);
			break;
		case N_KIND_THING:
			declare_thing(m, i, n);
			break;
		case N_KIND_OPTION:
			declare_option(m, i, n);
			break;
		case N_KIND_SEQUENCE:
			if (m->module.v[i].late)
				model_report(m, M_LATE_FRAME, n->span, 0);
			else if (n->name == m->w.encounter)
				m->sequence_encounter = n;
			else if (n->name == m->w.round)
				m->sequence_round = n;
			else
				model_report(m, M_SEQUENCE, n->at, 1, model_text(m, n->name));
			break;
		case N_KIND_RULESET:
			m->module.v[i].title = n->text;
			m->module.v[i].extends = n->name2;
			break;
		case N_KIND_HOUSE:
			m->module.v[i].title = n->text;
			break;
		case N_KIND_LIBRARY:
			m->module.v[i].title = n->text;
			m->module.v[i].library = true;
			break;
		case N_KIND_TABLE:
			declare_table(m, i, n, -1);
			break;
		case N_KIND_POLICY: {
			struct mpolicy p = {n->name, n, i, -1};
			int old = 0;
			while (old < m->policy.n && m->policy.v[old].name != n->name)
				old++;
			if (old < m->policy.n && m->policy.v[old].module == i)
				model_report(m, M_TWICE, n->at, 2, "policy", model_text(m, n->name));
			if (old < m->policy.n) /* the nearer one */
				m->policy.v[old] = p;
			else
				VEC_PUSH(m->policy, p);
			break;
		}
		case N_KIND_ENCOUNTER: {
			struct mencounter e = {n->name, n, i, 0, 0};
			if (model_encounter_named(m, n->name))
				model_report(m, M_TWICE, n->at, 2, "encounter", model_text(m, n->name));
			n->ref = model_put_encounter(m, e);
			break;
		}
		default:
			break;
		}
	}
	declare_bearers(m);
	EACH_TREE(m, i, n)
		if (n->kind == N_KIND_EVERY)
			declare_every(m, i, n);
	EACH_TREE(m, i, n)
		if (n->kind == N_KIND_KIND)
			for (struct node *f = n->a; f; f = f->next)
				if (f->kind == N_KIND_D_FIELD && model_kind(m, n->name) >= 0)
					declare_field(m, i, model_kind(m, n->name), DECLARED_HAS, f);
	declare_condition_fields(m);
	settle_fields(m);
	for (int i = 0; i < m->option.n; i++) /* when all other fields are known */
		declare_option_field(m, &m->option.v[i]);
	/* phases of a sequence that a nearer layer replaces are still phases: they never begin */
	EACH_TREE(m, i, n)
		for (struct node *p = n->kind == N_KIND_SEQUENCE ? n->a : NULL; p; p = p->next) {
			if (p->name == m->w.rounds || model_phase(m, p->name) >= 0)
				continue;
			struct mphase phase = {p->name, declare_new_event(m, NULL, p->name, false)};
			VEC_PUSH(m->phase, phase);
		}
	settle_parents(m);
	settle_roles(m);
	EACH_TREE(m, i, n) /* `forbid everything` spares it, wherever it is declared */
		if (n->kind == N_KIND_C_DEFAULT && n->op != 1 && model_event(m, n->name) >= 0)
			m->default_action = n->name;
	EACH_TREE(m, i, n) {
		struct place at = {i, -1, -1, -1, NULL};
		if (n->kind == N_KIND_THING) {
			at.thing = n->ref;
			for (struct node *d = n->b; d && m->thing.v[n->ref].node == n; d = d->next)
				if (d->kind == N_KIND_TABLE && !d->damaged)
					declare_table(m, i, d, n->ref);
			if (is_condition(m, n->ref))
				declare_condition(m, i, n->ref);
			else
				declare_clauses_of(m, n->b, at);
		} else if (n->kind == N_KIND_ENCOUNTER) {
			at.encounter = n->ref;
			m->encounter.v[n->ref].first_clause = m->clause.n;
			declare_clauses_of(m, n->a, at);
			m->encounter.v[n->ref].clauses_end = m->clause.n;
		} else if (is_clause(n) || n->kind == N_KIND_RULE || n->kind == N_KIND_KIND) {
			struct node *next = n->next;
			n->next = NULL;
			declare_clauses_of(m, n, at);
			n->next = next;
		} else {
			report_stray(m, n);
		}
	}
	declare_action_parts(m);
	check_condition_names(m);
	if (m->hidden > m->missing)
		m->missing = m->hidden;
}
