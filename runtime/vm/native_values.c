/* native_values.c - words of the world, numbers and the jumps on them, as processor code (native.h). */
#include "runtime/vm/native_maker.h"

typedef int native_values_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

/* ---- words of the world ---- */

/* An answer is being worked out: the word is noted for it. */
static void note_read_at(struct maker *k, uint32_t word_)
{
	if (!k->noted[k->fn])
		return;
	x64_fix_at(&k->x, false, FIX_CMP, OF_MACHINE(memo.depth), 0);
	come_back(k, stub(k, STUB_READ_AT, x64_jump_if(&k->x, IF_OTHER), word_));
}

void note_read(struct maker *k, uint32_t base)
{
	if (!k->noted[k->fn])
		return;
	x64_fix_at(&k->x, false, FIX_CMP, OF_MACHINE(memo.depth), 0);
	come_back(k, stub(k, STUB_READ, x64_jump_if(&k->x, IF_OTHER), base));
}

/* R[x] * stride, in rax or where R[x] is, unless there are not so many: then the stub puts NONE into rax instead of what
 * follows; `none` is it, to be told where to come back; -1: there are. */
static enum x64_reg index_of(struct maker *k, unsigned x, uint32_t count, uint32_t stride, int *none)
{
	const enum x64_reg thing = take_thing(k, x);
	*none = -1;
	if (!take_below(k, thing, x, count)) {
		x64_fix(&k->x, FIX_CMP, thing, (int32_t)count);
		*none = stub(k, STUB_UNSET, x64_jump_if(&k->x, IF_NOT_BELOW), 0);
	}
	k->cached = -1; /* what is read comes into rax */
	if (stride == 1)
		return thing;
	x64_times(&k->x, RAX, thing, (int32_t)stride);
	return RAX;
}

/* Of words so far from each other, all of which are short numbers; false: they are not. */
static bool range_of_words(const word *w, uint32_t stride, struct range who, struct range *r)
{
	*r = (struct range){INT32_MAX, INT32_MIN};
	for (int64_t i = who.least; i <= who.most; i++) {
		const word v = w[i * stride];
		if (v < INT32_MIN || v > INT32_MAX)
			return false;
		r->least = v < r->least ? v : r->least;
		r->most = v > r->most ? v : r->most;
	}
	return true;
}

bool make_load(struct maker *k, const struct insn *i)
{
	const struct reach *f = &k->m->reach[i->c];
	const bool fixed = k->p->field[i->c].fixed && k->p->field[i->c].kind != KIND_ACT;
	if (is_number(k, i->b)) {
		const word thing = known(k, i->b)->number;
		if ((uint64_t)thing >= f->count) {
			put_number(k, i->a, NONE);
			return true;
		}
		const uint32_t at = f->base + (uint32_t)thing * f->stride;
		if (!fixed)
			note_read_at(k, at);
		x64_do(&k->x, X_LOAD, RAX, HEADER(at));
		put(k, i->a, ANYTHING);
		return true;
	}
	int none;
	const enum x64_reg at = index_of(k, i->b, f->count, f->stride, &none);
	struct range who, r = {0, 0};
	const bool ranged = fixed && none < 0 && k->p->from_start && range_of(k, i->b, &who) && range_of_words(k->p->start + f->base, f->stride, who, &r);
	if (!fixed)
		note_read(k, f->base);
	x64_do(&k->x, X_LOAD, RAX, x64_in(WORLD, at, 3, (int64_t)f->base * 8));
	const bool somebody = f->actor && k->owned_acts && none < 0 && k->unsaved_for != k->at;
	if (somebody) { /* as whoever made it said */
		x64_fix(&k->x, FIX_CMP, RAX, k->m->acts.actors);
		leave_if(k, IF_NOT_BELOW);
		k->takes = true;
	}
	come_back(k, none);
	put(k, i->a, ANYTHING);
	if (ranged)
		learn_range(k, i->a, r);
	else if (somebody)
		learn_below(k, i->a, (uint32_t)k->m->acts.actors);
	return true;
}

/* A field of R[a] that is written: its word, rcx the thing's place behind the first unless that is known, and rsi the act whose actor it is; the head of what rests on it. */
struct spot { struct x64_at to, head; bool one; uint32_t nobody; };

