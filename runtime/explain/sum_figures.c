/* sum_figures.c - a sum told: its parts as items, in a question's place what that is made of; a line for each. See sum.h. */
#include <ctype.h>
#include <string.h>

#include "runtime/explain/sum.h"

static void value_text(const struct program *p, struct vtype type, word value, struct buf *out)
{
	program_value(p, type, &value, out);
}

/* ---- items ---- */

enum { ITEMS_MOST = 32 };

struct item {
	char op;
	struct buf text;
	struct vtype type;
	word value;
	int64_t number, den;
	int32_t clause, roll, record;
};
struct items {
	struct item v[ITEMS_MOST];
	int n;
	bool linear;         /* they are added and taken away, nothing else */
};

static void items_free(struct items *x)
{
	for (int i = 0; i < x->n; i++)
		buf_free(&x->v[i].text);
}

static struct item *item_new(struct items *x, char op, struct vtype type, word value, int32_t record)
{
	int64_t number = 0, den = 1;
	if (x->n >= ITEMS_MOST || !sum_number(type, value, &number, &den) || den == 0)
		return NULL;
	struct item *i = &x->v[x->n++];
	*i = (struct item){.op = op, .type = type, .value = value, .number = number, .den = den, .clause = -1, .roll = -1, .record = record};
	return i;
}

static bool adds(char op)
{
	return op == '+' || op == '-';
}

/* What a clause adds, by what its text says behind "by": "weapon's bonus"; a plain number is called as the rule is. */
static void by_text(const struct log *l, int32_t record, int32_t clause, struct buf *out)
{
	const struct clause_info *c = &l->p->clause[clause];
	const char *by = c->text ? strstr(c->text, " by ") : NULL;
	size_t n = by ? strlen(by + 4) : 0;
	const char *when = by ? strstr(by + 4, " when ") : NULL, *unless = by ? strstr(by + 4, " unless ") : NULL;
	if (when)
		n = (size_t)(when - by - 4);
	if (unless && (size_t)(unless - by - 4) < n)
		n = (size_t)(unless - by - 4);
	bool named = false, plain = true;
	for (size_t i = 0; i < n; i++) {
		named |= isalpha((unsigned char)by[4 + i]) != 0;
		plain &= isalnum((unsigned char)by[4 + i]) || strchr(" '-#", by[4 + i]);
	}
	struct buf expression = {0};
	buf_add(&expression, by ? by + 4 : "", n);
	const bool kept = sum_kept_field(l->p, buf_text(&expression)) >= 0;
	buf_free(&expression);
	if (!named || !plain || kept || by[4] == '-') {
		buf_puts(out, *c->rule ? c->rule : "");
		return;
	}
	struct buf text = {0};
	buf_add(&text, by + 4, n);
	struct part p = {.op = '+', .text = buf_text(&text)};
	sum_part_text(l, record, &p, out);
	buf_free(&text);
}

static void take_side(const struct log *l, int32_t record, const struct side *side, bool minus, struct items *x, int depth);

/* The base of a question, apart where a sum of it is in the log. */
static void take_base(const struct log *l, int32_t question, int32_t base, const char *called, bool minus, struct items *x, int depth)
{
	struct sum s;
	const struct record *q = log_at(l, question), *b = log_at(l, base);
	int32_t made = sum_before(l, question, base, false, "");
	if (made >= 0 && b->clause >= 0 && depth < 3 && sum_read(l, made, &s) && s.left.total == b->value) {
		bool linear = true;
		for (int i = 0; i < s.left.n; i++)
			linear &= adds(s.left.part[i].op);
		if (linear) {
			take_side(l, made, &s.left, minus, x, depth + 1);
			return;
		}
	}
	struct item *i = item_new(x, minus ? '-' : '+', l->p->question[q->what].type, b->value, base);
	if (!i)
		return;
	i->clause = b->clause;
	buf_puts(&i->text, called);
}

