/* reason_choice.c - why somebody chose an act: the line of the script; of a policy the line whose condition held,
 * and each before it with what it lacked; the table's answer; the default. */
#include <string.h>

#include "lang/api/reason.h"
#include "lang/api/session.h"
#include "runtime/explain/absence.h"
#include "runtime/code/ops.h"
#include "runtime/explain/left.h"

enum {
	CARRIED_MOST = 16,
	LINES_POLICY = 40,
	CONDS_MOST = 4,
	BEFORE_TOLD = 5,
	RECORDS_MOST = 400,
	TEXT_MOST = 160
};

/* A line of a policy, with the conditions that it stands below. */
struct order { const struct node *say; const struct node *below[CONDS_MOST]; int conds; bool last; };
struct orders { struct order at[LINES_POLICY]; int n; };

/* A record without such a link: what its actor declared last in that round, if it is the same. */
static int32_t declared_alike(const struct log *l, int32_t record)
{
	const struct record act = *log_at(l, record);
	const word who = log_actor(l, &act);
	for (int32_t i = trace_back(l->t, record, 1u << REC_DECLARE); i >= 0; i = trace_back(l->t, i - 1, 1u << REC_DECLARE)) {
		const struct record *d = log_at(l, i);
		if (d->round != act.round)
			return -1;
		if (!d->dropped && log_actor(l, d) == who)
			return d->what == act.what ? i : -1;
	}
	return -1;
}

int32_t reason_declared(const struct log *l, int32_t record)
{
	const int32_t asked = record;
	for (int k = 0; k < 5 && record > 0; k++) {
		const struct record *r = log_at(l, record);
		if (r->kind == REC_DECLARE)
			return record;
		if (r->kind != REC_EVENT && r->kind != REC_PEND && r->kind != REC_LEFT && r->kind != REC_CANCEL)
			return -1;
		if (r->value <= 0)
			return declared_alike(l, asked);
		record = (int32_t)r->value;
	}
	return -1;
}

/* ---- whose line it is ---- */

static bool holds_span(const struct node *list, const struct span *at)
{
	for (const struct node *n = list; n; n = n->next) {
		if (n->kind == N_KIND_N_SAY)
			for (const struct node *x = n; x; x = x->e)
				if (span_same(&x->span, at))
					return true;
		if (n->kind == N_KIND_P_IF && holds_span(n->b, at))
			return true;
	}
	return false;
}

static int policy_with(const struct model *m, const struct span *at)
{
	for (int i = 0; i < m->policy.n; i++)
		if (holds_span(m->policy.v[i].node->a, at))
			return i;
	return -1;
}

static bool flatten(const struct model *m, const struct node *list, const struct node *const *below, int conds, struct orders *out, int depth)
{
	for (const struct node *n = list; n; n = n->next) {
		const struct node *more[CONDS_MOST];
		if (conds)
			memcpy(more, below, sizeof *more * (size_t)conds);
		if (n->kind == N_KIND_N_SAY) {
			if (out->n == LINES_POLICY)
				return false;
			struct order *o = &out->at[out->n++];
			*o = (struct order){.say = n, .conds = conds};
			if (conds)
				memcpy(o->below, below, sizeof *below * (size_t)conds);
		} else if (n->kind == N_KIND_P_IF || (n->kind == N_KIND_N_FOLLOWS && n->ref >= 0)) {
			if (conds == CONDS_MOST || depth > 4 || (n->kind == N_KIND_N_FOLLOWS && (n->c && n->num == 1)))
				return false;
			const struct node *cond = n->kind == N_KIND_P_IF ? n->a : n->c;
			if (cond)
				more[conds] = cond;
			if (!flatten(m, n->kind == N_KIND_P_IF ? n->b : m->policy.v[n->ref].node->a, more, conds + (cond != NULL), out, depth + 1))
				return false;
		}
	}
	return true;
}

