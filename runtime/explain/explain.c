/* explain.c - `why`, read from the log.
 *
 *   round 1, segment 4
 *   5 points of damage           osric: blow (5)
 *   because
 *     Bruna attacks orc #1 with long sword
 *
 * Two columns: what happened, and by which rule. A rule that lost is told with the sieve it
 * fell through: a declared exception, a conditional clause, a nearer layer. */
#include <string.h>

#include "runtime/explain/answer.h"
#include "runtime/explain/ends.h"
#include "runtime/explain/explain.h"
#include "runtime/explain/why.h"

void why_open(struct why *w, const struct program *p, const struct trace *t, const struct story_options *o)
{
	memset(w, 0, sizeof *w);
	log_open(&w->log, p, t);
	w->ink = (struct ink){.write = o->write, .context = o->context, .width = o->width};
	w->derived = o->derived;
}

static bool same_rule(const struct program *p, int32_t a, int32_t b)
{
	return !strcmp(p->clause[a].rule, p->clause[b].rule) && !strcmp(p->clause[a].module, p->clause[b].module);
}

/* What stands behind the colon of a rule's citation; NULL: nothing does. */
static const char *paraphrase(const struct program *p, int32_t clause)
{
	const char *colon = p->clause[clause].cite && *p->clause[clause].rule ? strstr(p->clause[clause].cite, ": ") : NULL;
	return colon ? colon + 2 : NULL;
}

static void cited(struct why *w, int32_t clause)
{
	if (clause < 0 || clause >= w->log.p->clauses || !paraphrase(w->log.p, clause))
		return;
	for (int i = 0; i < w->cited.n; i++)
		if (same_rule(w->log.p, w->cited.v[i], clause))
			return;
	VEC_PUSH(w->cited, clause);
}

static void in_words(struct why *w)
{
	const struct program *p = w->log.p;
	if (w->cited.n == 0 || w->derived)
		return;
	ink_add(&w->ink, INK_HEADING, "the rules in words");
	ink_line(&w->ink, 0);
	for (int i = 0; i < w->cited.n; i++) {
		int32_t c = w->cited.v[i];
		ink_add(&w->ink, INK_PLAIN, "  ");
		ink_add(&w->ink, INK_CITE, p->clause[c].rule);
		ink_printf(&w->ink, INK_PLAIN, ": %s", paraphrase(p, c));
		ink_line(&w->ink, 6);
	}
}

void why_close(struct why *w)
{
	in_words(w);
	VEC_FREE(w->cited);
	ink_free(&w->ink);
	log_close(&w->log);
}

/* Where the source leaves it open: which reading was taken, once in an explanation. */
static void reading(struct why *w, int32_t option)
{
	if (option < 0 || option >= w->log.p->options || (option < 64 && w->told >> option & 1))
		return;
	const struct option_info *o = &w->log.p->option[option];
	w->told |= option < 64 ? (uint64_t)1 << option : 0;
	ink_printf(&w->ink, INK_DIM, " - option %s: %s%s", o->name, o->value, o->set ? "" : ", as nothing else is chosen");
}

void why_statement(struct why *w, int depth, enum ink_style style, const char *text, int32_t clause)
{
	struct buf rule = {0};
	if (w->derived) {
		w->derived(w->ink.context, depth, text, clause);
		return;
	}
	program_cite(w->log.p, clause, &rule);
	cited(w, clause);
	if (depth > 0)
		ink_printf(&w->ink, INK_PLAIN, "%*s", depth * 2, "");
	ink_add(&w->ink, style, text);
	if (rule.length) {
		ink_add(&w->ink, INK_PLAIN, "  ");
		ink_pad(&w->ink, CITE_COLUMN);
		ink_add(&w->ink, INK_CITE, buf_text(&rule));
		const char *ruling = w->log.p->clause[clause].ruling;
		if (ruling && *ruling)
			ink_printf(&w->ink, INK_DIM, " - ruling: %s", ruling);
		reading(w, w->log.p->clause[clause].option);
	}
	ink_line(&w->ink, depth * 2 + 4);
	buf_free(&rule);
}

