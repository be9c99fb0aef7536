/* condition.c - conditions that last: what core's kind `condition` comes to.
 *
 * A condition is a thing of that kind; docs/decisions has the reasons. For each of them this makes,
 * of nodes as the grammar makes them: a field of combatants that counts the rounds it still lasts
 * (0: not in it, none: until it is ended), the adjective of its name, and clauses by which core's
 * events mark and count it. Clauses of its own block hold for those who are in it. */
#include <string.h>

#include "lang/check/declare.h"

/* Nodes about one condition: where they stand, and what they are about. */
struct maker {
	struct model *m;
	struct span at;
	sym name, field;
};

static struct node *make(const struct maker *k, enum node_kind kind)
{
	return node_new(k->m->arena, kind, k->at);
}

static struct node *named(const struct maker *k, enum node_kind kind, sym name)
{
	struct node *n = make(k, kind);
	n->name = name;
	return n;
}

static struct node *word_named(const struct maker *k, enum node_kind kind, const char *text)
{
	return named(k, kind, intern_word(k->m->front->names, text));
}

static struct node *number(const struct maker *k, int value)
{
	struct node *n = make(k, N_KIND_E_NUM);
	n->num = value;
	n->den = 1;
	return n;
}

static struct node *two(
	const struct maker *k, enum node_kind kind, int op, struct node *a, struct node *b)
{
	struct node *n = make(k, kind);
	n->op = (uint8_t)op;
	n->a = a;
	n->b = b;
	return n;
}

static struct node *block(const struct maker *k, struct node *statement)
{
	return two(k, N_KIND_S_BLOCK, 0, statement, NULL);
}

static struct node *field_of(const struct maker *k, const char *who, sym field)
{
	struct node *n = named(k, N_KIND_E_FIELD, field);
	n->a = word_named(k, N_KIND_E_NAME, who);
	return n;
}

/* event (combatant, the condition, number); number NULL: it has no third role */
static struct node *call(
	const struct maker *k, const char *event, const char *who, struct node *number_)
{
	struct node *path = make(k, N_KIND_E_CALL);
	path->a = word_named(k, N_KIND_E_NAME, event);
	path->b = word_named(k, N_KIND_E_NAME, who);
	path->b->next = named(k, N_KIND_E_NAME, k->name);
	path->b->next->next = number_;
	return two(k, N_KIND_S_CALL, 0, path, NULL);
}

static struct node *is_this(const struct maker *k)
{
	return two(k, N_KIND_E_BINARY, BIN_EQ, word_named(k, N_KIND_E_NAME, "condition"),
		named(k, N_KIND_E_NAME, k->name));
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
	struct node *not = make(k, N_KIND_E_NOT);
	not->a = two(k, N_KIND_E_BINARY, BIN_EQ, field_of(k, "combatant", field), number(k, 0));
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
	struct node *n = named(k, N_KIND_C_BE, k->name), *any = NULL;
	int ways = 0;
	for (int i = 0; i < k->m->thing.n; i++)
		if (is_condition(k->m, i) && inherits(k->m, i, thing)) {
			any = node_append(any, in_force(k, rounds_field(k->m, k->m->thing.v[i].name)));
			ways++;
		}
	n->name2 = k->m->w.combatant;
	n->c = ways == 1 ? any : two(k, N_KIND_E_OR, 0, any, NULL);
	return n;
}

static struct node *hook(const struct maker *k, enum op_stage stage, const char *event,
	struct node *when, struct node *body)
{
	struct node *n = word_named(k, N_KIND_C_HOOK, event);
	n->op = (uint8_t)stage;
	n->b = block(k, body);
	n->c = when;
	return n;
}

/* define rounds left (combatant, condition) = combatant's rounds when condition = NAME */
static struct node *asked(const struct maker *k)
{
	struct node *path = make(k, N_KIND_E_CALL), *n = make(k, N_KIND_C_DEFINE);
	path->a = word_named(k, N_KIND_E_NAME, "rounds left");
	path->b = word_named(k, N_KIND_E_NAME, "combatant");
	path->b->next = word_named(k, N_KIND_E_NAME, "condition");
	n->a = path;
	n->b = field_of(k, "combatant", k->field);
	n->c = is_this(k);
	return n;
}

