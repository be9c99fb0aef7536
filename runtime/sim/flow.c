/* flow.c - probability on its way through the graph.
 *
 * What is at a place is a table: the numbers in the columns that still matter, and how likely
 * they are. A place is taken when all that flows to it within the round has come; each row
 * goes down the tree of its place. A die is not split into its faces before something asks
 * for them: a test parts them into those that pass and those that do not. What leads nowhere
 * yet is explored with the numbers at hand.
 *
 * Which columns matter is worked out on what is known of the graph, backward from tests and
 * measures, and so may prove too little when more becomes known: then it all flows once
 * more, through the graph as it is by now. */
#include "runtime/sim/flow.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/sim/graph.h"
#include "runtime/sim/needs.h"
#include "runtime/vm/machine.h"

static const double LEFT_OPEN = 1e-15, RARE = 1e-24;
enum { POLLS = 1023, WALKED_FIRST = 384, GRAPH_BYTES = 512 << 20, LEAVES_A_FORK = 128, OPEN_MOST = 64, KEY_MOST = 512, FALLS_MOST = 4096 };

/* Rows of one place: keys of `width` words, their masses. */
struct table {
	int32_t *column;      /* which columns the key's words are */
	int width;
	word *key;
	struct mass *mass;
	uint32_t *find;
	uint32_t n, cap, room;
};

/* A die that fell and is not decided: the faces it may yet show, and where it stands. */
struct open { uint16_t slot; const struct face *v; int n; double p; uint64_t residue; /* of all of them */ };
struct fallen { uint16_t slot; int32_t rolled; /* slot of its face, -1: nobody looked */ };

/* A way to a place: where its moves end, the slots its columns are taken from. */
struct way { int32_t place, end, from; int width; bool within; };

struct flow {
	const struct exact_plan *plan;
	struct exact *out;
	struct open_sums *sums;
	bool *proven;
	struct graph *g;
	struct needs *needs;
	VEC(struct table) table; /* one a place */
	VEC(word) first;         /* numbers of somebody who came to the place: for columns that do not matter */
	VEC(int32_t) first_at;   /* where in first; -1 */
	VEC(int32_t) order;      /* the places of a round, first to last */
	VEC(int32_t) rank;       /* place -> where in order */
	VEC(struct way) way;
	VEC(int32_t) way_of;     /* code -> way + 1 */
	VEC(uint16_t) from;
	int32_t lowest;          /* rank of the first that has rows */
	struct faces *die;       /* by number of the graph's dice */
	int dice;
	/* the row at hand */
	int32_t place;
	int columns;
	word *value;
	int16_t *open_of;        /* slot -> open die + 1 */
	struct open open[OPEN_MOST];
	int opens;
	struct fallen *fallen;
	int falls;
	struct face *scratch;    /* faces that passed a test */
	size_t scratch_used, scratch_size;
	/* dice for a machine that explores */
	struct dice_source source;
	word *due;
	int dues, due_next;
	uint64_t held, leaves, trial, arrivals;
	bool again;              /* what did not matter does: all once more */
	bool stop;
};

/* ---- tables ---- */

static void table_free(struct table *t)
{
	free(t->column);
	free(t->key);
	free(t->mass);
	free(t->find);
	memset(t, 0, sizeof *t);
}

static void table_rehash(struct table *t)
{
	t->room = t->room ? 2 * t->room : 16;
	free(t->find);
	t->find = calloc(t->room, sizeof *t->find);
	if (!t->find)
		abort();
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t k = (uint32_t)hash_bytes(t->key + (size_t)i * (size_t)t->width, (size_t)t->width * sizeof(word), 0) & (t->room - 1);
		while (t->find[k])
			k = (k + 1) & (t->room - 1);
		t->find[k] = i + 1;
	}
}

