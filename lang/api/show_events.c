/* show_events.c - what can happen and what people say when it does: actions, events, dice and
 * choices, each with the rules that read, roll or ask for it. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/show.h"

/* ---- the rules behind a name ---- */

/* "poison touch (shelf)"; of what an action does, the action; of a stat block, its name. */
static void rule_name(const struct model *m, const struct mclause *x, struct buf *out)
{
	const char *module = m->module.v[x->module].shown, *name = "a line of its own";
	if (x->rule >= 0)
		name = model_text(m, m->rule.v[x->rule].name);
	else if (x->thing >= 0)
		name = model_text(m, m->thing.v[x->thing].name);
	else if (x->event >= 0 && m->event.v[x->event].does == (int)(x - m->clause.v))
		name = model_text(m, m->event.v[x->event].name);
	buf_printf(out, "%s (%s)", name, *module ? module : "the script");
}

/* Names of rules, each once, in the order in which they are found. */
struct names { VEC(char *) v; };

static void put_rule(struct names *all, const struct model *m, int clause)
{
	struct buf b = {0};
	rule_name(m, &m->clause.v[clause], &b);
	for (int i = 0; i < all->v.n; i++)
		if (!strcmp(all->v.v[i], buf_text(&b))) {
			buf_free(&b);
			return;
		}
	VEC_PUSH(all->v, buf_take(&b));
}

/* Whether a tree raises the event: calls it, lets somebody have it, or puts it off. */
static bool raises(const struct node *n, int event)
{
	for (; n; n = n->next) {
		const struct node *called = n->kind == N_KIND_S_CALL || n->kind == N_KIND_S_PEND
			? n->a
			: n->kind == N_KIND_S_MAY ? n->b
						  : NULL;
		if (called && called->ref_kind == REF_EVENT && called->ref == event)
			return true;
		if (raises(n->a, event) || raises(n->b, event) || raises(n->c, event) ||
			raises(n->d, event) || raises(n->e, event) || raises(n->f, event))
			return true;
	}
	return false;
}

static void names_free(struct names *all)
{
	for (int i = 0; i < all->v.n; i++)
		free(all->v.v[i]);
	VEC_FREE(all->v);
}

/* "  after it     poison touch (shelf), morale of losses (osric)", or ,"after":[..] */
static void put_names(
	struct shown *s, const char *key, const char *title, struct names *all, struct buf *json)
{
	struct buf b = {0};
	if (s->json) {
		buf_printf(json, ",\"%s\":[", key);
		for (int i = 0; i < all->v.n; i++) {
			buf_puts(json, i ? "," : "");
			json_value(json, all->v.v[i]);
		}
		buf_putc(json, ']');
	} else if (all->v.n) {
		fray_writef(s->f, FRAY_PLAIN, "    %-11s ", title);
		for (int i = 0; i < all->v.n; i++)
			buf_printf(&b, "%s%s", i ? ", " : "", all->v.v[i]);
		fray_wrap(s->f, buf_text(&b), 16, 16);
		buf_free(&b);
	}
	names_free(all);
}

/* ---- actions and events ---- */

static const char *event_name(const struct model *m, int i)
{
	return model_text(m, m->event.v[i].name);
}

/* "shoot (weapon) at (target)"; an event as its rules call it: "hit (attacker, target, weapon)". */
static void pattern(const struct model *m, const struct mevent *e, struct buf *out)
{
	buf_puts(out, model_text(m, e->name));
	if (!e->action && e->roles)
		buf_puts(out, " (");
	for (int k = e->action ? 1 : 0; k < e->roles; k++) {
		const char *name = model_text(m, e->role[k].name);
		if (!e->action)
			buf_printf(out, "%s%s", k ? ", " : "", name);
		else if (e->role[k].preposition)
			buf_printf(out, " %s (%s)", model_text(m, e->role[k].preposition), name);
		else
			buf_printf(out, " (%s)", name);
	}
	buf_puts(out, !e->action && e->roles ? ")" : "");
}

static const char *telling(const struct mevent *e)
{
	return e->node && e->node->text ? e->node->text : "";
}

