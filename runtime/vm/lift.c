/* lift.c - symbols, and the notes of a run. */
#include "runtime/vm/lift.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/vm/live.h"
#include "runtime/vm/machine.h"
#include "runtime/vm/symbols.h"

/* ---- which instruction reads what ---- */

enum treat {
	UNKNOWN,     /* a program with such an instruction is not lifted */
	MOVES,       /* symbols pass through it */
	FIX_A, FIX_AA, FIX_B, FIX_BB, /* it needs a (and the register behind it), or b; the others pass */
	FIX_ALL,     /* it needs all it reads, and writes plain words */
	FIX_ROLL,    /* it needs all it reads; what it writes may be a symbol */
	MAKES,       /* it reads none and writes a plain word */
	CALCS, TESTS, NEGATES, JUMPS
};

static const uint8_t treatment[OP_COUNT] = {
	[OP_NOP] = MOVES, [OP_EXT] = MOVES, [OP_MOVE] = MOVES, [OP_LOADI] = MOVES, [OP_LOADK] = MAKES,
	[OP_ADD] = CALCS, [OP_SUB] = CALCS, [OP_MUL] = CALCS, [OP_NEG] = CALCS, [OP_MIN] = CALCS, [OP_MAX] = CALCS, [OP_REM] = FIX_ALL,
	[OP_FRAC] = CALCS, [OP_DIV] = CALCS, [OP_FADD] = CALCS, [OP_FSUB] = CALCS, [OP_FMUL] = CALCS, [OP_FDIV] = FIX_ALL,
	[OP_FMIN] = CALCS, [OP_FMAX] = CALCS, [OP_ROUND] = CALCS, [OP_MEASURE] = FIX_ALL,
	[OP_SAME] = TESTS, [OP_EQ] = TESTS, [OP_NE] = TESTS, [OP_LT] = TESTS, [OP_LE] = TESTS, [OP_FLT] = TESTS, [OP_FLE] = TESTS,
	[OP_NOT] = NEGATES, [OP_ISA] = FIX_ALL, [OP_KINDOF] = FIX_ALL,
	[OP_JMP] = MOVES, [OP_LOOP] = MOVES, [OP_JZ] = JUMPS, [OP_JNZ] = JUMPS, [OP_JNONE] = JUMPS, [OP_JSOME] = JUMPS,
	[OP_CALL] = MOVES, [OP_CALLACT] = FIX_B, [OP_RET] = MOVES, [OP_TURN] = FIX_ALL, [OP_FATAL] = FIX_ALL, [OP_RULING] = FIX_ALL, [OP_HALT] = MOVES,
	[OP_LDF] = FIX_B, [OP_STF] = FIX_A, [OP_ADF] = FIX_A, [OP_ADFB] = FIX_A, [OP_LDP] = FIX_BB, [OP_STP] = FIX_AA, [OP_ADP] = FIX_AA, [OP_ADPB] = FIX_AA,
	[OP_LDT] = FIX_ALL, [OP_LDSF] = FIX_ALL, [OP_STSF] = FIX_ALL, [OP_ADDS] = FIX_ALL, [OP_REMS] = FIX_ALL, [OP_HASL] = FIX_ALL, [OP_LEN] = FIX_ALL,
	[OP_ITEM] = FIX_ALL, [OP_HAST] = FIX_ALL, [OP_ITEMT] = FIX_ALL,
	[OP_SNONE] = MOVES, [OP_SALL] = MOVES, [OP_SADD] = FIX_ALL, [OP_SMOVE] = FIX_ALL, [OP_SOR] = FIX_ALL, [OP_SCOUNT] = FIX_ALL, [OP_SHAS] = FIX_ALL,
	[OP_SNEXT] = FIX_ALL, [OP_SAMES] = FIX_ALL, [OP_SNTH] = FIX_ALL, [OP_SKNOWN] = FIX_ALL, [OP_KNEXT] = FIX_ALL, [OP_LISTED] = FIX_ALL, [OP_SERIAL] = MOVES,
	[OP_QNEXT] = FIX_ALL, [OP_AGAIN] = FIX_ALL, [OP_SOUGHT] = FIX_ALL,
	[OP_ROLL] = FIX_ROLL, [OP_CHANCE] = FIX_ROLL,
	[OP_CHOICE] = FIX_ALL, [OP_CHOSEN] = MOVES, [OP_PROMPT] = FIX_ALL, [OP_DICEMOST] = FIX_ALL,
	[OP_TABLE] = FIX_ALL, [OP_TABLEOF] = FIX_ALL, [OP_RANK] = FIX_ALL,
	[OP_ENTER] = MOVES, [OP_LEAVE] = MOVES, [OP_STAGE] = MOVES, [OP_KEEP] = MOVES, [OP_KEPT] = MOVES, [OP_SETKEPT] = MOVES, [OP_CAUSE] = MOVES, [OP_NOW] = MOVES,
	[OP_DIRTY] = MOVES, [OP_TURNED] = FIX_ALL, [OP_KEYED] = FIX_ALL, [OP_SETTLE] = MOVES, [OP_WOKE] = FIX_ALL, [OP_STEP] = FIX_ALL, [OP_IDLE] = FIX_ALL, [OP_NEEDS] = MOVES, [OP_TURNS] = MOVES, [OP_WRONG] = FIX_ALL,
	[OP_ACT] = MOVES, [OP_COPY] = FIX_ALL, [OP_PEND] = FIX_ALL, [OP_FREE] = FIX_ALL, [OP_CANCEL] = FIX_ALL, [OP_LDA] = FIX_B, [OP_STA] = FIX_A, [OP_EVENTOF] = FIX_ALL,
	[OP_OPEN] = MOVES, [OP_CLOSE] = MOVES, [OP_BEAT] = MOVES, [OP_PAUSE] = MOVES, [OP_GROUP] = MOVES, [OP_SOLO] = FIX_ALL, [OP_MEMBER] = FIX_ALL,
	[OP_BEGIN] = FIX_ALL, [OP_ONLY] = FIX_ALL, [OP_BEGINS] = MOVES, [OP_END] = FIX_ALL, [OP_MERGE] = MOVES, [OP_DONE] = MOVES, [OP_VOID] = FIX_ALL, [OP_BRANCH] = MOVES, [OP_JOIN] = MOVES,
	[OP_TRY] = MOVES, [OP_UNTRY] = MOVES, [OP_REFUSE] = FIX_ALL,
	[OP_PHASE] = MOVES, [OP_ROUNDS] = MOVES, [OP_ENDROUND] = MOVES, [OP_OVER] = FIX_ALL, [OP_MOMENT] = MOVES,
	[OP_WATCH] = MOVES, [OP_WATCHED] = MOVES,
	[OP_NOTE] = MOVES, [OP_REFER] = MOVES, [OP_TELL] = MOVES, [OP_WHY] = MOVES, [OP_RECAST] = MOVES, [OP_ASKED] = MOVES, [OP_BASE] = MOVES, [OP_SUM] = MOVES, [OP_LOST] = MOVES, [OP_ADJUST] = MOVES,
	[OP_BOUND] = MOVES, [OP_ANSWER] = MOVES, [OP_DECLARE] = MOVES, [OP_REFUSED] = MOVES,
};

