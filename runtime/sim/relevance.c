/* relevance.c - the usual backward walk over the graph, again and again until nothing is added.
 *
 * Down a tree it is kept for each slot which sum of the place's columns it is. What a test or
 * a fix looks at matters - of a comparison the difference; so does what becomes a sum that
 * matters at the next place. A measure that comes to the same sum on all ways from a place is
 * decided there: nothing beyond matters for it. Where that proves wrong what mattered because of it goes
 * on mattering: rows may be kept apart that need not be, none is put together that must not be. */
#include "runtime/sim/relevance.h"

#include <stdlib.h>
#include <string.h>

/* SUM: plus + the terms; THROWN: the terms + something else that is known on the way; AS_IS:
 * the word of one column, or of none, in no sum; MIXED: worked out otherwise, of `list`. */
enum kind { SUM, THROWN, AS_IS, MIXED };
struct made { enum kind kind; int32_t at, n; word plus; int32_t list; };
struct link { int32_t at, n, next; };

/* next: of the places to go to, in `next`; from: of those one comes from, in `come_from`, 0: none;
 * seen: the graph's explored when `next` was made; changed: the turn in which what matters there, or a fate, last did. */
struct at_place { struct basis basis; struct fate *measure; int32_t next, nexts, from; uint64_t seen, changed; };
struct from { int32_t place, next; };

struct needs {
	const struct graph *g;
	const struct clock *clock;
	VEC(struct at_place) place;
	VEC(int32_t) next;
	struct made *slot;
	uint16_t *from;      /* column -> slot that moves into it, while one GO is looked at */
	VEC(struct term) term;
	VEC(struct link) link; /* 0: none */
	VEC(int32_t) todo;
	VEC(struct from) come_from;
	VEC(bool) due[2];    /* by place: to be looked at for what matters; for what measures come to */
	uint64_t turn;       /* how often it was found */
	uint64_t steps;      /* of trees that were gone through for that */
	uint64_t explored, lessons; /* the graph's counts when it was last found */
};

struct needs *needs_new(const struct graph *g, const struct clock *clock)
{
	struct needs *n = calloc(1, sizeof *n);
	if (!n)
		abort();
	n->g = g;
	n->clock = clock;
	n->slot = calloc(SLOTS, sizeof *n->slot);
	n->from = calloc(SLOTS, sizeof *n->from);
	if (!n->slot || !n->from)
		abort();
	VEC_PUSH(n->come_from, (struct from){0, 0});
	return n;
}

static int measures_of(const struct needs *n)
{
	return n->g->p->measure_fn >= 0 ? n->g->p->measures : 0;
}

static void clear(struct needs *n)
{
	for (int i = 0; i < n->place.n; i++) {
		basis_free(&n->place.v[i].basis);
		for (int k = 0; k < measures_of(n); k++)
			free(n->place.v[i].measure[k].term);
		free(n->place.v[i].measure);
	}
	n->place.n = n->next.n = n->come_from.n = n->due[0].n = n->due[1].n = 0;
	VEC_PUSH(n->come_from, (struct from){0, 0});
}

void needs_free(struct needs *n)
{
	if (!n)
		return;
	clear(n);
	VEC_FREE(n->place);
	VEC_FREE(n->next);
	VEC_FREE(n->term);
	VEC_FREE(n->link);
	VEC_FREE(n->todo);
	VEC_FREE(n->come_from);
	VEC_FREE(n->due[0]);
	VEC_FREE(n->due[1]);
	free(n->slot);
	free(n->from);
	free(n);
}

int32_t needs_places(const struct needs *n)
{
	return n->place.n;
}

const struct basis *needs_basis(const struct needs *n, int32_t place)
{
	return &n->place.v[place].basis;
}

const struct fate *needs_fate(const struct needs *n, int32_t place, int measure)
{
	return &n->place.v[place].measure[measure];
}

uint64_t needs_turn(const struct needs *n)
{
	return n->turn;
}

uint64_t needs_steps(const struct needs *n)
{
	return n->steps;
}

uint64_t needs_changed(const struct needs *n, int32_t place)
{
	return n->place.v[place].changed;
}

int32_t needs_next(const struct needs *n, int32_t place, int i)
{
	return place < n->place.n && i < n->place.v[place].nexts ? n->next.v[n->place.v[place].next + i] : -1;
}

bool fate_same(const struct fate *a, const struct fate *b)
{
	if (a->verdict != b->verdict)
		return false;
	return a->verdict != VERDICT_DECIDED || (a->n == b->n && a->plus == b->plus && a->as_is == b->as_is && !memcmp(a->term, b->term, (size_t)a->n * sizeof *a->term));
}

