/* gen_time.c - what orders time: groups of acts, conditions that become true, phases. */
#include <string.h>

#include "lang/gen/gen.h"

/* ---- orders ---- */

static void keys_into(struct gen *g, struct node *keys, int first, const bool *frac)
{
	int i = 0;
	for (struct node *k = keys; k && i < ORDER_KEYS; k = k->next, i++) {
		int mark = g->top;
		int v = gen_number(g, k->a, -1, frac[i] && type_number(k->a->type));
		if (type_is(k->a->type, VT_TEXT)) {
			int r = regs(g, 1);
			emit(g, OP_RANK, r, v, 0);
			v = r;
		}
		if (k->op == KEY_HIGHEST) {
			if (frac[i]) {
				bool bad = false;
				int zero = regs(g, 1);
				emit_const(g, zero, frac_of(0, &bad));
				emit(g, OP_FSUB, first + i, zero, v);
			} else {
				emit(g, OP_NEG, first + i, v, 0);
			}
		} else {
			emit(g, OP_MOVE, first + i, v, 0);
		}
		g->top = mark;
	}
}

static int keys_of(struct node *keys, bool *frac)
{
	int n = 0;
	for (struct node *k = keys; k && n < ORDER_KEYS; k = k->next, n++)
		frac[n] |= k->a->frac;
	return n;
}

static int order_new(struct gen *g, const char *name)
{
	struct order_info o = {0};
	o.name = name;
	o.key_fn = o.pair_fn = -1;
	VEC_PUSH(g->order, o);
	return g->order.n - 1;
}

int order_index(struct gen *g, struct node *keys)
{
	int order = order_new(g, "");
	struct order_info *o = &g->order.v[order];
	o->keys = (uint8_t)keys_of(keys, o->frac);
	o->key_fn = fn_new(g, "order of a list", keys->span);
	/* made when all else is: the keys may use no local names */
	struct pending_fn p = {o->key_fn, FN_OTHER, order, 0};
	(void)p;
	g->fn.v[o->key_fn].results = o->keys;
	g->fn.v[o->key_fn].span = keys->span;
	keys->ref = order;
	return order;
}

static int standing(struct gen *g, int c)
{
	const struct mclause *x = &g->m->clause.v[c];
	return (x->when ? 100 : 0) + layer_of(g, c);
}

/* Clauses on the main order, best standing first. */
static int sorted_clauses(struct gen *g, const int *list, int n, int *out, int most)
{
	int k = 0;
	for (int i = 0; i < n && k < most; i++) {
		int c = list[i];
		if (!g->m->clause.v[c].in_force)
			continue;
		bool removed = false;
		for (int j = 0; j < n; j++)
			removed |= j != i && g->m->clause.v[list[j]].in_force && !g->m->clause.v[list[j]].when && !clause_guarded(g->m, list[j]) && clause_excepts(g->m, list[j], c);
		if (removed && g->m->clause.v[c].sort == CLAUSE_ORDER)
			continue;
		int at = k++;
		while (at > 0 && (standing(g, c) > standing(g, out[at - 1]) || clause_excepts(g->m, c, out[at - 1]))) {
			out[at] = out[at - 1];
			at--;
		}
		out[at] = c;
	}
	return k;
}

/* Jumps out when a ruling of a block lets another clause that applies come before this one. */
static void gen_excepted(struct gen *g, int other, int clause, struct jumps *out)
{
	const struct mclause *x = &g->m->clause.v[other];
	struct jumps no = {{0}, 0};
	gen_excepts(g, other, clause, &no);
	gen_guard(g, other, &no);
	bind_params(g, other, 0);
	gen_when(g, x->when, x->unless, &no);
	jumps_add(g, out, emit_jump(g, OP_JMP, 0));
	jumps_here(g, &no);
	g->vars = 0;
}

