/* timeline.c - each round as a picture.
 *
 * Marks come from the records alone: an act performed is `x`; an act whose event left another
 * act of the same actor pending lasts from `[` to that act, `*`; if that one is cancelled the
 * span ends in `!`; an act that came to nothing is `o`. Below the acts, a row of `=` is a condition
 * while it lasts. */
#include <stdlib.h>
#include <string.h>

#include "runtime/explain/ink.h"
#include "runtime/explain/log.h"
#include "runtime/explain/timeline.h"

enum { CELL = 3, SPOTS_MOST = 20000, BELOW_MOST = 20 /* counts before the first that are drawn */ };
#define NOWHERE INT64_MIN

struct spot {
	int32_t round;
	word who;
	int64_t column;
	char mark;
	int32_t act;      /* the act it waits for, -1 */
	bool continues;   /* a span that ends in this round began in an earlier one */
	int64_t from;     /* column of the span's beginning, NOWHERE */
	int32_t what;     /* record that names the span */
};

/* Somebody is in a condition: from a column of a round to one of another. */
struct state {
	int field;
	word who;
	int32_t round, until;  /* until INT32_MAX: it still lasts */
	int64_t column, over;  /* NOWHERE: before the acts of the round */
};

struct timeline {
	struct log log;
	struct ink ink;
	VEC(struct spot) spot;
	VEC(struct state) state; /* conditions, in the order in which they began */
	VEC(struct untimed { int32_t round; word who; }) untimed; /* acts that a clock has no place for */
	bool clock;       /* the round being looked at is drawn by the clock, else in the order of its acts */
	int64_t first;    /* column of the round being drawn */
};

static int64_t column_of(const struct timeline *tl, int32_t record, int32_t first_group)
{
	const struct record *r = log_at(&tl->log, record);
	if (!tl->clock)
		return r->group >= 0 ? r->group - first_group + 1 : 0;
	int64_t column;
	word start = log_start(&tl->log, record);
	/* counts may go below one; what happened before any act of the round has no place in it */
	if ((r->time != NONE && start != NONE && r->time < start && r->group <= 0) || !program_column(tl->log.p, r->time, start, &column) || column < -BELOW_MOST)
		return NOWHERE;
	return column;
}

/* True if an event is an act's outermost one. */
static bool is_act(const struct timeline *tl, const struct record *r)
{
	if (r->kind != REC_EVENT || r->act < 0 || r->dropped)
		return false;
	const struct record *above = log_at(&tl->log, r->parent);
	return !above || above->kind != REC_EVENT || above->act != r->act;
}

/* True if an event, or one below it in the same act, is told: waiting is not. */
static bool is_told(const struct timeline *tl, int32_t event, int depth)
{
	const struct record *r = log_at(&tl->log, event);
	if (r->text >= 0)
		return true;
	for (int32_t i = log_child(&tl->log, event); i >= 0 && depth < 64; i = log_sibling(&tl->log, i)) {
		const struct record *x = log_at(&tl->log, i);
		if (x->kind == REC_EVENT && !x->dropped && x->act == r->act && is_told(tl, i, depth + 1))
			return true;
	}
	return false;
}

static struct spot *waiting_for(struct timeline *tl, int32_t act)
{
	for (int i = tl->spot.n - 1; i >= 0; i--)
		if (tl->spot.v[i].act == act)
			return &tl->spot.v[i];
	return NULL;
}

static void spot_add(struct timeline *tl, int32_t record, int64_t column, char mark, word who)
{
	const struct record *r = log_at(&tl->log, record);
	if (who == NONE || column == NOWHERE || tl->spot.n >= SPOTS_MOST)
		return;
	struct spot s = {r->round, who, column, mark, -1, false, NOWHERE, record};
	VEC_PUSH(tl->spot, s);
}

/* The act a span waited for was performed, cancelled or void. */
static bool span_ends(struct timeline *tl, int32_t record, int32_t act, int64_t column, char mark)
{
	struct spot *begun = act >= 0 ? waiting_for(tl, act) : NULL;
	if (!begun)
		return false;
	begun->act = -1;
	struct spot end = {log_at(&tl->log, record)->round, begun->who, column, mark, -1, false, begun->column, begun->what};
	if (begun->round != end.round) {
		end.continues = true;
		end.from = 0;
	}
	if (column != NOWHERE && tl->spot.n < SPOTS_MOST)
		VEC_PUSH(tl->spot, end);
	return true;
}

