/* odds_tell.c - answers for people: a line a measure with its interval and a bar, spreads as
 * bars, branches side by side; as wide as the terminal and no wider. */
#include "lang/api/bars.h"
#include "lang/api/odds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runtime/sim/exact.h"
#include "runtime/sim/stats.h"

enum { NAME_MOST = 34, ROWS_MOST = 24 };

/* ---- numbers ---- */

/* As many digits as the interval is worth. */
static int digits_for(double half)
{
	if (!(half > 0))
		return 2;
	int d = (int)ceil(-log10(half));
	return d < 0 ? 0 : d + 1 > 8 ? 8 : d + 1;
}

static void percent(struct buf *out, const struct figure *x, bool exact)
{
	double half = (x->high - x->low) / 2 * 100;
	int d = exact && !(half > 0) ? 4 : digits_for(half);
	if (isnan(x->value) || (exact && x->high - x->low > ODDS_OPEN)) {
		buf_puts(out, "unknown");
		return;
	}
	if (d > 4 && !exact)
		d = 4;
	if (exact && x->bottom == 1)
		buf_puts(out, x->top ? "always" : "never");
	else if (exact && x->high <= 0)
		buf_puts(out, "under 1e-11 %"); /* what may be left open where all counts as counted */
	else if (!exact && x->value <= 0)
		buf_printf(out, "under %.2g %%", x->high * 100);
	else if (!exact && x->value >= 1)
		buf_printf(out, "over %.*f %%", d, x->low * 100);
	else if (exact && x->value > 0 && x->value * 100 < 0.00005)
		buf_printf(out, "%.3g %%", x->value * 100);
	else if (exact && x->value < 1 && x->value * 100 > 99.99995)
		buf_printf(out, "100 %% less %.3g %%", (1 - x->value) * 100);
	else
		buf_printf(out, "%.*f %%", d, x->value * 100);
}

static void percent_interval(struct buf *out, const struct figure *x, bool exact)
{
	double half = (x->high - x->low) / 2 * 100;
	int d = digits_for(half);
	if (exact && x->bottom > 1 && x->bottom <= 1000000)
		buf_printf(out, "%lld/%lld", (long long)x->top, (long long)x->bottom);
	else if (exact && half <= 0)
		buf_puts(out, "exact");
	else
		buf_printf(out, "%.*f .. %.*f", d, x->low * 100, d, x->high * 100);
}

static void number(struct buf *out, const struct answer *a, int branch, int measure, double value, int digits)
{
	const char *unit;
	const struct program *p = a->program[branch];
	double v = odds_in_unit(p, p->measure[measure].type, value, &unit);
	buf_printf(out, "%.*f%s%s", digits, v, *unit && *unit != '"' ? " " : "", unit);
}

static int number_digits(const struct answer *a, int branch, int measure, const struct figure *x)
{
	const char *unit;
	const struct program *p = a->program[branch];
	double half = odds_in_unit(p, p->measure[measure].type, (x->high - x->low) / 2, &unit);
	return a->exact || !(half > 0) ? 4 : digits_for(half);
}

/* ---- one measure ---- */

/* What is left of a narrow terminal beside a figure and its interval. */
static int name_most(struct fray *f)
{
	int room = bars_room(f) - 36;
	return room < 10 ? 10 : room > NAME_MOST ? NAME_MOST : room;
}

static int name_width(struct fray *f, const struct answer *a)
{
	int w = 10;
	for (int i = 0; i < a->program[0]->measures; i++) {
		int n = bars_columns(a->program[0]->measure[i].text);
		if (n > w)
			w = n;
	}
	return w > name_most(f) ? name_most(f) : w;
}

static void difference(struct buf *out, const struct answer *a, int branch, int measure)
{
	struct figure d = odds_difference(a, branch, measure);
	const struct measure_info *info = &a->program[branch]->measure[measure];
	double scale = info->how == MEASURED_CHANCE ? 100 : 1;
	double half = (d.high - d.low) / 2 * scale;
	if (isnan(d.value))
		return;
	int digits = a->exact && !(half > 0) ? 4 : digits_for(half);
	const char *unit = "%";
	double value = d.value * scale;
	if (info->how != MEASURED_CHANCE) {
		value = odds_in_unit(a->program[branch], info->type, d.value, &unit);
		half = odds_in_unit(a->program[branch], info->type, half, &unit);
	}
	buf_printf(out, "%+.*f", digits, value);
	if (!(a->exact && half <= 0))
		buf_printf(out, " \xc2\xb1 %.*f", digits, half);
	if (*unit)
		buf_printf(out, " %s", unit);
}

/* How far what stands below a name is moved in: less where it would not fit. */
static int moved_in(struct fray *f, int names, int columns)
{
	int room = bars_room(f) - 4 - columns;
	return room < 0 ? 0 : room < names ? room : names;
}