/* Its roles and marks, each with what it holds. */
static void put_parts(struct shown *s, const struct mevent *e, struct buf *json)
{
	struct model *m = &s->f->model;
	struct buf roles = {0}, marks = {0}, type = {0};
	for (int k = 0; k < e->roles; k++) {
		buf_clear(&type);
		type_print(m, e->role[k].type, &type);
		json_text(&roles, model_text(m, e->role[k].name), buf_text(&type), !k);
		if (!s->json)
			buf_printf(&marks, "%s%s: %s", k ? "; " : "",
				model_text(m, e->role[k].name), buf_text(&type));
	}
	if (!s->json && e->roles) {
		fray_writef(s->f, FRAY_PLAIN, "    %-11s ", "roles");
		fray_wrap(s->f, buf_text(&marks), 16, 16);
	}
	buf_clear(&marks);
	for (int k = 0; k < e->slot.n; k++) {
		buf_clear(&type);
		type_print(m, e->slot.v[k].type, &type);
		if (s->json)
			json_text(&marks, model_text(m, e->slot.v[k].name), buf_text(&type), !k);
		else
			buf_printf(&marks, "%s%s: %s", k ? "; " : "",
				model_text(m, e->slot.v[k].name), buf_text(&type));
	}
	if (s->json) {
		buf_printf(json, ",\"roles\":%s}", roles.length ? buf_text(&roles) : "{");
		buf_printf(json, ",\"marks\":%s}", marks.length ? buf_text(&marks) : "{");
	} else if (e->slot.n) {
		fray_writef(s->f, FRAY_PLAIN, "    %-11s ", "marks");
		fray_wrap(s->f, buf_text(&marks), 16, 16);
	}
	buf_free(&roles);
	buf_free(&marks);
	buf_free(&type);
}

/* Which rules raise an event, and which have to do with it, by stage. */
static void put_readers(struct shown *s, int event, struct buf *json)
{
	static const struct { const char *key, *title; enum op_stage stage; } stages[] = {
		{"instead", "instead of it", STAGE_INSTEAD}, {"before", "before it", STAGE_BEFORE},
		{"on", "on it", STAGE_ON}, {"after", "after it", STAGE_AFTER}};
	struct model *m = &s->f->model;
	struct names all = {0};
	for (int c = 0; c < m->clause.n; c++) {
		const struct node own = {.a = m->clause.v[c].node->a, .b = m->clause.v[c].node->b,
			.c = m->clause.v[c].node->c};
		if (in_force_now(s->f, &m->clause.v[c]) && raises(&own, event))
			put_rule(&all, m, c);
	}
	put_names(s, "raised by", "raised by", &all, json);
	for (size_t i = 0; i < FRAY_COUNT(stages); i++) {
		struct names here = {0};
		const struct mevent *e = &m->event.v[event];
		for (int k = 0; k < e->clause[stages[i].stage].n; k++)
			if (in_force_now(s->f, &m->clause.v[e->clause[stages[i].stage].v[k]]))
				put_rule(&here, m, e->clause[stages[i].stage].v[k]);
		put_names(s, stages[i].key, stages[i].title, &here, json);
	}
}

static void report_unknown(struct shown *s, const char *what)
{
	struct model *m = &s->f->model;
	VEC(const char *) names = {0};
	for (int i = 0; i < m->event.n; i++)
		if (m->event.v[i].node)
			VEC_PUSH(names, event_name(m, i));
	const char *best = diag_nearest(what, names.v, names.n);
	if (best)
		diag_report(&s->f->sink, M_NO_EVENT_NEAR, (struct span){0}, 2, what, best);
	else
		fray_writef(s->f, FRAY_PLAIN,
			"Nothing that can happen is called \"%s\"; show events lists all.\n", what);
	VEC_FREE(names);
}

