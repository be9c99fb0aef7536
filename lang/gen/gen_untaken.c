/* gen_untaken.c - lines of the script that nobody took: whoever was to do that is told of when
 * their block is over, with what came of it.
 *
 * Only told, never played: a program that nobody observes does without. The fields are those of
 * both. */
#include "lang/gen/gen.h"

enum { BLOCK_IS_OPEN = 1, BLOCK_IS_OVER = 2 }; /* as runtime/vm/chance.c has them */

static bool is_beat(const struct gen *g, const struct node *block)
{
	return block->name == g->m->w.beat;
}

static int field_used(const struct gen *g, const struct node *line)
{
	for (int i = 0; i < g->used.n; i++)
		if (g->used.v[i].node == line)
			return g->used.v[i].field;
	return -1;
}

static bool is_line(const struct node *n)
{
	return n->kind == N_KIND_N_SAY && !n->damaged && n->ref_kind == REF_EVENT && n->ref >= 0;
}

/* Is one of those who are meant somebody by name? */
static bool is_named(const struct node *n)
{
	return n->a && !n->a->next && n->a->ref_kind == REF_LIVE;
}

static bool is_block(const struct node *n)
{
	return n->kind == N_KIND_MOMENT && !n->damaged;
}

/* Calls `f` for each line, with its block, or NULL. */
static void each_line(
	struct gen *g, void (*f)(struct gen *g, struct node *line, struct node *block))
{
	for (struct node *n = g->m->encounter.v[g->encounter].node->a; n; n = n->next) {
		if (is_line(n))
			f(g, n, NULL);
		for (struct node *x = is_block(n) ? n->a : NULL; x; x = x->next)
			if (is_line(x))
				f(g, x, n);
	}
}

static void find_line(struct gen *g, struct node *line, struct node *block)
{
	if (cue_of(line))
		line_used(g, line);
	else if (block && !is_beat(g, block) && !is_named(line))
		g->some_in_groups = true;
	g->some_lines = true;
}

/* Whoever was out before the round began is not meant by "orcs attack Fay". */
static int field_up(struct gen *g)
{
	const struct vtype t = {VT_SET, false, KIND_COMBATANT};
	if (g->up_field < 0)
		g->up_field = hidden_field(g, "up as the round began", KIND_ENCOUNTER, t, g->p->set_words);
	return g->up_field;
}

void gen_lines_begin(struct gen *g)
{
	const int able = model_question_of(g->m, KIND_COMBATANT, model_sym(g->m, "able"), true);
	struct jumps end = {{0}, 0}, next = {{0}, 0};
	if (!g->some_lines)
		each_line(g, find_line);
	g->some_lines |= g->observed; /* there may be some by and by */
	if (!g->some_in_groups || able < 0)
		return;
	const int up = field_up(g);
	if (!g->observed)
		return;
	const int mark = g->top, zero = regs(g, 1), who = regs(g, 1), none = regs(g, g->p->set_words),
			  window = regs(g, 3);
	emit_const(g, zero, 0);
	emit(g, OP_SNONE, none, 0, 0);
	emit(g, OP_STSF, zero, none, up);
	emit_const(g, who, -1);
	const int again = here(g);
	emit_wide(g, OP_KNEXT, who, KIND_COMBATANT);
	jumps_add(g, &end, emit_jump(g, OP_JNONE, who));
	gen_skip_late(g, KIND_COMBATANT, who, &next);
	emit(g, OP_MOVE, window + 2, who, 0);
	gen_question(g, able, window);
	jumps_add(g, &next, emit_jump(g, OP_JZ, window));
	emit(g, OP_ADDS, zero, who, up);
	jumps_here(g, &next);
	jump_back(g, again);
	jumps_here(g, &end);
	g->top = mark;
}

void gen_lines_end(struct gen *g, enum left_why why)
{
	if (!g->some_lines || !g->observed)
		return;
	if (g->fn_untaken < 0)
		g->fn_untaken = fn_new(g, "lines that nobody took", (struct span){0});
	const int mark = g->top, window = regs(g, 3);
	emit_const(g, window + 2, why);
	gen_call(g, g->fn_untaken, window);
	g->top = mark;
}

/* Register 0: LEFT_ROUND, or how the fight came to its end. */
static void gen_unless_over(struct gen *g, struct jumps *skip)
{
	const int mark = g->top, r = regs(g, 1);
	emit_const(g, r, LEFT_ROUND);
	emit(g, OP_EQ, r, r, 0);
	jumps_add(g, skip, emit_jump(g, OP_JNZ, r));
	g->top = mark;
}

/* Lines of a round are told when it ends, of other blocks when those are over, and the rest when
 * the fight is. */
