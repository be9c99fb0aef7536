/* quiet.c - see quiet.h.
 *
 * The body of a loop is gone through from its head, with what each register holds: who the turn is
 * of, a number, something that rests on words of his, or something else. As long as nothing is done
 * but to work out such values, to choose by them and to store them into his own words, a turn is
 * quiet: the same words bring the same turn, and what it writes makes it due again. Where it leaves
 * that part, AGAIN says that it was not quiet. A loop over the second of two is looked at in the
 * same way: then its words are those of the pair. */
#include "lang/gen/quieter.h"

#include <stdlib.h>
#include <string.h>

#include "lang/gen/sought.h"
#include "runtime/base/must.h"

enum {
	CALLS_DEEP = 4,
	THINGS_MOST = 1024,
	RESTS_MOST = 48
};

enum went { GOES_ON, LEAVES, BEGINS_ANEW };

static bool is_determined(struct value v)
{
	return v.as == WHO || v.as == ROW || v.as == NUMBER || v.as == OWN;
}

static struct value *held_at(const struct stretch *s, int32_t at)
{
	return s->held + (size_t)(at - s->from) * (size_t)s->registers;
}

void stretch_open(struct stretch *s, const struct fn_info *f, int32_t from, int32_t end)
{
	*s = (struct stretch){f, from, end, f->registers, NULL, NULL};
	s->held = calloc((size_t)(end - from + 1) * (size_t)s->registers + 1, sizeof *s->held);
	s->reached = calloc((size_t)(end - from + 1) + 1, 1);
	must(s->held && s->reached);
}

void stretch_close(struct stretch *s)
{
	free(s->held);
	free(s->reached);
}

/* The same value by both ways, or one of which it is known what it rests on. */
static struct value joined(struct value a, struct value b)
{
	if (a.as == NEVER || (a.as == b.as && a.v == b.v))
		return b;
	return (struct value){is_determined(a) && is_determined(b) ? OWN : UNKNOWN, 0};
}

/* One comes to `to` with that; true if more is known of who may come there. */
static bool arrive(struct stretch *s, int32_t to, const struct value *with)
{
	struct value *held = held_at(s, to);
	bool grew = !s->reached[to - s->from];
	s->reached[to - s->from] = 1;
	for (int r = 0; r < s->registers; r++) {
		const struct value v = joined(held[r], with[r]);
		grew |= v.as != held[r].as || v.v != held[r].v;
		held[r] = v;
	}
	return grew;
}

static void rests_on(struct quieter *q, enum quiet_sort sort, int32_t of, uint32_t at)
{
	for (int i = 0; i < q->rest.n; i++)
		if (q->rest.v[i].sort == sort && q->rest.v[i].of == of && q->rest.v[i].at == at)
			return;
	VEC_PUSH(q->rest, (struct quiet_rest){sort, of, at});
}

word quiet_kind_of_loop(const struct quieter *q)
{
	return q->p->code[q->head].k;
}

static struct value load(struct quieter *q, const struct insn *i, struct value of)
{
	const struct field_info *f = &q->p->field[i->c];
	const struct value unknown = {UNKNOWN, 0}, own = {OWN, 0};
	if (f->kind == KIND_ACT || f->words != 1)
		return unknown;
	if (f->fixed)
		return is_determined(of) ? own : unknown;
	if ((of.as == WHO || of.as == ROW) && f->kind == quiet_kind_of_loop(q)) {
		rests_on(q, of.as == WHO ? QUIET_WHO : QUIET_ROW, i->c, 0);
		q->reads = true;
		return own;
	}
	if (of.as != NUMBER || (uint64_t)of.v >= q->p->layout.kind[f->kind].count)
		return unknown;
	rests_on(q, QUIET_WORD, -1, f->base + (uint32_t)of.v * f->stride);
	return own;
}

/* Is it the cell of the two whose turn it is? The first may be found out by this. */
static enum went cell(struct quieter *q, int32_t pair, struct value one, struct value other)
{
	const struct pair_info *f = &q->p->pair[pair];
	if (f->kind != quiet_kind_of_loop(q) || f->side != q->p->layout.kind[f->kind].count)
		return LEAVES;
	if ((one.as == ROW && other.as == WHO) || (one.as == WHO && other.as == ROW)) {
		if (one.as == ROW || !f->directed)
			rests_on(q, QUIET_CELL, pair, 0);
		if (one.as == WHO || !f->directed)
			rests_on(q, QUIET_BACK, pair, 0);
		return GOES_ON;
	}
	const struct value outer = one.as == WHO ? other : one;
	if ((one.as != WHO && other.as != WHO) || outer.as != OUTER || q->row >= 0)
		return LEAVES;
	q->row = (int)outer.v;
	return BEGINS_ANEW;
}

