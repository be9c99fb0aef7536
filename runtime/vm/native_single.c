/* native_single.c - groups of one act, as most are: chosen, begun and ended in processor code (native.h), without what
 * several of them take. Each comes to what group.c comes to, which does whatever is out of the ordinary. */
#include "runtime/vm/native_maker.h"

typedef int native_single_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

/* The members of a struct in fours and eights of bytes that are written at once. */
_Static_assert(offsetof(struct group, solo) == offsetof(struct group, copies) + 1 && offsetof(struct group, branches) == offsetof(struct group, copies) + 2 && offsetof(struct group, stages) == offsetof(struct group, copies) + 3, "");
_Static_assert(offsetof(struct member, is_void) == offsetof(struct member, stopped) + 1 && offsetof(struct member, replaced) == offsetof(struct member, stopped) + 2 && offsetof(struct member, stages) == offsetof(struct member, stopped) + 3, "");
_Static_assert(offsetof(struct memo, order_stale) == offsetof(struct memo, moves) + 4 && sizeof(((struct memo *)0)->order_stale) == 4, "");
_Static_assert(offsetof(struct vm, tries) == offsetof(struct vm, groups) + 4, "");

#define OF_GROUP(field) x64_at(MACHINE, (int64_t)(offsetof(struct vm, group) + offsetof(struct group, field)))

/* While one is chosen and begun: who it is, his place in the order, his row (in words), his time, the event, its stages (in
 * the highest byte), how many words of happenings are in use. */
static const enum x64_reg ACT = RAX, FIRST = RSI, ROW = RDI, TIME = R8, EVENT = R9, STAGES = R10, USED = R11;

static struct x64_at word_of_row(const struct maker *k, uint32_t word_)
{
	return x64_in(WORLD, ROW, 3, ((int64_t)k->p->layout.acts + word_) * 8);
}

static struct x64_at word_of_happening(const struct maker *k, uint32_t word_)
{
	return x64_in(WORLD, USED, 3, ((int64_t)k->p->layout.happenings + word_) * 8);
}

/* to = the place of the act that `number` says, in the order. */
static void find_place(struct maker *k, enum x64_reg to, enum x64_reg number)
{
	x64_times(&k->x, to, number, 8 * pending_width(k->p));
	x64_do(&k->x, X_ADD, to, OF_MACHINE(pending.place));
}

/* The first of the main list's order, when all have their places, and if nobody is level with him. Returns the jump if there is nobody. */
static uint32_t take_first(struct maker *k, struct detours *a)
{
	struct x64 *x = &k->x;
	const struct order_info *o = k->p->order;
	uint32_t single[ORDER_KEYS + 1];
	int n = 0;
	compare_byte(x, OF_MACHINE(pending.main));
	detour(k, a, IF_SAME);
	x64_fix_at(x, true, FIX_CMP, OF_MACHINE(memo.moves), 0); /* and order_stale */
	come_back(k, stub(k, STUB_APART, x64_jump_if(x, IF_OTHER), 1));
	x64_do32(x, X_LOAD, RCX, OF_MACHINE(pending.from));
	x64_do32(x, X_CMP, RCX, OF_MACHINE(pending.n));
	const uint32_t nobody = x64_jump_if(x, IF_SAME);
	x64_do(x, X_LOAD, RDI, OF_MACHINE(pending.order));
	x64_do32(x, X_LOAD, ACT, x64_in(RDI, RCX, 2, 0));
	find_place(k, FIRST, ACT);
	x64_do(x, X_LEA, RDX, x64_at(RCX, 1));
	x64_do32(x, X_CMP, RDX, OF_MACHINE(pending.n));
	single[n++] = x64_jump_if(x, IF_SAME);
	x64_do32(x, X_LOAD, RDX, x64_in(RDI, RDX, 2, 0));
	find_place(k, RDX, RDX);
	for (int i = o->keys; i-- > 0;) { /* the last key tells most apart, and whoever is level is so in all */
		const int64_t key = 8 * (int64_t)(PLACE_KEYS + i);
		x64_do(x, X_LOAD, TIME, x64_at(FIRST, key));
		x64_do(x, X_CMP, TIME, x64_at(RDX, key));
		single[n++] = x64_jump_if(x, IF_OTHER);
	}
	detour_by(k, a, x64_jump(x));
	for (int i = 0; i < n; i++)
		x64_lead(x, single[i], x->n);
	x64_do(x, X_LOAD, TIME, x64_at(FIRST, 8 * PLACE_TIME));
	return nobody;
}

