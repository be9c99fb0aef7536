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
}

void comparison_free(struct comparison *c)
{
	for (int i = 0; i < c->rows; i++) {
		for (int s = 0; s < c->systems; s++)
			free(c->row[i].cell[s].time);
		free(c->row[i].cell);
		free(c->row[i].what);
		free(c->row[i].actor);
	}
	free(c->row);
	comparison_init(c, 0);
}

static int row_find(const struct comparison *c, int round, const char *what, int nth)
{
	for (int i = 0; i < c->rows; i++)
		if (c->row[i].round == round && c->row[i].nth == nth && !strcmp(c->row[i].what, what))
			return i;
	return -1;
}

static int row_insert(struct comparison *c, int at, int round, const char *what, int nth, const char *actor)
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
	r->what = needed(strdup(what));
	r->actor = needed(strdup(actor));
	r->cell = needed(calloc((size_t)c->systems, sizeof *r->cell));
	return at;
}

/* Hits, misses and damage belong to the blow above them; what names its actor stands alone. */
static bool stands_alone(json_t *o)
{
	const char *kind = json_string_value(json_object_get(o, "kind"));
	const char *outcome = json_string_value(json_object_get(o, "outcome"));
	const char *told = json_string_value(json_object_get(o, "told"));
	const char *actor = json_string_value(json_object_get(o, "actor"));
	return kind && outcome && told && actor && !strcmp(kind, "event") && !strcmp(outcome, "done") && strstr(told, actor);
}

struct reading {
	int round, group, place;
	int last; /* the row of the event before, or -1 */
};

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
		at = row_insert(c, at, round, what, nth, json_string_value(json_object_get(o, "actor")));
	}
	c->row[at].cell[system].place = r->place;
	c->row[at].cell[system].time = time ? needed(strdup(time)) : NULL;
	r->last = at;
}

bool comparison_add(struct comparison *c, int system, const char *log)
{
	struct reading r = {-1, -1, 0, -1};
	while (*log) {
		size_t n = strcspn(log, "\n");
		json_error_t error;
		json_t *o = n ? json_loadb(log, n, 0, &error) : NULL;
		if (n && !o)
			return false;
		if (o && stands_alone(o))
			take_event(c, system, o, &r);
		json_decref(o);
		log += n + (log[n] == '\n');
	}
	return true;
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
