/* show_conditions.c - `show conditions`: those that the rules know, and in a fight who is in which,
 * and for how long. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/show.h"
#include "lang/check/declare.h"
#include "runtime/world/show.h"

/* What the block of a condition, or of one that it inherits from, says in a field: a word or a
 * text; "": nothing. */
static const char *said_in(const struct model *m, int thing, const char *field)
{
	for (; thing >= 0; thing = m->thing.v[thing].parent)
		for (const struct node *d = m->thing.v[thing].node->b; d; d = d->next)
			if (d->kind == N_KIND_D_FIELD && !strcmp(model_text(m, d->name), field) && d->a &&
				d->a->a)
				return d->a->a->text ? d->a->a->text : model_text(m, d->a->a->name);
	return "";
}

/* The fight's field that counts the condition's rounds, or -1. */
static int field_counting(const struct program *p, const char *name)
{
	for (int i = 0; p && i < p->fields; i++)
		if (p->field[i].state && !strcmp(p->field[i].state, name))
			return i;
	return -1;
}

/* Whoever is in it: with the words behind the name, or as objects. */
static void show_bearers(struct shown *s, int field, struct buf *out)
{
	const struct program *p = s->f->program;
	const word *block = vm_block(s->f->vm);
	const struct field_info *f = &p->field[field], *r = &p->field[p->at.round_number];
	for (int i = 0, n = 0; i < p->lives[KIND_COMBATANT]; i++) {
		const word left = block[f->base + (size_t)i * f->stride];
		struct buf until = {0};
		if (left == 0)
			continue;
		world_state_left(left, block[r->base], &until);
		if (s->json) {
			buf_puts(out, n++ ? "," : "");
			json_text(out, "who", p->live[KIND_COMBATANT][i].name, true);
			if (left != NONE)
				buf_printf(out, ",\"last round\":%lld", (long long)(block[r->base] + left - 1));
			buf_putc(out, '}');
		} else {
			buf_printf(out, "    %s: %s\n", p->live[KIND_COMBATANT][i].name, buf_text(&until));
		}
		buf_free(&until);
	}
}

static void show_condition(struct shown *s, int thing)
{
	const struct model *m = &s->f->model;
	const char *name = model_text(m, m->thing.v[thing].name),
			   *meaning = said_in(m, thing, "meaning"), *again = said_in(m, thing, "again");
	const int field = s->f->vm ? field_counting(s->f->program, name) : -1;
	struct buf b = {0};
	if (s->json) {
		json_text(&b, "condition", name, true);
		json_text(&b, "meaning", meaning, false);
		json_text(&b, "again", *again ? again : "longest", false);
		buf_puts(&b, ",\"who\":[");
	} else if (*meaning || *again) {
		buf_printf(&b, "  %-24s %s%s", name, meaning, *again && *meaning ? ", " : "");
		buf_printf(&b, "%s%s\n", *again ? "when it begins again: " : "", again);
	} else {
		buf_printf(&b, "  %s\n", name);
	}
	if (field >= 0)
		show_bearers(s, field, &b);
	buf_puts(&b, s->json ? "]}\n" : "");
	fray_write(s->f, FRAY_PLAIN, buf_text(&b));
	buf_free(&b);
}

static const char *thing_name(const struct model *m, int i)
{
	return model_text(m, m->thing.v[i].name);
}

enum fray_status show_conditions(struct shown *s, const char *what)
{
	const struct model *m = &s->f->model;
	int *order = in_listed_order(s, m->thing.n, thing_name);
	const int kind = model_kind(m, m->w.condition),
			  only = what ? model_thing(m, model_sym(&s->f->model, what), kind) : -1;
	bool any = false;
	for (int i = 0; order[i] >= 0; i++)
		if (is_condition(m, order[i]) && (!what || order[i] == only)) {
			show_condition(s, order[i]);
			any = true;
		}
	free(order);
	if (any || !what)
		return FRAY_OK;
	diag_report(&s->f->sink, M_NO_THING, (struct span){0}, 3, "condition", what, "");
	return FRAY_WRONG;
}
