/* moved.c - a pair clause that moved an act in the order, and the numbers that its condition compared.
 * See placing.h. */
#include <string.h>

#include "runtime/explain/placing.h"

enum { DEEP = 8 };

/* The numbers that the condition of a pair clause asked for of two acts, and of whose. */
struct compared { int32_t question; word who[2]; int32_t record[2]; };
typedef VEC(struct compared) comparisons;

/* Whom a question is about: the actor of an act, or the combatant. */
static word about_whom(const struct inquiry *s, int32_t question)
{
	const struct record q = *log_at(&s->log, question);
	const struct question_info *info = &s->p->question[q.what];
	const word *v = trace_values_at(s->t, &q);
	if (!v || info->params < 1 || info->param[0].base != VT_LIVE)
		return NONE;
	if (info->param[0].kind == KIND_COMBATANT)
		return v[0];
	const int32_t act = info->param[0].kind == KIND_ACT && v[0] != NONE ? log_act(&s->log, (int32_t)v[0], question) : -1;
	if (act < 0)
		return NONE;
	const struct record *r = log_at(&s->log, act);
	return r->kind == REC_KEY ? r->owner : log_actor(&s->log, r);
}

/* `unset`: those that come to nothing count, too. */
static void compared_within(const struct inquiry *s, int32_t record, bool unset, int depth, comparisons *out)
{
	for (int32_t i = log_child(&s->log, record); i >= 0 && depth < DEEP; i = log_sibling(&s->log, i)) {
		const struct record q = *log_at(&s->log, i);
		if (q.kind != REC_QUESTION || q.dropped || q.what < 0 || q.what >= s->p->questions)
			continue;
		const struct vtype t = s->p->question[q.what].type;
		if (!(vtype_is_number(t) || t.base == VT_TIME) || (q.value == NONE && !unset)) {
			compared_within(s, i, unset, depth + 1, out);
			continue;
		}
		const word who = about_whom(s, i);
		int k = 0;
		while (k < out->n && out->v[k].question != q.what)
			k++;
		if (who == NONE)
			continue;
		if (k == out->n) {
			struct compared one = {q.what, {who, NONE}, {i, -1}};
			VEC_PUSH(*out, one);
		} else if (out->v[k].who[0] != who && out->v[k].record[1] < 0) {
			out->v[k].who[1] = who;
			out->v[k].record[1] = i;
		}
	}
}

static void compared_value(const struct inquiry *s, const struct compared *c, int i, struct buf *out)
{
	const size_t from = out->length;
	const char *name = s->p->question[c->question].name;
	log_answer(&s->log, c->record[i], c->question, log_at(&s->log, c->record[i])->value, out);
	/* "segment 5", not "segment 5 segments" */
	const char *unit = strchr(out->data + from, ' ');
	if (unit && !strncmp(unit + 1, name, strlen(name)) && strlen(unit + 1) <= strlen(name) + 1) {
		out->length = (size_t)(unit - out->data);
		out->data[out->length] = '\0';
	}
}

/* "; factor 5 against 10": the first number in which the two differ. */
static void compared_sentence(const struct inquiry *s, const comparisons *all, word first, struct buf *out)
{
	for (int i = 0; i < all->n; i++) {
		const struct compared *c = &all->v[i];
		if (c->record[1] < 0 || log_at(&s->log, c->record[0])->value == log_at(&s->log, c->record[1])->value)
			continue;
		const int from = c->who[0] == first ? 0 : 1;
		buf_printf(out, ": %s ", s->p->question[c->question].name);
		compared_value(s, c, from, out);
		buf_puts(out, " against ");
		compared_value(s, c, !from, out);
		return;
	}
	/* "Grak's number is 2, Zel's segment 3": numbers of different names were compared */
	for (int i = 0; i < all->n && all->n == 2; i++) {
		buf_puts(out, i ? ", " : ": ");
		if (all->v[0].who[0] != all->v[1].who[0]) {
			program_owner(s->p, KIND_COMBATANT, all->v[i].who[0], out);
			buf_putc(out, ' ');
		}
		buf_printf(out, i ? "%s " : "%s is ", s->p->question[all->v[i].question].name);
		compared_value(s, &all->v[i], 0, out);
	}
}

/* Of numbers of different names: what each of them is, where a source says so. */
static void said_by(const struct inquiry *s, int32_t clause, struct answer *out)
{
	if (clause >= 0 && strstr(s->p->clause[clause].cite, ": "))
		answer_rule_of(s->p, out, clause);
}

static void compared_figures(const struct inquiry *s, const comparisons *all, struct answer *out)
{
	for (int i = 0; i < all->n; i++) {
		const struct compared *c = &all->v[i];
		struct buf b = {0}, ground = {0};
		const int n = c->record[1] < 0 ? 1 : 2;
		const bool equal = n == 2 && log_at(&s->log, c->record[0])->value == log_at(&s->log, c->record[1])->value;
		buf_printf(&b, "%s: ", s->p->question[c->question].name);
		for (int k = 0; k < n; k++) {
			buf_puts(&b, k ? ", " : "");
			program_live(s->p, KIND_COMBATANT, c->who[k], &b);
			buf_putc(&b, ' ');
			compared_value(s, c, k, &b);
			buf_clear(&ground);
			if (ground_of(&s->log, c->record[k], out, &ground))
				buf_printf(&b, " (%s)", buf_text(&ground));
			else if (n == 1 && all->n == 2)
				said_by(s, log_at(&s->log, c->record[k])->clause, out);
		}
		if (n == 2 ? !equal || ground.length : ground.length > 0 || all->n != 2)
			answer_figure(out, c->record[0], -1, "%s", buf_text(&b));
		buf_free(&b);
		buf_free(&ground);
	}
}

