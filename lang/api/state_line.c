/* state_line.c - which field says that somebody is so, for a line "orcs are held": a yes/no field
 * of that name, or one that lists the word. It looks at the trees that were read, since the line is
 * found before there is a model. */
#include <string.h>

#include "lang/api/interp.h"

static bool of_combatants(const struct fray *f, sym kind)
{
	const char *text = intern_folded(f->names, kind);
	return !strcmp(text, "combatant") || !strcmp(text, "monster");
}

static bool same(const struct fray *f, sym name, const char *state)
{
	return name && !strcmp(intern_folded(f->names, name), state);
}

/* What is written, by a field's declaration. How good: 2 for what rules keep, 1 else; 0: it does
 * not say so. */
static int by_field(struct fray *f, const struct node *field, bool keeps, const char *state)
{
	const struct node *v =
		field->a ? field->a->a : NULL; /* what it holds, before the words that are listed */
	if (v && v->kind == N_KIND_E_NAME &&
		!strncmp(intern_folded(f->names, v->name), "list of", strlen("list of")))
		return 0;
	const char *name = intern_folded(f->names, field->name);
	if (v && (v->kind == N_KIND_E_YES || v->kind == N_KIND_E_NO) && same(f, field->name, state)) {
		f->elsewhere.length = 0;
		buf_printf(&f->elsewhere, "%s: yes", name);
		return 3;
	}
	for (const struct node *x = field->a; x; x = x->next)
		if (x->a && x != field->a &&
			((x->a->kind == N_KIND_E_NAME && same(f, x->a->name, state)) ||
				(x->a->kind == N_KIND_E_TEXT && !strcmp(x->a->text, state)))) {
			f->elsewhere.length = 0;
			buf_printf(&f->elsewhere, strchr(state, ' ') ? "%s: \"%s\"" : "%s: %s", name, state);
			return keeps ? 2 : 1;
		}
	return 0;
}

/* Whether rules work out that somebody is so. */
static bool worked_out(const struct fray *f, const struct node *list, const char *state)
{
	for (const struct node *n = list; n; n = n->next)
		if ((n->kind == N_KIND_C_BE && same(f, n->name, state)) ||
			(n->kind == N_KIND_RULE && worked_out(f, n->b, state)))
			return true;
	return false;
}

const char *state_line(void *context, const char *state)
{
	struct fray *f = context;
	struct buf said = {0}, best = {0};
	int good = 0;
	bool rules = false;
	for (size_t i = 0; state[i]; i++)
		buf_putc(
			&said, state[i] >= 'A' && state[i] <= 'Z' ? (char)(state[i] - 'A' + 'a') : state[i]);
	for (int i = 0; i < f->unit.n; i++)
		for (const struct node *n = f->unit.v[i].tree; n; n = n->next) {
			for (const struct node *x =
					 n->kind == N_KIND_EVERY && of_combatants(f, n->name) && !n->name2 ? n->a
																					   : NULL;
				 x; x = x->next) {
				int is =
					x->kind == N_KIND_D_FIELD ? by_field(f, x, n->num != 0, buf_text(&said)) : 0;
				if (is > good) {
					good = is;
					buf_clear(&best);
					buf_puts(&best, buf_text(&f->elsewhere));
				}
			}
			rules |= worked_out(f, n->kind == N_KIND_C_BE ? n : NULL, buf_text(&said)) ||
				(n->kind == N_KIND_RULE && worked_out(f, n->b, buf_text(&said)));
		}
	f->elsewhere.length = 0;
	buf_puts(&f->elsewhere, good ? buf_text(&best) : "");
	buf_free(&said);
	buf_free(&best);
	return good ? buf_text(&f->elsewhere) : rules ? "" : NULL;
}
