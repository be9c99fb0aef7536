/* log_text.c - dice, choices, changes and what came to nothing, as sentences. */
#include <string.h>

#include "runtime/explain/ends.h"
#include "runtime/explain/log.h"

const char *die_source_name(int source)
{
	return source == DIE_FORCED ? "forced" : source == DIE_TYPED ? "typed" : "rolled";
}

const char *decided_name(int decided)
{
	static const char *const name[] = {"script", "policy", "prompt", "default"};
	return decided >= 0 && decided <= BY_DEFAULT ? name[decided] : "default";
}

void log_label(const struct log *l, const struct record *r, struct buf *out)
{
	if (r->what < 0 || r->what >= l->p->labels) {
		buf_puts(out, "die");
		return;
	}
	const struct label_info *label = &l->p->label[r->what];
	if (label->owner.base == VT_LIVE && r->owner != NONE && label->owner.kind != KIND_ENCOUNTER && label->owner.kind != KIND_ROUND) {
		program_owner(l->p, label->owner.kind, r->owner, out);
		buf_putc(out, ' ');
	}
	buf_puts(out, label->name);
}

static bool is_chance(const struct log *l, const struct record *r)
{
	const word *v = trace_values_at(l->t, r);
	return v && v[0] == NONE;
}

void log_total(const struct log *l, const struct record *r, struct buf *out)
{
	if (is_chance(l, r))
		buf_puts(out, r->value ? "yes" : "no");
	else
		buf_printf(out, "%lld", (long long)r->value);
}

void log_fall(const struct log *l, const struct record *r, bool faces, struct buf *out)
{
	const word *v = trace_values_at(l->t, r);
	const int32_t *face = trace_faces_at(l->t, r);
	const char *source = r->flag == DIE_ROLLED ? NULL : die_source_name(r->flag);
	struct vtype chance = {.base = VT_CHANCE, .frac = true};
	bool more = faces || r->face_count > 1 || (face && face[0] != r->value);
	if (v && v[0] == NONE && r->value_count > 1) {
		buf_puts(out, " [");
		program_value(l->p, chance, &v[1], out);
		buf_printf(out, source ? ", %s]" : "]", source);
		return;
	}
	if (!face || !more) {
		if (source)
			buf_printf(out, " [%s]", source);
		return;
	}
	buf_puts(out, " [");
	if (v && v[0] >= 0 && v[0] < l->p->dices)
		buf_printf(out, "%s: ", l->p->dice[v[0]].text);
	int32_t shown = r->face_count > 24 ? 24 : r->face_count;
	for (int32_t i = 0; i < shown; i++)
		if (face[i] < 0) /* fell, but does not count */
			buf_printf(out, "%s(%d)", i ? ", " : "", -face[i]);
		else
			buf_printf(out, "%s%d", i ? ", " : "", face[i]);
	if (shown < r->face_count)
		buf_printf(out, ", and %d more", r->face_count - shown);
	buf_printf(out, source ? ", %s]" : "]", source);
}

/* ---- sentences ---- */

void log_place(const struct log *l, const struct record *r, struct buf *out)
{
	const struct program *p = l->p;
	const word *v = trace_values_at(l->t, r);
	if (r->kind == REC_CHANGE && r->flag == 1 && r->what >= 0 && r->what < p->pairs) {
		const struct pair_info *f = &p->pair[r->what];
		buf_printf(out, f->directed ? "%s of " : "%s between ", f->name);
		program_live(p, f->kind, r->owner, out);
		buf_puts(out, f->directed ? " to " : " and ");
		program_live(p, f->kind, v && r->value_count > 1 ? v[1] : NONE, out);
	} else if (r->what >= 0 && r->what < p->fields) {
		const struct field_info *f = &p->field[r->what];
		if (f->kind != KIND_ENCOUNTER) {
			program_owner(p, f->kind, r->owner, out);
			buf_putc(out, ' ');
		}
		buf_puts(out, f->name);
	} else {
		buf_puts(out, "something");
	}
}

static void value_of_place(const struct log *l, const struct record *r, word value, struct buf *out)
{
	struct vtype type = {.base = VT_NUMBER};
	if (r->kind == REC_CHANGE && r->flag == 1 && r->what >= 0 && r->what < l->p->pairs)
		type = l->p->pair[r->what].type;
	else if (r->what >= 0 && r->what < l->p->fields)
		type = l->p->field[r->what].type;
	if (type.base == VT_SET || type.base == VT_LIST) /* a word of it says little */
		buf_puts(out, "other");
	else
		program_value(l->p, type, &value, out);
}

static void deed_of(const struct log *l, const struct record *r, const char *between, struct buf *out)
{
	word actor = log_actor(l, r);
	if (actor != NONE) {
		program_live(l->p, KIND_COMBATANT, actor, out);
		buf_printf(out, " %s ", between);
	}
	log_deed(l, r, out);
}

