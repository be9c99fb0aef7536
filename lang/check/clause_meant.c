/* clause_meant.c - values and events in a referee's words at the head of a clause: the bonus to an
 * "attack roll" is written `adjust to-hit (attacker, target, weapon)`, a "kill" is the event death.
 * The words are in stdlib/meant.def. */
#include <string.h>

#include "lang/check/declare.h"

static const struct { const char *said, *value; } values[] = {
#define VALUE(said, value) {said, value},
#include "stdlib/meant.def"
};

static const struct { const char *said, *kind, *value, *clause, *who; } owned[] = {
#define VALUE_OF(said, kind, value, clause, who) {said, kind, value, clause, who},
#include "stdlib/meant.def"
};

static const struct { const char *said, *event, *when; } events[] = {
#define EVENT(said, event, when) {said, event, when},
#include "stdlib/meant.def"
};

/* What is asked of roles by this name; NULL: nothing, or nothing that rules define. */
static const struct mquestion *asked_of(const struct model *m, const char *value)
{
	const sym name = intern_find(m->front->names, value, strlen(value));
	for (int i = 0; name && i < m->question.n; i++) {
		const struct mquestion *q = &m->question.v[i];
		if (q->name == name && q->subject < 0 && q->params > 0 && q->clause.n)
			return q;
	}
	return NULL;
}

/* Somebody whom the clause's own condition names: `when attacker is Ann`. */
static const char *named_in(const struct model *m, const struct node *when)
{
	const bool is = when && when->kind == N_KIND_E_IS && when->b &&
		when->b->kind == N_KIND_E_NAME && model_thing(m, when->b->name, -1) >= 0;
	return is ? model_text(m, when->b->name) : "";
}

/* `combatant is Ann`, of the clause's own role: attacker is Ann. */
static void put_role(struct model *m, sym of, const struct mquestion *q, struct buf *line)
{
	static const char *const ends[] = {" is ", "'s "};
	if (model_kind(m, of) < 0 || !line->length)
		return;
	for (size_t i = 0; i < FRAY_COUNT(ends); i++) {
		struct buf old = {0};
		buf_printf(&old, " %s%s", model_text(m, of), ends[i]);
		const char *at = strstr(buf_text(line), buf_text(&old));
		if (at) {
			struct buf more = {0};
			buf_add(&more, buf_text(line), (size_t)(at - buf_text(line)));
			buf_printf(&more, " %s%s%s", model_text(m, q->param_name[0]), ends[i], at + old.length);
			buf_free(line);
			*line = more;
		}
		buf_free(&old);
	}
}

bool report_value_meant(struct model *m, struct span at, sym said, sym of, const struct mclause *x)
{
	const char *text = model_text(m, said);
	const bool somebody = of && model_thing(m, of, -1) >= 0;
	const char *who = somebody ? model_text(m, of) : named_in(m, x->node->c);
	struct buf named = {0}, line = {0};
	for (size_t i = 0; i < FRAY_COUNT(values) && !line.length; i++) {
		const struct mquestion *q =
			strcmp(values[i].said, text) ? NULL : asked_of(m, values[i].value);
		if (!q)
			continue;
		buf_printf(&named, "%s (", values[i].value);
		for (int k = 0; k < q->params; k++)
			buf_printf(&named, "%s%s", k ? ", " : "", model_text(m, q->param_name[k]));
		buf_putc(&named, ')');
		if (!statement_with(m, at, buf_text(&named), &line))
			buf_printf(&line, "%s %s ..", clause_word(x), buf_text(&named));
		else if (somebody)
			buf_printf(&line, " %s %s is %s", x->node->c ? "and" : "when",
				model_text(m, q->param_name[0]), who);
		if (of)
			put_role(m, of, q, &line);
	}
	for (size_t i = 0; *who && i < FRAY_COUNT(owned) && !line.length; i++) {
		const char *kind = owned[i].kind, *value = owned[i].value;
		const int k = strcmp(owned[i].said, text)
			? -1
			: model_kind(m, intern_find(m->front->names, kind, strlen(kind)));
		const sym name = intern_find(m->front->names, value, strlen(value));
		const int q = k < 0 || !name ? -1 : model_question_of(m, kind_root(m, k), name, false);
		if (q < 0 || m->question.v[q].clause.n == 0)
			continue;
		buf_printf(&line, "%s when %s is %s", owned[i].clause, owned[i].who, who);
	}
	const bool found = line.length > 0;
	if (found) {
		size_t length;
		const char *as = sources_text(m->front->sources, at, &length);
		model_report(m, of ? M_SAID_OTHERWISE : M_DEFINE_SUBJECT, at, 2,
			of ? arena_text(m->arena, as, length) : buf_text(&line), buf_text(&line));
		if (m->reporting) /* the clause is read in other words then */
			VEC_PUSH(m->said, x->node->span);
	}
	buf_free(&named);
	buf_free(&line);
	return found;
}

