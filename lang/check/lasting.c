/* lasting.c - conditions that last while something else does, or for part of a round.
 *
 * "X is held while C" is `befall (X, held, none)` with a number of the `sentence`.
 * What C knows by names of its body (the roles of an event, `let`) is kept in fields of X, and a
 * clause beside the sentence's own ends the condition when C no longer holds of them:
 *
 *   whenever combatant's sentence of held = 3 and not C { combatant is no longer held }
 *
 * "X is stunned for 5 segments" is `befall` with a `time span`, and ends by an act of core. Whole
 * numbers of rounds, as of `for 1 turn`, are counted in rounds. */
#include <string.h>

#include "lang/check/declare.h"
#include "lang/check/infer.h"
#include "lang/check/maker.h"

struct seeker {
	struct model *m;
	struct node *clause; /* whose names the sentence knows, or NULL: an encounter's */
	struct node *after;  /* the clause made for a sentence stands behind this one */
	int sentences;       /* numbered so far */
	bool count;          /* only the numbers already given */
};

static sym field_about(struct model *m, const char *what, sym condition, int sentence)
{
	struct buf b = {0};
	buf_printf(&b, "%s of %s", what, model_text(m, condition));
	if (sentence)
		buf_printf(&b, " %d", sentence);
	sym field = intern_put(m->front->names, b.data, b.length);
	buf_free(&b);
	return field;
}

sym sentence_field(struct model *m, sym condition)
{
	return field_about(m, "sentence", condition, 0);
}

sym end_field(struct model *m, sym condition)
{
	return field_about(m, "end", condition, 0);
}

static void keep(struct model *m, sym name, struct type *type, struct span at)
{
	struct mfield x = {.name = name, .kind = KIND_COMBATANT, .type = type, .at = at};
	if (model_field(m, KIND_COMBATANT, name) >= 0)
		return;
	x.kept = x.hidden = true;
	x.question = x.program = -1;
	x.settled = type_find(type)->base == VT_UNKNOWN ? 0 : 1;
	model_put_field(m, x);
}

/* ---- names that a body gives ---- */

static bool listed(const struct node *list, sym name)
{
	for (; list; list = list->next)
		if (list->name == name)
			return true;
	return false;
}

static bool binds(const struct node *n, const void *name)
{
	return (n->kind == N_KIND_S_LET || n->kind == N_KIND_S_EACH || n->kind == N_KIND_S_COUNT) &&
		n->name == *(const sym *)name;
}

/* Whether a name is one that the sentence's body gives, and not known everywhere. */
static bool is_local(const struct seeker *s, sym name)
{
	const struct model *m = s->m;
	const struct node *c = s->clause;
	const int kind = model_kind(m, name);
	if (!c)
		return false;
	const int event =
		c->kind == N_KIND_C_HOOK || c->kind == N_KIND_ACTION ? model_event(m, c->name) : -1;
	if (c->kind == N_KIND_C_WHENEVER && kind >= 0 && m->kind.v[kind].live && kind != KIND_ENCOUNTER)
		return true;
	if (event >= 0 && m->event.v[event].action && (name == m->w.actor || name == m->w.act))
		return true;
	if (c->kind == N_KIND_C_HOOK && c->a && listed(c->a, name))
		return true;
	if (event >= 0 && m->event.v[event].node && listed(m->event.v[event].node->a, name))
		return true;
	const struct node *kids[] = {c->a, c->b, c->c, c->d, c->e, c->f};
	for (int i = 0; i < 6; i++)
		if (node_any(kids[i], binds, &name))
			return true;
	return false;
}

/* ---- X is held while C ---- */

struct captured {
	const struct seeker *s;
	const struct maker *k;
	const struct node *who;
	int sentence;
	struct node *sets; /* that keep what C knows by names of the body */
};

static struct node *copied(struct captured *c, const struct node *n);

static struct node *copied_list(struct captured *c, const struct node *list)
{
	struct node *head = NULL;
	for (; list; list = list->next)
		head = node_append(head, copied(c, list));
	return head;
}