/* A question among the parts: its base and what was added to it. False: a bound cut it, or it is not known. */
static bool take_question(const struct log *l, int32_t question, const char *called, bool minus, struct items *x, int depth)
{
	const struct record *q = log_at(l, question);
	struct vtype type = l->p->question[q->what].type;
	int32_t base = -1;
	for (int32_t i = log_child(l, question); i >= 0; i = log_sibling(l, i)) {
		const struct record *r = log_at(l, i);
		if (r->dropped)
			continue;
		if (r->kind == REC_BOUND)
			return false;
		if (r->kind == REC_BASE)
			base = i;
	}
	if (base < 0 || log_at(l, base)->value == NONE)
		return false;
	if (!log_is_zero(type, log_at(l, base)->value))
		take_base(l, question, base, called, minus, x, depth);
	for (int32_t i = log_child(l, question); i >= 0; i = log_sibling(l, i)) {
		const struct record *r = log_at(l, i);
		if (r->kind != REC_ADJUST || r->dropped || log_is_zero(type, r->value))
			continue;
		struct item *one = item_new(x, minus ? '-' : '+', type, r->value, i);
		if (!one)
			return true;
		one->clause = r->clause;
		if (r->clause >= 0)
			by_text(l, i, r->clause, &one->text);
	}
	return true;
}

static void take_part(const struct log *l, int32_t record, const struct part *p, bool minus, struct items *x, int depth)
{
	const bool negative = (p->op == '-') != minus;
	const int32_t roll = sum_roll(l, record, p), question = roll < 0 ? sum_question(l, record, p) : -1;
	struct buf text = {0};
	sum_part_text(l, record, p, &text);
	if (question < 0 || depth > 3 || !take_question(l, question, buf_text(&text), negative, x, depth)) {
		struct item *i = item_new(x, negative ? '-' : '+', p->type, p->value, roll >= 0 ? roll : question >= 0 ? question : record);
		if (i) {
			const int32_t mark = sum_mark(l, record, p);
			i->roll = roll;
			i->clause = mark >= 0 ? log_at(l, mark)->clause : -1;
			if (roll >= 0)
				buf_puts(&i->text, l->p->label[log_at(l, roll)->what].name);
			else
				buf_puts(&i->text, buf_text(&text));
			if (i->number == 0) {
				buf_free(&i->text);
				x->n--;
			}
		}
	}
	buf_free(&text);
}

static void take_side(const struct log *l, int32_t record, const struct side *side, bool minus, struct items *x, int depth)
{
	int64_t number = 0, den = 1; /* of the parts so far, where they can be added */
	for (int i = 0; i < side->n; i++) {
		const struct part *p = &side->part[i];
		int64_t n = 0, d = 1;
		if (adds(p->op)) {
			take_part(l, record, p, minus, x, depth);
			if (sum_number(p->type, p->value, &n, &d) && d) {
				number = number * d + (p->op == '-' ? -n : n) * den;
				den *= d;
			}
			continue;
		}
		bool known = sum_number(p->type, p->value, &n, &d) && d;
		if ((p->op == '*' || p->op == '/') && known && n == d)
			continue; /* by one */
		if (p->op == '^' && known && number * d >= n * den)
			continue;
		if (p->op == 'v' && known && number * d <= n * den)
			continue;
		if (p->op == 'r' && den == 1)
			continue;
		x->linear = false;
		struct item *one = p->op == 'r' || !known ? NULL : item_new(x, p->op, p->type, p->value, record);
		if (one) {
			const int32_t mark = sum_mark(l, record, p);
			one->clause = mark >= 0 ? log_at(l, mark)->clause : -1;
			sum_part_text(l, record, p, &one->text);
			if (!strcmp(buf_text(&one->text), "multiplier"))
				buf_clear(&one->text);
		}
	}
}

/* ---- lines ---- */

