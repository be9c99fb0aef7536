/* reason_value.c - what a value is: where it was written, what changed it since, what rules add to it now. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lang/api/reason.h"

enum { CHANGES_MOST = 400, SAID_MOST = 3, LINES_MOST = 4, LIST_MOST = 3, ROLLS_BACK = 16, CARRIED_MOST = 16 };

/* A stored value: a field of somebody, or of a pair. */
struct place { int field; bool pair; int program; word owner, other; struct vtype type; const char *name; };

static void value_add(const struct program *p, struct vtype type, word value, struct buf *out)
{
	program_value(p, type, &value, out);
}

static bool whole(struct vtype t)
{
	return vtype_is_number(t) && !t.frac && t.base != VT_CHANCE;
}

/* ---- what changed it ---- */

static int changes_of(const struct reason *r, const struct place *x, int32_t *at)
{
	int n = 0;
	int32_t i = r->end;
	while (n < CHANGES_MOST) {
		i = x->pair ? trace_back(r->t, i - 1, 1u << REC_CHANGE) : trace_back_to_change(r->t, i - 1, x->program, x->owner);
		if (i < 0)
			break;
		const struct record *c = trace_get(r->t, i);
		const word *v = trace_values_at(r->t, c);
		if (c->dropped || !v || (c->flag == 1) != x->pair)
			continue;
		if (x->pair && (c->what != x->program || c->value_count < 2 || !((c->owner == x->owner && v[1] == x->other) || (c->owner == x->other && v[1] == x->owner))))
			continue;
		if (v[0] == c->value && x->type.base != VT_LIST && x->type.base != VT_SET)
			continue;
		at[n++] = i;
	}
	return n;
}

static word old_value(const struct reason *r, int32_t change)
{
	const word *v = trace_values_at(r->t, trace_get(r->t, change));
	return v ? v[0] : NONE;
}

/* The roll that a change took its value from; -1. */
static int32_t roll_of(const struct reason *r, int32_t change)
{
	const struct record c = *trace_get(r->t, change);
	for (int32_t i = change - 1; i >= 0 && i >= change - ROLLS_BACK; i--) {
		const struct record *x = trace_get(r->t, i);
		if (x->kind == REC_ROLL && !x->dropped && x->parent == c.parent && x->owner == c.owner && x->value == c.value)
			return i;
	}
	return -1;
}

/* Whether it was changed by an amount, not set to one. */
static bool by_amount(const struct reason *r, int32_t change)
{
	size_t n;
	const struct span at = trace_get(r->t, change)->span;
	if (at.file == 0)
		return false;
	const char *text = sources_text(&r->f->sources, at, &n);
	return n > 6 && !strncmp(text, "change", 6);
}

/* What somebody had declared in the moment of a change that no told event is around: what is paid for it; -1. */
static int32_t declared_for(const struct reason *r, int32_t change)
{
	const struct record c = *trace_get(r->t, change);
	const int32_t up = c.parent;
	const word who = up >= 0 && trace_get(r->t, up)->kind == REC_EVENT ? log_actor(r->log, log_at(r->log, up)) : NONE;
	if (who == NONE || who != c.owner || c.flag == 1)
		return -1;
	for (int32_t i = change - 1; i >= 0; i--) {
		const struct record x = *trace_get(r->t, i);
		if (x.round != c.round || x.time != c.time)
			return -1;
		if (x.kind == REC_DECLARE && !x.dropped && x.owner == who)
			return i;
	}
	return -1;
}

/* " when orc #2 attacked Bruna in segment 5 of round 1" */
void reason_cause(const struct reason *r, int32_t change, struct buf *out)
{
	const struct record *c = trace_get(r->t, change);
	if (c->flag == 2 || (c->clause < 0 && c->parent < 0)) {
		buf_puts(out, " by the referee's hand");
	} else {
		const int32_t deed = reason_deed(r->log, change), clause = c->clause;
		const bool told = deed >= 0 && reason_is_told(r->log, deed);
		const int32_t declared = told ? -1 : declared_for(r, change);
		if (declared >= 0) {
			buf_puts(out, " when ");
			english_event(r->log, declared, MOOD_DID, out);
		} else if (clause >= 0 && !told) {
			buf_printf(out, " by the rule \"%s\"", r->p->clause[clause].rule);
		} else {
			buf_puts(out, " when ");
			reason_deed_text(r->log, change, out);
		}
	}
	reason_when(r->log, change, out);
}

/* ---- stored values ---- */

