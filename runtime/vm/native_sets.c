/* native_sets.c - sets and the members of kinds, as processor code (native.h). */
#include "runtime/vm/native_maker.h"

typedef int native_sets_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

enum { SETS_INLINE = 4 };

/* The words of a set are read from where they stand. */
static void settle_set(struct maker *k, unsigned set)
{
	for (unsigned x = set; x < set + (unsigned)k->p->set_words; x++)
		if (known(k, x)->lazy) {
			write_down(k, x, known(k, x)->number);
			known(k, x)->lazy = false;
		}
}

static bool is_of(unsigned x, unsigned set, int words)
{
	return x >= set && x < set + (unsigned)words;
}

/* ---- one after another ---- */

int put_next(struct maker *k, const struct insn *i, const uint32_t *ends, int n, uint32_t below)
{
	const bool leads = leads_to(k, i, OP_JNONE);
	if (leads) {
		for (int e = 0; e < n; e++)
			put_and_go(k, ends[e], i->a, 1, NONE, goal(k, &i[1]));
	} else {
		for (int e = 0; e < n; e++)
			come_back(k, stub(k, STUB_UNSET, ends[e], 0));
	}
	if (leads)
		k->behind++;
	put(k, i->a, leads ? SET : ANYTHING);
	if (leads && below)
		learn_below(k, i->a, below);
	return leads ? 2 : 1;
}

int make_next_kind(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const uint32_t count = k->p->layout.kind[i->k].count;
	if (quick_of(k->p, k->at) == QUICK_STORE_ALL) {
		settle(k, k->at);
		take(k, RAX, i->a);
		x64_fix(x, FIX_CMP, RAX, -1); /* where it begins */
		const uint32_t within = x64_jump_if(x, IF_OTHER);
		call_apart(k, native_store_all(k->asked[i[3].c]));
		learn(k, i->a, ANYTHING, 0);
		learn(k, i[2].a, ANYTHING, 0);
		x64_lead(x, within, x->n);
	}
	take(k, RAX, i->a);
	x64_fix(x, FIX_ADD, RAX, 1);
	x64_fix(x, FIX_CMP, RAX, (int32_t)count);
	const uint32_t end = x64_jump_if(x, IF_NOT_BELOW);
	return put_next(k, i, &end, 1, count);
}

/* As set_next (inside.h) has it. */
int make_next(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const int words = k->p->set_words;
	uint32_t ends[2];
	if (quick_of(k->p, k->at) == QUICK_FILL) {
		take(k, RCX, i->a);
		x64_fix(x, FIX_CMP, RCX, -1); /* where it begins */
		const uint32_t within = x64_jump_if(x, IF_OTHER);
		x64_number(x, RAX, 4 * 64 * (int64_t)words);
		x64_do(x, X_CMP, RAX, OF_MACHINE(fuel));
		leave_if(k, IF_ABOVE);
		call_apart(k, native_fill());
		learn(k, i->a, ANYTHING, 0);
		x64_lead(x, within, x->n);
	}
	take(k, RCX, i->a);
	x64_fix(x, FIX_ADD, RCX, 1);
	x64_fix(x, FIX_CMP, RCX, 64 * words);
	ends[0] = x64_jump_if(x, IF_NOT_BELOW);
	k->cached = -1;
	if (words == 1) {
		x64_do(x, X_LOAD, RAX, reg(i->b));
		x64_shift_cl(x, false, RAX);
		x64_regs(x, X_BITS, RAX, RAX);
		ends[1] = x64_jump_if(x, IF_SAME);
		x64_regs(x, X_ADD, RAX, RCX);
		return put_next(k, i, ends, 2, 64);
	}
	x64_regs(x, X_LOAD, RDX, RCX);
	x64_shift(x, false, RDX, 6);
	x64_do(x, X_LOAD, RAX, x64_in(FRAME, RDX, 3, 8 * (int64_t)i->b));
	x64_shift_cl(x, false, RAX); /* of cl it takes what is below 64 */
	x64_regs(x, X_BITS, RAX, RAX);
	const uint32_t later = x64_jump_if(x, IF_SAME);
	x64_regs(x, X_ADD, RAX, RCX);
	const uint32_t found = x64_jump(x);
	x64_lead(x, later, x->n); /* the words behind it */
	const uint32_t next = x->n;
	x64_fix(x, FIX_ADD, RDX, 1);
	x64_fix(x, FIX_CMP, RDX, words);
	ends[1] = x64_jump_if(x, IF_NOT_BELOW);
	x64_do(x, X_LOAD, RAX, x64_in(FRAME, RDX, 3, 8 * (int64_t)i->b));
	x64_regs(x, X_BITS, RAX, RAX);
	x64_lead(x, x64_jump_if(x, IF_SAME), next);
	x64_shift(x, true, RDX, 6);
	x64_regs(x, X_ADD, RAX, RDX);
	x64_lead(x, found, x->n);
	return put_next(k, i, ends, 2, 64 * (uint32_t)words);
}