void why_place(struct why *w, int32_t number)
{
	const struct record *r = log_at(&w->log, number);
	struct buf time = {0}, place = {0};
	bool moment = log_moment(&w->log, number, &time);
	if (r->round > 0)
		buf_printf(&place, moment ? "round %d, %s" : "round %d", r->round, buf_text(&time));
	else
		buf_puts(&place, moment ? buf_text(&time) : "before the first round");
	why_statement(w, 0, INK_HEADING, buf_text(&place), -1);
	buf_free(&place);
	buf_free(&time);
}

/* ---- values ---- */

static const char *const layer_name[] = {"the core", "the parent ruleset", "the ruleset", "a stat block", "a house rule", "the script", "the table"};

static const char *layer_of(const struct clause_info *c)
{
	return c->layer < FRAY_COUNT(layer_name) ? layer_name[c->layer] : "elsewhere";
}

/* Why clause `lost` gave way to `won`, by the three sieves in their order. The log does not
 * keep which exceptions were declared: what neither of the later sieves explains was one. */
static void lost_because(const struct why *w, int32_t lost, int32_t won, struct buf *out)
{
	const struct program *p = w->log.p;
	if (lost < 0 || lost >= p->clauses || won < 0 || won >= p->clauses)
		return;
	const struct clause_info *l = &p->clause[lost], *v = &p->clause[won];
	if (v->conditional && !l->conditional)
		buf_puts(out, ": another rule's condition applies");
	else if (v->conditional == l->conditional && v->layer > l->layer)
		buf_printf(out, ": %s goes before %s", layer_of(v), layer_of(l));
	else if (v->conditional == l->conditional && v->layer == l->layer)
		buf_printf(out, " by \"%s\", which answers the same question", v->rule);
	else
		buf_printf(out, ": \"%s\" is an exception to it", v->rule);
}

void why_part_line(struct why *w, int32_t number, int32_t question, int depth)
{
	const struct record *q = log_at(&w->log, question), *r = log_at(&w->log, number);
	struct vtype type = w->log.p->question[q->what].type;
	struct buf b = {0};
	enum ink_style style = INK_PLAIN;
	switch (r->kind) {
	case REC_BASE:
		buf_puts(&b, r->clause < 0 ? "as stated: " : "base ");
		log_answer(&w->log, number, q->what, r->value, &b);
		break;
	case REC_ADJUST:
		if (log_is_zero(type, r->value)) {
			style = INK_DIM;
			buf_puts(&b, "also applied, but changed nothing");
		} else {
			log_change(w->log.p, type, r->value, &b);
		}
		break;
	case REC_BOUND:
		buf_puts(&b, "kept within ");
		log_answer(&w->log, number, q->what, r->value, &b);
		break;
	default:
		style = INK_DIM;
		buf_puts(&b, "overruled");
		lost_because(w, r->clause, q->clause, &b);
	}
	why_statement(w, depth, style, buf_text(&b), r->clause);
	buf_free(&b);
	if (r->kind == REC_BASE)
		why_fields(w, number, question, depth + 1);
}

void why_value_tree(struct why *w, int32_t number, int depth)
{
	const struct record *q = log_at(&w->log, number);
	struct buf b = {0};
	if (q->what < 0 || q->what >= w->log.p->questions || depth > DEPTH_MOST)
		return;
	log_question(&w->log, number, &b);
	buf_puts(&b, w->log.p->question[q->what].is_answer ? ": " : " is ");
	log_answer(&w->log, number, q->what, q->value, &b);
	why_statement(w, depth, depth ? INK_PLAIN : INK_HEADING, buf_text(&b), -1);
	buf_free(&b);
	for (int32_t i = log_child(&w->log, number); i >= 0; i = log_sibling(&w->log, i)) {
		const struct record *r = log_at(&w->log, i);
		if (r->dropped)
			continue;
		if (r->kind == REC_QUESTION)
			why_value_tree(w, i, depth + 1);
		else if (r->kind == REC_BASE || r->kind == REC_ADJUST || r->kind == REC_BOUND || r->kind == REC_LOST)
			why_part_line(w, i, number, depth + 1);
	}
}

