/* placing.c - see placing.h. */
#include "runtime/explain/placing.h"

#include <string.h>

/* The KEY record by which the act of an event was placed: the last before it. */
static int32_t key_before(const struct log *l, int32_t event)
{
	const struct record *r = log_at(l, event);
	const int32_t act = r->act, group = r->group;
	for (int32_t i = event; i >= 0 && act >= 0; i--) {
		const struct record *x = trace_look(l->t, i);
		if (x->kind == REC_KEY && x->act == act && x->group == group)
			return i;
	}
	return -1;
}

/* Keys that rules gave: not the moment of a `resolve by`. */
static bool by_rules(const struct log *l, int32_t key)
{
	const int32_t clause = log_at(l, key)->clause;
	return clause >= 0 && clause < l->p->clauses && l->p->clause[clause].sort == CLAUSE_ORDER;
}

/* The last KEY of somebody's that rules gave, in the same round and behind what they did before: of
 * the turn in which the act was chosen. */
static int32_t key_of_owner(const struct log *l, int32_t from, word who)
{
	const int32_t round = log_at(l, from)->round;
	for (int32_t i = from; i >= 0; i--) {
		const struct record *x = trace_look(l->t, i);
		if (x->round != round)
			return -1;
		if (x->kind == REC_EVENT && x->act >= 0 && x->text >= 0 && l->p->event[x->what].action &&
			log_actor(l, log_at(l, i)) == who)
			return -1;
		x = trace_look(l->t, i);
		if (x->kind == REC_KEY && x->owner == who && by_rules(l, i))
			return i;
	}
	return -1;
}

/* "order acts by lowest act's time, then highest act's actor's EN": the name of key number k. */
static bool key_name(const char *text, int k, struct key *out)
{
	const char *at = strstr(text, "acts by ");
	at = at ? at + strlen("acts by ") : NULL;
	for (int i = 0; at && i < k; i++) {
		at = strstr(at, ", then ");
		at = at ? at + strlen(", then ") : NULL;
	}
	if (!at)
		return false;
	out->highest = !strncmp(at, "highest ", 8);
	at += !strncmp(at, "highest ", 8) ? 8 : !strncmp(at, "lowest ", 7) ? 7 : 0;
	at += !strncmp(at, "act's ", 6) ? 6 : 0;
	at += !strncmp(at, "actor's ", 8) ? 8 : 0;
	const char *end = strstr(at, ", then ");
	const size_t n = end ? (size_t)(end - at) : strlen(at);
	if (n == 0 || n >= KEY_NAME)
		return false;
	memcpy(out->name, at, n);
	out->name[n] = '\0';
	return true;
}

/* The answer among the questions of a KEY record that has this name; -1: none has. */
static int32_t key_question(const struct log *l, int32_t key, const char *name)
{
	for (int32_t i = log_child(l, key); i >= 0; i = log_sibling(l, i)) {
		const struct record *q = log_at(l, i);
		if (q->kind == REC_QUESTION && !q->dropped && q->what >= 0 && q->what < l->p->questions && !strcmp(l->p->question[q->what].name, name))
			return i;
	}
	return -1;
}

static struct vtype field_type(const struct program *p, const char *name)
{
	for (int i = 0; i < p->fields; i++)
		if (p->field[i].kind == KIND_COMBATANT && !strcmp(p->field[i].name, name))
			return p->field[i].type;
	return (struct vtype){.base = VT_NUMBER};
}

static void read_keys(const struct log *l, struct placing *a)
{
	const struct record *r = log_at(l, a->key);
	const word *values = trace_values_at(l->t, r);
	word value[KEYS_MOST];
	for (int k = 0; k < KEYS_MOST; k++)
		value[k] = values && k < r->value_count ? values[k] : NONE;
	if (!by_rules(l, a->key))
		return;
	const char *text = l->p->clause[r->clause].text;
	while (a->keys < KEYS_MOST && text && key_name(text, a->keys, &a->at[a->keys])) {
		struct key *k = &a->at[a->keys];
		k->record = key_question(l, a->key, k->name);
		const struct record *q = k->record >= 0 ? log_at(l, k->record) : NULL;
		if (q) {
			k->value = q->value;
			k->type = l->p->question[q->what].type;
			k->time = q->what == l->p->at.act_time_question;
		} else {
			k->value = value[a->keys] != NONE && k->highest ? -value[a->keys] : value[a->keys];
			k->type = field_type(l->p, k->name);
		}
		a->keys++;
	}
}

