/* gen_odds.c - what odds ask of an encounter: measures, worked out when the fight is over,
 * and watches, which note in the world what measures such as "Bruna dies" wait for.
 *
 * A sentence is looked for where the event ends (gen_event.c) and, for acts, where their group
 * does (gen_lead.c). Code is made for the events that are asked about and no others. */
#include <string.h>

#include "lang/gen/gen.h"

static struct node *when_prep(const struct node *say)
{
	for (struct node *p = say->d; p; p = p->next)
		if (p->ref == -3)
			return p;
	return NULL;
}

static bool is_moment(const struct node *prep)
{
	struct type *t = type_find(prep->a->type);
	return t->base == VT_TIME || t->base == VT_COUNT;
}

static void add_watch(struct gen *g, struct node *say, struct node *other, int event, enum op_watch how)
{
	struct watch w = {say, other, event, g->p->watches, how};
	VEC_PUSH(g->watch, w);
}

void gen_watches(struct gen *g)
{
	for (struct node *x = g->m->measures; x; x = x->next) {
		if (x->a->kind != N_KIND_N_EXPECT_SAY)
			continue;
		struct node *say = x->a, *prep = when_prep(say);
		const char *said = prep ? model_text(g->m, prep->name) : "";
		bool before = !strcmp(said, "before"), after = !strcmp(said, "after");
		if ((before || after) && !is_moment(prep)) {
			/* "X after Y" is "Y before X" */
			add_watch(g, say, NULL, say->ref, before ? WATCH_FIRST : WATCH_SECOND);
			add_watch(g, say, prep->a, -1, before ? WATCH_SECOND : WATCH_FIRST);
		} else {
			add_watch(g, say, NULL, say->ref, WATCH_IT);
		}
		g->p->watches++;
	}
}

/* Jumps out unless the role in register `value` is what the sentence names. */
static void gen_role_is(struct gen *g, const struct mrole *role, struct node *named, int value, struct jumps *out)
{
	int mark = g->top, words = g->p->set_words;
	int r = regs(g, 2 + words);
	struct type *t = type_find(role->type);
	if (t->base == VT_SET) {
		/* "casts web at orc #1" of a wider area: those named are among them */
		gen_target(g, named, role->type, false, r);
		emit(g, OP_SOR, r, r, value);
		int test = regs(g, 1);
		emit(g, OP_SAMES, test, r, value);
		jumps_add(g, out, emit_jump(g, OP_JZ, test));
	} else {
		gen_target(g, named, role->type, role->frac, r);
		emit(g, t->base == VT_THING ? OP_ISA : OP_SAME, r + 1, value, r);
		jumps_add(g, out, emit_jump(g, OP_JZ, r + 1));
	}
	g->top = mark;
}

/* The time the sentence gives: jumps out, or spoils the watch, when it is another. */
static void gen_time_is(struct gen *g, const struct watch *w, struct jumps *out)
{
	struct node *prep = when_prep(w->say);
	if (!prep || !is_moment(prep))
		return;
	const char *said = model_text(g->m, prep->name);
	int mark = g->top;
	int r = regs(g, 3);
	bool in = !strcmp(said, "in");
	if (prep->b) {
		gen_expr(g, prep->b, r + 2);
	} else {
		gen_expr(g, prep->a, r);
		emit(g, OP_NOW, r + 1, 0, 0);
	}
	if (in) {
		if (!prep->b)
			emit(g, OP_SAME, r + 2, r, r + 1);
		jumps_add(g, out, emit_jump(g, OP_JZ, r + 2));
	} else {
		bool before = !strcmp(said, "before");
		if (!prep->b)
			emit(g, OP_LT, r + 2, before ? r + 1 : r, before ? r : r + 1);
		int fine = emit_jump(g, OP_JNZ, r + 2);
		emit_wide(g, OP_WATCH, 0, w->place * WATCH_HOWS + WATCH_SPOIL);
		jump_here(g, fine);
	}
	g->top = mark;
}

/* One watch for an event whose arguments stand at `first`; `actor` for "acts". */
static void gen_watch(struct gen *g, const struct watch *w, int event, int first)
{
	struct model *m = g->m;
	struct node *say = w->say;
	struct jumps out = {{0}, 0};
	struct span span = g->span;
	int mark = g->top;
	g->span = say->span;
	struct node *subject = w->other ? w->other : say->a;
	if (!w->other && subject && subject->kind == N_KIND_E_FIELD) /* "Halvaine's spell completes" */
		subject = subject->a;
	const struct mevent *e = event >= 0 ? &m->event.v[event] : NULL;
	struct type *t = e && e->roles ? type_find(e->role[0].type) : NULL;
	if (subject && (!e || (t && t->base == VT_LIVE && t->kind == KIND_COMBATANT)))
		gen_is_subject(g, subject, first, &out);
	int object = (int)(say->num >> 8) - 1;
	if (!w->other && e && say->b && object >= 0)
		gen_role_is(g, &e->role[object], say->b, first + g->event.v[event].role[object].word, &out);
	for (struct node *p = say->d; p && !w->other && e; p = p->next)
		if (p->ref >= 0)
			gen_role_is(g, &e->role[p->ref], p->a, first + g->event.v[event].role[p->ref].word, &out);
	if (!w->other)
		gen_time_is(g, w, &out);
	emit_wide(g, OP_WATCH, 0, w->place * WATCH_HOWS + w->how);
	jumps_here(g, &out);
	g->top = mark;
	g->span = span;
}