/* The mass of the row with this key; a new row when there is none. */
static struct mass *table_row(struct table *t, const word *key, bool *fresh)
{
	size_t bytes = (size_t)t->width * sizeof(word);
	if (2 * (t->n + 1) > t->room)
		table_rehash(t);
	uint32_t k = (uint32_t)hash_bytes(key, bytes, 0) & (t->room - 1);
	*fresh = false;
	for (; t->find[k]; k = (k + 1) & (t->room - 1))
		if (!memcmp(t->key + (size_t)(t->find[k] - 1) * (size_t)t->width, key, bytes))
			return &t->mass[t->find[k] - 1];
	if (t->n == t->cap) {
		t->cap = t->cap ? 2 * t->cap : 8;
		t->key = realloc(t->key, (size_t)t->cap * (bytes + 1));
		t->mass = realloc(t->mass, (size_t)t->cap * sizeof *t->mass);
		if (!t->key || !t->mass)
			abort();
	}
	memcpy(t->key + (size_t)t->n * (size_t)t->width, key, bytes);
	t->mass[t->n] = (struct mass){{0, 0}, 0};
	t->find[k] = ++t->n;
	*fresh = true;
	return &t->mass[t->n - 1];
}

/* ---- places ---- */

static void places_follow(struct flow *f)
{
	struct table none;
	memset(&none, 0, sizeof none);
	while (f->table.n < f->g->place.n) {
		VEC_PUSH(f->table, none);
		VEC_PUSH(f->first_at, -1);
		VEC_PUSH(f->rank, f->order.n);
		VEC_PUSH(f->order, f->table.n - 1);
	}
}

/* The table of a place, made for the columns that matter there as far as is known. */
static struct table *table_at(struct flow *f, int32_t place)
{
	places_follow(f);
	struct table *t = &f->table.v[place];
	if (t->column)
		return t;
	int columns = f->g->place.v[place].columns;
	t->column = malloc(((size_t)columns + 1) * sizeof *t->column);
	if (!t->column)
		abort();
	for (int k = 0; k < columns; k++)
		if (needs_column(f->needs, place, k))
			t->column[t->width++] = k;
	return t;
}

static void leave_open(struct flow *f, double p)
{
	sum_add(&f->sums->unexplored, p);
}

/* The dice nobody asked any more: all their faces together. */
static void undecided(const struct flow *f, double *p, uint64_t *residue)
{
	for (int i = 0; i < f->opens; i++) {
		const struct open *o = &f->open[i];
		if (!f->open_of[o->slot])
			continue;
		*p *= o->p;
		*residue = residue_mul(*residue, o->residue);
	}
}

/* What is not gone into, with the dice that lie open. */
static void leave_all(struct flow *f, double p)
{
	uint64_t residue = 0;
	undecided(f, &p, &residue);
	leave_open(f, p);
}

/* One row may part into more ways than there is time for. */
static void look_up(struct flow *f)
{
	if ((++f->arrivals & POLLS) == 0 && f->plan->interrupted && f->plan->interrupted(f->plan->context))
		f->out->interrupted = f->stop = true;
}

static bool too_much(struct flow *f)
{
	const struct exact_plan *plan = f->plan;
	bool full = f->held >= plan->states || (plan->work && f->g->explored + f->leaves / LEAVES_A_FORK > plan->work);
	if (full && plan->give_up)
		f->out->gave_up = f->stop = true;
	return full;
}

/* ---- exploring ---- */

static enum dice_answer due_roll(struct dice_source *self, const struct dice_ask *ask, struct dice_result *out)
{
	struct flow *f = (struct flow *)((char *)self - offsetof(struct flow, source));
	(void)ask;
	if (f->due_next >= f->dues || f->due[f->due_next] == NONE) {
		f->due_next++;
		return DICE_PASS;
	}
	out->total = f->due[f->due_next++];
	out->faces = 0;
	out->kind = DICE_ROLLED;
	return DICE_ANSWERED;
}

static word number_at(const struct flow *f, uint16_t slot)
{
	return f->open_of[slot] ? f->open[f->open_of[slot] - 1].v[0].value : f->value[slot];
}