/* ---- what slots are made of ---- */

struct walk { struct needs *n; int32_t place; bool grew, first, values; };

static const struct term *terms_of(const struct walk *w, const struct made *m)
{
	return w->n->term.v + m->at;
}

static int32_t keep_terms(struct walk *w, const struct term *t, int n)
{
	int32_t at = w->n->term.n;
	for (int i = 0; i < n; i++)
		VEC_PUSH(w->n->term, t[i]);
	return at;
}

static struct made of_slot(const struct walk *w, uint16_t slot)
{
	const struct lift *l = w->n->g->lift;
	if (slot >= SLOTS - l->constants)
		return (struct made){.kind = SUM, .plus = l->constant[SLOTS - 1 - slot]};
	return w->n->slot[slot];
}

static bool is_fraction(const struct graph *g, int32_t place, int column)
{
	const struct place *x = &g->place.v[place];
	return g->pool[x->at + (size_t)x->n - 2 * (size_t)x->columns + 2 * (size_t)column] == NONE;
}

static struct made of_column(struct walk *w, int column)
{
	struct clock_value c = clock_at(w->n->clock, w->place, column);
	bool fraction = is_fraction(w->n->g, w->place, column);
	if (c.kind == CLOCK_EVER && c.by == 0)
		return (struct made){.kind = fraction ? AS_IS : SUM, .plus = c.value};
	if (c.kind != CLOCK_FREE)
		return (struct made){.kind = THROWN};
	struct term t = {column, 1};
	return (struct made){.kind = fraction ? AS_IS : SUM, .at = keep_terms(w, &t, 1), .n = 1};
}

static void list_add(struct walk *w, struct made *to, const struct made *m)
{
	if (m->kind != MIXED) {
		if (m->n) {
			VEC_PUSH(w->n->link, (struct link){m->at, m->n, to->list});
			to->list = w->n->link.n - 1;
		}
		return;
	}
	for (int32_t k = m->list; k; k = w->n->link.v[k].next) {
		struct link x = w->n->link.v[k];
		VEC_PUSH(w->n->link, (struct link){x.at, x.n, to->list});
		to->list = w->n->link.n - 1;
	}
}

static struct made mixed(struct walk *w, const struct made *a, const struct made *b)
{
	struct made m = {.kind = MIXED};
	list_add(w, &m, a);
	list_add(w, &m, b);
	if (!m.list)
		m.kind = THROWN;
	return m;
}

static bool adds(const struct made *m)
{
	return m->kind == SUM || m->kind == THROWN;
}

/* a * x + b * y */
static struct made combined(struct walk *w, const struct made *a, int64_t x, const struct made *b, int64_t y)
{
	struct term t[TERMS_MOST];
	int64_t p = 0, q = 0, plus = 0;
	int n = terms_combine(t, terms_of(w, a), a->n, x, terms_of(w, b), b->n, y);
	bool far = __builtin_mul_overflow(a->plus, x, &p) || __builtin_mul_overflow(b->plus, y, &q) || __builtin_add_overflow(p, q, &plus);
	if (n < 0 || (far && a->kind == SUM && b->kind == SUM))
		return mixed(w, a, b);
	return (struct made){.kind = a->kind == SUM && b->kind == SUM ? SUM : THROWN, .at = keep_terms(w, t, n), .n = n, .plus = far ? 0 : plus};
}

static struct made calc(struct walk *w, enum op op, const struct made *a, const struct made *b)
{
	const struct made none = {.kind = SUM};
	if (adds(a) && adds(b)) {
		if (op == OP_ADD || op == OP_SUB)
			return combined(w, a, 1, b, op == OP_ADD ? 1 : -1);
		if (op == OP_NEG)
			return combined(w, a, -1, &none, 0);
		const struct made *by = b->kind == SUM && b->n == 0 ? b : a, *of = by == b ? a : b;
		if (op == OP_MUL && by->kind == SUM && by->n == 0 && by->plus < 1 << 20 && by->plus > -(1 << 20))
			return combined(w, of, by->plus, &none, 0);
	}
	return mixed(w, a, b);
}

/* ---- what matters ---- */

static void matters(struct walk *w, const struct made *m)
{
	struct basis *s = &w->n->place.v[w->place].basis;
	if (w->values)
		return;
	if (m->kind != MIXED) {
		w->grew |= m->n && basis_add(s, terms_of(w, m), m->n);
		return;
	}
	for (int32_t k = m->list; k; k = w->n->link.v[k].next) {
		struct link x = w->n->link.v[k];
		w->grew |= basis_add(s, w->n->term.v + x.at, x.n);
	}
}