void look_if_none(struct maker *k, const struct insn *load)
{
	struct x64 *x = &k->x;
	const struct insn *next = load + 1, *leave = load + 2;
	const int n = k->p->set_words;
	if (k->at + 2 >= k->p->fn[k->fn].end || load->k != -1 || next->op != OP_SNEXT || next->a != load->a || n > SETS_INLINE)
		return;
	if (leave->op != OP_JNONE || leave->a != next->a || (k->joins[k->at + 2] & JOIN_JUMP) || (load->a >= next->b && load->a < next->b + n))
		return;
	x64_do(x, X_LOAD, RAX, reg(next->b));
	for (int w = 1; w < n; w++)
		x64_do(x, X_OR, RAX, reg(next->b + (unsigned)w));
	if (n == 1)
		x64_regs(x, X_TEST, RAX, RAX);
	k->cached = -1;
	put_and_go(k, x64_jump_if(x, IF_SAME), load->a, 1, NONE, k->at + 3 + leave->k);
}

/* Does a walk begin that only asks whether there is anybody who says yes, and not who? The question, of which it is known
 * in the code itself who is so; else NULL. */
static const struct memo_fn *asks_for_any(const struct maker *k, const struct insn *load)
{
	const struct insn *next = load + 1, *ask = load + 4, *yes = load + 5, *again = load + 6;
	if (k->at + 6 >= k->p->fn[k->fn].end || load->k != -1 || next->op != OP_SNEXT || next->a != load->a || load[2].op != OP_JNONE || load[2].a != load->a)
		return NULL;
	if (load[3].op != OP_MOVE || load[3].b != load->a || ask->op != OP_CALL || ask->a + 2 != load[3].a || yes->op != OP_JNZ || yes->a != ask->a)
		return NULL;
	const int32_t to = goal(k, yes);
	if (again->op != OP_LOOP || again->k != -6 || to <= k->at + 6 || is_live(k, to, load->a) || is_live(k, to, ask->a) || !memo_is_own(&k->m->memo, ask->k))
		return NULL;
	return &k->m->memo.fn.v[k->m->memo.of[ask->k]];
}

/* Nobody is known to say yes. If of nobody it is unknown, the walk is over: what is being worked out rests on the answers of all. rsi: the first
 * word of those that are unknown. */
static void leave_if_nobody(struct maker *k, const struct insn *load, const struct memo_fn *f)
{
	struct x64 *x = &k->x;
	const unsigned set = load[1].b;
	const int32_t to = k->at + 3 + load[2].k;
	if (is_live(k, to, load[3].a) || is_live(k, to, load[4].a))
		return;
	for (int w = 0; w < k->p->set_words; w++) {
		x64_do(x, X_LOAD, w ? RDX : RAX, reg(set + (unsigned)w));
		x64_do(x, X_AND, w ? RDX : RAX, x64_at(RSI, 8 * w));
		if (w)
			x64_regs(x, X_OR, RAX, RDX);
	}
	const uint32_t some = x64_jump_if(x, IF_OTHER);
	if (k->noted[k->fn]) {
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(memo.depth), 0);
		const uint32_t free = x64_jump_if(x, IF_SAME);
		x64_regs(x, X_LOAD, RDI, MACHINE);
		x64_number(x, RSI, memo_all(f));
		x64_call(x, (uintptr_t)native_rests);
		x64_lead(x, free, x->n);
	}
	k->cached = -1;
	put_and_go(k, x64_jump(x), load->a, 1, NONE, to);
	x64_lead(x, some, x->n);
}