static void gen_main_keys(struct gen *g, int order)
{
	struct model *m = g->m;
	int list[64];
	int n = sorted_clauses(g, m->orders.v, m->orders.n, list, 64);
	struct order_info *o = &g->order.v[order];
	for (int i = 0; i < n; i++) {
		const struct node *node = m->clause.v[list[i]].node;
		int k = keys_of(node->a, o->frac);
		if (k > o->keys)
			o->keys = (uint8_t)k;
	}
	if (n == 0)
		return;
	o->key_fn = fn_new(g, "order of acts", m->clause.v[list[0]].node->span);
	fn_begin(g, o->key_fn, 1);
	int first = regs(g, ORDER_KEYS);
	struct jumps done = {{0}, 0};
	for (int i = 0; i < n; i++) {
		struct mclause *x = &m->clause.v[list[i]];
		struct jumps no = {{0}, 0};
		gen_guard(g, list[i], &no);
		for (int j = 0; j < n; j++)
			if (j != i && clause_ruled(m, list[j], list[i]))
				gen_excepted(g, list[j], list[i], &no);
		bind_params(g, list[i], 0);
		gen_when(g, x->when, x->unless, &no);
		for (int k = 0; k < ORDER_KEYS; k++) {
			bool bad = false;
			emit_const(g, first + k, g->order.v[order].frac[k] ? frac_of(0, &bad) : 0);
		}
		keys_into(g, x->node->a, first, g->order.v[order].frac);
		if (g->observed)
			emit_wide(g, OP_WHY, 2, clause_index(g, list[i]));
		jumps_add(g, &done, emit_jump(g, OP_JMP, 0));
		jumps_here(g, &no);
		g->vars = 0;
	}
	for (int k = 0; k < ORDER_KEYS; k++)
		emit_const(g, first + k, NONE);
	jumps_here(g, &done);
	emit(g, OP_RET, first, ORDER_KEYS, 0);
	fn_end(g, ORDER_KEYS);
}

/* Skips a condition when another clause than this is asked about alone. */
static void gen_unless_only(struct gen *g, int clause, int only, struct jumps *skip)
{
	int mark = g->top, r = regs(g, 2);
	int all = emit_jump(g, OP_JNONE, only);
	emit_const(g, r, clause_index(g, clause));
	emit(g, OP_SAME, r + 1, only, r);
	jumps_add(g, skip, emit_jump(g, OP_JZ, r + 1));
	jump_here(g, all);
	g->top = mark;
}

/* (one, other, only) -> verb + 1 and clause of the winning pair clause, or 0. With `only`, that
 * clause alone is looked at: so what its condition rests on gets into the log. */
static void gen_pairs(struct gen *g, int order)
{
	struct model *m = g->m;
	int list[96];
	int n = sorted_clauses(g, m->pairs_clauses.v, m->pairs_clauses.n, list, 96);
	if (n == 0)
		return;
	int fn = fn_new(g, "how two acts stand", m->clause.v[list[0]].node->span);
	g->order.v[order].pair_fn = fn;
	fn_begin(g, fn, 3);
	int r = regs(g, 2);
	int flags = regs(g, n);
	/* all conditions, then the first that nothing applicable excepts */
	for (int i = 0; i < n; i++) {
		struct mclause *x = &m->clause.v[list[i]];
		struct jumps no = {{0}, 0};
		emit_const(g, flags + i, 0);
		if (g->observed)
			gen_unless_only(g, list[i], 2, &no);
		gen_guard(g, list[i], &no);
		bind_params(g, list[i], 0);
		g->in_thing = x->thing;
		gen_when(g, x->when, x->unless, &no);
		emit_const(g, flags + i, 1);
		jumps_here(g, &no);
		g->vars = 0;
	}
	for (int i = 0; i < n; i++) {
		struct jumps dead = {{0}, 0};
		jumps_add(g, &dead, emit_jump(g, OP_JZ, flags + i));
		for (int j = 0; j < n; j++)
			if (j != i && may_except(g, list[j], list[i])) {
				struct jumps no = {{0}, 0};
				gen_excepts(g, list[j], list[i], &no);
				jumps_add(g, &dead, emit_jump(g, OP_JNZ, flags + j));
				jumps_here(g, &no);
			}
		/* another of the same standing that answers otherwise: ruling needed */
		for (int j = i + 1; j < n; j++) {
			if (standing(g, list[j]) != standing(g, list[i]) || clause_excepts(m, list[i], list[j]))
				continue;
			if (m->clause.v[list[j]].node->op == m->clause.v[list[i]].node->op)
				continue;
			int fine = emit_jump(g, OP_JZ, flags + j), settled = -1;
			if (clause_ruled(m, list[i], list[j])) {
				struct jumps open = {{0}, 0};
				gen_excepts(g, list[i], list[j], &open);
				settled = emit_jump(g, OP_JMP, 0);
				jumps_here(g, &open);
			}
			emit_const(g, r, clause_index(g, list[i]));
			emit_const(g, r + 1, clause_index(g, list[j]));
			emit_wide(g, OP_RULING, r, -2);
			jump_here(g, fine);
			if (settled >= 0)
				jump_here(g, settled);
		}
		emit_const(g, r, m->clause.v[list[i]].node->op + 1);
		emit_const(g, r + 1, clause_index(g, list[i]));
		emit(g, OP_RET, r, 2, 0);
		jumps_here(g, &dead);
	}
	emit_const(g, r, 0);
	emit_const(g, r + 1, NONE);
	emit(g, OP_RET, r, 2, 0);
	fn_end(g, 2);
}

