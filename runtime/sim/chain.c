/* chain.c - rows, edges and outcomes, in arrays. */
#include "runtime/sim/chain.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/sim/exact.h"

static void *sized(void *v, size_t n, size_t size)
{
	v = realloc(v, n * size);
	if (!v)
		abort();
	return v;
}

/* ---- tables ---- */

static void rows_free(struct table *t)
{
	free(t->key);
	free(t->row);
	free(t->find);
	t->key = NULL;
	t->row = NULL;
	t->find = NULL;
	t->n = t->cap = t->room = 0;
}

static void table_free(struct table *t, int measures)
{
	rows_free(t);
	if (t->made)
		basis_free(&t->basis);
	for (int i = 0; t->fate && i < measures; i++)
		free(t->fate[i].term);
	free(t->fate);
	for (int i = 0; i < t->part.n; i++)
		free(t->part.v[i].term);
	VEC_FREE(t->part);
	VEC_FREE(t->column);
	memset(t, 0, sizeof *t);
}

void chain_clear(struct chain *c, int measures)
{
	bool residues = c->residues;
	for (int i = 0; i < c->table.n; i++)
		table_free(&c->table.v[i], measures);
	VEC_FREE(c->table);
	VEC_FREE(c->row);
	VEC_FREE(c->outcome);
	VEC_FREE(c->marked);
	free(c->mass);
	free(c->residue);
	free(c->passed);
	free(c->mark);
	free(c->to);
	free(c->share);
	free(c->share_residue);
	free(c->outcome_of);
	free(c->note_share);
	free(c->note_residue);
	free(c->find);
	memset(c, 0, sizeof *c);
	c->residues = residues;
}

static void rehash(struct table *t)
{
	struct finder *was = t->find;
	uint32_t had = t->room;
	t->room = had ? 2 * had : 16;
	t->find = calloc(t->room, sizeof *t->find);
	if (!t->find)
		abort();
	for (uint32_t i = 0; i < had; i++) {
		uint32_t k = was[i].hash & (t->room - 1);
		while (was[i].number && t->find[k].number)
			k = (k + 1) & (t->room - 1);
		if (was[i].number)
			t->find[k] = was[i];
	}
	free(was);
}

static uint32_t row_new(struct chain *c, int32_t place, uint32_t key)
{
	if ((uint32_t)c->row.n == c->room) {
		c->room = c->room ? 2 * c->room : 1024;
		c->mass = sized(c->mass, c->room, sizeof *c->mass);
		c->residue = sized(c->residue, c->room, sizeof *c->residue);
		c->passed = sized(c->passed, c->room, sizeof *c->passed);
		c->mark = sized(c->mark, c->room, sizeof *c->mark);
	}
	uint32_t n = (uint32_t)c->row.n;
	c->mass[n] = (struct sum){0, 0};
	c->residue[n] = 0;
	c->passed[n] = (struct mass){{0, 0}, 0};
	c->mark[n] = 0;
	VEC_PUSH(c->row, (struct row){.place = place, .key = key, .until = -1});
	c->bytes += sizeof(struct row) + sizeof *c->mass + sizeof *c->residue + sizeof *c->passed + sizeof *c->mark;
	return n;
}

uint32_t chain_hash(const struct chain *c, int32_t place, const word *key)
{
	return (uint32_t)hash_bytes(key, (size_t)c->table.v[place].width * sizeof *key, 0);
}

/* Where the key stands in the table's finder, or would. */
static uint32_t seek(const struct table *t, const word *key, uint32_t hash)
{
	size_t whole = (size_t)(t->width + t->kept), bytes = (size_t)t->width * sizeof *key;
	uint32_t k = hash & (t->room - 1);
	while (t->find[k].number && (t->find[k].hash != hash || memcmp(t->key + (size_t)(t->find[k].number - 1) * whole, key, bytes)))
		k = (k + 1) & (t->room - 1);
	return k;
}

bool chain_known(const struct chain *c, int32_t place, const word *key, uint32_t hash, uint32_t *row)
{
	const struct table *t = &c->table.v[place];
	uint32_t k = t->room ? seek(t, key, hash) : 0;
	if (!t->room || !t->find[k].number)
		return false;
	*row = t->row[t->find[k].number - 1];
	return true;
}