void placing_of(const struct log *l, int32_t event, struct placing *out)
{
	memset(out, 0, sizeof *out);
	out->event = out->root = event;
	out->key = -1;
	out->who = log_actor(l, log_at(l, event));
	for (int32_t i = event; i >= 0 && out->key < 0; i = log_at(l, i)->parent)
		if (log_at(l, i)->kind == REC_EVENT && log_at(l, i)->act >= 0) {
			out->key = key_before(l, i);
			out->root = out->key >= 0 ? i : out->root;
		}
	if (out->key >= 0 && !by_rules(l, out->key)) {
		const int32_t own = key_of_owner(l, out->key, out->who);
		out->key = own >= 0 ? own : out->key;
	}
	const struct record *r = log_at(l, out->root);
	out->act = out->key >= 0 ? log_at(l, out->key)->act : r->act;
	out->round = r->round;
	out->group = out->key >= 0 ? log_at(l, out->key)->group : r->group;
	if (out->key >= 0)
		read_keys(l, out);
}

static int compare(const struct key *x, const struct key *y)
{
	if (x->value == y->value)
		return 0;
	if (x->value == NONE || y->value == NONE)
		return y->value == NONE ? -1 : 1;
	bool less = x->type.frac ? frac_compare(x->value, y->value) < 0 : x->value < y->value;
	return less != x->highest ? -1 : 1;
}

/* A stored number of somebody's as it stood before a record. */
static word stored_before(const struct log *l, int32_t number, int field, word who)
{
	const struct field_info *f = &l->p->field[field];
	const int32_t change = trace_back_to_change(l->t, number, field, who);
	return change >= 0 ? log_at(l, change)->value
					   : l->p->start[f->base + (uint32_t)who * f->stride];
}

bool placing_then(const struct log *l, const struct placing *a, word who, struct placing *out)
{
	*out = *a;
	out->who = who;
	for (int k = 0; k < a->keys; k++) {
		int field = 0;
		while (field < l->p->fields &&
			(l->p->field[field].kind != KIND_COMBATANT ||
				strcmp(l->p->field[field].name, a->at[k].name)))
			field++;
		if (a->at[k].record >= 0 || field == l->p->fields)
			return false;
		out->at[k].value = stored_before(l, a->key, field, who);
	}
	return a->keys > 0;
}

bool placing_differ(const struct placing *a, const struct placing *b, int *key, bool *before)
{
	*key = -1;
	*before = false;
	if (a->keys == 0 || a->keys != b->keys)
		return false;
	for (int k = 0; k < a->keys; k++) {
		if (strcmp(a->at[k].name, b->at[k].name))
			return false;
		const int c = compare(&a->at[k], &b->at[k]);
		if (c) {
			*key = k;
			*before = c < 0;
			return true;
		}
	}
	return true;
}

int32_t placing_moved(const struct log *l, const struct placing *a)
{
	for (int32_t i = a->key; i >= 0; i--) {
		const struct record *x = trace_look(l->t, i);
		if (x->act == a->act && x->kind == REC_EVENT)
			return -1;
		if (x->act == a->act && x->kind == REC_MOVED && !x->value)
			return i;
	}
	return -1;
}

/* The last MOVED record before `from`, of its round, about two acts; `agrees`: one of a clause that agrees with the keys. */
static int32_t moved_between(const struct log *l, int32_t from, int32_t one, int32_t other, bool agrees)
{
	const int32_t round = trace_look(l->t, from)->round;
	for (int32_t i = trace_back(l->t, from, 1u << REC_MOVED); i >= 0; i = trace_back(l->t, i - 1, 1u << REC_MOVED)) {
		const struct record *x = trace_look(l->t, i);
		if (x->round != round)
			return -1;
		if ((x->value || !agrees) && ((x->act == one && x->what == other) || (x->act == other && x->what == one)))
			return i;
	}
	return -1;
}

int32_t placing_settled(const struct log *l, const struct placing *first, const struct placing *later)
{
	return moved_between(l, first->key, first->act, later->act, true);
}

int32_t placing_between(const struct log *l, int32_t from, int32_t one, int32_t other)
{
	return moved_between(l, from, one, other, false);
}

int32_t placing_pended(const struct log *l, const struct placing *a)
{
	for (int32_t i = a->key - 1; i >= 0; i--) {
		const struct record *x = trace_look(l->t, i);
		if (x->dropped || x->act != a->act)
			continue;
		if (x->kind == REC_EVENT)
			return -1;
		if (x->kind == REC_PEND)
			return i;
	}
	return -1;
}

void placing_value(const struct log *l, const struct placing *a, int key, struct buf *out)
{
	const struct key *k = &a->at[key];
	if (k->time && program_moment(l->p, k->value, log_start(l, a->key), out))
		return;
	program_value(l->p, k->type, &k->value, out);
}
