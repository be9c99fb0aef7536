/* question_span.c - for how long somebody was what a word says, and when that ended: "how long was
 * orc #1 asleep", "when did the bugbear wake up". A state is a span between two changes of the
 * field that holds its word; of one that rules define, between the beats in which it began and
 * ended. */
#include <string.h>
#include <strings.h>

#include "lang/api/question_asked.h"
#include "lang/api/question_read.h"
#include "lang/api/reason.h"
#include "lang/api/session.h"
#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"
#include "runtime/world/block.h"

enum { BEATS_MOST = 400, LINES_MOST = 7, NEAR = 40 };

/* Records: -1: before the fight; not over. */
struct span_of { int32_t from, to; };
typedef VEC(struct span_of) spans;

struct span_asked {
	people who;
	word side;
	const char *state, *said; /* as rules have it, and as it was asked */
	bool opposite;           /* the state is that it is not so */
	bool end;                /* when it ended is asked, and not how long it was */
};

/* ---- spans ---- */

/* Does a field hold the state by that value? -1: it is no field of the state. */
static int field_says(const struct fray *f, int field, word value, const char *state)
{
	const struct field_info *x = &f->program->field[field];
	if (x->kind != KIND_COMBATANT || x->hidden)
		return -1;
	if (x->type.base == VT_BOOL)
		return strcasecmp(x->name, state) ? -1 : value != 0 && value != NONE;
	if (x->type.base != VT_WORD)
		return -1;
	struct buf b = {0};
	if (value != NONE)
		program_value(f->program, x->type, &value, &b);
	const int so = !strcasecmp(buf_text(&b), state);
	buf_free(&b);
	return so;
}

static void put(spans *out, bool on, int32_t at)
{
	const bool open = out->n && out->v[out->n - 1].to < 0;
	if (on && !open)
		VEC_PUSH(*out, (struct span_of){at, -1});
	else if (!on && open)
		out->v[out->n - 1].to = at;
}

/* By the changes of a field that holds it. False: no field does. */
static bool by_changes(struct fray *f, word who, const struct span_asked *a, spans *out)
{
	const struct trace *t = vm_trace(f->vm);
	const int32_t end = (int32_t)vm_block(f->vm)[H_TRACE];
	int field = -1;
	for (int32_t i = 0; i < end; i++) {
		const struct record r = *trace_look(t, i);
		if (r.kind != REC_CHANGE || r.dropped || r.flag == 1 || r.owner != who ||
			r.what < 0 || r.what >= f->program->fields)
			continue;
		const int so = field_says(f, r.what, r.value, a->state);
		const bool other = field >= 0 && field != r.what;
		if (so < 0 || other || (so == 0 && field < 0 && !a->opposite &&
				f->program->field[r.what].type.base == VT_WORD))
			continue;
		const word *old = trace_values_at(t, trace_get(t, i));
		if (field < 0 && old)
			put(out, (field_says(f, r.what, old[0], a->state) > 0) != a->opposite, 0);
		field = r.what;
		put(out, (so > 0) != a->opposite, i);
	}
	return field >= 0;
}

/* By the worlds between beats. */
static bool by_beats(struct fray *f, word who, const struct span_asked *a, spans *out)
{
	const int beats = session_beats(f), most = beats < BEATS_MOST ? beats : BEATS_MOST;
	bool known = true;
	for (int back = most; back >= 0 && known; back--) {
		struct visit v = {.present = NULL};
		const int32_t to =
			back ? reason_go_back(f, back, &v) : (int32_t)vm_block(f->vm)[H_TRACE];
		const int holds = to >= 0 ? state_holds(f, who, a->state) : -1;
		if (back)
			reason_back(f, &v);
		known = holds >= 0;
		if (known)
			put(out, (holds > 0) != a->opposite, to > 0 && back < most ? to - 1 : 0);
	}
	return known;
}

/* ---- told ---- */

static bool at_first(const struct log *l, int32_t record)
{
	return record <= 0 || log_at(l, record)->round < 0 || log_at(l, record)->parent <= 0;
}