/* ", as in things.fray, line 37"; false: nothing says so. */
static bool stated_add(struct reason *r, const struct place *x, bool brackets, struct buf *out)
{
	if (x->pair)
		return false;
	struct stated s = stated_find(r->f, x->field, x->owner);
	if (s.sort != STATED_BY_SCENE && s.sort != STATED_BY_BLOCK)
		return false;
	buf_puts(out, brackets ? " (" : ", as in ");
	stated_place(r->f, s.at, out);
	if (s.inherited)
		buf_printf(out, brackets ? ", %s" : " (%s)", model_text(&r->f->model, r->f->model.thing.v[s.thing].name));
	if (brackets)
		buf_putc(out, ')');
	return true;
}

static void never_changed(struct reason *r, const struct place *x, const char *value, struct answer *out)
{
	const char *it = reason_plural(x->name) ? "them" : "it";
	buf_puts(&out->about, value);
	if (stated_add(r, x, false, &out->about))
		buf_printf(&out->about, ". Nothing has changed %s.", it);
	else if (x->pair)
		buf_printf(&out->about, ": so it was at the start. Nothing has changed %s.", it);
	else if (!strcmp(value, "none"))
		buf_printf(&out->about, ": nothing is said of %s, and nothing has changed %s.", it, it);
	else
		buf_printf(&out->about, ": as for everybody of whom nothing else is said. Nothing has changed %s.", it);
}

static void die_text(const struct reason *r, int32_t roll, struct buf *out)
{
	const struct record *d = trace_get(r->t, roll);
	const word *v = trace_values_at(r->t, d);
	struct buf label = {0};
	log_label(r->log, d, &label);
	buf_printf(out, " (%s", buf_text(&label));
	if (v && v[0] >= 0 && v[0] < r->p->dices)
		buf_printf(out, ", %s", r->p->dice[v[0]].text);
	if (d->flag != DIE_ROLLED)
		buf_printf(out, ", %s", die_source_name(d->flag));
	buf_putc(out, ')');
	buf_free(&label);
}

/* "round 2"; "the surprise": the round that a die belongs to. */
static void die_of(const struct reason *r, int32_t change, struct buf *out)
{
	struct buf when = {0};
	if (answer_when(r->log, change, &when))
		buf_printf(out, "the die of %s", buf_text(&when));
	else
		buf_puts(out, "the die rolled before the first round");
	buf_free(&when);
}

/* "1: the die of round 2 (d6). In round 1 it was 4 (forced)." */
static void by_die(struct reason *r, const struct place *x, const char *value, const int32_t *at, int n, int32_t roll, struct answer *out)
{
	/* "in round 2": what it was then comes first */
	const struct record now = *trace_get(r->t, roll);
	for (int32_t i = trace_back(r->t, r->end - 1, 1u << REC_ROLL);
		i >= 0 && r->round > 0 && now.round != r->round && !out->about.length;
		i = trace_back(r->t, i - 1, 1u << REC_ROLL)) {
		const struct record d = *trace_get(r->t, i);
		if (d.dropped || d.round != r->round || d.what != now.what || d.owner != now.owner)
			continue;
		value_add(r->p, x->type, d.value, &out->about);
		buf_printf(&out->about, ": the die of round %d", d.round);
		die_text(r, i, &out->about);
		buf_puts(&out->about, ". Now it is ");
	}
	/* thrown again since, and fallen alike: that changed nothing */
	const uint32_t rolls = 1u << REC_ROLL;
	int32_t last = trace_back(r->t, r->end - 1, rolls);
	while (last > roll &&
		(trace_get(r->t, last)->dropped || trace_get(r->t, last)->what != now.what ||
			trace_get(r->t, last)->owner != now.owner))
		last = trace_back(r->t, last - 1, rolls);
	const bool again = last > roll && trace_get(r->t, last)->value == now.value;
	const bool other_round = out->about.length > 0;
	buf_printf(&out->about, "%s: ", value);
	die_of(r, again ? last : at[0], &out->about);
	die_text(r, again ? last : roll, &out->about);
	buf_putc(&out->about, '.');
	answer_rule_of(r->p, out, trace_get(r->t, at[0])->clause);
	for (int i = 1, told = 0; i < n && told < SAID_MOST && !other_round; i++) {
		const int32_t before = roll_of(r, at[i]);
		if (before < 0)
			continue;
		struct buf when = {0};
		const struct record *d = trace_get(r->t, before);
		if (answer_when(r->log, at[i], &when))
			buf_printf(&out->about, " In %s it was ", buf_text(&when));
		else
			buf_puts(&out->about, " Before the first round it was ");
		value_add(r->p, x->type, trace_get(r->t, at[i])->value, &out->about);
		if (d->flag != DIE_ROLLED)
			buf_printf(&out->about, " (%s)", die_source_name(d->flag));
		buf_putc(&out->about, '.');
		buf_free(&when);
		told++;
	}
}

