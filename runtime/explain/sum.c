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

bool sum_side_has_die(const struct log *l, int32_t record, const struct side *side)
{
	for (int i = 0; i < side->n; i++)
		if (sum_roll(l, record, &side->part[i]) >= 0)
			return true;
	return false;
}

bool sum_has_die(const struct log *l, const struct sum *s)
{
	return sum_side_has_die(l, s->record, &s->left) || sum_side_has_die(l, s->record, &s->right);
}

static bool is_zero(const struct side *side)
{
	return side->n == 1 && !*side->part[0].text && side->part[0].value == 0;
}

/* What is none is reached by nothing: a number that somebody has not. */
static bool is_none(const struct side *x)
{
	return x->n > 0 && x->total == NONE;
}

bool sum_counts_down(const struct sum *s)
{
	return s->resolved && s->how && !strcmp(s->how, ">") && s->right.n == 1 &&
		!*s->right.part[0].text && vtype_is_number(s->right.type) && !s->right.type.frac &&
		s->right.total == 1;
}

bool sum_is_trivial(const struct sum *s)
{
	return is_none(&s->right) || (!s->resolved && (is_zero(&s->left) || is_zero(&s->right)));
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

/* Is it a mark of the event, whose name holds that of a question: "extra to-hit"? */
static bool is_mark(const struct program *p, const char *text, const char *question)
{
	for (int i = 0; i < p->kepts; i++)
		if (strlen(p->kept[i]) > strlen(question) && word_in(text, p->kept[i]) &&
			word_in(p->kept[i], question))
			return true;
	return false;
}

int32_t sum_question(const struct log *l, int32_t record, const struct part *p)
{
	int32_t found = -1;
	if (!*p->text)
		return -1;
	for (int32_t i = log_child(l, log_at(l, record)->parent); i >= 0 && i < record; i = log_sibling(l, i)) {
		const struct record *r = log_at(l, i);
		if (r->kind == REC_QUESTION && !r->dropped && r->what >= 0 &&
			r->what < l->p->questions && r->value == p->value &&
			word_in(p->text, l->p->question[r->what].name) &&
			!is_mark(l->p, p->text, l->p->question[r->what].name))
			found = i;
	}
	return found;
}

/* The MARK record that set what a part reads, of an event in progress then; -1. */
int32_t sum_mark(const struct log *l, int32_t record, const struct part *p)
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
int sum_kept_field(const struct program *p, const char *text)
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
	const int field = sum_kept_field(l->p, text);
	for (int32_t i = field < 0 ? -1 : record - 1; i >= 0; i--) {
		const struct record *r = trace_look(l->t, i);
		if (r->kind != REC_CHANGE || r->flag == 1 || r->what != field || r->clause < 0 || !*l->p->clause[r->clause].rule)
			continue;
		buf_puts(out, l->p->clause[r->clause].rule);
		return true;
	}
	return false;
}

/* "5 * (combatant's hit dice - 1)": a whole expression, with the names put in for roles. */
static void expression_text(const struct log *l, int32_t record, const char *text, struct buf *out)
{
	int open = 0; /* the last bracket may be left out */
	for (const char *at = text; *at; at++)
		open += (*at == '(') - (*at == ')');
	while (*text) {
		size_t n = strcspn(text, "'()+*/ ");
		if (n && text[n] == '\'' && role_value(l, record, text, n, out)) {
			buf_puts(out, out->data[out->length - 1] == 's' ? "'" : "'s");
			n += text[n + 1] == 's' ? 2 : 1;
		} else {
			n += n == 0;
			buf_add(out, text, n);
		}
		text += n;
	}
	buf_fill(out, ')', open > 0 ? open : 0);
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
	if (end > 0 && text[end] && strchr("+-*/", text[end - 1])) {
		expression_text(l, record, text, out);
		return;
	}
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

int32_t sum_after(const struct log *l, int32_t roll)
{
	int32_t found = -1;
	for (int32_t i = log_child(l, log_at(l, roll)->parent); i >= 0; i = log_sibling(l, i)) {
		const struct record r = *log_at(l, i);
		struct sum s;
		if (i <= roll || r.dropped)
			continue;
		if (r.kind == REC_ROLL || (r.kind == REC_EVENT && found >= 0))
			break;
		if (r.kind == REC_SUM && sum_read(l, i, &s) && s.compares && sum_has_die(l, &s) &&
			!is_none(&s.right))
			found = i;
	}
	return found;
}