/* A sum of the columns of the place that the moves at hand lead to. */
static struct made composed(struct walk *w, const struct term *t, int n, word plus, bool as_is)
{
	if (n == 1 && t[0].by == 1 && (plus == 0 || as_is))
		return of_slot(w, w->n->from[t[0].column]);
	struct made sum = {.kind = SUM, .plus = plus};
	for (int i = 0; i < n; i++) {
		struct made m = of_slot(w, w->n->from[t[i].column]);
		sum = adds(&sum) && adds(&m) ? combined(w, &sum, 1, &m, t[i].by) : mixed(w, &sum, &m);
	}
	return sum;
}

/* On this way the measure comes to that. */
static void comes_to(struct walk *w, int measure, enum verdict verdict, const struct made *m)
{
	struct fate *d = &w->n->place.v[w->place].measure[measure];
	if (!w->values || d->verdict == VERDICT_OPEN || verdict == VERDICT_NOTHING)
		return;
	bool good = verdict == VERDICT_DECIDED && (m->kind == SUM || m->kind == AS_IS);
	if (good && d->verdict == VERDICT_NOTHING) {
		d->verdict = VERDICT_DECIDED;
		d->as_is = m->kind == AS_IS;
		d->n = m->n;
		d->plus = m->plus;
		d->term = malloc(((size_t)m->n + 1) * sizeof *d->term);
		if (!d->term)
			abort();
		if (m->n)
			memcpy(d->term, terms_of(w, m), (size_t)m->n * sizeof *d->term);
		w->grew = true;
		return;
	}
	if (good && d->n == m->n && d->plus == m->plus && (m->n == 0 || !memcmp(d->term, terms_of(w, m), (size_t)m->n * sizeof *d->term)))
		return;
	d->verdict = VERDICT_OPEN;
	w->grew = true;
}

/* The moves up to a GO, from the first on: what of the columns there comes from which slot. */
static void into(struct walk *w, int32_t pc)
{
	struct needs *n = w->n;
	const struct graph *g = n->g;
	int32_t end = pc;
	while (g->code.v[end].kind != CODE_GO)
		end++;
	int32_t to = g->code.v[end].yes;
	if (w->first) {
		struct at_place *x = &n->place.v[w->place];
		bool new = true;
		for (int i = 0; i < x->nexts; i++)
			new &= n->next.v[x->next + i] != to;
		if (new) {
			VEC_PUSH(n->next, to);
			x->nexts++;
			VEC_PUSH(n->come_from, (struct from){w->place, n->place.v[to].from});
			n->place.v[to].from = n->come_from.n - 1;
		}
	}
	for (int k = 0; k < g->place.v[to].columns; k++)
		n->from[k] = (uint16_t)k;
	for (int32_t i = pc; i < end; i++)
		n->from[g->code.v[i].to] = g->code.v[i].a;
	for (int i = 0; i < measures_of(n); i++) {
		const struct fate *there = &n->place.v[to].measure[i];
		bool open = n->place.v[w->place].measure[i].verdict == VERDICT_OPEN;
		struct made m = {.kind = MIXED};
		if (there->verdict == VERDICT_NOTHING || open == w->values)
			continue; /* nothing new comes of it */
		if (there->verdict == VERDICT_DECIDED)
			m = composed(w, there->term, there->n, there->plus, there->as_is);
		if (w->values)
			comes_to(w, i, there->verdict, &m);
		else if (there->verdict == VERDICT_DECIDED)
			matters(w, &m);
	}
	if (w->values)
		return;
	const struct basis *there = &n->place.v[to].basis;
	for (int k = 0; k < there->words; k++)
		for (uint64_t bits = there->alone[k]; bits; bits &= bits - 1) {
			struct made m = of_slot(w, n->from[k * 64 + __builtin_ctzll(bits)]);
			matters(w, &m);
		}
	for (int i = 0; i < there->form.n; i++) {
		struct made m = composed(w, there->form.v[i].term, there->form.v[i].n, 0, false);
		matters(w, &m);
		there = &n->place.v[to].basis;
	}
}

static void ends(struct walk *w, const struct ending *e)
{
	struct needs *n = w->n;
	for (int i = 0; i < measures_of(n); i++) {
		struct made m = {.kind = MIXED};
		if (e->good)
			m = of_slot(w, n->g->slots.v[e->slot + i]);
		comes_to(w, i, e->good ? VERDICT_DECIDED : VERDICT_OPEN, &m);
		if (e->good && n->place.v[w->place].measure[i].verdict == VERDICT_OPEN)
			matters(w, &m);
	}
}

