/* log.c - a log made ready for reading: who acts upon whom, when, and what values are made of. */
#include <stdlib.h>
#include <string.h>

#include "runtime/explain/log.h"

/* How much longer the clock runs in a round, by the rules' unit of that name. */
static word round_length(const struct program *p)
{
	for (int i = 0; i < p->units; i++)
		if (strcmp(p->unit[i].name, "round") == 0 && p->unit[i].base == VT_TIME && p->unit[i].den > 0)
			return p->unit[i].num / p->unit[i].den;
	return 0;
}

/* Children and siblings of the records from `from` on. Of a long log only the end is asked for as a
 * rule: more is looked at when somebody asks for it. */
struct family {
	int32_t from;
	int32_t *child, *sibling;
	/* when the round of record `to` began, and of those before it down to `since`; -1: not known */
	int32_t since, to;
	word start;
};

enum { FAMILY_LEAST = 2048 };

void log_open(struct log *l, const struct program *p, const struct trace *t)
{
	memset(l, 0, sizeof *l);
	l->p = p;
	l->t = t;
	l->n = t->n;
	l->errand = trace_errand(t);
	l->family = calloc(1, sizeof *l->family);
	if (!l->family)
		abort();
	l->family->from = l->n;
	l->family->to = -1;
}

void log_close(struct log *l)
{
	trace_done(l->t, l->errand);
	if (l->family) {
		free(l->family->child);
		free(l->family->sibling);
	}
	free(l->family);
	memset(l, 0, sizeof *l);
}

static void reach(const struct log *l, int32_t from)
{
	struct family *f = l->family;
	int32_t known = l->n - f->from, n;
	int32_t further = f->from - (known > FAMILY_LEAST ? known : FAMILY_LEAST);
	f->from = from < further ? from : further > 0 ? further : 0;
	n = l->n - f->from;
	free(f->child);
	free(f->sibling);
	f->child = malloc(sizeof *f->child * (size_t)n);
	f->sibling = malloc(sizeof *f->sibling * (size_t)n);
	if (!f->child || !f->sibling)
		abort();
	memset(f->child, 0xff, sizeof *f->child * (size_t)n); /* -1 each */
	memset(f->sibling, 0xff, sizeof *f->sibling * (size_t)n);
	for (int32_t i = l->n - 1; i >= f->from; i--) { /* backwards, so that lists come out in order */
		int32_t parent = trace_look(l->t, i)->parent;
		if (parent < f->from || parent >= i)
			continue;
		f->sibling[i - f->from] = f->child[parent - f->from];
		f->child[parent - f->from] = i;
	}
}

int32_t log_child(const struct log *l, int32_t number)
{
	if (number < 0 || number >= l->n)
		return -1;
	if (number < l->family->from)
		reach(l, number);
	return l->family->child[number - l->family->from];
}

int32_t log_sibling(const struct log *l, int32_t number)
{
	if (number < 0 || number >= l->n)
		return -1;
	if (number < l->family->from)
		reach(l, number);
	return l->family->sibling[number - l->family->from];
}

word log_start(const struct log *l, int32_t number)
{
	struct family *f = l->family;
	if (number >= f->since && number <= f->to)
		return f->start;
	/* rounds that do not say when they begin are as long as the one before them */
	word length = round_length(l->p), added = 0, last = 0, start = 0;
	int32_t i;
	for (i = number; i >= 0; i--) {
		if (i == f->to) {
			start = f->start;
			added += last;
			i = f->since;
			break;
		}
		const struct record *r = trace_look(l->t, i);
		if (r->kind == REC_CHANGE && r->flag != 1 && r->what == l->p->at.round_start && !r->dropped && r->value != NONE) {
			start = r->value;
			added += last;
			break;
		}
		if (r->kind != REC_ROUND)
			continue;
		const word *values = trace_values_at(l->t, r);
		added += last;
		last = 0;
		if (values) {
			start = values[0];
			break;
		}
		last = r->value > 1 ? length : 0;
	}
	/* several rounds lie between, then, when something was added */
	f->since = added || last ? number : i < 0 ? 0 : i;
	f->to = number;
	f->start = start + added;
	return f->start;
}

const struct record *log_at(const struct log *l, int32_t number)
{
	return number < l->n ? trace_get(l->t, number) : NULL;
}

/* ---- roles ---- */

