/* why.c - explanations on demand: of the last event, an event, a value, an order. */
#include <string.h>

#include "lang/api/otherwise.h"
#include "runtime/explain/explain.h"
#include "runtime/explain/log.h"
#include "runtime/world/block.h"

static void write_styled(void *context, int style, const char *text, size_t length)
{
	struct fray *f = context;
	if (f->config.write)
		f->config.write(f->config.context, (enum fray_style)style, text, length);
}

/* The combatant a subject names; the first of a side. */
static word who_is(struct fray *f, struct node *n)
{
	if (n && n->kind == N_KIND_E_FIELD) /* "Halvaine's spell" */
		n = n->a;
	if (!n || n->kind != N_KIND_E_NAME)
		return NONE;
	const char *name = model_text(&f->model, model_alias(&f->model, n->name));
	const struct program *p = f->program;
	sym s = model_alias(&f->model, n->name);
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++)
		if (intern_word(f->names, p->live[KIND_COMBATANT][i].name) == s)
			return i;
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++) {
		const char *live = p->live[KIND_COMBATANT][i].name;
		size_t k = strlen(name);
		if (!strncmp(live, name, k) && !strncmp(live + k, " #1", 3))
			return i;
	}
	for (int i = 0; i < p->lives[KIND_SIDE]; i++)
		if (intern_word(f->names, p->live[KIND_SIDE][i].name) == s)
			for (int k = 0; k < p->lives[KIND_COMBATANT]; k++)
				if (vm_block(f->vm)[p->field[p->at.combatant_side].base + (uint32_t)k * p->field[p->at.combatant_side].stride] == i)
					return k;
	return NONE;
}

static enum fray_status nothing(struct fray *f)
{
	fray_write(f, FRAY_PLAIN, "Nothing of that sort has happened.\n");
	return FRAY_OK;
}

/* "X is able", as the rules have it now. */
static bool able(struct fray *f, struct node *who)
{
	struct node *is = node_new(&f->arena, N_KIND_E_IS, who->span), *name = node_new(&f->arena, N_KIND_E_NAME, who->span);
	struct probe p;
	*name = *who;
	name->next = NULL;
	is->a = name;
	is->b = node_new(&f->arena, N_KIND_E_NAME, who->span);
	is->b->name = intern_word(f->names, "able");
	bool so = !probe_open(f, is, false, &p) || p.value[0] != 0;
	probe_close(f, &p);
	return so;
}

/* Two acts of different rounds are no order: the last round in which both acted is meant. */
static void same_round(struct fray *f, int event, word who, word whom, word other_who, int32_t *one, int32_t *other)
{
	const struct trace *t = vm_trace(f->vm);
	int32_t a = *one, b = *other;
	while (a >= 0 && b >= 0 && trace_get(t, a)->round != trace_get(t, b)->round) {
		bool later = trace_get(t, a)->round > trace_get(t, b)->round;
		int32_t *back = later ? &a : &b;
		for (--*back; *back >= 0; --*back)
			if (later ? explain_is(f->program, t, a, event, who, whom) : explain_is(f->program, t, b, -1, other_who, NONE))
				break;
	}
	if (a >= 0 && b >= 0) {
		*one = a;
		*other = b;
	}
}

static enum fray_status why_sentence(struct fray *f, const struct node *n, bool not, const struct story_options *o)
{
	const struct trace *t = vm_trace(f->vm);
	int event = n->name == f->model.w.acts_verb ? -1 : model_event(&f->model, n->name);
	word who = who_is(f, n->a), whom = who_is(f, n->b);
	for (const struct node *p = n->d; p; p = p->next) {
		const char *prep = model_text(&f->model, p->name);
		if (strcmp(prep, "before") && strcmp(prep, "after"))
			continue;
		int32_t one = explain_find(f->program, t, event, who, whom), other = explain_find(f->program, t, -1, who_is(f, p->a), NONE);
		if (one < 0 || other < 0)
			return nothing(f);
		same_round(f, event, who, whom, who_is(f, p->a), &one, &other);
		explain_order(f->program, t, one, other, o);
		struct otherwise q = {.sort = OTHERWISE_ORDER, .record = one > other ? one : other, .event = event, .who = who, .whom = whom,
			.other_event = -1, .other = who_is(f, p->a)};
		otherwise_tell(f, &q);
		return FRAY_OK;
	}
	if (not) {
		int32_t r = explain_find_not(f->program, t, event, who, whom);
		if (event >= 0 && explain_find_open(f->program, t, event, who, whom) > r) {
			fray_write(f, FRAY_PLAIN, "Its turn has not come yet: it is declared, and still to be done.\n");
			return FRAY_OK;
		}
		if (r < 0 && who != NONE && n->a && n->a->kind == N_KIND_E_NAME && !able(f, n->a)) {
			explain_unable(f->program, t, who, o);
			return FRAY_OK;
		}
		if (r >= 0) {
			explain_not(f->program, t, r, o);
		} else {
			/* no act of that name was given up: what did he do instead? */
			bool so = explain_find(f->program, t, event, who, whom) >= 0;
			r = explain_find(f->program, t, so ? event : -1, who, whom);
			if (r < 0)
				r = explain_find(f->program, t, -1, who, NONE);
			if (r < 0)
				return nothing(f);
			fray_write(f, FRAY_PLAIN, so ? "It has happened.\n" : "It has not come to that; this has happened.\n");
			explain_event(f->program, t, r, o);
			if (so)
				return FRAY_OK;
		}
		struct otherwise q = {.sort = OTHERWISE_NOT, .record = r, .event = event, .who = who, .whom = whom, .other = NONE};
		otherwise_tell(f, &q);
		return FRAY_OK;
	}
	int32_t r = explain_find(f->program, t, event, who, whom);
	if (r < 0)
		return nothing(f);
	explain_event(f->program, t, r, o);
	struct otherwise q = {.sort = OTHERWISE_EVENT, .record = r, .event = event, .who = who, .whom = whom, .other = NONE};
	otherwise_tell(f, &q);
	return FRAY_OK;
}