static void gen_nested_orders(struct gen *g, struct node *n)
{
	for (; n; n = n->next) {
		if (n->kind == N_KIND_S_RESOLVE && n->op == RESOLVE_BY && n->a && n->a->ref > 0 && n->a->ref < g->order.n) {
			struct order_info *o = &g->order.v[n->a->ref];
			if (o->key_fn >= 0 && g->fn.v[o->key_fn].entry < 0) {
				bool frac[ORDER_KEYS];
				memcpy(frac, o->frac, sizeof frac);
				fn_begin(g, o->key_fn, 1);
				int first = regs(g, ORDER_KEYS);
				gen_bind(g, g->m->w.act, type_new(g->m, VT_LIVE, KIND_ACT), false, 0);
				for (int k = 0; k < ORDER_KEYS; k++)
					emit_const(g, first + k, 0);
				/* "by highest X": the key's own verb */
				keys_into(g, n->a, first, frac);
				emit(g, OP_RET, first, ORDER_KEYS, 0);
				fn_end(g, ORDER_KEYS);
			}
		}
		struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		for (int i = 0; i < 6; i++)
			if (kids[i])
				gen_nested_orders(g, kids[i]);
	}
}

/* ---- what is read ---- */

/* What somebody reads, through all the questions he asks: conditions are woken by it. */
struct reading { uint64_t bit; unsigned char *seen; bool shared; };

static void reads_field(struct gen *g, int field, struct reading *x)
{
	g->field.v[field].touches |= x->bit;
	x->shared |= g->field.v[field].shared;
}

static void reads_pair(struct gen *g, int pair, struct reading *x)
{
	g->pair.v[pair].touches |= x->bit;
	x->shared |= g->pair.v[pair].shared;
}

static void reads(struct gen *g, struct node *n, struct reading *x);

static void reads_one(struct gen *g, struct node *n, struct reading *x)
{
	struct node *next = n->next;
	n->next = NULL;
	reads(g, n, x);
	n->next = next;
}

static void reads_question(struct gen *g, int question, struct reading *x)
{
	struct model *m = g->m;
	struct mquestion *q = &m->question.v[question];
	if (x->seen[question])
		return;
	x->seen[question] = 1;
	if (q->field >= 0 && m->kind.v[m->field.v[q->field].kind].live)
		reads_field(g, link_field(g, q->field), x);
	if (q->pair >= 0)
		reads_pair(g, link_pair(g, q->pair), x);
	for (int i = 0; i < q->clause.n; i++) {
		struct mclause *c = &m->clause.v[q->clause.v[i]];
		if (!c->in_force)
			continue;
		if (c->node->kind != N_KIND_C_BE && c->node->b)
			reads_one(g, c->node->b, x);
		if (c->when)
			reads_one(g, c->when, x);
	}
}

static void reads(struct gen *g, struct node *n, struct reading *x)
{
	struct model *m = g->m;
	for (; n; n = n->next) {
		int question = -1, field = -1, pair = -1;
		switch (n->ref_kind) {
		case REF_QUESTION:
		case REF_ADJECTIVE:
			if (n->kind == N_KIND_E_FIELD || n->kind == N_KIND_E_CALL || n->kind == N_KIND_E_IS || n->kind == N_KIND_E_NAME)
				question = n->ref;
			break;
		case REF_FIELD:
		case REF_FLAG:
		case REF_VIA:
		case REF_FIELD_OF_ENCOUNTER:
			field = n->ref;
			break;
		case REF_PAIR:
			pair = n->ref;
			break;
		case REF_LIST_FIELD:
			field = n->ref;
			break;
		default:
			break;
		}
		if (field >= 0 && m->kind.v[m->field.v[field].kind].live) {
			reads_field(g, link_field(g, field), x);
			question = m->field.v[field].question;
		}
		if (pair >= 0) {
			reads_pair(g, link_pair(g, pair), x);
			question = m->pair.v[pair].question;
		}
		if (question >= 0)
			reads_question(g, question, x);
		struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		for (int i = 0; i < 6; i++)
			if (kids[i])
				reads(g, kids[i], x);
	}
}

