/* written.c - fields that rules of a script write and nothing reads.
 *
 * Of a field that only stat blocks or lines fill facts.c tells. One that a rule writes is the
 * memory of a rule, and useless where no rule, policy, text, expectation or question asks for it.
 * `X's zest = X's zest + 1` counts as asking: it may be a counter that is shown. */
#include "lang/check/effect.h"

static void note_write(struct writes *w, const struct node *path)
{
	const struct model *m = w->m;
	const struct node *at = path->kind == N_KIND_E_CALL && path->a ? path->a : path;
	if (path->ref_kind == REF_PAIR && path->ref >= 0 && path->ref < m->pair.n && !w->pair[path->ref])
		w->pair[path->ref] = path;
	bool field = path->ref_kind == REF_FIELD || path->ref_kind == REF_THING_FIELD || path->ref_kind == REF_FIELD_OF_ENCOUNTER;
	int found = field ? path->ref : path->ref_kind == REF_QUESTION && path->ref >= 0 ? m->question.v[path->ref].field : -1;
	if (found >= 0 && found < m->field.n && !w->field[found])
		w->field[found] = at;
}

static void note_writes(struct writes *w, const struct node *n)
{
	for (; n; n = n->next) {
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		if (n->kind == N_KIND_S_SET || n->kind == N_KIND_S_CHANGE)
			note_write(w, n->a);
		else if (n->kind == N_KIND_S_ADD || n->kind == N_KIND_S_REMOVE)
			note_write(w, n->b);
		for (int i = 0; i < 6; i++)
			if (kids[i])
				note_writes(w, kids[i]);
	}
}

/* Declared in the files of the script: those of the library are for any script to read. */
static bool is_of_script(const struct model *m, struct span at)
{
	for (int k = 0; k < m->module.n; k++)
		if (m->module.v[k].layer == LAYER_SCRIPT)
			for (int t = 0; t < m->module.v[k].tree.n; t++)
				for (const struct node *n = m->module.v[k].tree.v[t]; n; n = n->next)
					if (n->span.file == at.file)
						return true;
	return false;
}

void written_find(struct writes *w)
{
	struct model *m = w->m;
	w->field = arena_array(m->arena, const struct node *, m->field.n + 1);
	w->pair = arena_array(m->arena, const struct node *, m->pair.n + 1);
	for (int c = 0; c < m->clause.n; c++)
		if (m->module.v[m->clause.v[c].module].layer == LAYER_SCRIPT && m->clause.v[c].node->b)
			note_writes(w, m->clause.v[c].node->b);
	/* what is refined by a definition is told of there */
	for (int i = 0; i < m->field.n; i++)
		if (w->field[i] && (m->field.v[i].question >= 0 || !is_of_script(m, m->field.v[i].at)))
			w->field[i] = NULL;
	for (int i = 0; i < m->pair.n; i++)
		if (w->pair[i] && (m->pair.v[i].question >= 0 || !is_of_script(m, m->pair.v[i].at)))
			w->pair[i] = NULL;
}

void written_report(const struct writes *w, const uint8_t *field, const uint8_t *pair)
{
	struct model *m = w->m;
	for (int i = 0; i < m->field.n; i++)
		if (w->field[i] && field[i]) {
			struct buf shown = {0};
			buf_printf(&shown, "%s's %s", model_text(m, m->kind.v[m->field.v[i].kind].name), model_text(m, m->field.v[i].name));
			model_report(m, M_WRITTEN_UNREAD, w->field[i]->span, 2, model_text(m, m->field.v[i].name), buf_text(&shown));
			buf_free(&shown);
		}
	for (int i = 0; i < m->pair.n; i++)
		if (w->pair[i] && pair[i]) {
			struct buf shown = {0};
			pair_shown(m, i, &shown);
			model_report(m, M_WRITTEN_UNREAD, w->pair[i]->span, 2, model_text(m, m->pair.v[i].name), buf_text(&shown));
			buf_free(&shown);
		}
}