/* The same, said of the combatant who is in the condition. */
static struct node *copied(struct captured *c, const struct node *n)
{
	struct model *m = c->k->m;
	const bool name = n->kind == N_KIND_E_NAME;
	if (name && c->who->kind == N_KIND_E_NAME && n->name == c->who->name)
		return tree_word(c->k, N_KIND_E_NAME, "combatant");
	if (name && is_local(c->s, n->name)) {
		const sym field = field_about(m, model_text(m, n->name), c->k->name, c->sentence);
		struct node *to = tree_named(c->k, N_KIND_E_FIELD, field);
		if (model_field(m, KIND_COMBATANT, field) < 0) {
			keep(m, field, type_var(m), n->span);
			to->a = node_new(m->arena, c->who->kind, c->who->span);
			*to->a = *c->who;
			to->a->next = NULL;
			c->sets = node_append(c->sets,
				tree_two(c->k, N_KIND_S_SET, 0, to, tree_named(c->k, N_KIND_E_NAME, n->name)));
		}
		struct node *kept = tree_field(c->k, "combatant", field);
		kept->span = kept->at = n->span;
		return kept;
	}
	struct node *x = node_new(m->arena, n->kind, n->span);
	*x = *n;
	x->next = NULL;
	x->type = NULL;
	x->ref = x->ref_kind = 0;
	struct node **kids[] = {&x->a, &x->b, &x->c, &x->d, &x->e, &x->f};
	for (int i = 0; i < 6; i++)
		*kids[i] = copied_list(c, *kids[i]);
	return x;
}

/* Ends the condition; nobody tells it of the dead. */
struct node *tree_over(const struct maker *k)
{
	struct node *n = tree_two(k, N_KIND_S_IF, 0,
		tree_two(k, N_KIND_E_IS, 0, tree_word(k, N_KIND_E_NAME, "combatant"),
			tree_word(k, N_KIND_E_NAME, "alive")),
		tree_block(k, tree_call(k, "lapse", "combatant", NULL)));
	n->c = tree_block(k, tree_call(k, "mark", "combatant", tree_number(k, 0)));
	return n;
}

static struct node *mark_of(const struct maker *k, const char *name, struct node *value)
{
	struct node *field = tree_word(k, N_KIND_D_FIELD, name);
	field->a = tree_node(k, N_KIND_V_PLAIN);
	field->a->a = value;
	return field;
}

/* The clause that ends it stands behind the sentence's own; a session makes such lists anew for
 * each line that is typed. */
static void put_clause(struct node *after, struct node *clause)
{
	const struct node *n = after->next;
	while (n && n != clause && n->kind == N_KIND_C_WHENEVER)
		n = n->next;
	if (n == clause)
		return;
	clause->next = after->next;
	after->next = clause;
}

static void last_while(struct seeker *s, struct node *call, int thing)
{
	struct model *m = s->m;
	const bool new = call->num == 0;
	if (new)
		call->num = ++s->sentences;
	const sym name = m->thing.v[thing].name;
	const struct maker k = {m, call->span, name, sentence_field(m, name)};
	struct captured c = {s, &k, call->a->b, (int)call->num, NULL};
	keep(m, k.field, type_new(m, VT_NUMBER, -1), call->span);
	struct node *holds = copied(&c, call->c);
	if (!new) {
		put_clause(s->after, call->e);
		return;
	}
	struct node *clause = tree_node(&k, N_KIND_C_WHENEVER), *not = tree_node(&k, N_KIND_E_NOT);
	not->a = holds;
	clause->a = tree_two(&k, N_KIND_E_BINARY, BIN_EQ, tree_field(&k, "combatant", k.field),
		tree_number(&k, (int)call->num));
	clause->a->next = not;
	clause->a = tree_two(&k, N_KIND_E_AND, 0, clause->a, NULL);
	clause->b = tree_block(&k, tree_over(&k));
	put_clause(s->after, call->e = clause);
	call->b = mark_of(&k, "sentence", tree_number(&k, (int)call->num));
	call->d = c.sets;
}

/* ---- X is stunned for 5 segments ---- */

