/* descent.c - a row goes down the tree of its place. */
#include "runtime/sim/descent.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/vm/machine.h"

enum { POLLS = 1023, ROW_NODES = 1 << 20, NODES_A_WORLD = 128 };

/* ---- made and taken apart ---- */

static enum dice_answer due_roll(struct dice_source *self, const struct dice_ask *ask, struct dice_result *out);

void descent_arrays(struct descent *d)
{
	d->scratch_size = 1 << 16;
	d->open_of = calloc(SLOTS, sizeof *d->open_of);
	d->slope = calloc(SLOTS, sizeof *d->slope);
	d->fallen = malloc(FALLS_MOST * sizeof *d->fallen);
	d->due = malloc(FALLS_MOST * sizeof *d->due);
	d->scratch = malloc(d->scratch_size * sizeof *d->scratch);
	if (!d->open_of || !d->slope || !d->fallen || !d->due || !d->scratch)
		abort();
}

void descent_arrays_free(struct descent *d)
{
	for (int i = 0; i < d->dice; i++)
		free(d->die[i].v);
	free(d->die);
	free(d->open_of);
	free(d->slope);
	free(d->fallen);
	free(d->due);
	free(d->scratch);
}

/* From now on. A tree may split many times before it comes to a leaf, or to one likely enough to count. */
static uint64_t nodes_worn(const struct descent *d)
{
	const uint64_t worlds = d->plan->states + LEAVES_ALWAYS;
	return worlds < UINT64_MAX / NODES_A_WORLD - d->nodes ? d->nodes + worlds * NODES_A_WORLD : UINT64_MAX;
}

struct descent *descent_new(const struct exact_plan *plan, struct graph *g, bool *proven)
{
	struct descent *d = calloc(1, sizeof *d);
	if (!d)
		abort();
	d->plan = plan;
	d->nodes_most = plan->effort ? plan->effort / EFFORT_NODE : UINT64_MAX;
	d->nodes_worn = nodes_worn(d);
	d->g = g;
	d->proven = proven;
	descent_arrays(d);
	d->value = g->value;
	d->source.roll = due_roll;
	d->clock = clock_new(g);
	d->needs = needs_new(g, d->clock);
	return d;
}

void descent_clear(struct descent *d)
{
	chain_clear(&d->chain, d->g->p->measures);
	d->first.n = d->first_at.n = 0;
	d->way.n = d->way_of.n = d->from.n = d->news.n = d->ready.n = 0;
	d->leaves = 0;
	d->nodes_worn = nodes_worn(d);
	d->round = 0;
	d->stopped = VM_PAUSED;
	d->again = false;
}

void descent_free(struct descent *d)
{
	chain_clear(&d->chain, d->g->p->measures);
	VEC_FREE(d->first);
	VEC_FREE(d->first_at);
	VEC_FREE(d->way);
	VEC_FREE(d->way_of);
	VEC_FREE(d->ready);
	VEC_FREE(d->from);
	VEC_FREE(d->news);
	descent_arrays_free(d);
	needs_free(d->needs);
	clock_free(d->clock);
	free(d);
}

/* ---- what is left open ---- */

static void write_note(struct descent *d, int measure, word value, int64_t by, double p, uint64_t residue)
{
	struct descent_log *log = d->log;
	int outcome = chain_outcome_known(&d->chain, measure, value, by);
	if (outcome < 0) {
		VEC_PUSH(log->entry, (struct logged){p, residue, 0, 0, log->key.n, LOGGED_VALUE});
		VEC_PUSH(log->key, measure);
		VEC_PUSH(log->key, value);
		VEC_PUSH(log->key, by);
	} else if (log->noted[outcome]) {
		struct logged *e = &log->entry.v[log->noted[outcome] - 1];
		e->p += p;
		e->residue = residue_add(e->residue, residue);
	} else {
		log->noted[outcome] = (uint32_t)log->entry.n + 1;
		VEC_PUSH(log->entry, (struct logged){p, residue, (uint32_t)outcome, 0, 0, LOGGED_OUTCOME});
	}
}