/* Is it his time, and is there nothing about him that group.c has to look at? */
static void look_at_first(struct maker *k, const struct insn *i, struct detours *a)
{
	struct x64 *x = &k->x;
	const struct layout *l = &k->p->layout;
	x64_regs(x, X_CMP, TIME, UNSET);
	detour(k, a, IF_SAME);
	if (!is_unset(k, i->b)) {
		uint32_t whenever = 0;
		const bool set = is_set(k, i->b);
		take(k, RDX, i->b);
		if (!set) {
			x64_regs(x, X_CMP, RDX, UNSET);
			whenever = x64_jump_if(x, IF_SAME);
		}
		x64_regs(x, X_CMP, TIME, RDX);
		detour(k, a, IF_MORE);
		if (!set)
			x64_lead(x, whenever, x->n);
	}
	x64_fix_at(x, true, FIX_CMP, OF_MACHINE(groups), 0); /* and tries */
	detour(k, a, IF_OTHER);
	x64_times(x, ROW, ACT, (int32_t)l->act_stride);
	x64_do(x, X_LOAD, EVENT, word_of_row(k, ACT_EVENT));
	x64_number(x, RDX, (int64_t)(intptr_t)k->m->stages);
	x64_do32(x, X_LOAD, STAGES, x64_in(RDX, EVENT, 0, 0));
	x64_do(x, X_LOAD, USED, HEADER(H_HAPPENINGS));
	x64_fix(x, FIX_CMP, USED, (int32_t)l->happening_words - HAP_SLOTS);
	detour(k, a, IF_MORE);
	x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.row_noted)); /* a byte an act, where the heads of its words lie far apart */
	compare_byte(x, x64_in(RDX, ACT, 0, 0));
	detour(k, a, IF_OTHER);
	x64_shift32(x, true, STAGES, 24);
	detour(k, a, IF_SIGN); /* EVENT_KEEPS */
}

/* As begin in group.c has it, but for the clock, and for what is set again before anybody looks at it: where a copy's changes begin
 * and end. Nothing is told of a member (group_ready). */
static void begin_single(struct maker *k)
{
	struct x64 *x = &k->x;
	x64_fix_at(x, false, FIX_ADD, OF_MACHINE(pending.asked), 1);
	x64_fix_at(x, false, FIX_ADD, OF_MACHINE(pending.from), 1);
	x64_put(x, x64_at(FIRST, 8 * PLACE_SERIAL), -1);
	x64_put(x, word_of_row(k, ACT_STATE), ACT_PERFORMING);
	x64_put32(x, OF_MACHINE(groups), 1);
	x64_put32(x, OF_GROUP(n), 1);
	put_byte(x, OF_MACHINE(lone_group), true);
	x64_do32(x, X_STORE, STAGES, OF_GROUP(copies));
	x64_put32(x, OF_GROUP(judged), 0);
	x64_put32(x, OF_GROUP(effects.n), 0);
	x64_do(x, X_LOAD, RCX, HEADER(H_HAPPENING));
	x64_do32(x, X_STORE, RCX, OF_GROUP(happening));
	x64_do32(x, X_STORE, USED, OF_GROUP(happenings));
	x64_do(x, X_LOAD, RDX, HEADER(H_ACT));
	x64_do(x, X_STORE, RDX, OF_GROUP(act));
	x64_do(x, X_LOAD, RDX, HEADER(H_NOW));
	x64_do(x, X_STORE, RDX, OF_GROUP(now));
	x64_do(x, X_LOAD, RDX, OF_GROUP(member));
	x64_do32(x, X_STORE, ACT, x64_at(RDX, offsetof(struct member, act)));
	x64_do32(x, X_STORE, STAGES, x64_at(RDX, offsetof(struct member, stopped)));
	x64_do(x, X_STORE, RCX, word_of_happening(k, HAP_PARENT));
	x64_do(x, X_LEA, RCX, x64_at(USED, k->p->layout.happenings));
	x64_do32(x, X_STORE, RCX, x64_at(RDX, offsetof(struct member, happening)));
	x64_do(x, X_STORE, EVENT, word_of_happening(k, HAP_EVENT));
	x64_put(x, word_of_happening(k, HAP_RECORD), -1);
	x64_put(x, word_of_happening(k, HAP_STAGE), 0);
	x64_put32(x, OF_MACHINE(handed_mask), 0);
	x64_fix_at(x, true, FIX_ADD, HEADER(H_HAPPENINGS), HAP_SLOTS);
	x64_fix_at(x, true, FIX_ADD, HEADER(H_GROUP), 1);
	x64_fix_at(x, true, FIX_SUB, OF_MACHINE(fuel), 16);
}

