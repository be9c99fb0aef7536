/* shorten.c - see shorten.h. A function is taken apart into items, each an instruction with the item
 * its jump leads to; the passes below turn items into NOP, retarget jumps or write other operands;
 * what is left is put together again. They are repeated while they find something. */
#include "lang/gen/shorten.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/must.h"
#include "runtime/vm/live.h"

enum { REGISTERS = LIVE_WORDS * 64, ROUNDS = 6, STEPS = 48 };

struct item { struct insn i; struct span span; int32_t to; bool reached, target; int32_t loop, way; /* the last item that jumps back here, or -1; its number among those jumped to */ };

struct shorten {
	struct program *p;
	struct fn_info *f;
	struct item *item;
	int32_t n, room;
	uint64_t *live; /* before each item; LIVE_WORDS each, one more set at the end */
	bool changed;
	bool from_start;
	uint8_t *unset;  /* by field: no instruction writes it, and it is unset, or an empty set, for all */
	/* what is known of those who jump forward to an item, by its number among the targets */
	uint8_t *how;
	word *value;
	size_t ways_room;
};

/* What is known of each register: its value; or that it is a copy of another, says the contrary of
 * another, says that another is unset, or that it is not; or that it is what a field of another holds
 * (by FIELD_OF). */
enum knowledge { UNKNOWN, CONSTANT, COPY, CONTRARY, UNSET, SET, FIELD };
#define FIELD_OF(reg, field) ((word)(reg) | (word)(field) << 16)
struct known { unsigned n; uint8_t how[REGISTERS]; word value[REGISTERS]; };

static bool is_conditional(enum op op)
{
	return op_jumps(op) && op != OP_JMP && op != OP_LOOP;
}

static bool goes_on(enum op op)
{
	return op != OP_RET && op != OP_JMP && op != OP_LOOP && op != OP_HALT && op != OP_FATAL;
}

static bool only_told(enum op op)
{
	return op == OP_NOTE || op == OP_TELL || op == OP_DECLARE || op == OP_REFUSED || op == OP_CHOSEN;
}

static void nothing(struct shorten *s, int32_t at)
{
	memset(&s->item[at].i, 0, sizeof s->item[at].i); /* NOP */
	s->item[at].to = -1;
	s->changed = true;
}

/* ---- what instructions write and read ---- */

/* Registers an instruction may write: how many from *first on. */
static int written(const struct shorten *s, const struct insn *i, int *first)
{
	const char *shape = op_table[i->op].shape;
	*first = i->a;
	switch ((enum op)i->op) {
	case OP_CALL: case OP_CALLACT: case OP_SETTLE: case OP_SKNOWN:
		return s->f->registers - i->a; /* the callee's frame; two sets */
	case OP_WOKE:
		return s->p->whenever[i->k].params + 1;
	case OP_STEP:
		return 2;
	case OP_TURN:
		return 1;
	default:
		return shape[0] == 'd' ? 1 : shape[0] == 'D' ? s->p->set_words : 0;
	}
}

/* Operands that are one register, read and nothing else: bits 0, 1, 2 for a, b, c. */
static int sources(enum op op)
{
	switch (op) {
	case OP_MOVE: case OP_NEG: case OP_NOT: case OP_FRAC: case OP_ROUND: case OP_KINDOF: case OP_RANK:
	case OP_LDF: case OP_LDT: case OP_LDA: case OP_EVENTOF: case OP_COPY:
		return 2;
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_MIN: case OP_MAX: case OP_REM: case OP_DIV:
	case OP_FADD: case OP_FSUB: case OP_FMUL: case OP_FDIV: case OP_FMIN: case OP_FMAX:
	case OP_SAME: case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_FLT: case OP_FLE: case OP_ISA:
	case OP_ROLL: case OP_CHANCE:
		return 6;
	case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME: case OP_PEND: case OP_CANCEL: case OP_OVER: case OP_FREE:
		return 1;
	case OP_STF: case OP_ADF: case OP_STA:
		return 3;
	case OP_SADD:
		return 2;
	default:
		return 0;
	}
}