/* Finds out what comes of the row at hand as it stands. */
static bool explore(struct flow *f)
{
	struct graph *g = f->g;
	uint64_t lessons = g->lessons;
	if (f->stop || f->again || g->broken || g->full)
		return false;
	memcpy(g->here, f->value, (size_t)f->columns * sizeof *f->value);
	f->dues = f->falls;
	f->due_next = 0;
	for (int i = 0; i < f->falls; i++)
		f->due[i] = f->fallen[i].rolled >= 0 ? number_at(f, (uint16_t)f->fallen[i].rolled) : NONE;
	g->m->host.dice = &f->source;
	bool found = graph_explore(g, f->place, 0, f->trial++);
	g->m->host.dice = NULL;
	places_follow(f);
	for (; g->constants < g->lift->constants; g->constants++)
		f->value[SLOTS - 1 - g->constants] = g->lift->constant[g->constants];
	if (g->lessons != lessons)
		f->again = true;
	return found && !f->again;
}

/* Where it goes on after code `at`: a test that came out as `value`, a fix that found it; `at`
 * -1: from the place itself. 0: it cannot be found out. */
static int32_t follow(struct flow *f, int32_t at, word value)
{
	for (int tries = 0; tries < 2; tries++) {
		const struct graph *g = f->g;
		int32_t pc = 0;
		if (at < 0) {
			pc = g->place.v[f->place].code;
		} else if (g->code.v[at].kind == CODE_FIX) {
			int32_t k = g->code.v[at].yes;
			while (k && g->choice.v[k].value != value)
				k = g->choice.v[k].next;
			pc = k ? g->choice.v[k].code : 0;
		} else {
			pc = value ? g->code.v[at].yes : g->code.v[at].no;
		}
		if (pc || !explore(f))
			return pc;
	}
	return 0;
}

/* ---- a row goes down the tree ---- */

static void down(struct flow *f, int32_t pc, double p, uint64_t residue);

/* Each face on its own, from this step on. */
static void split(struct flow *f, uint16_t slot, int32_t pc, double p, uint64_t residue)
{
	int16_t which = f->open_of[slot];
	struct open die = f->open[which - 1];
	f->open_of[slot] = 0;
	for (int i = 0; i < die.n; i++) {
		f->value[slot] = die.v[i].value;
		if (f->stop || f->again)
			leave_all(f, p * die.v[i].p);
		else
			down(f, pc, p * die.v[i].p, residue_mul(residue, die.v[i].residue));
	}
	f->open_of[slot] = which;
}

static struct open open_faces(uint16_t slot, const struct face *v, int n)
{
	struct open o = {slot, v, n, 0, 0};
	struct sum s = {0, 0};
	for (int i = 0; i < n; i++) {
		sum_add(&s, v[i].p);
		o.residue = residue_add(o.residue, v[i].residue);
	}
	o.p = sum_of(s);
	return o;
}

/* A test of one open die: those faces for which it is so, then the others. */
static void part(struct flow *f, int32_t pc, double p, uint64_t residue)
{
	const struct code c = f->g->code.v[pc];
	bool left = f->open_of[c.a] != 0;
	uint16_t slot = left ? c.a : c.b;
	word other = f->value[left ? c.b : c.a];
	int16_t which = f->open_of[slot];
	struct open die = f->open[which - 1];
	size_t mark = f->scratch_used;
	if (mark + (size_t)die.n > f->scratch_size) {
		leave_open(f, p); /* deeper than any tree grows */
		return;
	}
	struct face *to = f->scratch + mark;
	f->scratch_used += (size_t)die.n;
	for (int so = 1; so >= 0; so--) {
		int n = 0;
		for (int i = 0; i < die.n; i++) {
			word v = die.v[i].value;
			if ((left ? lift_so(c.op, v, other) : lift_so(c.op, other, v)) == so)
				to[n++] = die.v[i];
		}
		if (n == 0)
			continue;
		f->open[which - 1] = open_faces(slot, to, n);
		if (f->stop || f->again)
			leave_all(f, p);
		else
			down(f, follow(f, pc, so), p, residue);
	}
	f->open[which - 1] = die;
	f->scratch_used = mark;
}

/* Adds to a row of a place. */
static void arrive(struct flow *f, int32_t place, const word *key, double p, uint64_t residue)
{
	struct table *t = &f->table.v[place];
	bool fresh;
	look_up(f);
	struct mass *m = table_row(t, key, &fresh);
	sum_add(&m->p, p);
	m->residue = residue_add(m->residue, residue);
	if (fresh) {
		f->held++;
		f->out->worlds++;
		if (f->held > f->out->peak)
			f->out->peak = f->held;
	}
	if (!f->g->place.v[place].round && f->rank.v[place] < f->lowest)
		f->lowest = f->rank.v[place];
}

