/* known.c - see known.h. One forward pass. At a join point the facts are the intersection over all
 * predecessors; at a loop head those about registers that the loop does not write. */
#include "lang/gen/known.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/num.h"

static bool has(const uint64_t *set, int reg)
{
	return set[reg / 64] >> reg % 64 & 1;
}

static void put(uint64_t *set, int reg)
{
	set[reg / 64] |= 1ull << reg % 64;
}

static void take(uint64_t *set, int reg)
{
	set[reg / 64] &= ~(1ull << reg % 64);
}

/* ---- forgetting ---- */

void known_forget_all(struct known *k, int n)
{
	memset(k, 0, offsetof(struct known, how) + (size_t)n);
	k->n = n;
}

void known_copy(struct known *k, const struct known *from)
{
	memcpy(k, from, offsetof(struct known, how) + (size_t)from->n);
	memcpy(k->value, from->value, (size_t)from->n * sizeof *k->value);
	memcpy(k->first, from->first, (size_t)from->n);
}

static void forget(struct known *k, int reg)
{
	k->how[reg] = UNKNOWN;
	take(k->about, reg);
}

static bool rests_on(const struct known *k, int reg, int first, int n)
{
	word v = k->value[reg];
	int b = (int)(v & 0xffff), c = (int)(v >> 16 & 0xffff);
	if (k->how[reg] != ANSWER)
		return b >= first && b < first + n;
	const char *shape = op_table[v >> 32].shape;
	if (v >> 32 == OP_CALL)
		return b >= first && b < first + n;
	return (shape[1] == 's' && b >= first && b < first + n) || (shape[2] == 's' && c >= first && c < first + n);
}

static void forget_registers(struct known *k, int first, int n)
{
	if (n <= 0)
		return;
	for (int r = first; r < first + n && r < k->n; r++) {
		forget(k, r);
		take(k->some, r);
		take(k->yes, r);
		take(k->no, r);
	}
	for (int w = 0; w < LIVE_WORDS; w++)
		for (uint64_t left = k->about[w]; left; left &= left - 1) {
			int r = w * 64 + __builtin_ctzll(left);
			if (rests_on(k, r, first, n))
				forget(k, r);
		}
}

/* What somebody else may change about an answer: nothing; who is in progress; an act; a field. */
enum { CONSTANTS_MOST = 4096 };
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
static void upset(const struct items *s, struct known *k, const struct insn *i)
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
			if (field >= 0 ? (v >> 32 == OP_LDF && (v >> 16 & 0xffff) == field) || ((v >> 32 == OP_CALL || v >> 32 == OP_SKNOWN) && s->p->field[field].kind != KIND_ACT)
			               : of != NEVER && (of == what || of == too || what == FIELDS))
				forget(k, r);
		}
}

/* ---- values ---- */

bool known_value(const struct known *k, int reg, word *out)
{
	*out = k->value[reg];
	return k->how[reg] == CONSTANT;
}

static void set_value(struct known *k, int reg, word v)
{
	take(k->about, reg);
	k->how[reg] = CONSTANT;
	k->value[reg] = v;
	(v != NONE ? put : take)(k->some, reg);
	(is_so(v) ? put : take)(k->yes, reg);
	(is_so(v) ? take : put)(k->no, reg);
	k->first[reg] = (uint8_t)reg;
}

static void set_about(struct known *k, int reg, enum knowledge how, word value)
{
	k->how[reg] = (uint8_t)how;
	k->value[reg] = value;
	put(k->about, reg);
}

static bool constant_of(const struct items *s, const struct insn *i, word *out)
{
	if (i->op == OP_LOADI)
		*out = i->k;
	else if (i->op == OP_LOADK)
		*out = s->p->constant[i->k];
	else
		return false;
	return true;
}

/* Is there an answer to a choice in the script? */
static bool has_choice(const struct program *p, int choice)
{
	for (int i = 0; i < p->forced_choices; i++)
		if (p->forced_choice[i].choice == choice)
			return true;
	return false;
}

