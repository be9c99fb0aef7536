/* native.c - see native.h: a program made into processor code. What each instruction becomes stands in
 * native_values.c, native_calls.c, native_acts.c, native_rows.c, native_own.c, native_conditions.c, native_sets.c, native_dice.c,
 * native_single.c, native_unwritten.c and native_groups.c.
 *
 * While processor code runs, rbx holds the machine, r12 the block, r13 the frame's registers, r14
 * NONE and r15 all other bits; rax is where values are made. H_FP and H_FN of the block always say which frame it is, so the
 * loop can go on from any instruction. Known beforehand: what a register holds that was loaded with a
 * number, whether it is a yes or no, and whether it can be unset (native_facts.c has what of that lasts where ways meet);
 * within a stretch without a jump into it, whether rax holds it still. */
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#include "runtime/vm/native_maker.h"

#ifdef FRAY_NATIVE

#include <sys/mman.h>

enum {
	CODE_MOST = 128, WAYS_MOST = 1024, CODE_SPARE = 65536, /* bytes of an instruction, an event and besides, by and large; what does not fit stays with the loop */
	SHORT_STRETCH = 3 /* instructions between two that are left to the loop, which then does them as well */
};

/* The program once: for what is done for good, or for what may have to be put back. */
struct code {
	uint8_t *bytes;        /* NULL: it was not made */
	const void **at;       /* by instruction: its code */
	const void **ways;     /* by stage and event: where its call is made; NULL: there is none */
	uint64_t (*enter)(struct vm *m, word *w, word *r, const void *code);
};

struct native {
	size_t size;           /* of each code's bytes */
	uint8_t *begins;       /* by instruction: may be entered */
	int32_t *slots;        /* by kept name and event: where its happening keeps that, -1: nowhere */
	struct code code[2];   /* by whether what is done may have to be put back */
	bool none;             /* the second is not to be had */
};

/* Which registers does it write, besides what the case says? Those of its shape. */
static void forget_written(struct maker *k, const struct insn *i)
{
	const char *shape = op_table[i->op].shape;
	const unsigned operand[] = {i->a, i->b, i->c};
	for (int s = 0; shape[s] && s < 3; s++) {
		if (shape[s] == 'd')
			learn(k, operand[s], ANYTHING, 0);
		else if (shape[s] == 'D')
			learn_words(k, operand[s], k->p->set_words);
	}
}

/* Is it made so that a number need not be written down for it, or only where it takes another way? */
static bool takes_lazy(enum op op)
{
	switch (op) {
	case OP_NOP: case OP_EXT: case OP_MOVE: case OP_LOADI: case OP_LOADK:
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: case OP_MIN: case OP_MAX: case OP_NOT: case OP_SAME: case OP_EQ: case OP_LT: case OP_LE:
	case OP_JMP: case OP_LOOP: case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME: case OP_CALL: case OP_SETTLE: case OP_CALLACT: case OP_RET:
	case OP_LDF:
	case OP_LDP:
	case OP_STF:
	case OP_ADF:
	case OP_LDT:
	case OP_EVENTOF:
	case OP_LDA:
	case OP_CAUSE:
	case OP_NOW:
	case OP_SERIAL:
	case OP_KNEXT:
	case OP_QNEXT:
	case OP_AGAIN:
	case OP_DIRTY: case OP_WOKE: case OP_TURNED: case OP_KEPT: case OP_MEMBER: case OP_ENTER: case OP_LEAVE: case OP_STEP: case OP_STAGE: case OP_NEEDS: case OP_ONLY: case OP_BEGINS: case OP_IDLE: case OP_ROLL:
	case OP_BEGIN: case OP_END: case OP_OVER: case OP_KEYED: case OP_PHASE: case OP_ENDROUND: case OP_ACT: case OP_COPY: case OP_PEND:
	case OP_SNONE: case OP_SMOVE: case OP_SKNOWN: case OP_SCOUNT: case OP_SNTH:
		return true;
	default:
		return false;
	}
}

