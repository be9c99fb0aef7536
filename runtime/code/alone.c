/* alone.c - see alone.h. A stage's function is gone through once from its beginning: the actor is
 * its first register, which must never be written; an act of its own is what a register holds from
 * its making on, where all ways that lead there agree; where a loop begins nothing is known. */
#include "runtime/code/alone.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/buf.h"
#include "runtime/code/ops.h"

enum { CALLS_MOST = 40, REGISTERS = 256, RECKONED = 4 };

enum { JUMPED = 1, LOOPED = 2 };
struct ways { bool any; uint64_t own[RECKONED]; };

struct alone {
	const struct program *p;
	uint8_t *reads, *writes; /* by field: of others; at all */
	uint8_t *target;         /* by instruction: is it jumped to? LOOPED: from behind, too */
	struct ways *ways;       /* by instruction: what those know who jump there */
	int depth;
};

static bool reads_field(enum op op)
{
	return op == OP_LDF || op == OP_LDSF || op == OP_HASL || op == OP_LEN || op == OP_ITEM;
}

static bool reads_act(const struct program *p, const struct insn *i)
{
	return i->op == OP_EVENTOF || i->op == OP_LDA || (reads_field((enum op)i->op) && p->field[i->c].kind == KIND_ACT && !p->field[i->c].fixed);
}

/* A function that only reads: which fields. With `act` it is asked of an act that goes on, in its first
 * register; any other act may be one that somebody makes or forgets. */
static bool reader(struct alone *x, int32_t fn, bool act)
{
	const struct fn_info *f = &x->p->fn[fn];
	bool ok = f->pure && ++x->depth < CALLS_MOST;
	for (int32_t k = f->entry; k < f->end && ok; k++) {
		const struct insn *i = &x->p->code[k];
		const char shape = op_table[i->op].shape[0];
		if ((shape == 'd' || shape == 'D' || shape == 'w') && i->a == 0)
			act = false; /* whatever stands there then */
		if (reads_act(x->p, i))
			ok = act && i->b == 0;
		else if (reads_field((enum op)i->op))
			x->reads[i->c] = 1;
		else if (i->op == OP_CALL)
			ok = reader(x, i->k, false);
	}
	x->depth--;
	return ok;
}

struct straight { uint64_t own[RECKONED]; word constant[REGISTERS]; };

static bool is_own(const struct straight *s, int reg)
{
	return reg < REGISTERS && s->own[reg / 64] >> reg % 64 & 1;
}

static void anew(struct straight *s)
{
	memset(s->own, 0, sizeof s->own);
	for (int r = 0; r < REGISTERS; r++)
		s->constant[r] = NONE;
}

/* Ways meet: what all know. `along`: one comes from the instruction before, too. */
static void meet(const struct alone *x, int32_t at, struct straight *s, bool along)
{
	struct straight was = *s;
	const struct ways *w = &x->ways[at];
	anew(s);
	if (x->target[at] & LOOPED || (!along && !w->any))
		return;
	for (int k = 0; k < RECKONED; k++)
		s->own[k] = along && w->any ? was.own[k] & w->own[k] : along ? was.own[k] : w->own[k];
}

static void set_out(struct alone *x, int32_t to, const struct straight *s)
{
	struct ways *w = &x->ways[to];
	for (int k = 0; k < RECKONED; k++)
		w->own[k] = w->any ? w->own[k] & s->own[k] : s->own[k];
	w->any = true;
}

static void write_from(struct straight *s, int first, int n)
{
	for (int r = first; r < first + n && r < REGISTERS; r++) {
		s->own[r / 64] &= ~(1ull << r % 64);
		s->constant[r] = NONE;
	}
}

static void make_own(struct straight *s, int reg)
{
	if (reg < REGISTERS)
		s->own[reg / 64] |= 1ull << reg % 64;
}

/* May this instruction stand in such a function? */
static bool step(struct alone *x, const struct fn_info *f, const struct insn *i, struct straight *s)
{
	const struct program *p = x->p;
	const char shape = op_table[i->op].shape[0];
	int n = shape == 'd' ? 1 : shape == 'D' ? p->set_words : 0;
	if (i->op == OP_CALL || i->op == OP_CALLACT || i->op == OP_SKNOWN)
		n = f->registers - i->a;
	if (n > 0 && i->a == 0)
		return false; /* the actor stands there */
	switch ((enum op)i->op) {
	case OP_STF:
		x->writes[i->c] = 1;
		return p->field[i->c].touches == 0 && !p->field[i->c].shared && (p->field[i->c].kind == KIND_ACT ? is_own(s, i->a) : i->a == 0);
	case OP_FREE:
		return i->b ? i->a == 0 : is_own(s, i->a);
	case OP_ACT:
		write_from(s, i->a, 1);
		make_own(s, i->a);
		return true;
	case OP_LOADI:
		write_from(s, i->a, 1);
		s->constant[i->a] = i->k;
		return true;
	case OP_CALL:
		write_from(s, i->a, n);
		return reader(x, i->k, false);
	case OP_CALLACT: {
		word event = s->constant[i->b];
		bool fine = i->c == AT_STAGES && event >= 0 && event < p->events && is_own(s, i->a + 2);
		write_from(s, i->a, n);
		return fine && (p->event[event].stage_fn[AT_STAGES] < 0 || reader(x, p->event[event].stage_fn[AT_STAGES], false));
	}
	case OP_LDF:
		if (p->field[i->c].kind != KIND_ACT && i->b == 0)
			break; /* of its own */
		/* fall through */
	case OP_LDSF: case OP_HASL: case OP_LEN: case OP_ITEM:
		if (reads_act(p, i) && !is_own(s, i->b))
			return false;
		if (!reads_act(p, i))
			x->reads[i->c] = 1;
		break;
	case OP_MOVE: case OP_LOADK: case OP_SAME: case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_NOT: case OP_ISA:
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_MIN: case OP_MAX: case OP_LDT: case OP_LDP: case OP_NOW:
	case OP_SNONE: case OP_SALL: case OP_SADD: case OP_SMOVE: case OP_SOR: case OP_SCOUNT: case OP_SHAS: case OP_SNEXT: case OP_SNTH: case OP_SKNOWN: case OP_KNEXT: case OP_EXT:
	case OP_JMP: case OP_LOOP: case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME: case OP_RET: case OP_NOP: case OP_WHY:
		break;
	default:
		return false;
	}
	bool moved = i->op == OP_MOVE && is_own(s, i->b);
	write_from(s, i->a, n);
	if (moved)
		make_own(s, i->a);
	return true;
}

