/* run.c - the dispatch loop. One case an instruction, in the order of ops.def; what takes
 * more than a few lines is in the other files of this folder. */
#include <string.h>

#include "runtime/code/show.h"
#include "runtime/vm/machine.h"
#include "runtime/vm/profile.h"

#define NONE_OF(a, b) ((a) == NONE || (b) == NONE)

/* The word of a live thing's field; NULL when the thing does not exist. */
static inline word *field(struct vm *m, const struct field_info *f, word thing)
{
	if (thing < 0)
		return NULL;
	uint32_t count = m->p->layout.kind[f->kind].count;
	if ((uint64_t)thing >= count + (f->kind == KIND_ACT))
		return NULL;
	return m->w + f->base + (uint64_t)thing * f->stride;
}

/* A set or list is read: its words lead to the answer being worked out. */
static void read_words(struct vm *m, const struct field_info *f, const word *at, word n)
{
	if (!f->fixed)
		for (word k = 0; k < n && m->memo.depth; k++)
			memo_note(&m->memo, (uint32_t)(at + k - m->w));
}

static inline word *cell(struct vm *m, const struct pair_info *f, word a, word b)
{
	if (a < 0 || b < 0 || (uint64_t)a >= f->side || (uint64_t)b >= f->side)
		return NULL;
	/* a symmetric pair has one cell, the lesser index first */
	if (!f->directed && a > b) {
		word t = a;
		a = b;
		b = t;
	}
	return m->w + f->base + (uint64_t)a * f->side + (uint64_t)b;
}

static bool is_a(const struct program *p, word thing, word ancestor)
{
	if (ancestor < 0)
		return thing == ancestor;
	for (; thing >= 0 && thing < p->things; thing = p->thing[thing].parent)
		if (thing == ancestor)
			return true;
	return false;
}

static word set_next(const word *set, int words, word after)
{
	word i = after + 1;
	for (int w = (int)(i / 64); w < words; w++) {
		uint64_t bits = (uint64_t)set[w];
		if (w == i / 64)
			bits &= ~0ull << (i % 64);
		if (bits)
			return w * 64 + __builtin_ctzll(bits);
	}
	return NONE;
}

static word listed(struct vm *m, word after, word limit)
{
	word serial = after == NONE ? -1 : m->w[act_at(m, after) + ACT_SERIAL];
	/* an act that was taken off meanwhile: go on behind where it stood */
	word best = NONE, best_serial = 0;
	for (uint32_t i = 0; i < (uint32_t)m->w[H_ACTS]; i++) {
		uint32_t at = act_at(m, i);
		word s = m->w[at + ACT_SERIAL];
		if (m->w[at + ACT_STATE] != ACT_PENDING || m->w[at + ACT_LIST] != m->w[H_LIST] || s <= serial || (limit != NONE && s >= limit))
			continue;
		if (best == NONE || s < best_serial) {
			best = i;
			best_serial = s;
		}
	}
	return best;
}

static bool in_row(const struct table_row *r, word key, bool frac)
{
	int from = r->from == NONE ? 1 : frac ? frac_compare(key, r->from) : (key > r->from) - (key < r->from);
	int to = r->to == NONE ? -1 : frac ? frac_compare(key, r->to) : (key > r->to) - (key < r->to);
	return (r->over ? from > 0 : from >= 0) && to <= 0;
}

static word table_value(const struct program *p, word table, word key, word column)
{
	if (table < 0 || table >= p->tables || key == NONE)
		return NONE;
	const struct table_info *t = &p->table[table];
	int at = 0;
	while (at < t->columns && p->table_words[t->column + at] != column)
		at++;
	if (t->columns && at == t->columns)
		return NONE;
	for (int i = 0; i < t->rows; i++)
		if (in_row(&p->table_row[t->first + i], key, t->key.frac))
			return p->table_words[p->table_row[t->first + i].values + at];
	return NONE;
}

static word list_has(const struct program *p, const word *list, word n, word thing)
{
	for (word i = 0; i < n; i++)
		if (list[i] == thing || is_a(p, list[i], thing))
			return 1;
	return 0;
}

/* What the nearest event in progress keeps under a name; NULL if none does. */
static word *kept(struct vm *m, int name)
{
	for (uint32_t at = (uint32_t)m->w[H_HAPPENING]; at; at = (uint32_t)m->w[at + HAP_PARENT]) {
		const struct event_info *e = &m->p->event[m->w[at + HAP_EVENT]];
		for (int i = 0; i < e->slots; i++)
			if (e->slot_name[i] == name)
				return m->w + at + HAP_SLOTS + (uint32_t)(i * m->p->set_words);
	}
	return NULL;
}

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
			buf_printf(&line[2], "Both stand in %s, so neither outranks the other.", layers[one->layer]);
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
	if (m->quiet)
		return;
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
	if (m->quiet || m->question < 0)
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
	if (m->quiet || m->question < 0)
		return;
	int r = m->question;
	struct record *x = trace_at(&m->trace, r);
	int parent = x->parent;
	bool in_question = parent >= 0 && (trace_get(&m->trace, parent)->kind == REC_QUESTION || trace_get(&m->trace, parent)->kind == REC_KEY);
	x->value = value;
	x->closed = true;
	m->question = in_question ? parent : -1;
	if (!worth(m, x->what)) {
		trace_cut(&m->trace, r);
		m->w[H_TRACE] = m->trace.record.n;
	}
}

