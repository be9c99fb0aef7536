/* pipeline.c - see pipeline.h. A function is taken apart into items (insn_list.h); its webs get
 * registers of their own (webs.c); the passes turn items into NOP, retarget jumps or write other
 * operands, and are repeated while they find something; then the webs are put back, and what is
 * left is put together again. */
#include "lang/gen/pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "lang/gen/insn_list.h"
#include "runtime/code/effects.h"

enum { ROUNDS = 6 };

static bool only_told(enum op op)
{
	return op == OP_NOTE || op == OP_TELL || op == OP_SUM || op == OP_DECLARE || op == OP_REFUSED || op == OP_CHOSEN;
}

/* Does it write something that is read behind the loop? */
static bool is_read_at(const struct items *s, const struct insn *i, int32_t to)
{
	for (int reg = 0; reg < (int)s->registers; reg++)
		if (items_live_at(s, to, reg) && item_writes(s, i, reg))
			return true;
	return false;
}

/* The LOOP of a loop over the members of a set or a kind that begins at `at`, in which at most
 * something is asked and worked out that nobody
 * reads behind it; nothing in it can fail, sets the cursor back, or leads elsewhere. Or -1. */
static int32_t idle_end(const struct items *s, int32_t at)
{
	const struct item *next = &s->item[at], *leave = next + 1;
	int32_t last = -1;
	for (int32_t k = at + 2; k < leave->to && k < s->n; k++)
		if (s->item[k].i.op == OP_LOOP && s->item[k].to == at)
			last = k;
	if (last < 0 || is_read_at(s, &next->i, leave->to))
		return -1;
	for (int32_t k = at + 2; k < last; k++) {
		const struct item *x = &s->item[k];
		if (x->i.op == OP_NOP || (x->i.op == OP_LOOP && x->to == at))
			continue;
		if (x->to >= 0 ? (x->i.op != OP_JMP && !is_conditional((enum op)x->i.op)) ||
					x->to <= k || x->to > last
			       : !item_is_free((enum op)x->i.op) ||
					item_writes(s, &x->i, next->i.a) ||
					is_read_at(s, &x->i, leave->to))
			return -1;
	}
	return last;
}

/* Is nobody led from elsewhere into what stands between? */
static bool is_apart(const struct items *s, int32_t from, int32_t end)
{
	for (int32_t k = 0; k < s->n; k++)
		if ((k < from || k > end) && s->item[k].to > from && s->item[k].to <= end)
			return false;
	return true;
}

static bool drop_idle_loops(struct items *s)
{
	bool any = false;
	for (int32_t at = 0; at + 1 < s->n; at++) {
		struct item *next = &s->item[at], *leave = next + 1;
		if ((next->i.op != OP_SNEXT && next->i.op != OP_KNEXT) || leave->i.op != OP_JNONE ||
			leave->i.a != next->i.a || leave->to <= at)
			continue;
		const int32_t end = idle_end(s, at);
		if (end < 0 || !is_apart(s, at, end))
			continue;
		item_clear(s, at);
		for (int32_t k = at + 2; k <= end; k++)
			item_clear(s, k);
		leave->i = (struct insn){.op = OP_JMP};
		any = true;
	}
	return any;
}

/* ---- taken apart and put together ---- */

static void find_reached(struct items *s)
{
	bool grew = true;
	for (int32_t at = 0; at < s->n; at++)
		s->item[at].reached = at == 0;
	while (grew) {
		grew = false;
		for (int32_t at = 0; at < s->n; at++) {
			const struct item *x = &s->item[at];
			if (!x->reached)
				continue;
			if (goes_on((enum op)x->i.op) && at + 1 < s->n && !s->item[at + 1].reached)
				grew = s->item[at + 1].reached = true;
			if (x->to >= 0 && !s->item[x->to].reached)
				grew = s->item[x->to].reached = true;
		}
	}
}