/* Can others change whether an act is void though they work on copies? */
static bool void_shares(struct gen *g, int question)
{
	struct reading x = {.seen = calloc((size_t)g->m->question.n + 1, 1)};
	if (!x.seen)
		abort();
	if (question >= 0)
		reads_question(g, question, &x);
	free(x.seen);
	return x.shared;
}

/* ---- resolving ---- */

void gen_ended(struct gen *g, int window)
{
	struct model *m = g->m;
	int won = g->observed ? model_question_of(m, KIND_SIDE, m->w.victorious, true) : -1;
	gen_call(g, over_fn(g), window);
	if (won < 0) {
		emit(g, OP_OVER, window, window, 0);
		return;
	}
	int mark = g->top, winner = regs(g, 1), ask = regs(g, 3);
	int no = emit_jump(g, OP_JZ, window);
	emit_const(g, winner, NONE);
	for (int i = 0; i < m->side.n; i++) {
		emit_const(g, ask + 2, i);
		gen_question(g, won, ask);
		int lost = emit_jump(g, OP_JZ, ask);
		emit_const(g, winner, i);
		jump_here(g, lost);
	}
	emit(g, OP_OVER, window, winner, 0);
	jump_here(g, no);
	g->top = mark;
}

/* The group that was chosen, of so many, goes through its stages. Where nobody looks on, most are of one act. */
static void gen_lead_group(struct gen *g, int size, int window)
{
	if (g->observed) {
		gen_call(g, group_fn(g), window);
		return;
	}
	group_fn(g);
	if (g->fn_one < 0)
		g->fn_one = fn_new(g, "an act by itself", (struct span){0});
	emit_const(g, window, 1);
	emit(g, OP_SAME, window, size, window);
	int several = emit_jump(g, OP_JZ, window);
	gen_call(g, g->fn_one, window);
	int led = emit_jump(g, OP_JMP, 0);
	jump_here(g, several);
	gen_call(g, group_fn(g), window);
	jump_here(g, led);
}

void gen_resolve(struct gen *g, enum op_resolve how, struct node *until)
{
	int mark = g->top;
	int r = regs(g, 5); /* two, and room for a call */
	int limit = r + 1;
	struct jumps end = {{0}, 0};
	int again = here(g);
	if (g->p->at.beat >= 0)
		emit(g, OP_BEAT, 0, 0, 0);
	if (g->p->at.beat >= 0 && moment_fn(g) >= 0)
		gen_call(g, moment_fn(g), r + 2);
	emit(g, OP_PAUSE, 0, 0, 0);
	if (until)
		gen_expr(g, until, limit);
	else
		emit_const(g, limit, NONE);
	emit(g, OP_GROUP, r, limit, until != NULL);
	jumps_add(g, &end, emit_jump(g, OP_JZ, r));
	int window = regs(g, 3);
	gen_lead_group(g, r, window);
	if (over_fn(g) >= 0)
		gen_ended(g, window);
	if (how != RESOLVE_NEXT)
		jump_back(g, again);
	jumps_here(g, &end);
	g->top = mark;
}

int group_fn(struct gen *g)
{
	if (g->fn_group < 0)
		g->fn_group = fn_new(g, "a group of acts", (struct span){0});
	return g->fn_group;
}

/* What leading a group needs, in registers. */
struct leading {
	int i, act;       /* the member at hand */
	int copies, size, one, zero, event, test, clause, window;
	int again;        /* is whether he can still act to be asked before stage on? */
	int void_question;
	bool only;        /* there are no others */
};

/* Void when nobody is able to do it any more; goes on with the next then. */
static void gen_ask_void(struct gen *g, const struct leading *x, struct jumps *next)
{
	if (x->void_question < 0)
		return;
	emit(g, OP_MOVE, x->window + 2, x->act, 0);
	gen_question(g, x->void_question, x->window);
	int able = emit_jump(g, OP_JZ, x->window);
	emit_const(g, x->clause, NONE);
	emit(g, OP_VOID, x->act, x->clause, VOID_UNABLE);
	jumps_add(g, next, emit_jump(g, OP_JMP, 0));
	jump_here(g, able);
}

