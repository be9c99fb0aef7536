/* reason_over.c - a state that held and holds no more. First the changes are gone back that made it
 * what it is: the world that the last of them found is looked at, then the change behind what stood
 * in the way there. A state may come and go within one beat (a surprise segment), of which no world
 * is kept: it is made again from the log. Then the worlds between beats are gone through. */
#include <string.h>
#include <strings.h>

#include "lang/api/question.h"
#include "lang/api/reason.h"
#include "lang/api/session.h"
#include "runtime/explain/sum.h"
#include "runtime/world/block.h"

enum { BEATS_BACK = 100, CHANGES_BACK = 16 };

/* The change before a record that a state of one flag came from; -1. */
static int32_t set_before(const struct reason *r, const struct condition *c, int32_t to)
{
	const struct rests *x = condition_rests_alone(c);
	const int field = x ? r->f->model.field.v[x->field].program : -1;
	return field >= 0 && r->p->field[field].type.base == VT_BOOL
		? trace_back_to_change(r->t, to - 1, field, x->owner)
		: -1;
}

/* What held when the fight began is everybody's state, and its end is what is asked about. */
static bool held_at_first(struct reason *r, const struct node *n, const struct names *b)
{
	struct visit v;
	bool holds = true;
	if (reason_go_back(r->f, session_beats(r->f), &v) >= 0 &&
		!reason_holds(r->f, reason_put(r->f, n, b), &holds))
		holds = true;
	reason_back(r->f, &v);
	return holds;
}

/* " It ended in segment 4 of round 1, when Isa's daze was complete." */
static void ended_add(struct reason *r, int32_t change, struct answer *out)
{
	if (change < 0)
		return;
	const int32_t clause = trace_get(r->t, change)->clause, deed = reason_deed(r->log, change);
	buf_puts(&out->about, " It ended");
	reason_when(r->log, change, &out->about);
	if (deed >= 0 && reason_is_told(r->log, deed)) {
		buf_puts(&out->about, ", when ");
		reason_deed_text(r->log, change, &out->about);
	} else if (clause >= 0 && *r->p->clause[clause].rule) {
		buf_printf(&out->about, ", by the rule \"%s\"", r->p->clause[clause].rule);
	}
	buf_putc(&out->about, '.');
}

/* The same expression with no "not" and nothing behind it. */
static struct node *bare(struct reason *r, const struct node *n)
{
	struct node *plain = node_new(&r->f->arena, n->kind, n->span);
	*plain = *n;
	plain->num = 0;
	plain->next = NULL;
	return plain;
}

static bool holds_here(struct reason *r, const struct node *n, const struct names *b, bool *holds)
{
	struct node *x = reason_put(r->f, n, b);
	x->num = 0;
	return reason_holds(r->f, x, holds);
}

/* It is told of the world stood in, which the record `to` ended. */
static void over_told(struct reason *r, const struct node *plain, const struct names *b, int32_t to,
	struct answer *out)
{
	struct condition c;
	struct buf state = {0};
	const bool known = condition_of(r->f, plain, b, true, &c);
	const int32_t made = known ? condition_change_before(r->f, &c, to) : -1;
	reason_is_text(r->f, plain, b, true, &state);
	answer_premise(out, PREMISE_OVER);
	struct buf when = {0};
	reason_when(r->log, made >= 0 ? made : to - 1, &when);
	buf_printf(&out->about, "%s ", buf_text(&when) + (*buf_text(&when) == ' '));
	buf_free(&when);
	if (!english_sentence(r->p, buf_text(&state), MOOD_DID, &out->about))
		buf_puts(&out->about, buf_text(&state));
	if (known) {
		if (strcmp(buf_text(&c.text), buf_text(&state)) != 0)
			buf_printf(&out->about, ": %s", buf_text(&c.text));
		for (int i = 0; i < c.clause.n; i++)
			if (*r->p->clause[c.clause.v[i]].cite)
				answer_rule_of(r->p, out, c.clause.v[i]);
		if (c.dice.length)
			answer_figure(out, -1, -1, "%s", buf_text(&c.dice));
		const int32_t change = set_before(r, &c, to);
		if (change >= 0)
			reason_turned(r, change, trace_get(r->t, change)->owner, out);
		condition_free(&c);
	}
	if (out->about.data[out->about.length - 1] != '.')
		buf_putc(&out->about, '.');
	buf_free(&state);
}