static void when_told(const struct log *l, int32_t record, struct buf *out)
{
	struct buf at = {0};
	const bool early =
		record <= 0 || log_at(l, record)->round <= 0 || !answer_when(l, record, &at);
	buf_puts(out, early ? "before the first round" : buf_text(&at));
	buf_free(&at);
}

/* ", for 30 rounds": as it was told beside the change. */
static void length_told(const struct log *l, int32_t record, word who, struct buf *out)
{
	const char *name = l->p->live[KIND_COMBATANT][who].name;
	const size_t n = strlen(name);
	for (int32_t i = record - NEAR < 0 ? 0 : record - NEAR; i < l->n && i < record + NEAR;
		i++) {
		const struct record r = *log_at(l, i);
		if ((r.kind != REC_EVENT && r.kind != REC_NOTE) || r.dropped || r.text < 0)
			continue;
		const char *text = trace_text_at(l->t, r.text), *length = strstr(text, ", for ");
		if (length && !strncmp(text, name, n) && text[n] == ' ') {
			buf_puts(out, length);
			return;
		}
	}
	/* or behind the event, as what was told of it next */
	const int32_t parent = log_at(l, record)->parent;
	for (int32_t i = parent >= 0 ? log_child(l, parent) : -1; i >= 0; i = log_sibling(l, i)) {
		const struct record r = *log_at(l, i);
		const char *text = r.text >= 0 ? trace_text_at(l->t, r.text) : "";
		if (r.kind == REC_NOTE && !r.dropped && !strncmp(text, "for ", 4)) {
			buf_printf(out, ", %s", text);
			return;
		}
	}
}

static void deed_told(const struct log *l, int32_t record, const char *joint, struct buf *out)
{
	const int32_t deed = record >= 0 ? reason_deed(l, record) : -1;
	if (deed < 0 || !reason_is_told(l, deed))
		return;
	buf_puts(out, joint);
	reason_deed_text(l, record, out);
}

/* "orc #1 was asleep from segment 4 of round 1 on, for 30 rounds: Ald's sleep was complete" */
static void span_told(struct fray *f, const struct log *l, word who, const struct span_asked *a,
	const struct span_of *x, struct buf *out)
{
	program_live(f->program, KIND_COMBATANT, who, out);
	buf_printf(out, " was %s", a->said);
	if (at_first(l, x->from)) {
		buf_puts(out, " from the beginning");
	} else {
		buf_puts(out, " from ");
		when_told(l, x->from, out);
	}
	if (x->to >= 0) {
		buf_puts(out, " to ");
		when_told(l, x->to, out);
	} else {
		buf_puts(out, " on");
	}
	if (!at_first(l, x->from)) {
		length_told(l, x->from, who, out);
		deed_told(l, x->from, ": ", out);
	}
	if (x->to >= 0)
		deed_told(l, x->to, "; it ended when ", out);
	else
		buf_puts(out, ", and it is not over");
}

static void never_told(struct fray *f, word who, const struct span_asked *a, struct buf *out)
{
	program_live(f->program, KIND_COMBATANT, who, out);
	buf_printf(out, " was never %s", a->said);
}

static void spans_of(struct fray *f, word who, const struct span_asked *a, spans *out)
{
	struct span_asked other = *a;
	if (!by_changes(f, who, a, out)) {
		VEC_FREE(*out);
		by_beats(f, who, a, out);
	}
	/* a word that they may bear, and were not: "away", who has fled */
	other.state = out->n ? NULL : question_state_other(a->state, &other.opposite);
	if (other.state && question_is_value(f, other.state))
		by_changes(f, who, &other, out);
}

/* The dice that fell when it began. */
static void dice_told(struct fray *f, const struct log *l, int32_t record, struct answer *out)
{
	const int32_t deed = at_first(l, record) ? -1 : reason_deed(l, record);
	struct inquiry s = {.p = f->program, .t = vm_trace(f->vm), .log = *l, .end = l->n};
	if (deed >= 0)
		absence_dice(&s, deed, 0, out);
}

