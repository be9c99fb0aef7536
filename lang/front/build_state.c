/* build_state.c - conditions that last, as the grammar reads them: what they mean, how long they go
 * on.
 *
 * "Ann is stunned for 2 rounds" is core's event `befall (Ann, stunned, 2)`, and "Ann is no longer
 * stunned" is `lapse (Ann, stunned)`. The number counts whole rounds after the present one; none:
 * until it is ended. */
#include <string.h>

#include "lang/front/phrase.h"

static struct node *name_node(struct phrase *p, struct span at, const char *text)
{
	struct word w = {.name = intern_word(p->front->names, text)};
	return build_named(p, N_KIND_E_NAME, at, w, at);
}

static struct node *call(struct phrase *p, struct span at, const char *event, struct node *roles)
{
	struct node *path = build(p, N_KIND_E_CALL, at), *n = build(p, N_KIND_S_CALL, at);
	path->a = name_node(p, at, event);
	path->b = roles;
	n->a = path;
	return n;
}

/* condition stunned "cannot act" { .. }: the text is the field `meaning`. */
void build_meaning(struct phrase *p, struct node *thing, const char *text, struct span at)
{
	struct word w = {.name = intern_word(p->front->names, "meaning")};
	struct node *field = build_named(p, N_KIND_D_FIELD, at, w, at),
				*value = build(p, N_KIND_V_PLAIN, at);
	value->a = build(p, N_KIND_E_TEXT, at);
	value->a->text = text;
	field->a = value;
	field->next = thing->b;
	thing->b = field;
}

struct node *build_begins(
	struct phrase *p, struct span at, struct node *who, struct node *state, struct node *rounds)
{
	if (rounds && rounds->kind == N_KIND_E_ROLL) {
		struct buf label = {0};
		if (state->kind == N_KIND_E_NAME)
			buf_printf(&label, "%s ", intern_text(p->front->names, state->name));
		buf_puts(&label, "rounds");
		rounds->text = arena_text(p->front->arena, label.data, label.length);
		buf_free(&label);
		rounds->b = build(p, N_KIND_NOTHING, at);
		*rounds->b = *who;
		rounds->b->next = NULL;
	}
	who->next = state;
	state->next = rounds ? rounds : build(p, N_KIND_E_NONE, at);
	return call(p, at, "befall", who);
}

struct node *build_ends(struct phrase *p, struct span at, struct node *who, struct node *state)
{
	who->next = state;
	return call(p, at, "lapse", who);
}

/* A condition is counted in rounds: says so of any other unit. */
static bool in_rounds(struct phrase *p, sym unit, struct span at)
{
	const char *text = intern_folded(p->front->names, unit);
	if (!strcmp(text, "round") || !strcmp(text, "rounds"))
		return true;
	phrase_report(p, M_LASTS_ROUNDS, at, 1, intern_text(p->front->names, unit), NULL);
	p->damaged = true;
	return false;
}

/* for 2 rounds */
struct node *build_rounds(struct phrase *p, struct span at, struct node *quantity)
{
	in_rounds(p, quantity->name, at);
	quantity->kind = N_KIND_E_NUM;
	quantity->name = 0;
	return quantity;
}

/* for (caster's level) rounds; until end of round */
struct node *build_counted(struct phrase *p, struct node *number, struct word unit, struct span at)
{
	in_rounds(p, unit.name, at);
	return number;
}

/* for 3d4 rounds */
struct node *build_rolled(
	struct phrase *p, struct span at, struct node *dice, struct word unit, struct span unit_at)
{
	struct node *n = build(p, N_KIND_E_ROLL, at);
	n->a = dice;
	return build_counted(p, n, unit, unit_at);
}

/* until end of round 5, less 0; until round 5, less 1: from the present round */
struct node *build_until(struct phrase *p, struct node *moment, int less)
{
	const struct span at = moment->span;
	struct node *now = build(p, N_KIND_E_FIELD, at);
	in_rounds(p, moment->name, at);
	moment->kind = N_KIND_E_NUM;
	moment->name = 0;
	moment->num -= less;
	now->a = name_node(p, at, "round");
	now->name = intern_word(p->front->names, "number");
	return build_binary(p, BIN_SUB, moment, now);
}