/* Words of the world that hold bits: by word up to the acts, by word of an act's row. */
static void mark_bits(const struct program *p, struct lift_home *home, bool *row)
{
	const struct layout *l = &p->layout;
	home[H_DIRTY].bits = home[H_BLOCK].bits = true;
	for (uint32_t k = 0; k < l->condition_words; k++)
		home[l->conditions + k].bits = true;
	for (int32_t i = 0; i < p->fields; i++) {
		const struct field_info *f = &p->field[i];
		if (f->type.base != VT_SET)
			continue;
		for (uint32_t k = 0; f->kind == KIND_ACT && k < f->words; k++)
			row[(f->base - l->acts) % l->act_stride + k] = true;
		for (uint32_t of = 0; f->kind != KIND_ACT && of < l->kind[f->kind].count; of++)
			for (uint32_t k = 0; k < f->words; k++)
				home[f->base + of * f->stride + k].bits = true;
	}
}

static bool holds_bits(const struct lift *l, uint32_t at)
{
	const struct layout *y = &l->p->layout;
	if (at == NO_PLACE)
		return true;
	return at < y->acts ? l->home[at].bits : l->row_bits[(at - y->acts) % y->act_stride];
}

/* What the program itself puts into a world without making it: how it starts and how events
 * begin. */
