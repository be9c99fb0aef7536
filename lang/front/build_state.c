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
	struct phrase *p, struct span at, struct node *who, struct node *state, struct node *lasting)
{
	struct node *often = lasting ? lasting->a : build(p, N_KIND_E_NONE, at);
	if (often->kind == N_KIND_E_ROLL) {
		struct buf label = {0};
		if (state->kind == N_KIND_E_NAME)
			buf_printf(&label, "%s ", intern_text(p->front->names, state->name));
		buf_puts(&label, lasting->name ? intern_text(p->front->names, lasting->name) : "rounds");
		often->text = arena_text(p->front->arena, label.data, label.length);
		buf_free(&label);
		often->b = build(p, N_KIND_NOTHING, at);
		*often->b = *who;
		often->b->next = NULL;
	}
	who->next = state;
	state->next = often;
	struct node *n = call(p, at, "befall", who);
	if (lasting && lasting->name) {
		n->name = lasting->name;
		n->at = lasting->span;
	}
	return n;
}

struct node *build_ends(struct phrase *p, struct span at, struct node *who, struct node *state)
{
	who->next = state;
	return call(p, at, "lapse", who);
}

static bool is_round(const struct phrase *p, sym unit)
{
	const char *text = intern_folded(p->front->names, unit);
	return !strcmp(text, "round") || !strcmp(text, "rounds");
}

/* A moment that ends it is a round's: says so of any other unit. */
static bool in_rounds(struct phrase *p, sym unit, struct span at)
{
	if (is_round(p, unit))
		return true;
	phrase_report(p, M_LASTS_ROUNDS, at, 1, intern_text(p->front->names, unit), NULL);
	p->damaged = true;
	return false;
}

/* How long, as many of a unit; rounds are a plain number. */
static struct node *length(struct phrase *p, struct node *many, sym unit, struct span at)
{
	struct node *n = build(p, N_KIND_NOTHING, at);
	n->a = many;
	n->name = is_round(p, unit) ? 0 : unit;
	return n;
}

/* for 2 rounds, for 5 segments */
struct node *build_rounds(struct phrase *p, struct span at, struct node *quantity)
{
	const sym unit = quantity->name;
	if (is_round(p, unit)) {
		quantity->kind = N_KIND_E_NUM;
		quantity->name = 0;
	}
	return length(p, quantity, unit, at);
}

/* for (caster's level) rounds */
struct node *build_counted(struct phrase *p, struct node *number, struct word unit, struct span at)
{
	return length(p, number, unit.name, at);
}

/* until end of round */
struct node *build_present(struct phrase *p, struct node *number, struct word unit, struct span at)
{
	in_rounds(p, unit.name, at);
	return length(p, number, unit.name, at);
}

/* for 3d4 rounds */
struct node *build_rolled(
	struct phrase *p, struct span at, struct node *dice, struct word unit, struct span unit_at)
{
	struct node *n = build(p, N_KIND_E_ROLL, at);
	n->a = dice;
	return length(p, n, unit.name, unit_at);
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
	return length(p, build_binary(p, BIN_SUB, moment, now), now->a->name, at);
}
