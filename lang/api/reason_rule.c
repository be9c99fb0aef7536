/* reason_rule.c - why a rule, and why not: whether it is in force, where it applied, what outranked it, and what its condition lacks. */
#include <string.h>
#include <strings.h>

#include "lang/api/reason.h"

static int rule_called(const struct model *m, const char *name)
{
	int best = -1;
	for (int i = 0; i < m->rule.n; i++)
		if (!strcasecmp(model_text(m, m->rule.v[i].name), name) && (best < 0 || rule_in_force(m, i)))
			best = i;
	return best;
}

static bool of_rule(const struct reason *r, int32_t clause, const char *name)
{
	return clause >= 0 && clause < r->p->clauses && !strcasecmp(r->p->clause[clause].rule, name);
}

static void dropped_in(const struct node *list, sym rule, struct span *at)
{
	for (const struct node *n = list; n; n = n->next)
		if (n->kind == N_KIND_DROP && n->name == rule)
			*at = n->span;
}

/* Why it is not in force at all. */
static bool out_of_force(struct reason *r, int rule, const char *name, struct answer *out)
{
	const struct model *m = &r->f->model;
	const struct mrule *x = &m->rule.v[rule];
	if (rule_in_force(m, rule))
		return false;
	buf_printf(&out->about, "The rule \"%s\" is not in force: ", name);
	if (x->dropped) {
		struct span at = {0};
		for (int i = 0; i < m->module.n; i++)
			for (int k = 0; k < m->module.v[i].tree.n; k++)
				dropped_in(m->module.v[i].tree.v[k], x->name, &at);
		if (r->f->encounter >= 0)
			dropped_in(m->encounter.v[r->f->encounter].node->a, x->name, &at);
		buf_puts(&out->about, "it was dropped");
		if (at.file) {
			buf_puts(&out->about, " in ");
			stated_place(r->f, at, &out->about);
		}
	}
	else if (x->replaced_by >= 0)
		buf_printf(&out->about, "the rule \"%s\" replaces it", model_text(m, m->rule.v[x->replaced_by].name));
	else if (x->option >= 0) {
		const struct moption *o = &m->option.v[x->option];
		const struct node *v = o->node->a;
		for (int i = 0; v && i < o->value; i++)
			v = v->next;
		size_t n = 0;
		const char *text = o->set ? sources_text(&r->f->sources, o->set->span, &n) : v ? sources_text(&r->f->sources, v->span, &n) : "";
		buf_printf(&out->about, "it is a reading of the option \"%s\", which is %.*s", model_text(m, o->name), (int)n, text);
		if (!o->set)
			buf_puts(&out->about, " as nothing else is chosen");
	} else
		buf_puts(&out->about, "its option is not chosen");
	buf_putc(&out->about, '.');
	return true;
}

/* Is somebody who is asked about among those whom an event or a question is about? */
static bool names_them(const struct reason *r, int32_t number, const people *who)
{
	const struct record x = *trace_look(r->t, number);
	const struct program *p = r->p;
	if (x.kind != REC_EVENT && x.kind != REC_QUESTION)
		return false;
	const bool event = x.kind == REC_EVENT;
	const word *v = trace_values_at(r->t, log_at(r->log, number));
	const int n = event ? p->event[x.what].roles : p->question[x.what].params;
	for (int k = 0, at = 0; v && k < n; k++) {
		const struct vtype t = event ? p->event[x.what].role[k].type : p->question[x.what].param[k];
		const int place = event ? p->event[x.what].role[k].word : at;
		at += program_type_words(p, t);
		if (t.base == VT_LIVE && t.kind == KIND_ACT) { /* whose act it is */
			const int32_t act = log_act(r->log, (int32_t)v[place], number);
			const word whose = act >= 0 ? log_actor(r->log, log_at(r->log, act)) : NONE;
			for (int i = 0; i < who->n; i++)
				if (whose == who->v[i])
					return true;
			v = trace_values_at(r->t, log_at(r->log, number));
			continue;
		}
		if (t.kind != KIND_COMBATANT || (t.base != VT_LIVE && t.base != VT_SET))
			continue;
		for (int i = 0; i < who->n; i++) {
			const word w = who->v[i];
			if (t.base == VT_LIVE ? v[place] == w : (v[place + w / 64] >> (w % 64) & 1) != 0)
				return true;
		}
	}
	return false;
}