/* Does the next instruction pend it, which is an act then? */
static bool is_pended_next(struct maker *k, const struct insn *i)
{
	return is_set(k, i->a) && k->at + 1 < k->p->fn[k->fn].end && i[1].op == OP_PEND && i[1].a == i->a;
}

static struct spot find_spot(struct maker *k, const struct insn *i, const struct reach *f)
{
	struct x64 *x = &k->x;
	struct spot s = {.one = is_number(k, i->a)};
	if (s.one) {
		const uint32_t at = f->base + (uint32_t)known(k, i->a)->number * f->stride;
		s.to = HEADER(at);
		s.head = x64_at(RDX, (int64_t)at * 4);
		return s;
	}
	enum x64_reg thing = RCX;
	if (k->beside == i->a && !k->asked[i->c] && !f->act && f->stride == 1)
		thing = BESIDE; /* nobody asks for rcx */
	else
		take(k, RCX, i->a);
	if (!(f->act && is_pended_next(k, i)) && !take_below(k, thing, i->a, f->count)) {
		x64_fix(x, FIX_CMP, thing, (int32_t)f->count);
		s.nobody = x64_jump_if(x, IF_NOT_BELOW);
	}
	if (f->actor)
		x64_regs(x, X_LOAD, RSI, RCX);
	if (f->stride != 1)
		x64_times(x, RCX, RCX, (int32_t)f->stride);
	s.to = x64_in(WORLD, thing, 3, (int64_t)f->base * 8);
	s.head = x64_in(RDX, RCX, 2, (int64_t)f->base * 4);
	return s;
}

/* Another word was written there: what rests on it is voided. */
static void void_spot(struct maker *k, const struct insn *i, const struct spot *s, const struct reach *f)
{
	struct x64 *x = &k->x;
	if (s->one && (k->owned[i->c] || k->marks[i->c]))
		x64_number(x, RCX, known(k, i->a)->number);
	if (k->marks[i->c])
		x64_call_near(x, k->marks[i->c]);
	if (k->owned[i->c]) {
		x64_call_near(x, k->owned[i->c]);
		return;
	}
	x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.head));
	x64_fix_at(x, false, FIX_CMP, s->head, k->marks[i->c] ? (int32_t)MEMO_QUIET : 0);
	come_back(k, stub(k, s->one ? STUB_WROTE_AT : STUB_WROTE, x64_jump_if(x, IF_OTHER), s->one ? (uint32_t)(s->to.bytes / 8) : f->base));
}

/* Conditions that look at the field wait to be asked, unless it was seen whether they do; who is nobody comes behind that. */
static void touch_field(struct maker *k, const struct insn *i, const struct spot *s, const struct reach *f)
{
	struct x64 *x = &k->x;
	const word touches = k->owned[i->c] ? 0 : f->touches;
	if (touches > 0 && touches <= INT32_MAX) {
		x64_fix_at(x, true, FIX_OR, HEADER(H_DIRTY), (int32_t)touches);
	} else if (touches) {
		x64_number(x, RAX, touches);
		x64_do(x, X_OR, RAX, HEADER(H_DIRTY));
		x64_do(x, X_STORE, RAX, HEADER(H_DIRTY));
	}
	if (s->nobody)
		x64_lead(x, s->nobody, x->n);
	if (touches || k->asked[i->c] || s->nobody || k->undone) /* else nobody came another way, and rax is what it was */
		k->cached = -1;
}

