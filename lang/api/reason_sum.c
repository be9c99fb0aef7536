/* reason_sum.c - a value that rules make: every addend with where it comes from, then the total; of what is no sum, the condition of the
 * rule that made it. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/reason.h"
#include "runtime/explain/placing.h"

enum { TERMS_MOST = 12, SAID_MOST = 4, TEXT_MOST = 36 };

/* A number of a value's own unit, whole or not. */
struct exact { int64_t top, den; };

static bool is_sum(struct vtype t)
{
	return vtype_is_number(t) && t.base != VT_CHANCE;
}

static struct exact exact_of(struct vtype t, word value)
{
	return t.frac && frac_sound(value) ? (struct exact){frac_top(value), frac_bottom(value)} : (struct exact){value, 1};
}

static struct exact plus(struct exact a, struct exact b)
{
	int64_t top = a.top * b.den + b.top * a.den, den = a.den * b.den;
	for (int64_t k = 2; k <= den && k < 100; k++)
		while (top % k == 0 && den % k == 0) {
			top /= k;
			den /= k;
		}
	return (struct exact){top, den};
}

static bool same(struct exact a, struct exact b)
{
	return a.top * b.den == b.top * a.den;
}

static void exact_add(const struct program *p, struct vtype type, struct exact x, struct buf *out)
{
	bool bad = false;
	word value = x.top;
	type.frac = x.den != 1;
	if (type.frac)
		value = frac_make(x.top, x.den, &bad);
	program_value(p, type, &value, out);
}

static struct exact size_of(struct exact x)
{
	return (struct exact){x.top < 0 ? -x.top : x.top, x.den};
}

/* ---- addends ---- */

struct term { struct buf text; struct exact value; int32_t clause; bool by_rule; /* its text is what the rule says */ };
struct terms { struct term at[TERMS_MOST]; int n; bool full; };

static struct term *term_add(struct terms *t, struct exact value, int32_t clause)
{
	if (t->n == TERMS_MOST) {
		t->full = true;
		return &t->at[TERMS_MOST - 1];
	}
	struct term *x = &t->at[t->n++];
	*x = (struct term){.value = value, .clause = clause};
	return x;
}

static void terms_free(struct terms *t)
{
	for (int i = 0; i < t->n; i++)
		buf_free(&t->at[i].text);
}

static struct exact sum_to(const struct terms *t)
{
	struct exact sum = {0, 1};
	for (int i = 0; i < t->n; i++)
		sum = plus(sum, t->at[i].value);
	return sum;
}

static bool worth_number(struct fray *f, struct node *n, struct exact *value)
{
	struct probe p;
	const int32_t mark = vm_trace(f->vm)->n;
	const bool ok = reason_worth(f, n, false, &p) && is_sum(p.type) && p.value[0] != NONE;
	*value = ok ? exact_of(p.type, p.value[0]) : (struct exact){0, 1};
	reason_close(f, &p, mark);
	return ok;
}

static int clause_of(const struct model *m, int32_t program)
{
	for (int i = 0; i < m->clause.n; i++)
		if (m->clause.v[i].in_force && m->clause.v[i].program == program && m->clause.v[i].question >= 0)
			return i;
	return -1;
}

/* The names of a clause, as the question was asked. */
static void names_of(struct reason *r, const struct mclause *c, int32_t question, struct names *b)
{
	const struct record *q = trace_get(r->t, question);
	const struct question_info *info = &r->p->question[q->what];
	const word *v = trace_values_at(r->t, q);
	b->n = 0;
	for (int i = 0, at = 0; v && i < c->params && i < info->params && at < q->value_count; i++) {
		if (info->param[i].base == VT_LIVE)
			names_bind(b, c->param_name[i], info->param[i].kind, v[at]);
		at += program_type_words(r->p, info->param[i]);
	}
}

/* The answer below a QUESTION that an expression asks for: by the name that it begins or ends with; -1. */
static int32_t asked_for(struct reason *r, int32_t question, const struct node *n)
{
	const char *name = n->kind == N_KIND_E_CALL && n->a->kind == N_KIND_E_NAME ? model_text(&r->f->model, n->a->name)
		: n->kind == N_KIND_E_FIELD                                           ? model_text(&r->f->model, n->name)
																			  : NULL;
	for (int32_t i = name ? log_child(r->log, question) : -1; i >= 0; i = log_sibling(r->log, i)) {
		const struct record *q = trace_get(r->t, i);
		if (q->kind == REC_QUESTION && !q->dropped && q->what >= 0 && !strcmp(r->p->question[q->what].name, name))
			return i;
	}
	return -1;
}