static void declared(struct vm *m, word who, word act, int decided, enum record_kind kind, int32_t clause)
{
	int r = record_new(m, kind);
	if (r < 0)
		return;
	const struct event_info *e = &m->p->event[m->w[act_at(m, act) + ACT_EVENT]];
	word arguments[ACT_WORDS * 4];
	for (int k = 0; k < e->roles; k++) {
		int width = e->role[k].type.base == VT_SET ? m->p->set_words : 1;
		for (int j = 0; j < width && e->role[k].word + j < (int)FRAY_COUNT(arguments); j++)
			arguments[e->role[k].word + j] = e->role[k].field >= 0 ? *field(m, &m->p->field[e->role[k].field], act)
			                                                       : m->w[act_at(m, act) + ACT_ARGS + e->role[k].word + (uint32_t)j];
	}
	record_event(m, r, (int32_t)m->w[act_at(m, act) + ACT_EVENT], arguments);
	struct record *x = trace_at(&m->trace, r);
	x->act = (int32_t)act;
	x->owner = who;
	x->flag = (uint8_t)decided;
	x->clause = clause;
}

/* Has somebody acted, even if something else came of it? */
static bool member_acted(const struct vm *m, const struct member *mb)
{
	if (mb->is_void || (mb->stopped && !mb->replaced))
		return false;
	return m->p->event[m->w[act_at(m, mb->act) + ACT_EVENT]].action;
}

/* ---- the loop ---- */

enum { JOURNAL_MOST = 2000000 }; /* changes of one group of acts that may yet be taken back */

#define R(x) r[x]
#define FUEL(n)                                                       \
	do {                                                              \
		if (m->fuel < (n)) {                                          \
			w[H_PC] = pc;                                             \
			vm_fail(m, VM_LIMIT, M_FUEL, 0);                          \
			goto failed;                                              \
		}                                                             \
		m->fuel -= (n);                                               \
	} while (0)
#define CHECK(condition)                                              \
	do {                                                              \
		w[H_PC] = pc;                                                 \
		if (!(condition))                                             \
			goto failed;                                              \
	} while (0)
/* A word of the world that may have been forgotten (forget.c). */
#define READ(at) (*(at) == FORGOTTEN ? forget_read(m, (uint32_t)((at) - w)) : *(at))
/* A place where machines that enumerate meet. */
#define SYNC                                                          \
	do {                                                              \
		if (m->enumerate && !stop_fp) {                               \
			w[H_PC] = pc;                                             \
			return VM_SYNC;                                           \
		}                                                             \
	} while (0)
#define ARITH(call)                                                   \
	do {                                                              \
		if (NONE_OF(R(i.b), R(i.c))) {                                \
			R(i.a) = NONE;                                            \
		} else {                                                      \
			bool bad = false;                                         \
			word v = call;                                            \
			if (bad)                                                  \
				goto overflow;                                        \
			R(i.a) = v;                                               \
		}                                                             \
	} while (0)
#define RECORDING (p->observed && !m->quiet)

