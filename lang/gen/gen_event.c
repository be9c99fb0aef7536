/* gen_event.c - events become functions: their stages, how one is performed, and whether an act of one is allowed. */
#include "lang/gen/gen.h"

static int roles_width(struct gen *g, const struct mevent *e)
{
	int n = 0;
	for (int i = 0; i < e->roles; i++)
		n += width_of(g, e->role[i].type);
	return n;
}

int event_index(struct gen *g, int mevent)
{
	/* events keep their numbers: the linker has made one entry each */
	(void)g;
	return mevent;
}

static bool is_phase(const struct gen *g, int event)
{
	for (int i = 0; i < g->m->phase.n; i++)
		if (g->m->phase.v[i].event == event)
			return true;
	return false;
}

/* The body of a hook or of `does`, its roles bound to the function's arguments. */
static void gen_body(struct gen *g, int c, enum body body, struct jumps *stops)
{
	const struct mclause *x = &g->m->clause.v[c];
	int vars = g->vars, thing = g->in_thing, clause = g->in_clause;
	struct jumps *outer = g->stops;
	enum body was = g->body;
	struct span span = g->span;
	bind_params(g, c, 0);
	g->in_thing = x->thing;
	g->outside = is_phase(g, g->in_event);
	g->body = body;
	g->stops = stops;
	g->in_clause = clause_index(g, c);
	if (g->tells_clauses && body != BODY_COSTS)
		emit_wide(g, OP_WHY, g->observed && body == BODY_ON, g->in_clause);
	if (x->node->b)
		gen_block(g, x->node->b->a);
	g->in_clause = clause;
	g->span = span;
	g->stops = outer;
	g->body = was;
	g->vars = vars;
	g->in_thing = thing;
	g->outside = false;
}

static void own_event(struct gen *g, const struct mevent *e)
{
	struct type *t = e->roles ? type_find(e->role[0].type) : NULL;
	if (t && t->base == VT_LIVE && (t->kind == KIND_COMBATANT || t->kind == KIND_SIDE)) {
		g->owner_reg = 0;
		g->owner_kind = t->kind;
	}
}

static void ret_const(struct gen *g, word value)
{
	int r = regs(g, 1);
	emit_const(g, r, value);
	emit(g, OP_RET, r, 1, 0);
	g->top = r;
}

/* The roles of an event that clauses in force may change before it happens, a bit each. */
static uint32_t recast_roles(const struct gen *g, int event)
{
	const struct mevent *e = &g->m->event.v[event];
	uint32_t roles = 0;
	for (int i = 0; i < e->clause[STAGE_INSTEAD].n; i++)
		roles |= clause_stands((struct gen *)g, e->clause[STAGE_INSTEAD].v[i]) ? g->m->clause.v[e->clause[STAGE_INSTEAD].v[i]].recasts : 0;
	for (int i = 0; i < e->clause[STAGE_BEFORE].n; i++)
		roles |= clause_stands((struct gen *)g, e->clause[STAGE_BEFORE].v[i]) ? g->m->clause.v[e->clause[STAGE_BEFORE].v[i]].recasts : 0;
	return roles;
}

/* Whether the event is stopped; behind it, where a clause may change them, its roles as they are now. */
void ret_stage(struct gen *g, word stopped)
{
	const int words = g->recast_words;
	int r = regs(g, 1 + words);
	emit_const(g, r, stopped);
	for (int i = 0; i < words; i++)
		emit(g, OP_MOVE, r + 1 + i, i, 0);
	emit(g, OP_RET, r, 1 + words, 0);
	g->top = r;
}