void explain_value(const struct program *p, const struct trace *t, int32_t number, const struct story_options *o)
{
	struct why w;
	why_open(&w, p, t, o);
	if (log_at(&w.log, number) && log_at(&w.log, number)->kind == REC_QUESTION)
		why_value_tree(&w, number, 0);
	why_close(&w);
}

bool explain_stored(const struct program *p, const struct trace *t, int32_t field, word owner, const char *text, const struct story_options *o)
{
	struct why w;
	bool found = false;
	why_open(&w, p, t, o);
	for (int32_t i = trace_back_to_change(t, t->n - 1, field, owner); i >= 0 && !found; i = trace_back_to_change(t, i - 1, field, owner)) {
		const struct record *r = trace_look(t, i);
		if (r->dropped || r->clause < 0)
			continue;
		why_statement(&w, 0, INK_PLAIN, text, r->clause);
		found = true;
	}
	why_close(&w);
	return found;
}

/* ---- events ---- */

/* What a record says: its telling, or who does what. */
static void event_text(const struct why *w, int32_t number, struct buf *out)
{
	const struct record *r = log_at(&w->log, number);
	if (r->text >= 0) {
		buf_puts(out, trace_text_at(w->log.t, r->text));
		return;
	}
	word actor = log_actor(&w->log, r);
	if (actor != NONE) {
		program_live(w->log.p, KIND_COMBATANT, actor, out);
		buf_puts(out, ": ");
	}
	log_deed(&w->log, r, out);
}

static void roll_line(struct why *w, int32_t number, int depth)
{
	const struct record *r = log_at(&w->log, number);
	struct buf b = {0};
	log_label(&w->log, r, &b);
	buf_putc(&b, ' ');
	log_total(&w->log, r, &b);
	log_fall(&w->log, r, true, &b);
	why_statement(w, depth, INK_DIE, buf_text(&b), -1);
	buf_free(&b);
}

/* A value rules had a say in. */
static void value_made(struct why *w, int32_t number, int depth)
{
	if (log_weighed(&w->log, number))
		why_value_tree(w, number, depth);
}

/* What decided an event: dice, values, changes, choices, notes; and what followed from it. */
static void decided_by(struct why *w, int32_t number, int depth, bool follow)
{
	if (depth > DEPTH_MOST)
		return;
	for (int32_t i = log_child(&w->log, number); i >= 0; i = log_sibling(&w->log, i)) {
		const struct record *r = log_at(&w->log, i);
		struct buf b = {0};
		if (r->dropped)
			continue;
		switch (r->kind) {
		case REC_ROLL:
			roll_line(w, i, depth);
			break;
		case REC_QUESTION:
			value_made(w, i, depth);
			break;
		case REC_CHANGE:
		case REC_CHOICE:
		case REC_VOID:
		case REC_REFUSED:
		case REC_CANCEL:
		case REC_PEND:
		case REC_NOTE:
		case REC_RECAST:
			(r->kind == REC_CANCEL ? end_alone : log_sentence)(&w->log, i, &b);
			why_statement(w, depth, INK_PLAIN, buf_text(&b), r->kind == REC_VOID || r->kind == REC_REFUSED ? -1 : r->clause);
			break;
		case REC_REFER:
			buf_printf(&b, "referee's call: %s", trace_text_at(w->log.t, r->text));
			why_statement(w, depth, INK_PLAIN, buf_text(&b), r->clause);
			break;
		case REC_EVENT:
			if (!follow || r->act != log_at(&w->log, number)->act)
				break;
			event_text(w, i, &b);
			why_statement(w, depth, INK_PLAIN, buf_text(&b), r->clause);
			decided_by(w, i, depth + 1, true);
			break;
		default:
			break;
		}
		buf_free(&b);
	}
}

/* An event that is somebody's doing: the phase that hands out the acts is not. */
static bool is_cause(const struct why *w, int32_t number)
{
	const struct record *r = log_at(&w->log, number);
	return r && r->kind == REC_EVENT && (r->act >= 0 || r->text >= 0);
}