bool make_store(struct maker *k, const struct insn *i)
{
	const struct reach *f = &k->m->reach[i->c];
	struct x64 *x = &k->x;
	const bool fixed = is_small(k, i->b);
	const enum x64_reg value = is_unset(k, i->b) ? UNSET : RAX;
	if (!f->plain || (is_number(k, i->a) && (uint64_t)known(k, i->a)->number >= f->count))
		return false;
	if (f->act && is_number(k, i->a)) {
		call_apart(k, native_apart_of(OP_STF));
		return true;
	}
	struct detours a = {{0}, 0};
	detour_undone(k, &a);
	const struct spot s = find_spot(k, i, f);
	if (!k->asked[i->c]) { /* it is as good to write what stands there */
		if (fixed) {
			x64_put(x, s.to, (int32_t)known(k, i->b)->number);
		} else {
			if (value == RAX)
				take(k, RAX, i->b);
			x64_do(x, X_STORE, value, s.to);
		}
		touch_field(k, i, &s, f);
		detours_back(k, &a);
		return true;
	}
	if (fixed) {
		x64_fix_at(x, true, FIX_CMP, s.to, (int32_t)known(k, i->b)->number);
	} else {
		if (value == RAX)
			take(k, RAX, i->b);
		x64_do(x, X_CMP, value, s.to);
	}
	const uint32_t same = x64_jump_if(x, IF_SAME);
	if (f->act) { /* a pending one's place may be another */
		x64_fix_at(x, true, FIX_CMP, x64_in(WORLD, RCX, 3, (int64_t)(k->p->layout.acts + ACT_STATE) * 8), ACT_PENDING);
		detour(k, &a, IF_SAME);
	}
	if (fixed)
		x64_put(x, s.to, (int32_t)known(k, i->b)->number);
	else
		x64_do(x, X_STORE, value, s.to);
	if (f->actor)
		make_fresh(k, RSI, RCX);
	if (k->owned[i->c]) /* what waits already is to be asked, whatever is written */
		x64_lead(x, same, x->n);
	void_spot(k, i, &s, f);
	if (!k->owned[i->c])
		x64_lead(x, same, x->n);
	touch_field(k, i, &s, f);
	detours_back(k, &a);
	if (k->beyond_for == k->at)
		x64_lead(x, k->beyond, x->n);
	return true;
}

/* As add_field (apart.c) has it, of a whole number that is not an act's. */
bool make_add(struct maker *k, const struct insn *i)
{
	const struct reach *f = &k->m->reach[i->c];
	struct x64 *x = &k->x;
	struct detours a = {{0}, 0};
	const bool small = is_small(k, i->b);
	if (!f->plain || f->act || k->p->field[i->c].type.frac || is_unset(k, i->b) || (is_number(k, i->a) && (uint64_t)known(k, i->a)->number >= f->count)) {
		call_apart(k, native_apart_of(OP_ADF));
		return true;
	}
	detour_undone(k, &a);
	const struct spot s = find_spot(k, i, f);
	if (!small) {
		take(k, RAX, i->b);
		if (!is_set(k, i->b)) {
			x64_regs(x, X_CMP, RAX, UNSET);
			detour(k, &a, IF_SAME);
		}
		x64_regs(x, X_LOAD, RDX, RAX);
	}
	k->cached = -1;
	x64_do(x, X_LOAD, RAX, s.to);
	x64_regs(x, X_CMP, RAX, UNSET);
	detour(k, &a, IF_SAME);
	if (small)
		x64_fix(x, FIX_ADD, RAX, (int32_t)known(k, i->b)->number);
	else
		x64_regs(x, X_ADD, RAX, RDX);
	detour(k, &a, IF_OVERFLOW);
	x64_regs(x, X_CMP, RAX, UNSET);
	detour(k, &a, IF_SAME);
	if (k->asked[i->c]) {
		x64_do(x, X_CMP, RAX, s.to);
		const uint32_t same = x64_jump_if(x, IF_SAME);
		x64_do(x, X_STORE, RAX, s.to);
		if (k->owned[i->c]) /* what waits already is to be asked, whatever is written */
			x64_lead(x, same, x->n);
		void_spot(k, i, &s, f);
		if (!k->owned[i->c])
			x64_lead(x, same, x->n);
	} else {
		x64_do(x, X_STORE, RAX, s.to);
	}
	touch_field(k, i, &s, f);
	detours_back(k, &a);
	return true;
}

bool make_template(struct maker *k, const struct insn *i)
{
	const struct program *p = k->p;
	if (is_number(k, i->b)) {
		const word thing = known(k, i->b)->number;
		put_number(k, i->a, thing < 0 || thing >= p->things ? NONE : p->thing_words[thing * p->thing_fields + i->c]);
		return true;
	}
	int none;
	const enum x64_reg at = index_of(k, i->b, (uint32_t)p->things, (uint32_t)p->thing_fields, &none);
	struct range which, r = {0, 0};
	const bool ranged = none < 0 && range_of(k, i->b, &which) && range_of_words(p->thing_words + i->c, (uint32_t)p->thing_fields, which, &r);
	x64_number(&k->x, RCX, (int64_t)(intptr_t)(p->thing_words + i->c));
	x64_do(&k->x, X_LOAD, RAX, x64_in(RCX, at, 3, 0));
	come_back(k, none);
	put(k, i->a, ANYTHING);
	if (ranged)
		learn_range(k, i->a, r);
	return true;
}