/* Did a rule have its say there in the round, and about those, that the question names? */
static bool is_asked(const struct reason *r, const struct question *q, int32_t number)
{
	const struct record x = *trace_look(r->t, number);
	if ((q->round > 0 && x.round != q->round) || (q->before_rounds && x.round != 0))
		return false;
	if (q->who.n == 0)
		return true;
	for (int i = 0; i < q->who.n && x.kind == REC_CHANGE && x.flag != 1; i++)
		if (x.what >= 0 && r->p->field[x.what].kind == KIND_COMBATANT)
			return x.owner == q->who.v[i];
	for (int32_t i = number; i >= 0; i = trace_look(r->t, i)->parent) {
		if (names_them(r, i, &q->who))
			return true;
		if (trace_look(r->t, i)->kind == REC_EVENT && i != number)
			return false;
	}
	return false;
}

/* How much a rule must have done to have applied: what is seen at the table; or, where it does
 * nothing of that sort, what only rules keep, or a value that it gave. */
enum say { SAID_OPENLY, SAID_WITHIN };

/* Does a rule do anything besides defining values? What those are asked for tells nothing then. */
static bool does_more(const struct reason *r, const char *name)
{
	for (int i = 0; i < r->p->clauses; i++)
		if (of_rule(r, i, name) && r->p->clause[i].sort != CLAUSE_DEFINE)
			return true;
	return false;
}

/* Did a definition decide anything: is its value not nothing, or has it another's place? */
static bool defines(const struct reason *r, int32_t number)
{
	const struct record x = *trace_look(r->t, number);
	if (x.value != 0 && x.value != NONE)
		return true;
	for (int32_t i = x.parent >= 0 ? log_child(r->log, x.parent) : -1; i >= 0;
		 i = log_sibling(r->log, i))
		if (log_at(r->log, i)->kind == REC_LOST)
			return true;
	return false;
}

/* Was the same asked before in that round, with the same answer by the rule? */
static bool was_asked(const struct reason *r, int32_t number, int32_t last)
{
	const struct record x = *trace_look(r->t, number), y = *trace_look(r->t, last);
	if (x.kind != REC_BASE || y.kind != REC_BASE || x.clause != y.clause || x.round != y.round ||
		x.parent < 0 || y.parent < 0)
		return false;
	struct buf one = {0}, other = {0};
	log_question(r->log, x.parent, &one);
	log_question(r->log, y.parent, &other);
	const bool same = !strcmp(buf_text(&one), buf_text(&other));
	buf_free(&one);
	buf_free(&other);
	return same;
}

static bool has_say(const struct reason *r, int32_t number, enum say say, bool more)
{
	const uint32_t openly = 1u << REC_BOUND | 1u << REC_NOTE | 1u << REC_ROLL |
		1u << REC_REFUSED | 1u << REC_MOVED | 1u << REC_RECAST | 1u << REC_CANCEL;
	const struct record x = *trace_look(r->t, number);
	switch (x.kind) {
	case REC_EVENT: /* one that is not told may have come to nothing: what it brings tells */
		return x.text >= 0;
	case REC_ADJUST:
		return x.value != 0;
	case REC_CHANGE:
		return say == SAID_WITHIN || x.flag == 1 || x.what < 0 ||
			(!r->p->field[x.what].kept && !r->p->field[x.what].hidden);
	case REC_PEND:
		return say == SAID_WITHIN;
	case REC_BASE:
		return say == SAID_WITHIN && !more && defines(r, number);
	default:
		return openly >> x.kind & 1;
	}
}

/* The last record in which a clause of it had a say; how often, in *n. `lost`: those in which it
 * gave way. */
static int32_t applied_so(const struct reason *r, const struct question *q, const char *name,
	bool lost, enum say say, int *n)
{
	const bool more = does_more(r, name);
	int32_t last = -1, parent = -1;
	*n = 0;
	for (int32_t i = 0; i < r->end; i++) {
		const struct record one = *trace_look(r->t, i), *x = &one;
		if (x->dropped)
			continue;
		const bool brought = x->kind == REC_EVENT && !event_is_root(r->log, i) &&
			(x->text >= 0 || log_actor(r->log, log_at(r->log, i)) != NONE) &&
			of_rule(r, event_clause(r->log, i), name) &&
			/* not within one that counts itself */
			!(x->parent >= 0 && trace_look(r->t, x->parent)->text >= 0 &&
				of_rule(r, trace_look(r->t, x->parent)->clause, name));
		if (!brought && !of_rule(r, x->clause, name))
			continue;
		/* to another clause of the rule is not to give way */
		const bool gave_way = x->kind == REC_LOST && x->value == 1 && x->parent >= 0 &&
			!of_rule(r, trace_look(r->t, x->parent)->clause, name);
		if ((lost ? gave_way : brought || has_say(r, i, say, more)) && is_asked(r, q, i)) {
			/* several of its records in one event are one case */
			const bool again = last >= 0 &&
				((x->parent >= 0 && (x->parent == parent || x->parent == last)) ||
					was_asked(r, i, last));
			parent = x->kind == REC_EVENT ? i : x->parent;
			last = i;
			*n += !again;
		}
	}
	return last;
}