/* Leaves out NOPs, what is never reached and jumps to what comes next. */
static void close_up(struct items *s)
{
	int32_t *place = malloc(((size_t)s->n + 1) * sizeof *place), n = 0;
	if (!place)
		abort();
	find_reached(s);
	for (int32_t at = 0; at < s->n; at++) {
		struct item *x = &s->item[at];
		int32_t next = at + 1;
		while (next < s->n && (s->item[next].i.op == OP_NOP || !s->item[next].reached))
			next++;
		if ((x->i.op == OP_JMP || is_conditional((enum op)x->i.op)) && x->to > at && x->to <= next)
			item_clear(s, at);
	}
	for (int32_t at = 0; at < s->n; at++) {
		place[at] = n;
		n += s->item[at].reached && s->item[at].i.op != OP_NOP;
	}
	place[s->n] = n;
	for (int32_t at = 0; at < s->n; at++) {
		struct item x = s->item[at];
		if (!x.reached || x.i.op == OP_NOP)
			continue;
		if (x.to >= 0)
			x.to = place[x.to];
		s->item[place[at]] = x;
	}
	s->n = n;
	free(place);
}

static void take_apart(struct items *s)
{
	for (int32_t at = 0; at < s->n; at++) {
		struct item *x = &s->item[at];
		x->i = s->p->code[s->f->entry + at];
		x->span = s->p->code_span[s->f->entry + at];
		x->to = op_jumps((enum op)x->i.op) ? at + 1 + x->i.k : -1;
		if (only_told((enum op)x->i.op))
			item_clear(s, at);
	}
}

/* It did not become shorter: as it was. */
static void take_apart_again(struct items *s)
{
	s->n = s->f->end - s->f->entry;
	take_apart(s);
}

/* False when the webs do not fit their registers any more. */
static bool shorten(struct items *s, bool split)
{
	s->registers = s->f->registers;
	close_up(s);
	if (split)
		items_split(s);
	for (int round = 0; round < ROUNDS; round++) {
		s->changed = false;
		items_propagate(s); /* marks who is jumped to */
		items_drop_unseen(s);
		if (round == 1) /* what was stored is not read again where it is known */
			items_drop_unread_stores(s);
		if (round > 0)
			items_begin_once(s);
		if (round > 0 && !s->changed)
			break;
		items_thread_jumps(s);
		items_drop_unread(s);
		while (drop_idle_loops(s)) /* nor what it was about, or the loop it stands in */
			items_drop_unread(s);
		close_up(s);
	}
	if (!items_gather(s))
		return false;
	close_up(s);
	return true;
}

static bool is_empty_for_all(const struct program *p, const struct field_info *f)
{
	const uint32_t count = p->layout.kind[f->kind].count + (f->kind == KIND_ACT);
	for (uint32_t t = 0; t < count; t++)
		for (uint32_t w = 0; w < (uint32_t)p->set_words; w++)
			if (p->start[f->base + t * f->stride + w] != 0)
				return false;
	return true;
}

/* Which fields hold the same for all, whenever they are read? */
static void find_same(struct items *s)
{
	const struct program *p = s->p;
	s->same = calloc((size_t)p->fields + 1, 1);
	s->held = calloc((size_t)p->fields + 1, sizeof *s->held);
	s->thing_same = calloc((size_t)p->thing_fields + 1, 1);
	s->thing_held = calloc((size_t)p->thing_fields + 1, sizeof *s->thing_held);
	s->made = calloc((size_t)p->events + 1, 1);
	if (!s->same || !s->held || !s->thing_same || !s->thing_held || !s->made)
		abort();
	for (int i = 0; i < p->fields; i++) {
		const struct field_info *f = &p->field[i];
		if (f->fixed)
			s->same[i] = f->type.base == VT_SET ? is_empty_for_all(p, f) : program_uniform(p, i, &s->held[i]);
	}
	for (int i = 0; i < p->thing_fields; i++)
		for (int t = 0; t < p->things; t++) {
			const word v = p->thing_words[(size_t)t * (size_t)p->thing_fields + (size_t)i];
			if (p->thing[t].kind != p->thing_field[i].kind)
				continue;
			if (s->thing_same[i] && s->thing_held[i] != v) {
				s->thing_same[i] = 0;
				break;
			}
			s->thing_same[i] = 1;
			s->thing_held[i] = v;
		}
	for (int32_t k = 0; k < p->code_count; k++)
		if (p->code[k].op == OP_ACT)
			s->made[p->code[k].k] = 1;
}

