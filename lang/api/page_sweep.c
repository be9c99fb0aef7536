/* page_sweep.c - the steps of a sweep as lines, with bands for their intervals. */
#include "lang/api/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "Bruna's hit points = 16": what is swept, and to what. */
static const char *swept(const char *step, struct buf *name)
{
	const char *is = NULL;
	for (const char *s = strstr(step, " = "); s; s = strstr(s + 3, " = "))
		is = s;
	buf_add(name, step, is ? (size_t)(is - step) : strlen(step));
	return is ? is + 3 : step;
}

/* The lines of measures first .. last of the answers kept: one a measure and branch. */
static void sweep_figure(struct plot *p, const struct variants *step, int steps, int branches, size_t first, size_t last, const char *title, json_t *const *kept)
{
	struct buf across = {0};
	struct plot_line *line = calloc((last - first + 1) * (size_t)branches, sizeof *line);
	struct buf *name = calloc((last - first + 1) * (size_t)branches, sizeof *name);
	int n = 0;
	if (!line || !name)
		abort();
	for (size_t i = first; i <= last; i++)
		for (int b = 0; b < branches; b++, n++) {
			buf_printf(&name[n], "%s%s%s", last > first || branches == 1 ? page_text(page_measure(&step[0], b, i), "name") : "", last > first && branches > 1 ? ": " : "", step[0].v[b].name);
			line[n].name = buf_text(&name[n]);
			line[n].n = steps;
			line[n].point = calloc((size_t)steps, sizeof *line[n].point);
			if (!line[n].point)
				abort();
			for (int k = 0; k < steps; k++) {
				const json_t *m = page_measure(&step[k], b, i);
				buf_clear(&across);
				line[n].point[k] = (struct plot_point){step[k].v[b].at, page_number(m, "value"), page_number(m, "low"), page_number(m, "high"),
				                                       swept(page_text(json_object_get(kept[k], "odds"), "step"), &across)};
			}
		}
	page_figure_begin(p, title, "");
	plot_lines(p, title, buf_text(&across), line, n, page_is(page_measure(&step[0], 0, first), "chance"));
	page_figure_end(p);
	for (int i = 0; i < n; i++) {
		free(line[i].point);
		buf_free(&name[i]);
	}
	free(line);
	free(name);
	buf_free(&across);
}

static void sweep_table(struct plot *p, const struct variants *step, int steps, int branches, json_t *const *kept)
{
	struct buf *out = p->out;
	size_t n = json_array_size(step[0].v[0].measures);
	page_table_begin(p, "The figures as a table");
	buf_puts(out, "<div class=\"scroll\"><table class=\"figures\"><thead><tr><th>step</th><th>measure</th>");
	if (branches > 1)
		buf_puts(out, "<th>branch</th>");
	buf_puts(out, "<th class=\"n\">figure</th><th class=\"n\">interval</th></tr></thead><tbody>\n");
	for (int k = 0; k < steps; k++)
		for (size_t i = 0; i < n; i++)
			for (int b = 0; b < branches; b++) {
				const json_t *m = page_measure(&step[k], b, i);
				buf_puts(out, "<tr><td>");
				plot_escape(out, page_text(json_object_get(kept[k], "odds"), "step"));
				buf_puts(out, "</td><td>");
				plot_escape(out, page_text(m, "name"));
				buf_puts(out, "</td>");
				if (branches > 1) {
					buf_puts(out, "<td>");
					plot_escape(out, step[k].v[b].name);
					buf_puts(out, "</td>");
				}
				page_cells(out, m, step[k].v[b].exact, false);
				buf_puts(out, "</tr>\n");
			}
	buf_puts(out, "</tbody></table></div>\n");
	page_table_end(p);
}

void page_sweep(struct plot *p, json_t *const *kept, int n)
{
	struct variants *step = calloc((size_t)n, sizeof *step);
	struct buf what = {0};
	if (!step)
		abort();
	for (int k = 0; k < n; k++) {
		const json_t *at = json_object_get(kept[k], "at");
		page_variants(&step[k], json_object_get(kept[k], "odds"), json_is_number(at) ? json_number_value(at) : NAN);
	}
	int branches = step[0].n;
	size_t measures = json_array_size(step[0].v[0].measures), chances = 0;
	const char *unused = swept(page_text(json_object_get(kept[0], "odds"), "step"), &what);
	(void)unused;
	buf_puts(p->out, "<section class=\"sweep\"><h2>If ");
	plot_escape(p->out, buf_text(&what));
	buf_puts(p->out, " were different</h2>\n");
	page_asked(p, kept[0]);
	buf_puts(p->out, "<div class=\"grid\">\n");
	while (chances < measures && page_is(page_measure(&step[0], 0, chances), "chance"))
		chances++;
	/* chances of one fight share a plot while their colours last */
	bool together = branches == 1 && chances > 1 && chances <= PLOT_COLOURS;
	if (together)
		sweep_figure(p, step, n, branches, 0, chances - 1, "How likely", kept);
	for (size_t i = together ? chances : 0; i < measures; i++)
		if (isfinite(page_number(page_measure(&step[0], 0, i), "value"))) {
			struct buf title = {0};
			buf_printf(&title, "%s%s", page_text(page_measure(&step[0], 0, i), "name"), page_is(page_measure(&step[0], 0, i), "chance") ? "" : ", on average");
			sweep_figure(p, step, n, branches, i, i, buf_text(&title), kept);
			buf_free(&title);
		}
	buf_puts(p->out, "</div>\n");
	sweep_table(p, step, n, branches, kept);
	page_method_line(p, json_object_get(kept[0], "odds"));
	buf_puts(p->out, "</section>\n");
	buf_free(&what);
	free(step);
}