void begin_with_yes(struct maker *k, const struct insn *load)
{
	struct x64 *x = &k->x;
	const unsigned set = load[1].b;
	const int n = k->p->set_words;
	const struct memo_fn *f = n > SETS_INLINE ? NULL : asks_for_any(k, load);
	uint32_t found[SETS_INLINE];
	if (!f || is_of(load->a, set, n))
		return;
	settle_set(k, set);
	x64_number(x, RDI, (int64_t)(intptr_t)(k->m->memo.so + f->bits));
	x64_number(x, RSI, (int64_t)(intptr_t)(k->m->memo.stale + f->bits));
	for (int w = 0; w < n; w++) {
		x64_number(x, RCX, 64 * (int64_t)w - 1); /* behind whom the walk begins, if he is the first of the word */
		x64_do(x, X_LOAD, RAX, reg(set + (unsigned)w));
		x64_do(x, X_AND, RAX, x64_at(RDI, 8 * w));
		x64_do(x, X_LOAD, RDX, x64_at(RSI, 8 * w));
		x64_regs(x, X_AND, RDX, RAX);
		x64_regs(x, X_XOR, RAX, RDX); /* of those of whom it is known */
		found[w] = x64_jump_if(x, IF_OTHER);
	}
	leave_if_nobody(k, load, f);
	x64_number(x, RAX, -1);
	const uint32_t nobody = x64_jump(x);
	for (int w = 0; w < n; w++)
		x64_lead(x, found[w], x->n);
	x64_regs(x, X_BITS, RAX, RAX);
	x64_regs(x, X_ADD, RAX, RCX);
	x64_lead(x, nobody, x->n);
	k->cached = -1;
	x64_do(x, X_STORE, RAX, reg(load->a));
	learn(k, load->a, SET, 0);
}

/* ---- members ---- */

bool make_add_member(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const int n = k->p->set_words;
	take(k, RAX, i->b);
	x64_fix(x, FIX_CMP, RAX, n * 64);
	const uint32_t no = x64_jump_if(x, IF_NOT_BELOW);
	if (n == 1) {
		x64_do(x, X_LOAD, RDX, reg(i->a));
		x64_bit(x, X_BIT_ON, RDX, RAX);
		x64_do(x, X_STORE, RDX, reg(i->a));
	} else {
		x64_do(x, X_BIT_ON, RAX, reg(i->a));
	}
	x64_lead(x, no, x->n);
	learn_words(k, i->a, n);
	return true;
}

/* Is a copy made only to be sifted, by a question of which it is known in the code itself who is so? */
static bool copies_to_sift(const struct maker *k, const struct insn *i)
{
	if (i->op != OP_SMOVE || i[1].op != OP_SKNOWN || i[1].b != i->a || k->joins[k->at + 1] || k->noted[k->fn] || !memo_is_own(&k->m->memo, i[2].k))
		return false;
	for (int w = 0; w < k->p->set_words; w++)
		if (is_live(k, k->at + 2, i->a + (unsigned)w) && !is_of(i->a + (unsigned)w, i[1].a, k->p->set_words) && !is_of(i->a + (unsigned)w, i[1].c, k->p->set_words))
			return false;
	return true;
}

int make_sets(struct maker *k, const struct insn *i)
{
	const int n = k->p->set_words;
	if (n > SETS_INLINE || (i->op == OP_SMOVE && i->a > i->b && i->a < i->b + n))
		return 0;
	if (copies_to_sift(k, i)) {
		make_sift(k, &i[1], i->b);
		return 2;
	}
	if (i->op == OP_SMOVE)
		settle_set(k, i->b);
	for (int w = 0; w < n; w++) {
		const unsigned to = i->a + (unsigned)w;
		if (i->op == OP_SNONE) {
			x64_put(&k->x, reg(to), 0);
		} else {
			x64_do(&k->x, X_LOAD, RDX, reg(i->b + (unsigned)w));
			x64_do(&k->x, X_STORE, RDX, reg(to));
		}
		learn(k, to, ANYTHING, 0);
	}
	return 1;
}