/* Calls one of several bodies, the winner by the sieves; falls through when there is none. */
static void gen_winner(struct gen *g, const int *list, int n, enum clause_sort sort, enum body body, struct jumps *carries, bool returns)
{
	struct choice_of c;
	gen_eligible(g, list, n, sort, &c.of);
	if (c.of.n == 0)
		return;
	int mark = g->top;
	gen_choose_clause(g, &c, -1, NULL, NULL, 1);
	struct jumps done = {{0}, 0};
	jumps_add(g, &done, emit_jump(g, OP_JNONE, c.winner));
	for (int i = 0; i < c.of.n; i++) {
		int other = gen_unless_won(g, &c, i);
		g->carries = carries;
		gen_body(g, c.of.clause[i], body, NULL);
		g->carries = NULL;
		if (returns) {
			emit_wide(g, OP_STAGE, 0, AT_INSTEAD);
			ret_stage(g, 1);
		}
		else
			jumps_add(g, &done, emit_jump(g, OP_JMP, 0));
		if (other >= 0)
			jump_here(g, other);
	}
	jumps_here(g, &done);
	g->top = mark;
}

static void gen_tell(struct gen *g, const struct mevent *e)
{
	if (!g->observed || !e->node || !e->node->text)
		return;
	int vars = g->vars, at = 0;
	for (int i = 0; i < e->roles; i++) {
		gen_bind(g, e->role[i].name, e->role[i].type, e->role[i].frac, at);
		at += width_of(g, e->role[i].type);
	}
	gen_note(g, OP_TELL, e->node->text, e->node->at);
	g->vars = vars;
}

static void gen_stage(struct gen *g, int event, int stage)
{
	struct mevent *e = &g->m->event.v[event];
	g->in_event = event;
	own_event(g, e);
	struct jumps carries = {{0}, 0};
	struct candidates c;
	g->recast_words = stage == AT_BEFORE && recast_roles(g, event) ? roles_width(g, e) : 0;
	switch (stage) {
	case AT_COSTS:
		if (e->costs >= 0)
			gen_body(g, e->costs, BODY_COSTS, NULL);
		break;
	case AT_BEFORE:
		if (e->action)
			gen_tell(g, e);
		gen_winner(g, e->clause[STAGE_INSTEAD].v, e->clause[STAGE_INSTEAD].n, CLAUSE_INSTEAD, BODY_INSTEAD, &carries, true);
		jumps_here(g, &carries);
		gen_eligible(g, e->clause[STAGE_BEFORE].v, e->clause[STAGE_BEFORE].n, CLAUSE_BEFORE, &c);
		for (int i = c.n; i-- > 0;) { /* outer layers last */
			struct jumps no = {{0}, 0};
			gen_applies(g, c.clause[i], &no);
			gen_body(g, c.clause[i], BODY_BEFORE, NULL);
			jumps_here(g, &no);
		}
		if (e->action && g->recast_words)
			gen_tell(g, e); /* as it will be */
		break;
	case AT_ON: {
		int n = e->clause[STAGE_ON].n;
		int list[CANDIDATES_MAX];
		int k = 0;
		for (int i = 0; i < n && k < CANDIDATES_MAX - 1; i++)
			list[k++] = e->clause[STAGE_ON].v[i];
		if (e->does >= 0)
			list[k++] = e->does; /* the action's own body, of its file's layer */
		gen_winner(g, list, k, CLAUSE_ON, BODY_ON, NULL, false);
		if (!e->action)
			gen_tell(g, e);
		break;
	}
	case AT_AFTER:
		gen_eligible(g, e->clause[STAGE_AFTER].v, e->clause[STAGE_AFTER].n, CLAUSE_AFTER, &c);
		for (int i = c.n; i-- > 0;) {
			struct jumps no = {{0}, 0}, stops = {{0}, 0};
			gen_applies(g, c.clause[i], &no);
			gen_body(g, c.clause[i], BODY_AFTER, &stops);
			jumps_here(g, &stops);
			jumps_here(g, &no);
		}
		gen_cues(g, event);
		break;
	default:
		break;
	}
	ret_stage(g, 0);
	fn_end(g, 1 + g->recast_words);
	g->recast_words = 0;
}