/* The events an event happened in, outermost first, each with the dice that fell and the
 * values that were asked for in it before. Returns how many there are. */
static int causes(struct why *w, int32_t number)
{
	int32_t above = log_at(&w->log, number)->parent;
	struct buf b = {0};
	if (!is_cause(w, above))
		return 0;
	int depth = causes(w, above) + 1;
	if (depth > DEPTH_MOST)
		return depth;
	event_text(w, above, &b);
	why_statement(w, depth, INK_PLAIN, buf_text(&b), log_at(&w->log, above)->clause);
	for (int32_t i = log_child(&w->log, above); i >= 0 && i < number; i = log_sibling(&w->log, i))
		if (!log_at(&w->log, i)->dropped) {
			if (log_at(&w->log, i)->kind == REC_ROLL)
				roll_line(w, i, depth + 1);
			else if (log_at(&w->log, i)->kind == REC_QUESTION)
				value_made(w, i, depth + 1);
		}
	buf_free(&b);
	return depth;
}

/* An act that another left pending: where it comes from. */
static void pended_by(struct why *w, int32_t number)
{
	const struct record *r = log_at(&w->log, number);
	if (r->act < 0 || (r->parent >= 0 && log_at(&w->log, r->parent)->act == r->act))
		return;
	int32_t act = r->act;
	for (int32_t i = number - 1; i >= 0; i--) {
		const struct record *x = trace_look(w->log.t, i);
		struct buf b = {0};
		if (x->dropped || x->act != act)
			continue;
		if (x->kind == REC_EVENT)
			return; /* the same number, but an older act */
		if (x->kind == REC_PEND && is_cause(w, x->parent)) {
			buf_puts(&b, "it was left pending by: ");
			event_text(w, x->parent, &b);
			why_statement(w, 1, INK_PLAIN, buf_text(&b), trace_look(w->log.t, i)->clause);
			buf_free(&b);
			return;
		}
		if (x->kind == REC_DECLARE) {
			log_sentence(&w->log, i, &b);
			why_statement(w, 1, INK_PLAIN, buf_text(&b), -1);
			buf_free(&b);
			return;
		}
	}
}

void explain_event(const struct program *p, const struct trace *t, int32_t number, const struct story_options *o)
{
	struct why w;
	struct buf b = {0};
	why_open(&w, p, t, o);
	const struct record *r = log_at(&w.log, number);
	if (r && r->kind == REC_EVENT) {
		why_place(&w, number);
		event_text(&w, number, &b);
		why_statement(&w, 0, INK_NAME, buf_text(&b), r->clause);
		pended_by(&w, number);
		if (is_cause(&w, r->parent)) {
			why_statement(&w, 0, INK_PLAIN, "because", -1);
			causes(&w, number);
		}
		if (log_child(&w.log, number) >= 0) {
			why_statement(&w, 0, INK_PLAIN, "what happened in it", -1);
			decided_by(&w, number, 1, true);
		}
	}
	buf_free(&b);
	why_close(&w);
}

/* ---- what did not happen ---- */

/* "orc #2 falls"; "orc #2 0", which a round's end lists, is nothing that came over it. */
static bool is_sentence(const struct program *p, const char *text)
{
	size_t subject, verb;
	return english_split(p, text, &subject, &verb);
}

/* The last that was told to have come over somebody before a record: that it fell, died, fled. */
static int32_t came_over(const struct why *w, word who, int32_t before)
{
	for (int32_t i = before - 1; i >= 0; i--) {
		const struct record *r = trace_look(w->log.t, i);
		if (r->kind != REC_EVENT || r->dropped || r->text < 0 || w->log.p->event[r->what].roles != 1 ||
		    w->log.p->event[r->what].action)
			continue;
		if (r->flag != EVENT_VOIDED && r->flag != EVENT_STOPPED && r->flag != EVENT_REPLACED &&
		    log_actor(&w->log, r) == who && is_sentence(w->log.p, trace_text_at(w->log.t, r->text)))
			return i;
	}
	return -1;
}

