/* native_calls.c - calls and returns, answers looked up, as processor code (native.h). */
#include "runtime/vm/native_maker.h"

typedef int native_calls_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

enum { RESULTS_INLINE = 4, ENTRY_SHIFT = 6 };
_Static_assert(sizeof(struct memo_entry) == 1 << ENTRY_SHIFT, "entries are found by a shift");

/* ---- calls ---- */

void find_entry(struct maker *k, int32_t of, uint32_t *other)
{
	struct x64 *x = &k->x;
	x64_number(x, RCX, (int64_t)(intptr_t)&k->m->memo.fn.v[of]);
	x64_do32(x, X_LOAD, RSI, x64_at(RCX, offsetof(struct memo_fn, mask)));
	x64_regs(x, X_AND, RSI, RAX);
	x64_regs(x, X_LOAD, RDX, RSI);
	x64_shift(x, true, RDX, ENTRY_SHIFT);
	x64_do(x, X_ADD, RDX, x64_at(RCX, offsetof(struct memo_fn, table)));
	x64_do(x, X_CMP, RAX, x64_at(RDX, offsetof(struct memo_entry, argument)));
	other[0] = x64_jump_if(x, IF_OTHER);
	compare_byte(x, x64_at(RDX, offsetof(struct memo_entry, valid)));
	other[1] = x64_jump_if(x, IF_SAME);
	x64_fix_at(x, false, FIX_ADD, x64_at(RCX, offsetof(struct memo_fn, found)), 1);
}

/* Is what is asked a number, of which it is known where its answer stands? */
static bool asks_at_once(struct maker *k, const struct insn *i)
{
	const struct memo_fn *f = &k->m->memo.fn.v[k->m->memo.of[i->k]];
	return !k->answers[i->k].count && is_number(k, i->a + 2u) && is_below(k, i->a + 2u, (uint32_t)k->m->memo.at_once) && f->at_once && !f->own;
}

/* rax: the answer for the argument in rax, if it is one of few and the answer kept; else a stub looks it up. With `says` the
 * flags say whether it is yes instead. With `later` it has still to be seen whether it is kept: nobody jumps to the last stub yet. */
static void find_at_once(struct maker *k, const struct insn *i, const struct memo_fn *f, bool says, bool later, int *slow, int *n)
{
	struct x64 *x = &k->x;
	const enum stub_kind else_ = f->own ? STUB_ENTER : STUB_FIND;
	if (!is_below(k, i->a + 2u, (uint32_t)k->m->memo.at_once)) {
		x64_fix(x, FIX_CMP, RAX, (int32_t)k->m->memo.at_once);
		slow[(*n)++] = stub(k, else_, x64_jump_if(x, IF_NOT_BELOW), (uint32_t)i->k);
	}
	if (f->own) {
		x64_number(x, RCX, (int64_t)(intptr_t)(k->m->memo.says + f->first));
		compare_byte(x, x64_in(RCX, RAX, 0, 0));
		slow[(*n)++] = stub(k, else_, x64_jump_if(x, IF_SIGN), (uint32_t)i->k);
		if (!says) {
			x64_number(x, RCX, (int64_t)(intptr_t)f->at_once);
			x64_do(x, X_LOAD, RAX, x64_in(RCX, RAX, 3, 0));
		}
		return;
	}
	x64_number(x, RCX, (int64_t)(intptr_t)f->at_once);
	if (asks_at_once(k, i)) {
		const word number = known(k, i->a + 2u)->number;
		x64_do(x, X_LOAD, RAX, x64_at(RCX, number * 8));
		if (!later)
			x64_fix(x, FIX_CMP, RAX, MEMO_UNKNOWN);
		slow[*n] = stub(k, else_, later ? 0 : x64_jump_if(x, IF_SAME), (uint32_t)i->k);
		k->stubs.v[slow[*n]].given = true;
		k->stubs.v[slow[(*n)++]].value = number;
		if (f->bits < 0 && !f->sure)
			x64_fix_at(x, true, FIX_ADD, x64_at(RCX, -8), 1);
		return;
	}
	x64_do(x, X_LOAD, RDX, x64_in(RCX, RAX, 3, 0));
	x64_fix(x, FIX_CMP, RDX, MEMO_UNKNOWN);
	slow[(*n)++] = stub(k, else_, x64_jump_if(x, IF_SAME), (uint32_t)i->k);
	if (f->bits < 0 && !f->sure) /* else it is worth keeping anyway */
		x64_fix_at(x, true, FIX_ADD, x64_at(RCX, -8), 1);
	x64_regs(x, X_LOAD, RAX, RDX);
}