/* Needed for what it writes alone, and cannot fail. */
static bool is_free(enum op op)
{
	switch (op) {
	case OP_MOVE: case OP_LOADI: case OP_LOADK: case OP_NEG: case OP_MIN: case OP_MAX:
	case OP_SAME: case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_NOT: case OP_ISA: case OP_KINDOF:
	case OP_LDF: case OP_LDP: case OP_LDT: case OP_LDA: case OP_EVENTOF: case OP_RANK: case OP_CAUSE: case OP_NOW: case OP_KEPT:
	case OP_SNONE: case OP_SALL: case OP_SMOVE: case OP_SOR: case OP_SCOUNT: case OP_SHAS: case OP_LDSF:
		return true;
	default:
		return false;
	}
}

static bool is_so(word v)
{
	return v != 0 && v != NONE;
}

/* Nothing that a field holds is written, nor is anybody else let in who might. */
static bool leaves_fields(const struct shorten *s, const struct insn *i)
{
	if (i->op == OP_CALL)
		return s->p->fn[i->k].pure;
	return is_free((enum op)i->op) || op_jumps((enum op)i->op) || sources((enum op)i->op) == 6 || i->op == OP_NOP || i->op == OP_EXT || i->op == OP_HASL ||
	       i->op == OP_LEN || i->op == OP_ITEM || i->op == OP_TABLE || i->op == OP_SNEXT || i->op == OP_KNEXT || i->op == OP_SADD || i->op == OP_STAGE;
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
	case OP_NOT: *out = !is_so(b); return true;
	case OP_ADD: *out = unset ? NONE : num_add(b, c, &bad); return !bad;
	case OP_SUB: *out = unset ? NONE : num_sub(b, c, &bad); return !bad;
	case OP_MUL: *out = unset ? NONE : num_mul(b, c, &bad); return !bad;
	default: return false;
	}
}

/* ---- constants ---- */

static bool constant_of(const struct shorten *s, const struct insn *i, word *out)
{
	if (i->op == OP_LOADI)
		*out = i->k;
	else if (i->op == OP_LOADK)
		*out = s->p->constant[i->k];
	else
		return false;
	return true;
}

/* Makes an item load a value; false when there is no such constant. */
static bool load(struct shorten *s, int32_t at, int reg, word value)
{
	struct insn i = {.op = OP_LOADI, .a = (uint16_t)reg};
	if (value >= INT32_MIN && value <= INT32_MAX) {
		i.k = (int32_t)value;
	} else {
		int32_t k = 0;
		while (k < s->p->constants && s->p->constant[k] != value)
			k++;
		if (k == s->p->constants)
			return false;
		i.op = OP_LOADK;
		i.k = k;
	}
	s->item[at].i = i;
	s->changed = true;
	return true;
}

/* ---- what is known on the way through a straight piece of code ---- */

static void forget_all(struct known *k)
{
	memset(k->how, 0, (size_t)k->n);
}

static void copy_known(struct known *k, const struct known *from)
{
	k->n = from->n;
	memcpy(k->how, from->how, (size_t)k->n);
	memcpy(k->value, from->value, (size_t)k->n * sizeof *k->value);
}

static void forget_register(struct known *k, int reg)
{
	k->how[reg] = UNKNOWN;
	for (unsigned r = 0; r < k->n; r++)
		if (k->how[r] > CONSTANT && (k->value[r] & 0xffff) == reg)
			k->how[r] = UNKNOWN;
}

/* Something may have been written that fields hold. */
static void forget_fields(struct known *k)
{
	for (unsigned r = 0; r < k->n; r++)
		if (k->how[r] == FIELD)
			k->how[r] = UNKNOWN;
}

/* A register that holds that field already; -1. */
static int field_held(const struct known *k, const struct insn *i)
{
	for (unsigned r = 0; r < k->n; r++)
		if (k->how[r] == FIELD && k->value[r] == FIELD_OF(i->b, i->c))
			return (int)r;
	return -1;
}

