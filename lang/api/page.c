/* page.c - answers on the page: each measure as a plot and as a row of a table, in one of four
 * arrangements - alone, branches side by side, steps as lines, rules side by side. */
#include "lang/api/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPREAD_MOST = 40 };

/* ---- variants ---- */

static void add(struct variants *x, const char *name, const json_t *measures, bool exact, double at)
{
	if (x->n < VARIANTS_MAX) {
		struct variant v = {name, measures, exact, at};
		x->v[x->n++] = v;
	}
}

void page_variants(struct variants *x, const json_t *odds, double at)
{
	const json_t *branches = json_object_get(odds, "branches"), *b;
	size_t i;
	if (!branches)
		add(x, "", json_object_get(odds, "measures"), page_is_exact(odds), at);
	json_array_foreach(branches, i, b)
		add(x, page_text(b, "branch"), json_object_get(b, "measures"), page_is_exact(odds), at);
}

const json_t *page_measure(const struct variants *x, int variant, size_t i)
{
	return json_array_get(x->v[variant].measures, i);
}

/* ---- tables ---- */

static void number_cell(struct buf *out, const char *key, double value, const char *text)
{
	if (isfinite(value))
		buf_printf(out, "<td class=\"n\" data-%s=\"%.17g\">", key, value);
	else
		buf_puts(out, "<td class=\"n\">");
	plot_escape(out, text);
	buf_puts(out, "</td>");
}

void page_cells(struct buf *out, const json_t *m, bool exact, bool differences)
{
	struct buf value = {0}, interval = {0}, d = {0};
	page_figure(&value, m, exact);
	page_interval(&interval, m, exact);
	number_cell(out, "value", page_number(m, "value"), buf_text(&value));
	number_cell(out, "low", page_number(m, "low"), buf_text(&interval));
	if (differences) {
		page_difference(&d, m, exact);
		number_cell(out, "difference", page_number(json_object_get(m, "difference"), "value"), buf_text(&d));
	}
	buf_free(&value);
	buf_free(&interval);
	buf_free(&d);
}

/* Every measure of every variant; `of` heads the variants' column, NULL: there is one only. */
static void table(struct plot *p, const struct variants *x, const char *of, bool differences)
{
	struct buf *out = p->out;
	size_t n = json_array_size(x->v[0].measures);
	buf_puts(out, "<div class=\"scroll\"><table class=\"figures\"><thead><tr><th>measure</th>");
	if (of)
		buf_printf(out, "<th>%s</th>", of);
	buf_printf(out, "<th class=\"n\">figure</th><th class=\"n\">%s</th>", x->v[0].exact ? "as a fraction" : "95 % interval");
	if (differences)
		buf_puts(out, "<th class=\"n\">difference</th>");
	buf_puts(out, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < x->n; k++) {
			const json_t *m = page_measure(x, k, i);
			buf_puts(out, "<tr><td>");
			plot_escape(out, page_text(m, "name"));
			if (!page_is(m, "chance"))
				buf_puts(out, " (mean)");
			buf_puts(out, "</td>");
			if (of) {
				buf_puts(out, "<td>");
				plot_escape(out, x->v[k].name);
				buf_puts(out, "</td>");
			}
			page_cells(out, m, x->v[k].exact, differences);
			buf_puts(out, "</tr>\n");
		}
	buf_puts(out, "</tbody></table></div>\n");
}

void page_table_begin(struct plot *p, const char *summary)
{
	buf_puts(p->out, "<details><summary>");
	plot_escape(p->out, summary);
	buf_puts(p->out, "</summary>\n");
}

void page_table_end(struct plot *p)
{
	buf_puts(p->out, "</details>\n");
}

/* ---- figures ---- */

void page_figure_begin(struct plot *p, const char *caption, const char *small)
{
	buf_puts(p->out, "<figure><figcaption>");
	plot_escape(p->out, caption);
	if (small && *small) {
		buf_puts(p->out, "<small>");
		plot_escape(p->out, small);
		buf_puts(p->out, "</small>");
	}
	buf_puts(p->out, "</figcaption>\n");
}

void page_figure_end(struct plot *p)
{
	buf_puts(p->out, "</figure>\n");
}

static struct plot_row row_of(const json_t *m, const char *label, bool exact, struct buf *text, int colour)
{
	page_figure(text, m, exact);
	struct plot_row r = {label, buf_text(text), page_number(m, "value"), page_number(m, "low"), page_number(m, "high"), colour};
	return r;
}

