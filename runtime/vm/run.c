/* run.c - the dispatch loop. One case an instruction, in the order of ops.def; what takes
 * more than a few lines is in the other files of this folder. */
#include <string.h>

#include "runtime/base/plane.h"
#include "runtime/code/show.h"
#include "runtime/vm/inside.h"
#include "runtime/vm/quiet.h"
#include "runtime/vm/native.h"
#include "runtime/vm/profile.h"
#include "runtime/vm/quick.h"

#define NONE_OF(a, b) ((a) == NONE || (b) == NONE)

/* What two clauses disagree on: "Bruna's armour class". */
static void disputed(const struct vm *m, int question, word subject, struct buf *out)
{
	const struct question_info *q = question >= 0 ? &m->p->question[question] : NULL;
	if (q && q->of_subject && q->param[0].base == VT_LIVE && subject >= 0 && subject < m->p->lives[q->param[0].kind]) {
		program_owner(m->p, q->param[0].kind, subject, out);
		buf_putc(out, ' ');
	}
	buf_puts(out, q ? q->name : question == -2 ? "which of two acts comes first" : "what happens");
}

static bool ruling(struct vm *m, word first, word second, int question, word subject)
{
	static const char *const layers[] = {"the core", "parent rulesets", "rulesets", "stat blocks", "house rules", "the script", "the table"};
	const struct program *p = m->p;
	const struct clause_info *one = first >= 0 ? &p->clause[first] : NULL, *two = second >= 0 ? &p->clause[second] : NULL;
	struct buf what = {0}, a = {0}, b = {0}, line[5] = {{0}, {0}, {0}, {0}, {0}};
	disputed(m, question, subject, &what);
	buf_puts(&a, vm_clause_name(m, first));
	buf_puts(&b, vm_clause_name(m, second));
	struct diag d = diag_make(M_RULING_NOW, one ? one->span : vm_where(m));
	diag_arg(&d, buf_text(&what));
	diag_arg(&d, buf_text(&a));
	diag_arg(&d, buf_text(&b));
	if (one)
		buf_printf(&line[0], "%s:   %s", buf_text(&a), one->text);
	if (two)
		buf_printf(&line[1], "%s:   %s", buf_text(&b), two->text);
	if (one && two) {
		diag_relate(&d, two->span, "the other rule");
		if (one->layer == two->layer && one->layer < FRAY_COUNT(layers))
			buf_printf(
				&line[2], "Both are in %s, so neither outranks the other.", layers[one->layer]);
		/* a clause outside rules has no name to speak of */
		if (*one->rule && *two->rule) {
			buf_printf(&line[3], "To let one decide:   ruling %s over %s", one->rule, two->rule);
			buf_printf(&line[4], "To leave one out:    drop rule %s", two->rule);
		}
	}
	for (int i = 0; i < 5; i++)
		if (line[i].length)
			diag_line(&d, buf_text(&line[i]));
	vm_stop(m, VM_RULING, &d);
	for (int i = 0; i < 5; i++)
		buf_free(&line[i]);
	buf_free(&what);
	buf_free(&a);
	buf_free(&b);
	return false;
}

/* ---- questions in the log ---- */

static bool worth(const struct vm *m, int question)
{
	const struct question_info *q = &m->p->question[question];
	return m->question_kept || (vtype_is_number(q->type) && !q->is_answer);
}

static void asked(struct vm *m, const word *arguments, int question)
{
	if (m->quiet || m->curt)
		return;
	if (m->passed_over || !worth(m, question)) {
		m->passed_over++;
		return;
	}
	const struct question_info *q = &m->p->question[question];
	int n = 0;
	for (int i = 0; i < q->params; i++)
		n += q->param[i].base == VT_SET ? m->p->set_words : 1;
	int r = record_new(m, REC_QUESTION);
	if (r < 0)
		return;
	int values = trace_values(&m->trace, arguments, n);
	struct record *x = trace_at(&m->trace, r);
	x->what = question;
	x->values = values;
	x->value_count = (uint16_t)n;
	x->clause = -1;
	if (q->params && q->param[0].base == VT_LIVE)
		x->owner = arguments[0];
	m->question = r;
}

static void part(struct vm *m, enum record_kind kind, word value, int32_t clause)
{
	if (m->quiet || m->question < 0 || m->passed_over)
		return;
	int r = record_new(m, kind);
	if (r < 0)
		return;
	struct record *x = trace_at(&m->trace, r);
	x->value = value;
	x->clause = clause;
	if (kind == REC_BASE)
		trace_at(&m->trace, m->question)->clause = clause;
}

static void answered(struct vm *m, word value)
{
	if (m->quiet)
		return;
	if (m->passed_over) {
		m->passed_over--;
		return;
	}
	if (m->question < 0)
		return;
	int r = m->question;
	struct record *x = trace_at(&m->trace, r);
	int parent = x->parent;
	const int kind = parent >= 0 ? trace_peek(&m->trace, parent)->kind : REC_EVENT;
	const bool in_question = kind == REC_QUESTION || kind == REC_KEY || kind == REC_MOVED || kind == REC_COMPARED || kind == REC_LEFT; /* these ask several */
	x->value = value;
	x->closed = true;
	m->question = in_question ? parent : -1;
}

/* ---- the loop ---- */

#define R(x) r[x]
#define I ip[-1]             /* the instruction at hand */
#define PC ((word)(ip - code)) /* where the next one stands */
#define NEXT                                                          \
	do {                                                              \
		ip++;                                                         \
		PROFILE(p, PC - 1);                                           \
		must(I.op < OP_COUNT);                                        \
		goto *((const union code_place *)((uintptr_t)ip + go))->at;   \
	} while (0)
#define FUEL(n)                                                       \
	do {                                                              \
		if (m->fuel < (n)) {                                          \
			w[H_PC] = PC;                                             \
			vm_fail(m, VM_LIMIT, M_FUEL, 0);                          \
			goto failed;                                              \
		}                                                             \
		m->fuel -= (n);                                               \
	} while (0)
#define CHECK(condition)                                              \
	do {                                                              \
		w[H_PC] = PC;                                                 \
		if (!(condition))                                             \
			goto failed;                                              \
	} while (0)
/* A word of the world that may have been forgotten (forget.c). */
#define READ(at) (*(at) == FORGOTTEN ? forget_read(m, (uint32_t)((at) - w)) : *(at))
/* A place where machines that enumerate meet. */
#define SYNC                                                          \
	do {                                                              \
		if ((m->enumerate || m->lift) && !stop_fp) {                  \
			w[H_PC] = PC;                                             \
			return VM_SYNC;                                           \
		}                                                             \
	} while (0)
#define ARITH(call)                                                   \
	do {                                                              \
		if (NONE_OF(R(I.b), R(I.c))) {                                \
			R(I.a) = NONE;                                            \
		} else {                                                      \
			bool bad = false;                                         \
			word v = call;                                            \
			if (bad)                                                  \
				goto overflow;                                        \
			R(I.a) = v;                                               \
		}                                                             \
	} while (0)
