/* explain_order.c - why one act came before another.
 *
 *   round 1, segment 5
 *   orc #1 acts in segment 5           osric: initiative segment (3)
 *   Bruna acts in segment 7            osric: holding (3)
 *   order acts by lowest act's time    osric: in order of segments (3)
 *   orc #1 acts before Bruna
 */
#include "runtime/explain/explain.h"
#include "runtime/explain/why.h"

/* The KEY record by which the act of an event was placed: the last before it. */
static int32_t key_of(const struct why *w, int32_t event)
{
	const struct record *r = log_at(&w->log, event);
	if (!r || r->kind == REC_KEY)
		return r ? event : -1;
	int32_t act = r->act, group = r->group;
	for (int32_t i = event; i >= 0; i--) {
		const struct record *x = trace_look(w->log.t, i);
		if (x->kind == REC_KEY && x->act == act && x->group == group)
			return i;
	}
	return -1;
}

/* What was placed in the order: the event itself, or what it was done in. */
static int32_t placed(const struct why *w, int32_t event)
{
	for (int32_t i = event; i >= 0; i = log_at(&w->log, i)->parent) {
		const struct record *r = log_at(&w->log, i);
		if ((r->kind == REC_EVENT || r->kind == REC_KEY) && r->act >= 0 && key_of(w, i) >= 0)
			return i;
	}
	return event;
}

static void actor_name(const struct why *w, int32_t number, struct buf *out)
{
	const struct record *r = log_at(&w->log, number);
	word actor = r->kind == REC_KEY ? r->owner : log_actor(&w->log, r);
	if (actor != NONE)
		program_live(w->log.p, KIND_COMBATANT, actor, out);
	else
		buf_puts(out, r->what >= 0 && r->what < w->log.p->events ? w->log.p->event[r->what].name : "it");
}

static bool is_key(const struct why *w, const struct record *q)
{
	return q->kind == REC_QUESTION && !q->dropped && q->what >= 0 && q->what < w->log.p->questions;
}

static int32_t next_key(const struct why *w, int32_t i)
{
	while (i >= 0 && !is_key(w, log_at(&w->log, i)))
		i = log_sibling(&w->log, i);
	return i;
}

enum { EVERY_KEY = -1, NO_KEY = -2 };

/* The key that is to be told: the first in which two acts differ; EVERY_KEY where they differ in
 * none or their keys are not the same questions, NO_KEY when only one was placed by keys at all. */
static int32_t deciding(const struct why *w, int32_t key1, int32_t key2)
{
	if (key1 < 0 || key2 < 0)
		return NO_KEY;
	int32_t a = next_key(w, log_child(&w->log, key1)), b = next_key(w, log_child(&w->log, key2));
	while (a >= 0 && b >= 0) {
		const struct record *x = log_at(&w->log, a), *y = log_at(&w->log, b);
		if (x->what != y->what)
			return EVERY_KEY;
		if (x->value != y->value)
			return x->what;
		a = next_key(w, log_sibling(&w->log, a));
		b = next_key(w, log_sibling(&w->log, b));
	}
	return EVERY_KEY;
}

/* "segment 4", or the phase in which an event happened; empty when there is neither. */
static void when(const struct why *w, int32_t event, struct buf *out)
{
	if (log_moment(&w->log, event, out))
		return;
	int32_t round = log_at(&w->log, event)->round;
	for (int32_t i = event; i >= 0 && trace_look(w->log.t, i)->round == round; i--) {
		const struct record *x = trace_look(w->log.t, i);
		if (x->kind == REC_PHASE && x->what >= 0 && x->what < w->log.p->phases) {
			buf_printf(out, "the phase %s", w->log.p->phase[x->what].name);
			return;
		}
	}
}

/* "orc #1 acts in segment 5", by the rule that says so, and what that rests on; of several
 * keys only the one that is to be told. */
static void key_lines(struct why *w, int32_t event, int32_t key, int32_t only)
{
	bool any = false;
	for (int32_t i = key >= 0 ? log_child(&w->log, key) : -1; i >= 0; i = log_sibling(&w->log, i)) {
		const struct record *q = log_at(&w->log, i);
		struct buf b = {0};
		if (!is_key(w, q) || (only != EVERY_KEY && q->what != only))
			continue;
		struct buf moment = {0};
		bool timed = q->what == w->log.p->at.act_time_question && program_moment(w->log.p, q->value, log_start(&w->log, i), &moment);
		any = true;
		actor_name(w, event, &b);
		if (timed) {
			buf_printf(&b, " acts in %s", buf_text(&moment));
		} else {
			buf_printf(&b, ": %s ", w->log.p->question[q->what].name);
			log_answer(&w->log, i, q->what, q->value, &b);
		}
		why_statement(w, 0, INK_PLAIN, buf_text(&b), q->clause);
		for (int32_t k = log_child(&w->log, i); k >= 0; k = log_sibling(&w->log, k)) {
			const struct record *x = log_at(&w->log, k);
			if (x->kind == REC_QUESTION)
				why_value_tree(w, k, 1);
			else if (x->kind == REC_ADJUST || x->kind == REC_BOUND || x->kind == REC_LOST)
				why_part_line(w, k, i, 1);
		}
		buf_free(&moment);
		buf_free(&b);
	}
	if (!any) {
		struct buf b = {0};
		struct buf time = {0};
		when(w, event, &time);
		actor_name(w, event, &b);
		if (time.length > 0)
			buf_printf(&b, " acts in %s", buf_text(&time));
		else
			buf_puts(&b, " acts when its turn comes");
		why_statement(w, 0, INK_PLAIN, buf_text(&b), -1);
		buf_free(&time);
		buf_free(&b);
	}
}