static void told(struct fray *f, const struct span_asked *a, struct answer *out)
{
	struct log l;
	log_open(&l, f->program, vm_trace(f->vm));
	for (int i = 0; i < a->who.n; i++) {
		spans all = {0};
		struct buf line = {0};
		spans_of(f, a->who.v[i], a, &all);
		const int last = all.n - 1;
		if (all.n == 0)
			never_told(f, a->who.v[i], a, &line);
		else if (a->end && all.v[last].to >= 0) {
			program_live(f->program, KIND_COMBATANT, a->who.v[i], &line);
			buf_printf(&line, " was %s until ", a->said);
			when_told(&l, all.v[last].to, &line);
			deed_told(&l, all.v[last].to, ": ", &line);
		} else {
			span_told(f, &l, a->who.v[i], a, &all.v[last], &line);
		}
		if (a->who.n == 1) {
			buf_puts(&out->about, buf_text(&line));
			dice_told(f, &l, last >= 0 ? all.v[last].from : -1, out);
			for (int k = 0; k < last && k < LINES_MOST; k++) {
				buf_clear(&line);
				buf_puts(&line, "before that: ");
				span_told(f, &l, a->who.v[i], a, &all.v[k], &line);
				answer_figure(out, all.v[k].from, -1, "%s", buf_text(&line));
			}
		} else if (i < LINES_MOST) {
			answer_figure(out, -1, -1, "%s", buf_text(&line));
		}
		VEC_FREE(all);
		buf_free(&line);
	}
	log_close(&l);
	if (a->who.n > 1) {
		answer_people(f->program, a->who.v, a->who.n, &out->about);
		buf_puts(&out->about, ", one by one");
	}
	answer_capital(f->program, &out->about, 0);
	buf_putc(&out->about, a->who.n > 1 ? ':' : '.');
}

/* ---- in what order ---- */

struct began { word who; int32_t at; };

static void in_told(const struct log *l, int32_t record, struct buf *out)
{
	struct buf at = {0};
	when_told(l, record, &at);
	buf_printf(out, "%s%s", read_same(buf_text(&at), "before", 6) ? "" : "in ", buf_text(&at));
	buf_free(&at);
}

/* "Ann was down in round 2, then Bob and Cid in round 3", by when each was so for the first
 * time. */
static void order_told(struct fray *f, const struct span_asked *a, struct answer *out)
{
	struct log l;
	struct buf at = {0}, last = {0};
	VEC(struct began) one = {0};
	people same = {0};
	log_open(&l, f->program, vm_trace(f->vm));
	for (int i = 0; i < a->who.n; i++) {
		spans all = {0};
		spans_of(f, a->who.v[i], a, &all);
		if (all.n) {
			int k = one.n;
			VEC_PUSH(one, (struct began){0});
			for (; k > 0 && one.v[k - 1].at > all.v[0].from; k--)
				one.v[k] = one.v[k - 1];
			one.v[k] = (struct began){a->who.v[i], all.v[0].from};
		}
		VEC_FREE(all);
	}
	for (int i = 0; i <= one.n; i++) {
		buf_clear(&at);
		if (i < one.n && at_first(&l, one.v[i].at))
			buf_puts(&at, "from the beginning");
		else if (i < one.n)
			in_told(&l, one.v[i].at, &at);
		if (same.n && strcmp(buf_text(&at), buf_text(&last))) {
			const bool first = out->about.length == 0;
			buf_puts(&out->about, first ? "" : ", then ");
			answer_people(f->program, same.v, same.n, &out->about);
			if (first)
				buf_printf(&out->about, " %s %s", same.n > 1 ? "were" : "was",
					a->said);
			buf_printf(&out->about, " %s", buf_text(&last));
			same.n = 0;
		}
		if (i < one.n)
			VEC_PUSH(same, one.v[i].who);
		buf_clear(&last);
		buf_puts(&last, buf_text(&at));
	}
	if (!one.n)
		buf_printf(&out->about, "none of them was %s", a->said);
	else if (one.n < a->who.n)
		buf_printf(&out->about, "; %d of %d never", a->who.n - one.n, a->who.n);
	answer_capital(f->program, &out->about, 0);
	buf_putc(&out->about, '.');
	log_close(&l);
	buf_free(&at);
	buf_free(&last);
	VEC_FREE(one);
	VEC_FREE(same);
}

