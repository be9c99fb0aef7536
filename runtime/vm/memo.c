/* memo.c - see memo.h. Links are made while an answer is worked out and used up when what
 * they start from is written. A link whose answer went for another reason is known by its
 * stamp. */
#include "runtime/vm/memo.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/must.h"
#include "runtime/vm/quiet.h"

enum {
	SLOTS_FIRST = 16, SLOTS_MOST = 4096,
	SHORT = 4,              /* fewer instructions are run sooner than looked up */
	LOOK_BACK = 4,          /* links looked at for one that is there already */
	LINKS_MOST = 1 << 20,
	TRIED = 200,            /* questions before a function is doubted */
	SURELY = 4,             /* times what keeping takes, and it is doubted no more */
	/* what things take, in machine instructions, as counted */
	STEPS_MOST = 48,        /* of a long function most is for other cases */
	COST_STEP = 6, COST_FUEL = 20, COST_ASK = 40, COST_KEEP = 250, COST_NOTE = 80
};

static void room(struct memo *x, struct memo_fn *f, uint32_t slots, uint32_t behind)
{
	struct memo_entry e = {0};
	f->first = (uint32_t)x->entry.n;
	f->mask = slots - 1;
	f->values = (uint32_t)x->value.n;
	f->lost = 0;
	e.place = e.of = -1;
	for (uint32_t i = 0; i < slots + behind; i++)
		VEC_PUSH(x->entry, e);
	for (int i = 0; i < x->fn.n; i++)
		x->fn.v[i].table = x->entry.v + x->fn.v[i].first;
	f->table = x->entry.v + f->first;
	for (uint32_t i = 0; i < slots * f->results; i++)
		VEC_PUSH(x->value, 0);
}

/* Of this function it is kept for whom it says yes and no, too. */
static void sifts(struct memo *x, struct memo_fn *f)
{
	if (f->bits >= 0)
		return;
	f->bits = (int32_t)x->stale_words;
	x->stale_words += (uint32_t)x->set_words;
}

static bool is_yes(word answer)
{
	return answer != 0 && answer != NONE;
}

/* An answer is kept from now on, or no longer. */
static void tell(struct memo *x, const struct memo_entry *e, bool known, word answer)
{
	const struct memo_fn *f = e->of < 0 ? NULL : &x->fn.v[e->of];
	const int32_t bits = f ? f->bits : -1;
	if (f && f->at_once && (uint64_t)e->argument[0] < (uint64_t)x->at_once)
		f->at_once[e->argument[0]] = known ? answer : MEMO_UNKNOWN;
	if (bits < 0 || e->argument[0] < 0 || e->argument[0] >= (f->own ? x->at_once : x->set_words * 64))
		return;
	int32_t at = bits + (int32_t)(e->argument[0] / 64);
	uint64_t bit = 1ull << e->argument[0] % 64;
	x->stale[at] = known ? x->stale[at] & ~bit : x->stale[at] | bit;
	x->so[at] = known && is_yes(answer) ? x->so[at] | bit : x->so[at] & ~bit;
}

static void forget_at_once(const struct memo *x, const struct memo_fn *f)
{
	for (word i = 0; f->at_once && i < x->at_once; i++)
		f->at_once[i] = MEMO_UNKNOWN;
}

static void find_at_once(struct memo *x, struct memo_fn *f)
{
	f->at_once = calloc((size_t)x->at_once + 1, sizeof *f->at_once);
	if (!f->at_once)
		abort();
	f->at_once++;
	forget_at_once(x, f);
}

static bool is_condition(const struct program *p, int fn)
{
	for (int i = 0; i < p->whenevers; i++)
		if (p->whenever[i].fn == fn)
			return true;
	return false;
}

/* ---- what rests on own words only ---- */

/* The words of each thing a function looks at that is asked of it, each with what rests on them: the place of a condition's
 * bit, or behind those an answer's entry. */
struct owner { uint32_t at; int32_t place; };
struct owners { VEC(struct owner) all; };

