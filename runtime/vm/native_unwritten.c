/* native_unwritten.c - groups of one act that are not written down, in processor code (native.h): nobody looks at the group, the
 * event in progress or whose act is performed while it does what it does alone, and what would let somebody look writes them
 * down first (group_written). */
#include "runtime/vm/native_single.h"

typedef int native_unwritten_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

static bool are(const struct program *p, int32_t at, int32_t end, const enum op *ops, int n)
{
	for (int i = 0; i < n; i++)
		if (at + i >= end || p->code[at + i].op != ops[i])
			return false;
	return true;
}

/* What follows ONLY, mostly, is done at once: what the act is, and whose. */
static void look_behind(const struct maker *k, struct led *to)
{
	const struct insn *i = &k->p->code[to->to];
	if (i[0].op != OP_EVENTOF || i[0].b != to->only->a || i[0].a == to->only->a)
		return;
	to->event = i[0].a;
	to->goes_on++;
	const struct reach *f = &k->m->reach[i[1].c];
	if (i[1].op != OP_LDF || i[1].b != to->only->a || i[1].a == to->only->a || f->stride != k->p->layout.act_stride)
		return;
	to->field_of = i[1].a;
	to->base = f->base;
	to->goes_on++;
}

bool is_led(const struct maker *k, int32_t at, int32_t fn, struct led *to)
{
	static const enum op several[] = {OP_SAME, OP_JZ}, alone[] = {OP_NEEDS, OP_JNZ, OP_ONLY};
	const struct program *p = k->p;
	const struct insn *i = &p->code[at];
	const bool loads = i[2].op == OP_LOADI;
	const struct insn *same = i + 2 + loads;
	int32_t led = at + 4 + loads;
	if (i[1].op != OP_JZ || i[1].a != i->a || !are(p, at + 2 + loads, p->fn[fn].end, several, FRAY_COUNT(several)))
		return false;
	*to = (struct led){.size = same, .one = same->b == i->a ? same->c : same->b, .loads = loads, .call = -1, .fn = fn};
	if ((same->b != i->a && same->c != i->a) || to->one == i->a || same[1].a != same->a || (loads && (i[2].k != 1 || i[2].a != to->one)))
		return false;
	if (p->code[led].op == OP_CALL) {
		to->call = led;
		to->fn = p->code[led].k;
		led = p->fn[to->fn].entry;
	}
	to->needs = &p->code[led];
	to->only = to->needs + 2;
	to->to = to->goes_on = led + (int32_t)FRAY_COUNT(alone);
	to->event = to->field_of = to->only->a;
	if (!are(p, led, p->fn[to->fn].end, alone, FRAY_COUNT(alone)) || !to->needs->b || to->needs->c || to->needs[1].a != to->needs->a || to->to >= p->fn[to->fn].end)
		return false;
	look_behind(k, to);
	/* how many there are is written down for SAME alone */
	return i->a == same->a || !is_live(k, to->call < 0 ? to->goes_on : to->call + 1, i->a);
}

bool is_apart_from_groups(const struct insn *i)
{
	switch ((enum op)i->op) {
	case OP_NOP: case OP_EXT: case OP_MOVE: case OP_LOADI: case OP_LOADK:
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: case OP_MIN: case OP_MAX: case OP_NOT: case OP_SAME: case OP_EQ: case OP_LT: case OP_LE:
	case OP_JMP: case OP_LOOP: case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME: case OP_CALL: case OP_SETTLE: case OP_CALLACT:
	case OP_LDF: case OP_STF: case OP_ADF: case OP_LDT: case OP_EVENTOF: case OP_LDA: case OP_NOW: case OP_SERIAL: case OP_KNEXT: case OP_SNEXT:
	case OP_SADD: case OP_SNONE: case OP_SMOVE: case OP_SKNOWN: case OP_SCOUNT: case OP_SHAS: case OP_SNTH: case OP_ROLL: case OP_IDLE:
	case OP_DIRTY: case OP_WOKE: case OP_TURNED: case OP_KEYED: case OP_RET:
	case OP_QNEXT: case OP_AGAIN:
	case OP_BEGINS: case OP_VOID: case OP_DONE: /* they know of it */
		return true;
	case OP_NEEDS: /* of no stage: whether a condition waits is not asked of groups */
		return i->b == 0;
	default:
		return false;
	}
}