/* Returns how many instructions were done; 0: it is left to the loop. */
static int make_insn(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	if (!takes_lazy((enum op)i->op))
		settle(k, k->at);
	switch ((enum op)i->op) {
	case OP_NOP: case OP_EXT: return 1;
	case OP_MOVE: {
		const struct knows s = *known(k, i->b);
		if (s.as == NUMBER) {
			put_number(k, i->a, s.number);
			return 1;
		}
		take(k, RAX, i->b);
		put(k, i->a, (enum known_as)s.as);
		if (s.ranged)
			learn_range(k, i->a, (struct range){s.least, s.most});
		return 1;
	}
	case OP_LOADI:
		put_number(k, i->a, i->k);
		look_if_none(k, i);
		begin_with_yes(k, i);
		return 1;
	case OP_LOADK: put_number(k, i->a, k->p->constant[i->k]); return 1;
	case OP_ADD: return make_sum(k, i, X_ADD);
	case OP_SUB: return make_sum(k, i, X_SUB);
	case OP_MUL: return make_sum(k, i, X_IMUL);
	case OP_NEG: {
		const enum known_as as = is_set(k, i->b) ? SET : ANYTHING;
		struct range r = {0, 0};
		const bool ranged = range_of(k, i->b, &r);
		take(k, RAX, i->b);
		k->cached = -1;
		x64_negate(x, RAX); /* NONE stays what it is */
		put(k, i->a, as);
		if (ranged)
			learn_range(k, i->a, (struct range){-r.most, -r.least});
		return 1;
	}
	case OP_MIN: return make_least(k, i);
	case OP_MAX: return make_most(k, i);
	case OP_NOT: return make_not(k, i);
	case OP_SAME: case OP_EQ: case OP_LT: case OP_LE: return make_compare(k, i);
	case OP_JMP:
		go_to(k, goal(k, i));
		return 1;
	case OP_LOOP: return make_loop(k, i);
	case OP_JZ: case OP_JNZ: case OP_JNONE: case OP_JSOME: return make_jump_if(k, i);
	case OP_CALL: return make_call(k, i);
	case OP_SETTLE: return make_settle(k, i);
	case OP_CALLACT: return make_call_act(k, i);
	case OP_RET: return make_return(k, i);
	case OP_LDF: return make_load(k, i);
	case OP_LDP: return make_load_pair(k, i);
	case OP_STP:
		if (make_store_pair(k, i))
			return 1;
		break;
	case OP_HASL: return make_has_listed(k, i);
	case OP_STF: return make_store(k, i);
	case OP_ADF: return make_add(k, i);
	case OP_LDT: return make_template(k, i);
	case OP_EVENTOF: return make_act_word(k, i, ACT_EVENT);
	case OP_LDA: return make_act_word(k, i, ACT_ARGS + i->c);
	case OP_CAUSE: return make_header(k, i, H_ACT, true);
	case OP_NOW: return make_header(k, i, H_NOW, true);
	case OP_SERIAL: return make_header(k, i, H_SERIAL, false);
	case OP_KNEXT: return make_next_asked(k, i);
	case OP_QNEXT: return make_next_quiet(k, i);
	case OP_AGAIN: return make_again(k, i);
	case OP_SNEXT: return make_next(k, i);
	case OP_SADD: return make_add_member(k, i);
	case OP_SNONE: case OP_SMOVE: return make_sets(k, i);
	case OP_SCOUNT: return make_count(k, i);
	case OP_SHAS: return make_has(k, i);
	case OP_SKNOWN:
		make_sift(k, i, i->b);
		return 1;
	case OP_SNTH: return make_nth(k, i);
	case OP_DIRTY: return make_dirty(k, i);
	case OP_WOKE: return make_woke(k, i);
	case OP_TURNED: return make_turned(k, i);
	case OP_KEPT: return make_kept(k, i);
	case OP_MEMBER: return make_member(k, i);
	case OP_ENTER: return make_enter(k, i);
	case OP_LEAVE: return make_leave(k);
	case OP_ACT: return make_act(k, i);
	case OP_COPY: return make_copy(k, i);
	case OP_PEND: return make_pend(k, i);
	case OP_FREE: return make_release(k, i);
	case OP_STEP: return make_step(k, i);
	case OP_STAGE: return make_stage(k, i);
	case OP_NEEDS: return make_needs(k, i);
	case OP_IDLE: return make_idle(k, i);
	case OP_BEGIN: return make_begin(k, i);
	case OP_ONLY: return make_only(k, i);
	case OP_BEGINS: return make_begins(k, i);
	case OP_END: return make_end(k, i);
	case OP_ROLL: return make_roll(k, i);
	case OP_OVER: return make_over(k, i);
	case OP_PAUSE: return make_pause(k);
	case OP_KEYED:
		leave_undone(k);
		return 1;
	case OP_PHASE: case OP_ENDROUND:
		if (k->p->blocks > 1)
			break;
		if (i->op == OP_PHASE)
			x64_put(x, HEADER(H_PHASE), i->k);
		return 1;
	case OP_ROUNDS: /* a machine that is to stop before one stops in the loop */
		x64_do(x, X_CMP, UNSET, OF_MACHINE(last_round));
		leave_if(k, IF_OTHER);
		break;
	case OP_GROUP:
		make_group(k, i);
		return 1;
	case OP_VOID:
		if (make_void(k, i))
			return 1;
		break;
	case OP_DONE:
		settle(k, k->at);
		make_done(k);
		return 1;
	default:
		break;
	}
	native_apart *does = native_apart_of((enum op)i->op);
	if (!does)
		return 0;
	call_apart(k, does);
	forget_written(k, i);
	return 1;
}

