/* reason_spared.c - why somebody is not what a word says ("stuck", "asleep"), when they never were:
 * the die by which they were spared, what came and did not bring it about, what was to bring it and
 * came to nothing.
 *
 *   ogre #1 is not stuck: ogre #1 saved against web in count 5 of round 1, when Cedd's web was
 *   complete: 14 reaches the 14 needed.
 *
 * What brings a word is a thing, or somebody, whose own figures name it: `brings: stuck`. */
#include <string.h>
#include <strings.h>

#include "lang/api/reason.h"
#include "runtime/explain/absence.h"
#include "runtime/explain/sum.h"
#include "runtime/world/block.h"

enum { UP_MOST = 16 };

struct spared { struct reason *r; word who; const char *said; };

/* Whether a word of that list is the word that is asked about. */
static bool is_said(const struct spared *x, struct vtype type, word value)
{
	struct buf b = {0};
	if (type.base != VT_WORD || value == NONE)
		return false;
	program_value(x->r->p, type, &value, &b);
	const bool so = !strcasecmp(buf_text(&b), x->said);
	buf_free(&b);
	return so;
}

static bool thing_names(const struct spared *x, word thing)
{
	const struct program *p = x->r->p;
	for (int k = 0; k < p->thing_fields && thing >= 0 && thing < p->things; k++)
		if (p->thing_field[k].kind == p->thing[thing].kind &&
			is_said(x, p->thing_field[k].type, p->thing_words[thing * p->thing_fields + k]))
			return true;
	return false;
}

/* As they were when the fight began: what has come over them since then is not what they bring. */
static bool somebody_names(const struct spared *x, word who)
{
	const struct program *p = x->r->p;
	for (int k = 0; k < p->fields; k++) {
		const struct field_info *f = &p->field[k];
		if (f->kind == KIND_COMBATANT && f->type.base == VT_WORD &&
			is_said(x, f->type, p->start[f->base + (uint32_t)who * f->stride]))
			return true;
	}
	return false;
}

/* Is it somebody else's doing that brings the word? */
static bool brings(const struct spared *x, int32_t number)
{
	const struct log *l = x->r->log;
	const struct record r = *log_at(l, number);
	if (r.what < 0 || r.what >= l->p->events || r.dropped)
		return false;
	const word actor = log_actor(l, log_at(l, number));
	if (actor == x->who)
		return false;
	if (actor != NONE && somebody_names(x, actor))
		return true;
	for (int k = 0; k < l->p->event[r.what].roles; k++) {
		const word *v = l->p->event[r.what].role[k].type.base == VT_THING
			? log_role(l, log_at(l, number), k)
			: NULL;
		if (v && thing_names(x, *v))
			return true;
	}
	return false;
}

/* The event around a record that can be told, the record itself left out; -1. */
static int32_t told_around(const struct log *l, int32_t number)
{
	for (int32_t i = log_at(l, number)->parent, up = 0; i >= 0 && up < UP_MOST;
		 i = log_at(l, i)->parent, up++)
		if (event_is_told(l, i))
			return i;
	return -1;
}

static void begin(const struct spared *x, struct answer *out)
{
	const struct reason *r = x->r;
	if (!r->negated)
		answer_premise(out, PREMISE_OTHER);
	buf_printf(&out->about, "%s is not %s", r->p->live[KIND_COMBATANT][x->who].name, x->said);
}

/* ": ogre #1 saved against web in count 5 of round 1, when Cedd's web was complete: " */
static void saved(const struct spared *x, int32_t roll, struct buf *out)
{
	const struct log *l = x->r->log;
	const struct record d = *log_at(l, roll);
	const int32_t around = told_around(l, roll);
	int32_t told = -1;
	for (int32_t i = log_child(l, d.parent); i >= 0 && told < 0; i = log_sibling(l, i))
		if (i > roll && event_is_told(l, i) && log_actor(l, log_at(l, i)) == x->who)
			told = i;
	buf_puts(out, ": ");
	if (told >= 0 || around >= 0)
		english_event(l, told >= 0 ? told : around, MOOD_DID, out);
	reason_when(l, roll, out);
	if (told >= 0 && around >= 0) {
		buf_puts(out, ", when ");
		english_event(l, around, MOOD_DID, out);
	}
	if (told < 0) {
		buf_puts(out, ", ");
		log_label(l, &d, out);
	}
	buf_puts(out, ": ");
}