static bool value_of(const struct known *k, int reg, word *out)
{
	*out = k->value[reg];
	return k->how[reg] == CONSTANT;
}

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
	if (value_of(k, i->c, &v) && v == NONE)
		return i->b;
	if (value_of(k, i->b, &v) && v == NONE)
		return i->c;
	return -1;
}

/* What a field that nobody writes holds: the same for all when that is nothing, else if it is known of whom. */
static bool stored(const struct shorten *s, const struct known *k, const struct insn *i, word *out)
{
	const struct field_info *f = &s->p->field[i->c];
	word thing;
	*out = NONE;
	if (!s->from_start || !f->fixed)
		return false;
	if (s->unset[i->c])
		return true;
	if (f->kind == KIND_ACT || !value_of(k, i->b, &thing) || thing < 0 || (uint64_t)thing >= s->p->layout.kind[f->kind].count)
		return false;
	*out = s->p->start[f->base + (uint64_t)thing * f->stride];
	return true;
}

static bool set_known(const struct shorten *s, const struct known *k, int reg, word *count)
{
	*count = 0;
	for (int w = 0; w < s->p->set_words; w++) {
		if (k->how[reg + w] != CONSTANT)
			return false;
		*count += __builtin_popcountll((uint64_t)k->value[reg + w]);
	}
	return true;
}

/* What an instruction leaves behind. */
static void learn(const struct shorten *s, struct known *k, const struct insn *i)
{
	word v, b = 0, c = 0;
	int first, n = written(s, i, &first);
	bool constant = constant_of(s, i, &v);
	if (!constant && (i->op == OP_SAME || i->op == OP_EQ || i->op == OP_NE || i->op == OP_LT || i->op == OP_LE || i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL))
		constant = value_of(k, i->b, &b) && value_of(k, i->c, &c) && worked_out((enum op)i->op, b, c, &v);
	else if (!constant && i->op == OP_NOT)
		constant = value_of(k, i->b, &b) && worked_out(OP_NOT, b, 0, &v);
	else if (!constant && i->op == OP_MOVE)
		constant = value_of(k, i->b, &v);
	else if (!constant && i->op == OP_LDF)
		constant = stored(s, k, i, &v);
	else if (!constant && i->op == OP_SCOUNT)
		constant = set_known(s, k, i->b, &v);
	enum knowledge how = UNKNOWN;
	int other = says(k, i, &how);
	for (int r = first; r < first + n && r < (int)k->n; r++)
		forget_register(k, r);
	if (!leaves_fields(s, i))
		forget_fields(k);
	if (constant) {
		k->how[i->a] = CONSTANT;
		k->value[i->a] = v;
	} else if (i->op == OP_SNONE) {
		for (int r = i->a; r < i->a + n; r++) {
			k->how[r] = CONSTANT;
			k->value[r] = 0;
		}
	} else if (i->op == OP_MOVE && i->a != i->b) {
		k->how[i->a] = COPY;
		k->value[i->a] = k->how[i->b] == COPY ? k->value[i->b] : i->b;
	} else if (i->op == OP_LDF && i->a != i->b) {
		k->how[i->a] = FIELD;
		k->value[i->a] = FIELD_OF(i->b, i->c);
	} else if (other >= 0 && other != i->a) {
		k->how[i->a] = how;
		k->value[i->a] = other;
	}
}

static uint16_t copied(struct shorten *s, const struct known *k, uint16_t reg)
{
	if (k->how[reg] != COPY)
		return reg;
	s->changed = true;
	return (uint16_t)k->value[reg];
}

static void mark_targets(struct shorten *s)
{
	for (int32_t at = 0; at < s->n; at++)
		s->item[at].target = false;
	for (int32_t at = 0; at < s->n; at++)
		if (s->item[at].to >= 0)
			s->item[s->item[at].to].target = true;
}

/* A jump on what an answer says of another register becomes one on that. */
static void jump_on(struct shorten *s, const struct known *k, struct insn *i)
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