/* ---- stubs ---- */

/* Where it is otherwise the loop goes on. */
static void make_guard(struct maker *k, const struct stub *s)
{
	struct x64 *x = &k->x;
	k->guarded[s->at] = x->n;
	if (s->base) {
		look_who_waits(k);
		stub_at(k, STUB_LEAVE, x64_jump_if(x, IF_OTHER), LEFT_HERE, s->at);
	}
	for (int f = 0; f < s->held; f++) {
		const struct fact *of = &k->facts.v[s->first + f];
		if (of->as.ranged || of->as.as == YES_NO) {
			x64_fix_at(x, true, FIX_CMP, reg(of->x), of->as.ranged ? of->as.least : 0);
			stub_at(k, STUB_LEAVE, x64_jump_if(x, IF_LESS), LEFT_HERE, s->at);
			x64_fix_at(x, true, FIX_CMP, reg(of->x), of->as.ranged ? of->as.most : 1);
			stub_at(k, STUB_LEAVE, x64_jump_if(x, IF_MORE), LEFT_HERE, s->at);
		} else {
			x64_do(x, X_CMP, UNSET, reg(of->x));
			stub_at(k, STUB_LEAVE, x64_jump_if(x, IF_SAME), LEFT_HERE, s->at);
		}
	}
	if (s->to >= 0)
		x64_do(x, X_LOAD, BESIDE, reg((unsigned)s->to));
	jump_to(k, s->at);
}

