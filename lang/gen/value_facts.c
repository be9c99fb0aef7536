/* value_facts.c - what an instruction adds to the facts about registers, and what it takes away.
 * See value_facts.h. */
#include "lang/gen/value_facts.h"

#include <string.h>

/* ---- forgetting ---- */

void facts_clear(struct facts *k, int n)
{
	memset(k, 0, offsetof(struct facts, how) + (size_t)n);
	k->n = n;
}

void facts_copy(struct facts *k, const struct facts *from)
{
	memcpy(k, from, offsetof(struct facts, how) + (size_t)from->n);
	memcpy(k->value, from->value, (size_t)from->n * sizeof *k->value);
	memcpy(k->first, from->first, (size_t)from->n);
}

void facts_forget_one(struct facts *k, int reg)
{
	k->how[reg] = UNKNOWN;
	reg_take(k->about, reg);
}

static bool rests_on(const struct facts *k, int reg, int first, int n)
{
	word v = k->value[reg];
	int b = (int)(v & 0xffff), c = (int)(v >> 16 & 0xffff);
	if (k->how[reg] != ANSWER)
		return b >= first && b < first + n;
	const char *shape = op_table[v >> 32].shape;
	if (v >> 32 == OP_CALL)
		return b >= first && b < first + n;
	return (shape[1] == 's' && b >= first && b < first + n) ||
		(shape[2] == 's' && c >= first && c < first + n);
}

void facts_forget(struct facts *k, int first, int n)
{
	if (n <= 0)
		return;
	for (int r = first; r < first + n && r < k->n; r++) {
		facts_forget_one(k, r);
		reg_take(k->some, r);
		reg_take(k->yes, r);
		reg_take(k->no, r);
	}
	for (int w = 0; w < LIVE_WORDS; w++)
		for (uint64_t left = k->about[w]; left; left &= left - 1) {
			int r = w * 64 + __builtin_ctzll(left);
			if (rests_on(k, r, first, n))
				facts_forget_one(k, r);
		}
}

/* What somebody else may change about an answer: nothing; who is in progress; an act; a field. */
enum changes { NEVER, HAPPENING, ACTS, FIELDS };

static enum changes changes(const struct items *s, word answer)
{
	const struct field_info *f;
	switch ((enum op)(answer >> 32)) {
	case OP_KEPT:
		return HAPPENING;
	case OP_EVENTOF: case OP_LDA: case OP_NOW: case OP_CAUSE:
		return ACTS;
	case OP_LDF:
		f = &s->p->field[answer >> 16 & 0xffff];
		return f->kind == KIND_ACT ? ACTS : f->fixed ? NEVER : FIELDS;
	case OP_CALL: case OP_SKNOWN:
		return FIELDS; /* of the combatant asked about (fn_info.own) */
	default:
		return NEVER;
	}
}

/* What an instruction may change that answers tell. */
void facts_upset(const struct items *s, struct facts *k, const struct insn *i)
{
	enum changes what, too = NEVER;
	int field = -1;
	switch ((enum op)i->op) {
	case OP_STF: case OP_ADF: case OP_ADFB: case OP_STSF: case OP_ADDS: case OP_REMS:
		what = NEVER;
		field = i->c;
		break;
	case OP_STP: case OP_ADP: case OP_ADPB:
		return;
	case OP_ENTER: case OP_LEAVE: case OP_KEEP: case OP_SETKEPT:
		what = HAPPENING;
		break;
	case OP_ACT: case OP_COPY: case OP_PEND: case OP_FREE: case OP_CANCEL:
		what = ACTS;
		break;
	case OP_GROUP: /* others are being performed, now */
		what = ACTS;
		too = HAPPENING;
		break;
	default:
		if (item_leaves_fields(s, i))
			return;
		what = FIELDS;
	}
	for (int w = 0; w < LIVE_WORDS; w++)
		for (uint64_t left = k->about[w]; left; left &= left - 1) {
			int r = w * 64 + __builtin_ctzll(left);
			word v = k->value[r];
			if (k->how[r] != ANSWER)
				continue;
			enum changes of = changes(s, v);
			if (field >= 0 ? (v >> 32 == OP_LDF && (v >> 16 & 0xffff) == field) ||
						((v >> 32 == OP_CALL || v >> 32 == OP_SKNOWN) &&
							s->p->field[field].kind != KIND_ACT)
						   : of != NEVER && (of == what || of == too || what == FIELDS))
				facts_forget_one(k, r);
		}
}

/* ---- values ---- */

bool facts_value(const struct facts *k, int reg, word *out)
{
	*out = k->value[reg];
	return k->how[reg] == CONSTANT;
}

static void set_value(struct facts *k, int reg, word v)
{
	reg_take(k->about, reg);
	k->how[reg] = CONSTANT;
	k->value[reg] = v;
	(v != NONE ? reg_put : reg_take)(k->some, reg);
	(is_so(v) ? reg_put : reg_take)(k->yes, reg);
	(is_so(v) ? reg_take : reg_put)(k->no, reg);
	k->first[reg] = (uint8_t)reg;
}