static bool jumps_for(enum op op, word v)
{
	return op == OP_JNONE ? v == NONE : op == OP_JSOME ? v != NONE : is_so(v) == (op == OP_JNZ);
}

/* ---- what is known where ways meet ---- */

/* Numbers the items that are jumped to, and says of each up to where a loop goes that begins there. */
static int32_t find_ways(struct shorten *s)
{
	int32_t n = 0;
	bool grew = true;
	for (int32_t at = 0; at < s->n; at++) {
		s->item[at].target = false;
		s->item[at].loop = -1;
	}
	for (int32_t at = 0; at < s->n; at++) {
		int32_t to = s->item[at].to;
		if (to < 0)
			continue;
		s->item[to].target = true;
		if (to <= at)
			s->item[to].loop = at;
	}
	while (grew) { /* a loop that begins inside another and ends behind it makes that longer */
		grew = false;
		for (int32_t at = 0; at < s->n; at++)
			for (int32_t in = at + 1; in <= s->item[at].loop; in++)
				if (s->item[in].loop > s->item[at].loop) {
					s->item[at].loop = s->item[in].loop;
					grew = true;
				}
	}
	for (int32_t at = 0; at < s->n; at++)
		n += s->item[at].target;
	size_t room = ((size_t)n + 1) * s->f->registers + 1;
	if (room > s->ways_room) {
		s->ways_room = 2 * room;
		s->how = realloc(s->how, s->ways_room);
		s->value = realloc(s->value, s->ways_room * sizeof *s->value);
		if (!s->how || !s->value)
			abort();
	}
	n = 0;
	for (int32_t at = 0; at < s->n; at++)
		s->item[at].way = s->item[at].target ? n++ : -1;
	return n;
}

static void found_unset(struct known *k, int reg)
{
	k->how[reg] = CONSTANT;
	k->value[reg] = NONE;
}

enum { NOBODY_YET = 0xff };

/* Somebody who knows this jumps forward to an item: what all know who come there stays. */
static void set_out(struct shorten *s, const struct known *from, const struct insn *i, int32_t to)
{
	static _Thread_local struct known k;
	size_t at = (size_t)s->item[to].way * (size_t)from->n;
	copy_known(&k, from);
	if (i->op == OP_JNONE)
		found_unset(&k, i->a);
	if (k.n == 0)
		return;
	if (s->how[at] == NOBODY_YET) {
		memcpy(s->how + at, k.how, (size_t)k.n);
		memcpy(s->value + at, k.value, (size_t)k.n * sizeof *k.value);
		return;
	}
	for (unsigned r = 0; r < k.n; r++)
		if (s->how[at + (size_t)r] != k.how[r] || s->value[at + (size_t)r] != k.value[r])
			s->how[at + (size_t)r] = UNKNOWN;
}

/* What is known at an item that is jumped to; `along`: one comes from the item before it, too. */
static void arrive(struct shorten *s, struct known *k, int32_t to, bool along)
{
	size_t at = (size_t)s->item[to].way * (size_t)k->n;
	bool jumped = k->n > 0 && s->how[at] != NOBODY_YET;
	if (!along)
		forget_all(k);
	for (unsigned r = 0; jumped && r < k->n; r++) {
		if (!along) {
			k->how[r] = s->how[at + (size_t)r];
			k->value[r] = s->value[at + (size_t)r];
		} else if (s->how[at + (size_t)r] != k->how[r] || s->value[at + (size_t)r] != k->value[r]) {
			k->how[r] = UNKNOWN;
		}
	}
	/* whatever a loop that begins here writes may have been written */
	for (int32_t in = to; in <= s->item[to].loop; in++) {
		int first, n = written(s, &s->item[in].i, &first);
		for (int r = first; r < first + n && r < (int)k->n; r++)
			forget_register(k, r);
		if (!leaves_fields(s, &s->item[in].i))
			forget_fields(k);
	}
}

/* Operands that are copies become what they are copies of; what is known is loaded; a jump whose
 * condition is known is one, or none. */