static void check_start(struct lift *l)
{
	const struct program *p = l->p;
	const struct layout *y = &p->layout;
	for (uint32_t at = H_PC; at < y->acts + y->act_count * y->act_stride; at++)
		if ((at < y->labels || at >= y->forced) && !holds_bits(l, at))
			lift_plain(l, p->start[at]);
	for (int32_t i = 0; i < p->events; i++)
		for (int k = 0; k < p->event[i].slots; k++)
			lift_plain(l, p->event[i].slot_initial[k]);
}

bool lift_can(const struct program *p)
{
	if (p->observed)
		return false;
	for (int32_t i = 0; i < p->code_count; i++)
		if (treatment[p->code[i].op] == UNKNOWN)
			return false;
	/* who beats whom is not asked by an instruction: what the blocks go by is a number counted */
	for (int32_t i = 0; i < p->beats_count; i++)
		if (p->beats[i].from || p->beats[i].until)
			return false;
	return true;
}

struct lift *lift_new(const struct program *p)
{
	struct lift *l = calloc(1, sizeof *l);
	if (!l)
		abort();
	l->p = p;
	l->constant = calloc(SLOTS, sizeof *l->constant);
	l->home = calloc(p->layout.acts + 1, sizeof *l->home);
	l->row_bits = calloc(p->layout.act_stride + 1, sizeof *l->row_bits);
	if (!l->constant || !l->home || !l->row_bits)
		abort();
	mark_bits(p, l->home, l->row_bits);
	check_start(l);
	/* what is only counted */
	l->home[H_ROUNDS_LEFT].lifted = 1;
	l->home[p->field[p->at.round_number].base].lifted = 1;
	l->home[p->field[p->at.round_start].base].lifted = 1;
	if (p->at.beat >= 0)
		l->home[p->field[p->at.beat].base].lifted = 1;
	return l;
}

void lift_free(struct lift *l)
{
	if (!l)
		return;
	VEC_FREE(l->symbol);
	VEC_FREE(l->step);
	VEC_FREE(l->die);
	VEC_FREE(l->at);
	free(l->constant);
	free(l->home);
	free(l->row_bits);
	free(l);
}

/* ---- dice ---- */

word lift_die(struct vm *m, uint64_t label, uint32_t counter, int32_t dice, word chance, word fell)
{
	struct lift *l = m->lift;
	struct lift_die d = {label, counter, dice, chance};
	int k = 0;
	while (k < l->die.n && (l->die.v[k].label != label || l->die.v[k].counter != counter || l->die.v[k].dice != dice || l->die.v[k].chance != chance))
		k++;
	if (k == l->die.n)
		VEC_PUSH(l->die, d);
	struct step x = {.kind = STEP_FALL, .at = k};
	x.to = lift_slot_new(l);
	lift_note(l, x);
	struct symbol s = {.op = OP_NOP, .slot = -1, .die = k, .fell = x.to, .value = fell};
	int least = 0, most = 1;
	if (dice >= 0)
		dice_range(&m->dice[dice], &least, &most);
	s.low = least;
	s.high = most;
	return lift_symbol_add(l, s);
}

/* ---- instructions ---- */

static void fix_reg(struct vm *m, word *r)
{
	if (is_symbol(*r))
		*r = lift_fix(m, *r);
}