static bool stage_empty(struct gen *g, int event, int stage)
{
	const struct mevent *e = &g->m->event.v[event];
	int n = 0;
	switch (stage) {
	case AT_COSTS:
		return e->costs < 0;
	case AT_BEFORE:
		for (int i = 0; i < e->clause[STAGE_INSTEAD].n; i++)
			n += clause_stands(g, e->clause[STAGE_INSTEAD].v[i]);
		for (int i = 0; i < e->clause[STAGE_BEFORE].n; i++)
			n += clause_stands(g, e->clause[STAGE_BEFORE].v[i]);
		return n == 0 && !(e->action && g->observed && e->node && e->node->text);
	case AT_ON:
		for (int i = 0; i < e->clause[STAGE_ON].n; i++)
			n += clause_stands(g, e->clause[STAGE_ON].v[i]);
		return n == 0 && e->does < 0 && !(g->observed && e->node && e->node->text);
	default:
		for (int i = 0; i < e->clause[STAGE_AFTER].n; i++)
			n += clause_stands(g, e->clause[STAGE_AFTER].v[i]);
		return n == 0 && !cues_on(g, event);
	}
}

int stage_fn(struct gen *g, int event, int stage)
{
	static const char *const names[] = {"costs", "before", "on", "after"};
	if (stage_empty(g, event, stage))
		return -1;
	if (g->fn_stage[stage][event] < 0) {
		struct buf b = {0};
		buf_printf(&b, "%s: %s", model_text(g->m, g->m->event.v[event].name), names[stage]);
		g->fn_stage[stage][event] = fn_new(g, buf_text(&b), g->m->event.v[event].at);
		buf_free(&b);
		gen_todo(g, g->fn_stage[stage][event], FN_EVENT_STAGE, event, stage);
	}
	return g->fn_stage[stage][event];
}

/* Calls a stage with this function's own arguments; the answer stands at the window. */
static void call_stage(struct gen *g, int event, int stage, int window, int words)
{
	int fn = stage_fn(g, event, stage);
	if (fn < 0) {
		emit_const(g, window, 0);
		return;
	}
	for (int i = 0; i < words; i++)
		emit(g, OP_MOVE, window + 2 + i, i, 0);
	gen_call(g, fn, window);
}

/* Roles that stage `before` has given back at the window become the arguments of what follows. */
static void take_recast(struct gen *g, int event, int window)
{
	const struct mevent *e = &g->m->event.v[event];
	const uint32_t recast = recast_roles(g, event);
	for (int i = 0, at = 0; i < e->roles; i++) {
		const int width = width_of(g, e->role[i].type);
		for (int k = 0; k < width && recast >> i & 1; k++)
			emit(g, OP_MOVE, at + k, window + 1 + at + k, 0);
		at += width;
	}
}

/* event with all its stages, nested in whatever is going on */
static void gen_perform_fn(struct gen *g, int event)
{
	struct mevent *e = &g->m->event.v[event];
	int words = roles_width(g, e);
	int window = regs(g, 3 + words);
	struct jumps stopped = {{0}, 0};
	bool once = e->node && e->node->kind == N_KIND_EVENT && e->node->num == 1;
	emit_const(g, window, NONE);
	if (once) /* what simultaneous acts both bring about happens once */
		emit(g, OP_KEYED, words > 0 ? 0 : window, words > 1 ? 1 : window, ONCE_EVENT | event_index(g, event));
	emit_wide(g, OP_ENTER, 0, event_index(g, event));
	/* values the event keeps begin at their defaults, unless handed over by `with` */
	if (stage_fn(g, event, AT_COSTS) >= 0)
		call_stage(g, event, AT_COSTS, window, words);
	if (stage_fn(g, event, AT_BEFORE) >= 0) {
		emit_wide(g, OP_STAGE, 0, AT_BEFORE);
		call_stage(g, event, AT_BEFORE, window, words);
		jumps_add(g, &stopped, emit_jump(g, OP_JNZ, window));
		take_recast(g, event, window);
	}
	emit_wide(g, OP_STAGE, 0, AT_ON);
	call_stage(g, event, AT_ON, window, words);
	if (stage_fn(g, event, AT_AFTER) >= 0) {
		emit_wide(g, OP_STAGE, 0, AT_AFTER);
		call_stage(g, event, AT_AFTER, window, words);
	}
	gen_watch_event(g, event);
	emit_wide(g, OP_LEAVE, 0, 0);
	int over = emit_jump(g, OP_JMP, 0);
	jumps_here(g, &stopped);
	emit_wide(g, OP_LEAVE, 0, 1);
	jump_here(g, over);
	if (once)
		emit(g, OP_KEYED, window, window, 0xffff);
	if (is_phase(g, event)) /* of other events it is asked where an act, or a statement of a phase, is over */
		gen_settle(g, window);
	ret_const(g, 0);
	fn_end(g, 1);
}