void facts_set_about(struct facts *k, int reg, enum knowledge how, word value)
{
	k->how[reg] = (uint8_t)how;
	k->value[reg] = value;
	reg_put(k->about, reg);
}

/* ---- learning ---- */

/* What the answer of NOT, or of a comparison with unset, says of another register; -1. */
static int says(const struct facts *k, const struct insn *i, enum knowledge *how)
{
	word v;
	if (i->op == OP_NOT) {
		enum knowledge of = k->how[i->b];
		*how = of == UNSET ? SET : of == SET ? UNSET : CONTRARY;
		return of == UNSET || of == SET ? (int)k->value[i->b] : i->b;
	}
	if (i->op != OP_SAME)
		return -1;
	*how = UNSET;
	if (facts_value(k, i->c, &v) && v == NONE)
		return i->b;
	if (facts_value(k, i->b, &v) && v == NONE)
		return i->c;
	return -1;
}

/* Answers 1 or 0. */
static bool is_answer(enum op op)
{
	switch (op) {
	case OP_SAME:
	case OP_EQ:
	case OP_NE:
	case OP_LT:
	case OP_LE:
	case OP_FLT:
	case OP_FLE:
	case OP_NOT:
	case OP_ISA:
	case OP_SHAS: case OP_SAMES: case OP_HASL: case OP_HAST:
		return true;
	default:
		return false;
	}
}

static bool never_unset(const struct facts *k, const struct insn *i)
{
	switch ((enum op)i->op) {
	case OP_ADD: case OP_SUB: case OP_MUL:
		return reg_in(k->some, i->b) && reg_in(k->some, i->c);
	case OP_MIN: case OP_MAX:
		return reg_in(k->some, i->b) || reg_in(k->some, i->c);
	case OP_MOVE: case OP_NEG:
		return reg_in(k->some, i->b);
	case OP_SCOUNT: case OP_LEN: case OP_SERIAL: case OP_ACT: case OP_ONLY:
		return true;
	default:
		return is_answer((enum op)i->op);
	}
}

/* Asked again, the same, as long as what it reads stays. */
bool answers_same_again(enum op op)
{
	switch (op) {
	case OP_LDF:
	case OP_LDT:
	case OP_EVENTOF:
	case OP_NOW:
	case OP_CAUSE:
	case OP_KEPT:
	case OP_LDA:
	case OP_SAME:
	case OP_EQ:
	case OP_NE:
	case OP_LT:
	case OP_LE:
	case OP_NOT:
	case OP_ISA:
	case OP_KINDOF:
	case OP_RANK:
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: case OP_MIN: case OP_MAX:
		return true;
	default:
		return false;
	}
}

/* Is what it reads gone when it has answered? */
static bool rests_on_itself(const struct insn *i)
{
	const char *shape = op_table[i->op].shape;
	return (shape[1] == 's' && i->b == i->a) || (shape[2] == 's' && i->c == i->a);
}

/* Whom a call asks about, if the answer stays what it is while no field of combatants is written: a
 * register that holds him; -1. */
int facts_asked_of(const struct items *s, const struct facts *k, const struct insn *i)
{
	if (i->op != OP_CALL || !s->p->fn[i->k].own || i->k > UINT16_MAX)
		return -1;
	return k->how[i->a + 2] == COPY ? (int)k->value[i->a + 2] : i->a + 2;
}

/* Which register gets a member of such a set, and what is known of him then; -1. */
static int taken_of_sifted(const struct facts *k, const struct insn *i, word *member)
{
	if ((i->op != OP_SNTH && i->op != OP_SNEXT) || k->how[i->b] != ANSWER ||
		k->value[i->b] >> 32 != OP_SKNOWN)
		return -1;
	*member = MEMBER(k->value[i->b] >> 16 & 0xffff);
	return k->value[i->b] == SIFTED(k->value[i->b] >> 16 & 0xffff) ? i->a : -1;
}

