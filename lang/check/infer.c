/* infer.c - types of expressions, found by use.
 *
 * Inference runs over all bodies again and again until a pass learns nothing; then once more
 * with m->reporting set, when whatever is still unknown or does not fit is said. A pass
 * writes what a name turned out to be into the node, so the linker need not look again. */
#include <string.h>

#include "lang/check/infer.h"
#include "runtime/base/num.h"
#include "runtime/dice/formula.h"

void scope_init(struct scope *s, struct model *m)
{
	memset(s, 0, offsetof(struct scope, var));
	s->m = m;
	s->thing = s->event = s->clause = s->question = -1;
}

bool scope_push(struct scope *s, sym name, struct type *type, bool frac, struct span at)
{
	if (s->vars == (int)FRAY_COUNT(s->var)) {
		if (!s->full)
			model_report(s->m, M_MANY_NAMES, at, 0);
		s->full = true;
		return false;
	}
	struct var v = {name, type, frac, -1, -1};
	s->var[s->vars++] = v;
	return true;
}

struct var *scope_find(struct scope *s, sym name)
{
	for (int i = s->vars; i-- > 0;)
		if (s->var[i].name == name)
			return &s->var[i];
	return NULL;
}

bool type_fits(struct model *m, struct type *want, struct type *given)
{
	want = type_find(want);
	given = type_find(given);
	if (want->base == VT_SET && given->base == VT_LIVE) {
		struct type *elem = type_find(want->elem);
		if (elem->base == VT_UNKNOWN)
			return true;
		if (given->kind == KIND_SIDE && elem->kind == KIND_COMBATANT)
			return true;
		return kind_root(m, given->kind) == kind_root(m, elem->kind);
	}
	return type_unify(m, want, given);
}

struct type *node_type(struct scope *s, struct node *n)
{
	if (!n->type)
		n->type = type_var(s->m);
	return n->type;
}

static struct type *settle(struct scope *s, struct node *n, struct type *t)
{
	node_type(s, n);
	if (!type_unify(s->m, n->type, t))
		n->type = t;
	return n->type;
}

/* weapon = "longsword": a thing is called by its name, without quotes. */
static bool report_named_in_text(struct model *m, struct span at, struct type *a, struct type *b)
{
	a = type_find(a);
	b = type_find(b);
	size_t length;
	const char *text = sources_text(m->front->sources, at, &length);
	const char *open = memchr(text, '"', length);
	const char *shut = open ? memchr(open + 1, '"', (size_t)(text + length - open - 1)) : NULL;
	if (!shut || b->base != VT_TEXT || (a->base != VT_THING && a->base != VT_LIVE))
		return false;
	VEC(const char *) names = {0};
	struct buf said = {0}, line = {0}, whole = {0};
	buf_add(&said, open + 1, (size_t)(shut - open - 1));
	for (int i = 0; i < m->thing.n; i++)
		VEC_PUSH(names, model_text(m, m->thing.v[i].name));
	const char *best = a->base == VT_THING ? diag_nearest(buf_text(&said), names.v, names.n) : NULL;
	size_t left = (size_t)(open - text);
	while (left && strchr(" =", text[left - 1]))
		left--;
	left -= left > 3 && !strncmp(text + left - 3, " is", 3) ? 3 : 0;
	buf_printf(&line, "%.*s is %s", (int)left, text, best ? best : buf_text(&said));
	buf_add(&whole, text, length);
	model_report(m, M_SAID_OTHERWISE, at, 2, buf_text(&whole), buf_text(&line));
	buf_free(&said);
	buf_free(&line);
	buf_free(&whole);
	VEC_FREE(names);
	return true;
}

void report_mismatch(struct scope *s, struct span at, struct type *a, struct type *b)
{
	if (!s->m->reporting)
		return;
	struct buf x = {0}, y = {0};
	type_print(s->m, a, &x);
	type_print(s->m, b, &y);
	if (!report_named_in_text(s->m, at, a, b))
		model_report(s->m, M_NOT_COMPARED, at, 2, buf_text(&x), buf_text(&y));
	buf_free(&x);
	buf_free(&y);
}

