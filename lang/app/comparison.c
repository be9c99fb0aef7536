/* comparison.c - see comparison.h. */
#include "lang/app/comparison.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "lang/app/host.h"

static void *needed(void *p)
{
	if (!p) {
		complain("there is not enough memory.");
		exit(EXIT_STOPPED);
	}
	return p;
}

void comparison_init(struct comparison *c, int systems)
{
	memset(c, 0, sizeof *c);
	c->systems = systems;
	c->end = systems ? needed(calloc((size_t)systems, sizeof *c->end)) : NULL;
}

static char *copy(const char *text)
{
	return text ? needed(strdup(text)) : NULL;
}

static void row_free(const struct comparison *c, struct row *r)
{
	for (int s = 0; s < c->systems; s++)
		free(r->cell[s].time);
	free(r->cell);
	free(r->what);
	free(r->actor);
	free(r->deed);
	free(r->target);
}

void comparison_free(struct comparison *c)
{
	for (int i = 0; i < c->rows; i++)
		row_free(c, &c->row[i]);
	free(c->row);
	for (int i = 0; i < c->refusals; i++) {
		free(c->refusal[i].actor);
		free(c->refusal[i].deed);
		free(c->refusal[i].target);
		free(c->refusal[i].told);
	}
	free(c->refusal);
	free(c->end);
	comparison_init(c, 0);
}

static int row_find(const struct comparison *c, int round, const char *what, int nth)
{
	for (int i = 0; i < c->rows; i++)
		if (c->row[i].round == round && c->row[i].nth == nth && !strcmp(c->row[i].what, what))
			return i;
	return -1;
}

static const char *member(json_t *o, const char *name)
{
	return json_string_value(json_object_get(o, name));
}

static int row_insert(struct comparison *c, int at, int round, int nth, json_t *o)
{
	if (c->rows == c->room) {
		c->room = c->room ? 2 * c->room : 64;
		c->row = needed(realloc(c->row, (size_t)c->room * sizeof *c->row));
	}
	memmove(c->row + at + 1, c->row + at, (size_t)(c->rows - at) * sizeof *c->row);
	c->rows++;
	struct row *r = &c->row[at];
	r->round = round;
	r->nth = nth;
	r->what = copy(member(o, "told"));
	r->actor = copy(member(o, "actor"));
	r->deed = copy(member(o, "event"));
	r->target = copy(member(o, "target"));
	r->cell = needed(calloc((size_t)c->systems, sizeof *r->cell));
	return at;
}

struct reading {
	int round, group, place;
	int last;        /* the row of the event before, or -1 */
	json_t *filler;  /* what who does for want of a line: actor -> action */
};

/* Hits, misses and damage belong to the blow above them; what names its actor stands alone. */
static bool stands_alone(json_t *o, const struct reading *r)
{
	const char *kind = member(o, "kind"), *outcome = member(o, "outcome"), *told = member(o, "told"), *actor = member(o, "actor");
	if (!kind || !outcome || !told || !actor || strcmp(kind, "event") || strcmp(outcome, "done") || !strstr(told, actor))
		return false;
	const char *filler = member(r->filler, actor);
	return json_object_get(o, "group") && !(filler && !strcmp(filler, member(o, "event")));
}

/* What the script declares says how far the comparison goes; what nobody declares is no row. */
static void take_line(struct comparison *c, json_t *o, struct reading *r)
{
	const char *by = member(o, "by"), *actor = member(o, "actor"), *deed = member(o, "deed");
	int round = (int)json_integer_value(json_object_get(o, "round"));
	if (!by || !actor || !deed)
		return;
	if (!strcmp(by, "script") && round > c->declared)
		c->declared = round;
	if (!strcmp(by, "default"))
		json_object_set_new(r->filler, actor, json_string(deed));
	else
		json_object_del(r->filler, actor);
}

static void take_refusal(struct comparison *c, int system, json_t *o)
{
	if (!member(o, "actor") || !member(o, "deed"))
		return;
	if (c->refusals == c->refusal_room) {
		c->refusal_room = c->refusal_room ? 2 * c->refusal_room : 16;
		c->refusal = needed(realloc(c->refusal, (size_t)c->refusal_room * sizeof *c->refusal));
	}
	c->refusal[c->refusals++] = (struct refusal){system, (int)json_integer_value(json_object_get(o, "round")),
	                                             copy(member(o, "actor")), copy(member(o, "deed")), copy(member(o, "target")), copy(member(o, "told")), false};
}

static void take_event(struct comparison *c, int system, json_t *o, struct reading *r)
{
	const char *what = json_string_value(json_object_get(o, "told"));
	const char *time = json_string_value(json_object_get(o, "time"));
	int round = (int)json_integer_value(json_object_get(o, "round"));
	int group = (int)json_integer_value(json_object_get(o, "group"));
	if (round != r->round) {
		r->round = round;
		r->place = 0;
		r->group = -1;
	}
	if (group != r->group || r->place == 0) {
		r->group = group;
		r->place++;
	}
	int nth = 1, at;
	while ((at = row_find(c, round, what, nth)) >= 0 && c->row[at].cell[system].place)
		nth++;
	if (at < 0) {
		/* below what came before it here, and below what has been put there already */
		at = r->last + 1;
		if (r->last < 0 || c->row[r->last].round != round)
			for (at = 0; at < c->rows && c->row[at].round < round; at++)
				;
		at = row_insert(c, at, round, nth, o);
	}
	c->row[at].cell[system].id = (int)json_integer_value(json_object_get(o, "id"));
	c->row[at].cell[system].place = r->place;
	c->row[at].cell[system].time = copy(time);
	r->last = at;
}