/* The plain words that an instruction is going to write are looked at before the next one. */
static void note_made(struct vm *m, const struct insn *i, const word *r)
{
	const char *shape = op_table[i->op].shape;
	const int reg[3] = {i->a, i->b, i->c};
	for (int k = 0; k < 3; k++)
		if (shape[k] == 'd' || shape[k] == 'D') {
			m->lift->made[k] = (uint32_t)(r - m->w) + (uint32_t)reg[k];
			m->lift->made_words[k] = live_words(m->p, i, k);
		}
}

static void check_made(struct vm *m)
{
	struct lift *l = m->lift;
	for (int k = 0; k < 3; k++) {
		for (int n = 0; n < l->made_words[k]; n++)
			m->w[l->made[k] + n] = lift_plain(l, m->w[l->made[k] + n]);
		l->made_words[k] = 0;
	}
}

static enum lift_how calc(struct vm *m, const struct insn *i, word *r)
{
	bool of_one = i->op == OP_NEG || i->op == OP_FRAC || i->op == OP_ROUND;
	word b = i->op == OP_ROUND ? i->c : of_one ? 0 : r[i->c];
	if (!is_symbol(r[i->b]) && (of_one || !is_symbol(b))) {
		note_made(m, i, r);
		return LIFT_PLAY;
	}
	bool bad = false;
	if (i->op == OP_DIV && r[i->c] != NONE)
		fix_reg(m, &r[i->c]);
	if (i->op == OP_DIV && r[i->c] == 0) {
		fix_reg(m, &r[i->b]);
		return LIFT_PLAY;
	}
	word v = lift_calc(m, i->op, r[i->b], i->op == OP_DIV ? r[i->c] : b, &bad);
	if (bad) {
		fix_reg(m, &r[i->b]);
		if (!of_one)
			fix_reg(m, &r[i->c]);
		return LIFT_PLAY;
	}
	r[i->a] = v;
	return LIFT_DONE;
}

enum lift_how lift_step(struct vm *m, const struct insn *i, uint32_t fp)
{
	word *r = m->w + fp;
	const struct fn_info *f = &m->p->fn[m->w[H_FN]];
	check_made(m);
	if (fp + f->registers > m->lift->top)
		m->lift->top = fp + f->registers;
	switch ((enum treat)treatment[i->op]) {
	case UNKNOWN:
	case MOVES:
		return LIFT_PLAY;
	case FIX_A:
		fix_reg(m, &r[i->a]);
		return LIFT_PLAY;
	case FIX_AA:
		fix_reg(m, &r[i->a]);
		fix_reg(m, &r[i->a + 1]);
		return LIFT_PLAY;
	case FIX_B:
		fix_reg(m, &r[i->b]);
		return LIFT_PLAY;
	case FIX_BB:
		fix_reg(m, &r[i->b]);
		fix_reg(m, &r[i->b + 1]);
		return LIFT_PLAY;
	case MAKES:
		note_made(m, i, r);
		return LIFT_PLAY;
	case FIX_ALL:
		note_made(m, i, r);
		/* fall through */
	case FIX_ROLL:
		for (int k = 0; k < f->registers; k++)
			if (is_symbol(r[k]) && live_reads(m->p, f, i, k))
				fix_reg(m, &r[k]);
		return LIFT_PLAY;
	case CALCS:
		return calc(m, i, r);
	case TESTS:
		if (!is_symbol(r[i->b]) && !is_symbol(r[i->c]))
			return LIFT_PLAY;
		if (r[i->b] == NONE || r[i->c] == NONE)
			r[i->a] = 0;
		else
			r[i->a] = lift_test(m, i->op, r[i->b], r[i->c]);
		return LIFT_DONE;
	case NEGATES:
		if (!is_symbol(r[i->b]))
			return LIFT_PLAY;
		r[i->a] = lift_test(m, OP_EQ, r[i->b], 0);
		return LIFT_DONE;
	case JUMPS: {
		if (!is_symbol(r[i->a]))
			return LIFT_PLAY;
		if (i->op == OP_JNONE || i->op == OP_JSOME) /* a symbol is never unset */
			return i->op == OP_JNONE ? LIFT_DONE : LIFT_JUMP;
		bool zero = lift_test(m, OP_EQ, r[i->a], 0);
		return zero == (i->op == OP_JZ) ? LIFT_JUMP : LIFT_DONE;
	}
	}
	return LIFT_PLAY;
}