static void propagate(struct shorten *s)
{
	static _Thread_local struct known k;
	int32_t targets = find_ways(s);
	k.n = s->f->registers;
	forget_all(&k);
	memset(s->how, 0xff, (size_t)targets * (size_t)k.n + 1);
	for (int32_t at = 0; at < s->n; at++) {
		struct item *x = &s->item[at];
		struct insn *i = &x->i;
		int reads = sources((enum op)i->op);
		word v;
		if (x->target)
			arrive(s, &k, at, at > 0 && goes_on((enum op)s->item[at - 1].i.op));
		if (reads & 1)
			i->a = copied(s, &k, i->a);
		if (reads & 2)
			i->b = copied(s, &k, i->b);
		if (reads & 4)
			i->c = copied(s, &k, i->c);
		jump_on(s, &k, i);
		if (is_conditional((enum op)i->op) && value_of(&k, i->a, &v)) {
			if (jumps_for((enum op)i->op, v)) {
				i->op = OP_JMP;
				i->a = 0;
				s->changed = true;
			} else {
				nothing(s, at);
			}
		}
		int held = i->op == OP_LDF ? field_held(&k, i) : -1;
		if (held >= 0) {
			*i = (struct insn){.op = OP_MOVE, .a = i->a, .b = (uint16_t)held};
			s->changed = true;
		}
		if ((i->op == OP_MIN || i->op == OP_MAX) && ((value_of(&k, i->b, &v) && v == NONE) || (value_of(&k, i->c, &v) && v == NONE))) {
			/* an unset one loses */
			*i = (struct insn){.op = OP_MOVE, .a = i->a, .b = value_of(&k, i->b, &v) && v == NONE ? i->c : i->b};
			s->changed = true;
		}
		if (i->op == OP_LDSF && s->from_start && s->unset[i->c]) {
			*i = (struct insn){.op = OP_SNONE, .a = i->a};
			s->changed = true;
		}
		learn(s, &k, i);
		if (i->op != OP_LOADI && i->op != OP_LOADK && is_free((enum op)i->op) && op_table[i->op].shape[0] == 'd' && value_of(&k, i->a, &v))
			load(s, at, i->a, v);
		else if ((i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL) && value_of(&k, i->a, &v))
			load(s, at, i->a, v);
		if (x->to > at)
			set_out(s, &k, i, x->to);
		if (i->op == OP_JSOME) /* who comes along has found it unset */
			found_unset(&k, i->a);
		if (!goes_on((enum op)i->op))
			forget_all(&k);
	}
}

/* ---- who is read later ---- */

static void find_live(struct shorten *s)
{
	bool grew = true, back = true; /* without a way back the first pass says all */
	memset(s->live, 0, (size_t)(s->n + 1) * LIVE_WORDS * sizeof *s->live);
	while (grew && back) {
		grew = back = false;
		for (int32_t at = s->n - 1; at >= 0; at--) {
			const struct item *x = &s->item[at];
			back |= x->to >= 0 && x->to <= at;
			uint64_t set[LIVE_WORDS] = {0}, *own = s->live + (size_t)at * LIVE_WORDS;
			if (goes_on((enum op)x->i.op))
				memcpy(set, own + LIVE_WORDS, sizeof set);
			for (int k = 0; k < LIVE_WORDS && x->to >= 0; k++)
				set[k] |= s->live[(size_t)x->to * LIVE_WORDS + (size_t)k];
			live_step(s->p, s->f, &x->i, set);
			for (int k = 0; k < LIVE_WORDS; k++) {
				grew |= (set[k] & ~own[k]) != 0;
				own[k] |= set[k];
			}
		}
	}
}

static bool is_live(const struct shorten *s, int32_t at, int reg)
{
	return s->live[(size_t)at * LIVE_WORDS + (size_t)reg / 64] >> reg % 64 & 1;
}