bool make_has(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const int n = k->p->set_words;
	take(k, RAX, i->c);
	x64_number(x, RCX, 0);
	x64_fix(x, FIX_CMP, RAX, n * 64);
	const uint32_t no = x64_jump_if(x, IF_NOT_BELOW);
	x64_regs(x, X_LOAD, RDX, RAX);
	x64_shift(x, false, RDX, 6);
	x64_do(x, X_LOAD, RDX, x64_in(FRAME, RDX, 3, 8 * (int64_t)i->b));
	x64_has_bit(x, RDX, RAX);
	x64_set(x, IF_BELOW, RCX);
	x64_lead(x, no, x->n);
	x64_regs(x, X_LOAD, RAX, RCX);
	put(k, i->a, YES_NO);
	return true;
}

bool make_count(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const int n = k->p->set_words;
	if (n > SETS_INLINE || !k->counts) {
		call_apart(k, native_apart_of(OP_SCOUNT));
		learn(k, i->a, SET, 0);
		return true;
	}
	settle_set(k, i->b);
	x64_count_at(x, RAX, reg(i->b));
	for (int w = 1; w < n; w++) {
		x64_count_at(x, RCX, reg(i->b + (unsigned)w));
		x64_regs(x, X_ADD, RAX, RCX);
	}
	put(k, i->a, SET);
	learn_below(k, i->a, (uint32_t)n * 64 + 1);
	return true;
}

/* A set of whom all are known is sifted at once, and those for whom nothing is known are not gone through. */
static void make_known(struct maker *k, const struct insn *i, unsigned from, int64_t bits)
{
	static const enum x64_reg word_of[SETS_INLINE] = {RAX, RDX, R8, R9};
	struct x64 *x = &k->x;
	const struct insn *load = i + 2, *next = i + 3, *leave = i + 4;
	const int n = k->p->set_words;
	const int32_t at = (int32_t)(i - k->p->code);
	if (at + 4 >= k->p->fn[k->fn].end || load->op != OP_LOADI || load->k != -1 || next->op != OP_SNEXT || next->a != load->a || next->b != i->c || leave->op != OP_JNONE || leave->a != load->a)
		return;
	if (k->joins[at + 2] || (k->joins[at + 4] & JOIN_JUMP) || is_of(load->a, i->a, n) || is_of(load->a, i->c, n))
		return;
	for (int w = 0; w < n; w++)
		if (is_live(k, at + 5 + leave->k, i->c + (unsigned)w)) /* it is not written */
			return;
	const bool at_hand = k->pair_for == k->at && k->pair == (int)from && n == 2 && memo_is_own(&k->m->memo, i[1].k); /* (native_calls.c: make_lasting) */
	x64_number(x, RDI, (int64_t)(intptr_t)k->m->memo.stale + bits);
	for (int w = 0; w < n; w++) {
		const enum x64_reg unknown = w == 0 ? RCX : RSI;
		if (!at_hand)
			x64_do(x, X_LOAD, word_of[w], reg(from + (unsigned)w));
		x64_do(x, X_LOAD, unknown, x64_at(RDI, 8 * w));
		x64_regs(x, X_AND, unknown, word_of[w]);
		if (w > 0)
			x64_regs(x, X_OR, RCX, RSI);
	}
	const uint32_t some = x64_jump_if(x, IF_OTHER);
	x64_number(x, RDI, (int64_t)(intptr_t)k->m->memo.so + bits);
	for (int w = 0; w < n; w++) {
		x64_do(x, X_AND, word_of[w], x64_at(RDI, 8 * w));
		x64_do(x, X_STORE, word_of[w], reg(i->a + (unsigned)w));
	}
	k->cached = -1;
	put_and_go(k, x64_jump(x), load->a, 1, NONE, at + 5 + leave->k);
	x64_lead(x, some, x->n);
}

