/* ground.c - what a value in the order rests on: dice, adjustments, the act that left it pending. See placing.h. */
#include <ctype.h>
#include <string.h>

#include "runtime/explain/placing.h"

enum { DEEP = 8, ORIGINS = 4 };

static bool ends_with(const char *text, const char *end)
{
	const size_t n = strlen(text), m = strlen(end);
	return n >= m && !strcmp(text + n - m, end);
}

void ground_die_name(const struct log *l, int32_t roll, struct buf *out)
{
	const struct record r = *log_at(l, roll);
	const struct label_info *label = r.what >= 0 && r.what < l->p->labels ? &l->p->label[r.what] : NULL;
	if (!label || (label->owner.base == VT_LIVE && label->owner.kind == KIND_SIDE))
		buf_puts(out, "the ");
	log_label(l, &r, out);
}

void ground_die_owner(const struct log *l, int32_t roll, struct buf *out)
{
	const struct record r = *log_at(l, roll);
	const struct label_info *label = r.what >= 0 && r.what < l->p->labels ? &l->p->label[r.what] : NULL;
	if (!label || label->owner.base != VT_LIVE || r.owner == NONE) {
		ground_die_name(l, roll, out);
		return;
	}
	buf_puts(out, label->owner.kind == KIND_SIDE ? "the " : "");
	program_owner(l->p, label->owner.kind, r.owner, out);
}

/* "the orcs' initiative die, 4 (forced)" */
static void die_told(const struct log *l, int32_t roll, struct buf *out)
{
	const struct record r = *log_at(l, roll);
	const char *name = r.what >= 0 && r.what < l->p->labels ? l->p->label[r.what].name : "die";
	ground_die_name(l, roll, out);
	buf_puts(out, ends_with(name, "die") || ends_with(name, "roll") || ends_with(name, "dice") ? ", " : " die, ");
	log_total(l, &r, out);
	if (r.flag != DIE_ROLLED)
		buf_printf(out, " (%s)", die_source_name(r.flag));
}

/* What a clause reads its value from: behind "=", before "when". */
static const char *body(const struct program *p, int32_t clause, size_t *length)
{
	const char *text = clause >= 0 && clause < p->clauses && p->clause[clause].text ? p->clause[clause].text : "";
	const char *from = strchr(text, '='), *to;
	from = from ? from + 1 : text;
	to = strstr(from, " when ");
	*length = to ? (size_t)(to - from) : strlen(from);
	return from;
}

static bool has_name(const char *text, size_t length, const char *name)
{
	const size_t n = strlen(name);
	for (size_t at = 0; n && at + n <= length; at++)
		if (!strncmp(text + at, name, n) && (at == 0 || !isalnum((unsigned char)text[at - 1])) && (at + n == length || !isalnum((unsigned char)text[at + n])))
			return true;
	return false;
}

static int32_t part_of(const struct log *l, int32_t question, int kind)
{
	for (int32_t i = log_child(l, question); i >= 0; i = log_sibling(l, i))
		if (log_at(l, i)->kind == kind && !log_at(l, i)->dropped)
			return i;
	return -1;
}

/* What a question's value begins with: the BASE record, or its own where that is all of it; -1: nothing. */
static int32_t base_of(const struct log *l, int32_t question)
{
	const int32_t base = part_of(l, question, REC_BASE);
	return base < 0 && log_at(l, question)->clause >= 0 ? question : base;
}

static bool counts(struct vtype t)
{
	return vtype_is_number(t) || t.base == VT_TIME;
}

/* The next question, from `i` on among its siblings, that the base of `question` reads its value from. */
static int32_t read_next(const struct log *l, int32_t i, int32_t clause)
{
	size_t n;
	const char *text = body(l->p, clause, &n);
	for (; i >= 0; i = log_sibling(l, i)) {
		const struct record q = *log_at(l, i);
		if (q.kind == REC_QUESTION && !q.dropped && q.what >= 0 && q.what < l->p->questions && counts(l->p->question[q.what].type) &&
		    has_name(text, n, l->p->question[q.what].name))
			return i;
	}
	return -1;
}

/* Is the number of a question, or of one of its parts, what a die shows? */
static bool shows(const struct log *l, int32_t question, word value, word face)
{
	const struct vtype t = l->p->question[log_at(l, question)->what].type;
	if (t.frac && frac_sound(value))
		return frac_bottom(value) == 1 && frac_top(value) == face;
	return value == face;
}

int32_t ground_read(const struct log *l, int32_t question)
{
	const int32_t base = base_of(l, question);
	if (base < 0 || log_at(l, base)->value != log_at(l, question)->value)
		return -1;
	const int32_t next = read_next(l, log_child(l, question), log_at(l, base)->clause);
	return next >= 0 && shows(l, question, log_at(l, question)->value, log_at(l, next)->value) ? next : -1;
}

