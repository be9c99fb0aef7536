/* labels.c - what all rolls of one name have in common: their dice, and whether each is somebody's. */
#include <string.h>

#include "lang/check/infer.h"
#include "runtime/dice/formula.h"

/* Remembers what dice fall under a label, as long as all its rolls agree. */
static void same_dice(struct model *m, int label, const struct node *what)
{
	struct mlabel *l = &m->label.v[label];
	struct dice dice;
	if (what->kind != N_KIND_E_DICE || dice_parse(what->text, strlen(what->text), &dice) != DICE_OK || (l->dice && strcmp(l->dice, what->text))) {
		l->known = false;
		l->dice = "";
		return;
	}
	if (l->dice)
		return;
	l->known = true;
	l->dice = what->text;
	dice_range(&dice, &l->least, &l->most);
}

/* Remembers whether a die of that name may be nobody's: rolled in a phase, for no combatant. */
static void owned_or_free(struct scope *s, const struct node *roll)
{
	struct model *m = s->m;
	const struct type *first = s->event >= 0 && m->event.v[s->event].roles
		? type_find(m->event.v[s->event].role[0].type)
		: NULL;
	/* a roll that is set to a place belongs to the thing whose place it is: perhaps to nobody */
	const bool owned = !roll->num &&
		(s->walks ||
			(first && first->base == VT_LIVE &&
				(first->kind == KIND_COMBATANT || first->kind == KIND_SIDE)));
	struct mlabel *l = &m->label.v[model_label(m, roll->name)];
	l->owned |= owned;
	l->free |= !owned;
}

void label_rolled(struct scope *s, const struct node *roll)
{
	same_dice(s->m, model_label(s->m, roll->name), roll->a);
	owned_or_free(s, roll);
}