/* The same for whole numbers (num.c), without a call. */
#define WHOLE(made)                                                   \
	do {                                                              \
		word v_;                                                      \
		if (NONE_OF(R(I.b), R(I.c))) {                                \
			R(I.a) = NONE;                                            \
		} else {                                                      \
			if (made(R(I.b), R(I.c), &v_) || v_ == NONE)              \
				goto overflow;                                        \
			R(I.a) = v_;                                              \
		}                                                             \
	} while (0)
/* A comparison, and the jump behind it. */
#define COMPARE_JUMP(is, when)                                        \
	do {                                                              \
		const word x_ = R(I.b), y_ = R(I.c);                          \
		const bool is_ = (is);                                        \
		R(I.a) = is_;                                                 \
		ip++;                                                         \
		if (is_ == (when))                                            \
			ip += I.k;                                                \
		NEXT;                                                         \
	} while (0)
/* What a field holds, and the jump behind it. */
#define FIELD_JUMP(jumps)                                             \
	do {                                                              \
		const struct reach *f_ = &m->reach[I.c];                      \
		const word thing_ = R(I.b);                                   \
		word v_ = NONE;                                               \
		if ((uint64_t)thing_ < f_->count) {                           \
			const uint32_t at_ = f_->base + (uint32_t)thing_ * f_->stride; \
			v_ = w[at_];                                              \
			if (!f_->fixed)                                           \
				memo_read(&m->memo, at_);                             \
		}                                                             \
		R(I.a) = v_;                                                  \
		ip++;                                                         \
		if (jumps)                                                    \
			ip += I.k;                                                \
		NEXT;                                                         \
	} while (0)
#define TEMPLATE_JUMP(jumps)                                          \
	do {                                                              \
		const word v_ = R(I.b) < 0 || R(I.b) >= p->things ? NONE : p->thing_words[R(I.b) * p->thing_fields + I.c]; \
		R(I.a) = v_;                                                  \
		ip++;                                                         \
		if (jumps)                                                    \
			ip += I.k;                                                \
		NEXT;                                                         \
	} while (0)
/* A function is over: its caller goes on, or who called it from C. */
#define RETURN(back, packed)                                          \
	do {                                                              \
		if (m->memo.depth && m->memo.frame[m->memo.depth - 1].fp == fp) \
			memo_end(&m->memo, &r[-2]);                               \
		if ((back) < 0)                                               \
			goto returned;                                            \
		fp = (uint32_t)((uint64_t)(packed) >> 32);                    \
		w[H_FP] = fp;                                                 \
		w[H_FN] = (word)(uint32_t)(packed);                           \
		r = w + fp;                                                   \
		ip = code + (back);                                           \
		NEXT;                                                         \
	} while (0)
/* A label for the jump and a case for the reader: `break` looks whether the run goes on, NEXT knows that it does. */
#define CASE(name) case OP_##name: L_##name:
#define RECORDING (p->observed && !m->quiet)