/* The change that ended it: of those that made it what it is now, the last that found it so; -1. */
static int32_t last_held(struct reason *r, const struct node *plain, const struct names *b)
{
	int32_t end = r->end;
	struct condition c;
	bool holds = false;
	if (!condition_of(r->f, plain, b, false, &c))
		return -1;
	for (int k = 0; k < CHANGES_BACK; k++) {
		struct visit v;
		end = condition_change_before(r->f, &c, end);
		condition_free(&c);
		if (end < 0 || !reason_go_to(r->f, end, &v))
			return -1;
		const bool on = holds_here(r, plain, b, &holds) && !holds &&
			condition_of(r->f, plain, b, false, &c);
		reason_back(r->f, &v);
		if (holds)
			return end;
		if (!on)
			return -1;
	}
	condition_free(&c);
	return -1;
}

static bool over_by_change(
	struct reason *r, const struct node *plain, const struct names *b, struct answer *out)
{
	const int32_t change = last_held(r, plain, b);
	struct visit v;
	if (change < 0 || !reason_go_to(r->f, change, &v))
		return false;
	over_told(r, plain, b, change, out);
	reason_back(r->f, &v);
	ended_add(r, change, out);
	return true;
}

static bool over_by_beat(
	struct reason *r, const struct node *plain, const struct names *b, struct answer *out)
{
	for (int back = 1; back <= BEATS_BACK; back++) {
		struct visit v;
		struct condition c;
		bool holds;
		const int32_t to = reason_go_back(r->f, back, &v);
		const bool so = to > 0 && holds_here(r, plain, b, &holds) && holds;
		if (so)
			over_told(r, plain, b, to, out);
		reason_back(r->f, &v);
		if (to <= 0)
			return false;
		if (so && condition_of(r->f, plain, b, false, &c)) {
			ended_add(r, condition_change(r->f, &c), out);
			condition_free(&c);
		}
		if (so)
			return true;
	}
	return false;
}

bool reason_over(struct reason *r, const struct node *n, const struct names *b, struct answer *out)
{
	struct node *plain = bare(r, n);
	return !held_at_first(r, plain, b) &&
		(over_by_change(r, plain, b, out) || over_by_beat(r, plain, b, out));
}

/* Did a field of theirs ever hold that word? */
static bool word_was(const struct reason *r, word who, const char *said)
{
	const uint32_t changes = 1u << REC_CHANGE;
	for (int32_t i = trace_back(r->t, r->end - 1, changes); i >= 0;
		i = trace_back(r->t, i - 1, changes)) {
		const struct record *c = trace_get(r->t, i);
		if (c->dropped || c->flag == 1 || c->owner != who || c->what < 0 ||
			c->value == NONE || r->p->field[c->what].kind != KIND_COMBATANT ||
			r->p->field[c->what].type.base != VT_WORD)
			continue;
		struct buf b = {0};
		const word value = c->value;
		program_value(r->p, r->p->field[c->what].type, &value, &b);
		const bool so = !strcasecmp(buf_text(&b), said);
		buf_free(&b);
		if (so)
			return true;
	}
	return false;
}

bool reason_was(struct fray *f, word who, const char *state)
{
	const struct names nobody = {.n = 0};
	struct log log;
	struct span at = {0};
	struct reason r = {.f = f,
		.log = &log,
		.p = f->program,
		.t = vm_trace(f->vm),
		.n = node_new(&f->arena, N_KIND_E_IS, at),
		.text = "",
		.end = (int32_t)vm_block(f->vm)[H_TRACE]};
	struct answer told;
	memset(&told, 0, sizeof told);
	r.n->a = node_new(&f->arena, N_KIND_E_NAME, at);
	r.n->a->name = intern_word(f->names, r.p->live[KIND_COMBATANT][who].name);
	r.n->b = node_new(&f->arena, N_KIND_E_NAME, at);
	r.n->b->name = intern_word(f->names, state);
	log_open(&log, r.p, r.t);
	const bool was = question_is_value(f, state) ? reason_over(&r, r.n, &nobody, &told)
						     : word_was(&r, who, state);
	log_close(&log);
	answer_free(&told);
	return was;
}
