/* frame.c - the machine's life, pure calls, and how a run stops. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/machine.h"
#include "runtime/vm/quiet.h"
#include "runtime/vm/profile.h"
#include "runtime/vm/native.h"

enum { FUEL = 400000000, PAIR = 4 /* what asking about a pair of acts takes, in fuel */ };
enum { TRIALS_SOON = 32 }; /* begun before processor code is made: what that takes, some trials of a small fight take */
/* Builds with assertions play no fight of 10,000 steps, and fill a log slowly. */
#ifdef NDEBUG
enum { RECORDS = 12000000 };
#else
enum { RECORDS = 1000000 };
#endif

struct vm *vm_new(const struct program *p, const struct vm_host *host)
{
	struct vm *m = calloc(1, sizeof *m);
	if (!m)
		abort();
	m->host = *host;
	m->w = block_new(p, 0, 0);
	m->fell = malloc(sizeof *m->fell);
	if (!m->w || !m->fell)
		abort();
	trace_init(&m->trace, host->records ? host->records : RECORDS);
	vm_program(m, p);
	m->status = VM_PAUSED;
	m->question = -1;
	m->clause = m->order_clause = -1;
	m->last_round = NONE;
	return m;
}

/* What was made for vm_loop of the program. */
static void forget_code(struct vm *m)
{
	native_free(m->native);
	m->native = NULL;
	free(m->places);
	m->places = NULL;
}

void vm_native(struct vm *m, enum native_when when)
{
	forget_code(m);
	m->native_when = when;
}

void vm_program(struct vm *m, const struct program *p)
{
	m->p = p;
	free(m->dice);
	m->dice = calloc((size_t)p->dices + 1, sizeof *m->dice);
	free(m->lone.sides);
	m->lone.sides = calloc((size_t)p->dices + 1, sizeof *m->lone.sides + sizeof *m->lone.least);
	free(m->stages);
	m->stages = calloc((size_t)p->events + 4, sizeof *m->stages);
	if (!m->dice || !m->lone.sides || !m->stages)
		abort();
	m->lone.least = (word *)(m->lone.sides + p->dices);
	chance_open(m);
	for (int i = 0; i < p->events; i++) {
		for (int k = 0; k < (int)FRAY_COUNT(p->event[i].stage_fn); k++)
			m->stages[i] |= (uint8_t)((p->event[i].stage_fn[k] >= 0) << k);
		if (p->event[i].slots)
			m->stages[i] |= EVENT_KEEPS;
	}
	m->conditions = p->whenevers > 63 ? -1 : (word)((1ull << p->whenevers) - 1);
	m->round_length = 0;
	for (int i = 0; i < p->units; i++)
		if (!strcmp(p->unit[i].name, "round") && p->unit[i].base == VT_TIME)
			m->round_length = p->unit[i].num / p->unit[i].den;
	forget_code(m);
	if (m->native_when == NATIVE_MADE)
		m->native_when = NATIVE_NOW;
	free(m->reach);
	m->reach = calloc((size_t)p->fields + 1, sizeof *m->reach);
	if (!m->reach)
		abort();
	for (int i = 0; i < p->fields; i++) {
		const struct field_info *f = &p->field[i];
		bool waited = f->kind == KIND_ENCOUNTER && p->blocks > 1 && !f->hidden;
		m->reach[i] = (struct reach){f->base, f->stride, p->layout.kind[f->kind].count + (f->kind == KIND_ACT), f->fixed, !waited, f->kind == KIND_ACT, i == p->at.act_actor, (word)f->touches, 0};
	}
	m->given = m->played = false;
	block_find_runs(&m->runs, p);
	acts_written(m);
	acts_open(m);
	pending_close(&m->pending);
	partners_close(&m->partners);
	shape_close(&m->shape);
	memo_close(&m->memo);
	memo_open(&m->memo, p, &m->fuel, !p->observed);
	for (int i = 0; i < p->dices; i++) {
		const struct dice_info *d = &p->dice[i];
		m->dice[i] = (struct dice){d->count, d->sides, d->keep, (enum dice_keep)d->keep_how, d->explode, d->reroll, d->add};
		m->lone.sides[i] = d->count == 1 && dice_plain(&m->dice[i]) && d->sides > 0 ? (uint64_t)d->sides : DRAW_UNSETTLED;
		m->lone.least[i] = d->add + 1;
	}
}