/* Measures of one fight that `wanted` takes, as rows of one plot. */
static void rows_of(struct plot *p, const struct variant *v, const json_t *sides, const char *caption, bool (*wanted)(const json_t *), enum plot_axis axis)
{
	VEC(struct plot_row) row = {0};
	VEC(struct buf) text = {0};
	size_t i;
	const json_t *m;
	json_array_foreach(v->measures, i, m) {
		struct buf b = {0};
		if (!wanted(m))
			continue;
		struct plot_row one = row_of(m, page_text(m, "name"), v->exact, &b, page_colour(sides, page_text(m, "name")));
		VEC_PUSH(row, one);
		VEC_PUSH(text, b);
	}
	if (row.n) {
		page_figure_begin(p, caption, axis == PLOT_SHARE && !v->exact ? "with 95 % intervals" : "");
		plot_rows(p, caption, row.v, row.n, axis);
		page_figure_end(p);
	}
	for (int k = 0; k < text.n; k++)
		buf_free(&text.v[k]);
	VEC_FREE(text);
	VEC_FREE(row);
}

/* Whole numbers stand where they belong on their axis, also where one between them never came up;
 * many are put together, so many to a column. False: these are no whole numbers. */
static bool bars_of_numbers(struct plot *p, const json_t *spread, const char *title, int colour)
{
	double least = HUGE_VAL, most = -HUGE_VAL;
	const char *key;
	char *end;
	json_t *share;
	json_object_foreach((json_t *)spread, key, share) {
		double v = strtod(key, &end);
		if (*end || v != floor(v) || fabs(v) > 1e9)
			return false;
		least = fmin(least, v);
		most = fmax(most, v);
	}
	if (least > most)
		return false;
	int64_t each = (int64_t)((most - least) / SPREAD_MOST) + 1;
	int n = (int)((most - least) / (double)each) + 1;
	struct plot_bar bar[SPREAD_MOST + 1];
	struct buf text[SPREAD_MOST + 1] = {{0}};
	for (int i = 0; i < n; i++) {
		int64_t low = (int64_t)least + i * each, high = low + each - 1;
		buf_printf(&text[i], "%lld", (long long)low);
		if (each > 1)
			buf_printf(&text[i], "..%lld", (long long)(high < (int64_t)most ? high : (int64_t)most));
		bar[i] = (struct plot_bar){buf_text(&text[i]), 0};
	}
	json_object_foreach((json_t *)spread, key, share)
		bar[((int64_t)strtod(key, NULL) - (int64_t)least) / each].share += json_real_value(share);
	plot_bars(p, title, bar, n, colour);
	for (int i = 0; i < n; i++)
		buf_free(&text[i]);
	return true;
}

/* The values of a spread; many are put together, so many to a column. */
static void bars_of(struct plot *p, const json_t *m, const char *title, int colour)
{
	const json_t *spread = json_object_get(m, "spread");
	int n = (int)json_object_size(spread), each = (n + SPREAD_MOST - 1) / SPREAD_MOST;
	VEC(struct plot_bar) bar = {0};
	VEC(struct buf) text = {0};
	const char *key;
	json_t *share;
	int in = 0;
	if (bars_of_numbers(p, spread, title, colour))
		return;
	json_object_foreach((json_t *)spread, key, share) {
		bool apart = !strcmp(key, "none");
		if (in > 0 && in < each && !apart) {
			struct buf *b = &text.v[text.n - 1];
			const char *dots = strstr(buf_text(b), "..");
			if (dots)
				b->length = (size_t)(dots - b->data);
			buf_printf(b, "..%s", key);
			bar.v[bar.n - 1].share += json_real_value(share);
			in++;
			continue;
		}
		struct buf b = {0};
		buf_puts(&b, key);
		VEC_PUSH(text, b);
		VEC_PUSH(bar, (struct plot_bar){"", json_real_value(share)});
		in = apart ? 0 : 1;
	}
	for (int i = 0; i < bar.n; i++)
		bar.v[i].label = buf_text(&text.v[i]);
	plot_bars(p, title, bar.v, bar.n, colour);
	for (int i = 0; i < text.n; i++)
		buf_free(&text.v[i]);
	VEC_FREE(text);
	VEC_FREE(bar);
}