int32_t explain_came_over(const struct program *p, const struct trace *t, word who)
{
	struct why w = {.log = {.p = p, .t = t, .n = t->n}};
	return came_over(&w, who, t->n);
}

static void unable_since(struct why *w, word who, int32_t before)
{
	struct buf b = {0}, text = {0};
	int32_t i = came_over(w, who, before);
	if (i < 0)
		return;
	const struct record *r = log_at(&w->log, i);
	if (r->round > 0)
		buf_printf(&b, "round %d", r->round);
	if (log_moment(&w->log, i, &text))
		buf_printf(&b, "%s%s", b.length ? ", " : "", buf_text(&text));
	buf_puts(&b, b.length ? ": " : "");
	event_text(w, i, &b);
	why_statement(w, 0, INK_PLAIN, "because", -1);
	why_statement(w, 1, INK_PLAIN, buf_text(&b), r->clause);
	buf_free(&b);
	buf_free(&text);
}

void explain_unable(const struct program *p, const struct trace *t, word who, const struct story_options *o)
{
	struct why w;
	struct buf b = {0};
	why_open(&w, p, t, o);
	program_live(p, KIND_COMBATANT, who, &b);
	buf_puts(&b, " can do nothing");
	why_statement(&w, 0, INK_NAME, buf_text(&b), -1);
	unable_since(&w, who, t->n);
	buf_free(&b);
	why_close(&w);
}

/* An act that was left over: first the reason, then what it was, and how it came to its time. */
static void not_done(struct why *w, int32_t number)
{
	struct buf b = {0}, told = {0};
	log_act_told(&w->log, log_at(&w->log, number), &told);
	buf_puts(&b, log_left(&w->log, number) == LEFT_REPLACED ? "" : "left over: ");
	end_because(&w->log, number, &b);
	why_statement(w, 0, INK_NAME, buf_text(&b), -1);
	why_statement(w, 1, INK_PLAIN, buf_text(&told), -1);
	for (int32_t i = log_child(&w->log, number); i >= 0; i = log_sibling(&w->log, i))
		if (log_at(&w->log, i)->kind == REC_QUESTION && !log_at(&w->log, i)->dropped)
			why_value_tree(w, i, 1);
	buf_free(&b);
	buf_free(&told);
}

void explain_not(const struct program *p, const struct trace *t, int32_t number, const struct story_options *o)
{
	struct why w;
	struct buf b = {0};
	why_open(&w, p, t, o);
	const struct record *r = log_at(&w.log, number);
	if (r && r->kind == REC_LEFT) {
		why_place(&w, number);
		not_done(&w, number);
	} else if (r && (r->kind == REC_VOID || r->kind == REC_CANCEL || r->kind == REC_REFUSED)) {
		why_place(&w, number);
		log_sentence(&w.log, number, &b);
		why_statement(&w, 0, INK_NAME, buf_text(&b), r->kind == REC_CANCEL ? r->clause : -1);
		if (r->kind == REC_VOID && r->flag == VOID_UNABLE)
			unable_since(&w, log_actor(&w.log, r), number);
		/* a cancelled act: the chain of events that did it */
		for (int32_t i = r->parent, depth = 1; i >= 0 && depth <= DEPTH_MOST; i = log_at(&w.log, i)->parent, depth++) {
			const struct record *x = log_at(&w.log, i);
			if (!is_cause(&w, i) || (r->kind != REC_CANCEL && depth == 1))
				continue;
			buf_clear(&b);
			buf_puts(&b, depth == 1 ? "by: " : "in: ");
			event_text(&w, i, &b);
			why_statement(&w, depth, INK_PLAIN, buf_text(&b), x->clause);
			for (int32_t k = log_child(&w.log, i); k >= 0 && k < number; k = log_sibling(&w.log, k))
				if (log_at(&w.log, k)->kind == REC_ROLL && !log_at(&w.log, k)->dropped)
					roll_line(&w, k, depth + 1);
		}
	}
	buf_free(&b);
	why_close(&w);
}

/* ---- finding ---- */

