/* condition.c - conditions that last: what core's kind `condition` comes to.
 *
 * A condition is a thing of that kind; docs/decisions has the reasons. For each of them this makes,
 * of nodes as the grammar makes them: a field of combatants that counts the rounds it still lasts
 * (0: not in it, none: until it is ended), the adjective of its name, and clauses by which core's
 * events mark and count it. Clauses of its own block hold for those who are in it. */
#include <string.h>

#include "lang/check/declare.h"
#include "lang/check/maker.h"

static struct node *is_this(const struct maker *k)
{
	return tree_two(k, N_KIND_E_BINARY, BIN_EQ, tree_word(k, N_KIND_E_NAME, "condition"),
		tree_named(k, N_KIND_E_NAME, k->name));
}

static sym rounds_field(struct model *m, sym name)
{
	struct buf b = {0};
	buf_printf(&b, "rounds of %s", model_text(m, name));
	sym field = intern_put(m->front->names, b.data, b.length);
	buf_free(&b);
	return field;
}

/* not combatant's rounds = 0: none is no number, and counts as well */
static struct node *in_force(const struct maker *k, sym field)
{
	struct node *not = tree_node(k, N_KIND_E_NOT);
	not->a = tree_two(
		k, N_KIND_E_BINARY, BIN_EQ, tree_field(k, "combatant", field), tree_number(k, 0));
	return not;
}

static bool inherits(const struct model *m, int thing, int from)
{
	while (thing >= 0 && thing != from)
		thing = m->thing.v[thing].parent;
	return thing >= 0;
}

/* define combatant is NAME when .. or ..: in it, or in one that inherits from it */
static struct node *adjective(const struct maker *k, int thing)
{
	struct node *n = tree_named(k, N_KIND_C_BE, k->name), *any = NULL;
	int ways = 0;
	for (int i = 0; i < k->m->thing.n; i++)
		if (is_condition(k->m, i) && inherits(k->m, i, thing)) {
			any = node_append(any, in_force(k, rounds_field(k->m, k->m->thing.v[i].name)));
			ways++;
		}
	n->name2 = k->m->w.combatant;
	n->c = ways == 1 ? any : tree_two(k, N_KIND_E_OR, 0, any, NULL);
	return n;
}

static struct node *hook(const struct maker *k, enum op_stage stage, const char *event,
	struct node *when, struct node *body)
{
	struct node *n = tree_word(k, N_KIND_C_HOOK, event);
	n->op = (uint8_t)stage;
	n->b = tree_block(k, body);
	n->c = when;
	return n;
}

/* define rounds left (combatant, condition) = combatant's rounds when condition = NAME; or his
 * last moment */
static struct node *asked(const struct maker *k, const char *question)
{
	struct node *path = tree_node(k, N_KIND_E_CALL), *n = tree_node(k, N_KIND_C_DEFINE);
	path->a = tree_word(k, N_KIND_E_NAME, question);
	path->b = tree_word(k, N_KIND_E_NAME, "combatant");
	path->b->next = tree_word(k, N_KIND_E_NAME, "condition");
	n->a = path;
	n->b = tree_field(k, "combatant", k->field);
	n->c = is_this(k);
	return n;
}

/* set combatant's FIELD = VALUE */
static struct node *set(const struct maker *k, sym field, struct node *value)
{
	return tree_two(k, N_KIND_S_SET, 0, tree_field(k, "combatant", field), value);
}

static bool kept(const struct maker *k, sym field)
{
	return model_field(k->m, KIND_COMBATANT, field) >= 0;
}

/* on mark (combatant, condition, many) when condition = NAME { set his rounds = many, and why and
 * until when, if any sentence says so } */
static struct node *marked(const struct maker *k)
{
	const sym sentence = sentence_field(k->m, k->name), end = end_field(k->m, k->name);
	struct node *sets = set(k, k->field, tree_word(k, N_KIND_E_NAME, "many"));
	if (kept(k, sentence))
		node_append(sets, set(k, sentence, tree_field(k, "mark", model_sym(k->m, "sentence"))));
	if (kept(k, end))
		node_append(sets, set(k, end, tree_field(k, "mark", model_sym(k->m, "moment reached"))));
	return hook(k, STAGE_ON, "mark", is_this(k), sets);
}

/* on run its course (combatant, condition) when condition = NAME and now >= his end { it is over }
 */
static struct node *worn(const struct maker *k)
{
	const sym end = end_field(k->m, k->name);
	struct node *due = is_this(k);
	if (!kept(k, end))
		return NULL;
	due->next = tree_two(k, N_KIND_E_BINARY, BIN_GE, tree_word(k, N_KIND_E_NAME, "now"),
		tree_field(k, "combatant", end));
	return hook(
		k, STAGE_ON, "run its course", tree_two(k, N_KIND_E_AND, 0, due, NULL), tree_over(k));
}

