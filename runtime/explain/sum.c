/* sum.c - see sum.h. */
#include <ctype.h>
#include <string.h>

#include "runtime/explain/sum.h"

/* ---- reading ---- */

static bool take_value(const struct program *p, const struct record *r, const word *values, const struct template_info *t, int piece, int *at, struct vtype *type, word *value)
{
	const struct template_piece *x = piece < t->count ? &p->piece[t->first + piece] : NULL;
	if (!x || x->text || !values || *at >= r->value_count)
		return false;
	*type = x->type;
	*value = values[(*at)++];
	return true;
}

static bool read_parts(const struct log *l, int32_t record, struct sum *s)
{
	const struct program *p = l->p;
	const struct record *r = log_at(l, record);
	memset(s, 0, sizeof *s);
	s->record = record;
	s->name = s->how = "";
	if (!r || r->kind != REC_SUM || r->what < 0 || r->what >= p->templates)
		return false;
	const struct template_info *t = &p->template_[r->what];
	const word *values = trace_values_at(l->t, r);
	struct side *side = &s->left;
	int at = 0;
	for (int i = 0; i < t->count; i++) {
		const char *text = p->piece[t->first + i].text;
		struct vtype type;
		word value = NONE;
		if (!text)
			return false;
		if (*text == '=') {
			s->name = text + 1;
			continue;
		}
		if (*text == '?') {
			s->compares = true;
			continue;
		}
		if (*text != 'r') {
			if (!take_value(p, r, values, t, i + 1, &at, &type, &value))
				return false;
			i++;
		}
		switch (*text) {
		case 'T':
			side->total = value;
			side->type = type;
			break;
		case 'C':
			side->total = value;
			side->type = type;
			s->how = text + 1;
			side = &s->right;
			break;
		case 'Y':
			s->holds = value == 1;
			break;
		default:
			if (side->n >= SIDE_PARTS)
				return false;
			side->part[side->n++] = (struct part){*text, *text == 'r' ? text : text + 1, *text == 'r' ? (struct vtype){0} : type, *text == 'r' ? NONE : value};
		}
	}
	return true;
}

/* "margin >= 0", where margin is a sum of this body. */
static void resolve(const struct log *l, int32_t record, struct sum *s)
{
	struct sum local;
	int32_t found = -1;
	if (!s->compares || s->left.n != 1 || s->left.part[0].op != '+' || !*s->left.part[0].text)
		return;
	for (int32_t i = log_child(l, log_at(l, record)->parent); i >= 0 && i < record; i = log_sibling(l, i))
		if (log_at(l, i)->kind == REC_SUM && !log_at(l, i)->dropped && read_parts(l, i, &local) && !local.compares && !strcmp(local.name, s->left.part[0].text))
			found = i;
	if (found < 0 || !read_parts(l, found, &local) || local.left.total != s->left.total || local.left.n < 2)
		return;
	const struct part *zero = s->right.n == 1 ? &s->right.part[0] : NULL, *last = &local.left.part[local.left.n - 1];
	s->left = local.left;
	s->resolved = true;
	if (!zero || *zero->text || zero->value != 0 || zero->type.frac || last->op != '-' || last->type.frac || last->value == NONE || local.left.type.frac)
		return;
	s->left.n--;
	s->left.total += last->value;
	s->right = (struct side){.n = 1, .type = last->type, .total = last->value};
	s->right.part[0] = *last;
	s->right.part[0].op = '+';
}

bool sum_read(const struct log *l, int32_t record, struct sum *s)
{
	if (!read_parts(l, record, s))
		return false;
	resolve(l, record, s);
	return true;
}

static bool side_has_die(const struct log *l, int32_t record, const struct side *side)
{
	for (int i = 0; i < side->n; i++)
		if (sum_roll(l, record, &side->part[i]) >= 0)
			return true;
	return false;
}

bool sum_has_die(const struct log *l, const struct sum *s)
{
	return side_has_die(l, s->record, &s->left) || side_has_die(l, s->record, &s->right);
}

static bool is_zero(const struct side *side)
{
	return side->n == 1 && !*side->part[0].text && side->part[0].value == 0;
}

bool sum_is_trivial(const struct sum *s)
{
	return !s->resolved && (is_zero(&s->left) || is_zero(&s->right));
}

int32_t sum_before(const struct log *l, int32_t parent, int32_t before, bool compares, const char *name)
{
	int32_t found = -1;
	for (int32_t i = log_child(l, parent); i >= 0 && i < before; i = log_sibling(l, i)) {
		struct sum s;
		if (log_at(l, i)->kind != REC_SUM || log_at(l, i)->dropped || !read_parts(l, i, &s))
			continue;
		if (s.compares == compares && (compares || !strcmp(s.name, name)))
			found = i;
	}
	return found;
}