/* " [d20, forced]", " [2d4: 3, 3]" */
static void fall_text(const struct log *l, int32_t roll, struct buf *out)
{
	const struct record *r = log_at(l, roll);
	const word *v = trace_values_at(l->t, r);
	if (!v)
		return;
	if (v[0] == NONE || r->face_count > 1) {
		log_fall(l, r, true, out);
		return;
	}
	buf_puts(out, " [");
	program_value(l->p, (struct vtype){.base = VT_DICE}, v, out);
	if (r->flag != DIE_ROLLED)
		buf_printf(out, ", %s", die_source_name(r->flag));
	buf_putc(out, ']');
}

static void put_number(const struct program *p, const struct item *i, struct buf *out)
{
	value_text(p, i->type, i->value, out);
}

/* "5 * (wolf's hit dice - 1)" is no name of a number. */
static bool is_expression(const struct item *i)
{
	return i->text.length && i->text.data[i->text.length - 1] == ')';
}

/* "attack roll 17 [d20, forced]", "+4 extra to-hit (OSRIC, 3)", "x 2 charging" */
static void item_line(const struct log *l, struct item *i, bool first, struct buf *out)
{
	struct buf number = {0};
	put_number(l->p, i, &number);
	const char *digits = buf_text(&number);
	bool negative = *digits == '-';
	const bool less = negative != (i->op == '-');
	if (is_expression(i)) {
		buf_printf(out, "%s%s [%s]",
			first && !less ? ""
				: less ? "-"
				       : "+",
			digits + negative, buf_text(&i->text));
	} else if (adds(i->op) && first && i->text.length && !less) {
		buf_printf(out, "%s %s", buf_text(&i->text), digits + negative);
	} else {
		const char *sign = i->op == '*' ? "x " : i->op == '/' ? "/ " : i->op == '^' ? "at least " : i->op == 'v' ? "at most " : less ? "-" : "+";
		buf_printf(out, "%s%s%s%s", sign, digits + (adds(i->op) && negative), i->text.length ? " " : "", buf_text(&i->text));
	}
	if (i->roll >= 0)
		fall_text(l, i->roll, out);
	const struct clause_info *c = i->clause >= 0 && i->clause < l->p->clauses ? &l->p->clause[i->clause] : NULL;
	if (c && strcmp(c->module, "core")) {
		buf_puts(out, " (");
		answer_source(l->p, i->clause, out);
		if (*c->rule && strcmp(c->rule, buf_text(&i->text)))
			buf_printf(out, ": %s", c->rule);
		buf_putc(out, ')');
	}
	buf_free(&number);
}

/* "13: Bob's THAC0 18 - Ann's armour class 5": all in one line. */
static void side_line(const struct log *l, const struct sum *s, const struct side *side, struct buf *out)
{
	struct items x = {.linear = true};
	value_text(l->p, side->type, side->total, out);
	take_side(l, s->record, side, false, &x, 0);
	bool told = x.n > 1 || (x.n == 1 && x.v[0].roll >= 0);
	for (int i = 0; i < x.n && told; i++) {
		struct item *one = &x.v[i];
		struct buf number = {0};
		put_number(l->p, one, &number);
		const char *digits = buf_text(&number);
		bool negative = adds(one->op) && *digits == '-';
		const char *sign = one->op == '*' ? "x" : one->op == '/' ? "/" : one->op == '^' ? "at least" : one->op == 'v' ? "at most" : negative != (one->op == '-') ? "-" : "+";
		buf_puts(out, i == 0 ? ": " : " ");
		if (i > 0 || *sign != '+')
			buf_printf(out, "%s ", sign);
		if (is_expression(one))
			buf_printf(out, "%s [%s]", digits + negative, buf_text(&one->text));
		else
			buf_printf(out, "%s%s%s", buf_text(&one->text), one->text.length ? " " : "",
				digits + negative);
		if (one->roll >= 0)
			fall_text(l, one->roll, out);
		buf_free(&number);
	}
	items_free(&x);
}