/* A word of an act's row. */
bool make_act_word(struct maker *k, const struct insn *i, uint32_t word_)
{
	const struct layout *l = &k->p->layout;
	int none;
	const enum x64_reg at = index_of(k, i->b, l->act_count + 1, l->act_stride, &none);
	note_read(k, l->acts + word_);
	x64_do(&k->x, X_LOAD, RAX, x64_in(WORLD, at, 3, (int64_t)(l->acts + word_) * 8));
	come_back(k, none);
	put(k, i->a, ANYTHING);
	return true;
}

bool make_header(struct maker *k, const struct insn *i, uint32_t word_, bool noted)
{
	if (noted)
		note_read_at(k, word_);
	x64_do(&k->x, X_LOAD, RAX, HEADER(word_));
	put(k, i->a, ANYTHING);
	return true;
}

/* ---- numbers ---- */

/* What a sum, a difference or a product is at least and at most; false: it may be too great, or who knows. */
static bool range_of_sum(struct maker *k, const struct insn *i, enum x64_op op, struct range *r)
{
	struct range b = {0, 0}, c = {0, 0};
	if (!range_of(k, i->b, &b) || !range_of(k, i->c, &c))
		return false;
	if (op == X_ADD) {
		*r = (struct range){b.least + c.least, b.most + c.most};
	} else if (op == X_SUB) {
		*r = (struct range){b.least - c.most, b.most - c.least};
	} else {
		*r = (struct range){INT64_MAX, INT64_MIN};
		for (int corner = 0; corner < 4; corner++) {
			const int64_t v = (corner & 1 ? b.most : b.least) * (corner & 2 ? c.most : c.least);
			r->least = v < r->least ? v : r->least;
			r->most = v > r->most ? v : r->most;
		}
	}
	return r->least >= INT32_MIN && r->most <= INT32_MAX;
}

static bool is_no_less_than_0(struct maker *k, unsigned x)
{
	struct range r;
	return range_of(k, x, &r) && r.least >= 0;
}

bool make_sum(struct maker *k, const struct insn *at, enum x64_op op)
{
	struct x64 *x = &k->x;
	struct insn turned = *at;
	const struct insn *i = &turned;
	if (op != X_SUB && is_small(k, at->b) && !is_small(k, at->c)) { /* numbers come last */
		turned.b = at->c;
		turned.c = at->b;
	} else if (op != X_SUB && k->cached == at->c && !is_number(k, at->b) && !is_small(k, at->c)) { /* and what is at hand first */
		turned.b = at->c;
		turned.c = at->b;
	}
	int unset[2], n = 0;
	struct range r = {0, 0};
	if (is_unset(k, i->b) || is_unset(k, i->c)) {
		put_number(k, i->a, NONE);
		return true;
	}
	const bool sure = range_of_sum(k, i, op, &r), more = op == X_ADD && (is_no_less_than_0(k, i->b) || is_no_less_than_0(k, i->c));
	take(k, RAX, i->b);
	if (!is_set(k, i->b)) {
		x64_regs(x, X_CMP, RAX, UNSET);
		unset[n++] = stub(k, STUB_UNSET, x64_jump_if(x, IF_SAME), 0);
	}
	if (!is_set(k, i->c) && i->c != i->b) {
		take(k, RCX, i->c);
		x64_regs(x, X_CMP, RCX, UNSET);
		unset[n++] = stub(k, STUB_UNSET, x64_jump_if(x, IF_SAME), 0);
		x64_regs(x, op, RAX, RCX);
	} else if (is_small(k, i->c) && op != X_IMUL) {
		x64_fix(x, op == X_ADD ? FIX_ADD : FIX_SUB, RAX, (int32_t)known(k, i->c)->number);
	} else if (is_small(k, i->c)) {
		x64_times(x, RAX, RAX, (int32_t)known(k, i->c)->number);
	} else {
		x64_do(x, op, RAX, reg(i->c));
	}
	k->cached = -1;
	if (!sure)
		leave_if(k, IF_OVERFLOW);
	/* what something was added to is above the least of all */
	if (!sure && !more && !(op == X_SUB && is_small(k, i->c) && known(k, i->c)->number <= 0)) {
		x64_regs(x, X_CMP, RAX, UNSET);
		leave_if(k, IF_SAME);
	}
	for (int u = 0; u < n; u++)
		come_back(k, unset[u]);
	put(k, i->a, n ? ANYTHING : SET);
	if (sure)
		learn_range(k, i->a, r);
	return true;
}