/* Have most acts of the round that begins here their place on the clock? Letters and places by speed have none: such
 * a round is drawn in the order of its acts. */
static bool by_clock(struct timeline *tl, int32_t from)
{
	const int32_t round = log_at(&tl->log, from)->round;
	if (tl->log.p->shown_unit < 0 || tl->log.p->shown_unit >= tl->log.p->units)
		return false;
	int placed = 0;
	tl->clock = true;
	for (int32_t i = from; i < tl->log.n; i++) {
		const struct record *r = log_at(&tl->log, i);
		if (r->round != round)
			break;
		if (is_act(tl, r) && r->flag != EVENT_VOIDED && is_told(tl, i, 0))
			placed += column_of(tl, i, 1) == NOWHERE ? -1 : 1;
	}
	return placed >= 0;
}

static void spots_find(struct timeline *tl)
{
	int32_t first_group = 1, round = -1, looked = -1;
	for (int32_t i = 0; i < tl->log.n; i++) {
		const struct record *r = log_at(&tl->log, i);
		if (r->round != looked) {
			looked = r->round;
			first_group = 1;
			round = -1;
			tl->clock = by_clock(tl, i);
		}
		r = log_at(&tl->log, i);
		if (r->dropped)
			continue;
		if (r->kind == REC_GROUP && r->round != round) {
			round = r->round;
			first_group = r->group;
		}
		int64_t column = column_of(tl, i, first_group);
		if (is_act(tl, r)) {
			/* what became of it is said by its VOID, which follows */
			if (r->flag == EVENT_VOIDED)
				continue;
			if (!span_ends(tl, i, r->act, column, '*') && is_told(tl, i, 0)) {
				const struct untimed u = {r->round, log_actor(&tl->log, r)};
				if (column == NOWHERE && u.who != NONE && tl->untimed.n < SPOTS_MOST)
					VEC_PUSH(tl->untimed, u);
				spot_add(tl, i, column, 'x', u.who);
			}
		} else if (r->kind == REC_PEND && r->parent >= 0) {
			const struct record *event = log_at(&tl->log, r->parent);
			word who = log_actor(&tl->log, r);
			/* pended by what an act does, not by the phase that hands out the acts */
			bool by_act = event->kind == REC_EVENT && event->act >= 0;
			for (int k = tl->spot.n - 1; k >= 0 && by_act; k--) {
				struct spot *s = &tl->spot.v[k];
				if (s->who != who || s->round != r->round || s->column != column || s->mark != 'x')
					continue;
				s->mark = '[';
				s->act = r->act;
				break;
			}
		} else if (r->kind == REC_CANCEL) {
			span_ends(tl, i, r->act, column, '!');
		} else if (r->kind == REC_VOID) {
			if (!span_ends(tl, i, r->act, column, '!'))
				spot_add(tl, i, column, 'o', log_actor(&tl->log, r));
		}
	}
}

static void state_turns(struct timeline *tl, const struct record *r, word old, int64_t column)
{
	if (old == 0 && r->value != 0 && tl->state.n < SPOTS_MOST) {
		const struct state s = {r->what, r->owner, r->round, INT32_MAX, column, NOWHERE};
		VEC_PUSH(tl->state, s);
		return;
	}
	for (int i = tl->state.n - 1; i >= 0 && old != 0 && r->value == 0; i--) {
		struct state *s = &tl->state.v[i];
		if (s->field != r->what || s->who != r->owner)
			continue;
		s->until = r->round;
		s->over = column;
		break;
	}
}