static bool answers(struct quieter *q, int32_t fn, const struct value *given, int deep);

/* What comes of what an instruction works out, from those that it reads. */
static struct value made_of(const struct quieter *q, const struct insn *i, const struct value *held)
{
	const int sources = item_sources(&q->items, i);
	const unsigned operand[] = {i->a, i->b, i->c};
	struct value v = {OWN, 0};
	for (int s = 0; s < 3; s++)
		if (sources >> s & 1 && !is_determined(held[operand[s]]))
			v.as = UNKNOWN;
	if (i->op == OP_SAME && v.as == UNKNOWN && (held[i->b].as == WHO || held[i->c].as == WHO))
		v.as = EXCLUDED;
	return v;
}

static void forget(const struct quieter *q, const struct insn *i, struct value *held, int registers)
{
	int first;
	const int n = item_written(&q->items, i, &first);
	for (int r = first; r < first + n && r < registers; r++)
		held[r] = (struct value){UNKNOWN, 0};
}

/* Goes through one instruction of a turn, jumps apart. */
static enum went step(
	struct quieter *q, const struct insn *i, struct value *held, int registers, int deep)
{
	const struct program *p = q->p;
	enum went went = GOES_ON;
	switch ((enum op)i->op) {
	case OP_NOP:
		return GOES_ON;
	case OP_MOVE:
		held[i->a] = held[i->b];
		return GOES_ON;
	case OP_LOADI: case OP_LOADK:
		held[i->a] = (struct value){NUMBER, i->op == OP_LOADI ? i->k : p->constant[i->k]};
		return GOES_ON;
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_REM: case OP_FRAC: case OP_DIV:
	case OP_FADD: case OP_FSUB: case OP_FMUL: case OP_FDIV: case OP_FMIN: case OP_FMAX:
	case OP_ROUND: case OP_FLT: case OP_FLE:
		held[i->a] = made_of(q, i, held);
		return held[i->a].as == OWN ? GOES_ON
					    : LEAVES; /* it may fail, by what is not known */
	case OP_NEG: case OP_MIN: case OP_MAX: case OP_SAME: case OP_EQ: case OP_NE: case OP_LT:
	case OP_LE: case OP_NOT: case OP_ISA: case OP_KINDOF: case OP_LDT: case OP_DICEMOST:
	case OP_RANK:
		held[i->a] = made_of(q, i, held);
		return GOES_ON;
	case OP_LDF:
		held[i->a] = load(q, i, held[i->b]);
		return GOES_ON;
	case OP_LDP:
		if (p->pair[i->c].fixed && is_determined(held[i->b]) &&
			is_determined(held[i->b + 1]))
			held[i->a] = (struct value){OWN, 0};
		else if ((went = cell(q, i->c, held[i->b], held[i->b + 1])) != BEGINS_ANEW)
			held[i->a] = (struct value){went == GOES_ON ? OWN : UNKNOWN, 0};
		return went == BEGINS_ANEW ? went : GOES_ON;
	case OP_STF: case OP_ADF: {
		const struct field_info *f = &p->field[i->c];
		if (held[i->a].as != WHO || f->kind != quiet_kind_of_loop(q) || f->words != 1 ||
			f->type.base == VT_SET || f->type.base == VT_LIST ||
			!is_determined(held[i->b]))
			return LEAVES;
		q->writes = true;
		rests_on(q, QUIET_WHO, i->c, 0);
		return GOES_ON;
	}
	case OP_STP:
		if (!is_determined(held[i->b]))
			return LEAVES;
		q->writes = true;
		return cell(q, i->c, held[i->a], held[i->a + 1]);
	case OP_CALL: {
		const int row = q->row;
		const bool own = deep < CALLS_DEEP && answers(q, i->k, held + i->a + 2, deep + 1);
		if (q->row != row)
			return BEGINS_ANEW;
		forget(q, i, held, registers);
		held[i->a] = (struct value){OWN, 0};
		return own ? GOES_ON : LEAVES;
	}
	default:
		return LEAVES;
	}
}

/* Goes through a stretch of a function that is called: true if its answer rests on nothing else, as
 * what it reads. */
