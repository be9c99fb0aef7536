/* gen_partner.c - which acts the pair clauses may compare at all.
 *
 * A pair clause is a join: its condition is taken apart into parts that speak of one act alone, parts that tie one act
 * to the actor of the other (`one's target is other's actor`), and the rest. The first two are asked of each act by
 * itself; only acts that meet them together are ever compared. A part that is left out makes the answer wider, never
 * wrong, so nothing here has to understand every condition.
 *
 * The function made, (act) -> 6 words (program.h: PARTNER_..): for each of the two places an act may have in a clause
 * a bit for each way in which a clause may apply to it there, with anybody or with acts of one actor alone. */
#include "lang/gen/gen.h"

enum { WAYS_MOST = 61, WAYS_A_CLAUSE = 8, PARTS_MOST = 48, DEEP = 6, NAMES_MOST = 12 };
enum { WALKS_NOT = 1, WALKS };

/* What the acts are called: by the clause, or by a definition it asks, as that names them. */
struct names { const struct model *m; sym name[NAMES_MOST]; int place[NAMES_MOST]; int n; };
struct part { struct node *node; const struct names *names; };
struct parts { struct part part[PARTS_MOST]; int n; };

struct partner {
	struct gen *g;
	int first;            /* register of the first result */
	int ways;
	struct names pool[32];
	int pooled;
	uint8_t *walks;       /* by question: WALKS, WALKS_NOT; 0: not known */
};

static int place_of(const struct names *names, sym name)
{
	for (int i = 0; i < names->n; i++)
		if (names->name[i] == name || names->name[i] == model_alias(names->m, name))
			return names->place[i];
	return -1;
}

/* Is the act in that place spoken of? A name that merely looks like it counts, too. */
static bool mentions(const struct node *n, const struct names *names, int place)
{
	if (n->kind == N_KIND_E_NAME && place_of(names, n->name) == place)
		return true;
	const struct node *const kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
	for (int i = 0; i < 6; i++)
		for (const struct node *k = kids[i]; k; k = k->next)
			if (mentions(k, names, place))
				return true;
	return false;
}

/* Does it go through the acts that are pending? That takes longer than comparing them. */
static bool walks_acts(struct partner *p, const struct node *n);

static bool question_walks(struct partner *p, int question)
{
	const struct model *m = p->g->m;
	const struct mquestion *q = &m->question.v[question];
	if (p->walks[question])
		return p->walks[question] == WALKS;
	p->walks[question] = WALKS_NOT; /* one that asks itself says nothing new */
	bool walks = false;
	for (int i = 0; i < q->clause.n && !walks; i++) {
		const struct mclause *x = &m->clause.v[q->clause.v[i]];
		walks = x->in_force && ((x->when && walks_acts(p, x->when)) || walks_acts(p, x->node));
	}
	p->walks[question] = walks ? WALKS : WALKS_NOT;
	return walks;
}

static bool walks_acts(struct partner *p, const struct node *n)
{
	const struct model *m = p->g->m;
	if (n->ref_kind == REF_PENDING)
		return true;
	if ((n->ref_kind == REF_QUESTION || n->ref_kind == REF_ADJECTIVE) && n->ref >= 0 && question_walks(p, n->ref))
		return true;
	if ((n->ref_kind == REF_FIELD || n->ref_kind == REF_FLAG) && n->ref >= 0 && m->field.v[n->ref].question >= 0 && question_walks(p, m->field.v[n->ref].question))
		return true;
	const struct node *const kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
	for (int i = 0; i < 6; i++)
		for (const struct node *k = kids[i]; k; k = k->next)
			if (walks_acts(p, k))
				return true;
	return false;
}

/* ---- the condition taken apart ---- */