/* The same for an event nobody named: its actor and target are in the log. */
static void why_last(struct fray *f, int32_t record)
{
	const struct record *r = trace_get(vm_trace(f->vm), record);
	struct log l = {.p = f->program, .t = vm_trace(f->vm), .n = vm_trace(f->vm)->n};
	struct otherwise q = {.sort = OTHERWISE_EVENT, .record = record, .event = r->what, .who = log_actor(&l, r), .whom = NONE, .other = NONE};
	struct vtype type;
	const word *target;
	if (log_target(&l, r, &type, &target) && type.base == VT_LIVE && type.kind == KIND_COMBATANT)
		q.whom = *target;
	otherwise_tell(f, &q);
}

enum fray_status why_node(struct fray *f, struct node *n)
{
	struct story_options o = {true, f->config.width, write_styled, f};
	if (!f->vm) {
		diag_report(&f->sink, M_NO_FIGHT, n->span, 0);
		return FRAY_WRONG;
	}
	if (!n->a) {
		int32_t last = explain_last(f->program, vm_trace(f->vm));
		if (last < 0)
			return nothing(f);
		explain_event(f->program, vm_trace(f->vm), last, &o);
		why_last(f, last);
		return FRAY_OK;
	}
	if (n->a->kind == N_KIND_N_EXPECT_SAY)
		return why_sentence(f, n->a, n->num == 1 || (n->a->num & 1), &o);
	if (n->a->kind == N_KIND_E_NAME && who_is(f, n->a) != NONE) {
		const char *name = model_text(&f->model, n->a->name);
		diag_report(&f->sink, M_WHY_WHOM, n->a->span, 1, name);
		return FRAY_WRONG;
	}
	struct probe p;
	if (!probe_open(f, n->a, true, &p)) {
		probe_close(f, &p);
		return FRAY_WRONG;
	}
	if (p.record >= 0) {
		explain_value(p.program, vm_trace(f->vm), p.record, &o);
		trace_cut(vm_trace(f->vm), (int32_t)vm_block(f->vm)[H_TRACE]); /* the question is told: the fight's own log again */
		struct otherwise q = {.sort = OTHERWISE_VALUE, .record = -1, .event = -1, .who = who_is(f, n->a), .whom = NONE, .other = NONE, .value = &p};
		otherwise_tell(f, &q);
	} else {
		struct buf b = {0};
		program_values(p.program, p.type, p.value, p.words, &b);
		const struct node *x = n->a;
		int field = x->kind == N_KIND_E_FIELD && x->ref_kind == REF_FIELD ? f->model.field.v[x->ref].program : -1;
		bool changed = field >= 0 && explain_stored(f->program, vm_trace(f->vm), field, who_is(f, x->a), buf_text(&b), &o);
		if (!changed) {
			buf_puts(&b, ": stored so; no rule touches it\n");
			fray_write(f, FRAY_PLAIN, buf_text(&b));
		}
		buf_free(&b);
		struct otherwise q = {.sort = OTHERWISE_VALUE, .record = -1, .event = -1, .who = who_is(f, n->a), .whom = NONE, .other = NONE, .value = &p};
		if (changed)
			otherwise_tell(f, &q);
	}
	probe_close(f, &p);
	return FRAY_OK;
}

enum fray_status fray_why(struct fray *f, const char *question)
{
	struct buf line = {0};
	struct node *units;
	enum fray_status s = FRAY_WRONG;
	buf_printf(&line, "why %s", question);
	feed_reset(f->feed);
	if (feed_line(f->feed, buf_text(&line), &units) == FEED_UNIT && units->kind == N_KIND_X_WHY)
		s = why_node(f, units);
	feed_reset(f->feed);
	buf_free(&line);
	return s;
}

enum fray_status fray_why_order(struct fray *f, int64_t one, int64_t other)
{
	struct story_options o = {true, f->config.width, write_styled, f};
	if (!f->vm || one < 0 || other < 0 || one >= (int64_t)vm_trace(f->vm)->n || other >= (int64_t)vm_trace(f->vm)->n)
		return FRAY_WRONG;
	explain_order(f->program, vm_trace(f->vm), (int32_t)one, (int32_t)other, &o);
	return FRAY_OK;
}
