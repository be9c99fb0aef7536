/* plot.c - see plot.h. Lengths are those of the viewBox, 360 wide: a phone shows it as it is. */
#include "lang/api/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 360, ROW = 44, BARS_HEIGHT = 120, LINES_HEIGHT = 190, LEFT = 40, BAR_WIDEST = 48 };

void plot_escape(struct buf *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&': buf_puts(out, "&amp;"); break;
		case '<': buf_puts(out, "&lt;"); break;
		case '>': buf_puts(out, "&gt;"); break;
		case '"': buf_puts(out, "&quot;"); break;
		default:
			if ((unsigned char)*text >= 32 || *text == '\n' || *text == '\t')
				buf_putc(out, *text);
		}
}

static void begin(struct plot *p, const char *title, double height)
{
	int id = ++p->made;
	buf_printf(p->out, "<svg class=\"plot\" role=\"img\" viewBox=\"0 0 %d %.0f\" aria-labelledby=\"t%d d%d\"><title id=\"t%d\">", WIDTH, height, id, id, id);
	plot_escape(p->out, title);
	buf_printf(p->out, "</title><desc id=\"d%d\">", id);
}

/* The end of the description. */
static void begin_marks(struct plot *p)
{
	buf_puts(p->out, "</desc>\n");
}

static void end(struct plot *p)
{
	buf_puts(p->out, "</svg>\n");
}

static void text(struct plot *p, double x, double y, const char *anchor, const char *class_, const char *said)
{
	buf_printf(p->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">", x, y, anchor, class_);
	plot_escape(p->out, said);
	buf_puts(p->out, "</text>");
}