/* The thing whose field an expression reads: "chain mail". */
static bool thing_read(struct reason *r, const struct node *n, const struct names *b, struct buf *out)
{
	struct probe p;
	if (n->kind != N_KIND_E_FIELD || n->a->kind == N_KIND_E_NAME)
		return false;
	const int32_t mark = vm_trace(r->f->vm)->n;
	const bool ok = reason_worth(r->f, reason_put(r->f, n->a, b), false, &p) && p.type.base == VT_THING && p.value[0] != NONE;
	if (ok)
		program_values(p.program, p.type, p.value, p.words, out);
	reason_close(r->f, &p, mark);
	return ok;
}

/* A field that only rules keep. */
static bool is_kept(struct reason *r, const struct node *n)
{
	for (int i = 0; n->kind == N_KIND_E_FIELD && i < r->p->fields; i++)
		if (r->p->field[i].kept && r->p->field[i].kind == KIND_COMBATANT && !strcmp(r->p->field[i].name, model_text(&r->f->model, n->name)))
			return true;
	return false;
}

/* What an addend is called: the thing that has it, also by way of a value of a rule's ("armour alone"); where rules alone
 * have a name for it, the rule's; else the expression with the names put in. */
static void term_text(struct reason *r, int32_t question, const struct node *n, const struct names *b, int32_t clause, struct buf *out)
{
	const int32_t asked = question >= 0 ? asked_for(r, question, n) : -1;
	const int32_t by = asked >= 0 ? trace_get(r->t, asked)->clause : -1;
	const int at = by >= 0 ? clause_of(&r->f->model, by) : -1;
	const struct mclause *c = at >= 0 ? &r->f->model.clause.v[at] : NULL;
	if (c && c->node->kind == N_KIND_C_DEFINE && c->node->b->kind == N_KIND_E_FIELD) {
		struct names below;
		names_of(r, c, asked, &below);
		if (thing_read(r, c->node->b, &below, out))
			return;
		if (is_kept(r, c->node->b)) {
			buf_puts(out, r->p->clause[by].rule);
			return;
		}
	}
	if (thing_read(r, n, b, out))
		return;
	if (is_kept(r, n) && clause >= 0 && *r->p->clause[clause].rule)
		buf_puts(out, r->p->clause[clause].rule);
	else
		reason_text(r->f, n, b, out);
}

/* What an expression is the sum of, each with its sign. */
static bool sum_of(struct reason *r, int32_t question, const struct node *n, const struct names *b, int sign, int32_t clause, struct terms *out)
{
	if (n->kind == N_KIND_E_BINARY && (n->op == BIN_ADD || n->op == BIN_SUB))
		return sum_of(r, question, n->a, b, sign, clause, out) && sum_of(r, question, n->b, b, n->op == BIN_SUB ? -sign : sign, clause, out);
	if (n->kind == N_KIND_E_NEG)
		return sum_of(r, question, n->a, b, -sign, clause, out);
	if (n->kind == N_KIND_E_IF) {
		bool holds;
		return reason_holds(r->f, reason_put(r->f, n->a, b), &holds) && sum_of(r, question, holds ? n->b : n->c, b, sign, clause, out);
	}
	struct exact value;
	if (!worth_number(r->f, reason_put(r->f, n, b), &value))
		return false;
	if (value.top != 0 || out->n == 0) {
		struct term *x = term_add(out, (struct exact){sign * value.top, value.den}, clause);
		buf_clear(&x->text);
		term_text(r, question, n, b, clause, &x->text);
	}
	return !out->full;
}

/* The base of a QUESTION: what was written, or the sum that a rule makes of others. */
static void base_terms(struct reason *r, int32_t question, int32_t base, const char *stored, struct terms *out)
{
	const struct record part = *trace_get(r->t, base);
	const struct exact value = exact_of(r->p->question[trace_get(r->t, question)->what].type, part.value);
	struct terms sum = {.n = 0};
	const int at = part.clause >= 0 ? clause_of(&r->f->model, part.clause) : -1;
	const struct mclause *c = at >= 0 ? &r->f->model.clause.v[at] : NULL;
	if (c && c->node->kind == N_KIND_C_DEFINE) {
		struct names b;
		names_of(r, c, question, &b);
		const bool ok = sum_of(r, question, c->node->b, &b, 1, part.clause, &sum) && same(sum_to(&sum), value);
		const int kind = c->node->b->kind;
		const bool named = kind == N_KIND_E_FIELD || kind == N_KIND_E_CALL || kind == N_KIND_E_NAME || kind == N_KIND_E_BINARY;
		for (int i = 0; i < sum.n && ok && (sum.n > 1 || named); i++)
			buf_puts(&term_add(out, sum.at[i].value, part.clause)->text, buf_text(&sum.at[i].text));
		terms_free(&sum);
		if (out->n)
			return;
	}
	struct term *t = term_add(out, value, part.clause);
	t->by_rule = part.clause >= 0;
	if (part.clause >= 0)
		answer_rule_says(r->p, part.clause, &t->text);
	else
		buf_puts(&t->text, stored);
}

