/* page.h - the report as a page: answers as odds_object makes them, told with plots and tables. */
#ifndef FRAY_API_PAGE_H
#define FRAY_API_PAGE_H

#include <jansson.h>

#include "lang/api/plot.h"

/* One answer, or several that belong together, as they were kept: objects with "as", "asked",
 * "at", "odds" and "sides", which has each side and combatant by name with its side's place. */
void page_usual(struct plot *p, const json_t *kept);
void page_alone(struct plot *p, const json_t *kept);
void page_sweep(struct plot *p, json_t *const *kept, int n);
void page_compare(struct plot *p, json_t *const *kept, int n);
/* Rows of --sensitivity; what odds_deeds found, and `sides` as in an answer kept. */
void page_sensitivity(struct plot *p, const json_t *rows);
void page_deeds(struct plot *p, const json_t *deeds, const json_t *sides);

/* How an answer was found: "sampled: 10,000 fights, seed 1". */
void page_method(struct buf *out, const json_t *odds);
/* "64.9 %" of a measure, never a bare nothing or all of a sample. */
void page_figure(struct buf *out, const json_t *measure, bool exact);

extern const char page_style[];

/* ---- among the files page*.c ---- */

enum { VARIANTS_MAX = 64 };

/* The same measures asked of several fights: branches, steps, rules. */
struct variant { const char *name; const json_t *measures; bool exact; double at; };
struct variants { struct variant v[VARIANTS_MAX]; int n; };
void page_variants(struct variants *x, const json_t *odds, double at);
const json_t *page_measure(const struct variants *x, int variant, size_t i);

/* The colour of the side that a measure is about ("party wins", "orc #1's hit points"), or that
 * somebody is on; 0 when the name begins with nobody's. */
int page_colour(const json_t *sides, const char *name);

/* A member as a number (NAN: there is none), as text (""). */
double page_number(const json_t *o, const char *key);
const char *page_text(const json_t *o, const char *key);
bool page_is(const json_t *measure, const char *kind);
bool page_is_exact(const json_t *odds);
void page_interval(struct buf *out, const json_t *measure, bool exact);
void page_difference(struct buf *out, const json_t *measure, bool exact);

void page_figure_begin(struct plot *p, const char *caption, const char *small);
void page_figure_end(struct plot *p);
/* Cells of a table: a figure, its interval, its difference. */
void page_cells(struct buf *out, const json_t *m, bool exact, bool differences);
void page_table_begin(struct plot *p, const char *summary);
void page_table_end(struct plot *p);
void page_method_line(struct plot *p, const json_t *odds);
void page_asked(struct plot *p, const json_t *kept);

#endif