void descent_note(
	struct descent *d, int measure, word value, int64_t by, double p, uint64_t residue)
{
	if (d->log)
		write_note(d, measure, value, by, p, residue);
	else
		chain_note(&d->chain, measure, value, by, p, residue);
}

void descent_leave_open(struct descent *d, double p)
{
	descent_note(d, VALUE_OPEN, 0, 0, p, 0);
	d->since = d->until = d->round;
}

/* The dice nobody asked any more: all their faces together. */
void descent_undecided(const struct descent *d, double *p, uint64_t *residue)
{
	for (int i = 0; i < d->opens; i++) {
		const struct open *o = &d->open[i];
		if (!d->open_of[o->slot])
			continue;
		*p *= o->p;
		*residue = residue_mul(*residue, o->residue);
	}
}

/* What is not gone into, with the dice that lie open. */
void descent_leave_all(struct descent *d, double p)
{
	uint64_t residue = 0;
	descent_undecided(d, &p, &residue);
	descent_leave_open(d, p);
}

/* One row may part into more ways than there is time for. */
void descent_poll(struct descent *d)
{
	if (!d->log && (++d->looked & POLLS) == 0 && d->plan->interrupted && d->plan->interrupted(d->plan->context))
		d->stop = true;
}

/* Holds in this round; asked again in the next. */
void descent_only_now(struct descent *d)
{
	d->since = d->until = d->round;
}

/* ---- exploring ---- */

static enum dice_answer due_roll(struct dice_source *self, const struct dice_ask *ask, struct dice_result *out)
{
	struct descent *d = (struct descent *)((char *)self - offsetof(struct descent, source));
	(void)ask;
	if (d->due_next >= d->dues || d->due[d->due_next] == NONE) {
		d->due_next++;
		return DICE_PASS;
	}
	out->total = d->due[d->due_next++];
	out->faces = 0;
	out->kind = DICE_ROLLED;
	return DICE_ANSWERED;
}

word descent_number(const struct descent *d, uint16_t slot)
{
	return d->open_of[slot] ? d->open[d->open_of[slot] - 1].v[0].value : d->value[slot];
}

/* Finds out what comes of the row at hand as it stands. */
static bool explore(struct descent *d)
{
	struct graph *g = d->g;
	uint64_t lessons = g->lessons;
	if (d->log)
		d->lost = d->stop = true;
	if (d->stop || d->again || g->broken || g->full)
		return false;
	memcpy(g->here, d->value, (size_t)d->columns * sizeof *d->value);
	d->dues = d->falls;
	d->due_next = 0;
	for (int i = 0; i < d->falls; i++)
		d->due[i] =
			d->fallen[i].rolled >= 0 ? descent_number(d, (uint16_t)d->fallen[i].rolled) : NONE;
	g->m->host.dice = &d->source;
	bool found = graph_explore(g, d->place, 0, d->trial++);
	g->m->host.dice = NULL;
	descent_places(d);
	for (; g->constants < g->lift->constants; g->constants++)
		d->value[SLOTS - 1 - g->constants] = g->lift->constant[g->constants];
	if (g->lessons != lessons)
		d->again = true;
	if (g->idle && d->plan->give_up)
		d->spent = d->stop = true;
	return found && !d->again;
}

int32_t descent_follow(struct descent *d, int32_t at, word value)
{
	for (int tries = 0; tries < 2; tries++) {
		const struct graph *g = d->g;
		int32_t pc = 0;
		if (at < 0) {
			pc = g->place.v[d->place].code;
		} else if (g->code.v[at].kind == CODE_FIX) {
			int32_t k = g->code.v[at].yes;
			while (k && g->choice.v[k].value != value)
				k = g->choice.v[k].next;
			pc = k ? g->choice.v[k].code : 0;
		} else {
			pc = value ? g->code.v[at].yes : g->code.v[at].no;
		}
		if (pc || !explore(d))
			return pc;
	}
	return 0;
}

/* ---- a row goes down the tree ---- */

static void down(struct descent *d, int32_t pc, double p, uint64_t residue);

