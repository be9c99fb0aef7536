/* reason.c - which of the answers of reason.h a question is for, and what was meant by names that are no field. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lang/api/question.h"
#include "lang/api/reason.h"
#include "lang/check/scene.h"
#include "runtime/explain/explain.h"
#include "runtime/explain/left.h"
#include "runtime/world/block.h"

enum { OWNERS_MOST = 8, PROPOSED_MOST = 5 };

static word side_called(const struct reason *r, const char *name)
{
	for (int i = 0; i < r->p->lives[KIND_SIDE]; i++)
		if (!strcasecmp(r->p->live[KIND_SIDE][i].name, name))
			return i;
	return NONE;
}

static const char *called(const struct reason *r, const struct node *n)
{
	return n && n->kind == N_KIND_E_NAME ? model_text(&r->f->model, model_alias(&r->f->model, n->name)) : "";
}

/* ---- names that are no field of theirs ---- */

static struct node *field_node(struct reason *r, const char *owner, const char *field)
{
	struct node *n = node_new(&r->f->arena, N_KIND_E_FIELD, r->n->span);
	n->name = intern_word(r->f->names, field);
	n->a = node_new(&r->f->arena, N_KIND_E_NAME, r->n->span);
	n->a->name = intern_word(r->f->names, owner);
	return n;
}

/* Whether a kind has such a field, or is asked such a question. */
static bool has_field(const struct model *m, int kind, sym name)
{
	return model_field(m, kind, name) >= 0 || model_question_of(m, kind, name, false) >= 0;
}

/* "movement" for "movement rate": the one field whose name begins or ends so; 0: none or several. */
static sym field_begun(const struct model *m, int kind, const char *name)
{
	const size_t n = strlen(name);
	sym found = 0;
	for (int i = 0; i < m->field.n; i++) {
		const char *full = model_text(m, m->field.v[i].name);
		const size_t k = strlen(full);
		if (m->field.v[i].kind != kind || m->field.v[i].hidden || k <= n || strncmp(full, name, n) != 0 || full[n] != ' ')
			continue;
		if (found)
			return 0;
		found = m->field.v[i].name;
	}
	return found;
}

struct told { struct answer answer; struct buf value; int group; };

/* "50%", of "50%, as in things.fray, line 33." */
static void value_said(struct answer *a, struct buf *out)
{
	const char *text = buf_text(&a->about);
	size_t n = strcspn(text, ",:");
	buf_add(out, text, n);
}

/* A field of each of several: those of whom the same is to be said on one line. */
static bool of_each(struct reason *r, const people *who, const char *field, struct answer *out)
{
	struct told told[OWNERS_MOST];
	struct node *kept = r->n;
	int n = 0, groups = 0;
	memset(told, 0, sizeof told);
	for (; n < who->n && n < OWNERS_MOST; n++) {
		r->n = field_node(r, r->p->live[KIND_COMBATANT][who->v[n]].name, field);
		if (!reason_value(r, &told[n].answer))
			break;
		value_said(&told[n].answer, &told[n].value);
		told[n].group = n;
		for (int k = n - 1; k >= 0; k--)
			if (!strcmp(buf_text(&told[k].answer.about), buf_text(&told[n].answer.about)))
				told[n].group = told[k].group;
		groups += told[n].group == n;
	}
	r->n = kept;
	const bool all = n == who->n && n > 0;
	for (int i = 0; i < n && all; i++) {
		struct buf names = {0};
		word of[OWNERS_MOST];
		int k = 0;
		if (told[i].group != i)
			continue;
		for (int j = i; j < n; j++)
			if (told[j].group == i)
				of[k++] = who->v[j];
		answer_people(r->p, of, k, &names);
		buf_puts(&out->about, out->about.length ? ", " : "");
		if (n == 1)
			buf_printf(&out->about, "%s%s %s: %s", buf_text(&names), names.data[names.length - 1] == 's' ? "'" : "'s", field, buf_text(&told[i].answer.about));
		else if (groups == 1)
			buf_printf(&out->about, "Each has %s", buf_text(&told[i].answer.about));
		else
			buf_printf(&out->about, "%s %s", buf_text(&names), buf_text(&told[i].value));
		if (groups > 1)
			answer_figure(out, -1, -1, "%s: %s", buf_text(&names), buf_text(&told[i].answer.about));
		if (n == 1)
			answer_rules_from(r->p, out, &told[i].answer);
		buf_free(&names);
	}
	if (groups > 1 && all)
		buf_putc(&out->about, '.');
	for (int i = 0; i < OWNERS_MOST; i++) {
		answer_free(&told[i].answer);
		buf_free(&told[i].value);
	}
	return all;
}