/* A sentence below the figures, on as many lines as it takes. */
static void tell_sentence(struct fray *f, enum fray_style style, const char *text)
{
	int at = 0;
	for (const char *p = text; *p;) {
		size_t n = strcspn(p + (*p == ' '), " ") + (*p == ' ');
		struct buf piece = {0};
		buf_add(&piece, p, n);
		if (at && at + bars_columns(buf_text(&piece)) > bars_room(f)) {
			fray_write(f, FRAY_PLAIN, "\n    ");
			at = 4;
			fray_write(f, style, buf_text(&piece) + (*p == ' '));
			at += bars_columns(buf_text(&piece)) - (*p == ' ');
		} else {
			if (!at)
				fray_write(f, FRAY_PLAIN, "  ");
			fray_write(f, style, buf_text(&piece));
			at += bars_columns(buf_text(&piece)) + (at ? 0 : 2);
		}
		buf_free(&piece);
		p += n;
	}
	fray_write(f, FRAY_PLAIN, "\n");
}

static void tell_figure(struct fray *f, const struct answer *a, int branch, int measure, const char *name, int names)
{
	const struct measure_info *info = &a->program[branch]->measure[measure];
	struct figure x = odds_figure(a, branch, measure);
	struct buf value = {0}, interval = {0};
	bool chance = info->how == MEASURED_CHANCE;
	if (!chance && !vtype_is_number(info->type)) { /* it has no mean: its values stand below */
		fray_write(f, FRAY_PLAIN, "  ");
		fray_write(f, FRAY_NAME, name);
		fray_write(f, FRAY_PLAIN, "\n");
		return;
	}
	if (chance) {
		percent(&value, &x, a->exact);
		percent_interval(&interval, &x, a->exact);
	} else {
		int digits = number_digits(a, branch, measure, &x);
		if (isnan(x.value)) {
			buf_puts(&value, a->exact && !a->found[branch].complete ? "unknown" : "never set");
		} else {
			number(&value, a, branch, measure, x.value, digits);
			if (isnan(x.low)) {
				buf_puts(&interval, "not bounded");
			} else if (a->exact) {
				buf_puts(&interval, "exact");
			} else {
				number(&interval, a, branch, measure, x.low, digits);
				buf_puts(&interval, " .. ");
				number(&interval, a, branch, measure, x.high, digits);
			}
		}
	}
	fray_write(f, FRAY_PLAIN, "  ");
	bars_pad(f, FRAY_NAME, name, names + 2);
	int wide = bars_columns(buf_text(&value));
	fray_writef(f, FRAY_PLAIN, "%*s", wide < 11 ? 11 - wide : bars_columns(name) >= names + 2 ? 1 : 0, "");
	fray_write(f, FRAY_GOOD, buf_text(&value));
	fray_write(f, FRAY_PLAIN, "   ");
	int last = 2 + names + 2 + 11 + 3 + 18;
	int width = bars_width(bars_room(f) - last - 2);
	if (2 + names + 2 + 11 + 3 + bars_columns(buf_text(&interval)) > bars_room(f))
		fray_write(f, FRAY_PLAIN, "\n      ");
	if (branch > 0 && a->branches > 1) {
		struct buf d = {0};
		difference(&d, a, branch, measure);
		bool beside = last + 13 + bars_columns(buf_text(&d)) <= bars_room(f);
		if (beside)
			bars_pad(f, FRAY_DIM, buf_text(&interval), 18);
		else
			fray_write(f, FRAY_DIM, buf_text(&interval));
		if (d.length && beside)
			fray_writef(f, FRAY_TIME, " difference %s", buf_text(&d));
		else if (d.length)
			fray_writef(f, FRAY_TIME, "\n  %*s  difference %s", moved_in(f, names, 13 + bars_columns(buf_text(&d))), "", buf_text(&d));
		buf_free(&d);
	} else if (chance && width && !isnan(x.value) && !(a->exact && x.high - x.low > ODDS_OPEN) && a->branches == 1) {
		bars_pad(f, FRAY_DIM, buf_text(&interval), 18);
		bars_draw(f, x.value, width);
	} else {
		fray_write(f, FRAY_DIM, buf_text(&interval));
	}
	fray_write(f, FRAY_PLAIN, "\n");
	if (x.unset > 0 && !isnan(x.value))
		fray_writef(f, FRAY_DIM, "  %*s  has no value in %.3g %% of the fights\n", names, "", x.unset * 100);
	buf_free(&value);
	buf_free(&interval);
}

/* ---- spreads ---- */