static bool has_arguments(const struct record *r)
{
	switch (r->kind) {
	case REC_EVENT:
	case REC_DECLARE:
	case REC_REFUSED:
	case REC_VOID:
	case REC_PEND:
	case REC_CANCEL:
	case REC_LEFT:
		return true;
	default:
		return false;
	}
}

static const struct event_info *record_event(const struct log *l, const struct record *r)
{
	return (has_arguments(r) || r->kind == REC_KEY) && r->what >= 0 && r->what < l->p->events ? &l->p->event[r->what] : NULL;
}

const word *log_role(const struct log *l, const struct record *r, int role)
{
	const struct event_info *e = record_event(l, r);
	const word *values = has_arguments(r) ? trace_values_at(l->t, r) : NULL;
	if (!e || !values || role < 0 || role >= e->roles)
		return NULL;
	if (e->role[role].word + program_type_words(l->p, e->role[role].type) > r->value_count)
		return NULL;
	return values + e->role[role].word;
}

static bool is_combatant(struct vtype t)
{
	return t.base == VT_LIVE && t.kind == KIND_COMBATANT;
}

static int actor_role(const struct log *l, const struct event_info *e)
{
	for (int i = 0; i < e->roles; i++)
		if (e->role[i].field >= 0 && e->role[i].field == l->p->at.act_actor)
			return i;
	for (int i = 0; i < e->roles; i++)
		if (is_combatant(e->role[i].type))
			return i;
	return -1;
}

word log_actor(const struct log *l, const struct record *r)
{
	const struct event_info *e = record_event(l, r);
	if (!e)
		return r->owner;
	const word *value = log_role(l, r, actor_role(l, e));
	return value ? *value : r->owner;
}

bool log_target(const struct log *l, const struct record *r, struct vtype *type, const word **value)
{
	const struct event_info *e = record_event(l, r);
	int actor = e ? actor_role(l, e) : -1;
	for (int i = 0; e && actor >= 0 && i < e->roles; i++) {
		struct vtype t = e->role[i].type;
		bool side = t.base == VT_LIVE && t.kind == KIND_SIDE;
		if (i == actor || !(is_combatant(t) || side || (t.base == VT_SET && t.kind == KIND_COMBATANT)))
			continue;
		const word *v = log_role(l, r, i);
		if (!v || (t.base == VT_LIVE && *v == NONE))
			continue;
		*type = t;
		*value = v;
		return true;
	}
	return false;
}

static bool is_empty(const struct program *p, struct vtype t, const word *v)
{
	if (t.base != VT_SET)
		return v[0] == NONE;
	for (int i = 0; i < p->set_words; i++)
		if (v[i])
			return false;
	return true;
}

/* `does`: as somebody does it. */
static void deed(const struct log *l, const struct record *r, bool does, struct buf *out)
{
	const struct event_info *e = record_event(l, r);
	if (!e) {
		buf_puts(out, "act");
		return;
	}
	int actor = actor_role(l, e);
	if (does)
		verb_add(e->name, out);
	else
		buf_puts(out, e->name);
	for (int i = 0; i < e->roles; i++) {
		const word *v = i == actor ? NULL : log_role(l, r, i);
		const bool plan = e->role[i].type.base == VT_LIVE &&
			e->role[i].type.kind == KIND_ACT; /* its number is nobody's word */
		if (!v || plan || is_empty(l->p, e->role[i].type, v))
			continue;
		buf_putc(out, ' ');
		if (e->role[i].preposition && *e->role[i].preposition)
			buf_printf(out, "%s ", e->role[i].preposition);
		program_value(l->p, e->role[i].type, v, out);
		if (!e->action) /* without prepositions a second thing would read like part of the first */
			return;
	}
}

void log_deed(const struct log *l, const struct record *r, struct buf *out)
{
	deed(l, r, false, out);
}

void log_act_told(const struct log *l, const struct record *r, struct buf *out)
{
	const struct event_info *e = record_event(l, r);
	const word actor = log_actor(l, r);
	if (actor != NONE) {
		program_live(l->p, KIND_COMBATANT, actor, out);
		buf_puts(out, e && e->action ? " " : ": ");
	}
	deed(l, r, e && e->action && actor != NONE, out);
}

/* ---- how acts end ---- */

bool log_is_below(const struct log *l, int32_t number, int32_t around)
{
	for (int32_t i = log_at(l, number)->parent; i >= around; i = log_at(l, i)->parent)
		if (i == around)
			return true;
	return false;
}

