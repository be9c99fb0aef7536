/* gen_stmt.c - statements to instructions. */
#include <string.h>

#include "lang/check/infer.h"
#include "lang/gen/gen.h"

/* ---- notes: texts with {paths} in them ---- */

static void scope_of_gen(struct gen *g, struct scope *s)
{
	scope_init(s, g->m);
	for (int i = 0; i < g->vars && s->vars < 60; i++) {
		s->var[s->vars].name = g->var[i].name;
		s->var[s->vars].type = g->var[i].type;
		s->var[s->vars++].frac = g->var[i].frac;
	}
	s->pure = true;
	s->thing = g->in_thing;
	s->event = g->in_event;
}

void gen_note(struct gen *g, enum op op, const char *text, struct span span)
{
	struct model *m = g->m;
	int mark = g->top;
	int first = g->piece.n;
	VEC(struct template_piece) pieces = {0};
	int window = g->top;
	const char *p = text;
	while (*p) {
		const char *brace = strchr(p, '{');
		const char *close = brace ? strchr(brace, '}') : NULL;
		size_t plain = brace && close ? (size_t)(brace - p) : strlen(p);
		if (plain) {
			struct template_piece piece = {gen_copy(g, p, plain), {0}, 0};
			VEC_PUSH(pieces, piece);
		}
		if (!brace || !close)
			break;
		struct node *path = note_hole(m, brace + 1, (size_t)(close - brace - 1), span);
		if (path) {
			struct scope s;
			scope_of_gen(g, &s);
			bool reporting = m->reporting;
			int errors = m->sink->errors;
			m->pass = 9;
			m->reporting = true;
			infer(&s, path, NULL);
			m->reporting = reporting;
			if (m->sink->errors != errors)
				g->failed = true;
			else {
				bool list = type_is(path->type, VT_LIST);
				int width = list ? list_width(g, path) : width_of(g, path->type);
				int r = regs(g, width);
				if (list)
					gen_list(g, path, r);
				else
					gen_expr(g, path, r);
				g->top = r + width;
				struct template_piece piece = {NULL, vtype_of(g, path->type, path->frac), (uint8_t)width};
				VEC_PUSH(pieces, piece);
			}
		}
		p = close + 1;
	}
	for (int i = 0; i < pieces.n; i++)
		VEC_PUSH(g->piece, pieces.v[i]);
	VEC_FREE(pieces);
	struct template_info t = {first, g->piece.n - first, span};
	VEC_PUSH(g->template_, t);
	if (g->observed || op == OP_REFER || op == OP_WRONG)
		emit_wide(g, op, window, g->template_.n - 1);
	g->top = mark;
}

/* ---- acts ---- */

void gen_act_arg(struct gen *g, int act, int event, int role, int value)
{
	const struct mrole *r = &g->m->event.v[event].role[role];
	if (r->field >= 0) {
		emit(g, OP_STF, act, value, link_field(g, r->field));
		return;
	}
	const struct event_info *e = &g->event.v[event_index(g, event)];
	int width = width_of(g, r->type);
	for (int i = 0; i < width; i++)
		emit(g, OP_STA, act, value + i, e->role[role].word + i);
	/* a list of one is also the act's own target, for whoever asks */
	if (type_is(r->type, VT_SET)) {
		int f = model_field(g->m, KIND_ACT, r->name);
		if (f >= 0 && type_is(g->m->field.v[f].type, VT_LIVE)) {
			int mark = g->top;
			int c = regs(g, 3);
			emit(g, OP_SCOUNT, c, value, 0);
			emit_const(g, c + 1, 1);
			emit(g, OP_EQ, c, c, c + 1);
			int skip = emit_jump(g, OP_JZ, c);
			emit_const(g, c + 2, -1);
			emit(g, OP_SNEXT, c + 2, value, 0);
			emit(g, OP_STF, act, c + 2, link_field(g, f));
			jump_here(g, skip);
			g->top = mark;
		}
	}
}