/* Is it allowed still? */
static void gen_ask_allowed(struct gen *g, const struct leading *x, struct jumps *next)
{
	emit(g, OP_MOVE, x->window + 2, x->act, 0);
	emit(g, OP_CALLACT, x->window, x->event, AT_STAGES);
	int allowed = emit_jump(g, OP_JNONE, x->window);
	emit(g, OP_MOVE, x->clause, x->window, 0);
	emit(g, OP_VOID, x->act, x->clause, VOID_REFUSED);
	jumps_add(g, next, emit_jump(g, OP_JMP, 0));
	jump_here(g, allowed);
}

static void gen_begin(struct gen *g, const struct leading *x, int stage)
{
	if (x->only)
		emit(g, OP_BEGINS, 0, 0, stage);
	else
		emit(g, OP_BEGIN, x->i, x->copies, stage);
}

enum { DIRECT_MOST = 4 }; /* events whose stage is called without looking it up */

/* The stage of the events there are acts of is called directly; of others it is looked up. */
static void gen_call_stage(struct gen *g, const struct leading *x, int stage, struct jumps *next)
{
	struct jumps done = {{0}, 0};
	int direct = 0;
	for (int e = 0; e < g->event.n && direct < DIRECT_MOST && !g->observed; e++) {
		const int fn = g->event.v[e].stage_fn[stage];
		if (!g->pended[e] || fn < 0)
			continue;
		direct++;
		emit_const(g, x->test, e);
		emit(g, OP_SAME, x->test, x->event, x->test);
		int other = emit_jump(g, OP_JZ, x->test);
		gen_begin(g, x, stage);
		gen_act_arguments(g, x->act, e, x->window + 2);
		gen_call(g, fn, x->window);
		jumps_add(g, &done, emit_jump(g, OP_JMP, 0));
		jump_here(g, other);
	}
	if (stage == AT_COSTS || stage == AT_ON) { /* STEP does not know it of these */
		emit(g, OP_IDLE, x->test, x->act, stage);
		jumps_add(g, next, emit_jump(g, OP_JNZ, x->test));
	}
	gen_begin(g, x, stage);
	emit(g, OP_MOVE, x->window + 2, x->act, 0);
	emit(g, OP_CALLACT, x->window, x->event, stage);
	jumps_here(g, &done);
}

/* All members go through a stage, and their copies are merged. */
static void gen_all_at(struct gen *g, const struct leading *x, int stage)
{
	struct jumps next = {{0}, 0}, end = {{0}, 0};
	emit_const(g, x->i, -1);
	int again = here(g);
	emit(g, OP_STEP, x->i, x->copies, stage);
	jumps_add(g, &end, emit_jump(g, OP_JNONE, x->i));
	emit(g, OP_EVENTOF, x->event, x->act, 0);
	if (stage == AT_COSTS) {
		gen_ask_void(g, x, &next);
		gen_ask_allowed(g, x, &next);
	}
	if (stage == AT_ON) {
		/* struck down before he could: the act is void. Together with others he acts all
		 * the same, unless it was his own act that drew the blow. */
		int asked = emit_jump(g, OP_JZ, x->again);
		gen_ask_void(g, x, &next);
		jump_here(g, asked);
	}
	gen_call_stage(g, x, stage, &next);
	if (whenever_fn(g) >= 0) {
		emit(g, OP_MOVE, x->test, x->window, 0);
		gen_settle(g, x->window);
		emit(g, OP_MOVE, x->window, x->test, 0);
	}
	emit(g, OP_END, x->i, x->window, stage);
	if (stage == AT_COSTS || stage == AT_BEFORE)
		emit_const(g, x->again, 1);
	jumps_here(g, &next);
	int alone = emit_jump(g, OP_JZ, x->copies);
	jump_back(g, again);
	jumps_here(g, &end);
	int none = emit_jump(g, OP_JZ, x->copies);
	emit(g, OP_MERGE, x->zero, 0, stage);
	gen_settle(g, x->window);
	jump_here(g, alone);
	jump_here(g, none);
}

/* All costs, merge; all instead and before, merge; all on, merge; all after, merge; after
 * each merge the conditions. A group of one takes the same way without copies. Mostly nobody has
 * anything to do but at stage on, which is known at once; whether acts are void is asked there, then,
 * and else twice only if something was done in between. */