static void make_stub(struct maker *k, struct stub of)
{
	const struct stub *s = &of; /* stubs may need stubs */
	struct x64 *x = &k->x;
	if (s->kind == STUB_GUARD) {
		make_guard(k, s);
		return;
	}
	if (s->kind != STUB_RESULT && s->kind != STUB_BEHIND)
		x64_lead(x, s->jump, x->n);
	for (int h = 0; h < s->held; h++)
		write_down(k, k->held.v[s->first + h].x, k->held.v[s->first + h].number);
	if (s->unsaved >= 0)
		x64_do(x, X_STORE, RAX, reg((unsigned)s->unsaved));
	switch (s->kind) {
	case STUB_REFUEL:
		make_written(k, s->at);
		x64_fix_at(x, true, FIX_ADD, OF_MACHINE(fuel), (int32_t)s->base);
		x64_number(x, RAX, s->at);
		x64_lead(x, x64_jump(x), k->leave);
		return;
	case STUB_LEAVE:
	case STUB_FAIL:
		make_written(k, s->at);
		x64_number(x, RAX, (int64_t)((uint64_t)(s->kind == STUB_FAIL ? LEFT_FAILED : s->base) << 32 | (uint32_t)s->at));
		x64_lead(x, x64_jump(x), k->leave);
		return;
	case STUB_READ_CELL:
		make_read_cell(k, s->base);
		break;
	case STUB_READ_AT: case STUB_READ: case STUB_WROTE_AT: case STUB_WROTE: {
		const bool read = s->kind == STUB_READ_AT || s->kind == STUB_READ;
		if (s->kind == STUB_READ || s->kind == STUB_WROTE)
			x64_regs(x, X_LOAD, RSI, read ? RAX : RCX);
		else
			x64_number(x, RSI, 0);
		x64_regs(x, X_LOAD, RDI, MACHINE);
		x64_number(x, RDX, s->base);
		x64_call(x, (uintptr_t)(read ? native_read : native_wrote)); /* rax is again what it was, where it was read by */
		break;
	}
	case STUB_DRAW:
		make_drawn(k, &k->p->code[s->at], s->base);
		/* fall through */
	case STUB_APART: {
		const enum op op = (enum op)k->p->code[s->at].op;
		const bool turns = op == (k->undone ? OP_END : OP_BEGIN); /* a copy begins, or ended: the other code goes on */
		if (turns)
			make_light_copy(k, &k->p->code[s->at], s->at);
		call_for(k, s->at, (uintptr_t)(s->kind == STUB_APART && s->base ? native_place() : native_apart_of(op)));
		x64_bytes(x, 0xc084, 2);
		if (turns) {
			const uint32_t fails = x64_jump_if(x, IF_SAME);
			x64_fix_at(x, false, FIX_CMP, OF_MACHINE(journaling), 0);
			x64_lead(x, x64_jump_if(x, k->undone ? IF_OTHER : IF_SAME), s->back);
			go_on_in_other(k, s->at + 1);
			x64_lead(x, fails, x->n);
		} else if (s->says) {
			const uint32_t fails = x64_jump_if(x, IF_SAME);
			x64_do(x, X_LOAD, RAX, reg(k->p->code[s->at].a));
			x64_lead(x, x64_jump(x), s->back);
			x64_lead(x, fails, x->n);
		} else if (s->to < 0) {
			x64_lead(x, x64_jump_if(x, IF_OTHER), s->back);
		} else {
			const uint32_t fails = x64_jump_if(x, IF_SAME);
			x64_do(x, X_CMP, UNSET, reg(k->p->code[s->at].a));
			x64_lead(x, x64_jump_if(x, IF_OTHER), s->back);
			jump_to(k, s->to);
			x64_lead(x, fails, x->n);
		}
		x64_number(x, RAX, (int64_t)((uint64_t)LEFT_FAILED << 32 | (uint32_t)s->at));
		x64_lead(x, x64_jump(x), k->leave);
		return;
	}
	case STUB_FIND: {
		uint32_t other[2];
		if (s->given)
			x64_number(x, RAX, s->value);
		find_entry(k, k->m->memo.of[s->base], other);
		x64_do(x, X_LOAD, RAX, x64_at(RDX, offsetof(struct memo_entry, answer)));
		x64_lead(x, x64_jump(x), s->back);
		x64_lead(x, other[0], x->n);
		x64_lead(x, other[1], x->n);
	} /* fall through */
	case STUB_KNOWN:
		x64_regs(x, X_LOAD, RDI, MACHINE);
		x64_do(x, X_LEA, RSI, reg(k->p->code[s->at].a));
		x64_number(x, RDX, s->base);
		x64_call(x, (uintptr_t)native_known);
		x64_bytes(x, 0xc085, 2); /* test eax, eax */
		stub_at(k, STUB_LEAVE, x64_jump_if(x, IF_SIGN), LEFT_HERE, s->at);
		x64_do(x, X_LOAD, RAX, reg(k->p->code[s->at].a));
		if (s->says) {
			const uint32_t unknown = x64_jump_if(x, IF_SAME);
			x64_regs(x, X_TEST, RAX, SOME);
			x64_lead(x, x64_jump(x), s->back);
			x64_lead(x, unknown, x->n);
		} else {
			x64_lead(x, x64_jump_if(x, IF_OTHER), s->back);
		}
		make_entry(k, s->at, s->fn, (int32_t)s->base);
		return;
	case STUB_RESULT:
		k->place[s->at + 1] = x->n;
		x64_do(x, X_LOAD, RAX, reg(k->p->code[s->at].a));
		if (s->says)
			x64_regs(x, X_TEST, RAX, SOME);
		break;
	case STUB_BEHIND: /* the call was the loop's: so is what follows */
		k->place[s->at + 1] = x->n;
		x64_number(x, RAX, s->at + 1);
		x64_lead(x, x64_jump(x), k->leave);
		return;
	case STUB_ENTER:
		x64_fix_at(x, true, FIX_SUB, OF_MACHINE(fuel), 8);
		stub_at(k, STUB_REFUEL, x64_jump_if(x, IF_BELOW), 8, s->at);
		make_entry(k, s->at, s->fn, (int32_t)s->base);
		return;
	case STUB_WAY:
		if (k->unwritten[s->at]) {
			x64_do(x, X_STORE, RCX, x64_at(RSP, 0));
			make_written(k, s->at);
			x64_do(x, X_LOAD, RCX, x64_at(RSP, 0));
		}
		x64_do(x, X_LEA, RSI, reg(k->p->code[s->at].a));
		x64_number(x, RDX, s->at + 1);
		x64_jump_reg(x, RCX);
		return;
	case STUB_DEEP:
		make_written(k, s->at);
		x64_put(x, HEADER(H_PC), s->at + 1);
		x64_regs(x, X_LOAD, RDI, MACHINE);
		x64_number(x, RSI, s->base);
		x64_call(x, (uintptr_t)native_too_deep);
		x64_number(x, RAX, (int64_t)((uint64_t)LEFT_FAILED << 32 | (uint32_t)s->at));
		x64_lead(x, x64_jump(x), k->leave);
		return;
	case STUB_ANSWERED:
		x64_regs(x, X_LOAD, RDI, MACHINE);
		x64_regs(x, X_LOAD, RSI, FRAME);
		x64_do(x, X_STORE, PACKED, x64_at(RSP, 0));
		if (memo_is_own(&k->m->memo, s->fn)) {
			x64_number(x, RDX, s->fn);
			x64_call(x, (uintptr_t)native_owned);
		} else {
			x64_call(x, (uintptr_t)native_answered);
		}
		x64_do(x, X_LOAD, PACKED, x64_at(RSP, 0));
		break;
	case STUB_UNSET:
		x64_regs(x, X_LOAD, RAX, UNSET);
		break;
	case STUB_LATER:
		make_later_word(k, &k->p->code[s->at]);
		break;
	case STUB_GUARD:
		break;
	case STUB_PUT:
		for (unsigned w = 0; w < (unsigned)s->words; w++)
			write_down(k, s->base + w, s->value);
		if (s->to < 0)
			break;
		jump_to(k, s->to);
		return;
	}
	x64_lead(x, x64_jump(x), s->back);
}