/* The value of an operation on known values. */
static bool worked_out(enum op op, word b, word c, word *out)
{
	bool bad = false, unset = b == NONE || c == NONE;
	switch (op) {
	case OP_SAME: *out = b == c; return true;
	case OP_EQ: *out = !unset && b == c; return true;
	case OP_NE: *out = !unset && b != c; return true;
	case OP_LT: *out = !unset && b < c; return true;
	case OP_LE: *out = !unset && b <= c; return true;
	case OP_ADD: *out = unset ? NONE : num_add(b, c, &bad); return !bad;
	case OP_SUB: *out = unset ? NONE : num_sub(b, c, &bad); return !bad;
	case OP_MUL: *out = unset ? NONE : num_mul(b, c, &bad); return !bad;
	case OP_FADD: *out = unset ? NONE : frac_add(b, c, &bad); return !bad;
	case OP_FSUB: *out = unset ? NONE : frac_sub(b, c, &bad); return !bad;
	case OP_FMUL: *out = unset ? NONE : frac_mul(b, c, &bad); return !bad;
	case OP_FDIV: *out = unset ? NONE : frac_div(b, c, &bad); return !bad; /* by nothing: that fails when it is done */
	case OP_FLT: *out = !unset && frac_compare(b, c) < 0; return true;
	case OP_FLE: *out = !unset && frac_compare(b, c) <= 0; return true;
	default: return false;
	}
}

/* What a register may hold, if that is one word or one of two: how many they are; else 0. */
static int may_hold(const struct known *k, int reg, word v[2])
{
	v[0] = k->value[reg];
	v[1] = NONE;
	return k->how[reg] == CONSTANT ? 1 : k->how[reg] == MAYBE ? 2 : 0;
}

/* The value of an operation, if it is the same whichever of these the operands hold. */
static bool comes_to_one(const struct known *k, const struct insn *i, word *out)
{
	word b[2], c[2], other;
	const int bs = may_hold(k, i->b, b), cs = may_hold(k, i->c, c);
	if (bs == 0 || cs == 0 || !worked_out((enum op)i->op, b[0], c[0], out))
		return false;
	for (int n = 1; n < bs * cs; n++)
		if (!worked_out((enum op)i->op, b[n % bs], c[n / bs], &other) || other != *out)
			return false;
	return true;
}

/* What a field holds in which nothing else is ever written: the same for all, if it is read of somebody, or if it is known of whom. */
static bool stored(const struct items *s, const struct known *k, const struct insn *i, word *out)
{
	const struct field_info *f = &s->p->field[i->c];
	word thing;
	*out = NONE;
	if (!s->p->from_start || !f->fixed)
		return false;
	if (s->same[i->c] && (s->held[i->c] == NONE || has(k->some, i->b))) {
		*out = s->held[i->c];
		return true;
	}
	if (f->kind == KIND_ACT || !known_value(k, i->b, &thing) || thing < 0 || (uint64_t)thing >= s->p->layout.kind[f->kind].count)
		return false;
	*out = s->p->start[f->base + (uint64_t)thing * f->stride];
	return true;
}

/* Of a thing, or of somebody, who may be none. */
static bool stored_or_unset(const struct items *s, const struct insn *i, word *out)
{
	if (i->op == OP_LDF && s->p->from_start && s->same[i->c])
		*out = s->held[i->c];
	else if (i->op == OP_LDT && s->thing_same[i->c])
		*out = s->thing_held[i->c];
	else
		return false;
	return true;
}

/* The event of an act, compared with one of which no acts are made. */
static bool never_made(const struct items *s, const struct known *k, int event, int number)
{
	word v;
	return s->p->from_start && k->how[event] == ANSWER && k->value[event] >> 32 == OP_EVENTOF && known_value(k, number, &v) && v >= 0 && v < s->p->events && !s->made[v];
}

static bool set_known(const struct items *s, const struct known *k, int reg, word *count)
{
	*count = 0;
	for (int w = 0; w < s->p->set_words; w++) {
		if (k->how[reg + w] != CONSTANT)
			return false;
		*count += __builtin_popcountll((uint64_t)k->value[reg + w]);
	}
	return true;
}