/* Each face on its own, from this step on. */
void descent_split(struct descent *d, uint16_t slot, int32_t pc, double p, uint64_t residue)
{
	int16_t which = d->open_of[slot];
	struct open die = d->open[which - 1];
	d->open_of[slot] = 0;
	for (int i = 0; i < die.n; i++) {
		d->value[slot] = die.v[i].value;
		if (d->stop || d->again || d->cut)
			descent_leave_all(d, p * die.v[i].p);
		else
			down(d, pc, p * die.v[i].p, residue_mul(residue, die.v[i].residue));
	}
	d->open_of[slot] = which;
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
static void part(struct descent *d, int32_t pc, double p, uint64_t residue)
{
	const struct code c = d->g->code.v[pc];
	bool left = d->open_of[c.a] != 0;
	uint16_t slot = left ? c.a : c.b;
	word other = d->value[left ? c.b : c.a];
	int16_t which = d->open_of[slot];
	struct open die = d->open[which - 1];
	size_t mark = d->scratch_used;
	if (mark + (size_t)die.n > d->scratch_size) {
		descent_leave_all(d, p); /* deeper than any tree grows */
		return;
	}
	struct face *to = d->scratch + mark;
	d->scratch_used += (size_t)die.n;
	for (int so = 1; so >= 0; so--) {
		int n = 0;
		for (int i = 0; i < die.n; i++) {
			word v = die.v[i].value;
			if ((left ? lift_so(c.op, v, other) : lift_so(c.op, other, v)) == so)
				to[n++] = die.v[i];
		}
		if (n == 0)
			continue;
		d->open[which - 1] = open_faces(slot, to, n);
		if (d->stop || d->again || d->cut)
			descent_leave_all(d, p);
		else
			down(d, descent_follow(d, pc, so), p, residue);
	}
	d->open[which - 1] = die;
	d->scratch_used = mark;
}

/* ---- steps ---- */

static const struct faces *faces_at(struct descent *d, int32_t die)
{
	if (die >= d->dice) {
		int n = d->g->lift->die.n;
		d->die = realloc(d->die, (size_t)n * sizeof *d->die);
		if (!d->die)
			abort();
		memset(d->die + d->dice, 0, (size_t)(n - d->dice) * sizeof *d->die);
		d->dice = n;
	}
	if (!d->die[die].v) {
		const struct lift_die *x = &d->g->lift->die.v[die];
		d->die[die] = x->dice >= 0 ? faces_of_dice(d->g->p, x->dice, d->proven) : faces_of_chance(x->chance);
	}
	return &d->die[die];
}

bool descent_open(struct descent *d, const struct code *c)
{
	const struct faces *all = faces_at(d, c->yes);
	if (all->n == 0 || d->opens == OPEN_MOST)
		return false;
	for (int i = 0; i < d->falls; i++)
		if (d->fallen[i].slot == c->a)
			d->fallen[i].rolled = c->to;
	d->open[d->opens++] = open_faces(c->to, all->v, all->n);
	d->open_of[c->to] = (int16_t)d->opens;
	d->slope[c->to] = 0;
	return true;
}

/* From when until when a comparison of numbers that grow comes out as it does now. */
static void grows(struct descent *d, const struct code *c)
{
	int64_t by;
	word apart;
	if (d->slope[c->a] == d->slope[c->b])
		return;
	if (c->op == OP_FLT || c->op == OP_FLE || __builtin_sub_overflow(d->slope[c->a], d->slope[c->b], &by) ||
	    __builtin_sub_overflow(d->value[c->a], d->value[c->b], &apart) || by == INT64_MIN || apart == INT64_MIN || apart == 0) {
		descent_only_now(d);
		return;
	}
	/* apart + by * rounds against 0: for so many rounds it stays on its side, backward or on */
	int64_t rounds = ((apart < 0 ? -apart : apart) - 1) / (by < 0 ? -by : by);
	if ((apart < 0) == (by < 0)) {
		if (d->round - rounds > d->since)
			d->since = d->round - rounds;
	} else if (rounds < INT64_MAX - d->round && d->round + rounds < d->until) {
		d->until = d->round + rounds;
	}
}

static int64_t slope_of(struct descent *d, const struct code *c)
{
	int64_t a = d->slope[c->a], b = d->slope[c->b], s = 0;
	bool bad = false;
	if (a == 0 && b == 0)
		return 0;
	switch ((enum op)c->op) {
	case OP_ADD: bad = __builtin_add_overflow(a, b, &s); break;
	case OP_SUB: bad = __builtin_sub_overflow(a, b, &s); break;
	case OP_NEG: s = -a; break;
	case OP_MUL: bad = (a && b) || __builtin_mul_overflow(a ? a : b, a ? d->value[c->b] : d->value[c->a], &s); break;
	default: bad = true; break;
	}
	if (bad)
		descent_only_now(d);
	return bad ? 0 : s;
}

/* The bound on nodes is reached: a worker leaves the row to the others, else all of it ends. */
static void spend(struct descent *d)
{
	d->stop = true;
	if (d->log)
		d->lost = true;
	else
		d->spent = true;
}

/* A number from two that are not open; false: it has no value. */
static bool calculate(struct descent *d, const struct code *c)
{
	bool bad = false;
	d->open_of[c->to] = 0;
	d->slope[c->to] = slope_of(d, c);
	d->value[c->to] = lift_concrete(c->op, d->value[c->a], d->value[c->b], &bad);
	return !bad;
}

static void down_to_leaf(struct descent *d, int32_t pc, double p, uint64_t residue)
{
	if (++d->nodes > d->nodes_most)
		spend(d);
	if (d->nodes > d->nodes_worn && !d->log)
		d->worn = d->cut = d->refused = true;
	while (pc && !d->again && !d->stop && !d->cut) {
		const struct code c = d->g->code.v[pc];
		switch ((enum code_kind)c.kind) {
		case CODE_CALC:
		case CODE_SURE:
			if (d->open_of[c.a] || d->open_of[c.b]) {
				descent_split(d, d->open_of[c.a] ? c.a : c.b, pc, p, residue);
				return;
			}
			if (!calculate(d, &c)) {
				descent_leave_all(d, p);
				return;
			}
			pc++;
			break;
		case CODE_ASIDE:
			if (d->open_of[c.a]) {
				descent_split(d, c.a, pc, p, residue);
				return;
			}
			d->open_of[c.to] = 0;
			d->slope[c.to] = d->slope[c.a];
			d->value[c.to] = d->value[c.a];
			pc++;
			break;
		case CODE_FALL:
		case CODE_ROLL:
			if (c.kind == CODE_FALL ? d->falls == FALLS_MOST : !descent_open(d, &c)) {
				descent_leave_all(d, p);
				return;
			}
			if (c.kind == CODE_FALL)
				d->fallen[d->falls++] = (struct fallen){c.to, -1};
			pc++;
			break;
		case CODE_TEST:
			if (d->open_of[c.a] && d->open_of[c.b]) {
				descent_split(d, c.a, pc, p, residue);
				return;
			}
			if (d->open_of[c.a] || d->open_of[c.b]) {
				if (d->slope[c.a] || d->slope[c.b])
					descent_only_now(d);
				part(d, pc, p, residue);
				return;
			}
			grows(d, &c);
			pc = descent_follow(d, pc, lift_so(c.op, d->value[c.a], d->value[c.b]));
			break;
		case CODE_FIX:
			if (d->open_of[c.a]) {
				descent_split(d, c.a, pc, p, residue);
				return;
			}
			if (d->slope[c.a])
				descent_only_now(d);
			pc = descent_follow(d, pc, d->value[c.a]);
			break;
		case CODE_MOVE:
		case CODE_WITHIN:
		case CODE_GO:
			descent_go(d, pc, p, residue);
			return;
		case CODE_END:
			descent_over(d, pc, p, residue);
			return;
		case CODE_DEAD:
			pc = 0;
			break;
		}
	}
	descent_leave_all(d, p);
}

static void down(struct descent *d, int32_t pc, double p, uint64_t residue)
{
	int falls = d->falls, opens = d->opens;
	down_to_leaf(d, pc, p, residue);
	for (int i = d->opens > opens ? falls : 0; i-- > 0;) /* looked at further down only */
		if (d->fallen[i].rolled >= 0)
			for (int k = opens; k < d->opens; k++)
				if (d->open[k].slot == d->fallen[i].rolled)
					d->fallen[i].rolled = -1;
	for (int k = opens; k < d->opens; k++)
		d->open_of[d->open[k].slot] = 0;
	d->falls = falls;
	d->opens = opens;
}

/* ---- rows ---- */

void descent_numbers(struct descent *d, uint32_t row)
{
	const struct row *r = &d->chain.row.v[row];
	const struct table *t = &d->chain.table.v[r->place];
	const word *key = chain_key(&d->chain, r);
	d->place = r->place;
	d->columns = d->g->place.v[r->place].columns;
	if (d->columns)
		memcpy(d->value, &d->first.v[d->first_at.v[r->place]],
			(size_t)d->columns * sizeof *d->value);
	for (int k = 0; k < d->columns; k++) {
		struct clock_value c = clock_at(d->clock, r->place, k);
		d->slope[k] = c.kind == CLOCK_EVER ? c.by : 0;
		if (c.kind == CLOCK_EVER || c.kind == CLOCK_ONCE)
			d->value[k] = clock_now(c, d->round);
		if (c.kind == CLOCK_ONCE)
			d->since = d->until = d->round;
	}
	for (int i = 0; i < t->part.n; i++)
		if (t->part.v[i].n == 1)
			d->value[t->part.v[i].term[0].column] = key[i];
	for (int i = 0; i < t->kept; i++)
		d->value[t->column.v[i]] = key[t->width + i];
}

bool descent_row(struct descent *d, uint32_t row)
{
	d->since = 0;
	d->until = INT64_MAX;
	d->unknown = false;
	descent_numbers(d, row);
	d->falls = d->opens = 0;
	d->row_leaves = 0;
	d->cut = false;
	chain_open(&d->chain, row);
	down(d, descent_follow(d, -1, 0), 1, 1);
	chain_close(&d->chain, row, d->since, d->unknown ? -1 : d->until);
	return !d->unknown;
}

bool descent_write(struct descent *d, uint32_t row)
{
	d->since = 0;
	d->until = INT64_MAX;
	d->stop = d->lost = d->cut = false;
	d->stopped = VM_PAUSED;
	d->row_leaves = 0;
	d->nodes_most = d->nodes + ROW_NODES;
	int first = d->log->entry.n;
	descent_numbers(d, row);
	d->falls = d->opens = 0;
	down(d, descent_follow(d, -1, 0), 1, 1);
	for (int i = first; i < d->log->entry.n; i++) {
		const struct logged *e = &d->log->entry.v[i];
		if (e->kind == LOGGED_ROW)
			d->log->mark[e->to] = 0;
		else if (e->kind == LOGGED_OUTCOME)
			d->log->noted[e->to] = 0;
	}
	return !d->lost;
}

uint32_t descent_first(struct descent *d)
{
	word key[KEY_MOST];
	uint32_t row = 0;
	graph_first(d->g, d->value);
	const struct table *t = descent_table(d, 0);
	for (int i = 0; i < t->part.n && t->width + t->kept <= KEY_MOST; i++) {
		uint64_t s = 0;
		for (int k = 0; k < t->part.v[i].n; k++)
			s += (uint64_t)t->part.v[i].term[k].by * (uint64_t)d->value[t->part.v[i].term[k].column];
		key[i] = (word)s;
	}
	for (int i = 0; i < t->kept && t->width + t->kept <= KEY_MOST; i++)
		key[t->width + i] = d->value[t->column.v[i]];
	if (d->first_at.v[0] < 0)
		descent_first_there(d, 0, d->value);
	for (int i = 0; i < descent_measures(d); i++) {
		const struct fate *x = &t->fate[i];
		uint64_t s = 0;
		for (int k = 0; k < x->n; k++)
			s += (uint64_t)x->term[k].by * (uint64_t)d->value[x->term[k].column];
		if (x->verdict == VERDICT_DECIDED)
			chain_outcome(&d->chain, i, x->n && x->as_is ? (word)s : (word)s + x->plus, (struct mass){{1, 0}, 1});
	}
	chain_row(&d->chain, 0, key, chain_hash(&d->chain, 0, key), true, &row);
	return row;
}