/* The same words in any order, with hyphens or without: "to-hit number", "number to hit". */
static bool same_words(const char *one, const char *other)
{
	if (strlen(one) != strlen(other))
		return false;
	for (const char *at = one; *at;) {
		const size_t n = strcspn(at, " -");
		bool found = false;
		for (const char *b = other; *b && !found;) {
			const size_t k = strcspn(b, " -");
			found = k == n && !strncmp(at, b, n);
			b += k + (b[k] != '\0');
		}
		if (!found)
			return false;
		at += n + (at[n] != '\0');
	}
	return true;
}

/* "Bruna's to-hit number": a question of several that was last asked of her in the fight. */
static bool of_several(struct reason *r, const struct question *q, const char *name, struct answer *out)
{
	for (int32_t i = trace_back(r->t, r->end - 1, 1u << REC_QUESTION); i >= 0; i = trace_back(r->t, i - 1, 1u << REC_QUESTION)) {
		const struct record x = *trace_get(r->t, i);
		const word *v = trace_values_at(r->t, trace_get(r->t, i));
		if (x.dropped || x.what < 0 || !same_words(r->p->question[x.what].name, name) || !v)
			continue;
		const struct question_info *info = &r->p->question[x.what];
		if (info->params == 0 || info->param[0].base != VT_LIVE || info->param[0].kind != KIND_COMBATANT || (q->who.n && v[0] != q->who.v[0]))
			continue;
		struct buf asked = {0};
		struct visit visit;
		log_question(r->log, i, &asked);
		buf_printf(&out->about, "%s was last asked for", buf_text(&asked));
		reason_when(r->log, i, &out->about);
		buf_puts(&out->about, ": ");
		buf_free(&asked);
		const bool past = reason_go(r->f, i, &visit);
		const bool told = reason_made_of(r, i, "as stated", out);
		if (past)
			reason_back(r->f, &visit);
		if (!told)
			buf_clear(&out->about);
		return told;
	}
	return false;
}

/* What can be asked of somebody: what befell and what is different from what it was. */
static bool propose(struct reason *r, word who, struct answer *out)
{
	const char *name = r->p->live[KIND_COMBATANT][who].name;
	struct log *l = r->log;
	int n = 0;
	buf_printf(&out->about, "What about %s? Ask, for example:", name);
	for (int32_t i = r->end - 1; i >= 0 && n < 2; i--) {
		const struct record x = *trace_look(r->t, i);
		if (x.kind != REC_EVENT || x.dropped || x.flag != EVENT_DONE || x.act < 0 || log_actor(l, &x) != who || !r->p->event[x.what].action || r->p->event[x.what].idle || r->p->event[x.what].waiting)
			continue;
		if (x.parent >= 0 && trace_get(r->t, x.parent)->act == x.act)
			continue;
		struct buf b = {0};
		log_act_told(l, trace_get(r->t, i), &b);
		answer_figure(out, i, -1, "why %s", buf_text(&b));
		buf_free(&b);
		n++;
	}
	if (!reason_able(r->f, who))
		answer_figure(out, -1, -1, "why %s is down", name);
	answer_figure(out, -1, -1, "why %s%s hit points", name, name[strlen(name) - 1] == 's' ? "'" : "'s");
	return true;
}