void make_sift(struct maker *k, const struct insn *i, unsigned from)
{
	struct x64 *x = &k->x;
	const int n = k->p->set_words;
	const int32_t fn = i[1].k, of = k->m->memo.of[fn];
	int apart[2], n_apart = 0;
	if (n > SETS_INLINE || of < 0) {
		call_apart(k, native_apart_of(OP_SKNOWN));
		learn_words(k, i->a, n);
		learn_words(k, i->c, n);
		return;
	}
	const int64_t bits = (int64_t)k->m->memo.fn.v[of].bits * 8;
	settle_set(k, from);
	if (!memo_is_own(&k->m->memo, fn)) { /* of those answers are always kept */
		x64_do(x, X_LOAD, RAX, OF_MACHINE(memo.of));
		x64_fix_at(x, false, FIX_CMP, x64_at(RAX, (int64_t)fn * 4), of);
		apart[n_apart++] = stub(k, STUB_APART, x64_jump_if(x, IF_OTHER), 0);
	}
	if (k->noted[k->fn]) {
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(memo.depth), 0);
		apart[n_apart++] = stub(k, STUB_APART, x64_jump_if(x, IF_OTHER), 0);
	}
	learn_words(k, i->a, n);
	learn_words(k, i->c, n);
	make_known(k, i, from, bits);
	x64_do(x, X_LOAD, RSI, OF_MACHINE(memo.stale));
	x64_do(x, X_LOAD, RDI, OF_MACHINE(memo.so));
	k->cached = -1;
	for (int w = 0; w < n; w++) {
		x64_do(x, X_LOAD, RAX, reg(from + (unsigned)w));
		x64_do(x, X_LOAD, RCX, x64_at(RSI, bits + 8 * w));
		x64_do(x, X_LOAD, RDX, x64_at(RDI, bits + 8 * w));
		x64_regs(x, X_AND, RCX, RAX);
		x64_do(x, X_STORE, RCX, reg(i->c + (unsigned)w));
		x64_regs(x, X_XOR, RAX, RCX); /* of the set, and known */
		x64_regs(x, X_AND, RDX, RAX);
		x64_do(x, X_STORE, RDX, reg(i->a + (unsigned)w));
	}
	for (int s = 0; s < n_apart; s++)
		come_back(k, apart[s]);
}

/* As set_nth (inside.h) has it. */
int make_nth(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const int n = k->p->set_words;
	uint32_t ends[2], here[SETS_INLINE];
	if (n > SETS_INLINE || !k->counts) {
		call_apart(k, native_apart_of(OP_SNTH));
		learn(k, i->a, ANYTHING, 0);
		return 1;
	}
	settle_set(k, i->b);
	take(k, RCX, i->c);
	x64_fix(x, FIX_CMP, RCX, 0);
	ends[0] = x64_jump_if(x, IF_NOT_MORE);
	k->cached = -1;
	for (int w = 0; w < n; w++) { /* in which word, and the how many-eth there */
		x64_do(x, X_LOAD, RAX, reg(i->b + (unsigned)w));
		x64_number(x, RSI, 64 * (int64_t)w);
		x64_count(x, RDX, RAX);
		x64_regs(x, X_CMP, RCX, RDX);
		here[w] = x64_jump_if(x, IF_NOT_MORE);
		x64_regs(x, X_SUB, RCX, RDX);
	}
	ends[1] = x64_jump(x);
	for (int w = 0; w < n; w++)
		x64_lead(x, here[w], x->n);
	x64_fix(x, FIX_SUB, RCX, 1);
	if (k->deposits) { /* a bit laid where the set's bit of that number is */
		x64_number(x, RDX, 0);
		x64_bit(x, X_BIT_ON, RDX, RCX);
		x64_deposit(x, RAX, RDX, RAX);
		x64_regs(x, X_BITS, RAX, RAX);
		x64_regs(x, X_ADD, RAX, RSI);
		return put_next(k, i, ends, 2, 64 * (uint32_t)n);
	}
	const uint32_t first = x64_jump_if(x, IF_SAME);
	const uint32_t next = x->n;
	x64_do(x, X_LEA, RDX, x64_at(RAX, -1)); /* the lowest is taken away */
	x64_regs(x, X_AND, RAX, RDX);
	x64_fix(x, FIX_SUB, RCX, 1);
	x64_lead(x, x64_jump_if(x, IF_OTHER), next);
	x64_lead(x, first, x->n);
	x64_regs(x, X_BITS, RAX, RAX);
	x64_regs(x, X_ADD, RAX, RSI);
	return put_next(k, i, ends, 2, 64 * (uint32_t)n);
}

#endif