/* The line as it is written, without its condition. */
static void line_text(struct fray *f, const struct node *say, struct buf *out)
{
	size_t length, end;
	const char *text = sources_text(&f->sources, say->span, &length);
	end = say->c && say->c->span.start > say->span.start ? say->c->span.start - say->span.start : length;
	if (end > length)
		end = length;
	struct buf b = {0};
	for (size_t i = 0; i < end; i++) {
		const bool blank = text[i] == ' ' || text[i] == '\t' || text[i] == '\n';
		if (!blank || (b.length && b.data[b.length - 1] != ' '))
			buf_putc(&b, blank ? ' ' : text[i]);
	}
	while (b.length && b.data[b.length - 1] == ' ')
		b.data[--b.length] = '\0';
	for (const char *const *w = (const char *const[]){" when", " unless", NULL}; *w && say->c; w++) {
		const size_t n = strlen(*w);
		if (b.length > n && !strcmp(b.data + b.length - n, *w))
			b.data[b.length -= n] = '\0';
	}
	buf_puts(out, buf_text(&b));
	buf_free(&b);
}

/* ---- which lines held ---- */

enum held { HELD, FAILED, UNKNOWN };

/* Whether a line's conditions held in the world as it stands, and why not. */
static enum held held(struct fray *f, const struct order *o, const struct names *b, bool want, struct condition *why)
{
	bool holds = true;
	for (int i = 0; i < o->conds; i++) {
		if (!reason_holds(f, reason_put(f, o->below[i], b), &holds))
			return holds ? UNKNOWN : FAILED;
		if (!holds) {
			condition_of(f, o->below[i], b, false, why);
			return FAILED;
		}
	}
	if (!o->say->c) {
		if (want && o->conds)
			condition_of(f, o->below[o->conds - 1], b, true, why);
		return HELD;
	}
	struct probe p;
	const int32_t mark = vm_trace(f->vm)->n;
	const bool known = reason_worth(f, reason_put(f, o->say->c, b), false, &p) && p.type.base == VT_BOOL;
	const bool yes = known && p.value[0] != 0 && p.value[0] != NONE;
	reason_close(f, &p, mark);
	if (!known)
		return UNKNOWN;
	const bool so = yes != (o->say->num == 1);
	if (so == want)
		condition_of(f, o->say->c, b, yes, why);
	return so ? HELD : FAILED;
}

/* Was a line of the policy refused on the way to that declaration? By its place, or in the same
 * breath by its act. */
static bool refused(const struct reason *r, const struct node *say, word who, int32_t declared, struct buf *why)
{
	const struct model *m = &r->f->model;
	const struct record d = *trace_get(r->t, declared);
	const int event = model_event(m, model_alias(m, say->name));
	for (int32_t i = declared - 1; i >= 0 && trace_get(r->t, i)->round == d.round; i--) {
		const struct record x = *trace_get(r->t, i);
		const bool it = span_same(&x.span, &say->span) ||
			(x.what == event && event >= 0 && x.parent == d.parent);
		if (x.kind != REC_REFUSED || x.dropped || !it || log_actor(r->log, &x) != who)
			continue;
		refusal_reason(r->log, i, why);
		refusal_figures(r->log, i, why);
		return true;
	}
	return false;
}

static const char *ordinal(int n)
{
	static const char *const spelt[] = {"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"};
	return n < (int)FRAY_COUNT(spelt) ? spelt[n] : "last";
}

/* "Halvaine's nearest enemy: orc #2" */
static void aims(struct reason *r, const struct node *say, const struct names *b, struct answer *out)
{
	const struct node *targets[4];
	int n = 0;
	for (const struct node *t = say->b; t && n < 4; t = t->next)
		targets[n++] = t;
	for (const struct node *p = say->d; p && n < 4; p = p->next)
		if (p->kind == N_KIND_PREP && p->a)
			targets[n++] = p->a;
	for (int i = 0; i < n; i++) {
		struct buf text = {0}, value = {0};
		if (targets[i]->kind == N_KIND_E_FIELD && reason_value_text(r->f, reason_put(r->f, targets[i], b), &value) && value.length < 60) {
			reason_text(r->f, targets[i], b, &text);
			answer_figure(out, -1, -1, "%s: %s", buf_text(&text), buf_text(&value));
		}
		buf_free(&text);
		buf_free(&value);
	}
}

