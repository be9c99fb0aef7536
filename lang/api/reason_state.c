/* reason_state.c - why somebody is able, down, surprised, engaged: the condition with its values, when it
 * last turned, and by what. What is not so is said first. */
#include <string.h>

#include "lang/api/reason.h"

enum { DICE_MOST = 2 };

/* "orc #3 is not able"; what a question asks, with or without its "not". */
static void state_text(struct reason *r, const struct node *n, bool so, struct buf *out)
{
	const struct names nobody = {.n = 0};
	if (n->kind == N_KIND_E_IS) {
		reason_is_text(r->f, n, &nobody, so, out);
	} else if (n->kind == N_KIND_E_HAS) {
		reason_text(r->f, n->a, &nobody, out);
		buf_puts(out, so ? " has " : " has no ");
		reason_text(r->f, n->b, &nobody, out);
	} else {
		reason_text(r->f, n, &nobody, out);
		buf_puts(out, so ? ": yes" : ": no");
	}
}

/* What a rule noted of somebody beside a change: "orc #3 is caught in the web"; -1. */
static int32_t note_beside(const struct reason *r, int32_t change, word who)
{
	const struct record c = *trace_get(r->t, change);
	const char *name = who >= 0 && who < r->p->lives[KIND_COMBATANT] ? r->p->live[KIND_COMBATANT][who].name : NULL;
	for (int32_t i = c.parent >= 0 ? log_child(r->log, c.parent) : -1; i >= 0 && name; i = log_sibling(r->log, i)) {
		const struct record *x = trace_get(r->t, i);
		if (x->kind == REC_NOTE && !x->dropped && i > change - 4 && i < change + 4 && !strncmp(trace_text_at(r->t, x->text), name, strlen(name)))
			return i;
	}
	return -1;
}

/* The dice that fell in the same event before it: "Mirel's save 4 [d20: 4, forced]". */
static void dice_beside(const struct reason *r, int32_t change, struct buf *out)
{
	const int32_t parent = trace_get(r->t, change)->parent;
	int n = 0;
	for (int32_t i = parent >= 0 ? log_child(r->log, parent) : -1; i >= 0 && i < change && n < DICE_MOST; i = log_sibling(r->log, i)) {
		const struct record *d = trace_get(r->t, i);
		if (d->kind != REC_ROLL || d->dropped)
			continue;
		buf_puts(out, n++ ? ", " : "");
		log_label(r->log, d, out);
		buf_putc(out, ' ');
		log_total(r->log, d, out);
		answer_fall(r->log, d, out);
	}
}

/* " since segment 6 of round 1, when Halvaine's web was complete" */
static void turned_add(struct reason *r, int32_t change, word who, struct answer *out)
{
	struct buf when = {0};
	const struct record *c = trace_get(r->t, change);
	const int32_t clause = c->clause;
	const bool by_hand = c->flag == 2;
	buf_printf(&out->about, ", since %s, ", answer_when(r->log, change, &when) ? buf_text(&when) : "before the first round");
	if (by_hand) {
		buf_puts(&out->about, "by the referee's hand");
	} else {
		const int32_t deed = reason_deed(r->log, change);
		if (clause >= 0 && (deed < 0 || !reason_is_told(r->log, deed))) {
			buf_printf(&out->about, "by the rule \"%s\"", r->p->clause[clause].rule);
		} else {
			buf_puts(&out->about, "when ");
			reason_deed_text(r->log, change, &out->about);
		}
	}
	const int32_t note = note_beside(r, change, who);
	if (note >= 0)
		buf_printf(&out->about, ": %s", trace_text_at(r->t, trace_get(r->t, note)->text));
	struct buf line = {0};
	dice_beside(r, change, &line);
	if (line.length)
		buf_printf(&out->about, "%s %s", note >= 0 ? "," : ":", buf_text(&line));
	buf_putc(&out->about, '.');
	buf_clear(&line);
	c = trace_get(r->t, change);
	const word *v = trace_values_at(r->t, c);
	const bool pair = c->flag == 1;
	const struct vtype type = pair ? r->p->pair[c->what].type : r->p->field[c->what].type;
	if (v && v[0] != NONE && c->value != NONE && vtype_is_number(type)) {
		const word old = v[0], now = c->value;
		log_place(r->log, c, &line);
		buf_puts(&line, ": ");
		program_value(r->p, type, &old, &line);
		if (!type.frac && type.base != VT_CHANCE && now != old) {
			const word by = now < old ? old - now : now - old;
			buf_puts(&line, now < old ? " - " : " + ");
			program_value(r->p, type, &by, &line);
			buf_puts(&line, " = ");
		} else {
			buf_puts(&line, ", then ");
		}
		program_value(r->p, type, &now, &line);
		answer_figure(out, change, clause, "%s", buf_text(&line));
	}
	answer_rule_of(r->p, out, clause);
	buf_free(&line);
	buf_free(&when);
}