/* The functions that are called there go on without the group's being written down. */
static void find_called(struct maker *k, int32_t from, int32_t end)
{
	const struct program *p = k->p;
	for (int32_t at = from; at < end; at++) {
		if (p->code[at].op != OP_CALL && p->code[at].op != OP_SETTLE)
			continue;
		const struct fn_info *f = &p->fn[p->code[at].k];
		if (k->unwritten[f->entry])
			continue;
		memset(k->unwritten + f->entry, 1, (size_t)(f->end - f->entry));
		find_called(k, f->entry, f->end);
	}
}

/* Where it ends, if nobody comes or goes from behind ONLY to DONE otherwise; -1. */
static int32_t end_of(const struct maker *k, const struct led *led)
{
	const struct program *p = k->p;
	const struct fn_info *f = &p->fn[led->fn];
	int32_t done = led->to;
	while (done < f->end && p->code[done].op != OP_DONE && p->code[done].op != OP_RET)
		done++;
	if (done == f->end || p->code[done].op != OP_DONE)
		return -1;
	for (int32_t i = f->entry; i < f->end; i++) {
		if (!op_jumps((enum op)p->code[i].op))
			continue;
		const int32_t to = goal(k, &p->code[i]);
		if ((i >= led->to && i <= done) != (to >= led->to && to <= done))
			return -1;
	}
	return done;
}

void find_unwritten(struct maker *k)
{
	const struct program *p = k->p;
	struct led led;
	if (k->undone)
		return;
	for (int f = 0; f < p->fns; f++)
		for (int32_t at = p->fn[f].entry; at < p->fn[f].end; at++) {
			const int32_t done = p->code[at].op == OP_GROUP && is_led(k, at, f, &led) ? end_of(k, &led) : -1;
			if (done < 0)
				continue;
			memset(k->unwritten + led.to, 1, (size_t)(done + 1 - led.to));
			find_called(k, led.to, done);
			k->joins[led.goes_on] |= JOIN_JUMP;
			if (led.call >= 0)
				arrive_unknown(k, led.goes_on);
		}
}

void make_written(struct maker *k, int32_t at)
{
	struct x64 *x = &k->x;
	if (!k->unwritten[at])
		return;
	compare_byte(x, OF_MACHINE(unwritten));
	const uint32_t is = x64_jump_if(x, IF_SAME);
	x64_regs(x, X_LOAD, RDI, MACHINE);
	x64_call(x, (uintptr_t)group_written);
	x64_lead(x, is, x->n);
}

/* It is on its way: the registers that it writes, and the clock. */
static void lead_behind(struct maker *k, const struct led *to)
{
	struct x64 *x = &k->x;
	put_byte(x, OF_MACHINE(unwritten), 1);
	x64_do(x, X_STORE, ACT, reg(to->only->a));
	if (to->goes_on > to->to)
		x64_do(x, X_STORE, EVENT, reg(to->event));
	if (to->goes_on > to->to + 1) {
		x64_do(x, X_LOAD, RDX, x64_in(WORLD, ROW, 3, (int64_t)to->base * 8));
		x64_do(x, X_STORE, RDX, reg(to->field_of));
	}
	make_header_set(k, H_NOW, TIME);
	VEC_PUSH(k->jumps, (struct jump){x64_jump(x), to->goes_on});
}

/* ONLY is in the same function: what is known on this way is known there. */
static void lead_here(struct maker *k, const struct led *to)
{
	const unsigned registers[] = {to->one, to->size->a, to->needs->a, to->only->a, to->event, to->field_of};
	struct knows was[FRAY_COUNT(registers)];
	for (size_t r = 0; r < FRAY_COUNT(registers); r++)
		was[r] = *known(k, registers[r]);
	learn(k, to->one, NUMBER, 1);
	learn(k, to->size->a, NUMBER, 1);
	learn(k, to->needs->a, NUMBER, 0);
	learn(k, to->only->a, SET, 0);
	learn_below(k, to->only->a, k->p->layout.act_count + 1);
	if (to->goes_on > to->to)
		learn(k, to->event, ANYTHING, 0);
	if (to->goes_on > to->to + 1)
		learn(k, to->field_of, ANYTHING, 0);
	for (int r = 0; r < 3; r++)
		if (is_number(k, registers[r]) && is_live(k, to->goes_on, registers[r]))
			write_down(k, registers[r], known(k, registers[r])->number);
	const bool quiet = k->quiet;
	k->quiet = true; /* no condition waits */
	arrive(k, to->goes_on);
	k->quiet = quiet;
	for (size_t r = FRAY_COUNT(registers); r-- > 0;)
		*known(k, registers[r]) = was[r];
	lead_behind(k, to);
}