bool chain_row(struct chain *c, int32_t place, const word *key, uint32_t hash, bool make, uint32_t *row)
{
	struct table *t = &c->table.v[place];
	size_t whole = (size_t)(t->width + t->kept);
	if (2 * (t->n + 1) > t->room)
		rehash(t);
	uint32_t k = seek(t, key, hash);
	if (t->find[k].number) {
		*row = t->row[t->find[k].number - 1];
		return true;
	}
	if (!make)
		return false;
	if (t->n == t->cap) {
		t->cap = t->cap ? 2 * t->cap : 8;
		t->key = sized(t->key, (size_t)t->cap * whole + 1, sizeof *t->key);
		t->row = sized(t->row, t->cap, sizeof *t->row);
	}
	memcpy(t->key + (size_t)t->n * whole, key, whole * sizeof *key);
	t->row[t->n] = row_new(c, place, t->n);
	t->find[k] = (struct finder){hash, t->n + 1};
	c->bytes += whole * sizeof *key + 3 * sizeof *t->find;
	*row = t->row[t->n++];
	return true;
}

/* ---- what becomes of a row ---- */

static struct mass shared(const struct chain *c, struct mass mass, double share, uint64_t residue)
{
	struct mass m = {{sum_of(mass.p) * share, 0}, c->residues ? residue_mul(mass.residue, residue) : 0};
	return m;
}

static void mass_add(struct mass *to, struct mass x)
{
	sum_add(&to->p, x.p.value);
	sum_add(&to->p, x.p.rest);
	to->residue = residue_add(to->residue, x.residue);
}

/* What passed through the row since it was last counted. */
static void count_row(struct chain *c, uint32_t row)
{
	const struct row *r = &c->row.v[row];
	struct mass *passed = &c->passed[row];
	for (uint32_t i = r->note + r->moving; i < r->note + r->notes && passed->p.value > 0; i++)
		mass_add(&c->outcome.v[c->outcome_of[i]].mass, shared(c, *passed, c->note_share[i], c->note_residue[i]));
	*passed = (struct mass){{0, 0}, 0};
}

void chain_count(struct chain *c)
{
	for (int i = 0; i < c->row.n; i++)
		count_row(c, (uint32_t)i);
}

static bool always(const struct row *r)
{
	return r->since == 0 && r->until == FOR_EVER;
}

static void unknown(struct chain *c, struct row *r)
{
	if (r->place >= 0)
		c->table.v[r->place].known -= always(r);
	r->until = -1;
}

void chain_open(struct chain *c, uint32_t row)
{
	struct row *r = &c->row.v[row];
	count_row(c, row);
	unknown(c, r);
	r->edge = (uint32_t)c->edges;
	r->note = (uint32_t)c->notes;
	r->edges = r->notes = r->moving = 0;
}

void chain_edge(struct chain *c, uint32_t to, double share, uint64_t residue)
{
	uint32_t at = c->mark[to];
	if (at) {
		c->share[at - 1] += share;
		c->share_residue[at - 1] = residue_add(c->share_residue[at - 1], residue);
		return;
	}
	c->mark[to] = (uint32_t)c->edges + 1;
	VEC_PUSH(c->marked, to);
	chain_only_edge(c, to, share, residue);
}

void chain_only_edge(struct chain *c, uint32_t to, double share, uint64_t residue)
{
	if (c->edges == c->edge_room) {
		c->edge_room = c->edge_room ? 2 * c->edge_room : 4096;
		c->to = sized(c->to, c->edge_room, sizeof *c->to);
		c->share = sized(c->share, c->edge_room, sizeof *c->share);
		c->share_residue = sized(c->share_residue, c->edge_room, sizeof *c->share_residue);
	}
	c->to[c->edges] = to;
	c->share[c->edges] = share;
	c->share_residue[c->edges++] = residue;
	c->bytes += sizeof *c->to + sizeof *c->share + sizeof *c->share_residue;
}

static uint32_t outcome_spot(const struct chain *c, int measure, word value, int64_t by)
{
	uint64_t x = (uint64_t)value * 0x9e3779b97f4a7c15u ^ (uint64_t)by * 0xc2b2ae3d27d4eb4fu ^ (uint64_t)(int64_t)measure * 0x165667b19e3779f9u;
	return (uint32_t)(x >> 32) & (c->find_room - 1);
}

/* Where the outcome stands in the finder, or would. */
static uint32_t outcome_seek(const struct chain *c, int measure, word value, int64_t by)
{
	uint32_t k = outcome_spot(c, measure, value, by);
	for (; c->find[k]; k = (k + 1) & (c->find_room - 1)) {
		const struct share_of *o = &c->outcome.v[c->find[k] - 1];
		if (o->measure == measure && o->value == value && o->by == by)
			break;
	}
	return k;
}