int gen_act(struct gen *g, int event, int window)
{
	const struct mevent *e = &g->m->event.v[event];
	event_pended(g, event);
	int act = regs(g, 1);
	emit_wide(g, OP_ACT, act, event_index(g, event));
	int at = window + 2;
	for (int i = 0; i < e->roles; i++) {
		gen_act_arg(g, act, event, i, at);
		at += width_of(g, e->role[i].type);
	}
	return act;
}

static void gen_act_fields(struct gen *g, int act, struct node *list)
{
	struct model *m = g->m;
	for (struct node *f = list; f; f = f->next) {
		struct node *value = f->a ? f->a->a : NULL;
		if (!value || f->ref_kind != REF_FIELD)
			continue;
		int mark = g->top;
		int v = gen_number(g, value, -1, m->field.v[f->ref].frac && type_number(value->type));
		emit(g, OP_STF, act, v, link_field(g, f->ref));
		g->top = mark;
	}
}

static void gen_pend(struct gen *g, struct node *n)
{
	struct model *m = g->m;
	int mark = g->top;
	int act;
	if (n->a->ref_kind == REF_EVENT) {
		int event = n->a->ref;
		int window = regs(g, 2 + EVENT_ROLES * g->p->set_words);
		gen_event_args(g, event, n->a->kind == N_KIND_E_CALL ? n->a->b : NULL, window);
		act = gen_act(g, event, window);
	} else {
		int from = gen_expr(g, n->a, -1);
		act = regs(g, 1);
		int skip = -1;
		(void)skip;
		emit(g, OP_COPY, act, from, 0);
	}
	if (n->c) {
		int due = model_field(m, KIND_ACT, model_sym(m, "due"));
		if (due >= 0) {
			int v = gen_number(g, n->c, -1, m->field.v[due].frac);
			emit(g, OP_STF, act, v, link_field(g, due));
		}
	}
	gen_act_fields(g, act, n->b);
	emit(g, OP_PEND, act, 0, 0);
	g->top = mark;
}

static void gen_stmt(struct gen *g, struct node *n);

/* ---- performing ---- */

/* What follows something performed is this clause's doing again, not that of what was performed. */
static void gen_resume(struct gen *g)
{
	if (g->tells_clauses && g->in_clause >= 0 && g->body != BODY_COSTS)
		emit_wide(g, OP_WHY, 0, g->in_clause);
}

static void gen_perform(struct gen *g, struct node *path, struct node *fields)
{
	struct model *m = g->m;
	int mark = g->top;
	int event = path->ref;
	int words = 0;
	for (int i = 0; i < m->event.v[event].roles; i++)
		words += width_of(g, m->event.v[event].role[i].type);
	int window = regs(g, 3 + words);
	gen_event_args(g, event, path->kind == N_KIND_E_CALL ? path->b : NULL, window);
	/* `with { }`: handed over in the registers behind the arguments by name of slot */
	struct mevent *e = &m->event.v[event];
	for (struct node *f = fields; f; f = f->next)
		if (f->ref_kind == REF_KEPT && f->a) {
			int at = g->top;
			int v = gen_number(g, f->a->a, -1, e->slot.v[f->ref].frac && type_number(f->a->a->type));
			emit(g, OP_KEEP, v, f->ref, 1); /* 1: for the event about to begin */
			g->top = at;
		}
	gen_call(g, perform_fn(g, event), window);
	if (g->outside)
		gen_settle(g, window);
	gen_resume(g);
	g->top = mark;
}