static int by_word(const void *a, const void *b)
{
	const struct owner *one = a, *other = b;
	return one->at != other->at ? (one->at > other->at) - (one->at < other->at) : (one->place > other->place) - (one->place < other->place);
}

static void add_owned(struct owners *o, const struct program *p, int32_t fn, word things, int32_t first)
{
	for (int32_t at = p->fn[fn].entry; at < p->fn[fn].end; at++) {
		const struct insn *i = &p->code[at];
		if (i->op != OP_LDF || i->b != 0 || p->field[i->c].fixed)
			continue;
		const struct field_info *f = &p->field[i->c];
		for (int32_t who = 0; who < things && (uint32_t)who < p->layout.kind[f->kind].count; who++)
			VEC_PUSH(o->all, (struct owner){f->base + (uint32_t)who * f->stride, first + who});
	}
}

/* To a list that begins, or goes on behind the last. */
static void add_owner(struct memo *x, bool begins, uint32_t place)
{
	struct memo_owner one = {1ull << place % 64, place / 64, -1, -1, false}, *last = begins ? NULL : &x->owners.v[x->owners.n - 1];
	if (place >= x->places) {
		one.entry = (int32_t)(place - x->places);
		const struct memo_entry *e = &x->entry.v[one.entry];
		one.at = (uint32_t)x->fn.v[e->of].bits + (uint32_t)e->argument[0] / 64;
		one.bits = 1ull << e->argument[0] % 64;
		one.all = (int32_t)memo_all(&x->fn.v[e->of]);
	}
	if (last && last->at == one.at && last->entry == one.entry)
		last->bits |= one.bits;
	else
		VEC_PUSH(x->owners, one);
}

/* Does the same rest on the words of the second run of owners as of the first, of the next thing? */
static bool is_next(const struct owner *one, const struct owner *next, int n)
{
	for (int i = 0; i < n; i++)
		if (next[i].at != one[i].at + 1 || next[i].place != one[i].place + 1)
			return false;
	return true;
}

static void add_column(struct memo *x, const struct owner *of, int n)
{
	struct memo_column c = {of->at, 1, x->asker.n, n};
	for (int i = 0; i < n; i++) {
		struct memo_asker a = {(uint32_t)of[i].place, -1, -1};
		if (a.bit >= x->places) {
			a.entry = (int32_t)(a.bit - x->places);
			const struct memo_entry *e = &x->entry.v[a.entry];
			a.bit = (uint32_t)x->fn.v[e->of].bits * 64 + (uint32_t)e->argument[0];
			a.all = (int32_t)memo_all(&x->fn.v[e->of]);
		}
		VEC_PUSH(x->asker, a);
	}
	VEC_PUSH(x->column, c);
}

static void find_columns(struct memo *x, const struct owners *o)
{
	for (int i = 0, before = 0, n; i < o->all.n; before = n, i += n) {
		const struct owner *of = &o->all.v[i];
		for (n = 1; i + n < o->all.n && of[n].at == of->at; n++)
			;
		if (n == before && is_next(of - n, of, n))
			x->column.v[x->column.n - 1].count++;
		else
			add_column(x, of, n);
	}
}

static void find_owned(struct memo *x, const struct program *p)
{
	struct owners o = {{0}};
	for (int k = 0; k < p->whenevers; k++) {
		const struct whenever_info *c = &p->whenever[k];
		if (c->fn < 0 || c->params != 1 || c->count[1] != 1 || x->of[c->fn] < 0 || !p->fn[c->fn].own)
			continue;
		x->of[c->fn] = -1;
		for (int32_t who = 0; who < c->count[0]; who++)
			x->self[(c->first + who) / 64] |= 1ull << (c->first + who) % 64;
		add_owned(&o, p, c->fn, c->count[0], c->first);
	}
	for (int i = 0; i < x->fn.n; i++)
		if (x->fn.v[i].own)
			add_owned(&o, p, x->fn.v[i].fn, x->at_once, (int32_t)(x->places + x->fn.v[i].first));
	if (o.all.n > 0)
		qsort(o.all.v, (size_t)o.all.n, sizeof *o.all.v, by_word);
	for (int i = 0; i < o.all.n; i++) {
		const struct owner *one = &o.all.v[i];
		const bool begins = i == 0 || one[-1].at != one->at;
		if (begins) {
			x->owned[one->at] = (uint32_t)x->owners.n;
			x->head[one->at] |= MEMO_OWNED;
		}
		add_owner(x, begins, (uint32_t)one->place);
		x->owners.v[x->owners.n - 1].last = i + 1 == o.all.n || one[1].at != one->at;
	}
	find_columns(x, &o);
	VEC_FREE(o.all);
}

