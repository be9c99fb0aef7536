/* event_elision.c - events that nothing can observe are not entered.
 *
 * In a silent program an event in progress only serves to keep values: ENTER makes room, KEEP and
 * `with` fill it, KEPT looks for the nearest event in progress that has the name. So a value that
 * is kept and never written has its first value, and an event that keeps nothing, and is not asked
 * for by name, need not be entered.
 *
 * `inner` is computed once a function: for each item, the ENTER of the innermost event that the
 * function itself has begun. */
#include "lang/gen/insn_list.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/code/ops.h"

/* ---- what functions have to do with events in progress when they are called ---- */

static uint64_t name_bit(unsigned name)
{
	return 1ull << name % 64; /* names that share one are taken for each other: to be on the safe side */
}

static uint64_t names_of(const struct event_info *e)
{
	uint64_t names = 0;
	for (int i = 0; i < e->slots; i++)
		names |= name_bit(e->slot_name[i]);
	return names;
}

/* May others look at what is in progress, or fail and tell of it? */
static bool is_open(enum op op)
{
	switch (op) {
	case OP_ENTER: case OP_LEAVE: case OP_STAGE: case OP_KEEP: case OP_KEPT: case OP_SETKEPT: case OP_CALL: case OP_SETTLE: case OP_RET:
	case OP_NOP: case OP_EXT: case OP_ADD: case OP_SUB: case OP_MUL: case OP_REM: case OP_FRAC: case OP_DIV: case OP_ROUND: case OP_MEASURE:
	case OP_FADD: case OP_FSUB: case OP_FMUL: case OP_FDIV: case OP_FMIN: case OP_FMAX: case OP_FLT: case OP_FLE:
	case OP_ROLL: case OP_CHANCE: case OP_HASL: case OP_LEN: case OP_ITEM: case OP_HAST: case OP_ITEMT: case OP_TABLE: case OP_TABLEOF: case OP_DICEMOST:
	case OP_SNEXT: case OP_KNEXT: case OP_SNTH: case OP_SKNOWN: case OP_SAMES:
	case OP_STF: case OP_ADF: case OP_ADFB: case OP_STP: case OP_ADP: case OP_ADPB: case OP_STSF: case OP_ADDS: case OP_REMS:
	case OP_DIRTY: case OP_WOKE: case OP_TURNED: case OP_KEYED: case OP_NEEDS:
	case OP_ACT: case OP_COPY: case OP_PEND: case OP_FREE: case OP_CANCEL: case OP_STA: case OP_LISTED: case OP_SERIAL:
		return false;
	default:
		return !item_is_free(op) && !op_jumps(op);
	}
}

/* Was something handed to the event that begins next, by an instruction before `at` of the function? 1: yes; 0: no; -1:
 * its callers may have. */
static int handed_before(const struct insn *first, size_t stride, int32_t at)
{
	while (at-- > 0) {
		const struct insn *i = (const struct insn *)(const void *)((const char *)first + (size_t)at * stride);
		if (i->op == OP_ENTER)
			return 0;
		if (i->op == OP_KEEP && i->c == 1)
			return 1;
	}
	return -1;
}

static void look_at(const struct program *p, int32_t fn, struct hearing *h)
{
	const struct fn_info *f = &p->fn[fn];
	int deep = 0; /* at least, in the order of the code */
	for (int32_t k = f->entry; k < f->end; k++) {
		const struct insn *i = &p->code[k];
		const enum op op = (enum op)i->op;
		deep += op == OP_ENTER;
		if (op == OP_KEPT || op == OP_SETKEPT)
			h[fn].asks |= name_bit(i->b);
		if (op == OP_SETKEPT)
			h[fn].sets |= name_bit(i->b);
		if (is_open(op))
			h[fn].open = true;
		if ((op == OP_KEEP && i->c != 1) || op == OP_STAGE || op == OP_LEAVE)
			h[fn].stages |= deep == 0;
	}
}

struct hearing *hearing_of(const struct program *p)
{
	struct hearing *h = calloc((size_t)p->fns + 1, sizeof *h);
	bool grew = true;
	if (!h)
		abort();
	for (int32_t fn = 0; fn < p->fns; fn++)
		look_at(p, fn, h);
	while (grew) {
		grew = false;
		for (int32_t fn = 0; fn < p->fns; fn++) {
			const struct fn_info *f = &p->fn[fn];
			for (int32_t k = f->entry; k < f->end; k++) {
				if (!item_calls((enum op)p->code[k].op))
					continue;
				struct hearing *of = &h[p->code[k].k], *by = &h[fn], was = *by;
				by->asks |= of->asks;
				by->sets |= of->sets;
				by->open |= of->open;
				by->stages |= of->stages;
				const int handed = handed_before(&p->code[f->entry], sizeof *p->code, k - f->entry);
				const bool now = of->handed || handed > 0 || (handed < 0 && by->handed);
				grew |= was.asks != by->asks || was.sets != by->sets || was.open != by->open || was.stages != by->stages || now != of->handed;
				of->handed = now;
			}
		}
	}
	return h;
}

/* ---- what stands in an event ---- */

enum { OUTSIDE = -1, UNREACHED = -2 };