void vm_forget_answers(struct vm *m)
{
	shape_clear(m);
	memo_clear(&m->memo);
	pending_clear(&m->pending);
	m->acts.known = m->played = false;
}

void vm_free(struct vm *m)
{
	if (!m)
		return;
	PROFILE_OVER(m->p);
	for (int i = 0; i < GROUPS_MAX; i++) {
		free(m->group[i].member);
		VEC_FREE(m->group[i].effects);
	}
	VEC_FREE(m->journal);
	merging_close(&m->merging);
	trace_free(&m->trace);
	buf_free(&m->name);
	vm_forget_close(m);
	memo_close(&m->memo);
	pending_close(&m->pending);
	partners_close(&m->partners);
	shape_close(&m->shape);
	acts_close(m);
	free(m->dice);
	free(m->lone.sides);
	draws_close(&m->draws);
	free(m->stages);
	free(m->reach);
	VEC_FREE(m->runs);
	forget_code(m);
	free(m->told);
	free(m->chosen);
	free(m->fell);
	free(m->w);
	free(m);
}

/* A world that came from elsewhere may hold acts with fields that no instruction of this program
 * writes: those do change when such an act is over. */
static void given(struct vm *m, bool is)
{
	if (m->given == is)
		return;
	m->given = is;
	for (int i = 0; i < m->p->fields; i++)
		if (m->p->field[i].kind == KIND_ACT)
			m->reach[i].fixed = m->p->field[i].fixed && !is;
	acts_written(m);
	vm_forget_answers(m);
	if (m->native) { /* it leaves alone what the program does not write, and knows answers that rest on that */
		forget_code(m);
		m->native_when = NATIVE_NOW;
	}
}

static void start_over(struct vm *m)
{
	if (m->native_when == NATIVE_SOON && ++m->begun == TRIALS_SOON)
		m->native_when = NATIVE_NOW;
	trace_cut(&m->trace, 0);
	groups_are(m, 0);
	m->tries = m->journaling = 0;
	m->since = NO_COPY;
	m->memo.depth = 0;
	m->memo.placing = -1;
	m->journal.n = 0;
	m->status = VM_PAUSED;
	m->resolved = false;
	m->question = -1;
	m->passed_over = 0;
	m->clause = m->order_clause = -1;
	m->turns = TURNS;
	m->fuel = m->host.fuel ? m->host.fuel : FUEL;
	m->pairs = 0;
}

void vm_begin_at(struct vm *m, const word *block, uint64_t seed, uint64_t trial)
{
	block_copy(m->w, block, m->p);
	given(m, true);
	vm_forget_answers(m);
	m->w[H_SEED] = (word)seed;
	m->w[H_TRIAL] = (word)trial;
	start_over(m);
	m->w[H_TRACE] = 0;
}

/* What the answers kept rest on and what the conditions do: only where the worlds differ. */
static void renew_answers(struct vm *m, const word *to)
{
	const struct layout *l = &m->p->layout;
	memo_renew(&m->memo, m->w, to);
	pending_clear(&m->pending);
	for (uint32_t i = 0; i < l->condition_words; i++)
		memo_stale(&m->memo, i, (uint64_t)m->w[l->conditions + i] ^ (uint64_t)to[l->conditions + i]);
}