static bool answers_so(struct quieter *q, struct stretch *s, int deep)
{
	struct value *now = calloc((size_t)s->registers + 1, sizeof *now);
	bool so = true;
	must(now);
	for (int32_t at = s->from; at < s->end && so; at++) {
		const struct insn *i = &q->p->code[at];
		const enum op op = (enum op)i->op;
		if (!s->reached[at - s->from])
			continue;
		memcpy(now, held_at(s, at), (size_t)s->registers * sizeof *now);
		if (op == OP_RULING || op == OP_FATAL) /* the run ends */
			continue;
		if (op == OP_RET) {
			for (int r = 0; r < i->b; r++)
				so &= is_determined(now[i->a + r]);
			continue;
		}
		if (!op_jumps(op)) {
			so = step(q, i, now, s->registers, deep) == GOES_ON;
		} else {
			so = i->k >= 0 &&
				(op == OP_JMP ||
					(is_conditional(op) && i->op != OP_SETTLE &&
						is_determined(now[i->a])));
			if (so)
				arrive(s, at + 1 + i->k, now);
		}
		if (so && op != OP_JMP)
			arrive(s, at + 1, now);
	}
	free(now);
	return so;
}

static bool answers(struct quieter *q, int32_t fn, const struct value *given, int deep)
{
	const struct fn_info *f = &q->p->fn[fn];
	struct stretch s;
	const struct items before = q->items;
	if (!f->pure || f->results != 1)
		return false;
	stretch_open(&s, f, f->entry, f->end);
	struct value *held = held_at(&s, f->entry);
	s.reached[0] = 1;
	for (int r = 0; r < s.registers; r++)
		held[r] = r < f->arguments ? given[r] : (struct value){UNKNOWN, 0};
	q->items.f = (struct fn_info *)f;
	const bool so = answers_so(q, &s, deep);
	q->items = before;
	stretch_close(&s);
	return so;
}

/* ---- numbers from before the loop ---- */

/* Which registers hold a number at each instruction of the function? */
void stretch_numbers(struct quieter *q, struct stretch *s)
{
	struct value *now = calloc((size_t)s->registers + 1, sizeof *now);
	must(now);
	s->reached[0] = 1;
	for (int r = 0; r < s->registers; r++)
		s->held[r] = (struct value){UNKNOWN, 0};
	for (bool grew = true; grew;) {
		grew = false;
		for (int32_t at = s->from; at < s->end; at++) {
			const struct insn *i = &q->p->code[at];
			const enum op op = (enum op)i->op;
			if (!s->reached[at - s->from])
				continue;
			memcpy(now, held_at(s, at), (size_t)s->registers * sizeof *now);
			if (op == OP_LOADI || op == OP_LOADK)
				now[i->a] = (struct value){
					NUMBER, op == OP_LOADI ? i->k : q->p->constant[i->k]};
			else if (op == OP_MOVE)
				now[i->a] = now[i->b];
			else
				forget(q, i, now, s->registers);
			for (int r = 0; r < s->registers; r++)
				if (now[r].as != NUMBER)
					now[r] = (struct value){UNKNOWN, 0};
			if (op_jumps(op)) {
				const bool more = arrive(s, at + 1 + i->k, now);
				grew |= more && i->k < 0;
			}
			if (goes_on(op) && at + 1 < s->end)
				arrive(s, at + 1, now);
		}
	}
	for (size_t i = 0; i < (size_t)(s->end - s->from) * (size_t)s->registers; i++)
		if (s->held[i].as != NUMBER)
			s->held[i] = (struct value){UNKNOWN, 0};
	free(now);
}

/* ---- a loop ---- */

static void note_written(const struct quieter *q, const struct insn *i, struct found *to)
{
	int first;
	const int n = item_written(&q->items, i, &first);
	for (int r = first; r < first + n && r < REGISTERS; r++)
		to->written[r / 64] |= 1ull << r % 64;
}

static bool is_written(const struct found *of, int reg)
{
	return of->written[reg / 64] >> reg % 64 & 1;
}

/* A jump in a turn; GOES_ON if what it goes by is known. */
static enum went jump(
	struct quieter *q, struct stretch *s, int32_t at, const struct value *now, struct found *to)
{
	const struct insn *i = &q->p->code[at];
	const int32_t goal = at + 1 + i->k;
	if (i->op == OP_LOOP) {
		to->quiet |= goal == q->head;
		return goal == q->head ? GOES_ON : LEAVES;
	}
	if (goal <= at ||
		(i->op != OP_JMP &&
			(!is_conditional((enum op)i->op) || op_table[i->op].shape[0] != 's')))
		return LEAVES;
	if (i->op != OP_JMP && now[i->a].as == EXCLUDED) {
		const struct insn *over = &q->p->code[goal];
		if (i->op != OP_JNZ || over->op != OP_LOOP || goal + 1 + over->k != q->head)
			return LEAVES;
		to->aside[at - q->f->entry] = 1;
		return GOES_ON;
	}
	if (i->op != OP_JMP && !is_determined(now[i->a]))
		return LEAVES;
	if (goal > q->last)
		to->leaves[goal - q->f->entry] = 1;
	else
		arrive(s, goal, now);
	return GOES_ON;
}