int perform_fn(struct gen *g, int event)
{
	struct event_info *e = &g->event.v[event];
	if (e->perform_fn < 0) {
		e->perform_fn = fn_new(g, e->name, e->span);
		gen_todo(g, e->perform_fn, FN_EVENT_PERFORM, event, 0);
	}
	return g->event.v[event].perform_fn;
}

/* Stage `before` of an act: what it is about from then on is what the act says. */
static void gen_recast_act(struct gen *g, int event)
{
	const struct mevent *e = &g->m->event.v[event];
	const int words = roles_width(g, e), act = regs(g, 1), window = regs(g, 3 + words);
	const uint32_t recast = recast_roles(g, event);
	call_stage(g, event, AT_BEFORE, window, words);
	int stopped = emit_jump(g, OP_JNZ, window);
	emit(g, OP_CAUSE, act, 0, 0);
	for (int i = 0, at = window + 1; i < e->roles; i++) {
		const int one = type_is(e->role[i].type, VT_SET) ? model_field(g->m, KIND_ACT, e->role[i].name) : -1;
		if (recast >> i & 1 && one >= 0 && type_is(g->m->field.v[one].type, VT_LIVE)) {
			const int none = regs(g, 1);
			emit_const(g, none, NONE);
			emit(g, OP_STF, act, none, link_field(g, one)); /* unless there is one alone */
		}
		if (recast >> i & 1)
			gen_act_arg(g, act, event, i, at);
		at += width_of(g, e->role[i].type);
	}
	jump_here(g, stopped);
	emit(g, OP_RET, window, 1, 0);
	fn_end(g, 1);
}

static int recast_act_fn(struct gen *g, int event)
{
	struct buf b = {0};
	buf_printf(&b, "%s: before, of an act", model_text(g->m, g->m->event.v[event].name));
	int fn = fn_new(g, buf_text(&b), g->m->event.v[event].at);
	buf_free(&b);
	gen_todo(g, fn, FN_EVENT_RECAST, event, 0);
	return fn;
}

/* What runs when an act of this event has its turn. */
static void make_stages(struct gen *g, int event)
{
	for (int stage = 0; stage <= AT_STAGES; stage++) {
		int fn = stage < AT_STAGES ? stage_fn(g, event, stage) : legal_fn(g, event);
		if (stage == AT_BEFORE && fn >= 0 && recast_roles(g, event))
			fn = recast_act_fn(g, event);
		g->event.v[event].stage_fn[stage] = fn;
	}
}

void event_pended(struct gen *g, int event)
{
	if (!g->pended[event]) {
		g->pended[event] = true;
		gen_todo(g, -1, FN_EVENT_ACT, event, 0);
	}
}

int stage_window(struct gen *g)
{
	int most = 1;
	for (int i = 0; i < g->event.n; i++)
		if (g->event.v[i].words > most)
			most = g->event.v[i].words;
	return regs(g, 3 + most); /* whether it is allowed is asked of the act itself, too */
}

static bool never_refused(struct gen *g, int event)
{
	const struct mevent *e = &g->m->event.v[event];
	int n = e->needs_count;
	for (int i = 0; i < e->forbid.n; i++)
		n += clause_stands(g, e->forbid.v[i]);
	return n == 0 && e->costs < 0;
}

