/* sought.c - see sought.h. The way through the body is followed on which every test fails: `any
 * (act in pending acts where act's target is him)` comes back to the head then, and nobody else is
 * looked for. */
#include "lang/gen/sought.h"

#include <string.h>

enum as { OUTER, ACT, OF_ACT, OF_OUTER, NUMBER, FAILS, HOLDS, UNKNOWN };
/* v: a register; OF_ACT: a field, or -1 for the event; OF_OUTER: the register, and `field`. */
struct value { enum as as; int32_t field; word v; };

struct sought {
	const struct items *items;
	struct value held[REGISTERS];
	struct act_test *tests;
	int n;
};

static bool add_test(struct sought *s, struct value of, struct value other)
{
	struct act_test t = {of.field, -1, -1, 0};
	if (of.as != OF_ACT || other.as == OF_ACT || other.as == UNKNOWN || other.as == ACT ||
		other.as == FAILS || other.as == HOLDS)
		return false;
	if (other.as == NUMBER)
		t.number = other.v;
	else
		t.reg = (int32_t)other.v;
	if (other.as == OF_OUTER)
		t.of = other.field;
	for (int i = 0; i < s->n; i++)
		if (!memcmp(&s->tests[i], &t, sizeof t))
			return true;
	if (s->n == SOUGHT_MOST)
		return false;
	s->tests[s->n++] = t;
	return true;
}

/* A word of the thing. What a test goes by is looked up again, so only acts' words are taken, and
 * what never changes. */
static struct value word_of(const struct program *p, const struct insn *i, struct value of)
{
	const struct field_info *f = &p->field[i->c];
	struct value v = {UNKNOWN, -1, 0};
	if (f->words != 1)
		return v;
	if (of.as == ACT && f->kind == KIND_ACT)
		v = (struct value){OF_ACT, i->c, 0};
	else if (of.as == OUTER && (f->kind == KIND_ACT || f->fixed))
		v = (struct value){OF_OUTER, i->c, of.v};
	return v;
}

/* One instruction on that way; false: it may do something, or it is not known where one goes. */
static bool step(struct sought *s, const struct insn *i, bool *jumps)
{
	const struct program *p = s->items->p;
	struct value *held = s->held;
	*jumps = false;
	switch ((enum op)i->op) {
	case OP_NOP:
		return true;
	case OP_JMP:
		return *jumps = true;
	case OP_MOVE:
		held[i->a] = held[i->b];
		return true;
	case OP_LOADI: case OP_LOADK:
		held[i->a] =
			(struct value){NUMBER, -1, i->op == OP_LOADI ? i->k : p->constant[i->k]};
		return true;
	case OP_EVENTOF:
		held[i->a] = (struct value){held[i->b].as == ACT ? OF_ACT : UNKNOWN, -1, 0};
		return true;
	case OP_LDF:
		held[i->a] = word_of(p, i, held[i->b]);
		return true;
	case OP_SAME: {
		const bool made =
			add_test(s, held[i->b], held[i->c]) || add_test(s, held[i->c], held[i->b]);
		held[i->a] = (struct value){made ? FAILS : UNKNOWN, -1, 0};
		return true;
	}
	case OP_NOT: {
		const enum as was = held[i->b].as;
		held[i->a] = (struct value){was == FAILS ? HOLDS
				: was == HOLDS           ? FAILS
							 : UNKNOWN,
			-1, 0};
		return true;
	}
	case OP_JZ: case OP_JNZ:
		*jumps = (held[i->a].as == FAILS) == (i->op == OP_JZ);
		return held[i->a].as == FAILS || held[i->a].as == HOLDS;
	default:
		return false;
	}
}

int sought_tests(
	const struct items *items, const struct live *live, int32_t head, struct act_test *tests)
{
	const struct program *p = items->p;
	const struct fn_info *f = items->f;
	struct sought s = {.items = items, .tests = tests};
	const struct insn *next = &p->code[head], *leave = next + 1;
	if (f->registers > REGISTERS || head + 2 >= f->end || leave->op != OP_JNONE ||
		leave->a != next->a || next->b != next->a || leave->k < 1)
		return 0;
	for (int r = 0; r < f->registers; r++)
		s.held[r] = (struct value){OUTER, -1, r};
	s.held[next->a] = (struct value){ACT, -1, 0};
	for (int32_t at = head + 2; at < f->end;) {
		const struct insn *i = &p->code[at];
		bool jumps;
		if (i->op == OP_LOOP)
			return at + 1 + i->k == head ? s.n : 0;
		if (!step(&s, i, &jumps) || (jumps && i->k < 0))
			return 0;
		int first;
		const int n = item_written(items, i, &first);
		for (int r = first; r < first + n; r++)
			if (r == next->a || r == next->c || live_at(live, head, r))
				return 0; /* another turn reads it */
		at = jumps ? at + 1 + i->k : at + 1;
	}
	return 0;
}