static void amount_add(const struct program *p, struct vtype type, word by, struct buf *out)
{
	value_add(p, type, by < 0 ? -by : by, out);
}

/* Changes by an amount: what was gathered elsewhere and came to it at once is several. */
struct steps { struct step at[CHANGES_MOST]; int n; int changes; /* of the field, the last ones, that they stand for */ };

static void steps_of(const struct reason *r, const struct place *x, const int32_t *at, int n, struct steps *out)
{
	int32_t from[CARRIED_MOST];
	out->n = out->changes = 0;
	for (int i = 0; i < n && whole(x->type); i++) {
		const word old = old_value(r, at[i]), now = trace_get(r->t, at[i])->value;
		if (old == NONE || now == NONE)
			break;
		const int k =
			by_amount(r, at[i]) || x->pair ? 0 : event_carried(r->log, at[i], from, CARRIED_MOST);
		if (out->n + k + 1 >= CHANGES_MOST || (k == 0 && !by_amount(r, at[i])))
			break;
		if (k == 0)
			out->at[out->n++] = (struct step){at[i], now - old};
		for (int j = 0; j < k; j++) {
			const word by = trace_get(r->t, from[j])->value - old_value(r, from[j]);
			out->at[out->n++] = (struct step){from[j], now < old ? -by : by};
		}
		out->changes++;
	}
}

/* Where the first of them began: ", as in ..", or what set it before. */
static void begun_add(struct reason *r, const struct place *x, const int32_t *at, int changes, int n, struct buf *out)
{
	struct buf since = {0};
	if (n <= changes) {
		if (!stated_add(r, x, true, out))
			buf_puts(out, " at first");
		return;
	}
	const int32_t clause = trace_get(r->t, at[changes])->clause;
	const bool when = answer_when(r->log, at[changes], &since);
	buf_printf(out, " (set %s%s", when ? "in " : "before the first round", buf_text(&since));
	if (clause >= 0)
		buf_printf(out, ", rule \"%s\"", r->p->clause[clause].rule);
	buf_putc(out, ')');
	buf_free(&since);
}

/* `after` is the one before it, or NULL: of two that one deed brought, the second is told with the rule behind it. */
static void step_add(const struct reason *r, const struct place *x, const struct step *s, const struct step *after, struct buf *out)
{
	const int32_t clause = trace_get(r->t, s->record)->clause;
	buf_puts(out, s->by < 0 ? "less " : "plus ");
	amount_add(r->p, x->type, s->by, out);
	if (after && clause >= 0 && trace_get(r->t, after->record)->clause != clause && reason_deed(r->log, s->record) >= 0 &&
		reason_deed(r->log, s->record) == reason_deed(r->log, after->record))
		buf_printf(out, " at the same time, by the rule \"%s\"", r->p->clause[clause].rule);
	else
		reason_cause(r, s->record, out);
}

static word begun_with(const struct reason *r, const struct place *x)
{
	const struct field_info *f = &r->p->field[x->program];
	return r->p->start[f->base + (uint32_t)x->owner * f->stride];
}

/* "23: 31 (things.fray, line 43), less 2 when .., less 6 when ..": at[] are all changes of the field, the last first. */
static void by_amounts(struct reason *r, const struct place *x, const char *value, const int32_t *at, int n, const struct steps *s, struct answer *out)
{
	const word first = s->changes ? old_value(r, at[s->changes - 1])
		: n                   ? trace_get(r->t, at[0])->value
				      : begun_with(r, x);
	word now = first;
	for (int i = 0; i < s->n; i++)
		now += s->at[i].by;
	buf_printf(&out->about, "%s: ", value);
	value_add(r->p, x->type, first, &out->about);
	begun_add(r, x, at, s->changes, n, &out->about);
	if (s->n <= SAID_MOST) {
		for (int i = s->n - 1; i >= 0; i--) {
			buf_puts(&out->about, ", ");
			step_add(r, x, &s->at[i], i + 1 < s->n ? &s->at[i + 1] : NULL, &out->about);
		}
		buf_putc(&out->about, '.');
		return;
	}
	buf_puts(&out->about, now < first ? ", less " : ", plus ");
	amount_add(r->p, x->type, now - first, &out->about);
	buf_printf(&out->about, " in %d changes, the last ", s->n);
	buf_puts(&out->about, (s->at[0].by < 0) == (now < first) ? "of " : s->at[0].by < 0 ? "less " : "plus ");
	amount_add(r->p, x->type, s->at[0].by, &out->about);
	reason_cause(r, s->at[0].record, &out->about);
	buf_putc(&out->about, '.');
	struct buf b = {0};
	value_add(r->p, x->type, first, &b);
	answer_addend(out, -1, -1, first, 1, "%s at first", buf_text(&b));
	const int told = s->n > LINES_MOST ? LINES_MOST - 1 : s->n;
	if (told < s->n) {
		word by = 0;
		for (int i = told; i < s->n; i++)
			by += s->at[i].by;
		buf_clear(&b);
		buf_puts(&b, by < 0 ? "less " : "plus ");
		amount_add(r->p, x->type, by, &b);
		answer_addend(out, s->at[told].record, -1, by, 1, "%s in the %d changes before", buf_text(&b), s->n - told);
	}
	for (int i = told - 1; i >= 0; i--) {
		buf_clear(&b);
		step_add(r, x, &s->at[i], i + 1 < told ? &s->at[i + 1] : NULL, &b);
		answer_addend(out, s->at[i].record, trace_get(r->t, s->at[i].record)->clause, s->at[i].by, 1, "%s", buf_text(&b));
	}
	answer_total(out, s->at[0].record, -1, now, 1, "makes %s", value);
	buf_free(&b);
}