static enum went go_through(struct quieter *q, struct stretch *s, struct found *to)
{
	struct value now[REGISTERS];
	for (int32_t at = q->head + 2; at <= q->last; at++) {
		const struct insn *i = &q->p->code[at];
		const enum op op = (enum op)i->op;
		if (!s->reached[at - s->from])
			continue;
		memcpy(now, held_at(s, at), (size_t)s->registers * sizeof *now);
		const enum went went =
			op_jumps(op) ? jump(q, s, at, now, to) : step(q, i, now, s->registers, 0);
		if (went == BEGINS_ANEW)
			return went;
		if (went == LEAVES) {
			to->leaves[at - q->f->entry] = 1;
			continue;
		}
		if (!op_jumps(op))
			note_written(q, i, to);
		if (goes_on(op) && at < q->last)
			arrive(s, at + 1, now);
		else if (goes_on(op))
			to->leaves[at + 1 - q->f->entry] = 1;
	}
	return GOES_ON;
}

/* From the head, with what is known there. */
static enum went look_at_turns(struct quieter *q, const struct stretch *numbers, struct found *to)
{
	struct stretch s;
	stretch_open(&s, q->f, q->head, q->last + 1);
	struct value *held = held_at(&s, q->head + 2);
	const struct value *known = held_at(numbers, q->head);
	s.reached[2] = 1;
	for (int r = 0; r < s.registers; r++)
		held[r] = known[r].as == NUMBER ? known[r] : (struct value){OUTER, r};
	held[q->who] = (struct value){WHO, 0};
	if (q->row >= 0)
		held[q->row] = (struct value){ROW, 0};
	const enum went went = go_through(q, &s, to);
	stretch_close(&s);
	return went;
}

/* The last instruction that leads back to the head. */
static int32_t last_of(const struct program *p, const struct fn_info *f, int32_t head)
{
	const struct insn *leave = &p->code[head + 1];
	int32_t last = -1;
	if (head + 2 >= f->end || leave->op != OP_JNONE || leave->a != p->code[head].a ||
		leave->k < 1)
		return -1;
	for (int32_t at = head + 2; at < head + 2 + leave->k && at < f->end; at++)
		if (p->code[at].op == OP_LOOP && at + 1 + p->code[at].k == head)
			last = at;
	return last;
}

/* Loops that have a better way already: one that stores a number into a field of all, one over
 * those who say yes to what is kept. */
static bool has_its_way(const struct program *p, int32_t head)
{
	const struct insn *i = &p->code[head + 2];
	return ((i->op == OP_LOADI || i->op == OP_LOADK) && i[1].op == OP_STF &&
		       i[2].op == OP_LOOP) ||
		(i->op == OP_MOVE && i[1].op == OP_CALL && p->fn[i[1].k].own);
}

/* Is one of those that a turn writes read in another, or behind the loop? */
static bool is_handed_on(const struct quieter *q, const struct live *live, const struct found *of)
{
	for (int r = 0; r < q->f->registers; r++)
		if (is_written(of, r) &&
			(r == (int)q->who || r == q->row || live_at(live, q->head, r)))
			return true;
	return false;
}

static void begin(struct quieter *q, struct found *to)
{
	const size_t n = (size_t)(q->f->end - q->f->entry) + 1;
	memset(to->leaves, 0, n);
	memset(to->aside, 0, n);
	memset(to->written, 0, sizeof to->written);
	to->quiet = q->writes = q->reads = false;
	q->rest.n = 0;
}

bool is_quiet_loop(
	struct quieter *q, const struct stretch *numbers, const struct live *live, struct found *to)
{
	const struct program *p = q->p;
	q->last = last_of(p, q->f, q->head);
	if (q->last < 0 || quiet_kind_of_loop(q) == KIND_ACT ||
		p->layout.kind[quiet_kind_of_loop(q)].count > THINGS_MOST || has_its_way(p, q->head))
		return false;
	q->who = p->code[q->head].a;
	q->row = -1;
	begin(q, to);
	if (look_at_turns(q, numbers, to) == BEGINS_ANEW) {
		begin(q, to);
		if (look_at_turns(q, numbers, to) == BEGINS_ANEW)
			return false;
	}
	/* to store what stands there is sooner done than left out */
	return to->quiet && (q->reads || q->row >= 0) && q->rest.n > 0 && q->rest.n <= RESTS_MOST &&
		!is_handed_on(q, live, to);
}