/* The round where a number is wanted - round >= 3, average round - is its number. */
struct node *round_number(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	if (n->kind != N_KIND_E_NAME || (n->name != m->w.round && n->name != m->w.rounds) || scope_find(s, n->name))
		return n;
	n->name = m->w.round;
	struct node *number = node_new(m->arena, N_KIND_E_FIELD, n->span);
	number->a = n;
	number->name = m->w.number;
	number->at = n->span;
	return number;
}

static bool is_rounds(const struct model *m, const struct node *n)
{
	return (n->kind == N_KIND_E_MOMENT || n->kind == N_KIND_E_QTY) && (n->name == m->w.round || n->name == m->w.rounds);
}

static bool is_round_number(const struct model *m, const struct node *n)
{
	return n->kind == N_KIND_E_FIELD && n->name == m->w.number && n->a->kind == N_KIND_E_NAME && n->a->name == m->w.round;
}

/* "round >= round 3", "round >= 3 rounds", or "round 3" alone: `rounds` is the count of them. */
static bool report_rounds(struct model *m, const struct node *n, const struct node *rounds)
{
	size_t length, after;
	const char *text = sources_text(m->front->sources, n->span, &length);
	const char *counted = sources_text(m->front->sources, rounds->span, &after);
	if (rounds->den > 1)
		return false;
	struct buf line = {0};
	if (rounds == n)
		buf_puts(&line, "round >= ");
	else
		buf_add(&line, text, (size_t)(counted - text));
	buf_printf(&line, "%lld", (long long)rounds->num);
	if (rounds != n)
		buf_add(&line, counted + after, length - after - (size_t)(counted - text));
	model_report(m, M_ROUND_NUMBER, n->span, 1, buf_text(&line));
	buf_free(&line);
	return true;
}

/* Somebody, or several, where there should be a number. */
static bool several(struct type *t)
{
	return t->base == VT_SET || t->base == VT_LIST || (t->base == VT_LIVE && t->kind == KIND_SIDE);
}

static bool somebody(struct type *t)
{
	return t->base == VT_LIVE || t->base == VT_THING || several(t);
}

static void report_no_number(struct model *m, const struct node *n, struct type *t)
{
	size_t length;
	const char *text = sources_text(m->front->sources, n->span, &length);
	struct buf kind = {0}, line = {0};
	type_print(m, t, &kind);
	buf_printf(&line, several(t) ? "count (%.*s)" : t->base == VT_LIVE && t->kind == KIND_COMBATANT ? "%.*s's hit points" : "%.*s's ..", (int)length, text);
	model_report(m, M_NOT_A_NUMBER, n->span, 2, buf_text(&kind), buf_text(&line));
	buf_free(&kind);
	buf_free(&line);
}

void report_sides(struct scope *s, const struct node *n, struct type *a, struct type *b)
{
	struct model *m = s->m;
	if (!m->reporting)
		return;
	if ((is_round_number(m, n->a) && is_rounds(m, n->b) && report_rounds(m, n, n->b)) ||
	    (is_round_number(m, n->b) && is_rounds(m, n->a) && report_rounds(m, n, n->a)))
		return;
	if (type_is(a, VT_DICE) || type_is(b, VT_DICE))
		model_report(m, M_DICE_NO_NUMBER, type_is(a, VT_DICE) ? n->a->span : n->b->span, 0);
	else if ((somebody(a) && type_number(b)) || (somebody(b) && type_number(a)))
		report_no_number(m, somebody(a) ? n->a : n->b, somebody(a) ? a : b);
	else if (!report_unit_of(s, n, a, b))
		report_mismatch(s, n->span, a, b);
}

void report_types(
	struct model *m, enum message id, struct span at, struct type *want, struct type *given)
{
	struct buf x = {0}, y = {0};
	type_print(m, want, &x);
	type_print(m, given, &y);
	model_report(m, id, at, 2, buf_text(&x), buf_text(&y));
	buf_free(&x);
	buf_free(&y);
}