/* The same of several words: rax the first of them, the others in their registers. */
static void find_words(struct maker *k, const struct insn *i, int32_t of, int *slow, int *n)
{
	struct x64 *x = &k->x;
	const unsigned results = k->p->fn[i->k].results;
	uint32_t other[2];
	find_entry(k, of, other);
	for (int o = 0; o < 2; o++)
		slow[(*n)++] = stub(k, STUB_KNOWN, other[o], (uint32_t)i->k);
	x64_do(x, X_LOAD, RAX, x64_at(RDX, offsetof(struct memo_entry, answer)));
	x64_times(x, RSI, RSI, (int32_t)results); /* they stand in a table of their own */
	x64_do32(x, X_ADD, RSI, x64_at(RCX, offsetof(struct memo_fn, values)));
	x64_do(x, X_LOAD, RDX, OF_MACHINE(memo.value.v));
	for (unsigned w = 1; w < results; w++) {
		x64_do(x, X_LOAD, RCX, x64_in(RDX, RSI, 3, 8 * (int64_t)w));
		x64_do(x, X_STORE, RCX, reg(i->a + w));
	}
}

bool finds_answer(const struct maker *k, const struct insn *i)
{
	const struct fn_info *f = &k->p->fn[i->k];
	const int32_t of = k->m->memo.of[i->k];
	return of >= 0 && f->arguments == 1 && f->results <= RESULTS_INLINE && k->m->memo.fn.v[of].place < 0;
}

enum { ANSWERS_MOST = 4096 }; /* words of all of them */

/* Where the answer for an argument stands, if it can never be another; NULL. */
static const word *lasting_answer(const struct memo *x, const struct memo_fn *f, word argument)
{
	const uint32_t at = memo_slot(f, &argument);
	const struct memo_entry *e = &x->entry.v[at];
	if (f->own || !e->valid || !e->constant || e->argument[0] != argument)
		return NULL;
	return f->results == 1 ? &e->answer : &x->value.v[f->values + (at - f->first) * f->results];
}

void make_answers(struct maker *k)
{
	const struct memo *memo = &k->m->memo;
	uint32_t room = ANSWERS_MOST;
	while (k->x.n % sizeof(word))
		x64_bytes(&k->x, 0, 1);
	for (int32_t i = 0; i < memo->fn.n; i++) {
		const struct memo_fn *f = &memo->fn.v[i];
		if (f->fn < 0 || f->arguments != 1 || f->results > RESULTS_INLINE || f->place >= 0)
			continue;
		struct answers *to = &k->answers[f->fn];
		const word *first = NULL, *answer;
		*to = (struct answers){k->x.n, 0, f->results == 1, 0};
		while (to->count < (uint64_t)memo->at_once && room >= f->results && (answer = lasting_answer(memo, f, to->count)) != NULL) {
			if (!first)
				first = answer;
			to->alike &= *answer == *first;
			for (int w = 0; w < f->results; w++)
				x64_bytes(&k->x, (uint64_t)answer[w], sizeof(word));
			to->count++;
			room -= f->results;
		}
		if (first)
			to->number = *first;
	}
}

/* As find_words has it, for an argument that may be one of those whose answers last. */
static void find_lasting(struct maker *k, const struct insn *i, int *slow, int *n)
{
	struct x64 *x = &k->x;
	const struct answers *of = &k->answers[i->k];
	const int words = k->p->fn[i->k].results;
	x64_fix(x, FIX_CMP, RAX, (int32_t)of->count);
	slow[(*n)++] = stub(k, STUB_KNOWN, x64_jump_if(x, IF_NOT_BELOW), (uint32_t)i->k);
	x64_number(x, RCX, (int64_t)(intptr_t)(x->code + of->at));
	if (words == 2)
		x64_regs(x, X_ADD, RAX, RAX);
	else if (words > 1)
		x64_times(x, RAX, RAX, words);
	for (int w = 1; w < words; w++) {
		x64_do(x, X_LOAD, RDX, x64_in(RCX, RAX, 3, 8 * w));
		x64_do(x, X_STORE, RDX, reg(i->a + (unsigned)w));
	}
	x64_do(x, X_LOAD, RAX, x64_in(RCX, RAX, 3, 0));
}

