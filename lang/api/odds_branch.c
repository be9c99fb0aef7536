/* odds_branch.c - rules in a branch of odds: for as long as its program is linked they stand in
 * the encounter, the house rules it uses are in force, and the model is that of this branch. */
#include "lang/api/session.h"
#include "lang/api/odds.h"

static bool is_clause(const struct node *n)
{
	return n->kind >= N_KIND_C_DEFINE && n->kind <= N_KIND_C_DEFAULT;
}

bool odds_is_rule(const struct node *n)
{
	return n->kind == N_KIND_RULE || n->kind == N_KIND_DROP || n->kind == N_KIND_PREFERENCE || (n->kind == N_KIND_USE && n->name) || is_clause(n);
}

static int base_ruleset(const struct fray *f, sym name)
{
	for (int i = 0; i < f->model.module.n; i++)
		if (f->model.module.v[i].name == name && f->model.module.v[i].layer <= LAYER_RULESET)
			return i;
	return -1;
}

/* The house rules a branch's `use` line names: "use osric with gentle", "use gentle". */
static bool names_used(struct fray *f, const struct node *use, struct node **names)
{
	for (const struct node *n = use->a; n; n = n->next) {
		struct node *copy = node_new(&f->arena, N_KIND_E_NAME, n->span);
		copy->name = n->name;
		*names = node_append(*names, copy);
	}
	if (base_ruleset(f, use->name) >= 0)
		return true;
	for (int i = 0; i < f->unit.n; i++)
		if (f->unit.v[i].module == use->name) {
			struct node *copy = node_new(&f->arena, N_KIND_E_NAME, use->at);
			copy->name = use->name;
			*names = node_append(*names, copy);
			return true;
		}
	diag_report(&f->sink, M_BRANCH_RULESET, use->span, 1, model_text(&f->model, use->name));
	return false;
}

/* The rules as items of the encounter; from the present on when the fight is in progress. */
static struct node *rules_of(struct fray *f, const struct asking *q, int branch)
{
	struct node *list = NULL;
	for (struct node *n = q->branch[branch] ? q->branch[branch]->a : NULL; n; n = n->next) {
		if (n->damaged || !odds_is_rule(n))
			continue;
		struct node *copy = node_new(&f->arena, n->kind, n->span);
		*copy = *n;
		copy->next = NULL;
		if (n->kind == N_KIND_USE) { /* its settings of options alone */
			copy->name = 0;
			copy->a = NULL;
		}
		if (n->kind != N_KIND_USE || n->b)
			list = node_append(list, copy);
	}
	if (!list || !q->present)
		return list;
	struct node *block = node_new(&f->arena, N_KIND_MOMENT, list->span);
	block->at = list->span;
	block->name = f->model.w.beat;
	block->num = session_beats(f) + 1;
	block->a = list;
	return block;
}

bool odds_has_rules(const struct asking *q, int branch)
{
	for (const struct node *n = q->branch[branch] ? q->branch[branch]->a : NULL; n; n = n->next)
		if (!n->damaged && odds_is_rule(n))
			return true;
	return false;
}

bool odds_rules_enter(struct fray *f, const struct asking *q, int branch)
{
	struct node *encounter = f->model.encounter.v[q->encounter].node, *names = NULL;
	for (const struct node *n = q->branch[branch]->a; n; n = n->next) {
		if (n->damaged || n->kind != N_KIND_USE || !n->name)
			continue;
		if (q->present) {
			diag_report(&f->sink, M_BRANCH_PRESENT, n->span, 0);
			return false;
		}
		if (!names_used(f, n, &names))
			return false;
	}
	struct node *rules = rules_of(f, q, branch);
	encounter->a = rules ? node_append(rules, encounter->a) : encounter->a;
	units_aside(f, names);
	return units_check(f);
}

void odds_rules_leave(struct fray *f, int encounter, struct node *own)
{
	f->model.encounter.v[encounter].node->a = own;
	units_aside(f, NULL);
	units_check(f);
}
