/* copy_elision.c - see copy_elision.h.
 *
 * What is looked for, in one turn of a loop over all combatants:
 *
 *   KNEXT x; ..; LDF a, x, FIELD; ..; COPY b, a; ..; PEND b; ..; LOOP
 *
 * with a read by nobody behind the copy. Then a declared act is reached through FIELD alone, and FIELD is read nowhere between
 * the loop and where it is emptied for all, by a loop that does but that. So nobody sees the act again that was
 * copied, and it need not stay behind. */
#include "lang/gen/copy_elision.h"

#include <stdlib.h>
#include <string.h>

#include "lang/gen/insn_list.h"
#include "lang/gen/call_graph.h"
#include "runtime/base/must.h"
#include "runtime/code/ops.h"
#include "runtime/vm/live.h"

enum comes { COMES_ON, COMES_TO_READ, COMES_TO_EMPTY }; /* to its end; first to a reading of FIELD; first to where it is emptied */

struct spent {
	struct program *p;
	int32_t field;
	int32_t *fn_of;     /* by instruction */
	uint8_t *may_read;  /* by function: it, or one it calls, may read FIELD */
	bool stages_read;   /* a stage of an act may */
	uint8_t *seen;      /* by instruction, on a search */
	int32_t *todo, todos;
	struct live *live;
};

static int32_t target(const struct program *p, int32_t at)
{
	return op_jumps((enum op)p->code[at].op) ? at + 1 + p->code[at].k : -1;
}

static bool is_stage(const struct program *p, int32_t fn)
{
	for (int i = 0; i < p->events; i++)
		for (int k = 0; k <= AT_STAGES; k++)
			if (p->event[i].stage_fn[k] == fn)
				return true;
	return false;
}

/* ---- who reads it ---- */

static bool reads(const struct spent *x, const struct insn *i)
{
	return i->op == OP_LDF && i->c == x->field;
}

static void find_readers(struct spent *x)
{
	const struct program *p = x->p;
	bool grew = true;
	memset(x->may_read, 0, (size_t)p->fns);
	x->stages_read = false;
	while (grew) {
		grew = false;
		for (int32_t k = 0; k < p->code_count; k++) {
			struct insn *i = &p->code[k];
			const int32_t fn = x->fn_of[k], *of = reach_named(i, k > p->fn[fn].entry ? (enum op)i[-1].op : OP_NOP);
			if (x->may_read[fn] || !(reads(x, i) || (of && x->may_read[*of]) || (i->op == OP_CALLACT && x->stages_read)))
				continue;
			x->may_read[fn] = grew = true;
			x->stages_read |= is_stage(p, fn);
		}
	}
}

/* Do the machine itself and who asks for measures leave it alone? They ask at any time. */
static bool is_left_alone(const struct spent *x)
{
	const struct program *p = x->p;
	const int32_t *const asked[] = {&p->probe_fn, &p->measure_fn, p->at.act_time_question >= 0 ? &p->question[p->at.act_time_question].fn : NULL,
		p->at.void_question >= 0 ? &p->question[p->at.void_question].fn : NULL};
	for (int i = 0; i < (int)FRAY_COUNT(asked); i++)
		if (asked[i] && *asked[i] >= 0 && *asked[i] != p->main_fn && x->may_read[*asked[i]])
			return false;
	for (int i = 0; i < p->orders; i++)
		if ((p->order[i].key_fn >= 0 && x->may_read[p->order[i].key_fn]) || (p->order[i].pair_fn >= 0 && x->may_read[p->order[i].pair_fn]) ||
			(p->order[i].partner_fn >= 0 && x->may_read[p->order[i].partner_fn]))
			return false;
	for (int i = 0; i < p->whenevers; i++)
		if (p->whenever[i].fn >= 0 && x->may_read[p->whenever[i].fn])
			return false;
	return true;
}

static bool is_act(struct vtype t)
{
	return (t.base == VT_LIVE || t.base == VT_SET || t.base == VT_LIST) && t.kind == KIND_ACT;
}