static void first_there(struct flow *f, int32_t place, const word *numbers)
{
	f->first_at.v[place] = f->first.n;
	for (int k = 0; k < f->g->place.v[place].columns; k++)
		VEC_PUSH(f->first, numbers[k]);
}

/* The way from the first of the moves at pc to the place beyond: what each column that matters
 * there is taken from. Looked up once. */
static const struct way *way_at(struct flow *f, int32_t pc)
{
	const struct graph *g = f->g;
	while (f->way_of.n <= pc)
		VEC_PUSH(f->way_of, 0);
	if (f->way_of.v[pc])
		return &f->way.v[f->way_of.v[pc] - 1];
	struct way w = {.end = pc, .from = f->from.n};
	while (g->code.v[w.end].kind != CODE_GO)
		w.end++;
	w.place = g->code.v[w.end].yes;
	const struct table *t = table_at(f, w.place);
	w.width = t->width;
	for (int k = 0; k < t->width; k++) {
		uint16_t from = (uint16_t)t->column[k];
		for (int32_t i = pc; i < w.end; i++)
			if (g->code.v[i].to == t->column[k]) {
				from = g->code.v[i].a;
				w.within |= g->code.v[i].kind == CODE_WITHIN;
			}
		VEC_PUSH(f->from, from);
	}
	VEC_PUSH(f->way, w);
	f->way_of.v[pc] = f->way.n;
	return &f->way.v[f->way.n - 1];
}

/* The moves before a GO, and the place beyond. */
static void go(struct flow *f, int32_t pc, double p, uint64_t residue)
{
	const struct graph *g = f->g;
	const struct way way = *way_at(f, pc);
	word key[KEY_MOST];
	if (way.width > KEY_MOST) {
		undecided(f, &p, &residue);
		leave_open(f, p);
		return;
	}
	for (int k = 0; k < way.width; k++) {
		uint16_t from = f->from.v[way.from + k];
		if (f->open_of[from]) { /* dice that matter there are decided first */
			split(f, from, pc, p, residue);
			return;
		}
		key[k] = f->value[from];
	}
	undecided(f, &p, &residue);
	f->leaves++;
	bool out = false;
	for (int32_t i = pc; i < way.end && way.within; i++)
		out |= g->code.v[i].kind == CODE_WITHIN && (uint64_t)(number_at(f, g->code.v[i].a) + LIFT_FAR) > 2 * (uint64_t)LIFT_FAR;
	if (out || p < RARE || too_much(f)) {
		leave_open(f, p);
		return;
	}
	if (f->first_at.v[way.place] < 0) {
		word numbers[SLOTS / 4];
		memcpy(numbers, f->value, (size_t)g->place.v[way.place].columns * sizeof *numbers);
		for (int32_t i = pc; i < way.end; i++)
			numbers[g->code.v[i].to] = number_at(f, g->code.v[i].a);
		first_there(f, way.place, numbers);
	}
	arrive(f, way.place, key, p, residue);
}

static void over(struct flow *f, int32_t pc, double p, uint64_t residue)
{
	const struct graph *g = f->g;
	const struct ending e = g->ending.v[g->code.v[pc].yes];
	int measures = e.good && g->p->measure_fn >= 0 ? g->p->measures : 0;
	word values[MEASURES_MAX + 1];
	struct mass mass = {{0, 0}, 0};
	for (int i = 0; i < measures; i++) {
		uint16_t slot = g->slots.v[e.slot + i];
		if (f->open_of[slot]) {
			split(f, slot, pc, p, residue);
			return;
		}
		values[i] = f->value[slot];
	}
	undecided(f, &p, &residue);
	f->leaves++;
	mass.p.value = p;
	mass.residue = residue;
	if (!e.good && e.status != VM_OVER && !f->out->stop)
		f->out->stop = e.status;
	shares_note(f->out, g->p, f->sums, mass, (struct fight_end){e.good, e.unsettled, e.referred}, values);
}