/* Who is in which condition, and when: the changes of the fields that count their rounds. */
static void states_find(struct timeline *tl)
{
	const struct program *p = tl->log.p;
	int32_t first_group = 1, looked = -1, round = -1;
	for (int i = 0; i < p->fields; i++)
		for (word who = 0; p->field[i].state && who < p->lives[KIND_COMBATANT]; who++)
			if (p->start[p->field[i].base + (uint32_t)who * p->field[i].stride] != 0) {
				const struct state s = {i, who, 0, INT32_MAX, NOWHERE, NOWHERE};
				VEC_PUSH(tl->state, s);
			}
	for (int32_t i = 0; i < tl->log.n; i++) {
		const struct record r = *log_at(&tl->log, i);
		if (r.round != looked) {
			looked = r.round;
			first_group = 1;
			tl->clock = by_clock(tl, i);
		}
		if (r.kind == REC_GROUP && r.round != round && !r.dropped) {
			round = r.round;
			first_group = r.group;
		}
		if (r.kind != REC_CHANGE || r.dropped || r.flag == 1 || r.what < 0 || r.what >= p->fields ||
			!p->field[r.what].state)
			continue;
		const word *old = trace_values_at(tl->log.t, &r);
		if (old)
			state_turns(tl, &r, *old, r.group > 0 ? column_of(tl, i, first_group) : NOWHERE);
	}
}

/* ---- drawing ---- */

struct row {
	word first, last;
	const char *state; /* the condition it draws, or NULL: acts */
	char *cells;
};
struct rows {
	struct row *v;
	int n, cap;
};

/* What a span is called: the template it is about, else its event. */
static void span_name(const struct timeline *tl, int32_t record, struct buf *out)
{
	const struct record *r = log_at(&tl->log, record);
	if (r->what < 0 || r->what >= tl->log.p->events)
		return;
	const struct event_info *e = &tl->log.p->event[r->what];
	for (int i = 0; i < e->roles; i++) {
		const word *v = log_role(&tl->log, r, i);
		if (v && e->role[i].type.base == VT_THING && *v != NONE) {
			program_value(tl->log.p, e->role[i].type, v, out);
			return;
		}
	}
	buf_puts(out, e->name);
}

/* Where a column's mark stands: below the last figure of its number. */
static int place(const struct timeline *tl, int64_t column)
{
	return (int)((column - tl->first + 1) * CELL) - 1;
}

static void mark_put(char *cells, int length, int at, char mark)
{
	if (at < 0 || at >= length)
		return;
	/* a busier mark is not hidden by a plainer one */
	if (cells[at] == '[' || cells[at] == '*' || cells[at] == '!')
		return;
	cells[at] = mark;
}

static void span_draw(const struct timeline *tl, char *cells, int length, const struct spot *s)
{
	int from = s->continues ? -1 : place(tl, s->from), to = place(tl, s->column);
	if (from >= to || to > length)
		return;
	struct buf name = {0};
	span_name(tl, s->what, &name);
	int room = to - from - 1, n = (int)name.length;
	/* "[ web >  *" where there is room, "[web>*" where there is less, "[>*" where there is none */
	if (room >= n + 3) {
		memcpy(cells + from + 2, buf_text(&name), (size_t)n);
		cells[from + n + 3] = '>';
	} else if (room >= n + 1) {
		memcpy(cells + from + 1, buf_text(&name), (size_t)n);
		cells[from + n + 1] = '>';
	} else if (room >= 1) {
		cells[to - 1] = '>';
	}
	buf_free(&name);
}

/* A combatant's row; NULL when nothing is on it. */
static char *row_make(const struct timeline *tl, int32_t round, word who, int64_t columns)
{
	int length = place(tl, columns) + 1;
	char *cells = malloc((size_t)length + 1);
	bool any = false;
	if (!cells)
		abort();
	memset(cells, ' ', (size_t)length);
	cells[length] = '\0';
	for (int i = 0; i < tl->spot.n; i++) {
		const struct spot *s = &tl->spot.v[i];
		if (s->round != round || s->who != who || s->column > columns)
			continue;
		any = true;
		mark_put(cells, length, place(tl, s->column), s->mark);
		if (s->from != NOWHERE)
			span_draw(tl, cells, length, s);
	}
	for (int i = 0; i < tl->spot.n; i++) { /* spans must not write over where they begin and end */
		const struct spot *s = &tl->spot.v[i];
		if (s->round == round && s->who == who && s->column <= columns && (s->mark == '[' || s->mark == '*' || s->mark == '!') && place(tl, s->column) >= 0)
			cells[place(tl, s->column)] = s->mark;
	}
	if (!any) {
		free(cells);
		return NULL;
	}
	return cells;
}