enum vm_status vm_loop(struct vm *m, uint32_t stop_fp)
{
	const struct program *p = m->p;
	word *w = m->w;
	const struct insn *const code = p->code;
	static const void *const straight[] = {
#define OP(name, shape, doc) &&L_##name,
#include "runtime/code/ops.def"
#undef OP
	};
#ifndef FRAY_PROFILE
	static const void *const quick[QUICKS] = {
		[QUICK_LE_JZ] = &&Q_LE_JZ, [QUICK_LE_JNZ] = &&Q_LE_JNZ, [QUICK_LT_JZ] = &&Q_LT_JZ, [QUICK_LT_JNZ] = &&Q_LT_JNZ,
		[QUICK_SAME_JZ] = &&Q_SAME_JZ, [QUICK_SAME_JNZ] = &&Q_SAME_JNZ, [QUICK_EQ_JZ] = &&Q_EQ_JZ, [QUICK_EQ_JNZ] = &&Q_EQ_JNZ,
		[QUICK_LDF_JNONE] = &&Q_LDF_JNONE, [QUICK_LDF_JZ] = &&Q_LDF_JZ, [QUICK_LDF_JNZ] = &&Q_LDF_JNZ,
		[QUICK_LDT_JNONE] = &&Q_LDT_JNONE, [QUICK_LDT_JZ] = &&Q_LDT_JZ, [QUICK_LDT_JNZ] = &&Q_LDT_JNZ,
		[QUICK_SNEXT_JNONE] = &&Q_SNEXT_JNONE, [QUICK_KNEXT_JNONE] = &&Q_KNEXT_JNONE,
		[QUICK_MOVE_MOVE] = &&Q_MOVE_MOVE, [QUICK_MOVE_CALL] = &&Q_MOVE_CALL, [QUICK_MOVE_CALL_ONE] = &&Q_MOVE_CALL_ONE, [QUICK_LOADI_LDF] = &&Q_LOADI_LDF, [QUICK_LOADI_LOADI] = &&Q_LOADI_LOADI, [QUICK_LDP_JSOME] = &&Q_LDP_JSOME, [QUICK_RET_ONE] = &&Q_RET_ONE, [QUICK_CALL_ONE] = &&Q_CALL_ONE, [QUICK_LDF] = &&Q_LDF, [QUICK_LDF_FIXED] = &&Q_LDF_FIXED, [QUICK_FILL] = &&Q_FILL, [QUICK_STORE_ALL] = &&Q_STORE_ALL, [QUICK_TURN] = &&Q_TURN,
	};
#endif
	if (!m->places) {
		/* by instruction, where it is done; then the same for machines that look at each first, and for those that
		 * forget; and where it is done when processor code has left it to the loop */
		m->places = malloc(4 * ((size_t)p->code_count + 1) * sizeof *m->places);
		if (!m->places)
			abort();
		for (int32_t i = 0; i < p->code_count; i++) {
			m->places[i].at = straight[p->code[i].op];
			m->places[p->code_count + i].at = &&look;
			m->places[2 * p->code_count + i] = m->places[i];
#ifndef FRAY_PROFILE
			enum quick q = quick_of(p, i);
			if (q != QUICK_NONE)
				m->places[i].at = quick[q];
			if (q != QUICK_NONE && !quick_reads(q))
				m->places[2 * p->code_count + i].at = quick[q];
#endif
			m->places[3 * p->code_count + i] = m->places[i];
		}
		for (int32_t f = 0; f < p->fns; f++)
			for (int32_t i = p->fn[f].entry; memo_is_own(&m->memo, f) && i < p->fn[f].end; i++)
				if (p->code[i].op == OP_RET)
					m->places[i].at = m->places[3 * p->code_count + i].at = &&Q_RET_OWN;
	}
	if (m->native_when == NATIVE_NOW && !p->observed && vm_remembers(m)) {
		m->native_when = NATIVE_MADE;
		m->native = native_make(m);
		for (int32_t i = 0; m->native && i < p->code_count; i++)
			if (native_begins(m->native, i))
				m->places[i].at = &&native;
	}
	/* from behind an instruction to its place */
	const uintptr_t go = (uintptr_t)(m->places + (m->enumerate || m->lift || m->shape.recording ? p->code_count : m->forgetting == FORGET_NOTHING ? 0 : 2 * p->code_count)) - (uintptr_t)(p->code + 1);
	const bool remembers = vm_remembers(m), plain = !p->observed;
	const int32_t *const memo_of = remembers && !m->shape.recording ? m->memo.of : m->memo.none;
	const struct insn *ip = code + w[H_PC];
	uint32_t fp = (uint32_t)w[H_FP];
	word *r = w + fp;
	const uint32_t stack_end = p->layout.stack + p->layout.stack_words;
	unsigned polls = 0;
	int fn; /* to be called */
	for (;;) {
		NEXT;
	look:
		if (m->shape.recording) {
			shape_step(m, &I, (uint32_t)(r - w));
			goto *straight[I.op];
		}
		if (m->taint.n)
			taint_look(m, &I, (uint32_t)(r - w));
		if (m->lift) {
			enum lift_how how = lift_step(m, &I, (uint32_t)(r - w));
			if (how == LIFT_JUMP)
				ip += I.k;
			if (how != LIFT_PLAY)
				continue;
		}
		goto *straight[I.op];
	native: {
		enum native_left left;
		ip = code + native_run(m->native, m, r, (int32_t)(PC - 1), &left) + 1;
		fp = (uint32_t)w[H_FP];
		r = w + fp;
		if (left == LEFT_FAILED)
			goto failed;
		if (left == LEFT_OVER)
			goto returned;
		if (m->turns < 0) {
			m->turns = TURNS;
			if (m->host.interrupted && m->host.interrupted(m->host.context)) {
				w[H_PC] = PC;
				m->status = VM_INTERRUPTED;
				goto failed;
			}
		}
		goto *m->places[3 * p->code_count + PC - 1].at;
	}
	returned:
		if (fp != stop_fp)
			goto over;
		return VM_OVER;
		switch ((enum op)I.op) {
		CASE(NOP)
		CASE(EXT)
			break;
		CASE(MOVE) R(I.a) = R(I.b); NEXT;
		CASE(LOADI) R(I.a) = I.k; NEXT;
		CASE(LOADK) R(I.a) = p->constant[I.k]; NEXT;

		CASE(ADD) WHOLE(__builtin_add_overflow); NEXT;
		CASE(SUB) WHOLE(__builtin_sub_overflow); NEXT;
		CASE(MUL) WHOLE(__builtin_mul_overflow); NEXT;
		CASE(NEG) R(I.a) = R(I.b) == NONE ? NONE : -R(I.b); NEXT;
		CASE(MIN) R(I.a) = R(I.b) == NONE ? R(I.c) : R(I.c) == NONE ? R(I.b) : R(I.b) < R(I.c) ? R(I.b) : R(I.c); NEXT;
		CASE(MAX) R(I.a) = R(I.b) == NONE ? R(I.c) : R(I.c) == NONE ? R(I.b) : R(I.b) > R(I.c) ? R(I.b) : R(I.c); NEXT;
		CASE(REM)
			if (NONE_OF(R(I.b), R(I.c))) {
				R(I.a) = NONE;
			} else if (R(I.c) == 0) {
				goto division;
			} else {
				word v = R(I.c) == -1 ? 0 : R(I.b) % R(I.c);
				R(I.a) = v < 0 ? v + (R(I.c) < 0 ? -R(I.c) : R(I.c)) : v;
			}
			break;

		CASE(FRAC)
			if (R(I.b) == NONE) {
				R(I.a) = NONE;
			} else {
				bool bad = false;
				word v = frac_of(R(I.b), &bad);
				if (bad)
					goto overflow;
				R(I.a) = v;
			}
			break;
		CASE(DIV)
			if (R(I.c) == 0)
				goto division;
			ARITH(frac_make(R(I.b), R(I.c), &bad));
			break;
		CASE(FADD) ARITH(frac_add(R(I.b), R(I.c), &bad)); break;
		CASE(FSUB) ARITH(frac_sub(R(I.b), R(I.c), &bad)); break;
		CASE(FMUL) ARITH(frac_mul(R(I.b), R(I.c), &bad)); break;
		CASE(FDIV)
			if (R(I.c) != NONE && frac_top(R(I.c)) == 0)
				goto division;
			ARITH(frac_div(R(I.b), R(I.c), &bad));
			break;
		CASE(FMIN) R(I.a) = R(I.b) == NONE ? R(I.c) : R(I.c) == NONE || frac_compare(R(I.b), R(I.c)) < 0 ? R(I.b) : R(I.c); break;
		CASE(FMAX) R(I.a) = R(I.b) == NONE ? R(I.c) : R(I.c) == NONE || frac_compare(R(I.b), R(I.c)) > 0 ? R(I.b) : R(I.c); break;
		CASE(ROUND) R(I.a) = frac_round(R(I.b), (enum rounding)I.c); break;
		CASE(MEASURE) {
			bool bad = false, unset = false;
			for (int k = 0; k < plane_arguments((enum measure)I.c); k++)
				unset |= R(I.b + k) == NONE;
			word v = unset ? NONE : plane_measure((enum measure)I.c, &R(I.b), &bad);
			if (bad)
				goto overflow;
			R(I.a) = v;
			break;
		}

		CASE(SAME) R(I.a) = R(I.b) == R(I.c); NEXT;
		CASE(EQ) R(I.a) = !NONE_OF(R(I.b), R(I.c)) && R(I.b) == R(I.c); NEXT;
		CASE(NE) R(I.a) = !NONE_OF(R(I.b), R(I.c)) && R(I.b) != R(I.c); NEXT;
		CASE(LT) R(I.a) = !NONE_OF(R(I.b), R(I.c)) && R(I.b) < R(I.c); NEXT;
		CASE(LE) R(I.a) = !NONE_OF(R(I.b), R(I.c)) && R(I.b) <= R(I.c); NEXT;
		CASE(FLT) R(I.a) = !NONE_OF(R(I.b), R(I.c)) && frac_compare(R(I.b), R(I.c)) < 0; break;
		CASE(FLE) R(I.a) = !NONE_OF(R(I.b), R(I.c)) && frac_compare(R(I.b), R(I.c)) <= 0; break;
		CASE(NOT) R(I.a) = R(I.b) == 0 || R(I.b) == NONE; NEXT;
		CASE(ISA) R(I.a) = is_a(p, R(I.b), R(I.c)); NEXT;

		CASE(KINDOF) R(I.a) = R(I.b) < 0 || R(I.b) >= p->things ? NONE : p->thing[R(I.b)].kind; NEXT;

		CASE(JMP) ip += I.k; NEXT;
		CASE(LOOP)
			FUEL(4);
			ip += I.k;
			if (m->journal.n > JOURNAL_MOST) { /* memory has an end, too */
				w[H_PC] = PC;
				vm_fail(m, VM_LIMIT, M_FUEL, 0);
				goto failed;
			}
			if (++polls % TURNS == 0 && m->host.interrupted && m->host.interrupted(m->host.context)) {
				w[H_PC] = PC;
				m->status = VM_INTERRUPTED;
				goto failed;
			}
			NEXT;
		CASE(JZ) if (R(I.a) == 0 || R(I.a) == NONE) ip += I.k; NEXT;
		CASE(JNZ) if (R(I.a) != 0 && R(I.a) != NONE) ip += I.k; NEXT;
		CASE(JNONE) if (R(I.a) == NONE) ip += I.k; NEXT;
		CASE(JSOME) if (R(I.a) != NONE) ip += I.k; NEXT;
		CASE(CALLACT) {
			const struct event_info *e = R(I.b) >= 0 && R(I.b) < p->events ? &p->event[R(I.b)] : NULL;
			fn = e ? e->stage_fn[I.c] : -1;
			if (fn < 0) {
				R(I.a) = I.c == AT_STAGES ? NONE : 0;
				NEXT;
			}
			word judged = R(I.a + 2);
			act_arguments(m, e, judged, &R(I.a + 2));
			if (I.c == AT_STAGES)
				R(I.a + 2 + e->words) = judged;
			goto call;
		}
		CASE(CALL)
			fn = I.k;
		call: {
			if (memo_of[fn] >= 0) {
				int32_t of = m->memo.of[fn];
				const word *known = memo_find(&m->memo, of, &R(I.a + 2));
				if (known) {
					for (int k = 0; k < p->fn[fn].results; k++)
						R(I.a + k) = known[k];
					NEXT;
				}
				FUEL(8);
				if (m->memo.depth < MEMO_DEEP)
					memo_begin(&m->memo, of, &R(I.a + 2), fp + I.a + 2);
				goto enter;
			}
			FUEL(8);
			goto enter; /* its frame begins */
		enter:;
			const struct fn_info *f = &p->fn[fn];
			uint32_t to = fp + I.a + 2;
			if (to + f->registers + 2 > stack_end) {
				w[H_PC] = PC;
				vm_fail(m, VM_LIMIT, M_CALLS_DEEP, 1, f->name);
				goto failed;
			}
			R(I.a) = PC;
			R(I.a + 1) = (word)((uint64_t)fp << 32 | (uint32_t)w[H_FN]);
			fp = to;
			r = w + fp;
			ip = code + f->entry;
			w[H_FP] = fp;
			w[H_FN] = fn;
			NEXT;
		}
		CASE(RET) {
			word back = r[-2], packed = r[-1];
			for (int k = 0; k < I.b; k++)
				r[-2 + k] = R(I.a + k);
			RETURN(back, packed);
		}
		CASE(TURN)
			if (R(I.a) >= R(I.b)) {
				w[H_PC] = PC;
				vm_fail(m, VM_LIMIT, M_REPEAT, 0);
				goto failed;
			}
			R(I.a)++;
			/* dice rolled until they please: what was rolled before matters no more */
			if (I.c == 0 && R(I.a) > 1)
				SYNC;
			break;
		CASE(FATAL)
			w[H_PC] = PC;
			vm_fail(m, VM_FAILED, (enum message)I.k, 0);
			goto failed;
		CASE(RULING)
			w[H_PC] = PC;
			ruling(m, R(I.a), R(I.a + 1), I.k, R(0));
			goto failed;
		CASE(HALT)
			goto over;

		CASE(LDF) {
			const struct reach *f = &m->reach[I.c];
			word thing = R(I.b);
			if ((uint64_t)thing >= f->count) {
				R(I.a) = NONE;
				NEXT;
			}
			const word *at = w + f->base + (uint64_t)thing * f->stride;
			if (!f->fixed)
				memo_read(&m->memo, (uint32_t)(at - w));
			word v = *at;
			if (v != FORGOTTEN) {
				R(I.a) = v;
				NEXT;
			}
			R(I.a) = forget_read(m, (uint32_t)(at - w));
			break;
		}
		CASE(STF) {
			const struct reach *reach = &m->reach[I.c];
			if ((uint64_t)R(I.a) >= reach->count)
				NEXT;
			if (plain && !m->journaling && reach->plain) {
				write_field(m, reach, R(I.a), R(I.b));
				NEXT;
			}
			const struct field_info *f = &p->field[I.c];
			word *at = field(m, f, R(I.a));
			if (at) {
				w[H_PC] = PC;
				world_set(m, (uint32_t)(at - w), R(I.b), f->shared, I.c, f->type.base == VT_LIVE && f->type.kind == KIND_ACT);
				if (f->kind == KIND_ENCOUNTER && p->blocks > 1 && !f->hidden && !m->journaling)
					blocks_look(m, false, false);
			}
			break;
		}
		CASE(ADF)
		CASE(ADFB) {
			const struct field_info *f = &p->field[I.c];
			word *at = field(m, f, R(I.a));
			bool bounded = I.op == OP_ADFB;
			if (at)
				CHECK(world_add(m, (uint32_t)(at - w), R(I.b), bounded ? R(I.b + 1) : NONE, bounded ? R(I.b + 2) : NONE, f->type.frac, f->shared, I.c));
			break;
		}
		CASE(LDP) {
			const word *at = cell(m, &p->pair[I.c], R(I.b), R(I.b + 1));
			if (at && !p->pair[I.c].fixed)
				memo_read_cell(&m->memo, I.c, (uint32_t)(at - w), R(I.b), R(I.b + 1));
			R(I.a) = at ? READ(at) : NONE;
			if (at && *at == FORGOTTEN)
				break;
			NEXT;
		}
		CASE(STP) {
			const struct pair_info *f = &p->pair[I.c];
			word *at = cell(m, f, R(I.a), R(I.a + 1));
			if (at && plain && !m->journaling) {
				if (*at != R(I.b)) {
					*at = R(I.b);
					memo_wrote(&m->memo, (uint32_t)(at - w));
				}
				w[H_DIRTY] |= (word)f->touches;
				NEXT;
			}
			if (at) {
				w[H_PC] = PC;
				world_set(m, (uint32_t)(at - w), R(I.b), f->shared, I.c + 1000000, false);
			}
			break;
		}
		CASE(ADP)
		CASE(ADPB) {
			const struct pair_info *f = &p->pair[I.c];
			word *at = cell(m, f, R(I.a), R(I.a + 1));
			bool bounded = I.op == OP_ADPB;
			if (at)
				CHECK(world_add(m, (uint32_t)(at - w), R(I.b), bounded ? R(I.b + 1) : NONE, bounded ? R(I.b + 2) : NONE, f->type.frac, f->shared, I.c + 1000000));
			break;
		}
		CASE(LDT)
			R(I.a) = R(I.b) < 0 || R(I.b) >= p->things ? NONE : p->thing_words[R(I.b) * p->thing_fields + I.c];
			NEXT;
		CASE(LDSF) {
			const word *at = field(m, &p->field[I.c], R(I.b));
			if (at)
				read_words(m, I.c, at, p->set_words);
			for (int k = 0; k < p->set_words; k++)
				R(I.a + k) = at ? at[k] : 0;
			NEXT;
		}
		CASE(STSF) {
			const struct field_info *f = &p->field[I.c];
			word *at = field(m, f, R(I.a));
			w[H_PC] = PC;
			for (int k = 0; at && k < p->set_words; k++)
				world_set(m, (uint32_t)(at - w) + (uint32_t)k, R(I.b + k), f->shared, I.c, false);
			break;
		}
		CASE(ADDS)
		CASE(REMS) {
			const struct field_info *f = &p->field[I.c];
			word *at = field(m, f, R(I.a));
			word thing = R(I.b);
			if (!at || thing == NONE)
				break;
			uint32_t where = (uint32_t)(at - w);
			w[H_PC] = PC;
			if (f->type.base == VT_LIST) {
				if (I.op == OP_REMS)
					world_list_remove(m, where, f->words, thing, I.c);
				else
					CHECK(world_list_add(m, where, f->words, thing, I.c));
			} else if (I.op == OP_ADDS) {
				world_set_add(m, where, thing, I.c);
			} else {
				world_set_remove(m, where, thing, I.c);
			}
			break;
		}
		CASE(HASL) {
			const word *at = field(m, &p->field[I.c], R(I.b));
			if (at)
				read_words(m, I.c, at, 1 + at[0]);
			R(I.a) = at ? list_has(p, p->field[I.c].type, at + 1, at[0], R(I.b + 1)) : 0;
			break;
		}
		CASE(LEN) {
			const word *at = field(m, &p->field[I.c], R(I.b));
			if (at)
				read_words(m, I.c, at, 1);
			R(I.a) = at ? at[0] : 0;
			break;
		}
		CASE(ITEM) {
			const word *at = field(m, &p->field[I.c], R(I.b));
			word k = R(I.b + 1);
			if (at)
				read_words(m, I.c, at, 1 + at[0]);
			R(I.a) = at && k >= 0 && k < at[0] ? at[1 + k] : NONE;
			break;
		}
		CASE(HAST)
		CASE(ITEMT) {
			word thing = R(I.b), k = R(I.b + 1);
			word list = thing < 0 || thing >= p->things ? NONE : p->thing_words[thing * p->thing_fields + I.c];
			if (list == NONE)
				R(I.a) = I.op == OP_HAST ? 0 : NONE;
			else if (I.op == OP_HAST)
				R(I.a) = list_has(p, p->thing_field[I.c].type, p->list_words + list + 1, p->list_words[list], k);
			else
				R(I.a) = k >= 0 && k < p->list_words[list] ? p->list_words[list + 1 + k] : NONE;
			break;
		}

		CASE(SNONE) for (int k = 0; k < p->set_words; k++) R(I.a + k) = 0; NEXT;
		CASE(SALL) {
			uint32_t n = p->layout.kind[I.k].count;
			for (int k = 0; k < p->set_words; k++)
				R(I.a + k) = (word)(n >= (uint32_t)(k + 1) * 64 ? ~0ull : n > (uint32_t)k * 64 ? (1ull << (n - (uint32_t)k * 64)) - 1 : 0);
			NEXT;
		}
		CASE(SADD)
			if (R(I.b) >= 0 && R(I.b) < p->set_words * 64)
				R(I.a + R(I.b) / 64) = (word)((uint64_t)R(I.a + R(I.b) / 64) | 1ull << (R(I.b) % 64));
			NEXT;
		CASE(SMOVE)
			if (p->set_words == 1 || p->set_words == 2) { /* a fight of no more than 128 */
				const word first = R(I.b), last = R(I.b + p->set_words - 1);
				R(I.a) = first;
				R(I.a + p->set_words - 1) = last;
				NEXT;
			}
			memmove(&R(I.a), &R(I.b), sizeof(word) * (size_t)p->set_words);
			NEXT;
		CASE(SOR) for (int k = 0; k < p->set_words; k++) R(I.a + k) = R(I.b + k) | R(I.c + k); NEXT;
		CASE(SCOUNT) {
			word n = 0;
			for (int k = 0; k < p->set_words; k++)
				if (R(I.b + k)) /* of two words one is mostly empty: sides are listed one after the other */
					n += __builtin_popcountll((uint64_t)R(I.b + k));
			R(I.a) = n;
			NEXT;
		}
		CASE(SHAS) {
			word one = R(I.c);
			R(I.a) = one >= 0 && one < p->set_words * 64 && ((uint64_t)R(I.b + one / 64) >> (one % 64) & 1);
			NEXT;
		}
		CASE(SNEXT) R(I.a) = set_next(&R(I.b), p->set_words, R(I.a)); NEXT;
		CASE(SNTH) R(I.a) = set_nth(&R(I.b), p->set_words, R(I.c)); NEXT;
		CASE(SKNOWN) {
			int32_t of = memo_of[ip->k];
			if (of >= 0) {
				memo_sift(&m->memo, of, &R(I.b), &R(I.a), &R(I.c));
				NEXT;
			}
			memmove(&R(I.c), &R(I.b), sizeof(word) * (size_t)p->set_words);
			for (int k = 0; k < p->set_words; k++)
				R(I.a + k) = 0;
			NEXT;
		}
		CASE(SAMES) R(I.a) = !memcmp(&R(I.b), &R(I.c), sizeof(word) * (size_t)p->set_words); NEXT;
		CASE(KNEXT) R(I.a) = (uint64_t)R(I.a) + 1 < p->layout.kind[I.k].count ? (word)((uint64_t)R(I.a) + 1) : NONE; NEXT;
		CASE(QNEXT) R(I.a) = quiet_next(m, I.c, R(I.a), R(I.b)); NEXT;
		CASE(AGAIN) quiet_again(m, I.c, R(I.a), R(I.b)); NEXT;
		CASE(LISTED) R(I.a) = act_listed(m, R(I.b), R(I.c)); break;
		CASE(SOUGHT) R(I.a) = act_sought(m, &R(0), R(I.b), R(I.c), ip->k); break;
		CASE(SERIAL) R(I.a) = w[H_SERIAL]; NEXT;

		CASE(ROLL) {
			int label = ip->k;
			if (R(I.b) < 0 || R(I.b) >= p->dices) {
				R(I.a) = NONE; /* no dice: nothing falls */
				break;
			}
			word out = 0;
			if (m->enumerate && chance_waits(m, label, R(I.c))) {
				m->die = (struct fork_die){(int32_t)R(I.b), NONE};
				w[H_PC] = PC - 1;
				return VM_FORK;
			}
			bool told = m->enumerate && m->answered;
			CHECK(chance_roll(m, label, R(I.c), (int32_t)R(I.b), NONE, &out));
			R(I.a) = out;
			if (told && m->live)
				taint_begin(&m->taint, fp + I.a, out);
			break;
		}
		CASE(CHANCE) {
			int label = ip->k;
			word out = 0;
			if (R(I.b) == NONE) {
				R(I.a) = 0;
				break;
			}
			if (m->enumerate && chance_waits(m, label, R(I.c))) {
				m->die = (struct fork_die){-1, R(I.b)};
				w[H_PC] = PC - 1;
				return VM_FORK;
			}
			CHECK(chance_roll(m, label, R(I.c), -1, R(I.b), &out));
			R(I.a) = out;
			break;
		}
		CASE(CHOICE) R(I.a) = chance_choice(m, I.c, R(I.b)); break;
		CASE(CHOSEN)
			if (RECORDING) {
				w[H_PC] = PC;
				int rec = record_new(m, REC_CHOICE);
				if (rec < 0)
					goto failed;
				struct record *x = trace_at(&m->trace, rec);
				x->what = I.c;
				x->owner = R(I.b);
				x->value = R(I.a);
				x->flag = (uint8_t)R(I.b + 1);
			}
			break;
		CASE(PROMPT) {
			struct vm_choice c = {I.c, R(I.b), NULL};
			word answer = NONE;
			R(I.a) = m->host.choose && !m->ignore_script && m->host.choose(m->host.context, &c, &answer) ? answer : NONE;
			break;
		}
		CASE(DICEMOST) {
			int least, most;
			if (R(I.b) < 0 || R(I.b) >= p->dices) {
				R(I.a) = NONE;
				break;
			}
			dice_range(&m->dice[R(I.b)], &least, &most);
			R(I.a) = I.c ? most : least;
			break;
		}
		CASE(TABLE) R(I.a) = table_value(p, I.c, R(I.b), R(I.b + 1)); break;
		CASE(TABLEOF) R(I.a) = table_value(p, R(I.b + 2), R(I.b), R(I.b + 1)); break;
		CASE(RANK) R(I.a) = R(I.b) < 0 || R(I.b) >= p->texts ? NONE : p->text_rank[R(I.b)]; NEXT;

		CASE(ENTER) CHECK(event_enter(m, I.k, &R(I.a))); if (!m->lift) SYNC; break;
		CASE(LEAVE) event_leave(m, I.k != 0); NEXT;
		CASE(STAGE) w[w[H_HAPPENING] + HAP_STAGE] = I.k; NEXT;
		CASE(KEEP)
			if (I.c == 1) {
				m->handed[I.b] = R(I.a);
				m->handed_mask |= 1u << I.b;
			} else if (w[H_HAPPENING]) {
				const struct event_info *e = &p->event[w[w[H_HAPPENING] + HAP_EVENT]];
				if (I.b < e->slots) {
					int n = e->slot_type[I.b].base == VT_SET ? p->set_words : 1;
					memcpy(w + w[H_HAPPENING] + HAP_SLOTS + I.b * p->set_words, &R(I.a), sizeof(word) * (size_t)n);
				}
			}
			break;
		CASE(KEPT) {
			const word *at = kept(m, I.b);
			R(I.a) = at ? *at : NONE;
			NEXT;
		}
		CASE(SETKEPT) {
			word *at = kept(m, I.b);
			if (at && RECORDING && *at != R(I.a)) {
				w[H_PC] = PC;
				CHECK(record_mark(m, at, R(I.a)));
			}
			if (at)
				*at = R(I.a);
			break;
		}
		CASE(CAUSE) memo_read(&m->memo, H_ACT); R(I.a) = w[H_ACT]; NEXT;
		CASE(NOW)
			memo_read(&m->memo, H_NOW);
			R(I.a) = READ(&w[H_NOW]);
			if (w[H_NOW] == FORGOTTEN)
				break;
			NEXT;
		CASE(DIRTY) {
			uint64_t bit = 1ull << (I.k > 63 ? 63 : I.k);
			R(I.a) = ((uint64_t)w[H_DIRTY] & bit) != 0;
			if (R(I.a)) {
				if (m->journaling)
					world_set(m, H_DIRTY, (word)((uint64_t)w[H_DIRTY] & ~bit), true, -1, false);
				else
					w[H_DIRTY] = (word)((uint64_t)w[H_DIRTY] & ~bit);
			}
			NEXT;
		}
		CASE(SETTLE)
			if (!waits_outside(m)) {
				R(I.a) = R(I.a + 1) = 0;
				NEXT;
			}
			fn = I.k;
			goto call;
		CASE(WOKE) woke(m, I.k, remembers, &R(I.a)); NEXT;
		CASE(TURNED) R(I.a) = turned(m, R(I.b), R(I.c) != 0, remembers); NEXT;
		CASE(KEYED)
			if (I.c < ONCE_EVENT || I.c == FIRED) {
				m->brought.record = I.c == FIRED ? 0 : record_brought(m, I.c, R(I.a), R(I.b)) + 1;
				m->brought.under = w[H_HAPPENING];
			} else if (m->journaling) {
				struct effect e = {0};
				e.op = I.c == 0xffff ? EF_KEYED_END : EF_KEYED;
				e.at = I.c;
				e.value = R(I.a);
				e.least = R(I.b);
				e.most = m->trace.n;
				e.clause = m->clause;
				VEC_PUSH(m->journal, e);
			}
			break;

		CASE(ACT) {
			word act = world_act(m, I.k, NONE);
			CHECK(act != NONE);
			if (p->observed)
				ends_copied(m, act, NONE);
			R(I.a) = act;
			break;
		}
		CASE(COPY) {
			word act = R(I.b) == NONE ? NONE : world_act(m, 0, R(I.b));
			CHECK(act != NONE || R(I.b) == NONE);
			if (p->observed && act != NONE)
				ends_copied(m, act, R(I.b));
			R(I.a) = act;
			break;
		}
		CASE(PEND)
			if (R(I.a) == NONE)
				break;
			world_pend(m, R(I.a));
			if (RECORDING) {
				w[H_PC] = PC;
				const int32_t begun = record_act(m, REC_PEND, R(I.a), 0, m->clause, NULL);
				if (begun >= 0)
					ends_begun(m, begun, R(I.a));
			}
			break;
		CASE(FREE)
			if (I.b) {
				if (RECORDING) {
					w[H_PC] = PC;
					ends_asked(m, R(I.a));
				}
				acts_release(m, R(I.a));
			} else if (R(I.a) != NONE) {
				world_free(m, R(I.a));
			}
			break;
		CASE(CANCEL)
			if (I.b == 2) {
				w[H_PC] = PC;
				if (RECORDING)
					ends_uncued(m, R(I.a));
				break;
			}
			if (R(I.a) == NONE || w[act_at(m, R(I.a)) + ACT_STATE] != ACT_PENDING)
				break;
			if (RECORDING) {
				w[H_PC] = PC;
				if (I.b)
					ends_pended(m, R(I.a), LEFT_ROUND);
				else
					ends_cancelled(m, R(I.a));
			}
			world_cancel(m, R(I.a));
			break;
		CASE(LDA)
			if (R(I.b) != NONE)
				memo_read(&m->memo, act_at(m, R(I.b)) + ACT_ARGS + I.c);
			R(I.a) = R(I.b) == NONE ? NONE : w[act_at(m, R(I.b)) + ACT_ARGS + I.c];
			NEXT;
		CASE(STA) world_set(m, act_at(m, R(I.a)) + ACT_ARGS + I.c, R(I.b), false, -1, false); break;
		CASE(EVENTOF)
			if (R(I.b) != NONE)
				memo_read(&m->memo, act_at(m, R(I.b)) + ACT_EVENT);
			R(I.a) = R(I.b) == NONE ? NONE : w[act_at(m, R(I.b)) + ACT_EVENT];
			NEXT;
		CASE(OPEN)
			w[H_PC] = PC;
			CHECK(list_open(m, I.b));
			break;
		CASE(CLOSE)
			list_close(m);
			break;
		CASE(BEAT)
			if (m->groups == 0 && m->resolved && !stop_fp && w[H_LIST] == 0) {
				bool wide = false;
				m->clause = m->order_clause = -1; /* edits are no rule's */
				uint32_t beat = p->field[p->at.beat].base;
				header_set(m, beat, lift_calc(m, OP_ADD, w[beat], 1, &wide));
				if (blocks_look(m, false, false))
					w[H_DIRTY] = -1; /* a condition of it may hold already */
			}
			break;
		CASE(PAUSE)
			if (m->groups == 0 && m->resolved && !stop_fp && w[H_LIST] == 0) {
				w[H_PC] = PC;
				blocks_look(m, false, false);
				blocks_begun(m, -1);
				m->clause = m->order_clause = -1; /* as when a world is restored */
				if (I.k) /* and nothing is left of calls */
					memset(r + I.k - 1, 0, (size_t)(p->fn[w[H_FN]].registers + 1 - I.k) * sizeof *r);
				if (!m->through)
					return VM_PAUSED;
				m->resolved = false;
			}
			break;
		CASE(GROUP) {
			word size = 0;
			FUEL(16);
			CHECK(group_choose(m, R(I.b), I.c != 0, &size));
			R(I.a) = size;
			break;
		}
		CASE(SOLO) CHECK(group_solo(m, R(I.a))); break;
		CASE(MEMBER) R(I.a) = member_word(m, R(I.b), I.c); break;
		CASE(STEP) {
			const struct group *g = m->last;
			const word i = next_at(g, R(I.a), I.c);
			R(I.a + 1) = i < g->n ? g->member[i].act : NONE;
			R(I.a) = i < g->n ? i : NONE;
			NEXT;
		}
		CASE(TURNS) R(I.a) = 1; NEXT;
		CASE(NEEDS) R(I.a) = needs(m, I.b, I.c != 0); NEXT;
		CASE(IDLE) R(I.a) = idle(m, R(I.b), I.c); NEXT;
		CASE(ONLY) R(I.a) = m->last->member[0].act; NEXT;
		CASE(BEGINS) CHECK(group_begin(m, 0, false, I.c)); break;
		CASE(BEGIN) CHECK(group_begin(m, R(I.a), R(I.b) != 0, I.c)); break;
		CASE(END) group_end(m, R(I.a), R(I.b) != 0 && R(I.b) != NONE); SYNC; break;
		CASE(MERGE) CHECK(group_merge(m, m->last)); break;
		CASE(DONE) group_done(m); break;
		CASE(VOID) group_void(m, R(I.a), I.c, R(I.b)); break;
		CASE(BRANCH) CHECK(branch_begin(m, I.a, I.b)); break;
		CASE(JOIN) CHECK(branch_join(m)); break;
		CASE(TRY)
			if (m->tries == TRIES_MAX) {
				w[H_PC] = PC;
				vm_fail(m, VM_LIMIT, M_EVENTS_DEEP, 1, "costs");
				goto failed;
			}
			m->journaling++;
			m->since = NO_COPY;
			m->try_[m->tries].mark = m->journal.n;
			m->try_[m->tries].record = m->trace.n;
			m->try_[m->tries].clause = NONE;
			m->tries++;
			R(I.a) = 0;
			break;
		CASE(UNTRY)
			journal_back(m, m->try_[m->tries - 1].mark, true);
			m->journaling--;
			m->tries--;
			R(I.a) = m->try_[m->tries].clause;
			if (p->observed) {
				trace_cut(&m->trace, m->try_[m->tries].record);
				w[H_TRACE] = m->trace.n;
			}
			break;
		CASE(REFUSE)
			if (m->tries)
				m->try_[m->tries - 1].clause = R(I.a);
			break;

		CASE(PHASE)
			w[H_PHASE] = I.k;
			blocks_look(m, false, false);
			if (RECORDING) {
				w[H_PC] = PC;
				int rec = record_new(m, REC_PHASE);
				if (rec >= 0)
					trace_at(&m->trace, rec)->what = I.k;
			}
			break;
		CASE(ROUNDS) {
			const uint32_t number = p->field[p->at.round_number].base, start = p->field[p->at.round_start].base;
			if (m->last_round != NONE && w[number] >= m->last_round && !stop_fp) {
				w[H_PC] = PC;
				return VM_SYNC;
			}
			R(I.a) = round_begins(m);
			if (!R(I.a))
				break;
			if (RECORDING) {
				w[H_PC] = PC;
				int rec = record_new(m, REC_ROUND);
				int at = rec >= 0 && w[start] != NONE ? trace_values(&m->trace, &w[start], 1) : -1;
				if (rec >= 0) {
					struct record *x = trace_at(&m->trace, rec);
					x->value = w[number];
					x->values = at;
					x->value_count = at >= 0;
				}
			}
			if (m->forgetting == FORGET_LEARN)
				vm_forget(m);
			SYNC;
			break;
		}
		CASE(ENDROUND)
			if (RECORDING) {
				w[H_PC] = PC;
				ends_round(m);
			}
			blocks_look(m, true, false);
			break;
		CASE(OVER)
			if (R(I.a) != 0 && R(I.a) != NONE && m->groups == 0) {
				w[H_OUTCOME] = OUTCOME_OVER;
				w[H_PC] = PC;
				m->winner = R(I.b);
				return VM_OVER;
			}
			break;
		CASE(BLOCK) R(I.a) = w[p->layout.blocks + (uint32_t)I.k]; break;
		CASE(UNTAKEN)
			w[H_PC] = PC;
			R(I.b) = RECORDING && ends_untaken(m, R(I.a), R(I.b), R(I.c));
			break;
		CASE(MOMENT) blocks_begun(m, I.k); break;

		CASE(WATCH) watch_note(m, I.k); break;
		CASE(WATCHED) {
			word seen = w[p->layout.watches + I.k / 4];
			word all = I.k % 4 ? WATCH_SEEN | WATCH_OTHER : WATCH_SEEN;
			R(I.a) = (seen & all) == all && !(seen & WATCH_SPOILT);
			break;
		}

		CASE(NOTE)
		CASE(REFER)
			if (I.op == OP_REFER)
				w[H_REFERRALS]++;
			if (RECORDING) {
				w[H_PC] = PC;
				int rec = record_new(m, I.op == OP_NOTE ? REC_NOTE : REC_REFER);
				if (rec < 0)
					goto failed;
				record_text(m, rec, I.k, &R(I.a));
			}
			break;
		CASE(SUM)
			if (RECORDING) {
				w[H_PC] = PC;
				CHECK(record_sum(m, I.k, &R(I.a)));
			}
			break;
		CASE(RECAST)
			if (RECORDING) {
				w[H_PC] = PC;
				CHECK(record_recast(m, I.k, &R(I.a)));
			}
			break;
		CASE(WRONG) CHECK(record_wrong(m, I.k, &R(I.a))); break;
		CASE(TELL)
			if (RECORDING && w[H_HAPPENING] && w[w[H_HAPPENING] + HAP_RECORD] >= 0)
				record_text(m, (int32_t)w[w[H_HAPPENING] + HAP_RECORD], I.k, &R(I.a));
			break;
		CASE(WHY)
			if (I.a == 2) {
				m->order_clause = I.k;
				break;
			}
			m->clause = I.k;
			if (I.a == 1 && w[H_HAPPENING] && w[w[H_HAPPENING] + HAP_RECORD] >= 0)
				trace_at(&m->trace, (int32_t)w[w[H_HAPPENING] + HAP_RECORD])->clause = I.k;
			break;
		CASE(ASKED) w[H_PC] = PC; asked(m, &R(I.a), I.k); break;
		CASE(BASE) part(m, REC_BASE, R(I.a), I.k); break;
		CASE(LOST) if (R(I.a) != 0) part(m, REC_LOST, R(I.a), I.k); break;
		CASE(ADJUST) part(m, REC_ADJUST, R(I.a), I.k); break;
		CASE(BOUND) part(m, REC_BOUND, R(I.a), I.k); break;
		CASE(ANSWER) answered(m, R(I.a)); break;
		CASE(DECLARE)
			if (RECORDING) {
				w[H_PC] = PC;
				const int32_t begun = record_act(m, REC_DECLARE, R(I.b), I.c, -1, NULL);
				if (begun >= 0)
					ends_begun(m, begun, R(I.b));
			}
			break;
		CASE(REFUSED)
			if (RECORDING) {
				w[H_PC] = PC;
				record_act(m, REC_REFUSED, R(I.a), I.c, (int32_t)R(I.b), NULL);
			}
			break;
		case OP_COUNT:
			unreachable();
	Q_RET_OWN: {
		const word back = r[-2], packed = r[-1], answer = R(I.a);
		memo_owned(&m->memo, m->memo.of[w[H_FN]], r[0], answer);
		r[-2] = answer;
		RETURN(back, packed);
	}
#ifndef FRAY_PROFILE
		/* two at once: quick.h */
	Q_LE_JZ: COMPARE_JUMP(!NONE_OF(x_, y_) && x_ <= y_, false);
	Q_LE_JNZ: COMPARE_JUMP(!NONE_OF(x_, y_) && x_ <= y_, true);
	Q_LT_JZ: COMPARE_JUMP(!NONE_OF(x_, y_) && x_ < y_, false);
	Q_LT_JNZ: COMPARE_JUMP(!NONE_OF(x_, y_) && x_ < y_, true);
	Q_SAME_JZ: COMPARE_JUMP(x_ == y_, false);
	Q_SAME_JNZ: COMPARE_JUMP(x_ == y_, true);
	Q_EQ_JZ: COMPARE_JUMP(!NONE_OF(x_, y_) && x_ == y_, false);
	Q_EQ_JNZ: COMPARE_JUMP(!NONE_OF(x_, y_) && x_ == y_, true);
	Q_LDF_JNONE: FIELD_JUMP(v_ == NONE);
	Q_LDF_JZ: FIELD_JUMP(v_ == 0 || v_ == NONE);
	Q_LDF_JNZ: FIELD_JUMP(v_ != 0 && v_ != NONE);
	Q_LDT_JNONE: TEMPLATE_JUMP(v_ == NONE);
	Q_LDT_JZ: TEMPLATE_JUMP(v_ == 0 || v_ == NONE);
	Q_LDT_JNZ: TEMPLATE_JUMP(v_ != 0 && v_ != NONE);
	Q_LDF: {
		const struct reach *f = &m->reach[I.c];
		const word thing = R(I.b);
		word v = NONE;
		if ((uint64_t)thing < f->count) {
			const uint32_t at = f->base + (uint32_t)thing * f->stride;
			v = w[at];
			if (!f->fixed)
				memo_read(&m->memo, at);
		}
		R(I.a) = v;
		NEXT;
	}
	Q_LDF_FIXED: {
		const struct reach *f = &m->reach[I.c];
		const word thing = R(I.b);
		R(I.a) = (uint64_t)thing < f->count ? w[f->base + (uint32_t)thing * f->stride] : NONE;
		NEXT;
	}
	Q_FILL:
		if (plain && remembers) {
			const uint64_t members = fill(m, r, &I);
			FUEL(4 * members);
		}
		goto Q_SNEXT_JNONE;
	Q_STORE_ALL:
		if (plain && remembers)
			store_all(m, r, &I, true);
		goto Q_KNEXT_JNONE;
	Q_TURN:
		ip += I.k;
		NEXT;
	Q_SNEXT_JNONE: {
		const word v = set_next(&R(I.b), p->set_words, R(I.a));
		R(I.a) = v;
		ip++;
		if (v == NONE)
			ip += I.k;
		NEXT;
	}
	Q_KNEXT_JNONE: {
		const word v = (uint64_t)(R(I.a) + 1) < p->layout.kind[I.k].count ? R(I.a) + 1 : NONE;
		R(I.a) = v;
		ip++;
		if (v == NONE)
			ip += I.k;
		NEXT;
	}
	Q_MOVE_MOVE:
		R(I.a) = R(I.b);
		ip++;
		R(I.a) = R(I.b);
		NEXT;
	Q_MOVE_CALL:
		R(I.a) = R(I.b);
		ip++;
		goto L_CALL;
	Q_LOADI_LOADI:
		R(I.a) = I.k;
		ip++;
		R(I.a) = I.k;
		NEXT;
	Q_LDP_JSOME: {
		const struct pair_info *f = &p->pair[I.c];
		const word *at = cell(m, f, R(I.b), R(I.b + 1));
		if (at && !f->fixed)
			memo_read_cell(&m->memo, I.c, (uint32_t)(at - w), R(I.b), R(I.b + 1));
		const word v = at ? *at : NONE;
		R(I.a) = v;
		ip++;
		if (v != NONE)
			ip += I.k;
		NEXT;
	}
	Q_RET_ONE: {
		const word back = r[-2], packed = r[-1];
		r[-2] = R(I.a);
		RETURN(back, packed);
	}
	Q_LOADI_LDF:
		R(I.a) = I.k;
		ip++;
		goto Q_LDF;
	Q_MOVE_CALL_ONE:
		R(I.a) = R(I.b);
		ip++;
	Q_CALL_ONE:
		fn = I.k;
		if (memo_of[fn] >= 0) {
			const word *known = memo_find_one(&m->memo, m->memo.of[fn], R(I.a + 2));
			if (known) {
				R(I.a) = *known;
				NEXT;
			}
			FUEL(8);
			if (m->memo.depth < MEMO_DEEP)
				memo_begin(&m->memo, m->memo.of[fn], &R(I.a + 2), fp + I.a + 2);
			goto enter;
		}
		if (fn == m->pending.once.fn && R(I.a + 2) == m->pending.once.act && m->memo.depth == 1) {
			R(I.a) = m->pending.once.time; /* what it rests on was noted for the same place */
			NEXT;
		}
		FUEL(8);
		goto enter;
#endif
		}
		if (m->status != VM_PAUSED)
			goto failed;
	}
overflow:
	w[H_PC] = PC;
	vm_fail(m, VM_FAILED, M_OVERFLOW, 0);
	goto failed;
division:
	w[H_PC] = PC;
	vm_fail(m, VM_FAILED, M_DIVISION, 0);
	goto failed;
over:
	w[H_PC] = PC;
	if (w[H_OUTCOME] == 0)
		w[H_OUTCOME] = OUTCOME_PLAYED;
	return VM_OVER;
failed:
	if (w[H_OUTCOME] == 0)
		w[H_OUTCOME] = OUTCOME_STOPPED;
	return m->status == VM_PAUSED ? VM_FAILED : m->status;
}