static void gen_group_fn(struct gen *g)
{
	fn_begin(g, g->fn_group, 0);
	struct leading x = {.only = false};
	x.i = regs(g, 2);
	x.act = x.i + 1;
	x.copies = regs(g, 1);
	x.size = regs(g, 1);
	x.one = regs(g, 1);
	x.zero = regs(g, 1);
	x.event = regs(g, 1);
	x.test = regs(g, 1);
	x.clause = regs(g, 1);
	x.again = regs(g, 1);
	x.window = stage_window(g);
	x.void_question = model_question_of(g->m, KIND_ACT, g->m->w.void_, true);
	struct jumps plain = {{0}, 0}, whole = {{0}, 0};
	emit_const(g, x.one, 1);
	emit_const(g, x.zero, 0);
	emit(g, OP_MEMBER, x.size, x.zero, MEMBER_COUNT);
	emit(g, OP_LT, x.copies, x.one, x.size);
	emit_const(g, x.again, 1);
	/* what is shared is written while the others wait for their turn */
	const bool shares = void_shares(g, x.void_question);
	if (shares)
		jumps_add(g, &whole, emit_jump(g, OP_JNZ, x.copies));
	emit(g, OP_NEEDS, x.test, 1 << AT_COSTS | 1 << AT_BEFORE | 1 << AT_STAGES, 1);
	jumps_add(g, &plain, emit_jump(g, OP_JZ, x.test));
	jumps_here(g, &whole);
	emit(g, OP_MOVE, x.again, shares ? x.copies : x.zero, 0);
	gen_all_at(g, &x, AT_COSTS);
	gen_all_at(g, &x, AT_BEFORE);
	jumps_here(g, &plain);
	gen_all_at(g, &x, AT_ON);
	emit(g, OP_NEEDS, x.test, 1 << AT_AFTER, 0);
	int over = emit_jump(g, OP_JZ, x.test);
	gen_all_at(g, &x, AT_AFTER);
	jump_here(g, over);
	gen_watch_group(g, x.i, x.size, x.act, x.event);
	emit(g, OP_DONE, 0, 0, 0);
	emit(g, OP_RET, x.zero, 1, 0);
	fn_end(g, 1);
}

/* The same of a group of one act that has something to do at stage on alone, as most are: nobody works on
 * copies, and he is asked whether he still can just once. */
static void gen_one_fn(struct gen *g)
{
	fn_begin(g, g->fn_one, 0);
	struct leading x = {.only = true};
	struct jumps done = {{0}, 0};
	const int answer = regs(g, 1);
	x.act = regs(g, 1);
	x.event = regs(g, 1);
	x.test = regs(g, 1);
	x.clause = regs(g, 1);
	x.window = stage_window(g);
	x.void_question = model_question_of(g->m, KIND_ACT, g->m->w.void_, true);
	emit(g, OP_NEEDS, x.test, 1 << AT_COSTS | 1 << AT_BEFORE | 1 << AT_AFTER | 1 << AT_STAGES, 1);
	int whole = emit_jump(g, OP_JNZ, x.test);
	emit(g, OP_ONLY, x.act, 0, 0);
	emit(g, OP_EVENTOF, x.event, x.act, 0);
	gen_ask_void(g, &x, &done);
	gen_call_stage(g, &x, AT_ON, &done);
	emit(g, OP_MOVE, x.test, x.window, 0);
	gen_settle(g, x.window);
	if (g->watch.n > 0) { /* else nobody asks whether it was stopped, and DONE does the rest */
		emit_const(g, answer, 0);
		emit(g, OP_END, answer, x.test, AT_ON);
	}
	jumps_here(g, &done);
	if (g->watch.n > 0) {
		const int size = regs(g, 1), i = regs(g, 1);
		emit_const(g, size, 1);
		gen_watch_group(g, i, size, x.act, x.event);
	}
	emit(g, OP_DONE, 0, 0, 0);
	emit_const(g, answer, 0);
	emit(g, OP_RET, answer, 1, 0);
	jump_here(g, whole);
	gen_call(g, g->fn_group, x.window);
	emit_const(g, answer, 0);
	emit(g, OP_RET, answer, 1, 0);
	fn_end(g, 1);
}

/* ---- whenever ---- */

static int whenever_in_force(struct gen *g)
{
	int n = 0;
	for (int i = 0; i < g->m->whenever.n; i++)
		n += g->m->clause.v[g->m->whenever.v[i]].in_force;
	return n;
}

int whenever_fn(struct gen *g)
{
	if (whenever_in_force(g) == 0)
		return -1;
	if (g->fn_whenever < 0)
		g->fn_whenever = fn_new(g, "conditions", (struct span){0});
	return g->fn_whenever;
}

void gen_settle(struct gen *g, int window)
{
	if (whenever_fn(g) >= 0)
		emit_wide(g, OP_SETTLE, window, whenever_fn(g));
}