/* Is somebody one of those whom an event is about? */
static bool is_about(const struct log *l, int32_t number, word who)
{
	const struct record r = *log_at(l, number);
	for (int k = 0; k < l->p->event[r.what].roles; k++) {
		const struct vtype t = l->p->event[r.what].role[k].type;
		const word *v = t.kind == KIND_COMBATANT && (t.base == VT_LIVE || t.base == VT_SET)
			? log_role(l, log_at(l, number), k)
			: NULL;
		if (v && (t.base == VT_SET ? (v[who / 64] >> (who % 64) & 1) != 0 : *v == who))
			return true;
	}
	return false;
}

/* Does the clause that rolled a die give the word to somebody, as `afflict (target, paralysed)`? */
static bool clause_gives(const struct spared *x, int32_t clause)
{
	size_t length;
	if (clause < 0 || clause >= x->r->p->clauses)
		return false;
	const char *text = sources_text(&x->r->f->sources, x->r->p->clause[clause].span, &length);
	const size_t n = strlen(x->said);
	for (size_t i = 1; text && i + n < length; i++)
		if (strchr(" (,", text[i - 1]) && strchr(" ),", text[i + n]) &&
			!strncasecmp(text + i, x->said, n))
			return true;
	return false;
}

/* Has a die to do with whether they become so? One of their own, against what brings it; or one
 * of the clause that brings it, in what somebody else did to them. */
static bool decides(const struct spared *x, const struct record *d)
{
	const struct log *l = x->r->log;
	const bool owned = d->what >= 0 && l->p->label[d->what].owner.base == VT_LIVE &&
		l->p->label[d->what].owner.kind == KIND_COMBATANT;
	const bool his = owned && d->owner == x->who, gives = clause_gives(x, d->clause);
	if (d->dropped || (!his && !gives))
		return false;
	for (int32_t k = d->parent, up = 0; k >= 0 && up < UP_MOST; k = log_at(l, k)->parent, up++)
		if (log_at(l, k)->kind == REC_EVENT &&
			((his && brings(x, k)) || (gives && is_about(l, k, x->who))))
			return true;
	return false;
}

/* The last die of theirs that kept it from them. */
static bool by_die(const struct spared *x, struct answer *out)
{
	const struct log *l = x->r->log;
	for (int32_t i = trace_back(x->r->t, x->r->end - 1, 1u << REC_ROLL); i >= 0;
		 i = trace_back(x->r->t, i - 1, 1u << REC_ROLL)) {
		const struct record d = *log_at(l, i);
		const int32_t sum = decides(x, &d) ? sum_after(l, i) : -1;
		struct sum s;
		if (sum < 0 || !sum_read(l, sum, &s))
			continue;
		begin(x, out);
		saved(x, i, &out->about);
		sum_compared(l, &s, &out->about);
		buf_putc(&out->about, '.');
		sum_figures(l, &s, "", out);
		answer_rule_of(l->p, out, d.clause);
		return true;
	}
	return false;
}

/* Those to whom an event brought the word. */
static void brought_to(const struct spared *x, int32_t event, people *out)
{
	enum { FAR = 4000 };
	const struct log *l = x->r->log;
	for (int32_t i = event + 1; i < x->r->end && i < event + FAR; i++) {
		const struct record c = *trace_look(x->r->t, i);
		if (c.kind != REC_CHANGE || c.dropped || c.flag == 1 || c.what < 0 ||
			l->p->field[c.what].kind != KIND_COMBATANT ||
			!is_said(x, l->p->field[c.what].type, c.value))
			continue;
		int32_t k = c.parent;
		while (k > event)
			k = log_at(l, k)->parent;
		if (k == event)
			VEC_PUSH(*out, c.owner);
	}
}