static enum fray_status show_happenings(struct shown *s, const char *what, bool action)
{
	struct model *m = &s->f->model;
	int *order = in_listed_order(s, m->event.n, event_name);
	const sym asked = what ? model_alias(m, model_sym(m, what)) : 0;
	int shown = 0;
	model_where(s->f, true);
	for (const int *i = order; *i >= 0; i++) {
		const struct mevent *e = &m->event.v[*i];
		struct buf b = {0}, json = {0};
		if (!e->node || (what ? e->name != asked : e->action != action))
			continue;
		shown++;
		pattern(m, e, &b);
		json_text(&json, e->action ? "action" : "event", model_text(m, e->name), true);
		json_text(&json, "pattern", buf_text(&b), false);
		json_text(&json, "told", telling(e), false);
		if (!s->json) {
			buf_printf(&b, "%s%s%s", *telling(e) ? "   \"" : "", telling(e),
				*telling(e) ? "\"" : "");
			fray_write(s->f, FRAY_PLAIN, "  ");
			fray_wrap(s->f, buf_text(&b), 2, 6);
		}
		if (what || s->json) {
			put_parts(s, e, &json);
			put_readers(s, *i, &json);
		}
		if (s->json)
			fray_writef(s->f, FRAY_PLAIN, "%s}\n", buf_text(&json));
		buf_free(&json);
		buf_free(&b);
	}
	model_where(s->f, false);
	free(order);
	if (!shown && what)
		report_unknown(s, what);
	return shown || !what ? FRAY_OK : FRAY_WRONG;
}

enum fray_status show_actions(struct shown *s, const char *what)
{
	return show_happenings(s, what, true);
}

enum fray_status show_events(struct shown *s, const char *what)
{
	return show_happenings(s, what, false);
}

/* ---- dice and choices ---- */

/* The rules that roll a die of that name, or ask for that choice; false: none in force does. */
static bool drawers(struct shown *s, sym name, bool choice, struct names *all)
{
	struct model *m = &s->f->model;
	bool any = false;
	for (int i = 0; i < m->drawn.n; i++) {
		const struct mdrawn *d = &m->drawn.v[i];
		if (d->name != name || d->choice != choice)
			continue;
		if (d->clause >= 0 && in_force_now(s->f, &m->clause.v[d->clause]))
			put_rule(all, m, d->clause);
		any |= d->clause < 0;
	}
	return any || all->v.n;
}

static void show_draw(
	struct shown *s, bool choice, const char *name, const char *is, struct names *all)
{
	struct buf json = {0};
	json_text(&json, choice ? "choice" : "die", name, true);
	json_text(&json, "is", is, false);
	if (!s->json)
		fray_writef(s->f, FRAY_PLAIN, "  %-24s %s\n", name, is);
	put_names(s, "rules", choice ? "asked by" : "rolled by", all, &json);
	if (s->json)
		fray_writef(s->f, FRAY_PLAIN, "%s}\n", buf_text(&json));
	buf_free(&json);
}

static const char *die_name(const struct model *m, int i)
{
	return model_text(m, m->label.v[i].name);
}

enum fray_status show_dice(struct shown *s, const char *what)
{
	struct model *m = &s->f->model;
	int *order = in_listed_order(s, m->label.n, die_name);
	model_where(s->f, true);
	for (const int *i = order; *i >= 0; i++) {
		const struct mlabel *l = &m->label.v[*i];
		struct names all = {0};
		if ((!what || has_words(model_text(m, l->name), what)) &&
			drawers(s, l->name, false, &all))
			show_draw(s, false, model_text(m, l->name),
				l->known ? l->dice : "as its rule says", &all);
		else
			names_free(&all);
	}
	model_where(s->f, false);
	free(order);
	return FRAY_OK;
}

static const char *choice_name(const struct model *m, int i)
{
	return model_text(m, m->choice.v[i].name);
}

enum fray_status show_choices(struct shown *s, const char *what)
{
	struct model *m = &s->f->model;
	int *order = in_listed_order(s, m->choice.n, choice_name);
	model_where(s->f, true);
	for (const int *i = order; *i >= 0; i++) {
		const struct mchoice *c = &m->choice.v[*i];
		struct names all = {0};
		struct buf type = {0};
		type_print(m, c->type, &type);
		if ((!what || has_words(model_text(m, c->name), what)) &&
			drawers(s, c->name, true, &all))
			show_draw(s, true, model_text(m, c->name), buf_text(&type), &all);
		else
			names_free(&all);
		buf_free(&type);
	}
	model_where(s->f, false);
	free(order);
	return FRAY_OK;
}