/* The answer for one of those whose answers last: a number, or looked up without a question. */
static bool make_lasting(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const struct answers *of = &k->answers[i->k];
	const int words = k->p->fn[i->k].results;
	const unsigned argument = i->a + 2u;
	if (!of->count || k->joins[k->at + 1] != JOIN_BACK)
		return false;
	const bool one = is_number(k, argument) && (uint64_t)known(k, argument)->number < of->count;
	if (!one && !is_below(k, argument, of->count))
		return false;
	const word which = one ? known(k, argument)->number : 0;
	if (!one && !of->alike)
		take(k, RAX, argument);
	const int behind = stub(k, STUB_BEHIND, 0, 0);
	k->stubs.v[behind].unsaved = -1;
	k->unsaved_for = -1;
	k->joins[k->at + 1] = 0; /* nobody is called */
	learn_words(k, i->a, (int)k->p->fn[k->fn].registers - i->a);
	if (of->alike && (of->number == NONE || (of->number >= INT32_MIN && of->number <= INT32_MAX))) {
		put_number(k, i->a, of->number);
		return true;
	}
	k->cached = -1;
	x64_number(x, RCX, (int64_t)(intptr_t)(x->code + of->at + (size_t)(which * words) * sizeof(word)));
	if (!one && words == 2)
		x64_regs(x, X_ADD, RAX, RAX);
	else if (!one && words > 1)
		x64_times(x, RAX, RAX, words);
	for (int w = words; w-- > 0;) { /* the first into rax, by which the others are found */
		const enum x64_reg to = w ? RDX : RAX;
		x64_do(x, X_LOAD, to, one ? x64_at(RCX, 8 * w) : x64_in(RCX, RAX, 3, 8 * w));
		x64_do(x, X_STORE, to, reg(i->a + (unsigned)w));
	}
	k->cached = i->a;
	if (words == 2) {
		k->pair = i->a;
		k->pair_for = k->at + 1;
	}
	return true;
}

/* The jump on the answer in rax, which may not be known: no is asked first. */
static void jump_if_answered(struct maker *k, const struct insn *i, int unknown)
{
	struct x64 *x = &k->x;
	uint32_t no = 0;
	come_back(k, unknown);
	x64_regs(x, X_TEST, RAX, SOME);
	if (i->op == OP_JZ)
		go_if(k, IF_SAME, goal(k, i));
	else
		no = x64_jump_if(x, IF_SAME);
	x64_fix(x, FIX_CMP, RAX, MEMO_UNKNOWN);
	k->stubs.v[unknown].jump = x64_jump_if(x, IF_SAME);
	if (i->op == OP_JZ) {
		known(k, i->a)->as = SET;
		return;
	}
	go_knowing(k, IF_OTHER, goal(k, i), i->a, SET, 0);
	x64_lead(x, no, x->n);
}

/* Of a function of one word that is no condition an answer that is kept is looked up here when nothing is being worked out;
 * with the jump on it, if that follows. Returns how many instructions were done. */
static int make_question(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const int32_t of = k->m->memo.of[i->k];
	const struct fn_info *f = &k->p->fn[i->k];
	const bool leads = i[1].a == i->a && (i[1].op == OP_JZ || i[1].op == OP_JNZ) && k->joins[k->at + 1] == JOIN_BACK;
	const bool kept = leads && (is_live(k, k->at + 2, i->a) || is_live(k, goal(k, &i[1]), i->a)); /* it is read besides */
	const bool says = leads && !kept && k->m->memo.fn.v[of].own;
	const bool later = leads && asks_at_once(k, i);
	int slow[3], n = 0;
	if (make_lasting(k, i))
		return 1;
	if (!asks_at_once(k, i))
		take(k, RAX, i->a + 2u);
	if (!k->answers[i->k].count && k->noted[k->fn]) { /* what is being worked out rests on it */
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(memo.depth), 0);
		slow[n++] = stub(k, STUB_KNOWN, x64_jump_if(x, IF_OTHER), (uint32_t)i->k);
		k->stubs.v[slow[n - 1]].says = says;
	}
	if (k->answers[i->k].count)
		find_lasting(k, i, slow, &n);
	else if (k->m->memo.fn.v[of].at_once)
		find_at_once(k, i, &k->m->memo.fn.v[of], says, later, slow, &n);
	else
		find_words(k, i, of, slow, &n);
	k->unsaved_for = -1;
	k->cached = -1;
	learn_words(k, i->a, (int)f->results);
	if (!leads) {
		for (int s = 0; s < n; s++)
			come_back(k, slow[s]);
		if (is_live(k, k->at + 1, i->a))
			x64_do(x, X_STORE, RAX, reg(i->a));
		return 1;
	}
	settle_from(k, k->at + 1, i->a);
	for (int s = 0; s < n; s++)
		come_back(k, slow[s]);
	const int result = stub(k, STUB_RESULT, 0, 0); /* who comes from the call brings the answer in its register */
	k->stubs.v[result].says = says;
	come_back(k, result);
	learn_words(k, i->a, (int)k->p->fn[k->fn].registers - i->a);
	guard(k, k->at + 1);
	if (says) {
		go_if(k, i[1].op == OP_JZ ? IF_SAME : IF_OTHER, goal(k, &i[1]));
		return 2;
	}
	k->cached = i->a;
	if (kept)
		x64_do(x, X_STORE, RAX, reg(i->a));
	if (later)
		jump_if_answered(k, &i[1], slow[n - 1]);
	else
		make_jump_if(k, &i[1]);
	return 2;
}