/* Is the function asked of few things, by some instruction, and is what it rests on theirs? One nobody asks is not worth telling at each
 * write, and a condition has its bit. */
static bool rests_on_own(const struct memo *x, const struct program *p, int32_t fn)
{
	bool asked = false;
	if (!p->fn[fn].own || is_condition(p, fn) || x->at_once > 64 * (word)p->set_words)
		return false;
	for (int32_t at = p->fn[fn].entry; at < p->fn[fn].end; at++)
		if (p->code[at].op == OP_LDF && p->layout.kind[p->field[p->code[at].c].kind].count > (uint64_t)x->at_once)
			return false;
	for (int32_t k = 0; k < p->code_count && !asked; k++)
		asked = p->code[k].op == OP_CALL && p->code[k].k == fn;
	return asked;
}

/* Its answers have a place each; what is worked out from one leads from its entry. */
static void room_for_own(struct memo *x, struct memo_fn *f)
{
	uint32_t slots = SLOTS_FIRST;
	sifts(x, f);
	while (slots < (uint64_t)x->at_once)
		slots *= 2;
	room(x, f, slots, 1);
	for (word who = 0; who < (word)slots; who++) {
		struct memo_entry *e = &f->table[who];
		e->argument[0] = who;
		e->of = x->fn.n;
		e->own = true;
	}
}

/* Of these the answers are kept act by act (partners.h). */
static bool compares_by(const struct program *p, int32_t fn)
{
	for (int i = 0; i < p->orders; i++)
		if (p->order[i].partner_fn >= 0 && (p->order[i].partner_fn == fn || p->order[i].pair_fn == fn))
			return true;
	return false;
}

static bool compares(const struct program *p)
{
	for (int i = 0; i < p->orders; i++)
		if (p->order[i].partner_fn >= 0)
			return true;
	return false;
}

static void know_nothing(struct memo *x)
{
	memset(x->stale, 0xff, x->stale_words * sizeof *x->stale);
	quiet_forget(x);
	memset(x->says, -1, x->says_end);
}