/* Combatants that what is asked is about: a side, or all of a sort. */
static int several(struct reason *r, const struct node *n, word *who, int most)
{
	const struct names nobody = {.n = 0};
	const int32_t mark = r->t->n;
	const struct program *p = r->p;
	const struct field_info *side = &p->field[p->at.combatant_side];
	struct probe x;
	int found = 0;
	bool ok = reason_worth(r->f, reason_put(r->f, n, &nobody), false, &x);
	for (int i = 0; ok && i < p->lives[KIND_COMBATANT] && found < most; i++) {
		bool his = x.type.base == VT_SET && (x.value[i / 64] >> (i % 64) & 1);
		his |= x.type.base == VT_LIVE && x.type.kind == KIND_SIDE && vm_block(r->f->vm)[side->base + (uint32_t)i * side->stride] == x.value[0];
		if (his)
			who[found++] = i;
	}
	reason_close(r->f, &x, mark);
	return found;
}

/* ", as in things.fray, line 37": the stored value that it rests on. */
static void written(struct reason *r, const struct rests *x, struct buf *out)
{
	const struct stated s = stated_find(r->f, x->field, x->owner);
	if (s.sort != STATED_BY_SCENE && s.sort != STATED_BY_BLOCK)
		return;
	buf_puts(out, ", as in ");
	stated_place(r->f, s.at, out);
}

/* What rules make of the stored value that it rests on: "Brand's surprise is 2 segments: ..". */
static void value_below(struct reason *r, const struct rests *x, struct answer *out)
{
	const struct model *m = &r->f->model;
	const struct mfield *field = x->pair ? NULL : &m->field.v[x->field];
	if (!field || x->owner == NONE || !type_number(field->type) || model_question_of(m, field->kind, field->name, false) < 0)
		return;
	struct node *kept = r->n, *n = node_new(&r->f->arena, N_KIND_E_FIELD, kept->span);
	struct answer value;
	n->name = field->name;
	n->a = node_new(&r->f->arena, N_KIND_E_NAME, kept->span);
	n->a->name = intern_word(r->f->names, r->p->live[field->kind][x->owner].name);
	memset(&value, 0, sizeof value);
	r->n = n;
	if (reason_value(r, &value)) {
		struct buf owner = {0};
		program_owner(r->p, field->kind, x->owner, &owner);
		answer_figure(out, -1, -1, "%s %s: %s", buf_text(&owner), model_text(m, field->name), buf_text(&value.about));
		for (int i = 0; i < value.rule.n; i++)
			answer_rule_of(r->p, out, value.rule.v[i]);
		buf_free(&owner);
	}
	r->n = kept;
	answer_free(&value);
}

/* Nothing turned it: where the value is written, or that it changed within the bound, or, a list, when it did. */
static void unchanged(struct reason *r, const struct condition *c, struct answer *out)
{
	const struct rests *x = c->rest.n == 1 && !c->rest.v[0].pair && c->rest.v[0].owner != NONE ? &c->rest.v[0] : NULL;
	const int field = x ? r->f->model.field.v[x->field].program : -1;
	const bool live = field >= 0 && field < r->p->fields && r->f->model.kind.v[r->f->model.field.v[x->field].kind].live;
	const bool differs = live && reason_differs(r->f, field, x->owner);
	if (x && !differs)
		written(r, x, &out->about);
	if (c->rest.n)
		value_below(r, &c->rest.v[0], out);
	const int32_t event = differs ? reason_beat_of(r->f, field, x->owner) : -1;
	if (differs && (r->p->field[field].type.base == VT_LIST || r->p->field[field].type.base == VT_SET) && event >= 0) {
		buf_puts(&out->about, ", since ");
		english_event(r->log, event, MOOD_DID, &out->about);
		reason_when(r->log, event, &out->about);
		buf_putc(&out->about, '.');
	} else {
		buf_puts(&out->about, c->rest.n && !differs ? ". Nothing has changed that." : ".");
	}
}

