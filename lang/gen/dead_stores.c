/* dead_stores.c - stores to a field that is written again before anything reads it.
 *
 * DONE counts as a store to the act being performed, since it wipes the row. A list worked through
 * in turn (gen_turn.c) is one act shared by all: each turn stores its actor and its time there,
 * and mostly knows both without reading them. ONLY tells which register holds that act. */
#include "lang/gen/insn_list.h"

#include <stdlib.h>

/* True if the instruction reads no field and touches no other act and no group, except that a
 * member of the group is being performed. */
static bool is_apart(enum op op)
{
	switch (op) {
	case OP_STF: case OP_NOP: case OP_EXT: case OP_MOVE: case OP_LOADI: case OP_LOADK: case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: case OP_MIN: case OP_MAX:
	case OP_SAME: case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_NOT: case OP_ISA: case OP_KINDOF: case OP_RANK: case OP_LDT: case OP_NOW:
	case OP_SNONE: case OP_SALL: case OP_SADD: case OP_SMOVE: case OP_SOR: case OP_SCOUNT: case OP_SHAS: case OP_SNEXT: case OP_KNEXT: case OP_SNTH: case OP_ROLL:
	case OP_BEGINS: case OP_FREE: case OP_ACT: case OP_JMP: case OP_LOOP: case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME:
		return true;
	default:
		return false;
	}
}

/* Does it neither read the field, nor let anybody in who may, nor end the group or begin another? Of acts it reads none at all: conditions,
 * orders and the machine itself may go by several of their words. */
static bool passes_by(const struct items *s, const struct insn *i, int field)
{
	const bool of_acts = s->p->field[field].kind == KIND_ACT;
	switch ((enum op)i->op) {
	case OP_LDF: case OP_LDSF:
		return i->c != field && !(of_acts && s->p->field[i->c].kind == KIND_ACT);
	case OP_CALL:
		return of_acts && s->p->fn[i->k].own;
	default:
		return is_apart((enum op)i->op);
	}
}

enum { FAR = 200 }; /* items looked at for one store */

struct search { struct items *s; int32_t *seen, now, *todo, todos, looked; }; /* seen: by item, `now` if in this search */

static void begin(struct search *x)
{
	x->now++;
	x->todos = x->looked = 0;
}

static void go(struct search *x, int32_t at)
{
	if (at < 0 || at >= x->s->n || x->seen[at] == x->now)
		return;
	x->seen[at] = x->now;
	x->looked++;
	x->todo[x->todos++] = at;
}

/* Who leads to an item. */
static void go_back(struct search *x, int32_t to)
{
	struct items *s = x->s;
	if (goes_on((enum op)s->item[to - 1].i.op))
		go(x, to - 1);
	for (int32_t k = 0; k < s->n && s->item[to].target; k++)
		if (s->item[k].to == to)
			go(x, k);
}

static bool loads_none(const struct items *s, const struct insn *i, int reg)
{
	return i->op == OP_LOADK && i->a == reg && s->p->constant[i->k] == NONE;
}

/* What a way back ends with, and what it passes by; `is`: what is looked for of. */
typedef bool looks_at(const struct search *x, const struct insn *i, int is);

/* On all ways back from an item, as long as nobody writes the register: does each end with one, or with nothing in the register? */
static bool on_all_ways(struct search *x, int32_t at, int reg, looks_at *ends, looks_at *passes, int is)
{
	struct items *s = x->s;
	if (at == 0)
		return false;
	begin(x);
	go_back(x, at);
	while (x->todos > 0) {
		const int32_t k = x->todo[--x->todos];
		const struct insn *i = &s->item[k].i;
		if (ends(x, i, is) || loads_none(s, i, reg))
			continue;
		if (k == 0 || x->looked > FAR || !passes(x, i, is) || item_writes(s, i, reg))
			return false;
		go_back(x, k);
	}
	return true;
}

static bool finds_mine(const struct search *x, const struct insn *i, int store)
{
	return i->op == OP_ONLY && i->a == x->s->item[store].i.a;
}