void memo_open(struct memo *x, const struct program *p, const uint64_t *fuel, bool on)
{
	struct memo_link none = {0};
	memset(x, 0, sizeof *x);
	x->on = on;
	x->p = p;
	x->fuel = fuel;
	x->of = malloc(((size_t)p->fns + 1) * sizeof *x->of);
	x->none = malloc(((size_t)p->fns + 1) * sizeof *x->none);
	x->words = p->layout.words;
	x->head = calloc(x->words, sizeof *x->head);
	x->listed = calloc(x->words, 1);
	x->moving = calloc((size_t)p->layout.act_count + 1, 1);
	x->moved = calloc((size_t)p->layout.act_count + 1, sizeof *x->moved);
	x->unpairing = calloc((size_t)p->layout.act_count + 1, 1);
	x->unpairs = calloc((size_t)p->layout.act_count + 1, sizeof *x->unpairs);
	x->row_noted = calloc((size_t)p->layout.act_count + 64, 1); /* code of the processor asks it of a row before it sees that there is none */
	if (!x->of || !x->none || !x->head || !x->listed || !x->moving || !x->moved || !x->row_noted || !x->unpairs || !x->unpairing)
		abort();
	memset(x->none, 0xff, ((size_t)p->fns + 1) * sizeof *x->none);
	x->rows = p->layout.acts;
	x->stride = p->layout.act_stride;
	x->rows_end = x->rows + x->stride * p->layout.act_count;
	VEC_PUSH(x->link, none);
	x->places = p->layout.condition_words * 64;
	x->stale_words = p->layout.condition_words;
	x->set_words = p->set_words;
	x->at_once = p->lives[KIND_COMBATANT] > p->lives[KIND_SIDE] ? p->lives[KIND_COMBATANT] : p->lives[KIND_SIDE];
	for (int i = 0; i < p->fns; i++) {
		const struct fn_info *f = &p->fn[i];
		struct memo_fn m = {0};
		x->of[i] = -1;
		if (!x->on || !f->pure || f->arguments > MEMO_ARGUMENTS || f->results == 0 || f->results > 16 || compares_by(p, i) || (f->end - f->entry < SHORT && !is_condition(p, i)))
			continue;
		m.fn = i;
		m.place = m.bits = -1;
		m.arguments = (uint8_t)f->arguments;
		m.results = (uint8_t)f->results;
		m.own = rests_on_own(x, p, i);
		if (m.own)
			room_for_own(x, &m);
		else
			room(x, &m, f->arguments ? SLOTS_FIRST : 1, 0);
		if (f->arguments == 1 && f->results == 1)
			find_at_once(x, &m);
		x->of[i] = x->fn.n;
		VEC_PUSH(x->fn, m);
	}
	for (int32_t k = 0; k + 1 < p->code_count; k++)
		if (p->code[k].op == OP_SKNOWN && x->of[p->code[k + 1].k] >= 0)
			sifts(x, &x->fn.v[x->of[p->code[k + 1].k]]);
	for (int i = 0; i < p->whenevers; i++)
		if (p->whenever[i].fn >= 0 && x->of[p->whenever[i].fn] >= 0) {
			struct memo_fn *f = &x->fn.v[x->of[p->whenever[i].fn]];
			f->place = p->whenever[i].first;
			f->second = p->whenever[i].count[1];
		}
	struct memo_fn order = {.fn = -1, .arguments = 1, .results = 1, .place = -2, .bits = -1};
	uint32_t slots = SLOTS_FIRST;
	while (slots < p->layout.act_count)
		slots *= 2;
	room(x, &order, x->on ? slots : 1, 0);
	x->of_order = x->fn.n;
	VEC_PUSH(x->fn, order);
	order.place = MEMO_PAIRED;
	room(x, &order, x->on && compares(p) ? slots : 1, 0);
	x->of_pairs = x->fn.n;
	VEC_PUSH(x->fn, order);
	x->stale = malloc((x->stale_words + 1) * sizeof *x->stale);
	x->so = calloc(x->stale_words + 1, sizeof *x->so);
	x->says_end = (uint32_t)x->entry.n;
	x->says = malloc(x->says_end);
	if (!x->stale || !x->so || !x->says)
		abort();
	know_nothing(x);
	x->self = calloc(p->layout.condition_words + 1, sizeof *x->self);
	x->owned = calloc(x->words, sizeof *x->owned);
	if (!x->self || !x->owned)
		abort();
	find_owned(x, p);
	quiet_open(x, p);
	cells_open(x);
	sifted_open(x);
	x->asked = x->placing = x->pairing = -1;
}

/* ---- conditions ---- */

void memo_stale(struct memo *x, uint32_t at, uint64_t bits)
{
	x->stale[at] |= bits;
}

void memo_settled(struct memo *x, uint32_t place)
{
	if (x->asked == (int32_t)place || x->self[place / 64] >> place % 64 & 1)
		x->stale[place / 64] &= ~(1ull << place % 64);
	x->asked = -1;
}

int64_t memo_next_stale(const struct memo *x, int64_t from, int64_t end)
{
	while (from < end) {
		uint64_t bits = x->stale[from / 64] >> from % 64;
		if (bits) {
			from += __builtin_ctzll(bits);
			return from < end ? from : -1;
		}
		from = (from / 64 + 1) * 64;
	}
	return -1;
}