void vm_begin(struct vm *m, uint64_t seed, uint64_t trial, int64_t max_rounds)
{
	given(m, false);
	renew_answers(m, m->p->start);
	if (m->played) {
		acts_renew(m);
		block_renew(m->w, m->p, &m->runs, seed, trial);
	} else {
		m->acts.known = false;
		block_reset(m->w, m->p, seed, trial);
	}
	m->played = true;
	start_over(m);
	m->w[H_ROUNDS_LEFT] = max_rounds > 0 ? max_rounds : max_rounds < 0 ? 0 : 1000;
	m->w[H_STAGE] = WORLD_FRESH;
	m->w[H_PC] = m->p->fn[m->p->main_fn].entry;
	m->w[H_FP] = m->p->layout.stack + 2;
	m->w[H_FN] = m->p->main_fn;
	if (m->p->at.beat >= 0)
		header_set(m, m->p->field[m->p->at.beat].base, 1);
	m->w[m->p->layout.stack] = -1;
	m->w[m->p->layout.stack + 1] = 0;
	if (m->p->observed)
		record_new(m, REC_RUN);
}

void vm_curt(struct vm *m, bool curt, word last_round)
{
	m->curt = curt;
	m->last_round = last_round;
	forget_code(m); /* it knows where answers were kept */
	memo_close(&m->memo);
	memo_open(&m->memo, m->p, &m->fuel, curt || !m->p->observed);
	pending_clear(&m->pending);
	m->acts.known = false;
}

enum vm_status vm_set_up(struct vm *m)
{
	if (m->w[H_STAGE] != WORLD_FRESH || m->status != VM_PAUSED)
		return m->status;
	m->w[H_STAGE] = WORLD_PLAYING;
	m->resolved = true; /* so that the first place to pause is taken */
	m->status = vm_loop(m, 0);
	return m->status;
}

static enum vm_status step(struct vm *m)
{
	if (m->w[H_STAGE] == WORLD_OVER)
		return VM_OVER;
	if (m->status != VM_PAUSED)
		return m->status;
	m->w[H_STAGE] = WORLD_PLAYING;
	m->resolved = false;
	m->status = vm_loop(m, 0);
	if (m->status == VM_OVER) {
		m->w[H_STAGE] = WORLD_OVER;
		m->status = VM_PAUSED;
		blocks_look(m, true, true);
		if (m->p->observed) {
			ends_fight(m);
			int r = record_new(m, REC_OUTCOME);
			if (r >= 0) {
				trace_at(&m->trace, r)->flag = (uint8_t)m->w[H_OUTCOME];
				if (m->w[H_OUTCOME] == OUTCOME_OVER)
					trace_at(&m->trace, r)->owner = m->winner;
			}
		}
		return VM_OVER;
	}
	if (m->status == VM_SYNC) { /* the last round that was asked for is over */
		m->status = VM_PAUSED;
		return VM_SYNC;
	}
	if (m->status != VM_PAUSED && m->p->observed) {
		/* a run that stops has an end too, and so has every act */
		ends_fight(m);
		int r = record_new(m, REC_OUTCOME);
		if (r >= 0)
			trace_at(&m->trace, r)->flag = OUTCOME_STOPPED;
	}
	return m->status;
}

enum vm_status vm_step(struct vm *m)
{
	/* what was lent to those who wrote down this step */
	uint64_t errand = trace_errand(&m->trace);
	enum vm_status s = step(m);
	trace_done(&m->trace, errand);
	return s;
}

enum vm_status vm_run(struct vm *m)
{
	enum vm_status s;
	m->through = !m->p->observed;
	while ((s = vm_step(m)) == VM_PAUSED)
		;
	m->through = m->resolved = false;
	return s;
}

uint64_t vm_spent(const struct vm *m)
{
	return (m->host.fuel ? m->host.fuel : FUEL) - m->fuel + PAIR * m->pairs;
}

void vm_refuel(struct vm *m)
{
	m->fuel = m->host.fuel ? m->host.fuel : FUEL;
}

word *vm_block(struct vm *m)
{
	return m->w;
}

