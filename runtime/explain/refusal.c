/* refusal.c - why a rule refused an act: its reason, and the figures that its condition looked at. See absence.h. */
#include <ctype.h>
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"
#include "runtime/explain/left.h"

enum { PAIRS_MOST = 3 };

void refusal_reason(const struct log *l, int32_t number, struct buf *out)
{
	const struct record r = *log_at(l, number);
	const struct clause_info *c = r.clause >= 0 && r.clause < l->p->clauses ? &l->p->clause[r.clause] : NULL;
	const bool says = c && (c->sort == CLAUSE_FORBID || c->sort == CLAUSE_NEEDS);
	if (says && strpbrk(c->cite, "abcdefghijklmnopqrstuvwxyz") && !strstr(c->cite, " - ")) /* else its rule's name says more */
		answer_plain(c->cite, out);
	else if (r.text >= 0 && *trace_text_at(l->t, r.text))
		answer_plain(trace_text_at(l->t, r.text), out);
	else if (c)
		answer_rule_says(l->p, r.clause, out);
	else
		buf_puts(out, "the rules do not let it happen");
}

void refusal_cite(const struct inquiry *s, int32_t clause, struct answer *out)
{
	if (clause < 0 || clause >= s->p->clauses)
		return;
	const struct clause_info *c = &s->p->clause[clause];
	if (c->sort != CLAUSE_FORBID && c->sort != CLAUSE_NEEDS) {
		answer_rule_of(s->p, out, clause);
		return;
	}
	for (int k = 0; k < s->p->clauses && *c->rule; k++) {
		const struct clause_info *x = &s->p->clause[k];
		if (x->sort != CLAUSE_FORBID && x->sort != CLAUSE_PERMIT && x->sort != CLAUSE_NEEDS && !strcmp(x->rule, c->rule) && !strcmp(x->module, c->module)) {
			answer_rule_of(s->p, out, k);
			return;
		}
	}
}

static void figure_in(struct buf *out, bool *any, const char *what, const char *value)
{
	struct buf figure = {0};
	buf_printf(&figure, "%s %s", what, value);
	const char *open = *any ? strrchr(buf_text(out), '(') : NULL, *same = open ? strstr(open, buf_text(&figure)) : NULL;
	const char after = same ? same[figure.length] : 'x';
	buf_free(&figure);
	if (same && (after == ',' || after == '\0') && (same[-1] == '(' || same[-1] == ' '))
		return; /* the same number, read twice */
	buf_printf(out, "%s%s %s", *any ? ", " : " (", what, value);
	*any = true;
}

/* A number of things named in brackets, that the text compares: longest range (weapon). */
static bool is_figure(const struct question_info *q, const char *text)
{
	struct buf called = {0};
	buf_printf(&called, "%s (", q->name);
	const bool is = !q->of_subject && vtype_is_number(q->type) && strstr(text, buf_text(&called));
	buf_free(&called);
	return is;
}

