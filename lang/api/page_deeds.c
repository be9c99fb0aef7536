/* page_deeds.c - what everybody did, what tactics chose, and which readings of the rules
 * matter. */
#include "lang/api/page.h"

#include <math.h>
#include <string.h>

enum { DEEDS_SHOWN = 10, ROWS_SHOWN = 12 };

static void percent(struct buf *out, double share)
{
	buf_printf(out, share > 0 && share < 0.001 ? "%.2g %%" : "%.1f %%", share * 100);
}

/* Not all and not nothing: of a sample neither is known. */
static void percent_of_sample(struct buf *out, const json_t *o)
{
	double share = json_object_get(o, "share") ? page_number(o, "share") : page_number(o, "value"), low = page_number(o, "low"), high = page_number(o, "high");
	if (share <= 0)
		buf_printf(out, "under %.2g %%", high * 100);
	else if (share >= 1)
		buf_printf(out, "over %.1f %%", low * 100);
	else
		percent(out, share);
}

static void name_deed(struct buf *out, const json_t *d)
{
	const char *with = page_text(d, "with");
	if (*page_text(d, "line")) {
		buf_puts(out, page_text(d, "line"));
		return;
	}
	buf_puts(out, page_text(d, "deed"));
	if (*with)
		buf_printf(out, ": %s", with);
	if (json_is_true(json_object_get(d, "befell")))
		buf_puts(out, ", by others");
}

static void rest_row(struct plot_row *row, struct buf *label, int more)
{
	buf_printf(label, "%d more", more);
	*row = (struct plot_row){buf_text(label), "in the table", NAN, NAN, NAN, PLOT_COLOURS - 1};
}

/* The first rows, and how many more the table below has: what a chart leaves out it says. */
static void share_plot(struct plot *p, const char *title, json_t *const *row, int n, int colour)
{
	struct plot_row plotted[DEEDS_SHOWN + 1];
	struct buf label[DEEDS_SHOWN + 1] = {{0}}, text[DEEDS_SHOWN + 1] = {{0}};
	int shown = n > DEEDS_SHOWN + 1 ? DEEDS_SHOWN : n, rows = shown;
	for (int i = 0; i < shown; i++) {
		name_deed(&label[i], row[i]);
		percent_of_sample(&text[i], row[i]);
		plotted[i] = (struct plot_row){buf_text(&label[i]), buf_text(&text[i]), page_number(row[i], "share"),
			page_number(row[i], "low"), page_number(row[i], "high"),
			json_is_true(json_object_get(row[i], "befell")) ? PLOT_COLOURS - 1 : colour};
	}
	if (n > shown) {
		rest_row(&plotted[rows], &label[rows], n - shown);
		rows++;
	}
	plot_rows(p, title, plotted, rows, PLOT_SHARE);
	for (int i = 0; i < rows; i++) {
		buf_free(&label[i]);
		buf_free(&text[i]);
	}
}

static void deed_rows(struct plot *p, json_t *const *row, int n, bool tactic)
{
	for (int i = 0; i < n; i++) {
		struct buf name = {0}, share = {0}, won = {0};
		name_deed(&name, row[i]);
		percent_of_sample(&share, row[i]);
		if (page_number(row[i], "share") > 0)
			percent_of_sample(&won, json_object_get(row[i], "won"));
		buf_puts(p->out, "<tr><td>");
		plot_escape(p->out, buf_text(&name));
		buf_printf(p->out, "</td><td class=\"n\">%s</td><td class=\"n\">%.2f</td>", buf_text(&share), page_number(row[i], "times"));
		if (!tactic && page_number(row[i], "cost") > 0)
			buf_printf(p->out, "<td class=\"n\">%.2f</td>", page_number(row[i], "cost"));
		else if (!tactic)
			buf_puts(p->out, "<td class=\"n\"></td>");
		buf_printf(p->out, "<td class=\"n\">%s</td></tr>\n", buf_text(&won));
		buf_free(&name);
		buf_free(&share);
		buf_free(&won);
	}
}