/* Are acts kept in no other place from where they could be found? */
static bool is_only_place(const struct spent *x)
{
	const struct program *p = x->p;
	for (int32_t k = 0; k < p->code_count; k++) {
		const struct insn *i = &p->code[k];
		if ((i->op == OP_LDF || i->op == OP_LDSF) && i->c != x->field && is_act(p->field[i->c].type))
			return false;
	}
	for (int e = 0; e < p->events; e++) {
		for (int r = 0; r < p->event[e].roles; r++)
			if (is_act(p->event[e].role[r].type))
				return false;
		for (int s = 0; s < p->event[e].slots; s++)
			if (is_act(p->event[e].slot_type[s]))
				return false;
	}
	return true;
}

/* ---- loops over all combatants ---- */

/* The LOOP that ends the loop whose KNEXT stands at `at`, in code that nobody else comes into or jumps out of; -1. */
static int32_t loop_end(const struct program *p, const struct fn_info *f, int32_t at)
{
	const struct insn *next = &p->code[at], *ends = next + 1;
	int32_t end = -1;
	if (next->op != OP_KNEXT || next->k != KIND_COMBATANT || at == f->entry || at + 1 >= f->end || ends->op != OP_JNONE || ends->a != next->a)
		return -1;
	if (next[-1].op != OP_LOADI || next[-1].a != next->a || next[-1].k != -1)
		return -1;
	for (int32_t k = at + 1; k < f->end; k++)
		if (p->code[k].op == OP_LOOP && target(p, k) == at)
			end = k;
	if (end < 0 || target(p, at + 1) != end + 1)
		return -1;
	for (int32_t k = f->entry; k < f->end; k++) {
		const int32_t to = target(p, k);
		const bool inside = k >= at && k <= end;
		if (to < 0 && !(inside && (p->code[k].op == OP_RET || p->code[k].op == OP_HALT)))
			continue;
		if (inside ? (to < at || to > end) && k != at + 1 : to >= at && to <= end)
			return -1;
	}
	return end;
}

/* Does a loop that begins here, by which one comes to the instruction before it, empty FIELD for all? */
static bool empties(const struct spent *x, const struct fn_info *f, int32_t at)
{
	const struct program *p = x->p;
	const int32_t end = loop_end(p, f, at);
	bool emptied = false;
	for (int32_t k = at + 2; k < end; k++) {
		const struct insn *i = &p->code[k];
		if (i->op == OP_STF && i->c == x->field && i->a == p->code[at].a)
			emptied |= i[-1].op == OP_LOADK && i[-1].a == i->b && p->constant[i[-1].k] == NONE;
		else if (i->op != OP_STF && i->op != OP_LOADI && i->op != OP_LOADK)
			return false;
		if (i->op != OP_STF && i->a == p->code[at].a)
			return false;
	}
	return emptied;
}

/* ---- ways through the code ---- */

static void look_at(struct spent *x, int32_t at)
{
	if (x->seen[at])
		return;
	x->seen[at] = 1;
	x->todo[x->todos++] = at;
}

/* Whoever leaves function fn goes on behind those who called it. False: that is not known. */
static bool leave_fn(struct spent *x, int32_t fn)
{
	const struct program *p = x->p;
	if (fn == p->main_fn)
		return true;
	for (int i = 0; i < p->whenevers; i++)
		if (p->whenever[i].fn == fn)
			return false;
	const bool stage = is_stage(p, fn);
	for (int32_t k = 0; k < p->code_count; k++)
		if ((item_calls((enum op)p->code[k].op) && p->code[k].k == fn) || (stage && p->code[k].op == OP_CALLACT))
			look_at(x, k + 1);
	return true;
}

static enum comes comes_from(struct spent *x, int32_t fn, int deep);

/* May FIELD be read on a way on from those instructions to be looked at? `within`: only up to the end of their function, which
 * is told by *left. */
static bool may_come_to_read(struct spent *x, bool within, bool *left, int deep)
{
	const struct program *p = x->p;
	while (x->todos > 0) {
		const int32_t at = x->todo[--x->todos], fn = x->fn_of[at], to = target(p, at);
		const struct insn *i = &p->code[at];
		const enum op op = (enum op)i->op;
		if (reads(x, i) || (op == OP_SETTLE && x->may_read[i->k]) || (op == OP_CALLACT && x->stages_read))
			return true;
		if (op == OP_KNEXT && empties(x, &p->fn[fn], at))
			continue;
		if (op == OP_CALL) {
			const enum comes comes = comes_from(x, i->k, deep + 1);
			if (comes == COMES_TO_READ)
				return true;
			if (comes == COMES_TO_EMPTY)
				continue;
		}
		if (op == OP_RET) {
			*left = true;
			if (!within && !leave_fn(x, fn))
				return true;
			continue;
		}
		if (goes_on(op))
			look_at(x, at + 1);
		if (to >= 0)
			look_at(x, to);
	}
	return false;
}

