/* odds_branch.c - what a branch of odds says besides who does what: for as long as its program is
 * linked this stands in the encounter, the house rules it uses are in force, and the model is that
 * of this branch. From the present moment it stands in a block of the beat to come, as if it had
 * been typed. */
#include "lang/api/session.h"
#include "lang/api/odds.h"

#include <string.h>

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

static bool joins_or_leaves(const struct fray *f, const struct node *n)
{
	return n->kind == N_KIND_N_JOIN || n->kind == N_KIND_SIDE || (n->kind == N_KIND_N_SAY && scene_leaving(&f->model, n));
}

/* Whether the line stands in the encounter while the branch's program is linked. */
bool odds_stands_inside(const struct fray *f, const struct asking *q, const struct node *n)
{
	if (n->damaged)
		return false;
	if (odds_is_rule(n) || joins_or_leaves(f, n))
		return true;
	switch (n->kind) {
	case N_KIND_N_FOLLOWS: case N_KIND_N_EDIT: case N_KIND_N_REFEREE: case N_KIND_N_OPTION: case N_KIND_MOMENT: case N_KIND_D_FIELD:
	case N_KIND_N_OVERRIDE: case N_KIND_N_UNTIL: case N_KIND_USE:
		return q->present;
	default:
		return false;
	}
}

/* What a branch puts into the encounter: rules of the start, a block of the beat to come, blocks
 * of rounds to come. */
struct inside { struct node *rules, *block, *rounds; };

static bool round_in_progress(const struct fray *f, const struct node *n)
{
	return n->kind == N_KIND_MOMENT && n->name == f->model.w.round && n->num == vm_block(f->vm)[f->program->field[f->program->at.round_number].base];
}

static struct node *copies(struct fray *f, const struct node *n)
{
	struct node *list = NULL;
	for (; n; n = n->next) {
		struct node *copy = node_new(&f->arena, n->kind, n->span);
		*copy = *n;
		copy->next = NULL;
		list = node_append(list, copy);
	}
	return list;
}

static void put_inside(struct fray *f, const struct asking *q, const struct node *n, struct inside *to)
{
	struct node *copy = node_new(&f->arena, n->kind, n->span);
	*copy = *n;
	copy->next = NULL;
	if (q->present && round_in_progress(f, n))
		to->block = node_append(to->block, copies(f, n->a));
	else if (q->present && n->kind == N_KIND_MOMENT)
		to->rounds = node_append(to->rounds, copy);
	else if (q->present || joins_or_leaves(f, n))
		to->block = node_append(to->block, copy);
	else if (n->kind != N_KIND_USE)
		to->rules = node_append(to->rules, copy);
	else if (n->b) { /* its settings of options alone */
		copy->name = 0;
		copy->a = NULL;
		to->rules = node_append(to->rules, copy);
	}
}

/* "side orcs: 3 orcs" of a side there is: who joins says so, and who comes instead of others. */
static bool side_is_there(struct fray *f, const struct asking *q, const struct node *n)
{
	const struct node *there = f->model.encounter.v[q->encounter].node->a;
	while (there && (there->kind != N_KIND_SIDE || there->name != n->name))
		there = there->next;
	if (n->kind != N_KIND_SIDE || !there)
		return false;
	const char *side = model_text(&f->model, n->name);
	struct buf join = {0};
	struct span members = n->a ? n->a->span : n->span;
	bool one = n->a && !n->a->next && n->a->num <= 1;
	for (const struct node *m = n->a; m; m = m->next)
		members = span_join(members, m->span);
	size_t length, end = strlen(side);
	const char *text = sources_text(&f->sources, members, &length);
	buf_add(&join, text, length);
	buf_printf(&join, one ? " joins %s" : " join %s", side);
	diag_report(&f->sink, M_BRANCH_SIDE, n->span, 3, side, buf_text(&join), end && side[end - 1] == 's' ? "leave" : "leaves");
	buf_free(&join);
	return true;
}

/* The modules a branch uses are read; from the present moment a block of time must be one to come. */
static bool make_ready(struct fray *f, const struct asking *q, const struct node *n, struct node **names)
{
	if (side_is_there(f, q, n))
		return false;
	if (q->present && n->kind == N_KIND_MOMENT)
		return !session_is_past(f, n);
	if (n->kind != N_KIND_USE)
		return true;
	return q->present ? units_use_late(f, n) : !n->name || names_used(f, n, names);
}

static const struct node *lines_of(const struct asking *q, int branch, int k)
{
	return k ? q->also : q->branch[branch] ? q->branch[branch]->a : NULL;
}

bool odds_inside_any(const struct fray *f, const struct asking *q, int branch)
{
	for (int k = 0; k < 2; k++)
		for (const struct node *n = lines_of(q, branch, k); n; n = n->next)
			if (odds_stands_inside(f, q, n))
				return true;
	return false;
}

bool odds_inside_enter(struct fray *f, const struct asking *q, int branch)
{
	struct node *encounter = f->model.encounter.v[q->encounter].node, *names = NULL;
	struct inside all = {NULL, NULL, NULL};
	for (int k = 0; k < 2; k++)
		for (const struct node *n = lines_of(q, branch, k); n; n = n->next) {
			if (!odds_stands_inside(f, q, n))
				continue;
			if (!make_ready(f, q, n, &names))
				return false;
			put_inside(f, q, n, &all);
		}
	if (all.block) {
		struct node *block = node_new(&f->arena, N_KIND_MOMENT, all.block->span);
		block->at = all.block->span;
		block->name = f->model.w.beat;
		block->num = q->present ? session_beats(f) + 1 : 1;
		block->a = all.block;
		/* behind whatever was typed of this moment */
		encounter->a = node_append(encounter->a, block);
	}
	encounter->a = node_append(encounter->a, all.rounds);
	encounter->a = all.rules ? node_append(all.rules, encounter->a) : encounter->a;
	units_aside(f, names);
	return units_check(f);
}

void odds_inside_leave(struct fray *f, int encounter, struct node *own, struct node *last)
{
	if (last)
		last->next = NULL;
	f->model.encounter.v[encounter].node->a = own;
	units_aside(f, NULL);
	units_check(f);
}