/* "Ann's lost levels 5": the values of the owner's that a `set` reads, as they were then, if they ever changed or the fight had
 * not begun. */
static void reads_add(struct reason *r, const struct place *x, int32_t change, struct answer *out)
{
	size_t length;
	const struct record c = *trace_get(r->t, change);
	const char *text = c.span.file ? sources_text(&r->f->sources, c.span, &length) : NULL;
	struct buf all = {0}, line = {0};
	if (text)
		buf_add(&all, text, length);
	const char *from = text ? strchr(buf_text(&all), '=') : NULL;
	for (int i = 0, n = 0; from && !x->pair && i < r->p->fields && n < SAID_MOST; i++) {
		const struct field_info *f = &r->p->field[i];
		if (f->kind != r->p->field[x->program].kind || f->kept || f->hidden || i == x->program || f->words != 1 || !vtype_is_number(f->type))
			continue;
		buf_clear(&line);
		buf_printf(&line, "'s %s", f->name);
		const char *at = strstr(from, buf_text(&line));
		const char next = at ? at[line.length] : 'x';
		if (!at || isalnum((unsigned char)next) || (next == ' ' && isalpha((unsigned char)at[line.length + 1])))
			continue;
		const int32_t last = trace_back_to_change(r->t, change - 1, i, x->owner);
		const word value = last >= 0 ? trace_get(r->t, last)->value : r->p->start[f->base + (uint32_t)x->owner * f->stride];
		if (value == NONE || (last < 0 && c.round > 0))
			continue;
		buf_clear(&line);
		program_owner(r->p, f->kind, x->owner, &line);
		buf_printf(&line, " %s ", f->name);
		value_add(r->p, f->type, value, &line);
		if (last >= 0 && trace_get(r->t, last)->round > 0)
			reason_cause(r, last, &line);
		answer_figure(out, last, -1, "%s", buf_text(&line));
		n++;
	}
	buf_free(&all);
	buf_free(&line);
}

static void by_setting(struct reason *r, const struct place *x, const char *value, const int32_t *at, int n, struct answer *out)
{
	const bool several = x->type.base == VT_LIST || x->type.base == VT_SET;
	const word old = old_value(r, at[0]);
	const struct record c = *trace_get(r->t, at[0]);
	const int32_t deed = reason_deed(r->log, at[0]);
	struct buf when = {0};
	const bool begun = answer_when(r->log, at[0], &when);
	buf_printf(&out->about, begun ? "%s, since %s" : "%s: set before the first round", value, buf_text(&when));
	if (c.flag == 2) {
		buf_puts(&out->about, ", by the referee's hand");
	} else if (deed >= 0 && reason_is_told(r->log, deed)) {
		buf_puts(&out->about, begun ? ", when " : " when ");
		reason_deed_text(r->log, at[0], &out->about);
	} else if (c.clause >= 0) {
		buf_puts(&out->about, begun ? "," : "");
		buf_printf(&out->about, " by the rule \"%s\"", r->p->clause[c.clause].rule);
	} else { /* the script's own line */
		struct buf place = {0};
		stated_place(r->f, c.span, &place);
		if (place.length)
			buf_printf(&out->about, begun ? ", set in %s" : " in %s", buf_text(&place));
		buf_free(&place);
	}
	if (!several && old != NONE) {
		buf_puts(&out->about, "; before that ");
		value_add(r->p, x->type, old, &out->about);
		if (n == 1)
			stated_add(r, x, false, &out->about);
	} else if (several && n > 1) {
		buf_printf(&out->about, "; it has changed %d times", n);
	}
	buf_putc(&out->about, '.');
	reads_add(r, x, at[0], out);
	answer_rule_of(r->p, out, c.clause);
	buf_free(&when);
}