static int32_t applied(
	const struct reason *r, const struct question *q, const char *name, bool lost, int *n)
{
	const int32_t last = applied_so(r, q, name, lost, SAID_OPENLY, n);
	return last >= 0 || lost ? last : applied_so(r, q, name, lost, SAID_WITHIN, n);
}

/* The clause of the rule that has its say in a record. */
static int32_t clause_in(const struct reason *r, int32_t number, const char *name)
{
	const int32_t own = trace_get(r->t, number)->clause;
	return of_rule(r, own, name) ? own : event_clause(r->log, number);
}

/* The value or the event that a record belongs to, in words. */
static void about_what(struct reason *r, int32_t record, struct buf *out)
{
	const struct record x = *trace_get(r->t, record);
	const int32_t q = x.parent;
	if ((x.kind == REC_BASE || x.kind == REC_ADJUST || x.kind == REC_BOUND || x.kind == REC_LOST) && q >= 0 && trace_get(r->t, q)->kind == REC_QUESTION) {
		struct buf name = {0};
		log_question(r->log, q, &name);
		buf_puts(out, buf_text(&name));
		if (x.kind == REC_ADJUST) {
			buf_puts(out, ", by ");
			log_change(r->p, r->p->question[trace_get(r->t, q)->what].type, x.value, out);
		}
		buf_free(&name);
		return;
	}
	if (x.kind == REC_CHANGE || x.kind == REC_NOTE || x.kind == REC_REFUSED || x.kind == REC_RECAST || x.kind == REC_CANCEL || x.kind == REC_PEND) {
		log_sentence(r->log, record, out);
		return;
	}
	reason_deed_text(r->log, record, out);
}

/* Is a question asked of somebody first: "to-hit (Sef, gnoll #2, spear)"? */
static bool is_of(const struct reason *r, int32_t question, word who)
{
	const struct question_info *info = &r->p->question[trace_look(r->t, question)->what];
	const word *v = trace_values_at(r->t, log_at(r->log, question));
	return info->params > 0 && v && info->param[0].base == VT_LIVE &&
		info->param[0].kind == KIND_COMBATANT && v[0] == who;
}

/* Its clauses' condition, in the last case in which the question was asked. */
static bool condition_lacks(
	struct reason *r, int rule, const struct question *asked, struct answer *out)
{
	const struct model *m = &r->f->model;
	for (int i = 0; i < m->clause.n; i++) {
		const struct mclause *c = &m->clause.v[i];
		if (c->rule != rule || !c->in_force || !c->when || c->question < 0 || c->program < 0)
			continue;
		for (int32_t k = r->end - 1; k >= 0; k--) {
			const struct record q = *trace_look(r->t, k);
			if (q.kind != REC_QUESTION || q.dropped || strcmp(r->p->question[q.what].name, model_text(m, m->question.v[c->question].name)) != 0 || r->p->question[q.what].params != c->params)
				continue;
			if (asked->who.n && !is_of(r, k, asked->who.v[0]))
				continue;
			struct names b = {.n = 0};
			const word *v = trace_values_at(r->t, trace_get(r->t, k));
			const struct question_info *info = &r->p->question[q.what];
			bool acts = false;
			for (int j = 0, at = 0; v && j < c->params && at < q.value_count; j++) {
				acts |= info->param[j].base == VT_LIVE && info->param[j].kind == KIND_ACT;
				if (info->param[j].base == VT_LIVE && info->param[j].kind != KIND_ACT)
					names_bind(&b, c->param_name[j], info->param[j].kind, v[at]);
				at += program_type_words(r->p, info->param[j]);
			}
			struct visit visit;
			struct condition why;
			if (acts || !reason_go(r->f, k, &visit))
				break;
			const bool told = condition_of(r->f, c->when, &b, c->unless, &why);
			if (told) {
				struct buf name = {0};
				log_question(r->log, k, &name);
				if (asked->who.n)
					buf_printf(&out->about, ": %s, when %s was last asked for",
						buf_text(&why.text), buf_text(&name));
				else
					buf_printf(&out->about,
						" Its condition did not hold when %s was last "
						"asked for",
						buf_text(&name));
				reason_when(r->log, k, &out->about);
				if (!asked->who.n)
					buf_printf(&out->about, ": %s", buf_text(&why.text));
				buf_putc(&out->about, '.');
				buf_free(&name);
				condition_free(&why);
			}
			reason_back(r->f, &visit);
			return told;
		}
	}
	return false;
}