bool log_is_news(const struct log *l, const struct record *r)
{
	const struct event_info *e = record_event(l, r);
	return !e || !(e->waiting || (!e->action && !e->told));
}

enum left_why log_left(const struct log *l, int32_t number)
{
	const struct record r = *log_at(l, number);
	if (r.flag != LEFT_REPLACED)
		return (enum left_why)r.flag;
	for (int32_t i = number + 1; i < l->n && trace_look(l->t, i)->round == r.round; i++) {
		const struct record *x = trace_look(l->t, i);
		if (x->kind == REC_DECLARE && !x->dropped && x->owner == r.owner)
			return x->flag == BY_DEFAULT ? LEFT_ROUND : LEFT_REPLACED;
	}
	return LEFT_ROUND;
}

const char *log_end(const struct log *l, int32_t number)
{
	const struct record *r = log_at(l, number);
	if (r->kind == REC_CANCEL)
		return "interrupted";
	if (r->kind == REC_LEFT)
		return log_left(l, number) == LEFT_REPLACED ? "replaced" : "left over";
	if (r->flag == EVENT_STOPPED)
		return "interrupted";
	if (r->flag != EVENT_VOIDED)
		return "done";
	const int32_t act = r->act;
	for (int32_t i = log_child(l, number); i >= 0; i = log_sibling(l, i)) {
		const struct record *x = log_at(l, i);
		if (x->kind == REC_VOID && x->act == act)
			return x->flag == VOID_REFUSED ? "refused" : x->flag == VOID_STOPPED ? "interrupted" : "void";
	}
	return "void";
}

/* ---- times and questions ---- */

bool log_moment(const struct log *l, int32_t number, struct buf *out)
{
	const struct record *r = log_at(l, number);
	if (!r || r->time == NONE)
		return false;
	word time = r->time;
	bool acts = r->group > 0;
	word start = log_start(l, number);
	return time != start && (time > start || acts) && program_moment(l->p, time, start, out);
}

void log_answer(const struct log *l, int32_t number, int question, word value, struct buf *out)
{
	const struct program *p = l->p;
	if (question < 0 || question >= p->questions) {
		buf_printf(out, "%lld", (long long)value);
		return;
	}
	struct vtype type = p->question[question].type;
	if (question == p->at.act_time_question && type.base == VT_TIME && !type.frac && program_moment(p, value, log_start(l, number), out))
		return;
	if (type.base == VT_SET) { /* only its first word is in the log */
		buf_puts(out, "..");
		return;
	}
	program_value(p, type, &value, out);
}

/* The act a slot stood for when record `number` was written, as "orc #1's attack". */
static void act_name(const struct log *l, word act, int32_t number, struct buf *out)
{
	const struct record *r = log_at(l, act == NONE ? -1 : log_act(l, (int32_t)act, number));
	if (!r || r->what < 0 || r->what >= l->p->events) {
		program_live(l->p, KIND_ACT, act, out);
		return;
	}
	word actor = log_actor(l, r);
	if (actor != NONE) {
		program_owner(l->p, KIND_COMBATANT, actor, out);
		buf_putc(out, ' ');
	}
	buf_puts(out, l->p->event[r->what].name);
}

static void argument_add(const struct log *l, int32_t number, struct vtype type, const word *v, struct buf *out)
{
	if (type.base == VT_LIVE && type.kind == KIND_ACT)
		act_name(l, *v, number, out);
	else
		program_value(l->p, type, v, out);
}

void log_question(const struct log *l, int32_t number, struct buf *out)
{
	const struct program *p = l->p;
	const struct record *r = log_at(l, number);
	if (r->what < 0 || r->what >= p->questions)
		return;
	const struct question_info *q = &p->question[r->what];
	const word *v = trace_values_at(l->t, r);
	if (!v || q->params == 0 || program_type_words(p, q->param[0]) > r->value_count) {
		buf_puts(out, q->name);
		return;
	}
	int from = 0;
	/* acts are looked for in the log, which lends no longer then */
	word *own = malloc(sizeof *own * r->value_count), *end = own + r->value_count;
	if (!own)
		abort();
	memcpy(own, v, sizeof *own * r->value_count);
	v = own;
	if (q->of_subject || q->is_answer) {
		argument_add(l, number, q->param[0], v, out);
		v += program_type_words(p, q->param[0]);
		if (q->is_answer)
			buf_puts(out, " is ");
		else
			buf_puts(out, out->length && out->data[out->length - 1] == 's' ? "' " : "'s ");
		from = 1;
	}
	buf_puts(out, q->name);
	for (int i = from; i < q->params && v + program_type_words(p, q->param[i]) <= end; i++) {
		buf_puts(out, i == from ? " (" : ", ");
		argument_add(l, number, q->param[i], v, out);
		v += program_type_words(p, q->param[i]);
		if (i == q->params - 1)
			buf_putc(out, ')');
	}
	free(own);
}