/* The two numbers of one act of somebody's that were compared. */
static bool two_of(const struct inquiry *s, int32_t question, word who, comparisons *out)
{
	compared_within(s, question, false, 0, out);
	return out->n == 2 && out->v[0].who[0] == who && out->v[1].who[0] == who && out->v[0].record[1] < 0 && out->v[1].record[1] < 0;
}

bool compared_apart(const struct inquiry *s, int32_t question, word who, struct buf *out)
{
	comparisons all = {0};
	const bool two = two_of(s, question, who, &all);
	if (two)
		compared_sentence(s, &all, who, out);
	VEC_FREE(all);
	return two;
}

bool compared_alone(const struct inquiry *s, int32_t question, word who, struct answer *out)
{
	comparisons all = {0};
	const bool two = two_of(s, question, who, &all);
	if (two)
		compared_figures(s, &all, out);
	VEC_FREE(all);
	return two;
}

/* The COMPARED record of two acts of one group; -1. */
static int32_t compared_record(const struct inquiry *s, const struct placing *a, const struct placing *b)
{
	for (int32_t i = a->root; i >= 0; i--) {
		const struct record *x = trace_look(s->t, i);
		if (x->kind == REC_GROUP && x->group == a->group)
			return -1;
		if (x->kind == REC_COMPARED && x->group == a->group && x->act == a->act && x->what == b->act)
			return i;
	}
	return -1;
}

static bool is_key(const struct inquiry *s, const struct placing *a, int32_t question)
{
	for (int k = 0; k < a->keys; k++)
		if (!strcmp(a->at[k].name, s->p->question[question].name))
			return true;
	return false;
}

bool compared_told(const struct inquiry *s, const struct placing *a, const struct placing *b, struct answer *out)
{
	int32_t record = compared_record(s, a, b);
	comparisons all = {0};
	bool any = false;
	if (record < 0)
		record = compared_record(s, b, a);
	if (record >= 0)
		compared_within(s, record, true, 0, &all);
	for (int i = 0; i < all.n; i++) {
		const struct compared *c = &all.v[i];
		if (c->record[1] < 0 || is_key(s, a, c->question))
			continue;
		const word x = log_at(&s->log, c->record[0])->value, y = log_at(&s->log, c->record[1])->value;
		const char *name = s->p->question[c->question].name;
		if ((x != y && x != NONE && y != NONE) || (x == NONE && y == NONE))
			continue;
		buf_printf(&out->about, any ? ", %s " : "; nothing else parts them: %s ", name);
		for (int k = 0; k < 2; k++) {
			program_live(s->p, KIND_COMBATANT, c->who[k], &out->about);
			buf_putc(&out->about, ' ');
			if (log_at(&s->log, c->record[k])->value == NONE)
				buf_puts(&out->about, "none");
			else
				compared_value(s, c, k, &out->about);
			buf_puts(&out->about, k ? "" : ", ");
		}
		for (int k = 0; k < 2; k++)
			answer_rule_of(s->p, out, log_at(&s->log, c->record[k])->clause);
		any = true;
	}
	VEC_FREE(all);
	return any;
}

word moved_by(const struct inquiry *s, int32_t moved)
{
	const int32_t other = log_act(&s->log, log_at(&s->log, moved)->what, moved);
	const struct record *o = other >= 0 ? log_at(&s->log, other) : NULL;
	return !o ? NONE : o->kind == REC_KEY ? o->owner : log_actor(&s->log, o);
}

void moved_rule_told(const struct inquiry *s, const struct placing *who, int32_t moved, struct answer *out)
{
	const int32_t clause = log_at(&s->log, moved)->clause;
	comparisons all = {0};
	compared_within(s, moved, false, 0, &all);
	if (clause >= 0 && *s->p->clause[clause].rule)
		buf_printf(&out->about, " by the rule \"%s\"", s->p->clause[clause].rule);
	compared_sentence(s, &all, who->who, &out->about);
	compared_figures(s, &all, out);
	answer_rule_of(s->p, out, clause);
	VEC_FREE(all);
}

void moved_told(const struct inquiry *s, const struct placing *who, word other, int32_t moved, struct answer *out)
{
	static const char *const verb[] = {"goes before", "waits for", "acts together with", "goes with", "stays apart from"};
	const struct record m = *log_at(&s->log, moved);
	program_live(s->p, KIND_COMBATANT, who->who, &out->about);
	buf_printf(&out->about, " %s ", m.flag < FRAY_COUNT(verb) ? verb[m.flag] : "is moved because of");
	if (other != NONE)
		program_live(s->p, KIND_COMBATANT, other, &out->about);
	else
		buf_puts(&out->about, "another act");
	moved_rule_told(s, who, moved, out);
}

void moved_between_told(const struct inquiry *s, int32_t from, int32_t by, int32_t act, word whose, struct answer *out)
{
	const int32_t other = log_at(&s->log, by)->act, moved = other < 0 ? -1 : placing_between(&s->log, from, act, other);
	struct placing first;
	struct answer told;
	memset(&told, 0, sizeof told);
	if (moved < 0)
		return;
	placing_of(&s->log, by, &first);
	program_live(s->p, KIND_COMBATANT, first.who, &told.about);
	buf_puts(&told.about, " acts before ");
	program_live(s->p, KIND_COMBATANT, whose, &told.about);
	moved_rule_told(s, &first, moved, &told);
	answer_figure(out, moved, -1, "%s", buf_text(&told.about));
	answer_rule_of(s->p, out, log_at(&s->log, moved)->clause);
	answer_free(&told);
}