void gen_watch_event(struct gen *g, int event)
{
	for (int i = 0; i < g->watch.n; i++)
		if (g->watch.v[i].event == event)
			gen_watch(g, &g->watch.v[i], event, 0);
}

static int act_words(struct gen *g, int event)
{
	const struct mevent *e = &g->m->event.v[event];
	int words = 0;
	for (int i = 0; i < e->roles; i++)
		words += width_of(g, e->role[i].type);
	return words;
}

void gen_act_arguments(struct gen *g, int act, int event, int at)
{
	const struct mevent *e = &g->m->event.v[event];
	for (int i = 0; i < e->roles; i++) {
		int width = width_of(g, e->role[i].type);
		if (e->role[i].field >= 0)
			emit(g, OP_LDF, at, act, link_field(g, e->role[i].field));
		else
			for (int k = 0; k < width; k++)
				emit(g, OP_LDA, at + k, act, g->event.v[event].role[i].word + k);
		at += width;
	}
}

void gen_watch_group(struct gen *g, int i, int size, int act, int event)
{
	if (g->watch.n == 0)
		return;
	int mark = g->top;
	int test = regs(g, 1), one = regs(g, 1);
	struct jumps end = {{0}, 0}, next = {{0}, 0};
	emit_const(g, i, 0);
	emit_const(g, one, 1);
	int again = here(g);
	emit(g, OP_LT, test, i, size);
	jumps_add(g, &end, emit_jump(g, OP_JZ, test));
	int who = regs(g, 1);
	emit(g, OP_MEMBER, act, i, MEMBER_ACTED);
	int nobody = emit_jump(g, OP_JNONE, act);
	emit(g, OP_LDF, who, act, g->p->at.act_actor);
	for (int k = 0; k < g->watch.n; k++)
		if (g->watch.v[k].event < 0)
			gen_watch(g, &g->watch.v[k], -1, who);
	jump_here(g, nobody);
	emit(g, OP_MEMBER, act, i, AT_AFTER);
	jumps_add(g, &next, emit_jump(g, OP_JNONE, act));
	emit(g, OP_EVENTOF, event, act, 0);
	for (int k = 0; k < g->watch.n; k++) {
		int e = g->watch.v[k].event;
		if (e < 0)
			continue; /* actions and events that are pended alike */
		emit_const(g, who, event_index(g, e));
		emit(g, OP_SAME, test, who, event);
		int other = emit_jump(g, OP_JZ, test);
		int here_ = g->top;
		int arguments = regs(g, act_words(g, e) + 1);
		gen_act_arguments(g, act, e, arguments);
		gen_watch(g, &g->watch.v[k], e, arguments);
		g->top = here_;
		jump_here(g, other);
	}
	jumps_here(g, &next);
	emit(g, OP_ADD, i, i, one);
	jump_back(g, again);
	jumps_here(g, &end);
	g->top = mark;
}

/* ---- measures ---- */

static void gen_measure(struct gen *g, struct node *x, int place, int dst, struct measure_info *info)
{
	struct vtype yes = {VT_BOOL, false, 0};
	info->text = gen_excerpt(g, x->op == MEASURE_PLAIN ? x->span : x->a->span);
	info->how = x->op == MEASURE_AVERAGE ? MEASURED_AVERAGE : x->op == MEASURE_SPREAD ? MEASURED_SPREAD : MEASURED_CHANCE;
	info->type = yes;
	info->watch = -1;
	if (x->a->kind == N_KIND_N_EXPECT_SAY) {
		struct node *prep = when_prep(x->a);
		bool pair = prep && !is_moment(prep) && strcmp(model_text(g->m, prep->name), "in");
		emit_wide(g, OP_WATCHED, dst, place * WATCH_HOWS + pair);
		info->watch = place;
		info->spoilt = prep != NULL;
		if (x->a->num & 1)
			emit(g, OP_NOT, dst, dst, 0);
	} else {
		gen_number(g, x->a, dst, x->a->frac);
		info->type = vtype_of(g, x->a->type, x->a->frac);
	}
}

void gen_measures(struct gen *g)
{
	struct program *p = g->p;
	int n = node_count(g->m->measures), place = 0, i = 0;
	p->measure_fn = -1;
	if (n == 0)
		return;
	p->measure = arena_array(g->arena, struct measure_info, n);
	p->measures = n;
	p->measure_fn = fn_new(g, "what odds ask", g->m->measures->span);
	fn_begin(g, p->measure_fn, 0);
	int first = regs(g, n);
	for (struct node *x = g->m->measures; x; x = x->next, i++) {
		gen_measure(g, x, place, first + i, &p->measure[i]);
		place += x->a->kind == N_KIND_N_EXPECT_SAY;
	}
	emit(g, OP_RET, first, n, 0);
	fn_end(g, n);
	gen_pending(g);
}
