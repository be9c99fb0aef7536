/* order_key.c - the key in which two acts differ, in the words of the table: the dice behind it, the value
 * of what a stat block has, or what the rule says that gave it. See placing.h. */
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"
#include "runtime/explain/placing.h"

static bool is_label(const struct program *p, const char *name)
{
	for (int32_t i = 0; i < p->labels; i++)
		if (!strcmp(p->label[i].name, name))
			return true;
	return false;
}

/* A field of combatants or sides; of acts only rules have. */
static bool is_field(const struct program *p, const char *name)
{
	for (int32_t i = 0; i < p->fields; i++)
		if ((p->field[i].kind == KIND_COMBATANT || p->field[i].kind == KIND_SIDE) && !strcmp(p->field[i].name, name))
			return true;
	for (int32_t i = 0; i < p->thing_fields; i++)
		if (!strcmp(p->thing_field[i].name, name))
			return true;
	return false;
}

bool order_key_printed(const struct inquiry *s, const struct placing *a, int key)
{
	const struct key *k = &a->at[key];
	if (k->time || k->value == NONE)
		return false;
	if (k->type.base == VT_WORD || k->type.base == VT_TEXT)
		return true;
	return !log_is_zero(k->type, k->value) && (is_field(s->p, k->name) || is_label(s->p, k->name));
}

/* The question whose value the key is: it reads that of another, and has no other part. */
static int32_t read_through(const struct inquiry *s, int32_t record)
{
	for (int32_t next = record; next >= 0; next = ground_read(&s->log, next)) {
		const char *name = s->p->question[log_at(&s->log, next)->what].name;
		record = next;
		if (is_field(s->p, name) || is_label(s->p, name))
			break;
	}
	return record;
}

/* What the value of a key is called at the table: "speed factor"; NULL: only rules have a name for it. */
static const char *called(const struct inquiry *s, const struct placing *a, int key)
{
	const struct key *k = &a->at[key];
	if (k->value == NONE)
		return NULL;
	if (k->type.base == VT_WORD || k->type.base == VT_TEXT || is_field(s->p, k->name) || is_label(s->p, k->name))
		return k->name;
	if (k->record < 0)
		return NULL;
	const char *name = s->p->question[log_at(&s->log, read_through(s, k->record))->what].name;
	return is_field(s->p, name) || is_label(s->p, name) ? name : NULL;
}

/* The clause that gave a key its value: the last that added to it or bounded it, else the one it began with. A stored
 * value's is the clause that left the act pending with it. */
static int32_t given_by(const struct inquiry *s, const struct placing *a, int key)
{
	const struct key *k = &a->at[key];
	if (k->record < 0) {
		const int32_t pend = k->value != NONE && k->value != 0 ? placing_pended(&s->log, a) : -1;
		return pend >= 0 ? log_at(&s->log, pend)->clause : -1;
	}
	const struct record *q = log_at(&s->log, k->record);
	const struct vtype type = s->p->question[q->what].type;
	int32_t clause = q->clause;
	for (int32_t i = log_child(&s->log, k->record); i >= 0; i = log_sibling(&s->log, i)) {
		const struct record *r = log_at(&s->log, i);
		if (!r->dropped && ((r->kind == REC_BASE && clause < 0) || (r->kind == REC_ADJUST && !log_is_zero(type, r->value))))
			clause = r->clause;
	}
	return clause;
}

/* The rule to be cited of two that gave different values: the one that holds for some acts only. */
static int32_t telling(const struct inquiry *s, const struct placing *a, const struct placing *b, int key)
{
	const int32_t x = given_by(s, a, key), y = given_by(s, b, key);
	if (x >= 0 && (s->p->clause[x].conditional || y < 0 || !s->p->clause[y].conditional))
		return x;
	return y;
}

static void name_add(const struct inquiry *s, word who, struct buf *out)
{
	program_live(s->p, KIND_COMBATANT, who, out);
}

static void owner_add(const struct inquiry *s, word who, struct buf *out)
{
	program_owner(s->p, KIND_COMBATANT, who, out);
}

bool order_figure(const struct inquiry *s, const struct placing *a, int key, struct answer *out)
{
	struct buf b = {0}, ground = {0};
	const struct key *k = &a->at[key];
	const bool grounded = ground_of_key(&s->log, a, key, out, &ground);
	const char *name = k->time ? NULL : called(s, a, key);
	name_add(s, a->who, &b);
	if (name)
		buf_printf(&b, ", %s ", name);
	else if (k->time)
		buf_puts(&b, ", ");
	if (name || k->time)
		placing_value(&s->log, a, key, &b);
	const int32_t clause = k->record >= 0 ? log_at(&s->log, k->record)->clause : -1;
	/* a moment that a rule reads from the line itself: where that stands */
	const int32_t declared = !strncmp(buf_text(&ground), "by the rule", 11) && k->time
		? event_declared(&s->log, a->root)
		: -1;
	if (declared >= 0 && log_at(&s->log, declared)->kind == REC_DECLARE)
		absence_said_by(s, declared, &ground);
	if (grounded)
		answer_figure(out, a->key, -1, "%s: %s", buf_text(&b), buf_text(&ground));
	if (!grounded || (clause >= 0 && s->p->clause[clause].conditional))
		answer_rule_of(s->p, out, clause);
	buf_free(&b);
	buf_free(&ground);
	return grounded;
}