/* One combatant's deeds, or the lines of one tactic as one of its followers uses them. */
static void one_of(struct plot *p, json_t *const *row, int n, const json_t *deeds, const json_t *sides, bool tactic)
{
	const char *cost_of = page_text(deeds, "cost_of");
	struct buf title = {0};
	if (tactic)
		buf_printf(&title, "%s, by %s", page_text(row[0], "tactic"), page_text(row[0], "who"));
	else
		buf_puts(&title, page_text(row[0], "who"));
	page_figure_begin(p, buf_text(&title), tactic ? "in how many fights the line was taken" : "in how many fights it happened; grey: by others' acts");
	share_plot(p, buf_text(&title), row, n, page_colour(sides, page_text(row[0], "who")));
	buf_printf(p->out, "<details><summary>Counted</summary><div class=\"scroll\"><table><thead><tr><th>%s</th><th class=\"n\">fights</th><th class=\"n\">times a fight</th>", tactic ? "line" : "deed");
	if (!tactic) {
		buf_puts(p->out, "<th class=\"n\">");
		plot_escape(p->out, cost_of);
		buf_puts(p->out, *cost_of ? " it cost</th>" : "</th>");
	}
	buf_puts(p->out, "<th class=\"n\">");
	plot_escape(p->out, page_text(deeds, "measure"));
	buf_puts(p->out, ", when it happened</th></tr></thead><tbody>\n");
	deed_rows(p, row, n, tactic);
	buf_puts(p->out, "</tbody></table></div></details>\n");
	page_figure_end(p);
	buf_free(&title);
}

static bool together(const json_t *a, const json_t *b)
{
	return !strcmp(page_text(a, "who"), page_text(b, "who")) && !strcmp(page_text(a, "tactic"), page_text(b, "tactic"));
}

static void groups(struct plot *p, const json_t *list, const json_t *deeds, const json_t *sides, bool tactic)
{
	json_t *row[600];
	size_t n = json_array_size(list);
	buf_puts(p->out, "<div class=\"grid\">\n");
	for (size_t i = 0; i < n;) {
		int k = 0;
		for (json_t *first = json_array_get(list, i); i < n && k < 600 && together(first, json_array_get(list, i)); i++)
			row[k++] = json_array_get(list, i);
		one_of(p, row, k, deeds, sides, tactic);
	}
	buf_puts(p->out, "</div>\n");
}

void page_deeds(struct plot *p, const json_t *deeds, const json_t *sides)
{
	const json_t *done = json_object_get(deeds, "deeds"), *tactics = json_object_get(deeds, "tactics");
	long long fights = (long long)json_integer_value(json_object_get(deeds, "fights"));
	if (json_array_size(done)) {
		buf_printf(p->out, "<section class=\"deeds\"><h2>What each spell and weapon did</h2>\n<p class=\"soft\">counted in the logs of %lld sampled fights</p>\n", fights);
		groups(p, done, deeds, sides, false);
		buf_puts(p->out, "</section>\n");
	}
	if (json_array_size(tactics)) {
		buf_printf(p->out, "<section class=\"tactics\"><h2>What each tactic chose</h2>\n<p class=\"soft\">counted in the same %lld fights; a line that chose nothing was never reached, or never held</p>\n", fights);
		groups(p, tactics, deeds, sides, true);
		buf_puts(p->out, "</section>\n");
	}
}

/* ---- what matters here ---- */

static void name_row(struct buf *out, const json_t *r)
{
	if (*page_text(r, "rule"))
		buf_printf(out, "without %s", page_text(r, "rule"));
	else
		buf_printf(out, "%s = %s", page_text(r, "option"), page_text(r, "value"));
}