static void gen_legal_fn(struct gen *g, int event)
{
	struct model *m = g->m;
	struct mevent *e = &m->event.v[event];
	int words = roles_width(g, e);
	g->in_event = event;
	g->judged_reg = words;
	for (int i = 0; i < e->needs_count; i++) {
		int c = e->needs_first + i;
		struct jumps no = {{0}, 0};
		int vars = g->vars;
		bind_params(g, c, 0);
		gen_unless(g, m->clause.v[c].node->a, &no);
		g->vars = vars;
		int fine = emit_jump(g, OP_JMP, 0);
		jumps_here(g, &no);
		ret_const(g, clause_index(g, c));
		jump_here(g, fine);
	}
	for (int i = 0; i < e->forbid.n; i++) {
		int c = e->forbid.v[i];
		if (!clause_stands(g, c))
			continue;
		struct jumps fine = {{0}, 0};
		gen_applies(g, c, &fine);
		/* an exception's `permit` lifts it */
		for (int k = 0; k < e->permit.n; k++) {
			int p = e->permit.v[k];
			if (!clause_stands(g, p) || !may_except(g, p, c))
				continue;
			struct jumps stays = {{0}, 0};
			gen_excepts(g, p, c, &stays);
			gen_applies(g, p, &stays);
			jumps_add(g, &fine, emit_jump(g, OP_JMP, 0));
			jumps_here(g, &stays);
		}
		ret_const(g, clause_index(g, c));
		jumps_here(g, &fine);
	}
	int r = regs(g, 1);
	if (e->costs >= 0) {
		int window = regs(g, 3 + words);
		emit(g, OP_TRY, r, 0, 0);
		call_stage(g, event, AT_COSTS, window, words);
		emit(g, OP_UNTRY, r, 0, 0);
	} else {
		emit_const(g, r, NONE);
	}
	emit(g, OP_RET, r, 1, 0);
	fn_end(g, 1);
}

int legal_fn(struct gen *g, int event)
{
	if (never_refused(g, event))
		return -1;
	if (g->event.v[event].legal_fn < 0) {
		struct buf b = {0};
		buf_printf(&b, "%s: allowed", g->event.v[event].name);
		int fn = fn_new(g, buf_text(&b), g->event.v[event].span);
		buf_free(&b);
		g->event.v[event].legal_fn = fn;
		gen_todo(g, fn, FN_EVENT_LEGAL, event, 0);
	}
	return g->event.v[event].legal_fn;
}

void gen_todo(struct gen *g, int fn, int sort, int what, int stage)
{
	struct pending_fn p;
	p.fn = fn;
	p.sort = sort;
	p.what = what;
	p.stage = stage;
	VEC_PUSH(g->todo, p);
}

void gen_pending(struct gen *g)
{
	while (g->todo.n) {
		struct pending_fn p = g->todo.v[--g->todo.n];
		struct model *m = g->m;
		switch (p.sort) {
		case FN_QUESTION:
			gen_question_fn(g, p.fn, p.what);
			break;
		case FN_BASE:
			gen_base_fn(g, p.fn, p.what);
			break;
		case FN_EVENT_PERFORM:
			fn_begin(g, p.fn, roles_width(g, &m->event.v[p.what]));
			gen_perform_fn(g, p.what);
			break;
		case FN_EVENT_ACT:
			make_stages(g, p.what);
			break;
		case FN_EVENT_LEGAL:
			fn_begin(g, p.fn, roles_width(g, &m->event.v[p.what]) + 1);
			gen_legal_fn(g, p.what);
			break;
		case FN_EVENT_RECAST:
			fn_begin(g, p.fn, roles_width(g, &m->event.v[p.what]));
			gen_recast_act(g, p.what);
			break;
		case FN_EVENT_STAGE:
			fn_begin(g, p.fn, roles_width(g, &m->event.v[p.what]));
			gen_stage(g, p.what, p.stage);
			break;
		case FN_ASK:
			gen_ask_fn(g, p.what);
			break;
		case FN_POLICY:
			gen_policy_fn(g, p.what, p.stage);
			break;
		case FN_ANSWER:
			gen_answer_fn(g);
			break;
		case FN_OTHER:
			break;
		}
	}
}