bool sum_number(struct vtype type, word value, int64_t *number, int64_t *den)
{
	if (value == NONE || !vtype_is_number(type))
		return false;
	if (type.frac || type.base == VT_CHANCE) {
		if (!frac_sound(value))
			return false;
		*number = frac_top(value);
		*den = frac_bottom(value);
		return true;
	}
	*number = value;
	*den = 1;
	return true;
}

/* ---- what a part rests on ---- */

static bool word_in(const char *text, const char *name)
{
	size_t n = strlen(name);
	for (const char *at = n ? strstr(text, name) : NULL; at; at = strstr(at + 1, name))
		if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[n]))
			return true;
	return false;
}

int32_t sum_roll(const struct log *l, int32_t record, const struct part *p)
{
	int64_t value, den;
	int32_t only = -1;
	int rolls = 0;
	if (!*p->text || strchr("/^v", p->op) || strchr(p->text, '(') || !sum_number(p->type, p->value, &value, &den) || den == 0)
		return -1;
	for (int32_t parent = log_at(l, record)->parent, before = record; parent >= 0; before = parent, parent = log_at(l, parent)->parent) {
		for (int32_t i = log_child(l, parent); i >= 0 && i < before; i = log_sibling(l, i)) {
			const struct record *r = log_at(l, i);
			if (r->kind != REC_ROLL || r->dropped || r->what < 0 || r->what >= l->p->labels || r->value * den != value)
				continue;
			if (word_in(p->text, l->p->label[r->what].name))
				return i;
			only = i;
			rolls++;
		}
		if (rolls)
			break; /* of the very event: a local name for its die */
	}
	bool plain = !strchr(p->text, '\'') && !strchr(p->text, '(');
	return rolls == 1 && plain ? only : -1;
}

int32_t sum_question(const struct log *l, int32_t record, const struct part *p)
{
	int32_t found = -1;
	if (!*p->text)
		return -1;
	for (int32_t i = log_child(l, log_at(l, record)->parent); i >= 0 && i < record; i = log_sibling(l, i)) {
		const struct record *r = log_at(l, i);
		if (r->kind == REC_QUESTION && !r->dropped && r->what >= 0 && r->what < l->p->questions && r->value == p->value && word_in(p->text, l->p->question[r->what].name))
			found = i;
	}
	return found;
}

/* The MARK record that set what a part reads, of an event in progress then; -1. */
static int32_t mark_of(const struct log *l, int32_t record, const struct part *p)
{
	for (int32_t event = log_at(l, record)->parent; event >= 0; event = log_at(l, event)->parent) {
		if (log_at(l, event)->kind != REC_EVENT)
			continue;
		int32_t found = -1;
		for (int32_t i = event + 1; i < record; i++) {
			const struct record *r = trace_look(l->t, i);
			if (r->kind == REC_MARK && !r->dropped && r->owner == event && r->what >= 0 && r->what < l->p->kepts && word_in(p->text, l->p->kept[r->what]))
				found = i;
		}
		if (found >= 0)
			return found;
	}
	return -1;
}

/* ---- in words ---- */

/* A role of the event, or a parameter of the question, that a word names: its value. */
static bool role_value(const struct log *l, int32_t record, const char *name, size_t n, struct buf *out)
{
	const struct program *p = l->p;
	for (int32_t i = log_at(l, record)->parent; i >= 0; i = log_at(l, i)->parent) {
		const struct record *r = log_at(l, i);
		if (r->kind == REC_EVENT && r->what >= 0 && r->what < p->events) {
			const struct event_info *e = &p->event[r->what];
			for (int k = 0; k < e->roles; k++) {
				const word *v = strlen(e->role[k].name) == n && !strncmp(e->role[k].name, name, n) ? log_role(l, r, k) : NULL;
				if (v && *v != NONE && (e->role[k].type.base == VT_LIVE || e->role[k].type.base == VT_THING)) {
					program_value(p, e->role[k].type, v, out);
					return true;
				}
			}
			return false;
		}
		if (r->kind != REC_QUESTION || r->what < 0 || r->what >= p->questions)
			continue;
		const struct question_info *q = &p->question[r->what];
		const word *v = trace_values_at(l->t, r);
		int at = 0;
		for (int k = 0; k < q->params && v; k++) {
			int words = program_type_words(p, q->param[k]);
			if (at + words > r->value_count)
				break;
			if (q->param_name[k] && strlen(q->param_name[k]) == n && !strncmp(q->param_name[k], name, n) && v[at] != NONE &&
			    (q->param[k].base == VT_THING || (q->param[k].base == VT_LIVE && q->param[k].kind != KIND_ACT))) {
				program_value(p, q->param[k], v + at, out);
				return true;
			}
			at += words;
		}
		return false;
	}
	return false;
}