/* "Web: magic missile, web (osric.fray, line 4), less magic missile when ..": a list that is not what it was. */
static void list_changed(struct reason *r, const struct place *x, const char *value, struct answer *out)
{
	struct buf first = {0}, step[LIST_MOST];
	const struct field_info *f = &r->p->field[x->program];
	memset(step, 0, sizeof step);
	const int n = reason_list_steps(r, x->program, x->owner, step, LIST_MOST);
	buf_printf(&out->about, "%s: ", value);
	if (x->type.base == VT_LIST) {
		program_list(r->p, x->type, r->p->start + f->base + (uint32_t)x->owner * f->stride, f->words - 1, &first);
		buf_puts(&out->about, buf_text(&first));
	}
	if (!stated_add(r, x, true, &out->about))
		buf_puts(&out->about, " at first");
	if (n > LIST_MOST)
		buf_printf(&out->about, ", and %d changes before these", n - LIST_MOST);
	for (int i = (n < LIST_MOST ? n : LIST_MOST) - 1; i >= 0; i--) {
		if (step[i].length)
			buf_printf(&out->about, ", %s", buf_text(&step[i]));
	}
	const int32_t event = n == 0 ? reason_beat_of(r->f, x->program, x->owner, NONE) : -1;
	if (event >= 0) {
		buf_puts(&out->about, "; it changed last when ");
		english_event(r->log, event, MOOD_DID, &out->about);
		reason_when(r->log, event, &out->about);
	}
	buf_putc(&out->about, '.');
	for (int i = 0; i < LIST_MOST; i++)
		buf_free(&step[i]);
	buf_free(&first);
}

static void stored(struct reason *r, const struct place *x, const char *value, struct answer *out);

/* What somebody has none of and their side has: "the party's, 1: the die of round 1". */
static bool stored_of_side(struct reason *r, const struct place *x, struct answer *out)
{
	const struct program *p = r->p;
	const struct field_info *of = &p->field[p->at.combatant_side];
	if (x->pair || p->field[x->program].kind != KIND_COMBATANT)
		return false;
	const word side = vm_block(r->f->vm)[of->base + (uint32_t)x->owner * of->stride];
	for (int i = 0; i < r->f->model.field.n && side != NONE; i++) {
		const struct mfield *m = &r->f->model.field.v[i];
		if (m->kind != KIND_SIDE || m->program < 0 ||
			strcmp(p->field[m->program].name, x->name) != 0)
			continue;
		const struct field_info *f = &p->field[m->program];
		const word value = vm_block(r->f->vm)[f->base + (uint32_t)side * f->stride];
		const struct place there = {i, false, m->program, side, NONE, f->type, f->name};
		struct buf text = {0};
		if (value == NONE)
			return false;
		value_add(p, f->type, value, &text);
		buf_printf(&out->about, "The %s's %s counts for %s, and is ",
			p->live[KIND_SIDE][side].name, x->name, p->live[KIND_COMBATANT][x->owner].name);
		stored(r, &there, buf_text(&text), out);
		buf_free(&text);
		return true;
	}
	return false;
}

/* "15 at the end of round 1: 22 (things.fray, line 4), less 4 when .., less 3 when ..": what it
 * was when the round that is asked about was over. False: it has not changed since, or a die
 * sets it. */
static bool stored_then(
	struct reason *r, const struct place *x, const int32_t *at, int n, struct answer *out)
{
	int later = 0;
	while (later < n && r->round > 0 && trace_get(r->t, at[later])->round > r->round)
		later++;
	if (!later || (later == n && n == CHANGES_MOST) || roll_of(r, at[0]) >= 0 ||
		x->type.base == VT_LIST || x->type.base == VT_SET)
		return false;
	const word was = later < n ? trace_get(r->t, at[later])->value : old_value(r, at[n - 1]);
	struct buf value = {0};
	struct steps *steps = calloc(1, sizeof *steps);
	if (!steps)
		abort();
	value_add(r->p, x->type, was, &value);
	buf_printf(&value, " at the end of round %d", r->round);
	if (later < n)
		steps_of(r, x, at + later, n - later, steps);
	if (steps->n > 0) {
		by_amounts(r, x, buf_text(&value), at + later, n - later, steps, out);
	} else if (later < n) {
		by_setting(r, x, buf_text(&value), at + later, n - later, out);
	} else {
		buf_puts(&out->about, buf_text(&value));
		stated_add(r, x, false, &out->about);
		buf_puts(&out->about, ". Nothing had changed it by then.");
	}
	free(steps);
	buf_free(&value);
	return true;
}