static void spread_figure(struct plot *p, const json_t *m, const char *name, bool exact, int colour)
{
	struct buf small = {0}, title = {0}, value = {0};
	page_figure(&value, m, exact);
	if (value.length)
		buf_printf(&small, "mean %s", buf_text(&value));
	buf_printf(&title, "%s: how often each value", page_text(m, "name"));
	if (*name)
		buf_printf(&title, ", %s", name);
	page_figure_begin(p, *name ? name : page_text(m, "name"), buf_text(&small));
	bars_of(p, m, buf_text(&title), colour);
	page_figure_end(p);
	buf_free(&small);
	buf_free(&title);
	buf_free(&value);
}

static void spread_tables(struct plot *p, const struct variants *x)
{
	for (int k = 0; k < x->n; k++) {
		size_t i;
		const json_t *m;
		json_array_foreach(x->v[k].measures, i, m) {
			const char *key;
			json_t *share;
			if (!page_is(m, "spread"))
				continue;
			buf_puts(p->out, "<h3>");
			plot_escape(p->out, page_text(m, "name"));
			if (*x->v[k].name) {
				buf_puts(p->out, ", ");
				plot_escape(p->out, x->v[k].name);
			}
			buf_puts(p->out, "</h3><table class=\"spread\"><thead><tr><th>value</th><th class=\"n\">share</th></tr></thead><tbody>\n");
			json_object_foreach(json_object_get(m, "spread"), key, share) {
				buf_puts(p->out, "<tr><td>");
				plot_escape(p->out, key);
				buf_printf(p->out, "</td><td class=\"n\" data-value=\"%.17g\">%.4g %%</td></tr>\n", json_real_value(share), json_real_value(share) * 100);
			}
			buf_puts(p->out, "</tbody></table>\n");
		}
	}
}

static bool has_spread(const struct variants *x)
{
	size_t i;
	const json_t *m;
	json_array_foreach(x->v[0].measures, i, m)
		if (page_is(m, "spread"))
			return true;
	return false;
}

static void tables(struct plot *p, const struct variants *x, const char *of, bool differences)
{
	page_table_begin(p, "The figures as a table");
	table(p, x, of, differences);
	if (has_spread(x))
		spread_tables(p, x);
	page_table_end(p);
}

/* ---- one fight ---- */

static bool ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);
	return n > k && !strcmp(s + n - k, end);
}

static bool is_win(const json_t *m) { return page_is(m, "chance") && (ends_in(page_text(m, "name"), " wins") || ends_in(page_text(m, "name"), " win")); }
static bool is_standing(const json_t *m) { return page_is(m, "chance") && ends_in(page_text(m, "name"), " survives"); }
static bool is_other(const json_t *m) { return page_is(m, "chance") && !is_win(m) && !is_standing(m); }
static bool is_mean(const json_t *m) { return page_is(m, "average"); }

static void one_fight(struct plot *p, const struct variants *x, const json_t *sides)
{
	size_t i;
	const json_t *m;
	buf_puts(p->out, "<div class=\"grid\">\n");
	rows_of(p, &x->v[0], sides, "Who wins", is_win, PLOT_SHARE);
	rows_of(p, &x->v[0], sides, "Who lives", is_standing, PLOT_SHARE);
	rows_of(p, &x->v[0], sides, "How likely", is_other, PLOT_SHARE);
	rows_of(p, &x->v[0], sides, "On average", is_mean, PLOT_NUMBER);
	json_array_foreach(x->v[0].measures, i, m)
		if (page_is(m, "spread"))
			spread_figure(p, m, "", x->v[0].exact, page_colour(sides, page_text(m, "name")));
	buf_puts(p->out, "</div>\n");
	tables(p, x, NULL, false);
}

/* ---- side by side ---- */

