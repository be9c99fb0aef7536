/* page_figure.c - an answer's numbers as they are told on the page. */
#include "lang/api/odds.h"
#include "lang/api/page.h"

#include <math.h>
#include <string.h>

int page_colour(const json_t *sides, const char *name)
{
	const char *who;
	json_t *side;
	size_t longest = 0;
	int colour = 0;
	json_object_foreach((json_t *)sides, who, side) {
		size_t n = strlen(who);
		if (n > longest && !strncmp(name, who, n) && (!name[n] || name[n] == ' ' || name[n] == '\'')) {
			longest = n;
			colour = (int)json_integer_value(side) % (PLOT_COLOURS - 1); /* the last is grey */
		}
	}
	return colour;
}

double page_number(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);
	return json_is_number(v) ? json_number_value(v) : NAN;
}

const char *page_text(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);
	return json_is_string(v) ? json_string_value(v) : "";
}

bool page_is(const json_t *measure, const char *kind)
{
	return !strcmp(page_text(measure, "kind"), kind);
}

/* Digits behind the point that an interval is worth. */
static int digits_for(double half)
{
	if (!(half > 0))
		return 2;
	int d = (int)ceil(-log10(half)) + 1;
	return d < 0 ? 0 : d > 6 ? 6 : d;
}

/* Nothing, or all, and proven to be. */
static bool whole(const char *fraction)
{
	return !strcmp(fraction, "0/1") || !strcmp(fraction, "1/1");
}

static void share_text(struct buf *out, double value, double low, double high, bool exact, const char *fraction)
{
	double half = (high - low) / 2 * 100;
	int d = half > 0 ? digits_for(half) : exact ? 4 : 2;
	if (d > 4)
		d = 4;
	if (!isfinite(value) || (exact && high - low > ODDS_OPEN))
		buf_puts(out, "unknown");
	else if (exact && whole(fraction))
		buf_puts(out, *fraction == '0' ? "never" : "always");
	else if (exact && high <= 0)
		buf_puts(out, "under 1e-11 %");
	else if (!exact && value <= 0)
		buf_printf(out, "under %.2g %%", high * 100);
	else if (!exact && value >= 1)
		buf_printf(out, "over %.*f %%", d, low * 100);
	else if (exact && value > 0 && value * 100 < 0.00005)
		buf_printf(out, "%.3g %%", value * 100);
	else if (exact && value < 1 && value * 100 > 99.99995)
		buf_printf(out, "100 %% less %.3g %%", (1 - value) * 100);
	else
		buf_printf(out, "%.*f %%", d, value * 100);
}

void page_figure(struct buf *out, const json_t *measure, bool exact)
{
	double value = page_number(measure, "value"), low = page_number(measure, "low"), high = page_number(measure, "high");
	if (page_is(measure, "chance")) {
		share_text(out, value, low, high, exact, page_text(measure, "fraction"));
		return;
	}
	const char *unit = page_text(measure, "unit");
	if (!isfinite(value)) {
		buf_puts(out, page_is(measure, "spread") ? "" : "no value");
		return;
	}
	buf_printf(out, "%.*f%s%s", exact ? 4 : digits_for((high - low) / 2), value, *unit && *unit != '"' ? " " : "", unit);
}

void page_interval(struct buf *out, const json_t *measure, bool exact)
{
	double low = page_number(measure, "low"), high = page_number(measure, "high");
	double scale = page_is(measure, "chance") ? 100 : 1;
	int d = digits_for((high - low) / 2 * scale);
	const char *fraction = page_text(measure, "fraction");
	if (exact && *fraction && !whole(fraction))
		buf_puts(out, fraction);
	else if (exact && !(high > low))
		buf_puts(out, isfinite(low) ? "exact" : "not bounded");
	else if (isfinite(low) && isfinite(high))
		buf_printf(out, "%.*f .. %.*f", d, low * scale, d, high * scale);
}

void page_difference(struct buf *out, const json_t *measure, bool exact)
{
	const json_t *d = json_object_get(measure, "difference");
	double value = page_number(d, "value"), low = page_number(d, "low"), high = page_number(d, "high");
	bool chance = page_is(measure, "chance");
	double scale = chance ? 100 : 1, half = (high - low) / 2 * scale;
	if (!isfinite(value))
		return;
	int digits = exact && !(half > 0) ? 4 : digits_for(half);
	buf_printf(out, "%+.*f%s", digits, value * scale, chance ? " %" : "");
	if (half > 0)
		buf_printf(out, " (%+.*f .. %+.*f)", digits, low * scale, digits, high * scale);
}

void page_method(struct buf *out, const json_t *odds)
{
	if (!strcmp(page_text(odds, "method"), "exact")) {
		double unexplored = page_number(odds, "unexplored");
		buf_puts(out, "exact: every way the dice can fall, ");
		buf_counted(out, (uint64_t)json_integer_value(json_object_get(odds, "worlds")));
		buf_puts(out, " worlds");
		if (unexplored > 0)
			buf_printf(out, "; %.3g %% of the fights were not explored", unexplored * 100);
		return;
	}
	buf_puts(out, "sampled: ");
	buf_counted(out, (uint64_t)json_integer_value(json_object_get(odds, "trials")));
	buf_printf(out, " fights%s, seed %lld; intervals hold the truth 95 times in 100", json_object_get(odds, "branches") ? " each, with the same dice" : "",
	           (long long)json_integer_value(json_object_get(odds, "seed")));
	if (page_number(odds, "unsettled") > 0)
		buf_printf(out, "; %.3g %% of the fights were not settled when the last round was over", page_number(odds, "unsettled") * 100);
	if (page_number(odds, "stopped") > 0)
		buf_printf(out, "; %.3g %% could not be played to their end", page_number(odds, "stopped") * 100);
	if (json_is_true(json_object_get(odds, "interrupted")))
		buf_puts(out, "; interrupted");
}

bool page_is_exact(const json_t *odds)
{
	return !strcmp(page_text(odds, "method"), "exact");
}