void memo_close(struct memo *x)
{
	free(x->of);
	free(x->none);
	free(x->head);
	free(x->listed);
	free(x->moving);
	free(x->row_noted);
	free(x->stale);
	free(x->so);
	free(x->says);
	free(x->self);
	free(x->owned);
	quiet_close(x);
	cells_close(x);
	sifted_close(x);
	VEC_FREE(x->owners);
	VEC_FREE(x->column);
	VEC_FREE(x->asker);
	VEC_FREE(x->led);
	for (int i = 0; i < x->fn.n; i++)
		if (x->fn.v[i].at_once)
			free(x->fn.v[i].at_once - 1);
	VEC_FREE(x->fn);
	VEC_FREE(x->entry);
	VEC_FREE(x->value);
	VEC_FREE(x->link);
	VEC_FREE(x->watched);
	free(x->moved);
	free(x->unpairs);
	free(x->unpairing);
	memset(x, 0, sizeof *x);
}

void memo_clear(struct memo *x)
{
	for (int i = 0; i < x->entry.n; i++) {
		struct memo_entry *e = &x->entry.v[i];
		e->valid = false;
		e->places = 0;
		e->stamp++;
		e->leads = 0;
		e->sifted = false;
	}
	sifted_forget(x);
	for (int i = 0; i < x->fn.n; i++)
		forget_at_once(x, &x->fn.v[i]);
	for (int i = 0; i < x->watched.n; i++)
		x->head[x->watched.v[i]] &= MEMO_OWNED | MEMO_QUIET | MEMO_CELLS;
	cells_forget(x);
	x->led.n = 0;
	x->link.n = x->head ? 1 : 0;
	x->free = 0;
	if (x->stale)
		know_nothing(x);
	x->asked = -1;
	while (x->moves > 0)
		x->moving[x->moved[--x->moves]] = 0;
	x->order_stale = true;
	x->cleared++;
}

static void void_entry(struct memo *x, uint32_t entry);

static inline bool is_led(const struct memo *x, int32_t entry)
{
	return x->entry.v[entry].leads || x->entry.v[entry].places || x->entry.v[entry].sifted;
}

/* What rests on words of a column from number `from` on, a bit each: conditions may differ, answers are unknown. What rests on one of those stays. */
static void void_of_column(struct memo *x, const struct memo_column *c, uint32_t from, uint64_t words)
{
	for (uint32_t k = 0; k < (uint32_t)c->askers; k++) {
		const struct memo_asker *a = &x->asker.v[(uint32_t)c->first + k];
		const uint32_t bit = a->bit + from;
		x->stale[bit / 64] |= words << bit % 64;
		if (bit % 64 && words >> (64 - bit % 64))
			x->stale[bit / 64 + 1] |= words >> (64 - bit % 64);
		if (a->entry < 0)
			continue;
		int8_t *const says = x->says + a->entry + from;
		if (words == ~0ull) /* as set up writes them, of many */
			memset(says, -1, 64);
		else
			for (uint64_t left = words; left; left &= left - 1)
				says[__builtin_ctzll(left)] = -1;
		if (is_led(x, a->all))
			void_entry(x, (uint32_t)a->all);
	}
}

/* Which of so many words differ, 64 at most. */
static uint64_t differing(const word *a, const word *b, uint32_t n)
{
	uint64_t differ = 0;
	uint32_t k = 0;
	for (; k + 4 <= n; k += 4) { /* so that few wait for each other */
		const unsigned two = (unsigned)(a[k] != b[k]) | (unsigned)(a[k + 1] != b[k + 1]) << 1, more = (unsigned)(a[k + 2] != b[k + 2]) << 2 | (unsigned)(a[k + 3] != b[k + 3]) << 3;
		differ |= (uint64_t)(two | more) << k;
	}
	for (; k < n; k++)
		differ |= (uint64_t)(a[k] != b[k]) << k;
	return differ;
}

static void renew_column(struct memo *x, const struct memo_column *c, const word *now, const word *to)
{
	for (uint32_t i = 0; i < c->count; i += 64) {
		const uint64_t differ = differing(now + c->from + i, to + c->from + i, c->count - i < 64 ? c->count - i : 64);
		if (differ)
			void_of_column(x, c, i, differ);
	}
}

