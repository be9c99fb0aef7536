/* shares.c - probabilities added up. */
#include "runtime/sim/shares.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/dice/dist.h"

struct faces faces_of_dice(const struct program *p, int32_t dice, bool *proven)
{
	const struct dice_info *d = &p->dice[dice];
	struct dice formula = {d->count, d->sides, d->keep, (enum dice_keep)d->keep_how, d->explode, d->reroll, d->add};
	struct faces f = {NULL, 0};
	struct dist dist;
	if (!dist_make(&formula, &dist))
		return f;
	f.v = calloc((size_t)(dist.most - dist.least + 1), sizeof *f.v);
	if (!f.v)
		abort();
	for (int v = dist.least; v <= dist.most; v++) {
		double share = dist_at(&dist, v);
		if (share <= 0)
			continue;
		struct face x = {v, share, 0};
		if (dist.of > 0)
			x.residue = residue_of((int64_t)(share * dist.of + 0.5), (int64_t)dist.of);
		else
			*proven = false;
		f.v[f.n++] = x;
	}
	dist_free(&dist);
	return f;
}

struct faces faces_of_chance(word chance)
{
	struct faces f = {calloc(2, sizeof *f.v), 0};
	int64_t top = frac_top(chance), bottom = frac_bottom(chance);
	if (!f.v)
		abort();
	top = top < 0 ? 0 : top > bottom ? bottom : top;
	if (top > 0)
		f.v[f.n++] = (struct face){1, (double)top / (double)bottom, residue_of(top, bottom)};
	if (top < bottom)
		f.v[f.n++] = (struct face){0, (double)(bottom - top) / (double)bottom, residue_of(bottom - top, bottom)};
	return f;
}

static bool before(word a, word b, bool frac)
{
	if (a == NONE || b == NONE)
		return a == NONE && b != NONE;
	return frac ? frac_compare(a, b) < 0 : a < b;
}

static void share_add(struct exact *e, int measure, word value, struct mass mass, bool frac)
{
	int n = e->measure[measure].n, i = 0;
	struct share *v = e->measure[measure].share;
	for (int end = n; i < end;) {
		int middle = i + (end - i) / 2;
		if (v[middle].value == value) {
			i = middle;
			break;
		}
		if (before(v[middle].value, value, frac))
			i = middle + 1;
		else
			end = middle;
	}
	if (i < n && v[i].value == value) {
		struct sum s = {v[i].p, v[i].rest};
		sum_add(&s, sum_of(mass.p));
		v[i].p = s.value;
		v[i].rest = s.rest;
		v[i].residue = residue_add(v[i].residue, mass.residue);
		return;
	}
	if (n == e->measure[measure].room) {
		e->measure[measure].room = n ? 2 * n : 8;
		v = realloc(v, sizeof *v * (size_t)e->measure[measure].room);
		if (!v)
			abort();
		e->measure[measure].share = v;
	}
	memmove(v + i + 1, v + i, sizeof *v * (size_t)(n - i));
	v[i] = (struct share){value, sum_of(mass.p), mass.residue, 0};
	e->measure[measure].n++;
}

void shares_value(struct exact *e, const struct program *p, int measure, word value, struct mass mass)
{
	const struct measure_info *info = &p->measure[measure];
	if (info->how == MEASURED_CHANCE)
		value = value != NONE && value != 0;
	share_add(e, measure, value, mass, info->type.frac && info->how != MEASURED_CHANCE);
}

void shares_note(struct exact *e, const struct program *p, struct open_sums *sums, struct mass mass, struct fight_end end, const word *values)
{
	for (int i = 0; i < p->measures; i++)
		shares_value(e, p, i, end.good ? values[i] : NONE, mass);
	if (end.referred)
		sum_add(&sums->referrals, sum_of(mass.p));
	if (!end.good)
		sum_add(&sums->stopped, sum_of(mass.p));
	else if (end.unsettled)
		sum_add(&sums->unsettled, sum_of(mass.p));
}