/* who may E: scripted, else the policy's answer, else the default */
static void gen_may(struct gen *g, struct node *n)
{
	int mark = g->top;
	int r = regs(g, 1);
	int who = regs(g, 2);
	gen_expr(g, n->a, who);
	struct jumps decided = {{0}, 0};
	emit_const(g, who + 1, BY_SCRIPT);
	emit(g, OP_CHOICE, r, who, n->ref);
	int none = emit_jump(g, OP_JNONE, r);
	jumps_add(g, &decided, emit_jump(g, OP_JMP, 0));
	jump_here(g, none);
	gen_answered(g, r, who, n->ref, -1, &decided);
	emit(g, OP_PROMPT, r, who, n->ref);
	emit_const(g, who + 1, BY_PROMPT);
	none = emit_jump(g, OP_JNONE, r);
	jumps_add(g, &decided, emit_jump(g, OP_JMP, 0));
	jump_here(g, none);
	if (n->d) {
		gen_expr(g, n->d, r);
	} else {
		/* a free blow is taken; what spends something is not */
		bool spends = false;
		for (struct node *s = n->c ? n->c->a : NULL; s; s = s->next)
			spends |= s->kind == N_KIND_S_CHANGE || s->kind == N_KIND_S_SET || n->ref_kind != REF_EVENT;
		emit_const(g, r, !spends);
	}
	emit_const(g, who + 1, BY_DEFAULT);
	jumps_here(g, &decided);
	emit(g, OP_CHOSEN, r, who, n->ref);
	int no = emit_jump(g, OP_JZ, r);
	if (n->ref_kind == REF_EVENT)
		gen_perform(g, n->b, NULL);
	if (n->c)
		gen_block(g, n->c->a);
	if (n->e) {
		int over = emit_jump(g, OP_JMP, 0);
		jump_here(g, no);
		gen_stmt(g, n->e);
		jump_here(g, over);
	} else {
		jump_here(g, no);
	}
	g->top = mark;
}

/* ---- control ---- */

static void gen_stop(struct gen *g)
{
	if (g->stops) {
		jumps_add(g, g->stops, emit_jump(g, OP_JMP, 0));
		return;
	}
	ret_stage(g, g->body == BODY_BEFORE || g->body == BODY_INSTEAD);
}

static void gen_let(struct gen *g, struct node *n)
{
	struct model *m = g->m;
	int width = width_of(g, n->a->type);
	int r = regs(g, width), summed = g->summed.n;
	gen_sum(g, n->a, model_text(m, n->name));
	gen_expr(g, n->a, r);
	g->summed.n = summed;
	g->top = r + width;
	gen_bind(g, n->name, n->a->type, n->a->frac, r);
	if (g->in_event < 0)
		return;
	struct mevent *e = &m->event.v[g->in_event];
	for (int i = 0; i < e->slot.n; i++)
		if (e->slot.v[i].name == n->name && !e->slot.v[i].initial) {
			if (e->slot.v[i].frac && !n->a->frac && type_number(n->a->type)) {
				int mark = g->top;
				int f = regs(g, 1);
				emit(g, OP_FRAC, f, r, 0);
				emit(g, OP_KEEP, f, i, 0);
				g->top = mark;
			} else {
				emit(g, OP_KEEP, r, i, 0);
			}
		}
}

static void gen_if(struct gen *g, struct node *n)
{
	struct jumps no = {{0}, 0};
	int top = g->top, summed = g->summed.n;
	gen_compared(g, n->a);
	gen_unless(g, n->a, &no);
	g->summed.n = summed;
	g->top = top;
	struct type *was[FRAY_COUNT(g->var)];
	int vars = g->vars;
	for (int i = 0; i < vars; i++) {
		was[i] = g->var[i].type;
		g->var[i].type = narrowed(g->m, was[i], g->var[i].name, n->a);
	}
	gen_block(g, n->b->a);
	for (int i = 0; i < vars; i++)
		g->var[i].type = was[i];
	if (n->c) {
		int over = emit_jump(g, OP_JMP, 0);
		jumps_here(g, &no);
		if (n->c->kind == N_KIND_S_IF)
			gen_if(g, n->c);
		else
			gen_block(g, n->c->a);
		jump_here(g, over);
	} else {
		jumps_here(g, &no);
	}
}

static void gen_repeat(struct gen *g, struct node *n)
{
	int mark = g->top;
	int turns = regs(g, 2);
	struct jumps out = {{0}, 0};
	struct jumps *stops = g->stops;
	emit_const(g, turns, 0);
	if (n->a)
		gen_expr(g, n->a, turns + 1);
	else
		emit_const(g, turns + 1, 1000);
	int again = here(g);
	emit(g, OP_TURN, turns, turns + 1, n->a ? 1 : 0);
	g->stops = &out;
	gen_block(g, n->b->a);
	g->stops = stops;
	jump_back(g, again);
	jumps_here(g, &out);
	g->top = mark;
}

