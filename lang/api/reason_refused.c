/* reason_refused.c - what a rule that forbade an act looked at, with its values then: "Rider is too
 * laden to charge, as Rider's move is 3 in". See reason.h. */
#include <string.h>

#include "lang/api/reason.h"

/* The model's clause of a record's; NULL: it has no condition. */
static const struct mclause *clause_of(const struct reason *r, int32_t clause)
{
	const struct model *m = &r->f->model;
	for (int i = 0; i < m->clause.n && clause >= 0; i++)
		if (m->clause.v[i].program == clause && m->clause.v[i].in_force)
			return m->clause.v[i].when ? &m->clause.v[i] : NULL;
	return NULL;
}

/* Is there a number that is not of a name, "orc #4"? */
static bool has_number(const char *text)
{
	for (const char *at = text; *at; at++)
		if (*at >= '0' && *at <= '9' && (at == text || at[-1] == ' ' || at[-1] == '-'))
			return true;
	return false;
}

void reason_refused(struct reason *r, int32_t record, struct answer *out)
{
	const struct record x = *trace_get(r->t, record);
	const struct mclause *c = clause_of(r, x.clause);
	struct names b = {.n = 0};
	struct condition why;
	struct visit v;
	if (!c || x.what < 0 || x.what >= r->p->events || c->sort != CLAUSE_FORBID)
		return;
	for (int k = 0; k < r->p->event[x.what].roles; k++) {
		const struct role_info *role = &r->p->event[x.what].role[k];
		const word *value = log_role(r->log, trace_get(r->t, record), k);
		if (role->type.base == VT_LIVE && role->type.kind == KIND_COMBATANT && value && *value != NONE)
			names_bind(&b, intern_word(r->f->names, role->name), KIND_COMBATANT, *value);
	}
	if (!reason_go_to(r->f, record, &v))
		return;
	if (condition_of(r->f, c->when, &b, !c->unless, &why)) {
		/* without a number besides those of names it says no more than the reason does; acts have
		 * no names */
		const char *text = buf_text(&why.text);
		if (has_number(text) && !strstr(text, ": yes") &&
			!strstr(text, " none") && !strstr(text, " is act "))
			answer_figure(out, record, -1, "%s", buf_text(&why.text));
		condition_free(&why);
	}
	reason_back(r->f, &v);
}