static uint32_t outcome_at(struct chain *c, int measure, word value, int64_t by)
{
	if (2 * ((uint32_t)c->outcome.n + 1) > c->find_room) {
		c->find_room = c->find_room ? 2 * c->find_room : 64;
		free(c->find);
		c->find = calloc(c->find_room, sizeof *c->find);
		if (!c->find)
			abort();
		for (int i = 0; i < c->outcome.n; i++) {
			const struct share_of *o = &c->outcome.v[i];
			uint32_t k = outcome_spot(c, o->measure, o->value, o->by);
			while (c->find[k])
				k = (k + 1) & (c->find_room - 1);
			c->find[k] = (uint32_t)i + 1;
		}
	}
	uint32_t k = outcome_seek(c, measure, value, by);
	if (!c->find[k]) {
		VEC_PUSH(c->outcome, (struct share_of){.measure = measure, .value = value, .by = by});
		c->find[k] = (uint32_t)c->outcome.n;
	}
	return c->find[k] - 1;
}

int chain_outcome_known(const struct chain *c, int measure, word value, int64_t by)
{
	return c->find_room ? (int)c->find[outcome_seek(c, measure, value, by)] - 1 : -1;
}

void chain_note(struct chain *c, int measure, word value, int64_t by, double share, uint64_t residue)
{
	chain_note_known(c, (int)outcome_at(c, measure, value, by), share, residue);
}

void chain_note_known(struct chain *c, int outcome, double share, uint64_t residue)
{
	size_t at = c->outcome.v[outcome].mark;
	if (at) {
		c->note_share[at - 1] += share;
		c->note_residue[at - 1] = residue_add(c->note_residue[at - 1], residue);
		return;
	}
	if (c->notes == c->note_room) {
		c->note_room = c->note_room ? 2 * c->note_room : 1024;
		c->outcome_of = sized(c->outcome_of, c->note_room, sizeof *c->outcome_of);
		c->note_share = sized(c->note_share, c->note_room, sizeof *c->note_share);
		c->note_residue = sized(c->note_residue, c->note_room, sizeof *c->note_residue);
	}
	c->outcome_of[c->notes] = (uint32_t)outcome;
	c->note_share[c->notes] = share;
	c->note_residue[c->notes++] = residue;
	c->outcome.v[outcome].mark = c->notes;
	c->bytes += sizeof *c->outcome_of + sizeof *c->note_share + sizeof *c->note_residue;
}

static void note_swap(struct chain *c, uint32_t a, uint32_t b)
{
	uint32_t outcome = c->outcome_of[a];
	double share = c->note_share[a];
	uint64_t residue = c->note_residue[a];
	c->outcome_of[a] = c->outcome_of[b];
	c->note_share[a] = c->note_share[b];
	c->note_residue[a] = c->note_residue[b];
	c->outcome_of[b] = outcome;
	c->note_share[b] = share;
	c->note_residue[b] = residue;
}

void chain_close(struct chain *c, uint32_t row, int64_t since, int64_t until)
{
	struct row *r = &c->row.v[row];
	r->edges = (uint32_t)c->edges - r->edge;
	r->notes = (uint32_t)c->notes - r->note;
	r->since = since < FOR_EVER ? (int32_t)since : FOR_EVER;
	r->until = until < FOR_EVER ? (int32_t)until : FOR_EVER;
	c->table.v[r->place].known += always(r);
	for (int i = 0; i < c->marked.n; i++)
		c->mark[c->marked.v[i]] = 0;
	c->marked.n = 0;
	for (uint32_t i = r->note; i < r->note + r->notes; i++) {
		struct share_of *o = &c->outcome.v[c->outcome_of[i]];
		o->mark = 0;
		if (o->by)
			note_swap(c, i, r->note + r->moving++);
	}
}

/* ---- probability ---- */

void chain_add(struct chain *c, uint32_t row, double p, uint64_t residue)
{
	sum_add(&c->mass[row], p);
	c->residue[row] = residue_add(c->residue[row], residue);
}

/* To outcomes that move with the rounds. */
static void pass(struct chain *c, const struct waiting *w)
{
	const struct row *r = &c->row.v[w->row];
	for (uint32_t i = r->note; i < r->note + r->moving; i++)
		mass_add(&c->outcome.v[c->outcome_of[i]].mass, shared(c, w->mass, c->note_share[i], c->note_residue[i]));
}

