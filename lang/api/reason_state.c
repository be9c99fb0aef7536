/* reason_state.c - why somebody is able, down, surprised, engaged: the condition with its values, when it
 * last turned, and by what. What is not so is said first. */
#include <string.h>

#include "lang/api/reason.h"
#include "lang/api/session.h"
#include "runtime/explain/absence.h"
#include "runtime/explain/explain.h"
#include "runtime/explain/sum.h"

enum { DICE_MOST = 2, EACH_MOST = 24, CHANGES_BACK = 24 };

/* "orc #3 is not able"; what a question asks, with or without its "not". */
static void state_text(struct reason *r, const struct node *n, bool so, struct buf *out)
{
	const struct names nobody = {.n = 0};
	if (n->kind == N_KIND_E_IS) {
		reason_is_text(r->f, n, &nobody, so, out);
	} else if (n->kind == N_KIND_E_HAS) {
		reason_has_text(r->f, n, &nobody, so, out);
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
void reason_turned(struct reason *r, int32_t change, word who, struct answer *out)
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
	const bool flag = trace_get(r->t, change)->flag != 1 && r->p->field[trace_get(r->t, change)->what].type.base == VT_BOOL;
	if (!line.length && flag)
		reason_compared(r->log, event_decided(r->log, trace_get(r->t, change)->parent), &line);
	if (line.length) { /* one die says more with what it was compared with */
		struct sum x;
		const int32_t test = strstr(buf_text(&line), ", ")
			? -1
			: sum_before(r->log, c->parent, change, true, "");
		if (test >= 0 && sum_read(r->log, test, &x) && sum_has_die(r->log, &x) &&
			!sum_is_trivial(&x)) {
			buf_puts(&line, ": ");
			sum_compared(r->log, &x, &line);
		}
	}
	if (line.length)
		buf_printf(&out->about, "%s %s", note >= 0 ? "," : ":", buf_text(&line));
	buf_putc(&out->about, '.');
	buf_clear(&line);
	c = trace_get(r->t, change);
	const word *v = trace_values_at(r->t, c);
	const bool pair = c->flag == 1;
	const struct vtype type = pair ? r->p->pair[c->what].type : r->p->field[c->what].type;
	/* how many rounds of a condition are left is no figure: until when it lasts is said */
	const bool counts = !pair && r->p->field[c->what].state;
	if (v && v[0] != NONE && c->value != NONE && vtype_is_number(type) && !counts) {
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
		answer_rules_from(r->p, out, &value);
		buf_free(&owner);
	}
	r->n = kept;
	answer_free(&value);
}

const struct rests *condition_rests_alone(const struct condition *c)
{
	const struct rests *x = c->rest.n == 1 ? &c->rest.v[0] : NULL;
	return x && !x->pair && x->owner != NONE ? x : NULL;
}

/* The event whose own rule sets a flag to another value, of the one whom it befalls (`alone`) or of a thing; -1. */
static int setter_of(const struct program *p, const char *flag, bool value, bool alone)
{
	struct buf set = {0};
	int found = -1;
	buf_printf(&set, "'s %s = %s", flag, value ? "yes" : "no");
	for (int c = 0; c < p->clauses && found < 0; c++) {
		const char *text =
			p->clause[c].sort == CLAUSE_ON && p->clause[c].text ? p->clause[c].text : "";
		if (strncmp(text, "on ", 3) || !strstr(text, buf_text(&set)))
			continue;
		for (int e = 0; e < p->events; e++) {
			const size_t n = strlen(p->event[e].name);
			if ((!alone || p->event[e].roles == 1) && !strncmp(text + 3, p->event[e].name, n) &&
				text[3 + n] == ' ')
				found = e;
		}
	}
	buf_free(&set);
	return found;
}

/* The comparison with a die that kept a thing from what would have changed a flag of it: "breakage 10 is more than 5 in
 * segment 6 of round 1"; the last one. */
static bool thing_withstood(struct reason *r, int field, word owner, struct answer *out)
{
	const struct field_info *f = &r->p->field[field];
	const int event = setter_of(r->p, f->name, r->p->start[f->base + (uint32_t)owner * f->stride] == 0, false);
	struct buf call = {0}, line = {0};
	if (event >= 0)
		buf_printf(&call, "{ %s (", r->p->event[event].name);
	for (int32_t i = r->end - 1; i >= 0 && event >= 0 && !line.length; i--) {
		const struct record x = *trace_get(r->t, i);
		struct sum s;
		if (x.kind != REC_SUM || x.dropped || x.clause < 0 || !strstr(r->p->clause[x.clause].text, buf_text(&call)) ||
			!sum_read(r->log, i, &s) || !s.compares || s.holds || !sum_has_die(r->log, &s) || !reason_befalls(r->log, x.parent, f->kind, owner))
			continue;
		reason_compared(r->log, i, &line);
		buf_printf(&out->about, ": %s", buf_text(&line));
		reason_when(r->log, i, &out->about);
		answer_rule_of(r->p, out, x.clause);
	}
	if (line.length)
		buf_putc(&out->about, '.');
	const bool told = line.length > 0;
	buf_free(&call);
	buf_free(&line);
	return told;
}

/* A condition that lasts and never began: its count of rounds says nothing. */
static bool never_began(
	const struct reason *r, const struct condition *c, bool holds, struct answer *out)
{
	const struct rests *x = condition_rests_alone(c);
	if (holds || !x || !r->f->model.field.v[x->field].state)
		return false;
	buf_puts(&out->about, ", and never was.");
	return true;
}

/* A flag that never changed is so because the event never came that changes it: "Hilde has -5 hit
 * points left, and it takes -10 or fewer". */
static bool never_befell(struct reason *r, const struct condition *c, struct answer *out)
{
	const struct rests *x = condition_rests_alone(c);
	const struct mfield *m = x ? &r->f->model.field.v[x->field] : NULL;
	if (!m || m->program < 0 || r->p->field[m->program].type.base != VT_BOOL)
		return false;
	if (m->kind != KIND_COMBATANT)
		return thing_withstood(r, m->program, x->owner, out);
	const struct field_info *f = &r->p->field[m->program];
	const int event =
		setter_of(r->p, f->name, vm_block(r->f->vm)[f->base + (uint32_t)x->owner * f->stride] == 0, true);
	if (event < 0)
		return false;
	const struct inquiry s = {
		.p = r->p, .t = r->t, .world = vm_block(r->f->vm), .log = *r->log, .end = r->end};
	const struct question q = {
		.kind = ASK_NOT, .event = event, .moment = INT64_MIN, .negated = true, .text = ""};
	struct answer why;
	memset(&why, 0, sizeof why);
	const bool told = absence_outcome(&s, &q, x->owner, &why) && !why.turn.sort;
	if (told) {
		buf_printf(&out->about, ": %s", buf_text(&why.about));
		answer_figures_from(out, &why);
		answer_rules_from(r->p, out, &why);
	}
	answer_free(&why);
	return told;
}

/* "party's surprise roll 6", of a side that is not surprised: the dice, of all of its kind, that
 * are called by the word. True: they fell before the first round, and that is over. */
static bool dice_called_so(const struct reason *r, int kind, struct answer *out)
{
	const struct node *is = r->n->kind == N_KIND_E_NOT ? r->n->a : r->n;
	const char *said = is && is->kind == N_KIND_E_IS && is->b && is->b->kind == N_KIND_E_NAME
		? model_text(&r->f->model, is->b->name)
		: "";
	uint64_t told = 0;
	bool early = false;
	for (int32_t i = trace_back(r->t, r->end - 1, 1u << REC_ROLL); i >= 0 && *said;
		i = trace_back(r->t, i - 1, 1u << REC_ROLL)) {
		const struct record *x = trace_get(r->t, i);
		const struct label_info *l = x->what >= 0 ? &r->p->label[x->what] : NULL;
		const size_t n = l ? strcspn(l->name, " ") : 0;
		if (n < 4 || x->dropped || x->owner < 0 || x->owner > 63 ||
			(told >> x->owner & 1) || strncmp(l->name, said, n) ||
			l->owner.base != VT_LIVE || l->owner.kind != kind)
			continue;
		struct buf b = {0};
		log_label(r->log, x, &b);
		buf_putc(&b, ' ');
		log_total(r->log, x, &b);
		answer_fall(r->log, x, &b);
		answer_figure(out, i, -1, "%s", buf_text(&b));
		answer_rule_of(r->p, out, x->clause);
		buf_free(&b);
		told |= 1ull << x->owner;
		early = x->round <= 0 && trace_get(r->t, r->end - 1)->round > 0;
	}
	return early;
}

/* "Rook knows web": the thing that is asked about; NONE: none alone. */
static word thing_had(const struct reason *r)
{
	const struct node *n = r->n;
	while (n->kind == N_KIND_E_NOT)
		n = n->a;
	const struct node *thing = n->kind == N_KIND_E_HAS ? n->b : NULL;
	if (!thing || thing->ref_kind != REF_THING || thing->ref < 0)
		return NONE;
	const int at = r->f->model.thing.v[thing->ref].program;
	return at < 0 ? NONE : at;
}

/* Nothing turned it: where the value is written, or that it changed within the bound, or, a list, when it did. */
static void unchanged(struct reason *r, const struct condition *c, struct answer *out)
{
	const struct rests *x = condition_rests_alone(c);
	const int field = x ? r->f->model.field.v[x->field].program : -1;
	const bool live = field >= 0 && field < r->p->fields && r->f->model.kind.v[r->f->model.field.v[x->field].kind].live;
	const word thing = thing_had(r);
	const bool differs = live && reason_differs(r->f, field, x->owner, thing);
	if (x && !differs)
		written(r, x, &out->about);
	if (c->rest.n)
		value_below(r, &c->rest.v[0], out);
	if (x && !differs)
		dice_called_so(r, field >= 0 ? r->p->field[field].kind : -1, out);
	const int32_t event = differs ? reason_beat_of(r->f, field, x->owner, thing) : -1;
	if (differs && (r->p->field[field].type.base == VT_LIST || r->p->field[field].type.base == VT_SET) && event >= 0) {
		buf_puts(&out->about, ", since ");
		english_event(r->log, event, MOOD_DID, &out->about);
		reason_when(r->log, event, &out->about);
		buf_putc(&out->about, '.');
	} else {
		buf_puts(&out->about, c->rest.n && !differs ? ". Nothing has changed that." : ".");
	}
}

/* "Brand was surprised: Brand's surprise was 2 segments.": what dice before the first round made
 * of somebody is over. */
static void in_the_past(
	struct reason *r, struct buf *state, struct buf *text, size_t begins, struct answer *out)
{
	struct buf said = {0};
	bool so = english_sentence(r->p, buf_text(state), MOOD_DID, &said);
	if (so && strcmp(buf_text(state), buf_text(text)) != 0) {
		buf_puts(&said, ": ");
		so = english_sentence(r->p, buf_text(text), MOOD_DID, &said);
	}
	if (so) {
		out->about.data[out->about.length = begins] = '\0';
		buf_printf(&out->about, "%s.", buf_text(&said));
	}
	buf_free(&said);
}

/* "Orm fell in round 2": what came over somebody of whom a state holds that others have a part in:
 * who stands near is engaged, though he is down. */
static void though_out(
	struct reason *r, const struct node *n, const struct condition *c, struct answer *out)
{
	const struct names nobody = {.n = 0};
	const word who = n->kind == N_KIND_E_IS ? reason_live(r->f, n->a, &nobody) : NONE;
	bool others = false;
	for (int i = 0; i < c->rest.n; i++)
		others |= c->rest.v[i].pair || c->rest.v[i].owner != who;
	if (who == NONE || !others)
		return;
	if (reason_able(r->f, who))
		return;
	struct buf line = {0};
	if (explain_came_over_told(r->p, r->t, vm_block(r->f->vm), who, &line))
		answer_figure(out, -1, -1, "%s", buf_text(&line));
	buf_free(&line);
}

/* The change that turned it, of those that what it rests on went through: the one before which it
 * was otherwise. Where none is found: the last. */
static int32_t turned_by(struct reason *r, const struct node *plain, const struct names *b, bool so,
	const struct condition *c)
{
	const int32_t last = condition_change(r->f, c);
	int32_t at = last;
	struct condition now = {0};
	for (int k = 0; k < CHANGES_BACK && at >= 0; k++) {
		struct visit v;
		bool holds = so;
		if (!reason_go_to(r->f, at, &v))
			break;
		const bool known = reason_holds(r->f, reason_put(r->f, plain, b), &holds);
		condition_free(&now);
		const bool on = known && holds == so && condition_of(r->f, plain, b, so, &now);
		reason_back(r->f, &v);
		if (known && holds != so)
			return at;
		if (!on)
			break;
		at = condition_change_before(r->f, &now, at);
	}
	condition_free(&now);
	return last;
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
	if (!holds && want && n->kind == N_KIND_E_IS && reason_over(r, n, b, out)) {
		buf_free(&state);
		return true;
	}
	if (correct && holds != want)
		answer_premise(out, PREMISE_OTHER);
	const size_t begins = out->about.length;
	buf_puts(&out->about, buf_text(&state));
	if (condition_of(r->f, plain, b, holds, &c)) {
		const int32_t change = turned_by(r, plain, b, holds, &c);
		if (change < 0 && (never_began(r, &c, holds, out) || never_befell(r, &c, out))) {
			condition_free(&c);
			buf_free(&state);
			buf_free(&text);
			return true;
		}
		const struct rests *alone = condition_rests_alone(&c);
		const bool longer = alone && !alone->pair && r->f->model.field.v[alone->field].state &&
			!strncmp(buf_text(&c.text), buf_text(&state), state.length);
		if (longer) /* "Bruna is held until the end of round 2" */
			buf_puts(&out->about, buf_text(&c.text) + state.length);
		else if (strcmp(buf_text(&c.text), buf_text(&state)) != 0)
			buf_printf(&out->about, ": %s", buf_text(&c.text));
		for (int i = 0; i < c.clause.n; i++)
			if (r->p->clause[c.clause.v[i]].cite && *r->p->clause[c.clause.v[i]].cite)
				answer_rule_of(r->p, out, c.clause.v[i]);
		r->turns = change >= 0;
		if (change >= 0) {
			const struct record *ch = trace_get(r->t, change);
			reason_turned(r, change,
				ch->flag != 1 && r->p->field[ch->what].kind == KIND_COMBATANT
					? ch->owner
					: NONE,
				out);
		} else {
			unchanged(r, &c, out);
		}
		if (holds)
			though_out(r, n, &c, out);
		bool early = c.early;
		if (c.dice.length)
			answer_figure(out, -1, -1, "%s", buf_text(&c.dice));
		else if (change < 0 && c.rest.n == 0 && !holds)
			early = dice_called_so(r, KIND_SIDE, out);
		if (early && change < 0)
			in_the_past(r, &state, &c.text, begins, out);
		condition_free(&c);
	} else {
		buf_putc(&out->about, '.');
	}
	buf_free(&state);
	buf_free(&text);
	return true;
}

/* A state of each of several: it is told once of those of whom the same is to be said. */
static void each_state(
	struct reason *r, const struct node *n, const word *who, int k, bool want, struct answer *out)
{
	bool told[EACH_MOST] = {false};
	struct answer one[EACH_MOST];
	struct buf same[EACH_MOST];
	memset(one, 0, sizeof one);
	memset(same, 0, sizeof same);
	k = k < EACH_MOST ? k : EACH_MOST;
	for (int i = 0; i < k; i++) {
		struct names b = {.n = 0};
		names_bind(&b, n->a->name, KIND_COMBATANT, who[i]);
		told[i] = !state_of(r, n, &b, want, false, &one[i]);
		english_nameless(buf_text(&one[i].about),
			r->p->live[KIND_COMBATANT][who[i]].name, &same[i]);
	}
	for (int i = 0; i < k; i++) {
		word others[EACH_MOST];
		int m = 0;
		if (told[i])
			continue;
		if (!out->about.length) {
			out->premise = one[i].premise;
			out->premise_length = one[i].premise_length;
		}
		buf_printf(&out->about, "%s%s", out->about.length ? " " : "", buf_text(&one[i].about));
		answer_figures_from(out, &one[i]);
		answer_rules_from(r->p, out, &one[i]);
		for (int j = i + 1; j < k; j++)
			if (!told[j] && !strcmp(buf_text(&same[i]), buf_text(&same[j]))) {
				told[j] = true;
				others[m++] = who[j];
			}
		if (m) {
			buf_puts(&out->about, " The same goes for ");
			answer_people(r->p, others, m, &out->about);
			buf_putc(&out->about, '.');
		}
	}
	for (int i = 0; i < k; i++) {
		answer_free(&one[i]);
		buf_free(&same[i]);
	}
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
			each_state(r, n, who, k, want, out);
			return out->about.length > 0;
		}
	}
	return state_of(r, n, &nobody, want, true, out);
}