static bool moved(const json_t *r)
{
	const json_t *d = json_object_get(r, "difference");
	double value = page_number(d, "value");
	return page_number(d, "high") > page_number(d, "low") || value < 0 || value > 0;
}

static bool is_average(const json_t *r)
{
	return !strcmp(page_text(r, "kind"), "average");
}

static void effect(struct buf *out, const json_t *r)
{
	const json_t *d = json_object_get(r, "difference");
	const char *unit = is_average(r) ? page_text(r, "unit") : "%";
	double scale = is_average(r) ? 1 : 100, low = page_number(d, "low"), high = page_number(d, "high");
	buf_printf(out, "%+.2f%s%s", page_number(d, "value") * scale, *unit && *unit != '"' ? " " : "", unit);
	if (high > low)
		buf_printf(out, " (%+.2f .. %+.2f)", low * scale, high * scale);
}

void page_sensitivity(struct plot *p, const json_t *rows)
{
	struct plot_row row[ROWS_SHOWN + 1];
	struct buf label[ROWS_SHOWN + 1] = {{0}}, text[ROWS_SHOWN] = {{0}};
	size_t i;
	const json_t *r;
	int n = 0, still = 0, more = 0;
	json_array_foreach(rows, i, r) {
		still += !moved(r);
		more += n == ROWS_SHOWN && moved(r);
		if (n == ROWS_SHOWN || !moved(r))
			continue;
		const json_t *d = json_object_get(r, "difference");
		name_row(&label[n], r);
		effect(&text[n], r);
		row[n] = (struct plot_row){buf_text(&label[n]), buf_text(&text[n]), page_number(d, "value"), page_number(d, "low"), page_number(d, "high"), page_number(d, "low") > 0 || page_number(d, "high") < 0 ? 0 : 7};
		n++;
	}
	buf_puts(p->out, "<section class=\"sensitivity\"><h2>What matters here</h2>\n<p class=\"soft\">");
	plot_escape(p->out, page_text(json_array_get(rows, 0), "measure"));
	buf_printf(p->out, ": how far each other reading of the rules moves it, one at a time, with the same dice; %d of %d change nothing in any fight</p>\n", still, (int)json_array_size(rows));
	if (more)
		rest_row(&row[n], &label[n], more);
	if (n) {
		bool exact = !strcmp(page_text(json_array_get(rows, 0), "method"), "exact");
		page_figure_begin(p, "Other readings, the strongest first", exact ? "exact" : "with 95 % intervals; grey: may be chance");
		plot_rows(p, "Other readings of the rules", row, n + (more > 0), is_average(json_array_get(rows, 0)) ? PLOT_DIFFERENCE : PLOT_DIFFERENCE_SHARE);
		page_figure_end(p);
	}
	page_table_begin(p, "The figures as a table");
	buf_puts(p->out, "<div class=\"scroll\"><table class=\"figures\"><thead><tr><th>reading</th><th>instead of</th><th class=\"n\">difference</th></tr></thead><tbody>\n");
	json_array_foreach(rows, i, r) {
		struct buf name = {0}, e = {0};
		name_row(&name, r);
		effect(&e, r);
		buf_puts(p->out, "<tr><td>");
		plot_escape(p->out, buf_text(&name));
		buf_puts(p->out, "</td><td>");
		plot_escape(p->out, page_text(r, "instead_of"));
		buf_printf(p->out, "</td><td class=\"n\" data-difference=\"%.17g\">%s</td></tr>\n", page_number(json_object_get(r, "difference"), "value"),
		           moved(r) ? buf_text(&e) : "the same in every fight");
		buf_free(&name);
		buf_free(&e);
	}
	buf_puts(p->out, "</tbody></table></div>\n");
	page_table_end(p);
	buf_puts(p->out, "</section>\n");
	buf_free(&label[ROWS_SHOWN]);
	for (int k = 0; k < n; k++) {
		buf_free(&label[k]);
		buf_free(&text[k]);
	}
}