void log_change(const struct program *p, struct vtype type, word value, struct buf *out)
{
	bool fraction = type.frac || type.base == VT_CHANCE;
	if (value != NONE && (fraction ? frac_sound(value) && frac_top(value) >= 0 : value >= 0))
		buf_putc(out, '+');
	program_value(p, type, &value, out);
}

bool log_is_zero(struct vtype type, word value)
{
	if (!vtype_is_number(type) || value == NONE)
		return false;
	return type.frac || type.base == VT_CHANCE ? frac_sound(value) && frac_top(value) == 0 : value == 0;
}

bool log_weighed(const struct log *l, int32_t question)
{
	const struct record *q = log_at(l, question);
	struct vtype type = q->what >= 0 && q->what < l->p->questions ? l->p->question[q->what].type : (struct vtype){.base = VT_BOOL};
	for (int32_t i = log_child(l, question); i >= 0; i = log_sibling(l, i)) {
		const struct record *r = log_at(l, i);
		if (r->dropped)
			continue;
		bool says = r->kind == REC_ADJUST || (r->kind == REC_BASE && vtype_is_number(type) && r->clause >= 0);
		if (r->kind == REC_BOUND || r->kind == REC_LOST || (says && !log_is_zero(type, r->value)))
			return true;
	}
	return false;
}

bool log_parts(const struct log *l, int32_t question, struct buf *out)
{
	const struct record *q = log_at(l, question);
	if (q->what < 0 || q->what >= l->p->questions)
		return false;
	struct vtype type = l->p->question[q->what].type;
	const char *between = " = ";
	bool any = false, changed = false;
	size_t before = out->length;
	/* an adjustment by nothing is none */
	for (int32_t i = log_child(l, question); i >= 0; i = log_sibling(l, i))
		changed = changed || (!log_at(l, i)->dropped && ((log_at(l, i)->kind == REC_ADJUST && !log_is_zero(type, log_at(l, i)->value)) ||
			log_at(l, i)->kind == REC_BOUND));
	for (int32_t i = log_child(l, question); i >= 0; i = log_sibling(l, i)) {
		const struct record *r = log_at(l, i);
		if (r->dropped || (r->kind != REC_BASE && r->kind != REC_ADJUST && r->kind != REC_BOUND))
			continue;
		if (r->kind == REC_ADJUST && log_is_zero(type, r->value))
			continue;
		any = any || changed || (r->clause >= 0 && !log_is_zero(type, r->value));
		buf_puts(out, changed ? between : "");
		between = ", ";
		if (r->kind == REC_BASE && !changed) {
			/* the answer has been told already */
		} else if (r->kind == REC_BASE)
			log_answer(l, i, q->what, r->value, out);
		else if (r->kind == REC_ADJUST)
			log_change(l->p, type, r->value, out);
		else {
			buf_puts(out, "kept within ");
			log_answer(l, i, q->what, r->value, out);
		}
		if (r->clause >= 0) {
			buf_puts(out, " by ");
			program_cite(l->p, r->clause, out);
		} else if (r->kind == REC_BASE) {
			buf_puts(out, " as stated");
		}
	}
	if (!any && out->length > before) {
		out->length = before;
		out->data[before] = '\0';
	}
	return any;
}

int32_t log_act(const struct log *l, int32_t act, int32_t from)
{
	if (from >= l->n)
		from = l->n - 1;
	for (int32_t i = from; act >= 0 && i >= 0; i--) {
		const struct record *r = trace_look(l->t, i);
		if (r->act != act || r->dropped)
			continue;
		if (r->kind == REC_KEY || r->kind == REC_PEND || r->kind == REC_DECLARE || r->kind == REC_CANCEL)
			return i;
		/* an event of this act: the outermost that bears its number */
		if (r->kind == REC_EVENT && (r->parent < 0 || log_at(l, r->parent)->act != act))
			return i;
	}
	return -1;
}
