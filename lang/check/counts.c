/* counts.c - too many or too few: what an event, a question or a table is asked of, and how many things a line names. */
#include "lang/check/model.h"

/* "3 roles (caster, spell, target)" */
static void put_wanted(const struct model *m, enum message id, const sym *want, int n, struct buf *out)
{
	const char *noun = id == M_ROLE_COUNT ? "role" : "thing";
	if (n == 0) {
		buf_printf(out, "no %ss", noun);
		return;
	}
	buf_printf(out, "%d %s%s (", n, noun, n == 1 ? "" : "s");
	for (int i = 0; i < n; i++)
		buf_printf(out, "%s%s", i ? ", " : "", model_text(m, want[i]));
	buf_putc(out, ')');
}

void report_count(struct model *m, enum message id, struct span at, sym name, const sym *want, int n, int given)
{
	struct buf wanted = {0}, number = {0}, line = {0};
	put_wanted(m, id, want, n, &wanted);
	buf_printf(&number, "%d", given);
	buf_puts(&line, model_text(m, name));
	for (int i = 0; i < n; i++)
		buf_printf(&line, "%s%s%s", i ? ", " : " (", model_text(m, want[i]), i + 1 == n ? ")" : "");
	model_report(m, id, at, 4, model_text(m, name), buf_text(&wanted), buf_text(&number), buf_text(&line));
	buf_free(&wanted);
	buf_free(&number);
	buf_free(&line);
}

void report_roles(struct model *m, struct span at, int event, int given)
{
	const struct mevent *e = &m->event.v[event];
	sym want[EVENT_ROLES];
	for (int i = 0; i < e->roles; i++)
		want[i] = e->role[i].name;
	report_count(m, M_ROLE_COUNT, at, e->name, want, e->roles, given);
}

void report_keys(struct model *m, struct span at, int table, int given)
{
	const struct mtable *t = &m->table.v[table];
	sym want[EVENT_ROLES];
	int n = 0;
	for (const struct node *k = t->node ? t->node->a : NULL; k && n < EVENT_ROLES; k = k->next)
		want[n++] = k->name;
	report_count(m, M_ARGUMENT_COUNT, at, t->name, want, n, given);
}
