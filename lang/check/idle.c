/* idle.c - declarations of a script that come to nothing: tables that nothing reads, policies that
 * nobody follows, adjustments by nothing.
 *
 * A file without encounters is made for others, who may use what it has. */
#include "lang/check/model.h"

/* What the table's own trees read. */
struct uses { uint8_t *table, *policy; };

static void look(const struct model *m, struct uses *u, const struct node *n)
{
	for (; n; n = n->next) {
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		if (n->ref_kind == REF_TABLE && n->ref >= 0 && n->ref < m->table.n)
			u->table[n->ref] = 1;
		if (n->kind == N_KIND_N_FOLLOWS || n->kind == N_KIND_C_DEFAULT)
			for (int i = 0; i < m->policy.n; i++)
				u->policy[i] |= m->policy.v[i].name == n->name;
		for (size_t i = 0; i < FRAY_COUNT(kids); i++)
			if (kids[i])
				look(m, u, kids[i]);
	}
}

static bool of_script(const struct model *m, int module)
{
	return m->module.v[module].own && m->module.v[module].layer == LAYER_SCRIPT;
}

/* Whether the script has a table or a policy at all. */
static bool has_any(const struct model *m)
{
	bool any = false;
	for (int i = 0; i < m->table.n && !any; i++)
		any = of_script(m, m->table.v[i].module);
	for (int i = 0; i < m->policy.n && !any; i++)
		any = of_script(m, m->policy.v[i].module);
	return any;
}

static void tell_tables(struct model *m, const struct uses *u)
{
	for (int i = 0; i < m->table.n; i++) {
		const struct mtable *t = &m->table.v[i];
		if (!of_script(m, t->module) || t->thing >= 0 || u->table[i] ||
			(t->like >= 0 && t->like != i))
			continue;
		struct buf line = {0};
		buf_printf(&line, "%s (", model_text(m, t->name));
		for (const struct node *p = t->node->a; p; p = p->next)
			buf_printf(&line, "%s%s", model_text(m, p->name), p->next ? ", " : ")");
		model_report(
			m, M_TABLE_UNREAD, t->node->at, 2, model_text(m, t->name), buf_text(&line));
		buf_free(&line);
	}
}

static void tell_policies(struct model *m, const struct uses *u)
{
	for (int i = 0; i < m->policy.n; i++) {
		const struct mpolicy *p = &m->policy.v[i];
		const char *who = "Bruna";
		if (!of_script(m, p->module))
			continue;
		if (!p->node->a && !p->node->damaged)
			model_report(m, M_POLICY_EMPTY, p->node->at, 1, model_text(m, p->name));
		if (u->policy[i])
			continue;
		for (const struct node *n = m->encounter.v[0].node->a; n; n = n->next)
			if (n->kind == N_KIND_SIDE) {
				who = model_text(m, n->name);
				break;
			}
		model_report(
			m, M_POLICY_IDLE, p->node->at, 2, model_text(m, p->name), who);
	}
}

static void tell_nothings(struct model *m)
{
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		const struct node *by = x->node->kind == N_KIND_C_ADJUST ? x->node->b : NULL;
		if (!by || !m->module.v[x->module].own || by->num != 0)
			continue;
		if (by->kind == N_KIND_E_NUM || by->kind == N_KIND_E_QTY ||
			by->kind == N_KIND_E_PERCENT)
			model_report(m, M_BY_NOTHING, by->span, 0);
	}
}

void check_idle(struct model *m)
{
	struct uses u = {arena_array(m->arena, uint8_t, m->table.n + 1),
		arena_array(m->arena, uint8_t, m->policy.n + 1)};
	tell_nothings(m);
	if (m->encounter.n == 0 || !has_any(m))
		return;
	for (int i = 0; i < m->module.n; i++)
		for (int t = 0; m->module.v[i].own && t < m->module.v[i].tree.n; t++)
			look(m, &u, m->module.v[i].tree.v[t]);
	tell_tables(m, &u);
	tell_policies(m, &u);
}