/* Reports `id` if `n` is not of type `want`. */
void want_type(struct scope *s, struct node *n, struct type *want, enum message id)
{
	struct type *t = infer(s, n, want);
	if (type_fits(s->m, want, t) || !s->m->reporting)
		return;
	if (id == M_NOT_YES_NO && is_rounds(s->m, n) && report_rounds(s->m, n, n))
		return;
	if (id == M_NOT_YES_NO && n->kind == N_KIND_E_MOMENT) {
		report_time_asked(s, n);
		return;
	}
	if (id == M_ARGUMENT_TYPE && report_argument(s, n, want, t))
		return;
	report_types(s->m, id, n->span, want, t);
}

struct type *bool_type(struct scope *s)
{
	return type_new(s->m, VT_BOOL, -1);
}

struct type *number_type(struct scope *s)
{
	return type_new(s->m, VT_NUMBER, -1);
}

struct type *live_type(struct scope *s, int kind)
{
	return type_new(s->m, VT_LIVE, kind);
}

static struct type *infer_arith(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	n->a = round_number(s, n->a);
	n->b = round_number(s, n->b);
	struct type *a = type_find(infer(s, n->a, NULL));
	struct type *b = type_find(infer(s, n->b, NULL));
	n->frac = n->a->frac || n->b->frac;
	bool chances = a->base == VT_CHANCE || b->base == VT_CHANCE;
	if (n->op == BIN_DIV)
		n->frac = true;
	if (n->op == BIN_MUL || n->op == BIN_DIV) {
		if (a->base == VT_UNKNOWN || b->base == VT_UNKNOWN) {
			if (m->pass > 4 && b->base == VT_UNKNOWN)
				type_unify(m, b, number_type(s));
			return a->base != VT_UNKNOWN && a->base != VT_NUMBER ? a : node_type(s, n);
		}
		if (!type_number(a) || !type_number(b)) {
			report_sides(s, n, a, b);
			return number_type(s);
		}
		if (n->op == BIN_DIV && a->base == b->base)
			return chances ? type_new(m, VT_CHANCE, -1) : number_type(s);
		if (b->base == VT_NUMBER || b->base == VT_CHANCE)
			return a;
		if (n->op == BIN_MUL && (a->base == VT_NUMBER || a->base == VT_CHANCE))
			return b;
		if (m->reporting && !report_part_of(s, n, a, b))
			report_mismatch(s, n->span, a, b);
		return number_type(s);
	}
	if ((a->base == VT_CHANCE && b->base == VT_NUMBER) || (a->base == VT_NUMBER && b->base == VT_CHANCE))
		return type_new(m, VT_CHANCE, -1);
	if (!type_unify(m, a, b) || (a->base != VT_UNKNOWN && !type_number(a))) {
		report_sides(s, n, a, b);
		return number_type(s);
	}
	return type_find(a);
}