static void by_policy(struct reason *r, int32_t declared, word who, struct answer *out)
{
	struct model *m = &r->f->model;
	const struct span at = trace_get(r->t, declared)->span;
	const int policy = policy_with(m, &at);
	struct orders all = {.n = 0};
	struct names b = {.n = 0};
	struct visit v;
	int own = -1;
	names_bind(&b, m->w.me, KIND_COMBATANT, who);
	if (policy < 0) {
		buf_puts(&out->about, ", by policy.");
		return;
	}
	buf_printf(&out->about, ": a line of the policy \"%s\" says so", model_text(m, m->policy.v[policy].name));
	buf_puts(&out->about, " in ");
	stated_place(r->f, at, &out->about);
	const bool flat = flatten(m, m->policy.v[policy].node->a, NULL, 0, &all, 0);
	for (int i = 0; i < all.n && flat; i++)
		if (span_same(&all.at[i].say->span, &at))
			own = i;
	if (own < 0) {
		buf_putc(&out->about, '.');
		return;
	}
	/* what held then is looked up in the world before; where that contradicts the log, it is left out */
	struct condition why = {0};
	bool past = reason_go_to(r->f, declared, &v);
	bool agrees = past && held(r->f, &all.at[own], &b, true, &why) == HELD;
	struct { struct condition why; struct buf refused; enum held held; } before[LINES_POLICY];
	memset(before, 0, sizeof before);
	for (int i = 0; i < own && agrees; i++) {
		before[i].held = held(r->f, &all.at[i], &b, false, &before[i].why);
		if (before[i].held != FAILED &&
			!refused(r, all.at[i].say, who, declared, &before[i].refused))
			agrees = before[i].held == UNKNOWN || all.at[i].say->c == NULL;
	}
	buf_printf(&out->about, ", its %s", ordinal(own));
	struct buf line = {0};
	line_text(r->f, all.at[own].say, &line);
	buf_printf(&out->about, ": \"%s\"", buf_text(&line));
	if (agrees && why.text.length)
		buf_printf(&out->about, ", as %s", buf_text(&why.text));
	else if (!all.at[own].say->c && !all.at[own].conds)
		buf_puts(&out->about, ", which has no condition");
	buf_putc(&out->about, '.');
	for (int i = 0; i < own && agrees; i++) {
		if (i >= BEFORE_TOLD)
			break;
		buf_clear(&line);
		line_text(r->f, all.at[i].say, &line);
		if (before[i].refused.length)
			answer_figure(out, -1, -1, "not \"%s\": %s", buf_text(&line), buf_text(&before[i].refused));
		else if (before[i].held == FAILED && before[i].why.text.length)
			answer_figure(out, -1, -1, "not \"%s\": %s", buf_text(&line), buf_text(&before[i].why.text));
		else
			answer_figure(out, -1, -1, "not \"%s\": it could not be taken", buf_text(&line));
	}
	if (agrees)
		aims(r, all.at[own].say, &b, out);
	for (int i = 0; i < own; i++) {
		condition_free(&before[i].why);
		buf_free(&before[i].refused);
	}
	if (past)
		reason_back(r->f, &v);
	condition_free(&why);
	buf_free(&line);
}

static void plain_line(struct fray *f, struct span at, struct buf *out)
{
	size_t length = 0;
	const char *text = at.file ? sources_text(&f->sources, at, &length) : "";
	for (size_t i = 0; i < length; i++) {
		const bool blank = text[i] == ' ' || text[i] == '\t' || text[i] == '\n';
		if (!blank || (out->length && out->data[out->length - 1] != ' '))
			buf_putc(out, blank ? ' ' : text[i]);
	}
}

/* The line that has this one behind its `else`, or behind its `then`. */
static const struct node *line_before(const struct node *list, const struct span *at, bool *otherwise)
{
	for (const struct node *n = list; n; n = n->next) {
		const struct node *in = n->kind == N_KIND_MOMENT ? line_before(n->a, at, otherwise) : NULL;
		if (in)
			return in;
		for (const struct node *x = n->kind == N_KIND_N_SAY ? n : NULL; x; x = x->e) {
			if (x->e && span_same(&x->e->span, at)) {
				*otherwise = true;
				return x;
			}
			for (const struct node *y = x; y; y = y->f)
				if (y->f && span_same(&y->f->span, at)) {
					*otherwise = false;
					return y;
				}
		}
	}
	return NULL;
}