/* Events in progress, which had ended in the log: they have not yet. */
static void reopen(struct vm *m)
{
	for (uint32_t at = (uint32_t)m->w[H_HAPPENING]; at; at = (uint32_t)m->w[at + HAP_PARENT]) {
		const word number = m->w[at + HAP_RECORD];
		const struct record *r = number >= 0 ? trace_peek(&m->trace, (int32_t)number) : NULL;
		if (r && r->closed) {
			struct record *x = trace_at(&m->trace, (int32_t)number);
			x->closed = false;
			x->flag = EVENT_DONE;
		}
	}
}

void vm_restore(struct vm *m, const word *block)
{
	given(m, true);
	if (m->curt)
		renew_answers(m, block);
	else
		vm_forget_answers(m);
	m->acts.known = m->played = false;
	m->memo.depth = 0;
	m->memo.placing = -1;
	block_copy(m->w, block, m->p);
	trace_cut(&m->trace, (int32_t)m->w[H_TRACE]);
	reopen(m);
	ends_forget(m);
	groups_are(m, 0);
	m->tries = m->journaling = 0;
	m->since = NO_COPY;
	m->journal.n = 0;
	m->question = m->clause = m->order_clause = -1;
	m->passed_over = 0;
	m->status = VM_PAUSED;
}

struct trace *vm_trace(struct vm *m)
{
	return &m->trace;
}

enum vm_status vm_status(const struct vm *m)
{
	return m->status;
}

const struct program *vm_program_of(const struct vm *m)
{
	return m->p;
}

void vm_ignore_script(struct vm *m, bool ignore)
{
	m->ignore_script = ignore;
}

/* ---- calls from C ---- */

/* Answered in a frame of its own; kept as the memo's function `of`, if there is one. */
__attribute__((always_inline)) static inline bool work_out(struct vm *m, int32_t of, int32_t fn, const word *arguments, int n, word *results, int results_n)
{
	const struct fn_info *f = &m->p->fn[fn];
	uint32_t fp = (uint32_t)m->w[H_FP];
	word saved[3] = {m->w[H_PC], m->w[H_FP], m->w[H_FN]};
	uint32_t window = fp + m->p->fn[m->w[H_FN]].registers;
	uint32_t end = m->p->layout.stack + m->p->layout.stack_words;
	if (window + 2 + f->registers + 2 > end)
		return vm_fail(m, VM_LIMIT, M_CALLS_DEEP, 1, f->name);
	m->w[window] = -1;
	m->w[window + 1] = 0;
	for (int i = 0; i < n; i++)
		m->w[window + 2 + (uint32_t)i] = arguments[i];
	if (of >= 0 && m->memo.depth < MEMO_DEEP)
		memo_begin(&m->memo, of, arguments, window + 2);
	m->w[H_PC] = f->entry;
	m->w[H_FP] = window + 2;
	m->w[H_FN] = fn;
	enum vm_status before = m->status;
	enum vm_status s = vm_loop(m, window + 2);
	m->w[H_PC] = saved[0];
	m->w[H_FP] = saved[1];
	m->w[H_FN] = saved[2];
	if (s != VM_OVER) {
		m->status = s;
		return false;
	}
	m->status = before;
	for (int i = 0; i < results_n; i++)
		results[i] = m->w[window + (uint32_t)i];
	return true;
}

__attribute__((always_inline)) static inline bool pure(struct vm *m, int32_t fn, const word *arguments, int n, word *results, int results_n)
{
	const struct fn_info *f = &m->p->fn[fn];
	int32_t of = vm_remembers(m) ? m->memo.of[fn] : -1;
	const word *known = of >= 0 ? memo_find(&m->memo, of, arguments) : NULL;
	if (known) {
		memcpy(results, known, (size_t)(results_n < f->results ? results_n : f->results) * sizeof(word));
		return true;
	}
	return work_out(m, of, fn, arguments, n, results, results_n);
}