bool make_most(struct maker *k, const struct insn *i)
{
	const bool sure = is_set(k, i->b) || is_set(k, i->c); /* NONE is the least of all */
	struct range b = {0, 0}, c = {0, 0};
	const bool ranged = range_of(k, i->b, &b) && range_of(k, i->c, &c);
	take(k, RCX, i->c);
	take(k, RAX, i->b);
	x64_regs(&k->x, X_CMP, RAX, RCX);
	x64_regs(&k->x, X_LESS, RAX, RCX);
	put(k, i->a, sure ? SET : ANYTHING);
	if (ranged)
		learn_range(k, i->a, (struct range){b.least > c.least ? b.least : c.least, b.most > c.most ? b.most : c.most});
	return true;
}

bool make_least(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const bool sure = is_set(k, i->b) && is_set(k, i->c);
	struct range b = {0, 0}, c = {0, 0};
	const bool ranged = range_of(k, i->b, &b) && range_of(k, i->c, &c);
	uint32_t over[2] = {0}, other = 0;
	take(k, RCX, i->c);
	take(k, RAX, i->b);
	k->cached = -1;
	if (!sure) { /* an unset one loses */
		x64_regs(x, X_CMP, RCX, UNSET);
		over[0] = x64_jump_if(x, IF_SAME);
		x64_regs(x, X_CMP, RAX, UNSET);
		other = x64_jump_if(x, IF_SAME);
	}
	x64_regs(x, X_CMP, RAX, RCX);
	over[1] = x64_jump_if(x, IF_NOT_MORE);
	if (!sure)
		x64_lead(x, other, x->n);
	x64_regs(x, X_LOAD, RAX, RCX);
	for (int o = sure; o < 2; o++)
		x64_lead(x, over[o], x->n);
	put(k, i->a, sure ? SET : ANYTHING);
	if (ranged)
		learn_range(k, i->a, (struct range){b.least < c.least ? b.least : c.least, b.most < c.most ? b.most : c.most});
	return true;
}

bool make_not(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	take(k, RAX, i->b);
	k->cached = -1;
	if (known(k, i->b)->as == YES_NO) {
		x64_bytes(x, 0x01f083, 3); /* xor eax, 1 */
	} else {
		x64_number(x, RCX, 0);
		x64_number(x, RDX, 0);
		x64_regs(x, X_TEST, RAX, RAX);
		x64_set(x, IF_SAME, RCX);
		x64_regs(x, X_CMP, RAX, UNSET);
		x64_set(x, IF_SAME, RDX);
		x64_regs(x, X_OR, RCX, RDX);
		x64_regs(x, X_LOAD, RAX, RCX);
	}
	put(k, i->a, YES_NO);
	return true;
}

/* The flags say how R[b] and R[c] compare; returns a jump taken if an unset R[b] settles it, or 0. `set`: that needs no look. */
static uint32_t compare(struct maker *k, const struct insn *i, bool set)
{
	struct x64 *x = &k->x;
	uint32_t unset = 0;
	if (k->cached == i->c && i->b != i->c && !is_number(k, i->b)) { /* the second is at hand */
		if (!set) {
			x64_do(x, X_CMP_AT, UNSET, reg(i->b));
			unset = x64_jump_if(x, IF_SAME);
		}
		x64_do(x, X_CMP_AT, RAX, reg(i->b));
		return unset;
	}
	if (k->cached != i->b && !is_number(k, i->b) && (is_unset(k, i->c) || is_small(k, i->c)) && set) {
		if (is_unset(k, i->c))
			x64_do(x, X_CMP_AT, UNSET, reg(i->b));
		else
			x64_fix_at(x, true, FIX_CMP, reg(i->b), (int32_t)known(k, i->c)->number);
		return 0;
	}
	take(k, RAX, i->b);
	/* NONE is less than every number: an unset R[c] is no more than R[b], and the same only if that is unset, too */
	if (!set) {
		x64_regs(x, X_CMP, RAX, UNSET);
		unset = x64_jump_if(x, IF_SAME);
	}
	if (is_unset(k, i->c))
		x64_regs(x, X_CMP, RAX, UNSET);
	else if (is_small(k, i->c))
		x64_fix(x, FIX_CMP, RAX, (int32_t)known(k, i->c)->number);
	else
		x64_do(x, X_CMP, RAX, reg(i->c));
	return unset;
}