static void by_script(struct reason *r, int32_t declared, word who, struct answer *out)
{
	const struct span at = trace_get(r->t, declared)->span;
	const struct node *scene = r->f->model.encounter.v[r->f->encounter].node->a;
	bool otherwise = false;
	const struct node *before = line_before(scene, &at, &otherwise);
	struct buf place = {0}, line = {0}, first = {0}, why = {0};
	plain_line(r->f, at, &line);
	stated_place(r->f, at, &place);
	buf_puts(&out->about, ": the script says so");
	if (place.length)
		buf_printf(&out->about, " in %s", buf_text(&place));
	if (before && otherwise) {
		line_text(r->f, before, &first);
		const size_t other = first.length;
		for (size_t i = 0; i + 5 < other; i++)
			if (!strncmp(first.data + i, " else", 5)) {
				first.data[first.length = i] = '\0';
				break;
			}
		const bool no = refused(r, before, who, declared, &why);
		buf_printf(&out->about, ", after \"else\": \"%s\" %s", buf_text(&first), no ? "was refused" : "could not be done");
		if (no && why.length)
			buf_printf(&out->about, " - %s -", buf_text(&why));
		buf_puts(&out->about, ", and so");
	}
	if (line.length && line.length < 160)
		buf_printf(&out->about, "%s \"%s\"", before && otherwise ? "" : ",", buf_text(&line));
	buf_putc(&out->about, '.');
	buf_free(&place);
	buf_free(&line);
	buf_free(&first);
	buf_free(&why);
}

/* "Bruna", "orcs", a side: is he one of those? */
static bool names_him(struct reason *r, const struct node *n, word who)
{
	const struct names nobody = {.n = 0};
	const struct field_info *side = &r->p->field[r->p->at.combatant_side];
	const int32_t mark = r->t->n;
	struct probe p;
	bool his = false;
	if (reason_worth(r->f, reason_put(r->f, n, &nobody), false, &p)) {
		if (p.type.base == VT_SET)
			his = p.value[who / 64] >> (who % 64) & 1;
		else if (p.type.base == VT_LIVE && p.type.kind == KIND_SIDE)
			his = p.value[0] == vm_block(r->f->vm)[side->base + (uint32_t)who * side->stride];
		else
			his = p.type.base == VT_LIVE && p.value[0] == who;
	}
	reason_close(r->f, &p, mark);
	return his;
}

/* The policy that somebody follows: the last line of the encounter that says so without a condition. */
static int follows(struct reason *r, const struct node *list, word who, int policy)
{
	for (const struct node *n = list; n; n = n->next) {
		if (n->kind != N_KIND_N_FOLLOWS || n->ref < 0 || n->c)
			continue;
		for (const struct node *s = n->a; s; s = s->next) {
			if (names_him(r, s, who))
				policy = n->ref;
		}
	}
	return policy;
}

static void by_default(struct reason *r, int32_t declared, word who, struct answer *out)
{
	struct model *m = &r->f->model;
	const int policy = follows(r, m->encounter.v[r->f->encounter].node->a, who, -1);
	struct orders all = {.n = 0};
	struct names b = {.n = 0};
	struct visit v;
	names_bind(&b, m->w.me, KIND_COMBATANT, who);
	if (policy < 0 || !flatten(m, m->policy.v[policy].node->a, NULL, 0, &all, 0)) {
		buf_puts(&out->about, ": no line of the script and no policy said anything else for that round.");
		return;
	}
	buf_printf(&out->about, ": no line of the policy \"%s\" could be taken.", model_text(m, m->policy.v[policy].name));
	if (!reason_go_to(r->f, declared, &v))
		return;
	for (int i = 0; i < all.n && i < BEFORE_TOLD + 1; i++) {
		struct condition why = {0};
		struct buf line = {0}, reason = {0};
		const enum held h = held(r->f, &all.at[i], &b, false, &why);
		line_text(r->f, all.at[i].say, &line);
		if (h == FAILED && why.text.length)
			answer_figure(out, -1, -1, "not \"%s\": %s", buf_text(&line), buf_text(&why.text));
		else if (h == HELD && refused(r, all.at[i].say, who, declared, &reason) && reason.length)
			answer_figure(out, -1, -1, "not \"%s\": %s", buf_text(&line), buf_text(&reason));
		condition_free(&why);
		buf_free(&line);
		buf_free(&reason);
	}
	reason_back(r->f, &v);
}

/* What a rule brings about whenever something is so may come in the course of one act and be
 * another's doing. */
static bool is_of_another(const struct log *l, int32_t record, word who)
{
	int32_t from, carried[CARRIED_MOST];
	const int32_t clause = event_whenever(l, record, &from),
				  change = clause >= 0 ? event_change(l, from, clause) : -1;
	if (change < 0)
		return false;
	const int n = event_carried(l, change, carried, CARRIED_MOST);
	const word owner = log_at(l, change)->owner;
	int32_t doing = event_doing(l, change, owner);
	for (int i = 0; i < n; i++)
		doing = event_doing(l, carried[i], owner) >= 0 ? event_doing(l, carried[i], owner) : doing;
	return doing >= 0 && log_actor(l, log_at(l, doing)) != who;
}