/* A row of a condition; NULL: somebody is not in it in that round. */
static char *state_row(
	const struct timeline *tl, int32_t round, word who, int field, int64_t columns)
{
	const int length = place(tl, columns) + 1;
	char *cells = NULL;
	for (int i = 0; i < tl->state.n; i++) {
		const struct state *s = &tl->state.v[i];
		if (s->field != field || s->who != who || s->round > round || s->until < round ||
			(s->until == round && s->over == NOWHERE))
			continue;
		const int from = s->round < round || s->column == NOWHERE ? 0 : place(tl, s->column);
		const int to = s->until > round ? length - 1 : place(tl, s->over);
		if (to <= from && s->round < round) /* over before anything was done */
			continue;
		if (!cells) {
			cells = malloc((size_t)length + 1);
			if (!cells)
				abort();
			memset(cells, ' ', (size_t)length);
			cells[length] = '\0';
		}
		for (int k = from < 0 ? 0 : from; k <= to && k < length; k++)
			cells[k] = '=';
	}
	return cells;
}

/* "orc #1" and "orc #2" are of one sort: the same words before the number. */
static bool alike(const char *a, const char *b)
{
	const char *x = strrchr(a, '#'), *y = strrchr(b, '#');
	return x && y && x - a == y - b && strncmp(a, b, (size_t)(x - a)) == 0;
}

static void row_name(const struct program *p, const struct row *r, struct buf *out)
{
	program_live(p, KIND_COMBATANT, r->first, out);
	if (r->last != r->first) {
		const char *last = p->live[KIND_COMBATANT][r->last].name;
		buf_printf(out, " .. %s", strrchr(last, '#'));
	}
	if (r->state)
		buf_printf(out, " %s", r->state);
}

static bool marked(const char *cells, char mark)
{
	return strchr(cells, mark) != NULL;
}

static void legend(struct timeline *tl, const struct row *rows, int n)
{
	static const struct { char mark; const char *says; } sign[] = {
		{'x', "acts"}, {'[', "begins"}, {'*', "takes effect"}, {'!', "is spoiled"},
		{'o', "comes to nothing"}, {'=', "lasts"},
	};
	const char *comma = "";
	for (size_t k = 0; k < FRAY_COUNT(sign); k++) {
		bool used = false;
		for (int i = 0; i < n; i++)
			used = used || marked(rows[i].cells, sign[k].mark);
		if (!used)
			continue;
		ink_printf(&tl->ink, INK_DIM, "%s%c %s", comma, sign[k].mark, sign[k].says);
		comma = "   ";
	}
	ink_line(&tl->ink, 0);
}

/* Is anything marked from a place on? */
static bool any_from(const struct row *row, int n, int place)
{
	for (int i = 0; i < n; i++)
		if ((int)strlen(row[i].cells) > place && row[i].cells[place + strspn(row[i].cells + place, " ")])
			return true;
	return false;
}

/* Who acted in the round at no moment of the clock, each once. */
static void untimed_write(struct timeline *tl, int32_t round)
{
	bool any = false;
	for (int i = 0; i < tl->untimed.n; i++) {
		bool again = tl->untimed.v[i].round != round;
		for (int k = 0; k < i && !again; k++)
			again = tl->untimed.v[k].round == round && tl->untimed.v[k].who == tl->untimed.v[i].who;
		if (again)
			continue;
		struct buf b = {0};
		buf_puts(&b, any ? ", " : "acts at no time of the clock: ");
		program_live(tl->log.p, KIND_COMBATANT, tl->untimed.v[i].who, &b);
		ink_add(&tl->ink, INK_DIM, buf_text(&b));
		buf_free(&b);
		any = true;
	}
	if (any)
		ink_line(&tl->ink, 0);
}

/* Adds a row, or makes it one with the row before it, which is of the same sort and looks alike. */
static void row_add(const struct program *p, struct rows *rows, struct row r)
{
	struct row *last = rows->n ? &rows->v[rows->n - 1] : NULL;
	const struct live_info *live = p->live[KIND_COMBATANT];
	if (last && last->last == r.first - 1 && last->state == r.state &&
		alike(live[last->first].name, live[r.first].name) && strcmp(last->cells, r.cells) == 0) {
		last->last = r.first;
		free(r.cells);
		return;
	}
	VEC_PUSH(*rows, r);
}