/* What the condition of a refusal asked for just before: numbers of rules, and stored ones of the actor. */
static void asked_figures(const struct log *l, int32_t number, bool *any, struct buf *out)
{
	const struct record r = *log_at(l, number);
	const char *text = r.clause >= 0 && r.clause < l->p->clauses && l->p->clause[r.clause].text ? l->p->clause[r.clause].text : "";
	const word actor = log_actor(l, &r);
	const bool left = r.kind == REC_LEFT; /* asked about it once it was left over */
	int32_t seen = -1, from = number - 1;
	bool adjoins = true; /* nothing but questions is between the refusal and this record */
	for (int32_t k = number + 1; left && k < l->n && trace_look(l->t, k)->parent >= number; k++)
		from = k;
	for (int32_t i = from; i >= 0 && i > (left ? number : number - 60); i--) {
		const struct record q = *log_at(l, i);
		adjoins &= q.kind >= REC_QUESTION && q.kind <= REC_BOUND;
		const bool asked = q.kind == REC_QUESTION && q.what >= 0 &&
			(q.owner == actor || (adjoins && is_figure(&l->p->question[q.what], text)));
		if (!asked || q.dropped || q.round != r.round || q.what == seen ||
			!strstr(text, l->p->question[q.what].name))
			continue;
		struct buf value = {0};
		log_answer(l, i, q.what, q.value, &value);
		figure_in(out, any, l->p->question[q.what].name, buf_text(&value));
		buf_free(&value);
		seen = q.what;
	}
	for (int f = 0; f < l->p->fields && actor != NONE; f++) {
		const struct field_info *x = &l->p->field[f];
		struct buf own = {0};
		buf_printf(&own, "actor's %s", x->name);
		const char *at = x->kind == KIND_COMBATANT && !x->hidden && !x->kept &&
				vtype_is_number(x->type)
			? strstr(text, buf_text(&own))
			: NULL;
		const char after = at ? at[own.length] : 'x';
		buf_free(&own);
		if (!at || (after != ' ' && after != '\0' && after != ','))
			continue;
		word value = l->p->start[x->base + (uint32_t)actor * x->stride];
		const int32_t change = trace_back_to_change(l->t, number - 1, f, actor);
		if (change >= 0)
			value = log_at(l, change)->value;
		struct buf b = {0};
		program_value(l->p, x->type, &value, &b);
		figure_in(out, any, x->name, buf_text(&b));
		buf_free(&b);
	}
}

bool absence_pair(
	const struct log *l, int pair, word one, word other, int32_t before, word *value)
{
	const struct pair_info *f = &l->p->pair[pair];
	for (int32_t i = before - 1; i >= 0; i--) {
		const struct record *c = trace_look(l->t, i);
		if (c->kind != REC_CHANGE || c->flag != 1 || c->what != pair || c->dropped)
			continue;
		c = log_at(l, i);
		const word *v = trace_values_at(l->t, c);
		const word second = v && c->value_count > 1 ? v[1] : NONE;
		if ((c->owner == one && second == other) ||
			(!f->directed && c->owner == other && second == one)) {
			*value = c->value;
			return *value != NONE;
		}
	}
	*value = l->p->start[f->base + (uint32_t)one * f->side + (uint32_t)other];
	return *value != NONE;
}

/* At whom an act is aimed, its actor left out. */
static void targets(const struct log *l, int32_t number, people *out)
{
	struct vtype type;
	const word *target;
	const word actor = log_actor(l, log_at(l, number));
	if (!log_target(l, log_at(l, number), &type, &target) || type.kind != KIND_COMBATANT ||
		(type.base != VT_LIVE && type.base != VT_SET))
		return;
	for (word i = 0; i < l->p->lives[KIND_COMBATANT]; i++)
		if (i != actor &&
			(type.base == VT_LIVE ? *target == i : (target[i / 64] >> (i % 64) & 1) != 0))
			VEC_PUSH(*out, i);
}

/* "distance 30 ft"; of several the one value that all have, or that of each: "distance to orc #1 30
 * ft". */
static void pair_figure(const struct log *l, int32_t number, int32_t before, int pair,
	const people *at, bool *any, struct buf *out)
{
	const struct pair_info *f = &l->p->pair[pair];
	const word actor = log_actor(l, log_at(l, number));
	word value, first;
	bool same = absence_pair(l, pair, actor, at->v[0], before, &first);
	for (int i = 1; i < at->n && same; i++)
		same = absence_pair(l, pair, actor, at->v[i], before, &value) && value == first;
	for (int i = 0; i < (same ? 1 : at->n) && i < PAIRS_MOST; i++) {
		struct buf b = {0}, what = {0};
		if (!absence_pair(l, pair, actor, at->v[i], before, &value))
			continue;
		program_value(l->p, f->type, &value, &b);
		buf_puts(&what, f->name);
		if (!same)
			buf_printf(&what, " to %s", l->p->live[KIND_COMBATANT][at->v[i]].name);
		figure_in(out, any, buf_text(&what), buf_text(&b));
		buf_free(&what);
		buf_free(&b);
	}
}