static void keep_end(struct model *m, int thing, struct span at)
{
	for (int i = 0; i < m->thing.n; i++)
		if (is_condition(m, i) && (thing < 0 || thing == i))
			keep(m, end_field(m, m->thing.v[i].name), type_new(m, VT_TIME, -1), at);
}

static void last_length(struct seeker *s, struct node *call, int thing)
{
	struct model *m = s->m;
	const int unit = model_unit(m, call->name), round = model_unit(m, m->w.round);
	const struct maker k = {m, call->span, 0, 0};
	struct node *often = call->a->b->next->next;
	if (call->num) {
		keep_end(m, thing, call->span);
		return;
	}
	if (unit < 0) {
		report_no_unit(m, call->at, call->name);
		return;
	}
	if (unit == round)
		return;
	const struct munit *u = &m->unit.v[unit], *r = round < 0 ? NULL : &m->unit.v[round];
	if (!r || u->base != VT_TIME || r->base != VT_TIME) {
		model_report(m, M_LASTS_LENGTH, call->at, 1,
			model_text(m, u->base == VT_TIME ? m->w.round : u->name));
		return;
	}
	const int64_t many = u->num * r->den, one = u->den * r->num;
	const bool plain = often->kind == N_KIND_E_QTY;
	if (many % one == 0 || (plain && often->den == 1 && often->num * many % one == 0)) {
		struct node *rounds = often;
		if (plain) {
			often->kind = N_KIND_E_NUM;
			often->name = 0;
			often->num = often->num * many / one;
		} else {
			rounds =
				tree_two(&k, N_KIND_E_BINARY, BIN_MUL, often, tree_number(&k, (int)(many / one)));
		}
		call->a->b->next->next = rounds;
		call->name = 0;
		return;
	}
	if (!plain) {
		struct node *as = tree_named(&k, N_KIND_E_AS, call->name);
		as->a = often;
		as->at = call->at;
		often = as;
	}
	call->a->b->next->next = tree_node(&k, N_KIND_E_NONE);
	call->b = mark_of(&k, "time span", often);
	call->num = 1;
	keep_end(m, thing, call->span);
}

/* ---- where such sentences stand ---- */

static void seek(struct seeker *s, struct node *n);

static void seek_list(struct seeker *s, struct node *list, bool clauses)
{
	struct node *const clause = s->clause, *const after = s->after;
	for (struct node *n = list, *next; n; n = next) {
		next = n->next;
		if (clauses) {
			s->after = n;
			s->clause = is_clause(n) || n->kind == N_KIND_ACTION ? n : NULL;
		}
		seek(s, n);
	}
	s->clause = clause;
	s->after = after;
}

static void seek(struct seeker *s, struct node *n)
{
	struct node *const clauses = n->kind == N_KIND_RULE || n->kind == N_KIND_THING ? n->b
		: n->kind == N_KIND_ENCOUNTER || n->kind == N_KIND_KIND ? n->a : NULL;
	if (n->kind == N_KIND_D_FIELD || n->kind == N_KIND_E_NAME || n->damaged)
		return;
	if (n->kind == N_KIND_S_CALL && (n->c || n->name)) {
		struct node *state = n->a->b->next;
		const int thing = state->kind == N_KIND_E_NAME
			? model_thing(s->m, state->name, model_kind(s->m, s->m->w.condition))
			: -1;
		if (s->count)
			s->sentences = n->c && n->num > s->sentences ? (int)n->num : s->sentences;
		else if (!n->c)
			last_length(s, n, thing);
		else if (thing >= 0)
			last_while(s, n, thing);
		else
			model_report(s->m, M_WHILE_NAMED, state->span, 0);
		return;
	}
	struct node *const kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
	for (int i = 0; i < 6; i++)
		if (kids[i])
			seek_list(s, kids[i], kids[i] == clauses);
}

void declare_lasting(struct model *m)
{
	for (int pass = 0, sentences = 0; pass < 2; pass++)
		for (int i = 0; i < m->module.n; i++)
			for (int t = 0; t < m->module.v[i].tree.n; t++) {
				struct seeker s = {.m = m, .sentences = sentences, .count = pass == 0};
				seek_list(&s, m->module.v[i].tree.v[t], true);
				sentences = s.sentences;
			}
}