static void stored(struct reason *r, const struct place *x, const char *value, struct answer *out)
{
	int32_t at[CHANGES_MOST];
	if (!strcmp(value, "none") && stored_of_side(r, x, out))
		return;
	if (!x->pair && x->program == r->p->at.round_number) {
		buf_printf(&out->about, "%s: so many rounds have begun.", value);
		return;
	}
	const int n = changes_of(r, x, at);
	if (stored_then(r, x, at, n, out))
		return;
	if (n == 0 && !x->pair && (x->type.base == VT_LIST || x->type.base == VT_SET) &&
		reason_differs(r->f, x->program, x->owner, NONE)) {
		list_changed(r, x, value, out);
		return;
	}
	if (n == 0) {
		never_changed(r, x, value, out);
		return;
	}
	const int32_t roll = roll_of(r, at[0]);
	r->turns = roll < 0 && trace_get(r->t, at[0])->round > 0;
	if (roll >= 0) {
		by_die(r, x, value, at, n, roll, out);
		return;
	}
	struct steps *steps = calloc(1, sizeof *steps);
	if (!steps)
		abort();
	steps_of(r, x, at, n, steps);
	if (steps->n > 0)
		by_amounts(r, x, value, at, n, steps, out);
	else
		by_setting(r, x, value, at, n, out);
	free(steps);
}

static const struct { const char *of, *lost; } losses[] = {
#define LOST(of, lost) {of, lost},
#include "stdlib/lost.def"
#undef LOST
};

/* "5, as in abbey.fray, line 7, less 3 lost levels: 2": what is gone of it is counted apart. */
static void less_lost(struct reason *r, const struct place *x, struct answer *out)
{
	for (size_t k = 0; k < FRAY_COUNT(losses); k++)
		for (int i = 0; i < r->f->model.field.n; i++) {
			const struct mfield *m = &r->f->model.field.v[i];
			const char *name = model_text(&r->f->model, m->name);
			if (x->pair || !whole(x->type) || strcmp(losses[k].of, x->name) != 0 ||
				strcmp(losses[k].lost, name) != 0 || m->program < 0 ||
				m->kind != r->f->model.field.v[x->field].kind)
				continue;
			const struct field_info *f = &r->p->field[m->program],
						*of = &r->p->field[x->program];
			const word *world = vm_block(r->f->vm);
			const word lost = world[f->base + (uint32_t)x->owner * f->stride];
			const word had = world[of->base + (uint32_t)x->owner * of->stride];
			const struct place there = {
				i, false, m->program, x->owner, NONE, f->type, f->name};
			if (lost == NONE || lost <= 0 || had == NONE)
				continue;
			const char *end = strstr(buf_text(&out->about), ". Nothing has changed");
			if (end)
				out->about
					.data[out->about.length = (size_t)(end - out->about.data)] =
					'\0';
			struct buf value = {0};
			struct answer why;
			memset(&why, 0, sizeof why);
			value_add(r->p, f->type, lost, &value);
			const int n = (int)strlen(name) - (lost == 1); /* "1 lost level" */
			buf_printf(&out->about, ", less %s %.*s: ", buf_text(&value), n, name);
			buf_printf(&out->about, "%lld.", (long long)(had - lost));
			stored(r, &there, buf_text(&value), &why);
			answer_figure(out, -1, -1, "%s %s", name, buf_text(&why.about));
			answer_figures_from(out, &why);
			answer_free(&why);
			buf_free(&value);
		}
}

/* ---- what is asked ---- */

static bool place_of_field(const struct reason *r, int field, word owner, struct place *out)
{
	const struct mfield *x = &r->f->model.field.v[field];
	if (owner == NONE || x->program < 0 || x->program >= r->p->fields || !r->f->model.kind.v[x->kind].live)
		return false;
	*out = (struct place){field, false, x->program, owner, NONE, r->p->field[x->program].type, r->p->field[x->program].name};
	return true;
}

/* Whom a node names; NONE: nobody. */
static word live_worth(struct reason *r, const struct node *n)
{
	const struct names nobody = {.n = 0};
	const int32_t mark = r->t->n;
	struct probe p;
	const word live = reason_worth(r->f, reason_put(r->f, n, &nobody), false, &p) && p.type.base == VT_LIVE ? p.value[0] : NONE;
	reason_close(r->f, &p, mark);
	return live;
}