/* ", more than 10 ft": the number that the condition compares them with, unless its reason says it.
 */
static void bound_figure(const struct clause_info *c, const char *at, struct buf *out)
{
	const char *end = strchr(at, ')'), *sign = end ? end + 1 : "";
	const bool more = !strncmp(sign, " > ", 3), less = !strncmp(sign, " < ", 3);
	const size_t n = more || less ? strspn(sign + 3, "0123456789") : 0;
	if (n == 0 || sign[3 + n] != ' ')
		return;
	const size_t whole = n + 1 + strcspn(sign + 3 + n + 1, " ),");
	struct buf number = {0};
	buf_add(&number, sign + 3, n);
	if (!strstr(c->cite, buf_text(&number)))
		buf_printf(out, ", %s than %.*s", more ? "more" : "less", (int)whole, sign + 3);
	buf_free(&number);
}

/* The last change of a pair's before a record; -1. */
static int32_t pair_change(const struct log *l, int pair, word one, word other, int32_t before)
{
	for (int32_t i = trace_back(l->t, before - 1, 1u << REC_CHANGE); i >= 0;
		i = trace_back(l->t, i - 1, 1u << REC_CHANGE)) {
		const struct record *c = log_at(l, i);
		const word *v = trace_values_at(l->t, c);
		const word second = v && c->value_count > 1 ? v[1] : NONE;
		if (c->flag == 1 && c->what == pair && !c->dropped &&
			((c->owner == one && second == other) ||
				(c->owner == other && second == one && !l->p->pair[pair].directed)))
			return i;
	}
	return -1;
}

/* Of a yes or no that a rule keeps of two, "they began apart": the number of theirs that it was set
 * by, as that was when the round began. */
static void pair_kept(const struct log *l, int32_t number, int pair, const people *at, bool *any,
	struct buf *out)
{
	const struct record r = *log_at(l, number);
	const word actor = log_actor(l, log_at(l, number));
	const int32_t change = pair_change(l, pair, actor, at->v[0], number);
	const int32_t clause = change >= 0 ? log_at(l, change)->clause : -1;
	const char *text = clause >= 0 && l->p->clause[clause].text ? l->p->clause[clause].text : "";
	int32_t begun = number;
	while (begun > change && begun > 0 && trace_look(l->t, begun - 1)->round == r.round)
		begun--;
	for (int k = 0; k < l->p->pairs && change >= 0 && log_at(l, change)->value == 1; k++) {
		struct buf name = {0};
		buf_printf(&name, "%s (", l->p->pair[k].name);
		if (k != pair && l->p->pair[k].type.base != VT_BOOL && !l->p->pair[k].kept &&
			strstr(text, buf_text(&name)))
			pair_figure(l, number, begun > change ? begun : change, k, at, any, out);
		buf_free(&name);
	}
}

/* The values of fields of pairs that the condition reads, before a record. */
static void pair_figures(const struct log *l, int32_t number, bool *any, struct buf *out)
{
	const struct record r = *log_at(l, number);
	const char *text = r.clause >= 0 && r.clause < l->p->clauses && l->p->clause[r.clause].text ? l->p->clause[r.clause].text : "";
	const word actor = log_actor(l, &r);
	people at = {0};
	if (actor != NONE)
		targets(l, number, &at);
	for (int k = 0; k < l->p->pairs && at.n; k++) {
		const struct pair_info *f = &l->p->pair[k];
		struct buf name = {0};
		buf_printf(&name, "%s (", f->name);
		const char *place = f->kind == KIND_COMBATANT ? strstr(text, buf_text(&name)) : NULL;
		buf_free(&name);
		const size_t before = out->length;
		if (place && f->type.base != VT_BOOL)
			pair_figure(l, number, number, k, &at, any, out);
		else if (place)
			pair_kept(l, number, k, &at, any, out);
		if (out->length > before && f->type.base != VT_BOOL)
			bound_figure(&l->p->clause[r.clause], place, out);
	}
	VEC_FREE(at);
}