/* ---- a program ---- */

static void make_frame(struct maker *k, struct code *c)
{
	static const enum x64_reg saved[] = {RBX, RBP, R12, R13, R14, R15};
	struct x64 *x = &k->x;
	c->enter = (uint64_t (*)(struct vm *, word *, word *, const void *))(uintptr_t)x->code;
	for (int i = 0; i < 6; i++)
		x64_push(x, saved[i]);
	x64_fix(x, FIX_SUB, RSP, 8); /* calls want the stack at a multiple of 16; a word of it is room for one to last across */
	x64_regs(x, X_LOAD, MACHINE, RDI);
	x64_regs(x, X_LOAD, WORLD, RSI);
	x64_regs(x, X_LOAD, FRAME, RDX);
	x64_number(x, UNSET, NONE);
	x64_number(x, SOME, INT64_MAX);
	x64_jump_reg(x, RCX);
	k->leave = x->n;
	x64_fix(x, FIX_ADD, RSP, 8);
	for (int i = 6; i-- > 0;)
		x64_pop(x, saved[i]);
	x64_return(x);
}

static void make_all(struct maker *k, struct code *c, uint8_t *begins)
{
	const struct program *p = k->p;
	struct x64 *x = &k->x;
	int32_t stretch = 0; /* instructions of the stretch at hand that are done */
	int32_t first = 0;
	for (k->fn = 0; k->fn < p->fns; k->fn++) {
		const struct fn_info *f = &p->fn[k->fn];
		for (k->at = f->entry; k->at < f->end;) {
			if (k->joins[k->at] & JOIN_BACK) {
				settle_from(k, k->at, p->code[k->at - 1].a);
				learn_words(k, p->code[k->at - 1].a, (int)f->registers - p->code[k->at - 1].a);
			}
			if (k->joins[k->at] & JOIN_JUMP) {
				settle(k, k->at);
				arrive(k, k->at);
				meet_here(k);
			}
			if (k->joins[k->at]) {
				k->cached = -1;
				if (k->joins[k->at] & JOIN_BACK)
					k->beside = -1;
				guard(k, k->at);
			}
			if (stretch == 0)
				first = k->at;
			k->place[k->at] = x->n;
			k->behind = k->at + 1;
			k->quiet &= stays_quiet(k, &p->code[k->at]);
			if (k->unwritten[k->at] && !is_apart_from_groups(&p->code[k->at])) {
				make_written(k, k->at);
				k->cached = -1;
			}
			const int done = make_insn(k, &p->code[k->at]);
			if (!done) {
				settle(k, k->at);
				make_written(k, k->at);
				x64_number(x, RAX, k->at);
				x64_lead(x, x64_jump(x), k->leave);
				if (k->at + 1 < p->code_count)
					k->joins[k->at + 1] |= JOIN_JUMP;
				arrive_unknown(k, k->at + 1);
				if (op_jumps((enum op)p->code[k->at].op))
					arrive_unknown(k, goal(k, &p->code[k->at]));
				k->gone = true;
				for (int32_t i = first; stretch < SHORT_STRETCH && i < k->at; i++)
					begins[i] = 0;
				begins[k->at] = 0;
				stretch = 0;
				k->at++;
				continue;
			}
			begins[k->at] = k->joins[k->at] != 0;
			for (int i = 1; i < done; i++)
				k->place[k->at + i] = x->n; /* nobody comes there but from here */
			const enum op op = (enum op)p->code[k->at].op;
			if (op == OP_RET)
				k->gone = true;
			if (k->gone)
				k->lazy.n = 0;
			stretch += done;
			k->at += done;
		}
	}
	for (int i = 0; i < k->stubs.n; i++)
		make_stub(k, k->stubs.v[i]);
	make_ways(k);
	for (int i = 0; i < k->jumps.n; i++)
		x64_lead(x, k->jumps.v[i].jump, k->place[k->jumps.v[i].to]);
	for (int32_t i = 0; i < p->code_count; i++)
		c->at[i] = x->code + (k->guarded[i] ? k->guarded[i] : k->place[i]);
}