static void drop_unread(struct shorten *s)
{
	find_live(s);
	for (int32_t at = 0; at < s->n; at++) {
		const struct insn *i = &s->item[at].i;
		int first, n = written(s, i, &first);
		bool read = false;
		if (!is_free((enum op)i->op))
			continue;
		for (int r = first; r < first + n; r++)
			read |= is_live(s, at + 1, r);
		if (!read || (i->op == OP_MOVE && i->a == i->b))
			nothing(s, at);
	}
}

/* ---- jumps ---- */

/* Where one who arrives at `at` knowing this ends up, if what is written on the way is not read there. */
static int32_t ends_up(const struct shorten *s, const struct known *from, int32_t at)
{
	static _Thread_local struct known k;
	uint64_t wrote[LIVE_WORDS] = {0};
	int32_t best = at;
	copy_known(&k, from);
	for (int step = 0; step < STEPS && at < s->n; step++) {
		const struct item *x = &s->item[at];
		const struct insn *i = &x->i;
		word v;
		if (i->op == OP_NOP) {
			at++;
		} else if (i->op == OP_JMP) {
			at = x->to;
		} else if (is_conditional((enum op)i->op)) {
			if (!value_of(&k, i->a, &v))
				break;
			at = jumps_for((enum op)i->op, v) ? x->to : at + 1;
		} else {
			int first;
			if (written(s, i, &first) != 1)
				break;
			learn(s, &k, i);
			if (k.how[i->a] != CONSTANT || !is_free((enum op)i->op))
				break;
			wrote[i->a / 64] |= 1ull << i->a % 64;
			at++;
		}
		bool read = false;
		for (int w = 0; w < LIVE_WORDS; w++)
			read |= (wrote[w] & s->live[(size_t)at * LIVE_WORDS + (size_t)w]) != 0;
		if (!read)
			best = at;
	}
	return best;
}

static void thread_jumps(struct shorten *s)
{
	static _Thread_local struct known k, taken;
	find_live(s);
	k.n = s->f->registers;
	forget_all(&k);
	mark_targets(s);
	for (int32_t at = 0; at < s->n; at++) {
		struct item *x = &s->item[at];
		if (x->target)
			forget_all(&k);
		if (op_jumps((enum op)x->i.op) && x->i.op != OP_LOOP) {
			copy_known(&taken, &k);
			if (x->i.op == OP_JNONE) {
				taken.how[x->i.a] = CONSTANT;
				taken.value[x->i.a] = NONE;
			}
			int32_t to = ends_up(s, &taken, x->to);
			if (to != x->to && to > at && to < s->n) {
				x->to = to;
				s->changed = true;
			}
		}
		learn(s, &k, &x->i);
		if (!goes_on((enum op)x->i.op))
			forget_all(&k);
	}
}

/* Behind each item with to[item] >= 0 a jump there. */
static void put_in_jumps(struct shorten *s, const int32_t *to, int32_t more)
{
	int32_t *place = malloc(((size_t)s->n + 1) * sizeof *place), shift = 0;
	if (!place)
		abort();
	for (int32_t at = 0; at < s->n; at++) {
		place[at] = at + shift;
		shift += to[at] >= 0;
	}
	place[s->n] = s->n + shift;
	must(shift == more);
	for (int32_t at = s->n; at-- > 0;) {
		struct item x = s->item[at];
		if (x.to >= 0)
			x.to = place[x.to];
		if (to[at] >= 0)
			s->item[place[at] + 1] = (struct item){.i = {.op = OP_JMP}, .span = x.span, .to = place[to[at]]};
		s->item[place[at]] = x;
	}
	s->n += more;
	s->changed = true;
	free(place);
}

/* The same for one who does not jump but comes along: where that leaves out a decision, a jump is put in. */
static void leave_out(struct shorten *s)
{
	static _Thread_local struct known k;
	int32_t *to = malloc((size_t)s->n * sizeof *to), more = 0;
	if (!to)
		abort();
	find_live(s);
	k.n = s->f->registers;
	forget_all(&k);
	mark_targets(s);
	for (int32_t at = 0; at < s->n; at++) {
		struct item *x = &s->item[at];
		to[at] = -1;
		if (x->target)
			forget_all(&k);
		learn(s, &k, &x->i);
		if (!goes_on((enum op)x->i.op)) {
			forget_all(&k);
			continue;
		}
		/* behind EXT's instruction nothing may stand but EXT */
		bool split = at + 1 < s->n && s->item[at + 1].target && s->item[at + 1].i.op != OP_EXT;
		int32_t end = split && s->n + more < s->room ? ends_up(s, &k, at + 1) : at + 1;
		if (end > at + 3 && end < s->n) {
			to[at] = end;
			more++;
		}
	}
	if (more)
		put_in_jumps(s, to, more);
	free(to);
}