/* Of the answers that rest on own words those that became unknown lead nowhere. */
static void void_unknown(struct memo *x)
{
	int n = 0;
	for (int i = 0; i < x->led.n; i++) {
		const uint32_t entry = x->led.v[i];
		if (x->says[entry] < 0)
			void_entry(x, entry);
		if (is_led(x, (int32_t)entry))
			x->led.v[n++] = entry;
	}
	x->led.n = n;
}

void memo_renew(struct memo *x, const word *now, const word *to)
{
	for (int i = 0; i < x->column.n; i++)
		renew_column(x, &x->column.v[i], now, to);
	void_unknown(x);
	quiet_renew(x, now, to);
	cells_renew(x);
	sifted_renew(x);
	int n = 0;
	for (int i = 0; i < x->watched.n; i++) {
		const uint32_t at = x->watched.v[i], head = x->head[at] & ~(MEMO_QUIET | MEMO_CELLS);
		if (!(head & ~MEMO_OWNED)) { /* of a column it is done, or nothing rests on it any more */
			x->listed[at] = 0;
			continue;
		}
		x->watched.v[n++] = at;
		if (head == MEMO_PLACES) /* none is kept of another world */
			x->head[at] &= MEMO_QUIET | MEMO_CELLS;
		else if (now[at] != to[at])
			memo_void(x, at);
	}
	x->watched.n = n;
}

/* ---- links ---- */

void memo_lead(struct memo *x, uint32_t *head, const struct memo_frame *f)
{
	uint32_t at = *head;
	for (int i = 0; i < LOOK_BACK && at; i++) {
		struct memo_link *l = &x->link.v[at];
		if (l->entry == f->entry) {
			l->stamp = f->stamp;
			return;
		}
		at = l->next;
	}
	struct memo_link l = {f->entry, f->stamp, *head};
	if (x->free) {
		at = x->free;
		x->free = x->link.v[at].next;
		x->link.v[at] = l;
	} else {
		at = (uint32_t)x->link.n;
		VEC_PUSH(x->link, l);
	}
	*head = at;
}

/* Of a pair field. */
static bool is_cell(const struct program *p, uint32_t at)
{
	for (int i = 0; i < p->pairs; i++)
		if (at - p->pair[i].base < p->pair[i].side * p->pair[i].side)
			return true;
	return false;
}

void memo_note(struct memo *x, uint32_t at)
{
	struct memo_frame *f = &x->frame[x->depth - 1];
	must(at < x->words);
	f->changeable = true;
	f->notes++;
	if (!x->listed[at]) {
		x->listed[at] = 1;
		VEC_PUSH(x->watched, at);
		x->cells_noted |= is_cell(x->p, at);
	}
	if (at >= x->rows && at < x->rows_end)
		x->row_noted[(at - x->rows) / x->stride] = 1;
	if (f->of == x->of_order && !x->order_fine) {
		x->head[at] |= MEMO_PLACES;
		return;
	}
	const uint32_t marks = x->head[at] & (MEMO_PLACES | MEMO_OWNED | MEMO_QUIET | MEMO_CELLS);
	x->head[at] &= ~marks;
	memo_lead(x, &x->head[at], f);
	x->head[at] |= marks;
}

void memo_rests(struct memo *x, uint32_t entry)
{
	struct memo_frame *f = &x->frame[x->depth - 1];
	struct memo_entry *e = &x->entry.v[entry];
	if (e->own && !e->leads && !e->places)
		VEC_PUSH(x->led, entry);
	if (f->of == x->of_order && !x->order_fine) {
		e->places = e->places == 0 || e->places == x->placed + 1 ? x->placed + 1 : -1;
		return;
	}
	f->changeable = true;
	f->notes++;
	memo_lead(x, &e->leads, f);
}