enum { DEEP = 8 };

/* What comes first from where a function begins? */
static enum comes comes_from(struct spent *x, int32_t fn, int deep)
{
	const struct program *p = x->p;
	struct spent in = *x;
	bool left = false;
	if (deep > DEEP)
		return x->may_read[fn] ? COMES_TO_READ : COMES_ON;
	in.seen = calloc((size_t)p->code_count + 1, 1);
	in.todo = calloc((size_t)p->code_count + 1, sizeof *in.todo);
	in.todos = 0;
	if (!in.seen || !in.todo)
		abort();
	look_at(&in, p->fn[fn].entry);
	const bool read = may_come_to_read(&in, true, &left, deep);
	free(in.seen);
	free(in.todo);
	return read ? COMES_TO_READ : left ? COMES_ON : COMES_TO_EMPTY;
}

static void begin_search(struct spent *x)
{
	memset(x->seen, 0, (size_t)x->p->code_count);
	x->todos = 0;
}

/* Can one come from behind the copy to it again, in the same turn of the loop that begins at `head`? */
static bool comes_again(struct spent *x, int32_t head, int32_t copy)
{
	const struct program *p = x->p;
	begin_search(x);
	x->seen[head] = 1;
	look_at(x, copy + 1);
	while (x->todos > 0) {
		const int32_t at = x->todo[--x->todos], to = target(p, at);
		if (at == copy)
			return true;
		if (goes_on((enum op)p->code[at].op))
			look_at(x, at + 1);
		if (to >= 0)
			look_at(x, to);
	}
	return false;
}

/* ---- the copies ---- */

/* Is what was copied pended, whatever is done to it before? */
static bool is_pended(const struct program *p, const struct fn_info *f, int32_t copy)
{
	const unsigned act = p->code[copy].a;
	for (int32_t k = copy + 1; k < f->end; k++) {
		const struct insn *i = &p->code[k];
		if (i->op == OP_PEND && i->a == act)
			return true;
		if (i->op == OP_STF ? i->b == act : i->op == OP_LOADI || i->op == OP_LOADK ? i->a == act : i->op != OP_NOP)
			return false;
	}
	return false;
}

/* The reading of FIELD from which what is copied comes, with nobody coming in between; -1. */
static int32_t read_before(const struct spent *x, const struct fn_info *f, int32_t head, int32_t copy)
{
	const struct program *p = x->p;
	const unsigned from = p->code[copy].b;
	int32_t at = copy - 1;
	while (at > head && !(reads(x, &p->code[at]) && p->code[at].a == from && p->code[at].b == p->code[head].a)) {
		const struct insn *i = &p->code[at];
		const char written = op_table[i->op].shape[0];
		if ((written == 'd' && (i->a == from || i->a == p->code[head].a)) || written == 'D' || written == 'w')
			return -1;
		at--;
	}
	for (int32_t k = f->entry; k < f->end && at > head; k++) {
		const int32_t to = target(p, k);
		if (to > at && to <= copy && (k < at || k >= copy))
			return -1;
	}
	return at > head ? at : -1;
}

/* In the loop nobody else reads it, or is let in who might, and whose turn it is stays. */
static bool is_read_once(const struct spent *x, int32_t head, int32_t end, int32_t read)
{
	const unsigned who = x->p->code[head].a;
	for (int32_t k = head + 1; k <= end; k++) {
		const struct insn *i = &x->p->code[k];
		const char written = op_table[i->op].shape[0];
		if ((reads(x, i) && k != read) || (item_calls((enum op)i->op) && x->may_read[i->k]) || i->op == OP_CALLACT)
			return false;
		if (written == 'd' ? i->a == who : (written == 'D' || written == 'w') && i->a <= who)
			return false;
	}
	return true;
}