static void line(struct plot *p, double x1, double y1, double x2, double y2, const char *class_)
{
	buf_printf(p->out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>", x1, y1, x2, y2, class_);
}

/* A label that has to share its line with a number: its beginning. */
static void short_label(struct buf *out, const char *label, int most)
{
	int n = 0;
	for (const char *s = label; *s; s++) {
		n += ((unsigned char)*s & 0xc0) != 0x80;
		if (n > most && ((unsigned char)*s & 0xc0) != 0x80) {
			buf_puts(out, "\xe2\x80\xa6");
			return;
		}
		buf_putc(out, *s);
	}
}

static int columns(const char *s)
{
	int n = 0;
	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

/* ---- scales ---- */

struct scale { double from, to, step; };

/* Round numbers that hold from .. to: 1, 2 or 5 times a power of ten apart, about four of them. */
static struct scale scale_for(double from, double to)
{
	struct scale s;
	double span = to > from ? to - from : 1, raw = span / 4, power = pow(10, floor(log10(raw))), m = raw / power;
	s.step = (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10) * power;
	s.from = floor(from / s.step + 1e-9) * s.step;
	s.to = ceil((from + span) / s.step - 1e-9) * s.step;
	return s;
}

static void tick_text(struct buf *out, double v, double step, bool per_cent, bool plus)
{
	double unit = per_cent ? 100 : 1;
	int digits = step * unit >= 1 ? 0 : (int)ceil(-log10(step * unit) - 1e-9);
	if (fabs(v) < step / 1000)
		v = 0;
	buf_printf(out, plus && v > 0 ? "+%.*f%s" : "%.*f%s", digits > 6 ? 6 : digits, v * unit, per_cent ? "%" : "");
}

/* ---- figures with intervals ---- */

static struct scale rows_scale(const struct plot_row *row, int n, enum plot_axis axis)
{
	struct scale share = {0, 1, 0.25};
	double least = 0, most = 0;
	if (axis == PLOT_SHARE)
		return share;
	for (int i = 0; i < n; i++) {
		double low = isfinite(row[i].low) ? row[i].low : row[i].value, high = isfinite(row[i].high) ? row[i].high : row[i].value;
		if (isfinite(low))
			least = fmin(least, low);
		if (isfinite(high))
			most = fmax(most, high);
	}
	if (axis != PLOT_NUMBER) {
		most = fmax(most, -least);
		least = -most;
	}
	if (!(most > least))
		most = least + 1;
	return scale_for(least, most);
}

void plot_rows(struct plot *p, const char *title, const struct plot_row *row, int n, enum plot_axis axis)
{
	struct scale s = rows_scale(row, n, axis);
	double height = n * ROW + 22, left = 4, width = WIDTH - 8;
	bool per_cent = axis == PLOT_SHARE || axis == PLOT_DIFFERENCE_SHARE;
#define AT(v) (left + width * ((v) - s.from) / (s.to - s.from))
	begin(p, title, height);
	for (int i = 0; i < n; i++) {
		plot_escape(p->out, row[i].label);
		buf_puts(p->out, ": ");
		plot_escape(p->out, row[i].text);
		buf_puts(p->out, i + 1 < n ? "; " : ".");
	}
	begin_marks(p);
	for (double v = s.from; v <= s.to + s.step / 2; v += s.step) {
		struct buf b = {0};
		double x = AT(v);
		tick_text(&b, v, s.step, per_cent, axis >= PLOT_DIFFERENCE);
		line(p, x, 18, x, height - 18, fabs(v) < s.step / 1000 ? "zero" : "grid");
		text(p, x, height - 4, x < 20 ? "start" : x > WIDTH - 20 ? "end" : "middle", "tick", buf_text(&b));
		buf_free(&b);
	}
	for (int i = 0; i < n; i++) {
		double y = i * ROW, from = AT(0);
		struct buf label = {0};
		short_label(&label, row[i].label, 46 - columns(row[i].text));
		text(p, left + 4, y + 14, "start", "label", buf_text(&label));
		buf_free(&label);
		text(p, left + width, y + 14, "end", "value", row[i].text);
		if (!isfinite(row[i].value))
			continue;
		double at = AT(row[i].value);
		buf_printf(p->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" rx=\"2\" class=\"bar s%d\"/>", fmin(from, at), y + 21, fmax(fabs(at - from), 0.6),
		           row[i].colour % PLOT_COLOURS);
		if (isfinite(row[i].low) && isfinite(row[i].high) && row[i].high > row[i].low) {
			double a = AT(fmax(row[i].low, s.from)), b = AT(fmin(row[i].high, s.to));
			line(p, a, y + 27, b, y + 27, "whisker");
			line(p, a, y + 23.5, a, y + 30.5, "whisker");
			line(p, b, y + 23.5, b, y + 30.5, "whisker");
		}
		buf_puts(p->out, "\n");
	}
#undef AT
	end(p);
}

/* ---- how often each value came up ---- */

void plot_bars(struct plot *p, const char *title, const struct plot_bar *bar, int n, int colour)
{
	double height = BARS_HEIGHT + 38, most = 0, left = LEFT - 4, width = WIDTH - left - 6, top = 10;
	/* of few bars none is a block: they stand in the middle */
	double each = fmin(width / (n ? n : 1), BAR_WIDEST), gap = each > 6 ? 1.5 : 0.4, first = left + (width - each * n) / 2;
	int said = 0;
	for (int i = 0; i < n; i++)
		most = fmax(most, bar[i].share);
	struct scale s = scale_for(0, most > 0 ? most : 1);
	begin(p, title, height);
	for (int i = 0; i < n; i++) {
		if (bar[i].share <= 0)
			continue;
		buf_puts(p->out, said++ ? ", " : "");
		plot_escape(p->out, bar[i].label);
		buf_printf(p->out, " %.2f %%", bar[i].share * 100);
	}
	buf_puts(p->out, ".");
	begin_marks(p);
	for (double v = 0; v <= s.to + s.step / 2; v += s.step) {
		struct buf b = {0};
		double y = top + BARS_HEIGHT * (1 - v / s.to);
		tick_text(&b, v, s.step, true, false);
		line(p, left, y, WIDTH - 6, y, v > 0 ? "grid" : "zero");
		text(p, left - 4, y + 4, "end", "tick", buf_text(&b));
		buf_free(&b);
	}
	/* as many labels as fit: one in so many, counted from the first */
	int widest = 1;
	for (int i = 0; i < n; i++)
		widest = columns(bar[i].label) > widest ? columns(bar[i].label) : widest;
	int every = (int)ceil((widest * 6.2 + 6) / each);
	every = every < 1 ? 1 : every;
	for (int i = 0; i < n; i++) {
		double h = BARS_HEIGHT * bar[i].share / s.to, x = first + each * i;
		buf_printf(p->out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" class=\"bar s%d\"/>", x + gap / 2, top + BARS_HEIGHT - h, each - gap, h, colour % PLOT_COLOURS);
		double half = columns(bar[i].label) * 3.1, mid = x + each / 2;
		const char *anchor = mid + half > WIDTH ? "end" : "middle";
		if (i % every == 0)
			text(p, mid + half > WIDTH ? WIDTH - 1 : mid, top + BARS_HEIGHT + 15, anchor, "tick", bar[i].label);
	}
	end(p);
}

/* ---- lines ---- */

static bool numbered(const struct plot_line *l, int n)
{
	for (int k = 0; k < n; k++)
		for (int i = 0; i < l[k].n; i++)
			if (!isfinite(l[k].point[i].x))
				return false;
	return n > 0 && l[0].n > 1;
}

struct frame { struct scale x, y; double left, top, width, height; bool numbered; int points; };

static double across(const struct frame *f, const struct plot_line *l, int i)
{
	if (f->numbered)
		return f->left + f->width * (l->point[i].x - f->x.from) / (f->x.to - f->x.from);
	return f->points > 1 ? f->left + 12 + (f->width - 24) * i / (f->points - 1) : f->left + f->width / 2;
}

static double up(const struct frame *f, double v)
{
	return f->top + f->height * (1 - (fmin(fmax(v, f->y.from), f->y.to) - f->y.from) / (f->y.to - f->y.from));
}

static void draw_axes(struct plot *p, const struct frame *f, const struct plot_line *l, const char *name, bool share)
{
	for (double v = f->y.from; v <= f->y.to + f->y.step / 2; v += f->y.step) {
		struct buf b = {0};
		tick_text(&b, v, f->y.step, share, false);
		line(p, f->left, up(f, v), f->left + f->width, up(f, v), fabs(v - f->y.from) < f->y.step / 2 ? "zero" : "grid");
		text(p, f->left - 5, up(f, v) + 4, "end", "tick", buf_text(&b));
		buf_free(&b);
	}
	double y = f->top + f->height + 15;
	if (f->numbered) {
		for (double v = f->x.from; v <= f->x.to + f->x.step / 2; v += f->x.step) {
			struct buf b = {0};
			tick_text(&b, v, f->x.step, false, false);
			text(p, f->left + f->width * (v - f->x.from) / (f->x.to - f->x.from), y, "middle", "tick", buf_text(&b));
			buf_free(&b);
		}
	} else {
		double each = f->width / (f->points ? f->points : 1);
		for (int i = 0; i < f->points; i++) {
			struct buf b = {0};
			short_label(&b, l->point[i].label ? l->point[i].label : "", (int)(each / 6) > 3 ? (int)(each / 6) : 3);
			text(p, across(f, l, i), y, "middle", "tick", buf_text(&b));
			buf_free(&b);
		}
	}
	text(p, f->left + f->width / 2, y + 16, "middle", "label", name);
}

static void draw_band(struct plot *p, const struct frame *f, const struct plot_line *l, int colour)
{
	for (int i = 0; i < l->n; i++)
		if (!isfinite(l->point[i].low) || !isfinite(l->point[i].high))
			return;
	buf_printf(p->out, "<polygon class=\"band s%d\" points=\"", colour);
	for (int i = 0; i < l->n; i++)
		buf_printf(p->out, "%.1f,%.1f ", across(f, l, i), up(f, l->point[i].high));
	for (int i = l->n - 1; i >= 0; i--)
		buf_printf(p->out, "%.1f,%.1f ", across(f, l, i), up(f, l->point[i].low));
	buf_puts(p->out, "\"/>");
}

static void draw_line(struct plot *p, const struct frame *f, const struct plot_line *l, int colour)
{
	buf_printf(p->out, "<polyline class=\"line s%d\" points=\"", colour);
	for (int i = 0; i < l->n; i++)
		if (isfinite(l->point[i].value))
			buf_printf(p->out, "%.1f,%.1f ", across(f, l, i), up(f, l->point[i].value));
	buf_puts(p->out, "\"/>");
	for (int i = 0; i < l->n; i++)
		if (isfinite(l->point[i].value))
			buf_printf(p->out, "<circle class=\"dot s%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", colour, across(f, l, i), up(f, l->point[i].value));
	buf_puts(p->out, "\n");
}

void plot_lines(struct plot *p, const char *title, const char *name, const struct plot_line *l, int n, bool share)
{
	struct frame f = {{0, 1, 1}, {0, 1, 0.25}, LEFT, 8, WIDTH - LEFT - 12, LINES_HEIGHT, numbered(l, n), n ? l[0].n : 0};
	double least = 0, most = 0, first = 0, last = 1;
	for (int k = 0; k < n; k++)
		for (int i = 0; i < l[k].n; i++) {
			const struct plot_point *x = &l[k].point[i];
			if (isfinite(x->value)) {
				least = fmin(least, isfinite(x->low) ? x->low : x->value);
				most = fmax(most, isfinite(x->high) ? x->high : x->value);
			}
			first = (k == 0 && i == 0) || x->x < first ? x->x : first;
			last = (k == 0 && i == 0) || x->x > last ? x->x : last;
		}
	if (!share)
		f.y = scale_for(least, most > least ? most : least + 1);
	if (f.numbered)
		f.x = scale_for(first, last);
	begin(p, title, LINES_HEIGHT + 46);
	for (int k = 0; k < n; k++) {
		plot_escape(p->out, l[k].name);
		buf_puts(p->out, ": ");
		for (int i = 0; i < l[k].n; i++) {
			const struct plot_point *x = &l[k].point[i];
			buf_printf(p->out, share ? "%.1f %% at " : "%.3g at ", share ? x->value * 100 : x->value);
			plot_escape(p->out, x->label ? x->label : "");
			buf_puts(p->out, i + 1 < l[k].n ? ", " : ". ");
		}
	}
	begin_marks(p);
	draw_axes(p, &f, l, name, share);
	for (int k = 0; k < n; k++)
		draw_band(p, &f, &l[k], k % PLOT_COLOURS);
	for (int k = 0; k < n; k++)
		draw_line(p, &f, &l[k], k % PLOT_COLOURS);
	end(p);
	if (n > 1) {
		buf_puts(p->out, "<p class=\"legend\">");
		for (int k = 0; k < n; k++) {
			buf_printf(p->out, "<span><i class=\"s%d\"></i>", k % PLOT_COLOURS);
			plot_escape(p->out, l[k].name);
			buf_puts(p->out, "</span> ");
		}
		buf_puts(p->out, "</p>\n");
	}
}