/* The one definition of a question that has no other, for all of the fight; NULL. */
static const struct mclause *only_definition(struct gen *g, int question)
{
	const struct mquestion *q = &g->m->question.v[question];
	struct candidates defines;
	int in_force = 0;
	for (int i = 0; i < q->clause.n; i++)
		in_force += g->m->clause.v[q->clause.v[i]].in_force && g->m->clause.v[q->clause.v[i]].sort != CLAUSE_DEFINE;
	if (in_force || q->field >= 0 || q->pair >= 0 || !type_is(q->type, VT_BOOL))
		return NULL;
	gen_eligible(g, q->clause.v, q->clause.n, CLAUSE_DEFINE, &defines);
	if (defines.n != 1)
		return NULL;
	const struct mclause *x = &g->m->clause.v[defines.clause[0]];
	return clause_guarded(g->m, defines.clause[0]) || x->thing >= 0 || x->node->kind == N_KIND_C_BE ? NULL : x;
}

/* A definition's own names for the acts that `call` hands it; NULL: it is handed something else. */
static const struct names *names_within(struct partner *p, const struct node *call, const struct mclause *x, const struct names *names)
{
	int at = 0;
	if (p->pooled == (int)FRAY_COUNT(p->pool) || call->a->kind == N_KIND_E_FIELD)
		return NULL;
	struct names *in = &p->pool[p->pooled];
	in->m = names->m;
	in->n = 0;
	for (const struct node *a = call->b; a; a = a->next, at++) {
		const int place = a->kind == N_KIND_E_NAME && a->ref_kind == REF_LOCAL ? place_of(names, a->name) : -1;
		if (place < 0 || at >= x->params || in->n == NAMES_MOST)
			return NULL;
		in->name[in->n] = x->param_name[at];
		in->place[in->n++] = place;
	}
	p->pooled++;
	return at == x->params ? in : NULL;
}

/* `one is charge`, by a question asked of that act. */
static bool is_said_of_one(const struct node *n, const struct names *names)
{
	return n->kind == N_KIND_E_IS && n->ref_kind == REF_ADJECTIVE && n->num != 1 && n->ref >= 0 &&
		n->a->kind == N_KIND_E_NAME && n->a->ref_kind == REF_LOCAL &&
		place_of(names, n->a->name) >= 0;
}

/* The name that its definition has for the act `one`; NULL: there is no room for more names. */
static const struct names *names_of_one(struct partner *p, const struct node *one,
	const struct mclause *x, const struct names *names)
{
	if (p->pooled == (int)FRAY_COUNT(p->pool) || x->params != 1)
		return NULL;
	struct names *in = &p->pool[p->pooled++];
	*in = (struct names){names->m, {x->param_name[0]}, {place_of(names, one->name)}, 1};
	return in;
}

static void take_apart(struct partner *p, struct node *n, const struct names *names, int deep, struct parts *out)
{
	if (n->kind == N_KIND_E_AND) {
		for (struct node *x = n->a; x; x = x->next)
			take_apart(p, x, names, deep, out);
		return;
	}
	if (n->kind == N_KIND_E_CALL && n->ref_kind == REF_QUESTION && deep < DEEP && mentions(n, names, 0) && mentions(n, names, 1)) {
		const struct mclause *x = only_definition(p->g, n->ref);
		const struct names *in = x ? names_within(p, n, x, names) : NULL;
		if (in) {
			if (x->when && !x->unless)
				take_apart(p, x->when, in, deep + 1, out);
			take_apart(p, x->node->b, in, deep + 1, out);
			return;
		}
	}
	/* `one is charge at a caster`: what is said in it before the acts are gone through */
	if (is_said_of_one(n, names) && deep < DEEP && question_walks(p, n->ref)) {
		const struct mclause *x = only_definition(p->g, n->ref);
		const struct names *in = x ? names_of_one(p, n->a, x, names) : NULL;
		if (in) {
			if (x->when && !x->unless)
				take_apart(p, x->when, in, deep + 1, out);
			take_apart(p, x->node->b, in, deep + 1, out);
			return;
		}
	}
	if (out->n < PARTS_MOST && !walks_acts(p, n))
		out->part[out->n++] = (struct part){n, names};
}

/* ---- what is asked of an act in one place ---- */