/* " to Ann in round 2" */
static void limits_add(const struct reason *r, const struct question *q, struct buf *out)
{
	if (q->who.n) {
		buf_puts(out, " to ");
		answer_people(r->p, q->who.v, q->who.n, out);
	}
	if (q->before_rounds)
		buf_puts(out, " before the first round");
	else if (q->round > 0)
		buf_printf(out, " in round %d", q->round);
}

/* It had no say as it is asked: when, and in what, it had one. */
static bool elsewhere(
	struct reason *r, const struct question *q, int rule, const char *name, struct answer *out)
{
	struct question any = *q;
	struct buf b = {0};
	int n;
	any.round = 0;
	any.before_rounds = false;
	int32_t last = applied(r, &any, name, false, &n);
	if (last < 0) {
		any.who.n = 0;
		any.round = q->round;
		last = applied(r, &any, name, false, &n);
	}
	any.round = 0;
	if (last < 0)
		last = applied(r, &any, name, false, &n);
	if (last < 0)
		return false;
	about_what(r, last, &b);
	buf_printf(&out->about, "The rule \"%s\" did not apply", name);
	limits_add(r, q, &out->about);
	struct answer lacks;
	memset(&lacks, 0, sizeof lacks);
	const bool told = q->who.n && condition_lacks(r, rule, q, &lacks);
	buf_puts(&out->about, told ? "" : "; it did");
	buf_puts(&out->about, buf_text(&lacks.about));
	struct buf line = {0};
	if (told)
		buf_puts(&line, "it did");
	if (n > 1) {
		buf_putc(&line, ' ');
		answer_times_add(n, &line);
		buf_puts(&line, ", last");
	}
	reason_when(r->log, last, &line);
	buf_printf(&line, ": %s", buf_text(&b));
	if (told)
		answer_figure(out, -1, -1, "%s", buf_text(&line));
	else
		buf_printf(&out->about, "%s.", buf_text(&line));
	buf_free(&line);
	answer_free(&lacks);
	answer_rule_of(r->p, out, clause_in(r, last, name));
	buf_free(&b);
	return true;
}

bool reason_rule(struct reason *r, const char *name, const struct question *q, struct answer *out)
{
	const struct model *m = &r->f->model;
	const int rule = rule_called(m, name);
	int n, lost;
	if (rule < 0) {
		VEC(const char *) names = {0};
		for (int i = 0; i < m->rule.n; i++)
			VEC_PUSH(names, model_text(m, m->rule.v[i].name));
		const char *near = diag_nearest(name, names.v, names.n);
		VEC_FREE(names);
		buf_printf(&out->about, "No rule is called \"%s\".", name);
		if (near)
			buf_printf(&out->about, " Did you mean \"%s\"?", near);
		return true;
	}
	if (out_of_force(r, rule, name, out))
		return true;
	const int32_t last = applied(r, q, name, false, &n),
				  gave_way = applied(r, q, name, true, &lost);
	struct buf b = {0};
	if (last >= 0) {
		about_what(r, last, &b);
		if (r->negated)
			answer_premise(out, PREMISE_OTHER);
		buf_printf(&out->about, "%s rule \"%s\" applied", r->negated ? "the" : "The", name);
		if (q->who.n) {
			buf_puts(&out->about, " to ");
			answer_people(r->p, q->who.v, q->who.n, &out->about);
		}
		if (n > 1) {
			buf_putc(&out->about, ' ');
			answer_times_add(n, &out->about);
			buf_puts(&out->about, ", last");
		}
		reason_when(r->log, last, &out->about);
		buf_printf(&out->about, ": %s.", buf_text(&b));
		answer_rule_of(r->p, out, clause_in(r, last, name));
	} else if (gave_way >= 0) {
		const int32_t asked = trace_get(r->t, gave_way)->parent;
		const int32_t won = asked >= 0 ? trace_get(r->t, asked)->clause : -1;
		about_what(r, gave_way, &b);
		buf_printf(&out->about, "%she rule \"%s\" gave way", r->negated ? "T" : "It did not apply: t", name);
		if (won >= 0)
			buf_printf(&out->about, " to \"%s\"", r->p->clause[won].rule);
		reason_when(r->log, gave_way, &out->about);
		buf_printf(&out->about, ", for %s.", buf_text(&b));
		answer_rule_of(r->p, out, won);
	} else if (!elsewhere(r, q, rule, name, out)) {
		buf_printf(&out->about, "The rule \"%s\" is in force, but has not applied to anything in this fight.", name);
		condition_lacks(r, rule, q, out);
		for (int i = 0; i < r->p->clauses; i++)
			if (of_rule(r, i, name)) {
				answer_rule_of(r->p, out, i);
				break;
			}
	}
	buf_free(&b);
	return true;
}