/* A word of the machine's own = reg, as header_set has it. */
static void set_header(struct maker *k, uint32_t word_, enum x64_reg value)
{
	struct x64 *x = &k->x;
	x64_do(x, X_CMP, value, HEADER(word_));
	const uint32_t same = x64_jump_if(x, IF_SAME);
	x64_do(x, X_STORE, value, HEADER(word_));
	x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.head));
	x64_fix_at(x, false, FIX_CMP, x64_at(RDX, (int64_t)word_ * 4), 0);
	come_back(k, stub(k, STUB_WROTE_AT, x64_jump_if(x, IF_OTHER), word_));
	x64_lead(x, same, x->n);
}

/* ---- a group that nobody looks at is not written down ---- */

/* GROUP, and what leads an act that comes alone and has something to do at stage on to behind ONLY, in a function that is called or
 * here: what of it is said there. */
struct led {
	const struct insn *size, *needs, *only;
	unsigned one;              /* the register with 1, .. */
	bool loads;                /* .. which is loaded on the way */
	int32_t call, fn;          /* where the function is called, -1: ONLY is in the same; the function ONLY is in */
	int32_t to, goes_on;       /* behind ONLY, and behind what follows that GROUP can do at once: */
	unsigned event, field_of;  /* registers for the act's event and a field of it, .. */
	uint32_t base;             /* .. whose words begin here */
};

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

/* Is it so, of the GROUP at `at` in function fn? */
static bool is_led(const struct maker *k, int32_t at, int32_t fn, struct led *to)
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
	if (!are(p, led, p->fn[to->fn].end, alone, FRAY_COUNT(alone)) || !to->needs->c || to->needs[1].a != to->needs->a || to->to >= p->fn[to->fn].end)
		return false;
	look_behind(k, to);
	return true;
}