void order_dice(const struct inquiry *s, int32_t x, int32_t y, const char *is, const char *joint, struct buf *out)
{
	ground_die_name(&s->log, x, out);
	buf_printf(out, "%s %lld%s ", is, (long long)log_at(&s->log, x)->value, joint);
	if (log_at(&s->log, x)->what == log_at(&s->log, y)->what)
		ground_die_owner(&s->log, y, out);
	else
		ground_die_name(&s->log, y, out);
	buf_printf(out, " %lld", (long long)log_at(&s->log, y)->value);
}

/* "Ada's speed factor is 2, Cole's 5, and the lowest goes first" */
static void values_told(const struct inquiry *s, const struct placing *a, const struct placing *b, int key, const char *name, struct buf *out)
{
	const struct key *k = &a->at[key];
	owner_add(s, a->who, out);
	buf_printf(out, " %s is ", name);
	placing_value(&s->log, a, key, out);
	buf_puts(out, ", ");
	owner_add(s, b->who, out);
	buf_putc(out, ' ');
	placing_value(&s->log, b, key, out);
	if (k->type.base == VT_WORD || k->type.base == VT_TEXT) {
		buf_puts(out, ", and ");
		placing_value(&s->log, a, key, out);
		buf_puts(out, " comes first");
	} else {
		buf_printf(out, ", and the %s goes first", k->highest ? "highest" : "lowest");
	}
}

/* What has a unit of the table's is understood without the key's name: "18 ft". */
static bool is_measure(struct vtype t)
{
	return t.base == VT_DISTANCE || t.base == VT_SCALE || t.base == VT_WEIGHT || t.base == VT_MONEY;
}

int32_t order_key_told(const struct inquiry *s, const struct placing *a, const struct placing *b, int key, struct buf *out)
{
	const struct key *k = &a->at[key];
	const int32_t x = k->record >= 0 ? ground_die(&s->log, k->record) : -1;
	const int32_t y = b->at[key].record >= 0 ? ground_die(&s->log, b->at[key].record) : -1;
	const char *one = called(s, a, key), *other = called(s, b, key);
	const int32_t clause = telling(s, a, b, key);
	if (x >= 0 && y >= 0 && x != y) {
		order_dice(s, x, y, " is", ",", out);
		buf_printf(out, ", and the %s goes first", k->highest ? "highest" : "lowest");
	} else if ((one && other && !strcmp(one, other)) || clause < 0) {
		values_told(s, a, b, key, one && other ? one : k->name, out);
	} else {
		answer_rule_text(s->p, clause, out);
		if (is_measure(k->type) && k->value != NONE && b->at[key].value != NONE) {
			buf_puts(out, ": ");
			placing_value(&s->log, a, key, out);
			buf_puts(out, " against ");
			placing_value(&s->log, b, key, out);
		} else if (clause == given_by(s, a, key) && k->record >= 0 && s->p->clause[clause].conditional) {
			compared_apart(s, k->record, a->who, out);
		}
		return clause;
	}
	return -1;
}

/* Is the clause's rule cited where the key's reason is told? */
static bool same_rule(const struct program *p, int32_t x, int32_t y)
{
	return x == y || (x >= 0 && y >= 0 && *p->clause[x].rule && !strcmp(p->clause[x].rule, p->clause[y].rule) && !strcmp(p->clause[x].module, p->clause[y].module));
}

void order_key_figures(const struct inquiry *s, const struct placing *a, const struct placing *b, int key, int32_t told, struct answer *out)
{
	const struct placing *const both[] = {a, b};
	for (int i = 0; i < 2; i++) {
		const struct placing *x = both[i];
		const int32_t given = given_by(s, x, key);
		if (told < 0 || x->at[key].record < 0 || given != told || !s->p->clause[told].conditional || !compared_alone(s, x->at[key].record, x->who, out))
			order_figure(s, x, key, out);
	}
	/* the rule that is the reason was said; the one that it overruled is beside the question */
	for (int i = 0; told >= 0 && i < out->rule.n; i++)
		if (same_rule(s->p, out->rule.v[i], told) || same_rule(s->p, out->rule.v[i], given_by(s, a, key)) || same_rule(s->p, out->rule.v[i], given_by(s, b, key))) {
			memmove(&out->rule.v[i], &out->rule.v[i + 1], sizeof *out->rule.v * (size_t)(out->rule.n - i - 1));
			out->rule.n--;
			i--;
		}
}

void order_moment_figures(
	const struct inquiry *s, const struct placing *a, struct answer *out, bool told)
{
	for (int k = 0; k < a->keys; k++) {
		struct buf ground = {0}, line = {0};
		if (a->at[k].time && ground_of_key(&s->log, a, k, out, &ground) && ground.length &&
			!told) {
			program_live(s->p, KIND_COMBATANT, a->who, &line);
			buf_puts(&line, ", ");
			order_moment(s, a, &line);
			answer_figure(out, -1, -1, "%s: %s", buf_text(&line), buf_text(&ground));
		}
		buf_free(&ground);
		buf_free(&line);
	}
}