static bool keeps_mine(const struct search *x, const struct insn *i, int store)
{
	return passes_by(x->s, i, x->s->item[store].i.c);
}

/* Does the register into whose field the item stores hold the act of the group at hand, or nothing? */
static bool is_mine(struct search *x, int32_t at)
{
	return on_all_ways(x, at, x->s->item[at].i.a, finds_mine, keeps_mine, at);
}

static bool begins(const struct search *x, const struct insn *i, int stage)
{
	(void)x;
	return i->op == OP_BEGINS && i->c == stage;
}

static bool keeps_begun(const struct search *x, const struct insn *i, int stage)
{
	(void)stage;
	const bool quiet = is_apart((enum op)i->op) || i->op == OP_LDF || (i->op == OP_CALL && x->s->p->fn[i->k].own);
	return quiet && i->op != OP_BEGINS;
}

/* A jump to where the group's member begins its stage, taken if there is a certain act: if there is one, was just that done before? */
static bool is_begun(struct search *x, int32_t at)
{
	const struct items *s = x->s;
	return on_all_ways(x, at, s->item[at].i.a, begins, keeps_begun, s->item[s->item[at].to].i.c);
}

/* Is it written again before anybody reads it, or, of an act that is `mine`, that over? All the way the register holds the same thing. */
static bool is_unread(struct search *x, int32_t at, bool mine)
{
	struct items *s = x->s;
	const struct insn store = s->item[at].i;
	begin(x);
	go(x, at + 1);
	while (x->todos > 0) {
		const int32_t k = x->todo[--x->todos];
		const struct item *y = &s->item[k];
		const bool asks = y->i.a == store.a && (y->i.op == OP_JSOME || y->i.op == OP_JNONE); /* it is something, or nothing was stored */
		if ((mine && y->i.op == OP_DONE) || (y->i.op == OP_STF && y->i.a == store.a && y->i.c == store.c))
			continue;
		if (x->looked > FAR || !passes_by(s, &y->i, store.c) || item_writes(s, &y->i, store.a))
			return false;
		if (goes_on((enum op)y->i.op) && !(asks && y->i.op == OP_JSOME)) {
			if (k + 1 >= s->n)
				return false;
			go(x, k + 1);
		}
		if (!(asks && y->i.op == OP_JNONE))
			go(x, y->to);
	}
	return true;
}

static bool open_search(struct search *x, struct items *s, enum op op)
{
	bool any = false;
	for (int32_t at = 0; at < s->n && !any; at++)
		any = s->item[at].i.op == op;
	if (!any)
		return false;
	*x = (struct search){.s = s};
	x->seen = calloc((size_t)s->n + 1, sizeof *x->seen);
	x->todo = malloc(((size_t)s->n + 1) * sizeof *x->todo);
	if (!x->seen || !x->todo)
		abort();
	return true;
}

static void close_search(struct search *x)
{
	free(x->seen);
	free(x->todo);
}

void items_drop_unread_stores(struct items *s)
{
	struct search x;
	if (!open_search(&x, s, OP_STF))
		return;
	for (int32_t at = 0; at < s->n; at++) {
		const struct insn *i = &s->item[at].i;
		if (i->op != OP_STF || i->a == i->b || s->p->field[i->c].touches)
			continue;
		if (s->p->field[i->c].kind == KIND_ACT ? is_mine(&x, at) && is_unread(&x, at, true) : is_unread(&x, at, false))
			item_clear(s, at);
	}
	close_search(&x);
}

void items_begin_once(struct items *s)
{
	struct search x;
	if (!open_search(&x, s, OP_BEGINS))
		return;
	for (int32_t at = 0; at < s->n; at++) {
		struct item *jump = &s->item[at];
		if (jump->i.op != OP_JSOME || s->item[jump->to].i.op != OP_BEGINS || s->item[jump->to].loop >= 0 || !is_begun(&x, at))
			continue;
		jump->to++;
		s->item[jump->to].target = s->changed = true;
	}
	close_search(&x);
}