/* One state of one: the sentence is added to `out`. False: it cannot be worked out. */
static bool state_of(struct reason *r, const struct node *n, const struct names *b, bool want, bool correct, struct answer *out)
{
	struct condition c;
	bool holds;
	struct node *x = reason_put(r->f, n, b);
	x->num = n->kind == N_KIND_E_IS ? 0 : x->num;
	if (!reason_holds(r->f, x, &holds))
		return false;
	struct node *plain = node_new(&r->f->arena, n->kind, n->span);
	*plain = *n;
	plain->num = n->kind == N_KIND_E_IS ? 0 : n->num;
	plain->next = NULL;
	struct buf state = {0}, text = {0};
	if (n->kind == N_KIND_E_IS) {
		reason_is_text(r->f, n, b, holds, &state);
	} else {
		state_text(r, n, holds, &state);
	}
	if (correct && holds != want)
		buf_puts(&out->about, "It is the other way round: ");
	buf_puts(&out->about, buf_text(&state));
	if (condition_of(r->f, plain, b, holds, &c)) {
		const int32_t change = condition_change(r->f, &c);
		if (strcmp(buf_text(&c.text), buf_text(&state)) != 0)
			buf_printf(&out->about, ": %s", buf_text(&c.text));
		for (int i = 0; i < c.clause.n; i++)
			if (r->p->clause[c.clause.v[i]].cite && *r->p->clause[c.clause.v[i]].cite)
				answer_rule_of(r->p, out, c.clause.v[i]);
		r->turns = change >= 0;
		if (change >= 0) {
			const struct record *ch = trace_get(r->t, change);
			turned_add(r, change, ch->flag != 1 && r->p->field[ch->what].kind == KIND_COMBATANT ? ch->owner : NONE, out);
		} else {
			unchanged(r, &c, out);
		}
		if (c.dice.length)
			answer_figure(out, -1, -1, "%s", buf_text(&c.dice));
		condition_free(&c);
	} else {
		buf_putc(&out->about, '.');
	}
	buf_free(&state);
	buf_free(&text);
	return true;
}

bool reason_state(struct reason *r, struct answer *out)
{
	struct node *n = r->n;
	const struct names nobody = {.n = 0};
	word who[64];
	bool want = !r->negated;
	while (n->kind == N_KIND_E_NOT)
		n = n->a; /* r->negated has it, and "is not", too */
	if (n->kind != N_KIND_E_IS && n->kind != N_KIND_E_BINARY && n->kind != N_KIND_E_CALL && n->kind != N_KIND_E_FIELD && n->kind != N_KIND_E_AGG && n->kind != N_KIND_E_HAS)
		return false;
	if (n->kind == N_KIND_E_BINARY && n->op < BIN_EQ)
		return false;
	if (n->kind == N_KIND_E_IS && n->a->kind == N_KIND_E_NAME) {
		bool holds;
		const int k = several(r, n->a, who, 64);
		struct node *whole = reason_put(r->f, n, &nobody);
		whole->num = 0;
		/* of a side as a whole, where that can be said */
		if (k > 0 && !reason_holds(r->f, whole, &holds)) {
			for (int i = 0; i < k && i < 8; i++) {
				struct names b = {.n = 0};
				struct answer one = {0};
				names_bind(&b, n->a->name, KIND_COMBATANT, who[i]);
				if (state_of(r, n, &b, want, false, &one))
					buf_printf(&out->about, "%s%s", i ? " " : "", buf_text(&one.about));
				answer_free(&one);
			}
			return out->about.length > 0;
		}
	}
	return state_of(r, n, &nobody, want, true, out);
}
