/* explain_field.c - where a stored value that a rule reads comes from: the die behind it.
 *
 *   base 5                             osric: segment (3)
 *     party's initiative is 5, by the roll: party's initiative 5 [forced]
 *
 * What a rule reads is found by its text, whose it is by the subject of the question; a value
 * somebody else holds ("the others' highest die") is named where it is the answer itself. */
#include <ctype.h>
#include <string.h>

#include "runtime/explain/placing.h"
#include "runtime/explain/why.h"

enum { SEEN_MOST = 16, ROLLS_BACK = 16 };

/* A name as a whole word of a text. */
static bool reads(const char *text, size_t length, const char *name)
{
	size_t n = strlen(name);
	for (size_t at = 0; n && at + n <= length; at++) {
		bool begins = at == 0 || !isalnum((unsigned char)text[at - 1]);
		if (begins && !strncmp(text + at, name, n) && (at + n == length || !isalnum((unsigned char)text[at + n])))
			return true;
	}
	return false;
}

/* "other", or what an act keeps of somebody else: its target. */
static bool is_other(const struct program *p, const char *part, size_t length)
{
	if (length == strlen("other") && !strncmp(part, "other", length))
		return true;
	for (int i = 0; i < p->fields; i++) {
		const struct field_info *f = &p->field[i];
		if (f->kind == KIND_ACT && i != p->at.act_actor && f->type.base == VT_LIVE && f->type.kind == KIND_COMBATANT &&
			strlen(f->name) == length && !strncmp(f->name, part, length))
			return true;
	}
	return false;
}

/* "other's initiative", "act's target's side's initiative": of those whom the question is not about. */
static bool reads_of_others(const struct program *p, const char *text, size_t length, const char *name)
{
	const size_t n = strlen(name);
	for (size_t at = 0; n && at + n <= length; at++) {
		if (strncmp(text + at, name, n) || (at + n < length && isalnum((unsigned char)text[at + n])))
			continue;
		for (size_t end = at; end > 3 && !strncmp(text + end - 3, "'s ", 3);) {
			size_t begin = end - 3;
			while (begin > 0 && isalnum((unsigned char)text[begin - 1]))
				begin--;
			if (is_other(p, text + begin, end - 3 - begin))
				return true;
			end = begin;
		}
	}
	return false;
}

static word side_of(const struct log *l, word combatant)
{
	const struct program *p = l->p;
	const struct field_info *f = &p->field[p->at.combatant_side];
	return combatant >= 0 && combatant < p->lives[KIND_COMBATANT] ? p->start[f->base + (uint32_t)combatant * f->stride] : NONE;
}

/* Whether what an owner of that kind has belongs to whom the question is about. */
static bool is_his(const struct log *l, int32_t question, int of, word owner)
{
	const struct program *p = l->p;
	const struct record *q = log_at(l, question);
	const struct question_info *info = &p->question[q->what];
	const word *v = trace_values_at(l->t, q);
	if (!v || info->params == 0 || info->param[0].base != VT_LIVE)
		return false;
	word subject = v[0];
	int kind = info->param[0].kind;
	if (kind == KIND_ACT) {
		int32_t act = log_act(l, (int32_t)subject, question);
		subject = act >= 0 ? (log_at(l, act)->kind == REC_KEY ? log_at(l, act)->owner : log_actor(l, log_at(l, act))) : NONE;
		kind = KIND_COMBATANT;
	}
	if (of == kind)
		return owner == subject;
	return kind == KIND_COMBATANT && of == KIND_SIDE && owner == side_of(l, subject);
}

/* The roll that a change took its value from; -1: none. */
static int32_t roll_behind(const struct log *l, int32_t change)
{
	const struct record *c = log_at(l, change);
	for (int32_t i = change - 1; i >= 0 && i >= change - ROLLS_BACK; i--) {
		const struct record *r = log_at(l, i);
		if (r->kind == REC_ROLL && !r->dropped && r->parent == c->parent && r->owner == c->owner && r->value == c->value)
			return i;
	}
	return -1;
}

static void origin_line(struct why *w, int32_t change, int32_t roll, int depth)
{
	const struct record *c = log_at(&w->log, change), *r = log_at(&w->log, roll);
	struct buf b = {0};
	log_place(&w->log, c, &b);
	buf_puts(&b, " is ");
	program_value(w->log.p, w->log.p->field[c->what].type, &c->value, &b);
	buf_puts(&b, ", by the roll: ");
	log_label(&w->log, r, &b);
	buf_putc(&b, ' ');
	log_total(&w->log, r, &b);
	log_fall(&w->log, r, true, &b);
	why_statement(w, depth, INK_DIE, buf_text(&b), c->clause);
	buf_free(&b);
}