static void spread_row(struct fray *f, const char *label, double share, double most, int labels, int width)
{
	fray_writef(f, FRAY_PLAIN, "  %*s", labels - bars_columns(label), "");
	fray_write(f, FRAY_NAME, label);
	if (share * 100 < 0.005 && share > 0)
		fray_writef(f, FRAY_PLAIN, "  %7.1g %%  ", share * 100);
	else
		fray_writef(f, FRAY_PLAIN, "  %7.2f %%  ", share * 100);
	if (width && most > 0)
		bars_draw(f, share / most, width);
	fray_write(f, FRAY_PLAIN, "\n");
}

struct row { struct buf label; double share; };

static void label_of(const struct answer *a, int branch, int measure, word value, struct buf *out)
{
	const struct program *p = a->program[branch];
	if (value == NONE)
		buf_puts(out, "none");
	else
		program_value(p, p->measure[measure].type, &value, out);
}

/* Every value a row; too many numbers are put together, so many to a row. */
static void tell_spread(struct fray *f, const struct answer *a, int branch, int measure)
{
	const struct measure_info *info = &a->program[branch]->measure[measure];
	int n = odds_values(a, branch, measure), from = 0;
	VEC(struct row) rows = {0};
	double share, unset = 0;
	bool numbers = vtype_is_number(info->type) && !info->type.frac;
	word step = 1, least = 0, most = 0;
	if (n > 0 && odds_value(a, branch, measure, 0, &unset) == NONE)
		from = 1;
	else
		unset = 0;
	if (n > from) {
		least = odds_value(a, branch, measure, from, &share);
		most = odds_value(a, branch, measure, n - 1, &share);
	}
	if (numbers && n - from > ROWS_MOST)
		step = (most - least) / (ROWS_MOST - 4) + 1;
	for (int i = from; i < n; i++) {
		word value = odds_value(a, branch, measure, i, &share);
		struct row r = {{0}, share};
		if (step > 1) {
			word low = value - (((value % step) + step) % step), high = low + step - 1;
			if (rows.n && i > from) {
				word before = odds_value(a, branch, measure, i - 1, &r.share);
				if (before - (((before % step) + step) % step) == low) {
					rows.v[rows.n - 1].share += share;
					continue;
				}
			}
			r.share = share;
			low = low < least ? least : low;
			high = high > most ? most : high;
			label_of(a, branch, measure, low, &r.label);
			if (high > low) {
				buf_puts(&r.label, " .. ");
				label_of(a, branch, measure, high, &r.label);
			}
		} else {
			label_of(a, branch, measure, value, &r.label);
		}
		VEC_PUSH(rows, r);
	}
	if (unset > 0) {
		struct row r = {{0}, unset};
		buf_puts(&r.label, "none");
		VEC_PUSH(rows, r);
	}
	double top = 0;
	int labels = 4;
	for (int i = 0; i < rows.n; i++) {
		top = fmax(top, rows.v[i].share);
		int w = bars_columns(buf_text(&rows.v[i].label));
		labels = w > labels ? w : labels;
	}
	for (int i = 0; i < rows.n; i++) {
		spread_row(f, buf_text(&rows.v[i].label), rows.v[i].share, top, labels + 2, bars_width(bars_room(f) - labels - 20));
		buf_free(&rows.v[i].label);
	}
	VEC_FREE(rows);
}

/* One line instead: where the middle half of the fights end. */
static void tell_quartiles(struct fray *f, const struct answer *a, int branch, int measure, int names)
{
	static const double at[] = {0.25, 0.5, 0.75};
	struct buf text[3] = {{0}, {0}, {0}};
	double below = 0, unset = 0, share;
	int n = odds_values(a, branch, measure), q = 0;
	if (n > 0 && odds_value(a, branch, measure, 0, &share) == NONE)
		unset = share;
	for (int i = unset > 0; i < n && q < 3; i++) {
		word value = odds_value(a, branch, measure, i, &share);
		below += share;
		for (; q < 3 && below >= at[q] * (1 - unset) - 1e-12; q++)
			label_of(a, branch, measure, value, &text[q]);
	}
	if (q == 3) {
		struct buf b = {0};
		buf_printf(&b, "half of them: %s .. %s, median %s", buf_text(&text[0]), buf_text(&text[2]), buf_text(&text[1]));
		fray_writef(f, FRAY_DIM, "  %*s  %s\n", moved_in(f, names, bars_columns(buf_text(&b))), "", buf_text(&b));
		buf_free(&b);
	}
	for (q = 0; q < 3; q++)
		buf_free(&text[q]);
}

/* ---- the whole ---- */