/* ---- a run ---- */

/* Above the innermost frame nothing is read that is not written first, but a register may be taken for one
 * that is, and what stands there from an earlier run would be a symbol of that run. */
static void forget_symbols(struct vm *m, struct lift *l)
{
	const uint32_t above = (uint32_t)m->w[H_FP] + m->p->fn[m->w[H_FN]].registers;
	for (uint32_t at = above; at < l->top; at++)
		if (is_symbol(m->w[at]))
			m->w[at] = 0;
	l->top = above;
}

static void begin_notes(struct vm *m, struct lift *l)
{
	m->lift = l;
	l->symbol.n = l->step.n = l->slots = 0;
	memset(l->made_words, 0, sizeof l->made_words);
}

/* The machine as words, with their places in the world. */
static uint32_t *save_with_places(const struct vm *m, bool round_begins, struct saved *out)
{
	vm_save(m, round_begins, out);
	uint32_t *at = calloc((size_t)out->n + 1, sizeof *at);
	if (!at)
		abort();
	vm_save_places(m, out, at);
	return at;
}

void lift_begin(struct vm *m, struct lift *l)
{
	struct saved s = {0};
	begin_notes(m, l);
	uint32_t *at = save_with_places(m, false, &s);
	for (int i = 0; i < s.n; i++)
		if (!holds_bits(l, at[i]))
			lift_plain(l, s.v[i]);
	free(at);
	VEC_FREE(s);
}

void lift_open(struct vm *m, struct lift *l, const struct saved *from, int columns, const word *value)
{
	const word *range = from->v + from->n - 2 * columns;
	vm_load(m, from);
	forget_symbols(m, l);
	begin_notes(m, l);
	l->decisions = 0;
	l->slots = columns;
	if (columns > l->most)
		l->most = columns;
	for (int k = 0; k < columns; k++) {
		struct symbol s = {.op = OP_NOP, .slot = k, .die = -1, .value = value[k], .low = range[2 * k], .high = range[2 * k + 1]};
		s.frac = s.low == NONE;
		if (s.frac)
			s.low = -LIFT_FAR;
		must(s.frac || (s.low <= s.value && s.value <= s.high));
		lift_symbol_add(l, s);
	}
}

void lift_stop(struct vm *m)
{
	m->lift = NULL;
}

enum vm_status lift_go(struct vm *m)
{
	if (m->status != VM_PAUSED)
		return m->status;
	m->w[H_STAGE] = WORLD_PLAYING;
	enum vm_status s = vm_loop(m, 0);
	if (s == VM_OVER)
		m->w[H_STAGE] = WORLD_OVER;
	else if (s == VM_PAUSED)
		m->resolved = false;
	else if (s != VM_SYNC)
		m->status = s;
	return s;
}

/* Numbers at words that have held symbols become symbols, so that the place is the same
 * whatever they are. */
static void lift_homes(struct vm *m, struct lift *l)
{
	for (uint32_t at = 0; at < m->p->layout.acts; at++) {
		struct lift_home *h = &l->home[at];
		if (!h->lifted || h->bits || is_symbol(m->w[at]) || m->w[at] == NONE || m->w[at] == FORGOTTEN)
			continue;
		struct symbol s = {.op = OP_MOVE, .slot = -1, .die = -1, .value = m->w[at], .low = m->w[at], .high = m->w[at]};
		s.slot = lift_constant_slot(l, m->w[at]);
		s.frac = h->lifted == 2;
		m->w[at] = lift_symbol_add(l, s);
	}
}

enum { WIDENED_MOST = 3 };

/* What is said of a column that stands at a word of the world. Few ranges a word, so that
 * machines meet: when one has grown often, only its sign is kept. */