static const struct faces *faces_at(struct flow *f, int32_t die)
{
	if (die >= f->dice) {
		int n = f->g->lift->die.n;
		f->die = realloc(f->die, (size_t)n * sizeof *f->die);
		if (!f->die)
			abort();
		memset(f->die + f->dice, 0, (size_t)(n - f->dice) * sizeof *f->die);
		f->dice = n;
	}
	if (!f->die[die].v) {
		const struct lift_die *d = &f->g->lift->die.v[die];
		f->die[die] = d->dice >= 0 ? faces_of_dice(f->g->p, d->dice, f->proven) : faces_of_chance(d->chance);
	}
	return &f->die[die];
}

/* A die is looked at for the first time. False: it is too wide to list. */
static bool open_die(struct flow *f, const struct code *c)
{
	const struct faces *all = faces_at(f, c->yes);
	if (all->n == 0 || f->opens == OPEN_MOST)
		return false;
	for (int i = 0; i < f->falls; i++)
		if (f->fallen[i].slot == c->a)
			f->fallen[i].rolled = c->to;
	f->open[f->opens++] = open_faces(c->to, all->v, all->n);
	f->open_of[c->to] = (int16_t)f->opens;
	return true;
}

static void down_to_leaf(struct flow *f, int32_t pc, double p, uint64_t residue)
{
	while (pc && !f->again && !f->stop) {
		const struct code c = f->g->code.v[pc];
		bool bad = false;
		switch ((enum code_kind)c.kind) {
		case CODE_CALC:
		case CODE_SURE:
			if (f->open_of[c.a] || f->open_of[c.b]) {
				split(f, f->open_of[c.a] ? c.a : c.b, pc, p, residue);
				return;
			}
			f->open_of[c.to] = 0;
			f->value[c.to] = lift_concrete(c.op, f->value[c.a], f->value[c.b], &bad);
			if (bad) {
				leave_open(f, p);
				return;
			}
			pc++;
			break;
		case CODE_ASIDE:
			if (f->open_of[c.a]) {
				split(f, c.a, pc, p, residue);
				return;
			}
			f->open_of[c.to] = 0;
			f->value[c.to] = f->value[c.a];
			pc++;
			break;
		case CODE_FALL:
			if (f->falls == FALLS_MOST) {
				leave_open(f, p);
				return;
			}
			f->fallen[f->falls++] = (struct fallen){c.to, -1};
			pc++;
			break;
		case CODE_ROLL:
			if (!open_die(f, &c)) {
				leave_open(f, p);
				return;
			}
			pc++;
			break;
		case CODE_TEST:
			if (f->open_of[c.a] && f->open_of[c.b]) {
				split(f, c.a, pc, p, residue);
				return;
			}
			if (f->open_of[c.a] || f->open_of[c.b]) {
				part(f, pc, p, residue);
				return;
			}
			pc = follow(f, pc, lift_so(c.op, f->value[c.a], f->value[c.b]));
			break;
		case CODE_FIX:
			if (f->open_of[c.a]) {
				split(f, c.a, pc, p, residue);
				return;
			}
			pc = follow(f, pc, f->value[c.a]);
			break;
		case CODE_MOVE:
		case CODE_WITHIN:
		case CODE_GO:
			go(f, pc, p, residue);
			return;
		case CODE_END:
			over(f, pc, p, residue);
			return;
		case CODE_DEAD:
			pc = 0;
			break;
		}
	}
	undecided(f, &p, &residue);
	leave_open(f, p);
}

static void down(struct flow *f, int32_t pc, double p, uint64_t residue)
{
	int falls = f->falls, opens = f->opens;
	down_to_leaf(f, pc, p, residue);
	for (int i = f->opens > opens ? falls : 0; i-- > 0;) /* looked at further down only */
		if (f->fallen[i].rolled >= 0)
			for (int k = opens; k < f->opens; k++)
				if (f->open[k].slot == f->fallen[i].rolled)
					f->fallen[i].rolled = -1;
	for (int k = opens; k < f->opens; k++)
		f->open_of[f->open[k].slot] = 0;
	f->falls = falls;
	f->opens = opens;
}