/* What became of it: what rules made of it first, its dice, and what was told of it. */
static void came_of_it(struct reason *r, int32_t record, struct answer *out)
{
	const struct record e = *trace_get(r->t, record);
	struct buf b = {0};
	if (e.kind != REC_EVENT || e.act < 0)
		return;
	for (int32_t i = record + 1; i < r->end && i < record + RECORDS_MOST; i++) {
		const struct record x = *trace_get(r->t, i);
		int32_t up = x.parent;
		while (up > record)
			up = trace_get(r->t, up)->parent;
		if (up != record || x.dropped || x.act != e.act)
			continue;
		if (x.kind == REC_RECAST) {
			struct buf line = {0};
			log_sentence(r->log, i, &line);
			answer_figure(out, i, x.clause, "%s", buf_text(&line));
			answer_rule_of(r->p, out, x.clause);
			buf_free(&line);
		} else if (x.kind == REC_ROLL && b.length < TEXT_MOST) {
			buf_puts(&b, b.length ? "; " : "");
			log_label(r->log, trace_get(r->t, i), &b);
			buf_putc(&b, ' ');
			log_total(r->log, trace_get(r->t, i), &b);
			answer_fall(r->log, trace_get(r->t, i), &b);
		} else if ((x.kind == REC_EVENT || x.kind == REC_NOTE) && x.text >= 0 &&
			x.flag != EVENT_VOIDED && b.length < TEXT_MOST &&
			(x.kind == REC_NOTE || !is_of_another(r->log, i, log_actor(r->log, &e)))) {
			buf_printf(&b, "%s%s", b.length ? "; " : "", trace_text_at(r->t, x.text));
		}
	}
	if (b.length)
		answer_figure(out, record, -1, "what came of it: %s", buf_text(&b));
	buf_free(&b);
}

bool reason_choice(struct reason *r, int32_t record, struct answer *out)
{
	const int32_t declared = reason_declared(r->log, record);
	if (declared < 0)
		return false;
	const struct record d = *trace_get(r->t, declared);
	const word who = log_actor(r->log, &d);
	if (who == NONE)
		return false;
	english_event(r->log, record, MOOD_DID, &out->about);
	if (trace_get(r->t, record)->kind == REC_EVENT)
		reason_when(r->log, record, &out->about);
	switch (d.flag) {
	case BY_SCRIPT:
		by_script(r, declared, who, out);
		break;
	case BY_POLICY:
		by_policy(r, declared, who, out);
		break;
	case BY_PROMPT:
		buf_puts(&out->about, ": the table said so when it was asked.");
		break;
	default:
		by_default(r, declared, who, out);
		break;
	}
	came_of_it(r, record, out);
	return true;
}

/* ---- a line of the policy that was not taken ---- */

/* Whether the conditions hold that a line stands below, in the world as it stands. */
static bool is_reached(struct fray *f, const struct order *o, const struct names *b)
{
	bool holds = true;
	for (int i = 0; i < o->conds && holds; i++)
		holds = reason_holds(f, reason_put(f, o->below[i], b), &holds) && holds;
	return holds;
}

/* The first line of a policy that says so, with the thing that is asked about: of those that can be
 * reached, if any can. -1: none says so. */
static int line_of(const struct reason *r, const struct orders *all, const struct names *b,
	const struct question *q)
{
	const struct model *m = &r->f->model;
	int first = -1;
	for (int i = 0; i < all->n; i++) {
		const struct node *say = all->at[i].say;
		struct buf text = {0};
		line_text(r->f, say, &text);
		bool so = model_event(m, model_alias(m, say->name)) == q->event;
		for (int k = 0; k < q->thing.n && so; k++)
			so = strstr(buf_text(&text), r->p->thing[q->thing.v[k]].name) != NULL;
		buf_free(&text);
		if (so && is_reached(r->f, &all->at[i], b))
			return i;
		first = so && first < 0 ? i : first;
	}
	return first;
}

/* The policy of whoever follows none; -1: there is none. */
static int default_policy(const struct model *m)
{
	int policy = -1;
	for (int i = 0; i < m->default_policies.n; i++)
		if (m->clause.v[m->default_policies.v[i]].in_force)
			policy = m->clause.v[m->default_policies.v[i]].node->ref;
	return policy;
}