/* May this one be left out where nobody reads its answer? */
static bool only_answers(const struct program *p, const struct fn_info *f, const uint8_t *harmless)
{
	for (int32_t k = f->entry; k < f->end; k++) {
		const struct insn *i = &p->code[k];
		const enum op op = (enum op)i->op;
		if (op == OP_CALL ? !harmless[i->k] : op_jumps(op) ? i->k < 0 : op != OP_RET && op != OP_NOP && !item_is_free(op))
			return false;
	}
	return f->pure;
}

static uint8_t *find_harmless(const struct program *p)
{
	uint8_t *harmless = calloc((size_t)p->fns + 1, 1);
	bool grew = true;
	if (!harmless)
		abort();
	while (grew) {
		grew = false;
		for (int i = 0; i < p->fns; i++)
			if (!harmless[i] && only_answers(p, &p->fn[i], harmless)) {
				harmless[i] = 1;
				grew = true;
			}
	}
	return harmless;
}

/* An order whose keys are the same for every act asks nothing of them. */
static void drop_level_keys(struct program *p)
{
	for (int i = 0; i < p->orders; i++) {
		struct order_info *o = &p->order[i];
		bool level = o->key_fn >= 0;
		for (int32_t at = level ? p->fn[o->key_fn].entry : 0; level && p->code[at].op != OP_RET; at++)
			level = p->code[at].op == OP_LOADI || p->code[at].op == OP_LOADK;
		if (level) {
			o->key_fn = -1;
			o->keys = 0;
		}
	}
}

void program_shorten(struct program *p, const bool *which)
{
	struct items s = {.p = p};
	int32_t most = 1, to = 0;
	find_same(&s);
	s.hear = hearing_of(p);
	s.harmless = find_harmless(p);
	for (int i = 0; i < p->fns; i++)
		if (p->fn[i].end - p->fn[i].entry > most)
			most = p->fn[i].end - p->fn[i].entry;
	/* a function may grow for a while, never past what it was at first */
	s.room = 2 * most;
	s.item = calloc((size_t)s.room + 1, sizeof *s.item);
	s.live = calloc(((size_t)s.room + 1) * LIVE_WORDS, sizeof *s.live);
	struct insn *code = malloc((size_t)p->code_count * sizeof *code);
	struct span *span = malloc((size_t)p->code_count * sizeof *span);
	if (!s.item || !s.live || !code || !span)
		abort();
	for (int i = 0; i < p->fns; i++) {
		s.f = &p->fn[i];
		s.n = s.f->end - s.f->entry;
		take_apart(&s);
		if (s.f->registers <= REGISTERS && (!which || which[i]) && !shorten(&s, true)) {
			take_apart_again(&s);
			shorten(&s, false);
		}
		if (s.n > s.f->end - s.f->entry)
			take_apart_again(&s);
		s.f->entry = to;
		for (int32_t at = 0; at < s.n; at++, to++) {
			code[to] = s.item[at].i;
			span[to] = s.item[at].span;
			if (s.item[at].to >= 0)
				code[to].k = s.item[at].to - at - 1;
		}
		s.f->end = to;
	}
	memcpy(p->code, code, (size_t)to * sizeof *code);
	memcpy(p->code_span, span, (size_t)to * sizeof *span);
	p->code_count = to;
	drop_level_keys(p);
	free(code);
	free(span);
	free(s.item);
	free(s.live);
	free(s.ways);
	free(s.same);
	free(s.held);
	free(s.thing_same);
	free(s.thing_held);
	free(s.made);
	free(s.hear);
	free(s.harmless);
}