/* "amount x 2: 3 -> 6": what a rule changed of what an event is about. */
static void recast_sentence(const struct log *l, const struct record *r, word old, struct buf *out)
{
	if (r->what < 0 || r->what >= l->p->events || r->owner < 0 || r->owner >= l->p->event[r->what].roles)
		return;
	const struct role_info *role = &l->p->event[r->what].role[r->owner];
	const bool whole = vtype_is_number(role->type) && !role->type.frac && role->type.base != VT_CHANCE && old != NONE && r->value != NONE;
	buf_puts(out, role->name);
	if (role->type.base == VT_SET) { /* only its first word is in the log */
		buf_puts(out, ": others than before");
		return;
	}
	if (whole && r->flag == RECAST_TIMES && old != 0 && r->value % old == 0)
		buf_printf(out, " x %lld", (long long)(r->value / old));
	else if (whole && r->flag == RECAST_ADDED) {
		buf_putc(out, ' ');
		log_change(l->p, role->type, r->value - old, out);
	}
	buf_puts(out, ": ");
	program_value(l->p, role->type, &old, out);
	buf_puts(out, " -> ");
	program_value(l->p, role->type, &r->value, out);
}

void log_sentence(const struct log *l, int32_t number, struct buf *out)
{
	const struct record *r = log_at(l, number);
	const word *v = trace_values_at(l->t, r);
	const char *told = trace_text_at(l->t, r->text);
	switch (r->kind) {
	case REC_VOID:
	case REC_REFUSED:
	case REC_CANCEL:
	case REC_LEFT:
		end_said(l, number, out);
		break;
	case REC_DECLARE:
		deed_of(l, r, "declares:", out);
		if (r->flag != BY_SCRIPT)
			buf_printf(out, " (%s)", decided_name(r->flag));
		break;
	case REC_PEND:
		if (log_is_news(l, r) || log_actor(l, r) == NONE) {
			deed_of(l, r, "is about to", out);
		} else {
			buf_putc(out, '"');
			log_deed(l, r, out);
			buf_puts(out, "\" is to come for ");
			program_live(l->p, KIND_COMBATANT, log_actor(l, r), out);
		}
		break;
	case REC_CHOICE:
		if (r->what >= 0 && r->what < l->p->choices) {
			const struct choice_info *c = &l->p->choice[r->what];
			if (r->owner != NONE) {
				program_owner(l->p, c->owner.base == VT_LIVE ? c->owner.kind : KIND_COMBATANT, r->owner, out);
				buf_putc(out, ' ');
			}
			buf_printf(out, "%s: ", c->name);
			program_value(l->p, c->type, &r->value, out);
			if (r->flag != BY_SCRIPT)
				buf_printf(out, " (%s)", decided_name(r->flag));
		}
		break;
	case REC_CHANGE:
		if (r->flag == 2)
			buf_puts(out, "the referee changes ");
		log_place(l, r, out);
		buf_puts(out, ": ");
		value_of_place(l, r, v ? v[0] : NONE, out);
		buf_puts(out, " -> ");
		value_of_place(l, r, r->value, out);
		break;
	case REC_RECAST:
		recast_sentence(l, r, v ? v[0] : NONE, out);
		break;
	case REC_EDIT:
		buf_puts(out, "the referee: ");
		if (*told) {
			buf_puts(out, told);
		} else {
			log_place(l, r, out);
			buf_puts(out, " = ");
			value_of_place(l, r, r->value, out);
		}
		break;
	default:
		buf_puts(out, told);
	}
}

void log_outcome(const struct log *l, const struct record *r, struct buf *out)
{
	static const char *const words[] = {
		[OUTCOME_OVER] = "the fight is over",
		[OUTCOME_ROUNDS] = "the round limit is reached",
		[OUTCOME_STOPPED] = "the run was stopped",
		[OUTCOME_PLAYED] = "the script ends here",
	};
	const char *told = trace_text_at(l->t, r->text);
	bool played = r->flag == OUTCOME_ROUNDS && l->p->script_rounds != 0 && r->round >= l->p->script_rounds;
	buf_puts(out, played ? words[OUTCOME_PLAYED] : r->flag < FRAY_COUNT(words) ? words[r->flag] : "the run ended");
	if (*told)
		buf_printf(out, ": %s", told);
	if (r->flag == OUTCOME_OVER && r->owner != NONE) {
		size_t at = out->length + 2;
		buf_puts(out, *told ? "; " : ": ");
		program_live(l->p, KIND_SIDE, r->owner, out);
		buf_puts(out, out->length > at && plural_is(out->data + at) ? " win" : " wins");
	}
}

bool log_told_change(const struct log *l, int32_t number, word *was)
{
	const struct program *p = l->p;
	const struct record *r = log_at(l, number), *e = r->parent >= 0 ? log_at(l, r->parent) : NULL;
	const word *old = r->kind == REC_CHANGE ? trace_values_at(l->t, r) : NULL;
	if (!old || !e || e->kind != REC_EVENT || e->text < 0 || e->what < 0 || e->what >= p->events || r->dropped || r->flag || r->what < 0 || r->what >= p->fields)
		return false;
	const struct field_info *f = &p->field[r->what];
	if (f->kind != KIND_COMBATANT || f->kept || f->type.base != VT_NUMBER || f->type.frac || old[0] == NONE || r->value == NONE || old[0] == r->value)
		return false;
	const word moved = old[0] > r->value ? old[0] - r->value : r->value - old[0];
	const word *argument = trace_values_at(l->t, e);
	*was = old[0];
	for (int k = 0; argument && k < p->event[e->what].roles; k++) {
		const struct role_info *role = &p->event[e->what].role[k];
		if (role->type.base == VT_NUMBER && role->word < e->value_count && argument[role->word] == moved)
			return true;
	}
	return false;
}