static void gen_count_loop(struct gen *g, struct node *n)
{
	int mark = g->top, vars = g->vars;
	int i = regs(g, 4); /* counter, last, step, test */
	struct jumps end = {{0}, 0}, next = {{0}, 0};
	gen_expr(g, n->a, i);
	gen_expr(g, n->d, i + 1);
	/* a count of times or distances steps by their unit as written: 1 segment */
	word step = 1;
	if (n->a->kind == N_KIND_E_QTY) {
		const struct munit *u = &g->m->unit.v[n->a->ref];
		step = u->num / u->den;
	}
	emit_const(g, i + 2, step);
	int again = here(g);
	emit(g, OP_LE, i + 3, i, i + 1);
	jumps_add(g, &end, emit_jump(g, OP_JZ, i + 3));
	gen_bind(g, n->name, n->a->type, false, i);
	if (n->c)
		gen_unless(g, n->c, &next);
	gen_block(g, n->b->a);
	jumps_here(g, &next);
	emit(g, OP_ADD, i, i, i + 2);
	jump_back(g, again);
	jumps_here(g, &end);
	g->vars = vars;
	g->top = mark;
}

static void gen_cancel(struct gen *g, struct node *n)
{
	struct model *m = g->m;
	int mark = g->top;
	if (n->a->ref_kind == REF_PENDING || type_is(n->a->type, VT_SET)) {
		struct node holder = {0};
		struct walking w;
		holder.ref_kind = WALK_PENDING;
		walk_open(g, &w, &holder, n->a, m->w.it, n->c);
		emit(g, OP_CANCEL, w.cursor, 0, 0);
		walk_close(g, &w);
	} else {
		struct jumps out = {{0}, 0};
		int act = gen_expr(g, n->a, -1);
		if (n->c)
			gen_unless(g, n->c, &out);
		emit(g, OP_CANCEL, act, 0, 0);
		jumps_here(g, &out);
	}
	g->top = mark;
}

/* What is cited when a price is refused: the costs it stands in, with the reason it gives. */
static int refusal(struct gen *g, const struct node *n)
{
	must(g->in_clause >= 0);
	struct clause_info c = g->clause.v[g->in_clause];
	c.cite = gen_copy(g, n->text, strlen(n->text));
	c.text = gen_excerpt(g, n->span);
	c.span = n->span;
	VEC_PUSH(g->clause, c);
	return g->clause.n - 1;
}

