/* comparison_table.c - the rows of a comparison as a table, as wide as the screen allows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/app/comparison.h"
#include "lang/app/host.h"

enum { CELL_MAX = 64, LABEL_MAX = 256, GAP = 2 };

static const char OVER[] = "the fight is over in round";

struct table {
	const struct comparison *c;
	const char *const *name;
	struct host *out;
	int *width;    /* of each column */
	int label;     /* of the first */
	bool times;    /* there is room for "segment 4" beside the places */
};

static void label_text(const struct row *r, char *out, size_t room)
{
	snprintf(out, room, r->nth > 1 ? "%s (%d)" : "%s", r->what, r->nth);
}

static void cell_text(const struct table *t, const struct cell *x, char *out, size_t room)
{
	const char *star = x->moved ? "*" : "";
	if (!x->place)
		snprintf(out, room, "%s", x->refused ? "refused" : "-");
	else if (x->time && t->times)
		snprintf(out, room, "%d%s%*s %s", x->place, star, x->place < 10 && !*star, "", x->time);
	else
		snprintf(out, room, "%d%s", x->place, star);
}

/* Widths of the columns; the whole table's. */
static int measure(struct table *t)
{
	char text[CELL_MAX], what[LABEL_MAX];
	const struct comparison *c = t->c;
	t->label = (int)strlen(OVER);
	for (int i = 0; i < c->rows; i++) {
		label_text(&c->row[i], what, sizeof what);
		if ((int)strlen(what) > t->label)
			t->label = (int)strlen(what);
	}
	int all = t->label;
	for (int s = 0; s < c->systems; s++) {
		t->width[s] = (int)strlen(t->name[s]);
		for (int i = 0; i < c->rows; i++) {
			cell_text(t, &c->row[i].cell[s], text, sizeof text);
			if ((int)strlen(text) > t->width[s])
				t->width[s] = (int)strlen(text);
		}
		all += GAP + t->width[s];
	}
	return all;
}

static void put(const struct table *t, enum fray_style style, const char *text, int width)
{
	host_write(t->out, style, text);
	printf("%*s", width > (int)strlen(text) ? width - (int)strlen(text) : 0, "");
}

/* A line: its label, and a text for each system; no blanks at the end. */
static void line(const struct table *t, enum fray_style label, const char *what, enum fray_style style, char (*text)[CELL_MAX])
{
	put(t, label, what, t->label + GAP);
	for (int s = 0; s < t->c->systems; s++)
		put(t, style, text[s], s + 1 < t->c->systems ? t->width[s] + GAP : 0);
	putchar('\n');
}

void comparison_print(const struct comparison *c, const char *const *name, struct host *out)
{
	struct table t = {c, name, out, calloc((size_t)c->systems, sizeof *t.width), 0, true};
	char(*text)[CELL_MAX] = calloc((size_t)c->systems, sizeof *text);
	char what[LABEL_MAX];
	int round = -1;
	bool moved = false, refused = false;
	if (!t.width || !text)
		abort();
	if (measure(&t) > out->width && out->width > 0) {
		t.times = false;
		measure(&t);
	}
	for (int i = 0; i < c->rows; i++) {
		const struct row *r = &c->row[i];
		if (r->round != round) {
			char heading[CELL_MAX];
			round = r->round;
			snprintf(heading, sizeof heading, round ? "round %d" : "before the first round", round);
			for (int s = 0; s < c->systems; s++)
				snprintf(text[s], sizeof text[s], "%s", name[s]);
			line(&t, FRAY_HEADING, heading, FRAY_HEADING, text);
		}
		for (int s = 0; s < c->systems; s++) {
			cell_text(&t, &r->cell[s], text[s], sizeof text[s]);
			moved |= r->cell[s].moved;
			refused |= r->cell[s].refused;
		}
		label_text(r, what, sizeof what);
		line(&t, comparison_differs(c, i) ? FRAY_NAME : FRAY_PLAIN, what, FRAY_TIME, text);
	}
	for (int s = 0; s < c->systems; s++)
		snprintf(text[s], sizeof text[s], c->end[s] ? "%d" : "-", c->end[s]);
	if (c->rows)
		line(&t, FRAY_PLAIN, OVER, FRAY_TIME, text);
	if (c->rows)
		printf("1, 2, ..: the place in the order of the round; those with one number act together\n");
	if (moved)
		printf("* has a different place in the order than under %s\n", name[0]);
	if (refused)
		printf("refused: declared, but not allowed there\n");
	free(text);
	free(t.width);
}