int32_t ground_die(const struct log *l, int32_t question)
{
	for (int depth = 0; question >= 0 && depth < DEEP; depth++) {
		const int32_t base = base_of(l, question);
		struct origin o[ORIGINS];
		if (base < 0 || log_at(l, base)->value != log_at(l, question)->value)
			return -1;
		const int n = origin_find(l, base, question, o, ORIGINS);
		if (n == 1 && o[0].roll >= 0 && shows(l, question, log_at(l, question)->value, log_at(l, o[0].roll)->value))
			return o[0].roll;
		/* a time is the round's start and what is read; of two numbers the one is the other */
		const bool time = l->p->question[log_at(l, question)->what].type.base == VT_TIME;
		question = time ? read_next(l, log_child(l, question), log_at(l, base)->clause) : ground_read(l, question);
	}
	return -1;
}

static void next_ground(struct buf *out, size_t from)
{
	buf_puts(out, out->length > from ? "; " : "");
}

/* Adjustments that are not zero, and a limit that cut. */
static void parts_told(const struct log *l, int32_t question, struct answer *rules, size_t from, struct buf *out)
{
	const struct record q = *log_at(l, question);
	const struct vtype type = l->p->question[q.what].type;
	word sum = 0;
	bool whole = !type.frac && type.base != VT_CHANCE;
	for (int32_t i = log_child(l, question); i >= 0; i = log_sibling(l, i)) {
		const struct record r = *log_at(l, i);
		if (r.dropped || (r.kind != REC_BASE && r.kind != REC_ADJUST && r.kind != REC_BOUND))
			continue;
		if (r.kind == REC_BASE || r.kind == REC_ADJUST)
			sum = r.value == NONE || !whole ? sum : sum + r.value;
		bool cut = r.kind == REC_BOUND && whole && r.value == q.value && sum != q.value;
		if (cut)
			sum = q.value;
		if (!cut && (r.kind != REC_ADJUST || log_is_zero(type, r.value)))
			continue;
		/* a question that reads another may have been changed by the same rule */
		if (!cut && r.clause >= 0 && *l->p->clause[r.clause].rule) {
			struct buf part = {0};
			log_change(l->p, type, r.value, &part);
			buf_printf(&part, " for %s", l->p->clause[r.clause].rule);
			const bool said = strstr(buf_text(out) + from, buf_text(&part)) != NULL;
			buf_free(&part);
			if (said)
				continue;
		}
		next_ground(out, from);
		/* a moment counted from the begin of the fight says nothing to anybody */
		if (cut && type.base == VT_TIME && r.clause >= 0 && *l->p->clause[r.clause].rule) {
			buf_printf(out, "limited by the rule \"%s\"", l->p->clause[r.clause].rule);
		} else if (cut) {
			struct buf b = {0};
			log_answer(l, question, q.what, r.value, &b);
			buf_printf(out, "kept to %s", buf_text(&b));
			buf_free(&b);
		} else {
			log_change(l->p, type, r.value, out);
			if (r.clause >= 0 && *l->p->clause[r.clause].rule)
				buf_printf(out, " for %s", l->p->clause[r.clause].rule);
		}
		answer_rule_of(l->p, rules, r.clause);
	}
}

/* "; -2 for dexterity initiative": what a base of two terms adds to the one that was told, whose value is `told`. */
static void rest_told(const struct log *l, int32_t question, int32_t base, word said, struct buf *out)
{
	const struct vtype type = l->p->question[log_at(l, question)->what].type;
	const word value = log_at(l, base)->value;
	size_t n;
	const char *text = body(l->p, log_at(l, base)->clause, &n), *by = NULL;
	for (size_t i = 0; i + 3 < n; i++)
		if (!strncmp(text + i, " + ", 3) || !strncmp(text + i, " - ", 3)) {
			if (by)
				return;
			by = text + i;
		}
	if (!by || type.frac || type.base != VT_NUMBER || value == NONE || said == NONE || value == said)
		return;
	const char *name = by + 3, *end = text + n;
	for (const char *at = name; at + 3 <= end; at++)
		name = !strncmp(at, "'s ", 3) ? at + 3 : name;
	if (name >= end || strcspn(name, "()*/") < (size_t)(end - name))
		return;
	buf_puts(out, "; ");
	log_change(l->p, type, value - said, out);
	buf_puts(out, " for ");
	buf_add(out, name, (size_t)(end - name));
}