/* "in what order were the orcs down" */
static bool order_read(struct reading *r, struct span_asked *a)
{
	static const char *const order[] = {"in what order", "in which order", NULL};
	static const char *const all[] = {"everybody", "everyone", "they", "they all", NULL};
	if (!read_any(r, order) || !read_any(r, read_be_words))
		return false;
	if (read_any(r, all)) {
		for (int i = 0; i < r->f->program->lives[KIND_COMBATANT]; i++)
			VEC_PUSH(a->who, i);
	} else if (!read_people(r, &a->who, &a->side) || *r->at == '\'') {
		return false;
	}
	a->said = r->at;
	a->state = question_state(r->f, a->said, &a->opposite);
	return *r->at && a->who.n && state_holds(r->f, a->who.v[0], a->state) >= 0;
}

/* ---- read ---- */

/* "sleep", "flee", "wake": the state that such a verb keeps somebody in. */
static const char *verb_state(struct fray *f, const char *said)
{
	struct buf b = {0};
	const size_t n = strcspn(said, " ");
	const size_t m = n > 1 && said[n - 1] == 's' ? n - 1 : n;
	buf_printf(&b, "a%.*s", (int)m, said);
	const bool so = n > 2 && !said[n] &&
		(state_holds(f, 0, buf_text(&b)) >= 0 || question_is_value(f, buf_text(&b)));
	const char *state = so ? arena_text(&f->arena, buf_text(&b), b.length) : NULL;
	if (!so && n > 2 && !said[n]) {
		bool opposite;
		const char *meant = question_state(f, buf_text(&b), &opposite);
		if (question_is_value(f, meant))
			state = arena_text(&f->arena, buf_text(&b), b.length);
	}
	buf_free(&b);
	return state;
}

static bool span_read(struct reading *r, struct span_asked *a)
{
	static const char *const how[] = {"for how long", "how long", NULL},
				 *const until[] = {"until when", "till when", NULL},
				 *const stays[] = {"stay", "stays", "stayed", "remain", "remained",
					 "remains", "been", "be", "still", "lie", "lay", "keep",
					 NULL},
				 *const ends[] = {"cease to be", "ceases to be", "ceased to be",
					 "stop being", "stopped being", "no longer", NULL},
				 *const wakes[] = {"wake up", "wake", "woke up", "woke", "awake",
					 "come to", NULL};
	const char *begin = r->at;
	const bool when = !read_any(r, how) && read_take(r, "when");
	if (!when && r->at == begin && !read_any(r, until))
		return false;
	const bool be = read_any(r, read_be_words);
	if (!be && !read_any(r, read_help_words) &&
		!read_any(r, (const char *const[]){"has", "have", "had", "will", NULL}))
		return false;
	if (!read_people(r, &a->who, &a->side) || *r->at == '\'')
		return false;
	a->end = when;
	if (when && !be) {
		if (read_any(r, wakes) && !*r->at)
			r->at = "asleep";
		else if (!read_any(r, ends))
			return false;
	} else if (when && !read_any(r, ends)) {
		return false;
	}
	while (read_any(r, stays))
		;
	if (!*r->at)
		return false;
	const char *verb = !be && !when ? verb_state(r->f, r->at) : NULL;
	a->said = verb ? verb : r->at;
	a->state = question_state(r->f, a->said, &a->opposite);
	return state_holds(r->f, a->who.v[0], a->state) >= 0;
}

bool span_asked(struct fray *f, const char *line, struct answer *out)
{
	struct question q;
	struct buf text = {0};
	struct span_asked a = {.side = NONE};
	question_clear(&q);
	buf_puts(&text, line + strspn(line, " \t"));
	while (text.length && strchr(" \t\r\n?.!", text.data[text.length - 1]))
		text.data[--text.length] = '\0';
	struct reading r = {f, buf_text(&text), &q};
	const bool ordered = order_read(&r, &a);
	if (!ordered) {
		VEC_FREE(a.who);
		a = (struct span_asked){.side = NONE};
		r.at = buf_text(&text);
	}
	const bool so = ordered || span_read(&r, &a);
	if (ordered)
		order_told(f, &a, out);
	else if (so)
		told(f, &a, out);
	VEC_FREE(a.who);
	buf_free(&text);
	question_free(&q);
	return so;
}