uint8_t *native_memory(size_t size)
{
	void *code = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return code == MAP_FAILED ? NULL : code;
}

bool native_seal(uint8_t *code, size_t size)
{
	return mprotect(code, size, PROT_READ | PROT_EXEC) == 0;
}

void native_give_back(uint8_t *code, size_t size)
{
	if (code)
		munmap(code, size);
}

static void code_free(struct code *c, size_t size)
{
	native_give_back(c->bytes, size);
	free(c->at);
	free(c->ways);
	*c = (struct code){NULL, NULL, NULL, NULL};
}

/* False: no memory that may be executed is to be had. */
__attribute__((noinline)) static bool make_code(struct vm *m, struct native *n, struct code *c)
{
	const struct program *p = m->p;
	struct maker k = {.m = m, .p = p, .undone = c == &n->code[true], .cached = -1, .beside = -1, .unsaved_for = -1, .pair_for = -1, .beyond_for = -1, .stretch = 1};
	const size_t count = (size_t)p->code_count + 1;
	uint32_t registers = 0;
	group_ready(m);
	for (int f = 0; f < p->fns; f++)
		if (p->fn[f].registers > registers)
			registers = p->fn[f].registers;
	c->bytes = native_memory(n->size);
	c->at = calloc(count, sizeof *c->at);
	c->ways = calloc((AT_STAGES + 1) * (size_t)p->events + 1, sizeof *c->ways);
	k.place = calloc(count, sizeof *k.place);
	k.guarded = calloc(count, sizeof *k.guarded);
	k.joins = calloc(count + 1, 1);
	k.unwritten = calloc(count + 1, 1);
	k.noted = calloc((size_t)p->fns + 1, 1);
	k.asked = calloc((size_t)p->fields + 1, 1);
	registers += (uint32_t)p->set_words + 16; /* windows may begin at the last */
	k.knows = calloc(registers, sizeof *k.knows);
	k.owned = calloc((size_t)p->fields + 1, sizeof *k.owned);
	k.marks = calloc((size_t)p->fields + 1, sizeof *k.marks);
	k.arrivals = calloc(count, sizeof *k.arrivals);
	k.answers = calloc((size_t)p->fns + 1, sizeof *k.answers);
	if (!c->at || !c->ways || !k.place || !k.guarded || !k.joins || !k.unwritten || !k.noted ||
		!k.asked || !k.knows || !k.owned || !k.marks || !k.arrivals || !k.answers)
		abort();
	k.counts = __builtin_cpu_supports("popcnt");
	k.deposits = __builtin_cpu_supports("bmi2");
	k.table = c->at;
	k.other = (const void *const *const *)&n->code[!k.undone].at;
	k.ways = c->ways;
	k.slots = n->slots;
	bool ok = c->bytes && (uint64_t)p->layout.words * 8 < INT32_MAX;
	if (ok) {
		k.x = (struct x64){c->bytes, 0, (uint32_t)n->size, false};
		find_joins(&k);
		find_loops(&k);
		k.live = live_new(p);
		find_unwritten(&k);
		find_noted(&k);
		find_asked(&k);
		k.owned_acts = acts_have_actors(&k);
		make_frame(&k, c);
		make_answers(&k);
		if (!k.undone) { /* else each store is told the journal */
			make_marks(&k);
			make_owned(&k);
		}
		make_all(&k, c, n->begins);
		ok = !k.x.full && native_seal(c->bytes, n->size);
	}
	free(k.place);
	free(k.guarded);
	free(k.joins);
	free(k.unwritten);
	free(k.noted);
	free(k.asked);
	free(k.knows);
	free(k.owned);
	free(k.marks);
	free(k.arrivals);
	free(k.answers);
	live_free(k.live);
	VEC_FREE(k.lazy);
	VEC_FREE(k.facts);
	VEC_FREE(k.held);
	VEC_FREE(k.stubs);
	VEC_FREE(k.jumps);
	if (!ok)
		code_free(c, n->size);
	return ok;
}