static bool told(const struct log *l, int32_t question, struct answer *rules, size_t from, int depth, struct buf *out)
{
	const int32_t base = base_of(l, question);
	const size_t before = out->length;
	struct origin o[ORIGINS];
	if (base < 0 || depth > DEEP)
		return false;
	const int32_t clause = log_at(l, base)->clause;
	const int n = origin_find(l, base, question, o, ORIGINS);
	word said = NONE;
	int terms = 0;
	for (int i = 0; i < n; i++)
		if (o[i].roll >= 0) {
			said = log_at(l, o[i].roll)->value;
			terms++;
			struct buf die = {0};
			die_told(l, o[i].roll, &die);
			if (!strstr(buf_text(out) + from, buf_text(&die))) { /* several questions read one die */
				next_ground(out, from);
				buf_puts(out, buf_text(&die));
			}
			answer_rule_of(l->p, rules, clause);
			buf_free(&die);
		}
	if (out->length == before)
		for (int32_t i = read_next(l, log_child(l, question), clause); i >= 0; i = read_next(l, log_sibling(l, i), clause))
			if (told(l, i, rules, from, depth + 1, out)) {
				said = log_at(l, i)->value;
				terms += l->p->question[log_at(l, i)->what].type.base == VT_NUMBER ? 1 : 2;
			}
	if (terms == 1)
		rest_told(l, question, base, said, out);
	parts_told(l, question, rules, from, out);
	return out->length > before;
}

bool ground_of(const struct log *l, int32_t question, struct answer *rules, struct buf *out)
{
	return question >= 0 && told(l, question, rules, out->length, 0, out);
}

/* The act that the event of a PEND record happened in, with a key of its own; false: it happened in none. */
static bool pended_in(const struct log *l, int32_t pend, int32_t act, struct placing *out)
{
	for (int32_t i = log_at(l, pend)->parent; i >= 0; i = log_at(l, i)->parent)
		if (log_at(l, i)->kind == REC_EVENT && log_at(l, i)->act >= 0 && log_at(l, i)->act != act) {
			placing_of(l, i, out);
			return out->key >= 0 && out->keys > 0;
		}
	return false;
}

static bool ground_within(const struct log *l, const struct placing *a, int key, struct answer *rules, int depth, struct buf *out)
{
	const struct key *k = &a->at[key];
	size_t n, from = out->length;
	if (k->record < 0)
		return false;
	const int32_t base = base_of(l, k->record), pend = k->time && base >= 0 ? placing_pended(l, a) : -1;
	const char *text = body(l->p, base >= 0 ? log_at(l, base)->clause : -1, &n);
	struct placing cause;
	int c = 0;
	if (pend < 0 || depth > DEEP || !has_name(text, n, "due") || !pended_in(l, pend, a->act, &cause))
		return ground_of(l, k->record, rules, out);
	while (c < cause.keys && !cause.at[c].time)
		c++;
	if (c == cause.keys)
		return false;
	if (cause.at[c].value == k->value) /* a step of what goes on at that moment */
		return ground_within(l, &cause, c, rules, depth + 1, out);
	struct buf when = {0}, what = {0};
	word delay = k->value - cause.at[c].value;
	placing_value(l, &cause, c, &when);
	buf_printf(out, "begun in %s", buf_text(&when));
	if (cause.round != a->round)
		buf_printf(out, " of round %d", cause.round);
	if (ground_within(l, &cause, c, rules, depth + 1, &what))
		buf_printf(out, " (%s)", buf_text(&what));
	buf_puts(out, ", and due ");
	program_value(l->p, k->type, &delay, out);
	buf_puts(out, " later");
	answer_rule_of(l->p, rules, log_at(l, pend)->clause);
	buf_free(&when);
	buf_free(&what);
	return out->length > from;
}

bool ground_of_key(const struct log *l, const struct placing *a, int key, struct answer *rules, struct buf *out)
{
	const int32_t record = a->at[key].record,
				  base = record >= 0 ? base_of(l, record) : -1;
	const int32_t clause = base >= 0 ? log_at(l, base)->clause : -1;
	const struct clause_info *c = clause >= 0 ? &l->p->clause[clause] : NULL;
	bool grounded = ground_within(l, a, key, rules, 0, out);
	/* a moment of its own, which not everybody's is: a second routine's, one that was waited for */
	size_t n;
	const char *text = body(l->p, clause, &n);
	if (a->at[key].time && c && c->conditional && *c->rule && !has_name(text, n, "due")) {
		buf_printf(out, "%sby the rule \"%s\"", grounded ? ", " : "", c->rule);
		answer_rule_of(l->p, rules, clause);
		grounded = true;
	}
	return grounded;
}