static struct type *infer_compare(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	struct type *a, *b;
	n->a = round_number(s, n->a);
	n->b = round_number(s, n->b);
	if (n->a->kind == N_KIND_E_NAME && n->b->kind != N_KIND_E_NAME) {
		b = type_find(infer(s, n->b, NULL));
		a = type_find(infer(s, n->a, b));
	} else {
		a = type_find(infer(s, n->a, NULL));
		b = type_find(infer(s, n->b, a));
	}
	if (report_list_whole(s, n->a) || report_list_whole(s, n->b))
		return bool_type(s);
	bool mixed = (a->base == VT_CHANCE && b->base == VT_NUMBER) || (b->base == VT_CHANCE && a->base == VT_NUMBER);
	bool ordered = n->op >= BIN_LT;
	if (mixed) {
		report_share(s, n);
		return bool_type(s);
	}
	if (!type_unify(m, a, b)) {
		if (m->reporting) {
			if ((type_is(a, VT_SCALE) && type_is(b, VT_DISTANCE)) || (type_is(b, VT_SCALE) && type_is(a, VT_DISTANCE))) {
				struct node *scale = type_is(a, VT_SCALE) ? n->a : n->b;
				size_t length;
				const char *text = sources_text(m->front->sources, scale->span, &length);
				struct diag d = diag_make(M_SCALE_AND_FEET, scale->span);
				struct buf line = {0};
				buf_printf(&line, "%.*s as feet", (int)length, text);
				diag_arg(&d, buf_text(&line));
				diag_line(&d, "The encounter's scale says how many feet an inch is.");
				model_send(m, &d);
				buf_free(&line);
			} else {
				report_sides(s, n, a, b);
			}
		}
		return bool_type(s);
	}
	a = type_find(a);
	if (ordered && m->reporting && a->base != VT_UNKNOWN && !type_number(a) && a->base != VT_TEXT && a->base != VT_WORD) {
		if (a->base == VT_DICE)
			model_report(m, M_DICE_NO_NUMBER, n->a->span, 0);
		else
			report_mismatch(s, n->span, a, b);
	}
	return bool_type(s);
}

static struct type *infer_as(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	struct type *t = type_find(infer(s, n->a, NULL));
	n->frac = n->a->frac;
	if (n->name == m->w.number) {
		if (t->base == VT_TIME || t->base == VT_DISTANCE || t->base == VT_SCALE)
			n->frac = true;
		return number_type(s);
	}
	if (n->name == m->w.percent) {
		n->frac = true;
		return number_type(s);
	}
	int unit = model_unit(m, n->name);
	if (unit < 0) {
		report_no_unit(m, n->at, n->name);
		return node_type(s, n);
	}
	const struct munit *u = &m->unit.v[unit];
	if (t->base == VT_UNKNOWN)
		type_unify(m, t, number_type(s));
	else if (t->base == VT_SCALE && u->base == VT_DISTANCE) {
		n->frac = true;
	} else if (t->base != VT_NUMBER && t->base != u->base && m->reporting) {
		struct buf b = {0};
		type_print(m, t, &b);
		model_report(m, M_NOT_AS, n->span, 2, buf_text(&b), model_text(m, n->name));
		buf_free(&b);
	}
	if (u->den != 1)
		n->frac = true;
	return type_new(m, u->base, u->base == VT_COUNT ? unit : -1);
}

static struct type *infer_kept(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	n->ref_kind = REF_KEPT;
	for (int i = 0; i < m->kept.n; i++)
		if (m->kept.v[i].name == n->name) {
			n->ref = i;
			n->frac = m->kept.v[i].frac;
			if (m->reporting) {
				bool somewhere = false;
				for (int e = 0; e < m->event.n && !somewhere; e++)
					for (int k = 0; k < m->event.v[e].slot.n; k++)
						somewhere |= m->event.v[e].slot.v[k].name == n->name;
				if (!somewhere)
					report_nothing_kept(m, n);
			}
			return m->kept.v[i].type;
		}
	struct mkept kept = {n->name, type_var(m), false};
	VEC_PUSH(m->kept, kept);
	n->ref = m->kept.n - 1;
	m->changed = true;
	return kept.type;
}

static int choice_named(const struct scope *s, sym name, struct type *type)
{
	struct model *m = s->m;
	model_draws(m, name, s->clause, true);
	for (int i = 0; i < m->choice.n; i++)
		if (m->choice.v[i].name == name) {
			type_unify(m, m->choice.v[i].type, type);
			return i;
		}
	struct mchoice c = {name, type};
	VEC_PUSH(m->choice, c);
	m->changed = true;
	return m->choice.n - 1;
}

/* What the die is called that picks one of several. */
static sym random_label(struct scope *s, const struct node *n)
{
	struct intern *names = s->m->front->names;
	if (n->text)
		return intern_word(names, n->text);
	if (!s->draws)
		return s->label;
	struct buf b = {0};
	buf_printf(&b, "random %s", n->a->kind == N_KIND_E_SET ? model_text(s->m, n->a->name) : "choice");
	sym name = intern_put(names, b.data, b.length);
	buf_free(&b);
	return name;
}

