/* gen_choose.c - `X chooses (..)`: who may be chosen, whose answer is taken, and what is told of
 * an answer that may not be. */
#include <string.h>

#include "lang/gen/gen.h"

/* The question that a condition asks, also one that must be answered no; -1: none. */
static int question_of(const struct node *n)
{
	if (n->kind == N_KIND_E_NOT)
		return question_of(n->a);
	bool asks = n->ref_kind == REF_QUESTION || (n->kind == N_KIND_E_IS && n->ref_kind == REF_ADJECTIVE);
	if (n->kind == N_KIND_E_CALL && n->a->ref_kind == REF_QUESTION)
		return n->a->ref;
	return asks ? n->ref : -1;
}

/* The rule that answers a question, as it is cited; the nearest of several. */
static void cite_answer(struct gen *g, int question, struct buf *out)
{
	const struct model *m = g->m;
	int best = -1;
	for (int c = 0; c < m->clause.n && question >= 0; c++) {
		const struct mclause *x = &m->clause.v[c];
		if (x->question == question && x->sort == CLAUSE_DEFINE && x->in_force && x->rule >= 0 && (best < 0 || layer_of(g, c) >= layer_of(g, best)))
			best = c;
	}
	if (best < 0)
		return;
	const struct mrule *r = &m->rule.v[m->clause.v[best].rule];
	const char *shown = m->module.v[r->module].shown, *colon = strstr(r->cite, ": ");
	buf_printf(out, ": %s%s%s", shown, *shown ? ": " : "", model_text(m, r->name));
	if (*r->cite)
		buf_printf(out, " (%.*s)", colon ? (int)(colon - r->cite) : (int)strlen(r->cite), r->cite);
}

/* "Sten may not choose sword as parry: dew: busy weapons (..)" */
static void note_refused(struct gen *g, struct node *n, int who, int answer, int question)
{
	struct template_info t = {g->piece.n, 4, n->span};
	struct template_piece piece[] = {
		{NULL, {VT_LIVE, false, KIND_COMBATANT}, 1},
		{gen_copy(g, " may not choose ", 16), {0}, 0},
		{NULL, vtype_of(g, n->type, false), 1},
		{NULL, {0}, 0},
	};
	struct buf b = {0};
	buf_printf(&b, " as %s", model_text(g->m, g->m->choice.v[n->ref].name));
	cite_answer(g, question, &b);
	piece[3].text = gen_copy(g, buf_text(&b), b.length);
	buf_free(&b);
	for (size_t i = 0; i < FRAY_COUNT(piece); i++)
		VEC_PUSH(g->piece, piece[i]);
	VEC_PUSH(g->template_, t);
	int window = regs(g, 2);
	emit(g, OP_MOVE, window, who, 0);
	emit(g, OP_MOVE, window + 1, answer, 0);
	emit_wide(g, OP_NOTE, window, g->template_.n - 1);
	g->top = window;
}

/* An answer that is no candidate, with the rule behind the first condition it does not meet. */
static void gen_refused(struct gen *g, struct node *n, int who, int answer)
{
	struct node *where = n->b->kind == N_KIND_E_SET ? n->b->c : NULL;
	struct jumps done = {{0}, 0};
	int vars = g->vars;
	if (!g->observed)
		return;
	if (where)
		gen_bind(g, n->b->name, n->type, false, answer);
	struct node *first = where && where->kind == N_KIND_E_AND ? where->a : where;
	for (struct node *x = first; x; x = where && where->kind == N_KIND_E_AND ? x->next : NULL) {
		if (question_of(x) < 0)
			continue;
		struct jumps fails = {{0}, 0};
		gen_unless(g, x, &fails);
		int met = emit_jump(g, OP_JMP, 0);
		jumps_here(g, &fails);
		note_refused(g, n, who, answer, question_of(x));
		jumps_add(g, &done, emit_jump(g, OP_JMP, 0));
		jump_here(g, met);
	}
	note_refused(g, n, who, answer, -1);
	jumps_here(g, &done);
	g->vars = vars;
}

/* Everybody or everything that may be chosen, as a set; -1 when it is a list of templates. */
static int gen_candidates(struct gen *g, struct node *n)
{
	struct node *source, *where;
	sym name;
	if (!type_is(n->type, VT_LIVE))
		return -1;
	struct node *holder = set_holder(g, n->b, &source, &name, &where);
	return gen_members(g, holder, source, name, where);
}

static void gen_first_candidate(struct gen *g, struct node *n, int set, int r)
{
	if (set >= 0) {
		emit_const(g, r, -1);
		emit(g, OP_SNEXT, r, set, 0);
		return;
	}
	struct node *source, *where;
	sym name;
	struct walking w;
	struct node *holder = set_holder(g, n->b, &source, &name, &where);
	struct jumps out = {{0}, 0};
	emit_const(g, r, NONE);
	walk_open(g, &w, holder, source, name, where);
	emit(g, OP_MOVE, r, w.cursor, 0);
	jumps_add(g, &out, emit_jump(g, OP_JMP, 0));
	walk_close(g, &w);
	jumps_here(g, &out);
}

void gen_answered(struct gen *g, int r, int who, int choice, int set, struct jumps *decided)
{
	int answer = answer_fn(g);
	if (answer < 0)
		return;
	int window = regs(g, 5 + g->p->set_words);
	emit(g, OP_MOVE, window + 2, who, 0);
	emit_const(g, window + 3, choice);
	emit_const(g, window + 4, set >= 0);
	if (set >= 0)
		emit(g, OP_SMOVE, window + 5, set, 0);
	else
		emit(g, OP_SNONE, window + 5, 0, 0);
	gen_call(g, answer, window);
	emit(g, OP_MOVE, r, window, 0);
	emit_const(g, who + 1, BY_POLICY);
	int none = emit_jump(g, OP_JNONE, r);
	jumps_add(g, decided, emit_jump(g, OP_JMP, 0));
	jump_here(g, none);
}

int gen_choose(struct gen *g, struct node *n, int dst)
{
	int r = dst >= 0 ? dst : regs(g, 1);
	int mark = g->top;
	int by = regs(g, 3 + g->p->set_words); /* who, decided; who and the candidates for the host */
	int who = by, choice = n->ref, is_none;
	struct jumps done = {{0}, 0};
	gen_expr(g, n->a, who);
	int set = gen_candidates(g, n), in = regs(g, 1);
	int again = here(g);
	emit(g, OP_CHOICE, r, who, choice);
	emit_const(g, by + 1, BY_SCRIPT);
	is_none = emit_jump(g, OP_JNONE, r);
	if (set >= 0) {
		emit(g, OP_SHAS, in, set, r);
		jumps_add(g, &done, emit_jump(g, OP_JNZ, in));
		gen_refused(g, n, who, r);
		jump_back(g, again);
	} else {
		jumps_add(g, &done, emit_jump(g, OP_JMP, 0));
	}
	jump_here(g, is_none);
	gen_answered(g, r, who, choice, set, &done);
	emit_const(g, by + 1, BY_DEFAULT);
	if (n->c)
		gen_expr(g, n->c, r);
	else
		gen_first_candidate(g, n, set, r);
	jumps_here(g, &done);
	emit(g, OP_CHOSEN, r, who, choice);
	g->top = mark;
	return r;
}
