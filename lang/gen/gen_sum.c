/* gen_sum.c - what a sum is made of, and what a condition compares, for the log of an observed run.
 *
 *   if attack roll + to-hit (attacker, target, weapon) >= number to hit (attacker, target) { .. }
 *
 * An expression is taken apart into parts, from the left: each is added to, taken from, or multiplied with what
 * stands before it. While the expression is worked out each part is copied to a window of registers as it comes
 * by, and OP_SUM writes them all down. A template says what they are: a text in front of each value, whose first
 * letter is how it counts:
 *   =name  (no value) what it is called: a local name, a role, a field      ?  (no value) a condition
 *   + - * /  a part           ^  the sum is at least this    v  at most     r0 r1 r2  (no value) rounded up, down, nearest
 *   T  the total of the parts before      C<op>  the same, and it is compared so with what follows     Y  does it hold?
 * Nothing of this is in a program that is not observed. */
#include <string.h>

#include "lang/gen/gen.h"

enum { PARTS_MOST = 12 };

struct sum {
	struct gen *g;
	VEC(struct template_piece) piece;
	struct { const struct node *node; } value[PARTS_MOST * 2 + 4];
	int values;
	int parts;      /* of the side in hand */
	bool failed;
};

static void put_text(struct sum *s, const char *mark, const char *text)
{
	struct buf b = {0};
	buf_printf(&b, "%s%s", mark, text);
	struct template_piece piece = {gen_copy(s->g, b.data, b.length), {0}, 0};
	VEC_PUSH(s->piece, piece);
	buf_free(&b);
}

static void put_value(struct sum *s, const struct node *n, struct vtype type)
{
	struct template_piece piece = {NULL, type, 1};
	VEC_PUSH(s->piece, piece);
	s->value[s->values++].node = n;
}

static void leaf(struct sum *s, const struct node *n, const char *mark)
{
	if (s->parts >= PARTS_MOST) {
		s->failed = true;
		return;
	}
	s->parts++;
	bool constant = n->kind == N_KIND_E_NUM || n->kind == N_KIND_E_QTY;
	put_text(s, mark, constant ? "" : gen_excerpt(s->g, n->span));
	put_value(s, n, vtype_of(s->g, n->type, n->frac));
}

static bool simple(const struct node *n)
{
	return !(n->kind == N_KIND_E_BINARY || n->kind == N_KIND_E_FOLD || n->kind == N_KIND_E_ROUND || n->kind == N_KIND_E_NEG);
}

static void flatten(struct sum *s, const struct node *n, bool minus)
{
	const bool first = s->parts == 0 && !minus;
	if (!type_number(n->type)) {
		s->failed = true;
		return;
	}
	if (n->kind == N_KIND_E_BINARY && (n->op == BIN_ADD || n->op == BIN_SUB)) {
		flatten(s, n->a, minus);
		flatten(s, n->b, minus != (n->op == BIN_SUB));
	} else if (n->kind == N_KIND_E_NEG) {
		flatten(s, n->a, !minus);
	} else if (first && n->kind == N_KIND_E_BINARY && (n->op == BIN_MUL || n->op == BIN_DIV)) {
		bool turn = n->op == BIN_MUL && ((simple(n->a) && !simple(n->b)) || (n->a->kind != N_KIND_E_NAME && n->b->kind == N_KIND_E_NAME));
		flatten(s, turn ? n->b : n->a, false);
		leaf(s, turn ? n->a : n->b, n->op == BIN_MUL ? "*" : "/");
	} else if (first && n->kind == N_KIND_E_FOLD && n->op != FOLD_TOTAL && !n->b && n->a && n->a->next && !n->a->next->next) {
		bool turn = simple(n->a) && !simple(n->a->next);
		flatten(s, turn ? n->a->next : n->a, false);
		leaf(s, turn ? n->a : n->a->next, n->op == FOLD_HIGHEST ? "^" : "v");
	} else if (first && n->kind == N_KIND_E_ROUND && n->a->frac) {
		static const char *const how[] = {"r0", "r1", "r2"};
		flatten(s, n->a, false);
		put_text(s, how[n->op], "");
	} else {
		leaf(s, n, minus ? "-" : "+");
	}
}