static int kind_count(struct gen *g, int kind)
{
	return kind == KIND_SIDE ? g->m->side.n : kind == KIND_COMBATANT ? g->m->live.n : kind_borne(g->m, kind) ? item_count(g->m, kind) : 1;
}

/* The condition of a clause as a function of its parameters. */
static int condition_fn(struct gen *g, int c)
{
	struct mclause *x = &g->m->clause.v[c];
	int fn = fn_new(g, gen_excerpt(g, x->node->a->span), x->node->a->span);
	fn_begin(g, fn, x->params);
	for (int i = 0; i < x->params; i++)
		gen_bind(g, x->param_name[i], x->param_type[i], false, i);
	int now = regs(g, 1);
	struct jumps no = {{0}, 0};
	emit_const(g, now, 0);
	gen_guard(g, c, &no);
	gen_unless(g, x->node->a, &no);
	emit_const(g, now, 1);
	jumps_here(g, &no);
	emit(g, OP_RET, now, 1, 0);
	fn_end(g, 1);
	g->vars = 0;
	return fn;
}

/* The row of each condition, with its places and the fields that wake it. */
static void gen_conditions(struct gen *g)
{
	struct model *m = g->m;
	unsigned char *seen = malloc((size_t)m->question.n + 1);
	if (!seen)
		abort();
	for (int w = 0; w < m->whenever.n; w++) {
		int c = m->whenever.v[w];
		struct mclause *x = &m->clause.v[c];
		if (!x->in_force)
			continue;
		int bit = g->whenever.n < 63 ? g->whenever.n : 63;
		memset(seen, 0, (size_t)m->question.n + 1);
		reads_one(g, x->node->a, &(struct reading){.bit = 1ull << bit, .seen = seen});
		struct whenever_info info = {gen_excerpt(g, x->node->a->span), clause_index(g, c), condition_fn(g, c), (uint8_t)x->params, g->whenever_total, {1, 1}};
		for (int i = 0; i < x->params; i++)
			info.count[i] = kind_count(g, type_find(x->param_type[i])->kind);
		g->whenever_total += info.count[0] * info.count[1];
		VEC_PUSH(g->whenever, info);
	}
	free(seen);
}

static void gen_whenever_fn(struct gen *g)
{
	struct model *m = g->m;
	gen_conditions(g);
	fn_begin(g, g->fn_whenever, 0);
	int first_of_all = here(g);
	int k = 0;
	int any = regs(g, 1);
	emit_const(g, any, 0);
	for (int w = 0; w < m->whenever.n; w++) {
		int c = m->whenever.v[w];
		struct mclause *x = &m->clause.v[c];
		if (!x->in_force)
			continue;
		int bit = k < 63 ? k : 63;
		int mark = g->top;
		int dirty = regs(g, 1);
		emit_wide(g, OP_DIRTY, dirty, bit);
		int clean = emit_jump(g, OP_JZ, dirty);
		emit_const(g, any, 1);
		/* for all for whom it may have changed */
		int at = regs(g, 3), place = at + x->params;
		if (x->params == 0)
			place = at;
		emit_const(g, at, -1);
		if (x->params > 1)
			emit_const(g, at + 1, -1);
		int again = here(g);
		emit_wide(g, OP_WOKE, at, k);
		int end = emit_jump(g, OP_JNONE, at);
		for (int p = 0; p < x->params; p++)
			gen_bind(g, x->param_name[p], x->param_type[p], false, at + p);
		int window = regs(g, 2 + x->params);
		for (int p = 0; p < x->params; p++)
			emit(g, OP_MOVE, window + 2 + p, at + p, 0);
		gen_call(g, g->whenever.v[k].fn, window);
		emit(g, OP_TURNED, window + 1, place, window);
		emit_wide(g, OP_EXT, 0, k);
		int not = emit_jump(g, OP_JZ, window + 1);
		int none = regs(g, 1);
		emit_const(g, none, NONE);
		emit(g, OP_KEYED, x->params > 0 ? at : none, x->params > 1 ? at + 1 : none, k);
		struct jumps stops = {{0}, 0};
		g->stops = &stops;
		g->body = BODY_AFTER;
		g->in_clause = clause_index(g, c);
		g->in_thing = x->thing;
		if (x->params > 0) {
			int kind = type_find(x->param_type[0])->kind;
			if (kind == KIND_COMBATANT || kind == KIND_SIDE) {
				g->owner_reg = at;
				g->owner_kind = kind;
			}
		}
		if (g->tells_clauses)
			emit_wide(g, OP_WHY, 3, g->in_clause);
		gen_block(g, x->node->b->a);
		jumps_here(g, &stops);
		emit(g, OP_KEYED, none, none, 0xffff);
		g->stops = NULL;
		g->owner_reg = g->owner_kind = -1;
		jump_here(g, not);
		jump_back(g, again);
		jump_here(g, end);
		jump_here(g, clean);
		g->vars = 0;
		g->top = mark;
		k++;
	}
	/* a firing may have made others true */
	int still = emit_jump(g, OP_JZ, any);
	jump_back(g, first_of_all);
	jump_here(g, still);
	emit(g, OP_RET, any, 1, 0);
	fn_end(g, 1);
}

