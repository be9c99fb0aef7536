/* forks.c - two courses of a fight beside each other: where they part, by what, and how likely
 * things are from where each of them stands. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/lines.h"
#include "lang/api/odds.h"
#include "lang/api/session.h"

/* A course as it is told, each event on a line. */
struct course {
	const char *name;
	char *place;          /* owned */
	struct told_lines told;
};

static void course_take(struct fray *f, const char *name, struct course *c)
{
	memset(c, 0, sizeof *c);
	c->name = name;
	session_switch(f, name);
	c->place = strdup(session_place(f));
	if (!c->place)
		abort();
	lines_take(&c->told, f->program, vm_trace(f->vm), 0);
}

static void course_free(struct course *c)
{
	lines_free(&c->told);
	free(c->place);
}

/* What was typed on one course and not on the other. */
static void tell_typed(struct fray *f, const struct course *c, int fork, int from)
{
	const struct timeline *t = &f->session.fork.v[fork].line;
	for (int i = from; i < t->at; i++) {
		struct buf text = {0};
		if (!session_entry_text(f, &t->entry.v[i], &text)) {
			buf_free(&text);
			continue;
		}
		fray_writef(f, FRAY_NAME, "  %s: ", c->name);
		fray_writef(f, FRAY_PLAIN, "%s\n", buf_text(&text));
		buf_free(&text);
	}
}

static int wider(const struct course *a, const struct course *b)
{
	size_t n = strlen(a->name), k = strlen(b->name);
	return (int)(n > k ? n : k);
}

static void tell_first(struct fray *f, struct course *c, int i, int wide)
{
	fray_writef(f, FRAY_NAME, "  %-*s  ", wide, c->name);
	if (i >= c->told.line.n) {
		fray_writef(f, FRAY_DIM, "stands here: %s\n", c->place);
		return;
	}
	fray_writef(f, FRAY_TIME, "%s  ", buf_text(&c->told.line.v[i].moment));
	fray_wrap(f, buf_text(&c->told.line.v[i].text), wide + 6 + (int)c->told.line.v[i].moment.length, wide + 6);
}

static void tell_parting(struct fray *f, struct course *a, struct course *b, const int fork[2])
{
	int same = 0, from = session_same_entries(f, fork[0], fork[1]);
	while (same < a->told.line.n && same < b->told.line.n && lines_same(&a->told.line.v[same], &b->told.line.v[same]))
		same++;
	bool alike = same == a->told.line.n && same == b->told.line.n;
	if (alike)
		fray_writef(f, FRAY_PLAIN, "%s and %s tell the same so far.\n", a->name, b->name);
	else if (same == 0)
		fray_writef(f, FRAY_PLAIN, "%s and %s part at once.\n", a->name, b->name);
	else
		fray_writef(f, FRAY_PLAIN, "%s and %s part after %s.\n", a->name, b->name, buf_text(&a->told.line.v[same - 1].moment));
	tell_typed(f, a, fork[0], from);
	tell_typed(f, b, fork[1], from);
	if (!alike) {
		tell_first(f, a, same, wider(a, b));
		tell_first(f, b, same, wider(a, b));
	}
	fray_writef(f, FRAY_DIM, "Now %s: %s; %s: %s.\n", a->name, a->place, b->name, b->place);
}

enum fray_status forks_compare(struct fray *f, const struct node *n)
{
	const char *name[2] = {model_text(&f->model, n->name), model_text(&f->model, n->name2)};
	struct course course[2];
	int fork[2];
	uint64_t revision = f->revision; /* nothing is changed by looking */
	for (int k = 0; k < 2; k++) {
		fork[k] = session_fork_named(f, name[k]);
		if (fork[k] < 0)
			return session_no_fork(f, k ? n->span : n->at, name[k]);
	}
	char *here = strdup(f->session.fork.v[f->session.current].name);
	if (!here)
		abort();
	/* names are lent by a model that switching makes anew */
	for (int k = 0; k < 2; k++)
		name[k] = f->session.fork.v[fork[k]].name;
	for (int k = 0; k < 2; k++)
		course_take(f, name[k], &course[k]);
	session_switch(f, here);
	tell_parting(f, &course[0], &course[1], fork);
	for (int k = 0; k < 2; k++)
		course_free(&course[k]);
	enum fray_status s = odds_of_forks(f, n->b, name);
	session_switch(f, here);
	free(here);
	f->revision = revision;
	return s;
}