/* define act's void = no when act is run its course: it ends for those who can do nothing, too.
 * Every act is asked this, so only rules with such lengths have it. */
static struct node *worn_anyway(const struct maker *k)
{
	struct node *n = tree_node(k, N_KIND_C_DEFINE);
	if (!kept(k, end_field(k->m, k->name)))
		return NULL;
	n->a = tree_field(k, "act", model_sym(k->m, "void"));
	n->b = tree_node(k, N_KIND_E_NO);
	n->c = tree_two(k, N_KIND_E_IS, 0, tree_word(k, N_KIND_E_NAME, "act"),
		tree_word(k, N_KIND_E_NAME, "run its course"));
	return n;
}

/* define rounds ahead (moment) = (moment - round's start) / 1 round rounded up - 1 */
static struct node *ahead(const struct maker *k)
{
	struct node *path = tree_node(k, N_KIND_E_CALL), *n = tree_node(k, N_KIND_C_DEFINE),
				*round = tree_named(k, N_KIND_E_QTY, k->m->w.round),
				*up = tree_node(k, N_KIND_E_ROUND);
	if (!kept(k, end_field(k->m, k->name)))
		return NULL;
	path->a = tree_word(k, N_KIND_E_NAME, "rounds ahead");
	path->b = tree_word(k, N_KIND_E_NAME, "moment");
	round->num = round->den = 1;
	up->op = ROUND_UP;
	up->a = tree_two(k, N_KIND_E_BINARY, BIN_DIV,
		tree_two(k, N_KIND_E_BINARY, BIN_SUB, tree_word(k, N_KIND_E_NAME, "moment"),
			tree_field(k, "round", model_sym(k->m, "start"))), round);
	n->a = path;
	n->b = tree_two(k, N_KIND_E_BINARY, BIN_SUB, up, tree_number(k, 1));
	return n;
}

/* define last moment (combatant, condition) = his end when condition = NAME */
static struct node *ending(const struct maker *k)
{
	struct maker other = *k;
	other.field = end_field(k->m, k->name);
	return kept(k, other.field) ? asked(&other, "last moment") : NULL;
}

static struct node *lengthened(const struct maker *k)
{
	return hook(k, STAGE_ON, "lengthen", is_this(k),
		tree_two(k, N_KIND_S_CHANGE, 0, tree_field(k, "combatant", k->field),
			tree_word(k, N_KIND_E_NAME, "many")));
}

/* before new round { each combatant where his rounds >= 1 { the last is over, or one is taken off
 * } } */
static struct node *counted(const struct maker *k)
{
	struct node *last = tree_two(k, N_KIND_S_IF, 0,
		tree_two(
			k, N_KIND_E_BINARY, BIN_EQ, tree_field(k, "combatant", k->field), tree_number(k, 1)),
		tree_block(k, tree_over(k)));
	struct node *each = tree_word(k, N_KIND_S_EACH, "combatant"),
				*less = tree_node(k, N_KIND_E_NEG);
	less->a = tree_number(k, 1);
	last->c =
		tree_block(k, tree_two(k, N_KIND_S_CHANGE, 0, tree_field(k, "combatant", k->field), less));
	each->b = tree_block(k, last);
	each->c =
		tree_two(
			k, N_KIND_E_BINARY, BIN_GE, tree_field(k, "combatant", k->field), tree_number(k, 1));
	return hook(k, STAGE_BEFORE, "new round", NULL, each);
}

bool is_condition(const struct model *m, int thing)
{
	const int kind = model_kind(m, m->w.condition);
	return kind >= 0 && kind_is(m, m->thing.v[thing].kind, kind) &&
		model_thing(m, m->thing.v[thing].name, kind) == thing;
}

bool condition_clause(const struct model *m, const struct node *n)
{
	const int thing =
		n->kind == N_KIND_C_BE ? model_thing(m, n->name, model_kind(m, m->w.condition)) : -1;
	return thing >= 0 && is_condition(m, thing) &&
		m->thing.v[thing].node->at.start == n->at.start &&
		m->thing.v[thing].node->at.file == n->at.file;
}

bool condition_made(const struct model *m, const struct node *n)
{
	for (int i = 0; i < m->thing.n; i++)
		if (is_condition(m, i) && m->thing.v[i].node->at.file == n->at.file &&
			m->thing.v[i].node->at.start == n->at.start)
			return true;
	return false;
}

static struct maker maker_of(struct model *m, int thing)
{
	struct maker k = {m, m->thing.v[thing].node->at, m->thing.v[thing].name, 0};
	k.field = rounds_field(m, k.name);
	return k;
}