struct within {
	struct items *s;
	int32_t *inner;   /* by item: the ENTER of the innermost event in progress */
	uint8_t *seen;    /* by ENTER: somebody can tell */
	uint8_t *written; /* by ENTER: what it keeps may be something else than at first */
	int32_t *todo, todos;
	bool lost;        /* ways meet on which other events are in progress */
};

static void come_in(struct within *x, int32_t at, int32_t inner)
{
	if (at >= x->s->n) {
		x->lost = true;
	} else if (x->inner[at] == UNREACHED) {
		x->inner[at] = inner;
		x->todo[x->todos++] = at;
	} else if (x->inner[at] != inner) {
		x->lost = true;
	}
}

static void find_inner(struct within *x)
{
	struct items *s = x->s;
	for (int32_t at = 0; at < s->n; at++)
		x->inner[at] = UNREACHED;
	if (s->n > 0)
		come_in(x, 0, OUTSIDE);
	while (x->todos > 0 && !x->lost) {
		const int32_t at = x->todo[--x->todos];
		const struct item *i = &s->item[at];
		int32_t inner = x->inner[at];
		if (i->i.op == OP_ENTER)
			inner = at;
		else if (i->i.op == OP_LEAVE && inner >= 0)
			inner = x->inner[inner];
		if (goes_on((enum op)i->i.op))
			come_in(x, at + 1, inner);
		if (i->to >= 0)
			come_in(x, i->to, inner);
	}
}

static const struct event_info *event_at(const struct within *x, int32_t enter)
{
	return &x->s->p->event[x->s->item[enter].i.k];
}

static int slot_of(const struct event_info *e, unsigned name)
{
	for (int i = 0; i < e->slots; i++)
		if (e->slot_name[i] == name)
			return i;
	return -1;
}

/* The event begun here that has the name, from `enter` on outwards; OUTSIDE. */
static int32_t keeper(const struct within *x, int32_t enter, unsigned name)
{
	while (enter >= 0 && slot_of(event_at(x, enter), name) < 0)
		enter = x->inner[enter];
	return enter;
}

/* What the item says about the events it stands in. */
static void judge(struct within *x, int32_t at)
{
	const struct insn *i = &x->s->item[at].i;
	const enum op op = (enum op)i->op;
	const int32_t inner = x->inner[at];
	const struct hearing *of = item_calls(op) ? &x->s->hear[i->k] : NULL;
	int32_t own;
	if (op == OP_KEEP && i->c != 1 && inner >= 0)
		x->seen[inner] = x->written[inner] = 1;
	if (op == OP_KEPT || op == OP_SETKEPT) {
		own = keeper(x, inner, i->b);
		if (own >= 0) {
			x->seen[own] = 1;
			x->written[own] |= op == OP_SETKEPT;
		}
	}
	if (of && of->stages && inner >= 0)
		x->seen[inner] = x->written[inner] = 1;
	for (own = inner; own >= 0; own = x->inner[own]) {
		const uint64_t names = names_of(event_at(x, own));
		if (op == OP_RET || is_open(op) || (of && of->open))
			x->seen[own] = x->written[own] = 1;
		if (of && names & of->asks)
			x->seen[own] = 1;
		if (of && names & of->sets)
			x->written[own] = 1;
	}
	if (op != OP_ENTER)
		return;
	const int handed = handed_before(&x->s->item[0].i, sizeof x->s->item[0], at);
	if (handed > 0 || (handed < 0 && x->s->hear[x->s->f - x->s->p->fn].handed))
		x->seen[at] = x->written[at] = 1;
}

/* Kept by whom it is never written: what it begins with. */
static void load_kept(struct within *x, int32_t at)
{
	const struct insn i = x->s->item[at].i;
	const int32_t own = keeper(x, x->inner[at], i.b);
	if (own < 0 || x->written[own])
		return;
	const struct event_info *e = event_at(x, own);
	const int slot = slot_of(e, i.b);
	if (e->slot_type[slot].base != VT_SET)
		item_load(x->s, at, i.a, e->slot_initial[slot]);
}

void items_drop_unseen(struct items *s)
{
	struct within x = {.s = s};
	bool any = false;
	for (int32_t at = 0; at < s->n && !any; at++)
		any = s->item[at].i.op == OP_ENTER;
	if (!any)
		return;
	const size_t n = (size_t)s->n + 1;
	x.inner = malloc(n * sizeof *x.inner);
	x.todo = malloc(n * sizeof *x.todo);
	x.seen = calloc(n, 1);
	x.written = calloc(n, 1);
	if (!x.inner || !x.todo || !x.seen || !x.written)
		abort();
	find_inner(&x);
	for (int32_t at = 0; at < s->n && !x.lost; at++)
		if (x.inner[at] != UNREACHED)
			judge(&x, at);
	for (int32_t at = 0; at < s->n && !x.lost; at++) {
		const enum op op = (enum op)s->item[at].i.op;
		const int32_t inner = x.inner[at];
		if (op == OP_KEPT && inner >= 0)
			load_kept(&x, at);
		else if ((op == OP_ENTER && inner != UNREACHED && !x.seen[at]) || ((op == OP_STAGE || op == OP_LEAVE) && inner >= 0 && !x.seen[inner]))
			item_clear(s, at);
	}
	free(x.inner);
	free(x.todo);
	free(x.seen);
	free(x.written);
}