/* Does a set that is known hold one that is known? */
static bool member_known(const struct items *s, const struct known *k, const struct insn *i, word *out)
{
	word one, words;
	if (!known_value(k, i->c, &one))
		return false;
	*out = 0;
	if (one < 0 || one >= s->p->set_words * 64)
		return true;
	if (!known_value(k, i->b + (int)(one / 64), &words))
		return false;
	*out = (word)((uint64_t)words >> one % 64 & 1);
	return true;
}

static bool value_left(const struct items *s, const struct known *k, const struct insn *i, word *v)
{
	word b, c;
	switch ((enum op)i->op) {
	case OP_LOADI: case OP_LOADK:
		return constant_of(s, i, v);
	case OP_SAME:
		/* one is unset, the other is not */
		if ((known_value(k, i->b, &b) && b == NONE && has(k->some, i->c)) || (known_value(k, i->c, &c) && c == NONE && has(k->some, i->b))) {
			*v = 0;
			return true;
		}
		if (never_made(s, k, i->b, i->c) || never_made(s, k, i->c, i->b)) {
			*v = 0;
			return true;
		}
		/* fall through */
	case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_ADD: case OP_SUB: case OP_MUL:
	case OP_FADD: case OP_FSUB: case OP_FMUL: case OP_FDIV: case OP_FLT: case OP_FLE:
		return comes_to_one(k, i, v);
	case OP_FRAC: {
		bool bad = false;
		if (!known_value(k, i->b, &b))
			return false;
		*v = b == NONE ? NONE : frac_of(b, &bad);
		return !bad;
	}
	case OP_NOT:
		*v = has(k->no, i->b);
		return has(k->no, i->b) || has(k->yes, i->b);
	case OP_MOVE:
		return known_value(k, i->b, v);
	case OP_LDF:
		return stored(s, k, i, v);
	case OP_LDT:
		return s->thing_same[i->c] && s->thing_held[i->c] == NONE && (*v = NONE, true);
	case OP_SCOUNT:
		return set_known(s, k, i->b, v);
	case OP_SHAS:
		return member_known(s, k, i, v);
	case OP_CHOICE: /* the script says nothing of it */
		*v = NONE;
		return !has_choice(s->p, i->c);
	default:
		return false;
	}
}

/* ---- learning ---- */

/* What the answer of NOT, or of a comparison with unset, says of another register; -1. */
static int says(const struct known *k, const struct insn *i, enum knowledge *how)
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
	if (known_value(k, i->c, &v) && v == NONE)
		return i->b;
	if (known_value(k, i->b, &v) && v == NONE)
		return i->c;
	return -1;
}

/* Answers 1 or 0. */
static bool is_answer(enum op op)
{
	switch (op) {
	case OP_SAME: case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_FLT: case OP_FLE: case OP_NOT: case OP_ISA:
	case OP_SHAS: case OP_SAMES: case OP_HASL: case OP_HAST:
		return true;
	default:
		return false;
	}
}

static bool never_unset(const struct known *k, const struct insn *i)
{
	switch ((enum op)i->op) {
	case OP_ADD: case OP_SUB: case OP_MUL:
		return has(k->some, i->b) && has(k->some, i->c);
	case OP_MIN: case OP_MAX:
		return has(k->some, i->b) || has(k->some, i->c);
	case OP_MOVE: case OP_NEG:
		return has(k->some, i->b);
	case OP_SCOUNT: case OP_LEN: case OP_SERIAL: case OP_ACT: case OP_ONLY:
		return true;
	default:
		return is_answer((enum op)i->op);
	}
}