bool reason_meant(struct reason *r, const struct question *q, struct answer *out)
{
	const struct model *m = &r->f->model;
	const struct node *n = r->n;
	if (n->kind == N_KIND_E_NAME) {
		const char *name = called(r, n);
		const word side = side_called(r, name);
		if (side != NONE) {
			bool won = false;
			struct node *is = node_new(&r->f->arena, N_KIND_E_IS, n->span);
			is->a = field_node(r, name, name)->a;
			is->b = node_new(&r->f->arena, N_KIND_E_NAME, n->span);
			is->b->name = intern_word(r->f->names, "victorious");
			buf_printf(&out->about, "What about %s? Ask, for example:", name);
			if (reason_holds(r->f, is, &won))
				answer_figure(out, -1, -1, "why %s%s %s", won ? "" : "not ", name, reason_plural(name) ? "win" : "wins");
			if (has_field(m, KIND_SIDE, model_sym(m, "initiative")))
				answer_figure(out, -1, -1, "why %s%s initiative", name, name[strlen(name) - 1] == 's' ? "'" : "'s");
			return true;
		}
		if (q->who.n > 0)
			return propose(r, q->who.v[0], out);
		const int label = reason_label(r->p, name);
		return label >= 0 && reason_die(r, label, &q->who, NONE, q, out);
	}
	if (n->kind != N_KIND_E_FIELD || !n->a || n->a->kind != N_KIND_E_NAME)
		return false;
	const char *field = model_text(m, model_alias(m, n->name));
	const sym name = model_alias(m, n->name);
	const word side = side_called(r, called(r, n->a));
	if (q->who.n == 0 && side == NONE)
		return false;
	/* a field of each of a side; of somebody's side */
	if (has_field(m, KIND_COMBATANT, name) && (side != NONE || q->who.n > 1) && of_each(r, &q->who, field, out))
		return true;
	if (has_field(m, KIND_SIDE, name) && side == NONE && q->who.n) {
		const struct field_info *s = &r->p->field[r->p->at.combatant_side];
		const word own = vm_block(r->f->vm)[s->base + (uint32_t)q->who.v[0] * s->stride];
		struct node *kept = r->n;
		if (own == NONE)
			return false;
		r->n = field_node(r, r->p->live[KIND_SIDE][own].name, field);
		struct answer one;
		memset(&one, 0, sizeof one);
		const bool told = reason_value(r, &one);
		if (told) {
			program_owner(r->p, KIND_SIDE, own, &out->about);
			buf_printf(&out->about, " %s: %s", field, buf_text(&one.about));
			answer_rules_from(r->p, out, &one);
		}
		answer_free(&one);
		r->n = kept;
		return told;
	}
	const int label = reason_label(r->p, field);
	if (label >= 0 && reason_die(r, label, &q->who, side, q, out))
		return true;
	if (of_several(r, q, field, out))
		return true;
	const sym begun = field_begun(m, side != NONE ? KIND_SIDE : KIND_COMBATANT, field);
	return begun && of_each(r, &q->who, model_text(m, begun), out);
}

/* ---- which answer ---- */

static bool is_combatant(const struct reason *r, const char *name)
{
	for (int i = 0; i < r->p->lives[KIND_COMBATANT]; i++)
		if (!strcasecmp(r->p->live[KIND_COMBATANT][i].name, name))
			return true;
	return false;
}

static bool tells_of(const char *told, const char *name)
{
	const size_t n = strlen(name);
	while (*told && strncasecmp(told, name, n) != 0)
		told++;
	return *told != '\0';
}

/* Whether an act is told with every thing that the question names: "casts web". */
static bool names_all(struct reason *r, const struct node *said, int32_t record)
{
	const struct model *m = &r->f->model;
	struct buf told = {0};
	bool all = true;
	log_act_told(r->log, trace_get(r->t, record), &told);
	for (int k = 0; k < 2; k++)
		for (const struct node *p = k == 0 ? said->b : said->d; p && all; p = p->next) {
			const struct node *x = k == 0 ? p : p->a;
			const char *name = called(r, x);
			const bool thing = *name && !is_combatant(r, name) && side_called(r, name) == NONE && model_thing(m, model_alias(m, x->name), -1) >= 0;
			all = !thing || tells_of(buf_text(&told), name);
		}
	buf_free(&told);
	return all;
}