static int side_named(const struct program *p, const char *name)
{
	for (int i = 0; i < p->lives[KIND_SIDE]; i++)
		if (!strcasecmp(p->live[KIND_SIDE][i].name, name))
			return i;
	return -1;
}

/* The stored value below what is asked: `x` is `n`, looked at. */
static bool place_of(struct reason *r, const struct node *n, const struct node *x, struct place *out)
{
	const struct model *m = &r->f->model;
	if (x->kind == N_KIND_E_FIELD) {
		int side = n->a->kind == N_KIND_E_NAME ? side_named(r->p, model_text(m, model_alias(m, n->a->name))) : -1;
		const int field = x->ref_kind == REF_FIELD ? x->ref : x->ref_kind == REF_QUESTION ? m->question.v[x->ref].field : -1;
		if (field < 0)
			return false;
		const int kind = m->field.v[field].kind;
		return place_of_field(r, field, kind == KIND_ENCOUNTER || kind == KIND_ROUND ? 0 : kind == KIND_SIDE && side >= 0 ? side : live_worth(r, n->a), out);
	}
	if (x->kind == N_KIND_E_NAME)
		return x->ref_kind == REF_FIELD_OF_ENCOUNTER && place_of_field(r, x->ref, 0, out);
	if (x->kind != N_KIND_E_CALL || n->a->kind != N_KIND_E_NAME || !n->b || !n->b->next)
		return false;
	const int pair = model_pair(m, n->a->name), at = pair >= 0 ? m->pair.v[pair].program : -1;
	if (at < 0)
		return false;
	*out = (struct place){pair, true, at, live_worth(r, n->b), live_worth(r, n->b->next), r->p->pair[at].type, r->p->pair[at].name};
	return out->owner != NONE && out->other != NONE;
}

/* A QUESTION with what stands below it: "hit points, as in things.fray, line 37". */
static bool made_of(struct reason *r, int32_t question, const struct place *x, struct answer *out)
{
	int32_t changes[CHANGES_MOST];
	struct buf stored = {0};
	buf_puts(&stored, x ? x->name : "as stated");
	if (x && !x->pair && changes_of(r, x, changes) == 0)
		stated_add(r, x, false, &stored);
	const bool told = reason_made_of(r, question, buf_text(&stored), out);
	buf_free(&stored);
	struct buf dice = {0};
	if (told && reason_dice(r->log, question, false, out, &dice))
		answer_figure(out, question, -1, "it rests on %s", buf_text(&dice));
	buf_free(&dice);
	return told;
}

/* "-8: 22 (set before the first round), less 8 when .., less 7 when ..": what a rule takes from it
 * is gathered in other fields, each with its own changes. False: that is not all. */
static bool gathered_told(struct reason *r, int32_t question, const struct place *x,
	const char *value, struct answer *out)
{
	word by = 0, sum = 0;
	if (x->pair || !whole(x->type))
		return false;
	for (int32_t i = log_child(r->log, question); i >= 0; i = log_sibling(r->log, i)) {
		const struct record *a = log_at(r->log, i);
		if (a->dropped || a->kind == REC_BOUND)
			return false;
		by += a->kind == REC_ADJUST ? a->value : 0;
	}
	struct steps *steps = calloc(2, sizeof *steps), *own = steps + 1;
	int32_t at[CHANGES_MOST];
	if (!steps)
		abort();
	const int n = changes_of(r, x, at);
	steps->n = reason_gathered(r, x->program, x->owner, steps->at, CHANGES_MOST);
	for (int i = 0; i < steps->n; i++)
		sum += steps->at[i].by;
	const bool so = steps->n > 0 && sum == by;
	if (so && !stored_then(r, x, at, n, out)) {
		struct buf then = {0};
		int later = 0;
		while (r->round > 0 && later < steps->n &&
			trace_get(r->t, steps->at[later].record)->round > r->round)
			later++;
		steps->n -= later;
		memmove(steps->at, steps->at + later, sizeof *steps->at * (size_t)steps->n);
		steps_of(r, x, at, n, own);
		for (int i = 0; i < own->n && steps->n < CHANGES_MOST; i++)
			steps->at[steps->n++] = own->at[i];
		steps->changes = own->changes;
		if (later) {
			word was = vm_block(r->f->vm)[r->p->field[x->program].base +
				(uint32_t)x->owner * r->p->field[x->program].stride];
			for (int i = 0; i < steps->n - own->n; i++)
				was += steps->at[i].by;
			value_add(r->p, x->type, was, &then);
			buf_printf(&then, " at the end of round %d", r->round);
		}
		if (steps->n)
			by_amounts(r, x, later ? buf_text(&then) : value, at, n, steps, out);
		else
			by_setting(r, x, later ? buf_text(&then) : value, at, n, out);
		r->turns = !later;
		buf_free(&then);
	}
	free(steps);
	return so;
}