/* ONLY is in a function that is called. */
static void lead_to_call(struct maker *k, const struct led *to)
{
	struct x64 *x = &k->x;
	const unsigned numbers[] = {to->one, to->size->a};
	for (int r = 0; r < 2; r++)
		if (is_live(k, to->call + 1, numbers[r]))
			write_down(k, numbers[r], 1);
	make_frame_of(k, to->call, k->fn, to->fn);
	if (is_live(k, to->goes_on, to->needs->a))
		write_down(k, to->needs->a, 0);
	x64_do32(x, X_LOAD, ACT, OF_MACHINE(unwritten_act));
	lead_behind(k, to);
}

/* Who he is, what he does and, mostly, whose act it is are known here. Where a condition waits, his event does something at other stages
 * or it was noted whose act is performed, all goes its ordinary way. */
void make_unwritten(struct maker *k, const struct led *to)
{
	struct x64 *x = &k->x;
	uint32_t ordinary[4] = {0};
	test_who_waits(k, RDX);
	ordinary[0] = x64_jump_if(x, IF_OTHER);
	x64_test(x, STAGES, (uint32_t)to->needs->b << 24);
	ordinary[1] = x64_jump_if(x, IF_OTHER);
	x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.head));
	x64_fix_at(x, false, FIX_CMP, x64_at(RDX, H_ACT * 4), 0);
	ordinary[2] = x64_jump_if(x, IF_OTHER);
	if (!to->loads) {
		x64_fix_at(x, true, FIX_CMP, reg(to->one), 1);
		ordinary[3] = x64_jump_if(x, IF_OTHER);
	}
	x64_fix_at(x, false, FIX_ADD, OF_MACHINE(pending.asked), 1);
	x64_fix_at(x, false, FIX_ADD, OF_MACHINE(pending.from), 1);
	x64_put(x, x64_at(FIRST, 8 * PLACE_SERIAL), -1);
	x64_put(x, word_of_row(k, ACT_STATE), ACT_PERFORMING);
	x64_do32(x, X_STORE, ACT, OF_MACHINE(unwritten_act));
	x64_fix_at(x, true, FIX_ADD, HEADER(H_GROUP), 1);
	x64_fix_at(x, true, FIX_SUB, OF_MACHINE(fuel), taken_by(to));
	if (to->call < 0)
		lead_here(k, to);
	else
		lead_to_call(k, to);
	for (int o = 0; o < 3 + !to->loads; o++)
		x64_lead(x, ordinary[o], x->n);
}

bool make_begins(struct maker *k, const struct insn *i)
{
	if (!k->unwritten[k->at])
		return make_begins_member(k, i);
	struct x64 *x = &k->x;
	const uint32_t is = is_written(k);
	put_byte(x, OF_MACHINE(unwritten), UNWRITTEN_AT + i->c);
	const uint32_t over = x64_jump(x);
	x64_lead(x, is, x->n);
	make_begins_member(k, i);
	x64_lead(x, over, x->n);
	return true;
}

bool make_void(struct maker *k, const struct insn *i)
{
	struct detours a = {{0}, 0};
	if (!k->unwritten[k->at])
		return false;
	detour_by(k, &a, is_written(k));
	take(k, RAX, i->a);
	x64_do32(&k->x, X_CMP, RAX, OF_MACHINE(unwritten_act));
	detour(k, &a, IF_OTHER);
	put_byte(&k->x, OF_MACHINE(unwritten), 1 + UNWRITTEN_VOID);
	k->cached = -1;
	detours_back(k, &a);
	return true;
}

#endif