bool comparison_add(struct comparison *c, int system, const char *log)
{
	struct reading r = {-1, -1, 0, -1, needed(json_object())};
	bool good = true;
	while (*log && good) {
		size_t n = strcspn(log, "\n");
		json_error_t error;
		json_t *o = n ? json_loadb(log, n, 0, &error) : NULL;
		const char *kind = member(o, "kind");
		good = !n || kind;
		if (kind && !strcmp(kind, "declare"))
			take_line(c, o, &r);
		else if (kind && !strcmp(kind, "refused"))
			take_refusal(c, system, o);
		else if (kind && !strcmp(kind, "outcome"))
			c->end[system] = strcmp(member(o, "outcome"), "over") ? 0 : (int)json_integer_value(json_object_get(o, "round"));
		else if (o && stands_alone(o, &r))
			take_event(c, system, o, &r);
		json_decref(o);
		log += n + (log[n] == '\n');
	}
	json_decref(r.filler);
	return good;
}

static int order(const struct cell *one, const struct cell *other, int system)
{
	return (one[system].place > other[system].place) - (one[system].place < other[system].place);
}

bool comparison_part(const struct comparison *c, int a, int b, int *first, int *second)
{
	for (int i = 0; i < c->rows; i++)
		for (int k = i + 1; k < c->rows && c->row[k].round == c->row[i].round; k++) {
			const struct cell *x = c->row[i].cell, *y = c->row[k].cell;
			bool both = x[a].place && x[b].place && y[a].place && y[b].place;
			/* an actor's own acts follow each other under any rules */
			if (both && strcmp(c->row[i].actor, c->row[k].actor) && order(x, y, a) != order(x, y, b)) {
				*first = i;
				*second = k;
				return true;
			}
		}
	return false;
}

int comparison_order(const struct comparison *c, int system, int one, int other)
{
	return order(c->row[one].cell, c->row[other].cell, system);
}

int comparison_only(const struct comparison *c, int a, int b)
{
	for (int i = 0; i < c->rows; i++)
		if (!c->row[i].cell[a].place != !c->row[i].cell[b].place)
			return i;
	return -1;
}

/* ---- the marks ---- */

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static void mark_refusals(struct comparison *c)
{
	for (int i = 0; i < c->refusals; i++) {
		struct refusal *f = &c->refusal[i];
		for (int k = 0; k < c->rows; k++) {
			struct row *r = &c->row[k];
			if (r->round == f->round && r->nth == 1 && !r->cell[f->system].place && same(r->actor, f->actor) && same(r->deed, f->deed) && same(r->target, f->target))
				f->shown = r->cell[f->system].refused = true;
		}
	}
}

static bool follows(const struct cell *x, const struct cell *y, int system)
{
	return (x[0].place == y[0].place && x[system].place == y[system].place) ||
	       (x[0].place < y[0].place && x[system].place < y[system].place);
}

/* In the order of the first system's places, then of this one's. */
static void sort_rows(const struct comparison *c, int *row, int n, int system)
{
	for (int i = 1; i < n; i++)
		for (int k = i; k > 0; k--) {
			const struct cell *x = c->row[row[k - 1]].cell, *y = c->row[row[k]].cell;
			if (x[0].place < y[0].place || (x[0].place == y[0].place && x[system].place <= y[system].place))
				break;
			int t = row[k];
			row[k] = row[k - 1];
			row[k - 1] = t;
		}
}

/* The longest line of rows that both systems agree on stays where it is; the others moved. */
static void mark_moved(struct comparison *c, int from, int to, int system)
{
	int *row = needed(calloc((size_t)(3 * (to - from) + 1), sizeof *row)), n = 0, best = -1;
	int *length = row + (to - from), *before = length + (to - from);
	for (int i = from; i < to; i++)
		if (c->row[i].cell[0].place && c->row[i].cell[system].place)
			row[n++] = i;
	sort_rows(c, row, n, system);
	for (int i = 0; i < n; i++) {
		length[i] = 1;
		before[i] = -1;
		for (int k = 0; k < i; k++)
			if (length[k] + 1 > length[i] && follows(c->row[row[k]].cell, c->row[row[i]].cell, system)) {
				length[i] = length[k] + 1;
				before[i] = k;
			}
		if (best < 0 || length[i] > length[best])
			best = i;
		c->row[row[i]].cell[system].moved = true;
	}
	for (; best >= 0; best = before[best])
		c->row[row[best]].cell[system].moved = false;
	free(row);
}

void comparison_finish(struct comparison *c, int rounds)
{
	while (c->rows && c->row[c->rows - 1].round > rounds)
		row_free(c, &c->row[--c->rows]);
	mark_refusals(c);
	for (int from = 0, to; from < c->rows; from = to) {
		for (to = from; to < c->rows && c->row[to].round == c->row[from].round; to++)
			;
		for (int s = 1; s < c->systems; s++)
			mark_moved(c, from, to, s);
	}
}

bool comparison_differs(const struct comparison *c, int row)
{
	const struct cell *x = c->row[row].cell;
	for (int s = 1; s < c->systems; s++)
		if (x[s].moved || !x[0].place != !x[s].place)
			return true;
	return false;
}