/* Makes the template, and has its values watched for. */
static void watch(struct sum *s, const struct node *whole)
{
	struct gen *g = s->g;
	int window = regs(g, s->values), first = g->piece.n;
	for (int i = 0; i < s->piece.n; i++)
		VEC_PUSH(g->piece, s->piece.v[i]);
	struct template_info t = {first, g->piece.n - first, whole->span};
	VEC_PUSH(g->template_, t);
	for (int i = 0; i < s->values; i++) {
		bool last = i == s->values - 1;
		struct summed one = {s->value[i].node, window + i, window, last ? g->template_.n - 1 : -1};
		VEC_PUSH(g->summed, one);
	}
}

void gen_sum(struct gen *g, const struct node *n, const char *name)
{
	struct sum s = {.g = g};
	if (!g->observed || !n || !n->type || !type_number(n->type) || simple(n))
		return;
	put_text(&s, "=", name);
	flatten(&s, n, false);
	put_text(&s, "T", "");
	put_value(&s, n, vtype_of(g, n->type, n->frac));
	if (!s.failed && s.parts > 1)
		watch(&s, n);
	VEC_FREE(s.piece);
}

static bool constant(const struct node *n)
{
	return n->kind == N_KIND_E_NUM || n->kind == N_KIND_E_QTY || n->kind == N_KIND_E_OPTION || n->kind == N_KIND_E_PERCENT || n->kind == N_KIND_E_CHANCE;
}

static bool compares(const struct node *n)
{
	return n->kind == N_KIND_E_BINARY && n->op >= BIN_EQ && n->a->type && n->b->type && type_number(n->a->type) && type_number(n->b->type) &&
		!(constant(n->a) && constant(n->b));
}

static void compared(struct gen *g, const struct node *n)
{
	static const char *const how[] = {[BIN_EQ] = "C=", [BIN_NE] = "C<>", [BIN_LT] = "C<", [BIN_GT] = "C>", [BIN_LE] = "C<=", [BIN_GE] = "C>="};
	struct sum s = {.g = g};
	put_text(&s, "?", "");
	flatten(&s, n->a, false);
	put_text(&s, how[n->op], "");
	put_value(&s, n->a, vtype_of(g, n->a->type, n->a->frac));
	s.parts = 0;
	flatten(&s, n->b, false);
	put_text(&s, "T", "");
	put_value(&s, n->b, vtype_of(g, n->b->type, n->b->frac));
	put_text(&s, "Y", "");
	put_value(&s, n, (struct vtype){.base = VT_BOOL});
	if (!s.failed)
		watch(&s, n);
	VEC_FREE(s.piece);
}

void gen_compared(struct gen *g, const struct node *n)
{
	if (!g->observed || !n)
		return;
	if (n->kind == N_KIND_E_AND || n->kind == N_KIND_E_OR) {
		for (const struct node *x = n->a; x; x = x->next)
			gen_compared(g, x);
	} else if (n->kind == N_KIND_E_NOT) {
		gen_compared(g, n->a);
	} else if (compares(n)) {
		compared(g, n);
	}
}

/* "one's reach > other's reach": the same number of two, weighed against each other. */
static bool weighs(const struct node *n)
{
	return compares(n) && n->a->kind == N_KIND_E_FIELD && n->b->kind == N_KIND_E_FIELD && n->a->name == n->b->name;
}

void gen_weighed(struct gen *g, const struct node *n)
{
	if (!g->observed || !n)
		return;
	if (n->kind == N_KIND_E_AND || n->kind == N_KIND_E_OR) {
		for (const struct node *x = n->a; x; x = x->next)
			gen_weighed(g, x);
	} else if (weighs(n)) {
		compared(g, n);
	}
}

void gen_came_by(struct gen *g, const struct node *n, int r)
{
	for (int i = 0; i < g->summed.n; i++) {
		const struct summed x = g->summed.v[i];
		if (x.node != n)
			continue;
		emit(g, OP_MOVE, x.at, r, 0);
		if (x.text >= 0)
			emit_wide(g, OP_SUM, x.window, x.text);
	}
}