void sum_figures(const struct log *l, const struct sum *s, const char *head, struct answer *out)
{
	const bool turn = s->compares && sum_side_has_die(l, s->record, &s->right) && !sum_side_has_die(l, s->record, &s->left);
	const struct side *side = turn ? &s->right : &s->left;
	struct items x = {.linear = true};
	struct buf line = {0}, total = {0};
	int64_t number, den;
	take_side(l, s->record, side, false, &x, 0);
	value_text(l->p, side->type, side->total, &total);
	const struct side *other = s->compares ? side == &s->left ? &s->right : &s->left : NULL;
	struct buf needed = {0};
	if (other) {
		const char *how = !turn ? s->how : !strcmp(s->how, ">=") ? "<=" : !strcmp(s->how, "<=") ? ">=" : !strcmp(s->how, ">") ? "<" : !strcmp(s->how, "<") ? ">" : s->how;
		const struct { const char *how, *word; } words[] = {
			{">=", "needed "}, {">", "needed more than "},
			{"<=", "needed at most "}, {"<", "needed less than "},
			{"=", s->holds ? "exactly " : "needed "}, {"<>", "needed anything but "}};
		for (size_t i = 0; i < FRAY_COUNT(words); i++)
			if (!strcmp(how, words[i].how))
				buf_puts(&needed, words[i].word);
		side_line(l, s, other, &needed);
	}
	for (int i = 0; i < x.n; i++) {
		struct item *one = &x.v[i];
		buf_clear(&line);
		item_line(l, one, i == 0, &line);
		if (x.n == 1 && needed.length)
			buf_printf(&line, ", %s", buf_text(&needed));
		if (x.linear && x.n > 1) /* one alone is its own total */
			answer_addend(out, one->record, one->clause, one->op == '-' ? -one->number : one->number, one->den, "%s", buf_text(&line));
		else
			answer_figure(out, one->record, one->clause, "%s", buf_text(&line));
	}
	buf_clear(&line);
	buf_printf(&line, "= %s%s%s%s%s", buf_text(&total), *head ? " " : "", head, needed.length ? ", " : "", buf_text(&needed));
	if (x.n == 0)
		answer_figure(out, s->record, -1, "%s %s%s%s", *head ? head : "it is", buf_text(&total), needed.length ? ", " : "", buf_text(&needed));
	else if (x.n > 1 && x.linear && sum_number(side->type, side->total, &number, &den))
		answer_total(out, s->record, -1, number, den, "%s", buf_text(&line));
	else if (x.n > 1)
		answer_figure(out, s->record, -1, "%s", buf_text(&line));
	items_free(&x);
	buf_free(&line);
	buf_free(&total);
	buf_free(&needed);
}

void sum_compared(const struct log *l, const struct sum *s, struct buf *out)
{
	static const struct { const char *how, *yes, *no; } words[] = {
		{">=", "reaches the", "does not reach the"}, {">", "is more than", "is no more than"}, {"<=", "is no more than", "is more than"},
		{"<", "is less than", "is not less than"}, {"=", "is", "is not"}, {"<>", "is not", "is"},
	};
	/* said of the side that a die is on */
	const bool turn = sum_side_has_die(l, s->record, &s->right) && !sum_side_has_die(l, s->record, &s->left);
	const struct side *one = turn ? &s->right : &s->left, *other = turn ? &s->left : &s->right;
	const char *how = !turn ? s->how : !strcmp(s->how, ">=") ? "<=" : !strcmp(s->how, "<=") ? ">=" : !strcmp(s->how, ">") ? "<" : !strcmp(s->how, "<") ? ">" : s->how;
	if (!strcmp(how, "=") && s->holds && sum_has_die(l, s)) { /* not "2 is 2" */
		buf_puts(out, "the die shows exactly ");
		value_text(l->p, other->type, other->total, out);
		return;
	}
	value_text(l->p, one->type, one->total, out);
	for (size_t i = 0; i < FRAY_COUNT(words); i++)
		if (!strcmp(how, words[i].how))
			buf_printf(out, " %s ", s->holds ? words[i].yes : words[i].no);
	value_text(l->p, other->type, other->total, out);
	if (!strcmp(how, ">="))
		buf_puts(out, " needed");
}