/* A value made in one register and moved to another is made there. */
static void make_in_place(struct shorten *s)
{
	find_live(s);
	mark_targets(s);
	for (int32_t at = 0; at + 1 < s->n; at++) {
		struct insn *i = &s->item[at].i;
		int32_t next = at + 1;
		if (!is_free((enum op)i->op) && i->op != OP_ADD && i->op != OP_SUB && i->op != OP_MUL)
			continue;
		if (op_table[i->op].shape[0] != 'd')
			continue;
		while (next < s->n && s->item[next].i.op == OP_NOP && !s->item[next].target)
			next++;
		if (next >= s->n || s->item[next].target)
			continue;
		const struct insn *move = &s->item[next].i;
		if (move->op != OP_MOVE || move->b != i->a || move->a == i->a || is_live(s, next + 1, i->a))
			continue;
		i->a = move->a;
		nothing(s, next);
	}
}

/* `NOT NOT`, asked for by one jump alone: that jumps on what it was made of. */
static void contrary_twice(struct shorten *s)
{
	int32_t first = 0;
	while (first + 2 < s->n && (s->item[first].i.op != OP_NOT || s->item[first + 1].i.op != OP_NOT))
		first++;
	if (first + 2 >= s->n)
		return;
	find_live(s);
	mark_targets(s);
	for (int32_t at = first; at + 2 < s->n; at++) {
		const struct insn *one = &s->item[at].i, *two = &s->item[at + 1].i;
		struct item *jump = &s->item[at + 2];
		int reg = two->a;
		if (one->op != OP_NOT || two->op != OP_NOT || two->b != one->a || (jump->i.op != OP_JZ && jump->i.op != OP_JNZ) || jump->i.a != reg)
			continue;
		if (s->item[at + 1].target || jump->target || is_live(s, at + 3, reg) || is_live(s, jump->to, reg))
			continue;
		if (one->a != reg && (is_live(s, at + 3, one->a) || is_live(s, jump->to, one->a)))
			continue;
		jump->i.a = one->b;
		nothing(s, at);
		nothing(s, at + 1);
	}
}

/* ---- taken apart and put together ---- */

static void find_reached(struct shorten *s)
{
	bool grew = true;
	for (int32_t at = 0; at < s->n; at++)
		s->item[at].reached = at == 0;
	while (grew) {
		grew = false;
		for (int32_t at = 0; at < s->n; at++) {
			const struct item *x = &s->item[at];
			if (!x->reached)
				continue;
			if (goes_on((enum op)x->i.op) && at + 1 < s->n && !s->item[at + 1].reached)
				grew = s->item[at + 1].reached = true;
			if (x->to >= 0 && !s->item[x->to].reached)
				grew = s->item[x->to].reached = true;
		}
	}
}

/* Leaves out NOPs, what is never reached and jumps to what comes next. */
static void close_up(struct shorten *s)
{
	int32_t *place = malloc(((size_t)s->n + 1) * sizeof *place), n = 0;
	if (!place)
		abort();
	find_reached(s);
	for (int32_t at = 0; at < s->n; at++) {
		struct item *x = &s->item[at];
		int32_t next = at + 1;
		while (next < s->n && (s->item[next].i.op == OP_NOP || !s->item[next].reached))
			next++;
		if (x->i.op == OP_JMP && x->to > at && x->to <= next)
			nothing(s, at);
	}
	for (int32_t at = 0; at < s->n; at++) {
		place[at] = n;
		n += s->item[at].reached && s->item[at].i.op != OP_NOP;
	}
	place[s->n] = n;
	for (int32_t at = 0; at < s->n; at++) {
		struct item x = s->item[at];
		if (!x.reached || x.i.op == OP_NOP)
			continue;
		if (x.to >= 0)
			x.to = place[x.to];
		s->item[place[at]] = x;
	}
	s->n = n;
	free(place);
}