static void void_entry(struct memo *x, uint32_t entry)
{
	struct memo_entry *e = &x->entry.v[entry];
	uint32_t leads = e->leads;
	if (e->valid && e->place >= 0)
		x->stale[e->place / 64] |= 1ull << e->place % 64;
	else if (e->valid && e->place <= MEMO_PAIRED)
		memo_unpair(x, MEMO_PAIRED - e->place);
	else if (e->valid && e->place < -1)
		memo_moved(x, -2 - e->place);
	if (e->valid)
		tell(x, e, false, 0);
	if (e->places < 0)
		x->order_stale = true;
	else if (e->places > 0)
		memo_moved(x, e->places - 1);
	e->places = 0;
	e->valid = false;
	e->stamp++;
	e->leads = 0;
	memo_void_chain(x, leads);
}

void memo_void_chain(struct memo *x, uint32_t at)
{
	while (at) {
		struct memo_link *l = &x->link.v[at];
		uint32_t next = l->next, entry = l->entry;
		bool current = x->entry.v[entry].stamp == l->stamp;
		l->next = x->free;
		x->free = at;
		if (current)
			void_entry(x, entry);
		at = next;
	}
}

/* What answers rest on that rest on a word of their own, and what rests on the word itself. */
static __attribute__((noinline)) void void_led(struct memo *x, uint32_t at)
{
	const uint32_t chain = x->head[at];
	x->head[at] = chain & (MEMO_OWNED | MEMO_QUIET | MEMO_CELLS);
	for (const struct memo_owner *o = chain & MEMO_OWNED ? &x->owners.v[x->owned[at]] : NULL; o; o = o->last ? NULL : o + 1)
		if (o->entry >= 0)
			memo_void_led(x, (uint32_t)o->entry);
	if (chain & MEMO_PLACES)
		x->order_stale = true;
	memo_void_chain(x, chain & ~(MEMO_PLACES | MEMO_OWNED | MEMO_QUIET | MEMO_CELLS));
}

void memo_void(struct memo *x, uint32_t at)
{
	const uint32_t chain = x->head[at] & ~(MEMO_QUIET | MEMO_CELLS);
	if (x->head[at] & MEMO_QUIET)
		quiet_wrote(x, at);
	if (x->head[at] & MEMO_CELLS)
		cells_wrote(x, at);
	if (!chain)
		return;
	if (chain == MEMO_PLACES) {
		x->head[at] &= MEMO_QUIET | MEMO_CELLS;
		x->order_stale = true;
		return;
	}
	bool leads = chain != MEMO_OWNED;
	for (const struct memo_owner *o = chain & MEMO_OWNED ? &x->owners.v[x->owned[at]] : NULL; o; o = o->last ? NULL : o + 1) {
		x->stale[o->at] |= o->bits;
		if (o->entry >= 0) {
			x->says[o->entry] = -1;
			leads |= is_led(x, o->entry) || is_led(x, o->all);
		}
	}
	if (leads)
		void_led(x, at);
}

void memo_void_led(struct memo *x, uint32_t entry)
{
	const struct memo_entry *e = &x->entry.v[entry];
	const struct memo_fn *f = &x->fn.v[e->of];
	void_entry(x, entry);
	if (x->entry.v[memo_all(f)].sifted)
		sifted_void(x, e->of, e->argument[0]);
	if (is_led(x, (int32_t)memo_all(f)))
		void_entry(x, memo_all(f));
}

/* ---- working out ---- */

/* Is what it saves, as often as an answer was found, so many times what keeping took? */
static bool worth_it(const struct memo *x, const struct memo_fn *f, unsigned times)
{
	const struct fn_info *info = &x->p->fn[f->fn];
	if (f->place >= 0 || f->bits >= 0 || f->made == 0)
		return true;
	uint64_t steps = info->end - info->entry < STEPS_MOST ? (uint64_t)(info->end - info->entry) : STEPS_MOST;
	uint64_t work = COST_STEP * steps + COST_FUEL * f->spent / f->made;
	return f->found * work / times > COST_ASK * ((uint64_t)f->asked + f->found) + COST_KEEP * (uint64_t)f->made + COST_NOTE * (uint64_t)f->notes;
}