/* ---- who of a kind says yes ---- */

/* KNEXT, JNONE, a MOVE, the question and JZ back to the KNEXT: in a function in which nothing is noted, of which nobody reads what a turn
 * that ends there leaves behind. NULL: it is no such loop. */
static const struct memo_fn *asked_of_each(struct maker *k, const struct insn *i)
{
	const struct insn *leaves = i + 1, *moves = i + 2, *asks = i + 3, *goes_on = i + 4;
	const int32_t found = k->at + 5;
	if (found >= k->p->fn[k->fn].end || leaves->op != OP_JNONE || leaves->a != i->a || moves->op != OP_MOVE || moves->b != i->a)
		return NULL;
	if (asks->op != OP_CALL || asks->a + 2 != moves->a || !memo_is_own(&k->m->memo, asks->k) || !finds_answer(k, asks) || goes_on->op != OP_JZ || goes_on->a != asks->a || goal(k, goes_on) != k->at)
		return NULL;
	for (int32_t at = k->at + 1; at < found; at++)
		if (k->joins[at] & JOIN_JUMP)
			return NULL;
	const int32_t ways[] = {k->at, found, goal(k, leaves)};
	for (int w = 0; w < 3; w++)
		if (is_live(k, ways[w], asks->a) || is_live(k, ways[w], moves->a))
			return NULL;
	const struct memo_fn *f = &k->m->memo.fn.v[k->m->memo.of[asks->k]];
	return k->noted[k->fn] || f->bits < 0 || !f->at_once || (word)k->p->layout.kind[i->k].count > k->m->memo.at_once ? NULL : f;
}

/* rax: the bits of word rdx of those whose answer is yes or unknown, rdi of the latter; `bits`: where the first is. */
static void load_maybe(struct maker *k, uint32_t bits)
{
	x64_do(&k->x, X_LOAD, RDI, in_array(k, k->m->memo.stale + bits, RDX, 3, RSI));
	x64_do(&k->x, X_LOAD, RAX, in_array(k, k->m->memo.so + bits, RDX, 3, RSI));
	x64_regs(&k->x, X_OR, RAX, RDI);
}

void make_later_word(struct maker *k, const struct insn *i)
{
	const uint32_t count = k->p->layout.kind[i->k].count, bits = (uint32_t)k->m->memo.fn.v[k->m->memo.of[i[3].k]].bits;
	struct x64 *x = &k->x;
	const uint32_t next = x->n;
	x64_fix(x, FIX_ADD, RDX, 1);
	x64_fix(x, FIX_CMP, RDX, (int32_t)(count + 63) / 64);
	const uint32_t none = x64_jump_if(x, IF_NOT_BELOW);
	load_maybe(k, bits);
	x64_regs(x, X_BITS, RAX, RAX);
	x64_lead(x, x64_jump_if(x, IF_SAME), next);
	x64_shift(x, true, RDX, 6);
	x64_regs(x, X_ADD, RAX, RDX);
	const uint32_t found = x64_jump(x);
	x64_lead(x, none, x->n);
	x64_number(x, RAX, count);
	x64_number(x, RDI, -1);
	x64_lead(x, found, x->n);
}

/* Nobody of the kind comes any more. */
static void end_if(struct maker *k, const struct insn *i, enum x64_if when)
{
	put_and_go(k, x64_jump_if(&k->x, when), i->a, 1, NONE, goal(k, &i[1]));
}