/* An act that was declared: who said so. Of several the last that the question can mean. */
static bool of_action(struct reason *r, const struct question *q, struct answer *out)
{
	const word who = q->who.n ? q->who.v[0] : NONE, whom = q->whom.n == 1 ? q->whom.v[0] : NONE;
	if (r->n->kind == N_KIND_E_NONE) /* as it was spoken: the record is the one that is meant */
		return q->record >= 0 && q->event >= 0 && r->p->event[q->event].action && reason_choice(r, q->record, out);
	if (q->event < 0 || !r->p->event[q->event].action || r->n->kind != N_KIND_N_EXPECT_SAY)
		return false;
	for (int32_t i = q->record; i >= 0;
		i = trace_back_to_event(r->t, i - 1, 1u << REC_EVENT, q->event))
		if (explain_is(r->p, r->t, i, q->event, who, whom) && names_all(r, r->n, i))
			return reason_choice(r, i, out);
	return false;
}

/* "why did the orcs charge Runa": those whom the same line of a policy had do it, by the first of
 * them. */
static bool of_actions(struct reason *r, const struct question *q, struct answer *out)
{
	const word whom = q->whom.n == 1 ? q->whom.v[0] : NONE;
	people did = {0};
	int32_t first = -1, declared = -1;
	bool same = q->who.n > 1 && q->event >= 0 && r->p->event[q->event].action;
	for (int i = 0; i < q->who.n && same; i++) {
		int32_t at = trace_back_to_event(r->t, r->end - 1, 1u << REC_EVENT, q->event);
		while (at >= 0 && (!event_in_time(r->log, q, at) ||
			!explain_is(r->p, r->t, at, q->event, q->who.v[i], whom)))
			at = trace_back_to_event(r->t, at - 1, 1u << REC_EVENT, q->event);
		const int32_t d = at < 0 ? -1 : reason_declared(r->log, at);
		if (at < 0)
			continue;
		same = d >= 0 && trace_get(r->t, d)->flag == BY_POLICY &&
			(declared < 0 ||
				(span_same(&trace_get(r->t, d)->span, &trace_get(r->t, declared)->span) &&
					trace_get(r->t, d)->round == trace_get(r->t, declared)->round));
		first = first < 0 ? at : first;
		declared = declared < 0 ? d : declared;
		VEC_PUSH(did, q->who.v[i]);
	}
	bool told = same && did.n > 1 && reason_choice(r, first, out);
	if (told) {
		const char *name = r->p->live[KIND_COMBATANT][did.v[0]].name;
		const size_t n = strlen(name);
		struct buf all = {0};
		answer_people(r->p, did.v, did.n, &all);
		if (!strncmp(buf_text(&out->about), name, n))
			answer_lead(r->p, buf_text(&all), n, &out->about);
		for (int i = 0; i < out->figure.n; i++)
			if (!strncmp(out->figure.v[i].text, "what came of it", 15)) {
				free(out->figure.v[i].text);
				out->figure.v[i] = out->figure.v[--out->figure.n];
			}
		buf_free(&all);
	}
	VEC_FREE(did);
	return told;
}