/* ---- events ---- */

static const char *stage_word(const struct node *n)
{
	static const char *const words[] = {"instead of", "before", "on", "after"};
	return words[n->op];
}


/* `after round`: after the last of its phases. */
static bool put_phase(const struct model *m, const struct node *n, struct buf *line)
{
	const struct node *phase = m->sequence_round ? m->sequence_round->a : NULL;
	const char *said = model_text(m, n->name);
	const bool ends = n->op == STAGE_AFTER || !strcmp(said, "round's end") ||
		!strcmp(said, "end of round") || !strcmp(said, "end of the round");
	if (!phase || (n->name != m->w.round && !ends && strcmp(said, "start of round") &&
		strcmp(said, "round's start") && strcmp(said, "start of the round")))
		return false;
	if (n->name != m->w.round && !strstr(said, "round"))
		return false;
	while (ends && phase->next)
		phase = phase->next;
	buf_printf(line, "%s phase %s { .. }", ends ? "after" : "before", model_text(m, phase->name));
	return true;
}

bool report_event_meant(struct model *m, const struct node *n)
{
	struct buf line = {0};
	if (n->kind != N_KIND_C_HOOK)
		return false;
	for (size_t i = 0; i < FRAY_COUNT(events) && !line.length; i++) {
		const char *event = events[i].event;
		const sym name = intern_find(m->front->names, event, strlen(event));
		if (strcmp(events[i].said, model_text(m, n->name)) || !name || model_event(m, name) < 0)
			continue;
		buf_printf(&line, "%s %s", n->op == STAGE_ON ? "after" : stage_word(n), event);
		if (*events[i].when)
			buf_printf(&line, " when %s", events[i].when);
		buf_puts(&line, n->c ? " .." : " { .. }");
	}
	const bool found = line.length || put_phase(m, n, &line);
	if (found) {
		struct buf hint = {0};
		buf_printf(&hint, "Write: %s", buf_text(&line));
		model_report(m, M_NO_EVENT, n->at, 2, model_text(m, n->name), buf_text(&hint));
		buf_free(&hint);
	}
	buf_free(&line);
	return found;
}

void put_phases(const struct model *m, struct buf *out)
{
	const struct node *sequences[] = {m->sequence_encounter, m->sequence_round};
	for (int i = 0; i < 2; i++)
		for (const struct node *p = sequences[i] ? sequences[i]->a : NULL; p; p = p->next)
			if (p->name != m->w.rounds)
				buf_printf(out, "%s%s", out->length ? ", " : "", model_text(m, p->name));
}

void report_no_phase(struct model *m, struct span at, sym name)
{
	struct buf all = {0}, hint = {0};
	put_phases(m, &all);
	if (all.length)
		buf_printf(&hint, "The phases are: %s.", buf_text(&all));
	else
		buf_puts(&hint, "Phases are named in a sequence: sequence round: ..");
	model_report(m, M_NO_PHASE, at, 2, model_text(m, name), buf_text(&hint));
	buf_free(&all);
	buf_free(&hint);
}