/* The next whose answer is not known to be no; who is known to say yes is not asked. */
int make_next_asked(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const uint32_t count = k->p->layout.kind[i->k].count;
	const struct memo_fn *f = asked_of_each(k, i);
	if (!f)
		return make_next_kind(k, i);
	make_pend_all(k, i, (uint32_t)f->bits);
	take(k, RCX, i->a);
	x64_fix(x, FIX_ADD, RCX, 1);
	x64_regs(x, X_LOAD, RDX, RCX);
	x64_shift(x, false, RDX, 6);
	if (count % 64 == 0) { /* there is no word behind the last */
		x64_fix(x, FIX_CMP, RCX, (int32_t)count);
		end_if(k, i, IF_NOT_BELOW);
	}
	k->cached = -1;
	load_maybe(k, (uint32_t)f->bits);
	x64_shift_cl(x, false, RAX); /* of cl it takes what is below 64 */
	x64_regs(x, X_BITS, RAX, RAX);
	const int later = stub(k, STUB_LATER, x64_jump_if(x, IF_SAME), 0);
	x64_regs(x, X_ADD, RAX, RCX);
	come_back(k, later);
	const bool all = (word)count == k->m->memo.at_once; /* of who stands behind the last nothing is ever known then */
	if (!all) {
		x64_fix(x, FIX_CMP, RAX, (int32_t)count);
		end_if(k, i, IF_NOT_BELOW);
	}
	k->behind++;
	put(k, i->a, SET);
	learn_below(k, i->a, count);
	x64_has_bit(x, RDI, RAX);
	VEC_PUSH(k->jumps, (struct jump){x64_jump_if(x, IF_NOT_BELOW), k->at + 5});
	if (all) {
		x64_fix(x, FIX_CMP, RAX, (int32_t)count);
		end_if(k, i, IF_NOT_BELOW);
	}
	return 2;
}

/* Is the answer kept? Else a frame begins; native_known finds out where that is not known beforehand. */
int make_call(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	const int32_t fn = i->k, of = k->m->memo.of[fn];
	int slow[3], n = 0;
	if (finds_answer(k, i))
		return make_question(k, i);
	settle(k, k->at);
	const int32_t time = k->p->at.act_time_question;
	if (of < 0 && (time < 0 || fn != k->p->question[time].fn)) {
		fuel(k, 8);
		make_entry(k, k->at, k->fn, fn);
		return 1;
	}
	if (of < 0) { /* an act's time may be known all the same */
		x64_fix_at(x, false, FIX_CMP, OF_MACHINE(pending.once.fn), fn);
		slow[n++] = stub(k, STUB_KNOWN, x64_jump_if(x, IF_SAME), (uint32_t)fn);
		fuel(k, 8);
		make_entry(k, k->at, k->fn, fn);
	} else {
		slow[n++] = stub(k, STUB_KNOWN, x64_jump(x), (uint32_t)fn);
	}
	for (int s = 0; s < n; s++)
		come_back(k, slow[s]);
	return 1;
}

void make_frame_of(struct maker *k, int32_t at, int32_t caller, int32_t fn)
{
	struct x64 *x = &k->x;
	const struct program *p = k->p;
	const struct fn_info *f = &p->fn[fn];
	const unsigned a = p->code[at].a;
	const uint32_t end = p->layout.stack + p->layout.stack_words;
	x64_do(x, X_LOAD, RAX, HEADER(H_FP));
	x64_fix(x, FIX_CMP, RAX, (int32_t)(end - f->registers - 2 - a - 2));
	stub_at(k, STUB_DEEP, x64_jump_if(x, IF_MORE), (uint32_t)fn, at);
	x64_put(x, reg(a), at + 1);
	x64_do(x, X_LEA, RCX, x64_at(RAX, a + 2));
	x64_do32(x, X_STORE, RAX, x64_at(FRAME, (int64_t)(a + 1) * 8 + 4));
	x64_put32(x, reg(a + 1), caller);
	x64_do(x, X_STORE, RCX, HEADER(H_FP));
	x64_put(x, HEADER(H_FN), fn);
	x64_fix(x, FIX_ADD, FRAME, (int32_t)(a + 2) * 8);
}

void make_entry(struct maker *k, int32_t at, int32_t caller, int32_t fn)
{
	if (!k->unwritten[k->p->fn[fn].entry])
		make_written(k, at);
	make_frame_of(k, at, caller, fn);
	jump_to(k, k->p->fn[fn].entry);
}