void memo_doubt(struct memo *x, int32_t of)
{
	struct memo_fn *f = &x->fn.v[of];
	f->sure = worth_it(x, f, SURELY);
	if (!worth_it(x, f, 1)) {
		f->off = true;
		x->of[f->fn] = -1;
		for (uint32_t i = 0; i <= f->mask; i++)
			f->table[i].valid = false;
		forget_at_once(x, f);
	}
	f->asked = f->found = f->made = f->notes = 0;
	f->spent = 0;
}

void memo_begin(struct memo *x, int32_t of, const word *arguments, uint32_t fp)
{
	struct memo_fn *f = &x->fn.v[of];
	if (f->own)
		return;
	if (x->link.n > LINKS_MOST)
		memo_clear(x);
	if (f->at_once) {
		f->found += (uint32_t)f->at_once[-1];
		f->at_once[-1] = 0;
	}
	if (f->asked + f->found > TRIED && f->fn >= 0 && !f->sure)
		memo_doubt(x, of);
	uint32_t at = memo_slot(f, arguments);
	if (f->place < -1)
		x->entry.v[at].valid = false; /* an act being placed anew has not moved */
	if (x->entry.v[at].valid && ++f->lost > f->mask && f->mask + 1 < SLOTS_MOST) {
		/* many who push each other out: twice the room, and all is forgotten */
		for (uint32_t i = f->first; i <= f->first + f->mask; i++)
			void_entry(x, i);
		room(x, f, 2 * (f->mask + 1), 0);
		f->asked = f->found = f->made = f->notes = 0;
		f->spent = 0;
		at = memo_slot(f, arguments);
	}
	struct memo_entry *e = &x->entry.v[at];
	if (e->valid || e->leads || e->places)
		void_entry(x, at);
	else
		e->stamp++;
	e->of = of;
	for (int i = 0; i < f->arguments; i++)
		e->argument[i] = arguments[i];
	e->place = f->place < -1 ? (int32_t)(f->place - arguments[0]) : f->place < 0 ? -1 : f->place + (int32_t)((f->arguments ? arguments[0] * f->second : 0) + (f->arguments > 1 ? arguments[1] : 0));
	x->frame[x->depth++] = (struct memo_frame){.fp = fp,
		.entry = at,
		.stamp = e->stamp,
		.of = of,
		.asked = f->arguments == 1 && f->fn >= 0 ? (int32_t)arguments[0] : -1,
		.changeable = of == x->of_order,
		.fuel = *x->fuel};
}

void memo_end(struct memo *x, const word *results)
{
	struct memo_frame f = x->frame[--x->depth];
	if (x->depth < x->placing)
		x->placing = -1;
	struct memo_fn *fn = &x->fn.v[f.of];
	struct memo_entry *e = &x->entry.v[f.entry];
	fn->made++;
	fn->notes += f.notes;
	fn->spent += f.fuel - *x->fuel;
	if (e->stamp == f.stamp) {
		e->valid = !fn->off;
		x->asked = e->place;
		e->constant = !f.changeable;
		if (fn->results > 1)
			memcpy(&x->value.v[fn->values + (f.entry - fn->first) * fn->results], results, fn->results * sizeof(word));
		e->answer = results[0];
		tell(x, e, e->valid, results[0]);
		if (x->depth && f.changeable)
			memo_rests(x, f.entry);
		return;
	}
	x->asked = -1;
	/* its place was taken meanwhile: whoever asked must not keep what rests on it either */
	if (x->depth)
		x->frame[x->depth - 1].stamp--;
}

void memo_owned(struct memo *x, int32_t of, word argument, word answer)
{
	if (of < 0 || (uint64_t)argument >= (uint64_t)x->at_once)
		return;
	const struct memo_fn *f = &x->fn.v[of];
	tell(x, &f->table[argument], true, answer);
	x->says[f->first + (uint32_t)argument] = is_yes(answer);
	memo_rests_own(x, of, argument);
}

void memo_rests_own(struct memo *x, int32_t of, word argument)
{
	if (x->depth)
		memo_rests(x, x->fn.v[of].first + (uint32_t)argument);
}