/* `other's actor`, of the act in that place, as it is stored? */
static bool is_actor_of(struct gen *g, const struct node *n, const struct names *names, int place)
{
	int field = -1;
	if (n->kind != N_KIND_E_FIELD || n->a->kind != N_KIND_E_NAME || n->a->ref_kind != REF_LOCAL || place_of(names, n->a->name) != place)
		return false;
	if (n->ref_kind == REF_FIELD)
		field = n->ref;
	else if (n->ref_kind == REF_QUESTION && question_bare(g, n->ref))
		field = g->m->question.v[n->ref].field;
	if (field < 0 || (g->m->field.v[field].question >= 0 && !question_bare(g, g->m->field.v[field].question)))
		return false;
	return link_field(g, field) == g->p->at.act_actor;
}

/* The side of `X is Y` that names, by the act in `place` alone, the actor of the other act; NULL. */
static struct node *ties(struct gen *g, const struct part *x, int place)
{
	struct node *n = x->node;
	if (n->kind != N_KIND_E_IS || n->num == 1 || n->ref_kind != REF_LOCAL || !type_is(n->a->type, VT_LIVE) || !type_is(n->b->type, VT_LIVE))
		return NULL;
	if (is_actor_of(g, n->a, x->names, !place) && !mentions(n->b, x->names, !place))
		return n->b;
	if (is_actor_of(g, n->b, x->names, !place) && !mentions(n->a, x->names, !place))
		return n->a;
	return NULL;
}

static int bind_names(struct gen *g, const struct names *names, int place)
{
	const int vars = g->vars;
	for (int i = 0; i < names->n; i++)
		if (names->place[i] == place)
			gen_bind(g, names->name[i], type_new(g->m, VT_LIVE, KIND_ACT), false, 0);
	return vars;
}

/* Does something say what it is whatever the circumstances? Then it is hardly ever unset, and
 * whether it is tells little. */
static bool is_always_said(struct gen *g, const struct node *n)
{
	const struct model *m = g->m;
	int question = -1;
	struct candidates defines;
	if (n->ref_kind == REF_QUESTION)
		question = n->ref;
	else if (n->ref_kind == REF_FIELD && n->ref >= 0)
		question = m->field.v[n->ref].question;
	if (question < 0)
		return false;
	const struct mquestion *q = &m->question.v[question];
	gen_eligible(g, q->clause.v, q->clause.n, CLAUSE_DEFINE, &defines);
	for (int i = 0; i < defines.n; i++) {
		const struct mclause *x = &m->clause.v[defines.clause[i]];
		if (!x->when && x->thing < 0 && !clause_guarded(m, defines.clause[i]))
			return true;
	}
	return false;
}

/* A comparison with what is unset does not hold: what one act brings to it has to be set. */
static void gen_is_set(struct gen *g, const struct part *x, int place, struct jumps *no)
{
	struct node *n = x->node;
	if (n->kind != N_KIND_E_BINARY || n->op < BIN_EQ || type_is(n->a->type, VT_SET) || type_is(n->a->type, VT_TEXT))
		return;
	struct node *own = !mentions(n->a, x->names, !place) ? n->a : !mentions(n->b, x->names, !place) ? n->b : NULL;
	if (own && type_number(own->type) && !is_always_said(g, own))
		jumps_add(g, no, emit_jump(g, OP_JNONE, gen_expr(g, own, -1)));
}

/* Notes the way, one of those with acts of the actor in register `actor`, or (-1) with anybody. */
static void gen_way(struct gen *g, int place, int first, int way, int actor)
{
	const int all = first + PARTNER_WORDS * place, tied = all + PARTNER_TIED, whose = all + PARTNER_WHOSE, r = regs(g, 2);
	struct jumps done = {{0}, 0}, another = {{0}, 0};
	emit_const(g, r, (word)1 << way);
	if (actor >= 0) {
		const int is_first = emit_jump(g, OP_JZ, tied);
		emit(g, OP_SAME, r + 1, whose, actor);
		jumps_add(g, &another, emit_jump(g, OP_JZ, r + 1));
		jump_here(g, is_first);
		emit(g, OP_MOVE, whose, actor, 0);
		emit(g, OP_ADD, tied, tied, r);
		jumps_add(g, &done, emit_jump(g, OP_JMP, 0));
		jumps_here(g, &another);
	}
	emit(g, OP_ADD, all, all, r);
	jumps_here(g, &done);
}