int32_t explain_last(const struct program *p, const struct trace *t)
{
	(void)p;
	int32_t last = -1;
	for (int32_t i = t->n - 1; i >= 0; i--) {
		const struct record *r = trace_get(t, i);
		if (r->kind != REC_EVENT || r->dropped)
			continue;
		if (r->text >= 0)
			return i;
		if (last < 0)
			last = i;
	}
	return last;
}

static bool is_between(const struct log *l, const struct record *r, word who, word whom)
{
	struct vtype type;
	const word *target;
	if (who != NONE && log_actor(l, r) != who)
		return false;
	if (whom == NONE)
		return true;
	if (!log_target(l, r, &type, &target) || type.kind != KIND_COMBATANT)
		return false;
	return type.base == VT_SET ? (target[whom / 64] >> (whom % 64) & 1) != 0 : *target == whom;
}

/* An event that names only the one it befalls, as "Bors is wounded for 8": it is asked about as
 * another's doing all the same. */
static bool is_upon(const struct log *l, int32_t number, word who, word whom)
{
	const struct record *r = trace_look(l->t, number);
	struct vtype type;
	const word *target;
	if (whom == NONE || l->p->event[r->what].action || log_target(l, r, &type, &target) ||
		log_actor(l, r) != whom)
		return false;
	for (int32_t i = trace_get(l->t, number)->parent; i >= 0; i = trace_get(l->t, i)->parent) {
		const struct record *x = trace_get(l->t, i);
		if (x->kind == REC_EVENT && log_target(l, x, &type, &target))
			return who == NONE || log_actor(l, x) == who;
	}
	return false;
}

bool explain_is(const struct program *p, const struct trace *t, int32_t number, int32_t event, word who, word whom)
{
	struct log l = {.p = p, .t = t, .n = t->n};
	const struct record *r = trace_look(t, number);
	if (r->kind != REC_EVENT || r->dropped || r->flag == EVENT_VOIDED)
		return false;
	if (event >= 0 ? r->what != event : !p->event[r->what].action || r->act < 0 || (r->parent >= 0 && trace_get(t, r->parent)->act == r->act))
		return false;
	return is_between(&l, r, who, whom) || (event >= 0 && is_upon(&l, number, who, whom));
}

int32_t explain_find(const struct program *p, const struct trace *t, int32_t event, word who, word whom)
{
	int32_t i = t->n;
	do
		i = trace_back_to_event(t, i - 1, 1u << REC_EVENT, event);
	while (i >= 0 && !explain_is(p, t, i, event, who, whom));
	return i;
}

int32_t explain_find_open(const struct program *p, const struct trace *t, int32_t event, word who, word whom)
{
	struct log l = {.p = p, .t = t, .n = t->n};
	const uint32_t kinds = 1u << REC_DECLARE | 1u << REC_PEND;
	for (int32_t i = trace_back_to_event(t, l.n - 1, kinds, event); i >= 0;
		i = trace_back_to_event(t, i - 1, kinds, event)) {
		const struct record *r = trace_look(t, i);
		if (r->dropped || r->what != event || !is_between(&l, r, who, whom))
			continue;
		for (int32_t k = i + 1; k < l.n; k++) {
			const struct record *x = trace_look(t, k);
			const bool end = x->kind == REC_EVENT || x->kind == REC_CANCEL || x->kind == REC_LEFT || x->kind == REC_PEND;
			if (end && !x->dropped && x->value == i)
				return -1;
		}
		return i;
	}
	return -1;
}

int32_t explain_find_not(const struct program *p, const struct trace *t, int32_t event, word who, word whom)
{
	struct log l = {.p = p, .t = t, .n = t->n};
	const uint32_t kinds = 1u << REC_VOID | 1u << REC_CANCEL | 1u << REC_REFUSED | 1u << REC_LEFT;
	int32_t i = l.n;
	do {
		i = trace_back_to_event(t, i - 1, kinds, event);
	} while (i >= 0 &&
		(trace_look(t, i)->dropped || !is_between(&l, trace_look(t, i), who, whom)));
	return i;
}