struct native *native_make(struct vm *m)
{
	const struct program *p = m->p;
	struct native *n = calloc(1, sizeof *n);
	const size_t count = (size_t)p->code_count + 1;
	if (!n)
		abort();
	n->size = (count * CODE_MOST + (size_t)p->events * WAYS_MOST + CODE_SPARE + 4095) & ~(size_t)4095;
	n->begins = calloc(count, 1);
	n->slots = calloc((size_t)p->kepts * (size_t)p->events + 1, sizeof *n->slots);
	if (!n->begins || !n->slots)
		abort();
	find_slots(p, n->slots);
	if (make_code(m, n, &n->code[false]))
		return n;
	native_free(n);
	return NULL;
}

void native_free(struct native *n)
{
	if (!n)
		return;
	for (int c = 0; c < 2; c++)
		code_free(&n->code[c], n->size);
	free(n->begins);
	free(n->slots);
	free(n);
}

bool native_begins(const struct native *n, int32_t at)
{
	return n->begins[at];
}

static int32_t run(const struct code *c, struct vm *m, word *r, int32_t at, enum native_left *left)
{
	const uint64_t rolls = m->rolls;
	draws_of(&m->draws, (uint64_t)m->w[H_SEED], (uint64_t)m->w[H_TRIAL]);
	m->rolls = m->quiet || m->tries ? DRAWS_NEVER : m->draws.turn;
	const uint64_t end = c->enter(m, m->w, r, c->at[at]);
	m->rolls = rolls;
	*left = (enum native_left)(end >> 32);
	return (int32_t)(uint32_t)end;
}

/* The same where something is to be made first. */
__attribute__((noinline)) static int32_t make_and_run(struct native *n, struct vm *m, word *r, int32_t at, enum native_left *left)
{
	struct code *c = &n->code[m->journaling != 0];
	acts_look(m);
	if (!c->bytes && !n->none)
		n->none = !make_code(m, n, c);
	if (c->bytes)
		return run(c, m, r, at, left);
	*left = LEFT_HERE;
	return at;
}

int32_t native_run(struct native *n, struct vm *m, word *r, int32_t at, enum native_left *left)
{
	const struct code *c = &n->code[m->journaling != 0];
	if (!c->bytes || !m->acts.known)
		return make_and_run(n, m, r, at, left);
	return run(c, m, r, at, left);
}

#else /* another processor, or instructions are counted */

struct native *native_make(struct vm *m)
{
	(void)m;
	return NULL;
}

void native_free(struct native *n)
{
	(void)n;
}

bool native_begins(const struct native *n, int32_t at)
{
	(void)n;
	(void)at;
	return false;
}

int32_t native_run(struct native *n, struct vm *m, word *r, int32_t at, enum native_left *left)
{
	(void)n;
	(void)m;
	(void)r;
	*left = LEFT_HERE;
	return at;
}

#endif