void facts_learn(const struct items *s, struct facts *k, const struct insn *i)
{
	word v = 0;
	int first, n = item_written(s, i, &first), words = s->p->set_words;
	const bool constant = fold_value(s, k, i, &v);
	const word left = v;
	word maybe = 0;
	const bool may = !constant && fold_stored(s, i, &maybe);
	bool some = never_unset(k, i);
	bool yes = i->op == OP_MOVE && reg_in(k->yes, i->b),
		 no = i->op == OP_MOVE && reg_in(k->no, i->b);
	enum knowledge how = UNKNOWN;
	int other = says(k, i, &how),
		root = i->op == OP_MOVE && k->how[i->b] == COPY ? (int)k->value[i->b] : i->b;
	word set[64];
	bool knows_set = words <= (int)FRAY_COUNT(set) && (i->op == OP_SADD || i->op == OP_SMOVE) &&
		fold_set(s, k, i->op == OP_SADD ? i->a : i->b, &v);
	if (knows_set)
		memcpy(set, k->value + (i->op == OP_SADD ? i->a : i->b), (size_t)words * sizeof *set);
	if (knows_set && i->op == OP_SADD) {
		knows_set = facts_value(k, i->b, &v);
		if (knows_set && v >= 0 && v < words * 64)
			set[v / 64] = (word)((uint64_t)set[v / 64] | 1ull << v % 64);
	}
	const int about = facts_asked_of(s, k, i);
	const bool says_yes = about >= 0 && k->how[about] == ANSWER &&
		k->value[about] == MEMBER(i->k) && reg_in(k->some, about);
	word member;
	const int taken = taken_of_sifted(k, i, &member);
	facts_forget(k, first, n);
	facts_upset(s, k, i);
	if (i->op == OP_STF && i->a != i->b && k->how[i->b] == UNKNOWN && reg_in(k->some, i->a))
		facts_set_about(
			k, i->b, ANSWER, ANSWER_OF(OP_LDF, i->a, i->c)); /* as it would be read again */
	if (about >= 0 && (about < first || about >= first + n))
		facts_set_about(k, i->a, ANSWER, ANSWER_OF(OP_CALL, about, i->k));
	if (says_yes) {
		reg_put(k->yes, i->a);
		reg_put(k->some, i->a);
	}
	if (taken >= 0) {
		facts_set_about(k, taken, ANSWER, member);
		return;
	}
	if (n == 0)
		return;
	if (constant) {
		set_value(k, i->a, left);
		for (int r = 0; r < k->n; r++)
			if (k->how[r] == CONSTANT && k->value[r] == left && k->first[r] == r) {
				k->first[i->a] = (uint8_t)r;
				break;
			}
		return;
	}
	if (knows_set || i->op == OP_SNONE) {
		for (int w = 0; w < words; w++)
			set_value(k, i->a + w, knows_set ? set[w] : 0);
		return;
	}
	if (op_table[i->op].shape[0] != 'd')
		return;
	if (some)
		reg_put(k->some, i->a);
	if (yes)
		reg_put(k->yes, i->a);
	if (no || (may && !is_so(maybe)))
		reg_put(k->no, i->a);
	if (may) {
		k->how[i->a] = MAYBE;
		k->value[i->a] = maybe;
		return;
	}
	if (i->op == OP_MOVE && i->a != i->b && root != i->a)
		facts_set_about(k, i->a, COPY, root);
	else if (other >= 0 && other != i->a)
		facts_set_about(k, i->a, how, other);
	else if (answers_same_again((enum op)i->op) && !rests_on_itself(i))
		facts_set_about(k, i->a, ANSWER, ANSWER_OF(i->op, i->b, i->c));
}

/* ---- jumps ---- */

int facts_jump(const struct facts *k, const struct insn *i)
{
	word v;
	if (i->op == OP_JNONE || i->op == OP_JSOME) {
		if (reg_in(k->some, i->a))
			return i->op == OP_JSOME;
		return facts_value(k, i->a, &v) ? i->op == OP_JNONE : -1;
	}
	if (reg_in(k->yes, i->a) || reg_in(k->no, i->a))
		return reg_in(k->yes, i->a) == (i->op == OP_JNZ);
	return -1;
}

static bool is_zero_or_one(const struct facts *k, int reg)
{
	return k->how[reg] == CONTRARY || k->how[reg] == UNSET || k->how[reg] == SET ||
		(k->how[reg] == ANSWER && is_answer((enum op)(k->value[reg] >> 32)));
}

/* What is read of nobody is unset: it is somebody whose field holds something. */
static void learn_whose(struct facts *k, int reg)
{
	const enum op op = (enum op)(k->value[reg] >> 32);
	if (k->how[reg] == ANSWER && (op == OP_LDF || op == OP_LDT || op == OP_EVENTOF))
		reg_put(k->some, (int)(k->value[reg] & 0xffff));
}

void facts_branch(struct facts *k, const struct insn *i, bool jumped)
{
	int reg = i->a;
	if (jumped == (i->op == OP_JSOME || i->op == OP_JNZ))
		learn_whose(k, reg);
	if (i->op == OP_JNONE || i->op == OP_JSOME) {
		if (jumped == (i->op == OP_JNONE)) {
			set_value(k, reg, NONE);
			return;
		}
		reg_put(k->some, reg);
	} else {
		bool so = jumped == (i->op == OP_JNZ);
		if (is_zero_or_one(k, reg)) {
			set_value(k, reg, so);
			return;
		}
		reg_put(so ? k->yes : k->no, reg);
		if (!so)
			return;
		reg_put(k->some, reg);
	}
	if (k->how[reg] == MAYBE)
		set_value(k, reg, k->value[reg]);
}