/* on mark (combatant, condition, many) when condition = NAME { set his rounds = many } */
static struct node *marked(const struct maker *k)
{
	return hook(k, STAGE_ON, "mark", is_this(k),
		two(k, N_KIND_S_SET, 0, field_of(k, "combatant", k->field),
			word_named(k, N_KIND_E_NAME, "many")));
}

static struct node *lengthened(const struct maker *k)
{
	return hook(k, STAGE_ON, "lengthen", is_this(k),
		two(k, N_KIND_S_CHANGE, 0, field_of(k, "combatant", k->field),
			word_named(k, N_KIND_E_NAME, "many")));
}

/* before new round { each combatant where his rounds >= 1 { the last is over, which nobody tells of
 * the dead, or one less is left } } */
static struct node *counted(const struct maker *k)
{
	struct node *last = two(k, N_KIND_S_IF, 0,
		two(k, N_KIND_E_BINARY, BIN_EQ, field_of(k, "combatant", k->field), number(k, 1)),
		block(k,
			two(k, N_KIND_S_IF, 0,
				two(k, N_KIND_E_IS, 0, word_named(k, N_KIND_E_NAME, "combatant"),
					word_named(k, N_KIND_E_NAME, "alive")),
				block(k, call(k, "lapse", "combatant", NULL)))));
	last->b->a->c = block(k, call(k, "mark", "combatant", number(k, 0)));
	struct node *each = word_named(k, N_KIND_S_EACH, "combatant"), *less = make(k, N_KIND_E_NEG);
	less->a = number(k, 1);
	last->c = block(k, two(k, N_KIND_S_CHANGE, 0, field_of(k, "combatant", k->field), less));
	each->b = block(k, last);
	each->c = two(k, N_KIND_E_BINARY, BIN_GE, field_of(k, "combatant", k->field), number(k, 1));
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
		struct node *field = named(&k, N_KIND_D_FIELD, k.field);
		field->a = make(&k, N_KIND_V_PLAIN);
		field->a->a = number(&k, 0);
		field->num = 2; /* by highest */
		declare_field(m, m->thing.v[i].module, KIND_COMBATANT, DECLARED_KEPT, field);
		const int made = model_field(m, KIND_COMBATANT, k.field);
		if (made >= 0)
			m->field.v[made].state = k.name;
	}
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

static bool mentions(const struct node *n, sym name)
{
	for (; n; n = n->next) {
		const struct node *parts[] = {n->a, n->b, n->c, n->d};
		if (n->kind == N_KIND_E_NAME && n->name == name)
			return true;
		for (size_t i = 0; i < FRAY_COUNT(parts); i++)
			if (parts[i] && mentions(parts[i], name))
				return true;
	}
	return false;
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
			if (x->question >= 0 && !mentions(x->when, k.name))
				model_report(m, M_CONDITION_WHOSE, x->node->at, 1, model_text(m, k.name));
			continue;
		}
		struct node *is = two(
			&k, N_KIND_E_IS, 0, named(&k, N_KIND_E_NAME, bearer), named(&k, N_KIND_E_NAME, k.name));
		if (x->when) {
			struct node *when = x->when;
			if (x->unless) {
				when = make(&k, N_KIND_E_NOT);
				when->a = x->when;
			}
			is->next = when;
			is = two(&k, N_KIND_E_AND, 0, is, NULL);
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
	struct node *rule = named(&k, N_KIND_RULE, k.name),
				*made[] = {
					adjective(&k, thing), asked(&k), marked(&k), lengthened(&k), counted(&k)};
	rule->text = meaning_of(m, thing);
	struct place at = {module, -1, -1, -1, NULL};
	at.rule = declare_new_rule(m, rule, &at);
	for (size_t i = 0; i < FRAY_COUNT(made); i++)
		declare_clauses_of(m, made[i], at);
	const int first = m->clause.n;
	at.thing = thing;
	declare_clauses_of(m, m->thing.v[thing].node->b, at);
	hold_in_it(m, thing, first);
}
