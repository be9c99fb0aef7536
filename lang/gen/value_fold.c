/* value_fold.c - what an instruction computes where its operands are known (value_facts.h):
 * constants, fields that hold the same for all, sets whose members are known. */
#include "lang/gen/value_facts.h"
#include "runtime/base/num.h"

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
bool fold_op(enum op op, word b, word c, word *out)
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
	case OP_FDIV:
		*out = unset ? NONE : frac_div(b, c, &bad);
		return !bad; /* by nothing: that fails when it is done */
	case OP_FLT: *out = !unset && frac_compare(b, c) < 0; return true;
	case OP_FLE: *out = !unset && frac_compare(b, c) <= 0; return true;
	default: return false;
	}
}

/* What a register may hold, if that is one word or one of two: how many they are; else 0. */
static int may_hold(const struct facts *k, int reg, word v[2])
{
	v[0] = k->value[reg];
	v[1] = NONE;
	return k->how[reg] == CONSTANT ? 1 : k->how[reg] == MAYBE ? 2 : 0;
}

/* The value of an operation, if it is the same whichever of these the operands hold. */
static bool comes_to_one(const struct facts *k, const struct insn *i, word *out)
{
	word b[2], c[2], other;
	const int bs = may_hold(k, i->b, b), cs = may_hold(k, i->c, c);
	if (bs == 0 || cs == 0 || !fold_op((enum op)i->op, b[0], c[0], out))
		return false;
	for (int n = 1; n < bs * cs; n++)
		if (!fold_op((enum op)i->op, b[n % bs], c[n / bs], &other) || other != *out)
			return false;
	return true;
}

/* What a field holds in which nothing else is ever written: the same for all, if it is read of
 * somebody, or if it is known of whom. */
static bool stored(const struct items *s, const struct facts *k, const struct insn *i, word *out)
{
	const struct field_info *f = &s->p->field[i->c];
	word thing;
	*out = NONE;
	if (!s->p->from_start || !f->fixed)
		return false;
	if (s->same[i->c] && (s->held[i->c] == NONE || reg_in(k->some, i->b))) {
		*out = s->held[i->c];
		return true;
	}
	if (f->kind == KIND_ACT || !facts_value(k, i->b, &thing) || thing < 0 ||
		(uint64_t)thing >= s->p->layout.kind[f->kind].count)
		return false;
	*out = s->p->start[f->base + (uint64_t)thing * f->stride];
	return true;
}

/* Of a thing, or of somebody, who may be none. */
bool fold_stored(const struct items *s, const struct insn *i, word *out)
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
static bool never_made(const struct items *s, const struct facts *k, int event, int number)
{
	word v;
	return s->p->from_start && k->how[event] == ANSWER && k->value[event] >> 32 == OP_EVENTOF &&
		facts_value(k, number, &v) && v >= 0 && v < s->p->events && !s->made[v];
}

bool fold_set(const struct items *s, const struct facts *k, int reg, word *count)
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
static bool member_known(
	const struct items *s, const struct facts *k, const struct insn *i, word *out)
{
	word one, words;
	if (!facts_value(k, i->c, &one))
		return false;
	*out = 0;
	if (one < 0 || one >= s->p->set_words * 64)
		return true;
	if (!facts_value(k, i->b + (int)(one / 64), &words))
		return false;
	*out = (word)((uint64_t)words >> one % 64 & 1);
	return true;
}

bool fold_value(const struct items *s, const struct facts *k, const struct insn *i, word *v)
{
	word b, c;
	switch ((enum op)i->op) {
	case OP_LOADI: case OP_LOADK:
		return constant_of(s, i, v);
	case OP_SAME:
		/* one is unset, the other is not */
		if ((facts_value(k, i->b, &b) && b == NONE && reg_in(k->some, i->c)) ||
			(facts_value(k, i->c, &c) && c == NONE && reg_in(k->some, i->b))) {
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
		if (!facts_value(k, i->b, &b))
			return false;
		*v = b == NONE ? NONE : frac_of(b, &bad);
		return !bad;
	}
	case OP_NOT:
		*v = reg_in(k->no, i->b);
		return reg_in(k->no, i->b) || reg_in(k->yes, i->b);
	case OP_MOVE:
		return facts_value(k, i->b, v);
	case OP_LDF:
		return stored(s, k, i, v);
	case OP_LDT:
		return s->thing_same[i->c] && s->thing_held[i->c] == NONE && (*v = NONE, true);
	case OP_SCOUNT:
		return fold_set(s, k, i->b, v);
	case OP_SHAS:
		return member_known(s, k, i, v);
	case OP_CHOICE: /* the script says nothing of it */
		*v = NONE;
		return !has_choice(s->p, i->c);
	default:
		return false;
	}
}