static void gen_stmt(struct gen *g, struct node *n)
{
	struct model *m = g->m;
	int mark = g->top;
	int r;
	struct walking w;
	struct jumps out = {{0}, 0};
	g->span = n->span;
	switch (n->kind) {
	case N_KIND_S_BLOCK:
		gen_block(g, n->a);
		break;
	case N_KIND_S_LET:
		gen_let(g, n);
		return; /* keeps its register */
	case N_KIND_S_SET:
		gen_set_stmt(g, n);
		break;
	case N_KIND_S_CHANGE:
		gen_change_stmt(g, n);
		break;
	case N_KIND_S_ADD:
	case N_KIND_S_REMOVE:
		gen_list_stmt(g, n);
		break;
	case N_KIND_S_EACH: {
		const int summed = g->summed.n;
		gen_weighed(g, n->c);
		/* `stop` inside an each leaves what is around the each */
		walk_open(g, &w, n, n->a, n->name, n->c);
		g->summed.n = summed;
		gen_block(g, n->b->a);
		walk_close(g, &w);
		break;
	}
	case N_KIND_S_COUNT:
		gen_count_loop(g, n);
		break;
	case N_KIND_S_IF:
		gen_if(g, n);
		break;
	case N_KIND_S_REPEAT:
		gen_repeat(g, n);
		break;
	case N_KIND_S_STOP:
		gen_when(g, n->c, n->num == 1, &out);
		gen_stop(g);
		jumps_here(g, &out);
		break;
	case N_KIND_S_CARRY_ON:
		if (g->carries)
			jumps_add(g, g->carries, emit_jump(g, OP_JMP, 0));
		break;
	case N_KIND_S_CALL:
		if (n->ref_kind == REF_PERFORM) {
			r = gen_expr(g, n->a->b, -1);
			jumps_add(g, &out, emit_jump(g, OP_JNONE, r));
			emit(g, OP_SOLO, r, 0, 0);
			int window = regs(g, 3);
			gen_call(g, group_fn(g), window);
			gen_resume(g);
			jumps_here(g, &out);
		} else if (n->ref >= 0) {
			gen_block(g, n->d);
			gen_perform(g, n->a, n->b);
		}
		break;
	case N_KIND_S_PHASE:
		if (n->ref >= 0) {
			int window = regs(g, 3);
			gen_call(g, perform_fn(g, n->ref), window);
			gen_resume(g);
		}
		break;
	case N_KIND_S_PEND:
		gen_pend(g, n);
		break;
	case N_KIND_S_RESOLVE:
		if (n->op == RESOLVE_BY) {
			struct jumps whole = {{0}, 0};
			emit(g, OP_OPEN, 0, order_index(g, n->a), 0);
			if (gen_in_turn(g, n, &whole))
				jumps_add(g, &out, emit_jump(g, OP_JMP, 0));
			jumps_here(g, &whole);
			gen_block(g, n->b->a);
			gen_resolve(g, RESOLVE_ALL, NULL);
			jumps_here(g, &out);
			emit(g, OP_CLOSE, 0, 0, 0);
		} else {
			gen_resolve(g, n->op, n->a);
		}
		gen_resume(g);
		break;
	case N_KIND_S_ASK: {
		int window = regs(g, 3);
		gen_expr(g, n->a, window + 2);
		int who = regs(g, 1);
		emit(g, OP_MOVE, who, window + 2, 0);
		/* the window must be the last of the frame */
		int call = regs(g, 3);
		emit(g, OP_MOVE, call + 2, who, 0);
		gen_call(g, ask_fn(g, n->b || n->c ? n : NULL), call);
		emit(g, OP_STF, who, call, link_field(g, model_field(m, KIND_COMBATANT, m->w.action)));
		break;
	}
	case N_KIND_S_MAY:
		gen_may(g, n);
		break;
	case N_KIND_S_CANCEL:
		gen_cancel(g, n);
		break;
	case N_KIND_S_NOTE:
		gen_note(g, OP_NOTE, n->text, n->span);
		break;
	case N_KIND_S_REFER:
		gen_when(g, n->c, n->num == 1, &out);
		gen_note(g, OP_REFER, n->text, n->span);
		jumps_here(g, &out);
		break;
	case N_KIND_S_WRONG:
		gen_when(g, n->c, n->num == 1, &out);
		gen_note(g, OP_WRONG, n->text, n->span);
		jumps_here(g, &out);
		break;
	case N_KIND_S_REFUSE:
		gen_when(g, n->c, n->num == 1, &out);
		r = regs(g, 1);
		emit_const(g, r, refusal(g, n));
		emit_wide(g, OP_REFUSE, r, 0);
		emit_const(g, r, 1);
		emit(g, OP_RET, r, 1, 0);
		jumps_here(g, &out);
		break;
	case N_KIND_S_TOGETHER: {
		int count = node_count(n->a), i = 0;
		for (struct node *b = n->a; b; b = b->next, i++) {
			emit(g, OP_BRANCH, i, count, 0);
			gen_block(g, b->a);
		}
		emit(g, OP_JOIN, count, 0, 0);
		if (g->outside)
			gen_settle(g, regs(g, 3));
		break;
	}
	case N_KIND_S_BEGIN_ROUND: {
		int zero = regs(g, 1);
		emit_const(g, zero, 0);
		r = gen_number(g, n->a, -1, false);
		emit(g, OP_STF, zero, r, link_field(g, model_field(m, KIND_ROUND, m->w.start)));
		break;
	}
	default:
		break;
	}
	g->top = mark;
}

void gen_block(struct gen *g, struct node *list)
{
	int mark = g->top, vars = g->vars;
	struct span span = g->span;
	for (struct node *n = list; n; n = n->next)
		if (!n->damaged)
			gen_stmt(g, n);
	g->span = span;
	g->top = mark;
	g->vars = vars;
}