/* Asked again, the same, as long as what it reads stays. */
static bool answers_again(enum op op)
{
	switch (op) {
	case OP_LDF: case OP_LDT: case OP_EVENTOF: case OP_NOW: case OP_CAUSE: case OP_KEPT: case OP_LDA:
	case OP_SAME: case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_NOT: case OP_ISA: case OP_KINDOF: case OP_RANK:
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

/* Whom a call asks about, if the answer stays what it is while no field of combatants is written: a register that holds him; -1. */
static int asked_of(const struct items *s, const struct known *k, const struct insn *i)
{
	if (i->op != OP_CALL || !s->p->fn[i->k].own || i->k > UINT16_MAX)
		return -1;
	return k->how[i->a + 2] == COPY ? (int)k->value[i->a + 2] : i->a + 2;
}

/* What is known of a set of whom all say yes to a question, and of a member of it. */
#define SIFTED(fn) ANSWER_OF(OP_SKNOWN, 0, fn)
#define MEMBER(fn) ANSWER_OF(OP_SKNOWN, 1, fn)

/* Which register gets a member of such a set, and what is known of him then; -1. */
static int taken_of_sifted(const struct known *k, const struct insn *i, word *member)
{
	if ((i->op != OP_SNTH && i->op != OP_SNEXT) || k->how[i->b] != ANSWER || k->value[i->b] >> 32 != OP_SKNOWN)
		return -1;
	*member = MEMBER(k->value[i->b] >> 16 & 0xffff);
	return k->value[i->b] == SIFTED(k->value[i->b] >> 16 & 0xffff) ? i->a : -1;
}

void known_learn(const struct items *s, struct known *k, const struct insn *i)
{
	word v = 0;
	int first, n = item_written(s, i, &first), words = s->p->set_words;
	const bool constant = value_left(s, k, i, &v);
	const word left = v;
	word maybe = 0;
	const bool may = !constant && stored_or_unset(s, i, &maybe);
	bool some = never_unset(k, i);
	bool yes = i->op == OP_MOVE && has(k->yes, i->b), no = i->op == OP_MOVE && has(k->no, i->b);
	enum knowledge how = UNKNOWN;
	int other = says(k, i, &how), root = i->op == OP_MOVE && k->how[i->b] == COPY ? (int)k->value[i->b] : i->b;
	word set[64];
	bool knows_set = words <= (int)FRAY_COUNT(set) && (i->op == OP_SADD || i->op == OP_SMOVE) && set_known(s, k, i->op == OP_SADD ? i->a : i->b, &v);
	if (knows_set)
		memcpy(set, k->value + (i->op == OP_SADD ? i->a : i->b), (size_t)words * sizeof *set);
	if (knows_set && i->op == OP_SADD) {
		knows_set = known_value(k, i->b, &v);
		if (knows_set && v >= 0 && v < words * 64)
			set[v / 64] = (word)((uint64_t)set[v / 64] | 1ull << v % 64);
	}
	const int about = asked_of(s, k, i);
	const bool says_yes = about >= 0 && k->how[about] == ANSWER && k->value[about] == MEMBER(i->k) && has(k->some, about);
	word member;
	const int taken = taken_of_sifted(k, i, &member);
	forget_registers(k, first, n);
	upset(s, k, i);
	if (i->op == OP_STF && i->a != i->b && k->how[i->b] == UNKNOWN && has(k->some, i->a))
		set_about(k, i->b, ANSWER, ANSWER_OF(OP_LDF, i->a, i->c)); /* as it would be read again */
	if (about >= 0 && (about < first || about >= first + n))
		set_about(k, i->a, ANSWER, ANSWER_OF(OP_CALL, about, i->k));
	if (says_yes) {
		put(k->yes, i->a);
		put(k->some, i->a);
	}
	if (taken >= 0) {
		set_about(k, taken, ANSWER, member);
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
		put(k->some, i->a);
	if (yes)
		put(k->yes, i->a);
	if (no || (may && !is_so(maybe)))
		put(k->no, i->a);
	if (may) {
		k->how[i->a] = MAYBE;
		k->value[i->a] = maybe;
		return;
	}
	if (i->op == OP_MOVE && i->a != i->b && root != i->a)
		set_about(k, i->a, COPY, root);
	else if (other >= 0 && other != i->a)
		set_about(k, i->a, how, other);
	else if (answers_again((enum op)i->op) && !rests_on_itself(i))
		set_about(k, i->a, ANSWER, ANSWER_OF(i->op, i->b, i->c));
}

/* ---- jumps ---- */

int known_jump(const struct known *k, const struct insn *i)
{
	word v;
	if (i->op == OP_JNONE || i->op == OP_JSOME) {
		if (has(k->some, i->a))
			return i->op == OP_JSOME;
		return known_value(k, i->a, &v) ? i->op == OP_JNONE : -1;
	}
	if (has(k->yes, i->a) || has(k->no, i->a))
		return has(k->yes, i->a) == (i->op == OP_JNZ);
	return -1;
}

static bool is_zero_or_one(const struct known *k, int reg)
{
	return k->how[reg] == CONTRARY || k->how[reg] == UNSET || k->how[reg] == SET || (k->how[reg] == ANSWER && is_answer((enum op)(k->value[reg] >> 32)));
}

/* What is read of nobody is unset: it is somebody whose field holds something. */
static void learn_whose(struct known *k, int reg)
{
	const enum op op = (enum op)(k->value[reg] >> 32);
	if (k->how[reg] == ANSWER && (op == OP_LDF || op == OP_LDT || op == OP_EVENTOF))
		put(k->some, (int)(k->value[reg] & 0xffff));
}

void known_branch(struct known *k, const struct insn *i, bool jumped)
{
	int reg = i->a;
	if (jumped == (i->op == OP_JSOME || i->op == OP_JNZ))
		learn_whose(k, reg);
	if (i->op == OP_JNONE || i->op == OP_JSOME) {
		if (jumped == (i->op == OP_JNONE)) {
			set_value(k, reg, NONE);
			return;
		}
		put(k->some, reg);
	} else {
		bool so = jumped == (i->op == OP_JNZ);
		if (is_zero_or_one(k, reg)) {
			set_value(k, reg, so);
			return;
		}
		put(so ? k->yes : k->no, reg);
		if (!so)
			return;
		put(k->some, reg);
	}
	if (k->how[reg] == MAYBE)
		set_value(k, reg, k->value[reg]);
}

/* ---- where ways meet ---- */

static bool is_this_or_unset(const struct known *k, int reg, word *v)
{
	*v = k->value[reg];
	return k->how[reg] == CONSTANT || k->how[reg] == MAYBE;
}

/* What both know stays. */
static void meet(struct known *k, const struct known *from)
{
	for (int w = 0; w < LIVE_WORDS; w++) {
		k->some[w] &= from->some[w];
		k->yes[w] &= from->yes[w];
		k->no[w] &= from->no[w];
	}
	for (int r = 0; r < k->n; r++) {
		word a, b;
		if (k->how[r] == UNKNOWN || (k->how[r] == from->how[r] && k->value[r] == from->value[r]))
			continue;
		bool may = is_this_or_unset(k, r, &a) && is_this_or_unset(from, r, &b) && (a == b || a == NONE || b == NONE);
		forget(k, r);
		if (may) {
			k->how[r] = MAYBE;
			k->value[r] = a == NONE ? b : a;
		}
	}
}

/* Does this jump leave the loop that asks those of whom it was not known whether they say yes to a question, and adds who does to the
 * set of those who are known to? The question, and the set's register; else -1. */
static int32_t sifted_by(const struct items *s, int32_t at, int *set)
{
	const int32_t walk = at - 1, last = at + 5;
	if (at < 4 || last >= s->n)
		return -1;
	const struct item *sift = &s->item[at - 4], *begins = sift + 2, *next = sift + 3, *asks = &s->item[at + 2], *no = asks + 1, *adds = asks + 2, *again = asks + 3;
	const int32_t fn = sift[1].i.k;
	const int who = next->i.a;
	if (sift->i.op != OP_SKNOWN || sift[1].i.op != OP_EXT || begins->i.op != OP_LOADI || begins->i.a != who || next->i.op != OP_SNEXT || next->i.b != sift->i.c || s->item[at].i.a != who)
		return -1;
	if (asks[-1].i.op != OP_MOVE || asks[-1].i.b != who || asks->i.op != OP_CALL || asks->i.k != fn || asks[-1].i.a != asks->i.a + 2 || !s->p->fn[fn].own || fn > UINT16_MAX)
		return -1;
	if (no->i.op != OP_JZ || no->i.a != asks->i.a || (no->to != last && no->to != walk) || adds->i.op != OP_SADD || adds->i.a != sift->i.a || adds->i.b != who || again->i.op != OP_LOOP || again->to != walk)
		return -1;
	for (int32_t from = 0; from < s->n; from++) {
		const int32_t to = s->item[from].to;
		if (to > at - 4 && to <= last && (from <= at || from > last || (to != walk && to != last)))
			return -1;
	}
	*set = sift->i.a;
	return fn;
}

/* Somebody who knows this jumps forward to an item. */
static void set_out(struct items *s, const struct known *from, int32_t at, int32_t to)
{
	static _Thread_local struct known k;
	struct known *way = &s->ways[s->item[to].way];
	const struct insn *i = &s->item[at].i;
	int set;
	const int32_t fn = i->op == OP_JNONE ? sifted_by(s, at, &set) : -1;
	known_copy(&k, from);
	if (is_conditional((enum op)i->op))
		known_branch(&k, i, true);
	if (fn >= 0)
		set_about(&k, set, ANSWER, SIFTED(fn));
	if (way->anybody)
		meet(way, &k);
	else
		known_copy(way, &k);
	way->anybody = true;
}

/* ---- loops that count ---- */

/* The end of a loop's turn, where its number is added to, whatever was done in it; else -1. What it goes by is written nowhere else. */
static int32_t counts_on(const struct items *s, int32_t to, int32_t end)
{
	const struct insn *question = &s->item[to].i;
	int32_t step = end - 1;
	if (s->item[end].target)
		return -1;
	while (step > to && s->item[step].i.op == OP_NOP && !s->item[step].target)
		step--;
	const struct insn *add = &s->item[step].i;
	if (add->op != OP_ADD || add->a != question->b || add->b != question->b)
		return -1;
	for (int32_t at = to; at < step; at++)
		if (item_writes(s, &s->item[at].i, question->b) || item_writes(s, &s->item[at].i, question->c) || item_writes(s, &s->item[at].i, add->c) || s->item[at].to == to)
			return -1;
	return add->a == question->c || add->a == add->c ? -1 : step;
}

/* `each n from 1 to 1`, after whose turn the number is more than the last: has it one turn, if this is known where it begins? */
static bool goes_once(const struct items *s, const struct known *k, int32_t to)
{
	const int32_t end = s->item[to].loop;
	const struct insn *question = &s->item[to].i, *jump = &s->item[to + 1].i;
	word from, until, more, next, again;
	if (end <= to + 2 || question->op != OP_LE || jump->op != OP_JZ || jump->a != question->a || s->item[to + 1].to <= end || s->item[end].i.op != OP_LOOP || s->item[end].to != to)
		return false;
	const int32_t step = counts_on(s, to, end);
	return step >= 0 && known_value(k, question->b, &from) && known_value(k, question->c, &until) && known_value(k, s->item[step].i.c, &more)
		&& worked_out(OP_ADD, from, more, &next) && worked_out(OP_LE, next, until, &again) && !again;
}

/* Then nobody goes back to ask whether there is another, if nobody behind it reads that there is none. */
static void go_once(struct items *s)
{
	bool any = false;
	for (int32_t at = 0; at < s->n; at++)
		any |= s->item[at].once;
	if (!any)
		return;
	items_find_live(s);
	for (int32_t at = 0; at < s->n; at++) {
		const struct item *x = &s->item[at], *jump = x + 1;
		if (!x->once || x->i.op != OP_LE || jump->i.op != OP_JZ || jump->i.a != x->i.a || items_live_at(s, jump->to, x->i.a))
			continue;
		s->item[x->loop].i = (struct insn){.op = OP_JMP};
		s->item[x->loop].to = jump->to;
		s->changed = true;
	}
}

/* What is known at an item that is jumped to; `along`: one comes from the item before it, too. */
static void arrive(struct items *s, struct known *k, int32_t to, bool along)
{
	const struct known *way = &s->ways[s->item[to].way];
	if (way->anybody && along)
		meet(k, way);
	else if (way->anybody)
		known_copy(k, way);
	else if (!along)
		known_forget_all(k, k->n);
	k->anybody = false;
	s->item[to].once = goes_once(s, k, to);
	/* whatever a loop that begins here writes may have been written */
	for (int32_t in = to; in <= s->item[to].loop; in++) {
		int first, n = item_written(s, &s->item[in].i, &first);
		forget_registers(k, first, n);
		upset(s, k, &s->item[in].i);
	}
}

void known_walk(struct items *s, void (*at_item)(struct items *s, struct known *k, int32_t at, void *context), void *context)
{
	static _Thread_local struct known k;
	size_t targets = (size_t)items_mark_targets(s);
	if (targets > s->ways_room) {
		free(s->ways);
		s->ways_room = 2 * targets;
		s->ways = malloc(s->ways_room * sizeof *s->ways);
		if (!s->ways)
			abort();
	}
	for (size_t i = 0; i < targets; i++)
		s->ways[i].anybody = false;
	known_forget_all(&k, s->registers);
	for (int32_t at = 0; at < s->n; at++) {
		struct item *x = &s->item[at];
		if (x->target)
			arrive(s, &k, at, at > 0 && goes_on((enum op)s->item[at - 1].i.op));
		int32_t to = x->to;
		at_item(s, &k, at, context);
		known_learn(s, &k, &x->i);
		/* if this pass retargeted the jump, its facts still hold at the old target */
		if (x->to >= 0 && to > at)
			set_out(s, &k, at, to);
		if (is_conditional((enum op)x->i.op))
			known_branch(&k, &x->i, false);
		if (!goes_on((enum op)x->i.op))
			known_forget_all(&k, s->registers);
	}
}

/* ---- what is known is used ---- */

/* One more constant, while there is a number for it. */
static bool constant_add(struct program *p, word value)
{
	if (p->constants >= CONSTANTS_MOST)
		return false;
	word *more = arena_array(&p->arena, word, p->constants + 2);
	memcpy(more, p->constant, (size_t)p->constants * sizeof *more);
	more[p->constants++] = value;
	p->constant = more;
	return true;
}

bool item_load(struct items *s, int32_t at, int reg, word value)
{
	struct insn i = {.op = OP_LOADI, .a = (uint16_t)reg};
	if (value >= INT32_MIN && value <= INT32_MAX) {
		i.k = (int32_t)value;
	} else {
		int32_t k = 0;
		while (k < s->p->constants && s->p->constant[k] != value)
			k++;
		if (k == s->p->constants && !constant_add(s->p, value))
			return false;
		i.op = OP_LOADK;
		i.k = k;
	}
	s->item[at].i = i;
	s->changed = true;
	return true;
}

/* Another register that holds the same. A number that is loaded right before it is stored, or before it
 * names whose field is read, stays there: others look for it (runtime/code/lasting.c), and the two are done at once. */
static uint16_t copied(struct items *s, const struct known *k, enum op op, uint16_t reg)
{
	if (k->how[reg] == CONSTANT) {
		uint16_t had = k->first[reg];
		if (op == OP_LDF || op == OP_STF || op == OP_STP || had == reg || k->how[had] != CONSTANT || k->value[had] != k->value[reg])
			return reg;
		s->changed = true;
		return had;
	}
	if (k->how[reg] != COPY)
		return reg;
	s->changed = true;
	return (uint16_t)k->value[reg];
}

/* A register that holds the answer already; -1. */
static int held(const struct items *s, const struct known *k, const struct insn *i)
{
	const int about = asked_of(s, k, i);
	const word answer = about >= 0 ? ANSWER_OF(OP_CALL, about, i->k) : ANSWER_OF(i->op, i->b, i->c);
	if (about < 0 && !answers_again((enum op)i->op))
		return -1;
	for (int w = 0; w < LIVE_WORDS; w++)
		for (uint64_t left = k->about[w]; left; left &= left - 1) {
			int r = w * 64 + __builtin_ctzll(left);
			if (k->how[r] == ANSWER && k->value[r] == answer)
				return r;
		}
	return -1;
}

/* A jump on what an answer says of another register becomes one on that. */
static void jump_on(struct items *s, const struct known *k, struct insn *i)
{
	while (i->op == OP_JZ || i->op == OP_JNZ) {
		enum knowledge how = k->how[i->a];
		bool when = i->op == OP_JNZ;
		if (how == CONTRARY)
			i->op = when ? OP_JZ : OP_JNZ;
		else if (how == UNSET || how == SET)
			i->op = when == (how == UNSET) ? OP_JNONE : OP_JSOME;
		else
			return;
		i->a = (uint16_t)k->value[i->a];
		s->changed = true;
	}
}

/* Operands that are copies become what they are copies of; what is known is loaded; a jump whose
 * condition is known is one, or none. */
static void use_known(struct items *s, struct known *k, int32_t at, void *context)
{
	struct insn *i = &s->item[at].i;
	int reads = item_sources(s, i);
	word v;
	(void)context;
	if (reads & 1)
		i->a = copied(s, k, (enum op)i->op, i->a);
	if (reads & 2)
		i->b = copied(s, k, (enum op)i->op, i->b);
	if (reads & 4)
		i->c = copied(s, k, (enum op)i->op, i->c);
	if (is_conditional((enum op)i->op)) {
		jump_on(s, k, i);
		int jumps = known_jump(k, i);
		if (jumps > 0) {
			i->op = OP_JMP;
			i->a = 0;
			s->changed = true;
		} else if (jumps == 0) {
			item_clear(s, at);
		}
		return;
	}
	if ((i->op == OP_MIN || i->op == OP_MAX) && ((known_value(k, i->b, &v) && v == NONE) || (known_value(k, i->c, &v) && v == NONE))) {
		/* an unset one loses */
		*i = (struct insn){.op = OP_MOVE, .a = i->a, .b = known_value(k, i->b, &v) && v == NONE ? i->c : i->b};
		s->changed = true;
	}
	if (i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL) {
		const word same = i->op == OP_MUL; /* nothing added, once */
		if (known_value(k, i->c, &v) && v == same)
			*i = (struct insn){.op = OP_MOVE, .a = i->a, .b = i->b};
		else if (i->op != OP_SUB && known_value(k, i->b, &v) && v == same)
			*i = (struct insn){.op = OP_MOVE, .a = i->a, .b = i->c};
		s->changed |= i->op == OP_MOVE;
	}
	if (i->op == OP_STF && s->p->from_start && s->same[i->c]) {
		item_clear(s, at);
		return;
	}
	if (i->op == OP_LDSF && s->p->from_start && s->same[i->c]) {
		*i = (struct insn){.op = OP_SNONE, .a = i->a};
		s->changed = true;
	}
	if (i->op != OP_LOADI && i->op != OP_LOADK && value_left(s, k, i, &v) && item_load(s, at, i->a, v))
		return;
	if (i->op == OP_MOVE && ((k->how[i->a] == COPY && k->value[i->a] == i->b) || (k->how[i->b] == COPY && k->value[i->b] == i->a))) {
		item_clear(s, at);
		return;
	}
	int has_it = held(s, k, i);
	if (has_it >= 0) {
		*i = (struct insn){.op = OP_MOVE, .a = i->a, .b = (uint16_t)has_it};
		s->changed = true;
	}
}

void items_propagate(struct items *s)
{
	known_walk(s, use_known, NULL);
	go_once(s);
}