/* The field that a part reads, if only rules know it; -1. */
static int kept_field(const struct program *p, const char *text)
{
	const char *name = strrchr(text, '\'');
	name = name ? name + (name[1] == 's' ? 2 : 1) : text;
	name += strspn(name, " ");
	for (int i = 0; i < p->fields; i++)
		if (p->field[i].kept && !strcmp(p->field[i].name, name))
			return i;
	return -1;
}

/* It is called as the rule that wrote it last. */
static bool kept_text(const struct log *l, int32_t record, const char *text, struct buf *out)
{
	const int field = kept_field(l->p, text);
	for (int32_t i = field < 0 ? -1 : record - 1; i >= 0; i--) {
		const struct record *r = trace_look(l->t, i);
		if (r->kind != REC_CHANGE || r->flag == 1 || r->what != field || r->clause < 0 || !*l->p->clause[r->clause].rule)
			continue;
		buf_puts(out, l->p->clause[r->clause].rule);
		return true;
	}
	return false;
}

void sum_part_text(const struct log *l, int32_t record, const struct part *p, struct buf *out)
{
	if (kept_text(l, record, p->text, out))
		return;

	const char *text = p->text;
	size_t end = strcspn(text, "(");
	if (!strncmp(text, "this ", 5))
		text += 5, end = strcspn(text, "(");
	while (end > 0 && text[end - 1] == ' ')
		end--;
	const char *owner = memchr(text, '\'', end);
	if (owner) {
		size_t n = (size_t)(owner - text), skip = n + (owner[1] == 's' ? 2 : 1);
		struct buf who = {0};
		while (skip < end && text[skip] == ' ')
			skip++;
		if (role_value(l, record, text, n, &who)) {
			bool s = who.length && who.data[who.length - 1] == 's';
			buf_printf(out, "%s%s ", buf_text(&who), s ? "'" : "'s");
			buf_add(out, text + skip, end - skip);
		} else {
			for (int i = 0; i < l->p->events && !who.length; i++)
				if (strlen(l->p->event[i].name) == n && !strncmp(l->p->event[i].name, text, n))
					buf_putc(&who, '.');
			if (who.length)
				buf_add(out, text + skip, end - skip);
			else
				buf_add(out, text, end);
		}
		buf_free(&who);
		return;
	}
	if (end == 0 && *text == '(') { /* a sum in brackets */
		buf_puts(out, text);
		return;
	}
	if (end > 3 && !strncmp(text + end - 3, " of", 3))
		end -= 3; /* "damage bonus of (preparations)" */
	if (!role_value(l, record, text, end, out))
		buf_add(out, text, end);
}

static void value_text(const struct program *p, struct vtype type, word value, struct buf *out)
{
	program_value(p, type, &value, out);
}

/* ---- items: parts, and in a question's place what it is made of ---- */

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
	const bool kept = kept_field(l->p, buf_text(&expression)) >= 0;
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
			const int32_t mark = mark_of(l, record, p);
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
			const int32_t mark = mark_of(l, record, p);
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

/* "attack roll 17 [d20, forced]", "+4 extra to-hit (OSRIC, 3)", "x 2 charging" */
static void item_line(const struct log *l, struct item *i, bool first, struct buf *out)
{
	struct buf number = {0};
	put_number(l->p, i, &number);
	const char *digits = buf_text(&number);
	bool negative = *digits == '-';
	const bool less = negative != (i->op == '-');
	if (adds(i->op) && first && i->text.length && !less) {
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
		buf_printf(out, "%s%s%s", buf_text(&one->text), one->text.length ? " " : "", digits + negative);
		if (one->roll >= 0)
			fall_text(l, one->roll, out);
		buf_free(&number);
	}
	items_free(&x);
}

void sum_figures(const struct log *l, const struct sum *s, const char *head, struct answer *out)
{
	const bool turn = s->compares && side_has_die(l, s->record, &s->right) && !side_has_die(l, s->record, &s->left);
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
		static const struct { const char *how, *word; } words[] = {{">=", "needed "}, {">", "needed more than "}, {"<=", "needed at most "}, {"<", "needed less than "},
			{"=", "needed "}, {"<>", "needed anything but "}};
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
	const bool turn = side_has_die(l, s->record, &s->right) && !side_has_die(l, s->record, &s->left);
	const struct side *one = turn ? &s->right : &s->left, *other = turn ? &s->left : &s->right;
	const char *how = !turn ? s->how : !strcmp(s->how, ">=") ? "<=" : !strcmp(s->how, "<=") ? ">=" : !strcmp(s->how, ">") ? "<" : !strcmp(s->how, "<") ? ">" : s->how;
	value_text(l->p, one->type, one->total, out);
	for (size_t i = 0; i < FRAY_COUNT(words); i++)
		if (!strcmp(how, words[i].how))
			buf_printf(out, " %s ", s->holds ? words[i].yes : words[i].no);
	value_text(l->p, other->type, other->total, out);
	if (!strcmp(how, ">="))
		buf_puts(out, " needed");
}
