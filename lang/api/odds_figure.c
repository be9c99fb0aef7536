/* odds_figure.c - answers as numbers: the same questions put to a sample and to an exact
 * distribution. */
#include "lang/api/odds.h"

#include <math.h>
#include <string.h>

#include "runtime/sim/exact.h"
#include "runtime/sim/stats.h"

/* The first branch of which something is missing. */
static const struct exact *first_cut(const struct answer *a)
{
	for (int b = 0; b < a->branches && a->exact; b++)
		if (!a->found[b].complete)
			return &a->found[b];
	return NULL;
}

const char *odds_cut_short(const struct answer *a)
{
	const struct exact *e = first_cut(a);
	if (!e)
		return NULL;
	return e->interrupted    ? "interrupted"
		: e->full_worlds ? "worlds"
		: e->full_ways   ? "ways"
		: e->full_memory ? "memory"
				 : "dice";
}

void odds_cut_short_text(struct buf *b, const struct answer *a)
{
	const struct exact *e = first_cut(a);
	if (!e)
		return;
	const unsigned long long states = e->states < UINT64_MAX / 4 ? e->states * 4 : e->states;
	if (e->interrupted)
		buf_puts(b, "; interrupted");
	else if (e->full_worlds)
		buf_printf(b,
			"; there are more worlds than --states allows, --states=%llu goes further",
			states);
	else if (e->full_ways)
		buf_printf(b,
			"; there are more ways to its worlds than --states allows, --states=%llu "
			"goes further",
			states);
	else if (e->full_memory)
		buf_printf(b,
			"; they take more memory than --memory allows, --memory=%llu goes further",
			(unsigned long long)(e->bytes >> 20) * 4);
	else
		buf_puts(b, "; a die has too many faces to list");
}

bool odds_unplayable(const struct answer *a, int branch)
{
	const double all = 1 - 1e-12; /* sums of probabilities are rounded */
	if (a->exact)
		return a->found[branch].stopped >= all;
	return a->trials.done > 0 && a->trials.branch[branch].stopped >= a->trials.done;
}

int odds_values(const struct answer *a, int branch, int measure)
{
	return a->exact ? a->found[branch].measure[measure].n : (int)a->trials.branch[branch].measure[measure].value.n;
}

word odds_value(const struct answer *a, int branch, int measure, int i, double *share)
{
	if (a->exact) {
		const struct share *s = &a->found[branch].measure[measure].share[i];
		*share = s->p;
		return s->value;
	}
	const struct tally *t = &a->trials.branch[branch].measure[measure].value;
	*share = t->total ? (double)t->count[i] / (double)t->total : 0;
	return t->value[i];
}

static const struct measure_info *info_of(const struct answer *a, int branch, int measure)
{
	return &a->program[branch]->measure[measure];
}

static struct figure exact_chance(const struct exact *e, int measure)
{
	struct figure f;
	double counted = 0;
	memset(&f, 0, sizeof f);
	f.bottom = e->proven; /* 0/1, unless it is found below */
	for (int i = 0; i < e->measure[measure].n; i++) {
		const struct share *s = &e->measure[measure].share[i];
		counted += s->p;
		if (s->value == NONE || s->value == 0)
			continue;
		f.value += s->p;
		if (e->proven && s->value == 1)
			exact_fraction(s->p, s->residue, &f.top, &f.bottom);
	}
	/* what was counted as decided before its fight was over is sure only when nothing is left open */
	double early = e->complete ? 0 : fmax(0, counted + e->unexplored - 1 - 1e-13);
	f.low = fmax(0, f.value - early);
	f.high = e->complete ? f.value : fmin(1, f.value + e->unexplored);
	return f;
}

static struct figure exact_mean(const struct exact *e, int measure, struct vtype type)
{
	struct figure f;
	double all = 0, sum = 0, squares = 0;
	memset(&f, 0, sizeof f);
	for (int i = 0; i < e->measure[measure].n; i++) {
		const struct share *s = &e->measure[measure].share[i];
		if (s->value == NONE) {
			f.unset += s->p;
			continue;
		}
		all += s->p;
		sum += s->p * stats_number(s->value, type.frac);
	}
	f.value = all > 0 ? sum / all : NAN;
	for (int i = 0; i < e->measure[measure].n; i++) {
		const struct share *s = &e->measure[measure].share[i];
		if (s->value == NONE)
			continue;
		double d = stats_number(s->value, type.frac) - f.value;
		squares += s->p * d * d;
	}
	f.deviation = all > 0 ? sqrt(squares / all) : NAN;
	/* nothing bounds what the unexplored fights would have come to */
	f.low = e->complete ? f.value : NAN;
	f.high = f.low;
	return f;
}

struct figure odds_figure(const struct answer *a, int branch, int measure)
{
	const struct measure_info *info = info_of(a, branch, measure);
	struct figure f;
	memset(&f, 0, sizeof f);
	if (odds_unplayable(a, branch)) {
		f.value = f.low = f.high = f.deviation = NAN;
		f.unset = 1;
		return f;
	}
	if (a->exact)
		return info->how == MEASURED_CHANCE ? exact_chance(&a->found[branch], measure) : exact_mean(&a->found[branch], measure, info->type);
	const struct tally *t = &a->trials.branch[branch].measure[measure].value;
	if (info->how == MEASURED_CHANCE) {
		uint64_t yes = tally_of(t, 1);
		f.value = t->total ? (double)yes / (double)t->total : NAN;
		stats_wilson(yes, t->total, &f.low, &f.high);
		return f;
	}
	struct moments m = stats_moments(t, info->type.frac);
	f.value = m.mean;
	f.low = m.low;
	f.high = m.high;
	f.deviation = m.deviation;
	f.unset = t->total ? (double)m.unset / (double)t->total : 0;
	return f;
}

struct figure odds_difference(const struct answer *a, int branch, int measure)
{
	const struct measure_info *info = info_of(a, branch, measure);
	struct figure f;
	memset(&f, 0, sizeof f);
	if (a->exact) {
		struct figure x = odds_figure(a, branch, measure), first = odds_figure(a, 0, measure);
		f.value = x.value - first.value;
		f.low = x.low - first.high;
		f.high = x.high - first.low;
		return f;
	}
	bool frac = info->how != MEASURED_CHANCE && info->type.frac;
	struct moments m = stats_moments(&a->trials.branch[branch].measure[measure].difference, frac);
	f.value = m.mean;
	f.low = m.low;
	f.high = m.high;
	f.deviation = m.deviation;
	return f;
}

double odds_in_unit(const struct program *p, struct vtype type, double number, const char **unit)
{
	*unit = "";
	switch (type.base) {
	case VT_TIME:
		if (p->shown_unit >= 0 && p->unit[p->shown_unit].base == VT_TIME) {
			const struct unit_info *u = &p->unit[p->shown_unit];
			*unit = u->name;
			return number * (double)u->den / (double)u->num;
		}
		*unit = "seconds";
		return number / SECOND;
	case VT_DISTANCE:
		*unit = "ft";
		return number / FOOT;
	case VT_SCALE:
		*unit = "\"";
		return number / 100;
	case VT_WEIGHT:
		*unit = "lb";
		return number / POUND;
	case VT_MONEY:
		*unit = "cp";
		return number;
	case VT_CHANCE:
		*unit = "%";
		return number * 100;
	default:
		return number;
	}
}