static bool alone(struct alone *x, const struct event_info *e, int stage)
{
	const struct program *p = x->p;
	const struct fn_info *f = &p->fn[e->stage_fn[stage]];
	struct straight s;
	bool ok = e->roles > 0 && e->role[0].field == p->at.act_actor && e->role[0].word == 0 && f->registers <= REGISTERS;
	memset(x->reads, 0, (size_t)p->fields);
	memset(x->writes, 0, (size_t)p->fields);
	x->depth = 0;
	if (p->at.void_question >= 0 && p->question[p->at.void_question].fn >= 0)
		ok = ok && reader(x, p->question[p->at.void_question].fn, true);
	memset(x->ways + f->entry, 0, (size_t)(f->end - f->entry) * sizeof *x->ways);
	anew(&s);
	bool along = false;
	for (int32_t k = f->entry; k < f->end && ok; k++) {
		const struct insn *i = &p->code[k];
		if (x->target[k])
			meet(x, k, &s, along);
		ok = step(x, f, i, &s);
		if (op_jumps((enum op)i->op) && i->k > 0)
			set_out(x, k + 1 + i->k, &s);
		along = i->op != OP_JMP && i->op != OP_LOOP && i->op != OP_RET;
	}
	/* acts of one's own are nobody else's: what is written of them is not read but by who made them */
	for (int i = 0; i < p->fields && ok; i++)
		ok = !(x->writes[i] && x->reads[i]);
	return ok;
}

static void open(struct alone *x, struct program *p)
{
	*x = (struct alone){.p = p};
	x->reads = calloc((size_t)p->fields + 1, 1);
	x->writes = calloc((size_t)p->fields + 1, 1);
	x->target = calloc((size_t)p->code_count + 1, 1);
	x->ways = calloc((size_t)p->code_count + 1, sizeof *x->ways);
	if (!x->reads || !x->writes || !x->target || !x->ways)
		abort();
	for (int32_t k = 0; k < p->code_count; k++)
		if (op_jumps((enum op)p->code[k].op))
			x->target[k + 1 + p->code[k].k] |= p->code[k].k < 0 ? LOOPED : JUMPED;
}

static void close(struct alone *x)
{
	free(x->reads);
	free(x->writes);
	free(x->target);
	free(x->ways);
}

void program_alone(struct program *p)
{
	struct alone x;
	open(&x, p);
	for (int i = 0; i < p->events; i++) {
		struct event_info *e = &p->event[i];
		e->alone = 0;
		for (int stage = AT_COSTS; stage < AT_STAGES; stage++)
			if (e->stage_fn[stage] >= 0 && alone(&x, e, stage))
				e->alone |= (uint8_t)(1 << stage);
	}
	close(&x);
}

/* Which fields are read by what is asked from `at` on, up to DONE, but for what is done itself; false: nobody knows. */
static bool asked(struct alone *x, const struct event_info *e, int32_t at)
{
	const struct program *p = x->p;
	bool ok = e->slots == 0;
	for (; p->code[at].op != OP_DONE && ok; at++) {
		const struct insn *i = &p->code[at];
		if (i->op == OP_CALL && i->k != e->stage_fn[AT_ON])
			ok = reader(x, i->k, true);
		else if (reads_field((enum op)i->op) && p->field[i->c].kind != KIND_ACT)
			x->reads[i->c] = 1;
		else if (reads_field((enum op)i->op) && !p->field[i->c].fixed)
			ok = false;
	}
	return ok;
}

static void never(struct insn *turns)
{
	*turns = (struct insn){.op = OP_LOADI, .a = turns->a, .k = 0};
}

void program_turns_open(struct program *p, struct turns *t)
{
	struct alone x;
	open(&x, p);
	for (int32_t k = 0; k < p->code_count; k++) {
		struct insn *i = &p->code[k];
		if (i->op != OP_TURNS)
			continue;
		struct turn one = {i->k, calloc((size_t)p->fields + 1, 1)};
		uint8_t *const reads = x.reads;
		if (!one.reads)
			abort();
		x.reads = one.reads;
		const bool known = asked(&x, &p->event[one.event], k);
		x.reads = reads;
		i->k = t->n;
		VEC_PUSH(*t, one);
		if (!known)
			never(i);
	}
	close(&x);
}

void program_turns_close(struct program *p, struct turns *t)
{
	struct alone x;
	open(&x, p);
	for (int32_t k = 0; k < p->code_count; k++) {
		struct insn *i = &p->code[k];
		if (i->op != OP_TURNS)
			continue;
		const struct turn *one = &t->v[i->k];
		bool fine = alone(&x, &p->event[one->event], AT_ON);
		for (int f = 0; f < p->fields && fine; f++)
			fine = !(x.writes[f] && one->reads[f]);
		if (!fine)
			never(i);
	}
	close(&x);
	for (int k = 0; k < t->n; k++)
		free(t->v[k].reads);
	VEC_FREE(*t);
}