/* ---- tables, places, rounds ---- */

static void take(struct flow *f, int32_t place)
{
	struct table *t = &f->table.v[place], now = *t;
	/* its columns stay as they are: more rows may come */
	t->key = NULL;
	t->mass = NULL;
	t->find = NULL;
	t->n = t->cap = t->room = 0;
	f->place = place;
	f->columns = f->g->place.v[place].columns;
	for (uint32_t i = 0; i < now.n; i++) {
		double p = sum_of(now.mass[i].p);
		f->held--;
		if (f->stop || f->again) {
			leave_open(f, p);
			continue;
		}
		if ((i & POLLS) == 0 && f->plan->interrupted && f->plan->interrupted(f->plan->context))
			f->out->interrupted = f->stop = true;
		f->place = place;
		memcpy(f->value, f->first.v + f->first_at.v[place], (size_t)f->columns * sizeof *f->value);
		for (int k = 0; k < now.width; k++)
			f->value[now.column[k]] = now.key[(size_t)i * (size_t)now.width + (size_t)k];
		f->falls = f->opens = 0;
		down(f, follow(f, -1, 0), p, now.mass[i].residue);
	}
	free(now.key);
	free(now.mass);
	free(now.find);
}

/* Places in an order in which what flows to one comes before it, where there is one. */
static void visit(struct flow *f, int32_t place, uint8_t *seen, int32_t *after, int *n)
{
	VEC(int32_t) stack = {0};
	VEC(int32_t) next = {0};
	VEC_PUSH(stack, place);
	VEC_PUSH(next, 0);
	seen[place] = 1;
	while (stack.n) {
		int32_t at = stack.v[stack.n - 1], to = needs_next(f->needs, at, next.v[next.n - 1]++);
		if (to < 0) {
			after[(*n)++] = at;
			stack.n--;
			next.n--;
		} else if (!seen[to] && !f->g->place.v[to].round) {
			seen[to] = 1;
			VEC_PUSH(stack, to);
			VEC_PUSH(next, 0);
		}
	}
	VEC_FREE(stack);
	VEC_FREE(next);
}

static void order_places(struct flow *f)
{
	int places = f->g->place.n, n = 0;
	uint8_t *seen = calloc((size_t)places + 1, 1);
	int32_t *after = malloc(((size_t)places + 1) * sizeof *after);
	if (!seen || !after)
		abort();
	places_follow(f);
	for (int turn = 0; turn < 2; turn++)
		for (int i = places; i-- > 0;)
			if (!seen[i] && (turn || f->g->place.v[i].round || i == 0))
				visit(f, i, seen, after, &n);
	for (int i = 0; i < n; i++) {
		f->order.v[i] = after[n - 1 - i];
		f->rank.v[after[n - 1 - i]] = i;
	}
	free(seen);
	free(after);
}

static void take_round(struct flow *f)
{
	VEC(int32_t) begin = {0};
	for (int i = 0; i < f->g->place.n && i < f->table.n; i++)
		if (f->table.v[i].n && f->g->place.v[i].round)
			VEC_PUSH(begin, i);
	f->lowest = INT32_MAX;
	for (int i = 0; i < f->table.n; i++)
		if (f->table.v[i].n && !f->g->place.v[i].round && f->rank.v[i] < f->lowest)
			f->lowest = f->rank.v[i];
	for (int i = 0; i < begin.n; i++)
		take(f, begin.v[i]);
	VEC_FREE(begin);
	while (f->lowest < f->order.n) {
		int32_t at = f->order.v[f->lowest++];
		if (f->table.v[at].n && !f->g->place.v[at].round)
			take(f, at);
	}
}

/* Does a column matter that some rows came without? */
static bool too_little(struct flow *f)
{
	needs_find(f->needs);
	for (int i = 0; i < f->table.n; i++) {
		const struct table *t = &f->table.v[i];
		if (!t->column)
			continue;
		for (int k = 0, j = 0; k < f->g->place.v[i].columns; k++) {
			if (j < t->width && t->column[j] == k)
				j++;
			else if (needs_column(f->needs, i, k))
				return true;
		}
	}
	return false;
}