/* To wait is declared, and nothing comes of it that could be told. */
static bool of_waiting(struct reason *r, const struct question *q, struct answer *out)
{
	if (q->kind != ASK_EVENT || q->event < 0 || q->record >= 0 || q->who.n != 1)
		return false;
	bool own = r->p->event[q->event].idle || r->p->event[q->event].waiting;
	for (int32_t i = trace_back(r->t, r->end - 1, 1u << REC_LEFT); i >= 0 && !own;
		 i = trace_back(r->t, i - 1, 1u << REC_LEFT))
		own = trace_look(r->t, i)->what == q->event && left_in_effect(r->log, i) >= 0;
	if (!own)
		return false;
	for (int32_t i = trace_back(r->t, r->end - 1, 1u << REC_DECLARE); i >= 0;
		 i = trace_back(r->t, i - 1, 1u << REC_DECLARE)) {
		const struct record *d = trace_get(r->t, i);
		if (!d->dropped && d->owner == q->who.v[0] && d->what == q->event &&
			(q->round == 0 || d->round == q->round))
			return reason_choice(r, i, out);
	}
	return false;
}

/* "party wins", "orc #1 lives": a state said as a verb. */
static struct node *state_said(struct reason *r)
{
	scene_enter(&r->f->model, r->f->encounter);
	struct node *is = adjective_said(&r->f->model, r->n);
	scene_leave(&r->f->model);
	if (is) {
		is->num = 0; /* the question says whether it is denied */
		if (is->a)
			is->a->next = NULL;
	}
	return is;
}

static bool wins(struct reason *r, const struct question *q, struct answer *out)
{
	const struct node *n = r->n->kind == N_KIND_E_NOT ? r->n->a : r->n;
	const word side = n->kind == N_KIND_E_IS ? side_called(r, called(r, n->a)) : NONE;
	if (side == NONE || strcmp(called(r, n->b), "victorious") != 0)
		return false;
	return reason_won(r, side, !q->negated, out);
}

/* A sentence begins with a capital; a combatant is called as it is written, a side is "the rats". */
static void begin_sentence(const struct program *p, struct buf *about)
{
	const char *text = buf_text(about);
	if (*text < 'a' || *text > 'z')
		return;
	for (int kind = KIND_COMBATANT; kind >= KIND_SIDE; kind--)
		for (int i = 0; i < p->lives[kind]; i++) {
			const char *name = p->live[kind][i].name;
			const size_t n = strlen(name);
			if (strncmp(text, name, n) != 0 || !strchr(" ',:.", text[n]))
				continue;
			if (kind == KIND_SIDE) {
				struct buf whole = {0};
				buf_printf(&whole, "The %s", text);
				buf_clear(about);
				buf_puts(about, buf_text(&whole));
				buf_free(&whole);
			}
			return;
		}
	about->data[0] = (char)(*text - 'a' + 'A');
}

/* "didn't the orcs win": its last word is about the outcome. */
static bool outcome_said(const char *text, bool *wins)
{
	static const char *const won[] = {"win", "wins", "won"}, *const lost[] = {"lose", "loses", "lost"};
	const char *last = text ? strrchr(text, ' ') : NULL;
	for (int i = 0; i < 3 && last; i++) {
		*wins = !strcasecmp(last + 1, won[i]);
		if (*wins || !strcasecmp(last + 1, lost[i]))
			return true;
	}
	return false;
}

/* What somebody did last, or in that round: an act that was declared. */
static int32_t last_act(const struct reason *r, const struct question *q)
{
	for (int32_t i = trace_back(r->t, r->end - 1, 1u << REC_EVENT); i >= 0 && q->who.n; i = trace_back(r->t, i - 1, 1u << REC_EVENT))
		if ((q->round == 0 || trace_get(r->t, i)->round == q->round) && explain_is(r->p, r->t, i, -1, q->who.v[0], NONE) && reason_declared(r->log, i) >= 0)
			return i;
	return -1;
}

/* "why did orc #2 flee", who fell on the way: why that was chosen, and what came of it. */
static bool of_stopped(struct reason *r, const struct question *q, struct answer *out)
{
	if (q->record >= 0 || q->who.n != 1 || q->event < 0 || !r->p->event[q->event].action)
		return false;
	for (int32_t i = trace_back_to_event(r->t, r->end - 1, 1u << REC_EVENT, q->event); i >= 0;
		 i = trace_back_to_event(r->t, i - 1, 1u << REC_EVENT, q->event)) {
		const struct record e = *trace_look(r->t, i);
		if (!e.dropped && e.text >= 0 && (e.flag == EVENT_STOPPED || e.flag == EVENT_VOIDED) &&
			event_told_within(r->log, i) && log_actor(r->log, log_at(r->log, i)) == q->who.v[0] &&
			event_in_time(r->log, q, i))
			return reason_choice(r, i, out);
	}
	return false;
}