static void side_by_side(struct plot *p, const struct variants *x, const char *of, bool differences)
{
	size_t n = json_array_size(x->v[0].measures);
	struct plot_row row[VARIANTS_MAX];
	buf_puts(p->out, "<div class=\"grid\">\n");
	for (size_t i = 0; i < n; i++) {
		const json_t *first = page_measure(x, 0, i);
		bool chance = page_is(first, "chance");
		struct buf text[VARIANTS_MAX] = {{0}};
		bool figures = isfinite(page_number(first, "value"));
		for (int k = 0; k < x->n; k++)
			row[k] = row_of(page_measure(x, k, i), x->v[k].name, x->v[k].exact, &text[k], k);
		if (figures) {
			page_figure_begin(p, page_text(first, "name"), chance ? "" : "on average");
			plot_rows(p, page_text(first, "name"), row, x->n, chance ? PLOT_SHARE : PLOT_NUMBER);
			page_figure_end(p);
		}
		for (int k = 0; k < x->n; k++)
			buf_clear(&text[k]);
		if (figures && differences && x->n > 1) {
			struct buf title = {0};
			buf_printf(&title, "%s: the difference", page_text(first, "name"));
			for (int k = 1; k < x->n; k++) {
				const json_t *d = json_object_get(page_measure(x, k, i), "difference");
				page_difference(&text[k], page_measure(x, k, i), x->v[k].exact);
				row[k] = (struct plot_row){x->v[k].name, buf_text(&text[k]), page_number(d, "value"), page_number(d, "low"), page_number(d, "high"), k};
			}
			struct buf small = {0};
			buf_printf(&small, "against: %s", x->v[0].name);
			page_figure_begin(p, buf_text(&title), buf_text(&small));
			plot_rows(p, buf_text(&title), row + 1, x->n - 1, chance ? PLOT_DIFFERENCE_SHARE : PLOT_DIFFERENCE);
			page_figure_end(p);
			buf_free(&title);
			buf_free(&small);
		}
		for (int k = 0; k < x->n; k++)
			buf_free(&text[k]);
	}
	buf_puts(p->out, "</div>\n");
	for (size_t i = 0; i < n; i++) {
		if (!page_is(page_measure(x, 0, i), "spread"))
			continue;
		buf_puts(p->out, "<h3>");
		plot_escape(p->out, page_text(page_measure(x, 0, i), "name"));
		buf_puts(p->out, ": how often each value</h3><div class=\"grid\">\n");
		for (int k = 0; k < x->n; k++)
			spread_figure(p, page_measure(x, k, i), x->v[k].name, x->v[k].exact, k);
		buf_puts(p->out, "</div>\n");
	}
	tables(p, x, of, differences);
}

void page_method_line(struct plot *p, const json_t *odds)
{
	struct buf b = {0};
	page_method(&b, odds);
	buf_puts(p->out, "<p class=\"soft\">");
	plot_escape(p->out, buf_text(&b));
	buf_puts(p->out, "</p>\n");
	buf_free(&b);
}

void page_asked(struct plot *p, const json_t *kept)
{
	buf_puts(p->out, "<p class=\"asked\">");
	plot_escape(p->out, page_text(kept, "asked"));
	buf_puts(p->out, "</p>\n");
}

void page_usual(struct plot *p, const json_t *kept)
{
	struct variants x = {.n = 0};
	page_variants(&x, json_object_get(kept, "odds"), NAN);
	buf_puts(p->out, "<section class=\"usual\"><h2>How it ends</h2>\n");
	one_fight(p, &x, json_object_get(kept, "sides"));
	buf_puts(p->out, "</section>\n");
}

void page_alone(struct plot *p, const json_t *kept)
{
	struct variants x = {.n = 0};
	const json_t *odds = json_object_get(kept, "odds");
	page_variants(&x, odds, NAN);
	buf_printf(p->out, "<section class=\"%s\"><h2>%s</h2>\n", x.n > 1 ? "branches" : "alone", x.n > 1 ? "One or the other" : "A question");
	page_asked(p, kept);
	if (x.n > 1)
		side_by_side(p, &x, "branch", true);
	else
		one_fight(p, &x, json_object_get(kept, "sides"));
	page_method_line(p, odds);
	buf_puts(p->out, "</section>\n");
}

void page_compare(struct plot *p, json_t *const *kept, int n)
{
	struct variants x = {.n = 0};
	for (int i = 0; i < n; i++) {
		const json_t *odds = json_object_get(kept[i], "odds");
		add(&x, page_text(odds, "step"), json_object_get(odds, "measures"), page_is_exact(odds), NAN);
	}
	buf_puts(p->out, "<section class=\"compare\"><h2>Under other rules</h2>\n");
	page_asked(p, kept[0]);
	side_by_side(p, &x, "rules", false);
	page_method_line(p, json_object_get(kept[0], "odds"));
	buf_puts(p->out, "</section>\n");
}