static void place_of(void *context, struct span at, struct buf *out)
{
	stated_place(context, at, out);
}

static void text_of(void *context, struct span at, struct buf *out)
{
	struct fray *f = context;
	size_t n = 0;
	const char *text = at.file ? sources_text(&f->sources, at, &n) : NULL;
	if (text)
		buf_add(out, text, n);
}

/* What the policy of somebody says of an act that they did not declare: no line of it does, or what
 * its first line lacked. False: nothing can be said. */
static bool policy_said(struct reason *r, const struct question *q, word who, int32_t declared,
	struct buf *out)
{
	const struct model *m = &r->f->model;
	const struct record d = *trace_get(r->t, declared);
	int policy = follows(r, m->encounter.v[r->f->encounter].node->a, who, default_policy(m));
	struct orders all = {.n = 0};
	struct names b = {.n = 0};
	struct visit v;
	bool taken = false;
	names_bind(&b, m->w.me, KIND_COMBATANT, who);
	if (policy < 0 || !flatten(m, m->policy.v[policy].node->a, NULL, 0, &all, 0))
		return false;
	const bool past = reason_go_to(r->f, declared, &v);
	const int line = line_of(r, &all, &b, q);
	const char *name = model_text(m, m->policy.v[policy].name);
	for (int i = 0; i < line && !taken; i++)
		taken = span_same(&all.at[i].say->span, &d.span) && is_reached(r->f, &all.at[i], &b);
	struct condition why;
	struct buf text = {0}, no = {0};
	memset(&why, 0, sizeof why);
	if (line >= 0)
		line_text(r->f, all.at[line].say, &text);
	const int with = line < 0 ? -1 : policy_with(m, &all.at[line].say->span);
	const int own = with < 0 ? policy : with;
	const enum held is = past && line >= 0 ? held(r->f, &all.at[line], &b, false, &why) : UNKNOWN;
	if (past)
		reason_back(r->f, &v);
	if (line < 0)
		buf_printf(out, "no line of the policy \"%s\" says so", name);
	else if (is == FAILED && why.text.length)
		buf_printf(out, "not \"%s\", of the policy \"%s\": %s", buf_text(&text),
			model_text(m, m->policy.v[own].name), buf_text(&why.text));
	else if (is != FAILED && refused(r, all.at[line].say, who, declared, &no) && no.length)
		buf_printf(out, "not \"%s\": %s", buf_text(&text), buf_text(&no));
	else if (taken)
		buf_printf(out, "the policy \"%s\" has \"%s\" behind the line that was taken", name,
			buf_text(&text));
	condition_free(&why);
	buf_free(&text);
	buf_free(&no);
	return out->length > 0;
}

bool reason_not_taken(struct reason *r, const struct question *q, struct answer *out)
{
	const struct inquiry s = {.p = r->p,
		.t = r->t,
		.log = *r->log,
		.end = r->end,
		.world = vm_block(r->f->vm),
		.place = place_of,
		.text = text_of,
		.context = r->f};
	if (q->who.n == 0 || q->event < 0 || !r->p->event[q->event].action || q->whom.n ||
		q->moment != INT64_MIN || q->anybody)
		return false;
	bool told = false;
	for (int i = 0; i < q->who.n && !(told && q->who.n > 1); i++) {
		const word who = q->who.v[i];
		const int32_t declared = absence_declared(&s, q, who);
		struct buf line = {0};
		if (declared < 0 || trace_get(r->t, declared)->flag != BY_POLICY ||
			trace_get(r->t, declared)->what == q->event || absence_of(&s, q, who) >= 0 ||
			absence_happened(&s, q, who) >= 0)
			continue;
		struct answer said;
		memset(&said, 0, sizeof said);
		/* where something kept them from it, that is the answer */
		const bool plain =
			answer_not(&s, q, &said) && (said.untried || q->who.n > 1);
		told = plain && policy_said(r, q, who, declared, &line);
		if (told)
			*out = said;
		else
			answer_free(&said);
		if (told)
			answer_figure(out, declared, -1, "%s%s%s",
				q->who.n > 1 ? r->p->live[KIND_COMBATANT][who].name : "",
				q->who.n > 1 ? ": " : "", buf_text(&line));
		buf_free(&line);
		if (q->who.n == 1)
			break;
	}
	return told;
}