/* ": Ald's sleep was complete in segment 4 of round 1 and came to orc #1 and orc #2 instead" */
static void went_by(
	const struct spared *x, const struct inquiry *s, int32_t event, struct answer *out)
{
	people those = {0};
	brought_to(x, event, &those);
	english_event(x->r->log, event, MOOD_DID, &out->about);
	reason_when(x->r->log, event, &out->about);
	if (those.n) {
		buf_puts(&out->about, ", and that came to ");
		answer_people(x->r->p, those.v, those.n, &out->about);
		buf_puts(&out->about, " alone.");
		absence_dice(s, event, 0, out);
	} else {
		buf_puts(&out->about, ", but did not bring that about.");
	}
	VEC_FREE(those);
}

/* What was to bring it to them, and came to nothing; or came, and went by them. With `any`: whoever
 * it was aimed at. */
static bool by_end(const struct spared *x, bool any, struct answer *out)
{
	const struct log *l = x->r->log;
	const uint32_t ends = 1u << REC_VOID | 1u << REC_CANCEL | 1u << REC_REFUSED;
	const struct inquiry s = {.p = l->p, .t = x->r->t, .log = *l, .end = x->r->end};
	for (int32_t i = trace_back(x->r->t, x->r->end - 1, ends | 1u << REC_EVENT); i >= 0;
		 i = trace_back(x->r->t, i - 1, ends | 1u << REC_EVENT)) {
		const struct record r = *log_at(l, i);
		const bool event = r.kind == REC_EVENT;
		if (r.what < 0 || r.what >= l->p->events ||
			(any ? !event : !is_about(l, i, x->who)) || !brings(x, i) ||
			(event &&
				(r.flag != EVENT_DONE || l->p->event[r.what].action ||
					!event_is_told(l, i))))
			continue;
		people those = {0};
		brought_to(x, i, &those);
		const bool told = !any || those.n;
		VEC_FREE(those);
		if (!told)
			continue;
		begin(x, out);
		buf_puts(&out->about, ": ");
		if (!event)
			return absence_end(&s, i, out);
		went_by(x, &s, i, out);
		answer_rule_of(l->p, out, r.clause);
		return true;
	}
	return false;
}

/* May a combatant be so at all: is it a word of theirs? */
static bool is_word(const struct model *m, const char *said)
{
	for (int i = 0; i < m->field.n; i++)
		for (int k = 0; m->field.v[i].kind == KIND_COMBATANT && k < m->field.v[i].words.n; k++)
			if (!strcasecmp(model_text(m, m->field.v[i].words.v[k]), said))
				return true;
	return false;
}

bool reason_spared(struct reason *r, word who, const char *said, struct answer *out)
{
	const struct spared x = {.r = r, .who = who, .said = said};
	if (!is_word(&r->f->model, said))
		return false;
	if (by_die(&x, out) || by_end(&x, false, out) || by_end(&x, true, out))
		return true;
	begin(&x, out);
	buf_puts(&out->about, ": nothing in this fight has brought that about.");
	return true;
}

/* "fall asleep", "be stuck": the last word of what was told. */
bool reason_spared_told(struct reason *r, const struct question *q, struct answer *out)
{
	const char *told = q->told_verb ? q->told_rest : q->told_text ? q->told_text : "";
	const size_t n = strcspn(told, ",");
	size_t at = n;
	while (at && told[at - 1] != ' ')
		at--;
	if (!r->negated || q->who.n != 1 || at == n || q->round > 0 || q->moment != INT64_MIN)
		return false;
	const char *said = arena_text(&r->f->arena, told + at, n - at);
	/* who was so, and is not any more, has another answer */
	for (int32_t i = trace_back(r->t, r->end - 1, 1u << REC_CHANGE); i >= 0;
		 i = trace_back(r->t, i - 1, 1u << REC_CHANGE)) {
		const struct record c = *trace_get(r->t, i);
		const struct spared x = {.r = r, .who = q->who.v[0], .said = said};
		if (!c.dropped && c.flag != 1 && c.owner == q->who.v[0] && c.what >= 0 &&
			r->p->field[c.what].kind == KIND_COMBATANT && is_said(&x, r->p->field[c.what].type, c.value))
			return false;
	}
	return reason_spared(r, q->who.v[0], said, out);
}