/* The one value that a sign, a unit or a number is put to: "-combatant's surprise bonus * 1
 * segment". */
static const struct node *value_in(const struct node *n)
{
	while (n &&
		(n->kind == N_KIND_E_NEG || n->kind == N_KIND_E_AS ||
			(n->kind == N_KIND_E_BINARY && n->op == BIN_MUL))) {
		const bool number = n->kind == N_KIND_E_BINARY && n->a->kind == N_KIND_E_NUM;
		if (n->kind == N_KIND_E_BINARY && !number && n->b->kind != N_KIND_E_NUM)
			return n;
		n = number ? n->b : n->a;
	}
	return n;
}

/* What an adjustment is: the value that it goes by, or, true, what its rule says. */
static bool adjust_text(struct reason *r, int32_t question, const struct record *part, struct buf *out)
{
	const int at = clause_of(&r->f->model, part->clause);
	const struct mclause *c = at >= 0 ? &r->f->model.clause.v[at] : NULL;
	const struct node *by = c && c->node->kind == N_KIND_C_ADJUST ? c->node->b : NULL;
	by = value_in(by);
	if (by && (by->kind == N_KIND_E_FIELD || (by->kind == N_KIND_E_CALL && by->span.end - by->span.start < 50))) {
		struct names b;
		names_of(r, c, question, &b);
		term_text(r, question, by, &b, part->clause, out);
		return false;
	}
	answer_rule_says(r->p, part->clause, out);
	return true;
}

static bool collect(struct reason *r, int32_t question, const char *stored, struct terms *out, bool *ruled)
{
	const struct vtype type = r->p->question[trace_get(r->t, question)->what].type;
	*ruled = false;
	for (int32_t i = log_child(r->log, question); i >= 0; i = log_sibling(r->log, i)) {
		const struct record part = *trace_get(r->t, i);
		if (part.dropped)
			continue;
		if (part.kind == REC_BASE) {
			base_terms(r, question, i, stored, out);
			*ruled |= part.clause >= 0;
		} else if (part.kind == REC_ADJUST && exact_of(type, part.value).top != 0) {
			struct term *t = term_add(out, exact_of(type, part.value), part.clause);
			t->by_rule = adjust_text(r, question, &part, &t->text);
			*ruled = true;
		} else if (part.kind == REC_BOUND) {
			/* the log has every bound: does this one hold anything back? */
			const int at = clause_of(&r->f->model, part.clause);
			const bool least = at >= 0 && r->f->model.clause.v[at].node->op == AT_LEAST_OP;
			const struct exact sum = sum_to(out), bound = exact_of(type, part.value);
			const int64_t beyond = sum.top * bound.den - bound.top * sum.den;
			if (at < 0 || (least ? beyond >= 0 : beyond <= 0))
				continue;
			struct term *t = term_add(out, plus(bound, (struct exact){-sum.top, sum.den}), part.clause);
			answer_rule_says(r->p, part.clause, &t->text);
			*ruled = true;
		}
	}
	return !out->full && out->n > 0 && same(sum_to(out), exact_of(type, trace_get(r->t, question)->value));
}