static void settle_range(struct lift_home *h, word *low, word *high)
{
	if (h->widened < WIDENED_MOST) {
		bool first = h->low == 0 && h->high == 0 && h->widened == 0;
		if (first || *low < h->low || *high > h->high) {
			h->low = first || *low < h->low ? *low : h->low;
			h->high = first || *high > h->high ? *high : h->high;
			h->widened++;
		}
		*low = h->low;
		*high = h->high;
		if (h->widened < WIDENED_MOST)
			return;
	}
	*low = *low > 0 ? 1 : *low == 0 ? 0 : -LIFT_FAR;
	*high = *high <= 0 ? 0 : LIFT_FAR;
}

struct closing { struct lift *l; struct saved *out; VEC(uint16_t) slot; VEC(word) range; VEC(word) of; };

/* Words whose place is in the world up to the acts, or all the others. */
static void number(struct closing *c, bool of_world, const uint32_t *at)
{
	struct lift *l = c->l;
	for (int i = 0; i < c->out->n; i++) {
		word w = c->out->v[i];
		const bool world = at[i] && at[i] < l->p->layout.acts;
		if (world != of_world || !is_symbol(w) || holds_bits(l, at[i]))
			continue;
		struct lift_home *h = world ? &l->home[at[i]] : NULL;
		const struct symbol *s = symbol_of(l, w);
		if (h && !h->lifted)
			h->lifted = s->frac ? 2 : 1;
		if (!h && settled(s)) {
			c->out->v[i] = s->value;
			continue;
		}
		word low = s->frac ? NONE : s->low, high = s->frac ? NONE : s->high;
		if (h && !s->frac)
			settle_range(h, &low, &high);
		if (!s->frac && (low < -LIFT_FAR || high > LIFT_FAR || high - low > LIFT_FAR / 4)) {
			low = low > 0 ? 1 : low == 0 ? 0 : -LIFT_FAR;
			high = high <= 0 ? 0 : LIFT_FAR;
		}
		VEC_PUSH(c->slot, lift_slot_of(l, w));
		VEC_PUSH(c->of, w);
		VEC_PUSH(l->at, world ? at[i] : 0);
		VEC_PUSH(c->range, low);
		VEC_PUSH(c->range, high);
		c->out->v[i] = SYMBOL_FIRST + c->slot.n - 1;
	}
}

static void close_moves(struct closing *c)
{
	struct lift *l = c->l;
	int n = c->slot.n;
	if (l->slots < n)
		l->slots = n; /* what is put aside lies above the columns */
	/* a column that is written but still to be read is put aside */
	for (int k = 0; k < n; k++) {
		uint16_t from = c->slot.v[k];
		if (from >= n || from == k || c->slot.v[from] == from || from > k)
			continue;
		struct step x = {.kind = STEP_ASIDE, .a = from};
		x.to = lift_slot_new(l);
		lift_note(l, x);
		for (int j = k; j < n; j++)
			if (c->slot.v[j] == from && j != from)
				c->slot.v[j] = x.to;
	}
	for (int k = 0; k < n; k++) {
		if (c->slot.v[k] == k)
			continue;
		const struct symbol *s = symbol_of(l, c->of.v[k]);
		struct step x = {.kind = STEP_MOVE, .to = (uint16_t)k, .a = c->slot.v[k]};
		x.checked = !s->frac && (s->low < c->range.v[2 * k] || s->high > c->range.v[2 * k + 1]);
		lift_note(l, x);
	}
}

void lift_close(struct vm *m, bool round_begins, struct saved *out, int *columns)
{
	struct lift *l = m->lift;
	struct closing c = {.l = l, .out = out};
	check_made(m);
	lift_homes(m, l);
	l->at.n = 0;
	uint32_t *at = save_with_places(m, round_begins, out);
	/* words of the world first: they keep their columns when others come and go */
	number(&c, true, at);
	number(&c, false, at);
	free(at);
	*columns = c.slot.n;
	if (c.slot.n >= SLOTS / 4)
		l->failed = true;
	for (int k = 0; k < c.range.n; k++)
		VEC_PUSH(*out, c.range.v[k]);
	if (!l->failed)
		close_moves(&c);
	VEC_FREE(c.slot);
	VEC_FREE(c.of);
	VEC_FREE(c.range);
}