/* Is an answer being worked out? It ends here, or rests on this one. */
static void look_who_rests(struct maker *k)
{
	x64_fix_at(&k->x, false, FIX_CMP, OF_MACHINE(memo.depth), 0);
	come_back(k, stub(k, STUB_ANSWERED, x64_jump_if(&k->x, IF_OTHER), 0));
}

/* Bit rdx of a set. */
static void put_bit(struct x64 *x, const uint64_t *set, bool on)
{
	x64_number(x, RCX, (int64_t)(intptr_t)set);
	x64_do(x, on ? X_BIT_ON : X_BIT_OFF, RDX, x64_at(RCX, 0));
}

/* As memo_owned has it; rax holds the answer of register a, if that is no small number. */
static void keep_own(struct maker *k, unsigned a)
{
	struct x64 *x = &k->x;
	const struct memo *memo = &k->m->memo;
	const struct memo_fn *f = &memo->fn.v[memo->of[k->fn]];
	const struct x64_at answer = x64_in(RCX, RDX, 3, 0), says = x64_in(RCX, RDX, 0, 0);
	const uint64_t *so = memo->so + f->bits;
	x64_do(x, X_LOAD, RDX, reg(0));
	x64_fix(x, FIX_CMP, RDX, (int32_t)memo->at_once);
	const uint32_t beyond = x64_jump_if(x, IF_NOT_BELOW);
	put_bit(x, memo->stale + f->bits, false);
	x64_number(x, RCX, (int64_t)(intptr_t)f->at_once);
	if (is_small(k, a)) {
		const word number = known(k, a)->number;
		x64_put(x, answer, (int32_t)number);
		x64_number(x, RCX, (int64_t)(intptr_t)(memo->says + f->first));
		put_byte(x, says, number != 0);
		put_bit(x, so, number != 0);
	} else {
		x64_do(x, X_STORE, RAX, answer);
		x64_number(x, RCX, (int64_t)(intptr_t)(memo->says + f->first));
		x64_regs(x, X_TEST, RAX, SOME);
		x64_set_at(x, IF_OTHER, says);
		const uint32_t no = x64_jump_if(x, IF_SAME);
		put_bit(x, so, true);
		const uint32_t over = x64_jump(x);
		x64_lead(x, no, x->n);
		put_bit(x, so, false);
		x64_lead(x, over, x->n);
	}
	look_who_rests(k);
	x64_lead(x, beyond, x->n);
}

bool make_return(struct maker *k, const struct insn *i)
{
	struct x64 *x = &k->x;
	if (i->b > 8)
		return false;
	const bool early = i->b > 1; /* an answer goes over it */
	x64_do(x, X_LOAD, BACK, x64_at(FRAME, -16));
	k->beside = -1;
	if (early)
		x64_do(x, X_LOAD, PACKED, x64_at(FRAME, -8));
	for (unsigned n = 0; n < i->b; n++) {
		const struct x64_at to = x64_at(FRAME, -16 + 8 * (int64_t)n);
		if (is_small(k, i->a + n)) {
			x64_put(x, to, (int32_t)known(k, i->a + n)->number);
		} else {
			take(k, RAX, i->a + n);
			x64_do(x, X_STORE, RAX, to);
		}
		if (n >= 2) /* a register of its own that was written */
			learn(k, n - 2, ANYTHING, 0);
	}
	if (memo_is_own(&k->m->memo, k->fn))
		keep_own(k, i->a);
	else if (k->noted[k->fn])
		look_who_rests(k);
	x64_regs(x, X_TEST, BACK, BACK);
	stub(k, STUB_LEAVE, x64_jump_if(x, IF_SIGN), LEFT_OVER);
	if (early) {
		x64_regs(x, X_LOAD, RAX, PACKED);
		x64_shift(x, false, RAX, 32);
		x64_opcode(x, false, X_LOAD, RDX, 0, PACKED); /* mov edx, r8d */
		x64_bytes(x, 0xc0u | (RDX << 3) | (PACKED & 7u), 1);
	} else {
		x64_do32(x, X_LOAD, RAX, x64_at(FRAME, -4));
		x64_do32(x, X_LOAD, RDX, x64_at(FRAME, -8));
	}
	x64_do(x, X_STORE, RAX, HEADER(H_FP));
	x64_do(x, X_STORE, RDX, HEADER(H_FN));
	x64_do(x, X_LEA, FRAME, x64_in(WORLD, RAX, 3, 0));
	x64_number(x, RCX, (int64_t)(intptr_t)k->table);
	x64_jump_at(x, x64_in(RCX, BACK, 3, 0));
	return true;
}

#endif