static void gen_place(struct gen *g, const struct parts *parts, int place, int first, int way)
{
	struct jumps no = {{0}, 0};
	const int mark = g->top;
	int actor = -1;
	for (int i = 0; i < parts->n && no.n + 4 < (int)FRAY_COUNT(no.at); i++) {
		const struct part *x = &parts->part[i];
		const int vars = bind_names(g, x->names, place), top = g->top;
		struct node *tie = ties(g, x, place);
		if (!mentions(x->node, x->names, !place)) {
			gen_unless(g, x->node, &no);
			g->top = top;
		} else if (tie && actor < 0) {
			actor = regs(g, 1);
			gen_expr(g, tie, actor);
		} else {
			gen_is_set(g, x, place, &no);
			g->top = top;
		}
		g->vars = vars;
	}
	gen_way(g, place, first, way, actor);
	jumps_here(g, &no);
	g->top = mark;
}

/* ---- a clause ---- */

static void gen_parts(struct partner *p, const struct parts *parts)
{
	for (int place = 0; place < 2; place++)
		gen_place(p->g, parts, place, p->first, p->ways);
	p->ways++;
}

/* An alternative that speaks of both acts makes a way of each of its members. */
static void gen_alternatives(struct partner *p, const struct parts *parts)
{
	int or_at = -1;
	for (int i = 0; i < parts->n && or_at < 0; i++) {
		const struct part *x = &parts->part[i];
		bool both = x->node->kind == N_KIND_E_OR;
		for (struct node *n = both ? x->node->a : NULL; n; n = n->next)
			both &= mentions(n, x->names, 0) && mentions(n, x->names, 1);
		or_at = both && node_count(x->node->a) <= WAYS_A_CLAUSE ? i : -1;
	}
	if (or_at < 0) {
		gen_parts(p, parts);
		return;
	}
	for (struct node *n = parts->part[or_at].node->a; n; n = n->next) {
		struct parts one = *parts;
		one.part[or_at] = one.part[--one.n];
		take_apart(p, n, parts->part[or_at].names, 0, &one);
		gen_parts(p, &one);
	}
}

int gen_partners(struct gen *g, const int *clauses, int n)
{
	struct partner p = {.g = g, .walks = arena_array(g->arena, uint8_t, g->m->question.n + 1)};
	const int fn = fn_new(g, "who an act is compared with", g->m->clause.v[clauses[0]].node->span);
	fn_begin(g, fn, 1);
	p.first = regs(g, 2 * PARTNER_WORDS);
	for (int i = 0; i < 2 * PARTNER_WORDS; i++)
		emit_const(g, p.first + i, i % PARTNER_WORDS == PARTNER_WHOSE ? NONE : 0);
	bool left = false; /* clauses too many to be told apart: of them everybody is asked */
	for (int i = 0; i < n; i++) {
		const struct mclause *x = &g->m->clause.v[clauses[i]];
		struct parts parts = {.n = 0};
		p.pooled = 1;
		p.pool[0] = (struct names){g->m, {x->param_name[0], x->param_name[1]}, {0, 1}, 2};
		if (x->when && !x->unless && x->thing < 0)
			take_apart(&p, x->when, &p.pool[0], 0, &parts);
		if (p.ways + WAYS_A_CLAUSE < WAYS_MOST)
			gen_alternatives(&p, &parts);
		else
			left = true;
	}
	if (left)
		gen_parts(&p, &(struct parts){.n = 0});
	emit(g, OP_RET, p.first, 2 * PARTNER_WORDS, 0);
	fn_end(g, 2 * PARTNER_WORDS);
	return fn;
}
