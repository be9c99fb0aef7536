/* plot.h - plots as SVG that stands in a page: small enough for a phone, in the page's own
 * colours (classes s0 .. s7), each with a title and a description in words. */
#ifndef FRAY_API_PLOT_H
#define FRAY_API_PLOT_H

#include <stdbool.h>

#include "runtime/base/buf.h"

enum { PLOT_COLOURS = 8 };

/* Text with &, <, > and quotes written so that it is text. */
void plot_escape(struct buf *out, const char *text);

struct plot {
	struct buf *out;
	int made;             /* plots so far: each has ids of its own */
};

enum plot_axis { PLOT_SHARE, PLOT_NUMBER, PLOT_DIFFERENCE, PLOT_DIFFERENCE_SHARE };

/* A figure with its interval; low and high may be NAN. `text` is the figure as told. */
struct plot_row { const char *label, *text; double value, low, high; int colour; };
void plot_rows(struct plot *p, const char *title, const struct plot_row *row, int n, enum plot_axis axis);

/* How often each value came up, in the order given. */
struct plot_bar { const char *label; double share; };
void plot_bars(struct plot *p, const char *title, const struct plot_bar *bar, int n, int colour);

/* Figures over x, with bands between low and high. Without numbers (`label` given) the x of
 * point i is i. */
struct plot_point { double x, value, low, high; const char *label; };
struct plot_line { const char *name; struct plot_point *point; int n; };
void plot_lines(struct plot *p, const char *title, const char *across, const struct plot_line *line, int n, bool share);

#endif