/* Does an instruction let nobody look at groups, unless by what make_written is made for? */
bool is_apart_from_groups(const struct insn *i)
{
	switch ((enum op)i->op) {
	case OP_NOP: case OP_EXT: case OP_MOVE: case OP_LOADI: case OP_LOADK:
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: case OP_MIN: case OP_MAX: case OP_NOT: case OP_SAME: case OP_EQ: case OP_LT: case OP_LE:
	case OP_JMP: case OP_LOOP: case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME: case OP_CALL: case OP_SETTLE: case OP_CALLACT:
	case OP_LDF: case OP_STF: case OP_ADF: case OP_LDT: case OP_EVENTOF: case OP_LDA: case OP_NOW: case OP_SERIAL: case OP_KNEXT: case OP_SNEXT:
	case OP_SADD: case OP_SNONE: case OP_SMOVE: case OP_SKNOWN: case OP_SCOUNT: case OP_SHAS: case OP_SNTH: case OP_ROLL: case OP_IDLE:
	case OP_DIRTY: case OP_WOKE: case OP_TURNED: case OP_KEYED: case OP_RET:
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

/* GROUP's, and the call's. */
static int32_t taken_by(const struct led *to)
{
	return to->call < 0 ? 16 : 16 + 8;
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
	set_header(k, H_NOW, TIME);
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

/* The first of the order is performed behind ONLY, at once, and his group written down when somebody may look at it. Who he is, what
 * he does and, mostly, whose act it is are known here. Where a condition waits, his event does something at other stages or it was noted
 * whose act is performed, all goes its ordinary way. */
static void make_unwritten(struct maker *k, const struct led *to)
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

/* A jump that is taken where the group at hand is written down. */
static uint32_t is_written(struct maker *k)
{
	compare_byte(&k->x, OF_MACHINE(unwritten));
	return x64_jump_if(&k->x, IF_SAME);
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

/* False: it is done by a call. */
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

/* ---- chosen, begun and ended ---- */

void make_group(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const struct program *p = k->p;
	const struct order_info *o = p->order;
	bool plain = i->c && p->at.act_time_question >= 0 && !p->question[p->at.act_time_question].type.frac && o->pair_fn < 0;
	for (int key = 0; key < o->keys; key++)
		plain = plain && !o->frac[key];
	struct detours a = {{0}, 0};
	struct led to;
	const bool led = is_led(k, k->at, k->fn, &to) && k->unwritten[to.to];
	x64_fix_at(x, true, FIX_CMP, OF_MACHINE(fuel), led ? taken_by(&to) : 16);
	leave_if(k, IF_BELOW);
	if (!plain) {
		call_apart(k, native_apart_of(OP_GROUP));
		learn(k, i->a, ANYTHING, 0);
		return;
	}
	settle(k, k->at);
	const int nobody = stub(k, STUB_PUT, take_first(k, &a), i->a);
	k->stubs.v[nobody].words = 1;
	k->cached = -1;
	look_at_first(k, i, &a);
	if (led)
		make_unwritten(k, &to);
	begin_single(k);
	set_header(k, H_NOW, TIME);
	x64_put(x, reg(i->a), 1);
	learn(k, i->a, ANYTHING, 0);
	detours_back(k, &a);
	come_back(k, nobody);
	k->cached = -1;
}

/* As group_done has it. */
void make_done(struct maker *k)
{
	struct x64 *x = &k->x;
	struct detours a = {{0}, 0};
	uint32_t over[2] = {0};
	if (k->unwritten[k->at]) {
		const uint32_t written = is_written(k);
		x64_do32(x, X_LOAD, ACT, OF_MACHINE(unwritten_act));
		x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.row_noted));
		compare_byte(x, x64_in(RDX, ACT, 0, 0));
		detour(k, &a, IF_OTHER);
		put_byte(x, OF_MACHINE(unwritten), 0);
		x64_times(x, ROW, ACT, (int32_t)k->p->layout.act_stride);
		make_wiped(k, ACT, ROW);
		x64_fix_at(x, true, FIX_CMP, HEADER(H_LIST), 0);
		over[0] = x64_jump_if(x, IF_OTHER);
		put_byte(x, OF_MACHINE(resolved), true);
		over[1] = x64_jump(x);
		x64_lead(x, written, x->n);
	}
	compare_byte(x, OF_MACHINE(lone_group));
	detour(k, &a, IF_SAME);
	x64_do(x, X_LOAD, RCX, OF_GROUP(member));
	x64_do32(x, X_LOAD, ACT, x64_at(RCX, offsetof(struct member, act)));
	x64_times(x, ROW, ACT, (int32_t)k->p->layout.act_stride);
	x64_fix_at(x, true, FIX_CMP, word_of_row(k, ACT_STATE), ACT_PERFORMING);
	detour(k, &a, IF_OTHER);
	x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.row_noted));
	compare_byte(x, x64_in(RDX, ACT, 0, 0));
	detour(k, &a, IF_OTHER);
	k->cached = -1;
	make_wiped(k, ACT, ROW);
	x64_put32(x, OF_MACHINE(groups), 0); /* its last is the first, as it was */
	x64_do32(x, X_LOAD, RCX, OF_GROUP(happening));
	x64_do(x, X_STORE, RCX, HEADER(H_HAPPENING));
	x64_do32(x, X_LOAD, RCX, OF_GROUP(happenings));
	x64_do(x, X_STORE, RCX, HEADER(H_HAPPENINGS));
	x64_fix_at(x, true, FIX_CMP, HEADER(H_LIST), 0);
	const uint32_t nested = x64_jump_if(x, IF_OTHER);
	put_byte(x, OF_MACHINE(resolved), true);
	x64_lead(x, nested, x->n);
	x64_do(x, X_LOAD, RCX, OF_GROUP(act));
	set_header(k, H_ACT, RCX);
	detours_back(k, &a);
	for (int o = 0; o < 2 && over[0]; o++)
		x64_lead(x, over[o], x->n);
	k->cached = -1;
}

#endif