static void round_draw(struct timeline *tl, int32_t round, const char *title)
{
	const struct program *p = tl->log.p;
	struct rows row = {0};
	int64_t columns = tl->clock ? program_columns(p) : 0;
	int width = (int)strlen(title) + 1;
	tl->first = 1;
	for (int i = 0; i < tl->spot.n; i++) {
		const struct spot *s = &tl->spot.v[i];
		if (s->round == round && s->column > columns)
			columns = s->column;
		if (s->round == round && s->column < tl->first)
			tl->first = s->column;
	}
	if (columns > 10000)
		columns = 10000;
	for (word who = 0; columns >= tl->first && who < p->lives[KIND_COMBATANT]; who++) {
		char *cells = row_make(tl, round, who, columns);
		if (!cells)
			continue;
		row_add(p, &row, (struct row){who, who, NULL, cells});
	}
	for (int f = 0; columns >= tl->first && f < p->fields; f++)
		for (word who = 0; p->field[f].state && who < p->lives[KIND_COMBATANT]; who++) {
			char *cells = state_row(tl, round, who, f, columns);
			if (cells)
				row_add(p, &row, (struct row){who, who, p->field[f].state, cells});
		}
	for (int i = 0; i < row.n; i++) {
		struct buf b = {0};
		row_name(p, &row.v[i], &b);
		int n = text_columns(b.data, b.length);
		width = n + 1 > width ? n + 1 : width;
		buf_free(&b);
	}
	if (width < 16)
		width = 16;
	/* a round wider than the page goes on below */
	int total = tl->ink.width > 0 ? tl->ink.width : 80;
	int64_t fit = (total - width) / CELL;
	if (fit < 4)
		fit = 4;
	for (int64_t from = tl->first; row.n > 0 && from <= columns; from += fit) {
		int64_t to = from + fit - 1 < columns ? from + fit - 1 : columns;
		/* what comes after the last mark is drawn only where the page has room for it */
		if (from > tl->first && !any_from(&row.v[0], row.n, (int)((from - tl->first) * CELL)))
			break;
		ink_add(&tl->ink, INK_HEADING, title);
		ink_pad(&tl->ink, width);
		for (int64_t c = from; c <= to; c++)
			ink_printf(&tl->ink, INK_TIME, "%*lld", CELL, (long long)c);
		ink_line(&tl->ink, 0);
		for (int i = 0; i < row.n; i++) {
			struct buf b = {0};
			row_name(p, &row.v[i], &b);
			ink_add(&tl->ink, INK_NAME, buf_text(&b));
			ink_pad(&tl->ink, width);
			buf_clear(&b);
			buf_add(&b, row.v[i].cells + (from - tl->first) * CELL, (size_t)((to - from + 1) * CELL));
			while (b.length && b.data[b.length - 1] == ' ')
				b.data[--b.length] = '\0';
			ink_add(&tl->ink, INK_PLAIN, buf_text(&b));
			ink_line(&tl->ink, 0);
			buf_free(&b);
		}
	}
	if (row.n > 0)
		legend(tl, row.v, row.n);
	untimed_write(tl, round);
	for (int i = 0; i < row.n; i++)
		free(row.v[i].cells);
	VEC_FREE(row);
}

void timeline_draw(const struct program *p, const struct trace *t, int32_t from, const struct story_options *o)
{
	struct timeline tl = {.clock = false};
	log_open(&tl.log, p, t);
	/* pictures are cut into pieces that fit, never wrapped */
	tl.ink = (struct ink){.write = o->write, .context = o->context, .width = o->width};
	spots_find(&tl);
	states_find(&tl);
	int32_t last = -1;
	for (int32_t i = from < 0 ? 0 : from; i < tl.log.n; i++) {
		const struct record *r = trace_look(t, i);
		if (r->round == last)
			continue;
		struct buf title = {0};
		uint64_t errand = trace_errand(t);
		last = r->round;
		tl.clock = by_clock(&tl, i);
		if (last > 0)
			buf_printf(&title, "round %d", last);
		else
			buf_puts(&title, "at first");
		buf_printf(&title, ", %s", tl.clock ? p->unit[p->shown_unit].name : "in order");
		round_draw(&tl, last, buf_text(&title));
		trace_done(t, errand);
		buf_free(&title);
	}
	VEC_FREE(tl.spot);
	VEC_FREE(tl.state);
	VEC_FREE(tl.untimed);
	ink_free(&tl.ink);
	log_close(&tl.log);
}