static void tested(struct walk *w, const struct code *c)
{
	struct made a = of_slot(w, c->a), b = of_slot(w, c->b);
	if (adds(&a) && adds(&b) && c->op != OP_FLT && c->op != OP_FLE) {
		struct made difference = combined(w, &a, 1, &b, -1);
		matters(w, &difference);
		return;
	}
	matters(w, &a);
	matters(w, &b);
}

static void path(struct walk *w, int32_t pc)
{
	const struct graph *g = w->n->g;
	for (;; pc++) {
		w->n->steps++;
		const struct code *c = &g->code.v[pc];
		struct made a = of_slot(w, c->a), b = of_slot(w, c->b);
		switch ((enum code_kind)c->kind) {
		case CODE_CALC: {
			struct made m = calc(w, (enum op)c->op, &a, &b);
			w->n->slot[c->to] = m;
			matters(w, &m); /* it may go wrong */
			break;
		}
		case CODE_SURE:
			w->n->slot[c->to] = calc(w, (enum op)c->op, &a, &b);
			break;
		case CODE_ASIDE:
			w->n->slot[c->to] = a;
			break;
		case CODE_FALL:
		case CODE_ROLL:
			w->n->slot[c->to] = (struct made){.kind = THROWN};
			break;
		case CODE_TEST:
			if (!w->values)
				tested(w, c);
			if (c->no)
				VEC_PUSH(w->n->todo, c->no);
			if (c->yes)
				VEC_PUSH(w->n->todo, c->yes);
			return;
		case CODE_FIX:
			matters(w, &a);
			for (int32_t k = c->yes; k; k = g->choice.v[k].next)
				if (g->choice.v[k].code)
					VEC_PUSH(w->n->todo, g->choice.v[k].code);
			return;
		case CODE_MOVE:
		case CODE_WITHIN:
		case CODE_GO:
			into(w, pc);
			return;
		case CODE_END:
			ends(w, &g->ending.v[c->yes]);
			return;
		case CODE_DEAD:
			return;
		}
	}
}

static bool one_place(struct needs *n, int32_t place, bool first, bool values)
{
	struct walk w = {n, place, false, first, values};
	if (first) {
		n->place.v[place].next = n->next.n;
		n->place.v[place].nexts = 0;
	}
	n->term.n = 0;
	n->link.n = 0;
	VEC_PUSH(n->link, (struct link){0, 0, 0});
	VEC_PUSH(n->term, (struct term){0, 0});
	for (int k = 0; k < n->g->place.v[place].columns; k++)
		n->slot[k] = of_column(&w, k);
	n->todo.n = 0;
	if (n->g->place.v[place].code)
		VEC_PUSH(n->todo, n->g->place.v[place].code);
	while (n->todo.n)
		path(&w, n->todo.v[--n->todo.n]);
	return w.grew;
}

static void due_before(struct needs *n, int32_t place, bool values)
{
	for (int32_t k = n->place.v[place].from; k; k = n->come_from.v[k].next)
		n->due[values].v[n->come_from.v[k].place] = true;
}

/* All that is due, and what comes to be, the last first: until nothing is added. */
static void settle(struct needs *n, bool values)
{
	for (bool more = true; more;) {
		more = false;
		for (int32_t i = n->place.n; i-- > 0;) {
			if (!n->due[values].v[i])
				continue;
			n->due[values].v[i] = false;
			bool first = values && n->g->place.v[i].grown > n->place.v[i].seen;
			n->place.v[i].seen = n->g->explored;
			if (!one_place(n, i, first, values))
				continue;
			more = true;
			n->place.v[i].changed = n->turn;
			due_before(n, i, values);
			if (values) {
				n->due[0].v[i] = true;
				due_before(n, i, false);
			}
		}
	}
}

static void room(struct needs *n)
{
	while (n->place.n < n->g->place.n) {
		struct at_place x = {.changed = n->turn};
		basis_begin(&x.basis, n->g->place.v[n->place.n].columns);
		x.measure = calloc((size_t)measures_of(n) + 1, sizeof *x.measure);
		if (!x.measure)
			abort();
		VEC_PUSH(n->place, x);
		VEC_PUSH(n->due[0], true);
		VEC_PUSH(n->due[1], true);
	}
}

void needs_find(struct needs *n, bool anew)
{
	const struct graph *g = n->g;
	if (anew || n->lessons != g->lessons)
		clear(n);
	for (int32_t i = 0; i < n->place.n; i++)
		n->due[0].v[i] = n->due[1].v[i] = g->place.v[i].grown > n->explored;
	n->turn++;
	room(n);
	n->explored = g->explored;
	n->lessons = g->lessons;
	settle(n, true);
	settle(n, false);
}