static void tell_method(struct fray *f, const struct answer *a)
{
	struct buf b = {0};
	if (a->exact) {
		double unexplored = 0;
		uint64_t worlds = 0;
		for (int k = 0; k < a->branches; k++) {
			unexplored = fmax(unexplored, a->found[k].complete ? 0 : a->found[k].unexplored);
			worlds += a->found[k].worlds;
		}
		buf_puts(&b, "exact: ");
		buf_counted(&b, worlds);
		buf_puts(&b, worlds == 1 ? " world" : " worlds");
		if (unexplored > 0)
			buf_printf(&b, "; %.3g %% of the fights were not explored, and any of them may go either way", unexplored * 100);
		odds_cut_short_text(&b, a);
	} else {
		buf_puts(&b, "sampled: ");
		buf_counted(&b, a->trials.done);
		buf_printf(&b, " fights%s, seed %llu", a->branches > 1 ? " each, with the same dice" : "", (unsigned long long)a->seed);
		if (*a->why_sampled)
			buf_printf(&b, " (not exact: %s)", a->why_sampled);
		if (a->trials.interrupted)
			buf_puts(&b, "; interrupted");
	}
	tell_sentence(f, FRAY_DIM, buf_text(&b));
	buf_free(&b);
}

/* "3.2 %" of the fights, never a bare nothing or all of a sample; "" for none of them. */
static void share_of_fights(struct buf *out, const struct answer *a, uint64_t count, double share)
{
	struct figure x = {0};
	x.value = x.low = x.high = share;
	if (!a->exact) {
		x.value = a->trials.done ? (double)count / (double)a->trials.done : 0;
		stats_wilson(count, a->trials.done, &x.low, &x.high);
	}
	if (x.value > 0)
		percent(out, &x, a->exact);
}

static void tell_share(struct fray *f, enum fray_style style, const struct answer *a, uint64_t count, double share, const char *before, const char *after)
{
	struct buf b = {0}, said = {0};
	share_of_fights(&b, a, count, share);
	buf_printf(&said, "%s%s of the fights%s", before, buf_text(&b), after);
	if (b.length)
		tell_sentence(f, style, buf_text(&said));
	buf_free(&b);
	buf_free(&said);
}

/* A script that tells of so many rounds is over after them: nothing is left open by that. */
static void tell_end(struct fray *f, const struct answer *a, bool few_rounds)
{
	for (int b = 0; b < a->branches; b++) {
		const struct exact *e = a->exact ? &a->found[b] : NULL;
		const struct trials_branch *t = &a->trials.branch[b];
		/* exact odds leave a fight as soon as all is decided that is asked, and do not know whether it would have been settled */
		if (!few_rounds)
			tell_share(f, FRAY_DIM, a, e ? 0 : t->unsettled, e ? e->unsettled : 0, "",
			           e ? " had not decided what is asked when the last round was over" : " were not settled when the last round was over");
		tell_share(f, FRAY_BAD, a, e ? 0 : t->stopped, e ? e->stopped : 0, "", " could not be played to their end, and count for nobody");
		tell_share(f, FRAY_DIM, a, e ? 0 : t->referrals, e ? e->referrals : 0, "the referee is called in ", "; here nobody answered");
	}
}

void odds_tell(struct fray *f, const struct asking *q, const struct answer *a)
{
	int names = name_width(f, a), branches = 10;
	for (int b = 0; b < a->branches; b++)
		branches = bars_columns(a->name[b]) + 2 > branches ? bars_columns(a->name[b]) + 2 : branches;
	branches = branches > name_most(f) ? name_most(f) : branches;
	fray_write(f, FRAY_HEADING, model_text(&f->model, f->model.encounter.v[q->encounter].name));
	if (q->present)
		fray_write(f, FRAY_DIM, " from the present moment");
	if (*q->title)
		fray_writef(f, FRAY_TIME, "   %s", q->title);
	fray_write(f, FRAY_PLAIN, "\n");
	bool played = false;
	for (int b = 0; b < a->branches; b++)
		played |= !odds_unplayable(a, b);
	if (!played) {
		tell_sentence(f, FRAY_BAD, "no fight can be finished, so there are no odds");
		return;
	}
	for (int m = 0; m < a->program[0]->measures; m++) {
		const struct measure_info *info = &a->program[0]->measure[m];
		if (a->branches > 1)
			fray_writef(f, FRAY_NAME, "  %s\n", info->text);
		for (int b = 0; b < a->branches; b++) {
			struct buf name = {0};
			if (a->branches > 1)
				buf_printf(&name, "  %s", a->name[b]);
			tell_figure(f, a, b, m, a->branches > 1 ? buf_text(&name) : info->text, a->branches > 1 ? branches : names);
			buf_free(&name);
			if (info->how == MEASURED_SPREAD && vtype_is_number(info->type))
				tell_quartiles(f, a, b, m, names);
			if (info->how == MEASURED_SPREAD && !q->usual)
				tell_spread(f, a, b, m);
		}
	}
	tell_method(f, a);
	tell_end(f, a, fight_rounds(f, q->encounter, 0) < 1000);
}