/* ---- the whole encounter ---- */

static int phase_event(const struct model *m, sym name)
{
	for (int i = 0; i < m->phase.n; i++)
		if (m->phase.v[i].name == name)
			return m->phase.v[i].event;
	return -1;
}

static bool phase_idle(struct gen *g, int event)
{
	const struct mevent *e = &g->m->event.v[event];
	for (int s = 0; s < 4; s++)
		for (int i = 0; i < e->clause[s].n; i++)
			if (g->m->clause.v[e->clause[s].v[i]].in_force)
				return false;
	return true;
}

static void gen_over(struct gen *g)
{
	if (over_fn(g) < 0)
		return;
	int mark = g->top;
	int window = regs(g, 3);
	gen_ended(g, window);
	g->top = mark;
}

static void gen_phase(struct gen *g, sym name)
{
	int event = phase_event(g->m, name);
	if (event < 0 || phase_idle(g, event))
		return;
	struct phase_info p = {gen_text(g, name), perform_fn(g, event)};
	VEC_PUSH(g->phase, p);
	emit_wide(g, OP_PHASE, 0, g->phase.n - 1);
	int window = regs(g, 3);
	gen_call(g, p.fn, window);
	gen_over(g);
	g->top = window;
}

static void gen_rounds(struct gen *g)
{
	struct jumps end = {{0}, 0};
	int r = regs(g, 1);
	int again = here(g);
	emit(g, OP_ROUNDS, r, 0, 0);
	jumps_add(g, &end, emit_jump(g, OP_JZ, r));
	if (moment_fn(g) >= 0) {
		int window = regs(g, 3);
		gen_call(g, moment_fn(g), window);
		g->top = window;
	}
	for (struct node *p = g->m->sequence_round ? g->m->sequence_round->a : NULL; p; p = p->next)
		gen_phase(g, p->name);
	emit(g, OP_ENDROUND, 0, 0, 0);
	gen_over(g);
	jump_back(g, again);
	jumps_here(g, &end);
	g->top = r;
}

void gen_main(struct gen *g)
{
	struct model *m = g->m;
	g->order_main = order_new(g, "acts");
	gen_main_keys(g, g->order_main);
	gen_pairs(g, g->order_main);
	g->p->main_fn = fn_new(g, "the encounter", m->encounter.v[g->encounter].node->at);
	fn_begin(g, g->p->main_fn, 0);
	int window = regs(g, 3);
	int set_up = model_event(m, model_sym(m, "set up"));
	if (set_up >= 0)
		gen_call(g, perform_fn(g, set_up), window);
	gen_settle(g, window);
	if (moment_fn(g) >= 0)
		gen_call(g, moment_fn(g), window);
	emit(g, OP_PAUSE, 0, 0, 0);
	for (struct node *p = m->sequence_encounter ? m->sequence_encounter->a : NULL; p; p = p->next) {
		if (p->name == m->w.rounds)
			gen_rounds(g);
		else
			gen_phase(g, p->name);
	}
	if (!m->sequence_encounter)
		gen_rounds(g);
	emit(g, OP_HALT, 0, 0, 0);
	fn_end(g, 0);
	gen_pending(g);
	if (g->fn_whenever >= 0)
		gen_whenever_fn(g);
	gen_pending(g);
	for (int k = 0; k < m->module.n; k++)
		for (int t = 0; t < m->module.v[k].tree.n; t++)
			gen_nested_orders(g, m->module.v[k].tree.v[t]);
	gen_pending(g);
	if (g->fn_group >= 0) /* by now it is known of which events there are acts */
		gen_group_fn(g);
	if (g->fn_one >= 0)
		gen_one_fn(g);
	gen_pending(g);
}