bool vm_pure(struct vm *m, int32_t fn, const word *arguments, int n, word *results, int results_n)
{
	return pure(m, fn, arguments, n, results, results_n);
}

bool vm_pure_one(struct vm *m, int32_t fn, word argument, word *result)
{
	return pure(m, fn, &argument, 1, result, 1);
}

bool vm_work_out(struct vm *m, int32_t fn, word argument, word *results, int results_n)
{
	return work_out(m, -1, fn, &argument, 1, results, results_n);
}

bool vm_call(struct vm *m, int32_t fn, const word *arguments, int n, word *results, int results_n, bool record)
{
	bool quiet = m->quiet;
	int question = m->question, passed_over = m->passed_over, clause = m->clause,
		order_clause = m->order_clause;
	uint64_t fuel = m->fuel;
	enum vm_status status = m->status;
	int depth = m->memo.depth;
	m->memo.depth = 0;
	m->quiet = !record;
	m->question = -1;
	m->question_kept = record;
	m->passed_over = 0;
	m->status = VM_PAUSED;
	bool ok = vm_pure(m, fn, arguments, n, results, results_n);
	m->memo.depth = depth;
	m->quiet = quiet;
	m->question = question;
	m->passed_over = passed_over;
	m->clause = clause;
	m->order_clause = order_clause;
	m->question_kept = 0;
	m->fuel = fuel;
	m->status = status;
	return ok;
}

/* ---- stopping ---- */

struct span vm_where(const struct vm *m)
{
	word pc = m->w[H_PC];
	if (pc > 0 && pc <= m->p->code_count && m->p->code_span)
		return m->p->code_span[pc - 1];
	return (struct span){0};
}

const char *vm_clause_name(struct vm *m, word clause)
{
	if (clause < 0 || clause >= m->p->clauses)
		return "a line of the script";
	const struct clause_info *c = &m->p->clause[clause];
	buf_clear(&m->name);
	if (*c->module)
		buf_printf(&m->name, "%s: ", c->module);
	buf_puts(&m->name, *c->rule ? c->rule : c->text);
	if (*c->cite)
		buf_printf(&m->name, " (%s)", c->cite);
	return buf_text(&m->name);
}

bool vm_stop(struct vm *m, enum vm_status status, struct diag *d)
{
	if (m->status != VM_PAUSED)
		return false;
	m->status = status;
	quiet_forget(&m->memo); /* a turn that failed may not be quiet */
	if (!m->host.sink)
		return false;
	/* where the run stood */
	struct buf at = {0};
	word round = m->w[m->p->field[m->p->at.round_number].base];
	if (round > 0)
		buf_printf(&at, "In round %lld", (long long)round);
	uint32_t hap = (uint32_t)m->w[H_HAPPENING];
	for (int depth = 0; hap && depth < 6; depth++) {
		buf_printf(&at, "%s%s", at.length ? ", in " : "In ", m->p->event[m->w[hap + HAP_EVENT]].name);
		hap = (uint32_t)m->w[hap + HAP_PARENT];
	}
	if (at.length) {
		buf_putc(&at, '.');
		diag_line(d, buf_text(&at));
	}
	diag_send(m->host.sink, d);
	buf_free(&at);
	return false;
}

static bool stop(struct vm *m, enum vm_status status, enum message id, struct span place, int args, va_list list)
{
	struct diag d = diag_make(id, place);
	for (int i = 0; i < args; i++)
		diag_arg(&d, va_arg(list, const char *));
	return vm_stop(m, status, &d);
}

bool vm_fail(struct vm *m, enum vm_status status, enum message id, int args, ...)
{
	va_list list;
	va_start(list, args);
	stop(m, status, id, vm_where(m), args, list);
	va_end(list);
	return false;
}

bool vm_fail_at(struct vm *m, enum vm_status status, enum message id, struct span place, int args, ...)
{
	va_list list;
	va_start(list, args);
	stop(m, status, id, place, args, list);
	va_end(list);
	return false;
}
