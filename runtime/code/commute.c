/* commute.c - see commute.h. A stage's function is gone through once from its beginning, and
 * whatever it calls with it. What is known of a register: it holds the actor, or an act of its own
 * or nobody. The first is so of the function's first argument, the second of what it makes, where
 * all ways that lead there agree; where a loop begins, of arguments that are never written. */
#include "runtime/code/commute.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/buf.h"
#include "runtime/code/ops.h"

enum { CALLS_MOST = 40, REGISTERS = 256, RECKONED = 4, STEPS_MOST = 200000 };

enum { JUMPED = 1, LOOPED = 2 };
/* By register, a bit each: who holds the actor, and who an act of its own or nobody. */
struct held { uint64_t actor[RECKONED], own[RECKONED]; };
struct ways { bool any; struct held held; };

struct alone {
	const struct program *p;
	uint8_t *reads, *writes; /* by field: of others; at all */
	uint8_t *target;         /* by instruction: is it jumped to? LOOPED: from behind, too */
	struct ways *ways;       /* by instruction: what those know who jump there */
	uint8_t *open;           /* by function: is it being gone through? */
	bool waits;              /* a condition may look at what is written */
	bool foreign,
		trusted; /* an act that is made is somebody else's; it was thought not to be */
	int depth, steps;
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

/* Along a stretch: what registers hold, and of which the number is known. `always`: what they hold wherever one comes from. */
struct straight {
	const struct fn_info *f;
	struct held held, always;
	word constant[REGISTERS];
	bool gives_own; /* what it returns is an act of its own or nobody */
};

static bool has(const uint64_t *set, int reg)
{
	return reg < REGISTERS && set[reg / 64] >> reg % 64 & 1;
}

static void let(uint64_t *set, int reg, bool is)
{
	if (reg < REGISTERS)
		set[reg / 64] = (set[reg / 64] & ~(1ull << reg % 64)) | (uint64_t)is << reg % 64;
}

static bool is_own(const struct straight *s, int reg)
{
	return has(s->held.own, reg);
}

static bool is_actor(const struct straight *s, int reg)
{
	return has(s->held.actor, reg);
}

static struct held both(const struct held *a, const struct held *b)
{
	struct held h;
	for (int k = 0; k < RECKONED; k++) {
		h.actor[k] = a->actor[k] & b->actor[k];
		h.own[k] = a->own[k] & b->own[k];
	}
	return h;
}

static void know_no_numbers(struct straight *s)
{
	for (int r = 0; r < REGISTERS; r++)
		s->constant[r] = NONE;
}

/* Ways meet: what all know. `along`: one comes from the instruction before, too. */
static void meet(const struct alone *x, int32_t at, struct straight *s, bool along)
{
	const struct ways *w = &x->ways[at];
	know_no_numbers(s);
	if (x->target[at] & LOOPED || (!along && !w->any))
		s->held = s->always;
	else if (w->any)
		s->held = along ? both(&s->held, &w->held) : w->held;
}

static void set_out(struct alone *x, int32_t to, const struct straight *s)
{
	struct ways *w = &x->ways[to];
	w->held = w->any ? both(&w->held, &s->held) : s->held;
	w->any = true;
}

static void write_from(struct straight *s, int first, int n)
{
	for (int r = first; r < first + n && r < REGISTERS; r++) {
		let(s->held.actor, r, false);
		let(s->held.own, r, false);
		s->constant[r] = NONE;
	}
}

static void know_number(struct straight *s, int reg, word number)
{
	if (reg >= REGISTERS)
		return;
	write_from(s, reg, 1);
	s->constant[reg] = number;
	let(s->held.own, reg, number == NONE);
}

/* How many registers an instruction writes, from its first on. */
static int written(const struct program *p, const struct fn_info *f, const struct insn *i)
{
	if (op_table[i->op].shape[0] == 'w' || i->op == OP_SKNOWN)
		return f->registers - i->a;
	return op_table[i->op].shape[0] == 'd' ? 1 : op_table[i->op].shape[0] == 'D' ? p->set_words : 0;
}

static bool stretch(struct alone *x, int32_t fn, const struct held *given, bool *gives_own);

/* A call: it is gone through with what it is handed. */
static bool called(struct alone *x, const struct insn *i, struct straight *s)
{
	const struct fn_info *f = &x->p->fn[i->k];
	struct held given = {{0}, {0}};
	bool own = false;
	for (int r = 0; r < (int)f->arguments; r++) {
		let(given.actor, r, is_actor(s, i->a + 2 + r));
		let(given.own, r, is_own(s, i->a + 2 + r));
	}
	if (!stretch(x, i->k, &given, &own))
		return false;
	write_from(s, i->a, s->f->registers - i->a);
	let(s->held.own, i->a, own);
	return true;
}

static bool is_handed_actor(const struct alone *x, const struct insn *i, const struct straight *s)
{
	bool any = false;
	for (int r = 0; r < (int)x->p->fn[i->k].arguments; r++)
		any |= is_actor(s, i->a + 2 + r);
	return any;
}

/* A function that only reads. What it reads of the actor is nobody else's business. */
static bool asks(struct alone *x, const struct insn *i, struct straight *s)
{
	const int steps = x->steps;
	if (is_handed_actor(x, i, s) && called(x, i, s))
		return true;
	x->steps = steps;
	write_from(s, i->a, written(x->p, s->f, i));
	return reader(x, i->k, false);
}

/* May such an act be done? It is of the actor's own making. */
static bool judges(struct alone *x, const struct event_info *e)
{
	struct held given = {{0}, {0}};
	const int32_t fn = e->stage_fn[AT_STAGES];
	const int steps = x->steps;
	bool own;
	if (fn < 0)
		return true;
	let(given.actor, 0,
		e->roles > 0 && e->role[0].field == x->p->at.act_actor && e->role[0].word == 0);
	let(given.own, e->words, true);
	x->trusted |= given.actor[0] & 1;
	if (stretch(x, fn, &given, &own))
		return true;
	x->steps = steps;
	return reader(x, fn, false);
}

/* May this instruction stand in such a function? */
static bool step(struct alone *x, const struct insn *i, struct straight *s)
{
	const struct program *p = x->p;
	const int n = written(p, s->f, i);
	switch ((enum op)i->op) {
	case OP_STF:
		x->writes[i->c] = 1;
		x->foreign |= i->c == p->at.act_actor && !is_actor(s, i->b);
		return (x->waits || p->field[i->c].touches == 0) && !p->field[i->c].shared && (p->field[i->c].kind == KIND_ACT ? is_own(s, i->a) : is_actor(s, i->a));
	case OP_ADF: /* without bounds, which the merge puts together */
		x->writes[i->c] = 1;
		return (x->waits || p->field[i->c].touches == 0) && !p->field[i->c].shared && p->field[i->c].kind != KIND_ACT && is_actor(s, i->a);
	case OP_STA:
		return is_own(s, i->a);
	case OP_TURN:
		write_from(s, i->a, 1);
		return true;
	case OP_FREE:
		return i->b ? is_actor(s, i->a) : is_own(s, i->a);
	case OP_ACT:
		write_from(s, i->a, 1);
		let(s->held.own, i->a, true);
		return true;
	case OP_LOADI: case OP_LOADK:
		know_number(s, i->a, i->op == OP_LOADI ? i->k : p->constant[i->k]);
		return true;
	case OP_RET:
		s->gives_own &= i->b == 0 || is_own(s, i->a);
		return true;
	case OP_CALL:
		return p->fn[i->k].pure ? asks(x, i, s) : called(x, i, s);
	case OP_CALLACT: {
		const word event = i->b < REGISTERS ? s->constant[i->b] : NONE;
		const bool fine = i->c == AT_STAGES && event >= 0 && event < p->events && is_own(s, i->a + 2);
		write_from(s, i->a, n);
		return fine && judges(x, &p->event[event]);
	}
	case OP_LDF:
		if (p->field[i->c].kind != KIND_ACT && is_actor(s, i->b))
			break; /* of its own */
		/* fall through */
	case OP_LDSF: case OP_HASL: case OP_LEN: case OP_ITEM:
		if (reads_act(p, i) && !is_own(s, i->b))
			return false;
		if (!reads_act(p, i))
			x->reads[i->c] = 1;
		break;
	case OP_MOVE: case OP_SAME: case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_NOT: case OP_ISA:
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: case OP_MIN: case OP_MAX: case OP_REM: case OP_KINDOF: case OP_ROLL: case OP_LDT: case OP_LDP: case OP_NOW:
	case OP_DICEMOST:
	case OP_RANK:
	case OP_TABLE:
	case OP_TABLEOF:
	case OP_MEASURE:
	case OP_HAST:
	case OP_ITEMT: case OP_SAMES: case OP_FATAL: case OP_RULING:
	case OP_FRAC: case OP_DIV: case OP_FADD: case OP_FSUB: case OP_FMUL: case OP_FDIV: case OP_FMIN: case OP_FMAX: case OP_ROUND: case OP_FLT: case OP_FLE:
	case OP_SNONE: case OP_SALL: case OP_SADD: case OP_SMOVE: case OP_SOR: case OP_SCOUNT: case OP_SHAS: case OP_SNEXT: case OP_SNTH: case OP_SKNOWN: case OP_KNEXT: case OP_EXT:
	case OP_QNEXT: case OP_AGAIN:
	case OP_JMP: case OP_LOOP: case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME: case OP_NOP: case OP_WHY:
		break;
	default:
		return false;
	}
	const bool own = i->op == OP_MOVE && is_own(s, i->b), actor = i->op == OP_MOVE && is_actor(s, i->b);
	write_from(s, i->a, n);
	if (n > 0) {
		let(s->held.own, i->a, own);
		let(s->held.actor, i->a, actor);
	}
	return true;
}

/* What it is given in registers that it never writes it always has. */
static struct held lasting(const struct program *p, const struct fn_info *f, const struct held *given)
{
	struct held h = *given;
	for (int32_t k = f->entry; k < f->end; k++)
		for (int r = p->code[k].a, n = p->code[k].op == OP_TURN ? 1 : written(p, f, &p->code[k]); n > 0; r++, n--) {
			let(h.actor, r, false);
			let(h.own, r, false);
		}
	return h;
}

static bool stretch(struct alone *x, int32_t fn, const struct held *given, bool *gives_own)
{
	const struct program *p = x->p;
	const struct fn_info *f = &p->fn[fn];
	struct straight s = {.f = f, .held = *given, .always = lasting(p, f, given), .gives_own = true};
	bool ok = f->registers <= REGISTERS && !x->open[fn] && ++x->depth < CALLS_MOST, along = true;
	know_no_numbers(&s);
	x->open[fn] = 1;
	memset(x->ways + f->entry, 0, (size_t)(f->end - f->entry) * sizeof *x->ways);
	for (int32_t k = f->entry; k < f->end && ok; k++) {
		const struct insn *i = &p->code[k];
		if (x->target[k])
			meet(x, k, &s, along);
		ok = ++x->steps < STEPS_MOST && step(x, i, &s);
		if (op_jumps((enum op)i->op) && i->k > 0)
			set_out(x, k + 1 + i->k, &s);
		along = i->op != OP_JMP && i->op != OP_LOOP && i->op != OP_RET;
	}
	x->open[fn] = 0;
	x->depth--;
	*gives_own = s.gives_own;
	return ok;
}

static bool alone(struct alone *x, const struct event_info *e, int stage, bool waits)
{
	const struct program *p = x->p;
	struct held given = {{1}, {0}}; /* the actor is its first argument */
	bool own, ok = e->roles > 0 && e->role[0].type.base == VT_LIVE && e->role[0].word == 0;
	memset(x->reads, 0, (size_t)p->fields);
	memset(x->writes, 0, (size_t)p->fields);
	x->depth = x->steps = 0;
	x->waits = waits;
	x->foreign = x->trusted = false;
	if (p->at.void_question >= 0 && p->question[p->at.void_question].fn >= 0)
		ok = ok && reader(x, p->question[p->at.void_question].fn, true);
	ok = ok && stretch(x, e->stage_fn[stage], &given, &own);
	ok = ok && !(x->foreign && x->trusted);
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
	x->open = calloc((size_t)p->fns + 1, 1);
	if (!x->reads || !x->writes || !x->target || !x->ways || !x->open)
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
	free(x->open);
}

void program_alone(struct program *p)
{
	struct alone x;
	open(&x, p);
	for (int i = 0; i < p->events; i++) {
		struct event_info *e = &p->event[i];
		e->alone = 0;
		for (int stage = AT_COSTS; stage < AT_STAGES; stage++)
			if (e->stage_fn[stage] >= 0 && alone(&x, e, stage, true))
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
		bool fine = alone(&x, &p->event[one->event], AT_ON, false);
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