/* The roll of the round that a value shows although nothing changed: it fell as it had fallen
 * before. With `others` one of those that a clause reads of others. */
static int32_t roll_again(const struct log *l, int32_t base, int32_t question, const char *text,
	size_t length, bool others)
{
	const struct record b = *log_at(l, base);
	const struct vtype type = l->p->question[log_at(l, question)->what].type;
	const bool whole = !type.frac || (frac_sound(b.value) && frac_bottom(b.value) == 1);
	const word shown = type.frac && whole ? frac_top(b.value) : b.value;
	for (int32_t i = base - 1; whole && i >= 0 && trace_look(l->t, i)->round == b.round; i--) {
		const struct record *r = trace_look(l->t, i);
		if (r->kind != REC_ROLL || r->dropped || r->what < 0 || r->what >= l->p->labels || r->value != shown)
			continue;
		const struct label_info *label = &l->p->label[r->what];
		if (label->owner.base == VT_LIVE && reads(text, length, label->name) &&
			reads_of_others(l->p, text, length, label->name) == others &&
			is_his(l, question, label->owner.kind, r->owner) != others)
			return i;
	}
	return -1;
}

int origin_find(const struct log *l, int32_t base, int32_t question, struct origin *out, int most)
{
	const struct program *p = l->p;
	const struct record base_ = *log_at(l, base), question_ = *log_at(l, question); /* kept through a long look back */
	const struct record *b = &base_, *q = &question_;
	int32_t stored = p->question[q->what].stored;
	const char *text = b->clause >= 0 && b->clause < p->clauses && p->clause[b->clause].text ? p->clause[b->clause].text : "";
	const char *from = strchr(text, '='), *to = strstr(text, " when ");
	struct { int32_t what; word owner; } seen[SEEN_MOST];
	int n = 0;
	from = from ? from + 1 : text;
	most = most < SEEN_MOST ? most : SEEN_MOST;
	size_t length = to && to > from ? (size_t)(to - from) : strlen(from);
	/* his own first; what is only as much is named when nothing of his is read; then a die that
	 * fell as before; his own of rounds before, which nothing has changed since */
	for (int pass = 0; pass < 3 && n == 0; pass++) {
		const bool again = pass == 2 && most > 0 && b->clause >= 0;
		int32_t roll = again ? roll_again(l, base, question, from, length, false) : -1;
		if (again && roll < 0)
			roll = roll_again(l, base, question, from, length, true);
		if (roll >= 0) {
			out[n++] = (struct origin){-1, roll};
			break;
		}
		for (int32_t i = trace_back(l->t, base - 1, 1u << REC_CHANGE);
			i >= 0 && n < most && (pass == 2 || trace_look(l->t, i)->round == q->round);
			i = trace_back(l->t, i - 1, 1u << REC_CHANGE)) {
			const struct record *c = trace_look(l->t, i);
			if (c->kind != REC_CHANGE || c->flag != 0 || c->dropped || c->what < 0 || c->what >= p->fields)
				continue;
			c = log_at(l, i);
			const struct field_info *f = &p->field[c->what];
			bool named = b->clause < 0 ? c->what == stored : reads(from, length, f->name);
			bool his = named && !f->hidden && is_his(l, question, f->kind, c->owner);
			bool others = b->clause >= 0 && reads_of_others(p, from, length, f->name);
			if (f->hidden || !named || (his && others) || his != (pass != 1) ||
				(!his && c->value != b->value))
				continue;
			bool before = false;
			for (int k = 0; k < n; k++)
				before |= seen[k].what == c->what && seen[k].owner == c->owner;
			if (before)
				continue;
			seen[n].what = c->what;
			seen[n].owner = c->owner;
			out[n].change = i;
			out[n++].roll = roll_behind(l, i);
		}
	}
	return n;
}

void why_fields(struct why *w, int32_t base, int32_t question, int depth)
{
	struct origin origin[SEEN_MOST];
	const int n = origin_find(&w->log, base, question, origin, SEEN_MOST);
	for (int i = 0; i < n; i++)
		if (origin[i].roll >= 0 && origin[i].change >= 0)
			origin_line(w, origin[i].change, origin[i].roll, depth);
}