void chain_push(struct chain *c, const struct waiting *v, int n)
{
	struct sum *const mass = c->mass;
	for (int k = 0; k < n; k++) {
		const struct waiting *w = &v[k];
		const struct row *r = &c->row.v[w->row];
		const double p = sum_of(w->mass.p);
		for (uint32_t i = r->edge; i < r->edge + r->edges; i++)
			sum_add(&mass[c->to[i]], p * c->share[i]);
		for (uint32_t i = r->edge; i < r->edge + r->edges && c->residues; i++)
			c->residue[c->to[i]] = residue_add(c->residue[c->to[i]], residue_mul(w->mass.residue, c->share_residue[i]));
		if (r->moving)
			pass(c, w);
		if (r->notes > r->moving)
			sum_add(&c->passed[w->row].p, p);
		if (c->residues)
			c->passed[w->row].residue = residue_add(c->passed[w->row].residue, w->mass.residue);
	}
}

void chain_reach(const struct chain *c, uint32_t row, bool *reached)
{
	const struct row *r = &c->row.v[row];
	for (uint32_t i = r->edge; i < r->edge + r->edges; i++)
		reached[c->row.v[c->to[i]].place] = true;
}

uint64_t chain_held(const struct chain *c)
{
	uint64_t held = 0;
	for (int i = 0; i < c->row.n; i++)
		held += c->mass[i].value > 0;
	return held;
}

void chain_outcome(struct chain *c, int measure, word value, struct mass mass)
{
	uint32_t at = outcome_at(c, measure, value, 0);
	mass_add(&c->outcome.v[at].mass, mass);
}

void chain_settle(struct chain *c, int64_t round)
{
	for (int i = 0; i < c->outcome.n; i++) {
		struct share_of o = c->outcome.v[i];
		if (o.by == 0 || (o.mass.p.value <= 0 && o.mass.residue == 0))
			continue;
		c->outcome.v[i].mass = (struct mass){{0, 0}, 0};
		chain_outcome(c, o.measure, o.value + o.by * round, o.mass);
	}
}

void chain_drop(struct chain *c, int32_t place, int measures)
{
	struct table *t = &c->table.v[place];
	for (uint32_t i = 0; i < t->n; i++)
		c->row.v[t->row[i]].place = -1;
	c->dropped += t->n;
	table_free(t, measures);
}

void chain_rewind(struct chain *c)
{
	uint8_t *gone = calloc((size_t)c->row.n + 1, 1);
	if (!gone)
		abort();
	for (int i = 0; i < c->row.n; i++)
		gone[i] = c->row.v[i].place < 0;
	for (int i = 0; i < c->row.n; i++) {
		struct row *r = &c->row.v[i];
		for (uint32_t k = r->edge; k < r->edge + r->edges && r->until >= 0; k++)
			if (gone[c->to[k]])
				unknown(c, r);
		c->mass[i] = (struct sum){0, 0};
		c->residue[i] = 0;
		c->passed[i] = (struct mass){{0, 0}, 0};
	}
	for (int i = 0; i < c->outcome.n; i++)
		c->outcome.v[i].mass = (struct mass){{0, 0}, 0};
	free(gone);
}

void chain_forget(struct chain *c)
{
	chain_count(c);
	struct sum *mass = c->mass;
	uint64_t *residue = c->residue;
	VEC(struct row) old = {c->row.v, c->row.n, c->row.cap};
	free(c->passed);
	c->mass = NULL;
	c->residue = NULL;
	c->passed = NULL;
	c->row.v = NULL;
	c->row.n = c->row.cap = 0;
	c->room = 0;
	c->edges = c->notes = 0;
	c->bytes = c->dropped = 0;
	for (int i = 0; i < c->table.n; i++) {
		struct table was = c->table.v[i], *t = &c->table.v[i];
		if (!was.made)
			continue;
		t->key = NULL;
		t->row = NULL;
		t->find = NULL;
		t->n = t->cap = t->room = t->known = 0;
		for (uint32_t k = 0; k < was.n; k++) {
			uint32_t from = was.row[k], row;
			const word *key = was.key + (size_t)k * (size_t)(was.width + was.kept);
			if (mass[from].value <= 0)
				continue;
			chain_row(c, i, key, chain_hash(c, i, key), true, &row);
			chain_add(c, row, mass[from].value, residue[from]);
			sum_add(&c->mass[row], mass[from].rest);
		}
		free(was.key);
		free(was.row);
		free(was.find);
	}
	VEC_FREE(old);
	free(mass);
	free(residue);
}