static void take_apart(struct shorten *s)
{
	for (int32_t at = 0; at < s->n; at++) {
		struct item *x = &s->item[at];
		x->i = s->p->code[s->f->entry + at];
		x->span = s->p->code_span[s->f->entry + at];
		x->to = op_jumps((enum op)x->i.op) ? at + 1 + x->i.k : -1;
		if (only_told((enum op)x->i.op))
			nothing(s, at);
	}
}

/* It did not become shorter: as it was. */
static void take_apart_again(struct shorten *s)
{
	s->n = s->f->end - s->f->entry;
	take_apart(s);
}

static void shorten(struct shorten *s)
{
	close_up(s);
	for (int round = 0; round < ROUNDS; round++) {
		s->changed = false;
		propagate(s);
		thread_jumps(s);
		leave_out(s);
		drop_unread(s);
		make_in_place(s);
		contrary_twice(s);
		close_up(s);
		if (!s->changed)
			break;
	}
}

/* Of which fields is it known that nobody ever has anything in them? */
static void find_unset(struct shorten *s)
{
	const struct program *p = s->p;
	s->unset = calloc((size_t)p->fields + 1, 1);
	if (!s->unset)
		abort();
	for (int i = 0; i < p->fields; i++) {
		const struct field_info *f = &p->field[i];
		uint32_t count = p->layout.kind[f->kind].count + (f->kind == KIND_ACT), words = f->type.base == VT_SET ? (uint32_t)p->set_words : 1;
		bool unset = f->fixed && f->type.base != VT_LIST;
		for (uint32_t t = 0; t < count && unset; t++)
			for (uint32_t w = 0; w < words && unset; w++)
				unset = p->start[f->base + t * f->stride + w] == (f->type.base == VT_SET ? 0 : NONE);
		s->unset[i] = unset;
	}
}

void program_shorten(struct program *p, bool from_start, const bool *which)
{
	struct shorten s = {.p = p, .from_start = from_start};
	int32_t most = 1, to = 0;
	find_unset(&s);
	for (int i = 0; i < p->fns; i++)
		if (p->fn[i].end - p->fn[i].entry > most)
			most = p->fn[i].end - p->fn[i].entry;
	/* a function may grow for a while, never past what it was at first */
	s.room = 2 * most;
	s.item = calloc((size_t)s.room + 1, sizeof *s.item);
	s.live = calloc(((size_t)s.room + 1) * LIVE_WORDS, sizeof *s.live);
	struct insn *code = malloc((size_t)p->code_count * sizeof *code);
	struct span *span = malloc((size_t)p->code_count * sizeof *span);
	if (!s.item || !s.live || !code || !span)
		abort();
	for (int i = 0; i < p->fns; i++) {
		s.f = &p->fn[i];
		s.n = s.f->end - s.f->entry;
		take_apart(&s);
		if (s.f->registers <= REGISTERS && (!which || which[i]))
			shorten(&s);
		if (s.n > s.f->end - s.f->entry)
			take_apart_again(&s);
		s.f->entry = to;
		for (int32_t at = 0; at < s.n; at++, to++) {
			code[to] = s.item[at].i;
			span[to] = s.item[at].span;
			if (s.item[at].to >= 0)
				code[to].k = s.item[at].to - at - 1;
		}
		s.f->end = to;
	}
	memcpy(p->code, code, (size_t)to * sizeof *code);
	memcpy(p->code_span, span, (size_t)to * sizeof *span);
	p->code_count = to;
	free(code);
	free(span);
	free(s.item);
	free(s.live);
	free(s.how);
	free(s.unset);
	free(s.value);
}