/* Fractions have two halves of 32 bits. */
static void fits_fraction(struct model *m, const struct node *n, int64_t bottom)
{
	bool bad = false;
	if (bottom != 1)
		frac_make(n->num, bottom, &bad);
	if (bad)
		model_report(m, M_NUMBER_TOO_BIG, n->span, 0);
}

struct type *infer(struct scope *s, struct node *n, struct type *expected)
{
	struct model *m = s->m;
	struct type *t;
	int vars = s->vars;
	node_type(s, n);
	switch (n->kind) {
	case N_KIND_E_NUM:
		n->frac = n->den != 1;
		fits_fraction(m, n, n->den);
		return settle(s, n, number_type(s));
	case N_KIND_E_QTY: {
		int unit = model_unit(m, n->name);
		if (unit < 0) {
			report_no_unit(m, n->at, n->name);
			return n->type;
		}
		const struct munit *u = &m->unit.v[unit];
		n->ref = unit;
		bool bad = false;
		int64_t top = num_mul(u->num, n->num, &bad), bottom = num_mul(u->den, n->den, &bad);
		n->frac = !bad && top % bottom != 0;
		if (n->frac)
			frac_make(top, bottom, &bad);
		if (bad)
			model_report(m, M_NUMBER_TOO_BIG, n->span, 0);
		return settle(s, n, type_new(m, u->base, u->base == VT_COUNT ? unit : -1));
	}
	case N_KIND_E_DICE:
		return settle(s, n, type_new(m, VT_DICE, -1));
	case N_KIND_E_PERCENT:
	case N_KIND_E_CHANCE:
		n->frac = true;
		fits_fraction(m, n, n->kind == N_KIND_E_PERCENT && n->den <= INT64_MAX / 100 ? n->den * 100 : n->den);
		return settle(s, n, type_new(m, VT_CHANCE, -1));
	case N_KIND_E_TEXT:
		report_braces(m, n->span, n->text);
		if (expected && type_is(expected, VT_WORD)) {
			n->ref_kind = REF_WORD;
			return settle(s, n, expected);
		}
		if (expected && type_is(expected, VT_THING)) {
			int thing = model_thing_at(m, n->span, intern_word(m->front->names, n->text), -1);
			if (thing >= 0) {
				n->ref_kind = REF_THING;
				n->ref = thing;
				return settle(s, n, type_new(m, VT_THING, m->thing.v[thing].kind));
			}
		}
		return settle(s, n, type_new(m, VT_TEXT, -1));
	case N_KIND_E_MOMENT: {
		int unit = model_unit(m, n->name);
		if (!moment_known(m, n) && !(expected && type_is(expected, VT_BOOL)))
			report_no_moment(m, n, NULL);
		bool bad = false;
		if (unit >= 0)
			num_mul(m->unit.v[unit].num, n->num, &bad);
		if (bad)
			model_report(m, M_NUMBER_TOO_BIG, n->span, 0);
		n->ref = unit;
		return settle(s, n, type_new(m, unit >= 0 && m->unit.v[unit].base == VT_COUNT ? VT_COUNT : VT_TIME, unit >= 0 && m->unit.v[unit].base == VT_COUNT ? unit : -1));
	}
	case N_KIND_E_YES:
	case N_KIND_E_NO:
		return settle(s, n, bool_type(s));
	case N_KIND_E_NONE:
		if (expected)
			settle(s, n, expected);
		return n->type;
	case N_KIND_E_NAME:
		t = infer_name(s, n, expected);
		return settle(s, n, t);
	case N_KIND_E_FIELD:
		t = infer_field(s, n);
		return settle(s, n, t);
	case N_KIND_E_CALL:
		t = infer_call(s, n);
		return settle(s, n, t);
	case N_KIND_E_ROLL:
		if (s->pure)
			model_report(m, M_ROLL_IN_PURE, n->span, 0);
		t = type_find(infer(s, n->a, NULL));
		if (n->b)
			infer(s, n->b, live_type(s, KIND_COMBATANT));
		n->name = n->text ? intern_word(m->front->names, n->text) : s->label;
		n->num = s->label_of_place;
		if (m->reporting)
			model_draws(m, n->name, s->clause, false), label_rolled(s, n);
		if (t->base == VT_CHANCE)
			return settle(s, n, bool_type(s));
		if (t->base == VT_UNKNOWN)
			type_unify(m, t, type_new(m, VT_DICE, -1));
		else if (t->base != VT_DICE && m->reporting) {
			struct buf b = {0};
			type_print(m, t, &b);
			model_report(m, M_ROLL_WHAT, n->a->span, 1, buf_text(&b));
			buf_free(&b);
		}
		return settle(s, n, number_type(s));
	case N_KIND_E_SET:
		t = open_set(s, n);
		s->vars = vars;
		return settle(s, n, type_set(m, t));
	case N_KIND_E_AGG:
		open_set(s, n->a);
		s->vars = vars;
		return settle(s, n, n->op == AGG_COUNT ? number_type(s) : bool_type(s));
	case N_KIND_E_PICK:
		t = open_set(s, n->a);
		if (n->b) {
			infer(s, n->b->kind == N_KIND_KEY ? n->b->a : n->b, NULL);
		}
		s->vars = vars;
		return settle(s, n, t);
	case N_KIND_E_RANDOM:
		if (s->pure && !s->draws)
			model_report(m, M_ROLL_IN_PURE, n->span, 0);
		n->name = random_label(s, n);
		model_label(m, n->name);
		model_draws(m, n->name, s->clause, false);
		t = open_set(s, n->a);
		s->vars = vars;
		return settle(s, n, t);
	case N_KIND_E_FOLD:
		if (n->b) {
			open_set(s, n->b);
			t = infer(s, n->a, NULL);
			n->frac = n->a->frac;
			s->vars = vars;
		} else {
			t = infer(s, n->a, NULL);
			n->frac = n->a->frac;
			for (struct node *x = n->a->next; x; x = x->next) {
				struct type *u = infer(s, x, t);
				n->frac |= x->frac;
				if (!type_unify(m, t, u))
					report_mismatch(s, x->span, t, u);
			}
		}
		if (!type_is(t, VT_UNKNOWN) && !type_number(t))
			report_mismatch(s, n->a->span, number_type(s), t);
		return settle(s, n, t);
	case N_KIND_E_BINARY:
		t = n->op <= BIN_DIV ? infer_arith(s, n) : infer_compare(s, n);
		return settle(s, n, t);
	case N_KIND_E_AND: {
		/* "item is weapon and item's range > 10 ft": what is said first holds of what follows */
		struct type *was[FRAY_COUNT(s->var)];
		for (int i = 0; i < s->vars; i++)
			was[i] = s->var[i].type;
		for (struct node *x = n->a; x; x = x->next) {
			want_type(s, x, bool_type(s), M_NOT_YES_NO);
			struct var *v = x->kind == N_KIND_E_IS && x->a->kind == N_KIND_E_NAME ? scope_find(s, x->a->name) : NULL;
			if (v)
				v->type = narrowed(m, v->type, v->name, x);
		}
		for (int i = 0; i < s->vars; i++)
			s->var[i].type = was[i];
		return settle(s, n, bool_type(s));
	}
	case N_KIND_E_OR:
		for (struct node *x = n->a; x; x = x->next)
			want_type(s, x, bool_type(s), M_NOT_YES_NO);
		return settle(s, n, bool_type(s));
	case N_KIND_E_NOT:
		want_type(s, n->a, bool_type(s), M_NOT_YES_NO);
		return settle(s, n, bool_type(s));
	case N_KIND_E_NEG:
		t = infer(s, n->a, expected);
		n->frac = n->a->frac;
		if (!type_is(t, VT_UNKNOWN) && !type_number(t)) {
			if (type_is(t, VT_DICE))
				model_report(m, M_DICE_NO_NUMBER, n->a->span, 0);
			else
				report_mismatch(s, n->span, number_type(s), t);
		}
		return settle(s, n, t);
	case N_KIND_E_IS:
		return settle(s, n, infer_is(s, n));
	case N_KIND_E_HAS:
		return settle(s, n, infer_has(s, n));
	case N_KIND_E_IN:
		if (n->c)
			n->a = round_number(s, n->a);
		t = infer(s, n->a, NULL);
		if (n->c) {
			struct type *from = infer(s, n->b, t), *to = infer(s, n->c, t);
			if (!type_unify(m, t, from) || !type_unify(m, t, to))
				report_mismatch(s, n->span, t, from);
		} else {
			struct type *set = type_find(infer(s, n->b, NULL));
			if (set->base == VT_SET || set->base == VT_LIST) {
				if (!type_unify(m, set->elem, t))
					report_mismatch(s, n->span, set->elem, t);
			} else if (set->base == VT_LIVE && set->kind == KIND_SIDE) {
				type_unify(m, t, live_type(s, KIND_COMBATANT));
			} else if (set->base != VT_UNKNOWN && n->a->ref_kind != REF_UNKNOWN && m->reporting) {
				struct buf b = {0};
				type_print(m, set, &b);
				model_report(m, M_NO_SET, n->b->span, 1, buf_text(&b));
				buf_free(&b);
			}
		}
		return settle(s, n, bool_type(s));
	case N_KIND_E_IF:
		want_type(s, n->a, bool_type(s), M_NOT_YES_NO);
		t = infer(s, n->b, expected);
		report_list_whole(s, n->b);
		{
			struct type *u = infer(s, n->c, t);
			if (!type_unify(m, t, u))
				report_mismatch(s, n->span, t, u);
		}
		n->frac = n->b->frac || n->c->frac;
		return settle(s, n, t);
	case N_KIND_E_AS:
		return settle(s, n, infer_as(s, n));
	case N_KIND_E_ROUND:
		t = infer(s, n->a, expected);
		n->frac = false;
		return settle(s, n, t);
	case N_KIND_E_THIS:
		return settle(s, n, infer_kept(s, n));
	case N_KIND_E_BASE:
		t = infer(s, n->a, NULL);
		n->frac = n->a->frac;
		if (m->reporting && n->a->ref_kind != REF_QUESTION && n->a->ref_kind != REF_FIELD)
			model_report(m, M_BASE_OF_WHAT, n->span, 0);
		return settle(s, n, t);
	case N_KIND_E_STATED: {
		infer(s, n->a, NULL);
		if (m->reporting && field_stated(m, n->a) < 0)
			model_report(m, M_STATED_OF_WHAT, n->span, 0);
		return settle(s, n, type_new(m, VT_BOOL, -1));
	}
	case N_KIND_E_OPTION: {
		int option = model_option(m, n->name);
		n->ref = option;
		if (option < 0)
			report_no_option(m, n, n->name);
		else if (m->option.v[option].node->a && (m->option.v[option].node->a->kind == N_KIND_E_NUM || m->option.v[option].node->a->kind == N_KIND_E_NEG))
			return settle(s, n, number_type(s));
		else if (option_yes_no(&m->option.v[option]))
			return settle(s, n, bool_type(s));
		return settle(s, n, type_new(m, VT_WORD, -1));
	}
	case N_KIND_E_CHOOSE:
		if (s->pure)
			model_report(m, M_ROLL_IN_PURE, n->span, 0);
		want_type(s, n->a, live_type(s, KIND_COMBATANT), M_ARGUMENT_TYPE);
		t = open_set(s, n->b);
		s->vars = vars;
		if (n->c)
			infer(s, n->c, t);
		n->ref = choice_named(s, n->text ? intern_word(m->front->names, n->text) : model_sym(m, "choice"), t);
		return settle(s, n, t);
	default:
		return n->type;
	}
}