static double left(const struct flow *f)
{
	struct sum s = {0, 0};
	for (int i = 0; i < f->table.n; i++)
		for (uint32_t k = 0; k < f->table.v[i].n; k++)
			sum_add(&s, sum_of(f->table.v[i].mass[k].p));
	return sum_of(s);
}

static void clear(struct flow *f)
{
	for (int i = 0; i < f->table.n; i++)
		table_free(&f->table.v[i]);
	f->table.n = f->first.n = f->first_at.n = f->order.n = f->rank.n = 0;
	f->way.n = f->way_of.n = f->from.n = 0;
	f->held = f->leaves = 0;
	for (int i = 0; i < f->out->measures; i++)
		f->out->measure[i].n = 0;
	f->out->worlds = f->out->peak = 0;
	f->out->stop = VM_PAUSED;
	memset(f->sums, 0, sizeof *f->sums);
	f->again = false;
}

static void begin(struct flow *f)
{
	const struct table *t = table_at(f, 0);
	word key[KEY_MOST];
	for (int k = 0; k < t->width && k < KEY_MOST; k++)
		key[k] = f->value[t->column[k]];
	first_there(f, 0, f->value);
	arrive(f, 0, key, 1, 1);
}

/* All of it, once. False: columns were left out that matter. */
static bool flow_once(struct flow *f)
{
	uint64_t known = 0;
	clear(f);
	needs_find(f->needs);
	order_places(f);
	graph_first(f->g, f->value);
	begin(f);
	for (;;) {
		double rest = left(f);
		if (rest <= 0)
			break;
		if (rest < LEFT_OPEN || f->stop) {
			leave_open(f, rest);
			break;
		}
		if (known != f->g->explored) {
			known = f->g->explored;
			if (too_little(f))
				return false;
			order_places(f);
		}
		take_round(f);
		if (f->again)
			return false;
	}
	return f->stop || known == f->g->explored || !too_little(f);
}

bool flow_run(const struct exact_plan *plan, struct exact *out, struct open_sums *sums, bool *proven)
{
	struct flow flow, *f = &flow;
	word values[MEASURES_MAX + 1];
	memset(f, 0, sizeof *f);
	f->g = graph_new(plan->program, plan->start, plan->max_rounds, plan->fuel, GRAPH_BYTES);
	if (!f->g)
		return false;
	f->plan = plan;
	f->out = out;
	f->sums = sums;
	f->proven = proven;
	f->source.roll = due_roll;
	f->scratch_size = 1 << 16;
	f->open_of = calloc(SLOTS, sizeof *f->open_of);
	f->fallen = malloc(FALLS_MOST * sizeof *f->fallen);
	f->due = malloc(FALLS_MOST * sizeof *f->due);
	f->scratch = malloc(f->scratch_size * sizeof *f->scratch);
	if (!f->open_of || !f->fallen || !f->due || !f->scratch)
		abort();
	f->value = f->g->value;
	f->needs = needs_new(f->g);
	/* the likeliest ways first: most of what matters is known then */
	for (uint64_t t = 0; t < WALKED_FIRST && !f->g->idle && !f->g->broken && !(plan->interrupted && plan->interrupted(plan->context)); t++)
		graph_trial(f->g, 1, t, values);
	while (!flow_once(f) && !f->g->broken)
		;
	bool good = !f->g->broken;
	if (!good)
		clear(f);
	for (int i = 0; i < f->table.n; i++)
		table_free(&f->table.v[i]);
	VEC_FREE(f->table);
	VEC_FREE(f->first);
	VEC_FREE(f->first_at);
	VEC_FREE(f->order);
	VEC_FREE(f->rank);
	VEC_FREE(f->way);
	VEC_FREE(f->way_of);
	VEC_FREE(f->from);
	for (int i = 0; i < f->dice; i++)
		free(f->die[i].v);
	free(f->die);
	free(f->open_of);
	free(f->fallen);
	free(f->due);
	free(f->scratch);
	needs_free(f->needs);
	graph_free(f->g);
	return good;
}