enum vm_status vm_loop(struct vm *m, uint32_t stop_fp)
{
	const struct program *p = m->p;
	word *w = m->w;
	const struct insn *const code = p->code;
	const bool tracking = m->enumerate, remembers = vm_remembers(m);
	word pc = w[H_PC];
	uint32_t fp = (uint32_t)w[H_FP];
	word *r = w + fp;
	const uint32_t stack_end = p->layout.stack + p->layout.stack_words;
	unsigned polls = 0;
	for (;;) {
		const struct insn i = code[pc++];
		PROFILE(p, pc - 1);
		if (tracking && m->taint.n)
			taint_look(m, &code[pc - 1], fp);
		must(i.op < OP_COUNT);
		if (i.op >= OP_COUNT)
			__builtin_unreachable(); /* the program is verified: no bounds to look at below */
		switch ((enum op)i.op) {
		case OP_NOP:
		case OP_EXT:
			break;
		case OP_MOVE: R(i.a) = R(i.b); continue;
		case OP_LOADI: R(i.a) = i.k; continue;
		case OP_LOADK: R(i.a) = p->constant[i.k]; continue;

		case OP_ADD: ARITH(num_add(R(i.b), R(i.c), &bad)); break;
		case OP_SUB: ARITH(num_sub(R(i.b), R(i.c), &bad)); break;
		case OP_MUL: ARITH(num_mul(R(i.b), R(i.c), &bad)); break;
		case OP_NEG: R(i.a) = R(i.b) == NONE ? NONE : -R(i.b); continue;
		case OP_MIN: R(i.a) = R(i.b) == NONE ? R(i.c) : R(i.c) == NONE ? R(i.b) : R(i.b) < R(i.c) ? R(i.b) : R(i.c); continue;
		case OP_MAX: R(i.a) = R(i.b) == NONE ? R(i.c) : R(i.c) == NONE ? R(i.b) : R(i.b) > R(i.c) ? R(i.b) : R(i.c); continue;
		case OP_REM:
			if (NONE_OF(R(i.b), R(i.c))) {
				R(i.a) = NONE;
			} else if (R(i.c) == 0) {
				goto division;
			} else {
				word v = R(i.c) == -1 ? 0 : R(i.b) % R(i.c);
				R(i.a) = v < 0 ? v + (R(i.c) < 0 ? -R(i.c) : R(i.c)) : v;
			}
			break;

		case OP_FRAC:
			if (R(i.b) == NONE) {
				R(i.a) = NONE;
			} else {
				bool bad = false;
				word v = frac_of(R(i.b), &bad);
				if (bad)
					goto overflow;
				R(i.a) = v;
			}
			break;
		case OP_DIV:
			if (R(i.c) == 0)
				goto division;
			ARITH(frac_make(R(i.b), R(i.c), &bad));
			break;
		case OP_FADD: ARITH(frac_add(R(i.b), R(i.c), &bad)); break;
		case OP_FSUB: ARITH(frac_sub(R(i.b), R(i.c), &bad)); break;
		case OP_FMUL: ARITH(frac_mul(R(i.b), R(i.c), &bad)); break;
		case OP_FDIV:
			if (R(i.c) != NONE && frac_top(R(i.c)) == 0)
				goto division;
			ARITH(frac_div(R(i.b), R(i.c), &bad));
			break;
		case OP_FMIN: R(i.a) = R(i.b) == NONE ? R(i.c) : R(i.c) == NONE || frac_compare(R(i.b), R(i.c)) < 0 ? R(i.b) : R(i.c); break;
		case OP_FMAX: R(i.a) = R(i.b) == NONE ? R(i.c) : R(i.c) == NONE || frac_compare(R(i.b), R(i.c)) > 0 ? R(i.b) : R(i.c); break;
		case OP_ROUND: R(i.a) = frac_round(R(i.b), (enum rounding)i.c); break;

		case OP_SAME: R(i.a) = R(i.b) == R(i.c); continue;
		case OP_EQ: R(i.a) = !NONE_OF(R(i.b), R(i.c)) && R(i.b) == R(i.c); continue;
		case OP_NE: R(i.a) = !NONE_OF(R(i.b), R(i.c)) && R(i.b) != R(i.c); continue;
		case OP_LT: R(i.a) = !NONE_OF(R(i.b), R(i.c)) && R(i.b) < R(i.c); continue;
		case OP_LE: R(i.a) = !NONE_OF(R(i.b), R(i.c)) && R(i.b) <= R(i.c); continue;
		case OP_FLT: R(i.a) = !NONE_OF(R(i.b), R(i.c)) && frac_compare(R(i.b), R(i.c)) < 0; break;
		case OP_FLE: R(i.a) = !NONE_OF(R(i.b), R(i.c)) && frac_compare(R(i.b), R(i.c)) <= 0; break;
		case OP_NOT: R(i.a) = R(i.b) == 0 || R(i.b) == NONE; continue;
		case OP_ISA: R(i.a) = is_a(p, R(i.b), R(i.c)); continue;

		case OP_KINDOF: R(i.a) = R(i.b) < 0 || R(i.b) >= p->things ? NONE : p->thing[R(i.b)].kind; continue;

		case OP_JMP: pc += i.k; continue;
		case OP_LOOP:
			FUEL(4);
			pc += i.k;
			if (m->journal.n > JOURNAL_MOST) { /* memory has an end, too */
				w[H_PC] = pc;
				vm_fail(m, VM_LIMIT, M_FUEL, 0);
				goto failed;
			}
			if ((++polls & 1023) == 0 && m->host.interrupted && m->host.interrupted(m->host.context)) {
				w[H_PC] = pc;
				m->status = VM_INTERRUPTED;
				goto failed;
			}
			break;
		case OP_JZ: if (R(i.a) == 0 || R(i.a) == NONE) pc += i.k; continue;
		case OP_JNZ: if (R(i.a) != 0 && R(i.a) != NONE) pc += i.k; continue;
		case OP_JNONE: if (R(i.a) == NONE) pc += i.k; continue;
		case OP_CALL:
		case OP_CALLACT: {
			int fn = i.op == OP_CALL ? i.k : R(i.b) >= 0 && R(i.b) < p->events ? p->event[R(i.b)].act_fn : -1;
			FUEL(8);
			if (fn < 0) {
				R(i.a) = 0;
				break;
			}
			if (remembers && m->memo.of[fn] >= 0) {
				int32_t of = m->memo.of[fn];
				const word *known = memo_find(&m->memo, of, &R(i.a + 2));
				if (known) {
					for (int k = 0; k < p->fn[fn].results; k++)
						R(i.a + k) = known[k];
					continue;
				}
				if (m->memo.depth < MEMO_DEEP)
					memo_begin(&m->memo, of, &R(i.a + 2), fp + i.a + 2);
			}
			const struct fn_info *f = &p->fn[fn];
			uint32_t to = fp + i.a + 2;
			if (to + f->registers + 2 > stack_end) {
				w[H_PC] = pc;
				vm_fail(m, VM_LIMIT, M_CALLS_DEEP, 1, f->name);
				goto failed;
			}
			R(i.a) = pc;
			R(i.a + 1) = (word)((uint64_t)fp << 32 | (uint32_t)w[H_FN]);
			fp = to;
			r = w + fp;
			pc = f->entry;
			w[H_FP] = fp;
			w[H_FN] = fn;
			continue;
		}
		case OP_RET: {
			word back = r[-2], packed = r[-1];
			for (int k = 0; k < i.b; k++)
				r[-2 + k] = R(i.a + k);
			if (m->memo.depth && m->memo.frame[m->memo.depth - 1].fp == fp)
				memo_end(&m->memo, &r[-2]);
			if (back < 0) {
				if (fp != stop_fp)
					goto over;
				return VM_OVER;
			}
			fp = (uint32_t)((uint64_t)packed >> 32);
			w[H_FP] = fp;
			w[H_FN] = (word)(uint32_t)packed;
			r = w + fp;
			pc = back;
			continue;
		}
		case OP_TURN:
			if (R(i.a) >= R(i.b)) {
				w[H_PC] = pc;
				vm_fail(m, VM_LIMIT, M_REPEAT, 0);
				goto failed;
			}
			R(i.a)++;
			break;
		case OP_FATAL:
			w[H_PC] = pc;
			vm_fail(m, VM_FAILED, (enum message)i.k, 0);
			goto failed;
		case OP_RULING:
			w[H_PC] = pc;
			ruling(m, R(i.a), R(i.a + 1), i.k, R(0));
			goto failed;
		case OP_HALT:
			goto over;

		case OP_LDF: {
			const word *at = field(m, &p->field[i.c], R(i.b));
			if (at && !p->field[i.c].fixed)
				memo_read(&m->memo, (uint32_t)(at - w));
			R(i.a) = at ? READ(at) : NONE;
			break;
		}
		case OP_STF: {
			const struct field_info *f = &p->field[i.c];
			word *at = field(m, f, R(i.a));
			if (at) {
				w[H_PC] = pc;
				world_set(m, (uint32_t)(at - w), R(i.b), f->shared, i.c, f->type.base == VT_LIVE && f->type.kind == KIND_ACT);
				if (f->kind == KIND_ENCOUNTER && p->blocks > 1 && !f->hidden && !m->journaling)
					blocks_look(m, false, false);
			}
			break;
		}
		case OP_ADF:
		case OP_ADFB: {
			const struct field_info *f = &p->field[i.c];
			word *at = field(m, f, R(i.a));
			bool bounded = i.op == OP_ADFB;
			if (at)
				CHECK(world_add(m, (uint32_t)(at - w), R(i.b), bounded ? R(i.b + 1) : NONE, bounded ? R(i.b + 2) : NONE, f->type.frac, f->shared, i.c));
			break;
		}
		case OP_LDP: {
			const word *at = cell(m, &p->pair[i.c], R(i.b), R(i.b + 1));
			if (at && !p->pair[i.c].fixed)
				memo_read(&m->memo, (uint32_t)(at - w));
			R(i.a) = at ? READ(at) : NONE;
			break;
		}
		case OP_STP: {
			const struct pair_info *f = &p->pair[i.c];
			word *at = cell(m, f, R(i.a), R(i.a + 1));
			if (at) {
				w[H_PC] = pc;
				world_set(m, (uint32_t)(at - w), R(i.b), f->shared, i.c + 1000000, false);
			}
			break;
		}
		case OP_ADP:
		case OP_ADPB: {
			const struct pair_info *f = &p->pair[i.c];
			word *at = cell(m, f, R(i.a), R(i.a + 1));
			bool bounded = i.op == OP_ADPB;
			if (at)
				CHECK(world_add(m, (uint32_t)(at - w), R(i.b), bounded ? R(i.b + 1) : NONE, bounded ? R(i.b + 2) : NONE, f->type.frac, f->shared, i.c + 1000000));
			break;
		}
		case OP_LDT:
			R(i.a) = R(i.b) < 0 || R(i.b) >= p->things ? NONE : p->thing_words[R(i.b) * p->thing_fields + i.c];
			break;
		case OP_LDSF: {
			const word *at = field(m, &p->field[i.c], R(i.b));
			if (at)
				read_words(m, &p->field[i.c], at, p->set_words);
			for (int k = 0; k < p->set_words; k++)
				R(i.a + k) = at ? at[k] : 0;
			break;
		}
		case OP_STSF: {
			const struct field_info *f = &p->field[i.c];
			word *at = field(m, f, R(i.a));
			w[H_PC] = pc;
			for (int k = 0; at && k < p->set_words; k++)
				world_set(m, (uint32_t)(at - w) + (uint32_t)k, R(i.b + k), f->shared, i.c, false);
			break;
		}
		case OP_ADDS:
		case OP_REMS: {
			const struct field_info *f = &p->field[i.c];
			word *at = field(m, f, R(i.a));
			word thing = R(i.b);
			if (!at || thing == NONE)
				break;
			uint32_t where = (uint32_t)(at - w);
			w[H_PC] = pc;
			if (f->type.base == VT_LIST) {
				if (i.op == OP_REMS)
					world_list_remove(m, where, f->words, thing, i.c);
				else
					CHECK(world_list_add(m, where, f->words, thing, i.c));
			} else if (i.op == OP_ADDS) {
				world_set_add(m, where, thing, i.c);
			} else {
				world_set_remove(m, where, thing, i.c);
			}
			break;
		}
		case OP_HASL: {
			const word *at = field(m, &p->field[i.c], R(i.b));
			if (at)
				read_words(m, &p->field[i.c], at, 1 + at[0]);
			R(i.a) = at ? list_has(p, at + 1, at[0], R(i.b + 1)) : 0;
			break;
		}
		case OP_LEN: {
			const word *at = field(m, &p->field[i.c], R(i.b));
			if (at)
				read_words(m, &p->field[i.c], at, 1);
			R(i.a) = at ? at[0] : 0;
			break;
		}
		case OP_ITEM: {
			const word *at = field(m, &p->field[i.c], R(i.b));
			word k = R(i.b + 1);
			if (at)
				read_words(m, &p->field[i.c], at, 1 + at[0]);
			R(i.a) = at && k >= 0 && k < at[0] ? at[1 + k] : NONE;
			break;
		}
		case OP_HAST:
		case OP_ITEMT: {
			word thing = R(i.b), k = R(i.b + 1);
			word list = thing < 0 || thing >= p->things ? NONE : p->thing_words[thing * p->thing_fields + i.c];
			if (list == NONE)
				R(i.a) = i.op == OP_HAST ? 0 : NONE;
			else if (i.op == OP_HAST)
				R(i.a) = list_has(p, p->list_words + list + 1, p->list_words[list], k);
			else
				R(i.a) = k >= 0 && k < p->list_words[list] ? p->list_words[list + 1 + k] : NONE;
			break;
		}

		case OP_SNONE: for (int k = 0; k < p->set_words; k++) R(i.a + k) = 0; continue;
		case OP_SALL: {
			uint32_t n = p->layout.kind[i.k].count;
			for (int k = 0; k < p->set_words; k++)
				R(i.a + k) = (word)(n >= (uint32_t)(k + 1) * 64 ? ~0ull : n > (uint32_t)k * 64 ? (1ull << (n - (uint32_t)k * 64)) - 1 : 0);
			break;
		}
		case OP_SADD:
			if (R(i.b) >= 0 && R(i.b) < p->set_words * 64)
				R(i.a + R(i.b) / 64) = (word)((uint64_t)R(i.a + R(i.b) / 64) | 1ull << (R(i.b) % 64));
			break;
		case OP_SMOVE: memmove(&R(i.a), &R(i.b), sizeof(word) * (size_t)p->set_words); continue;
		case OP_SOR: for (int k = 0; k < p->set_words; k++) R(i.a + k) = R(i.b + k) | R(i.c + k); break;
		case OP_SCOUNT: {
			word n = 0;
			for (int k = 0; k < p->set_words; k++)
				n += __builtin_popcountll((uint64_t)R(i.b + k));
			R(i.a) = n;
			break;
		}
		case OP_SHAS: {
			word one = R(i.c);
			R(i.a) = one >= 0 && one < p->set_words * 64 && ((uint64_t)R(i.b + one / 64) >> (one % 64) & 1);
			break;
		}
		case OP_SNEXT: R(i.a) = set_next(&R(i.b), p->set_words, R(i.a)); continue;
		case OP_SAMES: R(i.a) = !memcmp(&R(i.b), &R(i.c), sizeof(word) * (size_t)p->set_words); break;
		case OP_KNEXT: R(i.a) = (uint64_t)(R(i.a) + 1) < p->layout.kind[i.k].count ? R(i.a) + 1 : NONE; continue;
		case OP_LISTED: R(i.a) = listed(m, R(i.b), R(i.c)); break;
		case OP_SERIAL: R(i.a) = w[H_SERIAL]; continue;

		case OP_ROLL: {
			int label = p->code[pc].k;
			if (R(i.b) < 0 || R(i.b) >= p->dices) {
				R(i.a) = NONE; /* no dice: nothing falls */
				break;
			}
			word out = 0;
			if (m->enumerate && chance_waits(m, label, R(i.c))) {
				m->die = (struct fork_die){(int32_t)R(i.b), NONE};
				w[H_PC] = pc - 1;
				return VM_FORK;
			}
			bool told = m->enumerate && m->answered;
			CHECK(chance_roll(m, label, R(i.c), (int32_t)R(i.b), NONE, &out));
			R(i.a) = out;
			if (told && m->live)
				taint_begin(&m->taint, fp + i.a, out);
			break;
		}
		case OP_CHANCE: {
			int label = p->code[pc].k;
			word out = 0;
			if (R(i.b) == NONE) {
				R(i.a) = 0;
				break;
			}
			if (m->enumerate && chance_waits(m, label, R(i.c))) {
				m->die = (struct fork_die){-1, R(i.b)};
				w[H_PC] = pc - 1;
				return VM_FORK;
			}
			CHECK(chance_roll(m, label, R(i.c), -1, R(i.b), &out));
			R(i.a) = out;
			break;
		}
		case OP_CHOICE: R(i.a) = chance_choice(m, i.c, R(i.b)); break;
		case OP_CHOSEN:
			if (RECORDING) {
				w[H_PC] = pc;
				int rec = record_new(m, REC_CHOICE);
				if (rec < 0)
					goto failed;
				struct record *x = trace_at(&m->trace, rec);
				x->what = i.c;
				x->owner = R(i.b);
				x->value = R(i.a);
				x->flag = (uint8_t)R(i.b + 1);
			}
			break;
		case OP_PROMPT: {
			struct vm_choice c = {i.c, R(i.b), NULL};
			word answer = NONE;
			R(i.a) = m->host.choose && !m->ignore_script && m->host.choose(m->host.context, &c, &answer) ? answer : NONE;
			break;
		}
		case OP_DICEMOST: {
			int least, most;
			if (R(i.b) < 0 || R(i.b) >= p->dices) {
				R(i.a) = NONE;
				break;
			}
			dice_range(&m->dice[R(i.b)], &least, &most);
			R(i.a) = i.c ? most : least;
			break;
		}
		case OP_TABLE: R(i.a) = table_value(p, i.c, R(i.b), R(i.b + 1)); break;
		case OP_TABLEOF: R(i.a) = table_value(p, R(i.b + 2), R(i.b), R(i.b + 1)); break;
		case OP_RANK: R(i.a) = R(i.b) < 0 || R(i.b) >= p->texts ? NONE : p->text_rank[R(i.b)]; continue;

		case OP_ENTER: CHECK(event_enter(m, i.k, &R(i.a))); SYNC; break;
		case OP_LEAVE: event_leave(m, i.k != 0); break;
		case OP_STAGE: w[w[H_HAPPENING] + HAP_STAGE] = i.k; break;
		case OP_KEEP:
			if (i.c == 1) {
				m->handed[i.b] = R(i.a);
				m->handed_mask |= 1u << i.b;
			} else if (w[H_HAPPENING]) {
				const struct event_info *e = &p->event[w[w[H_HAPPENING] + HAP_EVENT]];
				if (i.b < e->slots) {
					int n = e->slot_type[i.b].base == VT_SET ? p->set_words : 1;
					memcpy(w + w[H_HAPPENING] + HAP_SLOTS + i.b * p->set_words, &R(i.a), sizeof(word) * (size_t)n);
				}
			}
			break;
		case OP_KEPT: {
			const word *at = kept(m, i.b);
			R(i.a) = at ? *at : NONE;
			break;
		}
		case OP_SETKEPT: {
			word *at = kept(m, i.b);
			if (at)
				*at = R(i.a);
			break;
		}
		case OP_CAUSE: memo_read(&m->memo, H_ACT); R(i.a) = w[H_ACT]; continue;
		case OP_NOW: memo_read(&m->memo, H_NOW); R(i.a) = READ(&w[H_NOW]); break;
		case OP_DIRTY: {
			uint64_t bit = 1ull << (i.k > 63 ? 63 : i.k);
			R(i.a) = ((uint64_t)w[H_DIRTY] & bit) != 0;
			if (R(i.a)) {
				if (m->journaling)
					world_set(m, H_DIRTY, (word)((uint64_t)w[H_DIRTY] & ~bit), true, -1, false);
				else
					w[H_DIRTY] = (word)((uint64_t)w[H_DIRTY] & ~bit);
			}
			break;
		}
		case OP_TURNED: {
			word place = R(i.b);
			bool was = (uint64_t)w[p->layout.conditions + place / 64] >> (place % 64) & 1;
			bool is = R(i.c) != 0;
			if (was != is)
				world_condition(m, place, is);
			R(i.a) = is && !was;
			break;
		}
		case OP_KEYED:
			if (m->journaling) {
				struct effect e = {0};
				e.op = i.c == 0xffff ? EF_KEYED_END : EF_KEYED;
				e.at = i.c;
				e.value = R(i.a);
				e.least = R(i.b);
				e.most = m->trace.record.n;
				e.clause = m->clause;
				VEC_PUSH(m->journal, e);
			}
			break;

		case OP_ACT: {
			word act = world_act(m, i.k, NONE);
			CHECK(act != NONE);
			R(i.a) = act;
			break;
		}
		case OP_COPY: {
			word act = R(i.b) == NONE ? NONE : world_act(m, 0, R(i.b));
			CHECK(act != NONE || R(i.b) == NONE);
			R(i.a) = act;
			break;
		}
		case OP_PEND:
			if (R(i.a) == NONE)
				break;
			world_pend(m, R(i.a));
			if (RECORDING) {
				w[H_PC] = pc;
				declared(m, *field(m, &p->field[p->at.act_actor], R(i.a)), R(i.a), 0, REC_PEND, m->clause);
			}
			break;
		case OP_FREE:
			if (i.b) {
				for (uint32_t k = 0; k < (uint32_t)w[H_ACTS]; k++) {
					uint32_t at = act_at(m, k);
					if (w[at + ACT_STATE] == ACT_DECLARED && *field(m, &p->field[p->at.act_actor], k) == R(i.a))
						world_free(m, k);
				}
			} else if (R(i.a) != NONE) {
				world_free(m, R(i.a));
			}
			break;
		case OP_CANCEL:
			if (R(i.a) == NONE || w[act_at(m, R(i.a)) + ACT_STATE] != ACT_PENDING)
				break;
			if (RECORDING) {
				w[H_PC] = pc;
				declared(m, *field(m, &p->field[p->at.act_actor], R(i.a)), R(i.a), 0, REC_CANCEL, m->clause);
			}
			world_cancel(m, R(i.a));
			break;
		case OP_LDA:
			if (R(i.b) != NONE)
				memo_read(&m->memo, act_at(m, R(i.b)) + ACT_ARGS + i.c);
			R(i.a) = R(i.b) == NONE ? NONE : w[act_at(m, R(i.b)) + ACT_ARGS + i.c];
			continue;
		case OP_STA: world_set(m, act_at(m, R(i.a)) + ACT_ARGS + i.c, R(i.b), false, -1, false); break;
		case OP_EVENTOF:
			if (R(i.b) != NONE)
				memo_read(&m->memo, act_at(m, R(i.b)) + ACT_EVENT);
			R(i.a) = R(i.b) == NONE ? NONE : w[act_at(m, R(i.b)) + ACT_EVENT];
			continue;
		case OP_OPEN:
			if (w[H_LIST] + 1 >= (word)p->layout.list_depth) {
				w[H_PC] = pc;
				vm_fail(m, VM_LIMIT, M_EVENTS_DEEP, 1, "a list of acts");
				goto failed;
			}
			w[H_LIST]++;
			w[p->layout.lists + w[H_LIST]] = i.b;
			break;
		case OP_CLOSE:
			for (uint32_t k = 0; k < (uint32_t)w[H_ACTS]; k++)
				if (w[act_at(m, k) + ACT_STATE] == ACT_PENDING && w[act_at(m, k) + ACT_LIST] == w[H_LIST])
					world_cancel(m, k);
			w[H_LIST]--;
			break;
		case OP_BEAT:
			if (m->groups == 0 && m->resolved && !stop_fp && w[H_LIST] == 0) {
				header_set(m, p->field[p->at.beat].base, w[p->field[p->at.beat].base] + 1);
				w[H_DIRTY] = -1; /* a condition of a block that begins may hold already */
				blocks_look(m, false, false);
			}
			break;
		case OP_PAUSE:
			if (m->groups == 0 && m->resolved && !stop_fp && w[H_LIST] == 0) {
				w[H_PC] = pc;
				blocks_look(m, false, false);
				return VM_PAUSED;
			}
			break;
		case OP_GROUP: {
			word size = 0;
			FUEL(16);
			CHECK(group_choose(m, R(i.b), i.c != 0, &size));
			R(i.a) = size;
			break;
		}
		case OP_SOLO: CHECK(group_solo(m, R(i.a))); break;
		case OP_MEMBER: {
			const struct group *g = &m->group[m->groups - 1];
			if (i.c == MEMBER_COUNT)
				R(i.a) = g->n;
			else if (i.c == MEMBER_ACTED)
				R(i.a) = member_acted(m, &g->member[R(i.b)]) ? g->member[R(i.b)].act : NONE;
			else
				R(i.a) = g->member[R(i.b)].is_void || g->member[R(i.b)].stopped ? NONE : g->member[R(i.b)].act;
			break;
		}
		case OP_BEGIN: CHECK(group_begin(m, R(i.a), R(i.b) != 0, i.c)); break;
		case OP_END: group_end(m, R(i.a), R(i.b) != 0 && R(i.b) != NONE); SYNC; break;
		case OP_MERGE: CHECK(group_merge(m, &m->group[m->groups - 1])); break;
		case OP_DONE: group_done(m); break;
		case OP_VOID: group_void(m, R(i.a), i.c, R(i.b)); break;
		case OP_BRANCH: CHECK(branch_begin(m, i.a, i.b)); break;
		case OP_JOIN: CHECK(branch_join(m)); break;
		case OP_TRY:
			if (m->tries == TRIES_MAX) {
				w[H_PC] = pc;
				vm_fail(m, VM_LIMIT, M_EVENTS_DEEP, 1, "costs");
				goto failed;
			}
			m->journaling++;
			m->try_[m->tries].mark = m->journal.n;
			m->try_[m->tries].record = m->trace.record.n;
			m->try_[m->tries].clause = NONE;
			m->tries++;
			R(i.a) = 0;
			break;
		case OP_UNTRY:
			journal_back(m, m->try_[m->tries - 1].mark, true);
			m->journaling--;
			m->tries--;
			R(i.a) = m->try_[m->tries].clause;
			if (p->observed) {
				trace_cut(&m->trace, m->try_[m->tries].record);
				w[H_TRACE] = m->trace.record.n;
			}
			break;
		case OP_REFUSE:
			if (m->tries)
				m->try_[m->tries - 1].clause = R(i.a);
			break;

		case OP_PHASE:
			w[H_PHASE] = i.k;
			blocks_look(m, false, false);
			if (RECORDING) {
				w[H_PC] = pc;
				int rec = record_new(m, REC_PHASE);
				if (rec >= 0)
					trace_at(&m->trace, rec)->what = i.k;
			}
			break;
		case OP_ROUNDS: {
			uint32_t number = p->field[p->at.round_number].base, start = p->field[p->at.round_start].base;
			if (w[H_ROUNDS_LEFT] <= 0) {
				w[H_OUTCOME] = OUTCOME_ROUNDS;
				R(i.a) = 0;
				break;
			}
			/* without an `until`, the script's own rounds are played and no more */
			if (w[H_STAGE] == WORLD_PLAYING && w[number] > 0) {
				for (int u = 0; u < p->units; u++)
					if (!strcmp(p->unit[u].name, "round") && p->unit[u].base == VT_TIME)
						header_set(m, start, w[start] + p->unit[u].num / p->unit[u].den);
			}
			w[H_ROUNDS_LEFT]--;
			header_set(m, number, w[number] + 1);
			blocks_look(m, false, false);
			if (RECORDING) {
				w[H_PC] = pc;
				int rec = record_new(m, REC_ROUND);
				if (rec >= 0)
					trace_at(&m->trace, rec)->value = w[number];
			}
			R(i.a) = 1;
			if (m->forgetting == FORGET_LEARN)
				vm_forget(m);
			SYNC;
			break;
		}
		case OP_ENDROUND: blocks_look(m, true, false); break;
		case OP_OVER:
			if (R(i.a) != 0 && R(i.a) != NONE && m->groups == 0) {
				w[H_OUTCOME] = OUTCOME_OVER;
				w[H_PC] = pc;
				return VM_OVER;
			}
			break;
		case OP_MOMENT: blocks_look(m, false, false); break;

		case OP_WATCH: watch_note(m, i.k); break;
		case OP_WATCHED: {
			word seen = w[p->layout.watches + i.k / 4];
			word all = i.k % 4 ? WATCH_SEEN | WATCH_OTHER : WATCH_SEEN;
			R(i.a) = (seen & all) == all && !(seen & WATCH_SPOILT);
			break;
		}

		case OP_NOTE:
		case OP_REFER:
			if (i.op == OP_REFER)
				w[H_REFERRALS]++;
			if (RECORDING) {
				w[H_PC] = pc;
				int rec = record_new(m, i.op == OP_NOTE ? REC_NOTE : REC_REFER);
				if (rec < 0)
					goto failed;
				record_text(m, rec, i.k, &R(i.a));
			}
			break;
		case OP_TELL:
			if (RECORDING && w[H_HAPPENING] && w[w[H_HAPPENING] + HAP_RECORD] >= 0)
				record_text(m, (int32_t)w[w[H_HAPPENING] + HAP_RECORD], i.k, &R(i.a));
			break;
		case OP_WHY:
			if (i.a == 2) {
				m->order_clause = i.k;
				break;
			}
			m->clause = i.k;
			if (i.a == 1 && w[H_HAPPENING]) {
				w[w[H_HAPPENING] + HAP_CLAUSE] = i.k;
				if (w[w[H_HAPPENING] + HAP_RECORD] >= 0)
					trace_at(&m->trace, (int32_t)w[w[H_HAPPENING] + HAP_RECORD])->clause = i.k;
			}
			break;
		case OP_ASKED: w[H_PC] = pc; asked(m, &R(i.a), i.k); break;
		case OP_BASE: part(m, REC_BASE, R(i.a), i.k); break;
		case OP_LOST: if (R(i.a) != 0) part(m, REC_LOST, R(i.a), i.k); break;
		case OP_ADJUST: part(m, REC_ADJUST, R(i.a), i.k); break;
		case OP_BOUND: part(m, REC_BOUND, R(i.a), i.k); break;
		case OP_ANSWER: answered(m, R(i.a)); break;
		case OP_DECLARE:
			if (RECORDING) {
				w[H_PC] = pc;
				declared(m, R(i.a), R(i.b), i.c, REC_DECLARE, -1);
			}
			break;
		case OP_REFUSED:
			if (RECORDING) {
				w[H_PC] = pc;
				declared(m, *field(m, &p->field[p->at.act_actor], R(i.a)), R(i.a), 0, REC_REFUSED, (int32_t)R(i.b));
			}
			break;
		case OP_COUNT:
			unreachable();
		}
		if (m->status != VM_PAUSED)
			goto failed;
	}
overflow:
	w[H_PC] = pc;
	vm_fail(m, VM_FAILED, M_OVERFLOW, 0);
	goto failed;
division:
	w[H_PC] = pc;
	vm_fail(m, VM_FAILED, M_DIVISION, 0);
	goto failed;
over:
	w[H_PC] = pc;
	if (w[H_OUTCOME] == 0)
		w[H_OUTCOME] = OUTCOME_PLAYED;
	return VM_OVER;
failed:
	if (w[H_OUTCOME] == 0)
		w[H_OUTCOME] = OUTCOME_STOPPED;
	return m->status == VM_PAUSED ? VM_FAILED : m->status;
}