void refusal_figures(const struct log *l, int32_t number, struct buf *out)
{
	bool any = false;
	pair_figures(l, number, &any, out);
	asked_figures(l, number, &any, out);
	buf_puts(out, any ? ")" : "");
}

/* Is a thing in a list of somebody's, as that stands in a world? */
static bool lists(const struct inquiry *s, const word *world, int field, word who, word thing)
{
	const struct field_info *f = &s->p->field[field];
	const word *at = world + f->base + (uint32_t)who * f->stride;
	for (word i = 0; i < at[0]; i++)
		if (at[1 + i] == thing)
			return true;
	return false;
}

/* The thing of a refused act that its actor had when the fight began, and has no more; -1. */
static word lost_thing(const struct inquiry *s, int32_t number)
{
	const struct record r = *log_at(&s->log, number);
	const word actor = log_actor(&s->log, &r);
	for (int k = 0; actor != NONE && r.what >= 0 && k < s->p->event[r.what].roles; k++) {
		const word *v = s->p->event[r.what].role[k].type.base == VT_THING
			? log_role(&s->log, log_at(&s->log, number), k)
			: NULL;
		for (int f = 0; v && *v >= 0 && f < s->p->fields; f++)
			if (s->p->field[f].kind == KIND_COMBATANT && s->p->field[f].type.base == VT_LIST &&
				lists(s, s->p->start, f, actor, *v) && !lists(s, s->world, f, actor, *v))
				return *v;
	}
	return -1;
}

/* ", since round 1, when Zel began casting glow": what they had and have spent. */
static bool spent_since(const struct inquiry *s, int32_t number, struct answer *out)
{
	const struct record r = *log_at(&s->log, number);
	const char *clause = r.clause >= 0 ? s->p->clause[r.clause].text : NULL, *text = clause ? clause : "";
	word thing = strstr(text, "actor has ") && s->world ? lost_thing(s, number) : -1;
	struct question q = {.event = -1, .moment = INT64_MIN};
	const word actor = log_actor(&s->log, log_at(&s->log, number));
	if (thing < 0)
		return false;
	q.thing.v = &thing;
	q.thing.n = 1;
	for (int32_t i = trace_back(s->t, number - 1, 1u << REC_EVENT); i >= 0;
		 i = trace_back(s->t, i - 1, 1u << REC_EVENT)) {
		struct buf time = {0};
		if (log_actor(&s->log, log_at(&s->log, i)) != actor || !event_is_told(&s->log, i) ||
			!event_about_things(&s->log, &q, i))
			continue;
		buf_puts(&out->about, ", since ");
		answer_when(&s->log, i, &time);
		buf_printf(&out->about, "%s, when ", buf_text(&time));
		english_event(&s->log, i, MOOD_DID, &out->about);
		buf_free(&time);
		return true;
	}
	return false;
}

void refusal_since(const struct inquiry *s, int32_t number, struct answer *out)
{
	if (spent_since(s, number, out))
		return;
	const struct record r = *log_at(&s->log, number);
	const char *text = r.clause >= 0 && r.clause < s->p->clauses && s->p->clause[r.clause].text ? s->p->clause[r.clause].text : "";
	const word actor = log_actor(&s->log, &r);
	for (int f = 0; f < s->p->fields && actor != NONE; f++) {
		const struct field_info *x = &s->p->field[f];
		struct buf is = {0}, time = {0};
		buf_printf(&is, "actor is %s", x->name);
		const char *at = x->kind == KIND_COMBATANT && x->type.base == VT_BOOL ? strstr(text, buf_text(&is)) : NULL;
		const int32_t change = at && !isalnum((unsigned char)at[is.length]) ? trace_back_to_change(s->t, number - 1, f, actor) : -1;
		buf_free(&is);
		if (change < 0 || !log_at(&s->log, change)->value)
			continue;
		if (log_moment(&s->log, change, &time))
			buf_printf(&out->about, ", since %s", buf_text(&time));
		absence_cause(s, change, out);
		buf_free(&time);
		return;
	}
}