/* "11: 17 (Bruna's THAC0) less 6 (orc #1's armour class)" */
static void terms_tell(struct reason *r, struct terms *t, struct vtype type, word value, struct answer *out)
{
	if (t->n > 1 && t->at[0].value.top == 0) { /* a base of nothing says nothing */
		buf_free(&t->at[0].text);
		t->n--;
		memmove(t->at, t->at + 1, sizeof *t->at * (size_t)t->n);
	}
	struct buf v = {0}, b = {0};
	program_value(r->p, type, &value, &v);
	buf_printf(&out->about, "%s: ", buf_text(&v));
	bool said = t->n <= SAID_MOST;
	for (int i = 0; i < t->n; i++)
		said &= t->at[i].text.length < TEXT_MOST;
	said &= t->n > 1;
	const bool few = t->n <= SAID_MOST && t->n > 1;
	for (int i = 0; i < t->n && few; i++) {
		const struct exact by = t->at[i].value;
		if (i > 0)
			buf_puts(&out->about, by.top < 0 ? " less " : " plus ");
		exact_add(r->p, type, i > 0 ? size_of(by) : by, &out->about);
		if (said)
			buf_printf(&out->about, " (%s)", buf_text(&t->at[i].text));
	}
	if (t->n == 1)
		buf_puts(&out->about, buf_text(&t->at[0].text));
	else if (!few)
		buf_printf(&out->about, "the sum of %d figures", t->n);
	buf_putc(&out->about, '.');
	for (int i = 0; i < t->n; i++) {
		const struct exact by = t->at[i].value;
		buf_clear(&b);
		if (i > 0)
			buf_puts(&b, by.top < 0 ? "less " : "plus ");
		exact_add(r->p, type, i > 0 ? size_of(by) : by, &b);
		if (!said && t->n > 1 && t->at[i].by_rule) {
			buf_clear(&t->at[i].text);
			answer_rule_text(r->p, t->at[i].clause, &t->at[i].text);
		}
		if (!said && t->n > 1)
			answer_addend(out, -1, t->at[i].clause, by.top, by.den, "%s: %s", buf_text(&b), buf_text(&t->at[i].text));
		if (said || t->n == 1 || !t->at[i].by_rule)
			answer_rule_of(r->p, out, t->at[i].clause);
	}
	if (!said && t->n > 1)
		answer_total(out, -1, -1, exact_of(type, value).top, exact_of(type, value).den, "makes %s", buf_text(&v));
	buf_free(&v);
	buf_free(&b);
}

/* A QUESTION of numbers in its parts; false: nothing but what is stored. */
bool reason_made_of(struct reason *r, int32_t question, const char *stored, struct answer *out)
{
	const struct record *q = trace_get(r->t, question);
	const struct vtype type = r->p->question[q->what].type;
	const word value = q->value;
	const int32_t clause = q->clause;
	struct terms t = {.n = 0};
	bool ruled = false, told = false;
	if (is_sum(type)) {
		const bool sum = collect(r, question, stored, &t, &ruled);
		if (sum && ruled) {
			terms_tell(r, &t, type, value, out);
			told = true;
		}
		terms_free(&t);
	}
	if (!told && clause >= 0) {
		/* a value of another kind, or no sum */
		const int at = clause_of(&r->f->model, clause);
		struct names b = {.n = 0};
		struct condition c = {0};
		log_answer(r->log, question, trace_get(r->t, question)->what, value, &out->about);
		buf_puts(&out->about, ": ");
		const struct mclause *by = at >= 0 ? &r->f->model.clause.v[at] : NULL;
		if (by)
			names_of(r, by, question, &b);
		if (by && by->when && condition_of(r->f, by->when, &b, !by->unless, &c))
			buf_puts(&out->about, buf_text(&c.text));
		else
			answer_rule_says(r->p, clause, &out->about);
		condition_free(&c);
		buf_putc(&out->about, '.');
		answer_rule_of(r->p, out, clause);
		told = true;
	}
	return told;
}

/* Of "the party's surprise die, 2 (forced); -2 segments for dexterity in surprise" what names a
 * die. */
static void dice_only(const char *ground, struct buf *out)
{
	while (*ground) {
		const char *end = strstr(ground, "; ");
		const size_t n = end ? (size_t)(end - ground) : strlen(ground);
		struct buf one = {0};
		buf_add(&one, ground, n);
		if (strstr(buf_text(&one), " die, ") || strstr(buf_text(&one), " roll, ") ||
			strstr(buf_text(&one), " dice, "))
			buf_printf(out, "%s%s", out->length ? "; " : "", buf_text(&one));
		buf_free(&one);
		ground += n + (end ? 2 : 0);
	}
}

bool reason_dice(
	const struct log *l, int32_t question, bool all, struct answer *rules, struct buf *out)
{
	struct buf ground = {0};
	struct answer cited;
	memset(&cited, 0, sizeof cited);
	if (ground_of(l, question, &cited, &ground))
		dice_only(buf_text(&ground), out);
	if (all && out->length) {
		buf_clear(out);
		buf_puts(out, buf_text(&ground));
	}
	if (out->length)
		answer_rules_from(l->p, rules, &cited);
	answer_free(&cited);
	buf_free(&ground);
	return out->length > 0;
}