static bool is_spent(struct spent *x, const struct fn_info *f, int32_t copy)
{
	const struct program *p = x->p;
	const struct insn *i = &p->code[copy];
	bool left = false;
	for (int32_t head = copy; head > f->entry; head--) {
		const int32_t end = p->code[head].op == OP_KNEXT ? loop_end(p, f, head) : -1;
		if (end < copy)
			continue;
		const int32_t read = read_before(x, f, head, copy);
		if (read < 0 || i->a == i->b || live_at(x->live, copy + 1, i->b) || !is_pended(p, f, copy) || !is_read_once(x, head, end, read) || comes_again(x, head, copy))
			return false;
		begin_search(x);
		look_at(x, end + 1);
		return !may_come_to_read(x, false, &left, 0);
	}
	return false;
}

/* Room for so many instructions behind `at`, to which nobody but the one before leads. */
static void make_room(struct program *p, int32_t at, int32_t n)
{
	struct insn *code = arena_array(&p->arena, struct insn, (size_t)(p->code_count + n) + 1);
	struct span *span = arena_array(&p->arena, struct span, (size_t)(p->code_count + n) + 1);
	for (int32_t k = 0; k < p->code_count; k++) {
		const int32_t to = target(p, k), now = k > at ? k + n : k;
		code[now] = p->code[k];
		span[now] = p->code_span[k];
		if (to >= 0)
			code[now].k = (to > at ? to + n : to) - now - 1;
	}
	for (int32_t k = at + 1; k <= at + n; k++)
		span[k] = p->code_span[at];
	for (int i = 0; i < p->fns; i++) {
		p->fn[i].entry += p->fn[i].entry > at ? n : 0;
		p->fn[i].end += p->fn[i].end > at ? n : 0;
	}
	p->code = code;
	p->code_span = span;
	p->code_count += n;
}

/* It is no copy, and its actor has declared nothing. */
static void spend(struct spent *x, int32_t fn, int32_t copy, int32_t unset)
{
	struct program *p = x->p;
	int32_t head = copy;
	while (p->code[head].op != OP_KNEXT || loop_end(p, &p->fn[fn], head) < copy)
		head--;
	const uint16_t who = p->code[head].a, act = p->code[copy].a, declared = p->code[copy].b;
	make_room(p, copy, 2);
	p->code[copy] = (struct insn){.op = OP_MOVE, .a = act, .b = declared};
	p->code[copy + 1] = (struct insn){.op = OP_LOADK, .a = declared};
	p->code[copy + 1].k = unset;
	p->code[copy + 2] = (struct insn){.op = OP_STF, .a = who, .b = declared, .c = (uint16_t)x->field};
}

static void open(struct spent *x, struct program *p)
{
	*x = (struct spent){.p = p, .field = p->at.combatant_action};
	x->fn_of = calloc((size_t)p->code_count + 1, sizeof *x->fn_of);
	x->may_read = calloc((size_t)p->fns + 1, 1);
	x->seen = calloc((size_t)p->code_count + 1, 1);
	x->todo = calloc((size_t)p->code_count + 1, sizeof *x->todo);
	if (!x->fn_of || !x->may_read || !x->seen || !x->todo)
		abort();
	for (int i = 0; i < p->fns; i++)
		for (int32_t k = p->fn[i].entry; k < p->fn[i].end; k++)
			x->fn_of[k] = i;
	x->live = live_new(p);
}

static void close(struct spent *x)
{
	free(x->fn_of);
	free(x->may_read);
	free(x->seen);
	free(x->todo);
	live_free(x->live);
}

/* The first copy that is one too many, -1. */
static int32_t find(struct program *p)
{
	struct spent x;
	int32_t copy = -1;
	open(&x, p);
	find_readers(&x);
	if (is_left_alone(&x) && is_only_place(&x))
		for (int32_t k = 0; k < p->code_count && copy < 0; k++)
			if (p->code[k].op == OP_COPY && is_spent(&x, &p->fn[x.fn_of[k]], k))
				copy = k;
	close(&x);
	return copy;
}

bool program_spend_declared(struct program *p, bool *which)
{
	int32_t unset = 0, copy;
	bool any = false;
	memset(which, 0, (size_t)p->fns * sizeof *which);
	while (unset < p->constants && p->constant[unset] != NONE)
		unset++;
	if (!p->from_start || p->at.combatant_action < 0 || unset == p->constants)
		return false;
	while ((copy = find(p)) >= 0) {
		struct spent x = {.p = p, .field = p->at.combatant_action};
		int32_t fn = 0;
		while (copy < p->fn[fn].entry || copy >= p->fn[fn].end)
			fn++;
		spend(&x, fn, copy, unset);
		which[fn] = any = true;
	}
	return any;
}