int reason_steps(struct reason *r, int field, word owner, struct step *out, int most)
{
	struct place x;
	int32_t at[CHANGES_MOST];
	if (!place_of_field(r, field, owner, &x) || !whole(x.type))
		return 0;
	int n = reason_gathered(r, x.program, owner, out, most);
	struct steps *own = calloc(1, sizeof *own);
	if (!own)
		abort();
	steps_of(r, &x, at, changes_of(r, &x, at), own);
	for (int i = 0; i < own->n && n < most; i++)
		out[n++] = own->at[i];
	free(own);
	return n;
}

/* What is worked out of stored values that changed in the rounds: "5 ft, since count 1 of round 2,
 * when gnoll #1 charged Cade; 40 ft at first", with a line for each change before that. False:
 * nothing changed it, and nothing is told. */
static bool moved(struct reason *r, struct node *n, const struct node *asked, const char *value,
	struct answer *out)
{
	const struct names nobody = {.n = 0};
	struct condition c = {0};
	struct buf later = {0}, was = {0}, when = {0};
	int lines = 0;
	bool told = false;
	buf_puts(&later, value);
	condition_rests(r->f, n, asked, &nobody, &c);
	for (int32_t at = condition_change_before(r->f, &c, r->end);
		 at >= 0 && trace_get(r->t, at)->round > 0 && lines < LINES_MOST;
		 at = condition_change_before(r->f, &c, at)) {
		struct visit v;
		buf_clear(&was);
		buf_clear(&when);
		const bool there = reason_go_to(r->f, at, &v) &&
			reason_value_text(r->f, reason_put(r->f, n, &nobody), &was);
		reason_back(r->f, &v);
		if (!there)
			break;
		if (!strcmp(buf_text(&was), buf_text(&later)))
			continue;
		reason_when(r->log, at, &when);
		const char *time = buf_text(&when) + (strncmp(buf_text(&when), " in ", 4) ? 0 : 4);
		if (!told)
			buf_printf(&out->about, "%s, since %s, when ", value, time);
		struct buf deed = {0};
		reason_deed_text(r->log, at, &deed);
		if (!told)
			buf_puts(&out->about, buf_text(&deed));
		else
			answer_figure(out, at, -1, "%s, since %s, when %s", buf_text(&later), time,
				buf_text(&deed));
		lines += told;
		told = true;
		buf_free(&deed);
		buf_clear(&later);
		buf_puts(&later, buf_text(&was));
	}
	if (told)
		buf_printf(&out->about, "; %s at first.", buf_text(&later));
	condition_free(&c);
	buf_free(&later);
	buf_free(&was);
	buf_free(&when);
	return told;
}

/* What one node comes to, and why. */
static bool value_of(struct reason *r, struct node *n, struct answer *out)
{
	const struct names nobody = {.n = 0};
	struct probe p;
	struct place x = {.field = -1};
	struct buf value = {0};
	const int32_t mark = r->t->n;
	struct node *asked = reason_put(r->f, n, &nobody);
	bool told = false, ok = reason_worth(r->f, asked, true, &p);
	if (ok) {
		struct log log, *kept = r->log;
		const bool known = place_of(r, n, asked, &x);
		program_values(p.program, p.type, p.value, p.words, &value);
		log_open(&log, p.program, r->t); /* the question's own records are in it */
		r->log = &log;
		if (p.record >= 0 && known)
			told = gathered_told(r, p.record, &x, buf_text(&value), out);
		if (!told && asked->kind == N_KIND_E_CALL && p.record >= 0 &&
			trace_get(r->t, p.record)->clause >= 0)
			told = moved(r, n, asked, buf_text(&value), out);
		if (p.record >= 0 && !told)
			told = made_of(r, p.record, known ? &x : NULL, out);
		if (!told && known) {
			stored(r, &x, buf_text(&value), out);
			told = true;
		}
		if (told && known)
			less_lost(r, &x, out);
		r->log = kept;
		log_close(&log);
	}
	reason_close(r->f, &p, mark);
	buf_free(&value);
	return told;
}

bool reason_value(struct reason *r, struct answer *out)
{
	switch (r->n->kind) {
	case N_KIND_E_FIELD: case N_KIND_E_CALL: case N_KIND_E_NAME:
		return value_of(r, r->n, out);
	default:
		return false;
	}
}
