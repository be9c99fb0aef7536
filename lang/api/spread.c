/* spread.c - dice on their own: a roll, and a formula's exact distribution as a table with bars. */
#include "lang/api/bars.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/dice/dice.h"
#include "runtime/dice/dist.h"

/* Totals rarer than this are summed up in one line at either end. */
static const double SHOWN = 5e-7;
enum { ROWS_MOST = 40 };

struct summary { double deviation; int at[5]; };
static const double percentile[5] = {0.05, 0.25, 0.5, 0.75, 0.95};

static struct summary summary_of(const struct dist *d)
{
	struct summary s = {0};
	double mean = dist_mean(d), below = 0, squares = 0;
	int k = 0;
	for (int v = d->least; v <= d->most; v++) {
		double p = dist_at(d, v);
		squares += p * (v - mean) * (v - mean);
		below += p;
		for (; k < 5 && below >= percentile[k] - 1e-12; k++)
			s.at[k] = v;
	}
	for (; k < 5; k++)
		s.at[k] = d->most;
	s.deviation = sqrt(squares);
	return s;
}

static double between(const struct dist *d, int from, int to)
{
	double sum = 0;
	for (int v = from; v <= to; v++)
		sum += dist_at(d, v);
	return sum;
}

static void rare(struct fray *f, const char *what, int from, int to, double share)
{
	if (from > to || share <= 0)
		return;
	fray_writef(f, FRAY_DIM, "  %s%d .. %d: %.2g %% together\n", what, from, to, share * 100);
}

static void rows(struct fray *f, const struct dist *d, int from, int to)
{
	int step = (to - from) / ROWS_MOST + 1, width = bars_width(bars_room(f) - 39);
	double most = 0, left = between(d, from, d->most);
	for (int v = from; v <= to; v += step)
		most = fmax(most, between(d, v, v + step - 1 < to ? v + step - 1 : to));
	fray_write(f, FRAY_DIM, "         total     share   at least\n");
	for (int v = from; v <= to; v += step) {
		int end = v + step - 1 < to ? v + step - 1 : to;
		double share = between(d, v, end);
		char label[40];
		if (end > v)
			snprintf(label, sizeof label, "%d .. %d", v, end);
		else
			snprintf(label, sizeof label, "%d", v);
		fray_writef(f, FRAY_NAME, "  %12s", label);
		fray_writef(f, FRAY_PLAIN, "  %8.4f%%  %8.4f%%  ", share * 100, fmin(left, 1) * 100);
		if (width && most > 0)
			bars_draw(f, share / most, width);
		fray_write(f, FRAY_PLAIN, "\n");
		left -= share;
	}
}

void spread_tell(struct fray *f, const struct dice *dice, const struct dist *d)
{
	struct summary s = summary_of(d);
	int from = d->least, to = d->most;
	while (from < to && dist_at(d, from) < SHOWN)
		from++;
	while (to > from && dist_at(d, to) < SHOWN)
		to--;
	rare(f, "", d->least, from - 1, between(d, d->least, from - 1));
	rows(f, d, from, to);
	rare(f, "", to + 1, d->most, between(d, to + 1, d->most));
	fray_writef(f, FRAY_PLAIN, "  mean %.10g, deviation %.6g, median %d\n", dist_mean(d), s.deviation, s.at[2]);
	fray_writef(f, FRAY_PLAIN, "  half of all rolls: %d .. %d; nine in ten: %d .. %d\n", s.at[1], s.at[3], s.at[0], s.at[4]);
	if (d->of > 0)
		fray_writef(f, FRAY_DIM, "  exact: %.0f ways to fall\n", d->of);
	else
		fray_write(f, FRAY_DIM, "  exact, to about 15 digits\n");
	if (dice->explode)
		fray_writef(f, FRAY_DIM, "  at most %d extra dice are rolled; they run out once in %.2g rolls\n", DICE_EXTRA, d->spent > 0 ? 1 / d->spent : INFINITY);
}

enum fray_status dice_said(struct fray *f, const struct node *n)
{
	struct dice d;
	enum dice_error e = dice_parse(n->a->text, strlen(n->a->text), &d);
	if (e != DICE_OK) {
		diag_report(&f->sink, dice_message(e), n->a->span, 1, n->a->text);
		return FRAY_WRONG;
	}
	if (n->num == 0) {
		struct dice_ask ask = {0};
		struct dice_result *r = calloc(1, sizeof *r);
		if (!r)
			return FRAY_STOPPED;
		ask.seed = f->options.seed;
		ask.occurrence = f->rolls++;
		ask.dice = &d;
		dice_roll(NULL, &ask, r);
		fray_writef(f, FRAY_DIE, "%lld", (long long)r->total);
		for (int i = 0; i < r->faces && r->faces > 1; i++)
			fray_writef(f, r->face[i] < 0 ? FRAY_DIM : FRAY_PLAIN,
				r->face[i] < 0 ? "%s(%d)" : "%s%d", i ? " " : "   ",
				r->face[i] < 0 ? -r->face[i] : r->face[i]);
		fray_write(f, FRAY_PLAIN, "\n");
		free(r);
		return FRAY_OK;
	}
	struct dist spread;
	if (!dist_make(&d, &spread)) {
		diag_report(&f->sink, M_DICE_SPREAD, n->a->span, 1, n->a->text);
		return FRAY_WRONG;
	}
	spread_tell(f, &d, &spread);
	dist_free(&spread);
	return FRAY_OK;
}