static void gen_when_over(struct gen *g, struct node *block, struct jumps *skip)
{
	const int mark = g->top, r = regs(g, 2);
	struct jumps now = {{0}, 0};
	if (!block || is_beat(g, block)) {
		gen_unless_over(g, skip);
		if (block)
			gen_in_block(g, block, skip);
		g->top = mark;
		return;
	}
	emit_wide(g, OP_BLOCK, r, block->ref);
	if (block->name != g->m->w.round) {
		emit_const(g, r + 1, BLOCK_IS_OVER);
		emit(g, OP_EQ, r + 1, r, r + 1);
		jumps_add(g, &now, emit_jump(g, OP_JNZ, r + 1));
		gen_unless_over(g, skip);
	}
	emit_const(g, r + 1, BLOCK_IS_OPEN);
	emit(g, OP_EQ, r + 1, r, r + 1);
	jumps_add(g, skip, emit_jump(g, OP_JZ, r + 1));
	jumps_here(g, &now);
	g->top = mark;
}

/* What keeps somebody from a turn, by the rules, says why his line was not taken: `told` becomes
 * LEFT_HINDERED and the number of that text. At the end of the fight or the script that is the
 * reason. */
static void gen_hindrance(struct gen *g, int who, int told)
{
	const int question = model_question_of(g->m, KIND_COMBATANT, g->m->w.hindrance, false);
	if (question < 0 || !type_is(g->m->question.v[question].type, VT_TEXT))
		return;
	const int mark = g->top, r = regs(g, 1), window = regs(g, 3);
	struct jumps skip = {{0}, 0};
	emit_const(g, r, LEFT_ROUND);
	emit(g, OP_EQ, r, r, told);
	jumps_add(g, &skip, emit_jump(g, OP_JZ, r));
	emit(g, OP_MOVE, window + 2, who, 0);
	gen_question(g, question, window);
	jumps_add(g, &skip, emit_jump(g, OP_JNONE, window));
	emit_const(g, r, LEFT_HINDERED);
	emit(g, OP_ADD, told, r, window);
	jumps_here(g, &skip);
	g->top = mark;
}

/* The condition of a line, as it is told when it kept the line back: "Ben is down" did not hold on
 * any turn. For UNTAKEN. */
static int condition_text(struct gen *g, const struct node *n)
{
	size_t length;
	if (!n->c)
		return 0;
	const char *said = sources_text(g->m->front->sources, n->c->span, &length);
	struct buf b = {0};
	buf_printf(&b, "\"%.*s\" %s", (int)length, said,
		n->num == 1 ? "held on every turn" : "did not hold on any turn");
	const int text = text_index(g, arena_text(g->m->arena, buf_text(&b), b.length));
	buf_free(&b);
	return UNTAKEN_TEXT * (text + 1);
}

static void gen_untaken_line(struct gen *g, struct node *n, struct node *block)
{
	const int mark = g->top, used = field_used(g, n);
	const bool group = block && !is_beat(g, block) && !cue_of(n) && !is_named(n);
	struct jumps skip = {{0}, 0}, end = {{0}, 0}, next = {{0}, 0};
	if (used < 0) /* these rules never ask for it: that is told of the script */
		return;
	const struct span span = g->span;
	const int who = regs(g, 1), set = regs(g, g->p->set_words + 2), zero = set + g->p->set_words;
	g->span = n->span; /* by which lang/api/untaken.c knows whose line it was */
	gen_when_over(g, block, &skip);
	emit_const(g, who, -1);
	const int again = here(g);
	emit_wide(g, OP_KNEXT, who, KIND_COMBATANT);
	jumps_add(g, &end, emit_jump(g, OP_JNONE, who));
	gen_skip_late(g, KIND_COMBATANT, who, &next);
	gen_is_subject(g, n->a, who, &next);
	gen_unless_used(g, set, who, used, &next);
	if (group && g->up_field >= 0) {
		emit(g, OP_LDSF, set, zero, g->up_field);
		emit(g, OP_SHAS, set, set, who);
		jumps_add(g, &next, emit_jump(g, OP_JZ, set));
	}
	for (struct node *x = n; x; x = x->f) { /* and what comes after a `then` */
		const int top = g->top, act = gen_told_line(g, x, who), told = regs(g, 1),
			  line = regs(g, 1);
		emit(g, OP_MOVE, told, 0, 0);
		if (cue_of(n)) {
			emit(g, OP_CANCEL, act, 2, 0);
		} else {
			gen_hindrance(g, who, told);
			emit_const(
				g, line, (is_named(n) ? UNTAKEN_NAMED : 0) + condition_text(g, n));
			emit(g, OP_UNTAKEN, act, told, line);
		}
		emit(g, OP_FREE, act, 0, 0);
		if (!cue_of(n))
			jumps_add(g, &next, emit_jump(g, OP_JZ, told));
		g->top = top;
	}
	emit(g, OP_ADDS, zero, who, used); /* told once: the round and the fight may be over together */
	jumps_here(g, &next);
	jump_back(g, again);
	jumps_here(g, &end);
	jumps_here(g, &skip);
	g->span = span;
	g->top = mark;
}

void gen_untaken_fn(struct gen *g)
{
	fn_begin(g, g->fn_untaken, 1);
	each_line(g, gen_untaken_line);
	emit(g, OP_RET, 0, 0, 0);
	fn_end(g, 0);
}