static enum x64_if holds(enum op op)
{
	return op == OP_LT ? IF_LESS : op == OP_LE ? IF_NOT_MORE : IF_SAME;
}

/* A comparison; with the jump on its answer, if that follows: returns how many instructions were done. */
int make_compare(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const enum x64_if so = holds((enum op)i->op);
	if ((is_unset(k, i->b) || is_unset(k, i->c)) && i->op != OP_SAME) {
		put_number(k, i->a, 0);
		return 1;
	}
	/* of two that are the same it is mostly not asked whether they are unset */
	const bool set = i->op == OP_SAME || is_set(k, i->b) || (i->op == OP_EQ && is_set(k, i->c)), later = i->op == OP_EQ && !set;
	const bool when = leads_to(k, i, OP_JNZ);
	if (!when && !leads_to(k, i, OP_JZ)) {
		x64_number(x, RCX, 0);
		const uint32_t unset = compare(k, i, set);
		x64_set(x, so, RCX);
		if (unset)
			x64_lead(x, unset, x->n);
		x64_regs(x, X_LOAD, RAX, RCX);
		put(k, i->a, YES_NO);
		return 1;
	}
	const int32_t to = goal(k, &i[1]);
	const uint32_t unset = compare(k, i, set || later);
	k->cached = -1;
	if (when) {
		const uint32_t not = later ? x64_jump_if(x, IF_OTHER) : 0;
		if (later)
			x64_regs(x, X_CMP, RAX, UNSET);
		put_and_go(k, x64_jump_if(x, later ? IF_OTHER : so), i->a, 1, true, to);
		if (unset)
			x64_lead(x, unset, x->n);
		if (later)
			x64_lead(x, not, x->n);
	} else {
		put_and_go(k, x64_jump_if(x, (enum x64_if)(so ^ 1)), i->a, 1, false, to);
		if (later)
			x64_regs(x, X_CMP, RAX, UNSET);
		if (unset || later)
			put_and_go(k, later ? x64_jump_if(x, IF_SAME) : unset, i->a, 1, false, to);
	}
	put_number(k, i->a, !when);
	return 2;
}

/* ---- jumps ---- */

bool make_jump_if(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const int32_t to = goal(k, i);
	const bool on_none = i->op == OP_JNONE || i->op == OP_JSOME;
	if (is_number(k, i->a)) {
		const word v = known(k, i->a)->number;
		const bool jumps = i->op == OP_JZ ? v == 0 || v == NONE : i->op == OP_JNZ ? v != 0 && v != NONE : i->op == OP_JNONE ? v == NONE : v != NONE;
		if (jumps)
			go_to(k, to);
		return true;
	}
	if (on_none && is_set(k, i->a)) {
		if (i->op == OP_JSOME)
			go_to(k, to);
		return true;
	}
	if (on_none) {
		if (k->cached == i->a)
			x64_regs(x, X_CMP, RAX, UNSET);
		else
			x64_do(x, X_CMP, UNSET, reg(i->a));
		if (i->op == OP_JNONE) {
			go_knowing(k, IF_SAME, to, i->a, NUMBER, NONE);
			known(k, i->a)->as = SET;
		} else {
			go_knowing(k, IF_OTHER, to, i->a, SET, 0);
		}
		return true;
	}
	if (k->cached == i->a)
		x64_regs(x, X_TEST, RAX, SOME);
	else
		x64_do(x, X_TEST, SOME, reg(i->a));
	if (i->op == OP_JZ)
		go_if(k, IF_SAME, to);
	else
		go_knowing(k, IF_OTHER, to, i->a, SET, 0);
	if (i->op == OP_JZ && !is_set(k, i->a))
		known(k, i->a)->as = SET;
	return true;
}

bool make_loop(struct maker *k, const struct insn *i)
{
	if (quick_of(k->p, k->at) == QUICK_TURN) {
		go_to(k, goal(k, i));
		return true;
	}
	settle(k, k->at);
	/* now and then the loop does it, which asks the host and looks at the journal */
	x64_fix_at(&k->x, false, FIX_SUB, OF_MACHINE(turns), 1);
	leave_if(k, IF_SIGN);
	fuel(k, 4);
	go_to(k, goal(k, i));
	return true;
}

#endif