bool reason_make(struct fray *f, const struct question *q, struct node *n, struct answer *out)
{
	struct log log;
	struct reason r = {.f = f,
		.log = &log,
		.p = f->program,
		.t = vm_trace(f->vm),
		.n = n,
		.negated = q->negated,
		.text = q->text,
		.round = q->round};
	bool made = false;
	struct node *read = n;
	bool says_wins = false;
	if (!r.n) /* asked in words of its own: there is no tree, but a place for what is asked on the way */
		r.n = node_new(&f->arena, N_KIND_E_NONE, (struct span){0});
	r.end = (int32_t)vm_block(f->vm)[H_TRACE];
	log_open(&log, r.p, r.t);
	switch (q->kind) {
	case ASK_EVENT: case ASK_NOT:
		if (q->who_side != NONE && outcome_said(q->text, &says_wins)) {
			made = reason_won(&r, q->who_side, says_wins != (q->kind == ASK_NOT), out);
			break;
		}
		if (read && q->event < 0 && (n = state_said(&r))) {
			r.n = n;
			made = wins(&r, q, out) || reason_state(&r, out);
		} else if (q->kind == ASK_NOT) {
			made = reason_spared_told(&r, q, out) || reason_not_taken(&r, q, out);
		} else if (q->kind == ASK_EVENT) {
			made = of_actions(&r, q, out) || of_action(&r, q, out) || of_stopped(&r, q, out) ||
				of_waiting(&r, q, out) || (q->record < 0 && reason_not_taken(&r, q, out));
		}
		break;
	case ASK_VALUE:
		if (!read)
			break;
		if (n->kind == N_KIND_E_TEXT)
			made = reason_rule(&r, n->text, q, out);
		else
			made = reason_value(&r, out) || reason_state(&r, out) || reason_meant(&r, q, out);
		break;
	case ASK_STATE:
		made = read && (wins(&r, q, out) || reason_state(&r, out) || reason_told(&r, &q->who, out));
		break;
	case ASK_SIDE: {
		const bool loses = q->name && !strncmp(q->name, "lo", 2); /* "lose", "lost" */
		made = q->who_side != NONE ? reason_won(&r, q->who_side, loses == q->negated, out) : reason_length(&r, out);
		break;
	}
	case ASK_RULE:
		made = q->name && reason_rule(&r, q->name, q, out);
		break;
	case ASK_DIE: {
		if (q->thrown) {
			made = reason_thrown(&r, q, out);
			break;
		}
		const int32_t last = trace_back(r.t, r.end - 1, 1u << REC_ROLL);
		const int label = q->name ? reason_label(r.p, q->name) : last >= 0 ? trace_get(r.t, last)->what : -1;
		made = label >= 0 && reason_die(&r, label, &q->who, q->who_side, q, out);
		break;
	}
	case ASK_CHOICE: {
		const int32_t act = q->record >= 0 ? q->record : last_act(&r, q);
		made = act >= 0 && reason_choice(&r, act, out);
		break;
	}
	default:
		break;
	}
	if (made)
		begin_sentence(r.p, &out->about);
	/* a value or a state that dice had a hand in: which other face would have made it otherwise */
	if (made && (q->kind == ASK_VALUE || q->kind == ASK_STATE) && r.turns) {
		const word who = q->who.n ? q->who.v[0] : NONE;
		out->turn = (struct turn){.sort = TURN_VALUE, .record = -1, .event = -1, .other_event = -1, .who = who, .whom = NONE, .other = NONE};
	}
	log_close(&log);
	return made;
}