/* Pair clauses that moved either act, noted when its group was chosen. */
static bool moved_lines(struct why *w, int32_t event, int32_t key)
{
	static const char *const verb[] = {"goes before", "waits for", "acts together with", "meets", "stays apart from"};
	int32_t act = log_at(&w->log, event)->act;
	bool any = false;
	int32_t end = key >= 0 ? key : event;
	for (int32_t i = end; i >= 0; i--) {
		const struct record *x = trace_look(w->log.t, i);
		if (x->kind == REC_EVENT && x->act == act)
			break;
		if (x->kind != REC_MOVED || x->act != act)
			continue;
		x = log_at(&w->log, i);
		struct buf b = {0};
		actor_name(w, event, &b);
		buf_printf(&b, " %s ", x->flag < FRAY_COUNT(verb) ? verb[x->flag] : "is moved because of");
		int32_t other = log_act(&w->log, x->what, i);
		if (other >= 0)
			actor_name(w, other, &b);
		else
			buf_puts(&b, "another act");
		why_statement(w, 0, INK_PLAIN, buf_text(&b), x->clause);
		for (int32_t k = log_child(&w->log, i); k >= 0; k = log_sibling(&w->log, k))
			if (log_at(&w->log, k)->kind == REC_QUESTION)
				why_value_tree(w, k, 1);
		buf_free(&b);
		any = true;
		break;
	}
	return any;
}

/* The clause of the order: the one the keys name, else the nearest layer's. */
static int32_t order_clause(const struct why *w, int32_t one, int32_t other)
{
	const struct program *p = w->log.p;
	const int32_t keys[] = {one, other};
	int32_t best = -1;
	for (size_t i = 0; i < 2; i++)
		if (keys[i] >= 0 && log_at(&w->log, keys[i])->clause >= 0 && log_at(&w->log, keys[i])->clause < p->clauses)
			return log_at(&w->log, keys[i])->clause;
	for (int32_t i = 0; i < p->clauses; i++)
		if (p->clause[i].sort == CLAUSE_ORDER && (best < 0 || p->clause[i].layer >= p->clause[best].layer))
			best = i;
	return best;
}

void explain_order(const struct program *p, const struct trace *t, int32_t one, int32_t other, const struct story_options *o)
{
	struct why w;
	why_open(&w, p, t, o);
	one = placed(&w, one);
	other = placed(&w, other);
	const struct record *a = log_at(&w.log, one), *b = log_at(&w.log, other);
	if (a && b) {
		int32_t first = one, second = other;
		if (b->group < a->group || (b->group == a->group && other < one)) {
			first = other;
			second = one;
		}
		why_place(&w, first);
		int32_t key1 = key_of(&w, first), key2 = key_of(&w, second);
		int32_t only = deciding(&w, key1, key2);
		if (only == EVERY_KEY && a->group == b->group && next_key(&w, log_child(&w.log, key1)) >= 0)
			only = log_at(&w.log, next_key(&w, log_child(&w.log, key1)))->what; /* together: the first says it */
		key_lines(&w, first, key1, only);
		key_lines(&w, second, key2, only);
		bool moved = moved_lines(&w, first, key1);
		moved = moved_lines(&w, second, key2) || moved;
		int32_t clause = order_clause(&w, key1, key2);
		const char *text = clause >= 0 && p->clause[clause].text ? p->clause[clause].text : "";
		if (*text)
			why_statement(&w, 0, INK_PLAIN, text, clause);
		struct buf end = {0};
		if (a->round != b->round) {
			actor_name(&w, first, &end);
			buf_printf(&end, " acts in round %d, ", log_at(&w.log, first)->round);
			actor_name(&w, second, &end);
			buf_printf(&end, " in round %d", log_at(&w.log, second)->round);
		} else if (a->group == b->group) {
			buf_puts(&end, "neither is before the other: they act together");
		} else {
			actor_name(&w, first, &end);
			buf_puts(&end, " acts before ");
			actor_name(&w, second, &end);
			if (moved)
				buf_puts(&end, ", though not by the base order alone");
		}
		why_statement(&w, 0, INK_NAME, buf_text(&end), -1);
		buf_free(&end);
	}
	why_close(&w);
}