void declare_condition_fields(struct model *m)
{
	for (int i = 0; i < m->thing.n; i++) {
		if (!is_condition(m, i))
			continue;
		const struct maker k = maker_of(m, i);
		struct node *field = tree_named(&k, N_KIND_D_FIELD, k.field);
		field->a = tree_node(&k, N_KIND_V_PLAIN);
		field->a->a = tree_number(&k, 0);
		field->num = 2; /* by highest */
		declare_field(m, m->thing.v[i].module, KIND_COMBATANT, DECLARED_KEPT, field);
		const int made = model_field(m, KIND_COMBATANT, k.field);
		if (made >= 0)
			m->field.v[made].state = k.name;
	}
	declare_lasting(m);
}

static const char *meaning_of(const struct model *m, int thing)
{
	for (; thing >= 0; thing = m->thing.v[thing].parent)
		for (const struct node *d = m->thing.v[thing].node->b; d; d = d->next)
			if (d->kind == N_KIND_D_FIELD && !strcmp(model_text(m, d->name), "meaning") && d->a &&
				d->a->a && d->a->a->text)
				return d->a->a->text;
	return NULL;
}

/* A combatant whom the clause is about, or 0: it is about several, or none. */
static sym bearer_of(const struct model *m, const struct mclause *x)
{
	if (x->sort == CLAUSE_FORBID || x->sort == CLAUSE_PERMIT)
		return m->w.actor;
	return x->question >= 0 && m->question.v[x->question].subject == KIND_COMBATANT
		? x->param_name[0]
		: 0;
}

static bool mentions(const struct node *n, const void *name)
{
	return n->kind == N_KIND_E_NAME && n->name == *(const sym *)name;
}

/* Clauses of a condition's block from `first` on hold while whom they are about is in it. */
static void hold_in_it(struct model *m, int thing, int first)
{
	const char *meaning = meaning_of(m, thing);
	for (int i = first; i < m->clause.n; i++) {
		struct mclause *x = &m->clause.v[i];
		const struct maker k = {m, x->node->at, m->thing.v[thing].name, 0};
		const sym bearer = bearer_of(m, x);
		if (!bearer) {
			if (x->question >= 0 && !node_any(x->when, mentions, &k.name))
				model_report(m, M_CONDITION_WHOSE, x->node->at, 1, model_text(m, k.name));
			continue;
		}
		struct node *is = tree_two(
			&k, N_KIND_E_IS, 0, tree_named(&k, N_KIND_E_NAME, bearer),
			tree_named(&k, N_KIND_E_NAME, k.name));
		if (x->when) {
			struct node *when = x->when;
			if (x->unless) {
				when = tree_node(&k, N_KIND_E_NOT);
				when->a = x->when;
			}
			is->next = when;
			is = tree_two(&k, N_KIND_E_AND, 0, is, NULL);
		}
		x->when = is;
		x->unless = false;
		if ((x->sort == CLAUSE_FORBID || x->sort == CLAUSE_PERMIT) && !x->node->text)
			x->node->text = meaning;
	}
}

void check_condition_names(struct model *m)
{
	for (int i = 0; i < m->thing.n; i++) {
		const int q = is_condition(m, i)
			? model_question_of(m, KIND_COMBATANT, m->thing.v[i].name, true)
			: -1;
		for (int k = 0; q >= 0 && k < m->question.v[q].clause.n; k++) {
			const struct mclause *x = &m->clause.v[m->question.v[q].clause.v[k]];
			if (!condition_clause(m, x->node) &&
				m->module.v[x->module].layer < m->module.v[m->thing.v[i].module].layer) {
				model_report(m, M_TWICE, m->thing.v[i].node->at, 2, "adjective of combatants",
					model_text(m, m->thing.v[i].name));
				break;
			}
		}
	}
}

void declare_condition(struct model *m, int module, int thing)
{
	const struct maker k = maker_of(m, thing);
	struct node *rule = tree_named(&k, N_KIND_RULE, k.name),
				*made[] = {adjective(&k, thing), asked(&k, "rounds left"), marked(&k),
					lengthened(&k), counted(&k), ending(&k), ahead(&k), worn(&k),
					worn_anyway(&k)};
	rule->text = meaning_of(m, thing);
	struct place at = {module, -1, -1, -1, NULL};
	at.rule = declare_new_rule(m, rule, &at);
	for (size_t i = 0; i < FRAY_COUNT(made); i++)
		declare_clauses_of(m, made[i], at); /* NULL: none */
	const int first = m->clause.n;
	at.thing = thing;
	declare_clauses_of(m, m->thing.v[thing].node->b, at);
	hold_in_it(m, thing, first);
}
